//! Between desktops and plans: a plan shows a desktop, and a desktop begins as a plan.

use typed_index_collections::TiVec;

use windesk_engine::pack::Pack;
use windesk_model::Error;
use windesk_model::index::PlacementIndex;
use windesk_model::plan::{Placement, Plan};

use crate::state::{DesktopState, DesktopWindow, WindowId};

/// The desktop that a plan shows.
///
/// # Errors
/// If the plan names what the pack does not have.
pub fn of_plan(pack: &Pack, plan: &Plan) -> Result<DesktopState, Error> {
    let captures = windesk_engine::pack::resolve(pack, plan)?;
    let windows = plan.placements.iter_enumerated().map(|(at, placement)| DesktopWindow {
        id: WindowId(at.0 as u32),
        capture: placement.window.clone(),
        origin: placement.origin,
        parent: placement.parent.map(|parent| WindowId(parent.0 as u32)),
        minimised: false,
        snap: captures[at].snap,
        former: None,
        role: placement.role,
        behind_menu: None,
    });
    let active = plan.placements.iter_enumerated().find(|(_, p)| p.active).map(|(at, _)| WindowId(at.0 as u32));
    Ok(DesktopState {
        canvas: plan.canvas,
        session: plan.session.clone(),
        wallpaper: plan.wallpaper.clone(),
        chrome: plan.chrome.clone(),
        windows: windows.collect(),
        active,
        pointer: plan.pointer.clone(),
        next_id: plan.placements.len() as u32,
    })
}

impl DesktopState {
    /// The windows that show as placements, bottom to top.
    pub fn placements(&self) -> TiVec<PlacementIndex, Placement> {
        let shown = self.shown().map(|window| Placement {
            window: window.capture.clone(),
            role: window.role,
            origin: window.origin,
            active: self.active == Some(window.id),
            parent: window.parent.and_then(|parent| self.placement_of(parent)),
            state: None,
        });
        shown.collect()
    }

    /// Which placement shows a window; none if it is put away.
    pub fn placement_of(&self, id: WindowId) -> Option<PlacementIndex> {
        self.shown().position(|w| w.id == id).map(PlacementIndex)
    }
}
