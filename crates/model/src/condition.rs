//! A checked set of knobs. Public fields, plain data, complete: what the manifest shows.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::hex_digest;
use crate::geometry::Size;
use crate::instruction::UiType;
use crate::pack_format::Category;
use crate::role::RoleGroup;
use crate::split::Split;

/// Which rules scenes follow. Numbers of two protocols are never pooled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// All rules of windesk.
    Windesk,
    /// The paper's published generator, for comparison with its tables.
    Windeskground,
}

impl Protocol {
    /// The name as files and flags write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Windesk => "windesk",
            Self::Windeskground => "windeskground",
        }
    }
}

/// What the samples of an index have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Pairing {
    /// Nothing: every condition draws targets of its own.
    None,
    /// Target, words and wallpaper.
    Targets,
    /// The whole scene but for what the conditions differ in.
    Scenes,
    /// Target, words, wallpaper and time, and the same windows in the same order, each as another session has it:
    /// sizes, places and shell are that session's.
    Twins,
}

/// A share in 0..=1, held as an integer number of ten-thousandths so that no rounding decides anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(try_from = "f64", into = "f64")]
pub struct Ratio(u32);

impl Ratio {
    /// All of it.
    pub const ONE: Self = Self(10_000);
    /// The paper's lower bound of visibility: an element of which less is visible can't be asked for.
    pub const SOLVABLE: Self = Self(3_000);

    /// The largest share of `whole` that is no more than `part`; all of it at most.
    pub fn within(part: u64, whole: u64) -> Self {
        Self((part * 10_000 / whole.max(1)).min(10_000) as u32)
    }

    /// Whether it is nothing at all.
    pub fn is_none(&self) -> bool {
        self.0 == 0
    }

    /// Whether `part` of `whole` is at least this share.
    pub fn reached_by(self, part: u64, whole: u64) -> bool {
        part * 10_000 >= u64::from(self.0) * whole
    }

    /// The smallest whole number of `whole` that reaches this share.
    pub fn ceil_of(self, whole: u64) -> u64 {
        (u64::from(self.0) * whole).div_ceil(10_000)
    }

    /// The largest whole number of `whole` that does not exceed this share.
    pub fn floor_of(self, whole: u64) -> u64 {
        u64::from(self.0) * whole / 10_000
    }
}

impl TryFrom<f64> for Ratio {
    type Error = String;
    fn try_from(share: f64) -> Result<Self, String> {
        if (0.0..=1.0).contains(&share) {
            Ok(Self((share * 10_000.0).round() as u32))
        } else {
            Err(format!("share {share} is not within 0..=1"))
        }
    }
}

impl From<Ratio> for f64 {
    fn from(ratio: Ratio) -> Self {
        Self::from(ratio.0) / 10_000.0
    }
}

/// A closed range of shares, such as of visible ratios. Written as `[min, max]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Band(pub Ratio, pub Ratio);

impl Band {
    /// Whether `part` of `whole` lies in the band, borders included.
    pub fn holds(self, part: u64, whole: u64) -> bool {
        (self.0.ceil_of(whole)..=self.1.floor_of(whole)).contains(&part)
    }

    /// Whether nothing may be hidden.
    pub fn is_full(self) -> bool {
        self.0 == Ratio::ONE
    }
}

/// Where a similar distractor's window lies in the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LayerKnob {
    /// Below the target's window, as in the paper.
    Behind,
    /// Above it, without touching the target.
    Front,
    /// Either.
    Any,
}

/// Whether there is a window to hide the target with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OccluderKnob {
    /// Only where the band asks for something to be hidden.
    Needed,
    /// Even where all of the target is visible: it lies clear of it then. Only for scenes that are planned as pairs.
    Always,
}

/// Similar distractors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct DistractorKnobs {
    /// How many.
    pub count: u32,
    /// Rank of the first, from 1 (most similar); further ones follow in rank.
    pub rank: u32,
    /// Cosine that they have instead of a rank; null to go by rank.
    pub similarity: Option<Band>,
    /// Where they lie in the stack.
    pub layer: LayerKnob,
    /// How much of the similar element is visible at least.
    pub min_visible_ratio: Ratio,
}

/// Rules for the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TargetKnobs {
    /// Fewest visible pixels.
    pub min_visible_px: u64,
    /// Smallest visible share of its gradient energy; null where it is not required.
    pub ink_min: Option<Ratio>,
    /// Whether its window keeps to the middle of the screen instead of its category's region.
    pub centre_biased: bool,
}

/// How much of what a reader goes by must be visible: shares of text boxes and pictures. 0 requires nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EvidenceKnobs {
    /// Of the program's name or the window's title, where the words begin with it: in a title bar of the target's
    /// window or of its parent.
    pub context: Ratio,
    /// Of each landmark that the words name.
    pub landmarks: Ratio,
    /// Of what tells the target itself: its label, its picture or the caption beside it. Not asked of words that tell
    /// the target by its place and name a landmark.
    pub own: Ratio,
}

