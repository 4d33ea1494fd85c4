//! `windesk replay`: renders stored plans again, without random numbers.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use windesk_dataset::open_manifest;
use windesk_engine::annotate::annotate;
use windesk_engine::pack::{IndexedPack, Pack};
use windesk_engine::render::{Encoder, Frame, ImageFormat, Renderer, TextEngine, paint_instructions, paint_overlay};
use windesk_files::compressed::{self, decompressed, either};
use windesk_files::{MAX_PART_BYTES, Root, write_named};
use windesk_model::Error;
use windesk_model::plan::Plan;
use windesk_model::plural::counted;

use super::outputs::{Output, check_outputs};
use super::{Done, PackArgs, folder, image_format};

/// Flags of `windesk replay`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  windesk replay windesk-L4-s0-n500 --id L4-s0.L4-000123 --out scene.png
  windesk replay windesk-L4-s0-n500/plans/part-00000.jsonl --index 123 --overlay --out scenes")]
pub(super) struct ReplayArgs {
    /// Folder of a dataset, or a file of plans (plans/*.jsonl of a dataset, compressed or not).
    #[arg(value_name = "DATASET|FILE")]
    plans: PathBuf,
    /// Render only the plan of this scene, by the id of the scene or of a target.
    #[arg(long, conflicts_with = "index")]
    id: Option<String>,
    /// Render only the plans of this index [default: all].
    #[arg(long)]
    index: Option<u64>,
    /// Image file (.png, .jpg, .webp) for one plan, or folder for several.
    #[arg(long, value_name = "DIR|FILE", value_parser = folder())]
    out: PathBuf,
    /// Draw boxes, masks and instructions over the scenes.
    #[arg(long)]
    overlay: bool,
    #[command(flatten)]
    pack: PackArgs,
}

/// Runs `windesk replay`.
pub(super) fn replay(args: ReplayArgs) -> anyhow::Result<Done> {
    let file_format = image_format(&args.out)?;
    check_outputs(&[Output { option: "--out", path: &args.out }], &[&args.plans])?;
    let plans = chosen_plans(&args)?;
    if let (Some(_), [first, second, ..]) = (file_format, &plans[..]) {
        let problem = format!("one file for {}, expected one plan", counted(plans.len(), "plan"));
        let hint = format!("give a folder, or choose one with --id, such as {} or {}", name_of(first), name_of(second));
        return Err(Error::config(format!("--out {}", args.out.display()), problem).with_hint(hint).into());
    }
    let pack = if args.overlay { Assets::Indexed(args.pack.open()?.indexed()?) } else { Assets::Plain(args.pack.open()?) };
    let renderer = Renderer::new(pack.pack())?;
    let mut text = TextEngine::new(pack.pack())?;
    for plan in plans {
        if plan.pack != pack.pack().digest {
            let found = format!("a plan for pack {}", plan.pack);
            return Err(Error::file(args.plans.display(), found, format!("pack {}", pack.pack().digest)).into());
        }
        let frame = renderer.render(&plan)?;
        let frame = match &pack {
            Assets::Plain(_) => frame,
            Assets::Indexed(pack) => with_truth(pack, &plan, frame, &mut text)?,
        };
        let path = if file_format.is_some() {
            args.out.clone()
        } else {
            std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
            args.out.join(format!("{}.png", name_of(&plan)))
        };
        write_named(&path, &file_format.unwrap_or(ImageFormat::Png).encode(&frame))?;
        data!("{}", path.display());
    }
    Ok(Done::Clean)
}

/// Scenes are rendered from any pack; the truth about them needs its index.
enum Assets {
    Plain(Pack),
    Indexed(IndexedPack),
}

impl Assets {
    fn pack(&self) -> &Pack {
        match self {
            Self::Plain(pack) => pack,
            Self::Indexed(pack) => pack,
        }
    }
}

