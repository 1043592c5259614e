fn main() -> std::process::ExitCode {
    keur::submit::alquerque::<alquerque::Alquerque>()
}
