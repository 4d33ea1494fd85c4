//! Who fills up which scene, so that all windows come about equally often.
//!
//! Independent picks would show the commonest of a few hundred windows about twice as often as the average one, and
//! some windows come by themselves: with targets, as parents of dialogs, with similar distractors. So windows take
//! turns over a stretch of indices. A window's n-th appearance, whatever brings it, is due at a time of its own; what
//! the targets of the stretch bring is counted first; then each scene takes those windows that are due first.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use windesk_model::condition::{Condition, Protocol, SessionsKnob};
use windesk_model::desktop::work_area;
use windesk_model::index::{ProgramIndex, SessionIndex, TargetIndex, WindowIndex};
use windesk_model::key::{Decision, SampleKey};
use windesk_model::plan::Layout;

use super::scene::{drawn_count, shell_about};
use super::session::{fills_up, purpose_of};
use super::turns::STRETCH;
use super::windesk::{Company, TURNS, drawn_layout, may_show_both, sessions, usual_share};
use crate::pack::IndexedPack;

/// Stretches that are remembered, 40 KiB each: threads work on several, and shuffled reads come back to them.
const REMEMBERED: usize = 256;

/// How many ranks there are: 2^64.
const RANKS: f64 = 18_446_744_073_709_551_616.0;

/// The rotas of the scenes of a condition, or of conditions that are planned jointly.
#[derive(Debug)]
pub(super) struct Rotas {
    /// Of jointly planned conditions, the one with the most windows.
    condition: Condition,
    fillers: Fillers,
    /// How often targets bring a window in a stretch, on average.
    brought: BTreeMap<WindowIndex, f64>,
    remembered: Mutex<VecDeque<(SampleKey, Rota)>>,
}

/// The windows that may fill scenes up, by session; all in one where scenes mix sessions.
pub(super) type Fillers = BTreeMap<Option<SessionIndex>, Vec<Filler>>;

/// A window that may fill scenes up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filler {
    window: WindowIndex,
    /// How often it should come, measured by the commonest ones.
    share: f64,
}

/// The rota of a stretch of indices, as far as it has been asked for.
#[derive(Debug)]
struct Rota {
    /// Of each index, the target of its first draw.
    targets: Vec<TargetIndex>,
    /// Who fills scenes up next, by session.
    due: BTreeMap<Option<SessionIndex>, Vec<Due>>,
    /// Of each index, the windows that fill its scene up, in order.
    lists: Vec<Arc<[WindowIndex]>>,
}

/// A window that may fill scenes up, and when its next appearance is due.
#[derive(Clone, Copy, Debug)]
struct Due {
    at: f64,
    filler: Filler,
    /// How often it has come already: what targets bring counts from the beginning.
    come: f64,
    /// How often it has filled scenes up.
    filled: u32,
}

impl Due {
    /// When the next appearance is due: at a time of its own within its turn, so that neighbours change.
    fn next(pack: &IndexedPack, stretch: SampleKey, filler: Filler, come: f64, filled: u32) -> Self {
        let rank = SampleKey { draw: filled, ..stretch }.rank(Decision::Due, pack.windows[filler.window].stable_id);
        Self { at: (come + rank as f64 / RANKS) / filler.share, filler, come, filled }
    }
}

/// The windows that may fill up scenes that all of the conditions share.
pub(super) fn fillers(pack: &IndexedPack, conditions: &[Condition]) -> Fillers {
    let condition = &conditions[0];
    let twins_in = sessions(pack, conditions).unwrap_or_default();
    let usable = |&window: &WindowIndex| {
        let extent = pack.windows[window].extent();
        let work = work_area(condition.canvas, condition.chrome, shell_about(pack, condition, window));
        fills_up(pack, window)
            && (extent.width() <= work.width() && extent.height() <= work.height())
            && (condition.theme.is_none() || pack.dark_twin(window).is_some())
            && (twins_in.is_empty() || pack.floats_in_all(window, &twins_in))
    };
    let group = |window: WindowIndex| (condition.sessions == SessionsKnob::One).then_some(pack.windows[window].session);
    let mut windows: BTreeMap<(Option<SessionIndex>, ProgramIndex), Vec<WindowIndex>> = BTreeMap::new();
    for window in pack.windows.keys().filter(usable) {
        windows.entry((group(window), pack.windows[window].program)).or_default().push(window);
    }
    let mut fillers = Fillers::new();
    for ((session, program), own) in windows {
        let share = usual_share(pack, program) * own.len().min(TURNS) as f64 / own.len() as f64;
        let filler = |window| Filler { window, share: share / ease(pack, condition, window) };
        fillers.entry(session).or_default().extend(own.into_iter().map(filler));
    }
    fillers
}

