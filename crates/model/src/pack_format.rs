//! The files of a pack as they are written (`docs/pack.md`). No checks beyond the shape of the data, no pixels.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::{Point, Rect, Size};

/// The version of the pack format that this build reads and writes.
pub const FORMAT_VERSION: u32 = 1;

/// `pack.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Always [`FORMAT_VERSION`].
    pub format_version: u32,
    /// Short name, used in manifests.
    pub name: String,
    /// The pack's own version.
    pub version: String,
    /// One sentence.
    pub description: String,
    /// Language of the captured programs (BCP 47).
    pub language: String,
}

/// The nine application domains of the paper (its Table 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Category {
    #[serde(rename = "Developer_Tools")]
    DeveloperTools,
    #[serde(rename = "Advanced_Tools")]
    AdvancedTools,
    Productivity,
    Browsers,
    Communication,
    Utilities,
    #[serde(rename = "File&System_Utilities")]
    FileSystemUtilities,
    #[serde(rename = "Media&Entertainment")]
    MediaEntertainment,
    Gaming,
}

impl Category {
    /// All nine, in the order of the files.
    pub const ALL: [Self; 9] = [
        Self::DeveloperTools,
        Self::AdvancedTools,
        Self::Productivity,
        Self::Browsers,
        Self::Communication,
        Self::Utilities,
        Self::FileSystemUtilities,
        Self::MediaEntertainment,
        Self::Gaming,
    ];

    /// The name as written in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::DeveloperTools => "Developer_Tools",
            Self::AdvancedTools => "Advanced_Tools",
            Self::Productivity => "Productivity",
            Self::Browsers => "Browsers",
            Self::Communication => "Communication",
            Self::Utilities => "Utilities",
            Self::FileSystemUtilities => "File&System_Utilities",
            Self::MediaEntertainment => "Media&Entertainment",
            Self::Gaming => "Gaming",
        }
    }
}

/// `windows/<program>/program.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// The folder's name.
    pub id: String,
    /// What a user calls the program; stands in instructions ("In Thunar, ..").
    pub name: String,
    /// The application domain.
    pub category: Category,
    /// Package that it came from.
    pub package: String,
    /// That package's version.
    pub version: String,
    /// Where the package came from, such as "Debian 12".
    pub origin: String,
    /// SPDX expression.
    pub licence: String,
    /// Toolkit and version as the accessibility tree reports them.
    pub toolkit: String,
    /// A note on logos in the pictures.
    pub trademark: Option<String>,
}

/// A picture file of a capture: `<sha256, first 16 digits>.webp` beside the capture's JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
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

/// What an open popup is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[serde(deny_unknown_fields)]
pub struct Popup {
    /// Its box in the picture; may reach beyond the frame.
    pub rect: Rect,
    /// What it is.
    pub kind: PopupKind,
}

/// The state of a control: only what applies is present (see `docs/pack.md`).
pub type State = BTreeMap<String, serde_json::Value>;

/// A visible element of a capture.
#[derive(Clone, Debug, Serialize, Deserialize)]
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

/// Where a capture came from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
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
#[serde(deny_unknown_fields)]
pub struct Capture {
    /// Always [`FORMAT_VERSION`].
    pub format_version: u32,
    /// `<program>/<capture>`.
    pub id: String,
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

/// A line of `windows/<program>/transitions.jsonl`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transition {
    /// Capture id before.
    pub from: String,
    /// Element acted on.
    pub element: String,
    /// `click`, `double_click`, `right_click` or `type`.
    pub action: String,
    /// Capture id after.
    pub to: String,
    /// Frame of `to` minus frame of `from` when a new window opened.
    pub offset: Option<Point>,
}

/// What an instruction goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstructionStyle {
    /// By what the element does or is called: "Print the document".
    Function,
    /// By what it looks like: "Click the magnifying glass".
    Appearance,
    /// By where it is: "Click the leftmost button of the tool bar".
    Position,
    /// By what the user is after: "Make the text easier to read".
    Intent,
}

impl InstructionStyle {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Function, Self::Appearance, Self::Position, Self::Intent];

    /// The name as written in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Appearance => "appearance",
            Self::Position => "position",
            Self::Intent => "intent",
        }
    }
}

/// Who wrote or read an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuthorKind {
    /// A person.
    Person,
    /// A model that looked at the picture.
    Model,
}

/// What a reader picked who saw the window's picture with numbered boxes and the words, and was not told the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlindCheck {
    /// The words that the reader was given: the instruction or a paraphrase, as it was then.
    pub text: String,
    /// Ids of the elements that the reader took them for; none if nothing fits.
    pub picked: Vec<String>,
    /// Kind of reader.
    pub reader_kind: AuthorKind,
    /// Date, `YYYY-MM-DD`.
    pub date: String,
}

/// A line of `windows/<program>/instructions.jsonl`: what somebody wrote by looking, and what others made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewedInstruction {
    /// Capture id.
    pub window: String,
    /// Element id in it.
    pub element: String,
    /// The instruction, complete and without a program prefix.
    pub instruction: String,
    /// What it goes by.
    pub style: InstructionStyle,
    /// Kind of author.
    pub author_kind: AuthorKind,
    /// Date, `YYYY-MM-DD`.
    pub date: String,
    /// Digest of the capture that the author saw (16 hex digits); null if it was not written from a sheet.
    #[serde(default)]
    pub capture: Option<String>,
    /// Elements of other windows that also satisfy it, as `<window>#<element>`.
    #[serde(default)]
    pub also_fits: Vec<String>,
    /// Other phrasings.
    #[serde(default)]
    pub paraphrases: Vec<String>,
    /// Blind checks, oldest first.
    #[serde(default)]
    pub checks: Vec<BlindCheck>,
    /// Given up after disagreement: kept for the record, never a target.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dropped: bool,
}

/// An entry of `wallpapers/wallpapers.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
}

/// An entry of `icons/icons.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    /// `desktop`, `taskbar`, `tray`.
    #[serde(rename = "use")]
    pub uses: Vec<String>,
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
