//! `windesk view`: a gallery of static pages that needs nothing but a browser. Pictures come along as hard links, so it
//! takes little space; no page asks any server for anything.

mod tasks;

use std::path::Path;

use image::codecs::jpeg::JpegEncoder;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde_json::{Value, json};

use windesk_engine::render::decode_limited;
use windesk_files::{Replace, Root, StagedFolder};
use windesk_model::Error;
use windesk_model::progress::Progress;
use windesk_model::record::{SceneRecord, TargetKind, TargetRecord};
use windesk_model::setting::StateInstance;

use super::open_manifest;
use crate::form::Form;
use crate::instances::states_by_scene;
use crate::reader::ScenesReader;

/// The page; `data.js` beside it holds the scenes.
const PAGE: &str = include_str!("page.html");
/// By which an earlier gallery is known.
const DATA: &str = "data.js";
/// Width of thumbnails, px.
const THUMBNAIL_PX: u32 = 480;
const THUMBNAIL_QUALITY: u8 = 80;

/// What a gallery shows.
#[derive(Clone, Copy, Debug)]
pub struct ViewSettings {
    /// Most scenes; they are the first ones.
    pub limit: usize,
    /// Worker threads, for thumbnails.
    pub threads: usize,
    /// What the page offers for copying, given the dataset and a scene: how to look the scene up and draw it again.
    pub commands: fn(&Path, &SceneRecord) -> Vec<String>,
}

/// Writes the gallery of a finished dataset to `out`, in place of an earlier one. Returns how many scenes it shows.
///
/// # Errors
/// If the folder holds no finished dataset, a picture can't be read, or `out` holds something else than a gallery.
pub fn write_view(dataset: &Path, out: &Path, settings: &ViewSettings, progress: &dyn Progress) -> Result<usize, Error> {
    let manifest = open_manifest(dataset)?;
    let staged = StagedFolder::new(out, Replace::HoldingFile(DATA))?;
    let mut scenes = Vec::new();
    let mut pictures = Vec::new();
    let mut lines_before = Position::default();
    let states = states_by_scene(dataset, &manifest)?;
    for scene in ScenesReader::open(dataset, &manifest).take(settings.limit) {
        let scene = scene?;
        let record = lines_before.of(&scene, manifest.form);
        scenes.push(entry((settings.commands)(dataset, &scene), &scene, &record, states.get(&scene.id)));
        pictures.push((scene.image, [scene.width, scene.height]));
    }
    place_pictures(dataset, staged.path(), &pictures, settings.threads, progress)?;
    let shown = scenes.iter().filter_map(|scene| scene["id"].as_str()).collect();
    let tasks = tasks::strips(dataset, &manifest, &shown)?;
    let data = json!({"name": manifest.dataset, "total": manifest.samples, "scenes": scenes, "tasks": tasks});
    staged.write("index.html", PAGE.as_bytes())?;
    // A script, not JSON: browsers fetch no files for a page that is a file itself.
    staged.write(DATA, format!("window.GALLERY = {data};\n").as_bytes())?;
    staged.commit()?;
    Ok(scenes.len())
}

/// Where in the dataset a record is.
#[derive(Default)]
struct Position {
    part: String,
    line: u64,
}

impl Position {
    fn of(&mut self, scene: &SceneRecord, form: Form) -> String {
        let part = scene.image.split('/').nth(1).unwrap_or_default();
        if part != self.part {
            *self = Self { part: part.to_owned(), line: 0 };
        }
        self.line += 1;
        format!("scenes/part-{part}{}:{}", form.ending(), self.line)
    }
}

