//! Which pixels of a picture are opaque, translucent and its window's own, row by row.

use std::ops::Range;
use std::sync::Arc;

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

/// Items per row in one allocation. Rows with the same items as the row above share them, as most rows of a window do:
/// together they are a group.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rows<T> {
    /// By blocks of [`BLOCK_ROWS`] rows, the number of the first row's group.
    blocks: Vec<u32>,
    /// By row, how many groups later than its block's first its own is: a block has no more groups than rows.
    steps: Vec<u8>,
    /// Where the items of each group begin, and where those of the last one end.
    begins: Vec<u32>,
    items: Vec<T>,
}

/// As many rows as a step can tell apart.
const BLOCK_ROWS: usize = 256;

impl<T: PartialEq> Rows<T> {
    fn new() -> Self {
        Self { blocks: Vec::new(), steps: Vec::new(), begins: vec![0], items: Vec::new() }
    }

    /// Where the items of the row in the making begin.
    fn begun(&self) -> usize {
        self.begins[self.begins.len() - 1] as usize
    }

    /// Ends the row to which all items belong that were added since the last one.
    fn end_row(&mut self) {
        let last = self.begins.len() - 1;
        let begun = self.begun();
        if !self.steps.is_empty() && self.items[self.begins[last - 1] as usize..begun] == self.items[begun..] {
            self.items.truncate(begun);
        } else {
            self.begins.push(self.items.len() as u32);
        }
        self.add_rows(1);
    }

    /// Adds rows of the last group.
    fn add_rows(&mut self, count: usize) {
        let group = self.begins.len() as u32 - 2;
        for _ in 0..count {
            if self.steps.len().is_multiple_of(BLOCK_ROWS) {
                self.blocks.push(group);
            }
            self.steps.push((group - self.blocks[self.blocks.len() - 1]) as u8);
        }
    }

    /// The number of a row's group.
    fn group(&self, row: usize) -> Option<usize> {
        let step = *self.steps.get(row)?;
        Some(self.blocks[row / BLOCK_ROWS] as usize + usize::from(step))
    }

    /// The items of a group.
    fn of_group(&self, group: usize) -> &[T] {
        &self.items[self.begins[group] as usize..self.begins[group + 1] as usize]
    }

    fn row(&self, y: i32) -> &[T] {
        usize::try_from(y).ok().and_then(|y| self.group(y)).map_or(&[], |group| self.of_group(group))
    }

    fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether the row below this one has the same items.
    fn is_same_below(&self, y: i32) -> bool {
        self.group(y as usize) == self.group(y as usize + 1)
    }

    fn held_bytes(&self) -> usize {
        let lists = (self.blocks.capacity() + self.begins.capacity()) * size_of::<u32>();
        self.items.capacity() * size_of::<T>() + self.steps.capacity() + lists
    }

    /// How many rows each group has, from top to bottom.
    fn heights(&self) -> Vec<u32> {
        let mut heights = vec![0; self.begins.len() - 1];
        (0..self.len()).filter_map(|row| self.group(row)).for_each(|group| heights[group] += 1);
        heights
    }

    /// Appends how many rows each group has, with the number of their items; then what `numbers` makes of the items.
    fn write<const N: usize>(&self, numbers: impl Fn(&T) -> [u32; N], out: &mut Vec<u8>) {
        let heights = self.heights();
        out.extend((heights.len() as u32).to_le_bytes());
        let counts = (0..).zip(&heights).flat_map(|(group, &height)| [height, self.of_group(group).len() as u32]);
        out.extend(counts.flat_map(u32::to_le_bytes));
        out.extend(self.items.iter().flat_map(numbers).flat_map(u32::to_le_bytes));
    }

    /// Takes what [`Rows::write`] wrote of so many rows from the front of the bytes; null if it isn't that.
    fn read<const N: usize>(from: &mut &[u8], height: usize, item: impl Fn([u32; N]) -> T) -> Option<Self> {
        let [[count]] = *words_of(from, 1)? else { return None };
        let groups = words_of(from, u32::from_le_bytes(count) as usize)?;
        let mut rows = Self::new();
        rows.blocks.reserve_exact(height.div_ceil(BLOCK_ROWS));
        rows.steps.reserve_exact(height);
        rows.begins.reserve_exact(groups.len());
        for group in groups {
            let [same, items] = group.map(|number| u32::from_le_bytes(number) as usize);
            if same == 0 || same > height - rows.len() {
                return None;
            }
            rows.items.extend(words_of(from, items)?.iter().map(|words| item(words.map(u32::from_le_bytes))));
            rows.end_row();
            rows.add_rows(same - 1);
        }
        rows.items.shrink_to_fit();
        (rows.len() == height).then_some(rows)
    }

