//! Node, with the driver for its languages.

use crate::languages::{DriverArgs, Mode, in_variables};
#[cfg(target_os = "linux")]
use crate::sandbox::{Jail, ProgramKind, Strictness, linux};
use crate::sandbox::{Launch, Transport};
#[cfg(target_os = "linux")]
use std::path::Path;

/// The parts of the driver shared by every engine: one evaluates requests, one has the operators, one loads
/// files.
pub(super) const CORE: &str = include_str!("core.js");
pub(super) const OPERATORS: &str = include_str!("operators.js");
pub(super) const LOADER: &str = include_str!("loader.js");
pub(super) const TIMERS: &str = include_str!("timers.js");

/// The part of the driver specific to node.
const NODE_TEXT: &str = include_str!("node.js");

/// Runs the text in environment variables, if it is too long for the arguments.
const UNPACK: &str = "{ let text = ''; for (let i = 0; `KEUR_${i}` in process.env; i++) { text += process.env[`KEUR_${i}`]; \
                      delete process.env[`KEUR_${i}`]; } require('vm').runInThisContext(text); }";

/// The argument that tells the driver that its folder is the submission's.
const FOLDER: &str = "folder";

/// Node does not look for OpenSSL's configuration, because one that it may not read is an error.
#[cfg(target_os = "linux")]
const NO_CONFIGURATION: &str = "--openssl-config=/nonexistent";

/// Writable memory of node with the driver, before a submission is loaded: V8 alone reserves far more than it
/// uses.
const BASELINE: u64 = 640 << 20;

/// The driver's texts for node, for sockets and for pipes.
pub(in crate::languages) struct NodeTexts([String; 2]);

impl NodeTexts {
    /// For files with these extensions (a JavaScript list), which `prepare` (a function) turns into
    /// JavaScript.
    pub(in crate::languages) fn new(extensions: &str, prepare: &str) -> NodeTexts {
        NodeTexts(["socket", "pipes"].map(|mode| {
            format!(
                "const CORE = {CORE};\nconst OPERATORS = {OPERATORS};\nconst LOADER = {LOADER};\nconst TIMERS = {TIMERS};\n\
                 const EXTENSIONS = {extensions};\nconst PREPARE = {prepare};\nconst MODE = '{mode}';\n{NODE_TEXT}"
            )
        }))
    }

    fn of(&self, mode: Mode) -> &str {
        let [socket, pipes] = &self.0;
        match mode {
            Mode::Process(Transport::Socket) | Mode::Server(_) => socket,
            Mode::Process(Transport::Pipes) => pipes,
        }
    }
}

/// Starts node with one of these texts.
pub(in crate::languages) fn launch_node(start: &DriverArgs<'_>, texts: &NodeTexts) -> Launch {
    let text = texts.of(start.mode);
    // V8 has its own heap limit, which it reports when reached; it takes whole megabytes.
    let heap = format!("--max-old-space-size={}", (start.memory >> 20).max(16));
    let seed = format!("--random-seed={}", start.seed.max(1));
    let mut args: Vec<std::ffi::OsString> = vec![heap.into(), seed.into()];
    #[cfg(target_os = "linux")]
    args.push(NO_CONFIGURATION.into());
    let (text, env) = match start.mode {
        Mode::Process(Transport::Pipes) => (UNPACK, in_variables(text)),
        Mode::Process(Transport::Socket) | Mode::Server(_) => (text, Vec::new()),
    };
    args.extend(["--no-warnings", "--experimental-vm-modules", "-e", text].map(Into::into));
    args.extend(start.has_folder.then(|| FOLDER.into()));
    Launch {
        args,
        env,
        transport: start.mode.transport(),
        baseline: BASELINE,
        shared: true,
        ..Launch::new(start.program)
    }
}

/// The files that node may read: shared libraries alone, since it contains its own library.
#[cfg(target_os = "linux")]
pub(in crate::languages) fn jail(program: &Path) -> std::io::Result<Jail> {
    let readable = linux::libraries(program)?;
    Ok(Jail { kind: ProgramKind::Engine, strictness: Strictness::Standard, readable, hidden: Vec::new() })
}
