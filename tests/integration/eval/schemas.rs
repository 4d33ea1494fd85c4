//! The JSON Schemas in docs/schemas are those of the code.

use std::path::Path;

use schemars::{JsonSchema, schema_for};
use windesk::eval::click::ClickReport;
use windesk::eval::confidence::ConfidenceReport;
use windesk::eval::episode::{Episode, EpisodeReport, EpisodeTask};
use windesk::eval::icons::IconReport;
use windesk::eval::predictions::PredictionLine;
use windesk::eval::review::{RatingsFile, ReviewReport};
use windesk::eval::sequence::{SequenceReport, TaskLine};
use windesk::eval::state::{StateInstance, StateReport};

/// Compares a schema with its file. `WRITE_SCHEMAS=1` writes it.
fn check<T: JsonSchema>(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas").join(format!("{name}.schema.json"));
    let schema = serde_json::to_string_pretty(&schema_for!(T)).unwrap() + "\n";
    if std::env::var_os("WRITE_SCHEMAS").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == schema, "{}: differs from the code; WRITE_SCHEMAS=1 cargo test schemas writes it anew", path.display());
}

#[test]
fn inputs() {
    check::<PredictionLine<'_>>("prediction");
    check::<TaskLine>("task");
    check::<StateInstance>("state-instance");
    check::<Episode>("episode");
    check::<EpisodeTask>("episode-task");
    check::<RatingsFile>("review-ratings");
}

#[test]
fn reports() {
    check::<ClickReport>("click-report");
    check::<IconReport>("icons-report");
    check::<ConfidenceReport>("confidence-report");
    check::<SequenceReport>("sequence-report");
    check::<StateReport>("state-report");
    check::<EpisodeReport>("episode-report");
    check::<ReviewReport>("review-report");
}
