//! What the outcomes of a transition do to the window that was clicked.
//!
//! Either all of them are applied or, if one can't be shown, none.

use windesk_engine::pack::{Pack, Window};
use windesk_model::geometry::{Point, Rect};
use windesk_model::pack_format::{Outcome, SnapState};
use windesk_model::page_state::PageState;
use windesk_model::plan::Role;

use crate::event::Effect;
use crate::hit::own_transitions;
use crate::state::{DesktopState, DesktopWindow, Former, WindowId};

/// Applies outcomes in their order.
///
/// # Errors
/// Why one of them can't be shown. The state is not to be used then.
pub(crate) fn apply(
    pack: &Pack,
    state: &mut DesktopState,
    at: WindowId,
    outcomes: &[Outcome],
    effects: &mut Vec<Effect>,
) -> Result<(), String> {
    for outcome in outcomes {
        match outcome {
            Outcome::Maximised { to, .. } => {
                maximise(pack, state, at, to.as_deref().map(|to| (to, PageState::default())), effects)?;
            }
            Outcome::PopupClosed {} => {
                let behind = behind_menu(pack, state, at)?;
                put(pack, state, at, &behind)?;
                effects.push(Effect::MenuClosed { window: at });
            }
            Outcome::Popup { .. }
            | Outcome::Value { .. }
            | Outcome::Mapped { .. }
            | Outcome::Typed { .. }
            | Outcome::Scrolled { .. }
            | Outcome::Focus { .. } => return Err("the page has no living file that knows its controls".to_owned()),
            _ => apply_to_windows(pack, state, at, outcome, effects)?,
        }
    }
    Ok(())
}

/// Applies an outcome that is about whole windows, whether their pages live or not.
///
/// # Errors
/// Why it can't be shown. The state is not to be used then.
pub(crate) fn apply_to_windows(
    pack: &Pack,
    state: &mut DesktopState,
    at: WindowId,
    outcome: &Outcome,
    effects: &mut Vec<Effect>,
) -> Result<(), String> {
    match outcome {
        Outcome::Page { to } => show(pack, state, at, to, effects),
        Outcome::Window { to, offset } => open(pack, state, at, to, *offset, effects),
        Outcome::Launch { to } => launch(pack, state, at, to, effects),
        Outcome::Closed { to } => close(pack, state, at, to.as_deref(), effects),
        Outcome::Minimised {} => {
            state.minimise(at, effects);
            Ok(())
        }
        Outcome::Inert {} => {
            effects.push(Effect::Inert { why: "nothing changes; that was tried".to_owned() });
            Ok(())
        }
        Outcome::Unmodelled { why } => Err(why.clone()),
        Outcome::Maximised { .. }
        | Outcome::Popup { .. }
        | Outcome::PopupClosed {}
        | Outcome::Value { .. }
        | Outcome::Mapped { .. }
        | Outcome::Typed { .. }
        | Outcome::Scrolled { .. }
        | Outcome::Focus { .. } => unreachable!("whoever knows the page applies these"),
    }
}

/// The capture that a window shows without its open menu; the one that it shows if none is open.
pub(crate) fn behind_menu(pack: &Pack, state: &DesktopState, id: WindowId) -> Result<String, String> {
    let window = state.window(id).ok_or("the window is gone")?;
    let (_, shown) = window.captured(pack);
    if !shown.has_popup() {
        return Ok(window.capture.clone());
    }
    if let Some(behind) = &window.behind_menu {
        return Ok(behind.clone());
    }
    // It was there from the beginning: a capture that leads to it, or one that it leads back to.
    let leads_here = |outcomes: &[Outcome]| matches!(outcomes, [Outcome::Page { to }] if *to == shown.id);
    let openers = pack.transitions.iter().filter(|t| leads_here(&t.outcomes)).map(|t| t.from.as_str());
    let back = own_transitions(pack, shown).filter_map(|t| match &t.outcomes[..] {
        [Outcome::Page { to }] => Some(to.as_str()),
        _ => None,
    });
    let plain = |id: &&str| {
        let other = pack.window_index(id).map(|at| &pack.windows[at]);
        other.is_some_and(|other| !other.has_popup() && other.frame.size() == shown.frame.size())
    };
    let found = openers.chain(back).find(plain);
    found.map(str::to_owned).ok_or_else(|| format!("what `{}` shows without its menu was not captured", shown.id))
}

