//! Whether a finished dataset is that of a benchmark, and its manifest saying so.

use std::io::Read;
use std::path::Path;

use image::ImageFormat as FileFormat;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};

use windesk_desktop::setting::StateStudy;
use windesk_desktop::task::TaskStudy;
use windesk_engine::icon_probe::ProbeStudy;
use windesk_engine::render::{ImageFormat, decode_limited};
use windesk_engine::study::Study;
use windesk_files::{Durability, MAX_WHOLE_BYTES, Root};
use windesk_model::Error;
use windesk_model::benchmark::{BenchmarkClaim, Frozen};
use windesk_model::digest::hex;

use super::bench::Bench;
use super::conclude::{pretty, with_manifest_digest};
use super::form::Form;
use super::manifest::Manifest;
use super::source::DatasetKind;

/// By what a finished dataset is known.
///
/// # Errors
/// If a file can't be read, or is no picture.
pub fn measure(root: &Path, manifest: &Manifest<Value>, threads: usize) -> Result<Frozen, Error> {
    let files = Files { root: Root::new(root), manifest };
    let text = files.text()?;
    Ok(Frozen { pixels_sha256: files.pixels(&text.sums, threads)?, ..text.frozen })
}

/// In what a finished dataset differs from what a benchmark says of it, in words; nothing if it is that dataset. Pixels
/// are looked at only where the files of images differ: an encoder may write the same picture in other bytes.
///
/// # Errors
/// As [`measure`].
pub fn differences(root: &Path, manifest: &Manifest<Value>, expected: &Frozen, threads: usize) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    let [first, end] = manifest.range;
    if (first, end) != (0, manifest.count) {
        found.push(format!("indices: found {first}..{end}, expected 0..{}", manifest.count));
    }
    if manifest.form != Form::default() || manifest.format != ImageFormat::Png {
        found.push("form of the files: found reduced, compressed or lossy ones, expected PNG images and full records".to_owned());
    }
    let files = Files { root: Root::new(root), manifest };
    let text = files.text()?;
    let counts =
        [("samples", text.frozen.samples, expected.samples), ("instructions", text.frozen.instructions, expected.instructions)];
    for (what, is, should) in counts {
        if is != should {
            found.push(format!("{what}: found {is}, expected {should}"));
        }
    }
    let mut compare = |what: &str, is: &str, should: &str| {
        if is != should {
            found.push(format!("{what}: SHA-256 is {is}, expected {should}"));
        }
    };
    compare("scenes/*.jsonl", &text.frozen.scenes_sha256, &expected.scenes_sha256);
    compare("annotations/*.jsonl", &text.frozen.annotations_sha256, &expected.annotations_sha256);
    if text.frozen.images_sha256 != expected.images_sha256 {
        compare("pixels of images/*", &files.pixels(&text.sums, threads)?, &expected.pixels_sha256);
    }
    Ok(found)
}

/// Makes a manifest say of which benchmark its dataset is, or that it is of none. One that says so already stays as it
/// is.
///
/// # Errors
/// If the folder holds no finished dataset of this program, or can't be written to.
pub fn set_claim(root: &Path, kind: DatasetKind, claim: Option<BenchmarkClaim>, durability: Durability) -> Result<(), Error> {
    match kind {
        DatasetKind::Windows => rewrite::<Study>(root, claim, durability),
        DatasetKind::Bench => rewrite::<Bench>(root, claim, durability),
        DatasetKind::Tasks => rewrite::<TaskStudy>(root, claim, durability),
        DatasetKind::States => rewrite::<StateStudy>(root, claim, durability),
        DatasetKind::Icons => rewrite::<ProbeStudy>(root, claim, durability),
    }
}

fn rewrite<S: Serialize + DeserializeOwned>(
    root: &Path,
    claim: Option<BenchmarkClaim>,
    durability: Durability,
) -> Result<(), Error> {
    let (folder, path) = (Root::new(root), root.join("manifest.json"));
    let before = folder.read("manifest.json", MAX_WHOLE_BYTES)?;
    let mut manifest: Manifest<S> = serde_json::from_slice(&before).map_err(|e| Error::io(&path, e))?;
    if pretty(&manifest) != before {
        return Err(Error::path(&path, "found a manifest of another program, expected one that this program wrote"));
    }
    manifest.benchmark = claim;
    let after = pretty(&manifest);
    // The record of the run first: whoever is killed in between has a dataset without a claim, and says it again.
    let record = folder.read("run.json", MAX_WHOLE_BYTES)?;
    let with_digest = with_manifest_digest(&record, &after).map_err(|e| Error::io(root.join("run.json"), e))?;
    if with_digest != record {
        durability.write_whole(&root.join("run.json"), &with_digest)?;
    }
    if after != before {
        durability.write_whole(&path, &after)?;
    }
    Ok(())
}

