//! The words that players read, in their language: Dutch, Danish or English.

use crate::case::Lang;
use crate::words::{Messages, Translations};

const TRANSLATIONS: Translations = Translations {
    nl: include_str!("locales/nl.ftl"),
    da: include_str!("locales/da.ftl"),
    en: include_str!("locales/en.ftl"),
};

/// The messages to players in `lang`.
pub fn words(lang: Lang) -> Messages {
    Messages::new(lang, TRANSLATIONS)
}

#[cfg(test)]
mod tests {
    use super::TRANSLATIONS;
    use crate::words::tests::check_translations;

    #[test]
    fn no_message_lacks_a_translation() {
        check_translations(TRANSLATIONS, 60);
    }
}
