//! Pictures in another size, by area: a pixel of the result is the mean of what it covers, halves rounded up. All sums
//! are whole numbers, also where floats hold them, so the result is the same on every machine. Rows come one by one, so
//! that a scene in a smaller size never lies in memory as a whole.

use std::ops::{AddAssign, Mul, RangeInclusive};

use windesk_model::geometry::Size;

use super::Frame;
use crate::wide::{NullaryFnOnce, widely};

/// Largest side of a resampled picture and of what it is made from, px.
pub const MAX_SIDE: u32 = 16_384;

impl Frame {
    /// The same picture in another size, by area.
    ///
    /// # Panics
    /// If a side of either is 0 or longer than [`MAX_SIDE`].
    pub fn resampled(self, size: Size) -> Self {
        if size == self.size {
            return self;
        }
        let mut rgb = vec![0; size.width as usize * size.height as usize * 3];
        let mut resampler = Resampler::new(self.size, size);
        let mut hand_out = |y: usize, row: &[u8]| rgb[y * row.len()..][..row.len()].copy_from_slice(row);
        self.rgb.chunks_exact(self.size.width as usize * 3).for_each(|row| resampler.add_row(row, &mut hand_out));
        Self { size, rgb }
    }
}

/// Takes the rows of a picture from the top and hands out those of the result.
pub(super) struct Resampler {
    vertical: Axis,
    sums: Sums,
    columns: Columns,
    mean: Mean,
    /// Rows of the source that came, and rows of the result that went.
    taken: u64,
    done: usize,
    out: Vec<u8>,
}

/// What a row of the result covers, in channels: sums with weights down the columns of the source, then across. Both
/// have one number more than channels, so that a pixel's three can be read and written as four.
enum Sums {
    Small { down: Vec<u16>, across: Vec<i32> },
    Large { down: Vec<u32>, across: Vec<f64> },
}

impl Sums {
    /// The quicker one where it holds all sums.
    fn new(horizontal: Axis, vertical: Axis, [from, to]: [u32; 2]) -> Self {
        let [from, to] = [from, to].map(|width| width as usize * 3 + 1);
        let fits = vertical.total * 255 <= u64::from(u16::MAX) && horizontal.total * vertical.total * 255 <= i32::MAX as u64;
        if fits {
            Self::Small { down: vec![0; from], across: vec![0; to] }
        } else {
            Self::Large { down: vec![0; from], across: vec![0.0; to] }
        }
    }
}

/// An axis in units of which a pixel of the source has `step` and one of the result `total`.
#[derive(Clone, Copy)]
struct Axis {
    step: u64,
    total: u64,
}

impl Axis {
    fn new(from: u32, to: u32) -> Self {
        assert!([from, to].iter().all(|side| (1..=MAX_SIDE).contains(side)), "sides of 1 to {MAX_SIDE} px");
        let shared = gcd(from, to);
        Self { step: u64::from(to / shared), total: u64::from(from / shared) }
    }

    /// The pixels of the source that one of the result covers.
    fn covered(self, at: u64) -> RangeInclusive<u64> {
        at * self.total / self.step..=((at + 1) * self.total - 1) / self.step
    }

