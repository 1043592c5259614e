//! JavaScript on QuickJS, the built-in engine, for machines without node.
//!
//! The engine runs in its own process of keur's program ([`serve`]), never in the one that grades. If the
//! system has fork servers, that process forks a confined copy of itself for each case; otherwise each case
//! starts a new one.

use super::node::{CORE, LOADER, OPERATORS, TIMERS};
use super::notation::JavaScript;
use crate::languages::{self, DriverArgs, ENGINE, Mode, Version};
use crate::named::Named;
use crate::protocol::{HEADER, frame, header};
use crate::sandbox::{Launch, Tier, Transport};
use crate::value::notation::Notation;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rquickjs::context::EvalOptions;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Context, Ctx, Error, Function, Module, Object, Persistent, Promise, Runtime, Value, qjs};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CStr;
use std::io::{self, Read, Write};
use std::rc::Rc;

/// The part of the driver specific to QuickJS.
const HOST: &str = include_str!("quickjs.js");

/// Writable memory of the process with the engine, before a submission is loaded.
const BASELINE: u64 = 32 << 20;

/// Stack that JavaScript may use, in bytes: half of what a process usually has.
const STACK: usize = 4 << 20;

/// The exit status of an engine that ran out of memory: that of an abort.
const EXHAUSTED: i32 = 134;

/// The exit status of a submission that waits forever: node's own.
const WAITING: i32 = 13;

/// The most output of a submission that is gathered, in bytes, if it has no file to print to.
const MOST_GATHERED: usize = 1 << 20;

/// The engine.
pub(super) static QUICKJS: languages::Engine = languages::Engine {
    language: &super::LANGUAGE,
    name: "quickjs",
    title: "QuickJS",
    in_page: None,
    option: None,
    lifetime: languages::Lifetime::Case(languages::Forks::Confining),
    loads_again: true,
    optional: false,
    preload: &[],
    executables: &[],
    oldest: Version::new(0, 0),
    install: "it",
    probe: &[ENGINE, "version"],
    parse_probe: super::parse_three_lines,
    text: None,
    carried: Some(languages::Carried { version, serve }),
    launch,
    #[cfg(target_os = "linux")]
    jail: super::jail,
    newer_syntax: |_, _| None,
};

pub(super) fn launch(start: &DriverArgs<'_>) -> Launch {
    let tier = match start.mode {
        Mode::Server(tier) => tier,
        Mode::Process(_) => Tier::Portable,
    };
    let numbers = [start.memory.to_string(), start.seed.to_string()];
    let args = [ENGINE, start.mode.word(), tier.name(), &numbers[0], &numbers[1]];
    Launch {
        args: args.map(Into::into).into(),
        transport: start.mode.transport(),
        baseline: BASELINE,
        ..Launch::new(start.program)
    }
}

/// Serves submissions until there are no more requests: the whole life of an engine process. `memory` is for
/// the submission, in bytes; `seed` is the seed of random numbers.
///
/// # Errors
/// The process was not started as an engine, or its forks cannot be confined.
pub(super) fn serve(mode: Mode, memory: u64, seed: u32) -> io::Result<()> {
    let engine = Host::new(seed).map_err(io::Error::other)?;
    match mode {
        #[cfg(target_os = "linux")]
        Mode::Server(tier) => crate::sandbox::serve_forks(tier, |child| {
            engine.sinks.replace(OutputSinks {
                output: OutputSink::File(child.output.into()),
                errors: Some(child.errors.into()),
            });
            let channel = std::fs::File::from(child.channel);
            engine.answer(child.data.saturating_sub(BASELINE), &channel, &channel)
        }),
        #[cfg(not(target_os = "linux"))]
        Mode::Server(_) => Err(io::Error::other("a fork server needs Linux")),
        #[cfg(unix)]
        Mode::Process(Transport::Socket) => {
            let output = std::io::stdout();
            let output = std::os::fd::AsFd::as_fd(&output).try_clone_to_owned()?;
            engine.sinks.replace(OutputSinks { output: OutputSink::File(output.into()), errors: None });
            let channel = std::fs::File::from(crate::sandbox::inherited_socket());
            std::process::exit(engine.answer(memory, &channel, &channel))
        }
        #[cfg(not(unix))]
        Mode::Process(Transport::Socket) => Err(io::Error::other("a socket needs Unix")),
        Mode::Process(Transport::Pipes) => {
            std::process::exit(engine.answer(memory, &mut io::stdin().lock(), &mut io::stdout().lock()))
        }
    }
}

