//! What a check found wrong, such as that of a pack or of a dataset.

use serde::Serialize;

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// File or element that is wrong.
    pub place: String,
    /// What is wrong with it.
    pub problem: String,
}
