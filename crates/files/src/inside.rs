//! Files that are named in other files, which anybody may have written.
//!
//! A name leads to a plain file below its folder, or is refused with the reason. No link is followed on the way,
//! nothing is opened by a name that was only looked at before, and no pipe or device keeps a reader waiting.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, Read};
use std::path::{Component, Path, PathBuf};

use windesk_model::{Error, Result};

/// Largest file of others that is read whole: a manifest, ratings, tasks, a test set, a picture.
pub const MAX_WHOLE_BYTES: u64 = 256 << 20;
/// Most bytes of the text of a part of a dataset, or of all its rejected draws, which are read whole, too.
pub const MAX_PART_BYTES: u64 = 4 * MAX_WHOLE_BYTES;
/// Longest line of a file of others that is read line by line.
pub const MAX_LINE_BYTES: u64 = 64 << 20;

/// A folder in which files are looked up by names that stand in files.
///
/// # Guarantees
/// What it opens is a plain file below the folder. The folder itself was named by the user, and may be a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    folder: PathBuf,
}

/// Why a name leads to nothing that may be read.
#[derive(Debug)]
enum Refusal {
    /// There is no such file.
    Missing(std::io::Error),
    /// It can't be opened.
    Io(std::io::Error),
    /// It leaves the folder.
    Outside,
    /// It is something else than a plain file, or lies behind something else than a folder: what, and where.
    Kind(&'static str, PathBuf),
}

impl Root {
    /// Names are looked up in this folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a name leads, for messages: nothing is opened by it.
    pub fn place(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }

    /// Opens a plain file below the folder.
    ///
    /// # Errors
    /// Says what was refused: a name that leaves the folder, a link, a pipe, a device, a folder, or nothing at all.
    pub fn open(&self, name: impl AsRef<Path>) -> Result<File> {
        let name = name.as_ref();
        self.find(name).map_err(|refusal| self.error(name, refusal))
    }

    /// The same; `None` if there is no such file.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_if_any(&self, name: impl AsRef<Path>) -> Result<Option<File>> {
        let name = name.as_ref();
        match self.find(name) {
            Ok(file) => Ok(Some(file)),
            Err(Refusal::Missing(_)) => Ok(None),
            Err(refusal) => Err(self.error(name, refusal)),
        }
    }

    /// Reads a whole file of at most `max_bytes`.
    ///
    /// # Errors
    /// As [`Self::open`], and if the file is larger.
    pub fn read(&self, name: impl AsRef<Path>, max_bytes: u64) -> Result<Vec<u8>> {
        let name = name.as_ref();
        read_at_most(&mut self.open(name)?, &self.place(name), max_bytes)
    }

    /// The same; `None` if there is no such file.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_if_any(&self, name: impl AsRef<Path>, max_bytes: u64) -> Result<Option<Vec<u8>>> {
        let name = name.as_ref();
        self.open_if_any(name)?.map(|mut file| read_at_most(&mut file, &self.place(name), max_bytes)).transpose()
    }

    /// Reads a whole text.
    ///
    /// # Errors
    /// As [`Self::read`], and if it isn't UTF-8.
    pub fn text(&self, name: impl AsRef<Path>, max_bytes: u64) -> Result<String> {
        let name = name.as_ref();
        String::from_utf8(self.read(name, max_bytes)?).map_err(|e| Error::path(self.place(name), format!("{e}, expected text")))
    }

    fn find(&self, name: &Path) -> Result<File, Refusal> {
        let mut parts = Vec::new();
        for part in name.components() {
            match part {
                Component::Normal(part) => parts.push(part),
                Component::CurDir => {}
                _ => return Err(Refusal::Outside),
            }
        }
        let (last, folders) = parts.split_last().ok_or(Refusal::Outside)?;
        let here = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        system::open_below(here, folders, last)
    }

    fn error(&self, name: &Path, refusal: Refusal) -> Error {
        match refusal {
            Refusal::Missing(error) | Refusal::Io(error) => Error::path(self.place(name), error),
            Refusal::Outside => {
                let found = format!("`{}`, which leads out of the folder", name.display());
                Error::file(self.folder.display(), found, "the path of a file inside it, without `..`")
            }
            Refusal::Kind(kind, below) => {
                let hint = "files of others are read where they are: no links, pipes or devices";
                Error::file(self.place(below).display(), kind, "a plain file in plain folders").with_hint(hint)
            }
        }
    }
}

/// Opens a file that the user named: a link, or a pipe that somebody writes to, is as good as a file. A pipe without a
/// writer is empty, not waited for.
///
/// # Errors
/// If it can't be opened.
pub fn open_named(path: &Path) -> Result<File> {
    system::open_named(path).map_err(|e| Error::io(path, e))
}

