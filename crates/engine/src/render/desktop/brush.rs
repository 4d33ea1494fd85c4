//! Rectangles, round corners and icons on a frame.

use tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, Transform};

use windesk_model::geometry::{Point, Rect, Size};

use crate::render::Frame;
use crate::render::composite::blend_row;

pub(super) fn centred(bbox: Rect, side_px: u32) -> Point {
    let side = side_px as i32;
    Point { x: bbox.x0() + (bbox.width() - side) / 2, y: bbox.y0() + (bbox.height() - side) / 2 }
}

/// Something to be laid over a frame, as rows of pixels are blended: straight colours, and each alpha three times.
pub(super) struct Stencil {
    size: Size,
    /// Empty if only the coverage counts.
    colours: Vec<u8>,
    alphas: Vec<u8>,
}

impl Stencil {
    /// A square, from straight RGBA.
    pub(super) fn of(side_px: u32, rgba: &[u8]) -> Self {
        let pixels = || rgba.as_chunks().0.iter();
        Self {
            size: Size { width: side_px, height: side_px },
            colours: pixels().flat_map(|&[r, g, b, _]| [r, g, b]).collect(),
            alphas: pixels().flat_map(|&[.., alpha]| [alpha; 3]).collect(),
        }
    }

    /// A rectangle with round corners; only its coverage counts.
    pub(super) fn rounded(size: Size, radius: f32, alpha: u8) -> Self {
        let mut pixmap = Pixmap::new(size.width, size.height).expect("rectangles have a size");
        let mut paint = Paint::default();
        paint.set_color(Color::from_rgba8(255, 255, 255, alpha));
        paint.anti_alias = true;
        if let Some(path) = rounded_path(size.width as f32, size.height as f32, radius) {
            pixmap.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
        }
        let alphas = pixmap.pixels().iter().flat_map(|pixel| [pixel.alpha(); 3]).collect();
        Self { size, colours: Vec::new(), alphas }
    }

    /// Lays it over the frame; with a tint only its coverage is used.
    pub(super) fn stamp(&self, frame: &mut Frame, at: Point, tint: Option<[u8; 3]>) {
        let place = Rect::at(at.x, at.y, self.size.width as i32, self.size.height as i32);
        let Some(seen) = place.intersection(frame.size.rect()) else { return };
        let (row_bytes, own_row_bytes) = (frame.size.width as usize * 3, self.size.width as usize * 3);
        let tinted = tint.map(|tint| tint.repeat(seen.width() as usize));
        for y in seen.y0()..seen.y1() {
            let to = &mut frame.rgb[y as usize * row_bytes..][seen.x0() as usize * 3..seen.x1() as usize * 3];
            let first = (y - at.y) as usize * own_row_bytes + (seen.x0() - at.x) as usize * 3;
            let own = first..first + to.len();
            let colours = tinted.as_deref().unwrap_or_else(|| &self.colours[own.clone()]);
            blend_row(to, colours, &self.alphas[own]);
        }
    }
}

/// Paints a rectangle, or what of it lies in the frame.
pub(super) fn fill(frame: &mut Frame, rect: Rect, colour: [u8; 3]) {
    let Some(rect) = rect.intersection(frame.size.rect()) else { return };
    for y in rect.y0()..rect.y1() {
        let first = (y * frame.size.width as i32 + rect.x0()) as usize;
        let row = &mut frame.rgb.as_chunks_mut::<3>().0[first..][..rect.width() as usize];
        row.fill(colour);
    }
}

/// The panel under a dock of icons: light and translucent.
pub(crate) fn fill_panel(frame: &mut Frame, rect: Rect) {
    Stencil::rounded(rect.size(), 18.0, 150).stamp(frame, rect.origin(), Some([250, 251, 253]));
}

/// The outline of a rectangle with round corners, px; nothing if it has no size.
pub(crate) fn rounded_path(width: f32, height: f32, radius: f32) -> Option<Path> {
    // Control points of a cubic that is nearest to a quarter of a circle.
    let k = radius * 0.447_715_25;
    let mut path = PathBuilder::new();
    path.move_to(radius, 0.0);
    path.line_to(width - radius, 0.0);
    path.cubic_to(width - k, 0.0, width, k, width, radius);
    path.line_to(width, height - radius);
    path.cubic_to(width, height - k, width - k, height, width - radius, height);
    path.line_to(radius, height);
    path.cubic_to(k, height, 0.0, height - k, 0.0, height - radius);
    path.line_to(0.0, radius);
    path.cubic_to(0.0, k, k, 0.0, radius, 0.0);
    path.close();
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::over;

    #[test]
    fn what_is_stamped_lies_over_the_pixels_it_covers() {
        let size = Size { width: 30, height: 20 };
        let stencil = Stencil::rounded(size, 6.0, 200);
        for at in [(5, 5), (-7, 3), (50, -4), (64, 30), (-30, 0)].map(|(x, y)| Point { x, y }) {
            let mut frame =
                Frame { size: Size { width: 71, height: 40 }, rgb: (0..71 * 40 * 3).map(|v| (v * 7) as u8).collect() };
            let before = frame.clone();
            stencil.stamp(&mut frame, at, Some([9, 90, 250]));
            for (place, pixel) in frame.rgb.as_chunks::<3>().0.iter().enumerate() {
                let (x, y) = ((place % 71) as i32 - at.x, (place / 71) as i32 - at.y);
                let is_covered = (0..30).contains(&x) && (0..20).contains(&y);
                let alpha = if is_covered { stencil.alphas[(y * 30 + x) as usize * 3] } else { 0 };
                let below = &before.rgb[place * 3..][..3];
                let expected = [9, 90, 250].into_iter().zip(below).map(|(above, &below)| over(below, above, alpha));
                assert!(expected.eq(*pixel), "{at:?}: {x}, {y}");
            }
        }
    }
}
