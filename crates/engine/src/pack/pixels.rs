//! A picture ready to be composed: decoded and verified once, then kept in strips of rows, in a file or in memory. A
//! scene reads only the parts that it needs.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use windesk_model::geometry::{Rect, Size};
use windesk_model::{Error, ErrorKind};

use super::decoded::{StripKey, TILE_PX};
use super::picture_cache::{CachedPicture, PartCheck, head_of};
use super::shape::{Outline, Run, Shape, joined};
use super::strip::{PlainStrip, STRIP_ROWS, StripPlace};

/// A picture, ready to be composed.
#[derive(Debug)]
pub struct Pixels {
    /// Its own among all of this process.
    number: u64,
    size: Size,
    outline: Arc<Outline>,
    pub(super) kept: CachedPicture,
    /// A picture of the same size, which has what strips lack.
    pub(super) base: Option<Arc<Pixels>>,
    pub(super) strips: Vec<StripPlace>,
    is_encoded: bool,
}

/// Tells pictures apart; nothing else depends on it.
static NEXT_NUMBER: AtomicU64 = AtomicU64::new(0);

impl Pixels {
    /// Content to keep, from straight RGBA, row by row. `encoded` asks for encoded rows. Outside of `own`, where it is
    /// given, no pixel is the window's.
    pub(super) fn prepare(size: Size, rgba: &[u8], own: Option<&[Rect]>, encoded: bool) -> Vec<u8> {
        content_of(size, Some(&Outline::new(size, rgba, own)), rgba, None, encoded)
    }

    /// The same for this picture as the base of one of the same size; `before` is this picture's straight RGBA. What is
    /// the same in both is left out.
    pub(super) fn prepare_change(&self, before: &[u8], rgba: &[u8], own: Option<&[Rect]>, encoded: bool) -> Vec<u8> {
        let outline = Outline::new(self.size, rgba, own);
        content_of(self.size, Some(&outline).filter(|outline| **outline != *self.outline), rgba, Some(before), encoded)
    }

    /// A small picture that is in memory for good, from straight RGBA, row by row.
    pub(super) fn in_memory(size: Size, rgba: &[u8]) -> Self {
        Self::owned_in_memory(size, rgba, None)
    }

    /// A picture in memory for as long as it is used, from straight RGBA. Outside of `own`, where it is given, no pixel
    /// is the window's.
    pub(super) fn owned_in_memory(size: Size, rgba: &[u8], own: Option<&[Rect]>) -> Self {
        let content = Self::prepare(size, rgba, own, false);
        let kept = CachedPicture::Memory(content.as_slice().into());
        Self::just_prepared(size, None, kept, &content)
    }

    /// The same, as a change of this picture, which is as large and has the pixels `before`: what is the same in both
    /// is not kept again.
    pub(super) fn changed_in_memory(self: Arc<Self>, before: &[u8], rgba: &[u8], own: Option<&[Rect]>) -> Self {
        let content = self.prepare_change(before, rgba, own, self.is_encoded());
        let kept = CachedPicture::Memory(content.as_slice().into());
        Self::just_prepared(self.size, Some(self), kept, &content)
    }

