//! Parts of a picture that were painted over, each on a frame of its own: where nothing was painted, nobody need look.

use std::ops::Range;

use windesk_model::geometry::Rect;

use super::Frame;

/// A part of a picture that was painted over.
pub(crate) struct Repainted {
    /// Where it lies in the picture.
    rect: Rect,
    /// What it shows.
    pub(crate) frame: Frame,
}

impl Repainted {
    /// A part as it is before anything is painted. It lies inside of the picture.
    pub(crate) fn new(whole: &Frame, rect: Rect) -> Self {
        let mut rgb = Vec::with_capacity(rect.area() as usize * 3);
        for y in rect.y0()..rect.y1() {
            let start = (y * whole.size.width as i32 + rect.x0()) as usize * 3;
            rgb.extend_from_slice(&whole.rgb[start..][..rect.width() as usize * 3]);
        }
        Self { rect, frame: Frame { size: rect.size(), rgb } }
    }

    /// Its columns, if it has pixels in a row of the picture.
    pub(super) fn columns_at(&self, y: i32) -> Option<Range<i32>> {
        (self.rect.y0()..self.rect.y1()).contains(&y).then(|| self.rect.x0()..self.rect.x1())
    }

    /// Puts what it shows in row `y`, in which it has pixels, into that row of the picture.
    pub(super) fn put_row(&self, y: i32, row: &mut [u8]) {
        let bytes = self.rect.width() as usize * 3;
        let from = &self.frame.rgb[(y - self.rect.y0()) as usize * bytes..][..bytes];
        row[self.rect.x0() as usize * 3..][..bytes].copy_from_slice(from);
    }

    /// Puts it into the picture.
    pub(crate) fn put_on(&self, whole: &mut Frame) {
        let row_bytes = whole.size.width as usize * 3;
        let rows = &mut whole.rgb[self.rect.y0() as usize * row_bytes..self.rect.y1() as usize * row_bytes];
        for (y, row) in (self.rect.y0()..).zip(rows.chunks_exact_mut(row_bytes)) {
            self.put_row(y, row);
        }
    }
}
