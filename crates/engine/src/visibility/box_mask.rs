//! A small mask of one box, for trying out what covers it.

use std::ops::Range;

use windesk_model::geometry::{Rect, Size};

use super::{Solid, clip};

/// The pixels of one box that are still visible: a small mask for trying out what covers it.
#[derive(Clone, Debug)]
pub struct BoxMask {
    rect: Rect,
    bits: Vec<bool>,
}

impl BoxMask {
    /// The box's pixels that `own` covers and that lie on the screen. `rect` is in screen px.
    pub fn new(rect: Rect, own: Solid, canvas: Size) -> Self {
        let mut mask = Self { rect, bits: vec![false; rect.area() as usize] };
        if let Some(on_screen) = rect.intersection(canvas.rect()) {
            mask.fill(own, on_screen, true);
        }
        mask
    }

    /// Takes away what `above` covers.
    pub fn cover(&mut self, above: Solid) {
        self.fill(above, self.rect, false);
    }

    /// How many pixels are left.
    pub fn count(&self) -> u64 {
        self.bits.iter().filter(|&&b| b).count() as u64
    }

    /// How many pixels would go if `above` covered it too.
    pub fn loss(&self, above: Solid) -> u64 {
        let mut lost = 0;
        each_stretch(self.rect, self.rect, above, |bits| lost += self.bits[bits].iter().filter(|&&b| b).count() as u64);
        lost
    }

    /// The pixels, row by row of the box.
    pub fn bits(&self) -> &[bool] {
        &self.bits
    }

    /// Sets the pixels of a part of the box that `solid` covers.
    fn fill(&mut self, solid: Solid, part: Rect, value: bool) {
        each_stretch(self.rect, part, solid, |bits| self.bits[bits].fill(value));
    }
}

/// Calls `visit` with the stretches of a box's pixels, row by row, that `solid` covers in a part of the box.
fn each_stretch(whole: Rect, part: Rect, solid: Solid, mut visit: impl FnMut(Range<usize>)) {
    for y in part.y0()..part.y1() {
        let row = ((y - whole.y0()) * whole.width()) as usize;
        solid.spans(y, |a, b| {
            if let Some((a, b)) = clip((a, b), part) {
                visit(row + (a - whole.x0()) as usize..row + (b - whole.x0()) as usize);
            }
        });
    }
}
