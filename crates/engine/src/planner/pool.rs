//! Which targets a run can draw, decided before the first draw so that draws fail rarely.

use std::collections::{BTreeMap, BTreeSet};

use windesk_model::Error;
use windesk_model::condition::{Balance, Condition, InstructionChoice, LayerKnob, Protocol, SessionsKnob, TargetSize};
use windesk_model::desktop::work_area;
use windesk_model::index::{ProgramIndex, SessionIndex, TargetIndex, WindowIndex};
use windesk_model::instruction::InstructionSource;
use windesk_model::key::{Decision, SampleKey};
use windesk_model::pack_format::Category;

use super::asked::parents_come;
use super::filters::passes_filters;
use super::rota::{self, Fillers, Rotas};
use super::scene::shell_about;
use super::session::{self, LeftOut};
use super::shortage;
use super::turns::{Picked, Turns};
use super::windesk;
use crate::pack::{IndexedPack, Target, Window};

/// The targets that every one of the jointly planned conditions can use, as category, program, window, target; or those
/// of each condition, where conditions share nothing.
#[derive(Debug)]
pub struct TargetPool {
    shared: Strata,
    /// By name of the condition.
    own: BTreeMap<String, Strata>,
    /// Sessions that have targets, and too few programs.
    left_out: Vec<LeftOut>,
    /// The shared targets in the order of the indices that use them, if they are traversed.
    traversal: Option<Vec<TargetIndex>>,
}

/// All targets that scenes are drawn from.
#[derive(Debug, Default)]
struct Strata {
    strata: Vec<Stratum>,
    /// Who fills scenes up, where rules of ours do.
    rotas: Option<Rotas>,
}

/// Targets that are alike in what the condition balances over; one stratum of all where it balances over categories
/// alone. By session, or all in one where scenes mix sessions.
type Stratum = Vec<SessionPool>;

/// The targets of a session, by window.
#[derive(Debug, Default)]
struct SessionPool {
    /// Of each window, its share of the stratum in 2^-48 and those of all before it; and its targets.
    windows: Vec<(u64, Vec<TargetIndex>)>,
}

impl SessionPool {
    /// The session's share of its stratum, in 2^-48.
    fn share(&self) -> u64 {
        self.windows.last().map_or(0, |(end, _)| *end)
    }

    /// Each target with its share of the stratum.
    fn weighted(&self) -> impl Iterator<Item = (f64, TargetIndex)> {
        let mut before = 0;
        self.windows.iter().flat_map(move |(end, targets)| {
            let share = (end - std::mem::replace(&mut before, *end)) as f64 / targets.len() as f64;
            targets.iter().map(move |&target| (share, target))
        })
    }

    fn add(&mut self, share: u64, targets: Vec<TargetIndex>) {
        self.windows.push((self.share() + share, targets));
    }
}

impl TargetPool {
    /// Gathers the targets that all of `conditions` can use.
    ///
    /// # Errors
    /// If no target is left.
    pub fn new(pack: &IndexedPack, conditions: &[Condition]) -> Result<Self, Error> {
        let (shared, left_out) = strata(pack, conditions)?;
        Ok(Self { shared, own: BTreeMap::new(), left_out, traversal: None })
    }

    /// Gathers the targets of each condition by itself.
    ///
    /// # Errors
    /// If no target is left for one of them.
    pub fn separate(pack: &IndexedPack, conditions: &[Condition]) -> Result<Self, Error> {
        let mut pool = Self { shared: Strata::default(), own: BTreeMap::new(), left_out: Vec::new(), traversal: None };
        for condition in conditions {
            let (own, left_out) = strata(pack, std::slice::from_ref(condition))?;
            pool.own.insert(condition.name.clone(), own);
            pool.left_out.extend(left_out);
        }
        Ok(pool)
    }

    /// Gathers the targets that all of `conditions` can use, one per index: index i has the i-th of a shuffle by
    /// `seed`.
    ///
    /// # Errors
    /// If no target is left.
    pub fn traversal(pack: &IndexedPack, conditions: &[Condition], seed: u64) -> Result<Self, Error> {
        let (shared, left_out) = strata(pack, conditions)?;
        let mut targets: Vec<TargetIndex> = windows(&shared.strata).flatten().copied().collect();
        let key = SampleKey { seed, index: 0, draw: 0 };
        targets.sort_by_key(|&target| key.rank(Decision::Traversal, target.0 as u64));
        Ok(Self { shared, own: BTreeMap::new(), left_out, traversal: Some(targets) })
    }

