//! Short captions with the pack's own fonts; never with the system's.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cosmic_text::{
    Align, Attrs, Buffer, Color, Ellipsize, EllipsizeHeightLimit, Family, FontSystem, Metrics, Shaping, SwashCache, Weight,
    fontdb,
};
use quick_cache::unsync::Cache;

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};

use super::Frame;
use super::letters::check_letters;
use crate::pack::Pack;

/// How a caption is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Style {
    /// Font size, px.
    pub size_px: u32,
    /// Weight, 100..=900.
    pub weight: u16,
    /// Width of the lines, px.
    pub width_px: u32,
    /// Lines at most; the last ends in an ellipsis.
    pub lines: usize,
    /// Whether lines are centred, else right-aligned.
    pub centred: bool,
}

/// Coverage of a caption: `(place, alpha)` of its pixels, relative to the top left of its box.
#[derive(Debug)]
pub struct Caption {
    pixels: Vec<(Point, u8)>,
    /// Box of the pixels; null without any.
    extent: Option<Rect>,
}

/// Shapes and keeps captions.
pub struct TextEngine {
    fonts: FontSystem,
    glyphs: SwashCache,
    family: String,
    captions: Cache<(String, String, Style), Arc<Caption>>,
    /// The fonts' files, for messages.
    place: String,
    /// Whether a letter could not be drawn: what was kept of the fonts is not trusted after that.
    is_broken: bool,
}

/// Captions kept; scenes of one run share a few hundred.
const MAX_CAPTIONS: usize = 4096;

impl TextEngine {
    /// Loads the fonts of a pack.
    ///
    /// # Errors
    /// If a font can't be read, isn't what its digest says, or is no font.
    pub fn new(pack: &Pack) -> Result<Self, Error> {
        let mut database = fontdb::Database::new();
        let mut places = Vec::new();
        for font in &pack.fonts {
            let name = format!("fonts/{}", font.file);
            let bytes = pack.files().read_verified(&name, &font.sha256)?;
            load(&mut database, &bytes).map_err(|problem| Error::at(pack.files().full_name(&name), problem))?;
            places.push(pack.files().full_name(&name));
        }
        let family = pack.fonts.first().map(|f| f.family.clone()).unwrap_or_default();
        let fonts = FontSystem::new_with_locale_and_db("en-US".to_owned(), database);
        let (captions, place) = (Cache::new(MAX_CAPTIONS), places.join(", "));
        Ok(Self { fonts, glyphs: SwashCache::new(), family, captions, place, is_broken: false })
    }

    /// The coverage of a text in a style; shaped once and then kept.
    ///
    /// # Errors
    /// If the pack has no font, or one that is so damaged that its letters can't be drawn.
    pub fn caption(&mut self, text: &str, style: Style) -> Result<Arc<Caption>, Error> {
        self.caption_in("", text, style)
    }

    /// The same in a family of the pack's fonts; an empty name stands for the first.
    ///
    /// # Errors
    /// Those of [`Self::caption`].
    pub fn caption_in(&mut self, family: &str, text: &str, style: Style) -> Result<Arc<Caption>, Error> {
        let family = if family.is_empty() { self.family.clone() } else { family.to_owned() };
        let key = (family, text.to_owned(), style);
        if let Some(found) = self.captions.get(&key) {
            return Ok(Arc::clone(found));
        }
        if self.fonts.db().is_empty() {
            return Err(Error::file("fonts/fonts.json", "no font", "at least one for captions"));
        }
        let pixels = self.guarded(|engine| engine.paint(&key.0, text, style))?;
        let caption = Arc::new(Caption::of(pixels));
        self.captions.insert(key, Arc::clone(&caption));
        Ok(caption)
    }

    /// Readers of fonts may panic on damaged tables that they find only when a letter is drawn. What is known to bring
    /// one there is refused before, for a panic is told on stderr; this is for the rest.
    fn guarded<T>(&mut self, paint: impl FnOnce(&mut Self) -> T) -> Result<T, Error> {
        let drawn = if self.is_broken { None } else { catch_unwind(AssertUnwindSafe(|| paint(self))).ok() };
        self.is_broken = drawn.is_none();
        drawn.ok_or_else(|| Error::file(&self.place, "letters that can't be drawn", "sound TrueType or OpenType fonts"))
    }

