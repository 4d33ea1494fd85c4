//! What the shell does when it is clicked, and what it shows after a click elsewhere.

use windesk_engine::pack::Pack;
use windesk_model::desktop::{Part, TaskbarItem};
use windesk_model::pack_format::ShellKind;

use crate::event::Effect;
use crate::state::{DesktopState, WindowId};

/// A click on an element of bar or dock.
pub(crate) fn click(pack: &Pack, state: &mut DesktopState, element: &str, effects: &mut Vec<Effect>) {
    let unmodelled = |why: &str| Effect::Unmodelled { why: why.to_owned() };
    let elements = state.chrome.taskbar_elements(state.canvas);
    let Some(clicked) = elements.iter().find(|e| e.id == element) else { return };
    let item = match clicked.part {
        Part::Item(item) => item.clone(),
        Part::Bar | Part::Dock => {
            effects.push(Effect::Inert { why: "an empty part of the bar".to_owned() });
            return;
        }
        Part::Leading(_) | Part::Plain(_) | Part::Workspaces => {
            effects.push(unmodelled("the shell's own menus and views were not captured"));
            return;
        }
        Part::Tray(_) | Part::Clock => {
            effects.push(unmodelled("what tray and clock open was not captured"));
            return;
        }
        Part::Icon(_) => return,
    };
    drop(elements);
    match &windows_of(pack, state, &item)[..] {
        [] if item.minimised > 0 => effects.push(unmodelled("its window is put away and not known")),
        [] => effects.push(unmodelled("starting a program is not known")),
        [root] => toggle(pack, state, *root, effects),
        _ => effects.push(unmodelled("several windows of one program: shells differ in which comes")),
    }
}

/// Windows of an item's program that belong to no other.
pub(crate) fn windows_of(pack: &Pack, state: &DesktopState, item: &TaskbarItem) -> Vec<WindowId> {
    let own =
        |w: &&crate::state::DesktopWindow| w.parent.is_none() && pack.program_of(w.captured(pack).0).record.name == item.name;
    state.windows.iter().filter(own).map(|w| w.id).collect()
}

/// The button of a program with one window: brings it, and puts it away if it is there already. A dock leaves it.
fn toggle(pack: &Pack, state: &mut DesktopState, root: WindowId, effects: &mut Vec<Effect>) {
    let family = state.tree(root);
    if state.window(root).is_some_and(|w| w.minimised) {
        state.restore(pack, root, effects);
    } else if !state.active.is_some_and(|active| family.contains(&active)) {
        let top = family.last().copied().unwrap_or(root);
        state.raise(pack, top, effects);
    } else if state.chrome.shell == ShellKind::TopBarAndDock {
        effects.push(Effect::Inert { why: "the window is in front, and a dock puts none away".to_owned() });
    } else {
        state.minimise(root, effects);
    }
}

/// Lets items and dock follow the windows. Programs without a window that is known stay as they are.
pub(crate) fn follow(pack: &Pack, before: &DesktopState, state: &mut DesktopState) {
    if !state.chrome.mode.has_bars() {
        return;
    }
    let name_of = |w: &crate::state::DesktopWindow| pack.program_of(w.captured(pack).0).record.name.clone();
    let known: Vec<String> = before.windows.iter().chain(&state.windows).map(name_of).collect();
    let pinned = |name: &str| {
        let record = pack.sessions.iter().find(|s| Some(&s.id) == state.session.as_ref()).and_then(|s| s.record.as_ref());
        record.is_none_or(|session| {
            session.shell.pinned.iter().any(|id| pack.programs.iter().any(|p| p.record.id == *id && p.record.name == name))
        })
    };
    let mut items = state.chrome.items.clone();
    for item in items.iter_mut().filter(|item| known.contains(&item.name)) {
        let own = || state.windows.iter().filter(|w| name_of(w) == item.name);
        item.windows = own().filter(|w| !w.minimised).count() as u32;
        item.minimised = own().filter(|w| w.minimised).count() as u32;
        item.active = own().any(|w| Some(w.id) == state.active);
    }
    items.retain(|item| item.is_running() || !known.contains(&item.name) || pinned(&item.name));
    for window in &state.windows {
        let name = name_of(window);
        if !items.iter().any(|item| item.name == name) && !before.windows.iter().any(|w| name_of(w) == name) {
            let id = &pack.program_of(window.captured(pack).0).record.id;
            let made_for =
                |i: &&windesk_model::pack_format::Icon| i.uses.iter().any(|u| u == "taskbar") && i.programs.contains(id);
            if let Some(icon) = pack.icons.iter().find(made_for) {
                let active = state.active == Some(window.id);
                items.push(TaskbarItem { name, icon: icon.id.clone(), windows: 1, minimised: 0, active });
            }
        }
    }
    state.chrome.items = items;
    let dock = state.chrome.dock_place(state.canvas);
    let picture = |w: &crate::state::DesktopWindow| w.captured(pack).1.size.rect().moved(w.origin);
    state.chrome.dock = dock.is_some_and(|dock| !state.shown().any(|w| picture(w).touches(dock)));
}
