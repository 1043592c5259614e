//! Java, on a JDK 17 and newer.

use super::{Driver, Forks, Scan, Start, Told, numbers, pattern};
use crate::pattern::Regex;
use crate::sandbox::Launch;
#[cfg(target_os = "linux")]
use crate::sandbox::{Jail, Kind, linux};
use crate::value::syntax::Syntax;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The driver text. The virtual machine compiles it from a file, and with that warms its compiler up for a submission.
const TEXT: &str = concat!(
    include_str!("java/Driver.java"),
    include_str!("java/Calls.java"),
    include_str!("java/Values.java"),
);

/// Writable memory of the virtual machine besides the heap: classes, compiled code, the compiler.
const BASELINE: u64 = 512 << 20;

/// The smallest heap that the compiler can do with, in bytes.
const SMALLEST_HEAP: u64 = 48 << 20;

/// What the virtual machine is told: to start fast, to leave no file behind, to end where memory does, to say so on its
/// standard error, and to speak English.
const OPTIONS: &[&str] = &[
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Xshare:auto",
    "-XX:ReservedCodeCacheSize=48m",
    "-XX:MaxMetaspaceSize=128m",
    "-XX:CompressedClassSpaceSize=32m",
    "-XX:-UsePerfData",
    "-XX:+DisableAttachMechanism",
    "-XX:-UseContainerSupport",
    "-XX:+SuppressFatalErrorMessage",
    "-XX:-CreateCoredumpOnCrash",
    "-XX:+DisplayVMOutputToStderr",
    "-XX:+ExitOnOutOfMemoryError",
    "-Djava.awt.headless=true",
    "-Duser.language=en",
    "-Duser.country=US",
    // The driver speaks on a descriptor that it is given by number.
    "--add-exports=java.base/jdk.internal.access=ALL-UNNAMED",
];

/// Stack of a thread, which calls itself some ten thousand times in it.
const STACK: &str = "-Xss4m";

pub(super) const DRIVER: Driver = Driver {
    language: "java",
    title: "Java",
    engine: "java",
    engine_title: "Java",
    alternative: None,
    endings: &["java"],
    syntax: Syntax::Java,
    snake_case: false,
    keywords: false,
    exceptions: EXCEPTIONS,
    crashes: &[
        "ArithmeticException",
        "ArrayIndexOutOfBoundsException",
        "ArrayStoreException",
        "ClassCastException",
        "NegativeArraySizeException",
        "NoClassDefFoundError",
        "NoSuchMethodException",
        "NullPointerException",
        "StackOverflowError",
        "StringIndexOutOfBoundsException",
    ],
    shared: true,
    compiles: true,
    optional: true,
    forks: Forks::No,
    preload: &[],
    programs: &["java"],
    oldest: (17, 0),
    install: "a JDK",
    probe: &["-XshowSettings:properties", "-version"],
    told,
    text: Some(TEXT),
    launch,
    #[cfg(target_os = "linux")]
    jail,
    scan,
    module,
    newer_syntax: |_, _| None,
};

/// The exceptions of `java.lang` and those of `java.util` that its collections throw (the JDK 17 documentation).
const EXCEPTIONS: &[&str] = &[
    "ArithmeticException",
    "ArrayIndexOutOfBoundsException",
    "ArrayStoreException",
    "AssertionError",
    "ClassCastException",
    "ClassNotFoundException",
    "CloneNotSupportedException",
    "ConcurrentModificationException",
    "EmptyStackException",
    "Error",
    "Exception",
    "IllegalArgumentException",
    "IllegalStateException",
    "IndexOutOfBoundsException",
    "InputMismatchException",
    "InterruptedException",
    "NegativeArraySizeException",
    "NoSuchElementException",
    "NullPointerException",
    "NumberFormatException",
    "OutOfMemoryError",
    "ReflectiveOperationException",
    "RuntimeException",
    "SecurityException",
    "StackOverflowError",
    "StringIndexOutOfBoundsException",
    "Throwable",
    "UnsupportedOperationException",
];

