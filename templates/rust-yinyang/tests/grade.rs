fn main() -> std::process::ExitCode {
    keur_core::submit::yinyang::<yinyang::YinYang>()
}
