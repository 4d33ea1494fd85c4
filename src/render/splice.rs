//! PNG files of pictures that differ from a ground here and there, put together from the ground's bits.
//!
//! One filter (Paeth) for all rows and one Huffman code in a single deflate block make the bits of a stretch of pixels depend on
//! nothing but those pixels, their left neighbours and the row above: a ground is coded once, in chunks that refer to nothing outside
//! themselves, and a picture over it copies the bits of all chunks that look the same and codes the others. The code is the ground's
//! own, so that the bytes are a function of ground and picture alone, whatever was coded before.

use std::sync::Arc;

use super::Frame;

/// Pixels of a chunk.
const CHUNK_PX: usize = 64;
/// Literals, end of block and match lengths of deflate (RFC 1951, section 3.2.5).
const SYMBOLS: usize = 286;
/// The symbol that ends a block.
const END: usize = 256;
/// Longest code that deflate allows.
const MAX_CODE_BITS: u32 = 15;
/// No symbol counts for less than this share of all: what the ground lacks, icons may be full of.
const LEAST_SHARE: u64 = 8192;
/// The filter type of every row.
const PAETH: u8 = 4;
/// Modulus of Adler-32.
const ADLER: u64 = 65_521;

/// A ground with its bits.
pub(super) struct CodedGround {
    ground: Arc<Frame>,
    code: Code,
    chunks: Vec<Chunk>,
    bits: Bits,
}

/// Where a chunk's bits begin, and what its bytes add to the checksum. One more than there are chunks ends the list.
#[derive(Clone, Copy, Default)]
struct Chunk {
    start_bit: u64,
    sum: Sum,
}

impl CodedGround {
    /// Codes a ground.
    pub(super) fn new(ground: Arc<Frame>) -> Self {
        let mut counts = [0_u64; SYMBOLS];
        let mut bytes = Vec::new();
        each_chunk(&ground, |row, chunk| {
            filtered(&ground, row, chunk, &mut bytes);
            tokens(&bytes, |token| counts[token.symbol()] += 1);
        });
        let code = Code::for_counts(&mut counts);
        let (mut bits, mut chunks) = (Bits::default(), Vec::new());
        each_chunk(&ground, |row, chunk| {
            filtered(&ground, row, chunk, &mut bytes);
            chunks.push(Chunk { start_bit: bits.len(), sum: Sum::of(&bytes) });
            tokens(&bytes, |token| code.write(token, &mut bits));
        });
        chunks.push(Chunk { start_bit: bits.len(), sum: Sum::default() });
        bits.pad();
        Self { ground, code, chunks, bits }
    }

    /// The PNG file of a picture.
    ///
    /// # Panics
    /// If the picture has another size than the ground.
    pub(super) fn encode(&self, frame: &Frame) -> Vec<u8> {
        assert_eq!(frame.size, self.ground.size, "a picture has its ground's size");
        let mut bits = Bits::with_capacity(self.bits.words.len() + self.bits.words.len() / 8);
        bits.push(0x0178, 16);
        self.code.write_header(&mut bits);
        let (mut sum, mut bytes) = (Sum { length: 0, plain: 1, weighted: 0 }, Vec::new());
        // Chunks that look the same are copied together.
        let mut same_from = 0;
        let mut at = 0;
        let mut rows = RowsThatDiffer::default();
        each_chunk(frame, |row, chunk| {
            if rows.differ(&self.ground, frame, row) && differ(&self.ground, frame, row, chunk) {
                bits.copy(&self.bits, self.chunks[same_from].start_bit, self.chunks[at].start_bit);
                same_from = at + 1;
                filtered(frame, row, chunk, &mut bytes);
                tokens(&bytes, |token| self.code.write(token, &mut bits));
                sum = sum.then(Sum::of(&bytes));
            } else {
                sum = sum.then(self.chunks[at].sum);
            }
            at += 1;
        });
        bits.copy(&self.bits, self.chunks[same_from].start_bit, self.chunks[at].start_bit);
        self.code.write(Token::End, &mut bits);
        let mut data = bits.into_bytes();
        data.extend(((((sum.weighted % ADLER) << 16) | (sum.plain % ADLER)) as u32).to_be_bytes());
        wrapped(frame, &data)
    }
}

