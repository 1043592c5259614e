//! A program in its own process, which exchanges bytes under limits. `process-wrap` knows groups and jobs,
//! but no meters.

use super::clock::{self, Instant};
use super::launch::Launch;
use super::meter::Meter;
use super::parts::{Channel, ChannelDirection, Child, ExitInfo, Parts, RunState, Written};
#[cfg(not(unix))]
use super::portable::{SIGKILL, SIGXCPU, SIGXFSZ, own_peak};
#[cfg(unix)]
use super::unix::{self, SIGKILL, SIGXCPU, SIGXFSZ, own_peak};
use super::{Cancel, Exit, Folder, Limits, Stop, portable};
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

/// The time that a program has to end after it closed its channel, unless more is left of its wall-clock time: on a busy
/// machine an ordinary end takes a while.
const ENDING: Duration = Duration::from_secs(1);

/// The longest wait before the limits are enforced again.
const CHECK_EVERY: Duration = Duration::from_millis(20);

/// A check that comes later than this is late because the machine stalled, or because keur itself was at
/// work.
const LATE: Duration = Duration::from_millis(100);

/// The most threads of a process: each takes kernel memory, which no memory limit counts.
const MOST_THREADS: u64 = 256;

/// The most bytes that a process with a working folder may write, those that it writes again included.
const MOST_WRITTEN: u64 = 256 << 20;

/// The shortest wait: a program close to its limit is not checked more often than this.
const SHORTEST: Duration = Duration::from_millis(2);

/// However busy the machine, a run ends after this many times its wall-clock limit.
const MOST_WALLS: u32 = 20;

/// The most bytes that are received at once.
const CHUNK: usize = 16 << 10;

/// Standard error that is kept for a report, in bytes.
const ERRORS: u64 = 4096;

/// The words on standard error with which the usual run-time systems end because memory ran out.
const OUT_OF_MEMORY: [&str; 3] = ["out of memory", "bad_alloc", "OutOfMemoryError"];

/// A running program.
pub struct Process {
    life: Life,
    channel: Box<dyn Channel>,
    /// Bytes that the program sent and nobody has read.
    received: Vec<u8>,
    output: Box<dyn Written>,
    errors: Box<dyn Written>,
    /// Bytes of output that the program itself reports.
    reported: u64,
    stalled: bool,
    at_start: AtStart,
    /// Standard error that was read when the program ended, and that nobody has taken yet.
    last_errors: Vec<u8>,
    meter: Meter,
    /// The time that it had waited for a processor, over all its runs, when that was last taken;
    /// [`Meter::delay_before`] is that at the start of this run.
    delay_taken: Duration,
    cancel: Cancel,
    /// The last time that the limits were enforced.
    checked: Instant,
}

/// The facts of a process's start that still count at its end.
struct AtStart {
    /// Memory that it needs at start, in bytes: the limit comes on top of it.
    baseline: u64,
    /// Whether the memory limit is on resident memory, and not enforced by the system.
    resident: bool,
    /// The processor time of its whole life from which the kernel may have ended it; `None` if it never does.
    ended_by_kernel: Option<Duration>,
    /// The working folder.
    folder: Option<Arc<Folder>>,
}

/// Whether a program still runs.
enum Life {
    Running(Box<dyn Child>),
    Ended(ExitInfo),
}

impl Process {
    /// Starts a program, and the meters of its first run.
    ///
    /// # Errors
    /// The program cannot be started; that is not its own fault.
    pub fn start(launch: &Launch, limits: &Limits) -> io::Result<Process> {
        #[cfg(unix)]
        let parts = unix::start(launch, limits)?;
        #[cfg(not(unix))]
        let parts = portable::start(launch, limits)?;
        Ok(Process::of(parts, launch, limits))
    }

    /// Takes over a program that something else has started as `launch` says, and starts the meters of its
    /// first run.
    pub fn of(parts: Parts, launch: &Launch, limits: &Limits) -> Process {
        let at_start = AtStart {
            baseline: launch.baseline,
            resident: launch.resident,
            ended_by_kernel: (!launch.shared).then(|| limits.ended_by_kernel()),
            folder: launch.folder.clone(),
        };
        Process::new(parts, limits, at_start)
    }

    /// Starts a program as on a system that is not Unix: with pipes, and no limits by the kernel except those
    /// that Windows has.
    ///
    /// # Errors
    /// See [`Process::start`]; or the program's channel is not pipes.
    pub fn start_portable(launch: &Launch, limits: &Limits) -> io::Result<Process> {
        let parts = portable::start(launch, limits)?;
        Ok(Process::of(parts, launch, limits))
    }

