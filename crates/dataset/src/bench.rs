//! A bench: several studies over the same indices, in one dataset.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_engine::pack::IndexedPack;
use windesk_engine::planner::TargetPool;
use windesk_engine::render::{Encoding, Frame, Renderer};
use windesk_engine::study::{Outcome, Study};
use windesk_model::Error;
use windesk_model::condition::Condition;
use windesk_model::geometry::Size;
use windesk_model::plan::Plan;
use windesk_model::record::{MaskRecord, SceneRecord};

use super::assets::{Asset, AssetKey};
use super::scenes::{Scenes, check_what_is_shared};
use super::source::{CardParts, DatasetKind, Facts, SampleSource};
use super::stats::Stats;

/// Studies whose samples lie in one dataset. Each is paired by itself and draws by itself; an index that one of them
/// gives up is a hole in all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Bench {
    /// Name of the dataset, and of each of its studies.
    pub name: String,
    /// Seed of all keys.
    pub seed: u64,
    /// In order; names of conditions differ throughout.
    pub studies: Vec<Study>,
}

impl Bench {
    /// Puts studies together. Conditions of sweeps get the sweep's name before their own; levels keep theirs.
    pub fn new(name: String, seed: u64, studies: Vec<Study>) -> Self {
        let studies = studies.into_iter().map(|mut study| {
            if let Some(sweep) = study.sweep.as_deref().filter(|&sweep| sweep != LEVELS_SWEEP) {
                study.conditions.iter_mut().for_each(|c| c.name = format!("{sweep}-{}", c.name));
            }
            Study { name: name.clone(), seed, ..study }
        });
        Self { studies: studies.collect(), name, seed }
    }

    /// All conditions, in order.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.studies.iter().flat_map(|study| &study.conditions)
    }

    /// The targets that every condition can use, each once, in the order of the indices.
    ///
    /// # Errors
    /// If there is none, or the pack has no index.
    pub fn traversal(&self, pack: &IndexedPack) -> Result<TargetPool, Error> {
        let conditions: Vec<Condition> = self.conditions().cloned().collect();
        TargetPool::traversal(pack, &conditions, self.seed)
    }
}

/// What the joint study of the levels is called.
pub const LEVELS_SWEEP: &str = "levels";

/// The scenes of a bench over a pack.
pub struct BenchScenes<'p> {
    bench: Bench,
    parts: Vec<Part<'p>>,
}

/// One study's scenes, and which of the bench's conditions are theirs.
struct Part<'p> {
    scenes: Scenes<'p>,
    conditions: Range<usize>,
}

impl<'p> BenchScenes<'p> {
    /// Gathers what all scenes share.
    ///
    /// # Errors
    /// If two conditions have one name, or two studies different protocols; if no target of the pack satisfies all
    /// conditions of a study, or the pack's fonts can't be read.
    pub fn new(pack: &'p IndexedPack, bench: Bench) -> Result<Self, Error> {
        let names: Vec<&str> = bench.conditions().map(|c| c.name.as_str()).collect();
        if let Some(twice) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
            return Err(Error::config(format!("condition {}", twice.1), "found twice in one bench, expected one"));
        }
        let protocols = bench.studies.iter().map(Study::protocol).collect::<Result<Vec<_>, _>>()?;
        if protocols.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(Error::caller(format!("bench {}", bench.name), "two protocols, expected one in all studies"));
        }
        let renderer = Arc::new(Renderer::new(pack)?);
        let traversal = match bench.studies.iter().any(|study| study.traverse) {
            true => Some(Arc::new(bench.traversal(pack)?)),
            false => None,
        };
        let mut parts = Vec::with_capacity(bench.studies.len());
        let mut first = 0;
        for study in &bench.studies {
            check_what_is_shared(pack, study)?;
            let pool = match &traversal {
                Some(pool) => Arc::clone(pool),
                None => Arc::new(study.pool(pack)?),
            };
            let conditions = first..first + study.conditions.len();
            first = conditions.end;
            parts.push(Part { scenes: Scenes::with(pack, study.clone(), pool, Arc::clone(&renderer)), conditions });
        }
        Ok(Self { bench, parts })
    }

    /// The study that makes a condition.
    fn part(&self, condition: usize) -> &Part<'p> {
        let at = self.parts.partition_point(|part| part.conditions.end <= condition);
        &self.parts[at]
    }
}

