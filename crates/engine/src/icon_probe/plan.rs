//! From a study and a key to the plans of an index, one per condition. All random numbers of probes are spent here.
//!
//! The conditions are planned jointly: an icon is chosen for a place if it stands out from the ground there in every
//! condition, so that the same icons lie at the same places but for what a condition changes.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_model::Error;
use windesk_model::desktop::{Chrome, work_area};
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::icon_probe::{Labels, ProbeLayout, Prompt, Tile};
use windesk_model::key::{Decision, SampleKey};
use windesk_model::pack_format::ShellKind;
use windesk_model::plan::{ENGINE_VERSION, Reason};

use super::assets::{Ground, ProbeAssets};
use super::colours::{self, Colours};
use super::contrast;
use super::design::{DistractorRule, ProbeCondition, ProbeStudy, Similar, TargetPresence};
use super::layout::{Gap, Places, places};
use super::raster::{IconAppearance, footprint_px};
use super::view::{View, origin};

/// Everything that a probe is: replayable without random numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProbePlan {
    /// Engine version of the planner.
    pub engine: u32,
    /// Digest of the pack.
    pub pack: String,
    /// Digest of the icons.
    pub icon_set: String,
    /// Name of the condition.
    pub condition: String,
    /// Digest of the condition.
    pub condition_sha256: String,
    /// What it was drawn from.
    pub key: SampleKey,
    /// Size of the screen.
    pub canvas: Size,
    /// Wallpaper by id.
    pub wallpaper: String,
    /// How icons are arranged.
    pub layout: ProbeLayout,
    /// Least gap between icons.
    pub gap: Gap,
    /// The taskbar, if there is one.
    pub chrome: Chrome,
    /// A panel under the icons.
    pub panel: Option<Rect>,
    /// The icons.
    pub icons: Vec<PlannedIcon>,
    /// What is asked for.
    pub target: PlannedProbeTarget,
}

/// An icon at its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedIcon {
    /// Its library.
    pub library: String,
    /// Its id there.
    pub icon: String,
    /// Middle of the square that holds it, px.
    pub middle: Point,
    /// Side of that square before it is turned, px.
    pub size_px: u32,
    /// What it lies on.
    pub tile: Tile,
    /// Colours of tile and drawing.
    pub colours: Colours,
    /// Degrees clockwise.
    pub turn_deg: i32,
    /// Opacity.
    pub opacity_percent: u32,
    /// The caption under it.
    pub caption: Option<String>,
    /// Box of its solid pixels on the screen.
    pub bbox: Rect,
    /// Number of its solid pixels.
    pub solid_px: u64,
    /// Median contrast with the ground, in thousandths.
    pub contrast_milli: u32,
}

/// The target as planned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedProbeTarget {
    /// Its number among the icons; null if it is not there.
    pub slot: Option<usize>,
    /// Its library.
    pub library: String,
    /// Its id there.
    pub icon: String,
    /// What it is called.
    pub object: String,
    /// The instruction.
    pub instruction: String,
    /// The whole prompt.
    pub prompt: Prompt,
    /// Distractors that were chosen for being similar.
    pub similar: Vec<PlannedSimilar>,
}

/// A similar distractor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedSimilar {
    /// Its number among the icons.
    pub slot: usize,
    /// 1 = most similar of those that may be beside the target.
    pub rank: u32,
    /// Similarity of looks in 0..=1, cosine of meanings, or 1 for a twin.
    pub similarity: f64,
}

impl PlannedIcon {
    /// How it is drawn.
    pub(super) fn look(&self) -> IconAppearance {
        IconAppearance {
            size_px: self.size_px,
            tile: self.tile,
            tile_rgb: self.colours.tile,
            tint: self.colours.drawing,
            turn_deg: self.turn_deg,
        }
    }

    /// Top left of its picture on the screen.
    pub(super) fn origin(&self) -> Point {
        origin(self.middle, footprint_px(self.size_px, self.turn_deg != 0))
    }
}

