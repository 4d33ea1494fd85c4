//! What a run writes last: what follows from the source, the settings and the finished parts. `windesk verify` works it
//! out again.

use std::collections::BTreeMap;
use std::ops::Range;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_engine::annotate::scene_line;
use windesk_engine::pack::Pack;
use windesk_engine::render::ImageFormat;
use windesk_engine::study::annotation_records;
use windesk_model::digest::hex_digest;
use windesk_model::plan::ENGINE_VERSION;
use windesk_model::record::{AnnotationRecord, SCHEMA_VERSION, SceneRecord};

use super::assets::Asset;
use super::balance::{StatsFile, balance};
use super::form::{Form, Records};
use super::manifest::{Manifest, PackSummary, PartSummary};
use super::settings::RunSettings;
use super::source::SampleSource;
use super::stats::Stats;
use super::{card, croissant};

/// Samples per part, or the next smaller number that holds whole indices.
const PART_SAMPLES: u64 = 250;

/// Indices per part, but for those at the ends of a range.
pub(super) fn indices_per_part(conditions: usize) -> u64 {
    (PART_SAMPLES / conditions.max(1) as u64).max(1)
}

/// Parts that a range touches, with the indices of the range in each. Borders depend on the number of conditions alone.
pub(super) fn parts_of(range: &Range<u64>, conditions: usize) -> Vec<(u64, Range<u64>)> {
    if range.is_empty() {
        return Vec::new();
    }
    let per_part = indices_per_part(conditions);
    (range.start / per_part..=(range.end - 1) / per_part)
        .map(|part| (part, (part * per_part).max(range.start)..((part + 1) * per_part).min(range.end)))
        .collect()
}

/// Path of a sample's picture in its dataset. `scenes_per_index` is that of the dataset's [`SampleSource`].
pub fn image_path(id: &str, index: u64, scenes_per_index: usize, format: ImageFormat) -> String {
    format!("images/{:05}/{id}.{}", index / indices_per_part(scenes_per_index), format.extension())
}

/// What makes a run this run and no other. The range is `[first, one past the last]`.
pub(super) struct Identity<'a, S> {
    pub(super) engine_version: u32,
    pub(super) tool_version: &'a str,
    pub(super) assets_digest: &'a str,
    pub(super) study: &'a S,
    pub(super) count: u64,
    pub(super) range: [u64; 2],
    pub(super) format: ImageFormat,
    pub(super) form: Form,
    pub(super) overlay: bool,
}

impl<S: Serialize> Identity<'_, S> {
    pub(super) fn digest(&self) -> String {
        let Self { engine_version, tool_version, assets_digest, study, count, range: [first, end], format, form, overlay } = self;
        let mut all = serde_json::json!([engine_version, tool_version, assets_digest, study, count, first, end, format, overlay]);
        // Datasets in the default form keep the identity that they had when there was no other.
        if let Some(facts) = all.as_array_mut().filter(|_| *form != Form::default()) {
            facts.push(serde_json::to_value(form).expect("plain data"));
        }
        hex_digest(all.to_string().as_bytes())
    }
}

/// The identity of a run of this program.
pub(super) fn identity<S: SampleSource>(source: &S, settings: &RunSettings) -> String {
    let identity = Identity {
        engine_version: ENGINE_VERSION,
        tool_version: env!("CARGO_PKG_VERSION"),
        assets_digest: &source.facts().assets_digest,
        study: source.study(),
        count: settings.count,
        range: [settings.range.start, settings.range.end],
        format: settings.format,
        form: settings.form,
        overlay: settings.overlay,
    };
    identity.digest()
}

/// The manifest of finished parts.
pub(super) fn manifest_of<S: SampleSource>(
    pack: &Pack,
    source: &S,
    settings: &RunSettings,
    shards: Vec<PartSummary>,
    holes: Vec<u64>,
    assets: Vec<Asset>,
) -> Manifest<S::Study> {
    let facts = source.facts();
    Manifest {
        schema_version: SCHEMA_VERSION,
        dataset: facts.name.to_owned(),
        kind: facts.kind,
        protocol: facts.protocol,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        engine_version: ENGINE_VERSION,
        pack: PackSummary::of(pack, source.licences()),
        study: source.study().clone(),
        count: settings.count,
        range: [settings.range.start, settings.range.end],
        format: settings.format,
        form: settings.form,
        samples: shards.iter().map(|s| s.count).sum(),
        shards,
        holes,
        share_alike: facts.share_alike,
        assets,
        warnings: facts.warnings,
        identity: identity(source, settings),
        benchmark: None,
    }
}

