fn main() -> std::process::ExitCode {
    keur::submit::quixo::<quixo::Quixo>()
}
