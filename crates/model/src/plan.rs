//! The plan of a scene: every decision, as plain data that replays without random numbers.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use typed_index_collections::TiVec;

use crate::condition::Protocol;
use crate::desktop::Chrome;
use crate::geometry::{Point, Rect, Size};
use crate::index::PlacementIndex;
use crate::instruction::{InstructionSource, Wording};
use crate::key::{SampleKey, scene_name};
use crate::pack_format::EvidenceKind;
use crate::page_state::PageState;
use crate::setting::PlannedSetting;
use crate::task::{AlsoValid, GoalSource, StepKind, TaskKind};

/// Changes whenever the same key could give another scene, or a picture with other bytes.
pub const ENGINE_VERSION: u32 = 15;

/// Most windows of a plan: owners of pixels are counted in one byte, of which three values mean something else.
pub const MAX_PLACEMENTS: usize = 253;
/// Farthest from the screen's origin that a picture may lie, px: sums with it can't overflow.
pub const FARTHEST_PX: i32 = 1 << 16;

/// Everything that a scene is: replayable without random numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// [`ENGINE_VERSION`] of the planner.
    pub engine: u32,
    /// Digest of the pack.
    pub pack: String,
    /// Name of the condition.
    pub condition: String,
    /// Digest of the condition.
    pub condition_sha256: String,
    /// The rules.
    pub protocol: Protocol,
    /// What it was drawn from.
    pub key: SampleKey,
    /// Size of the screen.
    pub canvas: Size,
    /// The session that all windows are of; null where they may be of any, or the pack names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Wallpaper by id.
    pub wallpaper: String,
    /// How background windows lie.
    pub layout: Layout,
    /// What the desktop shows besides windows.
    pub chrome: Chrome,
    /// Windows, bottom to top.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Placement>"))]
    pub placements: TiVec<PlacementIndex, Placement>,
    /// What is asked for.
    pub target: PlannedTarget,
    /// Similar distractors.
    pub distractors: Vec<PlannedDistractor>,
    /// The element of another window that is nearest in meaning to the target.
    pub nearest_competitor: Option<NearestCompetitor>,
    /// What is asked for in place of the target, if the scene is to be refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent: Option<PlannedAbsent>,
    /// Further elements that are asked for, bottom to top.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra_targets: Vec<PlannedTarget>,
    /// The mouse pointer, above everything; null where none is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<PlannedPointer>,
    /// What it is a keyframe of; null for scenes that stand alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Box<PlannedStep>>,
    /// The control that is to be set; null for scenes that ask for an element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setting: Option<Box<PlannedSetting>>,
}

impl Plan {
    /// What its scene is called within its dataset: condition and index, and the step of a task.
    pub fn scene_name(&self) -> String {
        scene_name(&self.condition, self.key.index, self.step.as_ref().map(|step| u64::from(step.step)))
    }
}

/// A step of a task, of which a scene is the keyframe: the screen before its click.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedStep {
    /// Which one, from 0.
    pub step: u32,
    /// Steps of the task.
    pub steps: u32,
    /// What sort of task it is.
    pub kind: TaskKind,
    /// What is to be done.
    pub goal: String,
    /// Who wrote the goal.
    pub goal_source: GoalSource,
    /// The pack's workflow that it follows, by id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    /// What the click does.
    pub step_kind: StepKind,
    /// What to do now.
    pub instruction: String,
    /// The element of bar or dock that is to be clicked, by id; null where it is the plan's target. The plan's target
    /// is then the element that the task is after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
    /// The element that a task is after and that is hidden as yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<PlannedWanted>,
    /// The same where its window is put away: no placement shows it, and the plan's target is something that does show
    /// and that nothing is asked of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub put_away: Option<PlannedPutAway>,
    /// Where the click goes.
    pub click: Point,
    /// Other places where a click leads to the same next state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_valid: Vec<AlsoValid>,
}

/// Of an element that a task is after and that is hidden, fewer pixels than this are visible, whatever their share.
pub const HIDDEN_BELOW_PX: u64 = 48;

/// An element that can't be clicked as yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedWanted {
    /// Its window, as an index of the placements.
    pub placement: PlacementIndex,
    /// Element by id.
    pub element: String,
    /// Pixels of its box that its own window covers, off-screen ones included.
    pub total_px: u64,
    /// Those of them that nothing covers, on the screen; fewer than [`HIDDEN_BELOW_PX`].
    pub visible_px: u64,
}

/// An element of a window that is put away: only the shell can bring it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedPutAway {
    /// Its window: a capture by id.
    pub window: String,
    /// Element by id.
    pub element: String,
}

/// The mouse pointer at its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedPointer {
    /// Icon id in the pack.
    pub icon: String,
    /// Top left of its picture on the screen, px.
    pub origin: Point,
    /// Width and height of its picture, px.
    pub side_px: u32,
    /// The pixel of the screen that it points at.
    pub hotspot: Point,
}

impl PlannedPointer {
    /// The box of its picture on the screen.
    pub fn bbox(&self) -> Rect {
        Rect::at(self.origin.x, self.origin.y, self.side_px as i32, self.side_px as i32)
    }
}

/// A window at its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Window by id.
    pub window: String,
    /// Why it is there.
    pub role: Role,
    /// Top left of its picture on the screen, px: of the one that is shown, where a popup makes it larger.
    pub origin: Point,
    /// Whether it has the focus.
    pub active: bool,
    /// For a dialog, the placement that holds its parent window.
    pub parent: Option<PlacementIndex>,
    /// How the window differs from its capture; missing where it is as captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<PageState>,
}

