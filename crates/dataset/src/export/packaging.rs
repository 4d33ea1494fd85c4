//! Ways to hand over a whole dataset: an image folder as hubs read it, and tar shards.

use std::fs::File;
use std::io::BufWriter;

use serde_json::{Map, Value, json};

use windesk_model::escape::{markdown, yaml};
use windesk_model::record::SceneRecord;

use super::{Error, Exported, Exporting, Job, SceneWriter};

/// What a row says of a target that has no box or click point.
#[derive(Clone, Copy)]
enum Nothing {
    /// An empty list.
    Empty,
    /// A box without pixels, and a point outside of every picture: lists of the same length in all rows.
    Degenerate,
}

/// What hubs read of a scene. Readers infer one type per column from the first rows: every row has the same fields, and
/// none that is null.
fn row(job: &mut Job, scene: &SceneRecord, nothing: Nothing) -> Result<Map<String, Value>, Error> {
    let [no_box, no_point] = match nothing {
        Nothing::Empty => [json!([]), json!([])],
        Nothing::Degenerate => [json!([0, 0, 0, 0]), json!([-1, -1])],
    };
    let targets = job.targets(scene)?.into_iter().map(|(target, bbox)| {
        let element = target.element.as_ref().and_then(|id| scene.truth.elements.iter().find(|e| e.id == *id));
        let window = target.window.and_then(|w| scene.truth.windows.get(w));
        json!({
            "id": target.id,
            "kind": target.kind,
            "instruction": target.instruction,
            "bbox": bbox.map_or(no_box.clone(), |b| json!(b)),
            "click_point": target.click_point.map_or(no_point.clone(), |p| json!([p.x, p.y])),
            "visible_ratio": target.visible_ratio,
            "ui_type": target.ui_type,
            "role": element.map_or("", |e| &e.role),
            "application": window.map_or("", |w| &w.app),
            "category": window.map_or("", |w| w.category.name()),
        })
    });
    let targets: Vec<Value> = targets.collect();
    let row = json!({
        "id": scene.id,
        "condition": scene.condition,
        "split": scene.split.as_deref().unwrap_or_default(),
        "pair_id": scene.pair_id,
        "width": scene.width,
        "height": scene.height,
        "windows": scene.truth.windows.len(),
        "targets": targets,
    });
    let Value::Object(row) = row else { unreachable!("made as an object") };
    Ok(row)
}

/// What rows of scenes are, and which of their columns holds what is asked for, as cards say it.
pub(super) const SCENES: (&str, &str) = ("desktop scenes", "`targets` holds what is asked for");

/// The card of an export for hubs. `files` is the pattern of its data files, `what` its rows are, `asked` what holds
/// what is asked for, `text` what follows the first sentence.
pub(super) fn hub_card(dataset: &Exporting, rows: u64, files: &str, (what, asked): (&str, &str), text: &str) -> String {
    format!(
        "---\npretty_name: {quoted}\nlicense: other\ntask_categories:\n- image-text-to-text\ntags:\n- gui-grounding\n- synthetic\n\
         configs:\n- config_name: default\n  data_files:\n  - split: {split}\n    path: {files}\n---\n\n\
         # {name}\n\n{rows} {what}, one row each; {asked}. Boxes are `[x0, y0, x1, y1]`, half-open,\n\
         in px of the image; {text} `export.json` names the dataset\nthat it was made from and its licences.\n",
        quoted = yaml(&dataset.name),
        name = markdown(&dataset.name),
        split = dataset.split_name(),
    )
}

/// `metadata.jsonl` with one row per picture, and a card.
pub(super) struct ImageFolder {
    dataset: Exporting,
    rows: u64,
}

impl ImageFolder {
    pub(super) fn new(dataset: &Exporting) -> Self {
        Self { dataset: dataset.clone(), rows: 0 }
    }

