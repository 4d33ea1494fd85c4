//! How many files of kept pictures may be open at once.
//!
//! A scene reads from some thirty pictures, a bit here and a bit there. Their files stay open for the scenes to come
//! as long as there is room. With many threads, or where the system allows few open files, those above the limit are
//! opened for one reading at a time.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Most that stay open, where the system allows enough.
const MAX_OPEN: usize = 8192;

/// At least as many are left to scenes in the making when files wait for others: six threads need them.
const MIN_LEFT: usize = 256;

/// How many are open that may stay open.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// A file, and whether it counts among those that may stay open.
#[derive(Debug)]
pub(super) struct OpenFile {
    file: File,
    is_counted: bool,
}

impl OpenFile {
    /// Opens a file for reading.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        let is_counted = OPEN.fetch_update(Relaxed, Relaxed, |open| (open < limit()).then_some(open + 1)).is_ok();
        // Counted before it is opened, so that it is taken off again if it can't be.
        match File::open(path) {
            Ok(file) => Ok(Self { file, is_counted }),
            Err(error) => {
                if is_counted {
                    OPEN.fetch_sub(1, Relaxed);
                }
                Err(error)
            }
        }
    }

    pub(super) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Whether it may be kept for the next reading.
    pub(super) fn may_stay_open(&self) -> bool {
        self.is_counted
    }

    /// Whether it may wait for the next scene, and leaves room for those that are being made.
    pub(super) fn may_wait(&self) -> bool {
        let left = (limit() / 4).max(MIN_LEFT);
        self.is_counted && OPEN.load(Relaxed) + left <= limit()
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        if self.is_counted {
            OPEN.fetch_sub(1, Relaxed);
        }
    }
}

/// Half of what the system allows: the rest is for outputs, packs and whoever else is in the process.
fn limit() -> usize {
    static LIMIT: OnceLock<usize> = OnceLock::new();
    *LIMIT.get_or_init(|| allowed().map_or(MAX_OPEN, |allowed| (allowed / 2).min(MAX_OPEN)))
}

#[cfg(unix)]
fn allowed() -> Option<usize> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current.map(|allowed| allowed as usize)
}

#[cfg(not(unix))]
fn allowed() -> Option<usize> {
    None
}
