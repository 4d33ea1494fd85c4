//! `windesk predict`: answers of a served model or of a baseline.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgGroup, Args};

use windesk::shipped;
use windesk_eval::asked::Asked;
use windesk_eval::kinds::FileKind;
use windesk_eval::predict::{
    Agent, Endpoint, Listener, OutputFile, Prompt, Questions, RunOptions, StateQuestions, StepQuestions, TargetQuestions,
    predict_by_agent, predict_by_endpoint, predict_states_by_agent, predict_tasks_by_agent,
};
use windesk_eval::predictions::{Header, ReadOptions};
use windesk_eval::sequence::{TaskOptions, Tasks, read_tasks};
use windesk_eval::state::{StateSet, read_states};
use windesk_eval::state_answers::read_state_answers;
use windesk_eval::truth::{BenchmarkFacts, Dataset, OpenOptions, open};
use windesk_model::Error;
use windesk_model::digest::hex_digest;
use windesk_model::plural::counted;
use windesk_model::progress::Progress;

use super::numbers::{not_negative, positive};
use super::outputs::{Output, check_outputs};
use super::parse::image_size;
use super::progress::Bar;
use super::{Done, SyncArgs, choices};

/// Options about what a model is asked, and how; a baseline has no use for them.
const OF_ENDPOINTS: [&str; 17] = [
    "endpoint",
    "model",
    "family",
    "prompt",
    "history_images",
    "hints",
    "concurrency",
    "rate",
    "retries",
    "backoff",
    "max_wait",
    "follow",
    "timeout",
    "max_tokens",
    "temperature",
    "logprobs",
    "key_env",
];

/// Flags of `windesk predict`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("answerer").args(["agent", "endpoint"]).required(true))]
#[command(after_help = "Examples:
  windesk predict levels --agent random --out random.jsonl
  windesk predict tasks --agent what-changed --out what-changed.jsonl
  windesk predict tasks --asked goal+history --endpoint http://localhost:8000/v1 --model UI-TARS --family ui-tars
  windesk predict levels --endpoint http://localhost:8000/v1 --model Qwen/Qwen2.5-VL-7B-Instruct --family qwen2.5-vl --concurrency 8

The key comes from the environment (OPENAI_API_KEY, or --key-env NAME) and is never written anywhere. A windesk.toml that lies in the
folder, rather than being named by --config, can't set --endpoint, --key-env or --follow. Run the same command again to resume.")]
pub(super) struct PredictArgs {
    /// Dataset folder, scenes or tasks (.jsonl), or a test set (.json).
    dataset: PathBuf,
    /// For tasks: how their steps are asked for.
    #[arg(long, value_enum, default_value = "step")]
    asked: choices::Asked,
    /// For tasks: maximum number of earlier keyframes per question [default: what the family takes].
    #[arg(long, value_name = "N")]
    history_images: Option<u32>,
    /// For states: predictions of a model for this dataset; where it locates a control is told when its target state is
    /// asked for, in place of the dataset's own hints.
    #[arg(long, value_name = "FILE")]
    hints: Option<PathBuf>,
    /// Run a baseline instead of a model.
    #[arg(long, value_enum, conflicts_with_all = OF_ENDPOINTS)]
    agent: Option<choices::Agent>,
    /// Seed of random baselines.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// URL of an OpenAI-compatible server, ending in /v1.
    #[arg(long, value_name = "URL", requires = "model")]
    endpoint: Option<String>,
    /// Name of the model on the server.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Model family, which determines prompt and coordinates.
    #[arg(long, value_name = "F")]
    family: Option<String>,
    /// Your own prompt template.
    #[arg(long, value_name = "FILE.toml", conflicts_with = "family")]
    prompt: Option<PathBuf>,
    /// File of predictions [default: <model or agent>.jsonl].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Number of concurrent requests.
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Maximum number of requests per second.
    #[arg(long, value_name = "PER_SECOND", value_parser = positive)]
    rate: Option<f64>,
    /// Retries per request.
    #[arg(long, default_value_t = 6)]
    retries: u32,
    /// Wait before the first retry; doubles each time.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = positive)]
    backoff: f64,
    /// Longest wait between tries; if the server asks for more, the run ends.
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0, value_parser = positive)]
    max_wait: f64,
    /// Follow redirections, with the same question; the key is sent to the endpoint's own server only.
    #[arg(long)]
    follow: bool,
    /// Timeout per request.
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0, value_parser = positive)]
    timeout: f64,
    /// Maximum tokens per answer.
    #[arg(long, default_value_t = 512)]
    max_tokens: u32,
    /// Sampling temperature.
    #[arg(long, default_value_t = 0.0, value_parser = not_negative)]
    temperature: f64,
    /// Record log-probabilities of tokens, and of the digits that decide a coordinate.
    #[arg(long)]
    logprobs: bool,
    /// Ask for at most N targets in this run, or steps, or questions about states.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Name of the environment variable that holds the key.
    #[arg(long, value_name = "NAME", default_value = "OPENAI_API_KEY")]
    key_env: String,
    /// Layout of a .json test set [default: by its field names].
    #[arg(long, value_enum)]
    box_format: Option<choices::BoxFormat>,
    #[command(flatten)]
    sync: SyncArgs,
    /// Size of all images of a test set, if neither its records nor its images give it.
    #[arg(long, value_name = "WxH", value_parser = image_size)]
    image_size: Option<[u32; 2]>,
}

