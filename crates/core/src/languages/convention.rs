//! The naming conventions of languages.

use crate::named;

/// A language's naming convention for functions and methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// `maak_wit`
    Snake,
    /// `maakWit`
    Camel,
    /// Names as the exercise spells them.
    AsIs,
}

named!(Convention { Snake = "snake_case", Camel = "camelCase", AsIs = "as-is" });

impl Convention {
    /// The spelling of a name of a function or method.
    pub fn spell(self, name: &str) -> String {
        let mut out = String::with_capacity(name.len() + 2);
        let mut previous = '_';
        for ch in name.chars() {
            match self {
                Convention::AsIs => out.push(ch),
                Convention::Camel if ch == '_' && out.chars().any(|ch| ch != '_') => {}
                Convention::Camel if previous == '_' && out.chars().any(|ch| ch != '_') => {
                    out.extend(ch.to_uppercase())
                }
                Convention::Camel => out.push(ch),
                Convention::Snake if ch.is_uppercase() && previous != '_' && !previous.is_uppercase() => {
                    out.push('_');
                    out.extend(ch.to_lowercase());
                }
                Convention::Snake => out.extend(ch.to_lowercase()),
            }
            previous = ch;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::Convention;

    #[track_caller]
    fn check(snake: &str, camel: &str) {
        assert_eq!(Convention::Camel.spell(snake), camel);
        assert_eq!(Convention::Snake.spell(camel), snake);
        assert_eq!(Convention::Snake.spell(snake), snake);
        assert_eq!(Convention::Camel.spell(camel), camel);
    }

    #[test]
    fn names_follow_the_convention_of_a_language() {
        check("maak_wit", "maakWit");
        check("is_game_over", "isGameOver");
        check("isafgelopen", "isafgelopen");
        check("_private_one", "_privateOne");
    }
}
