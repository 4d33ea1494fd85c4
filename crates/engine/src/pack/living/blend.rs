//! A picture that is being composed: parts of it replaced, or laid over by their alpha. Integers only.

use std::ops::Range;

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect, Size};

use super::super::pixel_reader::PixelReader;
use super::super::pixels::{Pixels, rows_of};
use super::super::strip::STRIP_ROWS;

/// Straight RGBA, row by row.
#[derive(Debug)]
pub(in crate::pack) struct Raster {
    pub(in crate::pack) size: Size,
    pub(in crate::pack) rgba: Vec<u8>,
}

/// Pairs of colours, of which the second replaces the first; sorted by the first.
pub(super) type Colours<'a> = &'a [[[u8; 3]; 2]];

/// A picture in px of the page; its top left may lie outside of the page's picture.
#[derive(Debug)]
pub(super) struct Canvas<'a> {
    pub(super) rect: Rect,
    pub(super) rgba: Vec<u8>,
    /// Whether what was put down has another alpha anywhere.
    pub(super) is_reshaped: bool,
    /// The look below, and where `rgba` has those of its strips that were read; null where all rows were there from the
    /// start.
    below: Option<(PixelReader<'a>, Vec<Option<usize>>)>,
}

/// How pixels are put down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// What was there is gone.
    Replace,
    /// Straight alpha, as a compositor does.
    Over,
}

/// What is put down, as large as its place, and what is made of it on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) from: &'a Raster,
    pub(super) colours: Colours<'a>,
}

impl Raster {
    /// A part of a prepared picture.
    pub(super) fn read(from: &mut PixelReader, at: Point, size: Size) -> Result<Self, Error> {
        Ok(Self { size, rgba: from.rgba_in(size.rect().moved(at))? })
    }
}

impl<'a> Canvas<'a> {
    /// A picture at the page's place, on a canvas that is transparent beyond it.
    pub(super) fn of(base: &Raster, rect: Rect) -> Self {
        let own = base.size.rect();
        if rect == own {
            return Self { rect, rgba: base.rgba.clone(), is_reshaped: false, below: None };
        }
        let mut canvas = Self { rect, rgba: vec![0; rect.area() as usize * 4], is_reshaped: false, below: None };
        let part = Part { from: base, colours: &[] };
        (own.y0()..own.y1()).for_each(|y| canvas.put_run(y, own.x0(), own.x1(), own, &part, Mode::Replace));
        canvas
    }

    /// A look of a page of which only those strips are read on which something is put down. The others are not there.
    pub(super) fn of_strips(look: &'a Pixels) -> Self {
        let size = look.size();
        let strips = vec![None; (size.height as usize).div_ceil(STRIP_ROWS)];
        Self { rect: size.rect(), rgba: Vec::new(), is_reshaped: false, below: Some((look.reader(), strips)) }
    }

    /// Where `rgba` has each strip that was read; none where all rows were there from the start.
    pub(super) fn strips_read(&self) -> &[Option<usize>] {
        self.below.as_ref().map_or(&[], |(_, read)| read)
    }

    /// Where `rgba` has a row, counted from the top of the canvas.
    fn start_of(&self, row: usize) -> usize {
        let row_bytes = self.rect.width() as usize * 4;
        match &self.below {
            None => row * row_bytes,
            Some((_, read)) => read[row / STRIP_ROWS].expect("what is put on is read first") + row % STRIP_ROWS * row_bytes,
        }
    }

    /// Reads what rows lie on, where that was not done yet.
    fn read(&mut self, rows: Range<i32>) -> Result<(), Error> {
        let Some((look, read)) = &mut self.below else { return Ok(()) };
        let size = self.rect.size();
        let (first, end) = (rows.start as usize / STRIP_ROWS, (rows.end as usize).div_ceil(STRIP_ROWS));
        for (strip, start) in read.iter_mut().enumerate().take(end).skip(first).filter(|(_, start)| start.is_none()) {
            let rows = Rect::at(0, (strip * STRIP_ROWS) as i32, size.width as i32, rows_of(size, strip) as i32);
            *start = Some(self.rgba.len());
            self.rgba.extend(look.rgba_in(rows)?);
        }
        Ok(())
    }

