//! Runs a stranger's script: `cargo run -p keur-sandbox --example stranger -- /usr/bin/python3 script.py`.
//!
//! The script lies in a folder of its own, which it may change. It may read the system's programs and
//! libraries and nothing else, start no other program and open no connection; it has a second of processor
//! time, and 256 MB of memory.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example speaks on the terminal")]

use keur_sandbox::{
    Exit, Folder, Jail, Launch, Limits, Process, ProgramKind, Stop, Strictness, Tier, available,
};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// The files and folders of the system that an interpreter reads, where it is installed with it.
const SYSTEM: [&str; 5] = ["/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/dev/urandom"];

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [interpreter, script] = &arguments[..] else {
        eprintln!("usage: stranger INTERPRETER SCRIPT");
        return ExitCode::from(2);
    };
    match run(interpreter.clone(), script.clone()) {
        Ok(Stop::Exited(Exit::Code(0))) => ExitCode::SUCCESS,
        Ok(stop) => {
            println!("it ended: {stop:?}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(4)
        }
    }
}

/// Runs a script to its end, prints what it printed, and tells how it ended.
fn run(interpreter: PathBuf, script: PathBuf) -> Result<Stop, Box<dyn Error>> {
    available(Tier::Standard)?;
    let source = std::fs::read(script)?;
    let readable = SYSTEM.map(PathBuf::from).into_iter().filter(|path| path.exists()).collect();
    let launch = Launch {
        args: vec!["script".into()],
        jail: Some(Jail {
            kind: ProgramKind::Engine,
            strictness: Strictness::Standard,
            readable,
            hidden: Vec::new(),
        }),
        folder: Some(Arc::new(Folder::new([("script", source.as_slice())])?)),
        ..Launch::new(interpreter.canonicalize()?)
    };
    let mut process = Process::start(&launch, &Limits::default())?;
    // It says nothing on its channel, so what comes instead of a byte is how it ended.
    let stop = loop {
        if let Err(stop) = process.read_exact(&mut [0]) {
            break stop;
        }
    };
    print!("{}", String::from_utf8_lossy(&process.take_output()));
    eprint!("{}", String::from_utf8_lossy(&process.take_errors()));
    Ok(stop)
}
