//! The files of a review: which they are, and what is wrong with all of them at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;

use windesk_authoring::sheet::Review;
use windesk_engine::pack::open_place;
use windesk_files::{MAX_WHOLE_BYTES, Root, read_named};
use windesk_model::Error;

use super::super::with_flags;

pub(super) fn open(dir: &Path) -> anyhow::Result<Review> {
    anyhow::ensure!(dir.is_dir(), "{}: no such folder, expected the folder of a pack", dir.display());
    Ok(Review::open(open_place(dir)?)?)
}

/// The files named, and those of folders named; sheets with questions stand beside answers and are left out.
pub(super) fn read_files(paths: &[PathBuf]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut all = Vec::new();
    // What was found in a folder must be a plain file of it.
    let mut found_in: BTreeMap<PathBuf, &PathBuf> = BTreeMap::new();
    for path in paths {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).with_context(|| path.display().to_string())?;
            let mut inside = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
            inside.retain(|p| p.extension().is_some_and(|e| e == "json"));
            inside.sort();
            found_in.extend(inside.iter().map(|file| (file.clone(), path)));
            all.extend(inside);
        } else {
            all.push(path.clone());
        }
    }
    all.iter()
        .map(|path| {
            let bytes = match found_in.get(path) {
                Some(folder) => Root::new(*folder).read(path.strip_prefix(folder).unwrap_or(path), MAX_WHOLE_BYTES)?,
                None => read_named(path, MAX_WHOLE_BYTES)?,
            };
            Ok((path.display().to_string(), bytes))
        })
        .collect()
}

/// What a JSON file of a review is.
#[derive(PartialEq, Eq)]
pub(super) enum Sort {
    Written,
    /// Of a check sheet, or of a page of pairs.
    Questions,
    Answers,
    /// Answers of true and false alone.
    Judged,
}

pub(super) fn sort_of(bytes: &[u8]) -> Sort {
    let value: Option<serde_json::Value> = serde_json::from_slice(bytes).ok();
    match value.as_ref().and_then(|v| v.get("sheet")).and_then(serde_json::Value::as_str) {
        Some("write") => Sort::Written,
        Some("check" | "distractors" | "competitors" | "states") => Sort::Questions,
        _ if value.as_ref().is_some_and(all_true_or_false) => Sort::Judged,
        _ => Sort::Answers,
    }
}

fn all_true_or_false(value: &serde_json::Value) -> bool {
    value.as_object().is_some_and(|answers| !answers.is_empty() && answers.values().all(serde_json::Value::is_boolean))
}

/// Prints all errors but the last, which the caller reports.
pub(super) fn all_or_none<T>(result: Result<T, Vec<Error>>) -> anyhow::Result<T> {
    result.map_err(|mut errors| {
        let last = errors.pop().expect("at least one error");
        for error in &errors {
            tell!("error: {}", with_flags(&error.to_string()));
        }
        let count = errors.len() + 1;
        if count > 1 {
            anyhow::Error::from(last).context(format!("{count} errors, nothing taken; the last"))
        } else {
            last.into()
        }
    })
}
