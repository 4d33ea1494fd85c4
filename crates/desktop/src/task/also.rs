//! Other places where a click leads to the same next state, as boxes of which every pixel does.

use std::collections::BTreeSet;

use windesk_engine::annotate::seen_of_windows;
use windesk_engine::pack::living::reach;
use windesk_engine::pack::{Element, IndexedPack, Window};
use windesk_engine::visibility::Spans;
use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::{ElementIndex, PlacementIndex};
use windesk_model::pack_format::living::Value;
use windesk_model::pack_format::{Outcome, Transition};
use windesk_model::plan::Plan;
use windesk_model::task::AlsoValid;

use crate::act::act;
use crate::buttons::frame_button;
use crate::event::{Acted, Effect, Event};
use crate::hit::own_transitions;
use crate::page::is_living;
use crate::setting::box_around;
use crate::state::{DesktopState, DesktopWindow, WindowId};

/// Boxes with fewer pixels are not worth telling.
const MIN_AREA: u64 = 400;
/// Boxes of plain surface that are told, at most.
const MAX_PLAIN: usize = 6;

/// What else leads to a next state.
#[derive(Clone, Debug, Default)]
pub(super) struct Also {
    pub(super) boxes: Vec<AlsoValid>,
    /// Elements among them.
    pub(super) elements: Vec<(PlacementIndex, ElementIndex)>,
}

/// Whether two desktops are the same but for the pointer and for names of windows.
pub(super) fn same(a: &DesktopState, b: &DesktopState) -> bool {
    let bare = |state: &DesktopState| DesktopState { pointer: None, next_id: 0, ..state.clone() };
    bare(a) == bare(b)
}

/// The plain surface of a window and of what belongs to it, where a click does nothing but bring it.
pub(super) fn plain_surface(
    pack: &IndexedPack,
    state: &DesktopState,
    plan: &Plan,
    id: WindowId,
    next: &DesktopState,
) -> Result<Vec<AlsoValid>, Error> {
    let seen = seen_of_windows(pack, plan)?;
    let mut found = Vec::new();
    for member in state.tree(state.root(id)) {
        let (Some(at), Some(window)) = (state.placement_of(member), state.window(member)) else { continue };
        let shown = window.shown(pack)?;
        let by = plan.placements[at].origin;
        let acted_on = acted_on(pack, &shown);
        let takes = |e: &&Element| e.interactive || acted_on.contains(&e.id.as_str());
        let taken: Vec<Rect> = shown.elements.iter().filter(takes).map(|e| e.bbox.moved(by)).collect();
        let Some(part) = shown.frame.moved(by).intersection(state.canvas.rect()) else { continue };
        let mut free = Mask::new(part, &seen[usize::from(at)], &taken);
        while found.len() < MAX_PLAIN
            && let Some(bbox) = free.largest()
            && bbox.area() >= MIN_AREA
        {
            free.take(bbox);
            if same(&act(pack, state, &Event::Click { at: bbox.centre() })?.state, next) {
                found.push(AlsoValid { bbox, why: "brings the same window to the front".to_owned() });
            }
        }
    }
    Ok(found)
}

/// The elements of a window that transitions are about.
fn acted_on<'p>(pack: &'p IndexedPack, window: &Window) -> BTreeSet<&'p str> {
    own_transitions(pack, window).filter_map(|t| t.element.as_deref()).collect()
}

/// Other places of the same window that lead to the same next state: elements, and on living pages the places that set
/// the same value.
pub(super) fn other_places(
    pack: &IndexedPack,
    state: &DesktopState,
    plan: &Plan,
    at: PlacementIndex,
    element: &str,
    acted: &Acted,
) -> Result<Also, Error> {
    let mut also = Also::default();
    let Some(window) = state.shown().nth(at.into()) else { return Ok(also) };
    let shown = window.shown(pack)?;
    let acted_on = acted_on(pack, &shown);
    let takes = |e: &Element| e.interactive || acted_on.contains(&e.id.as_str());
    let whole = |e: &Element| {
        let in_parts = |t: &Transition| t.element.as_ref() == Some(&e.id) && (t.part.is_some() || t.is_conditional());
        let mapped = |o: &Outcome| matches!(o, Outcome::Mapped { .. });
        let is_mapped = |t: &Transition| t.element.as_ref() == Some(&e.id) && t.outcomes.iter().any(mapped);
        !is_living(&shown) || !own_transitions(pack, &shown).any(|t| in_parts(t) || is_mapped(t))
    };
    let candidates = shown.elements.iter_enumerated().filter(|&(other, e)| {
        e.id != element && (acted_on.contains(&e.id.as_str()) || frame_button(&shown, other).is_some()) && whole(e)
    });
    let candidates: Vec<ElementIndex> = candidates.map(|(other, _)| other).collect();
    let set = acted.effects.iter().find_map(|effect| match effect {
        Effect::Set { window: of, control, value } if *of == window.id => Some((control.as_str(), value)),
        _ => None,
    });
    if candidates.is_empty() && set.is_none() {
        return Ok(also);
    }
    let by = plan.placements[at].origin;
    let seen = &seen_of_windows(pack, plan)?[usize::from(at)];
    let leads_there = |bbox: Rect| -> Result<bool, Error> {
        let done = act(pack, state, &Event::Click { at: bbox.centre() })?;
        Ok(done.is_modelled() && same(&done.state, &acted.state))
    };
    for other in candidates {
        let own = &shown.elements[other];
        let smaller = |e: &&Element| takes(e) && e.id != own.id && e.bbox.area() <= own.bbox.area();
        let taken: Vec<Rect> = shown.elements.iter().filter(smaller).map(|e| e.bbox.moved(by)).collect();
        let Some(part) = own.bbox.moved(by).intersection(state.canvas.rect()) else { continue };
        let Some(bbox) = Mask::new(part, seen, &taken).largest() else { continue };
        if leads_there(bbox)? {
            also.boxes.push(AlsoValid { bbox, why: format!("{} \"{}\" does the same", own.role, own.name) });
            also.elements.push((at, other));
        }
    }
    if let Some((control, value)) = set.filter(|_| is_living(&shown)) {
        let mut known: Vec<Rect> = also.boxes.iter().map(|valid| valid.bbox).collect();
        known.extend(shown.element_index(element).map(|own| shown.elements[own].bbox.moved(by)));
        for part in places_that_set(pack, window, control, value)? {
            let Some(part) = part.moved(window.origin).intersection(state.canvas.rect()) else { continue };
            let Some(bbox) = Mask::new(part, seen, &known).largest().filter(|bbox| bbox.area() >= MIN_AREA) else { continue };
            if leads_there(bbox)? {
                known.push(bbox);
                also.boxes.push(AlsoValid { bbox, why: format!("sets `{control}` to the same value") });
            }
        }
    }
    Ok(also)
}

