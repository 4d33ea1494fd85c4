//! Similar distractors: other programs ranked by their best eligible window under cosine similarity to a target.
//!
//! Ranking windows directly would give one program five times over, and open menus more often than not.

use std::collections::BTreeMap;

use ndarray::{Array2, Axis};
use typed_index_collections::{TiSlice, TiVec};

use windesk_model::index::{ProgramIndex, TargetIndex};
use windesk_model::instruction::Wording;
use windesk_model::pack_format::SnapState;

use super::Pack;
use super::targets::{NameKeys, Target};
use super::vectors::Vectors;

/// How many programs are kept per target.
pub(super) const MAX_NEIGHBOURS: usize = 16;

/// For each target the best elements of the [`MAX_NEIGHBOURS`] most similar other programs, most similar first.
///
/// `exact`: one unit row per text, as the model gave them.
pub(super) fn rank(
    pack: &Pack,
    keys: &NameKeys,
    targets: &TiSlice<TargetIndex, Target>,
    exact: &Array2<f32>,
) -> TiVec<TargetIndex, Vec<TargetIndex>> {
    let similarity = exact.dot(&exact.t());
    targets
        .iter()
        .map(|target| {
            let row = similarity.index_axis(Axis(0), target.text);
            let mut ranked = ranked_programs(pack, keys, targets, target, |text| f64::from(row[text]));
            ranked.truncate(MAX_NEIGHBOURS);
            ranked
        })
        .collect()
}

/// [`rank`] for a part of a pack's targets, while scenes are made, from the vectors that the pack holds.
pub(super) fn rank_part(
    pack: &Pack,
    keys: &NameKeys,
    targets: &TiSlice<TargetIndex, Target>,
    vectors: &Vectors,
) -> TiVec<TargetIndex, Vec<TargetIndex>> {
    let mut asking: BTreeMap<usize, Vec<TargetIndex>> = BTreeMap::new();
    for (at, target) in targets.iter_enumerated() {
        asking.entry(target.text).or_default().push(at);
    }
    let texts: Vec<usize> = asking.keys().copied().collect();
    let mut column = vec![0; texts.last().map_or(0, |last| last + 1)];
    texts.iter().enumerate().for_each(|(at, &text)| column[text] = at);
    let mut ranked: TiVec<TargetIndex, _> = vec![Vec::new(); targets.len()].into();
    vectors.each_with_all(&texts, |place, cosines| {
        for &target in &asking[&texts[place]] {
            let mut list = ranked_programs(pack, keys, targets, &targets[target], |other| cosines[column[other]]);
            list.truncate(MAX_NEIGHBOURS);
            ranked[target] = list;
        }
    });
    ranked
}

/// The best eligible element of every other program, most similar first. `similarity` is that of a text to the
/// target's.
pub(super) fn ranked_programs(
    pack: &Pack,
    keys: &NameKeys,
    targets: &TiSlice<TargetIndex, Target>,
    target: &Target,
    similarity: impl Fn(usize) -> f64,
) -> Vec<TargetIndex> {
    let own = &pack.windows[target.window];
    let own_name = &pack.programs[own.program].record.name;
    let twin = (target.wording == Wording::Brief).then(|| keys.of_element[target.window][target.element]).flatten();
    let mut best: TiVec<ProgramIndex, Option<(TargetIndex, f64)>> = vec![None; pack.programs.len()].into();
    let mut window_fits = (None, false);
    for (at, other) in targets.iter_enumerated() {
        if window_fits.0 != Some(other.window) {
            let window = &pack.windows[other.window];
            let other_program = window.program != own.program && pack.programs[window.program].record.name != *own_name;
            let holds_twin = twin.is_some() && keys.of_element[other.window].contains(&twin);
            window_fits = (
                Some(other.window),
                other_program && !window.has_popup() && !window.modal && window.snap == SnapState::Floating && !holds_twin,
            );
        }
        if window_fits.1 {
            let cosine = similarity(other.text).clamp(-1.0, 1.0);
            let slot = &mut best[pack.windows[other.window].program];
            if slot.is_none_or(|(_, held)| cosine > held) {
                *slot = Some((at, cosine));
            }
        }
    }
    let mut ranked: Vec<(TargetIndex, f64)> = best.into_iter().flatten().collect();
    // Ties go by the order of programs, which is by id: a stable sort keeps it.
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked.into_iter().map(|(target, _)| target).collect()
}
