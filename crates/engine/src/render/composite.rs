//! Composes sheets (wallpaper, icons, windows, taskbar) row by row. Each pixel is read only from the sheets that show there: what an
//! opaque pixel covers is skipped, and so is whatever the caller does not ask for.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect, Size};

use super::{Frame, over};
use crate::pack::{PixelReader, Pixels, Run, RunKind};
use crate::png::CodedRow;

/// Half-open spans of columns, sorted and disjoint.
pub(super) type Columns = Vec<Range<i32>>;

/// A picture at its place.
pub(super) struct Sheet<'a> {
    pub(super) picture: Picture<'a>,
    /// Top left of the picture on the screen.
    pub(super) origin: Point,
    /// Boxes of the picture to which translucent pixels are cut; null for all of it, shadows included.
    pub(super) clip: Option<Vec<Rect>>,
}

/// What a sheet shows.
pub(super) enum Picture<'a> {
    /// A picture of the pack.
    OfPack(Arc<Pixels>),
    /// Something drawn for this scene.
    Drawn(Drawing<'a>),
}

/// An opaque picture that is drawn when the first of its pixels is needed.
pub(super) struct Drawing<'a> {
    size: Size,
    run: [Run; 1],
    draw: Box<dyn Fn() -> Result<Frame, Error> + 'a>,
    frame: OnceCell<Frame>,
}

impl<'a> Drawing<'a> {
    /// `draw` gives a frame of this size.
    pub(super) fn new(size: Size, draw: impl Fn() -> Result<Frame, Error> + 'a) -> Self {
        let run = [Run { x0: 0, x1: size.width as i32, kind: RunKind::Opaque }];
        Self { size, run, draw: Box::new(draw), frame: OnceCell::new() }
    }

    fn frame(&self) -> Result<&Frame, Error> {
        if let Some(frame) = self.frame.get() {
            return Ok(frame);
        }
        let frame = (self.draw)()?;
        Ok(self.frame.get_or_init(|| frame))
    }
}

impl Picture<'_> {
    pub(super) fn size(&self) -> Size {
        match self {
            Self::OfPack(pixels) => pixels.size(),
            Self::Drawn(drawing) => drawing.size,
        }
    }

    /// Runs of a row inside the picture.
    fn runs(&self, y: i32) -> &[Run] {
        match self {
            Self::OfPack(pixels) => pixels.runs(y),
            Self::Drawn(drawing) => &drawing.run,
        }
    }
}

impl Sheet<'_> {
    /// The picture's row that lies in a row of the screen.
    pub(super) fn row_at(&self, screen_row: i32) -> Option<i32> {
        let y = screen_row - self.origin.y;
        (0..self.picture.size().height as i32).contains(&y).then_some(y)
    }
}

/// A stretch of a row that a sheet paints, in columns of the screen.
struct Stretch {
    sheet: usize,
    columns: Range<i32>,
    kind: RunKind,
}

/// Columns of a row that show a sheet's opaque pixels with nothing over them, not even a shadow.
pub(super) struct ClearSpan {
    pub(super) sheet: usize,
    pub(super) columns: Range<i32>,
}

/// What a row of a scene shows.
#[derive(Default)]
pub(super) struct RowLayout {
    /// Top sheet first.
    stretches: Vec<Stretch>,
    /// Left to right.
    pub(super) clear: Vec<ClearSpan>,
}

impl RowLayout {
    /// Looks at row `y` of a screen of this width on which sheets lie, bottom to top.
    pub(super) fn of(sheets: &[Sheet], width: i32, y: i32) -> Self {
        let mut row = Self::default();
        // Where no opaque pixel lies above, and where nothing does.
        let all = || std::iter::once(0..width).collect();
        let (mut free, mut clear): (Columns, Columns) = (all(), all());
        for (sheet, of_sheet) in sheets.iter().enumerate().rev() {
            let Some(own_y) = of_sheet.row_at(y) else { continue };
            let runs =
                of_sheet.picture.runs(own_y).iter().map(|run| (run.x0 + of_sheet.origin.x..run.x1 + of_sheet.origin.x, run.kind));
            for (columns, kind) in runs.clone() {
                let opaque = kind == RunKind::Opaque;
                row.stretches.extend(inside(&free, &columns).map(|columns| Stretch { sheet, columns, kind }));
                if opaque {
                    row.clear.extend(inside(&clear, &columns).map(|columns| ClearSpan { sheet, columns }));
                }
            }
            free = without(&free, runs.clone().filter(|(_, kind)| *kind == RunKind::Opaque).map(|(columns, _)| columns));
            clear = without(&clear, runs.map(|(columns, _)| columns));
            if free.is_empty() {
                break;
            }
        }
        row.clear.sort_unstable_by_key(|span| span.columns.start);
        row
    }

    /// Whether the row under row `y` has the same layout because all sheets have the same runs there.
    pub(super) fn is_same_below(sheets: &[Sheet], y: i32) -> bool {
        sheets.iter().all(|sheet| {
            let runs = |y: i32| sheet.row_at(y).map(|own_y| sheet.picture.runs(own_y));
            runs(y) == runs(y + 1)
        })
    }
}

/// What of `columns` lies in these spans.
pub(super) fn inside(spans: &[Range<i32>], columns: &Range<i32>) -> impl Iterator<Item = Range<i32>> {
    let parts = spans.iter().map(|span| span.start.max(columns.start)..span.end.min(columns.end));
    parts.filter(|part| !part.is_empty())
}

