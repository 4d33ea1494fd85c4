//! `windesk export` and `windesk formats`.

use std::path::PathBuf;

use clap::Args;

use windesk_dataset::export::{ExportSettings, Format, export};
use windesk_model::Error;
use windesk_model::resize::ResizeRule;
use windesk_model::spelling::nearest;

use super::progress::Bar;
use super::{Done, choices};

/// Flags of `windesk export`.
#[derive(Debug, Args)]
#[command(after_help = "`windesk formats` lists the formats and what each loses.

Examples:
  windesk export windesk-L4-s0-n500 --to screenspot-pro --out screenspot-pro
  windesk export windesk-L4-s0-n500 --to ms-swift --out swift --images copy
  windesk export windesk-L4-s0-n500 --to coco --boxes visible --out coco
  windesk export windesk-L4-s0-n500 --to qwen2.5-vl --max-pixels 1003520 --allow-lossy --out qwen")]

pub(super) struct ExportArgs {
    /// The dataset's folder.
    dataset: PathBuf,
    /// The format.
    #[arg(long, value_name = "FORMAT")]
    to: String,
    /// The folder to write; it must not hold anything yet.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write the full boxes, or the smallest ones around what is visible.
    #[arg(long, value_enum, default_value = "full")]
    boxes: choices::BoxKind,
    /// Bring pictures along as hard links, as copies, or not at all.
    #[arg(long, value_enum, default_value = "link")]
    images: choices::ImageMode,
    /// Write it even if the format can't hold everything; what it can't is left out.
    #[arg(long)]
    allow_lossy: bool,
    /// For qwen2.5-vl: fewest pixels of a resized picture.
    #[arg(long, value_name = "N", default_value_t = ResizeRule::QWEN.min_pixels)]
    min_pixels: u64,
    /// For qwen2.5-vl: most pixels of a resized picture.
    #[arg(long, value_name = "N", default_value_t = ResizeRule::QWEN.max_pixels)]
    max_pixels: u64,
    /// Replace an earlier export.
    #[arg(long)]
    force: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

/// Flags of `windesk formats`.
#[derive(Debug, Args)]
pub(super) struct FormatsArgs {
    /// Print them as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs `windesk export`.
pub(super) fn run(args: ExportArgs) -> anyhow::Result<Done> {
    let format = Format::named(&args.to).ok_or_else(|| {
        let names: Vec<&str> = Format::all().map(|f| f.info().name).collect();
        let error = Error::config(format!("--to {}", args.to), format!("expected one of {}", names.join(", ")));
        match nearest(&args.to, names.iter().copied()) {
            Some(near) => error.with_hint(format!("did you mean {near}?")),
            None => error.with_hint("`windesk formats` says what each is"),
        }
    })?;
    let resize = ResizeRule { min_pixels: args.min_pixels, max_pixels: args.max_pixels, ..ResizeRule::QWEN };
    if resize.min_pixels > resize.max_pixels || resize.max_pixels < u64::from(resize.factor).pow(2) {
        let given = format!("--min-pixels {} --max-pixels {}", resize.min_pixels, resize.max_pixels);
        return Err(Error::config(given, "expected the fewest not above the most, and room for one patch of 28x28").into());
    }
    let settings = ExportSettings {
        boxes: args.boxes.into(),
        images: args.images.into(),
        resize,
        allow_lossy: args.allow_lossy,
        force: args.force,
    };
    let summary = export(&args.dataset, format, &args.out, &settings, &Bar::default())?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&summary)?);
    } else {
        println!("{}", args.out.display());
    }
    eprintln!("{}: {} scenes, {} targets, {} left out", format.info().name, summary.scenes, summary.targets, summary.left_out);
    Ok(Done::Clean)
}

/// Runs `windesk formats`.
pub(super) fn formats(args: &FormatsArgs) -> anyhow::Result<Done> {
    if args.json {
        let all = Format::all().map(|format| {
            let info = format.info();
            serde_json::json!({
                "name": info.name,
                "readers": info.readers,
                "files": info.files,
                "boxes": info.coordinates,
                "lossy": info.loses.is_some(),
                "loses": info.loses,
                "holds_absent": info.holds_absent,
            })
        });
        println!("{}", serde_json::to_string_pretty(&all.collect::<Vec<_>>())?);
        return Ok(Done::Clean);
    }
    for format in Format::all() {
        let info = format.info();
        println!("{}\n    for {}\n    {}; boxes: {}", info.name, info.readers, info.files, info.coordinates);
        match info.loses {
            Some(lost) => println!("    loses {lost} (needs --allow-lossy)"),
            None => println!(
                "    loses nothing of instructions and boxes{}",
                if info.holds_absent { "" } else { "; has no words for absent targets" }
            ),
        }
    }
    Ok(Done::Clean)
}
