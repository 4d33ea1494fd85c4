//! Pictures that are named in other files: looked at before they are sent, copied or shown. Only the first bytes are
//! read; nothing is decoded.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use windesk_model::{Error, Result};

use crate::inside::{MAX_WHOLE_BYTES, Root, read_at_most};

/// Kinds of picture files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureKind {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// WebP.
    Webp,
}

impl PictureKind {
    /// The usual ending of such a file, which is also the second half of its media type but for `jpg`.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Webp => "webp",
        }
    }
}

/// A picture's kind and size, as its first bytes give them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureHead {
    /// Its kind.
    pub kind: PictureKind,
    /// Width and height, px.
    pub size: [u32; 2],
}

/// An open picture of a stranger: a plain file below its root that begins as a picture of the expected size does.
#[derive(Debug)]
pub struct Picture {
    /// Its kind and size.
    pub head: PictureHead,
    place: PathBuf,
    file: File,
}

impl Root {
    /// Opens a picture. `size` is what was recorded of it; `None` if nothing was.
    ///
    /// # Errors
    /// As [`Root::open`], and if it is no PNG, JPEG or WebP picture of that size.
    pub fn picture(&self, name: impl AsRef<Path>, size: Option<[u32; 2]>) -> Result<Picture> {
        let name = name.as_ref();
        Picture::new(self.open(name)?, self.place(name), size)
    }

    /// The same; `None` if there is no such file.
    ///
    /// # Errors
    /// As [`Self::picture`].
    pub fn picture_if_any(&self, name: impl AsRef<Path>, size: Option<[u32; 2]>) -> Result<Option<Picture>> {
        let name = name.as_ref();
        self.open_if_any(name)?.map(|file| Picture::new(file, self.place(name), size)).transpose()
    }
}

impl Picture {
    fn new(mut file: File, place: PathBuf, size: Option<[u32; 2]>) -> Result<Self> {
        let head = picture_head(&mut file).map_err(|e| Error::io(&place, e))?;
        let Some(head) = head else {
            return Err(Error::file(place.display(), "no picture", "a PNG, JPEG or WebP picture"));
        };
        if let Some([width, height]) = size.filter(|&size| size != head.size) {
            let found = format!("a picture of {}x{} px", head.size[0], head.size[1]);
            return Err(Error::file(place.display(), found, format!("{width}x{height} px, as recorded")));
        }
        Ok(Self { head, place, file })
    }

    /// Where it was found, for messages.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// The whole file.
    ///
    /// # Errors
    /// If it can't be read, or is larger than [`MAX_WHOLE_BYTES`].
    pub fn bytes(mut self) -> Result<Vec<u8>> {
        self.file.rewind().map_err(|e| Error::io(&self.place, e))?;
        read_at_most(&mut self.file, &self.place, MAX_WHOLE_BYTES)
    }

    /// Puts it at a new place as a hard link, which uses no space; as a copy where links can't be made.
    ///
    /// # Errors
    /// If the place can't be written to.
    pub fn link_to(self, to: &Path) -> std::io::Result<()> {
        if self.is_linked_to(to)? { Ok(()) } else { self.copy_to(to) }
    }

    /// Puts it at a new place as a hard link. False where none can be made: nothing is there then.
    ///
    /// # Errors
    /// If the place can't be looked at.
    pub fn is_linked_to(&self, to: &Path) -> std::io::Result<bool> {
        if std::fs::hard_link(&self.place, to).is_err() {
            return Ok(false);
        }
        if !self.is_at(to)? {
            // Another file has taken its place since it was looked at.
            std::fs::remove_file(to)?;
            return Ok(false);
        }
        Ok(true)
    }

    /// Copies it to a new place.
    ///
    /// # Errors
    /// If the place can't be written to.
    pub fn copy_to(mut self, to: &Path) -> std::io::Result<()> {
        self.file.rewind()?;
        std::io::copy(&mut self.file, &mut File::create_new(to)?).map(|_| ())
    }

    #[cfg(unix)]
    fn is_at(&self, to: &Path) -> std::io::Result<bool> {
        use std::os::unix::fs::MetadataExt;
        let [own, linked] = [self.file.metadata()?, to.symlink_metadata()?].map(|about| (about.dev(), about.ino()));
        Ok(own == linked)
    }

    #[cfg(not(unix))]
    fn is_at(&self, to: &Path) -> std::io::Result<bool> {
        Ok(to.symlink_metadata()?.is_file())
    }
}

/// Most segments of a JPEG file before the one with its size.
const MAX_SEGMENTS: usize = 10_000;

/// Kind and size of the picture at the beginning of a file; none if it is no PNG, JPEG or WebP picture with pixels.
///
/// # Errors
/// Those of the reader. A file that ends too early is no picture.
pub fn picture_head(reader: &mut (impl Read + Seek)) -> std::io::Result<Option<PictureHead>> {
    let head = match head(reader) {
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => None,
        other => other?,
    };
    Ok(head.filter(|head| head.size.iter().all(|&side| side > 0)))
}

fn head(reader: &mut (impl Read + Seek)) -> std::io::Result<Option<PictureHead>> {
    let start: [u8; 4] = take(reader)?;
    match start {
        [0xff, 0xd8, 0xff, _] => {
            reader.seek(SeekFrom::Current(-2))?;
            jpeg(reader)
        }
        [0x89, b'P', b'N', b'G'] => {
            let rest: [u8; 20] = take(reader)?;
            let sound = rest[..12] == *b"\r\n\x1a\n\0\0\0\x0dIHDR";
            let side = |at: usize| u32::from_be_bytes([rest[at], rest[at + 1], rest[at + 2], rest[at + 3]]);
            Ok(sound.then(|| PictureHead { kind: PictureKind::Png, size: [side(12), side(16)] }))
        }
        [b'R', b'I', b'F', b'F'] => {
            let rest: [u8; 26] = take(reader)?;
            let size = if rest[4..8] == *b"WEBP" { webp(&rest[8..]) } else { None };
            Ok(size.map(|size| PictureHead { kind: PictureKind::Webp, size }))
        }
        _ => Ok(None),
    }
}

