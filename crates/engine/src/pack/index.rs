//! The derived part of a pack (`index/`): targets with their words and what these need, their embeddings, and neighbour
//! lists.
//!
//! Made once by `windesk pack embed`; scenes need neither a model nor an inference runtime.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};
use typed_index_collections::{TiSlice, TiVec};

use windesk_model::Error;
use windesk_model::condition::SessionsKnob;
use windesk_model::digest::hex_digest;
use windesk_model::index::{ElementIndex, ProgramIndex, SessionIndex, TargetIndex, WindowIndex};
use windesk_model::instruction::{InstructionSource, UiType, Wording};
use windesk_model::role::RoleGroup;

use super::competitors::{self, NearTexts};
use super::evidence::{EvidencePart, ShownTitle, worded};
use super::files::{MAX_FILE_BYTES, PackFiles};
use super::neighbours::{self, Lists, MAX_NEIGHBOURS, Neighbours};
use super::targets::{Draft, NameKey, NameKeys, Target};
use super::vectors::Vectors;
use super::{Pack, Program, Session, Window};

/// How the vectors of a text's word pieces become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// Their mean.
    Mean,
    /// The first one.
    Cls,
}

/// Everything on which vectors depend: two packs' vectors may be compared only if these are equal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelDescription {
    /// The model's name in the world.
    pub id: String,
    /// Of the ONNX file that ran, 64 hex digits.
    pub weights_sha256: String,
    /// Of `tokenizer.json`, 64 hex digits.
    pub tokenizer_sha256: String,
    /// How word pieces are pooled.
    pub pooling: Pooling,
    /// In word pieces; longer texts are cut.
    pub max_length: usize,
    /// Numbers in a vector.
    pub dimensions: usize,
}

/// `index/index.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexHeader {
    /// Version of the index files.
    pub format_version: u32,
    /// SHA-256 over windows and instructions that the index was made from.
    pub windows_sha256: String,
    /// The model that made the vectors.
    pub model: ModelDescription,
    /// Number of targets.
    pub targets: usize,
    /// Number of distinct texts, the rows of the vectors.
    pub texts: usize,
    /// Neighbours kept per target.
    pub neighbours: usize,
    /// SHA-256 of the other index files by name.
    pub files: BTreeMap<String, String>,
}

/// A line of `index/targets.jsonl.gz`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetLine {
    window: String,
    element: String,
    sentences: Vec<String>,
    wording: Wording,
    wordings: Vec<Wording>,
    source: InstructionSource,
    ui_type: UiType,
    group: RoleGroup,
    text: usize,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    by_place: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<EvidencePart>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    also_fits: Vec<usize>,
    /// No scene asks for it: its window does not show what it is called.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unshown: bool,
}

/// A line of `index/titles.jsonl.gz`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TitleLine {
    window: String,
    title: ShownTitle,
}

/// What title bars show, by window; nothing for those that show no title.
pub type Titles = TiVec<WindowIndex, Option<ShownTitle>>;

/// The derived part of a pack, in memory.
#[derive(Debug)]
pub struct Index {
    /// The header as written.
    pub header: IndexHeader,
    /// All targets, by window and element.
    pub targets: TiVec<TargetIndex, Target>,
    pub(super) neighbours: Neighbours,
    pub(super) vectors: Vectors,
    pub(super) keys: NameKeys,
    pub(super) titles: Titles,
    /// By window, and one more: the number of targets.
    pub(super) first_target: TiVec<WindowIndex, TargetIndex>,
}

const FORMAT_VERSION: u32 = 3;
const HEADER: &str = "index/index.json";
const TARGETS: &str = "index/targets.jsonl.gz";
const TITLES: &str = "index/titles.jsonl.gz";
const VECTORS: &str = "index/vectors.i8";
const NEIGHBOURS: &str = "index/neighbours.u32.gz";
/// Only in packs of several sessions.
const SESSION_NEIGHBOURS: &str = "index/session_neighbours.u32.gz";
/// Files of earlier versions of the format, which a new index makes useless.
pub const FORMER_INDEX_FILES: [&str; 3] = ["index/targets.jsonl", "index/vectors.f16", "index/neighbours.bin"];
/// Stands for "no neighbour of this rank".
const NONE: u32 = u32::MAX;

