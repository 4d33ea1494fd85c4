//! Prepared pictures kept in a folder, so that the next run need not decode them again.
//!
//! A file's name says what its picture was made from, and its checksum that it was written whole: whatever else lies
//! there is made anew. Nothing in a dataset depends on what is kept.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use windesk_files::{remove_left_overs, write_in_pieces, write_unsynced_with};
use windesk_model::Error;
use windesk_model::digest::hex;

use super::open_files::OpenFile;

/// What every file begins with. Another number for every change of what follows.
const MAGIC: &[u8; 8] = b"wdpix\0\x001";
/// Bytes before the content: magic and CRC-32.
const HEAD_BYTES: usize = 12;
/// Characters of a key that name the folder of its file.
const KEY_START: usize = 2;

/// Where prepared pictures are kept.
#[derive(Clone, Debug, Default)]
pub(super) enum CacheStore {
    /// In memory alone.
    #[default]
    Memory,
    /// In files of this folder.
    Folder(PathBuf),
}

/// Bytes of a prepared picture.
#[derive(Debug)]
pub(super) enum CachedPicture {
    Memory(Box<[u8]>),
    File { path: PathBuf, version: Version },
}

/// Tells whether a file is still the one that was read: whoever writes to it, or puts another in its place, changes
/// one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Version {
    bytes: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    number: (u64, u64),
}

impl Version {
    fn of(found: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            bytes: found.len(),
            modified: found.modified().ok(),
            #[cfg(unix)]
            number: (found.dev(), found.ino()),
        }
    }
}

impl CacheStore {
    /// In a folder, from which the files that killed processes left half written are taken away.
    pub(super) fn in_folder(folder: PathBuf) -> Self {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_name().len() == KEY_START && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                // They cost room, and nothing else.
                let _ = remove_left_overs(&entry.path());
            }
        }
        Self::Folder(folder)
    }

    /// What is kept of this picture, and all of it.
    pub(super) fn find(&self, key: &Key) -> Option<(CachedPicture, Vec<u8>)> {
        let path = self.path(key)?;
        let (version, content) = read_whole(&path)?;
        Some((CachedPicture::File { path, version }, content))
    }

    /// Keeps a picture.
    pub(super) fn keep(&self, key: &Key, content: &[u8]) -> CachedPicture {
        // A disk that is full or read-only costs time, and nothing else.
        let written = self.path(key).and_then(|path| {
            write(&path, content).ok()?;
            let version = Version::of(&std::fs::metadata(&path).ok()?);
            Some(CachedPicture::File { path, version })
        });
        written.unwrap_or_else(|| CachedPicture::Memory(content.into()))
    }

    fn path(&self, key: &Key) -> Option<PathBuf> {
        match self {
            Self::Memory => None,
            Self::Folder(folder) => Some(folder.join(&key.0[..KEY_START]).join(format!("{}.pixels", &key.0[KEY_START..]))),
        }
    }

    /// Whether pictures outlast the run, so that more work on them pays.
    pub(super) fn is_lasting(&self) -> bool {
        matches!(self, Self::Folder(_))
    }
}

/// Names a picture by what it is made from.
#[derive(Debug)]
pub(super) struct Key(String);

impl Key {
    pub(super) fn of(sources: &[&str]) -> Self {
        let mut digest = Sha256::new();
        digest.update(MAGIC);
        for source in sources {
            digest.update((source.len() as u64).to_le_bytes());
            digest.update(source);
        }
        Self(hex(&digest.finalize()))
    }
}

impl CachedPicture {
    /// Names it for messages.
    pub(super) fn place(&self) -> String {
        match self {
            Self::Memory(_) => "a picture in memory".to_owned(),
            Self::File { path, .. } => path.display().to_string(),
        }
    }

    /// Bytes in memory.
    pub(super) fn held_bytes(&self) -> usize {
        match self {
            Self::Memory(content) => content.len(),
            Self::File { .. } => 0,
        }
    }

    /// Whether it can still be read as it was.
    pub(super) fn is_there(&self) -> bool {
        match self {
            Self::Memory(_) => true,
            Self::File { path, version } => std::fs::metadata(path).is_ok_and(|found| Version::of(&found) == *version),
        }
    }
}

/// Reads parts of what is kept. A file that is no longer the one that was read before is an error.
#[derive(Debug)]
pub(super) struct CachedPictureReader<'a> {
    kept: &'a CachedPicture,
    file: Option<OpenFile>,
    checks_later: bool,
    /// What was read of a file last, with what follows it, and where that lies.
    ahead: Vec<u8>,
    ahead_at: Range<usize>,
}

