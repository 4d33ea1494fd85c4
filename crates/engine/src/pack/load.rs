//! From files to a checked [`Pack`]: shapes of the data, references between files, boxes inside pictures. No pixels.

use std::collections::BTreeMap;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use typed_index_collections::{TiSlice, TiVec};

use windesk_model::digest::{hex, stable_id};
use windesk_model::geometry::Point;
use windesk_model::index::{ProgramIndex, SessionIndex, WindowIndex};
use windesk_model::pack_format::{Evidence, Inside, OLDEST_FORMAT_VERSION, SnapState};
use windesk_model::split::Split;
use windesk_model::{Error, pack_format as format};

use super::files::PackFiles;
use super::index::Index;
use super::later::Later;
use super::limits::{MAX_OFFSET_PX, MAX_PICTURE_PIXELS, MAX_SCALE, check_sized_picture, is_named_by_digest, is_near};
use super::living::PageCache;
use super::picture_cache::CacheStore;
use super::pointer::PointerPictures;
use super::read::{
    EVIDENCE_FILE, ReadCapture, Written, instruction_file, listed, program_file, read_header, read_sessions, read_windows,
};
use super::sessions::{Lists, Session, checked_sessions};
use super::shown::ComposedCache;
use super::window_pixels::PixelCache;
use super::{Pack, PackSize, Program, Transitions, Window, transitions};

/// Most parent windows above each other.
const MAX_PARENTS: usize = 4;
/// Where a dialog lies from its parent where the capture does not say, px: clear of the title bar, as window managers
/// cascade windows.
const USUAL_PARENT_OFFSET: Point = Point { x: 60, y: 60 };
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
        let header = read_header(&files, &mut digest)?;
        let written_sessions = read_sessions(&files, &header, &mut digest)?;
        let Written { programs, mut captures, transitions: written_transitions, instructions, evidence, competitors } =
            read_windows(&files, &header, &mut digest)?;
        let windows_digest = hex(&digest.clone().finalize());
        let wallpapers =
            listed::<format::Wallpaper>(&files, "wallpapers/wallpapers.json", &mut digest, |w| (w.id.clone(), &w.file))?;
        let icons = listed::<format::Icon>(&files, "icons/icons.json", &mut digest, |i| (i.id.clone(), &i.file))?;
        let face = |font: &format::Font| format!("{} {}", font.family, font.style);
        let fonts = listed::<format::Font>(&files, "fonts/fonts.json", &mut digest, |f| (face(f), &f.file))?;
        captures.sort_by(|a, b| a.capture.id.cmp(&b.capture.id));
        let mut programs: TiVec<ProgramIndex, Program> = programs
            .into_iter()
            .map(|record| Program { stable_id: stable_id(&record.id), record, windows: Vec::new() })
            .collect();
        let lists = Lists { programs: &programs, wallpapers: &wallpapers, icons: &icons, fonts: &fonts };
        let sessions = checked_sessions(&files, written_sessions, &header, !captures.is_empty(), &lists)?;
        let window_by_id: BTreeMap<String, WindowIndex> =
            captures.iter().enumerate().map(|(at, read)| (read.capture.id.clone(), at.into())).collect();
        let known =
            Known { version: header.format_version, programs: &programs, sessions: &sessions, window_by_id: &window_by_id };
        let mut windows = captures
            .into_iter()
            .map(|read| known.checked_window(&files.full_name(&read.name), read))
            .collect::<Result<TiVec<WindowIndex, Window>, Error>>()?;
        for (at, window) in windows.iter_enumerated() {
            programs[window.program].windows.push(at);
        }
        check_parents_end(&files, &windows)?;
        bring_dialogs_to_parents(&mut windows);
        check_insides(&files, &windows)?;
        let mut transitions = Vec::with_capacity(written_transitions.len());
        for mut written in written_transitions {
            if header.format_version == OLDEST_FORMAT_VERSION {
                transitions::closes(&mut written.line, &windows, &window_by_id);
            }
            transitions::check(&written, &windows, &window_by_id)?;
            transitions.push(written.line);
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
        for part in &evidence {
            check_evidence(&files, part, &windows, &window_by_id)?;
        }
        let index = Index::read(&files, &windows_digest, &windows, &sessions, &programs)?;
        if let Some(index) = &index {
            digest.update(index.digest().as_bytes());
        }
        let size_of_whole = PackSize { windows: windows.len(), programs: programs.len() };
        let parts = PackParts {
            header,
            digest: hex(&digest.finalize()),
            windows_digest,
            sessions,
            programs,
            windows,
            transitions: transitions.into_iter().collect(),
            wallpapers,
            icons,
            fonts,
            has_instructions: !instructions.is_empty(),
            instructions: instructions.into(),
            evidence: evidence.into(),
            competitors: competitors.into(),
            index,
            window_by_id,
            split: None,
            size_of_whole,
        };
        Ok(parts.put_together(files))
    }
}

