//! Confinement on Linux, tested from inside by real interpreters.
//!
//! A table of attacks runs in a Python that was forked from a confined server, as submissions are, and
//! another in Node; each attack has one expected outcome. Started as root, the tests also run as user 65534,
//! by starting this program again: root and a plain user are confined in different ways. Native code is
//! tested in the documentation of `Confinement::fork`, because a test has threads and only a process without
//! may fork. A signal is tested as number 0, which asks for permission and does nothing, so that a hole does
//! no harm.

use crate::required::{NOT_TESTED, Need, not_tested};
use keur_core::languages::{Language, javascript, python};
use keur_sandbox::Jail;
use keur_sandbox::linux::*;
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A confined node must not look for OpenSSL's configuration.
const NO_CONFIGURATION: &str = "--openssl-config=/nonexistent";

/// The plain user that root switches to.
const NOBODY: u32 = 65534;

/// Forks a child for each `name NUL code` record of its second argument.
///
/// The child adds the inner filter of its first argument, with its own id at the offsets of its third, and
/// prints the outcome of the code.
const SERVER: &str = r#"
import sys, os, ctypes, errno, struct, socket, json, random, resource, signal, time, threading
bpf, table, offsets = bytes.fromhex(sys.argv[1]), sys.argv[2].split('\x1e'), [int(o) for o in sys.argv[3].split()]
libc = ctypes.CDLL(None, use_errno=True)
class Program(ctypes.Structure): _fields_ = [('n', ctypes.c_ushort), ('p', ctypes.c_void_p)]
def call(number, *a):
    if libc.syscall(ctypes.c_long(number), *[ctypes.c_long(x) if type(x) is int else x for x in a]) == -1:
        raise OSError(ctypes.get_errno(), 'call')
