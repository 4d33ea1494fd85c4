//! Reads a dataset's scenes and plans one by one.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use windesk_files::compressed::{is_compressed, readable};
use windesk_files::{MAX_LINE_BYTES, Root, read_line};
use windesk_model::Error;
use windesk_model::part_list::{Part, PartList, VERIFY};
use windesk_model::record::{SCHEMA_VERSION, SceneRecord};

use crate::{Manifest, Records};

/// Lines of a finished dataset's files of one kind, in order, each with its place. Holds one line at a time. A part
/// that has ended with fewer or more lines than the manifest says is an error.
pub struct LinesReader {
    root: Root,
    kind: String,
    list: PartList,
    /// Places in the list and names of the files that are left.
    files: std::vec::IntoIter<(usize, String)>,
    file: Option<OpenFile>,
    line: Vec<u8>,
}

/// The file that is being read.
struct OpenFile {
    path: PathBuf,
    /// Place of its part in the list.
    part: usize,
    /// Lines that were read.
    lines: u64,
    text: Box<dyn BufRead + Send>,
}

impl LinesReader {
    /// Begins with the first part that the manifest names. `kind` is `scenes`, `annotations`,
    /// `plans`, `tasks` or `states`.
    pub fn open<S>(dataset: &Path, manifest: &Manifest<S>, kind: &str) -> Self {
        let list = manifest.part_list();
        let file = |(at, part): (usize, &Part)| Some((at, manifest.form.text_file(kind, part.number()?)));
        let files: Vec<(usize, String)> = list.parts.iter().enumerate().filter_map(file).collect();
        let (root, kind) = (Root::new(dataset), kind.to_owned());
        Self { root, kind, list, files: files.into_iter(), file: None, line: Vec::new() }
    }

    /// The next line, without its line feed, and its place.
    fn next_line(&mut self) -> Result<Option<(String, &[u8])>, Error> {
        loop {
            if let Some(OpenFile { path, part, lines, text }) = &mut self.file {
                let place = format!("{}:{}", path.display(), *lines + 1);
                self.line.clear();
                match read_line(text, &mut self.line, MAX_LINE_BYTES) {
                    Ok(0) => {
                        let whole = self.list.check_lines(*part, &self.kind, path, *lines);
                        self.file = None;
                        whole?;
                    }
                    Ok(_) => {
                        *lines += 1;
                        return Ok(Some((place, self.line.trim_ascii_end())));
                    }
                    Err(error) => {
                        // What follows is in the middle of a line.
                        self.file = None;
                        return Err(Error::at(&place, error));
                    }
                }
                continue;
            }
            let Some((part, name)) = self.files.next() else { return Ok(None) };
            let file = self.root.open(&name).map_err(|error| error.with_hint(VERIFY))?;
            let path = self.root.place(name);
            let text = readable(file, is_compressed(&path));
            self.file = Some(OpenFile { path, part, lines: 0, text });
        }
    }
}

impl Iterator for LinesReader {
    type Item = Result<(String, Vec<u8>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_line().map(|line| line.map(|(place, line)| (place, line.to_vec()))).transpose()
    }
}

/// The scenes of a finished dataset, in order. Holds one line at a time.
pub struct ScenesReader {
    lines: LinesReader,
    /// Why there is nothing to read.
    refusal: Option<Error>,
}

impl ScenesReader {
    /// Begins with the first part that the manifest names. The only scene of a dataset without records is an error.
    pub fn open<S>(dataset: &Path, manifest: &Manifest<S>) -> Self {
        let refusal = (manifest.form.records == Records::None).then(|| {
            let error = Error::path(dataset, "found no scenes: it was made with option `records` none, expected their records");
            error.with_hint("`annotations/` holds what is asked for; option `records` full or targets writes scenes")
        });
        Self { lines: LinesReader::open(dataset, manifest, "scenes"), refusal }
    }
}

impl Iterator for ScenesReader {
    type Item = Result<SceneRecord<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.refusal.take() {
            self.lines.files = Vec::new().into_iter();
            return Some(Err(error));
        }
        match self.lines.next_line() {
            Ok(line) => line.map(|(place, line)| parse(&place, line)),
            Err(error) => Some(Err(error)),
        }
    }
}

/// Whether a record's path is that of a picture inside its dataset.
pub(super) fn names_a_picture(image: &str) -> bool {
    let harmless = !image.split(['/', '\\']).any(|part| part.is_empty() || part.starts_with('.'));
    harmless && image.starts_with("images/") && !image.contains('\0')
}

fn parse(place: &str, line: &[u8]) -> Result<SceneRecord<'static>, Error> {
    let scene: SceneRecord =
        serde_json::from_slice(line).map_err(|e| Error::at(place, format!("{e}, expected a scene")).with_hint(VERIFY))?;
    if scene.schema_version != SCHEMA_VERSION {
        return Err(Error::at(place, format!("schema_version {}, expected {SCHEMA_VERSION}", scene.schema_version)));
    }
    scene.check().map_err(|problem| Error::at(place, problem))?;
    // Names become paths below; `verify` checks that they are the very names that the key gives.
    if !names_a_picture(&scene.image) || scene.id.contains(['/', '\\', '\0']) {
        return Err(Error::at(place, format!("image `{}` of `{}`, expected a path inside the dataset", scene.image, scene.id)));
    }
    Ok(scene)
}