    /// How many units of a pixel of the source it covers.
    fn weight(self, at: u64, pixel: u64) -> u64 {
        let (start, end) = ((at * self.total).max(pixel * self.step), ((at + 1) * self.total).min((pixel + 1) * self.step));
        end.saturating_sub(start)
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What the pixels of a row of the result cover: each as many pixels of the source, from its first one on, so that no
/// branch asks how many there are. Those that it does not cover have the weight 0.
struct Columns {
    firsts: Vec<usize>,
    count: usize,
    /// `count` weights for each pixel of the result, once for each number that registers hold of a pixel.
    weights: Vec<[u16; 4]>,
}

impl Columns {
    fn new(axis: Axis, [from, to]: [u32; 2]) -> Self {
        let all = || 0..u64::from(to);
        let count = all().map(|at| axis.covered(at).count()).max().unwrap_or(0);
        let firsts: Vec<_> = all().map(|at| (*axis.covered(at).start() as usize).min(from as usize - count)).collect();
        let weights = all()
            .zip(&firsts)
            .flat_map(|(at, &first)| (first..first + count).map(move |pixel| [axis.weight(at, pixel as u64) as u16; 4]));
        Self { count, weights: weights.collect(), firsts }
    }

    /// Sums across a row of those down the columns. `product` is that of one and its weight.
    #[inline(always)]
    fn add<S: Copy, F: Copy + Default + AddAssign>(&self, down: &[S], across: &mut [F], product: impl Fn(S, u16) -> F) {
        // Numbers that the compiler knows save up to half of the time.
        match self.count {
            1 => self.add_each(1, down, across, product),
            2 => self.add_each(2, down, across, product),
            3 => self.add_each(3, down, across, product),
            4 => self.add_each(4, down, across, product),
            count => self.add_each(count, down, across, product),
        }
    }

    #[inline(always)]
    fn add_each<S: Copy, F: Copy + Default + AddAssign>(
        &self,
        count: usize,
        down: &[S],
        across: &mut [F],
        product: impl Fn(S, u16) -> F,
    ) {
        for ((at, &first), weights) in self.firsts.iter().enumerate().zip(self.weights.chunks_exact(count)) {
            let covered = &down[first * 3..][..count * 3 + 1];
            let mut sums = [F::default(); 4];
            for (pixel, weights) in weights.iter().enumerate() {
                let channels: &[S; 4] = covered[pixel * 3..].first_chunk().expect("one more than channels");
                for ((sum, &channel), &weight) in sums.iter_mut().zip(channels).zip(weights) {
                    *sum += product(channel, weight);
                }
            }
            across[at * 3..][..4].copy_from_slice(&sums);
        }
    }
}

/// Divides sums up to 255 times a total, rounding halves up.
struct Mean {
    reciprocal: f64,
    /// What is added to sums so that no mean is a half, and none gets past one that it is below.
    lift: f64,
    /// Whether floats of 32 bits are exact enough.
    is_small: bool,
}

impl Mean {
    fn new(total: u64) -> Self {
        // Only an even total has means that are halves. Lifted sums lead to means at least half a `1 / total` from one.
        let lift = if total.is_multiple_of(2) { 0.5 } else { 0.0 };
        let reciprocal = 1.0 / total as f64;
        // Sums are exact, and so are lifted ones. What is wrong is the reciprocal and the last bit of the mean.
        let are_exact = total * 255 < 1 << (f32::MANTISSA_DIGITS - 1);
        let wrong = 255.5 * (f64::from(reciprocal as f32) / reciprocal - 1.0).abs() + 128.0 * f64::from(f32::EPSILON) / 2.0;
        Self { reciprocal, lift, is_small: are_exact && wrong < 0.49 * reciprocal }
    }

    #[inline(always)]
    fn of_small(&self, sums: &[i32], out: &mut [u8]) {
        if !self.is_small {
            return self.of(sums, out);
        }
        /// Floats of this size are whole numbers, and their last bits are those of the number.
        const WHOLE: f32 = (1_u32 << (f32::MANTISSA_DIGITS - 1)) as f32;
        let (reciprocal, lift) = (self.reciprocal as f32, self.lift as f32);
        let mean = |sum: i32| ((sum as f32 + lift) * reciprocal + WHOLE).to_bits() as u8;
        out.iter_mut().zip(sums).for_each(|(out, &sum)| *out = mean(sum));
    }

    #[inline(always)]
    fn of<F: Copy + Into<f64>>(&self, sums: &[F], out: &mut [u8]) {
        const WHOLE: f64 = (1_u64 << (f64::MANTISSA_DIGITS - 1)) as f64;
        let mean = |sum: f64| ((sum + self.lift) * self.reciprocal + WHOLE).to_bits() as u8;
        out.iter_mut().zip(sums).for_each(|(out, &sum)| *out = mean(sum.into()));
    }
}

impl Resampler {
    /// From rows of one size to those of another.
    ///
    /// # Panics
    /// If a side is 0 or longer than [`MAX_SIDE`].
    pub(super) fn new(from: Size, to: Size) -> Self {
        let (horizontal, vertical) = (Axis::new(from.width, to.width), Axis::new(from.height, to.height));
        let widths = [from.width, to.width];
        Self {
            vertical,
            sums: Sums::new(horizontal, vertical, widths),
            columns: Columns::new(horizontal, widths),
            mean: Mean::new(horizontal.total * vertical.total),
            taken: 0,
            done: 0,
            out: vec![0; to.width as usize * 3],
        }
    }

    /// Takes the next row of the source, three bytes per pixel. `hand_out` gets the rows of the result that it
    /// completes, with their numbers.
    pub(super) fn add_row(&mut self, row: &[u8], mut hand_out: impl FnMut(usize, &[u8])) {
        let Axis { step, total } = self.vertical;
        let (mut start, end) = (self.taken * step, (self.taken + 1) * step);
        self.taken += 1;
        while start < end {
            let row_end = (self.done as u64 + 1) * total;
            let begins = start == self.done as u64 * total;
            let weight = (end.min(row_end) - start) as u16;
            match &mut self.sums {
                Sums::Small { down, .. } => widely(AddDown { begins, sums: down, row, weight }),
                Sums::Large { down, .. } => {
                    widely(AddDown { begins, sums: down, row, weight: u32::from(weight) });
                }
            }
            start = end.min(row_end);
            if start == row_end {
                self.finish_row();
                hand_out(self.done, &self.out);
                self.done += 1;
            }
        }
    }

    fn finish_row(&mut self) {
        let Self { sums, columns, mean, out, .. } = self;
        widely(FinishRow { sums, columns, mean, out });
    }
}

/// Adds a row to the sums down its columns, or begins them with it.
struct AddDown<'a, S> {
    begins: bool,
    sums: &'a mut [S],
    row: &'a [u8],
    weight: S,
}

impl<S: Copy + From<u8> + Mul<Output = S> + AddAssign> NullaryFnOnce for AddDown<'_, S> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { begins, sums, row, weight } = self;
        let channels = sums.iter_mut().zip(row);
        if begins {
            channels.for_each(|(sum, &channel)| *sum = weight * S::from(channel));
        } else {
            channels.for_each(|(sum, &channel)| *sum += weight * S::from(channel));
        }
    }
}

