//! What must survive a power cut: files and folders that the system is made to put on the disk.
//!
//! A file that was written lies in memory for half a minute, and its name in a folder too. Whoever calls something done
//! syncs its files, then the folders that name them, and only then says so, in a file that is synced as well.
//!
//! Syncing files one by one as they are made costs a commit of the file system's journal for each. So the disk begins
//! to take a file as soon as it is there, and nobody waits for it before something is to follow: then one commit holds
//! all files so far.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard};

use windesk_model::{Error, Result};

/// Threads that wait for the disk: it writes what several ask for in one go.
const SYNCING_THREADS: usize = 4;

/// Whether what is called done must survive a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// It is on the disk before it is called done.
    Synced,
    /// Nobody waits for the disk: for folders that can be made again.
    Scratch,
}

impl Durability {
    /// Puts the content of a file on the disk.
    fn sync_file(self, path: &Path) -> Result<()> {
        match self {
            Self::Synced => File::open(path).and_then(|file| file.sync_data()).map_err(|e| Error::io(path, e)),
            Self::Scratch => Ok(()),
        }
    }

    /// Puts the names in a folder on the disk.
    ///
    /// # Errors
    /// If the disk does not take them.
    pub fn sync_folder(self, path: &Path) -> Result<()> {
        match self {
            Self::Synced => sync_folder(path).map_err(|e| Error::io(path, e)),
            Self::Scratch => Ok(()),
        }
    }

    /// Makes a folder and those above it, with their names on the disk.
    ///
    /// # Errors
    /// If one can't be made.
    pub fn create_folder(self, path: &Path) -> Result<()> {
        let missing: Vec<&Path> = path.ancestors().filter(|p| !p.as_os_str().is_empty()).take_while(|p| !p.exists()).collect();
        std::fs::create_dir_all(path).map_err(|e| Error::io(path, e))?;
        missing.into_iter().rev().try_for_each(|made| self.sync_folder(parent(made)))
    }

    /// Puts all files and folders below a folder on the disk, and the folder itself; not its own name.
    ///
    /// # Errors
    /// If it can't be read, or the disk does not take it.
    pub fn sync_tree(self, root: &Path) -> Result<()> {
        if self == Self::Scratch {
            return Ok(());
        }
        let (mut files, mut folders) = (Vec::new(), vec![root.to_owned()]);
        let mut at = 0;
        while let Some(folder) = folders.get(at).cloned() {
            at += 1;
            for entry in std::fs::read_dir(&folder).map_err(|e| Error::io(&folder, e))? {
                let entry = entry.map_err(|e| Error::io(&folder, e))?;
                match entry.file_type().map_err(|e| Error::io(entry.path(), e))? {
                    kind if kind.is_dir() => folders.push(entry.path()),
                    kind if kind.is_file() => files.push(entry.path()),
                    _ => {}
                }
            }
        }
        in_background(self, |syncs| {
            files.into_iter().for_each(|file| syncs.file(file));
            Ok(())
        })?;
        folders.iter().try_for_each(|folder| self.sync_folder(folder))
    }
}

/// The folder that names this file.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    match File::open(path)?.sync_all() {
        // Some network file systems put names on the disk at once and know no other way.
        Err(e) if matches!(e.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        other => other,
    }
}

/// Other systems open no folders; theirs are journalled.
#[cfg(not(unix))]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Has the disk begin to take a file, and waits for nothing: a hint, whose failure [`Durability::sync_file`] tells.
#[cfg(target_os = "linux")]
fn begin(path: &Path) {
    if let Ok(file) = File::open(path) {
        // Linux writes what it is to forget, and forgets only what is written already.
        let _ = rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed);
    }
}

#[cfg(not(target_os = "linux"))]
fn begin(_path: &Path) {}

/// Something that is done once all files before it are on the disk.
type Then<'e> = Box<dyn FnOnce() -> Result<()> + Send + 'e>;

enum Task<'e> {
    File(PathBuf),
    Then(Then<'e>),
}

struct Queue<'e> {
    /// Files that the disk has not begun to take.
    fresh: VecDeque<PathBuf>,
    tasks: VecDeque<Task<'e>>,
    /// Those of the tasks that are no files.
    followers: usize,
    under_way: usize,
    closed: bool,
    error: Option<Error>,
}

/// Files on their way to the disk while others are being made.
pub struct Syncs<'e> {
    durability: Durability,
    queue: Mutex<Queue<'e>>,
    changed: Condvar,
}

/// Does `body`, whose files are put on the disk by other threads meanwhile, and waits for them.
///
/// # Errors
/// Those of `body`; else the first of a file or of what was to follow one.
pub fn in_background<'e, T>(durability: Durability, body: impl FnOnce(&Syncs<'e>) -> Result<T>) -> Result<T> {
    let queue = Queue { fresh: VecDeque::new(), tasks: VecDeque::new(), followers: 0, under_way: 0, closed: false, error: None };
    let syncs = Syncs { durability, queue: Mutex::new(queue), changed: Condvar::new() };
    let threads = if durability == Durability::Synced { SYNCING_THREADS } else { 0 };
    let value = std::thread::scope(|scope| {
        // Closed however `body` ends: the threads would wait for ever, and the scope for them.
        let _closing = Closing(&syncs);
        for _ in 0..threads {
            scope.spawn(|| syncs.work());
        }
        body(&syncs)
    })?;
    syncs.queue.into_inner().expect("no thread panics while it holds the queue").error.map_or(Ok(value), Err)
}

struct Closing<'s, 'e>(&'s Syncs<'e>);

