//! The edges of a window's picture: its shadow taken away, and the corners of snapped windows made square.
//!
//! Pure functions of straight RGBA, in integers: the same on every machine.

use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::pack_format::SnapState;

use super::shape::columns_of;

/// How far round corners reach along an edge at most, px.
const MAX_CORNER_PX: i32 = 40;
/// How far beyond a pixel of a round corner, across and down, there is shadow alone, px.
const OUTSIDE_PX: i32 = 2;
/// Least opacity of a line around a frame that is one: less is a step of the shadow.
const MIN_HAIRLINE: u32 = 8;

/// Straight RGBA that is being changed.
struct Canvas<'a> {
    bounds: Rect,
    pixels: &'a mut [[u8; 4]],
}

impl Canvas<'_> {
    fn new(size: Size, rgba: &mut [u8]) -> Canvas<'_> {
        Canvas { bounds: size.rect(), pixels: rgba.as_chunks_mut::<4>().0 }
    }

    fn offset(&self, p: Point) -> Option<usize> {
        self.bounds.contains(p).then(|| (p.y * self.bounds.width() + p.x) as usize)
    }

    /// A pixel; outside the picture there is nothing.
    fn at(&self, p: Point) -> [u8; 4] {
        self.offset(p).map_or([0; 4], |offset| self.pixels[offset])
    }

    fn set(&mut self, p: Point, pixel: [u8; 4]) {
        if let Some(offset) = self.offset(p) {
            self.pixels[offset] = pixel;
        }
    }
}

/// Takes the shadow that a window was captured with out of its picture. `boxes` are its frame and open popups.
/// Antialiased corners keep the window's share of each pixel, and a line of one pixel around the frame stays, round
/// corners included.
pub(super) fn cut_shadow(size: Size, boxes: &[Rect], rgba: &mut [u8]) {
    let mut canvas = Canvas::new(size, rgba);
    let lines: Vec<(Point, [u8; 4])> = boxes.iter().flat_map(|&own| hairline(&canvas, own)).collect();
    let corners: Vec<(Point, [u8; 4])> =
        boxes.iter().flat_map(|&own| corners(own).map(|(at, inwards)| cut_corner(&canvas, own, at, inwards))).flatten().collect();
    let width = size.width as i32;
    for (y, row) in (0..).zip(canvas.pixels.chunks_exact_mut(size.width as usize)) {
        let mut cleared = 0;
        for (x0, x1) in columns_of(boxes, y).into_iter().chain([(width, width)]) {
            row[cleared as usize..x0.clamp(cleared, width) as usize].fill([0; 4]);
            cleared = x1.clamp(0, width);
        }
    }
    for (p, pixel) in corners {
        canvas.set(p, pixel);
    }
    for (p, pixel) in lines.into_iter().filter(|(p, _)| !boxes.iter().any(|own| own.contains(*p))) {
        canvas.set(p, pixel);
    }
}

/// The corners of a box, with the way inwards.
fn corners(own: Rect) -> [(Point, Point); 4] {
    let inwards = [(1, 1), (-1, 1), (1, -1), (-1, -1)].map(|(x, y)| Point { x, y });
    let corners = own.corners();
    [0, 1, 2, 3].map(|at| (corners[at], inwards[at]))
}

/// The part of a box beside one of its corners, as steps inwards.
fn reach(own: Rect) -> impl Iterator<Item = Point> {
    let (across, down) = (MAX_CORNER_PX.min(own.width() / 2), MAX_CORNER_PX.min(own.height() / 2));
    (0..down).flat_map(move |y| (0..across).map(move |x| Point { x, y }))
}

fn inward(corner: Point, inwards: Point, by: Point) -> Point {
    corner + Point { x: inwards.x * by.x, y: inwards.y * by.y }
}

