//! What a plan says of the control that is to be set: its boxes, its states, and what acts do. Nothing is drawn.

use std::collections::BTreeMap;

use windesk_engine::pack::living::{Living, Reach, act, normalised, reach, when_shown};
use windesk_engine::pack::{Element, Pack, Shown};
use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::pack_format::living::{Control, ControlType, Domain, PointMap, Value};
use windesk_model::pack_format::{Action, Outcome};
use windesk_model::page_state::{PageState, WindowEvent};
use windesk_model::plan::Plan;
use windesk_model::setting::Act;

use super::places::{Place, places};

/// A core with a shorter side than this can't be hit by anybody; its state is no target. Px.
pub(super) const MIN_CORE_PX: i32 = 3;

/// A control of a window as a scene shows it. Boxes are px of the page, as its capture has it.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The whole control, with its open list.
    pub control: Rect,
    /// Where the current state can be grasped.
    pub core: Rect,
    /// Its value.
    pub current: Value,
    /// What one act sets it to.
    pub reach: Reach,
    /// By value that can be asked for, where that is set.
    pub goals: BTreeMap<Value, Goal>,
    /// Of a divider, or an edge of a crop frame: by value, the place that it is asked to have. They show no values.
    pub places: BTreeMap<Value, Place>,
}

/// Where a value is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The largest box of those that set it, within the control.
    pub core: Rect,
    /// An act that sets it.
    pub act: Act,
}

/// A state in which a control has a value and shows, with its list open if it has one; nothing else differs from the
/// capture. Null if the page can't have it so.
pub(super) fn base_state(living: &Living, control: &Control, value: &Value) -> Option<PageState> {
    let mut values = when_shown(living, &control.id, value);
    values.insert(control.id.clone(), value.clone());
    let state = normalised(living, &PageState { values, ..PageState::default() }).ok()?;
    opened(living, control, state)
}

/// The state with the control's list open, where it has one to choose from. Null if it does not open.
pub(crate) fn opened(living: &Living, control: &Control, state: PageState) -> Option<PageState> {
    if control.kind != ControlType::ComboBox {
        return Some(state);
    }
    let bbox = element_of(living, &state, &control.element)?.bbox;
    let acted = act(living, &state, &WindowEvent::Click(bbox.centre())).ok()?;
    (acted.window.as_deref() == Some(&living.window.id) && acted.state.popup.is_some()).then_some(acted.state)
}

/// The element of a page in a state, px of the page.
fn element_of(living: &Living, state: &PageState, id: &str) -> Option<Element> {
    let (_, elements) = windesk_engine::pack::living::elements_in(living, state).ok()?;
    elements.into_iter().find(|element| element.id == id)
}

/// The box around a control of a page in a state, px of the page; null if it does not show.
pub(crate) fn box_around(living: &Living, control: &Control, state: &PageState) -> Option<Rect> {
    let (popups, elements) = windesk_engine::pack::living::elements_in(living, state).ok()?;
    let shown = |id: &str| elements.iter().find(|element| element.id == id).map(|element| element.bbox);
    let own = shown(&control.element)?;
    let mut around = own;
    if state.popup.is_some() {
        around = popups.last().map_or(around, |&popup| around.union(popup));
    }
    // What is dragged is its element's travel; a list in order is as large as the places that its items can be put at.
    if control.click_map.is_none() && control.drag_map.is_some() {
        let patches = living.page.patches.iter().filter(|patch| patch.control == control.id);
        let places = patches.flat_map(|patch| &patch.elements).filter(|change| change.id == control.element);
        around = places.filter_map(|change| change.bbox).fold(around, Rect::union);
        if let (Domain::Order { .. }, Some(map)) = (&control.values, &control.drag_map) {
            around = map_boxes(&map.release).into_iter().fold(around, Rect::union);
        }
    }
    around = control.click_map.iter().flat_map(map_boxes).fold(around, Rect::union);
    // Tabs, radio buttons and the like are elements of their own.
    let sets = |outcome: &Outcome| matches!(outcome, Outcome::Value { control: set, .. } if *set == control.id);
    if state.popup.is_none() {
        // A button that resets everything is no part of any control.
        let others = |outcome: &Outcome| matches!(outcome, Outcome::Value { .. }) && !sets(outcome);
        let of_it = |outcomes: &[Outcome]| outcomes.iter().any(sets) && !outcomes.iter().any(others);
        let parts = living.transitions.iter().filter(|t| t.action == Action::Click && of_it(&t.outcomes));
        let parts = parts.filter_map(|t| shown(t.element.as_deref()?));
        around = parts.fold(around, Rect::union);
    }
    around.intersection(living.window.size.rect().union(own).union(popups.last().copied().unwrap_or(own)))
}

