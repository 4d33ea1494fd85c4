//! What must hold of every state. States come from strangers too.

use std::collections::BTreeSet;

use windesk_engine::pack::Pack;
use windesk_model::desktop::unfit_screen;
use windesk_model::plan::{FARTHEST_PX, MAX_PLACEMENTS};

use crate::state::{DesktopState, WindowId};

/// What is wrong with a state, in words; nothing if it is sound.
pub fn faults(pack: &Pack, state: &DesktopState) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(expected) = unfit_screen(state.canvas) {
        found.push(format!("a screen of {}x{} px, expected {expected}", state.canvas.width, state.canvas.height));
    }
    if state.windows.len() > MAX_PLACEMENTS {
        return vec![format!("{} windows, expected at most {MAX_PLACEMENTS}", state.windows.len())];
    }
    let mut ids = BTreeSet::new();
    for (at, window) in state.windows.iter().enumerate() {
        let WindowId(id) = window.id;
        if !ids.insert(id) || id >= state.next_id {
            found.push(format!("window {id}: its id is another's, or not below {}", state.next_id));
        }
        let captures = [Some(&window.capture), window.behind_menu.as_ref(), window.former.as_ref().map(|f| &f.capture)];
        let mut unknown = captures.into_iter().flatten().filter(|id| pack.window_index(id).is_none());
        if let Some(unknown) = unknown.next() {
            // Nothing more can be asked of it.
            return vec![format!("window {id}: found capture `{unknown}`, expected one of the pack")];
        }
        let states = [(&window.capture, &window.page_state)].into_iter();
        let former = window.former.as_ref().map(|former| (&former.capture, &former.page_state));
        for (capture, page_state) in states.chain(former) {
            let at = pack.window_index(capture).expect("it is the pack's, as was just asked");
            if let Err(error) = pack.shown(at, Some(page_state)) {
                // Nothing more can be asked of it.
                return vec![format!("window {id}: {error}")];
            }
        }
        let far = |v: i32| v.abs() > FARTHEST_PX;
        if far(window.origin.x) || far(window.origin.y) {
            found.push(format!("window {id}: at {:?}, expected at most {FARTHEST_PX} px from the origin", window.origin));
        }
        if let Some(parent) = window.parent {
            match state.position(parent) {
                Some(below) if below < at => {
                    if state.windows[below].minimised != window.minimised {
                        found.push(format!("window {id}: put away without its parent, or its parent without it"));
                    }
                }
                _ => found.push(format!("window {id}: its parent {} does not lie below it", parent.0)),
            }
        }
    }
    let top = state.shown().next_back().map(|w| w.id);
    let menus: Vec<WindowId> = state.shown().filter(|w| w.has_menu(pack)).map(|w| w.id).collect();
    if menus.iter().any(|&menu| Some(menu) != top || state.active != top) {
        found.push(format!("open menus in {menus:?}, expected one at most, in the topmost window, which has the focus"));
    }
    if let Some(active) = state.active
        && state.window(active).is_none_or(|w| w.minimised)
    {
        found.push(format!("window {} has the focus and does not show", active.0));
    }
    found
}
