//! Blind sheets: all plausible places numbered, and the words without their targets.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use windesk_engine::pack::Window;
use windesk_files::StagedFolder;
use windesk_model::Error;
use windesk_model::index::{ElementIndex, WindowIndex};
use windesk_model::pack_format::ReviewedInstruction;

use super::candidates::{shown, shuffled_numbers};
use super::picture::{Mark, Pen};
use super::write::{SHEETS_MARKER, with_items, write_pictures};
use super::{Review, Sheets, rank_of, stem};
use crate::drafts::drafts;
use crate::instructions::{capture_digest, same_place};

/// Which words to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Reviewed instructions whose words nobody has checked yet.
    Unchecked {
        /// Their paraphrases as well.
        paraphrases: bool,
    },
    /// All reviewed instructions.
    All {
        /// Their paraphrases as well.
        paraphrases: bool,
    },
    /// This many of the instructions composed from accessibility data, to measure how good those are.
    Composed(usize),
}

/// The sheet as JSON beside its pictures. It names no element, role or place.
#[derive(Serialize)]
struct CheckSheet<'a> {
    sheet: &'static str,
    window: &'a str,
    program: &'a str,
    title: &'a str,
    pictures: Vec<String>,
    questions: [&'a str; 0],
}

#[derive(Serialize)]
struct ShownQuestion<'a> {
    key: &'a str,
    text: &'a str,
}

/// Words asked of a window, and what they were written for.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// Made from what the reader sees, the element and the words: an answer to it counts for nothing else.
    pub(super) key: String,
    pub(super) text: String,
    /// The element that they were written for, by its index in the window.
    pub(super) element: ElementIndex,
}

impl Question {
    /// `seen` is the window's [`what_readers_see`].
    pub(super) fn new(window: &Window, seen: &str, element: ElementIndex, text: &str) -> Self {
        let mut key = rank_of(&["question", seen, &window.elements[element].id, text]);
        key.truncate(12);
        Self { key, text: text.to_owned(), element }
    }
}

/// What an answer depends on: the capture, and which number stands for which element.
fn what_readers_see(window: &Window) -> String {
    let mut numbers: Vec<(usize, ElementIndex)> =
        shuffled_numbers(window).into_iter().map(|(place, number)| (number, place)).collect();
    numbers.sort_unstable();
    let ids: Vec<&str> = numbers.into_iter().map(|(_, place)| window.elements[place].id.as_str()).collect();
    rank_of(&[&window.id, &capture_digest(window), &ids.join(" ")])
}

/// Writes the picture and the questions of each window that has any.
///
/// # Errors
/// If a picture of the pack can't be read, or a file not be written.
pub fn check_sheets(review: &Review, windows: &[WindowIndex], asked: Asked, folder: &StagedFolder) -> Result<Sheets, Error> {
    folder.write(SHEETS_MARKER, super::write::GUIDE.as_bytes())?;
    let mut pen = Pen::new(&review.pack)?;
    let mut sheets = Sheets::default();
    for (at, mut questions) in questions(review, windows, asked) {
        let window = &review.pack.windows[at];
        let numbers = shuffled_numbers(window);
        // Words for something that no scene can ask for have no number to pick.
        questions.retain(|question| number_of(window, &numbers, question.element).is_some());
        if questions.is_empty() {
            continue;
        }
        questions.sort_by(|a, b| a.key.cmp(&b.key));
        let targets: BTreeSet<ElementIndex> = questions
            .iter()
            .filter_map(|question| number_of(window, &numbers, question.element))
            .map(|(place, _)| place)
            .collect();
        let marks: Vec<Mark> = shown(window, &numbers, &targets)
            .into_iter()
            .map(|place| Mark { number: numbers[&place], bbox: window.elements[place].bbox })
            .collect();
        let sheet = CheckSheet {
            sheet: "check",
            window: &window.id,
            program: &review.pack.program_of(at).record.name,
            title: &window.title,
            pictures: write_pictures(&window.id, &pen.paint(at, &marks)?, folder)?,
            questions: [],
        };
        let items: Vec<ShownQuestion<'_>> = questions.iter().map(|q| ShownQuestion { key: &q.key, text: &q.text }).collect();
        folder.write(&format!("{}.json", stem(&window.id)), with_items(&sheet, &items).as_bytes())?;
        sheets.windows += 1;
        sheets.items += questions.len();
    }
    Ok(sheets)
}

