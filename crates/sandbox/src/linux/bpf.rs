//! Assembles seccomp filters: an allow-list of system calls, some with conditions on their arguments.
//!
//! The filter finds the answer to a call number by binary search in ranges with the same answer. The kernel
//! caches which calls are allowed with any arguments, but to do so it tries every number when a filter is
//! added, which a forked child does for each run. `seccompiler` has one action for a whole filter and no
//! values that are filled in later, so this is our own. This module does not know what the calls are for;
//! that is `policy`.

use libc::{c_long, sock_filter};
use std::collections::BTreeMap;

/// The answer to a call without a rule.
const REFUSED: i32 = libc::EPERM;
/// The newest system call considered in the policy (`lsm_list_modules`, Linux 6.8). Newer ones get "no such
/// call", as a libc that tries them expects of an older kernel.
const NEWEST: u32 = 461;
/// Numbers from here on are x32 variants of x86-64 calls.
#[cfg(target_arch = "x86_64")]
const X32: u32 = 0x4000_0000;

/// `AUDIT_ARCH_*` of this machine: `EM_*`, 64 bits, little-endian.
#[cfg(target_arch = "x86_64")]
pub(super) const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
pub(super) const ARCHITECTURE: u32 = 0xC000_00B7;

/// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const ARGUMENTS: u32 = 16;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const AND: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
const AHEAD: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;

