//! Where a window may lie: anywhere in a region, as people put windows; or where a window manager puts new ones, at the
//! edges of the screen and beside other windows, where it covers least.

use windesk_model::condition::{Band, Region};
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::WindowIndex;
use windesk_model::key::Stream;

use crate::planner::scene::Scene;

/// How far a window strays from the edge of the work area when its category's region is out of its reach: this share
/// of the way to the other edge.
const STRAY_PERCENT: i64 = 35;
/// Managed places that are tried before others are drawn.
const MANAGED_TRIES: usize = 12;
/// Of 1000 managed windows, so many have been enlarged by their lower right corner since they were placed ..
const ENLARGED_PER_MILLE: u32 = 600;
/// .. from so much of their width and of their height, in percent.
const PLACED_PERCENT: (i64, i64) = (55, 95);
/// A managed target lies at the left or upper edge of the work area if it was drawn so near to it: this share of the
/// way to the other edge.
const PULL_PERCENT: i32 = 30;

/// Places for one window: how often which region is tried, and on which ground.
pub(super) struct Wanted<'r> {
    pub(super) ground: Rect,
    pub(super) tries: &'r [(usize, Option<Region>)],
}

/// Picture origins to try for a window, in order; fewer if it is larger than the ground.
pub(super) fn places<'s>(
    scene: &Scene,
    stream: &'s mut Stream,
    window: WindowIndex,
    wanted: &'s Wanted,
) -> impl Iterator<Item = Point> + use<'s> {
    let extent = scene.pack.windows[window].extent();
    let managed = if scene.managed { managed(scene, stream, window) } else { Vec::new() };
    let regions = wanted.tries.iter().flat_map(|&(tries, region)| std::iter::repeat_n(region, tries));
    managed.into_iter().chain(regions.map_while(move |region| pick_origin(stream, wanted.ground, extent, region)))
}

/// Where a window manager that looks for free places puts a window: with its frame at edges of the work area and of
/// other windows, first where it covers least of them, from the upper left corner on.
fn managed(scene: &Scene, stream: &mut Stream, window: WindowIndex) -> Vec<Point> {
    let record = &scene.pack.windows[window];
    let (work, extent, frame) = (scene.work(), record.extent(), record.frame);
    let mut placed = |side: i32| match stream.chance(ENLARGED_PER_MILLE) {
        true => (i64::from(side) * stream.between(PLACED_PERCENT.0, PLACED_PERCENT.1) / 100) as i32,
        false => side,
    };
    let (width, height) = (placed(frame.width()), placed(frame.height()));
    let others: Vec<Rect> = scene.windows.keys().map(|other| scene.frame(other)).collect();
    // Frame corners for which the whole extent stays on the work area.
    let room = |low: i32, high: i32, start: i32, end: i32| (low + start <= high - end).then_some((low + start, high - end));
    let across = room(work.x0(), work.x1(), frame.x0() - extent.x0(), extent.x1() - frame.x0());
    let down = room(work.y0(), work.y1(), frame.y0() - extent.y0(), extent.y1() - frame.y0());
    let (Some(across), Some(down)) = (across, down) else { return Vec::new() };
    // A window that was enlarged since lies at the far edge of the screen by chance alone.
    let sides = |(first, last): (i32, i32), [length, whole]: [i32; 2], edges: &mut dyn Iterator<Item = [i32; 2]>| {
        let mut sides = if length == whole { vec![first, last] } else { vec![first] };
        sides.extend(edges.flat_map(|[low, high]| [high, low - length]).filter(|side| (first..=last).contains(side)));
        sides.sort_unstable();
        sides.dedup();
        sides
    };
    let xs = sides(across, [width, frame.width()], &mut others.iter().map(|o| [o.x0(), o.x1()]));
    let ys = sides(down, [height, frame.height()], &mut others.iter().map(|o| [o.y0(), o.y1()]));
    let mut corners: Vec<(u64, Point)> = Vec::with_capacity(xs.len() * ys.len());
    for &y in &ys {
        for &x in &xs {
            let at = Rect::at(x, y, width, height);
            let covered = others.iter().filter_map(|other| other.intersection(at)).map(Rect::area).sum();
            corners.push((covered, Point { x, y }));
        }
    }
    // Stable: of places that are as good, the one further up and then further left comes first.
    corners.sort_by_key(|&(covered, _)| covered);
    corners.into_iter().take(MANAGED_TRIES).map(|(_, corner)| corner - frame.origin()).collect()
}

/// Moves a picture whose `extent` lies on the work area to the left and upper edges of that, if they are near: where
/// window managers begin to place windows.
pub(super) fn pull_to_edges(work: Rect, extent: Rect, origin: Point) -> Point {
    let axis = |room: i32, before: i32| if before * 100 <= room * PULL_PERCENT { -before } else { 0 };
    let at = extent.moved(origin);
    let across = axis(work.width() - extent.width(), at.x0() - work.x0());
    let down = axis(work.height() - extent.height(), at.y0() - work.y0());
    origin + Point { x: across, y: down }
}

/// Draws where a picture goes so that `extent` (px of the picture) stays on the work area and its centre in the region,
/// or as near to the region as the work area allows, jittered. `None` if the extent is larger than the work area.
pub(in crate::planner) fn pick_origin(stream: &mut Stream, work: Rect, extent: Rect, region: Option<Region>) -> Option<Point> {
    let strays = |room: i32| i64::from(room) * STRAY_PERCENT / 100;
    let axis = |stream: &mut Stream, low: i32, high: i32, length: i32, band: Option<Band>| {
        // Feasible positions of the extent's left or top edge.
        let (first, last) = (low, high - length);
        if first > last {
            return None;
        }
        let span = (high - low) as u64;
        let (from, to) = band.map_or((first, last), |band| {
            let edge = |centre: u64| low + centre as i32 - length / 2;
            (edge(band.0.floor_of(span)), edge(band.1.floor_of(span)))
        });
        let (a, b) = (from.max(first), to.min(last));
        Some(if a <= b {
            stream.between(i64::from(a), i64::from(b)) as i32
        } else if to < first {
            // The region lies beyond the first feasible place: keep near it.
            first + stream.between(0, strays(last - first)) as i32
        } else {
            last - stream.between(0, strays(last - first)) as i32
        })
    };
    let x = axis(stream, work.x0(), work.x1(), extent.width(), region.map(|r| r.x));
    let y = axis(stream, work.y0(), work.y1(), extent.height(), region.map(|r| r.y));
    Some(Point { x: x?, y: y? } - extent.origin())
}
