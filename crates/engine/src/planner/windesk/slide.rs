//! One occluder for all scenes of a sweep: it covers the target from the same side in all of them and only slides
//! outwards, so that what is visible in one scene is visible in every scene with a higher visible ratio.

use windesk_model::geometry::{Point, Rect};
use windesk_model::index::{ProgramIndex, TargetIndex};
use windesk_model::key::{Decision, SampleKey};
use windesk_model::plan::{Reason, Role};

use super::occlude::{ATTEMPTS, Axis, Cut, Goal, Uncovered, candidates, cut, reachable};
use crate::pack::Shape;
use crate::planner::PairedError;
use crate::planner::scene::{Layer, Scene};
use crate::visibility::{BoxMask, Solid};

/// Distance between the target and an occluder that hides nothing, px.
const CLEARANCE_PX: i32 = 16;
/// Of 1000 occluders, so many come with a corner; the others with an edge.
const CORNER_PER_MILLE: u32 = 600;
/// How far around the estimated place a corner is tried, px.
const NEARBY_PX: i32 = 6;

/// Places one occluder in each of `scenes`, which all have the target at one place and differ in their bands.
pub(super) fn slide_occluder(
    scenes: &mut [Scene],
    key: SampleKey,
    target: TargetIndex,
    spoken_for: &[ProgramIndex],
) -> Result<(), PairedError> {
    let first = &scenes[0];
    let pack = first.pack;
    let record = &pack.index().targets[target];
    let at = first.position(Role::Target).expect("placed first");
    let target_box = first.bbox(at, record.element);
    let whole = first.draft_mask_of(at, record.element);
    let total = first.windows[at].shape.count_in(pack.windows[record.window].elements[record.element].bbox);
    let mut stream = key.stream(Decision::Occlusion, 0);
    // The same share of every band, so that equal steps of the bands are equal steps of what is visible.
    let share = stream.between(0, 1000) as u64;
    let mut goals = Vec::with_capacity(scenes.len());
    for (condition, scene) in scenes.iter().enumerate() {
        goals.push(goal(scene, total, whole.count(), share).ok_or_else(|| PairedError::of(condition, Reason::BandMissed))?);
    }
    // From the least visible on: each further place lies outwards of the one before.
    let mut order: Vec<usize> = (0..scenes.len()).collect();
    order.sort_by_key(|&i| goals[i].map_or(u64::MAX, |goal| goal.wanted));
    let deepest =
        goals[order[0]].unwrap_or(Goal { min: whole.count() / 3, max: whole.count() * 2 / 3, wanted: whole.count() / 2 });
    let candidates = candidates(first, key, target, spoken_for);
    let guards = scenes[order[0]].guards().map_err(|reason| PairedError::of(order[0], reason))?;
    for _ in 0..ATTEMPTS * 2 {
        let corner = stream.chance(CORNER_PER_MILLE);
        let way = [if corner { Cut::Corner } else { Cut::Strip(Axis::Any) }];
        let scene = &scenes[order[0]];
        let uncovered = Uncovered { target: &whole, guards: &guards };
        let found = cut(scene, &mut stream, uncovered, &way, deepest, &candidates, target_box)
            .map_err(|e| PairedError::of(order[0], e))?;
        let Some((window, origin)) = found.and_then(|(occluders, _)| occluders.first().copied()) else { continue };
        let shape = pack.shape(window, pack.focus_of(window, false)).map_err(|e| PairedError::of(order[0], e))?;
        let frame = pack.windows[window].frame;
        let Some(slide) = Slide::new(target_box, frame.moved(origin)) else { continue };
        let Some(places) = slide.places(&order, &goals, &whole, &shape, origin) else { continue };
        let fits = scenes.iter().zip(&places).all(|(scene, &origin)| {
            let on_screen = frame.moved(origin);
            reachable(scene.work(), on_screen, false) && !scene.shares_corner(on_screen)
        });
        if !fits {
            continue;
        }
        for (condition, (scene, &origin)) in scenes.iter_mut().zip(&places).enumerate() {
            scene.add(window, Role::Occluder, Layer::Occluder, origin).map_err(|e| PairedError::of(condition, e))?;
        }
        if scenes.iter().all(Scene::all_can_be_seen) {
            return Ok(());
        }
        scenes.iter_mut().for_each(|scene| scene.remove_last(Layer::Occluder));
    }
    Err(PairedError::of(order[0], Reason::BandMissed))
}

