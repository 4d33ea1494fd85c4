//! Geometry of the desktop's own elements: work area, bars, dock and desktop icons. From a plan to boxes; no pixels, no
//! random numbers.
//!
//! Annotator and renderer both take the boxes from here, so that a box and its picture cannot part ways. Every shell
//! has one bar of [`BAR_PX`] that covers windows. A dock never covers one: it is out only where no window is.

mod clock;
mod panel;
mod taskbar;
mod top_bar;
mod tray;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::condition::ChromeMode;
use crate::geometry::{Rect, Size};
use crate::moment::Moment;
use crate::pack_format::{ShellKind, Side};

pub use clock::{WORK_MINUTES, end_of_capture, in_work_hours, shown_date, shown_time, work_time_after};
pub use tray::{Battery, Network, Tray};

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

/// Height of every bar that windows keep clear of, px.
pub const BAR_PX: i32 = 48;
/// Size of a desktop icon's cell, px.
const CELL: (i32, i32) = (100, 108);
/// Place of the first cell on the work area, px.
const FIRST_CELL: (i32, i32) = (8, 10);

/// A button that a shell always has.
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

/// Names of the buttons that a shell may have besides those of programs.
pub fn button_names(shell: ShellKind) -> Vec<&'static str> {
    let drawn = (shell == ShellKind::TopBarAndDock).then_some(top_bar::ACTIVITIES);
    drawn.into_iter().chain(fixed_buttons(shell).into_iter().map(|button| button.name)).collect()
}

/// Ids of the icons that a shell may show besides those of programs.
pub fn shell_icons(shell: ShellKind) -> Vec<&'static str> {
    fixed_buttons(shell).into_iter().map(|button| button.icon).collect()
}

/// Buttons with an icon of the pack, whatever the tray says.
fn fixed_buttons(shell: ShellKind) -> Vec<FixedButton> {
    match shell {
        ShellKind::Taskbar => taskbar::buttons().collect(),
        ShellKind::TopBarAndDock => top_bar::buttons().chain(tray::symbols(shell)).collect(),
        ShellKind::Panel => panel::buttons().chain(tray::symbols(shell)).collect(),
    }
}

/// What the desktop shows besides windows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Chrome {
    /// How much of it.
    pub mode: ChromeMode,
    /// How it is laid out.
    #[serde(default)]
    pub shell: ShellKind,
    /// Family of the pack's fonts that bars are written in; empty for the pack's first.
    #[serde(default)]
    pub font: String,
    /// Whether bars and dock are dark.
    pub dark: bool,
    /// When it is; null where nothing is known of the session.
    #[serde(default)]
    pub clock: Option<Moment>,
    /// Time of day as shown.
    pub time: String,
    /// Date as shown.
    pub date: String,
    /// What the symbols beside the clock say. A taskbar's always say the same.
    #[serde(default)]
    pub tray: Tray,
    /// Whether the dock is out: no window reaches it. Always false for shells without one.
    #[serde(default)]
    pub dock: bool,
    /// Programs in taskbar, panel or dock, left to right.
    pub items: Vec<TaskbarItem>,
    /// The side of the screen that desktop icons begin at.
    #[serde(default)]
    pub side: Side,
    /// Icons on the desktop.
    pub icons: Vec<DesktopIcon>,
}

/// A program in taskbar, panel or dock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DesktopIcon {
    /// Icon id in the pack.
    pub icon: String,
    /// Its caption.
    pub label: String,
    /// Column, from the side that icons begin at.
    pub column: u32,
    /// Row, from the top.
    pub row: u32,
}

/// What one element of the desktop is; tells the renderer what to draw in its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// The bar itself.
    Bar,
    /// The ground of the dock.
    Dock,
    /// A button in colours, left of the programs.
    Leading(FixedButton),
    /// A button as large as that, drawn in the text colour.
    Plain(FixedButton),
    /// The pill that stands for the workspaces.
    Workspaces,
    /// A program.
    Item(&'a TaskbarItem),
    /// A symbol of the tray; its icon is drawn in the text colour.
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

/// Elements of a bar as they are gathered: numbered in their order.
struct Elements<'a>(Vec<DesktopElement<'a>>);

impl<'a> Elements<'a> {
    fn bar(&mut self, name: &str, bbox: Rect, part: Part<'a>) {
        self.push("tool bar", name.to_owned(), bbox, part);
    }

    fn button(&mut self, name: impl Into<String>, bbox: Rect, part: Part<'a>) {
        self.push("push button", name.into(), bbox, part);
    }

    fn push(&mut self, role: &'static str, name: String, bbox: Rect, part: Part<'a>) {
        self.0.push(DesktopElement { id: format!("t{}", self.0.len()), role, name, bbox, part });
    }
}

