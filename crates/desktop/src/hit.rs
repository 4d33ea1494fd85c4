//! What lies under a point: the topmost thing that owns the pixel there, as the annotator counts it.

use windesk_engine::pack::{Pack, Window};
use windesk_model::Error;
use windesk_model::geometry::Point;
use windesk_model::index::ElementIndex;
use windesk_model::pack_format::Transition;

use crate::state::{DesktopState, WindowId};

/// What a point is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hit {
    /// Bar or dock; the element by id, if one is there.
    Shell(Option<String>),
    /// A window's own pixel, with the innermost thing there that takes clicks.
    Window {
        /// Which window.
        window: WindowId,
        /// The element of what it shows.
        element: Option<ElementIndex>,
        /// Whether that pixel is of an open menu.
        in_menu: bool,
    },
    /// An icon on the desktop, by id.
    Icon(String),
    /// The wallpaper.
    Wallpaper,
    /// Not on the screen.
    Nothing,
}

/// What lies under a point of the screen. The pointer itself is no obstacle.
///
/// # Errors
/// If a picture can't be read.
pub fn hit(pack: &Pack, state: &DesktopState, at: Point) -> Result<Hit, Error> {
    if !state.canvas.rect().contains(at) {
        return Ok(Hit::Nothing);
    }
    if state.chrome.bars(state.canvas).any(|bar| bar.contains(at)) {
        let elements = state.chrome.taskbar_elements(state.canvas);
        let button = elements.iter().rev().find(|e| e.role != "tool bar" && e.bbox.contains(at));
        return Ok(Hit::Shell(button.map(|e| e.id.clone())));
    }
    for open in state.shown().rev() {
        let shown = open.shown(pack)?;
        let shape = shown.shape(pack, pack.focus_of(shown.index(), state.active == Some(open.id)))?;
        let in_picture = at - open.origin - shown.at();
        if shape.row(in_picture.y).iter().any(|&(a, b)| (a..b).contains(&in_picture.x)) {
            let popup = shown.popups.iter().rposition(|popup| popup.contains(in_picture));
            let element = element_at(pack, &shown, popup, in_picture);
            return Ok(Hit::Window { window: open.id, element, in_menu: popup.is_some() });
        }
    }
    let icons = state.chrome.desktop_elements(state.canvas);
    Ok(icons.iter().find(|icon| icon.bbox.contains(at)).map_or(Hit::Wallpaper, |icon| Hit::Icon(icon.id.clone())))
}

/// The smallest element at a point of the picture that a user can act on, of the popup or of what lies below it. Of
/// equally small ones the last.
fn element_at(pack: &Pack, window: &Window, popup: Option<usize>, in_picture: Point) -> Option<ElementIndex> {
    let acted_on: Vec<&str> = own_transitions(pack, window).filter_map(|t| t.element.as_deref()).collect();
    let has_transition = |id: &str| acted_on.contains(&id);
    let takes_clicks = window.elements.iter_enumerated().filter(|(_, e)| e.popup == popup && e.bbox.contains(in_picture));
    let takes_clicks = takes_clicks.filter(|(_, e)| e.interactive || has_transition(&e.id));
    takes_clicks.min_by_key(|(at, e)| (e.bbox.area(), std::cmp::Reverse(*at))).map(|(at, _)| at)
}

/// The transitions that begin at a capture.
pub(crate) fn own_transitions<'p>(pack: &'p Pack, window: &Window) -> impl Iterator<Item = &'p Transition> + use<'p> {
    pack.transitions.of(&window.id).map(|transition| &**transition)
}
