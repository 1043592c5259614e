//! Annotations for GitHub Actions: a workflow command for each failure, at the line of the submission that
//! raised.
//!
//! Every line is one command and begins with it, so no line begins with text of a submission. Line ends are
//! escaped as the runner decodes them, and in properties also the separators.

use super::details::{FileLine, place, shown_at};
use super::lines::error;
use crate::compare::diff::visible;
use crate::event::{ExerciseInfo, SubmissionReport, Warning};
use crate::messages::shortened;
use crate::report::case_writer::{CaseWriter, adjustments};
use crate::report::words::Words;
use crate::report::{Audience, Format, Options, at_the_end, causes};

pub(super) const FORMAT: Format = Format {
    name: "github",
    about: "workflow commands, which GitHub shows as annotations",
    audience: Audience::Student,
    // The number of annotations is known only at the end.
    reporter: || at_the_end(end),
    ..Format::NOTHING
};

/// Annotations of one level that GitHub accepts from a step; it silently drops the rest.
const MOST: usize = 10;

/// Characters of a title and of a message.
const MOST_TITLE: usize = 200;
const MOST_MESSAGE: usize = 4000;

/// Annotations of one level.
struct AnnotationLevel {
    command: &'static str,
    lines: Vec<String>,
    left_out: usize,
}

/// The place of an annotation.
#[derive(Clone, Copy)]
struct Location<'r> {
    file: Option<&'r str>,
    line: Option<usize>,
}

fn end(reports: &[&SubmissionReport], options: &Options) -> String {
    let [mut errors, mut warnings, mut notices] = ["error", "warning", "notice"].map(AnnotationLevel::new);
    for report in reports {
        let writer = CaseWriter::new(report, options);
        let words = &writer.words;
        let exercise = |info: &ExerciseInfo| format!(" · {}", info.title.get(options.lang(report)));
        let title = report.name.clone() + &report.exercise.as_ref().map_or(String::new(), exercise);
        let whole = Location { file: None, line: None };
        let adjusted = adjustments(report, words);
        if let (Some(problem), Some(why)) = (&report.error, error(report, options)) {
            let points = words.known_points(report);
            let lines: Vec<String> = std::iter::once(why).chain(points).chain(adjusted).collect();
            errors.add(&whole, &format!("{title} · {}", words.state(problem)), &lines.join("\n"));
            continue;
        }
        let grade = format!("{} · {}", words.points(report), words.cases(report));
        let lines: Vec<String> = std::iter::once(grade).chain(adjusted).collect();
        notices.add(&whole, &title, &lines.join("\n"));
        for warning in &report.warnings {
            let spot = match warning {
                Warning::RaisedWhileLoading { raised, .. } => at(report, place(report, raised)),
                _ => whole,
            };
            warnings.add(&spot, &words.say("label-warning"), &writer.warning(warning));
        }
        for cause in causes(report) {
            let spot = cause.finding().map_or(whole, |finding| at(report, shown_at(report, finding)));
            errors.add(&spot, &writer.headline(&cause), &writer.cause(&cause));
        }
    }
    let words = Words::new(reports.first().map_or(crate::messages::Lang::En, |report| options.lang(report)));
    let more = |count| words.count("label-more-failed", count, &[]);
    let total = words.tally(reports).join(" · ");
    notices.text(|_| total.clone()) + &warnings.text(|_| "…".to_owned()) + &errors.text(more)
}

/// The location of a line, else of the submission's first file.
fn at<'r>(report: &'r SubmissionReport, place: Option<FileLine<'r>>) -> Location<'r> {
    let file = report.files.first().map(|file| file.path.as_str());
    place.map_or(Location { file, line: None }, |place| Location { file: Some(place.path), line: place.line })
}

impl AnnotationLevel {
    fn new(command: &'static str) -> AnnotationLevel {
        AnnotationLevel { command, lines: Vec::new(), left_out: 0 }
    }

    fn add(&mut self, spot: &Location<'_>, title: &str, message: &str) {
        // The last one is reserved to report how many more there are.
        if self.lines.len() + 1 >= MOST {
            self.left_out += 1;
            return;
        }
        let mut properties = Vec::new();
        if let Some(file) = spot.file {
            // GitHub knows files by their paths in the repository, with slashes.
            let file = if cfg!(windows) { file.replace('\\', "/") } else { file.to_owned() };
            properties.push(format!("file={}", property(file.trim_start_matches("./"))));
            properties.extend(spot.line.map(|line| format!("line={line}")));
        }
        properties.push(format!("title={}", property(&shortened(title, MOST_TITLE))));
        let message: Vec<String> =
            shortened(message, MOST_MESSAGE).split('\n').map(|line| visible(line, false)).collect();
        self.lines.push(format!(
            "::{} {}::{}\n",
            self.command,
            properties.join(","),
            data(&message.join("\n"))
        ));
    }

    fn text(self, more: impl Fn(usize) -> String) -> String {
        let mut text = self.lines.concat();
        if self.left_out > 0 {
            text += &format!("::{}::{}\n", self.command, data(&more(self.left_out)));
        }
        text
    }
}

/// The message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command, on one line.
fn property(text: &str) -> String {
    data(&visible(text, false)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{AnnotationLevel, Location, MOST, data, property};

    #[test]
    fn separators_of_a_command_are_escaped() {
        assert_eq!(data("50%\r\n::error::x"), "50%25%0D%0A::error::x");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25␊");
    }

    #[test]
    fn an_annotation_stands_on_one_line_at_its_place() {
        let mut level = AnnotationLevel::new("error");
        level.add(&Location { file: Some("./a,b.py"), line: Some(3) }, "x: y", "one\ntwo\r::error::z");
        assert_eq!(
            level.text(|_| String::new()),
            "::error file=a%2Cb.py,line=3,title=x%3A y::one%0Atwo␍::error::z\n"
        );
    }

    #[test]
    fn the_last_annotation_that_github_takes_says_how_many_there_would_be() {
        let text = |count: usize| {
            let mut level = AnnotationLevel::new("error");
            (0..count).for_each(|_| level.add(&Location { file: None, line: None }, "t", "m"));
            level.text(|more| format!("{more} more"))
        };
        assert_eq!(text(MOST - 1).lines().count(), MOST - 1);
        assert_eq!(text(MOST + 4).lines().count(), MOST);
        assert!(text(MOST + 4).ends_with("::error::5 more\n"));
    }
}
