//! Datasets on disk: the run that fills a folder, its parts, resume, and what is written at the end.
//!
//! Borders of parts depend on nothing but the number of conditions; a part's bytes on nothing but the source. A part is
//! complete when its marker is there; the folder is complete when `manifest.json` is there, which is written last.

mod assets;
mod audit;
mod balance;
mod bench;
mod benchmark;
mod card;
mod conclude;
mod croissant;
mod estimate;
pub mod export;
mod extend;
mod folder;
mod form;
mod icon_probes;
mod instances;
mod leaks;
mod manifest;
mod merge;
mod origin;
mod overlays;
mod plan_pictures;
mod reader;
mod run;
mod scenes;
mod settings;
mod shortcuts;
mod source;
mod states;
mod stats;
mod steps;
mod tasks;
mod view;

pub use assets::{Asset, AssetKey, AssetKind, assets_of_pack, shown_on_desktop};
pub use audit::{AuditReport, AuditSettings, audit, difference, open_manifest};
pub use balance::{Balance, balance};
pub use bench::{Bench, BenchScenes, LEVELS_SWEEP};
pub use benchmark::{differences, measure, set_claim};
pub use conclude::{RunCourse, RunRecord, image_path};
pub use estimate::{Estimate, estimate};
pub use extend::extend;
pub use folder::dataset_of;
pub use form::{Form, Records};
pub use icon_probes::Probes;
pub use instances::with_truth;
pub use leaks::{Leaks, leaks};
pub use manifest::{Manifest, PackSummary, PartSummary};
pub use merge::{MergeSettings, merge};
pub use overlays::{OverlaySettings, write_animations, write_overlay, write_overlays};
pub use reader::{LinesReader, ScenesReader};
pub use run::{RunSummary, run};
pub use scenes::Scenes;
pub use settings::{MAX_SAMPLES, RunSettings};
pub use shortcuts::Shortcuts;
pub use source::{CardParts, DatasetKind, Facts, PictureFiles, SampleSource, sample_id};
pub use states::{PRECISION_SWEEP, StateScenes};
pub use stats::Stats;
pub use tasks::TaskScenes;
pub use view::{ViewSettings, write_view};