fn map_boxes(map: &PointMap) -> Vec<Rect> {
    match map {
        PointMap::Regions { regions } => regions.iter().map(|region| region.rect).collect(),
        PointMap::Linear { area, .. } | PointMap::Stops { area, .. } | PointMap::Plane { area, .. } => vec![*area],
    }
}

/// What is known of a control of a page in a state; null if it does not show.
///
/// # Errors
/// If the page can't have this state.
pub(super) fn facts_in(living: &Living, state: &PageState, control: &str) -> Result<Option<Facts>, Error> {
    let place = || format!("control `{control}` of `{}`", living.window.id);
    let control = living.page.control(control).ok_or_else(|| Error::caller(place(), "expected a control of the page"))?;
    let Some(around) = box_around(living, control, state) else { return Ok(None) };
    let current = state.values.get(&control.id).unwrap_or(&control.value).clone();
    let (_, elements) = windesk_engine::pack::living::elements_in(living, state)?;
    let Some(own) = elements.iter().find(|element| element.id == control.element) else { return Ok(None) };
    let own_core = own.state.get("core").and_then(|core| serde_json::from_value::<Rect>(core.clone()).ok());
    // Where no core was captured, it is the part that shows the value: the entry of the open list, the chosen tab.
    let chosen = || {
        let Value::Text(text) = &current else { return None };
        let is_it = |e: &&Element| e.id != own.id && e.interactive && e.name == *text && around.covers(e.bbox);
        elements.iter().filter(is_it).max_by_key(|e| e.popup).map(|e| e.bbox)
    };
    let core = own_core.or_else(chosen).unwrap_or(own.bbox).intersection(around).unwrap_or(own.bbox);
    let reach = reach(living, state, &control.id, around)?;
    let mut goals = goals_of(&reach, around);
    let mut by_place = BTreeMap::new();
    if matches!(control.kind, ControlType::Splitter | ControlType::CropHandle) {
        if let Some(drag) = &reach.drag {
            let acts = goals.iter().map(|(value, goal)| (value.clone(), goal.act)).collect();
            by_place = places(living, control, state, &elements.raw, drag, &acts);
        }
        goals.retain(|value, _| by_place.contains_key(value));
    }
    Ok(Some(Facts { control: around, core, current, reach, goals, places: by_place }))
}

/// What is known of the control that a plan asks for; null if the plan asks for none, or it does not show.
///
/// # Errors
/// If the plan names what the pack does not have.
pub fn facts(pack: &Pack, plan: &Plan) -> Result<Option<Facts>, Error> {
    let Some(setting) = &plan.setting else { return Ok(None) };
    let place = || format!("plan {}/{}", plan.condition, plan.key.index);
    let placement = plan
        .placements
        .get(plan.target.placement)
        .ok_or_else(|| Error::file(place(), format!("placement {}", plan.target.placement), "an index of the placements"))?;
    let window = pack
        .window_index(&placement.window)
        .ok_or_else(|| Error::file(place(), format!("window `{}`", placement.window), "a window of the pack"))?;
    let state = placement.state.clone().unwrap_or_default();
    facts_in(&*pack.living(window)?, &state, &setting.control)
}

/// From px of a page to px of the screen.
pub(super) fn screen_from_page(plan: &Plan, shown: &Shown) -> Point {
    plan.placements[plan.target.placement].origin - shown.at()
}

fn goals_of(reach: &Reach, around: Rect) -> BTreeMap<Value, Goal> {
    let mut goals: BTreeMap<Value, Goal> = BTreeMap::new();
    let mut offer = |value: &Value, core: Rect, act: Act| {
        if core.width().min(core.height()) < MIN_CORE_PX {
            return;
        }
        let goal = Goal { core, act };
        match goals.get_mut(value) {
            // A click is the shorter way; of two boxes the larger one is easier to hit.
            Some(known) if matches!(known.act, Act::Click(_)) && !matches!(act, Act::Click(_)) => {}
            Some(known) if known.core.area() >= core.area() => {}
            Some(known) => *known = goal,
            None => drop(goals.insert(value.clone(), goal)),
        }
    };
    for (rect, value) in &reach.clicks {
        offer(value, *rect, Act::Click(rect.centre()));
    }
    if let Some(drag) = &reach.drag {
        let (from, held) = (drag.handle.centre(), drag.held_at.unwrap_or_default());
        for (rect, value) in &drag.releases {
            let Some(core) = rect.intersection(around) else { continue };
            let to = if drag.held_at.is_some() { core.centre() + (from - held) } else { core.centre() };
            offer(value, core, Act::Drag([from, to]));
        }
    }
    goals
}
