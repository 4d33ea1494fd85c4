//! Rows of pictures as scenes copy them, and those that were used last, kept under a budget.

use std::ops::Range;
use std::sync::Arc;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

/// Columns of a whole tile.
pub(super) const TILE_PX: usize = 32;

/// Rows of a picture that were taken from its tiles, as far as somebody needed them.
#[derive(Clone, Debug, Default)]
pub(super) struct PlainRows {
    width: usize,
    rows: usize,
    runs: Vec<TileRun>,
}

/// Tiles side by side, as rows.
#[derive(Clone, Debug)]
struct TileRun {
    tiles: Range<usize>,
    /// First column of the picture, and pixels of a row.
    start: usize,
    width: usize,
    /// Three bytes per pixel.
    rgb: Vec<u8>,
    /// Each pixel's alpha three times, so that it lies beside every byte of the colours; 0 in tiles without alphas, and
    /// empty as long as no tile has any.
    alphas: Vec<u8>,
}

/// Most pieces of memory that a reader keeps for the next strip.
const MAX_SPARE: usize = 4;

/// Columns of a tile of a picture of this width.
pub(super) fn tile_px(width: usize, tile: usize) -> usize {
    (width - tile * TILE_PX).min(TILE_PX)
}

/// Some columns of rows one below the other, from a row to the last that there is.
#[derive(Clone, Copy)]
pub(crate) struct RowBlock<'a> {
    /// Three bytes per pixel, and whatever lies between the columns of one row and those of the next.
    pub(crate) colours: &'a [u8],
    /// The same of alphas, as [`PlainRows::part`] has them; empty where there are none.
    pub(crate) alphas: &'a [u8],
    /// From the beginning of a row to that of the next.
    pub(crate) row_bytes: usize,
}

impl TileRun {
    /// Room for tiles. What stands in it is of no meaning until all of them are put there.
    fn new(tiles: Range<usize>, width: usize, rows: usize, spare: &mut Vec<Vec<u8>>) -> Self {
        let start = tiles.start * TILE_PX;
        let own_width = (tiles.end * TILE_PX).min(width) - start;
        let mut rgb = spare.pop().unwrap_or_default();
        rgb.resize(own_width * rows * 3, 0);
        Self { tiles, start, width: own_width, rgb, alphas: Vec::new() }
    }

    /// Takes over the rows of a run that lies within this one.
    fn take(&mut self, other: &Self) {
        let at = (other.start - self.start) * 3;
        if !other.alphas.is_empty() {
            self.alphas.resize(self.rgb.len(), 0);
        }
        let rows = [(&mut self.rgb, &other.rgb), (&mut self.alphas, &other.alphas)];
        for (to, from) in rows.into_iter().filter(|(_, from)| !from.is_empty()) {
            for (to, from) in to.chunks_exact_mut(self.width * 3).zip(from.chunks_exact(other.width * 3)) {
                to[at..at + from.len()].copy_from_slice(from);
            }
        }
    }
}

impl PlainRows {
    /// Makes room for rows of a picture of this width, of which no tile is here. Memory that was in use goes to
    /// `spare`.
    pub(super) fn begin(&mut self, width: usize, rows: usize, spare: &mut Vec<Vec<u8>>) {
        (self.width, self.rows) = (width, rows);
        spare.extend(self.runs.drain(..).map(|run| run.rgb));
        spare.truncate(MAX_SPARE);
    }

    /// Forgets all tiles.
    pub(super) fn clear(&mut self) {
        self.runs.clear();
    }

    /// Colours and alphas of some pixels of a row, three bytes each per pixel; no alphas where all are opaque or can't
    /// be seen at all. Null if not all of their tiles are here side by side.
    pub(super) fn part(&self, row: usize, columns: Range<usize>) -> Option<(&[u8], &[u8])> {
        let bytes = columns.len() * 3;
        let RowBlock { colours, alphas, .. } = self.block(row, columns)?;
        Some((&colours[..bytes], alphas.get(..bytes).unwrap_or_default()))
    }

