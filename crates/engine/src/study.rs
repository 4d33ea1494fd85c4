//! A study: ordered conditions over the same indices, with their draws advancing together. From an index to verified
//! samples.
//!
//! An index has up to [`MAX_DRAWS`] draws. A draw that any of the conditions rejects is spent in all of them, so that
//! the samples of an index stay paired.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_model::Error;
use windesk_model::condition::{Condition, Pairing, Protocol};
use windesk_model::key::{SampleKey, scene_name};
use windesk_model::pack_format::Platform;
use windesk_model::plan::{Plan, Reason};
use windesk_model::record::{AnnotationRecord, Knobs, SCHEMA_VERSION, SceneLayout, SceneRecord};
use windesk_model::setting::platform_name;
use windesk_model::task::SequencePlace;

use crate::annotate::annotate;
use crate::config::Sweep;
use crate::pack::IndexedPack;
use crate::planner::{PairedError, PlanError, TargetPool, plan, plan_paired};
use crate::referee::{check_pairing, verify};

/// Draws of an index before it is given up as a hole.
pub const MAX_DRAWS: u32 = 64;

/// Conditions that are planned jointly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Study {
    /// Name of the dataset; the first part of every id.
    pub name: String,
    /// Name of the sweep, or null for a single level.
    pub sweep: Option<String>,
    /// What the samples of an index have in common.
    pub pairing: Pairing,
    /// In order; names differ.
    pub conditions: Vec<Condition>,
    /// Seed of all keys.
    pub seed: u64,
    /// Whether indices go through the targets once, in a shuffled order, instead of drawing them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub traverse: bool,
}

/// A line of `rejections.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Rejection {
    /// The run's seed.
    pub seed: u64,
    /// The index that spent a draw.
    pub index: u64,
    /// Which draw.
    pub draw: u32,
    /// The condition that rejected it.
    pub condition: String,
    /// Why.
    pub reason: Reason,
}

/// What an index gave.
#[derive(Clone, Debug)]
pub struct Outcome<P = Plan> {
    /// A plan per condition, in order; null if all draws were spent.
    pub plans: Option<Vec<P>>,
    /// Draws that were spent, in order.
    pub rejections: Vec<Rejection>,
}

impl<P> Outcome<P> {
    /// The plans of an index's first draw that no condition rejects, and the draws that were spent before it. `plans`
    /// makes those of a key; `name` tells the name of a condition.
    ///
    /// # Errors
    /// If the pack is at fault. A rejected draw is no error.
    pub fn of_draws<'c>(
        seed: u64,
        index: u64,
        name: impl Fn(usize) -> &'c str,
        mut plans: impl FnMut(SampleKey) -> Result<Vec<P>, PairedError>,
    ) -> Result<Self, Error> {
        let mut rejections = Vec::new();
        for draw in 0..MAX_DRAWS {
            match plans(SampleKey { seed, index, draw }) {
                Ok(plans) => return Ok(Self { plans: Some(plans), rejections }),
                Err(PairedError { error: PlanError::Pack(error), .. }) => return Err(error),
                Err(PairedError { condition, error: PlanError::Rejected(reason) }) => {
                    rejections.push(Rejection { seed, index, draw, condition: name(condition).to_owned(), reason });
                }
            }
        }
        Ok(Self { plans: None, rejections })
    }
}

impl Study {
    /// The samples of one condition, such as a level's. The dataset is called `<condition>-s<seed>`.
    pub fn of_condition(condition: Condition, seed: u64) -> Self {
        Self {
            name: format!("{}-s{seed}", condition.name),
            sweep: None,
            pairing: Pairing::Targets,
            conditions: vec![condition],
            seed,
            traverse: false,
        }
    }

    /// The samples of a sweep. The dataset is called `<sweep>-s<seed>`.
    pub fn of_sweep(sweep: Sweep, seed: u64) -> Self {
        let Sweep { name, pairing, conditions, varied: _ } = sweep;
        Self { name: format!("{name}-s{seed}"), sweep: Some(name), pairing, conditions, seed, traverse: false }
    }

