//! Reads filled write sheets into the instructions of a pack.

use std::collections::{BTreeMap, BTreeSet};

use windesk_model::Error;
use windesk_model::pack_format::{AuthorKind, InstructionStyle, ReviewedInstruction};

use super::Review;
use super::write::{Candidate, WriteSheet};
use crate::instructions::{capture_digest, same_text};

/// Who filled sheets in, and when.
#[derive(Clone, Debug)]
pub struct Author {
    /// Kind of author or reader.
    pub kind: AuthorKind,
    /// `YYYY-MM-DD`.
    pub date: String,
}

impl Author {
    /// An author with a checked date.
    ///
    /// # Errors
    /// If the date isn't written `YYYY-MM-DD`.
    pub fn new(kind: AuthorKind, date: &str) -> Result<Self, Error> {
        let parts: Vec<&str> = date.split('-').collect();
        let number = |at: usize, digits: usize, range: std::ops::RangeInclusive<u32>| {
            parts.get(at).is_some_and(|p| p.len() == digits && p.parse().is_ok_and(|n| range.contains(&n)))
        };
        if parts.len() == 3 && number(0, 4, 1970..=9999) && number(1, 2, 1..=12) && number(2, 2, 1..=31) {
            Ok(Self { kind, date: date.to_owned() })
        } else {
            Err(Error::file("option `date`", format!("`{date}`"), "a day as YYYY-MM-DD"))
        }
    }
}

/// What taking files changed, and what could not be taken.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// Instructions that are new.
    pub new: usize,
    /// Instructions whose words, style or paraphrases changed.
    pub changed: usize,
    /// Instructions given up.
    pub dropped: usize,
    /// Checks that are new.
    pub checks: usize,
    /// Instructions or answers for captures that have changed since the sheet was written: not taken.
    pub stale: Vec<String>,
}

/// Longest instruction, in characters.
const MAX_CHARS: usize = 200;

/// Takes filled write sheets, given as file names with their contents.
///
/// # Errors
/// Everything wrong in any of them, one error each; nothing is taken then. A sheet whose capture has changed is no
/// error: it is named in [`Taken::stale`].
pub fn take_written(review: &mut Review, files: &[(String, Vec<u8>)], author: &Author) -> Result<Taken, Vec<Error>> {
    let mut taken = Taken::default();
    let mut errors = Vec::new();
    let mut next = review.instructions.clone();
    let mut touched = BTreeSet::new();
    for (place, bytes) in files {
        let sheet: WriteSheet = match serde_json::from_slice(bytes) {
            Ok(sheet) => sheet,
            Err(e) => {
                errors.push(Error::file(place, e, "a filled sheet of `windesk pack sheet write`"));
                continue;
            }
        };
        let window = review.pack.window_index(&sheet.window).map(|at| &review.pack.windows[at]);
        if window.is_none_or(|window| capture_digest(window) != sheet.capture) {
            taken.stale.push(format!("{place}: `{}` has changed since the sheet was written", sheet.window));
            continue;
        }
        touched.insert(sheet.window.clone());
        for candidate in &sheet.candidates {
            let field = format!("{place}: candidate {}", candidate.number);
            let known = window.is_some_and(|window| window.elements.iter().any(|e| e.id == candidate.element));
            if !known {
                errors.push(Error::file(&field, format!("element `{}`", candidate.element), "an element of the window"));
                continue;
            }
            let at = next.iter().position(|i| i.window == sheet.window && i.element == candidate.element);
            match filled(&field, &sheet, candidate, author) {
                Ok(None) => {}
                Ok(Some(new)) => take_one(&mut next, at, new, candidate.drop, &mut taken),
                Err(mut wrong) => errors.append(&mut wrong),
            }
        }
    }
    for window in &touched {
        errors.extend(same_words_twice(window, &next));
    }
    if errors.is_empty() {
        review.instructions = next;
        Ok(taken)
    } else {
        Err(errors)
    }
}

