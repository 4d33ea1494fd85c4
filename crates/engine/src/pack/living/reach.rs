//! What one act sets a control to, on a page in a state: every place where a click changes its value, and every place
//! at which a drag of its handle can end.
//!
//! The plane is cut along every edge that can matter: of elements, of parts of transitions, of maps. Within a cell all
//! points meet the same lines of the pack, so that one of them speaks for the others.

use std::collections::BTreeSet;

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::pack_format::living::{Axis, Control, PointMap, Value};
use windesk_model::pack_format::{Action, Outcome};
use windesk_model::page_state::{PageState, WindowEvent};

use super::act::at_point;
use super::maps::{areas, value_at};
use super::outcomes::{apply, mapped};
use super::page::Living;
use super::scene::Scene;

/// What one act sets a control to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reach {
    /// Boxes that share no pixel, px of the page, and the value that a click in them sets; values other than the one
    /// that the control has.
    pub clicks: Vec<(Rect, Value)>,
    /// What drags set it to; null if no drag that begins at its handle is known.
    pub drag: Option<DragReach>,
}

/// What drags of a control's handle set it to.
#[derive(Clone, Debug, PartialEq)]
pub struct DragReach {
    /// Where a drag begins.
    pub handle: Rect,
    /// The point of the handle whose place counts, where the handle keeps its distance from the pointer; null where the
    /// pointer's own place counts.
    pub held_at: Option<Point>,
    /// Boxes that share no pixel and the value that a drag sets whose place counts in them; values other than the one
    /// that the control has.
    pub releases: Vec<(Rect, Value)>,
}

/// What one act within a box sets a control to. Drags may end beyond the box.
///
/// # Errors
/// If the page can't have this state, nobody knows what it looks like, or it has no such control.
pub fn reach(living: &Living, state: &PageState, control: &str, within: Rect) -> Result<Reach, Error> {
    let scene = Scene::of(living, state)?;
    let found = || format!("control `{control}` of `{}`", living.window.id);
    let control = living.page.control(control).ok_or_else(|| Error::caller(found(), "expected a control of the page"))?;
    let reaching = Reaching { before: scene.look.normalised(), now: value_of(&scene.look.normalised(), control), scene, control };
    Ok(Reach { clicks: reaching.clicks(within), drag: reaching.drag() })
}

fn value_of(state: &PageState, control: &Control) -> Value {
    state.values.get(&control.id).unwrap_or(&control.value).clone()
}

struct Reaching<'a> {
    scene: Scene<'a>,
    before: PageState,
    control: &'a Control,
    now: Value,
}

impl Reaching<'_> {
    /// The value that an event sets, if it does and if it is another one.
    fn after(&self, event: &WindowEvent, outcomes: Vec<Outcome>) -> Option<Value> {
        let applied = apply(&self.scene, &self.before, event, outcomes).ok()?;
        let stays = applied.window.as_deref() == Some(&self.scene.living.window.id);
        let value = value_of(&applied.state, self.control);
        (stays && value != self.now).then_some(value)
    }

    fn clicks(&self, within: Rect) -> Vec<(Rect, Value)> {
        let mut cuts = Cuts::within(within);
        let living = self.scene.living;
        let acted_on: BTreeSet<&str> = living.transitions.iter().filter_map(|t| t.element.as_deref()).collect();
        for element in self.scene.elements.iter().filter(|e| e.interactive || acted_on.contains(e.id.as_str())) {
            cuts.add(element.bbox);
        }
        self.scene.popups.iter().for_each(|&popup| cuts.add(popup));
        let clicks = living.transitions.iter().filter(|t| t.action == Action::Click);
        clicks.filter_map(|t| t.part).for_each(|part| cuts.add(part));
        living.page.controls.iter().filter_map(|control| control.click_map.as_ref()).for_each(|map| cuts.add_map(map));
        // Many cells come to the same, and what they come to is costly to work out.
        let mut known: Vec<(Vec<Outcome>, Option<Value>, Option<Value>)> = Vec::new();
        cuts.merged(|at| {
            let event = WindowEvent::Click(at);
            let outcomes = at_point(&self.scene, &event, at).1.ok()?;
            let is_own = |outcome: &Outcome| match outcome {
                Outcome::Mapped { control } | Outcome::Value { control, .. } => *control == self.control.id,
                _ => false,
            };
            let of_group = |outcome: &Outcome| matches!(outcome, Outcome::Value { .. }) && self.control.group.is_some();
            if !outcomes.iter().any(|outcome| is_own(outcome) || of_group(outcome)) {
                return None;
            }
            let by_map = outcomes.iter().any(|outcome| matches!(outcome, Outcome::Mapped { .. }) && is_own(outcome));
            let key = by_map.then(|| mapped(&self.scene, self.control, &event).ok()).flatten();
            if let Some((.., after)) = known.iter().find(|(o, k, _)| *o == outcomes && *k == key) {
                return after.clone();
            }
            let after = self.after(&event, outcomes.clone());
            known.push((outcomes, key, after.clone()));
            after
        })
    }

    fn drag(&self) -> Option<DragReach> {
        let map = self.control.drag_map.as_ref()?;
        let own = self.scene.elements.position(|element| element.id == self.control.element)?;
        let whole = match map.handle {
            Some(handle) => handle,
            None => serde_json::from_value(self.scene.elements[own].state.get("core")?.clone()).ok()?,
        };
        // Where something else lies over the handle, a drag takes that.
        let mut cuts = Cuts::within(whole);
        self.scene.elements.iter().filter(|e| e.interactive).for_each(|element| cuts.add(element.bbox));
        let popup = self.scene.elements[own].popup;
        let free = cuts.merged(|at| (self.scene.element_at(at, popup) == Some(own)).then_some(Value::Switch(true)));
        let handle = free.into_iter().map(|(rect, _)| rect).max_by_key(|rect| rect.area())?;
        let held_at = map.keeps_distance.then(|| whole.centre());
        let from = handle.centre();
        // The place that counts, as a place at which the pointer lets go.
        let moved = held_at.map_or(Point::default(), |held| from - held);
        let mut releases = Vec::new();
        let mut known: Vec<(Value, Option<Value>)> = Vec::new();
        if let Some(area) = areas(&map.release).into_iter().reduce(Rect::union) {
            let mut cuts = Cuts::within(area);
            cuts.add_map(&map.release);
            releases = cuts.merged(|at| {
                let value = value_at(&map.release, at)?;
                if let Some((_, after)) = known.iter().find(|(known, _)| *known == value) {
                    return after.clone();
                }
                let event = WindowEvent::Drag([from, at + moved]);
                let outcomes = at_point(&self.scene, &event, from).1.ok();
                let after = outcomes.and_then(|outcomes| self.after(&event, outcomes));
                known.push((value, after.clone()));
                after
            });
        }
        (!releases.is_empty()).then_some(DragReach { handle, held_at, releases })
    }
}

