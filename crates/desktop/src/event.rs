//! What a person does, and what came of it.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_model::geometry::Point;
use windesk_model::pack_format::Action;
use windesk_model::pack_format::living::Value;

use crate::state::{DesktopState, WindowId};

/// What a person does on a desktop. Points are screen px.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// Presses and releases the main button.
    Click {
        /// Where.
        at: Point,
    },
    /// The same twice.
    DoubleClick {
        /// Where.
        at: Point,
    },
    /// Presses and releases the other button.
    RightClick {
        /// Where.
        at: Point,
    },
    /// Presses a key with its modifiers: `ctrl+f`, `Escape`.
    Key {
        /// Its name.
        key: String,
    },
    /// Types where the focus is.
    Type {
        /// What.
        text: String,
    },
    /// Turns the wheel.
    Scroll {
        /// Where the pointer is.
        at: Point,
        /// Notches to the right and down.
        by: Point,
    },
    /// Presses at one place and releases at another.
    Drag {
        /// Where it begins.
        from: Point,
        /// Where it ends.
        to: Point,
    },
}

impl Event {
    /// The action that transitions of a pack know it by, if it is done at one place.
    pub(crate) fn action_at(&self) -> Option<(Action, Point)> {
        match self {
            Self::Click { at } => Some((Action::Click, *at)),
            Self::DoubleClick { at } => Some((Action::DoubleClick, *at)),
            Self::RightClick { at } => Some((Action::RightClick, *at)),
            Self::Key { .. } | Self::Type { .. } | Self::Scroll { .. } | Self::Drag { .. } => None,
        }
    }
}

/// Something that happened, in the order in which it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Effect {
    /// A window came to the front and took the focus.
    Raised {
        /// Which.
        window: WindowId,
    },
    /// No window has the focus any longer.
    Unfocused {},
    /// A window takes no input while its dialog is open; the dialog came to the front.
    Blocked {
        /// The dialog.
        by: WindowId,
    },
    /// A window shows another page.
    Page {
        /// Which.
        window: WindowId,
        /// Capture id.
        to: String,
    },
    /// The open menu closed, and nothing else: the click was spent on that.
    MenuClosed {
        /// Whose.
        window: WindowId,
    },
    /// A window opened.
    Opened {
        /// Which.
        window: WindowId,
        /// Capture id.
        capture: String,
    },
    /// A window closed, and with it the dialogs that belong to it.
    Closed {
        /// Which.
        window: WindowId,
    },
    /// A window was put away.
    Minimised {
        /// Which.
        window: WindowId,
    },
    /// A window that was put away came back.
    Restored {
        /// Which.
        window: WindowId,
    },
    /// A window fills the work area, or has its former size again.
    Resized {
        /// Which.
        window: WindowId,
    },
    /// A control of a living page has another value.
    Set {
        /// The window.
        window: WindowId,
        /// The control, by its id on the page.
        control: String,
        /// The value that it has now.
        value: Value,
    },
    /// A menu or list of a living page opened.
    PopupOpened {
        /// The window.
        window: WindowId,
        /// The popup, by its id on the page.
        popup: String,
    },
    /// The focus went to another element of a living page.
    Focused {
        /// The window.
        window: WindowId,
        /// The element, by its id; null where the page's picture has the focus.
        element: Option<String>,
    },
    /// The content of a scroll area of a living page moved.
    Scrolled {
        /// The window.
        window: WindowId,
        /// The area, by its id on the page.
        area: String,
    },
    /// Nothing happened, as it should be.
    Inert {
        /// Why.
        why: String,
    },
    /// Something would happen that can't be shown. Nothing was changed by it.
    Unmodelled {
        /// Why not.
        why: String,
    },
}

/// What an event gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Acted {
    /// The desktop after it.
    pub state: DesktopState,
    /// What happened; at least one.
    pub effects: Vec<Effect>,
}

impl Acted {
    /// Whether all that happened is known.
    pub fn is_modelled(&self) -> bool {
        !self.effects.iter().any(|effect| matches!(effect, Effect::Unmodelled { .. }))
    }
}
