//! `manifest.json`: what a dataset is. Part of the byte promise: no time, no machine.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_engine::pack::Pack;
use windesk_engine::study::Study;
use windesk_model::benchmark::BenchmarkClaim;
use windesk_model::part_list::{Part, PartList};
use windesk_model::split::Split;

use super::assets::{Asset, counted};
use super::form::Form;
use super::source::DatasetKind;

/// What a dataset is and how it was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Manifest<S = Study> {
    /// Version of the dataset's layout.
    pub schema_version: u32,
    /// The dataset's name.
    pub dataset: String,
    /// What its scenes are.
    pub kind: DatasetKind,
    /// The rules.
    pub protocol: windesk_model::condition::Protocol,
    /// Version of the program.
    pub tool_version: String,
    /// Version of the engine: same key, same scene.
    pub engine_version: u32,
    /// The pack.
    pub pack: PackSummary,
    /// Conditions, complete, and the seed.
    pub study: S,
    /// Number of indices of the whole run.
    pub count: u64,
    /// Indices that this folder covers, `[first, one past the last]`.
    pub range: [u64; 2],
    /// Format of the images.
    pub format: windesk_engine::render::ImageFormat,
    /// What else decides how files look; what is as it is by default is not written.
    #[serde(flatten)]
    pub form: Form,
    /// Samples in this folder.
    pub samples: u64,
    /// Parts, in order.
    pub shards: Vec<PartSummary>,
    /// Indices that gave no sample.
    pub holes: Vec<u64>,
    /// Whether an asset makes the images share-alike.
    pub share_alike: bool,
    /// Every asset that the images show, with its licence.
    #[serde(default)]
    pub assets: Vec<Asset>,
    /// What users must know; most datasets have nothing.
    pub warnings: Vec<String>,
    /// Digest of all of the above that the command line decides; tells runs apart.
    pub identity: String,
    /// The benchmark that the dataset is of; only where it was compared with the benchmark's file and is what that
    /// says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub benchmark: Option<BenchmarkClaim>,
}

impl<S> Manifest<S> {
    /// Its parts, by which the lines of their files are counted.
    pub fn part_list(&self) -> PartList {
        let part = |s: &PartSummary| Part { name: s.name.clone(), first: s.first, count: s.count };
        PartList { parts: self.shards.iter().map(part).collect(), range: self.range, holes: self.holes.clone() }
    }
}

impl Manifest<serde_json::Value> {
    /// The part of the pack that the scenes were made of; null for all of it.
    pub fn split(&self) -> Option<Split> {
        let study = if self.kind == DatasetKind::Bench { &self.study["studies"][0] } else { &self.study };
        serde_json::from_value(study["conditions"][0]["split"].clone()).ok()
    }
}

/// The pack that a dataset was made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PackSummary {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its digest.
    pub digest: String,
    /// Licences of its assets and how many assets carry each.
    pub licences: BTreeMap<String, u64>,
}

/// A part of a dataset.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PartSummary {
    /// `part-00000`.
    pub name: String,
    /// First index.
    pub first: u64,
    /// Number of samples.
    pub count: u64,
    /// SHA-256 of the scenes file; not written where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sha256: String,
    /// SHA-256 of the annotations file.
    pub annotations_sha256: String,
    /// SHA-256 of the plans file.
    pub plans_sha256: String,
    /// SHA-256 of the tasks file; not written where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tasks_sha256: String,
    /// SHA-256 of the file of state instances; not written where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub states_sha256: String,
    /// SHA-256 of the list of image digests (`images/<part>/SHA256SUMS`).
    pub images_sha256: String,
}

impl PackSummary {
    /// Of a pack of which assets of these licences are used.
    pub fn of(pack: &Pack, licences: BTreeMap<String, u64>) -> Self {
        Self { name: pack.header.name.clone(), version: pack.header.version.clone(), digest: pack.digest.clone(), licences }
    }
}

/// Licences of everything in a pack that scenes of windows show.
pub(super) fn pack_licences(pack: &Pack) -> BTreeMap<String, u64> {
    let all = pack.programs.iter().map(|p| &p.record.licence);
    let all = all.chain(pack.wallpapers.iter().map(|w| &w.licence)).chain(pack.icons.iter().map(|i| &i.licence));
    counted(all.chain(pack.fonts.iter().map(|f| &f.licence)))
}
