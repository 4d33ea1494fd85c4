//! Confidence from the logits of coordinate digits (Algorithm 2 of the icon paper, whose printed form is damaged), and
//! perplexity.

#![allow(clippy::disallowed_methods, reason = "a softmax is made of exponentials; nothing here decides geometry")]

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use super::click::{Outcome, counted_by_cluster, statuses};
use super::facts::{DatasetFacts, ReportFacts};
use super::icons::Class;
use super::predictions::{Digits, PredictionFacts};
use super::stats::{Moments, Proportion, Welch, holm, welch};
use super::truth::Dataset;

/// What happens to the ten logits first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Norm {
    /// Convert to probabilities.
    Softmax,
    /// Scale linearly to 0..=1.
    Minmax,
    /// Leave as they are.
    Raw,
}

/// Options of the peak sharpness score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharpnessOptions {
    /// What happens to the logits first.
    pub norm: Norm,
    /// The constant whose definition the paper lost. 9/2 makes a one-hot softmax score 1.
    pub c: f64,
    /// Multiply by the constant only where the peak is in the interior, as printed.
    pub as_printed: bool,
}

impl Default for SharpnessOptions {
    fn default() -> Self {
        Self { norm: Norm::Softmax, c: 4.5, as_printed: false }
    }
}

/// `windesk eval --protocol confidence --report json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ConfidenceReport {
    /// What was scored, and how.
    #[serde(flatten)]
    pub facts: ReportFacts,
    /// The dataset.
    pub dataset: DatasetFacts,
    /// One per file of predictions.
    pub models: Vec<ConfidenceModel>,
}

/// One model's confidence by class of response.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ConfidenceModel {
    /// Where the numbers come from.
    pub predictions: PredictionFacts,
    /// Targets by how they were answered; all but `answered` are `invalid`.
    pub statuses: BTreeMap<String, u64>,
    /// Targets that are there and have digit logits; the others count in no mean.
    pub with_digits: Proportion,
    /// Of those: targets where a server left out some digits, which then count as impossible.
    pub incomplete_digits: u64,
    /// Targets with log-probabilities of all tokens.
    pub with_perplexity: Proportion,
    /// By class of response, `all` last.
    pub classes: Vec<ClassConfidence>,
    /// Every two classes, by metric.
    pub tests: Vec<ClassTest>,
}

/// A mean with its standard deviation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct MeanSd {
    /// How many values.
    pub n: u64,
    /// The mean.
    pub mean: Option<f64>,
    /// Sample standard deviation.
    pub sd: Option<f64>,
}

/// Confidence within a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ClassConfidence {
    /// The class.
    pub class: String,
    /// Peak sharpness of the x digit.
    pub sharpness_x: MeanSd,
    /// Peak sharpness of the y digit.
    pub sharpness_y: MeanSd,
    /// Mean of both, or of the one that there is.
    pub sharpness: MeanSd,
    /// Share of digit vectors with a single peak: what the paper's text says the score measures.
    pub unimodal: Proportion,
    /// exp(-mean token log-probability).
    pub perplexity: MeanSd,
}

/// Welch's test between two classes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ClassTest {
    /// `sharpness` or `perplexity`.
    pub metric: String,
    /// First class.
    pub a: String,
    /// Second class.
    pub b: String,
    /// The test; null if a class has less than two values or none varies.
    pub welch: Option<Welch>,
    /// Its p value after Holm's correction over the metric's table.
    pub p_holm: Option<f64>,
}

/// What one response says about its confidence.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Confidence {
    /// Sharpness and unimodality of x and y; null where a coordinate has no key digit.
    pub digits: [Option<(f64, bool)>; 2],
    /// Whether a server left out some of the ten digits of a coordinate.
    pub incomplete: bool,
    /// Perplexity of the output.
    pub perplexity: Option<f64>,
}

impl Confidence {
    /// From a prediction's logits and token log-probabilities.
    pub fn of(digits: Option<&Digits>, token_logprobs: Option<&[f64]>, options: SharpnessOptions) -> Self {
        let partly = |logits: &[Option<f64>]| logits.iter().any(Option::is_none) && logits.iter().any(Option::is_some);
        let incomplete = digits.is_some_and(|d| partly(&d.x) || partly(&d.y));
        let vector = |logits: &[Option<f64>]| {
            let values = normalised(logits, options.norm)?;
            Some((sharpness(&values, options), unimodal(&values)))
        };
        let digits = digits.map_or([None; 2], |d| [vector(&d.x), vector(&d.y)]);
        let perplexity = token_logprobs.filter(|l| !l.is_empty()).map(|l| (-l.iter().sum::<f64>() / l.len() as f64).exp());
        Self { digits, incomplete, perplexity }
    }
}

