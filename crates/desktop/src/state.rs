//! The state of a desktop: plain data, whole in itself.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_engine::pack::{Pack, Shown, Window};
use windesk_model::Error;
use windesk_model::desktop::{Chrome, work_area};
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::SnapState;
use windesk_model::page_state::PageState;
use windesk_model::plan::{PlannedPointer, Role};

/// A desktop with its windows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DesktopState {
    /// Size of the screen.
    pub canvas: Size,
    /// The session that all windows are of, where one is known.
    pub session: Option<String>,
    /// Wallpaper by id.
    pub wallpaper: String,
    /// The shell: items, clock, tray, desktop icons.
    pub chrome: Chrome,
    /// Windows bottom to top, minimised ones among them.
    pub windows: Vec<DesktopWindow>,
    /// The window with the focus; null after a click on the desktop.
    pub active: Option<WindowId>,
    /// The mouse pointer; null where none is drawn.
    pub pointer: Option<PlannedPointer>,
    /// The id that the next window gets.
    pub next_id: u32,
}

/// A window of a desktop, for as long as it is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(transparent)]
pub struct WindowId(pub u32);

/// A window that is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DesktopWindow {
    /// Never given to another window.
    pub id: WindowId,
    /// What it shows: a capture by id.
    pub capture: String,
    /// How it differs from that capture: only living pages can.
    #[serde(default, skip_serializing_if = "PageState::is_captured")]
    pub page_state: PageState,
    /// Top left of that capture's picture on the screen, px.
    pub origin: Point,
    /// The window that this dialog belongs to.
    pub parent: Option<WindowId>,
    /// Whether it is put away.
    pub minimised: bool,
    /// How it is placed.
    pub snap: SnapState,
    /// What it was before it filled the screen.
    pub former: Option<Former>,
    /// What it was put on the desktop for.
    pub role: Role,
    /// While a menu is open: the capture that shows without it.
    pub behind_menu: Option<String>,
}

/// A window as it was before it filled the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Former {
    /// Capture id.
    pub capture: String,
    /// How it differed from that capture.
    #[serde(default, skip_serializing_if = "PageState::is_captured")]
    pub page_state: PageState,
    /// Top left of its picture on the screen, px.
    pub origin: Point,
}

impl DesktopState {
    /// A window's place in the stack.
    pub fn position(&self, id: WindowId) -> Option<usize> {
        self.windows.iter().position(|w| w.id == id)
    }

    /// An open window.
    pub fn window(&self, id: WindowId) -> Option<&DesktopWindow> {
        self.windows.iter().find(|w| w.id == id)
    }

    pub(crate) fn window_mut(&mut self, id: WindowId) -> &mut DesktopWindow {
        self.windows.iter_mut().find(|w| w.id == id).expect("ids are of open windows")
    }

    /// Windows that show, bottom to top.
    pub fn shown(&self) -> impl DoubleEndedIterator<Item = &DesktopWindow> {
        self.windows.iter().filter(|w| !w.minimised)
    }

    /// The window with an open menu.
    pub(crate) fn menu_owner(&self, pack: &Pack) -> Option<WindowId> {
        self.shown().find(|w| w.has_menu(pack)).map(|w| w.id)
    }

    /// Its ancestors, nearest first.
    pub(crate) fn ancestors(&self, id: WindowId) -> Vec<WindowId> {
        let parent = |id: &WindowId| self.window(*id).and_then(|w| w.parent);
        // States come from strangers too: no more steps than there are windows.
        std::iter::successors(parent(&id), parent).take(self.windows.len()).collect()
    }

    /// The window that it belongs to in the end; itself, if to none.
    pub fn root(&self, id: WindowId) -> WindowId {
        self.ancestors(id).last().copied().unwrap_or(id)
    }

    /// The part of the screen that windows are placed on.
    pub fn work_area(&self) -> Rect {
        work_area(self.canvas, self.chrome.mode, self.chrome.shell)
    }
}

impl DesktopWindow {
    /// What it shows.
    ///
    /// # Panics
    /// If the pack has no such capture: [`crate::faults`] says so first.
    pub(crate) fn captured<'p>(&self, pack: &'p Pack) -> (WindowIndex, &'p Window) {
        let at = pack.window_index(&self.capture).expect("captures of a checked state are the pack's");
        (at, &pack.windows[at])
    }

    /// What it shows, in its state.
    ///
    /// # Errors
    /// If nobody knows what it looks like so.
    ///
    /// # Panics
    /// As [`Self::captured`].
    pub(crate) fn shown<'p>(&self, pack: &'p Pack) -> Result<Shown<'p>, Error> {
        pack.shown(self.captured(pack).0, Some(&self.page_state))
    }

    /// Its frame on the screen.
    pub fn frame(&self, pack: &Pack) -> Rect {
        self.captured(pack).1.frame.moved(self.origin)
    }

    pub(crate) fn has_menu(&self, pack: &Pack) -> bool {
        !self.minimised && (self.page_state.popup.is_some() || self.captured(pack).1.has_popup())
    }
}