/// A PNG file around its compressed data.
fn wrapped(frame: &Frame, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() + 128);
    let mut encoder = png::Encoder::new(&mut out, frame.size.width, frame.size.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| writer.write_chunk(png::chunk::IDAT, data));
    written.expect("writing to memory cannot fail for a picture of this size");
    out
}

/// Calls with every row and the first pixel of every chunk in it.
fn each_chunk(frame: &Frame, mut call: impl FnMut(usize, usize)) {
    let (width, height) = (frame.size.width as usize, frame.size.height as usize);
    for row in 0..height {
        for first in (0..width).step_by(CHUNK_PX) {
            call(row, first);
        }
    }
}

/// Whether two pictures differ in a row or the one above; remembers the row above.
#[derive(Default)]
struct RowsThatDiffer {
    row: Option<usize>,
    this: bool,
    above: bool,
}

impl RowsThatDiffer {
    fn differ(&mut self, a: &Frame, b: &Frame, row: usize) -> bool {
        if self.row != Some(row) {
            let length = a.size.width as usize * 3;
            let range = row * length..(row + 1) * length;
            (self.above, self.this, self.row) = (self.this, a.rgb[range.clone()] != b.rgb[range], Some(row));
        }
        self.this || self.above
    }
}

/// Whether two pictures differ in what the bits of a chunk depend on.
fn differ(a: &Frame, b: &Frame, row: usize, first: usize) -> bool {
    let width = a.size.width as usize;
    let columns = first.saturating_sub(1)..(first + CHUNK_PX).min(width);
    (row.saturating_sub(1)..=row).any(|row| {
        let range = (row * width + columns.start) * 3..(row * width + columns.end) * 3;
        a.rgb[range.clone()] != b.rgb[range]
    })
}

/// The filtered bytes of a chunk; the row's filter type comes before its first.
fn filtered(frame: &Frame, row: usize, first: usize, out: &mut Vec<u8>) {
    out.clear();
    let length = frame.size.width as usize * 3;
    let (from, to) = (first * 3, ((first + CHUNK_PX) * 3).min(length));
    let this = &frame.rgb[row * length..(row + 1) * length];
    if from == 0 {
        out.push(PAETH);
    }
    if row == 0 {
        // The predictor of an absent row above is the left neighbour.
        out.extend((from..to).map(|at| this[at].wrapping_sub(if at < 3 { 0 } else { this[at - 3] })));
        return;
    }
    let above = &frame.rgb[(row - 1) * length..row * length];
    // The left neighbour of the first pixel is absent: there the predictor is the pixel above.
    let inner = from.max(3);
    out.extend((from..inner).map(|at| this[at].wrapping_sub(above[at])));
    let neighbours = this[inner - 3..to - 3].iter().zip(&above[inner..to]).zip(&above[inner - 3..to - 3]);
    out.extend(this[inner..to].iter().zip(neighbours).map(|(&v, ((&a, &b), &c))| v.wrapping_sub(paeth(a, b, c))));
}

/// Paeth's predictor of left, above and above left.
fn paeth(a: u8, b: u8, c: u8) -> u8 {
    let (x, y, z) = (i16::from(a), i16::from(b), i16::from(c));
    let (pa, pb, pc) = ((y - z).abs(), (x - z).abs(), (x + y - 2 * z).abs());
    if pa <= pb && pa <= pc {
        a
    } else if pb <= pc {
        b
    } else {
        c
    }
}

/// What a deflate block is made of here.
#[derive(Clone, Copy)]
enum Token {
    Literal(u8),
    /// The byte before, this many times: 3 to 257.
    Repeat(usize),
    End,
}

/// Least length of a match.
const LEAST_REPEAT: usize = 3;
/// Symbols of match lengths: the least length of each, and the number of extra bits (RFC 1951, section 3.2.5).
const REPEATS: [(usize, u32); 29] = {
    let mut table = [(258, 0); 29];
    let (mut at, mut length) = (0, LEAST_REPEAT);
    while at < 28 {
        let extra = if at < 8 { 0 } else { at as u32 / 4 - 1 };
        table[at] = (length, extra);
        length += 1 << extra;
        at += 1;
    }
    table
};

impl Token {
    fn symbol(self) -> usize {
        match self {
            Self::Literal(byte) => usize::from(byte),
            Self::Repeat(length) => END + REPEATS.partition_point(|&(least, _)| least <= length),
            Self::End => END,
        }
    }
}

