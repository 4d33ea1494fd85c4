//! Which pixels of a picture are opaque, translucent and its window's own, row by row.

use windesk_model::geometry::{Rect, Size};

/// A pixel belongs to a window where its alpha is at least this.
pub const OWNED_ALPHA: u8 = 128;

/// How a run of pixels in a row is composed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    /// Alpha 255: what lies under it does not show.
    Opaque,
    /// Alpha 1..=254: shadow or a rounded corner's edge.
    Translucent,
}

/// Pixels `x0..x1` of a row that are composed alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// First column.
    pub x0: i32,
    /// One past the last column.
    pub x1: i32,
    /// How it is composed.
    pub kind: RunKind,
}

/// Which pixels belong to a window (alpha >= 128), as spans per row of its picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    spans: Rows<(i32, i32)>,
}

/// Items per row in one allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Rows<T> {
    fn new() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
    fn end_row(&mut self) {
        self.starts.push(self.items.len() as u32);
    }
    fn row(&self, y: i32) -> &[T] {
        match usize::try_from(y) {
            Ok(y) if y + 1 < self.starts.len() => &self.items[self.starts[y] as usize..self.starts[y + 1] as usize],
            _ => &[],
        }
    }
    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Appends the numbers that `numbers` makes of the items, after where the rows begin.
    fn write<const N: usize>(&self, numbers: impl Fn(&T) -> [u32; N], out: &mut Vec<u8>) {
        out.extend((self.starts.len() as u32).to_le_bytes());
        let items = self.items.iter().flat_map(numbers);
        out.extend(self.starts.iter().copied().chain(items).flat_map(u32::to_le_bytes));
    }

    /// Takes what [`Rows::write`] wrote from the front of the bytes; null if it isn't that.
    fn read<const N: usize>(from: &mut &[u8], item: impl Fn([u32; N]) -> T) -> Option<Self> {
        let number = |from: &mut &[u8]| from.split_off(..4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
        let count = number(from)? as usize;
        let starts: Vec<u32> = (0..count).map(|_| number(from)).collect::<Option<_>>()?;
        if starts.first() != Some(&0) || !starts.is_sorted() {
            return None;
        }
        let items = from.split_off(..*starts.last()? as usize * N * 4)?;
        let words = items.as_chunks::<4>().0.as_chunks::<N>().0;
        Some(Self { starts, items: words.iter().map(|words| item(words.map(u32::from_le_bytes))).collect() })
    }
}

impl Shape {
    /// A shape that owns every pixel of a picture of this size.
    pub fn full(size: Size) -> Self {
        let mut spans = Rows::new();
        for _ in 0..size.height {
            spans.items.push((0, size.width as i32));
            spans.end_row();
        }
        Self { spans }
    }

    /// Half-open spans of columns in row `y` of the picture, left to right; none outside.
    pub fn row(&self, y: i32) -> &[(i32, i32)] {
        self.spans.row(y)
    }

    /// Number of rows of the picture.
    pub fn rows(&self) -> i32 {
        self.spans.len() as i32
    }

    /// How many owned pixels lie in `rect` (px of the picture).
    pub fn count_in(&self, rect: Rect) -> u64 {
        (rect.y0().max(0)..rect.y1().min(self.rows()))
            .flat_map(|y| self.row(y))
            .map(|&(a, b)| (b.min(rect.x1()) - a.max(rect.x0())).max(0) as u64)
            .sum()
    }
}

/// What the alphas say.
#[derive(Debug)]
pub(super) struct Outline {
    shape: Shape,
    runs: Rows<Run>,
    /// Whether the row below a row has the same runs.
    same_below: Box<[bool]>,
}

impl Outline {
    /// From straight RGBA, row by row. Outside of the boxes `own`, where they are given, no pixel is the window's.
    pub(super) fn new(size: Size, rgba: &[u8], own: Option<&[Rect]>) -> Self {
        let (mut spans, mut runs) = (Rows::new(), Rows::new());
        for (y, row) in (0..).zip(rgba.chunks_exact(size.width as usize * 4)) {
            let (pixels, _) = row.as_chunks::<4>();
            let first = runs.items.len();
            push_runs(pixels, &mut runs.items);
            let boxes = own.map(|own| own.iter().copied().filter(|own| (own.y0()..own.y1()).contains(&y)).collect::<Vec<_>>());
            push_spans(pixels, &runs.items[first..], boxes.as_deref(), &mut spans.items);
            runs.end_row();
            spans.end_row();
        }
        Self::of(spans, runs)
    }

    fn of(spans: Rows<(i32, i32)>, runs: Rows<Run>) -> Self {
        let same_below = (0..runs.len() as i32).map(|y| y + 1 < runs.len() as i32 && runs.row(y) == runs.row(y + 1)).collect();
        Self { shape: Shape { spans }, runs, same_below }
    }

