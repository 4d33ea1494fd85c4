//! Help that a question gives, from the truth. It tells where the control is, or what state it has, and never where the
//! target state is set.

use windesk_model::geometry::{Rect, Size};
use windesk_model::pack_format::living::Value;
use windesk_model::setting::{Component, Hint, HintKind, HintSource, bbox_of};

/// The hint of a kind about a control; null for none. `current` is its state in words, where it has any; `control` is
/// px of the image.
pub(super) fn hint(
    kind: HintKind,
    component: Component,
    name: &str,
    current: Option<&str>,
    control: Rect,
    image: Size,
) -> Option<Hint> {
    let hint = |text: Option<String>, bbox: Option<[f64; 4]>| Hint { kind, source: HintSource::Oracle, text, bbox };
    match kind {
        HintKind::None => None,
        HintKind::Box => Some(hint(None, Some(bbox_of(control)))),
        HintKind::Description => {
            let middle = control.centre();
            let third = |at: i32, whole: u32, names: [&'static str; 3]| {
                let share = i64::from(at) * 3 / i64::from(whole.max(1));
                names[share.clamp(0, 2) as usize]
            };
            let row = third(middle.y, image.height, ["top", "middle", "bottom"]);
            let column = third(middle.x, image.width, ["left", "centre", "right"]);
            let kind = component.name.replace('_', " ");
            let place = format!("The control is a {kind} called “{name}”, at the {row} {column} of the image.");
            let text = current.map_or(place.clone(), |current| format!("{place} Its state is {current}."));
            Some(hint(Some(text), None))
        }
    }
}

/// A state in words.
pub(super) fn told(value: &Value) -> String {
    match value {
        Value::Switch(true) => "on".to_owned(),
        Value::Switch(false) => "off".to_owned(),
        Value::Number(number) => format!("{number}"),
        Value::Text(text) => format!("“{text}”"),
        Value::Pair([x, y]) => format!("{x}, {y}"),
        Value::List(items) => format!("the order {}", items.join(", ")),
    }
}
