//! `windesk eval`: predictions against the truth of a dataset.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;

use windesk::shipped;
use windesk_eval::ReportFacts;
use windesk_eval::click::{Outcome, click_report, score};
use windesk_eval::episode::BUDGET;
use windesk_eval::kinds::FileKind;
use windesk_eval::outcomes::{TargetAnswers, target_lines, write_lines};
use windesk_eval::parse::Convention;
use windesk_eval::predictions::{Finding, Prediction, PredictionFacts, ReadOptions, read};
use windesk_eval::render::{Presentation, gallery, present_click};
use windesk_eval::stats::Bootstrap;
use windesk_eval::truth::{Dataset, OpenOptions, open, truth_files};
use windesk_model::{Error, escape, plural};

use super::numbers::{not_negative, positive};
use super::outputs::{Output, check_outputs};
use super::parse::image_size;
use super::{Done, choices};

mod options;
mod output;
mod protocols;
mod sequence;

pub(super) use output::{ReportFormat, write_report};

/// Flags of `windesk eval`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  windesk eval levels model-a.jsonl model-b.jsonl
  windesk eval levels outputs.jsonl --coords qwen2.5-vl --report html --out report.html
  windesk eval screenspot_desktop.json outputs.jsonl --coords norm --export tables/

docs/evaluation.md describes all inputs and reports.")]
pub(super) struct EvalArgs {
    /// Dataset folder, scenes (.jsonl), or a test set (.json).
    dataset: PathBuf,
    /// Predictions (.jsonl), one file per model (for episodes: traces; if omitted, DATASET is the trace file).
    predictions: Vec<PathBuf>,
    /// Scoring protocol.
    #[arg(long, value_enum, default_value = "click")]
    protocol: EvalProtocol,
    /// Format of the report.
    #[arg(long, value_enum, default_value = "md")]
    report: ReportFormat,
    /// File of the report [default: standard output].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also write every table as .csv, .tex and .md and every figure as .svg and .png into this folder.
    #[arg(long, value_name = "DIR", value_parser = super::folder())]
    export: Option<PathBuf>,
    /// Also write what became of every answer into this file, one line (JSON) per question and model.
    #[arg(long, value_name = "FILE.jsonl")]
    outcomes: Option<PathBuf>,
    /// click: number of failures per model in the HTML report.
    #[arg(long, value_name = "N", default_value_t = 48)]
    failures: usize,
    /// click, icons, confidence: which targets to count. Additional ones come from `synth --targets-per-scene`.
    #[arg(long, value_enum, default_value = "promised")]
    targets: CountedTargets,
    /// Convention of points and outputs, if the predictions do not state it [default: px].
    #[arg(long, value_name = "NAME", value_parser = str::parse::<Convention>)]
    coords: Option<Convention>,
    /// The prompt allowed refusals, so score answers to absent targets.
    #[arg(long)]
    refusals: bool,
    /// Treat missing answers, unknown ids, duplicates and numbers of another scale as errors.
    #[arg(long)]
    strict: bool,
    /// Number of bootstrap resamples.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    resamples: u32,
    /// Seed of bootstrap intervals.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// icons: a point nearer than this to a box is near it [default: 0.05].
    #[arg(long)]
    tau: Option<f64>,
    /// icons: unit of distances.
    #[arg(long, value_enum, default_value = "norm")]
    tau_unit: choices::Unit,
    /// icons: order of the rules.
    #[arg(long, value_enum, default_value = "published")]
    variant: choices::Variant,
    /// confidence: normalisation of the ten logits.
    #[arg(long, value_enum, default_value = "softmax")]
    pss_norm: choices::Norm,
    /// confidence: constant of the score; with 4.5, a one-hot softmax scores 1.
    #[arg(long, value_name = "C", default_value_t = 4.5, value_parser = positive)]
    pss_c: f64,
    /// confidence: multiply by the constant only where the peak is in the interior, as the paper prints it.
    #[arg(long)]
    pss_as_printed: bool,
    /// Judge clicks as a published script does. sequence: a script of MedSPOT, such as evaluate_gpt5.py or gpt5; state:
    /// LLM_eval.py.
    #[arg(long, value_name = "SCRIPT", conflicts_with = "tolerance")]
    published_code: Option<String>,
    /// sequence: how the steps were asked for, if the predictions do not state it [default: step].
    #[arg(long, value_enum)]
    asked: Option<choices::Asked>,
    /// sequence: count a hit if the square with this half-side around the point touches the box [default: 0].
    #[arg(long, value_name = "PX", value_parser = not_negative)]
    tolerance: Option<f64>,
    /// sequence: actions that count besides clicks, such as double_click or drag (its start).
    #[arg(long, value_name = "ACTION", value_delimiter = ',')]
    other_actions: Vec<String>,
    /// sequence: image size per annotation file, as JSON {"<file stem>": [w, h]}.
    #[arg(long, value_name = "FILE.json")]
    image_sizes: Option<PathBuf>,
    /// episode: maximum number of steps per episode.
    #[arg(long, default_value_t = BUDGET)]
    budget: u32,
    /// Layout of a .json test set [default: by its field names].
    #[arg(long, value_enum)]
    box_format: Option<choices::BoxFormat>,
    /// Size of all images of a test set, if neither its records nor its images give it.
    #[arg(long, value_name = "WxH", value_parser = image_size)]
    image_size: Option<[u32; 2]>,
    /// Names of the options that were given.
    #[arg(skip)]
    given: Vec<String>,
}