impl Index {
    /// Similar elements of other programs as target indices, most similar first: rank r is item r - 1. With
    /// [`SessionsKnob::One`] they are ranked among the windows of the target's session that have its brightness.
    pub fn neighbours(&self, target: TargetIndex, sessions: SessionsKnob) -> &[TargetIndex] {
        self.neighbours.of(target, sessions)
    }

    /// The unit vector of a text, by its row.
    pub fn vector(&self, text: usize) -> Array1<f32> {
        self.vectors.unit(text)
    }

    /// Hands to `each` the texts that may mean the same as brief words, of other programs: those whose cosine is at
    /// least `least`, each pair of texts once for each target that has the words.
    pub fn near_texts(&self, pack: &Pack, least: f64, each: impl FnMut(NearTexts)) {
        competitors::near_texts(pack, &self.keys, &self.targets, &self.vectors, least, each);
    }

    /// Similar elements of all other programs, one each, most similar first; computed anew where [`Self::neighbours`]
    /// ends too soon.
    pub fn all_neighbours(&self, pack: &Pack, target: TargetIndex, sessions: SessionsKnob) -> Vec<TargetIndex> {
        let own = self.targets[target].text;
        let similarities: Vec<f64> = (0..self.header.texts).map(|text| self.vectors.cosine(own, text)).collect();
        neighbours::ranked_programs(pack, &self.keys, &self.targets, &self.targets[target], sessions, |text| similarities[text])
    }

    /// Cosine of two targets' embeddings, -1..=1, the same on every platform.
    pub fn cosine(&self, a: TargetIndex, b: TargetIndex) -> f64 {
        self.vectors.cosine(self.targets[a].text, self.targets[b].text)
    }

    /// The targets in a window, in order.
    pub fn targets_in(&self, window: WindowIndex) -> impl ExactSizeIterator<Item = TargetIndex> + Clone + use<> {
        let [first, end] = [window, window.after()].map(|at| self.first_target[at].0);
        (first..end).map(TargetIndex)
    }

    /// The target that this element is, if it is one.
    pub fn target_at(&self, window: WindowIndex, element: ElementIndex) -> Option<TargetIndex> {
        self.targets_in(window).find(|&t| self.targets[t].element == element)
    }

    /// What a window's title bar shows.
    pub fn title(&self, window: WindowIndex) -> Option<&ShownTitle> {
        self.titles[window].as_ref()
    }

    /// Whether a window shows something else that the brief words of a target fit by what they mean.
    pub fn holds_competitor(&self, target: TargetIndex, window: WindowIndex) -> bool {
        let also_fits = &self.targets[target].also_fits;
        !also_fits.is_empty() && self.targets_in(window).any(|other| also_fits.binary_search(&self.targets[other].text).is_ok())
    }

    /// What the elements of a window are called, as numbers: equal numbers satisfy the same words.
    pub fn name_keys(&self, window: WindowIndex) -> &TiSlice<ElementIndex, Option<u32>> {
        &self.keys.of_element[window]
    }

    /// A name key as such a number, where it may be of a composed window; nothing if no element of the pack as captured
    /// is called so.
    pub fn number_of(&self, key: &NameKey) -> Option<u32> {
        self.keys.number_of(key)
    }

    /// The normalised name of a target's element, if it has one.
    pub(super) fn name_of(&self, target: &Target) -> Option<&str> {
        let number = self.keys.of_element[target.window][target.element]?;
        Some(&self.keys.known.keys()[number as usize].0)
    }

    /// Whether a caption on the desktop reads like the name of elements with this name key.
    pub fn reads_like(&self, name_key: u32, caption: &str) -> bool {
        self.keys.reads_like(name_key, caption)
    }

