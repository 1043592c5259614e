fn main() -> std::process::ExitCode {
    keur_core::submit::quixo::<quixo::Quixo>()
}
