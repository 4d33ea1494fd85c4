//! Fills a folder with a source's samples: workers make them, one writer puts them down in order.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use windesk_engine::pack::Pack;
use windesk_engine::render::{Encoder, ImageFormat};
use windesk_engine::study::{Outcome, Rejection};
use windesk_files::compressed::{compressing, is_compressed};
use windesk_files::{
    MAX_WHOLE_BYTES, PIECE_BYTES, Root, Syncs, in_background, remove_left_overs, temporary_name, write_in_pieces, write_unsynced,
};
use windesk_model::Error;
use windesk_model::digest::{hex, hex_digest};
use windesk_model::progress::Progress;

use super::assets::AssetKey;
use super::conclude::{
    METADATA, RunCourse, RunRecord, SampleText, identity, image_path, last_files, line, manifest_of, parts_of,
};
use super::folder::{Folder, Opened, PartFileFacts, PartMarker};
use super::form::Records;
use super::instances::with_truth;
use super::manifest::{Manifest, PartSummary};
use super::settings::RunSettings;
use super::source::{DatasetKind, Facts, SampleSource};
use super::stats::Stats;

/// What a run did.
#[derive(Clone, Debug)]
pub struct RunSummary {
    /// Samples in the folder.
    pub samples: u64,
    /// Samples made now; the others were there.
    pub made: u64,
    /// Indices that gave no sample.
    pub holes: Vec<u64>,
    /// Counts over the folder.
    pub stats: Stats,
    /// Seconds that the run took.
    pub seconds: f64,
}

impl RunSummary {
    /// Samples made per second.
    pub fn per_second(&self) -> f64 {
        self.made as f64 / self.seconds.max(1e-9)
    }
}

/// One finished sample on its way to the writer.
struct Sample {
    text: SampleText,
    image_name: String,
    /// The image first.
    pictures: Vec<(String, PartFileFacts)>,
    shown: BTreeSet<AssetKey>,
}

/// What one index gave.
struct Made {
    samples: Vec<Sample>,
    stats: Stats,
    rejections: Vec<Rejection>,
    hole: bool,
    /// Of tasks or of state instances.
    lines: Vec<u8>,
}

