//! A page's elements in any state: moved with what they lie in, changed by patches, with those that popups and patches
//! add.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use typed_index_collections::TiVec;

use windesk_model::geometry::{Point, Rect};
use windesk_model::index::ElementIndex;
use windesk_model::pack_format::living::{Axis, ElementChange, ScrollArea};
use windesk_model::pack_format::{ElementRecord, State};

use super::super::{Element, Window};
use super::values::{Look, last_offset, thumb_moved};

/// Most characters of a text in a state.
const MAX_STATE_CHARS: usize = 200;

/// An element while the tree is put together.
struct Node {
    element: Element,
    parent: Option<String>,
    /// Its state in the page's picture; changes say the whole state, and what differs from this one is changed.
    captured: State,
    is_gone: bool,
}

impl Node {
    fn of_record(record: &ElementRecord, popup: Option<usize>) -> Self {
        let element = Element {
            id: record.id.clone(),
            parent: None,
            role: record.role.clone(),
            name: record.name.clone(),
            description: record.description.clone(),
            bbox: record.bbox,
            interactive: record.interactive,
            popup,
            state: record.state.clone(),
        };
        Self { captured: record.state.clone(), parent: record.parent.clone(), element, is_gone: false }
    }
}

/// The boxes of open popups, bottom to top, and all visible elements, parents first. Px of the page.
pub(super) fn shown(look: &Look) -> (Vec<Rect>, TiVec<ElementIndex, Element>) {
    let living = look.living;
    let window = &living.window;
    let mut nodes: Vec<Node> = window
        .elements
        .iter()
        .map(|element| Node {
            parent: element.parent.map(|parent| window.elements[parent].id.clone()),
            captured: element.state.clone(),
            element: element.clone(),
            is_gone: false,
        })
        .collect();
    let scrolled = (0..living.page.scroll_areas.len()).filter(|&at| look.scrolled(at) != Point::default());
    scrolled.for_each(|at| scroll(&mut nodes, look, at));
    for patch in &look.patches {
        nodes.extend(patch.added.iter().map(|record| Node::of_record(record, None)));
    }
    let mut popups = window.popups.clone();
    if let Some(popup) = look.popup {
        nodes.extend(popup.elements.iter().map(|record| Node::of_record(record, Some(popups.len()))));
        popups.push(popup.rect);
    }
    let places: BTreeMap<String, usize> = nodes.iter().enumerate().map(|(at, node)| (node.element.id.clone(), at)).collect();
    for patch in &look.patches {
        for change in &patch.elements {
            if let Some(&at) = places.get(&change.id) {
                let area = area_of(look, &change.id);
                apply(&mut nodes[at], change, area.map(|area| (look.scrolled(area), living.page.scroll_areas[area].viewport)));
            }
        }
    }
    for text in &look.texts {
        if let Some(&at) = places.get(&living.page.controls[text.control].element) {
            let written: String = text.text.chars().take(MAX_STATE_CHARS).collect();
            nodes[at].element.state.insert("text", Json::String(written));
        }
    }
    for (at, control) in living.page.controls.iter().enumerate() {
        let node = places.get(&control.element).map(|&at| &mut nodes[at]);
        match (look.settled.takes_input(at), node) {
            (Some(false), Some(node)) => {
                node.element.state.insert("enabled", Json::Bool(false));
            }
            (Some(true), Some(node)) => {
                node.element.state.remove("enabled");
            }
            _ => {}
        }
    }
    if look.focus_moved {
        nodes.iter_mut().for_each(|node| drop(node.element.state.remove("focused")));
        if let Some(&at) = look.focus.and_then(|id| places.get(id)) {
            nodes[at].element.state.insert("focused", Json::Bool(true));
        }
    }
    (popups, listed(nodes, &places))
}

/// Changes an element. `moved` says how far what it lies in was scrolled, and where that shows.
fn apply(node: &mut Node, change: &ElementChange, moved: Option<(Point, Rect)>) {
    let ElementChange { id: _, bbox, name, description, interactive, state, gone } = change;
    let element = &mut node.element;
    if let Some(bbox) = *bbox {
        match moved {
            None => element.bbox = bbox,
            Some((by, viewport)) => match bbox.moved(-by).intersection(viewport) {
                Some(bbox) => element.bbox = bbox,
                None => node.is_gone = true,
            },
        }
    }
    name.iter().for_each(|name| element.name.clone_from(name));
    description.iter().for_each(|description| element.description.clone_from(description));
    interactive.iter().for_each(|&interactive| element.interactive = interactive);
    if let Some(state) = state {
        // Patches of two controls may change one element: each changes what it changed when it was captured.
        for key in node.captured.keys().filter(|&key| !state.contains_key(key)) {
            element.state.remove(key);
        }
        for (key, value) in state.iter().filter(|&(key, value)| node.captured.get(key) != Some(value)) {
            let value = match moved {
                Some((by, _)) if key == "core" => moved_box(value, -by),
                _ => value.clone(),
            };
            element.state.insert(key, value);
        }
    }
    node.is_gone |= gone;
}

/// The scroll area, moved, that an element lies in.
fn area_of(look: &Look, id: &str) -> Option<usize> {
    let areas = look.living.page.scroll_areas.iter().enumerate();
    let mut moved = areas.filter(|(at, _)| look.scrolled(*at) != Point::default());
    moved.find(|(_, area)| lies_in(&look.living.window, area, id)).map(|(at, _)| at)
}

