//! Arranges a scene of protocol `windesk`: target, occluders, similar distractors, background, each at a place where a
//! user might have put it.

use windesk_model::condition::{Condition, LayerKnob, Region};
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::index::{ProgramIndex, TargetIndex, WindowIndex};
use windesk_model::key::{Decision, SampleKey};
use windesk_model::pack_format::{Category, SnapState, WindowKind};
use windesk_model::plan::{Layout, Reason, Role};

use super::company::{Company, may_show_both};
use super::occlude::{self, reachable};
use super::places::{Wanted, pick_origin, places, pull_to_edges};
use super::theme::WantedTheme;
use super::{Windesk, ruled};
use crate::pack::{IndexedPack, Window};
use crate::planner::PlanError;
use crate::planner::scene::{Layer, RuledScene, Scene, drawn_count};
use crate::planner::turns::Picked;

/// Places tried for a background window before the next program has its turn.
const BACKGROUND_TRIES: usize = 10;
/// Places tried for a similar distractor: first where its category belongs, then anywhere.
const DISTRACTOR_TRIES: [usize; 2] = [12, 60];
/// Most windows of a program that count when it is its turn.
pub(in crate::planner) const TURNS: usize = 6;
/// Shift between the windows of a cascade, px.
const CASCADE_STEP_PX: i32 = 36;
/// Of 1000 background windows that could lie above a partly hidden target, so many try to.
pub(super) const ABOVE_PER_MILLE: u32 = 450;
/// The same for a wholly visible target: else it would mostly be in the active window, and clicking there a shortcut.
pub(super) const ABOVE_VISIBLE_PER_MILLE: u32 = 800;
/// Of 1000 scenes with room for it, so many have a menu open in the topmost window.
const OPEN_POPUP_PER_MILLE: u32 = 120;
/// Of 1000 background windows, so many keep to the region of their category; the others lie anywhere.
const HABIT_PER_MILLE: u32 = 350;
/// Of 1000 background windows of a free layout, so many may hang over an edge of the work area.
const OVERHANG_PER_MILLE: u32 = 140;

/// Arranges the scene of one draw. `company` is in its background in any case.
pub(in crate::planner) fn arrange<'a>(
    pack: &'a IndexedPack,
    condition: &'a Condition,
    key: SampleKey,
    picked: &Picked,
    company: &[WindowIndex],
) -> Result<RuledScene<'a, Windesk>, PlanError> {
    let target = picked.target;
    let layout = drawn_layout(condition, key);
    let weights = condition.layout;
    // Above snapped windows, the others lie in one of the two ways, too.
    let above_tiles = || key.stream(Decision::Layout, 3).weighted(&[weights.free, weights.managed]) == Some(1);
    let count = drawn_count(condition, key);
    let mut scene = Scene::new(pack, condition, layout, picked);
    scene.managed = layout == Layout::Managed || layout == Layout::Tile && above_tiles();
    place_target(&mut scene, key, target, count > condition.fewest_windows() as usize)?;
    if let Some(hidden) = scene.hidden_part() {
        return Err(hidden.into());
    }
    if !condition.visible_ratio.is_full() {
        let room = count - scene.windows.len() - condition.distractor.count as usize;
        occlude::hide_part(&mut scene, key, target, room)?;
    }
    for slot in 0..condition.distractor.count {
        place_distractor(&mut scene, key, target, slot)?;
    }
    for &window in company {
        if !scene.has_program(pack.windows[window].program) && !place_free(&mut scene, key, target, window)? {
            return Err(Reason::WindowsUnplaceable.into());
        }
    }
    place_background(&mut scene, key, target, count)?;
    Ok(ruled(scene))
}

/// The layout that a scene begins with.
pub(in crate::planner) fn drawn_layout(condition: &Condition, key: SampleKey) -> Layout {
    let weights = condition.layout;
    let drawn = key.stream(Decision::Layout, 0).weighted(&[weights.free, weights.managed, weights.cascade, weights.tile]);
    [Layout::Free, Layout::Managed, Layout::Cascade, Layout::Tile][drawn.expect("a condition has a layout")]
}