    fn paint(&mut self, family: &str, text: &str, style: Style) -> Vec<(Point, u8)> {
        let size = style.size_px as f32;
        let mut buffer = Buffer::new_empty(Metrics::new(size, (size * 1.3).round()));
        buffer.set_ellipsize(Ellipsize::End(EllipsizeHeightLimit::Lines(style.lines)));
        buffer.set_size(Some(style.width_px as f32), None);
        let attributes = Attrs::new().family(Family::Name(family)).weight(Weight(style.weight));
        let align = if style.centred { Align::Center } else { Align::Right };
        buffer.set_text(text, &attributes, Shaping::Advanced, Some(align));
        buffer.shape_until_scroll(&mut self.fonts, false);
        let mut pixels = Vec::new();
        buffer.draw(&mut self.fonts, &mut self.glyphs, Color::rgb(255, 255, 255), |x, y, width, height, colour| {
            if colour.a() > 0 {
                for (dx, dy) in (0..height as i32).flat_map(|dy| (0..width as i32).map(move |dx| (dx, dy))) {
                    pixels.push((Point { x: x + dx, y: y + dy }, colour.a()));
                }
            }
        });
        pixels
    }
}

/// Units in which a font draws a letter as high as its size. Of fewer a pixel's letters could be thousands high.
const UNITS_PER_EM: std::ops::RangeInclusive<u16> = 256..=16_384;

/// Whether letters can be set in a font.
///
/// # Errors
/// In words, with what was expected.
pub fn check_font(bytes: &[u8]) -> Result<(), String> {
    load(&mut fontdb::Database::new(), bytes)
}

fn load(database: &mut fontdb::Database, bytes: &[u8]) -> Result<(), String> {
    let expected = "expected a TrueType or OpenType font";
    let faces = database.load_font_source(fontdb::Source::Binary(Arc::new(bytes.to_vec())));
    if faces.is_empty() {
        return Err(format!("found no font, {expected}"));
    }
    for face in &faces {
        let number = database.face(*face).map_or(0, |face| face.index);
        check_letters(bytes, number)?;
    }
    // A part of the file may be sound and another not: each face is opened as it is when letters are set.
    let mut opened = FontSystem::new_with_locale_and_db("en-US".to_owned(), database.clone());
    for face in faces {
        let weight = database.face(face).map_or(fontdb::Weight::NORMAL, |face| face.weight);
        let font = opened.get_font(face, weight).ok_or_else(|| format!("found a damaged font, {expected}"))?;
        let units = font.as_swash().metrics(&[]).units_per_em;
        if !UNITS_PER_EM.contains(&units) {
            return Err(format!(
                "found a font of {units} units per em, expected {} to {}",
                UNITS_PER_EM.start(),
                UNITS_PER_EM.end()
            ));
        }
    }
    Ok(())
}

impl Caption {
    fn of(pixels: Vec<(Point, u8)>) -> Self {
        let extent = pixels.iter().map(|&(place, _)| Rect::at(place.x, place.y, 1, 1)).reduce(Rect::union);
        Self { pixels, extent }
    }

    /// Box of its letters when its top left is at `at`; null if they show nothing.
    pub fn bbox(&self, at: Point) -> Option<Rect> {
        self.extent.map(|extent| extent.moved(at))
    }

    /// Draws the caption with its box's top left at `at`; `strength` in 255 scales its opacity.
    pub fn paint(&self, frame: &mut Frame, at: Point, colour: [u8; 3], strength: u8) {
        for &(place, alpha) in &self.pixels {
            let alpha = (u32::from(alpha) * u32::from(strength) / 255) as u8;
            frame.blend(at.x + place.x, at.y + place.y, colour, alpha);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_panics_is_an_error_and_not_asked_again() {
        let fonts = FontSystem::new_with_locale_and_db("en-US".to_owned(), fontdb::Database::new());
        let mut engine = TextEngine {
            fonts,
            glyphs: SwashCache::new(),
            family: String::new(),
            captions: Cache::new(1),
            place: "fonts/a.ttf".to_owned(),
            is_broken: false,
        };
        assert_eq!(engine.guarded(|_| 7).unwrap(), 7);
        let letters: [u8; 0] = [];
        let beyond = engine.captions.len();
        let refused = engine.guarded(|_| letters[beyond]).unwrap_err();
        assert!(refused.to_string().starts_with("fonts/a.ttf: found letters that can't be drawn"), "{refused}");
        let mut asked = false;
        engine.guarded(|_| asked = true).unwrap_err();
        assert!(!asked);
    }
}
