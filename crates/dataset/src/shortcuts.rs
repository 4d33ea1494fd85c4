//! What a target's place, size, window and visibility give away by themselves: how often guesses hit that read no
//! instruction.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_model::condition::Ratio;
use windesk_model::geometry::{Point, Rect};
use windesk_model::record::{ElementLayer, ElementRecord, SceneRecord, TargetKind, TargetRecord};
use windesk_model::words::{count_in, words_of};

/// A hit, in the unit of expected hits: a guess among n elements counts the n-th part. Whole numbers add up the same in
/// any order.
const HIT: u64 = 1_000_000;
/// Points of a fixed guess across and down the screen.
const GRID: [i32; 2] = [32, 18];

/// Guesses over a condition's promised targets that are there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Shortcuts {
    /// Targets that were guessed at.
    pub targets: u64,
    /// Expected hits in millionths by guess. A guess picks among the interactive elements of which at least 30 % is
    /// visible: `any` of them (chance), the `largest`, the `smallest`, the `most_central`, any `in_band` (visible as
    /// far as the condition's target is), or any of a window (`window_01` is the topmost, which has the focus).
    /// `title_text` clicks where most of the instruction's nouns are written, and of such places the largest.
    pub expected_hits: BTreeMap<String, u64>,
    /// Targets that cover a point of a grid over the screen, by `column,row`: what always clicking there hits.
    pub covered: BTreeMap<String, u64>,
}

impl Shortcuts {
    /// Guesses at the targets of a scene.
    pub(super) fn add(&mut self, scene: &SceneRecord) {
        let promised = |t: &&TargetRecord| t.promised && t.kind == TargetKind::Present;
        let elements: Vec<&ElementRecord> = scene.truth.elements.iter().filter(|e| is_candidate(e)).collect();
        for target in scene.truth.targets.iter().filter(promised) {
            let (Some(id), Some(bbox)) = (&target.element, target.bbox) else { continue };
            self.targets += 1;
            self.cover(bbox, scene);
            for (guess, picked) in guesses(scene, target, &elements) {
                if picked.iter().any(|e| e.id == *id) {
                    *self.expected_hits.entry(guess).or_default() += HIT / picked.len() as u64;
                }
            }
        }
    }

    fn cover(&mut self, bbox: Rect, scene: &SceneRecord) {
        let [columns, rows] = GRID;
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let middle = |at: i32, of: i32, length: u32| (2 * at + 1) * length as i32 / (2 * of);
            if bbox.contains(Point { x: middle(column, columns, scene.width), y: middle(row, rows, scene.height) }) {
                *self.covered.entry(format!("{column},{row}")).or_default() += 1;
            }
        }
    }

    /// Adds the counts of another part.
    pub(super) fn merge(&mut self, other: &Self) {
        let Self { targets, expected_hits, covered } = other;
        self.targets += targets;
        for (to, from) in [(&mut self.expected_hits, expected_hits), (&mut self.covered, covered)] {
            for (key, count) in from {
                *to.entry(key.clone()).or_default() += count;
            }
        }
    }

    /// Share of targets that a guess hits, 0..=1.
    pub fn share(&self, guess: &str) -> f64 {
        self.expected_hits.get(guess).copied().unwrap_or(0) as f64 / HIT as f64 / self.targets.max(1) as f64
    }

    /// Share of targets that the best fixed point of the grid hits, 0..=1.
    pub fn best_fixed_point(&self) -> f64 {
        self.covered.values().copied().max().unwrap_or(0) as f64 / self.targets.max(1) as f64
    }
}

/// Whether somebody who has not read the instruction would take it for a possible target.
fn is_candidate(element: &ElementRecord) -> bool {
    let of_scene = matches!(element.layer, ElementLayer::Window | ElementLayer::Probe);
    of_scene && element.interactive && element.visible_px > 0 && Ratio::SOLVABLE.reached_by(element.visible_px, element.total_px)
}