/// A condition on an argument. If the kernel takes an argument as 32 bits, so does the condition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Comparison {
    /// The 32-bit argument is one of these.
    OneOf(u8, &'static [u32]),
    /// The 32-bit argument is none of these.
    NoneOf(u8, &'static [u32]),
    /// The masked bits of the 32-bit argument form one of these.
    Masked(u8, u32, &'static [u32]),
    /// The 32-bit argument `flags` has none of the bits `when`, or the 32-bit argument `value` none of the
    /// bits `never`.
    Unless { flags: u8, when: u32, value: u8, never: u32 },
    /// The 64-bit argument is zero.
    Null(u8),
    /// The 32-bit argument is the process's own id, filled in by [`Filter::own`].
    OwnPid(u8),
    /// The 64-bit argument is the address of the program's path, filled in by [`Filter::program`].
    Program(u8),
}

/// The rule for one system call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    Allow(c_long),
    /// Allowed if every check passes, else refused with this error.
    AllowIf(c_long, &'static [Comparison], i32),
    /// Refused with an unusual error.
    Refuse(c_long, i32),
}

/// A seccomp filter, complete except for what is known only once the process exists.
#[derive(Clone, Debug)]
pub struct Filter {
    code: Vec<sock_filter>,
    own_pid: Vec<usize>,
    program: Vec<usize>,
}

impl Filter {
    pub(super) fn assemble(rules: &[Rule]) -> Filter {
        let mut filter = Filter { code: Vec::new(), own_pid: Vec::new(), program: Vec::new() };
        filter.push(LOAD, 0, 0, ARCH);
        filter.push(EQUAL, 1, 0, ARCHITECTURE);
        filter.push(RETURN, 0, 0, libc::SECCOMP_RET_KILL_PROCESS);
        filter.push(LOAD, 0, 0, NUMBER);
        #[cfg(target_arch = "x86_64")]
        {
            filter.push(AT_LEAST, 0, 1, X32);
            filter.push(RETURN, 0, 0, libc::SECCOMP_RET_KILL_PROCESS);
        }
        filter.search(&answers(rules));
        filter
    }

    /// Sets the id of this process; calls that it may make only on itself are allowed from then on.
    pub fn own(&mut self, pid: u32) {
        for &at in &self.own_pid {
            self.code[at].k = pid;
        }
    }

    /// Sets the address of the path of the program that may still be executed.
    pub(super) fn program(&mut self, address: usize) {
        let address = address as u64;
        for &at in &self.program {
            self.code[at].k = low(address);
            self.code[at + 2].k = high(address);
        }
    }

    pub(super) fn code(&self) -> &[sock_filter] {
        &self.code
    }

    /// The filter in the layout of `struct sock_filter[]`, eight bytes an instruction, of this machine's byte
    /// order.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.code.len() * 8);
        for instruction in &self.code {
            bytes.extend(instruction.code.to_ne_bytes());
            bytes.extend([instruction.jt, instruction.jf]);
            bytes.extend(instruction.k.to_ne_bytes());
        }
        bytes
    }

    /// The offsets in [`bytes`](Filter::bytes) at which the process must write its own id, 32 bits in this
    /// machine's byte order, before it installs the filter. Without it, the calls that depend on it stay
    /// refused.
    pub fn own_pid_offsets(&self) -> Vec<usize> {
        self.own_pid.iter().map(|at| at * 8 + 4).collect()
    }

    fn push(&mut self, code: u16, jt: u8, jf: u8, k: u32) {
        self.code.push(sock_filter { code, jt, jf, k });
    }

    /// Finds the answer to the loaded number: jumps over the lower half of the ranges if it is beyond them.
    fn search(&mut self, answers: &[(u32, Ruling)]) {
        if let [(_, answer)] = answers {
            self.answer(*answer);
            return;
        }
        let (lower, upper) = answers.split_at(answers.len() / 2);
        // A comparison can jump over at most 255 instructions.
        self.push(AT_LEAST, 0, 1, upper[0].0);
        let jump = self.code.len();
        self.push(AHEAD, 0, 0, 0);
        self.search(lower);
        self.code[jump].k = (self.code.len() - jump - 1) as u32;
        self.search(upper);
    }

    /// The code for a call: its checks, the permission, and the refusal for a failed check.
    fn answer(&mut self, answer: Ruling) {
        let (checks, error) = match answer {
            Ruling::Give(value) => return self.push(RETURN, 0, 0, value),
            Ruling::Comparison(checks, error) => (checks, error),
        };
        let length: usize = checks.iter().map(Comparison::length).sum();
        let failed = self.code.len() + length + 1;
        for check in checks {
            self.check(check, failed);
        }
        self.push(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW);
        self.push(RETURN, 0, 0, errno(error));
    }

    /// One check, which falls through on success and jumps to `failed` otherwise.
    fn check(&mut self, check: &Comparison, failed: usize) {
        match *check {
            Comparison::OneOf(argument, values) => {
                self.push(LOAD, 0, 0, argument_low(argument));
                self.one_of(values, failed);
            }
            Comparison::NoneOf(argument, values) => {
                self.push(LOAD, 0, 0, argument_low(argument));
                for value in values {
                    let miss = failed - self.code.len() - 1;
                    self.push(EQUAL, miss as u8, 0, *value);
                }
            }
            Comparison::Masked(argument, mask, values) => {
                self.push(LOAD, 0, 0, argument_low(argument));
                self.push(AND, 0, 0, mask);
                self.one_of(values, failed);
            }
            Comparison::Unless { flags, when, value, never } => {
                self.push(LOAD, 0, 0, argument_low(flags));
                self.push(AND, 0, 0, when);
                // Past the look at the value.
                self.push(EQUAL, 3, 0, 0);
                self.push(LOAD, 0, 0, argument_low(value));
                self.push(AND, 0, 0, never);
                self.one_of(&[0], failed);
            }
            Comparison::Null(argument) => self.whole(argument, 0, failed),
            Comparison::OwnPid(argument) => {
                self.push(LOAD, 0, 0, argument_low(argument));
                self.own_pid.push(self.code.len());
                // No process has the id 0: until it is set, nothing matches.
                self.one_of(&[0], failed);
            }
            Comparison::Program(argument) => {
                self.program.push(self.code.len() + 1);
                self.whole(argument, 0, failed);
            }
        }
    }

    fn one_of(&mut self, values: &[u32], failed: usize) {
        for (i, value) in values.iter().enumerate() {
            let left = values.len() - 1 - i;
            let miss = if left == 0 { failed - self.code.len() - 1 } else { 0 };
            self.push(EQUAL, left as u8, miss as u8, *value);
        }
    }

    fn whole(&mut self, argument: u8, value: u64, failed: usize) {
        self.push(LOAD, 0, 0, argument_low(argument));
        self.one_of(&[low(value)], failed);
        self.push(LOAD, 0, 0, argument_low(argument) + 4);
        self.one_of(&[high(value)], failed);
    }
}

impl Comparison {
    /// The number of instructions.
    fn length(&self) -> usize {
        match self {
            Comparison::OneOf(_, values) | Comparison::NoneOf(_, values) => 1 + values.len(),
            Comparison::Masked(_, _, values) => 2 + values.len(),
            Comparison::OwnPid(_) => 2,
            Comparison::Unless { .. } => 6,
            Comparison::Null(_) | Comparison::Program(_) => 4,
        }
    }
}

/// The rule for a range of call numbers.
#[derive(Clone, Copy)]
enum Ruling {
    Give(u32),
    /// Allowed if every check passes, else this error.
    Comparison(&'static [Comparison], i32),
}

/// The rules for all numbers, each from its first number on; the first rule of a call counts.
fn answers(rules: &[Rule]) -> Vec<(u32, Ruling)> {
    let mut known = BTreeMap::new();
    for rule in rules {
        let (number, answer) = match *rule {
            Rule::Allow(number) => (number, Ruling::Give(libc::SECCOMP_RET_ALLOW)),
            Rule::AllowIf(number, checks, error) => (number, Ruling::Comparison(checks, error)),
            Rule::Refuse(number, error) => (number, Ruling::Give(errno(error))),
        };
        known.entry(number as u32).or_insert(answer);
    }
    let beyond = NEWEST.max(known.keys().next_back().copied().unwrap_or(0)) + 1;
    let mut answers: Vec<(u32, Ruling)> = Vec::new();
    for number in 0..=beyond {
        let otherwise = if number > NEWEST { libc::ENOSYS } else { REFUSED };
        let answer = known.get(&number).copied().unwrap_or(Ruling::Give(errno(otherwise)));
        let goes_on = matches!((answers.last(), answer),
            (Some((_, Ruling::Give(before))), Ruling::Give(now)) if *before == now);
        if !goes_on {
            answers.push((number, answer));
        }
    }
    answers
}

fn errno(error: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | error as u32
}

/// The offset of the low half of an argument; both machines are little-endian.
fn argument_low(argument: u8) -> u32 {
    ARGUMENTS + 8 * u32::from(argument)
}

fn low(value: u64) -> u32 {
    value as u32
}

fn high(value: u64) -> u32 {
    (value >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &[Rule] = &[
        Rule::Allow(10),
        Rule::AllowIf(11, &[Comparison::OneOf(1, &[5, 6, 7])], libc::EACCES),
        Rule::AllowIf(12, &[Comparison::Masked(0, 0xf0, &[0x10, 0x20]), Comparison::Null(2)], libc::EPERM),
        Rule::AllowIf(13, &[Comparison::OwnPid(0)], libc::EPERM),
        Rule::AllowIf(14, &[Comparison::Program(0)], libc::EPERM),
        Rule::Refuse(15, libc::ENOSYS),
        Rule::AllowIf(
            16,
            &[
                Comparison::Unless { flags: 0, when: 0x40, value: 1, never: 0xe00 },
                Comparison::OneOf(2, &[7]),
            ],
            libc::EPERM,
        ),
    ];
    const ALLOWED: u32 = libc::SECCOMP_RET_ALLOW;
    const KILLED: u32 = libc::SECCOMP_RET_KILL_PROCESS;

    impl Filter {
        /// Runs the filter as the kernel does.
        pub(in super::super) fn run(&self, arch: u32, number: u32, arguments: [u64; 6]) -> u32 {
            let mut data = vec![number, arch, 0, 0];
            data.extend(arguments.iter().flat_map(|value| [low(*value), high(*value)]));
            let (mut at, mut value) = (0, 0);
            loop {
                let sock_filter { code, jt, jf, k } = self.code[at];
                at += 1;
                let holds = match code {
                    LOAD => {
                        value = data[k as usize / 4];
                        continue;
                    }
                    AND => {
                        value &= k;
                        continue;
                    }
                    EQUAL => value == k,
                    AT_LEAST => value >= k,
                    AHEAD => {
                        at += k as usize;
                        continue;
                    }
                    RETURN => return k,
                    other => panic!("no such instruction: {other:#x}"),
                };
                at += usize::from(if holds { jt } else { jf });
            }
        }
    }

    #[track_caller]
    fn check(number: u32, arguments: [u64; 3], expected: u32) {
        let mut filter = Filter::assemble(RULES);
        filter.own(77);
        filter.program(0x1234_5678_9abc);
        let [a, b, c] = arguments;
        assert_eq!(filter.run(ARCHITECTURE, number, [a, b, c, 0, 0, 0]), expected);
    }

    #[test]
    fn a_call_without_a_rule_is_refused() {
        check(9, [0; 3], errno(libc::EPERM));
        check(10, [0; 3], ALLOWED);
        check(15, [0; 3], errno(libc::ENOSYS));
    }

    #[test]
    fn the_first_rule_of_a_call_counts() {
        let filter = Filter::assemble(&[Rule::Allow(20), Rule::Refuse(20, libc::EACCES), Rule::Allow(21)]);
        assert_eq!(filter.run(ARCHITECTURE, 20, [0; 6]), ALLOWED);
    }

    #[test]
    fn each_call_is_found_among_many() {
        let rules: Vec<Rule> =
            (0..400).map(|n| if n % 3 == 0 { Rule::Allow(n) } else { Rule::Refuse(n, n as i32) }).collect();
        let filter = Filter::assemble(&rules);
        for number in 0..400 {
            let expected = if number % 3 == 0 { ALLOWED } else { errno(number as i32) };
            assert_eq!(filter.run(ARCHITECTURE, number, [0; 6]), expected, "call {number}");
        }
    }

    #[test]
    fn a_call_of_the_future_does_not_exist() {
        check(NEWEST, [0; 3], errno(libc::EPERM));
        check(NEWEST + 1, [0; 3], errno(libc::ENOSYS));
    }

    #[test]
    fn an_argument_is_one_of_those_listed() {
        for value in 5..=7 {
            check(11, [0, value, 0], ALLOWED);
        }
        check(11, [0, 4, 0], errno(libc::EACCES));
        check(11, [5, 8, 5], errno(libc::EACCES));
        check(11, [0, 5 | 1 << 40, 0], ALLOWED);
    }

    #[test]
    fn every_check_has_to_hold() {
        check(12, [0x1f, 9, 0], ALLOWED);
        check(12, [0x20, 9, 0], ALLOWED);
        check(12, [0x30, 9, 0], errno(libc::EPERM));
        check(12, [0x10, 9, 1], errno(libc::EPERM));
        check(12, [0x10, 9, 1 << 32], errno(libc::EPERM));
    }

    #[test]
    fn a_value_counts_only_with_its_flag() {
        for (flags, value, expected) in [
            (0x40, 0x1ff, ALLOWED),
            (0x41, 0x3ff, errno(libc::EPERM)),
            (0x01, 0x3ff, ALLOWED),
            (0x40, 0x800 | 1 << 40, errno(libc::EPERM)),
        ] {
            check(16, [flags, value, 7], expected);
            check(16, [flags, value, 8], errno(libc::EPERM));
        }
    }

    #[test]
    fn numbers_known_late_are_filled_in() {
        check(13, [77, 0, 0], ALLOWED);
        check(13, [78, 0, 0], errno(libc::EPERM));
        check(14, [0x1234_5678_9abc, 0, 0], ALLOWED);
        check(14, [0x5678_9abc, 0, 0], errno(libc::EPERM));
        check(14, [0x1234_0000_0000, 0, 0], errno(libc::EPERM));
        let blank = Filter::assemble(RULES);
        assert_eq!(blank.run(ARCHITECTURE, 13, [77, 0, 0, 0, 0, 0]), errno(libc::EPERM));
    }

    #[test]
    fn the_bytes_have_the_id_where_the_offset_says() {
        let mut filter = Filter::assemble(RULES);
        filter.own(0x0102_0304);
        let bytes = filter.bytes();
        assert_eq!(bytes.len(), filter.code.len() * 8);
        for offset in filter.own_pid_offsets() {
            assert_eq!(bytes[offset..offset + 4], 0x0102_0304_u32.to_ne_bytes());
        }
        assert_eq!(filter.own_pid_offsets().len(), 1);
    }

    #[test]
    fn calls_of_other_machines_end_the_process() {
        let filter = Filter::assemble(RULES);
        assert_eq!(filter.run(0x4000_0003, 10, [0; 6]), KILLED);
        #[cfg(target_arch = "x86_64")]
        assert_eq!(filter.run(ARCHITECTURE, X32 | 10, [0; 6]), KILLED);
    }
}