    /// Number of targets.
    pub fn len(&self) -> usize {
        windows(&self.shared.strata).chain(self.own.values().flat_map(|own| windows(&own.strata))).map(Vec::len).sum()
    }

    /// The targets that all conditions share, in the pack's order.
    pub fn targets(&self) -> BTreeSet<TargetIndex> {
        windows(&self.shared.strata).flatten().copied().collect()
    }

    /// Sessions of the pack that can't bear scenes of these conditions.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// Whether there is no target; never true of a pool that was made.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The target of a traversal's index; else draws the stratum (uniform), then session and window, then the target
    /// (uniform). Windows have shares as if category (by weight), program (uniform), session (by how many scenes it
    /// bears) and window (uniform) had been drawn, so that no toolbar-rich program dominates, and no session with few
    /// programs and many captures of them. Sessions and windows take turns: of any stretch of indices each gets its
    /// share almost exactly.
    pub(super) fn pick(&self, pack: &IndexedPack, key: SampleKey, condition: &Condition) -> Picked {
        let (target, start) = self.target(key, condition);
        let rota = self.strata_of(condition).rotas.as_ref();
        let first = rota.map(|rotas| rotas.of(pack, key, |key| self.target(key, condition).0));
        Picked { target, asking: None, turns: Turns::new(key, start).after(first.unwrap_or_default()) }
    }

    /// The target of a key, and where on the circle of its windows the scene begins.
    fn target(&self, key: SampleKey, condition: &Condition) -> (TargetIndex, u64) {
        let spread = key.spread(Decision::SessionTurn);
        match &self.traversal {
            Some(targets) => (targets[key.index as usize % targets.len()], spread),
            None => self.pick_at(spread, Decision::Target, key, condition),
        }
    }

    /// A target for another decision than which element is the target.
    pub(super) fn pick_as(&self, decision: Decision, key: SampleKey, condition: &Condition) -> TargetIndex {
        self.pick_at(key.rank(decision, 1), decision, key, condition).0
    }

    fn strata_of(&self, condition: &Condition) -> &Strata {
        self.own.get(&condition.name).unwrap_or(&self.shared)
    }

    /// A target of the session that has this part of the circle (in 2^-64), and which part of the session's arc it is.
    fn pick_at(&self, spread: u64, decision: Decision, key: SampleKey, condition: &Condition) -> (TargetIndex, u64) {
        let strata = &self.strata_of(condition).strata;
        let sessions = &strata[key.stream(decision, 4).below(strata.len())];
        let all: u64 = sessions.iter().map(SessionPool::share).sum();
        // In parts of a share, 2^-64 each.
        let mut rest = u128::from(spread) * u128::from(all);
        let pool = sessions.iter().find(|pool| {
            let arc = u128::from(pool.share()) << 64;
            let here = rest < arc;
            if !here {
                rest -= arc;
            }
            here
        });
        let pool = pool.expect("a stratum has targets");
        let start = (rest / u128::from(pool.share())) as u64;
        // The first draws of indices spread evenly over windows, too; where one fails, the next is of any window.
        let at = match key.draw {
            0 => (rest >> 64) as u64,
            _ => key.stream(decision, 0).between(0, pool.share() as i64 - 1) as u64,
        };
        let targets = &pool.windows[pool.windows.partition_point(|(end, _)| *end <= at)].1;
        (targets[key.stream(decision, 3).below(targets.len())], start)
    }
}

/// The targets of each window.
fn windows(strata: &[Stratum]) -> impl Iterator<Item = &Vec<TargetIndex>> {
    strata.iter().flatten().flat_map(|pool| &pool.windows).map(|(_, targets)| targets)
}

