//! How much keur keeps of one case: what a submission answers, prints and leaves in files.

use crate::adapter::transcript::{
    End, Exception, FoundFile, Halt, Missing, Observation, Ran, StepOutcome, StepTranscript, Transcript,
};
use crate::sandbox::{Folder, FolderEntry, Stop};
use crate::value::{Cut, Text, Value};

/// Memory that the observations of a case may take together, in bytes. Keur's own drivers send values of at
/// most 1 MiB.
const MOST_OBSERVED: usize = 32 << 20;

/// The most bytes of files that keur reads in a case, each file as often as it is read.
const MOST_READ: usize = 32 << 20;

/// The bytes that keur may still keep of a case.
#[derive(Clone)]
pub(super) struct Allowance {
    observed: usize,
    read: usize,
}

impl Default for Allowance {
    /// The allowance of a case that has not begun.
    fn default() -> Allowance {
        Allowance { observed: MOST_OBSERVED, read: MOST_READ }
    }
}

impl Allowance {
    /// The part of a value that is kept: all of it, or that it was too large.
    pub(super) fn value(&mut self, value: Value) -> Value {
        if takes(&mut self.observed, value.memory()) { value } else { Value::Cut(Cut::Size) }
    }

    /// An observation with values that were kept; without room for the rest of it, the case ends there.
    pub(super) fn observation(&mut self, observation: Observation) -> Observation {
        if takes(&mut self.observed, memory(&observation)) {
            return observation;
        }
        Observation::bare(StepOutcome::Halted(Halt::Stopped(Stop::Output)))
    }

    /// The run of a program; without room for what it printed, it counts as stopped.
    pub(super) fn program(&mut self, ran: Ran) -> Ran {
        if takes(&mut self.observed, memory_of_program(&ran)) {
            return ran;
        }
        let end = End::Halted(Halt::Stopped(Stop::Output));
        Ran { turns: Vec::new(), errors: Vec::new(), end, ..ran }
    }

    /// The entries of `folder` with these names; `None` if they have more bytes than may be kept.
    pub(super) fn files(&mut self, folder: &Folder, names: &[String]) -> Option<Vec<FoundFile>> {
        let mut found = Vec::with_capacity(names.len());
        for name in names {
            let entry = folder.read(name);
            if let FolderEntry::File(bytes) = &entry
                && !takes(&mut self.read, bytes.len())
            {
                return None;
            }
            found.push(FoundFile { name: name.clone(), entry });
        }
        Some(found)
    }
}

/// Whether there is room for this much, which is then taken.
fn takes(room: &mut usize, size: usize) -> bool {
    match room.checked_sub(size) {
        Some(left) => {
            *room = left;
            true
        }
        None => false,
    }
}

/// The approximate memory of a transcript, in bytes.
pub(crate) fn memory_of(transcript: &Transcript) -> usize {
    let value = |observation: &Observation| match &observation.outcome {
        StepOutcome::Value { value, .. } => value.as_ref().map_or(0, Value::memory),
        _ => 0,
    };
    let observations = transcript.steps.iter().flat_map(StepTranscript::observations);
    observations.map(|observation| memory(observation) + value(observation)).sum()
}

/// The approximate memory of an observation apart from its values, in bytes.
fn memory(observation: &Observation) -> usize {
    // Standard error has a limit of its own.
    let Observation { outcome, output, errors: _, is, types, subclasses, shown } = observation;
    let outcome = match outcome {
        StepOutcome::Raised(raised) => exception(raised),
        StepOutcome::Missing(Missing { kind: _, name, on, near }) => {
            name.len() + on.len() + near.as_ref().map_or(0, String::len)
        }
        StepOutcome::Halted(_) | StepOutcome::Unbound(_) | StepOutcome::Value { .. } => 0,
    };
    size_of_val(observation)
        + output.len()
        + names(is)
        + names(types)
        + names(subclasses)
        + shown.as_ref().map_or(0, String::len)
        + outcome
}

