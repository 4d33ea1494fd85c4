//! JPEG files (ITU-T T.81, baseline, three channels of the same size) of pictures of desktops: more than half of their
//! blocks have one colour, and of the others many no hue. Both are seen before anything is transformed.
//!
//! Sums, products and roundings of floats alone, in one order: the same bytes on every machine.

mod block;
mod code;

use windesk_model::geometry::Size;

use block::{Block, Divisors, SIDE};
use code::{BitWriter, Code};

use crate::wide::{NullaryFnOnce, widely};

/// Longest side that the format can say.
const MAX_SIDE: u32 = 65_535;

/// Divisors of the coefficients of brightness and of colour at quality 50, row by row (T.81, tables K.1 and K.2).
#[rustfmt::skip]
const DIVISORS: [[u8; 64]; 2] = [
    [
        16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55,
        14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
        18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
        49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
    ],
    [
        17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99,
        24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
        99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
        99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    ],
];

/// The file of a picture: RGB, row by row. `quality` is 1 to 100, as the Independent JPEG Group scales it.
///
/// # Panics
/// If a side is 0 or above 65,535, there are not three bytes per pixel, or the quality is none.
pub(crate) fn encode(size: Size, rgb: &[u8], quality: u8) -> Vec<u8> {
    assert_eq!(rgb.len(), size.width as usize * size.height as usize * 3, "three bytes per pixel");
    let mut file = JpegFile::new(size, quality);
    file.add_rows(rgb);
    file.finish()
}

/// A JPEG file in the making, rows from top to bottom.
pub(crate) struct JpegFile {
    divisors: [Divisors; 2],
    codes: [Code; 2],
    block: Block,
    row_bytes: usize,
    /// Beyond the right and lower border the last pixels are repeated, as is usual.
    padded_bytes: usize,
    padded: Vec<u8>,
    /// What the mean of each channel was in the block before.
    before: [i32; 3],
    bits: BitWriter,
}

impl JpegFile {
    /// Begins a file. `quality` is 1 to 100.
    ///
    /// # Panics
    /// If a side is 0 or above 65,535, or the quality is none.
    pub(crate) fn new(size: Size, quality: u8) -> Self {
        assert!([size.width, size.height].iter().all(|side| (1..=MAX_SIDE).contains(side)), "sides of 1 to {MAX_SIDE} px");
        let scaled = DIVISORS.map(|divisors| divisors.map(|divisor| scaled(divisor, quality)));
        let width = size.width as usize;
        let mut file = Vec::with_capacity(width * size.height as usize * 3 / 16);
        code::write_head(size, &scaled, &mut file);
        Self {
            divisors: scaled.each_ref().map(Divisors::new),
            codes: [Code::brightness(), Code::colour()],
            block: Block::new(),
            row_bytes: width * 3,
            padded_bytes: width.next_multiple_of(SIDE) * 3,
            padded: Vec::new(),
            before: [0; 3],
            bits: BitWriter::behind(file),
        }
    }

    /// Adds the next rows, whole ones: a multiple of eight, but for the picture's last.
    pub(crate) fn add_rows(&mut self, rgb: &[u8]) {
        let Self { divisors, codes, block, row_bytes, padded_bytes, padded, before, bits } = self;
        for rows in rgb.chunks(*row_bytes * SIDE) {
            let rows = if rows.len() < *row_bytes * SIDE || padded_bytes > row_bytes {
                pad(rows, *row_bytes, *padded_bytes, padded);
                padded.as_slice()
            } else {
                rows
            };
            widely(EncodeBlocks { rows, row_bytes: *padded_bytes, divisors, codes, block, before, bits });
        }
    }

    /// The file.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.bits.finish()
    }
}

/// Encodes a row of blocks, which eight rows of pixels are.
struct EncodeBlocks<'a> {
    rows: &'a [u8],
    row_bytes: usize,
    divisors: &'a [Divisors; 2],
    codes: &'a [Code; 2],
    block: &'a mut Block,
    /// What each channel's mean was in the block to the left.
    before: &'a mut [i32; 3],
    bits: &'a mut BitWriter,
}

impl NullaryFnOnce for EncodeBlocks<'_> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        for first in (0..self.row_bytes).step_by(SIDE * 3) {
            self.encode(first);
        }
    }
}

