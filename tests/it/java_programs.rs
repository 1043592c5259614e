//! Programs in Java: each in a virtual machine of its own, which ends as the program does.

use crate::grading;
use crate::required::needs;
use crate::running::{folder, write_files};
use keur_core::adapter::Launcher;
use keur_core::compare::{Mistake, ProgramMistake, RaiseMistake, StopMistake, Verdict};
use keur_core::event::{CaseReport, Finding};
use keur_core::grade::Worker;
use keur_core::languages::Interpreters;
use keur_sandbox::{Tier, available};

const EXERCISE: &str = r#"
title = "A program"
session = "python"
lang = "en"

[programs]
python = ["it.py"]
java = ["It.java"]
"#;

/// A machine for programs, started as confined processes are.
fn worker() -> Worker {
    Worker::new(Launcher::new(Tier::default(), 0))
}

/// Grades files with a case of these steps and settings.
#[track_caller]
fn graded(worker: &mut Worker, case: &str, files: &[(&str, &str)]) -> CaseReport {
    let case = format!("title = \"A case\"\n{case}");
    let cases = folder(&[("exercise.toml", EXERCISE), ("case.toml", &case)]);
    let loaded = grading::load(cases.path()).unwrap();
    let answer = folder(files);
    let report = grading::grade(&loaded, answer.path(), worker, &Interpreters::default()).unwrap();
    report.cases.into_iter().next().unwrap()
}

#[track_caller]
fn passes(worker: &mut Worker, keys: &str, body: &str) {
    let report = graded(worker, &step(keys), &[("It.java", &program(body))]);
    assert_eq!(report.verdict, Verdict::Passed, "{:?}", report.finding);
}

#[track_caller]
fn fails(worker: &mut Worker, keys: &str, body: &str) -> Finding {
    let report = graded(worker, &step(keys), &[("It.java", &program(body))]);
    *report.finding.unwrap_or_else(|| panic!("it passes"))
}

fn step(keys: &str) -> String {
    format!("[[step]]\nrun = \"it.py\"\n{keys}\n")
}

/// A program whose `main` begins on line 5.
fn program(body: &str) -> String {
    format!(
        "import java.io.*;\nimport java.util.*;\npublic class It {{\npublic static void main(String[] args) throws Exception {{\n{body}\n}}\n}}\n"
    )
}

#[test]
fn a_program_in_java_has_arguments_and_two_streams_and_a_status() {
    needs!(Java);
    let mut worker = worker();
    let body =
        "System.out.println(args.length + args[1] + \"é\");\nSystem.err.println(\"ô\");\nSystem.exit(3);";
    let keys = "args = ['a', 'b c']\nprints = \"2b cé\"\nerrors = \"ô\"\nexit = 3";
    passes(&mut worker, keys, body);
    passes(&mut worker, "exit = 3", "Runtime.getRuntime().exit(259);");
    passes(&mut worker, "prints = ''\nerrors = ''\nexit = 0", "");
    let finding = fails(&mut worker, "exit = 2", "System.exit(3);");
    assert_eq!(finding.mistake, Mistake::Program(ProgramMistake::Status));
    assert_eq!((finding.expected.as_deref(), finding.got.as_deref()), (Some("2"), Some("3")));
    // Hooks run when it ends, whatever ends it, and may take their time.
    let hook = "Runtime.getRuntime().addShutdownHook(new Thread(() -> { try { Thread.sleep(200); } catch (Exception e) { } System.out.println(\"bye\"); }));\n";
    for end in ["", "System.exit(0);"] {
        passes(&mut worker, "prints = 'bye'", &format!("{hook}{end}"));
    }
    passes(&mut worker, "prints = 'bye'\nexit = 1", &format!("{hook}throw new Exception();"));
}

