//! The referee of words and of what a reader goes by: looks both up in the pack, and counts the parts pixel by pixel on
//! an owner map. Shares no code with the planner.

use windesk_model::Error;
use windesk_model::condition::{Condition, Protocol, Ratio};
use windesk_model::geometry::Rect;
use windesk_model::index::PlacementIndex;
use windesk_model::instruction::Wording;
use windesk_model::pack_format::EvidenceKind;
use windesk_model::plan::{Plan, PlannedEvidence, PlannedTarget};

use super::owners::Stack;
use crate::pack::evidence::worded;
use crate::pack::{IndexedPack, Target};

/// A part that the pack knows of, where it lies on the screen, and which share of it must be visible, if any.
struct Part {
    kind: EvidenceKind,
    placement: PlacementIndex,
    bbox: Rect,
    least: Option<Ratio>,
}

/// What is wrong with the words of a target and with what is said of its evidence.
pub(super) fn faults(
    pack: &IndexedPack,
    condition: &Condition,
    stack: &Stack,
    asked: &PlannedTarget,
) -> Result<Vec<String>, Error> {
    let plan = stack.plan;
    let window = stack.windows[asked.placement].index();
    let index = pack.index();
    let Some(element) = pack.windows[window].element_index(&asked.element) else {
        return Ok(vec![format!("`{}` is no element of its window as captured", asked.element)]);
    };
    let Some(target) = index.target_at(window, element).map(|at| &index.targets[at]) else {
        return Ok(vec![format!("`{}` is no target of the pack", asked.element)]);
    };
    let Some(sentence) = target.sentences.get(asked.variant as usize) else {
        return Ok(vec![format!("sentence {}, expected one below {}", asked.variant, target.sentences.len())]);
    };
    let mut faults = Vec::new();
    let title = index.title(window).map_or("", |title| &title.text);
    let words = worded(sentence, asked.wording, &pack.program_of(window).record.name, title);
    if words != asked.instruction {
        faults.push(format!("\"{}\" is asked, expected \"{words}\"", asked.instruction));
    }
    let is_as_worded = asked.wording == target.wording && asked.variant == 0 && !condition.shows_context();
    if !target.wordings.contains(&asked.wording) && !is_as_worded {
        faults.push(format!("\"{words}\" is asked, expected one of the wordings {:?}", target.wordings));
    }
    if asked.wording == Wording::Brief && asked.variant != 0 {
        faults.push(format!("\"{words}\" is asked without a context, and only a target's first sentence may be"));
    }
    let (parts, missing) = parts(pack, condition, plan, asked, target, window);
    faults.extend(missing.map(|kind| format!("\"{words}\" needs a {kind:?}, and nothing in the scene shows it")));
    let mut counted = Vec::with_capacity(parts.len());
    for part in parts {
        let total_px = owned(stack, part.placement, part.bbox);
        let visible_px = stack.count(part.placement, part.bbox);
        let Part { kind, placement, bbox, least } = part;
        if least.is_some_and(|least| !least.reached_by(visible_px, total_px)) {
            faults.push(format!("{kind:?} at {bbox:?}: {visible_px} of {total_px} px visible, too few for \"{words}\""));
        }
        let left = Rect::at(bbox.x0(), bbox.y0(), (bbox.width() + 1) / 2, bbox.height());
        let (left_px, all_left) = (stack.count(placement, left), owned(stack, placement, left));
        if kind.is_read_from_left() && least.is_some_and(|least| !least.reached_by(left_px, all_left)) {
            faults.push(format!("{kind:?} at {bbox:?}: it begins with {left_px} of {all_left} px, too few for \"{words}\""));
        }
        counted.push(PlannedEvidence { kind, placement, bbox, total_px, visible_px, required: least.is_some() });
    }
    if counted != asked.evidence {
        faults.push(format!("evidence {:?}, counted {counted:?}", asked.evidence));
    }
    Ok(faults)
}

/// The parts that a reader of a target's words goes by, and a required one that no window shows.
fn parts(
    pack: &IndexedPack,
    condition: &Condition,
    plan: &Plan,
    asked: &PlannedTarget,
    target: &Target,
    window: windesk_model::index::WindowIndex,
) -> (Vec<Part>, Option<EvidenceKind>) {
    let index = pack.index();
    let knobs = condition.evidence.filter(|_| condition.protocol == Protocol::Windesk);
    let share = |least: Ratio| Some(least).filter(|least| !least.is_none());
    let parent = plan.placements[asked.placement].parent;
    let mut missing = None;
    let mut parts = Vec::new();
    let mut add = |kind: EvidenceKind, bbox: Rect, by_parent: bool, least: Option<Ratio>| match if by_parent {
        parent
    } else {
        Some(asked.placement)
    } {
        Some(placement) => {
            parts.push(Part { kind, placement, bbox: bbox.moved(plan.placements[placement].origin), least });
        }
        None if least.is_some() => missing = Some(kind),
        None => {}
    };
    let mine = || target.evidence.iter().filter(|part| part.variant.is_none_or(|variant| variant == asked.variant));
    if asked.wording != Wording::Brief {
        let stated = mine().find(|part| part.kind == EvidenceKind::Title).map(|part| (part.bbox, part.by_parent));
        let own = index.title(window);
        let above = pack.windows[window].parent.and_then(|(parent, _)| index.title(parent));
        let written = match asked.wording {
            Wording::InWindow => own.map(|title| (title.bbox, false)),
            _ => own
                .and_then(|title| Some((title.program?, false)))
                .or_else(|| above.and_then(|title| Some((title.program?, true)))),
        };
        if let Some((bbox, by_parent)) = stated.or(written) {
            add(EvidenceKind::Title, bbox, by_parent, knobs.and_then(|knobs| share(knobs.context)));
        }
    }
    let told_by_place = target.by_place && mine().any(|part| part.kind == EvidenceKind::Landmark);
    for part in mine().filter(|part| part.kind != EvidenceKind::Title) {
        let least = match part.kind {
            EvidenceKind::Landmark => knobs.and_then(|knobs| share(knobs.landmarks)),
            _ if told_by_place => None,
            _ => knobs.and_then(|knobs| share(knobs.own)),
        };
        add(part.kind, part.bbox, part.by_parent, least);
    }
    (parts, missing)
}

/// How many pixels of a box on the screen a window covers, visible or not.
fn owned(stack: &Stack, placement: PlacementIndex, bbox: Rect) -> u64 {
    let origin = stack.plan.placements[placement].origin;
    let (left, right) = (bbox.x0() - origin.x, bbox.x1() - origin.x);
    let shape = &stack.shapes[placement];
    let rows = bbox.y0() - origin.y..bbox.y1() - origin.y;
    rows.flat_map(|y| shape.row(y)).map(|&(a, b)| (a.max(left)..b.min(right)).count() as u64).sum()
}
