//! Tiles of pictures as scenes copy them, and those that were used last, kept under a budget.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lz4_flex::block::{CompressTable, compress_into_with_table, decompress_into, get_maximum_output_size};
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use crate::wide::{NullaryFnOnce, widely};

/// Columns of a whole tile.
pub(crate) const TILE_PX: usize = 32;

/// Tiles of a strip that were unpacked, as far as somebody needed them. It can be used for one strip after the other,
/// and keeps its memory.
#[derive(Debug, Default)]
pub(super) struct Tiles {
    /// Pixels of a row of the picture.
    width: usize,
    /// How many rows the strip has.
    rows: usize,
    /// Null for those that are not here.
    places: Vec<Option<TilePlace>>,
    /// Tiles in the order in which they came. What lies behind `used` is of no meaning.
    bytes: Vec<u8>,
    used: usize,
    /// Room for a tile with an alpha per pixel.
    narrow: Vec<u8>,
}

/// Where a tile lies, and what of it is there.
#[derive(Clone, Copy, Debug)]
struct TilePlace {
    start: u32,
    /// Whether a row has alphas behind its colours.
    has_alphas: bool,
    /// A bit for each row, from the lowest, says whether it is the same as the one above and left out.
    repeats: u32,
}

/// Some columns of a row of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TileRow<'a> {
    /// Three bytes per pixel.
    pub(crate) colours: &'a [u8],
    /// Three times the same per pixel, as they are blended; empty where all are opaque or can't be seen at all.
    pub(crate) alphas: &'a [u8],
}

/// Rows of some columns of a tile, top to bottom.
#[derive(Clone)]
pub(crate) struct TileRows<'a> {
    /// The row that came last.
    row: &'a [u8],
    /// Rows that have not come yet.
    rest: &'a [u8],
    row_bytes: usize,
    colours: Range<usize>,
    alphas: Range<usize>,
    repeats: u32,
    left: usize,
}

impl<'a> Iterator for TileRows<'a> {
    type Item = TileRow<'a>;

    #[inline]
    fn next(&mut self) -> Option<TileRow<'a>> {
        self.left = self.left.checked_sub(1)?;
        let is_new = self.repeats & 1 == 0;
        self.repeats >>= 1;
        if is_new {
            (self.row, self.rest) = self.rest.split_at(self.row_bytes);
        }
        Some(TileRow { colours: &self.row[self.colours.clone()], alphas: &self.row[self.alphas.clone()] })
    }
}

/// Some columns of rows one below the other, from a row to the last that there is, tile by tile.
#[derive(Clone, Copy)]
pub(crate) struct TiledRows<'a> {
    tiles: &'a Tiles,
    row: usize,
    start: usize,
    end: usize,
}

impl<'a> TiledRows<'a> {
    /// How many rows there are.
    pub(crate) fn count(self) -> usize {
        self.tiles.rows - self.row
    }

    /// What each tile has of them, left to right, with its columns as counted from the first.
    pub(crate) fn parts(self) -> impl Iterator<Item = (Range<usize>, TileRows<'a>)> {
        let Self { tiles, row, start, end } = self;
        (start / TILE_PX..end.div_ceil(TILE_PX)).map(move |tile| {
            let columns = start.max(tile * TILE_PX)..end.min((tile + 1) * TILE_PX);
            (columns.start - start..columns.end - start, tiles.rows_of_tile(tile, row, columns))
        })
    }
}

impl Tiles {
    /// Begins with a strip of so many rows of a picture of this width, of which no tile is here.
    pub(super) fn begin(&mut self, width: usize, rows: usize) {
        (self.width, self.rows, self.used) = (width, rows, 0);
        self.places.clear();
        self.places.resize(width.div_ceil(TILE_PX), None);
    }

    /// Takes over the tiles of a strip that began with the same size.
    pub(super) fn copy(&mut self, other: &Self) {
        self.places.copy_from_slice(&other.places);
        self.used = 0;
        self.room(other.used).copy_from_slice(&other.bytes[..other.used]);
        self.used = other.used;
    }

    /// The same tiles, in no more memory than they need.
    fn compact(&self) -> Self {
        let Self { width, rows, ref places, ref bytes, used, .. } = *self;
        Self { width, rows, places: places.clone(), bytes: bytes[..used].to_vec(), used, narrow: Vec::new() }
    }

    /// Whether a tile is here.
    pub(super) fn has(&self, tile: usize) -> bool {
        self.places[tile].is_some()
    }

    /// Whether all of these tiles are here.
    pub(super) fn has_all(&self, tiles: Range<usize>) -> bool {
        self.places[tiles].iter().all(Option::is_some)
    }

