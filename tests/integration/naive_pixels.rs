//! A second compositor: every layer of every pixel in floating point, nothing skipped.

use image::RgbImage;
use serde_json::Value;

use crate::naive_pack::{Box4, NaivePack, box4, number};
use crate::naive_scene::{NaiveScene, holds};

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
        for (x, y, pixel) in pack.picture(window, *active).enumerate_pixels() {
            let alpha = f64::from(pixel[3]) / 255.0;
            let cut = !shadows && pixel[3] < 255 && !own.iter().any(|&b| holds(b, x as i32, y as i32));
            let (x, y) = (x as i32 + origin.0, y as i32 + origin.1);
            if cut || pixel[3] == 0 || !holds([0, 0, width as i32, height as i32], x, y) {
                continue;
            }
            let below = &mut ground[(y as u32 * width + x as u32) as usize];
            for channel in 0..3 {
                below.rgb[channel] = f64::from(pixel[channel]) * alpha + below.rgb[channel] * (1.0 - alpha);
            }
            if pixel[3] == 255 {
                (below.layers, below.drawn) = (0, false);
            } else {
                below.layers += 1;
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
