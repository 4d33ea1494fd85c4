//! Conditions that share base scenes: the same target, wording and wallpaper, with one knob changed.

use std::collections::{BTreeMap, BTreeSet};

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use super::Outcome;
use crate::stats::{Bootstrap, ClusterTally, Proportion, holm, mcnemar_exact};
use crate::truth::{Dataset, Name};

/// The paired analysis of one metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Paired {
    /// `click` or `visible`.
    pub metric: String,
    /// Name of the sweep, or null where the dataset names none.
    pub sweep: Option<String>,
    /// Targets that every condition of the sweep has.
    pub common_targets: u64,
    /// Targets of pairs that some condition lacks; left out of the curve, not of the pairwise rows.
    pub incomplete_targets: u64,
    /// One point per condition, over the common targets.
    pub curve: Vec<CurvePoint>,
    /// Every pair of the sweep's conditions.
    pub pairs: Vec<ConditionPair>,
}

/// A condition's share of hits on the common targets.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CurvePoint {
    /// The condition.
    pub condition: String,
    /// Share of hits.
    pub accuracy: Proportion,
}

/// Two conditions, over the targets that both have.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ConditionPair {
    /// First condition.
    pub a: String,
    /// Second condition.
    pub b: String,
    /// Hits and misses of both, and McNemar's test.
    #[serde(flatten)]
    pub flips: Flips,
}

/// How answers to the same targets differ between two sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Flips {
    /// Targets on both sides.
    pub n: u64,
    /// Hit on both.
    pub both: u64,
    /// Hit on the first only.
    pub only_a: u64,
    /// Hit on the second only.
    pub only_b: u64,
    /// Hit on neither.
    pub neither: u64,
    /// Share of the second minus share of the first.
    pub difference: Option<f64>,
    /// Bootstrap interval of the difference, 95 %, resampled by target.
    pub difference_bootstrap: Option<[f64; 2]>,
    /// McNemar's exact test, two-sided.
    pub p: f64,
    /// The same after Holm's correction over all pairs of this table.
    pub p_holm: f64,
}

/// Compares sides; `samples` gives cluster, first and second outcome, those of a cluster one after another. `p_holm` is
/// still `p`.
pub(super) fn flips(samples: impl Iterator<Item = (u32, bool, bool)>, bootstrap: Bootstrap) -> Flips {
    let (mut both, mut only_a, mut only_b, mut neither) = (0, 0, 0, 0);
    let mut kinds: BTreeMap<(i32, u32), u64> = BTreeMap::new();
    let mut here: Option<(u32, i32, u32)> = None;
    let mut close = |cluster: Option<(u32, i32, u32)>| {
        if let Some((_, difference, n)) = cluster {
            *kinds.entry((difference, n)).or_default() += 1;
        }
    };
    for (cluster, a, b) in samples {
        *match (a, b) {
            (true, true) => &mut both,
            (true, false) => &mut only_a,
            (false, true) => &mut only_b,
            (false, false) => &mut neither,
        } += 1;
        let step = i32::from(b) - i32::from(a);
        here = match here {
            Some((same, difference, n)) if same == cluster => Some((cluster, difference + step, n + 1)),
            other => {
                close(other);
                Some((cluster, step, 1))
            }
        };
    }
    close(here);
    let n = both + only_a + only_b + neither;
    let (kinds, counts): (Vec<(i32, u32)>, Vec<u64>) = kinds.into_iter().unzip();
    let interval = bootstrap.interval(&counts, |drawn| {
        let (sum, n) = drawn.iter().zip(&kinds).fold((0, 0), |(sum, n), (&times, &(difference, size))| {
            (sum + times as i64 * i64::from(difference), n + times * u64::from(size))
        });
        (n > 0).then(|| sum as f64 / n as f64)
    });
    let p = mcnemar_exact(only_a, only_b);
    Flips {
        n,
        both,
        only_a,
        only_b,
        neither,
        difference: (n > 0).then(|| (only_b as f64 - only_a as f64) / n as f64),
        difference_bootstrap: interval,
        p,
        p_holm: p,
    }
}

/// Sets `p_holm` over a table.
pub(super) fn correct<'a>(table: impl Iterator<Item = &'a mut Flips>) {
    let mut table: Vec<&mut Flips> = table.collect();
    let corrected = holm(&table.iter().map(|f| f.p).collect::<Vec<_>>());
    table.iter_mut().zip(corrected).for_each(|(flips, p)| flips.p_holm = p);
}

/// Conditions that share targets, and which they share. The same for all models and metrics.
pub(super) struct Sweep {
    /// Its name; null where the dataset names none.
    name: Option<Name>,
    /// In the dataset's order.
    conditions: Vec<Name>,
    /// A shared target by its cluster, with its index in every condition; null in conditions that lack it. By cluster.
    rows: Vec<(u32, Box<[Option<u32>]>)>,
}

/// A target of a pair. Pairs first, so that what they share comes one after another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Asked {
    pair: Name,
    ordinal: u32,
    condition: Name,
    target: u32,
}

impl Asked {
    fn same_as(&self, other: &Self) -> bool {
        (self.pair, self.ordinal) == (other.pair, other.ordinal)
    }
}

