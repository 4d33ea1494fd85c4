//! The Huffman code of all joined files.

use std::sync::LazyLock;

use super::bits::{BitWriter, Bits};

/// Literals, end of block and match lengths of deflate (RFC 1951, section 3.2.5).
const SYMBOLS: usize = 286;
/// The symbol that ends a block.
const END: usize = 256;
/// Least and greatest length of a match.
const REPEATS: std::ops::RangeInclusive<usize> = 3..=258;

/// Bits of the longest word: no byte takes more, as matches stand for several.
const LONGEST: usize = 14;

/// Length of each symbol's word: the best code for the bytes of 57 scenes of L1, L3, L4 and L5 and 8 icon probes of the
/// default pack, where no symbol counts for less than one in 8,192. Another table would give other files of the same
/// pixels.
#[rustfmt::skip]
const LENGTHS: [u8; SYMBOLS] = [
    2, 2, 5, 6, 7, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 11, 11, 11,
    11, 11, 11, 11, 12, 11, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
    12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 12, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,
    13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,
    13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,
    13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,
    13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,
    13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 12, 13, 13, 12, 12, 12, 12, 12,
    12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 11, 12, 12, 12, 11, 11, 11, 11, 11,
    11, 11, 11, 11, 11, 10, 10, 10, 10, 10, 10, 10, 9, 9, 9, 9, 8, 8, 7, 6, 5, 2, 14, 9, 10, 6,
    11, 11, 7, 11, 12, 8, 9, 12, 9, 9, 9, 11, 11, 10, 10, 12, 12, 11, 11, 12, 12, 11, 7, 14, 14, 14,
];

/// A word of the code, with what follows it: first bit lowest.
#[derive(Clone, Copy, Default)]
struct Word {
    bits: u32,
    length: u32,
}

impl Word {
    #[inline]
    fn write(self, to: &mut BitWriter) {
        to.push(u64::from(self.bits), self.length);
    }
}

/// Words for what a deflate block is made of here.
pub(super) struct Code {
    literals: [Word; 256],
    /// The byte before, this many times.
    repeats: [Word; *REPEATS.end() + 1],
    end: Word,
}

impl Code {
    /// The one code.
    pub(super) fn pinned() -> &'static Self {
        static PINNED: LazyLock<Code> = LazyLock::new(Code::new);
        &PINNED
    }

    fn new() -> Self {
        let words = canonical(&LENGTHS);
        let mut repeats = [Word::default(); *REPEATS.end() + 1];
        for length in REPEATS {
            let (symbol, extra, extra_bits) = repeat_symbol(length);
            let Word { bits, length: own } = words[symbol];
            // Behind it stands the distance: 1, the only word of its code, which is a zero bit.
            repeats[length] = Word { bits: bits | (extra << own), length: own + extra_bits + 1 };
        }
        Self { literals: std::array::from_fn(|byte| words[byte]), repeats, end: words[END] }
    }

    /// Appends bytes as literals and runs of zeros; nothing refers to what came before.
    ///
    /// Whether a run begins soon, and where it ends, nobody can foretell: each is asked once, for many bytes together.
    pub(super) fn write(&self, bytes: &[u8], bits: &mut Bits) {
        let mut to = bits.writer(bytes.len() * LONGEST);
        let mut at = 0;
        while let Some(next) = bytes[at..].first_chunk() {
            let literals = next.first_chunk().expect("four of eight");
            let Some(first) = first_run(*next) else {
                self.write_literals(literals, literals.len(), &mut to);
                at += literals.len();
                continue;
            };
            self.write_literals(literals, first + 1, &mut to);
            at += first + 1;
            at += self.write_repeats(&bytes[at..], &mut to);
        }
        while at < bytes.len() {
            self.literals[usize::from(bytes[at])].write(&mut to);
            at += 1;
            if bytes[at - 1] == 0 {
                at += self.write_repeats(&bytes[at..], &mut to);
            }
        }
    }

    /// The same for bytes that are all zero.
    pub(super) fn write_zeros(&self, bytes: usize, bits: &mut Bits) {
        let mut to = bits.writer(bytes * LONGEST);
        let mut left = bytes;
        while left > 0 {
            self.literals[0].write(&mut to);
            left -= 1;
            let repeats = left.min(*REPEATS.end());
            if repeats >= *REPEATS.start() {
                self.repeats[repeats].write(&mut to);
                left -= repeats;
            }
        }
    }

    /// The first so many of four literals. Together they are no longer than what can be appended at once.
    #[inline]
    fn write_literals(&self, bytes: &[u8; 4], count: usize, to: &mut BitWriter) {
        // In pairs, none of which waits for the other's length: 2 % of a scene's time less than one after the other.
        let word = |at: usize| {
            let Word { bits, length } = self.literals[usize::from(bytes[at])];
            let mask = if at < count { u32::MAX } else { 0 };
            Word { bits: bits & mask, length: length & mask }
        };
        let pair = |a: Word, b: Word| (u64::from(a.bits) | u64::from(b.bits) << a.length, a.length + b.length);
        let ((ab, of_ab), (cd, of_cd)) = (pair(word(0), word(1)), pair(word(2), word(3)));
        to.push(ab | cd << of_ab, of_ab + of_cd);
    }

    /// The zeros that come first, behind one that is written already, if they are enough for a match; returns how many
    /// it stands for.
    #[inline]
    fn write_repeats(&self, bytes: &[u8], to: &mut BitWriter) -> usize {
        let zeros = zeros_at_start(&bytes[..bytes.len().min(*REPEATS.end())]);
        if zeros < *REPEATS.start() {
            return 0;
        }
        self.repeats[zeros].write(to);
        zeros
    }

    /// Ends the block.
    pub(super) fn write_end(&self, bits: &mut Bits) {
        bits.push(u64::from(self.end.bits), self.end.length);
    }

    /// The head of the only block, with the code's lengths (RFC 1951, section 3.2.7).
    pub(super) fn write_header(&self, bits: &mut Bits) {
        bits.push(1, 1);
        bits.push(2, 2);
        bits.push(SYMBOLS as u64 - 257, 5);
        bits.push(0, 5);
        // Lengths themselves are encoded with four bits each: all of 0 to 15, none of the repeats 16, 17, 18 that come
        // first.
        bits.push(19 - 4, 4);
        for order in 0..19 {
            bits.push(if order < 3 { 0 } else { 4 }, 3);
        }
        // The last one is the length of the only distance.
        for &length in LENGTHS.iter().chain([&1]) {
            bits.push(u64::from(length).reverse_bits() >> 60, 4);
        }
    }
}

