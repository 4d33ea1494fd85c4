//! Visible ink: the share of an element's gradient energy that is visible. A half-covered box may show nothing but
//! padding.

use windesk_model::Error;
use windesk_model::condition::Ratio;
use windesk_model::geometry::Rect;

use crate::pack::{Focus, Pack, Shown};
use crate::visibility::BoxMask;

/// Below this mean gradient per pixel an element shows next to nothing, and a share of it means nothing.
const MIN_MEAN_ENERGY: u64 = 2;

/// Gradient energy of an element, pixel by pixel of its box.
pub(super) struct Energy {
    per_pixel: Vec<u16>,
    total: u64,
}

impl Energy {
    /// Sobel magnitudes of the box's luma in the window's picture. `bbox` is in px of the picture.
    pub(super) fn of(pack: &Pack, window: &Shown, focus: Focus, bbox: Rect) -> Result<Self, Error> {
        let rgba = window.rgba_in(pack, focus, bbox)?;
        let luma: Vec<u8> = rgba
            .chunks_exact(4)
            .map(|p| ((u32::from(p[0]) * 299 + u32::from(p[1]) * 587 + u32::from(p[2]) * 114 + 500) / 1000) as u8)
            .collect();
        let per_pixel = sobel_magnitudes(&luma, bbox.width() as usize);
        let total = per_pixel.iter().map(|&e| u64::from(e)).sum();
        Ok(Self { per_pixel, total })
    }

    /// Share in 0..=1, or `None` where there is next to nothing to see.
    pub(super) fn visible_share(&self, mask: &BoxMask) -> Option<f64> {
        self.means_something().then(|| self.visible(mask) as f64 / self.total as f64)
    }

    /// Whether at least this share is visible. Elements with next to no ink pass.
    pub(super) fn reaches(&self, min: Ratio, mask: &BoxMask) -> bool {
        !self.means_something() || min.reached_by(self.visible(mask), self.total)
    }

    fn means_something(&self) -> bool {
        self.total >= MIN_MEAN_ENERGY * self.per_pixel.len() as u64
    }

    fn visible(&self, mask: &BoxMask) -> u64 {
        self.per_pixel.iter().zip(mask.bits()).filter(|&(_, &seen)| seen).map(|(&e, _)| u64::from(e)).sum()
    }
}

/// Length of the Sobel gradient at each pixel, rounded down. Beyond the edges the picture goes on as it ends.
fn sobel_magnitudes(luma: &[u8], width: usize) -> Vec<u16> {
    let rows: Vec<Vec<i32>> = luma.chunks_exact(width).map(with_neighbours).collect();
    let mut magnitudes = Vec::with_capacity(luma.len());
    for (y, row) in rows.iter().enumerate() {
        let (above, below) = (&rows[y.saturating_sub(1)][..width + 2], &rows[(y + 1).min(rows.len() - 1)][..width + 2]);
        let row = &row[..width + 2];
        magnitudes.extend((0..width).map(|x| {
            let across = above[x + 2] - above[x] + 2 * (row[x + 2] - row[x]) + below[x + 2] - below[x];
            let down = below[x] + 2 * below[x + 1] + below[x + 2] - above[x] - 2 * above[x + 1] - above[x + 2];
            // At most 2 * 1020^2: single precision holds it exactly, and its root is never rounded up to a whole
            // number.
            ((across * across + down * down) as f32).sqrt() as u16
        }));
    }
    magnitudes
}

/// A row with its first and last pixel once more.
fn with_neighbours(row: &[u8]) -> Vec<i32> {
    let ends = [row[0], row[row.len() - 1]].map(i32::from);
    std::iter::once(ends[0]).chain(row.iter().copied().map(i32::from)).chain(std::iter::once(ends[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gradients as the definition says: two kernels, each pixel by itself.
    fn by_definition(luma: &[u8], width: i32) -> Vec<u16> {
        let height = luma.len() as i32 / width;
        let at = |x: i32, y: i32| i64::from(luma[(y.clamp(0, height - 1) * width + x.clamp(0, width - 1)) as usize]);
        let kernel = [-1_i64, 0, 1];
        let smooth = [1_i64, 2, 1];
        let magnitude = |x: i32, y: i32| {
            let (mut across, mut down) = (0, 0);
            for (i, j) in (0..3).flat_map(|j| (0..3).map(move |i| (i, j))) {
                let value = at(x + i as i32 - 1, y + j as i32 - 1);
                across += kernel[i] * smooth[j] * value;
                down += smooth[i] * kernel[j] * value;
            }
            (across * across + down * down).isqrt() as u16
        };
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| magnitude(x, y)).collect()
    }

    #[test]
    fn magnitudes_are_those_of_the_definition() {
        let mut state = 1_u32;
        let mut noise = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            [0, 255, (state >> 16) as u8, (state >> 24) as u8][(state >> 8) as usize % 4]
        };
        for (width, height) in [(1, 1), (1, 7), (9, 1), (2, 2), (16, 9), (37, 23)] {
            let luma: Vec<u8> = (0..width * height).map(&mut noise).collect();
            assert_eq!(sobel_magnitudes(&luma, width), by_definition(&luma, width as i32), "{width}x{height}");
        }
    }

    #[test]
    fn roots_are_rounded_down() {
        for root in 1..=1443_i32 {
            for square in [root * root - 1, root * root, root * root + 1] {
                assert_eq!((square as f32).sqrt() as u16, square.isqrt() as u16, "{square}");
            }
        }
    }
}
