//! Files, digests, the form of records, and what follows from records alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use serde_json::Value;

use windesk_engine::pack::Pack;
use windesk_engine::render::{Encoder, Frame, ImageFormat, decode_limited};
use windesk_engine::study::Rejection;
use windesk_files::compressed::decompressed;
use windesk_files::{Durability, MAX_WHOLE_BYTES, Root};
use windesk_model::digest::hex_digest;
use windesk_model::plural::counted;
use windesk_model::progress::Progress;
use windesk_model::record::{AnnotationRecord, SceneRecord};

use super::compare::{difference, differing_annotations};
use super::listing::{Listing, MAX_PART_BYTES};
use super::part::{ExpectedSample, PartText, Sums};
use super::remake::Remake;
use super::{AnyManifest, AuditReport, AuditSettings};
use crate::assets::AssetKey;
use crate::conclude::{
    METADATA, RunRecord, annotation_lines, concluding_files, indices_per_part, line as json_line, manifest_of, metadata_line,
    parts_of, pretty, run_record_is_whole, stats_file,
};
use crate::croissant::croissant;
use crate::form::Records;
use crate::source::SampleSource;
use crate::stats::Stats;
use crate::{PartSummary, RunSettings};

/// Checks the folder; with a source also that every sample is what its key gives.
pub(super) fn check<S: SampleSource>(
    root: &Path,
    manifest: &AnyManifest,
    source: Option<(&Pack, &S)>,
    settings: &AuditSettings,
    progress: &dyn Progress,
    report: &mut AuditReport,
) {
    let mut listing = Listing::of(root, report);
    let manifest_bytes = listing.read("manifest.json", report).unwrap_or_default();
    let rejections = Rejections::read(&mut listing, report);
    let expected = ExpectedSamples::of(manifest, report);
    let mut folder = Folder {
        root,
        manifest,
        settings,
        listing,
        stats: Stats::default(),
        sound: true,
        images_total: 0,
        shown: BTreeSet::new(),
    };
    for rejection in rejections.by_index.values().flatten().filter_map(|line| serde_json::from_slice::<Rejection>(line).ok()) {
        folder.stats.add_rejection(&rejection);
    }
    if manifest.shards.len() != expected.parts.len() {
        report.find(
            "manifest.json",
            format!("shards: found {}, expected {} for this range", manifest.shards.len(), expected.parts.len()),
        );
    }
    let sampled = sampled_indices(manifest, settings);
    // What was left out of the records is known of all of them only if all are made again.
    folder.sound = manifest.form.records == Records::Full || source.is_some() && sampled.is_none();
    let [first, end] = manifest.range;
    progress.begin(sampled.as_ref().map_or(end.saturating_sub(first), |s| s.len() as u64), "indices");
    for ((part, indices), shard) in expected.parts.iter().zip(&manifest.shards) {
        let name = format!("part-{part:05}");
        if shard.name != name || shard.first != indices.start {
            report.find(
                "manifest.json",
                format!("shards: found {} from index {}, expected {name} from {}", shard.name, shard.first, indices.start),
            );
        }
        let samples = expected.samples(*part, indices.clone());
        let text = folder.check_part(*part, shard, &samples, report);
        if let Some((_, source)) = source {
            folder.check_plans(*part, &text, &samples, source, report);
        }
        let chosen: Vec<u64> = indices.clone().filter(|i| sampled.as_ref().is_none_or(|s| s.contains(i))).collect();
        let remake = Remake {
            root: Root::new(root),
            manifest,
            source: source.map(|(_, s)| s),
            rejections: &rejections.by_index,
            text: &text,
            part: *part,
            samples: &samples,
            progress,
        };
        let stats = remake.check(&chosen, settings.threads, report);
        if manifest.form.records != Records::Full {
            folder.stats.merge(&stats);
        }
        if report.findings.len() > MAX_FINDINGS {
            report.find(".", "too many findings, stopped here");
            progress.end();
            return;
        }
    }
    progress.end();
    folder.conclude(&manifest_bytes, source, report);
    folder.listing.report_extra(report);
}

/// A dataset with more findings than this is not worth listing further.
const MAX_FINDINGS: usize = 1000;

/// Indices to make again, or `None` for all.
fn sampled_indices(manifest: &AnyManifest, settings: &AuditSettings) -> Option<BTreeSet<u64>> {
    let [first, end] = manifest.range;
    let (wanted, all) = (settings.sample?, end - first);
    (wanted < all).then(|| (0..wanted).map(|n| first + n * all / wanted).collect())
}

