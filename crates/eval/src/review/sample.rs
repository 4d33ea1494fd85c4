//! Which samples are reviewed.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::truth::{Dataset, Name};

/// Up to `n` targets that are there and promised by their conditions, as many of every condition as possible, in the
/// order of the dataset. A larger `n` with the same seed keeps the samples of a smaller one.
pub fn sample(dataset: &Dataset, n: usize, seed: u64) -> Vec<u32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Every target has a rank of its own, so that n decides only how many are taken.
    let mut ranked: Vec<(u64, u32)> = Vec::new();
    for (at, target) in dataset.targets.iter().enumerate() {
        let rank = rng.random::<u64>();
        if target.counts() {
            ranked.push((rank, at as u32));
        }
    }
    ranked.sort_unstable();
    let condition = |at: u32| dataset.scene(&dataset.targets[at as usize]).condition;
    let mut groups: Vec<(Name, Vec<u32>)> = dataset.conditions.iter().map(|&name| (name, Vec::new())).collect();
    for (_, at) in ranked {
        groups.iter_mut().filter(|(name, _)| *name == condition(at)).for_each(|(_, members)| members.push(at));
    }
    let longest = groups.iter().map(|(_, members)| members.len()).max().unwrap_or(0);
    let mut chosen: Vec<u32> = (0..longest)
        .flat_map(|round| groups.iter().filter_map(move |(_, members)| members.get(round).copied()))
        .take(n)
        .collect();
    chosen.sort_unstable();
    chosen
}

/// The order in which a rater sees `count` samples; every rater has another one, so that nobody's tiredness falls on
/// the same samples.
pub(super) fn order(count: usize, seed: u64, rater: u32) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(u64::from(rater));
    let mut ranked: Vec<(u64, usize)> = (0..count).map(|at| (rng.random(), at)).collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, at)| at).collect()
}
