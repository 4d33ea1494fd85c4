//! Composes surfaces (wallpaper, icons, windows, taskbar) row by row. Each pixel is read only from the surfaces that
//! show there: what an opaque pixel covers is skipped, and so is whatever the caller does not ask for.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use windesk_model::Error;
use windesk_model::desktop::Part;
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::pack_format::ShellKind;

use super::{Frame, over};
use crate::pack::{DecodedTiles, PixelReader, Pixels, Run, RunKind, TILE_PX, TileRows, TiledRows};
use crate::png::{EncodedRow, parts};
use crate::wide::{NullaryFnOnce, widely};

/// Half-open spans of columns, sorted and disjoint.
pub(super) type Columns = Vec<Range<i32>>;

/// A picture at its place.
pub(super) struct Surface<'a> {
    pub(super) picture: Picture<'a>,
    /// Top left of the picture on the screen.
    pub(super) origin: Point,
}

/// What a surface shows.
pub(super) enum Picture<'a> {
    /// A picture of the pack.
    OfPack(Arc<Pixels>),
    /// Something drawn for this scene.
    Painted(Painting<'a>),
}

/// An opaque picture that is drawn when the first of its pixels is needed.
pub(super) struct Painting<'a> {
    size: Size,
    run: [Run; 1],
    drawn: Drawn<'a>,
    paint: Box<dyn Fn() -> Result<Frame, Error> + 'a>,
    frame: OnceCell<Frame>,
}

/// All that a painting shows, but for its place and size.
#[derive(PartialEq)]
pub(super) struct Drawn<'a> {
    /// The wallpaper below, as large as the screen; null where none shows.
    pub(super) ground: Option<(&'a str, Size)>,
    /// Whose parts they are: icons on the desktop have no bar.
    pub(super) bar: Option<BarLook<'a>>,
    /// Parts of the desktop in their boxes on the screen.
    pub(super) parts: Vec<(Rect, Part<'a>)>,
}

/// How a bar looks, and what time it shows.
#[derive(PartialEq)]
pub(super) struct BarLook<'a> {
    pub(super) shell: ShellKind,
    pub(super) font: &'a str,
    pub(super) dark: bool,
    pub(super) clock: [&'a str; 2],
}

impl<'a> Painting<'a> {
    /// `paint` gives a frame of this size, the same wherever `drawn` is the same.
    pub(super) fn new(size: Size, drawn: Drawn<'a>, paint: impl Fn() -> Result<Frame, Error> + 'a) -> Self {
        let run = [Run { x0: 0, x1: size.width as i32, kind: RunKind::Opaque }];
        Self { size, run, drawn, paint: Box::new(paint), frame: OnceCell::new() }
    }

    fn frame(&self) -> Result<&Frame, Error> {
        if let Some(frame) = self.frame.get() {
            return Ok(frame);
        }
        let frame = (self.paint)()?;
        Ok(self.frame.get_or_init(|| frame))
    }

    /// Columns, row by row, in which another painting of this size may show something else; nothing if it is the same.
    pub(super) fn changes_to(&self, other: &Painting) -> Result<Vec<Columns>, Error> {
        if self.drawn == other.drawn {
            return Ok(Vec::new());
        }
        let row_bytes = self.size.width as usize * 3;
        let [one, other] = [self.frame()?, other.frame()?].map(|frame| frame.rgb.chunks_exact(row_bytes));
        Ok(one.zip(other).map(|(one, other)| differing_columns(one, other)).collect())
    }
}

impl Picture<'_> {
    pub(super) fn size(&self) -> Size {
        match self {
            Self::OfPack(pixels) => pixels.size(),
            Self::Painted(painting) => painting.size,
        }
    }

    /// Whether a row and the one below it, both inside, have the same runs.
    fn has_same_runs_below(&self, y: i32) -> bool {
        match self {
            Self::OfPack(pixels) => pixels.has_same_runs_below(y),
            Self::Painted(_) => true,
        }
    }

    /// Runs of a row inside the picture.
    fn runs(&self, y: i32) -> &[Run] {
        match self {
            Self::OfPack(pixels) => pixels.runs(y),
            Self::Painted(painting) => &painting.run,
        }
    }
}

