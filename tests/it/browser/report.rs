//! The report as pages, in a browser.
//!
//! Hostile text is harmless, nothing overflows on a phone, a class of a thousand opens without delay. The
//! screenshots are in `target/screenshots` afterwards.

use super::page::PATIENCE;
use super::webdriver::{Browser, Look};
use crate::required::needs;
use crate::running::{keur_command, root, succeed};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A name with everything that a file name can hold.
const NAME: &[u8] =
    b"a\x1b[2J\x07\xc2\x9b2J\xe2\x80\xae\xff<img src=x onerror=alert(1)>]]>\"'--><script>alert(1)<";

const WIDE: Look = Look { width: 1100, dark: false };
const DARK: Look = Look { width: 1100, dark: true };
const WIDEST: Look = Look { width: 1400, dark: false };
const PHONE: Look = Look { width: 390, dark: false };
const DARK_PHONE: Look = Look { width: 390, dark: true };

#[track_caller]
fn grade(arguments: &[&OsStr]) {
    succeed(keur_command(&["grade"]).args(arguments).arg("--exit-zero"));
}

fn format(path: &Path) -> String {
    format!("--format=html={}", path.display())
}

/// Submissions with hostile text, each with a hostile name.
fn hostile(folder: &Path) {
    for (language, ending) in [("python", "py"), ("javascript", "js")] {
        let fixtures = root().join("fixtures/hostile/submissions").join(language);
        for entry in fs::read_dir(fixtures).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let text = ["text_", "invalid_utf8", "lone_surrogates", "result_markers"];
            if !name.ends_with(ending) || !text.iter().any(|start| name.starts_with(start)) {
                continue;
            }
            let mut hostile = NAME.to_vec();
            hostile.extend(name.as_bytes());
            fs::copy(&path, folder.join(OsStr::from_bytes(&hostile))).unwrap();
        }
    }
}

/// Checks that only the page itself was requested, with no console messages and no dialogs.
#[track_caller]
fn check_quiet(browser: &Browser, page: &Path) {
    browser.open(page);
    assert_eq!(browser.dialog(), None, "{}", page.display());
    let requests = browser.requests();
    assert!(requests.len() == 1 && requests[0].starts_with("file:///"), "{}: {requests:?}", page.display());
    let console = browser.console();
    assert!(console.is_empty(), "{}: {console:?}", page.display());
    // The page of a class has keur's own script, once.
    let own = fs::read_to_string(root().join("crates/core/src/report/formats/html/class/table.js")).unwrap();
    let own = format!("const own = {}; ", serde_json::json!(own));
    let foreign = "const scripts = [...document.scripts]; \
        return [...document.querySelectorAll('*')].filter(e => \
        e.localName === 'script' && e === scripts.at(-1) && e.text === own ? e.attributes.length : \
        !e.matches('.filter input[type=search]') && \
        /^(script|img|iframe|object|embed|link|base|form|input|a:not)$/i.test(e.localName) || \
        [...e.attributes].some(a => /^on|^style$|^src$/i.test(a.name))).map(e => e.outerHTML)";
    assert_eq!(browser.script(&(own + foreign)), serde_json::json!([]), "{}", page.display());
}

/// Checks that nothing overflows the right edge, and reports what does.
#[track_caller]
fn check_fits(browser: &Browser, what: &str) {
    let beyond = "return [document.documentElement.scrollWidth, innerWidth]";
    let widths = browser.script(beyond);
    assert_eq!(widths[0], widths[1], "{what} runs over");
}

pub(super) fn screenshots() -> PathBuf {
    root().join("target/screenshots")
}

/// The Python submissions to an exercise of one file.
pub(super) fn sources(exercise: &str) -> Vec<PathBuf> {
    let fixtures = fs::read_dir(root().join("fixtures/submissions").join(exercise).join("python")).unwrap();
    let mut sources: Vec<PathBuf> = fixtures.map(|entry| entry.unwrap().path()).collect();
    sources.retain(|path| path.extension().is_some_and(|ending| ending == "py"));
    sources.sort();
    sources
}

