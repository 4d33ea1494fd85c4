//! What a scene can be asked besides its promised target: further elements that are there, or something that is not.
//!
//! Nothing here moves a window: scenes are the same with and without it.

use std::collections::BTreeSet;

use windesk_model::Error;
use windesk_model::condition::{Condition, Ratio};
use windesk_model::desktop::Chrome;
use windesk_model::digest::stable_id;
use windesk_model::index::{PlacementIndex, TargetIndex};
use windesk_model::instruction::Wording;
use windesk_model::key::{Decision, SampleKey};
use windesk_model::plan::{PlannedAbsent, PlannedTarget, Reason, Role};

use super::filters::passes_filters;
use super::pool::TargetPool;
use super::scene::Scene;
use super::{PlanError, ink};
use crate::pack::IndexedPack;

/// Slots of [`Decision::AbsentTarget`] beyond those of drawing a target.
const WHETHER: u64 = 10;
const WHICH: u64 = 11;
/// Of 1000 absent targets, so many are like what the scene was built around; the others are drawn as any target.
const ALIKE_PER_MILLE: u32 = 500;

/// The target that an index asks for without showing it; nothing for indices that show theirs.
///
/// Whether it is so depends on seed and index alone, so that rejected draws don't move the share.
pub(super) fn absent_target(
    pack: &IndexedPack,
    pool: &TargetPool,
    condition: &Condition,
    key: SampleKey,
    target: TargetIndex,
) -> Option<TargetIndex> {
    const WHOLE: u64 = 10_000;
    let of_index = SampleKey { draw: 0, ..key };
    let share = condition.absent_share.floor_of(WHOLE);
    if of_index.stream(Decision::AbsentTarget, WHETHER).below(WHOLE as usize) as u64 >= share {
        return None;
    }
    let alike = pack.index().neighbours(target, condition.sessions);
    let mut stream = key.stream(Decision::AbsentTarget, WHICH);
    Some(if stream.chance(ALIKE_PER_MILLE) && !alike.is_empty() {
        alike[stream.below(alike.len())]
    } else {
        pool.pick_as(Decision::AbsentTarget, key, condition)
    })
}

/// The words of an absent target, if nothing in the finished scene satisfies them, hidden or not.
pub(super) fn plan_absent(scene: &Scene, chrome: &Chrome, absent: TargetIndex) -> Result<PlannedAbsent, PlanError> {
    let (pack, index) = (scene.pack, scene.pack.index());
    let wanted = &index.targets[absent];
    let own_program = &pack.program_of(wanted.window).record.name;
    let name = index.name_keys(wanted.window)[wanted.element];
    let there = scene.windows.iter().any(|placed| {
        let same_program = pack.program_of(placed.window).record.name == *own_program;
        match name {
            // Words that no name stands for: who knows which of the program's windows they fit.
            None => same_program,
            Some(_) if wanted.wording == Wording::InContext && !same_program => false,
            Some(_) => index.name_keys(placed.window).contains(&name),
        }
    });
    if there || names_on_desktop(scene, chrome, name, wanted.wording) {
        return Err(Reason::AbsentIsThere.into());
    }
    Ok(PlannedAbsent {
        window: pack.windows[wanted.window].id.clone(),
        element: pack.windows[wanted.window].elements[wanted.element].id.clone(),
        instruction: wanted.instruction.clone(),
        wording: wanted.wording,
        instruction_source: wanted.source,
        nearest_competitor: scene.nearest_competitor(absent)?,
    })
}

/// Further elements that can be asked for in the finished scene, bottom to top: solvably visible, unambiguous, let
/// through by the condition's filters, with enough ink. Of more than are wanted, a keyed choice.
pub(super) fn extra_targets(
    scene: &Scene,
    chrome: &Chrome,
    key: SampleKey,
    promised: Option<TargetIndex>,
    words: &str,
) -> Result<Vec<PlannedTarget>, Error> {
    let (pack, condition) = (scene.pack, scene.condition);
    let wanted = condition.targets_per_scene.extra();
    if wanted == 0 {
        return Ok(Vec::new());
    }
    let index = pack.index();
    let modal = scene.position(Role::Target).is_some_and(|at| pack.windows[scene.windows[at].window].modal);
    let mut candidates: Vec<(PlacementIndex, TargetIndex)> = Vec::new();
    for (position, placed) in scene.windows.iter_enumerated() {
        // A parent window takes no clicks while its modal dialog is open.
        if !(modal && placed.role == Role::Parent) {
            candidates.extend(index.targets_in(placed.window).filter(|&t| Some(t) != promised).map(|t| (position, t)));
        }
    }
    candidates.retain(|&(_, target)| passes_filters(pack, condition, &index.targets[target]));
    candidates.sort_by_cached_key(|&(_, target)| {
        let target = &index.targets[target];
        let window = &pack.windows[target.window];
        key.rank(Decision::ExtraTarget, stable_id(&format!("{}#{}", window.id, window.elements[target.element].id)))
    });
    let mut asked = BTreeSet::from([words]);
    let mut chosen: Vec<(TargetIndex, PlannedTarget)> = Vec::new();
    for (position, target) in candidates {
        if chosen.len() == wanted {
            break;
        }
        let record = &index.targets[target];
        let name = index.name_keys(record.window)[record.element];
        if asked.contains(record.instruction.as_str()) || names_on_desktop(scene, chrome, name, record.wording) {
            continue;
        }
        if let Some(planned) = askable(scene, position, target)? {
            asked.insert(&record.instruction);
            chosen.push((target, planned));
        }
    }
    chosen.sort_by_key(|(target, planned)| (planned.placement, *target));
    Ok(chosen.into_iter().map(|(_, planned)| planned).collect())
}

/// A target of a scene with its counts, if it is visible enough to be asked for and nothing else fits its words.
fn askable(scene: &Scene, position: PlacementIndex, target: TargetIndex) -> Result<Option<PlannedTarget>, Error> {
    let (pack, condition) = (scene.pack, scene.condition);
    let record = &pack.index().targets[target];
    let element = &pack.windows[record.window].elements[record.element];
    let (mask, total_px) = scene.mask_of(position, record.element)?;
    let visible_px = mask.count();
    if visible_px < condition.target.min_visible_px
        || !Ratio::SOLVABLE.reached_by(visible_px, total_px)
        || scene.is_ambiguous(target)?
        || !scene.is_as_captured(position, record.element)?
    {
        return Ok(None);
    }
    let energy = ink::Energy::of(pack, &scene.shown(position)?, scene.focus(position), element.bbox)?;
    if condition.target.ink_min.is_some_and(|min| !energy.reaches(min, &mask)) {
        return Ok(None);
    }
    Ok(Some(PlannedTarget {
        placement: position,
        element: element.id.clone(),
        instruction: record.instruction.clone(),
        wording: record.wording,
        instruction_source: record.source,
        total_px,
        visible_px,
        visible_ink: energy.visible_share(&mask),
        ambiguous: false,
    }))
}

/// Whether an icon on the desktop is called so, or, for words that name no program, something in bars or dock.
pub(super) fn names_on_desktop(scene: &Scene, chrome: &Chrome, name: Option<u32>, wording: Wording) -> bool {
    let Some(name) = name else { return false };
    let index = scene.pack.index();
    let mut elements = chrome.desktop_elements(scene.condition.canvas);
    if wording == Wording::Brief {
        elements.extend(chrome.taskbar_elements(scene.condition.canvas));
    }
    elements.iter().any(|element| index.reads_like(name, &element.name))
}
