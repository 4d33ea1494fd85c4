//! A share of samples, with its two intervals.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use super::Bootstrap;

/// Two-sided 95 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Hits among samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Proportion {
    /// Samples that count as right.
    pub hits: u64,
    /// All samples.
    pub n: u64,
    /// `hits / n`; null without samples.
    pub value: Option<f64>,
    /// Wilson score interval, 95 %.
    pub wilson: Option<[f64; 2]>,
    /// Bootstrap interval, 95 %, resampled by cluster (a target, or a task).
    pub bootstrap: Option<[f64; 2]>,
}

impl Proportion {
    /// Without a bootstrap interval.
    pub fn plain(hits: u64, n: u64) -> Self {
        Self { hits, n, value: (n > 0).then(|| hits as f64 / n as f64), wilson: wilson(hits, n), bootstrap: None }
    }
}

/// Wilson score interval, 95 %, of `hits` among `n`; `None` if n is 0.
pub fn wilson(hits: u64, n: u64) -> Option<[f64; 2]> {
    if n == 0 {
        return None;
    }
    let (p, n) = (hits as f64 / n as f64, n as f64);
    let middle = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt() / (1.0 + Z * Z / n);
    Some([(middle - half).max(0.0), (middle + half).min(1.0)])
}

/// Counts hits and samples per cluster.
///
/// Samples of a cluster must come one after another: what is kept is how many clusters have which counts.
#[derive(Clone, Debug, Default)]
pub struct ClusterTally {
    current: Option<u32>,
    hits_here: u32,
    n_here: u32,
    kinds: BTreeMap<(u32, u32), u64>,
    hits: u64,
    n: u64,
}

impl ClusterTally {
    /// Counts a sample.
    pub fn add(&mut self, cluster: u32, hit: bool) {
        if self.current != Some(cluster) {
            self.close_cluster();
            self.current = Some(cluster);
        }
        self.hits_here += u32::from(hit);
        self.n_here += 1;
    }

    fn close_cluster(&mut self) {
        if self.current.take().is_some() {
            *self.kinds.entry((self.hits_here, self.n_here)).or_default() += 1;
            self.hits += u64::from(self.hits_here);
            self.n += u64::from(self.n_here);
            (self.hits_here, self.n_here) = (0, 0);
        }
    }

    /// The share of hits.
    pub fn proportion(mut self, bootstrap: Bootstrap) -> Proportion {
        self.close_cluster();
        let kinds: Vec<((u32, u32), u64)> = self.kinds.into_iter().collect();
        let counts: Vec<u64> = kinds.iter().map(|k| k.1).collect();
        let interval = bootstrap.interval(&counts, |drawn| {
            let (hits, n) = drawn
                .iter()
                .zip(&kinds)
                .fold((0, 0), |(hits, n), (&times, &((h, m), _))| (hits + times * u64::from(h), n + times * u64::from(m)));
            (n > 0).then(|| hits as f64 / n as f64)
        });
        Proportion { bootstrap: interval, ..Proportion::plain(self.hits, self.n) }
    }

    /// The mean of the shares of several groups, each weighing the same, and its bootstrap interval. Clusters are
    /// resampled over all groups together; a group that a resample misses is left out of its mean.
    pub fn macro_mean(groups: Vec<Self>, bootstrap: Bootstrap) -> (Option<f64>, Option<[f64; 2]>) {
        let (mut kinds, mut counts) = (Vec::new(), Vec::new());
        let mut shares = Vec::new();
        for (group, mut tally) in groups.into_iter().enumerate() {
            tally.close_cluster();
            shares.extend((tally.n > 0).then(|| tally.hits as f64 / tally.n as f64));
            for ((hits, n), count) in tally.kinds {
                kinds.push((group, u64::from(hits), u64::from(n)));
                counts.push(count);
            }
        }
        let of_groups = kinds.last().map_or(0, |k| k.0 + 1);
        let mut sums = vec![(0_u64, 0_u64); of_groups];
        let interval = bootstrap.interval(&counts, |drawn| {
            sums.fill((0, 0));
            for (&times, &(group, hits, n)) in drawn.iter().zip(&kinds) {
                sums[group].0 += times * hits;
                sums[group].1 += times * n;
            }
            mean(sums.iter().filter(|s| s.1 > 0).map(|s| s.0 as f64 / s.1 as f64))
        });
        (mean(shares.into_iter()), interval)
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0_u32), |(sum, n), v| (sum + v, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// statsmodels `proportion_confint(hits, n, method="wilson")`.
    #[test]
    fn wilson_intervals_are_those_of_statsmodels() {
        let check = |hits, n, expected: [f64; 2]| {
            let found = wilson(hits, n).unwrap();
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{hits}/{n}: {found:?}");
        };
        check(20, 24, [0.6414692935030094, 0.9332132367136706]);
        check(0, 10, [0.0, 0.27753279986288926]);
        check(7, 7, [0.6456695649333125, 1.0]);
        assert_eq!(wilson(0, 0), None);
    }

    /// Ten clusters of ten equal samples carry the information of ten samples.
    #[test]
    fn clusters_widen_the_bootstrap_interval() {
        let tally = |clusters: u32| {
            let mut tally = ClusterTally::default();
            for sample in 0..100 {
                tally.add(sample * clusters / 100, (sample * 10 / 100) % 2 == 0);
            }
            tally.proportion(Bootstrap::default())
        };
        let width = |p: Proportion| p.bootstrap.map(|[low, high]| high - low).unwrap();
        let (alone, clustered) = (tally(100), tally(10));
        assert_eq!((alone.hits, clustered.hits, clustered.n), (50, 50, 100));
        assert!(width(clustered) > 2.5 * width(alone));
    }

    #[test]
    fn the_macro_mean_weighs_groups_equally() {
        let group = |hits: u32, n: u32| {
            let mut tally = ClusterTally::default();
            (0..n).for_each(|i| tally.add(i, i < hits));
            tally
        };
        let (mean, interval) =
            ClusterTally::macro_mean(vec![group(1, 2), group(90, 100), ClusterTally::default()], Bootstrap::default());
        assert!((mean.unwrap() - 0.7).abs() < 1e-12);
        let [low, high] = interval.unwrap();
        assert!(low < 0.7 && 0.7 < high && low < 0.5, "{interval:?}");
    }
}
