//! The benchmark that a dataset is of: its manifest says so, and the scenes that were read are those of the benchmark.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use windesk_files::Root;
use windesk_model::Error;
use windesk_model::benchmark::BenchmarkClaim;

use super::manifest::About;

/// Whether the program has a benchmark's file; an error if that file says something else than the manifest.
pub type Ships = fn(&BenchmarkClaim) -> Result<bool, Error>;

/// Which benchmark a dataset is of: its records were compared with what the manifest says of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct BenchmarkFacts {
    /// Its name.
    pub name: String,
    /// Name of the part that was scored.
    pub part: String,
    /// SHA-256 of its file.
    pub digest: String,
    /// Whether this program comes with that file; else the manifest alone says what the benchmark is.
    pub shipped: bool,
}

impl BenchmarkFacts {
    /// `<name>/<part>`.
    pub fn path(&self) -> String {
        format!("{}/{}", self.name, self.part)
    }
}

impl About {
    /// The benchmark that the manifest names, if the scenes are those of the benchmark.
    pub(super) fn benchmark(&self, root: &Root, scenes: &str, ships: Option<Ships>) -> Result<Option<BenchmarkFacts>, Error> {
        let Some(value) = self.benchmark.clone() else { return Ok(None) };
        let wrong = |problem: String| Error::path(root.place("manifest.json"), format!("benchmark: {problem}"));
        let claim: BenchmarkClaim =
            serde_json::from_value(value).map_err(|e| wrong(format!("{e}, expected the name of one with its digests")))?;
        let shipped = ships.map_or(Ok(false), |ships| ships(&claim)).map_err(|mut error| {
            error.place = wrong(String::new()).place;
            error
        })?;
        if claim.frozen.scenes_sha256 != scenes {
            let problem = format!(
                "scenes/*.jsonl: SHA-256 is {scenes}, expected {}, as in {}, part {}",
                claim.frozen.scenes_sha256, claim.name, claim.part
            );
            return Err(wrong(problem).with_hint("a dataset that was changed is no longer that benchmark: make it again"));
        }
        Ok(Some(BenchmarkFacts { name: claim.name, part: claim.part, digest: claim.digest, shipped }))
    }
}
