//! The referee: recounts a finished plan on an owner map of its own. Always on.
//!
//! It imports nothing of the planner's solver and shares no counting code with it or with the annotator: every pixel is
//! given to the window painted last on it, and then pixels are counted one by one. Only where something is counted is
//! it painted.

mod evidence;
mod owners;
mod pairing;
mod recount;
mod session_pairing;
mod setting;

use std::collections::{BTreeMap, BTreeSet};

use typed_index_collections::TiSlice;

use windesk_model::Error;
use windesk_model::condition::{Band, Condition, PointerMode, Protocol, Ratio, SessionsKnob, StatesKnob};
use windesk_model::desktop::{in_work_hours, work_area};
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::{ElementIndex, PlacementIndex, ProgramIndex, WindowIndex};
use windesk_model::instruction::Wording;
use windesk_model::pack_format::ShellKind;
use windesk_model::plan::{HIDDEN_BELOW_PX, Layout, Plan, PlannedAbsent, PlannedTarget, Role};

use crate::pack::{Element, IndexedPack, Pack, Shown, Window, name_key, normalised_name};
use owners::{Stack, owner_of};

pub use pairing::check_pairing;
pub use recount::recount;
pub use setting::{SettingClaim, check_instance, verify_setting};

/// A rule that a plan breaks: what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation(pub String);

/// Checks a plan against its condition. An empty list means that every rule holds.
///
/// # Errors
/// If the plan names what the pack does not have, or a picture can't be read.
pub fn verify(pack: &IndexedPack, condition: &Condition, plan: &Plan) -> Result<Vec<Violation>, Error> {
    let case = Case { pack, condition, plan, stack: Stack::new(pack, plan)? };
    let mut found = Violations(Vec::new());
    case.check_target(&mut found)?;
    case.check_other_counts(&mut found)?;
    case.check_desktop(&mut found)?;
    case.check_pointer(&mut found)?;
    case.check_states(&mut found);
    case.check_words(&mut found)?;
    // The published generator promises nothing more.
    if condition.protocol == Protocol::Windesk {
        case.check_distractors(&mut found);
        case.check_ambiguity(&mut found)?;
        case.check_company(&mut found);
        case.check_places(&mut found);
    }
    Ok(found.0)
}

