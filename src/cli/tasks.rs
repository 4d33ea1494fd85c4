//! `windesk tasks`: sequences of clicks on desktops, a keyframe per click.

use clap::Args;

use windesk::request::of_tasks;
use windesk_dataset::{RunSummary, SampleSource};
use windesk_desktop::task::PathCounts;
use windesk_model::plural::counted;
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
    let asked = of_tasks(&kind, &level, &steps, goals.into(), &generate.sets()?, &narrowing)?;
    let pack = generate.pack.open_part(asked.condition.split)?;
    narrowing.check(&pack, std::slice::from_ref(&asked.condition))?;
    let source = asked.source(&pack, generate.output.seed)?;
    let request = generate.output.request(&asked.label())?;
    let kinds = &source.study().kinds;
    for kind in TaskKind::ALL.iter().filter(|kind| asked.kind.is_none() && !kinds.contains(kind)) {
        tell!("{}: left out, no path is of this kind", kind.name());
    }
    for &kind in kinds {
        let PathCounts { paths, pages } = source.pool().counts(&pack, kind);
        let [of_paths, of_pages] = [&paths, &pages].map(|by_program| by_program.values().sum::<usize>());
        let known = format!("{} over {}", counted(of_paths, "path"), counted(paths.len(), "program"));
        let living = match of_pages {
            0 => String::new(),
            _ => format!(", and {} of {}", counted(of_pages, "living page"), counted(pages.len(), "program")),
        };
        tell!("{}: {known}{living}", kind.name());
    }
    request.carry_out(&pack, &source, tell)
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