impl EvalArgs {
    /// Remembers which options were given: a default says nothing of what is wanted.
    pub(super) fn note_given(&mut self, typed: &clap::ArgMatches) {
        self.given = options::given(typed);
    }
}

/// Which targets the shares of a report count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CountedTargets {
    /// The promised target of each scene. The click report lists additional ones separately.
    Promised,
    /// All targets alike.
    All,
}

/// Scoring protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EvalProtocol {
    /// One click per instruction.
    Click,
    /// Response classes for a target among other icons.
    Icons,
    /// Sharpness of digit logits, and perplexity, by response class.
    Confidence,
    /// Tasks that stop at the first miss.
    Sequence,
    /// Setting the state of controls.
    State,
    /// Traces of agents.
    Episode,
}

/// Runs `windesk eval`.
pub(super) fn run(args: EvalArgs) -> anyhow::Result<Done> {
    let bootstrap = Bootstrap { resamples: args.resamples, seed: args.seed };
    if args.predictions.is_empty() && args.protocol != EvalProtocol::Episode {
        return Err(Error::config("windesk eval", "expected at least one file of predictions after the dataset").into());
    }
    options::check(&args.given, args.protocol)?;
    check_kind(&args)?;
    check_places(&args)?;
    match args.protocol {
        EvalProtocol::Click => click(&args, bootstrap).map_err(|error| with_other_protocol(&args.dataset, error)),
        EvalProtocol::Icons => protocols::icons(&args, bootstrap),
        EvalProtocol::Confidence => protocols::confidence(&args, bootstrap),
        EvalProtocol::Sequence => sequence::run(&args, bootstrap),
        EvalProtocol::State => protocols::state(&args, bootstrap),
        EvalProtocol::Episode => protocols::episode(&args, bootstrap),
    }
}

/// Refuses outputs that would take the place of what is read, or of each other.
fn check_places(args: &EvalArgs) -> Result<(), Error> {
    let named = [("--out", &args.out), ("--outcomes", &args.outcomes), ("--export", &args.export)];
    let outputs = named.into_iter().filter_map(|(option, path)| Some(Output { option, path: path.as_deref()? }));
    let mut inputs: Vec<PathBuf> = args.predictions.iter().chain(&args.image_sizes).cloned().collect();
    inputs.extend(truth_files(&args.dataset)?);
    check_outputs(&outputs.collect::<Vec<_>>(), &inputs)
}

/// Refuses a dataset that is for another protocol, or no dataset.
fn check_kind(args: &EvalArgs) -> Result<(), Error> {
    let protocol = args.protocol.to_possible_value().expect("no protocol is hidden");
    match FileKind::of(&args.dataset) {
        // What lists the tasks of episodes may have any keys besides `id`.
        Some(FileKind::Tasks) if args.protocol == EvalProtocol::Episode => Ok(()),
        Some(FileKind::Predictions) => Err(Error::path(&args.dataset, "found predictions, expected a dataset")
            .with_hint("windesk eval DATASET PREDICTIONS..: the dataset comes first")),
        Some(kind) if !kind.protocols().contains(&protocol.get_name()) => {
            let fitting = kind.protocols().iter().map(|name| format!("--protocol {name}")).collect::<Vec<_>>().join(" or ");
            let problem = format!("found a dataset for another protocol, expected one for --protocol {}", protocol.get_name());
            Err(Error::path(&args.dataset, problem).with_hint(format!("{fitting} fits this dataset")))
        }
        _ => Ok(()),
    }
}

/// An error of scoring clicks, with a hint if the folder has questions for another protocol: its keyframes are scenes,
/// and are scored as such, but few people want that.
fn with_other_protocol(dataset: &Path, error: anyhow::Error) -> anyhow::Error {
    let (what, protocol) = match FileKind::of(dataset) {
        Some(FileKind::TaskFolder) => ("tasks", "sequence"),
        Some(FileKind::StateFolder) => ("state instances", "state"),
        _ => return error,
    };
    let hint = format!("this dataset holds {what}: --protocol {protocol} scores them, --protocol click its scenes alone");
    match error.downcast::<Error>() {
        Ok(error) => {
            let both = error.hint.as_ref().map(|own| format!("{own}; {hint}"));
            error.with_hint(both.unwrap_or(hint)).into()
        }
        Err(error) => error,
    }
}

