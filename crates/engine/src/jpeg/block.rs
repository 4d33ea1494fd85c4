//! Eight by eight pixels: their channels, and what the cosine transform makes of them. All of it is inlined where it is
//! called, so that it uses the registers that are used there.

/// Side of a block, px.
pub(super) const SIDE: usize = 8;
/// Bytes of a block's row.
const ROW_BYTES: usize = SIDE * 3;

/// Parts of red, green and blue in brightness, blueness and redness (T.871).
const BRIGHTNESS: [f32; 3] = [0.299, 0.587, 0.114];
const BLUENESS: [f32; 3] = [-0.168_735_89, -0.331_264_1, 0.5];
const REDNESS: [f32; 3] = [0.5, -0.418_687_6, -0.081_312_41];
/// Samples are counted from the middle of 0 to 255; hues are already.
const MIDDLE: f32 = 128.0;

/// A channel of a block, row by row.
pub(super) type Samples = [f32; SIDE * SIDE];

/// The colour of a block's pixels if all have one.
#[inline(always)]
pub(super) fn one_colour(rows: &[u8], row_bytes: usize, first: usize) -> Option<[u8; 3]> {
    let row: &[u8; ROW_BYTES] = row_at(rows, row_bytes, first, 0);
    let pixel = [row[0], row[1], row[2]];
    let is_flat = row[..ROW_BYTES - 3] == row[3..] && (1..SIDE).all(|y| row_at(rows, row_bytes, first, y) == row);
    is_flat.then_some(pixel)
}

#[inline(always)]
fn row_at(rows: &[u8], row_bytes: usize, first: usize, y: usize) -> &[u8; ROW_BYTES] {
    rows[y * row_bytes + first..].first_chunk().expect("rows of whole blocks")
}

#[inline(always)]
fn mixed([red, green, blue]: [f32; 3], parts: [f32; 3]) -> f32 {
    red * parts[0] + green * parts[1] + blue * parts[2]
}

/// What stands for the mean of each channel in a block of one colour.
#[inline(always)]
pub(super) fn mean_of(pixel: [u8; 3], divisors: &[Divisors; 2]) -> [i32; 3] {
    let pixel = pixel.map(f32::from);
    let hue = |parts| rounded(mixed(pixel, parts) * 64.0 * divisors[1].0[0]);
    [rounded((mixed(pixel, BRIGHTNESS) - MIDDLE) * 64.0 * divisors[0].0[0]), hue(BLUENESS), hue(REDNESS)]
}

/// Brightness, blueness and redness of a block; null for hues that no pixel has.
#[inline(always)]
pub(super) fn channels(rows: &[u8], row_bytes: usize, first: usize) -> [Option<Samples>; 3] {
    let row = |y| row_at(rows, row_bytes, first, y);
    if (0..SIDE).all(|y| is_grey(row(y))) {
        let brightness = std::array::from_fn(|at| f32::from(row(at / SIDE)[at % SIDE * 3]) - MIDDLE);
        return [Some(brightness), None, None];
    }
    let (mut red, mut green, mut blue) = ([0.0; SIDE * SIDE], [0.0; SIDE * SIDE], [0.0; SIDE * SIDE]);
    for y in 0..SIDE {
        let pixels = pixels_of(row(y));
        for (plane, shift) in [(&mut red, 0), (&mut green, 8), (&mut blue, 16)] {
            let values = pixels.map(|pixel| ((pixel >> shift) & 255) as i32 as f32);
            plane[y * SIDE..][..SIDE].copy_from_slice(&values);
        }
    }
    let channel = |parts, middle| -> Option<Samples> {
        Some(std::array::from_fn(|at| mixed([red[at], green[at], blue[at]], parts) - middle))
    };
    [channel(BRIGHTNESS, MIDDLE), channel(BLUENESS, 0.0), channel(REDNESS, 0.0)]
}

/// Red, green and blue of each pixel, lowest first, below a byte of no meaning.
#[inline(always)]
fn pixels_of(row: &[u8; ROW_BYTES]) -> [u32; SIDE] {
    std::array::from_fn(|x| {
        // Behind the last pixel there is no other byte.
        let (start, shift) = if x + 1 < SIDE { (x * 3, 0) } else { (x * 3 - 1, 8) };
        u32::from_le_bytes(*row[start..].first_chunk().expect("four bytes")) >> shift
    })
}

#[inline(always)]
fn is_grey(row: &[u8; ROW_BYTES]) -> bool {
    // Neighbouring bytes of one pixel are the same.
    let differs = (0..ROW_BYTES - 1).fold(0, |differs, at| differs | (row[at] ^ row[at + 1]) & [255, 255, 0][at % 3]);
    differs == 0
}

/// What each coefficient is multiplied by before it is rounded, column by column.
pub(super) struct Divisors([f32; 64]);

