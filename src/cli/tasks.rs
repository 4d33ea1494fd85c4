//! `windesk tasks`: sequences of clicks on desktops, a keyframe per click.

use clap::Args;

use windesk::request::condition_of_level;
use windesk_dataset::{RunSummary, TaskScenes};
use windesk_desktop::task::{Goals, MOST_STEPS, TaskStudy};
use windesk_model::Error;
use windesk_model::condition::Condition;
use windesk_model::plural::counted;
use windesk_model::spelling::nearest;
use windesk_model::task::TaskKind;

use super::generate::GenerateArgs;
use super::{Done, choices};

/// Flags of `windesk tasks`.
#[derive(Debug, Args)]
#[command(
    after_help = "Kinds: workflow (a path through the windows of one program), reveal (what is wanted is hidden at first), across (two
programs; written workflows only), mixed (all that the pack bears). See docs/tasks.md.

Examples:
  windesk tasks --n 200
  windesk tasks --n 200 --kind reveal --level L5 --steps 2..4 --overlay
  windesk tasks --n 100 --kind workflow --goals reviewed --session gnome-light"
)]
pub(super) struct TasksArgs {
    /// Sort of tasks: workflow, reveal, across or mixed.
    #[arg(long, value_name = "KIND", default_value = "mixed")]
    kind: String,
    /// Number of clicks, such as 2..6 (both included) or 3.
    #[arg(long, value_name = "A..B", default_value = "2..6")]
    steps: String,
    /// Level of the first keyframe: L1 to L5, or a level file.
    #[arg(long, value_name = "LEVEL|FILE.toml", default_value = "L3")]
    level: String,
    /// Whose goals to ask: reviewed (written by the pictures) or all.
    #[arg(long, value_enum, default_value = "all")]
    goals: choices::Goals,
    #[command(flatten)]
    generate: GenerateArgs,
}

/// Runs `windesk tasks`.
pub(super) fn tasks(args: TasksArgs) -> anyhow::Result<Done> {
    let TasksArgs { kind, steps, level, goals, generate } = args;
    let narrowing = generate.narrowing();
    let condition = condition_of_level(&level, &generate.sets()?, &narrowing)?;
    let steps = parse_steps(&steps)?;
    let goals = Goals::from(goals);
    let pack = generate.pack.open_part(condition.split)?;
    narrowing.check(&pack, std::slice::from_ref(&condition))?;
    let workflows = pack.workflows()?;
    let over_several = workflows.list.iter().any(|workflow| {
        let program = |page: &str| page.split('/').next().map(str::to_owned);
        workflow.clicks.iter().any(|click| program(&click.page) != program(&workflow.clicks[0].page))
    });
    let kinds = match kind.as_str() {
        "mixed" if over_several => TaskKind::ALL.to_vec(),
        "mixed" => vec![TaskKind::Workflow, TaskKind::Reveal],
        name => vec![named_kind(name)?],
    };
    let seed = generate.output.seed;
    let label = label(&kind, &condition, steps, goals);
    let study = TaskStudy {
        name: format!("{label}-s{seed}"),
        conditions: vec![condition],
        seed,
        kinds,
        steps,
        goals,
        workflows_sha256: workflows.sha256,
    };
    let request = generate.output.request(&label)?;
    let source = TaskScenes::new(&pack, study.clone())?;
    for &kind in &study.kinds {
        let counts = source.pool().counts(&pack, kind);
        let paths: usize = counts.values().sum();
        tell!("{}: {} over {}", kind.name(), counted(paths, "path"), counted(counts.len(), "program"));
    }
    request.carry_out(&pack, &source, tell)
}

/// What dataset and folder are called: what is as usual is not said.
fn label(kind: &str, condition: &Condition, [fewest, most]: [u32; 2], goals: Goals) -> String {
    let mut label = format!("tasks-{kind}-{}", condition.name);
    if (fewest, most) != (2, MOST_STEPS) {
        label += &format!("-{fewest}to{most}");
    }
    if goals == Goals::Reviewed {
        label += "-reviewed";
    }
    label
}

fn named_kind(name: &str) -> Result<TaskKind, Error> {
    let known = TaskKind::ALL.map(TaskKind::name);
    TaskKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        let error = Error::config(format!("--kind {name}"), format!("expected one of {}, mixed", known.join(", ")));
        match nearest(name, known.into_iter().chain(["mixed"])) {
            Some(near) => error.with_hint(format!("did you mean {near}?")),
            None => error,
        }
    })
}

fn parse_steps(text: &str) -> Result<[u32; 2], Error> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let number = |part: &str| part.trim_start_matches('=').parse::<u32>();
    match (number(from), number(to)) {
        (Ok(from), Ok(to)) if 2 <= from && from <= to && to <= MOST_STEPS => Ok([from, to]),
        _ => Err(Error::config(format!("--steps {text}"), format!("expected a number or a range within 2..{MOST_STEPS}"))),
    }
}

fn tell(summary: &RunSummary) {
    for (name, stats) in &summary.stats.conditions {
        tell!(
            "  {name}: {} of {}, {:.2} draws per task",
            counted(stats.scenes, "keyframe"),
            counted(stats.tasks, "task"),
            stats.draws_per_sample()
        );
    }
}
