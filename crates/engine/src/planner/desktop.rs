//! Decides wallpaper, taskbar and desktop icons.

use std::collections::BTreeSet;

use typed_index_collections::TiSlice;

use windesk_model::Error;
use windesk_model::condition::{ChromeMode, Condition, Protocol};
use windesk_model::desktop::{Chrome, DesktopIcon, TaskbarItem, icon_grid};
use windesk_model::index::{PlacementIndex, ProgramIndex, TargetIndex};
use windesk_model::key::{Decision, SampleKey, Stream};
use windesk_model::pack_format::{Category, Icon};
use windesk_model::plan::Placement;

use crate::pack::{IndexedPack, Pack};

/// Programs beside those with a window in the scene, at most: pinned ones and minimised ones.
const MAX_IDLE: i64 = 5;
/// Of 1000 of these, so many run minimised.
const MINIMISED_PER_MILLE: u32 = 400;
/// Programs in the taskbar, at most.
const MAX_ITEMS: usize = 24;
/// Fewest and most desktop icons.
const ICONS: (i64, i64) = (4, 22);

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

/// Taskbar and desktop icons for a finished stack. The program of the `absent` target, if one is asked for, is not
/// among the minimised: its element would be there, only out of sight.
pub(super) fn chrome(
    pack: &IndexedPack,
    condition: &Condition,
    key: SampleKey,
    placements: &TiSlice<PlacementIndex, Placement>,
    target: TargetIndex,
    absent: Option<TargetIndex>,
) -> Chrome {
    if condition.chrome == ChromeMode::None {
        return Chrome::none();
    }
    let part = |slot| key.stream(Decision::Chrome, slot);
    let mut clock = part(0);
    let (hour, minute) = (clock.between(7, 22), clock.between(0, 59));
    let (day, month) = (clock.between(1, 28), clock.between(1, 12));
    let index = pack.index();
    let absent_program = absent.map(|absent| pack.windows[index.targets[absent].window].program);
    let items = taskbar_items(pack, key, placements, absent_program, &mut part(2));
    let icons =
        if condition.chrome == ChromeMode::Full { desktop_icons(pack, condition, key, &mut part(3), target) } else { Vec::new() };
    Chrome {
        mode: condition.chrome,
        dark: part(1).chance(500),
        time: format!("{hour:02}:{minute:02}"),
        date: format!("{day:02}/{month:02}/2026"),
        items,
        icons,
    }
}

/// Open programs in keyed order, with a few pinned and minimised ones among them. Which ones are minimised depends on
/// the key and the program alone: it is the same in all scenes of a sweep that show no window of it.
fn taskbar_items(
    pack: &Pack,
    key: SampleKey,
    placements: &TiSlice<PlacementIndex, Placement>,
    absent_program: Option<ProgramIndex>,
    stream: &mut Stream,
) -> Vec<TaskbarItem> {
    let program_of = |p: &Placement| pack.window_index(&p.window).map(|w| pack.windows[w].program);
    let open: BTreeSet<ProgramIndex> = placements.iter().filter_map(program_of).collect();
    let mut programs: Vec<ProgramIndex> = pack.programs.keys().collect();
    programs.sort_by_cached_key(|&p| key.rank(Decision::Chrome, pack.programs[p].stable_id));
    let idle_count = stream.between(1, MAX_IDLE) as usize;
    let idle: BTreeSet<ProgramIndex> = programs.iter().copied().filter(|p| !open.contains(p)).take(idle_count).collect();
    let is_minimised = |p: ProgramIndex| {
        let drawn = key.stream(Decision::Minimised, pack.programs[p].stable_id).chance(MINIMISED_PER_MILLE);
        drawn && idle.contains(&p) && absent_program != Some(p)
    };
    let mut used_icons = BTreeSet::new();
    let usable: Vec<&Icon> = pack.icons.iter().filter(|i| i.uses.iter().any(|u| u == "taskbar")).collect();
    programs
        .into_iter()
        .filter(|p| open.contains(p) || idle.contains(p))
        .take(MAX_ITEMS)
        .filter_map(|p| {
            let record = &pack.programs[p].record;
            let icon = taskbar_icon(&usable, key, &record.id, record.category, &used_icons)?;
            used_icons.insert(icon.id.as_str());
            let of_program = |at: &&Placement| program_of(at) == Some(p);
            Some(TaskbarItem {
                name: record.name.clone(),
                icon: icon.id.clone(),
                windows: placements.iter().filter(of_program).count() as u32,
                minimised: u32::from(is_minimised(p)),
                active: placements.iter().filter(of_program).any(|at| at.active),
            })
        })
        .collect()
}

/// An icon made for the program, else one of its category, that is not yet in this taskbar; else any that is made for
/// it. All of them `usable` in one.
fn taskbar_icon<'a>(
    usable: &[&'a Icon],
    key: SampleKey,
    program: &str,
    category: Category,
    used: &BTreeSet<&str>,
) -> Option<&'a Icon> {
    let usable = || usable.iter().copied();
    let own = || usable().filter(|i| i.programs.iter().any(|p| p == program));
    let of_category = || usable().filter(|i| i.categories.contains(&category));
    let rank = |icon: &&Icon| key.rank(Decision::Chrome, windesk_model::digest::stable_id(&icon.id));
    let fresh = |icon: &&Icon| !used.contains(icon.id.as_str());
    own()
        .filter(fresh)
        .min_by_key(rank)
        .or_else(|| of_category().filter(fresh).min_by_key(rank))
        .or_else(|| own().chain(of_category()).min_by_key(rank))
}

/// Icons in columns from the top left, none twice, none whose caption would satisfy the target's words.
fn desktop_icons(
    pack: &IndexedPack,
    condition: &Condition,
    key: SampleKey,
    stream: &mut Stream,
    target: TargetIndex,
) -> Vec<DesktopIcon> {
    let index = pack.index();
    let record = &index.targets[target];
    let twin = index.name_keys(record.window)[record.element];
    let (columns, rows) = icon_grid(condition.canvas);
    let count = (stream.between(ICONS.0, ICONS.1) as usize).min((columns * rows) as usize);
    let mut icons: Vec<&Icon> = pack.icons.iter().filter(|i| i.uses.iter().any(|u| u == "desktop")).collect();
    icons.sort_by_cached_key(|i| key.rank(Decision::Chrome, windesk_model::digest::stable_id(&i.id)));
    let mut labels = BTreeSet::new();
    let per_column = stream.between(5, i64::from(rows.max(5))) as usize;
    let mut placed = Vec::new();
    for icon in icons {
        if placed.len() == count {
            break;
        }
        let label = if icon.labels.is_empty() { &icon.label } else { &icon.labels[stream.below(icon.labels.len())] };
        if twin.is_some_and(|key| index.reads_like(key, label)) || !labels.insert(label.as_str()) {
            continue;
        }
        let at = placed.len();
        let per_column = per_column.min(rows as usize);
        if (at / per_column) as u32 >= columns {
            break;
        }
        placed.push(DesktopIcon {
            icon: icon.id.clone(),
            label: label.clone(),
            column: (at / per_column) as u32,
            row: (at % per_column) as u32,
        });
    }
    placed
}
