//! Baselines over state instances: upper and lower ends.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use windesk_model::Error;
use windesk_model::geometry::Point;
use windesk_model::setting::Act;

use super::{Agent, OutputFile, Recorded};
use crate::geometry::centre;
use crate::predictions::Question;
use crate::state::{StateInstance, StateSet};

/// Answers both questions of every instance that the file does not answer yet, and calls `tick` after each; gives their
/// number. The same seed gives the same answers.
///
/// # Errors
/// If the file can't be written, or the agent knows nothing of controls.
pub fn predict_states_by_agent(
    set: &StateSet,
    agent: Agent,
    seed: u64,
    file: &mut OutputFile,
    tick: impl Fn(),
) -> Result<u64, Error> {
    if !matches!(agent, Agent::Oracle | Agent::Random | Agent::Center) {
        let problem = "knows nothing of states of controls, expected oracle, random or center";
        return Err(Error::config(format!("option `agent` {}", agent.name()), problem));
    }
    let mut asked = 0;
    for (at, instance) in set.instances.iter().enumerate() {
        for question in [Question::Locate, Question::Interact] {
            if file.answers(&instance.id, Some(question.number())) {
                continue;
            }
            // A stream per question, so that a resumed run answers as an uninterrupted one.
            let mut stream = ChaCha8Rng::seed_from_u64(seed);
            stream.set_stream(2 * at as u64 + u64::from(question.number()));
            let [width, height] = instance.image_size;
            let (point, drag) = match (agent, question) {
                (Agent::Oracle, Question::Locate) => (Some(centre(instance.core_bbox)), None),
                (Agent::Oracle, Question::Interact) => act_on(instance),
                (Agent::Random, _) => (Some([width, height].map(|side| f64::from(stream.random_range(0..side)) + 0.5)), None),
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
