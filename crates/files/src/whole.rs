//! Single files: written under a temporary name in the same folder and then renamed, so that no partial file looks
//! whole.
//!
//! Several processes may write the same file at once: each has a temporary name of its own, and whoever is last wins. A
//! killed process leaves its temporary file behind; [`remove_left_overs`] takes such files away where no other process
//! writes.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use windesk_model::{Error, Result};

/// Bytes that are written to a file at once.
pub const PIECE_BYTES: usize = 1 << 16;

/// How names of files in progress end.
const TEMPORARY: &str = ".tmp";

/// Writes a file that appears whole or not at all.
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
    let failed = |e: std::io::Error| Error::io(path, e);
    // Removed when it is dropped under its temporary name.
    let mut file = temporary_beside(path).map_err(failed)?;
    // To the file itself, for the errors of its wrapper name the temporary file.
    let mut out = BufWriter::with_capacity(PIECE_BYTES, file.as_file_mut());
    let value = fill(&mut out)?;
    out.flush().map_err(failed)?;
    drop(out);
    file.persist(path).map_err(|e| failed(e.error))?;
    Ok(value)
}

/// A new file with a name of its own: `.NAME.XXXXXX.tmp`. Unlike other temporary files it may be read by whoever may
/// read new files.
fn temporary_beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let name = path.file_name().ok_or_else(|| std::io::Error::other("expected the name of a file"))?;
    let mut prefix = OsStr::new(".").to_owned();
    prefix.push(name);
    prefix.push(".");
    let folder = path.parent().unwrap_or(Path::new(""));
    tempfile::Builder::new().prefix(&prefix).suffix(TEMPORARY).make_in(folder, |path| File::create_new(path))
}

/// The name of the file that a killed [`write_whole`] was about to write when it left this one; none for any other
/// file.
pub fn left_over_of(name: &str) -> Option<&str> {
    let (name, random) = name.strip_prefix('.')?.strip_suffix(TEMPORARY)?.rsplit_once('.')?;
    (!name.is_empty() && random.len() == 6 && random.bytes().all(|b| b.is_ascii_alphanumeric())).then_some(name)
}

/// Removes what killed runs of [`write_whole`] left in a folder; not in its subfolders. Only where nobody else writes.
///
/// # Errors
/// If the folder can't be read, or a file not be removed.
pub fn remove_left_overs(folder: &Path) -> Result<()> {
    for entry in std::fs::read_dir(folder).map_err(|e| Error::io(folder, e))? {
        let entry = entry.map_err(|e| Error::io(folder, e))?;
        if entry.file_name().to_str().and_then(left_over_of).is_some() {
            std::fs::remove_file(entry.path()).map_err(|e| Error::io(entry.path(), e))?;
        }
    }
    Ok(())
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

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

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
