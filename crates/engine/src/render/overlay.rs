//! Debug pictures: icons of probes outlined in blue, target box green, visible mask tinted, distractors orange,
//! occluders red, what a reader must see violet, what else the reader goes by grey, click point as a cross; on request
//! the instructions on a strip. Of keyframes of tasks also what changed since the one before, yellow, and other places
//! where a click is as good, cyan.

use std::cmp::Ordering;

use image::{Rgb, RgbImage};
use imageproc::drawing::{draw_cross_mut, draw_hollow_circle_mut, draw_hollow_rect_mut};

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::plan::Role;
use windesk_model::record::{Annotation, ElementLayer, TargetKind};

use super::text::{Style, TextEngine};
use super::{Frame, over};

const GREEN: Rgb<u8> = Rgb([0, 200, 60]);
const ORANGE: Rgb<u8> = Rgb([255, 140, 0]);
const BLUE: Rgb<u8> = Rgb([40, 120, 255]);
const VIOLET: Rgb<u8> = Rgb([170, 60, 230]);
const CYAN: Rgb<u8> = Rgb([0, 190, 210]);
const GREY: Rgb<u8> = Rgb([150, 150, 150]);
const RED: Rgb<u8> = Rgb([230, 20, 30]);
const YELLOW: Rgb<u8> = Rgb([250, 220, 0]);
/// Outer and inner radius of the ring around a click, px.
const RING_PX: [i32; 2] = [22, 18];
/// Side of the squares that changed pixels are gathered in, px.
const CELL_PX: usize = 16;

/// Draws the truth over a finished picture.
pub fn paint_overlay(frame: Frame, truth: &Annotation) -> Frame {
    let size = frame.size;
    let mut picture = RgbImage::from_raw(size.width, size.height, frame.rgb).expect("three bytes per pixel");
    for window in truth.windows.iter().filter(|w| w.role == Role::Occluder) {
        outline(&mut picture, window.rect, RED);
    }
    for icon in truth.elements.iter().filter(|e| e.layer == ElementLayer::Probe) {
        outline(&mut picture, icon.bbox, BLUE);
    }
    for target in &truth.targets {
        for distractor in &target.distractors {
            if let Some(element) = truth.elements.iter().find(|e| e.id == distractor.element) {
                outline(&mut picture, element.bbox, ORANGE);
            }
        }
        if let Some(mask) = &target.visible_mask {
            let width = mask.size[1];
            let mut at = 0;
            for (turn, &count) in mask.counts.iter().enumerate() {
                for pixel in (at..at + count).filter(|_| turn % 2 == 1) {
                    let (x, y) = (mask.origin.x as u32 + pixel % width, mask.origin.y as u32 + pixel / width);
                    let seen = picture.get_pixel_mut(x, y);
                    for (below, above) in seen.0.iter_mut().zip(GREEN.0) {
                        *below = over(*below, above, 70);
                    }
                }
                at += count;
            }
        }
        if let Some(bbox) = target.bbox {
            outline(&mut picture, bbox, GREEN);
        }
        for part in &target.evidence {
            outline(&mut picture, part.bbox, if part.required { VIOLET } else { GREY });
        }
        if let Some(point) = target.click_point {
            draw_cross_mut(&mut picture, RED, point.x, point.y);
        }
    }
    Frame { size, rgb: picture.into_raw() }
}

/// Draws what is known of a keyframe besides the truth: boxes that changed since the one before, and other places where
/// a click is as good. To be called before [`paint_overlay`], whose marks lie above.
pub fn paint_step(frame: Frame, changed: &[Rect], also_valid: &[Rect]) -> Frame {
    let size = frame.size;
    let mut picture = RgbImage::from_raw(size.width, size.height, frame.rgb).expect("three bytes per pixel");
    changed.iter().for_each(|&rect| outline(&mut picture, rect, YELLOW));
    also_valid.iter().for_each(|&rect| outline(&mut picture, rect, CYAN));
    Frame { size, rgb: picture.into_raw() }
}

