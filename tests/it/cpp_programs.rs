//! Programs in C++ and C: their input and output, their ends, and faults that sanitizers find.

use crate::required::needs;
use crate::running::{assert_says, folder, keur, write_files};
use serde_json::Value;

/// A case, by its name: the keys of the step that runs `it.cpp`, and the verdict.
type Case<'c> = (&'c str, &'c str, &'c str);

/// The options that choose the compilers of GCC.
const GCC: &[&str] = &["--cpp", "g++", "--c", "gcc"];

/// The options that choose the compilers of Clang.
const CLANG: &[&str] = &["--cpp", "clang++", "--c", "clang"];

/// The report on a submission of these files, with the programs `it` and `other`, compiled by one of these.
fn graded(compilers: &[&str], exercise: &str, cases: &[Case<'_>], files: &[(&str, &str)]) -> Value {
    let exercise = format!(
        "title = \"Box\"\nsession = \"python\"\nlang = \"en\"\nlimits = {{ memory = \"64MB\", cpu = \"500ms\" }}\n\
         [programs]\ncpp = [\"it.cpp\", \"other.cpp\"]\nc = [\"it.c\", \"other.c\"]\n{exercise}"
    );
    let course = folder(&[("box/exercise.toml", exercise.as_str())]);
    for (name, keys, _) in cases {
        let run = if keys.starts_with("run") || keys.starts_with("do") { "" } else { "run = \"it.cpp\"\n" };
        let above = if *name == "folder" { "[input_files]\n\"in.txt\" = \"1 2\"\n" } else { "" };
        let case = format!("title = \"{name}\"\n{above}[[step]]\n{run}{keys}\n");
        write_files(course.path(), &[(format!("box/{name}.toml").as_str(), case.as_str())]);
    }
    let submission = folder(files);
    let (cases, files) = (course.path().to_str().unwrap(), submission.path().to_str().unwrap());
    let args = ["grade", "--format", "json", "--exercise", "box", "--cases", cases, files];
    let run = keur(&[&args[..], compilers].concat());
    run.json()["submissions"][0].clone()
}

/// The case of a report with this name.
fn case<'r>(report: &'r Value, name: &str) -> &'r Value {
    let cases = report["cases"].as_array().unwrap_or_else(|| panic!("{report}"));
    cases.iter().find(|case| case["name"] == name).unwrap_or_else(|| panic!("{report}"))
}

