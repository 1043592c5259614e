//! A program in a process of its own, that bytes are exchanged with under limits.

use super::parts::{Channel, Child, Parts, Way, Written};
#[cfg(not(unix))]
use super::portable::{SIGKILL, SIGXCPU, SIGXFSZ, own_peak};
#[cfg(unix)]
use super::unix::{self, SIGKILL, SIGXCPU, SIGXFSZ, own_peak};
use super::{Cancel, Exit, Jail, Limits, Stop, portable};
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long to wait at most before the processor time and the threads are looked at again.
const LOOK: Duration = Duration::from_millis(20);

/// Threads that a process may have: each takes memory of the kernel, which no limit of memory counts.
const MOST_THREADS: u64 = 256;

/// The shortest wait: a program that is about to reach its limit is not watched more often than this.
const SHORTEST: Duration = Duration::from_millis(2);

/// However busy the machine, a case ends after this many times its limit on the clock.
const MOST_WALLS: u32 = 20;

/// Standard error that is kept for a report, in bytes.
const ERRORS: u64 = 4096;

/// What programs say on their standard error when they end for want of memory.
const OUT_OF_MEMORY: [&str; 3] = ["out of memory", "bad_alloc", "OutOfMemoryError"];

/// How a program is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Over a socket at descriptor 3; its standard output is gathered.
    Socket,
    /// Over its standard input and output; what it prints it must say itself.
    Pipes,
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its whole environment.
    pub env: Vec<(String, String)>,
    /// How it is spoken to.
    pub transport: Transport,
    /// Memory that the program needs before it does anything, in bytes: the limit comes on top of it.
    pub baseline: u64,
    /// Whether it answers for several cases, so that processor time is metered by case alone.
    pub shared: bool,
    /// What it may read, where it is confined; not confined when absent.
    pub jail: Option<Jail>,
}

/// A running program.
pub struct Process {
    child: Box<dyn Child>,
    channel: Box<dyn Channel>,
    output: Box<dyn Written>,
    errors: Box<dyn Written>,
    /// Bytes that the program itself says it has printed.
    told: u64,
    ended: Option<Exit>,
    peak: u64,
    /// What it had written to its standard error when it ended.
    said: Vec<u8>,
    /// Processor time of the whole life of the process; known once it has ended.
    cpu_total: Duration,
    meter: Meter,
    cancel: Cancel,
    /// When the meters were last looked at.
    looked: Instant,
}

/// What one case may still use.
struct Meter {
    limits: Limits,
    began: Instant,
    /// Processor time that the process had used when the case began.
    cpu_before: Duration,
    /// Time that it had waited for a processor by then.
    delay_before: Duration,
}

impl Process {
    /// Starts a program, and with it the meters of its first case.
    ///
    /// # Errors
    /// The program cannot be started; that is no fault of a submission.
    pub fn start(launch: &Launch, limits: &Limits) -> io::Result<Process> {
        #[cfg(unix)]
        let parts = unix::start(launch, limits)?;
        #[cfg(not(unix))]
        let parts = portable::start(launch, limits)?;
        Ok(Process::new(parts, limits))
    }

    /// Starts a program as on a system that is no Unix, with what every system has: pipes, and no limits by the kernel
    /// but those that Windows keeps.
    ///
    /// # Errors
    /// As [`Process::start`]; or the program is not spoken to over pipes.
    pub fn start_portable(launch: &Launch, limits: &Limits) -> io::Result<Process> {
        Ok(Process::new(portable::start(launch, limits)?, limits))
    }

    /// A process that a fork server started for a case.
    ///
    /// # Errors
    /// The server does not answer; that is no fault of a submission.
    #[cfg(fork_servers)]
    pub fn fork(server: &mut super::server::ForkServer, limits: &Limits) -> io::Result<Process> {
        Ok(Process::new(unix::fork(server, limits)?, limits))
    }