/// The destination of a submission's output.
#[derive(Default)]
struct OutputSinks {
    output: OutputSink,
    /// A file for the error that ends the process; standard error if absent.
    errors: Option<std::fs::File>,
}

enum OutputSink {
    /// A file that keur reads.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only pipes carry its replies there"))]
    File(std::fs::File),
    /// The next reply.
    Gathered(Vec<u8>),
}

impl Default for OutputSink {
    fn default() -> OutputSink {
        OutputSink::Gathered(Vec::new())
    }
}

impl OutputSinks {
    fn print(&mut self, text: &str) {
        match &mut self.output {
            // Failed writes are beyond the output limit, which keur notices.
            OutputSink::File(file) => drop(file.write_all(text.as_bytes())),
            OutputSink::Gathered(bytes) => {
                let room = MOST_GATHERED.saturating_sub(bytes.len());
                bytes.extend(text.bytes().take(room));
            }
        }
    }

    /// The end of a reply, about the output before it: the output since the last call, or how much is in its
    /// file.
    fn printed(&mut self) -> String {
        match &mut self.output {
            OutputSink::Gathered(bytes) if !bytes.is_empty() => {
                let text = String::from_utf8_lossy(&std::mem::take(bytes)).into_owned();
                format!(",\"out\":{}", serde_json::Value::from(text))
            }
            OutputSink::Gathered(_) => String::new(),
            OutputSink::File(file) => file
                .metadata()
                .map_or_else(|_| String::new(), |metadata| format!(",\"at\":{}", metadata.len())),
        }
    }

    /// Ends the process because its memory ran out.
    fn exhausted(&mut self) -> ! {
        const SAID: &[u8] = b"out of memory\n";
        // A failure here cannot be reported.
        let _ = match &mut self.errors {
            Some(file) => file.write_all(SAID),
            None => io::stderr().write_all(SAID),
        };
        std::process::exit(EXHAUSTED)
    }
}

/// QuickJS with the driver, in two contexts: one for the driver, one for the submission.
struct Host {
    runtime: Runtime,
    submission: Context,
    /// Answers a request as text; returns a promise of a reply.
    handle: Persistent<Function<'static>>,
    sinks: Rc<RefCell<OutputSinks>>,
    /// Memory that the engine uses before a submission is loaded, in bytes.
    used: u64,
}

impl Host {
    fn new(seed: u32) -> rquickjs::Result<Host> {
        let runtime = Runtime::new()?;
        runtime.set_max_stack_size(STACK);
        let modules = Modules::default();
        runtime.set_loader(modules.clone(), modules.clone());
        let submission = Context::full(&runtime)?;
        let driver = Context::full(&runtime)?;
        let compiled = |text: &str| {
            driver.with(|ctx| {
                ctx.eval::<Function<'_>, _>(text).map(|function| Persistent::save(&ctx, function))
            })
        };
        let core = compiled(CORE)?;
        let operators = compiled(OPERATORS)?;
        let loader = compiled(LOADER)?;
        let timers = compiled(TIMERS)?;
        let host = compiled(HOST)?;
        let sinks = Rc::<RefCell<OutputSinks>>::default();
        let handle = submission.with(|ctx| {
            let natives = natives(&ctx, &modules, &sinks)?;
            let parts = (natives, loader.restore(&ctx)?, timers.restore(&ctx)?, seed);
            let host: Value<'_> = host.restore(&ctx)?.call(parts)?;
            let core = core.restore(&ctx)?;
            let handle: Function<'_> =
                core.call((host, JavaScript.language(), version(), operators.restore(&ctx)?))?;
            Ok::<_, Error>(Persistent::save(&ctx, handle))
        })?;
        let used = u64::try_from(runtime.memory_usage().malloc_size).unwrap_or(0);
        Ok(Host { runtime, submission, handle, sinks, used })
    }

    /// Answers requests until there are no more; returns the exit status of the process. `memory` is what the
    /// submission may use, in bytes.
    fn answer(&self, memory: u64, mut requests: impl Read, mut replies: impl Write) -> i32 {
        let most = memory.saturating_add(self.used);
        self.runtime.set_memory_limit(usize::try_from(most).unwrap_or(usize::MAX));
        self.submission.with(|ctx| {
            let Ok(handle) = self.handle.clone().restore(&ctx) else { return 1 };
            loop {
                let mut head = [0; HEADER];
                if requests.read_exact(&mut head).is_err() {
                    return 0;
                }
                let (length, nonce) = header(head);
                let mut payload = vec![0; length];
                if requests.read_exact(&mut payload).is_err() || payload == *br#"{"op":"end"}"# {
                    return 0;
                }
                let payload = String::from_utf8_lossy(&payload).into_owned();
                let reply =
                    match handle.call((payload,)).and_then(|reply: Promise<'_>| reply.finish::<String>()) {
                        Ok(reply) => reply,
                        Err(Error::WouldBlock) => return WAITING,
                        // The driver itself can fail only if memory runs out.
                        Err(_) => self.sinks.borrow_mut().exhausted(),
                    };
                let reply = frame(nonce, reply.as_bytes());
                if replies.write_all(&reply).and_then(|()| replies.flush()).is_err() {
                    return 0;
                }
            }
        })
    }
}