/// What a pack holds, read from its files; each is a field of [`Pack`].
pub(super) struct PackParts {
    pub(super) header: format::Header,
    pub(super) digest: String,
    pub(super) windows_digest: String,
    pub(super) sessions: TiVec<SessionIndex, Session>,
    pub(super) programs: TiVec<ProgramIndex, Program>,
    pub(super) windows: TiVec<WindowIndex, Window>,
    pub(super) transitions: Transitions,
    pub(super) wallpapers: Vec<format::Wallpaper>,
    pub(super) icons: Vec<format::Icon>,
    pub(super) fonts: Vec<format::Font>,
    pub(super) has_instructions: bool,
    pub(super) instructions: Later<Vec<format::ReviewedInstruction>>,
    pub(super) evidence: Later<Vec<Evidence>>,
    pub(super) competitors: Later<Vec<format::Competitor>>,
    pub(super) index: Option<Index>,
    pub(super) window_by_id: BTreeMap<String, WindowIndex>,
    pub(super) split: Option<Split>,
    pub(super) size_of_whole: PackSize,
}

impl PackParts {
    /// The pack with these files, of which no picture was looked at yet.
    pub(super) fn put_together(self, files: PackFiles) -> Pack {
        let Self {
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
        } = self;
        Pack {
            header,
            digest,
            windows_digest,
            sessions,
            programs,
            cache: PixelCache::new(windows.len(), DEFAULT_CACHE_BYTES, CacheStore::Memory),
            windows,
            transitions,
            wallpapers,
            icons,
            fonts,
            has_instructions,
            instructions,
            evidence,
            competitors,
            split,
            size_of_whole,
            index: index.map(Arc::new),
            window_by_id,
            files,
            pointers: PointerPictures::default(),
            pages: PageCache::default(),
            composed: ComposedCache::default(),
        }
    }
}

/// Whether the files of a capture have the names that their digests give them.
fn check_file_names(place: &str, capture: &format::Capture) -> Result<(), Error> {
    let field = |field: &str, found: String, expected: &str| Error::file(format!("{place}: {field}"), found, expected);
    let inactive = capture.inactive.iter().map(|picture| ("inactive.file", picture));
    for (name, picture) in std::iter::once(("image.file", &capture.image)).chain(inactive) {
        if !is_named_by_digest(&picture.file, &picture.sha256, ".webp") {
            return Err(field(name, picture.file.clone(), "<first 16 digits of sha256>.webp"));
        }
    }
    if let Some(living) = &capture.living {
        if !is_named_by_digest(&living.file, &living.sha256, ".jsonl") {
            return Err(field("living.file", living.file.clone(), "<first 16 digits of sha256>.jsonl"));
        }
        if let Some(atlas) = &living.atlas {
            check_sized_picture(atlas).map_err(|(found, expected)| field("living.atlas", found, &expected))?;
        }
    }
    Ok(())
}

