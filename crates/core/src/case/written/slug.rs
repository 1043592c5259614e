//! The name of a file after the title of its case.

/// The most characters of a name.
const LONGEST: usize = 40;

/// A title as the name of a file: lower-case letters, digits and `_`.
pub fn slug(title: &str) -> String {
    let mut slug = String::new();
    for ch in title.to_lowercase().chars() {
        match ch {
            'a'..='z' | '0'..='9' => slug.push(ch),
            'à' | 'á' | 'â' | 'ä' => slug.push('a'),
            'è' | 'é' | 'ê' | 'ë' => slug.push('e'),
            'ì' | 'í' | 'î' | 'ï' => slug.push('i'),
            'ò' | 'ó' | 'ô' | 'ö' => slug.push('o'),
            'ù' | 'ú' | 'û' | 'ü' => slug.push('u'),
            'å' => slug.push_str("aa"),
            'æ' => slug.push_str("ae"),
            'ø' => slug.push_str("oe"),
            '\'' | '’' => {}
            _ if slug.is_empty() || slug.ends_with('_') => {}
            _ => slug.push('_'),
        }
    }
    let short: String = slug.chars().take(LONGEST).collect();
    // A word that was cut is left out, unless it is the only one.
    let cut = short.len() < slug.len() && !slug[short.len()..].starts_with('_');
    let whole = short.rsplit_once('_').map(|(words, _)| words).filter(|_| cut);
    let name = whole.unwrap_or(&short).trim_end_matches('_');
    if name.is_empty() { "case".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn a_title_becomes_a_name_of_a_file() {
        assert_eq!(slug("A new board: 3 × 4, empty!"), "a_new_board_3_4_empty");
        assert_eq!(slug("Één rij, 'geen' én"), "een_rij_geen_en");
        assert_eq!(
            slug("Blå brikker må ikke stå på række, når spillet er slut"),
            "blaa_brikker_maa_ikke_staa_paa_raekke"
        );
        assert_eq!(slug("…"), "case");
        assert_eq!(slug(&"a".repeat(50)).len(), 40);
    }
}
