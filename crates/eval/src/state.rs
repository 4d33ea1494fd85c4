//! State setting: where is the control, and where to act on it so that it takes a state exactly (FineState).

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use windesk_files::compressed::{is_compressed, readable};
use windesk_files::{Root, open_named};
use windesk_model::Error;
use windesk_model::digest::hex_digest;
use windesk_model::part_list::VERIFY;

use super::click::Status;
use super::exact::{self, Fraction};
use super::facts::{ReportFacts, is_zero};
use super::geometry::{in_image, inside_closed, inside_half_open};
use super::lines::{next_line, record};
use super::predictions::{Prediction, PredictionFacts};
use super::stats::{Bootstrap, ClusterTally, Proportion};
use super::truth::Manifest;

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
    /// Where pictures are looked for.
    pub root: Root,
    /// SHA-256 of the file; of a dataset, of all lines of its parts, one after the other.
    pub digest: String,
}

/// Reads a JSONL file of instances, or those of a dataset folder.
///
/// # Errors
/// If a line is no instance, its boxes are empty, a function of it is undefined, or an id appears twice.
pub fn read_states(path: &Path) -> Result<StateSet, Error> {
    let manifest = if path.is_dir() { Some(Manifest::of_folder(path, "states")?) } else { None };
    let files = manifest.as_ref().map_or_else(|| vec![path.to_owned()], |manifest| manifest.files(path, "states"));
    let (mut all, mut instances) = (Vec::new(), Vec::new());
    let mut ids = HashSet::new();
    for (part, file) in files.iter().enumerate() {
        let bytes = lines_of(file).map_err(|error| if manifest.is_some() { error.with_hint(VERIFY) } else { error })?;
        let before = instances.len();
        read_part(file, &bytes, &mut instances, &mut ids)?;
        let found = (instances.len() - before) as u64;
        manifest.as_ref().map_or(Ok(()), |manifest| manifest.check_lines(part, "states", file, found))?;
        all.extend(bytes);
    }
    if instances.is_empty() {
        return Err(Error::path(path, "found no instances, expected at least one"));
    }
    let beside = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = if path.is_dir() { path } else { beside };
    Ok(StateSet { instances, root: Root::new(folder), digest: hex_digest(&all) })
}

fn lines_of(path: &Path) -> Result<Vec<u8>, Error> {
    let mut reader = readable(open_named(path)?, is_compressed(path));
    let (mut bytes, mut line) = (Vec::new(), Vec::new());
    for number in 1.. {
        line.clear();
        if !next_line(&mut reader, &mut line, path, number)? {
            break;
        }
        bytes.extend_from_slice(&line);
    }
    Ok(bytes)
}

fn read_part(path: &Path, bytes: &[u8], instances: &mut Vec<StateInstance>, ids: &mut HashSet<String>) -> Result<(), Error> {
    for (at, line) in bytes.split(|b| *b == b'\n').enumerate().filter(|(_, l)| !l.trim_ascii().is_empty()) {
        let place = |problem: String| Error::line(path, at as u64 + 1, problem);
        let instance: StateInstance = record(path, at as u64 + 1, line, "a state instance")?;
        let handle = instance.drag_to_state.as_ref().map(|drag| ("handle of drag_to_state", drag.handle));
        for (name, [x0, y0, x1, y1]) in [
            ("control_bbox", instance.control_bbox),
            ("core_bbox", instance.core_bbox),
            ("target_core_bbox", instance.target_core_bbox),
        ]
        .into_iter()
        .chain(handle)
        {
            if x0 >= x1 || y0 >= y1 {
                return Err(place(format!(
                    "{name} [{x0}, {y0}, {x1}, {y1}], expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1"
                )));
            }
        }
        let release = instance.drag_to_state.as_ref().map(|drag| &drag.release);
        for (name, function) in [("click_to_state", instance.click_to_state.as_ref()), ("drag_to_state", release)] {
            if let Some(&ClickToState::Linear { from_px, to_px, step, .. }) = function
                && (from_px == to_px || step <= 0.0)
            {
                return Err(place(format!("{name}: expected from_px other than to_px, and step above 0")));
            }
        }
        if instance.image_size.contains(&0) {
            return Err(place("an image without pixels".to_owned()));
        }
        if !ids.insert(instance.id.clone()) {
            return Err(place(format!("instance {} appears twice", instance.id)));
        }
        instances.push(instance);
    }
    Ok(())
}

/// Whether clicks are not known to set anything, but drags are.
fn is_dragged(instance: &StateInstance) -> bool {
    instance.click_to_state.is_none() && instance.drag_to_state.is_some()
}

/// `windesk eval --protocol state --report json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct StateReport {
    /// What was scored, and how.
    #[serde(flatten)]
    pub facts: ReportFacts,
    /// SHA-256 of the dataset.
    pub digest: String,
    /// Instances: the denominator.
    pub instances: u64,
    /// Instances without any function from clicks or drags to states, scored by the rule of the published code.
    pub by_published_rule: u64,
    /// Instances that only a drag sets.
    #[serde(skip_serializing_if = "is_zero")]
    pub only_by_drag: u64,
    /// One per file of predictions.
    pub models: Vec<StateModel>,
}

