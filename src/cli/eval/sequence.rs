//! The sequence protocol: from files to a report.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::Context;

use windesk_eval::ReportFacts;
use windesk_eval::asked::Asked;
use windesk_eval::outcomes::{step_lines, write_lines};
use windesk_eval::predictions::{Found, Prediction, PredictionFacts, PredictionLine, Questions, read_with};
use windesk_eval::render::present_sequence;
use windesk_eval::sequence::{HitRule, Patch, Script, TaskOptions, read_tasks, sequence_model, sequence_report, step_outcomes};
use windesk_eval::stats::Bootstrap;
use windesk_model::Error;

use super::{EvalArgs, done, read_options, tell, tell_apart, write};
use crate::cli::Done;

/// Runs `windesk eval --protocol sequence`.
pub(super) fn run(args: &EvalArgs, bootstrap: Bootstrap) -> anyhow::Result<Done> {
    let image_sizes = match &args.image_sizes {
        None => HashMap::new(),
        Some(path) => serde_json::from_str(&crate::cli::read_text(path)?)
            .with_context(|| format!("{}: expected {{\"<file stem>\": [width, height]}}", path.display()))?,
    };
    let script = args.published_code.as_deref().map(Script::named).transpose()?;
    let rule = script.map_or_else(
        || {
            let patch = args.tolerance.map_or_else(Patch::default, Patch::Px);
            HitRule { patch, also_valid: true, ..HitRule::default() }
        },
        |script| script.rule,
    );
    let mut other_actions = args.other_actions.clone();
    if script.is_some_and(|script| script.counts_drags) {
        other_actions.extend(["double_click", "drag"].map(str::to_owned));
    }
    let options = TaskOptions { other_actions, image_size: args.image_size, image_sizes };
    let tasks = read_tasks(&args.dataset, &options)?;
    let mut first_step: HashMap<&str, (u32, u32)> = HashMap::new();
    let mut sizes = Vec::new();
    for task in &tasks.tasks {
        first_step.insert(&task.id, (sizes.len() as u32, task.steps.len() as u32));
        sizes.extend(task.steps.iter().map(|s| s.size));
    }
    let mut models = Vec::new();
    let mut findings = false;
    let mut all_facts = Vec::new();
    let resolve = |line: &PredictionLine<'_>| {
        let id = line.id.as_deref().unwrap_or_default();
        let Some(&(first, steps)) = first_step.get(id) else { return Ok(Found::Unknown(id.to_owned())) };
        let step =
            line.step.ok_or_else(|| format!("no `step`, expected a step of the task {id}: 0 to {}", steps.saturating_sub(1)))?;
        Ok(if step < steps { Found::Question(first + step) } else { Found::Unknown(format!("{id}, step {step} of {steps}")) })
    };
    let names: Vec<Option<String>> = tasks
        .tasks
        .iter()
        .flat_map(|t| t.steps.iter().enumerate().map(|(at, s)| s.bbox.map(|_| format!("{}, step {at}", t.id))))
        .collect();
    let questions = Questions {
        digest: &tasks.digest,
        benchmark: None,
        count: sizes.len(),
        example: tasks.tasks.first().map_or("", |task| &task.id),
        resolve: &resolve,
        takes_drag: |_| false,
        size_of: &|at| sizes[at as usize],
        scored: &|at, _| names[at as usize].clone(),
    };
    for path in &args.predictions {
        let mut said: Vec<Option<Prediction>> = vec![None; sizes.len()];
        let facts = read_with(path, questions, &read_options(args), |received| {
            said[received.target as usize] = Some(received.said);
        })?;
        findings |= !facts.findings.is_empty();
        tell(&facts.findings);
        all_facts.push(facts);
        models.push(said);
    }
    let asked = asked(args, &all_facts)?;
    tell_apart(all_facts.iter_mut(), &args.predictions);
    if let Some(path) = &args.outcomes {
        let steps: Vec<_> = models.iter().map(|said| step_outcomes(&tasks, said, rule)).collect();
        let all = all_facts.iter().zip(&steps).zip(&models);
        write_lines(path, all.flat_map(|((facts, steps), said)| step_lines(&tasks, &facts.model, steps, said, rule)))?;
    }
    let scored =
        all_facts.into_iter().zip(&models).map(|(facts, said)| sequence_model(&tasks, facts, said, rule, bootstrap)).collect();
    let described = vec![
        format!("asked={asked}"),
        format!("also_valid={}", rule.also_valid),
        "hit_test=closed".to_owned(),
        match script {
            Some(script) => format!("published_code={}", script.file),
            None => format!("tolerance_px={}", args.tolerance.unwrap_or(0.0)),
        },
        format!("other_actions={:?}", options.other_actions),
    ];
    let report = sequence_report(&tasks, asked, ReportFacts::new("sequence", described, bootstrap), scored);
    write(args, &report, &present_sequence(&report), "")?;
    Ok(done(findings))
}

/// How all models were asked: as their files say, or as the command line says for files that do not.
fn asked(args: &EvalArgs, models: &[PredictionFacts]) -> Result<Asked, Error> {
    let given = args.asked.map(Asked::from);
    let hint = "scores of two ways of asking are never pooled: score each with a command of its own";
    let mut first: Option<(&PathBuf, Asked)> = None;
    for (path, facts) in args.predictions.iter().zip(models) {
        let own = match (facts.header.asked, given) {
            (Some(own), Some(given)) if own != given => {
                let problem = format!("found predictions that were asked `{own}`, expected `{given}` as in --asked");
                return Err(Error::path(path, problem).with_hint(hint));
            }
            (own, given) => own.or(given).unwrap_or_default(),
        };
        let (of, expected) = *first.get_or_insert((path, own));
        if own != expected {
            let stated = if facts.header.asked.or(given).is_none() { ", as the header does not say" } else { "" };
            let problem =
                format!("found predictions that were asked `{own}`{stated}, expected `{expected}` as in {}", of.display());
            return Err(Error::path(path, problem).with_hint(hint));
        }
    }
    Ok(first.map_or_else(Asked::default, |(_, asked)| asked))
}