    /// Which pixels belong to the window.
    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Runs of visible pixels in a row, left to right; none outside.
    pub(super) fn runs(&self, y: i32) -> &[Run] {
        self.runs.row(y)
    }

    /// Whether a row and the one below it, both inside, have the same runs.
    pub(super) fn has_same_runs_below(&self, y: i32) -> bool {
        self.same_below[y as usize]
    }

    /// Appends this to stored bytes.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        self.runs.write(|run| [run.x0 as u32, run.x1 as u32, u32::from(run.kind == RunKind::Opaque)], out);
        self.shape.spans.write(|&(x0, x1)| [x0 as u32, x1 as u32], out);
    }

    /// Takes an outline from the front of stored bytes; null if it isn't one of a picture of this size.
    pub(super) fn read(from: &mut &[u8], size: Size) -> Option<Self> {
        let kind = |opaque| if opaque == 1 { RunKind::Opaque } else { RunKind::Translucent };
        let runs = Rows::read(from, |[x0, x1, opaque]| Run { x0: x0 as i32, x1: x1 as i32, kind: kind(opaque) })?;
        let spans = Rows::read(from, |[x0, x1]| (x0 as i32, x1 as i32))?;
        let rows = 0..size.height as i32;
        let is_sound = runs.len() == rows.len()
            && spans.len() == rows.len()
            && rows.clone().all(|y| are_columns(runs.row(y).iter().map(|run| (run.x0, run.x1)), size.width))
            && rows.clone().all(|y| are_columns(spans.row(y).iter().copied(), size.width));
        is_sound.then(|| Self::of(spans, runs))
    }

    /// Bytes in memory.
    pub(super) fn held_bytes(&self) -> usize {
        self.runs.items.len() * size_of::<Run>()
            + self.shape.spans.items.len() * size_of::<(i32, i32)>()
            + (self.runs.starts.len() + self.shape.spans.starts.len()) * 4
            + self.same_below.len()
    }
}

/// Whether spans go from left to right inside a picture of this width.
fn are_columns(spans: impl Iterator<Item = (i32, i32)>, width: u32) -> bool {
    let mut end = 0;
    for (x0, x1) in spans {
        if x0 < end || x1 <= x0 {
            return false;
        }
        end = x1;
    }
    end as u32 <= width
}

/// Adds the runs of a row of straight RGBA.
fn push_runs(pixels: &[[u8; 4]], runs: &mut Vec<Run>) {
    let mut start = 0;
    while start < pixels.len() {
        let (kind, length) = match pixels[start][3] {
            0 => (None, equal_alphas(&pixels[start..])),
            255 => (Some(RunKind::Opaque), equal_alphas(&pixels[start..])),
            _ => {
                let end = pixels[start..].iter().position(|p| matches!(p[3], 0 | 255));
                (Some(RunKind::Translucent), end.unwrap_or(pixels.len() - start))
            }
        };
        runs.extend(kind.map(|kind| Run { x0: start as i32, x1: (start + length) as i32, kind }));
        start += length;
    }
}

/// How many pixels from the first one on have its alpha.
fn equal_alphas(pixels: &[[u8; 4]]) -> usize {
    const AT_ONCE: usize = 16;
    let alpha = pixels[0][3];
    let blocks =
        pixels.chunks_exact(AT_ONCE).take_while(|block| block.iter().fold(true, |equal, p| equal & (p[3] == alpha))).count();
    let rest = &pixels[blocks * AT_ONCE..];
    blocks * AT_ONCE + rest.iter().position(|p| p[3] != alpha).unwrap_or(rest.len())
}

/// Adds the spans of owned pixels that a row's runs hold, all or those inside boxes.
fn push_spans(pixels: &[[u8; 4]], runs: &[Run], boxes: Option<&[Rect]>, spans: &mut Vec<(i32, i32)>) {
    let first = spans.len();
    let may_own = |x: i32| boxes.is_none_or(|boxes| boxes.iter().any(|own| (own.x0()..own.x1()).contains(&x)));
    let mut own = |x0: i32, x1: i32| match spans[first..].last_mut() {
        Some(last) if last.1 == x0 => last.1 = x1,
        _ => spans.push((x0, x1)),
    };
    for run in runs {
        match run.kind {
            RunKind::Opaque if boxes.is_none() => own(run.x0, run.x1),
            RunKind::Opaque | RunKind::Translucent => {
                for x in (run.x0..run.x1).filter(|&x| pixels[x as usize][3] >= OWNED_ALPHA && may_own(x)) {
                    own(x, x + 1);
                }
            }
        }
    }
}