#[test]
fn hostile_text_does_nothing_in_a_browser() {
    needs!(Browser);
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    hostile(folder.path());
    let (class, page) = (out.path().join("class"), out.path().join("class.html"));
    fs::create_dir(&class).unwrap();
    let (to_folder, to_page) = (format(&class), format(&page));
    let cases = ["--cases", "fixtures/hostile/cases"].map(OsStr::new);
    let more = ["--each".as_ref(), folder.path().as_os_str(), OsStr::new(&to_folder), OsStr::new(&to_page)];
    grade(&[cases.as_slice(), more.as_slice()].concat());
    let browser = Browser::start();
    let mut pages: Vec<PathBuf> = fs::read_dir(&class).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.push(page);
    assert!(pages.len() >= 14, "the fixtures were not found: {pages:?}");
    for page in &pages {
        check_quiet(&browser, page);
        for look in [WIDE, PHONE] {
            browser.look(look);
            check_fits(&browser, &page.display().to_string());
        }
    }
    // Checks that the checks themselves can fail.
    let broken = out.path().join("broken.html");
    fs::write(&broken, "<script>alert(1)</script><img src=\"http://127.0.0.1:9/x.png\">").unwrap();
    browser.open(&broken);
    assert_eq!(browser.dialog().as_deref(), Some("1"));
}

#[test]
fn pages_fit_on_screens_and_on_phones() {
    needs!(Browser);
    let out = tempfile::tempdir().unwrap();
    let browser = Browser::start();
    for (name, submission) in [
        ("quixo", "quixo/python/swaps_the_two_dice.py"),
        ("codenames", "codenames/python/rows_as_stride.py"),
        ("yinyang", "yinyang/javascript/columns_before_rows.js"),
        ("pipopipette", "pipopipette/javascript/boxes_collide_on_wide_boards.js"),
        ("alquerque", "alquerque/python/white_list_misses_sideways_captures"),
        ("exception", "codenames/javascript/isafgelopen_throws_after_the_end.js"),
    ] {
        let page = out.path().join("page.html");
        let path = root().join("fixtures/submissions").join(submission);
        grade(&[path.as_os_str(), OsStr::new(&format(&page)), "--lang=en".as_ref()]);
        check_quiet(&browser, &page);
        for (suffix, look) in [("", WIDE), ("-dark", DARK), ("-phone", PHONE), ("-dark-phone", DARK_PHONE)] {
            browser.look(look);
            check_fits(&browser, name);
            browser.picture("html", 2400, &screenshots().join(format!("{name}{suffix}.png")));
        }
        assert!(
            name == "exception"
                || browser.script("return document.querySelectorAll('svg.board .ring').length").as_u64()
                    > Some(0),
            "{name}: no board is drawn"
        );
    }
}

/// The boxes of the elements that a selector finds: left, top, right and bottom.
fn boxes(browser: &Browser, selector: &str) -> Vec<[f64; 4]> {
    let found = browser.script(&format!(
        "return [...document.querySelectorAll('{selector}')].map(e => e.getBoundingClientRect())\
         .map(r => [r.left, r.top, r.right, r.bottom])"
    ));
    serde_json::from_value(found).unwrap()
}

#[test]
fn sides_that_do_not_fit_beside_each_other_stack_on_a_phone() {
    needs!(Browser);
    let out = tempfile::tempdir().unwrap();
    let page = out.path().join("page.html");
    let path = root().join("fixtures/submissions/codenames/python/needs_two_rows.py");
    grade(&[path.as_os_str(), OsStr::new(&format(&page)), "--lang=en".as_ref()]);
    let browser = Browser::start();
    check_quiet(&browser, &page);
    for (look, stacks) in [(WIDE, false), (PHONE, true)] {
        browser.look(look);
        let (sides, heads) = (boxes(&browser, "td:has(mark)"), boxes(&browser, ".diff th"));
        let [[left, top, ..], [got_left, got_top, ..]] = sides[..] else { panic!("{sides:?}") };
        assert_eq!((left == got_left, top < got_top), (stacks, stacks), "{sides:?}");
        assert!(heads[0][3] <= top + 1.0 && heads[1][3] <= got_top + 1.0, "{heads:?} {sides:?}");
        check_fits(&browser, "the sides");
        let suffix = if stacks { "-phone" } else { "" };
        browser.picture("html", 2400, &screenshots().join(format!("source{suffix}.png")));
    }
}

