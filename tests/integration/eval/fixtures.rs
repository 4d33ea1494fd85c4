//! The example files, and scoring them.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::command::{finish, windesk};

/// An example file; docs/evaluation.md describes them.
pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/eval").join(name)
}

/// Writes predictions into a new folder, which lives as long as what is returned.
pub fn predictions(lines: &[Value]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.jsonl");
    let text: String = lines.iter().map(|l| format!("{l}\n")).collect();
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

/// `windesk eval DATASET FILES.. --report json EXTRA..`: exit code and report.
pub fn report(dataset: &Path, files: &[&Path], extra: &[&str]) -> (i32, Value) {
    let mut command = windesk(["eval", "--report", "json", "--resamples", "200"]);
    command.arg(dataset).args(files).args(extra);
    let done = finish(command);
    let report = serde_json::from_str(&done.stdout).unwrap_or_else(|e| panic!("{e}: {}", done.stderr));
    (done.code.unwrap(), report)
}
