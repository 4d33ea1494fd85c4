//! Icons of strangers; seed it with SVG and PNG files.
#![no_main]

#[path = "../../tests/integration/any_file.rs"]
mod any_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    any_file::icons_any(bytes);
});
