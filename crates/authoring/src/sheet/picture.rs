//! The picture of a sheet: a window on a neutral ground with thin numbered boxes, numbers beside their boxes where
//! nothing is lost.

use image::RgbImage;
use imageproc::drawing::{draw_hollow_rect_mut, draw_line_segment_mut};

use windesk_engine::pack::{Focus, Pack, Window};
use windesk_engine::render::{Encoder, Frame, ImageFormat, Style, TextEngine};
use windesk_model::Error;
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::index::WindowIndex;

/// Longest side of a picture, px: what readers see without losing small labels. Larger windows are split.
const MAX_SIDE: i32 = 1568;
/// What two parts of a split window share, px.
const OVERLAP: i32 = 160;
/// Ground around the window, px: room for numbers.
const MARGIN: i32 = 48;
const GROUND: [u8; 3] = [158, 162, 166];
/// Colours of boxes in turn, dark enough for white digits.
const COLOURS: [[u8; 3]; 6] = [[204, 0, 51], [0, 84, 209], [0, 122, 51], [163, 0, 163], [168, 84, 0], [0, 112, 122]];
const WHITE: [u8; 3] = [255, 255, 255];
/// Digits, and the plate around them, px.
const DIGITS: Style = Style { size_px: 13, weight: 700, width_px: 64, lines: 1, centred: true };
const PLATE_HEIGHT: i32 = 15;
const PLATE_PADDING: i32 = 3;
/// How far a plate may lie from its box, px; from the second on, a line joins the two.
const DISTANCES: [i32; 4] = [2, 16, 34, 58];

/// A numbered box, px of the capture's picture.
pub(super) struct Mark {
    pub(super) number: usize,
    pub(super) bbox: Rect,
}

/// Draws sheets of one pack.
pub(super) struct Pen<'p> {
    pack: &'p Pack,
    text: TextEngine,
}

impl<'p> Pen<'p> {
    pub(super) fn new(pack: &'p Pack) -> Result<Self, Error> {
        if pack.fonts.is_empty() {
            return Err(Error::file(pack.files().full_name("fonts/fonts.json"), "no font", "a font for the numbers"));
        }
        Ok(Self { pack, text: TextEngine::new(pack)? })
    }

    /// The pictures of a window's sheet as PNG: one, or several that overlap for a window larger than [`MAX_SIDE`].
    pub(super) fn paint(&mut self, window: WindowIndex, marks: &[Mark]) -> Result<Vec<Vec<u8>>, Error> {
        let record = &self.pack.windows[window];
        let extent = record.extent();
        let mut frame = self.ground(window, extent)?;
        let to_sheet = Point { x: MARGIN - extent.x0(), y: MARGIN - extent.y0() };
        let boxes: Vec<Rect> = marks.iter().map(|mark| mark.bbox.moved(to_sheet)).collect();
        let widths = marks.iter().map(|mark| self.plate_width(mark.number)).collect::<Result<Vec<i32>, Error>>()?;
        let plates = Plates::new(&frame, record, to_sheet, &boxes).place(&widths);
        let order: Vec<usize> = reading_order(&boxes);
        for (turn, &at) in order.iter().enumerate() {
            outline(&mut frame, boxes[at], plates[at], COLOURS[turn % COLOURS.len()]);
        }
        for (turn, &at) in order.iter().enumerate() {
            self.plate(&mut frame, marks[at].number, plates[at], COLOURS[turn % COLOURS.len()])?;
        }
        Ok(parts(frame.size).into_iter().map(|part| ImageFormat::Png.encode(&cut(&frame, part))).collect())
    }

