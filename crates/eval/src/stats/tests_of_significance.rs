//! McNemar's exact test, Holm's correction, Welch's t test.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};

/// Two-sided exact McNemar test for pairs: `only_a` pairs hit in a alone, `only_b` in b alone. 1 if there are none.
pub fn mcnemar_exact(only_a: u64, only_b: u64) -> f64 {
    let n = only_a + only_b;
    if n == 0 {
        return 1.0;
    }
    let flips = Binomial::new(0.5, n).expect("a share within 0..=1");
    (2.0 * flips.cdf(only_a.min(only_b))).min(1.0)
}

/// Holm's step-down correction; the results lie in the order of the input.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut highest = 0.0_f64;
    for (step, &at) in order.iter().enumerate() {
        highest = highest.max(((p_values.len() - step) as f64 * p_values[at]).min(1.0));
        corrected[at] = highest;
    }
    corrected
}

/// Sums from which mean and standard deviation follow (Welford's update).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// How many values.
    pub n: u64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Counts a value.
    pub fn add(&mut self, value: f64) {
        self.n += 1;
        let off = value - self.mean;
        self.mean += off / self.n as f64;
        self.squares += off * (value - self.mean);
    }

    /// The mean, if there are values.
    pub fn mean(self) -> Option<f64> {
        (self.n > 0).then_some(self.mean)
    }

    /// Sample variance (divided by n - 1), if there are two values.
    pub fn variance(self) -> Option<f64> {
        (self.n > 1).then(|| self.squares / (self.n - 1) as f64)
    }

    /// Sample standard deviation, if there are two values.
    pub fn sd(self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }
}

/// Welch's test of two means.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Welch {
    /// First mean minus second, in standard errors.
    pub t: f64,
    /// Degrees of freedom (Welch and Satterthwaite).
    pub df: f64,
    /// Two-sided p value.
    pub p: f64,
}

/// Welch's t test; `None` if a side has less than two values or neither varies.
pub fn welch(a: Moments, b: Moments) -> Option<Welch> {
    let (va, vb) = (a.variance()? / a.n as f64, b.variance()? / b.n as f64);
    let error = va + vb;
    if error <= 0.0 {
        return None;
    }
    let t = (a.mean()? - b.mean()?) / error.sqrt();
    let df = error * error / (va * va / (a.n - 1) as f64 + vb * vb / (b.n - 1) as f64);
    let p = 2.0 * StudentsT::new(0.0, 1.0, df).ok()?.sf(t.abs());
    Some(Welch { t, df, p })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1e-3), "{found}, expected {expected}");
    }

    /// statsmodels `mcnemar([[., a], [b, .]], exact=True).pvalue`.
    #[test]
    fn mcnemar_is_that_of_statsmodels() {
        MCNEMAR.iter().for_each(|&(a, b, p)| close(mcnemar_exact(a, b), p));
    }
    const MCNEMAR: [(u64, u64, f64); 5] =
        [(3, 12, 0.03515625), (10, 10, 1.0), (0, 5, 0.0625), (140, 201, 0.001126535121323456), (0, 0, 1.0)];

    /// statsmodels `multipletests(p, method="holm")`.
    #[test]
    fn holm_is_that_of_statsmodels() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005, 0.6]);
        corrected.iter().zip(HOLM).for_each(|(&found, expected)| close(found, expected));
    }
    const HOLM: [f64; 5] = [0.04, 0.09, 0.09, 0.025, 0.6];

    /// scipy `ttest_ind(a, b, equal_var=False)`.
    #[test]
    fn welch_is_that_of_scipy() {
        let moments = |values: &[f64]| {
            let mut m = Moments::default();
            values.iter().for_each(|&v| m.add(v));
            m
        };
        let found = welch(moments(&[0.9, 0.8, 0.95, 0.7, 0.85, 0.99]), moments(&[0.5, 0.9, 0.3, 0.45])).unwrap();
        close(found.t, WELCH[0]);
        close(found.df, WELCH[1]);
        close(found.p, WELCH[2]);
        assert_eq!(welch(moments(&[1.0]), moments(&[1.0, 2.0])), None);
    }
    const WELCH: [f64; 3] = [2.4232957449709667, 3.689705737616786, 0.07787658789932934];
}
