//! Which elements become targets, and with which words: reviewed instructions first, composed ones where there is none.
//!
//! All of this is fixed when the pack is built, never per scene.

use std::collections::{BTreeMap, BTreeSet};

use typed_index_collections::TiSlice;

use windesk_engine::pack::evidence::worded;
use windesk_engine::pack::naming::{normalised_name, spoken};
use windesk_engine::pack::{Draft, NameKeys, Pack, Target};
use windesk_model::index::{ElementIndex, ProgramIndex};
use windesk_model::instruction::{InstructionSource, Wording};
use windesk_model::role::RoleGroup;

use windesk_model::desktop::button_names;
use windesk_model::pack_format::ShellKind;

use crate::compose::compose;
use crate::eligible::{is_eligible, ui_type};
use crate::evidence::sentences;

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
        pack.instructions.iter().filter(|i| i.is_asked()).map(|i| ((i.window.as_str(), i.element.as_str()), i)).collect();
    let mut drafts = Vec::new();
    // Pages of browsers and telephones stand on no desktop by themselves: scenes never ask for their elements.
    for (at, window) in pack.windows.iter_enumerated().filter(|(_, window)| window.is_of_desktop()) {
        let repeated = repeated_keys(&keys.of_element[at]);
        for (e, element) in window.elements.iter_enumerated() {
            let review = reviewed.get(&(window.id.as_str(), element.id.as_str()));
            let Some(group) = RoleGroup::of(&element.role).filter(|_| is_eligible(window, e)) else { continue };
            let spoken = spoken(window, e);
            let reviewed = review.map(|review| sentences(window, e, review)).filter(|sentences| !sentences.is_empty());
            let (sentences, source) = match (reviewed, &spoken) {
                (Some(sentences), _) => (sentences, InstructionSource::Reviewed),
                (None, Some(spoken)) => (vec![compose(window, e, group, spoken)], InstructionSource::Accessibility),
                (None, None) => continue,
            };
            let bare = &sentences[0];
            let key = keys.of_element[at][e];
            // A name that repeats in its own window needs a person's words to tell the elements apart.
            if source == InstructionSource::Accessibility && key.is_none_or(|k| repeated.contains(&k)) {
                continue;
            }
            let composed = source == InstructionSource::Accessibility;
            let named = composed || spoken.as_ref().is_some_and(|spoken| says(bare, &spoken.text));
            let rare =
                named && key.is_some_and(|k| programs_with[k as usize].len() <= RARE_PROGRAMS + 1 && !in_taskbar.contains(&k));
            let program = &pack.programs[window.program].record;
            let wording = if rare { Wording::Brief } else { Wording::InContext };
            let instruction = worded(bare, wording, &program.name, "");
            let ui_type = ui_type(spoken.as_ref().map(|s| s.text.as_str()), element.bbox);
            let target = Target {
                window: at,
                element: e,
                bbox: element.bbox,
                instruction,
                wording,
                sentences,
                wordings: Vec::new(),
                by_place: false,
                evidence: Vec::new(),
                also_fits: Vec::new(),
                source,
                ui_type,
                group,
                text: 0,
                is_asked: true,
            };
            drafts.push(Draft { target, also_fits: BTreeSet::new() });
        }
    }
    add_competitors(pack, &mut drafts);
    drafts
}

/// Notes which other texts fit the words of targets: what readers said of two texts, and what reviewed instructions say
/// of elements.
fn add_competitors(pack: &Pack, drafts: &mut [Draft]) {
    let mut said: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for pair in pack.competitors.iter().filter(|pair| pair.fits()) {
        said.entry(&pair.words).or_default().push(&pair.says);
    }
    let place = |target: &Target| {
        let window = &pack.windows[target.window];
        format!("{}#{}", window.id, window.elements[target.element].id)
    };
    let stated: BTreeMap<String, &[String]> = pack
        .instructions
        .iter()
        .filter(|i| i.is_asked() && !i.also_fits.is_empty())
        .map(|i| (format!("{}#{}", i.window, i.element), i.also_fits.as_slice()))
        .collect();
    let text_at: BTreeMap<String, String> = if stated.is_empty() {
        BTreeMap::new()
    } else {
        drafts.iter().map(|draft| (place(&draft.target), draft.bare().to_owned())).collect()
    };
    for draft in drafts {
        let by_text = said.get(draft.bare()).into_iter().flatten().map(|&text| text.to_owned());
        let by_place = if stated.is_empty() { None } else { stated.get(&place(&draft.target)) };
        let elements = by_place.into_iter().copied().flatten().filter_map(|element| text_at.get(element).cloned());
        draft.also_fits = by_text.chain(elements).collect();
    }
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
