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
