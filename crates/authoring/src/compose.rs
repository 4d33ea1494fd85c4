//! Instructions composed from accessibility data: what a person would say to get an element acted on, by role, state
//! and surroundings.

use windesk_engine::pack::naming::{NameSource, Spoken};
use windesk_engine::pack::surroundings::{ancestors, column_of, group_of, in_bar, in_first_column, list_of, menu_of};
use windesk_engine::pack::{Element, Window};
use windesk_model::index::ElementIndex;
use windesk_model::instruction::UiType;
use windesk_model::pack_format::WindowKind;
use windesk_model::role::RoleGroup;

use crate::eligible::ui_type;

/// An instruction in plain English for acting on an element, without the program's name. `spoken` is what the element
/// is called.
pub(super) fn compose(window: &Window, at: ElementIndex, group: RoleGroup, spoken: &Spoken) -> String {
    let element = &window.elements[at];
    let name = spoken.text.as_str();
    let on = |key: &str| element.state.get(key).and_then(serde_json::Value::as_bool);
    match group {
        RoleGroup::Button => button(window, at, spoken),
        RoleGroup::Menu => match menu_of(window, at) {
            Some(outer) => format!("Open the {} of the {}", with_noun(name, "submenu"), with_noun(&outer, "menu")),
            None => format!("Open the {}", with_noun(name, "menu")),
        },
        RoleGroup::MenuItem => menu_item(window, at, name),
        RoleGroup::Tab if on("selected") == Some(true) => format!("Click the {}", with_noun(name, "tab")),
        RoleGroup::Tab => format!("Switch to the {}", with_noun(name, "tab")),
        // Tool buttons that stay down are check boxes and radio buttons to Qt; a person sees a button.
        RoleGroup::CheckBox | RoleGroup::Radio if is_tool_button(window, at, name) => button(window, at, spoken),
        RoleGroup::CheckBox => {
            let verb = if on("checked") == Some(true) { "Untick" } else { "Tick" };
            format!("{verb} the {}{}", with_noun(name, "check box"), under_group(window, at))
        }
        RoleGroup::Radio => {
            let verb = if on("checked") == Some(true) { "Click" } else { "Select" };
            format!("{verb} the {}{}", with_noun(name, "option"), under_group(window, at))
        }
        RoleGroup::Switch => {
            let verb = if on("checked") == Some(true) { "Turn off" } else { "Turn on" };
            format!("{verb} the {}{}", with_noun(name, "switch"), under_group(window, at))
        }
        RoleGroup::Field | RoleGroup::SpinButton => {
            format!("Click into the {}{}", with_noun(name, "field"), under_group(window, at))
        }
        RoleGroup::ComboBox => format!("Open the {}{}", with_noun(name, "drop-down list"), under_group(window, at)),
        RoleGroup::Slider => format!("Click on the {}{}", with_noun(name, "slider"), under_group(window, at)),
        RoleGroup::Item | RoleGroup::Cell => entry(window, at, group, name),
        RoleGroup::Link => format!("Follow the {}", with_noun(name, "link")),
        RoleGroup::Header if names_a_row(window, at, name) => format!("Click the header of row {name}"),
        RoleGroup::Header => format!("Click the {}", with_noun(name, "column header")),
        RoleGroup::Icon => format!("Click the {}", with_noun(name, "icon")),
    }
}

fn button(window: &Window, at: ElementIndex, spoken: &Spoken) -> String {
    if let Some(words) = frame_button(window, &window.elements[at]) {
        return words.to_owned();
    }
    let place = in_bar(window, at).map(|bar| format!(" in the {bar}")).unwrap_or_default();
    let name = &spoken.text;
    if spoken.source == NameSource::Description {
        // A tool tip says what the button does, often in a whole sentence.
        let first = name.split(' ').next().unwrap_or_default();
        let rest = name.strip_prefix(first).unwrap_or_default();
        let is_sentence = name.split(' ').count() >= 3;
        if is_sentence && VERBS.contains(&first.to_lowercase().as_str()) {
            return format!("Click the button{place} to {}{rest}", first.to_lowercase());
        }
        let base = first.to_lowercase();
        if is_sentence && base.strip_suffix('s').is_some_and(|base| VERBS.contains(&base)) {
            return format!("Click the button{place} that {base}{rest}");
        }
    }
    format!("Click the {}{place}", with_noun(name, "button"))
}

/// Verbs that tool tips begin with.
const VERBS: [&str; 44] = [
    "add",
    "apply",
    "bookmark",
    "cancel",
    "change",
    "choose",
    "clear",
    "close",
    "copy",
    "create",
    "cut",
    "decrease",
    "delete",
    "display",
    "duplicate",
    "edit",
    "find",
    "go",
    "hide",
    "increase",
    "insert",
    "list",
    "lower",
    "manage",
    "move",
    "open",
    "paste",
    "play",
    "print",
    "raise",
    "reconnect",
    "reload",
    "remove",
    "save",
    "search",
    "select",
    "show",
    "start",
    "stop",
    "switch",
    "toggle",
    "undo",
    "view",
    "zoom",
];