    /// The same, and these columns of all rows below.
    pub(super) fn block(&self, row: usize, columns: Range<usize>) -> Option<RowBlock<'_>> {
        let run = self.runs.iter().find(|run| run.start <= columns.start && columns.end <= run.start + run.width)?;
        let start = (row * run.width + columns.start - run.start) * 3;
        let alphas = run.alphas.get(start..).unwrap_or_default();
        Some(RowBlock { colours: &run.rgb[start..], alphas, row_bytes: run.width * 3 })
    }

    /// Makes room for tiles side by side, in `spare` memory if there is some; returns those that must be put there.
    pub(super) fn add(&mut self, tiles: Range<usize>, spare: &mut Vec<Vec<u8>>) -> Vec<Range<usize>> {
        let touches = |run: &TileRun| run.tiles.start <= tiles.end && tiles.start <= run.tiles.end;
        let (mut known, apart): (Vec<TileRun>, Vec<TileRun>) = std::mem::take(&mut self.runs).into_iter().partition(touches);
        known.sort_unstable_by_key(|run| run.tiles.start);
        let start = known.first().map_or(tiles.start, |run| run.tiles.start.min(tiles.start));
        let end = known.last().map_or(tiles.end, |run| run.tiles.end.max(tiles.end));
        let mut run = TileRun::new(start..end, self.width, self.rows, spare);
        let (mut missing, mut at) = (Vec::new(), start);
        for other in &known {
            run.take(other);
            missing.push(at..other.tiles.start);
            at = other.tiles.end;
        }
        missing.push(at..end);
        missing.retain(|tiles| !tiles.is_empty());
        spare.extend(known.into_iter().map(|run| run.rgb));
        self.runs = apart;
        self.runs.push(run);
        missing
    }

    /// Puts a tile there, into the room that was made last: rows of colours and then, in `row_bytes` that have room for
    /// them, of alphas. A bit of `repeats` for each row, from the lowest, says whether it is the same as the one above
    /// and left out.
    pub(super) fn put(&mut self, tile: usize, plain: &[u8], row_bytes: usize, repeats: u32) {
        let px = tile_px(self.width, tile);
        let run = self.runs.last_mut().expect("room was made");
        let has_alphas = row_bytes > px * 3;
        if has_alphas && run.alphas.is_empty() {
            run.alphas.resize(run.rgb.len(), 0);
        }
        let (mut rest, mut above) = (plain, plain);
        for row in 0..self.rows {
            if repeats & (1 << row) == 0 {
                (above, rest) = rest.split_at(row_bytes);
            }
            let (colours, alphas) = above[..row_bytes].split_at(px * 3);
            let at = (row * run.width + tile * TILE_PX - run.start) * 3;
            copy_short(colours, &mut run.rgb[at..][..px * 3]);
            if has_alphas {
                let to = run.alphas[at..][..px * 3].as_chunks_mut::<3>().0;
                to.iter_mut().zip(alphas).for_each(|(to, &alpha)| *to = [alpha; 3]);
            }
        }
    }

    fn held_bytes(&self) -> usize {
        self.runs.iter().map(|run| run.rgb.capacity() + run.alphas.capacity() + size_of::<TileRun>()).sum::<usize>()
            + size_of::<Self>()
    }
}

/// Copies pixels of a tile's row: most have a length that the compiler knows.
fn copy_short(from: &[u8], to: &mut [u8]) {
    match (<&[u8; TILE_PX * 3]>::try_from(from), <&mut [u8; TILE_PX * 3]>::try_from(&mut *to)) {
        (Ok(from), Ok(to)) => *to = *from,
        _ => to.copy_from_slice(from),
    }
}

/// Rows by picture and strip.
pub(super) type RowsKey = (u64, usize);

/// Rows of pictures that were used last. Whoever composes whole pictures takes them from here.
#[derive(Debug)]
pub(crate) struct DecodedRows(Cache<RowsKey, Arc<PlainRows>, HeldBytes>);

