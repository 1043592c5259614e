//! Mistakes in a match of several games.

use crate::messages::Message;

/// A mistake in a match of several games.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum MatchMistake {
    /// Too many games of the match were lost.
    GamesLost {
        /// The games played.
        games: u32,
        /// The games lost.
        lost: u32,
    },
    /// Too few games of the match were won.
    Games {
        /// The games played.
        games: u32,
        /// The wins required.
        needed: u32,
        /// The games won.
        got: u32,
    },
    /// After a player chose a move, the board is not the reference's own: the player changed it, or a move before.
    Changed,
}

#[warn(clippy::wildcard_enum_match_arm)]
impl MatchMistake {
    pub(super) fn message(&self) -> Message {
        match self {
            MatchMistake::GamesLost { games, lost } => {
                Message::new("mistake-games-lost").with("games", games).with("lost", lost)
            }
            MatchMistake::Games { games, needed, got } => {
                Message::new("mistake-games-won").with("games", games).with("needed", needed).with("got", got)
            }
            MatchMistake::Changed => Message::new("mistake-changed"),
        }
    }
}
