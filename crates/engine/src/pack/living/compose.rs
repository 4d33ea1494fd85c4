//! A page's picture and elements in any state.
//!
//! The same state gives the same bytes, whatever the order of lines and whatever was composed before. Nothing here
//! draws random numbers.

use typed_index_collections::TiVec;

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::ElementIndex;
use windesk_model::pack_format::living::{Area, Layer, LayerKind};
use windesk_model::page_state::PageState;

use super::super::pixel_reader::PixelReader;
use super::super::pixels::Pixels;
use super::super::window_pixels::Focus;
use super::super::{Element, Pack};
use super::blend::{Canvas, Colours, Mode, Part, Raster};
use super::page::{Living, Sheets};
use super::values::{Look, SetText, last_offset, thumb_moved};
use super::{letters, tree};

/// How a page is looked at.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Whether its window has the focus.
    pub focus: Focus,
    /// What the pointer is over, if that is to be seen.
    pub pointer: Option<PointerOn<'a>>,
}

impl From<Focus> for View<'_> {
    fn from(focus: Focus) -> Self {
        Self { focus, pointer: None }
    }
}

/// The pointer over an element.
#[derive(Clone, Copy, Debug)]
pub struct PointerOn<'a> {
    /// Id of the element.
    pub element: &'a str,
    /// Whether its button is held down.
    pub pressed: bool,
}

/// A page in a state.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The box of the picture in px of the page's own picture: that one's, larger where a popup reaches beyond it.
    pub rect: Rect,
    /// Straight RGBA, row by row.
    pub rgba: Vec<u8>,
    /// Open popups, bottom to top, px of the page.
    pub popups: Vec<Rect>,
    /// What is visible, parents first, px of the page.
    pub elements: TiVec<ElementIndex, Element>,
}

/// A page's picture and elements in a state.
///
/// # Errors
/// If the page can't have this state, if nobody knows what it looks like, or if a picture can't be read.
pub fn compose(pack: &Pack, living: &Living, state: &PageState, view: View) -> Result<Composed, Error> {
    let look = Look::of(living, state)?;
    let (popups, elements) = tree::shown(&look);
    let rect = box_of(&look);
    let canvas = || Ok::<_, Error>(Canvas::of(&*living.base(pack, view.focus)?, rect));
    let rgba = pack.reading_pictures(|| (), || Ok(painted(pack, &look, view, canvas()?)?.rgba))?;
    Ok(Composed { rect, rgba, popups, elements })
}

/// What a state changes of a look of its page.
pub(in crate::pack) struct Changed {
    /// Straight RGBA of the strips that something was put down on, row by row.
    pub(in crate::pack) rgba: Vec<u8>,
    /// Where each of them begins there, strip by strip; null for the others.
    pub(in crate::pack) strips: Vec<Option<usize>>,
}

/// What a state changes of a page, whose look with this focus is `own`; none where it changes the window's shape or
/// reaches beyond the page.
///
/// # Errors
/// Those of [`compose`].
pub(in crate::pack) fn changed(
    pack: &Pack,
    living: &Living,
    state: &PageState,
    focus: Focus,
    own: &Pixels,
) -> Result<Option<Changed>, Error> {
    let look = Look::of(living, state)?;
    if box_of(&look) != living.bounds() {
        return Ok(None);
    }
    let canvas = painted(pack, &look, focus.into(), Canvas::of_strips(own))?;
    let strips = canvas.strips_read().to_vec();
    Ok(Some(Changed { strips, rgba: canvas.rgba }).filter(|_| !canvas.is_reshaped))
}

/// A page's box and elements in a state, without the pixels: the box of the picture, open popups and elements.
///
/// # Errors
/// If the page can't have this state, or if nobody knows what it looks like.
pub(in crate::pack) fn arranged(living: &Living, state: &PageState) -> Result<Arranged, Error> {
    let look = Look::of(living, state)?;
    let (popups, elements) = tree::shown(&look);
    Ok(Arranged { rect: box_of(&look), popups, elements })
}

