//! The digest of a case: an input of each verdict, besides the submission.
//!
//! In it is all that can change the verdict or the finding. Names, titles, hints, points, weights, groups and
//! the order stay out, so that a change of those grades nothing again.
//!
//! Parts of the case and of the exercise enter as `Debug` writes them. So the names of their types and fields
//! belong to the databases of classes: a change of one would grade every case again, and the test that reports
//! a class of an earlier keur fails. Who renames one writes the old form by hand, as [`written`] does for plans.

use super::digest::{KeyDigest, digest};
use keur_core::case::{
    Action, Calls, Case, CustomCheck, Exercise, ExerciseReference, Expect, LimitsPatch, Loaded, Matcher,
    Plan, PlanStep, TextMatcher,
};
use keur_core::judge::{has_reference_values, limits};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use walkdir::WalkDir;

/// The digests of the cases of an exercise, by name. Cases that do and expect the same differ in them: each
/// has its own verdict.
///
/// # Errors
/// The reference or a check cannot be read: a message.
pub fn case_keys(loaded: &Loaded) -> Result<BTreeMap<String, String>, String> {
    let exercise = &loaded.exercise;
    let contract = contract(exercise);
    let asks = |case: &Case| has_reference_values(case) || case.random.is_some();
    let reference = if loaded.cases.iter().any(asks) { reference(exercise)? } else { String::new() };
    let (mut keys, mut found) = (BTreeMap::new(), BTreeMap::<String, usize>::new());
    for case in &loaded.cases {
        let mut key = KeyDigest::new();
        key.add(&contract);
        key.add(written(&case.plan));
        case.expect.iter().for_each(|expect| key.add(expect.described()));
        key.add(format!("{:?}", case.only_with));
        key.add(format!("{:?}", limits(&LimitsPatch::default(), case, exercise)));
        key.add(if asks(case) { &reference } else { "" });
        if let Some(random) = &case.random {
            // The sessions of a seed may be others in another version of keur.
            key.add(format!("{random:?} {}", env!("CARGO_PKG_VERSION")));
            key.add(format!("{:?}", exercise.arguments));
            // Those of an exercise of its own are like its other cases.
            loaded.cases.iter().for_each(|other| key.add(written(&other.plan)));
        }
        for file in checks(case) {
            key.add(check(exercise, file)?);
        }
        let before = found.entry(key.clone().digits()).or_default();
        if *before > 0 {
            key.add(before.to_string());
        }
        *before += 1;
        keys.insert(case.name.clone(), key.digits());
    }
    Ok(keys)
}

/// A plan in the form of the first digests, which stays the same whatever becomes of [`Plan`]: verdicts in
/// the databases of earlier versions belong to these digests.
fn written(plan: &Plan) -> String {
    let step = |step: &PlanStep| {
        let no_calls = Calls { awaited: true, ..Calls::default() };
        let Calls { lines, want, awaited } = step.calls().unwrap_or(&no_calls);
        let instead = match &step.action {
            Action::Calls(_) => "None".to_owned(),
            Action::Program(run) => format!("Some(ProgramRun({run:?}))"),
            Action::Match(game) => format!("Some(Match({game:?}))"),
        };
        format!(
            "PlanStep {{ lines: {lines:?}, want: {want:?}, awaited: {awaited}, instead: {instead}, reads: {:?} }}",
            step.reads
        )
    };
    let steps: Vec<String> = plan.steps.iter().map(step).collect();
    format!("Plan {{ steps: [{}], files: {:?} }}", steps.join(", "), plan.files)
}

/// The digest of what an exercise asks of a submission, and how it is loaded and compared: not its title,
/// language or points.
pub fn contract(exercise: &Exercise) -> String {
    let Exercise { raises, strict_load, files, programs, tolerance, classes, functions, .. } = exercise;
    let Exercise { views, names, packages, reference, loading_is_output, compile, .. } = exercise;
    let Exercise { declarations, signatures, .. } = exercise;
    let built_in = match reference {
        Some(ExerciseReference::BuiltIn(name)) => Some(name),
        Some(ExerciseReference::Own(_)) | None => None,
    };
    // What came later is only in the digests of exercises that say it.
    let loading = if *loading_is_output { " loading_is_output" } else { "" };
    let declared = if declarations.is_empty() { String::new() } else { format!(" {:?}", declarations.texts) };
    let signed = if signatures.is_empty() { String::new() } else { format!(" {signatures:?}") };
    let compiled = if compile.is_empty() { String::new() } else { format!(" {compile:?}") };
    digest([
        format!("{raises:?} {strict_load} {built_in:?}{loading}{compiled}"),
        format!("{files:?} {programs:?}"),
        format!("{tolerance:?}"),
        format!("{classes:?} {functions:?}{declared}{signed}"),
        format!("{views:?} {names:?} {packages:?}"),
    ])
}