    /// The index of a part of a pack, with these of its targets, in order. Their similar elements are ranked anew,
    /// among themselves.
    /// `titles` are those of its windows.
    pub(super) fn of_part(whole: &Self, part: &Pack, targets: TiVec<TargetIndex, Target>, titles: Titles) -> Self {
        let keys = NameKeys::of(&part.windows);
        let neighbours = neighbours::rank_part(part, &keys, &targets, &whole.vectors);
        Self {
            header: whole.header.clone(),
            first_target: first_targets(&targets, part.windows.len()),
            vectors: whole.vectors.clone(),
            neighbours,
            keys,
            titles,
            targets,
        }
    }

    /// Digest over all index files.
    pub(super) fn digest(&self) -> String {
        hex_digest(serde_json::to_string(&self.header).expect("plain data").as_bytes())
    }

    /// Reads the index of a pack, if it has one.
    pub(super) fn read(
        files: &PackFiles,
        windows_digest: &str,
        windows: &TiSlice<WindowIndex, Window>,
        sessions: &TiSlice<SessionIndex, Session>,
        programs: &TiSlice<ProgramIndex, Program>,
    ) -> Result<Option<Self>, Error> {
        if !files.has(HEADER) {
            return Ok(None);
        }
        let bad = |name: &str, found: String, expected: &str| Error::file(files.full_name(name), found, expected);
        let header: IndexHeader = serde_json::from_slice(&files.read(HEADER)?)
            .map_err(|e| bad(HEADER, e.to_string(), "the form described in docs/pack.md"))?;
        if header.format_version != FORMAT_VERSION {
            let found = format!("format_version {}", header.format_version);
            return Err(bad(HEADER, found, &format!("format_version {FORMAT_VERSION}"))
                .with_hint("run `windesk pack embed` on the pack again"));
        }
        if header.windows_sha256 != windows_digest {
            let expected = format!("{windows_digest}, the digest of the windows and instructions");
            return Err(bad(HEADER, format!("windows_sha256 {}", header.windows_sha256), &expected)
                .with_hint("the pack has changed since; run `windesk pack embed` on it again"));
        }
        let read = |name: &str| {
            let digest = header.files.get(name).ok_or_else(|| bad(HEADER, format!("no digest of {name}"), "one per file"))?;
            files.read_verified(name, digest)
        };
        let lines = unpacked(&files.full_name(TARGETS), &read(TARGETS)?)?;
        let title_lines = unpacked(&files.full_name(TITLES), &read(TITLES)?)?;
        let titles = parse_titles(&files.full_name(TITLES), &title_lines, windows)?;
        let parents = Parents { windows, programs, titles: &titles };
        let targets = parse_targets(&files.full_name(TARGETS), &lines, &header, &parents)?;
        let dimensions = header.model.dimensions;
        let bytes = read(VECTORS)?.into_owned();
        let length = bytes.len();
        let vectors = Vectors::from_bytes(bytes, header.texts, dimensions)
            .ok_or_else(|| bad(VECTORS, format!("{length} bytes"), &format!("{} rows of {dimensions} bytes", header.texts)))?;
        let lists =
            |name: &str| parse_neighbours(&files.full_name(name), &unpacked(&files.full_name(name), &read(name)?)?, &header);
        let own_session = (sessions.len() > 1).then(|| lists(SESSION_NEIGHBOURS)).transpose()?;
        let neighbours = Neighbours::stored(lists(NEIGHBOURS)?, own_session, &targets, windows, sessions);
        let keys = NameKeys::of(windows);
        Ok(Some(Self {
            first_target: first_targets(&targets, windows.len()),
            header,
            targets,
            neighbours,
            vectors,
            keys,
            titles,
        }))
    }
}

