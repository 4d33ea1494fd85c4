//! Which programs come together by chance.

use windesk_model::condition::SessionsKnob;
use windesk_model::index::ProgramIndex;
use windesk_model::key::{Decision, SampleKey};

use crate::planner::scene::Scene;

/// Of 1000 scenes, so many may show games that nothing asks for.
const GAMES_PER_MILLE: u32 = 150;
/// The purpose of games.
const GAME: &str = "game";

/// Whether the scene may show games that nothing asks for.
pub(super) fn games_may_come(scene: &Scene, key: SampleKey) -> bool {
    scene.condition.sessions == SessionsKnob::Mixed || key.stream(Decision::Company, 0).chance(GAMES_PER_MILLE)
}

/// Whether a program is a game.
pub(super) fn is_game(scene: &Scene, program: ProgramIndex) -> bool {
    scene.pack.programs[program].record.purpose.as_deref() == Some(GAME)
}
