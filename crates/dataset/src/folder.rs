//! The output folder: whose it is, who may write to it now, and what is complete in it.
//!
//! What is written here follows one order: files and folders of a part are on the disk before its marker is, all parts
//! before the manifest. A marker or a record of the run that can't be read was never on the disk: it counts as missing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use windesk_engine::study::Rejection;
use windesk_files::{
    Durability, Lock, MAX_WHOLE_BYTES, Root, in_background, left_over_of, remove_left_overs, write_unsynced, write_whole,
};
use windesk_model::Error;
use windesk_model::digest::hex_digest;

use super::assets::AssetKey;
use super::audit::open_manifest;
use super::stats::Stats;

/// Everything that the program writes at the top of a dataset.
const OWN_ENTRIES: [&str; 14] = [
    "croissant.json",
    "README.md",
    "manifest.json",
    "run.json",
    "stats.json",
    "annotations",
    "scenes",
    "plans",
    "tasks",
    "states",
    "images",
    "overlays",
    "rejections.jsonl",
    WORK,
];
/// Working files while a run is under way.
const WORK: &str = ".windesk";
/// Among them: which run is under way, and the lock.
const RUN: &str = "run.json";
const LOCK: &str = "lock";

/// There while `force` removes an earlier run: whoever finds it goes on removing.
const CLEARING: &str = "clearing";

/// An output folder that this process alone may write to.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    identity: String,
    durability: Durability,
    _lock: Lock,
}

/// What a finished part adds to the whole. Its presence marks the part as complete.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartMarker {
    pub(super) first: u64,
    pub(super) count: u64,
    pub(super) scenes_sha256: String,
    pub(super) annotations_sha256: String,
    pub(super) plans_sha256: String,
    #[serde(default)]
    pub(super) tasks_sha256: String,
    #[serde(default)]
    pub(super) states_sha256: String,
    pub(super) images_sha256: String,
    pub(super) stats: Stats,
    pub(super) rejections: Vec<Rejection>,
    pub(super) holes: Vec<u64>,
    pub(super) shown: BTreeSet<AssetKey>,
}

/// The file that marks a part as complete.
#[derive(Serialize, Deserialize)]
struct Marker {
    /// The run that it is a part of.
    identity: String,
    /// Whether the files were on the disk before the marker was; else their sizes prove nothing.
    synced: bool,
    /// The part's files by their paths in the dataset.
    files: BTreeMap<String, PartFileFacts>,
    part: PartMarker,
}

/// By which a file of a part is known to be whole.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartFileFacts {
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

/// Whether there is something left to do.
pub(super) enum Opened {
    /// The folder is this run's, new or interrupted.
    ToDo(Folder),
    /// The same run has been completed before.
    Complete,
}

impl Folder {
    /// Opens the folder for the run that `identity` describes.
    ///
    /// # Errors
    /// If it holds something else, another process writes to it, or it can't be written to. Nothing is changed then.
    /// What a killed run left half written is no such thing: it is removed.
    pub(super) fn open(root: &Path, identity: &str, force: bool, durability: Durability) -> Result<Opened, Error> {
        durability.create_folder(root).map_err(|e| Error::path(root, format!("can't make the folder: {}", e.found)))?;
        let entries = std::fs::read_dir(root).map_err(|e| Error::io(root, e))?;
        let foreign = entries.filter_map(Result::ok).map(|e| e.file_name()).find(|name| !name.to_str().is_some_and(is_own));
        if let Some(name) = foreign {
            let name = name.display();
            return Err(Error::path(root, format!("found `{name}`, expected an empty folder or a dataset of windesk"))
                .with_hint("give another option `out`"));
        }
        if !force {
            // Before a lock is made: a complete dataset of another run stays as it is.
            refuse_other_run(root, identity)?;
        }
        let folder = Self { root: root.to_owned(), identity: identity.to_owned(), durability, _lock: lock(root)? };
        let clearing = folder.path(WORK).join(CLEARING);
        if force {
            write_whole(&clearing, b"")?;
        }
        if clearing.exists() {
            folder.clear()?;
        }
        // Again, now that nobody else can write here.
        let is_complete = refuse_other_run(root, identity)?;
        remove_left_overs(root)?;
        if is_complete {
            // Killed right after the manifest got its name, which may not be on the disk.
            durability.sync_folder(root)?;
            folder.finish()?;
            return Ok(Opened::Complete);
        }
        let work = folder.path(WORK);
        remove_left_overs(&work)?;
        durability.sync_folder(root)?;
        if identity_in(&work, RUN).is_none() {
            durability.write_whole(&work.join(RUN), serde_json::json!({ "identity": identity }).to_string().as_bytes())?;
        }
        for name in ["annotations", "plans", "images"] {
            std::fs::create_dir_all(folder.path(name)).map_err(|e| Error::io(folder.path(name), e))?;
        }
        durability.sync_folder(root)?;
        Ok(Opened::ToDo(folder))
    }

