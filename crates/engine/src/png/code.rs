//! The Huffman code of all joined files.

use std::sync::LazyLock;

use super::bits::{Bits, OpenBits};

/// Literals, end of block and match lengths of deflate (RFC 1951, section 3.2.5).
const SYMBOLS: usize = 286;
/// The symbol that ends a block.
const END: usize = 256;
/// Least and greatest length of a match.
const REPEATS: std::ops::RangeInclusive<usize> = 3..=258;

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
    fn write(self, open: &mut OpenBits, bytes: &mut Vec<u8>) {
        open.push(u64::from(self.bits), self.length, bytes);
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
    pub(super) fn write(&self, bytes: &[u8], bits: &mut Bits) {
        let Bits { bytes: out, open: kept } = bits;
        let (mut at, mut open) = (0, *kept);
        while at < bytes.len() {
            if let Some(next) = bytes[at..].first_chunk()
                && !begins_run(*next)
            {
                self.write_literals(next.first_chunk().expect("four of eight"), &mut open, out);
                at += 4;
                continue;
            }
            self.literals[usize::from(bytes[at])].write(&mut open, out);
            at += 1;
            if bytes[at - 1] == 0 {
                let zeros = zeros_at_start(&bytes[at..bytes.len().min(at + REPEATS.end())]);
                if zeros >= *REPEATS.start() {
                    self.repeats[zeros].write(&mut open, out);
                    at += zeros;
                }
            }
        }
        *kept = open;
    }

    /// Four literals together are no longer than what can be appended at once.
    #[inline]
    fn write_literals(&self, bytes: &[u8; 4], open: &mut OpenBits, out: &mut Vec<u8>) {
        // In pairs, none of which waits for the other's length: 2 % of a scene's time less than one after the other.
        let [a, b, c, d] = bytes.map(|byte| self.literals[usize::from(byte)]);
        let pair = |a: Word, b: Word| (u64::from(a.bits) | u64::from(b.bits) << a.length, a.length + b.length);
        let ((ab, of_ab), (cd, of_cd)) = (pair(a, b), pair(c, d));
        open.push(ab | cd << of_ab, of_ab + of_cd, out);
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

/// Whether a run of zeros that is written as one begins in the first four of these bytes.
fn begins_run(bytes: [u8; 8]) -> bool {
    // A literal and the shortest match.
    const { assert!(*REPEATS.start() + 1 == 4) };
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let v = u64::from_le_bytes(bytes);
    // The highest bit of each byte that is zero.
    let zeros = !(((v & LOW) + LOW) | v | LOW);
    zeros & (zeros >> 8) & (zeros >> 16) & (zeros >> 24) & 0x8080_8080 != 0
}

/// How many zeros come first.
fn zeros_at_start(bytes: &[u8]) -> usize {
    let (eights, _) = bytes.as_chunks::<8>();
    let whole = eights.iter().take_while(|eight| **eight == [0; 8]).count() * 8;
    whole + bytes[whole..].iter().take_while(|byte| **byte == 0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_complete() {
        // Kraft's sum in units of the longest word: less would leave words unused, more would be ambiguous.
        let sum: u32 = LENGTHS.iter().map(|&length| 1 << (15 - length)).sum();
        assert_eq!(sum, 1 << 15);
        assert!(LENGTHS[..256].iter().all(|&length| length <= 14), "four literals are at most 56 bits");
    }

    #[test]
    fn runs_are_found_where_they_begin() {
        for pattern in 0..=255_u8 {
            let zero = |at: usize| (pattern >> at) & 1 == 1;
            let bytes = std::array::from_fn(|at| if zero(at) { 0 } else { 0x80 | pattern });
            let expected = (0..4).any(|first| (first..first + 4).all(zero));
            assert_eq!(begins_run(bytes), expected, "{pattern:08b}");
        }
    }
}
