//! Tasks: a line of `tasks/*.jsonl`. What is to be done, and the clicks that do it, a keyframe each.
//!
//! What `windesk tasks` writes and what evaluation reads are these types. Everything beyond the first fields is
//! optional, so that lines of other makers can be read too.

mod check;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::geometry::{Point, Rect};
use crate::key::SampleKey;

/// A line of a file of tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskLine {
    /// The task's id.
    pub id: String,
    /// The program that its first step is in.
    pub application: String,
    /// What is to be done: the goal.
    #[serde(default)]
    pub task_overview: Option<String>,
    /// In order.
    pub steps: Vec<StepLine>,
    /// What sort of task it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<TaskKind>,
    /// Every program that it needs, in the order of their first steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub applications: Vec<String>,
    /// Name of the condition that its first keyframe keeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// The session that all windows are of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// `train` or `test`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// What it was drawn from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<SampleKey>,
    /// Who wrote the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal_source: Option<GoalSource>,
    /// The workflow of the pack that it follows, by id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
}

/// A step in a file of tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StepLine {
    /// What is to be done.
    pub instruction: String,
    /// Path of the image.
    #[serde(default)]
    pub image: Option<String>,
    /// Width and height of the image, px.
    pub image_size: [u32; 2],
    /// `click`, `double_click`, `drag`, `type`, ..
    pub action: String,
    /// `[x0, y0, x1, y1]` px; null where the action has no place.
    #[serde(serialize_with = "whole_where_whole")]
    pub bbox: Option<[f64; 4]>,
    /// Id of the keyframe's scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<String>,
    /// Id of the target in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What the click does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_kind: Option<StepKind>,
    /// How much of the target shows, 0..=1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible_ratio: Option<f64>,
    /// A visible pixel of the target, as far from its edge as possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub click_point: Option<Point>,
    /// The program whose window the target is in; missing for the shell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<String>,
    /// The target's element by id in the keyframe's scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// Other places where a click leads to the same next state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_valid: Vec<AlsoValid>,
}

/// Another place where a click is as good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AlsoValid {
    /// Its box on the screen, half-open, px. Every pixel of it leads to the same next state.
    pub bbox: Rect,
    /// What a click there does.
    pub why: String,
}

/// What sort of task it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// A path through the windows of one program.
    Workflow,
    /// What is wanted is hidden at first.
    Reveal,
    /// A path through the windows of two programs.
    Across,
}

impl TaskKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Workflow, Self::Reveal, Self::Across];

    /// The name as written in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Workflow => "workflow",
            Self::Reveal => "reveal",
            Self::Across => "across",
        }
    }
}

/// What a step's click does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Opens a menu or a list.
    OpenMenu,
    /// Chooses an entry of an open menu or list.
    Choose,
    /// Opens another window.
    OpenWindow,
    /// Shows another page of the window: a tab, a folder, a section.
    Switch,
    /// Gives a control another value.
    Set,
    /// Closes a window.
    Close,
    /// Brings a window to the front.
    Raise,
    /// Brings back a window that was minimised.
    Restore,
    /// Puts a window away.
    Minimise,
    /// Presses something; nothing more is known of what follows.
    Press,
}

impl StepKind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::OpenMenu,
        Self::Choose,
        Self::OpenWindow,
        Self::Switch,
        Self::Set,
        Self::Close,
        Self::Raise,
        Self::Restore,
        Self::Minimise,
        Self::Press,
    ];

    /// The name as written in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenMenu => "open_menu",
            Self::Choose => "choose",
            Self::OpenWindow => "open_window",
            Self::Switch => "switch",
            Self::Set => "set",
            Self::Close => "close",
            Self::Raise => "raise",
            Self::Restore => "restore",
            Self::Minimise => "minimise",
            Self::Press => "press",
        }
    }
}

/// Who wrote a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GoalSource {
    /// Somebody who looked at the pictures, and a reader found the way by it.
    Reviewed,
    /// Composed from the names of what is clicked, or written and not yet read.
    Composed,
}

/// Which step of which task a scene is. Steps count from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SequencePlace {
    /// The task's id.
    pub id: String,
    /// The step, from 0.
    pub step: u32,
    /// Steps of the task.
    pub steps: u32,
}

/// Whole numbers are written without a fraction: boxes of ours are pixels.
fn whole_where_whole<S: Serializer>(bbox: &Option<[f64; 4]>, serializer: S) -> Result<S::Ok, S::Error> {
    match bbox {
        Some(b) if b.iter().all(|v| v.fract() == 0.0 && v.abs() < f64::from(1 << 24)) => {
            b.map(|v| v as i64).serialize(serializer)
        }
        other => other.serialize(serializer),
    }
}
