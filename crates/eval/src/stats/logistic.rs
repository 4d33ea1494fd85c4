//! Logistic regression by iteratively reweighted least squares, with standard errors that respect clusters.

use nalgebra::{DMatrix, DVector};
use statrs::distribution::{ContinuousCDF, Normal};

/// A fitted coefficient, on the log-odds scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficient {
    /// Change of the log-odds per unit.
    pub estimate: f64,
    /// Standard error, robust to clusters (sandwich with the correction G/(G-1) * (n-1)/(n-k)).
    pub se: f64,
    /// Two-sided p value (normal).
    pub p: f64,
}

/// A fitted model.
#[derive(Clone, Debug, PartialEq)]
pub struct LogisticFit {
    /// Intercept first, then one per column.
    pub coefficients: Vec<Coefficient>,
    /// Log-likelihood at the fit.
    pub log_likelihood: f64,
    /// Clusters.
    pub clusters: usize,
}

/// Why a model could not be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFitted {
    /// Fewer rows or clusters than coefficients.
    #[error("too few samples")]
    TooFew,
    /// All samples are hits, or none is.
    #[error("every sample has the same outcome")]
    OneOutcome,
    /// A column is a combination of others.
    #[error("factors are collinear")]
    Collinear,
    /// A factor tells hits and misses apart without error, so its odds ratio has no bound.
    #[error("a factor separates hits from misses completely")]
    Separated,
}

/// Log-odds between a column's extremes that no data of ours can tell from infinity.
const RUNAWAY: f64 = 15.0;

/// Fits `hit ~ 1 + columns`. `values` holds `columns` numbers per sample, row-major; `cluster` tells which samples
/// belong together.
///
/// # Errors
/// If the data determine no finite fit.
pub fn fit_logistic(values: &[f64], columns: usize, hits: &[bool], cluster: &[u32]) -> Result<LogisticFit, NotFitted> {
    let n = hits.len();
    let k = columns + 1;
    let mut distinct = cluster.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    if n <= k || distinct.len() <= k {
        return Err(NotFitted::TooFew);
    }
    if hits.iter().all(|&h| h) || hits.iter().all(|&h| !h) {
        return Err(NotFitted::OneOutcome);
    }
    let x = |row: usize, column: usize| if column == 0 { 1.0 } else { values[row * columns + column - 1] };
    let mut beta = DVector::<f64>::zeros(k);
    let mut previous = f64::NEG_INFINITY;
    for _ in 0..60 {
        let (mut information, mut score, mut log_likelihood) = (DMatrix::<f64>::zeros(k, k), DVector::<f64>::zeros(k), 0.0);
        for (row, &hit) in hits.iter().enumerate() {
            let p = probability(&beta, |c| x(row, c));
            let y = f64::from(u8::from(hit));
            log_likelihood += if hit { p.ln() } else { (1.0 - p).ln() };
            for a in 0..k {
                score[a] += x(row, a) * (y - p);
                for b in 0..=a {
                    information[(a, b)] += x(row, a) * x(row, b) * p * (1.0 - p);
                }
            }
        }
        information.fill_upper_triangle_with_lower_triangle();
        let Some(cholesky) = information.clone().cholesky().filter(|c| well_conditioned(&information, &c.l())) else {
            // The information also vanishes where the fit runs away to certainty.
            return Err(if beta.amax() > 8.0 { NotFitted::Separated } else { NotFitted::Collinear });
        };
        if (log_likelihood - previous).abs() < 1e-10 * (1.0 + log_likelihood.abs()) {
            if (1..k).any(|c| (beta[c] * range(values.iter().skip(c - 1).step_by(columns))).abs() > RUNAWAY) {
                return Err(NotFitted::Separated);
            }
            let coefficients = coefficients(&beta, &cholesky.inverse(), n, distinct.len(), hits, cluster, x);
            return Ok(LogisticFit { coefficients, log_likelihood, clusters: distinct.len() });
        }
        previous = log_likelihood;
        beta += cholesky.solve(&score);
        if !beta.iter().all(|b| b.is_finite()) {
            return Err(NotFitted::Separated);
        }
    }
    Err(NotFitted::Separated)
}

fn range<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(*v), high.max(*v)));
    high - low
}

