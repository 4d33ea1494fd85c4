//! Paints shells and desktop icons into the boxes that [`windesk_model::desktop`] gives them.

mod brush;
mod icons;
mod panel;
mod taskbar;
mod top_bar;

use std::convert::Infallible;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use quick_cache::unsync::Cache;

use windesk_model::Error;
use windesk_model::desktop::{Chrome, DesktopElement, Part};
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::pack_format::ShellKind;
use windesk_model::plan::Plan;

use super::composite::{BarLook, Drawn, Painting, Picture, Surface};
use super::text::Style;
use super::{Frame, Renderer};
use brush::{Stencil, centred};

pub(crate) use brush::{fill_panel, rounded_path};
pub(crate) use icons::where_they_touch;

/// What is painted again and again.
pub(super) struct Stencils(Mutex<Cache<StencilKey, Arc<Stencil>>>);

/// What a stencil shows.
#[derive(Clone, PartialEq, Eq, Hash)]
enum StencilKey {
    /// An icon of the pack in a square with this side, px.
    Icon(String, u32),
    /// A rectangle with round corners: its size, the bits of the radius, alpha.
    Rounded(Size, u32, u8),
}

/// Stencils kept: more than the icons of a pack that stand on a desktop.
const MAX_STENCILS: usize = 2048;

impl Default for Stencils {
    fn default() -> Self {
        Self(Mutex::new(Cache::new(MAX_STENCILS)))
    }
}

impl Stencils {
    fn get<E>(&self, key: StencilKey, paint: impl FnOnce() -> Result<Stencil, E>) -> Result<Arc<Stencil>, E> {
        let mut kept = self.0.lock().expect("no panic while held");
        if let Some(found) = kept.get(&key) {
            return Ok(Arc::clone(found));
        }
        let stencil = Arc::new(paint()?);
        kept.insert(key, Arc::clone(&stencil));
        Ok(stencil)
    }
}

/// Text on a bar.
#[derive(Clone, Copy)]
struct Ink {
    size_px: u32,
    weight: u16,
    colour: [u8; 3],
}

impl Renderer<'_> {
    /// Adds surfaces with bars and dock, above all others. A dock is translucent; nothing but the wallpaper lies under
    /// it. What stands beside a bar's programs has surfaces of its own: it stays while they change.
    pub(super) fn add_bars<'a>(&'a self, plan: &'a Plan, surfaces: &mut Vec<Surface<'a>>) -> Result<(), Error> {
        let elements = Rc::new(plan.chrome.taskbar_elements(plan.canvas));
        for bar in plan.chrome.bars(plan.canvas).filter_map(|bar| bar.intersection(plan.canvas.rect())) {
            let is_dock = plan.chrome.dock_place(plan.canvas) == Some(bar);
            let ground = is_dock.then(|| self.wallpaper_pixels(&plan.wallpaper, plan.canvas)).transpose()?;
            for part in parts_of_bar(bar, &elements) {
                let (ground, elements) = (ground.clone(), Rc::clone(&elements));
                let Chrome { shell, font, dark, time, date, .. } = &plan.chrome;
                let drawn = Drawn {
                    ground: is_dock.then_some((&*plan.wallpaper, plan.canvas)),
                    bar: Some(BarLook { shell: *shell, font, dark: *dark, clock: [time, date] }),
                    parts: elements.iter().filter(|e| e.bbox.touches(part)).map(|e| (e.bbox, e.part)).collect(),
                };
                let painting = Painting::new(part.size(), drawn, move || {
                    let mut frame = match &ground {
                        Some(wallpaper) => Frame { size: part.size(), rgb: wallpaper.rgb_in(part)? },
                        None => Frame::black(part.size()),
                    };
                    self.paint_elements(&plan.chrome, &elements, part.origin(), &mut frame)?;
                    Ok(frame)
                });
                surfaces.push(Surface { picture: Picture::Painted(painting), origin: part.origin() });
            }
        }
        Ok(())
    }

    /// Bars and dock, or what of them lies in the frame. `origin` is the place of the frame's top left on the screen.
    pub(crate) fn paint_shell(&self, chrome: &Chrome, canvas: Size, origin: Point, frame: &mut Frame) -> Result<(), Error> {
        self.paint_elements(chrome, &chrome.taskbar_elements(canvas), origin, frame)
    }

    fn paint_elements(
        &self,
        chrome: &Chrome,
        elements: &[DesktopElement],
        origin: Point,
        frame: &mut Frame,
    ) -> Result<(), Error> {
        for &DesktopElement { bbox, part, .. } in elements {
            let bbox = bbox.moved(Point { x: -origin.x, y: -origin.y });
            if !bbox.touches(frame.size.rect()) {
                continue;
            }
            match chrome.shell {
                ShellKind::Taskbar => self.paint_on_taskbar(chrome, part, bbox, frame)?,
                ShellKind::TopBarAndDock => self.paint_on_top_bar(chrome, part, bbox, frame)?,
                ShellKind::Panel => self.paint_on_panel(chrome, part, bbox, frame)?,
            }
        }
        Ok(())
    }

    /// Prepares an icon for all places where it can stand on a desktop; says whether it is kept in files now.
    ///
    /// # Errors
    /// If the pack has no such icon, or it can't be read.
    pub fn prepare_icon(&self, id: &str) -> Result<bool, Error> {
        let sides = [
            icons::DESKTOP_ICON_PX,
            panel::ICON_PX,
            panel::SYMBOL_PX,
            taskbar::ICON_PX,
            taskbar::SYMBOL_PX,
            top_bar::ICON_PX,
            top_bar::SYMBOL_PX,
            top_bar::APPS_PX,
        ];
        sides.iter().try_fold(true, |all, &side_px| Ok(self.pack.prepare_icon(id, side_px)? && all))
    }

    /// The icon in a square of `side_px`.
    fn icon(&self, id: &str, side_px: u32) -> Result<Arc<Stencil>, Error> {
        let paint = || self.pack.icon_rgba(id, side_px).map(|rgba| Stencil::of(side_px, &rgba));
        self.stencils.get(StencilKey::Icon(id.to_owned(), side_px), paint)
    }

    /// An icon in the middle of a box; with a tint only its coverage is used.
    fn paint_icon(&self, id: &str, side_px: u32, bbox: Rect, tint: Option<[u8; 3]>, frame: &mut Frame) -> Result<(), Error> {
        self.icon(id, side_px)?.stamp(frame, centred(bbox, side_px), tint);
        Ok(())
    }

    /// A rectangle with round corners, laid over the frame with an opacity of `alpha` in 255.
    fn stamp_rounded(&self, frame: &mut Frame, rect: Rect, radius: f32, colour: [u8; 3], alpha: u8) {
        let key = StencilKey::Rounded(rect.size(), radius.to_bits(), alpha);
        let Ok(stencil) = self.stencils.get(key, || Ok::<_, Infallible>(Stencil::rounded(rect.size(), radius, alpha)));
        stencil.stamp(frame, rect.origin(), Some(colour));
    }

    fn fill_rounded(&self, frame: &mut Frame, rect: Rect, radius: f32, colour: [u8; 3]) {
        self.stamp_rounded(frame, rect, radius, colour, 255);
    }

    /// A line of text across the middle of a box, in the font of the shell.
    fn paint_line(&self, chrome: &Chrome, text: &str, ink: Ink, bbox: Rect, frame: &mut Frame) -> Result<(), Error> {
        let Ink { size_px, weight, colour } = ink;
        let style = Style { size_px, weight, width_px: bbox.width() as u32, lines: 1, centred: true };
        let caption = self.text.lock().expect("no panic while held").caption_in(&chrome.font, text, style)?;
        // Capitals and digits stand in the middle: three quarters of a size high, on a line that begins 1/8 above them.
        let capitals = size_px as i32 * 3 / 4;
        let y = bbox.y0() + (bbox.height() - capitals) / 2 - size_px as i32 / 4;
        caption.paint(frame, Point { x: bbox.x0(), y }, colour, 255);
        Ok(())
    }
}

