//! The example files, and scoring them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use windesk_files::compressed;

use crate::command::{finish, windesk};

/// An example file; docs/evaluation.md describes them.
pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/eval").join(name)
}

/// Gives a folder with files of `scenes`, `tasks` or `states` the manifest of a finished dataset: that of a run of one
/// sample per line, or of one index per task.
pub fn finished(folder: &Path) {
    let mut files: Vec<(usize, String)> = Vec::new();
    for kind in ["scenes", "states", "tasks"] {
        let Ok(entries) = std::fs::read_dir(folder.join(kind)) else { continue };
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let lines = |path: &Path| String::from_utf8(compressed::read(path, 1 << 20).unwrap()).unwrap().lines().count();
        files = paths.iter().map(|path| (lines(path), path.file_name().unwrap().to_str().unwrap().to_owned())).collect();
    }
    let mut first = 0;
    let shards: Vec<Value> = files
        .iter()
        .map(|(count, name)| {
            let part = json!({"name": name.split('.').next().unwrap(), "first": first, "count": count});
            first += count;
            part
        })
        .collect();
    let manifest = json!({
        "shards": shards, "range": [0, first], "holes": [], "compressed": files.iter().any(|(_, name)| name.ends_with(".gz")),
    });
    std::fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
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
