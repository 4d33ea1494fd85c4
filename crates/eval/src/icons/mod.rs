//! Icon probes: four classes of response (Algorithm 1 of the icon paper), and invalid beside them.

mod classify;
mod report;

pub use classify::{Class, IconOptions, Unit, Variant, classes_of, classify};
pub(crate) use report::class_names;
pub use report::{IconModel, IconReport, Overlap, TauRow, icon_report};