#[derive(Clone, Debug)]
struct HeldBytes;

impl Weighter<RowsKey, Arc<PlainRows>> for HeldBytes {
    fn weight(&self, _: &RowsKey, rows: &Arc<PlainRows>) -> u64 {
        rows.held_bytes() as u64
    }
}

/// What a strip of a window holds, about.
const USUAL_BYTES: usize = 96 << 10;

impl DecodedRows {
    pub(super) fn new(budget_bytes: usize) -> Self {
        let options = OptionsBuilder::new()
            .shards(1)
            .estimated_items_capacity((budget_bytes / USUAL_BYTES).clamp(16, 1 << 16))
            .weight_capacity(budget_bytes as u64)
            .build()
            .expect("all that must be given is given");
        Self(Cache::with_options(options, HeldBytes, DefaultHashBuilder::default(), DefaultLifecycle::default()))
    }

    pub(super) fn get(&self, key: RowsKey) -> Option<Arc<PlainRows>> {
        self.0.get(&key)
    }

    pub(super) fn keep(&self, key: RowsKey, rows: &Arc<PlainRows>) {
        self.0.insert(key, Arc::clone(rows));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_repeat_and_alphas_lie_where_they_belong() {
        let mut rows = PlainRows::default();
        let spare = &mut Vec::new();
        rows.begin(100, 3, spare);
        assert_eq!(rows.part(0, 96..100), None);
        assert_eq!(rows.add(3..4, spare), vec![3..4]);
        // A narrow tile with alphas, of which the second row is the first again.
        let plain: Vec<u8> = (0..32).collect();
        rows.put(3, &plain, 16, 0b010);
        assert_eq!(rows.part(0, 96..100), rows.part(1, 96..100));
        let expected = (&[19, 20, 21, 22, 23, 24][..], &[29, 29, 29, 30, 30, 30][..]);
        assert_eq!((rows.part(2, 97..99), rows.part(2, 95..99)), (Some(expected), None));
        let block = rows.block(1, 97..99).unwrap();
        assert_eq!((&block.colours[..6], &block.colours[block.row_bytes..][..6]), (rows.part(1, 97..99).unwrap().0, expected.0));
        assert_eq!((block.row_bytes, &block.alphas[12..18]), (12, expected.1));
        assert_eq!(rows.add(1..2, spare), vec![1..2]);
        rows.put(1, &[7; 96 * 3], 96, 0);
        assert_eq!(rows.part(1, 32..33), Some((&[7; 3][..], &[][..])));
        // What lies between joins both.
        assert_eq!(rows.add(2..4, spare), vec![2..3]);
        rows.put(2, &[8; 96], 96, 0b110);
        assert_eq!(rows.part(2, 63..65), Some((&[7, 7, 7, 8, 8, 8][..], &[0; 6][..])));
        assert_eq!(rows.part(2, 95..97), Some((&[8, 8, 8, 16, 17, 18][..], &[0, 0, 0, 28, 28, 28][..])));
        // What was there before is gone.
        rows.begin(40, 2, spare);
        assert_eq!(rows.part(0, 32..40), None);
        assert_eq!(rows.add(0..1, spare), vec![0..1]);
    }

    #[test]
    fn no_more_is_kept_than_the_budget_allows() {
        let kept = DecodedRows::new(100_000);
        let mut rows = PlainRows::default();
        rows.begin(100, 32, &mut Vec::new());
        rows.add(0..4, &mut Vec::new());
        let rows = Arc::new(rows);
        (0..100).for_each(|strip| kept.keep((1, strip), &rows));
        let held = (0..100).filter(|&strip| kept.get((1, strip)).is_some()).count();
        assert!((1..=100_000 / 9_600).contains(&held), "{held}");
        let none = DecodedRows::new(0);
        none.keep((1, 0), &rows);
        assert!(none.get((1, 0)).is_none());
    }
}