#[test]
fn the_source_opens_at_the_line_that_a_finding_names_and_has_numbers() {
    needs!(Browser);
    let out = tempfile::tempdir().unwrap();
    let page = out.path().join("page.html");
    let path = root().join("fixtures/submissions/codenames/python/needs_two_rows.py");
    grade(&[path.as_os_str(), OsStr::new(&format(&page)), "--lang=en".as_ref()]);
    let browser = Browser::start();
    check_quiet(&browser, &page);
    let line = browser.script(
        "let link = document.querySelector('.places a'); link.click(); \
         let line = document.querySelector('.source li:target'); \
         return [link.hash, '#' + line.id, line.checkVisibility(), getComputedStyle(line, '::before').content]",
    );
    assert_eq!(line, serde_json::json!(["#l0-28", "#l0-28", true, "counter(list-item)"]));
    // What is copied of a session can be pasted.
    let copied = browser.script(
        "getSelection().selectAllChildren(document.querySelector('.session')); return getSelection().toString()",
    );
    let session = "from needs_two_rows import Spelbord\ncodenames = Spelbord(1, 6, 'RXR-B-')\nprint(codenames)\n\
        codenames.aanduiden(0, 3)";
    assert_eq!(copied, serde_json::json!(session));
}

#[test]
fn every_group_of_a_class_opens_and_names_stay_on_one_line() {
    needs!(Browser);
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (index, source) in sources("codenames").iter().flat_map(|source| [source; 2]).enumerate() {
        let name = format!("student_{index:02}_with_a_long_name_that_no_phone_can_show_on_one_line");
        fs::create_dir(folder.path().join(&name)).unwrap();
        fs::copy(source, folder.path().join(name).join("codenames.py")).unwrap();
    }
    let page = out.path().join("class.html");
    grade(&["--each".as_ref(), folder.path().as_os_str(), OsStr::new(&format(&page)), "--lang=en".as_ref()]);
    let browser = Browser::start();
    check_quiet(&browser, &page);
    for (suffix, look) in [("", WIDE), ("-phone", PHONE)] {
        browser.look(look);
        let names = browser.script(
            "return [...document.querySelectorAll('.people tbody th')].map(name => { \
               let text = document.createRange(); text.selectNodeContents(name); \
               return text.getBoundingClientRect().height })",
        );
        let names: Vec<f64> = serde_json::from_value(names).unwrap();
        assert!(names.len() > 60 && names.iter().all(|height| *height < 30.0), "{names:?}");
        // A click on each summary shows what it folds, and another one folds it again.
        let opened = browser.script(
            "return [...document.querySelectorAll('summary')].map(summary => { \
               let outer = summary.parentElement.parentElement.closest('details'); if (outer) outer.open = true; \
               let list = summary.nextElementSibling, seen = () => list.checkVisibility({ contentVisibilityAuto: false }) \
                 && list.getBoundingClientRect().height > 0; \
               summary.scrollIntoView(); \
               let before = seen(); summary.click(); let after = seen(); summary.click(); \
               if (outer) outer.open = false; return !before && after })",
        );
        let opened = opened.as_array().unwrap();
        assert!(opened.len() > 30 && opened.iter().all(|opens| opens == true), "{opened:?}");
        browser.picture("#e-0", 1800, &screenshots().join(format!("groups{suffix}.png")));
    }
    browser.look(WIDE);
    check_filters(&browser);
    check_sorts_and_stays_in_view(&browser);
}