/// Lines of `rejections.jsonl` by index.
struct Rejections {
    by_index: BTreeMap<u64, Vec<Vec<u8>>>,
}

impl Rejections {
    fn read(listing: &mut Listing, report: &mut AuditReport) -> Self {
        let bytes = listing.read("rejections.jsonl", report).unwrap_or_default();
        let mut by_index: BTreeMap<u64, Vec<Vec<u8>>> = BTreeMap::new();
        for (number, line) in lines("rejections.jsonl", &bytes, report) {
            let place = format!("rejections.jsonl:{number}");
            match serde_json::from_slice::<Rejection>(line) {
                Ok(rejection) => {
                    if by_index.last_key_value().is_some_and(|(&last, _)| last > rejection.index) {
                        report.find(place, "out of order");
                    }
                    by_index.entry(rejection.index).or_default().push(line.to_vec());
                }
                Err(error) => report.find(place, format!("{error}, expected a rejected draw")),
            }
        }
        Self { by_index }
    }
}

/// What a manifest promises.
struct ExpectedSamples {
    name: String,
    extension: &'static str,
    conditions: Vec<String>,
    holes: BTreeSet<u64>,
    parts: Vec<(u64, Range<u64>)>,
}

impl ExpectedSamples {
    fn of(manifest: &AnyManifest, report: &mut AuditReport) -> Self {
        let conditions = manifest.condition_names();
        let holes: BTreeSet<u64> = manifest.holes.iter().copied().collect();
        let [first, end] = manifest.range;
        let sound =
            first < end && end <= manifest.count && !conditions.is_empty() && holes.iter().all(|h| (first..end).contains(h));
        if !sound {
            report.find(
                "manifest.json",
                format!("range {first}..{end} of {} with holes {holes:?} makes no dataset", manifest.count),
            );
        }
        // No more parts than the manifest lists: a range may be anything.
        let per_part = indices_per_part(conditions.len());
        let listed = (first / per_part).saturating_add(manifest.shards.len() as u64 + 1).saturating_mul(per_part);
        let parts = if sound { parts_of(&(first..end.min(listed)), conditions.len()) } else { Vec::new() };
        Self { name: manifest.dataset.clone(), extension: manifest.format.extension(), conditions, holes, parts }
    }

    fn samples(&self, part: u64, indices: Range<u64>) -> Vec<ExpectedSample> {
        let indices = indices.filter(|i| !self.holes.contains(i));
        let pairs = indices.flat_map(|index| self.conditions.iter().enumerate().map(move |(at, name)| (index, at, name)));
        pairs
            .map(|(index, condition, name)| {
                let id = format!("{}.{name}-{index:06}", self.name);
                ExpectedSample {
                    image: format!("images/{part:05}/{id}.{}", self.extension),
                    id,
                    index,
                    condition,
                    condition_name: name.clone(),
                }
            })
            .collect()
    }
}

struct Folder<'a> {
    root: &'a Path,
    manifest: &'a AnyManifest,
    settings: &'a AuditSettings,
    listing: Listing,
    stats: Stats,
    /// Whether all records could be read, so that statistics follow from them.
    sound: bool,
    images_total: u64,
    /// What the plans show.
    shown: BTreeSet<AssetKey>,
}

