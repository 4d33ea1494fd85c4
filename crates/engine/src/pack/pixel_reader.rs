//! Reading parts of a prepared picture.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;

use windesk_model::Error;
use windesk_model::geometry::Rect;

use super::decoded::{DecodedTiles, TileRow, TiledRows};
use super::picture_cache::CachedPictureReader;
use super::pixels::{Content, Pixels, damaged, rows_of};
use super::shape::RunKind;
use super::strip::{STRIP_ROWS, Strip, StripReader, lay_opaque};
use crate::png::EncodedRow;

impl Pixels {
    /// A reader of its pixels.
    pub fn reader(&self) -> PixelReader<'_> {
        self.reader_with(None)
    }

    /// A reader that takes tiles that were unpacked before, and keeps those that it unpacks.
    pub(crate) fn reader_with<'a>(&'a self, decoded: Option<&'a DecodedTiles>) -> PixelReader<'a> {
        let ReaderRoom { strips: [strip, before], ahead: [own, base] } = ReaderRoom::take(self.size().width);
        PixelReader {
            pixels: self,
            decoded,
            own: CachedPictureReader::new(&self.kept, own),
            base: self.base.as_deref().map(|picture| CachedPictureReader::new(&picture.kept, base)),
            strip: (usize::MAX, strip),
            before: (usize::MAX, before),
        }
    }

    /// The pixels of `rect` as straight RGBA, row by row. Outside the picture they are 0.
    ///
    /// # Errors
    /// If a file in which they are kept is gone or was changed.
    pub fn rgba_in(&self, rect: Rect) -> Result<Vec<u8>, Error> {
        self.reader().rgba_in(rect)
    }

    /// The colours of `rect`, which lies inside the picture, row by row.
    pub(crate) fn rgb_in(&self, rect: Rect) -> Result<Vec<u8>, Error> {
        let mut out = vec![0; rect.area() as usize * 3];
        self.reader().for_rows_in(rect, |y, x, row| {
            let at = (y - rect.y0()) as usize * rect.width() as usize + (x - rect.x0()) as usize;
            out[at * 3..][..row.colours.len()].copy_from_slice(row.colours);
        })?;
        Ok(out)
    }

    /// Compares all that is kept of it, but for its base, with the checksums.
    ///
    /// # Errors
    /// If a file in which it is kept is gone or was changed.
    pub(crate) fn compare(&self) -> Result<(), Error> {
        let mut reader = self.reader();
        let mut rows = (0..self.size().height as i32).step_by(STRIP_ROWS);
        let compared = rows.try_for_each(|y| reader.strip_at(y).0.compare());
        compared.map_err(|error| damaged(&self.kept.place(), &error))
    }
}

/// Reads parts of a picture; it keeps the two strips that were read last.
#[derive(Debug)]
pub struct PixelReader<'a> {
    pixels: &'a Pixels,
    decoded: Option<&'a DecodedTiles>,
    own: CachedPictureReader<'a>,
    base: Option<CachedPictureReader<'a>>,
    /// The strip that was read last, with its number, and the one before it.
    strip: (usize, Strip),
    before: (usize, Strip),
}

impl<'a> PixelReader<'a> {
    /// Leaves it to [`PixelReader::check`] whether files are the ones that were read before.
    pub(crate) fn check_later(&mut self) {
        self.own.check_later();
        self.base.iter_mut().for_each(CachedPictureReader::check_later);
    }

