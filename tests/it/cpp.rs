//! C++: values, faults that sanitizers find, errors of the compiler, and what its confinement keeps from it.

use crate::required::needs;
use crate::running::{assert_says, folder, keur, write_files};
use serde_json::Value;
use tempfile::TempDir;

/// An exercise with these definitions, and a case for each line: what it calls, and what is expected.
fn course(definitions: &str, cases: &[(&str, &str, &str)]) -> TempDir {
    let exercise = format!(
        "title = \"Box\"\nsession = \"python\"\nlang = \"en\"\n[files]\ncpp = [\"box.cpp\"]\n{definitions}"
    );
    let folder = folder(&[("box/exercise.toml", exercise.as_str())]);
    for (name, call, expects) in cases {
        let case = format!("title = \"{name}\"\n[[step]]\ndo = {call}\n{expects}\n");
        write_files(folder.path(), &[(format!("box/{name}.toml").as_str(), case.as_str())]);
    }
    folder
}

/// The options that choose the compiler of GCC.
const GCC: &[&str] = &["--cpp", "g++"];

/// The options that choose the compiler of Clang.
const CLANG: &[&str] = &["--cpp", "clang++"];

/// The report on a submission of these files, compiled by g++.
fn graded(course: &TempDir, files: &[(&str, &str)]) -> Value {
    graded_by(GCC, course, files)
}

/// The report on a submission of these files, with the options that choose a compiler.
fn graded_by(compiler: &[&str], course: &TempDir, files: &[(&str, &str)]) -> Value {
    let submission = folder(files);
    let paths = [course.path(), submission.path()].map(|path| path.to_str().unwrap());
    let args = ["grade", "--format", "json", "--exercise", "box", "--cases"];
    let run = keur(&[&args[..], &paths[..], compiler].concat());
    run.json()["submissions"][0].clone()
}

/// The case of a report with this name.
fn case<'r>(report: &'r Value, name: &str) -> &'r Value {
    let cases = report["cases"].as_array().unwrap_or_else(|| panic!("{report}"));
    cases.iter().find(|case| case["name"] == name).unwrap_or_else(|| panic!("{report}"))
}

#[test]
fn values_pass_in_both_directions() {
    needs!(Cpp);
    check_values(GCC, "");
}

#[test]
fn values_pass_in_both_directions_with_clang() {
    needs!(Clang);
    check_values(CLANG, "");
}

