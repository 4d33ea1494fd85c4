//! The icon libraries of a pack (`icons/probe/`): drawings with names and checked synonyms, for icon probes.
//!
//! They are read when probes are made. Scenes of windows do not depend on them, so they have a digest of their own.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use windesk_model::Error;
use windesk_model::digest::hex_digest;

use super::Pack;

/// A library as written: `icons/probe/<library>.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeLibrary {
    /// Version of the file's form.
    pub format_version: u32,
    /// Its name; equal to the file's.
    pub library: String,
    /// SPDX expression.
    pub licence: String,
    /// Where the drawings come from.
    pub source: String,
    /// The icons.
    pub icons: Vec<ProbeIconRecord>,
}

/// An icon of a library as written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeIconRecord {
    /// Unique in its library.
    pub id: String,
    /// What it shows, where several icons show the same; its id otherwise.
    #[serde(default)]
    pub concept: Option<String>,
    /// Drawing style, where several icons show the same.
    #[serde(default)]
    pub style: Option<String>,
    /// What a person calls it, in lower case.
    pub name: String,
    /// Other names that fit this icon alone.
    pub synonyms: Vec<String>,
    /// Group of things, such as `food`.
    pub category: Option<String>,
    /// Who drew it, where the licence asks for the name.
    pub author: Option<String>,
    /// The drawing.
    pub svg: String,
}

const FORMAT_VERSION: u32 = 1;
/// Where neighbours of meaning are kept in a pack.
pub const MEANINGS: &str = "icons/probe/meanings.json";
const CONFUSABLE: &str = "icons/probe/confusable.json";
/// Files beside the libraries that are none.
const OTHERS: [&str; 2] = [CONFUSABLE, MEANINGS];

impl Pack {
    /// Names of the icon libraries, sorted.
    pub fn probe_libraries(&self) -> Vec<&str> {
        let names = self.files().names().filter_map(|n| n.strip_prefix("icons/probe/")?.strip_suffix(".json"));
        names.filter(|n| !n.contains('/') && !OTHERS.contains(&format!("icons/probe/{n}.json").as_str())).collect()
    }

    /// Reads a library and the SHA-256 of its file.
    ///
    /// # Errors
    /// If the pack has none of that name, or the file isn't in the form of `docs/pack.md`.
    pub fn probe_library(&self, name: &str) -> Result<(ProbeLibrary, String), Error> {
        let file = format!("icons/probe/{name}.json");
        let place = self.files().full_name(&file);
        if !self.files().has(&file) {
            let known = self.probe_libraries().join(", ");
            let found = if known.is_empty() { "no icon libraries".to_owned() } else { format!("the libraries {known}") };
            return Err(Error::file(self.files().place(), found, format!("the icon library `{name}`"))
                .with_hint("name a pack that has it with option `pack`, or a folder of icons with option `library` DIR"));
        }
        let bytes = self.files().read(&file)?;
        let library: ProbeLibrary =
            serde_json::from_slice(&bytes).map_err(|e| Error::file(&place, e, "the form described in docs/pack.md"))?;
        if library.format_version != FORMAT_VERSION {
            return Err(Error::file(
                &place,
                format!("format_version {}", library.format_version),
                format!("format_version {FORMAT_VERSION}"),
            ));
        }
        if library.library != name {
            return Err(Error::file(&place, format!("library `{}`", library.library), "the file's own name"));
        }
        let mut ids = BTreeSet::new();
        for icon in &library.icons {
            if !ids.insert(&icon.id) {
                return Err(Error::file(&place, format!("id `{}` twice", icon.id), "ids that differ"));
            }
            if icon.name.trim().is_empty() {
                return Err(Error::file(&place, format!("icon `{}` without a name", icon.id), "what a person calls it"));
            }
        }
        Ok((library, hex_digest(&bytes)))
    }

    /// Pairs of concepts that a person may take for each other, and the SHA-256 of their file.
    ///
    /// # Errors
    /// If the file can't be read; a pack without one has no such pairs.
    pub fn confusable_icons(&self) -> Result<(Vec<[String; 2]>, String), Error> {
        if !self.files().has(CONFUSABLE) {
            return Ok((Vec::new(), hex_digest(b"")));
        }
        let bytes = self.files().read(CONFUSABLE)?;
        let place = self.files().full_name(CONFUSABLE);
        let pairs = serde_json::from_slice(&bytes).map_err(|e| Error::file(&place, e, "a list of pairs of ids"))?;
        Ok((pairs, hex_digest(&bytes)))
    }
}
