//! Accessibility trees as JSON, one per picture: nested (nodes with `children`) or flat (a list of nodes that name
//! their `parent` or their `childIds`). The keys are those that common tools write; docs/pack.md lists them.
//!
//! A node whose box is as large as the picture says where the picture lies on the screen. Boxes are cut to the picture;
//! nodes wholly outside of it, hidden ones and layout boxes without a name are left out and counted, and their children
//! belong to the nearest node that is kept.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::pack_format::{Category, State};

use super::{Reading, element, one_line, rounded_outwards};

/// Deepest nesting of nodes.
const MAX_DEPTH: usize = 60;
/// Most nodes of a tree.
const MAX_NODES: usize = 100_000;
/// What to do about a tree that is too deep.
pub(super) const DEPTH_HINT: &str =
    "nodes may be nested 60 deep; deeper trees are usually boxes around boxes, which can be left out";

const ROLE: [&str; 7] = ["role", "control_type", "controlType", "ControlType", "AXRole", "class", "type"];
const NAME: [&str; 8] = ["name", "Name", "AXTitle", "title", "label", "AXLabel", "text", "content-desc"];
const DESCRIPTION: [&str; 6] = ["description", "help", "HelpText", "AXHelp", "tooltip", "AXDescription"];
const CHILDREN: [&str; 4] = ["children", "Children", "AXChildren", "nodes"];
const BOXES: [&str; 10] =
    ["bbox", "bounds", "rect", "BoundingRectangle", "bounding_box", "boundingBox", "frame", "AXFrame", "extents", "box"];
const ID: [&str; 3] = ["id", "nodeId", "node_id"];
const PARENT: [&str; 4] = ["parent", "parentId", "parent_id", "parent_node"];
const CHILD_IDS: [&str; 3] = ["childIds", "child_ids", "childrenIds"];
const STATES: [&str; 2] = ["states", "state"];
const IMAGE: [&str; 5] = ["image", "screenshot", "imagePath", "image_path", "file_name"];
/// States that a pack records, and what is said of nodes that are not there to be seen.
const BOOLEANS: [&str; 8] = ["checked", "pressed", "selected", "expanded", "editable", "focused", "has_popup", "mixed"];
const OTHERS: [&str; 16] = [
    "x",
    "y",
    "width",
    "height",
    "enabled",
    "disabled",
    "visible",
    "showing",
    "hidden",
    "offscreen",
    "IsOffscreen",
    "ignored",
    "value",
    "backendDOMNodeId",
    "index",
    "depth",
];

/// Reads the tree of a picture; `stem` is the file's name without its ending, which the picture has too unless the tree
/// names another.
pub(super) fn read(place: &str, stem: &str, value: &Value, reading: &mut Reading) -> Result<(), Error> {
    let category = reading.category(place)?;
    let image = IMAGE.iter().find_map(|key| value.get(key)?.as_str());
    let image = match image {
        Some(image) => image.replace('\\', "/"),
        None => ["png", "webp", "jpg", "jpeg"]
            .map(|ending| format!("{stem}.{ending}"))
            .into_iter()
            .find(|name| reading.size_of(name).is_ok())
            .ok_or_else(|| {
                Error::file(place, format!("no picture {stem}.png in the folder of windows"), "a picture per tree")
                    .with_hint("or name it in the file: \"image\": \"..\"")
            })?,
    };
    let size = reading.size_at(&format!("{place}.image"), &image)?;
    let inner = ["tree", "root", "accessibility_tree"].iter().find_map(|key| value.get(key));
    let nodes = outline(place, inner.unwrap_or(value))?;
    reading.entries += nodes.len();
    let origin = nodes
        .iter()
        .filter_map(|node| box_of(node.value))
        .find(|bbox| bbox.size() == size)
        .map_or(Point { x: 0, y: 0 }, Rect::origin);
    reading.elements_of(&image, category);
    add(place, &nodes, (&image, category), size, origin, reading);
    Ok(())
}

/// A node with the node around it, by its number among all; parents come first.
struct Node<'v> {
    value: &'v Value,
    parent: Option<usize>,
    depth: usize,
}

/// All nodes, parents before their children.
fn outline<'v>(place: &str, value: &'v Value) -> Result<Vec<Node<'v>>, Error> {
    let list = match value {
        Value::Array(list) => Some(list),
        // A list of nodes that refer to each other, below a key.
        Value::Object(object) => {
            ["nodes", "elements"].iter().find_map(|key| object.get(*key)?.as_array()).filter(|_| first(value, &ROLE).is_none())
        }
        _ => return Err(Error::file(place, "neither an object nor a list", "an accessibility tree")),
    };
    match list {
        Some(list) if list.iter().any(refers) => flat(place, list),
        Some(list) => nested(place, list.iter()),
        None => nested(place, std::iter::once(value)),
    }
}

/// Whether a node says which node it belongs to, or which belong to it.
fn refers(node: &Value) -> bool {
    first(node, &ID).is_some() && (first(node, &PARENT).is_some() || first(node, &CHILD_IDS).is_some())
}

