//! Whether the files of a pack are still what they were, told by what the file system says of them.

use std::fs::Metadata;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use windesk_model::digest::hex;
use windesk_model::split::Split;

use super::files::PackFiles;
use super::read::is_read_at_opening;

/// Stands for all that opening a pack reads: the names of its files, and for those that are read then their sizes and
/// when they were last changed. Whoever writes to a file, or puts another in its place, changes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FilesState {
    pub(super) digest: [u8; 32],
    root: PathBuf,
    /// Seconds since 1970.
    last_change: i64,
}

/// A file that was changed twice within so many seconds may look the same after both. Clocks of file systems differ
/// from ours by less.
const UNSETTLED_SECONDS: i64 = 3;

impl FilesState {
    /// Of a pack that is a folder. An archive is read whole anyway.
    pub(super) fn of(files: &PackFiles) -> Option<Self> {
        let root = std::fs::canonicalize(files.place()).ok().filter(|root| root.is_dir())?;
        let mut digest = Sha256::new();
        let mut last_change = 0;
        digest.update(root.as_os_str().as_encoded_bytes());
        for name in files.names() {
            digest.update((name.len() as u64).to_le_bytes());
            digest.update(name);
            if is_read_at_opening(name) {
                let found = std::fs::symlink_metadata(files.on_disk(name)?).ok()?;
                let changes = changes(&found);
                last_change = changes.iter().fold(last_change, |last, &[seconds, _]| last.max(seconds));
                digest.update(found.len().to_le_bytes());
                changes.iter().flatten().for_each(|value| digest.update(value.to_le_bytes()));
            }
        }
        Some(Self { digest: digest.finalize().into(), root, last_change })
    }

    /// Stands for a part of the pack that is in this state.
    pub(super) fn of_part(&self, split: Split) -> [u8; 32] {
        Sha256::new().chain_update(self.digest).chain_update("split").chain_update(split.name()).finalize().into()
    }

    /// Names the folder of the pack.
    pub(super) fn root_digest(&self) -> String {
        hex(&Sha256::digest(self.root.as_os_str().as_encoded_bytes()))
    }

    /// Whether the last change lies so far back that another would show.
    #[allow(clippy::disallowed_methods, reason = "whether something is kept for the next run reaches no scene")]
    pub(super) fn is_settled(&self) -> bool {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.is_ok_and(|now| self.last_change.saturating_add(UNSETTLED_SECONDS) < now.as_secs().cast_signed())
    }
}

/// When contents and entry of a file were last changed: seconds and nanoseconds.
#[cfg(unix)]
fn changes(found: &Metadata) -> [[i64; 2]; 2] {
    use std::os::unix::fs::MetadataExt;
    [[found.mtime(), found.mtime_nsec()], [found.ctime(), found.ctime_nsec()]]
}

#[cfg(not(unix))]
fn changes(found: &Metadata) -> [[i64; 2]; 2] {
    let since_1970 = found.modified().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    let at = since_1970.map_or([i64::MAX, 0], |at| [at.as_secs().cast_signed(), i64::from(at.subsec_nanos())]);
    [at, at]
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn state(root: &std::path::Path) -> FilesState {
        FilesState::of(&PackFiles::folder(root, None).expect("a folder")).expect("plain files")
    }

    #[test]
    #[cfg(unix)]
    fn whatever_opening_reads_tells_its_changes() {
        let root = tempfile::tempdir().expect("room");
        let read = [
            "pack.json",
            "sessions/a.json",
            "windows/a/program.json",
            "windows/a/one.json",
            "windows/a/transitions.jsonl",
            "windows/a/instructions.jsonl",
            "windows/a/evidence.jsonl",
            "windows/a/competitors.jsonl",
            "wallpapers/wallpapers.json",
            "icons/icons.json",
            "fonts/fonts.json",
            "index/index.json",
            "index/vectors.i8",
        ];
        let later = ["windows/a/0123456789abcdef.webp", "windows/a/0123456789abcdef.jsonl", "icons/a.svg", "icons/probe/a.json"];
        for name in read.iter().chain(&later) {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("room");
            fs::write(path, name).expect("room");
        }
        let mut before = state(root.path());
        assert_eq!(before, state(root.path()));
        assert!(!before.is_settled(), "files have just been written");
        let mut differs = |what: &str, wanted: bool| {
            let now = state(root.path());
            assert_eq!(now != before, wanted, "{what}");
            before = now;
        };
        // File systems tell times to a few milliseconds.
        let wait = || std::thread::sleep(std::time::Duration::from_millis(30));
        for (name, wanted) in read.iter().map(|name| (name, true)).chain(later.iter().map(|name| (name, false))) {
            let path = root.path().join(name);
            wait();
            fs::write(&path, name.to_uppercase()).expect("room");
            differs(name, wanted);
            fs::remove_file(&path).expect("there");
            differs(name, true);
            fs::write(&path, name).expect("room");
            differs(name, true);
        }
        let moved = root.path().join("windows/a/two.json");
        fs::rename(root.path().join("windows/a/one.json"), moved).expect("room");
        differs("another name", true);
    }

    #[test]
    fn the_same_files_in_another_place_are_another_pack() {
        let [one, other] = [tempfile::tempdir().expect("room"), tempfile::tempdir().expect("room")];
        assert_ne!(state(one.path()), state(other.path()));
        assert_ne!(state(one.path()).root_digest(), state(other.path()).root_digest());
        assert!(state(one.path()).is_settled(), "of a folder without files nothing was changed");
        assert!(FilesState::of(&PackFiles::in_memory("a.tar", Default::default())).is_none());
    }
}
