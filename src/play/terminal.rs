//! The game on a terminal, or over pipes: reads a line, writes the result.

use super::GameError;
use super::draw::{Marks, draw};
use super::lines::Lines;
use super::round::{HEADER, LONGEST_TEXT, Round, Seat};
use crate::writing;
use keur_core::exercises::playable::{Adviser, GameStanding, Level, Move, Playable};
use keur_core::messages::{Message, Messages};
use keur_core::report::wrap::wrapped;
use std::fs;
use std::io::{self, Read, Write};
use std::mem::take;
use std::path::Path;

/// The separator of moves in a list.
const GAP: &str = "  ";

/// The options of a game; missing ones are asked for.
#[derive(Clone, Default)]
pub struct GameOptions {
    /// The player of each side.
    pub seats: Vec<Option<Seat>>,
    /// The effort of the computer.
    pub level: Option<Level>,
    /// The starting position.
    pub setup: Option<String>,
    /// The size of the board, unless there is a starting position.
    pub rows: Option<usize>,
    /// The seed of random starting positions.
    pub seed: u64,
    /// Whether the output may be coloured.
    pub colour: bool,
    /// The columns of the terminal; lines are not broken without a number.
    pub width: Option<usize>,
}

/// A terminal on which games are played.
pub struct Terminal<'a> {
    input: Lines<'a>,
    output: &'a mut dyn Write,
    pub(super) words: Messages,
    colour: bool,
    width: usize,
    /// The prompt on the current line: over a pipe, no line break is typed after it.
    begun: String,
}

/// The next act after a line.
enum AfterLine {
    /// Read another line.
    Line,
    /// Show the board: a move was made or taken back.
    Moved,
    /// End the game.
    Quit,
}

impl GameOptions {
    /// A new game with the starting position or the size.
    pub(super) fn round(&self, playable: &'static Playable) -> Result<Round, Message> {
        match &self.setup {
            Some(setup) => Round::new(playable, setup),
            None => Round::new(playable, &playable.start(self.rows, self.seed)?),
        }
    }
}

