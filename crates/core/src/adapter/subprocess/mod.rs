//! Replays a plan on a submission in a subprocess that speaks the wire protocol.

mod allowance;
mod case;
mod masked;
mod quick;
mod record;
mod start;
mod unhindered;

pub(crate) use allowance::memory_of;
pub use quick::Quick;
pub(crate) use unhindered::Replays;

use super::dialect::{Dialect, Spoken};
use super::exchange::exchange;
use super::source::{Source, imports_library};
use super::transcript::{Halt, Load, Transcript};
use super::wire::{self, Body, Code, LoadMode, LoadRequest, Reply, Request};
use super::{CHECK_TEMPORARY, Fault, Guide, Launcher};
use crate::case::{Exercise, Plan};
use crate::sandbox::{Folder, Limits, Process, Stop, Tier};
use crate::value::Bundle;
use case::CaseRun;
use start::Started;
use std::ops::AddAssign;
use std::sync::Arc;
use std::time::Duration;

/// A submission that plans are replayed on: each in a fresh process, or a fresh context if the driver has
/// them.
pub struct Subprocess<'a> {
    launcher: &'a mut Launcher,
    source: Source,
    exercise: &'a Exercise,
    bundle: &'a Bundle,
    file_names: Vec<String>,
    /// Whether it imports a module that a fork server may have preloaded.
    preloaded: bool,
    /// The properties of its language, from its first process that got ready.
    dialect: Option<Arc<Dialect>>,
    compiled: Compiled,
    /// A process between two cases.
    idle: Option<Started>,
    /// The process of the quick pass.
    quick: Option<Started>,
    /// The number of second replays left for stalls of the machine.
    stall_retries: u32,
}

/// The code that the first load compiled. That of a later one would come from a process that knows calls.
enum Compiled {
    /// Nothing has been loaded yet.
    NotYet,
    /// The driver gave none.
    Nothing,
    Code(Code),
}

impl Compiled {
    fn code(&self) -> Option<&Code> {
        if let Compiled::Code(code) = self { Some(code) } else { None }
    }
}

/// A replay of a plan.
#[derive(Debug)]
pub struct Replayed {
    /// The observations.
    pub transcript: Transcript,
    /// The properties of the submission's language.
    pub dialect: Arc<Dialect>,
    /// The time that the limits of the process did not measure.
    pub timing: Timing,
}

/// The time of a replay that its limits did not measure.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    /// Whether a process was ended at its wall-clock limit while the machine kept it from running.
    pub stalled: bool,
    /// The time that the submission took to get ready, and that no limit of a case covers.
    pub unmetered: Duration,
    /// The time in which its processes would have run and the machine did not let them.
    pub held_up: Duration,
}

impl AddAssign for Timing {
    fn add_assign(&mut self, other: Timing) {
        self.stalled |= other.stalled;
        self.unmetered += other.unmetered;
        self.held_up += other.held_up;
    }
}

impl Replayed {
    /// Whether somebody else ended or stopped a process of the replay, if it was confined.
    pub fn stopped_by_others(&self) -> bool {
        matches!(self.transcript.halt(), Some(Halt::Stopped(stop)) if stop.is_by_others())
    }
}

/// A reason why there is no process to load a submission into.
#[derive(Debug)]
pub enum NotStarted {
    /// A failure of keur itself.
    Fault(Fault),
    /// The submission is a program that does not get ready; says why. If it got ready for an earlier case, the
    /// replay of a plan ends with [`Halt::NotReady`] instead.
    NotReady(String),
}

impl From<Fault> for NotStarted {
    fn from(fault: Fault) -> NotStarted {
        NotStarted::Fault(fault)
    }
}

