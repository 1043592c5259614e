//! The page of `keur site`, used as a student does. A stand-in for keur's worker answers with reports that keur wrote
//! before. The screenshots are in `target/screenshots/site` afterwards.

use super::page::{ENTER, Page, serve};
use super::webdriver::Look;
use crate::required::needs;
use crate::running::{keur_command, root, succeed};
use crate::site::MODULE;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;
use tempfile::TempDir;

const WIDE: Look = Look { width: 1300, dark: false };
const DARK: Look = Look { width: 1300, dark: true };
const PHONE: Look = Look { width: 390, dark: false };
const DARK_PHONE: Look = Look { width: 390, dark: true };
const TAB: char = '\u{E004}';

/// A submission that fails with four causes, and one that fails with another one.
const FOUR_CAUSES: &str = "codenames/python/rows_as_stride.py";
const ANOTHER: &str = "codenames/python/needs_two_rows.py";
/// A submission that passes.
const CORRECT: &str = "codenames/python/correct.py";

/// The cards of causes in the report.
const CARDS: &str = "#report main > article[id] > details";

/// The script that says which cards are open.
fn open_cards() -> String {
    format!("return [...document.querySelectorAll('{CARDS}')].map(card => card.open)")
}

fn screenshots() -> PathBuf {
    root().join("target/screenshots/site")
}

fn submission(name: &str) -> PathBuf {
    root().join("fixtures/submissions").join(name)
}

/// A site whose worker is the stand-in, with the reports of both submissions.
fn site() -> TempDir {
    let out = tempfile::tempdir().unwrap();
    let at = |name: &str| out.path().join(name);
    fs::write(at("module"), MODULE).unwrap();
    fs::create_dir_all(at("samples/codenames")).unwrap();
    for name in [FOUR_CAUSES, CORRECT] {
        let name = Path::new(name);
        fs::copy(
            root().join("fixtures/submissions").join(name),
            at("samples/codenames").join(name.file_name().unwrap()),
        )
        .unwrap();
    }
    // The stand-in runs no Python.
    fs::create_dir(at("python")).unwrap();
    for part in ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"] {
        fs::write(at("python").join(part), "").unwrap();
    }
    fs::write(at("python/pyodide-lock.json"), "{ \"packages\": {} }").unwrap();
    let site = at("site");
    let mut command = keur_command(&["site", "--exercise", "quixo", "--exercise", "codenames", "--module"]);
    succeed(
        command
            .arg(at("module"))
            .arg("--samples")
            .arg(at("samples"))
            .arg("--pyodide")
            .arg(at("python"))
            .arg(&site),
    );
    for worker in ["grader.js", "python.js", "javascript.js"] {
        fs::write(site.join(worker), include_str!("stand_in.js")).unwrap();
    }
    let exercise = site.join("exercises/codenames.json");
    let mut content: Value = serde_json::from_slice(&fs::read(&exercise).unwrap()).unwrap();
    content["answers"] = ANSWERS.clone();
    fs::write(exercise, content.to_string()).unwrap();
    out
}

/// The answers of keur's worker to submissions, by their bytes and by language.
static ANSWERS: LazyLock<Value> = LazyLock::new(|| {
    let answers = [FOUR_CAUSES, ANOTHER, CORRECT].into_iter().map(|name| {
        let bytes = fs::read(submission(name)).unwrap();
        (STANDARD.encode(bytes), json!({ "en": answer(name, "en"), "nl": answer(name, "nl") }))
    });
    Value::Object(answers.collect())
});

/// The answer of keur's worker to a submission.
fn answer(name: &str, lang: &str) -> Value {
    let grade = |format: &str| {
        let arguments = ["--exit-zero", "--audience", "student", "--lang", lang, "--format", format];
        succeed(keur_command(&["grade"]).arg(submission(name)).args(arguments))
    };
    let mut report: Value = serde_json::from_str(&grade("json")).unwrap();
    let page = grade("html");
    let body = page.split_once("<body>").unwrap().1.rsplit_once("</body>").unwrap().0;
    json!({ "report": report["submissions"][0].take(), "html": body })
}

fn show(site: &Path) -> Page {
    let mut command = keur_command(&["site"]);
    command.arg(site).args(["--serve", "--port", "0"]);
    let page = serve(
        command,
        "document.readyState === 'complete' && state.content && (state.guarded || !navigator.serviceWorker)",
    );
    page.browser.look(WIDE);
    page.choose("#lang", "en");
    page.choose("#exercise", "codenames");
    page.wait("state.content?.name === 'codenames'");
    page
}

