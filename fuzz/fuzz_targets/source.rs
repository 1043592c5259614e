#![no_main]

#[path = "../../tests/it/fuzz/source.rs"]
mod source;

libfuzzer_sys::fuzz_target!(|data: &[u8]| source::check(data));