def confine():
    code = bytearray(bpf)
    for o in offsets: struct.pack_into('=I', code, o, os.getpid())
    text = ctypes.create_string_buffer(bytes(code), len(code))
    program = Program(len(code) // 8, ctypes.cast(text, ctypes.c_void_p))
    if libc.prctl(1, 9, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(program), 0, 0): os._exit(99)
def outcome(code):
    try:
        space = dict(globals()); exec(code, space); return str(space.get('result', 'done'))
    except OSError as e: return errno.errorcode.get(e.errno, type(e).__name__)
    except BaseException as e: return type(e).__name__
for record in table:
    name, code = record.split('\x1f')
    pid = os.fork()
    if pid == 0:
        try: os.close(3)
        except OSError: pass
        confine(); os.write(1, (name + '\t' + outcome(code) + '\n').encode()); os._exit(0)
    status = os.wait4(pid, 0)[1]
    if status: os.write(1, ('%s\t%s\n' % (name, 'signal %d' % (status & 127))).encode())
"#;

/// Attempts of a submission in Python, each with its outcome. `$name` is the number of a system call.
const PYTHON: &[(&str, &str, &str)] = &[
    // What honest code needs.
    ("computes", "result = sum(range(10))", "45"),
    ("imports the standard library", "import decimal, heapq, dataclasses, _bisect; result = 1", "1"),
    ("sleeps", "time.sleep(0.001)", "done"),
    ("aborts", "os.abort()", "signal 6"),
    ("signals itself", "signal.raise_signal(signal.SIGTERM)", "signal 15"),
    (
        "handles its own alarm",
        "signal.signal(14, lambda *a: 1 / 0); signal.alarm(1); time.sleep(3)",
        "ZeroDivisionError",
    ),
    ("has no other descriptor", DESCRIPTORS, "[0, 1, 2]"),
    ("reads its input", "result = os.read(0, 9)", "b''"),
    ("has an empty environment", "result = sorted(os.environ)", "['PYTHONUTF8']"),
    // Reading.
    ("reads the passwords", "open('/etc/passwd')", "EACCES"),
    ("reads the home of root", "os.listdir('/root')", "EACCES"),
    ("reads the test program", "open('$EXE', 'rb')", "EACCES"),
    ("reads the working folder", "os.listdir('$HERE')", "EACCES"),
    ("lists the root", "os.listdir('/')", "EACCES"),
    ("reads installed packages", "os.listdir; open('$HIDDEN')", "EACCES"),
    ("reads a program", "open('/usr/bin/env', 'rb')", "EACCES"),
    ("reads its parent's memory", "open('/proc/%d/mem' % os.getppid(), 'rb')", "EACCES"),
    ("reads its parent's environment", "open('/proc/%d/environ' % os.getppid(), 'rb')", "EACCES"),
    ("reads its parent's command line", "open('/proc/%d/cmdline' % os.getppid(), 'rb')", "EACCES"),
    ("reads its own environment", "open('/proc/self/environ', 'rb')", "EACCES"),
    ("lists its own descriptors", "os.listdir('/proc/self/fd')", "EACCES"),
    ("reads a device", "open('/dev/zero', 'rb')", "EACCES"),
    ("watches a file", "call($inotify_init1, 0)", "EPERM"),
    ("opens by handle", "call($open_by_handle_at, 0, 0, 0)", "EPERM"),
    // Writing.
    ("writes to /tmp", "open('/tmp/keur-escaped', 'w')", "EACCES"),
    ("writes to /dev/shm", "open('/dev/shm/keur-escaped', 'w')", "EACCES"),
    ("writes to its library", "open(os.__file__, 'r+')", "EACCES"),
    ("truncates its library", "os.open(os.__file__, os.O_RDONLY | os.O_TRUNC)", "EACCES"),
    ("truncates by name", "os.truncate(os.__file__, 0)", "EPERM"),
    ("makes a nameless file", "os.open('/tmp', os.O_TMPFILE | os.O_RDWR)", "EACCES"),
    ("makes a folder", "os.mkdir('/tmp/keur-escaped')", "EPERM"),
    ("makes a pipe with a name", "os.mkfifo('/tmp/keur-escaped')", "EPERM"),
    ("makes a link", "os.symlink('/etc', '/tmp/keur-escaped')", "EPERM"),
    ("removes a file", "os.unlink('$EXE')", "EPERM"),
    ("renames a file", "os.rename('$EXE', '/tmp/keur-escaped')", "EPERM"),
    ("changes a mode", "os.chmod('$EXE', 0)", "EPERM"),
    ("changes an owner", "os.chown('$EXE', 0, 0)", "EPERM"),
    ("changes a time", "os.utime('$EXE')", "EPERM"),
    ("sets an attribute", "os.setxattr('$EXE', 'user.a', b'')", "EPERM"),
    ("changes its folder", "os.chdir('/tmp')", "EPERM"),
    ("makes a memory file", "os.memfd_create('a')", "EPERM"),
    ("makes shared memory", "call($shmget, 0, 4096, 0)", "EPERM"),
    // Processes.
    ("forks", "os.fork()", "EPERM"),
    ("runs a program", "import subprocess; subprocess.run(['/bin/true'])", "EPERM"),
    ("spawns a program", "os.posix_spawn('/bin/true', ['true'], {})", "EPERM"),
    ("becomes a program", "os.execv('/bin/sh', ['sh'])", "EPERM"),
    ("becomes the interpreter again", "os.execv(sys.executable, ['python'])", "EPERM"),
    ("becomes a program by descriptor", "call($execveat, 0, b'', 0, 0, 0x1000)", "EPERM"),
    ("clones a process", "call($clone, 17, 0, 0, 0, 0)", "EPERM"),
    ("clones the new way", "call($clone3, 0, 0)", "ENOSYS"),
    ("starts a thread", "threading.Thread(target=print).start()", "RuntimeError"),
    ("signals its parent", "os.kill(os.getppid(), 0)", "EPERM"),
    ("signals everybody", "os.kill(-1, 0)", "EPERM"),
    ("signals its parent's thread", "call($tgkill, os.getppid(), os.getppid(), 0)", "EPERM"),
    ("signals a thread", "call($tkill, os.getppid(), 0)", "EPERM"),
    ("queues a signal", "call($rt_sigqueueinfo, os.getppid(), 0, 0)", "EPERM"),
    ("opens its parent", "os.pidfd_open(os.getppid())", "EPERM"),
    ("signals by descriptor", "call($pidfd_send_signal, 0, 0, 0, 0)", "EPERM"),
    ("lets a descriptor send signals", "import fcntl; fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())", "EPERM"),
    ("waits for others", "os.wait()", "EPERM"),
    ("traces its parent", "call($ptrace, 16, os.getppid(), 0, 0)", "EPERM"),
    ("reads another's memory", "call($process_vm_readv, os.getppid(), 0, 0, 0, 0, 0)", "EPERM"),
    ("takes another's descriptor", "call($pidfd_getfd, 0, 0, 0)", "EPERM"),
    ("changes a priority", "os.nice(1)", "EPERM"),
    // Network.
    ("makes a TCP socket", "socket.socket()", "EPERM"),
    ("makes a UDP socket", "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "EPERM"),
    ("makes a unix socket", "socket.socket(socket.AF_UNIX)", "EPERM"),
    ("makes an abstract socket", "socket.socket(socket.AF_UNIX).connect('\\0x')", "EPERM"),
    ("makes a raw netlink socket", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", "EPERM"),
    ("makes a socket pair", "socket.socketpair()", "EPERM"),
    ("looks a name up", "socket.getaddrinfo('localhost', 80)", "gaierror"),
    ("sends a descriptor", "call($sendmsg, 0, 0, 0)", "EPERM"),
    // Confinement itself.
    ("raises a limit", "resource.setrlimit(resource.RLIMIT_CPU, (-1, -1))", "ValueError"),
    ("changes another's limits", "resource.prlimit(os.getppid(), resource.RLIMIT_CPU)", "EPERM"),
    ("becomes dumpable", "call($prctl, 4, 1, 0, 0, 0)", "EPERM"),
    ("outlives its parent", "call($prctl, 1, 0, 0, 0, 0)", "EPERM"),
    ("adds a filter", "call($seccomp, 1, 0, 0)", "EPERM"),
    ("adds a ruleset", "call($landlock_create_ruleset, 0, 0, 1)", "EPERM"),
    ("becomes root", "os.setuid(0)", "EPERM"),
    ("has no capability", CAPABILITIES, "0"),
    ("makes a user namespace", "call($unshare, 0x10000000)", "EPERM"),
    ("clones into a user namespace", "call($clone, 0x10000011, 0, 0, 0, 0)", "EPERM"),
    ("enters a namespace", "call($setns, 0, 0)", "EPERM"),
    ("mounts", "call($mount, 0, 0, 0, 0, 0)", "EPERM"),
    ("changes its root", "os.chroot('/tmp')", "EPERM"),
    // The rest of the kernel.
    ("uses io_uring", "call($io_uring_setup, 1, 0)", "ENOSYS"),
    ("uses bpf", "call($bpf, 0, 0, 0)", "EPERM"),
    ("uses the key ring", "call($keyctl, 0, 0, 0, 0, 0)", "EPERM"),
    ("uses userfaultfd", "call($userfaultfd, 0)", "EPERM"),
    ("uses performance events", "call($perf_event_open, 0, 0, 0, 0, 0)", "EPERM"),
    ("pushes input into the terminal", "import fcntl; fcntl.ioctl(0, 0x5412, b'x')", "ENOTTY"),
    ("makes a call of the future", "call(5000)", "ENOSYS"),
    // Memory.
    ("allocates too much", "'x' * 10**11", "MemoryError"),
    ("maps too much", "import mmap; mmap.mmap(-1, 10**11)", "ENOMEM"),
];

const DESCRIPTORS: &str = "
def is_open(f):
    try: os.fstat(f); return True
    except OSError: return False
result = [f for f in range(1024) if is_open(f)]";

const CAPABILITIES: &str = "
header, data = struct.pack('=Ii', 0x20080522, 0), ctypes.create_string_buffer(24)
call($capget, header, data); result = sum(data.raw)";

/// System calls of other architectures: 32-bit ones and x32 ones end the process.
#[cfg(target_arch = "x86_64")]
const FOREIGN: &[(&str, &str, &str)] = &[
    ("makes an x32 call", "call(0x40000000 + 39)", "signal 31"),
    (
        "makes a 32-bit call",
        "import mmap; m = mmap.mmap(-1, 4096, prot=7); m.write(bytes.fromhex('b814000000cd80c3'))\n\
         ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))()",
        "signal 31",
    ),
];
#[cfg(not(target_arch = "x86_64"))]
const FOREIGN: &[(&str, &str, &str)] = &[];

/// Numbers for the `$name`s of the tables.
const CALLS: &[(&str, i64)] = &[
    ("inotify_init1", libc::SYS_inotify_init1),
    ("open_by_handle_at", libc::SYS_open_by_handle_at),
    ("shmget", libc::SYS_shmget),
    ("execveat", libc::SYS_execveat),
    ("clone3", libc::SYS_clone3),
    ("clone", libc::SYS_clone),
    ("tgkill", libc::SYS_tgkill),
    ("tkill", libc::SYS_tkill),
    ("rt_sigqueueinfo", libc::SYS_rt_sigqueueinfo),
    ("pidfd_send_signal", libc::SYS_pidfd_send_signal),
    ("ptrace", libc::SYS_ptrace),
    ("process_vm_readv", libc::SYS_process_vm_readv),
    ("pidfd_getfd", libc::SYS_pidfd_getfd),
    ("sendmsg", libc::SYS_sendmsg),
    ("prctl", libc::SYS_prctl),
    ("seccomp", libc::SYS_seccomp),
    ("landlock_create_ruleset", libc::SYS_landlock_create_ruleset),
    ("unshare", libc::SYS_unshare),
    ("setns", libc::SYS_setns),
    ("mount", libc::SYS_mount),
    ("io_uring_setup", libc::SYS_io_uring_setup),
    ("bpf", libc::SYS_bpf),
    ("keyctl", libc::SYS_keyctl),
    ("userfaultfd", libc::SYS_userfaultfd),
    ("perf_event_open", libc::SYS_perf_event_open),
    ("capget", libc::SYS_capget),
];

/// The same in JavaScript: an expression, and the `code` of its exception or its value.
const NODE: &[(&str, &str, &str)] = &[
    ("runs in a context", "require('vm').runInContext('1 + 1', require('vm').createContext({}))", "2"),
    (
        "compiles hot code",
        "(() => { let s = 0; for (let i = 0; i < 3e6; i++) s += i % 7; return s > 0 })()",
        "true",
    ),
    ("has an empty environment", "Object.keys(process.env).length", "0"),
    ("reads the passwords", "fs.readFileSync('/etc/passwd')", "EACCES"),
    ("lists the root", "fs.readdirSync('/')", "EACCES"),
    ("reads the test program", "fs.readFileSync('$EXE')", "EACCES"),
    ("reads its parent's environment", "fs.readFileSync('/proc/' + process.ppid + '/environ')", "EACCES"),
    ("writes to /tmp", "fs.writeFileSync('/tmp/keur-escaped', '')", "EACCES"),
    ("makes a folder", "fs.mkdirSync('/tmp/keur-escaped')", "EPERM"),
    ("removes a file", "fs.unlinkSync('$EXE')", "EPERM"),
    ("renames a file", "fs.renameSync('$EXE', '/tmp/keur-escaped')", "EPERM"),
    ("changes a mode", "fs.chmodSync('$EXE', 0)", "EPERM"),
    ("changes a time", "fs.utimesSync('$EXE', 0, 0)", "EPERM"),
    ("truncates", "fs.truncateSync('$EXE')", "EACCES"),
    ("makes a link", "fs.symlinkSync('/etc', '/tmp/keur-escaped')", "EPERM"),
    ("changes its folder", "process.chdir('/tmp')", "EPERM"),
    ("runs a program", "raise(require('child_process').spawnSync('/bin/true').error)", "EPERM"),
    ("runs itself", "raise(require('child_process').spawnSync(process.execPath).error)", "EPERM"),
    ("signals its parent", "process.kill(process.ppid, 0)", "EPERM"),
    ("signals everybody", "process.kill(-1, 0)", "EPERM"),
    ("becomes root", "process.setuid(0)", "EPERM"),
    ("loads a foreign library", "process.dlopen({exports: {}}, '/tmp/x.so')", "ERR_DLOPEN_FAILED"),
    (
        "connects by TCP",
        "new Promise((_, no) => require('net').connect(80, '127.0.0.1').on('error', no))",
        "EPERM",
    ),
    ("connects by path", "new Promise((_, no) => require('net').connect('/tmp/x').on('error', no))", "EPERM"),
    ("serves", "new Promise((_, no) => require('net').createServer().on('error', no).listen(0))", "EPERM"),
    (
        "makes a UDP socket",
        "new Promise((_, no) => require('dgram').createSocket('udp4').on('error', no).bind())",
        "EPERM",
    ),
    (
        "allocates too much",
        "(() => { try { new ArrayBuffer(2 ** 36) } catch (e) { return e.name } })()",
        "RangeError",
    ),
];

const NODE_SCRIPT: &str = r#"
const fs = require('fs'), raise = (e) => { if (e) throw e };
const socket = new (require('net').Socket)({fd: 3}), table = JSON.parse(process.argv[1]);
(async () => {
    for (const [name, code] of table) {
        let outcome;
        try { outcome = String(await eval(code)) } catch (e) { outcome = e.code || e.name + ' ' + e.message }
        socket.write(name + '\t' + outcome + '\n');
    }
    socket.end();
})();
"#;

fn rlimits() -> Rlimits {
    Rlimits {
        address_space: Some(1 << 30),
        data: None,
        file_size: 1 << 20,
        open_files: 64,
        processes: None,
        cpu_seconds: 20,
    }
}

/// An interpreter, and what its language says that it must read.
struct Interpreter {
    executable: PathBuf,
    readable: Vec<PathBuf>,
    hidden: Vec<PathBuf>,
}

impl Interpreter {
    /// The one at this path, without links.
    #[track_caller]
    fn of(language: &Language, executable: &str) -> Interpreter {
        let executable = Path::new(executable.trim()).canonicalize().unwrap();
        let Jail { readable, hidden, .. } = (language.engines[0].jail)(&executable).unwrap();
        Interpreter { executable, readable, hidden }
    }
}

fn request(strictness: Strictness, kind: ProgramKind, interpreter: Interpreter, rlimits: Rlimits) -> Request {
    let Interpreter { executable, readable, hidden } = interpreter;
    let group = GroupLimits { memory: 1 << 30, tasks: 64 };
    let (executables, owned, writable) = (Vec::new(), Vec::new(), Vec::new());
    Request {
        strictness,
        kind,
        executable,
        readable,
        hidden,
        executables,
        owned,
        writable,
        folder: None,
        rlimits,
        group,
    }
}

/// A Python and the paths it names; `command` may be a version manager's shim.
#[track_caller]
fn find_python(command: &str) -> Interpreter {
    let output = Command::new(command).args(["-I", "-S", "-c", "import sys; print(sys.executable)"]).output();
    let output = output.unwrap_or_else(|error| panic!("{command}: {error}; install Python 3.11 or newer"));
    let found = Interpreter::of(&python::LANGUAGE, &String::from_utf8(output.stdout).unwrap());
    let mut installed = found.readable.iter().map(|library| library.join("site-packages"));
    assert!(installed.all(|folder| !folder.is_dir() || found.hidden.contains(&folder)), "{:?}", found.hidden);
    found
}

fn find_node() -> Interpreter {
    let output = Command::new("node").args(["-p", "process.execPath"]).output();
    let output = output.unwrap_or_else(|error| panic!("node: {error}; install Node 20 or newer"));
    Interpreter::of(&javascript::LANGUAGE, &String::from_utf8(output.stdout).unwrap())
}

/// Fills in what depends on the machine.
fn fill(code: &str, interpreter: &Interpreter) -> String {
    let file = interpreter.hidden.iter().find_map(|folder| first_file(folder));
    let here = std::env::current_dir().unwrap();
    let program = std::env::current_exe().unwrap();
    let code = code
        .replace("$HIDDEN", file.as_deref().unwrap_or(Path::new("/etc/passwd")).to_str().unwrap())
        .replace("$HERE", here.to_str().unwrap())
        .replace("$EXE", program.to_str().unwrap());
    // The longer name first if one is a prefix of another.
    let mut calls = CALLS.to_vec();
    calls.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    calls.iter().fold(code, |code, (name, number)| code.replace(&format!("${name}"), &number.to_string()))
}

fn first_file(folder: &Path) -> Option<PathBuf> {
    let entries = folder.read_dir().ok()?.flatten().map(|entry| entry.path());
    entries.into_iter().find_map(|path| if path.is_dir() { first_file(&path) } else { Some(path) })
}

/// Compares `name TAB outcome` lines with a table; the outcome of an attack may depend on the strictness.
#[track_caller]
fn compare(table: &[&(&str, &str, &str)], strictness: Strictness, output: &str, errors: &str) {
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(name, _, expected)| {
            let outcome = output.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('\t'));
            // A file that cannot be read in the standard strictness does not exist in the others.
            let same = outcome == Some(*expected)
                || (strictness > Strictness::Standard && *expected == "EACCES" && outcome == Some("ENOENT"));
            (!same).then(|| format!("{name}: {expected} expected, {}", outcome.unwrap_or("no answer")))
        })
        .collect();
    assert!(wrong.is_empty(), "{}\n{errors}", wrong.join("\n"));
}

/// Prepares a confinement, or reports that the machine lacks what the strictness needs.
#[track_caller]
fn prepare(request: &Request, what: &str) -> Option<Confinement> {
    match Confinement::prepare(request) {
        Ok(confinement) => Some(confinement),
        Err(Unavailable::Feature(missing)) if request.strictness > probe().highest().unwrap() => {
            let need = if request.strictness == Strictness::Strict { Need::Strict } else { Need::Isolated };
            not_tested(need, what, &missing.to_string());
            None
        }
        Err(lack) => panic!("{lack}"),
    }
}

#[track_caller]
fn check_python(command: &str, strictness: Strictness) {
    let interpreter = find_python(command);
    let table: Vec<_> = PYTHON.iter().chain(FOREIGN).collect();
    let records: Vec<String> =
        table.iter().map(|(name, code, _)| format!("{name}\x1f{}", fill(code, &interpreter))).collect();
    let request = request(strictness, ProgramKind::ForkServer, interpreter, rlimits());
    let Some(confinement) = prepare(&request, "a Python submission in namespaces") else { return };
    let filter = inner_filter(ProgramKind::ForkServer);
    let hex: String = filter.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let offsets: Vec<String> = filter.own_pid_offsets().iter().map(usize::to_string).collect();
    let (ours, theirs) = UnixStream::pair().unwrap();
    let output = confinement
        .command(vec![Kept { ours: theirs.into(), number: 3 }])
        .unwrap()
        .args(["-s", "-S", "-P", "-c", SERVER, &hex, &records.join("\x1e"), &offsets.join(" ")])
        .env("PYTHONUTF8", "1")
        .output()
        .map_err(StartFault::of)
        .unwrap();
    drop(ours);
    compare(
        &table,
        strictness,
        &String::from_utf8_lossy(&output.stdout),
        &String::from_utf8_lossy(&output.stderr),
    );
}

#[track_caller]
fn check_node(strictness: Strictness) {
    let interpreter = find_node();
    let table: Vec<_> = NODE.iter().collect();
    let quote = |text: &str| format!("{text:?}").replace("\\'", "'");
    let records: Vec<String> = table
        .iter()
        .map(|(name, code, _)| format!("[{},{}]", quote(name), quote(&fill(code, &interpreter))))
        .collect();
    let limits = Rlimits { address_space: None, data: Some(1 << 30), ..rlimits() };
    let request = request(strictness, ProgramKind::Engine, interpreter, limits);
    let Some(confinement) = prepare(&request, "a Node submission in namespaces") else { return };
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let mut command = confinement.command(vec![Kept { ours: theirs.into(), number: 3 }]).unwrap();
    command.arg(NO_CONFIGURATION).args(["-e", NODE_SCRIPT, &format!("[{}]", records.join(","))]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(StartFault::of).unwrap();
    drop(command);
    let mut frames = String::new();
    ours.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let read = ours.read_to_string(&mut frames);
    // Node ends when both sides have ended; one that has not answered in time never will.
    drop(ours);
    if read.is_err() {
        child.kill().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    compare(&table, strictness, &frames, &format!("{read:?} {} {errors}", output.status));
}

/// Runs each `name NUL code` record of its argument in the folder that it is started in.
const WORKER: &str = r#"
import sys, os, errno
def outcome(code):
    try:
        space = dict(globals()); exec(code, space); return str(space.get('result', 'done'))
    except OSError as e: return errno.errorcode.get(e.errno, type(e).__name__)
    except BaseException as e: return type(e).__name__
for record in sys.argv[1].split('\x1e'):
    name, code = record.split('\x1f')
    os.write(1, (name + '\t' + outcome(code) + '\n').encode())
"#;

/// What a process with a working folder may try, in order, and the outcome. `$OUT` is a folder that anyone
/// may change.
const WORKING: &[(&str, &str, &str)] = &[
    ("reads what is there", "result = open('given').read()", "x"),
    ("writes a file", "open('new', 'w').write('abc')", "done"),
    ("appends to a file", "open('given', 'a').write('y'); result = open('given').read()", "xy"),
    ("empties a file", "open('new', 'w').close(); result = os.stat('new').st_size", "0"),
    ("cuts a file", "f = open('given', 'r+'); f.truncate(1); f.close(); result = open('given').read()", "x"),
    ("makes folders", "os.makedirs('a/b'); open('a/b/c', 'w').write('c')", "done"),
    (
        "moves a file between folders",
        "os.rename('a/b/c', 'c'); result = sorted(os.listdir())",
        "['a', 'c', 'given', 'new']",
    ),
    ("removes files and folders", "os.remove('new'); os.rmdir('a/b'); os.rmdir('a')", "done"),
    ("writes a large file", "open('large', 'wb').write(bytes(1 << 22))", "EFBIG"),
    (
        "starts a program",
        "open('program', 'w').write('#!/bin/sh'); os.execv('program', ['program'])",
        "EPERM",
    ),
    ("changes permissions", "os.chmod('given', 0o777)", "EPERM"),
    ("makes a program of its user", "os.open('own', os.O_CREAT | os.O_WRONLY, 0o4755)", "EACCES"),
    ("makes a folder for its group", "os.mkdir('own', 0o2755)", "EPERM"),
    ("makes a link", "os.symlink('/etc/passwd', 'link')", "EPERM"),
    ("makes a second name", "os.link('given', 'second')", "EPERM"),
    ("makes a pipe", "os.mkfifo('pipe')", "EPERM"),
    ("makes a device", "os.mknod('device', 0o60666, 1)", "EPERM"),
    ("makes a file without a name", "os.open('.', os.O_TMPFILE | os.O_RDWR)", "EACCES"),
    ("starts a process", "os.fork()", "EPERM"),
    ("leaves its folder", "os.chdir('/')", "EPERM"),
    ("lists the folder around it", "os.listdir('..')", "EACCES"),
    ("reads the passwords", "open('/etc/passwd')", "EACCES"),
    ("reads outside", "open('$OUT/kept')", "EACCES"),
    ("writes outside", "open('$OUT/kept', 'w')", "EACCES"),
    ("empties outside", "os.open('$OUT/kept', os.O_RDONLY | os.O_TRUNC)", "EACCES"),
    ("makes a file outside", "open('$OUT/made', 'w')", "EACCES"),
    // Where nothing else exists, the library is also on a read-only mount.
    ("empties the library", EMPTIES, "refused"),
];

const EMPTIES: &str = "
try: os.open(os.__file__, os.O_RDONLY | os.O_TRUNC)
except OSError: result = 'refused'";

#[track_caller]
fn check_working(strictness: Strictness) {
    let folder = tempfile::tempdir().unwrap();
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let (work, outside) = (folder.path().join("around/work"), folder.path().join("outside"));
    std::fs::create_dir_all(&work).unwrap();
    std::fs::create_dir(&outside).unwrap();
    for path in [work.join("given"), outside.join("kept")] {
        std::fs::write(&path, "x").unwrap();
    }
    mode(folder.path(), 0o755);
    mode(&outside, 0o777);
    mode(&outside.join("kept"), 0o666);
    let limits = Rlimits { file_size: 1 << 21, ..rlimits() };
    let interpreter = find_python("python3");
    let request = Request {
        folder: Some(WorkFolder { path: work.clone(), owner: 60_900 }),
        ..request(strictness, ProgramKind::ForkServer, interpreter, limits)
    };
    let Some(confinement) = prepare(&request, "a submission with files in namespaces") else { return };
    if let Some(owner) = confinement.owner() {
        for path in [work.clone(), work.join("given")] {
            std::os::unix::fs::chown(path, Some(owner), Some(owner)).unwrap();
        }
    }
    let fill = |code: &str| code.replace("$OUT", outside.to_str().unwrap());
    let records: Vec<String> =
        WORKING.iter().map(|(name, code, _)| format!("{name}\x1f{}", fill(code))).collect();
    let mut command = confinement.command(Vec::new()).unwrap();
    command.args(["-s", "-S", "-P", "-c", WORKER, &records.join("\x1e")]).env("PYTHONUTF8", "1");
    let output = command.output().map_err(StartFault::of).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let table: Vec<_> = WORKING.iter().collect();
    compare(&table, strictness, &String::from_utf8_lossy(&output.stdout), &errors);
    assert_eq!(std::fs::read_to_string(outside.join("kept")).unwrap(), "x");
    assert_eq!(std::fs::read_to_string(work.join("c")).unwrap(), "c");
}

#[test]
fn a_process_with_a_folder_changes_nothing_else() {
    check_working(Strictness::Standard);
    check_working(Strictness::Isolated);
    check_working(Strictness::Strict);
}

#[test]
fn a_process_of_a_plain_user_with_a_folder_changes_nothing_else() {
    again_as_plain_user("a_process_with_a_folder_changes_nothing_else");
}

/// Runs one of these tests again as a plain user. A plain user has already run it.
#[track_caller]
fn again_as_plain_user(test: &str) {
    // The shell leaves a descriptor open for every program that it starts, except the confined ones.
    // A plain user may not reach the build folder, so a copy is run.
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = folder.path().join("test");
    // Another process copies it: while this one has it open to write, what another test forks would have it
    // too, and a program that somebody can write to does not start.
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status().unwrap();
    assert!(copied.success());
    let mut command = Command::new("sh");
    command.args(["-c", "exec 9</dev/null; exec \"$0\" \"$@\""]).arg(&program).current_dir("/");
    command.args(["--exact", &format!("sandbox::{test}"), "--nocapture"]);
    if probe().root {
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    for line in text.lines().filter(|line| line.starts_with(NOT_TESTED)) {
        std::io::stderr().write_all(format!("{line} (as a plain user)\n").as_bytes()).unwrap();
    }
}

#[test]
fn a_python_submission_can_do_no_harm() {
    check_python("python3", Strictness::Standard);
}

#[test]
fn the_python_of_the_system_is_confined_as_well() {
    // If `python3` is a version manager's in root's home, another user can only reach the system's.
    let system = "/usr/bin/python3";
    if !Path::new(system).exists() {
        return not_tested(Need::SystemPython, "the Python of the system", &format!("there is no {system}"));
    }
    check_python(system, Strictness::Standard);
}

#[test]
fn a_python_submission_can_do_no_harm_to_a_plain_user() {
    again_as_plain_user("a_python_submission_can_do_no_harm");
}

#[test]
fn a_python_submission_in_namespaces_can_do_no_harm() {
    check_python("python3", Strictness::Isolated);
}

#[test]
fn a_python_submission_in_namespaces_can_do_no_harm_to_a_plain_user() {
    again_as_plain_user("a_python_submission_in_namespaces_can_do_no_harm");
}

#[test]
fn a_node_submission_can_do_no_harm() {
    check_node(Strictness::Standard);
}

#[test]
fn a_node_submission_can_do_no_harm_to_a_plain_user() {
    again_as_plain_user("a_node_submission_can_do_no_harm");
}

#[test]
fn a_node_submission_in_namespaces_can_do_no_harm() {
    check_node(Strictness::Isolated);
}

#[test]
fn a_node_submission_in_namespaces_can_do_no_harm_to_a_plain_user() {
    again_as_plain_user("a_node_submission_in_namespaces_can_do_no_harm");
}

/// The output of JavaScript.
fn confined_node(code: &str) -> (Identity, String) {
    let limits = Rlimits { address_space: None, ..rlimits() };
    let request = request(Strictness::Standard, ProgramKind::Engine, find_node(), limits);
    let confinement = Confinement::prepare(&request).unwrap();
    let mut command = confinement.command(Vec::new()).unwrap();
    let output = command.arg(NO_CONFIGURATION).args(["-e", code]).output().map_err(StartFault::of).unwrap();
    (confinement.identity(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn root_is_given_up() {
    let (identity, output) =
        confined_node("process.stdout.write(process.getuid() + ' ' + process.getgroups)");
    let user: u32 = output.split(' ').next().unwrap().parse().unwrap();
    match identity {
        Identity::Dropped => assert!((60_800..61_056).contains(&user), "{user}"),
        Identity::Powerless => assert_eq!(user, 0),
        Identity::Own => assert!(!probe().root && user != 0, "{user}"),
    }
}

#[test]
fn node_aborts_as_it_does_elsewhere() {
    let limits = Rlimits { address_space: None, ..rlimits() };
    let request = request(Strictness::Standard, ProgramKind::Engine, find_node(), limits);
    let mut command = Confinement::prepare(&request).unwrap().command(Vec::new()).unwrap();
    let status = command.arg(NO_CONFIGURATION).args(["-e", "process.abort()"]).stderr(Stdio::null()).status();
    assert_eq!(status.unwrap().signal(), Some(libc::SIGABRT));
}

#[test]
fn kept_descriptors_may_trade_places() {
    let pairs: Vec<_> = (0..2).map(|_| UnixStream::pair().unwrap()).collect();
    let (ours, theirs): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    let numbers: Vec<_> = theirs.iter().map(AsRawFd::as_raw_fd).collect();
    let kept = theirs
        .into_iter()
        .zip(numbers.iter().rev())
        .map(|(stream, number)| Kept { ours: stream.into(), number: *number })
        .collect();
    let limits = Rlimits { address_space: None, ..rlimits() };
    let request = request(Strictness::Standard, ProgramKind::Engine, find_node(), limits);
    let mut command = Confinement::prepare(&request).unwrap().command(kept).unwrap();
    let [a, b] = numbers[..] else { unreachable!() };
    let code = format!("const w = require('fs').writeSync; w({a}, 'to {a}'); w({b}, 'to {b}')");
    assert!(command.arg(NO_CONFIGURATION).args(["-e", &code]).status().unwrap().success());
    drop(command);
    for (mut stream, number) in ours.into_iter().zip(numbers.iter().rev()) {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert_eq!(text, format!("to {number}"));
    }
}

#[test]
fn a_process_dies_with_the_thread_that_started_it() {
    let limits = Rlimits { address_space: None, ..rlimits() };
    let request = request(Strictness::Standard, ProgramKind::Engine, find_node(), limits);
    let confinement = Confinement::prepare(&request).unwrap();
    let spawn = move || {
        let mut command = confinement.command(Vec::new()).unwrap();
        command.arg(NO_CONFIGURATION).args(["-e", "setTimeout(() => {}, 20000)"]).spawn().unwrap()
    };
    let mut child = std::thread::spawn(spawn).join().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
}

#[test]
fn a_program_is_executed_once() {
    let confinement = Confinement::prepare(&request(
        Strictness::Standard,
        ProgramKind::ForkServer,
        find_python("python3"),
        rlimits(),
    ))
    .unwrap();
    const AGAIN: &str = "import os, sys
try: os.execv(sys.executable, ['python3', '-c', 'print(1)'])
except OSError as e: print(e.errno)";
    let mut command = confinement.command(Vec::new()).unwrap();
    let output = command.args(["-s", "-S", "-P", "-c", AGAIN]).output().map_err(StartFault::of).unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), libc::EPERM.to_string());
}

#[test]
fn forking_among_threads_is_refused() {
    let executable = std::env::current_exe().unwrap();
    let nothing = Interpreter { executable, readable: Vec::new(), hidden: Vec::new() };
    let confinement =
        Confinement::prepare(&request(Strictness::Standard, ProgramKind::Own, nothing, rlimits())).unwrap();
    let error = std::thread::spawn(move || confinement.fork(Vec::new(), |_| 0).unwrap_err()).join().unwrap();
    assert_eq!(error.to_string(), "only a process of one thread may fork");
}

/// A program starts as a copy of its parent, whose memory the system counts as its own.
#[test]
fn a_program_that_aborts_has_not_used_the_memory_of_what_started_it() {
    use keur_sandbox::{Exit, Launch, Limits, Process, Stop, Transport};
    let limits = Limits::default();
    // Only memory that is not zero is really used.
    let held = vec![1_u8; usize::try_from(limits.memory).unwrap() + (64 << 20)];
    let launch = Launch {
        args: ["-S", "-c", "import os; os.abort()"].map(Into::into).into(),
        env: vec![("PATH".to_owned(), std::env::var("PATH").unwrap())],
        transport: Transport::Pipes,
        baseline: 1 << 30,
        ..Launch::new("python3")
    };
    let mut process = Process::start(&launch, &limits).unwrap();
    let stop = process.read_exact(&mut [0]).unwrap_err();
    assert_eq!(stop, Stop::Exited(Exit::Signal(6)));
    let peak = process.peak_memory().unwrap();
    assert!(peak > limits.memory, "{peak} bytes");
    assert!(std::hint::black_box(held).iter().all(|byte| *byte == 1));
}

#[test]
fn the_probe_and_the_tiers_agree() {
    let probe = probe();
    let highest = probe.highest().unwrap();
    for strictness in [Strictness::Standard, Strictness::Isolated, Strictness::Strict] {
        let limits = Rlimits { address_space: None, ..rlimits() };
        match Confinement::prepare(&request(strictness, ProgramKind::Engine, find_node(), limits)) {
            Ok(_) => assert!(strictness <= highest, "{strictness:?}"),
            Err(Unavailable::Feature(missing)) => {
                assert!(
                    strictness > highest && !missing.what.is_empty() && !missing.remedy.is_empty(),
                    "{missing}"
                );
            }
            Err(lack) => panic!("{strictness:?}: {lack}"),
        }
    }
}

#[track_caller]
fn check_lack(change: impl FnOnce(&mut Request), expected: &str) {
    let mut request = request(Strictness::Standard, ProgramKind::Engine, find_node(), rlimits());
    change(&mut request);
    let lack = Confinement::prepare(&request).unwrap_err().to_string();
    assert!(lack.contains(expected), "{lack}");
}

#[test]
fn a_request_that_cannot_be_met_says_why() {
    check_lack(|request| request.executable = "/nonexistent".into(), "cannot use /nonexistent: No such file");
    check_lack(|request| request.executable = "/etc/passwd".into(), "give the real one");
    check_lack(
        |request| request.readable.push("/nonexistent".into()),
        "cannot use /nonexistent: No such file",
    );
}
