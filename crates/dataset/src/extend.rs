//! `--extend`: lets a finished dataset grow, into what one run would have made at once, to the byte.
//!
//! The indices that are missing are made as a shard, in a hidden folder beside the dataset, and the two are joined into
//! a new folder that takes the dataset's place. The old folder goes then, so that it must hold a sound dataset and
//! nothing else. Killed at any time, this leaves the dataset as it was or the new one; the same command goes on where
//! the shard was left.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use windesk_engine::pack::Pack;
use windesk_files::{Replace, StagedFolder};
use windesk_model::Error;
use windesk_model::progress::Progress;

use super::audit::AuditSettings;
use super::conclude::identity;
use super::folder::Folder;
use super::merge::{Shard, check_files, join};
use super::open_manifest;
use super::run::{RunSummary, completed_before, run};
use super::settings::RunSettings;
use super::source::SampleSource;

const MANIFEST: &str = "manifest.json";
/// How names of folders end in which missing indices are made.
const UNDER_WAY: &str = ".more.tmp";
/// Letters of a run's identity in them.
const DIGEST_LETTERS: usize = 8;

/// Lets the dataset in `settings.out` grow to `settings.count` indices. One that is not there is made, one that is not
/// finished is resumed.
///
/// # Errors
/// Those of [`run`], or if the folder holds a dataset that no greater count gives, is damaged, or has files of others
/// in it. It stays as it was then.
pub fn extend<S: SampleSource>(
    pack: &Pack,
    source: &S,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<RunSummary, Error> {
    // A link stays what it is: the folder that it leads to grows.
    let leads_to = settings.out.canonicalize().ok().filter(|_| settings.out.is_symlink());
    let settings = &RunSettings { out: leads_to.unwrap_or_else(|| settings.out.clone()), ..settings.clone() };
    let out = &settings.out;
    if !out.exists() {
        // Killed while the new folder took the old one's place, the old one is put back.
        drop(StagedFolder::new(out, Replace::HoldingFile(MANIFEST))?);
    }
    if !out.join(MANIFEST).is_file() {
        return run(pack, source, settings, progress);
    }
    let mut manifest = open_manifest(out)?;
    let held = RunSettings { count: manifest.count, range: manifest.range[0]..manifest.range[1], ..settings.clone() };
    if manifest.identity != identity(source, &held) {
        return Err(Error::path(out, "holds another run: its pack, conditions, seed, format or version of the program differ")
            .with_hint("only a dataset of the same command with a smaller option `n` grows"));
    }
    if held.range != (0..held.count) {
        let problem = format!("holds indices {}..{} of {}, expected all", held.range.start, held.range.end, held.count);
        return Err(Error::path(out, problem).with_hint("merge the shards first"));
    }
    if settings.count < held.count {
        let problem = format!("holds {} samples per condition, expected no more than {}", held.count, settings.count);
        return Err(Error::path(out, problem).with_hint("a dataset grows, it does not shrink; give another option `out`"));
    }
    // Taken before the work: nobody else replaces the folder meanwhile.
    let staged = StagedFolder::new(out, Replace::HoldingFile(MANIFEST))?.with_durability(settings.durability);
    if settings.count == held.count {
        // Killed after the new folder took its place, what it was made of is left.
        remove_growths(out, None)?;
        drop(staged);
        return run(pack, source, settings, progress);
    }
    Folder::tidy(out, &manifest.identity, settings.durability)?;
    check_files(out, &AuditSettings { sample: None, threads: settings.threads }, progress)?;
    let known = files_below(out)?;
    let more = RunSettings { range: held.count..settings.count, ..settings.clone() };
    let more = RunSettings { out: growth(out, &identity(source, &more))?, ..more };
    remove_growths(out, Some(&more.out))?;
    let made = run(pack, source, &more, progress)?;
    manifest.count = settings.count;
    let shards = [Shard { root: out.clone(), manifest }, Shard { manifest: open_manifest(&more.out)?, root: more.out.clone() }];
    join(pack, source, settings, &shards, staged.path(), progress).map_err(|error| staged.in_its_place(error))?;
    if let Some(name) = files_below(out)?.difference(&known).next() {
        let problem = format!("found {}, which was put there meanwhile, expected the dataset alone", name.display());
        return Err(Error::path(out, problem).with_hint("move it elsewhere; the same command goes on"));
    }
    staged.commit()?;
    std::fs::remove_dir_all(&more.out).map_err(|e| Error::io(&more.out, e))?;
    Ok(RunSummary { made: made.made, seconds: made.seconds, ..completed_before(settings)? })
}

/// The files of a folder and of those in it.
fn files_below(folder: &Path) -> Result<BTreeSet<PathBuf>, Error> {
    let mut files = BTreeSet::new();
    for entry in std::fs::read_dir(folder).map_err(|e| Error::io(folder, e))? {
        let entry = entry.map_err(|e| Error::io(folder, e))?;
        match entry.file_type().map_err(|e| Error::io(entry.path(), e))?.is_dir() {
            true => files.append(&mut files_below(&entry.path())?),
            false => drop(files.insert(entry.path())),
        }
    }
    Ok(files)
}

/// Where missing indices are made: beside the dataset, a folder per growth.
fn growth(out: &Path, identity: &str) -> Result<PathBuf, Error> {
    Ok(out.with_file_name(format!("{}{}{UNDER_WAY}", before_digest(out)?, &identity[..DIGEST_LETTERS])))
}

/// What names of all growths of a dataset begin with.
fn before_digest(out: &Path) -> Result<String, Error> {
    let name = out.file_name().ok_or_else(|| Error::path(out, "has no name, expected a folder with one"))?;
    Ok(format!(".{}.", name.display()))
}

/// Takes away what growths of a dataset have left that were given up or are done; `but` stays.
fn remove_growths(out: &Path, but: Option<&Path>) -> Result<(), Error> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (before, stays) = (before_digest(out)?, but.and_then(Path::file_name));
    for entry in std::fs::read_dir(folder).map_err(|e| Error::io(folder, e))? {
        let entry = entry.map_err(|e| Error::io(folder, e))?;
        let name = entry.file_name();
        let is_growth = name.to_str().is_some_and(|name| {
            let digest = name.strip_prefix(&before).and_then(|rest| rest.strip_suffix(UNDER_WAY));
            digest.is_some_and(|d| d.len() == DIGEST_LETTERS && d.bytes().all(|b| b.is_ascii_hexdigit()))
        });
        if is_growth && Some(&*name) != stays {
            std::fs::remove_dir_all(entry.path()).map_err(|e| Error::io(entry.path(), e))?;
        }
    }
    Ok(())
}
