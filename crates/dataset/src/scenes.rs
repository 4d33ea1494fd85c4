//! Scenes of windows as the source of a dataset.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use windesk_engine::pack::{IndexedPack, Pack, resolve};
use windesk_engine::planner::TargetPool;
use windesk_engine::referee::check_pairing;
use windesk_engine::render::{Encoding, Frame, Renderer};
use windesk_engine::study::{Outcome, Study};
use windesk_model::Error;
use windesk_model::condition::{Condition, Pairing};
use windesk_model::geometry::Size;
use windesk_model::plan::Plan;
use windesk_model::record::{MaskRecord, SceneRecord};
use windesk_model::split::Split;

use super::assets::{Asset, AssetKey, AssetKind};
use super::plan_pictures::PlanPictures;
use super::source::{CardParts, DatasetKind, Facts, SampleSource};
use super::stats::Stats;

/// A study's scenes over a pack.
pub struct Scenes<'p> {
    pictures: PlanPictures<'p>,
    study: Study,
    pool: Arc<TargetPool>,
}

impl<'p> Scenes<'p> {
    /// Gathers what all scenes share.
    ///
    /// # Errors
    /// If no target of the pack satisfies all conditions, the pack is not the part that the conditions want, conditions
    /// that share their targets draw them differently, or the pack's fonts can't be read.
    pub fn new(pack: &'p IndexedPack, study: Study) -> Result<Self, Error> {
        check_what_is_shared(pack, &study)?;
        let pool = study.pool(pack)?;
        Ok(Self::with(pack, study, Arc::new(pool), Arc::new(Renderer::new(pack)?)))
    }

    /// The same with what other studies use too.
    pub(super) fn with(pack: &'p IndexedPack, study: Study, pool: Arc<TargetPool>, renderer: Arc<Renderer<'p>>) -> Self {
        Self { pictures: PlanPictures { pack, renderer }, study, pool }
    }

    /// What a loader of boxes must know.
    pub(super) const CARD_BOXES: &'static str = "`bbox` is the whole element, also where another window covers it. \
        `click_point` is a pixel of it that shows, and `visible_bbox` the\nsmallest box around all that do. Runs of \
        `visible_mask` go row by row.\n\n";

    pub(super) const CARD_HEAD: &'static str = "| condition | scenes | draws per sample | windows \
        | visible ratio | median similarity | target active | target topmost |\n\
        |---|---|---|---|---|---|---|---|\n";

    /// A line of the card's table per condition.
    pub(super) fn card_rows(&self, stats: &Stats) -> String {
        Self::rows(&self.study.conditions, stats)
    }

    /// A line of the card's table for each of these conditions.
    pub(super) fn rows(conditions: &[Condition], stats: &Stats) -> String {
        let mut rows = String::new();
        for condition in conditions {
            let Some(counts) = stats.conditions.get(&condition.name) else {
                continue;
            };
            let share = |n: u64| 100.0 * n as f64 / counts.scenes.max(1) as f64;
            let _ = writeln!(
                rows,
                "| {} | {} | {:.2} | {}-{} | {}-{} | {} | {:.1} % | {:.1} % |",
                windesk_model::escape::markdown(&condition.name),
                counts.scenes,
                counts.draws_per_sample(),
                condition.windows[0],
                condition.windows[1],
                f64::from(condition.visible_ratio.0),
                f64::from(condition.visible_ratio.1),
                counts.median_similarity().map_or("-".to_owned(), |m| format!("{m:.2}")),
                share(counts.target_active),
                share(counts.target_topmost),
            );
        }
        rows
    }

    /// The notes on trademarks of programs that are shown.
    pub(super) fn trademarks(pack: &Pack, shown: &[Asset]) -> Vec<String> {
        trademarks(pack, shown)
    }
}