    /// The window with its shadow over the ground.
    fn ground(&self, window: WindowIndex, extent: Rect) -> Result<Frame, Error> {
        let (width, height) = (extent.width() + 2 * MARGIN, extent.height() + 2 * MARGIN);
        let mut frame = Frame {
            size: Size { width: width as u32, height: height as u32 },
            rgb: GROUND.repeat(width as usize * height as usize),
        };
        let picture = self.pack.windows[window].size.rect();
        let around = Rect::new(extent.x0() - MARGIN, extent.y0() - MARGIN, extent.x1() + MARGIN, extent.y1() + MARGIN);
        let part = around.and_then(|around| around.intersection(picture)).unwrap_or(extent);
        let rgba = self.pack.rgba_of(window, Focus::Active, part)?;
        for (nth, pixel) in rgba.as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = (nth as i32 % part.width(), nth as i32 / part.width());
            let [r, g, b, alpha] = *pixel;
            frame.blend(part.x0() - extent.x0() + MARGIN + x, part.y0() - extent.y0() + MARGIN + y, [r, g, b], alpha);
        }
        Ok(frame)
    }

    fn plate_width(&mut self, number: usize) -> Result<i32, Error> {
        let digits = self.text.caption(&number.to_string(), DIGITS)?.bbox(Point::default());
        Ok(digits.map_or(PLATE_HEIGHT, Rect::width) + 2 * PLATE_PADDING)
    }

    fn plate(&mut self, frame: &mut Frame, number: usize, plate: Rect, colour: [u8; 3]) -> Result<(), Error> {
        for (x, y) in (plate.y0()..plate.y1()).flat_map(|y| (plate.x0()..plate.x1()).map(move |x| (x, y))) {
            frame.blend(x, y, colour, 255);
        }
        let caption = self.text.caption(&number.to_string(), DIGITS)?;
        if let Some(ink) = caption.bbox(Point::default()) {
            let x = plate.x0() + (plate.width() - ink.width()) / 2 - ink.x0();
            let y = plate.y0() + (plate.height() - ink.height()) / 2 - ink.y0();
            caption.paint(frame, Point { x, y }, WHITE, 255);
        }
        Ok(())
    }
}

/// Indices sorted from top to bottom, then from left to right.
pub(super) fn reading_order(boxes: &[Rect]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by_key(|&at| (boxes[at].y0(), boxes[at].x0(), at));
    order
}

/// One pixel wide around the box and what it holds, with a lighter line outside it, and a line to its plate if that
/// lies apart.
fn outline(frame: &mut Frame, bbox: Rect, plate: Rect, colour: [u8; 3]) {
    let mut picture =
        RgbImage::from_raw(frame.size.width, frame.size.height, std::mem::take(&mut frame.rgb)).expect("three bytes per pixel");
    let around =
        imageproc::rect::Rect::at(bbox.x0() - 1, bbox.y0() - 1).of_size(bbox.width() as u32 + 2, bbox.height() as u32 + 2);
    draw_hollow_rect_mut(&mut picture, around, image::Rgb(colour));
    if let Some((from, to)) = leader(plate, bbox) {
        draw_line_segment_mut(&mut picture, (from.x as f32, from.y as f32), (to.x as f32, to.y as f32), image::Rgb(colour));
    }
    frame.rgb = picture.into_raw();
}

/// The line from a plate to the nearest pixel of its box, if they lie apart.
fn leader(plate: Rect, bbox: Rect) -> Option<(Point, Point)> {
    let middle = plate.centre();
    let end = Point { x: middle.x.clamp(bbox.x0(), bbox.x1() - 1), y: middle.y.clamp(bbox.y0(), bbox.y1() - 1) };
    let apart = (end.x - middle.x).abs() > plate.width() || (end.y - middle.y).abs() > PLATE_HEIGHT;
    apart.then_some((middle, end))
}

/// Finds places for plates where they hide the least.
struct Plates<'a> {
    size: Rect,
    /// Sums of contrast over the rectangle above and to the left of a pixel.
    ink: Vec<u64>,
    /// What should stay in sight: boxes of other elements.
    contents: Vec<Rect>,
    boxes: &'a [Rect],
}