impl ProbePlan {
    /// Index of a planned icon among the assets.
    pub(super) fn find(&self, assets: &ProbeAssets, icon: &PlannedIcon) -> Result<usize, Error> {
        assets.set.find(&icon.library, &icon.icon).ok_or_else(|| {
            Error::file(
                format_args!("plan {}-{}", self.condition, self.key.index),
                format!("icon `{}/{}`", icon.library, icon.icon),
                "an icon of the library",
            )
        })
    }
}

/// Why there are no plans.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The draw failed a rule in this condition; the next may not.
    #[error("draw rejected in condition {0}: {1:?}")]
    Rejected(usize, Reason),
    /// The assets are at fault.
    #[error(transparent)]
    Pack(#[from] Error),
}

/// Icons tried as the target, and for each other place, before a draw is given up.
const MAX_TARGETS: usize = 40;
const MAX_CANDIDATES: usize = 200;

/// What a condition fixes before icons are chosen.
struct Stage<'a> {
    condition: &'a ProbeCondition,
    ground: Ground,
    places: Places,
}

/// An icon chosen for a slot, with its colours per condition of the group.
struct Chosen {
    icon: usize,
    colours: Vec<Option<Colours>>,
    similar: Option<(u32, f64)>,
}

/// Plans one index.
///
/// # Errors
/// [`ProbeError::Rejected`] if this draw cannot satisfy every condition; [`ProbeError::Pack`] if a picture is
/// unreadable.
pub fn plan_probes(assets: &ProbeAssets, study: &ProbeStudy, key: SampleKey) -> Result<Vec<ProbePlan>, ProbeError> {
    let stages = stages(assets, study, key)?;
    let ranked = assets.ranked(key, Decision::ProbeIcon);
    let planner = Planner { assets, key, stages: &stages, ranked };
    let template_at = key.stream(Decision::ProbePrompt, 0).below(study.templates.len());
    let template = &study.templates[template_at];
    let groups = planner.groups();
    let max = stages.iter().map(|s| s.places.middles.len()).max().unwrap_or(0);
    let all: Vec<usize> = (0..stages.len()).collect();
    let (target, object) = planner.target(template, &groups, &all)?;
    let mut plans: Vec<Option<ProbePlan>> = stages.iter().map(|_| None).collect();
    for (rule, members) in &groups {
        let mut chosen = vec![target.among(members)];
        for slot in 1..max.min(members.iter().map(|&m| stages[m].places.middles.len()).max().unwrap_or(0)) {
            chosen.push(planner.distractor(*rule, slot, &chosen, members)?);
        }
        let absent: Vec<usize> =
            members.iter().copied().filter(|&m| stages[m].condition.target == TargetPresence::Absent).collect();
        let substitute = if absent.is_empty() { None } else { Some(planner.substitute(&chosen, members)?) };
        for (nth, &member) in members.iter().enumerate() {
            let is_absent = stages[member].condition.target == TargetPresence::Absent;
            let shown: Vec<&Chosen> = (0..stages[member].places.middles.len())
                .map(|slot| if slot == 0 && is_absent { substitute.as_ref().expect("chosen above") } else { &chosen[slot] })
                .collect();
            let asked = (target.icon, object.as_str(), template);
            plans[member] = Some(planner.finished(member, nth, &shown, asked, is_absent)?);
        }
    }
    Ok(plans.into_iter().flatten().collect())
}