/// The targets that all of these conditions can use, and the sessions that none of them can.
fn strata(pack: &IndexedPack, conditions: &[Condition]) -> Result<(Strata, Vec<LeftOut>), Error> {
    shortage::check_windows(pack, conditions)?;
    let (bearing, left_out) = session::bearing(pack, conditions)?;
    let mut eligible = eligible_targets(pack, conditions);
    eligible.retain(|&at| bearing[pack.windows[pack.index().targets[at].window].session]);
    if conditions.iter().any(|c| c.instructions == InstructionChoice::Auto) {
        keep_reviewed_if_enough(pack, &mut eligible, conditions[0].sessions);
    }
    let index = pack.index();
    let balance = &conditions[0].balance;
    let over = |by: Balance| balance.contains(&by);
    let mut cells: BTreeMap<_, Vec<TargetIndex>> = BTreeMap::new();
    for at in eligible {
        let target = &index.targets[at];
        let category = pack.program_of(target.window).record.category;
        if conditions.iter().all(|c| c.category_weights.get(&category) != Some(&0)) {
            let area = target.bbox.area();
            let cell = (
                over(Balance::Role).then_some(target.group),
                over(Balance::UiType).then_some(target.ui_type),
                over(Balance::TargetSize).then(|| TargetSize::of(area, conditions[0].canvas)),
            );
            cells.entry(cell).or_default().push(at);
        }
    }
    let fillers = rota::fillers(pack, conditions);
    let bears = bears(pack, &conditions[0], &fillers);
    let strata: Vec<Stratum> = cells
        .into_values()
        .map(|targets| sessions(pack, conditions, targets, &bears, &over))
        .filter(|stratum| stratum.iter().any(|pool| pool.share() > 0))
        .collect();
    if strata.is_empty() {
        return Err(shortage::nothing_left(pack, conditions));
    }
    let weighted = strata.iter().flatten().flat_map(SessionPool::weighted);
    let rotas = Rotas::new(pack, conditions, fillers, weighted);
    Ok((Strata { strata, rotas }, left_out))
}

/// How many scenes each session bears, compared with others: as many as its windows fill up before the commonest of
/// them has come once.
fn bears(pack: &IndexedPack, condition: &Condition, fillers: &Fillers) -> BTreeMap<Option<SessionIndex>, f64> {
    let windows = f64::from(condition.windows[0] + condition.windows[1]) / 2.0;
    let fill = (windows - 1.0 - f64::from(condition.distractor.count)).max(1.0);
    fillers.iter().map(|(&session, own)| (session, rota::scenes_per_window(pack, own, fill))).collect()
}

/// The targets of a stratum by session and window, with the windows' shares: categories by weight (all alike if the
/// condition balances over programs); programs of a category and windows of a session alike; sessions of a program by
/// how many scenes they bear.
fn sessions(
    pack: &IndexedPack,
    conditions: &[Condition],
    targets: Vec<TargetIndex>,
    bears: &BTreeMap<Option<SessionIndex>, f64>,
    over: &impl Fn(Balance) -> bool,
) -> Stratum {
    const WHOLE: u64 = 1 << 48;
    let index = pack.index();
    let mixed = conditions[0].sessions == SessionsKnob::Mixed;
    let session_of = |window: WindowIndex| (!mixed).then_some(pack.windows[window].session);
    let mut pools: BTreeMap<Option<SessionIndex>, SessionPool> = BTreeMap::new();
    if over(Balance::Element) {
        let share = (WHOLE / targets.len() as u64).max(1);
        for target in targets {
            pools.entry(session_of(index.targets[target].window)).or_default().add(share, vec![target]);
        }
        return pools.into_values().collect();
    }
    let mut tree: BTreeMap<_, BTreeMap<ProgramIndex, BTreeMap<WindowIndex, Vec<TargetIndex>>>> = BTreeMap::new();
    for at in targets {
        let window = index.targets[at].window;
        let program = pack.windows[window].program;
        let category = (!over(Balance::App)).then_some(pack.programs[program].record.category);
        tree.entry(category).or_default().entry(program).or_default().entry(window).or_default().push(at);
    }
    let weight_in = |c: &Condition, category| c.category_weights.get(&category).copied().unwrap_or(1);
    let weight_of = |category: Option<Category>| {
        category.map_or(1, |category| conditions.iter().map(|c| u64::from(weight_in(c, category))).min().unwrap_or(0))
    };
    let all: u64 = tree.keys().map(|&category| weight_of(category)).sum();
    let mut drawn: Vec<Drawn> = Vec::new();
    for (category, programs) in &tree {
        let share = weight_of(*category) as f64 / all as f64 / programs.len() as f64;
        for windows in programs.values().filter(|_| share > 0.0) {
            let mut in_session: Drawn = Drawn { share, sessions: BTreeMap::new() };
            for (&window, targets) in windows {
                in_session.sessions.entry(session_of(window)).or_default().push(targets);
            }
            drawn.push(in_session);
        }
    }
    let pulls = pulls(&drawn, bears);
    for Drawn { share, sessions } in drawn {
        let whole: f64 = sessions.keys().map(|session| pulls[session]).sum();
        for (session, windows) in sessions {
            let share = share * pulls[&session] / whole / windows.len() as f64;
            for targets in windows {
                pools.entry(session).or_default().add(((WHOLE as f64 * share) as u64).max(1), targets.clone());
            }
        }
    }
    pools.into_values().collect()
}

