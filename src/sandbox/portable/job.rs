//! A Windows job: it holds a process and everything that it starts to a limit of memory, and ends them together.

use std::io;
use std::mem::size_of;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::process::Child;
use std::ptr::null;
use std::time::Duration;
use windows_sys::Win32::Foundation::FALSE;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
    JOB_OBJECT_LIMIT_JOB_MEMORY, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_BASIC_ACCOUNTING_INFORMATION,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JOBOBJECTINFOCLASS, JobObjectBasicAccountingInformation,
    JobObjectExtendedLimitInformation, QueryInformationJobObject, SetInformationJobObject,
    TerminateJobObject,
};

/// The status that processes end with when their job ends them.
const ENDED: u32 = 1;

/// The job of one program. When it is dropped, what is left in it ends.
pub(super) struct Job {
    handle: OwnedHandle,
}

impl Job {
    /// Puts a child into a job of its own, with this much memory.
    pub(super) fn of(child: &Child, memory: u64) -> io::Result<Job> {
        let job = Job::new()?;
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        // Nor is a crashed program kept waiting by a window that asks what to do.
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
            | JOB_OBJECT_LIMIT_JOB_MEMORY
            | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        limits.JobMemoryLimit = usize::try_from(memory).unwrap_or(usize::MAX);
        job.limit(&limits)?;
        job.take(child)?;
        Ok(job)
    }

    #[expect(unsafe_code, reason = "jobs have no safe interface")]
    fn new() -> io::Result<Job> {
        // SAFETY: both arguments may be null; a handle that is returned is owned by nobody else.
        unsafe {
            let handle = CreateJobObjectW(null(), null());
            if handle.is_null() {
                return Err(io::Error::last_os_error());
            }
            Ok(Job { handle: OwnedHandle::from_raw_handle(handle) })
        }
    }

    #[expect(unsafe_code, reason = "jobs have no safe interface")]
    fn limit(&self, limits: &JOBOBJECT_EXTENDED_LIMIT_INFORMATION) -> io::Result<()> {
        let size = size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32;
        // SAFETY: the handle is open, and the value is of the type and size that its class names.
        let done = unsafe {
            let limits: *const JOBOBJECT_EXTENDED_LIMIT_INFORMATION = limits;
            let job = self.handle.as_raw_handle();
            SetInformationJobObject(job, JobObjectExtendedLimitInformation, limits.cast(), size)
        };
        if done == FALSE { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    #[expect(unsafe_code, reason = "jobs have no safe interface")]
    fn take(&self, child: &Child) -> io::Result<()> {
        // SAFETY: both handles are open.
        let done = unsafe { AssignProcessToJobObject(self.handle.as_raw_handle(), child.as_raw_handle()) };
        if done == FALSE { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// Ends every process in it.
    #[expect(unsafe_code, reason = "jobs have no safe interface")]
    pub(super) fn end(&self) {
        // SAFETY: the handle is open.
        unsafe { TerminateJobObject(self.handle.as_raw_handle(), ENDED) };
    }

    /// Processor time of all its processes, also of those that have ended.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        let used: JOBOBJECT_BASIC_ACCOUNTING_INFORMATION = self.ask(JobObjectBasicAccountingInformation)?;
        // In steps of 100 nanoseconds.
        let steps = u64::try_from(used.TotalUserTime.checked_add(used.TotalKernelTime)?).ok()?;
        Some(Duration::from_nanos(steps.checked_mul(100)?))
    }

    /// The most memory that its processes had in use together, in bytes.
    pub(super) fn peak(&self) -> u64 {
        let limits: Option<JOBOBJECT_EXTENDED_LIMIT_INFORMATION> =
            self.ask(JobObjectExtendedLimitInformation);
        limits.map_or(0, |limits| limits.PeakJobMemoryUsed as u64)
    }

    /// What is known of the job; `T` is the type that `class` is answered with.
    #[expect(unsafe_code, reason = "jobs have no safe interface")]
    fn ask<T: Default + Copy>(&self, class: JOBOBJECTINFOCLASS) -> Option<T> {
        let mut answer = T::default();
        // SAFETY: the handle is open; the system writes no more than the size that it is told, and any bytes that it
        // writes there are a valid value of the plain structures of numbers that this is called with.
        let done = unsafe {
            QueryInformationJobObject(
                self.handle.as_raw_handle(),
                class,
                (&raw mut answer).cast(),
                size_of::<T>() as u32,
                std::ptr::null_mut(),
            )
        };
        (done != FALSE).then_some(answer)
    }
}
