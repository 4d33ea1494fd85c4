//! One line for every question and model: what was answered, and what became of it (`windesk eval --outcomes`). Nothing
//! here scores; lines show what the reports count.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_files::write_named_with;
use windesk_model::{Error, escape};

use crate::click::{Outcome, Scored, Status, three_class};
use crate::confidence::Confidence;
use crate::episode::{Episode, EpisodeTask};
use crate::icons::Class;
use crate::predictions::{Prediction, Question};
use crate::sequence::{HitRule, StepOutcome, Tasks};
use crate::state::{StateSet, state_marks};
use crate::truth::{Dataset, Kind};

/// What became of one question. Keys that a protocol does not know are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OutcomeLine<'a> {
    /// Id of the target, task, instance or episode.
    pub id: Cow<'a, str>,
    /// sequence: number of the step in its task, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// state: which question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// The model's name, as in the report.
    pub model: Cow<'a, str>,
    /// Whether the shares of the report count it; absent and additional targets they don't, nor those that only a drag
    /// sets.
    pub counts: bool,
    /// The answer as it was read: points in px of the image, best first; of a drag, from where to where. Null without
    /// any.
    pub answer: Option<Vec<[f64; 2]>>,
    /// Whether it is right: in the box (click, icons, confidence, state) or by the rule of hits (sequence), an absent
    /// target refused, an episode a strict success. Null for absent targets where refusals are not scored,
    /// and for targets that only a drag sets.
    pub hit: Option<bool>,
    /// click, icons, confidence: whether a visible pixel of the target is hit; null without masks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visible_hit: Option<bool>,
    /// state: whether the core of the current state is hit (locate), or the click or drag sets the target state exactly
    /// (interact).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<bool>,
    /// sequence: whether all steps before it are hit, so that a task gets here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<bool>,
    /// How far the click is from the box, of several points that count the nearest; null without a click in the image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distances: Option<OutcomeDistances>,
    /// What was hit, as in `wrong_clicks`; for sequences `also_valid` where it was another place that is as good.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<Cow<'a, str>>,
    /// Class of the response (icons, confidence, and click for one box per image) or of the failure (sequence,
    /// episode).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Cow<'a, str>>,
    /// Why there is no click in the image: `no_prediction`, `wrong_format`, `out_of_image` or `refused`; null if there
    /// is one.
    pub reason: Option<Cow<'a, str>>,
    /// confidence: peak sharpness of the key digits of x and y, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sharpness: Option<[Option<f64>; 2]>,
    /// confidence: perplexity of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perplexity: Option<f64>,
    /// episode: the reward.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reward: Option<f64>,
    /// episode: steps that were taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
}

/// How far a click is from a box.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OutcomeDistances {
    /// To the nearest point of the box, px.
    pub box_px: f64,
    /// To the middle of the box, px.
    pub centre_px: f64,
    /// To the nearest point of the box, with both sides of the image as 1.
    pub box_norm: f64,
}

fn points(said: Option<&Prediction>) -> Option<Vec<[f64; 2]>> {
    match said {
        Some(Prediction::Points(points)) => Some(points.clone()),
        Some(Prediction::Drag(ends)) => Some(ends.to_vec()),
        _ => None,
    }
}

/// Distances of the nearest of the points that lie in the image.
fn distances(bbox: [f64; 4], size: [u32; 2], answer: Option<&[[f64; 2]]>) -> Option<OutcomeDistances> {
    let inside = answer?.iter().filter(|&&p| crate::geometry::in_image(size, p));
    let all = inside.map(|&p| Scored::of(bbox, p, size));
    let nearest = all.min_by(|a, b| a.box_px.total_cmp(&b.box_px).then(a.centre_px.total_cmp(&b.centre_px)))?;
    Some(OutcomeDistances { box_px: nearest.box_px, centre_px: nearest.centre_px, box_norm: nearest.box_norm() })
}

fn reason(status: Status) -> Option<Cow<'static, str>> {
    (status != Status::Answered).then(|| status.name().into())
}

/// What one model answered to the targets of a dataset, in their order.
#[derive(Clone, Copy, Debug)]
pub struct TargetAnswers<'a> {
    /// The model's name.
    pub model: &'a str,
    /// Whether refusals are scored.
    pub refusals_allowed: bool,
    /// What became of the answers.
    pub outcomes: &'a [Outcome],
    /// The answers.
    pub said: &'a [Option<Prediction>],
    /// Classes of responses, in the protocols icons and confidence.
    pub classes: Option<&'a [Option<Class>]>,
    /// Confidences, in the protocol confidence.
    pub confidences: Option<&'a [Confidence]>,
}