/// Open popups, bottom to top, and visible elements of a page in a state, parents first; px of the page.
///
/// # Errors
/// If the page can't have this state, or if nobody knows what it looks like.
pub fn elements_in(living: &Living, state: &PageState) -> Result<(Vec<Rect>, TiVec<ElementIndex, Element>), Error> {
    Ok(tree::shown(&Look::of(living, state)?))
}

/// A page in a state, without its pixels. As in [`Composed`].
pub(in crate::pack) struct Arranged {
    pub(in crate::pack) rect: Rect,
    pub(in crate::pack) popups: Vec<Rect>,
    pub(in crate::pack) elements: TiVec<ElementIndex, Element>,
}

/// A state without what is as in the page's picture: states that are equal show the same.
///
/// # Errors
/// If the page can't have this state, or if nobody knows what it looks like.
pub fn normalised(living: &Living, state: &PageState) -> Result<PageState, Error> {
    Ok(Look::of(living, state)?.normalised())
}

/// The box of everything that is shown, px of the page.
fn box_of(look: &Look) -> Rect {
    let beyond = look.popup.iter().flat_map(|popup| {
        let lit = popup.lit.iter().flat_map(|layer| &layer.areas);
        std::iter::once(popup.rect).chain(popup.areas.iter().chain(lit).map(|area| area.rect))
    });
    beyond.fold(look.living.bounds(), Rect::union)
}

/// Puts down all that a state shows beside its page's own look, which the canvas has.
fn painted<'a>(pack: &Pack, look: &Look, view: View, canvas: Canvas<'a>) -> Result<Canvas<'a>, Error> {
    let living = look.living;
    let rect = canvas.rect;
    let sheets = living.sheets(pack)?;
    let is_active = view.focus == Focus::Active;
    let mut painter = Painter {
        canvas,
        atlas: sheets.atlas.as_ref().map(Pixels::reader),
        is_active,
        colours: if is_active { &[] } else { &living.places.colours },
    };
    for (at, _) in living.page.scroll_areas.iter().enumerate().filter(|(at, _)| look.scrolled(*at) != Point::default()) {
        painter.scroll(look, at, &sheets)?;
    }
    for patch in &look.patches {
        let control = look.living.control_index(&patch.control).expect("patches name controls");
        let element = &living.page.controls[control].element;
        let focused = patch.focused.as_ref().filter(|_| look.focus == Some(element));
        let (by, clip) = tree::moved_with(look, element).unwrap_or((Point::default(), rect));
        for area in focused.unwrap_or(&patch.areas) {
            // What of it is not in the content stays where it is.
            let inside = living.page.scroll_areas.iter().any(|a| clip == a.viewport && a.viewport.covers(area.rect));
            if inside { painter.put(area, by, clip)? } else { painter.put(area, Point::default(), rect)? }
        }
    }
    for text in &look.texts {
        painter.write(text)?;
    }
    let focused = look.focus.filter(|_| look.focus_moved).filter(|id| !shows_focus_itself(look, id));
    let on_page = |layer: Option<&Layer>| layer.into_iter().flat_map(|layer| layer.areas.clone()).collect::<Vec<_>>();
    let mut layers = focused.map(|id| on_page(look.layer(LayerKind::Focus, id))).unwrap_or_default();
    if let Some(pointer) = view.pointer.filter(|_| look.popup.is_none()) {
        layers.extend(on_page(pointer_layer(pointer, |kind| look.layer(kind, pointer.element))));
    }
    layers.iter().try_for_each(|area| painter.put(area, Point::default(), rect))?;
    for text in &look.texts {
        painter.put_caret(look, text)?;
    }
    if let Some(popup) = look.popup {
        let lit = view.pointer.and_then(|pointer| pointer_layer(pointer, |kind| look.lit(kind, pointer.element)));
        let lit = lit.into_iter().flat_map(|layer| &layer.areas);
        popup.areas.iter().chain(lit).try_for_each(|area| painter.lay_over(area))?;
    }
    Ok(painter.canvas)
}