/// Runs a source over assets of `pack`.
///
/// # Errors
/// If the assets are at fault, or the folder holds something else or can't be written to. What is complete stays
/// complete.
pub fn run<S: SampleSource>(
    pack: &Pack,
    source: &S,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<RunSummary, Error> {
    #[allow(clippy::disallowed_methods, reason = "only run.json tells how long it took")]
    let started = std::time::Instant::now();
    settings.check_size(source.scenes_per_index())?;
    let identity = identity(source, settings);
    let folder = match Folder::open(&settings.out, &identity, settings.force, settings.durability)? {
        Opened::ToDo(folder) => folder,
        Opened::Complete => return completed_before(settings),
    };
    let facts = source.facts();
    let conditions = source.scenes_per_index();
    let parts = parts_of(&settings.range, conditions);
    let total = settings.range.end - settings.range.start;
    progress.begin(total * conditions as u64, "scenes");
    let mut made = 0;
    let mut markers = Vec::new();
    in_background(settings.durability, |syncs| {
        for (part, indices) in parts {
            let marker = match folder.marker(part)? {
                Some(marker) => {
                    progress.advance(marker.count);
                    marker
                }
                None => {
                    folder.unmark(part)?;
                    let job = Job { source, facts: &facts, folder: &folder, settings, part, syncs, progress };
                    let marker = job.make_part(indices)?;
                    made += marker.count;
                    marker
                }
            };
            markers.push((part, marker));
        }
        Ok(())
    })?;
    progress.end();
    let seconds = started.elapsed().as_secs_f64();
    finish(pack, source, settings, &folder, &markers, made, seconds)
}

/// Everything that the making of one part needs.
struct Job<'a, 'e, S> {
    source: &'a S,
    facts: &'a Facts<'a>,
    folder: &'e Folder,
    settings: &'a RunSettings,
    part: u64,
    syncs: &'a Syncs<'e>,
    progress: &'a dyn Progress,
}

impl<S: SampleSource> Job<'_, '_, S> {
    fn make_part(&self, indices: Range<u64>) -> Result<PartMarker, Error> {
        if self.settings.form.records != Records::None {
            self.settings.durability.create_folder(&self.folder.path("scenes"))?;
        }
        if let Some(lines) = self.facts.kind.lines() {
            self.settings.durability.create_folder(&self.folder.path(lines))?;
        }
        for pictures in ["images"].into_iter().chain(self.settings.overlay.then_some("overlays")) {
            let pictures = self.folder.path(format!("{pictures}/{:05}", self.part));
            std::fs::create_dir_all(&pictures).map_err(|e| Error::io(&pictures, e))?;
            // An earlier run may have been killed here.
            remove_left_overs(&pictures)?;
        }
        let threads = self.settings.threads.max(1);
        let next = AtomicU64::new(indices.start);
        let stop = AtomicBool::new(false);
        let (sender, receiver) = sync_channel(threads * 2);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let (sender, indices, next, stop) = (sender.clone(), &indices, &next, &stop);
                scope.spawn(move || self.work(indices, next, stop, &sender));
            }
            drop(sender);
            let written = self.write_in_order(indices.clone(), receiver);
            // Workers that wait for room in the channel wake up when the receiver is gone.
            stop.store(true, Ordering::Relaxed);
            written
        })
    }

    fn work(&self, indices: &Range<u64>, next: &AtomicU64, stop: &AtomicBool, sender: &SyncSender<(u64, Result<Made, Error>)>) {
        while !stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= indices.end {
                return;
            }
            if sender.send((index, self.make(index))).is_err() {
                return;
            }
        }
    }

    /// Makes the samples of one index and writes their images.
    fn make(&self, index: u64) -> Result<Made, Error> {
        let Outcome { plans, rejections } = self.source.outcome(index)?;
        let mut made =
            Made { samples: Vec::new(), stats: Stats::default(), hole: plans.is_none(), lines: Vec::new(), rejections };
        for rejection in &made.rejections {
            made.stats.add_rejection(rejection);
        }
        let plans = plans.unwrap_or_default();
        let mut scenes = Vec::with_capacity(plans.len());
        let mut files = self.source.encode_all(&plans, self.settings.encoding());
        for (at, plan) in plans.iter().enumerate() {
            let id = self.source.scene_id(at, index, plan);
            let image = image_path(&id, index, self.source.scenes_per_index(), self.settings.format);
            let image_name = image.rsplit('/').next().unwrap_or(&image).to_owned();
            let (mut record, state) = self.source.with_state(at, plan, image.clone())?;
            let bytes = files.next().expect("a file per plan")?;
            let mut pictures = vec![(image.clone(), self.write_picture(&image, &bytes)?)];
            if self.settings.overlay {
                let name = format!("overlays/{:05}/{id}.png", self.part);
                let overlay = ImageFormat::Png.encode(&with_truth(self.source.render(plan)?, &record.truth, state.as_ref()));
                let facts = self.write_picture(&name, &overlay)?;
                pictures.push((name, facts));
            }
            made.stats.add_sample(&record);
            made.lines.extend(state.iter().flat_map(line));
            let text = SampleText::of(&mut record, plan, self.settings.form.records);
            made.samples.push(Sample { text, image_name, pictures, shown: self.source.shown(plan) });
            scenes.push(record);
        }
        drop(files);
        made.lines.extend(self.source.task(&plans, &scenes).iter().flat_map(line));
        Ok(made)
    }

    fn write_picture(&self, name: &str, bytes: &[u8]) -> Result<PartFileFacts, Error> {
        let path = self.folder.path(name);
        write_unsynced(&path, bytes)?;
        self.syncs.file(path);
        Ok(PartFileFacts { bytes: bytes.len() as u64, sha256: hex_digest(bytes) })
    }

    /// Puts finished indices down in order and renames the part's files when all are there.
    fn write_in_order(&self, indices: Range<u64>, receiver: Receiver<(u64, Result<Made, Error>)>) -> Result<PartMarker, Error> {
        let form = self.settings.form;
        let create = |name: String| PartFile::create(self.folder.path(&name), name);
        let text = |kind: &str| create(form.text_file(kind, self.part));
        let mut scenes = if form.records == Records::None { None } else { Some(text("scenes")?) };
        let mut annotations = text("annotations")?;
        let mut plans = text("plans")?;
        let mut of_indices = self.facts.kind.lines().map(text).transpose()?;
        let mut metadata = create(format!("images/{:05}/{METADATA}", self.part))?;
        let mut sums = create(format!("images/{:05}/SHA256SUMS", self.part))?;
        let mut files = BTreeMap::new();
        let (mut stats, mut rejections, mut holes, mut count) = (Stats::default(), Vec::new(), Vec::new(), 0);
        let mut shown = BTreeSet::new();
        let mut waiting: BTreeMap<u64, Made> = BTreeMap::new();
        let mut at = indices.start;
        while at < indices.end {
            let (index, made) = receiver.recv().expect("workers send a result per index until they are told to stop");
            waiting.insert(index, made?);
            while let Some(made) = waiting.remove(&at) {
                for sample in made.samples {
                    let text = sample.text;
                    scenes.as_mut().map_or(Ok(()), |scenes| scenes.write(&text.scene))?;
                    annotations.write(&text.annotations)?;
                    metadata.write(&text.metadata)?;
                    plans.write(&text.plan)?;
                    sums.write(format!("{}  {}\n", sample.pictures[0].1.sha256, sample.image_name).as_bytes())?;
                    files.extend(sample.pictures);
                    shown.extend(sample.shown);
                    count += 1;
                    self.progress.advance(1);
                }
                if let Some(file) = &mut of_indices {
                    file.write(&made.lines)?;
                }
                stats.merge(&made.stats);
                rejections.extend(made.rejections);
                holes.extend(made.hole.then_some(at));
                at += 1;
            }
        }
        let mut complete = |file: PartFile| -> Result<String, Error> {
            let (name, path, facts) = file.complete()?;
            self.syncs.file(path);
            let digest = facts.sha256.clone();
            files.insert(name, facts);
            Ok(digest)
        };
        let scenes_sha256 = scenes.map_or_else(|| Ok(String::new()), &mut complete)?;
        let of_indices = of_indices.map_or_else(|| Ok(String::new()), &mut complete)?;
        let of_kind = |kind: DatasetKind| if self.facts.kind == kind { of_indices.clone() } else { String::new() };
        let [annotations_sha256, plans_sha256, images_sha256] = [complete(annotations)?, complete(plans)?, complete(sums)?];
        // It follows from the annotations: the manifest does not keep its digest.
        complete(metadata)?;
        let marker = PartMarker {
            first: indices.start,
            count,
            scenes_sha256,
            annotations_sha256,
            plans_sha256,
            tasks_sha256: of_kind(DatasetKind::Tasks),
            states_sha256: of_kind(DatasetKind::States),
            images_sha256,
            stats,
            rejections,
            holes,
            shown,
        };
        let (folder, part, written) = (self.folder, self.part, marker.clone());
        self.syncs.then(move || folder.mark(part, written, files))?;
        Ok(marker)
    }
}

