//! The report of the click protocol.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use super::breakdown::{averages, breakdown, counted_by_cluster, further_by_cluster, has_masks, samples};
use super::chance::chances;
use super::compare::compare;
use super::factors::{FactorTable, factor_table, factors};
use super::paired::{Sweep, paired, sweeps};
use super::places::{PlaceMap, SizeBin, place_map, size_bins};
use super::{Averages, Breakdown, Chance, Factors, Hit, ModelComparison, Outcome, Paired, Scored, Status};
use crate::facts::{DatasetFacts, ReportFacts};
use crate::predictions::PredictionFacts;
use crate::stats::{Bootstrap, ClusterTally, Proportion, percentile};
use crate::truth::{Dataset, Facet, Kind};

/// `windesk eval --protocol click --report json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ClickReport {
    /// What was scored, and how.
    #[serde(flatten)]
    pub facts: ReportFacts,
    /// The dataset.
    pub dataset: DatasetFacts,
    /// What clicks anywhere would score: over everything, then by condition.
    pub chance: Vec<Chance>,
    /// One per file of predictions.
    pub models: Vec<ClickModel>,
    /// All pairs of models; empty for one.
    pub comparisons: Vec<ModelComparison>,
}

/// One model's scores.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ClickModel {
    /// Where they come from.
    pub predictions: PredictionFacts,
    /// Targets that are there by how they were answered.
    pub statuses: BTreeMap<String, u64>,
    /// Clicks in the target's box, border included.
    pub click: Averages,
    /// Clicks on visible pixels of the target; null without masks.
    pub visible: Option<Averages>,
    /// Answers to absent targets; null if there are none or refusals were not allowed.
    pub refusals: Option<Refusals>,
    /// How far clicks are from the target.
    pub distances: Distances,
    /// Correct, biased, other: for datasets with one box per image (open containment, as in the icon paper).
    pub three_classes: Option<BTreeMap<String, Proportion>>,
    /// What clicks hit that are on no visible pixel of the target; null without elements.
    pub wrong_clicks: Option<Vec<HitCount>>,
    /// By the place of the target on the screen.
    pub places: PlaceMap,
    /// By the size of the target.
    pub size_bins: Vec<SizeBin>,
    /// By level, category and so on.
    pub breakdowns: Vec<Breakdown>,
    /// Conditions that share base scenes.
    pub paired: Vec<Paired>,
    /// Which properties go with a miss.
    pub factors: Vec<Factors>,
    /// Further targets of scenes, which count nowhere else; null if there are none.
    pub further: Option<FurtherTargets>,
}

/// Scores on extra targets, which their conditions do not promise: no band of visible ratio, no distractors.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct FurtherTargets {
    /// By how they were answered.
    pub statuses: BTreeMap<String, u64>,
    /// Clicks in the target's box, border included.
    pub click: Averages,
    /// Clicks on visible pixels of the target; null without masks.
    pub visible: Option<Averages>,
    /// By condition of the scene; null where the dataset names none.
    pub conditions: Option<Breakdown>,
}

/// Refusals where a target may be absent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Refusals {
    /// Refused among refusals: share whose target is absent.
    pub precision: Proportion,
    /// Absent targets: share that was refused.
    pub recall: Proportion,
}

/// Distances of clicks.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Distances {
    /// Misses with a click in the image.
    pub misses: u64,
    /// To the nearest point of the box, px.
    pub to_box_px: Option<Spread>,
    /// To the nearest point of the box, as a share of the image's diagonal.
    pub to_box_diagonal: Option<Spread>,
    /// To the middle of the box, px.
    pub to_centre_px: Option<Spread>,
    /// To the middle of the box, as a share of the image's diagonal.
    pub to_centre_diagonal: Option<Spread>,
    /// Share of all samples whose click is this near to the box, in units of the image's sides (Table 1 of the icon
    /// paper).
    pub within: Vec<Within>,
}

/// Mean and quartiles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[allow(missing_docs, reason = "the names say all there is")]
pub struct Spread {
    pub mean: f64,
    pub q25: f64,
    pub median: f64,
    pub q75: f64,
}

/// Samples within a distance.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Within {
    /// The distance; 0 is in the box or on its border, the others are strict.
    pub distance: f64,
    /// Share of all samples.
    pub share: Proportion,
}

