//! What the walk tool of the capture scripts asks of a page, and the answer: one JSON object each.
//!
//! A walk sends the same events to the live program and to its page; the pictures and elements that come back are
//! compared with those of the program.

use std::path::{Path, PathBuf};

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use serde::{Deserialize, Serialize};

use windesk_engine::pack::living::{PointerOn, View, act, compose};
use windesk_engine::pack::{Element, Focus, Pack};
use windesk_model::Error;
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::pack_format::{ElementRecord, Outcome};
use windesk_model::page_state::{PageState, WindowEvent};

/// A question: a window in a state, and what is done to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkQuestion {
    /// The page, by its capture's id.
    pub window: String,
    /// Its state; missing or null for the page as it was captured.
    #[serde(default)]
    pub state: Option<PageState>,
    /// What is done; missing or null if the page is only to be shown.
    #[serde(default)]
    pub event: Option<WindowEvent>,
    /// `active` or `inactive`: whether the window that is shown has the focus.
    #[serde(default)]
    pub focus: WalkFocus,
    /// The element that the pointer is over in the picture, if that is to be seen.
    #[serde(default)]
    pub hover: Option<String>,
    /// Whether the pointer's button is held down there.
    #[serde(default)]
    pub pressed: bool,
    /// Where the picture goes, as a PNG file; missing or null for no picture.
    #[serde(default)]
    pub picture: Option<PathBuf>,
}

/// Which look is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WalkFocus {
    /// With the focus.
    #[default]
    Active,
    /// Without it.
    Inactive,
}

/// The answer: what happened, and the window as it is then.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WalkAnswer {
    /// What came of the event, in order; empty without one.
    pub outcomes: Vec<Outcome>,
    /// The element that took the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// The page that the window shows; null if it closed.
    pub window: Option<String>,
    /// Its state.
    pub state: PageState,
    /// Top left of the picture in px of the page; below zero where a popup reaches beyond the page.
    pub origin: Point,
    /// Width and height of the picture, px.
    pub size: Option<Size>,
    /// Open popups, bottom to top, px of the page.
    pub popups: Vec<Rect>,
    /// Parts of the page that change by themselves, px of the page.
    pub volatile: Vec<Rect>,
    /// What is visible, parents first, px of the page.
    pub elements: Vec<ElementRecord>,
    /// What was wrong with the question; nothing else is said then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A picture to write: straight RGBA, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkPicture {
    /// Where it goes.
    pub path: PathBuf,
    /// Its size.
    pub size: Size,
    /// Its pixels.
    pub rgba: Vec<u8>,
}

impl WalkPicture {
    /// The picture as a PNG file, quickly: it is read at once and thrown away.
    pub fn png(&self) -> Vec<u8> {
        let mut png = Vec::new();
        PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Up)
            .write_image(&self.rgba, self.size.width, self.size.height, ExtendedColorType::Rgba8)
            .expect("as many pixels as its size says, into memory");
        png
    }
}

/// Answers a line. A question that makes no sense is answered with what is wrong about it.
pub fn answer_line(pack: &Pack, line: &[u8]) -> (WalkAnswer, Option<WalkPicture>) {
    let question = serde_json::from_slice::<WalkQuestion>(line)
        .map_err(|e| Error::at("the question", format_args!("{e}, expected the form described in docs/pack.md")));
    match question.and_then(|question| answer(pack, &question)) {
        Ok(answered) => answered,
        Err(error) => (refused(&error), None),
    }
}

/// The answer that says what is wrong.
pub fn refused(error: &Error) -> WalkAnswer {
    WalkAnswer { error: Some(error.to_string()), ..WalkAnswer::default() }
}

/// Answers a question.
///
/// # Errors
/// If there is no such window, if it can't have that state, or if a picture can't be read.
pub fn answer(pack: &Pack, question: &WalkQuestion) -> Result<(WalkAnswer, Option<WalkPicture>), Error> {
    let WalkQuestion { window, state, event, focus, hover, pressed, picture } = question;
    let find = |id: &str| {
        let index = pack.window_index(id);
        index.ok_or_else(|| Error::file("the question", format_args!("window `{id}`"), "the id of a capture of the pack"))
    };
    let mut answer = WalkAnswer { window: Some(window.clone()), ..WalkAnswer::default() };
    answer.state = state.clone().unwrap_or_default();
    if let Some(event) = event {
        let acted = act(&*pack.living(find(window)?)?, &answer.state, event)?;
        answer = WalkAnswer {
            outcomes: acted.outcomes,
            element: acted.element,
            window: acted.window,
            state: acted.state,
            ..WalkAnswer::default()
        };
    }
    let Some(window) = &answer.window else { return Ok((answer, None)) };
    let living = pack.living(find(window)?)?;
    let focus = match focus {
        WalkFocus::Active => Focus::Active,
        WalkFocus::Inactive => Focus::Inactive,
    };
    let pointer = hover.as_deref().map(|element| PointerOn { element, pressed: *pressed });
    let composed = compose(pack, &living, &answer.state, View { focus, pointer })?;
    let size = composed.rect.size();
    let elements = composed.elements.iter().map(|element| {
        let parent = element.parent.map(|parent| composed.elements[parent].id.clone());
        record(element, parent)
    });
    answer.elements = elements.collect();
    answer.origin = composed.rect.origin();
    answer.size = Some(size);
    answer.popups = composed.popups;
    answer.volatile.clone_from(&living.page.page.volatile);
    let picture = picture.as_deref().map(|path: &Path| WalkPicture { path: path.to_owned(), size, rgba: composed.rgba });
    Ok((answer, picture))
}

fn record(element: &Element, parent: Option<String>) -> ElementRecord {
    let Element { id, parent: _, role, name, description, bbox, interactive, popup, state } = element.clone();
    ElementRecord { id, parent, role, name, description, bbox, interactive, popup, state }
}