/// How many pixels a scene's condition wants to stay visible: all of them is `Some(None)`; a band that can't be met is
/// `None`.
fn goal(scene: &Scene, total: u64, visible: u64, share: u64) -> Option<Option<Goal>> {
    let (band, target) = (scene.condition.visible_ratio, scene.condition.target);
    if band.is_full() {
        return Some(None);
    }
    let min = band.0.ceil_of(total).max(target.min_visible_px).max(1);
    let max = band.1.floor_of(total).min(visible);
    (min <= max).then(|| Some(Goal { min, max, wanted: min + (max - min) * share / 1000 }))
}

/// The way out of the target for an occluder.
struct Slide {
    /// Towards where it leaves: -1, 0 or 1 per axis.
    outwards: Point,
    /// How far it reaches into the target along each axis it can leave by, px.
    overlap: Point,
}

impl Slide {
    /// `None` if the occluder would have to cross the target.
    fn new(target: Rect, occluder: Rect) -> Option<Self> {
        let axis = |target: [i32; 2], occluder: [i32; 2]| match (occluder[0] <= target[0], occluder[1] >= target[1]) {
            (true, true) => Some((0, 0)),
            (true, false) => Some((-1, occluder[1] - target[0])),
            (false, true) => Some((1, target[1] - occluder[0])),
            (false, false) => None,
        };
        let (x, across) = axis([target.x0(), target.x1()], [occluder.x0(), occluder.x1()])?;
        let (y, down) = axis([target.y0(), target.y1()], [occluder.y0(), occluder.y1()])?;
        (x != 0 || y != 0).then_some(Self { outwards: Point { x, y }, overlap: Point { x: across, y: down } })
    }

    /// A picture's origin per scene, in the order of the scenes.
    fn places(
        &self,
        order: &[usize],
        goals: &[Option<Goal>],
        whole: &BoxMask,
        shape: &Shape,
        start: Point,
    ) -> Option<Vec<Point>> {
        let mut places = vec![start; goals.len()];
        let mut shift = Point { x: 0, y: 0 };
        for &scene in order {
            shift = match goals[scene] {
                Some(goal) => self.shift_to(goal, shift, whole, shape, start)?,
                None => {
                    let clear = |overlap: i32| if overlap > 0 { overlap + CLEARANCE_PX } else { 0 };
                    Point { x: clear(self.overlap.x), y: clear(self.overlap.y) }
                }
            };
            places[scene] = self.at(start, shift);
        }
        Some(places)
    }

    fn at(&self, start: Point, shift: Point) -> Point {
        start + Point { x: shift.x * self.outwards.x, y: shift.y * self.outwards.y }
    }

    /// The shift from `from` on that leaves nearest to the wanted number of pixels, within the goal's bounds.
    fn shift_to(&self, goal: Goal, from: Point, whole: &BoxMask, shape: &Shape, start: Point) -> Option<Point> {
        let mut best: Option<(u64, Point)> = None;
        for shift in self.shifts(goal, from, whole.count()) {
            let visible = whole.count() - whole.loss(Solid::Window(shape, self.at(start, shift)));
            let miss = visible.abs_diff(goal.wanted);
            if (goal.min..=goal.max).contains(&visible) && best.is_none_or(|(held, _)| miss < held) {
                best = Some((miss, shift));
            }
            if miss == 0 {
                break;
            }
        }
        best.map(|(_, shift)| shift)
    }

    fn shifts(&self, goal: Goal, from: Point, whole: u64) -> Vec<Point> {
        let Point { x: across, y: down } = self.overlap;
        if across == 0 || down == 0 {
            let (first, last) = if across == 0 { (from.y, down) } else { (from.x, across) };
            return (first..=last).map(|s| if across == 0 { Point { x: 0, y: s } } else { Point { x: s, y: 0 } }).collect();
        }
        // A corner: both sides shrink alike, by the root of the share that stays hidden.
        let hidden = whole.saturating_sub(goal.wanted) as f64;
        let side = (hidden / (f64::from(across) * f64::from(down))).sqrt().min(1.0);
        let estimate = |overlap: i32| overlap - (f64::from(overlap) * side).round() as i32;
        let around = |estimate: i32, from: i32, overlap: i32| {
            (estimate - NEARBY_PX).max(from)..=(estimate + NEARBY_PX).max(from).min(overlap)
        };
        let rows: Vec<i32> = around(estimate(down), from.y, down).collect();
        around(estimate(across), from.x, across).flat_map(|x| rows.iter().map(move |&y| Point { x, y })).collect()
    }
}
