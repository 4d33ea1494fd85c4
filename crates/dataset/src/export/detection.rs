//! Detection formats: every visible element of every scene, its role as its class.

use std::fmt::Write;

use serde_json::{Value, json};

use windesk_model::record::{MaskRecord, SceneRecord};
use windesk_model::role::ROLES;
use windesk_model::split::Split;

use super::boxes::{element_box, unit, xywh};
use super::{Error, Exported, Job, SceneWriter};

fn class_of(scene: &SceneRecord, role: &str) -> Result<usize, Error> {
    let known = ROLES.iter().position(|&c| c == role);
    known.ok_or_else(|| Error::at(&scene.id, format!("an element of role `{role}`, expected one of docs/pack.md")))
}

/// One JSON file; annotations go to a file of their own until all pictures are known.
#[derive(Default)]
pub(super) struct Coco {
    scenes: u64,
    elements: u64,
}

const COCO: &str = "annotations.json";
const COCO_BOXES: &str = "annotations.json.part";

impl SceneWriter for Coco {
    fn scene(&mut self, job: &mut Job, exported: &Exported) -> Result<(), Error> {
        let Exported { scene, image, masks } = exported;
        let targets = job.targets(scene)?;
        if self.scenes == 0 {
            let categories: Vec<Value> =
                (1..).zip(ROLES).map(|(id, name)| json!({"id": id, "name": name, "supercategory": "element"})).collect();
            let info = json!({"description": scene.dataset, "version": env!("CARGO_PKG_VERSION")});
            job.output.append(
                COCO,
                format!("{{\"info\": {info},\n\"licenses\": [],\n\"categories\": {},\n\"images\": [\n", Value::from(categories))
                    .as_bytes(),
            )?;
        }
        self.scenes += 1;
        let comma = |first: bool| if first { "" } else { ",\n" };
        let picture = json!({
            "id": self.scenes, "file_name": image, "width": scene.width, "height": scene.height,
            "scene": scene.id, "condition": scene.condition,
        });
        job.output.append(COCO, format!("{}{picture}", comma(self.scenes == 1)).as_bytes())?;
        for (at, element) in scene.truth.elements.iter().enumerate() {
            let Some(bbox) = element_box(scene, element, job.settings.boxes) else { continue };
            self.elements += 1;
            let mask = masks.and_then(|masks| masks[at].as_ref()).map(|mask| Mask::of(mask, [scene.width, scene.height]));
            if let Some(mask) = mask.as_ref().filter(|mask| mask.area != element.visible_px) {
                let problem = format!("{}: {} px visible, the plan gives {}", element.id, element.visible_px, mask.area);
                return Err(Error::at(&scene.id, problem).with_hint("`windesk verify` says what is wrong with the dataset"));
            }
            let [x, y, width, height] = xywh(bbox);
            let target = targets.iter().find(|(t, _)| t.element.as_ref() == Some(&element.id));
            let record = json!({
                "id": self.elements,
                "image_id": self.scenes,
                "category_id": class_of(scene, &element.role)? + 1,
                "bbox": [x, y, width, height],
                "area": mask.as_ref().map_or((width * height) as u64, |mask| mask.area),
                "iscrowd": 0,
                "segmentation": mask.map_or(json!([]), |mask| json!({"size": [scene.height, scene.width], "counts": mask.counts})),
                "element": element.id,
                "name": element.name,
                "interactive": element.interactive,
                "total_px": element.total_px,
                "visible_px": element.visible_px,
                "instruction": target.map(|(t, _)| &t.instruction),
            });
            job.output.append(COCO_BOXES, format!("{}{record}", comma(self.elements == 1)).as_bytes())?;
        }
        Ok(())
    }

    fn finish(&mut self, job: &mut Job) -> Result<(), Error> {
        job.output.append(COCO, b"\n],\n\"annotations\": [\n")?;
        job.output.close(COCO)?;
        job.output.close(COCO_BOXES)?;
        let (whole, boxes) = (job.output.path(COCO), job.output.path(COCO_BOXES));
        let append = || -> std::io::Result<()> {
            let mut whole = std::fs::OpenOptions::new().append(true).open(&whole)?;
            if boxes.exists() {
                std::io::copy(&mut std::fs::File::open(&boxes)?, &mut whole)?;
                std::fs::remove_file(&boxes)?;
            }
            std::io::Write::write_all(&mut whole, b"\n]}\n")
        };
        append().map_err(|e| Error::at(COCO, e))
    }
}

