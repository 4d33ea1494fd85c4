//! What tells an element itself: its label, its picture, or the caption beside it.

use windesk_engine::pack::naming::{NameSource, spoken};
use windesk_engine::pack::surroundings::{naming_label, only_label_inside};
use windesk_engine::pack::{EvidencePart, Window};
use windesk_model::geometry::Rect;
use windesk_model::index::ElementIndex;
use windesk_model::instruction::UiType;
use windesk_model::pack_format::EvidenceKind;
use windesk_model::role::RoleGroup;

use super::ink::Picture;
use crate::eligible::ui_type;

/// The part by which an element is known.
pub(super) fn own_part(window: &Window, at: ElementIndex, picture: &Picture) -> EvidencePart {
    let element = &window.elements[at];
    let part = |kind: EvidenceKind, bbox: Rect| EvidencePart { kind, bbox, by_parent: false, variant: None };
    if let Some(caption) = caption(window, at, picture) {
        return part(EvidenceKind::Caption, caption);
    }
    if let Some(label) = label(window, at, picture) {
        return part(EvidenceKind::Label, label);
    }
    let symbol = picture.symbol(without_frame(element.bbox));
    part(EvidenceKind::Glyph, symbol.filter(|symbol| element.bbox.covers(*symbol)).unwrap_or(element.bbox))
}

/// The letters of the label that names a control from beside it.
fn caption(window: &Window, at: ElementIndex, picture: &Picture) -> Option<Rect> {
    let group = RoleGroup::of(&window.elements[at].role)?;
    let labelled =
        matches!(group, RoleGroup::Field | RoleGroup::ComboBox | RoleGroup::SpinButton | RoleGroup::Slider | RoleGroup::Switch);
    let beside = naming_label(window, at).filter(|_| labelled)?;
    // Words that the control itself shows are its label; what stands beside it is then something else.
    let spoken = spoken(window, at)?;
    let says_it = spoken.source == NameSource::Label || same_words(&spoken.text, &beside.name);
    says_it.then(|| picture.text(beside.bbox, beside.name.trim()).unwrap_or(beside.bbox))
}

fn same_words(name: &str, label: &str) -> bool {
    let [name, label] = [name, label].map(windesk_engine::pack::normalised_name);
    name == label || name.contains(&label) || label.contains(&name)
}

/// The letters of an element's own name.
fn label(window: &Window, at: ElementIndex, picture: &Picture) -> Option<Rect> {
    let element = &window.elements[at];
    if let Some(inner) = only_label_inside(window, at).map(|inner| &window.elements[inner]) {
        return Some(picture.text(inner.bbox, inner.name.trim()).unwrap_or(inner.bbox))
            .filter(|label| element.bbox.covers(*label));
    }
    let spoken = spoken(window, at).filter(|spoken| spoken.source == NameSource::Name)?;
    (ui_type(Some(&spoken.text), element.bbox) == UiType::Text).then(|| picture.text(element.bbox, &spoken.text)).flatten()
}

/// The inner part of a box: buttons have frames.
fn without_frame(bbox: Rect) -> Rect {
    let edge = |length: i32| if length >= 20 { 3 } else { i32::from(length >= 12) };
    let (across, down) = (edge(bbox.width()), edge(bbox.height()));
    Rect::new(bbox.x0() + across, bbox.y0() + down, bbox.x1() - across, bbox.y1() - down).unwrap_or(bbox)
}