/// What the page needs of a scene.
fn entry(commands: Vec<String>, scene: &SceneRecord, record: &str, state: Option<&StateInstance>) -> Value {
    json!({
        "id": scene.id,
        "condition": scene.condition,
        "width": scene.width,
        "height": scene.height,
        "image": scene.image,
        "thumbnail": thumbnail_name(&scene.image),
        "wallpaper": scene.wallpaper,
        "targets": scene.truth.targets.iter().map(|target| target_entry(scene, target)).collect::<Vec<_>>(),
        "windows": scene.truth.windows.iter().map(|w| json!({"rect": w.rect, "role": w.role, "app": w.app})).collect::<Vec<_>>(),
        "setting": state.map(setting_entry),
        "record": record,
        "commands": commands,
    })
}

/// What the page needs of a state instance.
fn setting_entry(state: &StateInstance) -> Value {
    json!({
        "platform": state.platform,
        "component": state.component,
        "control": state.control_bbox,
        "core": state.core_bbox,
        "target_core": state.target_core_bbox,
        "current": state.current_state,
        "target": state.target_state,
        "act": state.act,
    })
}

/// What the page needs of a target.
fn target_entry(scene: &SceneRecord, target: &TargetRecord) -> Value {
    let element_of = |id: &str| scene.truth.elements.iter().find(|e| e.id == id);
    let window = target.window.and_then(|window| scene.truth.windows.get(window));
    let distractors = target.distractors.iter().filter_map(|d| Some(element_of(&d.element)?.bbox));
    json!({
        "id": target.id,
        "instruction": target.instruction,
        "app": window.map(|w| &w.app),
        "category": window.map(|w| w.category),
        "role": target.element.as_ref().and_then(|id| element_of(id)).map(|e| &e.role),
        "ratio": target.visible_ratio,
        "total_px": target.total_px,
        "visible_px": target.visible_px,
        "bbox": target.bbox.filter(|_| target.kind == TargetKind::Present),
        "visible_bbox": target.visible_bbox,
        "click_point": target.click_point,
        "mask": target.visible_mask,
        "distractors": distractors.collect::<Vec<_>>(),
        "evidence": target.evidence,
    })
}

/// `thumbs/..` for `images/..`.
fn thumbnail_name(image: &str) -> String {
    let inside = image.strip_prefix("images/").unwrap_or(image);
    format!("thumbs/{}.jpg", inside.rsplit_once('.').map_or(inside, |(stem, _)| stem))
}

/// Links (or copies) pictures and makes thumbnails, with several threads.
fn place_pictures(
    dataset: &Path,
    out: &Path,
    pictures: &[(String, [u32; 2])],
    threads: usize,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let dataset = Root::new(dataset);
    progress.begin(pictures.len() as u64, "pictures");
    let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).build().expect("threads can be started");
    let pictures = pictures.par_iter().with_max_len(1);
    let error = pool.install(|| {
        pictures.find_map_first(|(picture, size)| {
            progress.advance(1);
            place_picture(&dataset, out, picture, *size).err()
        })
    });
    progress.end();
    error.map_or(Ok(()), Err)
}

fn place_picture(dataset: &Root, out: &Path, name: &str, size: [u32; 2]) -> Result<(), Error> {
    let (from, to, thumbnail) = (dataset.place(name), out.join(name), out.join(thumbnail_name(name)));
    let failed = |e: std::io::Error| Error::path(&from, e);
    for path in [&to, &thumbnail] {
        std::fs::create_dir_all(path.parent().unwrap_or(out)).map_err(failed)?;
    }
    let bytes = dataset.picture(name, Some(size))?.bytes()?;
    let picture = decode_limited(&bytes, None).map_err(|e| Error::path(&from, e))?.into_rgb8();
    dataset.picture(name, Some(size))?.link_to(&to).map_err(failed)?;
    let height = (picture.height() * THUMBNAIL_PX).div_ceil(picture.width());
    let small = image::imageops::thumbnail(&picture, THUMBNAIL_PX, height.max(1));
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, THUMBNAIL_QUALITY).encode_image(&small).map_err(|e| Error::io(&from, e))?;
    std::fs::write(&thumbnail, bytes).map_err(|e| Error::io(&thumbnail, e))
}