    /// The rules that all its conditions follow.
    ///
    /// # Errors
    /// If there is no condition, two of them follow different rules, or scenes are to be paired that the published
    /// generator draws anew.
    pub fn protocol(&self) -> Result<Protocol, Error> {
        let place = || format!("study {}", self.sweep.as_deref().unwrap_or(&self.name));
        let Some(first) = self.conditions.first() else {
            return Err(Error::caller(place(), "found no condition, expected at least one"));
        };
        if let Some(other) = self.conditions.iter().find(|c| c.protocol != first.protocol) {
            let found =
                format!("{} follows {}, {} follows {}", first.name, first.protocol.name(), other.name, other.protocol.name());
            return Err(Error::caller(place(), format!("{found}, expected one protocol")));
        }
        let paired = matches!(self.pairing, Pairing::Scenes | Pairing::Twins);
        if first.protocol == Protocol::Windeskground && paired {
            let problem =
                "scenes are paired, expected targets alone: protocol windeskground draws the places of every condition anew";
            return Err(Error::caller(place(), problem));
        }
        Ok(first.protocol)
    }

    /// The targets that samples are drawn from.
    ///
    /// # Errors
    /// Those of [`Self::protocol`]; or if no target of the pack satisfies the conditions.
    pub fn pool(&self, pack: &IndexedPack) -> Result<TargetPool, Error> {
        self.protocol()?;
        match self.pairing {
            _ if self.traverse => TargetPool::traversal(pack, &self.conditions, self.seed),
            Pairing::None => TargetPool::separate(pack, &self.conditions),
            Pairing::Targets | Pairing::Scenes | Pairing::Twins => TargetPool::new(pack, &self.conditions),
        }
    }

    /// Plans and verifies the samples of one index.
    ///
    /// # Errors
    /// If the pack is at fault. A rejected draw is no error.
    pub fn outcome(&self, pack: &IndexedPack, pool: &TargetPool, index: u64) -> Result<Outcome, Error> {
        Outcome::of_draws(self.seed, index, |at| &self.conditions[at].name, |key| self.plans(pack, pool, key))
    }

    /// The verified plans of one draw, in the order of the conditions.
    fn plans(&self, pack: &IndexedPack, pool: &TargetPool, key: SampleKey) -> Result<Vec<Plan>, PairedError> {
        let failed = |condition: usize, error: PlanError| PairedError { condition, error };
        let verified = |at: usize, plan: Plan| match verify(pack, &self.conditions[at], &plan) {
            Ok(violations) if violations.is_empty() => Ok(plan),
            Ok(_) => Err(failed(at, Reason::NotVerified.into())),
            Err(error) => Err(failed(at, error.into())),
        };
        match self.pairing {
            Pairing::None | Pairing::Targets => {
                let plans = self.conditions.iter().enumerate();
                plans
                    .map(|(at, condition)| {
                        plan(pack, pool, condition, key).map_err(|e| failed(at, e)).and_then(|p| verified(at, p))
                    })
                    .collect()
            }
            Pairing::Scenes | Pairing::Twins => {
                let plans = plan_paired(pack, pool, &self.conditions, key)?;
                let plans = plans.into_iter().enumerate().map(|(at, plan)| verified(at, plan)).collect::<Result<Vec<_>, _>>()?;
                match check_pairing(pack, &self.conditions, &plans) {
                    Ok(violations) if violations.is_empty() => Ok(plans),
                    Ok(_) => Err(failed(0, Reason::NotPaired.into())),
                    Err(error) => Err(failed(0, error.into())),
                }
            }
        }
    }

    /// A sample's id: `<dataset>.<condition>-<index>`.
    pub fn sample_id(&self, condition: &Condition, index: u64) -> String {
        format!("{}.{}", self.name, scene_name(&condition.name, index, None))
    }

