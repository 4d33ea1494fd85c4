//! Coordinates as formats want them. All start from integer `[x0, y0, x1, y1]`, half-open, px of the image.

use super::BoxKind;
use crate::geom::{Rect, Size};
use crate::record::{ElementRecord, SceneRecord, TargetRecord};

/// A target's box on the image, or `None` if nothing of it is there.
pub(super) fn target_box(scene: &SceneRecord, target: &TargetRecord, kind: BoxKind) -> Option<[i32; 4]> {
    on_image(
        scene,
        match kind {
            BoxKind::Full => target.bbox,
            BoxKind::Visible => target.visible_bbox,
        },
    )
}

/// An element's box on the image, or `None` if nothing of it is visible.
pub(super) fn element_box(scene: &SceneRecord, element: &ElementRecord, kind: BoxKind) -> Option<[i32; 4]> {
    let visible = element.visible_bbox?;
    on_image(scene, Some(if kind == BoxKind::Full { element.bbox } else { visible }))
}

fn on_image(scene: &SceneRecord, bbox: Option<Rect>) -> Option<[i32; 4]> {
    let screen = Size { width: scene.width, height: scene.height }.rect();
    Some(bbox?.intersection(screen)?.into())
}

/// `[x, y, width, height]`, px.
pub(super) fn xywh([x0, y0, x1, y1]: [i32; 4]) -> [i32; 4] {
    [x0, y0, x1 - x0, y1 - y0]
}

/// Shares of width and height, in 0..=1. Multiplied by the size and rounded they give the pixels again.
pub(super) fn unit(bbox: [i32; 4], [width, height]: [u32; 2]) -> [f64; 4] {
    let [x0, y0, x1, y1] = bbox.map(f64::from);
    let (width, height) = (f64::from(width), f64::from(height));
    [x0 / width, y0 / height, x1 / width, y1 / height]
}

/// The nearest thousandths of width and height, in 0..=1000.
pub(super) fn thousandths(bbox: [i32; 4], size: [u32; 2]) -> [i32; 4] {
    unit(bbox, size).map(|share| (share * 1000.0).round() as i32)
}

/// Px of the image resized to `to`, rounded to the nearest.
pub(super) fn resized(bbox: [i32; 4], size: [u32; 2], to: [u32; 2]) -> [i32; 4] {
    let [x0, y0, x1, y1] = unit(bbox, size);
    let (width, height) = (f64::from(to[0]), f64::from(to[1]));
    [x0 * width, y0 * height, x1 * width, y1 * height].map(|v| v.round() as i32)
}

/// How the Qwen-VL family resizes pictures before it looks at them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResizeLimits {
    /// Sides become multiples of this, px.
    pub factor: u32,
    /// Fewest pixels.
    pub min_pixels: u64,
    /// Most pixels.
    pub max_pixels: u64,
}

impl Default for ResizeLimits {
    /// Those of Qwen2.5-VL's processor.
    fn default() -> Self {
        Self { factor: 28, min_pixels: 56 * 56, max_pixels: 28 * 28 * 16384 }
    }
}

/// The size that `smart_resize` of the Qwen-VL utilities gives: sides are multiples of the factor, the number of pixels within the
/// limits, the ratio of sides about kept.
pub fn smart_resize([width, height]: [u32; 2], limits: ResizeLimits) -> [u32; 2] {
    let factor = f64::from(limits.factor);
    let (w, h) = (f64::from(width), f64::from(height));
    // Python's round() goes to the even neighbour at .5.
    let rounded = |side: f64| ((side / factor).round_ties_even() * factor).max(factor);
    let (to_w, to_h) = (rounded(w), rounded(h));
    let [to_w, to_h] = if to_w * to_h > limits.max_pixels as f64 {
        let beta = (w * h / limits.max_pixels as f64).sqrt();
        [w, h].map(|side| ((side / beta / factor).floor() * factor).max(factor))
    } else if to_w * to_h < limits.min_pixels as f64 {
        let beta = (limits.min_pixels as f64 / (w * h)).sqrt();
        [w, h].map(|side| (side * beta / factor).ceil() * factor)
    } else {
        [to_w, to_h]
    };
    [to_w as u32, to_h as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resizes_as_the_models_utilities_do() {
        // Values of qwen_vl_utils.smart_resize(height, width, 28, min_pixels, max_pixels).
        let limits = ResizeLimits::default();
        assert_eq!(smart_resize([2560, 1440], limits), [2548, 1428]);
        assert_eq!(smart_resize([1600, 900], limits), [1596, 896]);
        assert_eq!(smart_resize([1920, 1080], ResizeLimits { max_pixels: 1_003_520, ..limits }), [1316, 728]);
        assert_eq!(smart_resize([20, 20], limits), [56, 56]);
    }

    #[test]
    fn shares_give_the_pixels_again() {
        for size in [[2560, 1440], [1366, 768], [4097, 3]] {
            for x in 0..size[0] as i32 {
                let [share, _, end, _] = unit([x, 0, size[0] as i32, 1], size);
                assert_eq!(((share * f64::from(size[0])).round() as i32, end), (x, 1.0));
            }
        }
    }
}
