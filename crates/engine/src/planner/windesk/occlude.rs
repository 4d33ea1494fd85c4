//! Hides a part of the target behind real windows so that a chosen number of its pixels stays visible.
//!
//! The number is drawn first, uniformly in the condition's band; then a geometry is sought that gives it, or the
//! nearest number in the band. Everything is counted on the windows' true shapes, rounded corners included.

use windesk_model::Error;
use windesk_model::condition::Ratio;
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::{ProgramIndex, TargetIndex, WindowIndex};
use windesk_model::key::{Decision, SampleKey, Stream};
use windesk_model::pack_format::WindowKind;
use windesk_model::plan::{Reason, Role};

use super::company::Company;
use super::theme::WantedTheme;
use crate::pack::{Focus, Shape};
use crate::planner::PlanError;
use crate::planner::evidence::Guard;
use crate::planner::ink::Energy;
use crate::planner::scene::{Layer, Scene};
use crate::visibility::{BoxMask, Solid};

/// How the target is cut. Each cut is made by a window of its own.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cut {
    /// An occluder's corner lies in the target.
    Corner,
    /// An occluder's edge runs through the target.
    Strip(Axis),
}

/// Which way the occluder comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Axis {
    /// From the left or right, or from above or below.
    Any,
    /// From above or below.
    Vertical,
    /// From the left or right.
    Horizontal,
}

/// Geometries and their weights, among windows that people or a window manager have placed: one corner, one edge, two
/// corners or edges, an L of two edges.
const GEOMETRIES: [([u32; 2], &[Cut]); 4] = [
    ([40, 12], &[Cut::Corner]),
    ([28, 68], &[Cut::Strip(Axis::Any)]),
    ([16, 4], &[Cut::Corner, Cut::Corner]),
    ([16, 16], &[Cut::Strip(Axis::Vertical), Cut::Strip(Axis::Horizontal)]),
];
/// Geometries tried before the draw is given up.
pub(super) const ATTEMPTS: usize = 12;
/// Occluders tried per cut.
const CANDIDATES: usize = 8;
/// Width of a window's rounded corners, px: an edge is clear of them.
const CORNER_PX: i32 = 14;
/// A user must be able to grab the occluder: so much of its title bar's width stays on the work area, px.
const GRIP_PX: i32 = 160;
/// Height of a title bar, px.
const TITLE_BAR_PX: i32 = 32;

/// Places one or two occluders (at most `room`) over the target.
pub(super) fn hide_part(scene: &mut Scene, key: SampleKey, target: TargetIndex, room: usize) -> Result<(), PlanError> {
    let (pack, condition) = (scene.pack, scene.condition);
    let index = pack.index();
    let record = &index.targets[target];
    let at = scene.position(Role::Target).expect("placed first");
    let whole = scene.draft_mask_of(at, record.element);
    let in_picture = pack.windows[record.window].elements[record.element].bbox;
    let total = scene.windows[at].shape.count_in(in_picture);
    let min = condition.visible_ratio.0.ceil_of(total).max(condition.target.min_visible_px).max(1);
    let max = condition.visible_ratio.1.floor_of(total).min(whole.count());
    if min > max {
        return Err(Reason::BandMissed.into());
    }
    let energy = Energy::of(pack, &scene.shown(at)?, Focus::Active, in_picture)?;
    // Programs whose window will be a similar distractor are spoken for.
    let rank = condition.distractor.rank as usize - 1;
    let similar = index.neighbours(target, condition.sessions).iter().skip(rank).take(condition.distractor.count as usize);
    let spoken_for: Vec<ProgramIndex> = similar.map(|&n| pack.windows[index.targets[n].window].program).collect();
    let candidates = candidates(scene, key, target, &spoken_for);
    let mut stream = key.stream(Decision::Occlusion, 0);
    let wanted = stream.between(min as i64, max as i64) as u64;
    let guards = scene.guards()?;
    let mut wanted = wanted;
    let mut reason = Reason::BandMissed;
    for attempt in 0..ATTEMPTS {
        // What must stay visible may leave no room for the number that was drawn.
        if attempt >= ATTEMPTS / 2 && !guards.is_empty() {
            wanted = stream.between(min as i64, max as i64) as u64;
        }
        let weights = GEOMETRIES.map(|(weights, cuts)| if cuts.len() <= room { weights[usize::from(scene.managed)] } else { 0 });
        let Some(drawn) = stream.weighted(&weights) else { return Err(Reason::BandMissed.into()) };
        let goal = Goal { min, max, wanted };
        let uncovered = Uncovered { target: &whole, guards: &guards };
        let target_box = scene.bbox(at, record.element);
        let Some((occluders, mask)) = cut(scene, &mut stream, uncovered, GEOMETRIES[drawn].1, goal, &candidates, target_box)?
        else {
            continue;
        };
        if condition.target.ink_min.is_some_and(|min: Ratio| !energy.reaches(min, &mask)) {
            reason = Reason::InkTooLow;
            continue;
        }
        for (window, origin) in occluders {
            scene.add(window, Role::Occluder, Layer::Occluder, origin)?;
        }
        return if scene.all_can_be_seen() { Ok(()) } else { Err(Reason::WindowsUnplaceable.into()) };
    }
    Err(reason.into())
}

