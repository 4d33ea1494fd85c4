//! Level and sweep files of strangers; seed it with `configs/levels` and `configs/sweeps`.
#![no_main]

#[path = "../../tests/integration/any_file.rs"]
mod any_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    any_file::level_any(bytes);
});
