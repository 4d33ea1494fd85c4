//! A second compositor: every layer of every pixel in floating point, nothing skipped.

use image::{RgbImage, RgbaImage};
use serde_json::Value;

use crate::pack::{Box4, NaivePack, box4, number};
use crate::scene::{NaiveScene, holds};

/// Holds a scene's picture against the naive composition. Each rounded layer may be off by half a level. Icons and
/// taskbar are drawn, not composed from the pack's pictures: pixels that show them are left out.
///
/// # Panics
/// On the first pixel that differs.
pub fn check_pixels(pack: &NaivePack, scene: &Value, naive: &NaiveScene, shadows: bool, picture: &RgbImage) {
    let id = scene["id"].as_str().unwrap();
    let (width, height) = (number(&scene["width"]) as u32, number(&scene["height"]) as u32);
    assert_eq!(picture.dimensions(), (width, height), "{id}");
    let wallpaper = pack.wallpaper(scene["wallpaper"].as_str().unwrap(), width, height);
    let mut ground: Vec<Shown> = wallpaper.pixels().map(|p| Shown { rgb: p.0.map(f64::from), layers: 0, drawn: false }).collect();
    let boxes_of = |layer: &str| -> Vec<Box4> {
        let elements = scene["elements"].as_array().unwrap().iter();
        elements.filter(|e| e["layer"] == layer).map(|e| box4(&e["bbox"])).collect()
    };
    // The shadow of a caption that fills its line stands out of the icon's box by a pixel.
    let icons: Vec<Box4> =
        boxes_of("desktop").into_iter().map(|[x0, y0, x1, y1]| [(x0 - 1).max(0), (y0 - 1).max(0), x1 + 1, y1 + 1]).collect();
    mark_drawn(&mut ground, width, &icons);
    for (window, active, origin) in &naive.windows {
        let capture = pack.capture(window);
        let own: Vec<Box4> = std::iter::once(box4(&capture["frame"]))
            .chain(capture["popups"].as_array().unwrap().iter().map(|p| box4(&p["rect"])))
            .collect();
        let whole = pack.picture(window, *active);
        for (x, y, captured) in whole.enumerate_pixels() {
            let cut = !shadows && captured[3] < 255;
            let pixel = if cut { without_shadow(&whole, &own, x as i32, y as i32) } else { captured.0.map(f64::from) };
            let alpha = pixel[3] / 255.0;
            let (x, y) = (x as i32 + origin.0, y as i32 + origin.1);
            if alpha == 0.0 || !holds([0, 0, width as i32, height as i32], x, y) {
                continue;
            }
            let below = &mut ground[(y as u32 * width + x as u32) as usize];
            for (under, over) in below.rgb.iter_mut().zip(pixel) {
                *under = over * alpha + *under * (1.0 - alpha);
            }
            if captured[3] == 255 {
                (below.layers, below.drawn) = (0, false);
            } else {
                // Colour and alpha of what was cut are rounded too.
                below.layers += if cut { 4 } else { 1 };
            }
        }
    }
    mark_drawn(&mut ground, width, &boxes_of("taskbar"));
    for ((x, y, found), expected) in picture.enumerate_pixels().zip(&ground) {
        let tolerance = 0.5 * f64::from(expected.layers) + 1e-6;
        for channel in 0..3 {
            let off = (f64::from(found[channel]) - expected.rgb[channel]).abs();
            assert!(
                expected.drawn || off <= tolerance,
                "{id}: pixel ({x}, {y}) is {:?}, expected {:?} within {tolerance}",
                found.0,
                expected.rgb
            );
        }
    }
}

/// A translucent pixel as it would be without the black shadow under it: in a corner of a box the window's share and
/// the line around it, outside of all boxes a line beside one.
fn without_shadow(picture: &RgbaImage, own: &[Box4], x: i32, y: i32) -> [f64; 4] {
    let at = |x: i32, y: i32| -> [f64; 4] {
        let inside = x >= 0 && y >= 0 && x < picture.width() as i32 && y < picture.height() as i32;
        if inside { picture.get_pixel(x as u32, y as u32).0.map(f64::from) } else { [0.0; 4] }
    };
    let here = at(x, y);
    let over = |shadow: f64| {
        let share = ((here[3] - shadow) * 255.0 / (255.0 - shadow)).round();
        if share < 8.0 {
            [0.0; 4]
        } else {
            [0, 1, 2, 3].map(|c| if c == 3 { share } else { (here[c] * here[3] / share).min(255.0) })
        }
    };
    let Some(&[x0, y0, x1, y1]) = own.iter().find(|&&b| holds(b, x, y)) else {
        let steps = own.iter().flat_map(|&[x0, y0, x1, y1]| {
            [((y0..y1).contains(&y) && x == x0 - 1, -1, 0), ((y0..y1).contains(&y) && x == x1, 1, 0)]
                .into_iter()
                .chain([((x0..x1).contains(&x) && y == y0 - 1, 0, -1), ((x0..x1).contains(&x) && y == y1, 0, 1)])
        });
        let beyond = steps.filter(|step| step.0).map(|(_, dx, dy)| at(x + dx, y + dy)[3]).next_back();
        return beyond.filter(|&beyond| beyond < 255.0).map_or([0.0; 4], over);
    };
    let (left, top) = (x - x0, y - y0);
    let (dx, dy) = (if left * 2 < x1 - x0 { 1 } else { -1 }, if top * 2 < y1 - y0 { 1 } else { -1 });
    if left.min(x1 - 1 - x) >= 40 || top.min(y1 - 1 - y) >= 40 || here[3] == 0.0 {
        return here;
    }
    if !(1..40).any(|by| at(x + by * dx, y + by * dy)[3] == 255.0) {
        return here;
    }
    let [near, far] = [2, 4].map(|by| at(x - by * dx, y - by * dy)[3]);
    let shadow = near + if far > 0.0 { (near - far).max(0.0) } else { 0.0 };
    if shadow >= 255.0 { here } else { over(shadow) }
}

/// What a pixel shows so far.
struct Shown {
    rgb: [f64; 3],
    /// Translucent layers since the last opaque one.
    layers: u32,
    /// Whether icons or the taskbar may show here.
    drawn: bool,
}

fn mark_drawn(ground: &mut [Shown], width: u32, boxes: &[Box4]) {
    for &[x0, y0, x1, y1] in boxes {
        for y in y0..y1 {
            for x in x0..x1 {
                ground[(y as u32 * width + x as u32) as usize].drawn = true;
            }
        }
    }
}
