//! Which elements can be targets, how they are asked for, and which other elements would truly satisfy the same words.
//!
//! All of this is fixed when the pack is built, never per scene.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compose::{compose, in_context};
use super::naming::{RoleGroup, normalised_name, spoken, spoken_name};
use super::{Pack, Window};
use crate::geom::Rect;

/// How a target is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Wording {
    /// By name and role alone; only where these are rare in the pack.
    Brief,
    /// With the program's name before it.
    InContext,
}

/// Who wrote an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InstructionSource {
    /// A person, checked by another.
    Reviewed,
    /// Composed from accessibility data.
    Accessibility,
}

/// Whether an element shows its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UiType {
    /// Too narrow to show its name: a picture stands for it.
    Icon,
    /// Shows its name.
    Text,
}

/// An element that scenes can ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Index of its window.
    pub window: usize,
    /// Index of its element there.
    pub element: usize,
    /// The instruction, complete.
    pub instruction: String,
    /// How it asks.
    pub wording: Wording,
    /// Who wrote it.
    pub source: InstructionSource,
    /// Whether it shows its name.
    pub ui_type: UiType,
    /// Role group of the element.
    pub group: RoleGroup,
    /// Row of the vectors: embedding of the instruction without the program's name.
    pub text: usize,
}

/// The most other programs that may have an element of this name and role for it to be asked for without context.
const RARE_PROGRAMS: usize = 3;
/// Smallest side of a target, px.
const MIN_SIDE_PX: i32 = 10;
/// Smallest area of a target, px: 48 pixels must stay visible at a visible ratio of 0.3.
const MIN_AREA_PX: u64 = 160;
/// Largest share of the window's frame that a target may take, in percent.
const MAX_FRAME_PERCENT: u64 = 25;

/// What an element is called when comparing: normalised name and role group.
pub(super) type NameKey = (String, RoleGroup);

/// For each element of each window its name key as a number, or `None` if nobody would ask for it.
#[derive(Debug, Default)]
pub(super) struct NameKeys {
    /// By window, then element.
    pub(super) of_element: Vec<Vec<Option<u32>>>,
    numbers: BTreeMap<NameKey, u32>,
    /// Normalised names by number.
    names: Vec<String>,
}

impl NameKeys {
    pub(super) fn of(windows: &[Window]) -> Self {
        let mut keys = Self::default();
        for window in windows {
            let numbers = window
                .elements
                .iter()
                .enumerate()
                .map(|(at, element)| {
                    let group = RoleGroup::of(&element.role).filter(|_| element.interactive)?;
                    let key = (normalised_name(&spoken_name(window, at)?), group);
                    let next = keys.numbers.len() as u32;
                    Some(*keys.numbers.entry(key).or_insert_with_key(|(name, _)| {
                        keys.names.push(name.clone());
                        next
                    }))
                })
                .collect();
            keys.of_element.push(numbers);
        }
        keys
    }

    /// The number of a name among elements of this group, if any element has it.
    pub(super) fn number(&self, name: &str, group: RoleGroup) -> Option<u32> {
        self.numbers.get(&(normalised_name(name), group)).copied()
    }

    /// Whether the name behind a number reads like this one, whatever the role.
    pub(super) fn reads_like(&self, number: u32, name: &str) -> bool {
        self.names[number as usize] == normalised_name(name)
    }
}

/// A target before its text has a row among the vectors.
pub(super) struct Draft {
    pub(super) target: Target,
    /// The instruction without the program's name; what is embedded.
    pub(super) bare: String,
}

