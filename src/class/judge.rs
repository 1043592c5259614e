//! The judge of a class: what grades the submissions in each language, frozen when the class is made.

use super::data::ClassJudge;
use super::digest::{KeyDigest, digest};
use super::error::ClassError;
use super::keys::checks_of;
use super::settings::written_limits;
use super::store::Store;
use crate::run::{GradeRequest, SEED};
use keur_core::adapter::Fault;
use keur_core::case::{ExerciseReference, LimitsPatch, Loaded};
use keur_core::event::Runtime;
use keur_core::judge::has_reference_values;
use keur_core::languages::{self, CompileOptions, Interpreter, LANGUAGES, Language, python};
use keur_core::named::Named;
use keur_sandbox::Tier;
use std::collections::{BTreeMap, BTreeSet};
use std::env::consts::{ARCH, OS};
use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};

/// How much of a program is read at once, in bytes.
const PART: u64 = 1 << 20;

/// The names of the parts of a judge, for those who read them again.
const ENGINE: &str = "engine";
const VERSION: &str = "version";
const TIER: &str = "tier";
const SEED_PART: &str = "seed";

/// The judge of `language` on this machine, for these exercises.
///
/// # Errors
/// There is no interpreter or compiler, or it does not have the packages: says what to do.
pub(super) fn judge(
    request: &GradeRequest,
    language: &'static Language,
    exercises: &[&Loaded],
) -> Result<ClassJudge, ClassError> {
    let mut parts = BTreeMap::new();
    let mut part = |name: &str, value: String| {
        parts.insert(name.to_owned(), value);
    };
    part("keur", format!("{} (build {})", env!("CARGO_PKG_VERSION"), env!("KEUR_BUILD")));
    part("machine", format!("{ARCH} {OS}"));
    part(TIER, request.tier.name().to_owned());
    part(SEED_PART, SEED.to_string());
    let EngineFound { engine, version, build } = engine(request, language)?;
    part(ENGINE, engine);
    part(VERSION, version);
    if let Some(build) = build {
        part("interpreter", build);
    }
    if let Some(build) = language.build {
        part(
            "compiler",
            (build.version)(&request.build.request(language, CompileOptions::default()))
                .map_err(Fault::new)?,
        );
    }
    // A time for the whole submission decides which cases are run, not what becomes of them.
    let limits = LimitsPatch { budget: None, ..request.settings.limits.clone() };
    if limits != LimitsPatch::default() {
        part("limits", written_limits(&limits));
    }
    if let Some(skeleton) = request.build.skeleton.as_ref().filter(|_| language.build.is_some()) {
        part("skeleton", skeleton_digest(skeleton.files()));
    }
    let packages = packages(request, language, exercises)?;
    if !packages.is_empty() {
        part("packages", packages);
    }
    for helper in helpers(exercises).into_iter().filter_map(languages::find) {
        if helper.name != language.name {
            let EngineFound { engine, version, build } = self::engine(request, helper)?;
            let build = build.map(|build| format!(" {build}")).unwrap_or_default();
            part(&format!("reference and checks in {}", helper.name), format!("{engine} {version}{build}"));
        }
    }
    let mut key = KeyDigest::new();
    key.add(language.name);
    parts.iter().for_each(|(name, value)| {
        key.add(name);
        key.add(value);
    });
    Ok(ClassJudge { key: key.digits(), language: language.name.to_owned(), parts })
}

/// Freezes the judge of each language that the submissions that count have and the class does not yet have.
/// One student's file in a language that no exercise asks for, and that this machine cannot grade, has no
/// judge and stops nobody else.
///
/// # Errors
/// The judge of another language cannot be determined, or the class already has another one.
pub fn freeze(store: &Store, request: &GradeRequest, exercises: &[&Loaded]) -> Result<(), ClassError> {
    let known = store.judges()?;
    for (language, here) in judges_here(store, request, exercises)? {
        match known.iter().find(|known| known.language == language) {
            None => store.put_judge(&here)?,
            Some(known) => must_be(known, &here)?,
        }
    }
    Ok(())
}

/// Makes the judges of this machine those of the class. What others graded stays in the database, and counts
/// no more.
///
/// # Errors
/// See [`freeze`].
pub fn replace(store: &Store, request: &GradeRequest, exercises: &[&Loaded]) -> Result<(), ClassError> {
    judges_here(store, request, exercises)?.iter().try_for_each(|(_, judge)| Ok(store.put_judge(judge)?))
}

/// The judges on this machine of the languages of the submissions that count, each with the name of its
/// language.
fn judges_here(
    store: &Store,
    request: &GradeRequest,
    exercises: &[&Loaded],
) -> Result<Vec<(&'static str, ClassJudge)>, ClassError> {
    let is_asked_for =
        |name: &str| exercises.iter().any(|loaded| loaded.exercise.languages().any(|asked| asked == name));
    let mut judges = Vec::new();
    for language in languages_of(store)? {
        match judge(request, language, exercises) {
            Ok(here) => judges.push((language.name, here)),
            Err(error) if is_asked_for(language.name) => return Err(error),
            Err(_) => {}
        }
    }
    Ok(judges)
}

