//! Makes the tables of an earlier version those of this one.

use super::database::Store;
use super::error::{StoreError, damaged};
use super::guard;
use crate::class::reading::received_digest;

/// The tables of version 2, each with the columns that it had and with what its new columns get.
const VERSION_2: [OldTable; 8] = [
    OldTable { name: "student", columns: "name, number, email, due, on_roster, roster_ids", new: "" },
    OldTable {
        name: "submission",
        columns: "student, attempt, folder, original, platform, platform_id, handed_in, marked_late, files, exercise, language, \
                  problem, skipped, read_with",
        // Nothing of it was changed: that keur graded what was handed in.
        new: "files AS received, ",
    },
    OldTable { name: "cases", columns: "exercise, name, place, key, title, points, hidden", new: "" },
    OldTable { name: "judge", columns: "key, language, parts, current", new: "" },
    OldTable { name: "attempt", columns: "id, host, shard, started, finished", new: "" },
    OldTable {
        name: "verdict",
        columns: "files, \"case\", judge, verdict, share, outcome, attempt",
        // It may have been graded more often, and then is graded so again. A pass is read as a strict one,
        // whatever it was: no verdict of this keur counts beside it, since its judge is another keur.
        new: "1 AS gradings, ",
    },
    OldTable {
        name: "conflict",
        columns: "files, \"case\", judge, one_attempt, one_verdict, other_attempt, other_verdict, settled",
        new: "",
    },
    OldTable { name: "by_hand", columns: "student, points, why, at", new: "" },
];

/// A table of an earlier version.
struct OldTable {
    name: &'static str,
    columns: &'static str,
    /// Values of columns that it did not have, for SQL, each with its name and a comma.
    new: &'static str,
}

impl Store {
    /// Makes the tables of version 2 those of version 3, in the transaction around it: rows have checksums,
    /// columns have types, a verdict says how often it was graded, and a submission what was handed in.
    pub(super) fn migrate_from_2(&self) -> Result<(), StoreError> {
        self.batch("DROP VIEW result; DROP VIEW latest;")?;
        for OldTable { name, .. } in &VERSION_2 {
            self.batch(&format!("ALTER TABLE {name} RENAME TO old_{name}"))?;
        }
        self.batch(guard::SCHEMA)?;
        for OldTable { name, columns, new } in &VERSION_2 {
            let names: String = new.split(", ").filter_map(|value| value.split(" AS ").nth(1)).collect();
            let names = if names.is_empty() { names } else { format!("{names}, ") };
            self.batch(&format!(
                "INSERT INTO {name} ({columns}, {names}sum) SELECT {columns}, {new}0 FROM old_{name};
                 DROP TABLE old_{name};"
            ))?;
        }
        self.seal()?;
        let mut taken = self.taken()?;
        for taken in &mut taken {
            taken.received = received_digest(&taken.student, &taken.files, taken.problem.as_deref());
        }
        self.put_taken(&taken)?;
        match self.foreign_row()? {
            None => Ok(()),
            Some(table) => Err(damaged(self.path(), &format!("a row of the table {table} is of no student"))),
        }
    }
}
