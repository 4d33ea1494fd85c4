//! The pack: checked, read-only assets from which scenes are made.
//!
//! [`Pack::open`] reads and checks everything but pixels; a picture is decoded, verified against its digest and kept
//! compressed when it is first needed. No random numbers are drawn here, and nothing is ever written to a pack but by
//! the `windesk pack` commands.

mod askings;
mod clean;
mod compact;
mod competitors;
mod decoded;
mod edge;
mod elements;
pub mod evidence;
mod files;
mod files_state;
mod index;
mod indexed;
mod kept;
mod later;
mod limits;
pub mod living;
mod load;
pub mod naming;
mod near_words;
mod neighbours;
mod open_files;
mod picture_cache;
mod pixel_reader;
mod pixels;
mod pointer;
mod prepare;
mod probes;
mod read;
mod resolve;
mod sessions;
mod shadow;
mod shape;
mod shown;
mod split;
mod strip;
pub mod surroundings;
mod targets;
mod transitions;
mod twins;
mod vectors;
mod window_pixels;
mod workflows;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use typed_index_collections::TiVec;

use windesk_model::Error;
use windesk_model::desktop::end_of_capture;
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::index::{ElementIndex, ProgramIndex, SessionIndex, WindowIndex};
use windesk_model::moment::Moment;
use windesk_model::pack_format::{self as format, LivingFile, Platform, ShellKind, SnapState, State, WindowKind};
use windesk_model::split::Split;

use living::PageCache;
use pointer::PointerPictures;
use shown::ComposedCache;
use window_pixels::{Part, PixelCache};

pub use askings::{Asking, EvidenceRule, NeededPart};
pub use competitors::{COMPETITOR_COSINE, NearTexts};
pub(crate) use decoded::{DecodedTiles, TILE_PX, TileRows, TiledRows};
pub use evidence::{EvidencePart, ShownTitle};
pub use files::{MAX_ARCHIVE_BYTES, MAX_FILE_BYTES, PackFiles, open_place};
pub use index::{FORMER_INDEX_FILES, Index, IndexHeader, ModelDescription, Pooling, Titles, index_files};
pub use indexed::IndexedPack;
pub use later::Later;
pub use limits::MAX_PICTURE_PIXELS;
pub use naming::normalised_name;
pub use near_words::NearWords;
pub use pixel_reader::PixelReader;
pub use pixels::Pixels;
pub use probes::{MEANINGS, ProbeIconRecord, ProbeLibrary};
pub use read::{
    COMPETITOR_FILE, EVIDENCE_FILE, INSTRUCTION_FILE, TRANSITION_FILE, WORKFLOW_FILE, instruction_file, program_file,
};
pub use resolve::resolve;
pub use sessions::Session;
pub(crate) use shape::joined;
pub use shape::{OWNED_ALPHA, Run, RunKind, Shape};
pub use shown::Shown;
pub(crate) use strip::{STRIP_ROWS, lay_opaque};
pub use targets::{Draft, NameKey, NameKeys, Target, name_key};
pub use transitions::{FormerAction, FormerTransition, Transitions};
pub use window_pixels::Focus;
pub use workflows::Workflows;

/// A visible element of a window.
#[derive(Clone, Debug)]
pub struct Element {
    /// Unique in its window.
    pub id: String,
    /// Nearest recorded ancestor; smaller than this element's own index.
    pub parent: Option<ElementIndex>,
    /// AT-SPI 2 role name in lower case.
    pub role: String,
    /// Accessible name; may be empty.
    pub name: String,
    /// Accessible description; may be empty.
    pub description: String,
    /// Visible box, px of the picture.
    pub bbox: Rect,
    /// Whether a user can act on it.
    pub interactive: bool,
    /// Index of the open popup that it lies in.
    pub popup: Option<usize>,
    /// State and value.
    pub state: State,
}

/// A window: one capture with its elements.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Window {
    /// `<program>/<capture>`.
    pub id: String,
    /// A number made from the id alone; the same in every pack that holds this window.
    pub stable_id: u64,
    /// Index of its program.
    pub program: ProgramIndex,
    /// The session that it belongs to.
    pub session: SessionIndex,
    /// What it was captured on.
    pub platform: Platform,
    /// For a web page: the browser's window that shows it, and where in that window's picture.
    pub inside: Option<(WindowIndex, Point)>,
    /// The newest date that it shows.
    pub newest_date: Option<Moment>,
    /// What its controls can be set to; [`Pack::living_page`] reads it.
    pub living: Option<LivingFile>,
    /// The window's title.
    pub title: String,
    /// What sort of window it is.
    pub kind: WindowKind,
    /// Size of the picture.
    pub size: Size,
    /// Opaque frame in the picture.
    pub frame: Rect,
    /// Boxes of open popups in the picture.
    pub popups: Vec<Rect>,
    /// The window that this dialog belongs to, and its frame's place relative to that window's frame.
    pub parent: Option<(WindowIndex, Point)>,
    /// Whether the parent takes no input meanwhile.
    pub modal: bool,
    /// The window that this is a light/dark twin of.
    pub variant_of: Option<WindowIndex>,
    /// How the window manager had placed it.
    pub snap: SnapState,
    /// Toolkit theme.
    pub theme: String,
    /// Window manager and frame theme.
    pub frame_style: String,
    /// Whether the theme is dark.
    pub dark: bool,
    /// Device pixels per layout pixel.
    pub scale: f64,
    /// Every visible element, parents first.
    #[serde(skip)]
    pub elements: Later<TiVec<ElementIndex, Element>>,
    /// The picture file of the active window.
    pub image: format::Picture,
    /// The picture file of the inactive window, as a delta to the active one.
    pub inactive: Option<format::Picture>,
}

