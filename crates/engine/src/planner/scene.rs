//! A scene while it is being arranged: windows with their places and layers of the stack.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use typed_index_collections::TiVec;

use windesk_model::Error;
use windesk_model::condition::{Condition, Protocol, Ratio, SessionsKnob, StatesKnob};
use windesk_model::desktop::{bar, work_area};
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::{ElementIndex, PlacementIndex, ProgramIndex, SessionIndex, TargetIndex, WindowIndex};
use windesk_model::instruction::Wording;
use windesk_model::key::{Decision, SampleKey};
use windesk_model::moment::Moment;
use windesk_model::pack_format::{Session, ShellKind};
use windesk_model::page_state::PageState;
use windesk_model::plan::{Layout, NearestCompetitor, Placement, Plan, PlannedDistractor, PlannedPointer, Reason, Role};

use super::asked::{Asked, as_worded};
use super::turns::{Picked, Turns};
use super::{DRAFT_FOCUS, PlanError};
use crate::pack::living::varied;
use crate::pack::{Asking, Focus, IndexedPack, NameKey, Pack, Shape, Shown, Target, name_key, resolve};
use crate::visibility::{BoxMask, Solid};

/// Layers of the stack, bottom to top. Within a layer later windows lie above earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layer {
    /// Snapped windows and whatever must not hide a distractor.
    Ground,
    /// Similar distractors that lie behind.
    Distractor,
    /// Background between distractor and target.
    BelowTarget,
    /// The parent of the target's dialog.
    Parent,
    /// The target's window.
    Target,
    /// What hides a part of the target.
    Occluder,
    /// Windows above the target that do not touch it.
    Above,
    /// A window with an open menu.
    Top,
}

/// A window at its place.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) window: WindowIndex,
    pub(super) role: Role,
    pub(super) origin: Point,
    pub(super) layer: Layer,
    /// For distractors: index of the similar target and its rank.
    pub(super) similar: Option<(TargetIndex, u32)>,
    /// How it differs from its capture.
    pub(super) state: Option<PageState>,
    pub(super) shape: Arc<Shape>,
}

/// What surrounds the windows of a scene about this one: the shell of its session, or a taskbar where several come
/// together.
pub(super) fn shell_about(pack: &Pack, condition: &Condition, window: WindowIndex) -> ShellKind {
    match condition.sessions {
        SessionsKnob::One => pack.shell_of(window),
        SessionsKnob::Mixed => ShellKind::Taskbar,
    }
}

/// How many windows a scene is to have.
pub(super) fn drawn_count(condition: &Condition, key: SampleKey) -> usize {
    let [min, max] = condition.windows.map(i64::from);
    key.stream(Decision::WindowCount, 0).between(min, max) as usize
}

/// A pointer at its place, with its picture's shape.
#[derive(Clone, Debug)]
pub(super) struct PlacedPointer {
    pub(super) planned: PlannedPointer,
    pub(super) shape: Arc<Shape>,
}

/// Rules that scenes are arranged by.
pub(super) trait Rules {
    /// What they are called.
    const PROTOCOL: Protocol;
}

/// A scene whose windows lie where `R` says. Plans get their protocol from this type and from nowhere else; a value of
/// `R` can be made only by the module whose rules it states, so that no scene is said to follow rules that it does not.
pub(super) struct RuledScene<'a, R: Rules> {
    pub(super) scene: Scene<'a>,
    rules: PhantomData<R>,
}

impl<'a, R: Rules> RuledScene<'a, R> {
    pub(super) fn new(scene: Scene<'a>, _: R) -> Self {
        Self { scene, rules: PhantomData }
    }
}

/// The windows of a scene, always sorted bottom to top.
pub(super) struct Scene<'a> {
    pub(super) pack: &'a IndexedPack,
    pub(super) condition: &'a Condition,
    pub(super) layout: Layout,
    /// Whether windows lie where a window manager puts new ones.
    pub(super) managed: bool,
    shell: ShellKind,
    /// In which order windows fill it up.
    pub(super) turns: Turns,
    pub(super) windows: TiVec<PlacementIndex, Placed>,
    /// What is asked, where the scene finds the words.
    pub(super) asked: Option<Asked>,
    /// Above everything, once all windows lie.
    pub(super) pointer: Option<PlacedPointer>,
    /// The session that all windows are of; nothing if they may be of any.
    session: Option<SessionIndex>,
    /// Sessions in which all windows must have twins.
    twins_in: Vec<SessionIndex>,
    work: Rect,
}

