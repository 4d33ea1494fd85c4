//! Rectangles, round corners and icons on a frame.

use tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, Transform};

use windesk_model::geometry::{Point, Rect};

use crate::render::{Frame, over};

pub(super) fn centred(bbox: Rect, side_px: u32) -> Point {
    let side = side_px as i32;
    Point { x: bbox.x0() + (bbox.width() - side) / 2, y: bbox.y0() + (bbox.height() - side) / 2 }
}

/// Lays a premultiplied picture over the frame; with a tint only its coverage is used.
pub(super) fn stamp(frame: &mut Frame, pixmap: &Pixmap, at: Point, tint: Option<[u8; 3]>) {
    let (frame_width, width) = (frame.size.width as usize, pixmap.width() as usize);
    let place = Rect::at(at.x, at.y, pixmap.width() as i32, pixmap.height() as i32);
    let Some(seen) = place.intersection(frame.size.rect()) else { return };
    for y in seen.y0()..seen.y1() {
        let below = &mut frame.rgb.as_chunks_mut::<3>().0[y as usize * frame_width..][seen.x0() as usize..seen.x1() as usize];
        let above = &pixmap.pixels()[(y - at.y) as usize * width..][(seen.x0() - at.x) as usize..];
        let lay = |to: &mut [u8; 3], rgb: [u8; 3], alpha: u8| *to = std::array::from_fn(|at| over(to[at], rgb[at], alpha));
        match tint {
            Some(rgb) => below.iter_mut().zip(above).for_each(|(to, pixel)| lay(to, rgb, pixel.alpha())),
            None => {
                for (to, pixel) in below.iter_mut().zip(above).filter(|(_, pixel)| pixel.alpha() > 0) {
                    let colour = pixel.demultiply();
                    lay(to, [colour.red(), colour.green(), colour.blue()], pixel.alpha());
                }
            }
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
    stamp_rounded(frame, rect, 18.0, [250, 251, 253], 150);
}

pub(super) fn fill_rounded(frame: &mut Frame, rect: Rect, radius: f32, colour: [u8; 3]) {
    stamp_rounded(frame, rect, radius, colour, 255);
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

pub(super) fn stamp_rounded(frame: &mut Frame, rect: Rect, radius: f32, colour: [u8; 3], alpha: u8) {
    let (width, height) = (rect.width() as f32, rect.height() as f32);
    let mut pixmap = Pixmap::new(rect.width() as u32, rect.height() as u32).expect("rectangles have a size");
    let mut paint = Paint::default();
    paint.set_color(Color::from_rgba8(255, 255, 255, alpha));
    paint.anti_alias = true;
    if let Some(path) = rounded_path(width, height, radius) {
        pixmap.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
    }
    stamp(frame, &pixmap, rect.origin(), Some(colour));
}
