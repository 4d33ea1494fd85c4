//! Why a pack has no target for a condition, and what would help.

use windesk_model::Error;
use windesk_model::condition::{Condition, InstructionChoice, Protocol};
use windesk_model::plural::counted;

use super::filters::passes_filters;
use crate::pack::{IndexedPack, Program};

/// An error for conditions that no target of the pack satisfies.
pub(super) fn nothing_left(pack: &IndexedPack, conditions: &[Condition]) -> Error {
    let place = place_of(conditions);
    if let Some(error) = similar_programs_missing(pack, conditions) {
        return error;
    }
    let found = format!("no target of the pack `{}` is left by its filters, sizes and weights", pack.header.name);
    let error = Error::config(place, format!("{found}, expected at least one"));
    let used = filters_in_use(conditions);
    if used.is_empty() {
        error.with_hint(
            "no filter is set: its windows are too large for the screen (option `canvas`) or its elements too small \
             (option `set` target.min_visible_px=1)",
        )
    } else {
        error.with_hint(format!("loosen {}", used.join(", ")))
    }
}

/// Refuses a number of windows that the pack can't show: in protocol `windesk` a program shows one window, and a
/// dialog that is the target may bring its parent.
///
/// # Errors
/// If a condition wants more windows in every scene.
pub(super) fn check_windows(pack: &IndexedPack, conditions: &[Condition]) -> Result<(), Error> {
    let stands = |program: &&Program| program.windows.iter().any(|&window| pack.windows[window].is_of_desktop());
    let programs = pack.programs.iter().filter(stands).count() as u32;
    let with_parent = u32::from(pack.windows.iter().any(|window| window.parent.is_some()));
    let wants = |c: &&Condition| c.protocol == Protocol::Windesk && c.windows[0] > programs + with_parent;
    match conditions.iter().filter(wants).max_by_key(|c| c.windows[0]) {
        None => Ok(()),
        Some(condition) => Err(too_few(pack, conditions, condition.windows[0], "a program shows one window in a scene")),
    }
}

/// An error if no target that the filters let through has enough programs like it.
fn similar_programs_missing(pack: &IndexedPack, conditions: &[Condition]) -> Option<Error> {
    let wanted = |c: &&Condition| c.protocol == Protocol::Windesk && c.distractor.count > 0;
    let condition = conditions.iter().filter(wanted).max_by_key(|c| c.distractor.rank + c.distractor.count)?;
    let needed = condition.distractor.rank + condition.distractor.count - 1;
    if most_neighbours(pack, condition)? >= needed {
        return None;
    }
    let why = match condition.distractor.count {
        1 => format!("that of the target, and {needed} others for a similar distractor of rank {needed}"),
        count => format!(
            "that of the target, and {needed} others for {count} similar distractors from rank {}",
            condition.distractor.rank
        ),
    };
    Some(too_few(pack, conditions, needed + 1, &why))
}

/// The most programs that resemble a target which the filters let through; none if they let none through.
fn most_neighbours(pack: &IndexedPack, condition: &Condition) -> Option<u32> {
    let index = pack.index();
    let targets = index.targets.iter_enumerated().filter(|(_, target)| passes_filters(pack, condition, target));
    targets.map(|(at, _)| index.neighbours(at, condition.sessions).len() as u32).max()
}

fn too_few(pack: &IndexedPack, conditions: &[Condition], needed: u32, why: &str) -> Error {
    let programs = counted(pack.programs.len(), "program");
    let problem = format!("{programs} in the pack `{}`, expected at least {needed}: {why}", pack.header.name);
    let error = Error::config(place_of(conditions), problem);
    match changes_that_work(pack, conditions) {
        Some(changes) => error.with_hint(format!("with these programs: {changes}")),
        None => error.with_hint("add programs to the pack, or merge it with another one (windesk pack merge)"),
    }
}

/// `set` options with which every condition finds enough programs, if there are any.
fn changes_that_work(pack: &IndexedPack, conditions: &[Condition]) -> Option<String> {
    let programs = pack.programs.len() as u32;
    let similar = conditions.iter().filter_map(|c| most_neighbours(pack, c)).min()?;
    let count = conditions.iter().map(|c| c.distractor.count).max()?;
    let mut changes = Vec::new();
    let mut fewest = conditions.iter().map(Condition::fewest_windows).max()?;
    if similar < count {
        fewest -= count;
        changes.push("option `set` distractor.count=0".to_owned());
    } else if conditions.iter().any(|c| c.distractor.rank + count - 1 > similar) {
        changes.push(format!("option `set` distractor.rank={}", similar + 1 - count));
    }
    if fewest > programs {
        return None;
    }
    let [least, most] = [0, 1].map(|end| conditions.iter().map(|c| c.windows[end]).min().unwrap_or(1));
    if conditions.iter().any(|c| c.windows[1] > programs) {
        let [least, most] = [least, most].map(|count| count.clamp(fewest, programs));
        changes.push(format!("option `set` windows={least}..{most}"));
    }
    (!changes.is_empty()).then(|| changes.join(" "))
}

/// Options that keep targets out, of those that are set.
fn filters_in_use(conditions: &[Condition]) -> Vec<&'static str> {
    let any = |set: fn(&Condition) -> bool| conditions.iter().any(set);
    let options = [
        ("option `category`", any(|c| !c.filters.categories.is_empty())),
        ("option `app`", any(|c| !c.filters.apps.is_empty())),
        ("option `role`", any(|c| !c.filters.roles.is_empty())),
        ("option `ui_type`", any(|c| !c.filters.ui_types.is_empty())),
        ("option `target_size`", any(|c| !c.filters.target_sizes.is_empty())),
        ("option `instructions`", any(|c| c.instructions == InstructionChoice::Reviewed)),
        ("option `set` category_weights", any(|c| c.category_weights.values().any(|&weight| weight == 0))),
        ("option `set` theme", any(|c| c.theme.is_some())),
    ];
    options.into_iter().filter(|(_, used)| *used).map(|(option, _)| option).collect()
}

fn place_of(conditions: &[Condition]) -> String {
    let names: Vec<&str> = conditions.iter().map(|c| c.name.as_str()).collect();
    format!("condition {}", names.join(", "))
}