/// Splits bytes into literals and runs of zeros; nothing refers to what came before.
fn tokens(bytes: &[u8], mut call: impl FnMut(Token)) {
    let mut at = 0;
    while at < bytes.len() {
        call(Token::Literal(bytes[at]));
        at += 1;
        if bytes[at - 1] == 0 {
            let zeros = bytes[at..].iter().take_while(|b| **b == 0).count();
            if zeros >= LEAST_REPEAT {
                // A chunk is shorter than the longest match.
                call(Token::Repeat(zeros));
                at += zeros;
            }
        }
    }
}

/// A Huffman code for all symbols, none of which is without a code.
struct Code {
    lengths: [u32; SYMBOLS],
    /// First bit lowest.
    words: [u64; SYMBOLS],
}

impl Code {
    /// The best code for these counts that has no word above [`MAX_CODE_BITS`].
    fn for_counts(counts: &mut [u64; SYMBOLS]) -> Self {
        counts[END] = 1;
        let least = counts.iter().sum::<u64>() / LEAST_SHARE;
        for count in counts.iter_mut() {
            *count = (*count).max(least).max(1);
        }
        let mut lengths = huffman_lengths(counts);
        while lengths.iter().any(|&length| length > MAX_CODE_BITS) {
            // Flatter counts make shorter words.
            for count in counts.iter_mut() {
                *count = *count / 2 + 1;
            }
            lengths = huffman_lengths(counts);
        }
        let (mut words, mut next) = ([0; SYMBOLS], 0_u64);
        for bits in 1..=MAX_CODE_BITS {
            for symbol in (0..SYMBOLS).filter(|&s| lengths[s] == bits) {
                words[symbol] = next.reverse_bits() >> (64 - bits);
                next += 1;
            }
            next <<= 1;
        }
        Self { lengths, words }
    }

    fn write(&self, token: Token, bits: &mut Bits) {
        let symbol = token.symbol();
        bits.push(self.words[symbol], self.lengths[symbol]);
        if let Token::Repeat(length) = token {
            let (least, extra) = REPEATS[symbol - END - 1];
            bits.push((length - least) as u64, extra);
            // Distance 1, the only word of its code.
            bits.push(0, 1);
        }
    }

    /// The head of the only block, with the code's lengths (RFC 1951, section 3.2.7).
    fn write_header(&self, bits: &mut Bits) {
        bits.push(1, 1);
        bits.push(2, 2);
        bits.push(SYMBOLS as u64 - 257, 5);
        bits.push(0, 5);
        // Lengths themselves are coded with four bits each: all of 0 to 15, none of the repeats 16, 17, 18 that come first.
        bits.push(19 - 4, 4);
        for order in 0..19 {
            bits.push(if order < 3 { 0 } else { 4 }, 3);
        }
        for &length in self.lengths.iter().chain([&1]) {
            bits.push(u64::from(length).reverse_bits() >> 60, 4);
        }
    }
}

/// Lengths of the words of a Huffman code. Ties go to the earlier symbol.
fn huffman_lengths(counts: &[u64; SYMBOLS]) -> [u32; SYMBOLS] {
    use std::cmp::Reverse;
    let mut heap: std::collections::BinaryHeap<_> = counts.iter().enumerate().map(|(node, &c)| Reverse((c, node))).collect();
    let mut parents = vec![0; 2 * SYMBOLS - 1];
    for node in SYMBOLS..2 * SYMBOLS - 1 {
        let mut taken = 0;
        for _ in 0..2 {
            let Reverse((count, child)) = heap.pop().expect("two nodes are left");
            parents[child] = node;
            taken += count;
        }
        heap.push(Reverse((taken, node)));
    }
    let mut depths = vec![0; 2 * SYMBOLS - 1];
    for node in (0..2 * SYMBOLS - 2).rev() {
        depths[node] = depths[parents[node]] + 1;
    }
    std::array::from_fn(|symbol| depths[symbol])
}

/// A string of bits, the first lowest.
#[derive(Default)]
struct Bits {
    words: Vec<u64>,
    last: u64,
    in_last: u32,
}

impl Bits {
    fn with_capacity(words: usize) -> Self {
        Self { words: Vec::with_capacity(words), last: 0, in_last: 0 }
    }

    fn len(&self) -> u64 {
        self.words.len() as u64 * 64 + u64::from(self.in_last)
    }

