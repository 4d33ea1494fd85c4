//! From a condition and a key to a [`Plan`]: every decision of a scene, and nothing else.
//!
//! All randomness of a sample is spent here. Of pictures the planner reads only which pixels a window owns and how much
//! a target's own pixels show; it composes none.

mod asked;
mod desktop;
mod evidence;
mod extra;
mod filters;
mod ink;
mod keyframe;
mod pointer;
mod pool;
mod rota;
mod scene;
mod session;
mod shortage;
mod turns;
mod windesk;
mod windeskground;

use windesk_model::Error;
use windesk_model::condition::{Condition, Protocol, Theme};
use windesk_model::index::{SessionIndex, TargetIndex, WindowIndex};
use windesk_model::key::{Decision, SampleKey};
use windesk_model::moment::Moment;
use windesk_model::plan::{ENGINE_VERSION, Plan, PlannedDistractor, PlannedTarget, Reason, Role};

use crate::pack::{Focus, IndexedPack};
use crate::visibility::BoxMask;
use scene::{RuledScene, Rules, Scene};
use turns::{Picked, Turns};
use windesk::Windesk;

pub use keyframe::{Click, hidden_condition, keyframe};
pub use pool::TargetPool;
pub use session::LeftOut;

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The draw failed a rule; the next may not.
    #[error("draw rejected: {0:?}")]
    Rejected(Reason),
    /// The pack is at fault.
    #[error(transparent)]
    Pack(#[from] Error),
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
pub fn plan(pack: &IndexedPack, pool: &TargetPool, condition: &Condition, key: SampleKey) -> Result<Plan, PlanError> {
    let picked = pool.pick(pack, key, condition);
    let target = picked.target;
    let asking = asked::choose(pack, key, asked::OF_TARGET, target, &[], asked::parents_come(condition));
    let picked = Picked { asking: Some(asking), ..picked };
    let absent = extra::absent_target(pack, pool, condition, key, target);
    let asked = |scene: &Scene| Asked { key, target, absent, latest: scene.latest_moment() };
    match condition.protocol {
        Protocol::Windesk => {
            let mut ruled = windesk::arrange(pack, condition, key, &picked, &[])?;
            ruled.scene.vary(key, target)?;
            pointer::place(std::slice::from_mut(&mut ruled), key, &[target])?;
            finish(&ruled, &asked(&ruled.scene))
        }
        Protocol::Windeskground => {
            // The published generator draws no pointer.
            let mut ruled = windeskground::arrange(pack, condition, key, &picked)?;
            ruled.scene.vary(key, target)?;
            finish(&ruled, &asked(&ruled.scene))
        }
    }
}

/// Plans a scene of protocol `windesk` about a given target, with certain other windows in its background.
///
/// # Errors
/// Those of [`plan`].
pub fn plan_about(
    pack: &IndexedPack,
    condition: &Condition,
    key: SampleKey,
    target: TargetIndex,
    company: &[WindowIndex],
) -> Result<Plan, PlanError> {
    let picked = Picked { target, asking: None, turns: Turns::new(key, key.spread(Decision::SessionTurn)) };
    let mut ruled = windesk::arrange(pack, condition, key, &picked, company)?;
    // Windows stay as captured: clicks on them are known for that state alone.
    pointer::place(std::slice::from_mut(&mut ruled), key, &[target])?;
    finish(&ruled, &Asked { key, target, absent: None, latest: ruled.scene.latest_moment() })
}

/// A condition of jointly planned ones that failed, and why.
#[derive(Debug)]
pub struct PairedError {
    /// Index of the condition.
    pub condition: usize,
    /// Why there is no plan.
    pub error: PlanError,
}

impl PairedError {
    fn of(condition: usize, error: impl Into<PlanError>) -> Self {
        Self { condition, error: error.into() }
    }
}

/// Plans one sample per condition so that they differ in nothing but what the conditions differ in: the same windows at
/// the same places, but for the windows that a knob moves, changes or adds. Conditions that show twins of several
/// sessions share the windows and their order; places are solved for each.
///
/// # Errors
/// As [`plan`], with the condition that failed.
pub fn plan_paired(
    pack: &IndexedPack,
    pool: &TargetPool,
    conditions: &[Condition],
    key: SampleKey,
) -> Result<Vec<Plan>, PairedError> {
    let picked = pool.pick(pack, key, &conditions[0]);
    let target = picked.target;
    let absent = extra::absent_target(pack, pool, &conditions[0], key, target);
    let sessions = windesk::sessions(pack, conditions);
    let twins = twins_of(pack, conditions, sessions.as_deref(), target);
    let with_parent = conditions.iter().all(asked::parents_come);
    let asking = asked::choose(pack, key, asked::OF_TARGET, target, &twins, with_parent);
    let picked = Picked { asking: Some(asking), ..picked };
    let (mut scenes, shown) = match &sessions {
        Some(sessions) => windesk::arrange_twins(pack, conditions, sessions, key, &picked)?,
        None => arrange_alike(pack, conditions, key, &picked)?,
    };
    for (at, (ruled, &target)) in scenes.iter_mut().zip(&shown).enumerate() {
        ruled.scene.vary(key, target).map_err(|error| PairedError::of(at, error))?;
    }
    if sessions.is_none() {
        pointer::place(&mut scenes, key, &shown).map_err(|error| PairedError::of(0, error))?;
    } else {
        // Each session has a pointer of its own, and other windows are free for it.
        for (at, (ruled, &target)) in scenes.iter_mut().zip(&shown).enumerate() {
            let placed = pointer::place(std::slice::from_mut(ruled), key, &[target]);
            placed.map_err(|error| PairedError::of(at, error))?;
        }
    }
    // One clock for all.
    let latest = scenes.iter().filter_map(|ruled| ruled.scene.latest_moment()).max();
    let asked = |at: usize| Asked { key, target: shown[at], absent, latest };
    let plans = scenes.iter().enumerate();
    let plans = plans.map(|(at, ruled)| finish(ruled, &asked(at)).map_err(|error| PairedError::of(at, error)));
    let mut plans = plans.collect::<Result<Vec<Plan>, _>>()?;
    if sessions.is_some() {
        return Ok(plans);
    }
    // And one dock: it is out where no window of any scene reaches it.
    let is_out = plans.iter().filter(|plan| plan.chrome.mode.has_bars()).all(|plan| plan.chrome.dock);
    plans.iter_mut().for_each(|plan| plan.chrome.dock &= is_out);
    Ok(plans)
}

/// The targets that scenes planned as pairs show in place of this one.
fn twins_of(
    pack: &IndexedPack,
    conditions: &[Condition],
    sessions: Option<&[SessionIndex]>,
    target: TargetIndex,
) -> Vec<TargetIndex> {
    let dark = conditions.iter().any(|c| c.theme == Some(Theme::Dark)).then(|| pack.dark_twin_target(target)).flatten();
    let of_sessions = sessions.unwrap_or_default().iter().filter_map(|&session| pack.target_in(target, session));
    dark.into_iter().chain(of_sessions).collect()
}

/// Arranges scenes of the same windows at the same places, with the target of each.
fn arrange_alike<'a>(
    pack: &'a IndexedPack,
    conditions: &'a [Condition],
    key: SampleKey,
    picked: &Picked,
) -> Result<(Vec<RuledScene<'a, Windesk>>, Vec<TargetIndex>), PairedError> {
    let mut scenes = windesk::arrange_paired(pack, conditions, key, picked)?;
    let mut shown = Vec::with_capacity(scenes.len());
    for (at, (condition, ruled)) in conditions.iter().zip(&mut scenes).enumerate() {
        let target = match condition.theme {
            Some(Theme::Dark) => ruled.scene.darken(picked.target),
            Some(Theme::Light) | None => Ok(picked.target),
        };
        shown.push(target.map_err(|error| PairedError::of(at, error))?);
    }
    Ok((scenes, shown))
}

