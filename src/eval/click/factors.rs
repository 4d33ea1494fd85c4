//! Which properties of a scene go with a miss: a logistic regression over all samples.

#![allow(clippy::disallowed_methods, reason = "an odds ratio is an exponential; nothing here decides geometry")]

use schemars::JsonSchema;
use serde::Serialize;

use super::Outcome;
use crate::eval::source::{Dataset, Facet, Target};
use crate::eval::stats::fit_logistic;

/// The regression of hits on what the scene is like.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
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
    ("visible_ratio", "0.1 more", |_, t| Some(f64::from(t.visible_ratio?) * 10.0)),
    ("visible_ink", "0.1 more", |_, t| Some(f64::from(t.visible_ink?) * 10.0)),
    ("target_area", "doubled", |_, t| t.bbox.map(|[x0, y0, x1, y1]| ((x1 - x0) * (y1 - y0)).max(1.0).log2())),
    ("windows", "one more", |d, t| d.facet(t, Facet::Windows)?.parse().ok()),
    ("distractor_similarity", "cosine 0.1 more", |_, t| Some(f64::from(t.cosine?) * 10.0)),
    ("active_window", "active", |_, t| t.active.map(|a| f64::from(u8::from(a)))),
];

/// Fits the regression; `None` if the dataset records none of the factors but size.
pub(super) fn factors(
    dataset: &Dataset,
    targets: &[u32],
    outcomes: &[Outcome],
    metric: &str,
    hit: impl Fn(&Outcome) -> bool,
) -> Option<Factors> {
    let all: Vec<&Target> = targets.iter().map(|&at| &dataset.targets[at as usize]).collect();
    let recorded: Vec<&Column> = COLUMNS.iter().filter(|(_, _, value)| all.iter().any(|t| value(dataset, t).is_some())).collect();
    if recorded.len() < 2 {
        return None;
    }
    let mut rows = Vec::new();
    let (mut hits, mut clusters) = (Vec::new(), Vec::new());
    for (&at, target) in targets.iter().zip(&all) {
        let row: Option<Vec<f64>> = recorded.iter().map(|(_, _, value)| value(dataset, target)).collect();
        if let Some(row) = row {
            rows.push(row);
            hits.push(hit(&outcomes[at as usize]));
            clusters.push(target.cluster);
        }
    }
    let varies = |column: usize| rows.iter().any(|r| r[column] != rows[0][column]);
    let (kept, constant): (Vec<usize>, Vec<usize>) = (0..recorded.len()).partition(|&c| varies(c));
    let reduced: Vec<Vec<f64>> = rows.iter().map(|r| kept.iter().map(|&c| r[c]).collect()).collect();
    let mut report = Factors {
        metric: metric.to_owned(),
        n: rows.len() as u64,
        left_out: (targets.len() - rows.len()) as u64,
        clusters: 0,
        constant: constant.iter().map(|&c| recorded[c].0.to_owned()).collect(),
        not_fitted: None,
        factors: Vec::new(),
    };
    match fit_logistic(&reduced, &hits, &clusters) {
        Ok(fit) => {
            report.clusters = fit.clusters as u64;
            let slopes = fit.coefficients.iter().skip(1).zip(&kept);
            report.factors = slopes
                .map(|(c, &column)| Factor {
                    name: recorded[column].0.to_owned(),
                    unit: recorded[column].1.to_owned(),
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
    Some(report)
}
