//! The engine of windesk: from a pack, a condition and a key to a plan, a picture and the truth about it.

pub mod annotate;
pub mod config;
pub mod drawing;
pub mod icon_probe;
mod jpeg;
pub mod pack;
pub mod planner;
mod png;
pub mod referee;
pub mod render;
pub mod study;
pub mod visibility;
mod wide;