/// Knobs that decide which targets are drawn must be the same in all conditions that share them.
pub(super) fn check_what_is_shared(pack: &Pack, study: &Study) -> Result<(), Error> {
    study.protocol()?;
    for condition in &study.conditions {
        let place = || format!("condition {}", condition.name);
        if condition.split != pack.split {
            let name = |split: Option<Split>| split.map_or("all of the pack", Split::name);
            let problem = format!("split is {}, but the pack given is {}", name(condition.split), name(pack.split));
            return Err(Error::caller(place(), problem));
        }
        let first = &study.conditions[0];
        let differs = first.balance != condition.balance || first.absent_share != condition.absent_share;
        if study.pairing != Pairing::None && differs {
            let problem = format!("`balance` or `absent_share` differs from condition {}", first.name);
            return Err(Error::config(place(), problem).with_hint("conditions that share their targets draw them alike"));
        }
    }
    Ok(())
}

/// What plans of one target and one wording must have in common.
fn other_target(one: &Plan, other: &Plan) -> Option<String> {
    let words = |p: &Plan| (p.target.element.clone(), p.target.instruction.clone());
    let window = |p: &Plan| p.placements[p.target.placement].window.clone();
    let absent = |p: &Plan| p.absent.as_ref().map(|a| a.instruction.clone());
    let same = words(one) == words(other) && window(one) == window(other) && absent(one) == absent(other) && one.key == other.key;
    (!same).then(|| format!("{} and {}: another target, other words or another key", one.condition, other.condition))
}

/// The notes on trademarks of programs that are shown, each once and as a sentence.
fn trademarks(pack: &Pack, shown: &[Asset]) -> Vec<String> {
    let is_shown = |id: &str| shown.iter().any(|asset| asset.kind == AssetKind::Program && asset.id == id);
    let notes = pack.programs.iter().map(|p| &p.record).filter(|p| is_shown(&p.id)).filter_map(|p| p.trademark.as_deref());
    let notes: BTreeSet<&str> = notes.map(str::trim).filter(|note| !note.is_empty()).collect();
    notes.into_iter().map(|note| if note.ends_with('.') { note.to_owned() } else { format!("{note}.") }).collect()
}

impl SampleSource for Scenes<'_> {
    type Plan = Plan;
    type Study = Study;

    fn study(&self) -> &Study {
        &self.study
    }

    fn facts(&self) -> Facts<'_> {
        let Study { name, conditions, seed, .. } = &self.study;
        let warnings = self.pool.left_out().iter().map(ToString::to_string).collect();
        Facts { warnings, ..self.pictures.facts(DatasetKind::Windows, name, conditions, *seed) }
    }

    fn licences(&self) -> BTreeMap<String, u64> {
        self.pictures.licences()
    }

    fn outcome(&self, index: u64) -> Result<Outcome<Plan>, Error> {
        self.study.outcome(self.pictures.pack, &self.pool, index)
    }

    fn record(&self, condition: usize, plan: &Plan, image: String) -> Result<SceneRecord<'_>, Error> {
        self.study.record(self.pictures.pack, &self.study.conditions[condition], plan, image)
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
        self.pictures.recount(plan, record)
    }

    fn unpaired(&self, plans: &[Plan]) -> Result<Vec<String>, Error> {
        // Plans come from a file: what they refer to must be there before anything is compared.
        for plan in plans {
            resolve(self.pictures.pack, plan)?;
        }
        Ok(match self.study.pairing {
            Pairing::None => Vec::new(),
            Pairing::Targets => plans.windows(2).filter_map(|pair| other_target(&pair[0], &pair[1])).collect(),
            Pairing::Scenes | Pairing::Twins => check_pairing(self.pictures.pack, &self.study.conditions, plans)?
                .into_iter()
                .map(|violation| violation.0)
                .collect(),
        })
    }

    fn shown(&self, plan: &Plan) -> BTreeSet<AssetKey> {
        self.pictures.shown(plan)
    }

    fn assets(&self, shown: &BTreeSet<AssetKey>) -> Vec<Asset> {
        self.pictures.assets(shown)
    }

    fn card(&self, stats: &Stats, shown: &[Asset]) -> CardParts {
        CardParts {
            scene: "synthetic desktop scene",
            subject: "for GUI grounding, composed of real window screenshots",
            table: format!("{}{}{}", Self::CARD_BOXES, Self::CARD_HEAD, self.card_rows(stats)),
            attributions: trademarks(self.pictures.pack, shown),
        }
    }
}
