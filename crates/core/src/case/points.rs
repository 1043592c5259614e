//! Points, counted in hundredths so that sums are exact.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// Points of a case or a grade, in hundredths of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(u64);

impl Points {
    /// No points.
    pub const ZERO: Points = Points(0);

    /// One point, the default for a case.
    pub const ONE: Points = Points(100);

    /// The most that a file may set: a million points.
    pub const MOST: Points = Points(100_000_000);

    /// Points from their hundredths.
    pub const fn from_hundredths(hundredths: u64) -> Points {
        Points(hundredths)
    }

    /// The hundredths.
    pub const fn hundredths(self) -> u64 {
        self.0
    }

    /// Reads a decimal with at most two digits after the point, such as `2` or `0.25`; `None` for anything
    /// else and beyond [`Points::MOST`].
    pub fn parse(decimal: &str) -> Option<Points> {
        let (whole, part) = decimal.split_once('.').unwrap_or((decimal, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let part = part.trim_end_matches('0');
        if whole.is_empty() || whole.len() > 9 || part.len() > 2 || !digits(whole) || !digits(part) {
            return None;
        }
        let hundredths = whole.parse::<u64>().ok()? * 100 + format!("{part:0<2}").parse::<u64>().ok()?;
        Some(Points(hundredths)).filter(|points| *points <= Points::MOST)
    }

    /// A share of `whole`, scaled to `scale`, rounded half up to a hundredth. Zero if `whole` is zero.
    pub fn scaled(self, whole: Points, scale: Points) -> Points {
        if whole.0 == 0 {
            return Points::ZERO;
        }
        let (share, whole, scale) = (u128::from(self.0), u128::from(whole.0), u128::from(scale.0));
        // A share is at most the whole, so the result is at most the scale and fits.
        Points(((2 * share * scale + whole) / (2 * whole)) as u64)
    }

    /// The mean, rounded half up to a hundredth; `None` of an empty list.
    pub fn mean(points: &[Points]) -> Option<Points> {
        let count = u64::try_from(points.len()).ok()?;
        let sum: u64 = points.iter().map(|points| points.0).sum();
        (sum + count / 2).checked_div(count).map(Points)
    }

    /// The points as a number for a report.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / 100.0
    }
}

impl fmt::Display for Points {
    /// The shortest decimal: `2`, `0.5`, `13.33`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 100, self.0 % 100);
        let text = match part {
            0 => whole.to_string(),
            part if part % 10 == 0 => format!("{whole}.{}", part / 10),
            part => format!("{whole}.{part:02}"),
        };
        f.pad(&text)
    }
}

impl Add for Points {
    type Output = Points;

    fn add(self, other: Points) -> Points {
        Points(self.0 + other.0)
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(points: I) -> Points {
        points.fold(Points::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::Points;

    #[test]
    fn decimals_are_read_exactly() {
        for (text, hundredths) in [("2", 200), ("0.25", 25), ("1.50", 150), ("0.1", 10), ("3.", 300)] {
            assert_eq!(Points::parse(text), Some(Points::from_hundredths(hundredths)), "{text}");
        }
        for text in ["", "-1", "0.005", "1e3", "99999999999", ".5", "1_0", "inf"] {
            assert_eq!(Points::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_scaled_grade_is_rounded_half_up() {
        let scaled = |share, whole, scale| {
            Points::from_hundredths(share)
                .scaled(Points::from_hundredths(whole), Points::from_hundredths(scale))
                .hundredths()
        };
        assert_eq!(scaled(100, 300, 2000), 667);
        assert_eq!(scaled(100, 800, 2000), 250);
        assert_eq!(scaled(1, 8, 100), 13);
        assert_eq!(scaled(300, 300, 2000), 2000);
        assert_eq!(scaled(0, 0, 2000), 0);
    }

    #[test]
    fn points_are_shown_without_idle_zeros() {
        let shown: Vec<String> =
            [200, 50, 1333, 5].map(|hundredths| Points::from_hundredths(hundredths).to_string()).into();
        assert_eq!(shown, ["2", "0.5", "13.33", "0.05"]);
    }
}