fn take_one(
    instructions: &mut Vec<ReviewedInstruction>,
    at: Option<usize>,
    mut new: ReviewedInstruction,
    drop: bool,
    taken: &mut Taken,
) {
    match at.map(|at| &mut instructions[at]) {
        Some(old) if drop => {
            taken.dropped += usize::from(!old.dropped);
            old.dropped = true;
        }
        Some(old) => {
            let same = (&old.instruction, old.style, &old.paraphrases) == (&new.instruction, new.style, &new.paraphrases);
            if !same || old.dropped || old.capture != new.capture {
                taken.changed += 1;
                // The checks of earlier words stay: they are the record of the first pass.
                new.checks = std::mem::take(&mut old.checks);
                new.also_fits = std::mem::take(&mut old.also_fits);
                *old = new;
            }
        }
        None if drop => {}
        None => {
            taken.new += 1;
            instructions.push(new);
        }
    }
}

/// What was filled in for a candidate, if anything.
fn filled(
    place: &str,
    sheet: &WriteSheet,
    candidate: &Candidate,
    author: &Author,
) -> Result<Option<ReviewedInstruction>, Vec<Error>> {
    let instruction = candidate.instruction.trim();
    let paraphrases: Vec<String> =
        candidate.paraphrases.iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect();
    if instruction.is_empty() && paraphrases.is_empty() && candidate.style.trim().is_empty() {
        return Ok(None);
    }
    let mut errors = Vec::new();
    for text in std::iter::once(instruction).chain(paraphrases.iter().map(String::as_str)) {
        errors.extend(unfit(place, text, &sheet.program));
    }
    let style = InstructionStyle::ALL.into_iter().find(|style| style.name() == candidate.style.trim());
    let Some(style) = style.filter(|_| errors.is_empty()) else {
        if style.is_none() {
            let expected = InstructionStyle::ALL.map(InstructionStyle::name).join(", ");
            errors.push(Error::file(format!("{place}: style"), format!("`{}`", candidate.style), expected));
        }
        return Err(errors);
    };
    Ok(Some(ReviewedInstruction {
        window: sheet.window.clone(),
        element: candidate.element.clone(),
        instruction: instruction.to_owned(),
        style,
        author_kind: author.kind,
        date: author.date.clone(),
        capture: Some(sheet.capture.clone()),
        also_fits: Vec::new(),
        paraphrases,
        checks: Vec::new(),
        dropped: false,
        steps: None,
    }))
}

/// What no instruction may be.
fn unfit(place: &str, text: &str, program: &str) -> Option<Error> {
    let wrong = |found: String, expected: &str| Some(Error::file(place, found, expected));
    if !text.chars().any(char::is_alphanumeric) {
        return wrong(format!("\"{text}\""), "an instruction in words");
    }
    if text.chars().count() > MAX_CHARS {
        return wrong(format!("{} characters", text.chars().count()), &format!("at most {MAX_CHARS}"));
    }
    if text.contains(char::is_control) {
        return wrong(format!("{text:?}"), "one line of plain text");
    }
    let prefix = format!("in {}, ", program.to_lowercase());
    if text.to_lowercase().starts_with(&prefix) {
        return wrong(
            format!("\"{text}\""),
            "an instruction without the program's name before it: scenes add that where it is needed",
        );
    }
    None
}

/// Texts that stand for two elements of a window.
fn same_words_twice(window: &str, instructions: &[ReviewedInstruction]) -> Vec<Error> {
    let mut errors = Vec::new();
    let mut said: BTreeMap<String, &str> = BTreeMap::new();
    for instruction in instructions.iter().filter(|i| i.window == window && !i.dropped) {
        for text in std::iter::once(&instruction.instruction).chain(&instruction.paraphrases) {
            let other = said.insert(same_text(text), &instruction.element);
            if let Some(other) = other.filter(|other| *other != instruction.element) {
                let found = format!("\"{text}\" for `{other}` and `{}`", instruction.element);
                errors.push(Error::file(window, found, "words that fit one element of the window"));
            }
        }
    }
    errors
}
