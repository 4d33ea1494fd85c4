//! Prepared pictures of the windows of a pack, in a folder or in memory under a byte budget.
//!
//! 650 decoded windows would be 1.9 GiB; prepared they take about a tenth. Both looks of a window share the strips in
//! which they are the same.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use image::codecs::webp::WebPDecoder;
use image::{ImageDecoder, ImageError};
use quick_cache::sync::{Cache, DefaultLifecycle, EntryAction, EntryResult};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::Shadows;
use windesk_model::{Error, ErrorKind};

use super::decoded::DecodedTiles;
use super::edge::{cut_shadow, has_docked_corners, square_docked_corners};
use super::picture_cache::{CacheStore, Key};
use super::pixels::Pixels;
use super::shadow::{BlurCache, Caster};
use super::strip::lay_opaque;
use super::{Pack, program_file};

/// Which picture of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Focus {
    /// With the focus.
    Active,
    /// Without the focus.
    Inactive,
}

/// What is made of a window's pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The window as it was captured, with the shadow that its toolkit or window manager drew.
    Captured,
    /// The window without a shadow.
    Cut,
    /// The shadow that its session draws below it.
    Shadow,
}

impl Part {
    /// The window's own pixels as scenes with shadows show them.
    pub(super) fn shown(pack: &Pack, window: WindowIndex) -> Self {
        if pack.shadows_of(window).is_some() { Self::Cut } else { Self::Captured }
    }
}

/// Decodes a lossless WebP beside a window's capture, of the recorded size, into straight RGBA.
pub(super) fn decode(pack: &Pack, window: &str, picture: &super::format::Picture, size: Size) -> Result<Vec<u8>, Error> {
    let name = program_file(window, &picture.file);
    let bytes = pack.files().read_verified(&name, &picture.sha256)?;
    let place = pack.files().full_name(&name);
    let broken = |e: ImageError| Error::file(&place, e, "a lossless WebP picture");
    let decoder = WebPDecoder::new(Cursor::new(bytes.as_ref())).map_err(broken)?;
    if decoder.dimensions() != (size.width, size.height) || decoder.has_animation() {
        let (width, height) = decoder.dimensions();
        return Err(Error::file(
            &place,
            format!("a picture of {width}x{height}"),
            format!("{}x{} as recorded, not animated", size.width, size.height),
        ));
    }
    let colour = decoder.color_type();
    let mut raw = vec![0; decoder.total_bytes() as usize];
    decoder.read_image(&mut raw).map_err(broken)?;
    match colour {
        image::ColorType::Rgba8 => Ok(raw),
        image::ColorType::Rgb8 => {
            let mut rgba = vec![0; raw.len() / 3 * 4];
            lay_opaque(&raw, &mut rgba);
            Ok(rgba)
        }
        other => Err(Error::file(&place, format!("{other:?}"), "8-bit RGB or RGBA")),
    }
}

/// Straight RGBA of a window's looks.
struct Looks {
    active: Vec<u8>,
    /// Where it is another one and was asked for.
    inactive: Option<Vec<u8>>,
}

impl Looks {
    /// Decodes a window's pictures; corners at the docked sides of a snapped window are square.
    fn decode(pack: &Pack, window: WindowIndex, part: Part, with_inactive: bool) -> Result<Self, Error> {
        let record = &pack.windows[window];
        let decoded = |picture| decode(pack, &record.id, picture, record.size);
        let mut active = decoded(&record.image)?;
        let mut inactive = None;
        if let Some(change) = record.inactive.as_ref().filter(|_| with_inactive) {
            let mut rgba = decoded(change)?;
            rgba.iter_mut().zip(&active).for_each(|(byte, active)| *byte = byte.wrapping_add(*active));
            inactive = Some(rgba);
        }
        let boxes = record.own_boxes();
        for rgba in std::iter::once(&mut active).chain(&mut inactive) {
            square_docked_corners(record.size, record.frame, record.snap, rgba);
            if part == Part::Cut {
                cut_shadow(record.size, &boxes, rgba);
            }
        }
        Ok(Self { active, inactive })
    }

