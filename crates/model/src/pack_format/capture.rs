//! `windows/<program>/<capture>.json`: a window in one shape, with every visible element.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::{Point, Rect, Size};
use crate::moment::Moment;

use super::state::State;

/// A picture file of a capture: `<sha256, first 16 digits>.webp` beside the capture's JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// File name, no folder.
    pub file: String,
    /// SHA-256 of the file, 64 hex digits.
    pub sha256: String,
    /// Width and height; absent for the inactive delta, which is as large as the active picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Size>,
}

/// What sort of window it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WindowKind {
    /// A program's main window.
    Main,
    /// A dialog of a main window.
    Dialog,
    /// A tool window or palette.
    Utility,
}

/// How the window manager had placed the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum SnapState {
    Floating,
    Maximized,
    LeftHalf,
    RightHalf,
    TopLeft,
    TopRight,
    BottomLeft,
    BottomRight,
}

impl SnapState {
    /// Whether its left, top, right and bottom sides lie at the edges of the screen's free part.
    pub fn docked_sides(self) -> [bool; 4] {
        match self {
            Self::Floating => [false; 4],
            Self::Maximized => [true; 4],
            Self::LeftHalf => [true, true, false, true],
            Self::RightHalf => [false, true, true, true],
            Self::TopLeft => [true, true, false, false],
            Self::TopRight => [false, true, true, false],
            Self::BottomLeft => [true, false, false, true],
            Self::BottomRight => [false, false, true, true],
        }
    }
}

/// What an open popup is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum PopupKind {
    Menu,
    List,
    Tooltip,
    Popover,
}

/// An open menu, list, tool tip or popover in a capture's picture.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Popup {
    /// Its box in the picture; may reach beyond the frame.
    pub rect: Rect,
    /// What it is.
    pub kind: PopupKind,
}

/// A visible element of a capture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ElementRecord {
    /// Unique in the capture.
    pub id: String,
    /// Nearest recorded ancestor, listed earlier.
    pub parent: Option<String>,
    /// AT-SPI 2 role name in lower case.
    pub role: String,
    /// Accessible name; may be empty.
    pub name: String,
    /// Accessible description or tool tip; may be empty.
    pub description: String,
    /// Visible box in the picture.
    pub bbox: Rect,
    /// Whether a user can act on it.
    pub interactive: bool,
    /// Index of the popup that it lies in.
    pub popup: Option<usize>,
    /// State and value.
    pub state: State,
}

/// What a capture was made on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Platform {
    /// A window of a desktop.
    #[default]
    Desktop,
    /// A page of a web browser, without the browser.
    Web,
    /// A page as a telephone shows it, filling the screen.
    MobileWeb,
}

impl Platform {
    /// Whether it is a window of a desktop.
    pub fn is_desktop(&self) -> bool {
        *self == Self::Desktop
    }
}

/// Where a web page is seen in a browser's window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Inside {
    /// Capture id of the browser's window, with the page's title and address.
    pub window: String,
    /// Top left of the page in that window's picture.
    pub at: Point,
}

/// The living file of a page and the pictures that it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LivingFile {
    /// `<first 16 digits of sha256>.jsonl`, beside the capture.
    pub file: String,
    /// SHA-256 of the file, 64 hex digits.
    pub sha256: String,
    /// The atlas, with its size; null if nothing on the page changes its picture.
    pub atlas: Option<Picture>,
}

/// Where a capture came from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The recipe's id.
    pub recipe: String,
    /// What was done to get there.
    pub steps: Vec<String>,
    /// Date, `YYYY-MM-DD`.
    pub captured: String,
}

/// `windows/<program>/<capture>.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Capture {
    /// As in the pack's header.
    pub format_version: u32,
    /// `<program>/<capture>`.
    pub id: String,
    /// Id of the session that it belongs to; captures of version 1 have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// What it was made on.
    #[serde(default, skip_serializing_if = "is_desktop")]
    pub platform: Platform,
    /// For a web page: where a browser's window shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<Inside>,
    /// The newest date, or date and time, that the window shows; null if it shows none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newest_date: Option<Moment>,
    /// What its controls can be set to, if that was captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub living: Option<LivingFile>,
    /// The window's title.
    pub title: String,
    /// What sort of window it is.
    pub kind: WindowKind,
    /// The picture with the focus.
    pub image: Picture,
    /// The delta to the picture without the focus.
    pub inactive: Option<Picture>,
    /// Opaque frame in the picture.
    pub frame: Rect,
    /// Open popups, bottom to top.
    pub popups: Vec<Popup>,
    /// Capture id of the window that this dialog belongs to.
    pub parent_window: Option<String>,
    /// This frame's top left minus the parent frame's.
    pub parent_offset: Option<Point>,
    /// Whether the parent takes no input meanwhile.
    pub modal: bool,
    /// The capture that this is a light/dark twin of.
    pub variant_of: Option<String>,
    /// How the window manager had placed it.
    #[serde(rename = "placement")]
    pub snap: SnapState,
    /// Toolkit theme.
    pub theme: String,
    /// Window manager and frame theme.
    pub frame_style: String,
    /// Whether the theme is dark.
    pub dark: bool,
    /// Device pixels per layout pixel.
    pub scale: f64,
    /// Language of the texts (BCP 47).
    pub language: String,
    /// Every visible element, parents first.
    pub elements: Vec<ElementRecord>,
    /// Where it came from.
    pub source: Source,
}

fn is_desktop(platform: &Platform) -> bool {
    *platform == Platform::Desktop
}
