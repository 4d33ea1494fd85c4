//! `windesk synth`: a dataset at a level, or at all five jointly.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;

use clap::Args;

use super::{Done, PackArgs, read_text};
use crate::config::{self, ChromeMode, Condition, ConfigError, InstructionChoice, LEVELS, Protocol, TargetSize, nearest};
use crate::dataset::{RunSettings, RunSummary, Scenes, run};
use crate::geom::Size;
use crate::pack::{Category, Pack, RoleGroup, UiType};
use crate::render::ImageFormat;
use crate::study::Study;

/// Flags of `windesk synth`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  windesk synth --level L4 --n 500
  windesk synth --level all --n 200 --seed 7 --out levels
  windesk synth --level L3 --n 50 --set visible_ratio=0.6..0.7 --set distractor.rank=1 --overlay
  windesk synth --level my-level.toml --n 100 --chrome taskbar --format webp")]
pub(super) struct SynthArgs {
    /// L1..L5, `all` for the five planned jointly, or a level file.
    #[arg(long, value_name = "LEVEL|FILE.toml")]
    level: String,
    /// Number of samples (with `all`: per level).
    #[arg(long, value_name = "N")]
    n: u64,
    /// Seed; the same seed gives the same dataset.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Output folder [default: windesk-<level>-s<seed>-n<n>].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pack: PackArgs,
    /// Rules: `windesk`, or the paper's generator as published.
    #[arg(long, value_name = "PROTOCOL")]
    protocol: Option<String>,
    /// Changes a key of the level, such as `windows=4..6` or `distractor.rank=3`.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Makes only the i-th of n equal shards (`0/4`), or the one that the job scheduler names (`auto`, `auto/4`).
    #[arg(long, value_name = "I/N|auto")]
    shard: Option<String>,
    /// Makes only these indices, such as `100..200`.
    #[arg(long, value_name = "A..B", conflicts_with = "shard")]
    range: Option<String>,
    /// Worker threads [default: all cores].
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Writes debug pictures with boxes and masks too.
    #[arg(long)]
    overlay: bool,
    /// What the desktop shows: none, taskbar or full.
    #[arg(long, value_name = "CHROME")]
    chrome: Option<String>,
    /// Size of the screen, such as 1920x1080.
    #[arg(long, value_name = "WxH")]
    canvas: Option<String>,
    /// Format of the images.
    #[arg(long, value_enum, default_value = "png")]
    format: ImageFormat,
    /// Which instructions to ask: all or reviewed.
    #[arg(long, value_name = "CHOICE")]
    instructions: Option<String>,
    /// Wallpapers by id, comma-separated.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    wallpaper: Vec<String>,
    /// Only targets of these categories.
    #[arg(long, value_name = "CATEGORY", value_delimiter = ',')]
    category: Vec<String>,
    /// Only targets of these programs.
    #[arg(long, value_name = "APP", value_delimiter = ',')]
    app: Vec<String>,
    /// Only targets of these role groups (button, menu_item, tab, ..).
    #[arg(long, value_name = "ROLE", value_delimiter = ',')]
    role: Vec<String>,
    /// Only targets that show their name (`text`) or do not (`icon`).
    #[arg(long, value_name = "TYPE", value_delimiter = ',')]
    ui_type: Vec<String>,
    /// Only targets of these strata of size: small, medium, large.
    #[arg(long, value_name = "SIZE", value_delimiter = ',')]
    target_size: Vec<String>,
    /// Start over in a folder that holds another run.
    #[arg(long)]
    force: bool,
}

/// Runs `windesk synth`.
pub(super) fn synth(args: SynthArgs) -> anyhow::Result<Done> {
    let conditions = conditions(&args)?;
    let pack = args.pack.open()?;
    check_against_pack(&args, &pack)?;
    let SynthArgs { level, n, seed, out, shard, range, threads, overlay, format, force, .. } = args;
    if n == 0 {
        return Err(ConfigError::new("--n 0", "expected at least 1").into());
    }
    let joint = conditions.len() > 1;
    let label = if joint { "all".to_owned() } else { conditions[0].name.clone() };
    let study = Study {
        name: format!("{}-s{seed}", if joint { "levels" } else { &label }),
        sweep: joint.then(|| "levels".to_owned()),
        conditions,
        seed,
    };
    let range = match (range, shard) {
        (Some(range), _) => parse_range(&range, n)?,
        (None, Some(shard)) => parse_shard(&shard, n)?,
        (None, None) => 0..n,
    };
    let settings = RunSettings {
        out: out.unwrap_or_else(|| format!("windesk-{}-s{seed}-n{n}", if level.contains('.') { &label } else { &level }).into()),
        count: n,
        range,
        format,
        threads: threads
            .filter(|&t| t > 0)
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get)),
        overlay,
        force,
        command_line: std::env::args().collect(),
    };
    let summary = run(&pack, &Scenes::new(&pack, study.clone())?, &settings)?;
    report(&settings, &study, &summary);
    Ok(if summary.holes.is_empty() { Done::Clean } else { Done::WithFindings })
}