fn stages<'a>(assets: &ProbeAssets, study: &'a ProbeStudy, key: SampleKey) -> Result<Vec<Stage<'a>>, ProbeError> {
    let mut stages: Vec<Stage> = Vec::with_capacity(study.conditions.len());
    for (at, condition) in study.conditions.iter().enumerate() {
        let [low, high] = condition.icons.map(i64::from);
        let icons = key.stream(Decision::ProbeCount, 0).between(low, high) as usize;
        let area = work_area(condition.canvas, condition.chrome, ShellKind::Taskbar);
        let places = places(condition.layout, area, study.room, icons, condition.gap, condition.visit, key);
        let places = places.ok_or(ProbeError::Rejected(at, Reason::IconsUnplaceable))?;
        let wallpapers = assets.wallpapers(condition);
        let wallpaper = &wallpapers[key.stream(Decision::Wallpaper, 0).below(wallpapers.len())];
        let ground = assets.ground(wallpaper, condition.canvas, places.panel)?;
        stages.push(Stage { condition, ground, places });
    }
    Ok(stages)
}

struct Planner<'a> {
    assets: &'a ProbeAssets<'a>,
    key: SampleKey,
    stages: &'a [Stage<'a>],
    /// Icons in the order in which they are tried as distractors.
    ranked: Vec<usize>,
}

impl Chosen {
    fn among(&self, members: &[usize]) -> Self {
        Self { icon: self.icon, colours: members.iter().map(|&m| self.colours[m]).collect(), similar: self.similar }
    }
}

