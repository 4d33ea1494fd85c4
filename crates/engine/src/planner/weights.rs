//! With which weight each window has its turn to fill scenes up, so that no window comes much more often than others.
//!
//! A window may come because it holds the target, is the parent of the target's dialog or holds a similar distractor.
//! And of the windows that fill scenes up, those come more often whose program is the only one for its purpose: a scene
//! shows one text editor of many, and the one archiver. So do small ones, which find room where others don't, and those
//! of programs that show two windows at once.

use std::collections::BTreeMap;

use typed_index_collections::{TiSlice, TiVec};

use windesk_model::condition::{Condition, Protocol, SessionsKnob};
use windesk_model::index::{ProgramIndex, SessionIndex, TargetIndex, WindowIndex};

use super::session::fills_up;
use super::turns::MOST_WEIGHT;
use super::windesk::{SEVERAL_WINDOWS, TURNS, TWO_WINDOWS_PER_MILLE, usual_share};
use crate::pack::IndexedPack;

/// How often a window may come, measured by how often windows fill scenes up on average.
const MOST: f64 = 1.0;
/// Steps in which shares are found.
const STEPS: usize = 12;
/// Windows that take less than this share of the screen find room more often than others.
const SMALL: f64 = 0.13;
/// How much more often the smallest do: measured, as the share above is, over 4,000 scenes of L4.
const EASE: f64 = 0.55;

/// The scenes of a session, or of all where scenes mix them.
#[derive(Default)]
struct Scenes<'p> {
    /// Weight of all its targets.
    weight: f64,
    /// Weight of the windows that come because of a target.
    bound: f64,
    /// Windows that fill scenes up, by purpose and program.
    fillers: BTreeMap<&'p str, BTreeMap<ProgramIndex, Vec<WindowIndex>>>,
}

/// The weight of each window, 1 to [`MOST_WEIGHT`]. `targets` are those that scenes are drawn from, each with its
/// weight.
pub(super) fn weights(
    pack: &IndexedPack,
    condition: &Condition,
    targets: impl Iterator<Item = (f64, TargetIndex)>,
) -> TiVec<WindowIndex, u32> {
    let mut weights: TiVec<WindowIndex, f64> = vec![1.0; pack.windows.len()].into();
    if condition.protocol == Protocol::Windesk {
        let index = pack.index();
        let group = |window: WindowIndex| (condition.sessions == SessionsKnob::One).then_some(pack.windows[window].session);
        let mut sessions: BTreeMap<Option<SessionIndex>, Scenes> = BTreeMap::new();
        let mut bound: TiVec<WindowIndex, f64> = vec![0.0; pack.windows.len()].into();
        let (first, count) = (condition.distractor.rank.saturating_sub(1) as usize, condition.distractor.count as usize);
        for (weight, target) in targets {
            let window = index.targets[target].window;
            let scenes = sessions.entry(group(window)).or_default();
            scenes.weight += weight;
            let parent = pack.windows[window].parent.map(|(parent, _)| parent);
            let similar = index.neighbours(target, condition.sessions).iter().skip(first).take(count);
            for comes in [window].into_iter().chain(parent).chain(similar.map(|&n| index.targets[n].window)) {
                bound[comes] += weight;
                scenes.bound += weight;
            }
        }
        for window in pack.windows.keys().filter(|&window| fills_up(pack, window)) {
            if let Some(scenes) = sessions.get_mut(&group(window)) {
                let program = pack.windows[window].program;
                let record = &pack.programs[program].record;
                let purpose = record.purpose.as_ref().unwrap_or(&record.id);
                scenes.fillers.entry(purpose).or_default().entry(program).or_default().push(window);
            }
        }
        for scenes in sessions.values() {
            scenes.even_out(pack, condition, &bound, &mut weights);
        }
    }
    weights.into_iter().map(|weight| (weight * f64::from(MOST_WEIGHT)).max(1.0) as u32).collect()
}

