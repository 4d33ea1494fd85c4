//! Packs, and parts of packs, as an earlier run opened them, kept in a folder: the next run parses and ranks nothing.
//!
//! What is kept stands for a pack as long as [`FilesState`] is the same, and was written whole by this version of the
//! program; whatever else lies there is as good as nothing. It holds no more than can be found in the pack's own files.
//! Elements, and what only making packs needs, stay packed until somebody asks ([`Later`]).

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lz4_flex::block::{compress_prepend_size, decompress_size_prepended};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use typed_index_collections::TiVec;

use windesk_files::{remove_left_overs, write_in_pieces, write_unsynced_with};
use windesk_model::Error;
use windesk_model::index::{ElementIndex, ProgramIndex, SessionIndex, WindowIndex};
use windesk_model::pack_format as format;
use windesk_model::split::Split;

use super::compact::{Compact, from_bytes, to_bytes};
use super::evidence::{EvidencePart, worded};
use super::files::PackFiles;
use super::files_state::FilesState;
use super::index::{Index, IndexHeader, Titles, first_targets};
use super::later::{Later, Packed};
use super::load::PackParts;
use super::neighbours::{Lists, Neighbours};
use super::targets::{KnownKeys, NameKeys};
use super::transitions::shared;
use super::vectors::Vectors;
use super::{Element, Pack, PackSize, Program, Session, Target, Transitions, Window};

/// What every file begins with. Another number for every change of what follows, and of how it is made: of what names
/// are cleaned to, of which neighbours are left, of where dialogs lie.
const MAGIC: [u8; 8] = *b"wdpack\0\x07";
/// Of the program: what another one wrote is not read.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Where packs lie in a folder of prepared pictures.
const FOLDER: &str = "packs";
/// Packs and parts of packs that are kept in a folder; one more, and the one that was written first goes.
const MAX_PACKS: usize = 16;
/// Largest file.
const MAX_BYTES: u64 = 512 << 20;

impl Pack {
    /// [`Pack::open`], but a pack that was opened before with this folder, and has not changed since, need not be read
    /// again. What is found otherwise is kept there for the next time, if the folder takes it.
    ///
    /// # Errors
    /// Those of [`Pack::open`].
    pub fn open_kept_in(folder: &Path, files: PackFiles) -> Result<Self, Error> {
        match FilesState::of(&files) {
            Some(state) => Self::open_in_state(folder, files, &state),
            None => Self::open(files),
        }
    }

    /// The part of a pack that scenes of a split are made of ([`IndexedPack::restricted_to`]). A part that was opened
    /// before with this folder, of a pack that has not changed since, need neither be read nor ranked again, nor need
    /// the pack as a whole. `ranking` is called before similar elements are ranked anew, which takes seconds.
    ///
    /// # Errors
    /// Those of [`Pack::open`], [`Pack::indexed`] and [`IndexedPack::restricted_to`].
    ///
    /// [`IndexedPack::restricted_to`]: super::IndexedPack::restricted_to
    pub fn open_part_kept_in(folder: &Path, files: PackFiles, split: Split, ranking: impl FnOnce()) -> Result<Self, Error> {
        let Some(state) = FilesState::of(&files) else {
            ranking();
            return Ok(Self::open(files)?.indexed()?.restricted_to(split)?.into());
        };
        let (path, digest) = (kept_at(folder, &state, Some(split)), state.of_part(split));
        if let Some(parts) = read(&path, &digest, Some(split)) {
            return Ok(parts.put_together(files));
        }
        ranking();
        let part: Self = Self::open_in_state(folder, files, &state)?.indexed()?.restricted_to(split)?.into();
        part.keep(&path, &state, &digest);
        Ok(part)
    }

    fn open_in_state(folder: &Path, files: PackFiles, state: &FilesState) -> Result<Self, Error> {
        let path = kept_at(folder, state, None);
        if let Some(parts) = read(&path, &state.digest, None) {
            return Ok(parts.put_together(files));
        }
        let pack = Self::open(files)?;
        pack.keep(&path, state, &state.digest);
        Ok(pack)
    }

    /// Keeps it for the next run. `state` is that of its files before they were read.
    fn keep(&self, path: &Path, state: &FilesState, digest: &[u8; 32]) {
        if state.is_settled() {
            // A disk that is full or read-only costs time, and nothing else.
            let _ = write(path, digest, self);
        }
    }
}

/// Where a pack or a part of it is kept.
fn kept_at(folder: &Path, state: &FilesState, split: Option<Split>) -> PathBuf {
    let part = split.map(|split| format!(".{}", split.name())).unwrap_or_default();
    folder.join(FOLDER).join(format!("{}{part}.pack", state.root_digest()))
}