/// As much is read at once, as it costs no more than less.
const AHEAD_BYTES: usize = 8 << 10;

impl<'a> CachedPictureReader<'a> {
    pub(super) fn new(kept: &'a CachedPicture) -> Self {
        Self { kept, file: None, checks_later: false, ahead: Vec::new(), ahead_at: 0..0 }
    }

    /// Leaves it to [`Self::check`] whether an open file is the one that was read before: asking for that costs as much
    /// as reading a little.
    pub(super) fn check_later(&mut self) {
        self.checks_later = true;
    }

    /// Whether everything was read from the file that was read before, and that did not change meanwhile.
    pub(super) fn check(&mut self) -> io::Result<()> {
        match (self.kept, &mut self.file) {
            (CachedPicture::File { version, .. }, Some(opened)) => is_still(opened.file(), version),
            _ => Ok(()),
        }
    }

    /// A part of the content. Where it must be read from a file, what follows is read with it: to where the parts end
    /// that are wanted, and a little further, but not beyond `end`.
    pub(super) fn read(&mut self, part: Range<usize>, wanted_end: usize, end: usize) -> io::Result<&[u8]> {
        if let CachedPicture::Memory(content) = self.kept {
            return Ok(content.get(part).ok_or(io::ErrorKind::UnexpectedEof)?);
        }
        if part.start < self.ahead_at.start || part.end > self.ahead_at.end {
            let at = part.start..part.end.max(wanted_end).max(end.min(part.start + AHEAD_BYTES));
            let mut ahead = std::mem::take(&mut self.ahead);
            if ahead.len() < at.len() {
                ahead.resize(at.len(), 0);
            }
            self.ahead_at = 0..0;
            self.read_into(at.start, &mut ahead[..at.len()])?;
            (self.ahead, self.ahead_at) = (ahead, at);
        }
        Ok(&self.ahead[part.start - self.ahead_at.start..part.end - self.ahead_at.start])
    }

    /// Fills `out` from this byte of the content on.
    pub(super) fn read_into(&mut self, start: usize, out: &mut [u8]) -> io::Result<()> {
        match self.kept {
            CachedPicture::Memory(content) => {
                out.copy_from_slice(content.get(start..start + out.len()).ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
            CachedPicture::File { path, version } => {
                let mut opened = match self.file.take() {
                    Some(file) => file,
                    None => OpenFile::new(path)?,
                };
                read_exact_at(opened.file(), out, (HEAD_BYTES + start) as u64)?;
                // Behind the reading: what was written meanwhile counts, too.
                if !(self.checks_later && opened.may_stay_open()) {
                    is_still(opened.file(), version)?;
                }
                self.file = Some(opened).filter(OpenFile::may_stay_open);
                Ok(())
            }
        }
    }
}

fn is_still(file: &File, version: &Version) -> io::Result<()> {
    let is_same = Version::of(&file.metadata()?) == *version;
    is_same.then_some(()).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "another file than before"))
}

#[cfg(unix)]
fn read_exact_at(file: &mut File, out: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, at)
}

#[cfg(not(unix))]
fn read_exact_at(file: &mut File, out: &mut [u8], at: u64) -> io::Result<()> {
    use std::io::{Seek, SeekFrom};
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(out)
}

/// The content of a file that was written whole.
fn read_whole(path: &Path) -> Option<(Version, Vec<u8>)> {
    let mut file = File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    let version = Version::of(&file.metadata().ok()?);
    let (head, content) = bytes.split_first_chunk::<HEAD_BYTES>()?;
    let (magic, checksum) = head.split_first_chunk::<8>()?;
    if magic != MAGIC || checksum != crc32fast::hash(content).to_le_bytes() {
        return None;
    }
    bytes.drain(..HEAD_BYTES);
    Some((version, bytes))
}

/// Others may write the same file at the same time: whoever is last wins, with the same bytes. What a power cut leaves
/// of it has another checksum.
fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
    let failed = |e: io::Error| Error::io(path, e);
    std::fs::create_dir_all(path.parent().expect("a file in a folder")).map_err(failed)?;
    let checksum = crc32fast::hash(content).to_le_bytes();
    write_unsynced_with(path, |out| {
        [&MAGIC[..], &checksum, content].into_iter().try_for_each(|part| write_in_pieces(out, part)).map_err(failed)
    })
}
