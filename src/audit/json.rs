//! The report of audits as JSON; a test makes its schema. `docs/authoring.md` describes the fields.

use super::matrix::{self, AuditReport, Fate, Proposal};
use keur_core::named::Named;
use keur_core::report::formats::json;
use serde::Serialize;
use std::collections::BTreeMap;
#[cfg(test)]
use {
    schemars::JsonSchema,
    tests::{fate, kind, kinds, verdicts, version},
};

/// The version of the report's format: it rises when a field is removed or changes its meaning.
const VERSION: u64 = 3;

/// The report of audits.
pub fn text(reports: &[AuditReport]) -> String {
    let exercises = reports.iter().map(JsonExercise::of).collect();
    let document = JsonDocument { version: VERSION, keur: env!("CARGO_PKG_VERSION"), exercises };
    // A tree of strings, numbers and lists can always be written.
    json::text(&serde_json::to_value(document).unwrap_or_default())
}

/// An audit of keur.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct JsonDocument<'r> {
    /// The version of this shape
    #[cfg_attr(test, schemars(schema_with = "version"))]
    version: u64,
    /// The version of keur
    keur: &'r str,
    /// One each
    exercises: Vec<JsonExercise<'r>>,
}

/// An exercise.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct JsonExercise<'r> {
    /// Name of the exercise
    name: &'r str,
    /// Title of the exercise
    title: &'r str,
    /// Wrong programs that some case fails
    killed: usize,
    /// Wrong programs that pass every case
    survived: usize,
    /// Programs that are proved equivalent to the right one
    equivalent: usize,
    /// Wrong programs of each kind, by fate
    #[cfg_attr(test, schemars(schema_with = "kinds"))]
    kinds: BTreeMap<&'r str, BTreeMap<&'r str, usize>>,
    /// Cases, in the order of the exercise
    cases: Vec<JsonCase<'r>>,
    /// The wrong programs, survivors first
    programs: Vec<JsonProgram<'r>>,
    /// The names of a few cases that kill as much as all of them, found greedily
    subset: Vec<&'r str>,
    /// Wrong programs that could not be graded
    ungraded: Vec<JsonUngraded<'r>>,
}

/// A case.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct JsonCase<'r> {
    /// Name of the case
    name: &'r str,
    /// Title of the case
    title: &'r str,
    /// Whether it depends on a ruling
    ruling: bool,
    /// Whether it replays random sessions
    random: bool,
    /// Wrong programs that it kills
    kills: usize,
    /// Wrong programs that no other case kills
    kills_alone: usize,
    /// Hints of the case that are shown for no wrong program
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[cfg_attr(test, schemars(with = "Vec<String>"), schemars(default))]
    unshown_hints: &'r [String],
}

/// A wrong program.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct JsonProgram<'r> {
    /// Name of the program
    name: &'r str,
    /// Kind of the program: a mutant by hand, a generic mutant by machine, or a sample
    #[cfg_attr(test, schemars(schema_with = "kind"))]
    kind: &'r str,
    /// The mistake of the program
    what: &'r str,
    /// The file and line of its change, or its path
    place: &'r str,
    /// The program's change: lines that begin with a space, a minus or a plus
    patch: &'r [String],
    /// Whether it breaks a ruling only
    ruling: bool,
    /// Whether cases killed the program; of survivors, `no difference` if no session of a hunt tells it from the right one
    #[cfg_attr(test, schemars(schema_with = "fate"))]
    fate: &'r str,
    /// Why nothing can tell it from the right program; null where it is wrong
    equivalent: Option<&'r str>,
    /// Whether no case reaches the changed statement, as far as that is known
    unreached: bool,
    /// The cases that kill it
    killed_by: Vec<&'r str>,
    /// The verdict of each case that counts for it
    #[cfg_attr(test, schemars(schema_with = "verdicts"))]
    verdicts: BTreeMap<&'r str, &'r str>,
    /// Result of a hunt for a case that kills the program, only where one was made
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "JsonHunt<'_>"))]
    hunt: Option<JsonHunt<'r>>,
}

/// The result of a hunt.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct JsonHunt<'r> {
    /// A case that would kill it, as the text of its file
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    case: Option<&'r str>,
    /// Sessions without a difference
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u64"))]
    sessions: Option<u64>,
    /// Calls of the cases of which no session compared an answer, each as a sentence
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[cfg_attr(test, schemars(with = "Vec<String>"), schemars(default))]
    unreached: &'r [String],
    /// Why there was no hunt
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    why_not: Option<&'r str>,
}

/// A program that could not be graded.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
struct JsonUngraded<'r> {
    /// Name of the case
    name: &'r str,
    /// Why
    why: &'r str,
}

