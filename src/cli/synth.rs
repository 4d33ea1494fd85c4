//! `windesk synth`: a dataset at a level, or at all five jointly.

use clap::Args;

use windesk::shipped;
use windesk_dataset::LEVELS_SWEEP;
use windesk_engine::study::Study;
use windesk_model::condition::Pairing;

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
    let conditions = if level.eq_ignore_ascii_case("all") {
        shipped::LEVELS.iter().map(|(name, _)| shipped::level(name, &sets)).collect::<Result<Vec<_>, _>>()?
    } else if level.ends_with(".toml") {
        vec![shipped::parse_level(&level, &read_text(level.as_ref())?, &sets)?]
    } else {
        vec![shipped::level(&level, &sets)?]
    };
    let joint = conditions.len() > 1;
    let (name, label) = if joint { (LEVELS_SWEEP, "all") } else { (conditions[0].name.as_str(), conditions[0].name.as_str()) };
    let (name, label) = (format!("{name}-s{}", generate.output.seed), label.to_owned());
    let study = Study {
        name,
        sweep: joint.then(|| LEVELS_SWEEP.to_owned()),
        pairing: Pairing::Targets,
        conditions,
        seed: generate.output.seed,
        traverse: false,
    };
    generate.run(study, &label)
}
