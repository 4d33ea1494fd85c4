//! Points against boxes, in real px.

/// A box `[x0, y0, x1, y1]`.
pub type RealBox = [f64; 4];

/// Whether the point is inside or on the border.
pub fn inside_closed([x0, y0, x1, y1]: RealBox, [x, y]: [f64; 2]) -> bool {
    x0 <= x && x <= x1 && y0 <= y && y <= y1
}

/// Whether the point is strictly inside.
pub fn inside_open([x0, y0, x1, y1]: RealBox, [x, y]: [f64; 2]) -> bool {
    x0 < x && x < x1 && y0 < y && y < y1
}

/// From the point to the nearest point of the box along each axis; zero inside and on the border.
pub fn offset([x0, y0, x1, y1]: RealBox, [x, y]: [f64; 2]) -> [f64; 2] {
    [(x0 - x).max(x - x1).max(0.0), (y0 - y).max(y - y1).max(0.0)]
}

/// Euclidean length, with each axis divided by `units`.
pub fn length([dx, dy]: [f64; 2], units: [f64; 2]) -> f64 {
    let (dx, dy) = (dx / units[0], dy / units[1]);
    (dx * dx + dy * dy).sqrt()
}

/// The middle of the box.
pub fn centre([x0, y0, x1, y1]: RealBox) -> [f64; 2] {
    [(x0 + x1) / 2.0, (y0 + y1) / 2.0]
}

/// The diagonal of an image in px.
pub fn diagonal(size: [u32; 2]) -> f64 {
    length(size.map(f64::from), [1.0, 1.0])
}

/// Whether the point lies in the image, border included.
pub fn in_image(size: [u32; 2], point: [f64; 2]) -> bool {
    inside_closed([0.0, 0.0, f64::from(size[0]), f64::from(size[1])], point)
}
