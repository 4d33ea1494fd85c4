//! Strips of a picture's rows as they are stored: tiles of colours and alphas, Snappy-compressed, and encoded rows for
//! PNG files.
//!
//! What a scene shows of a window unchanged is copied into its file from the encoded rows; tiles give the pixels beside
//! borders and under shadows, for which few tiles need to be read.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::decoded::{PlainRows, RowBlock, TILE_PX, tile_px};
use super::picture_cache::CachedPictureReader;
use crate::png::{EncodedRow, PADDING_BYTES, encode_row};

/// Rows of a whole strip.
pub(super) const STRIP_ROWS: usize = 32;

/// Where the parts of a stored strip lie. What is empty is the base's.
#[derive(Clone, Debug)]
pub(super) struct StripPlace {
    /// First byte.
    pub(super) start: u32,
    /// Where each tile ends, counted from `start`.
    pub(super) tile_ends: Box<[u32]>,
    /// Where each encoded row begins, counted from `start`, and where what is encoded ends; rows that are encoded alike
    /// begin at one place.
    pub(super) encoded_rows: Box<[u32]>,
}

/// A strip to be stored.
pub(super) struct PlainStrip<'a> {
    /// Pixels per row.
    pub(super) width: usize,
    /// Straight RGBA, row by row.
    pub(super) rgba: &'a [u8],
    /// The row above: RGB, zeros above a picture's first.
    pub(super) above: &'a [u8],
    /// Whether to store encoded rows.
    pub(super) encoded: bool,
    /// What of `rgba` differs from the base (straight RGBA, 0 where it is the same); null without a base.
    pub(super) changes: Option<&'a [u8]>,
}

impl PlainStrip<'_> {
    /// Stores the strip at the end of `out`.
    pub(super) fn write(&self, out: &mut Vec<u8>) -> StripPlace {
        let start = out.len();
        let rgb = rgb_of(self.rgba);
        let tile_ends = self.write_tiles(&rgb, start, out);
        let encoded_rows = if self.encoded { self.write_rows(&rgb, start, out) } else { Box::default() };
        StripPlace { start: start as u32, tile_ends, encoded_rows }
    }

    fn write_tiles(&self, rgb: &[u8], start: usize, out: &mut Vec<u8>) -> Box<[u32]> {
        let (mut snappy, mut plain) = (snap::raw::Encoder::new(), Vec::new());
        let ends = (0..self.width).step_by(TILE_PX).map(|first| {
            let columns = first..(first + TILE_PX).min(self.width);
            let is_same = |changes| rows_of_tile::<4>(changes, self.width, &columns).flatten().all(|change| *change == [0; 4]);
            if !self.changes.is_some_and(is_same) {
                let rgba_rows = || rows_of_tile::<4>(self.rgba, self.width, &columns);
                let translucent = rgba_rows().flatten().any(|pixel| !matches!(pixel[3], 0 | 255));
                plain.clear();
                let (mut repeats, mut above) = (0_u32, None);
                for ((at, row), rgb) in (0..).zip(rgba_rows()).zip(rows_of_tile::<3>(rgb, self.width, &columns)) {
                    if above == Some(row) {
                        repeats |= 1 << at;
                        continue;
                    }
                    above = Some(row);
                    plain.extend_from_slice(rgb.as_flattened());
                    if translucent {
                        plain.extend(row.iter().map(|pixel| pixel[3]));
                    }
                }
                out.extend(repeats.to_le_bytes());
                out.extend(snappy.compress_vec(&plain).expect("a tile is far below 4 GiB"));
            }
            (out.len() - start) as u32
        });
        ends.collect()
    }

    fn write_rows(&self, rgb: &[u8], start: usize, out: &mut Vec<u8>) -> Box<[u32]> {
        let (mut above, mut before, mut encoded) = (self.above, Vec::new(), Vec::new());
        let mut starts = Vec::with_capacity(STRIP_ROWS + 1);
        for row in rgb.chunks_exact(self.width * 3) {
            encoded.clear();
            encode_row(above, row, &mut encoded);
            if encoded != before {
                starts.push((out.len() - start) as u32);
                out.extend_from_slice(&encoded);
                std::mem::swap(&mut encoded, &mut before);
            } else {
                starts.extend(starts.last().copied());
            }
            above = row;
        }
        out.extend([0; PADDING_BYTES]);
        starts.push((out.len() - start) as u32);
        starts.into()
    }
}