impl Planner<'_> {
    /// Conditions with the same rule for distractors.
    fn groups(&self) -> Vec<(DistractorRule, Vec<usize>)> {
        let mut groups: Vec<(DistractorRule, Vec<usize>)> = Vec::new();
        for (at, stage) in self.stages.iter().enumerate() {
            let rule = stage.condition.distractors;
            match groups.iter_mut().find(|(known, _)| *known == rule) {
                Some((_, members)) => members.push(at),
                None => groups.push((rule, vec![at])),
            }
        }
        groups
    }

    fn view(&self, member: usize, slot: usize) -> Option<View<'_>> {
        let stage = &self.stages[member];
        let condition = stage.condition;
        let mut stream = self.key.stream(Decision::ProbeSize, slot as u64);
        let mut between = |[low, high]: [u32; 2]| stream.between(i64::from(low), i64::from(high)) as u32;
        let (size_px, opacity_percent) = (between(condition.size_px), between(condition.opacity_percent));
        let turn = i64::from(condition.rotate_deg);
        Some(View {
            condition,
            ground: &stage.ground,
            middle: *stage.places.middles.get(slot)?,
            size_px,
            turn_deg: stream.between(-turn, turn) as i32,
            opacity_percent,
        })
    }

    /// Colours for an icon in a slot, per member; the same in all where they can be. `None` if it does not stand out
    /// somewhere.
    fn colours(&self, icon: usize, slot: usize, target: Option<&Chosen>, members: &[usize]) -> Option<Vec<Option<Colours>>> {
        let views: Vec<Option<View>> = members.iter().map(|&m| self.view(m, slot)).collect();
        let mut different: Vec<&View> = Vec::new();
        for view in views.iter().flatten() {
            if !different.iter().any(|other| other.same(view)) {
                different.push(view);
            }
        }
        // Where distractors look like the target, its colours must not give it away.
        let alike = members.iter().all(|&m| self.stages[m].condition.distractors.by == Similar::Look);
        let like = target.filter(|_| alike).and_then(|target| target.colours.iter().copied().flatten().next());
        let mut stream = self.key.stream(Decision::ProbeLook, if alike { 0 } else { slot as u64 });
        let found = colours::colours(self.assets, icon, &different, like, &mut stream)?;
        let of = |view: &View| different.iter().position(|other| other.same(view)).map(|at| found[at]);
        Some(views.iter().map(|view| view.as_ref().and_then(of)).collect())
    }

    /// The first icon in keyed order that can be asked for and stands out at its place in every condition, and what it
    /// is called.
    fn target(
        &self,
        template: &super::prompt::PromptTemplate,
        groups: &[(DistractorRule, Vec<usize>)],
        all: &[usize],
    ) -> Result<(Chosen, String), ProbeError> {
        let icons = &self.assets.set.icons;
        for icon in self.assets.ranked(self.key, Decision::ProbeTarget).into_iter().take(MAX_TARGETS) {
            let enough = groups.iter().all(|(rule, _)| self.similar_to(*rule, icon).count() >= rule.count as usize);
            let synonym = |count| self.key.stream(Decision::ProbePrompt, 1).below(count);
            let Some(object) = template.object(&icons[icon], synonym).filter(|_| enough) else { continue };
            if let Some(colours) = self.colours(icon, 0, None, all) {
                return Ok((Chosen { icon, colours, similar: None }, object));
            }
        }
        Err(ProbeError::Rejected(0, Reason::ContrastTooLow))
    }

    /// Icons similar to the target that may be beside it, with rank and similarity.
    fn similar_to(&self, rule: DistractorRule, target: usize) -> impl Iterator<Item = (usize, u32, f64)> + '_ {
        let list: Vec<(usize, f64)> = match rule.by {
            Similar::Any => Vec::new(),
            Similar::Look | Similar::Meaning => self.assets.neighbours(rule.by, target).to_vec(),
            Similar::Twin => self.assets.set.twins(target).iter().map(|&twin| (twin, 1.0)).collect(),
        };
        let allowed = move |other: &(usize, f64)| rule.by == Similar::Twin || !self.assets.set.clash(target, other.0);
        list.into_iter().filter(allowed).zip(1..).map(|((icon, similarity), rank)| (icon, rank, similarity))
    }

    /// Whether an icon may be beside those chosen so far.
    fn may_join(&self, icon: usize, chosen: &[Chosen], twin: bool) -> bool {
        chosen
            .iter()
            .enumerate()
            .all(|(slot, other)| (twin && slot == 0 && icon != other.icon) || !self.assets.set.clash(icon, other.icon))
    }

    fn distractor(&self, rule: DistractorRule, slot: usize, chosen: &[Chosen], members: &[usize]) -> Result<Chosen, ProbeError> {
        let wanted = rule.by != Similar::Any && slot <= rule.count as usize;
        let twin = wanted && rule.by == Similar::Twin;
        let candidates: Vec<(usize, Option<(u32, f64)>)> = if wanted {
            self.similar_to(rule, chosen[0].icon).map(|(icon, rank, similarity)| (icon, Some((rank, similarity)))).collect()
        } else {
            self.ranked.iter().map(|&icon| (icon, None)).collect()
        };
        let free = candidates.into_iter().filter(|&(icon, _)| self.may_join(icon, chosen, twin));
        for (icon, similar) in free.take(MAX_CANDIDATES) {
            if let Some(colours) = self.colours(icon, slot, Some(&chosen[0]), members) {
                return Ok(Chosen { icon, colours, similar });
            }
        }
        let reason = if wanted { Reason::SimilarIconUnavailable } else { Reason::ContrastTooLow };
        Err(ProbeError::Rejected(members[0], reason))
    }

    /// The icon that lies in the target's place where the target is absent.
    fn substitute(&self, chosen: &[Chosen], members: &[usize]) -> Result<Chosen, ProbeError> {
        let free = self.ranked.iter().copied().filter(|&icon| self.may_join(icon, chosen, false));
        for icon in free.take(MAX_CANDIDATES) {
            if let Some(colours) = self.colours(icon, 0, Some(&chosen[0]), members) {
                return Ok(Chosen { icon, colours, similar: None });
            }
        }
        Err(ProbeError::Rejected(members[0], Reason::ContrastTooLow))
    }

    fn finished(
        &self,
        member: usize,
        nth: usize,
        shown: &[&Chosen],
        (target, object, template): (usize, &str, &super::prompt::PromptTemplate),
        absent: bool,
    ) -> Result<ProbePlan, ProbeError> {
        let stage = &self.stages[member];
        let condition = stage.condition;
        let captions = self.captions(condition.labels, shown);
        let mut icons = Vec::with_capacity(shown.len());
        for (slot, (chosen, caption)) in shown.iter().zip(captions).enumerate() {
            let record = &self.assets.set.icons[chosen.icon];
            let view = self.view(member, slot).expect("a place per icon");
            let colours = chosen.colours[nth].expect("colours for every place");
            let mut planned = PlannedIcon {
                library: record.library.clone(),
                icon: record.id.clone(),
                middle: view.middle,
                size_px: view.size_px,
                tile: self.assets.tile(condition, chosen.icon),
                colours,
                turn_deg: view.turn_deg,
                opacity_percent: view.opacity_percent,
                caption,
                bbox: condition.canvas.rect(),
                solid_px: 0,
                contrast_milli: 0,
            };
            let sprite = self.assets.rasteriser.sprite(&self.assets.set, chosen.icon, planned.look());
            let tight = sprite.tight.ok_or(ProbeError::Rejected(member, Reason::ContrastTooLow))?;
            planned.bbox = tight.moved(planned.origin());
            planned.solid_px = sprite.solid_px();
            planned.contrast_milli =
                contrast::against(&stage.ground.frame, &sprite, planned.origin(), view.opacity_percent, None);
            icons.push(planned);
        }
        let asked = &self.assets.set.icons[target];
        let instruction = template.instruction(object);
        let similar = shown
            .iter()
            .enumerate()
            .filter_map(|(slot, c)| c.similar.map(|(rank, similarity)| PlannedSimilar { slot, rank, similarity }));
        Ok(ProbePlan {
            engine: ENGINE_VERSION,
            pack: self.assets.pack.digest.clone(),
            icon_set: self.assets.set.digest.clone(),
            condition: condition.name.clone(),
            condition_sha256: condition.digest(),
            key: self.key,
            canvas: condition.canvas,
            wallpaper: stage.ground.wallpaper.clone(),
            layout: condition.layout,
            gap: condition.gap,
            chrome: self.chrome(condition),
            panel: stage.places.panel,
            icons,
            target: PlannedProbeTarget {
                slot: (!absent).then_some(0),
                library: asked.library.clone(),
                icon: asked.id.clone(),
                object: object.to_owned(),
                prompt: template.prompt(&instruction, condition.refusal),
                instruction,
                similar: similar.collect(),
            },
        })
    }

    /// A caption per icon. Shuffled ones are passed around a keyed circle, so that no icon keeps its own.
    fn captions(&self, labels: Labels, shown: &[&Chosen]) -> Vec<Option<String>> {
        let name = |slot: usize| self.assets.set.icons[shown[slot].icon].name.clone();
        match labels {
            Labels::None => vec![None; shown.len()],
            Labels::True => (0..shown.len()).map(|slot| Some(name(slot))).collect(),
            Labels::Shuffled => {
                let mut circle: Vec<usize> = (0..shown.len()).collect();
                circle.sort_by_key(|&slot| self.key.rank(Decision::ProbeCaption, slot as u64));
                let mut captions = vec![None; shown.len()];
                for (at, &slot) in circle.iter().enumerate() {
                    captions[slot] = Some(name(circle[(at + 1) % circle.len()]));
                }
                captions
            }
        }
    }

    fn chrome(&self, condition: &ProbeCondition) -> Chrome {
        let bare = Chrome::bare(condition.chrome);
        if !condition.chrome.has_bars() {
            return bare;
        }
        let mut clock = self.key.stream(Decision::Chrome, 0);
        let (hour, minute) = (clock.between(7, 22), clock.between(0, 59));
        let (day, month) = (clock.between(1, 28), clock.between(1, 12));
        Chrome {
            dark: self.key.stream(Decision::Chrome, 1).chance(500),
            time: format!("{hour:02}:{minute:02}"),
            date: format!("{day:02}/{month:02}/2026"),
            ..bare
        }
    }
}
