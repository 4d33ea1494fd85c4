//! windesk composes synthetic desktop scenes from real window screenshots and writes datasets for GUI grounding, with the whole
//! truth beside every image.
//!
//! A sample is a pure function of engine version, pack, condition, seed and index:
//!
//! ```text
//! pack files ──check──▶ IndexedPack ─┐
//! level TOML ──check──▶ Condition ───┼─ plan(&IndexedPack, .., &Condition, SampleKey) ─▶ Plan ──verify──▶ Plan
//! seed, index, draw ──▶ SampleKey ───┘                                                    │
//!                                       annotate(&IndexedPack, &Plan) ◀───────────────────┤──────▶ Renderer::render(&Plan)
//!                                            │ Annotation                                 │ Frame
//!                                            └──────────────▶ dataset ◀───────────────────┘
//! ```
//!
//! What does not happen where:
//! - [`rng`] is the only place of the engine that makes random numbers; only [`plan`] spends them. ([`eval`] has a generator of its own
//!   for bootstrap intervals.)
//! - [`plan`] composes no pixels; [`render`] and [`annotate`] decide nothing; [`verify`] shares no code with the planner.
//! - Nothing in the engine reads clocks, the environment, the system's fonts, or the order of a hash map.
//! - Making scenes needs no model: embeddings are in the pack.

pub mod default_pack;
pub mod shipped;

pub use windesk_authoring as authoring;
pub use windesk_dataset as dataset;
pub use windesk_engine as engine;
pub use windesk_eval as eval;
pub use windesk_files as files;
pub use windesk_model as model;
