//! From a state and an event to the next state.

use windesk_engine::pack::Pack;
use windesk_model::Error;
use windesk_model::geometry::Point;
use windesk_model::index::ElementIndex;
use windesk_model::pack_format::{Action, Outcome, Transition};

use crate::buttons::{FrameButton, frame_button};
use crate::event::{Acted, Effect, Event};
use crate::hit::{Hit, hit, own_transitions};
use crate::outcome::{apply, behind_menu, maximise};
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
        Event::Key { key } => press(pack, &mut next, key, &mut effects),
        Event::Type { .. } => effects.push(unmodelled("typing is not part of this state")),
        Event::Scroll { .. } => effects.push(unmodelled("scrolling is not part of this state")),
        Event::Drag { .. } => effects.push(unmodelled("dragging is not part of this state")),
        Event::Click { .. } | Event::DoubleClick { .. } | Event::RightClick { .. } => {
            let (action, at) = event.action_at().expect("it is done at one place");
            let under = hit(pack, state, at)?;
            if let Some(pointer) = next.pointer.as_mut().filter(|_| under != Hit::Nothing) {
                pointer.origin = pointer.origin + at - pointer.hotspot;
                pointer.hotspot = at;
            }
            point(pack, &mut next, &action, at, under, &mut effects);
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

fn point(pack: &Pack, state: &mut DesktopState, action: &Action, at: Point, under: Hit, effects: &mut Vec<Effect>) {
    if under == Hit::Nothing {
        effects.push(Effect::Inert { why: "not on the screen".to_owned() });
        return;
    }
    let open_menu = state.menu_owner(pack);
    if let Some(owner) = open_menu {
        let goes_on = match &under {
            Hit::Window { window, in_menu: true, .. } => *window == owner,
            Hit::Window { window, element: Some(element), .. } if *window == owner => {
                transition(pack, state, owner, *element, action, at).is_some()
            }
            _ => false,
        };
        if !goes_on {
            close_menu(pack, state, owner, effects);
            return;
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
        Hit::Window { window, element, .. } => in_window(pack, state, window, element, action, at, effects),
    }
}

/// Closes an open menu. The click is spent on that, as where menus hold the pointer (X11).
fn close_menu(pack: &Pack, state: &mut DesktopState, owner: WindowId, effects: &mut Vec<Effect>) {
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
) {
    state.raise(pack, id, effects);
    if let Some(by) = state.blocked_by(pack, id) {
        effects.push(Effect::Blocked { by });
        return;
    }
    let Some(element) = element else {
        match action {
            Action::Click => {}
            _ => effects.push(unmodelled("what that does to a plain surface was not captured")),
        }
        return;
    };
    let window = state.window(id).expect("it was hit").captured(pack).1;
    let known = transition(pack, state, id, element, action, at);
    let button = frame_button(window, element).filter(|_| *action == Action::Click && known.is_none());
    // All or nothing: what can't be shown leaves the windows' contents as they are.
    let mut changed = state.clone();
    let mut own = Vec::new();
    let done = match (known, button) {
        (Some(known), _) if known.is_conditional() => Err("it depends on values that are not part of this state".to_owned()),
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
        (None, None) => {
            let element = &window.elements[element];
            Err(format!("what `{}` does to {} `{}` of `{}` was not captured", action.name(), element.role, element.id, window.id))
        }
    };
    match done {
        Ok(()) => {
            *state = changed;
            effects.extend(own);
        }
        Err(why) => effects.push(Effect::Unmodelled { why }),
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

fn press(pack: &Pack, state: &mut DesktopState, key: &str, effects: &mut Vec<Effect>) {
    if key == "Escape"
        && let Some(owner) = state.menu_owner(pack)
    {
        return close_menu(pack, state, owner, effects);
    }
    let Some(active) = state.active else {
        effects.push(unmodelled("no window has the focus, and what the shell does with keys is not known"));
        return;
    };
    let window = state.window(active).expect("it is open").captured(pack).1;
    let wanted = Action::Key(key.to_owned());
    let known = own_transitions(pack, window).find(|t| t.action == wanted && t.element.is_none() && !t.is_conditional());
    let mut changed = state.clone();
    let mut own = Vec::new();
    let done = match known {
        Some(known) => apply(pack, &mut changed, active, &known.outcomes, &mut own),
        None => Err(format!("what the key {key} does to `{}` was not captured", window.id)),
    };
    match done {
        Ok(()) => {
            *state = changed;
            effects.extend(own);
        }
        Err(why) => effects.push(Effect::Unmodelled { why }),
    }
}
