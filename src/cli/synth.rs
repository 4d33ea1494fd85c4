//! `windesk synth`: a dataset at a level, or at all five jointly.

use clap::Args;

use windesk::shipped;
use windesk_dataset::LEVELS_SWEEP;
use windesk_engine::config::variant::named_sweep;
use windesk_engine::study::Study;

use super::generate::GenerateArgs;
use super::{Done, read_text};

/// Flags of `windesk synth`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  windesk synth --level L4 --n 500
  windesk synth --level all --n 200 --seed 7 --out levels
  windesk synth --level L3 --n 50 --set visible_ratio=0.6..0.7 --set distractor.rank=1 --overlay
  windesk synth --level my-level.toml --n 100 --chrome taskbar --format webp")]
pub(super) struct SynthArgs {
    /// L1 to L5, `all` for all five planned jointly, or a level file.
    #[arg(long, value_name = "LEVEL|FILE.toml")]
    level: String,
    #[command(flatten)]
    generate: GenerateArgs,
}

/// Runs `windesk synth`.
pub(super) fn synth(args: SynthArgs) -> anyhow::Result<Done> {
    let SynthArgs { level, generate } = args;
    let sets = generate.sets()?;
    let seed = generate.output.seed;
    if level.eq_ignore_ascii_case("all") {
        let mut changed = shipped::levels(&sets)?;
        changed.conditions.iter_mut().try_for_each(|condition| generate.refine(condition))?;
        let mut changed = named_sweep(Some(&shipped::levels(&[])?), changed);
        changed.conditions = changed.conditions.into_iter().map(|level| shipped::named_level(None, level)).collect();
        // `all`, and what follows the name of the levels.
        let label = format!("all{}", changed.name.trim_start_matches(LEVELS_SWEEP));
        return generate.run(Study::of_sweep(changed, seed), &label);
    }
    let (written, mut condition) = if level.ends_with(".toml") {
        let text = read_text(level.as_ref())?;
        // A file may leave to `--set` what must be there.
        (shipped::parse_level(&level, &text, &[]).ok(), shipped::parse_level(&level, &text, &sets)?)
    } else {
        (shipped::level(&level, &[]).ok(), shipped::level(&level, &sets)?)
    };
    generate.refine(&mut condition)?;
    let condition = shipped::named_level(written.as_ref(), condition);
    let label = condition.name.clone();
    generate.run(Study::of_condition(condition, seed), &label)
}