    /// A process that a fork server started for a run.
    ///
    /// # Errors
    /// The server does not answer; that is not its own fault.
    #[cfg(target_os = "linux")]
    pub fn fork(server: &mut super::ForkServer, limits: &Limits) -> io::Result<Process> {
        let at_start = AtStart {
            baseline: server.baseline(),
            resident: server.is_resident(),
            ended_by_kernel: Some(limits.ended_by_kernel()),
            folder: None,
        };
        Ok(Process::new(unix::fork(server, limits)?, limits, at_start))
    }

    fn new(parts: Parts, limits: &Limits, at_start: AtStart) -> Process {
        let Parts { child, channel, output, errors } = parts;
        Process {
            life: Life::Running(child),
            channel,
            received: Vec::new(),
            output,
            errors,
            reported: 0,
            stalled: false,
            at_start,
            last_errors: Vec::new(),
            meter: Meter::begin(limits, Duration::ZERO, Duration::ZERO),
            cancel: Cancel::default(),
            delay_taken: Duration::ZERO,
            checked: Instant::now(),
        }
    }

    /// Ends the process soon after `cancel` is set, as if its time had run out.
    pub fn cancelled_by(mut self, cancel: Cancel) -> Process {
        self.cancel = cancel;
        self
    }

    /// Restarts the meters for another run in the same process.
    ///
    /// # Errors
    /// The output of the previous run cannot be cleared.
    pub fn begin(&mut self, limits: &Limits) -> io::Result<()> {
        self.output.clear()?;
        self.errors.clear()?;
        self.reported = 0;
        self.last_errors.clear();
        let (cpu, delay) = (self.cpu_time(), self.run_delay());
        self.meter = Meter::begin(limits, cpu.unwrap_or_default(), delay.unwrap_or_default());
        self.checked = self.meter.began;
        Ok(())
    }

    /// The time that the program has waited for a processor since the last call of this; zero after its end.
    pub fn take_held_up(&mut self) -> Duration {
        let delay = self.run_delay().unwrap_or_default();
        let held_up = delay.saturating_sub(self.delay_taken);
        self.delay_taken = self.delay_taken.max(delay);
        held_up
    }

