//! Probes as the source of a dataset.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use windesk_engine::icon_probe::{
    ProbeAssets, ProbeError, ProbePlan, ProbeStudy, encode_probe_png, plan_probes, probe_masks, probe_record, render_probe,
    verify_probe,
};
use windesk_engine::planner::PairedError;
use windesk_engine::render::{Encoder, Encoding, Frame, ImageFormat};
use windesk_engine::study::Outcome;
use windesk_model::Error;
use windesk_model::condition::Protocol;
use windesk_model::pack_format::Wallpaper;
use windesk_model::plan::Reason;
use windesk_model::record::{ElementLayer, MaskRecord, SceneRecord};

use crate::assets::counted;
use crate::{Asset, AssetKey, AssetKind, CardParts, DatasetKind, Facts, SampleSource, Stats, assets_of_pack, shown_on_desktop};

/// A study's probes.
pub struct Probes<'p> {
    assets: ProbeAssets<'p>,
    study: ProbeStudy,
}

impl<'p> Probes<'p> {
    /// A study over its assets.
    pub fn new(assets: ProbeAssets<'p>, study: ProbeStudy) -> Self {
        Self { assets, study }
    }

    /// Wallpapers that probes may lie on.
    fn wallpapers(&self) -> impl Iterator<Item = &Wallpaper> {
        self.assets.pack.wallpapers.iter().filter(|w| self.assets.uses_wallpaper(&self.study, &w.id))
    }

    /// The assets.
    pub fn assets(&self) -> &ProbeAssets<'p> {
        &self.assets
    }
}

