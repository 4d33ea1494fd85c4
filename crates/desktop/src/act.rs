//! From a state and an event to the next state.

use windesk_engine::pack::Pack;
use windesk_model::Error;
use windesk_model::geometry::Point;
use windesk_model::index::ElementIndex;
use windesk_model::pack_format::{Action, Outcome, Transition};
use windesk_model::page_state::WindowEvent;

use crate::buttons::{FrameButton, frame_button};
use crate::event::{Acted, Effect, Event};
use crate::hit::{Hit, hit, own_transitions};
use crate::outcome::{apply, behind_menu, maximise};
use crate::page::{act_on_page, is_living, is_told};
use crate::shell;
use crate::state::{DesktopState, WindowId};
use crate::valid::faults;

/// What an event does. The same state and event always give the same.
///
/// # Errors
/// If the state is none of this pack's ([`faults`]), or a picture can't be read.
pub fn act(pack: &Pack, state: &DesktopState, event: &Event) -> Result<Acted, Error> {
    if let Some(fault) = faults(pack, state).into_iter().next() {
        return Err(Error::at("desktop state", fault));
    }
    let mut effects = Vec::new();
    let mut next = state.clone();
    match event {
        Event::Key { key } => press(pack, &mut next, key, &mut effects)?,
        Event::Type { text } => type_text(pack, &mut next, text, &mut effects)?,
        Event::Scroll { at, by } => {
            let under = point_to(pack, state, &mut next, *at)?;
            scroll(pack, &mut next, *at, *by, under, &mut effects)?;
        }
        Event::Drag { from, to } => {
            let under = hit(pack, state, *from)?;
            point_to(pack, state, &mut next, *to)?;
            drag(pack, &mut next, [*from, *to], under, &mut effects)?;
        }
        Event::Click { .. } | Event::DoubleClick { .. } | Event::RightClick { .. } => {
            let (action, at) = event.action_at().expect("it is done at one place");
            let under = point_to(pack, state, &mut next, at)?;
            point(pack, &mut next, &action, at, under, &mut effects)?;
        }
    }
    shell::follow(pack, state, &mut next);
    if effects.is_empty() {
        effects.push(Effect::Inert { why: "it is as it was".to_owned() });
    }
    Ok(Acted { state: next, effects })
}

fn unmodelled(why: &str) -> Effect {
    Effect::Unmodelled { why: why.to_owned() }
}

/// Brings the pointer to a point of the screen; gives what lies there.
fn point_to(pack: &Pack, state: &DesktopState, next: &mut DesktopState, at: Point) -> Result<Hit, Error> {
    let under = hit(pack, state, at)?;
    if let Some(pointer) = next.pointer.as_mut().filter(|_| under != Hit::Nothing) {
        pointer.origin = pointer.origin + at - pointer.hotspot;
        pointer.hotspot = at;
    }
    Ok(under)
}

fn point(
    pack: &Pack,
    state: &mut DesktopState,
    action: &Action,
    at: Point,
    under: Hit,
    effects: &mut Vec<Effect>,
) -> Result<(), Error> {
    if under == Hit::Nothing {
        effects.push(Effect::Inert { why: "not on the screen".to_owned() });
        return Ok(());
    }
    let open_menu = state.menu_owner(pack);
    if let Some(owner) = open_menu {
        let lives = state.window(owner).is_some_and(|window| is_living(window.captured(pack).1));
        let goes_on = match &under {
            Hit::Window { window, in_menu: true, .. } => *window == owner,
            Hit::Window { window, element: Some(element), .. } if *window == owner && !lives => {
                transition(pack, state, owner, *element, action, at).is_some()
            }
            _ => false,
        };
        if !goes_on {
            close_menu(pack, state, owner, effects);
            return Ok(());
        }
    }
    match under {
        Hit::Shell(None) => effects.push(Effect::Inert { why: "an empty part of the bar".to_owned() }),
        Hit::Shell(Some(_)) if *action != Action::Click => effects.push(unmodelled("the shell was seen clicked alone")),
        Hit::Shell(Some(element)) => shell::click(pack, state, &element, effects),
        Hit::Icon(_) => effects.push(unmodelled("selecting and opening what lies on the desktop was not captured")),
        Hit::Wallpaper if *action == Action::Click => {
            if state.active.take().is_some() {
                effects.push(Effect::Unfocused {});
            }
        }
        Hit::Wallpaper => effects.push(unmodelled("the desktop's own menu was not captured")),
        Hit::Nothing => {}
        Hit::Window { window, element, .. } => in_window(pack, state, window, element, action, at, effects)?,
    }
    Ok(())
}

