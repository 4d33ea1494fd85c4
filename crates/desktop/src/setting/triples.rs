//! How many distinct state instances a pack can give: triples of control, current and target state.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use windesk_engine::pack::living::{Living, known_values};
use windesk_engine::pack::{Pack, Window};
use windesk_model::Error;
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::living::{Control, Value};
use windesk_model::setting::{COMPONENTS, Component, PLATFORMS, platform_name};

use super::facts::{base_state, facts_in};
use super::pool::is_set_by_an_act;

/// Controls and their triples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Triples {
    /// Controls of which at least one triple is known.
    pub controls: u64,
    /// Triples, at most [`Triples::MAX_PER_CONTROL`] of each control.
    pub triples: u64,
}

impl Triples {
    /// Most triples of one control that count, so that sliders do not make the number.
    pub const MAX_PER_CONTROL: u64 = 100;

    fn add(&mut self, other: Self) {
        self.controls += other.controls;
        self.triples += other.triples;
    }
}

/// What a pack's living pages can be asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StateCounts {
    /// All together.
    pub all: Triples,
    /// By component type, on all platforms.
    pub types: BTreeMap<&'static str, Triples>,
    /// By platform and component type.
    pub platforms: BTreeMap<&'static str, BTreeMap<&'static str, Triples>>,
    /// Component types that the pack has no control of, by platform.
    pub lacking: BTreeMap<&'static str, Vec<&'static str>>,
}

/// Counts the triples of a pack's living pages: every value that a control can have while the others are as captured,
/// with every other value that it can then be asked to take.
///
/// # Errors
/// If a page is at fault.
pub fn state_counts(pack: &Pack) -> Result<StateCounts, Error> {
    let windows: Vec<(WindowIndex, &Window)> =
        pack.windows.iter_enumerated().filter(|(_, window)| window.living.is_some() && window.is_plain()).collect();
    let of_windows = windows.par_iter().with_max_len(1).map(|&(window, record)| {
        let living = pack.living(window)?;
        let mut found = Vec::new();
        for control in living.page.controls.iter().filter(|control| is_set_by_an_act(&living, control)) {
            let Some(component) = Component::of(control.kind) else { continue };
            let triples = triples_of(&living, control)?;
            if triples > 0 {
                found.push((platform_name(record.platform), component.name, Triples { controls: 1, triples }));
            }
        }
        Ok(found)
    });
    let of_windows: Vec<Vec<_>> = of_windows.collect::<Result<_, Error>>()?;
    let mut counts = StateCounts::default();
    for (platform, component, triples) in of_windows.into_iter().flatten() {
        counts.all.add(triples);
        counts.types.entry(component).or_default().add(triples);
        counts.platforms.entry(platform).or_default().entry(component).or_default().add(triples);
    }
    for (_, platform) in PLATFORMS {
        let known = counts.platforms.get(platform);
        let lacks = |name: &&str| known.is_none_or(|known| !known.contains_key(*name));
        let lacking: Vec<&str> = COMPONENTS.iter().map(|component| component.name).filter(lacks).collect();
        if !lacking.is_empty() {
            counts.lacking.insert(platform, lacking);
        }
    }
    Ok(counts)
}

/// The triples of a control, up to the most that count.
fn triples_of(living: &Living, control: &Control) -> Result<u64, Error> {
    let mut found = 0;
    for value in known_values(living, &control.id) {
        if found >= Triples::MAX_PER_CONTROL {
            break;
        }
        found += targets_of(living, control, value)?;
    }
    Ok(found.min(Triples::MAX_PER_CONTROL))
}

/// How many values a control that has this one can be asked to take.
fn targets_of(living: &Living, control: &Control, value: &Value) -> Result<u64, Error> {
    let Some(state) = base_state(living, control, value) else { return Ok(0) };
    Ok(facts_in(living, &state, &control.id)?.map_or(0, |known| known.goals.len() as u64))
}
