//! A change of a text, as a patch.

use std::ops::Range;

/// Lines shown before and after a change.
const AROUND: usize = 2;

/// The lines around a change of `text`, each after a space, `-` or `+`, by the bytes that `put` replaces.
pub(super) fn of(text: &str, at: &Range<usize>, put: &str) -> Vec<String> {
    let changed = format!("{}{put}{}", &text[..at.start], &text[at.end..]);
    let (old, new): (Vec<&str>, Vec<&str>) = (text.lines().collect(), changed.lines().collect());
    let same = |(one, other): &(&&str, &&str)| one == other;
    let before = old.iter().zip(&new).take_while(same).count();
    let most = old.len().min(new.len()) - before;
    let after = old.iter().rev().zip(new.iter().rev()).take_while(same).count().min(most);
    let lines = |sign: &'static str, lines: &[&str]| {
        lines.iter().map(|line| format!("{sign}{line}")).collect::<Vec<String>>()
    };
    let end = old.len() - after;
    let mut patch = lines(" ", &old[before.saturating_sub(AROUND)..before]);
    patch.extend(lines("-", &old[before..end]));
    patch.extend(lines("+", &new[before..new.len() - after]));
    patch.extend(lines(" ", &old[end..(end + AROUND).min(old.len())]));
    patch
}

#[cfg(test)]
mod tests {
    use super::of;

    const TEXT: &str = "a\nb\nc = 1\nd\ne\nf\n";

    #[track_caller]
    fn check(find: &str, put: &str, expected: &[&str]) {
        let at = TEXT.find(find).unwrap();
        assert_eq!(of(TEXT, &(at..at + find.len()), put), expected);
    }

    #[test]
    fn a_patch_shows_the_lines_around_a_change() {
        check("1", "2", &[" a", " b", "-c = 1", "+c = 2", " d", " e"]);
        check("a", "x", &["-a", "+x", " b", " c = 1"]);
        check("e\nf", "", &[" c = 1", " d", "-e", "-f", "+"]);
    }

    #[test]
    fn lines_that_stay_inside_the_bytes_are_not_changed() {
        check("b\nc = 1", "b\nc = 2\nq", &[" a", " b", "-c = 1", "+c = 2", "+q", " d", " e"]);
        check("d\n", "", &[" b", " c = 1", "-d", " e", " f"]);
        check("d\n", "d\nd\n", &[" c = 1", " d", "+d", " e", " f"]);
    }
}