/// Where the targets of each window begin, and where those of the last one end.
pub(super) fn first_targets(targets: &TiSlice<TargetIndex, Target>, windows: usize) -> TiVec<WindowIndex, TargetIndex> {
    (0..=windows).map(|w| targets.partition_point(|t| t.window < WindowIndex(w))).collect()
}

/// What lines of targets speak of.
struct Parents<'a> {
    windows: &'a TiSlice<WindowIndex, Window>,
    programs: &'a TiSlice<ProgramIndex, Program>,
    titles: &'a Titles,
}

fn parse_titles(place: &str, bytes: &[u8], windows: &TiSlice<WindowIndex, Window>) -> Result<Titles, Error> {
    let by_id: BTreeMap<&str, WindowIndex> = windows.iter_enumerated().map(|(at, w)| (w.id.as_str(), at)).collect();
    let mut titles: Titles = vec![None; windows.len()].into();
    for (at, line) in bytes.split(|&b| b == b'\n').filter(|line| !line.is_empty()).enumerate() {
        let bad = |found: String, expected: &str| Error::file(format!("{place}:{}", at + 1), found, expected);
        let line: TitleLine = serde_json::from_slice(line).map_err(|e| bad(e.to_string(), "a title"))?;
        let Some(&window) = by_id.get(line.window.as_str()) else {
            return Err(bad(format!("window `{}`", line.window), "a window of this pack"));
        };
        if !windows[window].size.rect().covers(line.title.bbox) {
            return Err(bad(format!("box {:?}", line.title.bbox), "a box in the window's picture"));
        }
        titles[window] = Some(line.title);
    }
    Ok(titles)
}

/// What is wrong with how a line says that its target is asked for, if anything is: what was found, and what expected.
fn fault_of(line: &TargetLine, header: &IndexHeader, parents: &Parents, window: WindowIndex) -> Option<(String, String)> {
    let record = &parents.windows[window];
    let parent = record.parent.map(|(parent, _)| &parents.windows[parent]);
    let shows = |part: &&EvidencePart| {
        let shown_by = if part.by_parent { parent } else { Some(record) };
        shown_by.is_some_and(|window| window.size.rect().covers(part.bbox))
    };
    if line.sentences.is_empty() {
        return Some(("no sentence".to_owned(), "at least one".to_owned()));
    }
    if !line.wordings.is_sorted_by(|a, b| a < b) {
        return Some((format!("wordings {:?}", line.wordings), "each once, sorted".to_owned()));
    }
    if line.wordings.contains(&Wording::InWindow) && parents.titles[window].is_none() {
        return Some(("wording in_window".to_owned(), "a window that shows a title".to_owned()));
    }
    if let Some(part) = line.evidence.iter().find(|part| !shows(part)) {
        return Some((format!("evidence {:?} at {:?}", part.kind, part.bbox), "a box in the picture of its window".to_owned()));
    }
    if line.also_fits.iter().any(|&text| text >= header.texts) || !line.also_fits.is_sorted_by(|a, b| a < b) {
        return Some((format!("also_fits {:?}", line.also_fits), format!("sorted rows below {}", header.texts)));
    }
    None
}

