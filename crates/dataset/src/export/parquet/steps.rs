//! One row per step of a task, with its keyframe inside, as `datasets` reads it.

use serde_json::{Value, json};

use windesk_model::task::{StepKind, TaskKind};

use super::super::packaging::hub_card;
use super::super::tasks::{ExportedTask, TaskWriter};
use super::row_files::RowFiles;
use super::table::{Cell, Shape};
use super::{Error, Exporting, Job, ints, text};

/// Writes `data/<split>-00000.parquet` and so on.
pub(in crate::export) struct StepRows {
    dataset: Exporting,
    files: RowFiles,
}

/// Columns with texts; with whole numbers; with lists of whole numbers.
const TEXTS: [&str; 11] =
    ["task_id", "goal", "instruction", "kind", "step_kind", "application", "window", "condition", "split", "session", "action"];
const INTS: [&str; 4] = ["step", "steps", "width", "height"];
const LISTS: [&str; 2] = ["bbox", "click_point"];

impl StepRows {
    pub(in crate::export) fn new(dataset: &Exporting) -> Self {
        Self { dataset: dataset.clone(), files: RowFiles::new(format!("data/{}", dataset.split_name())) }
    }
}

fn shape() -> Shape {
    let picture = Shape::Record(vec![("bytes", Shape::Bytes), ("path", Shape::Text)]);
    let mut columns = vec![("image", picture)];
    columns.extend(TEXTS.map(|name| (name, Shape::Text)));
    columns.extend(INTS.map(|name| (name, Shape::Int)));
    columns.extend(LISTS.map(|name| (name, Shape::Int.list())));
    columns.push(("visible_ratio", Shape::Double.list()));
    columns.push(("also_valid", Shape::Record(vec![("bbox", Shape::Int.list()), ("why", Shape::Text)]).list()));
    Shape::Record(columns)
}

/// What `datasets` wants to know to show pictures as pictures.
fn notes() -> Vec<(&'static str, String)> {
    let value = |kind: &str| json!({"dtype": kind, "_type": "Value"});
    let list = |of: Value| json!({"feature": of, "_type": "List"});
    let mut features = serde_json::Map::new();
    features.insert("image".to_owned(), json!({"_type": "Image"}));
    features.extend(TEXTS.map(|name| (name.to_owned(), value("string"))));
    features.extend(INTS.map(|name| (name.to_owned(), value("int64"))));
    features.extend(LISTS.map(|name| (name.to_owned(), list(value("int64")))));
    features.insert("visible_ratio".to_owned(), list(value("float64")));
    features.insert("also_valid".to_owned(), list(json!({"bbox": list(value("int64")), "why": value("string")})));
    vec![("huggingface", json!({"info": {"features": features}}).to_string())]
}

impl TaskWriter for StepRows {
    fn task(&mut self, job: &mut Job, task: &ExportedTask) -> Result<(), Error> {
        let line = &task.line;
        let given = |value: &Option<String>| value.clone().unwrap_or_default();
        for (at, (step, click)) in task.steps().enumerate() {
            let bytes = job.output.read_image(step.image.as_deref().unwrap_or_default(), step.image_size)?;
            let texts: [String; TEXTS.len()] = [
                line.id.clone(),
                task.goal().to_owned(),
                step.instruction.clone(),
                line.kind.map(TaskKind::name).unwrap_or_default().to_owned(),
                step.step_kind.map(StepKind::name).unwrap_or_default().to_owned(),
                line.application.clone(),
                given(&step.window),
                given(&line.condition),
                given(&line.split),
                given(&line.session),
                step.action.clone(),
            ];
            let [width, height] = step.image_size;
            let numbers: [u64; INTS.len()] = [at as u64, task.clicks.len() as u64, width.into(), height.into()];
            let others = step.also_valid.iter();
            let others = others.map(|place| Cell::Record(vec![ints(<[i32; 4]>::from(place.bbox)), text(&place.why)]));
            let mut row = vec![Cell::Record(vec![Cell::Bytes(bytes), text(&click.image)])];
            row.extend(texts.map(Cell::Text));
            row.extend(numbers.map(|number| Cell::Int(number as i64)));
            row.push(ints(click.bbox));
            row.push(ints([click.point.x, click.point.y]));
            row.push(Cell::List(step.visible_ratio.map(Cell::Double).into_iter().collect()));
            row.push(Cell::List(others.collect()));
            self.files.add(&job.output, shape(), &notes(), Cell::Record(row))?;
        }
        Ok(())
    }

    fn finish(&mut self, job: &mut Job) -> Result<(), Error> {
        self.files.finish()?;
        let files = format!("data/{}-*.parquet", self.dataset.split_name());
        let rows = ("steps of tasks on desktops", "`goal` and `instruction` say what is asked for");
        let card = hub_card(&self.dataset, self.files.written(), &files, rows, "the keyframe is inside.");
        job.output.whole("README.md", &card)
    }
}
