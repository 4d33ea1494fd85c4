//! From a [`Plan`] to pixels. No decisions, no random numbers; whatever is drawn was planned.

mod composite;
mod desktop;
mod encode;
mod overlay;
mod splice;
mod text;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::config::ChromeMode;
use crate::geom::{Point, Size};
use crate::pack::{Pack, PackError};
use crate::plan::Plan;
use crate::verify::resolve;

pub use encode::{Encoder, ImageFormat};
pub use overlay::draw_overlay;

use composite::{Sheet, compose};
use desktop::IconCache;
pub(crate) use desktop::{fill_panel, rounded_path};
use splice::CodedGround;
pub(crate) use text::{Style, TextEngine};

/// A finished picture: RGB, 8 bits, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Width and height.
    pub size: Size,
    /// Three bytes per pixel.
    pub rgb: Vec<u8>,
}

/// A window of the pack at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedWindow {
    /// Index in the pack.
    pub window: usize,
    /// Top left of its picture on the screen, px.
    pub origin: Point,
    /// Whether it has the focus.
    pub active: bool,
}

/// Renders plans of one pack: keeps what many scenes share (wallpapers, icons, shaped text) between them.
pub struct Renderer<'p> {
    pack: &'p Pack,
    wallpapers: Mutex<BTreeMap<(String, u32, u32), WallpaperSlot>>,
    coded: Mutex<BTreeMap<(String, u32, u32), CodedSlot>>,
    icons: IconCache,
    text: Mutex<TextEngine>,
}

/// A wallpaper that whoever needs it first decodes, while others may decode other ones.
type WallpaperSlot = Arc<Mutex<Option<Arc<Frame>>>>;
/// The same for its bits.
type CodedSlot = Arc<Mutex<Option<Arc<CodedGround>>>>;

impl<'p> Renderer<'p> {
    /// A renderer for plans of this pack.
    ///
    /// # Errors
    /// If the pack's fonts can't be read.
    pub fn new(pack: &'p Pack) -> Result<Self, PackError> {
        Ok(Self {
            pack,
            wallpapers: Mutex::default(),
            coded: Mutex::default(),
            icons: IconCache::default(),
            text: Mutex::new(TextEngine::new(pack)?),
        })
    }

    /// Renders a plan.
    ///
    /// # Errors
    /// If the plan names what the pack does not have, or a picture can't be read.
    pub fn render(&self, plan: &Plan) -> Result<Frame, PackError> {
        let windows = resolve(self.pack, plan)?;
        let placed = plan.placements.iter().zip(windows);
        let placed: Vec<PlacedWindow> =
            placed.map(|(p, window)| PlacedWindow { window, origin: p.origin, active: p.active }).collect();
        let wallpaper = self.wallpaper(&plan.wallpaper, plan.canvas)?;
        let mut ground = (*wallpaper).clone();
        self.draw_desktop_icons(plan, &mut ground)?;
        let mut frame = compose(ground, &self.sheets(&placed, plan.chrome.mode != ChromeMode::None)?);
        self.draw_taskbar(&plan.chrome, plan.canvas, &mut frame)?;
        Ok(frame)
    }

    /// Windows (bottom to top) with their shadows over a wallpaper, and nothing else.
    ///
    /// # Errors
    /// If the pack lacks the wallpaper, or a picture can't be read.
    pub fn windows_over_wallpaper(&self, id: &str, canvas: Size, windows: &[PlacedWindow]) -> Result<Frame, PackError> {
        Ok(compose((*self.wallpaper(id, canvas)?).clone(), &self.sheets(windows, true)?))
    }

    fn sheets(&self, placed: &[PlacedWindow], shadows: bool) -> Result<Vec<Sheet>, PackError> {
        let sheets = placed.iter().map(|&PlacedWindow { window, origin, active }| {
            let record = &self.pack.windows[window];
            let pixels = self.pack.pixels(window, self.pack.look_of(window, active))?;
            // Without shadows a window ends at its frame and popups.
            let clip = (!shadows).then(|| std::iter::once(record.frame).chain(record.popups.iter().copied()).collect());
            Ok(Sheet { pixels, origin, clip })
        });
        sheets.collect()
    }