/// How far an element lies from where the page's picture shows it, and in which box it shows; null where nothing that
/// it lies in was scrolled.
pub(super) fn moved_with(look: &Look, id: &str) -> Option<(Point, Rect)> {
    area_of(look, id).map(|at| (-look.scrolled(at), look.living.page.scroll_areas[at].viewport))
}

/// Whether an element is a part of a scroll area's content.
fn lies_in(window: &Window, area: &ScrollArea, id: &str) -> bool {
    let captured = || {
        let (at, outer) = (window.element_index(id)?, window.element_index(&area.element)?);
        Some(window.is_ancestor(outer, at) && area.viewport.covers(window.elements[at].bbox) && !is_of_bar(window, area, at))
    };
    area.elements.iter().any(|element| element.id == id) || captured().unwrap_or(false)
}

/// Whether an element is a scroll bar of the area, or lies in one.
fn is_of_bar(window: &Window, area: &ScrollArea, at: ElementIndex) -> bool {
    std::iter::once(at).chain(window.ancestors(at)).any(|up| area.bars.iter().any(|bar| bar.element == window.elements[up].id))
}

/// Moves what lies in a scroll area, and adds what comes into view. What the page's picture shows keeps its id.
fn scroll(nodes: &mut Vec<Node>, look: &Look, at: usize) {
    let window = &look.living.window;
    let area = &look.living.page.scroll_areas[at];
    let by = look.scrolled(at);
    // From the content to the page: as captured, and as it is now.
    let page_from_content = area.viewport.origin() - area.offset;
    let mut fresh: Vec<Node> = Vec::new();
    let mut known: Vec<usize> = Vec::new();
    for record in &area.elements {
        let on_page = record.bbox.moved(page_from_content);
        let seen = on_page.intersection(area.viewport);
        let same =
            |node: &Node| node.element.role == record.role && node.element.name == record.name && Some(node.element.bbox) == seen;
        let twin = (0..nodes.len())
            .find(|&node| !known.contains(&node) && same(&nodes[node]) && lies_in(window, area, &nodes[node].element.id));
        let now = on_page.moved(-by).intersection(area.viewport);
        match (twin, now) {
            (Some(twin), _) => {
                known.push(twin);
                move_node(&mut nodes[twin], now, -by);
            }
            (None, Some(now)) => {
                let mut node = Node::of_record(record, None);
                node.parent.get_or_insert_with(|| area.element.clone());
                move_node(&mut node, Some(now), page_from_content - by);
                // Changes of it are told in px of the page as it was captured.
                node.captured.clone_from(&node.element.state);
                fresh.push(node);
            }
            (None, None) => {}
        }
    }
    for (index, node) in nodes.iter_mut().enumerate() {
        if !known.contains(&index) && lies_in(window, area, &node.element.id) {
            let now = node.element.bbox.moved(-by).intersection(area.viewport);
            move_node(node, now, -by);
        }
    }
    for bar in &area.bars {
        if let Some(node) = nodes.iter_mut().find(|node| node.element.id == bar.element) {
            let thumb = bar.thumb.rect.moved(thumb_moved(bar, look.offsets[at], last_offset(area)));
            let state = &mut node.element.state;
            if state.contains_key("core") {
                state.insert("core", serde_json::to_value(thumb).expect("plain data"));
            }
            let along = |p: Point| if bar.axis == Axis::X { p.x } else { p.y };
            // A bar whose value counts px follows; what another one would say is not known.
            match state.get("value").and_then(Json::as_f64) {
                Some(value) if value == f64::from(along(area.offset)) => {
                    state.insert("value", Json::from(along(look.offsets[at])));
                }
                _ => drop(state.remove("value")),
            }
        }
    }
    nodes.extend(fresh);
}

fn move_node(node: &mut Node, now: Option<Rect>, by: Point) {
    match now {
        Some(now) => node.element.bbox = now,
        None => node.is_gone = true,
    }
    if let Some(core) = node.element.state.get_mut("core") {
        *core = moved_box(core, by);
    }
}

fn moved_box(value: &Json, by: Point) -> Json {
    let moved = serde_json::from_value::<Rect>(value.clone()).map(|rect| rect.moved(by));
    moved.map_or_else(|_| value.clone(), |rect| serde_json::to_value(rect).expect("plain data"))
}

/// The elements that are left, parents first. What lay in one that is gone lies in the next ancestor that is not.
fn listed(nodes: Vec<Node>, places: &BTreeMap<String, usize>) -> TiVec<ElementIndex, Element> {
    let parents: Vec<Option<usize>> =
        nodes.iter().map(|node| node.parent.as_ref().and_then(|id| places.get(id)).copied()).collect();
    // Of each node its index, and of one that is gone that of what it lay in. Ancestors are listed earlier; one that is
    // not, is none.
    let mut index: Vec<Option<ElementIndex>> = vec![None; nodes.len()];
    let mut elements: TiVec<ElementIndex, Element> = TiVec::with_capacity(nodes.len());
    for (at, node) in nodes.into_iter().enumerate() {
        let parent = parents[at].filter(|&up| up < at).and_then(|up| index[up]);
        index[at] = if node.is_gone { parent } else { Some(elements.next_key()) };
        if !node.is_gone {
            elements.push(Element { parent, ..node.element });
        }
    }
    elements
}
