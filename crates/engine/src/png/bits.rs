//! Strings of bits, and checksums that join.

use crate::wide::{NullaryFnOnce, widely};

/// Modulus of Adler-32.
const ADLER: u32 = 65_521;
/// Bits of a word: as many as are copied at once.
const WORD_BITS: u32 = u64::BITS;
/// Bytes that must be readable behind a string of bits that is copied from.
pub(super) const PADDING: usize = 8;

/// Bytes that are made room for at once.
const ROOM_BYTES: usize = 16 << 10;

/// A string of bits, the first lowest.
#[derive(Debug, Default)]
pub(super) struct Bits {
    /// Whole bytes, and room for those that follow.
    bytes: Vec<u8>,
    /// How many are whole.
    used: usize,
    open: OpenBits,
}

/// Bits that are not yet a byte: fewer than eight.
#[derive(Clone, Copy, Debug, Default)]
struct OpenBits {
    bits: u64,
    count: u32,
}

/// Appends bits to a string that has room for them.
pub(super) struct BitWriter<'a> {
    room: &'a mut [u8],
    used: usize,
    open: OpenBits,
    kept: (&'a mut usize, &'a mut OpenBits),
}

impl BitWriter<'_> {
    /// Appends the lowest `count` bits of a number that has no others; at most 56.
    ///
    /// A whole word is written each time, of which what follows overwrites what is not full: no branch asks whether it
    /// is.
    #[inline]
    pub(super) fn push(&mut self, bits: u64, count: u32) {
        let OpenBits { bits: before, count: open } = self.open;
        let (bits, count) = (before | bits << open, open + count);
        self.room[self.used..][..PADDING].copy_from_slice(&bits.to_le_bytes());
        self.used += (count / 8) as usize;
        self.open = OpenBits { bits: bits >> (count & !7), count: count % 8 };
    }
}

impl Drop for BitWriter<'_> {
    fn drop(&mut self) {
        let (used, open) = (&mut *self.kept.0, &mut *self.kept.1);
        (*used, *open) = (*used + self.used, self.open);
    }
}

impl Bits {
    /// Bits that are appended to whole bytes.
    pub(super) fn behind(bytes: Vec<u8>) -> Self {
        Self { used: bytes.len(), bytes, open: OpenBits::default() }
    }

    pub(super) fn len(&self) -> u64 {
        self.used as u64 * 8 + u64::from(self.open.count)
    }

    /// Room for so many bits and a word.
    fn room(&mut self, bits: usize) -> &mut [u8] {
        let end = self.used + bits / 8 + 2 * PADDING;
        if self.bytes.len() < end {
            self.bytes.resize(end + ROOM_BYTES, 0);
        }
        &mut self.bytes[self.used..end]
    }

    /// Appends at most so many bits.
    pub(super) fn writer(&mut self, most: usize) -> BitWriter<'_> {
        self.room(most);
        let Self { bytes, used, open } = self;
        BitWriter { room: &mut bytes[*used..], used: 0, open: *open, kept: (used, open) }
    }

    /// [`BitWriter::push`].
    pub(super) fn push(&mut self, bits: u64, count: u32) {
        self.writer(WORD_BITS as usize).push(bits, count);
    }

    /// Appends the bits `start..end` of bytes that go on for at least [`PADDING`] bytes behind the last of them.
    pub(super) fn copy(&mut self, from: &[u8], start: u64, end: u64) {
        // Once the string is whole bytes, one of its words is eight bytes of the others and a part of the ninth.
        let until_whole = u64::from((8 - self.open.count) % 8);
        let aligned = end.min(start + until_whole);
        self.copy_few(from, start, aligned);
        let whole = aligned + (end - aligned) / u64::from(WORD_BITS) * u64::from(WORD_BITS);
        self.copy_words(from, aligned, whole);
        self.copy_few(from, whole, end);
    }

    /// The same for less than two words.
    fn copy_few(&mut self, from: &[u8], start: u64, end: u64) {
        // What eight bytes hold wherever in the first of them the bits begin.
        const STEP: u32 = 56;
        let mut to = self.writer(2 * WORD_BITS as usize);
        let mut at = start;
        while at < end {
            let count = (end - at).min(u64::from(STEP)) as u32;
            let bytes = from[(at / 8) as usize..].first_chunk().expect("padding behind the last bit");
            to.push((u64::from_le_bytes(*bytes) >> (at % 8)) & ((1 << count) - 1), count);
            at += u64::from(count);
        }
    }

    /// The same for whole words, behind whole bytes.
    fn copy_words(&mut self, from: &[u8], start: u64, end: u64) {
        let shift = (start % 8) as u32;
        let length = ((end - start) / 8) as usize;
        let from = &from[(start / 8) as usize..][..length + 1];
        let to = &mut self.room(length * 8)[..length];
        widely(ShiftWords { from, shift, to });
        self.used += length;
    }

    /// Whole bytes; what is left of the last one is zero.
    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.fill_last_byte();
        self.bytes.truncate(self.used);
        self.bytes
    }

    /// Appends the same bytes to others, and begins anew.
    pub(super) fn move_to(&mut self, out: &mut Vec<u8>) {
        self.fill_last_byte();
        out.extend_from_slice(&self.bytes[..std::mem::take(&mut self.used)]);
    }

    fn fill_last_byte(&mut self) {
        let OpenBits { bits, count } = std::mem::take(&mut self.open);
        if count > 0 {
            self.room(0)[0] = bits as u8;
            self.used += 1;
        }
    }
}