/// Lets a window show a capture, its frame's corner where it was; moved onto the work area if it was on it before.
fn put(pack: &Pack, state: &mut DesktopState, id: WindowId, to: &str) -> Result<(), String> {
    let work = state.work_area();
    let window = state.window(id).ok_or("the window is gone")?;
    let (_, before) = window.captured(pack);
    let after = capture(pack, to)?;
    let corner = before.frame.moved(window.origin).origin();
    let was_inside = work.covers(before.frame.moved(window.origin));
    let wanted = Rect::at(corner.x, corner.y, after.frame.width(), after.frame.height());
    let frame = if was_inside { kept_on(work, wanted) } else { wanted };
    let origin = frame.origin() - after.frame.origin();
    if after.popups.iter().any(|popup| !work.covers(popup.moved(origin))) {
        return Err(format!("the menu of `{to}` has no room where it was captured"));
    }
    if after.has_popup() && state.shown().next_back().is_some_and(|top| top.id != id) {
        return Err("a menu opens in a window below its own dialog".to_owned());
    }
    let behind = match (after.has_popup(), before.has_popup()) {
        (true, true) => state.window(id).and_then(|w| w.behind_menu.clone()),
        (true, false) => state.window(id).map(|w| w.capture.clone()),
        (false, _) => None,
    };
    let snap = after.snap;
    let window = state.window_mut(id);
    if window.capture != to {
        window.page_state = PageState::default();
    }
    (window.capture, window.origin, window.behind_menu) = (to.to_owned(), origin, behind);
    if snap != SnapState::Floating || window.former.is_none() {
        window.snap = snap;
    }
    Ok(())
}

fn show(pack: &Pack, state: &mut DesktopState, id: WindowId, to: &str, effects: &mut Vec<Effect>) -> Result<(), String> {
    put(pack, state, id, to)?;
    effects.push(Effect::Page { window: id, to: to.to_owned() });
    Ok(())
}

/// Opens a window of the same program; one that is open already comes to the front.
fn open(
    pack: &Pack,
    state: &mut DesktopState,
    by: WindowId,
    to: &str,
    offset: Option<Point>,
    effects: &mut Vec<Effect>,
) -> Result<(), String> {
    let new = capture(pack, to)?;
    // The menu that the click was in is gone.
    let behind = behind_menu(pack, state, by)?;
    put(pack, state, by, &behind)?;
    let parent = new.parent.is_some().then_some(by);
    if let Some(there) = state.windows.iter().find(|w| w.capture == to && w.parent == parent && !w.minimised).map(|w| w.id) {
        state.raise(pack, there, effects);
        return Ok(());
    }
    let opener = state.window(by).ok_or("the window is gone")?.frame(pack);
    add(pack, state, new, corner_of_opened(new, opener, offset), parent, effects)
}

/// Where the frame of a window opens whose opener has this frame: `offset` from it, as it was captured. Dialogs that
/// were captured beside their parent lie over it, as in scenes, or at least over what opened them.
fn corner_of_opened(new: &Window, opener: Rect, offset: Option<Point>) -> Point {
    let centre = new.frame.size().rect().centre();
    let is_over = |corner: &Point| opener.contains(*corner + centre);
    let captured = offset.map(|offset| opener.origin() + offset);
    let corner = match new.parent {
        None => captured,
        Some((_, usual)) => captured.filter(is_over).or(Some(opener.origin() + usual).filter(is_over)),
    };
    corner.unwrap_or(opener.centre() - centre)
}

/// Opens a window of another program, or of none that is open, in the middle of the work area.
fn launch(pack: &Pack, state: &mut DesktopState, by: WindowId, to: &str, effects: &mut Vec<Effect>) -> Result<(), String> {
    let new = capture(pack, to)?;
    let behind = behind_menu(pack, state, by)?;
    put(pack, state, by, &behind)?;
    let corner = state.work_area().centre() - Point { x: new.frame.width() / 2, y: new.frame.height() / 2 };
    add(pack, state, new, corner, None, effects)
}

