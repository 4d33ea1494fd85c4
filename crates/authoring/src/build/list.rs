//! The list from which a user's pack is built (`docs/pack.md`, "Making a pack"): what is written, with the defaults of
//! what is left out.

use serde::Deserialize;
use serde_json::{Map, Value};

use windesk_engine::pack::FormerTransition;
use windesk_model::geometry::{Point, Rect};
use windesk_model::pack_format::{Category, Popup, Session, SnapState, State, WindowKind};

use super::edge::FrameStyle;

/// The list as written. Paths of pictures are relative to the list's folder.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackList {
    /// The pack's name.
    pub name: String,
    /// The pack's version.
    #[serde(default = "first_version")]
    pub version: String,
    /// One sentence.
    #[serde(default)]
    pub description: String,
    /// Language of the windows (BCP 47).
    #[serde(default = "english")]
    pub language: String,
    /// The edge of windows that say nothing themselves, where their screenshot is opaque.
    #[serde(default)]
    pub frame_style: Option<FrameStyle>,
    /// Desktops that the windows belong to; without any, the pack is of version 1 and knows of no session.
    #[serde(default)]
    pub sessions: Vec<Session>,
    /// Programs that the windows belong to.
    pub programs: Vec<ProgramEntry>,
    /// The windows.
    pub windows: Vec<WindowEntry>,
    /// Clicks that lead from one window to another.
    #[serde(default)]
    pub transitions: Vec<FormerTransition>,
    /// As in `wallpapers.json`, without digests.
    #[serde(default)]
    pub wallpapers: Vec<Map<String, Value>>,
    /// As in `icons.json`, without digests.
    #[serde(default)]
    pub icons: Vec<Map<String, Value>>,
    /// As in `fonts.json`, without digests.
    #[serde(default)]
    pub fonts: Vec<Map<String, Value>>,
    /// Texts of licences: files named `<SPDX id>.txt`.
    #[serde(default)]
    pub licence_texts: Vec<String>,
}

/// A program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramEntry {
    /// Small letters, digits, `-`, `_` and `.`.
    pub id: String,
    /// What a user calls it.
    pub name: String,
    /// Its domain.
    pub category: Category,
    /// What people have one such program for, such as `file_manager`.
    #[serde(default)]
    pub purpose: Option<String>,
    /// SPDX expression for the pictures.
    pub licence: String,
    /// Package that it came from.
    #[serde(default)]
    pub package: Option<String>,
    /// Its version.
    #[serde(default)]
    pub version: String,
    /// Where the pictures came from.
    #[serde(default = "own_screenshots")]
    pub origin: String,
    /// Toolkit, if known.
    #[serde(default)]
    pub toolkit: String,
    /// A note on logos.
    #[serde(default)]
    pub trademark: Option<String>,
}

/// A window.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowEntry {
    /// `<program>/<name>`.
    pub id: String,
    /// Id of the session that it belongs to, if the list has sessions.
    #[serde(default)]
    pub session: Option<String>,
    /// PNG, JPEG or WebP.
    pub image: String,
    /// The same window without the focus, equally large.
    #[serde(default)]
    pub inactive_image: Option<String>,
    /// Title of the window [default: the program's name].
    #[serde(default)]
    pub title: Option<String>,
    /// What sort of window it is.
    #[serde(default = "main_window")]
    pub kind: WindowKind,
    /// Frame without shadow and popups [default: around all pixels with alpha >= 128].
    #[serde(default)]
    pub frame: Option<Rect>,
    /// Edge that an opaque screenshot gets: corners and shadow.
    #[serde(default)]
    pub frame_style: Option<FrameStyle>,
    /// Open popups, bottom to top.
    #[serde(default)]
    pub popups: Vec<Popup>,
    /// Window that a dialog belongs to.
    #[serde(default)]
    pub parent_window: Option<String>,
    /// This frame's top left minus the parent frame's.
    #[serde(default)]
    pub parent_offset: Option<Point>,
    /// Whether the parent takes no input meanwhile.
    #[serde(default)]
    pub modal: bool,
    /// Light or dark twin.
    #[serde(default)]
    pub variant_of: Option<String>,
    /// How the window manager had placed it.
    #[serde(default = "floating", rename = "placement")]
    pub snap: SnapState,
    /// Theme, if known.
    #[serde(default)]
    pub theme: String,
    /// Whether the theme is dark [default: from the mean brightness of the frame].
    #[serde(default)]
    pub dark: Option<bool>,
    /// Device pixels per layout pixel.
    #[serde(default = "one")]
    pub scale: f64,
    /// Date, `YYYY-MM-DD`.
    #[serde(default)]
    pub captured: String,
    /// Visible elements, parents first.
    pub elements: Vec<ElementEntry>,
}

/// An element.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElementEntry {
    /// Unique in the window [default: `e` and its number].
    #[serde(default)]
    pub id: Option<String>,
    /// An earlier element.
    #[serde(default)]
    pub parent: Option<String>,
    /// AT-SPI 2 role name.
    pub role: String,
    /// Its name; may be empty.
    #[serde(default)]
    pub name: String,
    /// Description or tool tip.
    #[serde(default)]
    pub description: String,
    /// Visible box, px of the picture.
    pub bbox: Rect,
    /// Whether a user can act on it [default: by its role].
    #[serde(default)]
    pub interactive: Option<bool>,
    /// Index of the popup that it lies in.
    #[serde(default)]
    pub popup: Option<usize>,
    /// State and value.
    #[serde(default)]
    pub state: State,
    /// A reviewed instruction that fits this element alone.
    #[serde(default)]
    pub instruction: Option<String>,
    /// Other phrasings of it.
    #[serde(default)]
    pub paraphrases: Vec<String>,
}

fn first_version() -> String {
    "0.1.0".to_owned()
}
fn english() -> String {
    "en".to_owned()
}
fn own_screenshots() -> String {
    "own screenshots".to_owned()
}
fn main_window() -> WindowKind {
    WindowKind::Main
}
fn floating() -> SnapState {
    SnapState::Floating
}
fn one() -> f64 {
    1.0
}