/// What is small, or needed by every run.
#[derive(Deserialize)]
struct Plain {
    header: format::Header,
    digest: String,
    windows_digest: String,
    sessions: TiVec<SessionIndex, Session>,
    programs: TiVec<ProgramIndex, Program>,
    wallpapers: Vec<format::Wallpaper>,
    icons: Vec<format::Icon>,
    fonts: Vec<format::Font>,
    windows: TiVec<WindowIndex, Window>,
    has_instructions: bool,
    split: Option<Split>,
    size_of_whole: PackSize,
    index: Option<PlainIndex>,
}

#[derive(Deserialize)]
struct PlainIndex {
    header: IndexHeader,
    titles: Titles,
    has_own_session: bool,
}

/// [`Plain`] as it is written.
#[derive(Serialize)]
struct PlainOf<'a> {
    header: &'a format::Header,
    digest: &'a str,
    windows_digest: &'a str,
    sessions: &'a TiVec<SessionIndex, Session>,
    programs: &'a TiVec<ProgramIndex, Program>,
    wallpapers: &'a [format::Wallpaper],
    icons: &'a [format::Icon],
    fonts: &'a [format::Font],
    windows: &'a TiVec<WindowIndex, Window>,
    has_instructions: bool,
    split: Option<Split>,
    size_of_whole: PackSize,
    index: Option<PlainIndexOf<'a>>,
}

#[derive(Serialize)]
struct PlainIndexOf<'a> {
    header: &'a IndexHeader,
    titles: &'a Titles,
    has_own_session: bool,
}

/// Values that stay packed, one after the other.
#[derive(Default)]
struct PackedOnes {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl PackedOnes {
    fn add(&mut self, plain: &[u8]) {
        self.bytes.extend(compress_prepend_size(plain));
        self.ends.push(self.bytes.len());
    }

    fn add_json(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.add(&serde_json::to_vec(value)?);
        Ok(())
    }
}

/// Hands out values that stay packed, in the order in which they were added.
struct NextPacked {
    bytes: Arc<Vec<u8>>,
    ends: std::vec::IntoIter<usize>,
    start: usize,
}

impl NextPacked {
    fn new(bytes: Vec<u8>, ends: Vec<usize>) -> Option<Self> {
        let fits = ends.is_sorted() && ends.last().is_some_and(|&end| end == bytes.len());
        fits.then(|| Self { bytes: Arc::new(bytes), ends: ends.into_iter(), start: 0 })
    }

    fn next<T>(&mut self, unpack: fn(&[u8]) -> Option<T>) -> Option<Later<T>> {
        let end = self.ends.next()?;
        let range = std::mem::replace(&mut self.start, end)..end;
        Some(Later::of(Packed { bytes: Arc::clone(&self.bytes), range, unpack }))
    }
}

fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    decompress_size_prepended(bytes).ok()
}

fn of_json<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(&unpacked(bytes)?).ok()
}

fn of_compact<T: Compact>(bytes: &[u8]) -> Option<T> {
    from_bytes(&unpacked(bytes)?)
}

fn known_keys(bytes: &[u8]) -> Option<KnownKeys> {
    let keys: Vec<(String, _)> = of_compact(bytes)?;
    Some(keys.into_iter().map(|(name, group)| (name.into(), group)).collect())
}

/// The sections of a pack's file, in order.
fn sections(pack: &Pack) -> io::Result<Vec<Vec<u8>>> {
    let Pack {
        header,
        digest,
        sessions,
        programs,
        windows,
        transitions,
        wallpapers,
        icons,
        fonts,
        has_instructions,
        instructions,
        evidence,
        competitors,
        windows_digest,
        split,
        size_of_whole,
        ..
    } = pack;
    let index = pack.index_if_any();
    let own_session = index.and_then(|index| index.neighbours.own_session.as_ref());
    let plain = PlainOf {
        header,
        digest,
        windows_digest,
        sessions,
        programs,
        wallpapers,
        icons,
        fonts,
        windows,
        has_instructions: *has_instructions,
        split: *split,
        size_of_whole: *size_of_whole,
        index: index.map(|index| PlainIndexOf {
            header: &index.header,
            titles: &index.titles,
            has_own_session: own_session.is_some(),
        }),
    };
    let mut packed = PackedOnes::default();
    windows.iter().for_each(|window| packed.add(&to_bytes(&*window.elements)));
    let captures = transitions.by_capture().map(|(id, places, _)| (id.to_owned(), places.to_vec()));
    packed.add(&to_bytes(&captures.collect::<Vec<_>>()));
    for (_, _, own) in transitions.by_capture() {
        packed.add_json(&own.iter().map(|transition| &**transition).collect::<Vec<_>>())?;
    }
    packed.add_json(&**instructions)?;
    packed.add_json(&**evidence)?;
    packed.add_json(&**competitors)?;
    let mut sections = vec![serde_json::to_vec(&plain)?];
    if let Some(index) = index {
        let keys = index.keys.known.keys().iter().map(|(name, group)| (name.to_string(), *group));
        packed.add(&to_bytes(&keys.collect::<Vec<_>>()));
        packed.add(&index.neighbours.mixed.to_bytes());
        sections.push(to_bytes(&index.targets));
        sections.push(to_bytes(&index.keys.of_element));
        sections.push(own_session.map(Lists::to_bytes).unwrap_or_default());
        sections.push(index.vectors.to_bytes());
    }
    sections.push(to_bytes(&packed.ends));
    sections.push(packed.bytes);
    Ok(sections)
}

