//! Arranges the scenes of a sweep over sessions together: each shows the twins of one and the same windows, in one
//! order. Twins differ in size and so do the work areas of shells: every window lies about the centre of the window
//! that it stands for, as near as its own work area allows, and an arrangement counts only if every scene bears it.

use windesk_model::Error;
use windesk_model::condition::Condition;
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::{SessionIndex, TargetIndex, WindowIndex};
use windesk_model::key::{Decision, SampleKey};
use windesk_model::plan::{Layout, Reason, Role};
use windesk_model::plural::counted;

use super::paired::centred;
use super::place::{ABOVE_VISIBLE_PER_MILLE, Candidates, background_layers, background_tries, place_target, region_of};
use super::places::{Wanted, places};
use super::{Windesk, ruled};
use crate::pack::{IndexedPack, Window};
use crate::planner::scene::{Layer, RuledScene, Scene, drawn_count};
use crate::planner::turns::Picked;
use crate::planner::{PairedError, PlanError};

/// The sessions whose twins the conditions show, in their order; nothing for conditions that show what they draw.
pub(in crate::planner) fn sessions(pack: &IndexedPack, conditions: &[Condition]) -> Option<Vec<SessionIndex>> {
    let session = |c: &Condition| c.as_session.as_deref().and_then(|id| pack.session_index(id));
    conditions.iter().map(session).collect()
}

/// Refuses sessions that have too few programs in common.
///
/// # Errors
/// If fewer programs than a scene has windows have a window in each of them.
pub(in crate::planner) fn check(pack: &IndexedPack, conditions: &[Condition], sessions: &[SessionIndex]) -> Result<(), Error> {
    let programs_in = |sessions: &[SessionIndex]| {
        let first = sessions[0];
        let has_one = |windows: &[WindowIndex]| {
            windows.iter().any(|&w| pack.windows[w].session == first && pack.floats_in_all(w, sessions))
        };
        pack.programs.iter().filter(|program| has_one(&program.windows)).count()
    };
    let common = programs_in(sessions);
    let wanted = conditions.iter().map(|c| c.windows[1]).max().unwrap_or(0);
    if common >= wanted as usize {
        return Ok(());
    }
    let each = sessions.iter().map(|&session| format!("{} {}", pack.sessions[session].id, programs_in(&[session])));
    let each = each.collect::<Vec<_>>().join(", ");
    let found = format!("{} with a window in each of the sessions ({each})", counted(common, "program"));
    Err(Error::config(format!("pack `{}`", pack.header.name), format!("{found}, expected at least {wanted}"))
        .with_hint("fewer windows (option `set` windows=2), or a sweep file of your own with fewer sessions"))
}

/// Arranges one draw's scenes, in the order of the conditions, with the target of each.
pub(in crate::planner) fn arrange<'a>(
    pack: &'a IndexedPack,
    conditions: &'a [Condition],
    sessions: &[SessionIndex],
    key: SampleKey,
    picked: &Picked,
) -> Result<(Vec<RuledScene<'a, Windesk>>, Vec<TargetIndex>), PairedError> {
    let mut targets = Vec::with_capacity(sessions.len());
    for (at, &session) in sessions.iter().enumerate() {
        let twin = pack.target_in(picked.target, session);
        targets.push(twin.ok_or_else(|| PairedError::of(at, Reason::TargetUnplaceable))?);
    }
    let scene = |(condition, &target): (&'a Condition, &TargetIndex)| {
        let picked = Picked { target, ..picked.clone() };
        Scene::new(pack, condition, Layout::Free, &picked).with_twins_in(sessions.to_vec())
    };
    let scenes = conditions.iter().zip(&targets).map(scene).collect();
    let count = drawn_count(&conditions[0], key);
    let mut twins = Twins { pack, key, sessions, targets, scenes };
    twins.place_target()?;
    twins.place_background(count)?;
    Ok((twins.scenes.into_iter().map(ruled).collect(), twins.targets))
}

/// Scenes on their way, one per session.
struct Twins<'a, 's> {
    pack: &'a IndexedPack,
    key: SampleKey,
    sessions: &'s [SessionIndex],
    targets: Vec<TargetIndex>,
    scenes: Vec<Scene<'a>>,
}

