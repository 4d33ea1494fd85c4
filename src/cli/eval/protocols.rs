//! The protocols besides click grounding and sequences: from files to reports.

use clap::ValueEnum;

use windesk_eval::click::{Outcome, Status, score};
use windesk_eval::confidence::{Confidence, ConfidenceReport, SharpnessOptions, confidence_model};
use windesk_eval::episode::{EpisodeReport, EpisodeTask, episode_model, read_episode_tasks, read_episodes};
use windesk_eval::icons::{IconOptions, Unit, classes_of, icon_report};
use windesk_eval::outcomes::{TargetAnswers, episode_lines, state_lines, target_lines, write_lines};
use windesk_eval::predictions::{Prediction, PredictionFacts, read};
use windesk_eval::render::{present_confidence, present_episodes, present_icons, present_state};
use windesk_eval::state::{PUBLISHED_SCRIPT, read_states, state_model, state_report};
use windesk_eval::state_answers::read_state_answers;
use windesk_eval::stats::Bootstrap;
use windesk_eval::truth::Dataset;
use windesk_eval::{DatasetFacts, ReportFacts};
use windesk_model::{Error, escape};

use super::{EvalArgs, counted, done, kept_answers, open_dataset, read_options, tell, tell_apart, write};
use crate::cli::Done;

/// Answers of one model: outcome, point in the image and confidence per target.
struct Answers {
    outcomes: Vec<Outcome>,
    points: Vec<Option<[f64; 2]>>,
    confidences: Vec<Confidence>,
    /// Only where `--outcomes` shows them.
    said: Vec<Option<Prediction>>,
}

fn read_answers(args: &EvalArgs, dataset: &Dataset) -> Result<Vec<(PredictionFacts, Answers)>, Error> {
    let (options, n) = (read_options(args), dataset.targets.len());
    let mut models = Vec::new();
    for path in &args.predictions {
        let mut answers = Answers {
            outcomes: vec![Outcome::MISSING; n],
            points: vec![None; n],
            confidences: vec![Confidence::default(); n],
            said: kept_answers(args, n),
        };
        let facts = read(path, dataset, &options, |received| {
            let at = received.target as usize;
            answers.outcomes[at] = score(dataset, &dataset.targets[at], &received.said);
            if let (Prediction::Points(points), Status::Answered) = (&received.said, answers.outcomes[at].status) {
                answers.points[at] = Some(points[0]);
            }
            answers.confidences[at] = Confidence::of(received.digits.as_ref(), received.token_logprobs, sharpness_options(args));
            if let Some(said) = answers.said.get_mut(at) {
                *said = Some(received.said);
            }
        })?;
        models.push((facts, answers));
    }
    tell_apart(models.iter_mut().map(|m| &mut m.0), &args.predictions);
    models.iter().for_each(|(facts, _)| tell(&facts.findings));
    Ok(models)
}

/// Writes what became of every answer, if that is asked for.
fn write_outcomes(
    args: &EvalArgs,
    dataset: &Dataset,
    models: &[(PredictionFacts, Answers)],
    options: IconOptions,
    confidences: bool,
) -> Result<(), Error> {
    let Some(path) = &args.outcomes else { return Ok(()) };
    let mut classes = Vec::new();
    for (_, answers) in models {
        classes.push(classes_of(dataset, &answers.points, options)?);
    }
    let all = models.iter().zip(&classes).flat_map(|((facts, answers), classes)| {
        let of = TargetAnswers {
            model: &facts.model,
            refusals_allowed: facts.refusals_allowed,
            outcomes: &answers.outcomes,
            said: &answers.said,
            classes: Some(classes),
            confidences: confidences.then_some(&answers.confidences),
        };
        target_lines(dataset, of)
    });
    write_lines(path, all)
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
        format!("variant={}", args.variant.to_possible_value().expect("no variant is hidden").get_name()),
        "hit_test=open".to_owned(),
        counted(args).to_owned(),
    ]
}

pub(super) fn icons(args: &EvalArgs, bootstrap: Bootstrap) -> anyhow::Result<Done> {
    let options = icon_options(args)?;
    let dataset = open_dataset(args)?;
    let models = read_answers(args, &dataset)?;
    write_outcomes(args, &dataset, &models, options, false)?;
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
    let models = read_answers(args, &dataset)?;
    write_outcomes(args, &dataset, &models, options, true)?;
    let mut findings = false;
    let mut scored = Vec::new();
    for (facts, answers) in models {
        findings |= !facts.findings.is_empty();
        let classes = classes_of(&dataset, &answers.points, options)?;
        scored.push(confidence_model(&dataset, facts, &answers.outcomes, &classes, &answers.confidences));
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

pub(super) fn state(args: &EvalArgs, bootstrap: Bootstrap) -> anyhow::Result<Done> {
    let set = read_states(&args.dataset)?;
    let published_code = match args.published_code.as_deref() {
        None => false,
        Some(name) if PUBLISHED_SCRIPT.trim_end_matches(".py").eq_ignore_ascii_case(name.trim_end_matches(".py")) => true,
        Some(name) => {
            let problem = format!("found `{name}`, expected {PUBLISHED_SCRIPT}, the one script that scores states");
            return Err(Error::config("option `published_code`", problem).into());
        }
    };
    let mut models = Vec::new();
    let mut all_facts = Vec::new();
    for path in &args.predictions {
        let (facts, said) = read_state_answers(&set, path, &read_options(args))?;
        tell(&facts.findings);
        all_facts.push(facts);
        models.push(said);
    }
    tell_apart(all_facts.iter_mut(), &args.predictions);
    if let Some(path) = &args.outcomes {
        let all = all_facts.iter().zip(&models);
        write_lines(path, all.flat_map(|(facts, said)| state_lines(&set, &facts.model, said, published_code)))?;
    }
    let findings = all_facts.iter().any(|f| !f.findings.is_empty());
    let scored = all_facts
        .into_iter()
        .zip(&models)
        .map(|(facts, said)| state_model(&set, facts, said, published_code, bootstrap))
        .collect();
    let described =
        vec!["hit_test=closed".to_owned(), format!("published_code={}", if published_code { PUBLISHED_SCRIPT } else { "none" })];
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
            tell!("warning: {}: {}", path.display(), escape::terminal(&problem));
        }
        if let Some(first) = model.missing.first() {
            let problem = format!("{} of {} tasks without an episode, such as {first}", model.missing.len(), tasks.len());
            if args.strict {
                return Err(Error::path(path, problem).with_hint("--strict makes findings errors").into());
            }
            tell!("warning: {}: {}", path.display(), escape::terminal(&problem));
        }
        models.push(model);
    }
    if let Some(path) = &args.outcomes {
        let all = models.iter().zip(&traces);
        write_lines(path, all.flat_map(|(model, (_, episodes))| episode_lines(&tasks, &model.model, episodes, args.budget)))?;
    }
    let findings = models.iter().any(|m| !m.unknown.is_empty() || !m.missing.is_empty());
    let facts = ReportFacts::new("episode", vec![format!("budget={}", args.budget)], bootstrap);
    let report = EpisodeReport { facts, tasks: tasks.len() as u64, models };
    write(args, &report, &present_episodes(&report), "")?;
    Ok(done(findings))
}
