//! Reads predictions: JSONL, one answer per line, as `docs/evaluation.md` describes it.

use std::borrow::Cow;
use std::io::BufReader;
use std::path::Path;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use windesk_files::open_named;
use windesk_model::Error;
use windesk_model::plural::counted;

use super::truth::{BenchmarkFacts, Dataset};
use crate::asked::Asked;
use crate::exact;
use crate::lines;
use crate::parse::{self, Convention, Reason, Scale};
use crate::results;

/// The first line of a prediction file may be `{"header": {..}}`: what all lines share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Digest of the dataset that was asked, as reports name it. Another dataset is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dataset_digest: Option<String>,
    /// The benchmark that was asked, as `<name>/<part>`. Another one is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub benchmark: Option<String>,
    /// The model's name; else the file's name is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Name of the prompt template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// The prompt, with `{instruction}` in place of the instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Convention of points and outputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coords: Option<String>,
    /// Whether the prompt allowed a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusals: Option<bool>,
    /// For sequences: how the steps were asked for. Ways are never pooled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
    /// For sequences: most keyframes of earlier steps that were sent with a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history_images: Option<u32>,
    /// For states: whose answers were told as hints; left out where the dataset's own were, or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hints: Option<String>,
}

/// A line of a prediction file. Exactly one of `point`, `points`, `box`, `drag`, `refusal` and `output` says the
/// answer; without any there is no prediction. Other keys are refused: a mistyped one would make every answer wrong in
/// silence.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PredictionLine<'a> {
    /// Only in the first line, and alone there.
    pub header: Option<Header>,
    /// Target by id.
    #[serde(borrow, default)]
    pub id: Option<Cow<'a, str>>,
    /// `[x, y]`.
    pub point: Option<Vec<Option<f64>>>,
    /// Candidates, best first.
    pub points: Option<Vec<Vec<Option<f64>>>>,
    /// `[x0, y0, x1, y1]`; its centre is the click.
    #[serde(rename = "box")]
    pub bbox: Option<Vec<Option<f64>>>,
    /// For states: `[[x, y], [x, y]]`, from where to where the pointer is dragged.
    pub drag: Option<Vec<Vec<Option<f64>>>>,
    /// The model says that the target is not there.
    pub refusal: Option<bool>,
    /// Raw text of the model, read by the convention.
    #[serde(borrow, default)]
    pub output: Option<Cow<'a, str>>,
    /// Convention of this line; else the header's, else the command line's, else px of the image.
    #[serde(borrow, default)]
    pub coords: Option<Cow<'a, str>>,
    /// Logits of the key digits.
    pub digits: Option<Digits>,
    /// Log-probabilities of all output tokens.
    pub token_logprobs: Option<Vec<f64>>,
    /// Step of a sequence, from 0.
    pub step: Option<u32>,
    /// Which question of a state instance is answered.
    pub question: Option<Question>,
    /// Not read: the answer as `predict` read it, for people.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    pub parsed: Option<IgnoredAny>,
    /// Not read: why `predict` found no point.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    pub reason: Option<IgnoredAny>,
    /// Not read: the prompt that was sent.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    pub prompt: Option<IgnoredAny>,
    /// Not read: why the server ended its answer.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    pub finish_reason: Option<IgnoredAny>,
    /// Not read: how long the answer took.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    pub latency_ms: Option<IgnoredAny>,
    /// Not read: how often the question was sent.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    pub attempts: Option<IgnoredAny>,
    /// Not read: whatever else is to be kept with the line.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Value"))]
    pub extra: Option<IgnoredAny>,
}

/// Logits of the tokens `0` to `9` at the digit that decides a coordinate. Null where a server's top-k left the digit
/// out; all null where the coordinate has no such digit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Digits {
    /// For x.
    pub x: Vec<Option<f64>>,
    /// For y.
    pub y: Vec<Option<f64>>,
}

/// The two questions about a control whose state is to be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Question {
    /// Where is the control?
    Locate,
    /// Where to act on it?
    Interact,
}

impl Question {
    /// Its place among the two.
    pub fn number(self) -> u32 {
        match self {
            Self::Locate => 0,
            Self::Interact => 1,
        }
    }
}