    /// Puts a part down at `rect`, inside of `clip`; `mask` holds runs over all of `rect`, beginning with pixels that
    /// stay.
    ///
    /// # Errors
    /// If the look below can't be read.
    pub(super) fn put(&mut self, rect: Rect, mask: Option<&[u32]>, clip: Rect, part: Part, mode: Mode) -> Result<(), Error> {
        let Some(inside) = rect.intersection(clip).and_then(|inside| inside.intersection(self.rect)) else { return Ok(()) };
        self.read(inside.y0()..inside.y1())?;
        match mask {
            None => (inside.y0()..inside.y1()).for_each(|y| self.put_run(y, inside.x0(), inside.x1(), rect, &part, mode)),
            Some(runs) => {
                let width = rect.width() as u64;
                let mut at = 0_u64;
                for (number, &run) in runs.iter().enumerate() {
                    let end = at + u64::from(run);
                    while number % 2 == 1 && at < end {
                        let (row, column) = ((at / width) as i32, (at % width) as i32);
                        let length = (width - at % width).min(end - at);
                        let (y, x0) = (rect.y0() + row, rect.x0() + column);
                        let (from, to) = (x0.max(inside.x0()), (x0 + length as i32).min(inside.x1()));
                        if (inside.y0()..inside.y1()).contains(&y) && from < to {
                            self.put_run(y, from, to, rect, &part, mode);
                        }
                        at += length;
                    }
                    at = end;
                }
            }
        }
        Ok(())
    }

    /// Puts down columns `x0..x1` of row `y`, which lie on the canvas.
    fn put_run(&mut self, y: i32, x0: i32, x1: i32, rect: Rect, part: &Part, mode: Mode) {
        let to = self.start_of((y - self.rect.y0()) as usize) + (x0 - self.rect.x0()) as usize * 4;
        let (row, column) = (y - rect.y0(), x0 - rect.x0());
        let from = (row as usize * part.from.size.width as usize + column as usize) * 4;
        let bytes = (x1 - x0) as usize * 4;
        let to = &mut self.rgba[to..to + bytes];
        let from = &part.from.rgba[from..from + bytes];
        let (to, from) = (to.as_chunks_mut::<4>().0, from.as_chunks::<4>().0);
        if mode == Mode::Replace && part.colours.is_empty() {
            // Without a way out, many pixels are looked at at once.
            self.is_reshaped |= to.iter().zip(from).fold(false, |any, (to, from)| any | (to[3] != from[3]));
            to.copy_from_slice(from);
            return;
        }
        for (to, from) in to.iter_mut().zip(from) {
            let above = replaced(*from, part.colours);
            let now = if mode == Mode::Replace { above } else { over(*to, above) };
            self.is_reshaped |= now[3] != to[3];
            *to = now;
        }
    }
}

fn replaced(pixel: [u8; 4], colours: Colours) -> [u8; 4] {
    let [r, g, b, alpha] = pixel;
    match colours.binary_search_by(|[active, _]| active.cmp(&[r, g, b])) {
        Ok(at) => {
            let [r, g, b] = colours[at][1];
            [r, g, b, alpha]
        }
        Err(_) => pixel,
    }
}

