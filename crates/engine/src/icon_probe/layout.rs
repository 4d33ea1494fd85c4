//! Where icons lie: from a layout, the room and a key to the middle of each icon's square. No pixels.
//!
//! Squares are those of the largest icon of all jointly planned conditions, so that smaller icons of another condition
//! have the same middles. The first icon is the target; a longer list of icons extends a shorter one but in a dock.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_model::geometry::{Point, Rect};
use windesk_model::icon_probe::ProbeLayout;
use windesk_model::key::{Decision, SampleKey, Stream};

/// Least gap between the boxes of two icons: they lie apart if `(dx / x)^2 + (dy / y)^2 >= 1`, where `dx` and `dy` are
/// the gaps between their sides. With `x` equal to `y` that is a distance in px; otherwise one in shares of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// Horizontal semi-axis, px.
    pub x: u32,
    /// Vertical semi-axis, px.
    pub y: u32,
}

impl Gap {
    /// The same distance every way.
    pub fn px(px: u32) -> Self {
        Self { x: px, y: px }
    }

    /// Whether two boxes lie apart.
    pub fn between(self, a: Rect, b: Rect) -> bool {
        let apart = |a0: i32, a1: i32, b0: i32, b1: i32| i128::from((b0 - a1).max(a0 - b1).max(0));
        let (dx, dy) = (apart(a.x0(), a.x1(), b.x0(), b.x1()), apart(a.y0(), a.y1(), b.y0(), b.y1()));
        let (x, y) = (i128::from(self.x), i128::from(self.y));
        !a.touches(b) && dx * dx * y * y + dy * dy * x * x >= x * x * y * y
    }
}

/// The room that icons are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Room {
    /// Most icons.
    pub icons: u32,
    /// Side of the square that holds the largest icon, px.
    pub side: i32,
    /// Width and height of a cell that holds the square (at its top, in the middle) and a caption, px.
    pub cell: [i32; 2],
    /// Largest gap.
    pub gap: Gap,
    /// Columns and rows of a lattice.
    pub lattice: Option<[u32; 2]>,
}

/// Middles of the squares, and the panel under them if the layout has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Places {
    /// One per icon; the target first.
    pub middles: Vec<Point>,
    /// A panel that the icons lie on.
    pub panel: Option<Rect>,
}

/// Distance of icons from the borders of the work area, px.
const MARGIN: i32 = 16;
/// Tries for the place of one icon.
const MAX_TRIES: u32 = 600;
/// Largest share of the room (in thousandths) that icons with their gaps may take when they are scattered: beyond it,
/// random places soon leave no room for the last ones.
const SCATTER_THOUSANDTHS: i64 = 400;

impl Room {
    fn square(&self, middle: Point) -> Rect {
        Rect::at(middle.x - self.side / 2, middle.y - self.side / 2, self.side, self.side)
    }

    fn cell(&self, middle: Point) -> Rect {
        Rect::at(middle.x - self.cell[0] / 2, middle.y - self.side / 2, self.cell[0], self.cell[1])
    }

    /// Where middles may lie.
    fn middles(&self, area: Rect) -> Option<Rect> {
        let (w, half) = (self.cell[0], self.side / 2);
        Rect::new(
            area.x0() + MARGIN + w / 2,
            area.y0() + MARGIN + half,
            area.x1() - MARGIN - (w - w / 2) + 1,
            area.y1() - MARGIN - (self.cell[1] - half) + 1,
        )
    }

    /// Columns, rows and pitch of the grid that leaves icons most apart.
    fn grid(&self, area: Rect) -> Option<([i32; 2], [i32; 2])> {
        let n = self.icons as i32;
        let (width, height) = (area.width() - 2 * MARGIN, area.height() - 2 * MARGIN);
        let options = (1..=n).map(|columns| {
            let rows = (n + columns - 1) / columns;
            ([columns, rows], [width / columns, height / rows])
        });
        let fits = options.filter(|(_, pitch)| pitch[0] >= self.cell[0] && pitch[1] >= self.cell[1]);
        fits.max_by_key(|([columns, rows], pitch)| ((pitch[0] - self.side).min(pitch[1] - self.side), -(columns * rows)))
    }

