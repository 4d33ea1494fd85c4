//! What is asked about state instances: where the control stands now, and where to act so that it takes the target
//! state.
//!
//! Each question is asked alone. That for the present state names no other state; no hint names the target state, or
//! where it is set.

use windesk_files::PictureKind;
use windesk_model::Error;

use super::Prompt;
use super::history::told_point;
use super::run::{Message, Questions};
use crate::parse::Convention;
use crate::predictions::{Prediction, Question};
use crate::state::{StateInstance, StateSet};

/// Both questions about every instance of a dataset.
#[derive(Clone, Debug)]
pub struct StateQuestions<'a> {
    states: &'a StateSet,
    prompt: &'a Prompt,
    /// Where a model says that each control is, px of its image.
    predicted: Option<Vec<Option<[f64; 2]>>>,
}

impl<'a> StateQuestions<'a> {
    /// All of them. `answers` are another model's to both questions, in the order of the instances: where it locates a
    /// control becomes a hint to the second question, in place of the instance's own.
    ///
    /// # Errors
    /// If an instance does not say how its present state is asked for, or names no picture.
    pub fn new(states: &'a StateSet, prompt: &'a Prompt, answers: Option<&[[Option<Prediction>; 2]]>) -> Result<Self, Error> {
        for instance in &states.instances {
            let lacks =
                |what: &str| Err(Error::at(&instance.id, format!("`{what}` is null, expected it for questions to a model")));
            match (&instance.locate_instruction, &instance.image) {
                (None, _) => return lacks("locate_instruction"),
                (_, None) => return lacks("image"),
                _ => {}
            }
        }
        let point = |[locate, _]: &[Option<Prediction>; 2]| match locate {
            Some(Prediction::Points(points)) => points.first().copied(),
            _ => None,
        };
        Ok(Self { states, prompt, predicted: answers.map(|answers| answers.iter().map(point).collect()) })
    }

    /// What is added to the words of a question.
    fn hint(&self, at: usize, asked: Question) -> Option<String> {
        let (instance, coords) = (&self.states.instances[at], &self.prompt.coords);
        if let Some(predicted) = &self.predicted {
            let point = predicted[at].filter(|_| asked == Question::Interact)?;
            return Some(format!("The control is at {}.", told_point(point, instance.image_size, coords)));
        }
        told_hint(instance, coords)
    }
}

/// An instance's own hint.
fn told_hint(instance: &StateInstance, coords: &Convention) -> Option<String> {
    let hint = instance.hint.as_ref()?;
    let corner = |x: f64, y: f64| told_point([x, y], instance.image_size, coords);
    let [x0, y0, x1, y1] = hint.bbox.unwrap_or_default();
    let within = hint.bbox.map(|_| format!("The control lies between {} and {}.", corner(x0, y0), corner(x1, y1)));
    hint.text.clone().or(within)
}

/// Which question has a number.
fn asked_by(number: usize) -> Question {
    if number.is_multiple_of(2) { Question::Locate } else { Question::Interact }
}

impl Questions for StateQuestions<'_> {
    fn count(&self) -> usize {
        2 * self.states.instances.len()
    }

    fn name(&self, question: usize) -> (&str, Option<u32>) {
        (&self.states.instances[question / 2].id, Some(asked_by(question).number()))
    }

    fn question(&self, question: usize) -> Option<Question> {
        Some(asked_by(question))
    }

    fn message(&self, question: usize) -> Result<Message, Error> {
        let (at, asked) = (question / 2, asked_by(question));
        let instance = &self.states.instances[at];
        let words = match asked {
            Question::Locate => instance.locate_instruction.as_deref().unwrap_or_default(),
            Question::Interact => &instance.instruction,
        };
        let words = match self.hint(at, asked) {
            Some(hint) => format!("{words}\n{hint}"),
            None => words.to_owned(),
        };
        let size = instance.image_size;
        let picture = self.states.root.picture(instance.image.as_deref().unwrap_or_default(), Some(size))?;
        let picture: (PictureKind, Vec<u8>) = (picture.head.kind, picture.bytes()?);
        let (user, system) = (self.prompt.user_message(&words, size), self.prompt.system_message(size));
        Ok(Message { pictures: vec![picture], size, system, user })
    }
}