/// The files of a finished dataset.
struct Files<'a> {
    root: Root,
    manifest: &'a Manifest<Value>,
}

/// What its text files say: all but the pixels, which are empty.
struct Text {
    frozen: Frozen,
    /// Names of images in order, by part.
    sums: Vec<(String, Vec<String>)>,
}

impl Files<'_> {
    fn text(&self) -> Result<Text, Error> {
        let [mut scenes, mut annotations, mut images] = [Sha256::new(), Sha256::new(), Sha256::new()];
        let (mut instructions, mut sums) = (0, Vec::new());
        for shard in &self.manifest.shards {
            let ending = self.manifest.form.ending();
            self.digest(&format!("scenes/{}{ending}", shard.name), &mut scenes)?;
            instructions += self.digest(&format!("annotations/{}{ending}", shard.name), &mut annotations)?;
            let folder = format!("images/{}", shard.name.trim_start_matches("part-"));
            let list = self.root.read(format!("{folder}/SHA256SUMS"), MAX_WHOLE_BYTES)?;
            images.update(&list);
            let names = String::from_utf8_lossy(&list);
            let names = names.lines().filter_map(|line| Some(line.split_once("  ")?.1.to_owned()));
            sums.push((folder, names.collect::<Vec<String>>()));
        }
        let frozen = Frozen {
            samples: sums.iter().map(|(_, names)| names.len() as u64).sum(),
            instructions,
            scenes_sha256: hex(&scenes.finalize()),
            annotations_sha256: hex(&annotations.finalize()),
            images_sha256: hex(&images.finalize()),
            pixels_sha256: String::new(),
        };
        Ok(Text { frozen, sums })
    }

    /// Digests a file and counts its lines.
    fn digest(&self, name: &str, sha256: &mut Sha256) -> Result<u64, Error> {
        let mut file = self.root.open(name)?;
        let (mut buffer, mut lines) = (vec![0; 1 << 16], 0);
        loop {
            let read = file.read(&mut buffer).map_err(|e| Error::io(self.root.place(name), e))?;
            if read == 0 {
                return Ok(lines);
            }
            sha256.update(&buffer[..read]);
            lines += buffer[..read].iter().filter(|&&b| b == b'\n').count() as u64;
        }
    }

    /// The digest over the digests of all decoded images, each with its name as `SHA256SUMS` writes it.
    fn pixels(&self, sums: &[(String, Vec<String>)], threads: usize) -> Result<String, Error> {
        let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).build().expect("threads can be started");
        let all: Vec<(&str, &str)> =
            sums.iter().flat_map(|(folder, names)| names.iter().map(move |name| (folder.as_str(), name.as_str()))).collect();
        let line =
            |folder: &str, name: &str| self.pixels_of(&format!("{folder}/{name}")).map(|digest| format!("{digest}  {name}\n"));
        let images = all.par_iter().with_max_len(1).map(|(folder, name)| line(folder, name));
        let lines: Result<Vec<String>, Error> = pool.install(|| images.collect());
        let mut sha256 = Sha256::new();
        lines?.iter().for_each(|line| sha256.update(line.as_bytes()));
        Ok(hex(&sha256.finalize()))
    }

    /// The digest of an image: width and height (4 bytes each, the lowest first), then red, green and blue of each
    /// pixel, row by row.
    fn pixels_of(&self, name: &str) -> Result<String, Error> {
        let bytes = self.root.read(name, MAX_WHOLE_BYTES)?;
        let picture = decode_limited(&bytes, Some(FileFormat::Png))
            .map_err(|e| Error::path(self.root.place(name), format!("{e}, expected a picture")))?
            .into_rgb8();
        let mut sha256 = Sha256::new();
        sha256.update(picture.width().to_le_bytes());
        sha256.update(picture.height().to_le_bytes());
        sha256.update(picture.as_raw());
        Ok(hex(&sha256.finalize()))
    }
}
