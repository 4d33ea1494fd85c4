//! An animation per task: its keyframes one after the other, each with its click and its words.

use std::path::Path;
use std::sync::Mutex;

use rayon::prelude::*;
use serde_json::json;

use windesk_engine::pack::Pack;
use windesk_engine::render::{Frame, TextEngine, animated_webp, paint_click, paint_instructions};
use windesk_model::Error;
use windesk_model::progress::Progress;
use windesk_model::record::SceneRecord;
use windesk_model::task::TaskLine;

use super::{LIST, OverlaySettings, Studio, picture};
use crate::open_manifest;
use crate::reader::ScenesReader;
use crate::steps::{Step, steps_by_scene, tasks};

/// How long a keyframe is shown, ms, and how much longer the first, whose goal is to be read, and the last.
const SHOWN_MS: u32 = 2000;
const LONGER_MS: u32 = 1500;

/// Writes `out/<task id>.webp` for each task of a finished dataset, in place of earlier overlays: an animated WebP file
/// with a frame per keyframe, which marks the click and says what to do. The words are set in the fonts of `pack`. The
/// ids of the settings are those of tasks, or of scenes or targets of theirs. Returns how many tasks were drawn.
///
/// # Errors
/// If the folder holds no finished dataset of tasks, an id is not in it, a picture can't be read, or `out` holds
/// something else.
pub fn write_animations(
    dataset: &Path,
    out: &Path,
    pack: &Pack,
    settings: &OverlaySettings,
    progress: &dyn Progress,
) -> Result<usize, Error> {
    let manifest = open_manifest(dataset)?;
    let all = tasks(dataset, &manifest)?;
    if all.is_empty() {
        let error = Error::path(dataset, "found no tasks, expected a dataset of `windesk tasks`");
        return Err(error.with_hint("without option `animation`, each scene gets a picture"));
    }
    let is_of = |task: &TaskLine, id: &str| {
        let own = |step: &windesk_model::task::StepLine| step.scene.as_deref() == Some(id) || step.target.as_deref() == Some(id);
        task.id == id || task.steps.iter().any(own)
    };
    if let Some(id) = settings.ids.iter().find(|id| !all.iter().any(|task| is_of(task, id))) {
        return Err(Error::path(dataset, format!("found no task, scene or target `{id}`, expected one of the dataset")));
    }
    let is_wanted = |task: &&TaskLine| settings.ids.is_empty() || settings.ids.iter().any(|id| is_of(task, id));
    let wanted: Vec<&TaskLine> = all.iter().filter(is_wanted).take(settings.limit).collect();
    let steps = steps_by_scene(&all);
    let threads = settings.threads.max(1);
    let Studio { staged, text, pool } = Studio::new(out, pack, threads)?;
    progress.begin(wanted.len() as u64, "animations");
    // Scenes come in the order of their tasks: those of one are held at a time, per thread.
    let mut scenes = ScenesReader::open(dataset, &manifest);
    let mut list = String::new();
    for some in wanted.chunks(threads) {
        let mut read = Vec::with_capacity(some.len());
        for task in some {
            read.push((*task, scenes_of(task, &mut scenes)?));
        }
        pool.install(|| {
            read.par_iter().with_max_len(1).try_for_each(|(task, scenes)| {
                let last = scenes.len().saturating_sub(1);
                let frames = scenes.iter().enumerate().map(|(number, scene)| {
                    let longer = u32::from(number == 0) + u32::from(number == last);
                    Ok((frame(dataset, scene, steps.get(&scene.id), &text)?, SHOWN_MS + longer * LONGER_MS))
                });
                let file = animated_webp(&frames.collect::<Result<Vec<_>, Error>>()?);
                progress.advance(1);
                staged.write(&format!("{}.webp", task.id), &file)
            })
        })?;
        for task in some {
            list += &format!("{}\n", json!({"id": task.id, "file": format!("{}.webp", task.id), "goal": task.task_overview}));
        }
    }
    progress.end();
    staged.write(LIST, list.as_bytes())?;
    staged.commit()?;
    Ok(wanted.len())
}

/// The scenes of a task's steps; what comes before them is passed over.
fn scenes_of(
    task: &TaskLine,
    scenes: &mut impl Iterator<Item = Result<SceneRecord<'static>, Error>>,
) -> Result<Vec<SceneRecord<'static>>, Error> {
    let mut found = Vec::with_capacity(task.steps.len());
    for step in &task.steps {
        let scene = loop {
            match scenes.next() {
                Some(Ok(scene)) if Some(&scene.id) == step.scene.as_ref() => break scene,
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
                None => {
                    let lacking = format!("found no scene of a step of task `{}`, expected one per step, in order", task.id);
                    return Err(Error::at("tasks", lacking).with_hint("`windesk verify` says what is wrong with the dataset"));
                }
            }
        };
        found.push(scene);
    }
    Ok(found)
}

fn frame(dataset: &Path, scene: &SceneRecord, step: Option<&Step>, text: &Mutex<TextEngine>) -> Result<Frame, Error> {
    let mut frame = picture(dataset, &scene.image, [scene.width, scene.height])?;
    let mut truth = scene.truth.clone();
    if let Some(step) = step {
        if let Some(point) = step.click {
            frame = paint_click(frame, point);
        }
        if let Some(target) = truth.targets.first_mut() {
            target.instruction = step.words(&target.instruction);
        }
    }
    paint_instructions(frame, &truth, &mut text.lock().expect("no panic while held"))
}
