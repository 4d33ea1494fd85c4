//! The words that ask for a state: how people say what a control is called and what it must become.

use windesk_engine::pack::{Element, Shown, normalised_name};
use windesk_model::geometry::Rect;
use windesk_model::pack_format::living::{Control, ControlType, Domain, Value};
use windesk_model::plan::Reason;

use super::names::{Asked, Named, capital, named};
use super::numbers::{field_shows_value, spoken_value};
use super::place_words::place_words;
use super::places::Sight;

/// How many wordings there are of each request.
pub(super) const VOICES: u32 = 3;
/// The request in one of the wordings.
///
/// # Errors
/// If nothing on the screen says what control or value are called, or a like-named control shows that nothing tells it
/// from.
pub(crate) fn request(asked: &Asked, voice: u32) -> Result<String, Reason> {
    let Asked { shown, control, target, current, .. } = asked;
    let Named { name, group } = named(asked)?;
    let of_group = group.map(|group| format!(" under “{group}”")).unwrap_or_default();
    let text = match (control.kind, *target) {
        (ControlType::Splitter | ControlType::CropHandle, _) => {
            let place = asked.place.ok_or(Reason::SettingNameless)?;
            let sight = Sight::of(&shown.elements.raw, control).ok_or(Reason::SettingNameless)?;
            place_words(&sight, place, &name)?
        }
        (ControlType::Reorder | ControlType::TableColumn, Value::List(wanted)) => moved(asked, &name, wanted)?,
        (kind, Value::Switch(on)) => ask_to_switch(kind, &name, &of_group, *on)?,
        (_, Value::Text(wanted)) => ask_to_choose(asked, &name, &of_group, wanted)?,
        (_, Value::Number(wanted)) => ask_to_set(asked, &name, &of_group, *wanted)?,
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

/// A request about a program, where others are on the screen too.
pub(crate) fn in_app(app: &str, request: &str) -> String {
    format!("In {app}, {}", continued(request))
}

/// A request as a part of a sentence: names keep their capital, verbs lose it.
pub(crate) fn continued(request: &str) -> String {
    let first_word = request.split(' ').next().unwrap_or_default();
    let mut chars = request.chars();
    match chars.next() {
        Some(first) if VERBS.contains(&first_word) || first_word == "The" => first.to_lowercase().chain(chars).collect(),
        _ => request.to_owned(),
    }
}

/// First words of requests that are no names.
const VERBS: [&str; 24] = [
    "Turn", "Switch", "Tick", "Untick", "Check", "Clear", "Open", "Close", "Expand", "Collapse", "Unfold", "Fold", "Go", "Show",
    "Choose", "Set", "Select", "Move", "Put", "Zoom", "Change", "Drag", "Make", "Pick",
];

/// Requests for what is on or off, open or closed.
fn ask_to_switch(kind: ControlType, name: &str, of_group: &str, on: bool) -> Result<[String; 3], Reason> {
    let the = format!("“{name}”{of_group}");
    Ok(match kind {
        ControlType::Switch => {
            let word = if on { "on" } else { "off" };
            [format!("Turn {word} {the}"), format!("Switch {the} {word}"), format!("{the} should be {word}")]
        }
        ControlType::CheckBox => {
            let [tick, verb, be] = if on { ["Tick", "Check", "should be"] } else { ["Untick", "Clear", "should not be"] };
            [format!("{tick} the box {the}"), format!("{verb} {the}"), format!("The box {the} {be} ticked")]
        }
        ControlType::Accordion => {
            let [verb, other, be] = if on { ["Open", "Expand", "open"] } else { ["Close", "Collapse", "closed"] };
            [format!("{verb} the section {the}"), format!("{other} {the}"), format!("The section {the} should be {be}")]
        }
        ControlType::TreeNode => {
            let [verb, other, be] = if on { ["Expand", "Unfold", "unfolded"] } else { ["Collapse", "Fold up", "folded up"] };
            [
                format!("{verb} “{name}” in the tree{of_group}"),
                format!("{other} the entry {the}"),
                format!("The entry “{name}” in the tree{of_group} should be {be}"),
            ]
        }
        _ => return Err(Reason::SettingNameless),
    })
}

/// Requests for one of several choices.
fn ask_to_choose(asked: &Asked, name: &str, of_group: &str, chosen: &str) -> Result<[String; 3], Reason> {
    let the = format!("“{name}”{of_group}");
    Ok(match asked.control.kind {
        ControlType::Tabs => {
            // Other tabs of the page may have one of this name.
            let others = like_controls(asked).any(|other| domain_has(&other.values, asked.target));
            let of_tabs = if others { format!(" under “{name}”") } else { String::new() };
            [
                format!("Go to the tab “{chosen}”{of_tabs}"),
                format!("Open the tab “{chosen}”{of_tabs}"),
                format!("Switch to the “{chosen}” tab{of_tabs}"),
            ]
        }
        ControlType::DatePicker => date(name, chosen, of_group),
        ControlType::TimePicker => {
            [format!("Choose {chosen} under {the}"), format!("Set {the} to {chosen}"), format!("{the} should be {chosen}")]
        }
        ControlType::RadioGroup | ControlType::ListBox | ControlType::ComboBox => {
            let seen = choice_on_screen(asked, chosen).ok_or(Reason::SettingNameless)?;
            let short = first_words(asked.control, seen);
            // Entries that lead on to another control end as labels do.
            let short = short.trim_end_matches(':').trim_end();
            if is_of_rows(asked) {
                return Ok([
                    format!("Select the row “{short}” of the list {the}"),
                    format!("Choose the row “{short}” in the list {the}"),
                    format!("The row “{short}” of the list {the} should be selected"),
                ]);
            }
            [format!("Choose “{short}” under {the}"), format!("Set {the} to “{short}”"), format!("Select “{short}” for {the}")]
        }
        ControlType::ColourPicker => {
            let which = swatch(asked, chosen)?;
            [format!("Choose {which} under {the}"), format!("Pick {which} for {the}"), format!("{the} should be {which}")]
        }
        ControlType::SegmentedControl => {
            [format!("Set {the} to “{chosen}”"), format!("Choose “{chosen}” for {the}"), format!("{the} should be “{chosen}”")]
        }
        _ => return Err(Reason::SettingNameless),
    })
}

/// Whether what is chosen are rows of a list: they may have boxes to tick, which choose nothing.
fn is_of_rows(asked: &Asked) -> bool {
    let own = asked.shown.element_index(&asked.control.element);
    own.is_some_and(|own| matches!(asked.shown.elements[own].role.as_str(), "table" | "table cell" | "list item" | "tree item"))
}

/// What the screen calls a choice: by its own name, or a row of a table of files by the last part of its path. Null if
/// it names it nowhere, or only heads a column by it: a click there sorts, and chooses nothing.
fn choice_on_screen<'a>(asked: &Asked, chosen: &'a str) -> Option<&'a str> {
    let elements = &asked.shown.elements;
    let own = asked.shown.element_index(&asked.control.element)?;
    if elements[own].role.ends_with("column header") {
        return None;
    }
    // Entries of a list that is still closed can't be seen yet.
    if asked.control.kind == ControlType::ComboBox && elements.iter().all(|e| e.popup.is_none()) {
        return Some(chosen);
    }
    let around = elements[own].bbox;
    let is_shown = |name: &str| elements.iter().any(|e| normalised_name(&e.name) == normalised_name(name));
    let is_inside = |name: &str| elements.iter().any(|e| e.name == name && around.covers(e.bbox));
    let file = || chosen.rsplit_once('/').map(|(_, file)| file).filter(|file| elements[own].role == "table" && is_inside(file));
    Some(chosen).filter(|name| is_shown(name)).or_else(file)
}

