//! A part of a dataset: the samples that must be in it, and its text as it was found.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use windesk_desktop::task::MAX_STEPS;
use windesk_model::key::scene_name;

use super::{AnyManifest, AuditReport};
use crate::conclude::{indices_per_part, parts_of};
use crate::source::DatasetKind;

/// A sample that must be in a part.
#[derive(Clone, Debug)]
pub(super) struct ExpectedSample {
    pub(super) id: String,
    pub(super) index: u64,
    /// Its place among those of its index.
    pub(super) at: usize,
    /// The step, of a task.
    pub(super) step: Option<u64>,
    pub(super) condition_name: String,
    pub(super) image: String,
}

/// What a manifest promises.
pub(super) struct ExpectedSamples {
    name: String,
    extension: &'static str,
    conditions: Vec<String>,
    is_of_tasks: bool,
    holes: BTreeSet<u64>,
    /// Numbers of parts and the indices that each must hold.
    pub(super) parts: Vec<(u64, Range<u64>)>,
}

impl ExpectedSamples {
    pub(super) fn of(manifest: &AnyManifest, report: &mut AuditReport) -> Self {
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
        let is_of_tasks = manifest.kind == DatasetKind::Tasks;
        let per_index = if is_of_tasks { MAX_STEPS as usize } else { conditions.len() };
        // No more parts than the manifest lists: a range may be anything.
        let per_part = indices_per_part(per_index);
        let listed = (first / per_part).saturating_add(manifest.shards.len() as u64 + 1).saturating_mul(per_part);
        let parts = if sound { parts_of(&(first..end.min(listed)), per_index) } else { Vec::new() };
        Self { name: manifest.dataset.clone(), extension: manifest.format.extension(), conditions, is_of_tasks, holes, parts }
    }

    /// The samples of a part. How many steps the task of an index has is what `tasks` says.
    pub(super) fn samples(&self, part: u64, indices: Range<u64>, tasks: &BTreeMap<u64, FoundTask>) -> Vec<ExpectedSample> {
        let indices = indices.filter(|i| !self.holes.contains(i));
        let of_index = |index: u64| -> Vec<(usize, Option<u64>, &String)> {
            if self.is_of_tasks {
                let steps = tasks.get(&index).map_or(0, |task| task.steps);
                (0..steps).map(|step| (step, Some(step as u64), &self.conditions[0])).collect()
            } else {
                self.conditions.iter().enumerate().map(|(at, name)| (at, None, name)).collect()
            }
        };
        indices
            .flat_map(|index| of_index(index).into_iter().map(move |(at, step, name)| (index, at, step, name)))
            .map(|(index, at, step, name)| {
                let id = format!("{}.{}", self.name, scene_name(name, index, step));
                ExpectedSample {
                    image: format!("images/{part:05}/{id}.{}", self.extension),
                    id,
                    index,
                    at,
                    step,
                    condition_name: name.clone(),
                }
            })
            .collect()
    }
}

/// A line of `tasks/` as it was found.
#[derive(Clone, Debug)]
pub(super) struct FoundTask {
    /// From 1.
    pub(super) number: usize,
    pub(super) line: Vec<u8>,
    pub(super) steps: usize,
}

/// Lines of a part's text by sample id, as they were found.
#[derive(Default)]
pub(super) struct PartText {
    pub(super) scenes: BTreeMap<String, (usize, Vec<u8>)>,
    pub(super) plans: BTreeMap<String, (usize, Vec<u8>)>,
    /// Only where they do not follow from scenes: there are none.
    pub(super) annotations: BTreeMap<String, Vec<(usize, Vec<u8>)>>,
    /// By index.
    pub(super) tasks: BTreeMap<u64, FoundTask>,
    pub(super) states: BTreeMap<String, (usize, Vec<u8>)>,
    pub(super) sums: Sums,
}

/// Digests of images by file name, from `SHA256SUMS`.
#[derive(Default)]
pub(super) struct Sums(pub(super) BTreeMap<String, String>);

impl Sums {
    pub(super) fn parse(name: &str, bytes: &[u8], samples: &[ExpectedSample], report: &mut AuditReport) -> Self {
        let mut sums = BTreeMap::new();
        let text = String::from_utf8_lossy(bytes);
        let mut expected = samples.iter().filter_map(|s| s.image.rsplit('/').next());
        for (number, line) in (1..).zip(text.lines()) {
            let (digest, file) = line.split_once("  ").unwrap_or((line, ""));
            match expected.next() {
                Some(known) if known == file => drop(sums.insert(file.to_owned(), digest.to_owned())),
                known => report.find(
                    format!("{name}:{number}"),
                    format!("found `{file}`, expected `{}`", known.unwrap_or("the end of the list")),
                ),
            }
        }
        for file in expected {
            report.find(name, format!("no digest of {file}"));
        }
        Self(sums)
    }
}
