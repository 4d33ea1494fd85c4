//! Result files of ScreenSpot-Pro's evaluation (`eval_screenspot_pro.py`), read as predictions.

use std::path::Path;

use serde::Deserialize;

use windesk_files::{MAX_WHOLE_BYTES, read_named};
use windesk_model::Error;

use crate::lines::without_mark;

/// What such a file says.
#[derive(Deserialize)]
struct ResultFile {
    details: Vec<Detail>,
}

/// One sample of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Detail {
    /// The target's id.
    pub(crate) id: String,
    /// The click in px of the image; null where the model's answer could not be read.
    pub(crate) pred: Option<Vec<Option<f64>>>,
    #[serde(default)]
    gt_type: Option<String>,
}

/// Reads a result file.
///
/// # Errors
/// If it is none, or holds tasks about elements that are not there, which share the ids of the others.
pub(crate) fn read(path: &Path) -> Result<Vec<Detail>, Error> {
    let bytes = read_named(path, MAX_WHOLE_BYTES)?;
    let file: ResultFile = serde_json::from_slice(without_mark(&bytes)).map_err(|e| {
        Error::path(path, format!("{e}, expected a result file of ScreenSpot-Pro, with `details`"))
            .with_hint("predictions of other kinds are JSON Lines (.jsonl)")
    })?;
    if let Some(at) = file.details.iter().position(|d| d.gt_type.as_deref().is_some_and(|kind| kind != "positive")) {
        let kind = file.details[at].gt_type.as_deref().unwrap_or_default();
        let problem = format!("found the task type `{kind}`, expected `positive`");
        return Err(Error::at(format!("{}: details[{at}]", path.display()), problem));
    }
    Ok(file.details)
}
