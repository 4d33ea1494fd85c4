//! Sweeps on the project's own pack: scenes of an index differ in nothing but the knob, and the referee would notice if they did.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};
use windesk::engine::config::{SWEEPS, Scan, Sweep, sweep};
use windesk::engine::planner::TargetPool;
use windesk::engine::referee::check_pairing;
use windesk::engine::render::Renderer;
use windesk::engine::study::Study;
use windesk::model::condition::Condition;
use windesk::model::geometry::{Point, Rect};
use windesk::model::plan::{Placement, Plan, Role};

use crate::command::{Finished, finish, windesk};
use crate::real_pack::pack;

fn plans(name: &str, index: u64) -> (Vec<Condition>, Vec<Plan>) {
    let Sweep { name, pairing, conditions } = sweep(name, &[], &[]).unwrap();
    let pool = TargetPool::new(pack(), &conditions).unwrap();
    let study = Study { name: name.clone(), sweep: Some(name), pairing, conditions, seed: 5, traverse: false };
    let plans = study.outcome(pack(), &pool, index).unwrap().plans.expect("the pack holds this sweep");
    (study.conditions, plans)
}

/// Screen box of a window's picture, shadows included.
fn picture(plan: &Plan, role: Role) -> Vec<Rect> {
    let of_role = plan.placements.iter().filter(|p| p.role == role);
    of_role
        .map(|p| {
            let size = pack().windows[pack().window_index(&p.window).unwrap()].size;
            Rect::at(p.origin.x, p.origin.y, size.width as i32, size.height as i32)
        })
        .collect()
}

#[test]
fn occlusion_moves_the_occluder_alone_and_hides_more_and_more() {
    let renderer = Renderer::new(pack()).unwrap();
    for index in 0..3 {
        let (_, plans) = plans("occlusion", index);
        let visible: Vec<u64> = plans.iter().map(|p| p.target.visible_px).collect();
        assert_eq!(visible[0], plans[0].target.total_px, "the occluder lies clear of the target at first");
        assert!(visible.is_sorted_by(|a, b| a > b), "{visible:?} of {} px", plans[0].target.total_px);
        let frames: Vec<_> = plans.iter().map(|p| renderer.render(p).unwrap()).collect();
        let occluders: Vec<Rect> = plans.iter().flat_map(|p| picture(p, Role::Occluder)).collect();
        for frame in &frames[1..] {
            for (at, (a, b)) in frames[0].rgb.chunks(3).zip(frame.rgb.chunks(3)).enumerate() {
                let (x, y) = (at as i32 % frame.size.width as i32, at as i32 / frame.size.width as i32);
                let explained = a == b || occluders.iter().any(|o| o.contains(Point { x, y }));
                assert!(explained, "index {index}: pixel {x},{y} differs where no occluder is");
            }
        }
    }
}

#[test]
fn smaller_scenes_are_beginnings_of_larger_ones() {
    for index in 0..3 {
        let (_, plans) = plans("clutter", index);
        for pair in plans.windows(2) {
            let (fewer, more) = (&pair[0].placements, &pair[1].placements);
            let mut rest = more.iter();
            assert!(fewer.iter().all(|p| rest.any(|q| (&p.window, p.origin, p.active) == (&q.window, q.origin, q.active))));
        }
        assert_eq!(plans.iter().map(|p| p.placements.len()).collect::<Vec<_>>(), [2, 3, 5, 8, 12]);
    }
}

#[test]
fn the_semantic_sweep_changes_the_distractor_alone() {
    let (_, plans) = plans("semantic", 1);
    let similarities: Vec<f64> = plans.iter().map(|p| p.distractors[0].similarity).collect();
    assert!(similarities.is_sorted(), "{similarities:?}");
    assert!(plans.windows(2).all(|pair| pair[0].placements.last() == pair[1].placements.last()), "the target's window stays");
    assert!(plans.windows(2).all(|pair| pair[0].placements[0].window != pair[1].placements[0].window));
}

