//! The texts that students read, in their language: Dutch, Danish or English.

use crate::case::Points;
use crate::compare::diff::items_apart;
use crate::compare::{Mistake, RaiseMistake, ValueMistake, Verdict};
use crate::event::{
    CaseReport, ExerciseError, Finding, NeededCase, RunError, SelectionError, SubmissionReport, Warning,
};
use crate::languages::cpp::faults;
use crate::languages::cpp::names::{ASSERTION, LEAK, TERMINATED, UNDEFINED};
use crate::messages::{Lang, Message, Messages, Translations, shortened};
use crate::named::Named;
use crate::submission::{FilesProblem, UnclearExercise};
use crate::value::notation::Notation;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

/// The most characters of what a sentence quotes.
const MOST_QUOTED: usize = 60;

const TRANSLATIONS: Translations = Translations {
    nl: include_str!("locales/nl.ftl"),
    da: include_str!("locales/da.ftl"),
    en: include_str!("locales/en.ftl"),
};

thread_local! {
    /// The messages that were read so far: reading them takes longer than the account of a submission that
    /// needs them.
    static READ: RefCell<BTreeMap<Lang, Rc<Messages>>> = const { RefCell::new(BTreeMap::new()) };
}

/// The caller of keur. Messages name the options that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// The command line, with options.
    CommandLine,
    /// Cargo, with environment variables.
    Cargo,
}

impl Caller {
    fn exercise(self) -> &'static str {
        match self {
            Caller::CommandLine => "--exercise",
            Caller::Cargo => "EXERCISE=NAME",
        }
    }

    fn cases(self) -> &'static str {
        match self {
            Caller::CommandLine => "--cases",
            Caller::Cargo => "CASES=DIR",
        }
    }

    fn rulings(self) -> &'static str {
        match self {
            Caller::CommandLine => "--rulings",
            Caller::Cargo => "RULINGS=1",
        }
    }
}

/// The argument of a message that is not known.
const UNKNOWN: &str = "not-known";

/// The most characters of a value in a sentence.
const MOST_OF_A_SIDE: usize = 24;

/// The message of an unexpected value that names both sides, if they are short.
fn short_sides(finding: &Finding) -> Option<Message> {
    if finding.mistake != Mistake::Value(ValueMistake::Unexpected) {
        return None;
    }
    let is_short =
        |side: &&str| !side.is_empty() && !side.contains('\n') && side.chars().count() <= MOST_OF_A_SIDE;
    let expected = finding.expected.as_deref().filter(is_short)?;
    let got = finding.got.as_deref().filter(is_short)?;
    if expected == got {
        return None;
    }
    Some(Message::new("label-instead").with("expected", expected).with("got", got))
}

/// The message that names the values that are missing and those that are too many, if these are few and short.
fn short_items(finding: &Finding) -> Option<Message> {
    let Mistake::Value(ValueMistake::Items { missing, extra }) = &finding.mistake else { return None };
    let (lacks, has) = items_apart(finding.expected.as_deref()?, finding.got.as_deref()?);
    if (lacks.len(), has.len()) != (*missing, *extra) {
        return None;
    }
    let [lacks, has] = [lacks, has].map(|items| items.join(", "));
    if [&lacks, &has].iter().any(|items| items.chars().count() > MOST_OF_A_SIDE) {
        return None;
    }
    let id = match (missing, extra) {
        (_, 0) => "label-missing-items",
        (0, _) => "label-extra-items",
        (_, _) => "label-other-items",
    };
    Some(Message::new(id).with("missing", &lacks).with("extra", &has))
}

/// Whether the name of a type may have this character: those of C++ have `::`.
fn is_in_name(ch: char) -> bool {
    ch.is_alphanumeric() || "_.:".contains(ch)
}

