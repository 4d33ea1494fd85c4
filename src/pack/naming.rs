//! Names as a person would say them, and instructions composed from names, roles and states. The one place where
//! accessible names are cleaned.

use serde::{Deserialize, Serialize};

use super::{Element, State};

/// Roles that an instruction does not tell apart: "the Save button" may be any of a push button or a toggle button.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum RoleGroup {
    Button,
    Menu,
    MenuItem,
    Tab,
    CheckBox,
    Radio,
    Switch,
    Field,
    ComboBox,
    SpinButton,
    Slider,
    Item,
    Cell,
    Link,
    Header,
    Icon,
}

impl RoleGroup {
    /// The group of a role, or `None` for roles that nobody is asked to act on (panels, labels, scroll bars).
    pub fn of(role: &str) -> Option<Self> {
        Some(match role {
            "push button" | "toggle button" => Self::Button,
            "menu" => Self::Menu,
            "menu item" | "check menu item" | "radio menu item" => Self::MenuItem,
            "page tab" => Self::Tab,
            "check box" => Self::CheckBox,
            "radio button" => Self::Radio,
            "switch" => Self::Switch,
            "entry" | "password text" | "text" => Self::Field,
            "combo box" => Self::ComboBox,
            "spin button" => Self::SpinButton,
            "slider" => Self::Slider,
            "list item" | "tree item" | "table row" => Self::Item,
            "table cell" => Self::Cell,
            "link" => Self::Link,
            "column header" | "row header" => Self::Header,
            "icon" => Self::Icon,
            _ => return None,
        })
    }
}

/// Longest name that an instruction may hold, in characters.
const MAX_NAME_CHARS: usize = 60;

/// An element's name as a person would say it: without mnemonic marks, ellipsis, keyboard shortcut or doubling.
/// Falls back on the description for elements without a name. `None` if nothing speakable is left.
pub(super) fn spoken_name(element: &Element) -> Option<String> {
    [&element.name, &element.description].into_iter().find_map(|text| clean(text))
}

fn clean(text: &str) -> Option<String> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    while let Some(last) = words.last() {
        if words.len() > 1 && is_shortcut(last.trim_matches(['(', ')'])) {
            words.pop();
        } else {
            break;
        }
    }
    if words.len().is_multiple_of(2) && !words.is_empty() && words[..words.len() / 2] == words[words.len() / 2..] {
        words.truncate(words.len() / 2);
    }
    let joined = words.iter().map(|w| without_mnemonic(w)).collect::<Vec<_>>().join(" ");
    let name = joined.trim_end_matches(['.', '…', ':']).trim();
    let speakable = name.chars().any(char::is_alphanumeric) || (name.chars().count() <= 2 && !name.is_empty());
    let plain = name.chars().count() <= MAX_NAME_CHARS
        && !name.contains(|c: char| c.is_control() || c == '\u{fffc}' || is_private_use(c));
    (speakable && plain && !is_class_name(name)).then(|| name.to_owned())
}

/// Icon fonts put glyphs of the private use areas into names.
fn is_private_use(c: char) -> bool {
    matches!(u32::from(c), 0xe000..=0xf8ff | 0xf_0000..=0x10_ffff)
}

/// GTK leaks class names such as `GtkMenuButton` as names.
fn is_class_name(name: &str) -> bool {
    ["Gtk", "Adw", "Hdy", "Gd", "Q"].iter().any(|prefix| {
        name.strip_prefix(prefix).is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_uppercase()) && rest.chars().filter(char::is_ascii_uppercase).count() >= 2
        }) && !name.contains(' ')
    })
}

fn is_shortcut(word: &str) -> bool {
    let mut keys = word.split('+');
    let modifier = keys.next().is_some_and(|key| ["Ctrl", "Alt", "Shift", "Super", "Meta", "Strg"].contains(&key));
    modifier && keys.next().is_some()
}

/// `_File` and `&File` mark the key that opens the menu; `snake_case` and `Q & A` do not.
fn without_mnemonic(word: &str) -> String {
    for mark in ['_', '&'] {
        if let Some(rest) = word.strip_prefix(mark)
            && rest.starts_with(char::is_alphanumeric)
        {
            return rest.to_owned();
        }
    }
    word.to_owned()
}

/// A name for comparing: two elements with the same normalised name and role group satisfy the same instruction.
pub fn normalised_name(name: &str) -> String {
    let signs_dropped = name.to_lowercase().replace(|c: char| c.is_ascii_punctuation() || c == '…', " ");
    let words: Vec<&str> = signs_dropped.split_whitespace().collect();
    // Names of signs alone (a calculator's `+`) are compared as they are.
    if words.is_empty() { name.trim().to_owned() } else { words.join(" ") }
}

