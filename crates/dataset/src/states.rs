//! State setting as the source of a dataset: an index is a control in some state, on a page alone or on a desktop.

use std::collections::BTreeSet;
use std::fmt::Write;

use windesk_desktop::setting::{SettingPool, StateStudy, instance};
use windesk_engine::pack::IndexedPack;
use windesk_engine::referee::check_instance;
use windesk_engine::render::{Encoding, Frame};
use windesk_engine::study::{Outcome, Study};
use windesk_model::Error;
use windesk_model::condition::Pairing;
use windesk_model::geometry::Size;
use windesk_model::pack_format::Platform;
use windesk_model::plan::Plan;
use windesk_model::record::{MaskRecord, SceneRecord};
use windesk_model::setting::{StateInstance, platform_name};

use super::assets::{Asset, AssetKey};
use super::manifest::pack_licences;
use super::plan_pictures::PlanPictures;
use super::scenes::{Scenes, check_what_is_shared};
use super::source::{CardParts, DatasetKind, Facts, SampleSource};
use super::stats::Stats;

/// A study's state instances over a pack.
pub struct StateScenes<'p> {
    pictures: PlanPictures<'p>,
    study: StateStudy,
    pool: SettingPool,
    /// Makes the records.
    scenes: Study,
}

impl<'p> StateScenes<'p> {
    /// Gathers what all instances share.
    ///
    /// # Errors
    /// If instances can't be made of the study, the pack has no control of the types that it asks for, a living page is at
    /// fault, or the pack's fonts can't be read.
    pub fn new(pack: &'p IndexedPack, study: StateStudy) -> Result<Self, Error> {
        study.check()?;
        let scenes = Study {
            name: study.name.clone(),
            sweep: None,
            pairing: Pairing::Targets,
            conditions: study.conditions.clone(),
            seed: study.seed,
            traverse: false,
        };
        check_what_is_shared(pack, &scenes)?;
        let pool = SettingPool::new(pack, &study)?;
        Ok(Self { pictures: PlanPictures::new(pack)?, study, pool, scenes })
    }

    /// Whether controls of a platform are asked for.
    pub fn study_has(&self, platform: Platform) -> bool {
        self.study.platforms.contains(&platform)
    }

    /// The controls that it asks for.
    pub fn pool(&self) -> &SettingPool {
        &self.pool
    }
}

impl SampleSource for StateScenes<'_> {
    type Plan = Plan;
    type Study = StateStudy;

    fn study(&self) -> &StateStudy {
        &self.study
    }

    fn state(&self, plan: &Plan, scene: &SceneRecord) -> Result<Option<StateInstance>, Error> {
        instance(self.pictures.pack, plan, scene)
    }

    fn facts(&self) -> Facts<'_> {
        let condition = self.study.condition();
        Facts {
            kind: DatasetKind::States,
            name: &self.study.name,
            conditions: vec![&condition.name],
            seed: self.study.seed,
            split: condition.split,
            protocol: condition.protocol,
            assets_digest: self.pictures.pack.digest.clone(),
            licences: pack_licences(self.pictures.pack),
            share_alike: self.pictures.pack.wallpapers.iter().any(|w| w.share_alike && condition.wallpapers.contains(&w.id)),
            warnings: Vec::new(),
        }
    }

    fn outcome(&self, index: u64) -> Result<Outcome<Plan>, Error> {
        self.study.outcome(self.pictures.pack, &self.pool, index)
    }

    fn record(&self, _at: usize, plan: &Plan, image: String) -> Result<SceneRecord<'_>, Error> {
        self.scenes.record(self.pictures.pack, self.study.condition(), plan, image)
    }

    fn render(&self, plan: &Plan) -> Result<Frame, Error> {
        self.pictures.render(plan)
    }

    fn render_into(&self, plan: &Plan, size: Size, rgb: &mut [u8]) -> Result<(), Error> {
        self.pictures.render_into(plan, size, rgb)
    }

    fn encode(&self, plan: &Plan, encoding: Encoding) -> Result<Vec<u8>, Error> {
        self.pictures.encode(plan, encoding)
    }

    fn masks(&self, plan: &Plan) -> Result<Vec<Option<MaskRecord>>, Error> {
        self.pictures.masks(plan)
    }

    fn recount(&self, plan: &Plan, record: &SceneRecord) -> Result<Vec<String>, Error> {
        let mut found = self.pictures.recount(plan, record)?;
        match self.state(plan, record)? {
            Some(instance) => {
                let violations = check_instance(self.pictures.pack, plan, &instance)?;
                found.extend(violations.into_iter().map(|violation| format!("state: {}", violation.0)));
            }
            None => found.push("a scene that asks for no control".to_owned()),
        }
        Ok(found)
    }

    fn unpaired(&self, _plans: &[Plan]) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    fn shown(&self, plan: &Plan) -> BTreeSet<AssetKey> {
        self.pictures.shown(plan)
    }

    fn assets(&self, shown: &BTreeSet<AssetKey>) -> Vec<Asset> {
        self.pictures.assets(shown)
    }

    fn card(&self, stats: &Stats, shown: &[Asset]) -> CardParts {
        let platforms: Vec<&str> = self.study.platforms.iter().map(|platform| platform_name(*platform)).collect();
        let mut table = format!(
            "Controls that must take an exact state, on {}; `states/` has a line for each.\n\n| platform | type | controls |\n|---|---|---|\n",
            platforms.join(", ")
        );
        for ((platform, component), count) in self.pool.counts() {
            let _ = writeln!(table, "| {platform} | {component} | {count} |");
        }
        table += &format!("\n{}{}", Scenes::CARD_HEAD, Scenes::rows(&self.study.conditions, stats));
        CardParts {
            scene: "control in some state",
            subject: "for setting states, composed of real captures",
            table,
            attributions: Scenes::trademarks(self.pictures.pack, shown),
        }
    }
}