/// All sweeps of a dataset.
pub(super) fn sweeps(dataset: &Dataset, targets: &[u32]) -> Vec<Sweep> {
    let asked = |&at: &u32| {
        let target = &dataset.targets[at as usize];
        let scene = dataset.scene(target);
        Some(Asked { pair: scene.pair?, ordinal: target.ordinal, condition: scene.condition, target: at })
    };
    let mut of_pairs: Vec<Asked> = targets.iter().filter_map(asked).collect();
    of_pairs.sort_unstable();
    let all = linked_conditions(dataset, &of_pairs).into_iter().map(|conditions| {
        let name = dataset.scenes.iter().find(|s| conditions.contains(&s.condition)).and_then(|s| s.sweep);
        let column = |asked: &Asked| conditions.iter().position(|c| *c == asked.condition);
        let row = |same: &[Asked]| {
            let mut row = vec![None; conditions.len()].into_boxed_slice();
            same.iter().for_each(|asked| column(asked).into_iter().for_each(|at| row[at] = Some(asked.target)));
            // A pair's target is the same element everywhere, so that its cluster is too.
            let first = row.iter().flatten().next()?;
            Some((dataset.targets[*first as usize].cluster, row))
        };
        let mut rows: Vec<_> = of_pairs.chunk_by(|a, b| a.same_as(b)).filter_map(row).collect();
        rows.sort_by_key(|(cluster, _)| *cluster);
        Sweep { name, conditions, rows }
    });
    all.collect()
}

/// Conditions that are linked by targets that they share, two at least, in the dataset's order.
fn linked_conditions(dataset: &Dataset, of_pairs: &[Asked]) -> Vec<Vec<Name>> {
    // Nearly all pairs are in the same conditions, so that the set stays small.
    let shared = of_pairs.chunk_by(|a, b| a.same_as(b)).filter(|same| same.len() > 1);
    let links: BTreeSet<Vec<Name>> = shared.map(|same| same.iter().map(|asked| asked.condition).collect()).collect();
    // Each condition is in the group of the first it is linked with; a link joins groups.
    let mut group: Vec<usize> = (0..dataset.conditions.len()).collect();
    let column = |name: Name| dataset.conditions.iter().position(|c| *c == name);
    for linked in links {
        let columns: Vec<usize> = linked.into_iter().filter_map(column).collect();
        let joined: Vec<usize> = columns.iter().map(|&c| group[c]).collect();
        let lowest = joined.iter().copied().min().unwrap_or(0);
        group.iter_mut().filter(|g| joined.contains(g)).for_each(|g| *g = lowest);
    }
    let members = |wanted: usize| {
        let of_group = dataset.conditions.iter().zip(&group).filter(move |(_, g)| **g == wanted);
        of_group.map(|(name, _)| *name).collect::<Vec<Name>>()
    };
    (0..group.len()).map(members).filter(|conditions| conditions.len() > 1).collect()
}

/// The paired analysis of every sweep. `hit` tells whether an outcome counts.
pub(super) fn paired(
    dataset: &Dataset,
    sweeps: &[Sweep],
    outcomes: &[Outcome],
    metric: &str,
    hit: impl Fn(&Outcome) -> bool,
    bootstrap: Bootstrap,
) -> Vec<Paired> {
    sweeps.iter().map(|sweep| paired_conditions(dataset, sweep, outcomes, metric, &hit, bootstrap)).collect()
}

fn paired_conditions(
    dataset: &Dataset,
    Sweep { name, conditions, rows }: &Sweep,
    outcomes: &[Outcome],
    metric: &str,
    hit: impl Fn(&Outcome) -> bool,
    bootstrap: Bootstrap,
) -> Paired {
    let hits = |at: u32| hit(&outcomes[at as usize]);
    let complete = |row: &[Option<u32>]| row.iter().all(Option::is_some);
    let label = |column: usize| dataset.names.text(conditions[column]).to_owned();
    let curve = (0..conditions.len()).map(|column| {
        let mut tally = ClusterTally::default();
        for (cluster, row) in rows.iter().filter(|(_, row)| complete(row)) {
            row[column].iter().for_each(|&at| tally.add(*cluster, hits(at)));
        }
        CurvePoint { condition: label(column), accuracy: tally.proportion(bootstrap) }
    });
    let curve = curve.collect();
    let mut pairs = Vec::new();
    for a in 0..conditions.len() {
        for b in a + 1..conditions.len() {
            let samples = rows.iter().filter_map(|(cluster, row)| Some((*cluster, hits(row[a]?), hits(row[b]?))));
            pairs.push(ConditionPair { a: label(a), b: label(b), flips: flips(samples, bootstrap) });
        }
    }
    correct(pairs.iter_mut().map(|p| &mut p.flips));
    let common = rows.iter().filter(|(_, row)| complete(row)).count() as u64;
    Paired {
        metric: metric.to_owned(),
        sweep: name.map(|name| dataset.names.text(name).to_owned()),
        common_targets: common,
        incomplete_targets: rows.len() as u64 - common,
        curve,
        pairs,
    }
}
