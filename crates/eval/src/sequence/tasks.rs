//! Reads tasks: MedSPOT's annotation files as they are published, or JSONL records of our own.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use windesk_files::{MAX_WHOLE_BYTES, Root, read_named};
use windesk_model::Error;
use windesk_model::digest::hex;
use windesk_model::spelling::nearest;
use windesk_model::task::TaskLine;

use crate::exact;
use crate::lines::{read_lines, record};

/// All tasks of a dataset.
#[derive(Clone, Debug)]
pub struct Tasks {
    /// In the order of the files.
    pub tasks: Vec<Task>,
    /// SHA-256 over the files.
    pub digest: String,
    /// Name of the dataset.
    pub name: String,
}

/// A task.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Its id; predictions name it.
    pub id: String,
    /// The program.
    pub application: String,
    /// Steps that count and steps that do not.
    pub steps: Vec<Step>,
}

/// A step of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Width and height of its image, px.
    pub size: [u32; 2],
    /// Box of what is to be clicked, `[x0, y0, x1, y1]` px; null for a step that does not count.
    pub bbox: Option<[f64; 4]>,
}

/// How to read tasks.
#[derive(Clone, Debug, Default)]
pub struct TaskOptions {
    /// Actions that count besides clicks, such as `double_click` and `drag` (their start).
    pub other_actions: Vec<String>,
    /// Size of all images.
    pub image_size: Option<[u32; 2]>,
    /// Size of images by the stem of the annotation file.
    pub image_sizes: HashMap<String, [u32; 2]>,
}

#[derive(Deserialize)]
struct MedspotFile {
    tasks: Vec<MedspotTask>,
}

#[derive(Deserialize)]
struct MedspotTask {
    steps: Vec<MedspotStep>,
}

#[derive(Deserialize)]
struct MedspotStep {
    #[serde(default)]
    image_path: Option<String>,
    actions: Vec<MedspotAction>,
}

#[derive(Deserialize)]
struct MedspotAction {
    #[serde(rename = "type")]
    kind: String,
    /// x, y, width, height in percent of the image.
    #[serde(default)]
    bbox: Option<Vec<f64>>,
}

/// Reads a `.jsonl` file of tasks, an annotation file of MedSPOT (`.json`), or a folder of them.
///
/// # Errors
/// If a file can't be read, or the size of an image is unknown.
pub fn read_tasks(path: &Path, options: &TaskOptions) -> Result<Tasks, Error> {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        files = crate::truth::files_in(path, "json")?;
        if files.is_empty() {
            return Err(Error::path(path, "found no .json files, expected MedSPOT annotation files"));
        }
    }
    check_stems(&files, options)?;
    let mut sha256 = Sha256::new();
    let mut tasks = Vec::new();
    for file in &files {
        let own = file.extension().is_some_and(|e| e == "jsonl");
        // One that was found in a folder must be a plain file of it.
        let name = file.strip_prefix(path).ok().filter(|name| !name.as_os_str().is_empty());
        let bytes = match name {
            Some(name) => Root::new(path).read(name, MAX_WHOLE_BYTES)?,
            None if own => read_lines(file)?,
            None => read_named(file, MAX_WHOLE_BYTES)?,
        };
        sha256.update(&bytes);
        if own {
            own_tasks(file, &bytes, options, &mut tasks)?;
        } else {
            medspot_tasks(file, &bytes, options, &mut tasks)?;
        }
    }
    if tasks.is_empty() {
        return Err(Error::path(path, "found no tasks, expected at least one"));
    }
    let mut ids: Vec<&str> = tasks.iter().map(|t| t.id.as_str()).collect();
    ids.sort_unstable();
    if let Some(twice) = ids.windows(2).find(|w| w[0] == w[1]) {
        return Err(Error::path(path, format!("task {} appears twice", twice[0])));
    }
    let digest = hex(&sha256.finalize());
    let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Tasks { tasks, digest, name })
}

/// Every size must be that of a file: one under a mistyped stem would be used for nothing.
fn check_stems(files: &[PathBuf], options: &TaskOptions) -> Result<(), Error> {
    let stems: Vec<String> = files
        .iter()
        .filter(|file| file.extension().is_some_and(|e| e == "json"))
        .map(|file| application_of(&stem_of(file)).to_owned())
        .collect();
    let mut named: Vec<&String> = options.image_sizes.keys().collect();
    named.sort_unstable();
    let Some(unknown) = named.into_iter().find(|name| !stems.iter().any(|stem| stem == application_of(name))) else {
        return Ok(());
    };
    let known = if stems.is_empty() { "none, for there is no MedSPOT annotation file".to_owned() } else { stems.join(", ") };
    let error = Error::config(
        "option `image_sizes`",
        format!("found a size for `{unknown}`, expected stems of annotation files: {known}"),
    );
    Err(match nearest(application_of(unknown), stems.iter().map(String::as_str)) {
        Some(near) => error.with_hint(format!("did you mean {near}?")),
        None => error,
    })
}

