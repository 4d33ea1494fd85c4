//! Pictures in another size, by area: a pixel of the result is the mean of what it covers, halves rounded up. All sums
//! are integers, so the result is the same on every machine. Rows come one by one, so that a scene in a smaller size
//! never lies in memory as a whole.

use windesk_model::geometry::Size;

use super::Frame;

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
    covers: Vec<Cover>,
    /// Where there is a quicker way across than that of [`across`].
    shortcut: Option<Shortcut>,
    /// What a pixel of the source counts that is covered whole.
    step: u32,
    divisor: Divisor,
    vertical: Axis,
    sums: Sums,
    /// Rows of the source that came, and rows of the result that went.
    taken: u64,
    done: usize,
    out: Vec<u8>,
}

/// Quicker ways across a row, of sums in 16 bits.
enum Shortcut {
    /// Pixels of the result cover whole pixels.
    Halves(Halves),
    /// Each covers few, and its sum has 32 bits.
    Taps(Vec<Tap>),
}

/// Sums of bytes with weights down a column: in 16 bits where all fit.
enum Sums {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
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
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What a pixel of the result covers of a row: pixels `first..=last`, of which the outer two have weights of their own,
/// and those between count `step`. Where it is one pixel alone, `last_weight` is 0.
struct Cover {
    first: usize,
    last: usize,
    first_weight: u32,
    last_weight: u32,
}

fn covers(Axis { step, total }: Axis, count: u32) -> Vec<Cover> {
    let cover = |at: u64| {
        let (start, end) = (at * total, (at + 1) * total);
        let (first, last) = (start / step, (end - 1) / step);
        let first_weight = end.min((first + 1) * step) - start;
        let last_weight = if last > first { end - last * step } else { 0 };
        Cover { first: first as usize, last: last as usize, first_weight: first_weight as u32, last_weight: last_weight as u32 }
    };
    (0..u64::from(count)).map(cover).collect()
}

/// Divides sums below 256 times a total, rounding halves up.
#[derive(Clone, Copy)]
struct Divisor {
    total: u64,
    /// 2^[`Divisor::SHIFT`] by the total, rounded up; 0 where this would not be exact.
    reciprocal: u64,
}

impl Divisor {
    const SHIFT: u32 = 55;

    fn new(total: u64) -> Self {
        // The reciprocal is too large by less than 1, so a quotient by less than 256 * total / 2^SHIFT, which must stay
        // below the least distance of a quotient to the next whole number: 1 / total.
        let is_exact = total * total <= 1 << (Self::SHIFT - 8);
        Self { total, reciprocal: if is_exact { (1_u64 << Self::SHIFT).div_ceil(total) } else { 0 } }
    }