/// Closes an open menu. The click is spent on that, as where menus hold the pointer (X11).
fn close_menu(pack: &Pack, state: &mut DesktopState, owner: WindowId, effects: &mut Vec<Effect>) {
    if state.window_mut(owner).page_state.popup.take().is_some() {
        effects.push(Effect::MenuClosed { window: owner });
        return;
    }
    let done = behind_menu(pack, state, owner).and_then(|_| {
        let mut changed = state.clone();
        apply(pack, &mut changed, owner, &[Outcome::PopupClosed {}], &mut Vec::new()).map(|()| changed)
    });
    match done {
        Ok(changed) => {
            *state = changed;
            effects.push(Effect::MenuClosed { window: owner });
        }
        Err(why) => effects.push(Effect::Unmodelled { why }),
    }
}

fn in_window(
    pack: &Pack,
    state: &mut DesktopState,
    id: WindowId,
    element: Option<ElementIndex>,
    action: &Action,
    at: Point,
    effects: &mut Vec<Effect>,
) -> Result<(), Error> {
    state.raise(pack, id, effects);
    if let Some(by) = state.blocked_by(pack, id) {
        effects.push(Effect::Blocked { by });
        return Ok(());
    }
    let Some(element) = element else {
        match action {
            Action::Click => {}
            _ => effects.push(unmodelled("what that does to a plain surface was not captured")),
        }
        return Ok(());
    };
    let open = state.window(id).expect("it was hit");
    let shown = open.shown(pack)?;
    let by_page = is_living(&shown);
    let known = if by_page { None } else { transition(pack, state, id, element, action, at) };
    let is_told = known.is_some() || by_page && is_told(pack, &shown, &shown.elements[element].id);
    let button = frame_button(&shown, element).filter(|_| *action == Action::Click && !is_told);
    // All or nothing: what can't be shown leaves the windows' contents as they are.
    let mut changed = state.clone();
    let mut own = Vec::new();
    let done = match (known, button) {
        (Some(known), _) if known.is_conditional() => Err("it depends on values, and the page has no living file".to_owned()),
        (Some(known), _) => apply(pack, &mut changed, id, &known.outcomes, &mut own),
        (None, Some(FrameButton::Minimise)) => {
            changed.minimise(id, &mut own);
            Ok(())
        }
        (None, Some(FrameButton::Close)) => {
            changed.close(pack, id, &mut own);
            Ok(())
        }
        (None, Some(FrameButton::Maximise | FrameButton::Restore)) => maximise(pack, &mut changed, id, None, &mut own),
        (None, None) if by_page => {
            let event = on_page(action, at - open.origin).expect("it is done at one place");
            act_on_page(pack, &mut changed, id, &event, &mut own)?
        }
        (None, None) => {
            let element = &shown.elements[element];
            Err(format!("what `{}` does to {} `{}` of `{}` was not captured", action.name(), element.role, element.id, shown.id))
        }
    };
    settle(state, changed, done, own, effects);
    Ok(())
}

/// An action at a point of a page.
fn on_page(action: &Action, at: Point) -> Option<WindowEvent> {
    match action {
        Action::Click => Some(WindowEvent::Click(at)),
        Action::DoubleClick => Some(WindowEvent::DoubleClick(at)),
        Action::RightClick => Some(WindowEvent::RightClick(at)),
        _ => None,
    }
}

/// Takes over what an event changed, or says why it can't be shown.
fn settle(
    state: &mut DesktopState,
    changed: DesktopState,
    done: Result<(), String>,
    own: Vec<Effect>,
    effects: &mut Vec<Effect>,
) {
    match done {
        Ok(()) => {
            *state = changed;
            effects.extend(own);
        }
        Err(why) => effects.push(Effect::Unmodelled { why }),
    }
}