/// Checks a keyframe of a task that is not its first: what is asked for shows, nothing else that shows answers to the
/// words, what was to be hidden is, and the shell says what is there. `spared` are elements that lead to the same next
/// state.
///
/// # Errors
/// As [`verify`].
pub fn verify_keyframe(
    pack: &IndexedPack,
    condition: &Condition,
    plan: &Plan,
    spared: &[(PlacementIndex, ElementIndex)],
) -> Result<Vec<Violation>, Error> {
    let case = Case { pack, condition, plan, stack: Stack::new(pack, plan)? };
    let mut found = Violations(Vec::new());
    let Some(step) = &plan.step else { return Ok(vec![Violation("a scene of no task".to_owned())]) };
    let counted = |position: PlacementIndex, element: &str| -> Result<(u64, u64), Error> {
        let (bbox, total) = element_box(&case.stack, position, element)?;
        Ok((case.stack.count(position, bbox), total))
    };
    let target = &plan.target;
    let (visible, total) = counted(target.placement, &target.element)?;
    found.expect((visible, total) == (target.visible_px, target.total_px), || {
        format!("target: {visible} of {total} px counted, {} of {} planned", target.visible_px, target.total_px)
    });
    if let Some(wanted) = &step.wanted {
        let (visible, total) = counted(wanted.placement, &wanted.element)?;
        found.expect((visible, total) == (wanted.visible_px, wanted.total_px), || {
            format!("what is wanted: {visible} of {total} px counted, {} of {} planned", wanted.visible_px, wanted.total_px)
        });
        found.expect(visible < HIDDEN_BELOW_PX, || {
            format!("what is wanted: {visible} px visible, expected fewer than {HIDDEN_BELOW_PX}")
        });
    }
    if let Some(put_away) = &step.put_away {
        let shows = plan.placements.iter().any(|placement| placement.window == put_away.window);
        found.expect(!shows, || format!("`{}` is put away, and a placement shows it", put_away.window));
        let program = pack.window_index(&put_away.window).map(|at| &pack.program_of(at).record.name);
        let item = plan.chrome.items.iter().find(|item| Some(&item.name) == program);
        found.expect(step.shell.is_some() && item.is_some_and(|item| item.minimised > 0), || {
            format!("`{}` is put away, and the shell does not say so", put_away.window)
        });
    }
    match &step.shell {
        Some(id) => {
            let button = plan.chrome.taskbar_elements(plan.canvas).into_iter().find(|e| e.id == *id);
            let holds = button.is_some_and(|button| button.bbox.contains(step.click));
            found.expect(holds, || format!("the click at {:?} is not on `{id}` of the shell", step.click));
        }
        None => {
            let least = condition.target.min_visible_px;
            found.expect(visible >= least && Ratio::SOLVABLE.reached_by(visible, total), || {
                format!("target: {visible} of {total} px visible, too few to be asked for")
            });
            let (bbox, _) = element_box(&case.stack, target.placement, &target.element)?;
            let owner = case.stack.paint(Rect::at(step.click.x, step.click.y, 1, 1)).owner(step.click);
            found.expect(bbox.contains(step.click) && owner == Some(owner_of(target.placement)), || {
                format!("the click at {:?} is on no visible pixel of the target", step.click)
            });
            for (position, element) in rivals(pack, &case.stack.windows, target) {
                let (seen, total) = counted(position, &element)?;
                let index = case.stack.windows[position].element_index(&element);
                let is_spared = index.is_some_and(|index| spared.contains(&(position, index)));
                found.expect(is_spared || total == 0 || !Ratio::SOLVABLE.reached_by(seen, total), || {
                    format!("ambiguous: `{element}` of `{}` satisfies the words too", plan.placements[position].window)
                });
            }
        }
    }
    let active = plan.placements.iter().filter(|p| p.active).count();
    found.expect(active <= 1, || format!("{active} active windows"));
    let open = |&at: &PlacementIndex| case.stack.windows[at].has_popup();
    let menus: Vec<PlacementIndex> = case.stack.windows.keys().filter(open).collect();
    found.expect(menus.iter().all(|&at| case.stack.windows.last_key() == Some(at)), || format!("open menus in {menus:?}"));
    for (position, placement) in plan.placements.iter_enumerated() {
        let above = placement.parent.is_none_or(|parent| parent < position);
        found.expect(above, || format!("window {position} lies below its parent"));
    }
    for fault in shell_faults(pack, plan, &case.stack.windows) {
        found.expect(false, || fault);
    }
    Ok(found.0)
}

/// What was found wrong so far.
struct Violations(Vec<Violation>);

impl Violations {
    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.0.push(Violation(what()));
        }
    }
}

/// A plan, what it promises and what it is made of.
struct Case<'a> {
    pack: &'a IndexedPack,
    condition: &'a Condition,
    plan: &'a Plan,
    stack: Stack<'a>,
}

