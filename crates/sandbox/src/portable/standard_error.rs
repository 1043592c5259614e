//! The standard error of a child.

use super::flow::{self, Full, Inflow};
use crate::lock;
use crate::parts::Written;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, PipeWriter, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The most time to wait for what a child wrote before its reply.
const ARRIVAL: Duration = Duration::from_secs(5);

/// What a child writes to its standard error, read by a thread.
///
/// When a reply has come, the thread may not yet have read what the child wrote before it. So keur keeps an end
/// of the same pipe: it writes a mark there and waits until the thread has read that, and with it all that came before.
pub(super) struct StandardError {
    inflow: Inflow,
    /// The end for marks, until the child has ended.
    marks: Mutex<Option<PipeWriter>>,
}

impl StandardError {
    /// Begins to read, and returns the end that the child writes to, too.
    pub(super) fn start() -> io::Result<(StandardError, PipeWriter)> {
        let (reader, writer) = io::pipe()?;
        let marks = Mutex::new(Some(writer.try_clone()?));
        Ok((StandardError { inflow: Inflow::start(reader, flow::MOST, Full::Drops)?, marks }, writer))
    }

    /// Waits until everything that a child wrote before its end has arrived, at most `timeout`.
    pub(super) fn settle(&self, timeout: Duration) {
        *lock(&self.marks) = None;
        self.inflow.settle(timeout);
    }

    /// Waits until everything that the child wrote before now has arrived.
    fn arrive(&self) {
        let Some(marks) = &mut *lock(&self.marks) else { return };
        let mark = mark();
        if marks.write_all(&mark).is_ok() {
            self.inflow.cut(&mark, ARRIVAL);
        }
    }
}

/// Bytes that no program writes by chance, and that none can foresee.
fn mark() -> [u8; 16] {
    let random = || RandomState::new().hash_one(0_u8).to_ne_bytes();
    let mut mark = [0; 16];
    mark[..8].copy_from_slice(&random());
    mark[8..].copy_from_slice(&random());
    mark
}

impl Written for Arc<StandardError> {
    fn len(&self) -> u64 {
        self.inflow.total()
    }

    fn take(&mut self, most: u64) -> Vec<u8> {
        self.arrive();
        self.inflow.take(most)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.arrive();
        self.inflow.clear();
        Ok(())
    }
}