    /// A wallpaper in the size of the canvas: cut to its shape about the middle, then scaled.
    pub(crate) fn wallpaper(&self, id: &str, canvas: Size) -> Result<Arc<Frame>, PackError> {
        let key = (id.to_owned(), canvas.width, canvas.height);
        let slot = Arc::clone(self.wallpapers.lock().expect("no panic while held").entry(key).or_default());
        let mut kept = slot.lock().expect("no panic while held");
        if let Some(found) = kept.as_ref() {
            return Ok(Arc::clone(found));
        }
        let frame = Arc::new(self.read_wallpaper(id, canvas)?);
        *kept = Some(Arc::clone(&frame));
        Ok(frame)
    }

    /// The PNG file of a picture that shows much of a wallpaper: what is the same there is not coded again.
    pub(crate) fn encode_png_over(&self, id: &str, frame: &Frame) -> Result<Vec<u8>, PackError> {
        let key = (id.to_owned(), frame.size.width, frame.size.height);
        let slot = Arc::clone(self.coded.lock().expect("no panic while held").entry(key).or_default());
        let mut kept = slot.lock().expect("no panic while held");
        let coded = match kept.as_ref() {
            Some(found) => Arc::clone(found),
            None => Arc::clone(kept.insert(Arc::new(CodedGround::new(self.wallpaper(id, frame.size)?)))),
        };
        drop(kept);
        Ok(coded.encode(frame))
    }

    fn read_wallpaper(&self, id: &str, canvas: Size) -> Result<Frame, PackError> {
        let list = "wallpapers/wallpapers.json";
        let files = self.pack.files();
        let entry = self.pack.wallpapers.iter().find(|w| w.id == id);
        let entry =
            entry.ok_or_else(|| PackError::file(&files.full_name(list), format!("no wallpaper `{id}`"), "one of that id"))?;
        let name = format!("wallpapers/{}", entry.file);
        let bytes = files.read_verified(&name, &entry.sha256)?;
        let picture =
            decode_limited(&bytes).map_err(|e| PackError::file(&files.full_name(&name), e, "a PNG, JPEG or WebP picture"))?;
        let rgb = if (picture.width(), picture.height()) == (canvas.width, canvas.height) {
            picture.into_rgb8()
        } else {
            picture.resize_to_fill(canvas.width, canvas.height, image::imageops::FilterType::Triangle).into_rgb8()
        };
        Ok(Frame { size: canvas, rgb: rgb.into_raw() })
    }
}

/// Decodes a picture of a stranger with bounds on size and memory.
pub(crate) fn decode_limited(bytes: &[u8]) -> image::ImageResult<image::DynamicImage> {
    let mut reader = image::ImageReader::new(std::io::Cursor::new(bytes)).with_guessed_format()?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(16_384);
    limits.max_image_height = Some(16_384);
    limits.max_alloc = Some(1 << 30);
    reader.limits(limits);
    reader.decode()
}

impl Frame {
    /// Lays one colour over a pixel, with an opacity of `alpha` in 255.
    pub(crate) fn blend(&mut self, x: i32, y: i32, colour: [u8; 3], alpha: u8) {
        if x < 0 || y < 0 || x >= self.size.width as i32 || y >= self.size.height as i32 {
            return;
        }
        let at = (y as usize * self.size.width as usize + x as usize) * 3;
        for (below, above) in self.rgb[at..at + 3].iter_mut().zip(colour) {
            *below = over(*below, above, alpha);
        }
    }
}

/// `above` over `below` with an opacity of `alpha` in 255, rounded to the nearest.
pub(crate) fn over(below: u8, above: u8, alpha: u8) -> u8 {
    let (below, above, alpha) = (u16::from(below), u16::from(above), u16::from(alpha));
    // v / 255 rounded to the nearest, for all v up to 255 * 255, in 16 bits: wide registers hold many of them.
    let v = above * alpha + below * (255 - alpha) + 128;
    ((v + (v >> 8)) >> 8) as u8
}

#[cfg(test)]
mod tests {
    #[test]
    fn blending_rounds_to_the_nearest() {
        for (below, above) in (0..=255_u8).flat_map(|b| (0..=255_u8).step_by(5).map(move |a| (b, a))) {
            for alpha in 0..=255_u8 {
                let exact = u32::from(above) * u32::from(alpha) + u32::from(below) * (255 - u32::from(alpha));
                assert_eq!(u32::from(super::over(below, above, alpha)), (exact + 127) / 255, "{below} {above} {alpha}");
            }
        }
    }
}