#[test]
fn the_referee_notices_every_kind_of_unpaired_scene() {
    type Edit = fn(&mut Plan);
    let edits: [(&str, Edit); 7] = [
        ("target moved", |p| p.placements[p.target.placement].origin.x += 1),
        ("background moved", |p| {
            let at = p.placements.iter().position(|p| p.role == Role::Background).unwrap();
            p.placements[at].origin.y -= 1;
        }),
        ("other words", |p| p.target.instruction.push('!')),
        ("another wallpaper", |p| p.wallpaper = "another".to_owned()),
        ("a desktop icon less", |p| drop(p.chrome.icons.pop())),
        ("a window less", |p| {
            let at = p.placements.iter().position(|p| p.role == Role::Background).unwrap();
            p.placements.remove(at);
            p.target.placement -= usize::from(at < p.target.placement);
        }),
        ("another draw", |p| p.key.draw += 1),
    ];
    let (conditions, sound) = plans("chrome", 2);
    let (conditions, sound) = (&conditions[1..], &sound[1..]);
    assert_eq!(check_pairing(pack(), conditions, sound).unwrap(), []);
    let same_chrome = [conditions[1].clone(), conditions[1].clone()];
    for (what, edit) in edits {
        let mut plans = [sound[1].clone(), sound[1].clone()];
        edit(&mut plans[1]);
        assert!(!check_pairing(pack(), &same_chrome, &plans).unwrap().is_empty(), "{what}");
    }
}

#[test]
fn a_program_is_minimised_in_all_scenes_or_in_none() {
    let (conditions, sound) = plans("clutter", 0);
    let (conditions, sound) = (&conditions[..2], &sound[..2]);
    assert_eq!(check_pairing(pack(), conditions, sound).unwrap(), []);
    let idle = |plan: &Plan, name: &str| plan.chrome.items.iter().position(|item| item.windows == 0 && item.name == name);
    let at = sound[1].chrome.items.iter().position(|item| item.windows == 0 && idle(&sound[0], &item.name).is_some()).unwrap();
    let mut plans = sound.to_vec();
    plans[1].chrome.items[at].minimised = 1 - plans[1].chrome.items[at].minimised;
    assert!(!check_pairing(pack(), conditions, &plans).unwrap().is_empty());
}

#[test]
fn scans_give_every_combination() {
    let scans = [Scan::range("visible_ratio=1.0..0.5/0.25").unwrap(), Scan::list("distractor.rank=5,1").unwrap()];
    let names: Vec<String> = sweep("occlusion", &[], &scans).unwrap().conditions.into_iter().map(|c| c.name).collect();
    let expected = ["1_rank-5", "1_rank-1", "0.75_rank-5", "0.75_rank-1", "0.5_rank-5", "0.5_rank-1"];
    assert_eq!(names, expected.map(|name| format!("visible_ratio-{name}")));
    for (bad, flag) in
        [("visible_ratio=1..0/0", "--scan"), ("windows", "--list"), ("windows=2,x", "--list"), ("a=1..2", "--scan")]
    {
        let error = if flag == "--scan" { Scan::range(bad) } else { Scan::list(bad) }.unwrap_err();
        assert!(error.to_string().starts_with(&format!("{flag} {bad}: expected")), "{error}");
    }
}

#[test]
fn knobs_that_move_everything_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let text = "name = \"mine\"\n[base]\nwindows = [3, 3]\nvisible_ratio = [1.0, 1.0]\n\
                [[conditions]]\nname = \"a\"\n[[conditions]]\nname = \"b\"\npriors = \"none\"\n";
    std::fs::write(&file, text).unwrap();
    let mut run = windesk(["sweep", file.to_str().unwrap(), "--n", "2"]);
    run.current_dir(folder.path());
    let finished = finish(run);
    assert_eq!(finished.code, Some(2));
    assert!(finished.stderr.contains("a and b differ in priors"), "{}", finished.stderr);
    let finished = finish(windesk(["sweep", "oclusion", "--n", "2"]));
    assert_eq!(finished.code, Some(2));
    assert!(finished.stderr.contains("did you mean occlusion?"), "{}", finished.stderr);
}

#[test]
fn the_theme_sweep_shows_the_same_windows_in_dark() {
    for index in 0..3 {
        let (_, plans) = plans("theme", index);
        let window = |p: &Placement| &pack().windows[pack().window_index(&p.window).unwrap()];
        let [light, dark] = plans.as_slice() else { panic!("two conditions") };
        assert_eq!(light.placements.len(), 4);
        for (light, dark) in light.placements.iter().zip(&dark.placements) {
            let twin = pack().windows[window(dark).variant_of.unwrap()].id.as_str();
            assert_eq!((twin, light.origin), (light.window.as_str(), dark.origin));
            assert!(!window(light).dark && window(dark).dark);
        }
        let place = |plan: &Plan| {
            let placed = &plan.placements[plan.target.placement];
            window(placed).elements.iter().find(|e| e.id == plan.target.element).unwrap().bbox
        };
        assert_eq!(place(light), place(dark));
        assert_eq!(light.target.instruction, dark.target.instruction);
    }
}