#[test]
fn a_program_in_java_reads_its_input_in_every_usual_way() {
    needs!(Java);
    let mut worker = worker();
    let reader = "BufferedReader in = new BufferedReader(new InputStreamReader(System.in));\n";
    for body in [
        "Scanner in = new Scanner(System.in);\nSystem.out.print('[' + in.nextLine() + \"][\" + in.nextLine() + ']');",
        "Scanner in = new Scanner(System.in);\nwhile (in.hasNext()) System.out.print('[' + in.next() + ']');",
        &format!(
            "{reader}for (String line; (line = in.readLine()) != null;) System.out.print('[' + line + ']');"
        ),
        &format!("{reader}while (in.ready()) System.out.print('[' + in.readLine() + ']');"),
        &format!("{reader}in.lines().forEach(line -> System.out.print('[' + line + ']'));"),
        "for (String line : new String(System.in.readAllBytes(), \"UTF-8\").split(\"\\n\")) System.out.print('[' + line + ']');",
        "StringBuilder all = new StringBuilder();\nfor (int one; (one = System.in.read()) >= 0;) all.append((char) one);\n\
         System.out.print(\"[ë][b]\" + (all.length() == 5 ? \"\" : all));",
    ] {
        passes(&mut worker, "stdin = \"ë\\nb\\n\"\nprints = '[ë][b]'", body);
    }
    // In a dialogue, it waits when it has printed what it asks.
    let turns = "[[step.turn]]\nexpect = '^A $'\nsend = '1'\n[[step.turn]]\nexpect = '^B $'\nsend = '2'\n[[step.turn]]\nexpect = '^3$'";
    for body in [
        "Scanner in = new Scanner(System.in);\nSystem.out.print(\"A \");\nint a = in.nextInt();\nSystem.out.print(\"B \");\n\
         System.out.print(a + in.nextInt());",
        &format!(
            "{reader}System.out.print(\"A \");\nint a = Integer.parseInt(in.readLine());\nSystem.out.print(\"B \");\n\
             System.out.print(a + Integer.parseInt(in.readLine()));"
        ),
    ] {
        passes(&mut worker, turns, body);
    }
}

#[test]
fn a_program_in_java_that_reads_past_its_input_is_told_so() {
    needs!(Java);
    let mut worker = worker();
    let scanner = "Scanner in = new Scanner(System.in);\n";
    for read in ["in.nextLine();", "in.nextInt();", "in.next();"] {
        let body = format!("{scanner}in.nextLine();\n{read}");
        let finding = fails(&mut worker, "stdin = \"1\\n\"\nexit = 0", &body);
        assert_eq!(finding.mistake, Mistake::Raise(RaiseMistake::PastInput { lines: 1 }), "{read}");
        let exception = finding.exception.unwrap();
        assert!(exception.text.starts_with("NoSuchElementException"), "{}", exception.text);
        assert_eq!(exception.places.last().unwrap().line, 7);
        // It only ends so.
        passes(&mut worker, "stdin = \"1\\n\"", &body);
    }
    let empty =
        format!("{scanner}while (in.hasNext()) in.next();\nnew ArrayList<Integer>().iterator().next();");
    for keys in ["", "exit = 0"] {
        let finding = fails(&mut worker, keys, &empty);
        assert_eq!(finding.mistake, Mistake::Raise(RaiseMistake::Unexpected), "{keys}");
    }
    let null = "new BufferedReader(new InputStreamReader(System.in)).readLine().strip();";
    let finding = fails(&mut worker, "stdin = ''", null);
    assert!(finding.exception.unwrap().text.starts_with("NullPointerException"));
}

#[test]
fn an_exception_of_a_program_in_java_is_shown_at_its_line() {
    needs!(Java);
    let mut worker = worker();
    let finding =
        fails(&mut worker, "prints = 'x'", "System.out.println(\"x\");\nObject[] one = {};\none[1] = 2;");
    let exception = finding.exception.unwrap();
    assert_eq!((finding.verdict, exception.places.last().unwrap().line), (Verdict::Raised, 7));
    assert!(exception.text.starts_with("ArrayIndexOutOfBoundsException"), "{}", exception.text);
    passes(&mut worker, "prints = 'x'\nexit = 1", "System.out.println(\"x\");\nint zero = 0;\nzero /= zero;");
    let files = [(
        "It.java",
        "public class It {\n    static int n = Integer.parseInt(\"a\");\n    public static void main(String[] a) { }\n}\n",
    )];
    let exception = graded(&mut worker, &step(""), &files).finding.unwrap().exception.unwrap();
    assert_eq!(
        (exception.places.last().unwrap().line, exception.text.split(':').next()),
        (2, Some("NumberFormatException"))
    );
    let report =
        graded(&mut worker, &step(""), &[("It.java", "public class It {\n    void main() { }\n}\n")]);
    let exception = report.finding.unwrap().exception.unwrap();
    assert!(
        exception.text.ends_with("there is no method public static void main(String[] args)"),
        "{}",
        exception.text
    );
    for (text, says) in [
        ("public class It {\n", "reached end of file"),
        ("class It {\n    int n = \"a\";\n}\n", "incompatible types"),
    ] {
        let finding = graded(&mut worker, &step(""), &[("It.java", text)]).finding.unwrap();
        assert_eq!(finding.verdict, Verdict::LoadError);
        assert!(finding.exception.unwrap().text.contains(says), "{says}");
    }
}