/// The type of what a finding raised, and the expected type if it shows one.
fn exception_types(finding: &Finding) -> (&str, Option<&str>) {
    let Some(exception) = &finding.exception else { return (UNKNOWN, None) };
    let first = exception.text.lines().next().unwrap_or_default();
    let (raised, message) = first.split_once(": ").unwrap_or((first, ""));
    let expected = finding.expected.as_deref().and_then(|expected| {
        // The type alone, or before the same message.
        let before = expected.strip_suffix(message).and_then(|before| before.strip_suffix(": "));
        before.or_else(|| expected.chars().all(is_in_name).then_some(expected))
    });
    (raised, expected.filter(|expected| !expected.is_empty()))
}

/// The sentence for the fault of a finding, if its mistake is one: undefined behaviour, or another end of the process.
fn fault(finding: &Finding) -> Option<Message> {
    let (kind, fault) = finding.exception.as_ref()?.text.split_once(": ")?;
    match kind {
        UNDEFINED | LEAK => Some(faults::sentence(fault)),
        ASSERTION | TERMINATED => Some(faults::as_it_says(fault)),
        _ => None,
    }
}

/// The type of the exception of a finding, if it is shown with one.
#[cfg(feature = "formats")]
pub(super) fn exception_type(finding: &Finding) -> Option<&str> {
    let (raised, _) = exception_types(finding);
    // The text of a refusal begins with the name of what is called.
    let is_refusal = matches!(
        finding.mistake,
        Mistake::Raise(RaiseMistake::ArgumentRefused | RaiseMistake::NotCallable | RaiseMistake::Declared(_))
    );
    Some(raised)
        .filter(|name| !is_refusal && !name.is_empty() && *name != UNKNOWN && name.chars().all(is_in_name))
}

/// The messages of reports in one language, and the sentences for findings.
pub struct Words {
    messages: Rc<Messages>,
    lang: Lang,
}

impl Deref for Words {
    type Target = Messages;

    fn deref(&self) -> &Messages {
        &self.messages
    }
}

impl Words {
    /// The messages in `lang`.
    pub fn new(lang: Lang) -> Words {
        let read = || Rc::new(Messages::new(lang, [TRANSLATIONS]));
        let messages = READ.with_borrow_mut(|known| Rc::clone(known.entry(lang).or_insert_with(read)));
        Words { messages, lang }
    }

    /// A verdict in words.
    pub fn verdict(&self, verdict: Verdict) -> String {
        self.say(&format!("verdict-{}", verdict.name().replace(' ', "-")))
    }

    /// The verdict on a case in words, with the case that kept it from being run; `name` is how the report
    /// names that.
    pub fn result(&self, case: &CaseReport, name: impl Fn(&NeededCase) -> &str) -> String {
        match &case.blocked_by {
            Some(needed) => self.with("verdict-blocked", &[("case", name(needed))]),
            None => self.outcome(case),
        }
    }

    /// The verdict on a case in words; of what was raised, a panic, code that is not written yet, or an error
    /// that is returned by that name.
    pub fn outcome(&self, case: &CaseReport) -> String {
        let Some(finding) = case.finding.as_deref() else { return self.verdict(case.verdict) };
        match (&finding.mistake, case.verdict) {
            (Mistake::Raise(RaiseMistake::Panic), _) => self.say("verdict-panic"),
            (Mistake::Raise(RaiseMistake::NotWritten), _) => self.say("verdict-not-written"),
            (_, Verdict::Raised) if finding.returns_errors => self.say("verdict-returned-error"),
            (_, Verdict::DidNotRaise) if finding.returns_errors => self.say("verdict-did-not-return-error"),
            _ => self.verdict(case.verdict),
        }
    }

    /// The points of a case that earned only a part of them.
    pub fn partial(&self, case: &CaseReport) -> Option<String> {
        let is_partial = case.verdict != Verdict::Passed && case.points > Points::ZERO;
        let points = is_partial.then(|| self.points_of(case.points, case.max_points))?;
        Some(self.with("label-partial", &[("points", &points)]))
    }

    /// The points of a submission.
    pub fn points(&self, report: &SubmissionReport) -> String {
        self.points_of(report.points, report.max_points)
    }