/// The place that stands for an element, and its number.
fn number_of(window: &Window, numbers: &BTreeMap<ElementIndex, usize>, element: ElementIndex) -> Option<(ElementIndex, usize)> {
    let exact = numbers.get(&element).map(|&number| (element, number));
    exact.or_else(|| {
        let bbox = window.elements[element].bbox;
        numbers.iter().find(|&(&place, _)| same_place(window.elements[place].bbox, bbox)).map(|(&place, &number)| (place, number))
    })
}

/// Questions by window.
fn questions(review: &Review, windows: &[WindowIndex], asked: Asked) -> BTreeMap<WindowIndex, Vec<Question>> {
    let chosen: BTreeSet<WindowIndex> = windows.iter().copied().collect();
    let mut found = match asked {
        Asked::Composed(count) => composed_questions(review, &chosen, count),
        Asked::Unchecked { paraphrases } | Asked::All { paraphrases } => {
            let mut by_window = BTreeMap::<WindowIndex, Vec<Question>>::new();
            for instruction in review.instructions.iter().filter(|i| !i.dropped) {
                for (at, question) in reviewed_questions(review, instruction, paraphrases) {
                    let checked = instruction.checks.iter().any(|check| check.text == question.text);
                    if !(checked && matches!(asked, Asked::Unchecked { .. })) {
                        by_window.entry(at).or_default().push(question);
                    }
                }
            }
            by_window
        }
    };
    found.retain(|at, _| chosen.contains(at));
    found
}

/// The questions that an instruction gives: one, and one per paraphrase. None if its element is no longer there.
pub(super) fn reviewed_questions(
    review: &Review,
    instruction: &ReviewedInstruction,
    paraphrases: bool,
) -> Vec<(WindowIndex, Question)> {
    let Some(at) = review.pack.window_index(&instruction.window) else { return Vec::new() };
    let window = &review.pack.windows[at];
    let Some(element) = window.element_index(&instruction.element) else { return Vec::new() };
    let seen = what_readers_see(window);
    let texts = std::iter::once(&instruction.instruction).chain(instruction.paraphrases.iter().filter(|_| paraphrases));
    texts.map(|text| (at, Question::new(window, &seen, element, text))).collect()
}

/// A sample of composed instructions: windows in an arbitrary, fixed order that takes one of each program in turn, one
/// per window.
fn composed_questions(review: &Review, windows: &BTreeSet<WindowIndex>, count: usize) -> BTreeMap<WindowIndex, Vec<Question>> {
    let mut by_window = BTreeMap::<WindowIndex, Vec<Question>>::new();
    for question in all_composed(review).filter(|(at, _)| windows.contains(at)) {
        by_window.entry(question.0).or_default().push(question.1);
    }
    let rank = |at: WindowIndex| rank_of(&["composed", &review.pack.windows[at].id]);
    // A window's turn is its place among the windows of its program.
    let turn = |at: WindowIndex| review.pack.program_of(at).windows.iter().filter(|&&other| rank(other) < rank(at)).count();
    let mut order: Vec<WindowIndex> = by_window.keys().copied().collect();
    order.sort_by_cached_key(|&at| (turn(at), rank(at)));
    order.truncate(count);
    for questions in by_window.values_mut() {
        questions.sort_by(|a, b| a.key.cmp(&b.key));
    }
    // More than one per window only if there are fewer windows than questions.
    let mut sample = BTreeMap::<WindowIndex, Vec<Question>>::new();
    let mut left = count;
    for round in 0.. {
        let here: Vec<WindowIndex> = order.iter().copied().filter(|at| by_window[at].len() > round).take(left).collect();
        if here.is_empty() {
            break;
        }
        left -= here.len();
        for at in here {
            sample.entry(at).or_default().push(by_window[&at][round].clone());
        }
    }
    sample
}

/// Every composed instruction of an element without a reviewed one as a question, with its window.
pub(super) fn all_composed(review: &Review) -> impl Iterator<Item = (WindowIndex, Question)> {
    let reviewed: BTreeSet<(&str, &str)> =
        review.instructions.iter().filter(|i| !i.dropped).map(|i| (i.window.as_str(), i.element.as_str())).collect();
    let mut seen = (None, String::new());
    drafts(&review.pack).into_iter().filter_map(move |draft| {
        let at = draft.target.window;
        let window = &review.pack.windows[at];
        let id = &window.elements[draft.target.element].id;
        if reviewed.contains(&(window.id.as_str(), id.as_str())) {
            return None;
        }
        if seen.0 != Some(at) {
            seen = (Some(at), what_readers_see(window));
        }
        Some((at, Question::new(window, &seen.1, draft.target.element, draft.bare())))
    })
}