/// What a model said about a target.
#[derive(Clone, Debug, PartialEq)]
pub enum Prediction {
    /// Points in px of the image, best first, at least one, all finite.
    Points(Vec<[f64; 2]>),
    /// From where to where the pointer is dragged, px of the image, all finite. Answers states only.
    Drag([[f64; 2]; 2]),
    /// The target is not there.
    Refusal,
    /// There is a line without an answer.
    Nothing,
    /// An answer that can't be read.
    WrongFormat,
}

/// How to read predictions.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Convention where neither line nor header says.
    pub coords: Option<Convention>,
    /// Whether the prompt allowed refusals, where the header does not say.
    pub refusals: bool,
    /// Whether findings are errors.
    pub strict: bool,
    /// Whether additional targets of scenes must be answered too.
    pub further: bool,
}

/// Something odd, how often, and where first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Finding {
    /// What it is: `unknown_id`, `duplicate`, `other_scale` and `no_answer` are about lines, `missing` is about targets
    /// that no line answers.
    pub kind: String,
    /// How many lines, or how many targets.
    pub count: u64,
    /// The first few: `line N: ..`, or ids.
    pub examples: Vec<String>,
}

/// What is known of a file of predictions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PredictionFacts {
    /// The model's name.
    pub model: String,
    /// Lines with predictions.
    pub lines: u64,
    /// Convention that points were read by; `mixed` if lines differ.
    pub coords: String,
    /// The file's header.
    pub header: Header,
    /// Whether refusals are scored.
    pub refusals_allowed: bool,
    /// What was odd.
    pub findings: Vec<Finding>,
}

const EXAMPLES: usize = 5;

/// A line that answers a target.
#[derive(Debug)]
pub struct Received<'a> {
    /// Index of the target, or of whatever `resolve` found.
    pub target: u32,
    /// Line number, from 1.
    pub line: u64,
    /// The answer.
    pub said: Prediction,
    /// Logits of the key digits.
    pub digits: Option<Digits>,
    /// Log-probabilities of all output tokens.
    pub token_logprobs: Option<&'a [f64]>,
}

/// What a line answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The question with this number.
    Question(u32),
    /// Nothing that is asked: what it names.
    Unknown(String),
}

/// The questions that a dataset asks, numbered from 0.
#[derive(Clone, Copy)]
pub struct Questions<'a> {
    /// Digest of the dataset.
    pub digest: &'a str,
    /// The benchmark that it is of, as `<name>/<part>`; null for most.
    pub benchmark: Option<&'a str>,
    /// How many there are.
    pub count: usize,
    /// An id that a line may have, to be shown where none fits.
    pub example: &'a str,
    /// The question that a line answers; an error if the line does not say which.
    pub resolve: &'a dyn Fn(&PredictionLine<'_>) -> Result<Found, String>,
    /// Whether a question may be answered by a drag; elsewhere one is an answer that can't be read.
    pub takes_drag: fn(u32) -> bool,
    /// Size of a question's image.
    pub size_of: &'a dyn Fn(u32) -> [u32; 2],
    /// Name of a question that is scored, given whether refusals are; `None` for one that needs no answer.
    pub scored: &'a dyn Fn(u32, bool) -> Option<String>,
}

/// Reads a file of predictions for a dataset and hands every first answer of a target to `each`. A `.json` file is a
/// result file of ScreenSpot-Pro.
///
/// # Errors
/// If a line is no prediction, if all ids are unknown or the header names another dataset, or, with `strict`, at a
/// finding.
pub fn read(
    path: &Path,
    dataset: &Dataset,
    options: &ReadOptions,
    each: impl FnMut(Received<'_>),
) -> Result<PredictionFacts, Error> {
    let resolve = |line: &PredictionLine<'_>| {
        let id = line.id.as_deref().unwrap_or_default();
        Ok(dataset.target_called(id).map_or_else(|| Found::Unknown(id.to_owned()), Found::Question))
    };
    let size_of = |target: u32| dataset.scene(&dataset.targets[target as usize]).size;
    let scored = |target: u32, refusals: bool| {
        let target = &dataset.targets[target as usize];
        let asked = if target.is_there() { !target.only_dragged && (options.further || !target.further) } else { refusals };
        asked.then(|| dataset.id(target).to_owned())
    };
    let benchmark = dataset.benchmark.as_ref().map(BenchmarkFacts::path);
    let questions = Questions {
        digest: &dataset.digest,
        benchmark: benchmark.as_deref(),
        count: dataset.targets.len(),
        example: dataset.targets.first().map_or("", |target| dataset.id(target)),
        resolve: &resolve,
        takes_drag: |_| false,
        size_of: &size_of,
        scored: &scored,
    };
    read_with(path, questions, options, each)
}

