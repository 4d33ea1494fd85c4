//! Which properties of a scene go with a miss: a logistic regression over all samples.

#![allow(clippy::disallowed_methods, reason = "an odds ratio is an exponential; nothing here decides geometry")]

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use super::Outcome;
use crate::stats::fit_logistic;
use crate::truth::{Dataset, Facet, Target};

/// The regression of hits on what the scene is like.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Factors {
    /// `click` or `visible`.
    pub metric: String,
    /// Samples with all factors known.
    pub n: u64,
    /// Samples left out because a factor is not recorded, such as the ink of a blank element.
    pub left_out: u64,
    /// Clusters (targets) behind the standard errors.
    pub clusters: u64,
    /// Factors that are the same in all samples.
    pub constant: Vec<String>,
    /// Why there is no fit, or null.
    pub not_fitted: Option<String>,
    /// Odds ratios; empty without a fit.
    pub factors: Vec<Factor>,
}

/// One factor's odds ratio, the others held equal.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Factor {
    /// What it is.
    pub name: String,
    /// What the odds ratio is per.
    pub unit: String,
    /// By what one unit more multiplies the odds of a hit.
    pub odds_ratio: f64,
    /// Interval, 95 %, from standard errors that are robust to clusters of targets.
    pub interval: [f64; 2],
    /// Two-sided p value.
    pub p: f64,
}

/// Name, unit, and the value in units.
type Column = (&'static str, &'static str, fn(&Dataset, &Target) -> Option<f64>);

const COLUMNS: [Column; 6] = [
    ("visible_ratio", "0.1 more", |_, t| Some(f64::from(t.visible_ratio()?) * 10.0)),
    ("visible_ink", "0.1 more", |_, t| Some(f64::from(t.visible_ink()?) * 10.0)),
    ("target_area", "doubled", |_, t| t.bbox().map(|[x0, y0, x1, y1]| ((x1 - x0) * (y1 - y0)).max(1.0).log2())),
    ("windows", "one more", |d, t| d.facet(t, Facet::Windows)?.parse().ok()),
    ("distractor_similarity", "cosine 0.1 more", |_, t| Some(f64::from(t.cosine()?) * 10.0)),
    ("active_window", "active", |_, t| t.active.map(|a| f64::from(u8::from(a)))),
];

/// What a regression explains hits by. The same for all models and metrics.
pub(super) struct FactorTable {
    /// Factors that vary, as positions in [`COLUMNS`].
    kept: Vec<usize>,
    /// Those that do not.
    constant: Vec<usize>,
    /// Values of the kept factors, target by target.
    values: Vec<f64>,
    /// Targets with all recorded factors.
    targets: Vec<u32>,
    clusters: Vec<u32>,
    /// Targets without one of them.
    left_out: u64,
}

/// The factors of some targets; `None` if the dataset records none of them but size.
pub(super) fn factor_table(dataset: &Dataset, targets: &[u32]) -> Option<FactorTable> {
    let all = || targets.iter().map(|&at| &dataset.targets[at as usize]);
    let recorded: Vec<usize> =
        (0..COLUMNS.len()).filter(|&column| all().any(|target| COLUMNS[column].2(dataset, target).is_some())).collect();
    if recorded.len() < 2 {
        return None;
    }
    // Twice over the targets: numbers that are the same of all of a million need no room.
    let mut first: Option<Vec<f64>> = None;
    let mut varying = vec![false; recorded.len()];
    let mut whole = 0;
    let mut row = Vec::with_capacity(recorded.len());
    for target in all() {
        if read_row(&mut row, dataset, target, &recorded) {
            let first = first.get_or_insert_with(|| row.clone());
            varying.iter_mut().zip(first.iter().zip(&row)).for_each(|(varies, (a, b))| *varies |= a != b);
            whole += 1;
        }
    }
    let (kept, constant): (Vec<usize>, Vec<usize>) = (0..recorded.len()).partition(|&position| varying[position]);
    let mut table = FactorTable {
        values: Vec::with_capacity(whole * kept.len()),
        kept: kept.iter().map(|&position| recorded[position]).collect(),
        constant: constant.iter().map(|&position| recorded[position]).collect(),
        targets: Vec::with_capacity(whole),
        clusters: Vec::with_capacity(whole),
        left_out: (targets.len() - whole) as u64,
    };
    for (&at, target) in targets.iter().zip(all()) {
        if read_row(&mut row, dataset, target, &recorded) {
            table.values.extend(kept.iter().map(|&position| row[position]));
            table.targets.push(at);
            table.clusters.push(target.cluster);
        }
    }
    Some(table)
}

/// Puts the values of some columns into a row. Whether all are recorded.
fn read_row(row: &mut Vec<f64>, dataset: &Dataset, target: &Target, columns: &[usize]) -> bool {
    row.clear();
    row.extend(columns.iter().map_while(|&column| COLUMNS[column].2(dataset, target)));
    row.len() == columns.len()
}

/// Fits the regression of one metric.
pub(super) fn factors(table: &FactorTable, outcomes: &[Outcome], metric: &str, hit: impl Fn(&Outcome) -> bool) -> Factors {
    let hits: Vec<bool> = table.targets.iter().map(|&at| hit(&outcomes[at as usize])).collect();
    let mut report = Factors {
        metric: metric.to_owned(),
        n: hits.len() as u64,
        left_out: table.left_out,
        clusters: 0,
        constant: table.constant.iter().map(|&column| COLUMNS[column].0.to_owned()).collect(),
        not_fitted: None,
        factors: Vec::new(),
    };
    match fit_logistic(&table.values, table.kept.len(), &hits, &table.clusters) {
        Ok(fit) => {
            report.clusters = fit.clusters as u64;
            let slopes = fit.coefficients.iter().skip(1).zip(&table.kept);
            report.factors = slopes
                .map(|(c, &column)| Factor {
                    name: COLUMNS[column].0.to_owned(),
                    unit: COLUMNS[column].1.to_owned(),
                    odds_ratio: c.estimate.exp(),
                    interval: [
                        (c.estimate - 1.959_963_984_540_054 * c.se).exp(),
                        (c.estimate + 1.959_963_984_540_054 * c.se).exp(),
                    ],
                    p: c.p,
                })
                .collect();
        }
        Err(reason) => report.not_fitted = Some(reason.to_string()),
    }
    report
}
