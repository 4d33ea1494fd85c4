//! Pictures ready to be composed: decoded and verified once, then kept in strips of rows, in a folder or in memory
//! under a byte budget.
//!
//! 650 decoded windows would be 1.9 GiB; prepared they take about a tenth, and a scene reads only the parts that it
//! needs. Both looks of a window share the strips in which they are the same.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Cursor;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use image::codecs::webp::WebPDecoder;
use image::{ImageDecoder, ImageError};
use quick_cache::sync::{Cache, DefaultLifecycle, EntryAction, EntryResult};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::Shadows;
use windesk_model::{Error, ErrorKind};

use super::decoded::{DecodedTiles, StripKey, TileRow, TiledRows};
use super::edge::{cut_shadow, has_docked_corners, square_docked_corners};
use super::picture_cache::{CacheStore, CachedPicture, CachedPictureReader, Key, PartCheck, head_of};
use super::shadow::Caster;
use super::shape::{Outline, Run, RunKind, Shape};
use super::strip::{PlainStrip, STRIP_ROWS, Strip, StripPlace, StripReader, rgb_of};
use super::{Pack, program_file};
use crate::png::EncodedRow;

/// Which picture of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Focus {
    /// With the focus.
    Active,
    /// Without the focus.
    Inactive,
}

/// What is made of a window's pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The window as it was captured, with the shadow that its toolkit or window manager drew.
    Captured,
    /// The window without a shadow.
    Cut,
    /// The shadow that its session draws below it.
    Shadow,
}

/// A picture, ready to be composed.
#[derive(Debug)]
pub struct Pixels {
    /// Its own among all of this process.
    number: u64,
    size: Size,
    outline: Arc<Outline>,
    kept: CachedPicture,
    /// A picture of the same size, which has what strips lack.
    base: Option<Arc<Pixels>>,
    strips: Vec<StripPlace>,
    is_encoded: bool,
}

/// Tells pictures apart; nothing else depends on it.
static NEXT_NUMBER: AtomicU64 = AtomicU64::new(0);

impl Pixels {
    /// Content to keep, from straight RGBA, row by row. `encoded` asks for encoded rows. Outside of `own`, where it is
    /// given, no pixel is the window's.
    fn prepare(size: Size, rgba: &[u8], own: Option<&[Rect]>, encoded: bool) -> Vec<u8> {
        content_of(size, Some(&Outline::new(size, rgba, own)), rgba, None, encoded)
    }

