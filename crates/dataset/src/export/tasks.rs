//! Tasks on their way into an export: read, checked, with boxes on their pictures.

use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::task::{StepLine, TaskLine};

use super::{Error, Job};
use crate::reader::names_a_picture;

/// A task of clicks.
pub(super) struct ExportedTask {
    /// Its record.
    pub(super) line: TaskLine,
    /// What all formats need of its steps, in their order.
    pub(super) clicks: Vec<ExportedClick>,
}

/// A step of a task.
pub(super) struct ExportedClick {
    /// Path of its keyframe as the export's records give it.
    pub(super) image: String,
    /// What is clicked, clipped to the image.
    pub(super) bbox: [i32; 4],
    /// The pixel that is clicked.
    pub(super) point: Point,
}

/// Writes one format of tasks.
pub(super) trait TaskWriter {
    /// Writes what the format keeps of a task.
    fn task(&mut self, job: &mut Job, task: &ExportedTask) -> Result<(), Error>;

    /// Writes what comes after all tasks.
    fn finish(&mut self, _job: &mut Job) -> Result<(), Error> {
        Ok(())
    }
}

impl ExportedTask {
    /// What the task is to do; empty where nobody said.
    pub(super) fn goal(&self) -> &str {
        self.line.task_overview.as_deref().unwrap_or_default()
    }

    /// Steps with what was made of them.
    pub(super) fn steps(&self) -> impl Iterator<Item = (&StepLine, &ExportedClick)> {
        self.line.steps.iter().zip(&self.clicks)
    }
}

/// Reads a line of a dataset's tasks and brings its keyframes along.
pub(super) fn exported(job: &Job, place: &str, line: &[u8]) -> Result<ExportedTask, Error> {
    let hint = "`windesk verify` says what is wrong with the dataset";
    let task: TaskLine =
        serde_json::from_slice(line).map_err(|e| Error::at(place, format!("{e}, expected a task")).with_hint(hint))?;
    task.check().map_err(|problem| Error::at(place, problem).with_hint(hint))?;
    let mut clicks = Vec::new();
    for (number, step) in task.steps.iter().enumerate() {
        let at = |problem: String| Error::at(place, format!("step {number}: {problem}"));
        let (image, bbox, point) = click(step).map_err(at)?;
        clicks.push(ExportedClick { image: job.output.place_image(image, step.image_size)?, bbox, point });
    }
    Ok(ExportedTask { line: task, clicks })
}

/// Keyframe, box and pixel of a step.
fn click(step: &StepLine) -> Result<(&str, [i32; 4], Point), String> {
    if step.action != "click" {
        return Err(format!("`action` is `{}`, expected click: formats of tasks hold clicks", step.action));
    }
    let image = step.image.as_deref().unwrap_or_default();
    if !names_a_picture(image) {
        return Err(format!("`image` is `{image}`, expected a path inside the dataset, images/.."));
    }
    let bbox = step.bbox.ok_or("`bbox` is null, expected the box of what is clicked")?;
    let picture = Size::try_from(step.image_size)?.rect();
    let clipped = whole(bbox)
        .and_then(|bbox| bbox.intersection(picture))
        .ok_or_else(|| format!("`bbox` is {bbox:?}, expected [x0, y0, x1, y1] in whole px with a pixel in the image"))?;
    Ok((image, clipped.into(), step.click_point.unwrap_or_else(|| clipped.centre())))
}

fn whole(bbox: [f64; 4]) -> Option<Rect> {
    let is_whole = |v: &f64| v.fract() == 0.0 && v.abs() <= f64::from(1 << 24);
    bbox.iter().all(is_whole).then(|| bbox.map(|v| v as i32).try_into().ok())?
}
