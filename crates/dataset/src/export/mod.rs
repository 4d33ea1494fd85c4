//! Exporters: a finished dataset in the form that a harness, a trainer or a hub reads.
//!
//! A dataset is read line by line and written as it is read: memory does not grow with it. Nothing is computed anew but
//! coordinates; boxes come from the scenes' records, clipped to the image. The result appears whole or not at all.

mod boxes;
mod chat;
mod detection;
mod finestate;
mod format;
mod harness;
mod info;
mod medspot;
mod output;
mod packaging;
#[cfg(feature = "parquet")]
mod parquet;
mod point;
mod state_formats;
mod task_formats;
mod tasks;
mod trajectory;

use std::path::Path;

use serde::Serialize;

use windesk_engine::pack::Pack;
use windesk_files::{Durability, Replace, StagedFolder};
use windesk_model::Error;
use windesk_model::progress::Progress;
use windesk_model::record::{MaskRecord, SceneRecord, TargetKind, TargetRecord};
use windesk_model::resize::ResizeRule;
use windesk_model::setting::StateInstance;
use windesk_model::split::Split;

use crate::form::Records;
use crate::manifest::Manifest;
use crate::origin::{SourceTask, with_origin};
use crate::reader::names_a_picture;
use crate::source::{DatasetKind, SampleSource};
use crate::{LinesReader, ScenesReader, open_manifest};
use finestate::StateWriter;
use info::Making;
use output::{ImagePlace, Output};
use tasks::{TaskWriter, exported};

pub use format::Format;
pub use info::FormatInfo;

/// Which box of an element is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxKind {
    /// The whole element, hidden parts included, clipped to the image.
    Full,
    /// The smallest box around its visible pixels.
    Visible,
}

/// How pictures come along, for formats that do not hold them themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageMode {
    /// As hard links, which use no space; copies if the target is on another file system.
    Link,
    /// As copies.
    Copy,
    /// Not at all; paths refer to the dataset. Formats that hold them themselves have no such form.
    None,
}

/// What the user decides about an export.
#[derive(Clone, Copy, Debug)]
pub struct ExportSettings {
    /// Which box is written.
    pub boxes: BoxKind,
    /// How pictures come along.
    pub images: ImageMode,
    /// Limits of the resizing of models that answer in px of the resized picture.
    pub resize: ResizeRule,
    /// Whether what the format can't hold may be left out.
    pub allow_lossy: bool,
    /// Overwrite an earlier export.
    pub force: bool,
    /// Whether it must survive a power cut.
    pub durability: Durability,
}

/// What an export wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExportSummary {
    /// Scenes read; of a format of tasks the keyframes.
    pub scenes: u64,
    /// Tasks written; only of formats of tasks.
    #[serde(skip_serializing_if = "is_zero")]
    pub tasks: u64,
    /// Targets written; of a format of tasks the steps.
    pub targets: u64,
    /// Targets left out: absent ones and states that only a drag sets, where the format has no words for them, or
    /// without a box of the wanted kind on the screen.
    pub left_out: u64,
    /// Whether visible pixels were written.
    pub masks: bool,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A file that every export holds: what it was made from and how to read its boxes.
const EXPORT_RECORD: &str = "export.json";

/// Exports the dataset in `dataset` to a new folder `out`. `pack` is what it was made from, for formats that write
/// visible pixels ([`Format::wants_pack`]); without one they leave them out.
///
/// # Errors
/// If the folder holds no finished dataset or a record can't be read, if the format would lose something that was not
/// allowed to be lost, the dataset is of another pack, or `out` can't be written to. Nothing is left behind then.
pub fn export(
    dataset: &Path,
    format: Format,
    pack: Option<Pack>,
    out: &Path,
    settings: &ExportSettings,
    progress: &dyn Progress,
) -> Result<ExportSummary, Error> {
    let manifest = open_manifest(dataset)?;
    let info = format.info();
    if info.images == ImagePlace::Embedded && settings.images == ImageMode::None {
        let problem = format!("{}: the images are inside its files, expected link or copy", info.name);
        return Err(Error::config("option `images` none", problem));
    }
    if info.all_elements && manifest.form.records != Records::Full {
        let problem = format!("made with option `records` {}, expected every element", manifest.form.records.name());
        return Err(Error::path(dataset, problem).with_hint(format!("{} is made of the boxes of all elements", info.name)));
    }
    if let Some(lost) = info.loses.filter(|_| !settings.allow_lossy) {
        let error = Error::config(format!("option `to` {}", info.name), format!("loses {lost}"));
        return Err(error.with_hint("option `allow_lossy` exports it anyway"));
    }
    let run = Run { dataset, manifest: &manifest, format, out, settings, progress };
    match pack.filter(|_| format.wants_pack()) {
        None => run.carry_out(&mut |_| Ok(None)),
        Some(pack) if pack.digest != manifest.pack.digest => {
            let problem = format!("made from pack `{}` ({}), found {}", manifest.pack.name, manifest.pack.digest, pack.digest);
            Err(Error::path(dataset, problem).with_hint("name the right one with option `pack`"))
        }
        Some(pack) => with_origin(pack, &manifest, run),
    }
}