fn parse_targets(
    place: &str,
    bytes: &[u8],
    header: &IndexHeader,
    parents: &Parents,
) -> Result<TiVec<TargetIndex, Target>, Error> {
    let windows = parents.windows;
    let by_id: BTreeMap<&str, WindowIndex> = windows.iter_enumerated().map(|(at, w)| (w.id.as_str(), at)).collect();
    let mut targets: TiVec<TargetIndex, Target> = TiVec::with_capacity(header.targets.min(1 << 20));
    for (at, line) in bytes.split(|&b| b == b'\n').filter(|line| !line.is_empty()).enumerate() {
        let bad = |found: String, expected: &str| Error::file(format!("{place}:{}", at + 1), found, expected);
        let line: TargetLine = serde_json::from_slice(line).map_err(|e| bad(e.to_string(), "a target"))?;
        // Targets are sorted: most are in the window of the one before.
        let same = targets.last().map(|last| last.window).filter(|&window| windows[window].id == line.window);
        let found = same
            .as_ref()
            .or_else(|| by_id.get(line.window.as_str()))
            .and_then(|&window| element_after(&windows[window], window, targets.last(), &line.element).map(|at| (window, at)));
        let Some((window, element)) = found else {
            return Err(bad(format!("`{}#{}`", line.window, line.element), "a window and element of this pack"));
        };
        if line.text >= header.texts {
            return Err(bad(format!("text {}", line.text), &format!("a row below {}", header.texts)));
        }
        if targets.last().is_some_and(|t| (t.window, t.element) >= (window, element)) {
            return Err(bad(format!("`{}#{}`", line.window, line.element), "targets sorted by window and element, each once"));
        }
        if let Some((found, expected)) = fault_of(&line, header, parents, window) {
            return Err(bad(found, &expected));
        }
        let TargetLine {
            sentences, wording, wordings, source, ui_type, group, text, by_place, evidence, also_fits, unshown, ..
        } = line;
        let program = &parents.programs[windows[window].program].record.name;
        let title = parents.titles[window].as_ref().map_or("", |title| &title.text);
        let instruction = worded(&sentences[0], wording, program, title);
        targets.push(Target {
            window,
            element,
            bbox: windows[window].elements[element].bbox,
            instruction,
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
            is_asked: !unshown,
        });
    }
    if targets.len() == header.targets {
        Ok(targets)
    } else {
        Err(Error::file(place, format!("{} targets", targets.len()), format!("{} as the header says", header.targets)))
    }
}

/// The element of a window with this id. Targets are sorted: it is looked for behind the last one first.
fn element_after(record: &Window, window: WindowIndex, last: Option<&Target>, id: &str) -> Option<ElementIndex> {
    let first = last.filter(|last| last.window == window).map_or(ElementIndex(0), |last| last.element.after());
    let behind = record.elements_after_id(first, id);
    behind.or_else(|| record.element_index(id))
}

fn parse_neighbours(place: &str, bytes: &[u8], header: &IndexHeader) -> Result<Lists, Error> {
    let bad = |found: String, expected: String| Error::file(place, found, expected);
    let row_bytes = header.neighbours.saturating_mul(NONE.to_le_bytes().len());
    if Some(bytes.len()) != row_bytes.checked_mul(header.targets) {
        let expected = format!("{} rows of {} neighbours of 4 bytes", header.targets, header.neighbours);
        return Err(bad(format!("{} bytes", bytes.len()), expected));
    }
    let mut lists = Lists::with_capacity(header.targets);
    for at in 0..header.targets {
        let row = bytes[at * row_bytes..(at + 1) * row_bytes].as_chunks::<4>().0;
        let known = row.iter().map(|number| u32::from_le_bytes(*number)).take_while(|&target| target != NONE);
        if let Some(stranger) = known.clone().find(|&target| target as usize >= header.targets) {
            return Err(bad(format!("neighbour {stranger}"), "a target's index".into()));
        }
        lists.push(known.map(|target| TargetIndex(target as usize)));
    }
    Ok(lists)
}

/// The contents of a gzip file; no more than any file of a pack may have.
fn unpacked(place: &str, packed: &[u8]) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed)
        .take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| Error::file(place, e, "a whole gzip file"))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(Error::file(place, "a larger file inside", format!("at most {MAX_FILE_BYTES} bytes")));
    }
    Ok(bytes)
}

/// As a gzip file without time or name, so that the same contents give the same file.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing into memory")
}

