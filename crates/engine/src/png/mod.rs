//! PNG files put together from bits that were encoded once.
//!
//! One filter (Paeth) for all rows and one pinned Huffman code in a single deflate block make the bits of a stretch of
//! pixels depend on nothing but those pixels, their left neighbours and the row above. A wallpaper or a window is
//! encoded once, in segments that refer to nothing outside themselves; a picture that shows it copies the bits, and
//! codes only what lies next to a border. The bytes of a file are a function of its pixels and of where it shows which
//! wallpaper and windows, whatever was encoded before.

mod bits;
mod code;
mod rows;

use std::ops::Range;

use windesk_model::geometry::Size;

use bits::{Bits, Sum};
use code::Code;

use crate::wide::{NullaryFnOnce, widely};

pub(crate) use rows::{EncodedRow, PADDING_BYTES, RowEncoder};

/// Pixels of a segment.
pub(crate) const SEGMENT_PX: usize = 64;
/// Most pixels of a part of what is composed.
const PART_PX: i32 = 256;
/// The filter type of every row.
const PAETH: u8 = 4;

/// A PNG file in the making: rows from top to bottom, stretches from left to right.
pub(crate) struct JoinedPng {
    bits: Bits,
    /// Where the chunk with the pixels begins.
    data: usize,
    sum: Sum,
    /// Memory to work in.
    room: Vec<u8>,
}

/// What was put into a file at once: how many bits, and the checksum of the bytes they stand for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub(crate) bits: u64,
    sum: Sum,
}

impl Stretch {
    /// Nothing at all.
    pub(crate) const EMPTY: Self = Self { bits: 0, sum: Sum::EMPTY };

    /// This, then another.
    pub(crate) fn then(self, next: Self) -> Self {
        Self { bits: self.bits + next.bits, sum: self.sum.then(next.sum) }
    }

    /// What is left of this without the stretch that it begins with.
    pub(crate) fn without_first(self, first: Self) -> Self {
        Self { bits: self.bits - first.bits, sum: self.sum.without_first(first.sum) }
    }
}

impl JoinedPng {
    /// With room for as many bytes as a similar file has, if there is one.
    pub(crate) fn new(size: Size, similar: Option<usize>) -> Self {
        // Two bits per byte are more than most pictures need.
        let usual = (size.width as usize * 3 + 1) * size.height as usize / 4;
        let mut file = Vec::with_capacity(similar.map_or(usual, |bytes| bytes + bytes / 16));
        file.extend(b"\x89PNG\r\n\x1a\n");
        // 8 bits per channel, RGB, and the only methods that there are; not interlaced.
        let header = [size.width.to_be_bytes(), size.height.to_be_bytes()].concat().into_iter().chain([8, 2, 0, 0, 0]);
        let begun = begin_chunk(b"IHDR", &mut file);
        file.extend(header);
        end_chunk(begun, &mut file);
        let data = begin_chunk(b"IDAT", &mut file);
        let mut bits = Bits::behind(file);
        // The head of a zlib stream (RFC 1950).
        bits.push(0x0178, 16);
        Code::pinned().write_header(&mut bits);
        Self { bits, data, sum: Sum::of_nothing(), room: Vec::new() }
    }

    /// All that is in the file.
    pub(crate) fn so_far(&self) -> Stretch {
        Stretch { bits: self.bits.len(), sum: self.sum }
    }

    /// Begins the next row.
    pub(crate) fn begin_row(&mut self) -> Stretch {
        let start = self.bits.len();
        Code::pinned().write(&[PAETH], &mut self.bits);
        self.put(start, Sum::of(&[PAETH]))
    }

    /// Bits that were put behind the first so many stand for bytes with this checksum.
    fn put(&mut self, start: u64, sum: Sum) -> Stretch {
        self.sum = self.sum.then(sum);
        Stretch { bits: self.bits.len() - start, sum }
    }

    /// Pixels of a row that are not segments of an encoded one, if there are any, with the whole row above (zeros above
    /// the first) and the whole row. The bits are those of their [`parts`], one after the other.
    pub(crate) fn code_between(&mut self, above: &[u8], row: &[u8], columns: Range<i32>) -> Stretch {
        self.code(above, row, parts(columns))
    }

    /// Pixels that are whole segments, with the bits that [`JoinedPng::copy`] would copy.
    pub(crate) fn code_segments(&mut self, above: &[u8], row: &[u8], columns: Range<i32>) -> Stretch {
        let Range { start, end } = columns;
        let segments = (start..end).step_by(SEGMENT_PX).map(|first| first..end.min(first + SEGMENT_PX as i32));
        self.code(above, row, segments)
    }

