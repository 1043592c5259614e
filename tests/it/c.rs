//! Functions in C, as an exercise declares them.

use crate::required::needs;
use crate::running::{assert_says, folder, keur, write_files};
use serde_json::Value;

/// The options that choose GCC's compiler.
const GCC: &[&str] = &["--c", "gcc"];

/// The options that choose Clang's compiler.
const CLANG: &[&str] = &["--c", "clang"];

/// The report of this compiler on a submission of these files to an exercise with these functions, and a case for each call.
fn graded(compiler: &[&str], functions: &str, cases: &[(&str, &str, &str)], files: &[(&str, &str)]) -> Value {
    let exercise = format!(
        "title = \"Box\"\nsession = \"python\"\nlang = \"en\"\n[files]\nc = [\"box.c\"]\n[function]\n{functions}"
    );
    let course = folder(&[("box/exercise.toml", exercise.as_str())]);
    for (name, call, expects) in cases {
        let case = format!("title = \"{name}\"\n[[step]]\ndo = {call}\n{expects}\n");
        write_files(course.path(), &[(format!("box/{name}.toml").as_str(), case.as_str())]);
    }
    let submission = folder(files);
    let (cases, files) = (course.path().to_str().unwrap(), submission.path().to_str().unwrap());
    let args = ["grade", "--format", "json", "--exercise", "box", "--cases", cases, files];
    let run = keur(&[&args, compiler].concat());
    run.json()["submissions"][0].clone()
}

const FUNCTIONS: &str = r#"
half = { args = ["a"], c = "double half(double a)" }
is_even = { args = ["a"], c = "bool is_even(unsigned long a)" }
length = { args = ["text"], c = "size_t length(const char *text)" }
upper = { args = ["text"], c = "void upper(char *text)" }
name_of = { args = ["a"], c = "const char *name_of(int a)" }
sum = { args = ["values"], c = "long sum(const int values[], size_t n)", lengths = { values = "n" } }
sort = { args = ["values"], c = "void sort(int *values, int n)", lengths = { values = "n" } }
sorted = { args = ["values"], c = "int *sorted(const int *values, size_t n)", lengths = { values = "n", return = "n" } }
range = { args = ["n"], c = "int *range(int n)", lengths = { return = "n" } }
words = { args = ["text"], c = "char **words(const char *text, size_t *count)", lengths = { return = "count" } }
divide = { args = ["a", "b"], c = "bool divide(int a, int b, int *quotient, int *rest)", results = ["quotient", "rest"] }
no_zeros = { args = ["values"], c = "void no_zeros(int *values, size_t *n)", lengths = { values = "n" } }
dot = { args = ["a", "b"], c = "int dot(const int *a, const int *b, int n)", lengths = { a = "n", b = "n" } }
past = { args = ["values"], c = "int past(const int *values, int n)", lengths = { values = "n" } }
none = { args = [], c = "int none(void)" }
add = { args = ["new", "b?"] , c = "int add(int new, int b)" }
swap = { args = ["a", "b"], c = "void swap(int *a, int *b)", results = ["a", "b"] }
greet = { args = ["name"], c = "void greet(const char *name, char *out, size_t size)", results = ["out[8]"], lengths = { out = "size" } }
primes = { args = ["most"], c = "void primes(int most, int *found, int *n)", results = ["found[5]"], lengths = { found = "n" } }
longest = { args = ["words"], c = "const char *longest(const char *const words[], int n)", lengths = { words = "n" } }
copy = { args = ["text"], c = "char *copy(const char *text)", frees = ["return"] }
lowest = { args = ["values"], c = "void lowest(int *values, int *n)", lengths = { values = "n" } }
longest_list = { args = ["values"], c = "void longest_list(int *values, size_t *n)", lengths = { values = "n" } }
negative = { args = [], c = "int *negative(int *n)", lengths = { return = "n" } }
shorter = { args = [], c = "int *shorter(size_t *n)", lengths = { return = "n" } }
longer = { args = ["text"], c = "char *longer(char *text)", frees = ["return"] }
constant = { args = [], c = "const char *constant(void)", frees = ["return"] }
change = { args = [], c = "char change(void)" }
kept = { args = [], c = "int *kept(size_t *n)", lengths = { return = "n" }, frees = ["return"] }
root = { args = ["a"], c = "double root(double a)", errno = true }
add_two = { args = [], c = "int add_two(void)" }
small = { args = ["a"], c = "unsigned char small(unsigned char a)" }
"#;

