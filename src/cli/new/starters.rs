//! The texts of new exercises, by their kind and the language of their solution.

use clap::ValueEnum;
use keur_core::languages::{Language, c, cpp, java, javascript, python, typescript};

/// The kinds of exercises, by what students write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ExerciseKind {
    /// Functions that cases call
    Functions,
    /// A class, of which cases make objects
    Class,
    /// A program that reads input and prints
    Program,
}

/// The beginning of an exercise of one kind.
pub(super) struct ExerciseStart {
    /// The part of `exercise.toml` that says what a submission has.
    pub(super) describes: &'static str,
    /// A phrase about `exercise.toml`.
    pub(super) about: &'static str,
    /// The class that a submission defines, after which a file in Java is called; the exercise's name by default.
    pub(super) class: Option<&'static str>,
    pub(super) cases: [CaseStart; 2],
    pub(super) solutions: &'static [SolutionStart],
}

/// A case of a new exercise.
pub(super) struct CaseStart {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    /// A phrase about it.
    pub(super) about: &'static str,
}

/// The solution and the samples in one language.
pub(super) struct SolutionStart {
    pub(super) language: &'static Language,
    pub(super) solution: &'static str,
    /// The name of the right sample without its extension, and its text.
    pub(super) right: (&'static str, &'static str),
    /// The same of the wrong sample.
    pub(super) wrong: (&'static str, &'static str),
}

impl ExerciseKind {
    /// The first files of an exercise of this kind. Languages that need another exercise have a start of their own.
    pub(super) fn starts(self) -> Vec<&'static ExerciseStart> {
        match self {
            ExerciseKind::Functions => vec![&FUNCTIONS, &FUNCTIONS_IN_C],
            ExerciseKind::Class => vec![&CLASS],
            ExerciseKind::Program => vec![&PROGRAM],
        }
    }

    /// The languages in which there is a solution.
    pub(super) fn languages(self) -> impl Iterator<Item = &'static str> {
        let solutions = self.starts().into_iter().flat_map(|start| start.solutions);
        solutions.map(|solution| solution.language.name)
    }
}

impl SolutionStart {
    pub(super) fn extension(&self) -> &'static str {
        self.language.extensions.first().copied().unwrap_or_default()
    }

    /// The language of sessions that its students read best.
    pub(super) fn session(&self) -> &'static Language {
        [Some(self.language), self.language.extends]
            .into_iter()
            .flatten()
            .find(|language| language.name == javascript::LANGUAGE.name)
            .unwrap_or(&python::LANGUAGE)
    }
}

static FUNCTIONS: ExerciseStart = ExerciseStart {
    describes: include_str!("functions/describes.toml"),
    about: "its title, files and functions",
    class: None,
    cases: [
        CaseStart {
            name: "average_of_numbers",
            text: include_str!("functions/average_of_numbers.toml"),
            about: "a case",
        },
        CaseStart {
            name: "no_numbers",
            text: include_str!("functions/no_numbers.toml"),
            about: "a case with an exception",
        },
    ],
    solutions: &[
        SolutionStart {
            language: &python::LANGUAGE,
            solution: include_str!("functions/python/solution.py"),
            right: ("with_a_loop", include_str!("functions/python/with_a_loop.py")),
            wrong: ("rounds_down", include_str!("functions/python/rounds_down.py")),
        },
        SolutionStart {
            language: &javascript::LANGUAGE,
            solution: include_str!("functions/javascript/solution.js"),
            right: ("with_a_loop", include_str!("functions/javascript/with_a_loop.js")),
            wrong: ("rounds_down", include_str!("functions/javascript/rounds_down.js")),
        },
        SolutionStart {
            language: &typescript::LANGUAGE,
            solution: include_str!("functions/typescript/solution.ts"),
            right: ("with_a_loop", include_str!("functions/typescript/with_a_loop.ts")),
            wrong: ("rounds_down", include_str!("functions/typescript/rounds_down.ts")),
        },
        SolutionStart {
            language: &java::LANGUAGE,
            solution: include_str!("functions/java/solution.java"),
            right: ("with_a_stream", include_str!("functions/java/with_a_stream.java")),
            wrong: ("rounds_down", include_str!("functions/java/rounds_down.java")),
        },
        SolutionStart {
            language: &cpp::LANGUAGE,
            solution: include_str!("functions/cpp/solution.cpp"),
            right: ("with_an_algorithm", include_str!("functions/cpp/with_an_algorithm.cpp")),
            wrong: ("rounds_down", include_str!("functions/cpp/rounds_down.cpp")),
        },
    ],
};

