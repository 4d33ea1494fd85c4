//! A taskbar as Windows 11 has it: buttons in the middle, tray and clock at the right.

use super::{BAR_PX, Chrome, Elements, FixedButton, Part, fixed};
use crate::geometry::Rect;

/// Width of a button, px.
const BUTTON_PX: i32 = 44;
/// From one button to the next, px.
const STEP_PX: i32 = BUTTON_PX + 4;
/// Width of a tray button with its gap, px.
const TRAY_PX: i32 = 34;
/// Width of the clock, px.
const CLOCK_PX: i32 = 92;
/// Distance of the bell's left edge from the right end, px.
const BELL_PX: i32 = 40;

/// Left of the programs.
const START: FixedButton = fixed("Start", "start_button");
const SEARCH: FixedButton = fixed("Search", "search");
/// Left of the clock.
const TRAY: [FixedButton; 4] = [
    fixed("Show hidden icons", "tray_show_hidden"),
    fixed("Network", "tray_wifi"),
    fixed("Volume", "tray_volume"),
    fixed("Battery", "tray_battery"),
];
/// Right of the clock.
const BELL: FixedButton = fixed("Notifications", "tray_notifications");

/// The buttons that every taskbar has.
pub(super) fn buttons() -> impl Iterator<Item = FixedButton> {
    [START, SEARCH].into_iter().chain(TRAY).chain([BELL])
}

/// Where the tray begins.
fn tray_x0(width: i32) -> i32 {
    width - BELL_PX - CLOCK_PX - TRAY.len() as i32 * TRAY_PX - 8
}

/// How many programs find room in a taskbar.
pub(super) fn room(width: i32) -> i32 {
    tray_x0(width) / STEP_PX - 2
}

/// Adds the bar and its buttons. Where the middle is too narrow the buttons end at the tray.
pub(super) fn add<'a>(chrome: &'a Chrome, bar: Rect, elements: &mut Elements<'a>) {
    elements.bar("Taskbar", bar, Part::Bar);
    let wide = (2 + chrome.items.len() as i32) * STEP_PX;
    let mut x = ((bar.width() - wide) / 2).min(tray_x0(bar.width()) - wide);
    let mut button = |part, name: String| {
        elements.button(name, Rect::at(x, bar.y0() + 2, BUTTON_PX, BAR_PX - 4), part);
        x += STEP_PX;
    };
    button(Part::Leading(START), START.name.to_owned());
    button(Part::Plain(SEARCH), SEARCH.name.to_owned());
    for item in &chrome.items {
        button(Part::Item(item), item.spoken());
    }
    let mut x = tray_x0(bar.width());
    let small = |x| Rect::at(x, bar.y0() + 4, TRAY_PX - 2, BAR_PX - 8);
    for symbol in TRAY {
        elements.button(symbol.name, small(x), Part::Tray(symbol));
        x += TRAY_PX;
    }
    let clock = Rect::at(x, bar.y0() + 2, CLOCK_PX, BAR_PX - 4);
    elements.button(chrome.spoken_clock(), clock, Part::Clock);
    elements.button(BELL.name, small(bar.x1() - BELL_PX), Part::Tray(BELL));
}