fn conditions(args: &SynthArgs) -> anyhow::Result<Vec<Condition>> {
    let mut sets = args.set.clone();
    let mut add = |key: &str, value: &Option<String>| sets.extend(value.iter().map(|v| format!("{key}={v}")));
    add("protocol", &args.protocol);
    add("chrome", &args.chrome);
    add("instructions", &args.instructions);
    if let Some(canvas) = &args.canvas {
        let Size { width, height } = parse_canvas(canvas)?;
        sets.push(format!("canvas=[{width}, {height}]"));
    }
    let mut conditions = if args.level.eq_ignore_ascii_case("all") {
        LEVELS.iter().map(|(name, _)| config::level(name, &sets)).collect::<Result<Vec<_>, _>>()?
    } else if args.level.ends_with(".toml") {
        let text = read_text(args.level.as_ref())?;
        vec![config::parse_level(&args.level, &text, &sets)?]
    } else {
        vec![config::level(&args.level, &sets)?]
    };
    let categories = Category::ALL.map(Category::name);
    for condition in &mut conditions {
        condition.filters.categories.extend(named::<Category>("--category", &args.category, &categories)?);
        condition.filters.roles.extend(named::<RoleGroup>("--role", &args.role, &ROLE_GROUPS)?);
        condition.filters.ui_types.extend(named::<UiType>("--ui-type", &args.ui_type, &["icon", "text"])?);
        condition.filters.target_sizes.extend(named::<TargetSize>(
            "--target-size",
            &args.target_size,
            &["small", "medium", "large"],
        )?);
        condition.filters.apps.extend(args.app.iter().cloned());
        condition.wallpapers.extend(args.wallpaper.iter().cloned());
        if condition.protocol == Protocol::Windeskground {
            as_published(condition, args.chrome.is_some());
        }
    }
    Ok(conditions)
}

/// The preset's own settings: no chrome, no rules on ink.
fn as_published(condition: &mut Condition, chrome_chosen: bool) {
    if !chrome_chosen {
        condition.chrome = ChromeMode::None;
    }
    condition.target.ink_min = None;
    condition.target.min_visible_px = 1;
}

const ROLE_GROUPS: [&str; 16] = [
    "button",
    "menu",
    "menu_item",
    "tab",
    "check_box",
    "radio",
    "switch",
    "field",
    "combo_box",
    "spin_button",
    "slider",
    "item",
    "cell",
    "link",
    "header",
    "icon",
];

/// Parses names of a closed list, with the nearest known one for a mistyped one.
fn named<T: serde::de::DeserializeOwned>(flag: &str, given: &[String], known: &[&str]) -> Result<Vec<T>, ConfigError> {
    given
        .iter()
        .map(|name| {
            serde_json::from_value(serde_json::Value::String(name.clone())).map_err(|_| {
                let error = ConfigError::new(format!("{flag} {name}"), format!("expected one of {}", known.join(", ")));
                match nearest(name, known.iter().copied()) {
                    Some(near) => error.with_hint(format!("did you mean {near}?")),
                    None => error,
                }
            })
        })
        .collect()
}

fn check_against_pack(args: &SynthArgs, pack: &Pack) -> anyhow::Result<()> {
    let programs: BTreeSet<&str> = pack.programs.iter().flat_map(|p| [p.record.id.as_str(), p.record.name.as_str()]).collect();
    for app in &args.app {
        if !programs.contains(app.as_str()) {
            let error = ConfigError::new(format!("--app {app}"), "expected the id or name of a program of the pack");
            return Err(match nearest(app, programs.iter().copied()) {
                Some(near) => error.with_hint(format!("did you mean {near}?")),
                None => error.with_hint("`windesk pack stats` lists them"),
            }
            .into());
        }
    }
    for id in &args.wallpaper {
        if !pack.wallpapers.iter().any(|w| w.id == *id) {
            let ids: Vec<&str> = pack.wallpapers.iter().map(|w| w.id.as_str()).collect();
            return Err(ConfigError::new(format!("--wallpaper {id}"), format!("expected one of {}", ids.join(", "))).into());
        }
    }
    if args.instructions.as_deref() == Some("reviewed") && pack.instructions.is_empty() {
        return Err(ConfigError::new(
            "--instructions reviewed",
            format!("the pack `{}` has no reviewed instructions", pack.header.name),
        )
        .into());
    }
    Ok(())
}