/// One model's rates.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
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
    /// By condition, where instances name several.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub conditions: BTreeMap<String, StateRates>,
    /// Over the instances that only a drag sets; left out without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drags: Option<DragRates>,
}

/// Rates over the instances that only a drag sets.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct DragRates {
    /// The drag sets the target state exactly. A click is wrong.
    pub es_sr_int: Proportion,
    /// The rule of the published code, which knows points alone: the click, or the end of the drag, lies in the target
    /// core.
    pub published_rule: Proportion,
}

/// The four rates.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct StateRates {
    /// Locate point in the control.
    pub sr_loc: Proportion,
    /// Interact point in the control, or the place where the drag begins.
    pub sr_int: Proportion,
    /// Locate point in the core of the current state.
    pub es_sr_loc: Proportion,
    /// The same, and the click or the drag sets the target state exactly.
    pub es_sr_int: Proportion,
}

/// What became of an instance: whether each rate counts it, in the order of [`StateRates`], and the published rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateMarks {
    /// Locate point in the control.
    pub loc: bool,
    /// Interact point, or the beginning of the drag, in the control.
    pub int: bool,
    /// Locate point in the core of the current state.
    pub exact_loc: bool,
    /// The click or the drag sets the target state exactly.
    pub exact_int: bool,
    /// The click, or the end of the drag, in the target core. No rate over all instances counts it.
    pub in_target_core: bool,
}

/// Judges the answers to locate and interact. What leaves the image hits nothing, though a box may reach there; the
/// published script doesn't read such answers either.
pub fn state_marks(instance: &StateInstance, [locate, interact]: &[Option<Prediction>; 2], published_code: bool) -> StateMarks {
    let ends = |said: &Option<Prediction>| match said {
        Some(Prediction::Points(points)) => Some([points[0]; 2]),
        Some(Prediction::Drag(ends)) => Some(*ends),
        _ => None,
    };
    let ends = |said| ends(said).filter(|ends| ends.iter().all(|&end| in_image(instance.image_size, end)));
    let inside = |point: Option<[f64; 2]>, bbox: [f64; 4]| point.is_some_and(|p| inside_closed(bbox, p));
    let locate = ends(locate).map(|[point, _]| point);
    let acted = ends(interact);
    let (begin, end) = (acted.map(|[begin, _]| begin), acted.map(|[_, end]| end));
    let in_control = inside(begin, instance.control_bbox);
    let in_target_core = inside(end, instance.target_core_bbox);
    let sets = |function: &ClickToState, at: [f64; 2]| {
        in_control && same_state(&set_at(function, &instance.current_state, at), &instance.target_state)
    };
    let exact = match (&instance.click_to_state, &instance.drag_to_state, interact) {
        (None, None, _) => in_target_core,
        (_, Some(map), Some(Prediction::Drag(_))) => {
            acted.and_then(|ends| map.released(ends)).is_some_and(|at| sets(&map.release, at))
        }
        (_, None, Some(Prediction::Drag(_))) => false,
        (Some(function), ..) => begin.is_some_and(|point| sets(function, point)),
        (None, Some(_), _) => false,
    };
    let [int, exact_int] = if published_code { [in_target_core; 2] } else { [in_control, exact] };
    StateMarks {
        loc: inside(locate, instance.control_bbox),
        int,
        exact_loc: inside(locate, instance.core_bbox),
        exact_int,
        in_target_core,
    }
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
    let share = |members: &[usize], mark: fn(&StateMarks) -> bool| {
        let mut tally = ClusterTally::default();
        members.iter().for_each(|&at| tally.add(at as u32, mark(&all[at])));
        tally.proportion(bootstrap)
    };
    let rates = |members: &[usize]| StateRates {
        sr_loc: share(members, |m| m.loc),
        sr_int: share(members, |m| m.int),
        es_sr_loc: share(members, |m| m.exact_loc),
        es_sr_int: share(members, |m| m.exact_int),
    };
    let dragged: Vec<usize> = (0..all.len()).filter(|&at| is_dragged(&set.instances[at])).collect();
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
    let conditions: BTreeMap<String, StateRates> = by(|i| i.condition.as_ref());
    StateModel {
        predictions,
        conditions: if conditions.len() > 1 { conditions } else { BTreeMap::new() },
        statuses: Status::counts(answers),
        all: rates(&(0..all.len()).collect::<Vec<_>>()),
        platforms: by(|i| i.platform.as_ref()),
        components: by(|i| i.component.as_ref()),
        drags: (!dragged.is_empty()).then(|| DragRates {
            es_sr_int: share(&dragged, |m| m.exact_int),
            published_rule: share(&dragged, |m| m.in_target_core),
        }),
    }
}

/// The report over several models.
pub fn state_report(set: &StateSet, facts: ReportFacts, models: Vec<StateModel>) -> StateReport {
    StateReport {
        facts,
        digest: set.digest.clone(),
        instances: set.instances.len() as u64,
        by_published_rule: set.instances.iter().filter(|i| i.click_to_state.is_none() && i.drag_to_state.is_none()).count()
            as u64,
        only_by_drag: set.instances.iter().filter(|i| is_dragged(i)).count() as u64,
        models,
    }
}
