//! Geometry of the desktop's own elements: work area, taskbar and desktop icons. From a plan to boxes; no pixels, no
//! random numbers.
//!
//! Annotator and renderer both take the boxes from here, so that a box and its picture cannot part ways.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::condition::ChromeMode;
use crate::geometry::{Rect, Size};

/// Widths and heights that a screen may have, px.
const SCREEN: ((u32, u32), (u32, u32)) = ((640, 480), (8192, 8192));
/// Most pixels of a screen: as many as of a picture of a pack.
const MAX_SCREEN_PIXELS: u64 = 40_000_000;
/// Most times that one side of a screen may be as long as the other. A wallpaper is scaled until it covers both sides.
const MAX_SCREEN_RATIO: u32 = 8;

/// What is expected of a screen's size, if this is none that scenes are made for.
pub fn unfit_screen(Size { width, height }: Size) -> Option<String> {
    let ((min_width, min_height), (max_width, max_height)) = SCREEN;
    let fits = (min_width..=max_width).contains(&width)
        && (min_height..=max_height).contains(&height)
        && u64::from(width) * u64::from(height) <= MAX_SCREEN_PIXELS
        && width.max(height) <= width.min(height) * MAX_SCREEN_RATIO;
    (!fits).then(|| {
        format!(
            "{min_width}x{min_height} to {max_width}x{max_height}, at most {MAX_SCREEN_PIXELS} px, \
             no side more than {MAX_SCREEN_RATIO} times the other"
        )
    })
}

/// Height of the taskbar in px.
pub const TASKBAR_PX: i32 = 48;
/// Width of a taskbar button, px.
const BUTTON_PX: i32 = 44;
/// Gap between taskbar buttons, px.
const GAP_PX: i32 = 4;
/// Width of a tray button with its gap, px.
const TRAY_PX: i32 = 34;
/// Width of the clock, px.
const CLOCK_PX: i32 = 92;
/// Distance of the bell's left edge from the right end, px.
const BELL_PX: i32 = 40;
/// Size of a desktop icon's cell, px.
const CELL: (i32, i32) = (100, 108);
/// Place of the first cell, px.
const FIRST_CELL: (i32, i32) = (8, 10);

/// A button that every taskbar has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedButton {
    /// Accessible name. A window's button of the same name is only asked for in context.
    pub name: &'static str,
    /// Icon id in the pack.
    pub icon: &'static str,
}

const fn fixed(name: &'static str, icon: &'static str) -> FixedButton {
    FixedButton { name, icon }
}

/// Left of the programs.
const LEADING: [FixedButton; 2] = [fixed("Start", "start_button"), fixed("Search", "search")];
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
pub fn fixed_buttons() -> impl Iterator<Item = FixedButton> {
    LEADING.into_iter().chain(TRAY).chain([BELL])
}

/// What the desktop shows besides windows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chrome {
    /// How much of it.
    pub mode: ChromeMode,
    /// Whether the taskbar is dark.
    pub dark: bool,
    /// Time of day as shown.
    pub time: String,
    /// Date as shown.
    pub date: String,
    /// Programs in the taskbar, left to right.
    pub items: Vec<TaskbarItem>,
    /// Icons on the desktop.
    pub icons: Vec<DesktopIcon>,
}

/// A program in the taskbar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskbarItem {
    /// What the user calls it.
    pub name: String,
    /// Icon id in the pack.
    pub icon: String,
    /// Number of its windows in the scene.
    pub windows: u32,
    /// Number of windows besides those that are minimised, and so nowhere in the scene. A program with neither is
    /// pinned and not running.
    #[serde(default)]
    pub minimised: u32,
    /// Whether the active window is one of them.
    pub active: bool,
}

/// An icon on the desktop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DesktopIcon {
    /// Icon id in the pack.
    pub icon: String,
    /// Its caption.
    pub label: String,
    /// Column, from the left.
    pub column: u32,
    /// Row, from the top.
    pub row: u32,
}

/// What one element of the desktop is; tells the renderer what to draw in its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// The bar itself.
    Taskbar,
    /// A button in colours, left of the programs.
    Leading(FixedButton),
    /// A program.
    Item(&'a TaskbarItem),
    /// A button of the tray; its icon is drawn in the text colour.
    Tray(FixedButton),
    /// Time and date.
    Clock,
    /// An icon with its caption.
    Icon(&'a DesktopIcon),
}

/// An element of the desktop with its box on the screen.
#[derive(Clone, Debug)]
pub struct DesktopElement<'a> {
    /// Unique in the scene.
    pub id: String,
    /// AT-SPI role name.
    pub role: &'static str,
    /// Accessible name.
    pub name: String,
    /// Screen px.
    pub bbox: Rect,
    /// What it is.
    pub part: Part<'a>,
}