/// Visible pixels of all elements of a scene, where they are known.
type Masks = Option<Vec<Option<MaskRecord>>>;

/// An export under way.
struct Run<'a> {
    dataset: &'a Path,
    manifest: &'a Manifest<serde_json::Value>,
    format: Format,
    out: &'a Path,
    settings: &'a ExportSettings,
    progress: &'a dyn Progress,
}

impl SourceTask for Run<'_> {
    type Output = ExportSummary;

    fn with<S: SampleSource>(self, _pack: &Pack, source: &S) -> Result<ExportSummary, Error> {
        let mut plans = LinesReader::open(self.dataset, self.manifest, "plans");
        self.carry_out(&mut |scene| {
            let Some(line) = plans.next() else { return Err(Error::at(&scene.id, "found no plan, expected one per scene")) };
            let (place, line) = line?;
            let bad =
                |problem: String| Error::at(&place, problem).with_hint("`windesk verify` says what is wrong with the dataset");
            let plan: serde_json::Value = serde_json::from_slice(&line).map_err(|e| bad(format!("{e}, expected a plan")))?;
            if plan["key"]["index"] != scene.key.index || plan["condition"] != scene.condition {
                return Err(bad(format!("of another scene, expected the plan of {}", scene.id)));
            }
            let plan: S::Plan = serde_json::from_value(plan).map_err(|e| bad(format!("{e}, expected a plan")))?;
            let masks = source.masks(&plan)?;
            if masks.len() == scene.truth.elements.len() {
                return Ok(Some(masks));
            }
            Err(bad(format!("gives {} elements, {} has {}", masks.len(), scene.id, scene.truth.elements.len())))
        })
    }
}

impl Run<'_> {
    /// Reads the scenes and writes them.
    fn write_scenes(
        &self,
        job: &mut Job,
        writer: &mut dyn SceneWriter,
        masks: &mut dyn FnMut(&SceneRecord) -> Result<Masks, Error>,
    ) -> Result<(), Error> {
        self.progress.begin(self.manifest.samples, "scenes");
        for scene in ScenesReader::open(self.dataset, self.manifest) {
            let scene = scene?;
            self.progress.advance(1);
            let image = job.output.place_image(&scene.image, [scene.width, scene.height])?;
            job.summary.scenes += 1;
            let masks = masks(&scene)?;
            job.summary.masks |= masks.is_some();
            writer.scene(job, &Exported { scene: &scene, image: &image, masks: masks.as_deref() })?;
        }
        self.progress.end();
        writer.finish(job)
    }

    /// Reads the tasks and writes them.
    fn write_tasks(&self, job: &mut Job, writer: &mut dyn TaskWriter) -> Result<(), Error> {
        if self.settings.boxes == BoxKind::Visible {
            let problem = format!("{}: tasks record whole boxes, expected full", job.info.name);
            return Err(Error::config("option `boxes` visible", problem));
        }
        if self.manifest.kind != DatasetKind::Tasks {
            let error = Error::path(self.dataset, format!("found no tasks, expected a dataset of tasks for {}", job.info.name));
            return Err(error.with_hint("`windesk tasks` makes one; `windesk formats` lists the formats of scenes"));
        }
        self.progress.begin(self.manifest.samples, "keyframes");
        for line in LinesReader::open(self.dataset, self.manifest, "tasks") {
            let (place, line) = line?;
            let task = exported(job, &place, &line)?;
            let steps = task.clicks.len() as u64;
            self.progress.advance(steps);
            (job.summary.scenes, job.summary.targets) = (job.summary.scenes + steps, job.summary.targets + steps);
            job.summary.tasks += 1;
            writer.task(job, &task)?;
        }
        self.progress.end();
        writer.finish(job)
    }

    /// Reads the state instances and writes them.
    fn write_states(&self, job: &mut Job, writer: &mut dyn StateWriter) -> Result<(), Error> {
        if self.settings.boxes == BoxKind::Visible {
            let problem = format!("{}: all of a control shows, expected full", job.info.name);
            return Err(Error::config("option `boxes` visible", problem));
        }
        if self.manifest.kind != DatasetKind::States {
            let problem = format!("found no state instances, expected a dataset of state instances for {}", job.info.name);
            let error = Error::path(self.dataset, problem);
            return Err(error.with_hint("`windesk states` makes one; `windesk formats` lists the formats of scenes"));
        }
        self.progress.begin(self.manifest.samples, "instances");
        for line in LinesReader::open(self.dataset, self.manifest, "states") {
            let (place, line) = line?;
            let bad =
                |problem: String| Error::at(&place, problem).with_hint("`windesk verify` says what is wrong with the dataset");
            let instance: StateInstance =
                serde_json::from_slice(&line).map_err(|e| bad(format!("{e}, expected a state instance")))?;
            let image = instance.image.as_deref().filter(|image| names_a_picture(image));
            let image = image.ok_or_else(|| bad("`image`: expected a path inside the dataset, images/..".to_owned()))?;
            self.progress.advance(1);
            (job.summary.scenes, job.summary.targets) = (job.summary.scenes + 1, job.summary.targets + 1);
            writer.instance(job, &instance, image)?;
        }
        self.progress.end();
        Ok(())
    }

    /// Reads scenes, tasks or state instances and writes them.
    fn carry_out(self, masks: &mut dyn FnMut(&SceneRecord) -> Result<Masks, Error>) -> Result<ExportSummary, Error> {
        let Self { dataset, manifest, format, out, settings, .. } = self;
        let info = format.info();
        let replace = if settings.force { Replace::HoldingFile(EXPORT_RECORD) } else { Replace::Nothing };
        let staged = StagedFolder::new(out, replace)?.with_durability(settings.durability);
        let split = manifest.split();
        let mut job = Job {
            output: Output::new(dataset, staged.path(), info.images, split, settings.images),
            settings: *settings,
            info,
            summary: ExportSummary::default(),
        };
        let exporting = Exporting { name: manifest.dataset.clone(), split };
        match info.writer {
            Making::Scenes(writer) => self.write_scenes(&mut job, &mut *writer(&exporting), masks)?,
            Making::Tasks(writer) => self.write_tasks(&mut job, &mut *writer(&exporting))?,
            Making::States(writer) => self.write_states(&mut job, &mut *writer(&exporting))?,
        }
        job.output.finish()?;
        let mut record = serde_json::json!({
            "format": info.name,
            "boxes": info.coordinates,
            "box_kind": match settings.boxes { BoxKind::Full => "full", BoxKind::Visible => "visible" },
            "loses": info.loses,
            "omits": info.omits,
            "rounds": info.rounds,
            "dataset": manifest.dataset,
            "protocol": manifest.protocol,
            "identity": manifest.identity,
            "tool_version": env!("CARGO_PKG_VERSION"),
            "licences": manifest.pack.licences,
            "assets": manifest.assets,
            "share_alike": manifest.share_alike,
            "scenes": job.summary.scenes,
            "targets": job.summary.targets,
            "left_out": job.summary.left_out,
        });
        if format.of_tasks() {
            record["tasks"] = job.summary.tasks.into();
        }
        if format.wants_pack() {
            record["masks"] = job.summary.masks.into();
        }
        let mut text = serde_json::to_string_pretty(&record).expect("plain data");
        text.push('\n');
        staged.write(EXPORT_RECORD, text.as_bytes())?;
        staged.commit()?;
        Ok(job.summary)
    }
}