fn write(path: &Path, state: &[u8; 32], pack: &Pack) -> Result<(), Error> {
    let failed = |e: io::Error| Error::io(path, e);
    let sections = sections(pack).map_err(failed)?;
    let folder = path.parent().expect("a file in a folder");
    std::fs::create_dir_all(folder).map_err(failed)?;
    let _ = remove_left_overs(folder);
    write_unsynced_with(path, |out| {
        let head = |out: &mut dyn Write| {
            out.write_all(&MAGIC)?;
            out.write_all(state)?;
            out.write_all(&head_of(VERSION.as_bytes()))?;
            out.write_all(VERSION.as_bytes())
        };
        head(out).map_err(failed)?;
        for section in &sections {
            out.write_all(&head_of(section)).and_then(|()| write_in_pieces(out, section)).map_err(failed)?;
        }
        Ok::<_, Error>(())
    })?;
    forget_oldest(folder).map_err(failed)
}

/// Takes away what was written first, until few are left.
fn forget_oldest(folder: &Path) -> io::Result<()> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        found.push((entry.metadata()?.modified()?, entry.path()));
    }
    found.sort();
    found.iter().rev().skip(MAX_PACKS).try_for_each(|(_, path)| std::fs::remove_file(path))
}

/// Length and checksum of a section, which stand before it.
fn head_of(section: &[u8]) -> [u8; 12] {
    let mut head = [0; 12];
    head[..8].copy_from_slice(&(section.len() as u64).to_le_bytes());
    head[8..].copy_from_slice(&crc32fast::hash(section).to_le_bytes());
    head
}

/// Reads sections of a file, one after the other.
struct Sections {
    file: File,
    bytes_left: u64,
}