/// Writes whole words, whose bits begin behind the first `shift` of `from` and end in the byte behind as many words.
struct ShiftWords<'a> {
    from: &'a [u8],
    shift: u32,
    to: &'a mut [u8],
}

impl NullaryFnOnce for ShiftWords<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { from, shift, to } = self;
        let words = from.as_chunks().0.iter().zip(from[1..].as_chunks().0);
        for (to, (low, next)) in to.as_chunks_mut().0.iter_mut().zip(words) {
            let [low, next] = [low, next].map(|word| u64::from_le_bytes(*word));
            // The byte behind the word. A shift by 64 bits is none that there is.
            let high = next >> (WORD_BITS - 8) << (WORD_BITS - 1 - shift) << 1;
            *to = (low >> shift | high).to_le_bytes();
        }
    }
}

/// Adler-32 (RFC 1950) of some bytes as if nothing came before them. Files are full of them: it is kept small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    /// Three bytes per pixel of a picture, and one per row: less than 4 GiB.
    pub(super) length: u32,
    /// Below 65,521, as the next.
    pub(super) plain: u16,
    /// Sum of the plain sums after each byte.
    pub(super) weighted: u16,
}

impl Sum {
    /// That of no bytes at all.
    pub(super) const EMPTY: Self = Self { length: 0, plain: 0, weighted: 0 };

    /// Where Adler-32 begins.
    pub(super) fn of_nothing() -> Self {
        Self { length: 0, plain: 1, weighted: 0 }
    }

    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut adler = simd_adler32::Adler32::from_checksum(0);
        adler.write(bytes);
        let sum = adler.finish();
        Self { length: bytes.len() as u32, plain: sum as u16, weighted: (sum >> 16) as u16 }
    }

    pub(super) fn of_zeros(bytes: usize) -> Self {
        Self { length: bytes as u32, ..Self::EMPTY }
    }

    /// These bytes, then others.
    pub(super) fn then(self, next: Self) -> Self {
        let weighted = u64::from(self.weighted) + u64::from(next.length) * u64::from(self.plain) + u64::from(next.weighted);
        Self {
            length: self.length + next.length,
            plain: ((u32::from(self.plain) + u32::from(next.plain)) % ADLER) as u16,
            weighted: (weighted % u64::from(ADLER)) as u16,
        }
    }

    /// What is left of these bytes without the ones that they begin with.
    pub(super) fn without_first(self, first: Self) -> Self {
        let length = self.length - first.length;
        // Each byte of `first` counts once more in the weighted sum for each byte behind it.
        let weighted_first = (u64::from(first.weighted) + u64::from(length) * u64::from(first.plain)) % u64::from(ADLER);
        Self {
            length,
            plain: ((u32::from(self.plain) + ADLER - u32::from(first.plain)) % ADLER) as u16,
            weighted: ((u32::from(self.weighted) + ADLER - weighted_first as u32) % ADLER) as u16,
        }
    }

    pub(super) fn adler32(self) -> u32 {
        (u32::from(self.weighted) << 16) | u32::from(self.plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_join_and_part() {
        let bytes: Vec<u8> = (0..70_000_u32).map(|v| ((v * 31) >> 3) as u8).collect();
        let joined = bytes.chunks(1193).fold(Sum::of_nothing(), |sum, part| sum.then(Sum::of(part)));
        let (mut a, mut b) = (1_u32, 0_u32);
        for &byte in &bytes {
            a = (a + u32::from(byte)) % 65_521;
            b = (b + a) % 65_521;
        }
        assert_eq!(joined.adler32(), (b << 16) | a);
        for first in [0, 1, 777, 65_522, 70_000] {
            let rest = Sum::of(&bytes).without_first(Sum::of(&bytes[..first]));
            assert_eq!((rest.length, rest.adler32()), ((70_000 - first) as u32, Sum::of(&bytes[first..]).adler32()), "{first}");
            assert_eq!(Sum::of_zeros(first), Sum::of(&vec![0; first]));
        }
    }

    #[test]
    fn copied_bits_are_the_same() {
        let mut source = Bits::default();
        for n in 0..500_u64 {
            source.push((n * 0x9E37) & 0x1FFF, 13);
        }
        let length = source.len();
        let mut bytes = source.into_bytes();
        bytes.extend([0; PADDING]);
        let bit = |bytes: &[u8], at: u64| (bytes[(at / 8) as usize] >> (at % 8)) & 1;
        for (start, end) in [(0, length), (1, 64), (63, 65), (64, 128), (77, 1300), (200, 200), (8, 6400), (13, length)] {
            let mut copy = Bits::default();
            copy.push(1, 3);
            copy.copy(&bytes, start, end);
            let copied = copy.into_bytes();
            for at in start..end {
                assert_eq!(bit(&copied, 3 + at - start), bit(&bytes, at), "bit {at} of {start}..{end}");
            }
        }
    }
}
