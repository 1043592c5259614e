//! The questions before a game on a terminal: how large the board is, who plays, and how well.
//!
//! At each, `help` says what can be typed, `quit` ends the program, and an empty line is the answer in
//! brackets.

use super::round::{HINT, Round, Seat, USUAL, read_level, shown};
use super::terminal::{GameOptions, Terminal};
use keur_core::exercises::playable::{Level, Playable};
use keur_core::messages::Message;
use std::io;

/// A question, until it is answered.
struct Question {
    asked: Message,
    /// The help: the words that can be typed.
    help: Message,
    /// The message on another answer, without the answer.
    unknown: Message,
}

impl Terminal<'_> {
    /// Asks for the size of the board, and makes the game; `None` if the player wants to stop.
    pub(super) fn ask_size(
        &mut self,
        playable: &'static Playable,
        options: &GameOptions,
    ) -> io::Result<Option<Round>> {
        let Some(sizes) = &playable.sizes else { return Ok(options.round(playable).ok()) };
        let question = Question {
            asked: sizes.message(sizes.question).with("usual", sizes.usual),
            help: sizes.message("play-help-size"),
            unknown: sizes.message("play-size-unknown"),
        };
        self.ask(&question, |answer| {
            let rows = if answer.is_empty() { None } else { Some(answer.parse().ok()?) };
            GameOptions { rows, ..options.clone() }.round(playable).ok()
        })
    }

    /// Asks for the missing players and level; `None` if the player wants to stop.
    pub(super) fn ask_options(
        &mut self,
        playable: &Playable,
        options: &GameOptions,
    ) -> io::Result<Option<(Vec<Seat>, Level)>> {
        let mut seats = Vec::new();
        for (index, side) in playable.sides.iter().enumerate() {
            let known = options.seats.get(index).copied().flatten();
            let seat = if playable.computer { known } else { Some(Seat::Human) };
            let seat = match seat {
                Some(seat) => seat,
                None => match self.ask_seat(side, if index == 0 { Seat::Human } else { Seat::Computer })? {
                    Some(seat) => seat,
                    None => return Ok(None),
                },
            };
            seats.push(seat);
        }
        let level = match options.level {
            Some(level) => Some(level),
            None if !seats.contains(&Seat::Computer) => Some(HINT),
            None => self.ask_level()?,
        };
        Ok(level.map(|level| (seats, level)))
    }

    fn ask_seat(&mut self, side: &'static str, usual: Seat) -> io::Result<Option<Seat>> {
        let (human, computer) = (self.words.say("play-human"), self.words.say("play-computer"));
        let name = if usual == Seat::Human { &human } else { &computer };
        let question = Question {
            asked: Message::new("play-ask-seat").with_message("side", Message::new(side)).with("usual", name),
            help: Message::new("play-help-seat"),
            unknown: Message::new("play-seat-unknown"),
        };
        let begins = |name: &str, answer: &str| name.to_lowercase().starts_with(answer);
        self.ask(&question, |answer| match answer {
            "" => Some(usual),
            answer if begins(&human, answer) || begins("human", answer) => Some(Seat::Human),
            answer if begins(&computer, answer) || begins("computer", answer) => Some(Seat::Computer),
            _ => None,
        })
    }

    fn ask_level(&mut self) -> io::Result<Option<Level>> {
        let question = Question {
            asked: Message::new("play-ask-level"),
            help: Message::new("play-help-level"),
            unknown: Message::new("play-level-unknown"),
        };
        self.ask(&question, |answer| if answer.is_empty() { Some(USUAL) } else { read_level(answer) })
    }

    /// Asks until `read` understands the answer, which it gets in lower case; `None` if the player wants to
    /// stop.
    fn ask<T>(&mut self, question: &Question, read: impl Fn(&str) -> Option<T>) -> io::Result<Option<T>> {
        loop {
            let Some(line) = self.line(&question.asked)? else { return Ok(None) };
            match line.to_lowercase().as_str() {
                "quit" => return Ok(None),
                "help" => {
                    self.say(&question.help)?;
                    self.say(&Message::new("play-help-question"))?;
                }
                answer => match read(answer) {
                    Some(answer) => return Ok(Some(answer)),
                    None => self.say(&question.unknown.clone().with("typed", shown(&line)))?,
                },
            }
        }
    }
}
