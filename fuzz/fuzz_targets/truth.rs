//! What predictions are scored against, by strangers. Seed it with `tests/fixtures/eval/*`, each behind a byte that is
//! its place in `any_truth::KINDS`.
#![no_main]

#[path = "../../tests/integration/eval/any_truth.rs"]
mod any_truth;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    any_truth::truth_any(bytes);
});
