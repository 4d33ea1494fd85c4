//! Scenes of one session: company, words and errors.

use std::collections::BTreeSet;

use windesk::engine::planner::TargetPool;
use windesk::engine::referee::verify;
use windesk::engine::study::Study;
use windesk::model::condition::{Condition, Pairing, SessionsKnob};
use windesk::model::plan::{Plan, Role};
use windesk::shipped::level;

use crate::command::{refused, windesk};
use crate::real_pack::pack;

fn plans(name: &str, sets: &[&str], count: u64) -> (Condition, Vec<Plan>) {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let condition = level(name, &sets).unwrap();
    let conditions = vec![condition.clone()];
    let pool = TargetPool::new(pack(), &conditions).unwrap();
    let study =
        Study { name: "sessions".to_owned(), sweep: None, pairing: Pairing::Targets, conditions, seed: 9, traverse: false };
    let planned = (0..count).filter_map(|index| study.outcome(pack(), &pool, index).unwrap().plans);
    (condition, planned.map(|mut plans| plans.remove(0)).collect())
}

/// The sessions whose windows a scene shows.
fn shown(plan: &Plan) -> BTreeSet<&str> {
    let window = |id: &str| &pack().windows[pack().window_index(id).unwrap()];
    plan.placements.iter().map(|p| pack().sessions[window(&p.window).session].id.as_str()).collect()
}

#[test]
fn windows_are_of_one_session_unless_mixed() {
    let (_, own) = plans("L4", &[], 20);
    assert!(
        own.len() == 20
            && own.iter().all(|plan| plan.session.is_some() && shown(plan) == plan.session.as_deref().into_iter().collect())
    );
    let sessions: BTreeSet<_> = own.iter().map(|plan| &plan.session).collect();
    assert!(sessions.len() > 3, "{sessions:?}");
    let (_, mixed) = plans("L4", &["sessions=mixed"], 10);
    assert!(mixed.iter().all(|plan| plan.session.is_none()) && mixed.iter().filter(|plan| shown(plan).len() > 1).count() > 7);
    let (_, chosen) = plans("L2", &["filters.sessions=[\"kde-dark\"]"], 5);
    assert!(chosen.iter().all(|plan| plan.session.as_deref() == Some("kde-dark")));
}

#[test]
fn dialogs_come_with_their_parents_and_distractors_are_none() {
    let (_, plans) = plans("L3", &[], 30);
    let dialog = |id: &str| {
        let window = &pack().windows[pack().window_index(id).unwrap()];
        window.parent.is_some()
    };
    let mut dialogs = 0;
    for placement in plans.iter().flat_map(|plan| &plan.placements).filter(|p| dialog(&p.window)) {
        assert!(placement.parent.is_some() || placement.role == Role::Parent, "{placement:?}");
        dialogs += 1;
    }
    assert!(dialogs > 5, "{dialogs}");
}

#[test]
fn windows_are_as_light_or_dark_as_their_session_and_its_clock_is_later() {
    let (_, plans) = plans("L4", &[], 30);
    for plan in &plans {
        let session = pack().sessions.iter().find(|s| Some(&s.id) == plan.session.as_ref()).unwrap().record.as_ref().unwrap();
        for placed in &plan.placements {
            let window = &pack().windows[pack().window_index(&placed.window).unwrap()];
            assert_eq!(window.dark, session.look.dark, "{}", window.id);
            assert!(window.newest_date < plan.chrome.clock, "{}", window.id);
        }
        assert!(plan.chrome.clock > Some(session.clock), "{:?}", plan.chrome.clock);
    }
    // The pack has programs that are dark in light sessions: no target and no similar element is theirs.
    let odd = pack().windows.keys().filter(|&window| !pack().fits_look(window)).count();
    assert!(odd > 10, "{odd}");
    let index = pack().index();
    for at in index.targets.keys() {
        let session = pack().windows[index.targets[at].window].session;
        for &similar in index.neighbours(at, SessionsKnob::One) {
            let window = index.targets[similar].window;
            assert!(pack().windows[window].session == session && pack().fits_look(window), "{}", pack().windows[window].id);
        }
    }
}

#[test]
fn the_referee_knows_windows_of_another_brightness() {
    let (condition, plans) = plans("L2", &["filters.sessions=[\"gnome-light\"]"], 8);
    let background = |plan: &Plan| plan.placements.iter().position(|p| p.role == Role::Background);
    let (at, mut plan) = plans.into_iter().find_map(|plan| Some((background(&plan)?, plan))).expect("a window in the background");
    plan.placements.raw[at].window = "inkscape/main".to_owned();
    let found = verify(pack(), &condition, &plan).unwrap();
    let wanted = "window `inkscape/main` is dark, expected light as its session";
    assert!(found.iter().any(|violation| violation.0 == wanted), "{found:?}");
    plan.chrome.clock = Some("2026-11-23T10:20".parse().unwrap());
    let found = verify(pack(), &condition, &plan).unwrap();
    assert!(found.iter().any(|v| v.0.contains("a window was captured at 2026-11-23T10:20")), "{found:?}");
}

#[test]
fn the_referee_knows_strangers() {
    let (condition, mut plans) = plans("L2", &["filters.sessions=[\"gnome-light\"]"], 1);
    let mut plan = plans.remove(0);
    assert_eq!(verify(pack(), &condition, &plan).unwrap(), []);
    plan.session = Some("kde-light".to_owned());
    let found = verify(pack(), &condition, &plan).unwrap();
    assert!(found.iter().any(|violation| violation.0.contains("is of session gnome-light, expected kde-light")), "{found:?}");
    plan.session = None;
    assert!(!verify(pack(), &condition, &plan).unwrap().is_empty(), "a scene that does not say whose it is");
}

#[test]
fn sessions_that_are_not_there_or_too_small_are_named() {
    let synth = |more: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        windesk([&["synth", "--n", "1", "--out", out.to_str().unwrap()], more].concat())
    };
    refused(synth(&["--level", "L2", "--session", "gnome-drak"]), &["no session `gnome-drak`", "did you mean `gnome-dark`?"]);
    refused(
        synth(&["--level", "L5", "--session", "orchis-light"]),
        &["no scenes of session orchis-light", "expected at least 15"],
    );
    refused(synth(&["--level", "L2", "--sessions", "both"]), &["both", "`one` or `mixed`"]);
}