/// As [`read`], for questions that are found in other ways.
///
/// # Errors
/// As [`read`].
pub fn read_with(
    path: &Path,
    questions: Questions<'_>,
    options: &ReadOptions,
    each: impl FnMut(Received<'_>),
) -> Result<PredictionFacts, Error> {
    let mut intake = Intake::new(path, questions, options, each);
    if path.extension().is_some_and(|extension| extension == "json") {
        // Clicks of such a file are px of the image, whatever the model wrote.
        for (at, detail) in results::read(path)?.into_iter().enumerate() {
            let point = Some(detail.pred.unwrap_or_default());
            let (id, coords) = (Some(detail.id.into()), Some("px".into()));
            intake.take(at as u64 + 1, PredictionLine { id, point, coords, ..PredictionLine::default() })?;
        }
    } else {
        let file = open_named(path)?;
        let mut reader = BufReader::with_capacity(1 << 18, file);
        let mut buffer = Vec::new();
        for number in 1.. {
            buffer.clear();
            if !lines::next_line(&mut reader, &mut buffer, path, number)? {
                break;
            }
            if !buffer.trim_ascii().is_empty() {
                let expected = "a prediction such as {\"id\": \"..\", \"point\": [x, y]}";
                intake.take(number, lines::record(path, number, &buffer, expected)?)?;
            }
        }
    }
    intake.conclude(options)
}

/// A file of predictions while it is read, line by line.
struct Intake<'a, F> {
    path: &'a Path,
    questions: Questions<'a>,
    header: Header,
    conventions: Conventions,
    unknown: Finding,
    duplicate: Finding,
    other_scale: Finding,
    no_answer: Finding,
    /// Which questions have an answer.
    seen: Vec<bool>,
    count: u64,
    each: F,
}

