//! Wallpapers, icons and fonts: lists beside their files.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Category;

/// An entry of `wallpapers/wallpapers.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Wallpaper {
    /// Unique name.
    pub id: String,
    /// Picture beside the list: PNG, JPEG or WebP.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// The work's title.
    pub title: String,
    /// Its author.
    pub author: String,
    /// Package and version that it came from.
    pub source: String,
    /// SPDX expression.
    pub licence: String,
    /// What was changed.
    pub changes: String,
    /// Whether scenes use it unless asked otherwise.
    pub default: bool,
    /// Whether its licence makes composites share-alike.
    pub share_alike: bool,
    /// Whether it is a photograph.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub photograph: bool,
}

/// An entry of `icons/icons.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Icon {
    /// Unique name.
    pub id: String,
    /// SVG beside the list.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Default caption.
    pub label: String,
    /// Captions that fit; the first is `label`. Empty means `label` alone.
    #[serde(default)]
    pub labels: Vec<String>,
    /// `desktop`, `taskbar`, `tray`, `pointer`; `session` if only sessions name it.
    #[serde(rename = "use")]
    pub uses: Vec<String>,
    /// Sessions that it belongs to, by id; empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<String>,
    /// Programs that it stands for in the taskbar.
    #[serde(default)]
    pub programs: Vec<String>,
    /// Categories that it may stand for in the taskbar.
    #[serde(default)]
    pub categories: Vec<Category>,
    /// Its author.
    pub author: String,
    /// Package and version that it came from.
    pub source: String,
    /// SPDX expression.
    pub licence: String,
}

/// An entry of `fonts/fonts.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Font {
    /// Family name.
    pub family: String,
    /// Style name.
    pub style: String,
    /// Weight, 100..=900.
    pub weight: u16,
    /// TTF beside the list.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Package and version that it came from.
    pub source: String,
    /// SPDX expression.
    pub licence: String,
}