impl SampleSource for BenchScenes<'_> {
    type Plan = Plan;
    type Study = Bench;

    fn study(&self) -> &Bench {
        &self.bench
    }

    fn facts(&self) -> Facts<'_> {
        let parts = || self.parts.iter().map(|part| part.scenes.facts());
        // Studies with the same pool warn of the same.
        let mut warnings: Vec<String> = Vec::new();
        for warning in parts().flat_map(|facts| facts.warnings) {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        Facts {
            kind: DatasetKind::Bench,
            conditions: self.bench.conditions().map(|c| c.name.as_str()).collect(),
            share_alike: parts().any(|facts| facts.share_alike),
            warnings,
            ..self.parts[0].scenes.facts()
        }
    }

    fn licences(&self) -> BTreeMap<String, u64> {
        self.parts[0].scenes.licences()
    }

    fn outcome(&self, index: u64) -> Result<Outcome<Plan>, Error> {
        let (mut all, mut rejections) = (Vec::new(), Vec::new());
        for part in &self.parts {
            let outcome = part.scenes.outcome(index)?;
            rejections.extend(outcome.rejections);
            let Some(plans) = outcome.plans else { return Ok(Outcome { plans: None, rejections }) };
            all.extend(plans);
        }
        Ok(Outcome { plans: Some(all), rejections })
    }

    fn record(&self, condition: usize, plan: &Plan, image: String) -> Result<SceneRecord<'_>, Error> {
        let part = self.part(condition);
        let mut record = part.scenes.record(condition - part.conditions.start, plan, image)?;
        // Samples of two studies share an index but are no pair.
        if let Some(sweep) = &record.sweep {
            record.pair_id = record.pair_id.replacen('/', &format!("/{sweep}/"), 1);
        }
        Ok(record)
    }

    fn render(&self, plan: &Plan) -> Result<Frame, Error> {
        self.parts[0].scenes.render(plan)
    }

    fn render_into(&self, plan: &Plan, size: Size, rgb: &mut [u8]) -> Result<(), Error> {
        self.parts[0].scenes.render_into(plan, size, rgb)
    }

    fn encode(&self, plan: &Plan, encoding: Encoding) -> Result<Vec<u8>, Error> {
        self.parts[0].scenes.encode(plan, encoding)
    }

    fn masks(&self, plan: &Plan) -> Result<Vec<Option<MaskRecord>>, Error> {
        self.parts[0].scenes.masks(plan)
    }

    fn recount(&self, plan: &Plan, record: &SceneRecord) -> Result<Vec<String>, Error> {
        self.parts[0].scenes.recount(plan, record)
    }

    fn unpaired(&self, plans: &[Plan]) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        for part in &self.parts {
            found.extend(part.scenes.unpaired(&plans[part.conditions.clone()])?);
        }
        Ok(found)
    }

    fn shown(&self, plan: &Plan) -> BTreeSet<AssetKey> {
        self.parts[0].scenes.shown(plan)
    }

    fn assets(&self, shown: &BTreeSet<AssetKey>) -> Vec<Asset> {
        self.parts[0].scenes.assets(shown)
    }

    fn card(&self, stats: &Stats, shown: &[Asset]) -> CardParts {
        let rows: Vec<String> = self.parts.iter().map(|part| part.scenes.card_rows(stats)).collect();
        let table = format!("{}{}{}", Scenes::CARD_BOXES, Scenes::CARD_HEAD, rows.concat());
        CardParts { table, ..self.parts[0].scenes.card(stats, shown) }
    }
}
