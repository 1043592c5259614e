fn main() -> std::process::ExitCode {
    keur_core::submit::pipopipette::<pipopipette::Pipopipette>()
}
