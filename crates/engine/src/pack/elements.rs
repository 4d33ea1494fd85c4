//! The elements of a capture, checked: ids differ, parents come first, boxes lie inside the picture.

use std::collections::HashMap;

use typed_index_collections::TiVec;

use windesk_model::Error;
use windesk_model::geometry::Rect;
use windesk_model::index::ElementIndex;
use windesk_model::pack_format::ElementRecord;

use super::Element;

/// Elements as a capture at `place` records them, whose picture has these bounds and this many popups.
pub(super) fn checked_elements(
    place: &str,
    records: Vec<ElementRecord>,
    bounds: Rect,
    popups: usize,
) -> Result<TiVec<ElementIndex, Element>, Error> {
    let parents = checked_parents(place, &records, bounds, popups)?;
    // One by one: the records' memory is not needed beside that of all elements.
    let element = |(record, parent): (ElementRecord, Option<ElementIndex>)| Element {
        id: record.id,
        parent,
        role: record.role,
        name: record.name,
        description: record.description,
        bbox: record.bbox,
        interactive: record.interactive,
        popup: record.popup,
        state: record.state,
    };
    Ok(records.into_iter().zip(parents).map(element).collect())
}

/// The parent of each element.
fn checked_parents(
    place: &str,
    records: &[ElementRecord],
    bounds: Rect,
    popups: usize,
) -> Result<Vec<Option<ElementIndex>>, Error> {
    let mut by_id: HashMap<&str, ElementIndex> = HashMap::with_capacity(records.len());
    let mut parents = Vec::with_capacity(records.len());
    for (at, record) in records.iter().enumerate() {
        let field =
            |field: &str, found: String, expected: &str| Error::file(format!("{place}: elements[{at}].{field}"), found, expected);
        if !bounds.covers(record.bbox) {
            let found = format!("{:?}", <[i32; 4]>::from(record.bbox));
            return Err(field("bbox", found, &format!("a box inside the picture {:?}", <[i32; 4]>::from(bounds))));
        }
        if record.popup.is_some_and(|p| p >= popups) {
            return Err(field("popup", format!("{:?}", record.popup), "the index of a popup of this capture"));
        }
        let parent = match &record.parent {
            None => None,
            Some(id) => match by_id.get(id.as_str()) {
                Some(&parent) => Some(parent),
                None => return Err(field("parent", id.clone(), "the id of an earlier element")),
            },
        };
        parents.push(parent);
        if by_id.insert(&record.id, ElementIndex(at)).is_some() {
            return Err(field("id", record.id.clone(), "an id that no other element has"));
        }
    }
    Ok(parents)
}