fn add(
    pack: &Pack,
    state: &mut DesktopState,
    new: &Window,
    corner: Point,
    parent: Option<WindowId>,
    effects: &mut Vec<Effect>,
) -> Result<(), String> {
    let work = state.work_area();
    let frame = kept_on(work, Rect::at(corner.x, corner.y, new.frame.width(), new.frame.height()));
    let origin = frame.origin() - new.frame.origin();
    if new.popups.iter().any(|popup| !work.covers(popup.moved(origin))) {
        return Err(format!("the menu of `{}` has no room where it was captured", new.id));
    }
    let id = WindowId(state.next_id);
    state.next_id += 1;
    state.windows.push(DesktopWindow {
        id,
        capture: new.id.clone(),
        page_state: PageState::default(),
        origin,
        parent,
        minimised: false,
        snap: new.snap,
        former: None,
        role: Role::Background,
        behind_menu: None,
    });
    effects.push(Effect::Opened { window: id, capture: new.id.clone() });
    state.raise(pack, id, &mut Vec::new());
    Ok(())
}

/// Closes a window. What its parent then shows may be that of a parent further up: those between close too.
fn close(pack: &Pack, state: &mut DesktopState, id: WindowId, to: Option<&str>, effects: &mut Vec<Effect>) -> Result<(), String> {
    let Some(to) = to else {
        state.close(pack, id, effects);
        return Ok(());
    };
    let after = capture(pack, to)?;
    let above = state.ancestors(id);
    // A dialog comes back as itself; a main window is the last of the ancestors.
    let shows = if after.parent.is_some() { above.first() } else { above.last() };
    let Some(&shows) = shows else {
        return Err(format!("`{to}` would show in a window that is not open"));
    };
    let between = above.iter().position(|&up| up == shows).and_then(|at| at.checked_sub(1)).map(|at| above[at]);
    state.close(pack, between.unwrap_or(id), effects);
    if state.window(shows).is_some_and(|w| w.capture != to) {
        show(pack, state, shows, to, effects)?;
    }
    state.raise(pack, shows, &mut Vec::new());
    Ok(())
}

/// Lets a window fill the work area, or gives it its former size. `to` is what it then shows: a capture, in a state.
pub(crate) fn maximise(
    pack: &Pack,
    state: &mut DesktopState,
    id: WindowId,
    to: Option<(&str, PageState)>,
    effects: &mut Vec<Effect>,
) -> Result<(), String> {
    let window = state.window(id).ok_or("the window is gone")?.clone();
    if let Some(former) = window.former {
        let page_state = match to {
            Some((to, page_state)) if to == former.capture => page_state,
            Some((to, _)) => {
                return Err(format!("the window was `{}` before it filled the work area, not `{to}`", former.capture));
            }
            // What was set since is nowhere said of the former size.
            None if !window.page_state.is_captured() => return Err("what was set was not captured in the former size".to_owned()),
            None => former.page_state,
        };
        let window = state.window_mut(id);
        (window.capture, window.page_state, window.origin) = (former.capture, page_state, former.origin);
        (window.former, window.snap) = (None, SnapState::Floating);
        effects.push(Effect::Resized { window: id });
        return Ok(());
    }
    if window.snap == SnapState::Maximized {
        return Err("where the window was before it filled the work area is not known".to_owned());
    }
    let (to, page_state) = to.ok_or("the window was not captured in that size")?;
    let (after, work) = (capture(pack, to)?, state.work_area());
    if after.has_popup() || (after.frame.width(), after.frame.height()) != (work.width(), work.height()) {
        return Err(format!("`{to}` was captured on a work area of another size"));
    }
    let behind = behind_menu(pack, state, id)?;
    put(pack, state, id, &behind)?;
    let window = state.window_mut(id);
    window.former =
        Some(Former { capture: window.capture.clone(), page_state: window.page_state.clone(), origin: window.origin });
    (window.capture, window.page_state, window.origin) = (to.to_owned(), page_state, work.origin() - after.frame.origin());
    (window.snap, window.behind_menu) = (SnapState::Maximized, None);
    effects.push(Effect::Resized { window: id });
    Ok(())
}

fn capture<'p>(pack: &'p Pack, id: &str) -> Result<&'p Window, String> {
    let at = pack.window_index(id).ok_or_else(|| format!("the pack has no capture `{id}`"))?;
    Ok(&pack.windows[at])
}

/// A frame moved onto the work area as window managers do: as little as possible, the upper left corner first.
fn kept_on(work: Rect, frame: Rect) -> Rect {
    let axis = |low: i32, high: i32, from: i32, length: i32| from.min(high - length).max(low);
    let x = axis(work.x0(), work.x1(), frame.x0(), frame.width());
    let y = axis(work.y0(), work.y1(), frame.y0(), frame.height());
    Rect::at(x, y, frame.width(), frame.height())
}
