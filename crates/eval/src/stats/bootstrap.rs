//! The cluster bootstrap.
//!
//! Clusters that hold the same counts are interchangeable, so a resample is a multinomial draw over the distinct
//! counts: the same distribution as drawing clusters one by one, at a cost that depends on how many different clusters
//! there are, not on how many.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Binomial, Distribution};

/// How to resample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// Resamples to draw.
    pub resamples: u32,
    /// The same seed gives the same intervals.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { resamples: 1000, seed: 0 }
    }
}

/// A binomial draw costs about as much as this many draws of a single cluster.
const BINOMIAL_COST: u64 = 16;

impl Bootstrap {
    /// The percentile interval (2.5 and 97.5 %) of a statistic. `counts[i]` clusters are of the i-th kind; the
    /// statistic gets how many of each kind a resample holds, and says `None` for a resample in which it is not
    /// defined, which is then left out.
    ///
    /// `None` if there are no clusters or the statistic is never defined.
    pub fn interval(self, counts: &[u64], mut statistic: impl FnMut(&[u64]) -> Option<f64>) -> Option<[f64; 2]> {
        let clusters: u64 = counts.iter().sum();
        if clusters == 0 {
            return None;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut drawn = vec![0_u64; counts.len()];
        let mut values = Vec::with_capacity(self.resamples as usize);
        let kind_of_cluster: Option<Vec<u32>> = (clusters < BINOMIAL_COST * counts.len() as u64)
            .then(|| counts.iter().enumerate().flat_map(|(kind, &n)| std::iter::repeat_n(kind as u32, n as usize)).collect());
        for _ in 0..self.resamples {
            match &kind_of_cluster {
                Some(kinds) => {
                    drawn.fill(0);
                    for _ in 0..clusters {
                        drawn[kinds[below(&mut rng, clusters)] as usize] += 1;
                    }
                }
                None => multinomial(&mut rng, counts, clusters, &mut drawn),
            }
            values.extend(statistic(&drawn).filter(|v| v.is_finite()));
        }
        values.sort_by(f64::total_cmp);
        (!values.is_empty()).then(|| [percentile(&values, 0.025), percentile(&values, 0.975)])
    }

    /// The percentile interval of the mean of values, one per cluster.
    pub fn interval_of_mean(self, values: &[f64]) -> Option<[f64; 2]> {
        let ones = vec![1_u64; values.len()];
        let n = values.len() as f64;
        self.interval(&ones, |drawn| Some(drawn.iter().zip(values).map(|(&k, v)| k as f64 * v).sum::<f64>() / n))
    }
}

/// An index below `n`, which is below 2^32: the high half of a product. No index is preferred by more than n / 2^32.
fn below(rng: &mut ChaCha8Rng, n: u64) -> usize {
    ((u64::from(rng.next_u32()) * n) >> 32) as usize
}

/// `total` draws in proportion to `counts`, by one binomial draw per kind.
fn multinomial(rng: &mut ChaCha8Rng, counts: &[u64], total: u64, drawn: &mut [u64]) {
    let (mut left_to_draw, mut weight_left) = (total, total);
    for (slot, &count) in drawn.iter_mut().zip(counts) {
        *slot = match (left_to_draw, weight_left) {
            (0, _) => 0,
            (left, weight) if count >= weight => left,
            (left, weight) => Binomial::new(left, count as f64 / weight as f64).expect("a share within 0..=1").sample(rng),
        };
        left_to_draw -= *slot;
        weight_left -= count;
    }
}

/// The value at a share (0..=1) of sorted values, interpolated linearly as numpy's default does.
///
/// # Panics
/// If there are no values: a bug of the caller.
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * (at - low as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways of drawing give the same distribution: the standard error of a proportion.
    #[test]
    fn intervals_have_the_width_of_theory() {
        let bootstrap = Bootstrap { resamples: 4000, seed: 3 };
        let half_width = |counts: &[u64], hits: &[f64]| {
            let n: u64 = counts.iter().sum();
            let [low, high] = bootstrap
                .interval(counts, |drawn| Some(drawn.iter().zip(hits).map(|(&k, h)| k as f64 * h).sum::<f64>() / n as f64))
                .unwrap();
            (high - low) / 2.0
        };
        let expected = 1.96 * (0.3_f64 * 0.7 / 1000.0).sqrt();
        let two_kinds = half_width(&[300, 700], &[1.0, 0.0]);
        let ones = vec![1; 1000];
        let hits: Vec<f64> = (0..1000).map(|i| f64::from(i < 300)).collect();
        let many_kinds = half_width(&ones, &hits);
        assert!((two_kinds / expected - 1.0).abs() < 0.06, "{two_kinds} against {expected}");
        assert!((many_kinds / expected - 1.0).abs() < 0.06, "{many_kinds} against {expected}");
    }

    #[test]
    fn percentiles_are_those_of_numpy() {
        let values = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(percentile(&values, 0.5), 3.0);
        assert!((percentile(&values, 0.975) - 7.7).abs() < 1e-12);
    }
}