impl<'a, F: FnMut(Received<'_>)> Intake<'a, F> {
    fn new(path: &'a Path, questions: Questions<'a>, options: &ReadOptions, each: F) -> Self {
        let [unknown, duplicate, other_scale, no_answer] =
            ["unknown_id", "duplicate", "other_scale", "no_answer"].map(Finding::new);
        let conventions = Conventions { given: options.coords.clone(), used: Vec::new() };
        let (header, seen) = (Header::default(), vec![false; questions.count]);
        Self { path, questions, header, conventions, unknown, duplicate, other_scale, no_answer, seen, count: 0, each }
    }

    fn take(&mut self, number: u64, line: PredictionLine<'_>) -> Result<(), Error> {
        let path = self.path;
        let at_line = |problem: String| Error::line(path, number, problem);
        if let Some(found) = line.header {
            return self.take_header(found, at_line);
        }
        self.count += 1;
        let Some(id) = line.id.as_deref() else {
            return Err(at_line("no `id`, expected the id of a target".to_owned()));
        };
        if let Some(digits) = &line.digits
            && [&digits.x, &digits.y].iter().any(|d| d.len() != 10)
        {
            return Err(at_line(format!("`digits` with {} and {} values, expected 10 and 10", digits.x.len(), digits.y.len())));
        }
        let target = match (self.questions.resolve)(&line).map_err(at_line)? {
            Found::Question(target) => target,
            Found::Unknown(named) => {
                self.unknown.add(number, &named);
                return Ok(());
            }
        };
        if std::mem::replace(&mut self.seen[target as usize], true) {
            self.duplicate.add(number, id);
            return Ok(());
        }
        let convention = self.conventions.of(line.coords.as_deref()).map_err(|e| at_line(e.to_string()))?;
        if let Some(problem) = other_scale_in(&line, convention.scale) {
            self.other_scale.add(number, &problem);
        }
        let said = match said(&line, convention, (self.questions.size_of)(target)).map_err(at_line)? {
            Prediction::Drag(_) if !(self.questions.takes_drag)(target) => Prediction::WrongFormat,
            said => said,
        };
        if said == Prediction::Nothing && line.output.is_none() {
            self.no_answer.add(number, id);
        }
        (self.each)(Received { target, line: number, said, digits: line.digits, token_logprobs: line.token_logprobs.as_deref() });
        Ok(())
    }

    fn take_header(&mut self, found: Header, at_line: impl Fn(String) -> Error) -> Result<(), Error> {
        if self.count > 0 || self.header != Header::default() {
            return Err(at_line("found a header, expected it in the first line only".to_owned()));
        }
        if let (Some(named), Some(expected)) = (found.benchmark.as_deref(), self.questions.benchmark)
            && named != expected
        {
            return Err(at_line(format!("predictions for benchmark {named}, expected {expected}"))
                .with_hint("benchmarks of different names are never pooled, nor are the parts of one"));
        }
        if let Some(named) = &found.dataset_digest
            && named != self.questions.digest
        {
            return Err(at_line(format!("predictions for the dataset {named}, expected {}", self.questions.digest))
                .with_hint("these are predictions for another dataset, or the dataset has changed since"));
        }
        if let Some(coords) = &found.coords {
            self.conventions.given = Some(coords.parse().map_err(|e: parse::ConventionError| at_line(e.to_string()))?);
        }
        self.header = found;
        Ok(())
    }

    fn conclude(self, options: &ReadOptions) -> Result<PredictionFacts, Error> {
        let Self { path, questions, header, conventions, unknown, duplicate, other_scale, no_answer, seen, count, .. } = self;
        if count > 0 && unknown.count == count {
            return Err(Error::path(
                path,
                format!("none of {count} ids is a target of the dataset ({}), expected its target ids", unknown.examples[0]),
            )
            .with_hint(format!("predictions for another dataset? an `id` of this one is `{}`", questions.example)));
        }
        let refusals = header.refusals.unwrap_or(options.refusals);
        let missing = missing(&seen, |question| (questions.scored)(question, refusals));
        let all = [unknown, duplicate, other_scale, no_answer, missing];
        let findings: Vec<Finding> = all.into_iter().filter(|f| f.count > 0).collect();
        if let (true, Some(finding)) = (options.strict, findings.first()) {
            return Err(Error::path(path, finding.told()).with_hint("option `strict` makes findings errors"));
        }
        Ok(PredictionFacts {
            model: header.model.clone().or_else(|| Some(path.file_stem()?.to_str()?.to_owned())).unwrap_or_default(),
            lines: count,
            coords: conventions.described(),
            refusals_allowed: refusals,
            header,
            findings,
        })
    }
}

/// Questions that are scored and that no line answers.
fn missing(seen: &[bool], scored: impl Fn(u32) -> Option<String>) -> Finding {
    let mut found = Finding::new("missing");
    for (question, _) in seen.iter().enumerate().filter(|(_, seen)| !**seen) {
        if let Some(name) = scored(question as u32) {
            found.count_one(name);
        }
    }
    found
}

impl Finding {
    fn new(kind: &str) -> Self {
        Self { kind: kind.to_owned(), count: 0, examples: Vec::new() }
    }

    fn add(&mut self, line: u64, what: &str) {
        self.count_one(format!("line {line}: {what}"));
    }

    fn count_one(&mut self, example: String) {
        self.count += 1;
        if self.examples.len() < EXAMPLES {
            self.examples.push(example);
        }
    }

    /// In words: what is odd, how often, and where first.
    pub fn told(&self) -> String {
        let meaning = match self.kind.as_str() {
            "unknown_id" => "with an id that is not a target (not counted)",
            "duplicate" => "for a target that already has an answer (the first counts)",
            "no_answer" => "without an answer (counted as wrong)",
            "missing" => "without a prediction (counted as wrong)",
            _ => "with numbers that look like a different scale than declared (read as declared)",
        };
        let what = if self.kind == "missing" { "target" } else { "line" };
        format!("{}: {} {meaning}: {}", self.kind, counted(self.count, what), self.examples.join("; "))
    }
}

/// Conventions by name, parsed once.
struct Conventions {
    given: Option<Convention>,
    used: Vec<Convention>,
}