impl<'a> Terminal<'a> {
    /// A terminal that reads from `input`, writes to `output` and speaks `words`.
    pub fn new(input: Lines<'a>, output: &'a mut dyn Write, words: Messages) -> Terminal<'a> {
        Terminal { input, output, words, colour: false, width: usize::MAX, begun: String::new() }
    }

    /// Plays a game to its end, the end of the input or `quit`.
    ///
    /// # Errors
    /// If the output cannot be written, or if the setup is not valid.
    pub fn play(&mut self, playable: &'static Playable, options: &GameOptions) -> Result<(), GameError> {
        self.colour = options.colour;
        self.width = options.width.unwrap_or(usize::MAX);
        let asks_size = playable.sizes.is_some() && options.setup.is_none() && options.rows.is_none();
        // A wrong position or size is refused before any question.
        let known = if asks_size { None } else { Some(options.round(playable)) };
        let known = known.transpose().map_err(GameError::Setup)?;
        self.title(playable)?;
        let round = match known {
            Some(round) => Some(round),
            None => self.ask_size(playable, options)?,
        };
        let Some(mut round) = round else { return Ok(self.farewell()?) };
        let Some((seats, level)) = self.ask_options(playable, options)? else {
            return Ok(self.farewell()?);
        };
        let mut adviser = playable.adviser.map(|make| make());
        self.show(&round, &Marks::default())?;
        loop {
            let next = match (round.state().standing(), adviser.as_deref_mut()) {
                (_, Some(adviser)) if round.is_turn_of(&seats, Seat::Computer) => {
                    self.computer_moves(&mut round, &seats, adviser, level)?
                }
                (GameStanding::Turn(_), adviser) => self.human_moves(&mut round, &seats, adviser, level)?,
                // Only a person can take the last move back.
                (_, adviser) if seats.contains(&Seat::Human) => {
                    self.human_moves(&mut round, &seats, adviser, level)?
                }
                _ => AfterLine::Quit,
            };
            match next {
                AfterLine::Line => {}
                AfterLine::Moved => self.show(&round, &last_marks(&round))?,
                AfterLine::Quit => return Ok(self.farewell()?),
            }
        }
    }

    fn title(&mut self, playable: &Playable) -> io::Result<()> {
        let title = self.words.say(&format!("play-title-{}", playable.name));
        let goal = self.words.say(&format!("play-goal-{}", playable.name));
        let help = self.words.say("play-help-hint");
        self.write(&format!("{title}\n{goal}\n{help}\n\n"))
    }

    /// Lets the computer move, unless the player types something before.
    fn computer_moves(
        &mut self,
        round: &mut Round,
        seats: &[Seat],
        adviser: &mut dyn Adviser,
        level: Level,
    ) -> io::Result<AfterLine> {
        self.say_thinking()?;
        let thought = adviser.think(round.state(), level, &|| self.input.is_waiting());
        if self.input.is_waiting() {
            return match self.input.next()? {
                Some(line) => self.obey(&line, round, seats, None, level),
                None => Ok(AfterLine::Quit),
            };
        }
        let played = thought.map(|thought| {
            let done = round.play(&thought.best.to_string());
            done.map(|()| thought.said)
        });
        match played {
            Some(Ok(said)) => {
                self.say(&Message::new("play-thinks").with("said", said.say(&self.words)))?;
                Ok(AfterLine::Moved)
            }
            // An adviser never breaks the rules, and is only asked if there is a move.
            Some(Err(_)) | None => Ok(AfterLine::Quit),
        }
    }

    fn human_moves(
        &mut self,
        round: &mut Round,
        seats: &[Seat],
        adviser: Option<&mut (dyn Adviser + 'static)>,
        level: Level,
    ) -> io::Result<AfterLine> {
        let prompt = match round.state().standing() {
            GameStanding::Turn(side) => Message::new("play-prompt").with_message(
                "side",
                Message::new(round.playable.sides.get(side).copied().unwrap_or_default()),
            ),
            GameStanding::Won(_) | GameStanding::Draw | GameStanding::Solved => {
                Message::new("play-prompt-over")
            }
        };
        match self.line(&prompt)? {
            Some(line) => self.obey(&line, round, seats, adviser, level),
            None => Ok(AfterLine::Quit),
        }
    }

    /// Does what a line says: a command, or a move of a person.
    fn obey(
        &mut self,
        line: &str,
        round: &mut Round,
        seats: &[Seat],
        adviser: Option<&mut (dyn Adviser + 'static)>,
        level: Level,
    ) -> io::Result<AfterLine> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command.to_lowercase().as_str() {
            "" => Ok(AfterLine::Line),
            "quit" => Ok(AfterLine::Quit),
            "help" => self.help(round.playable).map(|()| AfterLine::Line),
            "moves" => self.list_moves(round).map(|()| AfterLine::Line),
            "undo" if rest.is_empty() => self.undo(round, seats, 1),
            "undo" => match rest.parse() {
                Ok(times) => self.undo(round, seats, times),
                Err(_) => self.refuse("play-undo-times"),
            },
            "save" | "load" if rest.is_empty() => self.refuse("play-no-file"),
            "save" => self.save(round, Path::new(rest)).map(|()| AfterLine::Line),
            "load" => self.load(round, Path::new(rest)),
            _ if round.is_turn_of(seats, Seat::Computer) => self.refuse("play-computers-turn"),
            "hint" => self.hint(round, adviser, level).map(|()| AfterLine::Line),
            _ if self.show_targets(round, line)? => Ok(AfterLine::Line),
            _ => match round.play(line) {
                Ok(()) => Ok(AfterLine::Moved),
                Err(why) => {
                    self.say(&why)?;
                    Ok(AfterLine::Line)
                }
            },
        }
    }

    /// Takes back the last human moves, up to `times` of them.
    fn undo(&mut self, round: &mut Round, seats: &[Seat], times: u8) -> io::Result<AfterLine> {
        let taken_back: usize = (0..times).map(|_| round.undo(seats)).sum();
        if taken_back > 0 { Ok(AfterLine::Moved) } else { self.refuse("play-nothing-to-undo") }
    }

    /// Shows the targets of the piece on the typed spot; returns whether the line is such a spot.
    fn show_targets(&mut self, round: &Round, line: &str) -> io::Result<bool> {
        let Some(Move { from: None, to: spot }) = Move::read(line) else { return Ok(false) };
        let from_here =
            |found: &Move| found.from.as_ref().is_some_and(|from| from.eq_ignore_ascii_case(&spot));
        let targets: Vec<String> =
            round.state().moves().into_iter().filter(from_here).map(|found| found.to).collect();
        if targets.is_empty() {
            return Ok(false);
        }
        let said = Message::new("play-targets").with("from", &spot).with("targets", targets.join(", "));
        self.show_board(round, &Marks { targets, ..Marks::default() })?;
        self.say(&said)?;
        Ok(true)
    }

    fn help(&mut self, playable: &Playable) -> io::Result<()> {
        let typed = self.words.say(&format!("play-typed-{}", playable.name));
        let commands = self.words.say("play-commands");
        self.write(&format!("{typed}\n{commands}\n"))
    }

    fn list_moves(&mut self, round: &Round) -> io::Result<()> {
        let moves: Vec<String> = round.state().moves().iter().map(Move::to_string).collect();
        self.write(&format!("{}\n", moves.join(GAP)))
    }

    fn hint(
        &mut self,
        round: &Round,
        adviser: Option<&mut (dyn Adviser + 'static)>,
        level: Level,
    ) -> io::Result<()> {
        let Some(adviser) = adviser else { return self.refuse("play-no-adviser").map(drop) };
        self.say_thinking()?;
        let Some(thought) = adviser.think(round.state(), level, &|| self.input.is_waiting()) else {
            return self.refuse("play-no-hint").map(drop);
        };
        let line: Vec<String> = thought.line.iter().map(Move::to_string).collect();
        let said = thought.said.say(&self.words);
        let hint = Message::new("play-hint").with("move", &thought.best).with("said", said);
        self.say(&hint)?;
        if line.len() > 1 {
            self.say(&Message::new("play-line").with("line", line.join(" ")))?;
        }
        Ok(())
    }

    /// Says that the next line may take a while.
    fn say_thinking(&mut self) -> io::Result<()> {
        self.say(&Message::new("play-page-thinking"))?;
        self.output.flush()
    }

    fn save(&mut self, round: &Round, path: &Path) -> io::Result<()> {
        let shown = path.to_string_lossy().into_owned();
        // A file that is not a saved game is not overwritten.
        let taken = path.exists() && !fs::read(path).is_ok_and(|bytes| bytes.starts_with(HEADER.as_bytes()));
        if taken {
            return self.say(&Message::new("play-not-a-game").with("file", shown));
        }
        match writing::write(path, round.text()) {
            Ok(()) => self.say(&Message::new("play-saved").with("file", shown)),
            Err(why) => self.say(&Message::new("play-not-saved").with("file", shown).with("why", why)),
        }
    }

    fn load(&mut self, round: &mut Round, path: &Path) -> io::Result<AfterLine> {
        let shown = path.to_string_lossy().into_owned();
        let wrong = |why: String| Message::new("play-not-loaded").with("file", &shown).with("why", why);
        let read = fs::File::open(path).and_then(|file| {
            let mut text = String::new();
            file.take(LONGEST_TEXT as u64).read_to_string(&mut text).map(|_| text)
        });
        let loaded = match read {
            Ok(text) => Round::read(&text).map_err(|why| wrong(why.say(&self.words))),
            Err(why) => Err(wrong(why.to_string())),
        };
        match loaded {
            Ok(loaded) if loaded.playable.name != round.playable.name => {
                let title = self.words.say(&format!("play-title-{}", loaded.playable.name));
                self.say(&Message::new("play-other-game").with("game", title))?;
                Ok(AfterLine::Line)
            }
            Ok(loaded) => {
                *round = loaded;
                Ok(AfterLine::Moved)
            }
            Err(why) => {
                self.say(&why)?;
                Ok(AfterLine::Line)
            }
        }
    }

    /// Shows the board, the last move, and the state of the game.
    fn show(&mut self, round: &Round, marks: &Marks) -> io::Result<()> {
        if let Some(told) = round.told() {
            self.say(&told)?;
        }
        self.show_board(round, marks)?;
        for note in round.state().notes() {
            self.say(&note)?;
        }
        match round.state().standing() {
            GameStanding::Turn(_) => Ok(()),
            GameStanding::Won(_) | GameStanding::Draw | GameStanding::Solved => self.say(&round.stands()),
        }
    }

    fn show_board(&mut self, round: &Round, marks: &Marks) -> io::Result<()> {
        self.begun.clear();
        let board = draw(&round.state().drawing(), marks, &self.words, self.colour);
        writeln!(self.output, "\n{board}")
    }

    fn refuse(&mut self, id: &'static str) -> io::Result<AfterLine> {
        self.say(&Message::new(id)).map(|()| AfterLine::Line)
    }

    pub(super) fn say(&mut self, message: &Message) -> io::Result<()> {
        self.write(&format!("{}\n", message.say(&self.words)))
    }

    fn write(&mut self, lines: &str) -> io::Result<()> {
        for line in lines.lines() {
            let line = self.broken(line);
            self.begun.clear();
            writeln!(self.output, "{line}")?;
        }
        Ok(())
    }

    /// The text, broken between words where the terminal ends, to be written after the prompt.
    fn broken(&mut self, text: &str) -> String {
        let begun = take(&mut self.begun);
        let whole = if begun.is_empty() { text.to_owned() } else { format!("{begun} {text}") };
        let whole = wrapped(&whole, self.width, 0);
        let rest = whole.get(begun.len()..).unwrap_or_default();
        self.begun = whole.rsplit('\n').next().unwrap_or_default().to_owned();
        rest.strip_prefix(' ').unwrap_or(rest).to_owned()
    }

    fn farewell(&mut self) -> io::Result<()> {
        self.say(&Message::new("play-farewell"))
    }

    /// Asks, and reads a line; `None` at the end of the input.
    pub(super) fn line(&mut self, question: &Message) -> io::Result<Option<String>> {
        let question = self.broken(&question.say(&self.words));
        write!(self.output, "{question} ")?;
        self.output.flush()?;
        let line = self.input.next()?;
        if line.is_none() {
            writeln!(self.output)?;
        }
        if line.is_none() || self.input.is_typed() {
            self.begun.clear();
        }
        Ok(line)
    }
}

fn last_marks(round: &Round) -> Marks {
    let Some(played) = round.last() else { return Marks::default() };
    let chosen = &played.chosen;
    Marks {
        left: chosen.from.clone().into_iter().collect(),
        reached: vec![chosen.to.clone()],
        targets: Vec::new(),
    }
}
