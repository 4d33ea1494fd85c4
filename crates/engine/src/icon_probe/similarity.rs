//! Which icons look alike, and which have names of like meaning.

use windesk_model::icon_probe::Tile;

use super::library::IconSet;
use super::raster::{IconAppearance, Rasteriser};

/// Icons most similar to each icon, most similar first, with a similarity in 0..=1.
pub(super) type Neighbours = Vec<Vec<(usize, f64)>>;

/// Side of the picture from which looks are compared, px.
const PICTURE_PX: u32 = 64;
/// Cells per side of the comparison.
const CELLS: usize = 12;
/// Channels of a cell: coverage, red, green, blue, and how strong edges of four directions are (each twice as
/// important).
const CHANNELS: usize = 8;
/// Neighbours kept per icon.
const MAX_NEIGHBOURS: usize = 40;

/// What an icon looks like: means over cells of its box, blurred.
type Appearance = [u8; CELLS * CELLS * CHANNELS];

/// Compares how all icons look: drawn, cut to their box and scaled to a small square, so that neither place nor size
/// nor margin counts. Similarity is 1 minus the mean difference of coverage, colour and edges. Icons in one colour are
/// compared in black.
pub(super) fn by_appearance(set: &IconSet) -> Neighbours {
    let looks: Vec<Appearance> = set.icons.iter().map(|icon| appearance(&icon.artwork, icon.one_colour)).collect();
    // Four plain channels and four that count twice.
    let max = 255.0 * (CELLS * CELLS * 12) as f64;
    let near = |at: usize| {
        let mut others: Vec<(u32, usize)> =
            (0..looks.len()).filter(|&other| other != at).map(|other| (difference(&looks[at], &looks[other]), other)).collect();
        others.sort_unstable();
        others.into_iter().take(MAX_NEIGHBOURS).map(|(difference, other)| (other, 1.0 - f64::from(difference) / max)).collect()
    };
    (0..looks.len()).map(near).collect()
}

fn difference(a: &Appearance, b: &Appearance) -> u32 {
    let weighted = |(at, (&a, &b)): (usize, (&u8, &u8))| u32::from(a.abs_diff(b)) * if at % CHANNELS < 4 { 1 } else { 2 };
    a.iter().zip(b).enumerate().map(weighted).sum()
}

fn appearance(artwork: &super::library::Artwork, one_colour: bool) -> Appearance {
    let look = IconAppearance { size_px: PICTURE_PX, tile: Tile::None, tile_rgb: [0; 3], tint: None, turn_deg: 0 };
    let sprite = Rasteriser::paint(artwork, one_colour, look);
    let mut cells = [0_u8; CELLS * CELLS * CHANNELS];
    let Some(bbox) = sprite.extent else { return cells };
    // As on white paper; alpha apart.
    let pixel = |x: i32, y: i32| {
        let [r, g, b, a] = sprite.rgba[(y * sprite.side + x) as usize];
        let on_white = |v: u8| 255 - (u32::from(255 - v) * u32::from(a) + 127) / 255;
        [u32::from(a), on_white(r), on_white(g), on_white(b)]
    };
    let edge = |at: usize, length: i32| at as i32 * length / CELLS as i32;
    let mut means = [[0_u32; 4]; CELLS * CELLS];
    for row in 0..CELLS {
        for column in 0..CELLS {
            let (x0, y0) = (bbox.x0() + edge(column, bbox.width()), bbox.y0() + edge(row, bbox.height()));
            let x1 = (bbox.x0() + edge(column + 1, bbox.width())).max(x0 + 1);
            let y1 = (bbox.y0() + edge(row + 1, bbox.height())).max(y0 + 1);
            let mut sum = [0; 4];
            for (x, y) in (y0..y1).flat_map(|y| (x0..x1).map(move |x| (x, y))) {
                for (total, value) in sum.iter_mut().zip(pixel(x, y)) {
                    *total += value;
                }
            }
            means[row * CELLS + column] = sum.map(|total| total / ((x1 - x0) * (y1 - y0)) as u32);
        }
    }
    let edges = edges(&sprite, bbox);
    for (at, (cell, edges)) in blurred(&means).iter().zip(blurred(&edges)).enumerate() {
        let [alpha, r, g, b] = cell.map(|v| v as u8);
        let [horizontal, vertical, rising, falling] = edges.map(|v| (v * 4).min(255) as u8);
        cells[at * CHANNELS..][..CHANNELS].copy_from_slice(&[alpha, r, g, b, horizontal, vertical, rising, falling]);
    }
    cells
}

/// How strong edges of four directions are in each cell of the box.
fn edges(sprite: &super::raster::Sprite, bbox: windesk_model::geometry::Rect) -> [[u32; 4]; CELLS * CELLS] {
    let light = |x: i32, y: i32| {
        let inside = (0..sprite.side).contains(&x) && (0..sprite.side).contains(&y);
        let [r, g, b, a] = if inside { sprite.rgba[(y * sprite.side + x) as usize] } else { [0; 4] };
        255 - (765 - i32::from(r) - i32::from(g) - i32::from(b)) * i32::from(a) / (3 * 255)
    };
    let mut sums = [[0_u32; 4]; CELLS * CELLS];
    let cell = |at: i32, length: i32| (at * CELLS as i32 / length) as usize;
    for y in bbox.y0()..bbox.y1() {
        for x in bbox.x0()..bbox.x1() {
            let (gx, gy) = (light(x + 1, y) - light(x - 1, y), light(x, y + 1) - light(x, y - 1));
            let (ax, ay) = (gx.unsigned_abs(), gy.unsigned_abs());
            // Half as steep is still upright or level; between lie the two slants.
            let direction = match (ay * 2 <= ax, ax * 2 <= ay, (gx > 0) == (gy > 0)) {
                (true, _, _) => 0,
                (_, true, _) => 1,
                (_, _, true) => 2,
                (_, _, false) => 3,
            };
            sums[cell(y - bbox.y0(), bbox.height()) * CELLS + cell(x - bbox.x0(), bbox.width())][direction] += ax + ay;
        }
    }
    let per_cell = (bbox.area() as u32 / (CELLS * CELLS) as u32).max(1);
    sums.map(|cell| cell.map(|sum| sum / per_cell))
}

/// Means over 3x3 cells, so that a stroke one cell aside still counts as near.
fn blurred(cells: &[[u32; 4]; CELLS * CELLS]) -> [[u32; 4]; CELLS * CELLS] {
    std::array::from_fn(|at| {
        let [column, row] = [at % CELLS, at / CELLS];
        let (mut sum, mut count) = ([0; 4], 0);
        for y in row.saturating_sub(1)..=(row + 1).min(CELLS - 1) {
            for x in column.saturating_sub(1)..=(column + 1).min(CELLS - 1) {
                for (total, value) in sum.iter_mut().zip(cells[y * CELLS + x]) {
                    *total += value;
                }
                count += 1;
            }
        }
        sum.map(|total| total / count)
    })
}
