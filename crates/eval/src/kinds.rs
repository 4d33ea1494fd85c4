//! What a file is for, by the keys of its first record: people give datasets to the wrong protocol, and predictions in
//! the place of datasets.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::de::IgnoredAny;

use windesk_files::compressed::{is_compressed, readable};
use windesk_files::open_named;

use crate::lines::{files_in, without_mark};

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Scenes of windesk, or a set with one box per image.
    Targets,
    /// Tasks of steps.
    Tasks,
    /// The same with their keyframes as scenes: a dataset folder.
    TaskFolder,
    /// Controls whose state is to be set.
    States,
    /// The same with their pictures as scenes: a dataset folder.
    StateFolder,
    /// Traces of agents.
    Traces,
    /// Answers of a model.
    Predictions,
}

/// Bytes of a file that are looked at; records are shorter.
const MAX_BYTES: u64 = 64 << 20;

impl FileKind {
    /// What a file or folder holds; `None` if its keys do not tell.
    pub fn of(path: &Path) -> Option<Self> {
        if path.is_dir() {
            if path.join("tasks").is_dir() {
                return Some(Self::TaskFolder);
            }
            if path.join("states").is_dir() {
                return Some(Self::StateFolder);
            }
            if path.join("scenes").is_dir() || path.join("annotations").is_dir() || path.join("test.json").is_file() {
                return Some(Self::Targets);
            }
            return Self::of(files_in(path, "json").ok()?.first()?);
        }
        let mut text = Vec::new();
        // A pipe can be read once, and not by us.
        let file = open_named(Some(path).filter(|p| p.is_file())?).ok()?;
        let mut file = BufReader::new(readable(file, is_compressed(path)).take(MAX_BYTES));
        if path.extension().is_some_and(|e| e == "json") {
            file.read_to_end(&mut text).ok()?;
            if without_mark(&text).trim_ascii_start().starts_with(b"[") {
                return Some(Self::Targets);
            }
        } else {
            while text.trim_ascii().is_empty() {
                text.clear();
                if file.read_until(b'\n', &mut text).ok()? == 0 {
                    return None;
                }
            }
        }
        let keys: BTreeMap<String, IgnoredAny> = serde_json::from_slice(without_mark(&text)).ok()?;
        let has = |names: &[&str]| names.iter().all(|name| keys.contains_key(*name));
        let any = |names: &[&str]| names.iter().any(|name| keys.contains_key(*name));
        if has(&["tasks"]) || has(&["application", "steps"]) {
            Some(Self::Tasks)
        } else if has(&["control_bbox"]) {
            Some(Self::States)
        } else if has(&["completed", "actions"]) {
            Some(Self::Traces)
        } else if has(&["schema_version", "windows"]) || has(&["schema_version", "targets"]) {
            Some(Self::Targets)
        } else if has(&["header"]) || has(&["id"]) && any(&["point", "points", "box", "output", "refusal"]) {
            Some(Self::Predictions)
        } else {
            None
        }
    }

    /// The protocols that score against it, as they are named on the command line.
    pub fn protocols(self) -> &'static [&'static str] {
        match self {
            Self::Targets => &["click", "icons", "confidence"],
            Self::Tasks => &["sequence"],
            Self::TaskFolder => &["sequence", "click"],
            Self::States => &["state"],
            Self::StateFolder => &["state", "click"],
            Self::Traces => &["episode"],
            Self::Predictions => &[],
        }
    }
}
