//! From files to a checked [`Pack`]: shapes of the data, references between files, boxes inside pictures. No pixels.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use typed_index_collections::{TiSlice, TiVec};

use windesk_model::digest::{hex, stable_id};
use windesk_model::geometry::Point;
use windesk_model::index::{ElementIndex, ProgramIndex, WindowIndex};
use windesk_model::pack_format::{Capture, FORMAT_VERSION, Header};
use windesk_model::{Error, pack_format as format};

use super::files::PackFiles;
use super::index::Index;
use super::picture_cache::CacheStore;
use super::pixels::PixelCache;
use super::{Element, Pack, Program, Window};

/// Name of the file in a program's folder.
pub const INSTRUCTION_FILE: &str = "instructions.jsonl";
/// Largest side and area of a window's picture. A screen of 8K is 33 Mpx.
pub const MAX_PICTURE_PIXELS: u64 = 40_000_000;
/// Largest number of device pixels per layout pixel.
const MAX_SCALE: f64 = 8.0;
/// Farthest that a dialog may lie from its parent window, px.
const MAX_OFFSET_PX: i32 = 1 << 15;
/// Most parent windows above each other.
const MAX_PARENTS: usize = 4;
/// Compressed pictures kept in memory unless asked otherwise.
const DEFAULT_CACHE_BYTES: usize = 384 << 20;

impl Pack {
    /// Reads and checks a pack.
    ///
    /// # Errors
    /// Names the file and field at fault: unreadable files, unknown keys, references that lead nowhere, boxes outside
    /// pictures, an index that was made for other contents.
    pub fn open(files: PackFiles) -> Result<Self, Error> {
        let mut digest = Sha256::new();
        let header: Header = one(&files, "pack.json", &mut digest)?;
        if header.format_version != FORMAT_VERSION {
            return Err(Error::file(
                files.full_name("pack.json"),
                format!("format_version {}", header.format_version),
                format!("format_version {FORMAT_VERSION}"),
            ));
        }
        let Written { programs, mut captures, transitions, instructions } = read_windows(&files, &mut digest)?;
        captures.sort_by(|a, b| a.1.id.cmp(&b.1.id));
        let window_by_id: BTreeMap<String, WindowIndex> =
            captures.iter().enumerate().map(|(at, (_, capture))| (capture.id.clone(), at.into())).collect();
        let mut windows: TiVec<WindowIndex, Window> = TiVec::with_capacity(captures.len());
        let mut programs: TiVec<ProgramIndex, Program> = programs
            .into_iter()
            .map(|record| Program { stable_id: stable_id(&record.id), record, windows: Vec::new() })
            .collect();
        for (file, capture) in captures {
            let window = checked_window(&files.full_name(&file), capture, &programs, &window_by_id)?;
            let program = window.program;
            programs[program].windows.push(windows.push_and_get_key(window));
        }
        check_parents_end(&files, &windows)?;
        for transition in &transitions {
            check_transition(&files, transition, &windows, &window_by_id)?;
        }
        for instruction in &instructions {
            let known =
                window_by_id.get(&instruction.window).is_some_and(|&w| windows[w].element_index(&instruction.element).is_some());
            if !known {
                return Err(Error::file(
                    files.full_name(&instruction_file(&instruction.window)),
                    format!("an instruction for `{}#{}`", instruction.window, instruction.element),
                    "a window and element of this pack",
                )
                .with_hint("`windesk pack sheet report` lists instructions whose capture has changed"));
            }
        }
        let windows_digest = hex(&digest.clone().finalize());
        let wallpapers = listed::<format::Wallpaper>(&files, "wallpapers/wallpapers.json", &mut digest, |w| (&w.id, &w.file))?;
        let icons = listed::<format::Icon>(&files, "icons/icons.json", &mut digest, |i| (&i.id, &i.file))?;
        let fonts = listed::<format::Font>(&files, "fonts/fonts.json", &mut digest, |f| (&f.style, &f.file))?;
        let index = Index::read(&files, &windows_digest, &windows)?;
        if let Some(index) = &index {
            digest.update(index.digest().as_bytes());
        }
        Ok(Self {
            header,
            digest: hex(&digest.finalize()),
            windows_digest,
            programs,
            cache: PixelCache::new(windows.len(), DEFAULT_CACHE_BYTES, CacheStore::Memory),
            windows,
            transitions,
            wallpapers,
            icons,
            fonts,
            instructions,
            split: None,
            index: index.map(Arc::new),
            window_by_id,
            files,
        })
    }
}

/// What lies under `windows/`.
#[derive(Default)]
struct Written {
    programs: Vec<format::Program>,
    /// With the file's name.
    captures: Vec<(String, Capture)>,
    transitions: Vec<format::Transition>,
    instructions: Vec<format::ReviewedInstruction>,
}

