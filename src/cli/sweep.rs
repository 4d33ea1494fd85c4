//! `windesk sweep`: one knob moves, everything else stays.

use clap::Args;

use windesk::request::{PRECISION, of_sweep};
use windesk::shipped;
use windesk_dataset::PRECISION_SWEEP;
use windesk_engine::config::Scan;
use windesk_model::condition::Pairing;
use windesk_model::plural::counted;

use super::generate::GenerateArgs;
use super::{Done, states};

/// Flags of `windesk sweep`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  windesk sweep occlusion --n 200
  windesk sweep semantic --n 200 --protocol windeskground
  windesk sweep occlusion --n 100 --scan visible_ratio=1.0..0.3/0.1
  windesk sweep clutter --n 100 --list windows=2,4,8 --seed 3
  windesk sweep occlusion --n 50 --list visible_ratio=1.0,0.5 --list distractor.rank=5,1
  windesk sweep my-sweep.toml --n 100

`windesk sweeps` describes the shipped sweeps.")]
pub(super) struct SweepArgs {
    /// Name of a shipped sweep, or a sweep file.
    #[arg(value_name = "SWEEP|FILE.toml")]
    sweep: String,
    /// Scan these values of a knob instead of the sweep's conditions, both ends included; several scans give every
    /// combination.
    #[arg(long, value_name = "KEY=FROM..TO/STEP")]
    scan: Vec<String>,
    /// The same with a list of values.
    #[arg(long, value_name = "KEY=A,B,C")]
    list: Vec<String>,
    #[command(flatten)]
    generate: GenerateArgs,
}

/// Runs `windesk sweep`.
pub(super) fn sweep(args: SweepArgs) -> anyhow::Result<Done> {
    let SweepArgs { sweep, scan, list, generate } = args;
    let scans = scan.iter().map(|s| Scan::range(s)).chain(list.iter().map(|s| Scan::list(s))).collect::<Result<Vec<_>, _>>()?;
    if sweep == PRECISION_SWEEP {
        return states::precision(generate, &scans);
    }
    let sets = generate.sets()?;
    let study = of_sweep(&sweep, &sets, &scans, &generate.narrowing(), generate.output.seed)?;
    let label = study.sweep.clone().unwrap_or_default();
    let note = match study.pairing {
        Pairing::Scenes => "paired: the same scenes except for the knob",
        Pairing::Twins => "paired: the same windows as each session has them; sizes, positions and shell are the session's",
        Pairing::Targets => "paired by target, instruction and wallpaper; positions are drawn again",
        Pairing::None => "not paired: every condition has its own targets",
    };
    tell!("sweep: {}, {}, {note}", label, counted(study.conditions.len(), "condition"));
    generate.run(study, &label)
}

/// Runs `windesk sweeps`.
pub(super) fn sweeps() -> Done {
    for (name, text) in shipped::SWEEPS {
        data!("{name}");
        text.lines().map_while(|line| line.strip_prefix("# ")).for_each(|line| data!("    {line}"));
    }
    data!("{PRECISION_SWEEP}");
    PRECISION.lines().for_each(|line| data!("    {line}"));
    Done::Clean
}
