//! What raters hand in: a JSON file each, as the pages save it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_files::{MAX_WHOLE_BYTES, read_named};
use windesk_model::Error;

use super::{Question, Task};
use crate::geometry::in_image;
use crate::truth::Dataset;

/// A rater's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RatingsFile {
    /// Version of this layout: 1.
    pub schema_version: u32,
    /// Digest of the dataset that was reviewed.
    pub dataset_digest: String,
    /// Who rated.
    pub rater: String,
    /// What was asked.
    pub task: Task,
    /// One per sample that was rated.
    pub ratings: Vec<Rating>,
}

/// What a rater says of a sample. Answers that were not asked for, or not given, are null.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// The target's id.
    pub id: String,
    /// Where the rater clicked without being shown the box, px of the image.
    #[serde(default)]
    pub click: Option<[f64; 2]>,
    /// The rater found nothing to click.
    #[serde(default)]
    pub not_found: bool,
    /// The instruction describes the target, uniquely and accurately.
    #[serde(default)]
    pub instruction_valid: Option<bool>,
    /// The box fits.
    #[serde(default)]
    pub box_precise: Option<bool>,
    /// One could click the target.
    #[serde(default)]
    pub clickable: Option<bool>,
    /// Several places would be right.
    #[serde(default)]
    pub several_targets: Option<bool>,
    /// Whatever the rater wishes to add.
    #[serde(default)]
    pub comment: String,
    /// Time spent on the sample.
    #[serde(default)]
    pub seconds: Option<f64>,
}

impl Rating {
    /// The answer to a question.
    pub fn answer(&self, question: Question) -> Option<bool> {
        match question {
            Question::InstructionValid => self.instruction_valid,
            Question::BoxPrecise => self.box_precise,
            Question::Clickable => self.clickable,
            Question::SeveralTargets => self.several_targets,
        }
    }
}

/// All raters' files, checked against the dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// One per rater.
    pub files: Vec<RatingsFile>,
    /// By target: the raters who rated it and what they said, in the order of the files.
    pub by_target: BTreeMap<u32, Vec<Rating>>,
}

/// Reads the files of all raters.
///
/// # Errors
/// If a file is no ratings of this dataset, names a target that is unknown or absent, rates one twice, has a click
/// outside of its image, or if two files are of one rater.
pub fn read_ratings(dataset: &Dataset, paths: &[PathBuf]) -> Result<Ratings, Error> {
    let mut ratings = Ratings { files: Vec::new(), by_target: BTreeMap::new() };
    for path in paths {
        let file = read(path)?;
        let problem = |problem: String| Error::path(path, problem);
        if file.dataset_digest != dataset.digest {
            return Err(problem(format!("ratings of the dataset {}, expected {}", file.dataset_digest, dataset.digest))
                .with_hint("these are ratings of another dataset, or the dataset has changed since"));
        }
        if let Some(at) = ratings.files.iter().position(|f| f.rater == file.rater) {
            return Err(problem(format!(
                "ratings by `{}`, who also has ratings in {}, expected one file per rater",
                file.rater,
                paths[at].display()
            )));
        }
        let mut seen = BTreeMap::new();
        for (at, rating) in file.ratings.iter().enumerate() {
            let problem = |what: &str| problem(format!("ratings[{at}]: {what}"));
            let target = dataset
                .target_called(&rating.id)
                .ok_or_else(|| problem(&format!("found the id `{}`, expected a target of the dataset", rating.id)))?;
            let known = &dataset.targets[target as usize];
            if !known.is_there() {
                return Err(problem(&format!("`{}` is absent, expected a target that is there", rating.id)));
            }
            if let Some(earlier) = seen.insert(target, at) {
                return Err(problem(&format!("`{}` is rated twice, first by ratings[{earlier}]", rating.id)));
            }
            if let Some(click) = rating.click
                && !in_image(dataset.scene(known).size, click)
            {
                return Err(problem(&format!(
                    "a click at {click:?}, expected one in the image of {:?} px",
                    dataset.scene(known).size
                )));
            }
            ratings.by_target.entry(target).or_default().push(rating.clone());
        }
        ratings.files.push(file);
    }
    Ok(ratings)
}

fn read(path: &Path) -> Result<RatingsFile, Error> {
    let text = read_named(path, MAX_WHOLE_BYTES)?;
    let file: RatingsFile = serde_json::from_slice(&text)
        .map_err(|e| Error::path(path, format!("{e}, expected ratings as the review's pages save them")))?;
    if file.schema_version == 1 {
        Ok(file)
    } else {
        Err(Error::path(path, format!("schema_version {}, expected 1", file.schema_version)))
    }
}
