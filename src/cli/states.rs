//! `windesk states`: controls in some state, and the state that one act must bring them to.

use clap::Args;

use windesk::request::condition_of_level;
use windesk_dataset::{PRECISION_SWEEP, RunSummary, StateScenes};
use windesk_desktop::setting::{CoreBand, StateStudy};
use windesk_engine::pack::IndexedPack;
use windesk_model::Error;
use windesk_model::condition::Condition;
use windesk_model::pack_format::Platform;
use windesk_model::plural::counted;
use windesk_model::setting::{COMPONENTS, Component, Family, HintKind, PLATFORMS, platform_name};
use windesk_model::spelling::nearest;

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
    let platforms = platforms_of(&platform)?;
    let components = components_of(&family, &types)?;
    if level.is_some() && !platforms.contains(&Platform::Desktop) {
        let found = format!("option `level` with platform {}", platform.join(","));
        return Err(Error::config(found, "pages alone have no level, expected platform desktop or all").into());
    }
    let narrowing = generate.narrowing();
    // The control is in front, so nothing hides it; what else shows are other windows.
    let mut sets: Vec<String> = vec!["visible_ratio=[1.0, 1.0]".to_owned(), "distractor.count=0".to_owned()];
    if level.is_none() {
        sets.push("windows=1".to_owned());
    }
    sets.extend(generate.sets()?);
    let mut condition = condition_of_level(level.as_deref().unwrap_or("L1"), &sets, &narrowing)?;
    condition.name = level.as_deref().filter(|level| !level.ends_with(".toml")).unwrap_or("alone").to_owned();
    let pack = generate.pack.open_part(condition.split)?;
    narrowing.check(&pack, std::slice::from_ref(&condition))?;
    let seed = generate.output.seed;
    let hint = hint.into();
    let label = label(&platform, &family, &types, &condition.name, hint);
    let study = StateStudy {
        name: format!("{label}-s{seed}"),
        conditions: vec![condition],
        seed,
        platforms,
        types: components.iter().map(|component| component.kind).collect(),
        hint,
        bands: Vec::new(),
    };
    make(generate, &pack, study, &label)
}

/// Target cores of the sweep: names of its conditions, and from and to how many px the shorter side measures.
const BANDS: [(&str, [u32; 2]); 3] = [("core-3-9", [3, 9]), ("core-10-19", [10, 19]), ("core-20", [20, u32::MAX])];

/// What the sweep is, for people.
pub(super) const PRECISION: &str =
    "One page of the web in one state: the same picture to the pixel. What is asked for has a target core whose
shorter side measures 3 to 9, 10 to 19, or at least 20 px. Records are state instances.";

/// Runs `windesk sweep state-precision`.
pub(super) fn precision(generate: GenerateArgs) -> anyhow::Result<Done> {
    let narrowing = generate.narrowing();
    let mut sets = ["visible_ratio=[1.0, 1.0]", "distractor.count=0", "windows=1"].map(str::to_owned).to_vec();
    sets.extend(generate.sets()?);
    let base = condition_of_level("L1", &sets, &narrowing)?;
    let conditions: Vec<Condition> =
        BANDS.into_iter().map(|(name, _)| Condition { name: name.to_owned(), ..base.clone() }).collect();
    let pack = generate.pack.open_part(base.split)?;
    narrowing.check(&pack, &conditions)?;
    let seed = generate.output.seed;
    let study = StateStudy {
        name: format!("{PRECISION_SWEEP}-s{seed}"),
        conditions,
        seed,
        platforms: vec![Platform::Web],
        types: COMPONENTS.into_iter().map(|component| component.kind).collect(),
        hint: HintKind::None,
        bands: BANDS.into_iter().map(|(_, [from_px, to_px])| CoreBand { from_px, to_px }).collect(),
    };
    make(generate, &pack, study, PRECISION_SWEEP)
}

fn make(generate: GenerateArgs, pack: &IndexedPack, study: StateStudy, label: &str) -> anyhow::Result<Done> {
    let request = generate.output.request(label)?;
    let source = StateScenes::new(pack, study)?;
    for (platform, name) in PLATFORMS.into_iter().filter(|(platform, _)| source.study_has(*platform)) {
        let counts = source.pool().counts();
        let here = || counts.iter().filter(|((on, _), _)| *on == name);
        let lacking: Vec<&str> =
            source.pool().lacking().iter().filter(|(on, _)| *on == platform).map(|(_, component)| component.name).collect();
        let without = if lacking.is_empty() { String::new() } else { format!("; none of {}", lacking.join(", ")) };
        let controls: usize = here().map(|(_, count)| count).sum();
        tell!("{}: {} of {}{without}", platform_name(platform), counted(controls, "control"), counted(here().count(), "type"));
    }
    request.carry_out(pack, &source, tell)
}

fn platforms_of(names: &[String]) -> Result<Vec<Platform>, Error> {
    let known = || PLATFORMS.into_iter().map(|(_, name)| name).chain(["all"]);
    for name in names {
        if !known().any(|known| known == name) {
            return Err(unknown("platform", name, known().collect()));
        }
    }
    let wanted = |name: &str| names.iter().any(|asked| asked == name || asked == "all");
    Ok(PLATFORMS.into_iter().filter(|(_, name)| wanted(name)).map(|(platform, _)| platform).collect())
}

fn components_of(families: &[String], types: &[String]) -> Result<Vec<Component>, Error> {
    let known_families = Family::ALL.map(Family::name);
    if let Some(name) = families.iter().find(|name| !known_families.contains(&name.as_str())) {
        return Err(unknown("family", name, known_families.to_vec()));
    }
    if let Some(name) = types.iter().find(|name| Component::named(name).is_none()) {
        return Err(unknown("type", name, COMPONENTS.map(|component| component.name).to_vec()));
    }
    let is_wanted = |component: &Component| {
        (families.is_empty() || families.iter().any(|name| name == component.family.name()))
            && (types.is_empty() || types.iter().any(|name| name == component.name))
    };
    let components: Vec<Component> = COMPONENTS.into_iter().filter(is_wanted).collect();
    if components.is_empty() {
        let found = format!("options `family` {} and `type` {}", families.join(","), types.join(","));
        return Err(Error::config(found, "no type is of these families, expected at least one"));
    }
    Ok(components)
}

fn unknown(option: &str, name: &str, known: Vec<&str>) -> Error {
    let error = Error::config(format!("option `{option}` {name}"), format!("expected one of {}", known.join(", ")));
    match nearest(name, known) {
        Some(near) => error.with_hint(format!("did you mean {near}?")),
        None => error,
    }
}

/// What dataset and folder are called: what is as usual is not said.
fn label(platforms: &[String], families: &[String], types: &[String], condition: &str, hint: HintKind) -> String {
    let mut label = "states".to_owned();
    let named = platforms.iter().filter(|name| *name != "all").chain(families).chain(types);
    named.for_each(|name| label += &format!("-{name}"));
    if condition != "alone" {
        label += &format!("-{condition}");
    }
    match hint {
        HintKind::None => {}
        HintKind::Description => label += "-description",
        HintKind::Box => label += "-box",
    }
    label
}

fn tell(summary: &RunSummary) {
    for (name, stats) in &summary.stats.conditions {
        tell!("  {name}: {}, {:.2} draws per instance", counted(stats.scenes, "instance"), stats.draws_per_sample());
    }
}