impl Page {
    /// Chooses a file as the dialog of the browser does.
    fn choose_file(&self, path: &Path) {
        let found = self.browser.of_session(
            "POST",
            "/element",
            &json!({ "using": "css selector", "value": "#files" }),
        );
        let element = found.as_object().unwrap().values().next().unwrap().as_str().unwrap();
        let text = json!({ "text": path.to_str().unwrap() });
        self.browser.of_session("POST", &format!("/element/{element}/value"), &text);
    }

    /// Grades a text as a file of this name, as if it were dropped.
    fn drop_file(&self, name: &str, text: &str) {
        self.browser.script(&format!(
            "const data = new DataTransfer(); data.items.add(new File([{}], {})); \
             document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }}))",
            json!(text),
            json!(name)
        ));
    }

    fn text(&self, selector: &str) -> String {
        let text =
            self.browser.script(&format!("return document.querySelector({}).innerText", json!(selector)));
        text.as_str().unwrap().to_owned()
    }

    /// Presses Tab until an element has the focus.
    #[track_caller]
    fn tab_to(&self, selector: &str) {
        for _ in 0..60 {
            self.keys(&[TAB]);
            if self.browser.script(&format!("return document.activeElement.matches({})", json!(selector)))
                == json!(true)
            {
                return;
            }
        }
        panic!("{selector} is not reached by the keyboard");
    }
}

#[test]
fn a_file_is_graded_and_the_next_one_says_what_changed() {
    needs!(Browser);
    let site = site();
    let page = show(&site.path().join("site"));
    page.picture_in(&screenshots(), "start");
    assert!(page.text("#drop").contains("codenames.py"), "{}", page.text("#drop"));
    page.choose_file(&submission(FOUR_CAUSES));
    page.wait("state.report && !run.end");
    assert!(page.text("#status").ends_with("4 causes left"), "{}", page.text("#status"));
    assert_eq!(page.browser.script(&open_cards()), json!([true, false, false, false]), "one card is open");
    assert!(
        !page.browser.script("return document.getElementById('since').checkVisibility()").as_bool().unwrap()
    );
    // A link to a case opens its card.
    page.browser.script("document.querySelector('#report main > article:nth-of-type(2)').id = 'second'");
    page.browser
        .script("const link = document.querySelector('.strip a'); link.href = '#second'; link.click()");
    page.wait("document.querySelector('#second > details').open");
    page.choose_file(&submission(ANOTHER));
    page.wait("state.report.name.startsWith('needs') && !run.end");
    let since = page.text("#since");
    assert!(
        since.contains("points up") && since.contains("Passes now") && since.contains("A board of one row"),
        "{since}"
    );
    for (suffix, look) in [("", WIDE), ("-dark", DARK), ("-phone", PHONE), ("-dark-phone", DARK_PHONE)] {
        page.browser.look(look);
        page.picture_in(&screenshots(), &format!("graded{suffix}"));
        let widths = page.browser.script("return [document.documentElement.scrollWidth, innerWidth]");
        assert_eq!(widths[0], widths[1], "it runs over{suffix}");
        let small = page.browser.script(
            "return [...document.querySelectorAll('#all :is(button, select, input, summary)')].filter(e => e.checkVisibility())\
             .filter(e => e.getBoundingClientRect().height < 20).map(e => e.outerHTML)",
        );
        assert_eq!(small, json!([]), "too small for a finger{suffix}");
    }
    page.browser.on_paper();
    page.wait("!document.getElementById('drop').checkVisibility() && document.querySelector('#report').checkVisibility()");
    page.browser.look(WIDE);
    page.choose("#lang", "nl");
    page.wait("!run.end && document.getElementById('status').textContent.endsWith('Nog één oorzaak')");
    assert!(page.text("#since").contains("punten erbij"), "{}", page.text("#since"));
    assert!(page.text("#report").contains("punten"), "{}", page.text("#report"));
    page.browser.script("document.getElementById('forget').click()");
    assert_eq!(page.browser.script("return Object.keys(localStorage)"), json!(["keur / lang"]));
    page.check_quiet();
}

