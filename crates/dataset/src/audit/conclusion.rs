//! What a run writes last: statistics, card, record of the run, manifest.

use std::collections::BTreeSet;
use std::path::Path;

use windesk_engine::pack::Pack;
use windesk_files::Durability;
use windesk_model::digest::hex_digest;

use super::compare::difference;
use super::listing::Listing;
use super::{AnyManifest, AuditReport};
use crate::RunSettings;
use crate::assets::AssetKey;
use crate::conclude::{RunRecord, concluding_files, manifest_of, pretty, run_record_is_whole, stats_file};
use crate::croissant::croissant;
use crate::source::SampleSource;
use crate::stats::Stats;

/// What the parts of a dataset say, from which its last files follow.
pub(super) struct Conclusion<'a> {
    pub(super) root: &'a Path,
    pub(super) manifest: &'a AnyManifest,
    pub(super) threads: usize,
    pub(super) listing: &'a mut Listing,
    pub(super) stats: &'a Stats,
    /// Whether all records could be read, so that statistics follow from them.
    pub(super) sound: bool,
    pub(super) samples: u64,
    /// What the plans show.
    pub(super) shown: &'a BTreeSet<AssetKey>,
}

impl Conclusion<'_> {
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

    /// With a source also that manifest and card are what pack and source give.
    pub(super) fn check<S: SampleSource>(mut self, manifest_bytes: &[u8], source: Option<(&Pack, &S)>, report: &mut AuditReport) {
        let manifest = self.manifest;
        self.check_run_record(manifest_bytes, report);
        report.samples = self.samples;
        if manifest.samples != self.samples {
            report.find("manifest.json", format!("samples: found {}, expected {}", manifest.samples, self.samples));
        }
        let Some((pack, source)) = source else {
            let stats = self.listing.read("stats.json", report);
            if let Some(found) = stats.filter(|_| self.sound) {
                check_text("stats.json", &found, &stats_file(self.stats), report);
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
            threads: self.threads,
            overlay: self.listing.has_folder("overlays"),
            force: false,
            durability: Durability::Scratch,
            command_line: Vec::new(),
        };
        let (shards, holes) = (manifest.shards.clone(), manifest.holes.clone());
        let mut expected = manifest_of(pack, source, &settings, shards, holes, source.assets(self.shown));
        // Another version of the program may have made the same scenes; its identity has been checked.
        expected.tool_version.clone_from(&manifest.tool_version);
        expected.identity.clone_from(&manifest.identity);
        // What it says of a benchmark is compared with the files themselves.
        expected.benchmark.clone_from(&manifest.benchmark);
        expected.samples = manifest.samples;
        check_text("manifest.json", manifest_bytes, &pretty(&expected), report);
        for (name, bytes) in concluding_files(pack, source, &expected, self.stats) {
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