/// Reads `java.home` and `java.version` among the settings that are told.
fn told(said: &str) -> Option<Told> {
    let setting = |name: &str| {
        said.lines().find_map(|line| line.trim().strip_prefix(name)?.trim().strip_prefix("=").map(str::trim))
    };
    let program = PathBuf::from(setting("java.home")?).join("bin/java");
    let version = setting("java.version")?;
    // A first release is `21` and an early one `22-ea`.
    let plain = version.split('-').next().unwrap_or_default();
    let version = if plain.contains('.') { plain.to_owned() } else { format!("{plain}.0") };
    Some((program, numbers(&version)?))
}

fn launch(start: &Start<'_>) -> Launch {
    let megabytes = start.memory.max(SMALLEST_HEAP) >> 20;
    let mut args: Vec<OsString> = OPTIONS.iter().map(Into::into).collect();
    args.push(STACK.into());
    args.push(format!("-Xmx{megabytes}m").into());
    args.push(format!("-XX:MaxDirectMemorySize={megabytes}m").into());
    args.push(start.text.unwrap_or(Path::new("Driver.java")).into());
    args.push(start.mode.word().into());
    // Where there is no /proc, the loader does not find the libraries that lie beside the program.
    let home = start.program.ancestors().nth(2).unwrap_or(Path::new("/"));
    let libraries = ("LD_LIBRARY_PATH".to_owned(), home.join("lib").display().to_string());
    Launch {
        program: start.program.to_owned(),
        args,
        env: if cfg!(target_os = "linux") { vec![libraries] } else { Vec::new() },
        transport: start.mode.transport(),
        baseline: BASELINE,
        shared: true,
        jail: None,
    }
}

#[cfg(target_os = "linux")]
fn jail(program: &Path) -> std::io::Result<Jail> {
    let paths = linux::java(program)?;
    Ok(Jail { kind: Kind::VirtualMachine, strict: false, readable: paths.readable, hidden: paths.hidden })
}

/// The types of a file and its static methods; what it may need of other files is every name that looks like a type,
/// because files of one package need no import.
fn scan(source: &str) -> Scan {
    static TYPES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?m)^[ \t]*(?:(?:public|final|abstract|sealed|static)[ \t]+)*(?:class|interface|enum|record)[ \t]+(\w+)",
        )
    });
    static FUNCTIONS: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?m)^[ \t]+(?:(?:public|final)[ \t]+)*static[ \t][^;={(]*?(\w+)[ \t]*\("));
    static NAMES: LazyLock<Regex> = LazyLock::new(|| pattern(r"\w+"));
    let all = |regex: &Regex| -> Vec<String> {
        regex.captures_iter(source).map(|found| found[1].to_owned()).collect()
    };
    let mut defines = all(&TYPES);
    defines.extend(all(&FUNCTIONS));
    let names = NAMES.find_iter(source).map(|found| found.as_str());
    let mut imports: Vec<String> =
        names.filter(|name| name.starts_with(char::is_uppercase)).map(str::to_owned).collect();
    imports.sort();
    imports.dedup();
    imports.retain(|name| !defines.contains(name));
    Scan { defines, imports }
}

/// The file's name without its ending, as the class in it is called.
fn module(file: &str) -> String {
    file.strip_suffix(".java").unwrap_or(file).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{module, scan, told};
    use std::path::Path;

    #[test]
    fn definitions_and_names_of_other_files_are_read() {
        let found = scan(
            "import java.util.List;\npublic final class Board {\n    private static int n = Math.abs(2);\n    public static Move makeMove(int src, int trg) { return new Move(src, trg); }\n    void move() {}\n}\nrecord Pair(int a) {}\n",
        );
        assert_eq!(found.defines, ["Board", "Pair", "makeMove"]);
        assert_eq!(found.imports, ["List", "Math", "Move"]);
        assert_eq!(module("Board.java"), "Board");
    }

    #[test]
    fn where_java_is_and_its_version_are_read_off_its_settings() {
        let says = |version: &str| {
            format!(
                "Property settings:\n    java.home = /opt/jdk\n    java.version = {version}\n    java.version.date = 2021\n"
            )
        };
        let found = |version| told(&says(version)).unwrap();
        assert_eq!(found("17.0.15"), (Path::new("/opt/jdk/bin/java").to_owned(), (17, 0, 15)));
        assert_eq!(found("21").1, (21, 0, 0));
        assert_eq!(found("22-ea").1, (22, 0, 0));
        assert_eq!(found("1.8.0_392").1.0, 1);
        assert_eq!(told("Error: no such option"), None);
    }
}
