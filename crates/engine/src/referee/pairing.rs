//! The referee of sweeps: whether the scenes of one index differ in nothing but what their conditions differ in. Shares
//! no code with the planner of sweeps.

use std::collections::{BTreeMap, BTreeSet};

use windesk_model::Error;
use windesk_model::condition::Condition;
use windesk_model::geometry::{Point, Rect};
use windesk_model::page_state::PageState;
use windesk_model::plan::{Placement, Plan, Role};

use crate::pack::Pack;
use crate::referee::{Violation, session_pairing, visible_points};

/// Checks scenes of one index that were planned as pairs; `plans` are in the order of `conditions`. An empty list means
/// that every rule holds.
///
/// # Errors
/// If a plan names what the pack does not have, or a picture can't be read.
pub fn check_pairing(pack: &Pack, conditions: &[Condition], plans: &[Plan]) -> Result<Vec<Violation>, Error> {
    if conditions.iter().any(|c| c.as_session.is_some()) {
        return Ok(session_pairing::check(pack, conditions, plans));
    }
    let mut violations = Vec::new();
    let Some((first, others)) = plans.split_first() else { return Ok(violations) };
    for (condition, plan) in conditions[1..].iter().zip(others) {
        let mut expect = |holds: bool, what: &str| {
            if !holds {
                violations.push(Violation(format!("{} and {}: {what}", first.condition, plan.condition)));
            }
        };
        let base = &conditions[0];
        let (ours, theirs) = (&first.target, &plan.target);
        let words = |t: &windesk_model::plan::PlannedTarget| (t.instruction.clone(), t.wording, t.instruction_source);
        expect(words(ours) == words(theirs), "other words");
        expect(asked(pack, first)? == asked(pack, plan)?, "another target");
        // Twins are one window for this purpose.
        let themed = base.theme != condition.theme;
        let places = |plan: &Plan, role: Role| places(pack, plan, role, themed);
        let absent_words = |p: &Plan| p.absent.as_ref().map(|a| (a.element.clone(), a.instruction.clone()));
        expect(absent_words(first) == absent_words(plan), "another absent target");
        expect(first.key == plan.key, "another key");
        expect(base.wallpapers != condition.wallpapers || first.wallpaper == plan.wallpaper, "another wallpaper");
        let states = |plan: &Plan| -> BTreeMap<String, Option<PageState>> {
            plan.placements.iter().map(|placed| (placed.window.clone(), placed.state.clone())).collect()
        };
        let (ours_in, theirs_in) = (states(first), states(plan));
        let same_states = ours_in.iter().all(|(window, state)| theirs_in.get(window).is_none_or(|other| other == state));
        expect(base.states != condition.states || same_states, "a window is in another state");
        expect(base.pointer != condition.pointer || first.pointer == plan.pointer, "another pointer");
        let same_chrome = base.chrome == condition.chrome;
        expect(!same_chrome || first.chrome.icons == plan.chrome.icons, "other desktop icons");
        expect(!same_chrome || first.chrome.dock == plan.chrome.dock, "the dock is out in one and not in the other");
        expect(!same_chrome || first.chrome.clock == plan.chrome.clock, "another time");
        let same_counts = base.windows == condition.windows && base.distractor.count == condition.distractor.count;
        let same_windows = same_counts && base.distractor == condition.distractor;
        expect(!(same_chrome && same_windows) || first.chrome == plan.chrome, "another taskbar");
        expect(!same_chrome || minimised_alike(first, plan), "a program is minimised in one and only pinned in the other");
        for role in [Role::Target, Role::Parent, Role::Background] {
            let (ours, theirs) = (places(first, role), places(plan, role));
            let (fewer, more) = if ours.len() <= theirs.len() { (&ours, &theirs) } else { (&theirs, &ours) };
            expect(is_subsequence(fewer, more), "windows are at other positions or in another order");
            let may_add = role == Role::Background && !same_counts;
            expect(may_add || ours.len() == theirs.len(), "windows come or go that no knob moves");
        }
        let same_band = base.visible_ratio == condition.visible_ratio && base.occluder == condition.occluder;
        let (ours, theirs) = (places(first, Role::Occluder), places(plan, Role::Occluder));
        expect(!same_band || ours == theirs, "the occluder moved");
        let names = |list: &[(String, Point)]| list.iter().map(|(window, _)| window.clone()).collect::<Vec<_>>();
        expect(ours.is_empty() || theirs.is_empty() || names(&ours) == names(&theirs), "another occluder");
        expect(
            base.distractor != condition.distractor || places(first, Role::Distractor) == places(plan, Role::Distractor),
            "the distractor changed or moved",
        );
    }
    if !violations.is_empty() {
        return Ok(violations);
    }
    // What is visible with less of the target is visible with more of it.
    let mut masks: Vec<(&Plan, BTreeSet<(i32, i32)>)> = Vec::with_capacity(plans.len());
    for plan in plans {
        let target = &plan.placements[plan.target.placement];
        let points = visible_points(pack, plan)?.into_iter().map(|p| (p.x - target.origin.x, p.y - target.origin.y)).collect();
        masks.push((plan, points));
    }
    masks.sort_by_key(|(_, points)| points.len());
    for pair in masks.windows(2) {
        let [(less, fewer), (more, all)] = pair else { continue };
        if !fewer.is_subset(all) {
            violations.push(Violation(format!("{}: shows pixels of the target that {} hides", less.condition, more.condition)));
        }
    }
    Ok(violations)
}

/// What is asked for, as a person would tell it: window box, role, name and box of the element.
fn asked(pack: &Pack, plan: &Plan) -> Result<(Rect, String, String, Rect), Error> {
    let placed = &plan.placements[plan.target.placement];
    let missing = || Error::file("plan", format!("{} {}", placed.window, plan.target.element), "an element of the pack");
    let window = &pack.windows[pack.window_index(&placed.window).ok_or_else(missing)?];
    let element = window.elements.iter().find(|e| e.id == plan.target.element).ok_or_else(missing)?;
    Ok((window.frame, element.role.clone(), element.name.clone(), element.bbox))
}

/// Windows of a role and where they lie, bottom to top; a dark twin under the name of its light one if `themed`.
fn places(pack: &Pack, plan: &Plan, role: Role, themed: bool) -> Vec<(String, Point)> {
    let light = |id: &String| {
        let twin_of = pack.window_index(id).and_then(|w| pack.windows[w].variant_of).filter(|_| themed);
        twin_of.map_or_else(|| id.clone(), |w| pack.windows[w].id.clone())
    };
    let of_role = |p: &&Placement| p.role == role;
    plan.placements.iter().filter(of_role).map(|p| (light(&p.window), p.origin)).collect()
}

/// Whether programs that show no window in either scene run minimised in both taskbars or in neither.
fn minimised_alike(a: &Plan, b: &Plan) -> bool {
    let idle = |plan: &Plan| -> BTreeMap<String, u32> {
        let items = plan.chrome.items.iter().filter(|item| item.windows == 0);
        items.map(|item| (item.name.clone(), item.minimised)).collect()
    };
    let (ours, theirs) = (idle(a), idle(b));
    ours.iter().all(|(name, minimised)| theirs.get(name).is_none_or(|other| other == minimised))
}

fn is_subsequence<T: PartialEq>(fewer: &[T], more: &[T]) -> bool {
    let mut rest = more.iter();
    fewer.iter().all(|item| rest.any(|other| other == item))
}
