//! Which pixels of a stack of windows are visible: exact counts from row spans. Integers only; no pixels, no random
//! numbers.
//!
//! The planner and the annotator count here. The referee does not: it paints an owner map of its own.

mod box_mask;

use std::ops::Range;

use windesk_model::geometry::{Point, Rect, Size};

use crate::pack::Shape;

pub use box_mask::BoxMask;

/// Something solid in the stack.
#[derive(Clone, Copy, Debug)]
pub enum Solid<'a> {
    /// A window's shape with the place of its picture on the screen.
    Window(&'a Shape, Point),
    /// A plain rectangle on the screen, such as the taskbar.
    Rect(Rect),
}

impl Solid<'_> {
    /// Calls `visit` with the half-open spans in screen row `y`, left to right; they may reach beyond the screen.
    fn spans(self, y: i32, mut visit: impl FnMut(i32, i32)) {
        match self {
            Solid::Window(shape, origin) => shape.row(y - origin.y).iter().for_each(|&(a, b)| visit(a + origin.x, b + origin.x)),
            Solid::Rect(rect) if (rect.y0()..rect.y1()).contains(&y) => visit(rect.x0(), rect.x1()),
            Solid::Rect(_) => {}
        }
    }
}

/// Pixels as half-open spans of columns: sorted and disjoint in a row, and rows that hold the same spans told once.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    /// Top to bottom, none empty.
    groups: Vec<RowGroup>,
    /// Those of all groups, one after the other.
    spans: Vec<(i32, i32)>,
}

/// Rows `y0..y1`, with where their spans begin and end.
#[derive(Clone, Copy, Debug)]
struct RowGroup {
    y0: i32,
    y1: i32,
    first: usize,
    last: usize,
}

impl Spans {
    /// Every pixel of a rectangle.
    fn filled(rect: Rect) -> Self {
        Self { groups: vec![RowGroup { y0: rect.y0(), y1: rect.y1(), first: 0, last: 1 }], spans: vec![(rect.x0(), rect.x1())] }
    }

    /// What something solid covers, in screen px; it may reach beyond the screen.
    fn of(solid: Solid) -> Self {
        let (shape, origin) = match solid {
            Solid::Window(shape, origin) => (shape, origin),
            Solid::Rect(rect) => return Self::filled(rect),
        };
        let mut own = Self::default();
        let mut y = 0;
        while y < shape.rows() {
            let row = shape.row(y);
            let end = (y + 1..shape.rows()).find(|&below| shape.row(below) != row).unwrap_or(shape.rows());
            own.spans.extend(row.iter().map(|&(a, b)| (a + origin.x, b + origin.x)));
            own.end_group(y + origin.y, end + origin.y);
            y = end;
        }
        own
    }

    /// From half-open spans of columns per row, the first of which is row 0, sorted and disjoint.
    pub(crate) fn from_rows(rows: Vec<Vec<(i32, i32)>>) -> Self {
        let mut all = Self::default();
        for (y, row) in (0..).zip(rows) {
            all.spans.extend(row);
            all.end_group(y, y + 1);
        }
        all
    }

    /// Gives the spans that were added since the last group to rows `y0..y1`, which lie below all others.
    fn end_group(&mut self, y0: i32, y1: i32) {
        let first = self.groups.last().map_or(0, |above| above.last);
        if first == self.spans.len() {
            return;
        }
        if let Some(above) = self.groups.last_mut()
            && above.y1 == y0
            && self.spans[above.first..above.last] == self.spans[first..]
        {
            above.y1 = y1;
            self.spans.truncate(first);
            return;
        }
        self.groups.push(RowGroup { y0, y1, first, last: self.spans.len() });
    }

    /// The groups with a row of `rect`, and which rows these are.
    fn groups_in(&self, rect: Rect) -> impl Iterator<Item = (Range<i32>, &[(i32, i32)])> {
        let first = self.groups.partition_point(|group| group.y1 <= rect.y0());
        let groups = self.groups[first..].iter().take_while(move |group| group.y0 < rect.y1());
        groups.map(move |group| (group.y0.max(rect.y0())..group.y1.min(rect.y1()), &self.spans[group.first..group.last]))
    }

    /// How many of the pixels lie in `rect`, and the smallest box around those.
    pub fn within(&self, rect: Rect) -> (u64, Option<Rect>) {
        let (mut count, mut around) = (0, None::<Rect>);
        for (rows, spans) in self.groups_in(rect) {
            let inside = || spans.iter().filter_map(|&span| clip(span, rect));
            let across: i32 = inside().map(|(a, b)| b - a).sum();
            if let (Some((left, _)), Some((_, right))) = (inside().next(), inside().next_back()) {
                let group = Rect::at(left, rows.start, right - left, rows.end - rows.start);
                around = Some(around.map_or(group, |around| around.union(group)));
            }
            count += across as u64 * rows.len() as u64;
        }
        (count, around)
    }

    /// How many of the pixels lie in `rect`.
    pub fn count_in(&self, rect: Rect) -> u64 {
        self.within(rect).0
    }

    /// The number of pixels.
    pub fn count(&self) -> u64 {
        let across = |group: &RowGroup| self.spans[group.first..group.last].iter().map(|&(a, b)| (b - a) as u64).sum::<u64>();
        self.groups.iter().map(|group| across(group) * (group.y1 - group.y0) as u64).sum()
    }

    /// The spans inside `rect` as `(row, first column, one past the last)`, row by row.
    pub fn clipped(&self, rect: Rect) -> impl Iterator<Item = (i32, i32, i32)> {
        self.groups_in(rect).flat_map(move |(rows, spans)| {
            rows.flat_map(move |y| spans.iter().filter_map(move |&span| clip(span, rect)).map(move |(a, b)| (y, a, b)))
        })
    }