impl Surface<'_> {
    /// The picture's row that lies in a row of the screen.
    pub(super) fn row_at(&self, screen_row: i32) -> Option<i32> {
        let y = screen_row - self.origin.y;
        (0..self.picture.size().height as i32).contains(&y).then_some(y)
    }

    /// Columns of the screen that it paints in a row of it.
    pub(super) fn columns_at(&self, screen_row: i32) -> impl Iterator<Item = Range<i32>> {
        let runs = self.row_at(screen_row).map(|own_y| self.picture.runs(own_y)).unwrap_or_default();
        runs.iter().map(|run| run.x0 + self.origin.x..run.x1 + self.origin.x)
    }

    /// Whether it has the same runs in a row of the screen and in the one under it.
    pub(super) fn is_same_below(&self, screen_row: i32) -> bool {
        match (self.row_at(screen_row), self.row_at(screen_row + 1)) {
            (Some(own_y), Some(_)) => self.picture.has_same_runs_below(own_y),
            (None, None) => true,
            _ => false,
        }
    }
}

/// A stretch of a row that a surface paints, in columns of the screen.
struct Stretch {
    surface: usize,
    columns: Range<i32>,
    kind: RunKind,
}

/// Columns of a row that show a surface's opaque pixels with nothing over them, not even a shadow.
pub(super) struct ClearSpan {
    pub(super) surface: usize,
    pub(super) columns: Range<i32>,
}

/// What a row of a scene shows.
#[derive(Default)]
pub(super) struct RowLayout {
    /// Top surface first.
    stretches: Vec<Stretch>,
    /// Left to right; empty where nobody asked for it.
    pub(super) clear: Vec<ClearSpan>,
}

/// Finds what rows show of surfaces (bottom to top) that cover a whole screen.
pub(super) struct Layouts<'a> {
    pub(super) surfaces: &'a [Surface<'a>],
    pub(super) width: i32,
    /// Where no opaque pixel lies above, where nothing lies above, and room to work in.
    free: Columns,
    clear: Columns,
    left: Columns,
}

/// Room for what a row shows, at first: most rows have less.
const USUAL_SPANS: usize = 24;

impl<'a> Layouts<'a> {
    pub(super) fn new(surfaces: &'a [Surface<'a>], width: i32) -> Self {
        Self { surfaces, width, free: Columns::new(), clear: Columns::new(), left: Columns::new() }
    }

    /// What row `y` of the screen shows.
    pub(super) fn of(&mut self, y: i32) -> RowLayout {
        let mut row = RowLayout { stretches: Vec::with_capacity(USUAL_SPANS), clear: Vec::with_capacity(USUAL_SPANS) };
        let mut clear = std::mem::take(&mut self.clear);
        clear.clear();
        clear.push(0..self.width);
        self.look(y, &mut row.stretches, |surface, runs, left| {
            for run in runs.clone().filter(|run| run.kind == RunKind::Opaque) {
                row.clear.extend(inside(&clear, &run.columns).map(|columns| ClearSpan { surface, columns }));
            }
            without_into(&clear, runs.map(|run| run.columns), left);
            std::mem::swap(&mut clear, left);
        });
        row.clear.sort_unstable_by_key(|span| span.columns.start);
        self.clear = clear;
        row
    }

    /// The same without what is clear, which only files need to know, in place of another row.
    fn replace(&mut self, row: &mut RowLayout, y: i32) {
        row.stretches.clear();
        self.look(y, &mut row.stretches, |_, _, _| ());
    }

    /// Adds the stretches of a row, from the top surface to the lowest that shows, and tells `seen` the runs of each,
    /// with room to work in.
    fn look(&mut self, y: i32, stretches: &mut Vec<Stretch>, mut seen: impl FnMut(usize, RunsAt, &mut Columns)) {
        let Self { surfaces, width, free, left, .. } = self;
        free.clear();
        free.push(0..*width);
        for (surface, of_surface) in surfaces.iter().enumerate().rev() {
            let Some(own_y) = of_surface.row_at(y) else { continue };
            let runs = RunsAt { runs: of_surface.picture.runs(own_y).iter(), x: of_surface.origin.x };
            for PlacedRun { columns, kind } in runs.clone() {
                stretches.extend(inside(free, &columns).map(|columns| Stretch { surface, columns, kind }));
            }
            seen(surface, runs.clone(), left);
            without_into(free, runs.filter(|run| run.kind == RunKind::Opaque).map(|run| run.columns), left);
            std::mem::swap(free, left);
            if free.is_empty() {
                break;
            }
        }
    }

    /// Whether the row under row `y` has the same layout because all surfaces have the same runs there.
    pub(super) fn is_same_below(&self, y: i32) -> bool {
        self.surfaces.iter().all(|surface| surface.is_same_below(y))
    }
}

