//! From a key to the plan of an instance: a page alone, or a window of a desktop, with a control in some state.

use std::sync::Arc;

use windesk_engine::annotate::counted_in;
use windesk_engine::pack::living::{Living, known_values, scattered, when_shown};
use windesk_engine::pack::{IndexedPack, Shown};
use windesk_engine::planner::{PlanError, plan_about};
use windesk_engine::referee::{SettingClaim, verify, verify_setting};
use windesk_model::condition::{ChromeMode, Condition};
use windesk_model::desktop::Chrome;
use windesk_model::digest::stable_id;
use windesk_model::geometry::Point;
use windesk_model::index::PlacementIndex;
use windesk_model::instruction::{InstructionSource, Wording};
use windesk_model::key::{Decision, SampleKey};
use windesk_model::pack_format::living::{Control, ControlType, Value, Values};
use windesk_model::page_state::PageState;
use windesk_model::plan::{ENGINE_VERSION, Layout, Placement, Plan, PlannedTarget, Reason, Role};
use windesk_model::setting::{Act, PlannedSetting};

use super::facts::{Facts, facts_in, opened, screen_from_page};
use super::names::Asked;
use super::pool::{Entry, SettingPool};
use super::words::{VOICES, in_app, request};
use super::{CoreBand, StateStudy};
use crate::scene::of_plan;
use crate::shell::follow;

/// Plans the instances of one draw: one, or one per band of the study.
pub(super) fn plans_setting(
    pack: &IndexedPack,
    pool: &SettingPool,
    study: &StateStudy,
    key: SampleKey,
) -> Result<Vec<Plan>, PlanError> {
    let (entry, _, lap) = pool.pick(key);
    let living = pack.living(entry.window)?;
    let control = living.page.control(&entry.control).expect("the pool names controls of the page");
    let state = state_of(&living, control, entry, lap, key)?;
    let planning = Planning { pack, study, key, entry, living: &living, state };
    if study.bands.is_empty() {
        let known = facts_in(&living, &planning.state, &control.id)?.ok_or(Reason::SettingHidden)?;
        let target = target_of(&living, control, &known, entry, lap, key)?;
        return Ok(vec![planning.plan(0, control, &known, target)?]);
    }
    // What the page can be asked for as it stands, by control.
    let mut all = Vec::new();
    let is_measured = |other: &Control| {
        let current = planning.state.values.get(&other.id).unwrap_or(&other.value);
        !is_measured_as_captured(other) || *current == other.value
    };
    for other in living.page.controls.iter().filter(|other| pool.asks_for(other) && is_measured(other)) {
        if let Some(known) = facts_in(&living, &planning.state, &other.id)? {
            all.push((other, known));
        }
    }
    study.bands.iter().enumerate().map(|(at, &band)| planning.in_band(at, band, &all)).collect()
}

/// A page in a state, of which something is asked.
struct Planning<'a> {
    pack: &'a IndexedPack,
    study: &'a StateStudy,
    key: SampleKey,
    entry: &'a Entry,
    living: &'a Living,
    state: PageState,
}

impl Planning<'_> {
    /// The plan that asks for a value of a control under a condition.
    fn plan(&self, at: usize, control: &Control, known: &Facts, target: Value) -> Result<Plan, PlanError> {
        let &Self { pack, study, key, entry, living, .. } = self;
        let state = self.state.clone();
        let shown = pack.shown(entry.window, Some(&state))?;
        if shares_its_place(living, &shown, control) {
            return Err(Reason::SettingOutOfReach.into());
        }
        let voice = key.stream(Decision::SettingVoice, 0).below(VOICES as usize) as u32;
        let place = known.places.get(&target).copied();
        let asked = Asked { living, shown: &shown, control, current: &known.current, target: &target, place };
        let words = request(&asked, voice)?;
        let setting = PlannedSetting { control: control.id.clone(), target, voice, hint: study.hint };
        let planned = PlannedTarget {
            placement: PlacementIndex(0),
            element: control.element.clone(),
            instruction: words,
            wording: Wording::InContext,
            instruction_source: InstructionSource::Accessibility,
            total_px: 0,
            visible_px: 0,
            visible_ink: None,
            ambiguous: false,
            evidence: Vec::new(),
            variant: 0,
        };
        let condition = &study.conditions[at];
        let plan = if shown.is_of_desktop() {
            on_desktop(pack, condition, entry, key, &shown, state, planned)?
        } else {
            alone(pack, condition, key, &shown, state, planned)?
        };
        counted(pack, Plan { setting: Some(Box::new(setting)), ..plan }, known)
    }

    /// A plan whose target core is as small as a band says: controls and values in an order that depends on the key
    /// alone, until one can be asked for.
    fn in_band(&self, at: usize, band: CoreBand, all: &[(&Control, Facts)]) -> Result<Plan, PlanError> {
        let goals = all.iter().flat_map(|(control, known)| {
            let fitting = known.goals.iter().filter(move |(_, goal)| band.holds(goal.core));
            fitting.map(move |(value, _)| (*control, known, value))
        });
        let mut goals: Vec<(&Control, &Facts, &Value)> = goals.collect();
        let rank = |name: &str| self.key.rank(Decision::SettingValue, stable_id(name));
        // Controls take turns before values do: sliders have the most.
        goals.sort_by_cached_key(|(control, _, value)| (rank(&control.id), rank(&format!("{}/{value}", control.id))));
        let mut last = Reason::SettingOutOfReach;
        for (control, known, value) in goals.chunk_by(|a, b| a.0.id == b.0.id).filter_map(|values| values.first()) {
            match self.plan(at, control, known, (*value).clone()) {
                Err(PlanError::Rejected(reason)) => last = reason,
                planned => return planned,
            }
        }
        Err(last.into())
    }
}

