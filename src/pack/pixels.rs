//! Window pictures in memory: decoded and verified once, then kept Snappy-compressed in bands of rows under a byte budget.
//!
//! A band holds colours, and alphas only where they are neither 0 nor 255: opaque pixels are copied to a scene as they lie there.
//! 650 decoded windows would be 1.9 GiB; compressed they take about a tenth, and a scene decodes only the bands that it shows.
//! Both looks of a window share the bands in which they are the same.

use std::io::Cursor;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use image::codecs::webp::WebPDecoder;
use image::{ImageDecoder, ImageError};

use super::{Pack, PackError, Window};
use crate::geom::{Rect, Size};

/// Rows per compressed band.
const BAND_ROWS: usize = 32;
/// A pixel belongs to a window where its alpha is at least this.
pub(crate) const OWNED_ALPHA: u8 = 128;

/// Which picture of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Look {
    /// With the focus.
    Active,
    /// Without the focus.
    Inactive,
}

/// How a run of pixels in a row is composed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    /// Alpha 255: what lies under it does not show.
    Opaque,
    /// Alpha 1..=254: shadow or a rounded corner's edge.
    Translucent,
}

/// Pixels `x0..x1` of a row that are composed alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// First column.
    pub x0: i32,
    /// One past the last column.
    pub x1: i32,
    /// How it is composed.
    pub kind: RunKind,
}

/// Which pixels belong to a window (alpha >= 128), as spans per row of its picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    spans: Rows<(i32, i32)>,
}

/// Items per row in one allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Rows<T> {
    fn new() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
    fn end_row(&mut self) {
        self.starts.push(self.items.len() as u32);
    }
    fn row(&self, y: i32) -> &[T] {
        match usize::try_from(y) {
            Ok(y) if y + 1 < self.starts.len() => &self.items[self.starts[y] as usize..self.starts[y + 1] as usize],
            _ => &[],
        }
    }
    fn len(&self) -> usize {
        self.starts.len() - 1
    }
}

impl Shape {
    /// A shape that owns every pixel of a picture of this size.
    pub fn full(size: Size) -> Self {
        let mut spans = Rows::new();
        for _ in 0..size.height {
            spans.items.push((0, size.width as i32));
            spans.end_row();
        }
        Self { spans }
    }

    /// Half-open spans of columns in row `y` of the picture, left to right; none outside.
    pub fn row(&self, y: i32) -> &[(i32, i32)] {
        self.spans.row(y)
    }

    /// Number of rows of the picture.
    pub fn rows(&self) -> i32 {
        self.spans.len() as i32
    }

    /// How many owned pixels lie in `rect` (px of the picture).
    pub fn count_in(&self, rect: Rect) -> u64 {
        (rect.y0().max(0)..rect.y1().min(self.rows()))
            .flat_map(|y| self.row(y))
            .map(|&(a, b)| (b.min(rect.x1()) - a.max(rect.x0())).max(0) as u64)
            .sum()
    }
}

/// A window's picture, ready to be composed.
#[derive(Debug)]
pub struct WindowPixels {
    size: Size,
    outline: Arc<Outline>,
    bands: Vec<Arc<Band>>,
    /// Bytes in memory that no other look had before.
    held_bytes: usize,
}

/// What the alphas say.
#[derive(Debug)]
struct Outline {
    shape: Shape,
    runs: Rows<Run>,
}

/// Up to [`BAND_ROWS`] rows: the colours of all pixels, then the alphas of the translucent ones, row by row.
#[derive(Debug)]
struct Band {
    compressed: Box<[u8]>,
    plain_bytes: usize,
}

impl WindowPixels {
    /// From straight RGBA, row by row.
    fn new(size: Size, rgba: &[u8]) -> Self {
        let outline = Outline::new(size, rgba);
        let bands: Vec<_> = rgba.chunks(band_bytes(size)).map(|rows| Arc::new(Band::new(rows))).collect();
        let held_bytes = outline.bytes() + bands.iter().map(|band| band.compressed.len()).sum::<usize>();
        Self { size, outline: Arc::new(outline), bands, held_bytes }
    }