impl<'r> JsonExercise<'r> {
    fn of(report: &'r AuditReport) -> JsonExercise<'r> {
        let name_of = |case: &usize| report.cases[*case].name.as_str();
        let case = |case: &'r matrix::AuditedCase| JsonCase {
            name: &case.name,
            title: &case.title,
            ruling: case.ruling,
            random: case.random,
            kills: case.kills,
            kills_alone: case.alone,
            unshown_hints: &case.unshown_hints,
        };
        let program = |audited: &'r matrix::AuditedProgram| {
            let program = &audited.program;
            let verdicts = report.cases.iter().zip(&audited.verdicts);
            JsonProgram {
                name: &program.name,
                kind: program.kind.name(),
                what: &program.what,
                place: &program.place,
                patch: &program.patch,
                ruling: program.ruling,
                fate: audited.fate().name(),
                equivalent: program.equivalent.as_deref(),
                unreached: audited.unreached,
                killed_by: audited.killed_by.iter().map(name_of).collect(),
                verdicts: verdicts
                    .filter_map(|(case, verdict)| Some((case.name.as_str(), (*verdict)?.name())))
                    .collect(),
                hunt: audited.proposal.as_ref().map(JsonHunt::of),
            }
        };
        JsonExercise {
            name: &report.exercise,
            title: &report.title,
            killed: report.killed(),
            survived: report.survivors().count(),
            equivalent: report.count(Fate::Equivalent),
            kinds: report.kinds().into_iter().map(|(kind, counts)| (kind.name(), by_fate(&counts))).collect(),
            cases: report.cases.iter().map(case).collect(),
            programs: report.programs.iter().map(program).collect(),
            subset: report.subset.iter().map(name_of).collect(),
            ungraded: report.ungraded.iter().map(|(name, why)| JsonUngraded { name, why }).collect(),
        }
    }
}

fn by_fate(counts: &[(Fate, usize)]) -> BTreeMap<&'static str, usize> {
    counts.iter().map(|(fate, count)| (fate.name(), *count)).collect()
}

impl<'r> JsonHunt<'r> {
    fn of(proposal: &'r Proposal) -> JsonHunt<'r> {
        let none = JsonHunt { case: None, sessions: None, unreached: &[], why_not: None };
        match proposal {
            Proposal::Case(text) => JsonHunt { case: Some(text), ..none },
            Proposal::NoDifference { sessions, unreached } => {
                JsonHunt { sessions: Some(*sessions), unreached, ..none }
            }
            Proposal::NotHunted(why) => JsonHunt { why_not: Some(why), ..none },
        }
    }
}

/// The JSON Schema of audits, which `schema/audit.schema.json` has.
#[cfg(test)]
mod tests {
    use super::super::matrix::{Fate, WrongKind};
    use super::{JsonDocument, VERSION};
    use keur_core::compare::Verdict;
    use keur_core::named::Named;
    use schemars::generate::SchemaSettings;
    use schemars::{Schema, SchemaGenerator, json_schema};
    use std::fs;
    use std::path::Path;

    pub(super) fn version(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "const": VERSION })
    }

    pub(super) fn kind(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "enum": WrongKind::NAMES })
    }

    pub(super) fn kinds(_: &mut SchemaGenerator) -> Schema {
        let counts = json_schema!({
            "type": "object",
            "propertyNames": { "enum": Fate::NAMES },
            "additionalProperties": { "type": "integer", "minimum": 0 },
        });
        json_schema!({
            "type": "object",
            "propertyNames": { "enum": WrongKind::NAMES },
            "additionalProperties": counts,
        })
    }

    pub(super) fn fate(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "enum": Fate::NAMES })
    }

    pub(super) fn verdicts(_: &mut SchemaGenerator) -> Schema {
        let verdict = json_schema!({ "enum": Verdict::NAMES });
        json_schema!({ "type": "object", "additionalProperties": verdict })
    }

    #[test]
    fn the_schema_of_an_audit_is_committed() {
        let mut schema = SchemaSettings::draft07()
            .for_serialize()
            .into_generator()
            .into_root_schema_for::<JsonDocument<'_>>();
        schema.insert("title".to_owned(), format!("An audit of keur, version {VERSION}").into());
        let made = serde_json::to_string_pretty(schema.as_value()).unwrap() + "\n";
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/audit.schema.json");
        if std::env::var_os("KEUR_BLESS").is_some() {
            assert!(std::env::var_os("CI").is_none(), "KEUR_BLESS rewrites files: not where CI is set");
            fs::write(&path, &made).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), made, "write it again with KEUR_BLESS=1");
    }
}
