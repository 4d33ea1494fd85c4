//! Tasks as the source of a dataset: an index is a task, its scenes are the keyframes.

use std::collections::{BTreeMap, BTreeSet};

use windesk_desktop::task::{MAX_STEPS, TaskPool, TaskStudy};
use windesk_engine::pack::{IndexedPack, Workflows};
use windesk_engine::render::{Encoding, Frame};
use windesk_engine::study::{Outcome, Study};
use windesk_model::Error;
use windesk_model::condition::Pairing;
use windesk_model::geometry::Size;
use windesk_model::plan::Plan;
use windesk_model::record::{MaskRecord, SceneRecord};
use windesk_model::task::{StepLine, TaskLine};

use super::assets::{Asset, AssetKey};
use super::plan_pictures::PlanPictures;
use super::scenes::{Scenes, check_what_is_shared};
use super::source::{CardParts, DatasetKind, Facts, PictureFiles, SampleSource};
use super::stats::Stats;

/// A study's tasks over a pack.
pub struct TaskScenes<'p> {
    pictures: PlanPictures<'p>,
    study: TaskStudy,
    pool: TaskPool,
    /// Makes the records.
    scenes: Study,
}

impl<'p> TaskScenes<'p> {
    /// Gathers what all tasks share.
    ///
    /// # Errors
    /// If tasks can't be made of the study, the pack bears none of one of its kinds, the pack's workflows are others or
    /// are at fault, or its fonts can't be read.
    pub fn new(pack: &'p IndexedPack, study: TaskStudy) -> Result<Self, Error> {
        Self::of_paths(pack, study, TaskPool::new)
    }

    /// The same of those of the study's kinds that the pack bears: its study has the others no more.
    ///
    /// # Errors
    /// As [`Self::new`], but where the pack bears at least one of the kinds.
    pub fn of_kinds_with_paths(pack: &'p IndexedPack, study: TaskStudy) -> Result<Self, Error> {
        let mut source = Self::of_paths(pack, study, TaskPool::of_kinds_with_paths)?;
        source.study.kinds.retain(|kind| source.pool.kinds().contains(kind));
        source.study.check()?;
        Ok(source)
    }

    fn of_paths(
        pack: &'p IndexedPack,
        study: TaskStudy,
        gather: impl Fn(&IndexedPack, &TaskStudy, &Workflows) -> Result<TaskPool, Error>,
    ) -> Result<Self, Error> {
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
        let workflows = pack.workflows()?;
        if workflows.sha256 != study.workflows_sha256 {
            let problem = format!("found workflows of SHA-256 {}, expected {}", workflows.sha256, study.workflows_sha256);
            return Err(Error::path(pack.files().place(), problem).with_hint("name the pack that the tasks were made from"));
        }
        let pool = gather(pack, &study, &workflows)?;
        Ok(Self { pictures: PlanPictures::new(pack)?, study, pool, scenes })
    }

    /// The paths that its tasks follow.
    pub fn pool(&self) -> &TaskPool {
        &self.pool
    }
}