/// How often background windows lie free, in a cascade, or snapped to parts of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct LayoutWeights {
    /// Each at a place of its own.
    pub free: u32,
    /// Where a window manager puts new windows.
    #[serde(default)]
    pub managed: u32,
    /// One behind the other, each shifted.
    pub cascade: u32,
    /// Snapped captures at their places, at the bottom.
    pub tile: u32,
}

/// Which of a window's light and dark twins is shown. Scenes keep to windows that have both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Theme {
    Light,
    Dark,
}

/// Whose windows come together in a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SessionsKnob {
    /// Those of one session, as on one person's desktop.
    #[default]
    One,
    /// Those of any session.
    Mixed,
}

impl SessionsKnob {
    /// Names, as flags and files write them.
    pub const NAMES: [&str; 2] = ["one", "mixed"];

    fn is_one(&self) -> bool {
        *self == Self::One
    }
}

/// In which states windows of living programs are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum StatesKnob {
    /// As they were captured: what records mean that don't name it.
    #[default]
    Captured,
    /// Target and background windows are in states of their own, as on a desktop that is used.
    Varied,
}

impl StatesKnob {
    /// Names, as flags and files write them.
    pub const NAMES: [&str; 2] = ["captured", "varied"];

    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// What the desktop itself shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ChromeMode {
    /// Wallpaper and windows only, without window shadows.
    None,
    /// Wallpaper and windows with their shadows.
    Shadows,
    /// Shadows and the shell: taskbar, panel, or top bar and dock.
    Taskbar,
    /// Shadows, shell and desktop icons.
    Full,
}

/// Whether scenes show a mouse pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PointerMode {
    /// The session's, where it has one.
    #[default]
    Session,
    /// None.
    None,
}

impl PointerMode {
    fn is_default(&self) -> bool {
        *self == Self::Session
    }
}

impl ChromeMode {
    /// Whether windows cast shadows.
    pub fn has_shadows(self) -> bool {
        self != Self::None
    }

    /// Whether there is a shell.
    pub fn has_bars(self) -> bool {
        matches!(self, Self::Taskbar | Self::Full)
    }
}

/// A part of the screen as shares of its width and height: `{x = [min, max], y = [min, max]}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// From left to right.
    pub x: Band,
    /// From top to bottom.
    pub y: Band,
}

/// Regions by category, and the one for centre-biased targets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Priors {
    /// Where windows of a category keep to.
    pub category: BTreeMap<Category, Region>,
    /// Where centre-biased targets keep to.
    pub centre: Region,
}

/// Which instructions may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum InstructionChoice {
    /// Only those that were written by looking at the window and read blind by somebody else.
    Reviewed,
    /// Those composed from accessibility data too.
    All,
    /// Per session reviewed ones if it has enough of them for the other settings, else all.
    Auto,
}

/// A stratum of target areas as a share of the screen: small < 4e-4 <= medium < 3e-3 <= large (MedSPOT's).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum TargetSize {
    Small,
    Medium,
    Large,
}

impl TargetSize {
    /// The stratum of an area on a canvas, both in px.
    pub fn of(area: u64, canvas: Size) -> Self {
        let screen = u64::from(canvas.width) * u64::from(canvas.height);
        if area * 10_000 < screen * 4 {
            Self::Small
        } else if area * 1_000 < screen * 3 {
            Self::Medium
        } else {
            Self::Large
        }
    }
}

/// How many elements of a scene are asked for. Written as a number or `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(try_from = "TargetsWritten", into = "TargetsWritten")]
pub enum TargetsPerScene {
    /// So many, the promised one included; fewer where a scene has no more.
    UpTo(u32),
    /// Every element that can be asked for.
    All,
}

impl Default for TargetsPerScene {
    fn default() -> Self {
        Self::ONE
    }
}

impl TargetsPerScene {
    /// The promised one alone.
    pub const ONE: Self = Self::UpTo(1);

    /// Most targets besides the promised one.
    pub fn extra(self) -> usize {
        match self {
            Self::UpTo(count) => count as usize - 1,
            Self::All => usize::MAX,
        }
    }

