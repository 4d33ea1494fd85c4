//! Roles of elements, as accessibility trees name them, and the groups that instructions tell apart.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// AT-SPI roles that `docs/pack.md` knows, in lower case.
pub const ROLES: [&str; 50] = [
    "push button",
    "toggle button",
    "check box",
    "radio button",
    "switch",
    "menu bar",
    "menu",
    "menu item",
    "check menu item",
    "radio menu item",
    "page tab list",
    "page tab",
    "entry",
    "password text",
    "text",
    "spin button",
    "combo box",
    "slider",
    "scroll bar",
    "progress bar",
    "level bar",
    "list",
    "list item",
    "table",
    "table cell",
    "table row",
    "column header",
    "row header",
    "tree",
    "tree item",
    "icon",
    "image",
    "link",
    "label",
    "heading",
    "tool bar",
    "status bar",
    "title bar",
    "document",
    "terminal",
    "panel",
    "dialog",
    "separator",
    "calendar",
    "color chooser",
    "canvas",
    "tool tip",
    "split pane",
    "window",
    "notification",
];

/// Roles that an instruction does not tell apart: "the Save button" may be any of a push button or a toggle button.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum RoleGroup {
    Button,
    Menu,
    MenuItem,
    Tab,
    CheckBox,
    Radio,
    Switch,
    Field,
    ComboBox,
    SpinButton,
    Slider,
    Item,
    Cell,
    Link,
    Header,
    Icon,
}

impl RoleGroup {
    /// The group of a role, or `None` for roles that nobody is asked to act on (panels, labels, scroll bars).
    pub fn of(role: &str) -> Option<Self> {
        Some(match role {
            "push button" | "toggle button" => Self::Button,
            "menu" => Self::Menu,
            "menu item" | "check menu item" | "radio menu item" => Self::MenuItem,
            "page tab" => Self::Tab,
            "check box" => Self::CheckBox,
            "radio button" => Self::Radio,
            "switch" => Self::Switch,
            "entry" | "password text" | "text" => Self::Field,
            "combo box" => Self::ComboBox,
            "spin button" => Self::SpinButton,
            "slider" => Self::Slider,
            "list item" | "tree item" | "table row" => Self::Item,
            "table cell" => Self::Cell,
            "link" => Self::Link,
            "column header" | "row header" => Self::Header,
            "icon" => Self::Icon,
            _ => return None,
        })
    }
}
