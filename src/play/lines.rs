//! The lines that players type.
//!
//! On a terminal they are heard while the computer thinks. Over a pipe each is read when the game asks for
//! it, so that the same input always plays the same game.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

/// The most bytes of a line; what follows is another line.
const LONGEST_LINE: u64 = 4 << 10;

/// The lines of a player.
pub struct Lines<'a>(LineSource<'a>);

enum LineSource<'a> {
    Asked(&'a mut dyn BufRead),
    Heard {
        typed: Receiver<io::Result<Option<String>>>,
        /// How many were typed, the end of the input included.
        count: Arc<AtomicUsize>,
        /// How many were taken.
        taken: usize,
    },
}

impl<'a> Lines<'a> {
    /// Lines that are read when the game asks for them.
    pub fn asked(input: &'a mut dyn BufRead) -> Lines<'a> {
        Lines(LineSource::Asked(input))
    }

    /// Lines that are heard at once.
    pub fn heard(mut input: impl BufRead + Send + 'static) -> Lines<'a> {
        let (sender, typed) = mpsc::channel();
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        // Ends with the input, or with the program.
        thread::spawn(move || {
            loop {
                let line = read(&mut input);
                let more = matches!(line, Ok(Some(_)));
                let sent = sender.send(line).is_ok();
                counted.fetch_add(1, Ordering::Release);
                if !more || !sent {
                    return;
                }
            }
        });
        Lines(LineSource::Heard { typed, count, taken: 0 })
    }

    /// Whether the player has typed something that was not taken yet.
    pub(super) fn is_waiting(&self) -> bool {
        match &self.0 {
            LineSource::Asked(_) => false,
            LineSource::Heard { count, taken, .. } => count.load(Ordering::Acquire) > *taken,
        }
    }

    /// Whether the lines are typed on a terminal, which shows them.
    pub(super) fn is_typed(&self) -> bool {
        matches!(self.0, LineSource::Heard { .. })
    }

    /// The next line; `None` at the end of the input.
    pub(super) fn next(&mut self) -> io::Result<Option<String>> {
        match &mut self.0 {
            LineSource::Asked(input) => read(*input),
            LineSource::Heard { typed, taken, .. } => {
                *taken += 1;
                // The thread is gone after the end of the input.
                typed.recv().unwrap_or(Ok(None))
            }
        }
    }
}

fn read(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = input.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned()))
}
