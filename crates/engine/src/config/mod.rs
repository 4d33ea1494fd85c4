//! From level files and `key=value` changes to checked [`Condition`]s. No knowledge of packs, no random numbers.
//!
//! [`LevelFile`] is what was written, [`Condition`] is what is meant: complete, in integer units, and possible in
//! itself. Whether a pack can satisfy it is found out when planning.
//!
//! [`Condition`]: windesk_model::condition::Condition

mod file;
mod span;
mod sweep;
pub mod variant;

use file::parse_table;
pub use file::{LevelFile, apply_set, parse_level};
pub(crate) use file::{checked_canvas, toml_error};
pub(crate) use span::Span;
pub use sweep::{Scan, Sweep, Varied, parse_sweep};
