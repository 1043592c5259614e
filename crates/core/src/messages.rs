//! Messages for people, in Dutch, Danish or English, as Fluent has them.
//!
//! `fluent-templates` and `i18n-embed` load files and choose a language for a whole program; here each report
//! has its own.

use crate::named;
use crate::named::Named;
use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// A natural language that students are spoken to in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lang {
    /// Dutch.
    Nl,
    /// Danish.
    Da,
    /// English.
    En,
}

named!(Lang {
    Nl = "nl",
    Da = "da",
    En = "en",
});

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text for people: one for all languages, or one per language. It is never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LocalText {
    /// One text for every reader.
    Plain(String),
    /// A text per language, at least one.
    PerLang(BTreeMap<Lang, String>),
}

impl LocalText {
    /// The text for a reader of `lang`: in that language, else in English, else in any language there is.
    pub fn get(&self, lang: Lang) -> &str {
        match self {
            LocalText::Plain(text) => text,
            LocalText::PerLang(texts) => texts
                .get(&lang)
                .or_else(|| texts.get(&Lang::En))
                .or_else(|| texts.values().next())
                .map_or("", String::as_str),
        }
    }

    /// Every text.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            LocalText::Plain(text) => vec![text],
            LocalText::PerLang(texts) => texts.values().map(String::as_str).collect(),
        }
    }
}

/// Messages in each language, as the text of a Fluent file.
#[derive(Clone, Copy, Debug)]
pub struct Translations {
    /// In Dutch.
    pub nl: &'static str,
    /// In Danish.
    pub da: &'static str,
    /// In English.
    pub en: &'static str,
}

/// The most names that a message lists; others are only counted.
const MOST_NAMES: usize = 5;

/// A sentence for people, not yet in a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The identifier of the message.
    pub id: &'static str,
    args: Vec<(&'static str, MessageArg)>,
}

/// An argument of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
enum MessageArg {
    /// One text for every language.
    Text(String),
    /// A number, which decides the form of the sentence.
    Count(usize),
    /// Other messages, with commas between them.
    Messages(Vec<Message>),
}

impl Message {
    /// The message without arguments.
    pub const fn new(id: &'static str) -> Message {
        Message { id, args: Vec::new() }
    }

    /// Sets the argument `name` to a text or a number.
    pub fn with(self, name: &'static str, text: impl ToString) -> Message {
        self.with_arg(name, MessageArg::Text(text.to_string()))
    }

    /// Sets the argument `count`, which decides the form of the sentence.
    pub fn count(self, count: usize) -> Message {
        self.with_arg("count", MessageArg::Count(count))
    }

    /// Sets the argument `name` to a message.
    pub fn with_message(self, name: &'static str, message: Message) -> Message {
        self.with_messages(name, vec![message])
    }

    /// Sets the argument `name` to messages with commas between them.
    pub fn with_messages(self, name: &'static str, messages: Vec<Message>) -> Message {
        self.with_arg(name, MessageArg::Messages(messages))
    }

    /// Sets the argument `name` to some of `names` and the number of the others: a, b, c, d, e and 35 more.
    pub fn with_names(self, name: &'static str, names: &[String]) -> Message {
        let (listed, others) = names.split_at(names.len().min(MOST_NAMES));
        let listed = listed.join(", ");
        if others.is_empty() {
            return self.with(name, listed);
        }
        self.with_message(name, Message::new("found-others").count(others.len()).with("some", listed))
    }

    fn with_arg(mut self, name: &'static str, arg: MessageArg) -> Message {
        self.args.push((name, arg));
        self
    }

    /// The text of the sentence in the language of `messages`.
    pub fn say(&self, messages: &Messages) -> String {
        let mut args = FluentArgs::new();
        for (name, arg) in &self.args {
            let value = match arg {
                MessageArg::Text(text) => FluentValue::from(text.as_str()),
                MessageArg::Count(count) => FluentValue::from(*count),
                MessageArg::Messages(all) => {
                    let texts: Vec<String> = all.iter().map(|message| message.say(messages)).collect();
                    FluentValue::from(texts.join(", "))
                }
            };
            args.set(*name, value);
        }
        messages.format(self.id, &args)
    }
}