/// What captures refer to.
struct Known<'a> {
    version: u32,
    programs: &'a TiSlice<ProgramIndex, Program>,
    sessions: &'a TiSlice<SessionIndex, Session>,
    window_by_id: &'a BTreeMap<String, WindowIndex>,
}

impl Known<'_> {
    fn checked_window(&self, place: &str, read: ReadCapture) -> Result<Window, Error> {
        let ReadCapture { capture, elements, .. } = read;
        let field = |field: &str, found: String, expected: &str| Error::file(format!("{place}: {field}"), found, expected);
        if capture.format_version != self.version {
            return Err(field("format_version", capture.format_version.to_string(), &self.version.to_string()));
        }
        let session = self.session_of(place, &capture)?;
        let program_id = capture.id.split('/').next().unwrap_or_default();
        let program = self
            .programs
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
        check_file_names(place, &capture)?;
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
            self.window_by_id.get(id).copied().ok_or_else(|| field(what, id.to_owned(), "the id of a capture of this pack"))
        };
        let parent = match (&capture.parent_window, capture.parent_offset) {
            (None, _) => None,
            (Some(id), offset) => Some((find("parent_window", id)?, offset.unwrap_or(USUAL_PARENT_OFFSET))),
        };
        let inside = match &capture.inside {
            None => None,
            Some(_) if capture.platform == format::Platform::Desktop => {
                return Err(field("inside", "a window of a desktop".to_owned(), "a page of platform web or mobile_web"));
            }
            Some(Inside { window, at }) => Some((find("inside.window", window)?, *at)),
        };
        let variant_of = capture.variant_of.as_deref().map(|id| find("variant_of", id)).transpose()?;
        Ok(Window {
            stable_id: stable_id(&capture.id),
            session,
            platform: capture.platform,
            inside,
            newest_date: capture.newest_date,
            living: capture.living,
            frame_style: capture.frame_style,
            elements: elements.into(),
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
}

impl Known<'_> {
    /// The session of a capture, which must agree with what the capture says.
    fn session_of(&self, place: &str, capture: &format::Capture) -> Result<SessionIndex, Error> {
        let field = |field: &str, found: String, expected: &str| Error::file(format!("{place}: {field}"), found, expected);
        if self.version == OLDEST_FORMAT_VERSION {
            let written = [
                ("session", capture.session.is_some()),
                ("platform", capture.platform != format::Platform::Desktop),
                ("inside", capture.inside.is_some()),
                ("newest_date", capture.newest_date.is_some()),
                ("living", capture.living.is_some()),
            ];
            return match written.iter().find(|(_, is_written)| *is_written) {
                Some((name, _)) => Err(field(name, "it in a pack of format_version 1".to_owned(), "format_version 2")),
                None => Ok(SessionIndex(0)),
            };
        }
        let expected = "the id of a session of this pack";
        let id = capture.session.as_ref().ok_or_else(|| field("session", "nothing".to_owned(), expected))?;
        let at = self.sessions.position(|s| s.id == *id).ok_or_else(|| field("session", id.clone(), expected))?;
        let record = self.sessions[at].record.as_ref().expect("sessions of version 2 are written");
        // A telephone's screen is its own: it has more pixels to a layout pixel than the desktop beside it.
        if capture.scale != record.scale && capture.platform != format::Platform::MobileWeb {
            return Err(field("scale", capture.scale.to_string(), &format!("{}, that of session {id}", record.scale)));
        }
        if let Some(newest) = capture.newest_date
            && newest.day_start() > record.clock.day_start()
        {
            let expected = format!("no date after {}, the clock of session {id}", record.clock);
            return Err(field("newest_date", newest.to_string(), &expected));
        }
        Ok(at)
    }
}

