//! Whose turn it is: in which order windows fill up the scenes of a session, so that all come about equally often.
//!
//! For a stretch of indices, windows stand on a circle in one keyed order. Each scene begins at a place of its own, and
//! the places of a session's scenes are spread evenly ([`SampleKey::spread`]). So a window that a scene has just shown
//! waits until others had their turn. By independent picks, the commonest of a few hundred windows would come about
//! twice as often as the average one.

use windesk_model::index::TargetIndex;
use windesk_model::key::{Decision, SampleKey};

/// Indices after which windows take places anew: the same windows shall not stay neighbours.
const STRETCH: u64 = 64;

/// What an index asks for, and where on the circle its scene begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked {
    pub(super) target: TargetIndex,
    pub(super) turns: Turns,
}

/// The order of windows in one scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns {
    stretch: SampleKey,
    /// Where the scene begins: a part of the circle, in 2^-64.
    start: u64,
}

impl Turns {
    pub(super) fn new(key: SampleKey, start: u64) -> Self {
        Self { stretch: SampleKey { seed: key.seed, index: key.index / STRETCH, draw: 0 }, start }
    }

    /// How far from the scene's beginning a thing with this stable number stands: sorting by it gives the order. Each
    /// decision has a circle of its own.
    pub(super) fn of(self, decision: Decision, stable_id: u64) -> u64 {
        self.stretch.rank(decision, stable_id).wrapping_sub(self.start)
    }
}
