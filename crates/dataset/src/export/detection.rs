//! Detection formats: every visible element of every scene, its role as its class.

use std::fmt::Write;

use serde_json::{Value, json};

use windesk_model::record::SceneRecord;
use windesk_model::role::ROLES;

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
        let Exported { scene, image } = exported;
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
        let picture = json!({"id": self.scenes, "file_name": image, "width": scene.width, "height": scene.height, "scene": scene.id, "condition": scene.condition});
        job.output.append(COCO, format!("{}{picture}", comma(self.scenes == 1)).as_bytes())?;
        for element in &scene.truth.elements {
            let Some(bbox) = element_box(scene, element, job.settings.boxes) else { continue };
            self.elements += 1;
            let [x, y, width, height] = xywh(bbox);
            let target = targets.iter().find(|(t, _)| t.element.as_ref() == Some(&element.id));
            let record = json!({
                "id": self.elements,
                "image_id": self.scenes,
                "category_id": class_of(scene, &element.role)? + 1,
                "bbox": [x, y, width, height],
                "area": width * height,
                "iscrowd": 0,
                "segmentation": [],
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

/// A text file per picture.
pub(super) struct Yolo;

impl SceneWriter for Yolo {
    fn scene(&mut self, job: &mut Job, exported: &Exported) -> Result<(), Error> {
        let Exported { scene, image } = exported;
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
        let mut text = "path: .\ntrain: images\nval: images\nnames:\n".to_owned();
        for (number, name) in ROLES.iter().enumerate() {
            let _ = writeln!(text, "  {number}: {}", Value::from(*name));
        }
        job.output.whole("data.yaml", &text)
    }
}
