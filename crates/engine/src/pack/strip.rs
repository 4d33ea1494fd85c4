//! Strips of a picture's rows as they are stored: tiles of colours and alphas, compressed (LZ4), and encoded rows
//! for PNG files.
//!
//! What a scene shows of a window unchanged is copied into its file from the encoded rows; tiles give the pixels beside
//! borders and under shadows, for which few tiles need to be read.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::decoded::{TILE_PX, TilePacker, TiledRows, Tiles};
use super::picture_cache::{CachedPictureReader, PartCheck};
use crate::png::{EncodedRow, PADDING_BYTES, RowEncoder};
use crate::wide::{NullaryFnOnce, widely};

/// Tiles that share a checksum, a group: about as much as is read at once.
const GROUP_TILES: usize = 8;
/// Rows of a whole strip.
pub(crate) const STRIP_ROWS: usize = 32;

/// Where the parts of a stored strip lie. What is empty is the base's; without a base, an empty tile is the same as the
/// one to its left in its group.
#[derive(Debug)]
pub(super) struct StripPlace {
    /// First byte of its tiles. Those of the next strip follow, so that both can be read at once.
    pub(super) tiles_at: u32,
    /// Where each tile ends, counted from where its group begins.
    pub(super) tile_ends: Box<[u16]>,
    /// First byte of its encoded rows.
    pub(super) rows_at: u32,
    /// Where each encoded row begins, counted from there, and where what is encoded ends; rows that are encoded alike
    /// begin at one place.
    pub(super) encoded_rows: Box<[u32]>,
    /// Of each group of tiles, then of all encoded rows.
    pub(super) checks: Box<[PartCheck]>,
}

/// A strip to be stored.
pub(super) struct PlainStrip<'a> {
    /// Pixels per row.
    pub(super) width: usize,
    /// Straight RGBA, row by row.
    pub(super) rgba: &'a [u8],
    /// Straight RGBA of the row above; empty above a picture's first.
    pub(super) above: &'a [u8],
    /// Whether to store encoded rows.
    pub(super) encoded: bool,
    /// Straight RGBA of the base; null without one.
    pub(super) base: Option<&'a [u8]>,
}