/// A web page lies within the picture of the browser's window that shows it, in the same session.
fn check_insides(files: &PackFiles, windows: &TiSlice<WindowIndex, Window>) -> Result<(), Error> {
    for page in windows {
        let Some((browser, at)) = page.inside else { continue };
        let browser = &windows[browser];
        let place = || format!("{}: inside", files.full_name(&format!("windows/{}.json", page.id)));
        if browser.session != page.session || browser.platform != format::Platform::Desktop {
            return Err(Error::file(place(), &browser.id, "a window of a desktop of the same session"));
        }
        if !is_near(at) || !browser.size.rect().covers(page.size.rect().moved(at)) {
            let found = format!("a page of {}x{} at [{}, {}]", page.size.width, page.size.height, at.x, at.y);
            return Err(Error::file(place(), found, format!("a place inside `{}`", browser.id)));
        }
    }
    Ok(())
}

fn check_evidence(
    files: &PackFiles,
    part: &Evidence,
    windows: &TiSlice<WindowIndex, Window>,
    window_by_id: &BTreeMap<String, WindowIndex>,
) -> Result<(), Error> {
    let place = files.full_name(&program_file(&part.window, EVIDENCE_FILE));
    let bad = |found: String, expected: &str| {
        Err(Error::file(format!("{place}: evidence for `{}#{}`", part.window, part.element), found, expected))
    };
    let Some(&of_target) = window_by_id.get(&part.window) else {
        return bad("an unknown window".to_owned(), "a capture of this pack");
    };
    if windows[of_target].element_index(&part.element).is_none() {
        return bad("an unknown element".to_owned(), "an element of that window");
    }
    let shown_by = match &part.shown_by {
        None => of_target,
        Some(id) => match window_by_id.get(id) {
            Some(&at) if windows[of_target].parent.is_some_and(|(parent, _)| parent == at) => at,
            _ => return bad(format!("shown_by `{id}`"), "its parent window"),
        },
    };
    if !windows[shown_by].size.rect().covers(part.bbox) {
        return bad(format!("bbox {:?}", <[i32; 4]>::from(part.bbox)), "a box inside the picture");
    }
    match &part.of {
        Some(id) if windows[shown_by].element_index(id).is_none() => bad(format!("of `{id}`"), "an element of that window"),
        _ => Ok(()),
    }
}

/// Puts dialogs that were captured beside their parent over it: some were captured in the middle of a screen whose
/// corner their parent stood in. They lie as far from its middle as most dialogs under the same window manager do:
/// toolkits leave the title bar out of account.
fn bring_dialogs_to_parents(windows: &mut TiSlice<WindowIndex, Window>) {
    let middle = |window: &Window| window.frame.size().rect().centre();
    let floating = |window: &Window| window.parent.filter(|_| window.snap == SnapState::Floating);
    let mut usual: BTreeMap<String, BTreeMap<(i32, i32), u32>> = BTreeMap::new();
    let mut beside: Vec<(WindowIndex, WindowIndex)> = Vec::new();
    for (at, window) in windows.iter_enumerated() {
        let Some((parent, offset)) = floating(window) else { continue };
        let own = middle(window) + offset;
        if windows[parent].frame.size().rect().contains(own) {
            let from_middle = own - middle(&windows[parent]);
            *usual.entry(window.frame_style.clone()).or_default().entry((from_middle.x, from_middle.y)).or_default() += 1;
        } else {
            beside.push((at, parent));
        }
    }
    for (at, parent) in beside {
        let window = &windows[at];
        let commonest = usual.get(&window.frame_style).and_then(|seen| seen.iter().max_by_key(|(_, times)| **times));
        let (x, y) = commonest.map_or((0, 0), |(from_middle, _)| *from_middle);
        let of_parent = windows[parent].frame.size().rect();
        let own = middle(&windows[parent]) + Point { x, y };
        // A parent may be smaller than that is far.
        let own = if of_parent.contains(own) { own } else { of_parent.centre() };
        windows[at].parent = Some((parent, own - middle(&windows[at])));
    }
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
