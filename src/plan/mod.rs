//! From a condition and a key to a [`Plan`]: every decision of a scene, and nothing else.
//!
//! All randomness of a sample is spent here. Of pictures the planner reads only which pixels a window owns and how much a
//! target's own pixels show; it composes none.

mod desktop;
mod extra;
mod ink;
mod occlude;
mod paired;
mod place;
mod pool;
mod scene;
mod slide;
mod windeskground;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::{Condition, Protocol, Theme};
use crate::desktop::Chrome;
use crate::geom::{Point, Size};
use crate::pack::{InstructionSource, Look, Pack, PackError, Wording};
use crate::rng::SampleKey;
use crate::visibility::{BoxMask, Solid};

pub use pool::TargetPool;

/// Changes whenever the same key could give another scene.
pub const ENGINE_VERSION: u32 = 1;

/// Everything that a scene is: replayable without random numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// [`ENGINE_VERSION`] of the planner.
    pub engine: u32,
    /// Digest of the pack.
    pub pack: String,
    /// Name of the condition.
    pub condition: String,
    /// Digest of the condition.
    pub condition_sha256: String,
    /// The rules.
    pub protocol: Protocol,
    /// What it was drawn from.
    pub key: SampleKey,
    /// Size of the screen.
    pub canvas: Size,
    /// Wallpaper by id.
    pub wallpaper: String,
    /// How background windows lie.
    pub layout: Layout,
    /// What the desktop shows besides windows.
    pub chrome: Chrome,
    /// Windows, bottom to top.
    pub placements: Vec<Placement>,
    /// What is asked for.
    pub target: PlannedTarget,
    /// Similar distractors.
    pub distractors: Vec<PlannedDistractor>,
    /// The element of another window that is nearest in meaning to the target.
    pub nearest_competitor: Option<NearestCompetitor>,
    /// What is asked for in place of the target, if the scene is to be refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent: Option<PlannedAbsent>,
    /// Further elements that are asked for, bottom to top.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra_targets: Vec<PlannedTarget>,
}

/// A window at its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Window by id.
    pub window: String,
    /// Why it is there.
    pub role: Role,
    /// Top left of its picture on the screen, px.
    pub origin: Point,
    /// Whether it has the focus.
    pub active: bool,
    /// For a dialog, the placement that holds its parent window.
    pub parent: Option<usize>,
}

/// Why a window is in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Makes up the number.
    Background,
    /// Holds a similar distractor.
    Distractor,
    /// Holds the target.
    Target,
    /// Hides a part of the target.
    Occluder,
    /// The window that the target's dialog belongs to.
    Parent,
}

/// How background windows lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// Each at a place of its own.
    Free,
    /// One behind the other, each shifted.
    Cascade,
    /// Snapped to parts of the screen, at the bottom.
    Tile,
}

/// The target as planned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedTarget {
    /// Its window, as an index of the placements.
    pub placement: usize,
    /// Element by id.
    pub element: String,
    /// The words.
    pub instruction: String,
    /// How they ask.
    pub wording: Wording,
    /// Who wrote them.
    pub instruction_source: InstructionSource,
    /// Pixels of its box that its own window covers, off-screen ones included.
    pub total_px: u64,
    /// Those of them that nothing covers, on the screen.
    pub visible_px: u64,
    /// Share of its gradient energy that is visible; null where it has next to none.
    pub visible_ink: Option<f64>,
    /// Whether another element that is itself solvably visible satisfies the words. Never in protocol `windesk`.
    pub ambiguous: bool,
}

/// A target that is not in the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedAbsent {
    /// The window that it was captured in, by id.
    pub window: String,
    /// Element by id there.
    pub element: String,
    /// The words.
    pub instruction: String,
    /// How they ask.
    pub wording: Wording,
    /// Who wrote them.
    pub instruction_source: InstructionSource,
    /// The element of the scene that is nearest to it in meaning.
    pub nearest_competitor: Option<NearestCompetitor>,
}

