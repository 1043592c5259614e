//! The messages to players: those of the shells and of every game.

use keur_core::exercises::games;
use keur_core::messages::{Lang, Messages, Translations};

const TRANSLATIONS: Translations = Translations {
    nl: include_str!("locales/nl.ftl"),
    da: include_str!("locales/da.ftl"),
    en: include_str!("locales/en.ftl"),
};

/// The messages to players in `lang`.
pub fn words(lang: Lang) -> Messages {
    let translations = [TRANSLATIONS].into_iter().chain(games().map(|game| game.messages));
    Messages::new(lang, translations).for_terminals()
}

#[cfg(test)]
mod tests {
    use super::{TRANSLATIONS, words};
    use keur_core::messages::{Lang, Message, check_translations};

    #[test]
    fn an_argument_shows_nothing_that_a_terminal_obeys() {
        let text = Message::new("play-no-move").with("typed", "\u{1b}[2J").say(&words(Lang::En));
        assert!(text.contains("\u{FFFD}[2J"), "{text}");
    }

    #[test]
    fn no_message_lacks_a_translation() {
        check_translations(TRANSLATIONS, 60);
    }
}