/// Visible pixels as COCO writes them: lengths of runs down the columns of the whole picture, hidden first, as text.
struct Mask {
    counts: String,
    area: u64,
}

impl Mask {
    fn of(mask: &MaskRecord, [width, height]: [u32; 2]) -> Self {
        let [rows, columns] = mask.size.map(|side| side as usize);
        let mut seen = vec![false; rows * columns];
        let (mut at, mut visible) = (0, false);
        for &count in &mask.counts {
            let end = (at + count as usize).min(seen.len());
            seen[at..end].fill(visible);
            (at, visible) = (end, !visible);
        }
        let [width, height] = [width, height].map(u64::from);
        let (left, top) = (mask.origin.x as u64, mask.origin.y as u64);
        // First pixels and those after the last, counted down the columns of the picture.
        let mut stretches: Vec<(u64, u64)> = Vec::new();
        for column in 0..columns {
            for row in (0..rows).filter(|row| seen[row * columns + column]) {
                let pixel = (left + column as u64) * height + top + row as u64;
                match stretches.last_mut() {
                    Some((_, end)) if *end == pixel => *end += 1,
                    _ => stretches.push((pixel, pixel + 1)),
                }
            }
        }
        let (mut runs, mut told) = (Vec::with_capacity(stretches.len() * 2 + 1), 0);
        for &(start, end) in &stretches {
            runs.extend([start - told, end - start]);
            told = end;
        }
        runs.push(width * height - told);
        Self { counts: as_text(&runs), area: stretches.iter().map(|(start, end)| end - start).sum() }
    }
}

/// Lengths of runs as pycocotools' `rleToString` writes them: five bits a letter, from the third on as differences to
/// the one before the last.
fn as_text(runs: &[u64]) -> String {
    let mut text = String::new();
    for (at, &run) in runs.iter().enumerate() {
        let mut left = run as i64 - if at > 2 { runs[at - 2] as i64 } else { 0 };
        loop {
            let bits = (left & 0x1f) as u8;
            left >>= 5;
            let more = if bits & 0x10 == 0 { left != 0 } else { left != -1 };
            text.push(char::from(48 + (bits | if more { 0x20 } else { 0 })));
            if !more {
                break;
            }
        }
    }
    text
}

/// A text file per picture.
pub(super) struct Yolo(pub(super) Option<Split>);

impl SceneWriter for Yolo {
    fn scene(&mut self, job: &mut Job, exported: &Exported) -> Result<(), Error> {
        let Exported { scene, image, .. } = exported;
        let mut labels = String::new();
        for element in &scene.truth.elements {
            let Some(bbox) = element_box(scene, element, job.settings.boxes) else { continue };
            let [x0, y0, x1, y1] = unit(bbox, [scene.width, scene.height]);
            let class = class_of(scene, &element.role)?;
            let _ = writeln!(labels, "{class} {:.7} {:.7} {:.7} {:.7}", (x0 + x1) / 2.0, (y0 + y1) / 2.0, x1 - x0, y1 - y0);
        }
        job.summary.left_out += scene.truth.targets.len() as u64;
        let name = image.replacen("images/", "labels/", 1);
        let name = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        job.output.whole(&format!("{name}.txt"), &labels)
    }

    fn finish(&mut self, job: &mut Job) -> Result<(), Error> {
        // Readers want `train` and `val` whatever the pictures are for.
        let test = if self.0 == Some(Split::Test) { "test: images\n" } else { "" };
        let mut text = format!("path: .\ntrain: images\nval: images\n{test}names:\n");
        for (number, name) in ROLES.iter().enumerate() {
            let _ = writeln!(text, "  {number}: {}", Value::from(*name));
        }
        job.output.whole("data.yaml", &text)
    }
}