/// The part of each row, of `N` bytes per pixel, that lies in these columns.
fn rows_of_tile<'a, const N: usize>(
    rows: &'a [u8],
    width: usize,
    columns: &Range<usize>,
) -> impl Iterator<Item = &'a [[u8; N]]> + use<'a, N> {
    let columns = columns.clone();
    rows.as_chunks::<N>().0.chunks_exact(width).map(move |row| &row[columns.clone()])
}

impl StripPlace {
    /// A strip at byte `start` all of whose pixels are the base's.
    pub(super) fn unchanged(start: usize, width: usize) -> Self {
        Self { start: start as u32, tile_ends: vec![0; width.div_ceil(TILE_PX)].into(), encoded_rows: Box::default() }
    }

    /// Whether this can be a strip of so many pixels, with parts of its own wherever `base` has none, that ends before
    /// byte `end`.
    pub(super) fn is_sound(&self, width: usize, rows: usize, end: usize, base: Option<&Self>) -> bool {
        let Self { start, tile_ends, encoded_rows } = self;
        let last = encoded_rows.last().or(tile_ends.last()).copied().unwrap_or_default();
        let after_tiles = tile_ends.last().into_iter().chain(encoded_rows);
        let has_all = base.is_some() || (tile_ends.first() > Some(&0) && tile_ends.is_sorted_by(|a, b| a < b));
        tile_ends.len() == width.div_ceil(TILE_PX)
            && (encoded_rows.is_empty() || encoded_rows.len() == rows + 1)
            && tile_ends.is_sorted()
            && after_tiles.is_sorted()
            && start.checked_add(last).is_some_and(|last| last as usize <= end)
            && has_all
    }

    /// Whether all of its tiles are the base's.
    pub(super) fn has_no_tiles(&self) -> bool {
        self.tile_ends.last().is_none_or(|&end| end == 0)
    }

    fn tile(&self, number: usize) -> Range<usize> {
        let start = if number == 0 { 0 } else { self.tile_ends[number - 1] };
        start as usize..self.tile_ends[number] as usize
    }
}

/// Colours of all pixels of straight RGBA.
pub(super) fn rgb_of(rgba: &[u8]) -> Vec<u8> {
    let mut rgb = vec![0; rgba.len() / 4 * 3];
    rgb.as_chunks_mut::<3>().0.iter_mut().zip(rgba.as_chunks::<4>().0).for_each(|(to, [r, g, b, _])| *to = [*r, *g, *b]);
    rgb
}

/// What was read of a strip so far. It can be used for one strip after the other, and keeps its memory.
#[derive(Debug, Default)]
pub(super) struct Strip {
    rows: Arc<PlainRows>,
    /// Whether the rows are others than those that the strip began with.
    has_new: bool,
    /// All encoded rows, if any was asked for, and how many bytes that is.
    encoded: Vec<u8>,
    encoded_bytes: usize,
    room: Room,
}

/// What reading tiles takes.
#[derive(Debug, Default)]
struct Room {
    stored: Vec<u8>,
    plain: Vec<u8>,
    /// For rows of the next strip.
    spare: Vec<Vec<u8>>,
}

/// Unpacks a tile; null if what is stored isn't one of so many pixels.
fn unpack(stored: &[u8], tile: usize, width: usize, rows: usize, room: &mut Vec<u8>, to: &mut PlainRows) -> Option<()> {
    let (repeats, packed) = stored.split_first_chunk()?;
    let repeats = u32::from_le_bytes(*repeats);
    let kept = rows.checked_sub(repeats.count_ones() as usize)?;
    let length = snap::raw::decompress_len(packed).ok()?;
    let px = tile_px(width, tile);
    let row_bytes = [px * 3, px * 4].into_iter().find(|bytes| kept * bytes == length)?;
    let is_sound = repeats & 1 == 0 && u64::from(repeats) < 1 << rows;
    is_sound.then_some(())?;
    if room.len() < length {
        room.resize(length, 0);
    }
    let plain = &mut room[..length];
    snap::raw::Decoder::new().decompress(packed, plain).ok()?;
    to.put(tile, plain, row_bytes, repeats);
    Some(())
}

