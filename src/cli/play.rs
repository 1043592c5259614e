//! `keur play`.

use super::args::{language_of_environment, one_of};
use super::error::{CliError, CliResult};
use super::exit::RunStatus;
use super::output;
use crate::play::{self, GameError, GameOptions, Lines, Seat, Server, Terminal, read_level};
use clap::Args;
use clap::builder::PossibleValuesParser;
use keur_core::case::parse_time;
use keur_core::exercises;
use keur_core::exercises::playable::{Level, Playable};
use keur_core::messages::Lang;
use keur_core::report::wrap::wrapped;
use std::io::{self, BufReader, IsTerminal};
use std::num::NonZeroU32;
use std::time::Duration;

#[derive(Args)]
pub(super) struct PlayArgs {
    /// The game
    #[arg(value_parser = games())]
    game: String,
    /// Who plays the side that moves first; keur asks if this is not given
    #[arg(long, value_name = "WHO", visible_alias = "white")]
    first: Option<PlayerKind>,
    /// Who plays the other side; keur asks if this is not given
    #[arg(long, value_name = "WHO", visible_alias = "black")]
    second: Option<PlayerKind>,
    /// Moves that the computer looks ahead, 1 to 30
    #[arg(long, value_name = "N", value_parser = depth)]
    depth: Option<NonZeroU32>,
    /// Time that the computer takes for a move, such as 2s; without --depth, the computer plays as well as it
    /// can
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// The starting position, as `save` writes it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    setup: Option<String>,
    /// Rows of the board, which has as many columns; keur asks if neither this nor --setup is given
    #[arg(long, value_name = "ROWS", conflicts_with = "setup")]
    size: Option<usize>,
    /// Play on a page in the browser
    #[arg(long)]
    browser: bool,
    /// Only print the address of that page
    #[arg(long, requires = "browser")]
    no_open: bool,
    /// The language: nl, da or en; that of the environment by default
    #[arg(long, value_name = "LANG", value_parser = one_of::<Lang>())]
    lang: Option<Lang>,
}

/// A player of a side.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum PlayerKind {
    /// A person
    Human,
    /// The computer
    Computer,
}

impl From<PlayerKind> for Seat {
    fn from(player: PlayerKind) -> Seat {
        match player {
            PlayerKind::Human => Seat::Human,
            PlayerKind::Computer => Seat::Computer,
        }
    }
}

pub(super) fn depth(text: &str) -> Result<NonZeroU32, String> {
    let level = read_level(text).and_then(|level| level.depth);
    level.ok_or_else(|| "expected a number from 1 to 30".to_owned())
}

/// The names of the games, for the parser of arguments.
pub(super) fn games() -> PossibleValuesParser {
    PossibleValuesParser::new(exercises::games().map(|playable| playable.name))
}

pub(super) fn run(args: &PlayArgs) -> CliResult {
    let Some(playable) = exercises::game(&args.game) else {
        return Err(CliError::Usage(format!("there is no game {}", args.game)));
    };
    if !playable.computer && (args.first.is_some() || args.second.is_some() || level(args).is_some()) {
        let game = playable.name;
        return Err(CliError::Usage(format!(
            "the computer does not play {game}: omit --first, --second, --depth and --time"
        )));
    }
    let lang = args.lang.or_else(language_of_environment).unwrap_or(Lang::En);
    let options = GameOptions {
        seats: vec![args.first.map(Seat::from), args.second.map(Seat::from)],
        level: level(args),
        setup: args.setup.clone(),
        rows: args.size,
        seed: getrandom::u64().unwrap_or_default(),
        colour: output::colour(io::stdout()),
        width: Some(output::width()),
    };
    if args.browser {
        in_browser(args, playable, options, lang)
    } else {
        in_terminal(playable, &options, lang)
    }
}

fn in_terminal(playable: &'static Playable, options: &GameOptions, lang: Lang) -> CliResult {
    let (mut piped, mut output) = (BufReader::new(io::stdin()), io::stdout().lock());
    let input = if io::stdin().is_terminal() {
        Lines::heard(BufReader::new(io::stdin()))
    } else {
        Lines::asked(&mut piped)
    };
    match Terminal::new(input, &mut output, play::words(lang)).play(playable, options) {
        // A closed pipe ends the game quietly.
        Err(GameError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
        ended => ended.map_err(|error| not_played(error, lang))?,
    }
    Ok(RunStatus::Passed)
}

fn in_browser(args: &PlayArgs, playable: &'static Playable, options: GameOptions, lang: Lang) -> CliResult {
    let server = Server::bind(playable, options, lang).map_err(|error| not_played(error, lang))?;
    let address = server.address();
    let served = play::words(lang).with("play-page-served", &[("address", &address)]);
    output::out(&format!("{}\n", wrapped(&served, output::width(), 0)));
    if !args.no_open
        && let Err(error) = open::that_detached(&address)
    {
        output::err(&format!("note: no browser could be opened ({error}); open the address yourself\n"));
    }
    server.run().map_err(|error| not_played(error.into(), lang))?;
    Ok(RunStatus::Passed)
}

fn not_played(error: GameError, lang: Lang) -> CliError {
    match error {
        GameError::Setup(why) => CliError::Usage(why.say(&play::words(lang))),
        GameError::Io(error) => CliError::fault(error.to_string()),
    }
}

fn level(args: &PlayArgs) -> Option<Level> {
    (args.depth.is_some() || args.time.is_some()).then_some(Level { depth: args.depth, time: args.time })
}
