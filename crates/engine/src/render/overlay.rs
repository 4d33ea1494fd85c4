//! Debug pictures: icons of probes outlined in blue, target box green, visible mask tinted, distractors orange,
//! occluders red, click point as a cross; on request the instructions on a strip.

use std::cmp::Ordering;

use image::{Rgb, RgbImage};
use imageproc::drawing::{draw_cross_mut, draw_hollow_rect_mut};

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::plan::Role;
use windesk_model::record::{Annotation, ElementLayer, TargetKind};

use super::text::{Style, TextEngine};
use super::{Frame, over};

const GREEN: Rgb<u8> = Rgb([0, 200, 60]);
const ORANGE: Rgb<u8> = Rgb([255, 140, 0]);
const BLUE: Rgb<u8> = Rgb([40, 120, 255]);
const RED: Rgb<u8> = Rgb([230, 20, 30]);

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
        if let Some(point) = target.click_point {
            draw_cross_mut(&mut picture, RED, point.x, point.y);
        }
    }
    Frame { size, rgb: picture.into_raw() }
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

/// Writes the instructions on a strip over a picture, at an end of the screen; several are numbered, as are their boxes.
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
fn outline(picture: &mut RgbImage, rect: Rect, colour: Rgb<u8>) {
    for grow in 1..=2 {
        let (width, height) = (rect.width() + 2 * grow, rect.height() + 2 * grow);
        let around = imageproc::rect::Rect::at(rect.x0() - grow, rect.y0() - grow).of_size(width as u32, height as u32);
        draw_hollow_rect_mut(picture, around, colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