/// From the first chunk: four letters, its length, what it holds.
fn webp(chunk: &[u8]) -> Option<[u32; 2]> {
    let word = |at: usize| u32::from(chunk[at]) | u32::from(chunk[at + 1]) << 8;
    match &chunk[..4] {
        b"VP8 " if chunk[11..14] == [0x9d, 0x01, 0x2a] => Some([word(14) & 0x3fff, word(16) & 0x3fff]),
        b"VP8L" if chunk[8] == 0x2f => {
            let bits = word(9) | word(11) << 16;
            Some([(bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1])
        }
        b"VP8X" => Some([(word(12) | u32::from(chunk[14]) << 16) + 1, (word(15) | u32::from(chunk[17]) << 16) + 1]),
        _ => None,
    }
}

/// From the segment that begins the frame.
fn jpeg(reader: &mut (impl Read + Seek)) -> std::io::Result<Option<PictureHead>> {
    for _ in 0..MAX_SEGMENTS {
        let [mark, mut kind]: [u8; 2] = take(reader)?;
        if mark != 0xff {
            return Ok(None);
        }
        let mut fill = 0;
        while kind == 0xff && fill < MAX_SEGMENTS {
            [kind] = take(reader)?;
            fill += 1;
        }
        match kind {
            0xc0..=0xcf if ![0xc4, 0xc8, 0xcc].contains(&kind) => {
                let [_, _, _, y1, y0, x1, x0]: [u8; 7] = take(reader)?;
                let size = [[x1, x0], [y1, y0]].map(|side| u32::from(u16::from_be_bytes(side)));
                return Ok(Some(PictureHead { kind: PictureKind::Jpeg, size }));
            }
            // The pixels begin, or the file ends.
            0xd9 | 0xda => return Ok(None),
            0x01 | 0xd0..=0xd7 => {}
            _ => {
                let length = u16::from_be_bytes(take(reader)?);
                reader.seek(SeekFrom::Current(i64::from(length.max(2)) - 2))?;
            }
        }
    }
    Ok(None)
}

fn take<const N: usize>(reader: &mut impl Read) -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes).map(|()| bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn head_of(bytes: &[u8]) -> Option<(PictureKind, [u32; 2])> {
        picture_head(&mut Cursor::new(bytes)).unwrap().map(|head| (head.kind, head.size))
    }

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x02\xd0\x08\x02\0\0\0";

    #[test]
    fn heads_are_read() {
        assert_eq!(head_of(PNG), Some((PictureKind::Png, [1280, 720])));
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xfe\0\x03c\xff\xc2\0\x0b\x08\x02\xd0\x05\0\x03";
        assert_eq!(head_of(jpeg), Some((PictureKind::Jpeg, [1280, 720])));
        // 1280 - 1 and 720 - 1 in 14 bits each.
        let bits = (1279_u32 | 719 << 14).to_le_bytes();
        let lossless = [b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f".as_slice(), &bits, &[0; 8]].concat();
        assert_eq!(head_of(&lossless), Some((PictureKind::Webp, [1280, 720])));
        let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\0\x05\xd0\x02";
        assert_eq!(head_of(lossy), Some((PictureKind::Webp, [1280, 720])));
        let extended = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\x04\0\xcf\x02\0";
        assert_eq!(head_of(extended), Some((PictureKind::Webp, [1280, 720])));
    }

    #[test]
    fn what_is_no_picture_has_no_head() {
        for bytes in [
            &b""[..],
            b"PATH=/bin\0HOME=/root\0",
            b"\x89PNG",
            b"RIFF\0\0\0\0WAVEfmt \0\0\0\0\0\0\0\0\0\0\0\0",
            b"\xff\xd8\xff\xd9",
        ] {
            assert_eq!(head_of(bytes), None, "{bytes:?}");
        }
        let mut empty = PNG.to_vec();
        empty[19] = 0;
        empty[18] = 0;
        assert_eq!(head_of(&empty), None, "no pixels");
        for end in 0..24 {
            assert_eq!(head_of(&PNG[..end]), None, "cut after {end} bytes");
        }
    }

    #[test]
    fn pictures_of_another_size_or_none_at_all_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.png"), PNG).unwrap();
        std::fs::write(folder.path().join("b.png"), "a secret").unwrap();
        let root = Root::new(folder.path());
        let error = |name: &str, size| root.picture(name, size).unwrap_err().to_string();
        assert!(error("a.png", Some([1280, 721])).ends_with("a picture of 1280x720 px, expected 1280x721 px, as recorded"));
        assert!(error("b.png", None).ends_with("b.png: found no picture, expected a PNG, JPEG or WebP picture"));
        let (linked, copied) = (folder.path().join("linked"), folder.path().join("copied"));
        root.picture("a.png", Some([1280, 720])).unwrap().link_to(&linked).unwrap();
        root.picture("a.png", None).unwrap().copy_to(&copied).unwrap();
        assert_eq!((std::fs::read(linked).unwrap(), std::fs::read(copied).unwrap()), (PNG.to_vec(), PNG.to_vec()));
        assert!(root.picture_if_any("none.png", None).unwrap().is_none());
        assert_eq!(root.picture("a.png", None).unwrap().bytes().unwrap(), PNG);
    }
}
