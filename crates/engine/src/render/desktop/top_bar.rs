//! Paints top bar and dock as GNOME has them.

use windesk_model::Error;
use windesk_model::desktop::{Chrome, Part, TaskbarItem};
use windesk_model::geometry::Rect;

use super::Ink;
use super::brush::fill;
use crate::render::{Frame, Renderer};

/// The bar and what stands on it, whether the session is light or dark.
const BAR: [u8; 3] = [19, 19, 19];
const ON_BAR: [u8; 3] = [242, 242, 242];
const CLOCK: Ink = Ink { size_px: 14, weight: 700, colour: ON_BAR };
/// Side of a symbol of the tray, px.
pub(super) const SYMBOL_PX: u32 = 18;
/// Width, height and distance of the pill for the workspace that is shown, and of the dot for the next one, px.
const PILL: (i32, i32) = (30, 8);
const DOT_PX: i32 = 8;
const PILL_GAP_PX: i32 = 8;

/// Side of a program's icon, px.
pub(super) const ICON_PX: u32 = 46;
/// Marks of running programs.
const MARK: [u8; 3] = [233, 84, 32];
/// Side of a mark, px.
const MARK_PX: i32 = 5;
/// Side of the grid of dots at the end of the dock, px.
pub(super) const APPS_PX: u32 = 44;
/// Most marks under one icon.
const MAX_MARKS: u32 = 3;

/// Colours of a dock.
struct Palette {
    ground: ([u8; 3], u8),
    edge: ([u8; 3], u8),
    active: ([u8; 3], u8),
    dots: [u8; 3],
}

const LIGHT: Palette =
    Palette { ground: ([242, 242, 243], 214), edge: ([0, 0, 0], 26), active: ([0, 0, 0], 28), dots: [61, 61, 61] };
const DARK: Palette =
    Palette { ground: ([38, 38, 40], 214), edge: ([255, 255, 255], 22), active: ([255, 255, 255], 34), dots: [238, 238, 238] };

impl Renderer<'_> {
    pub(super) fn paint_on_top_bar(&self, chrome: &Chrome, part: Part, bbox: Rect, frame: &mut Frame) -> Result<(), Error> {
        let palette = if chrome.dark { &DARK } else { &LIGHT };
        match part {
            Part::Bar => fill(frame, bbox, BAR),
            Part::Workspaces => {
                let (wide, y) = (PILL.0 + PILL_GAP_PX + DOT_PX, bbox.y0() + (bbox.height() - PILL.1) / 2);
                let x = bbox.x0() + (bbox.width() - wide) / 2;
                self.fill_rounded(frame, Rect::at(x, y, PILL.0, PILL.1), 4.0, ON_BAR);
                self.stamp_rounded(frame, Rect::at(x + PILL.0 + PILL_GAP_PX, y, DOT_PX, DOT_PX), 4.0, ON_BAR, 120);
            }
            Part::Clock => self.paint_line(chrome, &format!("{}  {}", chrome.date, chrome.time), CLOCK, bbox, frame)?,
            Part::Tray(symbol) => self.paint_icon(symbol.icon, SYMBOL_PX, bbox, Some(ON_BAR), frame)?,
            Part::Dock => {
                let inside = Rect::at(bbox.x0() + 1, bbox.y0() + 1, bbox.width() - 2, bbox.height() - 2);
                self.stamp_rounded(frame, bbox, 18.0, palette.edge.0, palette.edge.1);
                self.stamp_rounded(frame, inside, 17.0, palette.ground.0, palette.ground.1);
            }
            Part::Item(item) => {
                if item.active {
                    self.stamp_rounded(frame, bbox, 12.0, palette.active.0, palette.active.1);
                }
                self.paint_icon(&item.icon, ICON_PX, bbox, None, frame)?;
                self.paint_marks(item, bbox, frame);
            }
            Part::Plain(button) => self.paint_icon(button.icon, APPS_PX, bbox, Some(palette.dots), frame)?,
            Part::Leading(_) | Part::Icon(_) => {}
        }
        Ok(())
    }

    /// A dot for each window of a program, minimised ones included.
    fn paint_marks(&self, item: &TaskbarItem, bbox: Rect, frame: &mut Frame) {
        let marks = item.windows.saturating_add(item.minimised).min(MAX_MARKS) as i32;
        let step = MARK_PX + 3;
        let mut x = bbox.x0() + (bbox.width() - (marks * step - 3)) / 2;
        for _ in 0..marks {
            self.fill_rounded(frame, Rect::at(x, bbox.y1(), MARK_PX, MARK_PX), MARK_PX as f32 / 2.0, MARK);
            x += step;
        }
    }
}