const SOURCE: &str = r#"#include "part.h"
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double half(double a) { return sqrt(a * a) / 2; }
bool is_even(unsigned long a) { return a % 2 == 0; }
size_t length(const char *text) { return text ? strlen(text) : 0; }
void upper(char *text) { for (; *text; text++) *text = toupper(*text); }
const char *name_of(int a) { return a ? "one" : NULL; }
long sum(const int values[], size_t n) { long all = 0; for (size_t i = 0; i < n; i++) all += values[i]; return all; }
static int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void sort(int *values, int n) { qsort(values, n, sizeof *values, less); }
int *sorted(const int *values, size_t n) { int *new = malloc(n * sizeof *new); memcpy(new, values, n * sizeof *new); sort(new, n); return new; }
int *range(int n) { int *all = malloc(n * sizeof *all); for (int i = 0; i < n; i++) all[i] = i; return all; }
char **words(const char *text, size_t *count) {
    char **all = malloc(10 * sizeof *all), *copy = strdup(text);
    *count = 0;
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) all[(*count)++] = word;
    return all;
}
bool divide(int a, int b, int *quotient, int *rest) { if (b == 0) return false; *quotient = a / b; *rest = a % b; return true; }
void no_zeros(int *values, size_t *n) { size_t kept = 0; for (size_t i = 0; i < *n; i++) if (values[i]) values[kept++] = values[i]; *n = kept; }
int dot(const int *a, const int *b, int n) { int all = 0; for (int i = 0; i < n; i++) all += a[i] * b[i]; return all; }
int past(const int *values, int n) { return values[n]; }
int add(int new, int b) { return new + b + part(); }
void swap(int *a, int *b) { int kept = *a; *a = *b; *b = kept; }
void greet(const char *name, char *out, size_t size) { snprintf(out, size, "Hi %s", name); }
void primes(int most, int *found, int *n) {
    *n = 0;
    for (int i = 2; i <= most && *n < 5; i++) if (i < 4 || i % 2 && i % 3) found[(*n)++] = i;
}
const char *longest(const char *const words[], int n) {
    const char *best = NULL;
    for (int i = 0; i < n; i++) if (!best || strlen(words[i]) > strlen(best)) best = words[i];
    return best;
}
char *copy(const char *text) { return strdup(text); }
void lowest(int *values, int *n) { values[0] = 0; *n = -1; }
void longest_list(int *values, size_t *n) { values[0] = 0; *n += 3; }
int *negative(int *n) { *n = -2; return malloc(1); }
int *shorter(size_t *n) { *n = 2; return calloc(1, sizeof(int)); }
char *longer(char *text) { text = realloc(text, strlen(text) + 2); return strcat(text, "!"); }
const char *constant(void) { return "abc"; }
char change(void) { char *text = "abc"; text[0] = 'x'; return *text; }
int *kept(size_t *n) { static int all[2] = {1, 2}; *n = 2; return all; }
double root(double a) { printf("%.0f", a); return sqrt(a); }
int add_two(void) { int a, b; scanf("%d%d", &a, &b); return a + b; }
unsigned char small(unsigned char a) { return a; }
int main(void) { return 1; }
"#;

#[test]
fn functions_in_c_get_what_their_declarations_say() {
    needs!(Cpp);
    check_functions(GCC);
}

#[test]
fn functions_in_c_get_what_their_declarations_say_with_clang() {
    needs!(Clang);
    check_functions(CLANG);
}