/// The part of the screen that windows are placed on.
pub fn work_area(canvas: Size, mode: ChromeMode, shell: ShellKind) -> Rect {
    match bar(canvas, mode, shell) {
        Some(bar) if bar.y0() == 0 => Rect::at(0, bar.y1(), bar.width(), canvas.height as i32 - bar.height()),
        Some(bar) => Rect::at(0, 0, bar.width(), bar.y0()),
        None => canvas.rect(),
    }
}

/// The box of the bar that covers windows, if there is one.
pub fn bar(canvas: Size, mode: ChromeMode, shell: ShellKind) -> Option<Rect> {
    let (width, height) = (canvas.width as i32, canvas.height as i32);
    let y = match shell {
        ShellKind::Taskbar | ShellKind::Panel => height - BAR_PX,
        ShellKind::TopBarAndDock => 0,
    };
    mode.has_bars().then(|| Rect::at(0, y, width, BAR_PX))
}

/// How many programs find room in taskbar, panel or dock.
pub fn item_room(canvas: Size, shell: ShellKind) -> usize {
    let width = canvas.width as i32;
    let room = match shell {
        ShellKind::Taskbar => taskbar::room(width),
        ShellKind::TopBarAndDock => top_bar::dock_room(width),
        ShellKind::Panel => panel::room(width),
    };
    room.max(0) as usize
}

/// How many columns and rows of desktop icons fit. None lies where a dock may be.
pub fn icon_grid(canvas: Size, shell: ShellKind) -> (u32, u32) {
    let below = if shell == ShellKind::TopBarAndDock { top_bar::DOCK_REACH_PX } else { 0 };
    let rows = (canvas.height as i32 - BAR_PX - below - FIRST_CELL.1) / CELL.1;
    (((canvas.width as i32 / 3) / CELL.0).max(1) as u32, rows.max(1) as u32)
}

impl Chrome {
    /// No bars and no icons.
    pub fn bare(mode: ChromeMode) -> Self {
        Self {
            mode,
            shell: ShellKind::Taskbar,
            font: String::new(),
            dark: false,
            clock: None,
            time: String::new(),
            date: String::new(),
            tray: Tray::default(),
            dock: false,
            items: Vec::new(),
            side: Side::Left,
            icons: Vec::new(),
        }
    }

    /// Elements of the layer `desktop`.
    pub fn desktop_elements(&self, canvas: Size) -> Vec<DesktopElement<'_>> {
        let work = work_area(canvas, self.mode, self.shell);
        let icons = self.icons.iter().enumerate().map(|(at, icon)| {
            let (width, height) = (CELL.0 - 8, CELL.1 - 8);
            let from_side = FIRST_CELL.0 + icon.column as i32 * CELL.0;
            let x = match self.side {
                Side::Left => work.x0() + from_side,
                Side::Right => work.x1() - from_side - width,
            };
            DesktopElement {
                id: format!("d{at}"),
                role: "icon",
                name: icon.label.clone(),
                bbox: Rect::at(x, work.y0() + FIRST_CELL.1 + icon.row as i32 * CELL.1, width, height),
                part: Part::Icon(icon),
            }
        });
        if self.mode == ChromeMode::Full { icons.collect() } else { Vec::new() }
    }

    /// Elements of the layer `taskbar`: each bar first, then its buttons left to right.
    pub fn taskbar_elements(&self, canvas: Size) -> Vec<DesktopElement<'_>> {
        let mut elements = Elements(Vec::new());
        if let Some(bar) = bar(canvas, self.mode, self.shell) {
            match self.shell {
                ShellKind::Taskbar => taskbar::add(self, bar, &mut elements),
                ShellKind::TopBarAndDock => top_bar::add(self, bar, canvas, &mut elements),
                ShellKind::Panel => panel::add(self, bar, &mut elements),
            }
        }
        elements.0
    }

    /// What a screen reader says of the clock.
    fn spoken_clock(&self) -> String {
        format!("Clock {} {}", self.time, self.date)
    }

    /// Where the dock is, or would be if no window reached it; nothing for shells without one.
    pub fn dock_place(&self, canvas: Size) -> Option<Rect> {
        let has_dock = self.mode.has_bars() && self.shell == ShellKind::TopBarAndDock;
        has_dock.then(|| top_bar::dock_box(self.items.len(), canvas))
    }

    /// Boxes of all that lies above the windows: the bar, and the dock if it is out.
    pub fn bars(&self, canvas: Size) -> impl Iterator<Item = Rect> + use<> {
        let dock = self.dock_place(canvas).filter(|_| self.dock);
        bar(canvas, self.mode, self.shell).into_iter().chain(dock)
    }
}

impl TaskbarItem {
    /// Whether the program runs, shown or minimised.
    pub fn is_running(&self) -> bool {
        self.windows > 0 || self.minimised > 0
    }

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

#[cfg(test)]
mod tests;
