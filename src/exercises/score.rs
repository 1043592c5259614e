//! What a search says of a position.

/// The value of a position to the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// The player can force a win: in this many moves of both players, if the search has seen the end.
    Win(Option<u32>),
    /// Neither player can force a win.
    Draw,
    /// The opponent can force a win: in this many moves of both players, if the search has seen the end.
    Loss(Option<u32>),
    /// The end is not seen; this is an estimate of the value of positions on the way there. A lead of 1000 mostly wins.
    Estimate(i32),
}