impl Case<'_> {
    /// The protocol, the number of windows, and what is visible of the target.
    fn check_target(&self, found: &mut Violations) -> Result<(), Error> {
        let Self { condition, plan, stack, .. } = self;
        found.expect(plan.protocol == condition.protocol, || {
            format!("arranged by the rules of {}, expected {}", plan.protocol.name(), condition.protocol.name())
        });
        let [min, max] = condition.windows;
        let count = plan.placements.len() as u32;
        found.expect((min..=max).contains(&count), || format!("{count} windows, expected {min}..={max}"));

        let target = &plan.target;
        let (bbox, own_total) = element_box(stack, target.placement, &target.element)?;
        let visible = stack.count(target.placement, bbox);
        found.expect(visible == target.visible_px, || {
            format!("target: {visible} visible px counted, {} planned", target.visible_px)
        });
        found.expect(own_total == target.total_px, || {
            format!("target: {own_total} px counted in all, {} planned", target.total_px)
        });
        found.expect(condition.visible_ratio.holds(visible, own_total), || {
            format!("target: {visible} of {own_total} px visible, outside the band {:?}", condition.visible_ratio)
        });
        found.expect(visible >= condition.target.min_visible_px, || {
            format!("target: {visible} px visible, expected at least {}", condition.target.min_visible_px)
        });
        Ok(())
    }

    /// What is visible of distractors and of further targets.
    fn check_other_counts(&self, found: &mut Violations) -> Result<(), Error> {
        let Self { condition, plan, stack, .. } = self;
        for distractor in &plan.distractors {
            let (bbox, total) = element_box(stack, distractor.placement, &distractor.element)?;
            let visible = stack.count(distractor.placement, bbox);
            found.expect(visible == distractor.visible_px && total == distractor.total_px, || {
                format!(
                    "distractor: {visible} of {total} px counted, {} of {} planned",
                    distractor.visible_px, distractor.total_px
                )
            });
        }
        for extra in &plan.extra_targets {
            let (bbox, total) = element_box(stack, extra.placement, &extra.element)?;
            let visible = stack.count(extra.placement, bbox);
            let words = &extra.instruction;
            found.expect(visible == extra.visible_px && total == extra.total_px, || {
                format!("\"{words}\": {visible} of {total} px counted, {} of {} planned", extra.visible_px, extra.total_px)
            });
            found.expect(visible >= condition.target.min_visible_px && Ratio::SOLVABLE.reached_by(visible, total), || {
                format!("\"{words}\": {visible} of {total} px visible, too few to be asked for")
            });
        }
        found.expect(plan.extra_targets.len() <= condition.targets_per_scene.extra(), || {
            format!("{} further targets, expected at most {}", plan.extra_targets.len(), condition.targets_per_scene.extra())
        });
        Ok(())
    }

    /// What is absent, which window has the focus, and what the shell says.
    fn check_desktop(&self, found: &mut Violations) -> Result<(), Error> {
        let Self { pack, condition, plan, stack } = self;
        let windows = &stack.windows;
        if let Some(absent) = &plan.absent {
            found.expect(!condition.absent_share.is_none(), || "an absent target, expected none".to_owned());
            for place in satisfying(pack, plan, windows, absent)? {
                found.expect(false, || format!("\"{}\" asks for what is absent, and {place} satisfies it", absent.instruction));
            }
        }
        let actives: Vec<PlacementIndex> =
            plan.placements.iter_enumerated().filter(|(_, p)| p.active).map(|(at, _)| at).collect();
        found.expect(actives.iter().copied().eq(plan.placements.last_key()), || {
            format!("active windows {actives:?}, expected the topmost alone")
        });
        for fault in taskbar_faults(pack, plan, windows).into_iter().chain(shell_faults(pack, plan, windows)) {
            found.expect(false, || fault);
        }
        Ok(())
    }

    /// Whether the pointer hides nothing that is promised.
    fn check_pointer(&self, found: &mut Violations) -> Result<(), Error> {
        let Self { condition, plan, stack, .. } = self;
        let Some(pointer) = &plan.pointer else { return Ok(()) };
        let wanted = condition.pointer == PointerMode::Session && condition.protocol == Protocol::Windesk;
        found.expect(wanted, || "a pointer, expected none".to_owned());
        let bbox = pointer.bbox();
        found.expect(bbox.contains(pointer.hotspot), || format!("the pointer at {bbox:?} points at {:?}", pointer.hotspot));
        let promised = plan.distractors.iter().map(|d| (d.placement, &d.element));
        for (position, element) in promised.chain([(plan.target.placement, &plan.target.element)]) {
            let (box_of_it, _) = element_box(stack, position, element)?;
            found.expect(!box_of_it.touches(bbox), || {
                format!("the pointer at {bbox:?} lies on `{}#{element}`", plan.placements[position].window)
            });
        }
        Ok(())
    }

    /// The promised distractors.
    fn check_distractors(&self, found: &mut Violations) {
        let Self { condition, plan, .. } = self;
        let wanted = condition.distractor;
        found.expect(plan.distractors.len() == wanted.count as usize, || {
            format!("{} distractors, expected {}", plan.distractors.len(), wanted.count)
        });
        for (distractor, rank) in plan.distractors.iter().zip(wanted.rank..) {
            match wanted.similarity {
                None => {
                    found.expect(distractor.rank == rank, || format!("distractor of rank {}, expected {rank}", distractor.rank))
                }
                Some(Band(min, max)) => found.expect((f64::from(min)..=f64::from(max)).contains(&distractor.similarity), || {
                    format!(
                        "distractor of similarity {}, expected {}..={}",
                        distractor.similarity,
                        f64::from(min),
                        f64::from(max)
                    )
                }),
            }
            found.expect(wanted.min_visible_ratio.reached_by(distractor.visible_px, distractor.total_px), || {
                format!("distractor: {} of {} px visible", distractor.visible_px, distractor.total_px)
            });
        }
    }

    /// Whether nothing else that can be seen satisfies the words.
    fn check_ambiguity(&self, found: &mut Violations) -> Result<(), Error> {
        let Self { pack, plan, stack, .. } = self;
        let windows = &stack.windows;
        let target = &plan.target;
        for asked in std::iter::once(target).chain(&plan.extra_targets) {
            for (position, element) in rivals(pack, windows, asked) {
                let (bbox, total) = element_box(stack, position, &element)?;
                let seen = stack.count(position, bbox);
                found.expect(total == 0 || !Ratio::SOLVABLE.reached_by(seen, total), || {
                    format!("ambiguous: `{}#{element}` satisfies \"{}\" too", plan.placements[position].window, asked.instruction)
                });
            }
            for icon in &plan.chrome.icons {
                found.expect(!names_target(pack, windows, asked, &icon.label), || {
                    format!("ambiguous: the desktop icon \"{}\" satisfies \"{}\" too", icon.label, asked.instruction)
                });
            }
            for button in plan.chrome.taskbar_elements(plan.canvas) {
                let named = asked.wording == Wording::Brief && names_target(pack, windows, asked, &button.name);
                found.expect(!named, || {
                    format!("ambiguous: \"{}\" of the shell satisfies \"{}\" too", button.name, asked.instruction)
                });
            }
        }
        Ok(())
    }

    /// Which windows are there together.
    fn check_company(&self, found: &mut Violations) {
        let Self { pack, condition, plan, stack } = self;
        let windows = &stack.windows;
        let occluders = plan.placements.iter().filter(|p| p.role == Role::Occluder).count();
        found.expect((occluders > 0) == condition.has_occluder(), || format!("{occluders} occluders"));
        let popups: Vec<PlacementIndex> = windows.keys().filter(|&at| windows[at].has_popup()).collect();
        found.expect(popups.iter().all(|&at| windows.last_key() == Some(at)), || {
            format!("open menus in windows {popups:?}, expected one at most, in the topmost")
        });
        for (position, placement) in plan.placements.iter_enumerated() {
            let session = &pack.sessions[windows[position].session].id;
            found.expect(plan.session.as_ref().is_none_or(|expected| session == expected), || {
                let expected = plan.session.as_deref().unwrap_or_default();
                format!("window `{}` is of session {session}, expected {expected}", placement.window)
            });
            let look = plan.session.as_ref().and_then(|id| pack.sessions.iter().find(|session| session.id == *id));
            let dark = look.and_then(|session| Some(session.record.as_ref()?.look.dark));
            let own = windows[position].dark;
            found.expect(dark.is_none_or(|dark| own == dark), || {
                let brightness = |dark| if dark { "dark" } else { "light" };
                let expected = brightness(!own);
                format!("window `{}` is {}, expected {expected} as its session", placement.window, brightness(own))
            });
        }
        found.expect(condition.as_session.is_none() || plan.session == condition.as_session, || {
            format!("session {:?}, expected {:?}", plan.session, condition.as_session)
        });
        let known = pack.sessions.iter().all(|session| session.record.is_some());
        let of_one = condition.sessions == SessionsKnob::One && condition.theme.is_none();
        found.expect(plan.session.is_some() == (of_one && known) || condition.theme.is_some(), || {
            format!("session {:?}, expected one where windows are to be of one", plan.session)
        });
        let mut programs: BTreeMap<ProgramIndex, Vec<PlacementIndex>> = BTreeMap::new();
        for (position, placement) in plan.placements.iter_enumerated() {
            if placement.role != Role::Parent {
                programs.entry(windows[position].program).or_default().push(position);
            }
        }
        for (program, positions) in programs {
            let titles: BTreeSet<&str> = positions.iter().map(|&at| windows[at].title.as_str()).collect();
            let background = positions.iter().all(|&at| plan.placements[at].role == Role::Background);
            let two_windows = positions.len() == 2 && titles.len() == 2 && background;
            found.expect(positions.len() == 1 || two_windows, || {
                format!(
                    "program {} in windows {positions:?}, expected one window, or two with titles of their own in the background",
                    pack.programs[program].record.id
                )
            });
        }
    }

    /// Which windows are in states of their own: those that the condition lets, and never the target's element.
    fn check_states(&self, found: &mut Violations) {
        let Self { pack, condition, plan, stack } = self;
        for (position, placement) in plan.placements.iter_enumerated().filter(|(_, p)| p.state.is_some()) {
            let may = condition.states == StatesKnob::Varied && matches!(placement.role, Role::Target | Role::Background);
            found.expect(may, || format!("window `{}` is in a state of its own, expected as captured", placement.window));
            let captured = &pack.windows[stack.windows[position].index()];
            let asked = std::iter::once(&plan.target).chain(&plan.extra_targets).filter(|t| t.placement == position);
            for target in asked {
                let one =
                    |elements: &[Element]| elements.iter().find(|e| e.id == target.element).map(|e| (e.state.clone(), e.bbox));
                let same = one(captured.elements.as_ref()) == one(stack.windows[position].elements.as_ref());
                found.expect(same, || format!("`{}#{}` is asked for in another state", placement.window, target.element));
            }
        }
    }

    /// Whether the words are the pack's, and what they need can be seen. Tasks find their words elsewhere, and theirs
    /// need nothing.
    fn check_words(&self, found: &mut Violations) -> Result<(), Error> {
        let Self { pack, condition, plan, stack } = self;
        if plan.step.is_some() {
            return Ok(());
        }
        for asked in std::iter::once(&plan.target).chain(&plan.extra_targets) {
            if asked.evidence.is_empty() && condition.evidence.is_none() {
                continue;
            }
            for fault in evidence::faults(pack, condition, stack, asked)? {
                found.expect(false, || fault);
            }
        }
        Ok(())
    }

    /// Where windows lie.
    fn check_places(&self, found: &mut Violations) {
        let Self { plan, stack, .. } = self;
        let windows = &stack.windows;
        let target = &plan.target;
        let frames: Vec<Rect> = plan.placements.iter().zip(windows).map(|(p, window)| window.frame.moved(p.origin)).collect();
        if matches!(plan.layout, Layout::Free | Layout::Managed) {
            let mut corners = BTreeSet::new();
            let shared = frames.iter().any(|frame| !corners.insert(frame.origin()));
            found.expect(!shared, || "two windows share their top left corner".to_owned());
        }
        let work = work_area(plan.canvas, plan.chrome.mode, plan.chrome.shell);
        for (placement, frame) in plan.placements.iter().zip(&frames) {
            let within = match placement.role {
                Role::Distractor | Role::Target | Role::Parent => work.covers(*frame),
                Role::Background => title_bar_in_reach(work, *frame),
                Role::Occluder => true,
            };
            found.expect(within, || format!("window `{}` at {frame:?} reaches beyond the work area", placement.window));
        }
        let on_screen =
            plan.canvas.rect().covers(stack.windows[target.placement].frame.moved(plan.placements[target.placement].origin));
        found.expect(on_screen, || "the target's window reaches beyond the screen".to_owned());
    }
}