fn with_truth(pack: &IndexedPack, plan: &Plan, frame: Frame, text: &mut TextEngine) -> Result<Frame, Error> {
    let truth = annotate(pack, plan, &name_of(plan))?;
    paint_instructions(paint_overlay(frame, &truth), &truth, text)
}

/// What a plan's scene is called within its dataset.
fn name_of(plan: &Plan) -> String {
    plan.scene_name()
}

/// The plans that the arguments choose, at least one.
fn chosen_plans(args: &ReplayArgs) -> anyhow::Result<Vec<Plan>> {
    let (files, dataset) = plan_files(&args.plans)?;
    let mut plans = Vec::new();
    for (path, text) in files {
        for (at, line) in text.lines().enumerate() {
            let place = || format!("{}:{}", path.display(), at + 1);
            let plan: Plan = serde_json::from_str(line).with_context(|| format!("{}: expected a plan", place()))?;
            // It becomes part of a file's name.
            if plan.condition.is_empty() || plan.condition.starts_with('.') || plan.condition.contains(['/', '\\', ':', '\0']) {
                let found = format!("condition `{}`", plan.condition);
                return Err(Error::file(place(), found, "a name that can be part of a file's name").into());
            }
            let by_id = args.id.as_deref().is_none_or(|id| is_called(&plan, id, dataset.as_deref()));
            if by_id && args.index.is_none_or(|index| index == plan.key.index) {
                plans.push(plan);
            }
        }
    }
    let place = args.plans.display();
    match (&args.id, args.index) {
        _ if !plans.is_empty() => Ok(plans),
        (Some(id), _) => anyhow::bail!("{place}: found no plan of `{id}`, expected one\nhint: ids look like L4-s0.L4-000123"),
        (None, Some(index)) => anyhow::bail!("{place}: found no plan with index {index}, expected one"),
        (None, None) => anyhow::bail!("{place}: found no plan, expected one"),
    }
}

/// A file with its text.
type TextFile = (PathBuf, String);

/// Files of plans, and the name of their dataset where that is known.
fn plan_files(place: &Path) -> anyhow::Result<(Vec<TextFile>, Option<String>)> {
    if !place.is_dir() {
        // A dataset may hold the file in its compressed form alone.
        let place = either(place);
        let text = as_text(&place, compressed::read(&place, MAX_PART_BYTES).map_err(super::no_text)?)?;
        return Ok((vec![(place, text)], None));
    }
    let (manifest, root) = (open_manifest(place)?, Root::new(place));
    let files = manifest.shards.iter().map(|shard| -> anyhow::Result<(PathBuf, String)> {
        let name = format!("plans/{}{}", shard.name, manifest.form.ending());
        let place = root.place(&name);
        let text = decompressed(root.read(&name, MAX_PART_BYTES)?, manifest.form.compressed, MAX_PART_BYTES);
        let text = as_text(&place, text.with_context(|| place.display().to_string())?)?;
        Ok((place, text))
    });
    Ok((files.collect::<anyhow::Result<_>>()?, Some(manifest.dataset)))
}

fn as_text(place: &Path, text: Vec<u8>) -> anyhow::Result<String> {
    String::from_utf8(text).with_context(|| format!("{}: expected plans", place.display()))
}

/// Whether an id is that of a plan's scene or of a target in it. In a file of plans nothing says what the dataset is
/// called: there the part after its name decides.
fn is_called(plan: &Plan, id: &str, dataset: Option<&str>) -> bool {
    let name = name_of(plan);
    let scene = match id.rsplit_once(".t") {
        Some((scene, number)) if number.bytes().all(|b| b.is_ascii_digit()) => scene,
        _ => id,
    };
    match (scene.strip_suffix(name.as_str()), dataset) {
        (Some(""), _) => true,
        (Some(before), Some(dataset)) => before.strip_suffix('.') == Some(dataset),
        (Some(before), None) => before.ends_with('.'),
        (None, _) => false,
    }
}