#[track_caller]
fn check_functions(compiler: &[&str]) {
    let cases = [
        ("reals", "\"half(3)\"", "returns = 1.5"),
        ("booleans", "\"is_even(4)\"", "returns = true"),
        ("texts", "\"length('abc')\"", "returns = 3"),
        ("no_texts", "\"length(None)\"", "returns = 0"),
        ("changed_texts", "[\"t = 'abc'\", \"upper(t)\", \"t\"]", "returns = \"ABC\""),
        ("returned_texts", "\"name_of(1)\"", "returns = \"one\""),
        ("null", "\"name_of(0)\"", "equals = \"None\""),
        ("arrays", "\"sum([1, 2, 3])\"", "returns = 6"),
        ("empty_arrays", "\"sum([])\"", "returns = 0"),
        ("changed_arrays", "[\"v = [3, 1]\", \"sort(v)\", \"v\"]", "returns = [1, 3]"),
        ("returned_arrays", "\"sorted([2, 1])\"", "returns = [1, 2]"),
        ("given_lengths", "\"range(3)\"", "returns = [0, 1, 2]"),
        ("returned_lengths", "\"words('a bc')\"", "returns = [\"a\", \"bc\"]"),
        ("results", "\"divide(7, 2)\"", "returns = [true, 3, 1]"),
        ("changed_lengths", "[\"v = [3, 0, 1]\", \"no_zeros(v)\", \"v\"]", "returns = [3, 1]"),
        ("two_arrays", "\"dot([1, 2], [3, 4])\"", "returns = 11"),
        ("other_lengths", "\"dot([1, 2], [3])\"", "returns = 11"),
        ("past_the_end", "\"past([1, 2, 3])\"", "returns = 11"),
        ("refused", "\"half('a')\"", "returns = 1.5"),
        ("missing", "\"none()\"", "returns = 1"),
        ("keywords_of_cpp", "\"add(1, 2)\"", "returns = 10"),
        ("arguments_and_results", "\"swap(1, 2)\"", "returns = [2, 1]"),
        ("room_for_a_text", "\"greet('Annelies')\"", "returns = \"Hi Anne\""),
        ("room_for_numbers", "\"primes(7)\"", "returns = [2, 3, 5, 7]"),
        ("arrays_of_texts", "\"longest(['a', 'abc', 'b'])\"", "returns = \"abc\""),
        ("no_array_of_texts", "\"longest([])\"", "equals = \"None\""),
        ("freed", "\"copy('abc')\"", "returns = \"abc\""),
        ("freed_by_the_function", "\"longer('a')\"", "returns = \"a!\""),
        ("negative_length", "[\"v = [1]\", \"lowest(v)\", \"v\"]", "returns = []"),
        ("length_of_more", "[\"v = [1]\", \"longest_list(v)\", \"v\"]", "returns = [0]"),
        ("negative_returned_length", "\"negative()\"", "returns = []"),
        ("shorter_than_it_says", "\"shorter()\"", "returns = [0, 0]"),
        ("not_to_be_freed", "\"kept()\"", "returns = [1, 2]"),
        ("constant_to_be_freed", "\"constant()\"", "returns = \"abc\""),
        ("changed_constant", "\"change()\"", "returns = \"x\""),
        ("errno", "\"root(-1)\"", "raises = { type = { c = \"EDOM\" } }"),
        ("no_errno", "\"root(4)\"", "returns = 2.0"),
        ("input", "\"add_two()\"", "stdin = \"3\\n4\\n\"\nreturns = 7"),
        ("too_large", "\"small(300)\"", "returns = 44"),
    ];
    let files = [
        ("box.c", SOURCE),
        ("part.h", "int part(void);\n"),
        ("part.c", "#include \"part.h\"\nint part(void) { return 7; }\n"),
    ];
    let report = graded(compiler, FUNCTIONS, &cases, &files);
    let graded = report["cases"].as_array().unwrap_or_else(|| panic!("{report}"));
    let case = |name: &str| graded.iter().find(|case| case["name"] == name).unwrap();
    for (name, call, _) in cases {
        let verdict = match name {
            "other_lengths"
            | "past_the_end"
            | "refused"
            | "shorter_than_it_says"
            | "not_to_be_freed"
            | "constant_to_be_freed"
            | "changed_constant"
            | "too_large"
            | "negative_length"
            | "length_of_more"
            | "negative_returned_length" => "raised",
            "missing" => "load error",
            _ => "passed",
        };
        assert_eq!(case(name)["verdict"], verdict, "{call}: {}", case(name));
    }
    assert_says(&case("past_the_end").to_string(), "undefined behaviour: heap-buffer-overflow (read)");
    assert_says(
        &case("past_the_end").to_string(),
        "int past(const int *values, int n) { return values[n]; }",
    );
    for (name, length) in [("negative_length", -1), ("length_of_more", 4), ("negative_returned_length", -2)] {
        let exception = &case(name)["finding"]["exception"];
        assert_eq!(
            exception["text"],
            format!("undefined behaviour: the length is {length}"),
            "{}",
            case(name)
        );
        assert_eq!(exception["places"][0]["file"], "box.c", "{}", case(name));
    }
    // What keur reads and frees is at the line of the function that returned it.
    for (name, says) in
        [("shorter_than_it_says", "heap-buffer-overflow (read)"), ("not_to_be_freed", "bad-free of a result")]
    {
        let exception = &case(name)["finding"]["exception"];
        assert_eq!(exception["text"], format!("undefined behaviour: {says}"), "{}", case(name));
        let function = if name == "not_to_be_freed" { "kept" } else { "shorter" };
        assert_eq!(exception["places"][0]["function"], function, "{}", case(name));
    }
    assert_says(&case("constant_to_be_freed").to_string(), "undefined behaviour: bad-free of a result");
    let changed = &case("changed_constant")["finding"]["exception"];
    assert_eq!(changed["text"], "undefined behaviour: change of a constant", "{changed}");
    assert_eq!(changed["places"][0]["function"], "change", "{changed}");
    assert_eq!(case("past_the_end")["finding"]["errors"], Value::Null, "{}", case("past_the_end"));
    assert_says(&case("too_large").to_string(), "small: 300 does not fit into unsigned char");
}

