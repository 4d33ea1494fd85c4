//! `windesk synth`: a dataset at a level, or at all five jointly.

use clap::Args;

use windesk::request::{label_of_level, of_level};

use super::Done;
use super::generate::GenerateArgs;

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
    let study = of_level(&level, &generate.sets()?, &generate.narrowing(), generate.output.seed)?;
    let label = label_of_level(&study);
    generate.run(study, &label)
}
