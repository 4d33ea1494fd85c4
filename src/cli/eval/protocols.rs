//! The protocols besides click grounding: from files to reports.

use std::collections::HashMap;

use anyhow::Context;

use windesk_eval::click::{Outcome, Status, score};
use windesk_eval::confidence::{Confidence, ConfidenceReport, SharpnessOptions, confidence_model};
use windesk_eval::episode::{EpisodeReport, EpisodeTask, episode_model, read_episode_tasks, read_episodes};
use windesk_eval::icons::{IconOptions, Unit, classes_of, icon_report};
use windesk_eval::predictions::{Prediction, PredictionFacts, Question, read, read_with};
use windesk_eval::render::{present_confidence, present_episodes, present_icons, present_sequence, present_state};
use windesk_eval::sequence::{HitRule, PUBLISHED_TOLERANCE_PX, TaskOptions, read_tasks, sequence_model, sequence_report};
use windesk_eval::state::{read_states, state_model, state_report};
use windesk_eval::stats::Bootstrap;
use windesk_eval::truth::Dataset;
use windesk_eval::{DatasetFacts, ReportFacts};
use windesk_model::Error;

use super::{EvalArgs, counted, done, open_dataset, read_options, tell, tell_apart, write};
use crate::cli::Done;

/// Answers of one model: outcome, point in the image and confidence per target.
struct Answers {
    outcomes: Vec<Outcome>,
    points: Vec<Option<[f64; 2]>>,
    confidences: Vec<Confidence>,
}

fn read_answers(args: &EvalArgs, dataset: &Dataset) -> Result<Vec<(PredictionFacts, Answers)>, Error> {
    let (options, n) = (read_options(args), dataset.targets.len());
    let mut models = Vec::new();
    for path in &args.predictions {
        let mut answers =
            Answers { outcomes: vec![Outcome::MISSING; n], points: vec![None; n], confidences: vec![Confidence::default(); n] };
        let facts = read(path, dataset, &options, |received| {
            let at = received.target as usize;
            answers.outcomes[at] = score(dataset, &dataset.targets[at], &received.said);
            if let (Prediction::Points(points), Status::Answered) = (&received.said, answers.outcomes[at].status) {
                answers.points[at] = Some(points[0]);
            }
            answers.confidences[at] = Confidence::of(received.digits.as_ref(), received.token_logprobs, sharpness_options(args));
        })?;
        models.push((facts, answers));
    }
    tell_apart(models.iter_mut().map(|m| &mut m.0), &args.predictions);
    models.iter().for_each(|(facts, _)| tell(&facts.findings));
    Ok(models)
}

fn sharpness_options(args: &EvalArgs) -> SharpnessOptions {
    SharpnessOptions { norm: args.pss_norm.into(), c: args.pss_c, as_printed: args.pss_as_printed }
}

fn icon_options(args: &EvalArgs) -> Result<IconOptions, Error> {
    let tau = match (args.tau, args.tau_unit.into()) {
        (Some(tau), _) => tau,
        (None, Unit::Px) => return Err(Error::config("--tau-unit px", "expected --tau as well, in px")),
        (None, _) => IconOptions::default().tau,
    };
    Ok(IconOptions { tau, unit: args.tau_unit.into(), variant: args.variant.into() })
}

fn icon_facts(args: &EvalArgs, options: IconOptions) -> Vec<String> {
    vec![
        format!("tau={}", options.tau),
        format!("unit={:?}", options.unit).to_lowercase(),
        format!("variant={:?}", options.variant),
        "hit_test=open".to_owned(),
        counted(args).to_owned(),
    ]
}

pub(super) fn icons(args: &EvalArgs, bootstrap: Bootstrap) -> anyhow::Result<Done> {
    let options = icon_options(args)?;
    let dataset = open_dataset(args)?;
    let models = read_answers(args, &dataset)?;
    let findings = models.iter().any(|(facts, _)| !facts.findings.is_empty());
    let models: Vec<_> = models.into_iter().map(|(facts, answers)| (facts, answers.outcomes, answers.points)).collect();
    let report =
        icon_report(&dataset, ReportFacts::new("icons", icon_facts(args, options), bootstrap), &models, options, bootstrap)?;
    write(args, &report, &present_icons(&report), "")?;
    Ok(done(findings))
}

pub(super) fn confidence(args: &EvalArgs, bootstrap: Bootstrap) -> anyhow::Result<Done> {
    let (options, sharpness) = (icon_options(args)?, sharpness_options(args));
    let dataset = open_dataset(args)?;
    let mut findings = false;
    let mut scored = Vec::new();
    for (facts, answers) in read_answers(args, &dataset)? {
        findings |= !facts.findings.is_empty();
        let classes = classes_of(&dataset, &answers.points, options)?;
        scored.push(confidence_model(&dataset, facts, &classes, &answers.confidences));
    }
    if scored.iter().all(|m| m.with_digits.hits == 0 && m.with_perplexity.hits == 0) {
        return Err(Error::config(
            args.predictions[0].display(),
            "found neither `digits` nor `token_logprobs`, expected at least one of them",
        )
        .with_hint("windesk predict --logprobs records them where the server gives them")
        .into());
    }
    let mut described = icon_facts(args, options);
    described.push(format!("norm={:?}, C={}, as_printed={}", sharpness.norm, sharpness.c, sharpness.as_printed).to_lowercase());
    let facts = ReportFacts::new("confidence", described, bootstrap);
    let report = ConfidenceReport { facts, dataset: DatasetFacts::of(&dataset), models: scored };
    write(args, &report, &present_confidence(&report), "")?;
    Ok(done(findings))
}