impl Divisors {
    /// From the divisors of a file, row by row. What the transform leaves out of its products is in it.
    pub(super) fn new(divisors: &[u8; 64]) -> Self {
        // cos(k pi / 16) * sqrt(2) for k above 0.
        const SCALE: [f64; 8] =
            [1.0, 1.387_039_845, 1.306_562_965, 1.175_875_602, 1.0, 0.785_694_958, 0.541_196_100, 0.275_899_379];
        Self(std::array::from_fn(|at| {
            let (column, row) = (at / SIDE, at % SIDE);
            (1.0 / (f64::from(divisors[row * SIDE + column]) * SCALE[row] * SCALE[column] * 8.0)) as f32
        }))
    }
}

/// The coefficients of a channel, divided and rounded, column by column.
#[inline(always)]
pub(super) fn transform(samples: &Samples, divisors: &Divisors) -> [i16; SIDE * SIDE] {
    let across = down(&turned(&down(samples)));
    std::array::from_fn(|at| rounded(across[at] * divisors.0[at]) as i16)
}

/// To the nearest whole number, halves to the even one; for numbers up to 2^22.
#[inline(always)]
fn rounded(value: f32) -> i32 {
    // Behind the point such a sum has no digit left.
    const SHIFT: f32 = 12_582_912.0;
    (value + SHIFT).to_bits() as i32 - SHIFT.to_bits() as i32
}

/// As many columns as are transformed at once.
const LANES: usize = 8;

/// What stands in one row of some columns.
type Lanes = [f32; LANES];

#[inline(always)]
fn sum(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|lane| a[lane] + b[lane])
}

#[inline(always)]
fn difference(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|lane| a[lane] - b[lane])
}

#[inline(always)]
fn times(a: Lanes, factor: f32) -> Lanes {
    a.map(|value| value * factor)
}

/// Side of the parts that are turned at once, px.
const PART: usize = 4;

/// Rows as columns.
#[inline(always)]
fn turned(samples: &Samples) -> Samples {
    let mut out = [0.0; SIDE * SIDE];
    for (y, x) in [(0, 0), (0, PART), (PART, 0), (PART, PART)] {
        let rows: [[f32; PART]; PART] = std::array::from_fn(|at| *part_of_row(samples, y + at, x));
        for at in 0..PART {
            let column: [f32; PART] = std::array::from_fn(|row| rows[row][at]);
            out[(x + at) * SIDE + y..][..PART].copy_from_slice(&column);
        }
    }
    out
}

#[inline(always)]
fn part_of_row<const N: usize>(samples: &Samples, y: usize, x: usize) -> &[f32; N] {
    samples[y * SIDE + x..].first_chunk().expect("a part of a row")
}

/// The cosine transform down every column, after Arai, Agui and Nakajima: what all coefficients of a row are multiplied
/// by is left to [`Divisors`].
#[inline(always)]
fn down(samples: &Samples) -> Samples {
    let mut out = [0.0; SIDE * SIDE];
    for first in (0..SIDE).step_by(LANES) {
        let [(s0, d0), (s1, d1)] = [opposite(samples, 0, first), opposite(samples, 1, first)];
        let [(s2, d2), (s3, d3)] = [opposite(samples, 2, first), opposite(samples, 3, first)];
        let (even, odd) = (even_rows([s0, s1, s2, s3]), odd_rows([d0, d1, d2, d3]));
        for at in 0..SIDE / 2 {
            out[2 * at * SIDE + first..][..LANES].copy_from_slice(&even[at]);
            out[(2 * at + 1) * SIDE + first..][..LANES].copy_from_slice(&odd[at]);
        }
    }
    out
}

/// Sum and difference of row `y` and the one as far from the other end.
#[inline(always)]
fn opposite(samples: &Samples, y: usize, first: usize) -> (Lanes, Lanes) {
    let (upper, lower) = (*part_of_row(samples, y, first), *part_of_row(samples, SIDE - 1 - y, first));
    (sum(upper, lower), difference(upper, lower))
}

/// Coefficients 0, 2, 4 and 6 from the sums of opposite rows.
#[inline(always)]
fn even_rows([s0, s1, s2, s3]: [Lanes; 4]) -> [Lanes; 4] {
    let (outer, outer_difference) = (sum(s0, s3), difference(s0, s3));
    let (inner, inner_difference) = (sum(s1, s2), difference(s1, s2));
    // cos(4 pi / 16)
    let turned = times(sum(inner_difference, outer_difference), 0.707_106_77);
    [sum(outer, inner), sum(outer_difference, turned), difference(outer, inner), difference(outer_difference, turned)]
}

/// Coefficients 1, 3, 5 and 7 from the differences of opposite rows.
#[inline(always)]
fn odd_rows([d0, d1, d2, d3]: [Lanes; 4]) -> [Lanes; 4] {
    let (low, middle, high) = (sum(d3, d2), sum(d2, d1), sum(d1, d0));
    // cos(6 pi / 16), cos(2 pi / 16) less and more cos(6 pi / 16), cos(4 pi / 16)
    let shared = times(difference(low, high), 0.382_683_43);
    let (low, high) = (sum(times(low, 0.541_196_1), shared), sum(times(high, 1.306_563), shared));
    let middle = times(middle, 0.707_106_77);
    let (a, b) = (sum(d0, middle), difference(d0, middle));
    [sum(a, high), difference(b, low), sum(b, low), difference(a, high)]
}
