//! What lies around an element, as a person would refer to it: its tool bar, menu, group box, column, neighbouring
//! label.

use windesk_model::geometry::Rect;
use windesk_model::index::ElementIndex;
use windesk_model::role::RoleGroup;

use super::clean::clean;
use super::{Element, Window};

/// Largest gap between a control and the label that names it, px.
const LABEL_GAP_PX: i32 = 40;
/// Accessible names that toolkits give to parts which nobody calls so.
const INNER_NAMES: [&str; 5] = ["layer", "stack", "revealer", "widget", "container"];

/// The ancestors of an element, nearest first.
pub fn ancestors(window: &Window, at: ElementIndex) -> impl Iterator<Item = &Element> {
    window.ancestors(at).map(|up| &window.elements[up])
}

/// The text of the only label inside an element, such as a list row's.
pub fn label_inside(window: &Window, at: ElementIndex) -> Option<String> {
    clean(&window.elements[only_label_inside(window, at)?].name)
}

/// The only label inside an element.
pub fn only_label_inside(window: &Window, at: ElementIndex) -> Option<ElementIndex> {
    let mut labels = labels_inside(window, at);
    labels.next().filter(|_| labels.next().is_none())
}

/// All labels inside an element that have a text.
pub fn labels_inside(window: &Window, at: ElementIndex) -> impl Iterator<Item = ElementIndex> + '_ {
    let inside = window.elements_after(at).take_while(move |&e| window.is_ancestor(at, e));
    inside.filter(|&e| window.elements[e].role == "label" && !window.elements[e].name.is_empty())
}

/// The label that names a control without a name of its own: to its left in the same row, else right above it.
pub fn label_beside(window: &Window, at: ElementIndex) -> Option<String> {
    clean(&naming_label(window, at)?.name)
}

/// The label of [`label_beside`].
pub fn naming_label(window: &Window, at: ElementIndex) -> Option<&Element> {
    let own = &window.elements[at];
    let labels = || window.elements.iter().filter(|e| e.role == "label" && e.popup == own.popup && !e.name.trim().is_empty());
    let left = labels()
        .filter(|label| rows_overlap(label.bbox, own.bbox) && (0..=LABEL_GAP_PX).contains(&(own.bbox.x0() - label.bbox.x1())))
        .max_by_key(|label| label.bbox.x1());
    let above = || {
        labels()
            .filter(|label| (0..=LABEL_GAP_PX / 3).contains(&(own.bbox.y0() - label.bbox.y1())))
            .filter(|label| (label.bbox.x0() - own.bbox.x0()).abs() <= LABEL_GAP_PX / 3)
            .max_by_key(|label| label.bbox.y1())
    };
    // Another control between the two would be what the label names.
    let nothing_between = |label: &&Element| {
        let way = label.bbox.union(own.bbox);
        !window.elements.iter().any(|e| {
            e.interactive
                && e.bbox != own.bbox
                && way.covers(e.bbox)
                && !own.bbox.covers(e.bbox)
                && RoleGroup::of(&e.role).is_some()
        })
    };
    left.filter(nothing_between).or_else(|| above().filter(nothing_between))
}

fn rows_overlap(a: Rect, b: Rect) -> bool {
    let shared = a.y1().min(b.y1()) - a.y0().max(b.y0());
    shared * 2 >= a.height().min(b.height())
}

/// Whether the element lies in a tool bar or status bar.
pub fn in_bar(window: &Window, at: ElementIndex) -> Option<&'static str> {
    ancestors(window, at).find_map(|up| match up.role.as_str() {
        "tool bar" => Some("toolbar"),
        "status bar" => Some("status bar"),
        _ => None,
    })
}

/// The name of the menu that an element of an open menu belongs to.
pub fn menu_of(window: &Window, at: ElementIndex) -> Option<String> {
    ancestors(window, at)
        .find(|up| matches!(up.role.as_str(), "menu" | "push button" | "toggle button" | "combo box"))
        .filter(|up| up.role == "menu")
        .and_then(|up| clean(&up.name))
}

/// The name of the group box around an element, where that is a heading that the window shows.
pub fn group_of(window: &Window, at: ElementIndex) -> Option<String> {
    let group = ancestors(window, at)
        .take_while(|up| !matches!(up.role.as_str(), "document" | "dialog" | "page tab"))
        .find(|up| up.role == "panel" && !up.name.trim().is_empty())?;
    let name = clean(&group.name)?;
    let last = name.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let telling = !INNER_NAMES.contains(&last.as_str()) && name != window.title && name.chars().count() <= 32;
    telling.then_some(name)
}

/// The header of the column that a cell lies in.
pub fn column_of(window: &Window, at: ElementIndex) -> Option<String> {
    let own = &window.elements[at];
    let headers = window.elements.iter().filter(|e| {
        e.role == "column header" && e.popup == own.popup && e.bbox.y1() <= own.bbox.y1() && e.bbox.width() > e.bbox.height() / 2
    });
    let middle = own.bbox.centre().x;
    let same_table = headers.filter(|header| header.parent == own.parent || is_under(window, own, header));
    same_table
        .filter(|header| (header.bbox.x0()..header.bbox.x1()).contains(&middle))
        .max_by_key(|header| header.bbox.y1())
        .and_then(|header| clean(&header.name))
}

/// Whether a header's parent is an ancestor of the cell: rows may stand between them.
fn is_under(window: &Window, cell: &Element, header: &Element) -> bool {
    let Some(table) = header.parent else { return false };
    std::iter::successors(cell.parent, |&up| window.elements[up].parent)
        .any(|up| up == table || window.elements[table].parent == Some(up))
}

/// Whether a cell lies in the leftmost column with a header: the one that names the row.
pub fn in_first_column(window: &Window, at: ElementIndex) -> bool {
    let own = &window.elements[at];
    let cells = window.elements.iter().filter(|e| e.role == "table cell" && e.popup == own.popup && e.parent == own.parent);
    cells.filter(|e| rows_overlap(e.bbox, own.bbox)).all(|e| e.bbox.x0() >= own.bbox.x0())
}

/// The name of the list that an element lies in, or of the panel around it, such as the places of a file dialog.
pub fn list_of(window: &Window, at: ElementIndex) -> Option<String> {
    let own = ancestors(window, at).find(|up| matches!(up.role.as_str(), "list" | "table" | "tree"))?;
    clean(&own.name).or_else(|| group_of(window, at)).filter(|name| name.chars().count() <= 32)
}
