//! Single files: written under a temporary name in the same folder and then renamed, so that no partial file looks
//! whole.
//!
//! Several processes may write the same file at once: each has a temporary name of its own, and whoever is last wins. A
//! killed process leaves its temporary file behind. A living one holds a lock on its own, by which the two are told
//! apart when [`remove_left_overs`] takes such files away.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::NamedTempFile;

use windesk_model::{Error, Result};

use crate::durable::{Durability, parent};
use crate::lock::is_at;

/// Bytes that are written to a file at once.
pub const PIECE_BYTES: usize = 1 << 16;

/// How names of files in progress end.
const TEMPORARY: &str = ".tmp";

/// Where files can't be locked, a temporary file that was not written to for so long has no process any more.
const LEFT_ALONE: Duration = Duration::from_secs(3600);

/// Writes a file that appears whole or not at all, and is on the disk afterwards. What killed processes left of it is
/// taken away.
///
/// # Errors
/// If the folder can't be written to, or the disk is full. Nothing is left behind then.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    write_whole_with(path, |out| write_in_pieces(out, bytes).map_err(|e| Error::io(path, e)))
}

/// The same with what `fill` writes, which need not be in memory at once. Returns what `fill` does.
///
/// # Errors
/// Those of `fill`, or if the folder can't be written to. Nothing is left behind then.
pub fn write_whole_with<T, E: From<Error>>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    // Only that writing fails is the caller's business.
    let _ = remove_left_overs_of(parent(path), |name| Some(OsStr::new(name)) == path.file_name());
    let value = write_as(Durability::Synced, path, fill)?;
    Durability::Synced.sync_folder(parent(path))?;
    Ok(value)
}

/// Writes a file that appears whole or not at all, and leaves it to the system when it comes to the disk: for files
/// that are synced with others, or that are checked before they are used.
///
/// # Errors
/// As [`write_whole`].
pub fn write_unsynced(path: &Path, bytes: &[u8]) -> Result<()> {
    write_unsynced_with(path, |out| write_in_pieces(out, bytes).map_err(|e| Error::io(path, e)))
}

/// The same with what `fill` writes.
///
/// # Errors
/// As [`write_whole_with`].
pub fn write_unsynced_with<T, E: From<Error>>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    write_as(Durability::Scratch, path, fill)
}

/// Writes an output that the user named. What is no file yet, or a plain one, appears whole or not at all. A link, pipe
/// or device takes the bytes as they come and stays what it is: a new file in its place would be no output to a reader
/// of `/dev/stdout`, and would leave the system without `/dev/null`.
///
/// # Errors
/// As [`write_whole`].
pub fn write_named(path: &Path, bytes: &[u8]) -> Result<()> {
    write_named_with(path, |out| write_in_pieces(out, bytes).map_err(|e| Error::io(path, e)))
}

/// The same with what `fill` writes.
///
/// # Errors
/// As [`write_whole_with`].
pub fn write_named_with<T, E: From<Error>>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    let is_special = std::fs::symlink_metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    if !is_special {
        return write_whole_with(path, fill);
    }
    let failed = |e: std::io::Error| Error::io(path, e);
    let mut out = BufWriter::with_capacity(PIECE_BYTES, File::create(path).map_err(failed)?);
    let value = fill(&mut out)?;
    out.flush().map_err(failed)?;
    Ok(value)
}

impl Durability {
    /// [`write_whole`] or [`write_unsynced`].
    ///
    /// # Errors
    /// Theirs.
    pub fn write_whole(self, path: &Path, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Synced => write_whole(path, bytes),
            Self::Scratch => write_unsynced(path, bytes),
        }
    }
}

fn write_as<T, E: From<Error>>(
    durability: Durability,
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    let failed = |e: std::io::Error| Error::io(path, e);
    // Removed when it is dropped under its temporary name.
    let mut file = temporary_beside(path).map_err(failed)?;
    // To the file itself, for the errors of its wrapper name the temporary file.
    let mut out = BufWriter::with_capacity(PIECE_BYTES, file.as_file_mut());
    let value = fill(&mut out)?;
    out.flush().map_err(failed)?;
    drop(out);
    if durability == Durability::Synced {
        file.as_file().sync_data().map_err(failed)?;
    }
    file.persist(path).map_err(|e| failed(e.error))?;
    Ok(value)
}

