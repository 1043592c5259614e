//! A child process, based on the standard library.

#[cfg(windows)]
use super::job::JobObject;
use super::standard_error::StandardError;
use crate::launch::Launch;
#[cfg(target_os = "linux")]
use crate::parts::RunState;
use crate::parts::{Child, ExitInfo};
use crate::{Exit, Limits};
use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

/// The time to wait for final output after a process ends: a process that it started may hold the pipe.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A child of keur.
pub(super) struct Own {
    child: std::process::Child,
    /// The child's standard error.
    errors: Option<Arc<StandardError>>,
    #[cfg(windows)]
    job: Option<JobObject>,
}

impl Own {
    /// Takes over a child, and limits it as far as the system can.
    pub(super) fn new(child: std::process::Child, launch: &Launch, limits: &Limits) -> io::Result<Own> {
        #[cfg(windows)]
        {
            let mut own = Own { child, errors: None, job: None };
            // It has only started: a driver waits for a request.
            match JobObject::of(&own.child, limits.memory.saturating_add(launch.baseline)) {
                Ok(job) => own.job = Some(job),
                // A child that has ended cannot join a job; how it ended is reported.
                Err(_) if own.child.try_wait()?.is_some() => {}
                Err(error) => return Err(error),
            }
            Ok(own)
        }
        #[cfg(not(windows))]
        {
            let _ = (launch, limits);
            Ok(Own { child, errors: None })
        }
    }

    /// Reports the end only after all output of the process has arrived.
    pub(super) fn waits_for(&mut self, errors: Arc<StandardError>) {
        self.errors = Some(errors);
    }

    /// The peak memory, in bytes, if the system reports it.
    fn peak(&self) -> Option<u64> {
        #[cfg(windows)]
        return self.job.as_ref()?.peak();
        #[cfg(not(windows))]
        None
    }

    fn death(&self, status: io::Result<ExitStatus>) -> ExitInfo {
        if let Some(errors) = &self.errors {
            errors.settle(LAST_WORDS);
        }
        let code = status.ok().and_then(|status| status.code());
        ExitInfo {
            exit: code.map_or(Exit::Unknown, Exit::Code),
            peak: self.peak(),
            cpu: self.cpu_time().unwrap_or_default(),
            is_out_of_memory: false,
        }
    }
}

impl Child for Own {
    fn kill(&mut self) {
        #[cfg(windows)]
        if let Some(job) = &self.job {
            job.end();
        }
        let _ = self.child.kill();
    }

    fn try_wait(&mut self) -> Option<ExitInfo> {
        let status = self.child.try_wait().transpose()?;
        Some(self.death(status))
    }

    fn wait(&mut self) -> ExitInfo {
        let status = self.child.wait();
        self.death(status)
    }

    fn cpu_time(&self) -> Option<Duration> {
        #[cfg(windows)]
        return self.job.as_ref().and_then(JobObject::cpu_time);
        #[cfg(not(windows))]
        None
    }

    fn run_delay(&self) -> Option<Duration> {
        None
    }

    #[cfg(target_os = "linux")]
    fn state(&self) -> RunState {
        crate::linux::proc::state(rustix::process::Pid::from_child(&self.child))
    }
}

impl Drop for Own {
    /// A child that never became a process is not left running.
    fn drop(&mut self) {
        if self.child.try_wait().is_ok_and(|status| status.is_none()) {
            self.kill();
            let _ = self.child.wait();
        }
    }
}