/// An event that a window's page takes without a click; what other windows do with it was not captured.
fn at_page(
    pack: &Pack,
    state: &mut DesktopState,
    id: WindowId,
    event: &WindowEvent,
    effects: &mut Vec<Effect>,
) -> Result<(), Error> {
    let window = state.window(id).expect("it is open").captured(pack).1;
    if !is_living(window) {
        effects.push(Effect::Unmodelled { why: format!("`{}` has no living file that knows what that does", window.id) });
        return Ok(());
    }
    let (mut changed, mut own) = (state.clone(), Vec::new());
    let done = act_on_page(pack, &mut changed, id, event, &mut own)?;
    settle(state, changed, done, own, effects);
    Ok(())
}

/// The wheel turns over whatever lies below the pointer. It brings no window to the front.
fn scroll(
    pack: &Pack,
    state: &mut DesktopState,
    at: Point,
    notches: Point,
    under: Hit,
    effects: &mut Vec<Effect>,
) -> Result<(), Error> {
    let Hit::Window { window, in_menu, .. } = under else {
        effects.push(unmodelled("what the wheel does there was not captured"));
        return Ok(());
    };
    if let Some(by) = state.blocked_by(pack, window) {
        effects.push(Effect::Blocked { by });
        return Ok(());
    }
    if state.menu_owner(pack).is_some_and(|owner| owner != window || !in_menu) {
        effects.push(unmodelled("what the wheel does beside an open menu was not captured"));
        return Ok(());
    }
    let origin = state.window(window).expect("it was hit").origin;
    at_page(pack, state, window, &WindowEvent::Scroll { at: at - origin, notches }, effects)
}

/// A drag goes to the window that it begins in, and brings it to the front.
fn drag(pack: &Pack, state: &mut DesktopState, points: [Point; 2], under: Hit, effects: &mut Vec<Effect>) -> Result<(), Error> {
    let Hit::Window { window, in_menu, .. } = under else {
        effects.push(unmodelled("what a drag does there was not captured"));
        return Ok(());
    };
    if let Some(owner) = state.menu_owner(pack).filter(|&owner| owner != window || !in_menu) {
        close_menu(pack, state, owner, effects);
        return Ok(());
    }
    state.raise(pack, window, effects);
    if let Some(by) = state.blocked_by(pack, window) {
        effects.push(Effect::Blocked { by });
        return Ok(());
    }
    let origin = state.window(window).expect("it was hit").origin;
    at_page(pack, state, window, &WindowEvent::Drag(points.map(|at| at - origin)), effects)
}

/// Text goes to the window with the focus.
fn type_text(pack: &Pack, state: &mut DesktopState, text: &str, effects: &mut Vec<Effect>) -> Result<(), Error> {
    match state.active {
        Some(active) => at_page(pack, state, active, &WindowEvent::Type(text.to_owned()), effects),
        None => {
            effects.push(unmodelled("no window has the focus"));
            Ok(())
        }
    }
}

/// What the pack says of an action at an element.
fn transition<'p>(
    pack: &'p Pack,
    state: &DesktopState,
    id: WindowId,
    element: ElementIndex,
    action: &Action,
    at: Point,
) -> Option<&'p Transition> {
    let open = state.window(id)?;
    let (_, window) = open.captured(pack);
    let name = &window.elements[element].id;
    own_transitions(pack, window).find(|t| {
        let is_there = t.part.is_none_or(|part| part.contains(at - open.origin));
        t.action == *action && t.element.as_ref() == Some(name) && is_there
    })
}

fn press(pack: &Pack, state: &mut DesktopState, key: &str, effects: &mut Vec<Effect>) -> Result<(), Error> {
    if key == "Escape"
        && let Some(owner) = state.menu_owner(pack)
    {
        close_menu(pack, state, owner, effects);
        return Ok(());
    }
    let Some(active) = state.active else {
        effects.push(unmodelled("no window has the focus, and what the shell does with keys is not known"));
        return Ok(());
    };
    let window = state.window(active).expect("it is open").captured(pack).1;
    if is_living(window) {
        return at_page(pack, state, active, &WindowEvent::Key(key.to_owned()), effects);
    }
    let wanted = Action::Key(key.to_owned());
    let known = own_transitions(pack, window).find(|t| t.action == wanted && t.element.is_none() && !t.is_conditional());
    let mut changed = state.clone();
    let mut own = Vec::new();
    let done = match known {
        Some(known) => apply(pack, &mut changed, active, &known.outcomes, &mut own),
        None => Err(format!("what the key {key} does to `{}` was not captured", window.id)),
    };
    settle(state, changed, done, own, effects);
    Ok(())
}