/// Marks a click: a cross in a ring.
pub fn paint_click(frame: Frame, point: Point) -> Frame {
    let size = frame.size;
    let mut picture = RgbImage::from_raw(size.width, size.height, frame.rgb).expect("three bytes per pixel");
    let [outer, inner] = RING_PX;
    for radius in inner..=outer {
        let colour = if radius == inner || radius == outer { Rgb(WHITE) } else { RED };
        draw_hollow_circle_mut(&mut picture, (point.x, point.y), radius, colour);
    }
    draw_cross_mut(&mut picture, RED, point.x, point.y);
    Frame { size, rgb: picture.into_raw() }
}

/// Boxes around what differs between two pictures of one size, top to bottom: squares of 16 px that have a changed
/// pixel and touch each other are one box. Nothing for pictures of two sizes.
pub fn changed_boxes(before: &Frame, after: &Frame) -> Vec<Rect> {
    if before.size != after.size {
        return Vec::new();
    }
    let (width, height) = (after.size.width as usize, after.size.height as usize);
    let (columns, rows) = (width.div_ceil(CELL_PX), height.div_ceil(CELL_PX));
    let mut changed = vec![false; columns * rows];
    let lines = before.rgb.chunks_exact(3 * width).zip(after.rgb.chunks_exact(3 * width));
    for (y, (old, new)) in lines.enumerate().filter(|(_, (old, new))| old != new) {
        for (column, (old, new)) in old.chunks(3 * CELL_PX).zip(new.chunks(3 * CELL_PX)).enumerate() {
            changed[y / CELL_PX * columns + column] |= old != new;
        }
    }
    let mut boxes = Vec::new();
    let mut open = Vec::new();
    for first in 0..changed.len() {
        let mut region: Option<[usize; 4]> = None;
        open.push(first);
        while let Some(at) = open.pop() {
            if !std::mem::take(&mut changed[at]) {
                continue;
            }
            let (x, y) = (at % columns, at / columns);
            let [x0, y0, x1, y1] = region.unwrap_or([x, y, x, y]);
            region = Some([x0.min(x), y0.min(y), x1.max(x), y1.max(y)]);
            for row in y.saturating_sub(1)..(y + 2).min(rows) {
                open.extend((x.saturating_sub(1)..(x + 2).min(columns)).map(|column| row * columns + column));
            }
        }
        boxes.extend(region.map(|[x0, y0, x1, y1]| {
            let (right, bottom) = (((x1 + 1) * CELL_PX).min(width), ((y1 + 1) * CELL_PX).min(height));
            let (left, top) = (x0 * CELL_PX, y0 * CELL_PX);
            Rect::at(left as i32, top as i32, (right - left) as i32, (bottom - top) as i32)
        }));
    }
    boxes
}

/// Most instructions that a strip holds.
const MAX_INSTRUCTIONS: usize = 8;
/// Distance of the words from the strip's edges, px.
const PADDING_PX: i32 = 10;
const WHITE: [u8; 3] = [255; 3];
const STRIP: [u8; 3] = [20, 22, 28];
/// Opacity of the strip in 255: what it covers can still be made out.
const STRIP_ALPHA: u8 = 215;

/// Where a strip begins that covers fewer of the targets; of both ends of the screen the one farther from the first
/// target, if they are alike.
fn strip_top(screen_height: i32, height: i32, boxes: &[Rect]) -> i32 {
    let bottom = (screen_height - height).max(0);
    let covered = |top: i32| boxes.iter().filter(|b| b.y0() < top + height && top < b.y1()).count();
    match covered(0).cmp(&covered(bottom)) {
        Ordering::Less => 0,
        Ordering::Greater => bottom,
        Ordering::Equal if boxes.first().is_some_and(|b| 2 * b.centre().y < screen_height) => bottom,
        Ordering::Equal => 0,
    }
}

