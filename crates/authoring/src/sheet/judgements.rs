//! Sheets on which pairs are judged yes or no: the form of their pages, and the answers that come back.

use std::collections::BTreeMap;

use serde::Serialize;

use windesk_model::Error;

/// The sheet of a page as JSON beside its picture.
#[derive(Serialize)]
pub(super) struct PairSheet<'a> {
    pub(super) sheet: &'static str,
    pub(super) picture: &'a str,
    pub(super) pairs: [&'a str; 0],
}

/// What readers said, by key, with the file that says it.
pub(super) struct Judgements<'f>(BTreeMap<String, (&'f str, bool)>);

impl<'f> Judgements<'f> {
    /// Reads files, names with contents: JSON objects from keys to true or false.
    pub(super) fn read(files: &'f [(String, Vec<u8>)]) -> Result<Self, Vec<Error>> {
        let mut errors = Vec::new();
        let mut answers: BTreeMap<String, (&str, bool)> = BTreeMap::new();
        for (place, bytes) in files {
            match serde_json::from_slice::<BTreeMap<String, bool>>(bytes) {
                Err(e) => errors.push(Error::file(place, e, "an object from keys to true or false")),
                Ok(judged) => {
                    for (key, yes) in judged {
                        if let Some((earlier, _)) = answers.insert(key.clone(), (place, yes)) {
                            let found = format!("a second answer, the first in {earlier}");
                            errors.push(Error::file(format!("{place}: {key}"), found, "one answer per pair"));
                        }
                    }
                }
            }
        }
        if errors.is_empty() { Ok(Self(answers)) } else { Err(errors) }
    }

    /// The answer about a pair, once.
    pub(super) fn take(&mut self, key: &str) -> Option<bool> {
        self.0.remove(key).map(|(_, yes)| yes)
    }

    /// What is left: answers that no pair of the pack has.
    pub(super) fn stale(self) -> Vec<String> {
        self.0.into_iter().map(|(key, (place, _))| format!("{place}: {key}: the pack has no such pair")).collect()
    }
}