    /// The points of a submission that has a grade, or that earns none because its files are missing. In a
    /// class, such a submission has no points: a student may hand in again.
    pub fn known_points(&self, report: &SubmissionReport) -> Option<String> {
        let is_missing = report.error.as_ref().is_some_and(RunError::is_missing);
        let earns_none = is_missing && report.max_points > Points::ZERO && report.hand_in.is_none();
        (report.grade().is_some() || earns_none).then(|| self.points(report))
    }

    /// Points earned, out of a maximum.
    pub fn points_of(&self, points: Points, most: Points) -> String {
        self.with("label-points", &[("points", &self.number(points)), ("max", &self.number(most))])
    }

    /// Points in the number format of the language: a point in English, else a comma.
    pub fn number(&self, points: Points) -> String {
        self.decimal(points.to_string())
    }

    /// A number with the decimal mark of the language.
    pub(super) fn decimal(&self, number: String) -> String {
        match self.lang {
            Lang::Nl | Lang::Da => number.replace('.', ","),
            Lang::En => number,
        }
    }

    /// Earned and possible points, for a table.
    pub fn fraction(&self, points: Points, most: Points) -> String {
        format!("{}/{}", self.number(points), self.number(most))
    }

    /// The number of a submission's cases that passed.
    pub fn cases(&self, report: &SubmissionReport) -> String {
        self.cases_of(report.passed_cases(), report.cases.len())
    }

    /// Cases that passed, out of a total.
    pub fn cases_of(&self, passed: usize, total: usize) -> String {
        self.with("label-cases", &[("passed", &passed.to_string()), ("total", &total.to_string())])
    }

    /// A finding in words: its step, and the sentence for its mistake.
    pub fn sentence(&self, finding: &Finding, notation: &'static dyn Notation) -> String {
        let sentence = self.mistake(finding, notation);
        match finding.step {
            Some(step) => format!("{}: {sentence}", self.with("label-step", &[("step", &step.to_string())])),
            None => sentence,
        }
    }

    /// The sentence for the mistake of a finding, for a student who writes in the language of `notation`.
    pub fn mistake(&self, finding: &Finding, notation: &'static dyn Notation) -> String {
        let short = short_sides(finding).or_else(|| short_items(finding));
        let message = short.unwrap_or_else(|| finding.mistake.message());
        let message = message.with("self", notation.syntax().this).with("print", notation.syntax().print);
        let message = message.with("language", notation.language());
        let message = message.with("call", finding.call.as_deref().unwrap_or(UNKNOWN));
        let message = match fault(finding) {
            Some(fault) => message.with_message("fault", fault),
            None => message.with("fault", UNKNOWN),
        };
        let (raised, wanted) = exception_types(finding);
        let message = message.with("raised", raised).with("wanted", wanted.unwrap_or(UNKNOWN));
        message.with("object", finding.expected.as_deref().unwrap_or_default()).say(self)
    }

    /// The problem with the files of a submission.
    pub fn files(&self, problem: &FilesProblem) -> String {
        problem.message().say(self)
    }

    /// The sentence for a warning, without what was raised.
    pub fn warning(&self, warning: &Warning) -> String {
        match warning {
            Warning::RaisedWhileLoading { .. } => self.say("label-loading"),
            Warning::PrintedWhileLoading { text, .. } => {
                let first = shortened(text.trim_start().lines().next().unwrap_or_default(), MOST_QUOTED);
                self.with("label-printing", &[("text", first.trim_end())])
            }
            Warning::Skipped(file) => file.message().say(self),
            Warning::OverBudget { cases, time } => {
                let seconds = self.decimal(time.as_secs_f64().to_string());
                self.count("label-budget", *cases, &[("seconds", &seconds)])
            }
            Warning::OverTime(cases) => self.count("label-time", *cases, &[]),
        }
    }

    /// The reason why a submission was not graded, for the command line.
    pub fn error(&self, error: &RunError) -> String {
        self.error_for(Caller::CommandLine, error)
    }

