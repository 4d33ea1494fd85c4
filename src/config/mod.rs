//! From level files and `--set` to checked [`Condition`]s. No knowledge of packs, no random numbers.
//!
//! [`LevelFile`] is what was written, [`Condition`] is what is meant: complete, in integer units, and possible in itself.
//! Whether a pack can satisfy it is found out when planning.

mod condition;
mod file;
mod shipped;
mod sweep;

pub use condition::{
    Balance, Band, ChromeMode, Condition, DistractorKnobs, Filters, InstructionChoice, LayerKnob, LayoutWeights, OccluderKnob,
    Pairing, Priors, Protocol, Ratio, Region, TargetKnobs, TargetSize, TargetsPerScene, Theme,
};
use file::parse_table;
pub(crate) use file::toml_error;
pub use file::{LevelFile, apply_set, parse_level};
pub use shipped::{LEVELS, level, priors};
pub use sweep::{SWEEPS, Scan, Sweep, parse_sweep, sweep};

/// A level that can't be read or isn't possible. Whoever wrote it can mend it.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}{}", hint.as_ref().map(|h| format!("\nhint: {h}")).unwrap_or_default())]
pub struct ConfigError {
    /// File (and key) at fault.
    pub place: String,
    /// What is wrong with it: found and expected.
    pub problem: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl ConfigError {
    pub(crate) fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), problem: problem.into(), hint: None }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// The known word nearest to a mistyped one, if any is near.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|k| (strsim::damerau_levenshtein(&word.to_lowercase(), &k.to_lowercase()), k))
        .min()
        .filter(|&(distance, k)| distance <= 1 + k.len() / 4)
        .map(|(_, k)| k)
}