    /// The same, as a change of this look, of which only some strips may differ: `rgba` has those, each from where
    /// `changed` says, and no alpha in them is another. What is the same as in the base of this look is not kept again.
    ///
    /// # Errors
    /// If a file in which this look is kept is gone or was changed.
    pub(super) fn changed_strips_in_memory(self: Arc<Self>, rgba: &[u8], changed: &[Option<usize>]) -> Result<Self, Error> {
        let base = Arc::clone(self.base.as_ref().unwrap_or(&self));
        let row_bytes = self.size.width as usize * 4;
        let (mut look, mut base_reader) = (self.reader(), base.reader());
        let rows_in = |first: usize, count: usize| Rect::at(0, first as i32, self.size.width as i32, count as i32);
        let mut content = Content::new((!Arc::ptr_eq(&self.outline, &base.outline)).then_some(&*self.outline));
        for (strip, &own) in changed.iter().enumerate() {
            let (first, count) = (strip * STRIP_ROWS, rows_of(self.size, strip));
            let above = usize::from(strip > 0);
            let last_above = strip.checked_sub(1).and_then(|before| Some(changed[before]? + (STRIP_ROWS - 1) * row_bytes));
            // A row is encoded as a change of the one above it.
            if !(own.is_some() || last_above.is_some() && self.is_encoded) {
                look.copy_strip(strip, &mut content)?;
                continue;
            }
            let rows_of_base = base_reader.rgba_in(rows_in(first - above, above + count))?;
            let mut rows = Vec::with_capacity(rows_of_base.len());
            for (start, first, count) in [(last_above, first - above, above), (own, first, count)] {
                if let Some(start) = start {
                    rows.extend_from_slice(&rgba[start..][..count * row_bytes]);
                } else if count > 0 {
                    rows.extend(look.rgba_in(rows_in(first, count))?);
                }
            }
            content.add_rows(self.size, above, &rows, Some(&rows_of_base), self.is_encoded);
        }
        drop((look, base_reader));
        let content = content.finished();
        let kept = CachedPicture::Memory(content.as_slice().into());
        Ok(Self::just_prepared(self.size, Some(base), kept, &content))
    }

    /// A picture of which all this content was just prepared.
    pub(super) fn just_prepared(size: Size, base: Option<Arc<Self>>, kept: CachedPicture, content: &[u8]) -> Self {
        let head = head_of(content).expect("what was just prepared has a head");
        Self::read(size, base, kept, head, content.len(), true).expect("what was just prepared can be read")
    }

    /// A picture of which content with this head is kept; null if that isn't what was prepared. `is_compared` says
    /// whether what follows the head is known to be.
    pub(super) fn read(
        size: Size,
        base: Option<Arc<Self>>,
        kept: CachedPicture,
        head: &[u8],
        content_bytes: usize,
        is_compared: bool,
    ) -> Option<Self> {
        let mut rest = head.get(4..)?;
        let outline = match (number(&mut rest)?, &base) {
            (0, Some(base)) => Arc::clone(&base.outline),
            _ => Arc::new(Outline::read(&mut rest, size)?),
        };
        let count = (size.height as usize).div_ceil(STRIP_ROWS);
        let strips = (0..count).map(|_| {
            let mut place = || number(&mut rest)?.checked_add(head.len() as u32);
            let (tiles_at, rows_at) = (place()?, place()?);
            let (tile_ends, encoded_rows) = (halves(&mut rest)?, numbers(&mut rest)?);
            let sums = numbers(&mut rest)?;
            let sums = sums.as_chunks().0.iter().map(|&[low, high]| u64::from(low) | u64::from(high) << 32);
            let checks = sums.map(|sum| PartCheck::new(sum, is_compared)).collect();
            Some(StripPlace { tiles_at, tile_ends, rows_at, encoded_rows, checks })
        });
        let strips: Vec<_> = strips.collect::<Option<_>>()?;
        for (number, place) in strips.iter().enumerate() {
            let base = base.as_ref().map(|base| &base.strips[number]);
            place.is_sound(size.width as usize, rows_of(size, number), content_bytes, base).then_some(())?;
        }
        let is_encoded =
            base.as_ref().is_some_and(|base| base.is_encoded) || strips.iter().all(|strip| !strip.encoded_rows.is_empty());
        Some(Self { number: NEXT_NUMBER.fetch_add(1, Ordering::Relaxed), size, outline, kept, base, strips, is_encoded })
    }

    /// Size of the picture.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Which pixels belong to the window.
    pub fn shape(&self) -> &Arc<Shape> {
        self.outline.shape()
    }

    /// Runs of visible pixels in row `y` of the picture, left to right; none outside.
    pub fn runs(&self, y: i32) -> &[Run] {
        self.outline.runs(y)
    }

    /// Runs of row `y` and of the one below it are the same.
    pub(crate) fn has_same_runs_below(&self, y: i32) -> bool {
        self.outline.has_same_runs_below(y)
    }

    /// The error for an encoded row that is none.
    pub(crate) fn damaged_row(&self) -> Error {
        damaged(&self.kept.place(), &std::io::ErrorKind::InvalidData.into())
    }

