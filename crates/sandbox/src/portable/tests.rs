//! Runs programs in the portable way: the same code that a system without Unix runs.

use crate::{Exit, Launch, Limits, Process, Stop, Transport};
use std::time::{Duration, Instant};

const SECOND: Duration = Duration::from_secs(1);

fn launch(text: &str) -> Launch {
    Launch {
        args: ["-S", "-c", text].map(Into::into).into(),
        env: vec![("MINE".to_owned(), "1".to_owned()), ("PATH".to_owned(), std::env::var("PATH").unwrap())],
        transport: Transport::Pipes,
        baseline: 1 << 30,
        ..Launch::new("python3")
    }
}

fn limits() -> Limits {
    Limits { wall: 20 * SECOND, ..Limits::default() }
}

fn start(text: &str, limits: &Limits) -> Process {
    Process::start_portable(&launch(text), limits).unwrap()
}

/// The reason that a waiting program stops.
fn stop(text: &str, limits: &Limits) -> Stop {
    start(text, limits).read_exact(&mut [0]).unwrap_err()
}

#[test]
fn bytes_go_both_ways_however_many() {
    // More than either side buffers, so that both have to wait for the other.
    let bytes: Vec<u8> = (0..5_000_000_u32).map(|index| index as u8).collect();
    let mut process = start(
        "import sys
data = sys.stdin.buffer.read(5000000)
sys.stdout.buffer.write(data)
sys.stdout.buffer.flush()
sys.stdin.read()",
        &limits(),
    );
    process.write(&bytes).unwrap();
    let mut back = vec![0; bytes.len()];
    process.read_exact(&mut back).unwrap();
    assert!(back == bytes);
    assert!(!process.has_unread());
}

#[test]
fn bytes_that_nobody_asked_for_are_seen() {
    let mut process = start("print('ab', end='', flush=True); input()", &limits());
    process.read_exact(&mut [0]).unwrap();
    assert!(process.has_unread());
}

#[test]
fn a_program_that_does_not_answer_is_ended_at_its_time_on_the_clock() {
    let wall = Duration::from_millis(500);
    for text in ["import time; time.sleep(60)", "while True: pass"] {
        let began = Instant::now();
        assert_eq!(stop(text, &Limits { wall, ..limits() }), Stop::Wall);
        assert!(began.elapsed() >= wall && began.elapsed() < 20 * SECOND);
    }
}

#[test]
fn a_program_that_reads_nothing_is_ended_at_its_time_on_the_clock() {
    let mut process = start("import time; time.sleep(60)", &Limits { wall: SECOND, ..limits() });
    assert_eq!(process.write(&vec![0; 4 << 20]), Err(Stop::Wall));
}

#[test]
fn a_program_that_ends_tells_its_status_and_its_last_words() {
    assert_eq!(stop("raise SystemExit(3)", &limits()), Stop::Exited(Exit::Code(3)));
    let text = "import sys; sys.stderr.write('terminate: std::bad_alloc'); raise SystemExit(134)";
    assert_eq!(stop(text, &limits()), Stop::Memory);
    let mut process = start("import os; os.write(2, b'so long'); os.write(1, b'x'); input()", &limits());
    process.read_exact(&mut [0]).unwrap();
    process.kill();
    assert_eq!(process.take_errors(), b"so long");
}

#[test]
fn standard_error_holds_all_that_was_written_before_a_reply() {
    let text = "import os
for number in range(200): os.read(0, 1); os.write(2, b'so %d' % number); os.write(1, b'x')
input()";
    let mut process = start(text, &limits());
    for number in 0..200 {
        process.write(b"?").unwrap();
        process.read_exact(&mut [0]).unwrap();
        assert_eq!(String::from_utf8(process.take_errors()).unwrap(), format!("so {number}"));
    }
}

#[test]
fn a_program_that_closes_its_end_and_lives_on_is_ended() {
    let text = "import os, time; os.close(1); time.sleep(60)";
    let began = Instant::now();
    // It has what is left of its time to end by itself.
    assert_eq!(stop(text, &Limits { wall: 5 * SECOND, ..limits() }), Stop::Exited(Exit::Unknown));
    assert!(began.elapsed() < 20 * SECOND);
}

#[test]
fn a_program_that_writes_too_much_to_its_standard_error_is_ended() {
    let text = "import sys
while True: sys.stderr.write('much ' * 1000)";
    assert_eq!(stop(text, &limits()), Stop::Output);
}

#[test]
fn output_that_a_program_reports_counts_until_the_next_case() {
    let mut process = start("input()", &Limits { output: 100, ..limits() });
    process.note_output(99);
    assert!(!process.output_is_full());
    process.note_output(1);
    assert!(process.output_is_full());
    process.begin(&Limits { output: 100, ..limits() }).unwrap();
    assert!(!process.output_is_full());
}

#[test]
fn a_program_is_given_its_own_environment_alone() {
    let mut process = start(
        "import os
print('MINE' in os.environ, 'CARGO' in os.environ, os.getcwd() == os.path.abspath(os.sep), end='', flush=True)",
        &limits(),
    );
    let expected = b"True False True";
    let mut said = vec![0; expected.len()];
    process.read_exact(&mut said).unwrap();
    assert_eq!(String::from_utf8_lossy(&said), String::from_utf8_lossy(expected));
}

#[test]
fn a_program_that_is_killed_is_gone_and_so_is_one_that_is_dropped() {
    let text = "import os; print('%10d' % os.getpid(), end='', flush=True); input()";
    for by_drop in [false, true] {
        let mut process = start(text, &limits());
        let mut pid = [0; 10];
        process.read_exact(&mut pid).unwrap();
        if by_drop {
            drop(process)
        } else {
            process.kill()
        }
        let pid = String::from_utf8_lossy(&pid).trim().to_owned();
        #[cfg(unix)]
        assert!(!std::path::Path::new("/proc").join(&pid).exists(), "{pid} is still there");
        assert!(pid.parse::<u32>().is_ok());
    }
}

#[test]
fn only_pipes_can_be_had() {
    let launch = Launch { transport: Transport::Socket, ..launch("") };
    assert!(Process::start_portable(&launch, &limits()).is_err());
}
