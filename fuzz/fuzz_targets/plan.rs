//! Plans of strangers; seed it with lines of `plans/*.jsonl` of a dataset of the mini pack.
#![no_main]

#[path = "../../tests/integration/any_file.rs"]
mod any_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    any_file::plan_any(bytes);
});
