//! Arranges a scene of protocol `windeskground`, as the paper's released generator does, for comparison with its
//! tables.
//!
//! Its choices are kept, faults included (they are listed in `docs/architecture.md`): priors bound the window's extent,
//! so that larger windows collapse onto the region's corner; the largest other window is the single corner occluder,
//! even if it is the distractor; one program may appear twice. Only the band is enforced.

use windesk_model::condition::{Condition, Protocol, Region};
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::{TargetIndex, WindowIndex};
use windesk_model::key::{Decision, SampleKey, Stream};
use windesk_model::plan::{Layout, Reason, Role};

use super::PlanError;
use super::scene::{Layer, RuledScene, Rules, Scene, drawn_count};
use super::turns::Picked;
use super::windesk::{pick_origin, region_of};
use crate::pack::{IndexedPack, Window};
use crate::visibility::Solid;

/// The rules of protocol `windeskground`. Only the arranger of this module can state them.
pub(super) struct Windeskground(());

impl Rules for Windeskground {
    const PROTOCOL: Protocol = Protocol::Windeskground;
}

/// Arranges the scene of one draw.
pub(super) fn arrange<'a>(
    pack: &'a IndexedPack,
    condition: &'a Condition,
    key: SampleKey,
    picked: &Picked,
) -> Result<RuledScene<'a, Windeskground>, PlanError> {
    let target = picked.target;
    let index = pack.index();
    let record = &index.targets[target];
    let window = &pack.windows[record.window];
    let count = drawn_count(condition, key);
    let mut scene = Scene::new(pack, condition, Layout::Free, picked);

    let own_category = pack.program_of(record.window).record.category;
    let region = match &condition.priors {
        Some(priors) if condition.target.centre_biased => Some(priors.centre),
        _ => region_of(condition, own_category),
    };
    let origin = extent_origin(&mut key.stream(Decision::TargetPlace, 0), scene.work(), window, region);
    scene.add(record.window, Role::Target, Layer::Target, origin)?;

    let mut others: Vec<(WindowIndex, Role)> = Vec::new();
    let first_rank = condition.distractor.rank as usize - 1;
    for &neighbour in
        index.neighbours(target, condition.sessions).iter().skip(first_rank).take(condition.distractor.count as usize)
    {
        others.push((index.targets[neighbour].window, Role::Distractor));
    }
    let mut ranked: Vec<WindowIndex> = pack
        .windows
        .keys()
        .filter(|&w| w != record.window && pack.windows[w].is_of_desktop() && others.iter().all(|&(o, _)| o != w))
        .collect();
    ranked.sort_by_cached_key(|&w| key.rank(Decision::WindowRank, pack.windows[w].stable_id));
    others.extend(ranked.into_iter().map(|w| (w, Role::Background)));
    others.truncate(count.saturating_sub(1));

    let occluder = if condition.visible_ratio.is_full() {
        None
    } else {
        (0..others.len()).max_by_key(|&at| pack.windows[others[at].0].frame.area())
    };
    for (slot, &(at, role)) in others.iter().enumerate() {
        let other = &pack.windows[at];
        if Some(slot) == occluder {
            let origin = corner_origin(&scene, key, target, other)?;
            scene.add(at, if role == Role::Background { Role::Occluder } else { role }, Layer::Occluder, origin)?;
        } else {
            let category = pack.program_of(at).record.category;
            let mut stream = key.stream(Decision::BackgroundPlace, slot as u64);
            let origin = extent_origin(&mut stream, scene.work(), other, region_of(condition, category));
            // Published order: other categories, then the target's own, then the target, then the occluder.
            let layer = if category == own_category { Layer::BelowTarget } else { Layer::Ground };
            scene.add(at, role, layer, origin)?;
        }
    }
    mark_distractors(&mut scene, target, first_rank);
    Ok(RuledScene::new(scene, Windeskground(())))
}

/// Notes which element of a distractor's window is the similar one.
fn mark_distractors(scene: &mut Scene, target: TargetIndex, first_rank: usize) {
    let index = scene.pack.index();
    let neighbours = index.neighbours(target, scene.condition.sessions);
    for (rank, &neighbour) in neighbours.iter().enumerate().skip(first_rank).take(scene.condition.distractor.count as usize) {
        let window = index.targets[neighbour].window;
        let placed = scene.windows.iter_mut().find(|w| w.window == window && w.similar.is_none() && w.role != Role::Target);
        if let Some(placed) = placed {
            placed.similar = Some((neighbour, rank as u32 + 1));
        }
    }
}

/// Published placement: the whole extent within the region; a larger window begins at the region's corner.
fn extent_origin(stream: &mut Stream, work: Rect, window: &Window, region: Option<Region>) -> Point {
    let Some(region) = region else {
        return pick_origin(stream, work, window.frame, None).unwrap_or(work.origin() - window.frame.origin());
    };
    let axis = |stream: &mut Stream, start: i32, length: i32, band: windesk_model::condition::Band, own: i32| {
        let low = start + band.0.floor_of(length as u64) as i32;
        let high = start + band.1.floor_of(length as u64) as i32 - own;
        if low < high { stream.between(i64::from(low), i64::from(high)) as i32 } else { low }
    };
    let x = axis(stream, work.x0(), work.width(), region.x, window.frame.width());
    let y = axis(stream, work.y0(), work.height(), region.y, window.frame.height());
    Point { x, y } - window.frame.origin()
}

/// A corner of the occluder over a corner of the target, with the visible ratio drawn in the band.
fn corner_origin(scene: &Scene, key: SampleKey, target: TargetIndex, occluder: &Window) -> Result<Point, PlanError> {
    let record = &scene.pack.index().targets[target];
    let at = scene.position(Role::Target).expect("placed first");
    let bbox = scene.bbox(at, record.element);
    let mask = scene.draft_mask_of(at, record.element);
    let shape = scene.pack.shape(scene.pack.window_index(&occluder.id).expect("a window of this pack"), super::DRAFT_FOCUS)?;
    let total = scene.windows[at].shape.count_in(scene.pack.windows[record.window].elements[record.element].bbox);
    let (min, max) = (scene.condition.visible_ratio.0.ceil_of(total), scene.condition.visible_ratio.1.floor_of(total));
    let mut stream = key.stream(Decision::Occlusion, 0);
    for _ in 0..24 {
        let hidden = mask.count().saturating_sub(stream.between(min as i64, max.max(min) as i64) as u64) as i64;
        let narrowest = (hidden / i64::from(bbox.height())).clamp(1, i64::from(bbox.width()));
        let across = stream.between(narrowest, i64::from(bbox.width())) as i32;
        let down = ((hidden as i32 + across - 1) / across).clamp(1, bbox.height());
        let frame = occluder.frame;
        let corner = Point {
            x: if stream.chance(500) { bbox.x0() + across - frame.width() } else { bbox.x1() - across },
            y: if stream.chance(500) { bbox.y0() + down - frame.height() } else { bbox.y1() - down },
        };
        let origin = corner - frame.origin();
        let visible = mask.count() - mask.loss(Solid::Window(&shape, origin));
        if (min..=max).contains(&visible) {
            return Ok(origin);
        }
    }
    Err(Reason::BandMissed.into())
}
