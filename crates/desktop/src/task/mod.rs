//! Tasks: what is to be done on a desktop, click by click, each with its keyframe. From a study and a key to plans.
//!
//! The first keyframe is a scene of a level; all others are what [`crate::act`] makes of it. Random numbers are spent
//! on the scene, on the path and on how a hidden window is revealed, and on nothing else.

mod also;
mod path;
mod paths;
mod plan;
mod reveal;
mod settings;
mod words;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_engine::pack::IndexedPack;
use windesk_engine::planner::PairedError;
use windesk_engine::study::Outcome;
use windesk_model::Error;
use windesk_model::condition::{Condition, InstructionChoice, Protocol, StatesKnob};
use windesk_model::plan::Plan;
use windesk_model::task::TaskKind;

pub use path::{Path, PathClick, PathWords, StepWords};
pub use paths::{PathCounts, TaskPool};
pub use words::step_kind;

/// Most steps of a task.
pub const MAX_STEPS: u32 = 6;

/// Tasks that are made alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TaskStudy {
    /// Name of the dataset; the first part of every id.
    pub name: String,
    /// The level that first keyframes keep: one condition.
    pub conditions: Vec<Condition>,
    /// Seed of all keys.
    pub seed: u64,
    /// Sorts of tasks that are drawn, in order.
    pub kinds: Vec<TaskKind>,
    /// Fewest and most steps of a task.
    pub steps: [u32; 2],
    /// Whose goals are asked.
    pub goals: Goals,
    /// SHA-256 of the pack's workflows.
    pub workflows_sha256: String,
}

/// Whose goals are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Goals {
    /// Those that somebody wrote by the pictures, and that were read.
    Reviewed,
    /// Those that nobody read and composed ones too.
    All,
}

impl TaskStudy {
    /// The level.
    pub fn condition(&self) -> &Condition {
        &self.conditions[0]
    }

    /// Whether tasks can be made of it.
    ///
    /// # Errors
    /// With what is wrong with it.
    pub fn check(&self) -> Result<(), Error> {
        let place = || format!("study {}", self.name);
        let [condition] = &self.conditions[..] else {
            return Err(Error::config(place(), format!("found {} conditions, expected one", self.conditions.len())));
        };
        let [fewest, most] = self.steps;
        if !(2..=MAX_STEPS).contains(&fewest) || !(fewest..=MAX_STEPS).contains(&most) {
            return Err(Error::config(
                "option `steps`",
                format!("found {fewest}..{most}, expected a range within 2..{MAX_STEPS}"),
            ));
        }
        if self.kinds.is_empty() {
            return Err(Error::config(place(), "found no kind of task, expected at least one"));
        }
        if condition.protocol != Protocol::Windesk {
            return Err(Error::config(place(), "protocol windeskground knows no tasks, expected windesk"));
        }
        if condition.theme.is_some() {
            return Err(Error::config(place(), "`theme` is not known of tasks: twins have no transitions of their own"));
        }
        if condition.states != StatesKnob::Captured {
            return Err(Error::config(
                place(),
                "`states` varied is not known of tasks: what a click does is known of windows as they were captured",
            )
            .with_hint("leave out option `states`, or give it captured"));
        }
        if !condition.balance.is_empty() || condition.instructions != InstructionChoice::Auto {
            let problem = "programs are drawn uniformly, and words come with the paths: `balance` and `instructions` don't apply";
            return Err(Error::config(place(), problem).with_hint("option `goals` says whose goals are asked"));
        }
        if condition.targets_per_scene.extra() > 0 || !condition.absent_share.is_none() {
            return Err(Error::config(
                place(),
                "a step asks for one thing that is there: `targets_per_scene` and `absent_share` don't apply",
            ));
        }
        if self.kinds.contains(&TaskKind::Reveal)
            && !condition.chrome.has_bars()
            && self.kinds.len() == 1
            && condition.windows[1] < 2
        {
            return Err(Error::config(
                place(),
                "kind reveal needs a second window that hides the first, expected at least 2 windows",
            ));
        }
        Ok(())
    }

    /// The plans of one index, a keyframe each.
    ///
    /// # Errors
    /// If the pack is at fault. A rejected draw is no error.
    pub fn outcome(&self, pack: &IndexedPack, pool: &TaskPool, index: u64) -> Result<Outcome<Plan>, Error> {
        let plans = |key| plan::plan_task(pack, pool, self, key).map_err(|error| PairedError { condition: 0, error });
        Outcome::of_draws(self.seed, index, |at| &self.conditions[at].name, plans)
    }
}
