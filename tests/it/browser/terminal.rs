//! The colours of the terminal report: the escapes become a page, and the page a picture.
//!
//! The screenshots are in `target/screenshots` afterwards.

use super::report::{screenshots, sources};
use super::webdriver::{Browser, Look};
use crate::required::needs;
use crate::running::{keur_command, succeed};
use std::fs;

/// The columns of the terminals, and the width of a page that has room for them.
const TERMINALS: [(u32, Look); 2] =
    [(80, Look { width: 720, dark: false }), (120, Look { width: 1060, dark: false })];

/// The lines of output that a terminal shows.
const ROWS: usize = 38;

/// Submissions whose table and histogram fit in these lines.
const SUBMISSIONS: usize = 22;

/// The output of keur on a terminal with so many columns, with its colours.
#[track_caller]
fn graded(columns: u32, arguments: &[&str]) -> String {
    let mut command = keur_command(&["grade", "--color=always", "--lang=en", "--exit-zero"]);
    succeed(command.args(arguments).env("COLUMNS", columns.to_string()))
}

/// Takes a picture of the last lines of output, below the command.
fn picture(browser: &Browser, look: Look, name: &str, command: &str, written: &str) {
    let lines: Vec<&str> = written.trim_end().lines().collect();
    let shown = lines[lines.len().saturating_sub(ROWS)..].join("\n");
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("terminal.html");
    let text = if lines.len() > ROWS { shown } else { format!("$ {command}\n{shown}") };
    let terminal = anstyle_svg::Term::new().palette(anstyle_svg::WIN10_CONSOLE);
    fs::write(&page, terminal.render_html(&text)).unwrap();
    browser.open(&page);
    browser.look(look);
    let console = browser.console();
    assert!(console.is_empty(), "{console:?}");
    let runs_over = "return document.documentElement.scrollWidth > innerWidth";
    assert_eq!(browser.script(runs_over), false, "{name}: lines are longer than they should be");
    // Right, wrong, and everything else.
    let colours = "return new Set([...document.querySelectorAll('span')].filter(e => e.textContent.trim())\
        .map(e => getComputedStyle(e).color)).size";
    assert!(browser.script(colours).as_u64() >= Some(3), "{name}: there are no colours");
    let height = browser.script("return document.body.offsetHeight + 16").as_u64().unwrap();
    browser.picture("html", height, &screenshots().join(format!("{name}.png")));
}

#[test]
fn the_terminal_shows_a_session_and_a_class_in_colours() {
    needs!(Browser);
    let browser = Browser::start();
    let one = "fixtures/submissions/quixo/python/swaps_the_two_dice.py";
    let folder = tempfile::tempdir().unwrap();
    for source in sources("codenames").iter().take(SUBMISSIONS) {
        fs::copy(source, folder.path().join(source.file_name().unwrap())).unwrap();
    }
    for (columns, look) in TERMINALS {
        let case = graded(columns, &[one, "--case", "corners"]);
        let command = format!("keur grade {one} --case corners");
        picture(&browser, look, &format!("terminal-{columns}"), &command, &case);
        let class = graded(columns, &["--each", folder.path().to_str().unwrap(), "--sort=points"]);
        picture(&browser, look, &format!("terminal-class-{columns}"), "", &class);
    }
}
