//! The controls that a study can ask for, and whose turn it is.
//!
//! Component types on platforms take turns, and the controls of each take turns within it. So types are even, none is
//! left out, and a control comes again only after all others of its type; the lap says how often it came before.

use std::collections::BTreeMap;

use windesk_engine::pack::IndexedPack;
use windesk_engine::pack::living::Living;
use windesk_model::Error;
use windesk_model::digest::stable_id;
use windesk_model::index::{TargetIndex, WindowIndex};
use windesk_model::key::{Decision, SampleKey};
use windesk_model::pack_format::Platform;
use windesk_model::pack_format::living::{Control, Domain};
use windesk_model::pack_format::{Action, Change, Outcome};
use windesk_model::setting::{COMPONENTS, Component, PLATFORMS, platform_name};

use super::StateStudy;

/// Draws of an index that go to one control, before the next one has its turn.
const DRAWS_PER_CONTROL: u32 = 8;

/// A control that can be asked for.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The page.
    pub(super) window: WindowIndex,
    /// The control, by its id on the page.
    pub(super) control: String,
    /// A number made from both ids.
    pub(super) stable_id: u64,
    /// Something of the window that scenes are arranged about; of windows of desktops alone.
    pub(super) anchor: Option<TargetIndex>,
}

/// The controls of one component type on one platform.
#[derive(Clone, Debug)]
struct Cell {
    platform: Platform,
    component: Component,
    stable_id: u64,
    entries: Vec<Entry>,
}

/// The controls that a study can ask for.
#[derive(Clone, Debug)]
pub struct SettingPool {
    seed: u64,
    cells: Vec<Cell>,
    draws_per_control: u32,
    /// Types that were asked for on platforms that have none.
    lacking: Vec<(Platform, Component)>,
}

impl SettingPool {
    /// Gathers the controls of a pack's living pages.
    ///
    /// # Errors
    /// If a page is at fault, or the pack has no control that the study asks for.
    pub fn new(pack: &IndexedPack, study: &StateStudy) -> Result<Self, Error> {
        let asked: Vec<Component> = COMPONENTS.into_iter().filter(|component| study.types.contains(&component.kind)).collect();
        let filters = &study.condition().filters;
        let mut entries: BTreeMap<(Platform, &str), Vec<Entry>> = BTreeMap::new();
        for (window, record) in pack.windows.iter_enumerated().filter(|(_, w)| w.living.is_some() && w.is_plain()) {
            let program = &pack.program_of(window).record;
            let session = pack.sessions[record.session].record.as_ref().map(|session| session.id.as_str());
            let is_wanted = |list: &[String], names: &[&str]| list.is_empty() || list.iter().any(|n| names.contains(&n.as_str()));
            if !study.platforms.contains(&record.platform)
                || !is_wanted(&filters.apps, &[&program.id, &program.name])
                || !is_wanted(&filters.sessions, session.as_slice())
                || !(filters.categories.is_empty() || filters.categories.contains(&program.category))
            {
                continue;
            }
            let index = pack.index();
            let anchor = index.targets.iter_enumerated().find(|(_, target)| target.window == window).map(|(at, _)| at);
            if record.is_of_desktop() && anchor.is_none() {
                continue;
            }
            let living = pack.living(window)?;
            for control in living.page.controls.iter().filter(|control| is_set_by_an_act(&living, control)) {
                let Some(component) = Component::of(control.kind).filter(|component| asked.contains(component)) else { continue };
                entries.entry((record.platform, component.name)).or_default().push(Entry {
                    window,
                    control: control.id.clone(),
                    stable_id: stable_id(&format!("{}#{}", record.id, control.id)),
                    anchor,
                });
            }
        }
        let (mut cells, mut lacking) = (Vec::new(), Vec::new());
        for (platform, _) in PLATFORMS.into_iter().filter(|(platform, _)| study.platforms.contains(platform)) {
            for &component in &asked {
                match entries.remove(&(platform, component.name)) {
                    Some(entries) => {
                        let stable_id = stable_id(&format!("{}/{}", platform_name(platform), component.name));
                        cells.push(Cell { platform, component, stable_id, entries });
                    }
                    None => lacking.push((platform, component)),
                }
            }
        }
        if cells.is_empty() {
            let named =
                |(platform, component): &(Platform, Component)| format!("{} on {}", component.name, platform_name(*platform));
            let is_filtered = [&filters.apps, &filters.sessions].iter().any(|f| !f.is_empty()) || !filters.categories.is_empty();
            let among = if is_filtered { " among what the filters leave" } else { "" };
            let found = format!("found no control of {}{among}", lacking.iter().map(named).collect::<Vec<_>>().join(", "));
            return Err(Error::config(pack.files().place(), found)
                .with_hint("`windesk pack stats` says which types of controls a pack has on which platform"));
        }
        // A page that lacks cores of some size lacks them in every state.
        let draws_per_control = if study.bands.is_empty() { DRAWS_PER_CONTROL } else { 1 };
        Ok(Self { seed: study.seed, cells, draws_per_control, lacking })
    }