    fn of(&self, focus: Focus) -> &[u8] {
        self.inactive.as_deref().filter(|_| focus == Focus::Inactive).unwrap_or(&self.active)
    }
}

/// What a window's pictures are made of, decoded at first use.
struct Source {
    /// Whether its inactive look will be prepared, too.
    with_inactive: bool,
    /// The looks that its scenes show.
    looks: Option<Looks>,
}

impl Source {
    fn looks(&mut self, pack: &Pack, window: WindowIndex) -> Result<&Looks, Error> {
        if self.looks.is_none() {
            self.looks = Some(Looks::decode(pack, window, Part::shown(pack, window), self.with_inactive)?);
        }
        Ok(self.looks.as_ref().expect("just decoded"))
    }
}

/// A part of a window's picture that is not there yet. All but the shadow rest on `base`, the active look that its
/// scenes show.
fn load(
    pack: &Pack,
    window: WindowIndex,
    part: Part,
    focus: Focus,
    base: Option<Arc<Pixels>>,
    source: &mut Source,
) -> Result<Arc<Pixels>, Error> {
    let record = &pack.windows[window];
    if part == Part::Shadow {
        return load_shadow(pack, window, focus);
    }
    let boxes = record.own_boxes();
    let own = pack.shadows_of(window).map(|_| boxes.as_slice());
    let mut sources = vec![record.image.sha256.clone()];
    if let (Focus::Inactive, Some(delta)) = (focus, &record.inactive) {
        sources.push(delta.sha256.clone());
    }
    // What is made of the picture beside what its files say.
    if part == Part::Cut || own.is_some() || has_docked_corners(record.snap) {
        sources.push(format!("{part:?} {:?} {:?} {}", record.snap, boxes, own.is_some()));
    }
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let encoded = pack.keeps_pictures();
    let prepare = || match &base {
        None => Ok(Pixels::prepare(record.size, &source.looks(pack, window)?.active, own, encoded)),
        Some(base) if part == Part::shown(pack, window) => {
            let looks = source.looks(pack, window)?;
            Ok(base.prepare_change(&looks.active, looks.of(focus), own, encoded))
        }
        // No scene of its session shows it, or none but those without shadows.
        Some(base) => {
            let looks = Looks::decode(pack, window, part, focus == Focus::Inactive)?;
            Ok(base.prepare_change(&base.rgba_in(record.size.rect())?, looks.of(focus), own, encoded))
        }
    };
    kept(&pack.cache, &sources, record.size, base.clone(), prepare).map(Arc::new)
}

/// The shadow that a window's session draws. Windows alike in their boxes share what is kept of it.
fn load_shadow(pack: &Pack, window: WindowIndex, focus: Focus) -> Result<Arc<Pixels>, Error> {
    let record = &pack.windows[window];
    let shadows = pack.shadows_of(window).expect("only asked for where a session draws one");
    let shadow = match focus {
        Focus::Active => shadows.active,
        Focus::Inactive => shadows.inactive,
    };
    let moved = |rect: Rect| rect.moved(-record.frame.origin());
    let popups: Vec<Rect> = record.popups.iter().map(|&popup| moved(popup)).collect();
    let caster = Caster { frame: moved(record.frame), popups: &popups, snap: record.snap };
    let source = format!("shadow {shadow:?} {:?} {popups:?} {:?}", caster.frame, record.snap);
    let size = caster.extent(shadow).size();
    pack.kept_picture(&[&source], size, false, || Ok(caster.paint(shadow, &pack.cache.blurs))).map(Arc::new)
}

/// A picture made from these sources, as it is kept or as `prepare` makes it.
fn kept(
    cache: &PixelCache,
    sources: &[&str],
    size: Size,
    base: Option<Arc<Pixels>>,
    prepare: impl FnOnce() -> Result<Vec<u8>, Error>,
) -> Result<Pixels, Error> {
    let (key, store) = (Key::of(sources), cache.store());
    if let Some((kept, head, content_bytes)) = store.find(&key)
        && let Some(pixels) = Pixels::read(size, base.clone(), kept, &head, content_bytes, false)
        && (!cache.compares.load(Ordering::Relaxed) || pixels.compare().is_ok())
    {
        return Ok(pixels);
    }
    let content = prepare()?;
    Ok(Pixels::just_prepared(size, base, store.keep(&key, &content), &content))
}