/// An instruction in plain English for acting on an element, without the program's name.
///
/// `name` is the spoken name. The wording follows the role, and the state where that changes what a click does.
pub fn compose_instruction(group: RoleGroup, role: &str, name: &str, state: &State) -> String {
    let quoted = quoted(name);
    let on = |key: &str| state.get(key).and_then(serde_json::Value::as_bool);
    match group {
        RoleGroup::Button => format!("Click the {}", with_noun(&quoted, name, "button")),
        RoleGroup::Menu => format!("Open the {}", with_noun(&quoted, name, "menu")),
        RoleGroup::MenuItem => format!("Choose {quoted} from the menu"),
        RoleGroup::Tab => format!("Switch to the {}", with_noun(&quoted, name, "tab")),
        RoleGroup::CheckBox if on("checked") == Some(true) => format!("Clear the {}", with_noun(&quoted, name, "check box")),
        RoleGroup::CheckBox => format!("Tick the {}", with_noun(&quoted, name, "check box")),
        RoleGroup::Radio => format!("Select the {}", with_noun(&quoted, name, "option")),
        RoleGroup::Switch if on("checked") == Some(true) => format!("Turn off the {}", with_noun(&quoted, name, "switch")),
        RoleGroup::Switch => format!("Turn on the {}", with_noun(&quoted, name, "switch")),
        RoleGroup::Field => format!("Click into the {}", with_noun(&quoted, name, "field")),
        RoleGroup::ComboBox => format!("Open the {}", with_noun(&quoted, name, "drop-down list")),
        RoleGroup::SpinButton => format!("Click into the {}", with_noun(&quoted, name, "number field")),
        RoleGroup::Slider => format!("Click the {}", with_noun(&quoted, name, "slider")),
        RoleGroup::Item => match (role, on("expanded")) {
            ("tree item", Some(false)) => format!("Select {quoted} in the tree"),
            ("table row", _) => format!("Select the row {quoted}"),
            _ => format!("Select {quoted} in the list"),
        },
        RoleGroup::Cell => format!("Click the cell {quoted}"),
        RoleGroup::Link => format!("Follow the {}", with_noun(&quoted, name, "link")),
        RoleGroup::Header => format!("Click the {}", with_noun(&quoted, name, "column header")),
        RoleGroup::Icon => format!("Select the {}", with_noun(&quoted, name, "icon")),
    }
}

/// Quotes names that would otherwise run into the sentence: several words, or starting with a small letter or a sign.
fn quoted(name: &str) -> String {
    let words = name.split_whitespace().count();
    let proper = name.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
    if (words <= 3 && proper && !name.contains(['"', ',', '.', ';', '(', '/'])) || name.chars().count() == 1 {
        name.to_owned()
    } else {
        format!("\u{201c}{name}\u{201d}")
    }
}

/// `Save` -> `Save button`, but `Menu button` stays, and a field named `Search field` is not called so twice.
fn with_noun(quoted: &str, name: &str, noun: &str) -> String {
    let last_noun = noun.rsplit(' ').next().unwrap_or(noun);
    let last_word = name.rsplit(' ').next().unwrap_or(name).to_lowercase();
    if last_word == last_noun { quoted.to_owned() } else { format!("{quoted} {noun}") }
}

/// Puts the program before an instruction: "In Thunar, open the View menu".
pub(super) fn in_context(program: &str, instruction: &str) -> String {
    let mut letters = instruction.chars();
    let lowered: String = letters.next().map(|c| c.to_lowercase().chain(letters).collect()).unwrap_or_default();
    format!("In {program}, {lowered}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned() {
        for (written, spoken) in [
            ("_File", Some("File")),
            ("Save _As…", Some("Save As")),
            ("Save As...", Some("Save As")),
            ("Copy Ctrl+C", Some("Copy")),
            ("Undo (Ctrl+Z)", Some("Undo")),
            ("7 7", Some("7")),
            ("New Folder New Folder", Some("New Folder")),
            ("budget_2026.csv", Some("budget_2026.csv")),
            ("Find & Replace", Some("Find & Replace")),
            ("Name:", Some("Name")),
            ("+", Some("+")),
            ("GtkMenuButton", None),
            ("\u{e5d2}", None),
            ("----", None),
            ("", None),
        ] {
            assert_eq!(clean(written).as_deref(), spoken, "{written:?}");
        }
    }

    #[test]
    fn names_are_compared_without_case_and_signs() {
        assert_eq!(normalised_name("Save As"), normalised_name("save as…"));
        assert_ne!(normalised_name("+"), normalised_name("-"));
        assert_ne!(normalised_name("Zoom In"), normalised_name("Zoom Out"));
    }

    #[test]
    fn instructions_read_naturally() {
        let none = State::new();
        let checked: State = [("checked".to_owned(), true.into())].into();
        for (role, name, state, wanted) in [
            ("push button", "Save", &none, "Click the Save button"),
            ("push button", "Menu button", &none, "Click the Menu button"),
            ("menu", "View", &none, "Open the View menu"),
            ("menu item", "Show Hidden Files", &none, "Choose Show Hidden Files from the menu"),
            ("check box", "Wrap text", &checked, "Clear the Wrap text check box"),
            ("check box", "Wrap text", &none, "Tick the Wrap text check box"),
            ("list item", "report.pdf", &none, "Select \u{201c}report.pdf\u{201d} in the list"),
            ("page tab", "General", &none, "Switch to the General tab"),
        ] {
            let group = RoleGroup::of(role).expect("a role to act on");
            assert_eq!(compose_instruction(group, role, name, state), wanted);
        }
        assert_eq!(in_context("Thunar", "Open the View menu"), "In Thunar, open the View menu");
    }
}