    /// Pixels of a row: these stretches, one after the other.
    fn code(&mut self, above: &[u8], row: &[u8], stretches: impl Iterator<Item = Range<i32>>) -> Stretch {
        let begun = self.bits.len();
        let sums = stretches.map(|Range { start, end }| {
            let pixels = start as usize..end as usize;
            code_pixels(above, row, pixels, &mut self.room, &mut self.bits)
        });
        let sum = sums.fold(Sum::EMPTY, Sum::then);
        self.put(begun, sum)
    }

    /// Segments of an encoded row that look the same here, left neighbours and row above included; null if what is
    /// stored is no encoded row.
    pub(crate) fn copy(&mut self, from: EncodedRow, segments: Range<usize>) -> Option<Stretch> {
        let start = self.bits.len();
        let sum = from.copy(segments, &mut self.bits)?;
        Some(self.put(start, sum))
    }

    /// A stretch of a finished file that begins behind so many of its bits, or several in a row.
    pub(crate) fn copy_stretch(&mut self, finished: &[u8], start: u64, stretch: Stretch) {
        // Behind the last of these bits there are two checksums and a chunk of 12 bytes.
        self.bits.copy(finished, start, start + stretch.bits);
        self.sum = self.sum.then(stretch.sum);
    }

    /// The file.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        Code::pinned().write_end(&mut self.bits);
        let mut file = self.bits.into_bytes();
        file.extend(self.sum.adler32().to_be_bytes());
        end_chunk(self.data, &mut file);
        let end = begin_chunk(b"IEND", &mut file);
        end_chunk(end, &mut file);
        file
    }
}

/// Columns of a row that are no segments of an encoded one, in parts that end where [`PART_PX`] divides a column: the
/// bits of a part depend on no other, so that a later file can copy it.
pub(crate) fn parts(columns: Range<i32>) -> impl Iterator<Item = Range<i32>> {
    let Range { start, end } = columns;
    let firsts = start.div_euclid(PART_PX)..(end + PART_PX - 1).div_euclid(PART_PX);
    firsts.map(move |part| start.max(part * PART_PX)..end.min((part + 1) * PART_PX))
}

/// Begins a chunk of a PNG file; returns where.
fn begin_chunk(kind: &[u8; 4], file: &mut Vec<u8>) -> usize {
    let begun = file.len();
    file.extend([0; 4]);
    file.extend(kind);
    begun
}

/// Ends the chunk that began there: its length, which counts the content alone, and its checksum, which is over the
/// kind, too.
fn end_chunk(begun: usize, file: &mut Vec<u8>) {
    let content = begun + 8;
    let length = (file.len() - content) as u32;
    file[begun..begun + 4].copy_from_slice(&length.to_be_bytes());
    let checksum = crc32fast::hash(&file[begun + 4..]);
    file.extend(checksum.to_be_bytes());
}

/// Appends the bits of some pixels of a row, which refer to nothing outside them; `room` is memory to work in. Returns
/// the checksum of their filtered bytes.
fn code_pixels(above: &[u8], row: &[u8], pixels: Range<usize>, room: &mut Vec<u8>, bits: &mut Bits) -> Sum {
    let (from, to) = (pixels.start * 3, pixels.end * 3);
    let seen = from.saturating_sub(3)..to;
    if row[seen.clone()] == above[seen] {
        // The predictor of a pixel is the one above then.
        Code::pinned().write_zeros(to - from, bits);
        return Sum::of_zeros(to - from);
    }
    if room.len() < to - from {
        room.resize(to - from, 0);
    }
    let filtered = &mut room[..to - from];
    // The first pixel of a row has no left neighbour: there the predictor is the pixel above.
    let inner = from.max(3);
    let (outer, others) = filtered.split_at_mut(inner - from);
    outer.iter_mut().zip(from..).for_each(|(to, at)| *to = row[at].wrapping_sub(above[at]));
    widely(FilterInner { row: &row[inner - 3..to], above: &above[inner - 3..to], filtered: others });
    Code::pinned().write(filtered, bits);
    Sum::of(filtered)
}

/// Filters bytes that have left neighbours, with which `row` and `above` begin.
struct FilterInner<'a> {
    row: &'a [u8],
    above: &'a [u8],
    filtered: &'a mut [u8],
}

