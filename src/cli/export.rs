//! `windesk export` and `windesk formats`.

use std::path::PathBuf;

use clap::Args;

use windesk_dataset::export::{ExportSettings, Format, export};
use windesk_dataset::open_manifest;
use windesk_engine::pack::Pack;
use windesk_model::Error;
use windesk_model::plural::counted;
use windesk_model::resize::ResizeRule;
use windesk_model::spelling::nearest;

use super::progress::Bar;
use super::{Done, PackArgs, SyncArgs, choices};

/// Flags of `windesk export`.
#[derive(Debug, Args)]
#[command(after_help = "`windesk formats` lists the formats and what each one loses.

Examples:
  windesk export windesk-L4-s0-n500 --to screenspot-pro --out screenspot-pro
  windesk export windesk-L4-s0-n500 --to ms-swift --out swift --images copy
  windesk export windesk-L4-s0-n500 --to coco --boxes visible --out coco
  windesk export tasks --to medspot --out medspot
  windesk export windesk-L4-s0-n500 --to qwen2.5-vl --max-pixels 1003520 --out qwen")]
pub(super) struct ExportArgs {
    /// Folder of the dataset.
    dataset: PathBuf,
    /// Target format.
    #[arg(long, value_name = "FORMAT")]
    to: String,
    /// Folder to write; it must be empty or not exist.
    #[arg(long, value_name = "DIR", value_parser = super::folder())]
    out: PathBuf,
    /// Write full boxes, or the smallest boxes around the visible pixels.
    #[arg(long, value_enum, default_value = "full")]
    boxes: choices::BoxKind,
    /// Include images as hard links, as copies, or not at all.
    #[arg(long, value_enum, default_value = "link")]
    images: choices::ImageMode,
    /// Export even if the format can't hold everything; leave out what it can't hold.
    #[arg(long)]
    allow_lossy: bool,
    /// Format qwen2.5-vl alone: minimum number of pixels of a resized image [default: 3136].
    #[arg(long, value_name = "N")]
    min_pixels: Option<u64>,
    /// Format qwen2.5-vl alone: maximum number of pixels of a resized image [default: 12845056].
    #[arg(long, value_name = "N")]
    max_pixels: Option<u64>,
    /// Replace an earlier export.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pack: PackArgs,
    #[command(flatten)]
    sync: SyncArgs,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

/// Flags of `windesk formats`.
#[derive(Debug, Args)]
pub(super) struct FormatsArgs {
    /// Print the list as JSON.
    #[arg(long)]
    json: bool,
}

/// Formats that only builds with the feature `parquet` write.
const PARQUET_FORMATS: [&str; 3] = ["hf-parquet", "verl", "hf-parquet-steps"];

/// Runs `windesk export`.
pub(super) fn run(args: ExportArgs) -> anyhow::Result<Done> {
    let format = Format::named(&args.to).ok_or_else(|| {
        if PARQUET_FORMATS.contains(&args.to.as_str()) {
            let problem = "is written as Parquet, which this build does not have, expected a build with the feature `parquet`";
            return Error::config(format!("--to {}", args.to), problem).with_hint("cargo build --release --features parquet");
        }
        let names: Vec<&str> = Format::all().map(|f| f.info().name).collect();
        let error = Error::config(format!("--to {}", args.to), format!("expected one of {}", names.join(", ")));
        match nearest(&args.to, names.iter().copied()) {
            Some(near) => error.with_hint(format!("did you mean {near}?")),
            None => error.with_hint("`windesk formats` says what each is"),
        }
    })?;
    for (option, given) in [("--min-pixels", args.min_pixels), ("--max-pixels", args.max_pixels)] {
        if let Some(given) = given.filter(|_| !format.resizes()) {
            let problem = format!("{} is not of resized images, expected format qwen2.5-vl beside it", format.info().name);
            return Err(Error::config(format!("{option} {given}"), problem).into());
        }
    }
    let resize = ResizeRule {
        min_pixels: args.min_pixels.unwrap_or(ResizeRule::QWEN.min_pixels),
        max_pixels: args.max_pixels.unwrap_or(ResizeRule::QWEN.max_pixels),
        ..ResizeRule::QWEN
    };
    if resize.min_pixels > resize.max_pixels || resize.max_pixels < u64::from(resize.factor).pow(2) {
        let given = format!("--min-pixels {} --max-pixels {}", resize.min_pixels, resize.max_pixels);
        return Err(Error::config(
            given,
            "expected a minimum not above the maximum, and a maximum of at least one patch of 28x28",
        )
        .into());
    }
    let settings = ExportSettings {
        boxes: args.boxes.into(),
        images: args.images.into(),
        resize,
        allow_lossy: args.allow_lossy,
        force: args.force,
        durability: args.sync.durability(),
    };
    let pack = if format.wants_pack() { pack_of(&args)? } else { None };
    let summary = export(&args.dataset, format, pack, &args.out, &settings, &Bar::default())?;
    if args.json {
        data!("{}", serde_json::to_string_pretty(&summary)?);
    } else {
        data!("{}", args.out.display());
    }
    let name = format.info().name;
    if format.of_tasks() {
        tell!("{name}: {}, {}", counted(summary.tasks, "task"), counted(summary.targets, "step"));
    } else if format.of_states() {
        tell!("{name}: {}", counted(summary.targets, "instance"));
    } else {
        let (scenes, targets) = (counted(summary.scenes, "scene"), counted(summary.targets, "target"));
        tell!("{name}: {scenes}, {targets}, {} left out", summary.left_out);
    }
    Ok(Done::Clean)
}

/// The pack that a dataset was made from: the one that was named, or the default one if it is that. Without it the
/// export lacks what only the pack tells, and says so.
fn pack_of(args: &ExportArgs) -> anyhow::Result<Option<Pack>> {
    let manifest = open_manifest(&args.dataset)?;
    if args.pack.pack.is_some() {
        return Ok(Some(args.pack.open_for(manifest.split())?));
    }
    let missing = match args.pack.open_for(manifest.split()) {
        Ok(pack) if pack.digest == manifest.pack.digest => return Ok(Some(pack)),
        Ok(_) => {
            format!("it was made from the pack `{}` {}, not from the default one", manifest.pack.name, manifest.pack.version)
        }
        Err(error) => format!("{error:#}"),
    };
    tell!("segmentation left out: which pixels are visible is made from the pack, and {missing}");
    tell!("hint: name the pack with --pack");
    Ok(None)
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
                "omits": info.omits,
                "tasks": format.of_tasks(),
                "states": format.of_states(),
                "rounds": info.rounds,
                "holds_absent": info.holds_absent,
            })
        });
        data!("{}", serde_json::to_string_pretty(&all.collect::<Vec<_>>())?);
        return Ok(Done::Clean);
    }
    for format in Format::all() {
        let info = format.info();
        data!("{}\n    for {}\n    {}; boxes: {}", info.name, info.readers, info.files, info.coordinates);
        if let Some(omitted) = info.omits {
            data!("    leaves out {omitted}");
        }
        match info.loses {
            Some(lost) => data!("    loses {lost} (needs --allow-lossy)"),
            None if format.of_tasks() => data!("    keeps all goals, instructions and boxes"),
            None if format.of_states() => data!("    keeps all instructions and boxes"),
            None => data!(
                "    keeps all instructions and boxes{}{}",
                info.rounds.map_or(String::new(), |rounds| format!(", rounds {rounds}")),
                if info.holds_absent { "" } else { "; cannot express absent targets" }
            ),
        }
    }
    if !cfg!(feature = "parquet") {
        tell!("{}: only in builds with the feature `parquet`", PARQUET_FORMATS.join(", "));
    }
    Ok(Done::Clean)
}