impl Drop for Closing<'_, '_> {
    fn drop(&mut self) {
        self.0.locked().closed = true;
        self.0.changed.notify_all();
    }
}

impl<'e> Syncs<'e> {
    /// Puts a file on the disk: it begins to be written soon, and is there before what follows it.
    pub fn file(&self, path: PathBuf) {
        if self.durability == Durability::Synced {
            let mut queue = self.locked();
            queue.fresh.push_back(path.clone());
            queue.tasks.push_back(Task::File(path));
            drop(queue);
            self.changed.notify_one();
        }
    }

    /// Does something once all files so far are on the disk; nothing, once one has failed.
    ///
    /// # Errors
    /// The first so far.
    pub fn then(&self, then: impl FnOnce() -> Result<()> + Send + 'e) -> Result<()> {
        if self.durability == Durability::Scratch {
            return then();
        }
        let mut queue = self.locked();
        if let Some(error) = &queue.error {
            return Err(error.clone());
        }
        queue.tasks.push_back(Task::Then(Box::new(then)));
        queue.followers += 1;
        drop(queue);
        self.changed.notify_all();
        Ok(())
    }

    fn locked(&self) -> MutexGuard<'_, Queue<'e>> {
        self.queue.lock().expect("no thread panics while it holds the queue")
    }

    fn work(&self) {
        let mut queue = self.locked();
        loop {
            if let Some(path) = queue.fresh.pop_front() {
                drop(queue);
                begin(&path);
                queue = self.locked();
                continue;
            }
            let ready = match queue.tasks.front() {
                Some(Task::File(_)) => queue.followers > 0 || queue.closed,
                Some(Task::Then(_)) => queue.under_way == 0,
                None if queue.closed => return,
                None => false,
            };
            if !ready {
                queue = self.changed.wait(queue).expect("no thread panics while it holds the queue");
                continue;
            }
            let task = queue.tasks.pop_front().expect("there is one in front");
            queue.followers -= usize::from(matches!(task, Task::Then(_)));
            if queue.error.is_some() {
                continue;
            }
            queue.under_way += 1;
            drop(queue);
            let settled = Settled(self);
            let done = match task {
                Task::File(path) => self.durability.sync_file(&path),
                Task::Then(then) => then(),
            };
            if let Err(error) = done {
                self.locked().error.get_or_insert(error);
            }
            drop(settled);
            queue = self.locked();
        }
    }
}

/// A task is under way until this is dropped, even by a panic: others wait for it.
struct Settled<'s, 'e>(&'s Syncs<'e>);

impl Drop for Settled<'_, '_> {
    fn drop(&mut self) {
        self.0.locked().under_way -= 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn what_follows_files_waits_for_them_and_for_what_came_before() {
        let folder = tempfile::tempdir().unwrap();
        let order = Mutex::new(Vec::new());
        in_background(Durability::Synced, |syncs| {
            for part in 0..5 {
                for file in 0..20 {
                    let path = folder.path().join(format!("{part}-{file}"));
                    std::fs::write(&path, b"content").unwrap();
                    syncs.file(path);
                }
                syncs.then(|| {
                    let mut order = order.lock().unwrap();
                    let at = order.len();
                    order.push(at);
                    Ok(())
                })?;
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_file_that_fails_keeps_what_follows_from_being_done() {
        let folder = tempfile::tempdir().unwrap();
        let done = AtomicUsize::new(0);
        let failed = in_background(Durability::Synced, |syncs| {
            syncs.file(folder.path().join("missing"));
            syncs.then(|| {
                done.fetch_add(1, Ordering::Relaxed);
                Ok(())
            })
        });
        let error = failed.unwrap_err();
        assert!(error.place.ends_with("missing"), "{error}");
        assert_eq!(done.load(Ordering::Relaxed), 0);
    }

    /// A file that is waited for alone costs as much as a hundred that are waited for together.
    #[test]
    fn nobody_waits_for_a_file_that_nothing_follows() {
        let folder = tempfile::tempdir().unwrap();
        in_background(Durability::Synced, |syncs| {
            let paths: Vec<PathBuf> = (0..100).map(|file| folder.path().join(file.to_string())).collect();
            // Whoever waited for one now would not find it.
            paths.iter().for_each(|path| syncs.file(path.clone()));
            std::thread::sleep(std::time::Duration::from_millis(50));
            paths.iter().for_each(|path| std::fs::write(path, b"content").unwrap());
            syncs.then(|| Ok(()))
        })
        .unwrap();
    }

    #[test]
    fn an_error_of_the_body_ends_the_threads() {
        let failed = in_background(Durability::Synced, |_| Err::<(), _>(Error::path("a", "broken")));
        assert_eq!(failed.unwrap_err().place, "a");
    }

    #[test]
    fn on_scratch_disks_all_is_done_at_once() {
        let done = AtomicUsize::new(0);
        in_background(Durability::Scratch, |syncs| {
            syncs.file(PathBuf::from("missing"));
            syncs.then(|| {
                done.fetch_add(1, Ordering::Relaxed);
                Ok(())
            })?;
            assert_eq!(done.load(Ordering::Relaxed), 1);
            Ok(())
        })
        .unwrap();
    }

    #[test]
    fn folders_are_made_with_those_above() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b/c");
        for _ in 0..2 {
            Durability::Synced.create_folder(&deep).unwrap();
        }
        std::fs::write(deep.join("file"), b"content").unwrap();
        Durability::Synced.sync_tree(folder.path()).unwrap();
        assert!(Durability::Synced.sync_tree(&folder.path().join("missing")).is_err());
    }
}
