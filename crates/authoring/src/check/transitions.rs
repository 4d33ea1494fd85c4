//! Transitions whose page shows more than the click did: a check box that nobody clicked has another value.
//!
//! Pages of one dialog are captured one after another, and some programs keep what was set in between. Joined by a
//! click on a tab, two such pages would say that the tab sets the box.

use windesk_engine::pack::{Element, Pack};
use windesk_model::finding::Finding;
use windesk_model::pack_format::{Action, Outcome};

/// Clicked roles that show another page and set nothing.
const SHOWS_ONLY: [&str; 1] = ["page tab"];
/// Roles whose `checked` only a person changes.
const SET_BY_PEOPLE: [&str; 3] = ["check box", "radio button", "toggle button"];

/// Every transition by a tab to a page on which an element that both pages show is set otherwise.
pub(super) fn check_transitions(pack: &Pack) -> Vec<Finding> {
    let by_id = |id: &str| pack.window_index(id).map(|at| &pack.windows[at]);
    let mut findings = Vec::new();
    for transition in &pack.transitions {
        let (Action::Click, [Outcome::Page { to }]) = (&transition.action, &transition.outcomes[..]) else { continue };
        let Some((from, to)) = by_id(&transition.from).zip(by_id(to)) else { continue };
        let clicked = from.elements.iter().find(|e| Some(&e.id) == transition.element.as_ref());
        let Some(clicked) = clicked.filter(|e| SHOWS_ONLY.contains(&e.role.as_str())) else { continue };
        for element in set_otherwise(&from.elements.raw, &to.elements.raw) {
            findings.push(Finding {
                place: format!("{}#{} ({} \"{}\")", from.id, clicked.id, clicked.role, clicked.name),
                problem: format!("leads to `{}`, on which the {} \"{}\" is set otherwise", to.id, element.role, element.name),
            });
        }
    }
    findings
}

/// Elements of `from` whose `checked` is another on `to`; those that stand twice are left out.
fn set_otherwise<'a>(from: &'a [Element], to: &[Element]) -> Vec<&'a Element> {
    let set_by_people = |e: &&Element| SET_BY_PEOPLE.contains(&e.role.as_str()) && !e.name.is_empty();
    let is_same = |one: &Element, other: &Element| one.role == other.role && one.name == other.name && one.bbox == other.bbox;
    let once = |elements: &[Element], element: &Element| elements.iter().filter(|e| is_same(e, element)).count() == 1;
    let changed =
        |element: &&Element| to.iter().any(|e| is_same(e, element) && e.state.get("checked") != element.state.get("checked"));
    from.iter().filter(set_by_people).filter(changed).filter(|e| once(from, e) && once(to, e)).collect()
}

#[cfg(test)]
mod tests {
    use windesk_model::geometry::Rect;

    use super::*;

    fn check_box(name: &str, top: i32, checked: bool) -> Element {
        Element {
            id: name.to_owned(),
            parent: None,
            role: "check box".to_owned(),
            name: name.to_owned(),
            description: String::new(),
            bbox: Rect::at(10, top, 80, 20),
            interactive: true,
            popup: None,
            state: [("checked".to_owned(), checked.into())].into(),
        }
    }

    #[test]
    fn boxes_that_both_pages_show_are_compared() {
        let before = [check_box("hidden", 10, false), check_box("backup", 40, true), check_box("thumbnails", 70, true)];
        // Set otherwise, as before, and at another place: what is elsewhere may be another box.
        let after = [check_box("hidden", 10, true), check_box("backup", 40, true), check_box("thumbnails", 90, false)];
        let names: Vec<&str> = set_otherwise(&before, &after).iter().map(|e| e.name.as_str()).collect();
        assert_eq!(names, ["hidden"]);
        let twice = [check_box("hidden", 10, true), check_box("hidden", 10, true)];
        assert!(set_otherwise(&before, &twice).is_empty());
    }
}
