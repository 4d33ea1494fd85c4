//! Plain data of windesk: geometry, keys, conditions, plans, records, and the words of the field. No files, no
//! pictures.
//!
//! Everything here is a value that crosses the borders of crates. The one thing that acts is [`key::Stream`], which
//! makes the random numbers that planners spend.

pub mod benchmark;
pub mod condition;
pub mod desktop;
pub mod digest;
pub mod error;
pub mod escape;
pub mod finding;
pub mod geometry;
pub mod icon_probe;
pub mod index;
pub mod instruction;
pub mod key;
pub mod moment;
pub mod pack_format;
pub mod page_state;
pub mod part_list;
pub mod plan;
pub mod plural;
pub mod progress;
pub mod record;
pub mod resize;
pub mod role;
pub mod setting;
pub mod spelling;
pub mod split;
pub mod task;
pub mod words;

pub use error::{Error, ErrorKind, Result};
