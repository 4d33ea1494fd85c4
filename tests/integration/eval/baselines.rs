//! Baselines: what they score is what they must.

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::fixtures::{example, report};
use crate::command::{finish, succeeds};

/// The variable by which a machine without Tesseract leaves the tests of reading out; `scripts/test.sh` sets it and
/// says so.
const LEFT_OUT: &str = "WINDESK_WITHOUT_TESSERACT";

/// The example scenes many times over, each time under other ids.
fn many(copies: usize, folder: &Path) -> std::path::PathBuf {
    let text = std::fs::read_to_string(example("scenes.jsonl")).unwrap();
    let scenes: String = (0..copies).map(|copy| text.replace("s0.L", &format!("s{copy}.L"))).collect();
    let path = folder.join("scenes.jsonl");
    std::fs::write(&path, scenes).unwrap();
    path
}

/// 6000 random clicks on 6000 targets: a binomial count, within four standard deviations.
#[test]
fn random_clicks_score_what_area_predicts() {
    let folder = tempfile::tempdir().unwrap();
    let scenes = many(1500, folder.path());
    let out = folder.path().join("random.jsonl");
    succeeds(["predict", scenes.to_str().unwrap(), "--agent", "random", "--out", out.to_str().unwrap()]);
    let (_, report) = report(&scenes, &[&out], &[]);
    for metric in ["click", "visible"] {
        let expected = report["chance"][0][metric].as_f64().unwrap();
        let micro = &report["models"][0][metric]["micro"];
        let [hits, n] = ["hits", "n"].map(|key| micro[key].as_f64().unwrap());
        let deviation = (n * expected * (1.0 - expected)).sqrt();
        assert_eq!(n, 6000.0);
        assert!((hits - n * expected).abs() < 4.0 * deviation, "{metric}: {hits} hits, expected {} +- {deviation}", n * expected);
    }
}

/// The documented command, on one base scene per condition: the oracle hits everything, and each table names every
/// baseline.
#[test]
fn the_command_of_the_readme_prints_both_tables() {
    if std::env::var_os(LEFT_OUT).is_some() {
        eprintln!("left out: {LEFT_OUT} is set");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("bash");
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/eval/baselines.sh")).arg("1").arg(folder.path());
    command.env("WINDESK", env!("CARGO_BIN_EXE_windesk"));
    let done = finish(command);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let tables: Vec<&str> = done.stdout.split("## ").skip(1).collect();
    assert_eq!(tables.len(), 2, "{}", done.stdout);
    for table in tables {
        let rows: Vec<Vec<&str>> = table
            .lines()
            .filter(|l| l.starts_with('|'))
            .map(|l| l.trim_matches('|').split('|').map(str::trim).collect())
            .collect();
        let names: HashSet<&str> = rows.iter().skip(2).map(|r| r[0]).collect();
        let expected = ["oracle", "oracle-jitter", "random", "center", "topmost", "active", "largest", "ocr", "(anywhere)"];
        assert_eq!(names, HashSet::from(expected), "{table}");
        assert!(rows[2][1..].iter().all(|cell| cell.starts_with("100.0 ")), "the oracle: {:?}", rows[2]);
    }
    let report: Value = serde_json::from_slice(&std::fs::read(folder.path().join("levels.json")).unwrap()).unwrap();
    assert_eq!(report["models"].as_array().unwrap().len(), 8);
    // Tesseract looked at the pictures: its answers are not the middle that it falls back to.
    let answers = std::fs::read_to_string(folder.path().join("levels-ocr.jsonl")).unwrap();
    assert!(answers.lines().skip(1).any(|l| !l.contains("\"point\":[1280.0,720.0]")), "{answers}");
}