/// The files of an index over these targets, by path inside the pack.
///
/// `embed` turns texts into one unit vector each (`[texts, dimensions]`).
///
/// # Errors
/// Those of `embed`.
pub fn index_files<E>(
    pack: &Pack,
    mut drafts: Vec<Draft>,
    titles: &Titles,
    model: ModelDescription,
    embed: impl FnOnce(&[&str]) -> Result<Array2<f32>, E>,
) -> Result<BTreeMap<String, Vec<u8>>, E> {
    let mut rows: BTreeMap<String, usize> = drafts.iter().map(|d| (d.bare().to_owned(), 0)).collect();
    for (row, at) in rows.values_mut().enumerate() {
        *at = row;
    }
    let texts: Vec<&str> = rows.keys().map(String::as_str).collect();
    let exact = embed(&texts)?;
    assert_eq!(exact.dim(), (texts.len(), model.dimensions), "one vector per text");
    let text_count = texts.len();
    for draft in &mut drafts {
        draft.target.text = rows[draft.bare()];
        // Texts are rows in the order of the alphabet, so that these are sorted too.
        draft.target.also_fits = draft.also_fits.iter().filter_map(|text| rows.get(text).copied()).collect();
    }
    let mut targets: TiVec<TargetIndex, Target> = drafts.into_iter().map(|d| d.target).collect();
    let keys = NameKeys::of(&pack.windows);
    let ranked = neighbours::rank(pack, &keys, &targets, &exact);
    let rounded = Vectors::rounded(exact.view());
    competitors::ask_judged_alone(pack, &keys, &mut targets, &rounded);

    let mut files = BTreeMap::new();
    files.insert(TARGETS.to_owned(), packed(&target_lines(pack, &targets)));
    files.insert(TITLES.to_owned(), packed(&title_lines(pack, titles)));
    files.insert(VECTORS.to_owned(), rounded.to_bytes());
    let (mixed, own_session) = ranked.to_store(pack);
    files.insert(NEIGHBOURS.to_owned(), packed(&neighbour_rows(mixed)));
    if let Some(own_session) = own_session {
        files.insert(SESSION_NEIGHBOURS.to_owned(), packed(&neighbour_rows(own_session)));
    }
    let header = IndexHeader {
        format_version: FORMAT_VERSION,
        windows_sha256: pack.windows_digest.clone(),
        model,
        targets: targets.len(),
        texts: text_count,
        neighbours: MAX_NEIGHBOURS,
        files: files.iter().map(|(name, bytes)| (name.clone(), hex_digest(bytes))).collect(),
    };
    let mut text = serde_json::to_string_pretty(&header).expect("plain data");
    text.push('\n');
    files.insert(HEADER.to_owned(), text.into_bytes());
    Ok(files)
}

fn target_lines(pack: &Pack, targets: &TiSlice<TargetIndex, Target>) -> Vec<u8> {
    let mut out = Vec::new();
    for target in targets {
        let window = &pack.windows[target.window];
        let line = TargetLine {
            window: window.id.clone(),
            element: window.elements[target.element].id.clone(),
            sentences: target.sentences.clone(),
            wording: target.wording,
            wordings: target.wordings.clone(),
            by_place: target.by_place,
            evidence: target.evidence.clone(),
            also_fits: target.also_fits.clone(),
            source: target.source,
            ui_type: target.ui_type,
            group: target.group,
            text: target.text,
            unshown: !target.is_asked,
        };
        serde_json::to_writer(&mut out, &line).expect("plain data into memory");
        out.push(b'\n');
    }
    out
}

fn title_lines(pack: &Pack, titles: &Titles) -> Vec<u8> {
    let mut out = Vec::new();
    for (window, title) in pack.windows.iter().zip(titles) {
        if let Some(title) = title {
            let line = TitleLine { window: window.id.clone(), title: title.clone() };
            serde_json::to_writer(&mut out, &line).expect("plain data into memory");
            out.push(b'\n');
        }
    }
    out
}

fn neighbour_rows(ranked: &Lists) -> Vec<u8> {
    let mut out = Vec::with_capacity(ranked.len() * MAX_NEIGHBOURS * 4);
    for row in ranked.iter() {
        for rank in 0..MAX_NEIGHBOURS {
            out.extend(row.get(rank).map_or(NONE, |&target| target.0 as u32).to_le_bytes());
        }
    }
    out
}