/// What translucent pixels beside a corner are without the shadow under them: the window's share, and the line around
/// it.
fn cut_corner(canvas: &Canvas, own: Rect, corner: Point, inwards: Point) -> Vec<(Point, [u8; 4])> {
    let outwards = |p: Point, by: i32| canvas.at(inward(p, inwards, Point { x: -by, y: -by }));
    let has_window = |p: Point| (1..MAX_CORNER_PX).any(|by| outwards(p, -by)[3] == 255);
    let translucent = |&p: &Point| !matches!(canvas.at(p)[3], 0 | 255) && has_window(p);
    let cut = |p: Point| {
        // The line is two pixels wide at most where it is round. From beyond it on, the shadow goes on as it has come.
        let [near, far] = [OUTSIDE_PX, 2 * OUTSIDE_PX].map(|by| i32::from(outwards(p, by)[3]));
        let shadow = near + if far > 0 { (near - far).max(0) } else { 0 };
        (p, over_shadow(canvas.at(p), shadow as u32))
    };
    reach(own).map(|by| inward(corner, inwards, by)).filter(translucent).map(cut).collect()
}

/// A pixel without the black shadow of this opacity under it. Nothing is left of less than a line.
fn over_shadow(pixel: [u8; 4], shadow: u32) -> [u8; 4] {
    let whole = u32::from(pixel[3]);
    if shadow >= 255 {
        return pixel;
    }
    let share = (whole.saturating_sub(shadow) * 255 + (255 - shadow) / 2) / (255 - shadow);
    if share < MIN_HAIRLINE {
        return [0; 4];
    }
    let colour = |channel: u8| ((u32::from(channel) * whole + share / 2) / share).min(255) as u8;
    [colour(pixel[0]), colour(pixel[1]), colour(pixel[2]), share.min(255) as u8]
}

/// The line of one pixel that many window managers draw around a frame, without the shadow under it: what a pixel has
/// that the next one outwards has not.
fn hairline(canvas: &Canvas, own: Rect) -> Vec<(Point, [u8; 4])> {
    let across = (own.x0()..own.x1()).flat_map(|x| [(x, own.y0() - 1, 0, -1), (x, own.y1(), 0, 1)]);
    let down = (own.y0()..own.y1()).flat_map(|y| [(own.x0() - 1, y, -1, 0), (own.x1(), y, 1, 0)]);
    let part = |(x, y, dx, dy): (i32, i32, i32, i32)| {
        let (line, beyond) = (canvas.at(Point { x, y }), canvas.at(Point { x: x + dx, y: y + dy }));
        let (whole, shadow) = (u32::from(line[3]), u32::from(beyond[3]));
        if beyond[3] == 255 || whole <= shadow {
            return None;
        }
        Some((Point { x, y }, over_shadow(line, shadow))).filter(|(_, line)| line[3] > 0)
    };
    across.chain(down).filter_map(part).collect()
}

/// Makes the corners at a snapped window's docked sides square. Nothing was captured there: the pixels are those that
/// follow along the two edges.
pub(super) fn square_docked_corners(size: Size, frame: Rect, snap: SnapState, rgba: &mut [u8]) {
    let [left, top, right, bottom] = snap.docked_sides();
    let docked = [left || top, right || top, left || bottom, right || bottom];
    let mut canvas = Canvas::new(size, rgba);
    for ((corner, inwards), _) in corners(frame).into_iter().zip(docked).filter(|(_, docked)| *docked) {
        let at = |x: i32, y: i32| inward(corner, inwards, Point { x, y });
        let opaque = |p: Point| canvas.at(p)[3] == 255;
        let across = (0..MAX_CORNER_PX.min(frame.width() / 2)).find(|&x| opaque(at(x, 0)));
        let down = (0..MAX_CORNER_PX.min(frame.height() / 2)).find(|&y| opaque(at(0, y)));
        let (Some(across), Some(down)) = (across, down) else { continue };
        for (x, y) in (0..down).flat_map(|y| (0..across).map(move |x| (x, y))) {
            let source = if y <= x { at(across, y) } else { at(x, down) };
            let pixel = canvas.at(source);
            canvas.set(at(x, y), [pixel[0], pixel[1], pixel[2], 255]);
        }
    }
}