/// How often work is done again because a picture was lost, before pictures are kept in memory.
const MAX_LOSSES: usize = 3;

impl Pack {
    /// Does work that reads pictures. Should one of those that are kept in files change or vanish meanwhile, it is
    /// prepared again and so is the work; if that happens again and again, pictures stay in memory.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn reading_pictures<T>(&self, forget: impl Fn(), mut work: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
        for losses in 1.. {
            match work() {
                Err(error) if error.kind == ErrorKind::LostPicture && losses <= MAX_LOSSES + 1 => {
                    if losses >= MAX_LOSSES {
                        self.cache.gives_up_files.store(true, Ordering::Relaxed);
                    }
                    self.cache.forget_lost();
                    self.composed.forget();
                    self.pages.forget_pictures();
                    forget();
                }
                result => return result,
            }
        }
        unreachable!("the loop ends with a result")
    }

    /// The pixels of a rectangle of a window's picture as it was captured: straight RGBA, row by row; 0 outside the
    /// picture.
    ///
    /// # Errors
    /// If the picture can't be read.
    pub fn rgba_of(&self, window: WindowIndex, focus: Focus, rect: Rect) -> Result<Vec<u8>, Error> {
        self.reading_pictures(|| (), || self.captured_pixels(window, focus)?.rgba_in(rect))
    }

    /// A window's pixels as they were captured.
    ///
    /// # Errors
    /// Those of [`Pack::pixels`].
    pub fn captured_pixels(&self, window: WindowIndex, focus: Focus) -> Result<Arc<Pixels>, Error> {
        self.part(window, Part::Captured, focus)
    }

    /// A picture that is not a window's, kept under what it is made from. `draw` gives straight RGBA. `encoded` asks
    /// for encoded rows where pictures outlast the run.
    pub(crate) fn kept_picture(
        &self,
        sources: &[&str],
        size: Size,
        encoded: bool,
        draw: impl FnOnce() -> Result<Vec<u8>, Error>,
    ) -> Result<Pixels, Error> {
        let encoded = encoded && self.keeps_pictures();
        kept(&self.cache, sources, size, None, || Ok(Pixels::prepare(size, &draw()?, None, encoded)))
    }

    /// Whether pictures outlast the run, so that what takes long to draw is kept.
    pub(super) fn keeps_pictures(&self) -> bool {
        self.cache.store().is_lasting()
    }

    /// A window's pixels without the shadow that it was captured with.
    ///
    /// # Errors
    /// Those of [`Pack::pixels`].
    pub fn cut_pixels(&self, window: WindowIndex, focus: Focus) -> Result<Arc<Pixels>, Error> {
        self.part(window, Part::Cut, focus)
    }

    pub(super) fn part(&self, window: WindowIndex, part: Part, focus: Focus) -> Result<Arc<Pixels>, Error> {
        self.cache.get(self, window, part, focus)
    }

    /// The shadow that a window's session draws below it, and its place in px of the window's picture; null where
    /// windows cast the shadow in their pictures.
    ///
    /// # Errors
    /// If what was kept of it was damaged again and again.
    pub fn painted_shadow(&self, window: WindowIndex, active: bool) -> Result<Option<(Arc<Pixels>, Point)>, Error> {
        let Some(shadows) = self.shadows_of(window) else { return Ok(None) };
        let (focus, shadow) = if active { (Focus::Active, shadows.active) } else { (Focus::Inactive, shadows.inactive) };
        let record = &self.windows[window];
        let caster = Caster { frame: record.frame, popups: &record.popups, snap: record.snap };
        let place = caster.extent(shadow).origin();
        Ok(Some((self.cache.get(self, window, Part::Shadow, focus)?, place)))
    }

    /// The same for a window with other popups than it was captured with, and its frame where the picture shows it.
    pub(super) fn shadow_about(
        &self,
        window: WindowIndex,
        popups: &[Rect],
        frame: Rect,
        active: bool,
    ) -> Option<(Arc<Pixels>, Point)> {
        let shadows = self.shadows_of(window)?;
        let shadow = if active { shadows.active } else { shadows.inactive };
        let extent = Caster { frame, popups, snap: self.windows[window].snap }.extent(shadow);
        let moved = |rect: Rect| rect.moved(-extent.origin());
        let popups: Vec<Rect> = popups.iter().map(|&popup| moved(popup)).collect();
        let caster = Caster { frame: moved(frame), popups: &popups, snap: self.windows[window].snap };
        Some((Arc::new(Pixels::in_memory(extent.size(), &caster.paint(shadow, &self.cache.blurs))), extent.origin()))
    }

    /// The rule by which a window's session draws shadows, if it has one.
    pub(super) fn shadows_of(&self, window: WindowIndex) -> Option<Shadows> {
        self.sessions[self.windows[window].session].record.as_ref()?.look.shadow
    }
}

