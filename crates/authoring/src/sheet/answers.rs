//! Reads what blind readers picked.

use std::collections::BTreeMap;

use serde::Deserialize;

use windesk_engine::pack::Window;
use windesk_model::Error;
use windesk_model::index::{ElementIndex, WindowIndex};
use windesk_model::pack_format::BlindCheck;

use super::Review;
use super::candidates::shuffled_numbers;
use super::check::{Question, all_composed, reviewed_questions};
use super::take::{Author, Taken};

/// What a reader picked for a question.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Answer {
    /// One box.
    One(usize),
    /// `none`: nothing fits.
    Nothing(String),
    /// Several boxes fit equally well.
    Several(Vec<usize>),
}

/// Answers by key, with the file that they stand in.
pub(super) type AnswersByKey = BTreeMap<String, (String, Answer)>;

/// Parses files of answers: JSON objects from keys to a number, `"none"` or several numbers.
pub(super) fn parse(files: &[(String, Vec<u8>)], errors: &mut Vec<Error>) -> AnswersByKey {
    let mut all = AnswersByKey::new();
    let expected = "an object from keys to a number, \"none\" or a list of numbers";
    for (place, bytes) in files {
        let parsed: Result<BTreeMap<String, Answer>, _> = serde_json::from_slice(bytes);
        match parsed {
            Err(e) => errors.push(Error::file(place, e, expected)),
            Ok(answers) => {
                for (key, answer) in answers {
                    if let Answer::Nothing(word) = &answer
                        && word != "none"
                    {
                        errors.push(Error::file(
                            format!("{place}: {key}"),
                            format!("\"{word}\""),
                            "a number, \"none\" or a list of numbers",
                        ));
                    }
                    if all.insert(key.clone(), (place.clone(), answer)).is_some() {
                        errors.push(Error::file(format!("{place}: {key}"), "a second answer", "one answer per question"));
                    }
                }
            }
        }
    }
    all
}

/// Elements that the numbers of an answer stand for.
///
/// # Errors
/// If the window has no such number.
pub(super) fn picked(place: &str, window: &Window, answer: &Answer) -> Result<Vec<ElementIndex>, Error> {
    let numbers = shuffled_numbers(window);
    let element = |wanted: usize| {
        let found = numbers.iter().find(|&(_, &number)| number == wanted).map(|(&element, _)| element);
        found.ok_or_else(|| Error::file(place, format!("number {wanted}"), format!("a number of the sheet of {}", window.id)))
    };
    match answer {
        Answer::One(number) => Ok(vec![element(*number)?]),
        Answer::Nothing(_) => Ok(Vec::new()),
        Answer::Several(numbers) => numbers.iter().map(|&number| element(number)).collect(),
    }
}

/// Takes answers to check sheets, given as file names with their contents, into the checks of the instructions. An
/// answer that is there already is not taken twice.
///
/// # Errors
/// Everything wrong in any of them, one error each; nothing is taken then. Answers to questions that the pack no longer
/// gives are no error: they are named in [`Taken::stale`].
pub fn take_answers(review: &mut Review, files: &[(String, Vec<u8>)], reader: &Author) -> Result<Taken, Vec<Error>> {
    let mut taken = Taken::default();
    let mut errors = Vec::new();
    let mut answers = parse(files, &mut errors);
    let mut next = review.instructions.clone();
    for (at, instruction) in review.instructions.iter().enumerate() {
        for (window, question) in reviewed_questions(review, instruction, true) {
            let Some((place, answer)) = answers.remove(&question.key) else { continue };
            let window = &review.pack.windows[window];
            match picked(&format!("{place}: {}", question.key), window, &answer) {
                Err(error) => errors.push(error),
                Ok(elements) => {
                    let check = BlindCheck {
                        text: question.text,
                        picked: elements.into_iter().map(|e| window.elements[e].id.clone()).collect(),
                        reader_kind: reader.kind,
                        date: reader.date.clone(),
                    };
                    if !next[at].checks.contains(&check) {
                        next[at].checks.push(check);
                        taken.checks += 1;
                    }
                }
            }
        }
    }
    for (key, (place, _)) in answers {
        taken.stale.push(format!("{place}: {key}: the pack has no such question: its words or its capture have changed"));
    }
    if errors.is_empty() {
        review.instructions = next;
        Ok(taken)
    } else {
        Err(errors)
    }
}

/// An answer to a composed instruction: window, question and the elements picked.
pub(super) type ComposedAnswer = (WindowIndex, Question, Vec<ElementIndex>);

/// Answers to questions about composed instructions, and the answers that no question has.
pub(super) fn composed_answers(
    review: &Review,
    files: &[(String, Vec<u8>)],
) -> Result<(Vec<ComposedAnswer>, Vec<String>), Vec<Error>> {
    let mut errors = Vec::new();
    let mut answers = parse(files, &mut errors);
    let mut found = Vec::new();
    for (at, question) in all_composed(review) {
        let Some((place, answer)) = answers.remove(&question.key) else { continue };
        match picked(&format!("{place}: {}", question.key), &review.pack.windows[at], &answer) {
            Ok(elements) => found.push((at, question, elements)),
            Err(error) => errors.push(error),
        }
    }
    let stale = answers.into_iter().map(|(key, (place, _))| format!("{place}: {key}: no composed instruction has this question"));
    if errors.is_empty() { Ok((found, stale.collect())) } else { Err(errors) }
}
