fn main() -> std::process::ExitCode {
    keur::submit::codenames::<codenames::Spelbord>()
}