impl PlainStrip<'_> {
    /// Stores the strip at the ends of `tiles` and `rows`.
    pub(super) fn write(&self, tiles: &mut Vec<u8>, rows: &mut Vec<u8>) -> StripPlace {
        let (tiles_at, rows_at) = (tiles.len(), rows.len());
        let rgb = rgb_of(self.rgba);
        let tile_ends = self.write_tiles(&rgb, tiles);
        let encoded_rows = if self.encoded { self.write_rows(&rgb, rows) } else { Box::default() };
        let checks = Box::default();
        let place = StripPlace { tiles_at: tiles_at as u32, tile_ends, rows_at: rows_at as u32, encoded_rows, checks };
        place.with_checks(&tiles[tiles_at..], &rows[rows_at..])
    }

    fn write_tiles(&self, rgb: &[u8], out: &mut Vec<u8>) -> Box<[u16]> {
        let mut group_at = out.len();
        let (mut packer, mut plain, mut new) = (TilePacker::default(), Vec::new(), Vec::with_capacity(STRIP_ROWS));
        let (mut left, mut left_repeats) = (Vec::new(), 0);
        let ends = (0..self.width).step_by(TILE_PX).enumerate().map(|(tile, first)| {
            if tile % GROUP_TILES == 0 {
                group_at = out.len();
            }
            let columns = first..(first + TILE_PX).min(self.width);
            let rows = || rows_of_tile(self.rgba, self.width, &columns);
            if !self.base.is_some_and(|base| rows().eq(rows_of_tile(base, self.width, &columns))) {
                new.clear();
                let (mut repeats, mut above) = (0_u32, None);
                let colours = rgb.chunks_exact(self.width * 3).map(|row| &row[columns.start * 3..columns.end * 3]);
                for (at, (row, colours)) in (0..).zip(rows().zip(colours)) {
                    if above == Some(row) {
                        repeats |= 1 << at;
                    } else {
                        new.push((row, colours));
                    }
                    above = Some(row);
                }
                // Without a way out, many pixels are looked at at once.
                let has_translucent = |row: &[[u8; 4]]| row.iter().fold(false, |any, pixel| any | !matches!(pixel[3], 0 | 255));
                let translucent = new.iter().any(|(row, _)| has_translucent(row));
                plain.clear();
                for (row, colours) in &new {
                    plain.extend_from_slice(colours);
                    if translucent {
                        plain.extend(row.iter().map(|pixel| pixel[3]));
                    }
                }
                // Equal bytes of as many columns: most of a shadow, and of what has one colour.
                let is_as_left = tile % GROUP_TILES > 0
                    && columns.len() == TILE_PX
                    && (&left, left_repeats) == (&plain, repeats)
                    && self.base.is_none();
                if !is_as_left {
                    packer.pack(&plain, columns.len() * 3, repeats, translucent, out);
                    std::mem::swap(&mut left, &mut plain);
                    left_repeats = repeats;
                }
            }
            u16::try_from(out.len() - group_at).expect("tiles that don't shrink hardly grow")
        });
        ends.collect()
    }

    fn write_rows(&self, rgb: &[u8], out: &mut Vec<u8>) -> Box<[u32]> {
        let start = out.len();
        let first_above = if self.above.is_empty() { vec![0; self.width * 3] } else { rgb_of(self.above) };
        let (mut above, mut before, mut encoded) = (&first_above[..], Vec::new(), Vec::new());
        let mut starts = Vec::with_capacity(STRIP_ROWS + 1);
        let (mut encoder, mut is_repeated) = (RowEncoder::default(), false);
        for row in rgb.chunks_exact(self.width * 3) {
            let was_repeated = std::mem::replace(&mut is_repeated, row == above);
            // All that is the same as in the row above is encoded alike, wherever it is.
            if !starts.is_empty() && is_repeated && was_repeated {
                starts.extend(starts.last().copied());
                continue;
            }
            encoded.clear();
            encoder.encode(above, row, &mut encoded);
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

/// The part of each row of straight RGBA that lies in these columns.
fn rows_of_tile<'a>(rgba: &'a [u8], width: usize, columns: &Range<usize>) -> impl Iterator<Item = &'a [[u8; 4]]> + use<'a> {
    let columns = columns.clone();
    rgba.as_chunks().0.chunks_exact(width).map(move |row| &row[columns.clone()])
}

impl StripPlace {
    /// A strip all of whose pixels are the base's.
    pub(super) fn unchanged(width: usize) -> Self {
        let tile_ends = vec![0; width.div_ceil(TILE_PX)].into();
        let (encoded_rows, checks) = (Box::default(), Box::default());
        Self { tiles_at: 0, tile_ends, rows_at: 0, encoded_rows, checks }.with_checks(&[], &[])
    }

    /// The same strip, stored elsewhere.
    pub(super) fn moved(&self, tiles_at: usize, rows_at: usize) -> Self {
        let checks = self.checks.iter().map(|check| PartCheck::new(check.sum(), true)).collect();
        let (tile_ends, encoded_rows) = (self.tile_ends.clone(), self.encoded_rows.clone());
        Self { tiles_at: tiles_at as u32, tile_ends, rows_at: rows_at as u32, encoded_rows, checks }
    }

    /// With the checksums of its parts: each group of tiles, then all encoded rows.
    fn with_checks(mut self, tiles: &[u8], rows: &[u8]) -> Self {
        let groups = self.groups().map(|group| PartCheck::of(&tiles[group]));
        self.checks = groups.chain(std::iter::once(PartCheck::of(rows))).collect();
        self
    }

    /// How many groups its tiles make up.
    pub(super) fn group_count(&self) -> usize {
        self.tile_ends.len().div_ceil(GROUP_TILES)
    }

    /// The tiles of a group.
    pub(super) fn tiles_of_group(&self, group: usize) -> Range<usize> {
        group * GROUP_TILES..((group + 1) * GROUP_TILES).min(self.tile_ends.len())
    }

    /// Where each group lies among the tiles.
    fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.group_count()).map(|group| self.bytes_of_group(group))
    }

    /// Where a group lies among the tiles.
    fn bytes_of_group(&self, group: usize) -> Range<usize> {
        self.start_of_group(group)..self.start_of_group(group + 1)
    }

    /// Where a group begins among the tiles, or where all of them end.
    fn start_of_group(&self, group: usize) -> usize {
        self.tile_ends.chunks(GROUP_TILES).take(group).map(|ends| usize::from(ends[ends.len() - 1])).sum()
    }

    /// Whether it has tiles of a group of its own.
    pub(super) fn has_group(&self, group: usize) -> bool {
        !self.bytes_of_group(group).is_empty()
    }

    /// Whether a group of another strip of this size has the same tiles of its own, by checksum and lengths.
    pub(super) fn has_same_group(&self, other: &Self, group: usize) -> bool {
        let same_length = |tile: usize| self.tile(tile).len() == other.tile(tile).len();
        self.checks[group].sum() == other.checks[group].sum() && self.tiles_of_group(group).all(same_length)
    }

    /// Whether this can be a strip of so many pixels, with parts of its own wherever `base` has none, that ends before
    /// byte `end`.
    pub(super) fn is_sound(&self, width: usize, rows: usize, end: usize, base: Option<&Self>) -> bool {
        let Self { tiles_at, tile_ends, rows_at, encoded_rows, checks } = self;
        let lies_inside = |start: u32, bytes: usize| (start as usize).checked_add(bytes).is_some_and(|last| last <= end);
        // A narrow tile is as none to its left.
        let must_be_there = |tile: usize| tile.is_multiple_of(GROUP_TILES) || (tile + 1) * TILE_PX > width;
        let has_all = || (0..tile_ends.len()).all(|tile| self.has_tile(tile) || !must_be_there(tile));
        tile_ends.len() == width.div_ceil(TILE_PX)
            && checks.len() == self.group_count() + 1
            && (encoded_rows.is_empty() || encoded_rows.len() == rows + 1)
            && tile_ends.chunks(GROUP_TILES).all(<[_]>::is_sorted)
            && encoded_rows.is_sorted()
            && lies_inside(*tiles_at, self.all_tiles().len())
            && lies_inside(*rows_at, self.all_rows().len())
            && (base.is_some() || has_all())
    }

    /// Whether a tile is its own.
    pub(super) fn has_tile(&self, tile: usize) -> bool {
        !self.tile(tile).is_empty()
    }

    /// The tile that a tile is stored as, without a base.
    fn stored_as(&self, tile: usize) -> usize {
        let group = tile - tile % GROUP_TILES;
        (group..=tile).rfind(|&tile| self.has_tile(tile)).expect("the first tile of a group is there")
    }

    /// Whether all of its tiles are the base's.
    pub(super) fn has_no_tiles(&self) -> bool {
        self.tile_ends.iter().all(|&end| end == 0)
    }

    /// Where a part of its tiles lies in the picture.
    fn of_tiles(&self, part: Range<usize>) -> Range<usize> {
        let start = self.tiles_at as usize;
        start + part.start..start + part.end
    }

    /// Where all tiles lie in the picture.
    fn all_tiles(&self) -> Range<usize> {
        self.of_tiles(0..self.start_of_group(self.group_count()))
    }

    fn check_of_rows(&self) -> &PartCheck {
        self.checks.last().expect("one is of encoded rows")
    }

    /// Where all encoded rows lie in the picture.
    fn all_rows(&self) -> Range<usize> {
        let start = self.rows_at as usize;
        start..start + self.encoded_rows.last().map_or(0, |&end| end as usize)
    }

    /// Where a tile lies among the tiles.
    fn tile(&self, number: usize) -> Range<usize> {
        let group = self.start_of_group(number / GROUP_TILES);
        let start = if number.is_multiple_of(GROUP_TILES) { 0 } else { self.tile_ends[number - 1] };
        group + usize::from(start)..group + usize::from(self.tile_ends[number])
    }
}