    /// Whether all that is kept of it is as it was.
    pub(crate) fn is_there(&self) -> bool {
        self.kept.is_there() && self.base.as_ref().is_none_or(|base| base.is_there())
    }

    /// Compares what is kept of it ([`Pixels::compare`]); says whether all of it is in files.
    pub(crate) fn check_kept(&self) -> Result<bool, Error> {
        self.compare()?;
        Ok(self.is_in_files())
    }

    fn is_in_files(&self) -> bool {
        matches!(self.kept, CachedPicture::File(_)) && self.base.as_ref().is_none_or(|base| base.is_in_files())
    }

    pub(super) fn is_in_memory(&self) -> bool {
        matches!(self.kept, CachedPicture::Memory(_)) && self.base.as_ref().is_none_or(|base| base.is_in_memory())
    }

    /// What names a strip: looks that share one share its tiles too.
    pub(super) fn strip_key(&self, strip: usize) -> StripKey {
        match &self.base {
            Some(base) if self.strips[strip].has_no_tiles() => (base.number, strip),
            _ => (self.number, strip),
        }
    }

    /// Columns, by strips of [`STRIP_ROWS`] rows, in which another picture of this size may show something else; no
    /// strips if it is the same picture.
    ///
    /// Two captures of one window are mostly the same where no menu opened: tiles that are stored alike show the same.
    ///
    /// # Panics
    /// If it has another size.
    pub(crate) fn changes_to(&self, other: &Self) -> Vec<Vec<Range<i32>>> {
        assert_eq!(self.size, other.size, "pictures of one size");
        if self.number == other.number {
            return Vec::new();
        }
        let width = self.size.width as i32;
        let strips = self.strips.iter().enumerate().map(|(strip, place)| {
            if !self.has_same_runs(other, strip) {
                return std::iter::once(0..width).collect();
            }
            let groups = (0..place.group_count()).filter(|&group| !self.has_same_group(other, strip, group));
            let tiles = groups.flat_map(|group| place.tiles_of_group(group));
            let changed = tiles.filter(|&tile| self.tile_owner(strip, tile) != other.tile_owner(strip, tile));
            joined(changed.map(|tile| (tile * TILE_PX) as i32..width.min(((tile + 1) * TILE_PX) as i32)).collect())
        });
        strips.collect()
    }

    /// Whether the rows of a strip have the same runs in another picture of this size.
    fn has_same_runs(&self, other: &Self, strip: usize) -> bool {
        let first = strip * STRIP_ROWS;
        let mut rows = first as i32..(first + rows_of(self.size, strip)) as i32;
        Arc::ptr_eq(&self.outline, &other.outline) || rows.all(|y| self.runs(y) == other.runs(y))
    }

    /// Whether a group of tiles is stored alike in another picture of this size.
    fn has_same_group(&self, other: &Self, strip: usize, group: usize) -> bool {
        let (whole, change) = self.layers_of_group(strip, group);
        let (other_whole, other_change) = other.layers_of_group(strip, group);
        whole.has_same_group(other_whole, group)
            && match (change, other_change) {
                (None, None) => true,
                (Some(change), Some(other)) => change.has_same_group(other, group),
                _ => false,
            }
    }

    /// Where all tiles of a group are, and where some of them are instead, if any are.
    fn layers_of_group(&self, strip: usize, group: usize) -> (&StripPlace, Option<&StripPlace>) {
        let own = &self.strips[strip];
        match &self.base {
            None => (own, None),
            Some(base) => (&base.strips[strip], Some(own).filter(|own| own.has_group(group))),
        }
    }

    /// The number of the picture that holds a tile: its own, or its base's.
    fn tile_owner(&self, strip: usize, tile: usize) -> u64 {
        match &self.base {
            Some(base) if !self.strips[strip].has_tile(tile) => base.number,
            _ => self.number,
        }
    }

    /// Whether it has encoded rows.
    pub(crate) fn is_encoded(&self) -> bool {
        self.is_encoded
    }

    /// Bytes in memory that no other look holds.
    pub(super) fn held_bytes(&self) -> usize {
        let outline = if self.base.is_some() { 0 } else { self.outline.held_bytes() };
        let lists =
            |strip: &StripPlace| size_of_val(&*strip.tile_ends) + size_of_val(&*strip.encoded_rows) + size_of_val(&*strip.checks);
        let lists: usize = self.strips.iter().map(lists).sum();
        self.kept.held_bytes() + outline + self.strips.len() * size_of::<StripPlace>() + lists
    }
}

