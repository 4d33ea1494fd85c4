//! Icon probes: named icons at exact places on a wallpaper, one of them asked for (`docs/probes.md`).
//!
//! ```text
//! design TOML ──check──▶ ProbeStudy ─┐
//! icon libraries ──parse──▶ ProbeAssets ─┼─ plan_probes ──▶ [ProbePlan] ──verify_probe──▶ ──┬─▶ probe_record
//! seed, index, draw ──▶ SampleKey ───┘                                                   └─▶ render_probe
//! ```
//!
//! What does not happen where:
//! - [`plan_probes`] alone spends random numbers; the other stages decide nothing.
//! - Boxes are never computed from sizes: they are counted on the rendered pixels, by the planner and again by
//!   [`verify_probe`].
//! - Two icons that share a name, a synonym or a concept, or that a person may take for each other, are never together
//!   unless the design asks for a twin.

mod annotate;
mod assets;
mod colours;
mod contrast;
mod design;
mod folder;
mod layout;
mod library;
mod meaning;
mod plan;
mod prompt;
mod raster;
mod render;
mod similarity;
mod verify;
mod view;

pub use annotate::{probe_masks, probe_record};
pub use assets::ProbeAssets;
pub use colours::Colours;
pub use contrast::contrast_within;
pub use design::{DistractorRule, ProbeCondition, ProbeStudy, Similar, TargetPresence, parse_design};
pub use folder::{FolderIcons, OWN_LIBRARY, read_folder};
pub use layout::{Gap, Room};
pub use library::{IconSet, ProbeIcon};
pub use meaning::meanings_of;
pub use plan::{PlannedIcon, PlannedProbeTarget, PlannedSimilar, ProbeError, ProbePlan, plan_probes};
pub use prompt::{ObjectWords, PromptTemplate};
pub use render::{encode_probe_png, render_probe};
pub use verify::verify_probe;