/// The approximate memory of the run of a program, in bytes.
fn memory_of_program(ran: &Ran) -> usize {
    let Ran { command, turns, errors, end } = ran;
    let turns = turns
        .iter()
        .map(|turn| turn.printed.len() + turn.sent.as_ref().map_or(0, String::len) + size_of_val(turn));
    let end = if let End::Raised(raised) = end { exception(raised) } else { 0 };
    size_of_val(ran) + command.len() + errors.len() + turns.sum::<usize>() + end
}

fn names(names: &[String]) -> usize {
    names.iter().map(|name| size_of_val(name) + name.len()).sum()
}

fn exception(raised: &Exception) -> usize {
    let Exception { kind, bases, message, trace, syntax, is_past_input: _ } = raised;
    let text = |text: &Text| Value::Str(text.clone()).memory();
    let frames = trace.iter().map(|frame| size_of_val(frame) + frame.file.len() + frame.function.len());
    let brief = syntax.as_ref().and_then(|syntax| syntax.brief.as_ref());
    kind.len()
        + names(bases)
        + message.as_ref().map_or(0, text)
        + frames.sum::<usize>()
        + brief.map_or(0, String::len)
}

#[cfg(test)]
mod tests {
    use super::{Allowance, MOST_OBSERVED, MOST_READ};
    use crate::adapter::transcript::{Exception, Halt, Observation, ProgramTurn, StepOutcome};
    use crate::adapter::{End, Ran};
    use crate::sandbox::{Folder, Stop};
    use crate::value::{Text, Value};

    /// Checks how often something of this size `fits` in the room of a case.
    #[track_caller]
    fn check_kept(size: usize, mut fits: impl FnMut(&mut Allowance) -> bool) {
        let mut room = Allowance::default();
        let kept = (0..).take_while(|_| fits(&mut room)).count();
        let most = MOST_OBSERVED / size;
        assert!((most / 2..=most).contains(&kept), "{kept} of {most}");
    }

    #[test]
    fn all_of_an_observation_takes_room() {
        let long = "x".repeat(1 << 20);
        let with = |outcome| Observation::bare(outcome);
        let done = || StepOutcome::Value { value: None, text: None };
        let message = Some(Text::from(long.as_str()));
        let raised = Exception { message, bases: vec![long.clone()], ..Exception::default() };
        let turn = ProgramTurn { printed: long.clone().into(), sent: None };
        let ran = Ran { command: String::new(), turns: vec![turn], errors: Vec::new(), end: End::Exited(0) };
        for (observation, size) in [
            (Observation { output: long.clone().into(), ..with(done()) }, 1 << 20),
            (Observation { is: vec![long.clone(); 2], ..with(done()) }, 2 << 20),
            (Observation { types: vec![long.clone()], ..with(done()) }, 1 << 20),
            (with(StepOutcome::Raised(raised.clone())), 2 << 20),
        ] {
            check_kept(size, |room| room.observation(observation.clone()) == observation);
        }
        for (ran, size) in [(ran.clone(), 1 << 20), (Ran { end: End::Raised(raised), ..ran }, 3 << 20)] {
            check_kept(size, |room| room.program(ran.clone()) == ran);
        }
    }

    #[test]
    fn a_value_beyond_the_allowance_is_cut_and_other_output_ends_the_case() {
        let mut room = Allowance::default();
        let large = Value::from("x".repeat(MOST_OBSERVED - 200).as_str());
        assert_eq!(room.value(large.clone()), large);
        assert_ne!(room.value(large.clone()), large);
        let printed = Observation {
            output: vec![b'x'; 300],
            ..Observation::bare(StepOutcome::Value { value: None, text: None })
        };
        let ended = Observation::bare(StepOutcome::Halted(Halt::Stopped(Stop::Output)));
        assert_eq!(room.observation(printed), ended);
    }

    #[test]
    fn a_file_takes_room_each_time_it_is_read() {
        let megabytes = 4;
        let bytes = vec![b'x'; megabytes << 20];
        let folder = Folder::new([("out.txt", &*bytes)]).unwrap();
        let mut room = Allowance::default();
        let names = ["out.txt".to_owned(), "none.txt".to_owned()];
        let read = (0..100).take_while(|_| room.files(&folder, &names).is_some()).count();
        assert_eq!(read, (MOST_READ >> 20) / megabytes);
    }
}