    /// The folder of the split with a slash, if there is one.
    fn folder(&self) -> String {
        self.dataset.split.map(|split| format!("{}/", split.name())).unwrap_or_default()
    }
}

impl SceneWriter for ImageFolder {
    fn scene(&mut self, job: &mut Job, exported: &Exported) -> Result<(), Error> {
        let mut row = row(job, exported.scene, Nothing::Empty)?;
        row.insert("file_name".to_owned(), exported.image.into());
        self.rows += 1;
        job.output.line(&format!("{}metadata.jsonl", self.folder()), &row)
    }

    fn finish(&mut self, job: &mut Job) -> Result<(), Error> {
        let files = if self.dataset.split.is_some() { format!("\"{}**\"", self.folder()) } else { "\"**\"".to_owned() };
        job.output.whole("README.md", &hub_card(&self.dataset, self.rows, &files, SCENES, "an absent target has an empty box."))
    }
}

/// Pictures in a shard before the next one is begun. Fixed, so that shards do not depend on how a dataset was made.
const SHARD_SCENES: u64 = 250;

/// Tar shards; the files of a sample share their name up to the first dot.
pub(super) struct WebDataset {
    dataset: Exporting,
    scenes: u64,
    shard: Option<tar::Builder<BufWriter<File>>>,
}

impl WebDataset {
    pub(super) fn new(dataset: &Exporting) -> Self {
        Self { dataset: dataset.clone(), scenes: 0, shard: None }
    }

    /// The name of a shard; readers find the split in it.
    fn shard_name(&self) -> String {
        let split = self.dataset.split.map(|split| format!("-{}", split.name())).unwrap_or_default();
        format!("{}{split}-{:06}.tar", self.dataset.name, self.scenes / SHARD_SCENES)
    }

    fn close(&mut self) -> Result<(), Error> {
        let Some(shard) = self.shard.take() else { return Ok(()) };
        let flushed = shard.into_inner().and_then(|file| file.into_inner().map_err(std::io::IntoInnerError::into_error));
        flushed.map(drop).map_err(|e| Error::at(&self.dataset.name, e))
    }
}

impl SceneWriter for WebDataset {
    fn scene(&mut self, job: &mut Job, exported: &Exported) -> Result<(), Error> {
        let Exported { scene, .. } = exported;
        let row = row(job, scene, Nothing::Degenerate)?;
        if self.scenes.is_multiple_of(SHARD_SCENES) {
            self.close()?;
            let name = self.shard_name();
            let file = File::create(job.output.path(&name)).map_err(|e| Error::at(&name, e))?;
            self.shard = Some(tar::Builder::new(BufWriter::with_capacity(1 << 18, file)));
        }
        self.scenes += 1;
        let shard = self.shard.as_mut().expect("begun above");
        // Readers take everything after the first dot for the kind of file.
        let key = scene.id.replace('.', "_");
        let ending = scene.image.rsplit('.').next().unwrap_or("png");
        let picture = job.output.read_image(&scene.image, [scene.width, scene.height])?;
        let row = serde_json::to_vec(&row).expect("plain data");
        // Readers make columns of what they know to be JSON, and a whole record is too manifold for that.
        let record = serde_json::to_vec(scene).expect("plain data");
        for (ending, bytes) in [(ending, &picture), ("json", &row), ("scene.jsonl", &record)] {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            let name = format!("{key}.{ending}");
            shard.append_data(&mut header, &name, bytes.as_slice()).map_err(|e| Error::at(&name, e))?;
        }
        Ok(())
    }

    fn finish(&mut self, job: &mut Job) -> Result<(), Error> {
        self.close()?;
        let text = "an absent target has the empty box `[0, 0, 0, 0]` and the click point\n`[-1, -1]`. `scene.jsonl` is the whole record of the scene.";
        job.output.whole("README.md", &hub_card(&self.dataset, self.scenes, "\"*.tar\"", SCENES, text))
    }
}
