//! Counts what a record says about a scene again, pixel by pixel on the referee's owner map.

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::pack_format::State;
use windesk_model::plan::Plan;
use windesk_model::record::{Annotation, ElementLayer, ElementRecord, TargetKind, TargetRecord, WindowRecord};

use super::Violation;
use super::owners::{NOBODY, OwnerMap, Stack, TASKBAR, owner_of};
use crate::pack::{Element, Pack, Shape};

/// Checks boxes, counts, masks and click points of a record against its plan. An empty list means that all agree.
///
/// # Errors
/// If the plan names what the pack does not have, or a picture can't be read.
pub fn recount(pack: &Pack, plan: &Plan, truth: &Annotation) -> Result<Vec<Violation>, Error> {
    let stack = Stack::new(pack, plan)?;
    let scene = Scene { map: stack.paint(plan.canvas.rect()), stack };
    let mut violations = Vec::new();
    let known: usize = scene.stack.windows.iter().map(|window| window.elements.len()).sum();
    let chrome = plan.chrome.desktop_elements(plan.canvas).len() + plan.chrome.taskbar_elements(plan.canvas).len();
    if truth.elements.len() != known + chrome {
        violations.push(Violation(format!(
            "{} elements, the pack's windows and the desktop have {}",
            truth.elements.len(),
            known + chrome
        )));
    }
    // As many as there are, each of them one that is there, and none twice: then none is missing.
    let elements = twice(truth.elements.iter().map(|element| &element.id));
    violations.extend(elements.into_iter().map(|id| Violation(format!("element {id}: found twice"))));
    if truth.windows.len() != scene.stack.windows.len() {
        violations.push(Violation(format!("{} windows, the plan places {}", truth.windows.len(), scene.stack.windows.len())));
    }
    let windows = twice(truth.windows.iter().map(|window| window.index));
    violations.extend(windows.into_iter().map(|at| Violation(format!("windows[{at}]: found twice"))));
    for window in &truth.windows {
        violations.extend(scene.window(window).into_iter().map(|p| Violation(format!("windows[{}]: {p}", window.index))));
    }
    for element in &truth.elements {
        violations.extend(scene.element(element).into_iter().map(|p| Violation(format!("element {}: {p}", element.id))));
    }
    for target in &truth.targets {
        violations.extend(scene.target(truth, target).into_iter().map(|p| Violation(format!("target {}: {p}", target.id))));
    }
    Ok(violations)
}

struct Scene<'a> {
    stack: Stack<'a>,
    map: OwnerMap,
}