/// Ten values from ten logits; `None` if there are not ten or all are missing. A missing digit is impossible:
/// probability 0, and under the other norms the smallest logit that is there.
fn normalised(logits: &[Option<f64>], norm: Norm) -> Option<[f64; 10]> {
    let logits: [Option<f64>; 10] = logits.try_into().ok()?;
    let present = || logits.iter().flatten().copied();
    let (low, high) = present().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if low > high {
        return None;
    }
    Some(match norm {
        Norm::Softmax => {
            let powers = logits.map(|v| v.map_or(0.0, |v| (v - high).exp()));
            let sum: f64 = powers.iter().sum();
            powers.map(|p| p / sum)
        }
        Norm::Minmax if high > low => logits.map(|v| (v.unwrap_or(low) - low) / (high - low)),
        Norm::Minmax => [0.0; 10],
        Norm::Raw => logits.map(|v| v.unwrap_or(low)),
    })
}

fn peak(values: &[f64; 10]) -> usize {
    (1..10).fold(0, |best, at| if values[at] > values[best] { at } else { best })
}

/// The score of ten values: height of the peak times the mean slope towards it. The slopes of a side telescope to the
/// difference of its ends.
fn sharpness(values: &[f64; 10], options: SharpnessOptions) -> f64 {
    let (p, m) = (peak(values), values[peak(values)]);
    if p == 0 || p == 9 {
        let slope = (values[9] - values[0]) / 9.0;
        let c = if options.as_printed { 1.0 } else { options.c };
        return c * 2.0 * slope.abs() * m;
    }
    let (left, right) = ((m - values[0]).abs(), (values[9] - m).abs());
    options.c * (left + right) / 9.0 * m
}

/// Whether values rise to the peak and fall after it; equal neighbours are neither.
fn unimodal(values: &[f64; 10]) -> bool {
    let p = peak(values);
    values[..=p].is_sorted() && values[p..].iter().rev().is_sorted()
}

#[derive(Default)]
struct Sums {
    x: Moments,
    y: Moments,
    both: Moments,
    unimodal: u64,
    perplexity: Moments,
}

impl Sums {
    fn add(&mut self, confidence: &Confidence) {
        let [x, y] = confidence.digits;
        x.iter().for_each(|&(x, _)| self.x.add(x));
        y.iter().for_each(|&(y, _)| self.y.add(y));
        let vectors = || x.iter().chain(&y);
        let present = vectors().count();
        if present > 0 {
            self.both.add(vectors().map(|&(sharpness, _)| sharpness).sum::<f64>() / present as f64);
        }
        self.unimodal += vectors().filter(|&&(_, single)| single).count() as u64;
        confidence.perplexity.iter().for_each(|&p| self.perplexity.add(p));
    }

    fn described(&self, class: &str) -> ClassConfidence {
        let spread = |m: Moments| MeanSd { n: m.n, mean: m.mean(), sd: m.sd() };
        ClassConfidence {
            class: class.to_owned(),
            sharpness_x: spread(self.x),
            sharpness_y: spread(self.y),
            sharpness: spread(self.both),
            unimodal: Proportion::plain(self.unimodal, self.x.n + self.y.n),
            perplexity: spread(self.perplexity),
        }
    }
}

