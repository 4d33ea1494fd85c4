//! Debug pictures of state instances: the control outlined in blue, the core of its current state orange, the core of
//! the target state purple, and in red what sets it: a cross for a click, a line with a ring at its beginning for a
//! drag.

use image::{Rgb, RgbImage};
use imageproc::drawing::{draw_cross_mut, draw_hollow_circle_mut, draw_line_segment_mut};

use windesk_model::geometry::{Point, Rect};
use windesk_model::setting::{Act, StateInstance};

use super::Frame;
use super::overlay::outline;

const CONTROL: Rgb<u8> = Rgb([40, 120, 255]);
const CURRENT: Rgb<u8> = Rgb([255, 140, 0]);
const TARGET: Rgb<u8> = Rgb([190, 60, 255]);
const ACT: Rgb<u8> = Rgb([230, 20, 30]);
/// Radius of the ring where a drag begins, px.
const RING_PX: i32 = 6;

/// Draws what an instance says of its control over a finished picture.
pub fn paint_setting(frame: Frame, instance: &StateInstance) -> Frame {
    let size = frame.size;
    let mut picture = RgbImage::from_raw(size.width, size.height, frame.rgb).expect("three bytes per pixel");
    let marks = [(instance.control_bbox, CONTROL), (instance.core_bbox, CURRENT), (instance.target_core_bbox, TARGET)];
    for (bbox, colour) in marks {
        // Records come from strangers too: what is beyond the picture is not drawn.
        if let Some(rect) = whole(bbox).and_then(|rect| rect.intersection(size.rect())) {
            outline(&mut picture, rect, colour);
        }
    }
    let is_inside = |at: &Point| size.rect().contains(*at);
    match instance.act {
        Some(Act::Click(at)) if is_inside(&at) => draw_cross_mut(&mut picture, ACT, at.x, at.y),
        Some(Act::Drag(ends)) if ends.iter().all(is_inside) => {
            let [from, to] = ends;
            let [begin, end] = ends.map(|at| (at.x as f32, at.y as f32));
            draw_line_segment_mut(&mut picture, begin, end, ACT);
            draw_hollow_circle_mut(&mut picture, (from.x, from.y), RING_PX, ACT);
            draw_cross_mut(&mut picture, ACT, to.x, to.y);
        }
        _ => {}
    }
    Frame { size, rgb: picture.into_raw() }
}

/// The pixels that a box of an instance touches; null for one without any.
fn whole([x0, y0, x1, y1]: [f64; 4]) -> Option<Rect> {
    Rect::new(x0.floor() as i32, y0.floor() as i32, x1.ceil() as i32, y1.ceil() as i32)
}

#[cfg(test)]
mod tests {
    use windesk_model::geometry::Size;

    use super::*;

    #[test]
    fn boxes_and_act_are_drawn() {
        let size = Size { width: 100, height: 60 };
        let mut instance: StateInstance = serde_json::from_value(serde_json::json!({
            "id": "a", "image_size": [100, 60], "instruction": "Set it to 3",
            "control_bbox": [10, 10, 90, 50], "core_bbox": [20, 20, 30, 30], "target_core_bbox": [60, 20, 70, 30],
            "current_state": 1, "target_state": 3,
        }))
        .unwrap();
        let paint = |instance: &StateInstance| paint_setting(Frame { size, rgb: vec![0; 100 * 60 * 3] }, instance);
        let at = |frame: &Frame, x: usize, y: usize| frame.rgb[3 * (y * 100 + x)..][..3].to_vec();
        instance.act = Some(Act::Click(Point { x: 65, y: 25 }));
        let click = paint(&instance);
        let seen = [(9, 30), (19, 25), (59, 25), (65, 25)].map(|(x, y)| at(&click, x, y));
        assert_eq!(seen, [CONTROL, CURRENT, TARGET, ACT].map(|colour| colour.0.to_vec()));
        instance.act = Some(Act::Drag([Point { x: 25, y: 25 }, Point { x: 65, y: 25 }]));
        assert_eq!(at(&paint(&instance), 45, 25), ACT.0);
        // Nothing beyond the picture does harm.
        instance.control_bbox = [-1e9, -5.0, 1e12, 70.0];
        instance.act = Some(Act::Drag([Point { x: -9, y: 1 << 30 }, Point { x: 65, y: 25 }]));
        assert_eq!(at(&paint(&instance), 59, 25), TARGET.0);
    }
}
