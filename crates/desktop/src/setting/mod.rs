//! State setting: a control in some state, and the state that one act must bring it to. From a study and a key to a plan,
//! and from a plan to the instance that is asked and scored.
//!
//! Random numbers are spent on which control has its turn, on its state and the states of the other controls of its page,
//! on the words, and, on desktops, on the scene around it. Whatever an instance says besides follows from its plan.

mod facts;
mod hint;
mod instance;
mod plan;
mod pool;
mod triples;
mod words;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_engine::pack::IndexedPack;
use windesk_engine::planner::PlanError;
use windesk_engine::study::{MAX_DRAWS, Outcome, Rejection};
use windesk_model::Error;
use windesk_model::condition::{Condition, Protocol, StatesKnob};
use windesk_model::key::SampleKey;
use windesk_model::pack_format::Platform;
use windesk_model::pack_format::living::ControlType;
use windesk_model::plan::Plan;
use windesk_model::setting::HintKind;

pub use facts::{Facts, Goal, facts};
pub use instance::instance;
pub use pool::SettingPool;
pub use triples::{StateCounts, Triples, state_counts};

/// State instances that are made alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StateStudy {
    /// Name of the dataset; the first part of every id.
    pub name: String,
    /// What desktops around controls are like: one condition. Pages alone have a screen of their own size and nothing else.
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
        let [condition] = &self.conditions[..] else {
            return Err(Error::config(place(), format!("found {} conditions, expected one", self.conditions.len())));
        };
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
        let mut rejections = Vec::new();
        for draw in 0..MAX_DRAWS {
            let key = SampleKey { seed: self.seed, index, draw };
            match plan::plan_setting(pack, pool, self, key) {
                Ok(plan) => return Ok(Outcome { plans: Some(vec![plan]), rejections }),
                Err(PlanError::Pack(error)) => return Err(error),
                Err(PlanError::Rejected(reason)) => {
                    let condition = self.condition().name.clone();
                    rejections.push(Rejection { seed: self.seed, index, draw, condition, reason });
                }
            }
        }
        Ok(Outcome { plans: None, rejections })
    }
}
