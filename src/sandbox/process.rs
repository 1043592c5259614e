//! A program in a process of its own, that bytes are exchanged with under limits.

use super::capture::Capture;
use super::{Exit, Jail, Limits, Stop, spawn};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// How long to wait at the most before the processor time is looked at again.
const LOOK: Duration = Duration::from_millis(100);

/// The shortest wait: a program that is about to reach its limit is not watched more often than this.
const SHORTEST: Duration = Duration::from_millis(2);

/// However busy the machine, a case ends after this many times its limit on the clock.
const MOST_WALLS: u32 = 20;

/// Standard error that is kept for a report, in bytes.
const ERRORS: u64 = 4096;

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
    pid: rustix::process::Pid,
    reaper: Reaper,
    ended: Option<Exit>,
    peak: u64,
    /// Processor time of the whole life of the process; known once it has ended.
    cpu_total: Duration,
    reader: OwnedFd,
    writer: OwnedFd,
    output: Capture,
    errors: Capture,
    meter: Meter,
}

/// Who waits for a process.
enum Reaper {
    /// Keur itself: it is its child.
    Own,
    /// The fork server that it is a child of.
    #[cfg(target_os = "linux")]
    Server(super::server::Forked),
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
        let (output, errors) = (Capture::new()?, Capture::new()?);
        let (ours, theirs) = match launch.transport {
            Transport::Socket => {
                let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
                (Some(OwnedFd::from(ours)), Some(OwnedFd::from(theirs)))
            }
            Transport::Pipes => (None, None),
        };
        let mut command = spawn::command(launch, limits, theirs)?;
        command.args(&launch.args).envs(launch.env.iter().map(|(key, value)| (key, value)));
        command.stderr(Stdio::from(errors.fd().try_clone_to_owned()?));
        match launch.transport {
            Transport::Socket => {
                command.stdin(Stdio::null()).stdout(Stdio::from(output.fd().try_clone_to_owned()?));
            }
            Transport::Pipes => {
                command.stdin(Stdio::piped()).stdout(Stdio::piped());
            }
        }
        let mut child = command.spawn().map_err(spawn::error)?;
        // With it goes our copy of the program's end of the socket.
        drop(command);
        let (reader, writer) = match (ours, child.stdin.take(), child.stdout.take()) {
            (Some(ours), _, _) => (ours.try_clone()?, ours),
            (None, Some(stdin), Some(stdout)) => (OwnedFd::from(stdout), OwnedFd::from(stdin)),
            (None, _, _) => return Err(io::Error::other("the program has no pipes")),
        };
        let pid = rustix::process::Pid::from_child(&child);
        Process::new(pid, Reaper::Own, (reader, writer), (output, errors), limits)
    }

    /// A process that a fork server started for a case.
    ///
    /// # Errors
    /// The server does not answer; that is no fault of a submission.
    #[cfg(target_os = "linux")]
    pub fn fork(
        server: &super::server::ForkServer,
        preload: &[String],
        limits: &Limits,
    ) -> io::Result<Process> {
        let (output, errors) = (Capture::new()?, Capture::new()?);
        let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        let forked = server.fork(preload, limits, [theirs.as_fd(), output.fd(), errors.fd()])?;
        let ours = OwnedFd::from(ours);
        let reader = ours.try_clone()?;
        Process::new(forked.pid(), Reaper::Server(forked), (reader, ours), (output, errors), limits)
    }

    fn new(
        pid: rustix::process::Pid,
        reaper: Reaper,
        (reader, writer): (OwnedFd, OwnedFd),
        (output, errors): (Capture, Capture),
        limits: &Limits,
    ) -> io::Result<Process> {
        for fd in [&reader, &writer] {
            rustix::io::ioctl_fionbio(fd, true)?;
        }
        let meter = Meter {
            limits: limits.clone(),
            began: Instant::now(),
            cpu_before: Duration::ZERO,
            delay_before: Duration::ZERO,
        };
        Ok(Process {
            pid,
            reaper,
            ended: None,
            peak: 0,
            cpu_total: Duration::ZERO,
            reader,
            writer,
            output,
            errors,
            meter,
        })
    }

    /// Starts the meters of another case in the same process.
    ///
    /// # Errors
    /// The output of the case before cannot be cleared away.
    pub fn begin(&mut self, limits: &Limits) -> io::Result<()> {
        self.output.clear()?;
        self.errors.clear()?;
        let cpu_before = self.cpu_time().unwrap_or_default();
        let delay_before = self.run_delay();
        self.meter = Meter { limits: limits.clone(), began: Instant::now(), cpu_before, delay_before };
        Ok(())
    }

    /// Sends bytes.
    ///
    /// # Errors
    /// What stopped the program before it took them all.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), Stop> {
        while !bytes.is_empty() {
            match rustix::io::write(&self.writer, bytes) {
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(Errno::AGAIN | Errno::INTR) => self.wait(PollFlags::OUT)?,
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
            match rustix::io::read(&self.reader, &mut *buffer) {
                Ok(0) => return Err(self.stopped()),
                Ok(count) => buffer = buffer.get_mut(count..).unwrap_or_default(),
                Err(Errno::AGAIN | Errno::INTR) => self.wait(PollFlags::IN)?,
                Err(_) => return Err(self.stopped()),
            }
        }
        Ok(())
    }

    /// Whether bytes have come that nobody asked for.
    pub fn has_unread(&self) -> bool {
        let mut fds = [PollFd::new(&self.reader, PollFlags::IN)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut fds, Some(&now)).is_ok_and(|ready| ready > 0)
            && fds[0].revents().contains(PollFlags::IN)
            && !self.at_end()
    }

    /// What the program has written to its output since the last call.
    pub fn take_output(&mut self) -> Vec<u8> {
        self.output.take(self.meter.limits.output)
    }

    /// The beginning of what the program has written to its standard error since the last call.
    pub fn take_errors(&mut self) -> Vec<u8> {
        self.errors.take(ERRORS)
    }

    /// Whether the program has written as much as it may.
    pub fn output_is_full(&self) -> bool {
        let limit = self.meter.limits.output;
        self.output.len() >= limit || self.errors.len() >= limit
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
        match &self.reaper {
            Reaper::Own => {
                let _ = rustix::process::kill_process_group(self.pid, rustix::process::Signal::KILL);
                let _ = rustix::process::kill_process(self.pid, rustix::process::Signal::KILL);
            }
            #[cfg(target_os = "linux")]
            Reaper::Server(forked) => forked.kill(),
        }
        self.reap(true);
    }

    fn at_end(&self) -> bool {
        let mut byte = [0];
        // Looking does not take; only a socket can be looked at, and a pipe that has bytes is not at its end.
        matches!(rustix::net::recv(&self.reader, &mut byte, rustix::net::RecvFlags::PEEK), Ok((0, _)))
    }

    /// Waits until the program is ready, or has used up what it may.
    fn wait(&mut self, what: PollFlags) -> Result<(), Stop> {
        loop {
            let wall = self.meter.limits.wall.saturating_sub(self.meter.began.elapsed());
            let wall = if wall.is_zero() { self.owed() } else { wall };
            if wall.is_zero() {
                self.kill();
                return Err(Stop::Wall);
            }
            let cpu = self.meter.limits.cpu.saturating_sub(self.cpu_used());
            if cpu.is_zero() {
                self.kill();
                return Err(Stop::Cpu);
            }
            if self.output_is_full() && what == PollFlags::IN {
                // It may still answer within a moment; what counts is that it wrote too much.
                if self.ready(what, SHORTEST) {
                    return Ok(());
                }
                self.kill();
                return Err(Stop::Output);
            }
            if self.ready(what, wall.min(cpu.max(SHORTEST)).min(LOOK)) {
                return Ok(());
            }
        }
    }

    /// Time on the clock that is left although the limit is over: what the program spent waiting for a processor is
    /// not its own, up to a limit that ends every case.
    fn owed(&self) -> Duration {
        let elapsed = self.meter.began.elapsed();
        if elapsed >= self.meter.limits.wall * MOST_WALLS {
            return Duration::ZERO;
        }
        let delayed = self.run_delay().saturating_sub(self.meter.delay_before);
        (self.meter.limits.wall + delayed).saturating_sub(elapsed)
    }

    /// Time that the program was ready to run and had no processor, where the system tells.
    fn run_delay(&self) -> Duration {
        let path = format!("/proc/{}/schedstat", self.pid.as_raw_nonzero());
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let delay = text.split_whitespace().nth(1).and_then(|nanoseconds| nanoseconds.parse().ok());
        Duration::from_nanos(delay.unwrap_or(0))
    }

    fn ready(&self, what: PollFlags, timeout: Duration) -> bool {
        let fd: BorrowedFd<'_> =
            if what == PollFlags::OUT { self.writer.as_fd() } else { self.reader.as_fd() };
        let mut fds = [PollFd::from_borrowed_fd(fd, what)];
        let timeout =
            Timespec { tv_sec: timeout.as_secs() as i64, tv_nsec: i64::from(timeout.subsec_nanos()) };
        poll(&mut fds, Some(&timeout)).is_ok_and(|ready| ready > 0)
    }

    /// Why the program no longer speaks.
    fn stopped(&mut self) -> Stop {
        let full = self.output_is_full();
        // Whoever closes the channel but lives on is ended; whoever ended by itself keeps its own status.
        if !self.ends_within(Duration::from_millis(200)) {
            self.kill();
            return Stop::Exited(Exit::Signal(0));
        }
        let exit = self.ended.unwrap_or(Exit::Signal(0));
        let memory = self.meter.limits.memory;
        let said = String::from_utf8_lossy(&self.errors.take(ERRORS)).into_owned();
        match exit {
            Exit::Signal(libc::SIGXCPU) => Stop::Cpu,
            Exit::Signal(libc::SIGXFSZ) => Stop::Output,
            _ if full => Stop::Output,
            Exit::Signal(libc::SIGKILL) if self.cpu_used() >= self.meter.limits.cpu => Stop::Cpu,
            Exit::Signal(_) if self.peak >= memory / 10 * 9 => Stop::Memory,
            Exit::Signal(_) | Exit::Code(_)
                if said.contains("out of memory") || said.contains("bad_alloc") =>
            {
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
        let death = match &self.reaper {
            Reaper::Own => spawn::wait(self.pid, must),
            #[cfg(target_os = "linux")]
            Reaper::Server(forked) => forked.wait(must),
        };
        if let Some(death) = death {
            (self.ended, self.peak, self.cpu_total) = (Some(death.exit), death.peak, death.cpu);
        }
    }

    #[expect(unsafe_code, reason = "the clock of another process has no safe interface")]
    fn cpu_time(&self) -> Option<Duration> {
        if self.ended.is_some() {
            return Some(self.cpu_total);
        }
        // SAFETY: both calls only write to the values whose addresses they are given.
        unsafe {
            let mut clock = 0;
            let mut time: libc::timespec = std::mem::zeroed();
            if libc::clock_getcpuclockid(self.pid.as_raw_nonzero().get(), &mut clock) != 0
                || libc::clock_gettime(clock, &mut time) != 0
            {
                return None;
            }
            Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
