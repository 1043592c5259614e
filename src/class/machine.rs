//! The name of the machine and the time, for those who later ask who graded what, where and when.

use std::fmt::Write;
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

/// The name of this machine.
pub fn host() -> String {
    let name = host_name();
    if name.is_empty() { "this machine".to_owned() } else { name }
}

#[cfg(unix)]
fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// The seconds since 1970 (UTC).
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// A time in seconds since 1970, as people write it: `2026-11-23 18:30:05 UTC`.
pub fn written_time(seconds: i64) -> String {
    match jiff::Timestamp::from_second(seconds) {
        Ok(time) => time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        Err(_) => format!("{seconds} seconds after 1970"),
    }
}

/// A name for a run that starts now: unique among all machines, and fit for a file.
pub(super) fn attempt_id(started: i64) -> String {
    let mut random = [0; 4];
    // Without random bytes, the time, the machine and the process have to do.
    let _ = getrandom::fill(&mut random);
    let time = match jiff::Timestamp::from_second(started) {
        Ok(time) => time.strftime("%Y%m%dT%H%M%SZ").to_string(),
        Err(_) => started.to_string(),
    };
    let fit = |ch: char| if ch.is_ascii_alphanumeric() || ".-_".contains(ch) { ch } else { '-' };
    let host: String = host().chars().map(fit).collect();
    let mut id = format!("{time}-{host}-{}-", process::id());
    for byte in random {
        let _ = write!(id, "{byte:02x}");
    }
    id
}

#[cfg(test)]
mod tests {
    use super::{attempt_id, written_time};

    #[test]
    fn the_name_of_a_run_is_fit_for_a_file_and_unique() {
        let (one, other) = (attempt_id(0), attempt_id(0));
        assert!(one.starts_with("19700101T000000Z-"), "{one}");
        assert!(one.chars().all(|ch| ch.is_ascii_alphanumeric() || ".-_".contains(ch)), "{one}");
        assert_ne!(one, other);
    }

    #[test]
    fn a_time_is_written_in_utc() {
        assert_eq!(written_time(1_764_000_000), "2025-11-24 16:00:00 UTC");
    }
}
