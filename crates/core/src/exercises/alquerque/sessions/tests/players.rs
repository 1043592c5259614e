//! Automatic players, right and wrong: the moves that each thinks best.

use crate::exercises::alquerque::rules::{Board, Move, Outcome, Player};

/// A plain minimax.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searching {
    /// The most moves that it looks ahead, whatever the depth.
    pub(super) most: u32,
    pub(super) leaf: LeafValue,
    pub(super) draw: DrawValue,
    /// Whether it notices at a leaf that the player to move is stuck.
    pub(super) stuck_at_leaves: bool,
    /// Whether it prefers the nearer of two ends.
    pub(super) hurried: bool,
    /// Whether it knows that it can lose.
    pub(super) fears_loss: bool,
    /// Whether it has no move when every move loses.
    pub(super) resigns: bool,
    /// Whether it takes the best for itself at every move, also where the opponent moves.
    pub(super) alone: bool,
}

/// The evaluation of a position at the end of a search.
#[derive(Clone, Copy, Debug)]
pub(super) enum LeafValue {
    /// The balance of pieces, to the player who searches.
    Own,
    /// The same in parts of all pieces.
    Ratio,
    /// The balance, and a little for moves that could be made.
    Mobile,
    /// The balance to the player to move.
    SideToMove,
    /// The balance to white.
    White,
}

/// The value of a draw.
#[derive(Clone, Copy, Debug)]
pub(super) enum DrawValue {
    Nothing,
    Pieces,
    /// The stuck player has lost.
    Lost,
    /// The stuck player has lost, which is worth less than a win at the same time and more than a later one.
    NearlyLost,
    /// The stuck player has lost, if it is the one who searches.
    OwnLost,
    /// The stuck player has won.
    Won,
}

const WON: i32 = 1_000_000;

impl Searching {
    pub(super) const RIGHT: Searching = Searching {
        most: u32::MAX,
        leaf: LeafValue::Own,
        draw: DrawValue::Nothing,
        stuck_at_leaves: true,
        hurried: false,
        fears_loss: true,
        resigns: false,
        alone: false,
    };

    /// The moves that it thinks best, `depth` moves ahead.
    pub(super) fn best(self, board: &Board, depth: u32) -> Vec<Move> {
        let me = board.to_move();
        let depth = depth.min(self.most);
        let mut found: (i32, Vec<Move>) = (i32::MIN, Vec::new());
        for step in board.legal_moves() {
            let mut after = *board;
            after.play(step).unwrap();
            let value = self.value(&after, me, depth - 1);
            if value > found.0 {
                found = (value, Vec::new());
            }
            if value == found.0 {
                found.1.push(step);
            }
        }
        if self.resigns && found.0 <= -WON { Vec::new() } else { found.1 }
    }

    /// The value to `me`.
    fn value(self, board: &Board, me: Player, depth: u32) -> i32 {
        let sign = |player| if player == me { 1 } else { -1 };
        let won = if self.hurried { WON + 2 * depth as i32 } else { WON };
        match board.outcome() {
            Some(Outcome::Win(winner)) if winner == me || self.fears_loss => return sign(winner) * won,
            Some(Outcome::Win(_)) => return 0,
            Some(Outcome::Draw) if depth > 0 || self.stuck_at_leaves => {
                return match self.draw {
                    DrawValue::Nothing => 0,
                    DrawValue::Pieces => self.leaf(board, me),
                    DrawValue::Lost => sign(board.to_move().opponent()) * won,
                    DrawValue::NearlyLost => sign(board.to_move().opponent()) * (won - 1),
                    DrawValue::OwnLost => {
                        if board.to_move() == me {
                            -won
                        } else {
                            0
                        }
                    }
                    DrawValue::Won => sign(board.to_move()) * won,
                };
            }
            Some(Outcome::Draw) | None => {}
        }
        if depth == 0 {
            return self.leaf(board, me);
        }
        let values = board.legal_moves().into_iter().map(|step| {
            let mut after = *board;
            after.play(step).unwrap();
            self.value(&after, me, depth - 1)
        });
        let best = if board.to_move() == me || self.alone { values.max() } else { values.min() };
        best.unwrap()
    }

    fn leaf(self, board: &Board, me: Player) -> i32 {
        let count = |player| board.pieces_of(player).count() as i32;
        let balance = |player: Player| count(player) - count(player.opponent());
        match self.leaf {
            LeafValue::Own => balance(me) * 100,
            LeafValue::Ratio => balance(me) * 10_000 / (count(Player::White) + count(Player::Black)),
            LeafValue::Mobile => {
                let moves = board.legal_moves().len() as i32;
                balance(me) * 100 + if board.to_move() == me { moves } else { -moves }
            }
            LeafValue::SideToMove => balance(board.to_move()) * 100,
            LeafValue::White => balance(Player::White) * 100,
        }
    }
}

/// Searches that are right, as students write them.
pub(super) fn right() -> Vec<Searching> {
    let mut found = Vec::new();
    for leaf in [LeafValue::Own, LeafValue::Ratio, LeafValue::Mobile] {
        for draw in [DrawValue::Nothing, DrawValue::Pieces] {
            for stuck_at_leaves in [false, true] {
                for hurried in [false, true] {
                    found.push(Searching { leaf, draw, stuck_at_leaves, hurried, ..Searching::RIGHT });
                }
            }
        }
    }
    found
}

/// Searches that are wrong at this depth, by what is wrong with them.
pub(super) fn wrong(depth: u32) -> Vec<(&'static str, Searching)> {
    let right = Searching::RIGHT;
    let mut found = vec![
        ("takes a draw for a win", Searching { draw: DrawValue::Lost, hurried: true, ..right }),
        ("takes a draw for a win at any time", Searching { draw: DrawValue::Lost, ..right }),
        (
            "prefers a near draw to a far win",
            Searching { draw: DrawValue::NearlyLost, hurried: true, ..right },
        ),
        ("takes a draw for a loss", Searching { draw: DrawValue::OwnLost, ..right }),
        ("takes a stuck player for the winner", Searching { draw: DrawValue::Won, ..right }),
        ("has no move when it is lost", Searching { resigns: true, ..right }),
        ("does not see that it can lose", Searching { fears_loss: false, ..right }),
        ("scores by the side to move", Searching { leaf: LeafValue::SideToMove, ..right }),
        ("scores as white does", Searching { leaf: LeafValue::White, ..right }),
        ("maximises for both", Searching { alone: true, ..right }),
    ];
    let names = ["looks 1 ahead", "looks 2 ahead", "looks 3 ahead", "looks 4 ahead", "looks 5 ahead"];
    for (name, most) in names.into_iter().zip(1..depth) {
        found.push((name, Searching { most, ..right }));
    }
    found
}
