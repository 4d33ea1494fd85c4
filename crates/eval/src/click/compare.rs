//! Several models on the same targets.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use super::Outcome;
use super::paired::{Flips, correct, flips};
use crate::stats::Bootstrap;
use crate::truth::{Dataset, Name};

/// Two models on the same targets.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ModelComparison {
    /// `click` or `visible`.
    pub metric: String,
    /// The condition; null for all of them.
    pub condition: Option<String>,
    /// First model.
    pub a: String,
    /// Second model.
    pub b: String,
    /// Hits and misses of both, and McNemar's test.
    #[serde(flatten)]
    pub flips: Flips,
}

/// All pairs of models, over everything and by condition. Holm's correction runs over the whole table of a metric.
pub(super) fn compare(
    dataset: &Dataset,
    targets: &[u32],
    models: &[(&str, &[Outcome])],
    metric: &str,
    hit: impl Fn(&Outcome) -> bool,
    bootstrap: Bootstrap,
) -> Vec<ModelComparison> {
    let mut conditions: Vec<Option<Name>> = vec![None];
    if dataset.conditions.len() > 1 {
        conditions.extend(dataset.conditions.iter().copied().map(Some));
    }
    let mut table = Vec::new();
    for condition in conditions {
        for (at, (a, of_a)) in models.iter().enumerate() {
            for (b, of_b) in &models[at + 1..] {
                let samples = targets.iter().filter_map(|&t| {
                    let target = &dataset.targets[t as usize];
                    let counts = condition.is_none_or(|c| c == dataset.scene(target).condition);
                    counts.then(|| (target.cluster, hit(&of_a[t as usize]), hit(&of_b[t as usize])))
                });
                table.push(ModelComparison {
                    metric: metric.to_owned(),
                    condition: condition.map(|c| dataset.names.text(c).to_owned()),
                    a: (*a).to_owned(),
                    b: (*b).to_owned(),
                    flips: flips(samples, bootstrap),
                });
            }
        }
    }
    correct(table.iter_mut().map(|c| &mut c.flips));
    table
}
