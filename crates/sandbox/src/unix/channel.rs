//! A channel of descriptors: a socket, or two pipes.

use crate::parts::{Channel, ChannelDirection};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

/// Keur's ends of the channel to a program.
pub(super) struct Fds {
    reader: OwnedFd,
    writer: OwnedFd,
}

impl Fds {
    pub(super) fn new(reader: OwnedFd, writer: OwnedFd) -> io::Result<Fds> {
        for fd in [&reader, &writer] {
            rustix::io::ioctl_fionbio(fd, true)?;
        }
        Ok(Fds { reader, writer })
    }
}

impl Channel for Fds {
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(&self.writer, bytes)?)
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(&self.reader, buffer)?)
    }

    fn ready(&self, direction: ChannelDirection, timeout: Duration) -> bool {
        let mut fds = match direction {
            ChannelDirection::In => [PollFd::new(&self.reader, PollFlags::IN)],
            ChannelDirection::Out => [PollFd::new(&self.writer, PollFlags::OUT)],
        };
        let timeout =
            Timespec { tv_sec: timeout.as_secs() as i64, tv_nsec: i64::from(timeout.subsec_nanos()) };
        poll(&mut fds, Some(&timeout)).is_ok_and(|ready| ready > 0)
    }

    fn has_unread(&self) -> bool {
        rustix::io::ioctl_fionread(&self.reader).is_ok_and(|waiting| waiting > 0)
    }
}
