//! Arranges scenes of protocol `windesk`: one at a time, as pairs of a sweep, or as twins of several sessions.

mod company;
mod occlude;
mod paired;
mod place;
mod places;
mod session_twins;
mod slide;
mod theme;

use windesk_model::condition::Protocol;

use super::scene::{RuledScene, Rules, Scene};

pub(super) use company::{Company, may_show_both, usual_share};
pub(super) use paired::arrange as arrange_paired;
pub(super) use place::{TURNS, arrange, can_bring_parent, drawn_layout, region_of};
pub(super) use places::pick_origin;
pub(super) use session_twins::{arrange as arrange_twins, check as check_sessions, sessions};

/// The rules of protocol `windesk`. Only the arrangers of this module can state them.
pub(super) struct Windesk(());

impl Rules for Windesk {
    const PROTOCOL: Protocol = Protocol::Windesk;
}

/// A scene that an arranger of this module is done with.
fn ruled(scene: Scene) -> RuledScene<Windesk> {
    RuledScene::new(scene, Windesk(()))
}
