//! What title bars show, and where.

use windesk_engine::pack::{ShownTitle, Window, normalised_name};
use windesk_model::geometry::Rect;
use windesk_model::index::ElementIndex;

use super::ink::{Picture, text_width};

/// A header bar's labels end this far below the frame's top at most, px at scale 1.
const HEADER_PX: f64 = 60.0;
/// A header's label without the window's title stands so near to the frame's middle, in percent of the frame's width.
const CENTRED_PERCENT: i32 = 8;

/// The title that a window shows; nothing if it shows none whole.
pub(super) fn shown_title(window: &Window, picture: &Picture, program: &str) -> Option<ShownTitle> {
    let found = candidates(window).into_iter().find_map(|(at, place)| {
        let text = window.elements[at].name.split_whitespace().collect::<Vec<_>>().join(" ");
        let bbox = picture.title(place, &text)?;
        Some((text, bbox))
    });
    let (text, bbox) = found?;
    let program = name_in(&text, bbox, program);
    Some(ShownTitle { text, bbox, program })
}

/// Elements that may show the title, likeliest first, and where they do.
fn candidates(window: &Window) -> Vec<(ElementIndex, Rect)> {
    let named = |e: &ElementIndex| !window.elements[*e].name.trim().is_empty() && window.elements[*e].popup.is_none();
    let bars = window.elements.keys().filter(|&e| window.elements[e].role == "title bar").filter(named);
    let bars: Vec<(ElementIndex, Rect)> = bars.filter_map(|e| Some((e, between_buttons(window, e)?))).collect();
    if !bars.is_empty() {
        return bars;
    }
    let bottom = window.frame.y0() + (HEADER_PX * window.scale) as i32;
    let title = normalised_name(&window.title);
    let in_control = |e: ElementIndex| window.ancestors(e).any(|up| window.elements[up].interactive);
    let rank = |e: ElementIndex| {
        let element = &window.elements[e];
        let text = normalised_name(&element.name);
        let off = (element.bbox.centre().x - window.frame.centre().x).abs();
        if text == title {
            Some(0)
        } else if text.chars().count() >= 3 && (title.contains(&text) || !title.is_empty() && text.contains(&title)) {
            Some(1)
        } else {
            (off * 100 <= window.frame.width() * CENTRED_PERCENT).then_some(2)
        }
    };
    let labels = window.elements.keys().filter(|&e| matches!(window.elements[e].role.as_str(), "label" | "heading"));
    let in_header = |e: &ElementIndex| window.elements[*e].bbox.y1() <= bottom && !in_control(*e);
    let mut ranked: Vec<(i32, ElementIndex)> =
        labels.filter(named).filter(in_header).filter_map(|e| Some((rank(e)?, e))).collect();
    ranked.sort();
    ranked.into_iter().map(|(_, e)| (e, window.elements[e].bbox)).collect()
}

/// The part of a title bar between what else lies in it.
fn between_buttons(window: &Window, bar: ElementIndex) -> Option<Rect> {
    let place = window.elements[bar].bbox;
    let middle = place.centre().x;
    let others = window.elements.iter_enumerated().filter(|(e, element)| {
        *e != bar && element.interactive && element.popup.is_none() && place.touches(element.bbox) && !element.bbox.covers(place)
    });
    let (mut left, mut right) = (place.x0(), place.x1());
    for (_, element) in others {
        if element.bbox.centre().x < middle {
            left = left.max(element.bbox.x1());
        } else {
            right = right.min(element.bbox.x0());
        }
    }
    Rect::new(left, place.y0(), right, place.y1())
}

/// The box of the program's name within the letters of a title.
fn name_in(title: &str, bbox: Rect, program: &str) -> Option<Rect> {
    let (lower, name) = (title.to_lowercase(), program.to_lowercase());
    // Lower case may have other lengths; boxes are told by the title's own letters.
    if lower.chars().count() != title.chars().count() || name.is_empty() {
        return None;
    }
    let is_border = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let (at, _) = lower
        .rmatch_indices(&name)
        .find(|(at, _)| is_border(lower[..*at].chars().next_back()) && is_border(lower[at + name.len()..].chars().next()))?;
    let before: String = title.chars().take(lower[..at].chars().count()).collect();
    let all = text_width(title).max(1.0);
    let width = f64::from(bbox.width());
    let from = bbox.x0() + (width * text_width(&before) / all).floor() as i32;
    let to = from + (width * text_width(program) / all).ceil() as i32;
    Rect::new(from.max(bbox.x0()), bbox.y0(), to.min(bbox.x1()), bbox.y1())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_programs_name_is_found_as_a_whole_word() {
        let bbox = Rect::at(100, 10, 200, 12);
        let found = name_in("notes.txt - Mousepad", bbox, "Mousepad").expect("it is there");
        assert!(found.x1() == 300 && (180..230).contains(&found.x0()), "{found:?}");
        assert_eq!(name_in("Mousepad", bbox, "Mousepad"), Some(bbox));
        assert_eq!(name_in("Mousepads", bbox, "Mousepad"), None);
        assert_eq!(name_in("Documents", bbox, "Thunar"), None);
    }
}
