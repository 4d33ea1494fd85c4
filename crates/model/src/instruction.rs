//! How an element is asked for.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a target is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Wording {
    /// By name and role alone; only where these are rare in the pack.
    Brief,
    /// With the program's name before it.
    InContext,
    /// With the window's title before it.
    InWindow,
}

impl Wording {
    /// All three, in the order in which packs list them.
    pub const ALL: [Self; 3] = [Self::Brief, Self::InContext, Self::InWindow];
}

/// Who wrote an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum InstructionSource {
    /// A person, checked by another.
    Reviewed,
    /// Composed from accessibility data.
    Accessibility,
}

/// Whether an element shows its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum UiType {
    /// Too narrow to show its name: a picture stands for it.
    Icon,
    /// Shows its name.
    Text,
}
