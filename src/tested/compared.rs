//! How the texts of a step are compared.

use super::suite::TextOptions;

/// The comparison of the texts of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TextCompare {
    ignore_case: bool,
    trim: bool,
    within: Option<String>,
}

impl TextCompare {
    pub(super) fn new(options: TextOptions, expected: &str) -> TextCompare {
        let within = options.floating_point.then(|| match options.round_to {
            Some(decimals) => format!("{}", 0.5 * 10f64.powi(-decimals)),
            None => {
                let size = expected.trim().parse::<f64>().unwrap_or_default().abs().log10().floor();
                format!("1e{}", if size.is_finite() { size.max(0.0) - 9.0 } else { -9.0 })
            }
        });
        TextCompare { ignore_case: options.case_insensitive, trim: options.ignore_whitespace, within }
    }

    /// The inline table after `text =`.
    pub(super) fn table(&self) -> String {
        let mut parts = Vec::new();
        if self.ignore_case {
            parts.push("case = \"ignore\"".to_owned());
        }
        if self.trim {
            parts.push("line_ends = \"trim\"".to_owned());
        }
        parts.extend(self.within.as_ref().map(|within| format!("numbers_within = {within}")));
        format!("{{ {} }}", parts.join(", "))
    }

    pub(super) fn is_exact(&self) -> bool {
        *self == TextCompare::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{TextCompare, TextOptions};

    #[test]
    fn rounding_is_half_of_the_last_decimal() {
        let rounded = TextOptions { floating_point: true, round_to: Some(2), ..TextOptions::default() };
        assert_eq!(TextCompare::new(rounded, "3.14").table(), "{ numbers_within = 0.005 }");
        let near = TextOptions { floating_point: true, ..TextOptions::default() };
        assert_eq!(TextCompare::new(near, "0.5").table(), "{ numbers_within = 1e-9 }");
        assert_eq!(TextCompare::new(near, "1234.5").table(), "{ numbers_within = 1e-6 }");
    }
}
