//! Arranges the scenes of a sweep together. A window goes to one place in all of them, and a place counts only if every
//! scene bears it; what a knob moves is the only difference. A scene with fewer windows is a beginning of one with
//! more.

use std::collections::BTreeSet;

use windesk_model::condition::{Condition, LayerKnob};
use windesk_model::desktop::work_area;
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::{ProgramIndex, TargetIndex, WindowIndex};
use windesk_model::key::{Decision, SampleKey};
use windesk_model::plan::{Layout, Reason, Role};

use super::place::{
    ABOVE_PER_MILLE, ABOVE_VISIBLE_PER_MILLE, Candidates, background_layers, background_tries, distractor_tries, place_target,
    region_of,
};
use super::places::{Wanted, places};
use super::slide::slide_occluder;
use super::{Windesk, ruled};
use crate::pack::{IndexedPack, Window};
use crate::planner::scene::{Layer, RuledScene, Scene, drawn_count, shell_about};
use crate::planner::turns::Picked;
use crate::planner::{PairedError, PlanError};

/// A similar distractor: the element and its rank.
type Similar = (TargetIndex, u32);

/// Scenes on their way, one per condition.
struct Joint<'a> {
    pack: &'a IndexedPack,
    key: SampleKey,
    target: TargetIndex,
    scenes: Vec<Scene<'a>>,
    /// How many windows each scene gets.
    counts: Vec<usize>,
    /// The distractors of each scene.
    similar: Vec<Vec<Similar>>,
    /// The part of the screen that all scenes place windows on.
    work: Rect,
}

/// Arranges one draw's scenes, in the order of the conditions.
pub(in crate::planner) fn arrange<'a>(
    pack: &'a IndexedPack,
    conditions: &'a [Condition],
    key: SampleKey,
    picked: &Picked,
) -> Result<Vec<RuledScene<'a, Windesk>>, PairedError> {
    let target = picked.target;
    let shell = shell_about(pack, &conditions[0], pack.index().targets[target].window);
    let areas = conditions.iter().map(|c| work_area(c.canvas, c.chrome, shell));
    let work = areas.reduce(|a, b| a.intersection(b).unwrap_or(a)).expect("a study has conditions");
    let mut similar = Vec::with_capacity(conditions.len());
    for (at, condition) in conditions.iter().enumerate() {
        similar.push(distractors(pack, condition, key, target).map_err(|e| PairedError::of(at, e))?);
    }
    let mut joint = Joint {
        pack,
        key,
        target,
        scenes: conditions.iter().map(|c| Scene::new(pack, c, Layout::Free, picked).within(work)).collect(),
        counts: conditions.iter().map(|c| drawn_count(c, key)).collect(),
        similar,
        work,
    };
    joint.place_target()?;
    if conditions.iter().any(Condition::has_occluder) {
        let spoken_for = joint.spoken_for();
        slide_occluder(&mut joint.scenes, key, target, &spoken_for)?;
    }
    joint.place_distractors()?;
    joint.place_background()?;
    Ok(joint.scenes.into_iter().map(ruled).collect())
}

/// The similar elements that a condition asks for.
fn distractors(
    pack: &IndexedPack,
    condition: &Condition,
    key: SampleKey,
    target: TargetIndex,
) -> Result<Vec<Similar>, PlanError> {
    let index = pack.index();
    let (rank, count) = (condition.distractor.rank, condition.distractor.count as usize);
    if count == 0 {
        return Ok(Vec::new());
    }
    let chosen: Vec<Similar> = match condition.distractor.similarity {
        None => {
            index.neighbours(target, condition.sessions).iter().copied().zip(1..).skip(rank as usize - 1).take(count).collect()
        }
        Some(band) => {
            let within = |n: TargetIndex| (f64::from(band.0)..=f64::from(band.1)).contains(&index.cosine(target, n));
            let mut all: Vec<Similar> =
                index.all_neighbours(pack, target, condition.sessions).into_iter().zip(1..).filter(|&(n, _)| within(n)).collect();
            all.sort_by_key(|(n, _)| {
                key.rank(Decision::ProgramRank, pack.programs[pack.windows[index.targets[*n].window].program].stable_id)
            });
            all.truncate(count);
            all
        }
    };
    if chosen.len() == count { Ok(chosen) } else { Err(Reason::DistractorHidden.into()) }
}

