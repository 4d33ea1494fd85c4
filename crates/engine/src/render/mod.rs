//! From a [`Plan`] to pixels. No decisions, no random numbers; whatever is painted was planned.

mod again;
mod animation;
mod composite;
mod desktop;
mod encode;
mod letters;
mod overlay;
mod png_file;
mod pointer;
mod repainted;
mod resample;
mod setting_marks;
mod text;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use image::ImageDecoder;

use windesk_model::Error;
use windesk_model::geometry::{Point, Size};
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::Wallpaper;
use windesk_model::plan::{Placement, Plan};

use crate::jpeg::JpegFile;
use crate::pack::{DecodedTiles, MAX_PICTURE_PIXELS, Pack, Pixels, Shown, lay_opaque, resolve};
use composite::{BLOCK_ROWS, Composer, Picture, Surface};
use desktop::Stencils;
use png_file::{encode, encode_over, encode_surfaces};
use resample::Resampler;

pub use animation::animated_webp;
pub use encode::{Encoder, Encoding, ImageFormat, JPEG_QUALITY, former_jpeg};
pub use overlay::{changed_boxes, paint_click, paint_instructions, paint_overlay, paint_step};
pub use resample::MAX_SIDE;
pub use setting_marks::paint_setting;

pub(crate) use desktop::{fill_panel, rounded_path, where_they_touch};
pub(crate) use repainted::Repainted;
pub use text::{Caption, Style, TextEngine, check_font};

/// A finished picture: RGB, 8 bits, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Width and height.
    pub size: Size,
    /// Three bytes per pixel.
    pub rgb: Vec<u8>,
}

/// What a pixel of an array consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channels {
    /// Red, green, blue.
    Rgb,
    /// The same and 255.
    Rgba,
}

impl Channels {
    /// Bytes of a pixel.
    pub fn count(self) -> usize {
        match self {
            Self::Rgb => 3,
            Self::Rgba => 4,
        }
    }
}

/// A window of the pack at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedWindow {
    /// Index in the pack.
    pub window: WindowIndex,
    /// Top left of its picture on the screen, px.
    pub origin: Point,
    /// Whether it has the focus.
    pub active: bool,
}

/// Renders plans of one pack: keeps what many scenes share (wallpapers, icons, shaped text) between them.
pub struct Renderer<'p> {
    pack: &'p Pack,
    wallpapers: Shared<Pixels>,
    frames: Shared<Frame>,
    stencils: Stencils,
    text: Mutex<TextEngine>,
}

/// What belongs to a wallpaper in a size. Whoever needs one first makes it, while others may make other ones.
type Shared<T> = Mutex<BTreeMap<(String, u32, u32), Arc<Mutex<Option<Arc<T>>>>>>;

fn shared<T>(all: &Shared<T>, id: &str, canvas: Size, make: impl FnOnce() -> Result<T, Error>) -> Result<Arc<T>, Error> {
    let key = (id.to_owned(), canvas.width, canvas.height);
    let slot = Arc::clone(all.lock().expect("no panic while held").entry(key).or_default());
    let mut kept = slot.lock().expect("no panic while held");
    if let Some(found) = kept.as_ref() {
        return Ok(Arc::clone(found));
    }
    let made = Arc::new(make()?);
    *kept = Some(Arc::clone(&made));
    Ok(made)
}

impl<'p> Renderer<'p> {
    /// A renderer for plans of this pack.
    ///
    /// # Errors
    /// If the pack's fonts can't be read.
    pub fn new(pack: &'p Pack) -> Result<Self, Error> {
        Ok(Self {
            pack,
            wallpapers: Mutex::default(),
            frames: Mutex::default(),
            stencils: Stencils::default(),
            text: Mutex::new(TextEngine::new(pack)?),
        })
    }

    /// Renders a plan.
    ///
    /// # Errors
    /// If the plan names what the pack does not have, or a picture can't be read.
    pub fn render(&self, plan: &Plan) -> Result<Frame, Error> {
        self.reading_pictures(|| compose(plan.canvas, &self.surfaces(plan)?))
    }

    /// Renders a plan into a place that is there already, row by row from the top left; in a size that is not the
    /// canvas's each pixel is the mean of what it covers. Rows of pictures stay in memory for the next scene, under the
    /// pack's budget.
    ///
    /// # Errors
    /// Those of [`Renderer::render`]; then what was written says nothing.
    ///
    /// # Panics
    /// If `pixels` has not the bytes of a picture of this size, or a side is 0 or longer than [`MAX_SIDE`].
    pub fn render_into(&self, plan: &Plan, size: Size, channels: Channels, pixels: &mut [u8]) -> Result<(), Error> {
        let expected = size.width as usize * size.height as usize * channels.count();
        assert_eq!(pixels.len(), expected, "bytes of a picture of {}x{}", size.width, size.height);
        self.reading_pictures(|| compose_into(plan.canvas, &self.surfaces(plan)?, self.pack.decoded(), size, channels, pixels))
    }

