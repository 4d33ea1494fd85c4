//! Reads predictions about state instances.

use std::collections::HashMap;
use std::path::Path;

use windesk_model::Error;

use crate::predictions::{Found, Prediction, PredictionFacts, PredictionLine, Question, Questions, ReadOptions, read_with};
use crate::state::StateSet;

/// A model's answers to both questions, in the order of the instances.
pub type StateAnswers = Vec<[Option<Prediction>; 2]>;

/// Reads a file of predictions about a set.
///
/// # Errors
/// If a line is no prediction, or the file is of another dataset.
pub fn read_state_answers(set: &StateSet, path: &Path, options: &ReadOptions) -> Result<(PredictionFacts, StateAnswers), Error> {
    let number: HashMap<&str, u32> = set.instances.iter().enumerate().map(|(at, i)| (i.id.as_str(), at as u32)).collect();
    let resolve = |line: &PredictionLine<'_>| {
        let id = line.id.as_deref().unwrap_or_default();
        let Some(at) = number.get(id) else { return Ok(Found::Unknown(id.to_owned())) };
        let question = line.question.ok_or_else(|| format!("no `question` for {id}, expected `locate` or `interact`"))?;
        Ok(Found::Question(2 * at + u32::from(question == Question::Interact)))
    };
    let name_of = |at: u32| format!("{}, {}", set.instances[at as usize / 2].id, ["locate", "interact"][at as usize % 2]);
    let questions = Questions {
        digest: &set.digest,
        benchmark: None,
        count: 2 * set.instances.len(),
        example: set.instances.first().map_or("", |instance| &instance.id),
        resolve: &resolve,
        takes_drag: |at| at % 2 == 1,
        size_of: &|at| set.instances[at as usize / 2].image_size,
        scored: &|at, _| Some(name_of(at)),
    };
    let mut said: StateAnswers = vec![[None, None]; set.instances.len()];
    let facts = read_with(path, questions, options, |received| {
        let at = received.target as usize;
        said[at / 2][at % 2] = Some(received.said);
    })?;
    Ok((facts, said))
}
