//! Packs of strangers. `cargo +nightly fuzz run pack`; seed it with `tar -cf fuzz/corpus/pack/mini.tar -C
//! tests/fixtures/mini-pack .`.
#![no_main]

#[path = "../../tests/integration/use_pack.rs"]
mod use_pack;

libfuzzer_sys::fuzz_target!(|archive: &[u8]| {
    let _ = use_pack::use_pack(archive);
});