/// A class whose table shows the rows that match everything that is chosen.
#[track_caller]
fn check_filters(browser: &Browser) {
    let shown = |then: &str| {
        let rows = "const rows = [...document.querySelectorAll('.people tbody tr')]; \
            const seen = rows.filter(row => row.offsetHeight > 0); \
            const choose = (name, value) => { const control = document.querySelector(`.filter [name=${name}]`); \
              control.value = value; control.dispatchEvent(new Event('input', { bubbles: true })) };";
        browser.script(&format!("{rows} {then}"))
    };
    let count = "return [seen.length, document.querySelector('.filter output').textContent]";
    let all = shown("return rows.length").as_u64().unwrap();
    let counted = |rows: u64| serde_json::json!([rows, format!("shown: {rows}/{all}")]);
    assert_eq!(shown(count), counted(all));
    shown("choose('name', 'STUDENT_1')");
    assert_eq!(shown(count), counted(10));
    shown("choose('name', ''); choose('verdict', 'wrong value')");
    let wrong = shown("return seen.every(row => row.dataset.verdict === 'wrong value') ? seen.length : 0");
    let wrong = wrong.as_u64().unwrap();
    assert!(wrong > 0 && wrong < all, "{wrong}");
    assert_eq!(shown(count), counted(wrong));
    shown("choose('case', '0-1')");
    let both =
        shown("return seen.every(row => row.dataset.case.split('|').includes('0-1')) ? seen.length : 0");
    let both = both.as_u64().unwrap();
    assert!(both > 0 && both < wrong, "{both} of {wrong}");
    // A link to a row that is hidden clears the filter.
    let follow = |link: &str| {
        shown(&format!(
            "const done = new Promise(done => addEventListener('hashchange', done)); location.hash = {link}; \
             return done.then(() => 0)"
        ))
    };
    follow("rows.find(row => row.hidden).id");
    assert_eq!(shown(count), counted(all));
    shown("choose('name', 'nobody'); document.querySelector('.filter button').click()");
    assert_eq!(shown(count), counted(all));
    // A link into a fold opens it.
    let open = "return document.querySelector('#cases-0').open";
    assert_eq!(shown(open), false);
    follow("'k0-3'");
    assert_eq!(shown(open), true);
}

/// The keys of a column of the table of submissions, from the top.
fn keys(browser: &Browser, column: usize) -> Vec<String> {
    let keys = format!(
        "return [...document.querySelectorAll('.people tbody tr')].map(row => row.cells[{column}])\
         .map(cell => cell.dataset.key ?? cell.textContent)"
    );
    serde_json::from_value(browser.script(&keys)).unwrap()
}

/// A class whose table sorts, and whose heat map is higher than the window.
#[track_caller]
fn check_sorts_and_stays_in_view(browser: &Browser) {
    let press = |column: usize| {
        let head = format!("document.querySelectorAll('.people thead th')[{column}]");
        browser.script(&format!("{head}.querySelector('button').click(); return {head}.ariaSort"))
    };
    browser.script("document.querySelector('#heat-0').open = true");
    let given = keys(browser, 0);
    assert_eq!(press(1), "ascending");
    let points: Vec<u32> = keys(browser, 1).iter().map(|key| key.parse().unwrap()).collect();
    assert!(points.is_sorted() && points.first() < points.last(), "{points:?}");
    assert_eq!(press(1), "descending");
    let points: Vec<u32> = keys(browser, 1).iter().map(|key| key.parse().unwrap()).collect();
    assert!(points.is_sorted_by(|one, other| one >= other), "{points:?}");
    assert_eq!((press(1), keys(browser, 0)), (serde_json::Value::Null, given));
    for look in [WIDEST, WIDE, PHONE] {
        browser.look(look);
        let head = browser.script(
            "let row = document.querySelector('.heat tbody tr:last-child'); \
             document.querySelector('.scroll:has(> .heat)').scrollIntoView(); row.scrollIntoView({ block: 'nearest' }); \
             let place = document.querySelector('.heat thead th').getBoundingClientRect(); \
             let seen = document.elementFromPoint(place.left + place.width / 2, place.top + place.height / 2); \
             return [place.top >= 0 && place.bottom < innerHeight, !!seen?.closest('.heat thead')]",
        );
        assert_eq!(head, serde_json::json!([true, true]), "{} pixels", look.width);
        let name = format!("sticky-{}.png", look.width);
        browser.picture(".heat tbody tr:last-child", 300, &screenshots().join(name));
    }
}