    /// Appends the lowest `count` bits of a number that has no others; at most 56.
    fn push(&mut self, bits: u64, count: u32) {
        self.last |= bits << self.in_last;
        self.in_last += count;
        if self.in_last >= 64 {
            self.words.push(self.last);
            self.in_last -= 64;
            self.last = if self.in_last == 0 { 0 } else { bits >> (count - self.in_last) };
        }
    }

    /// Makes all bits readable as words, with one more behind the last.
    fn pad(&mut self) {
        self.words.extend([std::mem::take(&mut self.last), 0]);
        self.in_last = 0;
    }

    /// Appends the bits `start..end` of a padded string.
    fn copy(&mut self, from: &Self, start: u64, end: u64) {
        const STEP: u32 = 56;
        let mut at = start;
        while at < end {
            let count = (end - at).min(u64::from(STEP)) as u32;
            let (word, shift) = ((at / 64) as usize, (at % 64) as u32);
            let low = from.words[word] >> shift;
            // Two shifts: one by 64 is none.
            let high = from.words[word + 1] << 1 << (63 - shift);
            self.push((low | high) & ((1 << count) - 1), count);
            at += u64::from(count);
        }
    }

    fn into_bytes(mut self) -> Vec<u8> {
        let length = self.len().div_ceil(8) as usize;
        self.words.push(self.last);
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(length);
        bytes
    }
}

/// Adler-32 (RFC 1950) of some bytes as if nothing came before them.
#[derive(Clone, Copy, Default)]
struct Sum {
    length: u64,
    plain: u64,
    /// Sum of the plain sums after each byte.
    weighted: u64,
}

impl Sum {
    fn of(bytes: &[u8]) -> Self {
        let length = bytes.len() as u64;
        let plain = bytes.iter().map(|&b| u64::from(b)).sum();
        let weighted = bytes.iter().zip((1..=length).rev()).map(|(&b, weight)| u64::from(b) * weight).sum();
        Self { length, plain, weighted }
    }

    /// These bytes, then others.
    fn then(self, next: Self) -> Self {
        Self {
            length: self.length + next.length,
            plain: (self.plain + next.plain) % ADLER,
            weighted: (self.weighted + next.length * self.plain + next.weighted) % ADLER,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Size;

    /// A picture with noise, smooth and flat stretches.
    fn picture(width: u32, height: u32, salt: u32) -> Frame {
        let mut state = salt;
        let mut rgb = Vec::new();
        for at in 0..width * height {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (x, y) = (at % width, at / width);
            let value = if y % 7 < 2 {
                state >> 24
            } else if x > width / 2 {
                x + y
            } else {
                40
            };
            rgb.extend([value as u8, (value + 3) as u8, (value * 2) as u8]);
        }
        Frame { size: Size { width, height }, rgb }
    }

    fn decoded(bytes: &[u8]) -> Vec<u8> {
        image::load_from_memory_with_format(bytes, image::ImageFormat::Png).expect("a PNG picture").into_rgb8().into_raw()
    }

    #[test]
    fn pictures_over_a_ground_decode_to_themselves() {
        for (width, height) in [(1, 1), (63, 5), (64, 9), (65, 40), (300, 33)] {
            let ground = picture(width, height, 7);
            let coded = CodedGround::new(Arc::new(ground.clone()));
            assert_eq!(decoded(&coded.encode(&ground)), ground.rgb, "{width}x{height}, the ground itself");
            let other = picture(width, height, 8);
            assert_eq!(decoded(&coded.encode(&other)), other.rgb, "{width}x{height}, another picture");
            for at in [0, ground.rgb.len() / 2, ground.rgb.len() - 1] {
                let mut changed = ground.clone();
                changed.rgb[at] ^= 0x55;
                assert_eq!(decoded(&coded.encode(&changed)), changed.rgb, "{width}x{height}, byte {at}");
            }
        }
    }

    #[test]
    fn checksums_join() {
        let bytes: Vec<u8> = (0..70_000_u32).map(|v| ((v * 31) >> 3) as u8).collect();
        let joined = bytes.chunks(193).fold(Sum { length: 0, plain: 1, weighted: 0 }, |sum, part| sum.then(Sum::of(part)));
        let (mut a, mut b) = (1_u32, 0_u32);
        for &byte in &bytes {
            a = (a + u32::from(byte)) % 65_521;
            b = (b + a) % 65_521;
        }
        assert_eq!((joined.plain, joined.weighted), (u64::from(a), u64::from(b)));
    }
}
