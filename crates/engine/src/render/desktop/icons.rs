//! Paints icons on the desktop and their captions.

use std::sync::Arc;

use windesk_model::Error;
use windesk_model::desktop::{DesktopIcon, Part};
use windesk_model::geometry::{Point, Rect};
use windesk_model::plan::Plan;

use crate::render::composite::{Drawn, Painting, Picture, Surface};
use crate::render::text::{Caption, Style};
use crate::render::{Frame, Renderer};

/// Side of a desktop icon, px.
pub(super) const DESKTOP_ICON_PX: u32 = 48;
/// Colour of captions on the light ground of a panel of icons.
const INK: [u8; 3] = [27, 27, 31];

/// Offsets and strengths of the dark copies that lie under a caption: a halo keeps white captions readable on bright
/// wallpapers, as desktops do.
const HALO: [(i32, i32, u8); 6] = [(0, 1, 150), (1, 1, 110), (-1, 1, 60), (0, 2, 60), (1, 0, 50), (-1, 0, 50)];

/// A desktop icon with its caption, ready to be drawn.
struct PlacedIcon<'a> {
    icon: &'a DesktopIcon,
    /// Its place, with the caption's.
    bbox: Rect,
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
        let extent = caption.bbox_with_halo(caption_at).map_or(square, |letters| letters.union(square));
        Ok(Self { icon, bbox, at, extent, caption, caption_at })
    }

    /// Draws it on a frame whose top left lies here on the screen.
    fn paint(&self, renderer: &Renderer, origin: Point, frame: &mut Frame) -> Result<(), Error> {
        renderer.icon(&self.icon.icon, DESKTOP_ICON_PX)?.stamp(frame, self.at - origin, None);
        renderer.paint_icon_caption(&self.caption, self.caption_at - origin, frame);
        Ok(())
    }
}

/// Things that are painted one after the other, each with its box. Those whose boxes touch are painted together, in one
/// box around them all.
pub(crate) fn where_they_touch<T>(things: impl IntoIterator<Item = (Rect, T)>) -> Vec<(Rect, Vec<T>)> {
    let mut groups: Vec<(Rect, Vec<T>)> = Vec::new();
    for (mut extent, thing) in things {
        let mut group = vec![thing];
        while let Some(at) = groups.iter().position(|(other, _)| other.touches(extent)) {
            let (other, mut before) = groups.remove(at);
            extent = extent.union(other);
            before.append(&mut group);
            group = before;
        }
        groups.push((extent, group));
    }
    groups
}

impl Caption {
    /// Box of the caption with its halo when its top left is at `at`; null if it shows nothing.
    pub(crate) fn bbox_with_halo(&self, at: Point) -> Option<Rect> {
        let letters = self.bbox(at)?;
        Some(HALO.iter().map(|&(x, y, _)| letters.moved(Point { x, y })).fold(letters, Rect::union))
    }
}

impl Renderer<'_> {
    /// Adds surfaces with the icons and captions on the wallpaper, which is the only surface so far.
    pub(in crate::render) fn add_desktop_icons<'a>(
        &'a self,
        plan: &'a Plan,
        surfaces: &mut Vec<Surface<'a>>,
    ) -> Result<(), Error> {
        let drawn = plan.chrome.desktop_elements(plan.canvas).into_iter().filter_map(|element| match element.part {
            Part::Icon(icon) => Some(PlacedIcon::new(self, icon, element.bbox)),
            _ => None,
        });
        let placed = drawn.map(|icon| icon.map(|icon| (icon.extent, icon))).collect::<Result<Vec<_>, _>>()?;
        let wallpaper = self.wallpaper_pixels(&plan.wallpaper, plan.canvas)?;
        for (extent, icons) in where_they_touch(placed) {
            let Some(rect) = extent.intersection(plan.canvas.rect()) else { continue };
            let wallpaper = Arc::clone(&wallpaper);
            let drawn = Drawn {
                ground: Some((&plan.wallpaper, plan.canvas)),
                bar: None,
                parts: icons.iter().map(|placed| (placed.bbox, Part::Icon(placed.icon))).collect(),
            };
            let painting = Painting::new(rect.size(), drawn, move || {
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
        caption.paint(frame, at, INK, 255);
    }
}
