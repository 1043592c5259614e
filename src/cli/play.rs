//! `keur play`.

use super::{Exit, PlayArgs, output};
use crate::exercises;
use crate::exercises::playable::{Level, Playable};
use crate::messages::Lang;
use crate::play::{self, Options, Seat, Server, Terminal};
use clap::builder::PossibleValuesParser;
use std::io;

/// The names of the games, for the parser of arguments.
pub(super) fn games() -> PossibleValuesParser {
    PossibleValuesParser::new(exercises::games().map(|playable| playable.name))
}

pub(super) fn run(args: &PlayArgs) -> Exit {
    let Some(playable) = exercises::game(&args.game) else {
        return usage(&format!("there is no game {}", args.game));
    };
    if !playable.computer && (args.white.is_some() || args.black.is_some() || level(args).is_some()) {
        return usage(&format!(
            "the computer does not play {}: leave --white, --black, --depth and --time out",
            playable.name
        ));
    }
    let lang = args.lang.unwrap_or_else(language_of_environment);
    let options = Options {
        seats: vec![args.white.map(Seat::from), args.black.map(Seat::from)],
        level: level(args),
        setup: args.setup.clone(),
        chance: getrandom::u64().unwrap_or_default(),
        colour: output::colour(&args.style.color, &io::stdout()),
    };
    if args.browser {
        in_browser(args, playable, options, lang)
    } else {
        in_terminal(playable, &options, lang)
    }
}

fn in_terminal(playable: &'static Playable, options: &Options, lang: Lang) -> Exit {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    match Terminal::new(&mut input, &mut output, play::words(lang)).play(playable, options) {
        Ok(Ok(())) => Exit::Passed,
        Ok(Err(why)) => usage(&why.say(&play::words(lang))),
        // Whoever read along has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Passed,
        Err(error) => fault(&error),
    }
}

fn in_browser(args: &PlayArgs, playable: &'static Playable, options: Options, lang: Lang) -> Exit {
    let words = play::words(lang);
    let server = match Server::bind(playable, options, lang) {
        Ok(Ok(server)) => server,
        Ok(Err(why)) => return usage(&why.say(&words)),
        Err(error) => return fault(&error),
    };
    let address = server.address();
    output::out(&format!("{}\n", words.with("play-page-served", &[("address", &address)])));
    if !args.no_open
        && let Err(error) = open::that_detached(&address)
    {
        output::err(&format!("note: no browser could be opened ({error}); open the address yourself\n"));
    }
    match server.run() {
        Ok(()) => Exit::Passed,
        Err(error) => fault(&error),
    }
}

fn level(args: &PlayArgs) -> Option<Level> {
    (args.depth.is_some() || args.time.is_some()).then_some(Level { depth: args.depth, time: args.time })
}

fn usage(why: &str) -> Exit {
    output::err(&format!("error: {why}\n"));
    Exit::Usage
}

fn fault(error: &io::Error) -> Exit {
    output::err(&format!("error: {error}\n"));
    Exit::Fault
}

/// The language that the environment asks for, as other programs find it; English where it asks for another.
fn language_of_environment() -> Lang {
    let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let asked = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(set);
    asked.and_then(|value| Lang::from_code(value.get(..2)?)).unwrap_or(Lang::En)
}
