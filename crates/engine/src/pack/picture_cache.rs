//! Prepared pictures kept in a folder, so that the next run need not decode them again.
//!
//! A file's name says what its picture was made from. Its head, and each of its parts, have a checksum that is compared
//! when a run first reads them; what isn't what was written is made anew. Nothing in a dataset depends on what is kept.

use std::fs::{File, Metadata};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::SystemTime;

use sha2::{Digest, Sha256};
use twox_hash::XxHash3_64;

use windesk_files::{remove_left_overs, write_in_pieces, write_unsynced_with};
use windesk_model::Error;
use windesk_model::digest::hex;

use super::open_files::OpenFile;

/// What every file begins with. Another number for every change of what follows, and of what is drawn from the same
/// files: icons, shadows, wallpapers in another size.
const MAGIC: &[u8; 8] = b"wdpix\x0011";
/// Bytes before the content: magic, and the CRC-32 of the content's head.
const HEAD_BYTES: usize = 12;
/// Characters of a key that name the folder of its file.
const KEY_START: usize = 2;

/// Where prepared pictures are kept.
#[derive(Clone, Debug, Default)]
pub(super) enum CacheStore {
    /// In memory alone.
    #[default]
    Memory,
    /// In files of this folder, from which what killed processes left half written is taken away once, before the first
    /// picture is added: most runs add none.
    Folder(PathBuf, Arc<Once>),
}

/// Bytes of a prepared picture.
#[derive(Debug)]
pub(super) enum CachedPicture {
    Memory(Box<[u8]>),
    File(CachedFile),
}

/// A file with a prepared picture.
#[derive(Debug)]
pub(super) struct CachedFile {
    path: PathBuf,
    version: Version,
    /// Open, between two scenes that show the picture.
    waiting: Mutex<Option<OpenFile>>,
}

impl CachedFile {
    fn new(path: PathBuf, version: Version, opened: Option<OpenFile>) -> Self {
        Self { path, version, waiting: Mutex::new(opened.filter(OpenFile::may_wait)) }
    }

    fn open(&self) -> io::Result<OpenFile> {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        waiting.map_or_else(|| OpenFile::new(&self.path), Ok)
    }

    /// Lets a file that was read to the end of a scene wait for the next one.
    fn leave(&self, opened: OpenFile) {
        if opened.may_wait() {
            *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(opened);
        }
    }

    /// Takes away what is no longer what was written, so that the picture is made anew.
    fn remove(&self) {
        // Where it must stay, pictures are kept in memory after some tries.
        let _ = std::fs::remove_file(&self.path);
    }
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
    /// In a folder.
    pub(super) fn in_folder(folder: PathBuf) -> Self {
        Self::Folder(folder, Arc::new(Once::new()))
    }

    /// What is kept of this picture, with its head and the number of all its bytes.
    pub(super) fn find(&self, key: &Key) -> Option<(CachedPicture, Vec<u8>, usize)> {
        let path = self.path(key)?;
        let mut opened = OpenFile::new(&path).ok()?;
        let (version, head, bytes) = read_head(opened.file())?;
        Some((CachedPicture::File(CachedFile::new(path, version, Some(opened))), head, bytes))
    }

    /// Keeps a picture.
    pub(super) fn keep(&self, key: &Key, content: &[u8]) -> CachedPicture {
        if let Self::Folder(folder, cleared) = self {
            cleared.call_once(|| clear(folder));
        }
        // A disk that is full or read-only costs time, and nothing else.
        let written = self.path(key).and_then(|path| {
            write(&path, content).ok()?;
            let version = Version::of(&std::fs::metadata(&path).ok()?);
            Some(CachedPicture::File(CachedFile::new(path, version, None)))
        });
        written.unwrap_or_else(|| CachedPicture::Memory(content.into()))
    }

    fn path(&self, key: &Key) -> Option<PathBuf> {
        match self {
            Self::Memory => None,
            Self::Folder(folder, _) => Some(folder.join(&key.0[..KEY_START]).join(format!("{}.pixels", &key.0[KEY_START..]))),
        }
    }

