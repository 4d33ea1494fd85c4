//! `windesk merge`: the shards of one run, joined into the folder that one machine would have written, to the byte.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use windesk_engine::pack::Pack;
use windesk_files::compressed::{is_compressed, readable};
use windesk_files::{Durability, MAX_PART_BYTES, MAX_WHOLE_BYTES, Replace, Root, StagedFolder};
use windesk_model::Error;
use windesk_model::digest::hex;
use windesk_model::progress::Progress;

use super::assets::Asset;
use super::audit::{AuditSettings, audit};
use super::conclude::{METADATA, RunRecord, last_files, manifest_of};
use super::form::Records;
use super::manifest::{Manifest, PartSummary};
use super::open_manifest;
use super::origin::{SourceTask, with_origin};
use super::run::PartFile;
use super::settings::RunSettings;
use super::source::{DatasetKind, SampleSource};
use super::stats::Stats;

/// A shard's folder and its manifest.
pub(super) struct Shard {
    pub(super) root: PathBuf,
    pub(super) manifest: Manifest<Value>,
}

/// What the user decides about a merge.
#[derive(Clone, Debug)]
pub struct MergeSettings {
    /// Folder to write.
    pub out: PathBuf,
    /// Whether shards at the beginning and end of the run may be missing.
    pub partial: bool,
    /// Worker threads, for checking the shards.
    pub threads: usize,
    /// Whether what is written is on the disk at the end.
    pub durability: Durability,
    /// The command line, for `run.json`.
    pub command_line: Vec<String>,
}

/// Joins finished shards into a new folder. Pictures are linked, or copied to another file system. Returns the number
/// of samples. A folder that holds the same shards, merged before, stays as it is.
///
/// # Errors
/// If the folders are not shards of one run that follow each other without a gap from its first index to its last,
/// `windesk verify --files-only` would find something in one of them, or the folder can't be written to. Nothing is
/// left behind then.
pub fn merge(pack: Pack, shards: &[PathBuf], settings: &MergeSettings, progress: &dyn Progress) -> Result<u64, Error> {
    let mut shards = shards
        .iter()
        .map(|root| Ok(Shard { manifest: open_manifest(root)?, root: root.clone() }))
        .collect::<Result<Vec<_>, Error>>()?;
    shards.sort_by_key(|shard| shard.manifest.range);
    check_fit(&shards)?;
    if !settings.partial {
        check_ends(&shards)?;
    }
    let first = &shards[0];
    if first.manifest.pack.digest != pack.digest {
        let problem =
            format!("made from pack `{}` ({}), found {}", first.manifest.pack.name, first.manifest.pack.digest, pack.digest);
        return Err(Error::path(&first.root, problem).with_hint("name the right one with option `pack`"));
    }
    let samples = shards.iter().map(|s| s.manifest.samples).sum();
    let audit_settings = AuditSettings { sample: None, threads: settings.threads };
    if merged_before(&shards, &settings.out, &audit_settings, progress) {
        // A merge that was killed when all but its lock was in order: beginning to write takes its left-overs away.
        drop(StagedFolder::new(&settings.out, Replace::HoldingFile("manifest.json"))?);
        return Ok(samples);
    }
    let staged = StagedFolder::new(&settings.out, Replace::Nothing)?.with_durability(settings.durability);
    for shard in &shards {
        check_files(&shard.root, &audit_settings, progress)?;
    }
    let run = RunSettings {
        out: settings.out.clone(),
        count: first.manifest.count,
        range: first.manifest.range[0]..shards[shards.len() - 1].manifest.range[1],
        format: first.manifest.format,
        form: first.manifest.form,
        threads: settings.threads,
        overlay: first.overlays().is_some(),
        force: false,
        durability: settings.durability,
        command_line: settings.command_line.clone(),
    };
    with_origin(pack, &first.manifest, Join { settings: &run, shards: &shards, to: staged.path(), progress })?;
    staged.commit()?;
    Ok(samples)
}

/// Refuses a dataset of whose files alone the audit finds something.
pub(super) fn check_files(root: &Path, settings: &AuditSettings, progress: &dyn Progress) -> Result<(), Error> {
    let report = audit(root, None, settings, progress)?;
    let Some(finding) = report.findings.first() else { return Ok(()) };
    let more = match report.findings.len() {
        1 => String::new(),
        findings => format!(" (and {} more findings)", findings - 1),
    };
    let error = Error::path(root, format!("{}: {}{more}", finding.place, finding.problem));
    Err(error.with_hint(format!("`windesk verify {}` names all that is wrong with it", root.display())))
}

