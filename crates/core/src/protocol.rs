//! The frames of the protocol, `length | nonce | payload`, for the side of keur and for those that answer.

/// The version of the protocol.
pub const VERSION: u64 = 1;

/// Bytes before a frame's payload: its length (4, little endian) and its nonce (8).
pub const HEADER: usize = 12;

/// The largest payload of a reply, in bytes.
pub const MOST_REPLY: usize = 4 << 20;

/// The largest payload of a reply to `load`, which may have the submission's compiled code, in bytes.
pub const MOST_LOADED: usize = 16 << 20;

/// A frame around `payload`.
pub fn frame(nonce: [u8; 8], payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    let mut frame = Vec::with_capacity(HEADER + payload.len());
    frame.extend_from_slice(&length.to_le_bytes());
    frame.extend_from_slice(&nonce);
    frame.extend_from_slice(payload);
    frame
}

/// The payload length and the nonce of a frame's header.
pub fn header(bytes: [u8; HEADER]) -> (usize, [u8; 8]) {
    let [a, b, c, d, nonce @ ..] = bytes;
    (u32::from_le_bytes([a, b, c, d]) as usize, nonce)
}