/// How often a window comes when it is its turn, measured over 10,000 scenes of L4: small ones find room where others
/// don't, and come in place of those.
fn ease(pack: &IndexedPack, condition: &Condition, window: WindowIndex) -> f64 {
    let area = pack.windows[window].frame.area() as f64 / condition.canvas.rect().area() as f64;
    1.04 - 0.5 * area.min(0.4)
}

/// How many scenes these windows fill up before the commonest of them has come once: a scene takes `fill` windows of
/// programs for different purposes.
pub(super) fn scenes_per_window(pack: &IndexedPack, fillers: &[Filler], fill: f64) -> f64 {
    const STEPS: usize = 32;
    let mut purposes: BTreeMap<&str, f64> = BTreeMap::new();
    for filler in fillers {
        *purposes.entry(purpose_of(pack, filler.window)).or_default() += filler.share;
    }
    // In which part of the scenes a window comes that has the share 1.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..STEPS {
        let part = (low + high) / 2.0;
        let come: f64 = purposes.values().map(|share| (part * share).min(1.0)).sum();
        *(if come < fill { &mut low } else { &mut high }) = part;
    }
    1.0 / high
}

impl Rotas {
    /// None for scenes of other rules. `targets` are those that scenes are drawn from, each with its weight.
    pub(super) fn new(
        pack: &IndexedPack,
        conditions: &[Condition],
        fillers: Fillers,
        targets: impl Iterator<Item = (f64, TargetIndex)>,
    ) -> Option<Self> {
        let condition = conditions.iter().max_by_key(|c| c.windows[1]).filter(|c| c.protocol == Protocol::Windesk)?;
        let rotas = Self { condition: condition.clone(), fillers, brought: BTreeMap::new(), remembered: Mutex::default() };
        let (mut brought, mut all) = (BTreeMap::new(), 0.0);
        for (weight, target) in targets {
            all += weight;
            rotas.brought_by(pack, target).for_each(|window| *brought.entry(window).or_default() += weight);
        }
        brought.values_mut().for_each(|weight| *weight *= STRETCH as f64 / all);
        Some(Self { brought, ..rotas })
    }

    /// The windows that fill up the scenes of an index, in order. `pick` gives the target of a key.
    pub(super) fn of(&self, pack: &IndexedPack, key: SampleKey, pick: impl Fn(SampleKey) -> TargetIndex) -> Arc<[WindowIndex]> {
        let stretch = SampleKey { index: key.index / STRETCH, draw: 0, ..key };
        let mut remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        let found = remembered.iter().position(|(of, _)| *of == stretch);
        let (_, mut rota) = match found.and_then(|at| remembered.remove(at)) {
            Some(found) => found,
            None => (stretch, self.begun(pack, stretch, pick)),
        };
        let at = (key.index % STRETCH) as usize;
        while rota.lists.len() <= at {
            self.extend(pack, stretch, &mut rota);
        }
        let list = Arc::clone(&rota.lists[at]);
        remembered.push_front((stretch, rota));
        remembered.truncate(REMEMBERED);
        list
    }

