//! Which elements become targets, and with which words: reviewed instructions first, composed ones where there is none.
//!
//! All of this is fixed when the pack is built, never per scene.

use std::collections::{BTreeMap, BTreeSet};

use typed_index_collections::TiSlice;

use windesk_engine::pack::naming::{normalised_name, spoken};
use windesk_engine::pack::{Draft, NameKeys, Pack, Target};
use windesk_model::index::{ElementIndex, ProgramIndex};
use windesk_model::instruction::{InstructionSource, Wording};
use windesk_model::role::RoleGroup;

use windesk_model::desktop::button_names;
use windesk_model::pack_format::ShellKind;

use crate::compose::{compose, in_context};
use crate::eligible::{is_eligible, ui_type};

/// The most other programs that may have an element of this name and role for it to be asked for without context.
const RARE_PROGRAMS: usize = 3;

/// All targets of a pack: reviewed ones first said by people, the others composed; in order of window and element.
pub(crate) fn drafts(pack: &Pack) -> Vec<Draft> {
    let keys = NameKeys::of(&pack.windows);
    let programs_with = programs_with(pack, &keys);
    // The taskbar has a Search button too: "Click the Search button" alone would fit both.
    let shells = [ShellKind::Taskbar, ShellKind::TopBarAndDock, ShellKind::Panel];
    let in_taskbar: BTreeSet<u32> =
        shells.into_iter().flat_map(button_names).filter_map(|name| keys.number(name, RoleGroup::Button)).collect();
    let reviewed: BTreeMap<(&str, &str), &windesk_model::pack_format::ReviewedInstruction> =
        pack.instructions.iter().filter(|i| !i.dropped).map(|i| ((i.window.as_str(), i.element.as_str()), i)).collect();
    let mut drafts = Vec::new();
    // Pages of browsers and telephones stand on no desktop by themselves: scenes never ask for their elements.
    for (at, window) in pack.windows.iter_enumerated().filter(|(_, window)| window.is_of_desktop()) {
        let repeated = repeated_keys(&keys.of_element[at]);
        for (e, element) in window.elements.iter_enumerated() {
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

/// Whether an instruction names the element. Words for its looks, its place or a purpose may fit elements of any
/// program, however rare its name is, so they are never asked without context.
fn says(instruction: &str, name: &str) -> bool {
    let unquoted = instruction.replace(['\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}'], " ");
    format!(" {} ", normalised_name(&unquoted)).contains(&format!(" {} ", normalised_name(name)))
}

fn programs_with(pack: &Pack, keys: &NameKeys) -> Vec<BTreeSet<ProgramIndex>> {
    let mut sets = vec![BTreeSet::new(); keys.len()];
    for (window, numbers) in pack.windows.iter().zip(&keys.of_element).filter(|(window, _)| window.is_of_desktop()) {
        for &number in numbers.iter().flatten() {
            sets[number as usize].insert(window.program);
        }
    }
    sets
}

fn repeated_keys(numbers: &TiSlice<ElementIndex, Option<u32>>) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    numbers.iter().flatten().filter(|&&n| !seen.insert(n)).copied().collect()
}