impl Scene<'_> {
    fn window(&self, record: &WindowRecord) -> Vec<String> {
        let at = record.index;
        let Some(source) = self.stack.windows.get(at) else {
            return vec!["no such window in the plan".to_owned()];
        };
        let placement = &self.stack.plan.placements[at];
        let mut problems = Vec::new();
        let rect = source.frame.moved(placement.origin);
        expect(&mut problems, "window", &record.window, &placement.window);
        expect(&mut problems, "rect", &record.rect, &rect);
        expect(&mut problems, "state", &record.state, &placement.state);
        expect(&mut problems, "z", &record.z, &at);
        expect(&mut problems, "role", &record.role, &placement.role);
        expect(&mut problems, "active", &record.active, &placement.active);
        expect(&mut problems, "parent_window", &record.parent_window, &placement.parent);
        expect(&mut problems, "title", &record.title, &source.title);
        let popups: Vec<Rect> = source.popups.iter().map(|popup| popup.moved(placement.origin)).collect();
        expect(&mut problems, "popup_rects", &record.popup_rects, &popups);
        expect(&mut problems, "total_px", &record.total_px, &owned(&self.stack.shapes[at], source.size.rect()));
        let (seen, _) = self.map.seen(owner_of(at), self.map.part);
        expect(&mut problems, "visible_px", &record.visible_px, &seen);
        problems
    }

    fn element(&self, record: &ElementRecord) -> Vec<String> {
        let mut problems = Vec::new();
        let (prefix, owner, bbox, total) = match (record.layer, record.window) {
            (ElementLayer::Window, Some(at)) => {
                let known = self.stack.windows.get(at);
                let Some(element) = known.and_then(|window| window.elements.iter().find(|e| e.id == record.element)) else {
                    return vec!["not an element of its window in the pack".to_owned()];
                };
                let placement = &self.stack.plan.placements[at];
                expect(&mut problems, "name", record.name.as_ref(), element.name.as_str());
                expect(&mut problems, "description", record.description.as_ref(), element.description.as_str());
                expect(&mut problems, "role", record.role.as_ref(), element.role.as_str());
                expect(&mut problems, "interactive", &record.interactive, &element.interactive);
                expect(&mut problems, "state", record.state.as_ref(), &on_screen(&element.state, placement.origin));
                let total = owned(&self.stack.shapes[at], element.bbox);
                (format!("w{at}"), owner_of(at), element.bbox.moved(placement.origin), total)
            }
            (ElementLayer::Desktop | ElementLayer::Taskbar, None) => {
                let Plan { chrome, canvas, .. } = self.stack.plan;
                let (prefix, owner, elements) = if record.layer == ElementLayer::Desktop {
                    ("desktop", NOBODY, chrome.desktop_elements(*canvas))
                } else {
                    ("taskbar", TASKBAR, chrome.taskbar_elements(*canvas))
                };
                let Some(element) = elements.into_iter().find(|e| e.id == record.element) else {
                    return vec!["not on the plan's desktop".to_owned()];
                };
                expect(&mut problems, "name", record.name.as_ref(), element.name.as_str());
                expect(&mut problems, "role", record.role.as_ref(), element.role);
                (prefix.to_owned(), owner, element.bbox, element.bbox.area())
            }
            _ => return vec!["its layer and its window contradict each other".to_owned()],
        };
        expect(&mut problems, "id", &record.id, &format!("{prefix}.{}", record.element));
        expect(&mut problems, "bbox", &record.bbox, &bbox);
        expect(&mut problems, "total_px", &record.total_px, &total);
        let (seen, around) = self.map.seen(owner, bbox);
        expect(&mut problems, "visible_px", &record.visible_px, &seen);
        expect(&mut problems, "visible_bbox", &record.visible_bbox, &around);
        problems
    }

    /// Boxes on the screen of what takes clicks of its own inside an element: interactive, smaller, and below it in the
    /// tree of its window.
    fn nested(&self, outer: &ElementRecord) -> Vec<Rect> {
        let Some((at, window)) = outer.window.and_then(|at| Some((at, self.stack.windows.get(at)?))) else { return Vec::new() };
        let is_outer = |element: &Element| element.id == outer.element;
        let origin = self.stack.plan.placements[at].origin;
        let mut nested = Vec::new();
        for element in &window.elements {
            let mut above = element.parent;
            while let Some(parent) = above.filter(|&parent| !is_outer(&window.elements[parent])) {
                above = window.elements[parent].parent;
            }
            let bbox = element.bbox.moved(origin);
            let is_inside = outer.bbox.intersection(bbox) == Some(bbox) && bbox != outer.bbox;
            if above.is_some() && element.interactive && is_inside {
                nested.push(bbox);
            }
        }
        nested
    }

    /// A target repeats its element's counts, and adds a mask and a point.
    fn target(&self, truth: &Annotation, target: &TargetRecord) -> Vec<String> {
        if target.kind == TargetKind::Absent {
            let nothing = target.element.is_none()
                && target.window.is_none()
                && target.bbox.is_none()
                && target.visible_bbox.is_none()
                && target.visible_mask.is_none()
                && target.click_point.is_none()
                && (target.total_px, target.visible_px) == (0, 0);
            let planned = self.stack.plan.absent.as_ref().is_some_and(|absent| absent.instruction == target.instruction);
            return match (nothing, planned) {
                (true, true) => Vec::new(),
                (false, _) => vec!["absent, but it has an element, a box, counts or a mask".to_owned()],
                (true, false) => vec!["absent, but the plan asks for something else".to_owned()],
            };
        }
        let element = target.element.as_ref().and_then(|id| truth.elements.iter().find(|e| e.id == *id));
        let (Some(element), Some(bbox)) = (element, target.bbox) else {
            return vec!["its element or box is missing".to_owned()];
        };
        let shell = self.stack.plan.step.as_ref().and_then(|step| step.shell.as_ref());
        let owner = match (target.window, shell) {
            (Some(window), None) => owner_of(window),
            (None, Some(id)) if element.layer == ElementLayer::Taskbar && element.element == *id.as_str() => TASKBAR,
            _ => return vec!["its window is missing, or not the plan's".to_owned()],
        };
        let mut problems = Vec::new();
        expect(&mut problems, "window", &target.window, &element.window);
        expect(&mut problems, "bbox", &bbox, &element.bbox);
        expect(&mut problems, "total_px", &target.total_px, &element.total_px);
        expect(&mut problems, "visible_px", &target.visible_px, &element.visible_px);
        expect(&mut problems, "visible_bbox", &target.visible_bbox, &element.visible_bbox);
        expect(
            &mut problems,
            "visible_ratio",
            &target.visible_ratio,
            &(target.visible_px as f64 / target.total_px.max(1) as f64),
        );
        match (&target.visible_mask, bbox.intersection(self.map.part)) {
            (Some(mask), Some(part)) => {
                expect(&mut problems, "visible_mask.origin", &mask.origin, &part.origin());
                expect(&mut problems, "visible_mask.size", &mask.size, &[part.height() as u32, part.width() as u32]);
                let bits =
                    mask.counts.iter().enumerate().flat_map(|(turn, &count)| std::iter::repeat_n(turn % 2 == 1, count as usize));
                let pixels = (part.y0()..part.y1()).flat_map(|y| (part.x0()..part.x1()).map(move |x| Point { x, y }));
                if !bits.eq(pixels.map(|p| self.map.owner(p) == Some(owner))) {
                    problems.push("visible_mask.counts: not the visible pixels".to_owned());
                }
            }
            (None, None) => {}
            _ => problems.push("visible_mask: expected one exactly where the box reaches the screen".to_owned()),
        }
        expect(&mut problems, "nested", &target.nested, &self.nested(element));
        let free =
            |p: Point| bbox.contains(p) && self.map.owner(p) == Some(owner) && !target.nested.iter().any(|n| n.contains(p));
        if let Some(point) = target.click_point.filter(|&p| !free(p)) {
            problems.push(format!("click_point: {point:?} is no visible pixel of the target's own"));
        }
        problems
    }
}