#[test]
fn a_run_is_stopped_a_crash_is_told_and_a_saved_file_is_graded_again() {
    needs!(Browser);
    let site = site();
    let page = show(&site.path().join("site"));
    page.drop_file("codenames.py", "hang");
    page.wait("document.getElementById('count').textContent === '7 of 26 cases'");
    page.picture_in(&screenshots(), "progress");
    page.click_on("#stop");
    page.wait("document.getElementById('status').textContent === 'Stopped.'");
    page.drop_file("codenames.py", "crash");
    page.wait(
        "document.getElementById('why-not').textContent === 'Grading stopped by accident. Please try again.'",
    );
    let words =
        "return [document.getElementById('trouble').innerText, document.getElementById('error').textContent]";
    let words = page.browser.script(words);
    let (shown, error) = (words[0].as_str().unwrap(), words[1].as_str().unwrap());
    assert!(!shown.contains("unreachable") && error.contains("unreachable"), "{words}");
    page.picture_in(&screenshots(), "crash");
    let good = fs::read_to_string(submission(FOUR_CAUSES)).unwrap();
    page.drop_file("codenames.py", &good);
    page.wait("state.report && !run.end && document.getElementById('trouble').hidden");
    // A later file replaces one that is being graded.
    page.drop_file("codenames.py", "hang");
    page.wait("document.getElementById('count').textContent === '7 of 26 cases'");
    page.browser.script("state.report = null");
    page.drop_file("codenames.py", &good);
    page.wait("state.report && !run.end");
    // A run that is stopped takes away the report of other files.
    page.drop_file("codenames.py", "hang");
    page.wait("document.getElementById('count').textContent === '7 of 26 cases'");
    assert_ne!(page.text("#report.earlier"), "", "it is there until then");
    page.click_on("#stop");
    page.wait("document.getElementById('status').textContent === 'Stopped.'");
    assert_eq!(page.text("#report"), "");
    let [first, second] =
        [FOUR_CAUSES, ANOTHER].map(|name| STANDARD.encode(fs::read(submission(name)).unwrap()));
    // A dialog of the browser gives a handle, whose file changes when it is saved.
    page.browser.script(&format!(
        "const bytes = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0)); \
         window.saved = new File([bytes('{first}')], 'codenames.py', {{ lastModified: 1 }}); \
         window.save = () => {{ saved = new File([bytes('{second}')], 'codenames.py', {{ lastModified: 9 }}) }}; \
         window.showOpenFilePicker = async () => [{{ name: 'codenames.py', kind: 'file', getFile: async () => saved }}]"
    ));
    page.click_on("#choose");
    page.wait("state.report && !run.end && document.getElementById('watch').checkVisibility()");
    // The cards that are open stay open, also when none is.
    for open in [[false, true, true, false], [false; 4]] {
        page.browser.script(&format!(
            "[...document.querySelectorAll('{CARDS}')].forEach((card, index) => {{ card.open = {}[index] }}); \
             saved = new File([saved], 'codenames.py', {{ lastModified: saved.lastModified + 1 }}); state.report = null",
            json!(open)
        ));
        page.wait("state.report && !run.end");
        assert_eq!(page.browser.script(&open_cards()), json!(open));
    }
    page.browser.script("save()");
    page.wait("state.report.name.startsWith('needs') && !run.end");
    assert_eq!(page.browser.script(&open_cards()), json!([true]), "a new card is open");
    page.check_quiet();
    // The policy holds in the worker too, and in those of the frame. The browser reports what it refused.
    page.drop_file("codenames.py", "outside");
    page.wait("document.getElementById('error').textContent === 'outside: refused'");
    page.drop_file("codenames.py", "frame");
    page.wait("document.getElementById('error').textContent === 'frame: refused'");
    let said = page.browser.console();
    assert!(!said.is_empty() && said.iter().all(|said| said.contains("Content Security Policy")), "{said:?}");
}

#[test]
fn everything_is_reached_by_the_keyboard_and_works_without_the_server() {
    needs!(Browser);
    let site = site();
    let mut page = show(&site.path().join("site"));
    page.wait("state.guarded && state.content");
    let offline = "document.getElementById('offline').checkVisibility()";
    assert_eq!(page.browser.script(&format!("return {offline}")), json!(false), "Python is not there yet");
    page.browser.script("document.activeElement.blur(); document.getElementById('lang').focus()");
    page.tab_to("#choose");
    page.tab_to("#paste > summary");
    page.keys(&[ENTER]);
    page.tab_to("#file");
    assert_eq!(page.browser.script("return document.activeElement.value"), json!("codenames.py"));
    page.tab_to("#code");
    page.keys(&['h', 'a', 'n', 'g']);
    page.tab_to("#pasted button");
    page.keys(&[ENTER]);
    page.wait("document.getElementById('count').textContent === '7 of 26 cases'");
    page.tab_to("#stop");
    page.keys(&[' ']);
    page.wait("document.getElementById('status').textContent === 'Stopped.'");
    page.tab_to("#again");
    page.tab_to("#forget");
    let nameless = page.browser.script(
        "return [...document.querySelectorAll('#all :is(button, select, textarea, input)')].filter(e => e.checkVisibility() \
         && !e.ariaLabel && !e.textContent.trim() && !(e.labels && e.labels.length)).map(e => e.outerHTML)",
    );
    assert_eq!(nameless, json!([]));
    page.check_quiet();
    // After the first visit, the page needs no server.
    page.wait(offline);
    page.server.kill().unwrap();
    page.server.wait().unwrap();
    std::thread::sleep(Duration::from_millis(100));
    page.open();
    page.choose("#exercise", "codenames");
    page.wait("state.content?.name === 'codenames'");
    page.choose_file(&submission(FOUR_CAUSES));
    page.wait("state.report && !run.end");
}