/// Whether a picture of such a window is changed by [`square_docked_corners`].
pub(super) fn has_docked_corners(snap: SnapState) -> bool {
    snap.docked_sides().contains(&true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { width: 40, height: 30 };
    const WINDOW: [u8; 3] = [200, 180, 160];

    /// A window over a black shadow of this alpha, with a cut corner of which one pixel is half the window's.
    fn picture(shadow: u8) -> Vec<u8> {
        let frame = Rect::at(6, 5, 28, 20);
        let mut pixels = Vec::new();
        for y in 0..SIZE.height as i32 {
            for x in 0..SIZE.width as i32 {
                let inside = frame.contains(Point { x, y });
                let coverage = match (x - 6, y - 5) {
                    (0, 0) | (1, 0) | (0, 1) => 0.0,
                    (1, 1) | (2, 0) | (0, 2) => 0.5,
                    _ if inside => 1.0,
                    _ => 0.0,
                };
                let alpha = coverage + f64::from(shadow) / 255.0 * (1.0 - coverage);
                let colour = WINDOW.map(|c| if alpha > 0.0 { (f64::from(c) * coverage / alpha).round() as u8 } else { 0 });
                pixels.extend([colour[0], colour[1], colour[2], (alpha * 255.0).round() as u8]);
            }
        }
        pixels
    }

    fn pixel(rgba: &[u8], x: usize, y: usize) -> [u8; 4] {
        rgba.as_chunks::<4>().0[y * SIZE.width as usize + x]
    }

    #[test]
    fn a_cut_picture_is_the_window_as_if_it_had_no_shadow() {
        let bare = picture(0);
        for shadow in [0, 40, 130] {
            let mut cut = picture(shadow);
            cut_shadow(SIZE, &[Rect::at(6, 5, 28, 20)], &mut cut);
            for (at, (found, expected)) in cut.as_chunks::<4>().0.iter().zip(bare.as_chunks::<4>().0).enumerate() {
                assert!(found[3].abs_diff(expected[3]) <= 2, "{shadow}: pixel {at} is {found:?}, expected {expected:?}");
                let seen = expected[3] > 0;
                let near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(*b) <= 3);
                assert!(!seen || near, "{shadow}: pixel {at} is {found:?}, expected {expected:?}");
            }
        }
    }

    #[test]
    fn the_line_around_a_frame_stays_and_what_is_inside_too() {
        let frame = Rect::at(6, 5, 28, 20);
        let mut rgba = picture(60);
        // A line of half opacity under the frame, over the shadow.
        let at = (25 * SIZE.width as usize + 20) * 4;
        rgba[at..at + 4].copy_from_slice(&[80, 80, 80, 158]);
        let before = rgba.clone();
        cut_shadow(SIZE, &[frame], &mut rgba);
        let [r, _, _, alpha] = pixel(&rgba, 20, 25);
        assert!(alpha.abs_diff(128) < 3 && r.abs_diff(99) < 3, "{:?}", pixel(&rgba, 20, 25));
        assert_eq!(pixel(&rgba, 21, 25), [0; 4]);
        assert_eq!(pixel(&rgba, 20, 15), pixel(&before, 20, 15));
    }

    #[test]
    fn the_line_around_a_round_corner_stays() {
        let frame = Rect::at(6, 5, 28, 20);
        let mut rgba = picture(60);
        // Black, of half opacity, over the shadow: where the corner is cut off.
        let at = (6 * SIZE.width as usize + 6) * 4;
        rgba[at..at + 4].copy_from_slice(&[0, 0, 0, 158]);
        cut_shadow(SIZE, &[frame], &mut rgba);
        let [.., alpha] = pixel(&rgba, 6, 6);
        assert!(alpha.abs_diff(128) < 3, "{alpha}");
        assert_eq!(pixel(&rgba, 6, 5), [0; 4], "beside it is the shadow alone");
    }

    #[test]
    fn docked_corners_become_square_and_others_stay() {
        let frame = Rect::at(6, 5, 28, 20);
        for (snap, square) in [
            (SnapState::Floating, false),
            (SnapState::Maximized, true),
            (SnapState::LeftHalf, true),
            (SnapState::RightHalf, true),
            (SnapState::BottomRight, false),
            (SnapState::TopRight, true),
        ] {
            let mut rgba = picture(60);
            square_docked_corners(SIZE, frame, snap, &mut rgba);
            let corner = (0..3).flat_map(|y| (0..3).map(move |x| (x, y)));
            let solid = corner.clone().all(|(x, y)| pixel(&rgba, 6 + x, 5 + y) == [200, 180, 160, 255]);
            assert_eq!(solid, square, "{snap:?}");
            assert_eq!(pixel(&rgba, 5, 5), pixel(&picture(60), 5, 5), "{snap:?}: outside of the frame nothing changes");
        }
    }
}
