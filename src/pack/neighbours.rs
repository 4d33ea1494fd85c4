//! Similar distractors: other programs ranked by their best eligible window under cosine similarity to a target.
//!
//! Ranking windows directly would give one program five times over, and open menus more often than not.

use std::collections::BTreeSet;

use ndarray::{Array2, Axis};

use super::Pack;
use super::format::Placement;
use super::targets::{NameKeys, Target, Wording};

/// The best element of another program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// The similar element, as an index into the targets.
    pub target: usize,
    /// Cosine of the two embeddings, -1..=1.
    pub cosine: f32,
}

/// How many programs are kept per target.
pub(super) const KEPT: usize = 16;

/// For each target the best elements of the [`KEPT`] most similar other programs, most similar first.
///
/// `vectors`: one unit row per text.
pub(super) fn rank(pack: &Pack, keys: &NameKeys, targets: &[Target], vectors: &Array2<f32>) -> Vec<Vec<Neighbour>> {
    let similarity = vectors.dot(&vectors.t());
    targets
        .iter()
        .map(|target| {
            let row = similarity.index_axis(Axis(0), target.text);
            let mut ranked = ranked_programs(pack, keys, targets, target, |text| row[text]);
            ranked.truncate(KEPT);
            ranked
        })
        .collect()
}

/// Texts compared at once in [`rank_part`]: bounds memory, decides nothing.
const BLOCK: usize = 256;

/// [`rank`] for a part of a pack's targets, while scenes are made. `vectors`: the f16 values of all texts.
///
/// Products of f16 values and sums of a few hundred of them are exact in f64, so that ranks are the same on every platform.
pub(super) fn rank_part(pack: &Pack, keys: &NameKeys, targets: &[Target], vectors: &Array2<f32>) -> Vec<Vec<Neighbour>> {
    let texts: Vec<usize> = targets.iter().map(|t| t.text).collect::<BTreeSet<_>>().into_iter().collect();
    let mut column = vec![0; vectors.nrows()];
    texts.iter().enumerate().for_each(|(at, &text)| column[text] = at);
    let exact = vectors.select(Axis(0), &texts).mapv(f64::from);
    let mut asking: Vec<usize> = (0..targets.len()).collect();
    asking.sort_by_key(|&t| targets[t].text);
    let mut ranked = vec![Vec::new(); targets.len()];
    for (block, rows) in exact.axis_chunks_iter(Axis(0), BLOCK).enumerate() {
        let similarity = rows.dot(&exact.t());
        let first = block * BLOCK;
        for (at, row) in similarity.axis_iter(Axis(0)).enumerate() {
            let text = texts[first + at];
            let of_text =
                asking.partition_point(|&t| targets[t].text < text)..asking.partition_point(|&t| targets[t].text <= text);
            for &target in &asking[of_text] {
                let mut list = ranked_programs(pack, keys, targets, &targets[target], |other| row[column[other]] as f32);
                list.truncate(KEPT);
                ranked[target] = list;
            }
        }
    }
    ranked
}

/// The best eligible element of every other program, most similar first. `similarity` is that of a text to the target's.
pub(super) fn ranked_programs(
    pack: &Pack,
    keys: &NameKeys,
    targets: &[Target],
    target: &Target,
    similarity: impl Fn(usize) -> f32,
) -> Vec<Neighbour> {
    let own = &pack.windows[target.window];
    let own_name = &pack.programs[own.program].record.name;
    let twin = (target.wording == Wording::Brief).then(|| keys.of_element[target.window][target.element]).flatten();
    let mut best: Vec<Option<Neighbour>> = vec![None; pack.programs.len()];
    let mut window_fits = (usize::MAX, false);
    for (at, other) in targets.iter().enumerate() {
        if window_fits.0 != other.window {
            let window = &pack.windows[other.window];
            let other_program = window.program != own.program && pack.programs[window.program].record.name != *own_name;
            let holds_twin = twin.is_some() && keys.of_element[other.window].contains(&twin);
            window_fits = (
                other.window,
                other_program && !window.has_popup() && !window.modal && window.placement == Placement::Floating && !holds_twin,
            );
        }
        if window_fits.1 {
            let cosine = similarity(other.text).clamp(-1.0, 1.0);
            let slot = &mut best[pack.windows[other.window].program];
            if slot.is_none_or(|held| cosine > held.cosine) {
                *slot = Some(Neighbour { target: at, cosine });
            }
        }
    }
    let mut ranked: Vec<Neighbour> = best.into_iter().flatten().collect();
    // Ties go by the order of programs, which is by id: a stable sort keeps it.
    ranked.sort_by(|a, b| b.cosine.total_cmp(&a.cosine));
    ranked
}
