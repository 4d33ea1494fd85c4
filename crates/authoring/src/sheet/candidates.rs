//! Which elements of a window are worth a number: those that scenes could ask for, one per place.

use std::collections::{BTreeMap, BTreeSet};

use windesk_engine::pack::naming::{normalised_name, spoken_name};
use windesk_engine::pack::{Element, Pack, Window};
use windesk_model::index::{ElementIndex, ProgramIndex, WindowIndex};
use windesk_model::instruction::UiType;
use windesk_model::role::RoleGroup;

use super::rank_of;
use crate::eligible::{is_eligible, ui_type};
use crate::instructions::same_place;

/// Elements that scenes could ask for if somebody found words for them, one per place: of several in the same place
/// the named one, else the innermost. By index, ascending.
pub(super) fn places(window: &Window) -> Vec<ElementIndex> {
    let mut eligible: Vec<ElementIndex> = window
        .elements
        .keys()
        .filter(|&at| RoleGroup::of(&window.elements[at].role).is_some() && is_eligible(window, at))
        .collect();
    // By the raw name: how names are cleaned must not move the numbers of check sheets.
    eligible.sort_by_key(|&at| (window.elements[at].name.trim().is_empty(), std::cmp::Reverse(at)));
    let mut kept: Vec<ElementIndex> = Vec::new();
    for at in eligible {
        if !kept.iter().any(|&k| same_place(window.elements[k].bbox, window.elements[at].bbox)) {
            kept.push(at);
        }
    }
    kept.sort_unstable();
    kept
}

/// Numbers of all places of a window for check sheets, from 1: by element. They follow from the ids alone and say
/// nothing about place, role, or which elements are asked for.
pub(super) fn shuffled_numbers(window: &Window) -> BTreeMap<ElementIndex, usize> {
    let mut places = places(window);
    places.sort_by_cached_key(|&at| rank_of(&["number", &window.id, &window.elements[at].id]));
    places.into_iter().enumerate().map(|(nth, at)| (at, nth + 1)).collect()
}

/// What an element is called, for telling which ones repeat.
pub(super) fn called(window: &Window, at: ElementIndex) -> Option<(RoleGroup, String)> {
    Some((RoleGroup::of(&window.elements[at].role)?, normalised_name(&spoken_name(window, at)?)))
}

/// Minimize, maximize and close: every window has them, so they are written about last.
pub(super) fn is_frame_button(element: &Element) -> bool {
    let name = element.name.to_lowercase();
    element.parent.is_none() && ["minimi", "maximi", "unmaximi", "restore", "close"].iter().any(|n| name.starts_with(n))
}

/// Elements worth writing about, at most `most` per window of one program: spread over roles, icons and texts, sizes
/// and repeated names, and over the program's windows, so that their File menu does not come first ten times. `taken`
/// elements are left out and count as chosen before.
pub(super) fn worth_writing(
    pack: &Pack,
    program: ProgramIndex,
    most: usize,
    taken: impl Fn(WindowIndex, ElementIndex) -> bool,
) -> BTreeMap<WindowIndex, Vec<ElementIndex>> {
    let mut times: BTreeMap<(RoleGroup, String), usize> = BTreeMap::new();
    let mut chosen = BTreeMap::new();
    let key = |window: &Window, e: ElementIndex| {
        let element = &window.elements[e];
        let group = RoleGroup::of(&element.role).expect("places have a role group");
        let name = spoken_name(window, e).map_or_else(|| format!("{:?}", element.bbox), |name| normalised_name(&name));
        (group, name)
    };
    for &at in &pack.programs[program].windows {
        let window = &pack.windows[at];
        let mut strata: BTreeMap<Stratum, Vec<Ranked>> = BTreeMap::new();
        for e in places(window).into_iter().filter(|&e| !taken(at, e)) {
            let element = &window.elements[e];
            let rank = (times.get(&key(window, e)).copied().unwrap_or(0), rank_of(&["write", &window.id, &element.id]), e);
            strata.entry(Stratum::of(window, e)).or_default().push(rank);
        }
        let mut picked = Vec::new();
        for frame_buttons in [false, true] {
            let of_phase = strata.iter_mut().filter(|(stratum, _)| stratum.frame_button == frame_buttons);
            let mut queues: Vec<&mut Vec<Ranked>> = of_phase.map(|(_, elements)| elements).collect();
            for queue in &mut queues {
                queue.sort_unstable_by(|a, b| b.cmp(a));
            }
            // Strata whose next element was least often chosen come first.
            queues.sort_by(|a, b| a.last().cmp(&b.last()));
            while picked.len() < most && queues.iter().any(|queue| !queue.is_empty()) {
                for queue in &mut queues {
                    picked.extend(queue.pop().filter(|_| picked.len() < most).map(|(_, _, e)| e));
                }
            }
        }
        for &e in &picked {
            *times.entry(key(window, e)).or_default() += 1;
        }
        chosen.insert(at, picked);
    }
    chosen
}

