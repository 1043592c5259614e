//! `keur doctor`: what this machine offers, and what to do about each lack.

use super::{DoctorArgs, Exit, output};
use crate::driver::{self, DRIVERS, Interpreters};
use crate::sandbox::{self, Tier};
use std::fmt::Write;

pub(super) fn run(args: &DoctorArgs) -> Exit {
    let mut text = format!("keur {}\n\nConfinement\n", env!("CARGO_PKG_VERSION"));
    for finding in sandbox::findings() {
        line(&mut text, &finding.name, &finding.state);
    }
    line(&mut text, "tier portable", &Ok(format!("can be had: {}", sandbox::PORTABLE)));
    for tier in [Tier::Standard, Tier::Strict] {
        let state = sandbox::available(tier).map(|()| "can be had".to_owned());
        line(&mut text, &format!("tier {}", tier.name()), &state);
    }
    let _ = writeln!(text, "  In force unless --confine says otherwise: {}.", Tier::default().name());
    text.push_str("\nInterpreters\n");
    let interpreters = Interpreters::default();
    for engine in driver::engines() {
        let state = interpreters.version(engine).map(|(interpreter, version)| {
            let (major, minor, patch) = version;
            format!("{major}.{minor}.{patch}, {}", interpreter.program.display())
        });
        let name = if engine.title == engine.engine_title {
            engine.title.to_owned()
        } else {
            format!("{} ({})", engine.title, engine.engine_title)
        };
        match state {
            Err(lack) if engine.optional => {
                let _ = writeln!(text, "  – {name}, which keur can do without: {lack}");
            }
            state => line(&mut text, &name, &state.map_err(|error| error.to_string())),
        }
    }
    let complete = DRIVERS.iter().all(|driver| driver.optional || interpreters.find(driver).is_ok());
    output::out(&text);
    let confined = sandbox::available(args.confine.unwrap_or_default()).is_ok();
    if complete && confined { Exit::Passed } else { Exit::Fault }
}

fn line(text: &mut String, name: &str, state: &Result<String, String>) {
    let (mark, said) = match state {
        Ok(said) => ("✓", said),
        Err(said) => ("✗", said),
    };
    let _ = writeln!(text, "  {mark} {name}: {said}");
}
