//! Which elements can be targets by their size and state, and whether they show their name.

use windesk_engine::pack::Window;
use windesk_model::geometry::Rect;
use windesk_model::index::ElementIndex;
use windesk_model::instruction::UiType;

/// Smallest side of a target, px.
const MIN_SIDE_PX: i32 = 10;
/// Smallest area of a target, px: 48 pixels must stay visible at a visible ratio of 0.3.
const MIN_AREA_PX: u64 = 160;
/// Largest share of the window's frame that a target may take, in percent.
const MAX_FRAME_PERCENT: u64 = 25;

/// Size, state and popup rules; names are looked at elsewhere.
pub(crate) fn is_eligible(window: &Window, at: ElementIndex) -> bool {
    let element = &window.elements[at];
    let enabled = element.state.get("enabled").is_none_or(|v| v.as_bool() != Some(false));
    let sized = element.bbox.width() >= MIN_SIDE_PX
        && element.bbox.height() >= MIN_SIDE_PX
        && element.bbox.area() >= MIN_AREA_PX
        && element.bbox.area() * 100 <= window.frame.area() * MAX_FRAME_PERCENT;
    // With a menu open, a click anywhere else only closes the menu.
    let reachable = element.popup.is_some() || !window.has_popup();
    let in_picture = window.frame.covers(element.bbox) || element.popup.is_some();
    element.interactive && enabled && sized && reachable && in_picture
}

/// Estimated from the width that the name would need at the usual 10 pt UI font.
pub(crate) fn ui_type(name: Option<&str>, bbox: Rect) -> UiType {
    const TENTHS_PX_PER_CHAR: usize = 50;
    let needed_px = name.map_or(usize::MAX, |n| n.chars().count() * TENTHS_PX_PER_CHAR / 10);
    if (bbox.width() as usize) < needed_px || name.is_none() { UiType::Icon } else { UiType::Text }
}
