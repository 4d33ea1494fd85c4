//! Paints a taskbar as Windows 11 has it.

use windesk_model::Error;
use windesk_model::desktop::{Chrome, Part};
use windesk_model::geometry::{Point, Rect};

use super::brush::fill;
use crate::render::text::Style;
use crate::render::{Frame, Renderer};

/// Colours of a taskbar.
struct Palette {
    bar: [u8; 3],
    edge: [u8; 3],
    button: [u8; 3],
    mark: [u8; 3],
    idle_mark: [u8; 3],
    text: [u8; 3],
}

const LIGHT: Palette = Palette {
    bar: [238, 241, 246],
    edge: [214, 218, 226],
    button: [255, 255, 255],
    mark: [0, 103, 192],
    idle_mark: [134, 140, 150],
    text: [27, 27, 31],
};
const DARK: Palette = Palette {
    bar: [28, 31, 38],
    edge: [52, 56, 66],
    button: [52, 57, 68],
    mark: [96, 187, 255],
    idle_mark: [150, 155, 165],
    text: [243, 244, 247],
};

/// Side of an icon, px.
pub(super) const ICON_PX: u32 = 28;
/// Side of a symbol of the tray, px.
pub(super) const SYMBOL_PX: u32 = 18;

impl Renderer<'_> {
    pub(super) fn paint_on_taskbar(&self, chrome: &Chrome, part: Part, bbox: Rect, frame: &mut Frame) -> Result<(), Error> {
        let palette = if chrome.dark { &DARK } else { &LIGHT };
        match part {
            Part::Bar => {
                fill(frame, bbox, palette.bar);
                fill(frame, Rect::at(bbox.x0(), bbox.y0(), bbox.width(), 1), palette.edge);
            }
            Part::Leading(button) => self.paint_icon(button.icon, ICON_PX, bbox, None, frame)?,
            Part::Plain(button) => self.paint_icon(button.icon, ICON_PX, bbox, Some(palette.text), frame)?,
            Part::Item(item) => {
                if item.active {
                    self.fill_rounded(frame, bbox, 6.0, palette.button);
                }
                self.paint_icon(&item.icon, ICON_PX, bbox, None, frame)?;
                if item.is_running() {
                    // A dash for the active window, a shorter one for others, a dot for what is minimised.
                    let (width, colour) = match (item.active, item.windows) {
                        (true, _) => (18, palette.mark),
                        (false, 1..) => (8, palette.idle_mark),
                        (false, 0) => (3, palette.idle_mark),
                    };
                    let x = bbox.x0() + (bbox.width() - width) / 2;
                    self.fill_rounded(frame, Rect::at(x, bbox.y1() - 3, width, 3), 1.5, colour);
                }
            }
            Part::Tray(symbol) => self.paint_icon(symbol.icon, SYMBOL_PX, bbox, Some(palette.text), frame)?,
            Part::Clock => {
                let style = Style { size_px: 12, weight: 400, width_px: bbox.width() as u32 - 8, lines: 1, centred: false };
                let mut text = self.text.lock().expect("no panic while held");
                let (time, date) = (text.caption(&chrome.time, style)?, text.caption(&chrome.date, style)?);
                time.paint(frame, Point { x: bbox.x0(), y: bbox.y0() + 6 }, palette.text, 255);
                date.paint(frame, Point { x: bbox.x0(), y: bbox.y0() + 22 }, palette.text, 255);
            }
            Part::Dock | Part::Workspaces | Part::Icon(_) => {}
        }
        Ok(())
    }
}