    fn rounded(self, sum: u64) -> u8 {
        let sum = sum + self.total / 2;
        // Below 256.5 * total, so the product stays below 2^64.
        let quotient = if self.reciprocal == 0 { sum / self.total } else { (sum * self.reciprocal) >> Self::SHIFT };
        quotient as u8
    }
}

impl Resampler {
    /// From rows of one size to those of another.
    ///
    /// # Panics
    /// If a side is 0 or longer than [`MAX_SIDE`].
    pub(super) fn new(from: Size, to: Size) -> Self {
        let (horizontal, vertical) = (Axis::new(from.width, to.width), Axis::new(from.height, to.height));
        let bytes = from.width as usize * 3;
        let is_narrow = vertical.total * 255 <= u64::from(u16::MAX);
        let covers = covers(horizontal, to.width);
        Self {
            shortcut: is_narrow.then(|| Shortcut::new(horizontal, vertical, from.width, &covers)).flatten(),
            covers,
            step: horizontal.step as u32,
            divisor: Divisor::new(horizontal.total * vertical.total),
            vertical,
            sums: if is_narrow { Sums::Narrow(vec![0; bytes]) } else { Sums::Wide(vec![0; bytes]) },
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
                Sums::Narrow(sums) if begins => {
                    sums.iter_mut().zip(row).for_each(|(sum, &value)| *sum = weight * u16::from(value));
                }
                Sums::Narrow(sums) => {
                    sums.iter_mut().zip(row).for_each(|(sum, &value)| *sum += weight * u16::from(value));
                }
                Sums::Wide(sums) if begins => {
                    sums.iter_mut().zip(row).for_each(|(sum, &value)| *sum = u32::from(weight) * u32::from(value));
                }
                Sums::Wide(sums) => {
                    sums.iter_mut().zip(row).for_each(|(sum, &value)| *sum += u32::from(weight) * u32::from(value));
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
        let Self { covers, shortcut, step, divisor, sums, out, .. } = self;
        match sums {
            Sums::Narrow(sums) if let Some(Shortcut::Halves(halves)) = shortcut => halves.across(sums, out),
            Sums::Narrow(sums) if let Some(Shortcut::Taps(taps)) = shortcut => across_taps(taps, *divisor, sums, out),
            Sums::Narrow(sums) => across(covers, *step, *divisor, sums.as_chunks().0, out),
            Sums::Wide(sums) => across(covers, *step, *divisor, sums.as_chunks().0, out),
        }
    }
}

impl Shortcut {
    fn new(horizontal: Axis, vertical: Axis, width: u32, covers: &[Cover]) -> Option<Self> {
        if let Some(halves) = Halves::new(horizontal, vertical) {
            return Some(Self::Halves(halves));
        }
        let total = horizontal.total * vertical.total;
        let fits = horizontal.step <= u64::from(u16::MAX) && total * 255 + total / 2 <= u64::from(u32::MAX);
        let are_few = covers.iter().all(|cover| cover.last - cover.first < MAX_TAPS) && width as usize >= MAX_TAPS;
        let tap = |cover: &Cover| Tap::new(cover, horizontal.step as u16, width as usize);
        (fits && are_few).then(|| Self::Taps(covers.iter().map(tap).collect()))
    }
}

/// Most pixels of the source that a [`Tap`] has weights for.
const MAX_TAPS: usize = 4;

/// What a pixel of the result covers, as the same number of pixels wherever it lies: those outside count nothing. No
/// branch asks how many there are.
struct Tap {
    first: usize,
    weights: [u16; MAX_TAPS],
}

impl Tap {
    /// For a row of so many pixels, at least [`MAX_TAPS`].
    fn new(cover: &Cover, step: u16, width: usize) -> Self {
        let first = cover.first.min(width - MAX_TAPS);
        let weight = |pixel: usize| match pixel {
            _ if pixel == cover.first => cover.first_weight as u16,
            _ if pixel == cover.last => cover.last_weight as u16,
            _ if (cover.first..cover.last).contains(&pixel) => step,
            _ => 0,
        };
        Self { first, weights: std::array::from_fn(|at| weight(first + at)) }
    }
}

/// [`across`] with taps.
fn across_taps(taps: &[Tap], divisor: Divisor, sums: &[u16], out: &mut [u8]) {
    for (tap, out) in taps.iter().zip(out.as_chunks_mut::<3>().0) {
        let mut sum = [0_u32; 3];
        for (pixel, &weight) in sums[tap.first * 3..][..MAX_TAPS * 3].as_chunks::<3>().0.iter().zip(&tap.weights) {
            sum.iter_mut().zip(pixel).for_each(|(sum, &value)| *sum += u32::from(value) * u32::from(weight));
        }
        *out = sum.map(|sum| divisor.rounded(sum.into()));
    }
}

/// Means of up to eight columns whose sums fit into 16 bits: first the mean that would begin at each byte of a row, for
/// which many bytes are worked out at once, then those that are wanted.
struct Halves {
    columns: usize,
    /// The sum is divided by two so many times.
    shift: u32,
    means: Vec<u8>,
}

impl Halves {
    fn new(horizontal: Axis, vertical: Axis) -> Option<Self> {
        let total = horizontal.total * vertical.total;
        let fits = horizontal.total <= 8 && total * 255 + total / 2 <= u64::from(u16::MAX);
        (horizontal.step == 1 && total.is_power_of_two() && fits).then(|| Self {
            columns: horizontal.total as usize,
            shift: total.trailing_zeros(),
            means: Vec::new(),
        })
    }

    fn across(&mut self, sums: &[u16], out: &mut [u8]) {
        match self.columns {
            1 => self.across_of::<1>(sums, out),
            2 => self.across_of::<2>(sums, out),
            4 => self.across_of::<4>(sums, out),
            8 => self.across_of::<8>(sums, out),
            _ => unreachable!("a power of two up to eight"),
        }
    }

    fn across_of<const COLUMNS: usize>(&mut self, sums: &[u16], out: &mut [u8]) {
        let Self { shift, means, .. } = self;
        let half = (1_u16 << *shift) >> 1;
        // As if a pixel of the result began with each one of the source.
        let starts = sums.len() - (COLUMNS - 1) * 3;
        let shifted: [&[u16]; COLUMNS] = std::array::from_fn(|column| &sums[column * 3..][..starts]);
        means.clear();
        means.extend((0..starts).map(|at| {
            let sum = shifted.iter().fold(half, |sum, column| sum + column[at]);
            (sum >> *shift) as u8
        }));
        for (pixel, means) in out.as_chunks_mut::<3>().0.iter_mut().zip(means.chunks(COLUMNS * 3)) {
            *pixel = [means[0], means[1], means[2]];
        }
    }
}

/// A row of the result from the sums of its columns.
fn across<S: Copy + Into<u64>>(covers: &[Cover], step: u32, divisor: Divisor, sums: &[[S; 3]], out: &mut [u8]) {
    for (cover, out) in covers.iter().zip(out.as_chunks_mut::<3>().0) {
        let part = &sums[cover.first..=cover.last];
        let (first, last) = (part[0], part[part.len() - 1]);
        let mut sum = [0_u64; 3];
        if part.len() > 2 {
            for pixel in &part[1..part.len() - 1] {
                sum.iter_mut().zip(pixel).for_each(|(sum, &value)| *sum += value.into());
            }
        }
        for (channel, sum) in sum.into_iter().enumerate() {
            let outer =
                u64::from(cover.first_weight) * first[channel].into() + u64::from(cover.last_weight) * last[channel].into();
            out[channel] = divisor.rounded(outer + u64::from(step) * sum);
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
    fn divisions_are_exact() {
        for total in [1, 2, 3, 7, 255, 256, 257, 16_383, 65_537, 11_863_283, 268_435_455, 268_435_456] {
            let divisor = Divisor::new(total);
            for sum in
                (0..255).flat_map(|q| [q * total, q * total + total / 2 - u64::from(total > 1), q * total + total.div_ceil(2)])
            {
                assert_eq!(u64::from(divisor.rounded(sum)), (sum + total / 2) / total, "{sum} / {total}");
            }
            assert_eq!(divisor.rounded(255 * total), 255);
        }
    }
}
