//! The words that ask for a state: what the control is called, what the value is called, and how people say the two.

use windesk_engine::pack::living::Living;
use windesk_engine::pack::naming::spoken_name;
use windesk_engine::pack::surroundings::{group_of, label_beside};
use windesk_engine::pack::{Element, Shown, normalised_name};
use windesk_model::index::ElementIndex;
use windesk_model::pack_format::living::{Control, ControlType, Domain, Value};
use windesk_model::plan::Reason;

/// How many wordings there are of each request.
pub(super) const VOICES: u32 = 3;
/// Most characters of a name that can be said.
const MOST_NAME_CHARS: usize = 60;
/// Most characters of a unit.
const MOST_UNIT_CHARS: usize = 10;

/// What is asked, before it is put in words.
pub(super) struct Asked<'a> {
    pub(super) living: &'a Living,
    /// The page as it is shown.
    pub(super) shown: &'a Shown<'a>,
    pub(super) control: &'a Control,
    pub(super) current: &'a Value,
    pub(super) target: &'a Value,
}

/// A control's name as people say it, with the group that tells it from like-named ones where the screen has some.
pub(super) struct Named {
    /// The name.
    pub(super) name: String,
    /// The group.
    pub(super) group: Option<String>,
}

/// The request in one of the wordings.
///
/// # Errors
/// If nothing on the screen says what control or value are called, or a like-named control shows that nothing tells it
/// from.
pub(super) fn request(asked: &Asked, voice: u32) -> Result<String, Reason> {
    let Asked { control, target, current, .. } = asked;
    let Named { name, group } = named(asked)?;
    let of_group = group.map(|group| format!(" under {group}")).unwrap_or_default();
    let text = match (control.kind, *target) {
        (ControlType::Switch, Value::Switch(on)) => {
            let word = if *on { "on" } else { "off" };
            [
                format!("Turn {word} {name}{of_group}"),
                format!("Switch {name}{of_group} {word}"),
                format!("{name}{of_group} should be {word}"),
            ]
        }
        (ControlType::CheckBox, Value::Switch(on)) => {
            let (tick, be) = if *on { ("Tick", "ticked") } else { ("Untick", "not ticked") };
            let (verb, after) = if *on { ("Check", "") } else { ("Clear", "") };
            [
                format!("{tick} the box “{name}”{of_group}"),
                format!("{verb} “{name}”{of_group}{after}"),
                format!("The box “{name}”{of_group} should be {be}"),
            ]
        }
        (ControlType::Accordion, Value::Switch(on)) => {
            let (verb, other, be) = if *on { ("Open", "Expand", "open") } else { ("Close", "Collapse", "closed") };
            [format!("{verb} the section {name}"), format!("{other} {name}"), format!("The section {name} should be {be}")]
        }
        (ControlType::TreeNode, Value::Switch(on)) => {
            let (verb, other, be) = if *on { ("Expand", "Unfold", "unfolded") } else { ("Collapse", "Fold up", "folded up") };
            [
                format!("{verb} {name} in the tree"),
                format!("{other} the entry {name}"),
                format!("The entry {name} in the tree should be {be}"),
            ]
        }
        (ControlType::Tabs, Value::Text(tab)) => {
            [format!("Go to the tab {tab}"), format!("Open the {tab} tab"), format!("Show {tab} of the tabs {name}")]
        }
        (ControlType::DatePicker, Value::Text(day)) => date(&name, day, &of_group),
        (ControlType::TimePicker, Value::Text(time)) => [
            format!("Choose {time} under {name}"),
            format!("Set {name}{of_group} to {time}"),
            format!("{name}{of_group} should be {time}"),
        ],
        (ControlType::RadioGroup | ControlType::ListBox | ControlType::ComboBox, Value::Text(choice)) => {
            let short = first_words(asked.control, choice);
            [
                format!("Choose “{short}” under {name}"),
                format!("Set {name}{of_group} to “{short}”"),
                format!("Select “{short}” for {name}{of_group}"),
            ]
        }
        (ControlType::SegmentedControl | ControlType::ColourPicker, Value::Text(choice)) => [
            format!("Set {name}{of_group} to {choice}"),
            format!("Choose {choice} for {name}{of_group}"),
            format!("{name}{of_group} should be {choice}"),
        ],
        (ControlType::Rating, Value::Number(number)) => {
            let most = most_of(&control.values).unwrap_or(*number);
            [
                format!("Set {name}{of_group} to {number} of {most}"),
                format!("Choose {number} out of {most} for {name}{of_group}"),
                format!("{name}{of_group} should be {number} of {most}"),
            ]
        }
        (ControlType::Reorder | ControlType::TableColumn, Value::List(wanted)) => moved(asked, &name, wanted)?,
        (ControlType::ZoomAndPan, Value::Number(_)) => {
            let value = spoken_value(asked, target)?;
            [format!("Zoom {name} to {value}"), format!("Show {name} at {value}"), format!("Set the zoom of {name} to {value}")]
        }
        (ControlType::RangeSelection, Value::Number(_)) => {
            let value = spoken_value(asked, target)?;
            let end = |suffix: &str| name.strip_suffix(suffix).map(str::to_owned);
            let said = match (end(" from"), end(" to")) {
                (Some(whole), _) => format!("the lower end of {whole}"),
                (_, Some(whole)) => format!("the upper end of {whole}"),
                _ => name.clone(),
            };
            [
                format!("Set {said} to {value}"),
                format!("Move {said} to {value}"),
                format!("{} should be at {value}", capital(&said)),
            ]
        }
        (_, Value::Number(_)) => {
            let value = spoken_value(asked, target)?;
            let verb = match control.kind {
                ControlType::Knob => "Turn",
                ControlType::ChartPoint => "Move",
                _ => "Change",
            };
            [
                format!("Set {name}{of_group} to {value}"),
                format!("{verb} {name}{of_group} to {value}"),
                format!("{name}{of_group} should be {value}"),
            ]
        }
        _ => return Err(Reason::SettingNameless),
    };
    debug_assert_ne!(current, target, "targets differ from what is");
    let [first, second, third] = text;
    Ok(match voice % VOICES {
        0 => first,
        1 => second,
        _ => third,
    })
}

