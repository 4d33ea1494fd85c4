//! Boxes of all shells on all sorts of screens.

use super::*;

const SHELLS: [ShellKind; 3] = [ShellKind::Taskbar, ShellKind::TopBarAndDock, ShellKind::Panel];
const SCREENS: [(u32, u32); 9] =
    [(640, 480), (640, 4800), (800, 600), (1280, 720), (1366, 768), (1920, 1080), (2560, 1440), (3840, 2160), (8192, 4096)];

fn item(number: usize) -> TaskbarItem {
    TaskbarItem { name: format!("Program {number}"), icon: "app".to_owned(), windows: 1, minimised: 0, active: number == 0 }
}

/// The fullest desktop that planners make.
fn full(shell: ShellKind, canvas: Size, side: Side) -> Chrome {
    let (columns, rows) = icon_grid(canvas, shell);
    let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
    Chrome {
        shell,
        time: "12:59 PM".to_owned(),
        date: "Wed 30 Nov".to_owned(),
        dock: shell == ShellKind::TopBarAndDock,
        items: (0..item_room(canvas, shell).min(24)).map(item).collect(),
        side,
        icons: cells.map(|(column, row)| DesktopIcon { icon: "file".to_owned(), label: String::new(), column, row }).collect(),
        ..Chrome::bare(ChromeMode::Full)
    }
}

fn every_desktop(check: impl Fn(Size, &Chrome)) {
    for (width, height) in SCREENS {
        for shell in SHELLS {
            for side in [Side::Left, Side::Right] {
                let canvas = Size { width, height };
                check(canvas, &full(shell, canvas, side));
            }
        }
    }
}

#[test]
fn buttons_lie_apart_and_inside_their_bars() {
    every_desktop(|canvas, chrome| {
        let place = format!("{canvas:?} {:?}", chrome.shell);
        let elements = chrome.taskbar_elements(canvas);
        let (bars, buttons): (Vec<_>, Vec<_>) = elements.iter().partition(|e| e.role == "tool bar");
        let boxes: Vec<Rect> = chrome.bars(canvas).collect();
        assert_eq!(bars.iter().map(|bar| bar.bbox).collect::<Vec<_>>(), boxes, "{place}");
        assert!(boxes.iter().all(|bar| canvas.rect().covers(*bar)), "{place}");
        for (at, button) in buttons.iter().enumerate() {
            assert!(boxes.iter().any(|bar| bar.covers(button.bbox)), "{place}: {button:?}");
            let touching = buttons[at + 1..].iter().find(|other| other.bbox.touches(button.bbox));
            assert!(touching.is_none(), "{place}: {button:?} and {touching:?}");
        }
        assert!(elements.iter().enumerate().all(|(at, e)| e.id == format!("t{at}") && !e.name.is_empty()), "{place}");
    });
}

#[test]
fn desktop_icons_lie_apart_on_the_work_area_clear_of_the_dock() {
    every_desktop(|canvas, chrome| {
        let place = format!("{canvas:?} {:?} {:?}", chrome.shell, chrome.side);
        let work = work_area(canvas, chrome.mode, chrome.shell);
        let icons = chrome.desktop_elements(canvas);
        assert!(!icons.is_empty());
        for (at, icon) in icons.iter().enumerate() {
            assert!(work.covers(icon.bbox), "{place}: {icon:?}");
            assert!(!chrome.bars(canvas).any(|bar| bar.touches(icon.bbox)), "{place}: {icon:?}");
            assert!(!icons[at + 1..].iter().any(|other| other.bbox.touches(icon.bbox)), "{place}: {icon:?}");
        }
        let edge = |r: Rect| if chrome.side == Side::Left { r.x0() - work.x0() } else { work.x1() - r.x1() };
        assert_eq!(edge(icons[0].bbox), FIRST_CELL.0, "{place}");
    });
}

#[test]
fn every_bar_takes_48_px_of_the_height_and_none_of_the_width() {
    let canvas = Size { width: 2560, height: 1440 };
    for shell in SHELLS {
        for mode in [ChromeMode::Taskbar, ChromeMode::Full] {
            assert_eq!(work_area(canvas, mode, shell).size(), Size { width: 2560, height: 1392 });
        }
        for mode in [ChromeMode::None, ChromeMode::Shadows] {
            assert_eq!(work_area(canvas, mode, shell), canvas.rect());
            let chrome = Chrome { mode, ..full(shell, canvas, Side::Left) };
            assert_eq!((chrome.bars(canvas).count(), chrome.taskbar_elements(canvas).len()), (0, 0));
            assert_eq!(chrome.desktop_elements(canvas).len(), 0);
        }
    }
}

#[test]
fn a_dock_that_is_not_out_has_no_box_and_no_buttons() {
    let canvas = Size { width: 1920, height: 1080 };
    let out = full(ShellKind::TopBarAndDock, canvas, Side::Left);
    let hidden = Chrome { dock: false, ..out.clone() };
    assert_eq!((out.bars(canvas).count(), hidden.bars(canvas).count()), (2, 1));
    assert!(hidden.taskbar_elements(canvas).len() < out.taskbar_elements(canvas).len());
    assert_eq!(hidden.dock_place(canvas), out.bars(canvas).last());
}

#[test]
fn the_tray_names_what_it_shows() {
    let canvas = Size { width: 1920, height: 1080 };
    let tray = Tray { network: Network::Wired, muted: true, battery: Battery::Absent };
    for shell in [ShellKind::TopBarAndDock, ShellKind::Panel] {
        let names = |tray| {
            let chrome = Chrome { tray, ..full(shell, canvas, Side::Left) };
            let elements = chrome.taskbar_elements(canvas);
            elements.iter().filter(|e| matches!(e.part, Part::Tray(_))).map(|e| e.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(tray)[..2], ["Wired network", "Volume muted"]);
        assert!(!names(tray).iter().any(|name| name.starts_with("Battery")));
        assert_eq!(names(Tray::default())[..3], ["Wireless network", "Volume", "Battery full"]);
        let all = shell_icons(shell);
        assert!(all.contains(&"kde_tray_show_hidden") == (shell == ShellKind::Panel));
        assert!(button_names(shell).iter().all(|name| !name.is_empty()));
    }
}