    /// Columns and rows of a block.
    fn block(&self) -> [i32; 2] {
        let n = self.icons as i32;
        let columns = (1..=n).find(|c| c * c >= n).unwrap_or(n);
        [columns, (n + columns - 1) / columns]
    }

    /// Groups, and columns and pitch within one.
    fn clusters(&self) -> (i32, i32, [i32; 2]) {
        let n = self.icons as i32;
        let groups = (n / 6).clamp(1, 6);
        let members = (n + groups - 1) / groups;
        let columns = (1..=members).find(|c| c * c >= members).unwrap_or(members);
        let jitter = self.cluster_jitter();
        (
            groups,
            columns,
            [self.cell[0].max(self.side + self.gap.x as i32) + jitter, self.cell[1].max(self.side + self.gap.y as i32) + jitter],
        )
    }

    fn cluster_jitter(&self) -> i32 {
        self.side / 3
    }
}

/// The gap that a layout has unless one is asked for, or why none fits. `wanted` is twice tau of the response classes.
pub(super) fn default_gap(layout: ProbeLayout, area: Rect, room: Room, wanted: Gap) -> Result<Gap, String> {
    let side = room.side;
    match layout {
        ProbeLayout::Scatter => {
            let shrunk = (1..=40).rev().map(|step| Gap { x: wanted.x * step / 40, y: wanted.y * step / 40 });
            shrunk.into_iter().find(|&gap| check(layout, area, Room { gap, ..room }).is_ok()).ok_or_else(|| too_many(room))
        }
        ProbeLayout::Grid | ProbeLayout::JitteredGrid => {
            let (_, pitch) = room.grid(area).ok_or_else(|| too_many(room))?;
            let part = if layout == ProbeLayout::Grid { 1 } else { 2 };
            let min_gap = |pitch: i32, wanted: u32| ((pitch - side) / part).clamp(0, wanted as i32) as u32;
            Ok(Gap { x: min_gap(pitch[0], wanted.x), y: min_gap(pitch[1], wanted.y) })
        }
        ProbeLayout::Lattice => {
            let pitch = lattice_pitch(area, room);
            let min_gap = |pitch: i32, wanted: u32| (2 * pitch - side).clamp(0, wanted as i32) as u32;
            Ok(Gap { x: min_gap(pitch[0], wanted.x), y: min_gap(pitch[1], wanted.y) })
        }
        ProbeLayout::Dock => Ok(Gap::px((side / 4).max(8) as u32)),
        ProbeLayout::Cluster => Ok(Gap::px((side / 3).max(12) as u32)),
        ProbeLayout::Block => Ok(Gap::px((side / 2).max(8) as u32)),
    }
}

fn too_many(room: Room) -> String {
    format!("{} icons of {} px do not fit on the screen", room.icons, room.side)
}

