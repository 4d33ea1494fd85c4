//! Names of elements as a person would say them.

use windesk_model::index::ElementIndex;
use windesk_model::role::RoleGroup;

use super::Window;
use super::clean::clean;
use super::surroundings::{label_beside, label_inside};

/// What an element is called, and where that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// The name.
    pub text: String,
    /// Where it was found.
    pub source: NameSource,
}

/// Where a name was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameSource {
    /// The accessible name.
    Name,
    /// A label that the window shows in or beside the element.
    Label,
    /// The description or tool tip.
    Description,
}

/// An element's name as a person would say it: its accessible name, else the label in or beside it, else the first
/// sentence of its description. `None` if nothing speakable is left.
pub fn spoken(window: &Window, at: ElementIndex) -> Option<Spoken> {
    let element = &window.elements[at];
    let group = RoleGroup::of(&element.role);
    let said = |text: String, source: NameSource| Spoken { text, source };
    let labelled = matches!(
        group,
        Some(RoleGroup::Field | RoleGroup::ComboBox | RoleGroup::SpinButton | RoleGroup::Slider | RoleGroup::Switch)
    );
    // A drop-down list's accessible name is often the choice that it shows.
    let beside = || labelled.then(|| label_beside(window, at)).flatten().map(|label| said(label, NameSource::Label));
    if group == Some(RoleGroup::ComboBox)
        && !element.name.trim_end().ends_with(':')
        && let Some(label) = beside()
    {
        return Some(label);
    }
    let name = clean(&element.name).filter(|name| group != Some(RoleGroup::Icon) || !is_icon_name(name));
    name.map(|name| said(if group == Some(RoleGroup::Button) { without_snake_case(name) } else { name }, NameSource::Name))
        .or_else(|| label_inside(window, at).map(|label| said(label, NameSource::Label)))
        .or_else(beside)
        .or_else(|| clean(first_sentence(&element.description)).map(|text| said(text, NameSource::Description)))
}

/// The text of [`spoken`].
pub fn spoken_name(window: &Window, at: ElementIndex) -> Option<String> {
    spoken(window, at).map(|spoken| spoken.text)
}

/// A description up to its first full stop or line break.
fn first_sentence(text: &str) -> &str {
    let line = text.trim().lines().next().unwrap_or_default();
    line.find(". ").map_or(line, |end| &line[..end])
}

/// Names of icon themes (`go-down`, `folder-symbolic`), which nobody sees.
fn is_icon_name(name: &str) -> bool {
    name.contains('-') && name.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

/// `hyperbolic_cosine` is said in two words.
fn without_snake_case(name: String) -> String {
    let snake = name.contains('_') && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    if snake { name.trim_matches('_').replace('_', " ") } else { name }
}

/// A name for comparing: two elements with the same normalised name and role group satisfy the same instruction.
pub fn normalised_name(name: &str) -> String {
    // Most are words of ASCII letters with one space between them.
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if name.split(' ').all(is_word) {
        return name.to_ascii_lowercase();
    }
    let signs_dropped = name.to_lowercase().replace(|c: char| c.is_ascii_punctuation() || c == '…', " ");
    let words: Vec<&str> = signs_dropped.split_whitespace().collect();
    // Names of signs alone (a calculator's `+`) are compared as they are.
    if words.is_empty() { name.trim().to_owned() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_case_and_signs() {
        assert_eq!(normalised_name("Save As"), normalised_name("save as…"));
        assert_ne!(normalised_name("+"), normalised_name("-"));
        for (name, normalised) in
            [("Zoom In 2", "zoom in 2"), (" Zoom  IN ", "zoom in"), ("ÄRA x", "ära x"), ("", ""), ("+", "+")]
        {
            assert_eq!(normalised_name(name), normalised);
        }
        assert_ne!(normalised_name("Zoom In"), normalised_name("Zoom Out"));
    }

    #[test]
    fn only_identifiers_lose_their_underscores() {
        assert_eq!(without_snake_case("hyperbolic_cosine".to_owned()), "hyperbolic cosine");
        assert_eq!(without_snake_case("budget_2026.csv".to_owned()), "budget_2026.csv");
        assert!(is_icon_name("go-down") && is_icon_name("folder-symbolic") && !is_icon_name("Add") && !is_icon_name("co-op 2"));
        assert_eq!(first_sentence("Open it. Right-click for a list."), "Open it");
    }
}
