//! Files of lines that may be compressed: what ends in `.gz` is decompressed while it is read.
//!
//! A small file may hold an endless text. A reader gives up where a file expands further than any text of records does:
//! memory and time stay in proportion to what lies on the disk.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use windesk_model::{Error, Result};

use crate::inside::open_named;

/// How names of compressed files end.
pub const COMPRESSED: &str = "gz";

/// Bytes that a compressed file may hold whatever its own length.
const ALWAYS_BYTES: u64 = 64 << 20;
/// How many times its own length a longer text may be. Records come to a tenth; scenes that hardly differ to a
/// hundredth.
const MAX_EXPANSION: u64 = 400;
/// Whether a file's name says that it is compressed.
pub fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == COMPRESSED)
}

/// The file of this name, or its compressed form where that is there and the other is not.
pub fn either(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(COMPRESSED);
    let compressed = PathBuf::from(name);
    if !path.exists() && compressed.exists() { compressed } else { path.to_owned() }
}

/// The text of a file that is open already.
pub fn readable<'a>(file: impl Read + Send + 'a, compressed: bool) -> Box<dyn BufRead + Send + 'a> {
    const BUFFER_BYTES: usize = 1 << 18;
    if compressed {
        let read = Counted { inner: BufReader::with_capacity(BUFFER_BYTES, file), bytes: 0 };
        Box::new(BufReader::with_capacity(BUFFER_BYTES, Bounded { decoder: MultiGzDecoder::new(read), bytes: 0 }))
    } else {
        Box::new(BufReader::with_capacity(BUFFER_BYTES, file))
    }
}

/// The whole text of a file that the user named, of at most `max_bytes`.
///
/// # Errors
/// If it can't be read, is longer, or expands further than records do.
pub fn read(path: &Path, max_bytes: u64) -> Result<Vec<u8>> {
    whole(readable(open_named(path)?, is_compressed(path)), max_bytes).map_err(|e| Error::io(path, e))
}

/// The text of bytes that were read already, of at most `max_bytes`.
///
/// # Errors
/// If they are not what their name says, the text is longer, or expands further than records do.
pub fn decompressed(bytes: Vec<u8>, compressed: bool, max_bytes: u64) -> io::Result<Vec<u8>> {
    if compressed { whole(readable(io::Cursor::new(bytes), true), max_bytes) } else { Ok(bytes) }
}

fn whole(reader: impl Read, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    reader.take(max_bytes + 1).read_to_end(&mut text)?;
    if text.len() as u64 > max_bytes {
        return Err(io::Error::other(format!("found more than {max_bytes} bytes of text, expected at most that many")));
    }
    Ok(text)
}

/// Compresses what is written. The same text gives the same bytes; no time is in them.
pub fn compressing<W: Write>(to: W) -> GzEncoder<W> {
    GzEncoder::new(to, Compression::default())
}

/// Counts what was read.
struct Counted<R> {
    inner: R,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

/// Stops where too much comes out of too little.
struct Bounded<R> {
    decoder: MultiGzDecoder<Counted<R>>,
    bytes: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer)?;
        self.bytes += read as u64;
        if self.bytes > ALWAYS_BYTES && self.bytes / MAX_EXPANSION > self.decoder.get_ref().bytes {
            let found = format!("found more than {MAX_EXPANSION} times its own length in it, expected compressed records");
            return Err(io::Error::other(found));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gz(text: &[u8]) -> Vec<u8> {
        let mut out = compressing(Vec::new());
        out.write_all(text).unwrap();
        out.finish().unwrap()
    }

    #[test]
    fn both_forms_give_the_text() {
        let folder = tempfile::tempdir().unwrap();
        let [plain, packed] = ["a.jsonl", "b.jsonl.gz"].map(|name| folder.path().join(name));
        let text = b"{\"a\": 1}\n{\"a\": 2}\n";
        std::fs::write(&plain, text).unwrap();
        // Two files one after the other are one, as gzip has it.
        std::fs::write(&packed, [gz(&text[..9]), gz(&text[9..])].concat()).unwrap();
        for path in [&plain, &packed] {
            assert_eq!(read(path, 18).unwrap(), text);
            assert!(read(path, 17).is_err());
        }
        assert_eq!(either(&plain), plain);
        assert_eq!(either(&folder.path().join("b.jsonl")), packed);
        assert_eq!(gz(text), gz(text));
    }

    #[test]
    fn a_bomb_is_not_swallowed() {
        let bomb = gz(&vec![b' '; 200 << 20]);
        assert!(bomb.len() < 1 << 20);
        let error = decompressed(bomb, true, u64::MAX - 1).unwrap_err().to_string();
        assert!(error.contains("400 times its own length"), "{error}");
        assert!(decompressed(b"no gzip".to_vec(), true, 99).is_err());
    }
}