/// Whether a window could be moved: of its title bar's upper 24 rows, 120 px lie on the work area.
fn title_bar_in_reach(work: Rect, frame: Rect) -> bool {
    let seen = (work.x1().min(frame.x1()) - work.x0().max(frame.x0())).max(0);
    seen >= frame.width().min(120) && work.y0() <= frame.y0() && frame.y0() + 24 <= work.y1()
}

/// An element's box on the screen, and how many of its pixels its own window covers.
fn element_box(stack: &Stack, position: PlacementIndex, element: &str) -> Result<(Rect, u64), Error> {
    let plan = stack.plan;
    let found = stack.windows[position].elements.iter().find(|e| e.id == element);
    let bbox = found
        .ok_or_else(|| {
            Error::file(
                format!("plan {}/{}", plan.condition, plan.key.index),
                format!("element `{element}`"),
                "an element of its window",
            )
        })?
        .bbox;
    let mut total = 0;
    for y in bbox.y0()..bbox.y1() {
        for &(a, b) in stack.shapes[position].row(y) {
            total += (a.max(bbox.x0())..b.min(bbox.x1())).count() as u64;
        }
    }
    Ok((bbox.moved(plan.placements[position].origin), total))
}

/// Whether a caption on the desktop reads like a target's name.
fn names_target(pack: &IndexedPack, windows: &TiSlice<PlacementIndex, Shown>, target: &PlannedTarget, caption: &str) -> bool {
    let index = pack.index();
    let own = &windows[target.placement];
    let element = own.element_index(&target.element);
    let number = element.and_then(|e| name_key(own, e)).and_then(|name| index.number_of(&name));
    number.is_some_and(|number| index.reads_like(number, caption))
}