/// The part of the screen that windows are placed on.
pub fn work_area(canvas: Size, mode: ChromeMode) -> Rect {
    match taskbar(canvas, mode) {
        Some(bar) => Rect::at(0, 0, bar.width(), bar.y0()),
        None => canvas.rect(),
    }
}

/// The taskbar's box, if there is one.
pub fn taskbar(canvas: Size, mode: ChromeMode) -> Option<Rect> {
    let (width, height) = (canvas.width as i32, canvas.height as i32);
    (mode != ChromeMode::None).then(|| Rect::at(0, height - TASKBAR_PX, width, TASKBAR_PX))
}

/// How many columns and rows of desktop icons fit.
pub fn icon_grid(canvas: Size) -> (u32, u32) {
    let rows = (canvas.height as i32 - TASKBAR_PX - FIRST_CELL.1) / CELL.1;
    (((canvas.width as i32 / 3) / CELL.0).max(1) as u32, rows.max(1) as u32)
}

impl Chrome {
    /// No chrome at all.
    pub fn none() -> Self {
        Self {
            mode: ChromeMode::None,
            dark: false,
            time: String::new(),
            date: String::new(),
            items: Vec::new(),
            icons: Vec::new(),
        }
    }

    /// Elements of the layer `desktop`.
    pub fn desktop_elements(&self) -> Vec<DesktopElement<'_>> {
        let icons = self.icons.iter().enumerate().map(|(at, icon)| DesktopElement {
            id: format!("d{at}"),
            role: "icon",
            name: icon.label.clone(),
            bbox: Rect::at(
                FIRST_CELL.0 + icon.column as i32 * CELL.0,
                FIRST_CELL.1 + icon.row as i32 * CELL.1,
                CELL.0 - 8,
                CELL.1 - 8,
            ),
            part: Part::Icon(icon),
        });
        if self.mode == ChromeMode::Full { icons.collect() } else { Vec::new() }
    }

    /// Elements of the layer `taskbar`: the bar first, then its buttons left to right.
    pub fn taskbar_elements(&self, canvas: Size) -> Vec<DesktopElement<'_>> {
        let Some(bar) = taskbar(canvas, self.mode) else { return Vec::new() };
        let mut elements = Vec::new();
        let mut push = |role, name: String, bbox, part| {
            elements.push(DesktopElement { id: format!("t{}", elements.len()), role, name, bbox, part });
        };
        push("tool bar", "Taskbar".to_owned(), bar, Part::Taskbar);
        let buttons = (LEADING.len() + self.items.len()) as i32;
        let step = BUTTON_PX + GAP_PX;
        let mut x = (bar.width() - buttons * step) / 2;
        let mut button = |part, name: String| {
            push("push button", name, Rect::at(x, bar.y0() + 2, BUTTON_PX, TASKBAR_PX - 4), part);
            x += step;
        };
        for fixed in LEADING {
            button(Part::Leading(fixed), fixed.name.to_owned());
        }
        for item in &self.items {
            button(Part::Item(item), item.spoken());
        }
        let mut x = bar.x1() - BELL_PX - CLOCK_PX - TRAY.len() as i32 * TRAY_PX - 8;
        let small = |x| Rect::at(x, bar.y0() + 4, TRAY_PX - 2, TASKBAR_PX - 8);
        for fixed in TRAY {
            push("push button", fixed.name.to_owned(), small(x), Part::Tray(fixed));
            x += TRAY_PX;
        }
        let clock = Rect::at(x, bar.y0() + 2, CLOCK_PX, TASKBAR_PX - 4);
        push("push button", format!("Clock {} {}", self.time, self.date), clock, Part::Clock);
        push("push button", BELL.name.to_owned(), small(bar.x1() - BELL_PX), Part::Tray(BELL));
        elements
    }
}

impl TaskbarItem {
    /// The name that a screen reader says.
    fn spoken(&self) -> String {
        let running = |n: u32| format!("{} - {n} running window{}", self.name, if n == 1 { "" } else { "s" });
        match (self.windows, self.minimised) {
            (0, 0) => format!("{} pinned", self.name),
            (shown, 0) => running(shown),
            (0, minimised) => format!("{}, minimized", running(minimised)),
            (shown, minimised) => format!("{}, {minimised} minimized", running(shown.saturating_add(minimised))),
        }
    }
}