    /// The PNG file of a plan's picture, of which only those pixels are composed that no other scene has brought into
    /// this form before.
    ///
    /// # Errors
    /// If the plan names what the pack does not have, or a picture can't be read.
    pub fn encode_png(&self, plan: &Plan) -> Result<Vec<u8>, Error> {
        self.reading_pictures(|| encode_surfaces(plan.canvas, self.surfaces(plan)?))
    }

    /// The file of a plan's picture, without a picture in between where the format allows it.
    ///
    /// # Errors
    /// Those of [`Renderer::encode_png`].
    pub fn encode(&self, plan: &Plan, encoding: Encoding) -> Result<Vec<u8>, Error> {
        match encoding.format {
            ImageFormat::Png => self.encode_png(plan),
            ImageFormat::Jpeg => self.reading_pictures(|| {
                let mut file = JpegFile::new(plan.canvas, encoding.quality());
                compose_rows(plan.canvas, &self.surfaces(plan)?, None, |rows| file.add_rows(rows))?;
                Ok(file.finish())
            }),
            ImageFormat::Webp => Ok(encoding.encode(&self.render(plan)?)),
        }
    }

    /// The PNG files of pictures of one screen, each of which differs little from the one before: what that showed at
    /// the same place is copied from its file. The bytes are those of [`Renderer::encode_png`].
    ///
    /// # Errors
    /// Those of [`Renderer::encode_png`], of each file by itself.
    pub fn encode_in_a_row<'a>(&'a self, plans: &'a [Plan]) -> impl Iterator<Item = Result<Rc<Vec<u8>>, Error>> + 'a {
        let mut before = None;
        plans.iter().enumerate().map(move |(at, plan)| {
            let is_last = at + 1 == plans.len();
            let known = self.reading_pictures(|| encode(plan.canvas, self.surfaces(plan)?, before.as_ref(), !is_last))?;
            let file = Rc::clone(&known.file);
            before = Some(known);
            Ok(file)
        })
    }

    /// Does work that reads pictures, again if one was lost meanwhile.
    fn reading_pictures<T>(&self, work: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
        let forget = || {
            self.wallpapers.lock().expect("no panic while held").retain(|_, slot| {
                // One that is being made is not lost.
                slot.try_lock().map_or(true, |kept| kept.as_ref().is_none_or(|pixels| pixels.is_there()))
            })
        };
        self.pack.reading_pictures(forget, work)
    }

    /// Windows (bottom to top) as they were captured, with their shadows, over a wallpaper, and nothing else.
    ///
    /// # Errors
    /// If the pack lacks the wallpaper, or a picture can't be read.
    pub fn windows_over_wallpaper(&self, id: &str, canvas: Size, windows: &[PlacedWindow]) -> Result<Frame, Error> {
        self.reading_pictures(|| {
            let mut surfaces = vec![self.wallpaper_surface(id, canvas)?];
            for window in windows {
                let pixels = self.pack.captured_pixels(window.window, self.pack.focus_of(window.window, window.active))?;
                surfaces.push(Surface { picture: Picture::OfPack(pixels), origin: window.origin });
            }
            compose(canvas, &surfaces)
        })
    }

    /// All that a plan shows, bottom to top.
    fn surfaces<'a>(&'a self, plan: &'a Plan) -> Result<Vec<Surface<'a>>, Error> {
        // First: what is too large is refused before any of it is painted.
        let windows = resolve(self.pack, plan)?;
        let mut surfaces = vec![self.wallpaper_surface(&plan.wallpaper, plan.canvas)?];
        self.add_desktop_icons(plan, &mut surfaces)?;
        for (placement, window) in plan.placements.iter().zip(windows) {
            self.add_window(&window, placement, plan.chrome.mode.has_shadows(), &mut surfaces)?;
        }
        self.add_bars(plan, &mut surfaces)?;
        self.add_pointer(plan, &mut surfaces)?;
        Ok(surfaces)
    }

