//! A program in a worker of the page.

use keur_core::sandbox::parts::{
    Channel, ChannelDirection, Child, ExitInfo, Parts, RunState, Starter, Written,
};
use keur_core::sandbox::{Exit, Launch, Limits, lock};
use serde_json::json;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A wait that takes this many milliseconds longer than it should is late, because the page or the machine slept:
/// what is more counts for nobody.
const LATE: f64 = 30.0;

/// The milliseconds that a request and its reply take on their way from process to process, which count for nobody.
const WAY: f64 = 1.0;

/// A worker that keur has waited for this long is measured: how much of that time the machine gave it.
const MEASURED: Duration = Duration::from_millis(200);

/// The times that Pyodide takes longer than the Python that limits are made for.
const PYODIDE: f64 = 2.0;

/// Standard output.
const OUTPUT: u32 = 1;

/// Standard error.
const ERRORS: u32 = 2;

#[link(wasm_import_module = "keur")]
unsafe extern "C" {
    safe fn spawn(at: *const u8, length: usize) -> u32;
    safe fn send(worker: u32, at: *const u8, length: usize);
    safe fn take(worker: u32, at: *mut u8, length: usize) -> i32;
    safe fn wait(worker: u32, milliseconds: f64) -> u32;
    safe fn unread(worker: u32) -> u32;
    safe fn written(worker: u32, stream: u32) -> u32;
    safe fn words(worker: u32, stream: u32, at: *mut u8, length: usize) -> u32;
    safe fn status(worker: u32) -> i32;
    safe fn kill(worker: u32);
    safe fn end(worker: u32);
    safe fn busy() -> f64;
}

/// Starts programs in workers of the page.
#[derive(Default)]
pub(super) struct Workers {
    /// Whether a program of the submission has reached its limit of time: the others get no more time than on a
    /// system, since endless loops rarely come alone.
    has_hung: Arc<AtomicBool>,
}

impl Starter for Workers {
    fn start(&self, launch: &Launch, limits: &Limits) -> io::Result<Parts> {
        let texts = |texts: &[std::ffi::OsString]| -> Vec<String> {
            texts.iter().map(|text| text.to_string_lossy().into_owned()).collect()
        };
        let asked = json!({
            "program": launch.program.to_string_lossy(),
            "args": texts(&launch.args),
            "env": launch.env.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
            "driver": String::from_utf8_lossy(&launch.first_message),
            "memory": limits.memory.saturating_add(launch.baseline),
        });
        let asked = asked.to_string();
        let id = spawn(asked.as_ptr(), asked.len());
        if id == 0 {
            return Err(io::Error::other("its worker does not start"));
        }
        let is_slow = launch.program.as_os_str() == "pyodide" && !self.has_hung.load(Relaxed);
        let share = Share(Arc::new(Worker {
            id,
            pace: if is_slow { PYODIDE } else { 1.0 },
            times: Mutex::default(),
            is_running: AtomicBool::new(false),
            has_hung: Arc::clone(&self.has_hung),
        }));
        Ok(Parts {
            child: Box::new(share.clone()),
            channel: Box::new(share.clone()),
            output: Box::new(Stream { share: share.clone(), number: OUTPUT, before: 0 }),
            errors: Box::new(Stream { share, number: ERRORS, before: 0 }),
        })
    }
}

/// A worker of the page.
struct Worker {
    id: u32,
    /// The times that its engine takes longer than the one that limits are made for.
    pace: f64,
    times: Mutex<Times>,
    /// Whether it has a request and has not answered.
    is_running: AtomicBool,
    has_hung: Arc<AtomicBool>,
}

/// The time in which keur waited for a worker: it works only then.
#[derive(Clone, Copy, Default)]
struct Times {
    /// Processor time, as far as it is known.
    used: Duration,
    /// Time in which the machine did other work.
    delayed: Duration,
    /// Time that is not yet known to be the one or the other.
    unmeasured: Duration,
}

