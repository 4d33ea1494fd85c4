//! What lies in the folder, and what of it has been accounted for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use windesk_files::{MAX_PART_BYTES, Root};

use super::AuditReport;

/// Files of a dataset by path inside it, with `/` between names.
pub(super) struct Listing {
    root: PathBuf,
    /// Whether each file has been asked for.
    files: BTreeMap<String, bool>,
}

impl Listing {
    /// Lists the folder. Links and other things that are no plain files are findings, and are never opened.
    pub(super) fn of(root: &Path, report: &mut AuditReport) -> Self {
        let mut listing = Self { root: root.to_owned(), files: BTreeMap::new() };
        listing.walk(String::new(), report);
        report.files = listing.files.len() as u64;
        listing
    }

    fn walk(&mut self, prefix: String, report: &mut AuditReport) {
        let entries = match std::fs::read_dir(self.root.join(&prefix)) {
            Ok(entries) => entries,
            Err(error) => return report.find(prefix, error.to_string()),
        };
        for entry in entries {
            let kind = entry.as_ref().map_err(ToString::to_string).and_then(|e| e.file_type().map_err(|e| e.to_string()));
            let name = entry.as_ref().map(|e| format!("{prefix}{}", e.file_name().to_string_lossy())).unwrap_or_default();
            match kind {
                Ok(kind) if kind.is_dir() => self.walk(format!("{name}/"), report),
                Ok(kind) if kind.is_file() => drop(self.files.insert(name, false)),
                Ok(_) => report.find(name, "neither a file nor a folder"),
                Err(error) => report.find(name, error),
            }
        }
    }

    /// Accounts for a file that belongs to the dataset; a finding if it is not there.
    pub(super) fn claim(&mut self, name: &str, report: &mut AuditReport) -> bool {
        match self.files.get_mut(name) {
            Some(claimed) => {
                *claimed = true;
                true
            }
            None => {
                report.find(name, "missing");
                false
            }
        }
    }

    /// Accounts for a file and reads it.
    pub(super) fn read(&mut self, name: &str, report: &mut AuditReport) -> Option<Vec<u8>> {
        if !self.claim(name, report) {
            return None;
        }
        let read = Root::new(&self.root).read(name, MAX_PART_BYTES);
        read.map_err(|error| report.find(name, error.to_string())).ok()
    }

    /// Whether a file is there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Whether a file lies below this folder of the dataset.
    pub(super) fn has_folder(&self, name: &str) -> bool {
        let prefix = format!("{name}/");
        self.files.range(prefix.clone()..).next().is_some_and(|(file, _)| file.starts_with(&prefix))
    }

    /// Reports what nobody has asked for.
    pub(super) fn report_extra(&self, report: &mut AuditReport) {
        for (name, _) in self.files.iter().filter(|&(_, &claimed)| !claimed) {
            report.find(name, "not a file of this dataset");
        }
    }
}
