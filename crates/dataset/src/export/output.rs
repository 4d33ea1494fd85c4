//! Files of an export: JSON lists and lines written as they come, and the pictures.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use windesk_files::{MAX_WHOLE_BYTES, Picture, Root};
use windesk_model::digest::hex_digest;
use windesk_model::split::Split;

use super::{Error, ImageMode};

/// Where a format wants its pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImagePlace {
    /// In `images/<part>/`; records name them from the export's folder.
    Below,
    /// The same in a folder that has the name of the split, if there is one.
    BelowSplit,
    /// In `images/<part>/`; records name them from `images/`.
    InImages,
    /// Inside the format's own files.
    Embedded,
}

/// The folder being written.
pub(super) struct Output {
    dataset: Root,
    root: PathBuf,
    /// Where `images/` is.
    above_images: PathBuf,
    place: ImagePlace,
    mode: ImageMode,
    /// Of the folder whose pictures were read last.
    sums: RefCell<Sums>,
    files: BTreeMap<String, OpenFile>,
}

/// Digests of the pictures of a folder of the dataset, by their names.
#[derive(Default)]
struct Sums {
    folder: String,
    /// Null where the folder has no list.
    by_name: Option<BTreeMap<String, String>>,
}

/// The list of digests in a folder of pictures.
const SUMS: &str = "SHA256SUMS";

struct OpenFile {
    writer: BufWriter<File>,
    records: u64,
    form: FileForm,
}

/// What a file is as a whole.
#[derive(Clone, Copy)]
enum FileForm {
    /// What was appended.
    Plain,
    /// A JSON list.
    List,
    /// A JSON object that holds a list.
    ListUnder,
}

impl Output {
    pub(super) fn new(dataset: &Path, root: &Path, place: ImagePlace, split: Option<Split>, mode: ImageMode) -> Self {
        let above_images = match split.filter(|_| place == ImagePlace::BelowSplit) {
            Some(split) => root.join(split.name()),
            None => root.to_owned(),
        };
        Self {
            dataset: Root::new(dataset),
            root: root.to_owned(),
            above_images,
            place,
            mode,
            sums: RefCell::default(),
            files: BTreeMap::new(),
        }
    }

    /// A path in the export.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Brings a picture along and gives the path under which records name it. `image` is its path in the dataset,
    /// `size` what was recorded of it.
    pub(super) fn place_image(&self, image: &str, size: [u32; 2]) -> Result<String, Error> {
        let inside = image.strip_prefix("images/").unwrap_or(image);
        if self.place != ImagePlace::Embedded {
            self.bring_to(image, size, &self.above_images.join("images").join(inside))?;
        }
        Ok(if self.place == ImagePlace::InImages { inside.to_owned() } else { format!("images/{inside}") })
    }

    /// Brings a picture along to a path in the export.
    pub(super) fn bring(&self, image: &str, size: [u32; 2], to: &str) -> Result<(), Error> {
        self.bring_to(image, size, &self.path(to))
    }

    fn bring_to(&self, image: &str, size: [u32; 2], to: &Path) -> Result<(), Error> {
        if self.mode == ImageMode::None {
            return Ok(());
        }
        let picture = self.picture(image, size)?;
        let from = picture.place().display().to_string();
        let failed = |e: std::io::Error| Error::at(&from, format!("can't be brought along: {e}"));
        std::fs::create_dir_all(to.parent().unwrap_or(&self.root)).map_err(failed)?;
        if self.mode == ImageMode::Link && picture.is_linked_to(to).map_err(failed)? {
            return Ok(());
        }
        let bytes = self.as_listed(image, picture)?;
        File::create_new(to).and_then(|mut file| file.write_all(&bytes)).map_err(failed)
    }

    /// The bytes of a picture.
    pub(super) fn read_image(&self, image: &str, size: [u32; 2]) -> Result<Vec<u8>, Error> {
        self.as_listed(image, self.picture(image, size)?)
    }