    /// Sends bytes.
    ///
    /// # Errors
    /// The reason why the program stopped before it read them all.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), Stop> {
        while !bytes.is_empty() {
            match self.channel.write(bytes) {
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(error) if again(&error) => self.wait_for(ChannelDirection::Out)?,
                Err(_) => return Err(self.why_it_ended()),
            }
        }
        Ok(())
    }

    /// Receives as many bytes as `buffer` holds.
    ///
    /// # Errors
    /// The reason why the program stopped before it sent them all.
    pub fn read_exact(&mut self, mut buffer: &mut [u8]) -> Result<(), Stop> {
        loop {
            let there = self.received.len().min(buffer.len());
            let (now, later) = buffer.split_at_mut(there);
            now.copy_from_slice(&self.received[..there]);
            self.received.drain(..there);
            buffer = later;
            if buffer.is_empty() {
                return Ok(());
            }
            self.receive()?;
        }
    }

    /// Waits for bytes, and takes those that are there.
    fn receive(&mut self) -> Result<(), Stop> {
        // An answer is rarely there yet.
        self.wait_for(ChannelDirection::In)?;
        let mut chunk = [0; CHUNK];
        match self.channel.read(&mut chunk) {
            Ok(0) => Err(self.why_it_ended()),
            Ok(count) => {
                self.received.extend_from_slice(&chunk[..count]);
                Ok(())
            }
            Err(error) if again(&error) => Ok(()),
            Err(_) => Err(self.why_it_ended()),
        }
    }

    /// Whether there are unrequested bytes.
    pub fn has_unread(&self) -> bool {
        !self.received.is_empty() || self.channel.has_unread()
    }

    /// Adds `bytes` to the counted output, for a program that sends its output over the channel.
    pub fn note_output(&mut self, bytes: usize) {
        self.reported = self.reported.saturating_add(bytes as u64);
    }

    /// The program's output since the last call.
    pub fn take_output(&mut self) -> Vec<u8> {
        self.output.take(self.meter.limits.output)
    }

    /// The beginning of the program's standard error since the last call.
    pub fn take_errors(&mut self) -> Vec<u8> {
        let mut errors = std::mem::take(&mut self.last_errors);
        errors.extend(self.errors.take(ERRORS));
        errors
    }

    /// Whether it was ended at its wall-clock limit while the machine kept it from running, as far as the
    /// system tells.
    pub fn was_stalled(&self) -> bool {
        self.stalled
    }

    /// Whether the program has reached its output limit.
    pub fn output_is_full(&self) -> bool {
        let limit = self.meter.limits.output;
        self.output.len().saturating_add(self.reported) >= limit || self.errors.len() >= limit
    }

    /// Processor time of the run so far.
    pub fn cpu_used(&self) -> Duration {
        self.cpu_time().unwrap_or_default().saturating_sub(self.meter.cpu_before)
    }

    /// The peak memory of a program that has ended, in bytes; `None` while it runs, or if the system does not
    /// report it.
    pub fn peak_memory(&self) -> Option<u64> {
        match &self.life {
            Life::Running(_) => None,
            Life::Ended(end) => end.peak,
        }
    }

    /// Ends the program and everything that it started.
    pub fn kill(&mut self) {
        if let Life::Running(child) = &mut self.life {
            child.kill();
            self.life = Life::Ended(child.wait());
        }
    }

    /// Waits until the channel is ready, or the program has reached a limit.
    fn wait_for(&mut self, direction: ChannelDirection) -> Result<(), Stop> {
        // Most answers come at once: then no check is needed, unless many come one after another.
        let lately = self.checked.elapsed() < CHECK_EVERY;
        if lately && self.channel.ready(direction, SHORTEST.min(self.meter.limits.wall)) {
            return Ok(());
        }
        loop {
            let status = self.running().map(Child::status).unwrap_or_default();
            self.meter.was_suspended |= status.is_stopped;
            let most = self.enforce()?;
            if status.threads > MOST_THREADS {
                self.kill();
                return Err(Stop::Memory);
            }
            if self.at_start.resident
                && status.resident > self.meter.limits.memory.saturating_add(self.at_start.baseline)
            {
                self.kill();
                return Err(Stop::Memory);
            }
            if self.output_is_full() && direction == ChannelDirection::In {
                // It may still answer soon; what counts is that it wrote too much.
                if self.channel.ready(direction, SHORTEST) {
                    return Ok(());
                }
                self.kill();
                return Err(Stop::Output);
            }
            if self.channel.ready(direction, most) {
                return Ok(());
            }
        }
    }

    /// Ends the program if it has reached a limit or the run is cancelled. Returns how long to wait, at most,
    /// until the limits are enforced again.
    ///
    /// # Errors
    /// No time is left, there is too much in its working folder, or the run is cancelled.
    pub fn enforce(&mut self) -> Result<Duration, Stop> {
        let since = self.checked.elapsed();
        self.checked = Instant::now();
        if since > LATE {
            self.meter.unwatched += since - CHECK_EVERY;
        }
        let wall = self.meter.limits.wall.saturating_sub(self.meter.elapsed());
        let wall = if wall.is_zero() { self.owed() } else { wall };
        let over = self.meter.began.elapsed() >= self.meter.limits.wall * MOST_WALLS;
        if wall.is_zero() || over || self.cancel.is_cancelled() {
            let was_suspended = self.meter.was_suspended && !self.cancel.is_cancelled();
            self.stalled = was_suspended || self.is_stalled();
            self.kill();
            return Err(if was_suspended { Stop::Suspended } else { Stop::Wall });
        }
        let cpu = self.meter.limits.cpu.saturating_sub(self.cpu_used());
        if cpu.is_zero() {
            self.kill();
            return Err(Stop::Cpu);
        }
        if self.folder_is_over() {
            self.kill();
            return Err(Stop::Files);
        }
        Ok(wall.min(cpu.max(SHORTEST)).min(CHECK_EVERY))
    }

    /// Whether there is too much in its working folder, or was: what it has removed and still uses is not
    /// seen there.
    fn folder_is_over(&self) -> bool {
        let Some(folder) = &self.at_start.folder else { return false };
        let written = self.running().and_then(Child::written);
        written.is_some_and(|written| written > MOST_WRITTEN) || folder.is_over()
    }

    /// Wall-clock time left after the limit: time that the program waited for a processor is not counted.
    fn owed(&self) -> Duration {
        let delayed = self.delayed().unwrap_or_default();
        (self.meter.limits.wall + delayed).saturating_sub(self.meter.elapsed())
    }

    /// Time of this run in which the program waited for a processor; `None` where the system does not count
    /// it.
    fn delayed(&self) -> Option<Duration> {
        Some(self.run_delay()?.saturating_sub(self.meter.delay_before))
    }

    /// Whether the program does not run now although it would, as far as the system tells.
    ///
    /// A program that sleeps and then runs must not look like this, or it could bring about a second try.
    fn is_stalled(&self) -> bool {
        let Some(child) = self.running() else { return false };
        match (child.state(), self.delayed()) {
            (RunState::Held, _) => true,
            (RunState::Runnable, Some(delayed)) => delayed >= self.meter.elapsed() / 2,
            // A program that ran most of the time is slow by itself.
            (RunState::Runnable, None) => {
                child.cpu_time().is_some() && self.cpu_used() < self.meter.elapsed() / 2
            }
            (RunState::Asleep, _) => false,
        }
    }

    /// Ends a program that no longer answers, and says why it does not.
    fn why_it_ended(&mut self) -> Stop {
        // A program that closes the channel but lives on is ended; one that ended by itself keeps its own
        // status.
        self.wait_for_end(self.meter.limits.wall.saturating_sub(self.meter.elapsed()).max(ENDING));
        let Life::Ended(end) = self.life else {
            self.kill();
            return Stop::Exited(Exit::Unknown);
        };
        let full = self.output_is_full();
        let memory = match end.exit {
            // The kernel's own limit is on what a program has at start too.
            Exit::Signal(SIGKILL) => self.meter.limits.memory.saturating_add(self.at_start.baseline),
            Exit::Signal(_) | Exit::Code(_) | Exit::Unknown => self.meter.limits.memory,
        };
        // A child begins as a copy of keur, whose memory the system counts in its peak too.
        let is_near_limit = end.peak.is_some_and(|peak| peak >= memory / 10 * 9 && peak > own_peak());
        self.last_errors = self.errors.take(ERRORS);
        let errors = String::from_utf8_lossy(&self.last_errors);
        match end.exit {
            Exit::Signal(SIGXCPU) => Stop::Cpu,
            _ if full => Stop::Output,
            _ if self.folder_is_over() => Stop::Files,
            Exit::Signal(SIGXFSZ) => Stop::Output,
            Exit::Signal(SIGKILL) if self.cpu_used() >= self.meter.limits.cpu => Stop::Cpu,
            Exit::Signal(SIGKILL) if self.at_start.ended_by_kernel.is_some_and(|most| end.cpu >= most) => {
                Stop::Cpu
            }
            Exit::Signal(_) | Exit::Unknown if end.is_out_of_memory => Stop::Memory,
            Exit::Signal(_) | Exit::Unknown if is_near_limit => Stop::Memory,
            _ if OUT_OF_MEMORY.iter().any(|words| errors.contains(words)) => Stop::Memory,
            Exit::Signal(SIGKILL) => Stop::Killed,
            exit => Stop::Exited(exit),
        }
    }

    /// Waits until the program ends, at most this long.
    fn wait_for_end(&mut self, time: Duration) {
        let until = Instant::now() + time;
        while let Life::Running(child) = &mut self.life {
            match child.try_wait() {
                Some(end) => self.life = Life::Ended(end),
                None if Instant::now() >= until => return,
                None => clock::sleep(Duration::from_micros(200)),
            }
        }
    }

    /// The program, while it runs.
    fn running(&self) -> Option<&dyn Child> {
        match &self.life {
            Life::Running(child) => Some(&**child),
            Life::Ended(_) => None,
        }
    }

    fn run_delay(&self) -> Option<Duration> {
        self.running()?.run_delay()
    }

    fn cpu_time(&self) -> Option<Duration> {
        match &self.life {
            Life::Running(child) => child.cpu_time(),
            Life::Ended(end) => Some(end.cpu),
        }
    }
}

