//! Draws taskbar and desktop icons into the boxes that [`windesk_model::desktop`] gives them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, Transform};

use windesk_model::Error;
use windesk_model::desktop::{Chrome, DesktopIcon, Part};
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::plan::Plan;

use super::composite::{Painting, Picture, Surface};
use super::text::{Caption, Style};
use super::{Frame, Renderer};
use crate::drawing::read_drawing;
use crate::pack::Pack;

/// Side of a desktop icon, px.
const DESKTOP_ICON_PX: u32 = 48;
/// Side of a taskbar icon, px.
const TASKBAR_ICON_PX: u32 = 28;
/// Side of a tray icon, px.
const TRAY_ICON_PX: u32 = 18;

/// Offsets and strengths of the dark copies that lie under a caption: a halo keeps white captions readable on bright
/// wallpapers, as desktops do.
const HALO: [(i32, i32, u8); 6] = [(0, 1, 150), (1, 1, 110), (-1, 1, 60), (0, 2, 60), (1, 0, 50), (-1, 0, 50)];

/// Colours of a taskbar.
struct Palette {
    bar: [u8; 3],
    edge: [u8; 3],
    button: [u8; 3],
    mark: [u8; 3],
    idle_mark: [u8; 3],
    text: [u8; 3],
}

const LIGHT: Palette = Palette {
    bar: [238, 241, 246],
    edge: [214, 218, 226],
    button: [255, 255, 255],
    mark: [0, 103, 192],
    idle_mark: [134, 140, 150],
    text: [27, 27, 31],
};
const DARK: Palette = Palette {
    bar: [28, 31, 38],
    edge: [52, 56, 66],
    button: [52, 57, 68],
    mark: [96, 187, 255],
    idle_mark: [150, 155, 165],
    text: [243, 244, 247],
};

/// Rasterised icons by id and size.
#[derive(Default)]
pub(super) struct IconCache(Mutex<BTreeMap<(String, u32), Arc<Pixmap>>>);

impl IconCache {
    /// The icon in a square of `side_px`, premultiplied RGBA.
    fn get(&self, pack: &Pack, id: &str, side_px: u32) -> Result<Arc<Pixmap>, Error> {
        let key = (id.to_owned(), side_px);
        let mut kept = self.0.lock().expect("no panic while held");
        if let Some(found) = kept.get(&key) {
            return Ok(Arc::clone(found));
        }
        let entry = pack.icons.iter().find(|i| i.id == id);
        let entry = entry.ok_or_else(|| {
            Error::file(pack.files().full_name("icons/icons.json"), format!("no icon `{id}`"), "one of that id")
        })?;
        let name = format!("icons/{}", entry.file);
        let bytes = pack.files().read_verified(&name, &entry.sha256)?;
        let tree = read_drawing(&bytes).map_err(|problem| Error::at(pack.files().full_name(&name), problem))?;
        let size = tree.size();
        let scale = side_px as f32 / size.width().max(size.height());
        let offset = |length: f32| (side_px as f32 - length * scale) / 2.0;
        let transform = Transform::from_scale(scale, scale).post_translate(offset(size.width()), offset(size.height()));
        let mut pixmap = Pixmap::new(side_px, side_px).expect("icons have a size");
        resvg::render(&tree, transform, &mut pixmap.as_mut());
        let pixmap = Arc::new(pixmap);
        kept.insert(key, Arc::clone(&pixmap));
        Ok(pixmap)
    }
}

/// A desktop icon with its caption, ready to be drawn.
struct PlacedIcon<'a> {
    icon: &'a DesktopIcon,
    /// Top left of the icon.
    at: Point,
    caption: Arc<Caption>,
    caption_at: Point,
    /// Box of all that is drawn.
    extent: Rect,
}

impl<'a> PlacedIcon<'a> {
    fn new(renderer: &Renderer, icon: &'a DesktopIcon, bbox: Rect) -> Result<Self, Error> {
        let side = DESKTOP_ICON_PX as i32;
        let at = Point { x: bbox.x0() + (bbox.width() - side) / 2, y: bbox.y0() + 8 };
        let room = Rect::at(bbox.x0(), bbox.y0() + 62, bbox.width(), bbox.height() - 62);
        let (caption_at, caption) = renderer.icon_caption(&icon.label, room)?;
        let square = Rect::at(at.x, at.y, side, side);
        let letters = caption.bbox(caption_at);
        let halo = letters.into_iter().flat_map(|letters| HALO.map(|(x, y, _)| letters.moved(Point { x, y })));
        Ok(Self { icon, at, extent: halo.chain(letters).fold(square, Rect::union), caption, caption_at })
    }