/// Reads a whole file that the user named.
///
/// # Errors
/// If it can't be read, or is larger than `max_bytes`.
pub fn read_named(path: &Path, max_bytes: u64) -> Result<Vec<u8>> {
    read_at_most(&mut open_named(path)?, path, max_bytes)
}

/// Reads what is left of a file, at most `max_bytes`. `place` names it in messages.
pub(crate) fn read_at_most(file: &mut File, place: &Path, max_bytes: u64) -> Result<Vec<u8>> {
    let limit = |found: String| {
        Error::limit(place.display(), found, format!("at most {max_bytes} bytes"))
            .with_hint("larger files of this kind are not read")
    };
    let size = file.metadata().map_err(|e| Error::io(place, e))?.len();
    if size > max_bytes {
        return Err(limit(format!("{size} bytes")));
    }
    let mut bytes = Vec::with_capacity(size as usize);
    // What grows meanwhile, or has no size (a pipe), is bounded as well.
    file.take(max_bytes + 1).read_to_end(&mut bytes).map_err(|e| Error::io(place, e))?;
    if bytes.len() as u64 > max_bytes { Err(limit(format!("more than {max_bytes} bytes"))) } else { Ok(bytes) }
}

/// Appends the next line with its line feed to `line`; gives the number of bytes, 0 at the end.
///
/// # Errors
/// Those of the reader, and one that says so if the line is longer than `max_bytes`, which are whole MiB.
pub fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>, max_bytes: u64) -> std::io::Result<usize> {
    let length = reader.by_ref().take(max_bytes + 1).read_until(b'\n', line)?;
    if length as u64 > max_bytes {
        let limit = max_bytes >> 20;
        let problem = format!("found a line of more than {limit} MiB, expected at most {limit} MiB");
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, problem));
    }
    Ok(length)
}

#[cfg(unix)]
mod system {
    use std::os::fd::{AsFd, OwnedFd};

    use rustix::fs::{AtFlags, FileType, Mode, OFlags, fcntl_getfl, fcntl_setfl, fstat, open, openat, statat};
    use rustix::io::Errno;

    use super::{File, OsStr, Path, PathBuf, Refusal};

    /// Each folder is opened in the one before, and the file in the last: nothing can be put in their places meanwhile.
    pub(super) fn open_below(root: &Path, folders: &[&OsStr], name: &OsStr) -> Result<File, Refusal> {
        // Folders that may be passed through, but not listed, are good enough where the system knows such a way.
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let way = OFlags::PATH;
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let way = OFlags::RDONLY;
        let folder = way | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut here = open(root, folder, Mode::empty()).map_err(refusal)?;
        let mut below = PathBuf::new();
        for part in folders {
            below.push(part);
            expect(&here, part, FileType::Directory, &below)?;
            here = openat(&here, *part, folder | OFlags::NOFOLLOW, Mode::empty()).map_err(refusal)?;
        }
        below.push(name);
        // Looked at before it is opened, since opening a device may do something.
        expect(&here, name, FileType::RegularFile, &below)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = openat(&here, name, flags, Mode::empty()).map_err(refusal)?;
        let found = FileType::from_raw_mode(fstat(&file).map_err(refusal)?.st_mode);
        if found == FileType::RegularFile { Ok(file.into()) } else { Err(Refusal::Kind(word(found), below)) }
    }

    fn expect(folder: &OwnedFd, name: &OsStr, expected: FileType, below: &Path) -> Result<(), Refusal> {
        let about = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).map_err(refusal)?;
        let found = FileType::from_raw_mode(about.st_mode);
        if found == expected { Ok(()) } else { Err(Refusal::Kind(word(found), below.to_owned())) }
    }

    fn refusal(error: Errno) -> Refusal {
        match error {
            Errno::NOENT => Refusal::Missing(error.into()),
            _ => Refusal::Io(error.into()),
        }
    }

    fn word(kind: FileType) -> &'static str {
        match kind {
            FileType::Symlink => "a symbolic link",
            FileType::Directory => "a folder",
            FileType::Fifo => "a pipe",
            FileType::Socket => "a socket",
            FileType::CharacterDevice | FileType::BlockDevice => "a device",
            FileType::RegularFile => "a file",
            FileType::Unknown => "something unknown",
        }
    }

    pub(super) fn open_named(path: &Path) -> std::io::Result<File> {
        let file = open(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
        // Reading waits for a writer that is there.
        let flags = fcntl_getfl(file.as_fd())?;
        fcntl_setfl(file.as_fd(), flags - OFlags::NONBLOCK)?;
        Ok(file.into())
    }
}

