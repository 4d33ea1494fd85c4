//! `windesk inspect`: one scene of a finished dataset, in words or as JSON.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::Value;

use windesk_dataset::{LinesReader, Manifest, ScenesReader, open_manifest};
use windesk_model::geometry::{Point, Rect};
use windesk_model::key::scene_name;
use windesk_model::plural::counted;
use windesk_model::record::{ElementRecord, SceneRecord, TargetKind, TargetRecord};

use super::Done;

/// Flags of `windesk inspect`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  windesk inspect windesk-L4-s0-n500 L4-s0.L4-000123
  windesk inspect windesk-L4-s0-n500 L4-s0.L4-000123 --elements
  windesk inspect windesk-L4-s0-n500 L4-s0.L4-000123.t0 --plan")]
pub(super) struct InspectArgs {
    /// Folder of the dataset.
    dataset: PathBuf,
    /// Id of a scene or a target.
    id: String,
    /// Also list every element.
    #[arg(long)]
    elements: bool,
    /// Print the whole record as JSON.
    #[arg(long, conflicts_with = "elements")]
    json: bool,
    /// Print the plan as JSON instead of the record.
    #[arg(long, conflicts_with_all = ["json", "elements"])]
    plan: bool,
}

/// Runs `windesk inspect`.
pub(super) fn inspect(args: InspectArgs) -> anyhow::Result<Done> {
    let manifest = open_manifest(&args.dataset)?;
    let unknown = || {
        anyhow::anyhow!(
            "{}: found no scene or target `{}`\nhint: ids look like {}.{}-000000",
            args.dataset.display(),
            args.id,
            manifest.dataset,
            first_condition(&manifest)
        )
    };
    if args.plan {
        data!("{:#}", plan(&args, &manifest)?.ok_or_else(unknown)?);
        return Ok(Done::Clean);
    }
    for scene in ScenesReader::open(&args.dataset, &manifest) {
        let scene = scene?;
        if scene.id != args.id && !scene.truth.targets.iter().any(|t| t.id == args.id) {
            continue;
        }
        if args.json {
            data!("{}", serde_json::to_string_pretty(&scene)?);
        } else {
            summary(&scene).iter().for_each(|line| data!("{line}"));
            if args.elements {
                data!("elements:");
                scene.truth.elements.iter().for_each(|element| data!("{}", element_line(element)));
            }
        }
        return Ok(Done::Clean);
    }
    Err(unknown())
}

/// The plan of the scene that is asked for: ids are made of what plans hold.
fn plan(args: &InspectArgs, manifest: &Manifest<Value>) -> anyhow::Result<Option<Value>> {
    for line in LinesReader::open(&args.dataset, manifest, "plans") {
        let (place, line) = line?;
        let plan: Value = serde_json::from_slice(&line).with_context(|| place.clone())?;
        let (condition, index) = (plan["condition"].as_str(), plan["key"]["index"].as_u64());
        let (Some(condition), Some(index)) = (condition, index) else {
            bail!("{place}: found no `condition` and `key.index`, expected a plan");
        };
        let scene = format!("{}.{}", manifest.dataset, scene_name(condition, index, plan["step"]["step"].as_u64()));
        let rest = args.id.strip_prefix(&scene);
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(".t")) {
            return Ok(Some(plan));
        }
    }
    Ok(None)
}

fn first_condition(manifest: &Manifest<Value>) -> &str {
    manifest.study["conditions"][0]["name"].as_str().unwrap_or("L1")
}

/// What a person wants to know of a scene first: the scene in a line, its targets, its windows.
fn summary(scene: &SceneRecord) -> Vec<String> {
    let truth = &scene.truth;
    let mut lines = vec![
        format!("{}: condition {}, index {}, draw {}", scene.id, scene.condition, scene.key.index, scene.key.draw),
        format!("image: {}, {}x{} px, wallpaper {}", scene.image, scene.width, scene.height, scene.wallpaper),
    ];
    for target in &truth.targets {
        lines.extend(target_lines(scene, target));
    }
    lines.push("windows, bottom to top:".to_owned());
    for window in &truth.windows {
        let role = serde_json::to_value(window.role).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default();
        lines.push(format!("  {role}: {} ({}) {}", window.app, window.window, shown(window.rect)));
    }
    lines.push(format!("{} (--elements lists them, --json prints the whole record)", counted(truth.elements.len(), "element")));
    lines
}

fn target_lines(scene: &SceneRecord, target: &TargetRecord) -> Vec<String> {
    let mut lines = vec![format!("target {}: {}", target.id, target.instruction)];
    if target.kind == TargetKind::Absent {
        lines.push("  not on the screen".to_owned());
    }
    let element_of = |id: &str| scene.truth.elements.iter().find(|e| e.id == id);
    if let Some(element) = target.element.as_deref().and_then(element_of) {
        let app = target.window.and_then(|window| scene.truth.windows.get(window)).map(|w| format!(" of {}", w.app));
        lines.push(format!("  {} `{}`{}", element.role, element.name, app.unwrap_or_default()));
    }
    if let Some(bbox) = target.bbox {
        let visible = target.visible_bbox.map_or("nothing".to_owned(), shown);
        let percent = 100.0 * target.visible_ratio;
        lines.push(format!("  box {}, visible {visible}", shown(bbox)));
        lines.push(format!("  {percent:.1} % visible, {} of {} px", target.visible_px, target.total_px));
    }
    if let Some(Point { x, y }) = target.click_point {
        lines.push(format!("  click point [{x}, {y}]"));
    }
    for distractor in &target.distractors {
        let bbox = element_of(&distractor.element).map_or(String::new(), |e| format!(" {}", shown(e.bbox)));
        lines.push(format!(
            "  similar: {}{bbox}, rank {}, similarity {:.2}",
            distractor.element, distractor.rank, distractor.similarity
        ));
    }
    lines
}

fn element_line(element: &ElementRecord) -> String {
    let visible =
        element.visible_bbox.map_or("hidden".to_owned(), |_| format!("{} of {} px", element.visible_px, element.total_px));
    format!("  {} {} `{}` {} {visible}", element.id, element.role, element.name, shown(element.bbox))
}

fn shown(rect: Rect) -> String {
    format!("{:?}", <[i32; 4]>::from(rect))
}
