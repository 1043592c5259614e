fn main() -> std::process::ExitCode {
    keur_core::submit::codenames::<codenames::Spelbord>()
}