impl Window {
    /// Frame and popups together, px of the picture.
    pub fn extent(&self) -> Rect {
        self.popups.iter().fold(self.frame, |all, &popup| all.union(popup))
    }

    /// The boxes of frame and open popups, px of the picture: outside of them is nothing but shadow.
    pub(crate) fn own_boxes(&self) -> Vec<Rect> {
        std::iter::once(self.frame).chain(self.popups.iter().copied()).collect()
    }

    /// The theme without its brightness: `Arc` of `Arc-Dark`, `Materia` of `Materia-light`.
    pub fn theme_family(&self) -> &str {
        self.theme.split('-').next().unwrap_or_default()
    }

    /// Whether a menu, list or popover is open. Only a focused, topmost window can have one.
    pub fn has_popup(&self) -> bool {
        !self.popups.is_empty()
    }

    /// Whether it is a window of a desktop: no page of a browser without the browser, and none of a telephone.
    pub fn is_of_desktop(&self) -> bool {
        self.platform == Platform::Desktop
    }

    /// Whether it floats and has no menu open, so that it may lie anywhere, and others above it.
    pub fn is_plain(&self) -> bool {
        self.snap == SnapState::Floating && !self.has_popup()
    }

    /// Interactive elements inside element `outer` that take clicks of their own (a tab's close button), by index.
    pub fn nested(&self, outer: ElementIndex) -> impl Iterator<Item = ElementIndex> + '_ {
        let bbox = self.elements[outer].bbox;
        self.elements_after(outer).filter(move |&inner| {
            let element = &self.elements[inner];
            element.interactive && bbox.covers(element.bbox) && element.bbox != bbox && self.is_ancestor(outer, inner)
        })
    }

    /// The elements recorded after this one, among which are all that lie inside it.
    pub fn elements_after(&self, outer: ElementIndex) -> impl Iterator<Item = ElementIndex> + use<> {
        self.elements.keys().skip(outer.after().into())
    }

    /// The ancestors of an element, nearest first.
    pub fn ancestors(&self, at: ElementIndex) -> impl Iterator<Item = ElementIndex> + '_ {
        std::iter::successors(self.elements[at].parent, |&up| self.elements[up].parent)
    }

    /// Whether one element lies inside another.
    pub fn is_ancestor(&self, outer: ElementIndex, inner: ElementIndex) -> bool {
        self.ancestors(inner).any(|at| at == outer)
    }

    /// The element with this id, if `first` or one behind it has it.
    pub(crate) fn elements_after_id(&self, first: ElementIndex, id: &str) -> Option<ElementIndex> {
        let place = self.elements.raw.get(first.0..)?.iter().position(|element| element.id == id)?;
        Some(ElementIndex(first.0 + place))
    }

    /// The element with this id.
    pub fn element_index(&self, id: &str) -> Option<ElementIndex> {
        self.elements.position(|element| element.id == id)
    }
}

/// A program with its windows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Program {
    /// The record as written.
    pub record: format::Program,
    /// A number made from the id alone.
    pub stable_id: u64,
    /// Indices of its windows.
    pub windows: Vec<WindowIndex>,
}

/// How much there is of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackSize {
    /// Windows.
    pub windows: usize,
    /// Programs.
    pub programs: usize,
}

