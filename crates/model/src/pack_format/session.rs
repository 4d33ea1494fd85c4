//! `sessions/<session>.json`: a desktop as one person has it. Windows of one session could stand beside each other.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::Point;
use crate::moment::Moment;

/// A session: one look, persona, locale, scale, clock and shell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// Always [`FORMAT_VERSION`](super::FORMAT_VERSION).
    pub format_version: u32,
    /// The file's name.
    pub id: String,
    /// What a person would call it: "GNOME-like, light".
    pub title: String,
    /// What all of its windows look like.
    pub look: Look,
    /// Whose desktop it is.
    pub persona: Persona,
    /// Locale of its programs, such as `en_US.UTF-8`.
    pub locale: String,
    /// Language of its texts (BCP 47).
    pub language: String,
    /// Device pixels per layout pixel.
    pub scale: f64,
    /// When it was captured, by its own clock. No window shows a later date.
    pub clock: Moment,
    /// What surrounds the windows.
    pub shell: Shell,
    /// What lies on the desktop.
    pub desktop: Desktop,
    /// The mouse pointer; null if scenes draw none.
    pub pointer: Option<Pointer>,
    /// Ids of the wallpapers that it may have; empty means all default ones.
    #[serde(default)]
    pub wallpapers: Vec<String>,
}

/// What all windows of a session have in common. Names are those of the themes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// Whether it is dark.
    pub dark: bool,
    /// Theme of GTK 2 programs.
    pub gtk2: String,
    /// Theme of GTK 3 programs.
    pub gtk3: String,
    /// Theme of GTK 4 programs.
    pub gtk4: String,
    /// Style of Qt programs.
    pub qt: String,
    /// Theme of Chromium and what is built on it.
    pub chromium: String,
    /// Icon theme of LibreOffice.
    pub libreoffice: String,
    /// Icon theme.
    pub icons: String,
    /// Family of the pack's fonts that shell and titles are written in.
    pub font: String,
    /// Window manager and frame theme: the `frame_style` of its windows.
    pub decoration: String,
    /// The shadow that all of its windows cast; null if they cast the one in their pictures.
    pub shadow: Option<Shadows>,
}

/// Shadows of windows with and without the focus.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shadows {
    /// Of the active window.
    pub active: Shadow,
    /// Of the others.
    pub inactive: Shadow,
}

/// A soft shadow below a window.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shadow {
    /// How far it is moved, px.
    pub offset: Point,
    /// Radius of its blur, 0 to 128 px.
    pub blur_px: u32,
    /// Its darkest opacity, 0 to 255.
    pub opacity: u8,
}

/// The invented person to whom files, mails and chats belong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Persona {
    /// Unique among personas; sessions may share one.
    pub id: String,
    /// Full name.
    pub name: String,
    /// User name.
    pub user: String,
    /// Name of the computer.
    pub host: String,
}

/// What surrounds the windows: bars, dock, tray, clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shell {
    /// How it is laid out.
    pub kind: ShellKind,
    /// How its clock says the time.
    pub clock_format: ClockFormat,
    /// How its clock says the date.
    pub date_format: DateFormat,
    /// Programs that always stand in dock or taskbar, in order.
    #[serde(default)]
    pub pinned: Vec<String>,
}

/// The layouts that the engine can draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ShellKind {
    /// A taskbar at the bottom with centred buttons, as Windows 11 has.
    #[default]
    Taskbar,
    /// A bar at the top, and a dock that floats at the bottom where no window reaches it, as GNOME has.
    TopBarAndDock,
    /// A panel at the bottom with the menu at its left, as KDE Plasma has.
    Panel,
}

/// How a clock says the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub enum ClockFormat {
    /// `17:05`
    #[default]
    #[serde(rename = "24h")]
    Hours24,
    /// `5:05 PM`
    #[serde(rename = "12h")]
    Hours12,
}

/// How a clock says the date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DateFormat {
    /// `23/11/2026`
    #[default]
    DayMonthYear,
    /// `11/23/26`
    MonthDayYear,
    /// `2026-11-23`
    Iso,
    /// `Nov 23`
    MonthDay,
    /// `Mon 23 Nov`
    WeekdayDayMonth,
}

/// What lies on the desktop, as the session's file manager lists its Desktop folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Desktop {
    /// Its icons, in the order in which the file manager lays them out; often none.
    pub icons: Vec<DesktopFile>,
    /// The side of the screen that they begin at.
    #[serde(default)]
    pub side: Side,
}

/// A file or folder on the desktop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DesktopFile {
    /// Its caption.
    pub label: String,
    /// Icon id in the pack.
    pub icon: String,
}

/// A side of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Side {
    #[default]
    Left,
    Right,
}

/// A mouse pointer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pointer {
    /// Icon id in the pack.
    pub icon: String,
    /// Width and height of its picture, px.
    pub side_px: u32,
    /// The pixel of it that points.
    pub hotspot: Point,
}