impl<'a> Plates<'a> {
    fn new(frame: &Frame, window: &Window, to_sheet: Point, boxes: &'a [Rect]) -> Self {
        let (width, height) = (frame.size.width as usize, frame.size.height as usize);
        let brightness = |x: usize, y: usize| {
            let at = (y * width + x) * 3;
            frame.rgb[at..at + 3].iter().map(|&v| i32::from(v)).sum::<i32>() / 3
        };
        let mut ink = vec![0; (width + 1) * (height + 1)];
        for y in 0..height {
            let mut row = 0;
            for x in 0..width {
                let here = brightness(x, y);
                let right = if x + 1 < width { (brightness(x + 1, y) - here).unsigned_abs() } else { 0 };
                let below = if y + 1 < height { (brightness(x, y + 1) - here).unsigned_abs() } else { 0 };
                row += u64::from(right + below);
                ink[(y + 1) * (width + 1) + x + 1] = ink[y * (width + 1) + x + 1] + row;
            }
        }
        let small = window.frame.area() / 6;
        let contents = window.elements.iter().map(|e| e.bbox).filter(|b| b.area() < small).map(|b| b.moved(to_sheet)).collect();
        Self { size: frame.size.rect(), ink, contents, boxes }
    }

    fn ink_in(&self, rect: Rect) -> u64 {
        let at = |x: i32, y: i32| self.ink[y as usize * (self.size.width() as usize + 1) + x as usize];
        at(rect.x1(), rect.y1()) + at(rect.x0(), rect.y0()) - at(rect.x0(), rect.y1()) - at(rect.x1(), rect.y0())
    }

    /// A plate for each box. Boxes with little room around them choose first.
    fn place(&self, widths: &[i32]) -> Vec<Rect> {
        let mut order: Vec<usize> = (0..self.boxes.len()).collect();
        order.sort_by_key(|&at| (self.boxes[at].area(), at));
        let mut placed: Vec<Option<Rect>> = vec![None; self.boxes.len()];
        for at in order {
            let cost = |plate: &Rect| self.cost(*plate, at, &placed);
            placed[at] = self.options(self.boxes[at], widths[at]).into_iter().min_by_key(cost);
        }
        placed.into_iter().map(|plate| plate.unwrap_or_else(|| Rect::at(0, 0, PLATE_HEIGHT, PLATE_HEIGHT))).collect()
    }

    /// Places around a box, and inside it at its ends, that lie on the sheet.
    fn options(&self, bbox: Rect, width: i32) -> Vec<Rect> {
        let (middle, height) = (bbox.centre(), PLATE_HEIGHT);
        let mut corners = vec![
            (bbox.x1() - width - 2, middle.y - height / 2),
            (bbox.x0() + 2, middle.y - height / 2),
            (bbox.x1() - width, bbox.y0()),
            (bbox.x0(), bbox.y0()),
            (bbox.x1() - width, bbox.y1() - height),
            (bbox.x0(), bbox.y1() - height),
        ];
        for far in DISTANCES {
            let (left, right) = (bbox.x0() - far - width, bbox.x1() + far);
            let (above, below) = (bbox.y0() - far - height, bbox.y1() + far);
            for y in [middle.y - height / 2, bbox.y0(), bbox.y1() - height] {
                corners.extend([(left, y), (right, y)]);
            }
            for x in [middle.x - width / 2, bbox.x0(), bbox.x1() - width] {
                corners.extend([(x, above), (x, below)]);
            }
            corners.extend([(left, above), (right, above), (left, below), (right, below)]);
        }
        let plates = corners.into_iter().map(|(x, y)| Rect::at(x, y, width, height));
        plates.filter(|plate| self.size.covers(*plate)).collect()
    }

