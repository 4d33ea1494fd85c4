//! What it costs to score a million predictions on one core: `cargo bench --bench scoring`. Scenes are made up: 2000 of
//! 500 targets each.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::OnceLock;

use divan::Bencher;
use serde_json::json;
use windesk::eval::ReportFacts;
use windesk::eval::click::{Outcome, click_report, score};
use windesk::eval::predictions::{PredictionFacts, ReadOptions, read};
use windesk::eval::stats::Bootstrap;
use windesk::eval::truth::{Dataset, OpenOptions, open};

const SCENES: usize = 2000;
const TARGETS: usize = 500;

struct Files {
    _folder: tempfile::TempDir,
    scenes: PathBuf,
    predictions: PathBuf,
}

/// Five conditions in turn; targets are cells of a grid over one window; every third click misses.
fn files() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = ["scenes.jsonl", "predictions.jsonl"].map(|name| folder.path().join(name));
        let [mut scenes, mut predictions] = paths.clone().map(|p| BufWriter::new(std::fs::File::create(p).expect("a file")));
        for number in 0..SCENES {
            let condition = format!("L{}", number % 5 + 1);
            let id = format!("bench.{condition}-{:06}", number / 5);
            let window = json!({"index": 0, "window": format!("app{}/main", number / 5 % 40), "app": format!("App {}", number / 5 % 40), "category": "Browsers",
                "role": "target", "z": 0, "rect": [0, 0, 1000, 1000], "popup_rects": [], "active": true});
            let place = |t: usize| [(t % 25) * 40, t / 25 * 40, (t % 25) * 40 + 30, t / 25 * 40 + 20];
            let elements: Vec<_> = (0..TARGETS)
                .map(|t| json!({"id": format!("w0.e{t}"), "layer": "window", "window": 0, "element": format!("e{t}"), "role": "push button", "name": "x",
                    "visible_bbox": place(t), "interactive": true}))
                .collect();
            let targets: Vec<_> = (0..TARGETS)
                .map(|t| {
                    let [x, y, ..] = place(t);
                    let click = if (t + number) % 3 == 0 { [x + 35, y] } else { [x + 5, y + 5] };
                    writeln!(predictions, "{}", json!({"id": format!("{id}.t{t}"), "point": click})).expect("a disk that takes it");
                    json!({"id": format!("{id}.t{t}"), "kind": "present", "element": format!("w0.e{t}"), "window": 0, "instruction": "Click x",
                        "bbox": place(t), "visible_ratio": 1.0, "visible_ink": 1.0, "nested": [], "distractors": [],
                        "visible_mask": {"size": [20, 30], "origin": [x, y], "counts": [0, 600]}})
                })
                .collect();
            let scene = json!({"schema_version": 1, "id": id, "protocol": "windesk", "image": "x.png", "width": 1000, "height": 1000,
                "condition": condition, "pair_id": format!("bench/{:06}", number / 5), "windows": [window], "elements": elements, "targets": targets});
            writeln!(scenes, "{scene}").expect("a disk that takes it");
        }
        let [scenes, predictions] = paths;
        Files { _folder: folder, scenes, predictions }
    })
}

fn dataset() -> &'static Dataset {
    static DATASET: OnceLock<Dataset> = OnceLock::new();
    DATASET.get_or_init(|| open(&files().scenes, &OpenOptions::default()).expect("a dataset"))
}

fn scored(dataset: &Dataset) -> (PredictionFacts, Vec<Outcome>) {
    let mut outcomes = vec![Outcome::MISSING; dataset.targets.len()];
    let facts = read(&files().predictions, dataset, &ReadOptions::default(), |received| {
        let at = received.target as usize;
        outcomes[at] = score(dataset, &dataset.targets[at], &received.said);
    });
    (facts.expect("predictions"), outcomes)
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn open_index(bencher: Bencher) {
    let files = files();
    bencher.bench_local(|| open(&files.scenes, &OpenOptions::default()).expect("a dataset"));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn read_and_score(bencher: Bencher) {
    let dataset = dataset();
    bencher.bench_local(|| scored(dataset));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn report_with_intervals(bencher: Bencher) {
    let dataset = dataset();
    let model = scored(dataset);
    let bootstrap = Bootstrap::default();
    bencher
        .with_inputs(|| vec![model.clone()])
        .bench_local_values(|models| click_report(dataset, ReportFacts::new("click", Vec::new(), bootstrap), models, bootstrap));
}

fn main() {
    divan::main();
}