/// `Pack::reading_pictures` prepares it again.
pub(super) fn damaged(place: &str, found: &std::io::Error) -> Error {
    let lost = matches!(
        found.kind(),
        std::io::ErrorKind::NotFound | std::io::ErrorKind::InvalidData | std::io::ErrorKind::UnexpectedEof
    );
    let kind = if lost { ErrorKind::LostPicture } else { ErrorKind::Io };
    let error = Error::file(place, found, "the prepared picture that was kept here");
    Error { kind, ..error }.with_hint("see that nothing else writes to the cache folder, or name another")
}

/// Whether something holds for any pixel of two rows, each as a number with the alpha in the highest byte. Without a
/// way out, many are looked at at once.
fn any_pixel(one: &[u8], other: &[u8], holds: impl Fn(u32, u32) -> bool) -> bool {
    let pixels = one.as_chunks().0.iter().zip(other.as_chunks().0);
    pixels.fold(false, |any, (one, other)| any | holds(u32::from_le_bytes(*one), u32::from_le_bytes(*other)))
}

/// What is kept of a picture whose straight RGBA is `rgba`, row by row, and so is that of `base`. Without an outline it
/// is the base's, and so is what has the same pixels there.
fn content_of(size: Size, outline: Option<&Outline>, rgba: &[u8], base: Option<&[u8]>, encoded: bool) -> Vec<u8> {
    let row_bytes = size.width as usize * 4;
    let mut content = Content::new(outline);
    if base.is_none() {
        // More than most pictures take: what is not used costs nothing, and moving what is there does.
        content.tiles.reserve(size.rect().area() as usize * 3);
        content.rows.reserve(size.rect().area() as usize * 2);
    }
    for first in (0..size.height as usize).step_by(STRIP_ROWS) {
        let above = first.min(1);
        let rows = (first - above) * row_bytes..((first + STRIP_ROWS) * row_bytes).min(rgba.len());
        content.add_rows(size, above, &rgba[rows.clone()], base.map(|base| &base[rows]), encoded);
    }
    content.finished()
}

/// What is kept of a picture: a head, behind its length, the tiles of all strips, and their encoded rows. The head says
/// whether it has an outline, the outline, and where the parts of strips lie behind it, with their checksums.
pub(super) struct Content {
    head: Vec<u8>,
    tiles: Vec<u8>,
    rows: Vec<u8>,
    strips: Vec<StripPlace>,
}

impl Content {
    fn new(outline: Option<&Outline>) -> Self {
        let mut head = vec![0; 4];
        head.extend(u32::from(outline.is_some()).to_le_bytes());
        if let Some(outline) = outline {
            outline.write(&mut head);
        }
        Self { head, tiles: Vec::new(), rows: Vec::new(), strips: Vec::new() }
    }

    /// Adds a strip from straight RGBA of its rows, below as many rows `above` it as are there: one, or none. `base`
    /// has the same rows of the base.
    fn add_rows(&mut self, size: Size, above: usize, rows: &[u8], base: Option<&[u8]>, encoded: bool) {
        let width = size.width as usize;
        let (above, rgba) = rows.split_at(above * width * 4);
        let (base_above, base) = base.map(|base| base.split_at(above.len())).unzip();
        // Encoded rows give opaque pixels alone.
        let recoloured = |base: Option<&[u8]>, now: &[u8]| {
            let mut rows = base.unwrap_or_default().chunks_exact(width * 4).zip(now.chunks_exact(width * 4));
            let is_another = |base: u32, now: u32| (now >> 24 == 255) & ((base ^ now) << 8 != 0);
            rows.any(|(base, now)| base != now && any_pixel(base, now, is_another))
        };
        let encoded = encoded && (base.is_none() || recoloured(base_above, above) || recoloured(base, rgba));
        if !encoded && base == Some(rgba) {
            self.add_unchanged(width);
            return;
        }
        let strip = PlainStrip { width, rgba, above, encoded, base };
        self.strips.push(strip.write(&mut self.tiles, &mut self.rows));
    }

