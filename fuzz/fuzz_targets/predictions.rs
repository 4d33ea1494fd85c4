//! Files of predictions. `cargo +nightly fuzz run predictions`; seed it with `cp tests/fixtures/eval/*.jsonl
//! fuzz/corpus/predictions`.
#![no_main]

#[path = "../../tests/integration/eval/any_output.rs"]
#[allow(dead_code, reason = "each of the two targets runs one of its functions")]
mod any_output;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    any_output::read_any(bytes);
});
