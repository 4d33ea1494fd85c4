//! Events inside living pages: what the page makes of them, and what follows for its window and the others.
//!
//! What a page's own controls do is [`windesk_engine::pack::living::act`]'s to say; nothing of it is decided here.

use windesk_engine::pack::living::{WindowActed, act};
use windesk_engine::pack::{Pack, Window};
use windesk_model::Error;
use windesk_model::pack_format::living::ControlType;
use windesk_model::pack_format::{Action, Outcome};
use windesk_model::page_state::{PageState, WindowEvent};

use crate::event::Effect;
use crate::hit::own_transitions;
use crate::outcome::{apply_to_windows, maximise};
use crate::state::{DesktopState, WindowId};

/// Whether what events do to a window is its page's to say.
pub(crate) fn is_living(window: &Window) -> bool {
    window.living.is_some()
}

/// Whether the pack says what a click on an element of a living page does.
pub(crate) fn is_told(pack: &Pack, window: &Window, element: &str) -> bool {
    own_transitions(pack, window).any(|t| t.action == Action::Click && t.element.as_deref() == Some(element))
}

/// Does an event, in px of the page, inside a window. The state is not to be used where the inner result is an error:
/// it says why what happens can't be shown.
///
/// # Errors
/// If a file of the page can't be read.
pub(crate) fn act_on_page(
    pack: &Pack,
    state: &mut DesktopState,
    id: WindowId,
    event: &WindowEvent,
    effects: &mut Vec<Effect>,
) -> Result<Result<(), String>, Error> {
    let window = state.window(id).expect("it is open");
    let living = pack.living(window.captured(pack).0)?;
    let before = window.page_state.clone();
    let done = act(&living, &before, event)?;
    Ok(follow(pack, state, id, &before, done, effects).map(|()| {
        let now = state.window(id).filter(|window| window.capture == living.window.id).map(|window| &window.page_state);
        if let Some(now) = now {
            let settable = living.page.controls.iter().filter(|control| control.kind != ControlType::Derived);
            for control in settable {
                let value = |state: &PageState| state.values.get(&control.id).unwrap_or(&control.value).clone();
                if value(&before) != value(now) {
                    effects.push(Effect::Set { window: id, control: control.id.clone(), value: value(now) });
                }
            }
        }
    }))
}

/// What an event at a page means for its window and the others.
fn follow(
    pack: &Pack,
    state: &mut DesktopState,
    id: WindowId,
    before: &PageState,
    done: WindowActed,
    effects: &mut Vec<Effect>,
) -> Result<(), String> {
    if let [Outcome::Unmodelled { why }] = &done.outcomes[..] {
        return Err(why.clone());
    }
    let window = state.window_mut(id);
    if done.window.as_ref() == Some(&window.capture) {
        window.page_state.clone_from(&done.state);
        tell_looks(pack, state, id, before, effects)?;
    }
    for outcome in &done.outcomes {
        match outcome {
            Outcome::Maximised { to, .. } => {
                maximise(pack, state, id, to.as_deref().map(|to| (to, done.state.clone())), effects)?;
            }
            // What the page's own state holds.
            Outcome::Popup { .. }
            | Outcome::PopupClosed {}
            | Outcome::Value { .. }
            | Outcome::Mapped { .. }
            | Outcome::Typed { .. }
            | Outcome::Scrolled { .. }
            | Outcome::Focus { .. } => {}
            _ => apply_to_windows(pack, state, id, outcome, effects)?,
        }
    }
    Ok(())
}

/// Tells of lists that open and close, of the focus and of what is scrolled; a list opens where there is room for it.
fn tell_looks(
    pack: &Pack,
    state: &DesktopState,
    id: WindowId,
    before: &PageState,
    effects: &mut Vec<Effect>,
) -> Result<(), String> {
    let window = state.window(id).ok_or("the window is gone")?;
    let now = &window.page_state;
    match &now.popup {
        Some(popup) if before.popup.as_ref() != Some(popup) => {
            let shown = window.shown(pack).map_err(|error| error.to_string())?;
            let (work, by) = (state.work_area(), window.origin + shown.at());
            if shown.popups.iter().any(|popup| !work.covers(popup.moved(by))) {
                return Err(format!("the list `{popup}` of `{}` has no room where it was captured", window.capture));
            }
            if state.shown().next_back().is_some_and(|top| top.id != id) {
                return Err("a list opens in a window below its own dialog".to_owned());
            }
            effects.push(Effect::PopupOpened { window: id, popup: popup.clone() });
        }
        None if before.popup.is_some() => effects.push(Effect::MenuClosed { window: id }),
        _ => {}
    }
    if now.focus != before.focus {
        effects.push(Effect::Focused { window: id, element: now.focus.clone() });
    }
    let areas = now.offsets.keys().chain(before.offsets.keys()).collect::<std::collections::BTreeSet<_>>();
    for area in areas.into_iter().filter(|area| now.offsets.get(*area) != before.offsets.get(*area)) {
        effects.push(Effect::Scrolled { window: id, area: area.clone() });
    }
    Ok(())
}