    /// Takes away the working files of a run that was killed when all else in the folder was done.
    ///
    /// # Errors
    /// Those of [`Self::open`].
    pub(super) fn tidy(root: &Path, identity: &str, durability: Durability) -> Result<(), Error> {
        if root.join(WORK).exists() {
            Self::open(root, identity, false, durability)?;
        }
        Ok(())
    }

    /// A path in the dataset.
    pub(super) fn path(&self, inside: impl AsRef<Path>) -> PathBuf {
        self.root.join(inside)
    }

    fn marker_path(&self, part: u64) -> PathBuf {
        self.path(marker_name(part))
    }

    /// The marker of a part that is complete: one that can be read, of this run, and whose files are what it says.
    pub(super) fn marker(&self, number: u64) -> Result<Option<PartMarker>, Error> {
        let Some(bytes) = Root::new(&self.root).read_if_any(marker_name(number), MAX_WHOLE_BYTES)? else { return Ok(None) };
        let Ok(Marker { identity, synced, files, part }) = serde_json::from_slice(&bytes) else { return Ok(None) };
        let is_whole = identity == self.identity && files.iter().all(|(name, facts)| facts.hold(&self.path(name), synced));
        if is_whole && !synced && self.durability == Durability::Synced {
            // Made by a run that did not wait for the disk; this one promises more.
            in_background(self.durability, |syncs| {
                files.keys().for_each(|name| syncs.file(self.path(name)));
                Ok(())
            })?;
            self.mark(number, part.clone(), files)?;
        }
        Ok(is_whole.then_some(part))
    }

    /// Takes the marker of a part away that is made again: what it says does not hold meanwhile.
    pub(super) fn unmark(&self, part: u64) -> Result<(), Error> {
        let path = self.marker_path(part);
        match std::fs::remove_file(&path) {
            Ok(()) => self.durability.sync_folder(&self.path(WORK)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(e) => Err(Error::io(&path, e)),
        }
    }

    /// Marks a part as complete, whose files are on the disk, once the folders that name them are too.
    pub(super) fn mark(&self, part: u64, marker: PartMarker, files: BTreeMap<String, PartFileFacts>) -> Result<(), Error> {
        let folders: BTreeSet<&Path> = files.keys().flat_map(|name| Path::new(name).ancestors().skip(1)).collect();
        folders.into_iter().try_for_each(|folder| self.durability.sync_folder(&self.path(folder)))?;
        let synced = self.durability == Durability::Synced;
        let marker = Marker { identity: self.identity.clone(), synced, files, part: marker };
        self.durability.write_whole(&self.marker_path(part), serde_json::to_string(&marker).expect("plain data").as_bytes())
    }

    /// Writes the files that conclude a dataset; the last one, which makes it complete, when all others are on the
    /// disk.
    pub(super) fn conclude(&self, files: &[(&str, Vec<u8>)]) -> Result<(), Error> {
        let Some(((last, bytes), others)) = files.split_last() else { return Ok(()) };
        for (name, bytes) in others {
            write_unsynced(&self.path(name), bytes)?;
        }
        in_background(self.durability, |syncs| {
            others.iter().for_each(|(name, _)| syncs.file(self.path(name)));
            Ok(())
        })?;
        self.durability.sync_folder(&self.root)?;
        self.durability.write_whole(&self.path(last), bytes)
    }

    /// Takes the working files away once the manifest is there.
    pub(super) fn finish(&self) -> Result<(), Error> {
        let work = self.path(WORK);
        match std::fs::remove_dir_all(&work) {
            // Another process waits to see that there is nothing left to do, and takes the folder away.
            Err(e) if e.kind() == std::io::ErrorKind::DirectoryNotEmpty => Ok(()),
            other => other.map_err(|e| Error::io(&work, e)),
        }
    }

    /// Removes what an earlier run has written, and nothing else; the lock stays.
    fn clear(&self) -> Result<(), Error> {
        let work = self.path(WORK);
        let markers = std::fs::read_dir(&work).map_err(|e| Error::io(&work, e))?;
        let markers = markers.filter_map(Result::ok).map(|e| e.path());
        let markers = markers.filter(|p| !p.ends_with(LOCK) && !p.ends_with(CLEARING));
        let entries = OWN_ENTRIES.iter().filter(|&&name| name != WORK).map(|name| self.path(name));
        for path in markers.chain(entries).chain([work.join(CLEARING)]) {
            let removed = if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
            match removed {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(Error::path(&path, e)),
                _ => {}
            }
        }
        Ok(())
    }
}

impl PartFileFacts {
    /// Whether this is the file. Where it was on the disk before its marker was, its size tells; else a file may have
    /// its size and nothing in it.
    fn hold(&self, path: &Path, synced: bool) -> bool {
        let is_as_large = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() == self.bytes);
        is_as_large && (synced || std::fs::read(path).is_ok_and(|bytes| hex_digest(&bytes) == self.sha256))
    }
}

