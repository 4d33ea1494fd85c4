//! Similar distractors: other programs ranked by their best eligible window under cosine similarity to a target.
//!
//! Ranking windows directly would give one program five times over, and open menus more often than not.

use std::collections::{BTreeMap, BTreeSet};

use ndarray::{Array2, Axis};
use typed_index_collections::{TiSlice, TiVec};

use windesk_model::condition::SessionsKnob;
use windesk_model::index::{ProgramIndex, SessionIndex, TargetIndex, WindowIndex};
use windesk_model::pack_format::WindowKind;

use super::later::Later;
use super::targets::{NameKeys, Target};
use super::vectors::Vectors;
use super::{Pack, Session, Window};

/// How many programs are kept per target.
pub(super) const MAX_NEIGHBOURS: usize = 16;

/// For each target the best elements of the most similar other programs, most similar first. They lie in one piece.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    items: Vec<TargetIndex>,
    /// Where each target's list ends.
    ends: Vec<u32>,
}

impl Lists {
    /// Room for so many lists.
    pub(super) fn with_capacity(targets: usize) -> Self {
        Self { items: Vec::with_capacity(targets * MAX_NEIGHBOURS), ends: Vec::with_capacity(targets) }
    }

    /// The next target's list.
    pub(super) fn push(&mut self, list: impl IntoIterator<Item = TargetIndex>) {
        self.items.extend(list);
        self.ends.push(u32::try_from(self.items.len()).expect("far fewer than 4 billion neighbours"));
    }

    fn of(&self, target: TargetIndex) -> &[TargetIndex] {
        let start = target.0.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start as usize..self.ends[target.0] as usize]
    }

    /// Where each list ends, then all of them one after the other: numbers of four bytes, after the number of lists.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let items = self.items.iter().map(|target| target.0 as u32);
        let numbers = std::iter::once(self.ends.len() as u32).chain(self.ends.iter().copied()).chain(items);
        numbers.flat_map(u32::to_le_bytes).collect()
    }

    /// What [`Self::to_bytes`] wrote.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        let (&lists, numbers) = numbers.split_first()?;
        let (ends, items) = numbers.split_at_checked(u32::from_le_bytes(lists) as usize)?;
        let ends: Vec<u32> = ends.iter().map(|&end| u32::from_le_bytes(end)).collect();
        let items: Vec<TargetIndex> = items.iter().map(|&item| TargetIndex(u32::from_le_bytes(item) as usize)).collect();
        let all = ends.last().map_or(0, |&end| end as usize);
        (rest.is_empty() && ends.is_sorted() && all == items.len()).then_some(Self { items, ends })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All, in the order of targets.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[TargetIndex]> {
        (0..self.len()).map(|target| self.of(TargetIndex(target)))
    }
}

impl FromIterator<Vec<TargetIndex>> for Lists {
    fn from_iter<I: IntoIterator<Item = Vec<TargetIndex>>>(all: I) -> Self {
        let mut lists = Self::default();
        all.into_iter().for_each(|list| lists.push(list));
        lists
    }
}

/// Lists in the making.
type Drafts = TiVec<TargetIndex, Vec<TargetIndex>>;

/// Neighbour lists: among the windows of the target's own session, and among all.
#[derive(Clone, Debug)]
pub(super) struct Neighbours {
    pub(super) mixed: Later<Lists>,
    /// Nothing for a pack of one session whose windows all have its brightness: both are the same there.
    pub(super) own_session: Option<Lists>,
}

impl Neighbours {
    /// The list of a target among the windows that may come together with its own.
    pub(super) fn of(&self, target: TargetIndex, sessions: SessionsKnob) -> &[TargetIndex] {
        match (&self.own_session, sessions) {
            (Some(own_session), SessionsKnob::One) => own_session.of(target),
            _ => self.mixed.of(target),
        }
    }

    /// Lists as an index stores them. `own_session` is nothing for a pack of one session. Windows that may not come
    /// together with others of their session leave it: lists may be older than that rule.
    pub(super) fn stored(
        mixed: Lists,
        own_session: Option<Lists>,
        targets: &TiSlice<TargetIndex, Target>,
        windows: &TiSlice<WindowIndex, Window>,
        sessions: &TiSlice<SessionIndex, Session>,
    ) -> Self {
        let comes: TiVec<WindowIndex, bool> =
            windows.iter().map(|window| sessions[window.session].has_brightness_of(window)).collect();
        let own_session = if comes.contains(&false) {
            let all = own_session.unwrap_or_else(|| mixed.clone());
            let mut coming = Lists::with_capacity(all.len());
            all.iter().for_each(|list| coming.push(list.iter().copied().filter(|&other| comes[targets[other].window])));
            Some(coming)
        } else {
            own_session
        };
        Self { mixed: mixed.into(), own_session }
    }

    /// The lists that an index stores: those among all windows, and those within sessions if the pack has several.
    pub(super) fn to_store(&self, pack: &Pack) -> (&Lists, Option<&Lists>) {
        (&self.mixed, self.own_session.as_ref().filter(|_| pack.sessions.len() > 1))
    }
}

/// Neighbour lists in the making.
struct Ranking {
    mixed: Drafts,
    own_session: Option<Drafts>,
}

