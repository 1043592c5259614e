//! What a search says of a position.

/// The value of a position to the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// The player can force a win, in this many moves of both players.
    Win(u32),
    /// Neither player can force a win.
    Draw,
    /// The opponent can force a win, in this many moves of both players.
    Loss(u32),
    /// The end is not seen; this is an estimate of the value of positions on the way there. A lead of 1000
    /// mostly wins.
    Estimate(i32),
}