/// Whether its records say that a target takes a drag.
fn holds_drags(info: &FormatInfo) -> bool {
    matches!(info.name, "superset" | "webdataset")
}

/// The dataset that is exported, for formats that name it.
#[derive(Clone, Debug)]
struct Exporting {
    /// Its name.
    name: String,
    /// The part of the pack that it was made from; null for all of it.
    split: Option<Split>,
}

impl Exporting {
    /// The split that readers look for: theirs is `train` where nothing was split.
    fn split_name(&self) -> &'static str {
        self.split.unwrap_or(Split::Train).name()
    }
}

/// A scene on its way into an export.
struct Exported<'a> {
    scene: &'a SceneRecord<'a>,
    /// Path of the picture as the export's records give it.
    image: &'a str,
    /// Visible pixels of its elements, in their order, where they are known.
    masks: Option<&'a [Option<MaskRecord>]>,
}

/// What all writers share.
struct Job {
    output: Output,
    settings: ExportSettings,
    info: &'static FormatInfo,
    summary: ExportSummary,
}

/// A target with its box in px of the image, `[x0, y0, x1, y1]`.
type BoxedTarget<'a> = (&'a TargetRecord, Option<[i32; 4]>);

/// Writes one format.
trait SceneWriter {
    /// Writes what the format keeps of a scene.
    fn scene(&mut self, job: &mut Job, scene: &Exported) -> Result<(), Error>;

    /// Writes what comes after all scenes.
    fn finish(&mut self, _job: &mut Job) -> Result<(), Error> {
        Ok(())
    }
}

impl Job {
    /// Targets of a scene with their boxes; none for an absent target, where the format can hold one. Others are
    /// counted as left out.
    fn targets<'a>(&mut self, scene: &'a SceneRecord<'a>) -> Result<Vec<BoxedTarget<'a>>, Error> {
        let mut kept = Vec::new();
        for target in &scene.truth.targets {
            let bbox = boxes::target_box(scene, target, self.settings.boxes);
            let absent = target.kind == TargetKind::Absent;
            let only_dragged = target.drag.is_some() && !holds_drags(self.info);
            if !only_dragged && (bbox.is_some() || absent && self.info.holds_absent) {
                kept.push((target, bbox));
                self.summary.targets += 1;
            } else if self.settings.allow_lossy {
                self.summary.left_out += 1;
            } else {
                let what = match (absent, only_dragged) {
                    (true, _) => "an absent target, which this format cannot express",
                    (_, true) => "a state that only a drag sets, which this format cannot express",
                    _ => "a target that is off the screen",
                };
                return Err(
                    Error::at(&target.id, format!("found {what}")).with_hint("option `allow_lossy` leaves such targets out")
                );
            }
        }
        Ok(kept)
    }
}
