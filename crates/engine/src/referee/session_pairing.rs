//! The referee of sweeps over sessions: whether scenes of one index show the same windows as different sessions have
//! them. Places, sizes, shell, desktop icons and pointer are each session's own; all else is the same. Shares no code
//! with the planner.

use windesk_model::condition::Condition;
use windesk_model::index::WindowIndex;
use windesk_model::plan::{Plan, PlannedTarget, Role};

use super::Violation;
use crate::pack::Pack;

/// What must be the same in the scenes of all sessions, as far as it can be compared as it is.
fn shared(plan: &Plan) -> [(&'static str, String); 7] {
    let words = |t: &PlannedTarget| format!("{:?} {:?} {:?}", t.instruction, t.wording, t.instruction_source);
    let stack: Vec<(Role, bool)> = plan.placements.iter().map(|p| (p.role, p.active)).collect();
    [
        ("key", format!("{:?}", plan.key)),
        ("words", words(&plan.target)),
        ("wallpaper", plan.wallpaper.clone()),
        ("time", format!("{:?}", plan.chrome.clock)),
        ("roles and focus of the windows, bottom to top", format!("{stack:?}")),
        ("layer of the target", format!("{:?}", plan.target.placement)),
        ("absent target", format!("{:?}", plan.absent.as_ref().map(|a| (&a.window, &a.element, &a.instruction)))),
    ]
}

/// Checks scenes of one index that show twins; `plans` are in the order of `conditions`.
pub(super) fn check(pack: &Pack, conditions: &[Condition], plans: &[Plan]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (condition, plan) in conditions.iter().zip(plans) {
        if plan.session != condition.as_session {
            let problem = format!("session {:?}, expected {:?}", plan.session, condition.as_session);
            violations.push(Violation(format!("{}: {problem}", plan.condition)));
        }
    }
    let Some((first, others)) = plans.split_first() else { return violations };
    for plan in others {
        let mut differs =
            |what: String| violations.push(Violation(format!("{} and {}: {what}", first.condition, plan.condition)));
        for ((what, ours), (_, theirs)) in shared(first).into_iter().zip(shared(plan)) {
            if ours != theirs {
                differs(format!("another {what}: {ours} and {theirs}"));
            }
        }
        if asked(pack, first) != asked(pack, plan) {
            differs(format!("another target: {:?} and {:?}", asked(pack, first), asked(pack, plan)));
        }
        for (ours, theirs) in first.placements.iter().zip(&plan.placements) {
            let states = [&ours.window, &theirs.window].map(|id| pack.window_index(id).map(|window| shown_state(pack, window)));
            if states[0].is_none() || states[0] != states[1] {
                differs(format!("`{}` is no twin of `{}`", theirs.window, ours.window));
            }
        }
    }
    violations
}

/// Role and name of what is asked for.
fn asked<'a>(pack: &'a Pack, plan: &Plan) -> Option<(&'a str, &'a str)> {
    let window = &pack.windows[pack.window_index(&plan.placements.get(plan.target.placement)?.window)?];
    let element = window.elements.iter().find(|element| element.id == plan.target.element)?;
    Some((&element.role, &element.name))
}

/// The capture that a window and its twins go back to, by the ids alone.
fn shown_state(pack: &Pack, window: WindowIndex) -> String {
    let mut window = &pack.windows[window];
    for _ in 0..8 {
        let Some(original) = window.variant_of else { break };
        window = &pack.windows[original];
    }
    let suffix = format!("--{}", pack.sessions[window.session].id);
    window.id.trim_end_matches(suffix.as_str()).to_owned()
}
