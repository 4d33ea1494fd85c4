//! The pages: one per rater, the same but for the order of the samples.

use std::path::Path;

use serde_json::{Value, json};

use windesk_files::{Replace, StagedFolder};
use windesk_model::Error;

use super::sample::{order, sample};
use super::{Question, Task};
use crate::truth::Dataset;
use windesk_model::escape::html as escape;

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");

/// What a kit holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kit {
    /// Samples to review.
    pub n: usize,
    /// Raters, each with a page.
    pub raters: u32,
    /// What they do.
    pub task: Task,
    /// Decides which samples, and their order for each rater.
    pub seed: u64,
}

/// Writes the pages into a new folder. Gives the number of samples, which is smaller than asked for in a small dataset.
///
/// # Errors
/// If the dataset has no target that is there, a picture can't be read, or `out` is a folder with files: it may hold
/// ratings.
pub fn write_kit(dataset: &Dataset, kit: Kit, out: &Path) -> Result<usize, Error> {
    let chosen = sample(dataset, kit.n, kit.seed);
    if chosen.is_empty() {
        return Err(Error::path(dataset.files.root.folder(), "found no target that is there, expected at least one"));
    }
    let staged = StagedFolder::new(out, Replace::Nothing)?;
    let mut samples = Vec::new();
    for (number, &at) in chosen.iter().enumerate() {
        let target = &dataset.targets[at as usize];
        let scene = dataset.scene(target);
        let picture = dataset.picture(scene)?;
        // Names tell nothing of level or target; endings are those of pictures, whatever the recorded name ends in.
        let name = format!("pictures/{:04}.{}", number + 1, picture.head.kind.extension());
        let (from, to) = (picture.place().to_owned(), staged.path().join(&name));
        to.parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| picture.link_to(&to))
            .map_err(|e| Error::path(&from, format!("can't be brought along: {e}")))?;
        let mut entry =
            json!({"id": dataset.id(target), "picture": name, "size": scene.size, "instruction": dataset.instruction(target)});
        if kit.task != Task::Click {
            entry["box"] = json!(target.bbox());
        }
        samples.push(entry);
    }
    let questions: Vec<Value> =
        Question::ALL.iter().map(|q| json!({"name": q.name(), "words": q.words(), "good": q.yes_is_good()})).collect();
    let data = json!({"dataset": dataset.name, "digest": dataset.digest, "task": kit.task, "seed": kit.seed, "questions": questions, "samples": samples});
    // A script, not JSON: browsers fetch no files for a page that is a file itself.
    staged.write("samples.js", format!("window.REVIEW = {data};\n").as_bytes())?;
    staged.write("page.js", SCRIPT.as_bytes())?;
    staged.write("page.css", STYLE.as_bytes())?;
    for rater in 1..=kit.raters {
        let start = json!({"rater": format!("rater-{rater}"), "order": order(chosen.len(), kit.seed, rater)});
        let page = PAGE
            .replace("{title}", &escape(&format!("Review of {}, rater {rater}", dataset.name)))
            .replace("{start}", &start.to_string());
        staged.write(&format!("rater-{rater}.html"), page.as_bytes())?;
    }
    staged.commit()?;
    Ok(chosen.len())
}