/// One line per condition: whoever changes a shipped sweep sees what it does to every knob.
#[test]
fn shipped_sweeps_resolve_to_these_conditions() {
    let mut text = String::new();
    for (name, _) in SWEEPS {
        let sweep = sweep(name, &[], &[]).unwrap();
        writeln!(text, "{name} pairing={:?}", sweep.pairing).unwrap();
        for condition in sweep.conditions {
            let mut value = serde_json::to_value(&condition).unwrap();
            let fields = value.as_object_mut().unwrap();
            let priors = if fields.remove("priors").unwrap().is_null() { "none" } else { "category" };
            fields.remove("category_weights");
            writeln!(text, "  priors={priors} {value}").unwrap();
        }
    }
    insta::assert_snapshot!("sweeps", text);
}

/// Runs a bench into `out`.
fn bench(out: &Path, flags: &[&str]) -> Finished {
    let mut command = windesk(["bench", "windesk", "--chrome", "none", "--canvas", "1600x900", "--out"]);
    command.arg(out).args(flags);
    finish(command)
}

#[test]
fn a_bench_holds_sweeps_and_levels_and_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("bench");
    let made = bench(&out, &["--n", "2", "--sweeps", "semantic,chrome"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let read = |name: &str| serde_json::from_slice::<Value>(&std::fs::read(out.join(name)).unwrap()).unwrap();
    let (manifest, stats) = (read("manifest.json"), read("stats.json"));
    assert_eq!((&manifest["kind"], &manifest["samples"]), (&json!("bench"), &json!(2 * (5 + 3 + 1 + 5))));
    let scenes = std::fs::read_to_string(out.join("scenes/part-00000.jsonl")).unwrap();
    let scenes: Vec<Value> = scenes.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut sweeps_of_pair: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for scene in &scenes {
        sweeps_of_pair.entry(scene["pair_id"].as_str().unwrap()).or_default().insert(scene["sweep"].as_str().unwrap());
    }
    assert_eq!(sweeps_of_pair.len(), 2 * 4, "an index of each study is a pair");
    assert!(sweeps_of_pair.values().all(|sweeps| sweeps.len() == 1));
    let balance = &stats["balance"];
    assert_eq!(balance["semantic"]["target_place"], 0.0);
    assert_eq!(balance["semantic"]["distractor_rank"], 1.0);
    assert!(balance["levels"]["windows"].as_f64().unwrap() > 0.5);
    assert!(balance["baseline"].is_null(), "one condition has nothing to be balanced with");
    let verified = finish(windesk([OsStr::new("verify"), out.as_os_str()]));
    assert_eq!(verified.code, Some(0), "{}", verified.stderr);
    assert!(verified.stderr.contains("28 made again") || verified.stdout.contains("28 made again"), "{}", verified.stderr);
    let again = bench(&out, &["--n", "3", "--sweeps", "semantic,chrome"]);
    assert_eq!(again.code, Some(2), "another bench into the same folder");
}

#[test]
fn a_traversal_asks_for_every_target_once() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("all");
    let flags = ["--traverse", "--sweeps", "chrome", "--app", "thunar", "--role", "button"];
    let made = bench(&out, &flags);
    assert!(made.code == Some(0) || made.code == Some(1), "{}", made.stderr);
    let manifest: Value = serde_json::from_slice(&std::fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let (count, holes) = (manifest["count"].as_u64().unwrap(), manifest["holes"].as_array().unwrap().len() as u64);
    assert!(count >= 2, "{count}");
    let parts = std::fs::read_dir(out.join("scenes")).unwrap().map(|part| std::fs::read_to_string(part.unwrap().path()).unwrap());
    let scenes: String = parts.collect();
    let mut asked: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for scene in scenes.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let target = &scene["targets"][0];
        let window = &scene["windows"][target["window"].as_u64().unwrap() as usize]["window"];
        let element = target["element"].as_str().unwrap().split_once('.').unwrap().1;
        let new = asked.entry(scene["condition"].to_string()).or_default().insert(format!("{window} {element}"));
        assert!(new, "{window} {element} twice in {}", scene["condition"]);
    }
    assert!(asked.values().all(|targets| targets.len() as u64 == count - holes && targets == asked.values().next().unwrap()));
    for (flags, message) in [
        (&["--traverse", "--n", "3"][..], "--traverse: found beside --n"),
        (&["--n", "2", "--protocol", "windesk"], "--protocol windesk: a bench is named by its protocol"),
        (&[], "--n: not given"),
        (&["--traverse", "--sweeps", "target-size"], "--sweeps target-size: has targets of its own"),
    ] {
        let refused = bench(&folder.path().join("refused"), flags);
        assert_eq!(refused.code, Some(2));
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
    }
}