impl Folder<'_> {
    /// Checks that the plans of each index are paired, and notes which assets they show.
    fn check_plans<S: SampleSource>(
        &mut self,
        part: u64,
        text: &PartText,
        samples: &[ExpectedSample],
        source: &S,
        report: &mut AuditReport,
    ) {
        let name = self.manifest.form.text_file("plans", part);
        for of_index in samples.chunk_by(|a, b| a.index == b.index) {
            let mut plans = Vec::with_capacity(of_index.len());
            for (number, line) in of_index.iter().filter_map(|sample| text.plans.get(&sample.id)) {
                match serde_json::from_slice::<S::Plan>(line) {
                    Ok(plan) => plans.push(plan),
                    Err(error) => report.find(format!("{name}:{number}"), format!("{error}, expected a plan")),
                }
            }
            plans.iter().for_each(|plan| self.shown.extend(source.shown(plan)));
            if plans.len() < of_index.len() {
                continue;
            }
            let index = of_index[0].index;
            match source.unpaired(&plans) {
                Ok(problems) => {
                    problems.into_iter().for_each(|problem| report.find(&name, format!("index {index}: {problem}")));
                }
                Err(error) => report.find(&name, format!("index {index}: {error:#}")),
            }
        }
    }

    /// Checks the text of one part, and that its images are there.
    fn check_part(&mut self, part: u64, shard: &PartSummary, samples: &[ExpectedSample], report: &mut AuditReport) -> PartText {
        if shard.count != samples.len() as u64 {
            report.find(
                "manifest.json",
                format!("shards: {} has {}, expected {}", shard.name, counted(shard.count, "sample"), samples.len()),
            );
        }
        let mut text = PartText::default();
        let sums_name = format!("images/{part:05}/SHA256SUMS");
        let sums = self.read_digested(&sums_name, &shard.images_sha256, report);
        text.sums = Sums::parse(&sums_name, &sums, samples, report);
        for sample in samples {
            self.listing.claim(&sample.image, report);
        }
        if self.listing.has_folder("overlays") {
            for sample in samples {
                let name = format!("overlays/{part:05}/{}.png", sample.id);
                // Nothing lists their digests: without making them again, their pixels tell whether they are whole.
                if self.listing.claim(&name, report)
                    && let Err(problem) = self.read_overlay(&name)
                {
                    report.find(name, problem);
                }
            }
        }
        let form = self.manifest.form;
        let name = form.text_file("plans", part);
        let plans = self.read_text(&name, &shard.plans_sha256, report);
        let ids: BTreeMap<(u64, &str), &str> =
            samples.iter().map(|s| ((s.index, s.condition_name.as_str()), s.id.as_str())).collect();
        let plan_id =
            |plan: &Value| ids.get(&(plan["key"]["index"].as_u64()?, plan["condition"].as_str()?)).map(|id| (*id).to_owned());
        text.plans = by_id(&name, &plans, samples, plan_id, report);
        self.images_total += samples.len() as u64;
        if form.records != Records::None {
            let name = form.text_file("scenes", part);
            let scenes = self.read_text(&name, &shard.sha256, report);
            text.scenes = by_id(&name, &scenes, samples, |scene| scene["id"].as_str().map(str::to_owned), report);
            self.check_scenes(&name, &text, samples, report);
        }
        let name = form.text_file("annotations", part);
        let annotations = self.read_text(&name, &shard.annotations_sha256, report);
        let mut by_scene = annotations_by_scene(&name, &annotations, samples, report);
        if form.records == Records::None {
            text.annotations = by_scene;
        } else {
            check_annotations(&name, &mut by_scene, &text, samples, report);
        }
        let name = format!("images/{part:05}/{METADATA}");
        let metadata = self.listing.read(&name, report).unwrap_or_default();
        check_metadata(&name, &metadata, &annotations, report);
        text
    }

    /// The text of a file of which the manifest has the digest.
    fn read_text(&mut self, name: &str, digest: &str, report: &mut AuditReport) -> Vec<u8> {
        let bytes = self.read_digested(name, digest, report);
        let compressed = self.manifest.form.compressed && !bytes.is_empty();
        decompressed(bytes, compressed, MAX_PART_BYTES).unwrap_or_else(|error| {
            report.find(name, error.to_string());
            self.sound = false;
            Vec::new()
        })
    }

    fn read_overlay(&self, name: &str) -> Result<(), String> {
        let bytes = Root::new(self.root).read(name, MAX_WHOLE_BYTES).map_err(|e| e.to_string())?;
        let picture = decode_limited(&bytes, Some(image::ImageFormat::Png)).map_err(|e| format!("{e}, expected a picture"))?;
        let size = [picture.width(), picture.height()].try_into()?;
        // A decoder stops before the end of the file; the same pixels always give the same file.
        let again = ImageFormat::Png.encode(&Frame { size, rgb: picture.into_rgb8().into_raw() });
        if again == bytes { Ok(()) } else { Err("not as this program writes it".to_owned()) }
    }

    fn read_digested(&mut self, name: &str, digest: &str, report: &mut AuditReport) -> Vec<u8> {
        let Some(bytes) = self.listing.read(name, report) else {
            self.sound = false;
            return Vec::new();
        };
        let found = hex_digest(&bytes);
        if found != digest {
            report.find(name, format!("SHA-256 is {found}, manifest.json says {digest}"));
        }
        bytes
    }

    /// The form of the scenes' records, and their place in the dataset.
    fn check_scenes(&mut self, name: &str, text: &PartText, samples: &[ExpectedSample], report: &mut AuditReport) {
        for sample in samples {
            let Some((number, line)) = text.scenes.get(&sample.id) else {
                self.sound = false;
                continue;
            };
            let place = format!("{name}:{number}");
            let parsed = serde_json::from_slice::<SceneRecord>(line).map_err(|e| e.to_string());
            let record: SceneRecord = match parsed.and_then(|record| record.check().map(|()| record)) {
                Ok(record) => record,
                Err(error) => {
                    self.sound = false;
                    report.find(place, format!("{error}, expected a scene"));
                    continue;
                }
            };
            let again = json_line(&record);
            if again[..again.len() - 1] != line[..] {
                report.find(
                    &place,
                    format!("not a record of schema_version {}: {}", record.schema_version, difference(line, &again)),
                );
            }
            if record.image != sample.image {
                report.find(place, format!("image: found {}, expected {}", record.image, sample.image));
            }
            if self.manifest.form.records == Records::Full {
                self.stats.add(&record);
                self.stats.add_draws(&record.condition, u64::from(record.key.draw) + 1);
            }
        }
    }

    /// The record of the run, and the digests in it: of the manifest, and of what follows from it and from the pack.
    fn check_run_record(&mut self, manifest_bytes: &[u8], report: &mut AuditReport) {
        let Some(bytes) = self.listing.read("run.json", report) else { return };
        if !run_record_is_whole(&bytes) {
            return report.find("run.json", "not as the run wrote it: its own digest does not agree");
        }
        let Ok(record) = serde_json::from_slice::<RunRecord>(&bytes) else {
            return report.find("run.json", "no record of a run");
        };
        for (name, listed) in &record.files {
            let found = match name.as_str() {
                "manifest.json" => Some(hex_digest(manifest_bytes)),
                "README.md" | "croissant.json" | "rejections.jsonl" | "stats.json" => {
                    // What is missing is reported once, where the file is looked at.
                    self.listing.has(name).then(|| self.listing.read(name, report)).flatten().map(|bytes| hex_digest(&bytes))
                }
                _ => {
                    report.find("run.json", format!("files: found `{name}`, expected files of a dataset"));
                    continue;
                }
            };
            if let Some(found) = found.filter(|found| found != listed) {
                report.find(name, format!("SHA-256 is {found}, run.json says {listed}"));
            }
        }
    }

    /// What is written last: statistics, card, run record, manifest.
    fn conclude<S: SampleSource>(&mut self, manifest_bytes: &[u8], source: Option<(&Pack, &S)>, report: &mut AuditReport) {
        let manifest = self.manifest;
        self.check_run_record(manifest_bytes, report);
        report.samples = self.images_total;
        if manifest.samples != self.images_total {
            report.find("manifest.json", format!("samples: found {}, expected {}", manifest.samples, self.images_total));
        }
        let Some((pack, source)) = source else {
            let stats = self.listing.read("stats.json", report);
            if let Some(found) = stats.filter(|_| self.sound) {
                check_text("stats.json", &found, &stats_file(&self.stats), report);
            }
            self.listing.claim("README.md", report);
            if let Some(found) = self.listing.read("croissant.json", report) {
                check_text("croissant.json", &found, &pretty(&croissant(manifest)), report);
            }
            return;
        };
        let settings = RunSettings {
            out: self.root.to_owned(),
            count: manifest.count,
            range: manifest.range[0]..manifest.range[1],
            format: manifest.format,
            form: manifest.form,
            threads: self.settings.threads,
            overlay: self.listing.has_folder("overlays"),
            force: false,
            durability: Durability::Scratch,
            command_line: Vec::new(),
        };
        let (shards, holes) = (manifest.shards.clone(), manifest.holes.clone());
        let mut expected = manifest_of(pack, source, &settings, shards, holes, source.assets(&self.shown));
        // Another version of the program may have made the same scenes; its identity has been checked.
        expected.tool_version.clone_from(&manifest.tool_version);
        expected.identity.clone_from(&manifest.identity);
        // What it says of a benchmark is compared with the files themselves.
        expected.benchmark.clone_from(&manifest.benchmark);
        expected.samples = manifest.samples;
        check_text("manifest.json", manifest_bytes, &pretty(&expected), report);
        for (name, bytes) in concluding_files(pack, source, &expected, &self.stats) {
            if let Some(found) = self.listing.read(name, report).filter(|_| self.sound) {
                check_text(name, &found, &bytes, report);
            }
        }
    }
}

