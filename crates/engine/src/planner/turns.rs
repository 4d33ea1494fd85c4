//! Whose turn it is: in which order windows fill up the scenes of a session, so that all come about equally often.
//!
//! For a stretch of indices, windows stand on a circle in one keyed order. Each scene begins at a place of its own, and
//! the places of a session's scenes are spread evenly ([`SampleKey::spread`]). So a window that a scene has just shown
//! waits until others had their turn. By independent picks, the commonest of a few hundred windows would come about
//! twice as often as the average one.
//!
//! Some windows have less weight than others ([`super::weights`]): they stand further from each scene's beginning.

use typed_index_collections::TiSlice;

use windesk_model::index::{TargetIndex, WindowIndex};
use windesk_model::key::{Decision, SampleKey};

use crate::pack::Asking;

/// Indices after which windows take places anew: the same windows shall not stay neighbours.
const STRETCH: u64 = 64;
/// The weight of windows that have no less than others.
pub(super) const MOST_WEIGHT: u32 = 1000;

/// What an index asks for, and where on the circle its scene begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked<'a> {
    pub(super) target: TargetIndex,
    /// How; nothing where others find the words.
    pub(super) asking: Option<Asking>,
    pub(super) turns: Turns<'a>,
}

/// The order of windows in one scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns<'a> {
    stretch: SampleKey,
    /// Where the scene begins: a part of the circle, in 2^-64.
    start: u64,
    /// Of each window, 1 to 1000; nothing where all have the same.
    weights: Option<&'a TiSlice<WindowIndex, u32>>,
}

impl<'a> Turns<'a> {
    pub(super) fn new(key: SampleKey, start: u64, weights: Option<&'a TiSlice<WindowIndex, u32>>) -> Self {
        Self { stretch: SampleKey { seed: key.seed, index: key.index / STRETCH, draw: 0 }, start, weights }
    }

    /// How far from the scene's beginning a thing with this stable number stands: sorting by it gives the order.
    pub(super) fn of(self, stable_id: u64) -> u128 {
        u128::from(self.stretch.rank(Decision::ProgramRank, stable_id).wrapping_sub(self.start))
    }

    /// The same for a window, which stands the further the less weight it has.
    pub(super) fn of_window(self, window: WindowIndex, stable_id: u64) -> u128 {
        let weight = self.weights.map_or(MOST_WEIGHT, |weights| weights[window]);
        self.of(stable_id) * u128::from(MOST_WEIGHT) / u128::from(weight)
    }

    /// The turns on the other side of the circle: for windows that do more in a scene than fill it up.
    pub(super) fn opposite(self) -> Self {
        Self { start: self.start.wrapping_add(1 << 63), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each of 95 windows is among the first ten in the scenes of a session that has 22 % of 500 indices.
    fn counts(seed: u64, even: bool) -> Vec<u32> {
        const ARC: u64 = u64::MAX / 100 * 22;
        let mut counts = vec![0; 95];
        for index in 0..500 {
            let key = SampleKey { seed, index, draw: 0 };
            let spread = key.spread(Decision::SessionTurn);
            if spread < ARC {
                let turns = Turns::new(key, (u128::from(spread) * u128::from(u64::MAX) / u128::from(ARC)) as u64, None);
                let turn = |window: &u64| {
                    if even { turns.of(*window) } else { u128::from(key.rank(Decision::ProgramRank, *window)) }
                };
                let mut order: Vec<u64> = (0..95).collect();
                order.sort_by_key(turn);
                order[..10].iter().for_each(|&window| counts[window as usize] += 1);
            }
        }
        counts
    }

    #[test]
    fn windows_come_more_evenly_than_by_chance() {
        let most = |even| (0..8).map(|seed| counts(seed, even).into_iter().max().unwrap()).max().unwrap();
        let least = |even| (0..8).map(|seed| counts(seed, even).into_iter().min().unwrap()).min().unwrap();
        assert!(most(true) <= 18 && least(true) >= 6, "{}..{}", least(true), most(true));
        assert!(most(false) > 20 && least(false) < 4, "{}..{}", least(false), most(false));
    }

    #[test]
    fn company_changes_from_stretch_to_stretch() {
        let order = |index: u64| {
            let turns = Turns::new(SampleKey { seed: 3, index, draw: 0 }, 0, None);
            let mut order: Vec<u64> = (0..30).collect();
            order.sort_by_key(|&window| turns.of(window));
            order
        };
        assert_eq!(order(0), order(STRETCH - 1));
        assert_ne!(order(0), order(STRETCH));
        assert!(Turns::new(SampleKey { seed: 3, index: 0, draw: 9 }, 0, None).stretch.draw == 0, "draws of an index share it");
    }
}