    /// Whether the items of every row are sound.
    fn all(&self, is_sound: impl Fn(&[T]) -> bool) -> bool {
        (0..self.begins.len() - 1).all(|group| is_sound(self.of_group(group)))
    }
}

/// Takes so many times `N` words from the front of stored bytes.
fn words_of<'a, const N: usize>(from: &mut &'a [u8], count: usize) -> Option<&'a [[[u8; 4]; N]]> {
    Some(from.split_off(..count.checked_mul(N * 4)?)?.as_chunks().0.as_chunks().0)
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
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outline {
    shape: Arc<Shape>,
    runs: Rows<Run>,
}

impl Outline {
    /// From straight RGBA, row by row. Outside of the boxes `own`, where they are given, no pixel is the window's.
    pub(super) fn new(size: Size, rgba: &[u8], own: Option<&[Rect]>) -> Self {
        let (mut spans, mut runs) = (Rows::new(), Rows::new());
        for (y, row) in (0..).zip(rgba.chunks_exact(size.width as usize * 4)) {
            let (pixels, _) = row.as_chunks::<4>();
            push_runs(pixels, &mut runs.items);
            let boxes = own.map(|own| columns_of(own, y));
            let first = spans.begun();
            push_spans(pixels, &runs.items[runs.begun()..], boxes.as_deref(), &mut spans.items, first);
            runs.end_row();
            spans.end_row();
        }
        Self { shape: Arc::new(Shape { spans }), runs }
    }

    /// Which pixels belong to the window.
    pub(super) fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// Runs of visible pixels in a row, left to right; none outside.
    pub(super) fn runs(&self, y: i32) -> &[Run] {
        self.runs.row(y)
    }

    /// Whether a row and the one below it, both inside, have the same runs.
    pub(super) fn has_same_runs_below(&self, y: i32) -> bool {
        self.runs.is_same_below(y)
    }