    fn new(parts: Parts, limits: &Limits) -> Process {
        let meter = Meter {
            limits: limits.clone(),
            began: Instant::now(),
            cpu_before: Duration::ZERO,
            delay_before: Duration::ZERO,
        };
        let Parts { child, channel, output, errors } = parts;
        Process {
            child,
            channel,
            output,
            errors,
            told: 0,
            ended: None,
            peak: 0,
            said: Vec::new(),
            cpu_total: Duration::ZERO,
            meter,
            cancel: Cancel::default(),
            looked: Instant::now(),
        }
    }

    /// Ends the process soon after `cancel` is set, as if its time were up.
    pub fn cancelled_by(mut self, cancel: Cancel) -> Process {
        self.cancel = cancel;
        self
    }

    /// Starts the meters of another case in the same process.
    ///
    /// # Errors
    /// The output of the case before cannot be cleared away.
    pub fn begin(&mut self, limits: &Limits) -> io::Result<()> {
        self.output.clear()?;
        self.errors.clear()?;
        self.told = 0;
        self.said.clear();
        let cpu_before = self.cpu_time().unwrap_or_default();
        let delay_before = self.child.run_delay();
        self.meter = Meter { limits: limits.clone(), began: Instant::now(), cpu_before, delay_before };
        Ok(())
    }

