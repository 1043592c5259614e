#![no_main]

#[path = "../../tests/it/fuzz/case.rs"]
mod case;

libfuzzer_sys::fuzz_target!(|data: &[u8]| case::check(data));