    /// Draws it on a frame whose top left lies here on the screen.
    fn paint(&self, renderer: &Renderer, origin: Point, frame: &mut Frame) -> Result<(), Error> {
        let pixmap = renderer.icons.get(renderer.pack, &self.icon.icon, DESKTOP_ICON_PX)?;
        stamp(frame, &pixmap, self.at - origin, None);
        renderer.paint_icon_caption(&self.caption, self.caption_at - origin, frame);
        Ok(())
    }
}

impl Renderer<'_> {
    /// Adds surfaces with the icons and captions on the wallpaper, which is the only surface so far.
    pub(super) fn add_desktop_icons<'a>(&'a self, plan: &'a Plan, surfaces: &mut Vec<Surface<'a>>) -> Result<(), Error> {
        let drawn = plan.chrome.desktop_elements().into_iter().filter_map(|element| match element.part {
            Part::Icon(icon) => Some(PlacedIcon::new(self, icon, element.bbox)),
            _ => None,
        });
        // Icons whose captions touch are drawn together.
        let mut groups: Vec<(Rect, Vec<PlacedIcon>)> = Vec::new();
        for icon in drawn {
            let icon = icon?;
            let (mut extent, mut icons) = (icon.extent, vec![icon]);
            while let Some(at) = groups.iter().position(|(other, _)| other.intersection(extent).is_some()) {
                let (other, before) = groups.remove(at);
                extent = extent.union(other);
                icons = before.into_iter().chain(icons).collect();
            }
            groups.push((extent, icons));
        }
        let wallpaper = self.wallpaper_pixels(&plan.wallpaper, plan.canvas)?;
        for (extent, icons) in groups {
            let Some(rect) = extent.intersection(plan.canvas.rect()) else { continue };
            let wallpaper = Arc::clone(&wallpaper);
            let painting = Painting::new(rect.size(), move || {
                let mut frame = Frame { size: rect.size(), rgb: wallpaper.rgb_in(rect)? };
                for icon in &icons {
                    icon.paint(self, rect.origin(), &mut frame)?;
                }
                Ok(frame)
            });
            surfaces.push(Surface { picture: Picture::Painted(painting), origin: rect.origin() });
        }
        Ok(())
    }

    /// A caption as under desktop icons, two lines at most, and its top left on the screen.
    pub(crate) fn icon_caption(&self, label: &str, room: Rect) -> Result<(Point, Arc<Caption>), Error> {
        let style = Style { size_px: 13, weight: 500, width_px: room.width() as u32, lines: 2, centred: true };
        Ok((room.origin(), self.text.lock().expect("no panic while held").caption(label, style)?))
    }

    /// Draws a caption in white, for wallpapers.
    pub(crate) fn paint_icon_caption(&self, caption: &Caption, at: Point, frame: &mut Frame) {
        for (dx, dy, strength) in HALO {
            caption.paint(frame, at + Point { x: dx, y: dy }, [0, 0, 0], strength);
        }
        caption.paint(frame, at, [255, 255, 255], 255);
    }

    /// Draws a caption in ink, for the light ground of a panel.
    pub(crate) fn paint_panel_caption(&self, caption: &Caption, at: Point, frame: &mut Frame) {
        caption.paint(frame, at, LIGHT.text, 255);
    }

    /// The taskbar, above all windows. `origin` is the place of the frame's top left on the screen.
    pub(crate) fn paint_taskbar(&self, chrome: &Chrome, canvas: Size, origin: Point, frame: &mut Frame) -> Result<(), Error> {
        let palette = if chrome.dark { &DARK } else { &LIGHT };
        for element in chrome.taskbar_elements(canvas) {
            let bbox = element.bbox.moved(Point { x: 0, y: 0 } - origin);
            match element.part {
                Part::Taskbar => {
                    fill(frame, bbox, palette.bar);
                    fill(frame, Rect::at(bbox.x0(), bbox.y0(), bbox.width(), 1), palette.edge);
                }
                Part::Leading(button) => {
                    let icon = self.icons.get(self.pack, button.icon, TASKBAR_ICON_PX)?;
                    stamp(frame, &icon, centred(bbox, TASKBAR_ICON_PX), None);
                }
                Part::Item(item) => {
                    if item.active {
                        fill_rounded(frame, bbox, 6.0, palette.button);
                    }
                    let icon = self.icons.get(self.pack, &item.icon, TASKBAR_ICON_PX)?;
                    stamp(frame, &icon, centred(bbox, TASKBAR_ICON_PX), None);
                    if item.windows + item.minimised > 0 {
                        // A dash for the active window, a shorter one for others, a dot for what is minimised.
                        let (width, colour) = match (item.active, item.windows) {
                            (true, _) => (18, palette.mark),
                            (false, 1..) => (8, palette.idle_mark),
                            (false, 0) => (3, palette.idle_mark),
                        };
                        let x = bbox.x0() + (bbox.width() - width) / 2;
                        fill_rounded(frame, Rect::at(x, bbox.y1() - 3, width, 3), 1.5, colour);
                    }
                }
                Part::Tray(button) => {
                    let icon = self.icons.get(self.pack, button.icon, TRAY_ICON_PX)?;
                    stamp(frame, &icon, centred(bbox, TRAY_ICON_PX), Some(palette.text));
                }
                Part::Clock => {
                    let style = Style { size_px: 12, weight: 400, width_px: bbox.width() as u32 - 8, lines: 1, centred: false };
                    let mut text = self.text.lock().expect("no panic while held");
                    let (time, date) = (text.caption(&chrome.time, style)?, text.caption(&chrome.date, style)?);
                    time.paint(frame, Point { x: bbox.x0(), y: bbox.y0() + 6 }, palette.text, 255);
                    date.paint(frame, Point { x: bbox.x0(), y: bbox.y0() + 22 }, palette.text, 255);
                }
                Part::Icon(_) => {}
            }
        }
        Ok(())
    }
}