    /// The bytes of a picture, which must be those that the dataset lists: what is copied damaged looks sound ever
    /// after.
    fn as_listed(&self, image: &str, picture: Picture) -> Result<Vec<u8>, Error> {
        let place = picture.place().display().to_string();
        let bytes = picture.bytes()?;
        let (folder, name) = image.rsplit_once('/').unwrap_or(("", image));
        let mut sums = self.sums.borrow_mut();
        if sums.folder != folder {
            *sums = Sums { folder: folder.to_owned(), by_name: self.listed(folder)? };
        }
        let Some(by_name) = &sums.by_name else { return Ok(bytes) };
        let digest = hex_digest(&bytes);
        let found = match by_name.get(name) {
            Some(listed) if *listed == digest => return Ok(bytes),
            Some(listed) => format!("SHA-256 is {digest}, {SUMS} says {listed}"),
            None => format!("{SUMS} beside it does not list it"),
        };
        Err(Error::at(place, found).with_hint("`windesk verify` says what is wrong with the dataset"))
    }

    /// The digests that a folder of the dataset lists; none if it has no list.
    fn listed(&self, folder: &str) -> Result<Option<BTreeMap<String, String>>, Error> {
        let list = self.dataset.read_if_any(format!("{folder}/{SUMS}"), MAX_WHOLE_BYTES)?;
        Ok(list.map(|list| {
            let lines = String::from_utf8_lossy(&list);
            let pairs = lines.lines().filter_map(|line| line.split_once("  "));
            pairs.map(|(digest, name)| (name.to_owned(), digest.to_owned())).collect()
        }))
    }

    fn picture(&self, image: &str, size: [u32; 2]) -> Result<Picture, Error> {
        self.dataset.picture(image, Some(size))
    }

    /// Appends a record to a JSON list.
    pub(super) fn list(&mut self, name: &str, record: &impl Serialize) -> Result<(), Error> {
        let failed = |e: std::io::Error| Error::at(name, e);
        let file = self.file(name, FileForm::List)?;
        file.writer.write_all(if file.records == 0 { b"[\n" } else { b",\n" }).map_err(failed)?;
        file.records += 1;
        serde_json::to_writer(&mut file.writer, record).map_err(|e| failed(e.into()))
    }

    /// Appends a record to the list that is all that a JSON object holds, under `key`.
    pub(super) fn list_under(&mut self, key: &'static str, name: &str, record: &impl Serialize) -> Result<(), Error> {
        let failed = |e: std::io::Error| Error::at(name, e);
        let file = self.file(name, FileForm::ListUnder)?;
        let begin = format!("{{\"{key}\": [\n");
        file.writer.write_all(if file.records == 0 { begin.as_bytes() } else { b",\n" }).map_err(failed)?;
        file.records += 1;
        serde_json::to_writer(&mut file.writer, record).map_err(|e| failed(e.into()))
    }

    /// Appends a line of JSON.
    pub(super) fn line(&mut self, name: &str, record: &impl Serialize) -> Result<(), Error> {
        let mut line = serde_json::to_vec(record).expect("plain data");
        line.push(b'\n');
        self.append(name, &line)
    }

    /// Appends bytes.
    pub(super) fn append(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let file = self.file(name, FileForm::Plain)?;
        file.records += 1;
        file.writer.write_all(bytes).map_err(|e| Error::at(name, e))
    }

    /// Writes a whole small file.
    pub(super) fn whole(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.path(name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, text));
        made.map_err(|e| Error::at(name, e))
    }

    fn file(&mut self, name: &str, form: FileForm) -> Result<&mut OpenFile, Error> {
        if !self.files.contains_key(name) {
            let path = self.path(name);
            let made = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| File::create(&path));
            let writer = BufWriter::with_capacity(1 << 16, made.map_err(|e| Error::at(name, e))?);
            self.files.insert(name.to_owned(), OpenFile { writer, records: 0, form });
        }
        Ok(self.files.get_mut(name).expect("just put there"))
    }

    /// Closes a file before the end, if it is open.
    pub(super) fn close(&mut self, name: &str) -> Result<(), Error> {
        let Some(mut file) = self.files.remove(name) else { return Ok(()) };
        let end: &[u8] = match file.form {
            FileForm::Plain => b"",
            FileForm::List => b"\n]\n",
            FileForm::ListUnder => b"\n]}\n",
        };
        file.writer.write_all(end).and_then(|()| file.writer.flush()).map_err(|e| Error::at(name, e))
    }

    /// Ends lists and writes out everything.
    pub(super) fn finish(&mut self) -> Result<(), Error> {
        let names: Vec<String> = self.files.keys().cloned().collect();
        names.iter().try_for_each(|name| self.close(name))
    }
}
