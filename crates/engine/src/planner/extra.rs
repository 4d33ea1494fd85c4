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
use super::{PlanError, asked, ink};
use crate::pack::{Asking, IndexedPack};

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
pub(super) fn plan_absent(
    scene: &Scene,
    chrome: &Chrome,
    key: SampleKey,
    absent: TargetIndex,
) -> Result<PlannedAbsent, PlanError> {
    let (pack, index) = (scene.pack, scene.pack.index());
    let wanted = &index.targets[absent];
    let asking = asked::choose(pack, key, asked::OF_ABSENT, absent, &[], true);
    let name = index.name_keys(wanted.window)[wanted.element];
    let there = scene.windows.iter().any(|placed| match name {
        // Words that no name stands for: who knows which of the program's windows they fit.
        None => [Wording::InContext, Wording::InWindow].iter().any(|&by| pack.is_said_of(by, wanted.window, placed.window)),
        Some(_) if !pack.is_said_of(asking.wording, wanted.window, placed.window) => false,
        Some(_) => index.name_keys(placed.window).contains(&name),
    });
    let fits_others =
        asking.wording == Wording::Brief && scene.windows.iter().any(|placed| index.holds_competitor(absent, placed.window));
    let there = there || fits_others;
    if there || names_on_desktop(scene, chrome, name, asking.wording) {
        return Err(Reason::AbsentIsThere.into());
    }
    Ok(PlannedAbsent {
        window: pack.windows[wanted.window].id.clone(),
        element: pack.windows[wanted.window].elements[wanted.element].id.clone(),
        instruction: pack.words(absent, asking),
        wording: asking.wording,
        variant: asking.variant,
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
    let mut said = BTreeSet::from([words.to_owned()]);
    let mut chosen: Vec<(TargetIndex, PlannedTarget)> = Vec::new();
    for (position, target) in candidates {
        if chosen.len() == wanted {
            break;
        }
        if let Some(planned) = askable(scene, chrome, key, position, target)?
            && said.insert(planned.instruction.clone())
        {
            chosen.push((target, planned));
        }
    }
    chosen.sort_by_key(|(target, planned)| (planned.placement, *target));
    Ok(chosen.into_iter().map(|(_, planned)| planned).collect())
}

/// A target of a scene with its counts, if it is visible enough to be asked for and there are words that nothing else
/// fits and of which what they name can be seen.
fn askable(
    scene: &Scene,
    chrome: &Chrome,
    key: SampleKey,
    position: PlacementIndex,
    target: TargetIndex,
) -> Result<Option<PlannedTarget>, Error> {
    let (pack, condition) = (scene.pack, scene.condition);
    let record = &pack.index().targets[target];
    let element = &pack.windows[record.window].elements[record.element];
    let (mask, total_px) = scene.mask_of(position, record.element)?;
    let visible_px = mask.count();
    if visible_px < condition.target.min_visible_px
        || !Ratio::SOLVABLE.reached_by(visible_px, total_px)
        || !scene.is_as_captured(position, record.element)?
    {
        return Ok(None);
    }
    let energy = ink::Energy::of(pack, &scene.shown(position)?, scene.focus(position), element.bbox)?;
    if condition.target.ink_min.is_some_and(|min| !energy.reaches(min, &mask)) {
        return Ok(None);
    }
    let name = pack.index().name_keys(record.window)[record.element];
    for asking in askings(scene, key, position, target) {
        let (evidence, hidden) = scene.counted_evidence(position, &pack.needed(target, asking))?;
        if hidden.is_some()
            || names_on_desktop(scene, chrome, name, asking.wording)
            || scene.is_ambiguous(target, asking.wording)?
        {
            continue;
        }
        return Ok(Some(PlannedTarget {
            placement: position,
            element: element.id.clone(),
            instruction: pack.words(target, asking),
            wording: asking.wording,
            variant: asking.variant,
            instruction_source: record.source,
            total_px,
            visible_px,
            visible_ink: energy.visible_share(&mask),
            ambiguous: false,
            evidence,
        }));
    }
    Ok(None)
}

/// The ways in which a further target may be asked for, in keyed order; as the pack words it where no title bar shows a
/// context and none need be shown.
fn askings(scene: &Scene, key: SampleKey, position: PlacementIndex, target: TargetIndex) -> Vec<Asking> {
    let pack = scene.pack;
    let record = &pack.index().targets[target];
    let with_parent = scene.windows[position].role == Role::Target && scene.position(Role::Parent).is_some();
    let mut askings = pack.askings(target, with_parent);
    if askings.is_empty() && !scene.condition.shows_context() {
        return vec![asked::as_worded(pack, target)];
    }
    let window = &pack.windows[record.window];
    let slot = stable_id(&format!("{}#{}", window.id, window.elements[record.element].id));
    if !askings.is_empty() {
        let first = key.stream(Decision::Wording, slot).below(askings.len());
        askings.rotate_left(first);
    }
    askings
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