/// Colours of all pixels of straight RGBA.
fn rgb_of(rgba: &[u8]) -> Vec<u8> {
    let mut rgb = vec![0; rgba.len() / 4 * 3];
    widely(TakeColours { rgba: rgba.as_chunks().0, rgb: &mut rgb });
    rgb
}

struct TakeColours<'a> {
    rgba: &'a [[u8; 4]],
    rgb: &'a mut [u8],
}

impl NullaryFnOnce for TakeColours<'_> {
    type Output = ();

    /// Colours of four pixels are three words.
    #[inline(always)]
    fn call(self) {
        let ((fours, rest), (to_fours, to_rest)) = (self.rgba.as_chunks(), self.rgb.as_chunks_mut::<12>());
        for (to, four) in to_fours.iter_mut().zip(fours) {
            let [a, b, c, d]: [u32; 4] = four.map(|pixel| u32::from_le_bytes(pixel) & 0xFF_FFFF);
            let words = [a | b << 24, b >> 8 | c << 16, c >> 16 | d << 8];
            to.as_chunks_mut().0.iter_mut().zip(words).for_each(|(to, word)| *to = word.to_le_bytes());
        }
        to_rest.as_chunks_mut().0.iter_mut().zip(rest).for_each(|(to, [r, g, b, _])| *to = [*r, *g, *b]);
    }
}