/// A run at its place on the screen.
struct PlacedRun {
    columns: Range<i32>,
    kind: RunKind,
}

/// Runs of a row of a picture whose left side is at `x`.
#[derive(Clone)]
struct RunsAt<'a> {
    runs: std::slice::Iter<'a, Run>,
    x: i32,
}

impl Iterator for RunsAt<'_> {
    type Item = PlacedRun;

    fn next(&mut self) -> Option<PlacedRun> {
        self.runs.next().map(|run| PlacedRun { columns: run.x0 + self.x..run.x1 + self.x, kind: run.kind })
    }
}

/// Where two rows of pixels differ, in parts as they are coded in.
fn differing_columns(one: &[u8], other: &[u8]) -> Columns {
    let width = one.len() as i32 / 3;
    let differs = |part: &Range<i32>| {
        let bytes = part.start as usize * 3..part.end as usize * 3;
        one[bytes.clone()] != other[bytes]
    };
    parts(0..width).filter(differs).collect()
}

/// What of `columns` lies in these spans.
pub(super) fn inside(spans: &[Range<i32>], columns: &Range<i32>) -> impl Iterator<Item = Range<i32>> {
    let parts = spans.iter().map(|span| span.start.max(columns.start)..span.end.min(columns.end));
    parts.filter(|part| !part.is_empty())
}

/// Leaves in `left` the spans without what is taken, which is sorted and disjoint, too.
fn without_into(spans: &[Range<i32>], taken: impl Iterator<Item = Range<i32>> + Clone, left: &mut Columns) {
    left.clear();
    for span in spans {
        let mut at = span.start;
        for taken in taken.clone().take_while(|taken| taken.start < span.end) {
            if taken.end > at {
                if taken.start > at {
                    left.push(at..taken.start);
                }
                at = taken.end;
            }
        }
        if at < span.end {
            left.push(at..span.end);
        }
    }
}

/// Composes surfaces (bottom to top) that cover a whole screen, row by row from the top.
pub(super) struct Composer<'a> {
    painter: Painter<'a>,
    layouts: Layouts<'a>,
    layout: RowLayout,
    y: i32,
}

