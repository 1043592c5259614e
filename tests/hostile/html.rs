//! Hostile text in the pages for a browser.
//!
//! Each page is well formed, and has only keur's elements, attributes and addresses.

use super::text::{acts, options, reports, written};
use keur_core::report;
use regex::Regex;
use std::collections::BTreeMap;

/// The elements of the pages.
const ELEMENTS: &[&str] = &[
    "html", "head", "meta", "title", "style", "body", "header", "main", "footer", "nav", "section",
    "article", "h1", "h2", "h3", "p", "a", "span", "strong", "b", "mark", "code", "samp", "pre", "ol", "ul",
    "li", "div", "figure", "figcaption", "details", "summary", "table", "thead", "tbody", "tr", "th", "td",
    "svg", "rect", "circle", "line", "text", "label", "input", "select", "option", "button", "output",
];

/// The attributes of the elements, besides the numbers of shapes.
const ATTRIBUTES: &[&str] = &[
    "lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "title", "scope", "role",
    "tabindex", "open", "aria-label", "aria-hidden", "aria-live", "viewBox", "preserveAspectRatio", "type",
    "autocomplete", "value", "data-verdict", "data-state", "data-late", "data-case",
];

/// Elements without an end tag.
const ENDLESS: &[&str] = &["meta", "input"];

/// Reads a page strictly, and returns the addresses in it.
///
/// # Errors
/// The first part that is not keur's or not well formed, with its place.
fn read(page: &str) -> Result<Vec<String>, String> {
    let tag = Regex::new(r#"^<(/?)([a-z][a-z0-9]*)((?: [a-zA-Z0-9-]+="[^"<>]*"| hidden)*)(/?)>"#).unwrap();
    let attribute = Regex::new(r#" ([a-zA-Z0-9-]+)="([^"]*)""#).unwrap();
    let entity = Regex::new("^&(amp|lt|gt|quot|#39);").unwrap();
    let number = Regex::new("^[0-9.-]+$").unwrap();
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").ok_or("a page begins with its type")?;
    let (mut open, mut addresses): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    while let Some(ch) = rest.chars().next() {
        let wrong = |what: &str| Err(format!("{what}: {rest:.200}"));
        match ch {
            ch if acts(ch) => return wrong(&format!("{ch:?} acts")),
            '<' => {
                let Some(found) = tag.captures(rest) else { return wrong("no tag") };
                let name = found[2].to_owned();
                if !ELEMENTS.contains(&name.as_str()) {
                    return wrong("no element of keur's");
                }
                for found in attribute.captures_iter(&found[3]) {
                    let (name, value) = (&found[1], &found[2]);
                    // What a column is sorted by; none comes last.
                    let sorts = name == "data-key" && value.is_empty();
                    if !ATTRIBUTES.contains(&name) && !number.is_match(value) && !sorts {
                        return wrong(&format!("no attribute of keur's, {name}"));
                    }
                    if name == "href" {
                        addresses.push(value.to_owned());
                    }
                }
                let ends = &found[1] == "/";
                if ends && open.pop().as_ref() != Some(&name) {
                    return wrong("no end of what is open");
                }
                if !ends && &found[4] != "/" && !ENDLESS.contains(&name.as_str()) {
                    open.push(name.clone());
                }
                let after = &rest[found[0].len()..];
                // The text of a style is keur's own, which the policy checks by its digest.
                let skipped = if name == "style" && !ends { after.find("</style>") } else { Some(0) };
                let Some(skipped) = skipped else { return wrong("a style without an end") };
                rest = &after[skipped..];
            }
            '>' | '"' => return wrong("bare"),
            '&' if !entity.is_match(rest) => return wrong("no entity of keur's"),
            ch => rest = &rest[ch.len_utf8()..],
        }
    }
    if open.is_empty() { Ok(addresses) } else { Err(format!("left open: {open:?}")) }
}

/// The script that sorts and filters the table of a class, which the policy of its page checks by its digest.
const SCRIPT: &str = include_str!("../../crates/core/src/report/formats/html/class/table.js");

#[track_caller]
fn check_page(page: &str) {
    let page = &page.replacen(&format!("<script>{SCRIPT}</script>"), "", 1);
    let own = Regex::new(r"^(#[a-z]+(-|[0-9])*|index\.html|s-[a-z0-9_.-]+\.html(#c[0-9]+)?)$").unwrap();
    for address in read(page).unwrap() {
        assert!(own.is_match(&address), "{address}");
    }
}

#[test]
fn pages_hold_no_element_attribute_or_address_of_a_submission() {
    let reports = reports();
    for reports in reports.iter().map(std::slice::from_ref).chain([reports.as_slice()]) {
        let page = written("html", reports, false);
        // What the fixtures write is present, as text.
        assert!(page.contains("&lt;script&gt;"), "{page}");
        check_page(&page);
    }
}

#[test]
fn a_folder_of_pages_holds_none_either() {
    let reports = reports();
    let mut pages = BTreeMap::new();
    report::formats::find("html").unwrap().pages(&reports, &options(false), &mut |name, text| {
        pages.insert(name.to_owned(), text.to_owned());
    });
    // The reports have the same name here, unlike those of a run.
    assert!(pages.len() >= 2);
    let plain = Regex::new(r"^[a-z0-9_.-]+\.html$").unwrap();
    for (name, page) in pages {
        assert!(plain.is_match(&name), "{name}");
        check_page(&page);
    }
}

#[test]
fn the_reader_of_pages_finds_what_is_foreign() {
    for (body, says) in [
        ("<p><script>x</script></p>", "no element of keur's: <script>"),
        ("<p onclick=\"x\">x</p>", "no attribute of keur's, onclick: <p onclick"),
        ("<p onclick='x'>x</p>", "no tag: <p onclick"),
        ("<p>x</b>", "no end of what is open: </b>"),
        ("<p>x", "left open: [\"p\"]"),
        ("<style>x", "a style without an end: <style>"),
        ("<p>a > b</p>", "bare: > b"),
        ("<p>&nbsp;</p>", "no entity of keur's: &nbsp;"),
        ("<p>\u{202e}</p>", "'\\u{202e}' acts"),
    ] {
        let said = read(&format!("<!DOCTYPE html>\n{body}")).unwrap_err();
        assert!(said.starts_with(says), "{body}: {said}");
    }
    assert_eq!(read("<p>x</p>").unwrap_err(), "a page begins with its type");
    let sound = "<!DOCTYPE html>\n<p class=\"x\">a &amp; b <a href=\"#c1\">c</a></p>";
    assert_eq!(read(sound).unwrap(), ["#c1"]);
}
