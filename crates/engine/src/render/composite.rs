//! Composes surfaces (wallpaper, icons, windows, taskbar) row by row. Each pixel is read only from the surfaces that
//! show there: what an opaque pixel covers is skipped, and so is whatever the caller does not ask for.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use windesk_model::Error;
use windesk_model::geometry::{Point, Size};

use super::{Frame, over};
use crate::pack::{PixelReader, Pixels, Run, RunKind};
use crate::png::EncodedRow;

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
    paint: Box<dyn Fn() -> Result<Frame, Error> + 'a>,
    frame: OnceCell<Frame>,
}

impl<'a> Painting<'a> {
    /// `paint` gives a frame of this size.
    pub(super) fn new(size: Size, paint: impl Fn() -> Result<Frame, Error> + 'a) -> Self {
        let run = [Run { x0: 0, x1: size.width as i32, kind: RunKind::Opaque }];
        Self { size, run, paint: Box::new(paint), frame: OnceCell::new() }
    }

    fn frame(&self) -> Result<&Frame, Error> {
        if let Some(frame) = self.frame.get() {
            return Ok(frame);
        }
        let frame = (self.paint)()?;
        Ok(self.frame.get_or_init(|| frame))
    }

    /// Whether both are the same picture.
    pub(super) fn shows_the_same(&self, other: &Painting) -> Result<bool, Error> {
        Ok(self.size == other.size && self.frame()? == other.frame()?)
    }
}

impl Picture<'_> {
    pub(super) fn size(&self) -> Size {
        match self {
            Self::OfPack(pixels) => pixels.size(),
            Self::Painted(painting) => painting.size,
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
        let runs = |y: i32| self.row_at(y).map(|own_y| self.picture.runs(own_y));
        runs(screen_row) == runs(screen_row + 1)
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
    /// Left to right.
    pub(super) clear: Vec<ClearSpan>,
}

impl RowLayout {
    /// Looks at row `y` of a screen of this width on which surfaces lie, bottom to top.
    pub(super) fn of(surfaces: &[Surface], width: i32, y: i32) -> Self {
        let mut row = Self::default();
        // Where no opaque pixel lies above, and where nothing does.
        let all = || std::iter::once(0..width).collect();
        let (mut free, mut clear): (Columns, Columns) = (all(), all());
        for (surface, of_surface) in surfaces.iter().enumerate().rev() {
            let Some(own_y) = of_surface.row_at(y) else { continue };
            let runs = of_surface
                .picture
                .runs(own_y)
                .iter()
                .map(|run| (run.x0 + of_surface.origin.x..run.x1 + of_surface.origin.x, run.kind));
            for (columns, kind) in runs.clone() {
                let opaque = kind == RunKind::Opaque;
                row.stretches.extend(inside(&free, &columns).map(|columns| Stretch { surface, columns, kind }));
                if opaque {
                    row.clear.extend(inside(&clear, &columns).map(|columns| ClearSpan { surface, columns }));
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

    /// Whether the row under row `y` has the same layout because all surfaces have the same runs there.
    pub(super) fn is_same_below(surfaces: &[Surface], y: i32) -> bool {
        surfaces.iter().all(|surface| surface.is_same_below(y))
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

/// Composes surfaces (bottom to top) that cover a whole screen.
pub(super) fn compose(size: Size, surfaces: &[Surface]) -> Result<Frame, Error> {
    let width = size.width as i32;
    let mut frame = Frame { size, rgb: vec![0; size.rect().area() as usize * 3] };
    let mut painter = Painter::new(surfaces);
    let mut layout = RowLayout::default();
    for (y, row) in (0..).zip(frame.rgb.chunks_exact_mut(width as usize * 3)) {
        if y == 0 || !RowLayout::is_same_below(surfaces, y - 1) {
            layout = RowLayout::of(surfaces, width, y);
        }
        painter.paint(y, &layout, std::slice::from_ref(&(0..width)), row)?;
    }
    Ok(frame)
}

/// Reads surfaces from top to bottom.
pub(super) struct Painter<'a> {
    surfaces: &'a [Surface<'a>],
    /// Of pictures of the pack.
    readers: Vec<Option<PixelReader<'a>>>,
    byte_alphas: Vec<u8>,
}

impl<'a> Painter<'a> {
    pub(super) fn new(surfaces: &'a [Surface<'a>]) -> Self {
        let readers = surfaces.iter().map(|surface| match &surface.picture {
            Picture::OfPack(pixels) => Some(pixels.reader()),
            Picture::Painted(..) => None,
        });
        Self { surfaces, readers: readers.collect(), byte_alphas: Vec::new() }
    }

    /// Paints these columns of a row of the screen.
    pub(super) fn paint(&mut self, y: i32, layout: &RowLayout, columns: &[Range<i32>], row: &mut [u8]) -> Result<(), Error> {
        let Self { surfaces, readers, byte_alphas } = self;
        for stretch in layout.stretches.iter().rev() {
            let surface = &surfaces[stretch.surface];
            let own_y = y - surface.origin.y;
            for part in inside(columns, &stretch.columns) {
                let own = part.start - surface.origin.x..part.end - surface.origin.x;
                let to = &mut row[part.start as usize * 3..part.end as usize * 3];
                match (&surface.picture, &mut readers[stretch.surface]) {
                    (_, Some(reader)) => reader.visit(own_y, own.clone(), |x, rgb, alphas| {
                        let to = &mut to[(x - own.start) as usize * 3..][..rgb.len()];
                        match stretch.kind {
                            RunKind::Opaque => to.copy_from_slice(rgb),
                            RunKind::Translucent => blend_row(to, rgb, alphas, byte_alphas),
                        }
                    })?,
                    (Picture::Painted(painting), None) => {
                        let frame = painting.frame()?;
                        let from = own_y * frame.size.width as i32;
                        to.copy_from_slice(&frame.rgb[(from + own.start) as usize * 3..(from + own.end) as usize * 3]);
                    }
                    (Picture::OfPack(_), None) => unreachable!("pictures of the pack have readers"),
                }
            }
        }
        Ok(())
    }

    /// What a surface with a encoded picture shows in a row of the screen.
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

/// Lays pixels over others. One alpha per byte instead of per pixel lets the compiler blend many bytes at once; shadows
/// are up to half of what a scene paints. `byte_alphas` is room to work in.
fn blend_row(to: &mut [u8], from: &[u8], alphas: &[u8], byte_alphas: &mut Vec<u8>) {
    byte_alphas.resize(alphas.len() * 3, 0);
    byte_alphas.as_chunks_mut::<3>().0.iter_mut().zip(alphas).for_each(|(bytes, &alpha)| *bytes = [alpha; 3]);
    for ((to, &from), &alpha) in to.iter_mut().zip(from).zip(&*byte_alphas) {
        *to = over(*to, from, alpha);
    }
}
