//! Scoring: predictions against the truth of a dataset.
//!
//! ```text
//! dataset ──open──▶ Dataset (index) ─┐
//! predictions.jsonl ──read──▶ Prediction ──score──▶ Outcome per target ──▶ report ──▶ JSON, tables, figures, HTML
//! ```
//!
//! - The denominator is every target of the dataset: what no line answers is wrong, with a reason.
//! - Predictions are streamed; memory holds the index and one small outcome per target and model.
//! - Reports are plain data with documented keys; rendering computes nothing.

pub mod asked;
pub mod click;
pub mod confidence;
mod decode;
pub mod episode;
pub mod exact;
mod facts;
pub mod geometry;
pub mod icons;
pub mod kinds;
pub mod lines;
pub mod outcomes;
pub mod parse;
pub mod predict;
pub mod predictions;
pub mod render;
mod results;
pub mod review;
pub mod sequence;
pub mod state;
pub mod state_answers;
pub mod stats;
pub mod truth;

pub use facts::{DatasetFacts, REPORT_VERSION, ReportFacts};
