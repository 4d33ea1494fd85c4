//! Rows of pixels as bits that can be copied into a file.

use std::ops::Range;

use super::bits::{Bits, PADDING, Sum};
use super::{SEGMENT_PX, code_pixels};

/// Bytes of an index entry: bits and checksum of a row up to the end of a segment.
const ENTRY_BYTES: usize = 8;

/// Encodes rows one after the other, and keeps its memory.
#[derive(Default)]
pub(crate) struct RowEncoder {
    bits: Bits,
    room: Vec<u8>,
}

impl RowEncoder {
    /// Appends an encoded row: an index with an entry per segment, and the bits. `above` is the row over it, as long
    /// (three bytes per pixel). Bits are read beyond their end: whoever stores rows puts [`PADDING_BYTES`] behind the
    /// last.
    pub(crate) fn encode(&mut self, above: &[u8], row: &[u8], out: &mut Vec<u8>) {
        let Self { bits, room } = self;
        let width = row.len() / 3;
        let mut sum = Sum::EMPTY;
        for first in (0..width).step_by(SEGMENT_PX) {
            sum = sum.then(code_pixels(above, row, first..(first + SEGMENT_PX).min(width), room, bits));
            out.extend((bits.len() as u32).to_le_bytes());
            out.extend([sum.plain, sum.weighted].iter().flat_map(|&part| part.to_le_bytes()));
        }
        bits.move_to(out);
    }
}

/// What must lie behind the last of several encoded rows.
pub(crate) const PADDING_BYTES: usize = PADDING;

/// An encoded row where it is stored. A segment's bits hold wherever its pixels, the ones to their left and the ones
/// above look the same.
#[derive(Clone, Copy)]
pub(crate) struct EncodedRow<'a> {
    /// From the row's index to the end of what is stored, padding included.
    bytes: &'a [u8],
    width: usize,
}

impl<'a> EncodedRow<'a> {
    /// A row of so many pixels, at the beginning of these bytes.
    pub(crate) fn new(bytes: &'a [u8], width: usize) -> Self {
        Self { bytes, width }
    }

    /// Appends segments to a file, and returns their checksum; null, and nothing is appended, if what is stored is no
    /// encoded row.
    pub(super) fn copy(self, segments: Range<usize>, to: &mut Bits) -> Option<Sum> {
        let (start, first) = self.up_to(segments.start)?;
        let (end, all) = self.up_to(segments.end)?;
        let bits = self.bytes.get(self.width.div_ceil(SEGMENT_PX) * ENTRY_BYTES..)?;
        let is_inside = start <= end && (end.saturating_sub(1) / 8) as usize + PADDING <= bits.len();
        is_inside.then(|| to.copy(bits, start, end))?;
        Some(all.without_first(first))
    }

    /// Bits and checksum of the first so many segments.
    fn up_to(self, segments: usize) -> Option<(u64, Sum)> {
        let Some(before) = segments.checked_sub(1) else { return Some((0, Sum::EMPTY)) };
        let length = ((segments * SEGMENT_PX).min(self.width) * 3) as u32;
        let entry: &[u8; ENTRY_BYTES] = self.bytes.get(before * ENTRY_BYTES..)?.first_chunk()?;
        let [a, b, c, d, e, f, g, h] = *entry;
        let sum = Sum { length, plain: u16::from_le_bytes([e, f]), weighted: u16::from_le_bytes([g, h]) };
        Some((u32::from_le_bytes([a, b, c, d]).into(), sum))
    }
}
