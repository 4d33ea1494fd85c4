//! The truth that predictions are scored against: an index over a dataset, small enough to stay in memory.
//!
//! Of every scene it keeps the geometry that a score needs and the place of its line in the file; names, captions and
//! pictures are read again for the few samples that a report shows.

mod benchmark;
mod boxes;
mod digest;
mod facets;
mod ids;
mod index;
mod manifest;
mod mask;
mod names;
mod pool;
mod scenes;
mod target;

pub use benchmark::{BenchmarkFacts, Ships};
pub use boxes::BoxFormat;
pub use facets::{Facet, FacetSets, Facets, FacetsOf};
pub use index::{Dataset, ElementBox, Kind, NONE, Scene, SceneWindow};
pub(crate) use manifest::{Manifest, has_lines};
pub use mask::Mask;
pub use names::{Name, Names};
pub use target::Target;

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use windesk_files::compressed::COMPRESSED;
use windesk_files::{MAX_WHOLE_BYTES, Root, open_named, read_named};
use windesk_model::Error;

use crate::kinds::FileKind;
use crate::lines::files_in;
use manifest::About;

/// A table whose hash is quick for short names: opening a dataset looks up ten of them per target.
pub type Table<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// How to open a dataset.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// Which of the published layouts a `.json` file has; found by its field names if not given.
    pub box_format: Option<BoxFormat>,
    /// Size of all images, where neither records nor pictures tell.
    pub image_size: Option<[u32; 2]>,
    /// Further targets of scenes count as promised ones do.
    pub count_further: bool,
    /// Says whether a benchmark that a manifest names comes with the program. Without it none does.
    pub ships: Option<Ships>,
}

/// Opens a dataset folder, a file of scenes (`.jsonl`), or a set with one box per image (a `.json` file, or a folder
/// with such files in `annotations/`).
///
/// # Errors
/// If it can't be read, holds no targets, or pools generation protocols.
pub fn open(path: &Path, options: &OpenOptions) -> Result<Dataset, Error> {
    let expected = "expected a dataset folder, scenes as .jsonl, or a test set as .json";
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let dataset = if path.is_dir() {
        // A finished dataset may have lost all of its scenes: then its manifest says that they are missing.
        let is_ours = path.join("scenes").is_dir() && path.join("manifest.json").exists();
        if is_ours || has_lines(path, "scenes")? {
            let manifest = Manifest::of_folder(path, "scenes")?;
            scenes::read(&TruthFiles::found(path, manifest.files(path, "scenes")), Some(manifest), options)?
        } else {
            About::beside(&Root::new(path))?.check_records(path)?;
            let mut sets = files_in(&path.join("annotations"), "json")?;
            sets.extend(Root::new(path).open_if_any("test.json")?.map(|_| path.join("test.json")));
            if sets.is_empty() {
                return Err(Error::path(
                    path,
                    format!("found neither scenes/*.jsonl nor annotations/*.json nor test.json, {expected}"),
                ));
            }
            boxes::read(&TruthFiles::found(path, sets), options)?
        }
    } else if !path.exists() {
        return Err(Error::path(path, format!("no such file or folder, {expected}")));
    } else if extension == "jsonl" || extension == COMPRESSED {
        scenes::read(&TruthFiles::named(path), None, options)?
    } else if extension == "json" {
        boxes::read(&TruthFiles::named(path), options)?
    } else {
        return Err(Error::path(path, format!("found a file of another kind, {expected}")));
    };
    if dataset.targets.is_empty() {
        return Err(Error::path(path, "found no targets, expected at least one"));
    }
    if dataset.targets.iter().all(|target| target.only_dragged) {
        let problem = "found only targets that a drag sets, expected some that a click reaches";
        return Err(Error::path(path, problem).with_hint("option `protocol` state scores drags, against `states/`"));
    }
    Ok(dataset)
}

/// Files that a dataset is read from, where it is not one of windesk: the file that was named, and those of sets that
/// may lie in a folder.
///
/// # Errors
/// If the folder can't be read.
pub fn truth_files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = files_in(&path.join("annotations"), "json")?;
    files.push(path.join("test.json"));
    if FileKind::of(path) == Some(FileKind::Tasks) {
        files.extend(files_in(path, "json")?);
    }
    Ok(files)
}

/// The files that hold the truth.
#[derive(Clone, Debug)]
pub struct TruthFiles {
    /// Where pictures are looked up.
    pub root: Root,
    /// Their paths.
    pub paths: Vec<PathBuf>,
    /// Whether the user named the file; else it was found in a folder, where it must be a plain file.
    named: bool,
}

impl TruthFiles {
    fn found(root: &Path, paths: Vec<PathBuf>) -> Self {
        Self { root: Root::new(root), paths, named: false }
    }

    fn named(path: &Path) -> Self {
        Self { root: Root::new(path.parent().unwrap_or(Path::new("."))), paths: vec![path.to_owned()], named: true }
    }

    /// Opens one of them.
    pub(crate) fn open(&self, at: usize) -> Result<File, Error> {
        let path = &self.paths[at];
        match path.strip_prefix(self.root.folder()) {
            Ok(name) if !self.named => self.root.open(name),
            _ => open_named(path),
        }
    }

    /// Reads one of them whole.
    fn read(&self, at: usize) -> Result<Vec<u8>, Error> {
        let path = &self.paths[at];
        match path.strip_prefix(self.root.folder()) {
            Ok(name) if !self.named => self.root.read(name, MAX_WHOLE_BYTES),
            _ => read_named(path, MAX_WHOLE_BYTES),
        }
    }
}
