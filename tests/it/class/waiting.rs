//! Other programs that hold the database, and file systems without locks.

use super::Class;
use crate::running::{assert_says, run};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

/// A run that has said for whom it waits, and what else it says.
struct Waiting {
    child: Child,
    errors: BufReader<std::process::ChildStderr>,
}

impl Waiting {
    fn start(class: &Class) -> Waiting {
        let mut command = class.command(&["run", "class"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        let whom = if cfg!(target_os = "linux") {
            format!("class/class.db: waits for process {} (", std::process::id())
        } else {
            "class/class.db: waits for another program".to_owned()
        };
        assert!(line.starts_with(&whom), "{line}");
        Waiting { child, errors }
    }

    fn end(mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        self.errors.read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap().code(), said)
    }
}

#[test]
fn a_run_waits_for_a_reader_and_reports_work_meanwhile() {
    let class = Class::small();
    let reader = class.database();
    reader.execute_batch("BEGIN; SELECT * FROM student").unwrap();
    let ended = Waiting::start(&class);
    let process = rustix::process::Pid::from_child(&ended.child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let (code, said) = ended.end();
    assert_eq!(code, Some(4), "{said}");
    let waiting = Waiting::start(&class);
    for command in ["report", "backup"] {
        let more: &[&str] = if command == "backup" { &["backup.db"] } else { &[] };
        let output = class.keur(&[&[command, "class"], more].concat());
        let expected = i32::from(command == "report");
        assert_eq!(output.code, expected, "{output:?}");
        assert!(!output.err.contains("waits"), "{output:?}");
    }
    reader.execute_batch("ROLLBACK").unwrap();
    let (code, said) = waiting.end();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(class.verdicts().len(), 6);
}

/// Takes the locks of files in the folder `WITHOUT_LOCKS` away from the program that is started with it.
#[cfg(target_os = "linux")]
const NO_LOCKS: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int is_there(int file) {
    char link[64], path[PATH_MAX + 1];
    const char *folder = getenv("WITHOUT_LOCKS");
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX);
    if (folder == NULL || length < 0) { return 0; }
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}
static int without(const char *name, int file, int what, void *value) {
    if ((what == F_SETLK || what == F_SETLKW) && is_there(file)) { errno = ENOLCK; return -1; }
    int (*real)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, name);
    return real(file, what, value);
}
int fcntl(int file, int what, ...) {
    va_list list; va_start(list, what); void *value = va_arg(list, void *); va_end(list);
    return without("fcntl", file, what, value);
}
int fcntl64(int file, int what, ...) {
    va_list list; va_start(list, what); void *value = va_arg(list, void *); va_end(list);
    return without("fcntl64", file, what, value);
}
int flock(int file, int what) {
    if (is_there(file)) { errno = ENOLCK; return -1; }
    int (*real)(int, int) = (int (*)(int, int))dlsym(RTLD_NEXT, "flock");
    return real(file, what);
}
"#;

/// A command on a class for which a folder beside the class has no locks.
#[cfg(target_os = "linux")]
fn without_locks(class: &Class, folder: &str, args: &[&str]) -> Command {
    let (source, shim) = (class.home.path().join("locks.c"), class.home.path().join("locks.so"));
    fs::write(&source, NO_LOCKS).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let built = Command::new(compiler).args(["-shared", "-fPIC", "-o"]).arg(&shim).arg(&source).status();
    assert!(built.unwrap().success());
    let folder = class.home.path().canonicalize().unwrap().join(folder);
    let mut command = class.command(args);
    command.env("LD_PRELOAD", &shim).env("WITHOUT_LOCKS", folder);
    command
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_system_without_locks_is_no_other_program() {
    let class = Class::small();
    for command in ["report", "run"] {
        let output = run(&mut without_locks(&class, "class", &[command, "class"]));
        let said = output.err;
        assert_eq!(output.code, 4, "{said}");
        assert_says(&said, "class/class.db: this file system has no locks");
        assert!(!said.contains("another program"), "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn copies_of_a_database_need_no_locks() {
    let class = Class::small();
    let scratch = class.home.path().join("scratch");
    fs::create_dir(&scratch).unwrap();
    for args in [&["run", "class", "--shard", "1/1"][..], &["run", "class"], &["backup", "class", "copy.db"]]
    {
        let output = run(without_locks(&class, "scratch", args).env("TMPDIR", &scratch));
        assert_eq!(output.code, 0, "{args:?}: {output:?}");
    }
    assert_eq!(class.verdicts().len(), 6);
    assert_eq!(fs::read_dir(class.path("shards")).unwrap().count(), 0);
}