impl<'a> Scene<'a> {
    /// An empty scene about a target.
    pub(super) fn new(pack: &'a IndexedPack, condition: &'a Condition, layout: Layout, picked: &Picked) -> Self {
        let window = pack.index().targets[picked.target].window;
        let session = match condition.sessions {
            SessionsKnob::One => Some(pack.windows[window].session),
            SessionsKnob::Mixed => None,
        };
        let shell = shell_about(pack, condition, window);
        let work = work_area(condition.canvas, condition.chrome, shell);
        Self {
            pack,
            condition,
            layout,
            managed: false,
            shell,
            turns: picked.turns.clone(),
            windows: TiVec::new(),
            asked: picked.asking.map(|asking| Asked::new(pack, picked.target, asking)),
            pointer: None,
            session,
            twins_in: Vec::new(),
            work,
        }
    }

    /// The same with windows alone that have twins in all of these sessions.
    pub(super) fn with_twins_in(self, twins_in: Vec<SessionIndex>) -> Self {
        Self { twins_in, ..self }
    }

    /// The scene that a plan's windows make, pointer included, for counting again.
    pub(super) fn of_plan(pack: &'a IndexedPack, condition: &'a Condition, plan: &Plan) -> Result<Self, Error> {
        let mut windows = TiVec::new();
        let captures = resolve(pack, plan)?;
        for (shown, placement) in captures.iter().zip(&plan.placements) {
            let Placement { role, origin, active, .. } = *placement;
            let (window, shape) = (shown.index(), shown.shape(pack, pack.focus_of(shown.index(), active))?);
            let state = placement.state.clone();
            windows.push(Placed { window, role, origin, layer: Layer::Ground, similar: None, state, shape });
        }
        let pointer = plan.pointer.as_ref().map(|planned| {
            let pixels = pack.pointer_pixels(&planned.icon, planned.side_px)?;
            Ok::<_, Error>(PlacedPointer { planned: planned.clone(), shape: Arc::clone(pixels.shape()) })
        });
        Ok(Self {
            pack,
            condition,
            layout: plan.layout,
            managed: false,
            shell: plan.chrome.shell,
            turns: Turns::new(plan.key, plan.key.spread(Decision::SessionTurn)),
            windows,
            asked: None,
            pointer: pointer.transpose()?,
            session: captures.first().filter(|_| plan.session.is_some()).map(|shown| shown.session),
            twins_in: Vec::new(),
            work: work_area(plan.canvas, plan.chrome.mode, plan.chrome.shell),
        })
    }

    /// A window's turn to fill the scene up: windows with an earlier one come first.
    pub(super) fn turn_of(&self, window: WindowIndex) -> u128 {
        self.turns.of_window(window, self.pack.windows[window].stable_id)
    }

    /// What surrounds the windows.
    pub(super) fn shell(&self) -> ShellKind {
        self.shell
    }

