//! `windesk overlay`: the truth drawn over the pictures of a finished dataset, with the instructions, for people to
//! look at. Needs records and pictures alone; nothing is planned or rendered again.

mod animation;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Mutex;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::json;

use windesk_engine::pack::Pack;
use windesk_engine::render::{
    Encoder, Frame, ImageFormat, TextEngine, changed_boxes, decode_limited, paint_instructions, paint_step,
};
use windesk_files::{Replace, Root, StagedFolder, write_named};
use windesk_model::Error;
use windesk_model::geometry::Size;
use windesk_model::progress::Progress;
use windesk_model::record::SceneRecord;
use windesk_model::setting::StateInstance;

use super::open_manifest;
use crate::instances::{states_by_scene, with_truth};
use crate::reader::ScenesReader;
use crate::steps::{Step, steps_by_scene, tasks};

pub use animation::write_animations;

/// The list of what a folder of overlays shows, by which an earlier one is known.
const LIST: &str = "overlays.jsonl";

/// Scenes held in memory per thread.
const SCENES_PER_THREAD: usize = 4;

/// Which scenes get an overlay.
#[derive(Clone, Debug)]
pub struct OverlaySettings {
    /// Ids of scenes or targets; empty for all scenes.
    pub ids: Vec<String>,
    /// Most scenes; they are the first ones.
    pub limit: usize,
    /// Worker threads.
    pub threads: usize,
}

/// What drawing needs: a folder that takes the place of earlier overlays, an engine for words, threads.
struct Studio {
    staged: StagedFolder,
    /// Shaping words takes far less time than decoding pictures: one engine is enough for all threads.
    text: Mutex<TextEngine>,
    pool: ThreadPool,
}

impl Studio {
    fn new(out: &Path, pack: &Pack, threads: usize) -> Result<Self, Error> {
        let staged = StagedFolder::new(out, Replace::HoldingFile(LIST))?;
        let text = Mutex::new(TextEngine::new(pack)?);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
        Ok(Self { staged, text, pool })
    }
}

/// Draws over the scenes of a finished dataset and writes `out/<id>.png`, in place of earlier overlays. The words are
/// set in the fonts of `pack`. Returns how many scenes were drawn.
///
/// # Errors
/// If the folder holds no finished dataset, an id is not in it, a picture can't be read, or `out` holds something else.
pub fn write_overlays(
    dataset: &Path,
    out: &Path,
    pack: &Pack,
    settings: &OverlaySettings,
    progress: &dyn Progress,
) -> Result<usize, Error> {
    let manifest = open_manifest(dataset)?;
    let mut wanted = Wanted::new(ScenesReader::open(dataset, &manifest), settings);
    let steps = steps_by_scene(&tasks(dataset, &manifest)?);
    let states = states_by_scene(dataset, &manifest)?;
    let threads = settings.threads.max(1);
    let Studio { staged, text, pool } = Studio::new(out, pack, threads)?;
    let total = if settings.ids.is_empty() { manifest.samples } else { settings.ids.len() as u64 };
    progress.begin(total.min(settings.limit as u64), "overlays");
    let mut list = String::new();
    let mut count = 0;
    loop {
        let scenes = wanted.by_ref().take(threads * SCENES_PER_THREAD).collect::<Result<Vec<_>, _>>()?;
        if scenes.is_empty() {
            break;
        }
        pool.install(|| {
            scenes.par_iter().with_max_len(1).try_for_each(|scene| {
                let picture = drawn(dataset, scene, steps.get(&scene.id), states.get(&scene.id), &text)?;
                progress.advance(1);
                staged.write(&format!("{}.png", scene.id), &ImageFormat::Png.encode(&picture))
            })
        })?;
        for scene in &scenes {
            let instructions: Vec<&str> = scene.truth.targets.iter().map(|t| t.instruction.as_str()).collect();
            let line = json!({"id": scene.id, "file": format!("{}.png", scene.id), "instructions": instructions});
            list += &format!("{line}\n");
        }
        count += scenes.len();
    }
    progress.end();
    wanted.check(dataset)?;
    staged.write(LIST, list.as_bytes())?;
    staged.commit()?;
    Ok(count)
}