    /// The reason why a submission was not graded.
    pub fn error_for(&self, caller: Caller, error: &RunError) -> String {
        match error {
            RunError::NotHandedIn => self.say("error-not-handed-in"),
            RunError::NotGraded { missing, cases, earlier } => {
                let (missing, cases) = (missing.to_string(), cases.to_string());
                let error = self.with("error-not-graded", &[("missing", &missing), ("cases", &cases)]);
                let earlier = earlier.as_ref().map(|earlier| format!("; {}", self.earlier(earlier)));
                error + &earlier.unwrap_or_default()
            }
            RunError::Nothing(problem) => self.files(problem),
            RunError::NoSuchPath(path) => self.with("error-no-such-path", &[("path", path)]),
            RunError::UnclearExercise(UnclearExercise { lacks_test: Some(test), choices, .. }) => {
                let message = Message::new("error-no-test").with("test", test).with_names("choices", choices);
                message.with("exercise", caller.exercise()).say(self)
            }
            RunError::UnclearExercise(UnclearExercise { matches, choices, nearest, .. })
                if matches.is_empty() =>
            {
                let message = match nearest {
                    Some(nearest) => {
                        Message::new("error-near-exercise").with_message("near", nearest.message())
                    }
                    None => Message::new("error-no-exercise"),
                };
                let message = message.with_names("choices", choices);
                message.with("exercise", caller.exercise()).with("cases", caller.cases()).say(self)
            }
            RunError::UnclearExercise(UnclearExercise { matches, .. }) => {
                let message = Message::new("error-several-exercises").with_names("matches", matches);
                message.with("exercise", caller.exercise()).say(self)
            }
            RunError::Selection(SelectionError::NoExercise) => self.say("error-needs-exercise"),
            RunError::Selection(SelectionError::OnlyRulings(exercise)) => {
                self.with("error-only-rulings", &[("exercise", exercise), ("rulings", caller.rulings())])
            }
            RunError::Selection(SelectionError::NoCase(exercise)) => {
                self.with("error-no-case", &[("exercise", exercise)])
            }
            RunError::Usage(why) => why.clone(),
            RunError::Fault(fault) => fault.to_string(),
            RunError::Exercise(ExerciseError::Withheld) => self.say("error-cases"),
            RunError::Exercise(error) => error.to_string(),
        }
    }
}

/// The sentence of reports in English.
impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Words::new(Lang::En).error(self))
    }
}

/// The sentence of reports in English.
impl fmt::Display for FilesProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Words::new(Lang::En).files(self))
    }
}

#[cfg(test)]
mod tests {
    use super::{TRANSLATIONS, Words};
    use crate::case::Points;
    use crate::compare::{Mistake, RaiseMistake, StopMistake, ValueMistake, Verdict, samples};
    use crate::event::{CaseReport, ExceptionReport, Finding, Warning};
    use crate::languages::{c::C, cpp::Cpp, javascript::JavaScript, python::Python, rust::Rust};
    use crate::messages::{Lang, LocalText, check_translations};
    use crate::named::Named;
    use crate::sandbox::Exit;
    use std::collections::BTreeSet;
    use std::time::Duration;

    fn finding(mistake: Mistake) -> Finding {
        Finding::before_the_first_step(Verdict::WrongValue, mistake)
    }

    #[test]
    fn no_message_lacks_a_translation() {
        check_translations(TRANSLATIONS, 60);
    }

    #[test]
    fn every_verdict_has_words_in_every_language() {
        for &lang in Lang::ALL {
            let words = Words::new(lang);
            for &verdict in Verdict::ALL {
                assert!(!words.verdict(verdict).starts_with("verdict-"), "{lang} {verdict}");
            }
        }
    }

    #[test]
    fn an_error_that_is_returned_is_no_exception() {
        let words = Words::new(Lang::Nl);
        for (verdict, raises, returns) in [
            (Verdict::Raised, "onverwachte exception", "Err"),
            (Verdict::DidNotRaise, "exception ontbreekt", "Err ontbreekt"),
            (Verdict::WrongValue, "verkeerde waarde", "verkeerde waarde"),
        ] {
            let outcomes = [false, true].map(|returns_errors| {
                let mistake = Mistake::Value(ValueMistake::Unexpected);
                let finding = Finding { returns_errors, ..Finding::before_the_first_step(verdict, mistake) };
                let title = LocalText::Plain("One".to_owned());
                let case = CaseReport::not_run("one", title, Points::ONE);
                words.outcome(&CaseReport { verdict, finding: Some(Box::new(finding)), ..case })
            });
            assert_eq!(outcomes, [raises, returns]);
        }
    }