/// The case of this name in a report.
#[track_caller]
fn case<'r>(report: &'r Value, name: &str) -> &'r Value {
    let cases = report["cases"].as_array().unwrap_or_else(|| panic!("{report}"));
    cases.iter().find(|case| case["name"] == name).unwrap_or_else(|| panic!("no {name}: {report}"))
}

#[test]
fn a_function_in_c_that_ends_without_its_value_is_at_fault() {
    needs!(Cpp);
    check_ends(GCC);
}

#[test]
fn a_function_in_c_that_ends_without_its_value_is_at_fault_with_clang() {
    needs!(Clang);
    check_ends(CLANG);
}

#[track_caller]
fn check_ends(compiler: &[&str]) {
    let functions = r#"
positive = { args = ["a"], c = "int positive(int a)" }
sign = { args = ["a"], c = "int sign(int a)" }
copied = { args = ["text"], c = "char *copied(const char *text)", frees = ["return"] }
missing = { args = [], c = "int missing(void)" }
tabbed = { args = ["a"], c = "int tabbed(int a)" }
second = { args = ["a"], c = "int second(int a)" }
"#;
    let cases = [
        ("tabbed", "\"tabbed(1)\"", "returns = 7"),
        ("second", "\"second(1)\"", "returns = 7"),
        ("given", "\"positive(3)\"", "returns = 3"),
        ("not_given", "\"positive(-3)\"", "returns = 0"),
        ("always", "[\"sign(0)\", \"sign(-2)\"]", "returns = -1"),
        ("pointer", "\"copied('a')\"", "returns = \"a\""),
        ("missing", "\"missing()\"", "returns = 0"),
    ];
    // Nobody uses the value of `says`, so it may end so.
    let source = "#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int says(int a) { printf(\"%d\", a); }
int positive(int a) {
    says(a);
    for (int i = 0; i < 2; i++) { if (a > i) { return a; } }
}
int sign(int a) { if (a > 0) return 1; else if (a < 0) return -1; else if (!a) return 0; }
char *copied(const char *text) { char *new = malloc(strlen(text) + 1); strcpy(new, text); }
int main(void) { return positive(1); }
";
    // A source of its own, whose macros and braces are not the check's.
    let part = "#define line 80
#define static
int tabbed(int a) {
\twhile (a < line) {
\t\tif (a == 7) return a;
\t\ta++;
\t}}
int helper(int a);
int second(int a) {
\tif (a == line) return helper(a); }
";
    let with = |part: &str| part.replace("helper(", "tabbed(");
    let source = format!("#include \"part.h\"\n{source}");
    let header = "int tabbed(int a);\nint second(int a);\n";
    let files = |source: &str, part: &str| {
        graded(compiler, functions, &cases, &[("box.c", source), ("part.h", header), ("part.c", part)])
    };
    let report = files(&source, &with(part));
    for (name, verdict) in
        [("given", "passed"), ("always", "passed"), ("tabbed", "passed"), ("missing", "load error")]
    {
        assert_eq!(case(&report, name)["verdict"], verdict, "{report}");
    }
    for (name, file, line) in [("not_given", "box.c", 9), ("pointer", "box.c", 11), ("second", "part.c", 10)]
    {
        let finding = &case(&report, name)["finding"];
        assert_says(&finding.to_string(), "a function that should return a value ends without return");
        let place = &finding["exception"]["places"][0];
        assert_eq!((&place["file"], &place["line"]), (&file.into(), &line.into()), "{finding}");
        assert!(!finding.to_string().contains("keur_end"), "{finding}");
    }
    // Another error shows as what it is.
    let wrong = source.replace("int sign(int a) {", "int sign(int a) { undeclared();");
    let report = files(&wrong, &with(part));
    let finding = &case(&report, "given")["finding"];
    assert_says(&finding.to_string(), "undeclared is not declared");
    assert_eq!(finding["exception"]["places"][0]["line"], 10, "{finding}");
    // And so does a line that has a check.
    let report = files(&source, part);
    let finding = &case(&report, "given")["finding"];
    assert_says(&finding.to_string(), "helper is declared, but not defined");
    assert!(!finding.to_string().contains("keur_end"), "{finding}");
    // Nothing that is asked is there.
    let report = files("#include \"part.h\"\nint other(int a) { if (a) return 1; }\n", "");
    assert_eq!(case(&report, "given")["verdict"], "load error", "{report}");
    assert!(!report.to_string().contains("does not compile"), "{report}");
}

