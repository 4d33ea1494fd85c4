//! The metadata format that the WinDeskGround paper published: a list of instruction-target pairs.
//!
//! The role is taken from the words of the instruction; `similar_contents` is left out, as neighbours are ranked anew
//! by `windesk pack embed`.

use serde_json::Value;

use windesk_model::Error;

use super::entry::{Entry, parse_entry, role_in};
use super::{Found, Reading, element};
use crate::build::rect_from_shares;

/// Reads a file of entries.
pub(super) fn read(place: &str, value: &Value, reading: &mut Reading) -> Result<(), Error> {
    let entries =
        value.as_array().ok_or_else(|| Error::file(place, "no list", "a JSON list of entries as the paper's metadata.json"))?;
    for (at, value) in entries.iter().enumerate() {
        // Entries are counted from 0, as Python and jq do.
        let entry_place = format!("{place}[{at}]");
        let added = parse_entry(&entry_place, value).and_then(|entry| add(&entry_place, entry, reading));
        reading.bad.extend(added.err());
    }
    reading.entries += entries.len();
    Ok(())
}

fn add(place: &str, entry: Entry, reading: &mut Reading) -> Result<(), Error> {
    let bad = |field: &str, found: String, expected: &str| Error::file(format!("{place}.{field}"), found, expected);
    let size = reading.size_at(&format!("{place}.image_path"), &entry.image_path)?;
    if let Some(recorded) = entry.orig_size.filter(|&recorded| recorded != [size.width, size.height]) {
        let expected = format!("[{}, {}], the picture's size", size.width, size.height);
        return Err(bad("orig_size", format!("{recorded:?}"), &expected));
    }
    let bbox = rect_from_shares(entry.gt_bbox, size)
        .ok_or_else(|| bad("gt_bbox", format!("{:?}", entry.gt_bbox), "a box with an area"))?;
    let found = reading.found.entry(entry.image_path).or_insert_with(|| Found { category: entry.category, elements: Vec::new() });
    if found.category != entry.category {
        let expected = format!("{} as in other entries of this picture", found.category.name());
        return Err(bad("type", entry.category.name().to_owned(), &expected));
    }
    match found.elements.iter_mut().find(|e| e.bbox == bbox) {
        Some(same) if same.instruction.as_deref() == Some(&entry.content) || same.paraphrases.contains(&entry.content) => {
            Err(bad("content", format!("`{}` for the same box twice", entry.content), "every pair once"))
        }
        Some(same) => {
            same.paraphrases.push(entry.content);
            Ok(())
        }
        None => {
            let mut target = element(role_in(&entry.content).to_owned(), String::new(), bbox);
            target.interactive = Some(true);
            target.instruction = Some(entry.content);
            found.elements.push(target);
            Ok(())
        }
    }
}
