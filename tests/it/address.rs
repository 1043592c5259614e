//! The address and the version of keur, which `Cargo.toml` has: every other file that names them agrees.
//!
//! `KEUR_BLESS=1 cargo test --test it address::` rewrites these files. Starters also have passages that differ until
//! keur has an address: a workflow that named one that does not exist would not start.

use crate::running::{blesses, root};
use keur_core::case::Library;
use keur_core::messages::Lang;
use regex::Regex;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Folders of other programs, and of tests, which name addresses of their own.
const SKIPPED: [&str; 4] = [".git", "node_modules", "target", "tests"];

/// Files that name earlier addresses and versions.
const OF_THE_PAST: [&str; 2] = ["CHANGELOG.md", "Cargo.lock"];

/// A version of keur in a registry, where anyone can register a name that is free.
const REGISTERED: &str = r"\bkeur(@|==)(v?)(latest\b|\d+(\.\d+)*)";

/// The places of a text that name an address or a version of keur.
static MENTIONS: LazyLock<[Regex; 8]> = LazyLock::new(|| {
    [
        r"https://github\.com/[\w.-]+/keur/blob/v[\d.]+/",
        r"https://github\.com/[\w.-]+/keur\b",
        r"uses: [\w.-]+/keur@[\w./-]+",
        r"--repo [\w.-]+/keur\b",
        r"ghcr\.io/[\w.-]+/keur:[\w.-]+",
        REGISTERED,
        r"\bkeur([-_])\d+\.\d+\.\d+\b",
        r#"keur-core = "[\d.]+""#,
    ]
    .map(|mention| Regex::new(mention).unwrap())
});

/// An account on GitHub, and a version of keur that it publishes.
struct Published {
    account: String,
    version: String,
}

impl Published {
    /// The address and the version in `Cargo.toml`.
    fn here() -> Published {
        let address = env!("CARGO_PKG_REPOSITORY");
        let account = address.strip_prefix("https://github.com/").and_then(|rest| rest.strip_suffix("/keur"));
        let account = account.expect("`repository` in Cargo.toml must be https://github.com/ACCOUNT/keur");
        Published { account: account.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }

    /// Whether there is an address: GitHub lets no account begin with a hyphen.
    fn has_address(&self) -> bool {
        !self.account.starts_with('-')
    }

    /// The text, with this address and version wherever it names those of keur.
    fn put_into(&self, text: &str) -> String {
        let Published { account, version } = self;
        let image = account.to_lowercase();
        let puts = [
            format!("https://github.com/{account}/keur/blob/v{version}/"),
            format!("https://github.com/{account}/keur"),
            format!("uses: {account}/keur@v{version}"),
            format!("--repo {account}/keur"),
            format!("ghcr.io/{image}/keur:{version}"),
            format!("keur${{1}}${{2}}{version}"),
            format!("keur${{1}}{version}"),
            format!("keur-core = \"{version}\""),
        ];
        let mentions = MENTIONS.iter().zip(&puts);
        mentions.fold(text.to_owned(), |text, (mention, put)| mention.replace_all(&text, put).into_owned())
    }
}

/// A passage of a file before keur has an address, and after.
struct Passage {
    before: String,
    after: String,
}

impl Passage {
    fn new(before: impl Into<String>, after: impl Into<String>) -> Passage {
        Passage { before: before.into(), after: after.into() }
    }