    /// This picture with every byte of straight RGBA changed by so much. What is the same is shared.
    fn changed(&self, delta: &[u8]) -> Self {
        let (pixels, _) = delta.as_chunks::<4>();
        if pixels.iter().any(|pixel| pixel[3] != 0) {
            let mut rgba = self.rgba_in(self.size.rect());
            rgba.iter_mut().zip(delta).for_each(|(byte, change)| *byte = byte.wrapping_add(*change));
            return Self::new(self.size, &rgba);
        }
        let row_bytes = self.size.width as usize * 4;
        let mut held_bytes = 0;
        let bands = (0..).zip(&self.bands).zip(delta.chunks(band_bytes(self.size))).map(|((at, band), changes)| {
            if is_zero(changes) {
                return Arc::clone(band);
            }
            let rows = (changes.len() / row_bytes) as u32;
            let mut rgba = self.rgba_in(Rect::at(0, (at * BAND_ROWS) as i32, self.size.width as i32, rows as i32));
            rgba.iter_mut().zip(changes).for_each(|(byte, change)| *byte = byte.wrapping_add(*change));
            let band = Band::new(&rgba);
            held_bytes += band.compressed.len();
            Arc::new(band)
        });
        let bands = bands.collect();
        Self { size: self.size, outline: Arc::clone(&self.outline), bands, held_bytes }
    }

    /// Size of the picture.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Which pixels belong to the window.
    pub fn shape(&self) -> &Shape {
        &self.outline.shape
    }

    /// Runs of visible pixels in row `y` of the picture, left to right; none outside.
    pub fn runs(&self, y: i32) -> &[Run] {
        self.outline.runs.row(y)
    }

    /// A reader of rows; it keeps the band decoded that was read last.
    pub fn rows(&self) -> RowReader<'_> {
        RowReader { pixels: self, band: usize::MAX, plain: Vec::new(), alphas_at: [0; BAND_ROWS + 1] }
    }

    /// The pixels of `rect` as straight RGBA, row by row. Outside the picture they are 0.
    pub fn rgba_in(&self, rect: Rect) -> Vec<u8> {
        let mut out = vec![0; rect.area() as usize * 4];
        let Some(inside) = rect.intersection(self.size.rect()) else { return out };
        let mut rows = self.rows();
        for y in inside.y0()..inside.y1() {
            let row = rows.row(y);
            let at = ((y - rect.y0()) as usize * rect.width() as usize + (inside.x0() - rect.x0()) as usize) * 4;
            let (to, _) = out[at..at + inside.width() as usize * 4].as_chunks_mut::<4>();
            for (to, from) in to.iter_mut().zip(row.rgb[inside.x0() as usize * 3..].as_chunks::<3>().0) {
                to[..3].copy_from_slice(from);
            }
            let mut alphas = row.alphas;
            for run in self.runs(y) {
                let length = (run.x1 - run.x0) as usize;
                let own = match run.kind {
                    RunKind::Opaque => None,
                    RunKind::Translucent => Some(alphas.split_off(..length).expect("as many alphas as translucent pixels")),
                };
                for x in run.x0.max(inside.x0())..run.x1.min(inside.x1()) {
                    to[(x - inside.x0()) as usize][3] = own.map_or(255, |own| own[(x - run.x0) as usize]);
                }
            }
        }
        out
    }
}

impl Outline {
    fn new(size: Size, rgba: &[u8]) -> Self {
        let (mut spans, mut runs) = (Rows::new(), Rows::new());
        for row in rgba.chunks_exact(size.width as usize * 4) {
            let (pixels, _) = row.as_chunks::<4>();
            let first = runs.items.len();
            push_runs(pixels, &mut runs.items);
            push_spans(pixels, &runs.items[first..], &mut spans.items);
            runs.end_row();
            spans.end_row();
        }
        Self { shape: Shape { spans }, runs }
    }

    fn bytes(&self) -> usize {
        self.runs.items.len() * size_of::<Run>()
            + self.shape.spans.items.len() * size_of::<(i32, i32)>()
            + (self.runs.starts.len() + self.shape.spans.starts.len()) * 4
    }
}

/// Bytes of straight RGBA in a whole band.
fn band_bytes(size: Size) -> usize {
    size.width as usize * 4 * BAND_ROWS
}

fn is_zero(bytes: &[u8]) -> bool {
    const AT_ONCE: usize = 64;
    let (blocks, rest) = bytes.as_chunks::<AT_ONCE>();
    blocks.iter().all(|block| *block == [0; AT_ONCE]) && rest.iter().all(|byte| *byte == 0)
}

