//! A child process: who waits for it, and its times as the system reports them.

use super::spawn;
#[cfg(target_os = "linux")]
use crate::linux::proc;
use crate::parts::{self, ExitInfo};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
#[cfg(target_os = "linux")]
use std::cell::OnceCell;
use std::time::Duration;

/// A running process.
pub(super) struct UnixChild {
    pid: Pid,
    reaper: Reaper,
    #[cfg(target_os = "linux")]
    schedule: OnceCell<proc::Schedule>,
}

/// The process that waits for another one.
enum Reaper {
    /// Keur itself, its parent; with the memory group of the process.
    Own(parts::OwnGroup),
    /// The fork server, its parent.
    #[cfg(target_os = "linux")]
    Server(super::server::ServedChild),
}

impl UnixChild {
    pub(super) fn own(pid: Pid, group: parts::OwnGroup) -> UnixChild {
        UnixChild::new(pid, Reaper::Own(group))
    }

    #[cfg(target_os = "linux")]
    pub(super) fn forked(forked: super::server::ServedChild) -> UnixChild {
        UnixChild::new(forked.pid(), Reaper::Server(forked))
    }

    fn new(pid: Pid, reaper: Reaper) -> UnixChild {
        UnixChild {
            pid,
            reaper,
            #[cfg(target_os = "linux")]
            schedule: OnceCell::new(),
        }
    }
}

impl parts::Child for UnixChild {
    fn kill(&mut self) {
        match &self.reaper {
            Reaper::Own(_) => {
                let _ = kill_process_group(self.pid, Signal::KILL);
                let _ = kill_process(self.pid, Signal::KILL);
            }
            #[cfg(target_os = "linux")]
            Reaper::Server(forked) => forked.kill(),
        }
    }

    fn try_wait(&mut self) -> Option<ExitInfo> {
        match &self.reaper {
            Reaper::Own(group) => spawn::try_wait(self.pid).map(|death| in_group(group, death)),
            #[cfg(target_os = "linux")]
            Reaper::Server(forked) => forked.try_wait(),
        }
    }

    fn wait(&mut self) -> ExitInfo {
        match &self.reaper {
            Reaper::Own(group) => in_group(group, spawn::wait(self.pid)),
            #[cfg(target_os = "linux")]
            Reaper::Server(forked) => forked.wait(),
        }
    }

    fn abandon(&mut self) {
        #[cfg(target_os = "linux")]
        if let Reaper::Server(forked) = &self.reaper {
            return forked.abandon();
        }
        self.kill();
        self.wait();
    }

    fn cpu_time(&self) -> Option<Duration> {
        cpu_time(self.pid)
    }

    #[cfg(target_os = "linux")]
    fn run_delay(&self) -> Option<Duration> {
        self.schedule.get_or_init(|| proc::Schedule::of(self.pid)).run_delay()
    }

    #[cfg(target_os = "linux")]
    fn state(&self) -> parts::RunState {
        proc::state(self.pid)
    }

    #[cfg(target_os = "linux")]
    fn status(&self) -> parts::ProcessStatus {
        proc::status(self.pid)
    }

    #[cfg(target_os = "linux")]
    fn written(&self) -> Option<u64> {
        proc::written(self.pid)
    }

    #[cfg(not(target_os = "linux"))]
    fn run_delay(&self) -> Option<Duration> {
        None
    }
}

/// The end of a process that has this memory group.
fn in_group(group: &parts::OwnGroup, death: ExitInfo) -> ExitInfo {
    ExitInfo { is_out_of_memory: group.as_ref().is_some_and(|group| group.has_killed()), ..death }
}

/// Processor time that a process has used.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the clock of another process has no safe interface")]
fn cpu_time(pid: Pid) -> Option<Duration> {
    // SAFETY: both calls only write to the values at the given addresses.
    unsafe {
        let mut clock = 0;
        let mut time: libc::timespec = std::mem::zeroed();
        if libc::clock_getcpuclockid(pid.as_raw_nonzero().get(), &mut clock) != 0
            || libc::clock_gettime(clock, &mut time) != 0
        {
            return None;
        }
        Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
    }
}

/// Processor time that a process has used. The system counts it in ticks of its clock, which last a
/// nanosecond on Intel processors and longer on others.
#[cfg(target_vendor = "apple")]
#[expect(unsafe_code, reason = "the time of another process has no safe interface")]
#[allow(deprecated, reason = "the ticks of the clock are not worth another dependency")]
fn cpu_time(pid: Pid) -> Option<Duration> {
    // SAFETY: zeros are valid values of both types, the calls only write to them, and the kind names the
    // first.
    let (usage, base) = unsafe {
        let mut usage: libc::rusage_info_v0 = std::mem::zeroed();
        let mut base: libc::mach_timebase_info = std::mem::zeroed();
        let pid = pid.as_raw_nonzero().get();
        if libc::proc_pid_rusage(pid, libc::RUSAGE_INFO_V0, (&raw mut usage).cast()) != 0
            || libc::mach_timebase_info(&mut base) != 0
        {
            return None;
        }
        (usage, base)
    };
    let ticks = u128::from(usage.ri_user_time) + u128::from(usage.ri_system_time);
    let nanoseconds = (ticks * u128::from(base.numer)).checked_div(u128::from(base.denom))?;
    Some(Duration::from_nanos(u64::try_from(nanoseconds).ok()?))
}

/// Unknown here: only the kernel limits processor time, and wall-clock time is limited too.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn cpu_time(_: Pid) -> Option<Duration> {
    None
}
