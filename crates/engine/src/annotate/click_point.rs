//! Where to click an element.

use std::cmp::Reverse;

use windesk_model::geometry::{Point, Rect};

use crate::visibility::Spans;

/// The visible pixel that is farthest (by the larger of the two axes) from whatever is not the target: the mask's edge
/// and nested controls. Of several, the one nearest to the middle of the box.
pub(crate) fn click_point(bbox: Rect, seen: &Spans, nested: &[Rect]) -> Option<Point> {
    // One hidden pixel all around, so that the box's own border counts as an edge.
    let (width, height) = (bbox.width() as usize + 2, bbox.height() as usize + 2);
    // More than any depth, so that depths come out right.
    let farthest = (width + height).min(usize::from(u8::MAX)) as u8;
    let mut depths = vec![0; width * height];
    let mut fill = |x: i32, y: i32, length: i32, depth: u8| {
        let start = (y - bbox.y0() + 1) as usize * width + (x - bbox.x0() + 1) as usize;
        depths[start..start + length as usize].fill(depth);
    };
    for (y, a, b) in seen.clipped(bbox) {
        fill(a, y, b - a, farthest);
    }
    for inner in nested.iter().filter_map(|inner| inner.intersection(bbox)) {
        (inner.y0()..inner.y1()).for_each(|y| fill(inner.x0(), y, inner.width(), 0));
    }
    measure_depths(&mut depths, width);
    let middle = bbox.centre();
    let pixels = (bbox.y0() - 1..).zip(depths.chunks_exact(width));
    let pixels = pixels.flat_map(|(y, row)| (bbox.x0() - 1..).zip(row).map(move |(x, &depth)| (depth, Point { x, y })));
    pixels
        .filter(|&(depth, _)| depth > 0)
        .max_by_key(|&(depth, p)| {
            let off = p - middle;
            (depth, Reverse(i64::from(off.x).pow(2) + i64::from(off.y).pow(2)))
        })
        .map(|(_, p)| p)
}

/// Turns each pixel that is not 0 into its distance from the nearest one that is, by the larger of the two axes, up to
/// 255. The outermost pixels must be 0, and all others 0 or more than any distance. Two passes: distances from above and
/// from the left, then from below and from the right.
fn measure_depths(depths: &mut [u8], width: usize) {
    let height = depths.len() / width;
    for y in 1..height - 1 {
        let (above, row) = depths[(y - 1) * width..(y + 1) * width].split_at_mut(width);
        for x in 1..width - 1 {
            let nearest = row[x - 1].min(above[x - 1]).min(above[x]).min(above[x + 1]);
            row[x] = row[x].min(nearest.saturating_add(1));
        }
    }
    for y in (1..height - 1).rev() {
        let (row, below) = depths[y * width..(y + 2) * width].split_at_mut(width);
        for x in (1..width - 1).rev() {
            let nearest = row[x + 1].min(below[x + 1]).min(below[x]).min(below[x - 1]);
            row[x] = row[x].min(nearest.saturating_add(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_distances_by_the_larger_axis() {
        let (width, height) = (31_usize, 19_usize);
        // A large room with a pillar, a corridor, and a pixel on its own.
        let is_open = |x: usize, y: usize| {
            let within = |x0, y0, x1, y1| (x0..x1).contains(&x) && (y0..y1).contains(&y);
            within(1, 1, 18, 18) && !within(5, 6, 7, 9) || within(18, 4, 30, 6) || (x, y) == (25, 12)
        };
        let cells: Vec<(usize, usize)> = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).collect();
        let mut depths: Vec<u8> = cells.iter().map(|&(x, y)| if is_open(x, y) { 50 } else { 0 }).collect();
        measure_depths(&mut depths, width);
        for (&(x, y), &depth) in cells.iter().zip(&depths) {
            let closed = cells.iter().filter(|&&(x, y)| !is_open(x, y));
            let nearest = closed.map(|&(cx, cy)| x.abs_diff(cx).max(y.abs_diff(cy))).min();
            assert_eq!(Some(usize::from(depth)), nearest, "{x},{y}");
        }
    }
}