/// Files that follow from manifest and statistics, by name.
pub(super) fn concluding_files<S: SampleSource>(
    pack: &Pack,
    source: &S,
    manifest: &Manifest<S::Study>,
    stats: &Stats,
) -> [(&'static str, Vec<u8>); 3] {
    let facts = source.facts();
    let card = card::card(pack, manifest, facts.seed, facts.split, &source.card(stats, &manifest.assets));
    let croissant = croissant::croissant(manifest);
    [("stats.json", stats_file(stats)), ("README.md", card.into_bytes()), ("croissant.json", pretty(&croissant))]
}

/// `stats.json`: the counts and the balance that follows from them.
pub(super) fn stats_file(stats: &Stats) -> Vec<u8> {
    pretty(&StatsFile { stats, balance: balance(stats) })
}

/// `run.json`: how a dataset was made. No part of the byte promise.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RunRecord {
    /// The command line of the last start.
    pub command_line: Vec<String>,
    /// Digest of the file without this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// How the last start went; null for merged shards.
    #[serde(flatten)]
    pub course: Option<RunCourse>,
    /// SHA-256 of the files that no other digest covers, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// The records of merged shards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<RunRecord>,
}

/// How a run went, and on what.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RunCourse {
    /// Worker threads.
    pub threads: usize,
    /// Samples made; the others were there.
    pub made: u64,
    /// Seconds from the opened pack to the last part.
    pub seconds: f64,
    /// Samples made per second.
    pub samples_per_second: f64,
    /// Operating system.
    pub os: String,
    /// Kind of processor.
    pub arch: String,
    /// Cores that the process may use.
    pub cores: usize,
}

/// What is written last, in this order: the record of the run names the digests of all others.
pub(super) fn last_files<S: SampleSource>(
    pack: &Pack,
    source: &S,
    manifest: &Manifest<S::Study>,
    stats: &Stats,
    rejections: Vec<u8>,
    record: RunRecord,
) -> Vec<(&'static str, Vec<u8>)> {
    let mut files = vec![("rejections.jsonl", rejections)];
    files.extend(concluding_files(pack, source, manifest, stats));
    let manifest = ("manifest.json", pretty(manifest));
    let digests = files.iter().chain([&manifest]).map(|(name, bytes)| ((*name).to_owned(), hex_digest(bytes))).collect();
    files.push(("run.json", run_record(&RunRecord { files: digests, ..record })));
    files.push(manifest);
    files
}

/// The bytes of `run.json`, with a digest of the facts: nothing else tells a changed byte.
fn run_record(facts: &RunRecord) -> Vec<u8> {
    let facts = RunRecord { sha256: None, ..facts.clone() };
    let Ok(serde_json::Value::Object(facts)) = serde_json::to_value(facts) else { unreachable!("a record is an object") };
    with_digest(facts)
}

fn with_digest(mut facts: serde_json::Map<String, serde_json::Value>) -> Vec<u8> {
    let digest = hex_digest(&pretty(&facts));
    facts.insert("sha256".to_owned(), digest.into());
    pretty(&facts)
}

/// The bytes of a `run.json` with the digest of another manifest.
pub(super) fn with_manifest_digest(record: &[u8], manifest: &[u8]) -> serde_json::Result<Vec<u8>> {
    let mut facts: RunRecord = serde_json::from_slice(record)?;
    facts.files.insert("manifest.json".to_owned(), hex_digest(manifest));
    Ok(run_record(&facts))
}

/// Whether a `run.json` is as it was written.
pub(super) fn run_record_is_whole(bytes: &[u8]) -> bool {
    let facts: Option<serde_json::Map<String, serde_json::Value>> = serde_json::from_slice(bytes).ok();
    facts.is_some_and(|mut facts| {
        facts.remove("sha256");
        with_digest(facts) == bytes
    })
}

/// Lines of `annotations/` for a scene.
pub(super) fn annotation_lines(scene: &SceneRecord) -> Vec<Vec<u8>> {
    annotation_records(scene).iter().map(line).collect()
}

/// What is written about one sample: lines with their line feeds.
pub(super) struct SampleText {
    /// Nothing where scenes are left out.
    pub(super) scene: Vec<u8>,
    pub(super) annotations: Vec<u8>,
    pub(super) metadata: Vec<u8>,
    pub(super) plan: Vec<u8>,
}

impl SampleText {
    /// Leaves in the record what is written of it.
    pub(super) fn of(record: &mut SceneRecord, plan: &impl Serialize, records: Records) -> Self {
        let annotated = annotation_records(record);
        let annotations = annotated.iter().flat_map(line).collect();
        let metadata = annotated.into_iter().flat_map(metadata_line).collect();
        records.reduce(record);
        let scene = if records == Records::None { Vec::new() } else { scene_line(record) };
        Self { scene, annotations, metadata, plan: line(plan) }
    }
}

/// The file beside the pictures of a part that loaders of image folders read.
pub(super) const METADATA: &str = "metadata.jsonl";

/// The line of `images/<part>/metadata.jsonl` for an annotation, with the picture named as loaders of image folders
/// look for it, from the file's own folder.
pub(super) fn metadata_line(record: AnnotationRecord) -> Vec<u8> {
    line(&AnnotationRecord { file_name: record.img_filename.clone(), ..record })
}

/// A line of JSON with its line feed.
pub(super) fn line(record: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(record).expect("plain data");
    line.push(b'\n');
    line
}

/// A JSON file for people too.
pub(super) fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).expect("plain data");
    text.push(b'\n');
    text
}