/// Makes a row of the result from the sums down its columns.
struct FinishRow<'a> {
    sums: &'a mut Sums,
    columns: &'a Columns,
    mean: &'a Mean,
    out: &'a mut [u8],
}

impl NullaryFnOnce for FinishRow<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { sums, columns, mean, out } = self;
        match sums {
            Sums::Small { down, across } => {
                columns.add(down, across, |sum, weight| (u32::from(sum) * u32::from(weight)) as i32);
                mean.of_small(across, out);
            }
            Sums::Large { down, across } => {
                columns.add(down, across, |sum, weight| f64::from(sum) * f64::from(weight));
                mean.of(across, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean of what each pixel covers, worked out pixel by pixel over a grid that both sizes divide.
    fn naive(frame: &Frame, to: Size) -> Vec<u8> {
        let Size { width, height } = frame.size;
        let total = u64::from(width) * u64::from(height);
        let mut out = Vec::new();
        for (y, x) in (0..to.height).flat_map(|y| (0..to.width).map(move |x| (y, x))) {
            let mut sum = [0_u64; 3];
            for v in u64::from(y * height)..u64::from((y + 1) * height) {
                for u in u64::from(x * width)..u64::from((x + 1) * width) {
                    let at = (v / u64::from(to.height) * u64::from(width) + u / u64::from(to.width)) as usize * 3;
                    (0..3).for_each(|channel| sum[channel] += u64::from(frame.rgb[at + channel]));
                }
            }
            out.extend(sum.map(|sum| ((sum * 2 + total) / (total * 2)) as u8));
        }
        out
    }

    #[test]
    fn every_pixel_is_the_mean_of_what_it_covers() {
        for (width, height) in [(1, 1), (12, 8), (37, 23), (64, 45), (64, 48)] {
            let mut state = 5_u32;
            let rgb = (0..width * height * 3).map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // Extremes are common.
                [0, 255, (state >> 24) as u8, (state >> 16) as u8][(state >> 30) as usize]
            });
            let frame = Frame { size: Size { width, height }, rgb: rgb.collect() };
            for to in [(1, 1), (6, 4), (12, 8), (16, 12), (32, 24), (5, 7), (37, 22), (64, 30), (70, 50)]
                .map(|(width, height)| Size { width, height })
            {
                assert!(frame.clone().resampled(to).rgb == naive(&frame, to), "{width}x{height} to {to:?}");
            }
        }
    }

    #[test]
    fn tall_pictures_have_sums_that_need_more_bits() {
        let size = Size { width: 1, height: 521 };
        let white = Frame { size, rgb: vec![255; 521 * 3] };
        assert_eq!(white.resampled(Size { width: 3, height: 2 }).rgb, [255; 18]);
    }

    #[test]
    fn means_are_exact() {
        let expected = |sum: u64, total: u64| ((sum * 2 + total) / (total * 2)) as u8;
        // All sums, of 32 bits where they suffice: 1920x1080 to 1280x720 and 1092x616 among them.
        for total in (1..=64).chain([255, 256, 257, 960, 21_600]) {
            let sums: Vec<_> = (0..=255 * total).map(|sum| sum as i32).collect();
            let (mean, mut out) = (Mean::new(total), vec![0; sums.len()]);
            assert!(mean.is_small, "{total}");
            mean.of_small(&sums, &mut out);
            let wrong = (0..).zip(&out).find(|&(sum, &out)| out != expected(sum, total));
            assert_eq!(wrong, None, "{total}");
        }
        for total in [1, 2, 3, 16_383, 32_768, 65_537, 11_863_283, 268_435_455, 268_435_456] {
            let around = [0, total / 2 - u64::from(total > 1), total / 2, total.div_ceil(2), total - 1];
            for sum in (0..255).flat_map(|whole| around.map(|part| whole * total + part)) {
                let mut out = [0; 2];
                Mean::new(total).of(&[sum as f64, (255 * total) as f64], &mut out);
                assert_eq!(out, [expected(sum, total), 255], "{sum} / {total}");
            }
        }
        assert!(!Mean::new(43_200).is_small && !Mean::new(65_000).is_small);
    }
}
