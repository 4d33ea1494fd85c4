//! What an event does to a page: the element that it reaches, its transition, and the state that follows.
//!
//! Nothing is guessed. What no line of the pack says is `unmodelled`, and so is a state that nobody knows the look of;
//! `inert` is what was recorded as such, or what a disabled element does.

use windesk_model::Error;
use windesk_model::geometry::Point;
use windesk_model::index::ElementIndex;
use windesk_model::pack_format::living::ControlType;
use windesk_model::pack_format::{Action, Outcome, Transition};
use windesk_model::page_state::{PageState, WindowEvent};

use super::super::Element;
use super::super::limits::is_near;
use super::maps::value_at;
use super::outcomes::{Applied, apply};
use super::page::Living;
use super::scene::{Refused, Scene, is_disabled, released, unmodelled};

/// What came of an event.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowActed {
    /// The page that the window then shows, by its capture's id; null if the window closed.
    pub window: Option<String>,
    /// Its state.
    pub state: PageState,
    /// What happened, in order; at least one.
    pub outcomes: Vec<Outcome>,
    /// The element that took the event, if one did.
    pub element: Option<String>,
}

/// What an event at a page in a state does.
///
/// # Errors
/// If the page can't have this state, or nobody knows what it looks like.
pub fn act(living: &Living, state: &PageState, event: &WindowEvent) -> Result<WindowActed, Error> {
    let scene = Scene::of(living, state)?;
    let before = scene.look.normalised();
    let page = &living.window.id;
    let stays = |outcomes, element| WindowActed { window: Some(page.clone()), state: before.clone(), outcomes, element };
    let (element, answer) = match event.at() {
        Some(_) if !event.points().into_iter().all(is_near) => (None, unmodelled("a point far away from the page")),
        Some(at) => at_point(&scene, event, at),
        None => at_focus(&scene, event),
    };
    match answer.and_then(|outcomes| apply(&scene, &before, event, outcomes)) {
        Ok(Applied { window, state, outcomes }) => Ok(WindowActed { window, state, outcomes, element }),
        Err(Refused::Inert) => Ok(stays(vec![Outcome::Inert {}], element)),
        Err(Refused::Unmodelled(why)) => Ok(stays(vec![Outcome::Unmodelled { why }], element)),
    }
}

pub(super) type Answer = Result<Vec<Outcome>, Refused>;

/// What an event of the pointer does, and at which element.
pub(super) fn at_point(scene: &Scene, event: &WindowEvent, at: Point) -> (Option<String>, Answer) {
    let within = scene.topmost_popup(at);
    if scene.has_open_popup() && within.is_none_or(|popup| popup + 1 < scene.popups.len()) {
        let closes = matches!(event, WindowEvent::Click(_) | WindowEvent::DoubleClick(_) | WindowEvent::RightClick(_));
        let why = "what this does beside an open popup was not captured";
        return (None, if closes { Ok(vec![Outcome::PopupClosed {}]) } else { unmodelled(why) });
    }
    let Some(hit) = scene.element_at(at, within) else {
        return (None, unmodelled("nothing there that is known to take it"));
    };
    let id = scene.elements[hit].id.clone();
    if is_disabled(&scene.elements[hit]) {
        return (Some(id), Err(Refused::Inert));
    }
    let answer = match event {
        WindowEvent::Scroll { at, notches } => scrolled(scene, hit, *at, *notches),
        WindowEvent::Drag(points) => dragged(scene, hit, *points),
        _ => clicked(scene, event, hit, at),
    };
    (Some(id), answer)
}

fn clicked(scene: &Scene, event: &WindowEvent, hit: ElementIndex, at: Point) -> Answer {
    let action = event.action();
    let found = scene.transition_up(hit, at, |own| *own == action)?;
    if let Some(transition) = found {
        return Ok(transition.outcomes.clone());
    }
    // A click map says as much as a transition would.
    let element = &scene.elements[hit];
    let point = scene.as_captured(hit, at);
    let mapped = scene.living.page.controls.iter().find(|control| {
        let map = control.click_map.as_ref().filter(|_| control.kind != ControlType::Derived);
        control.element == element.id && map.is_some_and(|map| value_at(map, point).is_some())
    });
    match mapped {
        Some(control) if action == Action::Click => Ok(vec![Outcome::Mapped { control: control.id.clone() }]),
        _ => unmodelled(format!("no transition says what `{}` on `{}` does now", action.name(), element.id)),
    }
}

