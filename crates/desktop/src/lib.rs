//! What a click does on a desktop: state and event to the next state, and what happened on the way.
//!
//! [`act`] is a pure function. It draws no random numbers, composes no pictures and knows no datasets. What it can't
//! know, because no capture shows it, it says ([`Effect::Unmodelled`]) and leaves the windows' contents as they are.

mod act;
mod buttons;
mod event;
mod hit;
mod outcome;
mod page;
mod scene;
pub mod setting;
mod shell;
mod stack;
mod state;
pub mod task;
mod valid;

pub use act::act;
pub use buttons::{FrameButton, frame_button};
pub use event::{Acted, Effect, Event};
pub use hit::{Hit, hit};
pub use scene::of_plan;
pub use state::{DesktopState, DesktopWindow, Former, WindowId};
pub use valid::faults;