/// Requests for a number.
fn ask_to_set(asked: &Asked, name: &str, of_group: &str, wanted: f64) -> Result<[String; 3], Reason> {
    let the = format!("“{name}”{of_group}");
    Ok(match asked.control.kind {
        ControlType::Rating => {
            let most = most_of(&asked.control.values).unwrap_or(wanted);
            [
                format!("Choose {wanted} out of {most} under {the}"),
                format!("Set the rating {the} to {wanted} of {most}"),
                format!("The rating {the} should be {wanted} of {most}"),
            ]
        }
        ControlType::ZoomAndPan => {
            let Value::Number(now) = asked.current else { return Err(Reason::SettingNameless) };
            let (value, way) = (spoken_value(asked, asked.target)?, if wanted > *now { "in" } else { "out" });
            [
                format!("Zoom {way} on {the} to {value}"),
                format!("Show {the} at {value}"),
                format!("Set the zoom of {the} to {value}"),
            ]
        }
        ControlType::RangeSelection => {
            let value = spoken_value(asked, asked.target)?;
            let end = |suffix: &str| name.strip_suffix(suffix).map(str::to_owned);
            let said = match (end(" from"), end(" to")) {
                (Some(whole), _) => format!("the lower end of “{whole}”{of_group}"),
                (_, Some(whole)) => format!("the upper end of “{whole}”{of_group}"),
                _ => the,
            };
            [
                format!("Set {said} to {value}"),
                format!("Move {said} to {value}"),
                format!("{} should be at {value}", capital(&said)),
            ]
        }
        ControlType::ChartPoint => {
            let value = spoken_value(asked, asked.target)?;
            let the =
                charted(asked.shown, name).map_or(the, |[point, chart]| format!("“{point}” in the chart “{chart}”{of_group}"));
            [format!("Set {the} to {value}"), format!("Drag {the} to {value}"), format!("{the} should be at {value}")]
        }
        // What the screen shows otherwise, such as a time that is counted in milliseconds, has another name there.
        ControlType::Stepper if !field_shows_value(asked) => return Err(Reason::SettingNameless),
        _ => {
            let value = spoken_value(asked, asked.target)?;
            let verb = if asked.control.kind == ControlType::Knob { "Turn" } else { "Change" };
            [format!("Set {the} to {value}"), format!("{verb} {the} to {value}"), format!("{the} should be {value}")]
        }
    })
}

