//! Words of names and instructions, for baselines that compare them.

use windesk_model::words::words_of;

/// Words that say what to do and with what kind of element, but not with which.
const GENERIC: [&str; 40] = [
    "a", "activate", "an", "and", "at", "box", "button", "check", "choose", "click", "close", "double", "entry", "expand",
    "field", "focus", "for", "go", "in", "icon", "into", "item", "label", "list", "menu", "of", "on", "open", "option", "press",
    "select", "set", "switch", "tab", "the", "tick", "to", "toggle", "window", "with",
];

/// The words of an instruction that tell which element is meant; all of them if none does.
pub(super) fn telling_words(instruction: &str) -> Vec<String> {
    let all: Vec<String> = words_of(instruction).collect();
    let telling: Vec<String> = all.iter().filter(|w| !GENERIC.contains(&w.as_str())).cloned().collect();
    if telling.is_empty() { all } else { telling }
}
