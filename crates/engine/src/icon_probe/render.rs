//! From a probe's plan to pixels. No decisions, no random numbers; whatever is drawn was planned.

use std::sync::Arc;

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};

use super::assets::ProbeAssets;
use super::contrast::faded;
use super::design::CAPTION_WIDTH_PX;
use super::plan::{PlannedIcon, ProbePlan};
use super::raster::{Sprite, footprint_px};
use crate::render::{Caption, Frame, Repainted, fill_panel, where_they_touch};

/// Distance of a caption from the square above it, px.
const CAPTION_GAP_PX: i32 = 5;

/// Renders a probe.
///
/// # Errors
/// If the plan names what the assets do not have.
pub fn render_probe(assets: &ProbeAssets, plan: &ProbePlan) -> Result<Frame, Error> {
    let mut frame = (*assets.renderer.wallpaper(&plan.wallpaper, plan.canvas)?).clone();
    repainted(assets, plan)?.iter().for_each(|part| part.put_on(&mut frame));
    Ok(frame)
}

/// The PNG file of a probe: where nothing was painted, the bits of the wallpaper are copied.
///
/// # Errors
/// Those of [`render_probe`].
pub fn encode_probe_png(assets: &ProbeAssets, plan: &ProbePlan) -> Result<Vec<u8>, Error> {
    assets.renderer.encode_png_over(&plan.wallpaper, plan.canvas, &repainted(assets, plan)?)
}

/// Something that a probe shows on its wallpaper.
enum Shown<'a> {
    Panel(Rect),
    Icon(&'a PlannedIcon, Arc<Sprite>),
    Caption(Point, Arc<Caption>),
    Shell,
}

/// All that a probe shows on its wallpaper, in the order in which it is painted, with the box of each.
fn shown<'a>(assets: &ProbeAssets, plan: &'a ProbePlan) -> Result<Vec<(Rect, Shown<'a>)>, Error> {
    let mut shown: Vec<_> = plan.panel.map(|panel| (panel, Shown::Panel(panel))).into_iter().collect();
    for planned in &plan.icons {
        let sprite = assets.rasteriser.sprite(&assets.set, plan.find(assets, planned)?, planned.look());
        if let Some(extent) = sprite.extent {
            shown.push((extent.moved(planned.origin()), Shown::Icon(planned, sprite)));
        }
        if let Some(text) = &planned.caption {
            let (at, caption) = assets.renderer.icon_caption(text, caption_box(planned))?;
            shown.extend(caption.bbox_with_halo(at).map(|bbox| (bbox, Shown::Caption(at, caption))));
        }
    }
    shown.extend(plan.chrome.bars(plan.canvas).map(|bar| (bar, Shown::Shell)));
    Ok(shown)
}

/// What of the wallpaper is painted over.
fn repainted(assets: &ProbeAssets, plan: &ProbePlan) -> Result<Vec<Repainted>, Error> {
    let wallpaper = assets.renderer.wallpaper(&plan.wallpaper, plan.canvas)?;
    let mut parts = Vec::new();
    for (rect, group) in where_they_touch(shown(assets, plan)?) {
        let Some(rect) = rect.intersection(plan.canvas.rect()) else { continue };
        let mut part = Repainted::new(&wallpaper, rect);
        for shown in group {
            paint(assets, plan, &shown, rect.origin(), &mut part.frame)?;
        }
        parts.push(part);
    }
    Ok(parts)
}

/// Paints on a frame whose top left lies here on the screen.
fn paint(assets: &ProbeAssets, plan: &ProbePlan, shown: &Shown, origin: Point, frame: &mut Frame) -> Result<(), Error> {
    match shown {
        Shown::Panel(panel) => fill_panel(frame, panel.moved(-origin)),
        Shown::Icon(planned, sprite) => {
            let at = planned.origin() - origin;
            for (y, row) in (at.y..).zip(sprite.rgba.chunks_exact(sprite.side as usize)) {
                for (x, &[r, g, b, alpha]) in (at.x..).zip(row).filter(|(_, pixel)| pixel[3] > 0) {
                    frame.blend(x, y, [r, g, b], faded(alpha, planned.opacity_percent));
                }
            }
        }
        Shown::Caption(at, caption) => match plan.panel {
            Some(_) => assets.renderer.paint_panel_caption(caption, *at - origin, frame),
            None => assets.renderer.paint_icon_caption(caption, *at - origin, frame),
        },
        Shown::Shell => assets.renderer.paint_shell(&plan.chrome, plan.canvas, origin, frame)?,
    }
    Ok(())
}

/// Where an icon's caption is set: under its square, over the width of its cell.
pub(super) fn caption_box(planned: &PlannedIcon) -> Rect {
    let side = footprint_px(planned.size_px, planned.turn_deg != 0) as i32;
    let width = side.max(CAPTION_WIDTH_PX);
    Rect::at(
        planned.middle.x - width / 2,
        planned.origin().y + side + CAPTION_GAP_PX,
        width,
        super::design::CAPTION_PX - CAPTION_GAP_PX,
    )
}
