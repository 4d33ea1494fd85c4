//! What a run would make, without making it: a few samples are made in memory, and the rest is reckoned from them.

use std::io::Write;

use serde::Serialize;

use windesk_files::compressed::compressing;
use windesk_model::Error;

use super::conclude::{SampleText, image_path, line, parts_of};
use super::settings::RunSettings;
use super::source::{DatasetKind, SampleSource};

/// Indices that are made for it, evenly spread.
const PROBED: u64 = 8;

/// What a run would make.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Name of the dataset.
    pub dataset: String,
    /// Indices of the run, `[first, one past the last]`.
    pub range: [u64; 2],
    /// Conditions.
    pub conditions: u64,
    /// Samples: indices times conditions.
    pub samples: u64,
    /// Parts.
    pub parts: u64,
    /// Bytes of images.
    pub image_bytes: u64,
    /// Bytes of files of lines: scenes, annotations, plans and what the dataset's kind adds.
    pub text_bytes: u64,
    /// Seconds with the threads asked for, pictures of windows in memory.
    pub seconds: f64,
    /// Threads.
    pub threads: usize,
    /// Samples that this was reckoned from.
    pub measured_samples: u64,
}

/// Estimates a run.
///
/// # Errors
/// If the assets are at fault.
pub fn estimate<S: SampleSource>(source: &S, settings: &RunSettings) -> Result<Estimate, Error> {
    let facts = source.facts();
    settings.check_size(source.scenes_per_index())?;
    let (first, indices) = (settings.range.start, settings.range.end - settings.range.start);
    let conditions = facts.conditions.len() as u64;
    let probed = indices.min(PROBED);
    let chosen: Vec<u64> = (0..probed).map(|n| first + n * indices / probed).collect();
    let (mut samples, mut image_bytes, mut text_bytes) = (0, 0, 0);
    let mut seconds = 0.0;
    // The first round decodes pictures, as only the beginning of a run does; the second one counts.
    for round in 0..2 {
        (samples, image_bytes, text_bytes) = (0_u64, 0_u64, 0_u64);
        #[allow(clippy::disallowed_methods, reason = "an estimate of time is no part of a dataset")]
        let started = std::time::Instant::now();
        for &index in &chosen {
            let outcome = source.outcome(index)?;
            let plans = outcome.plans.unwrap_or_default();
            let mut files = source.encode_all(&plans, settings.encoding());
            let mut records = Vec::with_capacity(plans.len());
            for (at, plan) in plans.iter().enumerate() {
                let id = source.scene_id(at, index, plan);
                let image = image_path(&id, index, source.scenes_per_index(), settings.format);
                let (mut record, state) = source.with_state(at, plan, image)?;
                image_bytes += files.next().expect("a file per plan")?.len() as u64;
                let text = SampleText::of(&mut record, plan, settings.form.records);
                let state = state.as_ref().map(line).unwrap_or_default();
                text_bytes += written_bytes(settings, &[text.scene, text.annotations, text.plan, state].concat());
                // Loaders read it as it is.
                text_bytes += text.metadata.len() as u64;
                records.push(record);
                samples += 1;
            }
            drop(files);
            if let Some(task) = source.task(&plans, &records) {
                text_bytes += written_bytes(settings, &line(&task));
            }
        }
        if round == 1 {
            seconds = started.elapsed().as_secs_f64();
        }
    }
    // Tasks differ in their number of steps: as many as those that were made.
    let all = if facts.kind == DatasetKind::Tasks { indices * samples / probed.max(1) } else { indices * conditions };
    let scaled = |bytes: u64| (u128::from(bytes) * u128::from(all) / u128::from(samples.max(1))) as u64;
    Ok(Estimate {
        dataset: facts.name.to_owned(),
        range: [settings.range.start, settings.range.end],
        conditions,
        samples: all,
        parts: parts_of(&settings.range, source.scenes_per_index()).len() as u64,
        image_bytes: scaled(image_bytes),
        text_bytes: scaled(text_bytes),
        seconds: seconds / samples.max(1) as f64 * all as f64 / settings.threads as f64,
        threads: settings.threads,
        measured_samples: samples,
    })
}

/// How long a text is on the disk.
fn written_bytes(settings: &RunSettings, text: &[u8]) -> u64 {
    if !settings.form.compressed {
        return text.len() as u64;
    }
    let mut compressed = compressing(Vec::new());
    compressed.write_all(text).and_then(|()| compressed.finish()).expect("writing to memory").len() as u64
}
