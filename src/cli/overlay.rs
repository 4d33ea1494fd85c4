//! `windesk overlay`: the truth drawn over the pictures of a finished dataset.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use windesk_dataset::{OverlaySettings, open_manifest, write_animations, write_overlay, write_overlays};
use windesk_model::plural::counted;

use super::outputs::{Output, check_outputs};
use super::progress::Bar;
use super::{Done, PackArgs, folder, image_format, threads_or_all};

/// Flags of `windesk overlay`.
#[derive(Debug, Args)]
#[command(
    after_help = "Boxes and visible pixels of targets are green, occluders red, similar distractors orange; the instruction is on a strip.
Of tasks, what changed since the keyframe before is yellow, and other places where a click is as good are cyan.

Examples:
  windesk overlay windesk-L4-s0-n500
  windesk overlay windesk-tasks-mixed-L3-s0-n200 --animation --limit 20
  windesk overlay windesk-L4-s0-n500 --id L4-s0.L4-000123 --out scene.png"
)]
pub(super) struct OverlayArgs {
    /// Folder of the dataset.
    dataset: PathBuf,
    /// One animated WebP file per task in place of a picture per scene: its keyframes with their clicks.
    #[arg(long)]
    animation: bool,
    /// Only these scenes, by the id of a scene or a target; may be repeated.
    #[arg(long, value_name = "ID")]
    id: Vec<String>,
    /// Only the first N scenes, or tasks.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
    /// Folder to write, or an image file (.png, .jpg, .webp) for one scene [default: <dataset>-overlays].
    #[arg(long, value_name = "DIR|FILE", value_parser = folder())]
    out: Option<PathBuf>,
    /// Worker threads [default: all cores].
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    #[command(flatten)]
    pack: PackArgs,
}

/// Runs `windesk overlay`.
pub(super) fn overlay(args: OverlayArgs) -> anyhow::Result<Done> {
    let out = match args.out {
        Some(out) => out,
        None => beside(&args.dataset, "-overlays")?,
    };
    let file_format = image_format(&out)?;
    check_outputs(&[Output { option: "--out", path: &out }], &[&args.dataset])?;
    let settings = OverlaySettings { ids: args.id, limit: args.limit, threads: threads_or_all(args.threads) };
    // The pack lends its fonts alone.
    let pack = args.pack.open()?;
    if args.animation {
        if file_format.is_some() {
            let error = windesk_model::Error::config(format!("--out {}", out.display()), "a file, expected a folder");
            return Err(error.with_hint("animations are files in it, one per task").into());
        }
        let drawn = write_animations(&args.dataset, &out, &pack, &settings, &Bar::default())?;
        tell!("{}", counted(drawn, "task"));
    } else if let Some(format) = file_format {
        write_overlay(&args.dataset, &out, format, &pack, &settings)?;
    } else {
        let drawn = write_overlays(&args.dataset, &out, &pack, &settings, &Bar::default())?;
        let samples = open_manifest(&args.dataset)?.samples;
        let rest = if (drawn as u64) < samples && drawn == settings.limit { "; --limit draws more" } else { "" };
        tell!("{drawn} of {}{rest}", counted(samples, "scene"));
    }
    data!("{}", out.display());
    Ok(Done::Clean)
}

/// A folder beside a dataset, called as the dataset with an ending.
pub(super) fn beside(dataset: &Path, ending: &str) -> anyhow::Result<PathBuf> {
    let name = dataset.canonicalize().ok().and_then(|p| Some(p.file_name()?.to_os_string()));
    let mut name = name.with_context(|| format!("{}: not found, expected a dataset", dataset.display()))?;
    name.push(ending);
    Ok(dataset.parent().unwrap_or(Path::new("")).join(name))
}