    /// Room for so many bytes of a tile that follows.
    fn room(&mut self, length: usize) -> &mut [u8] {
        let end = self.used + length;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        &mut self.bytes[self.used..end]
    }

    /// Unpacks a tile from what [`TilePacker`] made. Null, and the tile is not here, if it isn't one.
    pub(super) fn unpack(&mut self, tile: usize, stored: &[u8]) -> Option<()> {
        let (bits, packed) = stored.split_first_chunk()?;
        let bits = u32::from_le_bytes(*bits);
        let (has_alphas, repeats) = (bits & HAS_ALPHAS != 0, bits & !HAS_ALPHAS);
        let kept = self.rows.checked_sub(repeats.count_ones() as usize)?;
        (u64::from(repeats) < 1 << self.rows).then_some(())?;
        let px = (self.width - tile * TILE_PX).min(TILE_PX);
        let length = kept * px * if has_alphas { 4 } else { 3 };
        let decompress = |to: &mut [u8]| {
            if packed.len() == length {
                to.copy_from_slice(packed);
                return true;
            }
            decompress_into(packed, to).is_ok_and(|read| read == length)
        };
        let held = if has_alphas {
            let mut narrow = std::mem::take(&mut self.narrow);
            narrow.resize(narrow.len().max(length), 0);
            decompress(&mut narrow[..length]).then_some(())?;
            let held = kept * px * 6;
            widely(Widen { narrow: &narrow[..length], px, to: self.room(held) });
            self.narrow = narrow;
            held
        } else {
            decompress(self.room(length)).then_some(())?;
            length
        };
        self.places[tile] = Some(TilePlace { start: self.used as u32, has_alphas, repeats });
        self.used += held;
        Some(())
    }

    /// Tells that a tile shows the same as another one, which is here and as wide.
    pub(super) fn set_same(&mut self, tile: usize, other: usize) {
        self.places[tile] = self.places[other];
    }

    /// Columns of the picture, at least one, in a row and all below it.
    ///
    /// # Panics
    /// When its rows are read, if a tile of them is not here.
    pub(super) fn rows(&self, row: usize, columns: Range<usize>) -> TiledRows<'_> {
        TiledRows { tiles: self, row, start: columns.start, end: columns.end }
    }

    fn rows_of_tile(&self, tile: usize, row: usize, columns: Range<usize>) -> TileRows<'_> {
        let TilePlace { start, has_alphas, repeats } = self.places[tile].expect("whoever reads a tile unpacks it first");
        let first = tile * TILE_PX;
        let px = (self.width - first).min(TILE_PX);
        let row_bytes = if has_alphas { px * 6 } else { px * 3 };
        let left_out = (repeats & (u32::MAX >> (u32::BITS as usize - 1 - row))).count_ones() as usize;
        let columns = columns.start - first..columns.end - first;
        TileRows {
            row: &[],
            rest: &self.bytes[start as usize + (row - left_out) * row_bytes..],
            row_bytes,
            colours: columns.start * 3..columns.end * 3,
            alphas: if has_alphas { (px + columns.start) * 3..(px + columns.end) * 3 } else { 0..0 },
            // The first row counts as new, whatever lies above it.
            repeats: repeats >> row & !1,
            left: self.rows - row,
        }
    }

    fn held_bytes(&self) -> usize {
        self.used + self.places.len() * size_of::<Option<TilePlace>>() + size_of::<Self>()
    }
}

/// The bit of the first row, which has none above it, says whether there are alphas.
const HAS_ALPHAS: u32 = 1;

/// Packs tiles one after the other, and keeps its memory.
#[derive(Default)]
pub(super) struct TilePacker(CompressTable);

impl TilePacker {
    /// Appends a tile as it is stored: a bit for each row, from the lowest, which says whether it is the same as the
    /// one above and left out; then rows of colours, with `row_bytes` each, and, where some are translucent, of alphas,
    /// compressed. What is hardly smaller then, as most photographs are, is stored as it is: reading more takes less
    /// time than unpacking.
    pub(super) fn pack(&mut self, rows: &[u8], row_bytes: usize, repeats: u32, has_alphas: bool, out: &mut Vec<u8>) {
        out.extend((repeats | if has_alphas { HAS_ALPHAS } else { 0 }).to_le_bytes());
        if !has_alphas && looks_noisy(rows, row_bytes) {
            out.extend_from_slice(rows);
            return;
        }
        let start = out.len();
        out.resize(start + get_maximum_output_size(rows.len()), 0);
        let packed = compress_into_with_table(rows, &mut out[start..], &mut self.0);
        let packed = packed.expect("there is room for the most it can be");
        if packed <= rows.len() / 2 {
            out.truncate(start + packed);
        } else {
            out.truncate(start);
            out.extend_from_slice(rows);
        }
    }
}

