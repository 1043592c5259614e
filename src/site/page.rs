//! The files that every site has: the page, the workers of keur and of a submission, and the service worker.

use super::pyodide::{self, Pyodide};
use super::{Files, LIST, MODULE, digest, to_text};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use keur_core::languages::{LANGUAGES, javascript, python};
use keur_core::messages::{Args, Lang, Messages, Translations};
use keur_core::named::Named;
use keur_core::report::formats::html::STYLE;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The name of the page.
pub(super) const INDEX: &str = "index.html";

const TRANSLATIONS: Translations = Translations {
    nl: include_str!("locales/nl.ftl"),
    da: include_str!("locales/da.ftl"),
    en: include_str!("locales/en.ftl"),
};

/// The arguments of the page's texts: the page puts values in their places.
const PLACES: Args<'static> = &[
    ("count", "{count}"),
    ("done", "{done}"),
    ("files", "{files}"),
    ("name", "{name}"),
    ("points", "{points}"),
    ("size", "{size}"),
    ("total", "{total}"),
    ("what", "{what}"),
];

/// The extension of a source file of Rust. The registry has none, since a file alone is no submission.
const RUST: &str = "rs";

/// The script of the worker in which a submission in Python runs.
const WORKER_OF_PYTHON: &str = "python.js";

/// The frame in which submissions in JavaScript run.
const FRAME: &str = include_str!("page/frame.html");

/// The policy of the page, which its workers and its frame inherit: everything comes from the site itself, apart
/// from Pyodide where it has another address. The script of the frame is within its text.
///
/// Pyodide and submissions in JavaScript are run from texts, and need the two kinds of `eval`.
fn policy(elsewhere: &str) -> String {
    let script = FRAME.split_once("<script>").and_then(|(_, rest)| rest.split_once("</script>"));
    let frame = STANDARD.encode(Sha256::digest(script.map_or(FRAME, |(script, _)| script)));
    format!(
        "default-src 'none'; script-src 'self'{elsewhere} blob: 'unsafe-eval' 'wasm-unsafe-eval' 'sha256-{frame}'; \
         worker-src 'self' blob:; connect-src 'self'{elsewhere}; style-src 'self'; img-src data:; \
         base-uri 'none'; form-action 'none'"
    )
}

/// Adds the files of the page to those of a site, which the service worker keeps for when there is no network.
pub(super) fn add(files: &mut Files, lang: Option<Lang>, pyodide: Option<&Pyodide>) {
    let address = match pyodide {
        None => Value::Null,
        Some(Pyodide::Folder(_)) => format!("{}/", pyodide::FOLDER).into(),
        Some(Pyodide::Address(address)) => address.as_str().into(),
    };
    let elsewhere = match pyodide {
        Some(Pyodide::Address(address)) => format!(" {address}"),
        Some(Pyodide::Folder(_)) | None => String::new(),
    };
    let python = python(files, matches!(pyodide, Some(Pyodide::Address(_))));
    let site = json!({
        "module": MODULE,
        "list": LIST,
        "pyodide": address,
        "python": python,
        "lang": lang.map(Lang::name),
        "extensions": extensions(),
        "words": words(),
    });
    let index = include_str!("page/index.html")
        .replace("%lang%", lang.unwrap_or(Lang::En).name())
        .replace("%policy%", &policy(&elsewhere))
        .replace("%unstarted%", &unstarted(lang))
        .replace("%site%", &to_text(&site));
    for (name, text) in [
        (INDEX, index.as_str()),
        ("page.css", &format!("{STYLE}{}", include_str!("page/page.css"))),
        ("page.js", include_str!("page/page.js")),
        ("history.js", include_str!("page/history.js")),
        ("files.js", include_str!("page/files.js")),
        ("frame.js", include_str!("page/frame.js")),
        ("frame.html", FRAME),
        ("words.js", include_str!("page/words.js")),
        ("samples.js", include_str!("page/samples.js")),
        ("grader.js", include_str!("page/grader.js")),
        (WORKER_OF_PYTHON, include_str!("page/python.js")),
        ("javascript.js", include_str!("page/javascript.js")),
    ] {
        files.insert(name.to_owned(), text.as_bytes().to_vec());
    }
    let worker = service_worker(files, &address, &python, matches!(pyodide, Some(Pyodide::Address(_))));
    files.insert("sw.js".to_owned(), worker.into_bytes());
}

/// The name of a file of Pyodide within its folder.
fn part_of_python(name: &str) -> Option<&str> {
    name.strip_prefix(pyodide::FOLDER)?.strip_prefix('/')
}

/// Another text for another Pyodide, and for one that is started in another way.
fn python(files: &Files, elsewhere: bool) -> String {
    let worker = (WORKER_OF_PYTHON.to_owned(), include_bytes!("page/python.js").to_vec());
    let own = files.iter().filter(|(name, _)| part_of_python(name).is_some());
    let digest = digest(own.chain([(&worker.0, &worker.1)]));
    if elsewhere { format!("{}-{digest}", pyodide::VERSION) } else { digest }
}