/// An element in its stratum: how often its like was chosen before, an arbitrary order, its index.
type Ranked = (usize, String, ElementIndex);

/// What candidates are spread over.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Stratum {
    frame_button: bool,
    group: RoleGroup,
    icon: bool,
    repeats: bool,
    small: bool,
}

/// Up to this area, px, an element counts as small.
const SMALL_PX: u64 = 900;

impl Stratum {
    fn of(window: &Window, at: ElementIndex) -> Self {
        let element = &window.elements[at];
        let name = spoken_name(window, at);
        let frame_button = is_frame_button(element);
        Self {
            frame_button,
            group: RoleGroup::of(&element.role).expect("places have a role group"),
            icon: ui_type(name.as_deref(), element.bbox) == UiType::Icon,
            repeats: !frame_button && repeats(window, at) > 1,
            small: element.bbox.area() <= SMALL_PX,
        }
    }
}

/// How many elements of the window are called like this one, itself included; 1 for elements without a name.
pub(super) fn repeats(window: &Window, at: ElementIndex) -> usize {
    let own = called(window, at);
    let alike = |&e: &ElementIndex| window.elements[e].interactive && called(window, e) == own;
    if own.is_none() { 1 } else { window.elements.keys().filter(alike).count().max(1) }
}

/// How many elements a check sheet shows at least and at most (more only if more are asked for), where the window has
/// them.
const SHOWN: std::ops::RangeInclusive<usize> = 16..=44;
/// Nearest other places shown around each target.
const NEIGHBOURS: usize = 5;

/// The places that a check sheet shows: the targets, all that are called alike, their neighbours, and others up to a
/// bound.
pub(super) fn shown(
    window: &Window,
    numbers: &BTreeMap<ElementIndex, usize>,
    targets: &BTreeSet<ElementIndex>,
) -> BTreeSet<ElementIndex> {
    let mut shown = targets.clone();
    let by_number = || {
        let mut all: Vec<ElementIndex> = numbers.keys().copied().collect();
        all.sort_by_key(|at| numbers[at]);
        all
    };
    for &target in targets {
        let element = &window.elements[target];
        let alike = called(window, target);
        shown.extend(numbers.keys().filter(|&&at| alike.is_some() && called(window, at) == alike));
        let middle = element.bbox.centre();
        let mut others = by_number();
        others.retain(|&at| at != target);
        others.sort_by_key(|&at| {
            let way = window.elements[at].bbox.centre() - middle;
            i64::from(way.x).pow(2) + i64::from(way.y).pow(2)
        });
        shown.extend(others.into_iter().take(NEIGHBOURS));
    }
    let room = SHOWN.end().saturating_sub(shown.len()).max(SHOWN.start().saturating_sub(shown.len()));
    let rest: Vec<ElementIndex> = by_number().into_iter().filter(|at| !shown.contains(at)).take(room).collect();
    shown.extend(rest);
    shown
}
