//! What the gallery shows of tasks: their keyframes in a row, with what is clicked.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use windesk_model::Error;
use windesk_model::task::TaskLine;

use crate::manifest::Manifest;
use crate::reader::LinesReader;

/// Tasks with a keyframe among the scenes that are shown, each with those of its steps; none for a dataset without tasks.
pub(super) fn strips(dataset: &Path, manifest: &Manifest<Value>, shown: &BTreeSet<&str>) -> Result<Vec<Value>, Error> {
    let mut strips = Vec::new();
    if !dataset.join("tasks").is_dir() {
        return Ok(strips);
    }
    for line in LinesReader::open(dataset, manifest, "tasks") {
        let (place, line) = line?;
        let task: TaskLine = serde_json::from_slice(&line).map_err(|e| {
            Error::at(&place, format!("{e}, expected a task")).with_hint("`windesk verify` says what is wrong with the dataset")
        })?;
        let steps: Vec<Value> = task
            .steps
            .iter()
            .enumerate()
            .filter(|(_, step)| step.scene.as_deref().is_some_and(|scene| shown.contains(scene)))
            .map(|(at, step)| {
                let also = step.also_valid.iter().map(|place| json!({"bbox": place.bbox, "why": place.why}));
                json!({
                    "scene": step.scene,
                    "number": at + 1,
                    "instruction": step.instruction,
                    "kind": step.step_kind,
                    "also": also.collect::<Vec<_>>(),
                })
            })
            .collect();
        if !steps.is_empty() {
            let count = task.steps.len();
            strips.push(json!({"id": task.id, "goal": task.task_overview, "kind": task.kind, "count": count, "steps": steps}));
        }
    }
    Ok(strips)
}
