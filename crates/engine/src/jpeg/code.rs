//! The Huffman codes that T.81 gives as examples and nearly all files have, the head of a file, and its bits.

use windesk_model::geometry::Size;

/// Coefficients in the order of files, lowest waves first; their places column by column.
#[rustfmt::skip]
const ORDER: [usize; 64] = [
    0, 8, 1, 2, 9, 16, 24, 17, 10, 3, 4, 11, 18, 25, 32, 40,
    33, 26, 19, 12, 5, 6, 13, 20, 27, 34, 41, 48, 56, 49, 42, 35,
    28, 21, 14, 7, 15, 22, 29, 36, 43, 50, 57, 58, 51, 44, 37, 30,
    23, 31, 38, 45, 52, 59, 60, 53, 46, 39, 47, 54, 61, 62, 55, 63,
];

/// Coefficients of one block.
const COUNT: usize = 64;
/// Most zeros before a coefficient that one word tells of.
const MAX_ZEROS: usize = 15;
/// The words for sixteen zeros, and for zeros up to the end.
const ZEROS: usize = 0xf0;
const END: usize = 0x00;

/// A table as files write it: how many words there are of each length from 1 on, and what they mean, shortest first.
struct Table {
    counts: [u8; 16],
    meanings: &'static [u8],
}

/// How many bits the change of a mean has: brightness, colour (tables K.3 and K.4).
const MEANS: [Table; 2] = [
    Table { counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], meanings: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
    Table { counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], meanings: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
];

/// Zeros before another coefficient, in the upper four bits, and how many bits that has: brightness, colour (tables K.5
/// and K.6).
#[rustfmt::skip]
const RESTS: [Table; 2] = [
    Table { counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125], meanings: &[
        0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
        0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72,
        0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37,
        0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59,
        0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83,
        0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3,
        0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3,
        0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2,
        0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
    ] },
    Table { counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119], meanings: &[
        0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13, 0x22,
        0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33, 0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1,
        0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17, 0x18, 0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36,
        0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58,
        0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a,
        0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a,
        0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba,
        0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda,
        0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
    ] },
];

/// A word of a code.
#[derive(Clone, Copy, Default)]
struct Word {
    bits: u32,
    length: u32,
}

/// Words for the blocks of a channel.
pub(super) struct Code {
    means: [Word; 12],
    rests: [Word; 256],
}

impl Code {
    pub(super) fn brightness() -> Self {
        Self { means: words(&MEANS[0]), rests: words(&RESTS[0]) }
    }

    pub(super) fn colour() -> Self {
        Self { means: words(&MEANS[1]), rests: words(&RESTS[1]) }
    }

    /// By how much a block's mean differs from that of the one before.
    #[inline(always)]
    pub(super) fn write_mean(&self, change: i32, bits: &mut BitWriter) {
        let (extra, length) = number(change);
        let Word { bits: word, length: own } = self.means[length as usize];
        bits.push(word << length | extra, own + length);
    }

    /// All other coefficients, column by column with the mean.
    #[inline(always)]
    pub(super) fn write_rest(&self, coefficients: &[i16; COUNT], bits: &mut BitWriter) {
        // Steps over zeros need no look at them. The mean is written already.
        let mut left = in_order(not_zero(coefficients)) & !1;
        let mut next = 1;
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            left &= left - 1;
            let mut zeros = at - next;
            while zeros > MAX_ZEROS {
                bits.push_word(self.rests[ZEROS]);
                zeros -= MAX_ZEROS + 1;
            }
            let (extra, length) = number(coefficients[ORDER[at]].into());
            let Word { bits: word, length: own } = self.rests[zeros << 4 | length as usize];
            bits.push(word << length | extra, own + length);
            next = at + 1;
        }
        if next < COUNT {
            self.write_end(bits);
        }
    }

    /// No other coefficient follows.
    #[inline(always)]
    pub(super) fn write_end(&self, bits: &mut BitWriter) {
        bits.push_word(self.rests[END]);
    }

    /// A block of one colour, the same as in the one before.
    #[inline(always)]
    pub(super) fn write_same(&self, bits: &mut BitWriter) {
        let (Word { bits: word, length }, end) = (self.means[0], self.rests[END]);
        bits.push(word << end.length | end.bits, length + end.length);
    }
}

/// A bit for each number that is not zero, the first lowest.
#[inline(always)]
fn not_zero(numbers: &[i16; COUNT]) -> u64 {
    // Times this, the lowest bits of eight bytes come together in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let flags = numbers.map(|number| u8::from(number != 0));
    let eights = flags.as_chunks::<8>().0.iter();
    eights.rev().fold(0, |bits, eight| bits << 8 | u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56)
}

/// For each value of eight flags, from flag 0, 8, 16, ... on, flags where the order has these coefficients.
static ORDERED: [[u64; 256]; 8] = {
    let mut ordered = [[0; 256]; 8];
    let mut at = 0;
    while at < COUNT {
        let (eight, flag) = (ORDER[at] / 8, ORDER[at] % 8);
        let mut flags = 0;
        while flags < 256 {
            ordered[eight][flags] |= (flags as u64 >> flag & 1) << at;
            flags += 1;
        }
        at += 1;
    }
    ordered
};

/// Flags of coefficients in the order of files.
#[inline(always)]
fn in_order(flags: u64) -> u64 {
    let eights = ORDERED.iter().zip(flags.to_le_bytes());
    eights.fold(0, |ordered, (of, eight)| ordered | of[usize::from(eight)])
}

/// A number as it stands behind its length, and the length.
#[inline(always)]
fn number(value: i32) -> (u32, u32) {
    let length = i32::BITS - value.unsigned_abs().leading_zeros();
    let extra = if value < 0 { value - 1 } else { value };
    (extra as u32 & ((1 << length) - 1), length)
}