/// Whether an earlier merge of the same shards has been completed, and is sound.
fn merged_before(shards: &[Shard], out: &Path, settings: &AuditSettings, progress: &dyn Progress) -> bool {
    let Ok(manifest) = open_manifest(out) else { return false };
    let merged = Shard { root: out.to_owned(), manifest };
    let (first, last) = (&shards[0], &shards[shards.len() - 1]);
    let holes = shards.iter().flat_map(|s| &s.manifest.holes);
    facts(&merged) == facts(first)
        && merged.manifest.range == [first.manifest.range[0], last.manifest.range[1]]
        && merged.manifest.holes.iter().eq(holes)
        && audit(out, None, settings, progress).is_ok_and(|report| report.findings.is_empty())
}

impl Shard {
    fn files(&self) -> Root {
        Root::new(&self.root)
    }

    fn overlays(&self) -> Option<PathBuf> {
        Some(self.root.join("overlays")).filter(|path| path.is_dir())
    }
}

/// Whether the shards are of one run and follow each other.
fn check_fit(shards: &[Shard]) -> Result<(), Error> {
    let Some(first) = shards.first() else {
        return Err(Error::path("", "no shards given"));
    };
    for pair in shards.windows(2) {
        let [before, after] = pair else { continue };
        for ((fact, expected), (_, found)) in facts(first).iter().zip(&facts(after)) {
            if found != expected {
                let problem = format!("of another run than {}: {fact} differs", first.root.display());
                return Err(Error::path(&after.root, problem));
            }
        }
        let (end, start) = (before.manifest.range[1], after.manifest.range[0]);
        if start != end {
            let problem = format!("begins at index {start}, expected {end}, where {} ends", before.root.display());
            let hint = if start > end { "a shard between them is missing" } else { "they overlap" };
            return Err(Error::path(&after.root, problem).with_hint(hint));
        }
    }
    Ok(())
}

/// What all shards of a run share.
fn facts(shard: &Shard) -> [(&'static str, String); 8] {
    let m = &shard.manifest;
    [
        ("engine_version", m.engine_version.to_string()),
        ("tool_version", m.tool_version.clone()),
        ("pack", m.pack.digest.clone()),
        ("study", m.study.to_string()),
        ("count", m.count.to_string()),
        ("format", m.format.extension().to_owned()),
        ("form of the files", serde_json::to_string(&m.form).expect("plain data")),
        ("overlays", shard.overlays().is_some().to_string()),
    ]
}

/// Whether the first shard begins the run and the last one ends it.
fn check_ends(shards: &[Shard]) -> Result<(), Error> {
    let (Some(first), Some(last)) = (shards.first(), shards.last()) else { return Ok(()) };
    let count = first.manifest.count;
    let ([start, _], [_, end]) = (first.manifest.range, last.manifest.range);
    let missing: Vec<String> = [0..start, end..count]
        .into_iter()
        .filter(|range| !range.is_empty())
        .map(|range| format!("{}..{}", range.start, range.end))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let place = if start > 0 { &first.root } else { &last.root };
    let problem = format!("the shards hold indices {start}..{end}, expected 0..{count}: no shard has {}", missing.join(" or "));
    let hint = "name the missing shards as well; option `partial` merges what is there";
    Err(Error::path(place, problem).with_hint(hint))
}

/// What joining needs besides the source.
struct Join<'a> {
    settings: &'a RunSettings,
    shards: &'a [Shard],
    to: &'a Path,
    progress: &'a dyn Progress,
}

impl SourceTask for Join<'_> {
    type Output = ();

    fn with<S: SampleSource>(self, pack: &Pack, source: &S) -> Result<(), Error> {
        join(pack, source, self.settings, self.shards, self.to, self.progress)
    }
}