#[test]
fn a_function_in_c_of_another_type_is_a_finding() {
    needs!(Cpp);
    check_other_types(GCC);
}

#[test]
fn a_function_in_c_of_another_type_is_a_finding_with_clang() {
    needs!(Clang);
    check_other_types(CLANG);
}

#[track_caller]
fn check_other_types(compiler: &[&str]) {
    let functions = r#"
claim = { args = ["where"], c = "int claim(int where)" }
sum = { args = ["values"], c = "long sum(const int values[], size_t n)", lengths = { values = "n" } }
mean = { args = ["values"], c = "double mean(const int *values, size_t n)", lengths = { values = "n" } }
size = { args = [], c = "int size(void)" }
least = { args = ["values"], c = "int least(const int *values, size_t n)", lengths = { values = "n" } }
half = { args = ["a"], c = "double half(double a)" }
"#;
    let cases = [
        ("claim", "\"claim(3)\"", "returns = 1"),
        ("sum", "\"sum([3])\"", "returns = 3"),
        ("mean", "\"mean([3])\"", "returns = 3.0"),
        ("size", "\"size()\"", "returns = 3"),
        ("least", "\"least([3])\"", "returns = 3"),
        ("half", "\"half(3)\"", "returns = 1.5"),
        ("refused", "\"sum([3000000000])\"", "returns = 3"),
    ];
    let source = r#"#include <stddef.h>
typedef int number;
int claim(char *where) { return where != NULL; }
number sum(const number *values, size_t n) { return values[n - 1]; }
double mean(const int *values) { return values[0]; }
int size = 3;
int least(int *values, size_t n) { return values[n - 1]; }
static double half(double a) { return a / 2; }
"#;
    let report = graded(compiler, functions, &cases, &[("box.c", source)]);
    for (name, why) in [
        ("claim", "claim: its parameter 1 is `char *`, and `int` is asked (int claim(int where))"),
        ("sum", "sum: it returns `number`, and `long` is asked (long sum(const int values[], size_t n))"),
        ("mean", "mean: the number of its parameters is 1, and 2 is asked"),
        ("size", "size: it is a variable, not a function"),
        (
            "least",
            "least: its parameter 1 is `int *`, and `const int *` is asked (int least(const int *values, size_t n))",
        ),
    ] {
        assert_eq!(case(&report, name)["verdict"], "raised");
        assert_says(&case(&report, name).to_string(), why);
    }
    assert_eq!(case(&report, "half")["verdict"], "passed", "{report}");
}

