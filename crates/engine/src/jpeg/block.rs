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

/// Most columns: those of three channels.
const COLUMNS: usize = SIDE * 3;
/// The channels of a block side by side, row by row: brightness, then hues.
type Rows = [f32; SIDE * COLUMNS];

/// A block that is being transformed. It can be used for one after the other: what lies in its rows behind the columns
/// that count is of no meaning.
pub(super) struct Block {
    /// Columns that count: all, or [`SIDE`] if no pixel has a hue.
    columns: usize,
    rows: Rows,
    /// Room to work in.
    turned: Rows,
}

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

impl Block {
    pub(super) fn new() -> Self {
        Self { columns: 0, rows: [0.0; SIDE * COLUMNS], turned: [0.0; SIDE * COLUMNS] }
    }

    /// Takes the channels of a block, from byte `first` of eight rows on.
    #[inline(always)]
    pub(super) fn read(&mut self, rows: &[u8], row_bytes: usize, first: usize) {
        let mut pixels = [[0; SIDE]; SIDE];
        let mut differs = 0;
        for (y, row) in pixels.iter_mut().enumerate() {
            *row = pixels_of(row_at(rows, row_bytes, first, y));
            // Neighbouring bytes of a pixel without a hue are the same.
            differs |= row.iter().fold(0, |differs, pixel| differs | (pixel ^ pixel >> 8) & 0xFFFF);
        }
        let is_grey = differs == 0;
        for (row, to) in pixels.iter().zip(self.rows.as_chunks_mut::<COLUMNS>().0) {
            let [red, green, blue] = [0, 8, 16].map(|shift| row.map(|pixel| (pixel >> shift & 255) as i32 as f32));
            for x in 0..SIDE {
                if is_grey {
                    to[x] = red[x] - MIDDLE;
                } else {
                    let pixel = [red[x], green[x], blue[x]];
                    to[x] = mixed(pixel, BRIGHTNESS) - MIDDLE;
                    to[SIDE + x] = mixed(pixel, BLUENESS);
                    to[2 * SIDE + x] = mixed(pixel, REDNESS);
                }
            }
        }
        self.columns = if is_grey { SIDE } else { COLUMNS };
    }

    /// Makes coefficients of the channels.
    #[inline(always)]
    pub(super) fn transform(&mut self) {
        let Self { columns, rows, turned } = self;
        down(rows, *columns);
        turn(rows, turned, *columns);
        down(turned, *columns);
    }

    /// The coefficients that were made of a channel, divided and rounded, column by column; null for a hue that no
    /// pixel has.
    #[inline(always)]
    pub(super) fn coefficients(&self, channel: usize, divisors: &Divisors) -> Option<[i16; SIDE * SIDE]> {
        let first = channel * SIDE;
        let coefficient = |at: usize| rounded(self.turned[at / SIDE * COLUMNS + first + at % SIDE] * divisors.0[at]) as i16;
        (first < self.columns).then(|| std::array::from_fn(coefficient))
    }
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

/// To the nearest whole number, halves to the even one; for numbers up to 2^22.
#[inline(always)]
fn rounded(value: f32) -> i32 {
    // Behind the point such a sum has no digit left.
    const SHIFT: f32 = 12_582_912.0;
    (value + SHIFT).to_bits() as i32 - SHIFT.to_bits() as i32
}

/// Side of the parts that are turned at once, px.
const PART: usize = 4;

/// Rows as columns, in each channel.
#[inline(always)]
fn turn(rows: &Rows, to: &mut Rows, columns: usize) {
    for first in (0..columns).step_by(SIDE) {
        for (y, x) in [(0, 0), (0, PART), (PART, 0), (PART, PART)] {
            let part: [[f32; PART]; PART] =
                std::array::from_fn(|at| *rows[(y + at) * COLUMNS + first + x..].first_chunk().expect("a part of a row"));
            for at in 0..PART {
                let column: [f32; PART] = std::array::from_fn(|row| part[row][at]);
                to[(x + at) * COLUMNS + first + y..][..PART].copy_from_slice(&column);
            }
        }
    }
}

/// The cosine transform down the first so many columns, after Arai, Agui and Nakajima: what all coefficients of a row
/// are multiplied by is left to [`Divisors`].
#[inline(always)]
fn down(rows: &mut Rows, columns: usize) {
    // The compiler does as many columns at once as registers have room for, once it knows that all lie in their rows.
    for x in 0..columns.min(COLUMNS) {
        let row = |y: usize| rows[y * COLUMNS + x];
        let ((s0, d0), (s1, d1)) = ((row(0) + row(7), row(0) - row(7)), (row(1) + row(6), row(1) - row(6)));
        let ((s2, d2), (s3, d3)) = ((row(2) + row(5), row(2) - row(5)), (row(3) + row(4), row(3) - row(4)));

        // Coefficients 0, 2, 4 and 6 from the sums of opposite rows.
        let (outer, outer_difference) = (s0 + s3, s0 - s3);
        let (inner, inner_difference) = (s1 + s2, s1 - s2);
        // cos(4 pi / 16)
        let turned = (inner_difference + outer_difference) * 0.707_106_77;
        rows[x] = outer + inner;
        rows[2 * COLUMNS + x] = outer_difference + turned;
        rows[4 * COLUMNS + x] = outer - inner;
        rows[6 * COLUMNS + x] = outer_difference - turned;

        // Coefficients 1, 3, 5 and 7 from the differences of opposite rows.
        let (low, middle, high) = (d3 + d2, d2 + d1, d1 + d0);
        // cos(6 pi / 16), cos(2 pi / 16) less and more cos(6 pi / 16), cos(4 pi / 16)
        let shared = (low - high) * 0.382_683_43;
        let (low, high) = (low * 0.541_196_1 + shared, high * 1.306_563 + shared);
        let middle = middle * 0.707_106_77;
        let (a, b) = (d0 + middle, d0 - middle);
        rows[COLUMNS + x] = a + high;
        rows[3 * COLUMNS + x] = b - low;
        rows[5 * COLUMNS + x] = b + low;
        rows[7 * COLUMNS + x] = a - high;
    }
}
