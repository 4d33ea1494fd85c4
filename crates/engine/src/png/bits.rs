//! Strings of bits, and checksums that join.

/// Modulus of Adler-32.
const ADLER: u64 = 65_521;
/// Bytes that must be readable behind a string of bits that is copied from.
pub(super) const PADDING: usize = 8;

/// A string of bits, the first lowest.
#[derive(Debug, Default)]
pub(super) struct Bits {
    pub(super) bytes: Vec<u8>,
    pub(super) open: OpenBits,
}

/// Bits that are not yet eight bytes. Whoever appends many keeps them by itself meanwhile, out of the string.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OpenBits {
    bits: u64,
    count: u32,
}

impl OpenBits {
    /// Appends the lowest `count` bits of a number that has no others; at most 56. Eight bytes that are full go to
    /// `bytes`.
    #[inline]
    pub(super) fn push(&mut self, bits: u64, count: u32, bytes: &mut Vec<u8>) {
        self.bits |= bits << self.count;
        self.count += count;
        if self.count >= 64 {
            bytes.extend_from_slice(&self.bits.to_le_bytes());
            self.count -= 64;
            self.bits = if self.count == 0 { 0 } else { bits >> (count - self.count) };
        }
    }
}

impl Bits {
    /// Bits that are appended to whole bytes.
    pub(super) fn behind(bytes: Vec<u8>) -> Self {
        Self { bytes, ..Self::default() }
    }

    pub(super) fn len(&self) -> u64 {
        self.bytes.len() as u64 * 8 + u64::from(self.open.count)
    }

    /// [`OpenBits::push`].
    pub(super) fn push(&mut self, bits: u64, count: u32) {
        self.open.push(bits, count, &mut self.bytes);
    }

    /// Appends the bits `start..end` of bytes that go on for at least [`PADDING`] bytes behind the last of them.
    pub(super) fn copy(&mut self, from: &[u8], start: u64, end: u64) {
        // What eight bytes hold wherever in the first of them the bits begin.
        const STEP: u32 = 56;
        let (mut at, mut open) = (start, self.open);
        while at < end {
            let count = (end - at).min(u64::from(STEP)) as u32;
            let bytes = from[(at / 8) as usize..].first_chunk().expect("padding behind the last bit");
            open.push((u64::from_le_bytes(*bytes) >> (at % 8)) & ((1 << count) - 1), count, &mut self.bytes);
            at += u64::from(count);
        }
        self.open = open;
    }

    /// Whole bytes; what is left of the last one is zero.
    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.fill_last_byte();
        self.bytes
    }

    /// Appends the same bytes to others, and begins anew.
    pub(super) fn move_to(&mut self, out: &mut Vec<u8>) {
        self.fill_last_byte();
        out.append(&mut self.bytes);
    }

    fn fill_last_byte(&mut self) {
        let OpenBits { bits, count } = std::mem::take(&mut self.open);
        self.bytes.extend_from_slice(&bits.to_le_bytes()[..count.div_ceil(8) as usize]);
    }
}

/// Adler-32 (RFC 1950) of some bytes as if nothing came before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) length: u64,
    /// Below 65,521, as the next.
    pub(super) plain: u64,
    /// Sum of the plain sums after each byte.
    pub(super) weighted: u64,
}

impl Sum {
    /// Where Adler-32 begins.
    pub(super) fn of_nothing() -> Self {
        Self { length: 0, plain: 1, weighted: 0 }
    }

    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut adler = simd_adler32::Adler32::from_checksum(0);
        adler.write(bytes);
        let sum = u64::from(adler.finish());
        Self { length: bytes.len() as u64, plain: sum & 0xFFFF, weighted: sum >> 16 }
    }

    /// These bytes, then others.
    pub(super) fn then(self, next: Self) -> Self {
        Self {
            length: self.length + next.length,
            plain: (self.plain + next.plain) % ADLER,
            weighted: (self.weighted + next.length * self.plain + next.weighted) % ADLER,
        }
    }

    /// What is left of these bytes without the ones that they begin with.
    pub(super) fn without_first(self, first: Self) -> Self {
        let length = self.length - first.length;
        // Each byte of `first` counts once more in the weighted sum for each byte behind it.
        let weighted_first = first.weighted + length * first.plain;
        Self {
            length,
            plain: (self.plain + ADLER - first.plain) % ADLER,
            weighted: (self.weighted + ADLER - weighted_first % ADLER) % ADLER,
        }
    }

    pub(super) fn adler32(self) -> u32 {
        ((self.weighted << 16) | self.plain) as u32
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
            assert_eq!((rest.length, rest.adler32()), ((70_000 - first) as u64, Sum::of(&bytes[first..]).adler32()), "{first}");
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
        for (start, end) in [(0, length), (1, 64), (63, 65), (64, 128), (77, 1300), (200, 200)] {
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