impl<'a> Subprocess<'a> {
    /// The submission in `bundle`, an answer to `exercise`, in processes that `launcher` starts.
    pub fn new(
        launcher: &'a mut Launcher,
        source: Source,
        exercise: &'a Exercise,
        bundle: &'a Bundle,
    ) -> Subprocess<'a> {
        let preloaded = source.engine().is_some_and(|engine| imports_library(engine, bundle));
        Subprocess {
            launcher,
            source,
            exercise,
            bundle,
            file_names: bundle.files.iter().map(|file| file.name.clone()).collect(),
            preloaded,
            dialect: None,
            compiled: Compiled::NotYet,
            idle: None,
            quick: None,
            stall_retries: u32::MAX,
        }
    }

    /// The files of the submission.
    pub fn bundle(&self) -> &'a Bundle {
        self.bundle
    }

    /// The properties of the submission's language; `None` until a process of it has got ready.
    pub fn dialect(&self) -> Option<&Dialect> {
        self.dialect.as_deref()
    }

    /// The confinement tier of its processes.
    pub fn tier(&self) -> Tier {
        if matches!(self.source, Source::Trusted(_)) { Tier::Portable } else { self.launcher.tier() }
    }

    /// The seed of hashes and random numbers.
    pub fn seed(&self) -> u32 {
        self.launcher.seed()
    }

    /// Whether its processes are being ended.
    pub fn is_cancelled(&self) -> bool {
        self.launcher.cancel().is_cancelled()
    }

    /// Whether the submission is kept from ending or stopping its own process as somebody else could.
    fn is_confined(&self) -> bool {
        self.tier() != Tier::Portable
    }

    /// Replays a plan under `limits`; `guide` supplies the lines of its matches.
    ///
    /// # Errors
    /// A failure of keur itself, or the submission has never got ready.
    pub fn replay(
        &mut self,
        plan: &Plan,
        limits: &Limits,
        guide: &mut dyn Guide,
    ) -> Result<Replayed, NotStarted> {
        let folder = plan.files.as_deref().map(|files| {
            let files = files.iter().map(|file| (file.name.as_str(), &*file.bytes));
            Folder::new(files).map_err(|error| {
                Fault::new("the working folder of a case cannot be made").because(error).help(CHECK_TEMPORARY)
            })
        });
        CaseRun::new(self, limits, folder.transpose()?).replay(plan, guide)
    }

    /// Whether its driver compiles it, and has not done so yet.
    fn must_compile(&self) -> bool {
        self.source.engine().is_some_and(|engine| engine.lifetime.compiles())
            && matches!(self.compiled, Compiled::NotYet)
    }

    /// Loads the submission.
    fn load(&mut self, process: &mut Process, spelling: &Spoken<'_>, mode: LoadMode<'_>) -> Load {
        let needs: Vec<String> =
            spelling.naming.definitions().into_iter().map(|(_, spelled)| spelled).collect();
        let request = Request::load(LoadRequest {
            // A library has all that it needs.
            files: if matches!(self.source, Source::Library(_)) { &[] } else { &self.bundle.files },
            mode,
            needs: &needs,
            code: self.compiled.code(),
            views: wire::views(&crate::case::views(self.exercise), spelling),
        });
        let mut reply = exchange(process, &request, &self.file_names);
        if let Ok(Reply { body: Body::Loaded { code, .. }, .. }) = &mut reply
            && matches!(self.compiled, Compiled::NotYet)
        {
            self.compiled = code.take().map_or(Compiled::Nothing, Compiled::Code);
        }
        load_of(process, reply)
    }

    /// The packages that the exercise allows in the submission's language.
    fn packages(&self) -> &'a [String] {
        let engine = self.source.engine();
        let allowed = engine.and_then(|engine| self.exercise.packages.get(engine.language.name));
        allowed.map_or(&[], Vec::as_slice)
    }

    /// Checks that the driver knows everything that a plan needs.
    fn can_run(&self, plan: &Plan, dialect: &Dialect) -> Result<(), Fault> {
        let driver = match &self.source {
            Source::Engine(engine, _) => format!("keur's driver for {}", engine.title),
            Source::Built(_) => "a crate in Rust".to_owned(),
            Source::Library(library) => format!("keur's driver for {}", library.language.title),
            Source::Trusted(_) => "the program that was named".to_owned(),
        };
        let language = dialect.name();
        if let Source::Library(library) = &self.source
            && library.calls.is_none()
            && plan.needs_load()
        {
            let title = library.language.title;
            let fault = format!("the exercise has no declarations for {title}, and a case calls functions");
            return Err(Fault::new(fault).help("declare them: docs/c.md"));
        }
        if plan.needs_operators() && !dialect.operators {
            let lacks = "does not know operators, attributes and items, and a case needs them";
            return Err(Fault::new(format!("{driver} {lacks}")));
        }
        if plan.needs_input() && !dialect.stdin {
            let lacks = "gives no standard input to calls, and a case needs it";
            return Err(Fault::new(format!("{driver} {lacks}")).help("run a program with `stdin` instead"));
        }
        if plan.natives().next().is_some() && !dialect.native {
            return Err(Fault::new(format!("{driver} cannot run code that stands in a case")));
        }
        if plan.natives().any(|native| native.code(language).is_none()) {
            let lacks = format!("runs {language}, and the code in a case is of another language");
            return Err(Fault::new(format!("{driver} {lacks}")));
        }
        Ok(())
    }
}

/// The load that a reply of `process` reports.
fn load_of(process: &mut Process, reply: Result<Reply, Halt>) -> Load {
    let halt = match reply.map(|Reply { body, out, .. }| (body, out)) {
        Ok((Body::Loaded { defined, names, raised, code: _ }, out)) => {
            let halt = process.output_is_full().then_some(Halt::Stopped(Stop::Output));
            let mut output = process.take_output();
            output.extend(out.unwrap_or_default().into_bytes());
            return Load { defined, names, raised, output, halt };
        }
        Ok((Body::Raised(raised), _)) => return Load { raised: Some(raised), ..Load::default() },
        Ok(_) => Halt::Protocol("it does not answer `load` with `loaded`".to_owned()),
        Err(halt) => halt,
    };
    Load { halt: Some(halt), ..Load::default() }
}
