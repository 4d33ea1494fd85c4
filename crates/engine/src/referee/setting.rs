//! The referee of state setting: what is said of a control, tried out on its page.
//!
//! Shares no code with what works the maps out: acts are done one by one, at points of a lattice and around every edge
//! of what is claimed, and the value that follows is compared.

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::pack_format::living::Value;
use windesk_model::page_state::{PageState, WindowEvent};
use windesk_model::plan::Plan;
use windesk_model::setting::{Act, ClickToState, StateInstance, StateRegion};

use super::owners::Stack;
use super::{Violation, Violations, element_box};
use crate::pack::Pack;
use crate::pack::living::{Living, act};

/// What is said of the control that a plan asks for. Screen px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SettingClaim {
    /// The whole control.
    pub control: Rect,
    /// Where the current state can be grasped.
    pub core: Rect,
    /// Where the target state is set.
    pub target_core: Rect,
    /// What sets it.
    pub act: Act,
}

/// Points of a lattice over the control that an instance is tried out at, in each direction.
const LATTICE: i32 = 24;

/// Checks that all of the control shows, that it does not have the target state yet, and that the act sets it.
///
/// # Errors
/// If the plan names what the pack does not have, or a picture can't be read.
pub fn verify_setting(pack: &Pack, plan: &Plan, claim: &SettingClaim) -> Result<Vec<Violation>, Error> {
    let mut found = Violations(Vec::new());
    let Some(trial) = Trial::new(pack, plan, &mut found)? else { return Ok(found.0) };
    let (stack, at) = (&trial.stack, plan.target.placement);
    let (bbox, total) = element_box(stack, at, &plan.target.element)?;
    let visible = stack.count(at, bbox);
    let target = &plan.target;
    found.expect((visible, total) == (target.visible_px, target.total_px), || {
        format!("target: {visible} of {total} px counted, {} of {} planned", target.visible_px, target.total_px)
    });
    for (name, rect) in [("control", claim.control), ("core", claim.core), ("target core", claim.target_core)] {
        let seen = stack.count(at, rect);
        found.expect(seen == rect.area(), || format!("{name}: {seen} px of {rect:?} show, expected all {}", rect.area()));
        found.expect(claim.control.covers(rect), || format!("{name}: {rect:?} reaches beyond the control {:?}", claim.control));
    }
    found.expect(trial.now != trial.wanted, || format!("the control is {} already", trial.now));
    let ends = match claim.act {
        Act::Click(at) => at,
        Act::Drag([_, to]) => to,
    };
    let after = trial.after(claim.act)?;
    found.expect(after == trial.wanted, || format!("{:?} leads to {after}, expected {}", claim.act, trial.wanted));
    let is_click = matches!(claim.act, Act::Click(_));
    found.expect(!is_click || claim.target_core.contains(ends), || format!("the click {ends:?} is not in the target core"));
    Ok(found.0)
}

/// Checks an instance against its plan: as [`verify_setting`], and that its maps say of every point that is tried what
/// the page does there.
///
/// # Errors
/// As [`verify_setting`].
pub fn check_instance(pack: &Pack, plan: &Plan, instance: &StateInstance) -> Result<Vec<Violation>, Error> {
    let rects = [instance.control_bbox, instance.core_bbox, instance.target_core_bbox].map(rect_of);
    let ([Some(control), Some(core), Some(target_core)], Some(act)) = (rects, instance.act) else {
        return Ok(vec![Violation("boxes or act are missing, or no boxes of pixels".to_owned())]);
    };
    let claim = SettingClaim { control, core, target_core, act };
    let mut found = Violations(verify_setting(pack, plan, &claim)?);
    let Some(trial) = Trial::new(pack, plan, &mut found)? else { return Ok(found.0) };
    let json = |value: &Value| serde_json::to_value(value).expect("plain data");
    found.expect(same(&instance.current_state, &json(&trial.now)), || {
        format!("current state {}, the plan has {}", instance.current_state, trial.now)
    });
    found.expect(same(&instance.target_state, &json(&trial.wanted)), || {
        format!("target state {}, the plan has {}", instance.target_state, trial.wanted)
    });
    let clicks = regions_of(instance.click_to_state.as_ref());
    for at in lattice(control).into_iter().chain(around(clicks)).filter(|&at| control.contains(at)) {
        let (said, is) = (said_at(clicks, at), trial.after(Act::Click(at))?);
        let said = said.unwrap_or(&instance.current_state);
        found.expect(same(said, &json(&is)), || format!("a click at {at:?} sets {said}, the page sets {is}"));
    }
    if let Some(drag) = &instance.drag_to_state {
        let releases = regions_of(Some(&drag.release));
        let Some(handle) = rect_of(drag.handle) else {
            return Ok(vec![Violation(format!("handle {:?} is no box of pixels", drag.handle))]);
        };
        let from = handle.centre();
        let held = drag.held_at.map(|[x, y]| Point { x: x as i32, y: y as i32 });
        let moved = held.map_or(Point::default(), |held| from - held);
        for at in around(releases) {
            let (said, is) = (said_at(releases, at), trial.after(Act::Drag([from, at + moved]))?);
            let said = said.unwrap_or(&instance.current_state);
            found.expect(same(said, &json(&is)), || format!("a drag to {at:?} sets {said}, the page sets {is}"));
        }
        for corner in corners(handle) {
            let other = trial.after(Act::Drag([corner, corner]))?;
            let begins = trial.begins(corner);
            found.expect(begins, || format!("a drag from {corner:?} of the handle takes something else, and sets {other}"));
        }
    }
    Ok(found.0)
}

