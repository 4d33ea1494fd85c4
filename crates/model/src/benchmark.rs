//! Benchmarks: datasets with a name that stays theirs. A file says what each is made of, and by which digests it is
//! known once it was made.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::split::Split;

/// A benchmark as its file says it. One without what comes from making it (engine, pack, `frozen`) is a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Benchmark {
    /// Its name, which also begins the names of its datasets.
    pub name: String,
    /// What it is for, in a sentence or two.
    pub description: String,
    /// The engine that makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_version: Option<u32>,
    /// The part of the pack that its scenes of windows are made of; all of it if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
    /// The pack that it is made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pack: Option<BenchmarkPack>,
    /// Its datasets, in order.
    #[serde(rename = "part")]
    pub parts: Vec<BenchmarkPart>,
}

/// The pack of a benchmark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchmarkPack {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its digest.
    pub digest: String,
}

/// One dataset of a benchmark. Exactly one of `level`, `sweep` and `icons` says what it is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchmarkPart {
    /// Name of its folder; the dataset is called `<benchmark>-<part>`.
    pub name: String,
    /// A shipped level, or `all` for all of them planned jointly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// A shipped sweep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<String>,
    /// A shipped design of icon probes. It shows no windows, so that no split of the pack concerns it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icons: Option<String>,
    /// Changes to it, as `key=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// Seed of its keys.
    pub seed: u64,
    /// Number of indices: samples of each condition, if none is a hole.
    pub n: u64,
    /// By what it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frozen: Option<Frozen>,
}

/// By what a dataset of a benchmark is known. Digests are SHA-256 over files joined in the order of their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Frozen {
    /// Images.
    pub samples: u64,
    /// Lines of `annotations/`.
    pub instructions: u64,
    /// Of `scenes/*.jsonl`. Reports call it the dataset's digest.
    pub scenes_sha256: String,
    /// Of `annotations/*.jsonl`.
    pub annotations_sha256: String,
    /// Of `images/*/SHA256SUMS`, the digests of all image files.
    pub images_sha256: String,
    /// The same with digests of the decoded pixels instead of the files: what a model sees, whatever wrote the file.
    pub pixels_sha256: String,
}

/// What a manifest says of the benchmark that its dataset is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct BenchmarkClaim {
    /// Name of the benchmark.
    pub name: String,
    /// Name of the part that this dataset is.
    pub part: String,
    /// SHA-256 of the benchmark's file.
    pub digest: String,
    /// What that file says of the part.
    #[serde(flatten)]
    pub frozen: Frozen,
}

/// What a part of a benchmark is made of, by its shipped name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeOf<'a> {
    /// A level, or `all`.
    Level(&'a str),
    /// A sweep.
    Sweep(&'a str),
    /// A design of icon probes.
    Icons(&'a str),
}

impl Benchmark {
    /// Whether what was written makes a benchmark; else what is wrong, as `what is there, expected what should be`.
    pub fn check(&self) -> Result<(), String> {
        check_name("name", &self.name)?;
        if self.parts.is_empty() {
            return Err("part: found none, expected at least one [[part]]".to_owned());
        }
        for (at, part) in self.parts.iter().enumerate() {
            check_name("part.name", &part.name)?;
            if self.parts[..at].iter().any(|other| other.name == part.name) {
                return Err(format!("part {}: found twice, expected parts of different names", part.name));
            }
            if part.n == 0 {
                return Err(format!("part {}: n is 0, expected at least 1", part.name));
            }
            part.made_of()?;
        }
        let known = self.parts.iter().filter(|part| part.frozen.is_some()).count();
        let made = [self.engine_version.is_some(), self.pack.is_some(), known > 0];
        if made == [false; 3] || made == [true; 3] && known == self.parts.len() {
            return Ok(());
        }
        Err("found some of engine_version, pack and frozen parts, expected all of them, or none in a draft".to_owned())
    }

    /// Whether it was never made.
    pub fn is_draft(&self) -> bool {
        self.pack.is_none()
    }

    /// What the dataset of a part is called; the first part of its ids.
    pub fn dataset_name(&self, part: &BenchmarkPart) -> String {
        format!("{}-{}", self.name, part.name)
    }

    /// What the manifest of a part's dataset says if it is that dataset. `digest` is that of the benchmark's file. None
    /// for a draft.
    pub fn claim(&self, part: &BenchmarkPart, digest: &str) -> Option<BenchmarkClaim> {
        let frozen = part.frozen.clone()?;
        Some(BenchmarkClaim { name: self.name.clone(), part: part.name.clone(), digest: digest.to_owned(), frozen })
    }
}

impl BenchmarkPart {
    /// What it is made of.
    ///
    /// # Errors
    /// If it names none, or more than one.
    pub fn made_of(&self) -> Result<MadeOf<'_>, String> {
        match (&self.level, &self.sweep, &self.icons) {
            (Some(level), None, None) => Ok(MadeOf::Level(level)),
            (None, Some(sweep), None) => Ok(MadeOf::Sweep(sweep)),
            (None, None, Some(icons)) => Ok(MadeOf::Icons(icons)),
            _ => Err(format!("part {}: found none or several of level, sweep and icons, expected one of them", self.name)),
        }
    }
}

/// Names of benchmarks and parts become names of folders and parts of ids.
fn check_name(key: &str, name: &str) -> Result<(), String> {
    const LONGEST: usize = 40;
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if name.bytes().all(fits) && name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.len() <= LONGEST {
        return Ok(());
    }
    Err(format!("{key}: found `{name}`, expected lower-case letters, digits and dashes, at most {LONGEST}"))
}
