//! Reviewed instructions of a pack: where they lie, what a check of one means, and what may be wrong with them.
//!
//! One file per program, so that several people can write for different programs without touching the same file.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use windesk_engine::pack::{INSTRUCTION_FILE, Pack, PackFiles, Window, normalised_name};
use windesk_model::Error;
use windesk_model::digest::hex;
use windesk_model::finding::Finding;
use windesk_model::geometry::Rect;
use windesk_model::pack_format::{BlindCheck, ReviewedInstruction};

/// Share of their union, in percent, from which two boxes are one place to a reader (a list row and its only cell).
const SAME_PLACE_PERCENT: u64 = 80;

/// Reads all instructions of a pack without asking whether their windows and elements are there.
pub(crate) fn read_all(files: &PackFiles) -> Result<Vec<ReviewedInstruction>, Error> {
    let mut all = Vec::new();
    for name in files.names().filter(|n| n.starts_with("windows/") && n.ends_with(INSTRUCTION_FILE)) {
        for (at, line) in files.read(name)?.split(|&b| b == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
            all.push(serde_json::from_slice(line).map_err(|e| {
                Error::file(format!("{}:{}", files.full_name(name), at + 1), e, "an instruction as docs/pack.md describes it")
            })?);
        }
    }
    Ok(all)
}

/// What an author saw, as 16 hex digits: the window's picture and its elements. Another value means that the
/// instruction may no longer be true.
pub(crate) fn capture_digest(window: &Window) -> String {
    let mut digest = Sha256::new();
    digest.update(window.image.sha256.as_bytes());
    for element in &window.elements {
        let line = serde_json::json!([element.id, element.role, element.name, element.bbox, element.interactive, element.state]);
        digest.update(line.to_string().as_bytes());
    }
    let mut text = hex(&digest.finalize());
    text.truncate(16);
    text
}

/// Whether two boxes are one place to somebody who looks at the picture.
pub(crate) fn same_place(a: Rect, b: Rect) -> bool {
    let shared = a.intersection(b).map_or(0, Rect::area);
    shared * 100 >= (a.area() + b.area() - shared) * SAME_PLACE_PERCENT
}

/// Whether a reader took the words for the element that they were written for, and for no other.
pub(crate) fn agrees(window: &Window, instruction: &ReviewedInstruction, check: &BlindCheck) -> bool {
    let bbox = |id: &str| window.elements.iter().find(|e| e.id == id).map(|e| e.bbox);
    let [picked] = &check.picked[..] else { return false };
    *picked == instruction.element
        || bbox(picked).zip(bbox(&instruction.element)).is_some_and(|(picked, meant)| same_place(picked, meant))
}

/// The last check of the words as they are now, if any.
pub(crate) fn last_check(instruction: &ReviewedInstruction) -> Option<&BlindCheck> {
    instruction.checks.iter().rev().find(|check| check.text == instruction.instruction)
}

/// A text for comparing: instructions that differ in case and signs only are one.
pub(crate) fn same_text(text: &str) -> String {
    normalised_name(text)
}

/// Words after which a number is a value to be set.
const BEFORE_VALUES: [&str; 9] = ["to", "at", "every", "most", "with", "against", "than", "about", "level"];
/// Numbers in words.
const NUMBERS: [&str; 13] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twenty", "hundred", "half"];
/// Words that ask for a click, whatever is to be done after it.
const CLICKS: [&str; 4] = ["click", "go", "into", "press"];

/// Whether words about a spin button or slider ask for a value: "start the game at level 5". A click on it sets none.
fn asks_for_value(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && c != '.').filter(|word| !word.is_empty()).collect();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || NUMBERS.contains(&word);
    let value = words.windows(2).any(|pair| BEFORE_VALUES.contains(&pair[0]) && is_number(pair[1]));
    value && !words.iter().any(|word| CLICKS.contains(word))
}

/// What is wrong with the instructions of a sound pack: empty or doubled texts, targets given twice, captures that
/// changed since.
pub(crate) fn findings(pack: &Pack) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut elements: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut texts: BTreeMap<(&str, String), &str> = BTreeMap::new();
    for instruction in &pack.instructions {
        let place = format!("{}#{}", instruction.window, instruction.element);
        let mut find = |problem: String| findings.push(Finding { place: place.clone(), problem });
        let count = elements.entry((&instruction.window, &instruction.element)).or_default();
        *count += 1;
        if *count == 2 {
            find("more than one reviewed instruction, expected one with paraphrases".to_owned());
        }
        let window = pack.window_index(&instruction.window).map(|at| &pack.windows[at]);
        if let (Some(seen), Some(window)) = (&instruction.capture, window)
            && *seen != capture_digest(window)
        {
            find("its capture has changed since the instruction was written".to_owned());
        }
        let element = window.and_then(|window| Some(&window.elements[window.element_index(&instruction.element)?]));
        let has_value = element.is_some_and(|element| matches!(element.role.as_str(), "spin button" | "slider"));
        if has_value && instruction.is_asked() && asks_for_value(&instruction.instruction) {
            let problem =
                format!("\"{}\" asks for a value, which no click sets, expected `\"steps\": \"more\"`", instruction.instruction);
            find(problem);
        }
        for text in std::iter::once(&instruction.instruction).chain(&instruction.paraphrases) {
            if text.trim().is_empty() {
                find("an instruction without words".to_owned());
            } else if !instruction.dropped {
                match texts.insert((&instruction.window, same_text(text)), &instruction.element) {
                    Some(other) if other != instruction.element => {
                        find(format!("\"{text}\" is also said of #{other}"));
                    }
                    _ => {}
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_from_clicks() {
        for (text, asks) in [
            ("I want to start the game at level 5.", true),
            ("Set the height of the page to 210.", true),
            ("Play against four opponents", true),
            ("Click the number box that shows 0.5.", false),
            ("Click into the field to set it to 30", false),
            ("Change the tab width", false),
        ] {
            assert_eq!(asks_for_value(text), asks, "{text}");
        }
    }
}
