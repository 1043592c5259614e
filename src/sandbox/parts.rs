//! What a running program is made of, whichever system it runs on: the parts that a [`Process`](super::Process) drives.

use super::Exit;
use std::io;
use std::time::Duration;

/// A program that was started, and what it is spoken to and listened to by.
pub(super) struct Parts {
    pub(super) child: Box<dyn Child>,
    pub(super) channel: Box<dyn Channel>,
    /// Its standard output, where that is not its channel.
    pub(super) output: Box<dyn Written>,
    /// Its standard error.
    pub(super) errors: Box<dyn Written>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Death {
    pub(super) exit: Exit,
    /// The most memory that it had in use, in bytes; 0 where the system does not tell.
    pub(super) peak: u64,
    /// Processor time of its whole life; none where the system does not tell.
    pub(super) cpu: Duration,
}

/// A process as the system knows it.
pub(super) trait Child: Send {
    /// Ends it, and what it started as far as the system knows of that.
    fn kill(&mut self);

    /// How it ended: at once if it has, waiting for it when it `must`. Not asked again once it has answered.
    fn wait(&mut self, must: bool) -> Option<Death>;

    /// Ends it; nobody asks how it ended.
    fn abandon(&mut self) {
        self.kill();
        self.wait(true);
    }

    /// Processor time that it has used, where the system tells.
    fn cpu_time(&self) -> Option<Duration>;

    /// Time that it was ready to run and had no processor, where the system tells.
    fn run_delay(&self) -> Duration;

    /// How many threads it has; 0 where the system does not tell.
    fn threads(&self) -> u64 {
        0
    }
}

/// The two directions of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// From the program.
    In,
    /// To the program.
    Out,
}

/// What bytes are exchanged over. No call but `ready` waits: what cannot be had at once is [`io::ErrorKind::WouldBlock`].
pub(super) trait Channel: Send {
    /// Takes bytes to send: how many.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;

    /// Fills `buffer` with bytes that came: how many; 0 when no more will come.
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize>;

    /// Waits until something can be done in this direction, be it to learn that the other side has gone.
    fn ready(&self, way: Way, timeout: Duration) -> bool;

    /// Whether bytes have come that were not read.
    fn has_unread(&self) -> bool;
}

/// What a program has written besides what it says on its channel.
pub(super) trait Written: Send {
    /// Bytes since the last [`clear`](Written::clear).
    fn len(&self) -> u64;

    /// What has come since the last call, up to `most` bytes of it.
    fn take(&mut self, most: u64) -> Vec<u8>;

    /// Begins anew.
    fn clear(&mut self) -> io::Result<()>;
}
