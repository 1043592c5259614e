//! `keur doctor`: reports what this machine offers, and how to add what is missing.

mod system;
#[cfg(target_os = "linux")]
mod user_namespaces;

use super::args::{ProgramArgs, one_of};
use super::exit::RunStatus;
use super::output;
use crate::run::build::BuildSettings;
use clap::Args;
use keur_core::languages::{self, CompileOptions, Interpreters, LANGUAGES};
use keur_core::named::Named;
use keur_core::report::wrap::wrapped;
use keur_sandbox::{Tier, Tools};
use std::fmt::Write;
use system::OsRelease;

#[derive(Args)]
pub(super) struct DoctorArgs {
    /// The tier that must be available for exit code 0; standard by default on Linux
    #[arg(long, value_name = "TIER", value_parser = one_of::<Tier>())]
    confine: Option<Tier>,
    #[command(flatten)]
    programs: ProgramArgs,
}

pub(super) fn run(args: &DoctorArgs) -> RunStatus {
    let mut text = format!("keur {}\n\nConfinement\n", env!("CARGO_PKG_VERSION"));
    for finding in keur_sandbox::findings() {
        line(&mut text, &finding.name, &finding.state);
        #[cfg(target_os = "linux")]
        if finding.name == "namespaces" && finding.state.is_err() {
            user_namespaces::commands().iter().for_each(|command| advice(&mut text, command));
        }
    }
    line(&mut text, "tier portable", &Ok(format!("available: {}", keur_sandbox::portable_guarantees())));
    for tier in [Tier::Standard, Tier::Strict] {
        let state = keur_sandbox::available(tier).map(|()| "available".to_owned());
        line(&mut text, &format!("tier {}", tier.name()), &state);
    }
    let _ = writeln!(text, "  Default tier, without --confine: {}.", Tier::default().name());
    let mut interpreters = Interpreters::default();
    let mut build = BuildSettings::new(Tools::on_path(&[]));
    args.programs.apply(&mut interpreters, &mut build);
    let system = OsRelease::here();
    text += &shown(&interpreters, &system);
    text += &compilers(&build, &system);
    let complete =
        LANGUAGES.iter().all(|language| language.is_optional() || interpreters.find(language).is_ok());
    let wrapped = text.lines().map(|line| wrapped(line, output::width(), 4) + "\n");
    output::out(&wrapped.collect::<String>());
    let confined = keur_sandbox::available(args.confine.unwrap_or_default()).is_ok();
    if complete && confined { RunStatus::Passed } else { RunStatus::Fault }
}

/// The interpreters, each on a line, and below a missing one how to get it on this system.
fn shown(interpreters: &Interpreters, system: &OsRelease) -> String {
    let mut text = "\nInterpreters\n".to_owned();
    for engine in languages::engines() {
        let state = interpreters
            .version(engine)
            .map(|(interpreter, version)| format!("{version}, {}", interpreter.program.display()));
        let name = if engine.language.title == engine.title {
            engine.title.to_owned()
        } else {
            format!("{} ({})", engine.language.title, engine.title)
        };
        let lacks = state.is_err();
        match state {
            Err(lack) if engine.optional => {
                let _ = writeln!(text, "  – {name} (optional): {lack}");
            }
            state => line(&mut text, &name, &state.map_err(|error| error.to_string())),
        }
        if let Some(way) = system.advice(engine).filter(|_| lacks) {
            advice(&mut text, &way);
        }
    }
    text
}

/// The compilers of languages whose submissions are built, each on a line, and below a missing one how to get it.
fn compilers(build: &BuildSettings, system: &OsRelease) -> String {
    let mut text = "\nCompilers\n".to_owned();
    for language in languages::built() {
        let request = build.request(language, CompileOptions::default());
        let version = language.build.map(|build| (build.version)(&request));
        match version.unwrap_or_else(|| Err(String::new())) {
            Ok(version) => {
                let first = version.lines().next().unwrap_or_default();
                let _ = writeln!(text, "  ✓ {}: {first}", language.title);
            }
            Err(lack) => {
                let _ = writeln!(text, "  – {} (optional): {lack}", language.title);
                if let Some(way) = system.compiler_advice(language) {
                    advice(&mut text, &way);
                }
            }
        }
    }
    text
}

fn line(text: &mut String, name: &str, state: &Result<String, String>) {
    let (mark, said) = match state {
        Ok(said) => ("✓", said),
        Err(said) => ("✗", said),
    };
    let _ = writeln!(text, "  {mark} {name}: {said}");
}

/// Adds what helps against the line before.
fn advice(text: &mut String, way: &str) {
    let _ = writeln!(text, "    → {way}");
}

#[cfg(test)]
mod tests {
    use super::system::OsRelease;
    use super::{compilers, shown};
    use crate::run::build::BuildSettings;
    use keur_core::languages::{Interpreters, cpp, engines};
    use keur_sandbox::Tools;
    use std::path::Path;

    #[test]
    fn only_a_missing_interpreter_comes_with_a_command() {
        let mut interpreters = Interpreters::default();
        let java = engines().find(|engine| engine.name == "java").unwrap();
        interpreters.name(java, "/nonexistent/java".into());
        let text = shown(&interpreters, &OsRelease::parse("ID=arch"));
        let (before, after) = text.split_once("  – Java (optional): ").unwrap();
        assert!(after.ends_with("\n    → sudo pacman -S jdk-openjdk\n"), "{text}");
        assert!(before.contains("✓ Python: ") && !before.contains("pacman -S python"), "{text}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_missing_compiler_comes_with_a_command() {
        let mut build = BuildSettings::new(Tools::on_path(&[]));
        build.name(&cpp::LANGUAGE, Path::new("/nonexistent/g++"));
        let text = compilers(&build, &OsRelease::parse("ID=debian\nVERSION_ID=12"));
        let (_, after) = text.split_once("  – C++ (optional): ").unwrap();
        assert!(after.contains("\n    → sudo apt install g++\n"), "{text}");
    }
}
