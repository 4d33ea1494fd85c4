//! Makes samples again and compares them with what the folder holds.

use std::collections::BTreeMap;

use image::ImageFormat as FileFormat;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use windesk_engine::render::{Encoder, Encoding, Frame, ImageFormat, decode_limited, former_jpeg};
use windesk_files::{MAX_WHOLE_BYTES, Root};
use windesk_model::Error;
use windesk_model::digest::hex_digest;
use windesk_model::finding::Finding;
use windesk_model::geometry::Rect;
use windesk_model::progress::Progress;
use windesk_model::record::SceneRecord;

use super::compare::{difference, differing_annotations};
use super::part::{ExpectedSample, PartText};
use super::{AnyManifest, AuditReport};
use crate::conclude::{annotation_lines, line as json_line};
use crate::form::Records;
use crate::instances::with_truth;
use crate::source::SampleSource;
use crate::stats::Stats;

/// One part and what is known of it.
pub(super) struct Remake<'a, S> {
    pub(super) root: Root,
    pub(super) manifest: &'a AnyManifest,
    /// Without one only digests of images are checked.
    pub(super) source: Option<&'a S>,
    pub(super) rejections: &'a BTreeMap<u64, Vec<Vec<u8>>>,
    pub(super) text: &'a PartText,
    pub(super) part: u64,
    pub(super) samples: &'a [ExpectedSample],
    /// Counts indices.
    pub(super) progress: &'a dyn Progress,
}

/// What one index gave.
#[derive(Default)]
struct Checked {
    findings: Vec<Finding>,
    remade: u64,
    recounted: u64,
    /// Of what was made again.
    stats: Stats,
}

impl Checked {
    fn find(&mut self, place: impl Into<String>, problem: impl Into<String>) {
        self.findings.push(Finding { place: place.into(), problem: problem.into() });
    }
}