fn stem_of(file: &Path) -> String {
    file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The program that an annotation file is about.
fn application_of(stem: &str) -> &str {
    stem.strip_suffix("_Annotation").or_else(|| stem.strip_suffix("_annotation")).unwrap_or(stem)
}

fn counts(action: &str, options: &TaskOptions) -> bool {
    let plain = |text: &str| text.trim().to_ascii_lowercase().replace([' ', '-'], "_");
    let action = plain(action);
    matches!(action.as_str(), "click" | "left_click" | "single_click")
        || options.other_actions.iter().any(|other| plain(other) == action)
}

fn own_tasks(file: &Path, bytes: &[u8], options: &TaskOptions, tasks: &mut Vec<Task>) -> Result<(), Error> {
    for (at, line) in bytes.split(|b| *b == b'\n').enumerate().filter(|(_, l)| !l.trim_ascii().is_empty()) {
        let place = |problem: String| Error::line(file, at as u64 + 1, problem);
        let task: TaskLine = record(file, at as u64 + 1, line, "a task")?;
        let mut steps = Vec::new();
        for (number, step) in task.steps.iter().enumerate() {
            let bbox = if counts(&step.action, options) {
                let bbox = step.bbox.ok_or_else(|| place(format!("step {number}: `{}` without a box", step.action)))?;
                Some(checked(bbox).ok_or_else(|| place(format!("step {number}: {bbox:?} is no box [x0, y0, x1, y1]")))?)
            } else {
                None
            };
            if step.image_size.contains(&0) {
                return Err(place(format!("step {number}: an image without pixels")));
            }
            steps.push(Step { size: step.image_size, bbox });
        }
        tasks.push(Task { id: task.id, application: task.application, steps });
    }
    Ok(())
}

fn checked([x0, y0, x1, y1]: [f64; 4]) -> Option<[f64; 4]> {
    (x0 < x1 && y0 < y1).then_some([x0, y0, x1, y1])
}

fn medspot_tasks(file: &Path, bytes: &[u8], options: &TaskOptions, tasks: &mut Vec<Task>) -> Result<(), Error> {
    let read: MedspotFile =
        serde_json::from_slice(bytes).map_err(|e| Error::path(file, format!("{e}, expected a MedSPOT annotation file")))?;
    let stem = stem_of(file);
    let application = application_of(&stem).to_owned();
    for (at, task) in read.tasks.iter().enumerate() {
        let mut steps = Vec::new();
        for (number, step) in task.steps.iter().enumerate() {
            let place = || format!("{}: task {at}, step {number}", file.display());
            let size = size_of(file, &stem, step, options)?.ok_or_else(|| {
                Error::at(place(), format!("the size of {} is unknown", step.image_path.as_deref().unwrap_or("its image")))
                    .with_hint("put the image beside the file, or give option `image_size` WxH or option `image_sizes` FILE.json")
            })?;
            let action = step.actions.iter().find(|a| counts(&a.kind, options));
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
            steps.push(Step { size, bbox });
        }
        tasks.push(Task { id: format!("{application}/{at}"), application: application.clone(), steps });
    }
    Ok(())
}

fn size_of(file: &Path, stem: &str, step: &MedspotStep, options: &TaskOptions) -> Result<Option<[u32; 2]>, Error> {
    let sizes = &options.image_sizes;
    let of_file = sizes.iter().find(|(name, _)| application_of(name) == application_of(stem));
    let known = of_file.map(|(_, size)| *size).or(options.image_size);
    let (None, Some(image)) = (known, step.image_path.as_deref().map(Path::new)) else { return Ok(known) };
    let root = Root::new(file.parent().unwrap_or(Path::new("")));
    // Published files name pictures by where they were on their makers' machines: the last part is tried beside the file.
    let inside = image.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)).then_some(image);
    for name in [inside, image.file_name().map(Path::new)].into_iter().flatten() {
        if let Some(picture) = root.picture_if_any(name, None)? {
            return Ok(Some(picture.head.size));
        }
    }
    Ok(None)
}
