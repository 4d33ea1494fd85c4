//! What makes a dataset's samples. The folder's code (parts, resume, digests, order) is the same for all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use windesk_engine::render::{Encoding, Frame};
use windesk_engine::study::Outcome;
use windesk_model::Error;
use windesk_model::condition::Protocol;
use windesk_model::geometry::Size;
use windesk_model::key::scene_name;
use windesk_model::record::{MaskRecord, SceneRecord};
use windesk_model::setting::StateInstance;
use windesk_model::split::Split;
use windesk_model::task::TaskLine;

use super::assets::{Asset, AssetKey};
use super::stats::Stats;

/// Makes the samples of an index: a pure function of itself and the index.
pub trait SampleSource: Sync {
    /// What a sample is made from; a line of `plans/`.
    type Plan: Serialize + DeserializeOwned;
    /// What the dataset is: name, seed and conditions, complete; `study` in the manifest.
    type Study: Serialize + Clone;

    /// What the dataset is.
    fn study(&self) -> &Self::Study;

    /// Most scenes of one index. How parts are cut depends on it.
    fn scenes_per_index(&self) -> usize {
        self.facts().conditions.len()
    }

    /// A scene's id. `at` is its place among those of its index.
    fn scene_id(&self, at: usize, index: u64, _plan: &Self::Plan) -> String {
        self.facts().sample_id(at, index)
    }

    /// The line of `tasks/` about the scenes of one index; null for scenes that stand alone.
    fn task(&self, _plans: &[Self::Plan], _scenes: &[SceneRecord]) -> Option<TaskLine> {
        None
    }

    /// The record of a sample as [`SampleSource::record`] gives it, and the line of `states/` about it; null for scenes
    /// that ask for no control.
    ///
    /// # Errors
    /// If the plan names what the assets do not have.
    fn with_state(&self, at: usize, plan: &Self::Plan, image: String) -> Result<(SceneRecord<'_>, Option<StateInstance>), Error> {
        Ok((self.record(at, plan, image)?, None))
    }

    /// What distinguishes this source for the manifest.
    fn facts(&self) -> Facts<'_>;

    /// Licences of the assets and how many assets carry each.
    fn licences(&self) -> BTreeMap<String, u64>;

    /// Plans and verifies the samples of one index: one per condition, in order, or one per step of a task.
    ///
    /// # Errors
    /// If the assets are at fault. A rejected draw is no error.
    fn outcome(&self, index: u64) -> Result<Outcome<Self::Plan>, Error>;

    /// The scene's record. `at` is its place among those of its index, `image` its path in the dataset.
    ///
    /// # Errors
    /// If a picture can't be read.
    fn record(&self, at: usize, plan: &Self::Plan, image: String) -> Result<SceneRecord<'_>, Error>;

    /// The scene's picture.
    ///
    /// # Errors
    /// If a picture can't be read.
    fn render(&self, plan: &Self::Plan) -> Result<Frame, Error>;

    /// The scene's picture into a place that is there already, three bytes per pixel; in a size that is not the scene's
    /// each pixel is the mean of what it covers.
    ///
    /// # Errors
    /// If a picture can't be read.
    ///
    /// # Panics
    /// If `rgb` has not the bytes of a picture of this size, or a side is 0 or longer than
    /// [`MAX_SIDE`](windesk_engine::render::MAX_SIDE).
    fn render_into(&self, plan: &Self::Plan, size: Size, rgb: &mut [u8]) -> Result<(), Error> {
        rgb.copy_from_slice(&self.render(plan)?.resampled(size).rgb);
        Ok(())
    }

    /// The file of the scene's picture.
    ///
    /// # Errors
    /// If a picture can't be read.
    fn encode(&self, plan: &Self::Plan, encoding: Encoding) -> Result<Vec<u8>, Error>;

    /// The files of the pictures of one index, in order, each made when it is asked for. A source whose pictures have
    /// much in common may know a faster way; the files are the same.
    fn encode_all<'a>(&'a self, plans: &'a [Self::Plan], encoding: Encoding) -> PictureFiles<'a> {
        Box::new(plans.iter().map(move |plan| self.encode(plan, encoding).map(Rc::new)))
    }

