//! One file of a stranger's pack at a time, the others sound: quicker than whole archives, and past every digest.
#![no_main]

use std::panic::{set_hook, take_hook};

#[path = "../../tests/integration/use_pack.rs"]
#[allow(dead_code, reason = "each of the two targets runs one of its functions")]
mod use_pack;

/// Crates that panic on damaged fonts. `TextEngine::caption` makes an error of that; where it was is told, for what is
/// known to bring a reader there is better refused before.
const FONT_CRATES: [&str; 5] = ["/read-fonts-", "/skrifa-", "/swash-", "/harfrust-", "/cosmic-text-"];

libfuzzer_sys::fuzz_target!(
    init: {
        let abort = take_hook();
        set_hook(Box::new(move |panic| {
            match panic.location() {
                Some(at) if FONT_CRATES.iter().any(|name| at.file().contains(name)) => eprintln!("caught: {at}"),
                _ => abort(panic),
            }
        }));
    },
    |bytes: &[u8]| {
        use_pack::use_file(bytes);
    }
);