impl Sections {
    fn exactly(&mut self, length: usize) -> Option<Vec<u8>> {
        self.bytes_left = self.bytes_left.checked_sub(length as u64)?;
        let mut bytes = vec![0; length];
        self.file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    fn next(&mut self) -> Option<Vec<u8>> {
        let head = self.exactly(12)?;
        let (length, checksum) = head.split_first_chunk::<8>()?;
        let section = self.exactly(u64::from_le_bytes(*length).try_into().ok()?)?;
        (crc32fast::hash(&section).to_le_bytes() == *checksum).then_some(section)
    }
}

/// What is kept of the pack, or the part of one, that is in this state.
fn read(path: &Path, state: &[u8; 32], of: Option<Split>) -> Option<PackParts> {
    let file = File::open(path).ok()?;
    let bytes_left = file.metadata().ok().map(|found| found.len()).filter(|&bytes| bytes <= MAX_BYTES)?;
    let mut sections = Sections { file, bytes_left };
    if sections.exactly(MAGIC.len())? != MAGIC || sections.exactly(state.len())? != state {
        return None;
    }
    if sections.next()? != VERSION.as_bytes() {
        return None;
    }
    let Plain {
        header,
        digest,
        windows_digest,
        sessions,
        programs,
        wallpapers,
        icons,
        fonts,
        mut windows,
        has_instructions,
        split,
        size_of_whole,
        index: plain_index,
    } = serde_json::from_slice(&sections.next()?).ok()?;
    if split != of {
        return None;
    }
    let mut index = match plain_index {
        None => None,
        Some(PlainIndex { header, titles, has_own_session }) => {
            let mut targets: TiVec<_, Target> = from_bytes(&sections.next()?)?;
            for target in &mut targets {
                let program = &programs[windows[target.window].program].record.name;
                let title = titles[target.window].as_ref().map_or("", |title| &title.text);
                target.instruction = worded(&target.sentences[0], target.wording, program, title);
            }
            let of_element = from_bytes(&sections.next()?)?;
            let own_session = sections.next()?;
            let own_session = if has_own_session { Some(Lists::from_bytes(&own_session)?) } else { None };
            let vectors = Vectors::from_bytes(sections.next()?, header.texts, header.model.dimensions)?;
            Some(Index {
                first_target: first_targets(&targets, windows.len()),
                header,
                targets,
                neighbours: Neighbours { mixed: Lists::default().into(), own_session },
                vectors,
                keys: NameKeys { of_element, known: KnownKeys::default().into() },
                titles,
            })
        }
    };
    let ends: Vec<usize> = from_bytes(&sections.next()?)?;
    let mut packed = NextPacked::new(sections.next()?, ends)?;
    for window in &mut windows {
        window.elements = packed.next(of_compact)?;
    }
    let captures: Later<Vec<(String, Vec<u32>)>> = packed.next(of_compact)?;
    let own = captures.iter().map(|(id, places)| {
        let own = packed.next(|bytes| Some(of_json::<Vec<format::Transition>>(bytes)?.into_iter().map(shared).collect()))?;
        Some((id.clone(), places.clone(), own))
    });
    let transitions = Transitions::of_captures(own.collect::<Option<Vec<_>>>()?);
    let instructions = packed.next(of_json)?;
    let evidence = packed.next(of_json)?;
    let competitors = packed.next(of_json)?;
    if let Some(index) = &mut index {
        index.keys.known = packed.next(known_keys)?;
        index.neighbours.mixed = packed.next(|bytes| Lists::from_bytes(&unpacked(bytes)?))?;
    }
    let window_by_id: BTreeMap<String, WindowIndex> = windows.iter_enumerated().map(|(at, w)| (w.id.clone(), at)).collect();
    (packed.ends.len() == 0 && sections.bytes_left == 0).then_some(PackParts {
        header,
        digest,
        windows_digest,
        sessions,
        programs,
        windows,
        transitions,
        wallpapers,
        icons,
        fonts,
        has_instructions,
        instructions,
        evidence,
        competitors,
        index,
        window_by_id,
        split,
        size_of_whole,
    })
}

impl Compact for Element {
    fn write(&self, out: &mut Vec<u8>) {
        let Self { id, parent, role, name, description, bbox, interactive, popup, state } = self;
        for text in [id, role, name, description] {
            text.write(out);
        }
        parent.write(out);
        bbox.write(out);
        interactive.write(out);
        popup.write(out);
        state.write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let mut text = || String::read(from);
        let [id, role, name, description] = [text()?, text()?, text()?, text()?];
        Some(Self {
            id,
            role,
            name,
            description,
            parent: Option::<ElementIndex>::read(from)?,
            bbox: Compact::read(from)?,
            interactive: bool::read(from)?,
            popup: Option::read(from)?,
            state: Compact::read(from)?,
        })
    }
}

/// Without the instruction, which is made of what windows and programs say, too.
impl Compact for Target {
    fn write(&self, out: &mut Vec<u8>) {
        let Self {
            window,
            element,
            bbox,
            instruction: _,
            wording,
            sentences,
            wordings,
            by_place,
            evidence,
            also_fits,
            source,
            ui_type,
            group,
            text,
            is_asked,
        } = self;
        window.write(out);
        element.write(out);
        bbox.write(out);
        wording.write(out);
        sentences.write(out);
        wordings.write(out);
        by_place.write(out);
        evidence.write(out);
        also_fits.write(out);
        source.write(out);
        ui_type.write(out);
        group.write(out);
        text.write(out);
        is_asked.write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Some(Self {
            window: Compact::read(from)?,
            element: Compact::read(from)?,
            bbox: Compact::read(from)?,
            instruction: String::new(),
            wording: Compact::read(from)?,
            sentences: Compact::read(from)?,
            wordings: Compact::read(from)?,
            by_place: Compact::read(from)?,
            evidence: Compact::read(from)?,
            also_fits: Compact::read(from)?,
            source: Compact::read(from)?,
            ui_type: Compact::read(from)?,
            group: Compact::read(from)?,
            text: Compact::read(from)?,
            is_asked: bool::read(from)?,
        })
    }
}

impl Compact for EvidencePart {
    fn write(&self, out: &mut Vec<u8>) {
        let Self { kind, bbox, by_parent, variant } = self;
        kind.write(out);
        bbox.write(out);
        by_parent.write(out);
        variant.write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Some(Self {
            kind: Compact::read(from)?,
            bbox: Compact::read(from)?,
            by_parent: bool::read(from)?,
            variant: Option::read(from)?,
        })
    }
}
