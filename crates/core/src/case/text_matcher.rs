//! Reads what is expected of a text.

use super::bounds::LONGEST_PATTERN;
use super::case_file::CaseReader;
use super::expect::TextMatcher;
use super::files::{MOST_FILES, check_name};
use super::reader::{self, Entry};
use regex::Regex;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

impl CaseReader<'_> {
    /// The text expected behind `key`.
    pub(super) fn expected_text(&mut self, table: &DeTable<'_>, key: &str) -> Option<TextMatcher> {
        self.text_matcher(reader::get(table, key)?)
    }

    /// The text that an entry expects: the text itself, or a table with one matcher.
    pub(super) fn text_matcher(&mut self, entry: &Entry<'_>) -> Option<TextMatcher> {
        match entry.get_ref() {
            DeValue::String(text) => {
                Some(TextMatcher::Plain(text.strip_suffix('\n').unwrap_or(text).to_owned()))
            }
            DeValue::Table(matcher) => self.text_matcher_of(matcher, entry.span()),
            // Any other type is already reported.
            _ => None,
        }
    }

    /// The expected text of each file in `writes`.
    pub(super) fn writes(&mut self, table: &DeTable<'_>) -> Vec<(String, TextMatcher)> {
        let mut writes = Vec::new();
        if let Some(entry) =
            reader::get(table, "writes").filter(|_| reader::entries(table, "writes").count() > MOST_FILES)
        {
            self.error(format!("a step writes at most {MOST_FILES} files"), entry.span(), None);
            return writes;
        }
        for (name, span, entry) in reader::entries(table, "writes") {
            match check_name(name) {
                Ok(()) => writes.extend(self.text_matcher(entry).map(|matcher| (name.to_owned(), matcher))),
                Err(problem) => self.errors.push(problem.at(span)),
            }
        }
        writes
    }

    fn text_matcher_of(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<TextMatcher> {
        let mut kinds = reader::in_order(table).map(|(key, _, _)| key).filter(|key| *key != "with");
        let kind = kinds.next();
        if let (Some(first), Some(second)) = (kind, kinds.next()) {
            self.error(format!("a text has one matcher, not both `{first}` and `{second}`"), span, None);
            return None;
        }
        self.check_with(table, kind);
        match kind {
            Some("contains") => {
                let texts = reader::texts(table, "contains");
                if texts.is_empty() {
                    self.error("`contains` has nothing to look for", span, None);
                }
                for (_, span) in texts.iter().filter(|(text, _)| text.is_empty()) {
                    self.error("every text contains an empty one", span.clone(), None);
                }
                Some(TextMatcher::Contains(texts.into_iter().map(|(text, _)| text.to_owned()).collect()))
            }
            Some("matches") => self.regex(table, "matches").map(TextMatcher::Matches),
            Some("any_order") => {
                let lines = reader::text(table, "any_order")?.lines();
                Some(TextMatcher::AnyOrder(lines.map(str::to_owned).collect()))
            }
            Some("check") => self.custom_check(table).map(TextMatcher::Check),
            // Any other key is unknown and already reported.
            Some(_) => None,
            None => {
                let help =
                    "write the text, or one of `contains`, `matches`, `any_order` and `check`".to_owned();
                self.error("an empty table has no matcher", span, Some(help));
                None
            }
        }
    }

    /// The regular expression behind `key`.
    pub(super) fn regex(&mut self, table: &DeTable<'_>, key: &str) -> Option<Regex> {
        let pattern = reader::text(table, key)?;
        if pattern.len() > LONGEST_PATTERN {
            let span = reader::get(table, key).map_or(0..0, Entry::span);
            let help = format!("a regular expression has at most {LONGEST_PATTERN} bytes");
            self.error(format!("`{key}` has {} bytes", pattern.len()), span, Some(help));
            return None;
        }
        match Regex::new(pattern) {
            Ok(regex) => Some(regex),
            Err(error) => {
                let span = reader::get(table, key).map_or(0..0, Entry::span);
                let why = error.to_string();
                let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
                self.error(format!("`{key}` is not a regular expression"), span, Some(why));
                None
            }
        }
    }
}