/// The opposite: pixels with an alpha of 255 each. What `rgba` has beyond them stays.
pub(crate) fn lay_opaque(rgb: &[u8], rgba: &mut [u8]) {
    widely(AddAlphas { rgb, rgba: &mut rgba[..rgb.len() / 3 * 4] });
}

struct AddAlphas<'a> {
    rgb: &'a [u8],
    rgba: &'a mut [u8],
}

impl NullaryFnOnce for AddAlphas<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let ((fours, rest), (to_fours, to_rest)) = (self.rgb.as_chunks(), self.rgba.as_chunks_mut());
        to_fours.iter_mut().zip(fours).for_each(|(to, from)| lay_four(from, to));
        let opaque = |&[r, g, b]: &[u8; 3]| [r, g, b, 255];
        to_rest.as_chunks_mut().0.iter_mut().zip(rest.as_chunks().0).for_each(|(to, from)| *to = opaque(from));
    }
}

/// Four pixels, two at a time: where registers are narrow a third less time than one after the other.
#[inline(always)]
fn lay_four(rgb: &[u8; 12], to: &mut [u8; 16]) {
    const COLOURS: u64 = 0xFF_FFFF;
    const OPAQUE: u64 = 0xFF00_0000_FF00_0000;
    let [first, last] = [rgb.first_chunk(), rgb.last_chunk()].map(|eight| u64::from_le_bytes(*eight.expect("twelve bytes")));
    let two = |left: u64, right: u64| (left | (right << 32) | OPAQUE).to_le_bytes();
    to[..8].copy_from_slice(&two(first & COLOURS, (first >> 24) & COLOURS));
    to[8..].copy_from_slice(&two((last >> 16) & COLOURS, last >> 40));
}

/// What was read of a strip so far. It can be used for one strip after the other, and keeps its memory.
#[derive(Debug, Default)]
pub(super) struct Strip {
    /// Tiles that were unpacked before, as long as no other is needed.
    known: Option<Arc<Tiles>>,
    /// Those unpacked here, or all once there are some.
    tiles: Tiles,
    has_new: bool,
    /// All encoded rows, if any was asked for, and how many bytes that is.
    encoded: Vec<u8>,
    encoded_bytes: usize,
}

/// A strip that is being read.
pub(super) struct StripReader<'a, 'k> {
    pub(super) strip: &'a mut Strip,
    pub(super) own: (&'a StripPlace, &'a mut CachedPictureReader<'k>),
    pub(super) base: Option<(&'a StripPlace, &'a mut CachedPictureReader<'k>)>,
    pub(super) width: usize,
}

impl Strip {
    /// Begins with another strip, of which these tiles are there already.
    pub(super) fn begin(&mut self, known: Option<Arc<Tiles>>, width: usize, rows: usize) {
        self.known = known;
        self.tiles.begin(width, rows);
        (self.has_new, self.encoded_bytes) = (false, 0);
    }

    /// Lets go of all that was read, but for its memory.
    pub(super) fn forget(&mut self) {
        (self.known, self.has_new, self.encoded_bytes) = (None, false, 0);
    }

    fn tiles(&self) -> &Tiles {
        self.known.as_deref().unwrap_or(&self.tiles)
    }

    /// All tiles, if some were unpacked here.
    pub(super) fn new_tiles(&self) -> Option<&Tiles> {
        self.has_new.then_some(&self.tiles)
    }
}

impl<'a> StripReader<'a, '_> {
    /// Some columns, at least one, of a row and of all rows below.
    pub(super) fn rows(mut self, row: usize, columns: Range<usize>) -> io::Result<TiledRows<'a>> {
        let wanted = columns.start / TILE_PX..columns.end.div_ceil(TILE_PX);
        if !self.strip.tiles().has_all(wanted.clone()) {
            self.unpack(wanted)?;
        }
        Ok(self.strip.tiles().rows(row, columns))
    }

