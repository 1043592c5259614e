//! Kinds of confined program.

/// The kind of a confined program, which decides its system calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramKind {
    /// An interpreter that forks a child for each run; each child adds a filter of its own.
    ForkServer,
    /// A driver that forks a child for each run, which loads a library with sanitizers.
    LibraryServer,
    /// An engine with threads that answers for many runs.
    Engine,
    /// A virtual machine such as Java's, which does the same.
    VirtualMachine,
    /// A compiler with the programs that it starts, which write in one folder only.
    Compiler,
    /// A program compiled from what a stranger wrote.
    Compiled,
    /// Keur's own code in a forked child: the built-in engine.
    Own,
}
