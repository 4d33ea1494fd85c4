//! Which programs stand in taskbar, panel or dock.

use std::collections::BTreeSet;

use windesk_model::desktop::{TaskbarItem, item_room};
use windesk_model::index::ProgramIndex;
use windesk_model::key::{Decision, SampleKey};
use windesk_model::pack_format::{Category, Icon, Session};
use windesk_model::plan::Placement;

use super::Desk;

/// Programs beside those with a window in the scene, at most: pinned ones and minimised ones.
const MAX_IDLE: i64 = 5;
/// Of 1000 of these, so many run minimised.
const MINIMISED_PER_MILLE: u32 = 400;
/// Of 1000 programs that a session has pinned and the scene shows no window of, so many run minimised.
const PINNED_MINIMISED_PER_MILLE: u32 = 200;
/// Programs that a session has not pinned and that may run minimised, at most.
const MAX_UNPINNED_IDLE: i64 = 2;
/// Programs in the taskbar, at most.
const MAX_ITEMS: usize = 24;

/// Open programs in keyed order, with a few pinned and minimised ones among them. Which ones are minimised depends on
/// the key and the program alone: it is the same in all scenes of a sweep that show no window of it.
pub(super) fn of_any(desk: &Desk) -> Vec<TaskbarItem> {
    let (open, programs) = (open(desk), ranked(desk));
    let idle_count = desk.stream(2).between(1, MAX_IDLE) as usize;
    let idle: BTreeSet<ProgramIndex> = programs.iter().copied().filter(|p| !open.contains(p)).take(idle_count).collect();
    let shown = programs.into_iter().filter(|p| open.contains(p) || idle.contains(p)).take(most(desk));
    written(desk, shown.map(|p| (p, idle.contains(&p) && is_minimised(desk, p, MINIMISED_PER_MILLE))))
}

/// What the session has pinned, in its order; then open programs and minimised ones of the session, in keyed order.
/// Which ones are minimised depends on key and program alone, as above; who is neither pinned nor running is not there.
pub(super) fn of_session(desk: &Desk, record: &Session) -> Vec<TaskbarItem> {
    let pack = desk.scene.pack;
    let open = open(desk);
    let in_session = |p: ProgramIndex| desk.scene.has_in_session(p);
    let mut listed = BTreeSet::new();
    let pinned = record.shell.pinned.iter().filter_map(|id| pack.programs.position(|p| p.record.id == *id));
    let mut shown: Vec<(ProgramIndex, bool)> = pinned
        .filter(|&p| (open.contains(&p) || in_session(p)) && listed.insert(p))
        .map(|p| (p, !open.contains(&p) && is_minimised(desk, p, PINNED_MINIMISED_PER_MILLE)))
        .collect();
    let mut idle_left = desk.stream(2).between(0, MAX_UNPINNED_IDLE);
    for p in ranked(desk).into_iter().filter(|p| !listed.contains(p)) {
        if open.contains(&p) {
            shown.push((p, false));
        } else if idle_left > 0 && in_session(p) {
            idle_left -= 1;
            shown.extend(is_minimised(desk, p, MINIMISED_PER_MILLE).then_some((p, true)));
        }
    }
    // Where room is short, open programs stay.
    while shown.len() > most(desk) {
        let last_idle = shown.iter().rposition(|(p, _)| !open.contains(p));
        shown.remove(last_idle.unwrap_or(shown.len() - 1));
    }
    written(desk, shown.into_iter())
}

fn most(desk: &Desk) -> usize {
    item_room(desk.scene.condition.canvas, desk.scene.shell()).min(MAX_ITEMS)
}

fn program_of(desk: &Desk, placement: &Placement) -> Option<ProgramIndex> {
    let pack = desk.scene.pack;
    pack.window_index(&placement.window).map(|w| pack.windows[w].program)
}

fn open(desk: &Desk) -> BTreeSet<ProgramIndex> {
    desk.placements.iter().filter_map(|p| program_of(desk, p)).collect()
}

/// All programs in keyed order.
fn ranked(desk: &Desk) -> Vec<ProgramIndex> {
    let programs = &desk.scene.pack.programs;
    let mut ranked: Vec<ProgramIndex> = programs.keys().collect();
    ranked.sort_by_cached_key(|&p| desk.key.rank(Decision::Chrome, programs[p].stable_id));
    ranked
}

/// Whether a program without a window in the scene runs all the same.
fn is_minimised(desk: &Desk, program: ProgramIndex, per_mille: u32) -> bool {
    let drawn = desk.key.stream(Decision::Minimised, desk.scene.pack.programs[program].stable_id).chance(per_mille);
    drawn && desk.absent_program() != Some(program)
}

/// Programs with whether they are minimised, as items; one for which the pack has no icon is left out.
fn written(desk: &Desk, shown: impl Iterator<Item = (ProgramIndex, bool)>) -> Vec<TaskbarItem> {
    let pack = desk.scene.pack;
    let usable: Vec<&Icon> = pack.icons.iter().filter(|i| i.uses.iter().any(|u| u == "taskbar")).collect();
    let programs: Vec<_> = desk.placements.iter().map(|at| (program_of(desk, at), at.active)).collect();
    let mut used_icons = BTreeSet::new();
    shown
        .filter_map(|(p, is_minimised)| {
            let record = &pack.programs[p].record;
            let icon = program_icon(&usable, desk.key, &record.id, record.category, &used_icons)?;
            used_icons.insert(icon.id.as_str());
            let own = || programs.iter().filter(|(program, _)| *program == Some(p));
            Some(TaskbarItem {
                name: record.name.clone(),
                icon: icon.id.clone(),
                windows: own().count() as u32,
                minimised: u32::from(is_minimised),
                active: own().any(|(_, active)| *active),
            })
        })
        .collect()
}

/// An icon made for the program, else one of its category, that is not yet in this bar; else any that is made for it.
/// All of them `usable` in one.
fn program_icon<'a>(
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
