//! Fidelity: real desktops, rebuilt from separate captures of their windows and compared pixel by pixel
//! (`docs/fidelity.md`).
//!
//! ```text
//! desktops/<name>.json ─┐
//! pack/ ────────────────┼─ rebuild (the renderer of scenes) ─▶ Frame ──┐
//! desktops/<name>.png ──┴──────────────────────────────────────────────┴─ compare ─▶ DesktopReport
//! desktops/<name>.owners.png: which window owned each pixel ─────────────▶ recount of boxes and visible ratios
//! ```
//!
//! Nothing here draws random numbers or decides anything about a scene. The counts on the real picture share no code
//! with the engine's.

mod elements;
mod pixels;
mod real;
mod regions;

use serde::Serialize;

use windesk_engine::pack::Pack;
use windesk_engine::render::{Frame, Renderer};
use windesk_model::Error;
use windesk_model::geometry::{Rect, Size};

pub use elements::{BoxReport, VisibilityReport};
pub use pixels::{PixelReport, compare_pixels};
pub use real::{RealDesktop, RealElement, RealWindow, desktop_names, read_desktop};
pub use regions::{Region, crop_pair, regions};

/// Least structural similarity outside of what moved.
pub const GOAL_SSIM: f64 = 0.995;
/// Largest difference of a visible ratio.
pub const GOAL_RATIO: f64 = 0.01;
/// Regions of difference that a report names.
const REGIONS: usize = 8;

/// How a rebuilt desktop differs from the real one.
#[derive(Clone, Debug, Serialize)]
pub struct DesktopReport {
    /// Its name.
    pub name: String,
    /// Windows on it.
    pub windows: usize,
    /// Size of the screen.
    pub canvas: Size,
    /// Whether every pixel counts; if not, those in this box moved while the picture was taken.
    pub moving: Option<Rect>,
    /// Pixels.
    pub pixels: PixelReport,
    /// Boxes of elements.
    pub boxes: BoxReport,
    /// Visible ratios of elements that something covers in part.
    pub visibility: VisibilityReport,
    /// Where most of the difference lies, largest first.
    pub regions: Vec<Region>,
}

impl DesktopReport {
    /// What falls short of the goals, a line each.
    pub fn misses(&self) -> Vec<String> {
        let mut misses = Vec::new();
        if self.pixels.ssim < GOAL_SSIM {
            misses.push(format!("SSIM {:.4}, expected at least {GOAL_SSIM}", self.pixels.ssim));
        }
        if self.boxes.equal < self.boxes.compared {
            misses.push(format!("{} of {} boxes differ", self.boxes.compared - self.boxes.equal, self.boxes.compared));
        }
        if self.visibility.largest_difference > GOAL_RATIO {
            misses.push(format!("a visible ratio is off by {:.3}", self.visibility.largest_difference));
        }
        misses
    }
}

/// Rebuilds a real desktop with the renderer of scenes.
///
/// # Errors
/// If the pack lacks the wallpaper or a window, or a picture can't be read.
pub fn rebuild(pack: &Pack, renderer: &Renderer, real: &RealDesktop) -> Result<Frame, Error> {
    renderer.windows_over_wallpaper(&real.wallpaper, real.canvas, &real.placements(pack)?)
}

/// Compares a rebuilt desktop with the real one.
///
/// # Errors
/// If the pack lacks a window, or a picture can't be read.
pub fn compare(pack: &Pack, real: &RealDesktop, made: &Frame) -> Result<DesktopReport, Error> {
    let (boxes, visibility) = elements::compare(pack, real)?;
    Ok(DesktopReport {
        name: real.name.clone(),
        windows: real.windows.len(),
        canvas: real.canvas,
        moving: real.moving,
        pixels: compare_pixels(&real.picture, made, real.moving),
        boxes,
        visibility,
        regions: regions(&real.picture, made, real.moving, REGIONS),
    })
}