/// How many wrong clicks hit something.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct HitCount {
    /// What.
    pub what: String,
    /// Clicks.
    pub count: u64,
    /// Share of the wrong clicks.
    pub share: f64,
}

/// Distance below which a miss counts as biased where the paper does not say: the smallest of its Table 1.
const TAU: f64 = 0.05;

impl Spread {
    /// Of some values; `None` without any.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (!values.is_empty()).then(|| {
            let at = |share| percentile(&values, share);
            Self { mean, q25: at(0.25), median: at(0.5), q75: at(0.75) }
        })
    }
}

/// Scores of models; each has one outcome per target of the dataset, in its order.
pub fn click_report(
    dataset: &Dataset,
    facts: ReportFacts,
    models: Vec<(PredictionFacts, Vec<Outcome>)>,
    bootstrap: Bootstrap,
) -> ClickReport {
    let order = counted_by_cluster(dataset);
    let masks = has_masks(dataset);
    let named: Vec<(&str, &[Outcome])> =
        models.iter().map(|(facts, outcomes)| (facts.model.as_str(), outcomes.as_slice())).collect();
    let mut comparisons = compare(dataset, &order, &named, "click", |o| o.click, bootstrap);
    if masks {
        comparisons.extend(compare(dataset, &order, &named, "visible", |o| o.visible == Some(true), bootstrap));
    }
    // What does not depend on a model is made once for all.
    let (sweeps, table) = (sweeps(dataset, &order), factor_table(dataset, &order));
    let scored = models
        .iter()
        .map(|(predictions, outcomes)| model(dataset, &order, (&sweeps, table.as_ref()), masks, predictions, outcomes, bootstrap))
        .collect();
    ClickReport { facts, dataset: DatasetFacts::of(dataset), chance: chances(dataset, &order), models: scored, comparisons }
}

fn model(
    dataset: &Dataset,
    order: &[u32],
    (sweeps, table): (&[Sweep], Option<&FactorTable>),
    masks: bool,
    predictions: &PredictionFacts,
    outcomes: &[Outcome],
    bootstrap: Bootstrap,
) -> ClickModel {
    let samples = samples(dataset, order, outcomes);
    let (click, visible) = averages(dataset, &samples, bootstrap);
    let clicked = |o: &Outcome| o.click;
    let seen = |o: &Outcome| o.visible == Some(true);
    let mut paired_tables: Vec<Paired> = paired(dataset, sweeps, outcomes, "click", clicked, bootstrap);
    let mut regressions: Vec<Factors> = table.iter().map(|table| factors(table, outcomes, "click", clicked)).collect();
    if masks {
        paired_tables.extend(paired(dataset, sweeps, outcomes, "visible", seen, bootstrap));
        regressions.extend(table.iter().map(|table| factors(table, outcomes, "visible", seen)));
    }
    ClickModel {
        predictions: predictions.clone(),
        statuses: statuses(order, outcomes),
        click,
        visible,
        refusals: predictions.refusals_allowed.then(|| refusals(dataset, outcomes)).flatten(),
        distances: distances(dataset, order, outcomes, bootstrap),
        three_classes: (dataset.kind == Kind::Boxes).then(|| three_classes(dataset, order, outcomes, bootstrap)),
        wrong_clicks: wrong_clicks(order, outcomes),
        places: place_map(dataset, order, outcomes),
        size_bins: size_bins(dataset, order, outcomes, bootstrap),
        breakdowns: Facet::ALL.into_iter().filter_map(|f| breakdown(dataset, &samples, f, bootstrap)).collect(),
        paired: paired_tables,
        factors: regressions,
        further: further(dataset, outcomes, bootstrap),
    }
}

pub(crate) fn statuses(targets: &[u32], outcomes: &[Outcome]) -> BTreeMap<String, u64> {
    Status::counts(targets.iter().map(|&at| outcomes[at as usize].status))
}

fn further(dataset: &Dataset, outcomes: &[Outcome], bootstrap: Bootstrap) -> Option<FurtherTargets> {
    let order = further_by_cluster(dataset);
    let samples = samples(dataset, &order, outcomes);
    let (click, visible) = averages(dataset, &samples, bootstrap);
    let conditions = breakdown(dataset, &samples, Facet::Condition, bootstrap);
    (!order.is_empty()).then(|| FurtherTargets { statuses: statuses(&order, outcomes), click, visible, conditions })
}