/// Elements other than a target that truly satisfy its words, as placement and element id.
fn rivals(pack: &IndexedPack, windows: &TiSlice<PlacementIndex, Shown>, target: &PlannedTarget) -> Vec<(PlacementIndex, String)> {
    let own = &windows[target.placement];
    let itself = |(position, element): &(PlacementIndex, String)| *position == target.placement && *element == target.element;
    let element = own.element_index(&target.element);
    let mut others = element.map(|e| named(pack, windows, own.index(), (own, e), target.wording)).unwrap_or_default();
    if target.wording == Wording::Brief {
        others.extend(competitors(pack, windows, own.index(), &target.element));
    }
    others.retain(|found| !itself(found));
    others
}

/// Elements that the brief words of a target were found to fit too, as placement and element id.
fn competitors(
    pack: &IndexedPack,
    windows: &TiSlice<PlacementIndex, Shown>,
    own: WindowIndex,
    element: &str,
) -> Vec<(PlacementIndex, String)> {
    let index = pack.index();
    let target = pack.windows[own].element_index(element).and_then(|element| index.target_at(own, element));
    let Some(target) = target.map(|target| &index.targets[target]) else { return Vec::new() };
    let mut found = Vec::new();
    for (position, window) in windows.iter_enumerated() {
        for other in index.targets_in(window.index()).map(|other| &index.targets[other]) {
            let element = &pack.windows[other.window].elements[other.element];
            // What a window shows in another state may not be there.
            if target.also_fits.contains(&other.text) && window.element_index(&element.id).is_some() {
                found.push((position, element.id.clone()));
            }
        }
    }
    found
}

