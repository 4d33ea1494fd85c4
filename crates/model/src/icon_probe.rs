//! What records of icon probes say besides what those of windows do.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether captions stand under icons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Labels {
    /// None.
    None,
    /// Each icon's name.
    True,
    /// Names of other icons of the scene: tells reading from looking.
    Shuffled,
}

/// How icons are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProbeLayout {
    /// Anywhere.
    Scatter,
    /// In rows and columns over the whole screen.
    Grid,
    /// The same, each icon shifted within its cell.
    JitteredGrid,
    /// In one line along an edge, on a panel.
    Dock,
    /// In a few groups.
    Cluster,
    /// In rows and columns with exactly the gap between them, about a target that stays where it is whatever the gap.
    Block,
    /// On cells of a lattice, so that the target can visit them all.
    Lattice,
}

/// What an icon lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Tile {
    /// Nothing.
    None,
    /// A square with round corners.
    Rounded,
    /// A disc.
    Circle,
}

/// A finished prompt, as records hold it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    /// The template's name.
    pub template: String,
    /// What the model is told first, if anything.
    pub system: Option<String>,
    /// The user's words.
    pub user: String,
    /// Whether it allows to answer that there is no such icon.
    pub refusal_allowed: bool,
}
