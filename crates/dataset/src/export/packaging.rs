//! Ways to hand over a whole dataset: an image folder as hubs read it, and tar shards.

use std::fs::File;
use std::io::BufWriter;

use serde_json::{Value, json};

use super::{Error, Exported, Job, SceneWriter};

/// `metadata.jsonl` with one row per picture, and a card.
pub(super) struct ImageFolder {
    name: String,
    rows: u64,
}

impl ImageFolder {
    pub(super) fn new(dataset: &str) -> Self {
        Self { name: dataset.to_owned(), rows: 0 }
    }
}

impl SceneWriter for ImageFolder {
    fn scene(&mut self, job: &mut Job, exported: &Exported) -> Result<(), Error> {
        let Exported { scene, image } = exported;
        // Readers infer one type per column from the first rows: every row has the same fields, and none that is null
        // throughout.
        let targets = job.targets(scene)?.into_iter().map(|(target, bbox)| {
            let element = target.element.as_ref().and_then(|id| scene.truth.elements.iter().find(|e| e.id == *id));
            let window = target.window.and_then(|w| scene.truth.windows.get(w));
            json!({
                "id": target.id,
                "kind": target.kind,
                "instruction": target.instruction,
                "bbox": bbox.map_or(Vec::new(), |b| b.to_vec()),
                "click_point": target.click_point.map_or(Vec::new(), |p| vec![p.x, p.y]),
                "visible_ratio": target.visible_ratio,
                "ui_type": target.ui_type,
                "role": element.map_or("", |e| &e.role),
                "application": window.map_or("", |w| &w.app),
                "category": window.map_or("", |w| w.category.name()),
            })
        });
        let row = json!({
            "file_name": image,
            "id": scene.id,
            "condition": scene.condition,
            "width": scene.width,
            "height": scene.height,
            "windows": scene.truth.windows.len(),
            "targets": targets.collect::<Vec<Value>>(),
        });
        self.rows += 1;
        job.output.line("metadata.jsonl", &row)
    }

    fn finish(&mut self, job: &mut Job) -> Result<(), Error> {
        let text = format!(
            "---\npretty_name: {name}\nlicense: other\ntask_categories:\n- image-text-to-text\ntags:\n- gui-grounding\n- synthetic\n---\n\n\
             # {name}\n\n{rows} desktop scenes, one row each; `targets` holds what is asked for. Boxes are `[x0, y0, x1, y1]`, half-open, in px of the\n\
             image; an absent target has an empty box. `export.json` names the dataset it was made from and its licences.\n",
            name = self.name,
            rows = self.rows,
        );
        job.output.whole("README.md", &text)
    }
}

/// Pictures in a shard before the next one is begun. Fixed, so that shards do not depend on how a dataset was made.
const SHARD_SCENES: u64 = 250;

/// Tar shards; the files of a sample share their name up to the first dot.
pub(super) struct WebDataset {
    name: String,
    scenes: u64,
    shard: Option<tar::Builder<BufWriter<File>>>,
}

impl WebDataset {
    pub(super) fn new(dataset: &str) -> Self {
        Self { name: dataset.to_owned(), scenes: 0, shard: None }
    }

    fn close(&mut self) -> Result<(), Error> {
        let Some(shard) = self.shard.take() else { return Ok(()) };
        let flushed = shard.into_inner().and_then(|file| file.into_inner().map_err(std::io::IntoInnerError::into_error));
        flushed.map(drop).map_err(|e| Error::at(&self.name, e))
    }
}

impl SceneWriter for WebDataset {
    fn scene(&mut self, job: &mut Job, exported: &Exported) -> Result<(), Error> {
        let Exported { scene, .. } = exported;
        job.targets(scene)?;
        if self.scenes.is_multiple_of(SHARD_SCENES) {
            self.close()?;
            let name = format!("{}-{:06}.tar", self.name, self.scenes / SHARD_SCENES);
            let file = File::create(job.output.path(&name)).map_err(|e| Error::at(&name, e))?;
            self.shard = Some(tar::Builder::new(BufWriter::with_capacity(1 << 18, file)));
        }
        self.scenes += 1;
        let shard = self.shard.as_mut().expect("begun above");
        // Readers take everything after the first dot for the kind of file.
        let key = scene.id.replace('.', "_");
        let ending = scene.image.rsplit('.').next().unwrap_or("png");
        let picture = job.output.read_image(scene)?;
        let record = serde_json::to_vec(scene).expect("plain data");
        for (ending, bytes) in [(ending, &picture), ("json", &record)] {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            let name = format!("{key}.{ending}");
            shard.append_data(&mut header, &name, bytes.as_slice()).map_err(|e| Error::at(&name, e))?;
        }
        Ok(())
    }

    fn finish(&mut self, _job: &mut Job) -> Result<(), Error> {
        self.close()
    }
}