impl<S: SampleSource> Remake<'_, S> {
    /// Checks the given indices with several threads; findings come in their order. Returns the statistics of what was
    /// made again.
    pub(super) fn check(&self, indices: &[u64], threads: usize, report: &mut AuditReport) -> Stats {
        let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).build().expect("threads can be started");
        // One index at a time: they differ in work.
        let indices = indices.par_iter().with_max_len(1);
        let checked = indices.map(|&index| self.check_index(index)).inspect(|_| self.progress.advance(1));
        let checked: Vec<Checked> = pool.install(|| checked.collect());
        let mut stats = Stats::default();
        for checked in checked {
            report.findings.extend(checked.findings);
            report.remade += checked.remade;
            report.recounted += checked.recounted;
            stats.merge(&checked.stats);
        }
        stats
    }

    fn check_index(&self, index: u64) -> Checked {
        let mut checked = Checked::default();
        let samples: Vec<&ExpectedSample> = self.samples.iter().filter(|s| s.index == index).collect();
        let images: Vec<Option<Vec<u8>>> = samples.iter().map(|s| self.read_image(s, &mut checked)).collect();
        let Some(source) = self.source else { return checked };
        let outcome = match source.outcome(index) {
            Ok(outcome) => outcome,
            Err(error) => {
                checked.find(format!("index {index}"), format!("can't be made again: {error:#}"));
                return checked;
            }
        };
        let expected: Vec<Vec<u8>> = outcome.rejections.iter().map(json_line).collect();
        let found = self.rejections.get(&index).map_or(&[][..], Vec::as_slice);
        if !expected.iter().map(|line| &line[..line.len() - 1]).eq(found.iter().map(Vec::as_slice)) {
            checked.find(
                "rejections.jsonl",
                format!("index {index}: found {} rejected draws, not the {} that its key gives", found.len(), expected.len()),
            );
        }
        match outcome.plans {
            None if !samples.is_empty() => {
                checked.find("manifest.json", format!("holes: index {index} gives no sample, and is not listed"))
            }
            Some(_) if samples.is_empty() => {
                checked.find("manifest.json", format!("holes: index {index} is listed, and gives a sample"))
            }
            plans => {
                self.check_task(source, index, plans.as_deref().unwrap_or_default(), &samples, &mut checked);
                for ((plan, sample), image) in plans.iter().flatten().zip(&samples).zip(&images) {
                    if let Err(error) = self.check_sample(source, plan, sample, image.as_deref(), &mut checked) {
                        checked.find(&sample.id, format!("can't be made again: {error:#}"));
                    }
                }
            }
        }
        checked
    }

    /// The task of an index follows from its plans.
    fn check_task(&self, source: &S, index: u64, plans: &[S::Plan], samples: &[&ExpectedSample], checked: &mut Checked) {
        let Some(found) = self.text.tasks.get(&index) else { return };
        let place = format!("{}:{}", self.manifest.form.text_file("tasks", self.part), found.number);
        if plans.len() != samples.len() {
            return checked.find(place, format!("{} steps, expected {}", samples.len(), plans.len()));
        }
        let scenes = plans.iter().zip(samples).map(|(plan, sample)| source.record(sample.at, plan, sample.image.clone()));
        match scenes.collect::<Result<Vec<_>, _>>().map(|scenes| source.task(plans, &scenes)) {
            Ok(Some(task)) => {
                let expected = json_line(&task);
                if found.line[..] != expected[..expected.len() - 1] {
                    checked.find(place, format!("{}: {}", task.id, difference(&found.line, &expected)));
                }
            }
            Ok(None) => checked.find(place, "a task of scenes that stand alone"),
            Err(error) => checked.find(place, format!("can't be made again: {error:#}")),
        }
    }

    fn read_image(&self, sample: &ExpectedSample, checked: &mut Checked) -> Option<Vec<u8>> {
        // A missing file has been reported with the listing.
        let bytes = self.root.read_if_any(&sample.image, MAX_WHOLE_BYTES);
        let bytes = bytes.map_err(|error| checked.find(&sample.image, error.to_string())).ok()??;
        let file = sample.image.rsplit('/').next().unwrap_or_default();
        let digest = hex_digest(&bytes);
        if let Some(listed) = self.text.sums.0.get(file).filter(|&listed| *listed != digest) {
            checked.find(&sample.image, format!("SHA-256 is {digest}, SHA256SUMS says {listed}"));
        }
        Some(bytes)
    }

    fn check_sample(
        &self,
        source: &S,
        plan: &S::Plan,
        sample: &ExpectedSample,
        image: Option<&[u8]>,
        checked: &mut Checked,
    ) -> Result<(), Error> {
        checked.remade += 1;
        let compare = |kind: &str, found: Option<&(usize, Vec<u8>)>, expected: &[u8], checked: &mut Checked| {
            if let Some((number, line)) = found
                && line[..] != expected[..expected.len() - 1]
            {
                let problem = format!("{}: {}", sample.id, difference(line, expected));
                checked.find(format!("{}:{number}", self.manifest.form.text_file(kind, self.part)), problem);
            }
        };
        compare("plans", self.text.plans.get(&sample.id), &json_line(plan), checked);
        let (record, state) = source.with_state(sample.at, plan, sample.image.clone())?;
        let records = self.manifest.form.records;
        if records != Records::Full {
            checked.stats.add_sample(&record);
        }
        if records == Records::None {
            let name = self.manifest.form.text_file("annotations", self.part);
            let found = self.text.annotations.get(&sample.id).map_or(&[][..], Vec::as_slice);
            for (place, problem) in differing_annotations(&name, &sample.id, found, &annotation_lines(&record)) {
                checked.find(place, problem);
            }
        }
        if let Some(state) = &state {
            compare("states", self.text.states.get(&sample.id), &json_line(state), checked);
        }
        let found = self.text.scenes.get(&sample.id);
        let recounted = if records == Records::Full {
            compare("scenes", found, &json_line(&record), checked);
            let place = |number: usize| format!("{}:{number}", self.manifest.form.text_file("scenes", self.part));
            found.and_then(|(number, line)| Some((place(*number), serde_json::from_slice::<SceneRecord>(line).ok()?)))
        } else {
            let mut written = record.clone();
            records.reduce(&mut written);
            compare("scenes", found, &json_line(&written), checked);
            // What is left out of the record is counted in the one that the plan gives.
            Some((sample.id.clone(), record.clone()))
        };
        if let Some((place, record)) = recounted {
            for problem in source.recount(plan, &record)? {
                checked.find(&place, problem);
            }
            checked.recounted += record.truth.elements.len() as u64;
        }
        let mut frame = source.render(plan)?;
        if let Some(bytes) = image {
            if self.manifest.format == ImageFormat::Jpeg {
                let quality = self.manifest.form.quality;
                let now = Encoding { format: ImageFormat::Jpeg, quality }.encode(&frame);
                // What an earlier build wrote is as sound as what this one writes.
                let is_former = bytes != now && bytes == former_jpeg(&frame, quality);
                let written = if is_former { bytes } else { &now };
                frame = decode(written, FileFormat::Jpeg).map_err(|e| Error::at("jpeg", e))?;
            }
            compare_pixels(&sample.image, bytes, file_format(self.manifest.format), &frame, checked);
        }
        let overlay = format!("overlays/{:05}/{}.png", self.part, sample.id);
        if let Some(bytes) = self.root.read_if_any(&overlay, MAX_WHOLE_BYTES)? {
            // Nothing lists their digests, so they must be as this program writes them.
            let expected = with_truth(source.render(plan)?, &record.truth, state.as_ref());
            if bytes != ImageFormat::Png.encode(&expected) {
                checked.find(&overlay, "not as this program writes it");
                compare_pixels(&overlay, &bytes, FileFormat::Png, &expected, checked);
            }
        }
        Ok(())
    }
}

