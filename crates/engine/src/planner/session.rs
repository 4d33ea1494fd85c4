//! Which sessions bear the scenes of a condition: those with programs of enough purposes.

use std::collections::BTreeSet;
use std::fmt;

use typed_index_collections::{TiSlice, TiVec};

use windesk_model::Error;
use windesk_model::condition::{Condition, Protocol, SessionsKnob};
use windesk_model::index::{SessionIndex, WindowIndex};
use windesk_model::pack_format::WindowKind;
use windesk_model::plural::counted;
use windesk_model::spelling::nearest;

use super::windesk;
use crate::pack::IndexedPack;

/// A session with too few programs of different purposes for a condition: no scene of the condition shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The session by id.
    pub session: String,
    /// The condition by name.
    pub condition: String,
    /// Different purposes of its programs with a window that may make up the number.
    pub purposes: usize,
    /// How many they should be: twice the windows that the condition may want; as many if it names sessions, or no
    /// session has twice as many.
    pub expected: u32,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { session, condition, purposes, expected } = self;
        let programs = counted(*purposes, "program");
        write!(
            f,
            "condition {condition}: no scenes of session {session}: {programs} for different purposes, expected at least {expected}"
        )
    }
}

/// Which sessions all of the conditions can show, and those that have too few programs for one of them.
///
/// A pack of one session bears what it can: [`super::shortage`] tells when that is nothing.
///
/// # Errors
/// If a condition names a session that is not in the pack, or no session bears it.
pub(super) fn bearing(pack: &IndexedPack, conditions: &[Condition]) -> Result<(TiVec<SessionIndex, bool>, Vec<LeftOut>), Error> {
    check_names(pack, conditions)?;
    if let Some(sessions) = windesk::sessions(pack, conditions) {
        windesk::check_sessions(pack, conditions, &sessions)?;
        // Scenes are arranged in the first one; the others show twins.
        return Ok((pack.sessions.keys().map(|at| at == sessions[0]).collect(), Vec::new()));
    }
    // Scenes of a session with few programs all show the same company: such sessions come where there are no others,
    // and who names sessions gets them.
    let purposes = purposes(pack);
    let mut left_out = Vec::new();
    for times in [2, 1] {
        let bearing;
        (bearing, left_out) = bearing_windows(pack, conditions, &purposes, times);
        if bearing.contains(&true) {
            return Ok((bearing, left_out));
        }
    }
    let reasons: Vec<String> = left_out.iter().map(ToString::to_string).collect();
    if reasons.is_empty() {
        let problem = "conditions that share their targets name different sessions, expected one that all name";
        return Err(Error::config(format!("pack `{}`", pack.header.name), problem));
    }
    Err(Error::config(format!("pack `{}`", pack.header.name), reasons.join("; "))
        .with_hint("fewer windows (option `set` windows=2..4), or windows of any session (option `sessions` mixed)"))
}

/// Which sessions have programs of so many times as many purposes as each condition wants windows; where a condition
/// names sessions, once is enough.
fn bearing_windows(
    pack: &IndexedPack,
    conditions: &[Condition],
    purposes: &TiSlice<SessionIndex, BTreeSet<&str>>,
    times: u32,
) -> (TiVec<SessionIndex, bool>, Vec<LeftOut>) {
    let mut bearing: TiVec<SessionIndex, bool> = vec![true; pack.sessions.len()].into();
    let mut left_out = Vec::new();
    if pack.sessions.len() > 1 {
        for condition in conditions.iter().filter(|c| c.protocol == Protocol::Windesk && c.sessions == SessionsKnob::One) {
            let names = &condition.filters.sessions;
            let expected = condition.windows[1] * if names.is_empty() { times } else { 1 };
            for (at, session) in pack.sessions.iter_enumerated() {
                let named = names.is_empty() || names.contains(&session.id);
                let purposes = purposes[at].len();
                bearing[at] &= named && purposes >= expected as usize;
                if named && purposes < expected as usize {
                    left_out.push(LeftOut { session: session.id.clone(), condition: condition.name.clone(), purposes, expected });
                }
            }
        }
    }
    (bearing, left_out)
}

/// Whether a window may make up the number in scenes of its session.
pub(super) fn fills_up(pack: &IndexedPack, window: WindowIndex) -> bool {
    let record = &pack.windows[window];
    record.kind != WindowKind::Dialog && record.is_plain() && record.is_of_desktop() && pack.fits_look(window)
}

/// What the program of a window is for. One without a purpose stands for itself.
pub(super) fn purpose_of(pack: &IndexedPack, window: WindowIndex) -> &str {
    let record = &pack.program_of(window).record;
    record.purpose.as_deref().unwrap_or(&record.id)
}

/// What programs of each session are for that have a window which may make up the number.
fn purposes(pack: &IndexedPack) -> TiVec<SessionIndex, BTreeSet<&str>> {
    let mut purposes: TiVec<SessionIndex, BTreeSet<&str>> = vec![BTreeSet::new(); pack.sessions.len()].into();
    for window in pack.windows.keys().filter(|&window| fills_up(pack, window)) {
        purposes[pack.windows[window].session].insert(purpose_of(pack, window));
    }
    purposes
}

fn check_names(pack: &IndexedPack, conditions: &[Condition]) -> Result<(), Error> {
    let known: Vec<&str> = pack.sessions.iter().map(|session| session.id.as_str()).collect();
    let named = conditions.iter().flat_map(|c| c.filters.sessions.iter().chain(&c.as_session).map(move |id| (c, id)));
    match { named }.find(|(_, id)| !known.contains(&id.as_str())) {
        None => Ok(()),
        Some((condition, id)) => {
            let problem = format!("no session `{id}` in the pack `{}`, expected one of {}", pack.header.name, known.join(", "));
            let error = Error::config(format!("condition {}", condition.name), problem);
            Err(match nearest(id, known) {
                Some(near) => error.with_hint(format!("did you mean `{near}`?")),
                None => error,
            })
        }
    }
}