impl Scenes<'_> {
    /// Lowers the weights of windows until none comes more often than it may.
    fn even_out<'s>(
        &'s self,
        pack: &IndexedPack,
        condition: &Condition,
        bound: &TiSlice<WindowIndex, f64>,
        weights: &mut TiSlice<WindowIndex, f64>,
    ) {
        // A program has a turn for each of its windows, up to a number.
        let turns = |(&program, own): (&ProgramIndex, &'s Vec<WindowIndex>)| {
            (usual_share(pack, program) * own.len().min(TURNS) as f64 / own.len() as f64, own.as_slice())
        };
        let fillers: Vec<Vec<(f64, &[WindowIndex])>> =
            self.fillers.values().map(|programs| programs.iter().map(turns).collect()).collect();
        let several = self.several(pack, condition);
        let twos = if several.is_empty() { 0.0 } else { f64::from(TWO_WINDOWS_PER_MILLE) / 1000.0 };
        let all: f64 = fillers.iter().flatten().map(|(turns, own)| own.len() as f64 * turns).sum();
        let fill = f64::from(condition.windows[0] + condition.windows[1]) / 2.0 - self.bound / self.weight;
        if fill <= 2.0 * twos || all <= 0.0 {
            return;
        }
        let most = MOST * fill / all;
        for _ in 0..STEPS {
            let weight_of = |own: &[WindowIndex]| own.iter().map(|&window| weights[window]).sum::<f64>();
            // The program whose turn comes first shows two windows.
            let in_turn: f64 = several.iter().map(|own| weight_of(own)).sum();
            let mut in_twos: TiVec<WindowIndex, f64> = vec![0.0; pack.windows.len()].into();
            for own in &several {
                let of_program = weight_of(own);
                own.iter().for_each(|&window| in_twos[window] = twos * (2.0 * weights[window]).min(of_program) / in_turn);
            }
            // The weight of a program is that of its windows; of one purpose, one program comes.
            let weight = |(turns, own): &(f64, &[WindowIndex])| weight_of(own) * turns;
            let purposes: Vec<f64> = fillers.iter().map(|programs| programs.iter().map(weight).sum()).collect();
            let pressure = pressure(&purposes, fill - 2.0 * twos);
            let mut next: Vec<(WindowIndex, f64)> = Vec::new();
            for (programs, purpose) in fillers.iter().zip(&purposes) {
                let per_weight = pressure / (1.0 + pressure * purpose);
                for &(turns, own) in programs {
                    for &window in own {
                        let comes = per_weight * weights[window] * turns * ease(pack, condition, window);
                        let otherwise = bound[window] / self.weight + in_twos[window];
                        let may_come = (most - otherwise).max(0.0);
                        if comes > may_come {
                            next.push((window, weights[window] * may_come / comes));
                        }
                    }
                }
            }
            next.into_iter().for_each(|(window, weight)| weights[window] = weight);
        }
    }

    /// The windows of each program that may show two of them at once.
    fn several(&self, pack: &IndexedPack, condition: &Condition) -> Vec<&[WindowIndex]> {
        if condition.sessions == SessionsKnob::Mixed {
            return Vec::new();
        }
        let programs = SEVERAL_WINDOWS.iter().filter_map(|purpose| self.fillers.get(purpose)).flat_map(BTreeMap::values);
        let has_two = |own: &&[WindowIndex]| own.iter().any(|&window| pack.windows[window].title != pack.windows[own[0]].title);
        programs.map(Vec::as_slice).filter(has_two).collect()
    }
}

/// How much more often than others a window finds room.
fn ease(pack: &IndexedPack, condition: &Condition, window: WindowIndex) -> f64 {
    let share = pack.windows[window].frame.area() as f64 / condition.canvas.rect().area() as f64;
    1.0 + EASE * (1.0 - share / SMALL).max(0.0)
}

/// How strongly scenes draw on their purposes so that `fill` of them come: one of weight w comes in w p / (1 + w p) of
/// the scenes, which grows with its weight and never exceeds 1.
fn pressure(purposes: &[f64], fill: f64) -> f64 {
    let come = |pressure: f64| purposes.iter().map(|weight| pressure * weight / (1.0 + pressure * weight)).sum::<f64>();
    let (mut low, mut high) = (0.0, 64.0);
    for _ in 0..32 {
        let middle = (low + high) / 2.0;
        *(if come(middle) < fill { &mut low } else { &mut high }) = middle;
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_fill_scenes_as_pressed() {
        let purposes = [1.0, 1.0, 4.0, 9.0];
        let pressure = pressure(&purposes, 2.0);
        let come: f64 = purposes.iter().map(|weight| pressure * weight / (1.0 + pressure * weight)).sum();
        assert!((come - 2.0).abs() < 1e-6, "{come}");
    }
}
