//! The limits that an exercise, a case or a flag sets; omitted ones are inherited.
//!
//! `humantime` reads no `1.5s`, and to `bytesize` a KB is 1,000 bytes.

use std::time::Duration;

/// Limits for one case; each is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LimitsPatch {
    /// Processor time.
    pub cpu: Option<Duration>,
    /// Wall-clock time.
    pub wall: Option<Duration>,
    /// Memory, in bytes.
    pub memory: Option<u64>,
    /// Output, in bytes.
    pub output: Option<u64>,
    /// Total time for the cases of a submission that reach a limit; a case cannot set it.
    pub budget: Option<Duration>,
}

impl LimitsPatch {
    /// The limits, with omitted ones taken from `under`.
    pub fn over(&self, under: &LimitsPatch) -> LimitsPatch {
        LimitsPatch {
            cpu: self.cpu.or(under.cpu),
            wall: self.wall.or(under.wall),
            memory: self.memory.or(under.memory),
            output: self.output.or(under.output),
            budget: self.budget.or(under.budget),
        }
    }
}

/// The longest time allowed: an hour.
const LONGEST: Duration = Duration::from_secs(3600);

/// The largest size allowed, in bytes: 64 GiB.
const LARGEST: u64 = 64 << 30;

/// Reads a time such as `500ms`, `1s`, `1.5s` or `2min`: more than zero, at most an hour.
///
/// # Errors
/// A sentence that shows how to write it.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "min" => 60.0,
        _ => return Err(format!("`{text}` is not a time; write it like `500ms`, `1.5s` or `2min`")),
    };
    let number: f64 =
        number.parse().map_err(|_| format!("`{text}` is not a time; write it like `500ms` or `1.5s`"))?;
    Duration::try_from_secs_f64(number * seconds)
        .ok()
        .filter(|time| !time.is_zero() && *time <= LONGEST)
        .ok_or_else(|| format!("`{text}` is out of range; a limit is more than zero and at most an hour"))
}

/// Reads a size such as `64KB`, `256MB` or `1GB`, in units of 1024: at least a byte, at most 64 GB.
///
/// # Errors
/// A sentence that shows how to write it.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let shift = match unit {
        "B" => 0,
        "KB" | "KiB" => 10,
        "MB" | "MiB" => 20,
        "GB" | "GiB" => 30,
        _ => return Err(format!("`{text}` is not a size; write it like `64KB`, `256MB` or `1GB`")),
    };
    let number: u64 =
        number.parse().map_err(|_| format!("`{text}` is not a size; write it like `64KB` or `256MB`"))?;
    number
        .checked_mul(1 << shift)
        .filter(|size| (1..=LARGEST).contains(size))
        .ok_or_else(|| format!("`{text}` is out of range; a limit is at least 1B and at most 64GB"))
}

fn split(text: &str) -> (&str, &str) {
    let end = text.find(|ch: char| !(ch.is_ascii_digit() || ch == '.')).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

#[cfg(test)]
mod tests {
    use super::{parse_size, parse_time};
    use std::time::Duration;

    #[test]
    fn times_and_sizes_are_read_with_their_units() {
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_time("2 min"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_size("64KB"), Ok(65536));
        assert_eq!(parse_size("1 GiB"), Ok(1 << 30));
    }

    #[test]
    fn texts_that_are_no_limit_are_refused() {
        for text in ["", "1", "s", "0s", "-1s", "1h", "1e9s", "3601s", "1.2.3s"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
        for text in ["", "1", "0KB", "1.5MB", "65GB", "99999999999999999999B", "1TB"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
