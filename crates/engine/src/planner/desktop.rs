//! Decides wallpaper, shell and desktop icons.

mod icons;
mod items;

use windesk_model::Error;
use windesk_model::condition::{ChromeMode, Condition, Protocol};
use windesk_model::desktop::{Battery, Chrome, Network, Tray, WORK_MINUTES, shown_date, shown_time, work_time_after};
use windesk_model::index::{PlacementIndex, ProgramIndex, TargetIndex};
use windesk_model::key::{Decision, SampleKey, Stream};
use windesk_model::moment::Moment;
use windesk_model::pack_format::{ShellKind, Side};
use windesk_model::plan::Placement;

use typed_index_collections::TiSlice;

use super::scene::Scene;
use crate::pack::Pack;

/// Of 1000 computers without a battery, and of 1000 with one, so many are wired.
const WIRED_PER_MILLE: [u32; 2] = [800, 150];
/// Of 1000 computers, so many are muted.
const MUTED_PER_MILLE: u32 = 150;

/// The wallpaper, uniform among the condition's or the pack's default ones; the published protocol has one.
pub(super) fn wallpaper(pack: &Pack, condition: &Condition, key: SampleKey) -> Result<String, Error> {
    let ids: Vec<&str> = if condition.wallpapers.is_empty() {
        pack.wallpapers.iter().filter(|w| w.default && !w.share_alike).map(|w| w.id.as_str()).collect()
    } else {
        condition.wallpapers.iter().map(String::as_str).collect()
    };
    if ids.is_empty() {
        return Err(Error::file(pack.files().full_name("wallpapers/wallpapers.json"), "no default wallpaper", "at least one"));
    }
    if condition.protocol == Protocol::Windeskground {
        return Ok(ids[0].to_owned());
    }
    Ok(ids[key.stream(Decision::Wallpaper, 0).below(ids.len())].to_owned())
}

/// What shell and desktop icons are made for: a finished scene and what is asked in it.
pub(super) struct Desk<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) key: SampleKey,
    pub(super) placements: &'a TiSlice<PlacementIndex, Placement>,
    /// What the scene was built around.
    pub(super) target: TargetIndex,
    /// What is asked for and not shown. Its program is not among the minimised: its element would be there, only out of
    /// sight.
    pub(super) absent: Option<TargetIndex>,
    /// The latest moment that a window may show, in this scene and in those that are paired with it.
    pub(super) latest: Option<Moment>,
}

impl Desk<'_> {
    fn stream(&self, slot: u64) -> Stream {
        self.key.stream(Decision::Chrome, slot)
    }

    fn absent_program(&self) -> Option<ProgramIndex> {
        let pack = self.scene.pack;
        self.absent.map(|absent| pack.windows[pack.index().targets[absent].window].program)
    }
}

/// Shell and desktop icons for a finished stack.
pub(super) fn chrome(desk: &Desk) -> Chrome {
    let Desk { scene, .. } = desk;
    let (condition, shell) = (scene.condition, scene.shell());
    let mode = condition.chrome;
    if !mode.has_bars() {
        return Chrome::bare(mode);
    }
    let session = scene.session();
    let (clock, time, date) = clock(desk);
    let items = match session {
        Some(record) if shell != ShellKind::Taskbar => items::of_session(desk, record),
        _ => items::of_any(desk),
    };
    let icons = match session {
        _ if mode != ChromeMode::Full => Vec::new(),
        Some(record) => icons::of_session(desk, record),
        None => icons::of_any(desk),
    };
    let mut chrome = Chrome {
        mode,
        shell,
        font: session.map(|session| session.look.font.clone()).unwrap_or_default(),
        dark: session.map_or_else(|| desk.stream(1).chance(500), |record| record.look.dark),
        clock,
        time,
        date,
        tray: if shell == ShellKind::Taskbar { Tray::default() } else { tray(&mut desk.stream(4)) },
        dock: false,
        items,
        side: session.filter(|_| shell == ShellKind::TopBarAndDock).map_or(Side::Left, |record| record.desktop.side),
        icons,
    };
    chrome.dock = chrome.dock_place(condition.canvas).is_some_and(|dock| scene.leaves_free(dock));
    chrome
}

/// When it is, and how the clock says so: after whatever a window may show. Where nothing is known of that, any time
/// will do.
fn clock(desk: &Desk) -> (Option<Moment>, String, String) {
    let (mut stream, session) = (desk.stream(0), desk.scene.session());
    let Some(latest) = desk.latest else {
        let (hour, minute) = (stream.between(7, 22), stream.between(0, 59));
        let (day, month) = (stream.between(1, 28), stream.between(1, 12));
        return (None, format!("{hour:02}:{minute:02}"), format!("{day:02}/{month:02}/2026"));
    };
    let now = work_time_after(latest, stream.below(WORK_MINUTES as usize) as u32);
    let (time_format, date_format) =
        session.map(|record| (record.shell.clock_format, record.shell.date_format)).unwrap_or_default();
    (Some(now), shown_time(time_format, now), shown_date(date_format, now))
}

fn tray(stream: &mut Stream) -> Tray {
    let battery = match stream.below(100) {
        0..40 => Battery::Absent,
        40..60 => Battery::Half,
        60..85 => Battery::Full,
        _ => Battery::Charging,
    };
    let wired = stream.chance(WIRED_PER_MILLE[usize::from(battery != Battery::Absent)]);
    let muted = stream.chance(MUTED_PER_MILLE);
    Tray { network: if wired { Network::Wired } else { Network::Wireless }, muted, battery }
}