fn centred(bbox: Rect, side_px: u32) -> Point {
    let side = side_px as i32;
    Point { x: bbox.x0() + (bbox.width() - side) / 2, y: bbox.y0() + (bbox.height() - side) / 2 }
}

/// Lays a premultiplied picture over the frame; with a tint only its coverage is used.
fn stamp(frame: &mut Frame, pixmap: &Pixmap, at: Point, tint: Option<[u8; 3]>) {
    for (row, pixels) in pixmap.pixels().chunks_exact(pixmap.width() as usize).enumerate() {
        for (column, pixel) in pixels.iter().enumerate() {
            if pixel.alpha() > 0 {
                let colour = pixel.demultiply();
                let rgb = tint.unwrap_or([colour.red(), colour.green(), colour.blue()]);
                frame.blend(at.x + column as i32, at.y + row as i32, rgb, pixel.alpha());
            }
        }
    }
}

/// Paints a rectangle, or what of it lies in the frame.
fn fill(frame: &mut Frame, rect: Rect, colour: [u8; 3]) {
    let Some(rect) = rect.intersection(frame.size.rect()) else { return };
    for y in rect.y0()..rect.y1() {
        let first = (y * frame.size.width as i32 + rect.x0()) as usize;
        let row = &mut frame.rgb.as_chunks_mut::<3>().0[first..][..rect.width() as usize];
        row.fill(colour);
    }
}

/// The panel under a dock of icons: light and translucent.
pub(crate) fn fill_panel(frame: &mut Frame, rect: Rect) {
    stamp_rounded(frame, rect, 18.0, [250, 251, 253], 150);
}

fn fill_rounded(frame: &mut Frame, rect: Rect, radius: f32, colour: [u8; 3]) {
    stamp_rounded(frame, rect, radius, colour, 255);
}

/// The outline of a rectangle with round corners, px; nothing if it has no size.
pub(crate) fn rounded_path(width: f32, height: f32, radius: f32) -> Option<Path> {
    // Control points of a cubic that is nearest to a quarter of a circle.
    let k = radius * 0.447_715_25;
    let mut path = PathBuilder::new();
    path.move_to(radius, 0.0);
    path.line_to(width - radius, 0.0);
    path.cubic_to(width - k, 0.0, width, k, width, radius);
    path.line_to(width, height - radius);
    path.cubic_to(width, height - k, width - k, height, width - radius, height);
    path.line_to(radius, height);
    path.cubic_to(k, height, 0.0, height - k, 0.0, height - radius);
    path.line_to(0.0, radius);
    path.cubic_to(0.0, k, k, 0.0, radius, 0.0);
    path.close();
    path.finish()
}

fn stamp_rounded(frame: &mut Frame, rect: Rect, radius: f32, colour: [u8; 3], alpha: u8) {
    let (width, height) = (rect.width() as f32, rect.height() as f32);
    let mut pixmap = Pixmap::new(rect.width() as u32, rect.height() as u32).expect("rectangles have a size");
    let mut paint = Paint::default();
    paint.set_color(Color::from_rgba8(255, 255, 255, alpha));
    paint.anti_alias = true;
    if let Some(path) = rounded_path(width, height, radius) {
        pixmap.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
    }
    stamp(frame, &pixmap, rect.origin(), Some(colour));
}