/// A target before anything is laid over it, with what must stay visible beside it.
#[derive(Clone, Copy)]
pub(super) struct Uncovered<'a> {
    pub(super) target: &'a BoxMask,
    pub(super) guards: &'a [Guard],
}

/// How many pixels of the target may stay visible, and how many should.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) min: u64,
    pub(super) max: u64,
    pub(super) wanted: u64,
}

pub(super) type Occluders = Vec<(WindowIndex, Point)>;

/// Occluders for `cuts` that leave `goal` of a target visible, and what they leave; nothing if none of the candidates
/// can without hiding what must stay visible.
pub(super) fn cut(
    scene: &Scene,
    stream: &mut Stream,
    uncovered: Uncovered,
    cuts: &[Cut],
    goal: Goal,
    candidates: &[WindowIndex],
    target_box: Rect,
) -> Result<Option<(Occluders, BoxMask)>, Error> {
    let mut mask = uncovered.target.clone();
    let mut guards = uncovered.guards.to_vec();
    let mut occluders = Occluders::new();
    let hidden = scene.position(Role::Target).expect("placed first");
    // Where a window manager lets frames begin.
    let edges = if scene.managed { &[scene.work().origin(), scene.frame(hidden).origin()][..] } else { &[] };
    for (done, &cut) in cuts.iter().enumerate() {
        let left = cuts.len() - done;
        let Some(to_hide) = mask.count().checked_sub(goal.wanted) else { return Ok(None) };
        // Of several cuts, the earlier ones take between a third and two thirds of what is to be hidden.
        let share = if left > 1 { to_hide * stream.between(33, 67) as u64 / 100 } else { to_hide };
        let bounds = if left > 1 {
            (share / 2).max(1)..=to_hide.saturating_sub(1)
        } else {
            mask.count().saturating_sub(goal.max)..=mask.count().saturating_sub(goal.min)
        };
        let taken: Vec<ProgramIndex> = occluders.iter().map(|&(window, _)| scene.pack.windows[window].program).collect();
        let usable: Vec<_> = candidates
            .iter()
            .copied()
            .filter(|&window| !taken.contains(&scene.pack.windows[window].program))
            .take(CANDIDATES)
            .collect();
        let first = stream.below(usable.len().max(1));
        let mut found = None;
        // Occluders that stay wholly on the work area are tried first.
        for (wholly, turn) in [true, false].into_iter().flat_map(|wholly| (0..usable.len()).map(move |turn| (wholly, turn))) {
            let window = usable[(first + turn) % usable.len()];
            let frame = scene.pack.windows[window].frame;
            let mut places = places(stream, cut, target_box, frame, share, edges);
            places.retain(|&corner| {
                let on_screen = Rect::at(corner.x, corner.y, frame.width(), frame.height());
                reachable(scene.work(), on_screen, wholly) && !scene.shares_corner(on_screen)
            });
            if places.is_empty() {
                continue;
            }
            let shape = scene.pack.shape(window, scene.pack.focus_of(window, false))?;
            if let Some(origin) = nearest(&mask, frame, &shape, &places, share, &bounds, &guards) {
                guards.iter_mut().for_each(|guard| guard.cover(Solid::Window(&shape, origin)));
                mask.cover(Solid::Window(&shape, origin));
                found = Some((window, origin));
                break;
            }
        }
        let Some(occluder) = found else { return Ok(None) };
        occluders.push(occluder);
    }
    Ok((goal.min..=goal.max).contains(&mask.count()).then_some((occluders, mask)))
}

