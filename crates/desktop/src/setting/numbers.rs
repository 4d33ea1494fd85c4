//! Numbers as a page writes them, and whether it does.

use windesk_engine::pack::Element;
use windesk_engine::pack::living::Living;
use windesk_model::pack_format::living::{Control, ControlType, Value};
use windesk_model::plan::Reason;

use super::names::Asked;

/// Most characters of a unit.
const MAX_UNIT_CHARS: usize = 10;

/// The value as the screen writes it, with its unit where the page shows one.
///
/// # Errors
/// If the value is no number.
pub(super) fn spoken_value(asked: &Asked, value: &Value) -> Result<String, Reason> {
    let Value::Number(number) = value else { return Err(Reason::SettingNameless) };
    Ok(match manner_of(asked.living, asked.control) {
        Some(manner) => manner.say(*number),
        None => written(*number),
    })
}

/// A number without the noise of sums of steps.
fn written(number: f64) -> String {
    let rounded = (number * 1000.0).round() / 1000.0;
    format!("{rounded}")
}

/// Seconds as players write them: `1:45`.
fn clock(seconds: f64) -> Option<String> {
    let whole = (seconds >= 0.0 && seconds.fract() == 0.0).then_some(seconds as u64)?;
    Some(format!("{}:{:02}", whole / 60, whole % 60))
}

/// How a page writes a control's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// A number, with what stands before and after it: `["", " %"]`.
    Unit([String; 2]),
    /// Seconds as minutes and seconds.
    Clock,
}

impl Manner {
    fn say(&self, number: f64) -> String {
        match self {
            Self::Unit([before, after]) => format!("{before}{}{after}", written(number)),
            Self::Clock => clock(number).unwrap_or_else(|| written(number)),
        }
    }
}

/// How a page writes a control's value, from the labels that its patches change. Null where no label says the value
/// with a unit.
pub(super) fn manner_of(living: &Living, control: &Control) -> Option<Manner> {
    let is_upper = control.id.ends_with("-to");
    let of_patch = living.page.patches.iter().filter(|patch| patch.control == control.id).filter_map(|patch| {
        let Value::Number(number) = patch.value else { return None };
        let (plain, timed) = (written(number), clock(number));
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
            let is_timed = |timed: String| {
                let rest = part.strip_prefix(timed.as_str());
                rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit() || c == ':')).then_some(Manner::Clock)
            };
            around_number(part, &plain).map(Manner::Unit).or_else(|| is_timed(timed.clone()?))
        })
    });
    { of_patch }.find(|manner| !matches!(manner, Manner::Unit([before, after]) if before.is_empty() && after.is_empty()))
}

/// What stands before and after a number, if it is the only one of a short text.
fn around_number(text: &str, number: &str) -> Option<[String; 2]> {
    let at = text.find(number)?;
    let [before, after] = [&text[..at], &text[at + number.len()..]];
    let is_unit = |part: &str| !part.contains(|c: char| c.is_ascii_digit()) && part.chars().count() <= MAX_UNIT_CHARS;
    let ends = !after.starts_with(['.', ',']) && !before.ends_with(['.', ',', '-', '−']);
    (is_unit(before) && is_unit(after) && ends).then(|| [before.to_owned(), after.to_owned()])
}

/// Whether a number field shows its value in digits.
pub(super) fn field_shows_value(asked: &Asked) -> bool {
    let (Value::Number(number), Some(own)) = (asked.current, asked.shown.element_index(&asked.control.element)) else {
        return false;
    };
    let (own, number) = (&asked.shown.elements[own], written(*number));
    let says = |said: Option<&str>| said.is_some_and(|said| has_number(said, &number));
    let text = |element: &Element| says(element.state.get("text").and_then(|text| text.as_str()));
    let mut inside = asked.shown.elements.iter().filter(|e| e.id != own.id && own.bbox.covers(e.bbox));
    text(own) || inside.any(|e| says(Some(&e.name)) || text(e))
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
    let manner = if is_numeric { manner_of(asked.living, asked.control) } else { None };
    let timed = match (asked.current, &manner) {
        (Value::Number(number), Some(Manner::Clock)) => clock(*number),
        _ => None,
    };
    let says_time = |said: &str| timed.as_ref().is_some_and(|timed| said.starts_with(timed.as_str()));
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
            if is_numeric {
                plain && (says_time(said) || has_number(said, &text))
            } else {
                said.trim() == text && (plain || (choice && !is_swatch))
            }
        })
    };
    if is_numeric && asked.control.kind != ControlType::Stepper && manner.is_none() {
        return false;
    }
    asked.shown.elements.iter().any(says)
}

fn has_number(text: &str, number: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).any(|word| word.trim_end_matches('.') == number)
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
        assert_eq!([0.0, 75.0, 605.0, 1.5].map(|seconds| clock(seconds).unwrap_or_default()), ["0:00", "1:15", "10:05", ""]);
        assert_eq!([Manner::Clock.say(105.0), Manner::Unit(["".to_owned(), " %".to_owned()]).say(70.0)], ["1:45", "70 %"]);
    }
}