#[cfg(not(unix))]
mod system {
    use super::{File, OsStr, Path, PathBuf, Refusal};

    pub(super) fn open_below(root: &Path, folders: &[&OsStr], name: &OsStr) -> Result<File, Refusal> {
        let mut below = PathBuf::new();
        for (at, part) in folders.iter().chain([&name]).enumerate() {
            below.push(part);
            let about = root.join(&below).symlink_metadata().map_err(refusal)?;
            let sound = if at < folders.len() { about.is_dir() } else { about.is_file() };
            if !sound {
                let kind = if about.is_symlink() { "a symbolic link" } else { "something else" };
                return Err(Refusal::Kind(kind, below));
            }
        }
        File::open(root.join(below)).map_err(refusal)
    }

    fn refusal(error: std::io::Error) -> Refusal {
        if error.kind() == std::io::ErrorKind::NotFound { Refusal::Missing(error) } else { Refusal::Io(error) }
    }

    pub(super) fn open_named(path: &Path) -> std::io::Result<File> {
        File::open(path)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    /// A folder with one of everything, beside a secret.
    fn place() -> (tempfile::TempDir, Root) {
        let all = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(all.path().join("set/images")).unwrap();
        std::fs::write(all.path().join("secret"), "s3cret").unwrap();
        let root = all.path().join("set");
        std::fs::write(root.join("images/a.png"), "picture").unwrap();
        symlink("../secret", root.join("link")).unwrap();
        symlink("images/a.png", root.join("link-inside")).unwrap();
        symlink("..", root.join("up")).unwrap();
        symlink("nowhere", root.join("dangling")).unwrap();
        assert!(Command::new("mkfifo").arg(root.join("pipe")).status().unwrap().success());
        let root = Root::new(root);
        (all, root)
    }

    #[test]
    fn only_plain_files_below_the_folder_are_read() {
        let (all, root) = place();
        for name in ["images/a.png", "./images/./a.png", "images//a.png"] {
            assert_eq!(root.read(name, 100).unwrap(), b"picture", "{name}");
        }
        let absolute = all.path().join("secret");
        for (name, wanted) in [
            (absolute.to_str().unwrap(), "leads out of the folder"),
            ("../secret", "leads out of the folder"),
            ("images/../../secret", "leads out of the folder"),
            ("images/../images/a.png", "leads out of the folder"),
            ("", "leads out of the folder"),
            (".", "leads out of the folder"),
            ("link", "link: found a symbolic link"),
            ("link-inside", "found a symbolic link"),
            ("up/secret", "set/up: found a symbolic link"),
            ("dangling", "found a symbolic link"),
            ("pipe", "found a pipe"),
            ("images", "found a folder"),
            ("images/a.png/b", "images/a.png: found a file"),
            ("none.png", "No such file"),
            ("a\0b", "a\\u{0}b: "),
        ] {
            let error = root.read(name, 100).unwrap_err().to_string();
            assert!(error.contains(wanted) && !error.contains("s3cret"), "{name}: {error}");
        }
        // A folder of the user may be a link.
        symlink("set", all.path().join("set-link")).unwrap();
        assert_eq!(Root::new(all.path().join("set-link")).text("images/a.png", 100).unwrap(), "picture");
        assert_eq!((root.read_if_any("none", 9).unwrap(), root.read_if_any("images/a.png", 9).unwrap().is_some()), (None, true));
        assert!(root.open_if_any("link").is_err());
    }

    #[test]
    fn sizes_are_bounded() {
        let (all, root) = place();
        let error = root.read("images/a.png", 6).unwrap_err();
        assert_eq!(error.kind, windesk_model::error::ErrorKind::Limit);
        assert!(error.to_string().contains("found 7 bytes, expected at most 6 bytes"), "{error}");
        let endless = read_named(Path::new("/dev/zero"), 1000).unwrap_err().to_string();
        assert!(endless.contains("more than 1000 bytes"), "{endless}");
        assert_eq!(read_named(&all.path().join("set/link"), 100).unwrap(), b"s3cret", "the user may name a link");
        assert_eq!(read_named(&all.path().join("set/pipe"), 100).unwrap(), b"", "nobody writes to it");
        let long = std::io::repeat(b'x').take(MAX_LINE_BYTES + 2);
        let error = read_line(&mut std::io::BufReader::new(long), &mut Vec::new(), MAX_LINE_BYTES).unwrap_err().to_string();
        assert!(error.contains("a line of more than"), "{error}");
    }
}
