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
    let shown = windesk_engine::pack::resolve(pack, plan)?;
    let windows = plan.placements.iter_enumerated().map(|(at, placement)| DesktopWindow {
        id: WindowId(at.0 as u32),
        capture: placement.window.clone(),
        page_state: placement.state.clone().unwrap_or_default(),
        origin: placement.origin - shown[at].at(),
        parent: placement.parent.map(|parent| WindowId(parent.0 as u32)),
        minimised: false,
        snap: shown[at].snap,
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
    ///
    /// # Errors
    /// If nobody knows what one of them looks like.
    pub fn placements(&self, pack: &Pack) -> Result<TiVec<PlacementIndex, Placement>, Error> {
        let shown = self.shown().map(|window| {
            Ok(Placement {
                window: window.capture.clone(),
                role: window.role,
                // A picture begins earlier where an open list reaches beyond it.
                origin: window.origin + window.shown(pack)?.at(),
                active: self.active == Some(window.id),
                parent: window.parent.and_then(|parent| self.placement_of(parent)),
                state: Some(window.page_state.clone()).filter(|state| !state.is_captured()),
            })
        });
        shown.collect()
    }

    /// Which placement shows a window; none if it is put away.
    pub fn placement_of(&self, id: WindowId) -> Option<PlacementIndex> {
        self.shown().position(|w| w.id == id).map(PlacementIndex)
    }
}