/// The control that a plan asks for, to try acts on.
struct Trial<'a> {
    stack: Stack<'a>,
    living: std::sync::Arc<Living>,
    state: PageState,
    control: &'a str,
    element: String,
    now: Value,
    wanted: Value,
    /// From px of the page to px of the screen.
    by: Point,
}

impl<'a> Trial<'a> {
    fn new(pack: &'a Pack, plan: &'a Plan, found: &mut Violations) -> Result<Option<Self>, Error> {
        let Some(setting) = &plan.setting else {
            found.expect(false, || "a scene that asks for no control".to_owned());
            return Ok(None);
        };
        let stack = Stack::new(pack, plan)?;
        let at = plan.target.placement;
        let (placement, shown) = (&plan.placements[at], &stack.windows[at]);
        let living = pack.living(shown.index())?;
        let Some(control) = living.page.control(&setting.control).cloned() else {
            found.expect(false, || format!("`{}` has no control `{}`", shown.id, setting.control));
            return Ok(None);
        };
        found.expect(plan.target.element == control.element, || {
            format!("the target is `{}`, the control's element `{}`", plan.target.element, control.element)
        });
        let state = placement.state.clone().unwrap_or_default();
        let now = state.values.get(&control.id).unwrap_or(&control.value).clone();
        let by = placement.origin - shown.at();
        let (element, wanted) = (control.element, setting.target.clone());
        Ok(Some(Self { living, state, control: &setting.control, element, now, wanted, by, stack }))
    }

    fn event(&self, done: Act) -> WindowEvent {
        match done {
            Act::Click(at) => WindowEvent::Click(at - self.by),
            Act::Drag(points) => WindowEvent::Drag(points.map(|at| at - self.by)),
        }
    }

    /// The value after an act on the screen; what nobody knows leaves it.
    fn after(&self, done: Act) -> Result<Value, Error> {
        let acted = act(&self.living, &self.state, &self.event(done))?;
        if acted.window.as_deref() != Some(&self.living.window.id) {
            return Ok(self.now.clone());
        }
        let captured = &self.living.page.control(self.control).expect("it was found before").value;
        Ok(acted.state.values.get(self.control).unwrap_or(captured).clone())
    }

    /// Whether a drag from a point goes to the control's element.
    fn begins(&self, from: Point) -> bool {
        let acted = act(&self.living, &self.state, &self.event(Act::Drag([from, from])));
        acted.is_ok_and(|acted| acted.element.as_deref() == Some(&self.element))
    }
}

fn rect_of(bbox: [f64; 4]) -> Option<Rect> {
    let [x0, y0, x1, y1] = bbox.map(|edge| edge as i32);
    Rect::new(x0, y0, x1, y1).filter(|rect| <[i32; 4]>::from(*rect).map(f64::from) == bbox)
}

fn regions_of(map: Option<&ClickToState>) -> &[StateRegion] {
    match map {
        Some(ClickToState::Regions { regions, .. }) => regions,
        _ => &[],
    }
}

/// What the first region says that holds a pixel.
fn said_at(regions: &[StateRegion], at: Point) -> Option<&serde_json::Value> {
    let holds = |region: &&StateRegion| rect_of(region.bbox).is_some_and(|rect| rect.contains(at));
    regions.iter().find(holds).map(|region| &region.state)
}

fn lattice(rect: Rect) -> Vec<Point> {
    let place = |from: i32, length: i32, step: i32| from + (2 * step + 1) * length / (2 * LATTICE);
    let row = |y: i32| (0..LATTICE).map(move |step| Point { x: place(rect.x0(), rect.width(), step), y });
    (0..LATTICE).flat_map(|step| row(place(rect.y0(), rect.height(), step))).collect()
}

/// The corners of every region, inside and outside.
fn around(regions: &[StateRegion]) -> Vec<Point> {
    let of_region = |region: &StateRegion| {
        let Some(rect) = rect_of(region.bbox) else { return Vec::new() };
        let [x0, y0, x1, y1] = rect.into();
        let xs = [x0 - 1, x0, x1 - 1, x1];
        xs.into_iter().flat_map(|x| [y0 - 1, y0, y1 - 1, y1].map(|y| Point { x, y })).collect()
    };
    regions.iter().flat_map(of_region).collect()
}

fn corners(rect: Rect) -> [Point; 4] {
    let [x0, y0, x1, y1] = rect.into();
    [[x0, y0], [x1 - 1, y0], [x0, y1 - 1], [x1 - 1, y1 - 1]].map(|[x, y]| Point { x, y })
}

/// Whether two states are the same: numbers by value.
fn same(one: &serde_json::Value, other: &serde_json::Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}