#[test]
fn a_sample_is_graded_at_once_and_leaves_no_result() {
    needs!(Browser);
    let site = site();
    let page = show(&site.path().join("site"));
    page.browser.script("document.getElementById('lang').focus()");
    let is_shown = "return document.getElementById('sample').checkVisibility()";
    page.tab_to("#sample-list button");
    page.keys(&[ENTER]);
    page.wait("state.report && !run.end");
    assert_eq!(page.text("#status"), "correct.py: 20/20 · Everything passed");
    assert_eq!(page.browser.script(is_shown), json!(true), "the report has no source");
    assert_eq!(page.text("#sample summary"), "The example correct.py");
    page.tab_to("#sample-list button:last-child");
    page.keys(&[ENTER]);
    page.wait("state.report && !state.report.passed && !run.end");
    assert_eq!(page.browser.script(is_shown), json!(false), "the report has the source");
    assert!(page.text("#status").starts_with("rows_as_stride.py: "), "{}", page.text("#status"));
    assert_eq!(page.browser.script(&open_cards()), json!([true, false, false, false]));
    assert!(page.text("#report").contains("Red reveals a blue spy"), "{}", page.text("#report"));
    assert_eq!(page.text(":focus"), "rows_as_stride.py", "the focus stays");
    assert_eq!(
        page.browser.script("return Object.keys(localStorage)"),
        json!(["keur / lang"]),
        "nothing is kept"
    );
    for (suffix, look) in [("", WIDE), ("-phone", PHONE)] {
        page.browser.look(look);
        page.picture_in(&screenshots(), &format!("sample{suffix}"));
    }
    page.choose_file(&submission(ANOTHER));
    page.wait("state.report?.name.startsWith('needs') && !run.end");
    let shown = "return ['since', 'sample'].map(id => document.getElementById(id).checkVisibility())";
    assert_eq!(page.browser.script(shown), json!([false, false]), "the sample is no earlier result");
    page.click_on("#sample-list button");
    page.wait("state.report?.passed && !run.end");
    assert_eq!(page.browser.script(shown), json!([false, true]), "nor is it compared with one");
    page.choose("#exercise", "quixo");
    page.wait("!document.getElementById('samples').checkVisibility()");
    page.check_quiet();
}

#[test]
fn a_file_that_is_not_graded_gets_a_sentence_in_the_language_of_the_page() {
    needs!(Browser);
    let site = site();
    let page = show(&site.path().join("site"));
    let says = |text: &str| {
        page.wait(&format!(
            "part('why-not').checkVisibility() && part('why-not').textContent === {}",
            json!(text)
        ))
    };
    page.drop_file("notes.txt", "buy milk");
    says(
        "There is no program for this exercise among what you chose. Expected: codenames.py / codenames.js.",
    );
    page.choose("#lang", "nl");
    says("Er zit geen programma voor deze opgave bij wat je koos. Verwacht: codenames.py / codenames.js.");
    page.choose("#lang", "en");
    page.browser.script("state.exercise.files.python.push('cards.py')");
    page.drop_file("notes.txt", "buy milk");
    says(
        "There is no program for this exercise among what you chose. Expected: codenames.py + cards.py / codenames.js.",
    );
    page.drop_file("codenames.py", "lacking");
    says("Python could not be loaded. Check your connection, and reload the page.");
    page.drop_file("Board.java", "class Board {}");
    says("This page cannot run this program. Grade it on your own computer:");
    assert_eq!(page.text("#command"), "keur grade Board.java");
    page.browser.script(
        "const folder = (name) => ({ kind: 'file', getAsFile: () => null, getAsFileSystemHandle: async () => ({ name, kind: 'directory' }) }); \
         dropped({ items: [folder('mine'), folder('hers')] })",
    );
    says("Drop one folder at a time, without other files: a folder is one submission.");
    assert_eq!(page.text("#command"), "");
    // A folder that is chosen, as the element has its files.
    let text = fs::read_to_string(submission(FOUR_CAUSES)).unwrap();
    page.browser.script(&format!(
        "const at = (path, text) => Object.defineProperty(new File([text], path.split('/').pop()), 'webkitRelativePath', {{ value: path }}); \
         const files = [at('mine/.git/config', ''), at('mine/src/codenames.py', {}), at('mine/src/cards.py', ''), \
           at('mine/node_modules/a.js', '')]; \
         Object.defineProperty(part('folder'), 'files', {{ value: files, configurable: true }}); \
         part('folder').dispatchEvent(new Event('change'))",
        json!(text)
    ));
    page.wait("state.report && !run.end");
    assert_eq!(
        page.browser.script("return state.sources.map(each => each.name)"),
        json!(["src/codenames.py", "src/cards.py"])
    );
    assert!(page.text("#status").starts_with("Codenames: "), "{}", page.text("#status"));
    page.browser
        .script("delete window.showDirectoryPicker; part('folder').click = () => { window.asked = true }");
    page.click_on("#choose-folder");
    page.wait("window.asked");
    page.check_quiet();
}

