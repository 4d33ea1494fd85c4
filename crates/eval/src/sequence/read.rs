//! Reads tasks: the folder of a dataset, JSONL records, or MedSPOT's annotation files as they are published.

use std::fs::File;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use windesk_files::compressed::{COMPRESSED, is_compressed, readable};
use windesk_files::{MAX_WHOLE_BYTES, Root, open_named, read_named};
use windesk_model::Error;
use windesk_model::digest::hex;
use windesk_model::part_list::VERIFY;
use windesk_model::spelling::nearest;
use windesk_model::task::{StepLine, TaskLine};

use super::medspot;
use super::tasks::{Step, Task, TaskOptions, Tasks, folder_of};
use crate::lines::{files_in, next_line, record};
use crate::truth::{Manifest, has_lines};

/// The files of tasks in a folder: those of a dataset, with its manifest, or MedSPOT's annotation files.
fn files_of(folder: &Path) -> Result<(Vec<PathBuf>, Option<Manifest>), Error> {
    let own = folder.join("tasks");
    if own.is_dir() {
        if !has_lines(folder, "tasks")? {
            let error = Error::path(&own, "found no files of tasks, expected part-00000.jsonl and so on");
            return Err(error.with_hint(VERIFY));
        }
        let manifest = Manifest::of_folder(folder, "tasks")?;
        return Ok((manifest.files(folder, "tasks"), Some(manifest)));
    }
    let files = files_in(folder, "json")?;
    if files.is_empty() {
        let expected = "expected the folder of a dataset with tasks/*.jsonl, or of MedSPOT annotation files";
        return Err(Error::path(folder, format!("found neither tasks/*.jsonl nor .json files, {expected}")));
    }
    Ok((files, None))
}

/// Reads a dataset folder with `tasks/*.jsonl`, a `.jsonl` file of tasks (either may be compressed), an annotation file
/// of MedSPOT (`.json`), or a folder of them.
///
/// # Errors
/// If a file can't be read, a line is no task, or the size of an image is unknown.
pub fn read_tasks(path: &Path, options: &TaskOptions) -> Result<Tasks, Error> {
    let (files, manifest) = if path.is_dir() { files_of(path)? } else { (vec![path.to_owned()], None) };
    options.check_actions()?;
    check_stems(&files, options)?;
    let root = Root::new(if path.is_dir() { path } else { folder_of(path) });
    let mut sha256 = Sha256::new();
    let mut tasks = Vec::new();
    for (part, file) in files.iter().enumerate() {
        let own = file.extension().is_some_and(|e| e == "jsonl" || e == COMPRESSED);
        // One that was found in a folder must be a plain file of it.
        let name = file.strip_prefix(path).ok().filter(|name| !name.as_os_str().is_empty());
        if own {
            let opened = name.map_or_else(|| open_named(file), |name| root.open(name).map_err(|e| e.with_hint(VERIFY)))?;
            let before = tasks.len();
            own_tasks(file, opened, options, &mut sha256, &mut tasks)?;
            let found = (tasks.len() - before) as u64;
            manifest.as_ref().map_or(Ok(()), |manifest| manifest.check_lines(part, "tasks", file, found))?;
            continue;
        }
        let bytes = name.map_or_else(|| read_named(file, MAX_WHOLE_BYTES), |name| root.read(name, MAX_WHOLE_BYTES))?;
        sha256.update(&bytes);
        medspot::tasks(file, &bytes, options, &mut tasks)?;
    }
    if tasks.is_empty() {
        return Err(Error::path(path, "found no tasks, expected at least one"));
    }
    let mut ids: Vec<&str> = tasks.iter().map(|t: &Task| t.id.as_str()).collect();
    ids.sort_unstable();
    if let Some(twice) = ids.windows(2).find(|w| w[0] == w[1]) {
        return Err(Error::path(path, format!("task {} appears twice", twice[0])));
    }
    let digest = hex(&sha256.finalize());
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    let name = name.map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Tasks { tasks, digest, name, root })
}

/// Every size must be that of a file: one under a mistyped stem would be used for nothing.
fn check_stems(files: &[PathBuf], options: &TaskOptions) -> Result<(), Error> {
    use medspot::{application_of, stem_of};

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

fn own_tasks(file: &Path, opened: File, options: &TaskOptions, sha256: &mut Sha256, tasks: &mut Vec<Task>) -> Result<(), Error> {
    let mut reader = readable(opened, is_compressed(file));
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if !next_line(&mut reader, &mut line, file, number)? {
            break;
        }
        sha256.update(&line);
        if line.trim_ascii().is_empty() {
            continue;
        }
        let task: TaskLine = record(file, number, &line, "a task")?;
        tasks.push(task_of(task, options).map_err(|problem| Error::line(file, number, problem))?);
    }
    Ok(())
}

fn task_of(task: TaskLine, options: &TaskOptions) -> Result<Task, String> {
    task.check()?;
    let TaskLine { id, application, task_overview: goal, steps, kind, condition, .. } = task;
    let steps = steps.into_iter().enumerate();
    let steps = steps.map(|(number, step)| step_of(step, options).map_err(|problem| format!("step {number}: {problem}")));
    Ok(Task { id, application, goal, kind, condition, steps: steps.collect::<Result<_, _>>()? })
}

fn step_of(step: StepLine, options: &TaskOptions) -> Result<Step, String> {
    let bbox = match step.bbox.filter(|_| options.counts(&step.action)) {
        Some(bbox) => Some(checked(bbox).ok_or_else(|| format!("{bbox:?} is no box [x0, y0, x1, y1]"))?),
        None if options.counts(&step.action) => return Err(format!("`{}` without a box", step.action)),
        None => None,
    };
    Ok(Step {
        size: step.image_size,
        bbox,
        also_valid: step.also_valid.iter().map(|place| <[i32; 4]>::from(place.bbox).map(f64::from)).collect(),
        kind: step.step_kind,
        instruction: step.instruction,
        image: step.image,
        click_point: step.click_point,
        scene: step.scene,
        target: step.target,
    })
}

fn checked([x0, y0, x1, y1]: [f64; 4]) -> Option<[f64; 4]> {
    (x0 < x1 && y0 < y1).then_some([x0, y0, x1, y1])
}