/// What the pointer changes: a button held down has a look of its own, where one is known.
fn pointer_layer<'a>(pointer: PointerOn, layer: impl Fn(LayerKind) -> Option<&'a Layer>) -> Option<&'a Layer> {
    let pressed = if pointer.pressed { layer(LayerKind::Press) } else { None };
    pressed.or_else(|| layer(LayerKind::Hover))
}

/// Whether the patch of the control that an element stands for was captured with the focus.
fn shows_focus_itself(look: &Look, element: &str) -> bool {
    look.patches.iter().any(|patch| {
        let control = look.living.control_index(&patch.control).map(|at| &look.living.page.controls[at]);
        patch.focused.is_some() && control.is_some_and(|control| control.element == element)
    })
}

struct Painter<'a, 'c> {
    canvas: Canvas<'c>,
    atlas: Option<PixelReader<'a>>,
    is_active: bool,
    /// Colours to replace: none with the focus.
    colours: Colours<'a>,
}

impl Painter<'_, '_> {
    fn put(&mut self, area: &Area, by: Point, clip: Rect) -> Result<(), Error> {
        self.lay(area, area.rect.moved(by), clip, Mode::Replace)
    }

    fn lay_over(&mut self, area: &Area) -> Result<(), Error> {
        self.lay(area, area.rect, self.canvas.rect, Mode::Over)
    }

    /// Puts an area's picture down, as it looks with the focus or without it; nothing if there is no atlas.
    fn lay(&mut self, area: &Area, rect: Rect, clip: Rect, mode: Mode) -> Result<(), Error> {
        let Some(atlas) = &mut self.atlas else { return Ok(()) };
        let (at, colours) = match area.inactive.filter(|_| !self.is_active) {
            Some(at) => (at, &[][..]),
            None => (area.at, self.colours),
        };
        let piece = Raster::read(atlas, at, rect.size())?;
        self.canvas.put(rect, area.mask.as_deref(), clip, Part { from: &piece, colours }, mode)
    }

    /// Puts the letters of a text down.
    fn write(&mut self, text: &SetText) -> Result<(), Error> {
        let Some(atlas) = &mut self.atlas else { return Ok(()) };
        for (rect, at) in letters::places(text) {
            let letter = Raster::read(atlas, at, rect.size())?;
            self.canvas.put(rect, None, text.place.clip, Part { from: &letter, colours: self.colours }, Mode::Over)?;
        }
        Ok(())
    }

    /// Puts the caret down at the end of a text, if its field has the focus.
    fn put_caret(&mut self, look: &Look, text: &SetText) -> Result<(), Error> {
        let has_focus = look.focus == Some(look.living.page.controls[text.control].element.as_str());
        let (Some(caret), Some(atlas)) = (&text.place.caret, &mut self.atlas) else { return Ok(()) };
        if self.is_active && has_focus {
            let picture = Raster::read(atlas, caret.at, caret.rect.size())?;
            let rect = caret.rect.moved(letters::end(text, caret));
            self.canvas.put(rect, None, text.place.clip, Part { from: &picture, colours: &[] }, Mode::Replace)?;
        }
        Ok(())
    }

    /// Shows another part of a scroll area's content.
    fn scroll(&mut self, look: &Look, at: usize, sheets: &Sheets) -> Result<(), Error> {
        let area = &look.living.page.scroll_areas[at];
        let (content, inactive) = &sheets.contents[at];
        let from = inactive.as_ref().filter(|_| !self.is_active).unwrap_or(content);
        let piece = Raster::read(&mut from.reader(), look.offsets[at], area.viewport.size())?;
        let part = Part { from: &piece, colours: &[] };
        self.canvas.put(area.viewport, None, area.viewport, part, Mode::Replace)?;
        for bar in &area.bars {
            self.put(&bar.track, Point::default(), self.canvas.rect)?;
            self.put(&bar.thumb, thumb_moved(bar, look.offsets[at], last_offset(area)), self.canvas.rect)?;
        }
        Ok(())
    }
}
