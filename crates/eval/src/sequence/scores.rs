//! What became of steps and of tasks, and the scores over tasks.

#![allow(clippy::disallowed_methods, reason = "weights of a score; nothing here decides geometry")]

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use windesk_model::task::StepKind;

use super::{Failure, HitRule, Task, Tasks, failure_of};
use crate::click::Status;
use crate::predictions::Prediction;
use crate::stats::{Bootstrap, ClusterTally, Proportion};

/// Weight of a step against the one before it.
const ALPHA: f64 = 0.8;

/// Scores over some tasks. Bootstrap intervals resample tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SequenceScores {
    /// Task completion accuracy: tasks with all steps hit.
    pub tca: Proportion,
    /// Step 1 accuracy: tasks whose first step is hit.
    pub s1a: Proportion,
    /// Step hit rate: steps hit before the first failure, among all steps.
    pub shr: Proportion,
    /// The same among attempted steps: those up to and with the first failure.
    pub shr_attempted: Proportion,
    /// Weighted prefix score: mean of the sum of 0.8^(i-1) over steps hit before the first failure.
    pub wps: Option<f64>,
    /// Its bootstrap interval, 95 %.
    pub wps_bootstrap: Option<[f64; 2]>,
    /// The same as a share of what a completed task gets.
    pub wps_normalised: Option<f64>,
    /// Its bootstrap interval, 95 %.
    pub wps_normalised_bootstrap: Option<[f64; 2]>,
    /// Every step scored alone.
    pub single_step: Proportion,
}

/// What became of a step that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepOutcome {
    /// Index of its task.
    pub task: usize,
    /// Its number in the task, from 0; steps that do not count are numbered too.
    pub step: usize,
    /// Index of its answer.
    pub at: usize,
    /// Box of what is to be clicked.
    pub bbox: [f64; 4],
    /// Size of its image.
    pub size: [u32; 2],
    /// What its click does, where the file says.
    pub kind: Option<StepKind>,
    /// How it was answered.
    pub status: Status,
    /// Whether it was hit.
    pub hit: bool,
    /// Whether it was hit at another place than its box, where a click is as good.
    pub elsewhere: bool,
    /// Whether all counting steps before it were hit.
    pub reached: bool,
    /// Why it was not hit.
    pub failure: Option<Failure>,
}

/// What became of every step that counts, in the order of the tasks. `said` holds an answer per step of every task,
/// counted through all tasks in their order.
pub fn step_outcomes(tasks: &Tasks, said: &[Option<Prediction>], rule: HitRule) -> Vec<StepOutcome> {
    let mut outcomes = Vec::new();
    let mut at = 0;
    for (number, task) in tasks.tasks.iter().enumerate() {
        let mut reached = true;
        for (place, step) in task.steps.iter().enumerate() {
            if let Some(bbox) = step.bbox {
                let size = step.size;
                let answer = rule.counted(said[at].as_ref());
                let answer = answer.as_deref();
                let in_box = rule.hits(bbox, size, answer);
                let elsewhere = !in_box && rule.also_valid && step.also_valid.iter().any(|&place| rule.hits(place, size, answer));
                let hit = in_box || elsewhere;
                let failure = (!hit).then(|| failure_of(bbox, size, answer));
                let (status, kind) = (Status::of(answer, size, false), step.kind);
                let outcome =
                    StepOutcome { task: number, step: place, at, bbox, size, kind, status, hit, elsewhere, reached, failure };
                outcomes.push(outcome);
                reached &= hit;
            }
            at += 1;
        }
    }
    outcomes
}

/// A task's steps that count, and whether each is hit.
pub(super) struct Run<'a> {
    pub(super) task: &'a Task,
    pub(super) hits: Vec<bool>,
}

impl Run<'_> {
    /// Steps that are hit before the first failure.
    pub(super) fn prefix(&self) -> usize {
        self.hits.iter().take_while(|&&h| h).count()
    }
}

fn weight(steps: usize) -> f64 {
    // Not `sum`, which is -0 of nothing.
    (0..steps).fold(0.0, |sum, i| sum + ALPHA.powi(i as i32))
}

pub(super) fn scores(runs: &[&Run<'_>], bootstrap: Bootstrap) -> SequenceScores {
    // A task is a cluster: its steps fall or stand together.
    let share = |of_task: &dyn Fn(&Run<'_>) -> (usize, usize)| {
        let mut tally = ClusterTally::default();
        for (cluster, run) in runs.iter().enumerate() {
            let (hits, n) = of_task(run);
            (0..n).for_each(|i| tally.add(cluster as u32, i < hits));
        }
        tally.proportion(bootstrap)
    };
    let prefixes: Vec<f64> = runs.iter().map(|r| weight(r.prefix())).collect();
    let normalised: Vec<f64> = runs.iter().map(|r| weight(r.prefix()) / weight(r.hits.len())).collect();
    let mean = |values: &[f64]| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    SequenceScores {
        tca: share(&|r| (usize::from(r.prefix() == r.hits.len()), 1)),
        s1a: share(&|r| (usize::from(r.hits[0]), 1)),
        shr: share(&|r| (r.prefix(), r.hits.len())),
        shr_attempted: share(&|r| (r.prefix(), (r.prefix() + 1).min(r.hits.len()))),
        wps: mean(&prefixes),
        wps_bootstrap: bootstrap.interval_of_mean(&prefixes),
        wps_normalised: mean(&normalised),
        wps_normalised_bootstrap: bootstrap.interval_of_mean(&normalised),
        single_step: share(&|r| (r.hits.iter().filter(|&&h| h).count(), r.hits.len())),
    }
}