/// Whatever comes more than once.
fn twice<T: Ord + Copy>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut sorted: Vec<T> = all.collect();
    sorted.sort_unstable();
    sorted.chunk_by(|one, next| one == next).filter(|same| same.len() > 1).map(|same| same[0]).collect()
}

/// A state with its one coordinate on the screen.
fn on_screen(state: &State, origin: Point) -> State {
    let mut state = state.clone();
    if let Some(core) = state.get_mut("core")
        && let Ok([x0, y0, x1, y1]) = serde_json::from_value::<[i32; 4]>(core.clone())
    {
        *core = serde_json::json!([x0 + origin.x, y0 + origin.y, x1 + origin.x, y1 + origin.y]);
    }
    state
}

/// Pixels of `rect` (picture px) that a shape owns.
fn owned(shape: &Shape, rect: Rect) -> u64 {
    let inside = |&(a, b): &(i32, i32)| u64::try_from(b.min(rect.x1()) - a.max(rect.x0())).unwrap_or(0);
    (rect.y0()..rect.y1()).map(|y| shape.row(y).iter().map(inside).sum::<u64>()).sum()
}

fn expect<T: PartialEq + std::fmt::Debug + ?Sized>(problems: &mut Vec<String>, field: &str, found: &T, counted: &T) {
    if found != counted {
        problems.push(format!("{field}: found {found:?}, counted {counted:?}"));
    }
}