pub(super) fn sequence(args: &EvalArgs, bootstrap: Bootstrap) -> anyhow::Result<Done> {
    let image_sizes = match &args.image_sizes {
        None => HashMap::new(),
        Some(path) => serde_json::from_str(&crate::cli::read_text(path)?)
            .with_context(|| format!("{}: expected {{\"<file stem>\": [width, height]}}", path.display()))?,
    };
    let options = TaskOptions { other_actions: args.other_actions.clone(), image_size: args.image_size, image_sizes };
    let tasks = read_tasks(&args.dataset, &options)?;
    let mut first_step: HashMap<&str, (u32, u32)> = HashMap::new();
    let mut sizes = Vec::new();
    for task in &tasks.tasks {
        first_step.insert(&task.id, (sizes.len() as u32, task.steps.len() as u32));
        sizes.extend(task.steps.iter().map(|s| s.size));
    }
    let tolerance_px = args.tolerance.unwrap_or(if args.published_code { PUBLISHED_TOLERANCE_PX } else { 0.0 });
    let mut models = Vec::new();
    let mut findings = false;
    let mut all_facts = Vec::new();
    for path in &args.predictions {
        let mut said: Vec<Option<Prediction>> = vec![None; sizes.len()];
        let resolve = |line: &windesk_eval::predictions::PredictionLine<'_>| {
            let (first, steps) = first_step.get(line.id.as_deref()?)?;
            line.step.filter(|step| step < steps).map(|step| first + step)
        };
        let facts = read_with(
            path,
            Some(&tasks.digest),
            sizes.len(),
            &read_options(args),
            resolve,
            |at| sizes[at as usize],
            |received| {
                said[received.target as usize] = Some(received.said);
            },
        )?;
        findings |= !facts.findings.is_empty();
        tell(&facts.findings);
        all_facts.push(facts);
        models.push(said);
    }
    tell_apart(all_facts.iter_mut(), &args.predictions);
    let rule = HitRule { tolerance_px };
    let scored =
        all_facts.into_iter().zip(&models).map(|(facts, said)| sequence_model(&tasks, facts, said, rule, bootstrap)).collect();
    let described = vec![
        "hit_test=closed".to_owned(),
        format!("tolerance_px={tolerance_px}"),
        format!("other_actions={:?}", args.other_actions),
    ];
    let report = sequence_report(&tasks, ReportFacts::new("sequence", described, bootstrap), scored);
    write(args, &report, &present_sequence(&report), "")?;
    Ok(done(findings))
}

pub(super) fn state(args: &EvalArgs, bootstrap: Bootstrap) -> anyhow::Result<Done> {
    let set = read_states(&args.dataset)?;
    let number: HashMap<&str, u32> = set.instances.iter().enumerate().map(|(at, i)| (i.id.as_str(), at as u32)).collect();
    let mut models = Vec::new();
    let mut all_facts = Vec::new();
    for path in &args.predictions {
        let mut said: Vec<[Option<Prediction>; 2]> = vec![[None, None]; set.instances.len()];
        let resolve = |line: &windesk_eval::predictions::PredictionLine<'_>| {
            let at = number.get(line.id.as_deref()?)?;
            Some(2 * at + u32::from(line.question? == Question::Interact))
        };
        let size_of = |at: u32| set.instances[at as usize / 2].image_size;
        let facts =
            read_with(path, Some(&set.digest), 2 * set.instances.len(), &read_options(args), resolve, size_of, |received| {
                let at = received.target as usize;
                said[at / 2][at % 2] = Some(received.said);
            })?;
        tell(&facts.findings);
        all_facts.push(facts);
        models.push(said);
    }
    tell_apart(all_facts.iter_mut(), &args.predictions);
    let findings = all_facts.iter().any(|f| !f.findings.is_empty());
    let scored = all_facts
        .into_iter()
        .zip(&models)
        .map(|(facts, said)| state_model(&set, facts, said, args.published_code, bootstrap))
        .collect();
    let described = vec!["hit_test=closed".to_owned(), format!("published_code={}", args.published_code)];
    let report = state_report(&set, ReportFacts::new("state", described, bootstrap), scored);
    write(args, &report, &present_state(&report), "")?;
    Ok(done(findings))
}

pub(super) fn episode(args: &EvalArgs, bootstrap: Bootstrap) -> anyhow::Result<Done> {
    let (tasks, traces) = if args.predictions.is_empty() {
        let episodes = read_episodes(&args.dataset)?;
        if episodes.is_empty() {
            return Err(Error::path(&args.dataset, "found no episodes, expected at least one").into());
        }
        let tasks = episodes.iter().map(|e| EpisodeTask { id: e.id.clone(), scenario: e.scenario.clone() }).collect();
        (tasks, vec![(&args.dataset, episodes)])
    } else {
        let mut traces = Vec::new();
        for path in &args.predictions {
            traces.push((path, read_episodes(path)?));
        }
        (read_episode_tasks(&args.dataset)?, traces)
    };
    let mut models = Vec::new();
    for (path, episodes) in &traces {
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let model = episode_model(&tasks, name, episodes, args.budget, bootstrap);
        if !model.unknown.is_empty() {
            let problem = format!("{} episodes of unknown tasks, such as {}", model.unknown.len(), model.unknown[0]);
            if args.strict || model.unknown.len() == episodes.len() {
                return Err(Error::path(path, format!("{problem}; expected ids of {}", args.dataset.display())).into());
            }
            eprintln!("warning: {}: {problem}", path.display());
        }
        models.push(model);
    }
    let findings = models.iter().any(|m| !m.unknown.is_empty());
    let facts = ReportFacts::new("episode", vec![format!("budget={}", args.budget)], bootstrap);
    let report = EpisodeReport { facts, tasks: tasks.len() as u64, models };
    write(args, &report, &present_episodes(&report), "")?;
    Ok(done(findings))
}
