//! What a pack holds, in numbers.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use windesk_engine::pack::Pack;
use windesk_model::index::ProgramIndex;
use windesk_model::instruction::Wording;

/// Counts of a pack.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PackStats {
    /// Programs.
    pub programs: usize,
    /// Captures.
    pub windows: usize,
    /// Captures with an open popup.
    pub with_popup: usize,
    /// Captures with an inactive picture.
    pub with_inactive: usize,
    /// Captures that are light/dark twins of another.
    pub variants: usize,
    /// Elements.
    pub elements: usize,
    /// Interactive elements.
    pub interactive: usize,
    /// Elements with a state or value.
    pub stateful: usize,
    /// Recorded transitions.
    pub transitions: usize,
    /// Targets, by wording.
    pub targets: BTreeMap<Wording, usize>,
    /// Programs and captures by category.
    pub categories: BTreeMap<&'static str, [usize; 2]>,
    /// Programs and captures by session.
    pub sessions: BTreeMap<String, [usize; 2]>,
    /// Captures by program name.
    pub captures: BTreeMap<String, usize>,
    /// Captures by theme.
    pub themes: BTreeMap<String, usize>,
    /// Elements by role.
    pub roles: BTreeMap<String, usize>,
    /// Wallpapers, icons and fonts.
    pub wallpapers: usize,
    /// Desktop, taskbar and tray icons.
    pub icons: usize,
}

/// Counts what a pack holds.
pub fn stats(pack: &Pack) -> PackStats {
    let mut stats = PackStats {
        programs: pack.programs.len(),
        windows: pack.windows.len(),
        transitions: pack.transitions.len(),
        wallpapers: pack.wallpapers.len(),
        icons: pack.icons.len(),
        ..PackStats::default()
    };
    for program in &pack.programs {
        let entry = stats.categories.entry(program.record.category.name()).or_default();
        entry[0] += 1;
        entry[1] += program.windows.len();
        stats.captures.insert(program.record.name.clone(), program.windows.len());
    }
    for (at, session) in pack.sessions.iter_enumerated() {
        let windows = || pack.windows.iter().filter(move |window| window.session == at);
        let programs: BTreeSet<ProgramIndex> = windows().map(|window| window.program).collect();
        stats.sessions.insert(session.id.clone(), [programs.len(), windows().count()]);
    }
    for window in &pack.windows {
        stats.with_popup += usize::from(window.has_popup());
        stats.with_inactive += usize::from(window.inactive.is_some());
        stats.variants += usize::from(window.variant_of.is_some());
        *stats.themes.entry(window.theme.clone()).or_default() += 1;
        for element in &window.elements {
            stats.elements += 1;
            stats.interactive += usize::from(element.interactive);
            stats.stateful += usize::from(!element.state.is_empty());
            *stats.roles.entry(element.role.clone()).or_default() += 1;
        }
    }
    for target in pack.index_if_any().iter().flat_map(|index| &index.targets) {
        *stats.targets.entry(target.wording).or_default() += 1;
    }
    stats
}
