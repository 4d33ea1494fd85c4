//! A panel as KDE Plasma has it: menu and programs at the left, tray and clock at the right.

use super::{Chrome, Elements, FixedButton, Part, fixed};
use crate::geometry::Rect;

/// At the right end.
const PEEK: FixedButton = fixed("Peek at Desktop", "kde_tray_show_desktop");
/// At the left end.
const LAUNCHER: FixedButton = fixed("Application Launcher", "kde_tray_launcher");
/// Between tray and clock.
const HIDDEN: FixedButton = fixed("Show hidden icons", "kde_tray_show_hidden");

/// Distance of buttons from the panel's upper and lower edge, px.
const INSET_PX: i32 = 2;
/// Width of a program's button, px.
const BUTTON_PX: i32 = 44;
/// From one of them to the next, px.
const STEP_PX: i32 = BUTTON_PX + 2;
/// Where the programs begin.
const FIRST_PX: i32 = 4 + BUTTON_PX + 8;
/// Width of a tray button, px; they stand side by side.
const TRAY_PX: i32 = 32;
/// Width of the clock, px.
const CLOCK_PX: i32 = 96;
/// Width of the button at the right end, px.
const PEEK_PX: i32 = 32;
/// Most symbols of the tray.
const MAX_SYMBOLS: i32 = 4;

/// The buttons that every panel has.
pub(super) fn buttons() -> impl Iterator<Item = FixedButton> {
    [LAUNCHER, HIDDEN, PEEK].into_iter()
}

/// How many programs find room in a panel.
pub(super) fn room(width: i32) -> i32 {
    (width - PEEK_PX - CLOCK_PX - MAX_SYMBOLS * TRAY_PX - FIRST_PX) / STEP_PX
}

/// Adds the panel and its buttons.
pub(super) fn add<'a>(chrome: &'a Chrome, bar: Rect, elements: &mut Elements<'a>) {
    elements.bar("Panel", bar, Part::Bar);
    let tall = |x, width| Rect::at(bar.x0() + x, bar.y0() + INSET_PX, width, bar.height() - 2 * INSET_PX);
    elements.button(LAUNCHER.name, tall(4, BUTTON_PX), Part::Plain(LAUNCHER));
    let mut x = FIRST_PX;
    for item in &chrome.items {
        elements.button(item.spoken(), tall(x, BUTTON_PX), Part::Item(item));
        x += STEP_PX;
    }
    let symbols: Vec<_> = chrome.tray.shown(chrome.shell).chain([HIDDEN]).collect();
    let mut x = bar.width() - PEEK_PX - CLOCK_PX - symbols.len() as i32 * TRAY_PX;
    for symbol in symbols {
        elements.button(symbol.name, tall(x, TRAY_PX), Part::Tray(symbol));
        x += TRAY_PX;
    }
    elements.button(chrome.spoken_clock(), tall(x, CLOCK_PX), Part::Clock);
    elements.button(PEEK.name, tall(x + CLOCK_PX, PEEK_PX), Part::Tray(PEEK));
}