/// Whether so few bytes are as those of the pixel to the left, or of the one above, that compressing them is a waste of
/// time.
fn looks_noisy(rows: &[u8], row_bytes: usize) -> bool {
    let alike = |by: usize| {
        let pairs = rows.iter().zip(&rows[by.min(rows.len())..]);
        pairs.map(|(one, other)| u32::from(one == other)).sum::<u32>() as usize
    };
    let least = rows.len() / 4;
    alike(3) < least && alike(row_bytes) < least
}

/// Spreads the alphas of rows with `px` pixels, which lie behind their colours, to three of each.
struct Widen<'a> {
    narrow: &'a [u8],
    px: usize,
    to: &'a mut [u8],
}

impl NullaryFnOnce for Widen<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { narrow, px, to } = self;
        for (to, from) in to.chunks_exact_mut(px * 6).zip(narrow.chunks_exact(px * 4)) {
            let ((colours, alphas), (to_colours, to_alphas)) = (from.split_at(px * 3), to.split_at_mut(px * 3));
            to_colours.copy_from_slice(colours);
            widen(alphas, to_alphas);
        }
    }
}

/// Each alpha three times: four alphas are three words.
#[inline(always)]
fn widen(alphas: &[u8], to: &mut [u8]) {
    let ((fours, rest), (to_fours, to_rest)) = (alphas.as_chunks::<4>(), to.as_chunks_mut::<12>());
    for (to, four) in to_fours.iter_mut().zip(fours) {
        let [a, b, c, d] = four.map(u32::from);
        let words = [(a * 0x01_0101) | (b << 24), (b * 0x0101) | (c * 0x0101_0000), c | (d * 0x0101_0100)];
        to.as_chunks_mut().0.iter_mut().zip(words).for_each(|(to, word)| *to = word.to_le_bytes());
    }
    to_rest.as_chunks_mut().0.iter_mut().zip(rest).for_each(|(to, &alpha)| *to = [alpha; 3]);
}

/// Tiles by picture and strip.
pub(super) type StripKey = (u64, usize);

/// Tiles of pictures that were used before. Whoever composes whole pictures takes them from here.
#[derive(Debug)]
pub(crate) struct DecodedTiles {
    kept: Cache<StripKey, Arc<Tiles>, HeldBytes>,
    /// Strips for which there was no room when they were asked for last, each where its key says.
    refused: Box<[AtomicU64]>,
}

#[derive(Clone, Debug)]
struct HeldBytes;

impl Weighter<StripKey, Arc<Tiles>> for HeldBytes {
    fn weight(&self, _: &StripKey, tiles: &Arc<Tiles>) -> u64 {
        tiles.held_bytes() as u64
    }
}

/// What a strip of a window holds, about.
const USUAL_BYTES: usize = 48 << 10;
/// How many refused strips are known, as a power of two: those of some hundred scenes.
const REFUSED_BITS: u32 = 15;