/// How far from the frame's top and sides the buttons of a title bar lie at most, px at scale 1.
const TITLE_BAR_PX: (f64, f64) = (56.0, 170.0);

/// What the buttons of the window frame do.
fn frame_button(window: &Window, element: &Element) -> Option<&'static str> {
    let (down, aside) = ((TITLE_BAR_PX.0 * window.scale) as i32, (TITLE_BAR_PX.1 * window.scale) as i32);
    let in_title_bar = element.parent.is_none()
        && element.popup.is_none()
        && element.bbox.y1() <= window.frame.y0() + down
        && (element.bbox.x0() >= window.frame.x1() - aside || element.bbox.x1() <= window.frame.x0() + aside);
    let is_dialog = window.kind == WindowKind::Dialog;
    match element.name.as_str() {
        _ if !in_title_bar => None,
        "Minimize" => Some("Minimize the window"),
        "Maximize" => Some("Maximize the window"),
        "Restore" | "Unmaximize" | "Restore Down" => Some("Make the window smaller again with the button in its title bar"),
        "Close" if is_dialog => Some("Close the dialog with the button in its title bar"),
        "Close" => Some("Close the window with the button in its title bar"),
        _ => None,
    }
}

/// Whether a check box or radio button is drawn as a button of a tool bar: in a bar, or too narrow to show its name.
fn is_tool_button(window: &Window, at: ElementIndex, name: &str) -> bool {
    let element = &window.elements[at];
    let in_page = ancestors(window, at).any(|up| up.role == "document");
    !in_page && (in_bar(window, at).is_some() || ui_type(Some(name), element.bbox) == UiType::Icon)
}

fn menu_item(window: &Window, at: ElementIndex, name: &str) -> String {
    let element = &window.elements[at];
    let checked = element.state.get("checked").and_then(serde_json::Value::as_bool);
    let menu = menu_of(window, at).map_or_else(|| "menu".to_owned(), |menu| with_noun(&menu, "menu"));
    let item = quoted(name);
    match (element.role.as_str(), checked) {
        ("check menu item", Some(true)) => format!("Untick {item} in the {menu}"),
        ("check menu item", _) => format!("Tick {item} in the {menu}"),
        ("radio menu item", _) => format!("Select {item} in the {menu}"),
        _ => format!("Choose {item} from the {menu}"),
    }
}

/// Rows of lists and cells of tables.
fn entry(window: &Window, at: ElementIndex, group: RoleGroup, name: &str) -> String {
    let element = &window.elements[at];
    let selected = element.state.get("selected").and_then(serde_json::Value::as_bool) == Some(true);
    let verb = if selected { "Click" } else { "Select" };
    let item = format!("\u{201c}{name}\u{201d}");
    let list = || list_of(window, at).map_or_else(|| "list".to_owned(), |list| with_noun(&list, "list"));
    if group == RoleGroup::Item {
        return match element.role.as_str() {
            "table row" => format!("{verb} the row {item}"),
            "tree item" => format!("{verb} {item} in the tree"),
            _ => format!("{verb} {item} in the {}", list()),
        };
    }
    let number = name.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-'));
    match column_of(window, at) {
        Some(_) if in_first_column(window, at) && !number => format!("{verb} {item} in the {}", list()),
        Some(column) => format!("Click {item} in the {}", with_noun(&column, "column")),
        None if number => format!("Click the cell {item}"),
        None if ancestors(window, at).any(|up| up.role == "tree") => format!("{verb} {item} in the {}", list()),
        None => format!("{verb} the item {item}"),
    }
}

/// Headers that number rows are column headers to some toolkits.
fn names_a_row(window: &Window, at: ElementIndex, name: &str) -> bool {
    let own = &window.elements[at];
    let beside = |e: &Element| {
        e.role == "table cell"
            && e.parent == own.parent
            && e.bbox.x0() >= own.bbox.x1() - 2
            && (e.bbox.y0() - own.bbox.y0()).abs() <= 3
    };
    name.chars().all(|c| c.is_ascii_digit()) && (own.role == "row header" || window.elements.iter().any(beside))
}

fn under_group(window: &Window, at: ElementIndex) -> String {
    group_of(window, at).map(|group| format!(" under {}", quoted(&group))).unwrap_or_default()
}