/// A box cut into cells.
struct Cuts {
    within: Rect,
    x: BTreeSet<i32>,
    y: BTreeSet<i32>,
}

impl Cuts {
    fn within(within: Rect) -> Self {
        Self { within, x: BTreeSet::from([within.x0(), within.x1()]), y: BTreeSet::from([within.y0(), within.y1()]) }
    }

    fn add(&mut self, rect: Rect) {
        if let Some(part) = rect.intersection(self.within) {
            self.x.extend([part.x0(), part.x1()]);
            self.y.extend([part.y0(), part.y1()]);
        }
    }

    fn add_along(&mut self, axis: Axis, position: i32) {
        let (cuts, from, end) = match axis {
            Axis::X => (&mut self.x, self.within.x0(), self.within.x1()),
            Axis::Y => (&mut self.y, self.within.y0(), self.within.y1()),
        };
        if (from..end).contains(&position) {
            cuts.insert(position);
        }
    }

    fn add_map(&mut self, map: &PointMap) {
        areas(map).into_iter().for_each(|area| self.add(area));
        match map {
            PointMap::Regions { .. } => {}
            PointMap::Stops { area, axis, stops } => {
                if area.touches(self.within) {
                    stops.iter().for_each(|stop| self.add_along(*axis, stop.from));
                }
            }
            PointMap::Linear { area, axis, .. } => {
                if let Some(part) = area.intersection(self.within) {
                    let (from, end) = match axis {
                        Axis::X => (part.x0(), part.x1()),
                        Axis::Y => (part.y0(), part.y1()),
                    };
                    (from..end).for_each(|position| self.add_along(*axis, position));
                }
            }
            PointMap::Plane { area, .. } => {
                if let Some(part) = area.intersection(self.within) {
                    (part.x0()..part.x1()).for_each(|position| self.add_along(Axis::X, position));
                    (part.y0()..part.y1()).for_each(|position| self.add_along(Axis::Y, position));
                }
            }
        }
    }

    /// Boxes of cells that lie together and have one value, row by row.
    fn merged(&self, mut value: impl FnMut(Point) -> Option<Value>) -> Vec<(Rect, Value)> {
        let edges = |cuts: &BTreeSet<i32>| cuts.iter().copied().zip(cuts.iter().copied().skip(1)).collect::<Vec<_>>();
        let (columns, rows) = (edges(&self.x), edges(&self.y));
        let mut boxes: Vec<(Rect, Value)> = Vec::new();
        // Boxes that reach down to the row.
        let mut open: Vec<usize> = Vec::new();
        for (y0, y1) in rows {
            let mut runs: Vec<(i32, i32, Value)> = Vec::new();
            for &(x0, x1) in &columns {
                let Some(value) = value(Point { x: x0, y: y0 }) else { continue };
                match runs.last_mut() {
                    Some((_, end, last)) if *end == x0 && *last == value => *end = x1,
                    _ => runs.push((x0, x1, value)),
                }
            }
            let mut next = Vec::with_capacity(runs.len());
            for (x0, x1, value) in runs {
                let goes_on = |at: &&usize| {
                    let (rect, other) = &boxes[**at];
                    (rect.x0(), rect.x1(), rect.y1()) == (x0, x1, y0) && *other == value
                };
                let at = open.iter().find(goes_on).copied();
                match at {
                    Some(at) => {
                        let top = boxes[at].0.y0();
                        boxes[at].0 = Rect::at(x0, top, x1 - x0, y1 - top);
                        next.push(at);
                    }
                    None => {
                        next.push(boxes.len());
                        boxes.push((Rect::at(x0, y0, x1 - x0, y1 - y0), value));
                    }
                }
            }
            open = next;
        }
        boxes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_one_value_become_one_box() {
        let mut cuts = Cuts::within(Rect::at(0, 0, 10, 10));
        [Rect::at(2, 2, 3, 3), Rect::at(6, 0, 20, 4)].into_iter().for_each(|rect| cuts.add(rect));
        let on = |at: Point| (at.x >= 2 && at.x < 6).then_some(Value::Switch(true));
        assert_eq!(cuts.merged(on), [(Rect::at(2, 0, 4, 10), Value::Switch(true))]);
        let each = |at: Point| Some(Value::Number(f64::from(at.x.min(2) * 10 + at.y.min(2))));
        let boxes = cuts.merged(each);
        let area: u64 = boxes.iter().map(|(rect, _)| rect.area()).sum();
        assert_eq!((boxes.len(), area), (4, 100));
    }
}
