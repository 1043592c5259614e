//! Deals the submissions of a class among machines.

use std::fmt;

/// Where the number of a shard comes from with `auto`: a variable, what sets it, and the number of the first.
const NUMBERED_BY: [(&str, &str, u32); 4] = [
    ("SLURM_ARRAY_TASK_ID", "Slurm", 1),
    ("JOB_COMPLETION_INDEX", "Kubernetes", 0),
    ("CI_NODE_INDEX", "GitLab", 1),
    ("PBS_ARRAY_INDEX", "PBS", 1),
];

/// The most shards of a class.
const MOST: u32 = 10_000;

/// A part of a class: the submissions that are dealt to one of a number of machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of the part, from 1.
    index: u32,
    /// The number of parts.
    count: u32,
}

impl Shard {
    /// Reads `I/N`, or `auto/N`: then `I` comes from the environment, whose variables `environment` looks up.
    ///
    /// # Errors
    /// The mistake in the text, and what to write instead.
    pub fn parse(text: &str, environment: &dyn Fn(&str) -> Option<String>) -> Result<Shard, String> {
        let malformed = || {
            format!(
                "`{text}` is not a shard: write I/N, such as 2/8 for the second of eight parts, or auto/8"
            )
        };
        let (index, count) = text.split_once('/').ok_or_else(malformed)?;
        let count = number(count).ok_or_else(malformed)?;
        if !(1..=MOST).contains(&count) {
            return Err(format!("`{text}` is not a shard: a class has 1 to {MOST} of them"));
        }
        if index == "auto" {
            return Shard::numbered(count, environment);
        }
        let index = number(index).ok_or_else(malformed)?;
        let shard = Shard { index, count };
        shard
            .is_one()
            .then_some(shard)
            .ok_or_else(|| format!("there is no shard {shard}: they are 1/{count} to {count}/{count}"))
    }

    /// The shard that the environment says this is.
    fn numbered(count: u32, environment: &dyn Fn(&str) -> Option<String>) -> Result<Shard, String> {
        let mut found: Option<(Shard, &str)> = None;
        for (variable, engine, first) in NUMBERED_BY {
            let Some(value) = environment(variable).filter(|value| !value.is_empty()) else { continue };
            let wrong = |why: String| format!("`auto/{count}`: {variable} of {engine} is `{value}`, {why}");
            let index = number(&value).ok_or_else(|| wrong("which is not a number".to_owned()))?;
            // From 0, `index` is below `MOST` or not a shard at all.
            let shard = Shard { index: index.saturating_add(1 - first), count };
            if !shard.is_one() {
                let last = first + count - 1;
                return Err(wrong(format!("but the parts are {first} to {last}: number the tasks so")));
            }
            match found {
                Some((other, earlier)) if other != shard => {
                    return Err(format!(
                        "`auto/{count}` is not clear: {earlier} says {other}, and {variable} says {shard}; write the number, such as {other}"
                    ));
                }
                Some(_) => {}
                None => found = Some((shard, variable)),
            }
        }
        let names: Vec<&str> = NUMBERED_BY.iter().map(|(variable, ..)| *variable).collect();
        found.map(|(shard, _)| shard).ok_or_else(|| {
            format!(
                "`auto/{count}` finds no number: none of {} is set; write it, such as 1/{count}",
                names.join(", ")
            )
        })
    }

    fn is_one(self) -> bool {
        (1..=self.count).contains(&self.index)
    }