impl Times {
    /// Divides the time that is not yet measured, in which a task took so many times longer than on an idle machine.
    fn divide(&mut self, busy: f64) {
        let used = self.unmeasured.div_f64(busy.max(1.0));
        self.used += used;
        self.delayed += self.unmeasured - used;
        self.unmeasured = Duration::ZERO;
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        end(self.id);
    }
}

impl Worker {
    fn death(&self) -> ExitInfo {
        let exit = match status(self.id) {
            -1 => Exit::Unknown,
            code => Exit::Code(code),
        };
        ExitInfo { cpu: self.cpu_time(), ..ExitInfo::by(exit) }
    }

    fn cpu_time(&self) -> Duration {
        let times = *lock(&self.times);
        (times.used + times.unmeasured).div_f64(self.pace)
    }
}

/// A share of a worker, which ends with the last one.
#[derive(Clone)]
struct Share(Arc<Worker>);

impl Child for Share {
    fn kill(&mut self) {
        self.0.has_hung.fetch_or(self.0.is_running.load(Relaxed), Relaxed);
        kill(self.0.id);
    }

    fn try_wait(&mut self) -> Option<ExitInfo> {
        // It is asked only once its channel is closed.
        Some(self.0.death())
    }

    fn wait(&mut self) -> ExitInfo {
        self.0.death()
    }

    /// Ends it, or keeps it for another case if it waits for a request: the page decides.
    fn abandon(&mut self) {}

    fn cpu_time(&self) -> Option<Duration> {
        Some(self.0.cpu_time())
    }

    fn run_delay(&self) -> Option<Duration> {
        Some(lock(&self.0.times).delayed)
    }

    fn state(&self) -> RunState {
        if self.0.is_running.load(Relaxed) { RunState::Runnable } else { RunState::Asleep }
    }
}

impl Channel for Share {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.0.is_running.store(true, Relaxed);
        send(self.0.id, bytes.as_ptr(), bytes.len());
        Ok(bytes.len())
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match take(self.0.id, buffer.as_mut_ptr(), buffer.len()) {
            0 => Err(ErrorKind::WouldBlock.into()),
            count => Ok(usize::try_from(count).unwrap_or(0)),
        }
    }

    fn ready(&self, direction: ChannelDirection, timeout: Duration) -> bool {
        if direction == ChannelDirection::Out {
            return true;
        }
        let most = timeout.as_secs_f64() * 1000.0;
        let began = super::now();
        let is_ready = wait(self.0.id, most) != 0;
        let way = if is_ready { WAY } else { 0.0 };
        let took = Duration::from_secs_f64((super::now() - began - way).clamp(0.0, most + LATE) / 1000.0);
        let mut times = lock(&self.0.times);
        times.unmeasured += took;
        if is_ready || times.unmeasured >= MEASURED {
            let busy = if times.unmeasured >= MEASURED { busy() } else { 1.0 };
            times.divide(busy);
        }
        self.0.is_running.store(!is_ready, Relaxed);
        is_ready
    }

    fn has_unread(&self) -> bool {
        unread(self.0.id) > 0
    }
}

/// The bytes that a worker writes to one of its streams.
struct Stream {
    share: Share,
    number: u32,
    /// The bytes that it had written when this was cleared.
    before: u32,
}

impl Written for Stream {
    fn len(&self) -> u64 {
        u64::from(written(self.share.0.id, self.number).saturating_sub(self.before))
    }

    fn take(&mut self, most: u64) -> Vec<u8> {
        let mut bytes = vec![0; usize::try_from(most).unwrap_or(0)];
        let count = words(self.share.0.id, self.number, bytes.as_mut_ptr(), bytes.len());
        bytes.truncate(usize::try_from(count).unwrap_or(0));
        bytes
    }

    fn clear(&mut self) -> io::Result<()> {
        while !self.take(1 << 16).is_empty() {}
        self.before = written(self.share.0.id, self.number);
        Ok(())
    }
}
