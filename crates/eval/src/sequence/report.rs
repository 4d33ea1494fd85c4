//! The report of the sequence protocol.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use windesk_model::task::{StepKind, TaskKind};

use super::failure::stratum;
use super::scores::{Run, scores};
use super::{Asked, Failure, HitRule, SequenceScores, StepOutcome, Task, Tasks, step_outcomes};
use crate::click::Status;
use crate::facts::ReportFacts;
use crate::predictions::{Prediction, PredictionFacts};
use crate::stats::{Bootstrap, ClusterTally, Proportion};

/// `windesk eval --protocol sequence --report json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SequenceReport {
    /// What was scored, and how.
    #[serde(flatten)]
    pub facts: ReportFacts,
    /// Name of the dataset.
    pub dataset: String,
    /// SHA-256 over its files.
    pub digest: String,
    /// How all models were asked.
    pub asked: Asked,
    /// Tasks with a step that counts: the denominator.
    pub tasks: u64,
    /// Tasks without one, left out.
    pub tasks_left_out: u64,
    /// Steps that count.
    pub steps: u64,
    /// Steps whose action does not count, skipped.
    pub steps_skipped: u64,
    /// One per file of predictions.
    pub models: Vec<SequenceModel>,
}

/// One model's scores.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SequenceModel {
    /// Where they come from.
    pub predictions: PredictionFacts,
    /// Over all tasks.
    pub all: SequenceScores,
    /// By program.
    pub applications: BTreeMap<String, SequenceScores>,
    /// By condition, such as a level; only where tasks have one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub conditions: BTreeMap<String, SequenceScores>,
    /// By kind of task: `workflow`, `reveal` or `across`; only where tasks say.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub kinds: BTreeMap<String, SequenceScores>,
    /// By number of steps that count.
    pub lengths: BTreeMap<u64, SequenceScores>,
    /// Steps by what their click does; only where steps say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub step_kinds: Vec<StepKindRow>,
    /// Where tasks end: steps by their place among those that count.
    pub positions: Vec<PositionRow>,
    /// Every step scored alone, by size of the target.
    pub sizes: Vec<StratumRow>,
    /// Steps that count by how they were answered, before any rule of hits: `out_of_image` if no point lies in the
    /// image.
    pub statuses: BTreeMap<String, u64>,
    /// Failing steps by class: one per task that is not completed.
    pub failures: BTreeMap<String, u64>,
    /// Steps that were hit at another place than their box, where a click is as good (`also_valid`).
    pub hits_elsewhere: u64,
}

/// Steps of a kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct StepKindRow {
    /// What the click does.
    pub step_kind: StepKind,
    /// Every step scored alone.
    pub single_step: Proportion,
    /// Of those steps that a task gets to, the ones where it fails.
    pub failed: Proportion,
}

/// Steps at a place in their tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PositionRow {
    /// Place among the steps of a task that count, from 1.
    pub position: u64,
    /// Of those tasks that get there, the ones that fail there.
    pub failed: Proportion,
}

/// Steps of a size.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct StratumRow {
    /// `small` (below 4e-4 of the image), `medium` (below 3e-3) or `large`.
    pub size: String,
    /// Every step scored alone.
    pub single_step: Proportion,
}

/// Scores of tasks by what they have in common; tasks without that are in none of the groups.
fn grouped<K: Ord>(runs: &[Run<'_>], key: impl Fn(&Run<'_>) -> Option<K>, bootstrap: Bootstrap) -> BTreeMap<K, SequenceScores> {
    let mut groups: BTreeMap<K, Vec<&Run<'_>>> = BTreeMap::new();
    for run in runs {
        if let Some(key) = key(run) {
            groups.entry(key).or_default().push(run);
        }
    }
    groups.into_iter().map(|(key, runs)| (key, scores(&runs, bootstrap))).collect()
}

/// A share of steps; steps of a task come one after another, and fall or stand together.
fn share(steps: impl Iterator<Item = (usize, bool)>, bootstrap: Bootstrap) -> Proportion {
    let mut tally = ClusterTally::default();
    steps.for_each(|(task, hit)| tally.add(task as u32, hit));
    tally.proportion(bootstrap)
}