/// Joins shards that fit into the folder `to`.
pub(super) fn join<S: SampleSource>(
    pack: &Pack,
    source: &S,
    settings: &RunSettings,
    shards: &[Shard],
    to: &Path,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let mut parts: BTreeMap<String, Vec<(&Shard, &PartSummary)>> = BTreeMap::new();
    for shard in shards {
        for part in &shard.manifest.shards {
            parts.entry(part.name.clone()).or_default().push((shard, part));
        }
    }
    let mut summaries = Vec::new();
    progress.begin(parts.len() as u64, "parts");
    for (name, pieces) in &parts {
        progress.advance(1);
        let number = name.trim_start_matches("part-");
        let join = |file: &str, digest: fn(&PartSummary) -> &str| {
            concatenate(&pieces.iter().map(|(s, p)| (s.files(), digest(p))).collect::<Vec<_>>(), file, to)
        };
        let ending = settings.form.ending();
        let text = |kind: &str, digest: fn(&PartSummary) -> &str| join(&format!("{kind}/{name}{ending}"), digest);
        let has_scenes = settings.form.records != Records::None;
        let kind = source.facts().kind;
        join(&format!("images/{number}/{METADATA}"), |_| "")?;
        summaries.push(PartSummary {
            name: name.clone(),
            first: pieces[0].1.first,
            count: pieces.iter().map(|(_, part)| part.count).sum(),
            sha256: if has_scenes { text("scenes", |p| &p.sha256)? } else { String::new() },
            annotations_sha256: text("annotations", |p| &p.annotations_sha256)?,
            plans_sha256: text("plans", |p| &p.plans_sha256)?,
            tasks_sha256: if kind == DatasetKind::Tasks { text("tasks", |p| &p.tasks_sha256)? } else { String::new() },
            states_sha256: if kind == DatasetKind::States { text("states", |p| &p.states_sha256)? } else { String::new() },
            images_sha256: join(&format!("images/{number}/SHA256SUMS"), |p| &p.images_sha256)?,
        });
        for (shard, _) in pieces {
            link_pictures(&shard.files(), &format!("images/{number}"), to)?;
            if shard.overlays().is_some() {
                link_pictures(&shard.files(), &format!("overlays/{number}"), to)?;
            }
        }
    }
    progress.end();
    let mut stats = Stats::default();
    let mut runs = Vec::new();
    let mut rejections = Vec::new();
    for shard in shards {
        stats.merge(&read_json(&shard.files(), "stats.json")?);
        runs.push(read_json::<RunRecord>(&shard.files(), "run.json")?);
        rejections.extend(shard.files().read("rejections.jsonl", MAX_PART_BYTES)?);
    }
    let holes = shards.iter().flat_map(|s| s.manifest.holes.iter().copied()).collect();
    let assets: BTreeSet<Asset> = shards.iter().flat_map(|s| s.manifest.assets.iter().cloned()).collect();
    let manifest = manifest_of(pack, source, settings, summaries, holes, assets.into_iter().collect());
    let record = RunRecord { command_line: settings.command_line.clone(), merged: runs, ..RunRecord::default() };
    for (name, bytes) in last_files(pack, source, &manifest, &stats, rejections, record) {
        let path = to.join(name);
        std::fs::write(&path, bytes).map_err(|e| Error::io(&path, e))?;
    }
    Ok(())
}

/// Writes a file of several shards, one after the other, below `to` and gives the digest of the whole. Each is compared
/// with its own digest, where there is one: it may have changed since it was checked. Compressed ones give one
/// compressed file, as if their text had been written at once.
fn concatenate(shards: &[(Root, &str)], name: &str, to: &Path) -> Result<String, Error> {
    let path = to.join(name);
    path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(|e| Error::io(&path, e))?;
    let mut whole = PartFile::create(path, name.to_owned())?;
    let mut buffer = vec![0; 1 << 16];
    for (shard, expected) in shards {
        let place = shard.place(name);
        let mut own = Sha256::new();
        let mut text = readable(Digested { inner: shard.open(name)?, digest: &mut own }, is_compressed(&place));
        loop {
            let read = text.read(&mut buffer).map_err(|e| Error::io(&place, e))?;
            if read == 0 {
                break;
            }
            whole.write(&buffer[..read])?;
        }
        drop(text);
        let found = hex(&own.finalize());
        if !expected.is_empty() && found != *expected {
            let problem = format!("SHA-256 is {found}, its manifest says {expected}");
            return Err(Error::path(place, problem).with_hint("`windesk verify` says what is wrong with the shard"));
        }
    }
    let (_, _, facts) = whole.complete()?;
    Ok(facts.sha256)
}

/// A file of which is digested what is read.
struct Digested<'a, R> {
    inner: R,
    digest: &'a mut Sha256,
}

impl<R: Read> Read for Digested<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.digest.update(&buffer[..read]);
        Ok(read)
    }
}

/// Brings the pictures of a shard's folder along.
fn link_pictures(shard: &Root, folder: &str, to: &Path) -> Result<(), Error> {
    let (from, to) = (shard.place(folder), to.join(folder));
    std::fs::create_dir_all(&to).map_err(|e| Error::io(&to, e))?;
    for entry in std::fs::read_dir(&from).map_err(|e| Error::io(&from, e))? {
        let name = entry.map_err(|e| Error::io(&from, e))?.file_name();
        if name != "SHA256SUMS" && name != METADATA {
            let to = to.join(&name);
            shard.picture(Path::new(folder).join(name), None)?.link_to(&to).map_err(|e| Error::io(&to, e))?;
        }
    }
    Ok(())
}

fn read_json<T: serde::de::DeserializeOwned>(shard: &Root, name: &str) -> Result<T, Error> {
    serde_json::from_slice(&shard.read(name, MAX_WHOLE_BYTES)?).map_err(|e| Error::io(shard.place(name), e))
}