/// Places the target's window; if it is a dialog, with its parent, for which there must be `room`. Scenes of one window
/// show dialogs alone.
pub(super) fn place_target(scene: &mut Scene, key: SampleKey, target: TargetIndex, room: bool) -> Result<(), PlanError> {
    let (pack, condition) = (scene.pack, scene.condition);
    let at = pack.index().targets[target].window;
    let window = &pack.windows[at];
    let parent = window.parent.filter(|_| condition.windows[1] > 1);
    if parent.is_some() && !room {
        return Err(Reason::WindowsUnplaceable.into());
    }
    // Frame and parent's frame move as one: both must stay on the work area.
    let group = parent.map_or(window.extent(), |(parent, offset)| {
        let frame = pack.windows[parent].frame;
        let parent_frame = Rect::at(window.frame.x0() - offset.x, window.frame.y0() - offset.y, frame.width(), frame.height());
        window.extent().union(parent_frame)
    });
    let mut stream = key.stream(Decision::TargetPlace, 0);
    let region = match &condition.priors {
        None => None,
        Some(priors) if condition.target.centre_biased => Some(priors.centre),
        Some(priors) => priors.category.get(&pack.program_of(at).record.category).copied(),
    };
    let origin = if window.snap == SnapState::Floating {
        let drawn = pick_origin(&mut stream, scene.work(), group, region).ok_or(Reason::TargetUnplaceable)?;
        if scene.managed { pull_to_edges(scene.work(), group, drawn) } else { drawn }
    } else {
        snapped_origin(scene.work(), window.snap, window.frame).ok_or(Reason::TargetUnplaceable)?
    };
    if let Some((parent, offset)) = parent {
        let corner = window.frame.moved(origin).origin() - offset;
        scene.add(parent, Role::Parent, Layer::Parent, corner - pack.windows[parent].frame.origin())?;
    }
    let layer = if window.has_popup() { Layer::Top } else { Layer::Target };
    scene.add(at, Role::Target, layer, origin)?;
    Ok(())
}

/// Whether a target's window can come with the window that it is a dialog of: one that floats, has no menu open and
/// does not answer to the same words. True of windows that are dialogs of none.
pub(in crate::planner) fn can_bring_parent(pack: &IndexedPack, target: TargetIndex) -> bool {
    let index = pack.index();
    let wanted = &index.targets[target];
    let twin = index.name_keys(wanted.window)[wanted.element];
    pack.windows[wanted.window]
        .parent
        .is_none_or(|(parent, _)| pack.windows[parent].is_plain() && !(twin.is_some() && index.name_keys(parent).contains(&twin)))
}

fn place_distractor(scene: &mut Scene, key: SampleKey, target: TargetIndex, slot: u32) -> Result<(), PlanError> {
    let (pack, condition) = (scene.pack, scene.condition);
    let index = pack.index();
    let rank = condition.distractor.rank + slot;
    let neighbour = *index.neighbours(target, condition.sessions).get(rank as usize - 1).ok_or(Reason::DistractorHidden)?;
    let similar = &index.targets[neighbour];
    let window = &pack.windows[similar.window];
    if scene.has_program(window.program) {
        return Err(Reason::DistractorHidden.into());
    }
    let mut stream = key.stream(Decision::DistractorPlace, u64::from(slot));
    let front = match condition.distractor.layer {
        LayerKnob::Behind => false,
        LayerKnob::Front => true,
        LayerKnob::Any => stream.chance(500),
    };
    let layer = if front { Layer::Above } else { Layer::Distractor };
    let target_at = scene.position(Role::Target).expect("placed first");
    let target_box = scene.bbox(target_at, index.targets[target].element);
    let region = region_of(condition, pack.programs[window.program].record.category);
    let wanted = Wanted { ground: scene.work(), tries: &distractor_tries(region) };
    for origin in places(scene, &mut stream, similar.window, &wanted) {
        let frame = window.frame.moved(origin);
        if scene.shares_corner(frame) || (front && frame.touches(target_box)) {
            continue;
        }
        scene.add(similar.window, Role::Distractor, layer, origin)?;
        scene.mark_similar(layer, neighbour, rank);
        if scene.distractors_are_visible() && scene.all_can_be_seen() && (!front || scene.hidden_part().is_none()) {
            return Ok(());
        }
        scene.remove_last(layer);
    }
    Err(Reason::DistractorHidden.into())
}

