//! MedSPOT's annotation files (github.com/Tajamul21/MedSPOT): one per program, boxes as x, y, width and height in
//! percent.

use std::path::Path;

use serde::Deserialize;

use windesk_files::Root;
use windesk_model::Error;

use super::tasks::{Step, Task, TaskOptions, folder_of, picture_of};
use crate::exact;

#[derive(Deserialize)]
struct AnnotationFile {
    tasks: Vec<AnnotatedTask>,
}

#[derive(Deserialize)]
struct AnnotatedTask {
    /// Published files have none; exports of this program do.
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    task_overview: Option<String>,
    steps: Vec<AnnotatedStep>,
}

#[derive(Deserialize)]
struct AnnotatedStep {
    #[serde(default)]
    image_path: Option<String>,
    #[serde(default)]
    instruction: Option<String>,
    actions: Vec<AnnotatedAction>,
}

#[derive(Deserialize)]
struct AnnotatedAction {
    #[serde(rename = "type")]
    kind: String,
    /// x, y, width, height in percent of the image.
    #[serde(default)]
    bbox: Option<Vec<f64>>,
}

pub(super) fn stem_of(file: &Path) -> String {
    file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The program that an annotation file is about.
pub(super) fn application_of(stem: &str) -> &str {
    stem.strip_suffix("_Annotation").or_else(|| stem.strip_suffix("_annotation")).unwrap_or(stem)
}

/// Reads one file.
pub(super) fn tasks(file: &Path, bytes: &[u8], options: &TaskOptions, tasks: &mut Vec<Task>) -> Result<(), Error> {
    let read: AnnotationFile =
        serde_json::from_slice(bytes).map_err(|e| Error::path(file, format!("{e}, expected a MedSPOT annotation file")))?;
    let stem = stem_of(file);
    let application = application_of(&stem).to_owned();
    for (at, task) in read.tasks.into_iter().enumerate() {
        let mut steps = Vec::new();
        for (number, step) in task.steps.into_iter().enumerate() {
            let place = || format!("{}: task {at}, step {number}", file.display());
            let size = size_of(file, &stem, &step, options)?.ok_or_else(|| {
                Error::at(place(), format!("the size of {} is unknown", step.image_path.as_deref().unwrap_or("its image")))
                    .with_hint("put the image beside the file, or give option `image_size` WxH or option `image_sizes` FILE.json")
            })?;
            let action = step.actions.iter().find(|a| options.counts(&a.kind));
            let bbox = match action.map(|a| a.bbox.as_deref()) {
                None => None,
                Some(Some(&[x, y, w, h])) if w > 0.0 && h > 0.0 => {
                    let px = |percent: f64, axis: usize| exact::scaled(percent, size[axis], 100);
                    Some([px(x, 0), px(y, 1), px(exact::sum(x, w), 0), px(exact::sum(y, h), 1)])
                }
                Some(other) => {
                    return Err(Error::at(place(), format!("bbox {other:?}, expected x, y, width, height in percent")));
                }
            };
            let (instruction, image) = (step.instruction.unwrap_or_default(), step.image_path);
            steps.push(Step { size, bbox, instruction, image, ..Step::default() });
        }
        let id = task.id.unwrap_or_else(|| format!("{application}/{at}"));
        let (application, goal) = (application.clone(), task.task_overview);
        tasks.push(Task { id, application, goal, kind: None, condition: None, steps });
    }
    Ok(())
}

fn size_of(file: &Path, stem: &str, step: &AnnotatedStep, options: &TaskOptions) -> Result<Option<[u32; 2]>, Error> {
    let sizes = &options.image_sizes;
    let of_file = sizes.iter().find(|(name, _)| application_of(name) == application_of(stem));
    let known = of_file.map(|(_, size)| *size).or(options.image_size);
    let (None, Some(image)) = (known, step.image_path.as_deref()) else { return Ok(known) };
    let found = picture_of(&Root::new(folder_of(file)), image, None)?;
    Ok(found.map(|picture| picture.head.size))
}