/// What is asked about.
enum Asking {
    Targets(Box<Dataset>),
    Tasks(Tasks),
    States(StateSet),
}

impl Asking {
    fn open(args: &PredictArgs) -> Result<Self, Error> {
        if matches!(FileKind::of(&args.dataset), Some(FileKind::Tasks | FileKind::TaskFolder)) {
            let options = TaskOptions { image_size: args.image_size, ..TaskOptions::default() };
            return Ok(Self::Tasks(read_tasks(&args.dataset, &options)?));
        }
        let (asked, images) = (Asked::from(args.asked), args.history_images);
        if asked.has_history() || images.is_some() {
            let option = if asked.has_history() { format!("--asked {asked}") } else { "--history-images".to_owned() };
            let problem = "is about the steps of tasks, found a dataset without any";
            return Err(Error::config(option, problem).with_hint("`windesk tasks` makes datasets of tasks"));
        }
        if matches!(FileKind::of(&args.dataset), Some(FileKind::States | FileKind::StateFolder)) {
            return Ok(Self::States(read_states(&args.dataset)?));
        }
        if args.hints.is_some() {
            let problem = "is about states of controls, found a dataset without any";
            return Err(Error::config("--hints", problem).with_hint("`windesk states` makes datasets of them"));
        }
        let options = OpenOptions {
            box_format: args.box_format.map(Into::into),
            image_size: args.image_size,
            ships: Some(shipped::ships),
            ..OpenOptions::default()
        };
        Ok(Self::Targets(Box::new(open(&args.dataset, &options)?)))
    }

    /// What a file of predictions says of it.
    fn header(&self, args: &PredictArgs, model: &str) -> Header {
        let mut header = Header { model: Some(model.to_owned()), ..Header::default() };
        match self {
            Self::Targets(dataset) => {
                header.dataset_digest = Some(dataset.digest.clone());
                header.benchmark = dataset.benchmark.as_ref().map(BenchmarkFacts::path);
            }
            Self::States(states) => header.dataset_digest = Some(states.digest.clone()),
            Self::Tasks(tasks) => {
                header.dataset_digest = Some(tasks.digest.clone());
                header.asked = Some(args.asked.into());
            }
        }
        header
    }
}

/// Runs `windesk predict`. Questions without an answer are findings.
pub(super) fn run(args: PredictArgs) -> anyhow::Result<Done> {
    let asking = Asking::open(&args)?;
    let agent = args.agent.map(Agent::from);
    let name = match (agent, &args.model) {
        (Some(agent), _) => agent.name().to_owned(),
        (None, model) => model.clone().unwrap_or_default(),
    };
    let default_out = || PathBuf::from(format!("{}.jsonl", name.rsplit('/').next().unwrap_or(&name)));
    let out = args.out.clone().unwrap_or_else(default_out);
    let read = [Some(&args.dataset), args.hints.as_ref(), args.prompt.as_ref()];
    check_outputs(&[Output { option: "--out", path: &out }], &read.into_iter().flatten().collect::<Vec<_>>())?;
    let header = asking.header(&args, &name);
    let done = match agent {
        Some(agent) => {
            by_agent(&args, &asking, agent, header, &out)?;
            Done::Clean
        }
        None => by_endpoint(&args, &asking, header, &out)?,
    };
    data!("{}", out.display());
    Ok(done)
}

fn by_agent(args: &PredictArgs, asking: &Asking, agent: Agent, header: Header, out: &Path) -> anyhow::Result<()> {
    let header = Header {
        prompt: Some(format!("baseline, seed {}", args.seed)),
        coords: Some("px".to_owned()),
        // No step of a task is absent, and no control.
        refusals: Some(matches!(asking, Asking::Targets(_)) && matches!(agent, Agent::Oracle | Agent::OracleJitter)),
        ..header
    };
    let mut file = OutputFile::open(out, &header, args.sync.durability())?;
    let held = file.answered() as u64;
    let bar = Bar::default();
    let tick = || bar.advance(1);
    let limit = args.limit.unwrap_or(usize::MAX);
    let begin = |questions: usize| bar.begin((questions as u64 - held).min(limit as u64), "answers");
    let answered = match asking {
        Asking::Targets(dataset) => {
            begin(dataset.targets.len());
            predict_by_agent(dataset, agent, args.seed, limit, &mut file, tick)
        }
        Asking::Tasks(tasks) => {
            let steps = tasks.tasks.iter().flat_map(|task| &task.steps).filter(|step| step.bbox.is_some()).count();
            begin(steps);
            predict_tasks_by_agent(tasks, agent, args.asked.into(), args.seed, limit, &mut file, tick)
        }
        Asking::States(states) => {
            begin(2 * states.instances.len());
            predict_states_by_agent(states, agent, args.seed, limit, &mut file, tick)
        }
    };
    let asked = file.conclude(answered)?;
    bar.end();
    tell!("{} written, {held} already present", counted(asked, "answer"));
    Ok(())
}

