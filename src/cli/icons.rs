//! `windesk icons`: icon probes, single or in paired sweeps.

use std::path::{Path, PathBuf};

use clap::Args;

use windesk::shipped;
use windesk_dataset::{Probes, RunSummary};
use windesk_engine::icon_probe::{FolderIcons, OWN_LIBRARY, ProbeAssets, ProbeStudy, read_folder};
use windesk_engine::pack::Pack;
use windesk_model::Error;
use windesk_model::geometry::Size;
use windesk_model::plural::counted;

use super::run::{RunArgs, parse_canvas};
use super::{Done, PackArgs};

/// Flags of `windesk icons`.
#[derive(Debug, Args)]
#[command(
    after_help = "Designs: rare (default), familiar, near-duplicates, semantic-neighbours, same-name-different-style, size-sweep, count-sweep,
gap-sweep, contrast-sweep, wallpaper-sweep, position-grid, absent; or a TOML file. See docs/probes.md.

Examples:
  windesk icons --n 300
  windesk icons --n 300 --library emoji --icons 10..30 --size 24..128 --labels shuffled
  windesk icons --design size-sweep --n 100 --overlay
  windesk icons --n 50 --library my-icons --skip-bad"
)]
pub(super) struct IconsArgs {
    /// Name of a design, or a TOML file.
    #[arg(long, value_name = "DESIGN|FILE.toml", default_value = "rare")]
    design: String,
    /// emoji, glyph, familiar, mixed, or a folder of SVG and PNG files (with names.json, if you like).
    #[arg(long, value_name = "LIBRARY|DIR")]
    library: Option<String>,
    /// Leave out unusable files of the icon folder and list them, instead of stopping.
    #[arg(long)]
    skip_bad: bool,
    /// Only icons of this style (familiar: tabler, lucide, fluent).
    #[arg(long, value_name = "STYLE")]
    style: Option<String>,
    /// Number of icons per scene, or a range such as 5..40.
    #[arg(long, value_name = "K|A..B")]
    icons: Option<String>,
    /// Side of the icons in px, or a range such as 24..128.
    #[arg(long, value_name = "PX|A..B")]
    size: Option<String>,
    /// Minimum gap between icons in px, or `auto`: 0.1 of the screen's sides (twice tau = 0.05) if that fits.
    #[arg(long, value_name = "PX|auto")]
    min_gap: Option<String>,
    /// Layout: scatter, grid, jittered-grid, dock or cluster.
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<String>,
    /// Tile behind each icon: auto, none, rounded or circle.
    #[arg(long, value_name = "TILE")]
    tile: Option<String>,
    /// Captions below the icons: none, true, or shuffled (names of other icons).
    #[arg(long, value_name = "LABELS")]
    labels: Option<String>,
    /// Ids of the wallpapers, comma-separated.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    wallpaper: Vec<String>,
    /// Opacity of the icons, 0.05 to 1, or a range such as 0.3..1.
    #[arg(long, value_name = "SHARE|A..B")]
    opacity: Option<String>,
    /// Rotate icons by up to this many degrees in either direction.
    #[arg(long, value_name = "DEGREES")]
    rotate: Option<u32>,
    /// Minimum contrast between each icon and its background (WCAG ratio).
    #[arg(long, value_name = "RATIO")]
    contrast_min: Option<f64>,
    /// Names or files of prompt templates, comma-separated; one is drawn per index.
    #[arg(long, value_name = "PROMPT", value_delimiter = ',')]
    prompt: Vec<String>,
    /// What the desktop shows besides icons: none or taskbar.
    #[arg(long, value_name = "CHROME")]
    chrome: Option<String>,
    /// Size of the screen, such as 1920x1080.
    #[arg(long, value_name = "WxH")]
    canvas: Option<String>,
    /// Set a key of the design, such as `distractors.count=3`; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    pack: PackArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// Runs `windesk icons`.
pub(super) fn icons(args: IconsArgs) -> anyhow::Result<Done> {
    let pack = args.pack.open()?;
    let folder = args.library.as_deref().filter(|name| is_folder(&pack, name)).map(PathBuf::from);
    let study = shipped::design(&args.design, &sets(&args, folder.is_some())?, args.run.seed)?;
    // A file may leave to options what must be there.
    let written = shipped::design(&args.design, &[], args.run.seed).ok();
    let own = folder.as_deref().map(|folder| own_icons(folder, args.skip_bad)).transpose()?;
    let study = shipped::named_design(written.as_ref(), study, own.as_ref().map(|own| own.set.digest.as_str()));
    if own.is_none() && args.skip_bad {
        return Err(Error::config("--skip-bad", "found without --library DIR, expected a folder of icons").into());
    }
    let request = args.run.request(&format!("icons-{}", study.design))?;
    let probes = Probes::new(ProbeAssets::new(&pack, &study, own)?, study.clone());
    request.carry_out(&pack, &probes, |summary| tell(&study, summary))
}

/// Whether a library's name is a path: it says so itself, or the pack has none of that name and there is such a folder.
fn is_folder(pack: &Pack, name: &str) -> bool {
    name.contains(['/', '\\', '.']) || (!pack.probe_libraries().contains(&name) && Path::new(name).is_dir())
}

fn own_icons(folder: &Path, skip_bad: bool) -> anyhow::Result<FolderIcons> {
    let own = read_folder(folder, skip_bad)?;
    for skipped in &own.skipped {
        tell!("left out: {skipped}");
    }
    tell!("icons: {} from {}", own.set.icons.len(), folder.display());
    Ok(own)
}

/// Flags as changes to the design.
fn sets(args: &IconsArgs, folder: bool) -> Result<Vec<String>, Error> {
    let mut sets = args.set.clone();
    let quoted = |value: &str| toml_string(value);
    let library = if folder { Some(OWN_LIBRARY.to_owned()) } else { args.library.clone() };
    let words = [
        ("library", &library),
        ("style", &args.style),
        ("layout", &args.layout),
        ("tile", &args.tile),
        ("labels", &args.labels),
        ("chrome", &args.chrome),
    ];
    sets.extend(words.into_iter().filter_map(|(key, value)| value.as_ref().map(|v| format!("{key}={}", quoted(v)))));
    let numbers = [("icons", &args.icons), ("size", &args.size), ("min_gap", &args.min_gap), ("opacity", &args.opacity)];
    sets.extend(numbers.into_iter().filter_map(|(key, value)| value.as_ref().map(|v| format!("{key}={v}"))));
    sets.extend(args.rotate.map(|degrees| format!("rotate={degrees}")));
    sets.extend(args.contrast_min.map(|ratio| format!("contrast_min={ratio:?}")));
    for (key, list) in [("wallpapers", &args.wallpaper), ("prompts", &args.prompt)] {
        if !list.is_empty() {
            let items: Vec<String> = list.iter().map(|item| quoted(item)).collect();
            sets.push(format!("{key}=[{}]", items.join(", ")));
        }
    }
    if let Some(canvas) = &args.canvas {
        let Size { width, height } = parse_canvas(canvas)?;
        sets.push(format!("canvas=[{width}, {height}]"));
    }
    Ok(sets)
}

/// A TOML string.
fn toml_string(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// What is worth knowing of the probes.
fn tell(study: &ProbeStudy, summary: &RunSummary) {
    let draws: u64 = summary.stats.conditions.values().map(|c| c.draws).sum();
    let gap = study.conditions.iter().map(|c| c.gap).max_by_key(|g| g.x).unwrap_or(study.room.gap);
    tell!(
        "  {}, {:.2} draws per sample, gap at least {}x{} px",
        counted(study.conditions.len(), "condition"),
        draws as f64 / summary.samples.max(1) as f64,
        gap.x,
        gap.y
    );
}
