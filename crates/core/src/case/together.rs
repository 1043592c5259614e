//! The rules for all cases of an exercise together: distinct names and titles, needs that can be met, and
//! groups that are written in one way.

use super::diagnostic::{Diagnostic, FileErrors, did_you_mean};
use super::model::{Case, Need};
use std::collections::{BTreeMap, HashMap};

/// The problems of all cases together; `others` are files of cases that exist too, but are not loaded.
pub(super) fn problems(cases: &[Case], others: &[String]) -> Vec<FileErrors> {
    let mut found: Vec<(&Case, Diagnostic)> = Vec::new();
    names(cases, &mut found);
    titles(cases, &mut found);
    groups(cases, &mut found);
    let unmet = found.len();
    needs(cases, others, &mut found);
    if found.len() == unmet {
        found.extend(cycle(cases));
    }
    let mut files: BTreeMap<&str, (&Case, Vec<Diagnostic>)> = BTreeMap::new();
    for (case, problem) in found {
        let (_, problems) = files.entry(&case.path).or_insert((case, Vec::new()));
        // What the file says is said of each of its rows.
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    files.into_values().map(|(case, problems)| FileErrors::new(&case.path, &case.source, problems)).collect()
}

fn names<'c>(cases: &'c [Case], found: &mut Vec<(&'c Case, Diagnostic)>) {
    let mut seen: HashMap<&str, &Case> = HashMap::new();
    for case in cases {
        if let Some(earlier) = seen.insert(&case.name, case) {
            let same = format!("{} also has a case called `{}`", earlier.path, case.name);
            found.push((case, Diagnostic::new(same, 0..0).help("rename one of the files")));
        }
    }
}

fn titles<'c>(cases: &'c [Case], found: &mut Vec<(&'c Case, Diagnostic)>) {
    let mut seen: HashMap<&str, &Case> = HashMap::new();
    for case in cases {
        let mut titles = case.title.texts();
        titles.sort_unstable();
        titles.dedup();
        if let Some((title, earlier)) = titles.iter().find_map(|title| Some((*title, *seen.get(title)?))) {
            let row = || case.expect.last().map_or(0..0, |expect| expect.span.clone());
            let own = case.title_span.clone().unwrap_or_else(row);
            let inside = case.source.get(own.clone()).and_then(|text| text.find(title));
            let at = inside.map_or(own.clone(), |at| own.start + at..own.start + at + title.len());
            let whose = if earlier.path == case.path { &earlier.name } else { &earlier.path };
            let error = Diagnostic::new(format!("{whose} has the same title"), at)
                .help("give each case of an exercise its own title");
            found.push((case, error));
        }
        titles.into_iter().for_each(|title| {
            seen.entry(title).or_insert(case);
        });
    }
}

/// A group that two cases write in two ways would come twice in a report.
fn groups<'c>(cases: &'c [Case], found: &mut Vec<(&'c Case, Diagnostic)>) {
    let mut seen: HashMap<&str, &Case> = HashMap::new();
    for case in cases {
        let Some(group) = &case.group else { continue };
        let texts = group.texts();
        let other = texts.iter().find_map(|text| seen.get(text).filter(|other| other.group != case.group));
        if let Some(other) = other {
            let message = format!("{} writes this group in another way", other.path);
            found.push((
                case,
                Diagnostic::new(message, case.group_span.clone()).help("write it in the same languages"),
            ));
            continue;
        }
        texts.into_iter().for_each(|text| {
            seen.entry(text).or_insert(case);
        });
    }
}

fn needs<'c>(cases: &'c [Case], others: &[String], found: &mut Vec<(&'c Case, Diagnostic)>) {
    let mut known: Vec<&str> =
        cases.iter().flat_map(|case| [case.name.as_str(), case.file.as_str()]).collect();
    known.sort_unstable();
    known.dedup();
    for case in cases {
        for need in &case.needs {
            let wanted: Vec<&Case> = cases.iter().filter(|other| other.is_named(&need.name)).collect();
            let file = need.name.split('[').next().unwrap_or_default();
            if wanted.is_empty() && !others.iter().any(|other| other == file) {
                let message = format!("there is no case `{}`", need.name);
                let help = did_you_mean(&need.name, known.iter().copied());
                found.push((case, Diagnostic::new(message, need.span.clone()).maybe_help(help)));
            }
            // A hidden case is run after all others, and a student must not be told why it failed.
            if !case.hidden && wanted.iter().any(|other| other.hidden) {
                let message = format!("`{}` is hidden, and this case is not", need.name);
                let help = "only a hidden case can need a hidden one";
                found.push((case, Diagnostic::new(message, need.span.clone()).help(help)));
            }
        }
    }
}

/// Cases that need one another, as an error of the first of them.
fn cycle(cases: &[Case]) -> Option<(&Case, Diagnostic)> {
    let mut left: Vec<&Case> = cases.iter().collect();
    loop {
        let before = left.len();
        let free = |case: &Case, left: &[&Case]| !left.iter().any(|other| case.needs(other));
        let kept: Vec<&Case> = left.iter().copied().filter(|case| !free(case, &left)).collect();
        left = kept;
        if left.len() == before {
            break;
        }
    }
    // Each of the rest needs another of the rest: following them leads round.
    let next = |case: &Case| -> Option<(&Case, &Need)> {
        let other = left.iter().find(|other| case.needs(other))?;
        let need = left.iter().find(|one| one.name == case.name)?;
        let need = need.needs.iter().find(|need| other.is_named(&need.name))?;
        Some((*other, need))
    };
    let mut path: Vec<&Case> = vec![left.first()?];
    loop {
        let (other, _) = next(path.last()?)?;
        match path.iter().position(|case| case.name == other.name) {
            Some(at) => {
                path.drain(..at);
                break;
            }
            None => path.push(other),
        }
    }
    let first = path.first().copied()?;
    let (_, need) = next(first)?;
    let around: Vec<&str> = path.iter().chain(path.first()).map(|case| case.name.as_str()).collect();
    let message = if path.len() == 1 {
        "the case needs itself".to_owned()
    } else {
        format!("these cases need one another: {}", around.join(", "))
    };
    Some((first, Diagnostic::new(message, need.span.clone())))
}