    fn begun(&self, pack: &IndexedPack, stretch: SampleKey, pick: impl Fn(SampleKey) -> TargetIndex) -> Rota {
        let targets: Vec<TargetIndex> = (0..STRETCH).map(|at| pick(key_at(stretch, at))).collect();
        let mut brought: BTreeMap<WindowIndex, f64> = BTreeMap::new();
        for window in targets.iter().flat_map(|&target| self.brought_by(pack, target)) {
            *brought.entry(window).or_default() += 1.0;
        }
        let first = |filler: &Filler| {
            let in_stretch = |brought: &BTreeMap<WindowIndex, f64>| brought.get(&filler.window).copied().unwrap_or(0.0);
            // What targets bring often leaves no room for more, though they may not bring it in this very stretch.
            Due::next(pack, stretch, *filler, in_stretch(&brought).max(in_stretch(&self.brought)), 0)
        };
        let due = self.fillers.iter().map(|(&session, own)| (session, own.iter().map(first).collect())).collect();
        Rota { targets, due, lists: Vec::new() }
    }

    /// The windows that come because of a target.
    fn brought_by(&self, pack: &IndexedPack, target: TargetIndex) -> impl Iterator<Item = WindowIndex> {
        let (index, condition) = (pack.index(), &self.condition);
        let window = index.targets[target].window;
        let parent = pack.windows[window].parent.map(|(parent, _)| parent);
        let (first, count) = (condition.distractor.rank.saturating_sub(1) as usize, condition.distractor.count as usize);
        let similar = index.neighbours(target, condition.sessions).iter().skip(first).take(count);
        [window].into_iter().chain(parent).chain(similar.map(|&n| index.targets[n].window))
    }

    /// Finds who fills up the scenes of the next index.
    fn extend(&self, pack: &IndexedPack, stretch: SampleKey, rota: &mut Rota) {
        let condition = &self.condition;
        let target = rota.targets[rota.lists.len()];
        let key = key_at(stretch, rota.lists.len() as u64);
        let brought: Vec<WindowIndex> = self.brought_by(pack, target).collect();
        let of_session = condition.sessions == SessionsKnob::One;
        let session = of_session.then(|| pack.windows[brought[0]].session);
        let due = rota.due.entry(session).or_default();
        due.sort_by(|a, b| a.at.total_cmp(&b.at));
        let in_order = || due.iter().map(|due| due.filler.window);
        let company = Company::new(pack, condition, key, target);
        let purpose_of = |program: ProgramIndex| pack.programs[program].record.purpose.as_deref().filter(|_| of_session);
        let mut programs: BTreeSet<ProgramIndex> = brought.iter().map(|&window| pack.windows[window].program).collect();
        let mut purposes: BTreeSet<&str> = programs.iter().filter_map(|&program| purpose_of(program)).collect();
        let mut list: Vec<WindowIndex> = Vec::new();
        for window in in_order() {
            let program = pack.windows[window].program;
            let purpose = purpose_of(program);
            let is_new = !programs.contains(&program) && purpose.is_none_or(|purpose| !purposes.contains(purpose));
            if is_new && company.admits(pack, program) {
                list.push(window);
                programs.insert(program);
                purposes.extend(purpose);
            }
            if list.len() == condition.windows[1] as usize {
                break;
            }
        }
        if company.shows_two_windows() {
            let both = |one: WindowIndex, other: WindowIndex| may_show_both(pack, &pack.windows[one], &pack.windows[other]);
            let second = |first: WindowIndex| in_order().find(|&window| both(first, window));
            let pair = list.iter().enumerate().find_map(|(at, &first)| Some((at, second(first)?)));
            if let Some((at, second)) = pair {
                list[..=at].rotate_right(1);
                list.insert(1, second);
            }
        }
        let snapped = usize::from(drawn_layout(condition, key) == Layout::Tile);
        let fill = &list[..list.len().min(drawn_count(condition, key).saturating_sub(brought.len() + snapped))];
        for due in due.iter_mut().filter(|due| fill.contains(&due.filler.window)) {
            *due = Due::next(pack, stretch, due.filler, due.come + 1.0, due.filled + 1);
        }
        rota.lists.push(list.into());
    }
}

/// The key of the first draw of a stretch's index.
fn key_at(stretch: SampleKey, at: u64) -> SampleKey {
    SampleKey { index: stretch.index * STRETCH + at, ..stretch }
}
