//! Points against boxes, in real px.
//!
//! Points and boxes are floats that were rounded once ([`exact`]), so that a plain comparison finds every
//! border. What is computed from them here is rounded once as well.

use std::cmp::Ordering;

use crate::exact::{self, Fraction};

/// A box `[x0, y0, x1, y1]`.
pub type RealBox = [f64; 4];

/// Whether the point is inside or on the border.
pub fn inside_closed([x0, y0, x1, y1]: RealBox, [x, y]: [f64; 2]) -> bool {
    x0 <= x && x <= x1 && y0 <= y && y <= y1
}

/// Whether the point is inside or on the first edges: whether one of the box's pixels holds it.
pub fn inside_half_open([x0, y0, x1, y1]: RealBox, [x, y]: [f64; 2]) -> bool {
    x0 <= x && x < x1 && y0 <= y && y < y1
}

/// Whether the point is strictly inside.
pub fn inside_open([x0, y0, x1, y1]: RealBox, [x, y]: [f64; 2]) -> bool {
    x0 < x && x < x1 && y0 < y && y < y1
}

/// Where a point lies to a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Place {
    Inside,
    Border,
    Outside,
}

/// Where a point lies to a polygon, which its corners give in order: inside if a line from it crosses an odd number of
/// sides.
pub fn place_in(corners: &[[f64; 2]], point: [f64; 2]) -> Place {
    let mut inside = false;
    for (at, &b) in corners.iter().enumerate() {
        let a = corners[(at + corners.len() - 1) % corners.len()];
        let side = side_of(a, b, point);
        let beside = |axis: usize| a[axis].min(b[axis]) <= point[axis] && point[axis] <= a[axis].max(b[axis]);
        if side.is_eq() && beside(0) && beside(1) {
            return Place::Border;
        }
        let (above, below) = (a[1] > point[1], b[1] > point[1]);
        // The side crosses the line to the right of the point if the point is on its left, seen upwards.
        if above != below && (side.is_lt() == above) {
            inside = !inside;
        }
    }
    if inside { Place::Inside } else { Place::Outside }
}

/// On which side of the line from `a` to `b` a point lies, as the sign of a cross product.
fn side_of(a: [f64; 2], b: [f64; 2], point: [f64; 2]) -> Ordering {
    let plain = || (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
    let exact = || {
        let way = |to: [f64; 2], axis: usize| Fraction::decimal(to[axis])?.plus(Fraction::decimal(a[axis])?.negative());
        way(b, 0)?.times(way(point, 1)?)?.order(way(b, 1)?.times(way(point, 0)?)?)
    };
    exact().unwrap_or_else(|| plain().total_cmp(&0.0))
}

/// From the point to the nearest point of the box along each axis; zero inside and on the border.
pub fn offset([x0, y0, x1, y1]: RealBox, [x, y]: [f64; 2]) -> [f64; 2] {
    let beyond = |low: f64, at: f64, high: f64| {
        if at < low {
            exact::difference(low, at)
        } else if at > high {
            exact::difference(at, high)
        } else {
            0.0
        }
    };
    [beyond(x0, x, x1), beyond(y0, y, y1)]
}

/// The way from a point to another.
pub fn from_to(from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|axis| exact::difference(to[axis], from[axis]))
}

/// Euclidean length, with each axis divided by `units`.
pub fn length([dx, dy]: [f64; 2], units: [f64; 2]) -> f64 {
    let (dx, dy) = (dx / units[0], dy / units[1]);
    (dx * dx + dy * dy).sqrt()
}

/// The box with all sides moved outwards.
pub fn grown([x0, y0, x1, y1]: RealBox, by: f64) -> RealBox {
    [exact::difference(x0, by), exact::difference(y0, by), exact::sum(x1, by), exact::sum(y1, by)]
}

/// The middle of the box.
pub fn centre([x0, y0, x1, y1]: RealBox) -> [f64; 2] {
    [exact::middle(x0, x1), exact::middle(y0, y1)]
}

/// The diagonal of an image in px.
pub fn diagonal(size: [u32; 2]) -> f64 {
    length(size.map(f64::from), [1.0, 1.0])
}

/// The square of an image's diagonal in px.
pub fn squared_diagonal(size: [u32; 2]) -> u64 {
    let [w, h] = size.map(u64::from);
    (w * w).saturating_add(h * h)
}

/// Whether the point lies in the image, border included.
pub fn in_image(size: [u32; 2], point: [f64; 2]) -> bool {
    inside_closed([0.0, 0.0, f64::from(size[0]), f64::from(size[1])], point)
}