/// The boxes of a living page in its state, px of the page, in which a click gives a control a value.
fn places_that_set(pack: &IndexedPack, window: &DesktopWindow, control: &str, value: &Value) -> Result<Vec<Rect>, Error> {
    let living = pack.living(window.captured(pack).0)?;
    let Some(own) = living.page.control(control) else { return Ok(Vec::new()) };
    let Some(around) = box_around(&living, own, &window.page_state) else { return Ok(Vec::new()) };
    let reached = reach(&living, &window.page_state, control, around)?;
    Ok(reached.clicks.into_iter().filter(|(_, set)| set == value).map(|(rect, _)| rect).collect())
}

/// Which pixels of a box are free.
struct Mask {
    part: Rect,
    free: Vec<bool>,
}

impl Mask {
    fn new(part: Rect, seen: &Spans, taken: &[Rect]) -> Self {
        let mut mask = Self { part, free: vec![false; part.area() as usize] };
        for (y, a, b) in seen.clipped(part) {
            mask.fill(Rect::at(a, y, b - a, 1), true);
        }
        taken.iter().filter_map(|taken| taken.intersection(part)).for_each(|taken| mask.fill(taken, false));
        mask
    }

    fn fill(&mut self, rect: Rect, value: bool) {
        let width = self.part.width() as usize;
        for y in rect.y0()..rect.y1() {
            let start = (y - self.part.y0()) as usize * width + (rect.x0() - self.part.x0()) as usize;
            self.free[start..start + rect.width() as usize].fill(value);
        }
    }

    fn take(&mut self, rect: Rect) {
        self.fill(rect, false);
    }

    /// The largest box of free pixels; the first one, row by row, of several.
    fn largest(&self) -> Option<Rect> {
        let width = self.part.width() as usize;
        let mut heights = vec![0_i32; width];
        let mut best: Option<(u64, Rect)> = None;
        let mut rows = self.free.chunks_exact(width).enumerate().peekable();
        while let Some((y, row)) = rows.next() {
            heights.iter_mut().zip(row).for_each(|(height, &free)| *height = if free { *height + 1 } else { 0 });
            // Every box that ends here is a part of one that ends below.
            if rows.peek().is_some_and(|(_, below)| *below == row) {
                continue;
            }
            // Columns at which a box that is still open begins, with its height; heights rise along the stack.
            let mut open: Vec<(usize, i32)> = Vec::new();
            for x in 0..=width {
                let height = heights.get(x).copied().unwrap_or(0);
                let mut from = x;
                while let Some(&(start, high)) = open.last().filter(|(_, high)| *high >= height) {
                    open.pop();
                    from = start;
                    let area = (x - start) as u64 * high as u64;
                    if high > 0 && best.is_none_or(|(most, _)| area > most) {
                        let corner = Point { x: start as i32, y: y as i32 + 1 - high } + self.part.origin();
                        best = Some((area, Rect::at(corner.x, corner.y, (x - start) as i32, high)));
                    }
                }
                if height > 0 {
                    open.push((from, height));
                }
            }
        }
        best.map(|(_, rect)| rect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_box_is_found_as_by_trying_all() {
        let mut state = 7_u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            !(state >> 24).is_multiple_of(4)
        };
        for (width, height) in [(1, 1), (5, 3), (8, 8), (13, 6)] {
            let part = Rect::at(3, -2, width, height);
            let mut free: Vec<bool> = (0..width * height).map(|_| noise()).collect();
            // Some rows are those above them again.
            for y in (1..height as usize).filter(|y| y % 3 == 2) {
                free.copy_within((y - 1) * width as usize..y * width as usize, y * width as usize);
            }
            let mask = Mask { part, free };
            let free = |x: i32, y: i32| mask.free[(y * width + x) as usize];
            let mut most = 0;
            for (y0, x0) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                for (y1, x1) in (y0 + 1..=height).flat_map(|y| (x0 + 1..=width).map(move |x| (y, x))) {
                    if (y0..y1).all(|y| (x0..x1).all(|x| free(x, y))) {
                        most = most.max(((x1 - x0) * (y1 - y0)) as u64);
                    }
                }
            }
            assert_eq!(mask.largest().map_or(0, Rect::area), most, "{width}x{height}");
        }
    }
}