/// The digest of the files of an exercise's own reference, in every language that has one.
fn reference(exercise: &Exercise) -> Result<String, String> {
    let (Some(ExerciseReference::Own(paths)), Some(folder)) = (&exercise.reference, &exercise.folder) else {
        return Ok(String::new());
    };
    let mut key = KeyDigest::new();
    for (language, path) in paths {
        key.add(language);
        let path = folder.join(path);
        add_files(&mut key, &path, &|_| true)
            .map_err(|error| format!("the reference {} cannot be read: {error}", path.display()))?;
    }
    Ok(key.digits())
}

/// The digest of a file of checks, with the modules beside it that it may import.
fn check(exercise: &Exercise, file: &str) -> Result<String, String> {
    let Some(folder) = &exercise.folder else { return Ok(String::new()) };
    let path = folder.join(file);
    let beside = path.parent().unwrap_or(folder);
    let is_beside =
        |path: &Path| path.parent() == Some(beside) && path.extension().is_some_and(|ending| ending == "py");
    let mut key = KeyDigest::new();
    key.add(file);
    add_files(&mut key, beside, &is_beside)
        .map_err(|error| format!("the check {} cannot be read: {error}", path.display()))?;
    Ok(key.digits())
}

/// Adds the names and bytes of a file, or of the files in a folder that are wanted.
fn add_files(key: &mut KeyDigest, path: &Path, wanted: &dyn Fn(&Path) -> bool) -> io::Result<()> {
    for entry in WalkDir::new(path).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() && wanted(entry.path()) {
            let name = entry.path().strip_prefix(path).unwrap_or(entry.path());
            key.add(name.to_string_lossy().replace('\\', "/"));
            key.add(fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// The files of checks that a case uses, each once.
fn checks(case: &Case) -> Vec<&str> {
    let mut files: Vec<&str> =
        case.expect.iter().flat_map(checks_of).map(|check| check.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    files
}

/// The checks that a step uses.
pub(super) fn checks_of(expect: &Expect) -> Vec<&CustomCheck> {
    let of_value = expect.value.iter().filter_map(|returns| match &returns.matcher {
        Matcher::Check(check) => Some(check),
        _ => None,
    });
    let texts = [&expect.shows, &expect.prints, &expect.program.errors].into_iter().flatten();
    let texts = texts.chain(expect.writes.iter().map(|(_, text)| text));
    let of_texts = texts.filter_map(|text| match text {
        TextMatcher::Check(check) => Some(check),
        _ => None,
    });
    of_value.chain(of_texts).collect()
}

#[cfg(test)]
mod tests {
    use super::{case_keys, written};
    use keur_core::case::{Action, Library, Plan, PlanStep, ProgramRun, Want};
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;

    const EXERCISE: &str = r#"
title = "Sums"
session = "python"
lang = "en"
reference = { python = "right/sums.py" }
[files]
python = ["sums.py"]
[function]
add = { args = ["a", "b"] }
"#;

    /// A case with one step.
    fn case(title: &str, call: &str, returns: &str) -> String {
        format!("title = \"{title}\"\npoints = 1\n\n[[step]]\ndo = \"{call}\"\nreturns = {returns}\n")
    }

    fn keys(changes: &[(&str, &str)]) -> BTreeMap<String, String> {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("sums");
        let files = [
            ("exercise.toml", EXERCISE),
            ("small.toml", &case("Small", "add(1, 2)", "3")),
            ("large.toml", &case("Large", "add(10, 20)", "{ reference = true }")),
            ("checked.toml", &case("Checked", "add(3, 4)", "{ check = \"checks.py:odd\" }")),
            ("checks.py", "def odd(value):\n    return value % 2 == 1\n"),
            ("right/sums.py", "def add(a, b):\n    return a + b\n"),
        ];
        for (name, text) in files.iter().chain(changes) {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).unwrap();
            fs::write(path, text).unwrap();
        }
        let loaded = Library::Folder(home.path().to_owned()).load("sums");
        case_keys(&loaded.unwrap_or_else(|error| panic!("{error}"))).unwrap()
    }

    /// The cases whose digest a change changes.
    #[track_caller]
    fn check(changes: &[(&str, &str)], expected: &[&str]) {
        let (before, after) = (keys(&[]), keys(changes));
        let changed = after.iter().filter(|(name, key)| before.get(*name) != Some(*key));
        assert_eq!(changed.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_words_and_points_of_a_case_are_not_in_its_digest() {
        let small = case("Something small", "add(1, 2)", "3");
        let small = small.replace("points = 1", "points = 20\nhint = \"Add.\"\norder = 3\nhidden = true");
        check(&[("small.toml", &small)], &[]);
        let exercise = EXERCISE.replace("Sums", "Adding").replace("\"en\"", "\"nl\"\npoints = 20");
        check(&[("exercise.toml", &exercise)], &[]);
    }

    #[test]
    fn cases_that_are_the_same_have_digests_of_their_own() {
        let twins =
            [("twin.toml", case("A twin", "add(1, 2)", "3")), ("two.toml", case("Two", "add(1, 2)", "3"))];
        let twins = twins.each_ref().map(|(name, text)| (*name, text.as_str()));
        // The first one keeps its own.
        check(&twins, &["twin", "two"]);
        let keys = keys(&twins);
        assert!(keys["small"] != keys["twin"] && keys["small"] != keys["two"] && keys["twin"] != keys["two"]);
    }

    #[test]
    fn only_calls_and_expectations_change_a_digest() {
        check(&[("small.toml", &case("Small", "add(2, 1)", "3"))], &["small"]);
        check(&[("small.toml", &case("Small", "add(1, 2)", "4"))], &["small"]);
        let limited = case("Small", "add(1, 2)", "3") + "\n[limits]\ncpu = \"3s\"\n";
        check(&[("small.toml", &limited)], &["small"]);
    }

    #[test]
    fn the_reference_the_checks_and_the_contract_are_in_the_digests_of_those_that_use_them() {
        check(&[("right/sums.py", "def add(a, b):\n    return b + a\n")], &["large"]);
        check(&[("checks.py", "def odd(value):\n    return value % 2 != 0\n")], &["checked"]);
        let exercise = EXERCISE.replace("[\"a\", \"b\"]", "[\"a\", \"c\"]");
        check(&[("exercise.toml", &exercise)], &["checked", "large", "small"]);
        let compiled = format!("{EXERCISE}\n[compile]\ncpp = {{ sanitize = false }}\n");
        check(&[("exercise.toml", &compiled)], &["checked", "large", "small"]);
    }

    #[test]
    fn the_reference_and_the_seeds_are_in_the_digest_of_random_sessions() {
        let with = |random: &str| {
            keys(&[("any.toml", &format!("title = \"t\"\n[random]\n{random}\n"))])["any"].clone()
        };
        assert_ne!(with("sessions = 2"), with("seeds = [1, 3]"));
        assert_eq!(with("sessions = 2"), with("seeds = [1, 2]"));
        let any = "title = \"t\"\n[random]\n";
        let changed = keys(&[("any.toml", any), ("right/sums.py", "def add(a, b):\n    return b + a\n")]);
        assert_ne!(keys(&[("any.toml", any)])["any"], changed["any"]);
        let exercise = format!("{EXERCISE}\n[arguments]\na = {{ from = 0, to = 9 }}\n");
        let changed = keys(&[("any.toml", any), ("exercise.toml", &exercise)]);
        assert_ne!(keys(&[("any.toml", any)])["any"], changed["any"]);
    }

    #[test]
    fn a_plan_is_written_as_in_the_first_digests() {
        let (files, args) = (BTreeMap::new(), vec!["3".to_owned()]);
        let run = ProgramRun { files, args, input: Vec::new(), is_silent: false };
        let step = PlanStep { action: Action::Program(run), reads: vec!["out.txt".to_owned()] };
        let instead = "Some(ProgramRun(ProgramRun { files: {}, args: [\"3\"], input: [] }))";
        let want = format!("{:?}", Want::default());
        assert_eq!(
            written(&Plan { steps: vec![step], files: None }),
            format!(
                "Plan {{ steps: [PlanStep {{ lines: [], want: {want}, awaited: true, instead: {instead}, \
                 reads: [\"out.txt\"] }}], files: None }}"
            )
        );
    }
}
