//! Puts the starter pack together: the files that `assets/starter/files.txt` lists, as one plain tar archive inside the binary.
//!
//! Each line is `<path in the checkout> <path in the pack>`. Where the list is missing the archive is empty, and the binary
//! needs a pack of its own.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo")).join("starter.tar");
    let list = root.join("assets/starter/files.txt");
    println!("cargo::rerun-if-changed={}", list.display());
    let mut archive = tar::Builder::new(fs::File::create(&out).expect("OUT_DIR is writable"));
    archive.mode(tar::HeaderMode::Deterministic);
    for line in fs::read_to_string(&list).unwrap_or_default().lines() {
        let (from, inside) = line.split_once(' ').expect("`<path in the checkout> <path in the pack>` per line");
        add(&mut archive, &root.join(from), inside);
    }
    archive.finish().expect("OUT_DIR is writable");
}

fn add(archive: &mut tar::Builder<fs::File>, from: &Path, inside: &str) {
    println!("cargo::rerun-if-changed={}", from.display());
    let bytes = fs::read(from).unwrap_or_else(|e| panic!("{}: {e}, expected a file of the starter pack", from.display()));
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    archive.append_data(&mut header, inside, bytes.as_slice()).expect("OUT_DIR is writable");
}
