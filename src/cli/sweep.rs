//! `windesk sweep`: one knob moves, everything else stays.

use clap::Args;

use windesk::shipped;
use windesk_engine::config::Scan;
use windesk_engine::study::Study;
use windesk_model::condition::Pairing;
use windesk_model::plural::counted;

use super::generate::GenerateArgs;
use super::{Done, read_text};

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
    let sets = generate.sets()?;
    let scans = scan.iter().map(|s| Scan::range(s)).chain(list.iter().map(|s| Scan::list(s))).collect::<Result<Vec<_>, _>>()?;
    let (written, mut parsed) = if sweep.ends_with(".toml") {
        let text = read_text(sweep.as_ref())?;
        // A scan is no change of what is written, but another sweep. A file may leave to `--set` what must be there.
        let written = if scans.is_empty() { shipped::parse_sweep(&sweep, &text, &[], &[]).ok() } else { None };
        (written, shipped::parse_sweep(&sweep, &text, &sets, &scans)?)
    } else {
        (None, shipped::sweep(&sweep, &sets, &scans)?)
    };
    parsed.conditions.iter_mut().try_for_each(|condition| generate.refine(condition))?;
    let parsed = shipped::named_sweep_of(written.as_ref(), parsed);
    let note = match parsed.pairing {
        Pairing::Scenes => "paired: the same scenes except for the knob",
        Pairing::Twins => "paired: the same windows as each session has them; sizes, positions and shell are the session's",
        Pairing::Targets => "paired by target, instruction and wallpaper; positions are drawn again",
        Pairing::None => "not paired: every condition has its own targets",
    };
    tell!("sweep: {}, {}, {note}", parsed.name, counted(parsed.conditions.len(), "condition"));
    let label = parsed.name.clone();
    let study = Study::of_sweep(parsed, generate.output.seed);
    generate.run(study, &label)
}

/// Runs `windesk sweeps`.
pub(super) fn sweeps() -> Done {
    for (name, text) in shipped::SWEEPS {
        data!("{name}");
        text.lines().map_while(|line| line.strip_prefix("# ")).for_each(|line| data!("    {line}"));
    }
    Done::Clean
}
