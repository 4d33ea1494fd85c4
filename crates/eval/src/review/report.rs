//! What raters agree on: approval per level, clicks inside, Fleiss' kappa.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use super::{Question, Rating, Ratings, Task};
use crate::click::{Spread, score};
use crate::facts::{DatasetFacts, ReportFacts};
use crate::predictions::Prediction;
use crate::stats::{Bootstrap, ClusterTally, Proportion, fleiss_kappa, kappa_of_kinds};
use crate::truth::{Dataset, Name};

/// `windesk review DATASET RATINGS.. --report json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ReviewReport {
    /// What was done, and how.
    #[serde(flatten)]
    pub facts: ReportFacts,
    /// The dataset.
    pub dataset: DatasetFacts,
    /// One per file.
    pub raters: Vec<RaterFacts>,
    /// Samples that every rater rated.
    pub complete: u64,
    /// Over everything, then by condition.
    pub groups: Vec<ReviewGroup>,
}

/// A rater.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RaterFacts {
    /// Name in the file.
    pub rater: String,
    /// What was asked.
    pub task: Task,
    /// Samples rated.
    pub rated: u64,
    /// Seconds per sample, where recorded.
    pub seconds: Option<Spread>,
    /// Samples with a comment.
    pub comments: u64,
}

/// Samples of a condition, or all.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ReviewGroup {
    /// The condition; null for all of them.
    pub condition: Option<String>,
    /// Samples with a rating.
    pub samples: u64,
    /// One per question; empty if none was asked.
    pub questions: Vec<Approval>,
    /// Fleiss' kappa over all questions together: a subject is a question about a sample, and answers are for or
    /// against the sample (yes to `several_targets` is against it). Null where it is not defined.
    pub fleiss_kappa: Option<f64>,
    /// Blind clicks; null if none were asked.
    pub clicks: Option<Clicks>,
}

/// Answers to a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Approval {
    /// The question's name in the ratings.
    pub question: String,
    /// Share of yes among all answers; the bootstrap resamples samples.
    pub yes: Proportion,
    /// Share of the samples for which more than half of the raters say yes.
    pub majority_yes: Proportion,
    /// Share of the samples with two answers or more for which all say the same.
    pub unanimous: Proportion,
    /// Fleiss' kappa; null if all answers are the same, or no sample has two.
    pub fleiss_kappa: Option<f64>,
    /// Its bootstrap interval, resampled by sample.
    pub fleiss_kappa_bootstrap: Option<[f64; 2]>,
}

/// Blind clicks. Whoever found nothing to click counts as outside.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Clicks {
    /// In the target's box, border included.
    pub inside: Proportion,
    /// On a visible pixel of the target; null without masks.
    pub visible: Option<Proportion>,
    /// Answers that found nothing to click.
    pub not_found: Proportion,
    /// Samples that the majority of raters clicked.
    pub majority_inside: Proportion,
}

/// Approval, agreement and clicks of all raters.
pub fn review_report(dataset: &Dataset, facts: ReportFacts, ratings: &Ratings, bootstrap: Bootstrap) -> ReviewReport {
    let raters = ratings.files.iter().map(|file| RaterFacts {
        rater: file.rater.clone(),
        task: file.task,
        rated: file.ratings.len() as u64,
        seconds: Spread::of(file.ratings.iter().filter_map(|r| r.seconds).filter(|s| s.is_finite()).collect()),
        comments: file.ratings.iter().filter(|r| !r.comment.trim().is_empty()).count() as u64,
    });
    let all: Vec<Sample<'_>> = ratings.by_target.iter().map(|(&target, ratings)| Sample { target, ratings }).collect();
    let mut groups = vec![group(dataset, None, &all, bootstrap)];
    if dataset.conditions.len() > 1 {
        for &condition in &dataset.conditions {
            let of_it = |s: &&Sample<'_>| dataset.scene(&dataset.targets[s.target as usize]).condition == condition;
            let members: Vec<Sample<'_>> = all.iter().filter(of_it).copied().collect();
            if !members.is_empty() {
                groups.push(group(dataset, Some(condition), &members, bootstrap));
            }
        }
    }
    ReviewReport {
        facts,
        dataset: DatasetFacts::of(dataset),
        raters: raters.collect(),
        complete: all.iter().filter(|s| s.ratings.len() == ratings.files.len()).count() as u64,
        groups,
    }
}

/// A target and all its ratings.
#[derive(Clone, Copy)]
struct Sample<'a> {
    target: u32,
    ratings: &'a [Rating],
}

