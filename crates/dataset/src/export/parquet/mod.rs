//! Parquet files with the pictures inside: one row per scene for dataset hubs, one per target for verl.

mod row_files;
mod steps;
mod table;

use serde_json::json;

use super::chat::question;
use super::packaging::{SCENES, hub_card};
use super::{Error, Exported, Exporting, Job, SceneWriter};
use row_files::RowFiles;
use table::{Cell, Shape};

pub(super) use steps::StepRows;

/// What the rows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    Scenes,
    Targets,
}

/// Writes `data/<split>-00000.parquet` and so on.
pub(super) struct Parquet {
    rows: Rows,
    dataset: Exporting,
    files: RowFiles,
}

impl Parquet {
    /// One row per scene, as `datasets` reads it with decoded pictures.
    pub(super) fn scenes(dataset: &Exporting) -> Self {
        let files = RowFiles::new(format!("data/{}", dataset.split_name()));
        Self { rows: Rows::Scenes, dataset: dataset.clone(), files }
    }

    /// One row per target, with prompt and reward as verl reads them.
    pub(super) fn verl(dataset: &Exporting) -> Self {
        Self { rows: Rows::Targets, dataset: dataset.clone(), files: RowFiles::new(dataset.name.clone()) }
    }

    fn add(&mut self, job: &Job, row: Cell) -> Result<(), Error> {
        let (shape, notes) = (self.shape(), self.notes());
        self.files.add(&job.output, shape, &notes, row)
    }

    fn shape(&self) -> Shape {
        let text = |name| (name, Shape::Text);
        let picture = || Shape::Record(vec![("bytes", Shape::Bytes), ("path", Shape::Text)]);
        match self.rows {
            Rows::Scenes => Shape::Record(vec![
                ("image", picture()),
                text("id"),
                text("condition"),
                text("split"),
                text("pair_id"),
                ("width", Shape::Int),
                ("height", Shape::Int),
                (
                    "targets",
                    Shape::Record(vec![
                        text("id"),
                        text("kind"),
                        text("instruction"),
                        ("bbox", Shape::Int.list()),
                        ("click_point", Shape::Int.list()),
                        ("visible_ratio", Shape::Double),
                        text("ui_type"),
                        text("role"),
                        text("application"),
                        text("category"),
                    ])
                    .list(),
                ),
            ]),
            Rows::Targets => Shape::Record(vec![
                text("data_source"),
                ("prompt", Shape::Record(vec![text("role"), text("content")]).list()),
                ("images", picture().list()),
                text("ability"),
                (
                    "reward_model",
                    Shape::Record(vec![
                        text("style"),
                        ("ground_truth", Shape::Record(["x1", "y1", "x2", "y2"].map(|side| (side, Shape::Int)).into())),
                    ]),
                ),
                (
                    "extra_info",
                    Shape::Record(vec![
                        text("id"),
                        text("instruction"),
                        ("image_width", Shape::Int),
                        ("image_height", Shape::Int),
                        text("condition"),
                        text("split"),
                    ]),
                ),
            ]),
        }
    }

    /// What `datasets` wants to know to show pictures as pictures.
    fn notes(&self) -> Vec<(&'static str, String)> {
        if self.rows == Rows::Targets {
            return Vec::new();
        }
        let value = |kind: &str| json!({"dtype": kind, "_type": "Value"});
        let list = |of: serde_json::Value| json!({"feature": of, "_type": "List"});
        let features = json!({
            "image": {"_type": "Image"},
            "id": value("string"),
            "condition": value("string"),
            "split": value("string"),
            "pair_id": value("string"),
            "width": value("int64"),
            "height": value("int64"),
            "targets": list(json!({
                "id": value("string"),
                "kind": value("string"),
                "instruction": value("string"),
                "bbox": list(value("int64")),
                "click_point": list(value("int64")),
                "visible_ratio": value("float64"),
                "ui_type": value("string"),
                "role": value("string"),
                "application": value("string"),
                "category": value("string"),
            })),
        });
        vec![("huggingface", json!({"info": {"features": features}}).to_string())]
    }
}

fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

fn ints(values: impl IntoIterator<Item = i32>) -> Cell {
    Cell::List(values.into_iter().map(|v| Cell::Int(v.into())).collect())
}

/// A name as records write it.
fn named(value: impl serde::Serialize) -> Cell {
    text(serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default())
}

impl SceneWriter for Parquet {
    fn scene(&mut self, job: &mut Job, exported: &Exported) -> Result<(), Error> {
        let Exported { scene, image, .. } = exported;
        let targets = job.targets(scene)?;
        let bytes = job.output.read_image(&scene.image, [scene.width, scene.height])?;
        let picture = |bytes: Vec<u8>| Cell::Record(vec![Cell::Bytes(bytes), text(*image)]);
        let size = [scene.width, scene.height].map(|side| Cell::Int(side.into()));
        if self.rows == Rows::Scenes {
            let targets = targets.into_iter().map(|(target, bbox)| {
                let element = target.element.as_ref().and_then(|id| scene.truth.elements.iter().find(|e| e.id == *id));
                let window = target.window.and_then(|w| scene.truth.windows.get(w));
                Cell::Record(vec![
                    text(&target.id),
                    named(target.kind),
                    text(&target.instruction),
                    ints(bbox.into_iter().flatten()),
                    ints(target.click_point.into_iter().flat_map(|p| [p.x, p.y])),
                    Cell::Double(target.visible_ratio),
                    named(target.ui_type),
                    text(element.map_or("", |e| &e.role)),
                    text(window.map_or("", |w| &w.app)),
                    text(window.map_or("", |w| w.category.name())),
                ])
            });
            let targets = Cell::List(targets.collect());
            let split = text(scene.split.as_deref().unwrap_or_default());
            let [width, height] = size;
            let pair = text(&scene.pair_id);
            let row = vec![picture(bytes), text(&scene.id), text(&scene.condition), split, pair, width, height, targets];
            return self.add(job, Cell::Record(row));
        }
        for (target, bbox) in targets {
            let Some(bbox) = bbox else { continue };
            let [width, height] = [scene.width, scene.height].map(|side| Cell::Int(side.into()));
            let prompt = Cell::Record(vec![text("user"), text(format!("<image>{}", question(target)))]);
            let row = vec![
                text(format!("windesk/{}", self.dataset.name)),
                Cell::List(vec![prompt]),
                Cell::List(vec![picture(bytes.clone())]),
                text("gui-grounding"),
                Cell::Record(vec![text("rule"), Cell::Record(bbox.map(|v| Cell::Int(v.into())).into())]),
                Cell::Record(vec![
                    text(&target.id),
                    text(&target.instruction),
                    width,
                    height,
                    text(&scene.condition),
                    text(self.dataset.split_name()),
                ]),
            ];
            self.add(job, Cell::Record(row))?;
        }
        Ok(())
    }

    fn finish(&mut self, job: &mut Job) -> Result<(), Error> {
        self.files.finish()?;
        if self.rows == Rows::Targets {
            return Ok(());
        }
        let files = format!("data/{}-*.parquet", self.dataset.split_name());
        let text = "the picture is inside, and an absent target has an empty box.";
        let text = hub_card(&self.dataset, self.files.written(), &files, SCENES, text);
        job.output.whole("README.md", &text)
    }
}