    fn is_one(&self) -> bool {
        *self == Self::ONE
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
enum TargetsWritten {
    Count(u32),
    Word(String),
}

impl TryFrom<TargetsWritten> for TargetsPerScene {
    type Error = String;
    fn try_from(written: TargetsWritten) -> Result<Self, String> {
        match written {
            TargetsWritten::Count(count @ 1..) => Ok(Self::UpTo(count)),
            TargetsWritten::Word(word) if word == "all" => Ok(Self::All),
            TargetsWritten::Count(count) => Err(format!("targets_per_scene is {count}, expected at least 1, or `all`")),
            TargetsWritten::Word(word) => Err(format!("targets_per_scene is `{word}`, expected a number or `all`")),
        }
    }
}

impl From<TargetsPerScene> for TargetsWritten {
    fn from(targets: TargetsPerScene) -> Self {
        match targets {
            TargetsPerScene::UpTo(count) => Self::Count(count),
            TargetsPerScene::All => Self::Word("all".to_owned()),
        }
    }
}

/// What is drawn first, uniformly over what the targets have, before category, program, capture and element are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Balance {
    /// Program, then capture, then element: categories with more programs come up more often.
    App,
    /// Element: every target of the pack is as likely as any other.
    Element,
    /// Role group.
    Role,
    /// Icon or text.
    UiType,
    /// Stratum of size.
    TargetSize,
}

impl Balance {
    /// Names, as flags and files write them.
    pub const NAMES: [&str; 5] = ["app", "element", "role", "ui-type", "target-size"];
}

/// Which targets may be drawn; an empty list lets all through.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Filters {
    /// Categories.
    pub categories: Vec<Category>,
    /// Programs, by id or name.
    pub apps: Vec<String>,
    /// Sessions, by id.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<String>,
    /// Role groups.
    pub roles: Vec<RoleGroup>,
    /// Icon or text.
    pub ui_types: Vec<UiType>,
    /// Size strata.
    pub target_sizes: Vec<TargetSize>,
}

/// One checked set of knobs; what a sample's key, a pack and this determine is the whole scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Condition {
    /// Short name; part of every sample's id.
    pub name: String,
    /// The rules.
    pub protocol: Protocol,
    /// Size of the screen.
    pub canvas: Size,
    /// Fewest and most windows.
    pub windows: [u32; 2],
    /// Visible ratio of the target.
    pub visible_ratio: Band,
    /// Whether there is a window to hide the target with.
    pub occluder: OccluderKnob,
    /// Rules for the target.
    pub target: TargetKnobs,
    /// What a reader must be able to see; null where it is recorded alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceKnobs>,
    /// Similar distractors.
    pub distractor: DistractorKnobs,
    /// Layouts of background windows.
    pub layout: LayoutWeights,
    /// Where windows keep to; null for anywhere (the no-prior ablation).
    pub priors: Option<Priors>,
    /// What the desktop shows.
    pub chrome: ChromeMode,
    /// Whether there is a mouse pointer.
    #[serde(default, skip_serializing_if = "PointerMode::is_default")]
    pub pointer: PointerMode,
    /// Light or dark twins alone; null for windows of either kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<Theme>,
    /// The session whose twins stand for all windows; null for the windows that are drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_session: Option<String>,
    /// Weight of each category as the target's; all 1 by default.
    pub category_weights: BTreeMap<Category, u32>,
    /// Wallpapers by id; empty for the pack's default set.
    pub wallpapers: Vec<String>,
    /// Which instructions may be asked.
    pub instructions: InstructionChoice,
    /// Which targets may be drawn.
    pub filters: Filters,
    /// What is balanced over before categories are, or in place of them; empty for categories alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub balance: Vec<Balance>,
    /// Whose windows come together.
    #[serde(default, skip_serializing_if = "SessionsKnob::is_one")]
    pub sessions: SessionsKnob,
    /// In which states windows of living programs are.
    #[serde(default, skip_serializing_if = "StatesKnob::is_default")]
    pub states: StatesKnob,
    /// The part of the pack that scenes are made of; null for all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
    /// How many elements of a scene are asked for.
    #[serde(default, skip_serializing_if = "TargetsPerScene::is_one")]
    pub targets_per_scene: TargetsPerScene,
    /// Share of scenes that ask for something that is not there.
    #[serde(default, skip_serializing_if = "Ratio::is_none")]
    pub absent_share: Ratio,
}

impl Condition {
    /// Windows that a scene has in any case: target, distractors, occluder.
    pub fn fewest_windows(&self) -> u32 {
        1 + self.distractor.count + u32::from(self.has_occluder())
    }

    /// Whether an occluder is there, hiding something or not.
    pub fn has_occluder(&self) -> bool {
        !self.visible_ratio.is_full() || self.occluder == OccluderKnob::Always
    }

    /// Whether words may name a program or window only where a title bar shows the name.
    pub fn shows_context(&self) -> bool {
        self.evidence.is_some_and(|knobs| !knobs.context.is_none())
    }

    /// SHA-256 of the complete condition (64 hex digits).
    pub fn digest(&self) -> String {
        hex_digest(serde_json::to_string(self).expect("plain data").as_bytes())
    }
}