fn place_background(scene: &mut Scene, key: SampleKey, target: TargetIndex, count: usize) -> Result<(), PlanError> {
    let candidates = Candidates::new(scene, key, target);
    let mut missing = count.saturating_sub(scene.windows.len());
    if scene.layout == Layout::Tile && !place_tiles(scene, key, &candidates, &mut missing)? {
        scene.layout = if scene.managed { Layout::Managed } else { Layout::Free };
    }
    let target_on_top = scene.windows.last().is_some_and(|w| w.layer == Layer::Top);
    if missing > 0
        && !target_on_top
        && key.stream(Decision::OpenPopup, 0).chance(OPEN_POPUP_PER_MILLE)
        && place_popup(scene, key, target, &candidates)?
    {
        missing -= 1;
    }
    if scene.layout == Layout::Cascade && !place_cascade(scene, key, &candidates, &mut missing)? {
        scene.layout = Layout::Free;
    }
    if missing > 1 {
        missing -= place_two_windows(scene, key, target, &candidates)?;
    }
    for unlikely in [false, true] {
        for &program in &candidates.programs {
            if missing == 0 {
                return Ok(());
            }
            if !scene.has_program(program)
                && candidates.is_unlikely(scene, program) == unlikely
                && let Some(window) = candidates.best(scene, program, Window::is_plain)
                && place_free(scene, key, target, window)?
            {
                missing -= 1;
            }
        }
    }
    if missing == 0 { Ok(()) } else { Err(Reason::WindowsUnplaceable.into()) }
}

/// In some scenes, shows two windows of a program of which people have several open. Gives how many were placed.
fn place_two_windows(
    scene: &mut Scene,
    key: SampleKey,
    target: TargetIndex,
    candidates: &Candidates,
) -> Result<usize, PlanError> {
    let pack = scene.pack;
    if !candidates.company.shows_two_windows() {
        return Ok(0);
    }
    let pair = candidates.programs.iter().filter(|&&p| candidates.is_likely(scene, p)).find_map(|&p| {
        let first = candidates.best(scene, p, Window::is_plain)?;
        let second = candidates.best(scene, p, |w| w.is_plain() && may_show_both(pack, &pack.windows[first], w))?;
        Some([first, second])
    });
    let mut placed = 0;
    for window in pair.into_iter().flatten() {
        placed += usize::from(place_free(scene, key, target, window)?);
    }
    Ok(placed)
}

/// Programs in keyed order, and which of their windows may make up the number.
pub(super) struct Candidates<'a> {
    pub(super) programs: Vec<ProgramIndex>,
    target: TargetIndex,
    /// Elements of this name would truly satisfy the target's words.
    twin: Option<u32>,
    /// Whether the words name neither program nor window.
    brief: bool,
    theme: WantedTheme<'a>,
    company: Company,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(scene: &Scene<'a>, key: SampleKey, target: TargetIndex) -> Self {
        let pack = scene.pack;
        let index = pack.index();
        let wanted = &index.targets[target];
        let brief = scene.is_brief(target);
        let mut programs: Vec<ProgramIndex> = pack.programs.keys().collect();
        programs.sort_by_cached_key(|&p| turn(scene, p));
        Self {
            programs,
            target,
            twin: index.name_keys(wanted.window)[wanted.element].filter(|_| brief),
            brief,
            theme: WantedTheme::new(key, &pack.windows[wanted.window]),
            company: Company::new(pack, scene.condition, key, target),
        }
    }

    /// Whether a program is not there yet, and likely company.
    fn is_likely(&self, scene: &Scene, program: ProgramIndex) -> bool {
        !scene.has_program(program) && !self.is_unlikely(scene, program)
    }

    /// Whether a program would be company that few have: another of a purpose that is there, a game while others work,
    /// or a tool of another field. Such programs come where no other is left.
    pub(super) fn is_unlikely(&self, scene: &Scene, program: ProgramIndex) -> bool {
        scene.has_purpose(program) || !self.company.admits(scene.pack, program)
    }

    /// The best ranked window of a program that passes `wanted` and holds no twin of the target.
    pub(super) fn best(&self, scene: &Scene, program: ProgramIndex, wanted: impl Fn(&Window) -> bool) -> Option<WindowIndex> {
        let pack = scene.pack;
        let work = scene.work();
        pack.programs[program]
            .windows
            .iter()
            .copied()
            .filter(|&w| {
                let window = &pack.windows[w];
                let extent = window.extent();
                window.kind != WindowKind::Dialog
                    && scene.admits(w)
                    && extent.width() <= work.width()
                    && extent.height() <= work.height()
                    && wanted(window)
                    && (scene.condition.theme.is_none() || pack.dark_twin(w).is_some())
                    && !(self.twin.is_some() && pack.index().name_keys(w).contains(&self.twin))
                    && !(self.brief && pack.index().holds_competitor(self.target, w))
            })
            .min_by_key(|&w| (self.theme.distance(&pack.windows[w]), scene.turn_of(w)))
    }
}