    /// The text, with this passage as it is with or without an address.
    fn put_into(&self, text: &str, has_address: bool) -> String {
        match (has_address, text.contains(&self.before)) {
            (true, _) => text.replace(&self.before, &self.after),
            (false, true) => text.to_owned(),
            (false, false) => text.replacen(&self.after, &self.before, 1),
        }
    }
}

/// The passages of starters and pages, by the path of the file.
fn passages(published: &Published) -> Vec<(PathBuf, Passage)> {
    let mut all = vec![
        (
            "docs/ci.md".into(),
            Passage::new(
                "is a GitHub action. It is not published yet, and GitHub refuses the account `-OWNER-`, so the workflows of the starters\n\
                 stop with an error. [CONTRIBUTING.md](../CONTRIBUTING.md#publish-keur-or-a-fork) says how to publish keur, or a fork.\n",
                "is a GitHub action.\n",
            ),
        ),
        (
            "templates/cluster/github.yml".into(),
            Passage::new(
                "          if ! command -v keur; then\n            \
                             echo \"::error title=keur::keur is not published yet. Build it from its source in an earlier step, and put it on the path.\"\n            \
                             exit 1\n          \
                           fi\n",
                format!("          command -v keur || pipx install keur=={}\n", published.version),
            ),
        ),
    ];
    for exercise in Library::BuiltIn.names().unwrap() {
        let exercise = Library::BuiltIn.describe(&exercise).unwrap();
        for language in ["python", "javascript", "cpp", "rust"] {
            let starter = Path::new("templates").join(format!("{language}-{}", exercise.name));
            let files = exercise.files.get(language).map(Vec::as_slice).unwrap_or_default();
            let submission = match files {
                [file] => file,
                _ => ".",
            };
            let step = grading_step(language, submission, &exercise.name, published);
            let command =
                format!("keur@{} grade {submission} --exercise {}", published.version, exercise.name);
            all.push((
                starter.join(".github/workflows/keur.yml"),
                Passage::new(stopping_step(language, exercise.lang), step),
            ));
            all.push((starter.join("README.md"), readme(language, exercise.lang, &command)));
            if language == "rust" {
                all.push((starter.join("Cargo.toml"), source_of_keur()));
            }
        }
    }
    all
}

/// The step of a starter's workflow that grades.
fn grading_step(language: &str, submission: &str, exercise: &str, published: &Published) -> String {
    let Published { account, version } = published;
    if language == "rust" {
        return "      # Each case is a test, as for the student; keur's action gives points, but knows no files of the \
                course (SKELETON).\n      - run: cargo test\n"
            .to_owned();
    }
    format!(
        "      - uses: {account}/keur@v{version}\n        id: keur\n        with:\n          \
         submission: {submission}\n          exercise: {exercise}\n"
    )
}

/// The step that is there instead until keur has an address.
fn stopping_step(language: &str, lang: Lang) -> String {
    let comment = match language {
        "rust" => "Cargo.toml takes keur-core from crates.io, where it is not published yet.",
        _ => {
            "GitHub fetches the actions of all steps before the first step runs, so no step uses keur before it is published."
        }
    };
    let says = match lang {
        Lang::Nl => "Je werk is niet nagekeken: keur is nog niet gepubliceerd. Laat dat je docent weten.",
        Lang::Da => "Dit arbejde er ikke bedømt: keur er ikke udgivet endnu. Sig det til din underviser.",
        Lang::En => "Your work is not graded: keur is not published yet. Tell your teacher.",
    };
    format!(
        "      # {comment}\n      # CONTRIBUTING.md of keur says how to publish it.\n      - run: |\n          echo \"::error title=keur::{says}\"\n          exit 1\n"
    )
}

/// The passage of a starter's README on how the work is graded; `command` is what grades it once keur is published.
fn readme(language: &str, lang: Lang, command: &str) -> Passage {
    if language == "rust" {
        return Passage::new(format!("{}\n\n```sh\n", note_on_the_crate(lang)), "```sh\n");
    }
    let (before, after) = match lang {
        Lang::Nl => (
            "Je werk wordt nagekeken met keur, maar keur is nog niet gepubliceerd. Tot het zover is, kan alleen je docent je werk nakijken.\n",
            "Telkens als je je werk naar GitHub stuurt, wordt het nagekeken. Onder *Actions* vind je het verslag: je punten, en voor elk testgeval dat\n\
             mislukt de sessie waarin het misloopt. Op je eigen computer doe je hetzelfde met",
        ),
        Lang::Da => (
            "Dit arbejde bliver bedømt med keur, men keur er ikke udgivet endnu. Indtil det sker, kan kun din underviser bedømme arbejdet.\n",
            "Hver gang du sender dit arbejde til GitHub, bliver det bedømt. Under *Actions* finder du rapporten: dine point, og for hvert testtilfælde,\n\
             der fejler, den session, hvor fejlen viser sig. På din egen computer gør du det samme med",
        ),
        Lang::En => (
            "Your work is graded with keur, but keur is not published yet. Until then, only your teacher can grade your work.\n",
            "Each time you push your work to GitHub, it is graded. *Actions* shows the report: your points, and for each case that fails\n\
             the session in which it goes wrong. On your own computer, you do the same with",
        ),
    };
    let (tool, launcher) = match (language, lang) {
        ("python" | "cpp", _) => ("[uv](https://docs.astral.sh/uv/)", "uvx"),
        (_, Lang::Nl) => ("dit commando", "npx"),
        (_, Lang::Da) => ("denne kommando", "npx"),
        (_, Lang::En) => ("this command", "npx"),
    };
    Passage::new(before, format!("{after} {tool}:\n\n```sh\n{launcher} {command}\n```\n"))
}

/// The note of a starter in Rust on where its `Cargo.toml` finds keur's crate until keur is published.
fn note_on_the_crate(lang: Lang) -> &'static str {
    match lang {
        Lang::Nl => {
            "keur is nog niet gepubliceerd. Tot het zover is, zoekt `Cargo.toml` de crate `keur-core` in de broncode van keur, in de map `../keur` naast\n\
             deze map; je docent zegt hoe je daaraan komt. Staat keur ergens anders, schrijf dan die plaats onder `[patch.crates-io]`. Op GitHub wordt je\n\
             werk nog niet nagekeken."
        }
        Lang::Da => {
            "keur er ikke udgivet endnu. Indtil det sker, leder `Cargo.toml` efter `keur-core` i kildekoden til keur, i mappen `../keur` ved siden af denne\n\
             mappe; din underviser siger, hvordan du får den. Ligger keur et andet sted, så skriv stedet under `[patch.crates-io]`. På GitHub bliver dit\n\
             arbejde ikke bedømt endnu."
        }
        Lang::En => {
            "keur is not published yet. Until then, `Cargo.toml` takes `keur-core` from keur's source in the folder `../keur` beside this\n\
             folder, and GitHub does not grade your work. If keur is elsewhere, write its place under `[patch.crates-io]`."
        }
    }
}

