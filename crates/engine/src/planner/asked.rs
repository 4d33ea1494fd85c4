//! Which way a target is asked for: drawn by key among those that the pack knows to be clear.

use windesk_model::condition::Condition;
use windesk_model::index::TargetIndex;
use windesk_model::key::{Decision, SampleKey};

use crate::pack::{Asking, IndexedPack, NeededPart};

/// Slots of [`Decision::Wording`].
pub(super) const OF_TARGET: u64 = 0;
pub(super) const OF_ABSENT: u64 = 1;

/// What is asked in a scene, and what a reader of the words goes by.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) target: TargetIndex,
    pub(super) asking: Asking,
    pub(super) needed: Vec<NeededPart>,
}

impl Asked {
    pub(super) fn new(pack: &IndexedPack, target: TargetIndex, asking: Asking) -> Self {
        Self { target, asking, needed: pack.needed(target, asking) }
    }
}

/// Whether dialogs come with the window that they belong to.
pub(super) fn parents_come(condition: &Condition) -> bool {
    condition.windows[1] > 1
}

/// Which way a target is asked for: one whose words are the same of all its `twins`, drawn by key. Where no title bar
/// shows a context that the words need, as the pack words it.
pub(super) fn choose(
    pack: &IndexedPack,
    key: SampleKey,
    slot: u64,
    target: TargetIndex,
    twins: &[TargetIndex],
    with_parent: bool,
) -> Asking {
    let mut askings = pack.askings(target, with_parent);
    askings.retain(|&asking| {
        let words = pack.words(target, asking);
        twins.iter().all(|&twin| pack.askings(twin, with_parent).contains(&asking) && pack.words(twin, asking) == words)
    });
    if askings.is_empty() {
        return as_worded(pack, target);
    }
    askings[key.stream(Decision::Wording, slot).below(askings.len())]
}

/// The way of asking that the pack names first.
pub(super) fn as_worded(pack: &IndexedPack, target: TargetIndex) -> Asking {
    Asking { wording: pack.index().targets[target].wording, variant: 0 }
}
