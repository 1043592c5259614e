//! Java, on JDK 17 and newer.

mod notation;

pub use notation::Java;

use super::{
    COMPILED, Convention, DriverArgs, Engine, Language, Lifetime, ProbeResult, Scan, Version, pattern,
};
use crate::sandbox::Launch;
#[cfg(target_os = "linux")]
use crate::sandbox::{Jail, ProgramKind, Strictness, linux};
use regex::Regex;
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The driver text. The first virtual machine compiles it from a file, which warms up its compiler for a
/// submission; later ones start from what it was compiled to.
const TEXT: &str = concat!(
    include_str!("Driver.java"),
    include_str!("Native.java"),
    include_str!("Program.java"),
    include_str!("Operators.java"),
    include_str!("Calls.java"),
    include_str!("Values.java"),
);

/// Writable memory of the virtual machine beyond the heap: classes, compiled code, the compiler.
const BASELINE: u64 = 512 << 20;

/// The smallest heap that the compiler can work with, in bytes.
const SMALLEST_HEAP: u64 = 48 << 20;

/// Options of the virtual machine: start fast, leave no file behind, exit when memory runs out, report that
/// on standard error, and use English.
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
    // As newer machines do by themselves.
    "-Dfile.encoding=UTF-8",
    // The driver speaks on a descriptor given by number.
    "--add-exports=java.base/jdk.internal.access=ALL-UNNAMED",
];

/// Stack of a thread, enough for some ten thousand nested calls.
const STACK: &str = "-Xss4m";

/// The files of the locale `C.UTF-8` of glibc.
#[cfg(target_os = "linux")]
const LOCALE: &str = "/usr/lib/locale/C.utf8";

/// Java.
pub static LANGUAGE: Language = Language {
    name: "java",
    title: "Java",
    extensions: &["java"],
    headers: &[],
    extends: None,
    notation: &Java,
    convention: Convention::Camel,
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
    scan,
    definition: r"^[^=(;]*\b(?:class|interface|enum|record)[ \t]+NAME\b|^[ \t]*(?:[^=(;/*]+[ \t])?NAME[ \t]*\([^;]*$",
    module,
    notebooks: None,
    engines: &[&ENGINE],
    build: None,
};

static ENGINE: Engine = Engine {
    language: &LANGUAGE,
    name: "java",
    title: "Java",
    in_page: None,
    option: Some(("java", "The java program of a JDK")),
    lifetime: Lifetime::Submission { compiles: true },
    loads_again: false,
    optional: true,
    preload: &[],
    executables: &["java"],
    oldest: Version::new(17, 0),
    install: "a JDK",
    probe: &["-XshowSettings:properties", "-version"],
    parse_probe,
    text: Some(TEXT),
    carried: None,
    launch,
    #[cfg(target_os = "linux")]
    jail,
    newer_syntax: |_, _| None,
};

/// The exceptions of `java.lang` and those of `java.util` that its collections throw (the JDK 17
/// documentation).
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

/// Reads the home, the version and the build from the printed settings.
fn parse_probe(output: &str) -> Option<ProbeResult> {
    let setting = |name: &str| {
        output
            .lines()
            .find_map(|line| line.trim().strip_prefix(name)?.trim().strip_prefix("=").map(str::trim))
    };
    let program = PathBuf::from(setting("java.home")?).join("bin/java");
    // A first release is `21` and an early one `22-ea`.
    let version = setting("java.version")?.split('-').next()?;
    let build = ["java.vendor", "java.runtime.version"].map(|name| setting(name).unwrap_or_default());
    Some(ProbeResult { program, version: Version::parse(version)?, build: build.join(" ") })
}