/// Why a window is in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Makes up the number.
    Background,
    /// Holds a similar distractor.
    Distractor,
    /// Holds the target.
    Target,
    /// Hides a part of the target.
    Occluder,
    /// The window that the target's dialog belongs to.
    Parent,
}

/// How background windows lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// Each at a place of its own.
    Free,
    /// Where a window manager puts new windows: at edges of the screen and of other windows, where they cover least.
    Managed,
    /// One behind the other, each shifted.
    Cascade,
    /// Snapped to parts of the screen, at the bottom.
    Tile,
}

/// The target as planned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedTarget {
    /// Its window, as an index of the placements.
    pub placement: PlacementIndex,
    /// Element by id.
    pub element: String,
    /// The words.
    pub instruction: String,
    /// How they ask.
    pub wording: Wording,
    /// Which of its sentences they are: 0 is the instruction, others are paraphrases of it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub variant: u32,
    /// Who wrote them.
    pub instruction_source: InstructionSource,
    /// Pixels of its box that its own window covers, off-screen ones included.
    pub total_px: u64,
    /// Those of them that nothing covers, on the screen.
    pub visible_px: u64,
    /// Share of its gradient energy that is visible; null where it has next to none.
    pub visible_ink: Option<f64>,
    /// Whether another element that is itself solvably visible satisfies the words. Never in protocol `windesk`.
    pub ambiguous: bool,
    /// What a reader goes by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<PlannedEvidence>,
}

/// A part of the scene by which a reader knows a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedEvidence {
    /// What it is.
    pub kind: EvidenceKind,
    /// The window that shows it, as an index of the placements.
    pub placement: PlacementIndex,
    /// Its box on the screen, px.
    pub bbox: Rect,
    /// Pixels of its box that its window covers, off-screen ones included.
    pub total_px: u64,
    /// Those of them that nothing covers, on the screen.
    pub visible_px: u64,
    /// Whether the condition requires a share of it.
    pub required: bool,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A target that is not in the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedAbsent {
    /// The window that it was captured in, by id.
    pub window: String,
    /// Element by id there.
    pub element: String,
    /// The words.
    pub instruction: String,
    /// How they ask.
    pub wording: Wording,
    /// Which of its sentences they are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub variant: u32,
    /// Who wrote them.
    pub instruction_source: InstructionSource,
    /// The element of the scene that is nearest to it in meaning.
    pub nearest_competitor: Option<NearestCompetitor>,
}

/// A similar distractor as planned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedDistractor {
    /// Its window, as an index of the placements.
    pub placement: PlacementIndex,
    /// Element by id.
    pub element: String,
    /// Rank among other programs, 1 = most similar.
    pub rank: u32,
    /// Cosine of the embeddings.
    pub similarity: f64,
    /// Pixels of its box that its own window covers.
    pub total_px: u64,
    /// Those of them that are visible.
    pub visible_px: u64,
}

/// The nearest other target-like element in the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NearestCompetitor {
    /// Its window, as an index of the placements.
    pub placement: PlacementIndex,
    /// Element by id.
    pub element: String,
    /// Cosine of the embeddings.
    pub similarity: f64,
}

/// Why a draw was spent without giving a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No place keeps the target's window on the screen.
    TargetUnplaceable,
    /// No occluder gave a visible ratio in the band.
    BandMissed,
    /// The band was hit, but too little of what is visible shows anything.
    InkTooLow,
    /// The similar distractor's window could not be placed visibly.
    DistractorHidden,
    /// Too few windows could be placed so that each can be seen.
    WindowsUnplaceable,
    /// Another visible element satisfies the words.
    Ambiguous,
    /// Too little of the program's name or window's title shows, which the words begin with.
    ContextHidden,
    /// Too little shows of something that the words name beside the target.
    LandmarkHidden,
    /// Too little shows of what tells the target itself: its label, its picture, the caption beside it.
    OwnPartHidden,
    /// Something in the scene satisfies the words of the absent target.
    AbsentIsThere,
    /// The referee counted something else than the planner.
    NotVerified,
    /// The referee found scenes of a sweep to differ in more than the knobs.
    NotPaired,
    /// An icon found no place that keeps the gap to the others.
    IconsUnplaceable,
    /// No icon stands out enough from the ground at a place.
    ContrastTooLow,
    /// Too few icons similar to the target may be beside it and stand out from the ground.
    SimilarIconUnavailable,
    /// What a click of the task does was not captured, or has no room.
    StepUnmodelled,
    /// A click of the task led elsewhere than the workflow says.
    StepAstray,
    /// Too little of what a later step asks for can be seen.
    StepHidden,
    /// What a task was to reveal could be clicked at once.
    NothingToReveal,
    /// Nothing on the screen brings what a task is after.
    NoWayToReveal,
    /// The living page that was drawn bears no path of the length that was drawn.
    NothingToSet,
    /// The page can't have the control at the value that was drawn, or nobody knows its look.
    SettingUnknown,
    /// No act that was measured sets the control to another value, or nobody sees which end of a range it takes.
    SettingOutOfReach,
    /// Something covers a part of the control, of its cores or of its list, or they reach beyond the screen.
    SettingHidden,
    /// Nothing on the screen says what the control, or the value, is called.
    SettingNameless,
    /// The screen shows a like-named control.
    SettingAmbiguous,
}