    /// Sends bytes.
    ///
    /// # Errors
    /// What stopped the program before it took them all.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), Stop> {
        while !bytes.is_empty() {
            match self.channel.write(bytes) {
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(error) if again(&error) => self.wait(Way::Out)?,
                Err(_) => return Err(self.stopped()),
            }
        }
        Ok(())
    }

    /// Receives as many bytes as `buffer` holds.
    ///
    /// # Errors
    /// What stopped the program before it sent them all.
    pub fn read_exact(&mut self, mut buffer: &mut [u8]) -> Result<(), Stop> {
        while !buffer.is_empty() {
            match self.channel.read(buffer) {
                Ok(0) => return Err(self.stopped()),
                Ok(count) => buffer = buffer.get_mut(count..).unwrap_or_default(),
                Err(error) if again(&error) => self.wait(Way::In)?,
                Err(_) => return Err(self.stopped()),
            }
        }
        Ok(())
    }

    /// Whether bytes have come that nobody asked for.
    pub fn has_unread(&self) -> bool {
        self.channel.has_unread()
    }

    /// Counts what the program itself says it has printed as output: where it gathers that, nobody else sees it.
    pub fn note_output(&mut self, bytes: usize) {
        self.told = self.told.saturating_add(bytes as u64);
    }

    /// What the program has written to its output since the last call.
    pub fn take_output(&mut self) -> Vec<u8> {
        self.output.take(self.meter.limits.output)
    }

    /// The beginning of what the program has written to its standard error since the last call.
    pub fn take_errors(&mut self) -> Vec<u8> {
        let mut said = std::mem::take(&mut self.said);
        said.extend(self.errors.take(ERRORS));
        said
    }

    /// Whether the program has written as much as it may.
    pub fn output_is_full(&self) -> bool {
        let limit = self.meter.limits.output;
        self.output.len().saturating_add(self.told) >= limit || self.errors.len() >= limit
    }

    /// Processor time of the case so far.
    pub fn cpu_used(&self) -> Duration {
        self.cpu_time().unwrap_or_default().saturating_sub(self.meter.cpu_before)
    }

    /// The most memory that the process had in use, in bytes; known once it has ended.
    pub fn peak_memory(&self) -> u64 {
        self.peak
    }

    /// Ends the program and everything that it started.
    pub fn kill(&mut self) {
        if self.ended.is_some() {
            return;
        }
        self.child.kill();
        self.reap(true);
    }

    /// Waits until the program is ready, or has used up what it may.
    fn wait(&mut self, way: Way) -> Result<(), Stop> {
        // Most answers come at once: then nothing needs to be looked at, unless many come one after another.
        let lately = self.looked.elapsed() < LOOK;
        if lately && self.channel.ready(way, SHORTEST.min(self.meter.limits.wall)) {
            return Ok(());
        }
        loop {
            let (wall, cpu) = self.look()?;
            if self.child.threads() > MOST_THREADS {
                self.kill();
                return Err(Stop::Memory);
            }
            if self.output_is_full() && way == Way::In {
                // It may still answer within a moment; what counts is that it wrote too much.
                if self.channel.ready(way, SHORTEST) {
                    return Ok(());
                }
                self.kill();
                return Err(Stop::Output);
            }
            if self.channel.ready(way, wall.min(cpu.max(SHORTEST)).min(LOOK)) {
                return Ok(());
            }
        }
    }

    /// What is left of the time on the clock and of the processor time.
    ///
    /// # Errors
    /// Nothing is, or the run is to end: the program is ended.
    pub fn look(&mut self) -> Result<(Duration, Duration), Stop> {
        self.looked = Instant::now();
        let wall = self.meter.limits.wall.saturating_sub(self.meter.began.elapsed());
        let wall = if wall.is_zero() { self.owed() } else { wall };
        if wall.is_zero() || self.cancel.is_cancelled() {
            self.kill();
            return Err(Stop::Wall);
        }
        let cpu = self.meter.limits.cpu.saturating_sub(self.cpu_used());
        if cpu.is_zero() {
            self.kill();
            return Err(Stop::Cpu);
        }
        Ok((wall, cpu))
    }

    /// Time on the clock that is left although the limit is over: what the program spent waiting for a processor is
    /// not its own, up to a limit that ends every case.
    fn owed(&self) -> Duration {
        let elapsed = self.meter.began.elapsed();
        if elapsed >= self.meter.limits.wall * MOST_WALLS {
            return Duration::ZERO;
        }
        let delayed = self.child.run_delay().saturating_sub(self.meter.delay_before);
        (self.meter.limits.wall + delayed).saturating_sub(elapsed)
    }

    /// Why the program no longer speaks.
    fn stopped(&mut self) -> Stop {
        // Whoever closes the channel but lives on is ended; whoever ended by itself keeps its own status.
        if !self.ends_within(Duration::from_millis(200)) {
            self.kill();
            return Stop::Exited(Exit::Signal(0));
        }
        let full = self.output_is_full();
        let exit = self.ended.unwrap_or(Exit::Signal(0));
        let memory = self.meter.limits.memory;
        self.said = self.errors.take(ERRORS);
        let said = String::from_utf8_lossy(&self.said).into_owned();
        match exit {
            Exit::Signal(SIGXCPU) => Stop::Cpu,
            Exit::Signal(SIGXFSZ) => Stop::Output,
            _ if full => Stop::Output,
            Exit::Signal(SIGKILL) if self.cpu_used() >= self.meter.limits.cpu => Stop::Cpu,
            // A child begins as a copy of keur, whose own memory the system counts as its peak too.
            Exit::Signal(_) if self.peak >= memory / 10 * 9 && self.peak > own_peak() => Stop::Memory,
            Exit::Signal(_) | Exit::Code(_) if OUT_OF_MEMORY.iter().any(|words| said.contains(words)) => {
                Stop::Memory
            }
            Exit::Signal(_) | Exit::Code(_) => Stop::Exited(exit),
        }
    }

    fn ends_within(&mut self, time: Duration) -> bool {
        let until = Instant::now() + time;
        while self.ended.is_none() {
            self.reap(false);
            if self.ended.is_none() && Instant::now() >= until {
                return false;
            }
            if self.ended.is_none() {
                std::thread::sleep(Duration::from_micros(200));
            }
        }
        true
    }

    /// Learns how the process ended, if it has or when it `must`.
    fn reap(&mut self, must: bool) {
        if let Some(death) = self.child.wait(must) {
            (self.ended, self.peak, self.cpu_total) = (Some(death.exit), death.peak, death.cpu);
        }
    }

    fn cpu_time(&self) -> Option<Duration> {
        if self.ended.is_some() { Some(self.cpu_total) } else { self.child.cpu_time() }
    }
}

/// Whether a channel only has to be waited for.
fn again(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.child.abandon();
        }
    }
}
