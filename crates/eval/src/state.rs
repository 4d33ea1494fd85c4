//! State setting: where is the control, and where to act on it so that it takes a state exactly (FineState).

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use windesk_model::Error;
use windesk_model::digest::hex_digest;

use super::click::Status;
use super::exact::{self, Fraction};
use super::facts::ReportFacts;
use super::geometry::{in_image, inside_closed, inside_half_open};
use super::lines::record;
use super::predictions::{Prediction, PredictionFacts};
use super::stats::{Bootstrap, ClusterTally, Proportion};

pub use windesk_model::setting::{Axis, ClickToState, DragToState, StateInstance, StateRegion};

/// The state that a function gives for a point, or for the end of a drag; what it does not say leaves the state.
fn set_at(function: &ClickToState, current: &Value, point: [f64; 2]) -> Value {
    match function {
        ClickToState::Regions { regions, half_open } => {
            let holds = |region: &&StateRegion| {
                if *half_open { inside_half_open(region.bbox, point) } else { inside_closed(region.bbox, point) }
            };
            regions.iter().find(holds).map_or_else(|| current.clone(), |r| r.state.clone())
        }
        &ClickToState::Linear { axis, from_px, to_px, min, max, step } => {
            let at = point[usize::from(axis == Axis::Y)];
            let along = exact::difference(at, from_px) / exact::difference(to_px, from_px);
            let steps = || {
                let way = |from: f64, to: f64| Fraction::decimal(exact::difference(to, from));
                way(from_px, at)?
                    .over(way(from_px, to_px)?)?
                    .times(way(min, max)?)?
                    .over(Fraction::decimal(step)?)?
                    .nearest_whole()
            };
            let steps = match along {
                // A click beyond an end sets that end.
                ..=0.0 => 0.0,
                1.0.. => (exact::difference(max, min) / step).round(),
                _ => steps().map_or_else(|| (along * (max - min) / step).round(), |steps| steps as f64),
            };
            Value::from((min + steps * step).clamp(min.min(max), max.max(min)))
        }
    }
}

/// Whether two states are the same: numbers by value, so that 3 and 3.0 agree.
fn same_state(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0),
        _ => a == b,
    }
}

/// Instances with the digest of their file.
#[derive(Clone, Debug)]
pub struct StateSet {
    /// In the order of the file.
    pub instances: Vec<StateInstance>,
    /// SHA-256 of the file.
    pub digest: String,
}

/// Reads a JSONL file of instances.
///
/// # Errors
/// If a line is no instance, its boxes are empty, its function is undefined, or an id appears twice.
pub fn read_states(path: &Path) -> Result<StateSet, Error> {
    let bytes = crate::lines::read_lines(path)?;
    let mut instances: Vec<StateInstance> = Vec::new();
    let mut ids = std::collections::HashSet::new();
    for (at, line) in bytes.split(|b| *b == b'\n').enumerate().filter(|(_, l)| !l.trim_ascii().is_empty()) {
        let place = |problem: String| Error::line(path, at as u64 + 1, problem);
        let instance: StateInstance = record(path, at as u64 + 1, line, "a state instance")?;
        for (name, [x0, y0, x1, y1]) in [
            ("control_bbox", instance.control_bbox),
            ("core_bbox", instance.core_bbox),
            ("target_core_bbox", instance.target_core_bbox),
        ] {
            if x0 >= x1 || y0 >= y1 {
                return Err(place(format!(
                    "{name} [{x0}, {y0}, {x1}, {y1}], expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1"
                )));
            }
        }
        if let Some(ClickToState::Linear { from_px, to_px, step, .. }) = instance.click_to_state
            && (from_px == to_px || step <= 0.0)
        {
            return Err(place("click_to_state: expected from_px other than to_px, and step above 0".to_owned()));
        }
        if instance.image_size.contains(&0) {
            return Err(place("an image without pixels".to_owned()));
        }
        if !ids.insert(instance.id.clone()) {
            return Err(place(format!("instance {} appears twice", instance.id)));
        }
        instances.push(instance);
    }
    if instances.is_empty() {
        return Err(Error::path(path, "found no instances, expected at least one"));
    }
    Ok(StateSet { instances, digest: hex_digest(&bytes) })
}

/// `windesk eval --protocol state --report json`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StateReport {
    /// What was scored, and how.
    #[serde(flatten)]
    pub facts: ReportFacts,
    /// SHA-256 of the dataset.
    pub digest: String,
    /// Instances: the denominator.
    pub instances: u64,
    /// Instances without a click->state function, scored by the rule of the published code.
    pub by_published_rule: u64,
    /// One per file of predictions.
    pub models: Vec<StateModel>,
}