/// The interpreter and the confinement that reports show for submissions of this judge.
pub fn runtime_of(judge: &ClassJudge) -> Option<Runtime> {
    let part = |name: &str| judge.parts.get(name).cloned().unwrap_or_default();
    let language = languages::find(&judge.language)?;
    let engine = part(ENGINE);
    Some(Runtime {
        language: judge.language.clone(),
        engine: language.engines.iter().copied().find(|known| known.name == engine),
        version: part(VERSION),
        notation: language.notation,
        tier: Tier::from_name(&part(TIER)).unwrap_or_default(),
        seed: part(SEED_PART).parse().unwrap_or_default(),
    })
}

/// The languages of the submissions that count.
fn languages_of(store: &Store) -> Result<Vec<&'static Language>, ClassError> {
    let names: BTreeSet<String> = store
        .latest()?
        .into_iter()
        .filter_map(|taken| taken.language.filter(|_| taken.problem.is_none()))
        .collect();
    Ok(LANGUAGES.iter().copied().filter(|language| names.contains(language.name)).collect())
}

/// Refuses a judge that is not the one of the class: one class has one, on whatever machines it is graded.
fn must_be(known: &ClassJudge, here: &ClassJudge) -> Result<(), ClassError> {
    if known.key == here.key {
        return Ok(());
    }
    let language = languages::find(&known.language).map_or(known.language.as_str(), |found| found.title);
    let mut message = format!("this machine grades {language} otherwise than the class was begun:");
    let names: BTreeSet<&String> = known.parts.keys().chain(here.parts.keys()).collect();
    for name in names {
        let (then, now) = (known.parts.get(name), here.parts.get(name));
        if then != now {
            let shown = |part: Option<&String>| part.map_or("none", String::as_str).to_owned();
            let _ = write!(message, "\n  {name}: {} here, {} in the class", shown(now), shown(then));
        }
    }
    message.push_str(
        "\nuse what the class has, so that all are graded alike; or grade all submissions again with what is here: \
         `keur class run CLASS --new-judge`",
    );
    Err(Fault::new(message).into())
}

/// The program that runs the submissions in a language.
struct EngineFound {
    engine: String,
    version: String,
    /// The mark that tells an interpreter from another build of the same version.
    build: Option<String>,
}

/// The engine of a language, or its compiler.
fn engine(request: &GradeRequest, language: &'static Language) -> Result<EngineFound, ClassError> {
    if language.build.is_some() {
        // The keur that it is built with says which version it is.
        let version = env!("CARGO_PKG_VERSION").to_owned();
        return Ok(EngineFound { engine: language.name.to_owned(), version, build: None });
    }
    let missing = |error: languages::InterpreterError| Fault::new(error.message);
    let found = request.interpreters.find(language).map_err(missing)?;
    let (found, version) = request.interpreters.version(found.engine).map_err(missing)?;
    Ok(EngineFound {
        engine: found.engine.name.to_owned(),
        version: version.to_string(),
        build: build(&found)?,
    })
}

/// The build of an interpreter: the digest of its program, and what it says of itself, as the program may be
/// a small one that loads the rest. Both are the same on machines with the same image. One that is a part of
/// keur is known by keur's build.
fn build(found: &Interpreter) -> Result<Option<String>, ClassError> {
    if found.engine.executables.is_empty() {
        return Ok(None);
    }
    let unread =
        |error: io::Error| Fault::new(format!("{}: cannot be read", found.program.display())).because(error);
    let mut file = File::open(&found.program).map_err(unread)?;
    let (mut digest, mut part) = (KeyDigest::new(), Vec::new());
    // Whatever the system reads at once, the parts are the same.
    while file.by_ref().take(PART).read_to_end(&mut part).map_err(unread)? > 0 {
        digest.add(&part);
        part.clear();
    }
    Ok(Some(format!("{} (digest {})", found.build, digest.digits())))
}

/// The versions of the packages that the exercises allow in a language, and of all that these need.
fn packages(
    request: &GradeRequest,
    language: &'static Language,
    exercises: &[&Loaded],
) -> Result<String, ClassError> {
    let allowed = exercises.iter().filter_map(|loaded| loaded.exercise.packages.get(language.name));
    let names: BTreeSet<String> = allowed.flatten().cloned().collect();
    if names.is_empty() {
        return Ok(String::new());
    }
    let found = request.interpreters.find(language).map_err(|error| Fault::new(error.message))?;
    let names: Vec<String> = names.into_iter().collect();
    let packages = python::Packages::find(&found.program, &names).map_err(Fault::new)?;
    Ok(packages.versions().join(", "))
}

/// The languages of the exercises' own references and checks, which answer beside the submission.
fn helpers(exercises: &[&Loaded]) -> BTreeSet<&'static str> {
    let mut helpers = BTreeSet::new();
    for loaded in exercises {
        if let Some(ExerciseReference::Own(paths)) = &loaded.exercise.reference
            && loaded.cases.iter().any(has_reference_values)
        {
            helpers.extend(paths.keys().filter_map(|name| languages::find(name)).map(|found| found.name));
        }
        if loaded.cases.iter().flat_map(|case| &case.expect).any(|expect| !checks_of(expect).is_empty()) {
            helpers.insert(python::LANGUAGE.name);
        }
    }
    helpers
}

/// The digest of the course's own files.
fn skeleton_digest<'a>(files: impl Iterator<Item = (&'a std::path::Path, &'a [u8])>) -> String {
    let parts = files.flat_map(|(path, bytes)| [path.display().to_string().into_bytes(), bytes.to_vec()]);
    digest(parts)
}