impl Sample<'_> {
    /// How many say yes, and how many no.
    fn answers(&self, question: Question) -> [u32; 2] {
        let count = |answer: bool| self.ratings.iter().filter(|r| r.answer(question) == Some(answer)).count() as u32;
        [count(true), count(false)]
    }
}

fn group(dataset: &Dataset, condition: Option<Name>, samples: &[Sample<'_>], bootstrap: Bootstrap) -> ReviewGroup {
    let questions: Vec<Approval> = Question::ALL.into_iter().filter_map(|q| approval(samples, q, bootstrap)).collect();
    // As yes and no, questions that nearly all answer with yes and one that nearly all answer with no would feign
    // agreement.
    let for_and_against = |sample: &Sample<'_>, question: Question| {
        let [yes, no] = sample.answers(question);
        if question.yes_is_good() { [yes, no] } else { [no, yes] }
    };
    let subjects: Vec<[u32; 2]> =
        Question::ALL.into_iter().flat_map(|q| samples.iter().map(move |s| for_and_against(s, q))).collect();
    ReviewGroup {
        condition: condition.map(|name| dataset.names.text(name).to_owned()),
        samples: samples.len() as u64,
        questions,
        fleiss_kappa: fleiss_kappa(&subjects),
        clicks: clicks(dataset, samples, bootstrap),
    }
}

/// `None` if nobody answered the question.
fn approval(samples: &[Sample<'_>], question: Question, bootstrap: Bootstrap) -> Option<Approval> {
    let mut yes = ClusterTally::default();
    let mut kinds: BTreeMap<[u32; 2], u64> = BTreeMap::new();
    for sample in samples {
        let [said_yes, said_no] = sample.answers(question);
        (0..said_yes).for_each(|_| yes.add(sample.target, true));
        (0..said_no).for_each(|_| yes.add(sample.target, false));
        *kinds.entry([said_yes, said_no]).or_default() += u64::from(said_yes + said_no > 0);
    }
    let count = |fits: fn(u32, u32) -> bool| kinds.iter().filter(|([y, n], _)| fits(*y, *n)).map(|(_, count)| count).sum::<u64>();
    let answered = count(|y, n| y + n > 0);
    let kinds: Vec<([u32; 2], u64)> = kinds.iter().map(|(k, c)| (*k, *c)).collect();
    let counts: Vec<u64> = kinds.iter().map(|(_, count)| *count).collect();
    let resampled =
        |drawn: &[u64]| kappa_of_kinds(&kinds.iter().zip(drawn).map(|((kind, _), &n)| (*kind, n)).collect::<Vec<_>>());
    (answered > 0).then(|| Approval {
        question: question.name().to_owned(),
        yes: yes.proportion(bootstrap),
        majority_yes: Proportion::plain(count(|y, n| y > n), answered),
        unanimous: Proportion::plain(count(|y, n| y + n > 1 && (y == 0 || n == 0)), count(|y, n| y + n > 1)),
        fleiss_kappa: kappa_of_kinds(&kinds),
        fleiss_kappa_bootstrap: bootstrap.interval(&counts, resampled),
    })
}

/// `None` if nobody was asked to click.
fn clicks(dataset: &Dataset, samples: &[Sample<'_>], bootstrap: Bootstrap) -> Option<Clicks> {
    let [mut inside, mut visible, mut not_found] = [(); 3].map(|()| ClusterTally::default());
    let (mut asked, mut majorities, mut masks) = (0, 0, false);
    for sample in samples {
        let target = &dataset.targets[sample.target as usize];
        let answers: Vec<Option<[f64; 2]>> =
            sample.ratings.iter().filter(|r| r.click.is_some() || r.not_found).map(|r| r.click).collect();
        let mut hits = 0;
        for answer in &answers {
            let outcome = answer.map(|point| score(dataset, target, &Prediction::Points(vec![point])));
            let hit = outcome.is_some_and(|o| o.click);
            hits += usize::from(hit);
            inside.add(sample.target, hit);
            visible.add(sample.target, outcome.is_some_and(|o| o.visible == Some(true)));
            not_found.add(sample.target, answer.is_none());
        }
        asked += u64::from(!answers.is_empty());
        majorities += u64::from(2 * hits > answers.len());
        masks |= target.has_mask();
    }
    (asked > 0).then(|| Clicks {
        inside: inside.proportion(bootstrap),
        visible: masks.then(|| visible.proportion(bootstrap)),
        not_found: not_found.proportion(bootstrap),
        majority_inside: Proportion::plain(majorities, asked),
    })
}