/// A bar cut beside the programs that stand on it. Whatever it is cut into, painting the parts gives the whole.
fn parts_of_bar(bar: Rect, elements: &[DesktopElement]) -> impl Iterator<Item = Rect> {
    let programs = elements.iter().filter(|e| matches!(e.part, Part::Item(_)) && e.bbox.touches(bar)).map(|e| e.bbox);
    let programs = programs.reduce(Rect::union).and_then(|programs| programs.intersection(bar)).unwrap_or(bar);
    let columns = [bar.x0(), programs.x0(), programs.x1(), bar.x1()];
    let parts = columns.into_iter().zip(columns.into_iter().skip(1));
    let of_columns = move |(x0, x1): (i32, i32)| Rect::at(x0, bar.y0(), x1 - x0, bar.height());
    parts.filter(|(x0, x1)| x0 < x1).map(of_columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_bar_lie_side_by_side_and_are_all_of_it() {
        let bar = Rect::at(0, 1032, 1920, 48);
        let clock = |x: i32| DesktopElement {
            id: String::new(),
            role: "push button",
            name: String::new(),
            bbox: Rect::at(x, 1032, 40, 48),
            part: Part::Clock,
        };
        let item = windesk_model::desktop::TaskbarItem {
            name: "Files".to_owned(),
            icon: "files".to_owned(),
            windows: 1,
            minimised: 0,
            active: true,
        };
        let program = |x: i32| DesktopElement { part: Part::Item(&item), ..clock(x) };
        let columns = |elements: &[DesktopElement]| -> Vec<_> {
            parts_of_bar(bar, elements)
                .inspect(|part| assert_eq!((part.y0(), part.height()), (1032, 48)))
                .map(|p| (p.x0(), p.x1()))
                .collect()
        };
        assert_eq!(columns(&[clock(1800)]), [(0, 1920)]);
        assert_eq!(columns(&[program(60), program(108), clock(1800)]), [(0, 60), (60, 148), (148, 1920)]);
        assert_eq!(columns(&[program(0), program(1900)]), [(0, 1920)]);
    }
}