/// The words that belong to lengths (RFC 1951, section 3.2.2).
fn canonical(lengths: &[u8; SYMBOLS]) -> [Word; SYMBOLS] {
    let (mut words, mut next) = ([Word::default(); SYMBOLS], 0_u32);
    for length in 1..=15 {
        for symbol in (0..SYMBOLS).filter(|&symbol| lengths[symbol] == length) {
            words[symbol] = Word { bits: next.reverse_bits() >> (32 - length), length: length.into() };
            next += 1;
        }
        next <<= 1;
    }
    words
}

/// The symbol of a match's length, what follows it, and in how many bits (RFC 1951, section 3.2.5).
fn repeat_symbol(length: usize) -> (usize, u32, u32) {
    if length == *REPEATS.end() {
        return (SYMBOLS - 1, 0, 0);
    }
    let mut min = *REPEATS.start();
    for at in 0..28 {
        let extra_bits = if at < 8 { 0 } else { at as u32 / 4 - 1 };
        if length < min + (1 << extra_bits) {
            return (END + 1 + at, (length - min) as u32, extra_bits);
        }
        min += 1 << extra_bits;
    }
    unreachable!("no match is longer than {}", REPEATS.end())
}

/// Where the first run of zeros that is written as one begins in the first four of these bytes, if any does.
#[inline]
fn first_run(bytes: [u8; 8]) -> Option<usize> {
    // A literal and the shortest match.
    const { assert!(*REPEATS.start() + 1 == 4) };
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let v = u64::from_le_bytes(bytes);
    // The highest bit of each byte that is zero.
    let zeros = !(((v & LOW) + LOW) | v | LOW);
    let runs = zeros & (zeros >> 8) & (zeros >> 16) & (zeros >> 24) & 0x8080_8080;
    (runs != 0).then(|| (runs.trailing_zeros() / 8) as usize)
}

/// How many zeros come first.
#[inline]
fn zeros_at_start(bytes: &[u8]) -> usize {
    let mut count = 0;
    while let Some(next) = bytes[count..].first_chunk() {
        let next = u64::from_le_bytes(*next);
        if next != 0 {
            return count + (next.trailing_zeros() / 8) as usize;
        }
        count += 8;
    }
    count + bytes[count..].iter().take_while(|byte| **byte == 0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_complete() {
        // Kraft's sum in units of the longest word: less would leave words unused, more would be ambiguous.
        let sum: u32 = LENGTHS.iter().map(|&length| 1 << (15 - length)).sum();
        assert_eq!(sum, 1 << 15);
        assert!(LENGTHS.iter().all(|&length| usize::from(length) <= LONGEST));
        const { assert!(4 * LONGEST <= 56, "four literals are written at once") };
    }

    #[test]
    fn zeros_are_written_as_other_bytes_are() {
        for count in 0..1000 {
            let mut expected = Bits::default();
            Code::pinned().write(&vec![0; count], &mut expected);
            let mut found = Bits::default();
            Code::pinned().write_zeros(count, &mut found);
            assert_eq!((found.len(), found.into_bytes()), (expected.len(), expected.into_bytes()), "{count}");
        }
    }

    #[test]
    fn runs_are_found_where_they_begin() {
        for pattern in 0..=255_u8 {
            let zero = |at: usize| (pattern >> at) & 1 == 1;
            let bytes = std::array::from_fn(|at| if zero(at) { 0 } else { 0x80 | pattern });
            let expected = (0..4).find(|&first| (first..first + 4).all(zero));
            assert_eq!(first_run(bytes), expected, "{pattern:08b}");
        }
    }
}
