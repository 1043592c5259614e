//! A Windows job: limits the memory of a process and everything that it starts, and ends them together.
//! `win32job` would bring `windows` beside `windows-sys`.

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

/// The exit status of processes that their job ends.
const ENDED: u32 = 1;

/// The job of one program. Dropping it ends what is left in it.
pub(super) struct JobObject {
    handle: OwnedHandle,
}

impl JobObject {
    /// Puts a child into a new job with this much memory.
    pub(super) fn of(child: &Child, memory: u64) -> io::Result<JobObject> {
        let job = JobObject::new()?;
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        // Also, a crashed program must not wait for a dialog window.
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
            | JOB_OBJECT_LIMIT_JOB_MEMORY
            | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        limits.JobMemoryLimit = usize::try_from(memory).unwrap_or(usize::MAX);
        job.limit(&limits)?;
        job.take(child)?;
        Ok(job)
    }

    #[expect(unsafe_code, reason = "jobs have no safe interface")]
    fn new() -> io::Result<JobObject> {
        // SAFETY: both arguments may be null; a handle that is returned is owned by nobody else.
        unsafe {
            let handle = CreateJobObjectW(null(), null());
            if handle.is_null() {
                return Err(io::Error::last_os_error());
            }
            Ok(JobObject { handle: OwnedHandle::from_raw_handle(handle) })
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

    /// The peak memory of its processes together, in bytes.
    pub(super) fn peak(&self) -> Option<u64> {
        let limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = self.ask(JobObjectExtendedLimitInformation)?;
        Some(limits.PeakJobMemoryUsed as u64)
    }

    /// Queries the job; `T` is the type of the answer to `class`.
    #[expect(unsafe_code, reason = "jobs have no safe interface")]
    fn ask<T: Default + Copy>(&self, class: JOBOBJECTINFOCLASS) -> Option<T> {
        let mut answer = T::default();
        // SAFETY: the handle is open; the system writes no more than the given size, and any bytes that it
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