#[test]
fn a_submission_in_c_does_not_replace_what_keur_calls() {
    needs!(Cpp);
    let functions = "up = { args = [\"text\"], c = \"char *up(const char *text)\", frees = [\"return\"] }\n";
    let cases = [("up", "\"up('a')\"", "returns = \"A\"")];
    let source =
        "void free(void *p) {}\nchar *up(const char *text) { static char all[] = \"A\"; return all; }\n";
    let report = graded(GCC, functions, &cases, &[("box.c", source)]);
    assert_says(&case(&report, "up").to_string(), "it defines free, which belongs to the C library");
}

#[test]
fn an_error_of_a_submission_in_c_is_at_its_line() {
    needs!(Cpp);
    check_errors(GCC);
}

#[test]
fn an_error_of_a_submission_in_c_is_at_its_line_with_clang() {
    needs!(Clang);
    check_errors(CLANG);
}

#[track_caller]
fn check_errors(compiler: &[&str]) {
    let cases = [("half", "\"half(3)\"", "returns = 1.5")];
    let functions = "half = { args = [\"a\"], c = \"double half(double a)\" }\n";
    let report =
        graded(compiler, functions, &cases, &[("box.c", "\nint half(int a) { return b; }\n")]).to_string();
    assert_says(&report, if compiler == CLANG { "undeclared identifier 'b'" } else { "'b' undeclared" });
    assert_says(&report, "int half(int a) { return b; }");
    let undeclared =
        graded(compiler, "half = [\"a\"]\n", &cases, &[("box.c", "int half(int a) { return a / 2; }\n")]);
    assert_says(&undeclared.to_string(), "the exercise has no declarations for C");
}

#[test]
fn an_exercise_chooses_the_standard_of_functions_in_c_and_leaves_out_sanitizers() {
    needs!(Cpp);
    let functions = r#"
standard = { args = [], c = "long standard(void)" }
checked = { args = [], c = "bool checked(void)" }
copy = { args = ["values"], c = "int *copy(const int *values, size_t n)", lengths = { values = "n", return = "n" }, frees = ["return"] }
half = { args = ["a"], c = "double half(double a)", errno = true }
[compile.c]
standard = "c11"
sanitize = false
"#;
    let cases = [
        ("standard", "\"standard()\"", "returns = 201112"),
        ("checked", "\"checked()\"", "returns = false"),
        ("copy", "\"copy([1, 2])\"", "returns = [1, 2]"),
        ("half", "\"half(3)\"", "returns = 1.5"),
        ("errno", "\"half(-1)\"", "raises = { type = { c = \"EDOM\" } }"),
    ];
    let source = r#"#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
long standard(void) { return __STDC_VERSION__; }
#ifdef __SANITIZE_ADDRESS__
bool checked(void) { return true; }
#else
bool checked(void) { return false; }
#endif
int *copy(const int *values, size_t n) { return memcpy(malloc(n * sizeof *values), values, n * sizeof *values); }
double half(double a) { if (a < 0) errno = EDOM; return a / 2; }
"#;
    let report = graded(GCC, functions, &cases, &[("box.c", source)]);
    for (name, ..) in cases {
        assert_eq!(case(&report, name)["verdict"], "passed", "{}", case(&report, name));
    }
}