    #[test]
    fn every_mistake_has_a_message_in_every_language_and_no_message_lacks_a_mistake() {
        for &lang in Lang::ALL {
            let words = Words::new(lang);
            for mistake in samples() {
                let text = words.mistake(&finding(mistake.clone()), &Python);
                assert!(text != mistake.message().id && !text.contains("{$"), "{lang} {mistake:?}: {text}");
            }
        }
        let told: BTreeSet<&str> = samples().iter().map(|mistake| mistake.message().id).collect();
        let ids = TRANSLATIONS.en.lines().filter_map(|line| line.split_once(" = ")).map(|(id, _)| id);
        let of_mistakes: BTreeSet<&str> =
            ids.filter(|id| id.starts_with("mistake-") || id.starts_with("files-")).collect();
        assert_eq!(of_mistakes, told);
    }

    #[test]
    fn an_unexpected_value_names_both_sides_if_they_are_short() {
        let said = |expected: &str, got: &str| {
            let (expected, got) = (Some(expected.to_owned()), Some(got.to_owned()));
            let finding = Finding { expected, got, ..finding(Mistake::Value(ValueMistake::Unexpected)) };
            Words::new(Lang::En).mistake(&finding, &Python)
        };
        assert_eq!(said("True", "False"), "False instead of True");
        assert_eq!(said("True", &"9".repeat(25)), "unexpected value");
        assert_eq!(said("a\nb", "a"), "unexpected value");
        assert_eq!(said("", "a"), "unexpected value");
    }

    #[test]
    fn a_fault_in_memory_is_told_from_other_signals() {
        let said = |signal| {
            let mistake = Mistake::Stop(StopMistake::Ended(Exit::Signal(signal)));
            Words::new(Lang::En).mistake(&finding(mistake), &Rust)
        };
        assert!(said(11).ends_with("does a function call itself forever?"), "{}", said(11));
        assert!(said(6).ends_with("does the code call abort?"), "{}", said(6));
        assert!(said(4).ends_with("(signal 4)"), "{}", said(4));
    }

    #[test]
    fn a_sentence_is_said_in_the_students_language() {
        let finding = finding(Mistake::Value(ValueMistake::NoneForObject));
        let say = |lang, notation| Words::new(lang).mistake(&finding, notation);
        assert!(say(Lang::En, &Python).ends_with("end the method with return self"));
        assert!(say(Lang::Nl, &JavaScript).ends_with("sluit de methode af met return this"));
        assert!(say(Lang::Da, &Python).ends_with("slut metoden med return self"));
    }

    #[test]
    fn a_sentence_has_the_words_of_the_language_of_the_submission() {
        let say = |mistake, notation| Words::new(Lang::En).mistake(&finding(mistake), notation);
        let object = Mistake::Value(ValueMistake::NoneForObject);
        assert!(say(object, &Cpp).ends_with("end the method with return *this"));
        let printed = || Mistake::Value(ValueMistake::Printed);
        assert!(say(printed(), &Cpp).ends_with("std::cout shows a value, return gives it back"));
        assert!(say(printed(), &C).ends_with("printf shows a value, return gives it back"));
        assert!(say(printed(), &Python).ends_with("print shows a value, return gives it back"));
        assert!(say(Mistake::Value(ValueMistake::LookAlike), &Cpp).ends_with("does it define operator==?"));
    }

