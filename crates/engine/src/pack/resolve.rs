//! From the ids of a plan to the windows of a pack.

use typed_index_collections::TiVec;

use windesk_model::Error;
use windesk_model::desktop::unfit_screen;
use windesk_model::index::PlacementIndex;
use windesk_model::plan::{FARTHEST_PX, MAX_PLACEMENTS, Placement, Plan};

use super::limits::MAX_POINTER_PX;
use super::{Pack, Shown};

/// The pack's windows that a plan names, as it shows them, bottom to top.
///
/// # Errors
/// If the pack has no such window, a window can't have its state, or the plan refers to placements that it does not
/// have.
pub fn resolve<'a>(pack: &'a Pack, plan: &Plan) -> Result<TiVec<PlacementIndex, Shown<'a>>, Error> {
    let place = || format!("plan {}/{}", plan.condition, plan.key.index);
    let known = plan.placements.len();
    let referred = std::iter::once(plan.target.placement).chain(plan.distractors.iter().map(|d| d.placement));
    let referred = referred
        .chain(plan.nearest_competitor.iter().map(|n| n.placement))
        .chain(plan.absent.iter().flat_map(|a| &a.nearest_competitor).map(|n| n.placement))
        .chain(plan.extra_targets.iter().map(|t| t.placement))
        .chain(std::iter::once(&plan.target).chain(&plan.extra_targets).flat_map(|t| &t.evidence).map(|part| part.placement))
        .chain(plan.step.iter().filter_map(|step| step.wanted.as_ref()).map(|w| w.placement))
        .chain(plan.placements.iter().filter_map(|p| p.parent));
    if let Some(beyond) = { referred }.find(|&at| plan.placements.get(at).is_none()) {
        return Err(Error::file(place(), format!("placement {beyond}"), format!("an index below {known}")));
    }
    if known > MAX_PLACEMENTS {
        return Err(Error::file(place(), format!("{known} placements"), format!("at most {MAX_PLACEMENTS}")));
    }
    if let Some((found, expected)) = beyond_bounds(plan) {
        return Err(Error::file(place(), found, expected));
    }
    let find =
        |id: &str| pack.window_index(id).ok_or_else(|| Error::file(place(), format!("window `{id}`"), "a window of the pack"));
    let shown = |(at, p): (PlacementIndex, &Placement)| {
        let named = |e: Error| Error { place: format!("{}, placement {at}: {}", place(), e.place), ..e };
        pack.shown(find(&p.window)?, p.state.as_ref()).map_err(named)
    };
    plan.placements.iter_enumerated().map(shown).collect()
}

/// Most desktop icons and taskbar buttons, and farthest column and row.
const MAX_ICONS: usize = 256;

/// What of a plan is larger than any planner makes it: found and expected. Plans come from strangers too.
fn beyond_bounds(plan: &Plan) -> Option<(String, String)> {
    if let Some(expected) = unfit_screen(plan.canvas) {
        return Some((format!("a canvas of {}x{}", plan.canvas.width, plan.canvas.height), expected));
    }
    let near = |v: i32| (-FARTHEST_PX..=FARTHEST_PX).contains(&v);
    if let Some(far) = plan.placements.iter().find(|p| !near(p.origin.x) || !near(p.origin.y)) {
        return Some((format!("`{}` at {:?}", far.window, far.origin), format!("at most {FARTHEST_PX} px from the origin")));
    }
    if let Some(pointer) = &plan.pointer {
        let places = [pointer.origin, pointer.hotspot];
        if !(1..=MAX_POINTER_PX).contains(&pointer.side_px) || places.iter().any(|p| !near(p.x) || !near(p.y)) {
            let found = format!("a pointer of {} px at {:?}", pointer.side_px, pointer.origin);
            return Some((found, format!("1 to {MAX_POINTER_PX} px, at most {FARTHEST_PX} px from the origin")));
        }
    }
    let cell = |at: u32| at as usize <= MAX_ICONS;
    let chrome = &plan.chrome;
    if chrome.items.len() > MAX_ICONS
        || chrome.icons.len() > MAX_ICONS
        || !chrome.icons.iter().all(|icon| cell(icon.column) && cell(icon.row))
    {
        return Some(("too many icons, or some too far away".to_owned(), format!("at most {MAX_ICONS}")));
    }
    None
}