/// Each guess with the elements that it picks among, all alike.
fn guesses<'a>(
    scene: &SceneRecord,
    target: &TargetRecord,
    elements: &[&'a ElementRecord<'a>],
) -> Vec<(String, Vec<&'a ElementRecord<'a>>)> {
    let middle = Point { x: scene.width as i32 / 2, y: scene.height as i32 / 2 };
    let off_centre = |e: &&&ElementRecord| {
        let off = e.bbox.centre() - middle;
        i64::from(off.x).pow(2) + i64::from(off.y).pow(2)
    };
    let one = |picked: Option<&&'a ElementRecord<'a>>| picked.copied().into_iter().collect();
    let [low, high] = scene.knobs.visible_ratio;
    let in_band = |e: &&&ElementRecord| (low..=high).contains(&(e.visible_px as f64 / e.total_px.max(1) as f64));
    let mut guesses = vec![
        ("any".to_owned(), elements.to_vec()),
        ("largest".to_owned(), one(elements.iter().max_by_key(|e| e.total_px))),
        ("smallest".to_owned(), one(elements.iter().min_by_key(|e| e.total_px))),
        ("most_central".to_owned(), one(elements.iter().min_by_key(off_centre))),
        ("in_band".to_owned(), elements.iter().filter(in_band).copied().collect()),
    ];
    // Other windows' guesses miss; only the target's own counts.
    if let Some(window) = target.window {
        let from_top = scene.truth.windows.len() - window.0;
        guesses.push((format!("window_{from_top:02}"), elements.iter().filter(|e| e.window == Some(window)).copied().collect()));
    }
    if let Some(written) = title_text(scene, &target.instruction)
        && let Some(own) = elements.iter().copied().find(|e| target.element.as_deref() == Some(&*e.id))
        && own.bbox.contains(written.bbox.centre())
    {
        guesses.push(("title_text".to_owned(), vec![own]));
    }
    guesses
}

/// What of a scene a reader sees who looks for words alone: of the elements in whose name most of the instruction's
/// nouns stand the one that is written largest, headings and title bars too.
fn title_text<'a>(scene: &'a SceneRecord, instruction: &str) -> Option<&'a ElementRecord<'a>> {
    let nouns = nouns(instruction);
    let seen = |e: &&ElementRecord| {
        e.layer == ElementLayer::Window && e.visible_px > 0 && Ratio::SOLVABLE.reached_by(e.visible_px, e.total_px)
    };
    // Boxes of lists and panels are not letters.
    let is_written = |e: &&ElementRecord| e.bbox.height() <= MAX_LETTERS_PX;
    let written = scene.truth.elements.iter().filter(is_written).filter(seen);
    let written = written.map(|e| (count_in(&e.name, &nouns), e)).filter(|(held, _)| *held > 0);
    written.max_by_key(|(held, e)| (*held, e.bbox.height(), e.bbox.width())).map(|(_, e)| e)
}

/// Higher boxes are more than a line of letters.
const MAX_LETTERS_PX: i32 = 64;

/// The words of an instruction that may be nouns: those of quotes, and those that begin large but for the first.
fn nouns(instruction: &str) -> Vec<String> {
    let mut quoted = false;
    let mut nouns = Vec::new();
    for (at, word) in instruction.split_whitespace().enumerate() {
        quoted |= word.starts_with(['\u{201c}', '\u{2018}', '"', '\'']);
        if quoted || at > 0 && word.starts_with(char::is_uppercase) {
            nouns.extend(words_of(word));
        }
        quoted &= !word.trim_end_matches(['.', ',']).ends_with(['\u{201d}', '\u{2019}', '"', '\'']);
    }
    nouns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_are_names_and_what_is_quoted() {
        for (instruction, found) in [
            ("In Thunar, open the View menu", &["thunar", "view"] as &[&str]),
            ("Click \u{201c}word count\u{201d} in the list", &["word", "count"]),
            ("Print the document", &[]),
            ("In the window \u{201c}Preferences\u{201d}, tick 'wrap text'", &["preferences", "wrap", "text"]),
        ] {
            assert_eq!(nouns(instruction), found, "{instruction}");
        }
    }
}
