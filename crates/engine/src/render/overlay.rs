//! Debug pictures: icons of probes outlined in blue, target box green, visible mask tinted, distractors orange,
//! occluders red, click point as a cross.

use image::{Rgb, RgbImage};
use imageproc::drawing::{draw_cross_mut, draw_hollow_rect_mut};

use windesk_model::geometry::Rect;
use windesk_model::plan::Role;
use windesk_model::record::{Annotation, ElementLayer};

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

/// Two pixels wide, around the box.
fn outline(picture: &mut RgbImage, rect: Rect, colour: Rgb<u8>) {
    for grow in 1..=2 {
        let (width, height) = (rect.width() + 2 * grow, rect.height() + 2 * grow);
        let around = imageproc::rect::Rect::at(rect.x0() - grow, rect.y0() - grow).of_size(width as u32, height as u32);
        draw_hollow_rect_mut(picture, around, colour);
    }
}
