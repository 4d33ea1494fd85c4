//! Visible ink: the share of an element's gradient energy that is visible. A half-covered box may show nothing but padding.

use image::GrayImage;
use imageproc::gradients::sobel_gradients;

use crate::config::Ratio;
use crate::geom::Rect;
use crate::pack::{Look, Pack, PackError};
use crate::visibility::BoxMask;

/// Below this mean gradient per pixel an element shows next to nothing, and a share of it means nothing.
const LEAST_MEAN_ENERGY: u64 = 2;

/// Gradient energy of an element, pixel by pixel of its box.
pub(super) struct Energy {
    per_pixel: Vec<u16>,
    total: u64,
}

impl Energy {
    /// Sobel magnitudes of the box's luma in the window's picture. `bbox` is in px of the picture.
    pub(super) fn of(pack: &Pack, window: usize, look: Look, bbox: Rect) -> Result<Self, PackError> {
        let rgba = pack.pixels(window, look)?.rgba_in(bbox);
        let luma: Vec<u8> = rgba
            .chunks_exact(4)
            .map(|p| ((u32::from(p[0]) * 299 + u32::from(p[1]) * 587 + u32::from(p[2]) * 114 + 500) / 1000) as u8)
            .collect();
        let picture = GrayImage::from_raw(bbox.width() as u32, bbox.height() as u32, luma).expect("one byte per pixel");
        let per_pixel = sobel_gradients(&picture).into_raw();
        let total = per_pixel.iter().map(|&e| u64::from(e)).sum();
        Ok(Self { per_pixel, total })
    }

    /// Share in 0..=1, or `None` where there is next to nothing to see.
    pub(super) fn visible_share(&self, mask: &BoxMask) -> Option<f64> {
        self.means_something().then(|| self.visible(mask) as f64 / self.total as f64)
    }

    /// Whether at least this share is visible. Elements with next to no ink pass.
    pub(super) fn reaches(&self, least: Ratio, mask: &BoxMask) -> bool {
        !self.means_something() || least.reached_by(self.visible(mask), self.total)
    }

    fn means_something(&self) -> bool {
        self.total >= LEAST_MEAN_ENERGY * self.per_pixel.len() as u64
    }

    fn visible(&self, mask: &BoxMask) -> u64 {
        self.per_pixel.iter().zip(mask.bits()).filter(|&(_, &seen)| seen).map(|(&e, _)| u64::from(e)).sum()
    }
}