impl Twins<'_, '_> {
    fn place_target(&mut self) -> Result<(), PairedError> {
        place_target(&mut self.scenes[0], self.key, self.targets[0], true).map_err(|error| PairedError::of(0, error))?;
        let position = self.scenes[0].position(Role::Target).expect("placed just now");
        let centre = self.scenes[0].frame(position).centre();
        for at in 1..self.scenes.len() {
            let window = self.pack.index().targets[self.targets[at]].window;
            let origin = self.about(at, window, centre).ok_or_else(|| PairedError::of(at, Reason::TargetUnplaceable))?;
            self.scenes[at].add(window, Role::Target, Layer::Target, origin).map_err(|error| PairedError::of(at, error))?;
        }
        Ok(())
    }

    /// Where a window's picture goes in a scene so that the frame's centre is nearest to `centre`; nothing if it is
    /// larger than the work area.
    fn about(&self, scene: usize, window: WindowIndex, centre: Point) -> Option<Point> {
        let record = &self.pack.windows[window];
        centred(self.scenes[scene].work(), record.extent(), record.frame, centre)
    }

    /// The target's box on the screen of a scene.
    fn target_box(&self, scene: usize) -> Rect {
        let position = self.scenes[scene].position(Role::Target).expect("placed first");
        self.scenes[scene].bbox(position, self.pack.index().targets[self.targets[scene]].element)
    }

    fn place_background(&mut self, count: usize) -> Result<(), PairedError> {
        let candidates = Candidates::new(&self.scenes[0], self.key, self.targets[0]);
        for unlikely in [false, true] {
            for &program in &candidates.programs {
                let first = &self.scenes[0];
                if first.windows.len() < count
                    && !first.has_program(program)
                    && candidates.is_unlikely(first, program) == unlikely
                    && let Some(window) = candidates.best(first, program, Window::is_plain)
                {
                    self.place_window(window)?;
                }
            }
        }
        if self.scenes[0].windows.len() < count {
            return Err(PairedError::of(0, Reason::WindowsUnplaceable));
        }
        Ok(())
    }

    /// Puts a window and its twins into the scenes; into none if one of them does not bear it anywhere.
    fn place_window(&mut self, window: WindowIndex) -> Result<(), PairedError> {
        let record = &self.pack.windows[window];
        let twins = self.sessions.iter().map(|&session| self.pack.twin_in(window, session)).collect::<Option<Vec<_>>>();
        let twins = twins.expect("only such windows are admitted");
        let first = &self.scenes[0];
        let region = region_of(first.condition, self.pack.programs[record.program].record.category);
        let above = self.key.stream(Decision::ZOrder, record.stable_id).chance(ABOVE_VISIBLE_PER_MILLE);
        let mut stream = self.key.stream(Decision::BackgroundPlace, record.stable_id);
        let wanted = Wanted { ground: self.scenes[0].work(), tries: &background_tries(region) };
        for origin in places(&self.scenes[0], &mut stream, window, &wanted) {
            let centre = record.frame.moved(origin).centre();
            let origins = twins.iter().enumerate().map(|(at, &twin)| self.about(at, twin, centre)).collect::<Option<Vec<_>>>();
            let Some(origins) = origins else { return Ok(()) };
            let frame = |at: usize| self.pack.windows[twins[at]].frame.moved(origins[at]);
            if (0..twins.len()).any(|at| self.scenes[at].shares_corner(frame(at))) {
                continue;
            }
            let is_clear = (0..twins.len()).all(|at| !frame(at).touches(self.target_box(at)));
            for &layer in background_layers(above && is_clear) {
                for (at, scene) in self.scenes.iter_mut().enumerate() {
                    let added = scene.add(twins[at], Role::Background, layer, origins[at]);
                    added.map_err(|error| PairedError::of(at, PlanError::from(error)))?;
                }
                if self.scenes.iter().all(|scene| scene.all_can_be_seen() && scene.hidden_part().is_none()) {
                    return Ok(());
                }
                self.scenes.iter_mut().for_each(|scene| scene.remove_last(layer));
            }
        }
        Ok(())
    }
}