/// Whether one end of a range stands where the other one does: nobody sees which of the two handles a drag takes.
fn shares_its_place(living: &Living, shown: &Shown, control: &Control) -> bool {
    let place = |control: &Control| shown.element_index(&control.element).map(|at| shown.elements[at].bbox);
    let ends = living.page.controls.iter().filter(|other| other.kind == ControlType::RangeSelection && other.id != control.id);
    control.kind == ControlType::RangeSelection
        && place(control).is_some_and(|own| ends.filter_map(place).any(|other| own.touches(other)))
}

/// Whether the control's map holds for its captured value alone: a map of drags that begin at a fixed place was
/// measured with everything in its captured place.
fn is_measured_as_captured(control: &Control) -> bool {
    control.click_map.is_none() && control.drag_map.as_ref().is_some_and(|map| map.handle.is_some())
}

/// A state at random in which the control has a value that it has not had in earlier laps, until all had their turn.
fn state_of(living: &Arc<Living>, control: &Control, entry: &Entry, lap: u64, key: SampleKey) -> Result<PageState, PlanError> {
    let mut values = known_values(living, &control.id);
    if is_measured_as_captured(control) {
        values.truncate(1);
    }
    let turn = lap + u64::from(key.draw);
    let current = ranked(&values, key, 0, entry.stable_id)[(turn % values.len() as u64) as usize];
    let mut fixed = when_shown(living, &control.id, current);
    fixed.insert(control.id.clone(), current.clone());
    let stream = |slot| key.stream(Decision::SettingPage, slot);
    let state = match spread(living, control, &fixed, entry, turn, key) {
        Some(wider) => scattered(living, &mut stream(0), &wider).or_else(|_| scattered(living, &mut stream(0), &fixed)),
        None => scattered(living, &mut stream(0), &fixed),
    };
    let state = state.map_err(|_| Reason::SettingUnknown)?;
    Ok(opened(living, control, state).ok_or(Reason::SettingUnknown)?)
}

/// The values, and with them one of the control beside it that has the most: another one in every lap, so that a
/// control that comes again never comes with the same page.
fn spread(living: &Living, control: &Control, fixed: &Values, entry: &Entry, turn: u64, key: SampleKey) -> Option<Values> {
    let others = living
        .page
        .controls
        .iter()
        .filter(|other| other.kind != ControlType::Derived && !fixed.contains_key(&other.id) && other.id != control.id);
    let (other, values) = others
        .map(|other| (other, known_values(living, &other.id)))
        .max_by_key(|(other, values)| (values.len(), std::cmp::Reverse(&other.id)))
        .filter(|(_, values)| values.len() > 1)?;
    let value = ranked(&values, key, 2, entry.stable_id)[(turn % values.len() as u64) as usize];
    let mut wider = fixed.clone();
    wider.insert(other.id.clone(), value.clone());
    Some(wider)
}

/// The value that the control must take: one that an act sets, another one in every lap.
fn target_of(
    living: &Living,
    control: &Control,
    known: &Facts,
    entry: &Entry,
    lap: u64,
    key: SampleKey,
) -> Result<Value, PlanError> {
    let values: Vec<&Value> = known.goals.keys().collect();
    if values.is_empty() {
        return Err(Reason::SettingOutOfReach.into());
    }
    let before = lap / known_values(living, &control.id).len().max(1) as u64;
    let turn = before + u64::from(key.draw);
    Ok(ranked(&values, key, 1, entry.stable_id)[(turn % values.len() as u64) as usize].clone())
}

/// Values in an order that depends on seed and control alone.
fn ranked<'v>(values: &[&'v Value], key: SampleKey, stage: u64, control: u64) -> Vec<&'v Value> {
    let of_seed = SampleKey { index: 0, draw: 0, ..key };
    let rank = |value: &Value| of_seed.rank(Decision::SettingValue, stable_id(&format!("{control}/{stage}/{value}")));
    let mut ranked: Vec<&Value> = values.to_vec();
    ranked.sort_by_cached_key(|value| rank(value));
    ranked
}

