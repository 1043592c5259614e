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
    Messages::new(lang, [TRANSLATIONS].into_iter().chain(games().map(|game| game.messages)))
}

#[cfg(test)]
mod tests {
    use super::TRANSLATIONS;
    use keur_core::messages::check_translations;

    #[test]
    fn no_message_lacks_a_translation() {
        check_translations(TRANSLATIONS, 60);
    }
}
