//! The source that a finished dataset was made from, found again by its manifest.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::DatasetError;
use super::bench::BenchScenes;
use super::manifest::Manifest;
use super::scenes::Scenes;
use super::source::{DatasetKind, Source};
use crate::pack::Pack;
use crate::probe::{ProbeAssets, ProbeStudy, Probes};

/// What is done with a source whose type only the manifest tells.
pub(super) trait SourceTask {
    /// What comes out.
    type Output;

    /// Does it.
    fn with<S: Source>(self, source: &S) -> anyhow::Result<Self::Output>;
}

/// Makes the manifest's source over `pack` and does `task` with it.
///
/// # Errors
/// If the study is not one, `pack` does not bear it, or it needs assets that no pack holds (a folder of somebody's icons).
pub(super) fn with_origin<T: SourceTask>(pack: &Pack, manifest: &Manifest<Value>, task: T) -> anyhow::Result<T::Output> {
    match manifest.kind {
        DatasetKind::Windows => task.with(&Scenes::new(pack, study(manifest)?)?),
        DatasetKind::Bench => task.with(&BenchScenes::new(pack, study(manifest)?)?),
        DatasetKind::Icons => {
            let study: ProbeStudy = study(manifest)?;
            task.with(&Probes::new(ProbeAssets::new(pack, &study, None)?, study))
        }
    }
}

fn study<T: DeserializeOwned>(manifest: &Manifest<Value>) -> Result<T, DatasetError> {
    serde_json::from_value(manifest.study.clone()).map_err(|e| DatasetError::new("manifest.json", format!("study: {e}")))
}
