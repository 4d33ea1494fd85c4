//! Keyframes of tasks: counts what a step asks for on a screen that a click made. Nothing is drawn at random.

use windesk_model::condition::{Band, Condition, Ratio};
use windesk_model::geometry::Point;
use windesk_model::index::{ElementIndex, PlacementIndex, TargetIndex};
use windesk_model::plan::{HIDDEN_BELOW_PX, Plan, PlannedTarget, PlannedWanted, Reason, Role};

use super::scene::Scene;
use super::{PlanError, ink};
use crate::annotate::click_point_in;
use crate::pack::IndexedPack;

/// The condition under which a target is hidden: as the level, but that fewer than 48 pixels and at most three tenths
/// of it show. `area` is that of its box, in px.
pub fn hidden_condition(level: &Condition, area: u64) -> Condition {
    let mut hidden = level.clone();
    hidden.visible_ratio = Band(Ratio::within(0, 1), Ratio::SOLVABLE.min(Ratio::within(HIDDEN_BELOW_PX - 1, area)));
    hidden.target.min_visible_px = 0;
    hidden.target.ink_min = None;
    hidden.evidence = None;
    hidden
}

/// What a step's click goes to.
#[derive(Clone, Debug)]
pub enum Click {
    /// The plan's target.
    Target,
    /// An element of bar or dock, by id.
    Shell(String),
}

/// Counts target, and what a task is after, of a keyframe whose windows, words and pointer are set; gives the point
/// that is clicked. `spared` are elements that lead to the same next state, so that words that fit them too are clear.
///
/// # Errors
/// [`PlanError::Rejected`] if too little of what is clicked shows, or its words fit something else that shows.
pub fn keyframe(
    pack: &IndexedPack,
    condition: &Condition,
    mut plan: Plan,
    click: &Click,
    spared: &[(PlacementIndex, ElementIndex)],
) -> Result<(Plan, Point), PlanError> {
    let scene = Scene::of_plan(pack, condition, &plan)?;
    let at = plan.target.placement;
    let known = |element: &str, position: PlacementIndex| -> Result<ElementIndex, PlanError> {
        Ok(scene.shown(position)?.element_index(element).ok_or(Reason::StepAstray)?)
    };
    let element = known(&plan.target.element, at)?;
    let (mask, total_px) = scene.mask_of(at, element)?;
    let shown = scene.shown(at)?;
    let energy = ink::Energy::of(pack, &shown, scene.focus(at), shown.elements[element].bbox)?;
    let itself =
        |position: PlacementIndex, other: ElementIndex| (position, other) == (at, element) || spared.contains(&(position, other));
    let ambiguous = scene.is_said_of_more(at, element, plan.target.wording, &itself)?;
    let captured = shown.as_captured();
    let target: Option<TargetIndex> = captured.and_then(|_| pack.index().target_at(shown.index(), element));
    plan.nearest_competitor = match target {
        Some(target) if scene.windows[at].role == Role::Target => scene.nearest_competitor(target)?,
        _ => None,
    };
    plan.target =
        PlannedTarget { total_px, visible_px: mask.count(), visible_ink: energy.visible_share(&mask), ambiguous, ..plan.target };
    if let Some(wanted) = plan.step.as_mut().and_then(|step| step.wanted.as_mut()) {
        let (mask, total_px) = scene.mask_of(wanted.placement, known(&wanted.element, wanted.placement)?)?;
        *wanted = PlannedWanted { total_px, visible_px: mask.count(), ..wanted.clone() };
        if wanted.visible_px >= HIDDEN_BELOW_PX {
            return Err(Reason::NothingToReveal.into());
        }
    }
    let point = match click {
        Click::Shell(id) => {
            let elements = plan.chrome.taskbar_elements(plan.canvas);
            elements.iter().find(|e| e.id == *id).map(|e| e.bbox.centre()).ok_or(Reason::NoWayToReveal)?
        }
        Click::Target => {
            let PlannedTarget { visible_px, total_px, ambiguous, .. } = plan.target;
            if visible_px < condition.target.min_visible_px || !Ratio::SOLVABLE.reached_by(visible_px, total_px) {
                return Err(Reason::StepHidden.into());
            }
            if condition.target.ink_min.is_some_and(|min| !energy.reaches(min, &mask)) {
                return Err(Reason::InkTooLow.into());
            }
            if ambiguous {
                return Err(Reason::Ambiguous.into());
            }
            click_point_in(pack, &plan)?.ok_or(Reason::StepHidden)?
        }
    };
    Ok((plan, point))
}