/// The passage of the manifest of a starter in Rust that says where keur is.
fn source_of_keur() -> Passage {
    let own = "overflow-checks = false\n";
    let source = "\n# Where keur's source is, until keur-core is published.\n[patch.crates-io]\n\
                  keur-core = { path = \"../keur/crates/core\" }\n";
    Passage::new(format!("{own}{source}"), own)
}

/// A file of a starter or a page, as it is once keur has an address.
pub(crate) fn once_published(path: &Path) -> String {
    let text = fs::read_to_string(root().join(path)).unwrap();
    let all = passages(&Published::here());
    let of_file = all.iter().filter(|(file, _)| file == path);
    of_file.fold(text, |text, (_, passage)| passage.put_into(&text, true))
}

/// The paths and texts of the files that may name keur's address or version.
fn files() -> impl Iterator<Item = (PathBuf, String)> {
    let walk = walkdir::WalkDir::new(root()).sort_by_file_name().into_iter();
    let walk = walk.filter_entry(|entry| !SKIPPED.iter().any(|name| entry.file_name() == *name));
    let files = walk.map(|entry| entry.unwrap()).filter(|entry| entry.file_type().is_file());
    files.filter_map(|entry| {
        let path = entry.path().strip_prefix(root()).unwrap().to_owned();
        let text = fs::read_to_string(entry.path()).ok()?;
        (text.contains("keur") && !OF_THE_PAST.iter().any(|name| path == Path::new(name)))
            .then_some((path, text))
    })
}

#[test]
fn every_file_names_the_address_and_the_version_of_cargo_toml() {
    let here = Published::here();
    let passages = passages(&here);
    let bless = blesses();
    let mut wrong = Vec::new();
    for (path, text) in files() {
        let of_file = passages.iter().filter(|(file, _)| *file == path);
        let wanted = of_file.fold(here.put_into(&text), |text, (_, passage)| {
            let text = passage.put_into(&text, here.has_address());
            let kept = if here.has_address() { &passage.after } else { &passage.before };
            assert!(text.contains(kept), "{} has not this passage:\n{kept}", path.display());
            text
        });
        if wanted == text {
            continue;
        }
        if bless {
            fs::write(root().join(&path), &wanted).unwrap();
        }
        let diff = similar::TextDiff::from_lines(&text, &wanted);
        wrong.push(format!("{}:\n{}", path.display(), diff.unified_diff().context_radius(1)));
    }
    assert!(wrong.is_empty(), "KEUR_BLESS=1 rewrites these files\n{}", wrong.join("\n"));
}

