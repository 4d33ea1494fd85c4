//! Baselines over state instances: upper and lower ends.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::Value;

use windesk_model::Error;
use windesk_model::geometry::Point;
use windesk_model::setting::{Act, ClickToState};

use super::{Agent, OutputFile, Recorded};
use crate::geometry::centre;
use crate::predictions::Question;
use crate::state::{StateInstance, StateSet};

/// Answers the first `limit` questions about instances, of two each, that the file does not answer yet, and calls
/// `tick` after each; gives their number. The same seed gives the same answers.
///
/// # Errors
/// If the file can't be written, or the agent knows nothing of controls.
pub fn predict_states_by_agent(
    set: &StateSet,
    agent: Agent,
    seed: u64,
    limit: usize,
    file: &mut OutputFile,
    tick: impl Fn(),
) -> Result<u64, Error> {
    if !matches!(agent, Agent::Oracle | Agent::Random | Agent::Center) && !agent.is_of_states() {
        let problem = "knows nothing of states, expected oracle, random, center, control-center, control-random or linear";
        return Err(Error::config(format!("option `agent` {}", agent.name()), problem));
    }
    let mut asked = 0;
    for (at, instance) in set.instances.iter().enumerate() {
        for question in [Question::Locate, Question::Interact] {
            if asked == limit as u64 || file.answers(&instance.id, Some(question.number())) {
                continue;
            }
            // A stream per question, so that a resumed run answers as an uninterrupted one.
            let mut stream = ChaCha8Rng::seed_from_u64(seed);
            stream.set_stream(2 * at as u64 + u64::from(question.number()));
            let [width, height] = instance.image_size;
            let [x0, y0, x1, y1] = instance.control_bbox;
            let (point, drag) = match (agent, question) {
                (Agent::Oracle, Question::Locate) => (Some(centre(instance.core_bbox)), None),
                (Agent::Oracle, Question::Interact) => act_on(instance),
                (Agent::Random, _) => (Some([width, height].map(|side| f64::from(stream.random_range(0..side)) + 0.5)), None),
                (Agent::ControlCenter, _) => (Some(centre(instance.control_bbox)), None),
                (Agent::ControlRandom, _) => {
                    let within = |from: f64, end: f64, share: f64| from + share * (end - from);
                    let shares: [f64; 2] = [stream.random(), stream.random()];
                    (Some([within(x0, x1, shares[0]), within(y0, y1, shares[1])]), None)
                }
                (Agent::Linear, Question::Locate) => (Some(along(instance, &instance.current_state)), None),
                (Agent::Linear, Question::Interact) => {
                    let to = along(instance, &instance.target_state);
                    let is_dragged = instance.click_to_state.is_none() && instance.drag_to_state.is_some();
                    // A drag begins where the same rule has the control now.
                    if is_dragged { (None, Some([along(instance, &instance.current_state), to])) } else { (Some(to), None) }
                }
                _ => (Some([width, height].map(|side| f64::from(side) / 2.0)), None),
            };
            tick();
            file.write(&Recorded { id: instance.id.clone(), question: Some(question), point, drag, ..Recorded::default() })?;
            asked += 1;
        }
    }
    Ok(asked)
}

/// The act that an instance records; of one that records none, a click in the target core.
fn act_on(instance: &StateInstance) -> (Option<[f64; 2]>, Option<[[f64; 2]; 2]>) {
    let middle = |at: Point| [f64::from(at.x) + 0.5, f64::from(at.y) + 0.5];
    match instance.act {
        Some(Act::Click(at)) => (Some(middle(at)), None),
        Some(Act::Drag(ends)) => (None, Some(ends.map(middle))),
        None => (Some(centre(instance.target_core_bbox)), None),
    }
}

/// Where a state lies in a control if all states that an act sets lie evenly along its longer side: numbers by value,
/// others in the order in which they lie there. Its centre where the state is neither.
fn along(instance: &StateInstance, state: &Value) -> [f64; 2] {
    let [x0, y0, x1, y1] = instance.control_bbox;
    let lies_across = x1 - x0 >= y1 - y0;
    let middle = centre(instance.control_bbox);
    let share = match state.as_f64() {
        Some(number) => share_of_number(instance, number),
        None => share_in_order(instance, state, lies_across),
    };
    let Some(share) = share else { return middle };
    if lies_across { [x0 + share * (x1 - x0), middle[1]] } else { [middle[0], y1 - share * (y1 - y0)] }
}

/// The states that acts set, with the boxes in which they do, and the one that it has.
fn states_of(instance: &StateInstance) -> Vec<([f64; 4], &Value)> {
    let drags = instance.drag_to_state.as_ref().map(|drag| &drag.release);
    let maps = instance.click_to_state.iter().chain(drags);
    let regions = maps.flat_map(|map| match map {
        ClickToState::Regions { regions, .. } => &regions[..],
        ClickToState::Linear { .. } => &[],
    });
    regions.map(|region| (region.bbox, &region.state)).chain([(instance.core_bbox, &instance.current_state)]).collect()
}

fn share_of_number(instance: &StateInstance, number: f64) -> Option<f64> {
    let ends = instance.click_to_state.iter().find_map(|map| match map {
        ClickToState::Linear { min, max, .. } => Some([*min, *max]),
        ClickToState::Regions { .. } => None,
    });
    let known = states_of(instance).into_iter().filter_map(|(_, state)| state.as_f64());
    let [min, max] =
        ends.unwrap_or_else(|| known.fold([f64::INFINITY, f64::NEG_INFINITY], |[min, max], v| [min.min(v), max.max(v)]));
    (max > min).then(|| ((number - min) / (max - min)).clamp(0.0, 1.0))
}

fn share_in_order(instance: &StateInstance, state: &Value, lies_across: bool) -> Option<f64> {
    let mut states = states_of(instance);
    // From below to above, as numbers run.
    let place = |bbox: &[f64; 4]| if lies_across { bbox[0] } else { -bbox[1] };
    states.sort_by(|(one, _), (other, _)| place(one).total_cmp(&place(other)));
    let mut order: Vec<&Value> = Vec::new();
    for (_, state) in states {
        if !order.contains(&state) {
            order.push(state);
        }
    }
    let at = order.iter().position(|known| *known == state)?;
    Some((at as f64 + 0.5) / order.len() as f64)
}