#[test]
fn the_main_of_the_programs_own_file_is_run() {
    needs!(Java);
    let mut worker = worker();
    let main = |class: &str| {
        format!(
            "class {class} {{ public static void main(String[] a) {{ System.out.println(\"{class}\"); }} }}\n"
        )
    };
    let several = format!("class Part {{ }}\n{}{}{}", main("An"), main("It"), main("Other"));
    let other = [
        ("An.java", &*main("An")),
        (
            "It.java",
            "class Part { static int n = 4; }\nclass Own { public static void main(String[] a) { System.out.println(Part.n); } }",
        ),
    ];
    let package = format!("package app;\npublic {}", main("It"));
    let rejected = [("It.java", &*main("It")), ("Wrong.java", "class Wrong { int n = \"a\"; }")];
    for (prints, files) in [
        ("It", &[("It.java", &*several)][..]),
        ("4", &other),
        ("It", &[("It.java", &*package)]),
        ("It", &rejected),
        ("Main", &[("Main.java", &*main("Main"))]),
    ] {
        let report = graded(&mut worker, &step(&format!("prints = '{prints}'")), files);
        assert_eq!(report.verdict, Verdict::Passed, "{files:?} {:?}", report.finding);
    }
}

#[test]
fn every_run_in_java_is_a_fresh_machine_that_is_not_compiled_again() {
    needs!(Java);
    let mut worker = worker();
    let body = "System.out.println(System.getProperty(\"seen\") + new File(System.getProperty(\"java.class.path\")).getName()\n\
                .replaceAll(\"^keur-.*[.]jar$\", \" compiled\"));\nSystem.setProperty(\"seen\", \"1\");";
    let report =
        graded(&mut worker, &step("prints = 'null compiled'").repeat(2), &[("It.java", &program(body))]);
    assert_eq!(report.verdict, Verdict::Passed, "{:?}", report.finding);
}

#[test]
fn a_program_in_java_reads_and_writes_the_files_of_its_case() {
    needs!(Java);
    let mut worker = worker();
    let body = "List<String> lines = java.nio.file.Files.readAllLines(java.nio.file.Path.of(args[0]));\n\
                try (PrintWriter out = new PrintWriter(new FileWriter(\"out.txt\"))) { out.println(lines.get(1) + \"ë\"); }";
    let case = "input_files = { \"in.txt\" = \"é\\nù\\n\" }\n".to_owned()
        + &step("args = ['in.txt']\nwrites = { 'out.txt' = 'ùë' }").repeat(2);
    let report = graded(&mut worker, &case, &[("It.java", &program(body))]);
    assert_eq!(report.verdict, Verdict::Passed, "{:?}", report.finding);
}

#[test]
fn the_limits_hold_for_a_program_in_java() {
    needs!(Java);
    let mut worker = worker();
    let limits = "limits = { cpu = \"1s\", wall = \"5s\", output = \"2KB\", memory = \"64MB\" }\n";
    let endless = "while (true) Thread.onSpinWait();";
    for (body, verdict, mistake) in [
        (endless.to_owned(), Verdict::TimeLimit, StopMistake::CpuLimit),
        (
            format!("System.out.println(\"x\");\nnew Thread(() -> {{ {endless} }}).start();"),
            Verdict::TimeLimit,
            StopMistake::CpuLimit,
        ),
        (
            "while (true) System.out.println(\"so much\");".to_owned(),
            Verdict::OutputLimit,
            StopMistake::OutputLimit,
        ),
        (
            "List<int[]> all = new ArrayList<>();\nwhile (true) all.add(new int[1 << 20]);".to_owned(),
            Verdict::MemoryLimit,
            StopMistake::MemoryLimit,
        ),
    ] {
        let case = format!("{limits}{}", step("prints = 'x'"));
        let report = graded(&mut worker, &case, &[("It.java", &program(&body))]);
        assert_eq!(report.verdict, verdict, "{body}: {:?}", report.finding);
        assert_eq!(report.finding.unwrap().mistake, Mistake::Stop(mistake));
    }
    // What a thread prints while `main` has ended counts, and a daemon is not waited for.
    let thread = |daemon: bool| {
        format!(
            "Thread t = new Thread(() -> {{ try {{ Thread.sleep({}); }} catch (InterruptedException e) {{ }} System.out.println(\"x\"); }});\n\
             t.setDaemon({daemon});\nt.start();",
            if daemon { 60_000 } else { 100 }
        )
    };
    passes(&mut worker, "prints = 'x'", &thread(false));
    passes(&mut worker, "prints = ''", &thread(true));
    let finding = fails(&mut worker, "exit = 0", "Runtime.getRuntime().halt(0);");
    assert_eq!(finding.verdict, Verdict::Crashed);
}

