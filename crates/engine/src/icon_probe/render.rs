//! From a probe's plan to pixels. No decisions, no random numbers; whatever is drawn was planned.

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};

use super::assets::ProbeAssets;
use super::contrast::faded;
use super::design::CAPTION_WIDTH_PX;
use super::plan::{PlannedIcon, ProbePlan};
use super::raster::footprint_px;
use crate::render::Frame;

/// Distance of a caption from the square above it, px.
const CAPTION_GAP_PX: i32 = 5;

/// Renders a probe.
///
/// # Errors
/// If the plan names what the assets do not have.
pub fn render_probe(assets: &ProbeAssets, plan: &ProbePlan) -> Result<Frame, Error> {
    let ground = assets.ground(&plan.wallpaper, plan.canvas, plan.panel)?;
    let mut frame = (*ground.frame).clone();
    for planned in &plan.icons {
        let sprite = assets.rasteriser.sprite(&assets.set, plan.find(assets, planned)?, planned.look());
        let origin = planned.origin();
        for (at, &[r, g, b, alpha]) in sprite.rgba.iter().enumerate().filter(|(_, p)| p[3] > 0) {
            let (x, y) = (origin.x + at as i32 % sprite.side, origin.y + at as i32 / sprite.side);
            frame.blend(x, y, [r, g, b], faded(alpha, planned.opacity_percent));
        }
        if let Some(text) = &planned.caption {
            let (at, caption) = assets.renderer.icon_caption(text, caption_box(planned))?;
            match plan.panel {
                Some(_) => assets.renderer.paint_panel_caption(&caption, at, &mut frame),
                None => assets.renderer.paint_icon_caption(&caption, at, &mut frame),
            }
        }
    }
    assets.renderer.paint_shell(&plan.chrome, plan.canvas, Point { x: 0, y: 0 }, &mut frame)?;
    Ok(frame)
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
