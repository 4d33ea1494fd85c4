//! Which windows a starter pack holds: many kinds of windows for few bytes.
//!
//! Windows are taken one by one, each time the one that adds most per byte to what is there: a program of a category
//! that has few, a light or dark window, a menu or dialog of a category, a capture that a transition joins to the
//! others.

use std::collections::{BTreeMap, BTreeSet};

use typed_index_collections::TiVec;

use windesk_engine::pack::{IndexedPack, Pack};
use windesk_model::Error;
use windesk_model::condition::ChromeMode;
use windesk_model::desktop::work_area;
use windesk_model::geometry::Size;
use windesk_model::index::{SessionIndex, WindowIndex};
use windesk_model::pack_format::{Category, SnapState, WindowKind};

use crate::archive::archived_bytes;

/// What a window can add, once per category and value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Feature {
    Program(Category),
    Brightness(Category, bool),
    Popup(Category),
    Dialog(Category),
    SnapState(i32),
}

/// Value of a program; of a snapped placement, which few windows have; of another feature; of a window that a
/// transition or a light or dark twin joins to the others.
const PROGRAM_VALUE: u64 = 1000;
const PLACEMENT_VALUE: u64 = 1500;
const FEATURE_VALUE: u64 = 500;
const JOINED_VALUE: u64 = 250;
/// Added to every window's bytes, so that small windows do not win by being small.
const BYTES_FLOOR: u64 = 24 << 10;
/// Fewest targets in the first window of a program.
const MIN_TARGETS: usize = 5;
/// Largest share of the screen's work area in percent that the first window of a program takes: others must be seen
/// beside it.
const MAX_WORK_AREA_PERCENT: u64 = 62;
/// The screen that scenes have by default, px.
const SCREEN: Size = Size { width: 2560, height: 1440 };
/// Bytes of the index per target: its packed line and neighbours, and its share of the vectors.
const TARGET_BYTES: u64 = 20 + 20 + 280;

/// The choice, as indices into the full pack's windows, within a number of windows and of archived bytes.
pub(super) fn windows(full: &IndexedPack, max_windows: usize, max_bytes: u64) -> Result<BTreeSet<WindowIndex>, Error> {
    let mut choice =
        Choice { full, costs: costs(full)?, chosen: BTreeSet::new(), features: BTreeMap::new(), joined: joined(full) };
    let mut bytes = 0;
    let sessions = sessions(full);
    let usable: Vec<WindowIndex> = full
        .windows
        .iter_enumerated()
        .filter(|(_, window)| window.is_of_desktop() && sessions.contains(&window.session))
        .map(|(at, _)| at)
        .collect();
    loop {
        let candidates = usable.iter().copied().filter_map(|at| {
            let bundle = choice.bundle(at)?;
            let cost: u64 = bundle.iter().map(|&w| choice.costs[w]).sum();
            let fits = choice.chosen.len() + bundle.len() <= max_windows && bytes + cost <= max_bytes;
            let per_byte = (choice.value(&bundle) << 24) / (cost + BYTES_FLOOR);
            fits.then_some((per_byte, std::cmp::Reverse(at), bundle, cost))
        });
        let Some((_, _, bundle, cost)) = candidates.max_by_key(|&(value, at, ..)| (value, at)) else {
            break;
        };
        bytes += cost;
        for window in bundle {
            choice.take(window);
        }
    }
    Ok(choice.chosen)
}

/// The sessions that windows are taken from: the light one and the dark one with the most windows, so that each bears
/// scenes; all of a pack that names none.
fn sessions(full: &Pack) -> BTreeSet<SessionIndex> {
    let windows = |at: SessionIndex| full.windows.iter().filter(|window| window.session == at && window.is_of_desktop()).count();
    let largest = |dark: bool| {
        let of_look = full.sessions.keys().filter(|&at| full.sessions[at].record.as_ref().is_some_and(|r| r.look.dark == dark));
        of_look.max_by_key(|&at| (windows(at), std::cmp::Reverse(at)))
    };
    let chosen: BTreeSet<SessionIndex> = [false, true].into_iter().filter_map(largest).collect();
    if chosen.is_empty() { full.sessions.keys().collect() } else { chosen }
}

/// What a choice takes in the archive, as [`windows`] counts.
pub(super) fn bytes_of(full: &IndexedPack, chosen: &BTreeSet<WindowIndex>) -> Result<u64, Error> {
    let costs = costs(full)?;
    Ok(chosen.iter().map(|&w| costs[w]).sum())
}

struct Choice<'a> {
    full: &'a IndexedPack,
    costs: TiVec<WindowIndex, u64>,
    chosen: BTreeSet<WindowIndex>,
    features: BTreeMap<Feature, u64>,
    joined: BTreeMap<WindowIndex, BTreeSet<WindowIndex>>,
}