#[test]
fn a_program_in_java_is_the_same_in_every_way_of_starting_it() {
    needs!(Java);
    let body = "Scanner in = new Scanner(System.in);\nSystem.out.print(\"é? \");\nSystem.out.println(in.nextInt() + 1);\n\
                System.err.println(\"ë\");\nSystem.exit(4);";
    let keys = "stdin = \"41\\n\"\nprints = \"é? 42\"\nerrors = \"ë\"\nexit = 4";
    for launcher in grading::all_launchers() {
        passes(&mut Worker::new(launcher), keys, body);
    }
}

#[test]
fn calls_and_programs_of_one_submission_in_java_are_kept_apart() {
    needs!(Java);
    let exercise = format!(
        "{EXERCISE}\n[files]\npython = [\"it.py\"]\njava = [\"It.java\"]\n[function]\nnext = {{ args = [] }}\n"
    );
    let calls = "[[step]]\ndo = \"next()\"\nreturns = 1\n";
    let case = format!(
        "title = \"A case\"\n{calls}{}{}",
        step("prints = '1'").repeat(2),
        calls.replace("= 1", "= 2")
    );
    let cases = folder(&[("exercise.toml", &exercise), ("b.toml", &case)]);
    write_files(
        cases.path(),
        &[
            ("a.toml", &format!("title = \"Before\"\n{}", step("prints = '1'"))),
            ("c.toml", &case.replace("A case", "After")),
        ],
    );
    let loaded = grading::load(cases.path()).unwrap();
    let text = "public class It {\n    static int n = 0;\n    static int next() { return ++n; }\n    public static void main(String[] args) { System.out.println(next()); }\n}\n";
    let answer = folder(&[("It.java", text)]);
    let report = grading::grade(&loaded, answer.path(), &mut worker(), &Interpreters::default()).unwrap();
    let verdicts: Vec<Verdict> = report.cases.iter().map(|case| case.verdict).collect();
    assert_eq!(verdicts, [Verdict::Passed; 3], "{:?}", report.cases);
}

#[test]
fn a_program_in_java_is_confined() {
    needs!(Java, Isolated);
    let body = "String said = \"\";\n\
                try { said += new FileInputStream(\"/etc/passwd\").read(); } catch (IOException refused) { said += \"no file\"; }\n\
                try { said += new ProcessBuilder(\"true\").start(); } catch (IOException refused) { said += \", no process\"; }\n\
                try { said += new java.net.ServerSocket(0); } catch (IOException refused) { said += \", no network\"; }\n\
                System.out.print(said);";
    for tier in [Tier::Standard, Tier::Strict].into_iter().filter(|tier| available(*tier).is_ok()) {
        passes(&mut Worker::new(Launcher::new(tier, 0)), "prints = 'no file, no process, no network'", body);
    }
}

#[test]
fn random_numbers_take_no_time_and_files_have_any_name() {
    needs!(Java);
    let mut worker = worker();
    let body = "System.out.println(UUID.randomUUID().toString().length());";
    passes(&mut worker, "prints = \"36\"\n[limits]\ncpu = \"3s\"", body);
    let case = format!("[input_files]\n\"caf\u{e9}.txt\" = \"au lait\"\n{}", step("prints = \"au lait\""));
    let body = "System.out.println(new BufferedReader(new FileReader(\"caf\u{e9}.txt\")).readLine());";
    // Also for the first machine, which compiles the driver.
    for mut worker in [worker, self::worker()] {
        let report = graded(&mut worker, &case, &[("It.java", &program(body))]);
        assert_eq!(report.verdict, Verdict::Passed, "{:?}", report.finding);
    }
}
