//! Living pages: what the controls of a captured window can be set to, and what it looks like then.
//!
//! A living file is read when its page is needed, and checked whole: a page that can be read holds no reference that
//! leads nowhere, no picture outside its atlas, and no two changes of which nobody knows which one shows.

mod act;
mod blend;
mod carry;
mod check;
mod compose;
mod letters;
mod maps;
mod outcomes;
mod overlap;
mod page;
mod reach;
mod scene;
mod together;
mod tree;
mod values;
mod vary;

use std::sync::Arc;

use windesk_model::Error;
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::living::{Control, Glyphs, Layer, LivingLine, LivingPopup, Patch, Rule, ScrollArea};
use windesk_model::pack_format::{Picture, Transition, living as format};

use super::read::{TRANSITION_FILE, lines_of, program_file};
use super::{Pack, Window};

pub use act::{WindowActed, act};
pub use carry::{carry, unlike};
pub use check::check_transition;
pub(super) use compose::{Arranged, Changed, arranged, changed};
pub use compose::{Composed, PointerOn, View, compose, elements_in, normalised};
pub use maps::{reachable, value_at};
pub use page::Living;
pub(super) use page::PageCache;
pub use reach::{DragReach, Reach, reach};
pub use values::captured_input;
pub use vary::{known_values, scattered, varied, when_shown};

/// A page's living file, checked.
#[derive(Clone, Debug)]
pub struct LivingPage {
    /// Its first line.
    pub page: format::LivingPage,
    /// Controls, as they are written.
    pub controls: Vec<Control>,
    /// Patches of all controls.
    pub patches: Vec<Patch>,
    /// What focus, pointer and mouse button change.
    pub layers: Vec<Layer>,
    /// What follows from values.
    pub rules: Vec<Rule>,
    /// Popups.
    pub popups: Vec<LivingPopup>,
    /// Scroll areas.
    pub scroll_areas: Vec<ScrollArea>,
    /// Letters.
    pub glyphs: Vec<Glyphs>,
}

impl LivingPage {
    /// The control with this id.
    pub fn control(&self, id: &str) -> Option<&Control> {
        self.controls.iter().find(|control| control.id == id)
    }

    /// Whether the page, with all its popups, contents and patches, has an element with this id.
    pub fn has_element(&self, window: &Window, id: &str) -> bool {
        let popups = self.popups.iter().flat_map(|popup| &popup.elements);
        let contents = self.scroll_areas.iter().flat_map(|area| &area.elements);
        let added = self.patches.iter().flat_map(|patch| &patch.added);
        window.element_index(id).is_some() || popups.chain(contents).chain(added).any(|element| element.id == *id)
    }

    /// The picture files besides the atlas: what can be scrolled, and its look without the focus.
    pub fn pictures(&self) -> impl Iterator<Item = &Picture> {
        self.scroll_areas.iter().flat_map(|area| std::iter::once(&area.content).chain(&area.inactive))
    }
}

impl Pack {
    /// Reads and checks the living file of a window; `None` if it has none.
    ///
    /// # Errors
    /// Names the file, the line and the field at fault.
    pub fn living_page(&self, window: WindowIndex) -> Result<Option<LivingPage>, Error> {
        let window = &self.windows[window];
        let Some(living) = &window.living else { return Ok(None) };
        let name = program_file(&window.id, &living.file);
        let text = self.files.read_verified(&name, &living.sha256)?;
        let lines = lines_of::<LivingLine>(&self.files, &name, &text)?;
        let page = sorted(&self.files.full_name(&name), window, lines)?;
        Ok(Some(page))
    }

    /// The transitions that begin at a window, checked against its living page if it has one.
    ///
    /// # Errors
    /// Names the transition that asks for what the page has not.
    pub fn transitions_of(&self, window: WindowIndex, page: Option<&LivingPage>) -> Result<Vec<Arc<Transition>>, Error> {
        let at = &self.windows[window];
        let own: Vec<_> = self.transitions.of(&at.id).cloned().collect();
        if let Some(page) = page {
            let place = self.files.full_name(&program_file(&at.id, TRANSITION_FILE));
            own.iter().try_for_each(|transition| check_transition(&place, at, page, transition))?;
        }
        Ok(own)
    }
}

/// A line with the place that errors name.
struct At<T> {
    place: String,
    line: T,
}

/// The lines by kind, checked.
fn sorted(file: &str, window: &Window, lines: Vec<(usize, LivingLine)>) -> Result<LivingPage, Error> {
    let mut lines = lines.into_iter();
    let expected = "the page's line first, and no other";
    let page = match lines.next() {
        Some((_, LivingLine::Page(page))) => page,
        Some((number, _)) => return Err(Error::file(format!("{file}:{number}"), "another line", expected)),
        None => return Err(Error::file(file, "no line", expected)),
    };
    let mut written = check::Written::default();
    for (number, line) in lines {
        let place = format!("{file}:{number}");
        match line {
            LivingLine::Page(_) => return Err(Error::file(place, "a second page", expected)),
            LivingLine::Control(line) => written.controls.push(At { place, line }),
            LivingLine::Patch(line) => written.patches.push(At { place, line }),
            LivingLine::Layer(line) => written.layers.push(At { place, line }),
            LivingLine::Rule(line) => written.rules.push(At { place, line }),
            LivingLine::Popup(line) => written.popups.push(At { place, line }),
            LivingLine::ScrollArea(line) => written.scroll_areas.push(At { place, line }),
            LivingLine::Glyphs(line) => written.glyphs.push(At { place, line }),
        }
    }
    check::check(file, window, &page, &written)?;
    overlap::check(&written)?;
    Ok(LivingPage {
        page,
        controls: written.controls.into_iter().map(|at| at.line).collect(),
        patches: written.patches.into_iter().map(|at| at.line).collect(),
        layers: written.layers.into_iter().map(|at| at.line).collect(),
        rules: written.rules.into_iter().map(|at| at.line).collect(),
        popups: written.popups.into_iter().map(|at| at.line).collect(),
        scroll_areas: written.scroll_areas.into_iter().map(|at| at.line).collect(),
        glyphs: written.glyphs.into_iter().map(|at| at.line).collect(),
    })
}
