//! Scene records of strangers; seed it with lines of `scenes/*.jsonl`.
#![no_main]

#[path = "../../tests/integration/any_file.rs"]
mod any_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    any_file::scene_any(bytes);
});