impl<'a> Composer<'a> {
    /// `decoded` keeps tiles of pictures for other scenes. It pays where the same ones come again; where each is made
    /// once, it costs a twentieth of the time, and memory.
    pub(super) fn new(size: Size, surfaces: &'a [Surface<'a>], decoded: Option<&'a DecodedTiles>) -> Self {
        let painter = Painter::new(surfaces, decoded);
        Self { painter, layouts: Layouts::new(surfaces, size.width as i32), layout: RowLayout::default(), y: 0 }
    }

    /// Fills the next rows, as many as there is room for: three bytes per pixel.
    pub(super) fn next_rows(&mut self, rows: &mut [u8]) -> Result<(), Error> {
        let Self { painter, layouts, layout, y } = self;
        let row_bytes = layouts.width as usize * 3;
        let mut rest = rows;
        while !rest.is_empty() {
            if *y == 0 || !layouts.is_same_below(*y - 1) {
                layouts.replace(layout, *y);
            }
            let most = (rest.len() / row_bytes).min(BLOCK_ROWS);
            let same = (1..most).take_while(|&row| layouts.is_same_below(*y + row as i32 - 1));
            let count = 1 + same.count();
            let (block, others) = std::mem::take(&mut rest).split_at_mut(count * row_bytes);
            painter.paint(*y, layout, std::slice::from_ref(&(0..layouts.width)), block, row_bytes)?;
            *y += count as i32;
            rest = others;
        }
        Ok(())
    }
}

impl Composer<'_> {
    /// Whether all rows count: to be asked behind the last.
    pub(super) fn check(mut self) -> Result<(), Error> {
        self.painter.check()
    }
}

/// Most rows that are painted together. Readers keep what so many rows of a picture need.
pub(super) const BLOCK_ROWS: usize = 32;

/// Reads surfaces from top to bottom.
pub(super) struct Painter<'a> {
    surfaces: &'a [Surface<'a>],
    /// Of pictures of the pack.
    readers: Vec<Option<PixelReader<'a>>>,
}

impl<'a> Painter<'a> {
    /// `decoded` is where tiles of pictures are taken from and kept for others, if they are.
    pub(super) fn new(surfaces: &'a [Surface<'a>], decoded: Option<&'a DecodedTiles>) -> Self {
        let readers = surfaces.iter().map(|surface| match &surface.picture {
            Picture::OfPack(pixels) => {
                let mut reader = pixels.reader_with(decoded);
                reader.check_later();
                Some(reader)
            }
            Picture::Painted(..) => None,
        });
        Self { surfaces, readers: readers.collect() }
    }

    /// Whether everything that was painted counts: to be asked when all is done.
    pub(super) fn check(&mut self) -> Result<(), Error> {
        self.readers.iter_mut().flatten().try_for_each(PixelReader::check)
    }

    /// Paints these columns of rows with the same layout, from row `y` of the screen on. Going down one stretch after
    /// the other is quicker than going along the rows.
    pub(super) fn paint(
        &mut self,
        y: i32,
        layout: &RowLayout,
        columns: &[Range<i32>],
        rows: &mut [u8],
        row_bytes: usize,
    ) -> Result<(), Error> {
        for stretch in layout.stretches.iter().rev() {
            for part in inside(columns, &stretch.columns) {
                self.paint_part(stretch, part, y, rows, row_bytes)?;
            }
        }
        Ok(())
    }

    /// Paints a part of a stretch in rows of the screen.
    fn paint_part(
        &mut self,
        stretch: &Stretch,
        part: Range<i32>,
        y: i32,
        rows: &mut [u8],
        row_bytes: usize,
    ) -> Result<(), Error> {
        let Surface { picture, origin } = &self.surfaces[stretch.surface];
        let own = part.start - origin.x..part.end - origin.x;
        let bytes = part.start as usize * 3..part.end as usize * 3;
        match (picture, &mut self.readers[stretch.surface]) {
            (_, Some(reader)) => {
                let (count, mut done) = (rows.len() / row_bytes, 0);
                while done < count {
                    // Looked for once per strip of a picture, not in every row.
                    let from = reader.rows(y + done as i32 - origin.y, own.clone())?;
                    let end = count.min(done + from.count());
                    let to = &mut rows[done * row_bytes + bytes.start..(end - 1) * row_bytes + bytes.end];
                    lay_rows(from, stretch.kind, to, row_bytes);
                    done = end;
                }
            }
            (Picture::Painted(painting), None) => {
                let frame = painting.frame()?;
                for (own_y, row) in (y - origin.y..).zip(rows.chunks_exact_mut(row_bytes)) {
                    let from = (own_y * frame.size.width as i32 + own.start) as usize * 3;
                    row[bytes.clone()].copy_from_slice(&frame.rgb[from..][..bytes.len()]);
                }
            }
            (Picture::OfPack(_), None) => unreachable!("pictures of the pack have readers"),
        }
        Ok(())
    }

    /// What a surface with an encoded picture shows in a row of the screen.
    pub(super) fn encoded_row(&mut self, surface: usize, y: i32) -> Result<EncodedRow<'_>, Error> {
        let own_y = y - self.surfaces[surface].origin.y;
        self.readers[surface].as_mut().expect("drawn pictures have no encoded rows").encoded_row(own_y)
    }

    /// What is wrong with an encoded row of this surface that can't be copied.
    pub(super) fn damaged_row(&self, surface: usize) -> Error {
        match &self.surfaces[surface].picture {
            Picture::OfPack(pixels) => pixels.damaged_row(),
            Picture::Painted(..) => unreachable!("drawn pictures have no encoded rows"),
        }
    }
}