fn dragged(scene: &Scene, hit: ElementIndex, points: [Point; 2]) -> Answer {
    let element = &scene.elements[hit];
    let own = points.map(|point| scene.as_captured(hit, point));
    if let Some(transition) = scene.transition_up(hit, points[0], |action| *action == Action::Drag(own))?
        && !is_mapped(transition)
    {
        return Ok(transition.outcomes.clone());
    }
    let handled = scene.living.page.controls.iter().find(|control| {
        control.element == element.id && control.drag_map.as_ref().is_some_and(|map| released(scene, map, hit, points).is_some())
    });
    match handled {
        Some(control) => Ok(vec![Outcome::Mapped { control: control.id.clone() }]),
        None => unmodelled(format!("no drag map of `{}` begins here", element.id)),
    }
}

fn is_mapped(transition: &Transition) -> bool {
    transition.outcomes.iter().any(|outcome| matches!(outcome, Outcome::Mapped { .. }))
}

fn scrolled(scene: &Scene, hit: ElementIndex, at: Point, notches: Point) -> Answer {
    let exact =
        |element: ElementIndex| scene.transition(&scene.elements[element].id, Some(at), |own| *own == Action::Scroll(notches));
    let path = || std::iter::once(hit).chain(scene.ancestors(hit));
    for element in path() {
        if let Some(transition) = exact(element)? {
            return Ok(transition.outcomes.clone());
        }
    }
    // The wheel sets what has a value of its own before it moves the content around it.
    let sets = scene.living.page.controls.iter().find(|control| {
        let turned = [ControlType::Slider, ControlType::Knob, ControlType::Stepper, ControlType::SeekBar, ControlType::ComboBox];
        control.element == scene.elements[hit].id && turned.contains(&control.kind)
    });
    if let Some(control) = sets {
        return unmodelled(format!("no transition says what the wheel does to control `{}`", control.id));
    }
    let area = scene.living.page.scroll_areas.iter().find(|area| {
        let own = |transition: &Transition| {
            let moves = |outcome: &Outcome| matches!(outcome, Outcome::Scrolled { area: moved, .. } if *moved == area.id);
            matches!(transition.action, Action::Scroll(_)) && transition.outcomes.iter().any(moves)
        };
        area.viewport.contains(at) && scene.living.transitions.iter().any(|transition| own(transition))
    });
    match area {
        Some(area) => {
            let by = Point { x: notches.x.saturating_mul(area.step.x), y: notches.y.saturating_mul(area.step.y) };
            Ok(vec![Outcome::Scrolled { area: area.id.clone(), by }])
        }
        None => unmodelled("no transition says what the wheel does here"),
    }
}

/// What a key or typed text does: it goes to an open popup, to the element with the focus, or to the whole window.
fn at_focus(scene: &Scene, event: &WindowEvent) -> (Option<String>, Answer) {
    let focus = scene.look.focus.filter(|_| !scene.has_open_popup());
    let shown = focus.and_then(|id| scene.elements.iter().find(|element| element.id == id));
    let answer = match event {
        WindowEvent::Type(text) => {
            shown.map_or_else(|| unmodelled("nothing that is known has the focus"), |e| typed(scene, e, text))
        }
        _ => pressed(scene, shown, &event.action()),
    };
    (shown.map(|element| element.id.clone()), answer)
}

fn typed(scene: &Scene, element: &Element, text: &str) -> Answer {
    if is_disabled(element) {
        return Err(Refused::Inert);
    }
    let exact = scene.transition(&element.id, None, |own| matches!(own, Action::Type(typed) if typed == text))?;
    if let Some(transition) = exact {
        return Ok(transition.outcomes.clone());
    }
    // Where one text is added to what is there, others are.
    let adds = |outcome: &Outcome| matches!(outcome, Outcome::Typed { .. });
    let any = scene.living.transitions.iter().find(|transition| {
        transition.element.as_deref() == Some(&element.id)
            && matches!(transition.action, Action::Type(_))
            && scene.look.settled.holds(&transition.when)
            && transition.outcomes.iter().all(adds)
    });
    any.map_or_else(|| unmodelled(format!("no transition says what typing at `{}` does", element.id)), |t| Ok(t.outcomes.clone()))
}

fn pressed(scene: &Scene, focused: Option<&Element>, action: &Action) -> Answer {
    if let Some(element) = focused.filter(|element| !is_disabled(element))
        && let Some(transition) = scene.transition(&element.id, None, |own| own == action)?
    {
        return Ok(transition.outcomes.clone());
    }
    match scene.window_transition(action)? {
        Some(transition) => Ok(transition.outcomes.clone()),
        None => unmodelled("no transition says what this key does now"),
    }
}