    /// Adds a window, with its shadow or without: the one that its session draws, or the one in its picture.
    fn add_window<'a>(
        &'a self,
        window: &Shown,
        placement: &Placement,
        shadows: bool,
        surfaces: &mut Vec<Surface<'a>>,
    ) -> Result<(), Error> {
        let Placement { origin, active, .. } = *placement;
        let focus = self.pack.focus_of(window.index(), active);
        let pixels = if shadows {
            if let Some((shadow, place)) = window.painted_shadow(self.pack, active)? {
                surfaces.push(Surface { picture: Picture::OfPack(shadow), origin: origin + place });
            }
            window.pixels(self.pack, focus)?
        } else {
            window.cut_pixels(self.pack, focus)?
        };
        surfaces.push(Surface { picture: Picture::OfPack(pixels), origin });
        Ok(())
    }

    fn wallpaper_surface(&self, id: &str, canvas: Size) -> Result<Surface<'static>, Error> {
        Ok(Surface { picture: Picture::OfPack(self.wallpaper_pixels(id, canvas)?), origin: Point { x: 0, y: 0 } })
    }

    /// Prepares a wallpaper for scenes of a size; says whether it is kept in a file now.
    ///
    /// # Errors
    /// If the pack lacks the wallpaper, or it can't be read.
    pub fn prepare_wallpaper(&self, id: &str, canvas: Size) -> Result<bool, Error> {
        self.reading_pictures(|| self.wallpaper_pixels(id, canvas)?.check_kept())
    }

    /// A wallpaper in the size of the canvas: scaled until it covers that, then cut about the middle.
    pub(crate) fn wallpaper(&self, id: &str, canvas: Size) -> Result<Arc<Frame>, Error> {
        shared(&self.frames, id, canvas, || {
            let rgb = self.reading_pictures(|| self.wallpaper_pixels(id, canvas)?.rgb_in(canvas.rect()))?;
            Ok(Frame { size: canvas, rgb })
        })
    }

    /// The same as a picture of the pack.
    fn wallpaper_pixels(&self, id: &str, canvas: Size) -> Result<Arc<Pixels>, Error> {
        shared(&self.wallpapers, id, canvas, || {
            let list = "wallpapers/wallpapers.json";
            let unknown = || Error::file(self.pack.files().full_name(list), format!("no wallpaper `{id}`"), "one of that id");
            let entry = self.pack.wallpapers.iter().find(|w| w.id == id).ok_or_else(unknown)?;
            let size = format!("wallpaper {}x{}", canvas.width, canvas.height);
            self.pack.kept_picture(&[&size, &entry.sha256], canvas, true, || self.read_wallpaper(entry, canvas))
        })
    }

    /// The PNG file of a wallpaper of which parts were painted over: the rest is not encoded again.
    ///
    /// # Errors
    /// If the pack lacks the wallpaper, or it can't be read.
    pub(crate) fn encode_png_over(&self, id: &str, canvas: Size, parts: &[Repainted]) -> Result<Vec<u8>, Error> {
        let ground = self.wallpaper(id, canvas)?;
        self.reading_pictures(|| encode_over(&*self.wallpaper_pixels(id, canvas)?, &ground, parts))
    }

    /// Straight RGBA.
    fn read_wallpaper(&self, entry: &Wallpaper, canvas: Size) -> Result<Vec<u8>, Error> {
        let files = self.pack.files();
        let name = format!("wallpapers/{}", entry.file);
        let bytes = files.read_verified(&name, &entry.sha256)?;
        let picture =
            decode_limited(&bytes, None).map_err(|e| Error::file(files.full_name(&name), e, "a PNG, JPEG or WebP picture"))?;
        let picture = if (picture.width(), picture.height()) == (canvas.width, canvas.height) {
            picture
        } else {
            let [width, height] = covering([picture.width(), picture.height()], canvas);
            if width * height > MAX_COVERING_PIXELS {
                let found = format!("{}x{} px, which is {width}x{height}", picture.width(), picture.height());
                let found = format!("{found} where it covers a screen of {}x{}", canvas.width, canvas.height);
                return Err(Error::file(files.full_name(&name), found, "a wallpaper more like the screen in shape"));
            }
            picture.resize_to_fill(canvas.width, canvas.height, image::imageops::FilterType::Triangle)
        };
        // Whatever is translucent in a wallpaper's file, nothing lies under it.
        let mut rgba = picture.into_rgba8().into_raw();
        rgba.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
        Ok(rgba)
    }
}