impl Band {
    /// From rows of straight RGBA.
    fn new(rgba: &[u8]) -> Self {
        let (pixels, _) = rgba.as_chunks::<4>();
        let mut plain: Vec<u8> = pixels.iter().flat_map(|p| [p[0], p[1], p[2]]).collect();
        plain.extend(pixels.iter().map(|p| p[3]).filter(|&alpha| alpha != 0 && alpha != 255));
        let compressed = snap::raw::Encoder::new().compress_vec(&plain).expect("a band is far below 4 GiB");
        // Boxed: a vector would keep room for what does not compress.
        Self { compressed: compressed.into_boxed_slice(), plain_bytes: plain.len() }
    }
}

/// Reads rows of a window's picture, decoding a band when its first row is asked for.
#[derive(Debug)]
pub struct RowReader<'a> {
    pixels: &'a WindowPixels,
    band: usize,
    plain: Vec<u8>,
    /// Where each row's alphas begin in `plain`.
    alphas_at: [usize; BAND_ROWS + 1],
}

/// A row of a window's picture.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Straight colours, three bytes per pixel.
    pub rgb: &'a [u8],
    /// Alphas of the pixels of the row's translucent runs, left to right.
    pub alphas: &'a [u8],
}

impl RowReader<'_> {
    /// Row `y` of the picture.
    ///
    /// # Panics
    /// If `y` is outside the picture.
    pub fn row(&mut self, y: i32) -> Row<'_> {
        let row_bytes = self.pixels.size.width as usize * 3;
        let (band, row) = (y as usize / BAND_ROWS, y as usize % BAND_ROWS);
        if band != self.band {
            self.read_band(band, row_bytes);
        }
        Row {
            rgb: &self.plain[row * row_bytes..(row + 1) * row_bytes],
            alphas: &self.plain[self.alphas_at[row]..self.alphas_at[row + 1]],
        }
    }

    fn read_band(&mut self, band: usize, row_bytes: usize) {
        let rows = (self.pixels.size.height as usize - band * BAND_ROWS).min(BAND_ROWS);
        let Band { compressed, plain_bytes } = &*self.pixels.bands[band];
        self.plain.resize(*plain_bytes, 0);
        snap::raw::Decoder::new().decompress(compressed, &mut self.plain).expect("we compressed it ourselves");
        self.alphas_at[0] = rows * row_bytes;
        for row in 0..rows {
            let runs = self.pixels.runs((band * BAND_ROWS + row) as i32).iter();
            let translucent: i32 = runs.filter(|run| run.kind == RunKind::Translucent).map(|run| run.x1 - run.x0).sum();
            self.alphas_at[row + 1] = self.alphas_at[row] + translucent as usize;
        }
        self.band = band;
    }
}

/// Adds the runs of a row of straight RGBA.
fn push_runs(pixels: &[[u8; 4]], runs: &mut Vec<Run>) {
    let mut start = 0;
    while start < pixels.len() {
        let (kind, length) = match pixels[start][3] {
            0 => (None, equal_alphas(&pixels[start..])),
            255 => (Some(RunKind::Opaque), equal_alphas(&pixels[start..])),
            _ => {
                let end = pixels[start..].iter().position(|p| matches!(p[3], 0 | 255));
                (Some(RunKind::Translucent), end.unwrap_or(pixels.len() - start))
            }
        };
        runs.extend(kind.map(|kind| Run { x0: start as i32, x1: (start + length) as i32, kind }));
        start += length;
    }
}

/// How many pixels from the first one on have its alpha.
fn equal_alphas(pixels: &[[u8; 4]]) -> usize {
    const AT_ONCE: usize = 16;
    let alpha = pixels[0][3];
    let blocks =
        pixels.chunks_exact(AT_ONCE).take_while(|block| block.iter().fold(true, |equal, p| equal & (p[3] == alpha))).count();
    let rest = &pixels[blocks * AT_ONCE..];
    blocks * AT_ONCE + rest.iter().position(|p| p[3] != alpha).unwrap_or(rest.len())
}

/// Adds the spans of owned pixels that a row's runs hold.
fn push_spans(pixels: &[[u8; 4]], runs: &[Run], spans: &mut Vec<(i32, i32)>) {
    let first = spans.len();
    let mut own = |x0: i32, x1: i32| match spans[first..].last_mut() {
        Some(last) if last.1 == x0 => last.1 = x1,
        _ => spans.push((x0, x1)),
    };
    for run in runs {
        match run.kind {
            RunKind::Opaque => own(run.x0, run.x1),
            RunKind::Translucent => {
                for x in (run.x0..run.x1).filter(|&x| pixels[x as usize][3] >= OWNED_ALPHA) {
                    own(x, x + 1);
                }
            }
        }
    }
}