/// A page that fills the image.
fn alone(
    pack: &IndexedPack,
    condition: &Condition,
    key: SampleKey,
    shown: &Shown,
    state: PageState,
    target: PlannedTarget,
) -> Result<Plan, PlanError> {
    let wallpaper = condition.wallpapers.first().or_else(|| pack.wallpapers.first().map(|wallpaper| &wallpaper.id));
    let placement = Placement {
        window: shown.id.clone(),
        role: Role::Target,
        origin: shown.at(),
        active: true,
        parent: None,
        state: Some(state).filter(|state| !state.is_captured()),
    };
    Ok(Plan {
        engine: ENGINE_VERSION,
        pack: pack.digest.clone(),
        condition: condition.name.clone(),
        condition_sha256: condition.digest(),
        protocol: condition.protocol,
        key,
        canvas: pack.windows[shown.index()].size,
        session: pack.sessions[shown.session].record.as_ref().map(|session| session.id.clone()),
        wallpaper: wallpaper.ok_or(Reason::SettingHidden)?.clone(),
        layout: Layout::Free,
        chrome: Chrome::bare(ChromeMode::None),
        placements: [placement].into_iter().collect(),
        target,
        distractors: Vec::new(),
        nearest_competitor: None,
        absent: None,
        extra_targets: Vec::new(),
        pointer: None,
        step: None,
        setting: None,
    })
}

/// A window of a desktop, in front of all others.
fn on_desktop(
    pack: &IndexedPack,
    condition: &Condition,
    entry: &Entry,
    key: SampleKey,
    shown: &Shown,
    state: PageState,
    target: PlannedTarget,
) -> Result<Plan, PlanError> {
    let anchor = entry.anchor.expect("the pool leaves out windows of desktops without one");
    // The words are about the control, which shows wholly: what readers of the anchor's own words go by does not
    // matter.
    let unread = Condition { evidence: None, ..condition.clone() };
    let base = plan_about(pack, &unread, key, anchor, &[])?;
    if !verify(pack, &unread, &base)?.is_empty() {
        return Err(Reason::NotVerified.into());
    }
    let mut desktop = of_plan(pack, &base)?;
    let before = desktop.clone();
    let own =
        desktop.windows.iter().find(|w| w.capture == shown.id && !w.minimised).map(|w| w.id).ok_or(Reason::SettingHidden)?;
    desktop.raise(pack, own, &mut Vec::new());
    follow(pack, &before, &mut desktop);
    let mut placements = desktop.placements(pack)?;
    let at = desktop.placement_of(own).ok_or(Reason::SettingHidden)?;
    // A window that it belongs to may be in front; a menu is open in the topmost window alone.
    let others_menu = placements
        .iter()
        .any(|p| p.window != shown.id && pack.window_index(&p.window).is_some_and(|window| pack.windows[window].has_popup()));
    if at != placements.last_key().ok_or(Reason::SettingHidden)? || others_menu {
        return Err(Reason::SettingHidden.into());
    }
    let parent = placements[at].parent;
    for (position, placement) in placements.iter_mut_enumerated() {
        placement.role = match placement.role {
            _ if position == at => Role::Target,
            _ if Some(position) == parent => Role::Parent,
            _ => Role::Background,
        };
    }
    placements[at].origin = placements[at].origin + shown.at();
    placements[at].state = Some(state).filter(|state| !state.is_captured());
    let instruction = if placements.len() > 1 {
        in_app(&pack.program_of(shown.index()).record.name, &target.instruction)
    } else {
        target.instruction
    };
    Ok(Plan {
        condition_sha256: condition.digest(),
        chrome: desktop.chrome.clone(),
        target: PlannedTarget { placement: at, instruction, ..target },
        distractors: Vec::new(),
        nearest_competitor: None,
        placements,
        ..base
    })
}

/// The plan with its target counted, if all of the control shows and the referee agrees.
fn counted(pack: &IndexedPack, mut plan: Plan, known: &Facts) -> Result<Plan, PlanError> {
    let at = plan.target.placement;
    let window = pack.window_index(&plan.placements[at].window).ok_or(Reason::SettingHidden)?;
    let shown = pack.shown(window, plan.placements[at].state.as_ref())?;
    let element = shown.element_index(&plan.target.element).ok_or(Reason::SettingHidden)?;
    let bbox = shown.elements[element].bbox.moved(plan.placements[at].origin);
    let by: Point = screen_from_page(&plan, &shown);
    let control = known.control.moved(by);
    let (total_px, visible_px) = counted_in(pack, &plan, at, bbox)?;
    let (_, control_px) = counted_in(pack, &plan, at, control)?;
    if control_px < control.area() || total_px == 0 || visible_px < total_px {
        return Err(Reason::SettingHidden.into());
    }
    plan.target = PlannedTarget { total_px, visible_px, ..plan.target };
    let goal = plan.setting.as_ref().and_then(|setting| known.goals.get(&setting.target)).ok_or(Reason::SettingOutOfReach)?;
    let act = match goal.act {
        Act::Click(at) => Act::Click(at + by),
        Act::Drag(points) => Act::Drag(points.map(|at| at + by)),
    };
    let claim = SettingClaim { control, core: known.core.moved(by), target_core: goal.core.moved(by), act };
    if verify_setting(pack, &plan, &claim)?.is_empty() { Ok(plan) } else { Err(Reason::NotVerified.into()) }
}