    /// The same for this picture as the base of one of the same size; `delta` holds this picture's own pixels. What is
    /// the same in both is left out.
    fn prepare_change(&self, mut delta: Vec<u8>, rgba: &[u8], own: Option<&[Rect]>, encoded: bool) -> Vec<u8> {
        delta.iter_mut().zip(rgba).for_each(|(byte, now)| *byte = now.wrapping_sub(*byte));
        let reshaped = delta.as_chunks::<4>().0.iter().any(|change| change[3] != 0);
        let outline = reshaped.then(|| Outline::new(self.size, rgba, own));
        content_of(self.size, outline.as_ref(), rgba, Some(&delta), encoded)
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
    pub(super) fn changed_in_memory(self: Arc<Self>, before: Vec<u8>, rgba: &[u8], own: Option<&[Rect]>) -> Self {
        let content = self.prepare_change(before, rgba, own, self.is_encoded());
        let kept = CachedPicture::Memory(content.as_slice().into());
        Self::just_prepared(self.size, Some(self), kept, &content)
    }

    /// A picture of which all this content was just prepared.
    fn just_prepared(size: Size, base: Option<Arc<Self>>, kept: CachedPicture, content: &[u8]) -> Self {
        let head = head_of(content).expect("what was just prepared has a head");
        Self::read(size, base, kept, head, content.len(), true).expect("what was just prepared can be read")
    }

    /// A picture of which content with this head is kept; null if that isn't what was prepared. `is_compared` says
    /// whether what follows the head is known to be.
    fn read(
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
            let start = number(&mut rest)?.checked_add(head.len() as u32)?;
            let (tile_ends, encoded_rows) = (numbers(&mut rest)?, numbers(&mut rest)?);
            let checks = [number(&mut rest)?, number(&mut rest)?].map(|sum| PartCheck::new(sum, is_compared));
            Some(StripPlace { start, tile_ends, encoded_rows, checks })
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
    pub fn shape(&self) -> &Shape {
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

    /// A reader of its pixels.
    pub fn reader(&self) -> PixelReader<'_> {
        self.reader_with(None)
    }

    /// A reader that takes tiles that were unpacked before, and keeps those that it unpacks.
    pub(crate) fn reader_with<'a>(&'a self, decoded: Option<&'a DecodedTiles>) -> PixelReader<'a> {
        let ReaderRoom { strips: [strip, before], ahead: [own, base] } = ReaderRoom::take();
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
        let mut out = vec![0; rect.area() as usize * 4];
        let Some(inside) = rect.intersection(self.size.rect()) else { return Ok(out) };
        let width = rect.width() as usize;
        let pixels = out.as_chunks_mut::<4>().0;
        let place = |x: i32, y: i32| (y - rect.y0()) as usize * width + (x - rect.x0()) as usize;
        self.for_rows_in(inside, |y, x, row| {
            let to = &mut pixels[place(x, y)..];
            to.iter_mut().zip(row.colours.as_chunks::<3>().0).for_each(|(to, from)| to[..3].copy_from_slice(from));
            to.iter_mut().zip(row.alphas).for_each(|(to, &alpha)| to[3] = alpha);
        })?;
        for y in inside.y0()..inside.y1() {
            for run in self.runs(y).iter().filter(|run| run.kind == RunKind::Opaque) {
                let columns = run.x0.max(inside.x0())..run.x1.min(inside.x1());
                columns.for_each(|x| pixels[place(x, y)][3] = 255);
            }
        }
        Ok(out)
    }

    /// The colours of `rect`, which lies inside the picture, row by row.
    pub(crate) fn rgb_in(&self, rect: Rect) -> Result<Vec<u8>, Error> {
        let mut out = vec![0; rect.area() as usize * 3];
        self.for_rows_in(rect, |y, x, row| {
            let at = (y - rect.y0()) as usize * rect.width() as usize + (x - rect.x0()) as usize;
            out[at * 3..][..row.colours.len()].copy_from_slice(row.colours);
        })?;
        Ok(out)
    }

    /// Gives the rows of all tiles in `rect`, which lies inside the picture, with row and column of the first pixel.
    fn for_rows_in(&self, rect: Rect, mut take: impl FnMut(i32, i32, TileRow)) -> Result<(), Error> {
        let mut reader = self.reader();
        let mut y = rect.y0();
        while y < rect.y1() {
            let rows = reader.rows(y, rect.x0()..rect.x1())?;
            let end = rect.y1().min(y + rows.count() as i32);
            for (columns, part) in rows.parts() {
                (y..end).zip(part).for_each(|(y, row)| take(y, rect.x0() + columns.start as i32, row));
            }
            y = end;
        }
        Ok(())
    }

    /// The error for an encoded row that is none.
    pub(crate) fn damaged_row(&self) -> Error {
        damaged(&self.kept.place(), &std::io::ErrorKind::InvalidData.into())
    }

    /// Whether all that is kept of it is as it was.
    pub(crate) fn is_there(&self) -> bool {
        self.kept.is_there() && self.base.as_ref().is_none_or(|base| base.is_there())
    }

    /// Compares all that is kept of it, but for its base, with the checksums.
    ///
    /// # Errors
    /// If a file in which it is kept is gone or was changed.
    pub(crate) fn compare(&self) -> Result<(), Error> {
        let mut reader = self.reader();
        let mut rows = (0..self.size.height as i32).step_by(STRIP_ROWS);
        let compared = rows.try_for_each(|y| reader.strip_at(y).0.compare());
        compared.map_err(|error| damaged(&self.kept.place(), &error))
    }

    /// Whether all that is kept of it is in files.
    pub(crate) fn is_in_files(&self) -> bool {
        matches!(self.kept, CachedPicture::File { .. }) && self.base.as_ref().is_none_or(|base| base.is_in_files())
    }

    fn is_in_memory(&self) -> bool {
        matches!(self.kept, CachedPicture::Memory(_)) && self.base.as_ref().is_none_or(|base| base.is_in_memory())
    }

    /// Whether it has encoded rows.
    pub(crate) fn is_encoded(&self) -> bool {
        self.is_encoded
    }

    /// Bytes in memory that no other look holds.
    fn held_bytes(&self) -> usize {
        let outline = if self.base.is_some() { 0 } else { self.outline.held_bytes() };
        let numbers: usize = self.strips.iter().map(|strip| strip.tile_ends.len() + strip.encoded_rows.len()).sum();
        self.kept.held_bytes() + outline + self.strips.len() * size_of::<StripPlace>() + numbers * 4
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

    /// The strip of a row, and the number of the row in it.
    fn strip_at(&mut self, y: i32) -> (StripReader<'_, 'a>, usize) {
        let (number, row) = (y as usize / STRIP_ROWS, y as usize % STRIP_ROWS);
        let pixels = self.pixels;
        let width = pixels.size.width as usize;
        if number != self.strip.0 {
            std::mem::swap(&mut self.strip, &mut self.before);
        }
        if number != self.strip.0 {
            self.hand_over();
            self.strip.0 = number;
            let known = self.decoded.and_then(|decoded| decoded.get(pixels.strip_key(number)));
            self.strip.1.begin(known, width, rows_of(pixels.size, number));
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
        ReaderRoom { strips, ahead }.leave();
    }
}

/// Memory of a reader. It waits in each thread for the next one: a scene has some thirty, whose memory would have to be
/// taken from the system again and again.
#[derive(Default)]
struct ReaderRoom {
    strips: [Strip; 2],
    ahead: [Vec<u8>; 2],
}

thread_local! {
    /// What was left first is taken first: readers of the next scene come in the same order, and find what they need.
    static ROOMS: RefCell<VecDeque<ReaderRoom>> = const { RefCell::new(VecDeque::new()) };
}

/// Most that wait in a thread.
const MAX_ROOMS: usize = 48;

impl ReaderRoom {
    fn take() -> Self {
        ROOMS.with_borrow_mut(VecDeque::pop_front).unwrap_or_default()
    }

    fn leave(mut self) {
        self.strips.iter_mut().for_each(Strip::forget);
        // A thread that ends has no room any more.
        let _ = ROOMS.try_with(|rooms| {
            let mut rooms = rooms.borrow_mut();
            if rooms.len() < MAX_ROOMS {
                rooms.push_back(self);
            }
        });
    }
}

impl Pixels {
    /// What names a strip: looks that share one share its tiles too.
    fn strip_key(&self, strip: usize) -> StripKey {
        match &self.base {
            Some(base) if self.strips[strip].has_no_tiles() => (base.number, strip),
            _ => (self.number, strip),
        }
    }
}

/// `Pack::reading_pictures` prepares it again.
fn damaged(place: &str, found: &std::io::Error) -> Error {
    let lost = matches!(
        found.kind(),
        std::io::ErrorKind::NotFound | std::io::ErrorKind::InvalidData | std::io::ErrorKind::UnexpectedEof
    );
    let kind = if lost { ErrorKind::LostPicture } else { ErrorKind::Io };
    let error = Error::file(place, found, "the prepared picture that was kept here");
    Error { kind, ..error }.with_hint("see that nothing else writes to the cache folder, or name another")
}

/// What is kept of a picture: a head, behind its length, and the strips. The head says whether it has an outline, the
/// outline, and where the parts of strips lie behind it, with their checksums. `rgba` is straight RGBA, row by row.
/// Without an outline it is the base's, and so is what `changes` says is the same there.
fn content_of(size: Size, outline: Option<&Outline>, rgba: &[u8], changes: Option<&[u8]>, encoded: bool) -> Vec<u8> {
    let mut content = vec![0; 4];
    content.extend(u32::from(outline.is_some()).to_le_bytes());
    if let Some(outline) = outline {
        outline.write(&mut content);
    }
    let (width, row_bytes) = (size.width as usize, size.width as usize * 4);
    let mut body = Vec::new();
    for first in (0..size.height as usize).step_by(STRIP_ROWS) {
        let rows = |bytes: &'_ [u8]| first * row_bytes..((first + STRIP_ROWS) * row_bytes).min(bytes.len());
        let before = first.saturating_sub(1) * row_bytes..first * row_bytes;
        // Encoded rows give opaque pixels alone.
        let recoloured = |part: Range<usize>, changes: &[u8]| {
            let pixels = rgba[part.clone()].as_chunks::<4>().0.iter().zip(changes[part].as_chunks::<4>().0);
            pixels.into_iter().any(|(pixel, change)| pixel[3] == 255 && change[..3] != [0; 3])
        };
        let encoded_anew =
            changes.is_none_or(|changes| recoloured(before.clone(), changes) || recoloured(rows(changes), changes));
        let changes = changes.map(|changes| &changes[rows(changes)]);
        let encoded = encoded && encoded_anew;
        let place = if !encoded && changes.is_some_and(|changes| changes.iter().all(|&byte| byte == 0)) {
            StripPlace::unchanged(body.len(), width)
        } else {
            let above = if first == 0 { vec![0; width * 3] } else { rgb_of(&rgba[before]) };
            PlainStrip { width, rgba: &rgba[rows(rgba)], above: &above, encoded, changes }.write(&mut body)
        };
        let StripPlace { start, tile_ends, encoded_rows, checks } = place;
        content.extend(start.to_le_bytes());
        for numbers in [tile_ends, encoded_rows] {
            content.extend(std::iter::once(numbers.len() as u32).chain(numbers).flat_map(u32::to_le_bytes));
        }
        content.extend(checks.iter().flat_map(|check| check.sum.to_le_bytes()));
    }
    let head_bytes = content.len() as u32 - 4;
    content[..4].copy_from_slice(&head_bytes.to_le_bytes());
    content.extend(body);
    content
}

/// Takes a number from the front of stored bytes.
fn number(from: &mut &[u8]) -> Option<u32> {
    from.split_off(..4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

/// Takes a list of numbers, which its length comes before.
fn numbers(from: &mut &[u8]) -> Option<Box<[u32]>> {
    (0..number(from)?).map(|_| number(from)).collect()
}

/// How many rows a strip has.
fn rows_of(size: Size, strip: usize) -> usize {
    (size.height as usize - strip * STRIP_ROWS).min(STRIP_ROWS)
}

/// Decodes a lossless WebP beside a window's capture, of the recorded size, into straight RGBA.
pub(super) fn decode(pack: &Pack, window: &str, picture: &super::format::Picture, size: Size) -> Result<Vec<u8>, Error> {
    let name = program_file(window, &picture.file);
    let bytes = pack.files().read_verified(&name, &picture.sha256)?;
    let place = pack.files().full_name(&name);
    let broken = |e: ImageError| Error::file(&place, e, "a lossless WebP picture");
    let decoder = WebPDecoder::new(Cursor::new(bytes.as_ref())).map_err(broken)?;
    if decoder.dimensions() != (size.width, size.height) || decoder.has_animation() {
        let (width, height) = decoder.dimensions();
        return Err(Error::file(
            &place,
            format!("a picture of {width}x{height}"),
            format!("{}x{} as recorded, not animated", size.width, size.height),
        ));
    }
    let colour = decoder.color_type();
    let mut raw = vec![0; decoder.total_bytes() as usize];
    decoder.read_image(&mut raw).map_err(broken)?;
    match colour {
        image::ColorType::Rgba8 => Ok(raw),
        image::ColorType::Rgb8 => {
            let mut rgba = vec![255; raw.len() / 3 * 4];
            let pixels = rgba.as_chunks_mut::<4>().0.iter_mut().zip(raw.as_chunks::<3>().0);
            pixels.for_each(|(to, from)| to[..3].copy_from_slice(from));
            Ok(rgba)
        }
        other => Err(Error::file(&place, format!("{other:?}"), "8-bit RGB or RGBA")),
    }
}

/// A window's picture as it was captured, straight RGBA; corners at the docked sides of a snapped one are square.
/// `base` is the pixels of its captured active picture, if that is there already.
fn captured(pack: &Pack, window: WindowIndex, focus: Focus, base: Option<&[u8]>) -> Result<Vec<u8>, Error> {
    let record = &pack.windows[window];
    let mut rgba = match base {
        // Where corners became square, the base no longer has what was captured.
        Some(base) if !has_docked_corners(record.snap) => base.to_vec(),
        _ => decode(pack, &record.id, &record.image, record.size)?,
    };
    if let (Focus::Inactive, Some(delta)) = (focus, &record.inactive) {
        let delta = decode(pack, &record.id, delta, record.size)?;
        rgba.iter_mut().zip(delta).for_each(|(byte, change)| *byte = byte.wrapping_add(change));
    }
    square_docked_corners(record.size, record.frame, record.snap, &mut rgba);
    Ok(rgba)
}

/// A part of a window's picture that is not there yet. All but the shadow rest on `base`, the captured active picture.
fn load(pack: &Pack, window: WindowIndex, part: Part, focus: Focus, base: Option<&Arc<Pixels>>) -> Result<Arc<Pixels>, Error> {
    let (record, store) = (&pack.windows[window], pack.cache.store());
    if part == Part::Shadow {
        return load_shadow(pack, window, focus);
    }
    let boxes = record.own_boxes();
    let own = pack.shadows_of(window).map(|_| boxes.as_slice());
    let mut sources = vec![record.image.sha256.clone()];
    if let (Focus::Inactive, Some(delta)) = (focus, &record.inactive) {
        sources.push(delta.sha256.clone());
    }
    // What is made of the picture beside what its files say.
    if part == Part::Cut || own.is_some() || has_docked_corners(record.snap) {
        sources.push(format!("{part:?} {:?} {:?} {}", record.snap, boxes, own.is_some()));
    }
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let prepare = || {
        let of_base = base.map(|base| base.rgba_in(record.size.rect())).transpose()?;
        let mut rgba = captured(pack, window, focus, of_base.as_deref())?;
        if part == Part::Cut {
            cut_shadow(record.size, &boxes, &mut rgba);
        }
        Ok(match base.zip(of_base) {
            None => Pixels::prepare(record.size, &rgba, own, store.is_lasting()),
            Some((base, of_base)) => base.prepare_change(of_base, &rgba, own, store.is_lasting()),
        })
    };
    kept(&pack.cache, &sources, record.size, base.cloned(), prepare).map(Arc::new)
}

/// The shadow that a window's session draws. Windows alike in their boxes share what is kept of it.
fn load_shadow(pack: &Pack, window: WindowIndex, focus: Focus) -> Result<Arc<Pixels>, Error> {
    let record = &pack.windows[window];
    let shadows = pack.shadows_of(window).expect("only asked for where a session draws one");
    let shadow = match focus {
        Focus::Active => shadows.active,
        Focus::Inactive => shadows.inactive,
    };
    let moved = |rect: Rect| rect.moved(-record.frame.origin());
    let popups: Vec<Rect> = record.popups.iter().map(|&popup| moved(popup)).collect();
    let caster = Caster { frame: moved(record.frame), popups: &popups, snap: record.snap };
    let source = format!("shadow {shadow:?} {:?} {popups:?} {:?}", caster.frame, record.snap);
    let size = caster.extent(shadow).size();
    kept(&pack.cache, &[&source], size, None, || Ok(Pixels::prepare(size, &caster.paint(shadow), None, false))).map(Arc::new)
}

/// A picture made from these sources, as it is kept or as `prepare` makes it.
fn kept(
    cache: &PixelCache,
    sources: &[&str],
    size: Size,
    base: Option<Arc<Pixels>>,
    prepare: impl FnOnce() -> Result<Vec<u8>, Error>,
) -> Result<Pixels, Error> {
    let (key, store) = (Key::of(sources), cache.store());
    if let Some((kept, head, content_bytes)) = store.find(&key)
        && let Some(pixels) = Pixels::read(size, base.clone(), kept, &head, content_bytes, false)
        && (!cache.compares.load(Ordering::Relaxed) || pixels.compare().is_ok())
    {
        return Ok(pixels);
    }
    let content = prepare()?;
    Ok(Pixels::just_prepared(size, base, store.keep(&key, &content), &content))
}

/// How often work is done again because a picture was lost, before pictures are kept in memory.
const MAX_LOSSES: usize = 3;

impl Pack {
    /// Does work that reads pictures. Should one of those that are kept in files change or vanish meanwhile, it is
    /// prepared again and so is the work; if that happens again and again, pictures stay in memory.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn reading_pictures<T>(&self, forget: impl Fn(), mut work: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
        for losses in 1.. {
            match work() {
                Err(error) if error.kind == ErrorKind::LostPicture && losses <= MAX_LOSSES + 1 => {
                    if losses >= MAX_LOSSES {
                        self.cache.gives_up_files.store(true, Ordering::Relaxed);
                    }
                    self.cache.forget_lost();
                    self.composed.forget();
                    forget();
                }
                result => return result,
            }
        }
        unreachable!("the loop ends with a result")
    }

    /// The pixels of a rectangle of a window's picture: straight RGBA, row by row; 0 outside the picture.
    ///
    /// # Errors
    /// If the picture can't be read.
    pub fn rgba_of(&self, window: WindowIndex, focus: Focus, rect: Rect) -> Result<Vec<u8>, Error> {
        self.reading_pictures(|| (), || self.pixels(window, focus)?.rgba_in(rect))
    }

    /// A picture that is not a window's, kept under what it is made from. `draw` gives straight RGBA.
    pub(crate) fn kept_picture(
        &self,
        sources: &[&str],
        size: Size,
        draw: impl FnOnce() -> Result<Vec<u8>, Error>,
    ) -> Result<Pixels, Error> {
        let store = self.cache.store();
        kept(&self.cache, sources, size, None, || Ok(Pixels::prepare(size, &draw()?, None, store.is_lasting())))
    }

    /// A window's pixels without the shadow that it was captured with.
    ///
    /// # Errors
    /// Those of [`Pack::pixels`].
    pub fn cut_pixels(&self, window: WindowIndex, focus: Focus) -> Result<Arc<Pixels>, Error> {
        self.cache.get(self, window, Part::Cut, focus)
    }

    /// The shadow that a window's session draws below it, and its place in px of the window's picture; null where
    /// windows cast the shadow in their pictures.
    ///
    /// # Errors
    /// If what was kept of it was damaged again and again.
    pub fn painted_shadow(&self, window: WindowIndex, active: bool) -> Result<Option<(Arc<Pixels>, Point)>, Error> {
        let Some(shadows) = self.shadows_of(window) else { return Ok(None) };
        let (focus, shadow) = if active { (Focus::Active, shadows.active) } else { (Focus::Inactive, shadows.inactive) };
        let record = &self.windows[window];
        let caster = Caster { frame: record.frame, popups: &record.popups, snap: record.snap };
        let place = caster.extent(shadow).origin();
        Ok(Some((self.cache.get(self, window, Part::Shadow, focus)?, place)))
    }

    /// The same for a window with other popups than it was captured with, and its frame where the picture shows it.
    pub(super) fn shadow_about(
        &self,
        window: WindowIndex,
        popups: &[Rect],
        frame: Rect,
        active: bool,
    ) -> Option<(Arc<Pixels>, Point)> {
        let shadows = self.shadows_of(window)?;
        let shadow = if active { shadows.active } else { shadows.inactive };
        let extent = Caster { frame, popups, snap: self.windows[window].snap }.extent(shadow);
        let moved = |rect: Rect| rect.moved(-extent.origin());
        let popups: Vec<Rect> = popups.iter().map(|&popup| moved(popup)).collect();
        let caster = Caster { frame: moved(frame), popups: &popups, snap: self.windows[window].snap };
        Some((Arc::new(Pixels::in_memory(extent.size(), &caster.paint(shadow))), extent.origin()))
    }

    /// The rule by which a window's session draws shadows, if it has one.
    pub(super) fn shadows_of(&self, window: WindowIndex) -> Option<Shadows> {
        self.sessions[self.windows[window].session].record.as_ref()?.look.shadow
    }
}

/// Pictures by window, under a budget. Whoever needs one first prepares it, while others wait for it or prepare other
/// windows'.
#[derive(Debug)]
pub(super) struct PixelCache {
    windows: Cache<WindowIndex, WindowPictures, HeldBytes>,
    window_count: usize,
    budget_bytes: usize,
    decoded: DecodedTiles,
    store: CacheStore,
    /// Whether files were lost again and again, so that no more are used.
    gives_up_files: AtomicBool,
    /// Whether a file was damaged, so that others are compared whole before they are used.
    compares: AtomicBool,
}

/// A window's pictures, by part and focus; null until they are needed. They share memory, so they come and go together.
#[derive(Clone, Debug, Default)]
struct WindowPictures([Option<Arc<Pixels>>; 6]);

impl WindowPictures {
    fn slot(part: Part, focus: Focus) -> usize {
        part as usize * 2 + usize::from(focus == Focus::Inactive)
    }

    fn of(&self, part: Part, focus: Focus) -> Option<Arc<Pixels>> {
        self.0[Self::slot(part, focus)].clone()
    }

    /// Every picture once, though two looks may have the same.
    fn distinct(&self) -> impl Iterator<Item = &Arc<Pixels>> {
        let all = || self.0.iter().flatten();
        all().enumerate().filter(move |(at, one)| !all().take(*at).any(|before| Arc::ptr_eq(before, one))).map(|(_, one)| one)
    }
}

#[derive(Clone, Debug)]
struct HeldBytes;

impl Weighter<WindowIndex, WindowPictures> for HeldBytes {
    fn weight(&self, _: &WindowIndex, pictures: &WindowPictures) -> u64 {
        pictures.distinct().map(|pixels| pixels.held_bytes() as u64).sum()
    }
}

/// With less than a few pictures, one would be prepared again whenever a scene looks at it.
const MIN_BUDGET_BYTES: usize = 8 << 20;

impl PixelCache {
    pub(super) fn new(window_count: usize, budget_bytes: usize, store: CacheStore) -> Self {
        // One shard: the budget is for all windows, wherever they hash to.
        let options = OptionsBuilder::new()
            .shards(1)
            .estimated_items_capacity(window_count)
            .weight_capacity(budget_bytes.max(MIN_BUDGET_BYTES) as u64)
            .build()
            .expect("all that must be given is given");
        let windows = Cache::with_options(options, HeldBytes, DefaultHashBuilder::default(), DefaultLifecycle::default());
        let decoded = DecodedTiles::new(budget_bytes);
        Self {
            windows,
            window_count,
            budget_bytes,
            decoded,
            store,
            gives_up_files: AtomicBool::new(false),
            compares: AtomicBool::new(false),
        }
    }

    /// Tiles of pictures that were composed before.
    pub(super) fn decoded(&self) -> &DecodedTiles {
        &self.decoded
    }

    fn store(&self) -> &CacheStore {
        if self.gives_up_files.load(Ordering::Relaxed) { &CacheStore::Memory } else { &self.store }
    }

    /// Forgets pictures whose files have changed or are gone; all that are in files, where no more are used.
    fn forget_lost(&self) {
        // Where one was damaged others may be: they are compared whole from now on, not when a scene comes to the
        // damage.
        self.compares.store(true, Ordering::Relaxed);
        let stays = |pixels: &Pixels| {
            let is_kept = pixels.is_in_memory() || matches!(self.store(), CacheStore::Folder(_));
            pixels.is_there() && is_kept && pixels.compare().is_ok()
        };
        self.windows.retain(|_, pictures| pictures.distinct().all(|pixels| stays(pixels)));
    }

    /// An empty one for another number of windows.
    pub(super) fn emptied(&self, window_count: usize) -> Self {
        Self::new(window_count, self.budget_bytes, self.store.clone())
    }

    /// An empty one with another budget.
    pub(super) fn with_budget(&self, budget_bytes: usize) -> Self {
        Self::new(self.window_count, budget_bytes, self.store.clone())
    }

    /// An empty one that keeps pictures in a folder.
    pub(super) fn stored_in(&self, folder: PathBuf) -> Self {
        Self::new(self.window_count, self.budget_bytes, CacheStore::in_folder(folder))
    }

    /// A window's picture as it was captured.
    pub(super) fn captured(&self, pack: &Pack, window: WindowIndex, focus: Focus) -> Result<Arc<Pixels>, Error> {
        self.get(pack, window, Part::Captured, focus)
    }

    fn get(&self, pack: &Pack, window: WindowIndex, part: Part, focus: Focus) -> Result<Arc<Pixels>, Error> {
        // What is there is read without keeping others from reading.
        if let Some(found) = self.windows.get(&window).and_then(|pictures| pictures.of(part, focus)) {
            return Ok(found);
        }
        // A picture that rests on another reads that.
        pack.reading_pictures(|| (), || self.prepared(pack, window, part, focus))
    }

    fn prepared(&self, pack: &Pack, window: WindowIndex, part: Part, focus: Focus) -> Result<Arc<Pixels>, Error> {
        let entry = self.windows.entry(&window, None, |_, pictures| match pictures.of(part, focus) {
            Some(found) => EntryAction::Retain(found),
            None => EntryAction::ReplaceWithGuard,
        });
        let (place, mut pictures) = match entry {
            EntryResult::Retained(found) => return Ok(found),
            EntryResult::Replaced(place, pictures) => (place, pictures),
            EntryResult::Vacant(place) => (place, WindowPictures::default()),
            EntryResult::Removed(..) | EntryResult::Timeout => unreachable!("no entry asks for it, and waiting has no limit"),
        };
        // Where the focus makes no difference, one picture is both.
        let looks_alike = part != Part::Shadow && pack.windows[window].inactive.is_none();
        let shown = if looks_alike { Focus::Active } else { focus };
        let mut ready = |part: Part, focus: Focus, base: Option<&Arc<Pixels>>| {
            let slot = &mut pictures.0[WindowPictures::slot(part, focus)];
            match slot {
                Some(found) => Ok(Arc::clone(found)),
                None => load(pack, window, part, focus, base).map(|loaded| Arc::clone(slot.insert(loaded))),
            }
        };
        let found = match (part, shown) {
            (Part::Captured, Focus::Active) | (Part::Shadow, _) => ready(part, shown, None)?,
            _ => {
                let base = ready(Part::Captured, Focus::Active, None)?;
                ready(part, shown, Some(&base))?
            }
        };
        pictures.0[WindowPictures::slot(part, focus)] = Some(Arc::clone(&found));
        // If what was lost is being forgotten at this moment, the place may be gone; the picture is good all the same.
        let _ = place.insert(pictures);
        Ok(found)
    }
}