/// Whether an error only means to wait for the channel.
fn again(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Life::Running(child) = &mut self.life {
            child.abandon();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::{Nothing, ProcessStatus};
    use std::sync::Mutex;

    /// A program that ends like this after it was asked a few times.
    struct FakeChild {
        is_stopped: bool,
        end: ExitInfo,
        asked_before: usize,
    }

    impl Child for FakeChild {
        fn kill(&mut self) {}

        fn try_wait(&mut self) -> Option<ExitInfo> {
            let asked = self.asked_before.checked_sub(1);
            self.asked_before = asked.unwrap_or_default();
            asked.is_none().then_some(self.end)
        }

        fn wait(&mut self) -> ExitInfo {
            self.end
        }

        fn status(&self) -> ProcessStatus {
            ProcessStatus { threads: 1, is_stopped: self.is_stopped, resident: 0 }
        }

        fn cpu_time(&self) -> Option<Duration> {
            None
        }

        fn run_delay(&self) -> Option<Duration> {
            None
        }
    }

    /// A channel whose first answer comes after these waits of keur, or which is closed.
    struct Fake {
        waits: Mutex<Vec<Duration>>,
        is_closed: bool,
    }

    impl Channel for Fake {
        fn write(&self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.is_closed {
                Ok(0)
            } else if self.waits.lock().unwrap().is_empty() {
                Ok(buffer.len())
            } else {
                Err(ErrorKind::WouldBlock.into())
            }
        }

        fn ready(&self, _: ChannelDirection, _: Duration) -> bool {
            let next = self.waits.lock().unwrap().pop();
            next.inspect(|wait| std::thread::sleep(*wait)).is_none()
        }

        fn has_unread(&self) -> bool {
            false
        }
    }

    /// The end of a program by itself.
    const ENDED: ExitInfo =
        ExitInfo { exit: Exit::Code(0), peak: None, cpu: Duration::ZERO, is_out_of_memory: false };

    /// Reads a byte under a limit of 300 ms, where keur gets to look again after each of `waits`, in
    /// milliseconds.
    fn read(waits: &[u64]) -> Result<(), Stop> {
        read_from(FakeChild { is_stopped: false, end: ENDED, asked_before: 0 }, waits, false)
    }

    fn read_from(child: FakeChild, waits: &[u64], is_closed: bool) -> Result<(), Stop> {
        process_of(child, waits, is_closed, 0).read_exact(&mut [0])
    }

    fn process_of(child: FakeChild, waits: &[u64], is_closed: bool, baseline: u64) -> Process {
        let waits = Mutex::new(waits.iter().map(|ms| Duration::from_millis(*ms)).collect());
        let channel = Box::new(Fake { waits, is_closed });
        let (output, errors) = (Box::new(Nothing), Box::new(Nothing));
        let parts = Parts { child: Box::new(child), channel, output, errors };
        let limits = Limits { wall: Duration::from_millis(300), ..Limits::default() };
        Process::of(parts, &Launch { baseline, ..Launch::new("") }, &limits)
    }

    #[test]
    fn a_program_that_somebody_stopped_is_not_slow() {
        let child = FakeChild { is_stopped: true, end: ENDED, asked_before: 0 };
        assert_eq!(read_from(child, &[10; 60], false), Err(Stop::Suspended));
    }

    #[test]
    fn a_kill_of_a_program_that_needs_much_memory_at_start_is_not_the_memory_limit() {
        let peak = Limits::default().memory;
        let end = ExitInfo { exit: Exit::Signal(SIGKILL), peak: Some(peak), ..ENDED };
        let killed = |baseline: u64| {
            process_of(FakeChild { is_stopped: false, end, asked_before: 0 }, &[], true, baseline)
                .read_exact(&mut [0])
        };
        assert_eq!(killed(peak), Err(Stop::Killed));
        assert_eq!(killed(0), Err(Stop::Memory));
    }

    #[test]
    fn a_program_whose_end_takes_long_on_a_busy_machine_keeps_its_status() {
        // It takes more than a second to ask so often.
        let end = ExitInfo { exit: Exit::Code(0), ..ENDED };
        let child = FakeChild { is_stopped: false, end, asked_before: 6_000 };
        let mut process = process_of(child, &[], true, 0);
        process.meter.limits.wall = Duration::from_secs(10);
        assert_eq!(process.read_exact(&mut [0]), Err(Stop::Exited(Exit::Code(0))));
    }

    #[test]
    fn a_kill_by_the_memory_group_is_the_memory_limit() {
        for (is_out_of_memory, stop) in [(true, Stop::Memory), (false, Stop::Killed)] {
            let end = ExitInfo { exit: Exit::Signal(SIGKILL), is_out_of_memory, ..ENDED };
            assert_eq!(
                read_from(FakeChild { is_stopped: false, end, asked_before: 0 }, &[], true),
                Err(stop)
            );
        }
    }

    #[test]
    fn time_in_which_keur_did_not_run_is_not_the_programs() {
        assert_eq!(read(&[600]), Ok(()));
        assert_eq!(read(&[10; 60]), Err(Stop::Wall));
    }

    #[test]
    fn a_machine_that_stalls_again_and_again_ends_every_case() {
        assert_eq!(read(&[400; 30]), Err(Stop::Wall));
    }
}