    /// What a place would hide, in units of contrast; overlapping plates cost most.
    fn cost(&self, plate: Rect, own: usize, placed: &[Option<Rect>]) -> u64 {
        const DISTANCE_COST: u64 = 30;
        let shared = |other: Rect| plate.intersection(other).map_or(0, Rect::area);
        let plates: u64 = placed.iter().flatten().map(|&other| shared(other)).sum();
        let others = self.boxes.iter().enumerate().filter(|&(at, _)| at != own);
        // A plate inside a larger box that holds its own box is no mistake; one inside a neighbour's box is.
        let boxes: u64 = others.filter(|(_, other)| !other.covers(self.boxes[own])).map(|(_, &other)| shared(other)).sum();
        let contents: u64 = self.contents.iter().filter(|b| !b.covers(self.boxes[own])).map(|&b| shared(b)).sum();
        let bbox = self.boxes[own];
        let gap = |low: i32, high: i32, plate_low: i32, plate_high: i32| (low - plate_high).max(plate_low - high).max(0) as u64;
        let distance = gap(bbox.x0(), bbox.x1(), plate.x0(), plate.x1()) + gap(bbox.y0(), bbox.y1(), plate.y0(), plate.y1());
        // A line through other things is nearly as bad as a plate on them.
        let line = leader(plate, bbox).map_or(0, |(from, to)| {
            let way = Rect::new(from.x.min(to.x), from.y.min(to.y), from.x.max(to.x) + 1, from.y.max(to.y) + 1);
            way.and_then(|way| way.intersection(self.size)).map_or(0, |way| {
                let crossed = self.contents.iter().filter(|b| way.touches(**b) && !b.covers(bbox) && !bbox.covers(**b)).count();
                crossed as u64 * 1500
            })
        });
        let inside = if bbox.covers(plate) { plate.area() * 2 } else { 0 };
        plates * 4000 + line + boxes * 45 + contents * 12 + inside + self.ink_in(plate) + distance * DISTANCE_COST
    }
}

/// Parts of a picture that are at most [`MAX_SIDE`] wide and high and overlap, from top left to bottom right.
fn parts(size: Size) -> Vec<Rect> {
    let along = |length: i32| -> Vec<(i32, i32)> {
        let part = length.min(MAX_SIDE);
        let steps = if length <= MAX_SIDE { 0 } else { (length - MAX_SIDE).div_euclid(MAX_SIDE - OVERLAP) + 1 };
        (0..=steps).map(|step| if steps == 0 { 0 } else { (length - part) * step / steps }).map(|at| (at, part)).collect()
    };
    let (columns, rows) = (along(size.width as i32), along(size.height as i32));
    rows.iter().flat_map(|&(y, height)| columns.iter().map(move |&(x, width)| Rect::at(x, y, width, height))).collect()
}

fn cut(frame: &Frame, part: Rect) -> Frame {
    let row_bytes = frame.size.width as usize * 3;
    let columns = part.x0() as usize * 3..part.x1() as usize * 3;
    let rows = frame.rgb.chunks_exact(row_bytes).skip(part.y0() as usize).take(part.height() as usize);
    let rgb = rows.flat_map(|row| row[columns.clone()].iter().copied()).collect();
    Frame { size: Size { width: part.width() as u32, height: part.height() as u32 }, rgb }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_a_large_picture_and_overlap() {
        for (width, height) in [(900, 600), (1568, 1568), (1569, 700), (2656, 1536), (5000, 3300)] {
            let parts = parts(Size { width, height });
            assert!(parts.iter().all(|p| p.width() <= MAX_SIDE && p.height() <= MAX_SIDE), "{width}x{height}");
            assert_eq!(parts.iter().copied().reduce(Rect::union), Some(Rect::at(0, 0, width as i32, height as i32)));
            for pair in parts.windows(2).filter(|pair| pair[0].y0() == pair[1].y0()) {
                assert!(pair[0].x1() - pair[1].x0() >= OVERLAP, "{width}x{height}: {pair:?}");
            }
        }
    }
}
