//! What every report says about itself.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use super::stats::Bootstrap;
use super::truth::{BenchmarkFacts, Dataset, Target};

/// Version of the reports' keys.
pub const REPORT_VERSION: u32 = 1;

pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// What was done, and by what.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ReportFacts {
    /// [`REPORT_VERSION`].
    pub report_version: u32,
    /// Version of the program.
    pub tool_version: String,
    /// The scoring protocol.
    pub protocol: String,
    /// Its options, as `key=value`.
    pub options: Vec<String>,
    /// Resamples of every bootstrap interval.
    pub resamples: u32,
    /// Seed of the bootstrap.
    pub seed: u64,
}

impl ReportFacts {
    /// Of a run of this program.
    pub fn new(protocol: &str, options: Vec<String>, bootstrap: Bootstrap) -> Self {
        Self {
            report_version: REPORT_VERSION,
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: protocol.to_owned(),
            options,
            resamples: bootstrap.resamples,
            seed: bootstrap.seed,
        }
    }
}

/// Which dataset was scored.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct DatasetFacts {
    /// Its name.
    pub name: String,
    /// What it was read as.
    pub layout: String,
    /// SHA-256 over the files that hold the truth.
    pub digest: String,
    /// How it was generated; null for sets that do not say.
    pub generation_protocol: Option<String>,
    /// The benchmark that it is of; only for datasets of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub benchmark: Option<BenchmarkFacts>,
    /// Images.
    pub images: u64,
    /// Samples that are there: the denominator of every share, unless a table says otherwise. Further targets are not
    /// among them.
    pub present_targets: u64,
    /// Extra targets of scenes, which their conditions do not promise: scored apart.
    pub further_targets: u64,
    /// Samples whose target is absent.
    pub absent_targets: u64,
    /// Targets that only a drag sets: no click is right there, and none is counted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub only_by_drag: u64,
    /// Different targets behind the samples: the clusters of bootstrap intervals.
    pub clusters: u64,
}

impl DatasetFacts {
    /// Of an index.
    pub fn of(dataset: &Dataset) -> Self {
        let count = |wanted: fn(&Target) -> bool| dataset.targets.iter().filter(|t| wanted(t)).count() as u64;
        Self {
            name: dataset.name.clone(),
            layout: dataset.layout.clone(),
            digest: dataset.digest.clone(),
            generation_protocol: dataset.generation_protocol.clone(),
            benchmark: dataset.benchmark.clone(),
            images: dataset.scenes.len() as u64,
            present_targets: count(Target::counts),
            further_targets: count(|t| t.takes_clicks() && t.further),
            absent_targets: count(|t| !t.is_there()),
            only_by_drag: count(|t| t.only_dragged),
            clusters: u64::from(dataset.clusters),
        }
    }
}