    /// Appends this to stored bytes.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        self.runs.write(|run| [run.x0 as u32, run.x1 as u32, u32::from(run.kind == RunKind::Opaque)], out);
        self.shape.spans.write(|&(x0, x1)| [x0 as u32, x1 as u32], out);
    }

    /// Takes an outline from the front of stored bytes; null if it isn't one of a picture of this size.
    pub(super) fn read(from: &mut &[u8], size: Size) -> Option<Self> {
        let kind = |opaque| if opaque == 1 { RunKind::Opaque } else { RunKind::Translucent };
        let height = size.height as usize;
        let runs = Rows::read(from, height, |[x0, x1, opaque]| Run { x0: x0 as i32, x1: x1 as i32, kind: kind(opaque) })?;
        let spans = Rows::read(from, height, |[x0, x1]| (x0 as i32, x1 as i32))?;
        let is_sound = runs.all(|row| are_columns(row.iter().map(|run| (run.x0, run.x1)), size.width))
            && spans.all(|row| are_columns(row.iter().copied(), size.width));
        is_sound.then(|| Self { shape: Arc::new(Shape { spans }), runs })
    }

    /// Bytes in memory.
    pub(super) fn held_bytes(&self) -> usize {
        self.runs.held_bytes() + self.shape.spans.held_bytes()
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

/// The columns that boxes have in a row, left to right and apart.
pub(super) fn columns_of(boxes: &[Rect], y: i32) -> Vec<(i32, i32)> {
    let in_row = boxes.iter().filter(|own| (own.y0()..own.y1()).contains(&y));
    joined(in_row.map(|own| own.x0()..own.x1()).collect()).into_iter().map(|columns| (columns.start, columns.end)).collect()
}

/// The same columns, sorted and disjoint, whatever they were.
pub(crate) fn joined(mut spans: Vec<Range<i32>>) -> Vec<Range<i32>> {
    spans.sort_unstable_by_key(|span| span.start);
    spans.dedup_by(|next, before| {
        let touches = next.start <= before.end;
        if touches {
            before.end = before.end.max(next.end);
        }
        touches
    });
    spans
}

/// Adds the spans of owned pixels that a row's runs hold, all or those inside some columns. `first` is the row's first
/// span.
fn push_spans(pixels: &[[u8; 4]], runs: &[Run], columns: Option<&[(i32, i32)]>, spans: &mut Vec<(i32, i32)>, first: usize) {
    let all = [(0, pixels.len() as i32)];
    let columns = columns.unwrap_or(&all);
    let mut own = |x0: i32, x1: i32| match spans[first..].last_mut() {
        Some(last) if last.1 == x0 => last.1 = x1,
        _ => spans.push((x0, x1)),
    };
    for run in runs {
        for &(x0, x1) in columns {
            let (x0, x1) = (run.x0.max(x0), run.x1.min(x1));
            match run.kind {
                RunKind::Opaque if x0 < x1 => own(x0, x1),
                RunKind::Opaque => (),
                RunKind::Translucent => {
                    (x0..x1).filter(|&x| pixels[x as usize][3] >= OWNED_ALPHA).for_each(|x| own(x, x + 1));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_the_same_share_their_items_and_survive_storing() {
        let size = Size { width: 6, height: 5 };
        let alphas = [[0, 200, 255, 255, 100, 0], [0, 200, 255, 255, 100, 0], [0; 6], [0; 6], [255, 255, 0, 127, 128, 255]];
        let rgba: Vec<u8> = alphas.as_flattened().iter().flat_map(|&alpha| [1, 2, 3, alpha]).collect();
        let boxes = [Rect::at(1, 0, 2, 5), Rect::at(2, 0, 3, 5)];
        for own in [None, Some(&boxes[..])] {
            let outline = Outline::new(size, &rgba, own);
            assert_eq!(outline.runs(0).len(), 3);
            assert!(outline.runs(2).is_empty());
            let shape = outline.shape();
            assert_eq!((shape.row(0), shape.row(1), shape.row(2)), (&[(1, 4)][..], &[(1, 4)][..], &[][..]));
            let last: &[(i32, i32)] = if own.is_some() { &[(1, 2), (4, 5)] } else { &[(0, 2), (4, 6)] };
            assert_eq!((shape.row(4), shape.row(5), shape.row(-1)), (last, &[][..], &[][..]));
            let same: Vec<bool> = (0..4).map(|y| outline.has_same_runs_below(y)).collect();
            assert_eq!(same, [true, false, true, false]);
            assert_eq!(outline.runs.items.len(), 3 + 3);
            let mut stored = Vec::new();
            outline.write(&mut stored);
            let mut rest = stored.as_slice();
            let again = Outline::read(&mut rest, size).unwrap();
            assert_eq!((rest.len(), &again.runs, again.shape()), (0, &outline.runs, outline.shape()));
            assert!(Outline::read(&mut &stored[..stored.len() - 1], size).is_none());
            for height in [4, 6] {
                assert!(Outline::read(&mut stored.as_slice(), Size { height, ..size }).is_none());
            }
        }
    }

    #[test]
    fn rows_of_tall_pictures_have_their_own_items() {
        let size = Size { width: 640, height: 600 };
        // As many rows alike, and so groups that begin and end inside of blocks and at their edges.
        for alike in [1, 3, 256, 600] {
            let end = |y: usize| y / alike + 1;
            let alphas =
                (0..size.height as usize).flat_map(|y| (0..size.width as usize).map(move |x| if x < end(y) { 255 } else { 0 }));
            let outline = Outline::new(size, &alphas.flat_map(|alpha| [0, 0, 0, alpha]).collect::<Vec<u8>>(), None);
            let mut stored = Vec::new();
            outline.write(&mut stored);
            let again = Outline::read(&mut stored.as_slice(), size).unwrap();
            for outline in [&outline, &again] {
                for y in 0..size.height as usize {
                    assert_eq!(outline.shape().row(y as i32), [(0, end(y) as i32)], "{y} of {alike}");
                    assert_eq!(outline.runs(y as i32)[0].x1, end(y) as i32);
                }
                assert!((0..599).all(|y| outline.has_same_runs_below(y) != (y as usize + 1).is_multiple_of(alike)));
            }
        }
    }
}
