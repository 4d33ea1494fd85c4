//! What the lines of tasks say of the scenes of their steps.

use std::collections::BTreeMap;
use std::path::Path;

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::task::TaskLine;

use crate::manifest::Manifest;
use crate::reader::LinesReader;
use crate::source::DatasetKind;

/// The tasks of a finished dataset, in order; none for a dataset without tasks.
///
/// # Errors
/// If a file of tasks is gone, or a line is no task.
pub(super) fn tasks<S>(dataset: &Path, manifest: &Manifest<S>) -> Result<Vec<TaskLine>, Error> {
    if manifest.kind != DatasetKind::Tasks {
        return Ok(Vec::new());
    }
    let parsed = LinesReader::open(dataset, manifest, "tasks").map(|line| {
        let (place, line) = line?;
        let task: TaskLine = serde_json::from_slice(&line).map_err(|e| {
            Error::at(&place, format!("{e}, expected a task")).with_hint("`windesk verify` says what is wrong with the dataset")
        })?;
        // Ids become names of files.
        if task.id.contains(['/', '\\', '\0']) {
            return Err(Error::at(&place, format!("task `{}`, expected an id without slashes", task.id)));
        }
        Ok(task)
    });
    parsed.collect()
}

/// The step of a task that a scene is.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Its number, from 0.
    pub(super) number: usize,
    /// Steps of the task.
    pub(super) count: usize,
    /// What is to be done.
    pub(super) goal: Option<String>,
    /// Where the click goes.
    pub(super) click: Option<Point>,
    /// Other places where a click is as good.
    pub(super) also_valid: Vec<Rect>,
    /// The picture of the keyframe before, with its size.
    pub(super) before: Option<(String, [u32; 2])>,
}

impl Step {
    /// The words of the strip: the goal once, then what is to be done now.
    pub(super) fn words(&self, instruction: &str) -> String {
        let now = format!("step {} of {}: {instruction}", self.number + 1, self.count);
        match &self.goal {
            Some(goal) if self.number == 0 => format!("{goal} ({now})"),
            _ => now,
        }
    }
}

/// Which step each scene is, by its id.
pub(super) fn steps_by_scene(tasks: &[TaskLine]) -> BTreeMap<String, Step> {
    let of_task = |task: &TaskLine| {
        let pictures: Vec<_> = task.steps.iter().map(|step| step.image.clone().map(|image| (image, step.image_size))).collect();
        let steps = task.steps.iter().enumerate().filter_map(|(number, step)| {
            let known = Step {
                number,
                count: task.steps.len(),
                goal: task.task_overview.clone(),
                click: step.click_point,
                also_valid: step.also_valid.iter().map(|place| place.bbox).collect(),
                before: number.checked_sub(1).and_then(|before| pictures[before].clone()),
            };
            Some((step.scene.clone()?, known))
        });
        steps.collect::<Vec<_>>()
    };
    tasks.iter().flat_map(of_task).collect()
}