fn nested<'v>(place: &str, roots: impl DoubleEndedIterator<Item = &'v Value>) -> Result<Vec<Node<'v>>, Error> {
    let mut nodes = Vec::new();
    let mut waiting: Vec<(&Value, Option<usize>, usize)> = roots.rev().map(|root| (root, None, 1)).collect();
    while let Some((value, parent, depth)) = waiting.pop() {
        check_size(place, nodes.len(), depth)?;
        nodes.push(Node { value, parent, depth });
        let own = nodes.len() - 1;
        let children = CHILDREN.iter().find_map(|key| value.get(key)?.as_array());
        waiting.extend(children.into_iter().flatten().rev().map(|child| (child, Some(own), depth + 1)));
    }
    Ok(nodes)
}

fn flat<'v>(place: &str, list: &'v [Value]) -> Result<Vec<Node<'v>>, Error> {
    let id = |value: &Value, keys: &[&str]| first(value, keys).filter(|id| !id.is_null()).map(Value::to_string);
    let mut number_of = BTreeMap::new();
    for (at, value) in list.iter().enumerate() {
        let own = id(value, &ID).ok_or_else(|| Error::file(format!("{place}[{at}].id"), "nothing", "an id"))?;
        if number_of.insert(own.clone(), at).is_some() {
            return Err(Error::file(format!("{place}[{at}].id"), format!("{own} a second time"), "an id of its own"));
        }
    }
    let mut parent_of: Vec<Option<usize>> = vec![None; list.len()];
    for (at, value) in list.iter().enumerate() {
        let numbered = |key: &str, id: &str| {
            let unknown = || Error::file(format!("{place}[{at}].{key}"), id, "the id of a node");
            number_of.get(id).copied().ok_or_else(unknown)
        };
        if let Some(parent) = id(value, &PARENT) {
            parent_of[at] = Some(numbered("parent", &parent)?);
        }
        for child in first(value, &CHILD_IDS).and_then(Value::as_array).into_iter().flatten() {
            parent_of[numbered("childIds", &child.to_string())?].get_or_insert(at);
        }
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); list.len()];
    for (at, parent) in parent_of.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(at);
        }
    }
    let mut nodes = Vec::new();
    let roots = (0..list.len()).filter(|&at| parent_of[at].is_none());
    let mut waiting: Vec<(usize, Option<usize>, usize)> = roots.rev().map(|root| (root, None, 1)).collect();
    while let Some((at, parent, depth)) = waiting.pop() {
        check_size(place, nodes.len(), depth)?;
        nodes.push(Node { value: &list[at], parent, depth });
        let own = nodes.len() - 1;
        waiting.extend(children[at].iter().rev().map(|&child| (child, Some(own), depth + 1)));
    }
    // Nodes that hang from each other in a circle hang from no root.
    if nodes.len() < list.len() {
        let lost = list.len() - nodes.len();
        return Err(Error::file(place, format!("{lost} nodes that are their own ancestors"), "parents without a circle"));
    }
    Ok(nodes)
}

fn check_size(place: &str, nodes: usize, depth: usize) -> Result<(), Error> {
    if depth > MAX_DEPTH {
        let error = Error::limit(place, format!("nodes nested more than {MAX_DEPTH} deep"), format!("at most {MAX_DEPTH}"));
        return Err(error.with_hint(DEPTH_HINT));
    }
    if nodes >= MAX_NODES {
        return Err(Error::limit(place, format!("more than {MAX_NODES} nodes"), format!("at most {MAX_NODES}")));
    }
    Ok(())
}

/// Adds the nodes that can be seen.
fn add(place: &str, nodes: &[Node], (image, category): (&str, Category), size: Size, origin: Point, reading: &mut Reading) {
    // The kept node at or above each node, by its id in the list.
    let mut kept: Vec<Option<String>> = Vec::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        let above = node.parent.and_then(|parent| kept[parent].clone());
        let at = format!("{place}: node {at} at depth {}", node.depth);
        note_keys(node.value, reading);
        let own = match visible_element(&at, node.value, size, origin, reading) {
            Ok(found) => found,
            Err(error) => {
                reading.bad.push(error);
                None
            }
        };
        kept.push(match own {
            None => above,
            Some(mut element) => {
                let elements = reading.elements_of(image, category);
                let id = format!("e{}", elements.len());
                element.id = Some(id.clone());
                element.parent = above;
                elements.push(element);
                Some(id)
            }
        });
    }
}

fn note_keys(node: &Value, reading: &mut Reading) {
    let read: Vec<&str> =
        [&ROLE[..], &NAME, &DESCRIPTION, &CHILDREN, &BOXES, &ID, &PARENT, &CHILD_IDS, &STATES, &IMAGE, &BOOLEANS, &OTHERS]
            .concat();
    reading.note_unread(node, &read);
}

