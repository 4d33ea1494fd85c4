//! Puts the starter pack together: the files that `assets/starter/files.txt` lists, as one plain tar archive inside the
//! binary.
//!
//! A released crate has no such list, but the archive itself, `assets/starter/starter.tar`.
//!
//! Each line is `<path in the checkout> <path in the pack>`; `windesk pack starter assets` writes it. Where the list or
//! one of its files is missing the archive is empty and the binary needs another pack: the command that mends the list
//! is in the binary itself.

#![allow(clippy::disallowed_methods, reason = "cargo tells a build script its places by the environment")]

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo")).join("starter.tar");
    let list = root.join("assets/starter/files.txt");
    println!("cargo::rerun-if-changed={}", list.display());
    let released = root.join("assets/starter/starter.tar");
    if !list.exists() && released.is_file() {
        fs::copy(released, &out).expect("OUT_DIR is writable");
        return;
    }
    let list = fs::read_to_string(&list).unwrap_or_default();
    let entries = list.lines().map(|line| line.split_once(' ').expect("`<path in the checkout> <path in the pack>` per line"));
    let entries: Vec<(PathBuf, &str)> = entries.map(|(from, inside)| (root.join(from), inside)).collect();
    let mut archive = tar::Builder::new(fs::File::create(&out).expect("OUT_DIR is writable"));
    archive.mode(tar::HeaderMode::Deterministic);
    for (from, _) in &entries {
        println!("cargo::rerun-if-changed={}", from.display());
    }
    if let Some((missing, _)) = entries.iter().find(|(from, _)| !from.is_file()) {
        let then = "this binary gets no starter pack; run `windesk pack starter assets` and build again";
        println!("cargo::warning={}: no such file, expected one of the starter pack. {then}", missing.display());
    } else {
        for (from, inside) in &entries {
            add(&mut archive, from, inside);
        }
    }
    archive.finish().expect("OUT_DIR is writable");
}

fn add(archive: &mut tar::Builder<fs::File>, from: &Path, inside: &str) {
    let bytes = fs::read(from).unwrap_or_else(|e| panic!("{}: {e}, expected a file of the starter pack", from.display()));
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    archive.append_data(&mut header, inside, bytes.as_slice()).expect("OUT_DIR is writable");
}
