//! The tables of `schema.sql` for the code that reads and writes their rows.

/// A table with rows that have a checksum.
#[derive(Debug)]
pub(super) struct Table {
    /// The name.
    pub(super) name: &'static str,
    /// The columns in SQL, in the order of the schema, without the checksum.
    pub(super) columns: &'static [&'static str],
    /// How many of them, from the first one, name a row.
    pub(super) key: usize,
    /// The rows that are tallied together.
    pub(super) tally: TallyBy,
}

/// The rows of a table that are tallied together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TallyBy {
    /// All of them, which are read together.
    Table,
    /// By the first column, as the verdicts of a submission are read alone.
    First,
}

/// The name of the table of verdicts.
pub(in crate::class) const VERDICTS: &str = "verdict";

/// All tables with rows that have a checksum. The verdicts are the last: the others are sound where damage is
/// found in them.
pub(super) const TABLES: [&Table; 8] =
    [&ATTEMPT, &BY_HAND, &CASES, &CONFLICT, &JUDGE, &STUDENT, &SUBMISSION, &VERDICT];

pub(super) const STUDENT: Table = Table {
    name: "student",
    columns: &["name", "last_name", "number", "email", "due", "on_roster", "roster_ids"],
    key: 1,
    tally: TallyBy::Table,
};

pub(super) const SUBMISSION: Table = Table {
    name: "submission",
    columns: &[
        "student", "attempt", "folder", "original", "platform", "platform_id", "handed_in", "marked_late",
        "files", "received", "chosen", "exercise", "language", "problem", "skipped", "read_with",
    ],
    key: 2,
    tally: TallyBy::Table,
};

pub(super) const CASES: Table = Table {
    name: "cases",
    columns: &["exercise", "name", "place", "key", "title", "points", "hidden"],
    key: 2,
    tally: TallyBy::Table,
};

pub(super) const JUDGE: Table =
    Table { name: "judge", columns: &["key", "language", "parts", "current"], key: 1, tally: TallyBy::Table };

pub(super) const ATTEMPT: Table = Table {
    name: "attempt",
    columns: &["id", "host", "shard", "started", "finished"],
    key: 1,
    tally: TallyBy::Table,
};

pub(super) const VERDICT: Table = Table {
    name: VERDICTS,
    columns: &["files", "\"case\"", "judge", "verdict", "share", "outcome", "gradings", "attempt"],
    key: 3,
    tally: TallyBy::First,
};

pub(super) const CONFLICT: Table = Table {
    name: "conflict",
    columns: &[
        "files", "\"case\"", "judge", "one_attempt", "one_verdict", "other_attempt", "other_verdict",
        "settled",
    ],
    key: 3,
    tally: TallyBy::Table,
};

pub(super) const BY_HAND: Table =
    Table { name: "by_hand", columns: &["student", "points", "why", "at"], key: 1, tally: TallyBy::Table };

impl Table {
    /// The columns, to select or insert them.
    pub(super) fn all(&self) -> String {
        self.columns.join(", ")
    }

    /// The condition that a row has a key.
    pub(super) fn has_key(&self) -> String {
        let parts: Vec<String> =
            self.columns.iter().take(self.key).map(|name| format!("{name} = ?")).collect();
        parts.join(" AND ")
    }
}
