//! Windows as scenes show them: as they were captured, or in a composed state.
//!
//! Whoever plans, counts, annotates or paints takes elements, boxes and pixels from here, so that all of them speak of
//! the same window. What was composed is kept under a budget.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::WindowIndex;
use windesk_model::page_state::PageState;

use super::edge::cut_shadow;
use super::living::{Arranged, Changed, arranged, changed, compose};
use super::pixels::Pixels;
use super::shape::Shape;
use super::window_pixels::{Focus, Part};
use super::{Element, Pack, Window};

/// Most bytes that composed windows are taken to hold, one per px.
const MAX_COMPOSED_BYTES: u64 = 32 << 20;
/// How many of them the cache makes room for at first.
const USUAL_COMPOSED: usize = 128;

/// A window as a scene shows it. It reads as the window: boxes are px of the picture that is shown, which is larger
/// than the captured one where a popup reaches beyond that.
#[derive(Clone, Debug)]
pub struct Shown<'a> {
    index: WindowIndex,
    window: ShownWindow<'a>,
}

#[derive(Clone, Debug)]
enum ShownWindow<'a> {
    Captured(&'a Window),
    Composed(Arc<ComposedWindow>),
}

/// A shadow, and its place in px of the window's picture.
type PlacedShadow = (Arc<Pixels>, Point);

/// A window in a state.
#[derive(Debug)]
pub(super) struct ComposedWindow {
    window: Window,
    state: PageState,
    /// Top left of its picture in px of the captured one.
    at: Point,
    /// By part and focus, once they were needed.
    pictures: [OnceLock<Arc<Pixels>>; 4],
    /// The shadows that a session draws below it, inactive and active, with their places, once they were needed.
    shadows: [OnceLock<Option<PlacedShadow>>; 2],
}

impl Deref for Shown<'_> {
    type Target = Window;

    fn deref(&self) -> &Window {
        match &self.window {
            ShownWindow::Captured(window) => window,
            ShownWindow::Composed(composed) => &composed.window,
        }
    }
}

impl<'a> Shown<'a> {
    /// The window of the pack that it is.
    pub fn index(&self) -> WindowIndex {
        self.index
    }

    /// The pack's own record, where it is shown as captured.
    pub fn as_captured(&self) -> Option<&'a Window> {
        match self.window {
            ShownWindow::Captured(window) => Some(window),
            ShownWindow::Composed(_) => None,
        }
    }

    /// Its pixels as scenes with shadows show them ([`Pack::pixels`]).
    ///
    /// # Errors
    /// If a picture is missing, damaged or not as large as recorded.
    pub fn pixels(&self, pack: &Pack, focus: Focus) -> Result<Arc<Pixels>, Error> {
        self.part(pack, Part::shown(pack, self.index), focus)
    }

    /// Its pixels without the shadow that it was captured with.
    ///
    /// # Errors
    /// Those of [`Shown::pixels`].
    pub fn cut_pixels(&self, pack: &Pack, focus: Focus) -> Result<Arc<Pixels>, Error> {
        self.part(pack, Part::Cut, focus)
    }

    fn part(&self, pack: &Pack, part: Part, focus: Focus) -> Result<Arc<Pixels>, Error> {
        match &self.window {
            ShownWindow::Captured(_) => pack.part(self.index, part, focus),
            ShownWindow::Composed(composed) => composed.pixels(pack, self.index, part, focus),
        }
    }

    /// Which of its pixels belong to it ([`Pack::shape`]).
    ///
    /// # Errors
    /// Those of [`Shown::pixels`].
    pub fn shape(&self, pack: &Pack, focus: Focus) -> Result<Arc<Shape>, Error> {
        Ok(Arc::clone(self.pixels(pack, focus)?.shape()))
    }

    /// The shadow that its session draws below it, and its place in px of its picture; null where windows cast the
    /// shadow in their pictures.
    ///
    /// # Errors
    /// Those of [`Pack::painted_shadow`].
    pub fn painted_shadow(&self, pack: &Pack, active: bool) -> Result<Option<(Arc<Pixels>, Point)>, Error> {
        match &self.window {
            ShownWindow::Composed(composed) if composed.window.popups != pack.windows[self.index].popups => {
                Ok(composed.shadow(pack, self.index, active))
            }
            _ => pack.painted_shadow(self.index, active),
        }
    }

    /// The pixels of a rectangle of its picture: straight RGBA, row by row; 0 outside of it.
    ///
    /// # Errors
    /// Those of [`Shown::pixels`].
    pub fn rgba_in(&self, pack: &Pack, focus: Focus, rect: Rect) -> Result<Vec<u8>, Error> {
        pack.reading_pictures(|| (), || self.pixels(pack, focus)?.rgba_in(rect))
    }

    /// Top left of its picture in px of the captured one: not zero where a popup reaches beyond that to the left or up.
    pub fn at(&self) -> Point {
        match &self.window {
            ShownWindow::Captured(_) => Point::default(),
            ShownWindow::Composed(composed) => composed.at,
        }
    }
}

