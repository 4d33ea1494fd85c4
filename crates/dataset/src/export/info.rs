//! What a format is: names, where boxes and pictures go, what it loses, and who writes it.

use super::finestate::StateWriter;
use super::output::ImagePlace;
use super::tasks::TaskWriter;
use super::{Exporting, SceneWriter};

/// What a format is.
#[derive(Clone, Copy, Debug)]
pub struct FormatInfo {
    /// Its name on the command line.
    pub name: &'static str,
    /// Who reads it.
    pub readers: &'static str,
    /// Files it writes, next to `images/` and `export.json`.
    pub files: &'static str,
    /// How it writes boxes.
    pub coordinates: &'static str,
    /// What can't be had back from it; null if every target's instruction and box can.
    pub loses: Option<&'static str>,
    /// What else of the dataset's records it has no place for; null where that is what all formats leave out.
    pub omits: Option<&'static str>,
    /// How coarse its numbers are, where its readers want a grid of their own; null if boxes come back to the pixel.
    pub rounds: Option<&'static str>,
    /// Whether it has words for what is not on the screen.
    pub holds_absent: bool,
    /// Whether it writes elements that no target names.
    pub(super) all_elements: bool,
    pub(super) images: ImagePlace,
    pub(super) writer: Making,
}

/// Makes the writer for a dataset.
#[derive(Clone, Copy, Debug)]
pub(super) enum Making {
    /// Of scenes, one by one.
    Scenes(fn(&Exporting) -> Box<dyn SceneWriter>),
    /// Of tasks, one by one.
    Tasks(fn(&Exporting) -> Box<dyn TaskWriter>),
    /// Of state instances, one by one.
    States(fn(&Exporting) -> Box<dyn StateWriter>),
}