/// Lines of the protocols click, icons and confidence.
pub fn target_lines<'a>(dataset: &'a Dataset, of: TargetAnswers<'a>) -> impl Iterator<Item = OutcomeLine<'a>> {
    dataset.targets.iter().enumerate().map(move |(at, target)| {
        let outcome = &of.outcomes[at];
        let answer = points(of.said[at].as_ref());
        let first = answer.as_ref().map(|points| &points[..1]);
        let class = match of.classes {
            Some(classes) => classes[at].map(Class::name),
            None if dataset.kind == Kind::Boxes => target.is_there().then(|| three_class(dataset, of.outcomes, at as u32)),
            None => None,
        };
        let confidence = of.confidences.map(|all| all[at]);
        OutcomeLine {
            id: dataset.id(target).into(),
            model: of.model.into(),
            counts: target.counts(),
            hit: match target.is_there() {
                true => target.takes_clicks().then_some(outcome.click),
                false => of.refusals_allowed.then_some(outcome.status == Status::Refused),
            },
            visible_hit: outcome.visible.filter(|_| target.takes_clicks()),
            distances: target.bbox().and_then(|bbox| distances(bbox, dataset.scene(target).size, first)),
            on: outcome.hit.map(|hit| hit.name().into()),
            class: class.map(Cow::from),
            reason: reason(outcome.status),
            sharpness: confidence
                .map(|c| c.digits.map(|d| d.map(|(sharpness, _)| sharpness)))
                .filter(|xy| xy.iter().any(Option::is_some)),
            perplexity: confidence.and_then(|c| c.perplexity),
            answer,
            ..OutcomeLine::default()
        }
    })
}

/// Lines of the protocol sequence: one for every step that counts. `rule` is the one that the steps were judged by.
pub fn step_lines<'a>(
    tasks: &'a Tasks,
    model: &'a str,
    steps: &'a [StepOutcome],
    said: &'a [Option<Prediction>],
    rule: HitRule,
) -> impl Iterator<Item = OutcomeLine<'a>> {
    steps.iter().map(move |step| {
        let answer = points(said[step.at].as_ref());
        let counted = answer.as_deref().map(|points| if rule.first_only { &points[..1] } else { points });
        OutcomeLine {
            id: tasks.tasks[step.task].id.as_str().into(),
            step: Some(step.step as u32),
            model: model.into(),
            counts: true,
            hit: Some(step.hit),
            reached: Some(step.reached),
            distances: distances(step.bbox, step.size, counted),
            on: step.elsewhere.then(|| "also_valid".into()),
            class: step.failure.map(|failure| failure.name().into()),
            reason: reason(step.status),
            answer,
            ..OutcomeLine::default()
        }
    })
}

/// Lines of the protocol state: two for every instance.
pub fn state_lines<'a>(
    set: &'a StateSet,
    model: &'a str,
    said: &'a [[Option<Prediction>; 2]],
    published_code: bool,
) -> impl Iterator<Item = OutcomeLine<'a>> {
    set.instances.iter().zip(said).flat_map(move |(instance, answers)| {
        let marks = state_marks(instance, answers, published_code);
        let rows = [(Question::Locate, marks.loc, marks.exact_loc), (Question::Interact, marks.int, marks.exact_int)];
        rows.into_iter().zip(answers).map(move |((question, hit, exact), said)| {
            let answer = points(said.as_ref());
            OutcomeLine {
                id: instance.id.as_str().into(),
                question: Some(question),
                model: model.into(),
                counts: true,
                hit: Some(hit),
                exact: Some(exact),
                distances: distances(instance.control_bbox, instance.image_size, answer.as_ref().map(|points| &points[..1])),
                reason: reason(Status::of(said.as_ref(), instance.image_size, true)),
                answer,
                ..OutcomeLine::default()
            }
        })
    })
}

/// Lines of the protocol episode: one for every task.
pub fn episode_lines<'a>(
    tasks: &'a [EpisodeTask],
    model: &'a str,
    episodes: &'a [Episode],
    budget: u32,
) -> impl Iterator<Item = OutcomeLine<'a>> {
    let by_id: HashMap<&str, &Episode> = episodes.iter().map(|e| (e.id.as_str(), e)).collect();
    tasks.iter().map(move |task| {
        let run = by_id.get(task.id.as_str()).copied();
        let success = run.is_some_and(Episode::strict_success);
        OutcomeLine {
            id: task.id.as_str().into(),
            model: model.into(),
            counts: true,
            hit: Some(success),
            class: (!success).then(|| crate::episode::failure_bucket(run, budget).name().into()),
            reason: run.is_none().then(|| Status::NoPrediction.name().into()),
            reward: run.map(Episode::reward),
            steps: run.map(|e| e.steps() as u64),
            ..OutcomeLine::default()
        }
    })
}

/// Writes lines to an output that the user named.
///
/// # Errors
/// If the file can't be written.
pub fn write_lines<'a>(path: &Path, lines: impl Iterator<Item = OutcomeLine<'a>>) -> Result<(), Error> {
    write_named_with(path, |out: &mut dyn Write| {
        for line in lines {
            let text = serde_json::to_string(&line).expect("plain data");
            out.write_all(escape::json(&text).as_bytes()).and_then(|()| out.write_all(b"\n")).map_err(|e| Error::io(path, e))?;
        }
        Ok(())
    })
}