/// One model's confidence; classes and confidences are one per target of the dataset, in its order, classes null for
/// absent and further targets.
pub fn confidence_model(
    dataset: &Dataset,
    predictions: PredictionFacts,
    outcomes: &[Outcome],
    classes: &[Option<Class>],
    confidences: &[Confidence],
) -> ConfidenceModel {
    let names = super::icons::class_names(dataset);
    let mut sums: Vec<Sums> = names.iter().map(|_| Sums::default()).collect();
    let mut all = Sums::default();
    let mut incomplete = 0;
    for (class, confidence) in classes.iter().zip(confidences) {
        if let Some(at) = class.and_then(|class| names.iter().position(|&n| n == class)) {
            sums[at].add(confidence);
            all.add(confidence);
            incomplete += u64::from(confidence.incomplete);
        }
    }
    let mut tests = Vec::new();
    for (metric, value) in [("sharpness", (|s: &Sums| s.both) as fn(&Sums) -> Moments), ("perplexity", |s| s.perplexity)] {
        let first = tests.len();
        for (at, a) in names.iter().enumerate() {
            for (b_at, b) in names.iter().enumerate().skip(at + 1) {
                let test = welch(value(&sums[at]), value(&sums[b_at]));
                tests.push(ClassTest {
                    metric: metric.to_owned(),
                    a: a.name().to_owned(),
                    b: b.name().to_owned(),
                    welch: test,
                    p_holm: None,
                });
            }
        }
        let tested: Vec<usize> = (first..tests.len()).filter(|&t| tests[t].welch.is_some()).collect();
        let corrected = holm(&tested.iter().filter_map(|&t| Some(tests[t].welch?.p)).collect::<Vec<_>>());
        tested.iter().zip(corrected).for_each(|(&t, p)| tests[t].p_holm = Some(p));
    }
    let present = classes.iter().flatten().count() as u64;
    let described = names.iter().zip(&sums).map(|(n, s)| s.described(n.name())).chain([all.described("all")]);
    ConfidenceModel {
        predictions,
        statuses: statuses(&counted_by_cluster(dataset), outcomes),
        with_digits: Proportion::plain(all.both.n, present),
        incomplete_digits: incomplete,
        with_perplexity: Proportion::plain(all.perplexity.n, present),
        classes: described.collect(),
        tests,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(logits: [f64; 10], options: SharpnessOptions) -> f64 {
        sharpness(&normalised(&logits.map(Some), options.norm).unwrap(), options)
    }

    #[test]
    fn a_one_hot_scores_one_wherever_its_peak_is() {
        for p in 0..10 {
            let mut logits = [-1000.0; 10];
            logits[p] = 10.0;
            assert!((score(logits, SharpnessOptions::default()) - 1.0).abs() < 1e-12, "{p}");
        }
        assert_eq!(score([3.0; 10], SharpnessOptions::default()), 0.0);
    }

    /// The algorithm step by step, with slopes averaged one by one, in Python.
    #[test]
    fn scores_are_those_of_the_algorithm_as_written() {
        let logits = [0.1, 0.4, 0.2, 1.5, 3.0, 2.5, 0.3, 0.2, 0.9, 0.1];
        let check =
            |options: SharpnessOptions, expected: f64| assert!((score(logits, options) - expected).abs() < 1e-9, "{options:?}");
        check(SharpnessOptions::default(), STEP_BY_STEP[0]);
        check(SharpnessOptions { norm: Norm::Raw, c: 1.0, as_printed: true }, STEP_BY_STEP[1]);
        check(SharpnessOptions { norm: Norm::Minmax, c: 2.0, as_printed: true }, STEP_BY_STEP[2]);
        let falling = [3.0, 2.5, 1.5, 0.9, 0.4, 0.3, 0.2, 0.2, 0.1, 0.1];
        let printed = SharpnessOptions { norm: Norm::Raw, c: 7.0, as_printed: true };
        assert!((score(falling, printed) - STEP_BY_STEP[3]).abs() < 1e-9, "no C on the border");
    }
    const STEP_BY_STEP: [f64; 4] = [0.17477407433512052, 1.9333333333333336, 0.4444444444444444, 1.9333333333333336];

    #[test]
    fn one_peak_or_several() {
        let single = |logits: [f64; 10]| unimodal(&normalised(&logits.map(Some), Norm::Softmax).unwrap());
        assert!(single([0.0, 1.0, 2.0, 5.0, 4.0, 4.0, 1.0, 0.0, 0.0, -1.0]));
        assert!(!single([0.0, 1.0, 0.5, 5.0, 4.0, 4.0, 1.0, 0.0, 0.0, -1.0]));
        assert!(single([9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0]));
    }

    #[test]
    fn missing_digits_are_impossible_and_flagged() {
        let mut logits = vec![None; 10];
        logits[4] = Some(-0.1);
        let digits = Digits { x: logits.clone(), y: logits };
        let found = Confidence::of(Some(&digits), Some(&[-0.2, -0.4]), SharpnessOptions::default());
        assert!(found.incomplete);
        assert!((found.digits[0].unwrap().0 - 1.0).abs() < 1e-12);
        assert!((found.perplexity.unwrap() - 0.3_f64.exp()).abs() < 1e-12);
        assert_eq!(
            Confidence::of(Some(&Digits { x: vec![None; 10], y: vec![None; 10] }), None, SharpnessOptions::default()).digits,
            [None, None]
        );
    }
}