    /// Whether pictures outlast the run, so that more work on them pays.
    pub(super) fn is_lasting(&self) -> bool {
        matches!(self, Self::Folder(..))
    }
}

/// Takes the files away that killed processes left half written in a folder of pictures.
fn clear(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().len() == KEY_START && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            // They cost room, and nothing else.
            let _ = remove_left_overs(&entry.path());
        }
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
            Self::File(file) => file.path.display().to_string(),
        }
    }

    /// Bytes in memory.
    pub(super) fn held_bytes(&self) -> usize {
        match self {
            Self::Memory(content) => content.len(),
            Self::File(_) => 0,
        }
    }

    /// Whether it can still be read as it was.
    pub(super) fn is_there(&self) -> bool {
        match self {
            Self::Memory(_) => true,
            Self::File(file) => std::fs::metadata(&file.path).is_ok_and(|found| Version::of(&found) == file.version),
        }
    }
}

/// The checksum (XXH3, its lower 63 bits) of a part of what is kept, and whether that is known to have it. Parts with
/// the same checksum have the same bytes. There are many: the highest bit says whether it was compared.
#[derive(Debug)]
pub(super) struct PartCheck(AtomicU64);

const IS_COMPARED: u64 = 1 << 63;

impl PartCheck {
    pub(super) fn new(sum: u64, is_compared: bool) -> Self {
        let highest = if is_compared { IS_COMPARED } else { 0 };
        Self((sum & !IS_COMPARED | highest).into())
    }