#[test]
fn parts_folded_on_a_screen_are_open_on_paper() {
    needs!(Browser);
    let out = tempfile::tempdir().unwrap();
    let page = out.path().join("page.html");
    let path = root().join("fixtures/submissions/quixo/python/swaps_the_two_dice.py");
    grade(&[path.as_os_str(), OsStr::new(&format(&page)), "--lang=en".as_ref()]);
    let browser = Browser::start();
    check_quiet(&browser, &page);
    // Of the other cases of a cause, paper has the titles.
    let lists = "details:not(.others details) > ul, .others > details > summary";
    let seen = format!(
        "return [...document.querySelectorAll('{lists}')]\
         .map(list => list.checkVisibility({{ contentVisibilityAuto: true }}) && list.offsetHeight > 0)"
    );
    let folded = browser.script(&seen);
    let folded = folded.as_array().unwrap();
    assert!(folded.len() > 3 && folded.iter().all(|seen| seen == false), "{folded:?}");
    browser.on_paper();
    // The page may still be on the screen when the browser answers.
    let begun = Instant::now();
    loop {
        let open = browser.script(&seen);
        if open.as_array().unwrap().iter().all(|seen| seen == true) {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{open}");
        std::thread::sleep(Duration::from_millis(50));
    }
    let others = browser.script(
        "return [...document.querySelectorAll('.others > details')]\
         .map(other => getComputedStyle(other, '::details-content').contentVisibility)",
    );
    let others = others.as_array().unwrap();
    assert!(others.len() > 3 && others.iter().all(|content| content == "hidden"), "{others:?}");
    let pdf = screenshots().join("quixo.pdf");
    browser.print(&pdf);
    assert!(fs::read(&pdf).unwrap().starts_with(b"%PDF-"));
}

#[test]
fn a_class_of_a_thousand_opens_without_delay() {
    needs!(Browser);
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (index, source) in sources("codenames").iter().cycle().take(1000).enumerate() {
        let student = folder.path().join(format!("student_{index:04}"));
        fs::create_dir(&student).unwrap();
        fs::copy(source, student.join("codenames.py")).unwrap();
    }
    // What was handed in more than once is graded once.
    let database = out.path().join("graded");
    let keur = |command: &str, arguments: &[&OsStr]| {
        succeed(keur_command(&["class", command]).arg(&database).args(arguments));
    };
    keur("init", &["--each".as_ref(), folder.path().as_os_str(), "--exercise=codenames".as_ref()]);
    keur("run", &[]);
    let (page, class) = (out.path().join("class.html"), out.path().join("class"));
    fs::create_dir(&class).unwrap();
    keur("report", &["--lang=en".as_ref(), format(&page).as_ref(), format(&class).as_ref()]);
    let browser = Browser::start();
    for page in [page, class.join("index.html")] {
        let size = page.metadata().unwrap().len();
        assert!(size < 5_000_000, "{}: {size} bytes", page.display());
        check_quiet(&browser, &page);
        let load = browser
            .script("return performance.getEntriesByType('navigation')[0].loadEventEnd")
            .as_f64()
            .unwrap();
        let pdf = screenshots().join("class.pdf");
        browser.print(&pdf);
        let sheets = String::from_utf8_lossy(&fs::read(&pdf).unwrap()).matches("/Type /Page\n").count();
        println!("{}: {size} bytes, loaded after {load:.0} ms, {sheets} sheets", page.display());
        // The table of submissions and little else: a class of 300 has at most 8.
        assert!((10..=24).contains(&sheets), "{}: {sheets} sheets", page.display());
        browser.script("for (const part of document.querySelectorAll('.part')) part.open = true");
        assert!(load > 0.0 && load < 5000.0, "{}: loaded after {load} ms", page.display());
        for (suffix, look) in [("", WIDE), ("-dark", DARK), ("-phone", PHONE), ("-dark-phone", DARK_PHONE)] {
            browser.look(look);
            check_fits(&browser, "the class");
            let name = page.file_stem().unwrap().to_str().unwrap();
            for (part, selector) in
                [("", "html"), ("-cases", ".items"), ("-table", "#submissions"), ("-heat", "#heat-0")]
            {
                browser.picture(selector, 1400, &screenshots().join(format!("{name}{part}{suffix}.png")));
            }
        }
    }
    assert_eq!(fs::read_dir(&class).unwrap().count(), 1001);
}