/// Compares a whole file.
fn check_text(name: &str, found: &[u8], expected: &[u8], report: &mut AuditReport) {
    if found == expected {
        return;
    }
    if name.ends_with(".json") {
        return report.find(name, difference(found, expected));
    }
    let at = found.split(|&b| b == b'\n').zip(expected.split(|&b| b == b'\n')).position(|(a, b)| a != b);
    report.find(format!("{name}:{}", at.map_or(0, |n| n + 1)), "differs from what pack, manifest and statistics give");
}

/// Lines with their numbers from 1. A file must end in a line feed.
fn lines<'a>(name: &str, bytes: &'a [u8], report: &mut AuditReport) -> Vec<(usize, &'a [u8])> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let whole = bytes.strip_suffix(b"\n").unwrap_or_else(|| {
        report.find(name, "the last line has no line feed");
        bytes
    });
    (1..).zip(whole.split(|&b| b == b'\n')).collect()
}

/// Lines by the id of their sample. What is missing, unknown, twice there or out of order is a finding.
fn by_id(
    name: &str,
    bytes: &[u8],
    samples: &[ExpectedSample],
    id_of: impl Fn(&Value) -> Option<String>,
    report: &mut AuditReport,
) -> BTreeMap<String, (usize, Vec<u8>)> {
    let positions: BTreeMap<&str, usize> = samples.iter().enumerate().map(|(at, s)| (s.id.as_str(), at)).collect();
    let mut found: BTreeMap<String, (usize, Vec<u8>)> = BTreeMap::new();
    let mut last = None;
    for (number, line) in lines(name, bytes, report) {
        let place = format!("{name}:{number}");
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => {
                report.find(place, format!("{error}, expected a JSON object"));
                continue;
            }
        };
        let id = id_of(&value);
        let Some((id, position)) = id.as_deref().and_then(|id| positions.get_key_value(id)) else {
            report.find(place, format!("of no sample of this part: {}", id.unwrap_or_else(|| "it has no id".to_owned())));
            continue;
        };
        if found.insert((*id).to_owned(), (number, line.to_vec())).is_some() {
            report.find(place, format!("a second line of {id}"));
        } else if last.is_some_and(|last| last >= *position) {
            report.find(place, "out of order");
        }
        last = Some(*position);
    }
    for sample in samples.iter().filter(|s| !found.contains_key(&s.id)) {
        report.find(name, format!("no line of {}", sample.id));
    }
    found
}

