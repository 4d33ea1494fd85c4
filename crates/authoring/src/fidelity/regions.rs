//! Where two pictures differ: neighbouring cells with differences, and crops of them.

use serde::Serialize;

use windesk_engine::render::Frame;
use windesk_model::geometry::{Rect, Size};

/// A part of the screen with differences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Region {
    /// The box around the differing pixels.
    pub rect: Rect,
    /// Pixels that differ by more than two levels in a channel.
    pub differing_px: u64,
    /// The largest difference of a channel.
    pub largest: u8,
}

/// Side of a cell, px: differences in touching cells belong together.
const CELL: usize = 16;
/// Differences up to this are rounding.
const ROUNDING: u8 = 2;

/// The regions with the most differing pixels, at most `most`. Pixels in `moving` count for nothing.
pub fn regions(real: &Frame, made: &Frame, moving: Option<Rect>, most: usize) -> Vec<Region> {
    let width = real.size.width as usize;
    let (columns, rows) = (width.div_ceil(CELL), (real.size.height as usize).div_ceil(CELL));
    let mut cells: Vec<Option<Region>> = vec![None; columns * rows];
    let pairs = real.rgb.as_chunks::<3>().0.iter().zip(made.rgb.as_chunks::<3>().0);
    for (at, (a, b)) in pairs.enumerate() {
        let difference = (0..3).map(|channel| a[channel].abs_diff(b[channel])).max().expect("three channels");
        if difference <= ROUNDING {
            continue;
        }
        let (x, y) = (at % width, at / width);
        let pixel = Rect::at(x as i32, y as i32, 1, 1);
        if moving.is_some_and(|moving| moving.covers(pixel)) {
            continue;
        }
        let own = Region { rect: pixel, differing_px: 1, largest: difference };
        let cell = &mut cells[y / CELL * columns + x / CELL];
        *cell = Some(cell.take().map_or(own.clone(), |known| known.joined(&own)));
    }
    let mut found = Vec::new();
    for start in 0..cells.len() {
        let Some(mut region) = cells[start].take() else { continue };
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            let (column, row) = (at % columns, at / columns);
            for y in row.saturating_sub(1)..=(row + 1).min(rows - 1) {
                for x in column.saturating_sub(1)..=(column + 1).min(columns - 1) {
                    if let Some(next) = cells[y * columns + x].take() {
                        region = region.joined(&next);
                        open.push(y * columns + x);
                    }
                }
            }
        }
        found.push(region);
    }
    found.sort_by_key(|region| (std::cmp::Reverse(region.differing_px), region.rect.y0(), region.rect.x0()));
    found.truncate(most);
    found
}

impl Region {
    fn joined(&self, other: &Self) -> Self {
        Self {
            rect: self.rect.union(other.rect),
            differing_px: self.differing_px + other.differing_px,
            largest: self.largest.max(other.largest),
        }
    }
}

/// Room around a region in a crop, and between the parts of one, px.
const MARGIN: i32 = 24;
/// The largest side of a part, px.
const LARGEST_CROP: i32 = 480;
/// How much differences are brightened.
const GAIN: u32 = 8;

/// A region in the real picture, the same in the made one, and their difference brightened eightfold, side by side.
pub fn crop_pair(real: &Frame, made: &Frame, region: &Region) -> Frame {
    let r = region.rect;
    let grown = Rect::at(r.x0() - MARGIN, r.y0() - MARGIN, r.width() + 2 * MARGIN, r.height() + 2 * MARGIN);
    let part = grown.intersection(real.size.rect()).expect("regions lie on the screen");
    let part = Rect::at(part.x0(), part.y0(), part.width().min(LARGEST_CROP), part.height().min(LARGEST_CROP));
    let (width, height) = (part.width() as usize, part.height() as usize);
    let gap = 4;
    let size = Size { width: (width * 3 + gap * 2) as u32, height: height as u32 };
    let mut rgb = Vec::with_capacity(size.width as usize * height * 3);
    for y in part.y0()..part.y1() {
        let at = (y * real.size.width as i32 + part.x0()) as usize * 3;
        let (a, b) = (&real.rgb[at..at + width * 3], &made.rgb[at..at + width * 3]);
        rgb.extend_from_slice(a);
        rgb.extend(std::iter::repeat_n(255, gap * 3));
        rgb.extend_from_slice(b);
        rgb.extend(std::iter::repeat_n(255, gap * 3));
        rgb.extend(a.iter().zip(b).map(|(&a, &b)| (u32::from(a.abs_diff(b)) * GAIN).min(255) as u8));
    }
    Frame { size, rgb }
}
