//! The buttons of a window's frame, known by role, name and place.

use windesk_engine::pack::Window;
use windesk_model::index::ElementIndex;

/// What a button of a frame does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameButton {
    /// Puts the window away.
    Minimise,
    /// Lets it fill the work area.
    Maximise,
    /// Gives it its former size.
    Restore,
    /// Closes it.
    Close,
}

/// How far down from the frame's upper edge its buttons reach at most, px.
const BAR_PX: i32 = 64;
/// How far from the frame's left or right edge the farthest of them ends at most, px.
const REACH_PX: i32 = 176;

/// What an element does to its window, if it is a button of the frame: a button at a corner above, with a name that
/// says it. A transition of the pack says more, and goes first.
pub fn frame_button(window: &Window, at: ElementIndex) -> Option<FrameButton> {
    let element = &window.elements[at];
    let (bbox, frame) = (element.bbox, window.frame);
    let near_corner = bbox.x1() <= frame.x0() + REACH_PX || bbox.x0() >= frame.x1() - REACH_PX;
    let in_bar = bbox.y1() <= frame.y0() + BAR_PX && near_corner;
    if !in_bar || element.popup.is_some() || !matches!(element.role.as_str(), "push button" | "button") {
        return None;
    }
    match element.name.as_str() {
        "Minimize" | "Minimise" => Some(FrameButton::Minimise),
        "Maximize" | "Maximise" => Some(FrameButton::Maximise),
        "Restore" => Some(FrameButton::Restore),
        "Close" if is_outermost(window, at) => Some(FrameButton::Close),
        _ => None,
    }
}

/// Whether no other button "Close" lies nearer to the frame's upper edge: a page's own is none of the frame.
fn is_outermost(window: &Window, at: ElementIndex) -> bool {
    let top = window.elements[at].bbox.y0();
    let others = window.elements.iter_enumerated().filter(|&(other, e)| other != at && e.name == "Close" && e.popup.is_none());
    others
        .into_iter()
        .all(|(_, other)| other.bbox.y0() > top || other.bbox.y0() == top && other.bbox.x1() < window.elements[at].bbox.x1())
}
