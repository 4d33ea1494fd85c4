//! `manifest.json` of a dataset, as far as scores need it: what the dataset is, and how many lines its files have.
//!
//! A folder is read as its manifest says, and not without one: a run that was interrupted, or files that were cut,
//! would give a score over fewer questions than the dataset asks. A file that was named by itself needs no manifest.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use windesk_files::compressed::COMPRESSED;
use windesk_files::{MAX_WHOLE_BYTES, Root};
use windesk_model::Error;
use windesk_model::part_list::{Part, PartList, VERIFY};

use crate::lines::files_in;

/// Its name in a dataset.
const MANIFEST: &str = "manifest.json";

/// What the manifest says of the dataset as a whole.
#[derive(Default, Deserialize)]
pub(super) struct About {
    /// The dataset's name.
    pub(super) dataset: Option<String>,
    /// How much of the truth its scenes hold; all of it if it does not say.
    #[serde(default)]
    records: Option<String>,
    /// The benchmark that it is of, as it was found.
    #[serde(default)]
    pub(super) benchmark: Option<serde_json::Value>,
}

impl About {
    /// What a manifest says that happens to lie beside a file; nothing if there is none, or it is one of somebody else.
    pub(super) fn beside(root: &Root) -> Result<Self, Error> {
        let bytes = root.read_if_any(MANIFEST, MAX_WHOLE_BYTES)?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default())
    }

    /// Refuses a dataset whose records were cut: a score tells what a click hit, and a miss must find the element that
    /// is there.
    pub(super) fn check_records(&self, folder: &Path) -> Result<(), Error> {
        let Some(records) = self.records.as_deref().filter(|records| *records != "full") else { return Ok(()) };
        let problem = format!("made with option `records` {records}, expected records of every element");
        let hint = "scores tell what a click hit; the same command without option `records` writes them";
        Err(Error::path(folder, problem).with_hint(hint))
    }
}

/// The manifest of a finished dataset.
#[derive(Deserialize)]
pub(crate) struct Manifest {
    #[serde(flatten)]
    pub(super) about: About,
    /// Whether files of lines are compressed.
    #[serde(default)]
    compressed: bool,
    #[serde(flatten)]
    parts: PartList,
}

impl Manifest {
    /// Reads that of a dataset folder; `kind` is the folder in it whose files are wanted: `scenes`, `tasks` or
    /// `states`.
    ///
    /// # Errors
    /// If there is none, or it can't be read.
    pub(crate) fn of_folder(folder: &Path, kind: &str) -> Result<Self, Error> {
        let root = Root::new(folder);
        let place = root.place(MANIFEST);
        let Some(bytes) = root.read_if_any(MANIFEST, MAX_WHOLE_BYTES)? else {
            let error = Error::path(place, "not found, expected the manifest of a finished dataset");
            return Err(error.with_hint(if folder.join(".windesk").is_dir() {
                "the run was interrupted or is still in progress; the command that started it resumes it".to_owned()
            } else {
                let file = folder.join(kind).join("part-00000.jsonl");
                format!("if the lines of a file alone are meant, name it: {}", file.display())
            }));
        };
        serde_json::from_slice(&bytes)
            .map_err(|e| Error::path(place, format!("{e}, expected the manifest of a dataset")).with_hint(VERIFY))
    }

    /// The files of a kind, in order, one per part.
    pub(crate) fn files(&self, folder: &Path, kind: &str) -> Vec<PathBuf> {
        let ending = if self.compressed { format!("jsonl.{COMPRESSED}") } else { "jsonl".to_owned() };
        let numbers = self.parts.parts.iter().filter_map(Part::number);
        numbers.map(|number| folder.join(kind).join(format!("part-{number:05}.{ending}"))).collect()
    }

    /// Compares the lines that were read of a part's file with those that it must have.
    ///
    /// # Errors
    /// If there are fewer or more.
    pub(crate) fn check_lines(&self, part: usize, kind: &str, file: &Path, found: u64) -> Result<(), Error> {
        self.parts.check_lines(part, kind, file, found)
    }
}

/// Whether a folder has files of lines below `kind`.
///
/// # Errors
/// If they can't be listed.
pub(crate) fn has_lines(folder: &Path, kind: &str) -> Result<bool, Error> {
    let own = folder.join(kind);
    Ok(!files_in(&own, "jsonl")?.is_empty() || !files_in(&own, COMPRESSED)?.is_empty())
}
