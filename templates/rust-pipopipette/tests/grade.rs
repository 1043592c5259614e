fn main() -> std::process::ExitCode {
    keur::submit::pipopipette::<pipopipette::Pipopipette>()
}
