//! The sentences that ask for a target.

use windesk_engine::pack::{Window, normalised_name};
use windesk_model::index::ElementIndex;
use windesk_model::pack_format::ReviewedInstruction;

use crate::instructions::agrees;

/// Height of the strip at a window's top where a button is the frame's own, or stands in its place, px.
const HEADER_PX: i32 = 60;

/// The sentences of a reviewed instruction: itself, and the paraphrases that a reader took for its element and no
/// other. Those that the frame's cross carries out as well are left out.
pub(crate) fn sentences(window: &Window, element: ElementIndex, instruction: &ReviewedInstruction) -> Vec<String> {
    let understood = |text: &&String| {
        let last = instruction.checks.iter().rev().find(|check| check.text == **text);
        last.is_some_and(|check| agrees(window, instruction, check))
    };
    let others = instruction.paraphrases.iter().filter(understood);
    let in_header = window.elements[element].bbox.y0() < window.frame.y0() + HEADER_PX;
    let name = &window.elements[element].name;
    let told = |sentence: &&String| in_header || !may_mean_the_cross(name, sentence);
    std::iter::once(&instruction.instruction).chain(others).filter(told).cloned().collect()
}

/// Whether a sentence about an element of this name may mean the cross of the window's frame as well: "end the program"
/// is done by Quit in a menu and by the cross. Not if it says what kind of control it means.
fn may_mean_the_cross(name: &str, sentence: &str) -> bool {
    const NAMES: [&str; 5] = ["quit", "exit", "close", "close window", "cancel"];
    const KINDS: [&str; 13] =
        ["menu", "entry", "item", "option", "choose", "pick", "click", "press", "button", "label", "word", "corner", "cross"];
    let says_kind = || normalised_name(sentence).split(' ').any(|word| KINDS.contains(&word));
    NAMES.contains(&normalised_name(name).as_str()) && !says_kind()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_that_the_cross_carries_out_says_its_control() {
        for (name, sentence, both) in [
            ("Quit", "End the program", true),
            ("Quit", "Quit", true),
            ("Quit", "Choose Quit from the menu.", false),
            ("Cancel", "Leave without opening a picture", true),
            ("Cancel", "Press the \u{201c}Cancel\u{201d} button", false),
            ("Close tab", "Get rid of this tab", false),
            ("Save", "Keep this", false),
        ] {
            assert_eq!(may_mean_the_cross(name, sentence), both, "{name}: {sentence}");
        }
    }
}