/// Whether the layout can hold the room's icons with its gap.
pub(super) fn check(layout: ProbeLayout, area: Rect, room: Room) -> Result<(), String> {
    let refuse = || Err(format!("{} with a gap of {}x{} px", too_many(room), room.gap.x, room.gap.y));
    let Some(middles) = room.middles(area) else { return refuse() };
    let (gx, gy) = (i64::from(room.gap.x), i64::from(room.gap.y));
    let needed = |size: i32, gap: i64| i64::from(size).max(i64::from(room.side) + gap);
    let fits = match layout {
        ProbeLayout::Scatter => {
            let each = needed(room.cell[0], gx) * needed(room.cell[1], gy);
            let room_px = (i64::from(area.width()) + gx) * (i64::from(area.height()) + gy);
            i64::from(room.icons) * each * 1000 <= room_px * SCATTER_THOUSANDTHS
        }
        ProbeLayout::Grid | ProbeLayout::JitteredGrid => room
            .grid(area)
            .is_some_and(|(_, pitch)| i64::from(pitch[0] - room.side) >= gx && i64::from(pitch[1] - room.side) >= gy),
        ProbeLayout::Lattice => {
            let pitch = lattice_pitch(area, room);
            let [columns, rows] = room.lattice.unwrap_or([1, 1]);
            pitch[0] >= room.cell[0] && pitch[1] >= room.cell[1]
                && i64::from(2 * pitch[0] - room.side) >= gx
                && i64::from(2 * pitch[1] - room.side) >= gy
                // Half of what a perfect arrangement holds.
                && room.icons <= columns.div_ceil(3) * rows.div_ceil(3) * 2 / 3
        }
        ProbeLayout::Dock => !dock_edges(area, room, room.icons as i32).is_empty(),
        ProbeLayout::Cluster => {
            let (groups, columns, pitch) = room.clusters();
            let block = i64::from(columns * pitch[0] + room.side) * i64::from(columns * pitch[1] + room.side);
            i64::from(groups) * block * 1000 <= area.area() as i64 * SCATTER_THOUSANDTHS
                && columns * pitch[0] <= middles.width()
                && columns * pitch[1] <= middles.height()
        }
        ProbeLayout::Block => {
            let [columns, rows] = room.block();
            i64::from(columns - 1) * needed(room.cell[0], gx) < i64::from(middles.width())
                && i64::from(rows - 1) * needed(room.cell[1], gy) < i64::from(middles.height())
        }
    };
    if fits { Ok(()) } else { refuse() }
}

/// Middles for `icons` icons, at most as many as the room is for. `gap` is the condition's own, `visit` the lattice
/// cell that the target visits. `None` if this key leaves no room for one of them.
pub(super) fn places(
    layout: ProbeLayout,
    area: Rect,
    room: Room,
    icons: usize,
    gap: Gap,
    visit: Option<[u32; 2]>,
    key: SampleKey,
) -> Option<Places> {
    let mut stream = key.stream(Decision::ProbeLayout, 0);
    let bare = |middles| Places { middles, panel: None };
    match layout {
        ProbeLayout::Scatter => scatter(area, room, icons, key).map(bare),
        ProbeLayout::Grid => grid(area, room, icons, Gap::px(0), &mut stream).map(bare),
        ProbeLayout::JitteredGrid => grid(area, room, icons, room.gap, &mut stream).map(bare),
        ProbeLayout::Dock => dock(area, room, icons, &mut stream),
        ProbeLayout::Cluster => cluster(area, room, icons, key).map(bare),
        ProbeLayout::Block => block(area, room, icons, gap, &mut stream).map(bare),
        ProbeLayout::Lattice => lattice(area, room, icons, visit, &mut stream).map(bare),
    }
}

fn scatter(area: Rect, room: Room, icons: usize, key: SampleKey) -> Option<Vec<Point>> {
    let within = room.middles(area)?;
    let mut middles: Vec<Point> = Vec::with_capacity(icons);
    for slot in 0..icons {
        let mut stream = key.stream(Decision::ProbePlace, slot as u64);
        let free = |middle: &Point| {
            let (square, cell) = (room.square(*middle), room.cell(*middle));
            middles.iter().all(|&other| room.gap.between(square, room.square(other)) && !cell.touches(room.cell(other)))
        };
        let found = (0..MAX_TRIES).map(|_| anywhere(within, &mut stream)).find(free)?;
        middles.push(found);
    }
    Some(middles)
}

fn anywhere(within: Rect, stream: &mut Stream) -> Point {
    let mut along = |a: i32, b: i32| stream.between(i64::from(a), i64::from(b) - 1) as i32;
    Point { x: along(within.x0(), within.x1()), y: along(within.y0(), within.y1()) }
}

/// Numbers below `count` in random order.
fn shuffled(count: i32, stream: &mut Stream) -> Vec<i32> {
    let mut order: Vec<i32> = (0..count).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, stream.below(at + 1));
    }
    order
}