/// The words that ask where a control stands now. They name no other state.
pub(super) fn locate_words(kind: ControlType, named: &Named) -> String {
    let Named { name, group } = named;
    let of_group = group.as_ref().map(|group| format!(" under {group}")).unwrap_or_default();
    let what = match kind {
        ControlType::Knob => "knob",
        ControlType::Stepper => "number field",
        ControlType::SeekBar => "seek bar",
        ControlType::ChartPoint => "point of the chart",
        ControlType::Switch => "switch",
        ControlType::CheckBox => "check box",
        ControlType::RadioGroup => "chosen one of the radio buttons",
        ControlType::Tabs => "open one of the tabs",
        ControlType::SegmentedControl => "chosen one of the buttons",
        ControlType::Accordion => "section",
        ControlType::Rating => "rating",
        ControlType::ColourPicker => "chosen one of the colours",
        ControlType::DatePicker => "chosen day of",
        ControlType::TimePicker => "chosen time of",
        ControlType::ListBox | ControlType::ComboBox => "chosen entry of the list",
        ControlType::Reorder => "item",
        ControlType::ZoomAndPan => "view",
        ControlType::TableColumn => "column",
        ControlType::Splitter => "divider",
        ControlType::CropHandle => "handle of the frame",
        ControlType::TreeNode => "entry of the tree",
        ControlType::RangeSelection => {
            let end = |suffix: &str, which: &str| Some(format!("the {which} end of {}{of_group}", name.strip_suffix(suffix)?));
            if let Some(said) = end(" from", "lower").or_else(|| end(" to", "upper")) {
                return format!("Point at {said} as it is now");
            }
            "range"
        }
        _ => "slider",
    };
    format!("Point at the {what} “{name}”{of_group} as it is now")
}

/// What a control is called, and what tells it from others of the name.
///
/// # Errors
/// If nothing says its name, or nothing tells it from a like-named one.
pub(super) fn named(asked: &Asked) -> Result<Named, Reason> {
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
        spoken_name(shown, at).or_else(|| label_beside(shown, at))
    };
    let name = name.map(|name| name.trim().trim_end_matches(':').trim_end().to_owned());
    name.filter(|name| !name.is_empty() && name.chars().count() <= MOST_NAME_CHARS && !name.contains('\n'))
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

/// The value as the screen writes it, with its unit where the page shows one.
///
/// # Errors
/// If the value is no number.
pub(super) fn spoken_value(asked: &Asked, value: &Value) -> Result<String, Reason> {
    let Value::Number(number) = value else { return Err(Reason::SettingNameless) };
    let written = written(*number);
    match unit_of(asked.living, asked.control) {
        Some([before, after]) => Ok(format!("{before}{written}{after}")),
        None => Ok(written),
    }
}