/// Pictures by window, under a budget. Whoever needs one first prepares it, while others wait for it or prepare other
/// windows'.
#[derive(Debug)]
pub(super) struct PixelCache {
    windows: Cache<WindowIndex, WindowPictures, HeldBytes>,
    window_count: usize,
    budget_bytes: usize,
    decoded: DecodedTiles,
    blurs: BlurCache,
    store: CacheStore,
    /// Whether files were lost again and again, so that no more are used.
    gives_up_files: AtomicBool,
    /// Whether a file was damaged, so that others are compared whole before they are used.
    compares: AtomicBool,
}

/// A window's pictures, by part and focus; null until they are needed. They share memory, so they come and go together.
#[derive(Clone, Debug, Default)]
struct WindowPictures([Option<Arc<Pixels>>; 6]);

impl WindowPictures {
    fn slot(part: Part, focus: Focus) -> usize {
        part as usize * 2 + usize::from(focus == Focus::Inactive)
    }

    fn of(&self, part: Part, focus: Focus) -> Option<Arc<Pixels>> {
        self.0[Self::slot(part, focus)].clone()
    }

    /// Every picture once, though two looks may have the same.
    fn distinct(&self) -> impl Iterator<Item = &Arc<Pixels>> {
        let all = || self.0.iter().flatten();
        all().enumerate().filter(move |(at, one)| !all().take(*at).any(|before| Arc::ptr_eq(before, one))).map(|(_, one)| one)
    }
}

#[derive(Clone, Debug)]
struct HeldBytes;

impl Weighter<WindowIndex, WindowPictures> for HeldBytes {
    fn weight(&self, _: &WindowIndex, pictures: &WindowPictures) -> u64 {
        pictures.distinct().map(|pixels| pixels.held_bytes() as u64).sum()
    }
}

/// With less than a few pictures, one would be prepared again whenever a scene looks at it.
const MIN_BUDGET_BYTES: usize = 6 << 20;

impl PixelCache {
    pub(super) fn new(window_count: usize, budget_bytes: usize, store: CacheStore) -> Self {
        // One shard: the budget is for all windows, wherever they hash to.
        let options = OptionsBuilder::new()
            .shards(1)
            .estimated_items_capacity(window_count)
            .weight_capacity(budget_bytes.max(MIN_BUDGET_BYTES) as u64)
            .build()
            .expect("all that must be given is given");
        let windows = Cache::with_options(options, HeldBytes, DefaultHashBuilder::default(), DefaultLifecycle::default());
        let decoded = DecodedTiles::new(budget_bytes);
        Self {
            windows,
            window_count,
            budget_bytes,
            decoded,
            blurs: BlurCache::default(),
            store,
            gives_up_files: AtomicBool::new(false),
            compares: AtomicBool::new(false),
        }
    }

    /// Tiles of pictures that were composed before.
    pub(super) fn decoded(&self) -> &DecodedTiles {
        &self.decoded
    }

