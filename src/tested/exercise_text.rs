//! The text of `exercise.toml` and of a case.

use super::ImportSettings;
use super::compared::TextCompare;
use super::names::UsedNames;
use super::suite::TestedSuite;
use keur_core::case::Convention;
use keur_core::case::written::{StepText, key, slug, string, strings};
use std::collections::BTreeMap;
use std::ops::Range;

/// A step before its text is written.
#[derive(Default)]
pub(super) struct ImportedStep {
    pub(super) text: StepText,
    /// The comparison of its texts, if it expects one.
    pub(super) compare: Option<TextCompare>,
}

/// A case before its text is written: comparisons that all share are written once.
pub(super) struct CaseText {
    pub(super) title: String,
    pub(super) tab: usize,
    pub(super) number: usize,
    pub(super) group: String,
    pub(super) hidden: bool,
    pub(super) files: Vec<(String, String)>,
    pub(super) steps: Vec<ImportedStep>,
    /// The places of its test cases in the suite.
    pub(super) places: Vec<Range<usize>>,
}

/// The way in which all steps that expect a text compare it; `None` if they differ, or compare exactly.
pub(super) fn common_comparison<'a>(
    steps: impl Iterator<Item = &'a ImportedStep>,
) -> Option<&'a TextCompare> {
    let mut all = steps.filter_map(|step| step.compare.as_ref());
    let first = all.next().filter(|first| !first.is_exact())?;
    all.all(|other| other == first).then_some(first)
}

/// The name of a case's file, without its extension.
pub(super) fn file_name(case: &CaseText, suite: &TestedSuite) -> String {
    let slug = slug(&case.group);
    if suite.tabs.len() > 1 {
        format!("{}_{slug}_{}", case.tab, case.number)
    } else {
        format!("{slug}_{}", case.number)
    }
}

/// The text of a case; `compared` if the exercise says how texts are compared.
pub(super) fn case_text(case: &CaseText, compared: bool) -> String {
    let mut out = format!("title = {}\n", string(&case.title));
    if !case.group.is_empty() {
        out.push_str(&format!("group = {}\n", string(&case.group)));
    }
    let expecting = case.steps.iter().filter(|step| step.text.expects()).count();
    if expecting > 1 {
        out.push_str(&format!("points = {expecting}\npartial = true\n"));
    }
    if case.hidden {
        out.push_str("hidden = true\n");
    }
    let shared = if compared { None } else { common_comparison(case.steps.iter()) };
    if let Some(shared) = shared {
        out.push_str(&format!("compare = {{ text = {} }}\n", shared.table()));
    }
    if !case.files.is_empty() {
        out.push_str("\n[input_files]\n");
        for (path, value) in &case.files {
            out.push_str(&format!("{} = {value}\n", key(path)));
        }
    }
    for step in &case.steps {
        let own =
            step.compare.as_ref().filter(|compare| !compared && shared.is_none() && !compare.is_exact());
        step.text.write(own.map(TextCompare::table), &mut out);
    }
    out
}

/// The spelling of an attribute in C++, for TESTed: its functions and methods are in `snake_case`.
pub(super) fn in_cpp(attribute: &str) -> String {
    Convention::Camel.spell(attribute)
}

/// The content of `exercise.toml`.
pub(super) struct ExerciseText<'a> {
    pub(super) settings: &'a ImportSettings<'a>,
    pub(super) names: &'a UsedNames,
    /// The submission's file in each language.
    pub(super) files: Vec<(&'static str, String)>,
    /// Whether a line is run.
    pub(super) has_line: bool,
    /// Whether the file is run as a program.
    pub(super) has_program: bool,
    /// The comparison of all texts.
    pub(super) shared: Option<&'a TextCompare>,
    /// The files that every case finds: name, and what stands after it.
    pub(super) everywhere: &'a [(String, String)],
}

impl ExerciseText<'_> {
    pub(super) fn text(&self) -> String {
        let session = if self.files.iter().all(|(language, _)| *language == "javascript") {
            "javascript"
        } else {
            "python"
        };
        let mut out = format!("title = {}\nsession = {}\n", string(self.settings.title), string(session));
        if let Some(lang) = self.settings.lang {
            out.push_str(&format!("lang = {}\n", string(lang)));
        }
        // As TESTed loads a submission, and runs it as a program.
        if self.has_line {
            // A program that is loaded for a call may lack its input.
            let strict = if self.has_program { "" } else { "strict_load = true\n" };
            out.push_str(&format!("{strict}loading = \"output\"\n"));
        }
        if self.has_program && self.files.iter().any(|(language, _)| *language == "python") {
            out.push_str("prompts = \"ignore\"\n");
        }
        let files = |out: &mut String, heading: &str| {
            out.push_str(&format!("\n[{heading}]\n"));
            for (language, file) in &self.files {
                out.push_str(&format!("{language} = {}\n", strings([file.as_str()])));
            }
        };
        if self.has_line || !self.has_program {
            files(&mut out, "files");
        }
        if self.has_program {
            files(&mut out, "programs");
        }
        let attributes = self.names.classes.values().flat_map(|class| &class.attributes);
        let spelled = attributes.map(|name| (name, in_cpp(name))).filter(|(name, own)| *name != own);
        let spelled: BTreeMap<_, _> = spelled.collect();
        if !spelled.is_empty() && self.files.iter().any(|(language, _)| *language == "cpp") {
            out.push_str("\n[names.cpp]\n");
            for (name, own) in spelled {
                out.push_str(&format!("{} = {}\n", key(name), string(&own)));
            }
        }
        if let Some(shared) = self.shared {
            out.push_str(&format!("\n[compare]\ntext = {}\n", shared.table()));
        }
        if !self.everywhere.is_empty() {
            out.push_str("\n[input_files]\n");
            for (path, value) in self.everywhere {
                out.push_str(&format!("{} = {value}\n", key(path)));
            }
        }
        for (name, class) in &self.names.classes {
            out.push_str(&format!("\n[class.{}]\n", key(name)));
            let parameters = class.new.parameters();
            if !parameters.is_empty() {
                out.push_str(&format!("new = {}\n", strings(parameters.iter().map(String::as_str))));
            }
            if !class.methods.is_empty() {
                let methods = class.methods.iter().map(|(name, calls)| {
                    let parameters = calls.parameters();
                    format!("{} = {}", key(name), strings(parameters.iter().map(String::as_str)))
                });
                out.push_str(&format!("methods = {{ {} }}\n", methods.collect::<Vec<_>>().join(", ")));
            }
            if !class.attributes.is_empty() {
                out.push_str(&format!(
                    "attributes = {}\n",
                    strings(class.attributes.iter().map(String::as_str))
                ));
            }
        }
        // Without a table, an exercise that runs lines lacks what it defines.
        let has_none = self.names.classes.is_empty() && self.has_line && !self.has_program;
        if !self.names.functions.is_empty() || has_none {
            out.push_str("\n[function]\n");
            for (name, calls) in &self.names.functions {
                let parameters = calls.parameters();
                let args = strings(parameters.iter().map(String::as_str));
                out.push_str(&format!("{} = {{ args = {args} }}\n", key(name)));
            }
        }
        out
    }
}
