//! The JSON Schemas in docs/schemas are those of the code.

use std::path::Path;

use schemars::{JsonSchema, schema_for};
use windesk::eval::click::ClickReport;
use windesk::eval::predictions::PredictionLine;

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
fn predictions() {
    check::<PredictionLine<'_>>("prediction");
}

#[test]
fn click_report() {
    check::<ClickReport>("click-report");
}