    fn store(&self) -> &CacheStore {
        if self.gives_up_files.load(Ordering::Relaxed) { &CacheStore::Memory } else { &self.store }
    }

    /// Forgets pictures whose files have changed or are gone; all that are in files, where no more are used.
    fn forget_lost(&self) {
        // Where one was damaged others may be: they are compared whole from now on, not when a scene comes to the
        // damage.
        self.compares.store(true, Ordering::Relaxed);
        let stays = |pixels: &Pixels| {
            let is_kept = pixels.is_in_memory() || matches!(self.store(), CacheStore::Folder(..));
            pixels.is_there() && is_kept && pixels.compare().is_ok()
        };
        self.windows.retain(|_, pictures| pictures.distinct().all(|pixels| stays(pixels)));
    }

    /// An empty one for another number of windows.
    pub(super) fn emptied(&self, window_count: usize) -> Self {
        Self::new(window_count, self.budget_bytes, self.store.clone())
    }

    /// An empty one with another budget.
    pub(super) fn with_budget(&self, budget_bytes: usize) -> Self {
        Self::new(self.window_count, budget_bytes, self.store.clone())
    }

    /// An empty one that keeps pictures in a folder.
    pub(super) fn stored_in(&self, folder: PathBuf) -> Self {
        Self::new(self.window_count, self.budget_bytes, CacheStore::in_folder(folder))
    }

    fn get(&self, pack: &Pack, window: WindowIndex, part: Part, focus: Focus) -> Result<Arc<Pixels>, Error> {
        // What is there is read without keeping others from reading.
        if let Some(found) = self.windows.get(&window).and_then(|pictures| pictures.of(part, focus)) {
            return Ok(found);
        }
        // A picture that rests on another reads that.
        pack.reading_pictures(|| (), || self.prepared(pack, window, part, focus))
    }

    fn prepared(&self, pack: &Pack, window: WindowIndex, part: Part, focus: Focus) -> Result<Arc<Pixels>, Error> {
        let entry = self.windows.entry(&window, None, |_, pictures| match pictures.of(part, focus) {
            Some(found) => EntryAction::Retain(found),
            None => EntryAction::ReplaceWithGuard,
        });
        let (place, mut pictures) = match entry {
            EntryResult::Retained(found) => return Ok(found),
            EntryResult::Replaced(place, pictures) => (place, pictures),
            EntryResult::Vacant(place) => (place, WindowPictures::default()),
            EntryResult::Removed(..) | EntryResult::Timeout => unreachable!("no entry asks for it, and waiting has no limit"),
        };
        // Where the focus makes no difference, one picture is both.
        let looks_alike = part != Part::Shadow && pack.windows[window].inactive.is_none();
        let shown = if looks_alike { Focus::Active } else { focus };
        // Of ten windows that scenes show, nine are met without the focus, too: a window that must be decoded is
        // prepared for that at once. Else it would be decoded again.
        let both = pack.keeps_pictures() && !looks_alike;
        let mut source = Source { with_inactive: both || shown == Focus::Inactive, looks: None };
        let mut ready = |part: Part, focus: Focus, base: Option<&Arc<Pixels>>, source: &mut Source| {
            let slot = &mut pictures.0[WindowPictures::slot(part, focus)];
            let found = match slot.take() {
                Some(found) => found,
                None => load(pack, window, part, focus, base.cloned(), source)?,
            };
            Ok(Arc::clone(slot.insert(found)))
        };
        let base = match part {
            Part::Shadow => None,
            Part::Captured | Part::Cut => {
                let base = ready(Part::shown(pack, window), Focus::Active, None, &mut source)?;
                if both && source.looks.is_some() {
                    ready(Part::shown(pack, window), Focus::Inactive, Some(&base), &mut source)?;
                }
                Some(base)
            }
        };
        let found = ready(part, shown, base.as_ref(), &mut source)?;
        pictures.0[WindowPictures::slot(part, focus)] = Some(Arc::clone(&found));
        // If what was lost is being forgotten at this moment, the place may be gone; the picture is good all the same.
        let _ = place.insert(pictures);
        Ok(found)
    }
}