/// A file of a part: has a temporary name until it is complete, and knows its digest. Its name says whether it is
/// compressed.
pub(super) struct PartFile {
    name: String,
    path: PathBuf,
    text: Text,
}

enum Text {
    Plain(Digesting),
    Compressed(GzEncoder<Digesting>),
}

/// A file that digests what is written to it.
struct Digesting {
    file: BufWriter<File>,
    bytes: u64,
    digest: Sha256,
}

impl Write for Digesting {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl PartFile {
    /// Begins the file of this name at its path.
    pub(super) fn create(path: PathBuf, name: String) -> Result<Self, Error> {
        let file = File::create(temporary_name(&path)).map_err(|e| Error::io(&path, e))?;
        let to = Digesting { file: BufWriter::with_capacity(PIECE_BYTES, file), bytes: 0, digest: Sha256::new() };
        let text = if is_compressed(&path) { Text::Compressed(compressing(to)) } else { Text::Plain(to) };
        Ok(Self { name, path, text })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let written = match &mut self.text {
            Text::Plain(file) => write_in_pieces(file, bytes),
            Text::Compressed(file) => file.write_all(bytes),
        };
        written.map_err(|e| Error::io(&self.path, e))
    }

    /// Its name in the dataset, its path, and what it is known by.
    pub(super) fn complete(self) -> Result<(String, PathBuf, PartFileFacts), Error> {
        let finished = match self.text {
            Text::Plain(file) => Ok(file),
            Text::Compressed(file) => file.finish(),
        };
        let done = finished.and_then(|mut file| {
            file.flush()?;
            std::fs::rename(temporary_name(&self.path), &self.path)?;
            Ok(PartFileFacts { bytes: file.bytes, sha256: hex(&file.digest.finalize()) })
        });
        let facts = done.map_err(|e| Error::io(&self.path, e))?;
        Ok((self.name, self.path, facts))
    }
}

fn finish<S: SampleSource>(
    pack: &Pack,
    source: &S,
    settings: &RunSettings,
    folder: &Folder,
    markers: &[(u64, PartMarker)],
    made: u64,
    seconds: f64,
) -> Result<RunSummary, Error> {
    let mut stats = Stats::default();
    let mut rejections = Vec::new();
    let mut holes = Vec::new();
    let mut shards = Vec::new();
    let mut shown = BTreeSet::new();
    for (part, marker) in markers {
        shown.extend(marker.shown.iter().cloned());
        stats.merge(&marker.stats);
        rejections.extend(marker.rejections.iter().flat_map(line));
        holes.extend(&marker.holes);
        shards.push(PartSummary {
            name: format!("part-{part:05}"),
            first: marker.first,
            count: marker.count,
            sha256: marker.scenes_sha256.clone(),
            annotations_sha256: marker.annotations_sha256.clone(),
            plans_sha256: marker.plans_sha256.clone(),
            tasks_sha256: marker.tasks_sha256.clone(),
            states_sha256: marker.states_sha256.clone(),
            images_sha256: marker.images_sha256.clone(),
        });
    }
    let manifest = manifest_of(pack, source, settings, shards, holes, source.assets(&shown));
    let course = RunCourse {
        threads: settings.threads,
        made,
        seconds,
        samples_per_second: made as f64 / seconds.max(1e-9),
        os: std::env::consts::OS.to_owned(),
        arch: std::env::consts::ARCH.to_owned(),
        cores: std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
    };
    let record = RunRecord { command_line: settings.command_line.clone(), course: Some(course), ..RunRecord::default() };
    folder.conclude(&last_files(pack, source, &manifest, &stats, rejections, record))?;
    folder.finish()?;
    Ok(RunSummary { samples: manifest.samples, made, holes: manifest.holes, stats, seconds })
}

pub(super) fn completed_before(settings: &RunSettings) -> Result<RunSummary, Error> {
    fn read<T: serde::de::DeserializeOwned>(out: &Root, name: &str) -> Result<T, Error> {
        serde_json::from_slice(&out.read(name, MAX_WHOLE_BYTES)?).map_err(|e| Error::io(out.place(name), e))
    }
    let out = Root::new(&settings.out);
    let manifest: Manifest<serde_json::Value> = read(&out, "manifest.json")?;
    let stats = read(&out, "stats.json")?;
    Ok(RunSummary { samples: manifest.samples, made: 0, holes: manifest.holes, stats, seconds: 0.0 })
}