    /// What the samples that are paired with this one share: `<dataset>/<index>`, and nothing where nothing is paired.
    fn pair_id(&self, condition: &Condition, index: u64) -> String {
        match self.pairing {
            Pairing::None => format!("{}/{}/{index:06}", self.name, condition.name),
            Pairing::Targets | Pairing::Scenes | Pairing::Twins => format!("{}/{index:06}", self.name),
        }
    }

    /// The scene's record. `image` is its path in the dataset.
    ///
    /// # Errors
    /// If a picture can't be read.
    pub fn record<'a>(
        &self,
        pack: &'a IndexedPack,
        condition: &Condition,
        plan: &Plan,
        image: String,
    ) -> Result<SceneRecord<'a>, Error> {
        let id = format!("{}.{}", self.name, plan.scene_name());
        Ok(SceneRecord {
            schema_version: SCHEMA_VERSION,
            truth: annotate(pack, plan, &id)?,
            id,
            dataset: self.name.clone(),
            protocol: plan.protocol,
            image,
            width: plan.canvas.width,
            height: plan.canvas.height,
            condition: condition.name.clone(),
            key: plan.key,
            split: condition.split.map(|split| split.name().to_owned()),
            sweep: self.sweep.clone(),
            knobs: Knobs {
                visible_ratio: [condition.visible_ratio.0.into(), condition.visible_ratio.1.into()],
                windows: plan.placements.len() as u32,
                distractor_rank: condition.distractor.rank,
                distractors: condition.distractor.count,
                distractor_similarity: condition.distractor.similarity.map(|band| [band.0.into(), band.1.into()]),
                distractor_layer: Some(condition.distractor.layer),
                occluder: Some(condition.occluder),
                chrome: condition.chrome,
                theme: condition.theme,
                probe: None,
            },
            pair_id: self.pair_id(condition, plan.key.index),
            session: plan.session.clone(),
            wallpaper: plan.wallpaper.clone(),
            layout: SceneLayout::Windows(plan.layout),
            sequence: plan.step.as_ref().map(|step| SequencePlace {
                id: self.sample_id(condition, plan.key.index),
                step: step.step,
                steps: step.steps,
            }),
        })
    }
}

/// The superset records of a scene, one per target.
pub fn annotation_records(scene: &SceneRecord) -> Vec<AnnotationRecord> {
    let file_name = scene.image.rsplit('/').next().unwrap_or(&scene.image).to_owned();
    let size = [scene.width, scene.height];
    let records = scene.truth.targets.iter().map(|target| {
        let window = target.window.map(|w| &scene.truth.windows[w]);
        let element = target.element.as_ref().and_then(|id| scene.truth.elements.iter().find(|e| e.id == *id));
        AnnotationRecord {
            id: target.id.clone(),
            scene: scene.id.clone(),
            img_filename: file_name.clone(),
            image_path: scene.image.clone(),
            file_name: scene.image.clone(),
            img_size: size,
            image_size: size,
            image_width: scene.width,
            image_height: scene.height,
            bbox: target.bbox,
            instruction: target.instruction.clone(),
            prompt_to_evaluate: target.instruction.clone(),
            ui_type: target.ui_type,
            data_type: target.ui_type,
            element_type: element.map(|e| e.role.to_string()).unwrap_or_default(),
            platform: platform_name(window.map_or(Platform::Desktop, |w| w.platform)).to_owned(),
            data_source: format!("windesk:{}", scene.protocol.name()),
            application: window.map(|w| w.app.clone()).unwrap_or_default(),
            group: window.map(|w| w.category),
            grounding_type: "element".to_owned(),
            condition: scene.condition.clone(),
            visible_ratio: target.visible_ratio,
            kind: target.kind,
            click_point: target.click_point,
            drag: target.drag,
            visible_bbox: target.visible_bbox,
            promised: target.promised,
            pair_id: scene.pair_id.clone(),
        }
    });
    records.collect()
}