/// All targets of a pack: reviewed ones first said by people, the others composed; in order of window and element.
pub(super) fn drafts(pack: &Pack) -> Vec<Draft> {
    let keys = NameKeys::of(&pack.windows);
    let programs_with = programs_with(pack, &keys);
    // The taskbar has a Search button too: "Click the Search button" alone would fit both.
    let in_taskbar: BTreeSet<u32> =
        crate::desktop::fixed_buttons().filter_map(|button| keys.number(button.name, RoleGroup::Button)).collect();
    let reviewed: BTreeMap<(&str, &str), &super::format::ReviewedInstruction> =
        pack.instructions.iter().filter(|i| !i.dropped).map(|i| ((i.window.as_str(), i.element.as_str()), i)).collect();
    let mut drafts = Vec::new();
    for (at, window) in pack.windows.iter().enumerate() {
        let repeated = repeated_keys(&keys.of_element[at]);
        for (e, element) in window.elements.iter().enumerate() {
            let review = reviewed.get(&(window.id.as_str(), element.id.as_str()));
            let Some(group) = RoleGroup::of(&element.role).filter(|_| is_eligible(window, e)) else { continue };
            let spoken = spoken(window, e);
            let (bare, source) = match (review, &spoken) {
                (Some(review), _) => (review.instruction.clone(), InstructionSource::Reviewed),
                (None, Some(spoken)) => (compose(window, e, group, spoken), InstructionSource::Accessibility),
                (None, None) => continue,
            };
            let key = keys.of_element[at][e];
            // A name that repeats in its own window needs a person's words to tell the elements apart.
            if source == InstructionSource::Accessibility && key.is_none_or(|k| repeated.contains(&k)) {
                continue;
            }
            let composed = source == InstructionSource::Accessibility;
            let named = composed || spoken.as_ref().is_some_and(|spoken| says(&bare, &spoken.text));
            let rare =
                named && key.is_some_and(|k| programs_with[k as usize].len() <= RARE_PROGRAMS + 1 && !in_taskbar.contains(&k));
            let program = &pack.programs[window.program].record;
            let (instruction, wording) =
                if rare { (bare.clone(), Wording::Brief) } else { (in_context(&program.name, &bare), Wording::InContext) };
            let ui_type = ui_type(spoken.as_ref().map(|s| s.text.as_str()), element.bbox);
            drafts.push(Draft {
                target: Target { window: at, element: e, instruction, wording, source, ui_type, group, text: 0 },
                bare,
            });
        }
    }
    drafts
}

/// Whether an instruction names the element. Words for its looks, its place or a purpose may fit elements of any program, however
/// rare its name is, so they are never asked without context.
fn says(instruction: &str, name: &str) -> bool {
    let unquoted = instruction.replace(['\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}'], " ");
    format!(" {} ", normalised_name(&unquoted)).contains(&format!(" {} ", normalised_name(name)))
}

fn programs_with(pack: &Pack, keys: &NameKeys) -> Vec<BTreeSet<usize>> {
    let mut sets = vec![BTreeSet::new(); keys.numbers.len()];
    for (window, numbers) in pack.windows.iter().zip(&keys.of_element) {
        for &number in numbers.iter().flatten() {
            sets[number as usize].insert(window.program);
        }
    }
    sets
}

fn repeated_keys(numbers: &[Option<u32>]) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    numbers.iter().flatten().filter(|&&n| !seen.insert(n)).copied().collect()
}

/// Size, state and popup rules; names are looked at elsewhere.
pub(super) fn is_eligible(window: &Window, at: usize) -> bool {
    let element = &window.elements[at];
    let enabled = element.state.get("enabled").is_none_or(|v| v.as_bool() != Some(false));
    let sized = element.bbox.width() >= MIN_SIDE_PX
        && element.bbox.height() >= MIN_SIDE_PX
        && element.bbox.area() >= MIN_AREA_PX
        && element.bbox.area() * 100 <= window.frame.area() * MAX_FRAME_PERCENT;
    // With a menu open, a click anywhere else only closes the menu.
    let reachable = element.popup.is_some() || !window.has_popup();
    let in_picture = window.frame.covers(element.bbox) || element.popup.is_some();
    element.interactive && enabled && sized && reachable && in_picture
}

/// Estimated from the width that the name would need at the usual 10 pt UI font.
pub(super) fn ui_type(name: Option<&str>, bbox: Rect) -> UiType {
    const TENTHS_PX_PER_CHAR: usize = 50;
    let needed_px = name.map_or(usize::MAX, |n| n.chars().count() * TENTHS_PX_PER_CHAR / 10);
    if (bbox.width() as usize) < needed_px || name.is_none() { UiType::Icon } else { UiType::Text }
}