fn read_windows(files: &PackFiles, digest: &mut Sha256) -> Result<Written, Error> {
    let mut written = Written::default();
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
        } else if file == "transitions.jsonl" {
            written.transitions.extend(lines::<format::Transition>(files, &name, digest)?);
        } else if file == INSTRUCTION_FILE {
            let lines = lines::<format::ReviewedInstruction>(files, &name, digest)?;
            if let Some(stray) = lines.iter().find(|line| instruction_file(&line.window) != name) {
                return Err(misplaced("an instruction for", &stray.window));
            }
            written.instructions.extend(lines);
        } else if let Some(stem) = file.strip_suffix(".json") {
            let capture: Capture = one(files, &name, digest)?;
            if capture.id != format!("{folder}/{stem}") {
                return Err(misplaced("capture", &capture.id));
            }
            written.captures.push((name, capture));
        } else if !file.ends_with(".webp") {
            return Err(Error::file(files.full_name(&name), "an unknown kind of file", ".json, .jsonl or .webp"));
        }
    }
    Ok(written)
}

fn checked_window(
    place: &str,
    capture: Capture,
    programs: &TiSlice<ProgramIndex, Program>,
    window_by_id: &BTreeMap<String, WindowIndex>,
) -> Result<Window, Error> {
    let field = |field: &str, found: String, expected: &str| Error::file(format!("{place}: {field}"), found, expected);
    if capture.format_version != FORMAT_VERSION {
        return Err(field("format_version", capture.format_version.to_string(), &format!("{FORMAT_VERSION}")));
    }
    let program_id = capture.id.split('/').next().unwrap_or_default();
    let program = programs
        .position(|p| p.record.id == program_id)
        .ok_or_else(|| field("id", capture.id.clone(), "a program with a program.json"))?;
    let size = capture.image.size.ok_or_else(|| field("image.size", "nothing".into(), "[width, height]"))?;
    if u64::from(size.width) * u64::from(size.height) > MAX_PICTURE_PIXELS {
        return Err(field(
            "image.size",
            format!("{}x{}", size.width, size.height),
            &format!("at most {MAX_PICTURE_PIXELS} pixels"),
        ));
    }
    for picture in std::iter::once(&capture.image).chain(&capture.inactive) {
        let plain = picture.file.strip_suffix(".webp").is_some_and(|stem| picture.sha256.starts_with(stem));
        if picture.sha256.len() != 64 || !picture.sha256.bytes().all(|b| b.is_ascii_hexdigit()) || !plain {
            return Err(field("image.file", picture.file.clone(), "<first 16 digits of sha256>.webp"));
        }
    }
    if !(capture.scale > 0.0 && capture.scale <= MAX_SCALE) {
        return Err(field("scale", capture.scale.to_string(), &format!("a number above 0 and up to {MAX_SCALE}")));
    }
    if let Some(offset) = capture.parent_offset.filter(|offset| !is_near(*offset)) {
        return Err(field(
            "parent_offset",
            format!("[{}, {}]", offset.x, offset.y),
            &format!("at most {MAX_OFFSET_PX} px each way"),
        ));
    }
    let bounds = size.rect();
    let popups: Vec<_> = capture.popups.iter().map(|p| p.rect).collect();
    for (what, rect) in std::iter::once(("frame", capture.frame)).chain(popups.iter().map(|&r| ("popups", r))) {
        if !bounds.covers(rect) {
            return Err(field(what, format!("{:?}", <[i32; 4]>::from(rect)), "a box inside the picture"));
        }
    }
    let strange = |parent: &&String| **parent == capture.id || parent.split('/').next() != Some(program_id);
    if let Some(parent) = capture.parent_window.as_ref().filter(strange) {
        return Err(field("parent_window", parent.clone(), "another capture of the same program"));
    }
    let find = |what: &str, id: &str| {
        window_by_id.get(id).copied().ok_or_else(|| field(what, id.to_owned(), "the id of a capture of this pack"))
    };
    let parent = match (&capture.parent_window, capture.parent_offset) {
        (None, _) => None,
        (Some(id), offset) => Some((find("parent_window", id)?, offset.unwrap_or(Point { x: 60, y: 60 }))),
    };
    let variant_of = capture.variant_of.as_deref().map(|id| find("variant_of", id)).transpose()?;
    Ok(Window {
        stable_id: stable_id(&capture.id),
        elements: checked_elements(place, capture.elements, bounds, popups.len())?,
        id: capture.id,
        program,
        title: capture.title,
        kind: capture.kind,
        size,
        frame: capture.frame,
        popups,
        parent,
        modal: capture.modal,
        variant_of,
        snap: capture.snap,
        theme: capture.theme,
        dark: capture.dark,
        scale: capture.scale,
        image: capture.image,
        inactive: capture.inactive,
    })
}

/// Whether sums with it cannot overflow.
fn is_near(offset: Point) -> bool {
    [offset.x, offset.y].iter().all(|v| (-MAX_OFFSET_PX..=MAX_OFFSET_PX).contains(v))
}