/// A new file with a name of its own: `.NAME.XXXXXX.tmp`, locked by this process where files can be locked. Unlike
/// other temporary files it may be read by whoever may read new files.
fn temporary_beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let name = path.file_name().ok_or_else(|| std::io::Error::other("expected the name of a file"))?;
    let mut prefix = OsStr::new(".").to_owned();
    prefix.push(name);
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(TEMPORARY);
    loop {
        let file = builder.make_in(parent(path), |path| File::create_new(path))?;
        match file.as_file().try_lock() {
            // Between its making and its locking it may have been taken for a left-over.
            Ok(()) if !is_at(file.as_file(), file.path()) => {}
            Err(TryLockError::WouldBlock) => {}
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

/// The name of the file that a killed [`write_whole`] was about to write when it left this one; none for any other
/// file.
pub fn left_over_of(name: &str) -> Option<&str> {
    let (name, random) = name.strip_prefix('.')?.strip_suffix(TEMPORARY)?.rsplit_once('.')?;
    (!name.is_empty() && random.len() == 6 && random.bytes().all(|b| b.is_ascii_alphanumeric())).then_some(name)
}

/// Removes what killed processes left in a folder; not in its subfolders, and nothing that a living process is writing.
///
/// # Errors
/// If the folder can't be read, or a file not be removed.
pub fn remove_left_overs(folder: &Path) -> Result<()> {
    remove_left_overs_of(folder, |_| true)
}

fn remove_left_overs_of(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<()> {
    for entry in std::fs::read_dir(folder).map_err(|e| Error::io(folder, e))? {
        let entry = entry.map_err(|e| Error::io(folder, e))?;
        if entry.file_name().to_str().and_then(left_over_of).is_some_and(&is_wanted) {
            remove_if_left(&entry.path()).map_err(|e| Error::io(entry.path(), e))?;
        }
    }
    Ok(())
}

/// Removes a temporary file unless its process lives.
fn remove_if_left(path: &Path) -> std::io::Result<()> {
    let gone = |e: std::io::Error| if e.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(e) };
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => {}
        Ok(_) => return Ok(()),
        Err(e) => return gone(e),
    }
    let file = match OpenOptions::new().write(true).open(path) {
        Ok(file) => file,
        Err(e) => return gone(e),
    };
    let is_left = match file.try_lock() {
        // Its process may just have ended, and given it its real name before.
        Ok(()) => is_at(&file, path),
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => is_old(&file),
    };
    if is_left { std::fs::remove_file(path).or_else(gone) } else { Ok(()) }
}

#[allow(clippy::disallowed_methods, reason = "which temporary files are left over decides no pixel")]
fn is_old(file: &File) -> bool {
    let written = file.metadata().and_then(|found| found.modified());
    written.is_ok_and(|at| std::time::SystemTime::now().duration_since(at).is_ok_and(|age| age > LEFT_ALONE))
}

/// Writes bytes to a file a piece at a time: for larger ones the page cache looks for large stretches of memory, which
/// costs several times as much as the copying.
///
/// # Errors
/// Those of the file.
pub fn write_in_pieces(file: &mut (impl Write + ?Sized), bytes: &[u8]) -> std::io::Result<()> {
    bytes.chunks(PIECE_BYTES).try_for_each(|piece| file.write_all(piece))
}

/// The name of a file that is being written for longer, by the one process that writes to its folder.
pub fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(TEMPORARY);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::names;

    #[test]
    fn the_last_of_two_wins() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_whole_with(&path, |out| {
            out.write_all(b"first").unwrap();
            write_whole(&path, b"second")?;
            let [left, whole] = <[String; 2]>::try_from(names(folder.path())).unwrap();
            assert_eq!((left_over_of(&left), whole.as_str()), (Some("a.json"), "a.json"));
            assert_eq!(std::fs::read(&path).unwrap(), b"second");
            Ok::<_, Error>(())
        })
        .unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"first");
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn an_error_leaves_nothing_and_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_whole(&path, b"before").unwrap();
        let failed = write_whole_with(&path, |out| {
            out.write_all(b"half").unwrap();
            Err::<(), _>(Error::path("elsewhere", "broken"))
        });
        assert_eq!(failed.unwrap_err().place, "elsewhere");
        assert_eq!((names(folder.path()), std::fs::read(&path).unwrap()), (vec!["a.json".to_owned()], b"before".to_vec()));
        let missing = folder.path().join("none/a.json");
        let error = write_whole(&missing, b"").unwrap_err().to_string();
        assert!(error.starts_with(&missing.display().to_string()) && !error.contains("a.json."), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn rights_are_those_of_new_files() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let [ours, plain] = ["ours", "plain"].map(|name| folder.path().join(name));
        write_whole(&ours, b"").unwrap();
        std::fs::write(&plain, b"").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }

    /// A link stands for `/dev/stdout`, a pipe for any other device.
    #[cfg(unix)]
    #[test]
    fn a_named_link_or_pipe_stays_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let [plain, link, pipe] = ["plain", "link", "pipe"].map(|name| folder.path().join(name));
        write_named(&plain, b"first").unwrap();
        std::os::unix::fs::symlink(&plain, &link).unwrap();
        write_named(&link, b"second").unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&plain).unwrap(), b"second");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // Open for reading as well, so that neither side waits for the other.
        let mut reader = OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
        write_named(&pipe, b"third").unwrap();
        let mut found = [0; 5];
        std::io::Read::read_exact(&mut reader, &mut found).unwrap();
        assert_eq!(&found, b"third");
        assert_eq!(names(folder.path()), ["link", "pipe", "plain"]);
    }

    /// A file without a process is one that nobody has locked.
    #[test]
    fn what_another_is_writing_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::fs::write(folder.path().join(".a.json.Ab12Cd.tmp"), b"killed").unwrap();
        std::fs::write(folder.path().join(".b.json.Ab12Cd.tmp"), b"killed").unwrap();
        write_unsynced_with(&path, |out| {
            out.write_all(b"first").unwrap();
            remove_left_overs(folder.path())?;
            assert_eq!(names(folder.path()).len(), 1, "its own");
            Ok::<_, Error>(())
        })
        .unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"first");
    }

    #[test]
    fn a_file_takes_its_own_left_overs_away() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".a.json.Ab12Cd.tmp", ".b.json.Ab12Cd.tmp"] {
            std::fs::write(folder.path().join(name), b"killed").unwrap();
        }
        write_whole(&folder.path().join("a.json"), b"whole").unwrap();
        assert_eq!(names(folder.path()), [".b.json.Ab12Cd.tmp", "a.json"]);
    }

    #[test]
    fn only_what_was_left_over_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let kept = [".a.json.tmp", ".hidden", "a.json", "a.json.tmp", "b.Ab12Cd.tmp"];
        for name in kept.iter().chain(&[".a.json.Ab12Cd.tmp"]) {
            std::fs::write(folder.path().join(name), b"").unwrap();
        }
        remove_left_overs(folder.path()).unwrap();
        assert_eq!(names(folder.path()), kept);
    }
}
