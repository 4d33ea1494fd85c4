//! `windesk states`: controls in some state, and the state that one act must bring them to.

use clap::Args;

use windesk::request::{Controls, StateRequest, of_precision, of_states};
use windesk_dataset::{RunSummary, StateScenes};
use windesk_engine::config::Scan;
use windesk_model::plural::counted;
use windesk_model::setting::{PLATFORMS, platform_name};

use super::generate::GenerateArgs;
use super::{Done, choices};

/// Flags of `windesk states`.
#[derive(Debug, Args)]
#[command(
    after_help = "Families: range, option, data, structure; types: slider, knob, stepper, seek_bar, chart_point, switch, check_box, ..
See docs/states.md.

Examples:
  windesk states --n 2300
  windesk states --n 200 --platform mobile-web --family range,data --overlay
  windesk states --n 100 --platform desktop --type check_box,stepper --level L3"
)]
pub(super) struct StatesArgs {
    /// What controls are shown on: desktop, web, mobile-web, or all [default].
    #[arg(long, value_name = "PLATFORM", value_delimiter = ',', default_value = "all")]
    platform: Vec<String>,
    /// Only types of these families: range, option, data, structure.
    #[arg(long, value_name = "FAMILY", value_delimiter = ',')]
    family: Vec<String>,
    /// Only these types of controls.
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',')]
    types: Vec<String>,
    /// What help the questions give, from the truth.
    #[arg(long, value_enum, default_value = "none")]
    hint: choices::HintKind,
    /// Level whose number of windows desktops have: L1 to L5, or a level file [default: the control's window alone].
    #[arg(long, value_name = "LEVEL|FILE.toml")]
    level: Option<String>,
    #[command(flatten)]
    generate: GenerateArgs,
}

/// Runs `windesk states`.
pub(super) fn states(args: StatesArgs) -> anyhow::Result<Done> {
    let StatesArgs { platform, family, types, hint, level, generate } = args;
    let controls = Controls { platforms: platform, families: family, types };
    let asked = of_states(&controls, hint.into(), level.as_deref(), &generate.sets()?, &generate.narrowing())?;
    make(generate, &asked)
}

/// Runs `windesk sweep state-precision`.
pub(super) fn precision(generate: GenerateArgs, scans: &[Scan]) -> anyhow::Result<Done> {
    let asked = of_precision(&generate.sets()?, scans, &generate.narrowing())?;
    make(generate, &asked)
}

fn make(generate: GenerateArgs, asked: &StateRequest) -> anyhow::Result<Done> {
    let pack = generate.pack.open_part(asked.conditions[0].split)?;
    generate.narrowing().check(&pack, &asked.conditions)?;
    let study = asked.study(generate.output.seed);
    let request = generate.output.request(&asked.label)?;
    let source = StateScenes::new(&pack, study)?;
    for (platform, name) in PLATFORMS.into_iter().filter(|(platform, _)| source.study_has(*platform)) {
        let counts = source.pool().counts();
        let here = || counts.iter().filter(|((on, _), _)| *on == name);
        let lacking: Vec<&str> =
            source.pool().lacking().iter().filter(|(on, _)| *on == platform).map(|(_, component)| component.name).collect();
        let without = if lacking.is_empty() { String::new() } else { format!("; none of {}", lacking.join(", ")) };
        let controls: usize = here().map(|(_, count)| count).sum();
        tell!("{}: {} of {}{without}", platform_name(platform), counted(controls, "control"), counted(here().count(), "type"));
    }
    request.carry_out(&pack, &source, tell)
}

fn tell(summary: &RunSummary) {
    for (name, stats) in &summary.stats.conditions {
        tell!("  {name}: {}, {:.2} draws per instance", counted(stats.scenes, "instance"), stats.draws_per_sample());
    }
}