fn launch(start: &DriverArgs<'_>) -> Launch {
    let megabytes = start.memory.max(SMALLEST_HEAP) >> 20;
    let mut args: Vec<OsString> = OPTIONS.iter().map(Into::into).collect();
    args.push(STACK.into());
    args.push(format!("-Xmx{megabytes}m").into());
    args.push(format!("-XX:MaxDirectMemorySize={megabytes}m").into());
    let home = start.program.ancestors().nth(2).unwrap_or(Path::new("/"));
    let driver = start.text.unwrap_or(Path::new("Driver.java"));
    if driver.extension().is_some_and(|extension| extension == COMPILED) {
        args.extend(["-cp".into(), driver.into(), "Driver".into()]);
    } else {
        // Without a path of classes, that would be the working folder: this one holds none.
        args.extend(["-cp".into(), home.join("conf").into(), driver.into()]);
    }
    args.push(start.mode.word().into());
    // Without /proc, the loader does not find the libraries beside the program.
    let libraries = ("LD_LIBRARY_PATH".to_owned(), home.join("lib").display().to_string());
    // The names of files are in the encoding of the locale.
    let file_names = ("LC_ALL".to_owned(), "C.UTF-8".to_owned());
    Launch {
        args,
        env: if cfg!(target_os = "linux") { vec![libraries, file_names] } else { Vec::new() },
        transport: start.mode.transport(),
        baseline: BASELINE,
        shared: true,
        ..Launch::new(start.program)
    }
}

/// Java's library and configuration are beside it; a distribution may keep parts elsewhere and link to them.
#[cfg(target_os = "linux")]
fn jail(program: &Path) -> std::io::Result<Jail> {
    let program = program.canonicalize()?;
    let mut readable = linux::libraries(&program)?;
    let home = program.ancestors().nth(2).unwrap_or(Path::new("/"));
    for folder in ["lib", "conf"].map(|name| home.join(name)) {
        if folder.is_dir() {
            linked_files(&folder, home, &mut readable);
            readable.push(folder);
        }
    }
    // Without them, its random numbers come from a thread that measures how long it takes, for seconds.
    readable.extend(["/dev/urandom", "/dev/random"].map(PathBuf::from));
    readable.extend(Some(PathBuf::from(LOCALE)).filter(|locale| locale.is_dir()));
    Ok(Jail {
        kind: ProgramKind::VirtualMachine,
        strictness: Strictness::Standard,
        readable,
        hidden: Vec::new(),
    })
}

/// The targets outside `home` of links below `folder`.
#[cfg(target_os = "linux")]
fn linked_files(folder: &Path, home: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = folder.read_dir() else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_symlink() {
            let real = path.canonicalize().ok().filter(|real| real.is_file() && !real.starts_with(home));
            found.extend(real);
        } else if path.is_dir() {
            linked_files(&path, home, found);
        }
    }
}

/// The types of a file and its static methods; its possible dependencies are all names that look like a type,
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
    let own: HashSet<&String> = defines.iter().collect();
    imports.retain(|name| !own.contains(name));
    Scan { defines, imports }
}

/// The file's name without its extension, which is the name of its class.
fn module(file: &str) -> String {
    file.strip_suffix(".java").unwrap_or(file).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{ProbeResult, Version, module, parse_probe, scan};
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
    fn as_many_types_as_other_names_take_no_longer() {
        let types: String = (0..20_000).map(|index| format!("class A{index}\n")).collect();
        let others: String = (0..20_000).map(|index| format!("B{index} ")).collect();
        let found = scan(&(types + &others));
        assert_eq!((found.defines.len(), found.imports.len()), (20_000, 20_000));
    }

    #[test]
    fn where_java_is_and_its_version_are_read_off_its_settings() {
        let says = |version: &str| {
            format!(
                "Property settings:\n    java.home = /opt/jdk\n    java.version = {version}\n    java.version.date = 2021\n    \
                 java.vendor = Debian\n    java.runtime.version = {version}+9\n"
            )
        };
        let found = |version| parse_probe(&says(version)).unwrap();
        let program = Path::new("/opt/jdk/bin/java").to_owned();
        let build = "Debian 17.0.15+9".to_owned();
        assert_eq!(
            found("17.0.15"),
            ProbeResult { program, version: Version::parse("17.0.15").unwrap(), build }
        );
        assert_eq!(found("21").version, Version::new(21, 0));
        assert_eq!(found("22-ea").version, Version::new(22, 0));
        assert_eq!(found("1.8.0_392").version, Version::new(1, 8));
        assert_eq!(parse_probe("Error: no such option"), None);
    }
}