#[test]
fn another_exercise_ends_a_run_and_the_focus_goes_to_what_replaces_a_button() {
    needs!(Browser);
    let site = site();
    let page = show(&site.path().join("site"));
    let hangs = "part('count').textContent === '7 of 26 cases'";
    let focus = || page.browser.script("return document.activeElement.id || document.activeElement.type");
    page.browser.script("part('paste').open = true; part('code').value = 'hang'; part('file').focus()");
    page.tab_to("#pasted button");
    page.keys(&[ENTER]);
    page.wait(hangs);
    assert_eq!(focus(), json!("submit"));
    page.tab_to("#stop");
    page.keys(&[ENTER]);
    page.wait("part('status').textContent === 'Stopped.'");
    assert_eq!(focus(), json!("again"));
    page.keys(&[ENTER]);
    page.wait(hangs);
    assert_eq!(focus(), json!("stop"));
    // Another exercise while it runs.
    page.choose("#exercise", "quixo");
    page.wait("state.content?.name === 'quixo'");
    assert_eq!(page.text("#work"), "", "nothing of the other exercise is left");
    page.wait("!run.end");
    assert_eq!(page.text("#work"), "");
    // A file that is dropped before the exercise has been loaded.
    let text = fs::read_to_string(submission(FOUR_CAUSES)).unwrap();
    page.browser.script("part('exercise').value = 'codenames'; part('exercise').dispatchEvent(new Event('change')); window.early = state.content");
    assert_eq!(page.browser.script("return window.early"), Value::Null);
    page.browser.script(&format!(
        "part('exercise').value = 'quixo'; part('exercise').dispatchEvent(new Event('change')); \
         part('exercise').value = 'codenames'; part('exercise').dispatchEvent(new Event('change')); \
         grade([fromFile(new File([{}], 'codenames.py'))])",
        json!(text)
    ));
    page.wait("state.report && !run.end");
    assert!(page.text("#status").ends_with("4 causes left"), "{}", page.text("#status"));
    page.tab_to("#forget");
    page.keys(&[ENTER]);
    assert_eq!(focus(), json!("forget"));
    page.choose("#lang", "nl");
    assert_eq!(page.text("#forgotten"), "Vergeten.");
    page.check_quiet();
}

#[test]
fn the_service_worker_refuses_what_is_no_file_of_the_site() {
    needs!(Browser);
    let site = site();
    let page = show(&site.path().join("site"));
    fs::write(site.path().join("site/notes.txt"), "not of the site").unwrap();
    page.browser.script(
        "window.answers = {}; \
         const asked = [['GET', 'exercises.json'], ['GET', 'exercises.json?read'], ['GET', 'notes.txt'], ['GET', 'read/exercises.json'], \
           ['HEAD', 'exercises.json'], ['POST', 'exercises.json'], ['GET', 'pyodide/read.whl'], ['GET', 'pyodide/pyodide-lock.json']]; \
         Promise.all(asked.map(([method, file]) => fetch(file, { method }).then((answer) => answer.status, () => 'refused') \
           .then((answer) => { answers[`${method} ${file}`] = answer; }))).then(() => { window.asked = true; })",
    );
    page.wait("window.asked");
    let expected = json!({
        "GET exercises.json": 200,
        "GET exercises.json?read": 200,
        "GET notes.txt": "refused",
        "GET read/exercises.json": "refused",
        "HEAD exercises.json": "refused",
        "POST exercises.json": "refused",
        "GET pyodide/pyodide-lock.json": 200,
        "GET pyodide/read.whl": "refused",
    });
    assert_eq!(page.browser.script("return window.answers"), expected);
}