const STRUCTS: &str = r#"
norm = { args = ["p"], c = "double norm(struct point p)" }
shift = { args = ["p", "dx"], c = "void shift(struct point *p, int dx)" }
origin = { args = [], c = "struct point origin(void)" }
highest = { args = ["points"], c = "struct point highest(const struct point *points, size_t n)", lengths = { points = "n" } }
flip = { args = ["points"], c = "void flip(struct point *points, int n)", lengths = { points = "n" } }
row = { args = ["n"], c = "struct point *row(int n)", lengths = { return = "n" }, frees = ["return"] }
mirror = { args = ["p"], c = "bool mirror(struct point p, struct point *out)", results = ["out"] }
list_new = { args = [], c = "List *list_new(void)" }
list_add = { args = ["list", "value"], c = "List *list_add(List *list, int value)" }
list_size = { args = ["list"], c = "int list_size(const List *list)" }
oldest = { args = ["student"], c = "const Student *oldest(const Student *student)" }
color_of = { args = ["color"], c = "enum color color_of(enum color color)" }

[class.point]
new = ["x", "y"]
attributes = ["x", "y"]
c = "struct point { int x; double y; }"

[class.List]
c = "typedef struct list List"

[class.Student]
new = ["name", "town", "home", "marks", "friend"]
attributes = ["name", "town", "home", "marks", "friend"]
c = "typedef struct student { char name[8]; const char *town; struct point home; int marks[2]; Student *friend; } Student"

[view]
point = ["it.x", "it.y"]
"#;

const POINTS: &str = r#"#include <stdbool.h>
#include <stdlib.h>
#include <math.h>
struct point { int x; double y; };
typedef struct list { int size, values[9]; } List;
typedef struct student Student;
struct student { char name[8]; const char *town; struct point home; int marks[2]; Student *friend; };
enum color { RED, GREEN };
double norm(struct point p) { return sqrt(p.x * p.x + p.y * p.y); }
void shift(struct point *p, int dx) { p->x += dx; }
struct point origin(void) { struct point p = {0, 0}; return p; }
struct point highest(const struct point *points, size_t n) {
    struct point best = points[0];
    for (size_t i = 1; i < n; i++) if (points[i].y > best.y) best = points[i];
    return best;
}
void flip(struct point *points, int n) { for (int i = 0; i < n; i++) points[i].x = -points[i].x; }
struct point *row(int n) {
    struct point *all = calloc(n, sizeof *all);
    for (int i = 0; i < n; i++) all[i].x = i;
    return all;
}
bool mirror(struct point p, struct point *out) { out->x = -p.x; out->y = -p.y; return true; }
List *list_new(void) { return calloc(1, sizeof(List)); }
List *list_add(List *list, int value) { list->values[list->size++] = value; return list; }
int list_size(const List *list) { return list ? list->size : -1; }
const Student *oldest(const Student *student) { return student->friend ? oldest(student->friend) : student; }
enum color color_of(enum color color) { return color == RED ? GREEN : RED; }
"#;

#[test]
fn structs_in_c_are_objects() {
    needs!(Cpp);
    check_structs(GCC);
}

#[test]
fn structs_in_c_are_objects_with_clang() {
    needs!(Clang);
    check_structs(CLANG);
}

