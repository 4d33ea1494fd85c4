//! The report of the icons protocol.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use windesk_model::Error;

use super::classify::{other_boxes, overlap};
use super::{Class, IconOptions, Unit, classes_of};
use crate::click::{Distances, Outcome, counted_by_cluster, distances, statuses};
use crate::facts::{DatasetFacts, ReportFacts};
use crate::predictions::PredictionFacts;
use crate::stats::{Bootstrap, ClusterTally, Proportion};
use crate::truth::{Dataset, Kind};

/// `windesk eval --protocol icons --report json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct IconReport {
    /// What was scored, and how.
    #[serde(flatten)]
    pub facts: ReportFacts,
    /// The dataset.
    pub dataset: DatasetFacts,
    /// Where classes can overlap.
    pub overlap: Overlap,
    /// One per file of predictions.
    pub models: Vec<IconModel>,
}

/// How many targets have another icon nearer than two tau.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Overlap {
    /// Share of the targets.
    pub share: Proportion,
    /// What counts as other icons: `probe_or_desktop_icons`, `elements` or `none`.
    pub others: String,
}

/// One model's classes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct IconModel {
    /// Where they come from.
    pub predictions: PredictionFacts,
    /// Targets by how they were answered; all but `answered` are `invalid`.
    pub statuses: BTreeMap<String, u64>,
    /// Share of all targets by class.
    pub classes: BTreeMap<String, Proportion>,
    /// The same for other tau.
    pub tau_sweep: Vec<TauRow>,
    /// The same by condition.
    pub conditions: BTreeMap<String, BTreeMap<String, Proportion>>,
    /// How far clicks are from the target (Table 1 of the icon paper).
    pub distances: Distances,
}

/// Classes at one tau.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TauRow {
    /// The tau.
    pub tau: f64,
    /// Share of all targets by class.
    pub classes: BTreeMap<String, Proportion>,
}

/// The names of the classes that a dataset can tell apart.
pub(crate) fn class_names(dataset: &Dataset) -> &'static [Class] {
    match dataset.kind {
        Kind::Scenes => &[Class::Correct, Class::Biased, Class::Misleading, Class::Confusion, Class::Invalid],
        Kind::Boxes => &[Class::Correct, Class::Biased, Class::Other, Class::Invalid],
    }
}

/// What one model did: whose predictions they are, and an outcome and a point per target.
pub(super) type ModelAnswers = (PredictionFacts, Vec<Outcome>, Vec<Option<[f64; 2]>>);

/// Classes of models; each has one outcome and point per target of the dataset, in its order.
///
/// # Errors
/// If tau is not a positive number.
pub fn icon_report(
    dataset: &Dataset,
    facts: ReportFacts,
    models: &[ModelAnswers],
    options: IconOptions,
    bootstrap: Bootstrap,
) -> Result<IconReport, Error> {
    let order = counted_by_cluster(dataset);
    let shares = |targets: &[u32], classes: &[Option<Class>]| -> BTreeMap<String, Proportion> {
        let of_class = class_names(dataset).iter().map(|&class| {
            let mut tally = ClusterTally::default();
            targets.iter().for_each(|&at| tally.add(dataset.targets[at as usize].cluster, classes[at as usize] == Some(class)));
            (class.name().to_owned(), tally.proportion(bootstrap))
        });
        of_class.collect()
    };
    // In px the sweep follows a screen of 1000 px.
    let sweep = [0.01, 0.02, 0.05, 0.10, 0.20].map(|tau| if options.unit == Unit::Px { tau * 1000.0 } else { tau });
    let mut scored = Vec::new();
    for (predictions, outcomes, points) in models {
        let classes = classes_of(dataset, points, options)?;
        let mut tau_sweep = Vec::new();
        for tau in sweep {
            tau_sweep
                .push(TauRow { tau, classes: shares(&order, &classes_of(dataset, points, IconOptions { tau, ..options })?) });
        }
        let conditions = dataset.conditions.iter().map(|&condition| {
            let members: Vec<u32> =
                order.iter().copied().filter(|&at| dataset.scene(&dataset.targets[at as usize]).condition == condition).collect();
            (dataset.names.text(condition).to_owned(), shares(&members, &classes))
        });
        scored.push(IconModel {
            predictions: predictions.clone(),
            statuses: statuses(&order, outcomes),
            classes: shares(&order, &classes),
            tau_sweep,
            conditions: conditions.collect(),
            distances: distances(dataset, &order, outcomes, bootstrap),
        });
    }
    let mut near = ClusterTally::default();
    for &at in &order {
        let target = &dataset.targets[at as usize];
        let (bbox, size) = (target.bbox().expect("only targets that are there"), dataset.scene(target).size);
        near.add(target.cluster, other_boxes(dataset, target).iter().any(|&b| overlap(bbox, b, size, options)));
    }
    let others = match dataset.kind {
        Kind::Boxes => "none",
        Kind::Scenes if dataset.scenes.iter().any(|s| s.has_probes) => "probe_or_desktop_icons",
        Kind::Scenes => "elements",
    };
    let overlap = Overlap { share: near.proportion(bootstrap), others: others.to_owned() };
    Ok(IconReport { facts, dataset: DatasetFacts::of(dataset), overlap, models: scored })
}