impl SampleSource for Probes<'_> {
    type Plan = ProbePlan;
    type Study = ProbeStudy;

    fn study(&self) -> &ProbeStudy {
        &self.study
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            kind: DatasetKind::Icons,
            name: &self.study.name,
            conditions: self.study.conditions.iter().map(|c| c.name.as_str()).collect(),
            seed: self.study.seed,
            split: None,
            protocol: Protocol::Windesk,
            assets_digest: self.assets.digest(),
            share_alike: self.wallpapers().any(|w| w.share_alike),
            warnings: self.study.warnings.clone(),
        }
    }

    fn licences(&self) -> BTreeMap<String, u64> {
        counted(self.wallpapers().map(|w| &w.licence).chain(self.assets.set.icons.iter().map(|i| &i.licence)))
    }

    fn outcome(&self, index: u64) -> Result<Outcome<ProbePlan>, Error> {
        let at_fault = |error: Error| PairedError { condition: 0, error: error.into() };
        let rejected = |condition, reason: Reason| PairedError { condition, error: reason.into() };
        let plans = |key| match plan_probes(&self.assets, &self.study, key) {
            Ok(plans) => match self.first_broken(&plans).map_err(at_fault)? {
                None => Ok(plans),
                Some(condition) => Err(rejected(condition, Reason::NotVerified)),
            },
            Err(ProbeError::Rejected(condition, reason)) => Err(rejected(condition, reason)),
            Err(ProbeError::Pack(error)) => Err(at_fault(error)),
        };
        Outcome::of_draws(self.study.seed, index, |at| &self.study.conditions[at].name, plans)
    }

    fn record(&self, condition: usize, plan: &ProbePlan, image: String) -> Result<SceneRecord<'_>, Error> {
        probe_record(&self.assets, &self.study, &self.study.conditions[condition], plan, image)
    }

    fn render(&self, plan: &ProbePlan) -> Result<Frame, Error> {
        render_probe(&self.assets, plan)
    }

    fn encode(&self, plan: &ProbePlan, encoding: Encoding) -> Result<Vec<u8>, Error> {
        match encoding.format {
            ImageFormat::Png => encode_probe_png(&self.assets, plan),
            _ => Ok(encoding.encode(&self.render(plan)?)),
        }
    }

    fn masks(&self, plan: &ProbePlan) -> Result<Vec<Option<MaskRecord>>, Error> {
        probe_masks(&self.assets, plan)
    }

    fn recount(&self, plan: &ProbePlan, record: &SceneRecord) -> Result<Vec<String>, Error> {
        let Some(condition) = self.study.conditions.iter().find(|c| c.name == plan.condition) else {
            return Ok(vec![format!("condition `{}` is not of the study", plan.condition)]);
        };
        // The referee holds the plan's boxes against the pixels; the record must say the same.
        let mut broken = verify_probe(&self.assets, condition, plan)?;
        let icons: Vec<_> = record.truth.elements.iter().filter(|e| e.layer == ElementLayer::Probe).collect();
        if icons.len() != plan.icons.len() {
            broken.push(format!("{} icons recorded, {} planned", icons.len(), plan.icons.len()));
        }
        for (element, planned) in icons.iter().zip(&plan.icons) {
            if (element.bbox, element.total_px, element.visible_px) != (planned.bbox, planned.solid_px, planned.solid_px) {
                broken.push(format!(
                    "{}: recorded {:?} with {} px, counted {:?} with {} px",
                    element.id, element.bbox, element.total_px, planned.bbox, planned.solid_px
                ));
            }
        }
        Ok(broken)
    }

    fn unpaired(&self, plans: &[ProbePlan]) -> Result<Vec<String>, Error> {
        let asked = |p: &ProbePlan| (p.target.library.clone(), p.target.icon.clone(), p.key);
        let differ = plans.windows(2).filter(|pair| self.study.sweep.is_some() && asked(&pair[0]) != asked(&pair[1]));
        Ok(differ.map(|pair| format!("{} and {}: another icon or another key", pair[0].condition, pair[1].condition)).collect())
    }

    fn shown(&self, plan: &ProbePlan) -> BTreeSet<AssetKey> {
        let mut shown = shown_on_desktop(self.assets.pack, &plan.wallpaper, &plan.chrome, plan.canvas);
        shown.extend(plan.icons.iter().map(|icon| (AssetKind::Icon, format!("{}/{}", icon.library, icon.icon))));
        shown
    }

    fn assets(&self, shown: &BTreeSet<AssetKey>) -> Vec<Asset> {
        let mut assets = assets_of_pack(self.assets.pack, shown);
        assets.extend(self.assets.set.icons.iter().filter_map(|icon| {
            let id = format!("{}/{}", icon.library, icon.id);
            let key = (AssetKind::Icon, id);
            shown.contains(&key).then(|| Asset {
                kind: AssetKind::Icon,
                id: key.1,
                name: icon.name.clone(),
                author: icon.author.clone().unwrap_or_default(),
                source: icon.library.clone(),
                licence: icon.licence.clone(),
            })
        }));
        assets.sort();
        assets
    }

    fn card(&self, stats: &Stats, shown: &[Asset]) -> CardParts {
        let mut table =
            "| condition | scenes | draws per sample | icons | size px | gap px | layout | contrast at least | target |\n\
             |---|---|---|---|---|---|---|---|---|\n"
                .to_owned();
        for condition in &self.study.conditions {
            let Some(counts) = stats.conditions.get(&condition.name) else { continue };
            let range = |[low, high]: [u32; 2]| if low == high { low.to_string() } else { format!("{low}-{high}") };
            let _ = writeln!(
                table,
                "| {} | {} | {:.2} | {} | {} | {}x{} | {} | {:.1} | {} |",
                windesk_model::escape::markdown(&condition.name),
                counts.scenes,
                counts.draws_per_sample(),
                range(condition.icons),
                range(condition.size_px),
                condition.gap.x,
                condition.gap.y,
                serde_json::to_value(condition.layout).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default(),
                f64::from(condition.contrast_min_milli) / 1000.0,
                if condition.target == windesk_engine::icon_probe::TargetPresence::Present { "present" } else { "absent" },
            );
        }
        let icons = shown.iter().filter(|asset| asset.kind == AssetKind::Icon);
        let authors: BTreeSet<&str> = icons.map(|icon| icon.author.as_str()).filter(|author| !author.is_empty()).collect();
        let authors: Vec<&str> = authors.into_iter().collect();
        CardParts {
            scene: "icon probe",
            subject: "for GUI grounding (icons on a wallpaper, every icon's exact box) made",
            table,
            attributions: if authors.is_empty() { Vec::new() } else { vec![format!("Icons drawn by: {}.", authors.join(", "))] },
        }
    }
}

impl Probes<'_> {
    fn first_broken(&self, plans: &[ProbePlan]) -> Result<Option<usize>, Error> {
        for (at, plan) in plans.iter().enumerate() {
            if !verify_probe(&self.assets, &self.study.conditions[at], plan)?.is_empty() {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }
}
