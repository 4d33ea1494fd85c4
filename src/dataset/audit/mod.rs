//! `windesk verify`: proves a finished dataset sound, for people who did not make it.
//!
//! Three layers, each on its own:
//! - [`files`]: every file is there and no other, digests agree, records are well-formed, and what is derived from records
//!   (annotations, statistics, card, manifest) follows from them.
//! - [`remake`]: every sample is made again from its key and compared: plan, record, rejected draws, pixels.
//! - [`recount`](crate::verify::recount): every box, count and mask in the record is counted pixel by pixel, without the code that made it.
//!
//! Nothing here writes to the dataset, and no path is taken from a record: names are worked out and compared.

mod compare;
mod files;
mod listing;
mod remake;

pub use compare::difference;

use std::path::Path;

use serde::Serialize;

use super::DatasetError;
use super::conclude::Identity;
use super::manifest::Manifest;
use super::scenes::Scenes;
use super::source::DatasetKind;
use crate::pack::{Finding, Pack};
use crate::plan::ENGINE_VERSION;

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
    /// What is wrong.
    pub findings: Vec<Finding>,
}

impl AuditReport {
    fn find(&mut self, place: impl Into<String>, problem: impl Into<String>) {
        self.findings.push(Finding { place: place.into(), problem: problem.into() });
    }
}

/// A manifest whose study is not looked into.
type AnyManifest = Manifest<serde_json::Value>;

impl AnyManifest {
    /// The identity that a run with these facts has; only scenes of windows depend on nothing but the pack.
    fn expected_identity(&self, overlay: bool) -> String {
        let identity = Identity {
            engine_version: self.engine_version,
            tool_version: &self.tool_version,
            assets_digest: &self.pack.digest,
            study: &self.study,
            count: self.count,
            range: self.range,
            format: self.format,
            overlay,
        };
        identity.digest()
    }

    /// Names of the conditions, in order.
    fn condition_names(&self) -> Vec<String> {
        let conditions = self.study["conditions"].as_array().into_iter().flatten();
        conditions.filter_map(|c| Some(c["name"].as_str()?.to_owned())).collect()
    }
}

/// Reads the manifest of a finished dataset.
///
/// # Errors
/// If the folder holds none, or it can't be read.
pub fn open_manifest(root: &Path) -> Result<Manifest<serde_json::Value>, DatasetError> {
    let path = root.join("manifest.json");
    if !path.is_file() {
        let error = DatasetError::new(&path, "not found, expected the manifest of a finished dataset");
        return Err(if root.join(".windesk").is_dir() {
            error.with_hint("the run was interrupted or is under way; the command that began it resumes it")
        } else {
            error.with_hint("give the folder that `windesk synth` wrote")
        });
    }
    let bytes = std::fs::read(&path).map_err(|e| DatasetError::new(&path, e))?;
    serde_json::from_slice(&bytes).map_err(|e| DatasetError::new(&path, format!("{e}, expected the manifest of a dataset")))
}

/// Audits a dataset. Without a pack only its files are looked at: nothing is made again.
///
/// # Errors
/// If the folder holds no finished dataset, or it was made from another pack.
pub fn audit(root: &Path, pack: Option<&Pack>, settings: &AuditSettings) -> anyhow::Result<AuditReport> {
    let manifest = open_manifest(root)?;
    let mut report = AuditReport { dataset: manifest.dataset.clone(), ..AuditReport::default() };
    let identity = manifest.expected_identity(root.join("overlays").is_dir());
    // Icons depend on a library too, which the identity holds and the manifest does not name by its digest.
    let genuine = identity == manifest.identity || manifest.kind == DatasetKind::Icons;
    if !genuine {
        let problem = format!(
            "identity: found {}, but tool, engine, pack, study, count, range and format give {identity}: one of them was changed",
            manifest.identity
        );
        report.find("manifest.json", problem);
    }
    let Some(pack) = pack.filter(|_| genuine) else {
        files::check::<Scenes>(root, &manifest, None, settings, &mut report);
        return Ok(report);
    };
    if manifest.pack.digest != pack.digest {
        let found = format!(
            "made from pack `{}` {} ({}), found {}",
            manifest.pack.name, manifest.pack.version, manifest.pack.digest, pack.digest
        );
        let hint = "name the right one with --pack, or check the files alone with --files-only";
        return Err(DatasetError::new(root, found).with_hint(hint).into());
    }
    if manifest.engine_version != ENGINE_VERSION {
        let problem =
            format!("engine_version {}, this program has {ENGINE_VERSION}: samples can't be made again", manifest.engine_version);
        report.find("manifest.json", problem);
        files::check::<Scenes>(root, &manifest, None, settings, &mut report);
        return Ok(report);
    }
    match manifest.kind {
        DatasetKind::Windows => {
            let study = serde_json::from_value(manifest.study.clone())
                .map_err(|e| DatasetError::new(root.join("manifest.json"), format!("study: {e}")))?;
            let scenes = Scenes::new(pack, study)?;
            files::check(root, &manifest, Some((pack, &scenes)), settings, &mut report);
        }
        DatasetKind::Icons => files::check::<Scenes>(root, &manifest, None, settings, &mut report),
    }
    Ok(report)
}