/// A checked pack, with an index or without. See the module's documentation; [`IndexedPack`] is one that scenes can be
/// made of.
#[derive(Debug)]
pub struct Pack {
    /// The header as written.
    pub header: format::Header,
    /// SHA-256 over everything that scenes can depend on (64 hex digits).
    pub digest: String,
    /// Sessions, sorted by id; the unknown one alone for a pack of version 1.
    pub sessions: TiVec<SessionIndex, Session>,
    /// Programs, sorted by id.
    pub programs: TiVec<ProgramIndex, Program>,
    /// Windows, sorted by id.
    pub windows: TiVec<WindowIndex, Window>,
    /// Recorded transitions.
    pub transitions: Transitions,
    /// Wallpapers, sorted by id.
    pub wallpapers: Vec<format::Wallpaper>,
    /// Icons, sorted by id.
    pub icons: Vec<format::Icon>,
    /// Fonts of the UI family.
    pub fonts: Vec<format::Font>,
    /// Whether there are reviewed instructions: to know that, none of them need be unpacked.
    pub has_instructions: bool,
    /// Reviewed instructions.
    pub instructions: Later<Vec<format::ReviewedInstruction>>,
    /// What readers must see to know targets.
    pub evidence: Later<Vec<format::Evidence>>,
    /// What readers said of words and elements of other programs.
    pub competitors: Later<Vec<format::Competitor>>,
    /// Which part of a pack this is, if it is one.
    pub split: Option<Split>,
    /// How much there is of the pack as a whole.
    pub size_of_whole: PackSize,
    /// Targets, vectors and neighbour lists, if `windesk pack embed` has been run.
    index: Option<Arc<Index>>,
    window_by_id: BTreeMap<String, WindowIndex>,
    /// SHA-256 over windows and instructions: what the index is made from.
    windows_digest: String,
    files: PackFiles,
    cache: PixelCache,
    pointers: PointerPictures,
    pages: PageCache,
    composed: ComposedCache,
}

impl Pack {
    /// Index of the window with this id.
    pub fn window_index(&self, id: &str) -> Option<WindowIndex> {
        self.window_by_id.get(id).copied()
    }

    /// The program of a window.
    pub fn program_of(&self, window: WindowIndex) -> &Program {
        &self.programs[self.windows[window].program]
    }

    /// What surrounds a window on the desktop of its session; a taskbar where nothing is known of that.
    pub fn shell_of(&self, window: WindowIndex) -> ShellKind {
        self.sessions[self.windows[window].session].record.as_ref().map_or(ShellKind::Taskbar, |record| record.shell.kind)
    }

    /// Whether a window is as light or dark as the look of its session.
    pub fn fits_look(&self, window: WindowIndex) -> bool {
        let window = &self.windows[window];
        self.sessions[window.session].has_brightness_of(window)
    }

    /// The latest moment that a window may show: of its newest date and the time at which its session was captured the
    /// later one. Nothing is known of windows without either.
    pub fn latest_moment(&self, window: WindowIndex) -> Option<Moment> {
        let window = &self.windows[window];
        let captured = self.sessions[window.session].record.as_ref().map(|record| end_of_capture(record.clock));
        window.newest_date.max(captured)
    }

    /// The dark twin of a light window: the same window with the same frame in a dark theme.
    pub fn dark_twin(&self, window: WindowIndex) -> Option<WindowIndex> {
        let light = &self.windows[window];
        let is_twin = |other: &Window| {
            other.variant_of == Some(window) && other.dark && (other.frame, other.size) == (light.frame, light.size)
        };
        self.programs[light.program].windows.iter().copied().find(|&at| !light.dark && is_twin(&self.windows[at]))
    }

    /// The files behind the pack.
    pub fn files(&self) -> &PackFiles {
        &self.files
    }

    /// Targets and neighbour lists if the pack has them: for telling what a pack holds. Scenes are made of an
    /// [`IndexedPack`].
    pub fn index_if_any(&self) -> Option<&Index> {
        self.index.as_deref()
    }

    /// A window's pixels as scenes with shadows show them, decoded and verified at first use and then kept under the
    /// byte budget: without the shadow that it was captured with where its session draws one
    /// ([`Pack::painted_shadow`]), else as captured.
    ///
    /// # Errors
    /// If the picture is missing, damaged or not as large as recorded.
    pub fn pixels(&self, window: WindowIndex, focus: Focus) -> Result<Arc<Pixels>, Error> {
        self.part(window, Part::shown(self, window), focus)
    }

    /// Which of these pixels belong to the window.
    ///
    /// # Errors
    /// Those of [`Pack::pixels`].
    pub fn shape(&self, window: WindowIndex, focus: Focus) -> Result<Arc<Shape>, Error> {
        Ok(Arc::clone(self.pixels(window, focus)?.shape()))
    }

    /// Tiles of pictures that were composed before.
    pub(crate) fn decoded(&self) -> &DecodedTiles {
        self.cache.decoded()
    }

    /// Limits how many bytes of pictures are kept in memory: this much of prepared ones, which lie in files where there
    /// is a folder for them, and this much of unpacked tiles, which only whole pictures take
    /// ([`crate::render::Renderer::render`]).
    pub fn set_cache_bytes(&mut self, bytes: usize) {
        self.cache = self.cache.with_budget(bytes);
    }

    /// Keeps prepared pictures in a folder, which later runs use again; without one they are kept in memory. What is
    /// found there stands for the pack's picture with the recorded digest, which is not read then.
    pub fn cache_pictures_in(&mut self, folder: PathBuf) {
        self.cache = self.cache.stored_in(folder);
    }

    /// Which look a window has: its inactive picture if it isn't active and the pack has one.
    pub fn focus_of(&self, window: WindowIndex, active: bool) -> Focus {
        if active || self.windows[window].inactive.is_none() { Focus::Active } else { Focus::Inactive }
    }
}