fn file_format(format: ImageFormat) -> FileFormat {
    match format {
        ImageFormat::Png => FileFormat::Png,
        ImageFormat::Jpeg => FileFormat::Jpeg,
        ImageFormat::Webp => FileFormat::WebP,
    }
}

fn decode(bytes: &[u8], format: FileFormat) -> Result<Frame, String> {
    let picture = decode_limited(bytes, Some(format)).map_err(|e| e.to_string())?.into_rgb8();
    let size = [picture.width(), picture.height()].try_into()?;
    Ok(Frame { size, rgb: picture.into_raw() })
}

fn compare_pixels(name: &str, bytes: &[u8], format: FileFormat, expected: &Frame, checked: &mut Checked) {
    let found = match decode(bytes, format) {
        Ok(found) => found,
        Err(error) => return checked.find(name, format!("{error}, expected a picture")),
    };
    if found.size != expected.size {
        return checked.find(name, format!("found {:?}, expected {:?}", found.size, expected.size));
    }
    if found.rgb != expected.rgb {
        let (count, around) = differing(&found, expected);
        checked.find(name, format!("{count} pixels differ from what the plan gives, within {around:?}"));
    }
}

/// How many pixels differ, and the box around them as `[x0, y0, x1, y1]`.
fn differing(found: &Frame, expected: &Frame) -> (u64, Option<[i32; 4]>) {
    let width = found.size.width as usize;
    let pairs = found.rgb.as_chunks::<3>().0.iter().zip(expected.rgb.as_chunks::<3>().0);
    let differing =
        pairs.enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| Rect::at((at % width) as i32, (at / width) as i32, 1, 1));
    let (mut count, mut around) = (0, None::<Rect>);
    for pixel in differing {
        count += 1;
        around = Some(around.map_or(pixel, |a| a.union(pixel)));
    }
    (count, around.map(Into::into))
}
