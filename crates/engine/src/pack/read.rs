//! What the files of a pack say, as it is written: no references are followed yet.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use typed_index_collections::TiVec;

use windesk_model::index::ElementIndex;
use windesk_model::pack_format::{Capture, Competitor, Evidence, FORMAT_VERSION, Header, OLDEST_FORMAT_VERSION, Session};
use windesk_model::{Error, pack_format as format};

use super::Element;
use super::elements::checked_elements;
use super::files::PackFiles;
use super::transitions::{FormerTransition, WrittenTransition};

/// Name of the file in a program's folder.
pub const INSTRUCTION_FILE: &str = "instructions.jsonl";
/// Name of the file in a program's folder.
pub const TRANSITION_FILE: &str = "transitions.jsonl";
/// Name of the file in a program's folder.
pub const EVIDENCE_FILE: &str = "evidence.jsonl";
/// Name of the file in a program's folder.
pub const COMPETITOR_FILE: &str = "competitors.jsonl";

/// Name of the file in a program's folder, and of the one at the root for workflows over several programs.
pub const WORKFLOW_FILE: &str = "workflows.jsonl";

/// The header, of a version that can be read.
pub(super) fn read_header(files: &PackFiles, digest: &mut Sha256) -> Result<Header, Error> {
    let header: Header = one(files, "pack.json", digest)?;
    if !(OLDEST_FORMAT_VERSION..=FORMAT_VERSION).contains(&header.format_version) {
        return Err(Error::file(
            files.full_name("pack.json"),
            format!("format_version {}", header.format_version),
            format!("format_version {OLDEST_FORMAT_VERSION} to {FORMAT_VERSION}"),
        ));
    }
    Ok(header)
}

/// The records of `sessions/`, sorted by id, with the files' names. A pack of version 1 has none.
pub(super) fn read_sessions(files: &PackFiles, header: &Header, digest: &mut Sha256) -> Result<Vec<(String, Session)>, Error> {
    let names: Vec<String> = files.names().filter(|n| n.starts_with("sessions/")).map(str::to_owned).collect();
    let mut sessions = Vec::new();
    for name in names {
        let stem = name.strip_prefix("sessions/").and_then(|file| file.strip_suffix(".json")).filter(|stem| !stem.contains('/'));
        let Some(stem) = stem.filter(|_| header.format_version > OLDEST_FORMAT_VERSION) else {
            let expected = if header.format_version == OLDEST_FORMAT_VERSION {
                "no sessions in a pack of format_version 1"
            } else {
                "sessions/<session>.json"
            };
            return Err(Error::file(files.full_name(&name), "a file here", expected));
        };
        let session: Session = one(files, &name, digest)?;
        if session.id != stem {
            return Err(Error::file(
                files.full_name(&name),
                format!("session `{}`", session.id),
                "the id that the file's place says",
            ));
        }
        sessions.push((name, session));
    }
    Ok(sessions)
}

/// A capture as its file says, but for its elements, which are checked.
pub(super) struct ReadCapture {
    /// The file's name.
    pub(super) name: String,
    pub(super) capture: Capture,
    /// Nothing where the picture's size is not recorded.
    pub(super) elements: TiVec<ElementIndex, Element>,
}

/// What lies under `windows/`.
#[derive(Default)]
pub(super) struct Written {
    pub(super) programs: Vec<format::Program>,
    pub(super) captures: Vec<ReadCapture>,
    pub(super) transitions: Vec<WrittenTransition>,
    pub(super) instructions: Vec<format::ReviewedInstruction>,
    pub(super) evidence: Vec<Evidence>,
    pub(super) competitors: Vec<Competitor>,
}

pub(super) fn read_windows(files: &PackFiles, header: &Header, digest: &mut Sha256) -> Result<Written, Error> {
    let mut written = Written::default();
    let is_first_version = header.format_version == OLDEST_FORMAT_VERSION;
    let names: Vec<String> = files.names().filter(|n| n.starts_with("windows/")).map(str::to_owned).collect();
    for name in names {
        let parts: Vec<&str> = name.split('/').collect();
        let [_, folder, file] = parts[..] else {
            return Err(Error::file(files.full_name(&name), "a file at this depth", "windows/<program>/<file>"));
        };
        let misplaced = |what: &str, id: &str| {
            Error::file(files.full_name(&name), format!("{what} `{id}`"), "the id that the file's place says")
        };
        if file == "program.json" {
            let program: format::Program = one(files, &name, digest)?;
            if program.id != folder {
                return Err(misplaced("program", &program.id));
            }
            written.programs.push(program);
        } else if file == TRANSITION_FILE {
            let lines: Vec<(usize, format::Transition)> = if is_first_version {
                let former = numbered_lines::<FormerTransition>(files, &name, digest)?;
                former.into_iter().map(|(number, line)| (number, line.into())).collect()
            } else {
                numbered_lines(files, &name, digest)?
            };
            if let Some((_, stray)) = lines.iter().find(|(_, line)| line.from.split('/').next() != Some(folder)) {
                return Err(misplaced("a transition from", &stray.from));
            }
            let place = |number: usize| format!("{}:{number}", files.full_name(&name));
            let placed = lines.into_iter().map(|(number, line)| WrittenTransition { place: place(number), line });
            written.transitions.extend(placed);
        } else if file == INSTRUCTION_FILE {
            let lines = lines::<format::ReviewedInstruction>(files, &name, digest)?;
            if let Some(stray) = lines.iter().find(|line| instruction_file(&line.window) != name) {
                return Err(misplaced("an instruction for", &stray.window));
            }
            written.instructions.extend(lines);
        } else if file == EVIDENCE_FILE && !is_first_version {
            let lines = lines::<Evidence>(files, &name, digest)?;
            if let Some(stray) = lines.iter().find(|line| line.window.split('/').next() != Some(folder)) {
                return Err(misplaced("evidence for", &stray.window));
            }
            written.evidence.extend(lines);
        } else if file == COMPETITOR_FILE && !is_first_version {
            written.competitors.extend(lines::<Competitor>(files, &name, digest)?);
        } else if let Some(stem) = file.strip_suffix(".json") {
            let capture: Capture = one(files, &name, digest)?;
            if capture.id != format!("{folder}/{stem}") {
                return Err(misplaced("capture", &capture.id));
            }
            written.captures.push(with_elements(files, name, capture)?);
        } else if !file.ends_with(".webp") && (is_first_version || !is_living_file(file) && file != WORKFLOW_FILE) {
            return Err(Error::file(files.full_name(&name), "an unknown kind of file", "one of docs/pack.md"));
        }
    }
    Ok(written)
}

