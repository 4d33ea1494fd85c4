//! `windesk verify`: proves a finished dataset sound, for people who did not make it.
//!
//! Three layers, each on its own:
//! - [`files`]: every file is there and no other, digests agree, records are well-formed, and what is derived from
//!   records (annotations, statistics, card, manifest) follows from them.
//! - [`remake`]: every sample is made again from its key and compared: plan, record, rejected draws, pixels.
//! - [`recount`](windesk_engine::referee::recount): every box, count and mask in the record is counted pixel by pixel,
//!   without the code that made it.
//!
//! Nothing here writes to the dataset, and no path is taken from a record: names are worked out and compared.

mod compare;
mod conclusion;
mod files;
mod lines;
mod listing;
mod part;
mod remake;

pub use compare::difference;

use std::path::Path;

use serde::Serialize;

use windesk_engine::icon_probe::OWN_LIBRARY;
use windesk_engine::pack::Pack;
use windesk_files::{MAX_WHOLE_BYTES, Root};
use windesk_model::Error;
use windesk_model::finding::Finding;
use windesk_model::plan::ENGINE_VERSION;
use windesk_model::progress::Progress;

use super::benchmark::differences;
use super::conclude::Identity;
use super::manifest::{Manifest, PackSummary};
use super::origin::{SourceTask, with_origin};
use super::scenes::Scenes;
use super::source::{DatasetKind, SampleSource};

/// How thorough an audit is.
#[derive(Clone, Copy, Debug)]
pub struct AuditSettings {
    /// Make only so many indices again, evenly spread, and read only their images; null for all.
    pub sample: Option<u64>,
    /// Worker threads.
    pub threads: usize,
}

/// What an audit looked at and found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AuditReport {
    /// Name of the dataset.
    pub dataset: String,
    /// Files in the folder.
    pub files: u64,
    /// Samples in the folder.
    pub samples: u64,
    /// Samples made again and compared.
    pub remade: u64,
    /// Elements recounted pixel by pixel.
    pub recounted: u64,
    /// Why nothing could be made again, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_remade: Option<String>,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

impl AuditReport {
    fn find(&mut self, place: impl Into<String>, problem: impl Into<String>) {
        self.findings.push(Finding { place: place.into(), problem: problem.into() });
    }
}

/// Name of the manifest.
const MANIFEST: &str = "manifest.json";
/// Longest name of a dataset, bytes.
const MAX_NAME_BYTES: usize = 200;

/// A manifest whose study is not looked into.
type AnyManifest = Manifest<serde_json::Value>;

impl AnyManifest {
    /// The identity that a run with these facts has. Icons depend on a library too, which `assets_digest` tells of.
    fn expected_identity(&self, assets_digest: &str, overlay: bool) -> String {
        let identity = Identity {
            engine_version: self.engine_version,
            tool_version: &self.tool_version,
            assets_digest,
            study: &self.study,
            count: self.count,
            range: self.range,
            format: self.format,
            form: self.form,
            overlay,
        };
        identity.digest()
    }

    /// Names of dataset and parts become names of files.
    fn check_names(&self) -> Result<(), String> {
        let name = &self.dataset;
        let plain = !name.contains(|c: char| c.is_control() || "/\\:".contains(c)) && !name.starts_with('.');
        if !plain || name.is_empty() || name.len() > MAX_NAME_BYTES {
            return Err(format!("dataset: found `{name}`, expected a name that can be part of a file's name"));
        }
        for shard in &self.shards {
            let number = shard.name.strip_prefix("part-").unwrap_or_default();
            if number.is_empty() || number.len() > 20 || !number.bytes().all(|b| b.is_ascii_digit()) {
                return Err(format!("shards: found `{}`, expected part-00000", shard.name));
            }
        }
        Ok(())
    }

    /// Names of the conditions, in order.
    fn condition_names(&self) -> Vec<String> {
        let list = |value: &'_ serde_json::Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
        let of_studies = list(&self.study, "studies").into_iter().flat_map(|study| list(&study, "conditions"));
        let conditions = list(&self.study, "conditions").into_iter().chain(of_studies);
        conditions.filter_map(|c| Some(c["name"].as_str()?.to_owned())).collect()
    }
}