impl Listener for Bar {
    fn settled(&self) {
        self.advance(1);
    }

    fn tell(&self, text: &str) {
        self.say(text);
    }
}

fn by_endpoint(args: &PredictArgs, asking: &Asking, header: Header, out: &Path) -> anyhow::Result<Done> {
    let prompt = match (&args.family, &args.prompt) {
        (Some(family), _) => shipped::family_prompt(family)?,
        (None, Some(path)) => {
            let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
            Prompt::read(&path.display().to_string(), &stem, &super::read_text(path)?)?
        }
        (None, None) => {
            return Err(Error::config("--endpoint", "needs --family or --prompt").into());
        }
    };
    if !cfg!(feature = "tls") && args.endpoint.as_ref().is_some_and(|url| url.to_ascii_lowercase().starts_with("https:")) {
        let problem = "found https, which this build does not speak, expected http or a build with the feature `tls`";
        return Err(Error::config("--endpoint", problem).with_hint("cargo build --release --features tls").into());
    }
    let described = |history: Option<String>| match history {
        Some(history) => format!("{}\n{history}", prompt.described()),
        None => prompt.described(),
    };
    let mut header = Header {
        family: Some(prompt.family.clone()),
        prompt: Some(prompt.described()),
        coords: Some(prompt.coords.name().to_owned()),
        refusals: Some(prompt.refusals),
        ..header
    };
    match asking {
        Asking::Targets(dataset) => ask(args, &TargetQuestions { dataset, prompt: &prompt }, &prompt, &header, out),
        Asking::States(states) => {
            let hints =
                args.hints.as_deref().map(|path| read_state_answers(states, path, &ReadOptions::default())).transpose()?;
            if let (Some((facts, _)), Some(path)) = (&hints, &args.hints) {
                let bytes = std::fs::read(path).map_err(|e| Error::path(path, e))?;
                header.hints = Some(format!("predicted by {} ({})", facts.model, hex_digest(&bytes)));
            }
            let questions = StateQuestions::new(states, &prompt, hints.as_ref().map(|(_, said)| &said[..]))?;
            ask(args, &questions, &prompt, &header, out)
        }
        Asking::Tasks(tasks) => {
            let (asked, history) = (Asked::from(args.asked), shipped::history_prompt()?);
            let images = args.history_images.unwrap_or(prompt.history_images);
            if asked.has_history() {
                header.prompt = Some(described(history.described(asked)));
                header.history_images = Some(images);
            }
            let questions = StepQuestions::new(tasks, &prompt, &history, asked, images)?;
            ask(args, &questions, &prompt, &header, out)
        }
    }
}

fn ask(args: &PredictArgs, questions: &dyn Questions, prompt: &Prompt, header: &Header, out: &Path) -> anyhow::Result<Done> {
    let endpoint = Endpoint {
        url: args.endpoint.clone().unwrap_or_default(),
        model: header.model.clone().unwrap_or_default(),
        key: key(&args.key_env),
        timeout: Duration::from_secs_f64(args.timeout),
        retries: args.retries,
        backoff: Duration::from_secs_f64(args.backoff),
        max_wait: Duration::from_secs_f64(args.max_wait),
        follow: args.follow,
        max_tokens: args.max_tokens,
        temperature: args.temperature,
        logprobs: args.logprobs,
    };
    let mut file = OutputFile::open(out, header, args.sync.durability())?;
    let held = file.answered();
    let open = (questions.count() - held).min(args.limit.unwrap_or(usize::MAX));
    let bar = Bar::default();
    bar.begin(open as u64, "answers");
    let options = RunOptions { concurrency: usize::from(args.concurrency), rate: args.rate, limit: args.limit };
    let answered = predict_by_endpoint(questions, &endpoint, prompt, options, &mut file, &bar);
    let progress = file.conclude(answered)?;
    bar.end();
    let (answers, failed) = (counted(progress.answered, "answer"), counted(progress.failed, "target"));
    tell!("{answers} written, {held} already present, {failed} without an answer");
    progress.problems.iter().for_each(|p| tell!("  {p}"));
    if progress.failed > 0 {
        tell!("run the same command again to retry them");
    }
    Ok(if progress.failed == 0 { Done::Clean } else { Done::WithFindings })
}

/// The key, which never comes from the command line, where other users of the machine could read it.
#[allow(clippy::disallowed_methods, reason = "the command line reads the environment")]
fn key(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|k| !k.is_empty())
}