/// On a grid; with a `kept` gap, anywhere in the cells as long as that much is left between any two.
fn grid(area: Rect, room: Room, icons: usize, kept: Gap, stream: &mut Stream) -> Option<Vec<Point>> {
    let ([columns, rows], pitch) = room.grid(area)?;
    let order = shuffled(columns * rows, stream);
    let left = [area.x0() + MARGIN + (area.width() - 2 * MARGIN - columns * pitch[0]) / 2, area.y0() + MARGIN];
    let slack = |pitch: i32, side: i32, cell: i32, kept: u32| ((pitch - (side + kept as i32).max(cell)) / 2).max(0);
    let (sx, sy) = (slack(pitch[0], room.side, room.cell[0], kept.x), slack(pitch[1], room.side, room.cell[1], kept.y));
    let jittered = kept.x > 0 || kept.y > 0;
    let middles = order.into_iter().take(icons).map(|at| {
        let cell = [at % columns, at / columns];
        let (mut dx, mut dy) = (0, 0);
        if jittered {
            dx = stream.between(i64::from(-sx), i64::from(sx)) as i32;
            dy = stream.between(i64::from(-sy), i64::from(sy)) as i32;
        }
        Point {
            x: left[0] + cell[0] * pitch[0] + pitch[0] / 2 + dx,
            y: left[1] + cell[1] * pitch[1] + (pitch[1] - room.cell[1]) / 2 + room.side / 2 + dy,
        }
    });
    Some(middles.collect())
}

/// An edge of the screen that a dock lies along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Bottom,
    Left,
    Right,
}

/// Distance of a dock's panel from its icons, px.
const DOCK_PADDING: i32 = 10;

fn dock_pitch(room: Room, edge: Edge) -> i32 {
    match edge {
        Edge::Bottom => room.cell[0].max(room.side + room.gap.x as i32),
        Edge::Left | Edge::Right => room.cell[1].max(room.side + room.gap.y as i32),
    }
}

fn dock_edges(area: Rect, room: Room, icons: i32) -> Vec<Edge> {
    let fits = |edge: &Edge| {
        let length = if *edge == Edge::Bottom { area.width() } else { area.height() };
        icons * dock_pitch(room, *edge) + 2 * (MARGIN + DOCK_PADDING) <= length
    };
    [Edge::Bottom, Edge::Left, Edge::Right].into_iter().filter(fits).collect()
}

fn dock(area: Rect, room: Room, icons: usize, stream: &mut Stream) -> Option<Places> {
    let edges = dock_edges(area, room, room.icons as i32);
    if edges.is_empty() {
        return None;
    }
    let edge = edges[stream.below(edges.len())];
    let order = shuffled(icons as i32, stream);
    let pitch = dock_pitch(room, edge);
    let half = room.side / 2;
    let along = |length: i32, cell: i32, at: i32| (length - icons as i32 * pitch) / 2 + at * pitch + (pitch - cell) / 2;
    let across = MARGIN + DOCK_PADDING;
    let middles: Vec<Point> = order
        .into_iter()
        .map(|at| match edge {
            Edge::Bottom => {
                let x = area.x0() + along(area.width(), room.cell[0], at) + room.cell[0] / 2;
                Point { x, y: area.y1() - across - room.cell[1] + half }
            }
            Edge::Left => {
                Point { x: area.x0() + across + room.cell[0] / 2, y: area.y0() + along(area.height(), room.cell[1], at) + half }
            }
            Edge::Right => {
                let x = area.x1() - across - (room.cell[0] - room.cell[0] / 2);
                Point { x, y: area.y0() + along(area.height(), room.cell[1], at) + half }
            }
        })
        .collect();
    let all = middles.iter().map(|&m| room.cell(m)).reduce(Rect::union)?;
    let panel = Rect::new(all.x0() - DOCK_PADDING, all.y0() - DOCK_PADDING, all.x1() + DOCK_PADDING, all.y1() + DOCK_PADDING);
    Some(Places { middles, panel })
}

