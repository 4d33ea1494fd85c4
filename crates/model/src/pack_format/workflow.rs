//! Workflows: paths of clicks with a goal in words.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::task::GoalSource;

/// A line of `windows/<program>/workflows.jsonl`, or of `workflows.jsonl` at the root for those over several programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Workflow {
    /// Unique in the pack: `<program>/<name>`.
    pub id: String,
    /// What is clicked, in order; at least one.
    pub clicks: Vec<WorkflowClick>,
    /// What is to be done, as somebody would ask for it.
    pub goal: String,
    /// What to do at each click; null where the words of single targets are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<String>>,
    /// Who wrote the goal.
    pub goal_source: GoalSource,
}

/// A click of a workflow.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WorkflowClick {
    /// Capture id of the page.
    pub page: String,
    /// Element by id.
    pub element: String,
}