/// The other controls of the type that show.
fn like_controls<'a>(asked: &'a Asked<'a>) -> impl Iterator<Item = &'a Control> {
    let is_like = |other: &&Control| other.id != asked.control.id && other.kind == asked.control.kind;
    let controls = asked.living.page.controls.iter().filter(is_like);
    controls.filter(|other| asked.shown.element_index(&other.element).is_some())
}

fn domain_has(domain: &Domain, value: &Value) -> bool {
    matches!(domain, Domain::Choices { values } if values.contains(value))
}

/// Colours that people call alike; others are asked for by their place.
const PLAIN_COLOURS: [&str; 11] =
    ["red", "orange", "yellow", "green", "blue", "violet", "purple", "pink", "brown", "black", "white"];

/// Places in a row.
const PLACES: [&str; 8] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

/// A colour in words: its name, where all that are offered have plain ones, for no screen shows the names; else its
/// place in the row of colours.
fn swatch(asked: &Asked, colour: &str) -> Result<String, Reason> {
    let Domain::Choices { values } = &asked.control.values else { return Err(Reason::SettingNameless) };
    let names: Vec<&str> =
        values.iter().filter_map(|v| if let Value::Text(name) = v { Some(name.as_str()) } else { None }).collect();
    if names.iter().all(|name| PLAIN_COLOURS.contains(&name.to_lowercase().as_str())) {
        return Ok(colour.to_lowercase());
    }
    let own = asked.shown.element_index(&asked.control.element).ok_or(Reason::SettingHidden)?;
    let around = asked.shown.elements[own].bbox;
    let box_of = |name: &str| {
        let is_it = |e: &&Element| e.name == name && e.interactive && around.covers(e.bbox);
        asked.shown.elements.iter().find(is_it).map(|e| e.bbox).ok_or(Reason::SettingNameless)
    };
    let mut row: Vec<(Rect, &str)> = Vec::with_capacity(names.len());
    for name in names {
        row.push((box_of(name)?, name));
    }
    row.sort_by_key(|(bbox, _)| bbox.x0());
    let is_row = row.windows(2).all(|pair| pair[0].0.x1() <= pair[1].0.x0() && (pair[0].0.y0() - pair[1].0.y0()).abs() <= 2);
    let at = row.iter().position(|(_, name)| *name == colour).filter(|_| is_row).ok_or(Reason::SettingNameless)?;
    let place = PLACES.get(at).ok_or(Reason::SettingNameless)?;
    Ok(if at + 1 == row.len() {
        "the last colour swatch of the row".to_owned()
    } else {
        format!("the {place} colour swatch from the left")
    })
}

/// A point of a chart and the chart, where the screen names the two apart.
fn charted(shown: &Shown, name: &str) -> Option<[String; 2]> {
    let is_shown = |chart: &str| shown.elements.iter().any(|e| matches!(e.role.as_str(), "label" | "heading") && e.name == chart);
    let (chart, point) = name.rsplit_once(' ').filter(|(chart, _)| is_shown(chart))?;
    Some([point.to_owned(), chart.to_owned()])
}