impl Choice<'_> {
    /// A window with the parent windows that it needs, or `None` if it can't be taken now: a program starts with a main
    /// window that can be asked for and stand among others.
    fn bundle(&self, at: WindowIndex) -> Option<Vec<WindowIndex>> {
        let missing = |w: &WindowIndex| !self.chosen.contains(w);
        let mut bundle: Vec<WindowIndex> = std::iter::successors(Some(at), |&w| self.full.windows[w].parent.map(|(p, _)| p))
            .take_while(missing)
            .take(4)
            .collect();
        bundle.reverse();
        let first = *bundle.first()?;
        let has_program = self.chosen.iter().any(|&w| self.full.windows[w].program == self.full.windows[first].program);
        (has_program || self.can_start(first)).then_some(bundle)
    }

    fn can_start(&self, at: WindowIndex) -> bool {
        let window = &self.full.windows[at];
        let work = work_area(SCREEN, ChromeMode::Full, self.full.shell_of(at));
        let targets = self.full.index().targets_in(at).len();
        window.kind == WindowKind::Main
            && window.snap == SnapState::Floating
            && !window.has_popup()
            && window.frame.area() * 100 <= work.area() * MAX_WORK_AREA_PERCENT
            && targets >= MIN_TARGETS
    }

    fn value(&self, bundle: &[WindowIndex]) -> u64 {
        bundle.iter().map(|&at| self.value_of(at)).sum()
    }

    fn value_of(&self, at: WindowIndex) -> u64 {
        let of_program =
            self.chosen.iter().filter(|&&w| self.full.windows[w].program == self.full.windows[at].program).count() as u64;
        let features: u64 = features(self.full, at)
            .map(|feature| {
                let value = match feature {
                    Feature::Program(_) => PROGRAM_VALUE * u64::from(of_program == 0),
                    Feature::SnapState(_) => PLACEMENT_VALUE,
                    _ => FEATURE_VALUE,
                };
                value / (1 + self.features.get(&feature).copied().unwrap_or(0))
            })
            .sum();
        let joined = self.joined.get(&at).is_some_and(|others| others.iter().any(|w| self.chosen.contains(w)));
        (features + JOINED_VALUE * u64::from(joined)) / (1 + of_program)
    }

    fn take(&mut self, at: WindowIndex) {
        let is_new = !self.chosen.iter().any(|&w| self.full.windows[w].program == self.full.windows[at].program);
        for feature in features(self.full, at).filter(|f| is_new || !matches!(f, Feature::Program(_))) {
            *self.features.entry(feature).or_default() += 1;
        }
        self.chosen.insert(at);
    }
}

fn features(full: &Pack, at: WindowIndex) -> impl Iterator<Item = Feature> {
    let window = &full.windows[at];
    let category = full.program_of(at).record.category;
    let snap = window.snap as i32;
    [
        Some(Feature::Program(category)),
        Some(Feature::Brightness(category, window.dark)),
        window.has_popup().then_some(Feature::Popup(category)),
        (window.kind == WindowKind::Dialog).then_some(Feature::Dialog(category)),
        (window.snap != SnapState::Floating).then_some(Feature::SnapState(snap)),
    ]
    .into_iter()
    .flatten()
}

/// Windows that a transition or being twins joins, both ways.
fn joined(full: &Pack) -> BTreeMap<WindowIndex, BTreeSet<WindowIndex>> {
    let mut joined: BTreeMap<WindowIndex, BTreeSet<WindowIndex>> = BTreeMap::new();
    let transitions = full.transitions.iter().filter_map(|t| Some((full.window_index(&t.from)?, full.window_index(t.to()?)?)));
    let twins = full.windows.iter_enumerated().filter_map(|(at, window)| Some((at, window.variant_of?)));
    for (one, other) in transitions.chain(twins) {
        joined.entry(one).or_default().insert(other);
        joined.entry(other).or_default().insert(one);
    }
    joined
}

/// Bytes that each window takes in an archive: record, pictures, share of the index.
fn costs(full: &IndexedPack) -> Result<TiVec<WindowIndex, u64>, Error> {
    let index = full.index();
    let costs = full.windows.iter_enumerated().map(|(at, window)| {
        let folder = window.id.split('/').next().unwrap_or_default();
        let pictures = std::iter::once(&window.image).chain(&window.inactive).map(|p| format!("windows/{folder}/{}", p.file));
        let mut bytes = index.targets_in(at).len() as u64 * TARGET_BYTES;
        for name in std::iter::once(format!("windows/{}.json", window.id)).chain(pictures) {
            bytes += archived_bytes(full.files().read(&name)?.len() as u64);
        }
        Ok(bytes)
    });
    costs.collect()
}