    /// The visible pixels of every element, in the order of the record's; null for one that is off the screen.
    ///
    /// # Errors
    /// If the plan names what the assets do not have, or a picture can't be read.
    fn masks(&self, plan: &Self::Plan) -> Result<Vec<Option<MaskRecord>>, Error>;

    /// Counts a stored record again by other means than made it, and says where they disagree.
    ///
    /// # Errors
    /// If a picture can't be read.
    fn recount(&self, plan: &Self::Plan, record: &SceneRecord) -> Result<Vec<String>, Error>;

    /// Where the plans of one index, in the order of the conditions, differ in more than their conditions do.
    ///
    /// # Errors
    /// If a plan names what the assets do not have.
    fn unpaired(&self, plans: &[Self::Plan]) -> Result<Vec<String>, Error>;

    /// The assets that a scene shows.
    fn shown(&self, plan: &Self::Plan) -> BTreeSet<AssetKey>;

    /// What is known about assets that scenes show, in order.
    fn assets(&self, shown: &BTreeSet<AssetKey>) -> Vec<Asset>;

    /// What the card says of the scenes, and its table of conditions (Markdown). `shown` are the assets that the
    /// dataset's pictures show.
    fn card(&self, stats: &Stats, shown: &[Asset]) -> CardParts;
}

/// Files of pictures, one after the other; who makes them may keep one to copy from it. An error says that a picture of
/// the assets can't be read.
pub type PictureFiles<'a> = Box<dyn Iterator<Item = Result<Rc<Vec<u8>>, Error>> + 'a>;

/// What a manifest says of a source besides its study.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// What the scenes are.
    pub kind: DatasetKind,
    /// Name of the dataset; the first part of every id.
    pub name: &'a str,
    /// Names of the conditions, in order.
    pub conditions: Vec<&'a str>,
    /// Seed of all keys.
    pub seed: u64,
    /// The part of the pack that the samples are made from; null for all of it.
    pub split: Option<Split>,
    /// The rules.
    pub protocol: Protocol,
    /// Digest of all assets that samples depend on.
    pub assets_digest: String,
    /// Whether an asset makes the images share-alike.
    pub share_alike: bool,
    /// What users of the dataset must know; most have nothing.
    pub warnings: Vec<String>,
}

impl Facts<'_> {
    /// A sample's id: `<dataset>.<condition>-<index>`.
    pub fn sample_id(&self, condition: usize, index: u64) -> String {
        sample_id(self.name, self.conditions[condition], index)
    }
}

/// A sample's id: `<dataset>.<condition>-<index>`.
pub fn sample_id(dataset: &str, condition: &str, index: u64) -> String {
    format!("{dataset}.{}", scene_name(condition, index, None))
}

/// What a dataset's scenes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DatasetKind {
    /// Windows on a desktop.
    Windows,
    /// The same, of several studies.
    Bench,
    /// Icons on a wallpaper.
    Icons,
    /// Windows on a desktop, several scenes one after the other.
    Tasks,
    /// Controls in some state, on pages alone or on a desktop.
    States,
}

impl DatasetKind {
    /// The folder of files with a line per index, where there is one besides those of all kinds.
    pub fn lines(self) -> Option<&'static str> {
        match self {
            Self::Tasks => Some("tasks"),
            Self::States => Some("states"),
            Self::Windows | Self::Bench | Self::Icons => None,
        }
    }
}

/// The parts of a dataset card that depend on what the scenes are.
#[derive(Clone, Debug)]
pub struct CardParts {
    /// What one scene is called, without an article: "synthetic desktop scene".
    pub scene: &'static str,
    /// Follows that: what for, and of what.
    pub subject: &'static str,
    /// Table of conditions, with its head.
    pub table: String,
    /// Whom to name: sentences, one per line.
    pub attributions: Vec<String>,
}