/// The words that ask where a control stands now. They name no other state.
pub(super) fn locate_words(kind: ControlType, named: &Named) -> String {
    let Named { name, group } = named;
    let of_group = group.as_ref().map(|group| format!(" under “{group}”")).unwrap_or_default();
    let what = match kind {
        ControlType::Knob => "knob",
        ControlType::Stepper => "number field",
        ControlType::SeekBar => "seek bar",
        ControlType::ChartPoint => "point of the chart",
        ControlType::Switch => "switch",
        ControlType::CheckBox => "check box",
        ControlType::RadioGroup => "chosen one of the radio buttons under",
        ControlType::Tabs => "open one of the tabs",
        ControlType::SegmentedControl => "chosen one of the buttons under",
        ControlType::Accordion => "section",
        ControlType::Rating => "rating",
        ControlType::ColourPicker => "chosen one of the colours under",
        ControlType::DatePicker => "chosen day of the calendar",
        ControlType::TimePicker => "chosen time under",
        ControlType::ListBox | ControlType::ComboBox => "chosen entry of the list",
        ControlType::Reorder => "item",
        ControlType::ZoomAndPan => "view",
        ControlType::TableColumn => "column",
        ControlType::Splitter => "divider",
        ControlType::CropHandle => "handle of the frame",
        ControlType::TreeNode => "entry of the tree",
        ControlType::RangeSelection => {
            let end = |suffix: &str, which: &str| Some(format!("the {which} end of “{}”{of_group}", name.strip_suffix(suffix)?));
            if let Some(said) = end(" from", "lower").or_else(|| end(" to", "upper")) {
                return format!("Point at {said} as it is now");
            }
            "range"
        }
        _ => "slider",
    };
    format!("Point at the {what} “{name}”{of_group} as it is now")
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

/// A long choice by its first words, where no other choice begins with them. A dash or comma after them is left out.
fn first_words(control: &Control, choice: &str) -> String {
    let Domain::Choices { values } = &control.values else { return choice.to_owned() };
    if choice.chars().count() <= 40 {
        return choice.to_owned();
    }
    let words: Vec<&str> = choice.split(' ').collect();
    let first = |count| words[..count].join(" ").trim_end_matches([' ', '-', '–', '—', ',', ';', ':']).to_owned();
    let is_of_one = |short: &String| {
        values.iter().filter(|value| matches!(value, Value::Text(text) if text.starts_with(short.as_str()))).count() == 1
    };
    (3..words.len()).map(first).find(is_of_one).unwrap_or_else(|| choice.to_owned())
}

const MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/// A day of a calendar that shows one month, which its name says where it does.
fn date(name: &str, day: &str, of_group: &str) -> [String; 3] {
    let day = match MONTHS.into_iter().find(|month| name.ends_with(month)) {
        Some(month) => format!("{day} {month}"),
        None => format!("the {}", ordinal(day)),
    };
    [
        format!("Choose {day} under “{name}”{of_group}"),
        format!("Pick {day} in the calendar “{name}”{of_group}"),
        format!("The day chosen under “{name}”{of_group} should be {day}"),
    ]
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
        if asked.control.kind == ControlType::TableColumn { format!("the column “{item}”") } else { format!("“{item}”") };
    let quoted = |other: &String| format!("“{other}”");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_asked_for_without_a_state() {
        let named = |name: &str| Named { name: name.to_owned(), group: None };
        let said = |kind, name: &str| locate_words(kind, &named(name));
        assert_eq!(said(ControlType::Slider, "Volume"), "Point at the slider “Volume” as it is now");
        assert_eq!(said(ControlType::RangeSelection, "Hours to"), "Point at the upper end of “Hours” as it is now");
        let group = Some("Left".to_owned());
        let grouped = locate_words(ControlType::Switch, &Named { name: "Light".to_owned(), group });
        assert_eq!(grouped, "Point at the switch “Light” under “Left” as it is now");
    }

    #[test]
    fn long_choices_are_said_by_their_first_words() {
        let choices = [
            "Solarized Dark - Color scheme using Solarized dark color palette",
            "Solarized Light - Color scheme using Solarized light color palette",
            "Cobalt",
            "Default folder of the account, then its subfolders",
            "Default folder of the account and its subfolders",
        ];
        let control = serde_json::json!({
            "id": "scheme", "element": "e1", "type": "list_box", "values": {"kind": "choices", "values": choices}, "value": "Cobalt",
        });
        let control: Control = serde_json::from_value(control).expect("a control");
        let expected = [
            "Solarized Dark",
            "Solarized Light",
            "Cobalt",
            "Default folder of the account, then",
            "Default folder of the account and",
        ];
        assert_eq!(choices.map(|choice| first_words(&control, choice)), expected);
    }

    #[test]
    fn days_are_said_with_their_month() {
        assert_eq!(date("Day in December", "14", "")[0], "Choose 14 December under “Day in December”");
        assert_eq!(date("Arrival", "22", "")[1], "Pick the 22nd in the calendar “Arrival”");
        assert_eq!(["1", "2", "3", "11", "13", "21"].map(ordinal), ["1st", "2nd", "3rd", "11th", "13th", "21st"]);
    }
}