#[test]
fn another_address_and_version_replace_those_of_every_mention() {
    let fork = Published { account: "An".to_owned(), version: "1.2.3".to_owned() };
    for (text, put) in [
        ("see https://github.com/-OWNER-/keur.", "see https://github.com/An/keur."),
        ("<https://github.com/bo/keur/releases>", "<https://github.com/An/keur/releases>"),
        ("- uses: -OWNER-/keur@v0.1.0\n", "- uses: An/keur@v1.2.3\n"),
        ("verify FILE --repo -OWNER-/keur`", "verify FILE --repo An/keur`"),
        ("- uses: bo/keur@main\n", "- uses: An/keur@v1.2.3\n"),
        ("image: ghcr.io/bo/keur:0.1.0", "image: ghcr.io/an/keur:1.2.3"),
        ("npx keur@latest, uvx keur@0.1", "npx keur@1.2.3, uvx keur@1.2.3"),
        ("pip install keur==0.1.0.", "pip install keur==1.2.3."),
        ("./keur_0.1.0-1_amd64.deb, keur-0.1.0-x86_64", "./keur_1.2.3-1_amd64.deb, keur-1.2.3-x86_64"),
        ("keur-core = \"0.1\"", "keur-core = \"1.2.3\""),
        ("keur-core = { path = \"crates/core\" }", "keur-core = { path = \"crates/core\" }"),
        ("https://github.com/actions/checkout", "https://github.com/actions/checkout"),
    ] {
        assert_eq!(fork.put_into(text), put);
        assert_eq!(fork.put_into(put), put);
    }
}

#[test]
fn a_passage_changes_with_the_address_and_back() {
    let here = Published::here();
    for (path, passage) in passages(&here) {
        let text = here.put_into(&fs::read_to_string(root().join(&path)).unwrap());
        let after = passage.put_into(&text, true);
        let before = passage.put_into(&text, false);
        assert!(after != before && after.contains(&passage.after), "{}", path.display());
        assert_eq!(passage.put_into(&before, true), after, "{}", path.display());
        assert_eq!(passage.put_into(&after, false), before, "{}", path.display());
    }
}

#[cfg(unix)]
#[test]
fn until_keur_has_an_address_the_workflow_of_a_starter_stops_and_says_what_to_do() {
    let here = Published::here();
    let workflows = passages(&here).into_iter().filter(|(path, _)| path.ends_with("keur.yml"));
    let mut count = 0;
    for (path, passage) in workflows {
        let (comment, script) = passage.before.split_once("run: |\n").unwrap();
        assert!(comment.contains("CONTRIBUTING.md"), "{comment}");
        let stopped = crate::running::run(std::process::Command::new("bash").args(["-e", "-c", script]));
        assert_eq!((stopped.code, stopped.err.as_str()), (1, ""), "{}", path.display());
        let says = stopped.out.strip_prefix("::error title=keur::").unwrap();
        assert!(["docent", "underviser", "teacher"].iter().any(|who| says.contains(who)), "{says}");
        assert_eq!(says.lines().count(), 1, "{says}");
        let text = here.put_into(&fs::read_to_string(root().join(&path)).unwrap());
        let before = passage.put_into(&text, false);
        assert!(!before.contains("/keur@") && !before.contains("cargo test"), "{before}");
        count += 1;
    }
    assert!(count >= 15, "{count}");
}

#[test]
fn until_keur_has_an_address_no_starter_names_what_a_stranger_could_register() {
    let here = Published::here();
    let registered = Regex::new(REGISTERED).unwrap();
    let mut count = 0;
    for (path, passage) in passages(&here).into_iter().filter(|(path, _)| path.starts_with("templates")) {
        let text = here.put_into(&fs::read_to_string(root().join(&path)).unwrap());
        let before = passage.put_into(&text, false);
        assert!(!registered.is_match(&before), "{}: {before}", path.display());
        count += usize::from(registered.is_match(&passage.put_into(&text, true)));
    }
    // With an address, these READMEs and workflows name a version: those in Python and JavaScript, and that of a cluster.
    assert!(count >= 21, "{count}");
}