    /// Whether submissions whose files have this digest, in hexadecimal digits, are dealt to this part. Equal
    /// ones are dealt to the same.
    ///
    /// It depends on nothing else, so that a class may grow while some machines still wait for their turn.
    pub fn has(self, files: &str) -> bool {
        let digits = files.get(..8).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        digits.unwrap_or_default() % self.count == self.index - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// A number in digits.
fn number(text: &str) -> Option<u32> {
    // `parse` takes a plus sign too.
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::Shard;

    /// Checks `text` under variables, as text.
    #[track_caller]
    fn check(text: &str, variables: &[(&str, &str)], expected: Result<&str, &str>) {
        let environment = |name: &str| {
            variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| (*value).to_owned())
        };
        match (Shard::parse(text, &environment).map(|shard| shard.to_string()), expected) {
            (Ok(shard), Ok(expected)) => assert_eq!(shard, expected),
            (Err(message), Err(expected)) => assert!(message.contains(expected), "{message}"),
            (found, expected) => panic!("{text}: {found:?}, not {expected:?}"),
        }
    }

    #[test]
    fn a_shard_is_numbered_from_one() {
        check("1/1", &[], Ok("1/1"));
        check("8/8", &[], Ok("8/8"));
        check("0/8", &[], Err("there is no shard 0/8: they are 1/8 to 8/8"));
        check("9/8", &[], Err("there is no shard 9/8"));
        check("1/0", &[], Err("1 to 10000"));
        check("1/99999999999", &[], Err("is not a shard"));
        for text in
            ["", "/", "3", "1/", "/8", "1/8/8", "+1/8", "1/ 8", "one/8", "-1/8", "auto", "auto/", "Auto/8"]
        {
            check(text, &[], Err("is not a shard: write I/N"));
        }
    }

    #[test]
    fn an_engine_numbers_its_tasks() {
        check("auto/8", &[("SLURM_ARRAY_TASK_ID", "3")], Ok("3/8"));
        check("auto/8", &[("JOB_COMPLETION_INDEX", "0")], Ok("1/8"));
        check("auto/8", &[("JOB_COMPLETION_INDEX", "7")], Ok("8/8"));
        check("auto/8", &[("CI_NODE_INDEX", "8")], Ok("8/8"));
        check("auto/8", &[("PBS_ARRAY_INDEX", "2"), ("CI_NODE_INDEX", "")], Ok("2/8"));
        check(
            "auto/8",
            &[],
            Err("none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, CI_NODE_INDEX, PBS_ARRAY_INDEX is set"),
        );
        check("auto/8", &[("SLURM_ARRAY_TASK_ID", "0")], Err("is `0`, but the parts are 1 to 8"));
        check("auto/8", &[("JOB_COMPLETION_INDEX", "8")], Err("is `8`, but the parts are 0 to 7"));
        check("auto/8", &[("JOB_COMPLETION_INDEX", "4294967295")], Err("but the parts are 0 to 7"));
        check(
            "auto/8",
            &[("PBS_ARRAY_INDEX", "two")],
            Err("PBS_ARRAY_INDEX of PBS is `two`, which is not a number"),
        );
        check("auto/8", &[("SLURM_ARRAY_TASK_ID", "3"), ("CI_NODE_INDEX", "3")], Ok("3/8"));
        check(
            "auto/8",
            &[("SLURM_ARRAY_TASK_ID", "3"), ("CI_NODE_INDEX", "1")],
            Err("SLURM_ARRAY_TASK_ID says 3/8, and CI_NODE_INDEX says 1/8"),
        );
    }

    #[test]
    fn each_submission_is_in_one_shard_and_the_shards_are_alike_in_size() {
        let shards: Vec<Shard> =
            (1..=8).map(|index| Shard::parse(&format!("{index}/8"), &|_| None).unwrap()).collect();
        let mut sizes = [0; 8];
        for number in 0..2000_u32 {
            let digest = format!("{:08x}{number:056x}", number.wrapping_mul(0x9e37_79b9));
            let at: Vec<usize> = (0..8).filter(|index| shards[*index].has(&digest)).collect();
            assert_eq!(at.len(), 1, "{digest} is in {at:?}");
            sizes[at[0]] += 1;
        }
        assert!(sizes.iter().all(|size| (200..300).contains(size)), "{sizes:?}");
    }
}