/// A number without the noise of sums of steps.
fn written(number: f64) -> String {
    let rounded = (number * 1000.0).round() / 1000.0;
    format!("{rounded}")
}

/// What stands before and after a control's value on its page, from the labels that its patches change: `["", " %"]`.
/// Null where no label says the value.
pub(super) fn unit_of(living: &Living, control: &Control) -> Option<[String; 2]> {
    let is_upper = control.id.ends_with("-to");
    let of_patch = living.page.patches.iter().filter(|patch| patch.control == control.id).filter_map(|patch| {
        let Value::Number(number) = patch.value else { return None };
        let number = written(number);
        patch.elements.iter().filter(|change| change.id != control.element).find_map(|change| {
            let name = change.name.as_deref()?;
            // A range shows both of its ends.
            let parts: Vec<&str> = name.split(['–', '—']).map(str::trim).collect();
            let part = match parts[..] {
                [whole] => whole,
                [lower, upper] => {
                    if is_upper {
                        upper
                    } else {
                        lower
                    }
                }
                _ => return None,
            };
            around_number(part, &number)
        })
    });
    { of_patch }.find(|[before, after]| !(before.is_empty() && after.is_empty()))
}

/// What stands before and after a number, if it is the only one of a short text.
fn around_number(text: &str, number: &str) -> Option<[String; 2]> {
    let at = text.find(number)?;
    let [before, after] = [&text[..at], &text[at + number.len()..]];
    let is_unit = |part: &str| !part.contains(|c: char| c.is_ascii_digit()) && part.chars().count() <= MOST_UNIT_CHARS;
    let ends = !after.starts_with(['.', ',']) && !before.ends_with(['.', ',', '-', '−']);
    (is_unit(before) && is_unit(after) && ends).then(|| [before.to_owned(), after.to_owned()])
}

/// Whether the screen says the value in words or digits.
pub(super) fn shows_value(asked: &Asked) -> bool {
    let text = match asked.current {
        Value::Text(text) => text.clone(),
        Value::Number(number) => written(*number),
        Value::Switch(_) | Value::Pair(_) => return false,
        // The order of names is what shows.
        Value::List(_) => return true,
    };
    let is_numeric = matches!(asked.current, Value::Number(_));
    let says = |element: &Element| {
        let state = |key: &str| element.state.get(key).and_then(|value| value.as_str());
        let said = [Some(element.name.as_str()), state("text")];
        let plain = matches!(element.role.as_str(), "label" | "spin button" | "entry" | "combo box" | "heading" | "static");
        let choice = matches!(
            element.role.as_str(),
            "radio button" | "page tab" | "list item" | "toggle button" | "push button" | "table cell" | "menu item"
        );
        let is_swatch = asked.control.kind == ControlType::ColourPicker || asked.control.kind == ControlType::Rating;
        said.into_iter().flatten().any(|said| {
            if is_numeric { plain && has_number(said, &text) } else { said.trim() == text && (plain || (choice && !is_swatch)) }
        })
    };
    if is_numeric && asked.control.kind != ControlType::Stepper && unit_of(asked.living, asked.control).is_none() {
        return false;
    }
    asked.shown.elements.iter().any(says)
}

fn has_number(text: &str, number: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).any(|word| word.trim_end_matches('.') == number)
}

fn most_of(values: &Domain) -> Option<f64> {
    match values {
        Domain::Range { max, .. } => Some(*max),
        Domain::Choices { values } => {
            let numbers = values.iter().filter_map(|value| if let Value::Number(n) = value { Some(*n) } else { None });
            numbers.max_by(f64::total_cmp)
        }
        _ => None,
    }
}

/// A long choice by its first words, where no other choice begins with them.
fn first_words(control: &Control, choice: &str) -> String {
    let Domain::Choices { values } = &control.values else { return choice.to_owned() };
    let words: Vec<&str> = choice.split(' ').collect();
    let begins =
        |short: &str| values.iter().filter(|value| matches!(value, Value::Text(text) if text.starts_with(short))).count();
    if choice.chars().count() <= 40 {
        return choice.to_owned();
    }
    (3..words.len()).map(|count| words[..count].join(" ")).find(|short| begins(short) == 1).unwrap_or_else(|| choice.to_owned())
}

const MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/// A day of a calendar that shows one month, which its name says where it does.
fn date(name: &str, day: &str, of_group: &str) -> [String; 3] {
    match MONTHS.into_iter().find(|month| name.ends_with(month)) {
        Some(month) => {
            let what = name.trim_end_matches(month).trim_end().trim_end_matches(" in").to_owned();
            [
                format!("Choose {day} {month}{of_group}"),
                format!("Set the {} to {day} {month}{of_group}", what.to_lowercase()),
                format!("The {} should be {day} {month}{of_group}", what.to_lowercase()),
            ]
        }
        None => [
            format!("Choose the {} in {name}{of_group}", ordinal(day)),
            format!("Set {name}{of_group} to the {}", ordinal(day)),
            format!("{name}{of_group} should be the {}", ordinal(day)),
        ],
    }
}

fn ordinal(day: &str) -> String {
    let suffix = match day.parse::<u32>() {
        Ok(11..=13) => "th",
        Ok(n) if n % 10 == 1 => "st",
        Ok(n) if n % 10 == 2 => "nd",
        Ok(n) if n % 10 == 3 => "rd",
        _ => "th",
    };
    format!("{day}{suffix}")
}

/// Where an item goes: the one order of all that follows is said.
fn moved(asked: &Asked, name: &str, wanted: &[String]) -> Result<[String; 3], Reason> {
    let Value::List(now) = asked.current else { return Err(Reason::SettingNameless) };
    // The item that was taken out and put in elsewhere.
    let item = now.iter().find(|item| item.trim() == name.trim()).ok_or(Reason::SettingNameless)?;
    let left = |list: &[String]| list.iter().filter(|other| *other != item).cloned().collect::<Vec<_>>();
    if left(now) != left(wanted) || now.len() != wanted.len() {
        return Err(Reason::SettingNameless);
    }
    let at = wanted.iter().position(|other| other == item).ok_or(Reason::SettingNameless)?;
    let what =
        if asked.control.kind == ControlType::TableColumn { format!("the column {item}") } else { format!("“{item}”") };
    let quoted = |other: &String| {
        if asked.control.kind == ControlType::TableColumn { other.clone() } else { format!("“{other}”") }
    };
    let before = wanted.get(at + 1).map(quoted);
    let after = at.checked_sub(1).and_then(|at| wanted.get(at)).map(quoted);
    Ok(match (after, before) {
        (None, Some(before)) => [
            format!("Move {what} before {before}, to the beginning"),
            format!("Put {what} first"),
            format!("{} should come first", capital(&what)),
        ],
        (Some(after), None) => [
            format!("Move {what} after {after}, to the end"),
            format!("Put {what} last"),
            format!("{} should come last", capital(&what)),
        ],
        (Some(after), Some(before)) => [
            format!("Move {what} between {after} and {before}"),
            format!("Put {what} right after {after}"),
            format!("{} should come right before {before}", capital(&what)),
        ],
        (None, None) => return Err(Reason::SettingNameless),
    })
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_stand_around_the_only_number_of_a_text() {
        let unit = |text: &str, number: &str| around_number(text, number);
        assert_eq!(unit("70 %", "70"), Some(["".to_owned(), " %".to_owned()]));
        assert_eq!(unit("€ 70", "70"), Some(["€ ".to_owned(), "".to_owned()]));
        assert_eq!(unit("170 %", "70"), None);
        assert_eq!(unit("24 minutes, 1.8 km.", "24"), None);
        assert_eq!(unit("Twenty", "20"), None);
    }

    #[test]
    fn places_are_asked_for_without_a_state() {
        let named = |name: &str| Named { name: name.to_owned(), group: None };
        let said = |kind, name: &str| locate_words(kind, &named(name));
        assert_eq!(said(ControlType::Slider, "Volume"), "Point at the slider “Volume” as it is now");
        assert_eq!(said(ControlType::RangeSelection, "Hours to"), "Point at the upper end of Hours as it is now");
        let group = Some("Left".to_owned());
        let grouped = locate_words(ControlType::Switch, &Named { name: "Light".to_owned(), group });
        assert_eq!(grouped, "Point at the switch “Light” under Left as it is now");
    }

    #[test]
    fn days_are_said_with_their_month() {
        assert_eq!(date("Day in December", "14", "")[0], "Choose 14 December");
        assert_eq!(date("Arrival in December", "3", "")[1], "Set the arrival to 3 December");
        assert_eq!(date("Arrival", "22", "")[0], "Choose the 22nd in Arrival");
        assert_eq!(["1", "2", "3", "11", "13", "21"].map(ordinal), ["1st", "2nd", "3rd", "11th", "13th", "21st"]);
    }
}