    /// How many controls there are, by platform and component type.
    pub fn counts(&self) -> BTreeMap<(&'static str, &'static str), usize> {
        self.cells.iter().map(|c| ((platform_name(c.platform), c.component.name), c.entries.len())).collect()
    }

    /// Whether a control is of a type that is asked for.
    pub(super) fn asks_for(&self, control: &Control) -> bool {
        Component::of(control.kind).is_some_and(|component| self.cells.iter().any(|cell| cell.component == component))
    }

    /// Types that were asked for and that a platform has no control of.
    pub fn lacking(&self) -> &[(Platform, Component)] {
        &self.lacking
    }

    /// The control whose turn it is, its component type, and how often it had its turn before.
    pub(super) fn pick(&self, key: SampleKey) -> (&Entry, Component, u64) {
        let cells = self.cells.len() as u64;
        let (round, place) = (key.index / cells, key.index % cells);
        let of_seed = |index: u64| SampleKey { seed: self.seed, index, draw: 0 };
        let cell = nth_by_rank(&self.cells, place as usize, |cell| of_seed(round).rank(Decision::SettingTurn, cell.stable_id));
        // A control that gives nothing leaves its turn to others.
        let tried = u64::from(key.draw / self.draws_per_control);
        let (lap, turn) = (round / cell.entries.len() as u64, round % cell.entries.len() as u64);
        let at = (turn + tried) % cell.entries.len() as u64;
        let rank = |entry: &Entry| of_seed(lap).rank(Decision::SettingTurn, !entry.stable_id);
        let entry = nth_by_rank(&cell.entries, at as usize, rank);
        (entry, cell.component, lap + (tried << 16))
    }
}

/// The nth of a list that is sorted by a rank.
fn nth_by_rank<T>(list: &[T], at: usize, rank: impl Fn(&T) -> u64) -> &T {
    let mut ranked: Vec<(u64, usize)> = list.iter().enumerate().map(|(at, one)| (rank(one), at)).collect();
    ranked.sort_unstable();
    &list[ranked[at].1]
}

/// Whether a click or a drag is known that gives the control a value.
pub(super) fn is_set_by_an_act(living: &Living, control: &Control) -> bool {
    let sets = |outcome: &Outcome| match outcome {
        Outcome::Value { control: set, change } => *set == control.id && !matches!(change, Change::By(0)),
        Outcome::Mapped { control: set } => *set == control.id,
        _ => false,
    };
    let by_transition = || living.transitions.iter().any(|t| t.action == Action::Click && t.outcomes.iter().any(sets));
    !matches!(control.values, Domain::Text { .. })
        && (control.click_map.is_some() || control.drag_map.is_some() || by_transition())
}
