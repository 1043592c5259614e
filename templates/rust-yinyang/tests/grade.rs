fn main() -> std::process::ExitCode {
    keur::submit::yinyang::<yinyang::YinYang>()
}