impl Conventions {
    fn of(&mut self, in_line: Option<&str>) -> Result<&Convention, parse::ConventionError> {
        let name = in_line.or(self.given.as_ref().map(Convention::name)).unwrap_or("px");
        let at = match self.used.iter().position(|c| c.name() == name) {
            Some(at) => at,
            None => {
                self.used.push(name.parse()?);
                self.used.len() - 1
            }
        };
        Ok(&self.used[at])
    }

    fn described(&self) -> String {
        match self.used.as_slice() {
            [] => self.given.as_ref().map_or("px", Convention::name).to_owned(),
            [one] => one.name().to_owned(),
            several => format!("mixed: {}", several.iter().map(Convention::name).collect::<Vec<_>>().join(", ")),
        }
    }
}

fn said(line: &PredictionLine<'_>, convention: &Convention, image_size: [u32; 2]) -> Result<Prediction, String> {
    let PredictionLine { point, points, bbox, drag, refusal, output, .. } = line;
    let given = [point.is_some(), points.is_some(), bbox.is_some(), drag.is_some(), *refusal == Some(true)];
    if given.iter().filter(|&&given| given).count() > 1 {
        return Err("several of `point`, `points`, `box`, `drag` and `refusal`, expected one".to_owned());
    }
    let to_px = |numbers: &[Option<f64>]| match numbers {
        [Some(x), Some(y)] => Some(convention.scale.to_px([*x, *y], image_size)).filter(|p| p.iter().all(|v| v.is_finite())),
        _ => None,
    };
    let or_wrong =
        |points: Option<Vec<[f64; 2]>>| points.filter(|p| !p.is_empty()).map_or(Prediction::WrongFormat, Prediction::Points);
    // An answer that was parsed when it was made counts, not the text beside it.
    Ok(if *refusal == Some(true) {
        Prediction::Refusal
    } else if let Some(point) = point {
        if point.iter().all(|v| *v == Some(-1.0)) && point.len() == 2 {
            Prediction::Refusal
        } else {
            or_wrong(to_px(point).map(|p| vec![p]))
        }
    } else if let Some(points) = points {
        or_wrong(points.iter().map(|p| to_px(p)).collect())
    } else if let Some(bbox) = bbox {
        let centre = match bbox.as_slice() {
            [Some(x0), Some(y0), Some(x1), Some(y1)] => to_px(&[Some(exact::middle(*x0, *x1)), Some(exact::middle(*y0, *y1))]),
            _ => None,
        };
        or_wrong(centre.map(|c| vec![c]))
    } else if let Some(drag) = drag {
        let ends: Option<Vec<[f64; 2]>> = drag.iter().map(|end| to_px(end)).collect();
        ends.and_then(|ends| ends.try_into().ok()).map_or(Prediction::WrongFormat, Prediction::Drag)
    } else if let Some(output) = output {
        match parse::parse(output, convention, image_size) {
            Ok(answer) => Prediction::Points(answer.points),
            Err(Reason::Refusal) => Prediction::Refusal,
            Err(Reason::Empty) => Prediction::Nothing,
            Err(_) => Prediction::WrongFormat,
        }
    } else {
        Prediction::Nothing
    })
}

/// Whether a point can hardly be in the scale that was declared. Only for people to look at: nothing is rescaled.
fn other_scale_in(line: &PredictionLine<'_>, scale: Scale) -> Option<String> {
    let first = |list: &'_ Option<Vec<Vec<Option<f64>>>>| list.as_ref().and_then(|points| points.first().cloned());
    let numbers =
        line.point.clone().or_else(|| first(&line.points)).or_else(|| line.bbox.clone()).or_else(|| first(&line.drag))?;
    let all: Vec<f64> = numbers.iter().copied().collect::<Option<_>>()?;
    let unit = |v: &f64| (0.0..=1.0).contains(v);
    let odd = match scale {
        Scale::Norm => all.iter().any(|v| *v > 2.0),
        Scale::Percent => all.iter().any(|v| *v > 150.0),
        Scale::Norm1000 => all.iter().any(|v| *v > 1_500.0) || all.iter().all(unit) && all.iter().any(|v| v.fract() != 0.0),
        Scale::Px | Scale::ResizedBy(_) | Scale::ResizedTo(_) => all.iter().all(unit) && all.iter().any(|v| v.fract() != 0.0),
    };
    odd.then(|| format!("{all:?} in {scale}"))
}
