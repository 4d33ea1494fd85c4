//! From the outcomes of a transition to the state that follows.

use windesk_model::geometry::Point;
use windesk_model::pack_format::living::{Control, ControlType, Domain, Value};
use windesk_model::pack_format::{Change, Outcome};
use windesk_model::page_state::{PageState, WindowEvent};

use super::carry::{carried, shown};
use super::maps::value_at;
use super::page::Living;
use super::scene::{Refused, Scene, released, unmodelled};
use super::values::{as_written, last_offset};

/// What outcomes come to.
pub(super) struct Applied {
    /// The page that the window then shows; null if it closed.
    pub(super) window: Option<String>,
    pub(super) state: PageState,
    pub(super) outcomes: Vec<Outcome>,
}

/// Applies outcomes in order. All or nothing: where one of them leads to a state of which nobody knows the look, the
/// whole event is unmodelled.
pub(super) fn apply(scene: &Scene, before: &PageState, event: &WindowEvent, outcomes: Vec<Outcome>) -> Result<Applied, Refused> {
    let living = scene.living;
    let mut state = before.clone();
    let mut window = Some(living.window.id.clone());
    let other_page = |to: &String| to != &living.window.id;
    for outcome in &outcomes {
        match outcome {
            Outcome::Value { control, change } => {
                let control = control_of(living, control)?;
                let value = changed(control, now(scene, &state, control), change)?;
                set(living, &mut state, control, value)?;
            }
            Outcome::Mapped { control } => {
                let control = control_of(living, control)?;
                let value = mapped(scene, control, event)?;
                set(living, &mut state, control, value)?;
            }
            Outcome::Typed { control } => {
                let control = control_of(living, control)?;
                let (Value::Text(text), WindowEvent::Type(more)) = (now(scene, &state, control), event) else {
                    return unmodelled(format!("nothing was typed into control `{}`", control.id));
                };
                set(living, &mut state, control, Value::Text(text + more))?;
            }
            Outcome::Scrolled { area, by } => scroll(living, &mut state, area, *by),
            Outcome::Popup { popup } => state.popup = Some(popup.clone()),
            Outcome::PopupClosed {} => state.popup = None,
            Outcome::Focus { element } => state.focus = Some(element.clone()),
            Outcome::Maximised { to: Some(to), carries: Some(carries) } => {
                (window, state) = (Some(to.clone()), carried(living, &state, to, carries)?);
            }
            // The window is another page then, as that was captured.
            Outcome::Page { to } | Outcome::Maximised { to: Some(to), carries: None } if other_page(to) => {
                (window, state) = (Some(to.clone()), PageState::default());
            }
            Outcome::Page { .. } => state = PageState::default(),
            Outcome::Closed { .. } => (window, state) = (None, PageState::default()),
            Outcome::Unmodelled { why } => return unmodelled(why.clone()),
            Outcome::Window { .. }
            | Outcome::Launch { .. }
            | Outcome::Minimised {}
            | Outcome::Maximised { .. }
            | Outcome::Inert {} => {}
        }
    }
    if window.as_deref() == Some(&living.window.id) {
        state = shown(living, &state)?;
    }
    Ok(Applied { window, state, outcomes })
}

fn control_of<'a>(living: &'a Living, id: &str) -> Result<&'a Control, Refused> {
    match living.page.control(id) {
        Some(control) if control.kind != ControlType::Derived => Ok(control),
        _ => unmodelled(format!("nobody sets control `{id}`")),
    }
}

/// The value of a control while outcomes are being applied.
fn now(scene: &Scene, state: &PageState, control: &Control) -> Value {
    state
        .values
        .get(&control.id)
        .unwrap_or_else(
            || if control.kind == ControlType::Derived { scene.look.settled.value(&control.id) } else { &control.value },
        )
        .clone()
}

/// The value that a change gives a control that has this one.
pub(super) fn changed(control: &Control, now: Value, change: &Change) -> Result<Value, Refused> {
    match (change, &control.values) {
        (Change::To(value), _) => Ok(value.clone()),
        (Change::By(steps), Domain::Range { min, max, step }) => {
            let Value::Number(number) = now else { return unmodelled(format!("control `{}` has no number", control.id)) };
            let most = ((max - min) / step + 1e-6).floor();
            let at = ((number - min) / step).round() + f64::from(*steps);
            Ok(Value::Number(min + at.clamp(0.0, most) * step))
        }
        (Change::By(steps), Domain::Choices { values }) => Ok(values[moved(values, &now, i64::from(*steps), false)].clone()),
        (Change::Next(forward), Domain::Choices { values }) => {
            Ok(values[moved(values, &now, if *forward { 1 } else { -1 }, true)].clone())
        }
        _ => unmodelled(format!("control `{}` has no steps", control.id)),
    }
}

/// The index of the choice that lies so many from this one; around the ends, or up to them.
fn moved(values: &[Value], now: &Value, by: i64, goes_around: bool) -> usize {
    let (at, count) = (values.iter().position(|value| value == now).unwrap_or_default() as i64, values.len() as i64);
    let to = at.saturating_add(by);
    (if goes_around { to.rem_euclid(count) } else { to.clamp(0, count - 1) }) as usize
}

pub(super) fn mapped(scene: &Scene, control: &Control, event: &WindowEvent) -> Result<Value, Refused> {
    // Maps are about the control's own element, in px of the page as it was captured.
    let own = scene.elements.position(|element| element.id == control.element);
    let shown = own.ok_or_else(|| Refused::Unmodelled(format!("control `{}` is not shown", control.id)))?;
    let value = match (event, &control.click_map, &control.drag_map) {
        (WindowEvent::Drag(points), _, Some(drag)) => {
            released(scene, drag, shown, *points).and_then(|to| value_at(&drag.release, to))
        }
        (WindowEvent::Drag(_), _, None) => None,
        (event, Some(map), _) => event.at().and_then(|at| value_at(map, scene.as_captured(shown, at))),
        _ => None,
    };
    value.ok_or_else(|| Refused::Unmodelled(format!("the map of control `{}` says nothing at this point", control.id)))
}

/// Gives a control a value; where a switch of a group goes on, the others go off.
pub(super) fn set(living: &Living, state: &mut PageState, control: &Control, value: Value) -> Result<(), Refused> {
    let own = living.control_index(&control.id).expect("it is one of the page's");
    let value = as_written(living, own, value);
    if !control.values.contains(&value) {
        return unmodelled(format!("control `{}` can't become {value}", control.id));
    }
    let mut put = |at: usize, value: Value| {
        let control = &living.page.controls[at];
        if value == control.value {
            state.values.remove(&control.id);
        } else {
            state.values.insert(control.id.clone(), value);
        }
    };
    if let Some(group) = control.group.as_ref().filter(|_| value == Value::Switch(true)) {
        living.places.groups[group].iter().filter(|&&mate| mate != own).for_each(|&mate| put(mate, Value::Switch(false)));
    }
    put(own, value);
    Ok(())
}

/// Moves the content of a scroll area, up to its ends.
fn scroll(living: &Living, state: &mut PageState, id: &str, by: Point) {
    let Some(area) = living.page.scroll_areas.iter().find(|area| area.id == id) else { return };
    let (at, last) = (state.offsets.get(id).copied().unwrap_or(area.offset), last_offset(area));
    let to = Point { x: at.x.saturating_add(by.x).clamp(0, last.x), y: at.y.saturating_add(by.y).clamp(0, last.y) };
    state.offsets.insert(id.to_owned(), to);
}