impl Ranking {
    fn empty(pack: &Pack, targets: usize) -> Self {
        let lists: Drafts = vec![Vec::new(); targets].into();
        let differ = pack.sessions.len() > 1 || !pack.windows.keys().all(|window| pack.fits_look(window));
        Self { own_session: differ.then(|| lists.clone()), mixed: lists }
    }

    fn finished(self) -> Neighbours {
        let finished = |lists: Drafts| lists.into_iter().collect::<Lists>();
        Neighbours { mixed: finished(self.mixed).into(), own_session: self.own_session.map(finished) }
    }

    /// Fills in the lists of one target.
    fn rank(
        &mut self,
        pack: &Pack,
        keys: &NameKeys,
        targets: &TiSlice<TargetIndex, Target>,
        at: TargetIndex,
        similarity: impl Fn(usize) -> f64,
    ) {
        let ranked = |sessions| {
            let mut list = ranked_programs(pack, keys, targets, &targets[at], sessions, &similarity);
            list.truncate(MAX_NEIGHBOURS);
            list
        };
        self.mixed[at] = ranked(SessionsKnob::Mixed);
        if let Some(own_session) = &mut self.own_session {
            own_session[at] = ranked(SessionsKnob::One);
        }
    }
}

/// Ranks the programs for each target. `exact`: one unit row per text, as the model gave them.
pub(super) fn rank(pack: &Pack, keys: &NameKeys, targets: &TiSlice<TargetIndex, Target>, exact: &Array2<f32>) -> Neighbours {
    let similarity = exact.dot(&exact.t());
    let mut lists = Ranking::empty(pack, targets.len());
    for (at, target) in targets.iter_enumerated() {
        let row = similarity.index_axis(Axis(0), target.text);
        lists.rank(pack, keys, targets, at, |text| f64::from(row[text]));
    }
    lists.finished()
}

/// [`rank`] for a part of a pack's targets, while scenes are made, from the vectors that the pack holds.
pub(super) fn rank_part(pack: &Pack, keys: &NameKeys, targets: &TiSlice<TargetIndex, Target>, vectors: &Vectors) -> Neighbours {
    let mut asking: BTreeMap<usize, Vec<TargetIndex>> = BTreeMap::new();
    for (at, target) in targets.iter_enumerated() {
        asking.entry(target.text).or_default().push(at);
    }
    let texts: Vec<usize> = asking.keys().copied().collect();
    let mut column = vec![0; texts.last().map_or(0, |last| last + 1)];
    texts.iter().enumerate().for_each(|(at, &text)| column[text] = at);
    let mut lists = Ranking::empty(pack, targets.len());
    vectors.each_with_all(&texts, |place, cosines| {
        for &target in &asking[&texts[place]] {
            lists.rank(pack, keys, targets, target, |other| cosines[column[other]]);
        }
    });
    lists.finished()
}

/// The best eligible element of every other program, most similar first, with [`SessionsKnob::One`] in the windows of
/// the target's session. `similarity` is that of a text to the target's.
pub(super) fn ranked_programs(
    pack: &Pack,
    keys: &NameKeys,
    targets: &TiSlice<TargetIndex, Target>,
    target: &Target,
    sessions: SessionsKnob,
    similarity: impl Fn(usize) -> f64,
) -> Vec<TargetIndex> {
    let own = &pack.windows[target.window];
    let own_name = &pack.programs[own.program].record.name;
    let twin = target.may_be_brief().then(|| keys.of_element[target.window][target.element]).flatten();
    let competitors: BTreeSet<WindowIndex> = if target.also_fits.is_empty() {
        BTreeSet::new()
    } else {
        let fits = |other: &&Target| target.also_fits.binary_search(&other.text).is_ok();
        targets.iter().filter(fits).map(|other| other.window).collect()
    };
    let mut best: TiVec<ProgramIndex, Option<(TargetIndex, f64)>> = vec![None; pack.programs.len()].into();
    let mut window_fits = (None, false);
    for (at, other) in targets.iter_enumerated() {
        if window_fits.0 != Some(other.window) {
            let window = &pack.windows[other.window];
            // On somebody's desktop a dialog lies over its parent, which would be a window more.
            let fits_session = sessions == SessionsKnob::Mixed
                || window.session == own.session && window.kind != WindowKind::Dialog && pack.fits_look(other.window);
            let other_program = window.program != own.program && pack.programs[window.program].record.name != *own_name;
            let holds_twin =
                twin.is_some() && keys.of_element[other.window].contains(&twin) || competitors.contains(&other.window);
            window_fits =
                (Some(other.window), fits_session && other_program && window.is_plain() && !window.modal && !holds_twin);
        }
        if window_fits.1 {
            let cosine = similarity(other.text).clamp(-1.0, 1.0);
            let slot = &mut best[pack.windows[other.window].program];
            if slot.is_none_or(|(_, held)| cosine > held) {
                *slot = Some((at, cosine));
            }
        }
    }
    let mut ranked: Vec<(TargetIndex, f64)> = best.into_iter().flatten().collect();
    // Ties go by the order of programs, which is by id: a stable sort keeps it.
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked.into_iter().map(|(target, _)| target).collect()
}
