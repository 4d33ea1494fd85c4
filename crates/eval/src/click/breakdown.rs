//! Shares of hits by what a sample is: level, category, size and so on, each with its intervals.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use super::Outcome;
use crate::stats::{Bootstrap, ClusterTally, Proportion};
use crate::truth::{Dataset, Facet, FacetsOf, Name, Target};

/// The mean of the shares of several groups, each weighing the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Averages {
    /// Every sample weighs the same.
    pub micro: Proportion,
    /// Every category weighs the same; null where the dataset names none.
    #[serde(rename = "macro")]
    pub by_category: Option<MacroMean>,
}

/// Shares of hits by one property of the samples.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Breakdown {
    /// The property.
    pub facet: String,
    /// One row per value.
    pub rows: Vec<BreakdownRow>,
    /// The mean over the rows of click accuracy.
    pub macro_click: MacroMean,
}

/// Samples that share a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct BreakdownRow {
    /// The value.
    pub value: String,
    /// Click accuracy.
    pub click: Averages,
    /// Visible accuracy; null without masks.
    pub visible: Option<Averages>,
}

/// Targets that shares count, those of a cluster one after another, so that tallies need no table of clusters.
pub(crate) fn counted_by_cluster(dataset: &Dataset) -> Vec<u32> {
    by_cluster(dataset, Target::counts)
}

/// Further targets of scenes that are there, in the same order.
pub(super) fn further_by_cluster(dataset: &Dataset) -> Vec<u32> {
    by_cluster(dataset, |t| t.takes_clicks() && t.further)
}

fn by_cluster(dataset: &Dataset, wanted: impl Fn(&Target) -> bool) -> Vec<u32> {
    let mut order: Vec<u32> = (0..dataset.targets.len() as u32).filter(|&at| wanted(&dataset.targets[at as usize])).collect();
    order.sort_by_key(|&at| dataset.targets[at as usize].cluster);
    order
}

/// Whether the dataset records visible pixels.
pub(super) fn has_masks(dataset: &Dataset) -> bool {
    dataset.targets.iter().any(Target::has_mask)
}

/// What breakdowns look at of one target and its outcome. Targets lie far apart in memory and have other things to
/// remember; of these a million are read a dozen times in a moment.
pub(super) struct Sample {
    cluster: u32,
    facets: FacetsOf,
    click: bool,
    visible: bool,
}

/// The samples of some targets, in their order.
pub(super) fn samples(dataset: &Dataset, targets: &[u32], outcomes: &[Outcome]) -> Vec<Sample> {
    let of = |&at: &u32| {
        let (target, outcome) = (&dataset.targets[at as usize], &outcomes[at as usize]);
        let visible = outcome.visible == Some(true);
        Sample { cluster: target.cluster, facets: target.facets, click: outcome.click, visible }
    };
    targets.iter().map(of).collect()
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

/// Both metrics of a group of samples.
#[derive(Default)]
struct Group {
    click: Tallies,
    visible: Tallies,
}

impl Group {
    fn add(&mut self, dataset: &Dataset, sample: &Sample) {
        let category = dataset.facet_sets.get(sample.facets)[Facet::Category as usize];
        self.click.add(sample.cluster, category, sample.click);
        self.visible.add(sample.cluster, category, sample.visible);
    }

    fn averages(self, masks: bool, bootstrap: Bootstrap) -> (Averages, Option<Averages>) {
        (self.click.averages(bootstrap), masks.then(|| self.visible.averages(bootstrap)))
    }
}

/// Averages over all of the samples, of click and visible accuracy.
pub(super) fn averages(dataset: &Dataset, samples: &[Sample], bootstrap: Bootstrap) -> (Averages, Option<Averages>) {
    let mut all = Group::default();
    samples.iter().for_each(|sample| all.add(dataset, sample));
    all.averages(has_masks(dataset), bootstrap)
}

/// The breakdown by a property; `None` if the dataset does not record it.
pub(super) fn breakdown(dataset: &Dataset, samples: &[Sample], facet: Facet, bootstrap: Bootstrap) -> Option<Breakdown> {
    let mut groups: BTreeMap<Name, Group> = BTreeMap::new();
    for sample in samples {
        if let Some(value) = dataset.facet_sets.get(sample.facets)[facet as usize] {
            groups.entry(value).or_default().add(dataset, sample);
        }
    }
    if groups.is_empty() {
        return None;
    }
    let macro_click = macro_mean(facet, groups.values().map(|group| group.click.all.clone()), bootstrap);
    let mut named: Vec<(&str, Name, Group)> =
        groups.into_iter().map(|(name, group)| (dataset.names.text(name), name, group)).collect();
    match facet {
        Facet::Condition => named.sort_by_key(|(_, name, _)| dataset.conditions.iter().position(|c| c == name)),
        Facet::Size => named.sort_by_key(|(text, ..)| ["small", "medium", "large"].iter().position(|s| s == text)),
        _ => named.sort_by_key(|&(text, ..)| text),
    }
    let masks = has_masks(dataset);
    let rows = named.into_iter().map(|(value, _, group)| {
        let (click, visible) = group.averages(masks, bootstrap);
        // Numbers of windows have two digits, which puts them in order.
        let value = value.strip_prefix('0').filter(|_| facet == Facet::Windows).unwrap_or(value);
        BreakdownRow { value: value.to_owned(), click, visible }
    });
    Some(Breakdown { facet: facet.name().to_owned(), rows: rows.collect(), macro_click })
}