#[track_caller]
fn check_values(compiler: &[&str], above: &str) {
    let cases = [
        ("integers", "\"f_int(-7)\"", "returns = -6"),
        ("large", "\"f_unsigned(18446744073709551615)\"", "returns = 18446744073709551615"),
        ("reals", "\"f_real(2)\"", "returns = 1.0"),
        ("short_reals", "\"f_short_reals(0.1)\"", "returns = [0.1, 0.7]"),
        ("booleans", "\"f_bool(True)\"", "returns = false"),
        ("texts", "\"f_text('hé')\"", "returns = \"hé!\""),
        ("characters", "\"f_char('a')\"", "returns = \"b\""),
        ("c_texts", "\"f_c_text('abc')\"", "returns = 3"),
        ("lists", "\"f_list([[1, 2], [3]])\"", "returns = [3, 3]"),
        ("arrays", "\"f_array([1, 2])\"", "returns = [2, 1]"),
        ("tuples", "\"f_pair((1, 'a'))\"", "returns = [\"a\", 1]"),
        ("sets", "\"f_set({1, 2})\"", "equals = \"{2}\""),
        ("maps", "\"f_map({'a': 1})\"", "equals = \"{'a': 2}\""),
        ("nothing", "\"f_optional(None)\"", "equals = \"None\""),
        ("something", "\"f_optional(3)\"", "returns = 3"),
        ("defaults", "\"f_default(1)\"", "returns = 6"),
        ("overloads", "\"f_overloaded(1, 2)\"", "returns = 2"),
        ("overloads_for_integers", "\"f_kind(1)\"", "returns = \"int\""),
        ("overloads_for_reals", "\"f_kind(1.5)\"", "returns = \"double\""),
        ("overloads_for_texts", "\"f_kind('a')\"", "returns = \"string\""),
        ("overloads_for_two", "\"f_kind('a', 2)\"", "returns = \"string, int\""),
        ("overloads_for_lists", "\"f_kind([1])\"", "returns = \"integers\""),
        ("overloads_for_items", "\"f_kind(['a'])\"", "returns = \"strings\""),
        ("overloads_for_maps", "\"f_kind({'a': 1})\"", "returns = \"map\""),
        ("overloads_for_objects", "[\"b = Box(3)\", \"f_kind(b)\"]", "returns = \"box\""),
        ("overloads_for_other_objects", "[\"b = Note()\", \"f_kind(b)\"]", "returns = \"note\""),
        ("overloads_for_a_list_and_an_integer", "\"f_kind([1], 2)\"", "returns = \"integers, int\""),
        ("overloaded_constructors", "\"Box([1, 2])\"", "shows = \"[2]\""),
        ("fields", "\"Size(2, [3]).high\"", "returns = [3]"),
        ("overloaded_methods", "[\"b = Box('abc')\", \"b.put('abcd')\"]", "shows = \"[4]\""),
        ("objects_as_their_base", "[\"b = Big()\", \"f_content(b)\"]", "returns = 9"),
        ("operators_that_are_not_const", "[\"b = Big()\"]", "equals = \"Big()\""),
        ("texts_that_are_not_const", "\"Note()\"", "shows = \"note\""),
        ("refused_overloads", "\"f_kind({'a': 'b'})\"", "raises = true"),
        ("changed_lists", "[\"v = [3, 1]\", \"f_sort(v)\", \"v\"]", "returns = [1, 3]"),
        ("objects", "[\"b = Box(3)\", \"f_content(b)\"]", "returns = 3"),
        ("texts_of_objects", "\"Box(3)\"", "shows = \"[3]\""),
        ("the_same_object", "[\"b = Box(3)\", \"b.put(4)\"]", "same = \"b\""),
        ("static_methods", "\"Box(3).count()\"", "returns = 7"),
        ("static_methods_of_the_class", "\"Box.count()\"", "returns = 7"),
        ("static_data", "\"Box(3).made\"", "returns = 5"),
        ("static_data_of_the_class", "[\"Box.made = 6\", \"[Box.made, Box.most]\"]", "returns = [6, 9]"),
        ("views", "\"f_point(1, 2)\"", "returns = [1, 2]"),
        ("exceptions", "\"Box(0)\"", "raises = { type = \"std::invalid_argument\", message = \"empty\" }"),
        ("own_exceptions", "\"f_throw()\"", "raises = \"no\""),
        ("refused_types", "\"f_int('a')\"", "raises = true"),
        ("refused_sizes", "\"f_int(2147483648)\"", "raises = true"),
        ("refused_lists", "\"f_map([1])\"", "raises = true"),
    ];
    let names = [
        "f_int", "f_unsigned", "f_real", "f_short_reals", "f_bool", "f_text", "f_char", "f_c_text", "f_list",
        "f_array", "f_pair", "f_set", "f_map", "f_optional", "f_sort", "f_content", "f_x", "f_y",
    ];
    let one = names.map(|name| format!("{name} = {{ args = [\"a\"] }}\n")).concat();
    let definitions = format!(
        "{above}[class.Box]\nnew = [\"n\"]\nmethods = {{ put = [\"n\"], count = [] }}\nattributes = [\"made\", \"most\"]\n[class.Big]\nnew = []\n[class.Size]\nnew = [\"wide\", \"high\"]\nattributes = [\"high\"]\n[class.Note]\nnew = []\n[function]\n{one}f_throw = {{ args = [] }}\n\
         f_default = {{ args = [\"a\", \"b?\"] }}\nf_overloaded = {{ args = [\"a\", \"b?\"] }}\n\
         f_kind = {{ args = [\"a\", \"b?\"] }}\n\
         f_point = {{ args = [\"x\", \"y\"], returns = \"Point\" }}\n[view]\nPoint = [\"f_x(it)\", \"f_y(it)\"]\n"
    );
    let source = r#"
#include "helper.h"
#include <array>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>
using namespace std;
class Box {
    int n;
public:
    explicit Box(int n) : n(n) { if (n == 0) throw invalid_argument("empty"); }
    explicit Box(const string &text) : n(text.size()) {}
    explicit Box(const vector<int> &items) : n(items.size()) {}
    Box &put(int other) { n = other; return *this; }
    Box &put(const string &text) { return put((int)text.size()); }
    static int count() { return 7; }
    static inline int made = 5;
    static constexpr int most = 9;
    friend ostream &operator<<(ostream &out, const Box &box) { return out << '[' << box.n << ']'; }
    friend int f_content(const Box &box);
};
int f_content(const Box &box) { return box.n; }
struct Big : Box {
    Big() : Box(9) {}
    bool operator==(Big &other) { return f_content(*this) == f_content(other); }
};
struct Note { string toString() { return "note"; } };
struct Point { int x, y; };
Point f_point(int x, int y) { return {x, y}; }
int f_x(const Point &p) { return p.x; }
int f_y(Point *p) { return p->y; }
struct No : exception { const char *what() const noexcept override { return "no"; } };
void f_throw() { throw No(); }
unsigned long long f_unsigned(unsigned long long a) { return a; }
double f_real(double a) { return a / 2; }
vector<float> f_short_reals(float a) { return {a, 0.7f}; }
bool f_bool(bool a) { return !a; }
string f_text(const string &a) { return a + "!"; }
char f_char(char a) { return a + 1; }
int f_c_text(const char *a) { int n = 0; while (a[n]) n++; return n; }
vector<int> f_list(const vector<vector<int>> &a) { vector<int> sums; for (auto &row : a) { int s = 0; for (int x : row) s += x; sums.push_back(s); } return sums; }
array<int, 2> f_array(array<int, 2> a) { return {a[1], a[0]}; }
pair<string, int> f_pair(pair<int, string> a) { return {a.second, a.first}; }
set<int> f_set(set<int> a) { a.erase(1); return a; }
map<string, int> f_map(map<string, int> a) { for (auto &e : a) e.second++; return a; }
optional<int> f_optional(optional<int> a) { return a; }
int f_default(int a, int b = 5) { return a + b; }
int f_overloaded(int) { return 1; }
int f_overloaded(int, int) { return 2; }
string f_kind(int) { return "int"; }
string f_kind(double) { return "double"; }
string f_kind(const string &) { return "string"; }
string f_kind(int, int) { return "int, int"; }
string f_kind(const vector<int> &) { return "integers"; }
string f_kind(const vector<string> &) { return "strings"; }
string f_kind(const map<string, int> &) { return "map"; }
string f_kind(const Box &) { return "box"; }
string f_kind(Note) { return "note"; }
string f_kind(vector<int>, int) { return "integers, int"; }
struct Size { int wide; vector<int> high; };
string f_kind(const string &, int) { return "string, int"; }
void f_sort(vector<int> &a) { if (a[0] > a[1]) swap(a[0], a[1]); }
// A name that a header of the standard library has too.
int count(int a) { return a; }
int main() { return count(1); }
"#;
    let files = [
        ("box.cpp", source),
        ("helper.h", "#pragma once\nint f_int(int a);\n"),
        ("helper.cpp", "#include \"helper.h\"\nint f_int(int a) { return a + 1; }\n"),
    ];
    let report = graded_by(compiler, &course(&definitions, &cases), &files);
    for (name, call, _) in cases {
        let verdict = if name.starts_with("refused") { "raised" } else { "passed" };
        assert_eq!(case(&report, name)["verdict"], verdict, "{call}: {}", case(&report, name));
    }
    let refused = case(&report, "refused_lists").to_string();
    assert_says(&refused, "f_map: a list is no std::map<std::string, int>");
}