    /// Whether everything that was read counts.
    ///
    /// # Errors
    /// If a file in which the picture is kept was changed meanwhile.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        let checked = self.own.check().and_then(|()| self.base.iter_mut().try_for_each(CachedPictureReader::check));
        checked.map_err(|error| damaged(&self.pixels.kept.place(), &error))
    }

    /// Straight colours and alphas of some columns, at least one, of row `y` and of rows below it. Where there are no
    /// alphas, or an alpha is 0, pixels are opaque or cannot be seen at all, as [`Pixels::runs`] says.
    ///
    /// # Errors
    /// If a file in which the picture is kept is gone or was changed.
    ///
    /// # Panics
    /// If the row or a column is outside the picture.
    pub(crate) fn rows(&mut self, y: i32, columns: Range<i32>) -> Result<TiledRows<'_>, Error> {
        let pixels = self.pixels;
        let (strip, row) = self.strip_at(y);
        let rows = strip.rows(row, columns.start as usize..columns.end as usize);
        rows.map_err(|error| damaged(&pixels.kept.place(), &error))
    }

    /// The encoded row `y`; only where [`Pixels::is_encoded`].
    pub(crate) fn encoded_row(&mut self, y: i32) -> Result<EncodedRow<'_>, Error> {
        let pixels = self.pixels;
        let (strip, row) = self.strip_at(y);
        strip.encoded_row(row).map_err(|error| damaged(&pixels.kept.place(), &error))
    }

    /// Adds a strip as it is kept to the content of a picture that has the same base, or this one as its base.
    pub(super) fn copy_strip(&mut self, strip: usize, content: &mut Content) -> Result<(), Error> {
        let pixels = self.pixels;
        if pixels.base.is_none() {
            content.add_unchanged(pixels.size().width as usize);
            return Ok(());
        }
        let (reader, _) = self.strip_at((strip * STRIP_ROWS) as i32);
        let (place, tiles, rows) = reader.stored().map_err(|error| damaged(&pixels.kept.place(), &error))?;
        content.add_kept(place, &tiles, &rows);
        Ok(())
    }

    /// As [`Pixels::rgba_in`].
    pub(super) fn rgba_in(&mut self, rect: Rect) -> Result<Vec<u8>, Error> {
        let mut out = vec![0; rect.area() as usize * 4];
        let pixels = self.pixels;
        let Some(inside) = rect.intersection(pixels.size().rect()) else { return Ok(out) };
        let width = rect.width() as usize;
        let to = out.as_chunks_mut::<4>().0;
        let place = |x: i32, y: i32| (y - rect.y0()) as usize * width + (x - rect.x0()) as usize;
        self.for_rows_in(inside, |y, x, row| {
            let to = &mut to[place(x, y)..][..row.colours.len() / 3];
            lay_opaque(row.colours, to.as_flattened_mut());
            if row.alphas.is_empty() {
                let mut shown = 0;
                for run in pixels.runs(y).iter().filter(|run| run.kind == RunKind::Opaque) {
                    let [first, end] = [run.x0, run.x1].map(|column| ((column - x).max(0) as usize).min(to.len()));
                    hide(&mut to[shown..first.max(shown)]);
                    shown = end;
                }
                hide(&mut to[shown..]);
            }
            to.iter_mut().zip(row.alphas.as_chunks::<3>().0).for_each(|(to, alphas)| to[3] = alphas[0]);
        })?;
        Ok(out)
    }

    /// Gives the rows of all tiles in `rect`, which lies inside the picture, with row and column of the first pixel.
    fn for_rows_in(&mut self, rect: Rect, mut take: impl FnMut(i32, i32, TileRow)) -> Result<(), Error> {
        let mut y = rect.y0();
        while y < rect.y1() {
            let rows = self.rows(y, rect.x0()..rect.x1())?;
            let end = rect.y1().min(y + rows.count() as i32);
            for (columns, part) in rows.parts() {
                (y..end).zip(part).for_each(|(y, row)| take(y, rect.x0() + columns.start as i32, row));
            }
            y = end;
        }
        Ok(())
    }

    /// The strip of a row, and the number of the row in it.
    fn strip_at(&mut self, y: i32) -> (StripReader<'_, 'a>, usize) {
        let (number, row) = (y as usize / STRIP_ROWS, y as usize % STRIP_ROWS);
        let pixels = self.pixels;
        let width = pixels.size().width as usize;
        if number != self.strip.0 {
            std::mem::swap(&mut self.strip, &mut self.before);
        }
        if number != self.strip.0 {
            self.hand_over();
            self.strip.0 = number;
            let known = self.decoded.and_then(|decoded| decoded.get(pixels.strip_key(number)));
            self.strip.1.begin(known, width, rows_of(pixels.size(), number));
        }
        let Self { own, base, strip: (_, strip), .. } = self;
        let base = pixels.base.as_ref().map(|base| &base.strips[number]).zip(base.as_mut());
        (StripReader { strip, own: (&pixels.strips[number], own), base, width }, row)
    }

    /// Lets others have the tiles that were unpacked.
    fn hand_over(&mut self) {
        if let (Some(decoded), Some(tiles)) = (self.decoded, self.strip.1.new_tiles()) {
            decoded.keep(self.pixels.strip_key(self.strip.0), tiles);
        }
    }
}

impl Drop for PixelReader<'_> {
    fn drop(&mut self) {
        self.hand_over();
        std::mem::swap(&mut self.strip, &mut self.before);
        self.hand_over();
        let strips = [&mut self.before, &mut self.strip].map(|(_, strip)| std::mem::take(strip));
        let ahead =
            [Some(&mut self.own), self.base.as_mut()].map(|kept| kept.map_or_else(Vec::new, CachedPictureReader::take_room));
        ReaderRoom { strips, ahead }.leave(self.pixels.size().width);
    }
}

/// Takes the alphas of pixels away.
fn hide(rgba: &mut [[u8; 4]]) {
    rgba.iter_mut().for_each(|pixel| pixel[3] = 0);
}

/// Memory of a reader. It waits in each thread for the next one: a scene has some thirty, whose memory would have to be
/// taken from the system again and again.
#[derive(Default)]
struct ReaderRoom {
    strips: [Strip; 2],
    ahead: [Vec<u8>; 2],
}

thread_local! {
    /// By the width of the picture, as a power of two: what was used for a wide one is too large for others. What was
    /// left first is taken first: readers of the next scene come in the same order, and find what they need.
    static ROOMS: RefCell<[VecDeque<ReaderRoom>; WIDTHS]> = const { RefCell::new([const { VecDeque::new() }; WIDTHS]) };
}

/// Kinds of widths: up to 32 px, 64 px and so on.
const WIDTHS: usize = 8;
/// Most that wait in a thread for pictures of a kind of width.
const MAX_ROOMS: usize = 48;

impl ReaderRoom {
    fn kind(width: u32) -> usize {
        (width.div_ceil(32).next_power_of_two().trailing_zeros() as usize).min(WIDTHS - 1)
    }

    fn take(width: u32) -> Self {
        ROOMS.with_borrow_mut(|rooms| rooms[Self::kind(width)].pop_front()).unwrap_or_default()
    }

    fn leave(mut self, width: u32) {
        self.strips.iter_mut().for_each(Strip::forget);
        // A thread that ends has no room any more.
        let _ = ROOMS.try_with(|rooms| {
            let rooms = &mut rooms.borrow_mut()[Self::kind(width)];
            if rooms.len() < MAX_ROOMS {
                rooms.push_back(self);
            }
        });
    }
}