/// A program's turn: the first of its windows' turns, of [`TURNS`] windows at most. A program of which there are
/// several captures comes more often, and no capture much more often than others.
fn turn(scene: &Scene, program: ProgramIndex) -> u128 {
    let pack = scene.pack;
    let stands_for = |&&w: &&WindowIndex| {
        let window = &pack.windows[w];
        window.kind != WindowKind::Dialog && window.is_plain() && scene.admits(w)
    };
    let windows = pack.programs[program].windows.iter().filter(stands_for).enumerate();
    let turns = windows.filter(|&(n, &w)| n < TURNS || scene.turns.first().contains(&w)).map(|(_, &w)| scene.turn_of(w));
    turns.min().unwrap_or_else(|| scene.turns.of(pack.programs[program].stable_id))
}

/// Whether it is a program's turn to fill the scene up, or that of another program of its purpose.
fn is_in_turn(scene: &Scene, program: ProgramIndex) -> bool {
    let programs = &scene.pack.programs;
    let purpose = &programs[program].record.purpose;
    let is_like = |first: ProgramIndex| first == program || purpose.is_some() && programs[first].record.purpose == *purpose;
    scene.turns.first().iter().any(|&window| is_like(scene.pack.windows[window].program))
}

/// Layers that a background window tries, in order; over the target's window first, if it may lie `above` that.
pub(super) fn background_layers(above: bool) -> &'static [Layer] {
    const ALL: &[Layer] = &[Layer::Above, Layer::BelowTarget, Layer::Ground];
    if above { ALL } else { &ALL[1..] }
}

/// The first tries of a similar distractor keep to the region of its category; later ones go anywhere.
pub(super) fn distractor_tries(region: Option<Region>) -> [(usize, Option<Region>); 2] {
    let [within, anywhere] = DISTRACTOR_TRIES;
    [(within, region), (anywhere, None)]
}

/// The first tries of a background window keep to the region of its category; later ones go anywhere, as users do on a
/// full screen.
pub(super) fn background_tries(region: Option<Region>) -> [(usize, Option<Region>); 2] {
    const EACH: usize = BACKGROUND_TRIES / 2;
    [(EACH, region), (EACH, None)]
}