/// The words of a table, by what they mean (T.81, annex C).
fn words<const N: usize>(table: &Table) -> [Word; N] {
    let (mut words, mut next, mut meanings) = ([Word::default(); N], 0, table.meanings.iter());
    for (length, &count) in (1..).zip(&table.counts) {
        for &meaning in meanings.by_ref().take(count.into()) {
            words[usize::from(meaning)] = Word { bits: next, length };
            next += 1;
        }
        next <<= 1;
    }
    words
}

/// Appends everything before the first block (T.81, annex B; T.871).
pub(super) fn write_head(size: Size, divisors: &[[u8; COUNT]; 2], file: &mut Vec<u8>) {
    // Version 1.1; pixels as wide as high; no thumbnail.
    file.extend(b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
    for (number, divisors) in (0..).zip(divisors) {
        segment(0xdb, &[number], ORDER.iter().map(|at| divisors[at % 8 * 8 + at / 8]), file);
    }
    let [width, height] = [size.width, size.height].map(|side| (side as u16).to_be_bytes());
    // 8 bits; three channels, each as large as the picture, with the divisors of brightness or colour.
    let channels = [1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1];
    segment(0xc0, &[8, height[0], height[1], width[0], width[1], 3], channels, file);
    for (table, place) in MEANS.iter().zip([0x00, 0x01]).chain(RESTS.iter().zip([0x10, 0x11])) {
        segment(0xc4, &[place], table.counts.iter().chain(table.meanings).copied(), file);
    }
    // All channels together, with their codes, and all coefficients at once.
    segment(0xda, &[3], [1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0], file);
}

fn segment(marker: u8, first: &[u8], then: impl IntoIterator<Item = u8>, file: &mut Vec<u8>) {
    file.extend([0xff, marker]);
    let begun = file.len();
    file.extend([0; 2]);
    file.extend_from_slice(first);
    file.extend(then);
    let length = (file.len() - begun) as u16;
    file[begun..begun + 2].copy_from_slice(&length.to_be_bytes());
}

/// Bits behind the head of a file, the first highest.
pub(super) struct BitWriter {
    file: Vec<u8>,
    /// Those that are not in the file yet, lowest last.
    last: u64,
    count: u32,
}

impl BitWriter {
    pub(super) fn behind(file: Vec<u8>) -> Self {
        Self { file, last: 0, count: 0 }
    }

    /// Appends the lowest `count` bits of a number that has no others; at most 32.
    #[inline(always)]
    fn push(&mut self, bits: u32, count: u32) {
        self.last = self.last << count | u64::from(bits);
        self.count += count;
        if self.count >= 32 {
            self.count -= 32;
            self.write((self.last >> self.count) as u32);
        }
    }

    #[inline(always)]
    fn push_word(&mut self, word: Word) {
        self.push(word.bits, word.length);
    }

    /// Behind a byte of ones stands one of zeros, so that it begins no marker.
    fn write(&mut self, four: u32) {
        let zeros = !four;
        if zeros.wrapping_sub(0x0101_0101) & !zeros & 0x8080_8080 == 0 {
            self.file.extend_from_slice(&four.to_be_bytes());
        } else {
            four.to_be_bytes().into_iter().for_each(|byte| self.write_byte(byte));
        }
    }

    fn write_byte(&mut self, byte: u8) {
        self.file.push(byte);
        if byte == 0xff {
            self.file.push(0);
        }
    }

    /// The file: what is left of the last byte are ones.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let missing = self.count.next_multiple_of(8) - self.count;
        self.push((1 << missing) - 1, missing);
        while self.count > 0 {
            self.count -= 8;
            self.write_byte((self.last >> self.count) as u8);
        }
        self.file.extend([0xff, 0xd9]);
        self.file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coefficient_has_its_place_in_the_order() {
        let mut order = ORDER;
        order.sort_unstable();
        assert!(order.into_iter().eq(0..COUNT));
        // Neighbours in it are neighbours on a slope, or on a border.
        let place = |at: usize| [at / 8, at % 8];
        for pair in ORDER.windows(2) {
            let ([a, b], [c, d]) = (place(pair[0]), place(pair[1]));
            assert!(a.abs_diff(c) <= 1 && b.abs_diff(d) <= 1, "{pair:?}");
        }
    }

    #[test]
    fn numbers_that_are_not_zero_are_found() {
        let mut state = 9_u32;
        for _ in 0..100 {
            let numbers = std::array::from_fn(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                [0, 1, -1, 256, -256][(state >> 16) as usize % 5]
            });
            let found = not_zero(&numbers);
            assert!((0..COUNT).all(|at| (found >> at & 1 == 1) == (numbers[at] != 0)), "{numbers:?}: {found:b}");
            let ordered = in_order(found);
            assert!((0..COUNT).all(|at| (ordered >> at & 1 == 1) == (numbers[ORDER[at]] != 0)), "{numbers:?}: {ordered:b}");
        }
    }

    #[test]
    fn no_word_begins_another() {
        for code in [Code::brightness(), Code::colour()] {
            for words in [&code.means[..], &code.rests[..]] {
                let words: Vec<_> = words.iter().filter(|word| word.length > 0).collect();
                let begins = |a: &Word, b: &Word| a.length <= b.length && b.bits >> (b.length - a.length) == a.bits;
                let clashes = words.iter().flat_map(|a| words.iter().map(move |b| (a, b)));
                assert_eq!(clashes.filter(|(a, b)| begins(a, b)).count(), words.len(), "each begins itself alone");
            }
        }
    }
}