/// A program with its share of the draws, and the targets of its windows by session.
struct Drawn<'a> {
    share: f64,
    sessions: BTreeMap<Option<SessionIndex>, Vec<&'a Vec<TargetIndex>>>,
}

/// How strongly sessions pull the draws of programs that they share, so that a session has as many scenes as it bears,
/// as nearly as programs of one session alone allow: else the windows of a small session would come again and again. By
/// iterative proportional fitting.
fn pulls(drawn: &[Drawn], bears: &BTreeMap<Option<SessionIndex>, f64>) -> BTreeMap<Option<SessionIndex>, f64> {
    const STEPS: usize = 24;
    let bears = |session: Option<SessionIndex>| bears.get(&session).copied().unwrap_or(1.0);
    let named = drawn.iter().flat_map(|drawn| drawn.sessions.keys());
    let mut pulls: BTreeMap<Option<SessionIndex>, f64> = named.map(|&session| (session, bears(session))).collect();
    let bearing: f64 = pulls.keys().map(|&session| bears(session)).sum();
    for _ in 0..STEPS {
        let mut have: BTreeMap<Option<SessionIndex>, f64> = BTreeMap::new();
        for Drawn { share, sessions } in drawn {
            let whole: f64 = sessions.keys().map(|session| pulls[session]).sum();
            sessions.keys().for_each(|session| *have.entry(*session).or_default() += share * pulls[session] / whole);
        }
        let all: f64 = have.values().sum();
        pulls.iter_mut().for_each(|(session, pull)| *pull *= bears(*session) / bearing * all / have[session]);
    }
    pulls
}

fn eligible_targets(pack: &IndexedPack, conditions: &[Condition]) -> Vec<TargetIndex> {
    let targets = &pack.index().targets;
    let Some(sessions) = windesk::sessions(pack, conditions) else {
        let eligible = |at: &TargetIndex| conditions.iter().all(|c| is_eligible(pack, c, *at, &targets[*at]));
        return targets.keys().filter(eligible).collect();
    };
    let eligible = |at: &TargetIndex| {
        let window = targets[*at].window;
        let twins_fit = || {
            let mut twins = conditions.iter().zip(&sessions);
            twins.all(|(c, &session)| pack.target_in(*at, session).is_some_and(|twin| is_eligible(pack, c, twin, &targets[twin])))
        };
        pack.windows[window].session == sessions[0] && pack.floats_in_all(window, &sessions) && twins_fit()
    };
    targets.keys().filter(eligible).collect()
}

/// Reviewed targets are enough if they are at least this many ..
const ENOUGH_REVIEWED: usize = 100;
/// .. and this share, in percent, of the programs with a target has one: a few reviewed programs must not become the
/// whole benchmark.
const ENOUGH_PROGRAMS_PERCENT: usize = 50;

