//! Patches of two controls that change the same pixels: which of them shows must be known.

use std::collections::{BTreeMap, BTreeSet};

use windesk_model::Error;
use windesk_model::geometry::Rect;
use windesk_model::pack_format::living::{Patch, Rule, Values};

use super::At;
use super::check::Written;

/// Every two patches of different controls that can show together either share no pixel, or one of them says that it
/// was captured over the other, or a rule forbids the two.
pub(super) fn check(written: &Written) -> Result<(), Error> {
    let mut of_control: BTreeMap<&str, Vec<&At<Patch>>> = BTreeMap::new();
    for patch in &written.patches {
        of_control.entry(&patch.line.control).or_default().push(patch);
    }
    let forbidden: BTreeSet<(&str, &str)> = written
        .rules
        .iter()
        .filter_map(|rule| match &rule.line {
            Rule::Conflict { controls: [one, other] } => Some([(one.as_str(), other.as_str()), (other.as_str(), one.as_str())]),
            _ => None,
        })
        .flatten()
        .collect();
    let hulls: Vec<(&str, Option<Rect>)> = of_control.iter().map(|(&control, patches)| (control, hull(patches))).collect();
    for (at, (one, one_hull)) in hulls.iter().enumerate() {
        for (other, other_hull) in &hulls[at + 1..] {
            let near = one_hull.zip(*other_hull).is_some_and(|(a, b)| a.touches(b));
            if near && !forbidden.contains(&(*one, *other)) {
                check_pair(&of_control[one], &of_control[other])?;
            }
        }
    }
    Ok(())
}

fn hull(patches: &[&At<Patch>]) -> Option<Rect> {
    patches.iter().flat_map(|patch| areas(&patch.line)).reduce(Rect::union)
}

fn areas(patch: &Patch) -> impl Iterator<Item = Rect> + '_ {
    patch.areas.iter().chain(patch.focused.iter().flatten()).map(|area| area.rect)
}

fn check_pair(ones: &[&At<Patch>], others: &[&At<Patch>]) -> Result<(), Error> {
    for one in ones {
        for other in others {
            let declared = one.line.over.contains(&other.line.control) || other.line.over.contains(&one.line.control);
            if declared || !can_meet(&one.line, &other.line) {
                continue;
            }
            let shared = areas(&one.line).flat_map(|a| areas(&other.line).filter_map(move |b| a.intersection(b))).next();
            if let Some(shared) = shared {
                let found = format!(
                    "a patch of control `{}` that shares the box {:?} with one of control `{}`",
                    one.line.control,
                    <[i32; 4]>::from(shared),
                    other.line.control
                );
                return Err(Error::file(&one.place, found, "`over`, or a rule `conflict`, that says which one shows"));
            }
        }
    }
    Ok(())
}

/// Whether both can show at once: no control would need two values for it.
fn can_meet(one: &Patch, other: &Patch) -> bool {
    let agrees = |control: &str, value, values: &Values| values.get(control).is_none_or(|other| other == value);
    one.when.iter().all(|(control, value)| agrees(control, value, &other.when))
        && agrees(&one.control, &one.value, &other.when)
        && agrees(&other.control, &other.value, &one.when)
}
