//! Datasets on disk: the run that fills a folder, its parts, resume, and what is written at the end.
//!
//! Borders of parts depend on nothing but the number of conditions; a part's bytes on nothing but the source. A part is complete
//! when its marker is there; the folder is complete when `manifest.json` is there, which is written last.

mod assets;
mod audit;
mod balance;
mod bench;
mod card;
mod conclude;
mod croissant;
mod estimate;
mod folder;
mod manifest;
mod merge;
mod origin;
mod run;
mod scenes;
mod shortcuts;
mod source;
mod stats;
mod view;

pub use assets::{Asset, AssetKey, AssetKind, assets_of_pack, shown_on_desktop};
pub use audit::{AuditReport, AuditSettings, audit, difference, open_manifest};
pub use balance::{Balance, balance};
pub use bench::{Bench, BenchScenes, LEVELS_SWEEP};
pub use conclude::{RunCourse, RunRecord};
pub use estimate::{Estimate, estimate};
pub use manifest::{Manifest, PackSummary, PartSummary};
pub use merge::merge;
pub use run::{RunSettings, RunSummary, run};
pub use scenes::Scenes;
pub use shortcuts::Shortcuts;
pub use source::{CardParts, DatasetKind, Facts, Source};
pub use stats::Stats;
pub use view::{ViewSettings, write_view};

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Bytes that are written to a file at once.
const PIECE_BYTES: usize = 1 << 16;

/// A folder that can't be written to, or that holds something else.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}{}", hint.as_ref().map(|h| format!("\nhint: {h}")).unwrap_or_default())]
pub struct DatasetError {
    /// File or folder at fault.
    pub place: PathBuf,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl DatasetError {
    fn new(place: impl AsRef<Path>, problem: impl std::fmt::Display) -> Self {
        Self { place: place.as_ref().to_owned(), problem: problem.to_string(), hint: None }
    }

    fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Writes a whole file under a temporary name and then renames it, so that no partial file looks whole.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), DatasetError> {
    let temporary = temporary_name(path);
    let written = File::create(&temporary)
        .and_then(|mut file| write_in_pieces(&mut file, bytes))
        .and_then(|()| std::fs::rename(&temporary, path));
    written.map_err(|e| {
        // A full disk leaves a stump behind; the message tells of the disk, not of the stump.
        let _ = std::fs::remove_file(&temporary);
        DatasetError::new(path, e)
    })
}

/// Writes bytes to a file a piece at a time: for larger ones the page cache looks for large stretches of memory, which costs several times
/// as much as the copying.
fn write_in_pieces(file: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
    bytes.chunks(PIECE_BYTES).try_for_each(|piece| file.write_all(piece))
}

/// The name that a file has while it is being written.
fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}
