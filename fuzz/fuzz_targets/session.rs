#![no_main]

#[path = "../../tests/it/fuzz/session.rs"]
mod session;

libfuzzer_sys::fuzz_target!(|data: &[u8]| session::check(data));