fn refusals(dataset: &Dataset, outcomes: &[Outcome]) -> Option<Refusals> {
    let (mut refused, mut absent, mut both) = (0, 0, 0);
    for (target, outcome) in dataset.targets.iter().zip(outcomes).filter(|(target, _)| !target.further && !target.only_dragged) {
        let (is_absent, is_refused) = (!target.is_there(), outcome.status == Status::Refused);
        refused += u64::from(is_refused);
        absent += u64::from(is_absent);
        both += u64::from(is_absent && is_refused);
    }
    (absent > 0).then(|| Refusals { precision: Proportion::plain(both, refused), recall: Proportion::plain(both, absent) })
}

fn of_click(dataset: &Dataset, outcomes: &[Outcome], at: u32) -> Option<Scored> {
    let (target, outcome) = (&dataset.targets[at as usize], &outcomes[at as usize]);
    let answered = outcome.status == Status::Answered;
    answered.then(|| Scored::of(target.bbox().expect("only targets that are there"), outcome.point, dataset.scene(target).size))
}

pub(crate) fn distances(dataset: &Dataset, order: &[u32], outcomes: &[Outcome], bootstrap: Bootstrap) -> Distances {
    let misses: Vec<Scored> =
        order.iter().filter(|&&at| !outcomes[at as usize].click).filter_map(|&at| of_click(dataset, outcomes, at)).collect();
    let spread = |value: fn(&Scored) -> f64| Spread::of(misses.iter().map(value).collect());
    let within = [0.0, 0.05, 0.10, 0.20, 0.30].map(|distance| {
        let mut tally = ClusterTally::default();
        for &at in order {
            let near = outcomes[at as usize].click
                || distance > 0.0 && of_click(dataset, outcomes, at).is_some_and(|s| s.nearer_than(distance));
            tally.add(dataset.targets[at as usize].cluster, near);
        }
        Within { distance, share: tally.proportion(bootstrap) }
    });
    Distances {
        misses: misses.len() as u64,
        to_box_px: spread(|s| s.box_px),
        to_box_diagonal: spread(|s| s.box_px / s.diagonal_px),
        to_centre_px: spread(|s| s.centre_px),
        to_centre_diagonal: spread(|s| s.centre_px / s.diagonal_px),
        within: within.into(),
    }
}

/// The class of an answer about one box (tables of the icon paper): strictly inside, near, or elsewhere.
pub(crate) fn three_class(dataset: &Dataset, outcomes: &[Outcome], at: u32) -> &'static str {
    let target = &dataset.targets[at as usize];
    let point = outcomes[at as usize].point;
    match of_click(dataset, outcomes, at) {
        None => "invalid",
        Some(_) if target.holds_strictly(point) => "correct",
        Some(scored) if scored.nearer_than(TAU) => "biased",
        Some(_) => "other",
    }
}

fn three_classes(dataset: &Dataset, order: &[u32], outcomes: &[Outcome], bootstrap: Bootstrap) -> BTreeMap<String, Proportion> {
    let classes = ["correct", "biased", "other", "invalid"].map(|name| {
        let mut tally = ClusterTally::default();
        order.iter().for_each(|&at| tally.add(dataset.targets[at as usize].cluster, three_class(dataset, outcomes, at) == name));
        (name.to_owned(), tally.proportion(bootstrap))
    });
    classes.into()
}

fn wrong_clicks(order: &[u32], outcomes: &[Outcome]) -> Option<Vec<HitCount>> {
    let hits: Vec<Hit> = order.iter().filter_map(|&at| outcomes[at as usize].hit).collect();
    if hits.is_empty() {
        return None;
    }
    let wrong = hits.iter().filter(|&&h| h != Hit::Target).count();
    let counts = Hit::ALL.into_iter().filter(|&what| what != Hit::Target).map(|what| {
        let count = hits.iter().filter(|&&h| h == what).count();
        HitCount { what: what.name().to_owned(), count: count as u64, share: count as f64 / wrong.max(1) as f64 }
    });
    Some(counts.collect())
}