/// Opens the dataset, and says what no protocol of clicks counts.
fn open_dataset(args: &EvalArgs) -> Result<Dataset, Error> {
    let count_further = args.targets == CountedTargets::All;
    let options = OpenOptions {
        box_format: args.box_format.map(Into::into),
        image_size: args.image_size,
        count_further,
        ships: Some(shipped::ships),
    };
    let dataset = open(&args.dataset, &options)?;
    tell_dragged(&dataset);
    Ok(dataset)
}

/// Says how many targets no click reaches.
pub(super) fn tell_dragged(dataset: &Dataset) {
    let dragged = dataset.targets.iter().filter(|target| target.only_dragged).count();
    if dragged > 0 {
        let all = plural::counted(dataset.targets.len(), "target");
        tell!("left out, since only a drag sets them: {dragged} of {all}; `windesk eval --protocol state` scores them");
    }
}

/// For the facts of a report.
fn counted(args: &EvalArgs) -> &'static str {
    match args.targets {
        CountedTargets::Promised => "targets=promised",
        CountedTargets::All => "targets=all",
    }
}

fn read_options(args: &EvalArgs) -> ReadOptions {
    ReadOptions {
        coords: args.coords.clone(),
        refusals: args.refusals,
        strict: args.strict,
        further: args.protocol == EvalProtocol::Click,
    }
}

fn click(args: &EvalArgs, bootstrap: Bootstrap) -> anyhow::Result<Done> {
    let dataset = open_dataset(args)?;
    let options = read_options(args);
    let mut models = Vec::new();
    let mut answers = Vec::new();
    for path in &args.predictions {
        let mut outcomes = vec![Outcome::MISSING; dataset.targets.len()];
        let mut said = kept_answers(args, dataset.targets.len());
        let facts = read(path, &dataset, &options, |received| {
            let at = received.target as usize;
            outcomes[at] = score(&dataset, &dataset.targets[at], &received.said);
            if let Some(said) = said.get_mut(at) {
                *said = Some(received.said);
            }
        })?;
        models.push((facts, outcomes));
        answers.push(said);
    }
    tell_apart(models.iter_mut().map(|m| &mut m.0), &args.predictions);
    let findings = models.iter().any(|(facts, _)| !facts.findings.is_empty());
    models.iter().for_each(|(facts, _)| tell(&facts.findings));
    if let Some(path) = &args.outcomes {
        let all = models.iter().zip(&answers).flat_map(|((facts, outcomes), said)| {
            let of = TargetAnswers {
                model: &facts.model,
                refusals_allowed: facts.refusals_allowed,
                outcomes,
                said,
                classes: None,
                confidences: None,
            };
            target_lines(&dataset, of)
        });
        write_lines(path, all)?;
    }
    let described = ["hit_test=closed", "visible_test=pixel", counted(args)].map(str::to_owned);
    let facts = ReportFacts::new("click", described.into(), bootstrap);
    let failures = if args.report == ReportFormat::Html {
        let named: Vec<(&str, &[Outcome])> =
            models.iter().map(|(facts, outcomes)| (facts.model.as_str(), outcomes.as_slice())).collect();
        gallery(&dataset, &named, args.failures)?
    } else {
        String::new()
    };
    let report = click_report(&dataset, facts, models, bootstrap);
    write(args, &report, &present_click(&report), &failures)?;
    Ok(done(findings))
}

/// Room for the answers themselves, which only `--outcomes` shows.
fn kept_answers(args: &EvalArgs, targets: usize) -> Vec<Option<Prediction>> {
    vec![None; if args.outcomes.is_some() { targets } else { 0 }]
}

fn done(findings: bool) -> Done {
    if findings { Done::WithFindings } else { Done::Clean }
}

fn tell(findings: &[Finding]) {
    findings.iter().for_each(|f| tell!("warning: {}", escape::terminal(&f.told())));
}

/// Gives models of the same name the names of their files as well.
fn tell_apart<'a>(facts: impl Iterator<Item = &'a mut PredictionFacts>, files: &[PathBuf]) {
    let mut facts: Vec<_> = facts.collect();
    let names: Vec<String> = facts.iter().map(|f| f.model.clone()).collect();
    for (at, one) in facts.iter_mut().enumerate() {
        if names.iter().filter(|n| **n == one.model).count() > 1 {
            one.model = format!("{} ({})", one.model, files[at].display());
        }
    }
}

fn write(args: &EvalArgs, report: &impl Serialize, page: &Presentation, gallery: &str) -> anyhow::Result<()> {
    write_report(args.report, args.out.as_deref(), args.export.as_deref(), report, page, gallery)
}
