fn main() -> std::process::ExitCode {
    keur_core::submit::alquerque::<alquerque::Alquerque>()
}
