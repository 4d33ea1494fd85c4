//! Files, digests, and the form of records, part by part.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use serde_json::Value;

use windesk_desktop::task::MAX_STEPS;
use windesk_engine::pack::Pack;
use windesk_engine::render::{Encoder, Frame, ImageFormat, decode_limited};
use windesk_engine::study::Rejection;
use windesk_files::compressed::decompressed;
use windesk_files::{MAX_PART_BYTES, MAX_WHOLE_BYTES, Root};
use windesk_model::digest::hex_digest;
use windesk_model::plural::counted;
use windesk_model::progress::Progress;
use windesk_model::record::SceneRecord;
use windesk_model::setting::StateInstance;
use windesk_model::task::TaskLine;

use super::compare::difference;
use super::conclusion::Conclusion;
use super::lines::{annotations_by_scene, by_id, check_annotations, check_metadata, lines};
use super::listing::Listing;
use super::part::{ExpectedSample, ExpectedSamples, FoundTask, PartText, Sums};
use super::remake::Remake;
use super::{AnyManifest, AuditReport, AuditSettings};
use crate::PartSummary;
use crate::assets::AssetKey;
use crate::conclude::{METADATA, line as json_line};
use crate::form::Records;
use crate::source::{DatasetKind, SampleSource};
use crate::stats::Stats;

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
    let mut folder =
        Folder { root, manifest, listing, stats: Stats::default(), sound: true, images_total: 0, shown: BTreeSet::new() };
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
        let tasks = folder.tasks(*part, shard, indices.clone(), report);
        let samples = expected.samples(*part, indices.clone(), &tasks);
        let states = folder.states(*part, shard, &samples, report);
        let text = PartText { tasks, states, ..folder.check_part(*part, shard, &samples, report) };
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
    let conclusion = Conclusion {
        root,
        manifest,
        threads: settings.threads,
        listing: &mut folder.listing,
        stats: &folder.stats,
        sound: folder.sound,
        samples: folder.images_total,
        shown: &folder.shown,
    };
    conclusion.check(&manifest_bytes, source, report);
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

struct Folder<'a> {
    root: &'a Path,
    manifest: &'a AnyManifest,
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

    /// The tasks of a part, each of an index that is none's yet.
    fn tasks(
        &mut self,
        part: u64,
        shard: &PartSummary,
        indices: Range<u64>,
        report: &mut AuditReport,
    ) -> BTreeMap<u64, FoundTask> {
        let mut found = BTreeMap::new();
        if self.manifest.kind != DatasetKind::Tasks {
            return found;
        }
        let name = self.manifest.form.text_file("tasks", part);
        let text = self.read_text(&name, &shard.tasks_sha256, report);
        let mut last = None;
        for (number, line) in lines(&name, &text, report) {
            let place = format!("{name}:{number}");
            let task: TaskLine = match serde_json::from_slice(line) {
                Ok(task) => task,
                Err(error) => {
                    report.find(place, format!("{error}, expected a task"));
                    continue;
                }
            };
            let steps = task.steps.len();
            match task.key.map(|key| key.index).filter(|index| indices.contains(index) && last < Some(*index)) {
                Some(index) if (1..=MAX_STEPS as usize).contains(&steps) => {
                    last = Some(index);
                    found.insert(index, FoundTask { number, line: line.to_vec(), steps });
                }
                Some(_) => report.find(place, format!("{steps} steps, expected 1 to {MAX_STEPS}")),
                None => report.find(place, "of no index of this part, a second one, or out of order"),
            }
        }
        for index in indices.filter(|index| !found.contains_key(index) && !self.manifest.holes.contains(index)) {
            report.find(&name, format!("no task of index {index}"));
        }
        found
    }

    /// The state instances of a part by the ids of their scenes: one of each sample, in their order.
    fn states(
        &mut self,
        part: u64,
        shard: &PartSummary,
        samples: &[ExpectedSample],
        report: &mut AuditReport,
    ) -> BTreeMap<String, (usize, Vec<u8>)> {
        let mut found = BTreeMap::new();
        if self.manifest.kind != DatasetKind::States {
            return found;
        }
        let name = self.manifest.form.text_file("states", part);
        let text = self.read_text(&name, &shard.states_sha256, report);
        let positions: BTreeMap<&str, usize> = samples.iter().enumerate().map(|(at, s)| (s.id.as_str(), at)).collect();
        let mut last = None;
        for (number, line) in lines(&name, &text, report) {
            let place = format!("{name}:{number}");
            let instance: StateInstance = match serde_json::from_slice(line) {
                Ok(instance) => instance,
                Err(error) => {
                    report.find(place, format!("{error}, expected a state instance"));
                    continue;
                }
            };
            let known = instance.scene.as_deref().and_then(|scene| positions.get_key_value(scene));
            match known.filter(|(_, position)| last < Some(**position)) {
                Some((scene, position)) => {
                    last = Some(*position);
                    found.insert((*scene).to_owned(), (number, line.to_vec()));
                }
                None => report.find(place, "of no sample of this part, a second one, or out of order"),
            }
        }
        for sample in samples.iter().filter(|sample| !found.contains_key(&sample.id)) {
            report.find(&name, format!("no state instance of {}", sample.id));
        }
        found
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
        let ids: BTreeMap<(u64, &str, Option<u64>), &str> =
            samples.iter().map(|s| ((s.index, s.condition_name.as_str(), s.step), s.id.as_str())).collect();
        let plan_id = |plan: &Value| {
            let step = plan["step"]["step"].as_u64();
            ids.get(&(plan["key"]["index"].as_u64()?, plan["condition"].as_str()?, step)).map(|id| (*id).to_owned())
        };
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
                self.stats.add_sample(&record);
            }
        }
    }
}
