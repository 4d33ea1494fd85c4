//! One file of a stranger's pack of format_version 2 at a time: living pages, transitions, evidence, sessions, web
//! pages.
#![no_main]

#[path = "../../tests/integration/use_pack.rs"]
#[allow(dead_code, reason = "each of the targets runs one of its functions")]
mod use_pack;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    use_pack::use_living(bytes);
});
