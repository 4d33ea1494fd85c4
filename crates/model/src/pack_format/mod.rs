//! The files of a pack as they are written (`docs/pack.md`). No checks beyond the shape of the data, no pixels.

mod assets;
mod capture;
mod instruction;
pub mod living;
mod session;
mod state;
mod transition;
mod workflow;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use assets::{Font, Icon, Wallpaper};
pub use capture::{
    Capture, ElementRecord, Inside, LivingFile, Picture, Platform, Popup, PopupKind, SnapState, Source, WindowKind,
};
pub use instruction::{
    AuthorKind, BlindCheck, Competitor, CompetitorReading, Evidence, EvidenceKind, InstructionSteps, InstructionStyle,
    ReviewedInstruction,
};
pub use session::{
    ClockFormat, DateFormat, Desktop, DesktopFile, Look, Persona, Pointer, Session, Shadow, Shadows, Shell, ShellKind, Side,
};
pub use state::State;
pub use transition::{Action, Carries, Change, Outcome, Transition};
pub use workflow::{Workflow, WorkflowClick};

/// The version of the pack format that this build writes. It reads [version 1](OLDEST_FORMAT_VERSION) too.
pub const FORMAT_VERSION: u32 = 2;
/// The oldest version of the pack format that this build reads: one without sessions and living pages.
pub const OLDEST_FORMAT_VERSION: u32 = 1;
/// The session that all captures of a pack of version 1 belong to.
pub const UNKNOWN_SESSION: &str = "unknown";

/// `pack.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`OLDEST_FORMAT_VERSION`] to [`FORMAT_VERSION`].
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// The folder's name.
    pub id: String,
    /// What a user calls the program; stands in instructions ("In Thunar, ..").
    pub name: String,
    /// The application domain.
    pub category: Category,
    /// What people have one program for, such as `file_manager`; null if it is not known. Windows of one purpose do not
    /// come together by chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
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