fn cluster(area: Rect, room: Room, icons: usize, key: SampleKey) -> Option<Vec<Point>> {
    let within = room.middles(area)?;
    let (groups, columns, pitch) = room.clusters();
    let jitter = room.cluster_jitter();
    let reach = [(columns - 1) * pitch[0] + jitter, (columns - 1) * pitch[1] + jitter];
    let corners = Rect::new(within.x0(), within.y0(), within.x1() - reach[0], within.y1() - reach[1])?;
    let block = |corner: Point| Rect::at(corner.x, corner.y, reach[0] + room.cell[0], reach[1] + room.cell[1]);
    let apart = Gap::px((2 * room.side) as u32);
    let mut found: Vec<(Point, Vec<i32>)> = Vec::new();
    for group in 0..groups as u64 {
        let mut stream = key.stream(Decision::ProbePlace, group);
        let free = |corner: &Point| found.iter().all(|&(other, _)| apart.between(block(*corner), block(other)));
        let corner = (0..MAX_TRIES).map(|_| anywhere(corners, &mut stream)).find(free)?;
        found.push((corner, shuffled(columns * columns, &mut stream)));
    }
    let middles = (0..icons).map(|slot| {
        let (corner, order) = &found[slot % groups as usize];
        let at = order[slot / groups as usize];
        let mut stream = key.stream(Decision::ProbeLayout, 1 + slot as u64);
        let mut shift = || stream.between(0, i64::from(jitter)) as i32;
        Point { x: corner.x + at % columns * pitch[0] + shift(), y: corner.y + at / columns * pitch[1] + shift() }
    });
    Some(middles.collect())
}

fn block(area: Rect, room: Room, icons: usize, gap: Gap, stream: &mut Stream) -> Option<Vec<Point>> {
    let within = room.middles(area)?;
    let [columns, rows] = room.block();
    let order = shuffled(columns * rows, stream);
    let pitch = |gap: Gap| [room.cell[0].max(room.side + gap.x as i32), room.cell[1].max(room.side + gap.y as i32)];
    let (widest, own) = (pitch(room.gap), pitch(gap));
    let target = [order[0] % columns, order[0] / columns];
    // Where the target may lie so that the widest block about it stays on the screen; narrower ones then do too.
    let room_for_target = Rect::new(
        within.x0() + target[0] * widest[0],
        within.y0() + target[1] * widest[1],
        within.x1() - (columns - 1 - target[0]) * widest[0],
        within.y1() - (rows - 1 - target[1]) * widest[1],
    )?;
    let middle = anywhere(room_for_target, stream);
    let place =
        |at: i32| Point { x: middle.x + (at % columns - target[0]) * own[0], y: middle.y + (at / columns - target[1]) * own[1] };
    Some(order.into_iter().take(icons).map(place).collect())
}

fn lattice_pitch(area: Rect, room: Room) -> [i32; 2] {
    let [columns, rows] = room.lattice.unwrap_or([1, 1]);
    [area.width() / columns as i32, area.height() / rows as i32]
}

/// Icons on cells at least three apart (by the larger of the two axes). Where the target visits a cell beside a
/// distractor's, the two trade places; no cell is beside two of them, and the target's own place is beside none, so
/// gaps keep.
fn lattice(area: Rect, room: Room, icons: usize, visit: Option<[u32; 2]>, stream: &mut Stream) -> Option<Vec<Point>> {
    let [columns, rows] = room.lattice.unwrap_or([1, 1]).map(|n| n as i32);
    let pitch = lattice_pitch(area, room);
    let apart = |a: [i32; 2], b: [i32; 2]| (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
    let mut cells: Vec<[i32; 2]> = Vec::new();
    for at in shuffled(columns * rows, stream) {
        let cell = [at % columns, at / columns];
        if cells.len() < room.icons as usize && cells.iter().all(|&other| apart(cell, other) >= 3) {
            cells.push(cell);
        }
    }
    if cells.len() < icons {
        return None;
    }
    cells.truncate(icons);
    if let Some(visited) = visit.map(|v| v.map(|n| n as i32)) {
        let home = cells[0];
        if let Some(in_the_way) = (1..cells.len()).find(|&slot| apart(cells[slot], visited) <= 1) {
            cells[in_the_way] = home;
        }
        cells[0] = visited;
    }
    let place = |[column, row]: [i32; 2]| Point {
        x: area.x0() + column * pitch[0] + pitch[0] / 2,
        y: area.y0() + row * pitch[1] + (pitch[1] - room.cell[1]) / 2 + room.side / 2,
    };
    Some(cells.into_iter().map(place).collect())
}