/// One pixel over another, straight alpha, rounded to the nearest.
fn over(below: [u8; 4], above: [u8; 4]) -> [u8; 4] {
    match (above[3], below[3]) {
        (255, _) | (_, 0) => above,
        (0, _) => below,
        (a, b) => {
            let (a, b) = (u32::from(a), u32::from(b));
            // Shares of both in 255 * 255.
            let (own, through) = (a * 255, b * (255 - a));
            let whole = own + through;
            let channel = |at: usize| ((u32::from(above[at]) * own + u32::from(below[at]) * through + whole / 2) / whole) as u8;
            [channel(0), channel(1), channel(2), ((whole + 127) / 255) as u8]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raster(width: u32, height: u32, colour: impl Fn(u32, u32) -> [u8; 4]) -> Raster {
        let size = Size { width, height };
        let rgba = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| colour(x, y)).collect();
        Raster { size, rgba }
    }

    fn pixel(canvas: &Canvas, x: i32, y: i32) -> [u8; 4] {
        let at = ((y - canvas.rect.y0()) * canvas.rect.width() + x - canvas.rect.x0()) as usize;
        canvas.rgba.as_chunks::<4>().0[at]
    }

    #[test]
    fn masks_clips_and_places_are_those_of_single_pixels() {
        let base = raster(20, 12, |x, y| [x as u8, y as u8, 0, 255]);
        let piece = raster(7, 6, |x, y| [100 + x as u8, 100 + y as u8, 9, 255]);
        let runs = [5, 3, 9, 20, 5];
        for (rect, clip, outer) in [
            (Rect::at(2, 3, 7, 6), Rect::at(0, 0, 20, 12), Rect::at(0, 0, 20, 12)),
            (Rect::at(-3, -2, 7, 6), Rect::at(-9, -9, 30, 30), Rect::at(-5, -5, 25, 17)),
            (Rect::at(2, 3, 7, 6), Rect::at(4, 4, 3, 20), Rect::at(0, 0, 20, 12)),
        ] {
            let mut canvas = Canvas::of(&base, outer);
            let before = Canvas::of(&base, outer);
            let part = Part { from: &piece, colours: &[] };
            canvas.put(rect, Some(&runs), clip, part, Mode::Replace).unwrap();
            for y in outer.y0()..outer.y1() {
                for x in outer.x0()..outer.x1() {
                    let p = Point { x, y };
                    let number = (y - rect.y0()) * rect.width() + x - rect.x0();
                    let (mut end, mut replaces) = (0, false);
                    for (at, run) in runs.map(|run| run as i32).into_iter().enumerate() {
                        replaces |= (end..end + run).contains(&number) && at % 2 == 1;
                        end += run;
                    }
                    let expected = if replaces && rect.contains(p) && clip.contains(p) {
                        [(100 + x - rect.x0()) as u8, (100 + y - rect.y0()) as u8, 9, 255]
                    } else {
                        pixel(&before, x, y)
                    };
                    assert_eq!(pixel(&canvas, x, y), expected, "{rect:?} {clip:?}: {x},{y}");
                }
            }
        }
    }

    #[test]
    fn what_lies_over_shows_by_its_alpha() {
        assert_eq!(over([10, 20, 30, 255], [200, 100, 50, 255]), [200, 100, 50, 255]);
        assert_eq!(over([10, 20, 30, 255], [200, 100, 50, 0]), [10, 20, 30, 255]);
        assert_eq!(over([0, 0, 0, 0], [200, 100, 50, 90]), [200, 100, 50, 90]);
        for alpha in 1..255_u8 {
            // On an opaque pixel it is the plain mean.
            let exact = (200 * u32::from(alpha) + 10 * (255 - u32::from(alpha)) + 127) / 255;
            assert_eq!(over([10, 10, 10, 255], [200, 10, 10, alpha]), [exact as u8, 10, 10, 255]);
            // Two shadows make a darker one, of the same colour.
            let both = over([0, 0, 0, 128], [0, 0, 0, alpha]);
            assert!(both[3] > 128.max(alpha) || both[3] == 128.max(alpha) && alpha < 3, "{alpha}: {both:?}");
        }
    }

    #[test]
    fn colours_are_replaced_by_their_pairs() {
        let colours = [[[1, 2, 3], [9, 9, 9]], [[5, 5, 5], [6, 6, 6]]];
        assert_eq!(replaced([5, 5, 5, 77], &colours), [6, 6, 6, 77]);
        assert_eq!(replaced([5, 5, 6, 77], &colours), [5, 5, 6, 77]);
    }
}
