#![no_main]

#[path = "../../tests/it/fuzz/reply.rs"]
mod reply;

libfuzzer_sys::fuzz_target!(|data: &[u8]| reply::check(data));
