//! How evenly the conditions of a sweep are filled: what a knob moves differs between them, everything else should not.

use std::collections::BTreeMap;

use serde::Serialize;

use super::stats::{ConditionStats, Stats};

/// By sweep, then by table of `stats.json`: the largest distance between two of the sweep's conditions. Distance is the
/// share of scenes that would have to move to another row for the two tables to be equal (total variation): 0 equal, 1
/// nothing in common.
pub type Balance = BTreeMap<String, BTreeMap<&'static str, f64>>;

/// `stats.json`: the counts and what follows from them.
#[derive(Serialize)]
pub(super) struct StatsFile<'a> {
    #[serde(flatten)]
    pub(super) stats: &'a Stats,
    /// Left out where no sweep has two conditions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) balance: Balance,
}

/// The balance of every sweep with at least two conditions.
pub fn balance(stats: &Stats) -> Balance {
    let mut sweeps: BTreeMap<&str, Vec<&ConditionStats>> = BTreeMap::new();
    for condition in stats.conditions.values() {
        if let Some(sweep) = &condition.sweep {
            sweeps.entry(sweep).or_default().push(condition);
        }
    }
    sweeps.retain(|_, conditions| conditions.len() > 1);
    let measured = sweeps.into_iter().map(|(sweep, conditions)| {
        let tables = conditions[0].tables().map(|(name, _)| name);
        let widest = tables.map(|name| (name, widest(&conditions, name)));
        (sweep.to_owned(), widest.into_iter().collect())
    });
    measured.collect()
}

/// The largest distance between two conditions' tables of this name, to four digits.
fn widest(conditions: &[&ConditionStats], name: &str) -> f64 {
    let table = |c: &ConditionStats| c.tables().into_iter().find(|(n, _)| *n == name).map(|(_, table)| table.clone());
    let tables: Vec<BTreeMap<String, u64>> = conditions.iter().filter_map(|c| table(c)).collect();
    let pairs = tables.iter().enumerate().flat_map(|(at, a)| tables[at + 1..].iter().map(move |b| (a, b)));
    let largest = pairs.map(|(a, b)| distance(a, b)).fold(0.0, f64::max);
    (largest * 10_000.0).round() / 10_000.0
}

/// Total variation distance of two tables of counts; an empty one is far from any other.
fn distance(a: &BTreeMap<String, u64>, b: &BTreeMap<String, u64>) -> f64 {
    let total = |table: &BTreeMap<String, u64>| table.values().sum::<u64>();
    match (total(a), total(b)) {
        (0, 0) => 0.0,
        (0, _) | (_, 0) => 1.0,
        (all_a, all_b) => {
            let share =
                |table: &BTreeMap<String, u64>, key: &str, all: u64| table.get(key).copied().unwrap_or(0) as f64 / all as f64;
            let only_b = b.keys().filter(|key| !a.contains_key(*key));
            a.keys().chain(only_b).map(|key| (share(a, key, all_a) - share(b, key, all_b)).abs()).sum::<f64>() / 2.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(&str, u64)]) -> BTreeMap<String, u64> {
        rows.iter().map(|&(key, count)| (key.to_owned(), count)).collect()
    }

    #[test]
    fn distances() {
        let (a, b) = (table(&[("x", 3), ("y", 1)]), table(&[("x", 1), ("y", 1), ("z", 2)]));
        assert!((distance(&a, &b) - 0.5).abs() < 1e-12, "half of the scenes would move");
        assert!((distance(&b, &a) - 0.5).abs() < 1e-12);
        assert!(distance(&a, &table(&[("x", 6), ("y", 2)])).abs() < 1e-12, "shares count, not numbers");
        assert!((distance(&a, &table(&[("w", 1)])) - 1.0).abs() < 1e-12);
        assert!((distance(&a, &table(&[])) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn only_sweeps_of_several_conditions_have_a_balance() {
        let mut stats = Stats::default();
        for (name, sweep, windows) in
            [("a", Some("s"), "2"), ("b", Some("s"), "3"), ("alone", Some("t"), "1"), ("none", None, "1")]
        {
            let condition =
                ConditionStats { sweep: sweep.map(str::to_owned), windows: table(&[(windows, 5)]), ..Default::default() };
            stats.conditions.insert(name.to_owned(), condition);
        }
        let balance = balance(&stats);
        assert_eq!(balance.keys().collect::<Vec<_>>(), ["s"]);
        assert!((balance["s"]["windows"] - 1.0).abs() < 1e-12);
        assert!(balance["s"]["wallpaper"].abs() < 1e-12);
    }
}