#[test]
fn overloads_are_chosen_as_cpp_does_wherever_they_are_written() {
    needs!(Cpp, Clang);
    let class = "[class.Own]\nnew = []\nmethods = { of_base = [\"a\"], same = [\"a\"] }\n";
    let names = ["add", "other", "kind", "inner", "hidden", "wide", "marked"];
    let definitions: String =
        names.iter().map(|name| format!("{name} = {{ args = [\"a\", \"b?\"] }}\n")).collect();
    let cases = [
        ("integer", "\"add(1)\"", "returns = 11"),
        ("reals", "\"add(1, 2.5)\"", "returns = 3.5"),
        ("text", "\"other(1)\"", "returns = \"one\""),
        ("sum", "\"other(1, 2)\"", "returns = 3"),
        ("integers", "\"kind([1])\"", "returns = \"integers\""),
        ("list_of_reals", "\"kind([1.5])\"", "returns = \"reals\""),
        ("texts", "\"kind(['a'])\"", "returns = \"texts\""),
        ("namespace", "\"inner(1, 2)\"", "returns = 3"),
        ("anonymous", "\"hidden(1)\"", "returns = 1"),
        ("defaults", "\"wide(1, 2)\"", "returns = 3"),
        ("defaults_of_reals", "\"wide(1.5, 2)\"", "returns = 4.0"),
        ("attribute", "\"marked(1)\"", "returns = 1"),
        ("deduced", "\"marked(1, 2)\"", "returns = 3"),
        ("inherited", "\"Own().of_base(3)\"", "returns = 3"),
        ("template", "\"Own().same(3)\"", "returns = 3"),
        ("template_of_text", "\"Own().same('ab')\"", "returns = \"ab\""),
        ("refused", "\"kind({'a': 1})\"", "returns = 3"),
    ];
    let source = "#include <string>
#include <vector>
int add(int a) { return a + 10; }
double add(double a, double b) { return a + b; }
std::string other(int) { return \"one\"; }
int other(int a, int b) { return a + b; }
std::string kind(const std::vector<int> &) { return \"integers\"; }
std::string kind(const std::vector<double> &) { return \"reals\"; } std::string kind(const std::vector<std::string> &) { return \"texts\"; }
namespace own { int inner(int a) { return a; } int inner(int a, int b) { return a + b; } }
using namespace own;
namespace { int hidden(int a) { return a; } int hidden(int a, int b) { return a + b; } }
int
wide(int a, // one
     int b = 10, int c = 0)
{ return a + b + c; }
double wide(double a, double b, double c = 0) try { return a + b + c + 0.5; } catch (...) { return 0; }
[[nodiscard]] int marked(int a) // two
{ return a; }
auto marked(int a, int b) { return a + b; }
class Base { public: int of_base(int a) { return a; } };
class Own : Base { public: using Base::of_base; template <class T> T same(T a) { return a; } };
";
    for compiler in [GCC, CLANG] {
        let report = graded_by(
            compiler,
            &course(&format!("{class}[function]\n{definitions}"), &cases),
            &[("box.cpp", source)],
        );
        for (name, ..) in cases {
            let verdict = if name == "refused" { "raised" } else { "passed" };
            assert_eq!(case(&report, name)["verdict"], verdict, "{}", case(&report, name));
        }
        assert_says(&case(&report, "refused").to_string(), "kind: no overload takes these arguments");
    }
}

#[test]
fn values_pass_by_other_standards() {
    needs!(Cpp, Clang);
    check_values(GCC, "[compile.cpp]\nstandard = \"c++17\"\n");
    check_values(GCC, "[compile.cpp]\nstandard = \"c++23\"\nsanitize = false\n");
    check_values(CLANG, "[compile.cpp]\nstandard = \"c++17\"\nsanitize = false\n");
}

#[test]
fn an_exercise_chooses_the_standard_and_leaves_out_sanitizers() {
    needs!(Cpp);
    check_choices(GCC);
}

#[test]
fn an_exercise_chooses_the_standard_and_leaves_out_sanitizers_with_clang() {
    needs!(Clang);
    check_choices(CLANG);
}

#[track_caller]
fn check_choices(compiler: &[&str]) {
    let cases = [
        ("standard", "\"standard()\"", "returns = 201703"),
        ("checked", "\"checked()\"", "returns = false"),
        ("item", "\"Items()[1]\"", "returns = 2"),
        ("sum", "\"Items() + Items()\"", "returns = 6"),
        ("loop", "\"list(Items())\"", "returns = [1, 2]"),
        ("memory", "\"memory()\"", ""),
        ("deep", "\"deep(1)\"", ""),
        ("overloads", "\"over(1)\"", "returns = 1"),
    ];
    let functions =
        ["standard", "checked", "memory"].map(|name| format!("{name} = {{ args = [] }}\n")).concat();
    let definitions = format!(
        "[compile.cpp]\nstandard = \"c++17\"\nsanitize = false\n[class.Items]\nnew = []\n[function]\n{functions}\
         deep = {{ args = [\"a\"] }}\nover = {{ args = [\"a\", \"b?\"] }}\n"
    );
    let source = "#include <vector>
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__
#endif
#endif
long standard() { return __cplusplus; }
bool checked() {
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
    return true;
#else
    return false;
#endif
}
struct Items {
    int at[2] = {1, 2};
    int &operator[](int i) { return at[i]; }
    int operator+(const Items &other) { return at[0] + at[1] + other.at[0] + other.at[1]; }
    int *begin() { return at; }
    int *end() { return at + 2; }
};
int memory() { std::vector<std::vector<char>> all; for (;;) all.push_back(std::vector<char>(1 << 20, 'a')); }
int deep(int a) { volatile char room[1000]; room[0] = 1; return deep(a + 1) + room[0]; }
int over(int) { return 1; }
int over(int, int) { return 2; }
";
    let report = graded_by(compiler, &course(&definitions, &cases), &[("box.cpp", source)]);
    for (name, ..) in cases {
        let verdict = match name {
            "memory" => "memory limit",
            "deep" => "crashed",
            _ => "passed",
        };
        assert_eq!(case(&report, name)["verdict"], verdict, "{}", case(&report, name));
    }
}

#[test]
fn a_fault_is_found_and_said_at_its_line() {
    needs!(Cpp);
    check_faults(GCC);
}

#[test]
fn a_fault_is_found_and_said_at_its_line_with_clang() {
    needs!(Clang);
    check_faults(CLANG);
}

#[track_caller]
fn check_faults(compiler: &[&str]) {
    let faults = [
        ("array", "Index 5 out of bounds for type 'int [5]'", 6),
        ("heap", "heap-buffer-overflow (read)", 7),
        ("freed", "heap-use-after-free (read)", 8),
        ("overflow", "Signed integer overflow", 9),
        ("missing", "Execution reached the end of a value-returning function", 10),
        // The sanitizers do not find the first two: there is room behind the last item, and in the optional.
        ("past", "index past the end", 11),
        ("engaged", "an empty optional is asked for its value", 12),
        ("pointer", "use of a null pointer", 13),
        ("large", "allocation-size-too-big", 14),
        ("wide", "local variables larger than the stack", 25),
        ("cast", "1e+20 is outside the range of representable values of type 'int'", 26),
    ];
    let faults = faults.map(|(name, says, line)| (name, format!("undefined behaviour: {says}"), line));
    let ends = [
        ("asserts", "failed assertion: a < 0 && \"negative\"".to_owned(), 22),
        ("escapes", "std::terminate: std::runtime_error: no".to_owned(), 23),
        ("throws", "std::runtime_error: deep".to_owned(), 27),
        ("again", "std::out_of_range: again".to_owned(), 28),
        // Its text is no UTF-8.
        ("latin", "std::runtime_error: caf\u{fffd}".to_owned(), 29),
    ];
    let faults: Vec<_> = faults.into_iter().chain(ends).collect();
    let others = ["deep", "forever", "memory", "aborts", "raises", "leaves", "fine", "unset", "gone"];
    let names: Vec<&str> = faults.iter().map(|fault| fault.0).chain(others).collect();
    let definitions: String = names.iter().map(|name| format!("{name} = {{ args = [\"a\"] }}\n")).collect();
    let calls: Vec<String> = names.iter().map(|name| format!("\"{name}(5)\"")).collect();
    let cases: Vec<_> =
        names.iter().zip(&calls).map(|(name, call)| (*name, call.as_str(), "returns = 5")).collect();
    let expected =
        [("expected", "\"overflow(5)\"", "raises = true"), ("asserted", "\"asserts(5)\"", "raises = true")];
    let cases: Vec<_> = cases.into_iter().chain(expected).collect();
    let source = "#include <csignal>
#include <vector>
#include <optional>
#include <cassert>
#include <stdexcept>
int array(int a) { int all[5] = {0}; return all[a]; }
int heap(int a) { std::vector<int> all(5); return all.data()[a]; }
int freed(int a) { int *p = new int(a); delete p; return *p; }
int overflow(int a) { return a + 2147483647; }
int missing(int a) { if (a < 0) return a; }
int past(int a) { std::vector<int> all; all.reserve(9); all.resize(5); return all[a]; }
int engaged(int) { std::optional<int> none; return *none; }
int pointer(int a) { return *(int *)(std::size_t)(a * 8); }
int large(int a) { return *new char[std::size_t(a) << 40]; }
int deep(int a) { volatile char room[1000]; room[0] = 1; return deep(a + 1) + room[0]; }
int forever(int) { for (volatile int i = 0;; i = 0) {} }
int memory(int a) { std::vector<std::vector<char>> all; for (;;) all.push_back(std::vector<char>(1 << 20, a)); }
int aborts(int) { std::abort(); }
int raises(int a) { std::raise(SIGSEGV); return a; }
int leaves(int) { std::exit(3); }
int fine(int a) { return a; }
int asserts(int a) { assert(a < 0 && \"negative\"); return a; }
int escapes(int a) noexcept { if (a > 0) throw std::runtime_error(\"no\"); return a; }
int unset(int) { int a; return a; }
int wide(int a) { volatile int all[3000000]; all[0] = a; return all[0]; }
int cast(int a) { return (int)(a * 2e19); }
int throws(int a) { return a == 0 ? throw std::runtime_error(\"deep\") : throws(a - 1); }
int again(int a) { try { throw std::out_of_range(\"again\"); } catch (...) { try { throws(a); } catch (...) {} throw; } }
int latin(int) { throw std::runtime_error(\"caf\\xe9\"); }
const char *gone(int a) { std::string text(a * 10, 'a'); return text.c_str(); }
";
    let report =
        graded_by(compiler, &course(&format!("[function]\n{definitions}"), &cases), &[("box.cpp", source)]);
    for (name, says, line) in faults {
        let found = case(&report, name);
        let text = found["finding"]["exception"]["text"].as_str().unwrap_or_else(|| panic!("{found}"));
        // Clang writes `int[5]`.
        assert_says(&text.replace("int[5]", "int [5]"), &says);
        let places = found["finding"]["exception"]["places"].as_array().unwrap_or_else(|| panic!("{found}"));
        let last = places.last().unwrap_or_else(|| panic!("{found}"));
        assert_eq!((last["file"].as_str(), last["line"].as_u64()), (Some("box.cpp"), Some(line)), "{found}");
    }
    for (name, verdict) in [
        ("forever", "time limit"),
        ("memory", "memory limit"),
        // Its stack is full.
        ("deep", "crashed"),
        ("aborts", "crashed"),
        ("raises", "crashed"),
        ("leaves", "crashed"),
        ("fine", "passed"),
        ("unset", "wrong value"),
        ("gone", "raised"),
        // No case can expect it.
        ("expected", "raised"),
        ("asserted", "raised"),
    ] {
        assert_eq!(case(&report, name)["verdict"], verdict, "{}", case(&report, name));
    }
    // The sanitizer's report of it names no line of the submission.
    assert_eq!(case(&report, "gone")["finding"]["errors"], Value::Null, "{}", case(&report, "gone"));
    // The value of a variable that has none, which each compiler chooses.
    let unset = if compiler == CLANG { "-1431655766" } else { "-16843010" };
    assert_eq!(case(&report, "unset")["finding"]["got"], unset);
}

#[test]
fn templates_have_the_types_that_the_exercise_declares() {
    needs!(Cpp, Clang);
    let definitions = r#"[class.Stack]
new = []
methods = { push = ["x"], top = [] }
cpp = "Stack<int>"
[function]
largest = { args = ["values"], cpp = ["int largest(const std::vector<int> &values)", "std::string largest(const std::vector<std::string> &values)"] }
swapped = { args = ["a", "b"], cpp = "std::pair<double, double> swapped(double a, double b)" }
plain = { args = ["a"], cpp = "int plain(int a)" }
other = { args = ["a"], cpp = "int other(int a)" }
text = { args = ["a"], cpp = "int text(const std::string &a)" }
gone = { args = ["a"], cpp = "int gone(int a)" }
[view]
Stack = ["it.top()"]
"#;
    let cases = [
        ("class", "[\"s = Stack()\", \"s.push(3)\", \"s.top()\"]", "returns = 3"),
        ("view", "[\"s = Stack()\", \"s.push(3)\", \"s\"]", "returns = [3]"),
        ("integers", "\"largest([1, 5, 2])\"", "returns = 5"),
        ("texts", "\"largest(['a', 'c'])\"", "returns = \"c\""),
        ("reals", "\"largest([1.5])\"", "raises = true"),
        ("both", "\"swapped(1, 2.5)\"", "returns = [2.5, 1.0]"),
        ("plain", "\"plain(1)\"", "returns = 2"),
        ("other", "\"other(1)\"", ""),
        ("text", "\"text('a')\"", ""),
        ("gone", "\"gone(1)\"", ""),
    ];
    let source = "#include <vector>
template <class T> T largest(const std::vector<T> &values) { T best = values.at(0); for (const T &v : values) if (best < v) best = v; return best; }
template <class T> std::pair<T, T> swapped(T a, T b) { return {b, a}; }
int plain(int a) { return a + 1; }
template <class T> T other(T *a) { return *a; }
int text(char *a) { return a[0]; }
template <class T> class Stack {
    std::vector<T> items;
public:
    void push(const T &x) { items.push_back(x); }
    T top() const { return items.back(); }
};
";
    for compiler in [GCC, CLANG] {
        let report = graded_by(compiler, &course(definitions, &cases), &[("box.cpp", source)]);
        for (name, verdict) in [
            ("class", "passed"),
            ("view", "passed"),
            ("integers", "passed"),
            ("texts", "passed"),
            ("reals", "raised"),
            ("both", "passed"),
            ("plain", "passed"),
            ("other", "raised"),
            ("text", "raised"),
            ("gone", "load error"),
        ] {
            assert_eq!(case(&report, name)["verdict"], verdict, "{}", case(&report, name));
        }
        assert_says(&case(&report, "other").to_string(), "it cannot be called as `int other(int a)`");
        let said = "its type is `int (char*)`, and `int text(const std::string &a)` is asked";
        assert_says(&case(&report, "text").to_string(), said);
    }
}

#[test]
fn memory_that_is_lost_is_a_fault_where_the_exercise_asks() {
    needs!(Cpp, Clang);
    let definitions = "[programs]\ncpp = [\"main.cpp\"]\n[compile.cpp]\nleaks = true\n[class.Freed]\nnew = []\n[class.Lost]\nnew = []\n[class.Money]\nnew = []\nmethods = { add = [\"n\"], sum = [] }\n\
                       [function]\nmany = { args = [\"n\"] }\nmake = { args = [\"n\"] }\ncounted = { args = [\"n\"] }\nfreed = { args = [\"n\"] }\nlost = { args = [\"n\"] }\nkept = { args = [\"n\"] }\nthrown = { args = [\"n\"] }\n";
    let cases = [
        ("freed", "\"freed(3)\"", "returns = 3"),
        ("lost", "\"lost(3)\"", "returns = 3"),
        ("kept", "\"kept(3)\"", "returns = 3"),
        ("counted", "\"counted(1)\"", "returns = 4"),
        ("freed_objects", "[\"b = Freed()\", \"b = None\"]", ""),
        ("objects", "[\"b = Lost()\", \"freed(1)\"]", ""),
        ("lost_objects", "[\"b = Lost()\", \"b = None\"]", ""),
        ("chain", "[\"m = Money().add(2)\", \"m.add(3)\", \"m.sum()\"]", "returns = 5"),
        ("many", "\"many(3000)\"", "returns = 3000"),
        ("returned", "\"make(1)\"", ""),
        ("expected", "\"lost(3)\"", "raises = true"),
        ("thrown", "\"thrown(3)\"", "returns = 3"),
    ];
    let source = "#include <list>
#include <memory>
#include <string>
struct Node { int value; Node *next; };
static Node *first = nullptr;
static std::unique_ptr<Node> owned;
static Node **table = new Node *[9];
Node *chain(int n) { return n == 0 ? nullptr : new Node{n, chain(n - 1)}; }
int freed(int n) { Node *at = chain(n); while (at) { Node *next = at->next; delete at; at = next; } return n; }
int lost(int n) { Node *at = chain(n); return at->value; }
int kept(int n) {
    static thread_local std::list<std::string> words;
    words.push_back(std::string(100, 'a'));
    owned = std::make_unique<Node>();
    table[n] = new Node;
    return (first = chain(n))->value;
}
thread_local int calls = 3;
int counted(int n) { return calls += n; }
Node *make(int n) { return new Node{n, nullptr}; }
int many(int n) { for (int i = 0; i < n; ++i) new Node; return n; }
class Money { int all = 0; public: Money &add(int n) { all += n; return *this; } int sum() { return all; } };
class Freed { int *items = new int[4]; public: ~Freed() { delete[] items; } };
class Lost { int *items = new int[4]; };
int thrown(int n) { int *all = new int[n]; if (n > 2) throw std::string(\"no\"); delete[] all; return n; }
";
    let main = "#include <cstdlib>
#include <iostream>
#include <vector>
int main(int count, char **) {
    std::vector<int *> all{new int};
    char *text = new char[20];
    std::cout << count - 1;
    if (count == 2) std::exit(text == nullptr);
    delete all[0];
    text = nullptr;
}
";
    for compiler in [GCC, CLANG] {
        let course = course(definitions, &cases);
        for (name, args) in [("exits", "[\"a\"]"), ("returns", "[]")] {
            let case = format!("title = \"{name}\"\n[[step]]\nrun = \"main.cpp\"\nargs = {args}\nexit = 0\n");
            write_files(course.path(), &[(format!("box/{name}.toml").as_str(), case.as_str())]);
        }
        let report = graded_by(compiler, &course, &[("box.cpp", source), ("main.cpp", main)]);
        for name in ["freed", "kept", "counted", "freed_objects", "objects", "chain", "exits"] {
            assert_eq!(case(&report, name)["verdict"], "passed", "{}", case(&report, name));
        }
        for (name, lost, file, line) in [
            ("lost", "lost memory: 48 bytes in 3 blocks", "box.cpp", 8),
            ("expected", "lost memory: 48 bytes in 3 blocks", "box.cpp", 8),
            ("many", "lost memory: 48000 bytes in 3000 blocks", "box.cpp", 21),
            ("returned", "lost memory: 16 bytes", "box.cpp", 20),
            ("lost_objects", "lost memory: 16 bytes", "box.cpp", 24),
            ("returns", "lost memory: 20 bytes", "main.cpp", 6),
            ("thrown", "lost memory: 12 bytes, after std::string: no", "box.cpp", 25),
        ] {
            let found = &case(&report, name)["finding"]["exception"];
            assert_says(found["text"].as_str().unwrap_or_default(), lost);
            let last = found["places"].as_array().and_then(|places| places.last());
            let last = last.unwrap_or_else(|| panic!("{}", case(&report, name)));
            assert_eq!((last["file"].as_str(), last["line"].as_u64()), (Some(file), Some(line)), "{found}");
            let message = case(&report, name)["finding"]["message"].as_str().unwrap_or_default();
            assert_says(message, "bytes of memory are lost: they were not freed");
            assert_eq!(message.contains("std::string: no was raised, and "), name == "thrown", "{message}");
            assert!(!message.contains("undefined"), "{message}");
        }
    }
}

#[test]
fn missing_definitions_fail_their_cases_and_compiler_errors_name_their_line() {
    needs!(Cpp);
    check_missing_definitions(GCC);
}

#[test]
fn missing_definitions_fail_their_cases_and_compiler_errors_name_their_line_with_clang() {
    needs!(Clang);
    check_missing_definitions(CLANG);
}

#[track_caller]
fn check_missing_definitions(compiler: &[&str]) {
    let definitions = "[class.Box]\nnew = []\nmethods = { put = [], look = [] }\n[class.Lid]\nnew = []\n[function]\nhere = { args = [] }\nthere = { args = [] }\n";
    let cases = [
        ("here", "\"here()\"", "returns = 1"),
        ("there", "\"there()\"", "returns = 1"),
        ("put", "\"Box().put()\"", "returns = 1"),
        ("look", "\"Box().look()\"", "returns = 1"),
        ("lid", "\"Lid()\"", ""),
        ("shown", "\"Box()\"", "shows = \"1\""),
    ];
    let course = course(definitions, &cases);
    // A header of the standard library that it does not include has the name of its variable.
    let source = "#include <string>\nusing namespace std;\nint list = 1;\nint here() { return list; }\n\
                  class Box { int look() { return 1; } public: int put() { return 1; } };\n";
    let report = graded_by(compiler, &course, &[("box.cpp", source)]);
    for (name, verdict) in [
        ("here", "passed"),
        ("put", "passed"),
        ("there", "load error"),
        ("look", "raised"),
        ("shown", "raised"),
        ("lid", "load error"),
    ] {
        assert_eq!(case(&report, name)["verdict"], verdict, "{}", case(&report, name));
    }
    assert_says(&case(&report, "shown").to_string(), "Box cannot be printed: write an operator<< for it");
    let wrong = "#include <string>\nint here() {\n    std::string text = 3 +;\n    return 1;\n}\n";
    let text = graded_by(compiler, &course, &[("box.cpp", wrong)]).to_string();
    assert_says(&text, if compiler == CLANG { "expected expression" } else { "expected primary-expression" });
    assert_says(&text, "std::string text = 3 +;");
}

#[test]
fn common_errors_of_the_compiler_are_explained_at_the_first_line_of_the_submission() {
    needs!(Cpp);
    check_common_errors(GCC);
}

#[test]
fn common_errors_of_the_compiler_are_explained_at_the_first_line_of_the_submission_with_clang() {
    needs!(Clang);
    check_common_errors(CLANG);
}

#[track_caller]
fn check_common_errors(compiler: &[&str]) {
    let course = course("[function]\nhere = { args = [] }\n", &[("here", "\"here()\"", "returns = 1")]);
    // Clang reports it where it is missing, and GCC at what follows.
    let semicolon = if compiler == CLANG { 2 } else { 3 };
    for (source, says, line) in [
        ("int here() {\n    int a = 1\n    return a;\n}\n", "a semicolon (;) is missing", semicolon),
        ("#include <iostream>\nint here() { cout << 1; return 1; }\n", "write std::cout instead of cout", 2),
        (
            "#include <new>\nint here() {\n    std::vector<int> a;\n    return b;\n}\n",
            "std::vector needs #include <vector>",
            3,
        ),
        ("int other();\nint here() {\n    return other();\n}\n", "other() is declared, but not defined", 3),
        (
            "int here() {\n    return \"a\";\n}\n",
            "the type int is needed here, and this has the type const char",
            2,
        ),
        ("int here() {\n    return 1 – 0;\n}\n", "the character – does not belong here", 2),
    ] {
        let report = graded_by(compiler, &course, &[("box.cpp", source)]);
        let finding = &case(&report, "here")["finding"];
        let message = finding["message"].as_str().unwrap_or_else(|| panic!("{report}"));
        assert_says(message, &format!("the code does not compile: {says}"));
        let places = finding["exception"]["places"].as_array().unwrap_or_else(|| panic!("{finding}"));
        assert_eq!(places[0]["line"].as_u64(), Some(line), "{source}: {finding}");
        assert!(!finding.to_string().contains("keur"), "{finding}");
    }
}

#[test]
fn calls_of_what_cannot_be_called_are_refused_with_the_reason() {
    needs!(Cpp);
    check_refused_calls(GCC);
}

#[test]
fn calls_of_what_cannot_be_called_are_refused_with_the_reason_with_clang() {
    needs!(Clang);
    check_refused_calls(CLANG);
}

#[track_caller]
fn check_refused_calls(compiler: &[&str]) {
    let (template, overloads) = if compiler == CLANG {
        ("template <class T> T twice(T a)", "int over(), int over(int, std::string)")
    } else {
        ("template<class T> T twice(T)", "int over(int, std::string), int over()")
    };
    let template = format!("keur cannot tell the types of a template: {template}");
    let overloads = format!("it takes 0 or 2 arguments, not 1; there is {overloads}");
    let rows = [
        ("twice", "twice(1)", template.as_str()),
        ("vari", "vari(1)", "its type is int (*)(int, ...): keur cannot call a function with `...`"),
        ("number", "number(1)", "it is a variable of the type int*, not a function"),
        (
            "raw",
            "raw(1)",
            "it has a parameter of the type void*, which keur cannot make from a value of a case",
        ),
        ("deleted", "deleted(1)", "it is deleted"),
        ("claim", "claim('a')", "\"a\" is no Matrix"),
        ("two", "two(1)", "it takes 2 arguments, not 1"),
        ("over", "over(1)", overloads.as_str()),
        ("Shut", "Shut()", "nothing that keur can call takes 0 arguments"),
        ("Shape", "Shape()", "the class is abstract"),
        ("Generic", "Generic()", "it is a template"),
        ("hidden", "Box().hidden()", "it cannot be called from outside its class"),
        ("several", "Box().several()", "it cannot be called from outside its class"),
        ("data", "Box().data()", "it is a variable, not a method"),
        ("filled", "Box().filled()", "keur cannot tell the types of a template"),
        ("moving", "Box().moving()", "its type is int (Box::*)() &&, which keur cannot call"),
    ];
    let (names, calls): (Vec<_>, Vec<_>) =
        rows.iter().map(|(name, call, _)| (*name, format!("\"{call}\""))).unzip();
    let cases: Vec<_> = names.iter().zip(&calls).map(|(name, call)| (*name, call.as_str(), "")).collect();
    let there = ("there", "\"there()\"", "");
    let cases: Vec<_> = cases.into_iter().chain([there]).collect();
    let functions = ["twice", "vari", "number", "raw", "deleted", "claim", "two", "over"];
    let functions = functions.map(|name| format!("{name} = {{ args = [\"a\"] }}\n")).concat();
    let definitions = format!(
        "[class.Box]\nnew = []\nmethods = {{ hidden = [], several = [], data = [], filled = [], moving = [] }}\n[class.Shut]\nnew = []\n[class.Shape]\nnew = []\n\
         [class.Generic]\nnew = []\n[function]\n{functions}there = {{ args = [] }}\n"
    );
    let source = "#include <string>
template <class T> T twice(T a) { return a + a; }
int vari(int n, ...) { return n; }
int number = 3;
int raw(void *p) { return p == nullptr; }
void deleted(int) = delete;
struct Matrix { int a[3]; };
int claim(Matrix &m) { return m.a[0]; }
int two(int a, int b) { return a + b; }
int over() { return 1; }
int over(int, std::string) { return 2; }
class Shut { Shut() {} };
class Shape { public: virtual int size() = 0; };
template <class T> struct Generic { T t; };
class Box { int hidden() { return 1; } int several(); int several(int a) { return a; }
public: int data = 1; template <class T> T filled() { return {}; } int moving() && { return 1; } };
int there();
";
    let report = graded_by(compiler, &course(&definitions, &cases), &[("box.cpp", source)]);
    for (name, _, why) in rows {
        let found = case(&report, name);
        assert_eq!(found["verdict"], "raised", "{found}");
        let text = found["finding"]["exception"]["text"].as_str().unwrap_or_else(|| panic!("{found}"));
        assert_says(text, why);
        assert!(!text.contains("keur::"), "{found}");
        let message = found["finding"]["message"].as_str().unwrap_or_else(|| panic!("{found}"));
        let of_the_call = match name {
            "claim" => "a parameter has a type",
            "hidden" | "several" => "cannot be called from outside its class; is public: missing?",
            "data" => "is a variable; a method is asked",
            "Shape" => "no object can be made of Shape",
            "Shut" => "Shut has no public constructor for these arguments",
            _ => "the call in the case",
        };
        assert_says(message, of_the_call);
    }
    // Declared, but nowhere defined.
    assert_eq!(case(&report, "there")["verdict"], "load error", "{report}");
}

#[test]
fn each_file_is_compiled_once_wherever_it_lies() {
    needs!(Cpp);
    let course = course("[function]\nhere = { args = [] }\n", &[("here", "\"here()\"", "returns = 7")]);
    for files in [
        vec![
            ("box.cpp", "#include \"box.h\"\nint here() { return 7; }\n"),
            ("box.h", "#pragma once\nint here();\n#include \"box.cpp\"\n"),
        ],
        vec![
            ("src/box.cpp", "#include \"../include/game/seven.h\"\nint here() { return seven(); }\n"),
            (
                "include/game/seven.h",
                "#pragma once\n#include \"number.h\"\ninline int seven() { return NUMBER; }\n",
            ),
            ("include/game/number.h", "#define NUMBER 7\n"),
        ],
        vec![
            ("box.cpp", "#include \"game/seven.h\"\nint here() { return seven(); }\n"),
            ("game/seven.h", "int seven();\n"),
            ("game/seven.cpp", "#include \"seven.h\"\nint seven() { return 7; }\n"),
        ],
        vec![
            ("box.cpp", "#include \"keur-glue.cpp\"\nint here() { return seven(); }\n"),
            ("keur-glue.cpp", "int seven() { return 7; }\n"),
        ],
    ] {
        let report = graded(&course, &files);
        assert_eq!(case(&report, "here")["verdict"], "passed", "{files:?}: {report}");
    }
}

#[test]
fn nothing_of_the_machine_reaches_a_submission_or_its_compiler() {
    needs!(Cpp);
    check_secrets(GCC);
}

#[test]
fn nothing_of_the_machine_reaches_a_submission_or_its_compiler_with_clang() {
    needs!(Clang);
    check_secrets(CLANG);
}

#[track_caller]
fn check_secrets(compiler: &[&str]) {
    let course = course("[function]\nread = { args = [] }\n", &[("read", "\"read()\"", "returns = \"\"")]);
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "int stolen = 1847362905;\n").unwrap();
    let path = secret.to_str().unwrap();
    for source in [
        format!("#include \"{path}\"\nint read() {{ return stolen; }}\n"),
        format!("asm(\".incbin \\\"{path}\\\"\");\nint read() {{ return 1; }}\n"),
    ] {
        let report = graded_by(compiler, &course, &[("box.cpp", &source)]);
        assert!(
            report["cases"]
                .as_array()
                .is_none_or(|cases| cases.iter().all(|case| case["verdict"] != "passed")),
            "{report}"
        );
        assert!(!report.to_string().contains("1847362905"), "{report}");
    }
    // Its variables are initialised in a process that is confined already.
    let source = format!(
        "#include <fstream>\n#include <string>\nstatic std::string all() {{ std::ifstream in(\"{path}\"); std::string text; in >> text; return text; }}\n\
         static std::string early = all();\nstd::string read() {{ return early + all(); }}\n"
    );
    let report = graded_by(compiler, &course, &[("box.cpp", &source)]);
    assert_eq!(case(&report, "read")["verdict"], "passed", "{report}");
}
