//! Visible pixels of targets.

use windesk_model::geometry::Rect;

use super::pool::Part;

/// Visible pixels of a target.
#[derive(Clone, Copy, Debug)]
pub struct Mask<'a> {
    /// Top left on the screen.
    pub origin: [i32; 2],
    /// Width in px.
    pub width: u32,
    /// Height in px.
    pub height: u32,
    /// Where runs end, row-major; hidden first, then visible, and so on. None where all pixels are visible, as of most
    /// targets.
    pub ends: &'a [u32],
}

/// A mask whose runs lie with those of all others.
#[derive(Clone, Copy, Debug)]
pub(super) struct MaskOf {
    pub(super) origin: [i32; 2],
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) ends: Part<u32>,
}

impl Mask<'_> {
    /// Whether the pixel is visible.
    pub fn shows(&self, x: i32, y: i32) -> bool {
        // Origins come from files and may lie at the end of the numbers.
        let [dx, dy] = [i64::from(x) - i64::from(self.origin[0]), i64::from(y) - i64::from(self.origin[1])].map(u64::try_from);
        let (Ok(dx), Ok(dy)) = (dx, dy) else { return false };
        let [width, height] = [self.width, self.height].map(u64::from);
        if dx >= width || dy >= height {
            return false;
        }
        let at = dy * width + dx;
        self.ends.is_empty() || self.ends.partition_point(|&end| u64::from(end) <= at) % 2 == 1
    }

    /// The box that it covers; `None` without pixels, or far off any screen.
    pub fn extent(&self) -> Option<Rect> {
        let [x, y] = self.origin;
        Rect::new(x, y, x.checked_add_unsigned(self.width)?, y.checked_add_unsigned(self.height)?)
    }

    /// How many pixels are visible.
    pub fn visible_px(&self) -> u64 {
        if self.ends.is_empty() {
            return u64::from(self.width) * u64::from(self.height);
        }
        self.ends.chunks_exact(2).map(|run| u64::from(run[1] - run[0])).sum()
    }
}
