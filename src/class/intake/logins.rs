//! Takes the accounts in names of Blackboard's apart from the title of the assignment before them: both may
//! have a `_`.

use super::names::{AboutAttempt, EntryName, WrittenName};
use std::collections::{BTreeMap, BTreeSet};

/// Writes the account, and the full name where a text about an attempt has it, into names that have the title
/// and the account as one.
pub(super) fn settle(read: &mut [Option<EntryName>], texts: &[(usize, AboutAttempt)]) {
    let heads: BTreeSet<String> = read.iter().flatten().map(|name| name.id.clone()).collect();
    let mut told: BTreeMap<String, AboutAttempt> = BTreeMap::new();
    for (index, about) in texts {
        let head = read[*index].as_ref().map(|name| name.id.clone()).unwrap_or_default();
        if title(&head, &about.login).is_some() {
            told.insert(head, about.clone());
        }
    }
    let titles: BTreeSet<&str> = told.iter().filter_map(|(head, about)| title(head, &about.login)).collect();
    let common = match titles.into_iter().collect::<Vec<_>>().as_slice() {
        [only] => (*only).to_owned(),
        _ => common_title(&heads),
    };
    for name in read.iter_mut().flatten() {
        let head = std::mem::take(&mut name.id);
        let about = told.get(&head);
        let login = match about {
            Some(about) => about.login.as_str(),
            None => head.strip_prefix(&common).filter(|login| !login.is_empty()).unwrap_or(after_last(&head)),
        };
        name.id = login.to_owned();
        name.student = match about {
            Some(about) => WrittenName::Full(about.name.clone()),
            None => WrittenName::Login(login.to_owned()),
        };
    }
}

/// The title before this account, with the `_` that ends it.
fn title<'h>(head: &'h str, login: &str) -> Option<&'h str> {
    head.strip_suffix(login).filter(|title| title.len() > 1 && title.ends_with('_'))
}

fn after_last(head: &str) -> &str {
    head.rsplit_once('_').map_or(head, |(_, login)| login)
}

/// The common beginning of all names, up to a `_`; of a single one, all before its last `_`.
fn common_title(heads: &BTreeSet<String>) -> String {
    let (Some(first), Some(last)) = (heads.first(), heads.last()) else { return String::new() };
    if first == last {
        return first[..first.len() - after_last(first).len()].to_owned();
    }
    // In order, the first and the last differ the most.
    let same = first.char_indices().zip(last.chars()).find(|((_, one), other)| one != other);
    let same = same.map_or(first.len().min(last.len()), |((place, _), _)| place);
    first[..same].rfind('_').map_or(String::new(), |end| first[..=end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::settle;
    use crate::class::intake::names::{AboutAttempt, EntryShape, Platform};

    #[track_caller]
    fn check(heads: &[&str], texts: &[(usize, &str, &str)], expected: &[(&str, &str)]) {
        let name = |head: &&str| {
            Platform::Blackboard.read(&format!("{head}_attempt_2026-11-03-10-12-33.txt"), EntryShape::File)
        };
        let mut read: Vec<_> = heads.iter().map(name).collect();
        let about = |name: &str, login: &str| AboutAttempt { name: name.to_owned(), login: login.to_owned() };
        let texts: Vec<_> = texts.iter().map(|(index, name, login)| (*index, about(name, login))).collect();
        settle(&mut read, &texts);
        let found: Vec<_> =
            read.iter().flatten().map(|name| (name.id.as_str(), name.student.text())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn an_account_is_what_follows_the_common_title() {
        check(&["Lab_2_bli", "Lab_2_zed"], &[], &[("bli", "bli"), ("zed", "zed")]);
        check(&["Lab_2_bli"], &[], &[("bli", "bli")]);
        check(&["Lab_an_li", "Lab_bo_li"], &[], &[("an_li", "an_li"), ("bo_li", "bo_li")]);
        check(&["Lab_li", "Lab_li_2"], &[], &[("li", "li"), ("li_2", "li_2")]);
    }

    #[test]
    fn the_text_about_an_attempt_settles_its_account_and_the_title() {
        let texts = [(0, "Bo Li", "a_bli")];
        check(&["Lab_a_bli", "Lab_a_zed"], &texts, &[("a_bli", "Bo Li"), ("a_zed", "a_zed")]);
        // A text that names another account is about nobody.
        check(&["Lab_bli", "Lab_zed"], &[(0, "Zed", "zed")], &[("bli", "bli"), ("zed", "zed")]);
    }
}