/// Puts a window where its category belongs, above or below the target, so that every window can be seen.
fn place_free(scene: &mut Scene, key: SampleKey, target: TargetIndex, window: WindowIndex) -> Result<bool, PlanError> {
    let (pack, condition) = (scene.pack, scene.condition);
    let record = &pack.windows[window];
    let mut stream = key.stream(Decision::BackgroundPlace, record.stable_id);
    let mut habit = key.stream(Decision::Habit, record.stable_id);
    let region = region_of(condition, pack.programs[record.program].record.category).filter(|_| habit.chance(HABIT_PER_MILLE));
    let overhangs = scene.layout == Layout::Free && habit.chance(OVERHANG_PER_MILLE);
    let target_at = scene.position(Role::Target).expect("placed first");
    let target_box = scene.bbox(target_at, pack.index().targets[target].element);
    let target_on_top = scene.windows[target_at].layer == Layer::Top;
    let above_per_mille = if condition.visible_ratio.is_full() { ABOVE_VISIBLE_PER_MILLE } else { ABOVE_PER_MILLE };
    let above = !target_on_top && key.stream(Decision::ZOrder, record.stable_id).chance(above_per_mille);
    let ground = if overhangs { beyond(scene.work(), record.extent().size()) } else { scene.work() };
    let wanted = Wanted { ground, tries: &background_tries(region) };
    for origin in places(scene, &mut stream, window, &wanted) {
        let frame = record.frame.moved(origin);
        if scene.shares_corner(frame) || !reachable(scene.work(), frame, !overhangs) {
            continue;
        }
        for &layer in background_layers(above && !frame.touches(target_box)) {
            scene.add(window, Role::Background, layer, origin)?;
            let hides_nothing = || layer < Layer::Target || scene.hidden_part().is_none();
            if scene.all_can_be_seen() && scene.distractors_are_visible() && hides_nothing() {
                return Ok(true);
            }
            scene.remove_last(layer);
        }
    }
    Ok(false)
}

/// The work area and what lies beyond its left, right and lower edge, so far that a window of this size may hang over
/// them by half.
fn beyond(work: Rect, size: Size) -> Rect {
    let (across, down) = (size.width as i32 / 2, size.height as i32 / 2);
    Rect::at(work.x0() - across, work.y0(), work.width() + 2 * across, work.height() + down)
}

/// Puts a window with an open menu on top of all, clear of the target and of distractors.
fn place_popup(scene: &mut Scene, key: SampleKey, target: TargetIndex, candidates: &Candidates) -> Result<bool, PlanError> {
    let pack = scene.pack;
    let target_at = scene.position(Role::Target).expect("placed first");
    let target_box = scene.bbox(target_at, pack.index().targets[target].element);
    let found = candidates
        .programs
        .iter()
        .filter(|&&p| candidates.is_likely(scene, p))
        .find_map(|&p| candidates.best(scene, p, |w| w.snap == SnapState::Floating && w.has_popup()));
    let Some(window) = found else { return Ok(false) };
    let record = &pack.windows[window];
    let mut stream = key.stream(Decision::OpenPopup, 1);
    let region = region_of(scene.condition, pack.programs[record.program].record.category);
    let wanted = Wanted { ground: scene.work(), tries: &background_tries(region) };
    for origin in places(scene, &mut stream, window, &wanted) {
        if record.extent().moved(origin).touches(target_box) || scene.shares_corner(record.frame.moved(origin)) {
            continue;
        }
        scene.add(window, Role::Background, Layer::Top, origin)?;
        if scene.all_can_be_seen() && scene.distractors_are_visible() && scene.hidden_part().is_none() {
            return Ok(true);
        }
        scene.remove_last(Layer::Top);
    }
    Ok(false)
}

/// Snapped arrangements with their weights: one window that fills the work area, two beside each other, one half alone,
/// a half and two quarters.
const TILINGS: [(u32, &[SnapState]); 6] = [
    (50, &[SnapState::Maximized]),
    (22, &[SnapState::LeftHalf, SnapState::RightHalf]),
    (8, &[SnapState::LeftHalf]),
    (8, &[SnapState::RightHalf]),
    (6, &[SnapState::LeftHalf, SnapState::TopRight, SnapState::BottomRight]),
    (6, &[SnapState::RightHalf, SnapState::TopLeft, SnapState::BottomLeft]),
];

