//! Confinement of the processes that run submissions, and what the machine at hand offers for it.
//!
//! This module must not know languages, drivers or games. On Linux start at [`linux::Confinement`].

#[cfg(target_os = "linux")]
pub mod linux;
