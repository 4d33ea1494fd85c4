//! Sweeps on the project's own pack: scenes of an index differ in nothing but the knob, and the referee would notice if
//! they did.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};
use windesk::engine::config::{Scan, Sweep};
use windesk::engine::planner::TargetPool;
use windesk::engine::referee::{check_pairing, verify};
use windesk::engine::render::Renderer;
use windesk::engine::study::Study;
use windesk::model::condition::{ChromeMode, Condition, Pairing, Protocol};
use windesk::model::geometry::{Point, Rect};
use windesk::model::index::PlacementIndex;
use windesk::model::plan::{Placement, Plan, Role};
use windesk::shipped::{SWEEPS, WINDESK_SWEEPS, level, parse_sweep, sweep};

use crate::command::{Finished, done, finish, refused, windesk};
use crate::real_pack::pack;

fn plans(name: &str, index: u64) -> (Vec<Condition>, Vec<Plan>) {
    let Sweep { name, pairing, conditions, .. } = sweep(name, &[], &[]).unwrap();
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
            let window = pack().window_index(&p.window).unwrap();
            let picture = pack().windows[window].size.rect().moved(p.origin);
            // Shadows that are drawn reach farther than those that were captured.
            let shadow = pack().painted_shadow(window, p.active).unwrap();
            shadow.map_or(picture, |(pixels, place)| picture.union(pixels.size().rect().moved(p.origin + place)))
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
    let lowest = |plan: &Plan| plan.placements[PlacementIndex(0)].window.clone();
    assert!(plans.windows(2).all(|pair| lowest(&pair[0]) != lowest(&pair[1])));
}

