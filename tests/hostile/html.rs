//! Hostile text in the pages for a browser: each is well formed, and has no element, attribute or address but keur's.

use super::text::{acts, options, reports, written};
use keur::report;
use regex::Regex;
use std::collections::BTreeMap;

/// Elements that the pages have.
const ELEMENTS: &[&str] = &[
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "header",
    "main",
    "footer",
    "nav",
    "section",
    "article",
    "h1",
    "h2",
    "h3",
    "p",
    "a",
    "span",
    "strong",
    "b",
    "mark",
    "code",
    "pre",
    "ol",
    "ul",
    "li",
    "div",
    "figure",
    "figcaption",
    "details",
    "summary",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "svg",
    "rect",
    "circle",
    "line",
    "text",
];

/// Attributes that the elements have, besides the numbers of shapes.
const ATTRIBUTES: &[&str] = &[
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "class",
    "id",
    "href",
    "title",
    "scope",
    "role",
    "tabindex",
    "aria-label",
    "aria-hidden",
    "viewBox",
    "preserveAspectRatio",
];

/// Elements that have no end.
const ENDLESS: &[&str] = &["meta"];

/// Reads a page as strictly as it was written, and gives the addresses in it.
#[track_caller]
fn read(page: &str) -> Vec<String> {
    let tag = Regex::new(r#"^<(/?)([a-z][a-z0-9]*)((?: [a-zA-Z0-9-]+="[^"<>]*")*)(/?)>"#).unwrap();
    let attribute = Regex::new(r#" ([a-zA-Z0-9-]+)="([^"]*)""#).unwrap();
    let entity = Regex::new("^&(amp|lt|gt|quot|#39);").unwrap();
    let number = Regex::new("^[0-9.-]+$").unwrap();
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").expect("a page begins with its type");
    let (mut open, mut addresses): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    while let Some(ch) = rest.chars().next() {
        assert!(!acts(ch), "{ch:?} in {rest:.200}");
        match ch {
            '<' => {
                let found = tag.captures(rest).unwrap_or_else(|| panic!("no tag: {rest:.200}"));
                let name = found[2].to_owned();
                assert!(ELEMENTS.contains(&name.as_str()), "{rest:.200}");
                rest = &rest[found[0].len()..];
                for found in attribute.captures_iter(&found[3]) {
                    let (name, value) = (&found[1], &found[2]);
                    assert!(ATTRIBUTES.contains(&name) || number.is_match(value), "{}", &found[0]);
                    if name == "href" {
                        addresses.push(value.to_owned());
                    }
                }
                if &found[1] == "/" {
                    assert_eq!(open.pop().as_deref(), Some(name.as_str()), "before {rest:.200}");
                } else if &found[4] != "/" && !ENDLESS.contains(&name.as_str()) {
                    open.push(name.clone());
                }
                if name == "style" && &found[1] != "/" {
                    // Keur's own, which the policy tells by its digest.
                    rest = &rest[rest.find("</style>").unwrap()..];
                }
            }
            '>' | '"' => panic!("bare: {rest:.200}"),
            '&' => {
                assert!(entity.is_match(rest), "{rest:.200}");
                rest = &rest[1..];
            }
            ch => rest = &rest[ch.len_utf8()..],
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    addresses
}

#[track_caller]
fn check_addresses(addresses: &[String]) {
    let own = Regex::new(r"^(#[a-z]+(-|[0-9])*|index\.html|s-[a-z0-9_.-]+\.html(#c[0-9]+)?)$").unwrap();
    for address in addresses {
        assert!(own.is_match(address), "{address}");
    }
}

#[test]
fn pages_hold_no_element_attribute_or_address_of_a_submission() {
    let reports = reports();
    for reports in reports.iter().map(std::slice::from_ref).chain([reports.as_slice()]) {
        let page = written("html", reports, false);
        // What the fixtures write is there, as text.
        assert!(page.contains("&lt;script&gt;"), "{page}");
        check_addresses(&read(&page));
    }
}

#[test]
fn a_folder_of_pages_holds_none_either() {
    let reports = reports();
    let mut pages = BTreeMap::new();
    report::find("html").unwrap().pages(&reports, &options(false), &mut |name, text| {
        pages.insert(name.to_owned(), text.to_owned());
    });
    // The reports bear one name here, as those of a run never do.
    assert!(pages.len() >= 2);
    let plain = Regex::new(r"^[a-z0-9_.-]+\.html$").unwrap();
    for (name, page) in pages {
        assert!(plain.is_match(&name), "{name}");
        check_addresses(&read(&page));
    }
}

#[test]
#[should_panic = "script"]
fn the_reader_of_pages_finds_what_is_foreign() {
    read("<!DOCTYPE html>\n<p><script>x</script></p>");
}