/// Elements that are called as an element of a window, in windows that words of this kind about it speak of, as
/// placement and element id; the element itself is among them where it shows.
fn named(
    pack: &IndexedPack,
    windows: &TiSlice<PlacementIndex, Shown>,
    own: WindowIndex,
    (looks, element): (&Window, ElementIndex),
    wording: Wording,
) -> Vec<(PlacementIndex, String)> {
    let index = pack.index();
    let Some(name) = name_key(looks, element) else { return Vec::new() };
    // Names that windows were captured with have numbers; what was composed may have other names.
    let number = index.number_of(&name);
    let mut found = Vec::new();
    for (position, window) in windows.iter_enumerated() {
        if !speaks_of(pack, wording, own, window.index()) {
            continue;
        }
        let keys = window.as_captured().map(|_| index.name_keys(window.index()));
        let is_called_so = |at: ElementIndex| match keys {
            Some(keys) => number.is_some() && keys[at] == number,
            None => name_key(window, at).as_ref() == Some(&name),
        };
        let elements = window.elements.iter_enumerated().filter(|(at, _)| is_called_so(*at));
        found.extend(elements.map(|(_, element)| (position, element.id.clone())));
    }
    found
}

/// Whether words of this kind about a window speak of another one, too.
fn speaks_of(pack: &IndexedPack, wording: Wording, own: WindowIndex, other: WindowIndex) -> bool {
    match wording {
        Wording::Brief => true,
        Wording::InContext => pack.program_of(other).record.name == pack.program_of(own).record.name,
        Wording::InWindow => own == other || same_title(pack, own, other),
    }
}