/// Spans without what is taken, which is sorted and disjoint, too.
fn without(spans: &[Range<i32>], taken: impl Iterator<Item = Range<i32>> + Clone) -> Columns {
    let mut left = Vec::with_capacity(spans.len() + 1);
    for span in spans {
        let mut at = span.start;
        for taken in taken.clone().filter(|taken| taken.start < span.end) {
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
    left
}

/// Composes sheets (bottom to top) that cover a whole screen.
pub(super) fn compose(size: Size, sheets: &[Sheet]) -> Result<Frame, Error> {
    let width = size.width as i32;
    let mut frame = Frame { size, rgb: vec![0; size.rect().area() as usize * 3] };
    let mut painter = Painter::new(sheets);
    let mut layout = RowLayout::default();
    for (y, row) in (0..).zip(frame.rgb.chunks_exact_mut(width as usize * 3)) {
        if y == 0 || !RowLayout::is_same_below(sheets, y - 1) {
            layout = RowLayout::of(sheets, width, y);
        }
        painter.paint(y, &layout, std::slice::from_ref(&(0..width)), row)?;
    }
    Ok(frame)
}

/// Reads sheets from top to bottom.
pub(super) struct Painter<'a> {
    sheets: &'a [Sheet<'a>],
    /// Of pictures of the pack.
    readers: Vec<Option<PixelReader<'a>>>,
    byte_alphas: Vec<u8>,
}

impl<'a> Painter<'a> {
    pub(super) fn new(sheets: &'a [Sheet<'a>]) -> Self {
        let readers = sheets.iter().map(|sheet| match &sheet.picture {
            Picture::OfPack(pixels) => Some(pixels.reader()),
            Picture::Drawn(..) => None,
        });
        Self { sheets, readers: readers.collect(), byte_alphas: Vec::new() }
    }

    /// Paints these columns of a row of the screen.
    pub(super) fn paint(&mut self, y: i32, layout: &RowLayout, columns: &[Range<i32>], row: &mut [u8]) -> Result<(), Error> {
        let Self { sheets, readers, byte_alphas } = self;
        for stretch in layout.stretches.iter().rev() {
            let sheet = &sheets[stretch.sheet];
            let own_y = y - sheet.origin.y;
            for part in inside(columns, &stretch.columns) {
                let own = part.start - sheet.origin.x..part.end - sheet.origin.x;
                let to = &mut row[part.start as usize * 3..part.end as usize * 3];
                match (&sheet.picture, &mut readers[stretch.sheet]) {
                    (_, Some(reader)) => reader.visit(own_y, own.clone(), |x, rgb, alphas| {
                        let to = &mut to[(x - own.start) as usize * 3..][..rgb.len()];
                        match (stretch.kind, &sheet.clip) {
                            (RunKind::Opaque, _) => to.copy_from_slice(rgb),
                            (RunKind::Translucent, None) => blend_row(to, rgb, alphas, byte_alphas),
                            (RunKind::Translucent, Some(boxes)) => blend_clipped(to, rgb, alphas, boxes, Point { x, y: own_y }),
                        }
                    })?,
                    (Picture::Drawn(drawing), None) => {
                        let frame = drawing.frame()?;
                        let from = own_y * frame.size.width as i32;
                        to.copy_from_slice(&frame.rgb[(from + own.start) as usize * 3..(from + own.end) as usize * 3]);
                    }
                    (Picture::OfPack(_), None) => unreachable!("pictures of the pack have readers"),
                }
            }
        }
        Ok(())
    }

    /// What a sheet with a coded picture shows in a row of the screen.
    pub(super) fn coded_row(&mut self, sheet: usize, y: i32) -> Result<CodedRow<'_>, Error> {
        let own_y = y - self.sheets[sheet].origin.y;
        self.readers[sheet].as_mut().expect("drawn pictures have no coded rows").coded_row(own_y)
    }
}

/// Lays pixels over others. One alpha per byte instead of per pixel lets the compiler blend many bytes at once; shadows are up to half
/// of what a scene paints. `byte_alphas` is room to work in.
fn blend_row(to: &mut [u8], from: &[u8], alphas: &[u8], byte_alphas: &mut Vec<u8>) {
    byte_alphas.resize(alphas.len() * 3, 0);
    byte_alphas.as_chunks_mut::<3>().0.iter_mut().zip(alphas).for_each(|(bytes, &alpha)| *bytes = [alpha; 3]);
    for ((to, &from), &alpha) in to.iter_mut().zip(from).zip(&*byte_alphas) {
        *to = over(*to, from, alpha);
    }
}

/// The same for what lies in one of these boxes; `first` is the place of the first pixel.
fn blend_clipped(to: &mut [u8], from: &[u8], alphas: &[u8], boxes: &[Rect], first: Point) {
    let pixels = to.as_chunks_mut::<3>().0.iter_mut().zip(from.as_chunks::<3>().0);
    for (x, ((to, from), &alpha)) in (first.x..).zip(pixels.zip(alphas)) {
        if boxes.iter().any(|b| b.contains(Point { x, y: first.y })) {
            to.iter_mut().zip(from).for_each(|(to, &from)| *to = over(*to, from, alpha));
        }
    }
}