    /// Adds a strip all of whose pixels are the base's.
    pub(super) fn add_unchanged(&mut self, width: usize) {
        self.add_kept(&StripPlace::unchanged(width), &[], &[]);
    }

    /// Adds a strip that is kept already: where its parts lie, and their bytes.
    pub(super) fn add_kept(&mut self, place: &StripPlace, tiles: &[u8], rows: &[u8]) {
        self.strips.push(place.moved(self.tiles.len(), self.rows.len()));
        self.tiles.extend_from_slice(tiles);
        self.rows.extend_from_slice(rows);
    }

    fn finished(self) -> Vec<u8> {
        let Self { mut head, tiles, rows, strips } = self;
        for StripPlace { tiles_at, tile_ends, rows_at, encoded_rows, checks } in &strips {
            head.extend([*tiles_at, tiles.len() as u32 + rows_at].into_iter().flat_map(u32::to_le_bytes));
            head.extend((tile_ends.len() as u32).to_le_bytes());
            head.extend(tile_ends.iter().flat_map(|end| end.to_le_bytes()));
            let sums: Vec<u32> = checks.iter().flat_map(|check| [check.sum() as u32, (check.sum() >> 32) as u32]).collect();
            for numbers in [encoded_rows, &sums[..]] {
                head.extend(std::iter::once(numbers.len() as u32).chain(numbers.iter().copied()).flat_map(u32::to_le_bytes));
            }
        }
        let head_bytes = head.len() as u32 - 4;
        head[..4].copy_from_slice(&head_bytes.to_le_bytes());
        [head, tiles, rows].concat()
    }
}