/// The same for one scene, in a file of the format that its name says.
///
/// # Errors
/// Those of [`write_overlays`], or if the settings choose several scenes.
pub fn write_overlay(
    dataset: &Path,
    out: &Path,
    format: ImageFormat,
    pack: &Pack,
    settings: &OverlaySettings,
) -> Result<(), Error> {
    let manifest = open_manifest(dataset)?;
    let mut wanted = Wanted::new(ScenesReader::open(dataset, &manifest), settings);
    let scenes = wanted.by_ref().take(2).collect::<Result<Vec<_>, _>>()?;
    wanted.check(dataset)?;
    let [scene] = &scenes[..] else {
        return Err(Error::config(format!("option `out` {}", out.display()), "one file for several scenes, expected one scene")
            .with_hint("choose one with option `id`, or give a folder"));
    };
    let text = Mutex::new(TextEngine::new(pack)?);
    let steps = steps_by_scene(&tasks(dataset, &manifest)?);
    let states = states_by_scene(dataset, &manifest)?;
    write_named(out, &format.encode(&drawn(dataset, scene, steps.get(&scene.id), states.get(&scene.id), &text)?))
}

/// The scenes that settings choose, one by one.
struct Wanted<'s> {
    scenes: ScenesReader,
    ids: &'s [String],
    missing: Vec<&'s str>,
    left: usize,
}

impl<'s> Wanted<'s> {
    fn new(scenes: ScenesReader, settings: &'s OverlaySettings) -> Self {
        let missing = settings.ids.iter().map(String::as_str).collect();
        Self { scenes, ids: &settings.ids, missing, left: settings.limit }
    }

    /// # Errors
    /// If an id was in no scene; only when all were looked at, or all that were wanted found.
    fn check(&self, dataset: &Path) -> Result<(), Error> {
        match self.missing.first() {
            Some(id) if self.left > 0 => {
                Err(Error::path(dataset, format!("found no scene or target `{id}`, expected one of the dataset")))
            }
            _ => Ok(()),
        }
    }
}

impl Iterator for Wanted<'_> {
    type Item = Result<SceneRecord<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 || (self.missing.is_empty() && !self.ids.is_empty()) {
            return None;
        }
        loop {
            let scene = match self.scenes.next()? {
                Ok(scene) => scene,
                Err(error) => return Some(Err(error)),
            };
            let is_meant = |id: &str| scene.id == id || scene.truth.targets.iter().any(|t| t.id == id);
            if self.ids.is_empty() || self.ids.iter().any(|id| is_meant(id)) {
                self.missing.retain(|id| !is_meant(id));
                self.left -= 1;
                return Some(Ok(scene));
            }
        }
    }
}

/// A picture of a dataset, decoded.
fn picture(dataset: &Path, image: &str, size: [u32; 2]) -> Result<Frame, Error> {
    let picture = Root::new(dataset).picture(image, Some(size))?;
    let place = picture.place().to_owned();
    let picture = decode_limited(&picture.bytes()?, None).map_err(|e| Error::path(place, e))?.into_rgb8();
    let size = Size { width: picture.width(), height: picture.height() };
    Ok(Frame { size, rgb: picture.into_raw() })
}

fn drawn(
    dataset: &Path,
    scene: &SceneRecord,
    step: Option<&Step>,
    state: Option<&StateInstance>,
    text: &Mutex<TextEngine>,
) -> Result<Frame, Error> {
    let mut frame = picture(dataset, &scene.image, [scene.width, scene.height])?;
    let mut truth = Cow::Borrowed(&scene.truth);
    if let Some(step) = step {
        let before = step.before.as_ref().map(|(image, size)| picture(dataset, image, *size)).transpose()?;
        let changed = before.map(|before| changed_boxes(&before, &frame)).unwrap_or_default();
        frame = paint_step(frame, &changed, &step.also_valid);
        if let Some(target) = truth.to_mut().targets.first_mut() {
            target.instruction = step.words(&target.instruction);
        }
    }
    let frame = with_truth(frame, &truth, state);
    paint_instructions(frame, &truth, &mut text.lock().expect("no panic while held"))
}