/// Windows that may occlude, in keyed order, those of the scene's theme and then of its brightness first: floating, no
/// menu open, of programs that are neither there nor spoken for, without a twin of the target; likely company first.
pub(super) fn candidates(scene: &Scene, key: SampleKey, target: TargetIndex, spoken_for: &[ProgramIndex]) -> Vec<WindowIndex> {
    let pack = scene.pack;
    let index = pack.index();
    let wanted = &index.targets[target];
    let brief = scene.is_brief(target);
    let twin = index.name_keys(wanted.window)[wanted.element].filter(|_| brief);
    let company = Company::new(pack, scene.condition, key, target);
    let usable = |&w: &WindowIndex| {
        let window = &pack.windows[w];
        window.kind != WindowKind::Dialog
            && scene.admits(w)
            && window.is_plain()
            && !scene.has_program(window.program)
            && !scene.has_purpose(window.program)
            && !spoken_for.contains(&window.program)
    };
    let theme = WantedTheme::new(key, &pack.windows[wanted.window]);
    let mut by_distance = [const { Vec::new() }; WantedTheme::DISTANCES];
    for window in pack.windows.keys().filter(usable) {
        by_distance[usize::from(theme.distance(&pack.windows[window]))].push(window);
    }
    let mut windows = Vec::with_capacity(CANDIDATES * 2);
    for mut alike in by_distance {
        let missing = CANDIDATES * 2 - windows.len();
        if missing == 0 {
            break;
        }
        let comes = |w: WindowIndex| company.admits(pack, pack.windows[w].program);
        alike.sort_by_cached_key(|&w| (!comes(w), scene.turn_of(w)));
        let no_twin = |&w: &WindowIndex| {
            twin.is_none_or(|twin| !index.name_keys(w).contains(&Some(twin))) && !(brief && index.holds_competitor(target, w))
        };
        windows.extend(alike.into_iter().filter(no_twin).take(missing));
    }
    windows
}

/// Whether a user could grab the window there: title bar on the work area, or wholly on it.
pub(super) fn reachable(work: Rect, frame: Rect, wholly: bool) -> bool {
    if wholly {
        return work.covers(frame);
    }
    let title_bar = Rect::at(frame.x0(), frame.y0(), frame.width(), TITLE_BAR_PX.min(frame.height()));
    title_bar
        .intersection(work)
        .is_some_and(|seen| seen.height() == title_bar.height() && seen.width() >= GRIP_PX.min(frame.width()))
}

/// Where the frame's top left may go for a cut that hides about `wanted` px of the target, in line with `edges` if
/// there are some in reach.
fn places(stream: &mut Stream, cut: Cut, target: Rect, frame: Rect, wanted: u64, edges: &[Point]) -> Vec<Point> {
    match cut {
        Cut::Corner => corner_places(stream, target, frame, wanted),
        Cut::Strip(axis) => strip_places(stream, target, frame, wanted, axis, edges),
    }
}