/// Decodes a lossless WebP of the recorded size into straight RGBA.
pub(super) fn decode(pack: &Pack, window: &Window, picture: &super::format::Picture) -> Result<Vec<u8>, PackError> {
    let folder = window.id.split('/').next().unwrap_or_default();
    let name = format!("windows/{folder}/{}", picture.file);
    let bytes = pack.files().read_verified(&name, &picture.sha256)?;
    let place = pack.files().full_name(&name);
    let broken = |e: ImageError| PackError::file(&place, e, "a lossless WebP picture");
    let decoder = WebPDecoder::new(Cursor::new(bytes.as_ref())).map_err(broken)?;
    if decoder.dimensions() != (window.size.width, window.size.height) || decoder.has_animation() {
        let (width, height) = decoder.dimensions();
        return Err(PackError::file(
            &place,
            format!("a picture of {width}x{height}"),
            format!("{}x{} as recorded, not animated", window.size.width, window.size.height),
        ));
    }
    let colour = decoder.color_type();
    let mut raw = vec![0; decoder.total_bytes() as usize];
    decoder.read_image(&mut raw).map_err(broken)?;
    match colour {
        image::ColorType::Rgba8 => Ok(raw),
        image::ColorType::Rgb8 => Ok(raw.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect()),
        other => Err(PackError::file(&place, format!("{other:?}"), "8-bit RGB or RGBA")),
    }
}

fn load(pack: &Pack, window: usize, look: Look) -> Result<WindowPixels, PackError> {
    let record = &pack.windows[window];
    match (look, &record.inactive) {
        // The active picture is mostly there already, and costs a tenth to decompress of what it costs to decode.
        (Look::Inactive, Some(delta)) => Ok(pack.pixels(window, Look::Active)?.changed(&decode(pack, record, delta)?)),
        _ => Ok(WindowPixels::new(record.size, &decode(pack, record, &record.image)?)),
    }
}

/// Decoded pictures by window and look; the least recently used windows go when the budget is spent.
#[derive(Debug)]
pub(super) struct PixelCache {
    entries: Vec<Entry>,
    clock: AtomicU64,
    kept_bytes: AtomicUsize,
    budget_bytes: usize,
}

/// A window's pictures. Looks share memory, so they come and go together.
#[derive(Debug, Default)]
struct Entry {
    looks: [Mutex<Option<Arc<WindowPixels>>>; 2],
    last_use: AtomicU64,
}

impl PixelCache {
    pub(super) fn new(windows: usize, budget_bytes: usize) -> Self {
        Self {
            entries: (0..windows).map(|_| Entry::default()).collect(),
            clock: AtomicU64::new(1),
            kept_bytes: AtomicUsize::new(0),
            budget_bytes,
        }
    }

    pub(super) fn budget_bytes(&self) -> usize {
        self.budget_bytes
    }

    pub(super) fn get(&self, pack: &Pack, window: usize, look: Look) -> Result<Arc<WindowPixels>, PackError> {
        let entry = &self.entries[window];
        entry.last_use.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        let mut slot = entry.looks[look as usize].lock().expect("no panic while held");
        if let Some(pixels) = slot.as_ref() {
            return Ok(Arc::clone(pixels));
        }
        let pixels = Arc::new(load(pack, window, look)?);
        *slot = Some(Arc::clone(&pixels));
        // Before anybody can drop it.
        self.kept_bytes.fetch_add(pixels.held_bytes, Ordering::Relaxed);
        drop(slot);
        self.shrink(window);
        Ok(pixels)
    }

    /// Drops the least recently used pictures, never those of `keep`, until the budget holds.
    fn shrink(&self, keep: usize) {
        if self.kept_bytes.load(Ordering::Relaxed) <= self.budget_bytes {
            return;
        }
        let mut by_age: Vec<_> = self.entries.iter().map(|entry| entry.last_use.load(Ordering::Relaxed)).zip(0..).collect();
        by_age.sort_unstable();
        for (_, window) in by_age.into_iter().filter(|&(_, window)| window != keep) {
            for look in &self.entries[window].looks {
                // A picture that somebody is loading is no old one; and to wait for it could be to wait for oneself.
                if let Some(dropped) = look.try_lock().ok().and_then(|mut slot| slot.take()) {
                    self.kept_bytes.fetch_sub(dropped.held_bytes, Ordering::Relaxed);
                }
            }
            if self.kept_bytes.load(Ordering::Relaxed) <= self.budget_bytes {
                return;
            }
        }
    }
}
