//! Reads a dataset's scenes one by one.

use std::fs::File;
use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};

use windesk_model::Error;
use windesk_model::record::{SCHEMA_VERSION, SceneRecord};

use crate::Manifest;

/// The scenes of a finished dataset, in order. Holds one line at a time.
pub struct ScenesReader {
    parts: std::vec::IntoIter<PathBuf>,
    part: Option<(PathBuf, usize, Lines<BufReader<File>>)>,
}

impl ScenesReader {
    /// Begins with the first part that the manifest names.
    pub fn open<S>(dataset: &Path, manifest: &Manifest<S>) -> Self {
        // Numbers, not names, so that no manifest leads out of the folder.
        let number = |name: &str| name.strip_prefix("part-")?.parse::<u64>().ok();
        let parts = manifest.shards.iter().filter_map(|s| number(&s.name));
        let parts: Vec<PathBuf> = parts.map(|n| dataset.join(format!("scenes/part-{n:05}.jsonl"))).collect();
        Self { parts: parts.into_iter(), part: None }
    }
}

impl Iterator for ScenesReader {
    type Item = Result<SceneRecord<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((path, number, lines)) = &mut self.part {
                *number += 1;
                if let Some(line) = lines.next() {
                    let place = format!("{}:{number}", path.display());
                    return Some(line.map_err(|e| Error::at(&place, e)).and_then(|line| parse(&place, &line)));
                }
            }
            let path = self.parts.next()?;
            match File::open(&path) {
                Ok(file) => self.part = Some((path, 0, BufReader::with_capacity(1 << 18, file).lines())),
                Err(error) => return Some(Err(Error::at(path.display(), error))),
            }
        }
    }
}

fn parse(place: &str, line: &str) -> Result<SceneRecord<'static>, Error> {
    let scene: SceneRecord = serde_json::from_str(line).map_err(|e| {
        Error::at(place, format!("{e}, expected a scene")).with_hint("`windesk verify` says what is wrong with the dataset")
    })?;
    if scene.schema_version != SCHEMA_VERSION {
        return Err(Error::at(place, format!("schema_version {}, expected {SCHEMA_VERSION}", scene.schema_version)));
    }
    scene.check().map_err(|problem| Error::at(place, problem))?;
    // Names become paths below; `verify` checks that they are the very names that the key gives.
    let harmless = |text: &str| !text.split(['/', '\\']).any(|part| part.is_empty() || part == "..");
    if !harmless(&scene.image) || scene.id.contains(['/', '\\']) {
        return Err(Error::at(place, format!("image `{}` of `{}`, expected a path inside the dataset", scene.image, scene.id)));
    }
    Ok(scene)
}
