//! What models write, by any convention. `cargo +nightly fuzz run outputs`.
#![no_main]

#[path = "../../tests/integration/eval/any_output.rs"]
#[allow(dead_code, reason = "each of the two targets runs one of its functions")]
mod any_output;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    any_output::parse_any(bytes);
});
