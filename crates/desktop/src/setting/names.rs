//! What is asked, what its control is called on the page, and what tells it from others of the name.

use windesk_engine::pack::living::Living;
use windesk_engine::pack::naming::spoken_name;
use windesk_engine::pack::surroundings::{group_of, label_beside};
use windesk_engine::pack::{Shown, normalised_name};
use windesk_model::index::ElementIndex;
use windesk_model::pack_format::living::{Control, ControlType, Domain, Value};
use windesk_model::plan::Reason;

use super::places::Place;

/// Most characters of a name that can be said.
const MAX_NAME_CHARS: usize = 60;

/// What is asked, before it is put in words.
pub(crate) struct Asked<'a> {
    pub(crate) living: &'a Living,
    /// The page as it is shown.
    pub(crate) shown: &'a Shown<'a>,
    pub(crate) control: &'a Control,
    pub(crate) current: &'a Value,
    pub(crate) target: &'a Value,
    /// The place that stands for the target, where the screen shows no values.
    pub(crate) place: Option<Place>,
}

/// A control's name as people say it, with the group that tells it from like-named ones where the screen has some.
pub(crate) struct Named {
    /// The name.
    pub(crate) name: String,
    /// The group.
    pub(crate) group: Option<String>,
}

/// What a control is called, and what tells it from others of the name.
///
/// # Errors
/// If nothing says its name, or nothing tells it from a like-named one.
pub(crate) fn named(asked: &Asked) -> Result<Named, Reason> {
    let Asked { living, shown, control, .. } = asked;
    let at = shown.element_index(&control.element).ok_or(Reason::SettingHidden)?;
    let name = name_of(shown, control, at).ok_or(Reason::SettingNameless)?;
    let own = normalised_name(&name);
    // What is asked for by its value alone has no need of a name that is its own.
    let others = living.page.controls.iter().filter(|other| other.id != control.id && other.kind == control.kind);
    let others = others.filter_map(|other| {
        let there = shown.element_index(&other.element)?;
        let named = name_of(shown, other, there)?;
        (there != at && normalised_name(&named) == own).then_some(there)
    });
    let others: Vec<ElementIndex> = others.collect();
    if others.is_empty() {
        return Ok(Named { name, group: None });
    }
    let group = group_around(shown, at).ok_or(Reason::SettingAmbiguous)?;
    if others.iter().any(|&other| group_around(shown, other).is_none_or(|of_other| of_other == group)) {
        return Err(Reason::SettingAmbiguous);
    }
    Ok(Named { name, group: Some(group) })
}

/// The name of the panel around an element, else the nearest heading above it in its column.
fn group_around(shown: &Shown, at: ElementIndex) -> Option<String> {
    let heading = || {
        let own = shown.elements[at].bbox;
        let above = shown.elements.iter().filter(|e| e.role == "heading" && e.bbox.y1() <= own.y0());
        let in_column = above.filter(|e| e.bbox.x0() < own.x1() && own.x0() < e.bbox.x1());
        in_column.max_by_key(|e| e.bbox.y1()).map(|e| e.name.trim().to_owned()).filter(|name| !name.is_empty())
    };
    group_of(shown, at).or_else(heading)
}

fn name_of(shown: &Shown, control: &Control, at: ElementIndex) -> Option<String> {
    // A drop-down list, and the first of several radio buttons or tabs, are called by their value.
    let by_value = match &control.values {
        Domain::Choices { values } => {
            let own = shown.elements[at].name.trim();
            values.iter().any(|value| matches!(value, Value::Text(text) if text == own))
        }
        _ => false,
    };
    let name = if by_value {
        label_beside(shown, at).or_else(|| label_above(shown, at)).or_else(|| group_of(shown, at)).or_else(|| {
            // Tabs are asked for by the name of the tab alone.
            (control.kind == ControlType::Tabs).then(|| shown.title.clone())
        })
    } else {
        let spoken = spoken_name(shown, at);
        // Names of number fields may be explanations that nobody sees, beside labels that everybody does.
        let is_seen =
            |name: &String| shown.elements.iter().any(|e| e.role == "label" && normalised_name(&e.name) == normalised_name(name));
        let unseen = control.kind == ControlType::Stepper && !spoken.as_ref().is_some_and(is_seen);
        let beside = || label_beside(shown, at);
        if unseen { beside().or(spoken) } else { spoken.or_else(beside) }
    };
    let name = name.map(|name| name.trim().trim_end_matches(':').trim_end().to_owned());
    name.filter(|name| !name.is_empty() && name.chars().count() <= MAX_NAME_CHARS && !name.contains('\n'))
}

/// The nearest label above an element and to its left, as over a list of radio buttons that stands indented below it.
fn label_above(shown: &Shown, at: ElementIndex) -> Option<String> {
    /// Farthest that such a label lies above, px.
    const FARTHEST_PX: i32 = 40;
    let own = shown.elements[at].bbox;
    let above = shown.elements.iter().filter(|e| matches!(e.role.as_str(), "label" | "heading") && e.bbox.y1() <= own.y0());
    let near = above.filter(|e| own.y0() - e.bbox.y1() <= FARTHEST_PX && e.bbox.x0() <= own.x0() && own.x0() - e.bbox.x0() <= 64);
    near.max_by_key(|e| e.bbox.y1()).map(|e| e.name.clone())
}

/// A text with a capital letter first.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