/// Takes a number from the front of stored bytes.
fn number(from: &mut &[u8]) -> Option<u32> {
    from.split_off(..4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

/// Takes a list of short numbers, which its length comes before.
fn halves(from: &mut &[u8]) -> Option<Box<[u16]>> {
    let bytes = (number(from)? as usize).checked_mul(2)?;
    Some(from.split_off(..bytes)?.as_chunks().0.iter().map(|half| u16::from_le_bytes(*half)).collect())
}

/// Takes a list of numbers, which its length comes before.
fn numbers(from: &mut &[u8]) -> Option<Box<[u32]>> {
    (0..number(from)?).map(|_| number(from)).collect()
}

/// How many rows a strip has.
pub(super) fn rows_of(size: Size, strip: usize) -> usize {
    (size.height as usize - strip * STRIP_ROWS).min(STRIP_ROWS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { width: 600, height: 70 };

    /// Straight RGBA with some pixels of another colour, and some that are not there.
    fn rgba(recoloured: &[(usize, usize)], transparent: &[(usize, usize)]) -> Vec<u8> {
        let width = SIZE.width as usize;
        let mut pixels: Vec<_> = (0..width * SIZE.height as usize).map(|at| [(at / width) as u8, 80, 90, 255]).collect();
        recoloured.iter().for_each(|&(x, y)| pixels[y * width + x][1] = 200);
        transparent.iter().for_each(|&(x, y)| pixels[y * width + x] = [0; 4]);
        pixels.into_flattened()
    }

    #[test]
    fn pictures_are_the_same_where_their_tiles_are_stored_alike() {
        let picture = |recoloured: &[_], transparent: &[_]| Arc::new(Pixels::in_memory(SIZE, &rgba(recoloured, transparent)));
        let plain = picture(&[], &[]);
        let nothing = [vec![], vec![], vec![]];
        assert_eq!(plain.changes_to(&picture(&[], &[])), nothing);
        let columns: &[Range<i32>] = &[0..256, 512..600];
        assert_eq!(plain.changes_to(&picture(&[(599, 40), (3, 33)], &[])), [&[], columns, &[]]);
        assert_eq!(plain.changes_to(&picture(&[], &[(300, 69)])), [&[][..], &[], std::slice::from_ref(&(0..600))]);

        let look =
            |of: &Arc<Pixels>, recoloured: &[_]| Arc::clone(of).changed_in_memory(&rgba(&[], &[]), &rgba(recoloured, &[]), None);
        let (other, changed) = (picture(&[], &[]), look(&plain, &[(40, 10)]));
        assert_eq!(changed.changes_to(&look(&other, &[(40, 10)])), nothing);
        // The same bytes, in another tile.
        assert_ne!(changed.changes_to(&look(&other, &[(72, 10)])), nothing);
        assert_eq!(changed.changes_to(&plain), [std::slice::from_ref(&(32..64)), &[], &[]]);
        assert_eq!(changed.changes_to(&other), [std::slice::from_ref(&(0..256)), &[], &[]]);
    }

    #[test]
    fn changed_strips_are_kept_as_the_whole_change_is() {
        let (plain, grey) = (rgba(&[], &[]), rgba(&[(40, 10), (599, 69)], &[]));
        let stored = |picture: &Pixels| match &picture.kept {
            CachedPicture::Memory(content) => content.clone(),
            CachedPicture::File(_) => unreachable!("pictures of this test are in memory"),
        };
        let row_bytes = SIZE.width as usize * 4;
        for encoded in [false, true] {
            let content = Pixels::prepare(SIZE, &plain, None, encoded);
            let kept = CachedPicture::Memory(content.as_slice().into());
            let active = Arc::new(Pixels::just_prepared(SIZE, None, kept, &content));
            let inactive = Arc::new(Arc::clone(&active).changed_in_memory(&plain, &grey, None));
            for (look, before) in [(&active, &plain), (&inactive, &grey)] {
                // Also back to what the base has, in the last row of a strip, and in the first of the next.
                for changes in [&[(300, 33)][..], &[(0, 31), (5, 64)], &[(40, 10)], &[(7, 31), (7, 32)], &[]] {
                    let (mut now, mut part, mut strips) = (before.clone(), Vec::new(), [None; 3]);
                    for &(x, y) in changes {
                        now[y * row_bytes + x * 4 + 1] = 80;
                        now[y * row_bytes + x * 4 + 2] = 9;
                    }
                    for strip in changes.iter().map(|(_, y)| y / STRIP_ROWS).rev() {
                        let rows = strip * STRIP_ROWS * row_bytes..((strip + 1) * STRIP_ROWS * row_bytes).min(now.len());
                        strips[strip] = Some(part.len());
                        part.extend_from_slice(&now[rows]);
                    }
                    let made = Arc::clone(look).changed_strips_in_memory(&part, &strips).unwrap();
                    let whole = Arc::clone(&active).changed_in_memory(&plain, &now, None);
                    assert!(stored(&made) == stored(&whole), "encoded {encoded}, {changes:?}");
                    assert!(made.rgba_in(SIZE.rect()).unwrap() == now, "encoded {encoded}, {changes:?}");
                }
            }
        }
    }

    #[test]
    fn a_look_may_change_a_tile_that_others_repeat() {
        // Tiles of one colour: all of a group are stored as its first.
        let picture = Arc::new(Pixels::in_memory(SIZE, &rgba(&[], &[])));
        let all = SIZE.rect();
        assert_eq!(picture.rgba_in(all).unwrap(), rgba(&[], &[]));
        for (x, y) in [(0, 0), (31, 40), (255, 3), (256, 69), (300, 33), (599, 10)] {
            let changed = rgba(&[(x, y)], &[]);
            let look = Arc::clone(&picture).changed_in_memory(&rgba(&[], &[]), &changed, None);
            assert_eq!(look.rgba_in(all).unwrap(), changed, "{x},{y}");
            // From the right, so that no tile is read before those that are stored as it.
            let mut reader = look.reader();
            for first in (0..SIZE.width as i32).step_by(32).rev() {
                let columns = first..(first + 32).min(SIZE.width as i32);
                let row = reader.rows(y as i32, columns.clone()).unwrap().parts().flat_map(|(_, mut rows)| rows.next());
                let colours: Vec<u8> = row.flat_map(|row| row.colours).copied().collect();
                let at = |x: i32| (y * SIZE.width as usize + x as usize) * 4;
                let expected: Vec<u8> = columns.flat_map(|x| changed[at(x)..at(x) + 3].to_vec()).collect();
                assert_eq!(colours, expected, "{x},{y} from {first}");
            }
        }
    }
}