/// Puts columns of a picture down in rows of a screen. `to` begins with the first of their pixels there and ends with
/// the last.
fn lay_rows(from: TiledRows, kind: RunKind, to: &mut [u8], row_bytes: usize) {
    for (columns, rows) in from.parts() {
        let bytes = columns.start * 3..columns.end * 3;
        match kind {
            RunKind::Opaque => {
                let places = to.chunks_mut(row_bytes).map(|row| &mut row[bytes.clone()]);
                places.zip(rows).for_each(|(to, row)| copy_short(row.colours, to));
            }
            // Without alphas nothing is laid.
            RunKind::Translucent => widely(BlendRows { rows, places: to, row_bytes, bytes }),
        }
    }
}

/// Lays rows of a tile over columns of rows of a screen.
struct BlendRows<'a> {
    rows: TileRows<'a>,
    places: &'a mut [u8],
    row_bytes: usize,
    bytes: Range<usize>,
}

impl NullaryFnOnce for BlendRows<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { rows, places, row_bytes, bytes } = self;
        for (to, row) in places.chunks_mut(row_bytes).zip(rows) {
            blend_row(&mut to[bytes.clone()], row.colours, row.alphas);
        }
    }
}

/// Copies pixels of a tile's row: most have a length that the compiler knows.
fn copy_short(from: &[u8], to: &mut [u8]) {
    match (<&[u8; TILE_PX * 3]>::try_from(from), <&mut [u8; TILE_PX * 3]>::try_from(&mut *to)) {
        (Ok(from), Ok(to)) => *to = *from,
        _ => to.copy_from_slice(from),
    }
}

/// Lays pixels over as many others: three bytes and three times an alpha per pixel, so that many bytes are blended at
/// once. Where no alphas are left, nothing is laid.
#[inline(always)]
pub(super) fn blend_row(to: &mut [u8], from: &[u8], alphas: &[u8]) {
    let (to, from, alphas) = blend_blocks::<16>(to, from, alphas);
    // Shadows are narrow: what is left over of a row is a good part of it.
    let (to, from, alphas) = blend_blocks::<4>(to, from, alphas);
    blend_blocks::<1>(to, from, alphas);
}

/// As many whole blocks of `N` bytes as there are; gives what is left.
#[inline(always)]
fn blend_blocks<'a, const N: usize>(to: &'a mut [u8], from: &'a [u8], alphas: &'a [u8]) -> (&'a mut [u8], &'a [u8], &'a [u8]) {
    let (to_blocks, to_rest) = to.as_chunks_mut::<N>();
    let ((from_blocks, from_rest), (alpha_blocks, alphas_rest)) = (from.as_chunks::<N>(), alphas.as_chunks::<N>());
    for ((to, from), alphas) in to_blocks.iter_mut().zip(from_blocks).zip(alpha_blocks) {
        *to = std::array::from_fn(|at| over(to[at], from[at], alphas[at]));
    }
    (to_rest, from_rest, alphas_rest)
}
