//! Bytes through a pipe: each end that keur holds has a thread, because a pipe cannot be read without
//! blocking otherwise.
//!
//! `os_pipe` makes pipes, which the standard library does too; none reads one under a limit of bytes.

use crate::lock;
use crate::parts::{Channel, ChannelDirection};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The most bytes that wait on keur's side of a pipe.
pub(super) const MOST: usize = 1 << 20;

/// The most bytes read or written at once.
const CHUNK: usize = 64 << 10;

/// The way in which a thread handles bytes without room for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// The reader waits until there is room, and so does the program.
    Waits,
    /// The reader counts the bytes and drops them.
    Drops,
}

/// The shared state of a thread and its owner.
#[derive(Default)]
struct Flow {
    state: Mutex<PipeState>,
    moved: Condvar,
}

#[derive(Default)]
struct PipeState {
    bytes: VecDeque<u8>,
    /// Bytes received, including dropped ones.
    total: u64,
    /// The other side has gone.
    ended: bool,
    /// Keur wants no more of it.
    closed: bool,
}

impl PipeState {
    /// The place of a run of bytes, the last one if there are several.
    fn place_of(&self, run: &[u8]) -> Option<usize> {
        let last = self.bytes.len().checked_sub(run.len())?;
        (0..=last).rev().find(|&at| run.iter().eq(self.bytes.range(at..at + run.len())))
    }
}

impl Flow {
    /// A panicking thread leaves a valid state: it only ever moves whole runs of bytes.
    fn lock(&self) -> MutexGuard<'_, PipeState> {
        lock(&self.state)
    }

    /// Changes the state, and wakes all waiters.
    fn change<T>(&self, change: impl FnOnce(&mut PipeState) -> T) -> T {
        let changed = change(&mut self.lock());
        self.moved.notify_all();
        changed
    }

    /// Waits while `wanting`, as long as it takes.
    fn wait_while(&self, wanting: impl Fn(&PipeState) -> bool) -> MutexGuard<'_, PipeState> {
        self.moved.wait_while(self.lock(), |state| wanting(state)).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while `wanting`, at most `timeout`; returns whether it no longer is.
    fn wait_within(&self, timeout: Duration, wanting: impl Fn(&PipeState) -> bool) -> bool {
        let waited = self.moved.wait_timeout_while(self.lock(), timeout, |state| wanting(state));
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

/// A program's output, read by a thread as it comes.
pub(crate) struct Inflow {
    flow: Arc<Flow>,
}

impl Inflow {
    /// Continues reading, with room for `most` bytes that are not taken yet.
    pub(crate) fn start(
        mut source: impl Read + Send + 'static,
        most: usize,
        full: Full,
    ) -> io::Result<Inflow> {
        let flow = Arc::new(Flow::default());
        let shared = Arc::clone(&flow);
        thread::Builder::new().name("keur-in".to_owned()).spawn(move || {
            let mut chunk = vec![0; CHUNK];
            loop {
                let count = match source.read(&mut chunk) {
                    Ok(0) => break,
                    Ok(count) => count,
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(_) => break,
                };
                if full == Full::Waits {
                    drop(shared.wait_while(|state| state.bytes.len() >= most && !state.closed));
                }
                let closed = shared.change(|state| {
                    let room = most.saturating_sub(state.bytes.len());
                    let kept = if full == Full::Waits { count } else { count.min(room) };
                    state.bytes.extend(&chunk[..kept]);
                    state.total += count as u64;
                    state.closed
                });
                if closed {
                    break;
                }
            }
            shared.change(|state| state.ended = true);
        })?;
        Ok(Inflow { flow })
    }

    /// Waits until everything has arrived, at most `timeout`.
    pub(crate) fn settle(&self, timeout: Duration) {
        self.flow.wait_within(timeout, |state| !state.ended);
    }

    /// Waits until `mark` has arrived, at most `timeout`, and cuts it out.
    ///
    /// Where nothing more is kept, the mark is not either, and nothing is waited for.
    pub(super) fn cut(&self, mark: &[u8], timeout: Duration) {
        self.flow.wait_within(timeout, |state| {
            !state.ended && state.bytes.len() < MOST && state.place_of(mark).is_none()
        });
        let mut state = self.flow.lock();
        if let Some(at) = state.place_of(mark) {
            state.bytes.drain(at..at + mark.len());
            state.total -= mark.len() as u64;
        }
    }

    /// The number of bytes that have arrived, including dropped ones.
    pub(super) fn total(&self) -> u64 {
        self.flow.lock().total
    }

    /// Takes what has arrived, and keeps the first `most` bytes of it.
    pub(crate) fn take(&self, most: u64) -> Vec<u8> {
        self.flow.change(|state| {
            let mut bytes: Vec<u8> = state.bytes.drain(..).collect();
            bytes.truncate(usize::try_from(most).unwrap_or(usize::MAX));
            bytes
        })
    }

    /// Forgets what has arrived.
    pub(super) fn clear(&self) {
        self.flow.change(|state| {
            state.bytes.clear();
            state.total = 0;
        });
    }
}

impl Drop for Inflow {
    fn drop(&mut self) {
        self.flow.change(|state| state.closed = true);
    }
}

/// Input for a program, written by a thread as the program takes it.
pub(super) struct Outflow {
    flow: Arc<Flow>,
}

impl Outflow {
    pub(super) fn start(mut sink: impl Write + Send + 'static) -> io::Result<Outflow> {
        let flow = Arc::new(Flow::default());
        let shared = Arc::clone(&flow);
        thread::Builder::new().name("keur-out".to_owned()).spawn(move || {
            loop {
                let mut state = shared.wait_while(|state| state.bytes.is_empty() && !state.closed);
                if state.closed {
                    break;
                }
                let count = state.bytes.len().min(CHUNK);
                let chunk: Vec<u8> = state.bytes.drain(..count).collect();
                drop(state);
                shared.moved.notify_all();
                if sink.write_all(&chunk).and_then(|()| sink.flush()).is_err() {
                    break;
                }
            }
            shared.change(|state| state.ended = true);
        })?;
        Ok(Outflow { flow })
    }
}

impl Drop for Outflow {
    fn drop(&mut self) {
        self.flow.change(|state| state.closed = true);
    }
}

/// A pipe in each direction.
pub(super) struct Pipes {
    inflow: Inflow,
    outflow: Outflow,
}

impl Pipes {
    pub(super) fn new(inflow: Inflow, outflow: Outflow) -> Pipes {
        Pipes { inflow, outflow }
    }
}

impl Channel for Pipes {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.outflow.flow.change(|state| {
            if state.ended {
                return Err(ErrorKind::BrokenPipe.into());
            }
            let count = bytes.len().min(MOST.saturating_sub(state.bytes.len()));
            state.bytes.extend(&bytes[..count]);
            if count == 0 { Err(ErrorKind::WouldBlock.into()) } else { Ok(count) }
        })
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inflow.flow.change(|state| {
            if state.bytes.is_empty() {
                return if state.ended { Ok(0) } else { Err(ErrorKind::WouldBlock.into()) };
            }
            state.bytes.read(buffer)
        })
    }

    fn ready(&self, direction: ChannelDirection, timeout: Duration) -> bool {
        match direction {
            ChannelDirection::In => {
                self.inflow.flow.wait_within(timeout, |state| state.bytes.is_empty() && !state.ended)
            }
            ChannelDirection::Out => {
                self.outflow.flow.wait_within(timeout, |state| state.bytes.len() >= MOST && !state.ended)
            }
        }
    }

    fn has_unread(&self) -> bool {
        !self.inflow.flow.lock().bytes.is_empty()
    }
}