fn probability(beta: &DVector<f64>, x: impl Fn(usize) -> f64) -> f64 {
    let eta: f64 = (0..beta.len()).map(|c| x(c) * beta[c]).sum();
    // Kept off 0 and 1 so that the likelihood stays finite.
    (1.0 / (1.0 + (-eta).exp())).clamp(1e-12, 1.0 - 1e-12)
}

/// Whether no column's part that the others do not explain is lost in rounding.
fn well_conditioned(information: &DMatrix<f64>, l: &DMatrix<f64>) -> bool {
    (0..l.nrows()).all(|i| l[(i, i)] * l[(i, i)] > 1e-9 * information[(i, i)])
}

fn coefficients(
    beta: &DVector<f64>,
    bread: &DMatrix<f64>,
    n: usize,
    clusters: usize,
    hits: &[bool],
    cluster: &[u32],
    x: impl Fn(usize, usize) -> f64,
) -> Vec<Coefficient> {
    let k = beta.len();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&row| cluster[row]);
    let mut meat = DMatrix::<f64>::zeros(k, k);
    for group in order.chunk_by(|&a, &b| cluster[a] == cluster[b]) {
        let mut score = DVector::<f64>::zeros(k);
        for &row in group {
            let residual = f64::from(u8::from(hits[row])) - probability(beta, |c| x(row, c));
            (0..k).for_each(|c| score[c] += x(row, c) * residual);
        }
        meat += &score * score.transpose();
    }
    let (n, g) = (n as f64, clusters as f64);
    let covariance = bread * meat * bread * (g / (g - 1.0) * (n - 1.0) / (n - k as f64));
    let normal = Normal::standard();
    (0..k)
        .map(|c| {
            let se = covariance[(c, c)].max(0.0).sqrt();
            Coefficient { estimate: beta[c], se, p: 2.0 * normal.sf((beta[c] / se).abs()) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data() -> (Vec<Vec<f64>>, Vec<bool>, Vec<u32>) {
        // A fixed, irregular pattern that is easy to write down elsewhere.
        let rows: Vec<Vec<f64>> = (0..60_u32).map(|i| vec![f64::from(i * 37 % 60) / 60.0, f64::from(i % 4)]).collect();
        let hits = (0..60_u32).map(|i| (i * 37 % 60) + 13 * (i * i % 7) > 50).collect();
        (rows, hits, (0..60).map(|i| i / 3).collect())
    }

    /// statsmodels `Logit(y, add_constant(x)).fit(cov_type="cluster", cov_kwds={"groups": g})`.
    #[test]
    fn fit_is_that_of_statsmodels() {
        let (rows, hits, cluster) = data();
        let fit = fit_logistic(&rows.concat(), 2, &hits, &cluster).unwrap();
        for (found, expected) in fit.coefficients.iter().zip(LOGIT) {
            assert!((found.estimate - expected[0]).abs() < 1e-6, "{found:?} {expected:?}");
            assert!((found.se - expected[1]).abs() < 1e-6, "{found:?} {expected:?}");
            assert!((found.p - expected[2]).abs() < 1e-6, "{found:?} {expected:?}");
        }
    }
    const LOGIT: [[f64; 3]; 3] = [
        [-1.6045367089590807, 0.8536806925153098, 0.06016924719899645],
        [4.662420304606379, 1.2410566007858062, 0.00017208947907870062],
        [-0.07770700507677296, 0.33523580715362117, 0.8166948747266292],
    ];

    #[test]
    fn data_that_determine_no_fit_are_named() {
        let (rows, hits, cluster) = data();
        let check = |rows: &[Vec<f64>], hits: &[bool], expected| {
            assert_eq!(fit_logistic(&rows.concat(), rows[0].len(), hits, &cluster[..rows.len()]), Err(expected))
        };
        check(&rows[..3], &hits[..3], NotFitted::TooFew);
        check(&rows, &[true; 60], NotFitted::OneOutcome);
        let twice: Vec<Vec<f64>> = rows.iter().map(|r| vec![r[0], r[0]]).collect();
        check(&twice, &hits, NotFitted::Collinear);
        let oracle: Vec<Vec<f64>> = hits.iter().map(|&h| vec![f64::from(u8::from(h))]).collect();
        check(&oracle, &hits, NotFitted::Separated);
    }
}
