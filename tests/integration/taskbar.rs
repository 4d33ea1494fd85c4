//! The taskbar and the themes of made desktops: what a person would find odd about them.

use std::collections::BTreeSet;

use windesk::engine::annotate::annotate;
use windesk::engine::pack::Window;
use windesk::engine::planner::TargetPool;
use windesk::engine::referee::verify;
use windesk::engine::study::Study;
use windesk::model::condition::{Condition, Pairing};
use windesk::model::pack_format::{ShellKind, SnapState};
use windesk::model::plan::{Plan, Role};
use windesk::shipped::level;

use crate::real_pack::pack;

/// Scenes looked at.
const SCENES: u64 = 40;

fn plans(sets: &[&str]) -> (Condition, Vec<Plan>) {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let condition = level("L2", &sets).unwrap();
    let conditions = vec![condition.clone()];
    let pool = TargetPool::new(pack(), &conditions).unwrap();
    let study =
        Study { name: "taskbar".to_owned(), sweep: None, pairing: Pairing::Targets, conditions, seed: 3, traverse: false };
    let planned = (0..SCENES).filter_map(|index| study.outcome(pack(), &pool, index).unwrap().plans);
    (condition, planned.map(|mut plans| plans.remove(0)).collect())
}

fn programs_shown(plan: &Plan) -> BTreeSet<&str> {
    let window = |id: &str| pack().window_index(id).unwrap();
    plan.placements.iter().map(|p| pack().program_of(window(&p.window)).record.name.as_str()).collect()
}

#[test]
fn some_programs_run_minimised_and_show_no_window() {
    let (_, plans) = plans(&["absent_share=0.5"]);
    let (mut minimised, mut pinned) = (0, 0);
    for plan in &plans {
        let shown = programs_shown(plan);
        let absent =
            plan.absent.as_ref().map(|a| pack().program_of(pack().window_index(&a.window).unwrap()).record.name.as_str());
        let names: BTreeSet<String> =
            annotate(pack(), plan, "s").unwrap().elements.into_iter().map(|element| element.name.into_owned()).collect();
        // A dock that has drawn back shows nothing of its programs.
        let out = plan.chrome.shell != ShellKind::TopBarAndDock || plan.chrome.dock;
        for item in &plan.chrome.items {
            assert_eq!(item.windows > 0, shown.contains(item.name.as_str()), "{}", item.name);
            if item.minimised > 0 {
                assert_eq!(item.windows, 0, "{}", item.name);
                assert_ne!(absent, Some(item.name.as_str()));
                assert_eq!(names.contains(&format!("{} - 1 running window, minimized", item.name)), out, "{names:?}");
                minimised += 1;
            } else if item.windows == 0 {
                assert_eq!(names.contains(&format!("{} pinned", item.name)), out, "{names:?}");
                pinned += 1;
            }
        }
    }
    assert!(minimised >= plans.len() / 2 && pinned >= plans.len() / 2, "{minimised} minimised, {pinned} pinned");
}

#[test]
fn the_referee_reads_the_taskbar() {
    let (condition, plans) = plans(&[]);
    let sound = &plans[0];
    assert_eq!(verify(pack(), &condition, sound).unwrap(), []);
    type Edit = fn(&mut Plan, usize);
    let edits: [(&str, Edit); 3] = [
        ("a window too many", |plan, at| plan.chrome.items[at].windows += 1),
        ("another window is active", |plan, at| plan.chrome.items[at].active ^= true),
        ("minimised and shown", |plan, at| plan.chrome.items[at].minimised = 1),
    ];
    for (what, edit) in edits {
        let at = sound.chrome.items.iter().position(|item| item.windows > 0).unwrap();
        let mut plan = sound.clone();
        edit(&mut plan, at);
        assert!(!verify(pack(), &condition, &plan).unwrap().is_empty(), "{what}");
    }
}

#[test]
fn windows_have_the_theme_of_the_target_where_their_program_has_one() {
    let (_, plans) = plans(&[]);
    let fits = |w: &Window| w.snap == SnapState::Floating && !w.has_popup();
    let (mut same, mut possible) = (0, 0);
    for plan in &plans {
        let window = |id: &str| &pack().windows[pack().window_index(id).unwrap()];
        let model = window(&plan.placements[plan.target.placement].window);
        let alike = |w: &Window| w.dark == model.dark && w.theme_family() == model.theme_family();
        for placed in plan.placements.iter().filter(|p| matches!(p.role, Role::Background | Role::Occluder)) {
            let placed = window(&placed.window);
            if fits(placed)
                && pack().programs[placed.program].windows.iter().any(|&w| fits(&pack().windows[w]) && alike(&pack().windows[w]))
            {
                possible += 1;
                same += usize::from(alike(placed));
            }
        }
    }
    // Three scenes in ten mix on purpose; in these about half of the windows are of the theme by chance.
    assert!(possible > 20 && same * 100 > possible * 75, "{same} of {possible}");
}
