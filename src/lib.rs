//! windesk composes synthetic desktop scenes from real window screenshots and writes datasets for GUI grounding, with the whole
//! truth beside every image.
//!
//! A sample is a pure function of engine version, pack, condition, seed and index:
//!
//! ```text
//! pack files ──check──▶ Pack ─┐
//! level TOML ──check──▶ Condition ─┼─ plan(&Pack, .., &Condition, SampleKey) ─▶ Plan ──verify──▶ Plan
//! seed, index, draw ──▶ SampleKey ─┘                                             │
//!                                       annotate(&Pack, &Plan) ◀─────────────────┤──────▶ Renderer::render(&Plan)
//!                                            │ Annotation                        │ Frame
//!                                            └──────────────▶ dataset ◀──────────┘
//! ```
//!
//! What does not happen where:
//! - [`rng`] is the only place of the engine that makes random numbers; only [`plan`] spends them. ([`eval`] has a generator of its own
//!   for bootstrap intervals.)
//! - [`plan`] composes no pixels; [`render`] and [`annotate`] decide nothing; [`verify`] shares no code with the planner.
//! - Nothing in the engine reads clocks, the environment, the system's fonts, or the order of a hash map.
//! - Making scenes needs no model: embeddings are in the pack.

pub mod annotate;
#[allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "the command line prints results and may read the environment"
)]
pub mod cli;
pub mod config;
pub mod dataset;
pub mod desktop;
#[cfg(feature = "embed")]
pub mod embed;
pub mod eval;
pub mod export;
pub mod fidelity;
pub mod geom;
pub mod pack;
pub mod pairing;
pub mod parse;
pub mod plan;
pub mod predict;
pub mod probe;
mod progress;
pub mod record;
pub mod render;
pub mod rng;
mod splice;
pub mod study;
pub mod verify;
pub mod visibility;
