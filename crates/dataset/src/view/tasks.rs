//! What the gallery shows of tasks: their keyframes in a row, with what is clicked.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use windesk_model::Error;

use crate::manifest::Manifest;
use crate::steps::tasks;

/// Tasks with a keyframe among the scenes that are shown, each with those of its steps; none for a dataset without
/// tasks.
pub(super) fn strips(dataset: &Path, manifest: &Manifest<Value>, shown: &BTreeSet<&str>) -> Result<Vec<Value>, Error> {
    let mut strips = Vec::new();
    for task in tasks(dataset, manifest)? {
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