impl ComposedWindow {
    fn new(pack: &Pack, index: WindowIndex, state: &PageState) -> Result<Self, Error> {
        let living = pack.living(index)?;
        let Arranged { rect, popups, elements } = arranged(&living, state)?;
        let moved = |own: Rect| own.moved(-rect.origin());
        let elements = elements.into_iter().map(|element| {
            let mut state = element.state.clone();
            if let Some(core) = state.get("core").and_then(|core| serde_json::from_value::<Rect>(core.clone()).ok()) {
                state.insert("core", serde_json::to_value(moved(core)).expect("plain data"));
            }
            Element { bbox: moved(element.bbox), state, ..element }
        });
        let captured = &pack.windows[index];
        let window = Window {
            size: rect.size(),
            frame: moved(captured.frame),
            popups: popups.into_iter().map(moved).collect(),
            elements: elements.collect(),
            ..captured.clone()
        };
        Ok(Self { window, state: state.clone(), at: rect.origin(), pictures: Default::default(), shadows: Default::default() })
    }

    fn shadow(&self, pack: &Pack, index: WindowIndex, active: bool) -> Option<PlacedShadow> {
        let Window { popups, frame, .. } = &self.window;
        self.shadows[usize::from(active)].get_or_init(|| pack.shadow_about(index, popups, *frame, active)).clone()
    }

    fn pixels(&self, pack: &Pack, index: WindowIndex, part: Part, focus: Focus) -> Result<Arc<Pixels>, Error> {
        // A page that fills its picture has no shadow to cut.
        let has_no_shadow = self.window.frame.covers(self.window.size.rect());
        let part = if has_no_shadow { Part::shown(pack, index) } else { part };
        let slot = &self.pictures[usize::from(focus == Focus::Inactive) * 2 + usize::from(part == Part::Cut)];
        if let Some(made) = slot.get() {
            return Ok(Arc::clone(made));
        }
        let changed = self.changed_pixels(pack, index, part, focus)?;
        let made = changed.map_or_else(|| self.whole_pixels(pack, index, part, focus), Ok)?;
        Ok(Arc::clone(slot.get_or_init(|| Arc::new(made))))
    }

    /// Its pixels as a change of its look as captured; none where its shape is another. Cutting a shadow leaves pixels
    /// as they are whose alpha it leaves, so that a state changes the same of a look that was cut.
    fn changed_pixels(&self, pack: &Pack, index: WindowIndex, part: Part, focus: Focus) -> Result<Option<Pixels>, Error> {
        let living = pack.living(index)?;
        let make = || {
            let own = pack.part(index, part, focus)?;
            let change = changed(pack, &living, &self.state, focus, &own)?;
            change.map(|Changed { rgba, strips }| own.changed_strips_in_memory(&rgba, &strips)).transpose()
        };
        pack.reading_pictures(|| (), make)
    }

    fn whole_pixels(&self, pack: &Pack, index: WindowIndex, part: Part, focus: Focus) -> Result<Pixels, Error> {
        let living = pack.living(index)?;
        let mut rgba = compose(pack, &living, &self.state, focus.into())?.rgba;
        let boxes = self.window.own_boxes();
        let own = pack.shadows_of(index).map(|_| boxes.as_slice());
        if part == Part::Cut {
            cut_shadow(self.window.size, &boxes, &mut rgba);
        }
        if self.window.size != pack.windows[index].size {
            return Ok(Pixels::owned_in_memory(self.window.size, &rgba, own));
        }
        let base = pack.pixels(index, Focus::Active)?;
        let before = base.rgba_in(self.window.size.rect())?;
        Ok(base.changed_in_memory(&before, &rgba, own))
    }
}

impl Pack {
    /// A window in a state; without one as it was captured.
    ///
    /// # Errors
    /// If the window can't have that state, nobody knows what it looks like, or a file of its page can't be read.
    pub fn shown(&self, index: WindowIndex, state: Option<&PageState>) -> Result<Shown<'_>, Error> {
        let captured = || Ok(Shown { index, window: ShownWindow::Captured(&self.windows[index]) });
        let Some(state) = state.filter(|state| !state.is_captured()) else { return captured() };
        let make = || ComposedWindow::new(self, index, state).map(Arc::new);
        let composed = self.composed.0.get_or_insert_with(&(index, state.clone()), make)?;
        Ok(Shown { index, window: ShownWindow::Composed(composed) })
    }
}

/// Composed windows that were used last.
#[derive(Debug)]
pub(super) struct ComposedCache(Cache<(WindowIndex, PageState), Arc<ComposedWindow>, PictureBytes>);

#[derive(Clone, Debug)]
struct PictureBytes;

impl Weighter<(WindowIndex, PageState), Arc<ComposedWindow>> for PictureBytes {
    fn weight(&self, _: &(WindowIndex, PageState), composed: &Arc<ComposedWindow>) -> u64 {
        composed.window.size.rect().area()
    }
}

impl Default for ComposedCache {
    fn default() -> Self {
        let options = OptionsBuilder::new()
            .shards(1)
            .estimated_items_capacity(USUAL_COMPOSED)
            .weight_capacity(MAX_COMPOSED_BYTES)
            .build()
            .expect("all that must be given is given");
        Self(Cache::with_options(options, PictureBytes, DefaultHashBuilder::default(), DefaultLifecycle::default()))
    }
}

impl ComposedCache {
    /// Forgets all: pictures rest on those of the captured windows, of which one was lost.
    pub(super) fn forget(&self) {
        self.0.retain(|_, _| false);
    }
}