impl Joint<'_> {
    /// Programs of distractors in any of the scenes.
    fn spoken_for(&self) -> Vec<ProgramIndex> {
        let index = self.pack.index();
        let programs: BTreeSet<ProgramIndex> =
            self.similar.iter().flatten().map(|(n, _)| self.pack.windows[index.targets[*n].window].program).collect();
        programs.into_iter().collect()
    }

    /// The first scene that does not bear what has been placed.
    fn failing(&self) -> Option<usize> {
        self.scenes
            .iter()
            .position(|scene| !(scene.all_can_be_seen() && scene.distractors_are_visible() && scene.hidden_part().is_none()))
    }

    fn place_target(&mut self) -> Result<(), PairedError> {
        let room = self.scenes.iter().zip(&self.counts).all(|(scene, &count)| count > scene.condition.fewest_windows() as usize);
        place_target(&mut self.scenes[0], self.key, self.target, room).map_err(|e| PairedError::of(0, e))?;
        let (first, others) = self.scenes.split_first_mut().expect("a study has conditions");
        others.iter_mut().for_each(|scene| scene.windows = first.windows.clone());
        Ok(())
    }

    /// The target's box on the screen.
    fn target_box(&self) -> Rect {
        let scene = &self.scenes[0];
        scene.bbox(scene.position(Role::Target).expect("placed first"), self.pack.index().targets[self.target].element)
    }

    fn place_distractors(&mut self) -> Result<(), PairedError> {
        let slots = self.similar.iter().map(Vec::len).max().unwrap_or(0);
        (0..slots).try_for_each(|slot| self.place_distractor(slot))
    }

    /// Places the distractors of a slot, which may be of different programs, about one centre.
    fn place_distractor(&mut self, slot: usize) -> Result<(), PairedError> {
        let index = self.pack.index();
        let mut stream = self.key.stream(Decision::DistractorPlace, slot as u64);
        let coin = stream.chance(500);
        let mut wanted: Vec<Option<(WindowIndex, TargetIndex, u32, Layer)>> = Vec::with_capacity(self.scenes.len());
        for (at, (scene, similar)) in self.scenes.iter().zip(&self.similar).enumerate() {
            let Some(&(neighbour, rank)) = similar.get(slot) else {
                wanted.push(None);
                continue;
            };
            let window = index.targets[neighbour].window;
            if scene.has_program(self.pack.windows[window].program) {
                return Err(PairedError::of(at, Reason::DistractorHidden));
            }
            let front = match scene.condition.distractor.layer {
                LayerKnob::Behind => false,
                LayerKnob::Front => true,
                LayerKnob::Any => coin,
            };
            wanted.push(Some((window, neighbour, rank, if front { Layer::Above } else { Layer::Distractor })));
        }
        let any_in_front = wanted.iter().flatten().any(|&(.., layer)| layer == Layer::Above);
        let target_box = self.target_box();
        let (lead, first) =
            wanted.iter().enumerate().find_map(|(at, w)| w.map(|w| (at, w.0))).expect("the slot is one of some scene");
        let record = &self.pack.windows[first];
        let region = region_of(self.scenes[lead].condition, self.pack.programs[record.program].record.category);
        let places_wanted = Wanted { ground: self.work, tries: &distractor_tries(region) };
        for origin in places(&self.scenes[lead], &mut stream, first, &places_wanted) {
            let centre = record.frame.moved(origin).centre();
            let origins: Vec<Option<Point>> = wanted
                .iter()
                .map(|w| {
                    w.and_then(|(window, ..)| {
                        centred(self.work, self.pack.windows[window].extent(), self.pack.windows[window].frame, centre)
                    })
                })
                .collect();
            let fits = wanted.iter().zip(&origins).zip(&self.scenes).all(|((wanted, origin), scene)| match (wanted, origin) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some((window, ..)), Some(origin)) => {
                    let frame = self.pack.windows[*window].frame.moved(*origin);
                    !(scene.shares_corner(frame) || any_in_front && frame.touches(target_box))
                }
            });
            if !fits {
                continue;
            }
            for (at, scene) in self.scenes.iter_mut().enumerate() {
                if let (Some((window, similar, rank, layer)), Some(origin)) = (wanted[at], origins[at]) {
                    scene.add(window, Role::Distractor, layer, origin).map_err(|e| PairedError::of(at, e))?;
                    scene.mark_similar(layer, similar, rank);
                }
            }
            if self.failing().is_none() {
                return Ok(());
            }
            for (scene, wanted) in self.scenes.iter_mut().zip(&wanted) {
                if let Some((.., layer)) = wanted {
                    scene.remove_last(*layer);
                }
            }
        }
        Err(PairedError::of(lead, Reason::DistractorHidden))
    }

    fn place_background(&mut self) -> Result<(), PairedError> {
        let candidates = Candidates::new(&self.scenes[0], self.key, self.target);
        let spoken_for = self.spoken_for();
        for unlikely in [false, true] {
            for &program in &candidates.programs {
                if self.incomplete().is_none() {
                    break;
                }
                if spoken_for.contains(&program)
                    || self.scenes.iter().any(|scene| scene.has_program(program))
                    || self.scenes.iter().any(|scene| candidates.is_unlikely(scene, program)) != unlikely
                {
                    continue;
                }
                if let Some(window) = candidates.best(&self.scenes[0], program, Window::is_plain) {
                    self.place_window(window).map_err(|e| PairedError::of(0, e))?;
                }
            }
        }
        match self.incomplete() {
            None => Ok(()),
            Some(scene) => Err(PairedError::of(scene, Reason::WindowsUnplaceable)),
        }
    }

    /// The first scene that lacks windows.
    fn incomplete(&self) -> Option<usize> {
        (0..self.scenes.len()).find(|&at| self.lacks(at))
    }

    fn lacks(&self, scene: usize) -> bool {
        self.scenes[scene].windows.len() < self.counts[scene]
    }

    /// Puts a window at one place into all scenes that lack windows; into none if one of them does not bear it
    /// anywhere.
    fn place_window(&mut self, window: WindowIndex) -> Result<(), PlanError> {
        let record = &self.pack.windows[window];
        let target_box = self.target_box();
        let lacking: Vec<usize> = (0..self.scenes.len()).filter(|&at| self.lacks(at)).collect();
        let first = &self.scenes[lacking[0]];
        let region = region_of(first.condition, self.pack.programs[record.program].record.category);
        let target_on_top = first.position(Role::Target).is_some_and(|at| first.windows[at].layer == Layer::Top);
        let all_visible = self.scenes.iter().all(|scene| scene.condition.visible_ratio.is_full());
        let per_mille = if all_visible { ABOVE_VISIBLE_PER_MILLE } else { ABOVE_PER_MILLE };
        // Once a scene is complete, the topmost window, which has the focus, stays the same in all others.
        let above = !target_on_top
            && lacking.len() == self.scenes.len()
            && self.key.stream(Decision::ZOrder, record.stable_id).chance(per_mille);
        let mut stream = self.key.stream(Decision::BackgroundPlace, record.stable_id);
        let wanted = Wanted { ground: self.work, tries: &background_tries(region) };
        for origin in places(&self.scenes[0], &mut stream, window, &wanted) {
            let frame = record.frame.moved(origin);
            if lacking.iter().any(|&at| self.scenes[at].shares_corner(frame)) {
                continue;
            }
            for &layer in background_layers(above && !frame.touches(target_box)) {
                for &at in &lacking {
                    self.scenes[at].add(window, Role::Background, layer, origin)?;
                }
                if self.failing().is_none() {
                    return Ok(());
                }
                lacking.iter().for_each(|&at| self.scenes[at].remove_last(layer));
            }
        }
        Ok(())
    }
}

/// The picture origin that brings a frame's centre nearest to `centre` with the extent on the work area; nothing if it
/// is larger.
pub(super) fn centred(work: Rect, extent: Rect, frame: Rect, centre: Point) -> Option<Point> {
    let axis = |low: i32, high: i32, wanted: i32, start: i32, length: i32| {
        let (first, last) = (low - start, high - length - start);
        (first <= last).then(|| wanted.clamp(first, last))
    };
    let middle = frame.centre();
    let x = axis(work.x0(), work.x1(), centre.x - middle.x, extent.x0(), extent.width())?;
    let y = axis(work.y0(), work.y1(), centre.y - middle.y, extent.y0(), extent.height())?;
    Some(Point { x, y })
}
