//! windesk composes synthetic desktop scenes from captures of real windows and writes datasets for GUI grounding:
//! images with the whole truth beside them.
//!
//! A scene and its truth:
//!
//! ```
//! use windesk::{Renderer, Study, default_pack, shipped};
//!
//! # fn main() -> windesk::Result<()> {
//! let pack = default_pack::open_starter()?.indexed()?;
//! let study = Study::of_condition(shipped::level("L2", &[])?, 7);
//! let targets = study.pool(&pack)?;
//! let plans = study.outcome(&pack, &targets, 0)?.plans.expect("no hole");
//! let scene = study.record(&pack, &study.conditions[0], &plans[0], "scene.png".into())?;
//! let image = Renderer::new(&pack)?.render(&plans[0])?;
//! assert_eq!((image.size.width, image.size.height), (2560, 1440));
//! let target = &scene.truth.targets[0];
//! println!("{}: click {:?}", target.instruction, target.click_point);
//! assert!(target.visible_ratio >= 0.8 && target.visible_ratio <= 0.9);
//! # Ok(())
//! # }
//! ```
//!
//! A sweep in memory: the same scene under each of its conditions, but for the knob.
//!
//! ```
//! use windesk::{Study, default_pack, shipped};
//!
//! # fn main() -> windesk::Result<()> {
//! let pack = default_pack::open_starter()?.indexed()?;
//! let study = Study::of_sweep(shipped::sweep("occlusion", &[], &[])?, 0);
//! let targets = study.pool(&pack)?;
//! for index in 0..3 {
//!     let plans = study.outcome(&pack, &targets, index)?.plans.expect("no hole");
//!     let visible: Vec<u64> = plans.iter().map(|plan| plan.target.visible_px).collect();
//!     assert!(visible.is_sorted_by(|more, less| more > less), "{visible:?}");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! What is made from what:
//!
//! ```text
//! pack files ──open──▶ IndexedPack ──┐
//! level TOML ──parse──▶ Condition ───┼─ plan ──▶ Plan ──verify──▶ Plan ─┬─ annotate ──▶ Annotation ─┐
//! seed, index, draw ──▶ SampleKey ───┘                                  └─ render ────▶ Frame ──────┴──▶ dataset
//! ```
//!
//! The crates, each knowing only those before it: [`model`] (plain data), [`files`] (files that appear whole),
//! [`engine`] (packs, planner, annotator, renderer, referee), [`desktop`] (what clicks do, tasks), [`dataset`] (runs,
//! folders, exports), [`eval`] (scores), with feature `pack` `authoring` (making packs). This one adds what ships with
//! the program: [`shipped`] configurations, the [`default_pack`] and, with feature `cli`, the program itself as a
//! function (`cli::run`).

// The command line names this crate as every other user of it does.
#[cfg(feature = "cli")]
extern crate self as windesk;

#[cfg(feature = "cli")]
#[allow(clippy::disallowed_methods, reason = "the command line may read the environment")]
pub mod cli;
pub mod default_pack;
pub mod request;
pub mod shipped;

#[cfg(feature = "pack")]
pub use windesk_authoring as authoring;
pub use windesk_dataset as dataset;
pub use windesk_desktop as desktop;
pub use windesk_engine as engine;
pub use windesk_eval as eval;
pub use windesk_files as files;
pub use windesk_model as model;

pub use windesk_engine::annotate::annotate;
pub use windesk_engine::config::{Scan, Sweep};
pub use windesk_engine::pack::{IndexedPack, Pack, PackFiles};
pub use windesk_engine::planner::{TargetPool, plan, plan_paired};
pub use windesk_engine::referee::{check_pairing, verify};
pub use windesk_engine::render::{Encoder, Frame, ImageFormat, Renderer};
pub use windesk_engine::study::{Outcome, Study};
pub use windesk_model::condition::{Condition, Pairing, Protocol};
pub use windesk_model::key::SampleKey;
pub use windesk_model::plan::Plan;
pub use windesk_model::record::{Annotation, SceneRecord};
pub use windesk_model::{Error, ErrorKind, Result};
