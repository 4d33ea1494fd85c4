//! Human review of a dataset, as section 6 of the WinDeskGround paper: raters judge a sample, or click targets blind.
//!
//! ```text
//! Dataset ──sample──▶ static pages ──a person each──▶ ratings-*.json ──review_report──▶ what raters agree on
//! ```
//!
//! - Pages ask no server for anything; pictures lie beside them.
//! - Pages for blind clicks alone do not hold the boxes.

mod kit;
mod ratings;
mod report;
mod sample;

pub use kit::{Kit, write_kit};
pub use ratings::{Rating, Ratings, RatingsFile, read_ratings};
pub use report::{Approval, Clicks, RaterFacts, ReviewGroup, ReviewReport, review_report};
pub use sample::sample;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What raters do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Judge instruction and box.
    Judge,
    /// Click where the instruction says, without being shown the box.
    Click,
    /// Click, then judge.
    Both,
}

/// A question about a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// Does the instruction describe the target, uniquely and accurately?
    InstructionValid,
    /// Does the box fit the element?
    BoxPrecise,
    /// Could one click the target where it shows?
    Clickable,
    /// Do several places fit the instruction?
    SeveralTargets,
}

impl Question {
    /// All, in the order in which they are asked.
    pub const ALL: [Self; 4] = [Self::InstructionValid, Self::BoxPrecise, Self::Clickable, Self::SeveralTargets];

    /// Its name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::InstructionValid => "instruction_valid",
            Self::BoxPrecise => "box_precise",
            Self::Clickable => "clickable",
            Self::SeveralTargets => "several_targets",
        }
    }

    /// As raters read it.
    pub fn words(self) -> &'static str {
        match self {
            Self::InstructionValid => {
                "Does the instruction describe the marked element accurately, and nothing else on the screen?"
            }
            Self::BoxPrecise => {
                "Is the box precise? It should contain the whole element, hidden parts included, and little else."
            }
            Self::Clickable => "Could you click the visible part of the element?",
            Self::SeveralTargets => "Would several places on the screen be correct answers?",
        }
    }

    /// Whether yes speaks for the sample.
    pub fn yes_is_good(self) -> bool {
        self != Self::SeveralTargets
    }
}
