//! The source that a finished dataset was made from, found again by its manifest.

use serde::de::DeserializeOwned;
use serde_json::Value;

use windesk_engine::icon_probe::{ProbeAssets, ProbeStudy};
use windesk_engine::pack::Pack;
use windesk_model::Error;

use super::bench::BenchScenes;
use super::manifest::Manifest;
use super::scenes::Scenes;
use super::source::{DatasetKind, SampleSource};
use super::states::StateScenes;
use super::tasks::TaskScenes;
use crate::icon_probes::Probes;

/// What is done with a source whose type only the manifest tells.
pub(super) trait SourceTask {
    /// What comes out.
    type Output;

    /// Does it. `pack` is the one that the source was made over.
    fn with<S: SampleSource>(self, pack: &Pack, source: &S) -> Result<Self::Output, Error>;
}

/// Makes the manifest's source over `pack` and does `task` with it.
///
/// # Errors
/// If the study is not one, `pack` does not bear it (scenes of windows need its index), or it needs assets that no pack
/// holds (a folder of somebody's icons).
pub(super) fn with_origin<T: SourceTask>(pack: Pack, manifest: &Manifest<Value>, task: T) -> Result<T::Output, Error> {
    match manifest.kind {
        DatasetKind::Windows => {
            let pack = pack.indexed()?;
            task.with(&pack, &Scenes::new(&pack, study(manifest)?)?)
        }
        DatasetKind::Bench => {
            let pack = pack.indexed()?;
            task.with(&pack, &BenchScenes::new(&pack, study(manifest)?)?)
        }
        DatasetKind::Tasks => {
            let pack = pack.indexed()?;
            task.with(&pack, &TaskScenes::new(&pack, study(manifest)?)?)
        }
        DatasetKind::States => {
            let pack = pack.indexed()?;
            task.with(&pack, &StateScenes::new(&pack, study(manifest)?)?)
        }
        DatasetKind::Icons => {
            let study: ProbeStudy = study(manifest)?;
            task.with(&pack, &Probes::new(ProbeAssets::new(&pack, &study, None)?, study))
        }
    }
}

fn study<T: DeserializeOwned>(manifest: &Manifest<Value>) -> Result<T, Error> {
    serde_json::from_value(manifest.study.clone()).map_err(|e| Error::path("manifest.json", format!("study: {e}")))
}
