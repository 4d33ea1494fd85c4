//! What the files of a pack say, as it is written: no references are followed yet.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::mpsc::sync_channel;

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

/// Reads and checks what lies under `windows/`. Files are read and added to the digest one after the other, while
/// others parse them.
pub(super) fn read_windows(files: &PackFiles, header: &Header, digest: &mut Sha256) -> Result<Written, Error> {
    let is_first_version = header.format_version == OLDEST_FORMAT_VERSION;
    let names: Vec<&str> = files.names().filter(|n| n.starts_with("windows/")).collect();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let helpers = (cores - 1).min(MAX_HELPERS);
    let (send, receive) = sync_channel::<(usize, Cow<'_, [u8]>)>(FILES_AHEAD);
    let receive = Mutex::new(receive);
    let parse = |(at, bytes): (usize, Cow<'_, [u8]>)| (at, parsed_file(files, is_first_version, names[at], &bytes));
    let next = || receive.lock().expect("no panic while held").recv();
    let help = || std::iter::from_fn(|| next().ok()).map(parse).collect::<Vec<_>>();
    let mut parsed: Vec<(usize, Result<Written, Error>)> = std::thread::scope(|scope| {
        let helpers: Vec<_> = (0..helpers).map(|_| scope.spawn(help)).collect();
        let mut parsed = Vec::new();
        for (at, name) in names.iter().enumerate() {
            match is_parsed(files, is_first_version, name).and_then(|is_parsed| is_parsed.then(|| files.read(name)).transpose()) {
                Ok(None) => {}
                Ok(Some(bytes)) => {
                    add_to_digest(digest, name, &bytes);
                    if helpers.is_empty() {
                        parsed.push(parse((at, bytes)));
                    } else {
                        send.send((at, bytes)).expect("the receiver outlives this");
                    }
                }
                Err(error) => {
                    parsed.push((at, Err(error)));
                    break;
                }
            }
        }
        drop(send);
        parsed.extend(helpers.into_iter().flat_map(|helper| helper.join().expect("parsing does not panic")));
        parsed
    });
    parsed.sort_unstable_by_key(|(at, _)| *at);
    let mut all = Written::default();
    // Of several errors that of the first file is told, whoever found one first.
    parsed.into_iter().try_for_each(|(_, written)| written.map(|written| all.append(written)))?;
    Ok(all)
}

/// Most threads that parse files beside the one that reads them.
const MAX_HELPERS: usize = 3;
/// Files that are read before they are parsed.
const FILES_AHEAD: usize = 64;

/// Whether a file below `windows/` is parsed when a pack is opened.
fn is_parsed(files: &PackFiles, is_first_version: bool, name: &str) -> Result<bool, Error> {
    let parts: Vec<&str> = name.split('/').collect();
    let [_, _, file] = parts[..] else {
        return Err(Error::file(files.full_name(name), "a file at this depth", "windows/<program>/<file>"));
    };
    let lines = [TRANSITION_FILE, INSTRUCTION_FILE];
    if file.ends_with(".json") || lines.contains(&file) || !is_first_version && [EVIDENCE_FILE, COMPETITOR_FILE].contains(&file) {
        Ok(true)
    } else if file.ends_with(".webp") || !is_first_version && (is_living_file(file) || file == WORKFLOW_FILE) {
        Ok(false)
    } else {
        Err(Error::file(files.full_name(name), "an unknown kind of file", "one of docs/pack.md"))
    }
}

/// Whether opening a pack reads this file. Pictures and living files are read when they are needed, and have digests.
pub(super) fn is_read_at_opening(name: &str) -> bool {
    const LISTS: [&str; 3] = ["wallpapers/wallpapers.json", "icons/icons.json", "fonts/fonts.json"];
    let lines = [TRANSITION_FILE, INSTRUCTION_FILE, EVIDENCE_FILE, COMPETITOR_FILE];
    match name.split_once('/') {
        Some(("windows", inside)) => {
            let file = inside.rsplit_once('/').map_or(inside, |(_, file)| file);
            file.ends_with(".json") || lines.contains(&file)
        }
        Some(("sessions" | "index", _)) => true,
        Some(_) => LISTS.contains(&name),
        None => name == "pack.json",
    }
}

/// What a file says that [`is_parsed`].
fn parsed_file(files: &PackFiles, is_first_version: bool, name: &str, bytes: &[u8]) -> Result<Written, Error> {
    let mut written = Written::default();
    let (folder, file) = name.strip_prefix("windows/").and_then(|inside| inside.split_once('/')).expect("a parsed file");
    let misplaced =
        |what: &str, id: &str| Error::file(files.full_name(name), format!("{what} `{id}`"), "the id that the file's place says");
    if file == "program.json" {
        let program: format::Program = parsed(files, name, None, bytes)?;
        if program.id != folder {
            return Err(misplaced("program", &program.id));
        }
        written.programs.push(program);
    } else if file == TRANSITION_FILE {
        let lines: Vec<(usize, format::Transition)> = if is_first_version {
            let former = lines_of::<FormerTransition>(files, name, bytes)?;
            former.into_iter().map(|(number, line)| (number, line.into())).collect()
        } else {
            lines_of(files, name, bytes)?
        };
        if let Some((_, stray)) = lines.iter().find(|(_, line)| line.from.split('/').next() != Some(folder)) {
            return Err(misplaced("a transition from", &stray.from));
        }
        let place = |number: usize| format!("{}:{number}", files.full_name(name));
        let placed = lines.into_iter().map(|(number, line)| WrittenTransition { place: place(number), line });
        written.transitions.extend(placed);
    } else if file == INSTRUCTION_FILE {
        let lines = lines::<format::ReviewedInstruction>(files, name, bytes)?;
        if let Some(stray) = lines.iter().find(|line| instruction_file(&line.window) != name) {
            return Err(misplaced("an instruction for", &stray.window));
        }
        written.instructions.extend(lines);
    } else if file == EVIDENCE_FILE {
        let lines = lines::<Evidence>(files, name, bytes)?;
        if let Some(stray) = lines.iter().find(|line| line.window.split('/').next() != Some(folder)) {
            return Err(misplaced("evidence for", &stray.window));
        }
        written.evidence.extend(lines);
    } else if file == COMPETITOR_FILE {
        written.competitors.extend(lines::<Competitor>(files, name, bytes)?);
    } else {
        let stem = file.strip_suffix(".json").expect("a parsed file");
        let capture: Capture = parsed(files, name, None, bytes)?;
        if capture.id != format!("{folder}/{stem}") {
            return Err(misplaced("capture", &capture.id));
        }
        written.captures.push(with_elements(files, name.to_owned(), capture)?);
    }
    Ok(written)
}

impl Written {
    /// What the next file says.
    fn append(&mut self, mut next: Self) {
        self.programs.append(&mut next.programs);
        self.captures.append(&mut next.captures);
        self.transitions.append(&mut next.transitions);
        self.instructions.append(&mut next.instructions);
        self.evidence.append(&mut next.evidence);
        self.competitors.append(&mut next.competitors);
    }
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

fn lines<T: DeserializeOwned>(files: &PackFiles, name: &str, bytes: &[u8]) -> Result<Vec<T>, Error> {
    Ok(lines_of(files, name, bytes)?.into_iter().map(|(_, line)| line).collect())
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
