//! State setting as the source of a dataset: an index is a control in some state, on a page alone or on a desktop.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use windesk_desktop::setting::{SettingPool, StateStudy, instance};
use windesk_engine::pack::IndexedPack;
use windesk_engine::referee::check_instance;
use windesk_engine::render::{Encoding, Frame};
use windesk_engine::study::{Outcome, Study};
use windesk_model::Error;
use windesk_model::condition::Pairing;
use windesk_model::geometry::{Rect, Size};
use windesk_model::pack_format::Platform;
use windesk_model::plan::Plan;
use windesk_model::record::{MaskRecord, SceneRecord, TargetRecord};
use windesk_model::setting::{Act, StateInstance, platform_name};

use super::assets::{Asset, AssetKey};
use super::plan_pictures::PlanPictures;
use super::scenes::{Scenes, check_what_is_shared};
use super::source::{CardParts, DatasetKind, Facts, PictureFiles, SampleSource};
use super::stats::Stats;

/// The sweep over the size of target cores.
pub const PRECISION_SWEEP: &str = "state-precision";

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
    /// If instances can't be made of the study, the pack has no control of the types that it asks for, a living page is
    /// at fault, or the pack's fonts can't be read.
    pub fn new(pack: &'p IndexedPack, study: StateStudy) -> Result<Self, Error> {
        study.check()?;
        let scenes = Study {
            name: study.name.clone(),
            sweep: (!study.bands.is_empty()).then(|| sweep_of(&study)),
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

    /// The record whose target is the control's element.
    fn of_element(&self, plan: &Plan, image: String) -> Result<SceneRecord<'_>, Error> {
        let condition = self.study.conditions.iter().find(|condition| condition.name == plan.condition);
        let condition = condition.ok_or_else(|| {
            let found = format!("condition {}, which the study does not have", plan.condition);
            Error::caller(format!("plan {}", plan.key.index), found)
        })?;
        self.scenes.record(self.pictures.pack, condition, plan, image)
    }
}

/// What the sweep is called in records: as its dataset, without the seed. A changed one says what differs.
fn sweep_of(study: &StateStudy) -> String {
    study.name.strip_suffix(&format!("-s{}", study.seed)).unwrap_or(PRECISION_SWEEP).to_owned()
}

/// All of a plan that its picture depends on.
fn picture_of(plan: &Plan) -> impl PartialEq + '_ {
    (plan.canvas, &plan.wallpaper, &plan.chrome, &plan.placements, &plan.pointer)
}

/// Makes of the control's element what is asked for: the core of the target state, all of which shows.
fn ask_for_state(target: &mut TargetRecord, instance: &StateInstance) {
    let core = Rect::try_from(instance.target_core_bbox.map(|edge| edge as i32)).expect("cores are boxes of pixels");
    let area = core.area();
    (target.bbox, target.visible_bbox) = (Some(core), Some(core));
    (target.total_px, target.visible_px, target.visible_ratio) = (area, area, 1.0);
    target.visible_ink = None;
    target.visible_mask = Some(MaskRecord {
        size: [core.height() as u32, core.width() as u32],
        origin: core.origin(),
        counts: vec![0, area as u32],
    });
    target.nested.clear();
    (target.click_point, target.drag) = match instance.act {
        Some(Act::Click(at)) => (Some(at), None),
        Some(Act::Drag(ends)) => (None, Some(ends)),
        None => (None, None),
    };
}

impl SampleSource for StateScenes<'_> {
    type Plan = Plan;
    type Study = StateStudy;

    fn study(&self) -> &StateStudy {
        &self.study
    }

    fn facts(&self) -> Facts<'_> {
        self.pictures.facts(DatasetKind::States, &self.study.name, &self.study.conditions, self.study.seed)
    }

    fn licences(&self) -> BTreeMap<String, u64> {
        self.pictures.licences()
    }

    fn outcome(&self, index: u64) -> Result<Outcome<Plan>, Error> {
        self.study.outcome(self.pictures.pack, &self.pool, index)
    }

    fn record(&self, at: usize, plan: &Plan, image: String) -> Result<SceneRecord<'_>, Error> {
        Ok(self.with_state(at, plan, image)?.0)
    }

    fn with_state(&self, _at: usize, plan: &Plan, image: String) -> Result<(SceneRecord<'_>, Option<StateInstance>), Error> {
        let mut record = self.of_element(plan, image)?;
        let instance = instance(self.pictures.pack, plan, &record)?;
        if let (Some(instance), Some(target)) = (&instance, record.truth.targets.first_mut()) {
            ask_for_state(target, instance);
        }
        Ok((record, instance))
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

    /// All conditions of an index show the same.
    fn encode_all<'a>(&'a self, plans: &'a [Plan], encoding: Encoding) -> PictureFiles<'a> {
        self.pictures.encode_in_a_row(plans, encoding)
    }

    fn masks(&self, plan: &Plan) -> Result<Vec<Option<MaskRecord>>, Error> {
        self.pictures.masks(plan)
    }

    fn recount(&self, plan: &Plan, record: &SceneRecord) -> Result<Vec<String>, Error> {
        // Elements and windows are counted as the record has them, the target as the element that it is part of: its
        // box in the record is compared with the one that follows from the plan, whose map the referee tries out.
        let mut truth = record.truth.clone();
        truth.targets = self.of_element(plan, record.image.clone())?.truth.targets;
        let mut found = self.pictures.recount(plan, &SceneRecord { truth, ..record.clone() })?;
        match instance(self.pictures.pack, plan, record)? {
            Some(instance) => {
                let violations = check_instance(self.pictures.pack, plan, &instance)?;
                found.extend(violations.into_iter().map(|violation| format!("state: {}", violation.0)));
            }
            None => found.push("a scene that asks for no control".to_owned()),
        }
        Ok(found)
    }

    fn unpaired(&self, plans: &[Plan]) -> Result<Vec<String>, Error> {
        let Some((first, others)) = plans.split_first() else { return Ok(Vec::new()) };
        let differing = others.iter().filter(|other| picture_of(other) != picture_of(first));
        Ok(differing.map(|other| format!("{}: shows another picture than {}", other.condition, first.condition)).collect())
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