#[track_caller]
fn check(compilers: &[&str], exercise: &str, cases: &[Case<'_>], files: &[(&str, &str)]) -> Value {
    let report = graded(compilers, exercise, cases, files);
    for (name, _, verdict) in cases {
        assert_eq!(case(&report, name)["verdict"], *verdict, "{}", case(&report, name));
    }
    report
}

#[test]
fn a_program_in_cpp_has_its_input_and_ends_as_it_would_alone() {
    needs!(Cpp);
    check_programs(GCC);
}

#[test]
fn a_program_in_cpp_has_its_input_and_ends_as_it_would_alone_with_clang() {
    needs!(Clang);
    check_programs(CLANG);
}

#[track_caller]
fn check_programs(compilers: &[&str]) {
    let source = r#"#include "part.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>
struct Last { ~Last() { std::cout << "last\n"; } };
int sum() { int all = 0; for (int next; std::cin >> next;) all += next; return all; }
int array(int at) { int all[5] = {0}; return all[at]; }
int main(int count, char **words) {
    std::string how = words[1];
    if (how == "args") for (int i = 0; i < count; i++) std::cout << words[i] << (i + 1 < count ? '|' : '\n');
    if (how == "cin") std::cout << sum();
    if (how == "unsynced") { std::ios::sync_with_stdio(false); std::cin.tie(nullptr); std::cout << sum(); }
    if (how == "scanf") { int a, b; printf("%d", scanf("%d %d", &a, &b) == 2 ? a + b : -1); printf(" %d", getchar()); }
    if (how == "getline") { std::string line; while (std::getline(std::cin, line)) std::cout << '[' << line << ']'; }
    if (how == "read") { char all[10]; auto n = read(0, all, sizeof all); printf("%ld%ld", long(n), long(read(0, all, 1))); }
    if (how == "folder") { std::cout << (freopen("in.txt", "r", stdin) != nullptr) << sum(); }
    if (how == "asks") for (char name[10]; printf("Name? "), scanf("%9s", name) == 1;) printf("Hello %s!\n", name);
    if (how == "status") return 3;
    if (how == "exits") { static Last last; std::cout << "out"; std::cerr << "err"; std::exit(4); }
    if (how == "throws") { std::cout << "out"; std::vector<int>().at(1); }
    if (how == "array") return array(count + 3);
    if (how == "heap") return std::vector<int>(count).data()[count];
    if (how == "aborts") std::abort();
    if (how == "leaves") _exit(0);
    if (how == "loops") for (volatile int i = 0;; i = 0) {}
    if (how == "prints") for (;;) puts("so much");
    if (how == "memory") for (std::vector<std::string> all;; all.push_back(std::string(1 << 20, 'a'))) {}
    if (how == "part") std::cout << part();
}
"#;
    let exercise =
        "[function]\nhalf = { args = [\"a\"] }\nread_sum = { args = [] }\n[files]\ncpp = [\"box.cpp\"]\n";
    let turns = "args = [\"asks\"]\n[[step.turn]]\nexpect = '^Name\\? $'\nsend = \"Ann\"\n[[step.turn]]\nexpect = '^Hello Ann!\\nName\\? $'\n";
    let cases = [
        ("args", "args = [\"args\", \"b c\"]\nprints = \"./it|args|b c\"\nexit = 0", "passed"),
        ("cin", "args = [\"cin\"]\nstdin = \"1 2\\n3\\n\"\nprints = \"6\"", "passed"),
        ("unsynced", "args = [\"unsynced\"]\nstdin = \"1 2\\n3\\n\"\nprints = \"6\"", "passed"),
        ("scanf", "args = [\"scanf\"]\nstdin = \"1 2\"\nprints = \"3 -1\"", "passed"),
        ("getline", "args = [\"getline\"]\nstdin = \"a b\\nc\"\nprints = \"[a b][c]\"", "passed"),
        ("read", "args = [\"read\"]\nstdin = \"abc\"\nprints = \"30\"", "passed"),
        ("folder", "args = [\"folder\"]\nstdin = \"9\"\nprints = \"13\"", "passed"),
        ("asks", turns, "passed"),
        ("status", "args = [\"status\"]\nexit = 3", "passed"),
        ("exits", "args = [\"exits\"]\nprints = \"outlast\"\nerrors = \"err\"\nexit = 4", "passed"),
        (
            "throws",
            "args = [\"throws\"]\nprints = \"out\"\nraises = { type = \"std::out_of_range\" }",
            "passed",
        ),
        ("array", "args = [\"array\"]", "raised"),
        ("heap", "args = [\"heap\"]", "raised"),
        ("fault_for_status", "args = [\"heap\"]\nexit = 1", "raised"),
        ("fault_for_exception", "args = [\"heap\"]\nraises = true", "raised"),
        ("aborts", "args = [\"aborts\"]", "crashed"),
        ("leaves", "args = [\"leaves\"]\nexit = 0", "crashed"),
        ("loops", "args = [\"loops\"]", "time limit"),
        ("prints", "args = [\"prints\"]", "output limit"),
        ("memory", "args = [\"memory\"]", "memory limit"),
        ("part", "args = [\"part\"]\nprints = \"7\"", "passed"),
        ("other", "run = \"other.cpp\"\nprints = \"other\"\nexit = 0", "passed"),
        ("calls", "do = [\"half(8)\", \"half(9)\"]\nreturns = 4", "passed"),
        ("input_of_calls", "do = \"read_sum()\"\nstdin = \"3\\n4\\n\"\nreturns = 7", "passed"),
    ];
    let files = [
        ("it.cpp", source),
        ("part.h", "int part();\n"),
        ("part.cpp", "#include \"part.h\"\nint part() { return 7; }\n"),
        // It defines names that the first program has, too.
        (
            "other.cpp",
            "#include \"box.cpp\"\n#include <cstdio>\nint array(int) { return 1; }\nint main() { puts(\"other\"); return half(0); }\n",
        ),
        (
            "box.cpp",
            "#include <iostream>\nint half(int a) { return a / 2; }\nint read_sum() { int a, b; std::cin >> a >> b; int c; std::cin >> c; return a + b; }\n",
        ),
    ];
    let report = check(compilers, exercise, &cases, &files);
    for (name, says, line) in [
        ("array", "Index 5 out of bounds for type 'int [5]'", 12),
        ("heap", "heap-buffer-overflow (read)", 27),
    ] {
        let exception = &case(&report, name)["finding"]["exception"];
        // Clang writes `int[5]`.
        let text = exception["text"].as_str().unwrap().replace("int[5]", "int [5]");
        assert_says(&text, &format!("undefined behaviour: {says}"));
        let last = exception["places"].as_array().unwrap().last().unwrap();
        assert_eq!(
            (last["file"].as_str(), last["line"].as_u64()),
            (Some("it.cpp"), Some(line)),
            "{exception}"
        );
    }
}

#[test]
fn a_submission_that_includes_the_whole_standard_library_is_graded() {
    needs!(Cpp);
    let source = "#include <bits/stdc++.h>
using namespace std;
int sum(vector<int> all) { return accumulate(all.begin(), all.end(), 0); }
int main() { int a, b; cin >> a >> b; cout << sum({a, b}) << endl; }
";
    let functions = "[files]\ncpp = [\"it.cpp\"]\n[function]\nsum = { args = [\"all\"] }\n";
    let cases = [
        ("program", "stdin = \"3 4\"\nprints = \"7\\n\"", "passed"),
        ("call", "do = \"sum([3, 4])\"\nreturns = 7", "passed"),
    ];
    check(GCC, functions, &cases, &[("it.cpp", source)]);
    // A program beside it has a name of that library.
    let other = "#include <iostream>\nusing namespace std;\nint count = 7;\nint main() { cout << count; }\n";
    let of_other = ("other", "run = \"other.cpp\"\nprints = \"7\"", "passed");
    check(GCC, functions, &[cases[0], of_other], &[("it.cpp", source), ("other.cpp", other)]);
    let wrong = source.replace("<< endl", "<< endL");
    let report = check(
        GCC,
        functions,
        &cases.map(|(name, keys, _)| (name, keys, "load error")),
        &[("it.cpp", &wrong)],
    );
    for name in ["program", "call"] {
        let place = &case(&report, name)["finding"]["exception"]["places"][0];
        assert_eq!((&place["file"], &place["line"]), (&"it.cpp".into(), &4.into()), "{report}");
    }
}

#[test]
fn a_submission_without_a_main_or_with_two_is_not_built() {
    needs!(Cpp);
    let cases = [("status", "exit = 0", "passed")];
    for (files, says) in [
        (
            &[("it.cpp", "int mian() { return 0; }\n")][..],
            "the code does not compile: a program needs a function main",
        ),
        (
            &[("it.cpp", "int half(int);\nint main() { return half(0); }\n")],
            "undefined reference to `half(int)'",
        ),
        (
            &[("it.cpp", "#include \"a.h\"\nint main() {}\n"), ("a.h", ""), ("a.cpp", "int main() {}\n")],
            "multiple definition of `main'",
        ),
    ] {
        assert_says(&graded(GCC, "", &cases, files).to_string(), says);
    }
}

#[test]
fn a_program_in_c_is_graded_as_one_in_cpp() {
    needs!(Cpp);
    check_programs_in_c(GCC);
}

#[test]
fn a_program_in_c_is_graded_as_one_in_cpp_with_clang() {
    needs!(Clang);
    check_programs_in_c(CLANG);
}

#[track_caller]
fn check_programs_in_c(compilers: &[&str]) {
    let source = r#"#include "part.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int used(int *p) { free(p); return *p; }
int main(int count, char *class[]) {
    const char *how = class[1];
    if (!strcmp(how, "args")) for (int i = 0; i < count; i++) printf("%s%c", class[i], i + 1 < count ? '|' : '\n');
    if (!strcmp(how, "input")) { double a, b; int n = scanf("%lf %lf", &a, &b); printf("%d %.1f", n, sqrt(a) + b); }
    if (!strcmp(how, "part")) { printf("%d", part()); fputs("err", stderr); exit(4); }
    if (!strcmp(how, "freed")) return used(malloc(4));
    if (!strcmp(how, "overflow")) return count + 2147483647;
    if (!strcmp(how, "null")) return *(int *)getenv("NONE");
    if (!strcmp(how, "loops")) for (;;) {}
}
"#;
    let cases = [
        ("args", "args = [\"args\", \"b\"]\nprints = \"./it|args|b\"\nexit = 0", "passed"),
        ("input", "args = [\"input\"]\nstdin = \"4\\n1.5\"\nprints = \"2 3.5\"", "passed"),
        ("part", "args = [\"part\"]\nprints = \"7\"\nerrors = \"err\"\nexit = 4", "passed"),
        ("freed", "args = [\"freed\"]", "raised"),
        ("overflow", "args = [\"overflow\"]", "raised"),
        ("null", "args = [\"null\"]", "raised"),
        ("loops", "args = [\"loops\"]", "time limit"),
        ("other", "run = \"other.cpp\"\nprints = \"other\"\nexit = 0", "passed"),
    ];
    let files = [
        ("it.c", source),
        ("part.h", "int part(void);\n"),
        ("part.c", "#include \"part.h\"\nint part(void) { return 7; }\n"),
        ("other.c", "#include <stdio.h>\nint part;\nint main() { puts(\"other\"); }\n"),
    ];
    let report = check(compilers, "", &cases, &files);
    for (name, says, line) in [
        ("freed", "heap-use-after-free (read)", 6),
        ("overflow", "Signed integer overflow", 13),
        ("null", "Load of null pointer", 14),
    ] {
        let exception = &case(&report, name)["finding"]["exception"];
        assert_says(exception["text"].as_str().unwrap(), &format!("undefined behaviour: {says}"));
        let last = exception["places"].as_array().unwrap().last().unwrap();
        assert_eq!((last["file"].as_str(), last["line"].as_u64()), (Some("it.c"), Some(line)), "{exception}");
    }
    let wrong =
        graded(compilers, "", &cases, &[("it.c", "int main(void) {\n    return half(0);\n}\n")]).to_string();
    assert_says(&wrong, "implicit declaration of function");
    assert_says(&wrong, "return half(0);");
}

#[test]
fn an_exercise_chooses_the_standard_of_programs_in_c() {
    needs!(Cpp);
    let source = "#include <stdio.h>\nint main() { printf(\"%ld\", __STDC_VERSION__); }\n";
    for (exercise, prints) in
        [("", "201710"), ("[compile.c]\nstandard = \"c11\"\nsanitize = false\n", "201112")]
    {
        let keys = format!("prints = \"{prints}\"\nexit = 0");
        let cases = [("standard", keys.as_str(), "passed")];
        check(GCC, exercise, &cases, &[("it.c", source), ("other.c", "int main() { return 0; }\n")]);
    }
}
