//! What a reader must see to know a target, as the index holds it, and the words with their context. All of it is found
//! when the pack is made.

use serde::{Deserialize, Serialize};

use windesk_model::geometry::Rect;
use windesk_model::instruction::Wording;
use windesk_model::pack_format::EvidenceKind;

/// The title of a window as its title bar shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownTitle {
    /// What is written there.
    pub text: String,
    /// The box of these letters, px of the picture.
    pub bbox: Rect,
    /// The box of the program's name, where that is a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Rect>,
}

/// A part of a window by which a reader knows a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvidencePart {
    /// What it is.
    pub kind: EvidenceKind,
    /// Its box, px of the picture of the window that shows it.
    pub bbox: Rect,
    /// Whether the parent of the target's window shows it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_parent: bool,
    /// Which of the target's sentences needs it; nothing if all do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<u32>,
}

/// A sentence with what stands before it: "In Thunar, open the View menu".
fn with_context(context: &str, instruction: &str) -> String {
    let first_word = instruction.split([' ', '\u{2019}', '\'']).next().unwrap_or_default();
    // "I want ..", "PDF ..": only a plain first word is written small.
    let plain = first_word != "I" && first_word.chars().skip(1).all(|c| !c.is_uppercase());
    let mut letters = instruction.chars();
    let lowered: String = match letters.next() {
        Some(first) if plain => first.to_lowercase().chain(letters).collect(),
        _ => instruction.to_owned(),
    };
    format!("In {context}, {lowered}")
}

/// A sentence about an element, asked for in a window of this program with this title.
pub fn worded(sentence: &str, wording: Wording, program: &str, title: &str) -> String {
    match wording {
        Wording::Brief => sentence.to_owned(),
        Wording::InContext => with_context(program, sentence),
        Wording::InWindow => with_context(&format!("the window \u{201c}{title}\u{201d}"), sentence),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_stands_before_the_sentence() {
        for (wording, sentence, words) in [
            (Wording::Brief, "Open the View menu", "Open the View menu"),
            (Wording::InContext, "Open the View menu", "In Thunar, open the View menu"),
            (Wording::InWindow, "Open the View menu", "In the window \u{201c}Documents\u{201d}, open the View menu"),
            (Wording::InContext, "I want to print", "In Thunar, I want to print"),
            (Wording::InContext, "PDF export, please", "In Thunar, PDF export, please"),
        ] {
            assert_eq!(worded(sentence, wording, "Thunar", "Documents"), words);
        }
    }
}