/// Functions in C need declarations, and say by `errno` that something is wrong.
static FUNCTIONS_IN_C: ExerciseStart = ExerciseStart {
    describes: include_str!("functions/c/describes.toml"),
    about: "its title, files and functions",
    class: None,
    cases: [
        CaseStart {
            name: "average_of_numbers",
            text: include_str!("functions/average_of_numbers.toml"),
            about: "a case",
        },
        CaseStart {
            name: "no_numbers",
            text: include_str!("functions/c/no_numbers.toml"),
            about: "a case with an error",
        },
    ],
    solutions: &[SolutionStart {
        language: &c::LANGUAGE,
        solution: include_str!("functions/c/solution.c"),
        right: ("with_pointers", include_str!("functions/c/with_pointers.c")),
        wrong: ("rounds_down", include_str!("functions/c/rounds_down.c")),
    }],
};

static CLASS: ExerciseStart = ExerciseStart {
    describes: include_str!("class/describes.toml"),
    about: "its title, files and class",
    class: Some("Account"),
    cases: [
        CaseStart { name: "an_account", text: include_str!("class/an_account.toml"), about: "a case" },
        CaseStart {
            name: "too_much",
            text: include_str!("class/too_much.toml"),
            about: "a case with an exception",
        },
    ],
    solutions: &[
        SolutionStart {
            language: &python::LANGUAGE,
            solution: include_str!("class/python/solution.py"),
            right: ("with_payments", include_str!("class/python/with_payments.py")),
            wrong: ("checks_too_late", include_str!("class/python/checks_too_late.py")),
        },
        SolutionStart {
            language: &javascript::LANGUAGE,
            solution: include_str!("class/javascript/solution.js"),
            right: ("with_payments", include_str!("class/javascript/with_payments.js")),
            wrong: ("checks_too_late", include_str!("class/javascript/checks_too_late.js")),
        },
        SolutionStart {
            language: &typescript::LANGUAGE,
            solution: include_str!("class/typescript/solution.ts"),
            right: ("with_payments", include_str!("class/typescript/with_payments.ts")),
            wrong: ("checks_too_late", include_str!("class/typescript/checks_too_late.ts")),
        },
        SolutionStart {
            language: &java::LANGUAGE,
            solution: include_str!("class/java/solution.java"),
            right: ("with_payments", include_str!("class/java/with_payments.java")),
            wrong: ("checks_too_late", include_str!("class/java/checks_too_late.java")),
        },
        SolutionStart {
            language: &cpp::LANGUAGE,
            solution: include_str!("class/cpp/solution.cpp"),
            right: ("with_payments", include_str!("class/cpp/with_payments.cpp")),
            wrong: ("checks_too_late", include_str!("class/cpp/checks_too_late.cpp")),
        },
    ],
};

static PROGRAM: ExerciseStart = ExerciseStart {
    describes: include_str!("program/describes.toml"),
    about: "its title and program",
    class: None,
    cases: [
        CaseStart { name: "two_numbers", text: include_str!("program/two_numbers.toml"), about: "a case" },
        CaseStart {
            name: "a_dialogue",
            text: include_str!("program/a_dialogue.toml"),
            about: "a case with a dialogue",
        },
    ],
    solutions: &[
        SolutionStart {
            language: &python::LANGUAGE,
            solution: include_str!("program/python/solution.py"),
            right: ("with_a_function", include_str!("program/python/with_a_function.py")),
            wrong: ("joins_texts", include_str!("program/python/joins_texts.py")),
        },
        SolutionStart {
            language: &javascript::LANGUAGE,
            solution: include_str!("program/javascript/solution.js"),
            right: ("with_promises", include_str!("program/javascript/with_promises.js")),
            wrong: ("joins_texts", include_str!("program/javascript/joins_texts.js")),
        },
        SolutionStart {
            language: &java::LANGUAGE,
            solution: include_str!("program/java/solution.java"),
            right: ("with_a_method", include_str!("program/java/with_a_method.java")),
            wrong: ("joins_texts", include_str!("program/java/joins_texts.java")),
        },
        SolutionStart {
            language: &cpp::LANGUAGE,
            solution: include_str!("program/cpp/solution.cpp"),
            right: ("with_a_function", include_str!("program/cpp/with_a_function.cpp")),
            wrong: ("joins_texts", include_str!("program/cpp/joins_texts.cpp")),
        },
        SolutionStart {
            language: &c::LANGUAGE,
            solution: include_str!("program/c/solution.c"),
            right: ("with_a_function", include_str!("program/c/with_a_function.c")),
            wrong: ("reads_digits", include_str!("program/c/reads_digits.c")),
        },
    ],
};