/// Composes surfaces that cover a canvas. Rows go to `take` as soon as they are there, while the processor still has
/// them at hand: at most [`BLOCK_ROWS`] at once, three bytes per pixel. `decoded` is of [`Composer::new`].
fn compose_rows(
    canvas: Size,
    surfaces: &[Surface],
    decoded: Option<&DecodedTiles>,
    mut take: impl FnMut(&[u8]),
) -> Result<(), Error> {
    let mut composer = Composer::new(canvas, surfaces, decoded);
    let (row_bytes, height) = (canvas.width as usize * 3, canvas.height as usize);
    let mut room = vec![0; row_bytes * BLOCK_ROWS.min(height)];
    for first in (0..height).step_by(BLOCK_ROWS) {
        let rows = &mut room[..row_bytes * BLOCK_ROWS.min(height - first)];
        composer.next_rows(rows)?;
        take(rows);
    }
    composer.check()
}

/// The same as a picture of its own.
fn compose(canvas: Size, surfaces: &[Surface]) -> Result<Frame, Error> {
    // Memory that is not written before it is filled.
    let mut rgb = Vec::with_capacity(canvas.rect().area() as usize * 3);
    compose_rows(canvas, surfaces, None, |rows| rgb.extend_from_slice(rows))?;
    Ok(Frame { size: canvas, rgb })
}

/// The same into a picture of this size.
fn compose_into(
    canvas: Size,
    surfaces: &[Surface],
    decoded: &DecodedTiles,
    size: Size,
    channels: Channels,
    pixels: &mut [u8],
) -> Result<(), Error> {
    if size == canvas && channels == Channels::Rgb {
        let mut composer = Composer::new(canvas, surfaces, Some(decoded));
        composer.next_rows(pixels)?;
        return composer.check();
    }
    let (bytes, row_bytes) = (size.width as usize * channels.count(), canvas.width as usize * 3);
    let mut hand_out = |y: usize, row: &[u8]| copy_row(row, channels, &mut pixels[y * bytes..][..bytes]);
    let mut resampler = (size != canvas).then(|| Resampler::new(canvas, size));
    let mut taken = 0;
    compose_rows(canvas, surfaces, Some(decoded), |rows| {
        for row in rows.chunks_exact(row_bytes) {
            match &mut resampler {
                Some(resampler) => resampler.add_row(row, &mut hand_out),
                None => hand_out(taken, row),
            }
            taken += 1;
        }
    })
}

/// Copies a row of three bytes per pixel.
fn copy_row(rgb: &[u8], channels: Channels, to: &mut [u8]) {
    match channels {
        Channels::Rgb => to.copy_from_slice(rgb),
        Channels::Rgba => lay_opaque(rgb, to),
    }
}

/// Most pixels of a wallpaper that is scaled until it covers a screen, before it is cut.
const MAX_COVERING_PIXELS: u64 = 128_000_000;

/// The size of a picture that is scaled until it covers a screen.
fn covering([width, height]: [u32; 2], screen: Size) -> [u64; 2] {
    let [width, height] = [width.max(1), height.max(1)].map(u64::from);
    let across = [screen.width, screen.height].map(u64::from);
    if across[0] * height >= across[1] * width {
        [across[0], (height * across[0]).div_ceil(width)]
    } else {
        [(width * across[1]).div_ceil(height), across[1]]
    }
}

/// Largest memory that decoding a picture may take, bytes.
const MAX_DECODED_BYTES: u64 = 512 << 20;

/// Decodes a picture of a stranger: one of the given format, or any. Its size is known before memory for it is taken.
///
/// # Errors
/// If it is no PNG, JPEG or WebP picture, larger than 16384 px on a side, or of more than [`MAX_PICTURE_PIXELS`].
pub fn decode_limited(bytes: &[u8], format: Option<image::ImageFormat>) -> Result<image::DynamicImage, String> {
    let mut reader = image::ImageReader::new(std::io::Cursor::new(bytes));
    reader = match format {
        Some(format) => {
            reader.set_format(format);
            reader
        }
        None => reader.with_guessed_format().map_err(|e| e.to_string())?,
    };
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(16_384);
    limits.max_image_height = Some(16_384);
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(|e| e.to_string())?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PICTURE_PIXELS {
        return Err(format!("{width}x{height} px, which is more than {MAX_PICTURE_PIXELS} pixels"));
    }
    image::DynamicImage::from_decoder(decoder).map_err(|e| e.to_string())
}

impl Frame {
    fn black(size: Size) -> Self {
        Self { size, rgb: vec![0; size.rect().area() as usize * 3] }
    }

    /// Lays one colour over a pixel, with an opacity of `alpha` in 255.
    pub fn blend(&mut self, x: i32, y: i32, colour: [u8; 3], alpha: u8) {
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
#[inline(always)]
pub fn over(below: u8, above: u8, alpha: u8) -> u8 {
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
