#![no_main]

#[path = "../../tests/it/fuzz/value.rs"]
mod value;

libfuzzer_sys::fuzz_target!(|data: &[u8]| value::check(data));