/// The picture origin, among frames with their top left at one of `places`, that hides nearest to `wanted` px within
/// `bounds` and nothing that must stay visible.
fn nearest(
    mask: &BoxMask,
    frame: Rect,
    shape: &Shape,
    places: &[Point],
    wanted: u64,
    bounds: &std::ops::RangeInclusive<u64>,
    guards: &[Guard],
) -> Option<Point> {
    let mut best: Option<(u64, Point)> = None;
    for &corner in places {
        let origin = corner - frame.origin();
        let occluder = Solid::Window(shape, origin);
        let lost = mask.loss(occluder);
        let miss = lost.abs_diff(wanted);
        let is_better = bounds.contains(&lost) && best.is_none_or(|(held, _)| miss < held);
        if is_better && guards.iter().all(|guard| guard.bears(occluder)) {
            best = Some((miss, origin));
        }
        if best.is_some_and(|(held, _)| held == 0) {
            break;
        }
    }
    best.map(|(_, origin)| origin)
}

/// Frame corners (top left) that lay a corner of the frame into the target so that a rectangle of about `wanted` px is
/// hidden.
fn corner_places(stream: &mut Stream, target: Rect, frame: Rect, wanted: u64) -> Vec<Point> {
    let (width, height) = (target.width(), target.height());
    let wanted = wanted.min(target.area()) as i64;
    let narrowest = (wanted / i64::from(height)).max(1).min(i64::from(width));
    let start = stream.below(4);
    let mut places = Vec::new();
    for turn in 0..4 {
        let (from_left, from_top) = ((start + turn) & 1 == 1, (start + turn) & 2 == 2);
        let across = stream.between(narrowest, i64::from(width)) as i32;
        let down = (wanted as i32 + across / 2) / across;
        // Rounded corners hide a little less than their rectangle: look around.
        for (wider, taller) in [
            (0, 0),
            (0, 1),
            (1, 0),
            (1, 1),
            (0, -1),
            (-1, 0),
            (2, 0),
            (0, 2),
            (2, 1),
            (3, 0),
            (4, 0),
            (-2, 1),
            (-1, 1),
            (5, 0),
            (3, 1),
        ] {
            let (across, down) = ((across + wider).clamp(1, width), (down + taller).clamp(1, height));
            places.push(Point {
                x: if from_left { target.x0() + across - frame.width() } else { target.x1() - across },
                y: if from_top { target.y0() + down - frame.height() } else { target.y1() - down },
            });
        }
    }
    places
}

/// Frame corners (top left) that run an edge of the frame through the whole target so that a strip of about `wanted` px
/// is hidden.
fn strip_places(stream: &mut Stream, target: Rect, frame: Rect, wanted: u64, axis: Axis, edges: &[Point]) -> Vec<Point> {
    let vertical = match axis {
        Axis::Vertical => true,
        Axis::Horizontal => false,
        Axis::Any => stream.chance(500),
    };
    let start = stream.below(2);
    let mut places = Vec::new();
    for turn in 0..2 {
        let from_start = (start + turn) % 2 == 1;
        let (along, frame_along, low, high) = if vertical {
            (target.height(), frame.width(), target.x0(), target.x1())
        } else {
            (target.width(), frame.height(), target.y0(), target.y1())
        };
        // Where the frame's other axis may begin so that its edge spans the target clear of rounded corners.
        let (first, last) = (high + CORNER_PX - frame_along, low - CORNER_PX);
        if first > last {
            continue;
        }
        let across = if vertical { target.width() } else { target.height() };
        let depth = ((wanted as i64 + i64::from(across) / 2) / i64::from(across)) as i32;
        let in_line = edges.iter().map(|edge| if vertical { edge.x } else { edge.y });
        let at_edges: Vec<i32> = in_line.filter(|side| (first..=last).contains(side)).collect();
        for number in 0..4 {
            let drawn = stream.between(i64::from(first), i64::from(last)) as i32;
            let side = if at_edges.is_empty() { drawn } else { at_edges[number % at_edges.len()] };
            for deeper in [0, 1, -1] {
                let depth = (depth + deeper).clamp(1, along);
                places.push(if vertical {
                    let y = if from_start { target.y0() + depth - frame.height() } else { target.y1() - depth };
                    Point { x: side, y }
                } else {
                    let x = if from_start { target.x0() + depth - frame.width() } else { target.x1() - depth };
                    Point { x, y: side }
                });
            }
        }
    }
    places
}