/// Whether the title bars of two windows read alike.
fn same_title(pack: &IndexedPack, one: WindowIndex, other: WindowIndex) -> bool {
    let read = |window| pack.index().title(window).map(|title| normalised_name(&title.text));
    read(one) == read(other)
}

/// What in the scene satisfies the words of an absent target, in words.
fn satisfying(
    pack: &IndexedPack,
    plan: &Plan,
    windows: &TiSlice<PlacementIndex, Shown>,
    absent: &PlannedAbsent,
) -> Result<Vec<String>, Error> {
    let index = pack.index();
    let place = || format!("plan {}/{}", plan.condition, plan.key.index);
    let own = pack.window_index(&absent.window);
    let found = own.and_then(|w| Some((w, pack.windows[w].element_index(&absent.element)?)));
    let Some((own, element)) = found else {
        let found = format!("absent target `{}#{}`", absent.window, absent.element);
        return Err(Error::file(place(), found, "an element of the pack"));
    };
    let program = pack.program_of(own).record.name.as_str();
    let Some(key) = index.name_keys(own)[element] else {
        let shows =
            |window: &&Shown| pack.program_of(window.index()).record.name == program || same_title(pack, own, window.index());
        return Ok(windows.iter().filter(shows).map(|window| format!("`{}`", window.id)).collect());
    };
    let mut elements = named(pack, windows, own, (&pack.windows[own], element), absent.wording);
    if absent.wording == Wording::Brief {
        elements.extend(competitors(pack, windows, own, &absent.element));
    }
    let mut satisfying: Vec<String> =
        elements.into_iter().map(|(at, element)| format!("`{}#{element}`", plan.placements[at].window)).collect();
    let captions = plan.chrome.icons.iter().filter(|icon| index.reads_like(key, &icon.label));
    satisfying.extend(captions.map(|icon| format!("the desktop icon \"{}\"", icon.label)));
    if absent.wording == Wording::Brief {
        let buttons = plan.chrome.taskbar_elements(plan.canvas);
        satisfying
            .extend(buttons.iter().filter(|b| index.reads_like(key, &b.name)).map(|b| format!("\"{}\" in the taskbar", b.name)));
    }
    Ok(satisfying)
}

