//! The examples in the help of each command.

use clap::Command;

/// Commands by their path, each with examples of it.
const EXAMPLES: &[(&str, &[&str])] = &[
    ("grade", &["keur grade quixo.py", "keur grade --each submissions --format html=report/"]),
    ("test", &["keur test quixo.py", "keur test quixo.py corners -- --exact"]),
    ("dodona", &["keur dodona --exercise quixo < request.json"]),
    ("kattis", &["keur kattis --exercise quixo in.txt ans.txt feedback < quixo.py"]),
    ("hunt", &["keur hunt quixo.py --time 10s", "keur hunt quixo.py --save found.toml"]),
    ("new exercise", &["keur new exercise account --kind class --language python"]),
    ("new case", &["keur new case account --title \"An empty account\""]),
    ("check", &["keur check account", "keur check account/empty.toml"]),
    ("fill", &["keur fill account"]),
    ("audit", &["keur audit quixo", "keur audit account --cases ."]),
    (
        "import",
        &["keur import session.txt -o account/empty.toml", "keur import --tested suite.yaml -o account"],
    ),
    ("export", &["keur export --tested account -o suite"]),
    ("show", &["keur show account --in javascript"]),
    ("schema", &["keur schema account/schema"]),
    ("list", &["keur list", "keur list quixo --lang en"]),
    ("site", &["keur site public --cases week1 --pyodide node_modules/pyodide", "keur site public --serve"]),
    ("play", &["keur play quixo"]),
    ("class init", &["keur class init lab --each download.zip --roster grades.csv --cases week1"]),
    ("class run", &["keur class run lab"]),
    ("class report", &["keur class report lab --format html=report/ --worksheet grades.csv"]),
    ("class set points", &["keur class set points lab \"An De Smet\" 12 --why \"explained it\""]),
    ("class set file", &["keur class set file lab \"An De Smet\" quixo_final.py"]),
    ("class backup", &["keur class backup lab copy.db"]),
    ("class verify", &["keur class verify lab receipt.json"]),
    ("doctor", &["keur doctor"]),
    ("completions", &["keur completions zsh > ~/.zfunc/_keur", "keur completions powershell >> $PROFILE"]),
    ("man", &["keur man ~/.local/share/man/man1"]),
    ("driver test", &["keur driver test --command \"ruby driver.rb\" --file conformance.rb"]),
];

/// The command line, with its examples below the help of each command.
pub(super) fn with_examples(mut command: Command) -> Command {
    for (path, lines) in EXAMPLES {
        let path: Vec<&str> = path.split(' ').collect();
        command = at(command, &path, lines);
    }
    command
}

/// The command with examples for the one at a path below it, which some builds leave out.
fn at(command: Command, path: &[&str], lines: &[&str]) -> Command {
    let Some((name, rest)) = path.split_first() else {
        let title = if lines.len() == 1 { "Example" } else { "Examples" };
        let examples = format!("{title}:\n  {}", lines.join("\n  "));
        let codes = command.get_after_help().map(|codes| format!("\n\n{codes}")).unwrap_or_default();
        return command.after_help(examples + &codes);
    };
    if command.find_subcommand(name).is_none() {
        return command;
    }
    command.mut_subcommand(name, |command| at(command, rest, lines))
}

#[cfg(test)]
mod tests {
    use super::{EXAMPLES, with_examples};
    use crate::cli::Cli;
    use clap::{Command, CommandFactory};

    /// The paths of the commands that a reader of the help may run.
    fn paths(command: &Command, path: &str) -> Vec<String> {
        let visible = command.get_subcommands().filter(|command| !command.is_hide_set());
        let paths = visible.flat_map(|command| {
            let path = format!("{path} {}", command.get_name()).trim().to_owned();
            let below = paths(command, &path);
            if below.is_empty() { vec![path] } else { below }
        });
        paths.collect()
    }

    #[test]
    fn every_command_has_an_example() {
        let mut known: Vec<&str> = EXAMPLES.iter().map(|(path, _)| *path).collect();
        let mut all = paths(&Cli::command(), "");
        known.sort_unstable();
        all.sort_unstable();
        assert_eq!(known, all);
    }

    #[test]
    fn every_example_can_be_run() {
        for example in EXAMPLES.iter().flat_map(|(_, lines)| *lines) {
            let arguments = example.split(['<', '>']).next().unwrap();
            let words = shlex::split(arguments).unwrap();
            let parsed = with_examples(Cli::command()).try_get_matches_from(words);
            assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
        }
    }
}
