#![no_main]

#[path = "../../tests/it/fuzz/zip.rs"]
mod zip;

libfuzzer_sys::fuzz_target!(|data: &[u8]| zip::check(data));