impl EncodeBlocks<'_> {
    /// All three channels of eight by eight pixels, from byte `first` of the rows on.
    #[inline(always)]
    fn encode(&mut self, first: usize) {
        let Self { rows, row_bytes, divisors, codes, block, before, bits } = self;
        if let Some(pixel) = block::one_colour(rows, *row_bytes, first) {
            let means = block::mean_of(pixel, divisors);
            if means == **before {
                return [0, 1, 1].into_iter().for_each(|code| codes[code].write_same(bits));
            }
            for (channel, mean) in means.into_iter().enumerate() {
                let code = &codes[usize::from(channel > 0)];
                code.write_mean(mean - before[channel], bits);
                code.write_end(bits);
            }
            **before = means;
            return;
        }
        block.read(rows, *row_bytes, first);
        block.transform();
        for channel in 0..3 {
            let (divisors, code) = (&divisors[usize::from(channel > 0)], &codes[usize::from(channel > 0)]);
            let coefficients = block.coefficients(channel, divisors);
            let mean = coefficients.as_ref().map_or(0, |coefficients| coefficients[0].into());
            code.write_mean(mean - before[channel], bits);
            before[channel] = mean;
            match coefficients {
                Some(coefficients) => code.write_rest(&coefficients, bits),
                None => code.write_end(bits),
            }
        }
    }
}

/// A divisor at a quality of 1 to 100.
fn scaled(divisor: u8, quality: u8) -> u8 {
    assert!((1..=100).contains(&quality), "quality {quality}, which is none of 1 to 100");
    let quality = u32::from(quality);
    let percent = if quality < 50 { 5000 / quality } else { 200 - quality * 2 };
    ((u32::from(divisor) * percent + 50) / 100).clamp(1, 255) as u8
}

/// Eight rows of whole blocks: pixels beyond the picture are those at its border.
fn pad(rows: &[u8], row_bytes: usize, padded_bytes: usize, out: &mut Vec<u8>) {
    out.clear();
    let last = rows.len() / row_bytes - 1;
    for y in 0..SIDE {
        let row = &rows[y.min(last) * row_bytes..][..row_bytes];
        out.extend_from_slice(row);
        let pixel = &row[row_bytes - 3..];
        (row_bytes..padded_bytes).step_by(3).for_each(|_| out.extend_from_slice(pixel));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(file: &[u8]) -> image::RgbImage {
        image::load_from_memory_with_format(file, image::ImageFormat::Jpeg).expect("a JPEG picture").into_rgb8()
    }

    /// Flat stretches, grey letters, coloured slopes and noise.
    fn picture(width: usize, height: usize) -> Vec<u8> {
        let mut state = 3_u32;
        let pixels = (0..width * height).map(|at| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (x, y) = (at % width, at / width);
            match (x / 24 + y / 24) % 4 {
                0 => [250, 250, 250],
                1 => [if (x + y) % 5 < 2 { 30 } else { 240 }; 3],
                2 => [(x * 3) as u8, (y * 5) as u8, 90],
                _ => [(state >> 24) as u8, (state >> 16) as u8, (state >> 8) as u8].map(|v| v / 8 + 100),
            }
        });
        pixels.flatten().collect()
    }

    #[test]
    fn files_decode_to_nearly_the_same_pixels() {
        for (width, height) in [(1, 1), (8, 8), (9, 7), (64, 40), (131, 77)] {
            let rgb = picture(width, height);
            let size = Size { width: width as u32, height: height as u32 };
            let mut worst = [0; 2];
            for (worst, quality) in worst.iter_mut().zip([100, 90]) {
                let file = encode(size, &rgb, quality);
                let found = decoded(&file);
                assert_eq!(found.dimensions(), (size.width, size.height));
                *worst = found.as_raw().iter().zip(&rgb).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or_default();
            }
            assert!(worst[0] <= 4 && worst[1] <= 40, "{width}x{height}: off by {worst:?}");
        }
    }

    #[test]
    fn pixels_are_as_near_as_those_of_another_encoder() {
        let (width, height) = (160, 120);
        let rgb = picture(width, height);
        let size = Size { width: width as u32, height: height as u32 };
        let squares =
            |file: &[u8]| -> u64 { decoded(file).as_raw().iter().zip(&rgb).map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum() };
        for quality in [1, 30, 75, 90, 95] {
            let mut other = Vec::new();
            let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut other, quality);
            image::ImageEncoder::write_image(encoder, &rgb, size.width, size.height, image::ExtendedColorType::Rgb8).unwrap();
            let own = encode(size, &rgb, quality);
            let (a, b) = (squares(&own), squares(&other));
            assert!(a <= b + b / 50, "quality {quality}: {a}, the other's {b}");
            assert!(
                own.len() <= other.len() + other.len() / 50,
                "quality {quality}: {} bytes, the other's {}",
                own.len(),
                other.len()
            );
        }
    }

    #[test]
    fn colours_of_flat_pictures_survive() {
        for colour in [[0, 0, 0], [255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255], [12, 200, 77]] {
            let size = Size { width: 33, height: 17 };
            let rgb = colour.repeat(33 * 17);
            let found = decoded(&encode(size, &rgb, 95));
            let worst = found.as_raw().iter().zip(&rgb).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(worst <= Some(3), "{colour:?}: off by {worst:?}");
        }
    }
}
