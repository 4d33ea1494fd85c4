//! The ways of asking for the steps of a task. Scores of two ways answer different questions and are never pooled.

use std::fmt;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a model was told about a step besides its keyframe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub enum Asked {
    /// The step's instruction alone, as MedSPOT's scripts ask.
    #[default]
    #[serde(rename = "step")]
    Step,
    /// The goal, the steps before it with their clicks, and the step's instruction.
    #[serde(rename = "step+history")]
    StepHistory,
    /// The goal and the steps before it with their clicks; not what comes next.
    #[serde(rename = "goal+history")]
    GoalHistory,
}

impl Asked {
    /// All ways, the one with the least history first.
    pub const ALL: [Self; 3] = [Self::Step, Self::StepHistory, Self::GoalHistory];

    /// The name as predictions, options and reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::StepHistory => "step+history",
            Self::GoalHistory => "goal+history",
        }
    }

    /// Whether the steps before it are told.
    pub fn has_history(self) -> bool {
        self != Self::Step
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
