//! Paints a panel as KDE Plasma has it.

use windesk_model::Error;
use windesk_model::desktop::{Chrome, Part};
use windesk_model::geometry::Rect;

use super::Ink;
use super::brush::fill;
use crate::render::{Frame, Renderer};

/// Side of the launcher's and of a program's icon, px.
pub(super) const ICON_PX: u32 = 32;
/// Side of a symbol of the tray, px.
pub(super) const SYMBOL_PX: u32 = 20;
/// Colours of a panel: those of Breeze.
struct Palette {
    bar: [u8; 3],
    edge: [u8; 3],
    text: [u8; 3],
    /// Line above programs that run.
    running: [u8; 3],
}

const LIGHT: Palette = Palette { bar: [239, 240, 241], edge: [200, 202, 204], text: [35, 38, 41], running: [160, 166, 172] };
const DARK: Palette = Palette { bar: [42, 46, 50], edge: [78, 83, 88], text: [252, 252, 252], running: [112, 120, 128] };
/// Ground of the active program, and line above it.
const HIGHLIGHT: [u8; 3] = [61, 174, 233];
const HIGHLIGHT_STRENGTH: u8 = 76;

impl Renderer<'_> {
    pub(super) fn paint_on_panel(&self, chrome: &Chrome, part: Part, bbox: Rect, frame: &mut Frame) -> Result<(), Error> {
        let palette = if chrome.dark { &DARK } else { &LIGHT };
        match part {
            Part::Bar => {
                fill(frame, bbox, palette.bar);
                fill(frame, Rect::at(bbox.x0(), bbox.y0(), bbox.width(), 1), palette.edge);
            }
            Part::Plain(button) => self.paint_icon(button.icon, ICON_PX, bbox, Some(palette.text), frame)?,
            Part::Item(item) => {
                let line = Rect::at(bbox.x0(), bbox.y0(), bbox.width(), 3);
                if item.active {
                    self.stamp_rounded(frame, bbox, 3.0, HIGHLIGHT, HIGHLIGHT_STRENGTH);
                    self.fill_rounded(frame, line, 1.5, HIGHLIGHT);
                } else if item.is_running() {
                    self.fill_rounded(frame, line, 1.5, palette.running);
                }
                self.paint_icon(&item.icon, ICON_PX, bbox, None, frame)?;
            }
            Part::Tray(symbol) => self.paint_icon(symbol.icon, SYMBOL_PX, bbox, Some(palette.text), frame)?,
            Part::Clock => {
                let half = bbox.height() / 2;
                let (upper, lower) = (
                    Rect::at(bbox.x0(), bbox.y0() + 3, bbox.width(), half),
                    Rect::at(bbox.x0(), bbox.y0() + half - 2, bbox.width(), half),
                );
                self.paint_line(chrome, &chrome.time, Ink { size_px: 15, weight: 400, colour: palette.text }, upper, frame)?;
                self.paint_line(chrome, &chrome.date, Ink { size_px: 12, weight: 400, colour: palette.text }, lower, frame)?;
            }
            Part::Dock | Part::Workspaces | Part::Leading(_) | Part::Icon(_) => {}
        }
        Ok(())
    }
}