/// A similar distractor as planned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedDistractor {
    /// Its window, as an index of the placements.
    pub placement: usize,
    /// Element by id.
    pub element: String,
    /// Rank among other programs, 1 = most similar.
    pub rank: u32,
    /// Cosine of the embeddings.
    pub similarity: f64,
    /// Pixels of its box that its own window covers.
    pub total_px: u64,
    /// Those of them that are visible.
    pub visible_px: u64,
}

/// The nearest other target-like element in the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NearestCompetitor {
    /// Its window, as an index of the placements.
    pub placement: usize,
    /// Element by id.
    pub element: String,
    /// Cosine of the embeddings.
    pub similarity: f64,
}

/// Why a draw was spent without giving a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No place keeps the target's window on the screen.
    TargetUnplaceable,
    /// No occluder gave a visible ratio in the band.
    BandMissed,
    /// The band was hit, but too little of what is visible shows anything.
    InkTooLow,
    /// The similar distractor's window could not be placed visibly.
    DistractorHidden,
    /// Too few windows could be placed so that each can be seen.
    WindowsUnplaceable,
    /// Another visible element satisfies the words.
    Ambiguous,
    /// Something in the scene satisfies the words of the absent target.
    AbsentIsThere,
    /// The referee counted something else than the planner.
    NotVerified,
    /// The referee found scenes of a sweep to differ in more than the knobs.
    NotPaired,
    /// An icon found no place that keeps the gap to the others.
    IconsUnplaceable,
    /// No icon stands out enough from the ground at a place.
    ContrastTooLow,
    /// Too few icons similar to the target may be beside it and stand out from the ground.
    SimilarIconUnavailable,
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The draw failed a rule; the next may not.
    #[error("draw rejected: {0:?}")]
    Rejected(Reason),
    /// The pack is at fault.
    #[error(transparent)]
    Pack(#[from] PackError),
}

impl From<Reason> for PlanError {
    fn from(reason: Reason) -> Self {
        Self::Rejected(reason)
    }
}

/// Plans one sample.
///
/// # Errors
/// [`PlanError::Rejected`] if this draw cannot satisfy the condition; [`PlanError::Pack`] if a picture is unreadable.
pub fn plan(pack: &Pack, pool: &TargetPool, condition: &Condition, key: SampleKey) -> Result<Plan, PlanError> {
    let target = pool.draw(key, condition);
    let scene = match condition.protocol {
        Protocol::Windesk => place::arrange(pack, condition, key, target)?,
        Protocol::Windeskground => windeskground::arrange(pack, condition, key, target)?,
    };
    finish(pack, condition, key, target, extra::absent_target(pack, pool, condition, key, target)?, &scene)
}

/// A condition of jointly planned ones that failed, and why.
#[derive(Debug)]
pub struct PairedError {
    /// Index of the condition.
    pub condition: usize,
    /// Why there is no plan.
    pub error: PlanError,
}

/// Plans one sample per condition so that they differ in nothing but what the conditions differ in: the same windows at the same
/// places, but for the windows that a knob moves, changes or adds.
///
/// # Errors
/// As [`plan`], with the condition that failed.
pub fn plan_paired(pack: &Pack, pool: &TargetPool, conditions: &[Condition], key: SampleKey) -> Result<Vec<Plan>, PairedError> {
    let target = pool.draw(key, &conditions[0]);
    let absent = extra::absent_target(pack, pool, &conditions[0], key, target);
    let absent = absent.map_err(|error| PairedError { condition: 0, error: error.into() })?;
    let scenes = paired::arrange(pack, conditions, key, target)?;
    let plans = conditions.iter().zip(scenes).enumerate();
    plans
        .map(|(at, (condition, mut scene))| {
            let shown = match condition.theme {
                Some(Theme::Dark) => scene.darken(target),
                Some(Theme::Light) | None => Ok(target),
            };
            shown
                .and_then(|target| finish(pack, condition, key, target, absent, &scene))
                .map_err(|error| PairedError { condition: at, error })
        })
        .collect()
}