fn check_transition(
    files: &PackFiles,
    transition: &format::Transition,
    windows: &TiSlice<WindowIndex, Window>,
    window_by_id: &BTreeMap<String, WindowIndex>,
) -> Result<(), Error> {
    let program = transition.from.split('/').next().unwrap_or_default();
    let place = files.full_name(&format!("windows/{program}/transitions.jsonl"));
    for id in [&transition.from, &transition.to] {
        if !window_by_id.contains_key(id) {
            return Err(Error::file(&place, format!("a transition with window `{id}`"), "the id of a capture of this pack"));
        }
    }
    let from = &windows[window_by_id[&transition.from]];
    if from.element_index(&transition.element).is_none() {
        let found = format!("a transition by element `{}` of `{}`", transition.element, from.id);
        return Err(Error::file(&place, found, "the id of an element of that window"));
    }
    if transition.offset.is_some_and(|offset| !is_near(offset)) {
        return Err(Error::file(
            &place,
            format!("{:?}", transition.offset),
            format!("an offset of at most {MAX_OFFSET_PX} px each way"),
        ));
    }
    Ok(())
}

/// Every chain of parent windows must end.
fn check_parents_end(files: &PackFiles, windows: &TiSlice<WindowIndex, Window>) -> Result<(), Error> {
    for window in windows {
        let mut at = window;
        for _ in 0..=MAX_PARENTS {
            match at.parent {
                Some((parent, _)) => at = &windows[parent],
                None => break,
            }
        }
        if at.parent.is_some() {
            let place = files.full_name(&format!("windows/{}.json", window.id));
            return Err(Error::file(
                format!("{place}: parent_window"),
                "parents without end",
                format!("at most {MAX_PARENTS} above each other"),
            ));
        }
    }
    Ok(())
}

fn checked_elements(
    place: &str,
    records: Vec<format::ElementRecord>,
    bounds: windesk_model::geometry::Rect,
    popups: usize,
) -> Result<TiVec<ElementIndex, Element>, Error> {
    let mut by_id: BTreeMap<String, ElementIndex> = BTreeMap::new();
    let mut elements = TiVec::with_capacity(records.len());
    for record in records {
        let at = elements.next_key();
        let field =
            |field: &str, found: String, expected: &str| Error::file(format!("{place}: elements[{at}].{field}"), found, expected);
        if !bounds.covers(record.bbox) {
            let found = format!("{:?}", <[i32; 4]>::from(record.bbox));
            return Err(field("bbox", found, &format!("a box inside the picture {:?}", <[i32; 4]>::from(bounds))));
        }
        if record.popup.is_some_and(|p| p >= popups) {
            return Err(field("popup", format!("{:?}", record.popup), "the index of a popup of this capture"));
        }
        let parent = record
            .parent
            .map(|id| by_id.get(&id).copied().ok_or_else(|| field("parent", id, "the id of an earlier element")))
            .transpose()?;
        if by_id.insert(record.id.clone(), at).is_some() {
            return Err(field("id", record.id, "an id that no other element has"));
        }
        elements.push(Element {
            id: record.id,
            parent,
            role: record.role,
            name: record.name,
            description: record.description,
            bbox: record.bbox,
            interactive: record.interactive,
            popup: record.popup,
            state: record.state,
        });
    }
    Ok(elements)
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
    if !files.has(name) {
        return Ok(Vec::new());
    }
    let bytes = files.read(name)?;
    add_to_digest(digest, name, &bytes);
    bytes
        .split(|&b| b == b'\n')
        .enumerate()
        .filter(|(_, line)| !line.is_empty())
        .map(|(at, line)| parsed(files, name, Some(at + 1), line))
        .collect()
}

/// Reads a list of asset files; ids must be unique and every file must be there.
fn listed<T: DeserializeOwned>(
    files: &PackFiles,
    name: &str,
    digest: &mut Sha256,
    id_and_file: impl Fn(&T) -> (&String, &String),
) -> Result<Vec<T>, Error> {
    if !files.has(name) {
        return Ok(Vec::new());
    }
    let mut entries: Vec<T> = one(files, name, digest)?;
    entries.sort_by(|a, b| id_and_file(a).0.cmp(id_and_file(b).0));
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut ids = BTreeSet::new();
    for entry in &entries {
        let (id, file) = id_and_file(entry);
        if !ids.insert(id.clone()) {
            return Err(Error::file(files.full_name(name), format!("id `{id}` twice"), "ids that differ"));
        }
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

/// Path inside the pack of the file that holds the instructions of a window (`<program>/<capture>`) or program.
pub fn instruction_file(window: &str) -> String {
    let program = window.split('/').next().unwrap_or_default();
    format!("windows/{program}/{INSTRUCTION_FILE}")
}