/// Leaves in each session reviewed targets alone if it has enough of them, else all. Mixed sessions count as one.
fn keep_reviewed_if_enough(pack: &IndexedPack, eligible: &mut Vec<TargetIndex>, sessions: SessionsKnob) {
    let index = pack.index();
    let window = |at: TargetIndex| &pack.windows[index.targets[at].window];
    let is_reviewed = |at: TargetIndex| index.targets[at].source == InstructionSource::Reviewed;
    let session_of = |window: &Window| (sessions == SessionsKnob::One).then_some(window.session);
    let mut programs: BTreeMap<Option<SessionIndex>, [BTreeSet<ProgramIndex>; 2]> = BTreeMap::new();
    let mut reviewed: BTreeMap<Option<SessionIndex>, usize> = BTreeMap::new();
    for &at in eligible.iter() {
        let window = window(at);
        let [all, with_reviewed] = programs.entry(session_of(window)).or_default();
        all.insert(window.program);
        if is_reviewed(at) {
            with_reviewed.insert(window.program);
            *reviewed.entry(session_of(window)).or_default() += 1;
        }
    }
    let is_enough = |session: Option<SessionIndex>| {
        let [all, with_reviewed] = &programs[&session];
        let spread = with_reviewed.len() * 100 >= all.len() * ENOUGH_PROGRAMS_PERCENT;
        spread && reviewed.get(&session).is_some_and(|&count| count >= ENOUGH_REVIEWED)
    };
    let enough: BTreeSet<Option<SessionIndex>> = programs.keys().copied().filter(|&session| is_enough(session)).collect();
    eligible.retain(|&at| is_reviewed(at) || !enough.contains(&session_of(window(at))));
}

fn is_eligible(pack: &IndexedPack, condition: &Condition, at: TargetIndex, target: &Target) -> bool {
    pack.windows[target.window].is_of_desktop()
        && passes_filters(pack, condition, target)
        && (condition.protocol == Protocol::Windeskground || fits_rules(pack, condition, at, target))
}

/// Largest share of the work area, in percent, that the target's window may take where others must be seen behind it.
const MAX_WINDOW_PERCENT: u64 = 62;

fn fits_rules(pack: &IndexedPack, condition: &Condition, at: TargetIndex, target: &Target) -> bool {
    let window = &pack.windows[target.window];
    let work = work_area(condition.canvas, condition.chrome, shell_about(pack, condition, target.window));
    let extent = window.extent();
    let has_twin = condition.theme.is_none()
        || (pack.dark_twin_target(at).is_some() && window.parent.is_none_or(|(parent, _)| pack.dark_twin(parent).is_some()));
    let fits = extent.width() <= work.width() && extent.height() <= work.height();
    let alone = condition.windows[1] == 1;
    let leaves_room = alone || window.frame.area() * 100 <= work.area() * MAX_WINDOW_PERCENT;
    // Only the topmost window can have a menu open, so nothing may cover it.
    let uncovered = !window.has_popup() || (condition.visible_ratio.is_full() && condition.distractor.layer != LayerKnob::Front);
    // One look: a dark program's windows stay out of a light session's scenes, and so do dialogs of its windows.
    let has_look = condition.sessions == SessionsKnob::Mixed
        || pack.fits_look(target.window) && window.parent.is_none_or(|(parent, _)| pack.fits_look(parent));
    let area = target.bbox.area();
    let dialog_alone = alone || window.parent.is_none();
    let comes_with_parent =
        dialog_alone || condition.windows[1] > condition.fewest_windows() && windesk::can_bring_parent(pack, at);
    let can_be_told = !condition.shows_context() || !pack.askings(at, parents_come(condition)).is_empty();
    let enough_px = condition.visible_ratio.1.floor_of(area) >= condition.target.min_visible_px;
    fits && has_look
        && has_twin
        && leaves_room
        && uncovered
        && enough_px
        && can_be_told
        && comes_with_parent
        && has_distractors(pack, condition, at)
}

fn has_distractors(pack: &IndexedPack, condition: &Condition, target: TargetIndex) -> bool {
    let (rank, count) = (condition.distractor.rank as usize, condition.distractor.count as usize);
    let index = pack.index();
    let work = work_area(condition.canvas, condition.chrome, shell_about(pack, condition, index.targets[target].window));
    count == 0
        || index.neighbours(target, condition.sessions).get(rank - 1..rank - 1 + count).is_some_and(|wanted| {
            wanted.iter().all(|&n| {
                let frame = pack.windows[index.targets[n].window].frame;
                frame.width() <= work.width() && frame.height() <= work.height()
            })
        })
}
