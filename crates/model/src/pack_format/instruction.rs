//! What somebody wrote by looking, what others made of it, and what a reader must see to know the target.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::Rect;

/// What an instruction goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum InstructionStyle {
    /// By what the element does or is called: "Print the document".
    Function,
    /// By what it looks like: "Click the magnifying glass".
    Appearance,
    /// By where it is: "Click the leftmost button of the tool bar".
    Position,
    /// By what the user is after: "Make the text easier to read".
    Intent,
}

impl InstructionStyle {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Function, Self::Appearance, Self::Position, Self::Intent];

    /// The name as written in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Appearance => "appearance",
            Self::Position => "position",
            Self::Intent => "intent",
        }
    }
}

/// Who wrote or read an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AuthorKind {
    /// A person.
    Person,
    /// A model that looked at the picture.
    Model,
}

/// What a reader picked who saw the window's picture with numbered boxes and the words, and was not told the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BlindCheck {
    /// The words that the reader was given: the instruction or a paraphrase, as it was then.
    pub text: String,
    /// Ids of the elements that the reader took them for; none if nothing fits.
    pub picked: Vec<String>,
    /// Kind of reader.
    pub reader_kind: AuthorKind,
    /// Date, `YYYY-MM-DD`.
    pub date: String,
}

/// A line of `windows/<program>/instructions.jsonl`: what somebody wrote by looking, and what others made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReviewedInstruction {
    /// Capture id.
    pub window: String,
    /// Element id in it.
    pub element: String,
    /// The instruction, complete and without a program prefix.
    pub instruction: String,
    /// What it goes by.
    pub style: InstructionStyle,
    /// Kind of author.
    pub author_kind: AuthorKind,
    /// Date, `YYYY-MM-DD`.
    pub date: String,
    /// Digest of the capture that the author saw (16 hex digits); null if it was not written from a sheet.
    #[serde(default)]
    pub capture: Option<String>,
    /// Elements of other windows that also satisfy it, as `<window>#<element>`.
    #[serde(default)]
    pub also_fits: Vec<String>,
    /// Other phrasings.
    #[serde(default)]
    pub paraphrases: Vec<String>,
    /// Blind checks, oldest first.
    #[serde(default)]
    pub checks: Vec<BlindCheck>,
    /// Given up after disagreement: kept for the record, never a target.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dropped: bool,
    /// What it takes to do it, if that is more than a click: then it is no target of a scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<InstructionSteps>,
}

impl ReviewedInstruction {
    /// Whether scenes may ask it: not given up, and done by one click.
    pub fn is_asked(&self) -> bool {
        !self.dropped && self.steps.is_none()
    }
}

/// What it takes to do what an instruction says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum InstructionSteps {
    /// More than one click: a value to be typed or dragged to, several choices.
    More,
}

/// What a reader said of words and an element of another program, who saw that in its window and no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CompetitorReading {
    /// Whether the words, said on a desktop that shows only this, mean this element.
    pub fits: bool,
    /// Kind of reader.
    pub reader_kind: AuthorKind,
}

/// A line of `windows/<program>/competitors.jsonl`: words of the program's targets, and an element of another program
/// that they may fit too. It stands for all elements that are asked for with the same two texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Competitor {
    /// An instruction without context.
    pub words: String,
    /// The instruction of the other element, without context.
    pub says: String,
    /// The element that readers saw, as `<window>#<element>`.
    pub shown: String,
    /// What they said, oldest first.
    pub readings: Vec<CompetitorReading>,
}

impl Competitor {
    /// Whether any reader took the words for the element.
    pub fn fits(&self) -> bool {
        self.readings.iter().any(|reading| reading.fits)
    }
}

/// What of a window tells a reader which element is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// The element's own text.
    Label,
    /// The element's own icon or shape.
    Glyph,
    /// Text beside it that names it.
    Caption,
    /// Another element that the words name: "next to 'Index'".
    Landmark,
    /// The text of the title bar, where the words name the program or the window.
    Title,
}

impl EvidenceKind {
    /// Whether a reader must see enough of its left half, too: of text, the beginning tells most. A title counts as the
    /// program's name alone, most of which must show anyway.
    pub fn is_read_from_left(self) -> bool {
        matches!(self, Self::Label | Self::Caption | Self::Landmark)
    }
}

/// A line of `windows/<program>/evidence.jsonl`: a part of a window that a reader must see to know a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Capture id of the target.
    pub window: String,
    /// Element id of the target.
    pub element: String,
    /// What it is.
    pub kind: EvidenceKind,
    /// The words that need it: the instruction or one of the paraphrases; null if all do.
    pub wording: Option<String>,
    /// Capture id of the window that shows it, if that is not the target's: its parent.
    pub shown_by: Option<String>,
    /// Its box, px of the picture of the window that shows it.
    pub bbox: Rect,
    /// The element that it is part of, if it is one's.
    pub of: Option<String>,
}
