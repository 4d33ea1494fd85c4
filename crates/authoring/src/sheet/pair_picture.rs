//! Pages of pairs: two elements side by side, each in its window with a box around it, and its words above.

use image::RgbImage;
use image::imageops::{FilterType, resize};
use imageproc::drawing::draw_hollow_rect_mut;

use windesk_engine::pack::{Focus, Pack};
use windesk_engine::render::{Encoder, Frame, ImageFormat, Style, TextEngine};
use windesk_model::Error;
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::index::WindowIndex;

/// Pairs on a page.
pub(super) const PAIRS_PER_PAGE: usize = 5;
/// What is shown of a window, px of the page.
const VIEW: Size = Size { width: 620, height: 210 };
/// Least room around an element inside its view, px of the window.
const AROUND: i32 = 24;
/// Room above a view for its words, and between things, px.
const WORDS: i32 = 62;
const GAP: i32 = 12;
/// Room for a pair's number at the left, px.
const NUMBER: i32 = 52;
const PAPER: [u8; 3] = [255, 255, 255];
const GROUND: [u8; 3] = [158, 162, 166];
const INK: [u8; 3] = [20, 20, 20];
const BOX: [u8; 3] = [214, 0, 40];
const INSTRUCTION: Style = Style { size_px: 15, weight: 700, width_px: VIEW.width, lines: 2, centred: true };
const WHAT: Style = Style { size_px: 13, weight: 400, width_px: VIEW.width, lines: 1, centred: true };
const DIGITS: Style = Style { size_px: 18, weight: 700, width_px: NUMBER as u32, lines: 1, centred: true };

/// One element of a pair.
pub(super) struct Side<'a> {
    pub(super) window: WindowIndex,
    /// Px of the capture's picture.
    pub(super) bbox: Rect,
    pub(super) instruction: &'a str,
    /// Role and program.
    pub(super) what: String,
    /// Which of the window's looks is shown.
    pub(super) focus: Focus,
}

/// Draws pages of one pack.
pub(super) struct PairPen<'p> {
    pack: &'p Pack,
    text: TextEngine,
}

impl<'p> PairPen<'p> {
    pub(super) fn new(pack: &'p Pack) -> Result<Self, Error> {
        Ok(Self { pack, text: TextEngine::new(pack)? })
    }

    /// Rows from top to bottom, each with what stands before it and one or two elements, as PNG.
    pub(super) fn page(&mut self, rows: &[(String, Vec<Side<'_>>)]) -> Result<Vec<u8>, Error> {
        let (view_width, row_height) = (VIEW.width as i32, WORDS + VIEW.height as i32 + GAP);
        let size =
            Size { width: (NUMBER + 2 * (view_width + GAP)) as u32, height: (row_height * rows.len() as i32 + GAP) as u32 };
        let mut page = Frame { size, rgb: PAPER.repeat(size.width as usize * size.height as usize) };
        for (row, (number, sides)) in rows.iter().enumerate() {
            let top = GAP + row as i32 * row_height;
            let middle = top + WORDS + VIEW.height as i32 / 2;
            self.text.caption(number, DIGITS)?.paint(&mut page, Point { x: 0, y: middle }, INK, 255);
            for (column, side) in sides.iter().enumerate() {
                let left = NUMBER + column as i32 * (view_width + GAP);
                let words = self.text.caption(side.instruction, INSTRUCTION)?;
                words.paint(&mut page, Point { x: left, y: top }, INK, 255);
                let what = self.text.caption(&side.what, WHAT)?;
                what.paint(&mut page, Point { x: left, y: top + WORDS - 18 }, INK, 255);
                let view = self.view(side)?;
                for (nth, pixel) in view.as_raw().as_chunks::<3>().0.iter().enumerate() {
                    let (x, y) = (nth as i32 % view_width, nth as i32 / view_width);
                    page.blend(left + x, top + WORDS + y, *pixel, 255);
                }
            }
        }
        Ok(ImageFormat::Png.encode(&page))
    }

    /// The part of a window around an element, with a box around it; smaller if the element needs it.
    fn view(&self, side: &Side<'_>) -> Result<RgbImage, Error> {
        let extent = self.pack.windows[side.window].extent();
        let (part, times) = part_shown(side.bbox, extent);
        let mut frame = Frame {
            size: Size { width: part.width() as u32, height: part.height() as u32 },
            rgb: GROUND.repeat(part.width() as usize * part.height() as usize),
        };
        let rgba = self.pack.rgba_of(side.window, side.focus, part)?;
        for (nth, pixel) in rgba.as_chunks::<4>().0.iter().enumerate() {
            let [r, g, b, alpha] = *pixel;
            frame.blend(nth as i32 % part.width(), nth as i32 / part.width(), [r, g, b], alpha);
        }
        let mut view = RgbImage::from_raw(frame.size.width, frame.size.height, frame.rgb).expect("three bytes per pixel");
        let bbox = side.bbox.moved(Point { x: -part.x0(), y: -part.y0() });
        for wider in 1..=2 * times {
            let size = (bbox.width() + 2 * wider, bbox.height() + 2 * wider);
            let around = imageproc::rect::Rect::at(bbox.x0() - wider, bbox.y0() - wider).of_size(size.0 as u32, size.1 as u32);
            draw_hollow_rect_mut(&mut view, around, image::Rgb(BOX));
        }
        Ok(if times == 1 { view } else { resize(&view, VIEW.width, VIEW.height, FilterType::Triangle) })
    }
}

/// The part of a window's picture that shows an element, and how many times as large as the view it is. It stays inside
/// the window where that is large enough.
fn part_shown(bbox: Rect, extent: Rect) -> (Rect, i32) {
    let (width, height) = (VIEW.width as i32, VIEW.height as i32);
    let needed = |side: i32, view: i32| (side + 2 * AROUND + view - 1) / view;
    let times = needed(bbox.width(), width).max(needed(bbox.height(), height)).max(1);
    let (width, height) = (width * times, height * times);
    let along = |middle: i32, length: i32, low: i32, high: i32| (middle - length / 2).clamp(low, (high - length).max(low));
    let middle = bbox.centre();
    let x = along(middle.x, width, extent.x0(), extent.x1());
    let y = along(middle.y, height, extent.y0(), extent.y1());
    (Rect::at(x, y, width, height), times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_is_always_shown_whole() {
        let extent = Rect::at(30, 20, 1000, 700);
        for bbox in
            [Rect::at(30, 20, 16, 16), Rect::at(1014, 704, 16, 16), Rect::at(30, 300, 1000, 24), Rect::at(500, 20, 40, 700)]
        {
            let (part, times) = part_shown(bbox, extent);
            assert!(part.covers(bbox), "{bbox:?} in {part:?}");
            assert_eq!((part.width(), part.height()), (VIEW.width as i32 * times, VIEW.height as i32 * times));
            assert_eq!(times == 1, bbox.area() < 1000, "{bbox:?}");
        }
    }
}