/// Elements are most of what a capture says: they take their final form before the next file is read.
fn with_elements(files: &PackFiles, name: String, mut capture: Capture) -> Result<ReadCapture, Error> {
    let (records, popups) = (std::mem::take(&mut capture.elements), capture.popups.len());
    let elements = match capture.image.size {
        Some(size) => checked_elements(&files.full_name(&name), records, size.rect(), popups)?,
        None => TiVec::new(),
    };
    Ok(ReadCapture { name, capture, elements })
}

/// Whether a file is named as living files are.
fn is_living_file(file: &str) -> bool {
    let is_digest = |stem: &str| stem.len() == 16 && stem.bytes().all(|b| b.is_ascii_hexdigit());
    file.strip_suffix(".jsonl").is_some_and(is_digest)
}

fn parsed<T: DeserializeOwned>(files: &PackFiles, name: &str, line: Option<usize>, text: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(text).map_err(|e| {
        let place = line.map_or_else(|| files.full_name(name), |line| format!("{}:{line}", files.full_name(name)));
        Error::file(&place, e, "the form described in docs/pack.md")
    })
}

fn one<T: DeserializeOwned>(files: &PackFiles, name: &str, digest: &mut Sha256) -> Result<T, Error> {
    let bytes = files.read(name)?;
    add_to_digest(digest, name, &bytes);
    parsed(files, name, None, &bytes)
}

fn lines<T: DeserializeOwned>(files: &PackFiles, name: &str, digest: &mut Sha256) -> Result<Vec<T>, Error> {
    Ok(numbered_lines(files, name, digest)?.into_iter().map(|(_, line)| line).collect())
}

/// The lines of a file that are not empty, each with its number from 1; none if there is no such file.
fn numbered_lines<T: DeserializeOwned>(files: &PackFiles, name: &str, digest: &mut Sha256) -> Result<Vec<(usize, T)>, Error> {
    if !files.has(name) {
        return Ok(Vec::new());
    }
    let bytes = files.read(name)?;
    add_to_digest(digest, name, &bytes);
    lines_of(files, name, &bytes)
}

/// The lines of a text that are not empty, each with its number from 1.
pub(super) fn lines_of<T: DeserializeOwned>(files: &PackFiles, name: &str, text: &[u8]) -> Result<Vec<(usize, T)>, Error> {
    text.split(|&b| b == b'\n')
        .enumerate()
        .filter(|(_, line)| !line.is_empty())
        .map(|(at, line)| Ok((at + 1, parsed(files, name, Some(at + 1), line)?)))
        .collect()
}

/// Reads a list of asset files; ids must be unique and every file must be there.
pub(super) fn listed<T: DeserializeOwned>(
    files: &PackFiles,
    name: &str,
    digest: &mut Sha256,
    id_and_file: impl Fn(&T) -> (String, &String),
) -> Result<Vec<T>, Error> {
    if !files.has(name) {
        return Ok(Vec::new());
    }
    let mut entries: Vec<T> = one(files, name, digest)?;
    entries.sort_by_cached_key(|entry| id_and_file(entry).0);
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut ids = BTreeSet::new();
    for entry in &entries {
        let (id, file) = id_and_file(entry);
        if ids.contains(&id) {
            return Err(Error::file(files.full_name(name), format!("id `{id}` twice"), "ids that differ"));
        }
        ids.insert(id);
        if file.contains('/') || !files.has(&format!("{folder}/{file}")) {
            return Err(Error::file(files.full_name(name), format!("file `{file}`"), "a file beside the list"));
        }
    }
    Ok(entries)
}

fn add_to_digest(digest: &mut Sha256, name: &str, bytes: &[u8]) {
    digest.update((name.len() as u64).to_le_bytes());
    digest.update(name.as_bytes());
    digest.update((bytes.len() as u64).to_le_bytes());
    digest.update(bytes);
}

/// Path inside the pack of a file in the folder of the program of a window (`<program>/<capture>`) or program.
pub fn program_file(window: &str, file: &str) -> String {
    let program = window.split('/').next().unwrap_or_default();
    format!("windows/{program}/{file}")
}

/// Path inside the pack of the file that holds the instructions of a window (`<program>/<capture>`) or program.
pub fn instruction_file(window: &str) -> String {
    program_file(window, INSTRUCTION_FILE)
}