/// The messages of one language.
pub struct Messages {
    bundle: FluentBundle<FluentResource>,
}

/// A message's arguments: names and values.
pub type Args<'a> = &'a [(&'static str, &'a str)];

impl Messages {
    /// The messages of all `translations` in `lang`.
    pub fn new(lang: Lang, translations: impl IntoIterator<Item = Translations>) -> Messages {
        // Every code is a valid language identifier.
        let mut bundle = FluentBundle::new(vec![lang.name().parse().unwrap_or_default()]);
        bundle.set_use_isolating(false);
        for translation in translations {
            let source = match lang {
                Lang::Nl => translation.nl,
                Lang::Da => translation.da,
                Lang::En => translation.en,
            };
            // A part of a file that cannot be parsed is skipped; the tests check that no message is missing.
            let resource =
                FluentResource::try_new(source.to_owned()).unwrap_or_else(|(resource, _)| resource);
            bundle.add_resource_overriding(resource);
        }
        Messages { bundle }
    }

    /// Removes from arguments whatever a terminal would obey.
    pub fn for_terminals(mut self) -> Messages {
        self.bundle.set_formatter(Some(|value, _| {
            let FluentValue::String(text) = value else { return None };
            Some(
                text.chars()
                    .map(|ch| if ch.is_control() { char::REPLACEMENT_CHARACTER } else { ch })
                    .collect(),
            )
        }));
        self
    }

    /// The message `id` without arguments.
    pub fn say(&self, id: &str) -> String {
        self.with(id, &[])
    }

    /// The message `id` with text arguments.
    pub fn with(&self, id: &str, args: Args<'_>) -> String {
        let mut fluent = FluentArgs::new();
        for (name, value) in args {
            fluent.set(*name, FluentValue::from(*value));
        }
        self.format(id, &fluent)
    }

    /// The message `id` with a count, which decides its form, and text arguments.
    pub fn count(&self, id: &str, count: usize, args: Args<'_>) -> String {
        let mut fluent = FluentArgs::new();
        fluent.set("count", FluentValue::from(count));
        for (name, value) in args {
            fluent.set(*name, FluentValue::from(*value));
        }
        self.format(id, &fluent)
    }

    fn format(&self, id: &str, args: &FluentArgs<'_>) -> String {
        let pattern = self.bundle.get_message(id).and_then(|message| message.value());
        debug_assert!(pattern.is_some(), "there is no message `{id}`");
        let Some(pattern) = pattern else { return id.to_owned() };
        self.bundle.format_pattern(pattern, Some(args), &mut Vec::new()).into_owned()
    }
}

/// The first `most` characters of a text, and `…` if there are more.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Checks, for a test, that every language has every message with the same arguments.
///
/// # Panics
/// One language lacks what English has, or has more; or there are not more than `at_least` messages.
#[track_caller]
pub fn check_translations(translations: Translations, at_least: usize) {
    let english = signatures(translations.en);
    assert!(english.len() > at_least, "the messages were not read");
    for source in [translations.nl, translations.da] {
        assert_eq!(signatures(source), english);
    }
}

/// The messages of a file: their identifiers, and the names of the arguments of each.
fn signatures(source: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for line in source.lines() {
        if let Some((id, _)) = line.split_once(" = ").filter(|(id, _)| !id.contains([' ', '{'])) {
            found.push((id.to_owned(), Vec::new()));
        }
        let names = line
            .split('$')
            .skip(1)
            .map(|rest| rest.chars().take_while(|ch| ch.is_alphanumeric()).collect::<String>());
        if let Some((_, args)) = found.last_mut() {
            args.extend(names);
            args.sort();
            args.dedup();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_text_is_shortened_between_characters() {
        for (text, expected) in [("äöü", "äöü"), ("äöüx", "äöü…"), ("", "")] {
            assert_eq!(shortened(text, 3), expected);
        }
    }
}
