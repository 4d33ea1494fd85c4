//! FineState-Bench's files as its published code reads them (github.com/FengxianJi/FineState-Bench, `evaluation`). Its
//! folder has a list per family and kind of control for desktops, and one list each for web pages and telephones. Boxes
//! are shares of the image's sides.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use windesk_model::setting::{Family, StateInstance};

use super::boxes::unit;
use super::{Error, Job};

/// Writes one format of state instances.
pub(super) trait StateWriter {
    /// Writes what the format keeps of an instance. `image` is the picture's path in the dataset.
    fn instance(&mut self, job: &mut Job, instance: &StateInstance, image: &str) -> Result<(), Error>;
}

/// The folders of desktops by family, as the published code has them.
const DESKTOP: [(Family, &str); 4] = [
    (Family::Range, "ANumericRange240"),
    (Family::Option, "BToggleOption200"),
    (Family::Data, "CSpecificData200"),
    (Family::Structure, "DViewManipilation160"),
];

#[derive(Default)]
pub(super) struct Finestate {
    /// Pictures that came along.
    brought: BTreeSet<String>,
}

impl StateWriter for Finestate {
    fn instance(&mut self, job: &mut Job, instance: &StateInstance, image: &str) -> Result<(), Error> {
        let lacks = |what: &str| Error::at(&instance.id, format!("`{what}` is null, expected it of an instance of windesk"));
        let component = instance.component.as_deref().ok_or_else(|| lacks("component"))?;
        let name = image.rsplit('/').next().unwrap_or(image);
        let (picture, list) = match instance.platform.as_deref() {
            Some("web") => (format!("web_en/images/{name}"), "web_en/instructions.jsonl".to_owned()),
            Some("mobile-web") => (format!("mobile_en/images/{name}"), "mobile_en/instructions.jsonl".to_owned()),
            Some("desktop") => {
                let family = instance.family.ok_or_else(|| lacks("family"))?;
                let folder = DESKTOP.into_iter().find(|(of, _)| *of == family).map(|(_, folder)| folder).expect("all four");
                (format!("desktop_en/{folder}/{component}/{name}"), format!("desktop_en/{folder}json/{component}.json"))
            }
            _ => return Err(lacks("platform")),
        };
        if self.brought.insert(picture.clone()) {
            job.output.bring(image, instance.image_size, &picture)?;
        }
        let record = record_of(instance, &picture)?;
        // The code reads the lists of this family on desktops as JSON, all others line by line.
        let is_one_list = instance.platform.as_deref() == Some("desktop") && instance.family == Some(Family::Data);
        if is_one_list { job.output.list(&list, &record) } else { job.output.line(&list, &record) }
    }
}

/// A record for both ways in which the code reads boxes: desktops by the names of the authors' files, others by its
/// own.
fn record_of(instance: &StateInstance, picture: &str) -> Result<Value, Error> {
    let share = |name: &str, bbox: [f64; 4]| {
        let whole = bbox.map(|edge| edge as i32);
        if whole.map(f64::from) != bbox {
            return Err(Error::at(&instance.id, format!("{name} {bbox:?}, expected whole px")));
        }
        Ok(unit(whole, instance.image_size))
    };
    let control = share("control_bbox", instance.control_bbox)?;
    let core = share("core_bbox", instance.core_bbox)?;
    let target_core = share("target_core_bbox", instance.target_core_bbox)?;
    let locate = instance.locate_instruction.as_deref().unwrap_or_default();
    let said = |state: &Value| state.as_str().map_or_else(|| state.to_string(), str::to_owned);
    // The code takes paths of telephones from their own folder.
    let image = picture.strip_prefix("mobile_en/").map_or_else(|| picture.to_owned(), |inside| format!("mobile/{inside}"));
    Ok(json!({
        "id": instance.id,
        "image": image,
        "width": instance.image_size[0],
        "height": instance.image_size[1],
        "component": {
            "name": instance.control,
            "type": instance.component,
            "current_state": said(&instance.current_state),
            "target_state": said(&instance.target_state),
            "instructions": {"locate": locate, "interact": instance.instruction},
        },
        "processing_details": {
            "bbox": control,
            "now_coords": core,
            "target_coords": target_core,
            "locate": control,
            "loactebbox": core,
            "interactbbox": target_core,
        },
    }))
}
