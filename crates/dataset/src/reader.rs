//! Reads a dataset's scenes and plans one by one.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use windesk_files::compressed::{is_compressed, readable};
use windesk_files::{MAX_LINE_BYTES, Root, read_line};
use windesk_model::Error;
use windesk_model::record::{SCHEMA_VERSION, SceneRecord};

use crate::{Manifest, Records};

/// Lines of a finished dataset's files of one kind, in order, each with its place. Holds one line at a time.
pub struct LinesReader {
    root: Root,
    /// Names of the parts that are left.
    parts: std::vec::IntoIter<String>,
    part: Option<(PathBuf, usize, Box<dyn BufRead + Send>)>,
    line: Vec<u8>,
}

impl LinesReader {
    /// Begins with the first part that the manifest names. `kind` is `scenes`, `annotations`,
    /// `plans`, `tasks` or `states`.
    pub fn open<S>(dataset: &Path, manifest: &Manifest<S>, kind: &str) -> Self {
        // Numbers, not names, so that no manifest leads out of the folder.
        let number = |name: &str| name.strip_prefix("part-")?.parse::<u64>().ok();
        let parts = manifest.shards.iter().filter_map(|s| number(&s.name));
        let parts: Vec<String> = parts.map(|n| manifest.form.text_file(kind, n)).collect();
        Self { root: Root::new(dataset), parts: parts.into_iter(), part: None, line: Vec::new() }
    }

    /// The next line, without its line feed, and its place.
    fn next_line(&mut self) -> Result<Option<(String, &[u8])>, Error> {
        loop {
            if let Some((path, number, text)) = &mut self.part {
                *number += 1;
                let place = format!("{}:{number}", path.display());
                self.line.clear();
                match read_line(text, &mut self.line, MAX_LINE_BYTES) {
                    Ok(0) => self.part = None,
                    Ok(_) => return Ok(Some((place, self.line.trim_ascii_end()))),
                    Err(error) => {
                        // What follows is in the middle of a line.
                        self.part = None;
                        return Err(Error::at(&place, error));
                    }
                }
                continue;
            }
            let Some(name) = self.parts.next() else { return Ok(None) };
            let file = self.root.open(&name)?;
            let path = self.root.place(name);
            let text = readable(file, is_compressed(&path));
            self.part = Some((path, 0, text));
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
            self.lines.parts = Vec::new().into_iter();
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
    let scene: SceneRecord = serde_json::from_slice(line).map_err(|e| {
        Error::at(place, format!("{e}, expected a scene")).with_hint("`windesk verify` says what is wrong with the dataset")
    })?;
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
