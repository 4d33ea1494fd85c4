//! Top bar and dock, as GNOME has them. The dock floats at the bottom and draws back where a window reaches it.

use super::{Chrome, Elements, FixedButton, Part, fixed};
use crate::geometry::{Rect, Size};

/// Name of the button at the left end of the bar.
pub(super) const ACTIVITIES: &str = "Activities";
/// At the right end of the dock.
const SHOW_APPS: FixedButton = fixed("Show Apps", "gnome_tray_apps");

/// Distance of buttons from the bar's edges, px.
const INSET_PX: i32 = 6;
/// Width of the button at the left, px.
const ACTIVITIES_PX: i32 = 76;
/// Width of the clock, px. The longest line, `Wed 30 Nov  12:59 PM`, takes 148.
const CLOCK_PX: i32 = 176;
/// Width of a tray button, px; they stand side by side.
const TRAY_PX: i32 = 34;

/// Height of the dock, px.
const DOCK_PX: i32 = 76;
/// Distance of the dock from the screen's edges, px.
const DOCK_GAP_PX: i32 = 12;
/// Distance of the dock's buttons from its edges, px.
const DOCK_INSET_PX: i32 = 8;
/// Side of a dock's button, px.
const DOCK_BUTTON_PX: i32 = DOCK_PX - 2 * DOCK_INSET_PX;
/// From one of them to the next, px.
const DOCK_STEP_PX: i32 = DOCK_BUTTON_PX + 4;
/// How far up from the bottom the dock reaches, px.
pub(super) const DOCK_REACH_PX: i32 = DOCK_PX + DOCK_GAP_PX;

/// The buttons with an icon of the pack that top bar and dock always have.
pub(super) fn buttons() -> impl Iterator<Item = FixedButton> {
    [SHOW_APPS].into_iter()
}

/// How many programs find room in a dock.
pub(super) fn dock_room(width: i32) -> i32 {
    (width - 2 * DOCK_GAP_PX - 2 * DOCK_INSET_PX + DOCK_STEP_PX - DOCK_BUTTON_PX) / DOCK_STEP_PX - 1
}

/// The dock's box.
pub(super) fn dock_box(items: usize, canvas: Size) -> Rect {
    let buttons = items as i32 + 1;
    let width = buttons * DOCK_STEP_PX - (DOCK_STEP_PX - DOCK_BUTTON_PX) + 2 * DOCK_INSET_PX;
    Rect::at((canvas.width as i32 - width) / 2, canvas.height as i32 - DOCK_REACH_PX, width, DOCK_PX)
}

/// Adds the bar with its buttons, and the dock if it is out.
pub(super) fn add<'a>(chrome: &'a Chrome, bar: Rect, canvas: Size, elements: &mut Elements<'a>) {
    elements.bar("Top bar", bar, Part::Bar);
    let (y, height) = (bar.y0() + INSET_PX, bar.height() - 2 * INSET_PX);
    elements.button(ACTIVITIES, Rect::at(bar.x0() + INSET_PX, y, ACTIVITIES_PX, height), Part::Workspaces);
    elements.button(chrome.spoken_clock(), Rect::at(bar.x0() + (bar.width() - CLOCK_PX) / 2, y, CLOCK_PX, height), Part::Clock);
    let symbols: Vec<_> = chrome.tray.shown(chrome.shell).collect();
    let mut x = bar.x1() - INSET_PX - symbols.len() as i32 * TRAY_PX;
    for symbol in symbols {
        elements.button(symbol.name, Rect::at(x, y, TRAY_PX, height), Part::Tray(symbol));
        x += TRAY_PX;
    }
    if chrome.dock {
        let dock = dock_box(chrome.items.len(), canvas);
        elements.bar("Dock", dock, Part::Dock);
        let mut x = dock.x0() + DOCK_INSET_PX;
        let mut button = |name: String, part| {
            elements.button(name, Rect::at(x, dock.y0() + DOCK_INSET_PX, DOCK_BUTTON_PX, DOCK_BUTTON_PX), part);
            x += DOCK_STEP_PX;
        };
        for item in &chrome.items {
            button(item.spoken(), Part::Item(item));
        }
        button(SHOW_APPS.name.to_owned(), Part::Plain(SHOW_APPS));
    }
}
