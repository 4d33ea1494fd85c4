//! What tells an element itself: its label, its picture, or the caption beside it.

use windesk_engine::pack::naming::{NameSource, spoken};
use windesk_engine::pack::surroundings::{labels_inside, naming_label, only_label_inside};
use windesk_engine::pack::{EvidencePart, Window, normalised_name};
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
    let [name, label] = [name, label].map(normalised_name);
    name == label || name.contains(&label) || label.contains(&name)
}

/// The letters of an element's own name.
fn label(window: &Window, at: ElementIndex, picture: &Picture) -> Option<Rect> {
    let element = &window.elements[at];
    if let Some(inner) = label_with_name(window, at).or_else(|| only_label_inside(window, at)) {
        let inner = &window.elements[inner];
        let letters = picture.text(inner.bbox, inner.name.trim()).or_else(|| picture.all_text(inner.bbox));
        return Some(letters.unwrap_or(inner.bbox)).filter(|label| element.bbox.covers(*label));
    }
    let spoken = spoken(window, at).filter(|spoken| spoken.source == NameSource::Name)?;
    (ui_type(Some(&spoken.text), element.bbox) == UiType::Text).then(|| picture.text(element.bbox, &spoken.text)).flatten()
}

/// Of several labels inside an element, such as a row's, the one with the element's name.
fn label_with_name(window: &Window, at: ElementIndex) -> Option<ElementIndex> {
    let name = normalised_name(&window.elements[at].name);
    labels_inside(window, at).find(|&label| !name.is_empty() && normalised_name(&window.elements[label].name) == name)
}

/// Whether a reader can tell by the picture what an element is called: its letters are there, or enough ink for the
/// beginning of a name that is cut off; where a name is not written, on a button with a symbol, it is made of words.
pub(super) fn shows_name(window: &Window, at: ElementIndex, picture: &Picture) -> bool {
    let element = &window.elements[at];
    let Some(spoken) = spoken(window, at).filter(|spoken| spoken.source == NameSource::Name) else { return true };
    if caption(window, at, picture).is_some() || label(window, at, picture).is_some() {
        return true;
    }
    match RoleGroup::of(&element.role) {
        Some(RoleGroup::Item | RoleGroup::Cell | RoleGroup::Header | RoleGroup::Link | RoleGroup::Menu | RoleGroup::MenuItem) => {
            picture.may_show(element.bbox, &spoken.text)
        }
        _ => is_made_of_words(&spoken.text) || picture.shows_letter(element.bbox, &spoken.text),
    }
}

/// What the name of a class ends with that a program gave its button.
const CLASSES: [&str; 8] = ["Button", "Widget", "Label", "Box", "Bar", "Item", "Entry", "View"];

/// Whether people would say a name: it has letters in a row, and is not that of a class.
fn is_made_of_words(name: &str) -> bool {
    let letters: Vec<char> = name.chars().collect();
    let has_word = letters.windows(2).any(|pair| pair.iter().all(|c| c.is_alphabetic()));
    let is_joined = letters.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase());
    has_word && !(is_joined && !name.contains(' ') && CLASSES.iter().any(|class| name.ends_with(class)))
}

/// The inner part of a box: buttons have frames.
fn without_frame(bbox: Rect) -> Rect {
    let edge = |length: i32| if length >= 20 { 3 } else { i32::from(length >= 12) };
    let (across, down) = (edge(bbox.width()), edge(bbox.height()));
    Rect::new(bbox.x0() + across, bbox.y0() + down, bbox.x1() - across, bbox.y1() - down).unwrap_or(bbox)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_say_words_and_no_classes() {
        for said in ["Bold", "OK", "YouTube", "Go to the last page", "New Tab", "LibreOffice"] {
            assert!(is_made_of_words(said), "{said}");
        }
        for unsaid in ["H", "+100", "...", "BaobabPathButton", "KSqueezedTextLabel", "5"] {
            assert!(!is_made_of_words(unsaid), "{unsaid}");
        }
    }
}