/// The service worker of a site with these files. Where Pyodide comes from elsewhere, it checks the digests.
fn service_worker(files: &Files, pyodide: &Value, python: &str, elsewhere: bool) -> String {
    let of_python = |name: &String| part_of_python(name).is_some();
    let kept: Vec<&String> = files.keys().filter(|name| !of_python(name)).collect();
    let parts: Vec<&str> = files.keys().filter_map(|name| part_of_python(name)).collect();
    let digests: BTreeMap<&str, &str> =
        if elsewhere { pyodide::FILES.iter().copied().collect() } else { BTreeMap::new() };
    let site = json!({
        "version": digest(files.iter().filter(|(name, _)| !of_python(name))),
        "files": kept,
        "pyodide": pyodide,
        "python": python,
        "parts": (!elsewhere).then_some(parts),
        "digests": digests,
    });
    format!("const SITE = {};\n{}", to_text(&site), include_str!("page/sw.js"))
}

/// The extensions of source files: of each language that a page grades, and of all others that keur grades elsewhere.
fn extensions() -> Value {
    let graded = [&python::LANGUAGE, &javascript::LANGUAGE];
    let others = LANGUAGES.iter().filter(|language| graded.iter().all(|graded| graded.name != language.name));
    let elsewhere: Vec<&str> =
        others.flat_map(|language| language.extensions).copied().chain([RUST]).collect();
    json!({
        "python": python::LANGUAGE.extensions,
        "javascript": javascript::LANGUAGE.extensions,
        "elsewhere": elsewhere,
    })
}

/// The texts of the page: in each language by their names, with places for values.
fn words() -> Value {
    let of = |lang: &Lang| {
        let messages = Messages::new(*lang, [TRANSLATIONS]);
        let texts = ids().map(|id| (short(id), messages.with(id, PLACES)));
        (lang.name(), texts.collect::<BTreeMap<_, _>>())
    };
    json!(Lang::ALL.iter().map(of).collect::<BTreeMap<_, _>>())
}

/// What the page shows until its script runs. Its text has no places for values, and nothing to escape.
fn unstarted(lang: Option<Lang>) -> String {
    Messages::new(lang.unwrap_or(Lang::En), [TRANSLATIONS]).say("site-unstarted")
}

/// The names of the texts.
fn ids() -> impl Iterator<Item = &'static str> {
    TRANSLATIONS.en.lines().filter_map(|line| Some(line.split_once(" = ")?.0))
}

/// The name of a text in the page.
fn short(id: &str) -> &str {
    id.strip_prefix("site-").unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::{TRANSLATIONS, extensions, ids, short, words};
    use keur_core::languages::LANGUAGES;
    use keur_core::messages::check_translations;
    use std::collections::BTreeSet;

    /// The names of texts that the page uses: those of elements, and those in calls of `say`.
    fn used() -> BTreeSet<&'static str> {
        let page = [
            include_str!("page/index.html"),
            include_str!("page/page.js"),
            include_str!("page/history.js"),
            include_str!("page/files.js"),
            include_str!("page/words.js"),
            include_str!("page/samples.js"),
        ];
        let of = |start: &'static str, end: char| {
            let parts = page.iter().flat_map(move |text| text.split(start).skip(1));
            parts.filter_map(move |rest| Some(rest.split_once(end)?.0))
        };
        of("data-word=\"", '"').chain(of("data-label=\"", '"')).chain(of("say('", '\'')).collect()
    }

    #[test]
    fn no_text_of_the_page_lacks_a_translation() {
        check_translations(TRANSLATIONS, 30);
    }

    #[test]
    fn the_page_uses_every_text_and_no_other() {
        let one = |id: &'static str| id.strip_suffix("-one").unwrap_or(id);
        let known: BTreeSet<&str> = ids().map(short).map(one).collect();
        let page = used();
        let used: BTreeSet<&str> = page.iter().copied().chain(["unstarted"]).collect();
        assert_eq!(used, known);
    }

    #[test]
    fn the_page_knows_the_files_of_every_language() {
        let extensions = extensions();
        let known: BTreeSet<&str> = ["python", "javascript", "elsewhere"]
            .iter()
            .flat_map(|place| extensions[place].as_array().unwrap())
            .map(|extension| extension.as_str().unwrap())
            .collect();
        let expected: BTreeSet<&str> =
            LANGUAGES.iter().flat_map(|language| language.extensions).copied().chain(["rs"]).collect();
        assert_eq!(known, expected);
    }

    #[test]
    fn every_text_is_in_each_language_with_places_for_values() {
        let words = words();
        for lang in ["nl", "da", "en"] {
            let texts = words[lang].as_object().unwrap();
            assert_eq!(texts.len(), ids().count());
            for (name, text) in texts {
                let text = text.as_str().unwrap();
                assert!(
                    !text.is_empty() && !text.contains('$') && !text.contains("site-"),
                    "{lang}: {name}: {text}"
                );
            }
        }
        assert_eq!(words["en"]["causes"], "{count} causes left");
    }
}