/// The natives for quickjs.js.
fn natives<'js>(
    ctx: &Ctx<'js>,
    modules: &Modules,
    sinks: &Rc<RefCell<OutputSinks>>,
) -> rquickjs::Result<Object<'js>> {
    let natives = Object::new(ctx.clone())?;
    // A function is called in its caller's context, the driver's; its code belongs in this one.
    let here = ctx.clone();
    let evaluate = move |source: String, name: String| -> rquickjs::Result<Value<'js>> {
        let mut options = EvalOptions::default();
        options.strict = false;
        options.filename = Some(name);
        here.eval_with_options(source, options)
    };
    natives.set("evaluate", Function::new(ctx.clone(), evaluate)?)?;
    natives.set("function", ctx.globals().get::<_, Value<'js>>("Function")?)?;
    natives.set("global", ctx.globals())?;
    let sources = modules.clone();
    let set_sources = move |function: Persistent<Function<'static>>| {
        sources.sources.replace(Some(function));
    };
    natives.set("modules", Function::new(ctx.clone(), set_sources)?)?;
    let here = ctx.clone();
    let import = move |name: String| Module::import(&here, name);
    natives.set("module", Function::new(ctx.clone(), import)?)?;
    let text =
        |data: String| String::from_utf8_lossy(&STANDARD.decode(data).unwrap_or_default()).into_owned();
    natives.set("text", Function::new(ctx.clone(), text)?)?;
    let here = ctx.clone();
    let drain = move || while here.execute_pending_job() {};
    natives.set("drain", Function::new(ctx.clone(), drain)?)?;
    let sink = Rc::clone(sinks);
    natives.set("printed", Function::new(ctx.clone(), move || sink.borrow_mut().printed())?)?;
    let sink = Rc::clone(sinks);
    natives.set("write", Function::new(ctx.clone(), move |text: String| sink.borrow_mut().print(&text))?)?;
    natives.set("exit", Function::new(ctx.clone(), |code: i32| -> () { std::process::exit(code) })?)?;
    let sink = Rc::clone(sinks);
    natives.set("exhausted", Function::new(ctx.clone(), move || -> () { sink.borrow_mut().exhausted() })?)?;
    Ok(natives)
}

/// Finds the ES modules of a submission with the driver's loader.
#[derive(Clone, Default)]
struct Modules {
    /// Returns `{ name, source, exposing, exports }` for the target of an `import`, or throws.
    sources: Rc<RefCell<Option<Persistent<Function<'static>>>>>,
    /// The modules found, by name.
    found: Rc<RefCell<HashMap<String, Persistent<Object<'static>>>>>,
}

impl Resolver for Modules {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<String> {
        let sources = self.sources.borrow().clone().ok_or_else(|| Error::new_resolving(base, name))?;
        let found: Object<'js> = sources.restore(ctx)?.call((name,))?;
        let name: String = found.get("name")?;
        self.found.borrow_mut().insert(name.clone(), Persistent::save(ctx, found));
        Ok(name)
    }
}

impl Loader for Modules {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<Module<'js, Declared>> {
        let found = self.found.borrow().get(name).cloned().ok_or_else(|| Error::new_loading(name))?;
        let found = found.restore(ctx)?;
        let exposing = Module::declare(ctx.clone(), name, found.get::<_, String>("exposing")?);
        let module = match exposing {
            Ok(module) => module,
            Err(_) => {
                // A source that exposes names it does not have, or that is invalid anyway, is used unchanged.
                ctx.catch();
                Module::declare(ctx.clone(), name, found.get::<_, String>("source")?)?
            }
        };
        module.meta()?.set("exports", found.get::<_, Value<'js>>("exports")?)?;
        Ok(module)
    }
}

/// The version of the engine.
#[expect(unsafe_code, reason = "the engine tells its version as a string of C")]
pub(super) fn version() -> String {
    // SAFETY: the function takes nothing and gives a constant string that ends with a zero.
    let version = unsafe { CStr::from_ptr(qjs::JS_GetVersion()) };
    version.to_string_lossy().into_owned()
}