/// What is asked in a scene, and what its clock is bound by.
struct Asked {
    key: SampleKey,
    /// What the scene was built around.
    target: TargetIndex,
    /// What it asks for in place of that.
    absent: Option<TargetIndex>,
    /// The latest moment that a window may show, in this scene and in those that are paired with it.
    latest: Option<Moment>,
}

/// Counts, judges and dresses an arranged scene.
fn finish<R: Rules>(ruled: &RuledScene<R>, asked: &Asked) -> Result<Plan, PlanError> {
    let scene = &ruled.scene;
    let &Asked { key, target, absent, latest } = asked;
    let (pack, condition) = (scene.pack, scene.condition);
    let placements = scene.placements();
    let index = pack.index();
    let target_record = &index.targets[target];
    let target_at = scene.position(Role::Target).expect("every scene has a target window");
    let (mask, total_px) = scene.mask_of(target_at, target_record.element)?;
    let window = &pack.windows[target_record.window];
    let element = &window.elements[target_record.element];
    let (instruction, asking) = scene.words_about(target);
    let needed = scene.asked.as_ref().map_or(&[][..], |asked| asked.needed.as_slice());
    let (evidence, hidden) = scene.counted_evidence(target_at, needed)?;
    let energy = ink::Energy::of(pack, &scene.shown(target_at)?, scene.focus(target_at), element.bbox)?;
    let planned = PlannedTarget {
        placement: target_at,
        element: element.id.clone(),
        instruction,
        wording: asking.wording,
        variant: asking.variant,
        instruction_source: target_record.source,
        total_px,
        visible_px: mask.count(),
        visible_ink: energy.visible_share(&mask),
        ambiguous: scene.is_ambiguous(target, asking.wording)?,
        evidence,
    };
    let distractors = scene.planned_distractors(target)?;
    accept(R::PROTOCOL, condition, &planned, &distractors, &energy, &mask)?;
    if let Some(reason) = hidden.filter(|_| R::PROTOCOL == Protocol::Windesk) {
        return Err(reason.into());
    }
    let nearest_competitor = scene.nearest_competitor(target)?;
    let wallpaper = desktop::wallpaper(pack, condition, key)?;
    let chrome = desktop::chrome(&desktop::Desk { scene, key, placements: &placements, target, absent, latest });
    let name = index.name_keys(target_record.window)[target_record.element];
    if R::PROTOCOL == Protocol::Windesk && extra::names_on_desktop(scene, &chrome, name, asking.wording) {
        return Err(Reason::Ambiguous.into());
    }
    let shown = absent.is_none().then_some(target);
    let absent = absent.map(|absent| extra::plan_absent(scene, &chrome, key, absent)).transpose()?;
    let words = absent.as_ref().map_or(&planned.instruction, |absent| &absent.instruction);
    let extra_targets = extra::extra_targets(scene, &chrome, key, shown, words)?;
    Ok(Plan {
        engine: ENGINE_VERSION,
        pack: pack.digest.clone(),
        condition: condition.name.clone(),
        condition_sha256: condition.digest(),
        protocol: R::PROTOCOL,
        key,
        canvas: condition.canvas,
        session: scene.session_id(),
        wallpaper,
        layout: scene.layout,
        chrome,
        placements,
        target: planned,
        distractors,
        nearest_competitor,
        absent,
        extra_targets,
        pointer: scene.pointer.as_ref().map(|pointer| pointer.planned.clone()),
        step: None,
        setting: None,
    })
}

/// The rules of the condition, on the finished scene.
fn accept(
    protocol: Protocol,
    condition: &Condition,
    target: &PlannedTarget,
    distractors: &[PlannedDistractor],
    energy: &ink::Energy,
    mask: &BoxMask,
) -> Result<(), Reason> {
    if !condition.visible_ratio.holds(target.visible_px, target.total_px) || target.visible_px < condition.target.min_visible_px {
        return Err(Reason::BandMissed);
    }
    if condition.target.ink_min.is_some_and(|min| !energy.reaches(min, mask)) {
        return Err(Reason::InkTooLow);
    }
    if protocol == Protocol::Windeskground {
        return Ok(());
    }
    let min = condition.distractor.min_visible_ratio;
    if distractors.len() < condition.distractor.count as usize
        || !distractors.iter().all(|d| min.reached_by(d.visible_px, d.total_px))
    {
        return Err(Reason::DistractorHidden);
    }
    if target.ambiguous { Err(Reason::Ambiguous) } else { Ok(()) }
}

/// The look that the planner counts with before it is known which window is active. Frames of both looks own the same
/// pixels but for a corner's edge; the finished scene is counted with the true looks.
const DRAFT_FOCUS: Focus = Focus::Active;