    /// Reads those of these tiles that were not read before.
    fn unpack(&mut self, wanted: Range<usize>) -> io::Result<()> {
        let Self { strip: Strip { known, tiles, has_new, .. }, own, base, .. } = self;
        if let Some(known) = known.take() {
            tiles.copy(&known);
        }
        *has_new = true;
        let (own_place, has_base) = (own.0, base.is_some());
        for tile in wanted.clone() {
            if tiles.has(tile) {
                continue;
            }
            let (place, kept) = match base {
                Some(base) if !own_place.has_tile(tile) => base,
                _ => &mut *own,
            };
            let stored_as = if place.has_tile(tile) { tile } else { place.stored_as(tile) };
            // A look may have changed the tile that others of its base are stored as.
            let unpacked = if has_base && own_place.has_tile(stored_as) { tile } else { stored_as };
            if !tiles.has(unpacked) {
                let group = tile / GROUP_TILES;
                kept.compare(place.of_tiles(place.bytes_of_group(group)), &place.checks[group])?;
                let wanted_end = place.of_tiles(place.tile(wanted.end - 1)).end;
                let stored = kept.read(place.of_tiles(place.tile(stored_as)), wanted_end)?;
                tiles.unpack(unpacked, stored).ok_or(io::ErrorKind::InvalidData)?;
            }
            tiles.set_same(tile, unpacked);
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
        let part = place.all_rows();
        if *encoded_bytes == 0 {
            if encoded.len() < part.len() {
                encoded.resize(part.len(), 0);
            }
            kept.read_into(part.start, &mut encoded[..part.len()])?;
            kept.accept(&encoded[..part.len()], place.check_of_rows())?;
            *encoded_bytes = part.len();
        }
        Ok(EncodedRow::new(&encoded[place.encoded_rows[row] as usize..*encoded_bytes], width))
    }

    /// All that is stored of the strip itself: tiles, and encoded rows.
    pub(super) fn stored(self) -> io::Result<(&'a StripPlace, Vec<u8>, Vec<u8>)> {
        let (place, kept) = self.own;
        let [tiles, rows] = [place.all_tiles(), place.all_rows()].map(|part| {
            let mut bytes = vec![0; part.len()];
            kept.read_into(part.start, &mut bytes).map(|()| bytes)
        });
        let (tiles, rows) = (tiles?, rows?);
        place.groups().zip(&place.checks).try_for_each(|(group, check)| kept.accept(&tiles[group], check))?;
        kept.accept(&rows, place.check_of_rows())?;
        Ok((place, tiles, rows))
    }

    /// Compares all that is stored of the strip itself with its checksums.
    pub(super) fn compare(self) -> io::Result<()> {
        let (place, kept) = self.own;
        place.groups().zip(&place.checks).try_for_each(|(group, check)| kept.compare(place.of_tiles(group), check))?;
        kept.compare(place.all_rows(), place.check_of_rows())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn rows_of_any_length_become_opaque() {
        for width in 0..10 {
            let rgb: Vec<u8> = (0..width * 3).map(|at| at as u8 * 9 + 1).collect();
            let mut rgba = vec![7; width * 4];
            super::lay_opaque(&rgb, &mut rgba);
            let expected: Vec<u8> = rgb.chunks(3).flat_map(|pixel| [pixel, &[255]].concat()).collect();
            assert_eq!(rgba, expected);
        }
    }
}
