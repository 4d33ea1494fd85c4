//! How a hidden window is brought to light: by its title bar, by its button in the shell, or by what lies in front of
//! it. A window that is put away has only its button.

use windesk_engine::pack::IndexedPack;
use windesk_model::Error;
use windesk_model::desktop::Part;
use windesk_model::geometry::Point;
use windesk_model::key::{Decision, SampleKey};
use windesk_model::plan::Plan;

use crate::buttons::{FrameButton, frame_button};
use crate::state::{DesktopState, WindowId};

/// A click that may bring a window to light.
#[derive(Clone, Debug)]
pub(super) enum Way {
    /// The title bar of the window itself.
    TitleBar(WindowId, String),
    /// The program's button in the shell, by id, and the middle of it.
    Shell(String, Point),
    /// A button of the frame of a window in front.
    InFront(WindowId, String, FrameButton),
}

/// Ways to bring a window to light, in the order in which they are tried.
pub(super) fn ways(
    pack: &IndexedPack,
    state: &DesktopState,
    plan: &Plan,
    id: WindowId,
    key: SampleKey,
) -> Result<Vec<Way>, Error> {
    let mut ways = Vec::new();
    let Some(window) = state.window(id) else { return Ok(ways) };
    if !window.minimised {
        let shown = window.shown(pack)?;
        let bar = shown.elements.iter_enumerated().find(|(_, e)| e.role == "title bar");
        ways.extend(bar.map(|(_, bar)| Way::TitleBar(id, bar.id.clone())));
    }
    let name = &pack.program_of(window.captured(pack).0).record.name;
    let buttons = state.chrome.taskbar_elements(plan.canvas);
    let own = buttons.iter().find(|button| matches!(button.part, Part::Item(item) if item.name == *name));
    ways.extend(own.map(|button| Way::Shell(button.id.clone(), button.bbox.centre())));
    let in_front = state.shown().next_back().filter(|front| !window.minimised && state.root(front.id) != state.root(id));
    if let Some(front) = in_front {
        let shown = front.shown(pack)?;
        let of_frame = shown.elements.keys().filter_map(|at| Some((at, frame_button(&shown, at)?)));
        let wanted = of_frame.filter(|(_, button)| matches!(button, FrameButton::Minimise | FrameButton::Close));
        ways.extend(wanted.map(|(at, button)| Way::InFront(front.id, shown.elements[at].id.clone(), button)));
    }
    // Each has its own number, so that one that is not there moves no other.
    ways.sort_by_key(|way| {
        let number = match way {
            Way::TitleBar(..) => 0,
            Way::Shell(..) => 1,
            Way::InFront(_, _, FrameButton::Minimise) => 2,
            Way::InFront(..) => 3,
        };
        key.rank(Decision::TaskReveal, number)
    });
    Ok(ways)
}