/// Taskbar buttons that say something else of a program's windows than the scene shows. A program with a window in the
/// scene, and the one of an absent target, has none minimised.
fn taskbar_faults(pack: &Pack, plan: &Plan, windows: &TiSlice<PlacementIndex, Shown>) -> Vec<String> {
    let program = |window: WindowIndex| pack.program_of(window).record.name.as_str();
    let absent = plan.absent.as_ref().and_then(|absent| pack.window_index(&absent.window)).map(program);
    let mut faults = Vec::new();
    for item in &plan.chrome.items {
        let shown = plan.placements.iter().zip(windows).filter(|(_, window)| program(window.index()) == item.name);
        let (count, active) = shown.fold((0, false), |(count, active), (placement, _)| (count + 1, active | placement.active));
        if (item.windows, item.active) != (count, active) {
            faults.push(format!(
                "taskbar: {} with {} windows, active: {}; the scene has {count}, active: {active}",
                item.name, item.windows, item.active
            ));
        }
        if item.minimised > 0 && (count > 0 || absent == Some(item.name.as_str())) {
            faults.push(format!("taskbar: {} is minimised, and has a part in the scene", item.name));
        }
    }
    faults
}

/// What is wrong with shell, dock and clock: a shell of another session than the target's, a dock that a window
/// reaches, a clock that is behind a window or shows a time at which nobody works.
fn shell_faults(pack: &Pack, plan: &Plan, windows: &TiSlice<PlacementIndex, Shown>) -> Vec<String> {
    let chrome = &plan.chrome;
    let mut faults = Vec::new();
    let of_target = pack.shell_of(windows[plan.target.placement].index());
    let is_apt = chrome.shell == of_target || chrome.shell == ShellKind::Taskbar && plan.session.is_none();
    if chrome.mode.has_bars() && !is_apt {
        faults.push(format!("a shell {:?}, expected {of_target:?}, that of the target's session", chrome.shell));
    }
    let pictures = plan.placements.iter().zip(windows).map(|(p, window)| (p, window.size.rect().moved(p.origin)));
    let dock = chrome.dock_place(plan.canvas).filter(|_| chrome.dock);
    if let (true, None) = (chrome.dock, dock) {
        faults.push("a dock, in a shell that has none".to_owned());
    }
    for (placement, picture) in pictures {
        if dock.is_some_and(|dock| picture.touches(dock)) {
            faults.push(format!("the dock is out, and window `{}` reaches it", placement.window));
        }
    }
    if !chrome.mode.has_bars() {
        return faults;
    }
    let newest = windows.iter().filter_map(|window| window.newest_date).max();
    // Times of day that nobody has noted are no later than when the window was captured.
    let sessions = windows.iter().map(|window| &pack.sessions[window.session]);
    let captured = sessions.filter_map(|session| Some(session.record.as_ref()?.clock)).max();
    match chrome.clock {
        None if newest.max(captured).is_some() => faults.push(format!("no time, and windows show {newest:?}")),
        None => {}
        Some(clock) => {
            if !in_work_hours(clock) {
                faults.push(format!("it is {clock}, expected 08:00 to 19:59"));
            }
            if let Some(newest) = newest.filter(|&newest| clock <= newest) {
                faults.push(format!("it is {clock}, and a window shows {newest}"));
            }
            if let Some(captured) = captured.filter(|&captured| clock <= captured) {
                faults.push(format!("it is {clock}, and a window was captured at {captured}"));
            }
        }
    }
    faults
}

/// The target's visible pixels on the screen, recounted on an owner map.
///
/// # Errors
/// If the plan names what the pack does not have, or a picture can't be read.
pub(crate) fn visible_points(pack: &Pack, plan: &Plan) -> Result<Vec<Point>, Error> {
    let stack = Stack::new(pack, plan)?;
    let position = plan.target.placement;
    let (bbox, _) = element_box(&stack, position, &plan.target.element)?;
    let Some(part) = bbox.intersection(plan.canvas.rect()) else { return Ok(Vec::new()) };
    let map = stack.paint(part);
    let in_box = (part.y0()..part.y1()).flat_map(|y| (part.x0()..part.x1()).map(move |x| Point { x, y }));
    Ok(in_box.filter(|&p| map.owner(p) == Some(owner_of(position))).collect())
}
