//! Which pixels of a stack of windows are visible: exact counts from row spans. Integers only; no pixels, no random numbers.
//!
//! The planner and the annotator count here. The referee in `verify` does not: it paints an owner map of its own.

use crate::geom::{Point, Rect, Size};
use crate::pack::Shape;

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

/// Half-open spans of columns, sorted and disjoint within each row; all rows in one allocation.
#[derive(Clone, Debug)]
struct RowSpans {
    /// Where each row begins in `spans`; one more than there are rows.
    starts: Vec<u32>,
    spans: Vec<(i32, i32)>,
}

impl RowSpans {
    fn new() -> Self {
        Self { starts: vec![0], spans: Vec::new() }
    }

    /// Every column of every row.
    fn full(canvas: Size) -> Self {
        Self { starts: (0..=canvas.height).collect(), spans: vec![(0, canvas.width as i32); canvas.height as usize] }
    }

    fn clear(&mut self) {
        self.starts.truncate(1);
        self.spans.clear();
    }

    fn end_row(&mut self) {
        self.starts.push(self.spans.len() as u32);
    }

    fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    fn row(&self, y: usize) -> &[(i32, i32)] {
        &self.spans[self.starts[y] as usize..self.starts[y + 1] as usize]
    }
}

/// The visible part of one layer, row by row of the screen.
#[derive(Clone, Debug)]
pub struct VisibleSpans {
    rows: RowSpans,
}

impl VisibleSpans {
    /// From half-open spans of columns per row of the screen, sorted and disjoint.
    pub(crate) fn from_rows(rows: Vec<Vec<(i32, i32)>>) -> Self {
        let mut flat = RowSpans::new();
        for row in rows {
            flat.spans.extend(row);
            flat.end_row();
        }
        Self { rows: flat }
    }

    /// How many visible pixels lie in `rect` (screen px).
    pub fn count_in(&self, rect: Rect) -> u64 {
        self.clipped(rect).map(|(_, a, b)| (b - a) as u64).sum()
    }

    /// The smallest box around the visible pixels in `rect`, or `None`.
    pub fn bbox_in(&self, rect: Rect) -> Option<Rect> {
        let (mut around, mut first, mut last) = ((i32::MAX, i32::MIN), None, 0);
        for (y, a, b) in self.clipped(rect) {
            around = (around.0.min(a), around.1.max(b));
            first.get_or_insert(y);
            last = y;
        }
        first.and_then(|first| Rect::new(around.0, first, around.1, last + 1))
    }

    /// All visible pixels.
    pub fn count(&self) -> u64 {
        self.rows.spans.iter().map(|&(a, b)| (b - a) as u64).sum()
    }

    /// Visible spans inside `rect` as `(row, first column, one past the last)`.
    pub fn clipped(&self, rect: Rect) -> impl Iterator<Item = (i32, i32, i32)> + '_ {
        let rows = rect.y0().max(0)..rect.y1().min(self.rows.rows() as i32);
        rows.flat_map(move |y| {
            self.rows.row(y as usize).iter().filter_map(move |&(a, b)| {
                let (a, b) = (a.max(rect.x0()), b.min(rect.x1()));
                (a < b).then_some((y, a, b))
            })
        })
    }
}

/// The visible part of every layer of a stack and of the ground under it.
#[derive(Clone, Debug)]
pub struct StackVisibility {
    /// Per layer, bottom to top.
    pub layers: Vec<VisibleSpans>,
    /// What no layer covers: wallpaper and desktop icons.
    pub ground: VisibleSpans,
}

/// Finds what is visible of each of `layers` (bottom to top) on a screen.
pub fn visible(canvas: Size, layers: &[Solid]) -> StackVisibility {
    let mut free = RowSpans::full(canvas);
    let mut left = RowSpans::new();
    let mut own = Vec::new();
    let mut visible: Vec<VisibleSpans> = Vec::with_capacity(layers.len());
    for layer in layers.iter().rev() {
        let mut seen = RowSpans::new();
        seen.starts.reserve(canvas.height as usize);
        left.clear();
        for y in 0..canvas.height as usize {
            own.clear();
            layer.spans(y as i32, |a, b| own.push((a, b)));
            split(free.row(y), &own, &mut seen.spans, &mut left.spans);
            seen.end_row();
            left.end_row();
        }
        std::mem::swap(&mut free, &mut left);
        visible.push(VisibleSpans { rows: seen });
    }
    visible.reverse();
    StackVisibility { layers: visible, ground: VisibleSpans { rows: free } }
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

/// The pixels of one box that are still visible: a small mask for trying out what covers it.
#[derive(Clone, Debug)]
pub struct BoxMask {
    rect: Rect,
    bits: Vec<bool>,
}

impl BoxMask {
    /// The box's pixels that `own` covers and that lie on the screen. `rect` is in screen px.
    pub fn new(rect: Rect, own: Solid, canvas: Size) -> Self {
        let mut mask = Self { rect, bits: vec![false; rect.area() as usize] };
        let screen = canvas.rect();
        mask.fill(own, true);
        for y in rect.y0()..rect.y1() {
            for x in rect.x0()..rect.x1() {
                if !screen.contains(Point { x, y }) {
                    mask.bits[((y - rect.y0()) * rect.width() + x - rect.x0()) as usize] = false;
                }
            }
        }
        mask
    }

    /// Takes away what `above` covers.
    pub fn cover(&mut self, above: Solid) {
        self.fill(above, false);
    }

    /// How many pixels are left.
    pub fn count(&self) -> u64 {
        self.bits.iter().filter(|&&b| b).count() as u64
    }

    /// How many pixels would go if `above` covered it too.
    pub fn loss(&self, above: Solid) -> u64 {
        let mut lost = 0;
        self.each_row(above, |bits| lost += bits.iter().filter(|&&b| b).count() as u64);
        lost
    }

    /// The pixels, row by row of the box.
    pub fn bits(&self) -> &[bool] {
        &self.bits
    }

    fn fill(&mut self, solid: Solid, value: bool) {
        let rect = self.rect;
        for y in rect.y0()..rect.y1() {
            let row = ((y - rect.y0()) * rect.width()) as usize;
            let bits = &mut self.bits;
            solid.spans(y, |a, b| {
                let (a, b) = (a.max(rect.x0()), b.min(rect.x1()));
                if a < b {
                    bits[row + (a - rect.x0()) as usize..row + (b - rect.x0()) as usize].fill(value);
                }
            });
        }
    }

    fn each_row(&self, solid: Solid, mut visit: impl FnMut(&[bool])) {
        let rect = self.rect;
        for y in rect.y0()..rect.y1() {
            let row = ((y - rect.y0()) * rect.width()) as usize;
            solid.spans(y, |a, b| {
                let (a, b) = (a.max(rect.x0()), b.min(rect.x1()));
                if a < b {
                    visit(&self.bits[row + (a - rect.x0()) as usize..row + (b - rect.x0()) as usize]);
                }
            });
        }
    }
}
