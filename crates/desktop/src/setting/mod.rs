//! State setting: a control in some state, and the state that one act must bring it to. From a study and a key to a
//! plan, and from a plan to the instance that is asked and scored.
//!
//! Random numbers are spent on which control has its turn, on its state and the states of the other controls of its
//! page, on the words, and, on desktops, on the scene around it. Whatever an instance says besides follows from its
//! plan.

mod facts;
mod hint;
mod instance;
mod names;
mod numbers;
mod place_words;
mod places;
mod plan;
mod pool;
mod triples;
mod words;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_engine::pack::IndexedPack;
use windesk_engine::planner::PairedError;
use windesk_engine::study::Outcome;
use windesk_model::Error;
use windesk_model::condition::{Condition, InstructionChoice, Protocol, StatesKnob};
use windesk_model::geometry::Rect;
use windesk_model::pack_format::Platform;
use windesk_model::pack_format::living::ControlType;
use windesk_model::plan::Plan;
use windesk_model::setting::HintKind;

use facts::MIN_CORE_PX;
pub use facts::{Facts, Goal, facts};
pub(crate) use facts::{box_around, opened};
pub use instance::instance;
pub(crate) use names::{Asked, Named, named};
pub use places::Place;
pub use pool::SettingPool;
pub use triples::{StateCounts, Triples, state_counts};
pub(crate) use words::{continued, in_app, request};

/// State instances that are made alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct StateStudy {
    /// Name of the dataset; the first part of every id.
    pub name: String,
    /// What desktops around controls are like: one condition, or as many as there are bands, which differ in their
    /// names alone. Pages alone have a screen of their own size and nothing else.
    pub conditions: Vec<Condition>,
    /// Seed of all keys.
    pub seed: u64,
    /// What controls are shown on.
    pub platforms: Vec<Platform>,
    /// Types of controls.
    pub types: Vec<ControlType>,
    /// What help the questions give.
    #[serde(default, skip_serializing_if = "HintKind::is_none")]
    pub hint: HintKind,
    /// How small target cores are, a band per condition. The instances of an index then show the same picture to the
    /// pixel: a page in one state, of which each asks for another control or state. Empty for one instance per index,
    /// with cores of any size.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bands: Vec<CoreBand>,
}

/// How small target cores are: their shorter sides, px, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CoreBand {
    /// At least.
    pub from_px: u32,
    /// At most.
    pub to_px: u32,
}

impl CoreBand {
    fn holds(self, core: Rect) -> bool {
        let side = core.width().min(core.height());
        i64::from(self.from_px) <= i64::from(side) && i64::from(side) <= i64::from(self.to_px)
    }
}

impl StateStudy {
    /// What desktops are like.
    pub fn condition(&self) -> &Condition {
        &self.conditions[0]
    }

    /// Whether instances can be made of it.
    ///
    /// # Errors
    /// With what is wrong with it.
    pub fn check(&self) -> Result<(), Error> {
        let place = || format!("study {}", self.name);
        let expected = self.bands.len().max(1);
        if self.conditions.len() != expected {
            let problem = format!("found {} conditions, expected {expected}", self.conditions.len());
            return Err(Error::config(place(), problem));
        }
        if let Some(band) = self.bands.iter().find(|band| band.from_px > band.to_px || band.to_px < MIN_CORE_PX as u32) {
            let found = format!("found cores of {} to {} px", band.from_px, band.to_px);
            return Err(Error::config(place(), format!("{found}, expected some of {MIN_CORE_PX} px or more")));
        }
        let condition = self.condition();
        if self.conditions.iter().any(|other| Condition { name: condition.name.clone(), ..other.clone() } != *condition) {
            return Err(Error::config(place(), "found conditions that differ in more than their names"));
        }
        if self.platforms.is_empty() || self.types.is_empty() {
            return Err(Error::config(place(), "found no platform, or no type of control, expected at least one of each"));
        }
        if condition.protocol != Protocol::Windesk {
            return Err(Error::config(place(), "protocol windeskground knows no controls, expected windesk"));
        }
        if condition.states != StatesKnob::Captured {
            return Err(Error::config(place(), "`states` varied does not apply: the control's page is in a state of its own")
                .with_hint("leave out option `states`"));
        }
        let filters = &condition.filters;
        if !(filters.roles.is_empty() && filters.ui_types.is_empty() && filters.target_sizes.is_empty()) {
            let problem =
                "controls are chosen by platform, family and type: filters `roles`, `ui_types` and `target_sizes` don't apply";
            return Err(Error::config(place(), problem).with_hint("options `family` and `type` choose controls"));
        }
        if !condition.balance.is_empty() || condition.instructions != InstructionChoice::Auto {
            let problem = "types of controls take turns, and their words are made of what the screen says: `balance` and \
                           `instructions` don't apply";
            return Err(Error::config(place(), problem));
        }
        if condition.theme.is_some() || condition.targets_per_scene.extra() > 0 || !condition.absent_share.is_none() {
            return Err(Error::config(
                place(),
                "one control that is there is asked for: `theme`, `targets_per_scene` and `absent_share` don't apply",
            ));
        }
        if !condition.visible_ratio.is_full() {
            return Err(Error::config(place(), "`visible_ratio`: a control that is to be set shows wholly, expected [1.0, 1.0]"));
        }
        Ok(())
    }

    /// The plan of one index.
    ///
    /// # Errors
    /// If the pack is at fault. A rejected draw is no error.
    pub fn outcome(&self, pack: &IndexedPack, pool: &SettingPool, index: u64) -> Result<Outcome<Plan>, Error> {
        let plans = |key| plan::plans_setting(pack, pool, self, key).map_err(|error| PairedError { condition: 0, error });
        Outcome::of_draws(self.seed, index, |at| &self.conditions[at].name, plans)
    }
}
