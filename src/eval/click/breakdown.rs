//! Shares of hits by what a sample is: level, category, size and so on, each with its intervals.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::Outcome;
use crate::eval::source::{Dataset, Facet, Name};
use crate::eval::stats::{Bootstrap, ClusterTally, Proportion};

/// The mean of the shares of several groups, each weighing the same.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MacroMean {
    /// What the groups are.
    pub over: String,
    /// How many there are.
    pub groups: u64,
    /// The mean.
    pub value: Option<f64>,
    /// Bootstrap interval, 95 %, resampled by target.
    pub bootstrap: Option<[f64; 2]>,
}

/// Micro and macro average of one metric.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Averages {
    /// Every sample weighs the same.
    pub micro: Proportion,
    /// Every category weighs the same; null where the dataset names none.
    #[serde(rename = "macro")]
    pub by_category: Option<MacroMean>,
}

/// Shares of hits by one property of the samples.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Breakdown {
    /// The property.
    pub facet: String,
    /// One row per value.
    pub rows: Vec<BreakdownRow>,
    /// The mean over the rows of click accuracy.
    pub macro_click: MacroMean,
}

/// Samples that share a value.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BreakdownRow {
    /// The value.
    pub value: String,
    /// Click accuracy.
    pub click: Averages,
    /// Visible accuracy; null without masks.
    pub visible: Option<Averages>,
}

/// Targets that are there, those of a cluster one after another, so that tallies need no table of clusters.
pub(crate) fn present_by_cluster(dataset: &Dataset) -> Vec<u32> {
    let present = |at: &u32| dataset.targets[*at as usize].bbox.is_some();
    let mut order: Vec<u32> = (0..dataset.targets.len() as u32).filter(present).collect();
    order.sort_by_key(|&at| dataset.targets[at as usize].cluster);
    order
}

/// Whether the dataset records visible pixels.
pub(super) fn has_masks(dataset: &Dataset) -> bool {
    dataset.targets.iter().any(|t| t.mask.is_some())
}

#[derive(Default)]
struct Tallies {
    all: ClusterTally,
    by_category: Vec<(Name, ClusterTally)>,
    /// Where the last category is: the targets of a cluster, which follow one another, share theirs.
    last: usize,
}

impl Tallies {
    fn add(&mut self, cluster: u32, category: Option<Name>, hit: bool) {
        self.all.add(cluster, hit);
        let Some(category) = category else { return };
        if self.by_category.get(self.last).is_none_or(|(name, _)| *name != category) {
            self.last = self.by_category.iter().position(|(name, _)| *name == category).unwrap_or_else(|| {
                self.by_category.push((category, ClusterTally::default()));
                self.by_category.len() - 1
            });
        }
        self.by_category[self.last].1.add(cluster, hit);
    }

    fn averages(mut self, bootstrap: Bootstrap) -> Averages {
        self.by_category.sort_by_key(|(name, _)| *name);
        let tallies = self.by_category.into_iter().map(|(_, tally)| tally);
        let by_category = (tallies.len() > 0).then(|| macro_mean(Facet::Category, tallies, bootstrap));
        Averages { micro: self.all.proportion(bootstrap), by_category }
    }
}

fn macro_mean(over: Facet, groups: impl Iterator<Item = ClusterTally>, bootstrap: Bootstrap) -> MacroMean {
    let groups: Vec<ClusterTally> = groups.collect();
    let count = groups.len() as u64;
    let (value, interval) = ClusterTally::macro_mean(groups, bootstrap);
    MacroMean { over: over.name().to_owned(), groups: count, value, bootstrap: interval }
}

/// Averages over all of `targets`, of click and visible accuracy.
pub(super) fn averages(
    dataset: &Dataset,
    targets: &[u32],
    outcomes: &[Outcome],
    bootstrap: Bootstrap,
) -> (Averages, Option<Averages>) {
    let (mut click, mut visible) = (Tallies::default(), Tallies::default());
    for &at in targets {
        let (target, outcome) = (&dataset.targets[at as usize], &outcomes[at as usize]);
        let category = target.facets[Facet::Category as usize];
        click.add(target.cluster, category, outcome.click);
        visible.add(target.cluster, category, outcome.visible == Some(true));
    }
    (click.averages(bootstrap), has_masks(dataset).then(|| visible.averages(bootstrap)))
}

/// The breakdown by a property; `None` if the dataset does not record it.
pub(super) fn breakdown(
    dataset: &Dataset,
    targets: &[u32],
    outcomes: &[Outcome],
    facet: Facet,
    bootstrap: Bootstrap,
) -> Option<Breakdown> {
    let mut groups: BTreeMap<Name, Vec<u32>> = BTreeMap::new();
    for &at in targets {
        if let Some(value) = dataset.targets[at as usize].facets[facet as usize] {
            groups.entry(value).or_default().push(at);
        }
    }
    if groups.is_empty() {
        return None;
    }
    let tallies = groups.values().map(|members| {
        let mut tally = ClusterTally::default();
        members.iter().for_each(|&at| tally.add(dataset.targets[at as usize].cluster, outcomes[at as usize].click));
        tally
    });
    let macro_click = macro_mean(facet, tallies, bootstrap);
    let mut named: Vec<(&str, Name, Vec<u32>)> =
        groups.into_iter().map(|(name, members)| (dataset.names.text(name), name, members)).collect();
    match facet {
        Facet::Condition => named.sort_by_key(|(_, name, _)| dataset.conditions.iter().position(|c| c == name)),
        Facet::Size => named.sort_by_key(|(text, ..)| ["small", "medium", "large"].iter().position(|s| s == text)),
        _ => named.sort_by_key(|&(text, ..)| text),
    }
    let rows = named.into_iter().map(|(value, _, members)| {
        let (click, visible) = averages(dataset, &members, outcomes, bootstrap);
        // Numbers of windows have two digits, which puts them in order.
        let value = value.strip_prefix('0').filter(|_| facet == Facet::Windows).unwrap_or(value);
        BreakdownRow { value: value.to_owned(), click, visible }
    });
    Some(Breakdown { facet: facet.name().to_owned(), rows: rows.collect(), macro_click })
}