#[test]
fn the_referee_notices_every_kind_of_unpaired_scene() {
    type Edit = fn(&mut Plan);
    let edits: [(&str, Edit); 7] = [
        ("target moved", |p| p.placements[p.target.placement].origin.x += 1),
        ("background moved", |p| {
            let at = p.placements.position(|p| p.role == Role::Background).unwrap();
            p.placements[at].origin.y -= 1;
        }),
        ("other words", |p| p.target.instruction.push('!')),
        ("another wallpaper", |p| p.wallpaper = "another".to_owned()),
        ("a desktop icon less", |p| drop(p.chrome.icons.pop())),
        ("a window less", |p| {
            let at = p.placements.position(|p| p.role == Role::Background).unwrap();
            p.placements.remove(at);
            p.target.placement.0 -= usize::from(at < p.target.placement);
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
    for (bad, option) in [("visible_ratio=1..0/0", "scan"), ("windows", "list"), ("windows=2,x", "list"), ("a=1..2", "scan")] {
        let error = if option == "scan" { Scan::range(bad) } else { Scan::list(bad) }.unwrap_err();
        assert!(error.to_string().starts_with(&format!("option `{option}` {bad}: expected")), "{error}");
    }
}

/// Conditions are called after the values that they set: nothing else may set them.
#[test]
fn what_a_sweep_varies_is_changed_by_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let check = |args: &[&str], expected: &[&str]| {
        let mut command = windesk(["sweep"].iter().chain(args).chain(&["--n", "1"]));
        command.current_dir(place.path());
        refused(command, expected);
    };
    for (sweep, change, key) in [
        ("occlusion", "visible_ratio=0.5", "visible_ratio"),
        ("clutter", "windows=5", "windows"),
        ("baseline", "windows=4", "windows"),
        ("distractors", "distractor={count=2}", "distractor.count"),
        ("semantic", "distractor.rank=2", "distractor.rank"),
        ("semantic", "distractor.similarity=0.5..0.6", "distractor.rank"),
        ("similarity", "distractor.similarity=0.5..0.6", "distractor.similarity"),
        ("layer", "distractor.layer=any", "distractor.layer"),
        ("theme", "theme=dark", "theme"),
        ("layout", "layout.tile=1", "layout"),
        ("priors", "priors=none", "priors"),
        ("target-size", "filters.target_sizes+=large", "filters.target_sizes"),
    ] {
        let varies = format!("the sweep {sweep} varies `{key}` itself (");
        check(&[sweep, "--set", change], &[&format!("--set {change}"), &varies]);
    }
    check(&["chrome", "--chrome", "none"], &["varies `chrome` itself (none, taskbar, full)"]);
    check(&["wallpaper", "--wallpaper", "colosseum"], &["--wallpaper colosseum", "varies `wallpapers` itself (quiet_circles, "]);
    check(&["target-size", "--target-size", "large"], &["--target-size large", "itself (small, medium, large)"]);
    let listed = ["occlusion", "--list", "visible_ratio=1.0,0.5", "--set", "visible_ratio=0.7"];
    check(&listed, &["varies `visible_ratio` itself (visible_ratio-1, visible_ratio-0.5)"]);
    std::fs::write(place.path().join("windesk.toml"), "[all]\nchrome = \"none\"\n").unwrap();
    check(&["chrome"], &["varies `chrome` itself", "option file"]);
}

/// Whatever a sweep doesn't vary is its base's.
#[test]
fn what_a_sweep_does_not_vary_can_be_changed() {
    let changed = |name: &str, set: &str| sweep(name, &[set.to_owned()], &[]).unwrap().conditions;
    assert!(changed("occlusion", "windows=5").iter().all(|c| c.windows == [5, 5]));
    assert!(
        changed("semantic", "distractor={layer=\"any\"}").iter().zip([5, 4, 3, 2, 1]).all(|(c, rank)| c.distractor.rank == rank)
    );
    assert_eq!(changed("baseline", "name=mine")[0].name, "mine");
    let scans = [Scan::list("windows=3,4").unwrap()];
    let published = sweep("clutter", &["protocol=windeskground".to_owned()], &scans).unwrap();
    assert_eq!(published.conditions.iter().map(|c| c.windows).collect::<Vec<_>>(), [[3, 3], [4, 4]]);
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

#[test]
fn the_session_sweep_shows_the_same_windows_as_each_session_has_them() {
    let window = |p: &Placement| &pack().windows[pack().window_index(&p.window).unwrap()];
    let asked = |plan: &Plan| {
        let element = window(&plan.placements[plan.target.placement]);
        let element = element.elements.iter().find(|e| e.id == plan.target.element).unwrap();
        (element.role.clone(), element.name.clone())
    };
    for index in 0..10 {
        let (conditions, plans) = plans("session", index);
        let sessions: Vec<&str> = plans.iter().map(|plan| plan.session.as_deref().unwrap()).collect();
        assert_eq!(sessions, ["gnome-light", "gnome-dark", "kde-light", "kde-dark"]);
        let first = &plans[0];
        assert_eq!(first.placements.len(), 4);
        for plan in &plans {
            assert_eq!(plan.target.visible_px, plan.target.total_px);
            assert_eq!((asked(plan), &plan.target.instruction), (asked(first), &first.target.instruction));
            assert_eq!((&plan.wallpaper, plan.chrome.clock), (&first.wallpaper, first.chrome.clock));
            let session = pack().sessions.iter().find(|s| Some(&s.id) == plan.session.as_ref()).unwrap();
            assert_eq!(plan.chrome.shell, session.record.as_ref().unwrap().shell.kind);
            for (ours, theirs) in first.placements.iter().zip(&plan.placements) {
                assert_eq!(pack().sessions[window(theirs).session].id, session.id);
                assert_eq!((window(ours).program, ours.role, ours.active), (window(theirs).program, theirs.role, theirs.active));
            }
        }
        assert_eq!(check_pairing(pack(), &conditions, &plans).unwrap(), []);
    }
}

#[test]
fn the_referee_knows_what_is_no_twin() {
    let (conditions, plans) = plans("session", 0);
    let other = pack()
        .windows
        .iter()
        .find(|w| pack().sessions[w.session].id == "kde-dark" && plans[3].placements.iter().all(|p| p.window != w.id));
    let other = other.unwrap().id.clone();
    type Edit<'a> = &'a dyn Fn(&mut Plan);
    let edits: [(&str, Edit); 6] = [
        ("is no twin of", &|plan| plan.placements[PlacementIndex(0)].window = other.clone()),
        ("another words", &|plan| plan.target.instruction.push('!')),
        ("another wallpaper", &|plan| plan.wallpaper = "none".to_owned()),
        ("another time", &|plan| plan.chrome.clock = None),
        ("expected Some(\"kde-dark\")", &|plan| plan.session = Some("kde-light".to_owned())),
        ("another target", &|plan| plan.target.element = "e0".to_owned()),
    ];
    for (wanted, edit) in edits {
        let mut plans = plans.clone();
        edit(&mut plans[3]);
        let found = check_pairing(pack(), &conditions, &plans).unwrap();
        assert!(found.iter().any(|violation| violation.0.contains(wanted)), "{wanted}: {found:?}");
    }
}

#[test]
fn sessions_that_have_too_little_in_common_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = |flags: &[&str]| {
        let out = folder.path().join("out");
        finish(windesk([&["sweep", "session", "--n", "1", "--out", out.to_str().unwrap()], flags].concat()))
    };
    for (flags, wanted) in [
        (&["--set", "windows=40"][..], "programs with a window in each of the sessions (gnome-light "),
        (&["--set", "windows=40"], "expected at least 40"),
        (&["--set", "distractor.count=1"], "as_session is given, expected"),
        (&["--session", "kde-dark"], "expected no filters.sessions beside it"),
        (&["--set", "as_session=kde-drak"], "varies `as_session` itself"),
    ] {
        let finished = sweep(flags);
        assert_eq!(finished.code, Some(2), "{flags:?}");
        assert!(finished.stderr.contains(wanted), "{flags:?}: {}", finished.stderr);
    }
    let text = |conditions: &str| {
        format!("name = \"pair\"\npairing = \"twins\"\n[base]\nwindows = 2\nvisible_ratio = 1.0\n{conditions}")
    };
    let condition = |name: &str, more: &str| format!("[[conditions]]\nname = \"{name}\"\ndistractor = {{count = 0}}\n{more}\n");
    for (second, wanted) in [
        (condition("b", ""), "b has no as_session"),
        (condition("b", "as_session = \"kde-dark\"\nchrome = \"none\""), "a and b differ in more than as_session"),
        (condition("b", "as_session = \"kde-light\""), "a and b show one session"),
    ] {
        let text = text(&(condition("a", "as_session = \"kde-light\"") + &second));
        let error = parse_sweep("pair.toml", &text, &[], &[]).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
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

/// The help's own example: a setting holds for all sweeps but the one that varies it.
#[test]
fn a_bench_leaves_what_a_sweep_varies() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let mut command = windesk(["bench", "windesk", "--n", "1", "--canvas", "1600x900", "--sweeps", "chrome,target-size"]);
    command.args(["--chrome", "none", "--target-size", "small", "--out"]).arg(&out);
    let said = done(command).stderr;
    let manifest: Value = serde_json::from_slice(&std::fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let studies = manifest["study"]["studies"].as_array().unwrap().iter();
    let conditions: Vec<Value> = studies.flat_map(|study| study["conditions"].as_array().unwrap().clone()).collect();
    assert_eq!(said.matches("chrome=none: left as it is in sweep chrome, which varies it").count(), 1, "{said}");
    assert_eq!(said.matches("target_size=small: left as it is in sweep target-size, which varies it").count(), 1, "{said}");
    for condition in &conditions {
        let name = condition["name"].as_str().unwrap();
        assert_eq!(condition["chrome"], name.strip_prefix("chrome-").unwrap_or("none"), "{name}");
        assert_eq!(condition["filters"]["target_sizes"], json!([name.strip_prefix("target-size-").unwrap_or("small")]), "{name}");
    }
    assert_eq!(conditions.len(), 3 + 3 + 1 + 5);
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
        (&["--traverse", "--n", "3"][..], "--traverse: found together with --n"),
        (&["--n", "2", "--protocol", "windesk"], "--protocol windesk: the bench already names its protocol"),
        (&[], "--n <N>"),
        (&["--traverse", "--sweeps", "target-size"], "--sweeps target-size: has its own targets"),
    ] {
        let refused = bench(&folder.path().join("refused"), flags);
        assert_eq!(refused.code, Some(2));
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
    }
}

/// A sweep's file with a protocol in its base.
fn with_protocol_in_base(text: &str, protocol: &str) -> String {
    text.replacen("[base]\n", &format!("[base]\nprotocol = \"{protocol}\"\n"), 1)
}

#[test]
fn a_protocol_means_the_same_wherever_it_is_stated() {
    let published = ["protocol=windeskground".to_owned()];
    for (name, text) in SWEEPS {
        let in_base = with_protocol_in_base(text, "windeskground");
        assert_ne!(in_base, text, "{name}");
        let (by_flag, by_file) = (sweep(name, &published, &[]), parse_sweep(name, &in_base, &[], &[]));
        if WINDESK_SWEEPS.contains(&name) {
            assert!(by_flag.is_err() && by_file.is_err(), "{name}: {by_flag:?} {by_file:?}");
            continue;
        }
        let (by_flag, by_file) = (by_flag.unwrap(), by_file.unwrap());
        assert_eq!(by_flag, by_file, "{name}");
        assert!(by_file.conditions.iter().all(|c| c.protocol == Protocol::Windeskground), "{name}");
        assert_ne!(by_file.pairing, Pairing::Scenes, "{name}");
        for condition in &by_file.conditions {
            let chrome = if name == "chrome" { condition.chrome } else { ChromeMode::None };
            let rules = (condition.chrome, condition.target.ink_min, condition.target.min_visible_px);
            assert_eq!(rules, (chrome, None, 1), "{name}, {}", condition.name);
        }
        // The other way round: a file says windeskground, the flag says windesk.
        let back = parse_sweep(name, &in_base, &["protocol=windesk".to_owned()], &[]).unwrap();
        assert_eq!(back, sweep(name, &[], &[]).unwrap(), "{name}");
    }
}

#[test]
fn records_carry_the_protocol_that_arranged_them() {
    let both = [Protocol::Windesk, Protocol::Windeskground];
    for (name, text) in SWEEPS {
        for &protocol in if WINDESK_SWEEPS.contains(&name) { &both[..1] } else { &both } {
            let Sweep { name, pairing, conditions, .. } =
                parse_sweep(name, &with_protocol_in_base(text, protocol.name()), &[], &[]).unwrap();
            let study = Study { name: name.clone(), sweep: Some(name.clone()), pairing, conditions, seed: 3, traverse: false };
            let pool = study.pool(pack()).unwrap();
            let plans = (0..8).find_map(|index| study.outcome(pack(), &pool, index).unwrap().plans);
            let plans = plans.expect("the pack holds this sweep");
            for (condition, plan) in study.conditions.iter().zip(&plans) {
                assert_eq!(plan.protocol, protocol, "{name}");
                let record = study.record(pack(), condition, plan, String::new()).unwrap();
                assert_eq!(record.protocol, protocol, "{name}");
                // The published generator keeps nothing but the target from one condition to the next.
                let other = if protocol == Protocol::Windesk { Protocol::Windeskground } else { Protocol::Windesk };
                let relabelled = Condition { protocol: other, ..condition.clone() };
                let violations = verify(pack(), &relabelled, plan).unwrap();
                assert!(violations.iter().any(|v| v.0.contains("arranged by the rules of")), "{name}: {violations:?}");
            }
        }
    }
}

#[test]
fn what_is_stated_beside_a_protocol_holds() {
    let level = |sets: &[&str]| level("L3", &sets.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>());
    let plain = level(&["protocol=windeskground"]).unwrap();
    assert_eq!((plain.chrome, plain.target.ink_min, plain.target.min_visible_px), (ChromeMode::None, None, 1));
    let stated = level(&["chrome=full", "target.ink_min=0.2", "target.min_visible_px=9", "protocol=windeskground"]).unwrap();
    assert_eq!((stated.chrome, stated.target.min_visible_px), (ChromeMode::Full, 9));
    assert_eq!(stated.target.ink_min.map(f64::from), Some(0.2));
    let error = level(&["protocol=windesk", "protocol = windeskground"]).unwrap_err().to_string();
    assert!(error.contains("expected one protocol"), "{error}");
    let error = level(&["protocol=windeskround"]).unwrap_err().to_string();
    assert!(error.contains("did you mean `windeskground`?"), "{error}");
}

#[test]
fn a_sweep_of_two_protocols_is_refused() {
    let text = "name = \"mixed\"\n[base]\nwindows = [3, 3]\nvisible_ratio = [1.0, 1.0]\n[[conditions]]\nname = \"a\"\n\
                [[conditions]]\nname = \"b\"\nprotocol = \"windeskground\"\n";
    let error = parse_sweep("mixed.toml", text, &[], &[]).unwrap_err().to_string();
    assert!(error.contains("a follows windesk and b follows windeskground, expected one protocol"), "{error}");
    let [a, b] = ["windesk", "windeskground"].map(|p| level("L2", &[format!("protocol={p}")]).unwrap());
    let study = |pairing, conditions| Study { name: "s".to_owned(), sweep: None, pairing, conditions, seed: 0, traverse: false };
    assert!(study(Pairing::Targets, vec![a, b.clone()]).pool(pack()).is_err());
    assert!(study(Pairing::Scenes, vec![b.clone()]).pool(pack()).is_err());
    assert!(study(Pairing::Targets, vec![b]).pool(pack()).is_ok());
}

#[test]
fn the_command_line_gives_the_librarys_conditions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.toml");
    let (_, text) = SWEEPS.into_iter().find(|(name, _)| *name == "occlusion").unwrap();
    std::fs::write(&file, with_protocol_in_base(text, "windeskground")).unwrap();
    let file = file.to_str().unwrap();
    for (arguments, sets) in [
        (vec!["sweep", "occlusion", "--protocol", "windeskground"], vec!["protocol=windeskground"]),
        (vec!["sweep", "occlusion", "--set", "protocol=windeskground"], vec!["protocol=windeskground"]),
        (vec!["sweep", file], vec!["protocol=windeskground"]),
        (vec!["sweep", file, "--set", "chrome=taskbar"], vec!["protocol=windeskground", "chrome=taskbar"]),
        (vec!["sweep", file, "--chrome", "full"], vec!["protocol=windeskground", "chrome=full"]),
        (vec!["sweep", file, "--protocol", "windesk"], vec![]),
    ] {
        let out = folder.path().join("out");
        let mut command = windesk([&arguments[..], &["--n", "1", "--force", "--out"]].concat());
        command.arg(&out);
        let finished = finish(command);
        assert_eq!(finished.code, Some(0), "{arguments:?}: {}", finished.stderr);
        let manifest: Value = serde_json::from_slice(&std::fs::read(out.join("manifest.json")).unwrap()).unwrap();
        let sets: Vec<String> = sets.into_iter().map(str::to_owned).collect();
        let expected = sweep("occlusion", &sets, &[]).unwrap();
        assert_eq!(manifest["study"]["conditions"], serde_json::to_value(&expected.conditions).unwrap(), "{arguments:?}");
        assert_eq!(manifest["study"]["pairing"], serde_json::to_value(expected.pairing).unwrap(), "{arguments:?}");
    }
}
