//! Coordinates as formats want them. All start from integer `[x0, y0, x1, y1]`, half-open, px of the image.

use windesk_model::geometry::{Rect, Size};
use windesk_model::record::{ElementRecord, SceneRecord, TargetRecord};

use super::BoxKind;

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

#[cfg(test)]
mod tests {
    use super::*;

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
