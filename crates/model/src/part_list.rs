//! The parts of a finished dataset as its manifest lists them, and how many lines each of their files has.
//!
//! Files of lines can be cut at the end of a line, and each of what is left is sound: the manifest alone tells.

use std::path::Path;

use serde::Deserialize;

use crate::error::Error;
use crate::plural::counted;

/// A part, as far as the length of its files follows from it.
#[derive(Clone, Debug, Deserialize)]
pub struct Part {
    /// `part-00000`.
    pub name: String,
    /// First index.
    pub first: u64,
    /// Number of samples.
    pub count: u64,
}

/// All parts of a dataset.
#[derive(Clone, Debug, Deserialize)]
pub struct PartList {
    /// In order.
    #[serde(rename = "shards")]
    pub parts: Vec<Part>,
    /// Indices that the dataset covers, `[first, one past the last]`.
    pub range: [u64; 2],
    /// Indices that gave no sample.
    pub holes: Vec<u64>,
}

impl Part {
    /// Its number, by which files are named: no name of a manifest leads out of a folder.
    pub fn number(&self) -> Option<u64> {
        self.name.strip_prefix("part-")?.parse().ok()
    }
}

impl PartList {
    /// Lines of a part's file in the folder `kind`: one per sample, and in `tasks` one per index that gave samples.
    /// `None` for files whose lines the manifest does not tell, such as annotations: one per target.
    pub fn lines(&self, part: usize, kind: &str) -> Option<u64> {
        let Part { first, count, .. } = *self.parts.get(part)?;
        match kind {
            "scenes" | "plans" | "states" => Some(count),
            "tasks" => {
                let end = self.parts.get(part + 1).map_or(self.range[1], |next| next.first);
                let holes = self.holes.iter().filter(|hole| (first..end).contains(hole)).count() as u64;
                Some(end.saturating_sub(first).saturating_sub(holes))
            }
            _ => None,
        }
    }

    /// Compares the lines of a part's file with those that it must have.
    ///
    /// # Errors
    /// If there are fewer or more.
    pub fn check_lines(&self, part: usize, kind: &str, file: &Path, found: u64) -> Result<(), Error> {
        match self.lines(part, kind) {
            Some(expected) if expected != found => {
                let problem = format!("found {}, expected {expected} as its manifest.json says", counted(found, "line"));
                Err(Error::path(file, problem).with_hint(VERIFY))
            }
            _ => Ok(()),
        }
    }
}

/// What to do about a dataset whose files are not those of its manifest.
pub const VERIFY: &str = "`windesk verify` says what is wrong with the dataset";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_and_the_next_part_decide_how_many_tasks_there_are() {
        let part = |name: &str, first, count| Part { name: name.to_owned(), first, count };
        let parts = vec![part("part-00003", 90, 70), part("part-00004", 120, 25)];
        let list = PartList { parts, range: [90, 130], holes: vec![95, 119, 120] };
        assert_eq!([0, 1].map(|at| list.lines(at, "tasks")), [Some(28), Some(9)]);
        assert_eq!([0, 1].map(|at| list.lines(at, "scenes")), [Some(70), Some(25)]);
        assert_eq!((list.lines(0, "annotations"), list.lines(2, "plans")), (None, None));
        assert_eq!(list.parts[1].number(), Some(4));
        let error = list.check_lines(1, "states", Path::new("states/part-00004.jsonl"), 1).unwrap_err().to_string();
        assert!(error.starts_with("states/part-00004.jsonl: found 1 line, expected 25 as its manifest.json says"), "{error}");
    }
}
