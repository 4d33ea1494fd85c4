//! What changed between two keyframes: the shortcut that the baseline `what-changed` audits.

use image::RgbImage;

/// Side of the squares that changed pixels are gathered in, px: letters of a line that changed are one region.
const CELL_PX: u32 = 8;

/// Changed pixels of a square, or of a region.
#[derive(Clone, Copy, Debug)]
struct Changed {
    count: u64,
    /// The smallest box around them, `[x0, y0, x1, y1]`, half-open.
    bbox: [u32; 4],
}

impl Changed {
    const NOTHING: Self = Self { count: 0, bbox: [u32::MAX, u32::MAX, 0, 0] };

    fn with(self, other: Self) -> Self {
        let [a, b] = [self.bbox, other.bbox];
        Self { count: self.count + other.count, bbox: [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])] }
    }
}

/// The middle of the box around the largest region that differs, px; nothing if none does, or if the sizes differ.
/// Regions are made of squares of 8 px with a changed pixel that touch each other, at corners too; the largest has the
/// most changed pixels, and of equal ones the first in reading order.
pub(super) fn changed_place(before: &RgbImage, after: &RgbImage) -> Option<[f64; 2]> {
    if before.dimensions() != after.dimensions() {
        return None;
    }
    let (width, height) = after.dimensions();
    let (columns, rows) = (width.div_ceil(CELL_PX), height.div_ceil(CELL_PX));
    let mut cells = vec![Changed::NOTHING; columns as usize * rows as usize];
    let lines = before.as_raw().chunks_exact(3 * width as usize).zip(after.as_raw().chunks_exact(3 * width as usize));
    for (y, (old, new)) in (0..).zip(lines) {
        if old == new {
            continue;
        }
        for (x, (old, new)) in (0..).zip(old.chunks_exact(3).zip(new.chunks_exact(3))) {
            if old != new {
                let cell = &mut cells[(y / CELL_PX * columns + x / CELL_PX) as usize];
                *cell = cell.with(Changed { count: 1, bbox: [x, y, x + 1, y + 1] });
            }
        }
    }
    let mut largest = Changed::NOTHING;
    let mut open = Vec::new();
    for first in 0..cells.len() {
        let mut region = Changed::NOTHING;
        open.push(first);
        while let Some(at) = open.pop() {
            let here = std::mem::replace(&mut cells[at], Changed::NOTHING);
            if here.count == 0 {
                continue;
            }
            region = region.with(here);
            let (x, y) = (at as u32 % columns, at as u32 / columns);
            for row in y.saturating_sub(1)..(y + 2).min(rows) {
                open.extend((x.saturating_sub(1)..(x + 2).min(columns)).map(|column| (row * columns + column) as usize));
            }
        }
        if region.count > largest.count {
            largest = region;
        }
    }
    let [x0, y0, x1, y1] = largest.bbox.map(f64::from);
    (largest.count > 0).then_some([(x0 + x1) / 2.0, (y0 + y1) / 2.0])
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn the_largest_changed_region_is_found() {
        let before = RgbImage::new(200, 100);
        let mut after = before.clone();
        assert_eq!(changed_place(&before, &after), None);
        after.put_pixel(199, 99, Rgb([1, 0, 0]));
        assert_eq!(changed_place(&before, &after), Some([199.5, 99.5]));
        // Two letters in squares that touch at a corner are one region of 4 px; 3 px apart from it are less.
        for (x, y) in [(15, 15), (14, 15), (16, 16), (17, 17), (100, 50), (101, 50), (102, 50)] {
            after.put_pixel(x, y, Rgb([0, 9, 0]));
        }
        assert_eq!(changed_place(&before, &after), Some([16.0, 16.5]));
        assert_eq!(changed_place(&before, &RgbImage::new(100, 200)), None);
    }
}