/// Counts, judges and dresses an arranged scene.
/// With `absent` the scene asks for that target in place of its own.
fn finish(
    pack: &Pack,
    condition: &Condition,
    key: SampleKey,
    target: usize,
    absent: Option<usize>,
    scene: &scene::Scene,
) -> Result<Plan, PlanError> {
    let placements = scene.placements();
    let index = pack.index()?;
    let target_record = &index.targets[target];
    let target_at = scene.position(Role::Target).expect("every scene has a target window");
    let (mask, total_px) = scene.mask_of(target_at, target_record.element)?;
    let window = &pack.windows[target_record.window];
    let element = &window.elements[target_record.element];
    let energy = ink::Energy::of(pack, target_record.window, scene.look(target_at), element.bbox)?;
    let planned = PlannedTarget {
        placement: target_at,
        element: element.id.clone(),
        instruction: target_record.instruction.clone(),
        wording: target_record.wording,
        instruction_source: target_record.source,
        total_px,
        visible_px: mask.count(),
        visible_ink: energy.visible_share(&mask),
        ambiguous: scene.is_ambiguous(target)?,
    };
    let distractors = scene.planned_distractors(target)?;
    accept(condition, &planned, &distractors, &energy, &mask)?;
    let nearest_competitor = scene.nearest_competitor(target)?;
    let wallpaper = desktop::wallpaper(pack, condition, key)?;
    let chrome = desktop::chrome(pack, condition, key, &placements, target, absent)?;
    let shown = absent.is_none().then_some(target);
    let absent = absent.map(|absent| extra::plan_absent(scene, &chrome, absent)).transpose()?;
    let words = absent.as_ref().map_or(&planned.instruction, |absent| &absent.instruction);
    let extra_targets = extra::extra_targets(scene, &chrome, key, shown, words)?;
    Ok(Plan {
        engine: ENGINE_VERSION,
        pack: pack.digest.clone(),
        condition: condition.name.clone(),
        condition_sha256: condition.digest(),
        protocol: condition.protocol,
        key,
        canvas: condition.canvas,
        wallpaper,
        layout: scene.layout,
        chrome,
        placements,
        target: planned,
        distractors,
        nearest_competitor,
        absent,
        extra_targets,
    })
}

/// The rules of the condition, on the finished scene.
fn accept(
    condition: &Condition,
    target: &PlannedTarget,
    distractors: &[PlannedDistractor],
    energy: &ink::Energy,
    mask: &BoxMask,
) -> Result<(), Reason> {
    if !condition.visible_ratio.holds(target.visible_px, target.total_px) || target.visible_px < condition.target.min_visible_px {
        return Err(Reason::BandMissed);
    }
    if condition.protocol == Protocol::Windeskground {
        return Ok(());
    }
    if condition.target.ink_min.is_some_and(|least| !energy.reaches(least, mask)) {
        return Err(Reason::InkTooLow);
    }
    let least = condition.distractor.min_visible_ratio;
    if distractors.len() < condition.distractor.count as usize
        || !distractors.iter().all(|d| least.reached_by(d.visible_px, d.total_px))
    {
        return Err(Reason::DistractorHidden);
    }
    if target.ambiguous { Err(Reason::Ambiguous) } else { Ok(()) }
}

/// The solid part of a window at a place, with its pixels kept alive by the caller.
fn solid(pixels: &crate::pack::Pixels, origin: Point) -> Solid<'_> {
    Solid::Window(pixels.shape(), origin)
}

/// The look that the planner counts with before it is known which window is active. Frames of both looks own the same
/// pixels but for a corner's edge; the finished scene is counted with the true looks.
const DRAFT_LOOK: Look = Look::Active;