/// Locks a dataset in its working folder, which is made.
fn lock(root: &Path) -> Result<Lock, Error> {
    let work = root.join(WORK);
    loop {
        std::fs::create_dir_all(&work).map_err(|e| Error::io(&work, e))?;
        match Lock::take(&work.join(LOCK), root) {
            // Another process has just finished, and removed the folder.
            Err(_) if !work.exists() => {}
            taken => return taken,
        }
    }
}

/// The finished dataset that a whole path, without links, would be one of the program's own files or folders of; none
/// for any other place.
pub fn dataset_of(path: &Path) -> Option<PathBuf> {
    let is_of = |folder: &&Path| {
        let entry = path.strip_prefix(folder).ok().and_then(|inside| inside.components().next());
        entry.is_some_and(|entry| entry.as_os_str().to_str().is_some_and(is_own)) && open_manifest(folder).is_ok()
    };
    path.ancestors().skip(1).find(is_of).map(Path::to_owned)
}

/// Whether the program wrote this at the top of a dataset, or was about to when it was killed.
fn is_own(name: &str) -> bool {
    OWN_ENTRIES.contains(&left_over_of(name).unwrap_or(name))
}

/// Refuses a folder that another run has completed or begun; says whether this one has completed it.
fn refuse_other_run(root: &Path, identity: &str) -> Result<bool, Error> {
    let (manifest, work) = (root.join("manifest.json"), root.join(WORK));
    let held = identity_in(root, "manifest.json");
    // One that can't be read says nothing; then the run that wrote it is known by its working files.
    let begun = || {
        let markers = std::fs::read_dir(&work).into_iter().flatten().flatten().map(|entry| PathBuf::from(entry.file_name()));
        let mut markers = markers.filter(|name| name.extension().is_some_and(|e| e == "json"));
        identity_in(&work, RUN).or_else(|| markers.find_map(|name| identity_in(&work, name)))
    };
    let known = held.clone().or_else(begun);
    match known {
        Some(other) if other != identity => {
            Err(Error::path(root, "holds another run: its pack, conditions, seed, count, range or format differ")
                .with_hint("give another option `out`, or option `force` to start over"))
        }
        None if manifest.exists() => {
            Err(Error::path(&manifest, "found something else, expected the record of a run")
                .with_hint("option `force` starts over"))
        }
        _ => Ok(held.is_some()),
    }
}

/// A part's marker in the dataset.
fn marker_name(part: u64) -> String {
    format!("{WORK}/part-{part:05}.json")
}

/// The run that a file in a folder belongs to, if it is there and whole.
fn identity_in(folder: &Path, name: impl AsRef<Path>) -> Option<String> {
    #[derive(Deserialize)]
    struct Identity {
        identity: String,
    }
    let held: Identity = serde_json::from_slice(&Root::new(folder).read(name, MAX_WHOLE_BYTES).ok()?).ok()?;
    Some(held.identity)
}
