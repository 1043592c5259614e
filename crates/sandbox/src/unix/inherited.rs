//! The socket that a program is started with.

use std::os::fd::{FromRawFd, OwnedFd, RawFd};

/// The number of its descriptor in the program.
pub(crate) const SOCKET_FD: RawFd = 3;

/// Takes ownership of the socket that a program is started with.
#[expect(unsafe_code, reason = "takes charge of a descriptor that the program was started with")]
pub fn inherited_socket() -> OwnedFd {
    // SAFETY: a program that speaks by a socket is started with it at this number, and asks for it once.
    unsafe { OwnedFd::from_raw_fd(SOCKET_FD) }
}