/// Reads the manifest of a finished dataset.
///
/// # Errors
/// If the folder holds none, it can't be read, or a name in it could lead out of a folder.
pub fn open_manifest(root: &Path) -> Result<Manifest<serde_json::Value>, Error> {
    let path = root.join(MANIFEST);
    let Some(bytes) = Root::new(root).read_if_any(MANIFEST, MAX_WHOLE_BYTES)? else {
        let error = Error::path(&path, "not found, expected the manifest of a finished dataset");
        return Err(if root.join(".windesk").is_dir() {
            error.with_hint("the run was interrupted or is still in progress; the command that started it resumes it")
        } else {
            error.with_hint("give the folder that `windesk synth` wrote")
        });
    };
    let manifest: AnyManifest =
        serde_json::from_slice(&bytes).map_err(|e| Error::path(&path, format!("{e}, expected the manifest of a dataset")))?;
    manifest.check_names().map_err(|problem| Error::path(&path, problem))?;
    Ok(manifest)
}

/// Audits a dataset. Without a pack only its files are looked at: nothing is made again. Nor can anything be from
/// another pack or by another engine than the dataset's; the report says so.
///
/// # Errors
/// If the folder holds no finished dataset.
pub fn audit(root: &Path, pack: Option<Pack>, settings: &AuditSettings, progress: &dyn Progress) -> Result<AuditReport, Error> {
    let manifest = open_manifest(root)?;
    let mut report = AuditReport { dataset: manifest.dataset.clone(), ..AuditReport::default() };
    // Icons depend on a library too: whether they are the ones is only known with the pack.
    let of_windows = manifest.kind != DatasetKind::Icons;
    let genuine = !of_windows || has_identity(root, &manifest, &manifest.pack.digest, &mut report);
    report.not_remade = pack.as_ref().and_then(|pack| why_not_remade(&manifest, pack));
    match pack.filter(|_| genuine && report.not_remade.is_none()) {
        Some(pack) => {
            with_origin(pack, &manifest, Remaking { root, manifest: &manifest, settings, progress, report: &mut report })?;
        }
        None => files::check::<Scenes>(root, &manifest, None, settings, progress, &mut report),
    }
    check_claim(root, &manifest, settings, &mut report);
    Ok(report)
}

/// Why samples of a dataset can't be made again by this program from this pack; none if they can.
fn why_not_remade(manifest: &AnyManifest, pack: &Pack) -> Option<String> {
    if manifest.engine_version != ENGINE_VERSION {
        return Some(format!("made by engine_version {}, and this program has {ENGINE_VERSION}", manifest.engine_version));
    }
    if manifest.pack.digest != pack.digest {
        let PackSummary { name, version, digest, .. } = &manifest.pack;
        let (given, given_version) = (&pack.header.name, &pack.header.version);
        return Some(format!(
            "made from pack `{name}` {version} ({digest}), and this is pack `{given}` {given_version} ({}); option `pack` names another",
            pack.digest
        ));
    }
    let own = manifest.kind == DatasetKind::Icons && manifest.study["conditions"][0]["library"] == OWN_LIBRARY;
    // Nobody else has that folder.
    own.then(|| "made of icons from a folder of its author".to_owned())
}

/// A dataset that says it is of a benchmark is known by the digests that it names.
fn check_claim(root: &Path, manifest: &AnyManifest, settings: &AuditSettings, report: &mut AuditReport) {
    let Some(claim) = &manifest.benchmark else { return };
    match differences(root, manifest, &claim.frozen, settings.threads) {
        Ok(differing) => {
            for problem in differing {
                report.find("manifest.json", format!("benchmark: not {}, part {}: {problem}", claim.name, claim.part));
            }
        }
        // What can't be read has been reported where it lies; not so what is no picture.
        Err(error) if report.findings.is_empty() => report.find("manifest.json", format!("benchmark: {error}")),
        Err(_) => {}
    }
}

/// Whether the manifest is of the run that it tells of; reported if not.
fn has_identity(root: &Path, manifest: &AnyManifest, assets_digest: &str, report: &mut AuditReport) -> bool {
    let identity = manifest.expected_identity(assets_digest, root.join("overlays").is_dir());
    if identity != manifest.identity {
        let problem = format!(
            "identity: found {}, but tool, engine, pack, study, count, range and format give {identity}: one of them was changed",
            manifest.identity
        );
        report.find("manifest.json", problem);
    }
    identity == manifest.identity
}

/// Everything that making samples again needs besides the source.
struct Remaking<'a> {
    root: &'a Path,
    manifest: &'a AnyManifest,
    settings: &'a AuditSettings,
    progress: &'a dyn Progress,
    report: &'a mut AuditReport,
}

impl SourceTask for Remaking<'_> {
    type Output = ();

    fn with<S: SampleSource>(self, pack: &Pack, source: &S) -> Result<(), Error> {
        let Self { root, manifest, settings, progress, report } = self;
        let known = manifest.kind != DatasetKind::Icons || has_identity(root, manifest, &source.facts().assets_digest, report);
        files::check(root, manifest, known.then_some((pack, source)), settings, progress, report);
        Ok(())
    }
}