/// Quotes names that would otherwise run into the sentence: anything but a number or up to three words that all begin
/// large.
fn quoted(name: &str) -> String {
    let mut words = name.split(' ');
    let title = words.clone().count() <= 3 && words.all(|word| word.starts_with(char::is_uppercase)) && name.chars().count() > 1;
    let number = name.chars().all(|c| c.is_ascii_digit());
    if (title || number) && !name.contains(['"', ',', '.', ';', ':', '(', '/', '!', '?', '\u{201c}']) {
        name.to_owned()
    } else if name.contains('\u{201c}') {
        format!("\u{2018}{name}\u{2019}")
    } else {
        format!("\u{201c}{name}\u{201d}")
    }
}

/// `Save` and `button` make "Save button", but "Menu button" stays; long names stand behind the noun.
fn with_noun(name: &str, noun: &str) -> String {
    let last_noun = noun.rsplit(' ').next().unwrap_or(noun);
    let last_word = name.rsplit(' ').next().unwrap_or(name).to_lowercase();
    let quoted = quoted(name);
    if last_word == last_noun {
        quoted
    } else if name.split(' ').count() > 4 {
        format!("{noun} {quoted}")
    } else {
        format!("{quoted} {noun}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windesk::default_pack::open_starter;
    use windesk_model::index::WindowIndex;

    /// Role, name, parent, box and state.
    type Sketch<'a> = (&'a str, &'a str, Option<ElementIndex>, [i32; 4], serde_json::Value);

    /// The first element as a parent.
    const TOP: Option<ElementIndex> = Some(ElementIndex(0));

    /// A window of the starter pack with other elements.
    fn window(elements: &[Sketch]) -> Window {
        let mut window = open_starter().expect("the binary's own").windows.remove(WindowIndex(0));
        window.elements = elements
            .iter()
            .enumerate()
            .map(|(at, (role, name, parent, bbox, state))| Element {
                id: format!("e{at}"),
                parent: *parent,
                role: (*role).to_owned(),
                name: (*name).to_owned(),
                description: String::new(),
                bbox: (*bbox).try_into().expect("a box"),
                interactive: true,
                popup: None,
                state: serde_json::from_value(state.clone()).expect("an object"),
            })
            .collect();
        window
    }

    #[test]
    fn instructions_read_naturally_where_they_stand() {
        let none = serde_json::json!({});
        let far = [400, 400, 560, 424];
        for (elements, wanted) in [
            (vec![("push button", "Save", None, far, none.clone())], "Click the Save button"),
            (vec![("push button", "Save push button", None, far, none.clone())], "Click the \u{201c}Save push button\u{201d}"),
            (vec![("push button", ",", None, far, none.clone())], "Click the \u{201c},\u{201d} button"),
            (
                vec![("tool bar", "Main Toolbar", None, far, none.clone()), ("push button", "Print", TOP, far, none.clone())],
                "Click the Print button in the toolbar",
            ),
            (
                vec![("menu", "Media", None, far, none.clone()), ("menu item", "Open Multiple Files...", TOP, far, none.clone())],
                "Choose Open Multiple Files from the Media menu",
            ),
            (
                vec![
                    ("menu", "View", None, far, none.clone()),
                    ("check menu item", "Show hidden files", TOP, far, serde_json::json!({"checked": true})),
                ],
                "Untick \u{201c}Show hidden files\u{201d} in the View menu",
            ),
            (
                vec![("panel", "Image Size", None, far, none.clone()), ("radio button", "Portrait", TOP, far, none.clone())],
                "Select the Portrait option under Image Size",
            ),
            (
                vec![("check box", "Wrap text", None, far, serde_json::json!({"checked": false}))],
                "Tick the \u{201c}Wrap text\u{201d} check box",
            ),
            (
                vec![
                    ("label", "Tab width:", None, [300, 400, 390, 424], none.clone()),
                    ("spin button", "", None, far, none.clone()),
                ],
                "Click into the \u{201c}Tab width\u{201d} field",
            ),
            (
                vec![
                    ("table", "", None, [100, 100, 500, 500], none.clone()),
                    ("column header", "Name", TOP, [100, 100, 300, 120], none.clone()),
                    ("column header", "Size", TOP, [300, 100, 400, 120], none.clone()),
                    ("table cell", "report.pdf", TOP, [100, 120, 300, 140], none.clone()),
                    ("table cell", "435.3 KiB", TOP, [300, 120, 400, 140], none.clone()),
                ],
                "Click \u{201c}435.3 KiB\u{201d} in the Size column",
            ),
        ] {
            let window = window(&elements);
            let at = window.elements.last_key().expect("an element");
            let group = RoleGroup::of(&window.elements[at].role).expect("a role to act on");
            let spoken = windesk_engine::pack::naming::spoken(&window, at).expect("a name");
            assert_eq!(compose(&window, at, group, &spoken), wanted);
        }
    }
}