    #[test]
    fn an_end_of_the_process_names_what_it_is_for() {
        let said = |mistake, text: &str| {
            let exception = Some(ExceptionReport { text: text.to_owned(), places: Vec::new() });
            Words::new(Lang::En).mistake(&Finding { exception, ..finding(Mistake::Raise(mistake)) }, &Cpp)
        };
        let assertion = said(RaiseMistake::Assertion, "failed assertion: n > 0");
        assert_eq!(assertion, "an assert of the program fails: n > 0");
        let terminated = said(RaiseMistake::Terminated, "std::terminate: std::runtime_error: no");
        assert!(terminated.starts_with("std::runtime_error: no leaves a function"), "{terminated}");
    }

    #[test]
    fn types_of_cpp_are_named_with_their_namespaces() {
        let text = "std::out_of_range: no".to_owned();
        let exception = Some(ExceptionReport { text, places: Vec::new() });
        let expected = Some("std::invalid_argument".to_owned());
        let mistake = Mistake::Raise(RaiseMistake::AnotherType);
        let said = Words::new(Lang::En).mistake(&Finding { exception, expected, ..finding(mistake) }, &Cpp);
        assert_eq!(said, "std::out_of_range was raised instead of std::invalid_argument");
    }

    #[test]
    fn a_fault_is_said_in_the_students_language() {
        let said = |lang, fault: &str| {
            let text = format!("undefined behaviour: {fault}");
            let exception = Some(ExceptionReport { text, places: Vec::new() });
            let finding = Finding { exception, ..finding(Mistake::Raise(RaiseMistake::Undefined)) };
            let begin = ["the program has undefined", "het programma heeft", "programmet har udefineret"];
            let said = Words::new(lang).mistake(&finding, &Cpp);
            assert!(begin.iter().any(|begin| said.starts_with(begin)), "{said}");
            said.split_once(": ").map_or(said.clone(), |(_, fault)| fault.to_owned())
        };
        for (fault, says) in [
            ("Index 5 out of bounds for type 'int [5]'", "index 5 valt buiten een array van het type int[5]"),
            ("index past the end", "een index is negatief of ligt voorbij het einde"),
            (
                "Signed integer overflow: 5 + 2147483647 cannot be represented in type 'int'",
                "5 + 2147483647 is te groot of te klein voor het type int",
            ),
            (
                "Left shift of 1 by 31 places cannot be represented in type 'int'",
                "1 << 31 is te groot of te klein voor het type int",
            ),
            (
                "Negation of -2147483648 cannot be represented in type 'int'; cast to an unsigned type to negate this value to itself",
                "-(-2147483648) is te groot of te klein voor het type int",
            ),
            (
                "Division of -2147483648 by -1 cannot be represented in type 'int'",
                "-2147483648 / -1 is te groot of te klein voor het type int",
            ),
            (
                "1e+20 is outside the range of representable values of type 'int'",
                "1e+20 is te groot of te klein voor het type int",
            ),
            (
                "Null pointer passed as argument 1, which is declared to never be null",
                "een nullpointer wordt gebruikt; heeft de pointer al een waarde?",
            ),
            (
                "local variables larger than the stack",
                "lokale variabelen hebben meer geheugen nodig dan de stapel heeft; is een array heel groot?",
            ),
            (
                "new-delete-type-mismatch",
                "een object wordt verwijderd als een ander type dan waarmee het gemaakt is; heeft de basisklasse geen virtuele destructor?",
            ),
            ("Division by zero", "een getal wordt gedeeld door nul"),
            (
                "Shift exponent 40 is too large for 32-bit type 'int'",
                "een getal wordt 40 bits verschoven: dat mag niet negatief zijn, en niet meer dan het aantal bits van het getal",
            ),
            (
                "Execution reached the end of a value-returning function without returning a value",
                "een functie die een waarde moet teruggeven, eindigt zonder return",
            ),
            (
                "Load of null pointer of type 'int'",
                "een nullpointer wordt gebruikt; heeft de pointer al een waarde?",
            ),
            (
                "use of a wrong address",
                "een verkeerd adres wordt gebruikt; heeft een pointer geen waarde, of klopt een index niet?",
            ),
            (
                "heap-buffer-overflow (read)",
                "geheugen van new, malloc of een container wordt gelezen buiten zijn grenzen; klopt een index of een grootte niet?",
            ),
            (
                "stack-buffer-underflow (written)",
                "een lokale variabele wordt beschreven buiten haar grenzen; klopt een index of een grootte niet?",
            ),
            (
                "global-buffer-overflow (read)",
                "een globale variabele wordt gelezen buiten haar grenzen; klopt een index of een grootte niet?",
            ),
            ("heap-use-after-free (read)", "geheugen wordt gelezen nadat het is vrijgegeven"),
            (
                "stack-use-after-return",
                "een lokale variabele wordt gebruikt nadat haar functie of blok is geëindigd; wijst er nog een pointer of referentie naar?",
            ),
            (
                "Variable length array bound evaluates to non-positive value -1",
                "er wordt meer geheugen gevraagd dan een programma mag hebben; is een grootte negatief of heeft ze nog geen waarde?",
            ),
            (
                "allocation-size-too-big",
                "er wordt meer geheugen gevraagd dan een programma mag hebben; is een grootte negatief of heeft ze nog geen waarde?",
            ),
            ("double-free", "geheugen wordt twee keer vrijgegeven"),
            (
                "bad-free of a result",
                "wat de functie teruggeeft, geeft de aanroeper vrij; het moet dus van malloc komen",
            ),
            (
                "change of a constant",
                "een tekst tussen aanhalingstekens of een andere constante wordt veranderd; kopieer die eerst naar een array",
            ),
            ("bad-free", "er wordt iets vrijgegeven dat niet van new of malloc komt"),
            (
                "alloc-dealloc-mismatch",
                "geheugen wordt verkeerd vrijgegeven: delete hoort bij new, delete[] bij new[] en free bij malloc",
            ),
            ("an empty container is asked for an item", "een lege container wordt om een element gevraagd"),
            ("an empty optional is asked for its value", "een lege optional wordt om zijn waarde gevraagd"),
            (
                "40 bytes, after std::runtime_error: too\nlarge",
                "er werd een std::runtime_error: too\nlarge opgeworpen, en 40 bytes geheugen gaan verloren: het is niet vrijgegeven, en niets verwijst er nog naar",
            ),
            (
                "48 bytes in 3 blocks",
                "48 bytes geheugen gaan verloren: het is niet vrijgegeven, en niets verwijst er nog naar",
            ),
            (
                "Load of value 170, which is not a valid value for type 'bool'",
                "een variabele heeft een waarde die haar type bool niet heeft; heeft ze al een waarde gekregen?",
            ),
            ("memcpy-param-overlap", "memcpy-param-overlap"),
        ] {
            assert_eq!(said(Lang::Nl, fault), says);
            for &lang in Lang::ALL {
                let said = said(lang, fault);
                assert!(!said.contains(['{', '$']) && !said.contains("fault-"), "{lang}: {said}");
            }
        }
    }

    #[test]
    fn numbers_have_the_decimal_mark_of_the_language() {
        let [points, most] = [1931, 2000].map(Points::from_hundredths);
        let said = |lang| Words::new(lang).points_of(points, most);
        assert_eq!(said(Lang::Nl), "19,31 van 20 punten");
        assert_eq!(said(Lang::Da), "19,31 af 20 point");
        assert_eq!(said(Lang::En), "19.31 of 20 points");
    }

    #[test]
    fn a_time_is_in_seconds() {
        let warning = Warning::OverBudget { cases: 2, time: Duration::from_millis(1500) };
        let says = |lang| Words::new(lang).warning(&warning);
        assert!(says(Lang::Nl).ends_with("de toegestane 1,5 s"), "{}", says(Lang::Nl));
        assert!(says(Lang::En).ends_with("the 1.5 s allowed for them"), "{}", says(Lang::En));
    }

    #[test]
    fn a_count_decides_the_form() {
        let words = Words::new(Lang::En);
        let say = |count| words.count("label-consequences", count, &[("steps", "4")]);
        assert_eq!(say(1), "step 4 did not pass either: fix this error first");
        assert_eq!(say(2), "2 later steps did not pass either (4): fix this error first");
    }
}