fn parse_canvas(text: &str) -> Result<Size, ConfigError> {
    let bad = || ConfigError::new(format!("--canvas {text}"), "expected WIDTHxHEIGHT in pixels, such as 2560x1440");
    let (width, height) = text.split_once('x').ok_or_else(bad)?;
    let size = [width.parse().map_err(|_| bad())?, height.parse().map_err(|_| bad())?];
    Size::try_from(size).map_err(|problem| ConfigError::new(format!("--canvas {text}"), problem))
}

fn parse_range(text: &str, n: u64) -> Result<Range<u64>, ConfigError> {
    let bad = |problem: String| ConfigError::new(format!("--range {text}"), problem);
    let parsed = text.split_once("..").and_then(|(a, b)| Some(a.trim().parse().ok()?..b.trim().parse().ok()?));
    let range: Range<u64> = parsed.ok_or_else(|| bad("expected A..B, two indices, the second not included".into()))?;
    if range.start < range.end && range.end <= n {
        Ok(range)
    } else {
        Err(bad(format!("expected A below B and B at most {n}, the number of samples")))
    }
}

/// `i/n`, or `auto[/n]`: the one place that reads the environment of job schedulers.
fn parse_shard(text: &str, n: u64) -> Result<Range<u64>, ConfigError> {
    let bad = |problem: String| ConfigError::new(format!("--shard {text}"), problem);
    let variable = |names: &[&str]| names.iter().find_map(|name| std::env::var(name).ok()).and_then(|v| v.parse::<u64>().ok());
    let (at, of) = text.split_once('/').map_or((text, None), |(at, of)| (at, Some(of)));
    let at = if at == "auto" {
        variable(&["JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID"])
            .ok_or_else(|| bad("found neither JOB_COMPLETION_INDEX nor SLURM_ARRAY_TASK_ID in the environment".into()))?
    } else {
        at.parse().map_err(|_| bad("expected I/N, such as 0/4, or auto".into()))?
    };
    let of = match of {
        Some(of) => of.parse().map_err(|_| bad("expected a number of shards after `/`".into()))?,
        None => {
            variable(&["JOB_COMPLETIONS", "SLURM_ARRAY_TASK_COUNT"]).ok_or_else(|| bad("expected I/N, such as 0/4".into()))?
        }
    };
    if at >= of || of > n {
        return Err(bad(format!("expected a shard below {of}, and at most {n} shards for {n} samples")));
    }
    let border = |shard: u64| (u128::from(n) * u128::from(shard) / u128::from(of)) as u64;
    Ok(border(at)..border(at + 1))
}

fn report(settings: &RunSettings, study: &Study, summary: &RunSummary) {
    println!("{}", settings.out.display());
    eprintln!(
        "{} samples in {} ({} made now in {:.1} s, {:.1} per second)",
        summary.samples,
        settings.out.display(),
        summary.made,
        summary.seconds,
        summary.made as f64 / summary.seconds.max(1e-9),
    );
    for condition in &study.conditions {
        let Some(stats) = summary.stats.conditions.get(&condition.name) else { continue };
        let share = |count: u64| 100.0 * count as f64 / stats.scenes.max(1) as f64;
        eprintln!(
            "  {}: {} scenes, {:.2} draws per sample, median similarity {}, target active in {:.1} %, topmost in {:.1} %",
            condition.name,
            stats.scenes,
            stats.draws_per_sample(),
            stats.median_similarity().map_or("-".to_owned(), |m| format!("{m:.2}")),
            share(stats.target_active),
            share(stats.target_topmost),
        );
    }
    if !summary.holes.is_empty() {
        eprintln!("holes: indices {:?} gave no sample; rejections.jsonl says why", summary.holes);
    }
    if study.conditions.iter().any(|c| c.instructions == InstructionChoice::Reviewed) {
        eprintln!("only reviewed instructions were asked");
    }
}