#[track_caller]
fn check_structs(compiler: &[&str]) {
    let cases = [
        ("values", "\"norm(point(3, 4))\"", "returns = 5.0"),
        ("fields", "[\"p = point(1, 2)\", \"p.x = 5\", \"p.x\"]", "returns = 5"),
        ("pointers", "[\"p = point(1, 2)\", \"shift(p, 3)\", \"p.x\"]", "returns = 4"),
        ("views", "\"origin()\"", "returns = [0, 0.0]"),
        ("arrays", "\"highest([point(1, 2), point(3, 4)])\"", "returns = [3, 4.0]"),
        ("changed_arrays", "[\"v = [point(1, 2)]\", \"flip(v)\", \"v[0].x\"]", "returns = -1"),
        ("returned_arrays", "\"row(2)\"", "returns = [[0, 0.0], [1, 0.0]]"),
        ("results", "\"mirror(point(1, 2))\"", "returns = [true, [-1, -2.0]]"),
        ("only_pointers", "[\"l = list_new()\", \"list_add(l, 3)\", \"list_size(l)\"]", "returns = 1"),
        ("same", "[\"l = list_new()\", \"list_add(l, 3)\"]", "same = \"l\""),
        ("null", "\"list_size(None)\"", "returns = -1"),
        (
            "all_fields",
            "[\"a = Student('Ann', None, point(1, 2), [7, 8], None)\", \"s = Student('Bo', 'Gent', point(1, 2), [7, 8], a)\", \"oldest(s)\"]",
            "same = \"a\"",
        ),
        (
            "read_fields",
            "[\"s = Student('Bo', 'Gent', point(1, 2), [7, 8], None)\", \"s.name + s.town + str(s.marks[1] + s.home.x)\"]",
            "returns = \"BoGent9\"",
        ),
        ("no_room", "\"Student('Charlotte', None, point(1, 2), [7, 8], None)\"", "returns = 1"),
        ("enums", "\"color_of(0)\"", "returns = 1"),
        ("other_values", "\"norm([3, 4])\"", "returns = 5.0"),
    ];
    let report = graded(compiler, STRUCTS, &cases, &[("box.c", POINTS)]);
    for (name, call, _) in cases {
        let verdict = if ["no_room", "other_values"].contains(&name) { "raised" } else { "passed" };
        assert_eq!(case(&report, name)["verdict"], verdict, "{call}: {}", case(&report, name));
    }
}

#[test]
fn other_structs_than_are_asked_are_findings() {
    needs!(Cpp);
    check_other_structs(GCC);
}

#[test]
fn other_structs_than_are_asked_are_findings_with_clang() {
    needs!(Clang);
    check_other_structs(CLANG);
}

#[track_caller]
fn check_other_structs(compiler: &[&str]) {
    let cases = [
        ("made", "\"point(3, 4)\"", "returns = 5.0"),
        ("passed", "\"norm(point(3, 4))\"", "returns = 5.0"),
        ("returned", "\"origin().x\"", "returns = 0"),
        ("others", "\"color_of(0)\"", "returns = 1"),
    ];
    let fields = "`struct point` must have these fields, in this order: int x; double y";
    for (own, made, says) in [
        ("struct point { double y; int x; };", "raised", fields),
        ("struct point { unsigned x; double y; };", "raised", fields),
        ("struct point { int x; };", "raised", fields),
        ("struct point { int x; double y; int z; };", "raised", fields),
        ("struct pt { int x; double y; };", "load error", "point"),
    ] {
        let name = own.split(" {").next().unwrap();
        let source = format!(
            "{own}\n{name} origin(void) {{ {name} p = {{0}}; return p; }}\n\
             enum color {{ RED }};\nenum color color_of(enum color c) {{ return c + 1; }}\n"
        );
        let functions: Vec<&str> = STRUCTS.lines().filter(|line| !line.starts_with("list_")).collect();
        let report = graded(compiler, &functions.join("\n"), &cases, &[("box.c", &source)]);
        assert_eq!(case(&report, "made")["verdict"], made, "{own} {report}");
        assert_says(&case(&report, "made").to_string(), says);
        assert_eq!(case(&report, "returned")["verdict"], "raised", "{own} {report}");
        assert_says(&case(&report, "returned").to_string(), says);
        assert_eq!(case(&report, "others")["verdict"], "passed", "{own} {report}");
    }
    let without = POINTS.replace("struct point", "struct pt");
    let report = graded(compiler, STRUCTS, &cases, &[("box.c", &without)]);
    assert_eq!(case(&report, "passed")["verdict"], "load error", "{report}");
}
