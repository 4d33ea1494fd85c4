//! Single files: written under a temporary name and then renamed, so that no partial file looks whole.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use windesk_model::{Error, Result};

/// Bytes that are written to a file at once.
pub const PIECE_BYTES: usize = 1 << 16;

/// Writes a whole file under a temporary name and then renames it.
///
/// # Errors
/// If the folder can't be written to, or the disk is full. Nothing is left behind then.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let temporary = temporary_name(path);
    let written = File::create(&temporary)
        .and_then(|mut file| write_in_pieces(&mut file, bytes))
        .and_then(|()| std::fs::rename(&temporary, path));
    written.map_err(|e| {
        // A full disk leaves a stump behind; the message tells of the disk, not of the stump.
        let _ = std::fs::remove_file(&temporary);
        Error::io(path, e)
    })
}

/// Writes bytes to a file a piece at a time: for larger ones the page cache looks for large stretches of memory, which costs several times
/// as much as the copying.
///
/// # Errors
/// Those of the file.
pub fn write_in_pieces(file: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
    bytes.chunks(PIECE_BYTES).try_for_each(|piece| file.write_all(piece))
}

/// The name that a file has while it is being written.
pub fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}
