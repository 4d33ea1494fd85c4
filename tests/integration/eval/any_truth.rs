//! Bytes of strangers through the readers of what predictions are scored against: scenes, sets with one box per image,
//! tasks, states, episodes, and people's ratings. The fuzz target runs the same code.

use std::path::{Path, PathBuf};

use windesk::eval::ReportFacts;
use windesk::eval::click::{Outcome, click_report, score};
use windesk::eval::episode::{episode_model, read_episode_tasks, read_episodes};
use windesk::eval::predictions::{Prediction, PredictionFacts, ReadOptions, read};
use windesk::eval::review::{read_ratings, review_report};
use windesk::eval::sequence::{TaskOptions, read_tasks};
use windesk::eval::state::read_states;
use windesk::eval::stats::Bootstrap;
use windesk::eval::truth::{Dataset, OpenOptions, open};

/// Files of the examples by kind; the first byte of an input says which of them the rest is.
pub const KINDS: [&str; 10] = [
    "scenes.jsonl",
    "screenspot_desktop.json",
    "screenspot_pro.json",
    "windeskground.json",
    "tasks.jsonl",
    "DICOMscope_Annotation.json",
    "states.jsonl",
    "episodes.jsonl",
    "ratings-rater-1.json",
    "osworld_g.json",
];

const BOOTSTRAP: Bootstrap = Bootstrap { resamples: 4, seed: 0 };
const SIZE: [u32; 2] = [1000, 500];

/// The examples; the fuzz targets are a package of their own, in a folder of this one.
fn example(name: &str) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let places = ["", ".."].map(|up| package.join(up).join("tests/fixtures/eval").join(name));
    places.into_iter().find(|place| place.is_file()).expect("an example")
}

/// Reads a file of one of [`KINDS`] and scores with it. True if it is one.
///
/// # Panics
/// Only for a bug of the reader or the report.
pub fn truth_any(bytes: &[u8]) -> bool {
    let [kind, bytes @ ..] = bytes else { return false };
    let kind = KINDS[usize::from(*kind) % KINDS.len()];
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(kind);
    std::fs::write(&path, bytes).expect("a disk that takes it");
    match kind {
        "tasks.jsonl" | "DICOMscope_Annotation.json" => {
            let options = TaskOptions { image_size: Some(SIZE), ..TaskOptions::default() };
            read_tasks(&path, &options).is_ok()
        }
        "states.jsonl" => read_states(&path).is_ok(),
        "episodes.jsonl" => {
            let tasks = read_episode_tasks(&example("episode-tasks.jsonl")).expect("the example's tasks");
            let episodes = read_episodes(&path);
            episodes.is_ok_and(|e| episode_model(&tasks, "any".to_owned(), &e, 30, BOOTSTRAP).all.strict_success.n > 0)
        }
        "ratings-rater-1.json" => {
            let dataset = open(&example("scenes.jsonl"), &OpenOptions::default()).expect("the example dataset");
            let facts = ReportFacts::new("review", Vec::new(), BOOTSTRAP);
            read_ratings(&dataset, &[path])
                .is_ok_and(|ratings| !review_report(&dataset, facts, &ratings, BOOTSTRAP).groups.is_empty())
        }
        _ => {
            let options = OpenOptions { image_size: Some(SIZE), ..OpenOptions::default() };
            open(&path, &options).is_ok_and(|dataset| scored(&dataset))
        }
    }
}

/// A report on clicks at the first corner of every box, and at the middle of every image.
fn scored(dataset: &Dataset) -> bool {
    let facts: PredictionFacts = no_predictions(dataset);
    for corner in [true, false] {
        let outcomes: Vec<Outcome> = dataset
            .targets
            .iter()
            .map(|target| {
                let [width, height] = dataset.scene(target).size.map(f64::from);
                let middle = [width / 2.0, height / 2.0];
                let point = target.bbox().filter(|_| corner).map_or(middle, |b| [b[0], b[1]]);
                score(dataset, target, &Prediction::Points(vec![point]))
            })
            .collect();
        let models = vec![(facts.clone(), outcomes)];
        let report = click_report(dataset, ReportFacts::new("click", Vec::new(), BOOTSTRAP), models, BOOTSTRAP);
        assert_eq!(report.models.len(), 1);
    }
    true
}

fn no_predictions(dataset: &Dataset) -> PredictionFacts {
    let empty = tempfile::NamedTempFile::new().expect("a file");
    read(empty.path(), dataset, &ReadOptions::default(), |_| unreachable!("an empty file answers nothing"))
        .expect("an empty file")
}