impl NullaryFnOnce for FilterInner<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { row, above, filtered } = self;
        let neighbours = row.iter().zip(&above[3..]).zip(above);
        for ((to, &v), ((&a, &b), &c)) in filtered.iter_mut().zip(&row[3..]).zip(neighbours) {
            *to = v.wrapping_sub(paeth(a, b, c));
        }
    }
}

/// Paeth's predictor of left, above and above left. All of it is done in bytes, of which wide registers hold many.
#[inline(always)]
fn paeth(a: u8, b: u8, c: u8) -> u8 {
    let (pa, pb) = (distance(b, c), distance(a, c));
    // Where `a` and `b` lie on one side of `c`, the third distance is the sum of the others, and never the least.
    let pc = if (a > c) == (b > c) { u8::MAX } else { distance(pa, pb) };
    if pa <= pb && pa <= pc {
        a
    } else if pb <= pc {
        b
    } else {
        c
    }
}

/// As `abs_diff`, for which the compiler takes four bytes per byte.
#[inline(always)]
fn distance(a: u8, b: u8) -> u8 {
    a.saturating_sub(b) | b.saturating_sub(a)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture with noise, smooth and flat stretches.
    fn picture(width: usize, height: usize) -> Vec<u8> {
        let mut state = 7_u32;
        let pixels = (0..width * height).map(|at| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (x, y) = (at % width, at / width);
            let value = if y % 7 < 2 {
                state >> 24
            } else if x > width / 2 {
                (x + y) as u32
            } else {
                40
            };
            [value as u8, (value + 3) as u8, (value * 2) as u8]
        });
        pixels.flatten().collect()
    }

    #[test]
    fn the_predictor_is_that_of_png() {
        for (a, b, c) in (0..=u8::MAX).flat_map(|a| (0..=u8::MAX).flat_map(move |b| (0..=u8::MAX).map(move |c| (a, b, c)))) {
            let estimate = i16::from(a) + i16::from(b) - i16::from(c);
            // The first of the nearest (PNG specification, section 9.4).
            let nearest = [a, b, c].into_iter().min_by_key(|&of| (estimate - i16::from(of)).abs());
            assert_eq!(Some(paeth(a, b, c)), nearest, "{a} {b} {c}");
        }
    }

    #[test]
    fn parts_make_up_their_columns() {
        let ends = |columns: Range<i32>| parts(columns).map(|part| (part.start, part.end)).collect::<Vec<_>>();
        assert_eq!(ends(0..0), []);
        assert_eq!(ends(3..9), [(3, 9)]);
        assert_eq!(ends(256..512), [(256, 512)]);
        assert_eq!(ends(7..600), [(7, 256), (256, 512), (512, 600)]);
    }

    #[test]
    fn files_decode_to_their_pixels_coded_or_copied() {
        for (width, height) in [(1, 1), (63, 5), (64, 9), (65, 40), (300, 33), (1200, 4)] {
            let rgb = picture(width, height);
            let nothing = vec![0; width * 3];
            let above = |y: usize| if y == 0 { &nothing[..] } else { &rgb[(y - 1) * width * 3..y * width * 3] };
            let encoded = rgb.chunks_exact(width * 3).enumerate().map(|(y, row)| {
                let mut encoded = Vec::new();
                RowEncoder::default().encode(above(y), row, &mut encoded);
                encoded.extend([0; PADDING_BYTES]);
                encoded
            });
            let encoded: Vec<_> = encoded.collect();
            let segments = width.div_ceil(SEGMENT_PX);
            for copied in [0..0, 0..segments, segments / 2..segments] {
                let mut file = JoinedPng::new(Size { width: width as u32, height: height as u32 }, None);
                for (y, row) in rgb.chunks_exact(width * 3).enumerate() {
                    let above = above(y);
                    file.begin_row();
                    let column = |segment: usize| (segment * SEGMENT_PX).min(width) as i32;
                    file.code_between(above, row, 0..column(copied.start));
                    file.copy(EncodedRow::new(&encoded[y], width), copied.clone()).unwrap();
                    file.code_between(above, row, column(copied.end)..width as i32);
                }
                let decoded = image::load_from_memory_with_format(&file.finish(), image::ImageFormat::Png);
                assert_eq!(decoded.expect("a PNG picture").into_rgb8().into_raw(), rgb, "{width}x{height}, {copied:?} copied");
            }
        }
    }
}