/// A strip that is being read.
pub(super) struct StripReader<'a, 'k> {
    pub(super) strip: &'a mut Strip,
    pub(super) own: (&'a StripPlace, &'a mut CachedPictureReader<'k>),
    pub(super) base: Option<(&'a StripPlace, &'a mut CachedPictureReader<'k>)>,
    pub(super) width: usize,
    /// How many rows it has.
    pub(super) rows: usize,
}

impl Strip {
    /// Begins with another strip, of which these rows are there already.
    pub(super) fn begin(&mut self, rows: Option<Arc<PlainRows>>, width: usize, count: usize) {
        self.encoded_bytes = 0;
        self.has_new = false;
        match rows {
            Some(rows) => self.rows = rows,
            None => {
                if Arc::get_mut(&mut self.rows).is_none() {
                    self.rows = Arc::default();
                }
                Arc::get_mut(&mut self.rows).expect("just made").begin(width, count, &mut self.room.spare);
            }
        }
    }

    /// The rows, if some were unpacked.
    pub(super) fn new_rows(&self) -> Option<&Arc<PlainRows>> {
        self.has_new.then_some(&self.rows)
    }
}

impl<'a> StripReader<'a, '_> {
    /// Colours and alphas of some pixels of a row, three bytes each per pixel; no alphas where all are opaque or can't
    /// be seen at all.
    pub(super) fn part(mut self, row: usize, columns: Range<usize>) -> io::Result<(&'a [u8], &'a [u8])> {
        if columns.is_empty() {
            return Ok((&[], &[]));
        }
        self.unpack_if_missing(row, columns.clone())?;
        Ok(self.strip.rows.part(row, columns).expect("just unpacked"))
    }

    /// The same, and these columns, at least one, of all rows below.
    pub(super) fn block(mut self, row: usize, columns: Range<usize>) -> io::Result<RowBlock<'a>> {
        self.unpack_if_missing(row, columns.clone())?;
        Ok(self.strip.rows.block(row, columns).expect("just unpacked"))
    }

    fn unpack_if_missing(&mut self, row: usize, columns: Range<usize>) -> io::Result<()> {
        if self.strip.rows.part(row, columns.clone()).is_none() {
            let unpacked = self.unpack(columns.start / TILE_PX..columns.end.div_ceil(TILE_PX));
            if unpacked.is_err() {
                // Room was made for what did not come.
                Arc::make_mut(&mut self.strip.rows).clear();
                self.strip.has_new = false;
            }
            unpacked?;
        }
        Ok(())
    }

    /// Whether a tile is the base's.
    fn is_in_base(&self, tile: usize) -> bool {
        self.base.is_some() && self.own.0.tile(tile).is_empty()
    }

    /// Reads those of these tiles that were not read before; what lies side by side is read together.
    fn unpack(&mut self, wanted: Range<usize>) -> io::Result<()> {
        self.strip.has_new = true;
        // Rows that others hold too are copied before they change.
        let Strip { rows, room, .. } = &mut *self.strip;
        for missing in Arc::make_mut(rows).add(wanted, &mut room.spare) {
            let mut first = missing.start;
            while first < missing.end {
                let in_base = self.is_in_base(first);
                let end = first + (first..missing.end).take_while(|&at| self.is_in_base(at) == in_base).count();
                self.unpack_together(first..end, in_base)?;
                first = end;
            }
        }
        Ok(())
    }

    fn unpack_together(&mut self, tiles: Range<usize>, in_base: bool) -> io::Result<()> {
        let (width, count) = (self.width, self.rows);
        let Self { strip: Strip { rows, room, .. }, own, base, .. } = self;
        let (place, kept) = match base {
            Some(base) if in_base => base,
            _ => own,
        };
        let (start, end) = (place.tile(tiles.start).start, place.tile(tiles.end - 1).end);
        let stored = kept.read(place.start as usize + start, end - start, &mut room.stored)?;
        let rows = Arc::make_mut(rows);
        for tile in tiles {
            let part = place.tile(tile);
            let unpacked = unpack(&stored[part.start - start..part.end - start], tile, width, count, &mut room.plain, rows);
            unpacked.ok_or(io::ErrorKind::InvalidData)?;
        }
        Ok(())
    }

    /// A row's bits, in a strip of which it or its base has encoded rows.
    pub(super) fn encoded_row(self, row: usize) -> io::Result<EncodedRow<'a>> {
        let Self { strip: Strip { encoded, encoded_bytes, .. }, own, base, width, .. } = self;
        let (place, kept) = match base {
            Some(base) if own.0.encoded_rows.is_empty() => base,
            _ => own,
        };
        let (first, last) = (place.encoded_rows[0] as usize, place.encoded_rows[place.encoded_rows.len() - 1] as usize);
        if *encoded_bytes == 0 {
            if encoded.len() < last - first {
                encoded.resize(last - first, 0);
            }
            kept.read_into(place.start as usize + first, &mut encoded[..last - first])?;
            *encoded_bytes = last - first;
        }
        Ok(EncodedRow::new(&encoded[place.encoded_rows[row] as usize - first..*encoded_bytes], width))
    }
}
