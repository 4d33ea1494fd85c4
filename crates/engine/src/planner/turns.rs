//! Whose turn it is: in which order windows fill up a scene.
//!
//! First come those of the scene's rota ([`super::rota`]). The others stand on a circle in one keyed order for a
//! stretch of indices. Each scene begins at a place of its own, and the places of a session's scenes are spread evenly
//! ([`SampleKey::spread`]).

use std::sync::Arc;

use windesk_model::index::{TargetIndex, WindowIndex};
use windesk_model::key::{Decision, SampleKey};

use crate::pack::Asking;

/// Indices that share one rota and one order of the circle.
pub(super) const STRETCH: u64 = 128;

/// What an index asks for, and who fills its scene up.
#[derive(Clone, Debug)]
pub(super) struct Picked {
    pub(super) target: TargetIndex,
    /// How; nothing where others find the words.
    pub(super) asking: Option<Asking>,
    pub(super) turns: Turns,
}

/// The order of windows in one scene.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    /// Those that come first, in order.
    first: Arc<[WindowIndex]>,
    stretch: SampleKey,
    /// Where on the circle the scene begins: a part of it, in 2^-64.
    start: u64,
}

impl Turns {
    /// The turns on the circle alone.
    pub(super) fn new(key: SampleKey, start: u64) -> Self {
        Self { first: Arc::default(), stretch: SampleKey { index: key.index / STRETCH, draw: 0, ..key }, start }
    }

    /// The same after these windows.
    pub(super) fn after(self, first: Arc<[WindowIndex]>) -> Self {
        Self { first, ..self }
    }

    /// The windows that come first, in order.
    pub(super) fn first(&self) -> &[WindowIndex] {
        &self.first
    }

    /// A window's turn, by its stable number: sorting by it gives the order.
    pub(super) fn of_window(&self, window: WindowIndex, stable_id: u64) -> u128 {
        match self.first.iter().position(|&first| first == window) {
            Some(at) => at as u128,
            None => self.of(stable_id),
        }
    }

    /// The turn of a thing that is not among those that come first.
    pub(super) fn of(&self, stable_id: u64) -> u128 {
        let on_circle = self.stretch.rank(Decision::ProgramRank, stable_id).wrapping_sub(self.start);
        u128::from(on_circle) + self.first.len() as u128
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(index: u64, first: &[WindowIndex]) -> Vec<u32> {
        let turns = Turns::new(SampleKey { seed: 3, index, draw: 9 }, 0).after(first.into());
        let mut order: Vec<u32> = (0..30).collect();
        order.sort_by_key(|&window| turns.of_window(WindowIndex(window as _), u64::from(window)));
        order
    }

    #[test]
    fn company_changes_from_stretch_to_stretch() {
        assert_eq!(order(0, &[]), order(STRETCH - 1, &[]));
        assert_ne!(order(0, &[]), order(STRETCH, &[]));
    }

    #[test]
    fn a_rota_comes_before_the_circle() {
        let first = [WindowIndex(7), WindowIndex(3)];
        let circle: Vec<u32> = order(0, &[]).into_iter().filter(|window| ![7, 3].contains(window)).collect();
        assert_eq!(order(0, &first), [vec![7, 3], circle].concat());
    }
}
