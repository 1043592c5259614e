//! What `/proc` tells about a process (proc_pid_stat(5); `schedstat` is in the kernel's `sched-stats.rst`).
//! `procfs` would read more of them than is asked for, and not keep one open.

use crate::parts::{ProcessStatus, RunState};
use rustix::process::Pid;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// The scheduler's account of a process, which stays open: it is read for each run.
#[derive(Debug)]
pub(crate) struct Schedule(Option<File>);

impl Schedule {
    pub(crate) fn of(pid: Pid) -> Schedule {
        Schedule(File::open(format!("/proc/{}/schedstat", pid.as_raw_nonzero())).ok())
    }

    /// Time that the process waited for a processor; `None` where the kernel does not count it.
    pub(crate) fn run_delay(&self) -> Option<Duration> {
        let mut text = [0; 64];
        let read = self.0.as_ref().map(|file| file.read_at(&mut text, 0));
        let text = std::str::from_utf8(&text[..read.and_then(Result::ok).unwrap_or(0)]).unwrap_or_default();
        text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
    }
}

/// The threads of a process, whether it is stopped, and its resident memory.
pub(crate) fn status(pid: Pid) -> ProcessStatus {
    let text = read(&format!("{}/stat", pid.as_raw_nonzero()));
    let mut fields = fields(&text);
    let is_stopped = matches!(fields.next(), Some("T" | "t"));
    let mut number = |at| fields.nth(at).and_then(|count| count.parse().ok()).unwrap_or(0);
    // The third field is the state; the threads are the 20th, and the resident pages the 24th.
    let (threads, pages): (u64, u64) = (number(16), number(3));
    ProcessStatus { threads, is_stopped, resident: pages * rustix::param::page_size() as u64 }
}

/// Bytes that a process has written; `None` where another user may not see it.
pub(crate) fn written(pid: Pid) -> Option<u64> {
    let text = read(&format!("{}/io", pid.as_raw_nonzero()));
    text.lines().find_map(|line| line.strip_prefix("wchar:"))?.trim().parse().ok()
}

/// The state of a process's threads: asleep if all are.
pub(crate) fn state(pid: Pid) -> RunState {
    let threads = std::fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).into_iter().flatten();
    let mut states = RunState::Asleep;
    for thread in threads.flatten() {
        let text = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        match fields(&text).next() {
            Some("R") => return RunState::Runnable,
            Some("D") => states = RunState::Held,
            _ => {}
        }
    }
    states
}

/// Whether a process of this group still runs. One that has ended and waits for its parent does not; its
/// leader may have ended before its other threads.
pub(crate) fn group_runs(group: Pid) -> bool {
    members(group).any(|text| {
        let mut fields = fields(&text);
        let has_ended = matches!(fields.next(), Some("Z" | "X")) && matches!(fields.nth(16), Some("0" | "1"));
        !has_ended
    })
}

/// Whether a process of this group is stopped.
pub(crate) fn group_is_stopped(group: Pid) -> bool {
    members(group).any(|text| matches!(fields(&text).next(), Some("T" | "t")))
}

/// The `stat` of each process of a group.
fn members(group: Pid) -> impl Iterator<Item = String> {
    let group = group.as_raw_nonzero().to_string();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let all = processes.filter_map(|process| std::fs::read_to_string(process.path().join("stat")).ok());
    all.filter(move |text| fields(text).nth(2) == Some(&group))
}

fn read(file: &str) -> String {
    std::fs::read_to_string(format!("/proc/{file}")).unwrap_or_default()
}

/// The fields of `stat` from the third on. The program's name before them is in brackets and may contain
/// anything.
fn fields(stat: &str) -> impl Iterator<Item = &str> {
    stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace()
}
