//! What an exercise asks of a submission, in the words of its language.

use keur_core::adapter::Bundle;
use keur_core::case::{Exercise, Naming};
use keur_core::languages::{AskedClass, AskedFor, Language};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The definitions and programs that an exercise asks these files for, as their language spells them.
pub(super) fn asked_for(exercise: &Exercise, files: &Bundle, language: &'static Language) -> AskedFor {
    let naming = Naming::of(exercise, language);
    let classes = exercise.classes.iter().map(|(name, class)| AskedClass {
        name: naming.spell(name),
        methods: class.methods.keys().map(|method| naming.spell(method)).collect(),
        attributes: class.attributes.iter().map(|attribute| naming.spell(attribute)).collect(),
    });
    let functions = exercise.functions.keys().map(|name| naming.spell(name));
    let named = exercise.programs.get(language.name).map_or(&[][..], Vec::as_slice);
    // A single file is the requested program, whatever its name.
    let programs = named.iter().map(String::as_str).chain([""]).filter_map(|name| files.program(name));
    let programs: BTreeSet<String> = programs.map(|file| file.name.clone()).collect();
    AskedFor {
        test: PathBuf::new(),
        programs: programs.into_iter().collect(),
        classes: classes.collect(),
        functions: functions.collect(),
        declarations: exercise.declarations.spelled(|name| naming.spell(name)),
        signatures: exercise.signatures.iter().map(|(name, all)| (naming.spell(name), all.clone())).collect(),
        options: exercise.compile.get(language.name).copied().unwrap_or_default(),
    }
}