    /// That of a part that is there.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self::new(XxHash3_64::oneshot(bytes), true)
    }

    pub(super) fn sum(&self) -> u64 {
        self.0.load(Ordering::Relaxed) & !IS_COMPARED
    }

    fn is_compared(&self) -> bool {
        self.0.load(Ordering::Relaxed) & IS_COMPARED != 0
    }

    /// Compares bytes of a picture with it, if nobody has. What lies in a file instead of them is taken away, so that
    /// the picture is made anew.
    fn accept(&self, bytes: &[u8], kept: &CachedPicture) -> io::Result<()> {
        let CachedPicture::File(file) = kept else { return Ok(()) };
        if self.is_compared() {
            return Ok(());
        }
        if Self::of(bytes).sum() != self.sum() {
            file.remove();
            return Err(io::ErrorKind::InvalidData.into());
        }
        self.0.fetch_or(IS_COMPARED, Ordering::Relaxed);
        Ok(())
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
    /// A reader that uses this memory.
    pub(super) fn new(kept: &'a CachedPicture, room: Vec<u8>) -> Self {
        Self { kept, file: None, checks_later: false, ahead: room, ahead_at: 0..0 }
    }

    /// The memory, of a reader that is no longer needed.
    pub(super) fn take_room(&mut self) -> Vec<u8> {
        self.ahead_at = 0..0;
        std::mem::take(&mut self.ahead)
    }

    /// Leaves it to [`Self::check`] whether an open file is the one that was read before: asking for that costs as much
    /// as reading a little.
    pub(super) fn check_later(&mut self) {
        self.checks_later = true;
    }

    /// Whether everything was read from the file that was read before, and that did not change meanwhile.
    pub(super) fn check(&mut self) -> io::Result<()> {
        let CachedPicture::File(file) = self.kept else { return Ok(()) };
        let Some(mut opened) = self.file.take() else { return Ok(()) };
        is_still(opened.file(), &file.version)?;
        self.file = Some(opened);
        Ok(())
    }

    /// A part of the content. Where it must be read from a file, what follows is read with it: to where the parts end
    /// that are wanted, and a little further.
    pub(super) fn read(&mut self, part: Range<usize>, wanted_end: usize) -> io::Result<&[u8]> {
        let version = match self.kept {
            CachedPicture::Memory(content) => return Ok(content.get(part).ok_or(io::ErrorKind::UnexpectedEof)?),
            CachedPicture::File(file) => &file.version,
        };
        if part.start < self.ahead_at.start || part.end > self.ahead_at.end {
            let end = (part.start + AHEAD_BYTES).min(version.bytes as usize - HEAD_BYTES);
            let at = part.start..part.end.max(wanted_end).max(end);
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

    /// Compares a part with its checksum, if nobody has.
    pub(super) fn compare(&mut self, part: Range<usize>, check: &PartCheck) -> io::Result<()> {
        if matches!(self.kept, CachedPicture::Memory(_)) || check.is_compared() {
            return Ok(());
        }
        let kept = self.kept;
        let part_end = part.end;
        check.accept(self.read(part, part_end)?, kept)
    }

    /// The same for a part that was just read.
    pub(super) fn accept(&self, bytes: &[u8], check: &PartCheck) -> io::Result<()> {
        check.accept(bytes, self.kept)
    }

    /// Fills `out` from this byte of the content on.
    pub(super) fn read_into(&mut self, start: usize, out: &mut [u8]) -> io::Result<()> {
        match self.kept {
            CachedPicture::Memory(content) => {
                out.copy_from_slice(content.get(start..start + out.len()).ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
            CachedPicture::File(file) => {
                let mut opened = self.file.take().map_or_else(|| file.open(), Ok)?;
                read_exact_at(opened.file(), out, (HEAD_BYTES + start) as u64)?;
                // Behind the reading: what was written meanwhile counts, too.
                if !(self.checks_later && opened.may_stay_open()) {
                    is_still(opened.file(), &file.version)?;
                }
                self.file = Some(opened).filter(OpenFile::may_stay_open);
                Ok(())
            }
        }
    }
}

impl Drop for CachedPictureReader<'_> {
    fn drop(&mut self) {
        if let (CachedPicture::File(file), Some(opened)) = (self.kept, self.file.take()) {
            file.leave(opened);
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

/// The head of what is kept, from what begins with it: its length, and so many bytes more.
pub(super) fn head_of(content: &[u8]) -> Option<&[u8]> {
    let length = u32::from_le_bytes(*content.first_chunk()?) as usize;
    content.get(..length.checked_add(4)?)
}

/// The head of a file's content, as it was written, and the number of the content's bytes.
fn read_head(file: &mut File) -> Option<(Version, Vec<u8>, usize)> {
    /// More than most heads have, so that they are read at once.
    const USUAL_BYTES: usize = 16 << 10;
    let version = Version::of(&file.metadata().ok()?);
    let content_bytes = usize::try_from(version.bytes).ok()?.checked_sub(HEAD_BYTES)?;
    let mut bytes = vec![0; USUAL_BYTES.min(content_bytes + HEAD_BYTES)];
    read_exact_at(file, &mut bytes, 0).ok()?;
    let (magic, checksum) = bytes.first_chunk::<HEAD_BYTES>()?.split_first_chunk::<8>()?;
    let checksum = u32::from_le_bytes(*checksum.first_chunk()?);
    if magic != MAGIC {
        return None;
    }
    let length = u32::from_le_bytes(*bytes.get(HEAD_BYTES..)?.first_chunk()?) as usize + 4;
    if length > content_bytes {
        return None;
    }
    bytes.resize(HEAD_BYTES + length, 0);
    if length + HEAD_BYTES > USUAL_BYTES {
        read_exact_at(file, &mut bytes[USUAL_BYTES..], USUAL_BYTES as u64).ok()?;
    }
    bytes.drain(..HEAD_BYTES);
    (crc32fast::hash(&bytes) == checksum).then_some((version, bytes, content_bytes))
}

/// Others may write the same file at the same time: whoever is last wins, with the same bytes. What a power cut leaves
/// of it has another checksum.
fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
    let failed = |e: io::Error| Error::io(path, e);
    std::fs::create_dir_all(path.parent().expect("a file in a folder")).map_err(failed)?;
    let checksum = crc32fast::hash(head_of(content).expect("a picture has a head")).to_le_bytes();
    write_unsynced_with(path, |out| {
        [&MAGIC[..], &checksum, content].into_iter().try_for_each(|part| write_in_pieces(out, part)).map_err(failed)
    })
}
