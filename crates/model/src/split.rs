//! Train and test: two parts of a pack that share no program, no wallpaper, no instruction and no element that is
//! called the same.
//!
//! Which side a program or a wallpaper is on follows from its id alone, so that it never changes sides as packs grow.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::stable_id;

/// One of the two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// About three quarters.
    Train,
    /// The rest.
    Test,
}

/// Of 100 ids, so many are of [`Split::Test`].
const TEST_PERCENT: u64 = 28;

impl Split {
    /// `train` or `test`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Test => "test",
        }
    }

    /// The side of a program with this id.
    pub fn of_program(id: &str) -> Self {
        Self::of(&format!("split/{id}"))
    }

    /// The side of a wallpaper with this id.
    pub fn of_wallpaper(id: &str) -> Self {
        Self::of(&format!("split/wallpaper/{id}"))
    }

    /// The side of elements with a name that programs of both sides have.
    pub fn of_shared(name: &str) -> Self {
        Self::of(&format!("split/shared/{name}"))
    }

    fn of(text: &str) -> Self {
        if stable_id(text) % 100 < TEST_PERCENT { Self::Test } else { Self::Train }
    }
}
