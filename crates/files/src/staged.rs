//! A folder that appears whole or not at all: written beside its place under another name, then renamed. One process at
//! a time writes it.
//!
//! Beside a place `NAME` lie `.NAME.lock.tmp`, `.NAME.new.tmp` and, while it is replaced, `.NAME.old.tmp`. A killed
//! process leaves them; the next one to write the place takes them away.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use windesk_model::Error;

use crate::durable::{Durability, parent};
use crate::lock::Lock;

/// What a place must be.
const FREE: &str = "a new or an empty folder";

/// A folder being written. Dropped before [`Self::commit`], it leaves nothing behind.
#[derive(Debug)]
pub struct StagedFolder {
    place: PathBuf,
    staging: PathBuf,
    replaced: PathBuf,
    durability: Durability,
    /// Released after the folder was tidied up.
    _lock: Lock,
}

/// What may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replace {
    /// Nothing: the place must be free or an empty folder.
    Nothing,
    /// A folder that holds this file, by which one knows an earlier result of the same command.
    HoldingFile(&'static str),
}

impl StagedFolder {
    /// Prepares to write `place`. What a killed process left of the same work is taken away first.
    ///
    /// # Errors
    /// If something is there that may not be replaced, another process is writing it, or the parent folder can't be
    /// written to.
    pub fn new(place: &Path, replace: Replace) -> Result<Self, Error> {
        let shown = place.display().to_string();
        let name = place.file_name().ok_or_else(|| Error::file(&shown, "a place without a name", FREE))?;
        let unwritable = |path: &Path, e: std::io::Error| Error::file(path.display().to_string(), e, "a place to write to");
        let beside = |ending: &str| {
            let mut hidden = OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{ending}.tmp"));
            place.with_file_name(hidden)
        };
        let [lock, staging, replaced] = [beside("lock"), beside("new"), beside("old")];
        if !lock.exists() {
            // What may not be replaced stays as it is, and nothing is made beside it.
            check_free(place, replace)?;
        }
        Durability::Synced.create_folder(parent(place))?;
        let lock = Lock::take(&lock, place)?;
        if replaced.is_dir() && !place.exists() {
            // Killed between two renames: what was there before is not lost.
            std::fs::rename(&replaced, place).map_err(|e| unwritable(place, e))?;
        }
        for left_over in [&staging, &replaced] {
            remove_folder(left_over).map_err(|e| unwritable(left_over, e))?;
        }
        check_free(place, replace)?;
        std::fs::create_dir(&staging).map_err(|e| unwritable(&staging, e))?;
        Ok(Self { place: place.to_owned(), staging, replaced, durability: Durability::Synced, _lock: lock })
    }

    /// The same, and whether it is to survive a power cut; it is, unless told.
    #[must_use]
    pub fn with_durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Writes a file; `name` is its path inside the folder.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.staging.join(name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, bytes));
        made.map_err(|e| Error::file(self.place.join(name).display().to_string(), e, "a file that can be written"))
    }

    /// Where the files are until [`Self::commit`].
    pub fn path(&self) -> &Path {
        &self.staging
    }

    /// An error about a file that is still staged, as one about its place.
    pub fn in_its_place(&self, mut error: Error) -> Error {
        error.place = error.place.replace(&self.staging.display().to_string(), &self.place.display().to_string());
        error
    }

    /// Puts the folder in its place, with all that is in it on the disk.
    ///
    /// # Errors
    /// If it can't be synced or renamed; what was there before is put back then.
    pub fn commit(self) -> Result<(), Error> {
        let failed = |e: std::io::Error| Error::file(self.place.display().to_string(), e, "a place that can be renamed to");
        self.durability.sync_tree(&self.staging).map_err(|e| self.in_its_place(e))?;
        let had_one = self.place.exists();
        if had_one {
            std::fs::rename(&self.place, &self.replaced).map_err(failed)?;
        }
        if let Err(error) = std::fs::rename(&self.staging, &self.place) {
            if had_one {
                std::fs::rename(&self.replaced, &self.place).map_err(failed)?;
            }
            return Err(failed(error));
        }
        self.durability.sync_folder(parent(&self.place))?;
        remove_folder(&self.replaced).map_err(failed)
    }
}

impl Drop for StagedFolder {
    fn drop(&mut self) {
        // After a commit there is nothing here any more; after an error the error says more than a failure to tidy up.
        let _ = remove_folder(&self.staging);
    }
}

fn remove_folder(path: &Path) -> std::io::Result<()> {
    match std::fs::remove_dir_all(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Whether a place is free, or may be replaced.
fn check_free(place: &Path, replace: Replace) -> Result<(), Error> {
    let shown = place.display().to_string();
    match std::fs::symlink_metadata(place) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(Error::file(&shown, e, FREE)),
        Ok(found) if !found.is_dir() => return Err(Error::file(&shown, "a file or link", FREE)),
        Ok(_) => {}
    }
    let is_empty = std::fs::read_dir(place).map_err(|e| Error::file(&shown, e, FREE))?.next().is_none();
    match replace {
        _ if is_empty => Ok(()),
        Replace::HoldingFile(marker) if place.join(marker).is_file() => Ok(()),
        Replace::HoldingFile(marker) => {
            let hint = format!("a folder is only replaced if it holds {marker}; give another option `out`");
            Err(Error::file(&shown, "a folder with other files", FREE).with_hint(hint))
        }
        Replace::Nothing => Err(Error::file(&shown, "a folder with files", FREE).with_hint("give another option `out`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::names;

    #[test]
    fn two_at_once_do_not_tear_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("out");
        let first = StagedFolder::new(&place, Replace::Nothing).unwrap();
        first.write("a/b.txt", b"first").unwrap();
        let refused = StagedFolder::new(&place, Replace::Nothing).unwrap_err().to_string();
        assert!(refused.contains("another process is writing to this folder"), "{refused}");
        first.commit().unwrap();
        assert_eq!(
            (names(folder.path()), std::fs::read(place.join("a/b.txt")).unwrap()),
            (vec!["out".to_owned()], b"first".to_vec())
        );
    }

    #[test]
    fn what_a_killed_process_left_is_taken_away() {
        for left in [&[".out.new.tmp"][..], &[".out.new.tmp", ".out.old.tmp"]] {
            let folder = tempfile::tempdir().unwrap();
            let place = folder.path().join("out");
            std::fs::write(folder.path().join(".out.lock.tmp"), b"").unwrap();
            for name in left {
                std::fs::create_dir(folder.path().join(name)).unwrap();
                std::fs::write(folder.path().join(name).join("marker"), name).unwrap();
            }
            // Killed between two renames: what was there before is there again.
            let staged = StagedFolder::new(&place, Replace::HoldingFile("marker")).unwrap();
            let before = std::fs::read_to_string(place.join("marker")).ok();
            assert_eq!(before.as_deref(), (left.len() == 2).then_some(".out.old.tmp"));
            staged.write("marker", b"new").unwrap();
            staged.commit().unwrap();
            assert_eq!((names(folder.path()), names(&place)), (vec!["out".to_owned()], vec!["marker".to_owned()]));
            assert_eq!(std::fs::read(place.join("marker")).unwrap(), b"new");
        }
    }

    #[test]
    fn what_is_not_committed_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("out");
        drop(StagedFolder::new(&place, Replace::Nothing).unwrap());
        assert!(names(folder.path()).is_empty());
        std::fs::create_dir(&place).unwrap();
        std::fs::write(place.join("thesis.txt"), b"years of work").unwrap();
        StagedFolder::new(&place, Replace::Nothing).unwrap_err();
        assert_eq!(names(folder.path()), ["out"]);
    }
}
