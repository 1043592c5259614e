//! `keur doctor`: reports what this machine offers, and how to add what is missing.

use super::args::one_of;
use super::exit::RunStatus;
use super::output;
use clap::Args;
use keur_core::languages::{self, Interpreters, LANGUAGES};
use keur_core::named::Named;
use keur_core::report::wrap::wrapped;
use keur_sandbox::Tier;
use std::fmt::Write;

#[derive(Args)]
pub(super) struct DoctorArgs {
    /// The tier that must be available for exit code 0; standard by default on Linux
    #[arg(long, value_name = "TIER", value_parser = one_of::<Tier>())]
    confine: Option<Tier>,
}

pub(super) fn run(args: &DoctorArgs) -> RunStatus {
    let mut text = format!("keur {}\n\nConfinement\n", env!("CARGO_PKG_VERSION"));
    for finding in keur_sandbox::findings() {
        line(&mut text, &finding.name, &finding.state);
    }
    line(&mut text, "tier portable", &Ok(format!("available: {}", keur_sandbox::portable_guarantees())));
    for tier in [Tier::Standard, Tier::Strict] {
        let state = keur_sandbox::available(tier).map(|()| "available".to_owned());
        line(&mut text, &format!("tier {}", tier.name()), &state);
    }
    let _ = writeln!(text, "  Default tier, without --confine: {}.", Tier::default().name());
    text.push_str("\nInterpreters\n");
    let interpreters = Interpreters::default();
    for engine in languages::engines() {
        let state = interpreters
            .version(engine)
            .map(|(interpreter, version)| format!("{version}, {}", interpreter.program.display()));
        let name = if engine.language.title == engine.title {
            engine.title.to_owned()
        } else {
            format!("{} ({})", engine.language.title, engine.title)
        };
        match state {
            Err(lack) if engine.optional => {
                let _ = writeln!(text, "  – {name} (optional): {lack}");
            }
            state => line(&mut text, &name, &state.map_err(|error| error.to_string())),
        }
    }
    let complete =
        LANGUAGES.iter().all(|language| language.is_optional() || interpreters.find(language).is_ok());
    let wrapped = text.lines().map(|line| wrapped(line, output::width(), 4) + "\n");
    output::out(&wrapped.collect::<String>());
    let confined = keur_sandbox::available(args.confine.unwrap_or_default()).is_ok();
    if complete && confined { RunStatus::Passed } else { RunStatus::Fault }
}

fn line(text: &mut String, name: &str, state: &Result<String, String>) {
    let (mark, said) = match state {
        Ok(said) => ("✓", said),
        Err(said) => ("✗", said),
    };
    let _ = writeln!(text, "  {mark} {name}: {said}");
}