impl DecodedTiles {
    pub(super) fn new(budget_bytes: usize) -> Self {
        let options = OptionsBuilder::new()
            .shards(1)
            .estimated_items_capacity((budget_bytes / USUAL_BYTES).clamp(16, 1 << 16))
            .weight_capacity(budget_bytes as u64)
            .build()
            .expect("all that must be given is given");
        let kept = Cache::with_options(options, HeldBytes, DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self { kept, refused: (0..1 << REFUSED_BITS).map(|_| AtomicU64::new(0)).collect() }
    }

    pub(super) fn get(&self, key: StripKey) -> Option<Arc<Tiles>> {
        self.kept.get(&key)
    }

    /// Keeps tiles as long as there is room. After that only what is asked for again drives something else out: of ever
    /// new scenes little is, and what is not kept costs no memory.
    pub(super) fn keep(&self, key: StripKey, tiles: &Tiles) {
        let has_room = self.kept.weight() + tiles.held_bytes() as u64 <= self.kept.capacity();
        if has_room || self.kept.contains_key(&key) || self.was_refused(key) {
            self.kept.insert(key, Arc::new(tiles.compact()));
        }
    }

    /// Whether a strip was refused before, not long ago; from now on it was.
    fn was_refused(&self, (picture, strip): StripKey) -> bool {
        // Strips of a picture are far fewer than that. Above 0, as is no key.
        let name = (picture + 1) << 20 | strip as u64;
        // Neighbours in it lie far apart.
        let at = name.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - REFUSED_BITS);
        self.refused[at as usize].swap(name, Ordering::Relaxed) == name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tile as it is stored.
    fn stored(plain: &[u8], repeats: u32, has_alphas: bool) -> Vec<u8> {
        let mut out = Vec::new();
        TilePacker::default().pack(plain, 96, repeats, has_alphas, &mut out);
        out
    }

    /// Colours and alphas of some columns, row by row.
    fn read(tiles: &Tiles, row: usize, columns: Range<usize>) -> Vec<(Vec<u8>, Vec<u8>)> {
        let rows = tiles.rows(row, columns);
        let mut all = vec![(Vec::new(), Vec::new()); rows.count()];
        for (columns, part) in rows.parts() {
            for ((colours, alphas), row) in all.iter_mut().zip(part) {
                assert_eq!(colours.len(), columns.start * 3);
                colours.extend_from_slice(row.colours);
                alphas.extend_from_slice(row.alphas);
            }
        }
        all
    }

    #[test]
    fn rows_that_repeat_and_alphas_lie_where_they_belong() {
        let mut tiles = Tiles::default();
        tiles.begin(100, 3);
        assert!(!tiles.has(3));
        // A narrow tile with alphas, of which the second row is the first again.
        let plain: Vec<u8> = (0..32).collect();
        tiles.unpack(3, &stored(&plain, 0b010, true)).unwrap();
        let first = (vec![3, 4, 5, 6, 7, 8], vec![13, 13, 13, 14, 14, 14]);
        let last = (vec![19, 20, 21, 22, 23, 24], vec![29, 29, 29, 30, 30, 30]);
        assert_eq!(read(&tiles, 0, 97..99), [first.clone(), first.clone(), last.clone()]);
        assert_eq!(read(&tiles, 1, 97..99), [first, last.clone()]);
        assert_eq!(read(&tiles, 2, 97..99), [last]);
        // One without, of which all rows are the same.
        tiles.unpack(2, &stored(&[8; 96], 0b110, false)).unwrap();
        assert_eq!(read(&tiles, 1, 95..97)[1], (vec![8, 8, 8, 16, 17, 18], vec![28; 3]));
        assert!(tiles.has_all(2..4) && !tiles.has_all(1..4));
        let mut other = Tiles::default();
        other.begin(100, 3);
        other.copy(&tiles.compact());
        assert_eq!(read(&other, 0, 64..100), read(&tiles, 0, 64..100));
        // What was there before is gone.
        tiles.begin(40, 2);
        assert!(!tiles.has(0) && !tiles.has(1));
        tiles.unpack(1, &stored(&[5; 48], 0, false)).unwrap();
        assert_eq!(read(&tiles, 1, 39..40), [(vec![5; 3], vec![])]);
    }

    #[test]
    fn what_is_no_tile_is_refused() {
        let mut tiles = Tiles::default();
        tiles.begin(32, 3);
        let rows = |count: usize| vec![1; count * 96];
        for stored in [
            stored(&rows(3)[1..], 0, false),
            stored(&rows(3), 0, true),
            stored(&rows(3), 0b100, false),
            stored(&rows(2), 0b1000, false),
            stored(&[], 0b1110, false),
            stored(&rows(3), 0, false)[..9].to_vec(),
            vec![0; 3],
        ] {
            assert_eq!((tiles.unpack(0, &stored), tiles.has(0)), (None, false), "{stored:?}");
        }
    }

    #[test]
    fn no_more_is_kept_than_the_budget_allows() {
        let kept = DecodedTiles::new(100_000);
        let mut tiles = Tiles::default();
        tiles.begin(100, 32);
        for tile in 0..3 {
            tiles.unpack(tile, &stored(&[7; 32 * 96], 0, false)).unwrap();
        }
        let held = || -> Vec<usize> { (0..100).filter(|&strip| kept.get((1, strip)).is_some()).collect() };
        (0..100).for_each(|strip| kept.keep((1, strip), &tiles));
        // What came first stays.
        let first = held();
        assert!((1..=100_000 / 9_216).contains(&first.len()) && first.iter().copied().eq(0..first.len()), "{first:?}");
        // What is asked for again does not.
        (80..100).for_each(|strip| kept.keep((1, strip), &tiles));
        let second = held();
        assert!(second.len() <= first.len() && second.iter().any(|&strip| strip >= 80), "{second:?}");
        let none = DecodedTiles::new(0);
        (0..3).for_each(|_| none.keep((1, 0), &tiles));
        assert!(none.get((1, 0)).is_none());
    }
}
