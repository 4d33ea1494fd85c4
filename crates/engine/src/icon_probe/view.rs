//! Where and how an icon is seen.

use windesk_model::geometry::Point;

use super::assets::Ground;
use super::design::ProbeCondition;
use super::raster::footprint_px;

/// Where and how one icon is seen in one condition.
pub(super) struct View<'a> {
    pub(super) condition: &'a ProbeCondition,
    pub(super) ground: &'a Ground,
    pub(super) middle: Point,
    pub(super) size_px: u32,
    pub(super) turn_deg: i32,
    pub(super) opacity_percent: u32,
}

impl View<'_> {
    pub(super) fn origin(&self) -> Point {
        origin(self.middle, footprint_px(self.size_px, self.turn_deg != 0))
    }

    /// Whether an icon looks the same in both and lies on the same ground.
    pub(super) fn same(&self, other: &View) -> bool {
        let (a, b) = (self.condition, other.condition);
        self.ground.id == other.ground.id
            && (self.middle, self.size_px, self.turn_deg, self.opacity_percent)
                == (other.middle, other.size_px, other.turn_deg, other.opacity_percent)
            && (a.tile, a.contrast_min_milli, a.contrast_milli) == (b.tile, b.contrast_min_milli, b.contrast_milli)
    }
}

/// Top left of the square of this side around a middle.
pub(super) fn origin(middle: Point, side: u32) -> Point {
    Point { x: middle.x - side as i32 / 2, y: middle.y - side as i32 / 2 }
}
