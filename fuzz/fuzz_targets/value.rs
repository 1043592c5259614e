#![no_main]

#[path = "../../tests/fuzz/value.rs"]
mod value;

libfuzzer_sys::fuzz_target!(|data: &[u8]| value::check(data));