/// Annotations by the id of their scene, with their numbers.
fn annotations_by_scene(
    name: &str,
    bytes: &[u8],
    samples: &[ExpectedSample],
    report: &mut AuditReport,
) -> BTreeMap<String, Vec<(usize, Vec<u8>)>> {
    let positions: BTreeMap<&str, usize> = samples.iter().enumerate().map(|(at, s)| (s.id.as_str(), at)).collect();
    let mut found: BTreeMap<String, Vec<(usize, Vec<u8>)>> = BTreeMap::new();
    let mut last = 0;
    for (number, line) in lines(name, bytes, report) {
        let value: Value = serde_json::from_slice(line).unwrap_or_default();
        match value["scene"].as_str().and_then(|id| positions.get_key_value(id)) {
            Some((scene, &position)) => {
                // The lines of a scene are compared with it, in their order.
                if position < last {
                    report.find(format!("{name}:{number}"), "out of order");
                }
                last = last.max(position);
                found.entry((*scene).to_owned()).or_default().push((number, line.to_vec()));
            }
            None => report.find(format!("{name}:{number}"), "not an annotation of a sample of this part"),
        }
    }
    found
}

/// Annotations follow from scenes.
fn check_annotations(
    name: &str,
    by_scene: &mut BTreeMap<String, Vec<(usize, Vec<u8>)>>,
    text: &PartText,
    samples: &[ExpectedSample],
    report: &mut AuditReport,
) {
    for sample in samples {
        let record = text
            .scenes
            .get(&sample.id)
            .and_then(|(_, line)| serde_json::from_slice::<SceneRecord>(line).ok())
            .filter(|record| record.check().is_ok());
        let Some(record) = record else { continue };
        let found = by_scene.remove(&sample.id).unwrap_or_default();
        for (place, problem) in differing_annotations(name, &sample.id, &found, &annotation_lines(&record)) {
            report.find(place, problem);
        }
    }
}

/// What loaders of image folders read follows from the annotations.
fn check_metadata(name: &str, found: &[u8], annotations: &[u8], report: &mut AuditReport) {
    let records = annotations.split(|&b| b == b'\n').filter_map(|line| serde_json::from_slice::<AnnotationRecord>(line).ok());
    let expected: Vec<u8> = records.flat_map(metadata_line).collect();
    if found == expected {
        return;
    }
    let lines = |bytes: &[u8]| bytes.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let at = lines(found).iter().zip(&lines(&expected)).position(|(a, b)| a != b);
    report.find(format!("{name}:{}", at.map_or(0, |n| n + 1)), "not what the annotations give");
}