fn step_kinds(steps: &[StepOutcome], bootstrap: Bootstrap) -> Vec<StepKindRow> {
    let row = |kind: StepKind| {
        let of_kind = || steps.iter().filter(move |step| step.kind == Some(kind));
        of_kind().next().map(|_| StepKindRow {
            step_kind: kind,
            single_step: share(of_kind().map(|step| (step.task, step.hit)), bootstrap),
            failed: share(of_kind().filter(|step| step.reached).map(|step| (step.task, !step.hit)), bootstrap),
        })
    };
    StepKind::ALL.into_iter().filter_map(row).collect()
}

fn positions(runs: &[Run<'_>], bootstrap: Bootstrap) -> Vec<PositionRow> {
    let most = runs.iter().map(|run| run.hits.len()).max().unwrap_or(0);
    let row = |at: usize| {
        let there = runs.iter().enumerate().filter(|(_, run)| at < run.hits.len() && at <= run.prefix());
        let failed = share(there.map(|(task, run)| (task, run.prefix() == at)), bootstrap);
        PositionRow { position: at as u64 + 1, failed }
    };
    (0..most).map(row).collect()
}

/// One model's scores. `said` holds an answer per step of every task, counted through all tasks in their order.
pub fn sequence_model(
    tasks: &Tasks,
    predictions: PredictionFacts,
    said: &[Option<Prediction>],
    rule: HitRule,
    bootstrap: Bootstrap,
) -> SequenceModel {
    let mut runs: Vec<Run<'_>> = Vec::new();
    let mut failures: BTreeMap<String, u64> = Failure::ALL.iter().map(|f| (f.name().to_owned(), 0)).collect();
    let mut sizes = ["small", "medium", "large"].map(|name| (name, ClusterTally::default()));
    let steps = step_outcomes(tasks, said, rule);
    for of_task in steps.chunk_by(|a, b| a.task == b.task) {
        for step in of_task {
            if let Some(failure) = step.failure.filter(|_| step.reached) {
                *failures.entry(failure.name().to_owned()).or_default() += 1;
            }
            let stratum = stratum(step.bbox, step.size);
            let tally = sizes.iter_mut().find(|(name, _)| *name == stratum).expect("one of the three strata");
            tally.1.add(runs.len() as u32, step.hit);
        }
        runs.push(Run { task: &tasks.tasks[of_task[0].task], hits: of_task.iter().map(|s| s.hit).collect() });
    }
    SequenceModel {
        predictions,
        all: scores(&runs.iter().collect::<Vec<_>>(), bootstrap),
        applications: grouped(&runs, |run| Some(run.task.application.clone()), bootstrap),
        conditions: grouped(&runs, |run| run.task.condition.clone(), bootstrap),
        kinds: grouped(&runs, |run| run.task.kind.map(TaskKind::name).map(str::to_owned), bootstrap),
        lengths: grouped(&runs, |run| Some(run.hits.len() as u64), bootstrap),
        step_kinds: step_kinds(&steps, bootstrap),
        positions: positions(&runs, bootstrap),
        sizes: sizes
            .into_iter()
            .map(|(name, tally)| StratumRow { size: name.to_owned(), single_step: tally.proportion(bootstrap) })
            .collect(),
        statuses: Status::counts(steps.iter().map(|s| s.status)),
        failures,
        hits_elsewhere: steps.iter().filter(|s| s.elsewhere).count() as u64,
    }
}

/// The report over several models, which all were asked in one way.
pub fn sequence_report(tasks: &Tasks, asked: Asked, facts: ReportFacts, models: Vec<SequenceModel>) -> SequenceReport {
    let counted = |task: &&Task| task.steps.iter().any(|s| s.bbox.is_some());
    let steps = || tasks.tasks.iter().flat_map(|t| &t.steps);
    let counting = tasks.tasks.iter().filter(counted).count() as u64;
    SequenceReport {
        facts,
        dataset: tasks.name.clone(),
        digest: tasks.digest.clone(),
        asked,
        tasks: counting,
        tasks_left_out: tasks.tasks.len() as u64 - counting,
        steps: steps().filter(|s| s.bbox.is_some()).count() as u64,
        steps_skipped: steps().filter(|s| s.bbox.is_none()).count() as u64,
        models,
    }
}