/// Writes the instructions on a strip over a picture, at an end of the screen; several are numbered, as are their
/// boxes.
///
/// # Errors
/// If there is no font.
pub fn paint_instructions(mut frame: Frame, truth: &Annotation, text: &mut TextEngine) -> Result<Frame, Error> {
    let screen = frame.size.rect();
    let size_px = (frame.size.height / 56).clamp(14, 40);
    let several = truth.targets.len() > 1;
    let mut lines: Vec<String> = Vec::new();
    for (number, target) in truth.targets.iter().enumerate().take(MAX_INSTRUCTIONS) {
        let number = if several { format!("{}. ", number + 1) } else { String::new() };
        let absent = if target.kind == TargetKind::Absent { " (not on the screen)" } else { "" };
        lines.push(format!("{number}{}{absent}", target.instruction));
    }
    if truth.targets.len() > MAX_INSTRUCTIONS {
        lines.push(format!("and {} more", truth.targets.len() - MAX_INSTRUCTIONS));
    }
    let style = Style {
        size_px,
        weight: 500,
        width_px: (screen.width() - 2 * PADDING_PX).max(1) as u32,
        lines: if several { 1 } else { 2 },
        centred: true,
    };
    let mut captions = Vec::new();
    let mut height = PADDING_PX;
    for line in &lines {
        let caption = text.caption(line, style)?;
        let own = caption.bbox(Point { x: 0, y: 0 }).map_or(0, Rect::y1).max(size_px as i32);
        captions.push((caption, height));
        height += own + PADDING_PX;
    }
    let boxes: Vec<Rect> = truth.targets.iter().filter_map(|target| target.bbox).collect();
    let top = strip_top(screen.height(), height, &boxes);
    for (x, y) in (top..top + height).flat_map(|y| (0..screen.width()).map(move |x| (x, y))) {
        frame.blend(x, y, STRIP, STRIP_ALPHA);
    }
    for (caption, down) in captions {
        caption.paint(&mut frame, Point { x: PADDING_PX, y: top + down }, WHITE, 255);
    }
    if several {
        let digits = Style { size_px, weight: 700, width_px: 3 * size_px, lines: 1, centred: true };
        for (number, bbox) in truth.targets.iter().enumerate().filter_map(|(n, t)| Some((n + 1, t.bbox?))) {
            let caption = text.caption(&number.to_string(), digits)?;
            // Beside the box rather than on it, but where there is no room.
            let at = Point { x: (bbox.x0() - 3 * size_px as i32).max(0), y: bbox.y0() };
            for (x, y) in caption
                .bbox(at)
                .into_iter()
                .flat_map(|b| (b.y0() - 3..b.y1() + 3).flat_map(move |y| (b.x0() - 3..b.x1() + 3).map(move |x| (x, y))))
            {
                frame.blend(x, y, GREEN.0, 255);
            }
            caption.paint(&mut frame, at, STRIP, 255);
        }
    }
    Ok(frame)
}

/// Two pixels wide, around the box.
pub(super) fn outline(picture: &mut RgbImage, rect: Rect, colour: Rgb<u8>) {
    for grow in 1..=2 {
        let (width, height) = (rect.width() + 2 * grow, rect.height() + 2 * grow);
        let around = imageproc::rect::Rect::at(rect.x0() - grow, rect.y0() - grow).of_size(width as u32, height as u32);
        draw_hollow_rect_mut(picture, around, colour);
    }
}

#[cfg(test)]
mod tests {
    use windesk_model::geometry::Size;

    use super::*;

    #[test]
    fn boxes_are_around_what_changed() {
        let size = Size { width: 100, height: 70 };
        let before = Frame { size, rgb: vec![0; 100 * 70 * 3] };
        let mut after = before.clone();
        assert_eq!(changed_boxes(&before, &after), []);
        // Two squares that touch at a corner are one box; the last column of squares is narrow.
        for (x, y) in [(15, 15), (16, 16), (99, 69)] {
            after.blend(x, y, [9, 9, 9], 255);
        }
        assert_eq!(changed_boxes(&before, &after), [Rect::at(0, 0, 32, 32), Rect::at(96, 64, 4, 6)]);
        let other = Frame { size: Size { width: 10, height: 7 }, rgb: vec![0; 210] };
        assert_eq!(changed_boxes(&before, &other), []);
    }

    #[test]
    fn the_strip_covers_as_few_targets_as_can_be() {
        let at = |y: i32| Rect::at(10, y, 20, 20);
        for (boxes, top) in [
            (&[] as &[Rect], 0),
            (&[at(100)], 900),
            (&[at(700)], 0),
            // The first is far from the top, another lies there.
            (&[at(700), at(50)], 900),
            (&[at(100), at(950)], 0),
            (&[at(700), at(90), at(950), at(970)], 0),
        ] {
            assert_eq!(strip_top(1000, 100, boxes), top, "{boxes:?}");
        }
        assert_eq!(strip_top(80, 100, &[at(10)]), 0);
    }
}
