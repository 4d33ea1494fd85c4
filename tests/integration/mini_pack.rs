//! `tests/fixtures/mini-pack`: a few real windows that stay as they are.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use windesk::engine::pack::{IndexedPack, Pack, open_place};
use windesk::model::condition::Condition;
use windesk::shipped::parse_level;

use crate::hashed_words;

/// Numbers in its embeddings.
const DIMENSIONS: usize = 16;

/// A level that its dozen programs can satisfy.
pub const LEVEL: &str = "name = \"mini\"\nwindows = [4, 6]\nvisible_ratio = [0.5, 0.7]\ncanvas = [1600, 900]\n";

/// Where it lies.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/mini-pack")
}

/// The pack, opened once.
pub fn pack() -> &'static IndexedPack {
    static PACK: OnceLock<IndexedPack> = OnceLock::new();
    let open = || Pack::open(open_place(&folder())?)?.indexed();
    PACK.get_or_init(|| open().unwrap_or_else(|error| panic!("{error}")))
}

/// [`LEVEL`] with `key=value` changes.
pub fn level(sets: &[&str]) -> Condition {
    let sets: Vec<String> = sets.iter().map(|s| (*s).to_owned()).collect();
    parse_level("mini", LEVEL, &sets).unwrap_or_else(|error| panic!("{error}"))
}

/// A copy to change.
pub fn copy() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    copy_folder(&folder(), copy.path());
    copy
}

/// Copies a folder with everything in it.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn the_index_is_that_of_its_windows() {
    let folder = folder();
    let pack = Pack::open(open_place(&folder).unwrap().without("index/")).unwrap_or_else(|error| panic!("{error}"));
    let files = windesk::authoring::index::build_index(&pack, hashed_words::model(DIMENSIONS), |texts| {
        Ok(hashed_words::embed(texts, DIMENSIONS))
    })
    .unwrap();
    let differ = |(name, bytes): (&String, &Vec<u8>)| fs::read(folder.join(name)).ok().as_ref() != Some(bytes);
    if files.iter().any(differ) {
        let fresh = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mini-pack");
        for (name, bytes) in &files {
            fs::create_dir_all(fresh.join(name).parent().unwrap()).unwrap();
            fs::write(fresh.join(name), bytes).unwrap();
        }
        panic!("the index differs; if that is meant: cp {}/index/* {}/index/", fresh.display(), folder.display());
    }
}