/// The element that a node is, or nothing where it is left out.
fn visible_element(
    place: &str,
    node: &Value,
    size: Size,
    origin: Point,
    reading: &mut Reading,
) -> Result<Option<crate::build::ElementEntry>, Error> {
    let label = first(node, &ROLE).and_then(text_in).ok_or_else(|| Error::file(place, "no role", "a role"))?;
    let says = |keys: &[&str], wanted: bool| keys.iter().any(|key| truth_of(node, key) == Some(wanted));
    if says(&["hidden", "offscreen", "IsOffscreen", "ignored"], true) || says(&["visible", "showing"], false) {
        reading.leave_out("hidden nodes");
        return Ok(None);
    }
    let Some(bbox) = box_of(node) else {
        reading.leave_out("nodes without a box");
        return Ok(None);
    };
    let bbox = bbox.moved(Point { x: -origin.x, y: -origin.y });
    let Some(inside) = bbox.intersection(size.rect()) else {
        reading.leave_out("nodes outside the picture");
        return Ok(None);
    };
    let role = reading.role(place, &label)?;
    let name = one_line(&first(node, &NAME).and_then(text_in).unwrap_or_default());
    if role == "panel" && name.is_empty() {
        reading.leave_out("layout boxes without a name");
        return Ok(None);
    }
    let mut found = element(role, name, inside);
    found.description = one_line(&first(node, &DESCRIPTION).and_then(text_in).unwrap_or_default());
    found.state = state_of(node);
    Ok(Some(found))
}

/// The states that a pack records.
fn state_of(node: &Value) -> State {
    let mut state = State::new();
    for key in BOOLEANS {
        if let Some(set) = truth_of(node, key) {
            state.insert(key, set.into());
        }
    }
    if truth_of(node, "enabled") == Some(false) || truth_of(node, "disabled") == Some(true) {
        state.insert("enabled", false.into());
    }
    if let Some(value) = node.get("value").and_then(Value::as_f64) {
        state.insert("value", value.into());
    }
    state
}

/// Whether a node says of itself that it is something: as a key, in its states as an object, or in their list.
fn truth_of(node: &Value, key: &str) -> Option<bool> {
    let flag = |value: &Value| match value {
        Value::Bool(set) => Some(*set),
        Value::String(word) => match word.to_lowercase().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        },
        _ => None,
    };
    if let Some(set) = node.get(key).and_then(flag) {
        return Some(set);
    }
    match first(node, &STATES)? {
        Value::Object(states) => states.get(key).and_then(flag),
        Value::Array(states) => {
            let named = |word: &str| word.to_lowercase().replace(['-', ' '], "_") == key;
            states.iter().any(|state| state.as_str().is_some_and(named)).then_some(true)
        }
        _ => None,
    }
}

/// The first of some keys under which a node says something.
fn first<'v>(node: &'v Value, keys: &[&str]) -> Option<&'v Value> {
    keys.iter().find_map(|key| node.get(key).filter(|value| !value.is_null()))
}

/// A text, or the text in `{"value": ..}`, as browsers write it.
fn text_in(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(object) => object.get("value")?.as_str().map(str::to_owned),
        _ => None,
    }
}

/// A node's box on the screen: four numbers are `[x0, y0, x1, y1]`, those of `extents` and `AXFrame` `[x, y, width,
/// height]`; objects say what their numbers are; Android writes `[x0,y0][x1,y1]`.
fn box_of(node: &Value) -> Option<Rect> {
    let key = BOXES.iter().find(|key| node.get(**key).is_some_and(|value| !value.is_null()));
    let Some(key) = key else { return corners(node.as_object()?) };
    match &node[*key] {
        Value::Array(numbers) => {
            let [a, b, c, d] = <[f64; 4]>::try_from(numbers.iter().map(Value::as_f64).collect::<Option<Vec<_>>>()?).ok()?;
            let has_size = ["extents", "AXFrame"].contains(key);
            rounded_outwards(if has_size { [a, b, a + c, b + d] } else { [a, b, c, d] })
        }
        Value::String(text) => {
            let numbers = text.split(|c: char| !(c.is_ascii_digit() || c == '-' || c == '.')).filter(|part| !part.is_empty());
            rounded_outwards(<[f64; 4]>::try_from(numbers.map(|part| part.parse().ok()).collect::<Option<Vec<f64>>>()?).ok()?)
        }
        Value::Object(object) => corners(object),
        _ => None,
    }
}

fn corners(object: &Map<String, Value>) -> Option<Rect> {
    let number = |keys: &[&str]| keys.iter().find_map(|key| object.get(*key)?.as_f64());
    let (x, y) = (number(&["x", "left", "Left", "X", "x0"])?, number(&["y", "top", "Top", "Y", "y0"])?);
    let right = number(&["right", "Right", "x1"]).or_else(|| Some(x + number(&["width", "Width", "w"])?))?;
    let bottom = number(&["bottom", "Bottom", "y1"]).or_else(|| Some(y + number(&["height", "Height", "h"])?))?;
    rounded_outwards([x, y, right, bottom])
}