    /// What is known of the session whose desktop this is; nothing in a scene of several.
    pub(super) fn session(&self) -> Option<&'a Session> {
        self.session.and_then(|session| self.pack.sessions[session].record.as_ref())
    }

    /// Whether a program belongs to the session, so that it may run without a window.
    pub(super) fn has_in_session(&self, program: ProgramIndex) -> bool {
        let is_here = |&window: &WindowIndex| self.session.is_none_or(|own| self.pack.windows[window].session == own);
        self.pack.programs[program].windows.iter().any(is_here)
    }

    /// Whether a window may come together with the target's: of its session, and as light or dark as that.
    pub(super) fn admits(&self, window: WindowIndex) -> bool {
        let record = &self.pack.windows[window];
        record.is_of_desktop()
            && self.session.is_none_or(|session| record.session == session && self.pack.fits_look(window))
            && (self.twins_in.is_empty() || self.pack.floats_in_all(window, &self.twins_in))
    }

    /// The name of the session that all windows are of; nothing if they may be of any, or it is not known.
    pub(super) fn session_id(&self) -> Option<String> {
        // Dark twins are of another session than the windows that they stand for.
        let session_of = |placed: &Placed| self.pack.windows[placed.window].session;
        let session = self.session.and_then(|_| self.windows.first().map(session_of))?;
        let shared = self.windows.iter().all(|placed| session_of(placed) == session);
        self.pack.sessions[session].record.as_ref().filter(|_| shared).map(|record| record.id.clone())
    }

    /// The same with a smaller part of the screen to place windows on.
    pub(super) fn within(self, work: Rect) -> Self {
        Self { work, ..self }
    }

    /// The part of the screen that windows are placed on.
    pub(super) fn work(&self) -> Rect {
        self.work
    }

    /// Adds a window on top of its layer.
    pub(super) fn add(&mut self, window: WindowIndex, role: Role, layer: Layer, origin: Point) -> Result<(), Error> {
        let shape = self.pack.shape(window, DRAFT_FOCUS)?;
        let at = self.windows.partition_point(|w| w.layer <= layer);
        self.windows.insert(at, Placed { window, role, origin, layer, similar: None, state: None, shape });
        Ok(())
    }

    /// Puts every window's dark twin in its place; gives the twin of the target.
    pub(super) fn darken(&mut self, target: TargetIndex) -> Result<TargetIndex, PlanError> {
        for placed in &mut self.windows {
            placed.window = self.pack.dark_twin(placed.window).ok_or(Reason::WindowsUnplaceable)?;
            placed.shape = self.pack.shape(placed.window, DRAFT_FOCUS)?;
        }
        let twin = self.pack.dark_twin_target(target).ok_or(Reason::TargetUnplaceable)?;
        self.asked = self.asked.take().map(|asked| Asked::new(self.pack, twin, asked.asking));
        Ok(twin)
    }

    /// Gives target and background windows of living programs states of their own, if the condition says so. Boxes and
    /// names stay as they are; the target's element stays altogether.
    pub(super) fn vary(&mut self, key: SampleKey, target: TargetIndex) -> Result<(), Error> {
        let pack = self.pack;
        if self.condition.states == StatesKnob::Captured {
            return Ok(());
        }
        let wanted = &pack.index().targets[target];
        for placed in &mut self.windows {
            let record = &pack.windows[placed.window];
            let is_used = matches!(placed.role, Role::Target | Role::Background);
            if !is_used || record.living.is_none() || record.has_popup() {
                continue;
            }
            let kept = (placed.role == Role::Target).then(|| record.elements[wanted.element].id.as_str());
            let mut stream = key.stream(Decision::WindowState, record.stable_id);
            let state = varied(&*pack.living(placed.window)?, &mut stream, kept)?;
            placed.state = Some(state).filter(|state| !state.is_captured());
        }
        Ok(())
    }

    /// A window as the finished scene shows it.
    pub(super) fn shown(&self, position: PlacementIndex) -> Result<Shown<'a>, Error> {
        let pack: &'a Pack = self.pack;
        let placed = &self.windows[position];
        pack.shown(placed.window, placed.state.as_ref())
    }

    /// Whether an element is in the state that it was captured in, so that words about it hold.
    pub(super) fn is_as_captured(&self, position: PlacementIndex, element: ElementIndex) -> Result<bool, Error> {
        let captured = &self.pack.windows[self.windows[position].window].elements[element];
        Ok(self.shown(position)?.elements[element].state == captured.state)
    }

    /// Takes the topmost window of a layer away again.
    pub(super) fn remove_last(&mut self, layer: Layer) {
        let at = self.topmost_in(layer).expect("a window was added to it");
        self.windows.remove(at);
    }

    /// Notes of which similar element the topmost window of a layer is, and its rank.
    pub(super) fn mark_similar(&mut self, layer: Layer, similar: TargetIndex, rank: u32) {
        let at = self.topmost_in(layer).expect("a window was added to it");
        self.windows[at].similar = Some((similar, rank));
    }

    /// The topmost window of a layer, or of those below it.
    fn topmost_in(&self, layer: Layer) -> Option<PlacementIndex> {
        self.windows.rposition(|w| w.layer <= layer)
    }

    /// The highest window with this role.
    pub(super) fn position(&self, role: Role) -> Option<PlacementIndex> {
        self.windows.rposition(|w| w.role == role)
    }

    /// A window's frame on the screen.
    pub(super) fn frame(&self, position: PlacementIndex) -> Rect {
        let placed = &self.windows[position];
        self.pack.windows[placed.window].frame.moved(placed.origin)
    }

    /// An element's box on the screen.
    pub(super) fn bbox(&self, position: PlacementIndex, element: ElementIndex) -> Rect {
        let placed = &self.windows[position];
        self.pack.windows[placed.window].elements[element].bbox.moved(placed.origin)
    }

    /// Whether a window of this program is there already.
    pub(super) fn has_program(&self, program: ProgramIndex) -> bool {
        self.windows.iter().any(|w| self.pack.windows[w.window].program == program)
    }

    /// Whether a program of the same purpose is there already, such as another file manager. Scenes of mixed sessions
    /// have no such rule.
    pub(super) fn has_purpose(&self, program: ProgramIndex) -> bool {
        let purpose = &self.pack.programs[program].record.purpose;
        self.session.is_some()
            && purpose.is_some()
            && self.windows.iter().any(|w| self.pack.program_of(w.window).record.purpose == *purpose)
    }

    fn is_topmost(&self, position: PlacementIndex) -> bool {
        self.windows.last_key() == Some(position)
    }

    /// Which picture the window shows: only the topmost has the focus.
    pub(super) fn focus(&self, position: PlacementIndex) -> Focus {
        self.pack.focus_of(self.windows[position].window, self.is_topmost(position))
    }

    /// The visible pixels of an element as the finished scene shows them, and how many its own window covers in all.
    pub(super) fn mask_of(&self, position: PlacementIndex, element: ElementIndex) -> Result<(BoxMask, u64), Error> {
        self.mask_in(position, self.shown(position)?.elements[element].bbox)
    }

    /// The same for a box of a window's picture.
    pub(super) fn mask_in(&self, position: PlacementIndex, in_picture: Rect) -> Result<(BoxMask, u64), Error> {
        let placed = &self.windows[position];
        let own = self.shown(position)?.shape(self.pack, self.focus(position))?;
        let total = own.count_in(in_picture);
        let mut mask = BoxMask::new(in_picture.moved(placed.origin), Solid::Window(&own, placed.origin), self.condition.canvas);
        for (above, placed) in self.windows.iter_enumerated().skip(position.after().into()) {
            let shape = self.shown(above)?.shape(self.pack, self.focus(above))?;
            mask.cover(Solid::Window(&shape, placed.origin));
        }
        self.cover_with_bar(&mut mask);
        if let Some(PlacedPointer { planned, shape }) = &self.pointer {
            mask.cover(Solid::Window(shape, planned.origin));
        }
        Ok((mask, total))
    }

    /// The visible pixels of an element with the windows placed so far, all with their draft look.
    pub(super) fn draft_mask_of(&self, position: PlacementIndex, element: ElementIndex) -> BoxMask {
        let own = &self.windows[position];
        let mut mask = BoxMask::new(self.bbox(position, element), Solid::Window(&own.shape, own.origin), self.condition.canvas);
        self.cover_from_above(position, &mut mask);
        mask
    }

    /// Takes away what windows above this one and bars cover, all windows with their draft look.
    pub(super) fn cover_from_above(&self, position: PlacementIndex, mask: &mut BoxMask) {
        for above in &self.windows[position.after()..] {
            mask.cover(Solid::Window(&above.shape, above.origin));
        }
        self.cover_with_bar(mask);
    }

    fn cover_with_bar(&self, mask: &mut BoxMask) {
        if let Some(bar) = bar(self.condition.canvas, self.condition.chrome, self.shell) {
            mask.cover(Solid::Rect(bar));
        }
    }

    /// Whether no window's picture, shadow included, reaches this part of the screen.
    pub(super) fn leaves_free(&self, part: Rect) -> bool {
        !self.windows.iter().any(|w| self.pack.windows[w.window].size.rect().moved(w.origin).touches(part))
    }

    /// The latest moment that a window may show.
    pub(super) fn latest_moment(&self) -> Option<Moment> {
        self.windows.iter().filter_map(|w| self.pack.latest_moment(w.window)).max()
    }

    /// Whether all similar elements are as visible as the condition wants, with the windows placed so far.
    pub(super) fn distractors_are_visible(&self) -> bool {
        let index = self.pack.index();
        self.windows.iter_enumerated().all(|(position, placed)| {
            placed.similar.is_none_or(|(similar, _)| {
                let element = index.targets[similar].element;
                let total = placed.shape.count_in(self.pack.windows[placed.window].elements[element].bbox);
                let visible = self.draft_mask_of(position, element).count();
                self.condition.distractor.min_visible_ratio.reached_by(visible, total)
            })
        })
    }

    /// The distractors as the finished scene shows them, by rank.
    pub(super) fn planned_distractors(&self, target: TargetIndex) -> Result<Vec<PlannedDistractor>, Error> {
        let index = self.pack.index();
        let mut planned = Vec::new();
        for (position, placed) in self.windows.iter_enumerated() {
            if let Some((similar, rank)) = placed.similar {
                let element = index.targets[similar].element;
                let (mask, total_px) = self.mask_of(position, element)?;
                planned.push(PlannedDistractor {
                    placement: position,
                    element: self.pack.windows[placed.window].elements[element].id.clone(),
                    rank,
                    similarity: index.cosine(target, similar),
                    total_px,
                    visible_px: mask.count(),
                });
            }
        }
        planned.sort_by_key(|d| d.rank);
        Ok(planned)
    }

    /// The words that ask for a target, and how they ask: as the scene does for its own, else as the pack words it.
    pub(super) fn words_about(&self, target: TargetIndex) -> (String, Asking) {
        match self.asked.as_ref().filter(|asked| asked.target == target) {
            Some(asked) => (self.pack.words(target, asked.asking), asked.asking),
            None => (self.pack.index().targets[target].instruction.clone(), as_worded(self.pack, target)),
        }
    }

    /// Whether windows of any program may hold what the words fit: they name neither program nor window.
    pub(super) fn is_brief(&self, target: TargetIndex) -> bool {
        self.words_about(target).1.wording == Wording::Brief
    }

    /// Whether another element that is itself solvably visible truly satisfies words of this kind about a target.
    pub(super) fn is_ambiguous(&self, target: TargetIndex, wording: Wording) -> Result<bool, Error> {
        let Target { window, element, .. } = self.pack.index().targets[target];
        let itself = |position: PlacementIndex, other: ElementIndex| self.windows[position].window == window && other == element;
        let called = Called { number: self.pack.index().name_keys(window)[element], key: None };
        self.is_said_of_others(window, &called, Some(target), wording, &itself)
    }

    /// Whether words of this kind about an element that a placement shows are also true of one that is solvably visible
    /// and none of `spared`.
    pub(super) fn is_said_of_more(
        &self,
        position: PlacementIndex,
        element: ElementIndex,
        wording: Wording,
        spared: &dyn Fn(PlacementIndex, ElementIndex) -> bool,
    ) -> Result<bool, Error> {
        let (index, shown) = (self.pack.index(), self.shown(position)?);
        let key = name_key(&shown, element);
        let called = Called { number: key.as_ref().and_then(|key| index.number_of(key)), key };
        let captured = shown.as_captured().is_some().then(|| index.target_at(shown.index(), element)).flatten();
        self.is_said_of_others(shown.index(), &called, captured, wording, spared)
    }

    /// `target` is what brief words were judged for.
    fn is_said_of_others(
        &self,
        window: WindowIndex,
        called: &Called,
        target: Option<TargetIndex>,
        wording: Wording,
        spared: &dyn Fn(PlacementIndex, ElementIndex) -> bool,
    ) -> Result<bool, Error> {
        let index = self.pack.index();
        let also_fits = match target.filter(|_| wording == Wording::Brief) {
            Some(target) => index.targets[target].also_fits.as_slice(),
            None => &[],
        };
        for (position, placed) in self.windows.iter_enumerated() {
            if !self.pack.is_said_of(wording, window, placed.window) {
                continue;
            }
            let shown = self.shown(position)?;
            let mut others: Vec<ElementIndex> = match (&called.key, placed.state.is_some()) {
                // A composed window may show names that no window was captured with.
                (Some(key), true) => shown.elements.keys().filter(|&at| name_key(&shown, at).as_ref() == Some(key)).collect(),
                _ => {
                    let named = index.name_keys(placed.window).iter_enumerated();
                    named.filter(|(_, k)| called.number.is_some() && **k == called.number).map(|(at, _)| at).collect()
                }
            };
            if !also_fits.is_empty() {
                let fits = |other: &TargetIndex| also_fits.binary_search(&index.targets[*other].text).is_ok();
                let captured = &self.pack.windows[placed.window];
                let of_shown = |other: TargetIndex| shown.element_index(&captured.elements[index.targets[other].element].id);
                others.extend(index.targets_in(placed.window).filter(fits).filter_map(of_shown));
            }
            for element in others {
                if !spared(position, element) {
                    let (mask, total) = self.mask_of(position, element)?;
                    if total > 0 && Ratio::SOLVABLE.reached_by(mask.count(), total) {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// The solvably visible element, other than the target, whose embedding is nearest to the target's.
    pub(super) fn nearest_competitor(&self, target: TargetIndex) -> Result<Option<NearestCompetitor>, Error> {
        let index = self.pack.index();
        let mut others: Vec<(f64, PlacementIndex, TargetIndex)> = Vec::new();
        for (position, placed) in self.windows.iter_enumerated() {
            others.extend(index.targets_in(placed.window).map(|other| (index.cosine(target, other), position, other)));
        }
        others.retain(|&(_, position, other)| !(other == target && self.windows[position].role == Role::Target));
        others.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (similarity, position, other) in others {
            let element = index.targets[other].element;
            let (mask, total) = self.mask_of(position, element)?;
            if total > 0 && Ratio::SOLVABLE.reached_by(mask.count(), total) {
                let element = self.pack.windows[self.windows[position].window].elements[element].id.clone();
                return Ok(Some(NearestCompetitor { placement: position, element, similarity }));
            }
        }
        Ok(None)
    }

    /// The finished stack. Only the topmost window is active; a dialog names its parent's placement.
    pub(super) fn placements(&self) -> TiVec<PlacementIndex, Placement> {
        let parent = self.position(Role::Parent);
        self.windows
            .iter_enumerated()
            .map(|(position, placed)| Placement {
                window: self.pack.windows[placed.window].id.clone(),
                role: placed.role,
                origin: placed.origin,
                active: self.is_topmost(position),
                state: placed.state.clone(),
                parent: parent.filter(|_| placed.role == Role::Target),
            })
            .collect()
    }

    /// Whether each window can be seen: on a coarse grid, at least three cells and a twenty-fifth of its own.
    pub(super) fn all_can_be_seen(&self) -> bool {
        const CELL_PX: i32 = 48;
        const MIN_CELLS: u32 = 3;
        const MIN_SHARE: u32 = 25;
        let work = self.work();
        let columns = (work.width() / CELL_PX) as usize;
        let rows = (work.height() / CELL_PX) as usize;
        // From the top down: which cells windows cover, a bit each, rows in whole words.
        let words = columns.div_ceil(64);
        let mut covered = vec![0_u64; words * rows];
        let cell_range = |low: i32, high: i32, limit: usize| {
            let first = ((low + CELL_PX / 2) / CELL_PX).clamp(0, limit as i32) as usize;
            let last = ((high + CELL_PX / 2) / CELL_PX).clamp(0, limit as i32) as usize;
            first..last.max(first)
        };
        self.windows.keys().rev().all(|position| {
            let frame = self.frame(position).moved(-work.origin());
            let across = cell_range(frame.x0(), frame.x1(), columns);
            let down = cell_range(frame.y0(), frame.y1(), rows);
            let cells = (across.len() * down.len()) as u32;
            let mut seen = 0;
            for row in down {
                for (word, covered) in covered[row * words..(row + 1) * words].iter_mut().enumerate() {
                    let own = bits_of(&across, word);
                    seen += (own & !*covered).count_ones();
                    *covered |= own;
                }
            }
            seen >= MIN_CELLS.min(cells.max(1)) && seen * MIN_SHARE >= cells
        })
    }

    /// Whether this frame shares a corner pixel with one that is there.
    pub(super) fn shares_corner(&self, frame: Rect) -> bool {
        self.windows.keys().any(|other| {
            let other = self.frame(other).corners();
            frame.corners().iter().zip(other).any(|(&a, b)| a == b)
        })
    }
}

/// What an element is called.
struct Called {
    /// As a number that elements of windows as captured have; nothing if none of them is called so.
    number: Option<u32>,
    /// In words, where windows in other states may have it, too.
    key: Option<NameKey>,
}

/// The bits of `range` that lie in word number `word` of 64 bits each.
fn bits_of(range: &Range<usize>, word: usize) -> u64 {
    let below = |end: usize| match end.saturating_sub(word * 64) {
        bits @ 0..64 => (1 << bits) - 1,
        _ => u64::MAX,
    };
    below(range.end) & !below(range.start)
}