/// One model's rates.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StateModel {
    /// Where they come from.
    pub predictions: PredictionFacts,
    /// Answers to both questions by how they were answered.
    pub statuses: BTreeMap<String, u64>,
    /// Over all instances.
    pub all: StateRates,
    /// By platform.
    pub platforms: BTreeMap<String, StateRates>,
    /// By kind of control.
    pub components: BTreeMap<String, StateRates>,
}

/// The four rates.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StateRates {
    /// Locate point in the control.
    pub sr_loc: Proportion,
    /// Interact point in the control.
    pub sr_int: Proportion,
    /// Locate point in the core of the current state.
    pub es_sr_loc: Proportion,
    /// Interact point in the control, and the click sets the target state exactly.
    pub es_sr_int: Proportion,
}

/// What became of an instance: whether each rate counts it, in the order of [`StateRates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateMarks {
    /// Locate point in the control.
    pub loc: bool,
    /// Interact point in the control.
    pub int: bool,
    /// Locate point in the core of the current state.
    pub exact_loc: bool,
    /// The click sets the target state exactly.
    pub exact_int: bool,
}

/// Judges the answers to locate and interact. A click outside the image hits nothing, though a box may reach there; the
/// published script doesn't read such answers either.
pub fn state_marks(instance: &StateInstance, [locate, interact]: &[Option<Prediction>; 2], published_code: bool) -> StateMarks {
    let point = |said: &Option<Prediction>| match said {
        Some(Prediction::Points(points)) => Some(points[0]).filter(|&p| in_image(instance.image_size, p)),
        _ => None,
    };
    let (locate, interact) = (point(locate), point(interact));
    let inside = |point: Option<[f64; 2]>, bbox: [f64; 4]| point.is_some_and(|p| inside_closed(bbox, p));
    let in_control = inside(interact, instance.control_bbox);
    let in_target_core = inside(interact, instance.target_core_bbox);
    let exact = match (&instance.click_to_state, interact) {
        (Some(function), Some(point)) => {
            in_control && same_state(&set_at(function, &instance.current_state, point), &instance.target_state)
        }
        (Some(_), None) => false,
        (None, _) => in_target_core,
    };
    let [int, exact_int] = if published_code { [in_target_core; 2] } else { [in_control, exact] };
    StateMarks { loc: inside(locate, instance.control_bbox), int, exact_loc: inside(locate, instance.core_bbox), exact_int }
}

/// The script by whose rule FineState's authors scored (github.com/FengxianJi/FineState-Bench, `evaluation`).
pub const PUBLISHED_SCRIPT: &str = "LLM_eval.py";

/// One model's rates. `said` holds the answers to locate and interact per instance.
pub fn state_model(
    set: &StateSet,
    predictions: PredictionFacts,
    said: &[[Option<Prediction>; 2]],
    published_code: bool,
    bootstrap: Bootstrap,
) -> StateModel {
    let all: Vec<StateMarks> =
        set.instances.iter().zip(said).map(|(instance, said)| state_marks(instance, said, published_code)).collect();
    let rates = |members: &[usize]| {
        let share = |mark: fn(&StateMarks) -> bool| {
            let mut tally = ClusterTally::default();
            members.iter().for_each(|&at| tally.add(at as u32, mark(&all[at])));
            tally.proportion(bootstrap)
        };
        StateRates {
            sr_loc: share(|m| m.loc),
            sr_int: share(|m| m.int),
            es_sr_loc: share(|m| m.exact_loc),
            es_sr_int: share(|m| m.exact_int),
        }
    };
    let answers =
        set.instances.iter().zip(said).flat_map(|(i, both)| both.iter().map(|s| Status::of(s.as_ref(), i.image_size, true)));
    let by = |name: fn(&StateInstance) -> Option<&String>| {
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, instance) in set.instances.iter().enumerate() {
            if let Some(name) = name(instance) {
                groups.entry(name.clone()).or_default().push(at);
            }
        }
        groups.into_iter().map(|(name, members)| (name, rates(&members))).collect()
    };
    StateModel {
        predictions,
        statuses: Status::counts(answers),
        all: rates(&(0..all.len()).collect::<Vec<_>>()),
        platforms: by(|i| i.platform.as_ref()),
        components: by(|i| i.component.as_ref()),
    }
}

/// The report over several models.
pub fn state_report(set: &StateSet, facts: ReportFacts, models: Vec<StateModel>) -> StateReport {
    StateReport {
        facts,
        digest: set.digest.clone(),
        instances: set.instances.len() as u64,
        by_published_rule: set.instances.iter().filter(|i| i.click_to_state.is_none()).count() as u64,
        models,
    }
}
