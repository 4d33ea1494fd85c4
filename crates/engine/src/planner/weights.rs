//! With which weight each window has its turn to fill scenes up, so that no window comes much more often than others.
//!
//! A window may come because it holds the target, is the parent of the target's dialog or holds a similar distractor.
//! And of the windows that fill scenes up, those come more often whose program is the only one for its purpose: a scene
//! shows one text editor of many, and the one archiver.

use std::collections::BTreeMap;

use typed_index_collections::{TiSlice, TiVec};

use windesk_model::condition::{Condition, Protocol, SessionsKnob};
use windesk_model::index::{ProgramIndex, SessionIndex, TargetIndex, WindowIndex};

use super::session::fills_up;
use super::turns::MOST_WEIGHT;
use super::windesk::{TURNS, usual_share};
use crate::pack::IndexedPack;

/// How often a window may come, measured by how often windows fill scenes up on average.
const MOST: f64 = 1.0;
/// Steps in which shares are found.
const STEPS: usize = 12;

/// The scenes of a session, or of all where scenes mix them.
#[derive(Default)]
struct Scenes {
    /// Weight of all its targets.
    weight: f64,
    /// Weight of the windows that come because of a target.
    bound: f64,
    /// Windows that fill scenes up, by purpose and program.
    fillers: BTreeMap<String, BTreeMap<ProgramIndex, Vec<WindowIndex>>>,
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
                scenes.fillers.entry(purpose.clone()).or_default().entry(program).or_default().push(window);
            }
        }
        let windows = f64::from(condition.windows[0] + condition.windows[1]) / 2.0;
        for scenes in sessions.values() {
            scenes.even_out(pack, windows, &bound, &mut weights);
        }
    }
    weights.into_iter().map(|weight| (weight * f64::from(MOST_WEIGHT)).max(1.0) as u32).collect()
}

impl Scenes {
    /// Lowers the weights of windows until none comes more often than it may.
    fn even_out(
        &self,
        pack: &IndexedPack,
        windows: f64,
        bound: &TiSlice<WindowIndex, f64>,
        weights: &mut TiSlice<WindowIndex, f64>,
    ) {
        let fill = windows - self.bound / self.weight;
        let programs = || self.fillers.values().flatten();
        // A program has a turn for each of its windows, up to a number.
        let turns = |program: ProgramIndex, own: &[WindowIndex]| {
            usual_share(pack, program) * own.len().min(TURNS) as f64 / own.len() as f64
        };
        let all: f64 = programs().map(|(&program, own)| own.len() as f64 * turns(program, own)).sum();
        if fill <= 0.0 || all <= 0.0 {
            return;
        }
        let most = MOST * fill / all;
        for _ in 0..STEPS {
            // The weight of a program is that of its windows; of one purpose, one program comes.
            let weight = |(program, own): (&ProgramIndex, &Vec<WindowIndex>)| {
                own.iter().map(|&window| weights[window]).sum::<f64>() * turns(*program, own)
            };
            let purposes: Vec<f64> = self.fillers.values().map(|programs| programs.iter().map(weight).sum()).collect();
            let pressure = pressure(&purposes, fill);
            let mut next: Vec<(WindowIndex, f64)> = Vec::new();
            for (programs, purpose) in self.fillers.values().zip(&purposes) {
                let per_weight = pressure / (1.0 + pressure * purpose);
                for (&program, own) in programs {
                    for &window in own {
                        let comes = per_weight * weights[window] * turns(program, own);
                        let may_come = (most - bound[window] / self.weight).max(0.0);
                        if comes > may_come {
                            next.push((window, weights[window] * may_come / comes));
                        }
                    }
                }
            }
            next.into_iter().for_each(|(window, weight)| weights[window] = weight);
        }
    }
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