    /// The pixels that `own` has too, and the others.
    fn split(&self, own: &Self) -> (Self, Self) {
        let (mut inside, mut outside) = (Self::default(), Self::default());
        let mut next = 0;
        for group in &self.groups {
            let mut y = group.y0;
            while y < group.y1 {
                while own.groups.get(next).is_some_and(|own| own.y1 <= y) {
                    next += 1;
                }
                let (end, covering) = match own.groups.get(next) {
                    Some(here) if here.y0 <= y => (here.y1.min(group.y1), &own.spans[here.first..here.last]),
                    Some(below) => (below.y0.min(group.y1), &[][..]),
                    None => (group.y1, &[][..]),
                };
                split(&self.spans[group.first..group.last], covering, &mut inside.spans, &mut outside.spans);
                inside.end_group(y, end);
                outside.end_group(y, end);
                y = end;
            }
        }
        (inside, outside)
    }
}

/// The part of a span in the columns of `rect`.
fn clip((a, b): (i32, i32), rect: Rect) -> Option<(i32, i32)> {
    let (a, b) = (a.max(rect.x0()), b.min(rect.x1()));
    (a < b).then_some((a, b))
}

/// The pixels of every layer of a stack and of the ground under it. Screen px.
#[derive(Clone, Debug)]
pub struct StackVisibility {
    /// All that each layer owns, hidden or off the screen too, bottom to top.
    pub own: Vec<Spans>,
    /// What is visible of each layer, bottom to top.
    pub layers: Vec<Spans>,
    /// What no layer covers: wallpaper and desktop icons.
    pub ground: Spans,
}

/// Finds what is visible of each of `layers` (bottom to top) on a screen.
pub fn visible(canvas: Size, layers: &[Solid]) -> StackVisibility {
    let own: Vec<Spans> = layers.iter().map(|&layer| Spans::of(layer)).collect();
    let mut free = Spans::filled(canvas.rect());
    let mut visible: Vec<Spans> = Vec::with_capacity(layers.len());
    for layer in own.iter().rev() {
        let (seen, left) = free.split(layer);
        visible.push(seen);
        free = left;
    }
    visible.reverse();
    StackVisibility { own, layers: visible, ground: free }
}

/// Splits the free spans of a row into those inside `own` and those outside, which go to the ends of two lists.
fn split(free: &[(i32, i32)], own: &[(i32, i32)], inside: &mut Vec<(i32, i32)>, outside: &mut Vec<(i32, i32)>) {
    for &(start, end) in free {
        let mut at = start;
        for &(a, b) in own {
            let (a, b) = (a.max(at), b.min(end));
            if a < b {
                if at < a {
                    outside.push((at, a));
                }
                inside.push((a, b));
                at = b;
            }
        }
        if at < end {
            outside.push((at, end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spans that any row may have, and rows that are mostly like the one above.
    fn ragged(seed: u32, rows: u32) -> Spans {
        let mut state = seed.wrapping_mul(2_654_435_761) | 1;
        let mut below = |limit: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % limit
        };
        let mut row = Vec::new();
        let rows = (0..rows).map(|_| {
            if below(3) == 0 {
                row.clear();
                let mut x = below(5) as i32;
                for _ in 0..below(4) {
                    let end = x + 1 + below(6) as i32;
                    row.push((x, end));
                    x = end + 1 + below(4) as i32;
                }
            }
            row.clone()
        });
        Spans::from_rows(rows.collect())
    }

    fn has(spans: &Spans, x: i32, y: i32) -> bool {
        spans.clipped(Rect::at(x, y, 1, 1)).next().is_some()
    }

    #[test]
    fn counts_boxes_and_parts_are_those_of_single_pixels() {
        for seed in 0..60 {
            let (one, other) = (ragged(seed, 24), ragged(seed + 1000, 20));
            let (inside, outside) = one.split(&other);
            for (x, y) in (0..24).flat_map(|y| (0..40).map(move |x| (x, y))) {
                let (ours, theirs) = (has(&one, x, y), has(&other, x, y));
                assert_eq!((has(&inside, x, y), has(&outside, x, y)), (ours && theirs, ours && !theirs), "{seed}: {x},{y}");
            }
            assert_eq!(inside.count() + outside.count(), one.count());
            for rect in [Rect::at(0, 0, 40, 24), Rect::at(-3, 5, 20, 9), Rect::at(11, 2, 3, 30), Rect::at(7, 7, 1, 1)] {
                let of = |p: (i32, i32)| has(&one, p.0, p.1).then(|| Rect::at(p.0, p.1, 1, 1));
                let pixels: Vec<Rect> =
                    (rect.y0()..rect.y1()).flat_map(|y| (rect.x0()..rect.x1()).map(move |x| (x, y))).filter_map(of).collect();
                let around = pixels.iter().copied().reduce(Rect::union);
                assert_eq!(one.within(rect), (pixels.len() as u64, around), "{seed}: {rect:?}");
            }
        }
    }

    #[test]
    fn rows_that_are_alike_are_told_once() {
        let shape = Shape::full(Size { width: 30, height: 20 });
        let own = Spans::of(Solid::Window(&shape, Point { x: -5, y: 3 }));
        assert_eq!((own.groups.len(), own.count()), (1, 600));
        let stack = visible(Size { width: 20, height: 10 }, &[Solid::Window(&shape, Point { x: -5, y: 3 })]);
        assert_eq!((stack.layers[0].count(), stack.ground.count(), stack.ground.groups.len()), (140, 60, 1));
    }
}