/// Fills the ground with snapped windows. False if the pack has none that fit.
fn place_tiles(scene: &mut Scene, key: SampleKey, candidates: &Candidates, missing: &mut usize) -> Result<bool, PlanError> {
    let mut stream = key.stream(Decision::Layout, 1);
    let first = stream.weighted(&TILINGS.map(|(weight, _)| weight)).expect("they have weight");
    // Else those whose turn it is to fill the scene up would find their program or another of its kind there.
    let (in_turn, others): (Vec<_>, Vec<_>) = candidates.programs.iter().copied().partition(|&p| is_in_turn(scene, p));
    let programs = [others, in_turn].concat();
    for tiling in (0..TILINGS.len()).map(|turn| TILINGS[(first + turn) % TILINGS.len()].1) {
        if tiling.len() > *missing {
            continue;
        }
        let mut placed = 0;
        for &placement in tiling {
            let found = programs.iter().filter(|&&p| candidates.is_likely(scene, p)).find_map(|&p| {
                let window = candidates.best(scene, p, |w| w.snap == placement && !w.has_popup())?;
                let origin = snapped_origin(scene.work(), placement, scene.pack.windows[window].frame)?;
                Some((window, origin))
            });
            let Some((window, origin)) = found else { break };
            scene.add(window, Role::Background, Layer::Ground, origin)?;
            placed += 1;
        }
        if placed == tiling.len() && scene.all_can_be_seen() {
            *missing -= placed;
            return Ok(true);
        }
        (0..placed).for_each(|_| scene.remove_last(Layer::Ground));
    }
    Ok(false)
}

/// Lays windows one before the other, each shifted right and down, below the target and the distractors.
fn place_cascade(scene: &mut Scene, key: SampleKey, candidates: &Candidates, missing: &mut usize) -> Result<bool, PlanError> {
    let pack = scene.pack;
    let work = scene.work();
    let mut stream = key.stream(Decision::Layout, 2);
    let mut corner: Option<Point> = None;
    let mut placed = 0;
    for &program in &candidates.programs {
        if *missing == 0 {
            break;
        }
        if !candidates.is_likely(scene, program) {
            continue;
        }
        let Some(window) = candidates.best(scene, program, Window::is_plain) else { continue };
        let frame = pack.windows[window].frame;
        let at = corner.unwrap_or_else(|| Point {
            x: stream.between(24, i64::from((work.width() - frame.width()).clamp(24, 500))) as i32,
            y: stream.between(16, i64::from((work.height() - frame.height()).clamp(16, 200))) as i32,
        });
        let on_screen = Rect::at(at.x, at.y, frame.width(), frame.height());
        if !work.covers(on_screen) || scene.shares_corner(on_screen) {
            continue;
        }
        scene.add(window, Role::Background, Layer::Ground, at - frame.origin())?;
        if scene.all_can_be_seen() {
            corner = Some(at + Point { x: CASCADE_STEP_PX, y: CASCADE_STEP_PX });
            *missing -= 1;
            placed += 1;
        } else {
            scene.remove_last(Layer::Ground);
        }
    }
    Ok(placed >= 2)
}

pub(in crate::planner) fn region_of(condition: &Condition, category: Category) -> Option<Region> {
    condition.priors.as_ref().and_then(|p| p.category.get(&category).copied())
}

/// Where a snapped capture's picture goes, or `None` if it was snapped on a work area of another size.
pub(super) fn snapped_origin(work: Rect, placement: SnapState, frame: Rect) -> Option<Point> {
    let (half_width, half_height) = (work.width() / 2, work.height() / 2);
    let (x, y, width, height) = match placement {
        SnapState::Floating => return None,
        SnapState::Maximized => (0, 0, work.width(), work.height()),
        SnapState::LeftHalf => (0, 0, half_width, work.height()),
        SnapState::RightHalf => (half_width, 0, half_width, work.height()),
        SnapState::TopLeft => (0, 0, half_width, half_height),
        SnapState::TopRight => (half_width, 0, half_width, half_height),
        SnapState::BottomLeft => (0, half_height, half_width, half_height),
        SnapState::BottomRight => (half_width, half_height, half_width, half_height),
    };
    let slot = Rect::at(work.x0() + x, work.y0() + y, width, height);
    // Terminals snap to whole character cells and end a little short.
    let near = (frame.width() - slot.width()).abs() <= 24 && (frame.height() - slot.height()).abs() <= 24;
    near.then(|| slot.origin() - frame.origin())
}