impl SampleSource for TaskScenes<'_> {
    type Plan = Plan;
    type Study = TaskStudy;

    fn study(&self) -> &TaskStudy {
        &self.study
    }

    fn scenes_per_index(&self) -> usize {
        MAX_STEPS as usize
    }

    fn scene_id(&self, _at: usize, _index: u64, plan: &Plan) -> String {
        format!("{}.{}", self.study.name, plan.scene_name())
    }

    // The digest of the workflows is a part of the study.
    fn facts(&self) -> Facts<'_> {
        self.pictures.facts(DatasetKind::Tasks, &self.study.name, &self.study.conditions, self.study.seed)
    }

    fn licences(&self) -> BTreeMap<String, u64> {
        self.pictures.licences()
    }

    fn outcome(&self, index: u64) -> Result<Outcome<Plan>, Error> {
        self.study.outcome(self.pictures.pack, &self.pool, index)
    }

    fn record(&self, _at: usize, plan: &Plan, image: String) -> Result<SceneRecord<'_>, Error> {
        self.scenes.record(self.pictures.pack, self.study.condition(), plan, image)
    }

    fn task(&self, plans: &[Plan], scenes: &[SceneRecord]) -> Option<TaskLine> {
        task_line(plans, scenes)
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

    fn encode_all<'a>(&'a self, plans: &'a [Plan], encoding: Encoding) -> PictureFiles<'a> {
        self.pictures.encode_in_a_row(plans, encoding)
    }

    fn masks(&self, plan: &Plan) -> Result<Vec<Option<MaskRecord>>, Error> {
        self.pictures.masks(plan)
    }

    fn recount(&self, plan: &Plan, record: &SceneRecord) -> Result<Vec<String>, Error> {
        self.pictures.recount(plan, record)
    }

    fn unpaired(&self, plans: &[Plan]) -> Result<Vec<String>, Error> {
        Ok(torn(plans))
    }

    fn shown(&self, plan: &Plan) -> BTreeSet<AssetKey> {
        self.pictures.shown(plan)
    }

    fn assets(&self, shown: &BTreeSet<AssetKey>) -> Vec<Asset> {
        self.pictures.assets(shown)
    }

    fn card(&self, stats: &Stats, shown: &[Asset]) -> CardParts {
        let kinds: Vec<&str> = self.study.kinds.iter().map(|kind| kind.name()).collect();
        let [fewest, most] = self.study.steps;
        CardParts {
            scene: "keyframe of a task on a synthetic desktop",
            subject: "for GUI agents, composed of real window screenshots",
            table: format!(
                "Tasks of {fewest} to {most} clicks ({}); `tasks/` has a line for each, with a keyframe per click.\n\n{}{}",
                kinds.join(", "),
                Scenes::CARD_HEAD,
                Scenes::rows(&self.study.conditions, stats)
            ),
            attributions: Scenes::trademarks(self.pictures.pack, shown),
        }
    }
}

/// In what the keyframes of a task contradict each other.
fn torn(plans: &[Plan]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, plan) in plans.iter().enumerate() {
        let Some(step) = &plan.step else {
            found.push(format!("keyframe {at}: of no task"));
            continue;
        };
        if (step.step as usize, step.steps as usize) != (at, plans.len()) {
            found.push(format!("keyframe {at}: step {} of {}, expected {at} of {}", step.step, step.steps, plans.len()));
        }
        let first = plans[0].step.as_ref();
        let shared = |p: &Plan| (p.key, p.canvas, p.session.clone(), p.wallpaper.clone());
        if shared(plan) != shared(&plans[0]) || first.is_some_and(|f| (f.kind, &f.goal) != (step.kind, &step.goal)) {
            found.push(format!("keyframe {at}: another key, screen, session, wallpaper or goal than the first"));
        }
    }
    found
}

/// The line of a task, from its plans and the records of its keyframes.
fn task_line(plans: &[Plan], scenes: &[SceneRecord]) -> Option<TaskLine> {
    let first = plans.first()?.step.as_ref()?;
    let mut applications: Vec<String> = Vec::new();
    let mut steps = Vec::with_capacity(plans.len());
    for (plan, scene) in plans.iter().zip(scenes) {
        let (step, target) = (plan.step.as_ref()?, scene.truth.targets.first()?);
        let window = target.window.map(|at| scene.truth.windows[at].app.clone());
        // Windows that only lay in the way are no part of what is done.
        let is_in_the_way = step.wanted.is_some() || step.shell.is_some();
        applications.extend(window.clone().filter(|app| !is_in_the_way && !applications.contains(app)));
        steps.push(StepLine {
            instruction: step.instruction.clone(),
            image: Some(scene.image.clone()),
            image_size: [scene.width, scene.height],
            action: "click".to_owned(),
            bbox: target.bbox.map(|bbox| <[i32; 4]>::from(bbox).map(f64::from)),
            scene: Some(scene.id.clone()),
            target: Some(target.id.clone()),
            step_kind: Some(step.step_kind),
            visible_ratio: Some(target.visible_ratio),
            click_point: target.click_point,
            window,
            element: target.element.clone(),
            also_valid: step.also_valid.clone(),
        });
    }
    let scene = scenes.first()?;
    Some(TaskLine {
        id: scene.sequence.as_ref()?.id.clone(),
        application: applications.first().cloned().unwrap_or_default(),
        task_overview: Some(first.goal.clone()),
        steps,
        kind: Some(first.kind),
        applications,
        condition: Some(scene.condition.clone()),
        session: scene.session.clone(),
        split: scene.split.clone(),
        key: Some(scene.key),
        goal_source: Some(first.goal_source),
        workflow: first.workflow.clone(),
    })
}
