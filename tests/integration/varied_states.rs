//! Scenes whose windows are in composed states. The mini pack as one of version 2, with the living pages of
//! `tests/fixtures/living-pack` among its programs.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Value, json};
use windesk::engine::annotate::{annotate, element_masks};
use windesk::engine::pack::living::compose;
use windesk::engine::pack::{IndexedPack, Pack, open_place};
use windesk::engine::planner::TargetPool;
use windesk::engine::referee::{check_pairing, recount, verify};
use windesk::engine::render::Renderer;
use windesk::engine::study::Study;
use windesk::model::condition::{Condition, Pairing};
use windesk::model::page_state::PageState;
use windesk::model::plan::{Plan, Role};

use crate::command::{finish, refused, succeeds, tree, windesk};
use crate::hashed_words::write_index;
use crate::mini_pack::{self, copy_folder};
use crate::random_pack::write_json;
use windesk_naive::json_file;

struct LivingScenes {
    folder: tempfile::TempDir,
    pack: IndexedPack,
}

fn scenes() -> &'static LivingScenes {
    static SCENES: OnceLock<LivingScenes> = OnceLock::new();
    SCENES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/living-pack");
        let mut session = json_file(&fixture.join("sessions/drawn-light.json"));
        session["shell"]["pinned"] = json!([]);
        session["shell"]["kind"] = "taskbar".into();
        session["clock"] = "2027-11-23T10:20".into();
        write_json(&folder.path().join("plan.json"), &json!({"sessions": [session], "windows": [{"session": "drawn-light"}]}));
        let old = mini_pack::folder();
        let mut command = windesk(["pack", "migrate", old.to_str().unwrap(), "--sessions", "plan.json", "--out", "new"]);
        command.current_dir(folder.path());
        let done = finish(command);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let new = folder.path().join("new");
        let dimmer = new.join("windows/dimmer");
        copy_folder(&fixture.join("windows/dimmer"), &dimmer);
        fs::remove_file(dimmer.join("main--drawn-dark.json")).unwrap();
        fs::remove_file(dimmer.join("evidence.jsonl")).unwrap();
        // The window that it leads to is of another program, which this pack lacks.
        let transitions = fs::read_to_string(dimmer.join("transitions.jsonl")).unwrap();
        let kept: String = transitions.lines().filter(|line| !line.contains("launch")).map(|line| format!("{line}\n")).collect();
        fs::write(dimmer.join("transitions.jsonl"), kept).unwrap();
        copy_folder(&fixture.join("windows/fares"), &new.join("windows/fares"));
        write_index(&new, 16);
        let pack = Pack::open(open_place(&new).unwrap()).and_then(Pack::indexed).unwrap_or_else(|error| panic!("{error}"));
        LivingScenes { folder, pack }
    })
}

fn plans(conditions: &[Condition], pairing: Pairing, indices: std::ops::Range<u64>) -> Vec<Vec<Plan>> {
    let pack = &scenes().pack;
    let conditions = conditions.to_vec();
    let pool = TargetPool::new(pack, &conditions).unwrap();
    let study = Study { name: "states".to_owned(), sweep: None, pairing, conditions, seed: 7, traverse: false };
    indices.filter_map(|index| study.outcome(pack, &pool, index).unwrap().plans).collect()
}

fn has_state(plan: &Plan, role: Role) -> bool {
    plan.placements.iter().any(|placed| placed.role == role && placed.state.is_some())
}

/// Everything that is told of a scene agrees with everything else.
fn check(condition: &Condition, plan: &Plan) {
    let pack = &scenes().pack;
    assert_eq!(verify(pack, condition, plan).unwrap(), []);
    let truth = annotate(pack, plan, "states").unwrap();
    assert_eq!(recount(pack, plan, &truth).unwrap(), []);
    assert_eq!(element_masks(pack, plan).unwrap().len(), truth.elements.len());
    for (record, placed) in truth.windows.iter().zip(&plan.placements) {
        assert_eq!(record.state, placed.state);
        let Some(state) = &placed.state else { continue };
        let at = pack.window_index(&placed.window).unwrap();
        let composed = compose(pack, &pack.living(at).unwrap(), state, pack.focus_of(at, placed.active).into()).unwrap();
        let of_window = truth.elements.iter().filter(|element| element.window == Some(record.index));
        let told: Vec<(&str, &str)> = of_window.map(|e| (e.element.as_ref(), e.name.as_ref())).collect();
        let expected: Vec<(&str, &str)> = composed.elements.iter().map(|e| (e.id.as_str(), e.name.as_str())).collect();
        assert_eq!(told, expected);
    }
}

#[test]
fn windows_of_living_programs_are_in_states_of_their_own() {
    // As a similar distractor or an occluder, a window stays as it was captured.
    let alone = ["distractor.count=0", "visible_ratio=1.0"];
    let conditions = [mini_pack::level(&alone), mini_pack::level(&[&alone[..], &["states=captured"]].concat())];
    let renderer = Renderer::new(&scenes().pack).unwrap();
    let (mut targets, mut background, mut drawn, mut differing) = (0, 0, 0, 0);
    let both =
        plans(&conditions[..1], Pairing::Targets, 0..250).into_iter().zip(plans(&conditions[1..], Pairing::Targets, 0..250));
    for (varied, captured) in both.map(|(mut one, mut other)| (one.remove(0), other.remove(0))) {
        assert!(captured.placements.iter().all(|placed| placed.state.is_none()));
        check(&conditions[0], &varied);
        let is_varied = varied.placements.iter().any(|placed| placed.state.is_some());
        targets += usize::from(has_state(&varied, Role::Target));
        background += usize::from(has_state(&varied, Role::Background));
        if is_varied && drawn < 6 {
            drawn += 1;
            let png = image::load_from_memory(&renderer.encode_png(&varied).unwrap()).unwrap().into_rgb8();
            let frame = renderer.render(&varied).unwrap();
            assert!(png.into_raw() == frame.rgb);
            let bare = Plan {
                placements: varied
                    .placements
                    .iter()
                    .map(|p| windesk::model::plan::Placement { state: None, ..p.clone() })
                    .collect(),
                ..varied.clone()
            };
            // What is varied is to be seen, unless other windows hide it.
            differing += usize::from(renderer.render(&bare).unwrap().rgb != frame.rgb);
            assert!(
                verify(&scenes().pack, &conditions[1], &varied).unwrap().iter().any(|v| v.0.contains("in a state of its own"))
            );
        }
    }
    let found = format!("{targets} targets, {background} in the background, {drawn} drawn, {differing} of them seen");
    assert!(targets > 0 && background > 0 && drawn > 3 && differing > 2, "{found}");
}

#[test]
fn a_page_of_a_telephone_stands_on_no_desktop() {
    let pack = &scenes().pack;
    let page = pack.window_index("fares/ticket").unwrap();
    assert!(!pack.windows[page].is_of_desktop());
    assert_eq!(pack.index().targets_in(page).len(), 0);
    let mut placed = 0;
    for condition in [mini_pack::level(&[]), mini_pack::level(&["protocol=windeskground"])] {
        for plan in plans(&[condition], Pairing::Targets, 0..150).into_iter().flatten() {
            placed += plan.placements.len();
            assert!(plan.placements.iter().all(|window| window.window != "fares/ticket"));
        }
    }
    assert!(placed > 500, "{placed} windows");
}

#[test]
fn scenes_of_a_sweep_share_their_states() {
    let bands = [
        mini_pack::level(&["name=a", "visible_ratio=[0.4, 0.5]", "distractor.count=0", "states=varied"]),
        mini_pack::level(&["name=b", "visible_ratio=[0.7, 0.8]", "distractor.count=0", "states=varied"]),
    ];
    let mut varied = 0;
    for plans in plans(&bands, Pairing::Scenes, 0..40) {
        assert_eq!(check_pairing(&scenes().pack, &bands, &plans).unwrap(), []);
        plans.iter().zip(&bands).for_each(|(plan, condition)| check(condition, plan));
        varied += usize::from(plans[0].placements.iter().any(|placed| placed.state.is_some()));
        if let Some(at) = plans[1].placements.iter().position(|placed| placed.state.is_some()) {
            let mut other = plans.clone();
            other[1].placements[windesk::model::index::PlacementIndex(at)].state = None;
            assert!(check_pairing(&scenes().pack, &bands, &other).unwrap()[0].0.contains("another state"));
        }
    }
    assert!(varied > 0);
}

/// Plans may show any state, however it came about: an open menu that reaches beyond the window, a scrolled list.
#[test]
fn any_plan_may_show_any_state() {
    let pack = &scenes().pack;
    let condition = mini_pack::level(&["visible_ratio=1.0"]);
    let found = plans(&[condition], Pairing::Targets, 0..1000).into_iter().map(|mut plans| plans.remove(0));
    let main = |plan: &Plan| plan.placements.last().unwrap().window == "dimmer/main";
    let plan = found.into_iter().find(main).expect("a scene with the page above all others");
    let renderer = Renderer::new(pack).unwrap();
    for (state, extra) in [
        (json!({"popup": "menu", "values": {"warm": false, "cold": true}}), "Preferences"),
        (json!({"offsets": {"rooms": [0, 160]}}), "Cellar"),
        (json!({"values": {"tab": "Night", "name": "ab"}}), "Night"),
    ] {
        let state: PageState = serde_json::from_value(state).unwrap();
        let mut shown = plan.clone();
        let top = shown.placements.last_mut().unwrap();
        top.state = Some(state.clone());
        let origin = top.origin;
        let truth = annotate(pack, &shown, "any").unwrap();
        assert_eq!(recount(pack, &shown, &truth).unwrap(), []);
        assert!(truth.elements.iter().any(|element| element.name == extra && element.visible_px > 0), "{extra}");
        assert_eq!(truth.windows.last().unwrap().popup_rects.len(), usize::from(state.popup.is_some()));
        // The picture shows what was composed, where that is opaque.
        let at = pack.window_index("dimmer/main").unwrap();
        let composed = compose(pack, &pack.living(at).unwrap(), &state, windesk::engine::pack::Focus::Active.into()).unwrap();
        let frame = renderer.render(&shown).unwrap();
        let screen = shown.canvas;
        let pointer = shown.pointer.as_ref().map(|pointer| pointer.bbox());
        let mut compared = 0;
        for (nth, pixel) in composed.rgba.as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = (nth as i32 % composed.rect.width() + origin.x, nth as i32 / composed.rect.width() + origin.y);
            let p = windesk::model::geometry::Point { x, y };
            let bars = shown.chrome.bars(screen).any(|bar| bar.contains(p));
            if pixel[3] == 255 && screen.rect().contains(p) && !bars && !pointer.is_some_and(|bbox| bbox.contains(p)) {
                let from = (y as usize * screen.width as usize + x as usize) * 3;
                assert_eq!(frame.rgb[from..from + 3], pixel[..3], "{extra}: {p:?}");
                compared += 1;
            }
        }
        assert!(compared > 50_000, "{compared}");
        let png = image::load_from_memory(&renderer.encode_png(&shown).unwrap()).unwrap().into_rgb8();
        assert!(png.into_raw() == frame.rgb);
        // A record that says something else is found out.
        let mut false_truth = annotate(pack, &shown, "any").unwrap();
        false_truth.windows.last_mut().unwrap().state = None;
        assert!(recount(pack, &shown, &false_truth).unwrap().iter().any(|v| v.0.contains("state")));
    }
    let mut broken = plan;
    broken.placements.last_mut().unwrap().state = Some(serde_json::from_value(json!({"values": {"dim": 7}})).unwrap());
    let error = annotate(pack, &broken, "any").unwrap_err().to_string();
    assert!(error.contains("a state of dimmer/main: found control `dim` = 7"), "{error}");
}

#[test]
fn datasets_with_states_are_the_same_at_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let pack = scenes().folder.path().join("new").to_str().unwrap().to_owned();
    let level = at("mini.toml");
    fs::write(&level, mini_pack::LEVEL).unwrap();
    let (one, three) = (at("one"), at("three"));
    for (out, threads) in [(&one, "1"), (&three, "3")] {
        let made = ["synth", "--level", &level, "--states", "varied", "--n", "40", "--seed", "5", "--pack", &pack];
        succeeds(made.iter().copied().chain(["--threads", threads, "--out", out, "--no-sync"]));
    }
    assert_eq!(tree(Path::new(&one)), tree(Path::new(&three)));
    let lines: Vec<Value> = fs::read_dir(Path::new(&one).join("scenes"))
        .unwrap()
        .flat_map(|file| fs::read_to_string(file.unwrap().path()).unwrap().lines().map(str::to_owned).collect::<Vec<_>>())
        .map(|line| serde_json::from_str(&line).unwrap())
        .collect();
    let states = lines.iter().flat_map(|scene| scene["windows"].as_array().unwrap()).filter(|w| !w["state"].is_null()).count();
    assert!(states > 0);
    succeeds(["verify", &one, "--pack", &pack]);
    for (states, protocol, expected) in
        [("varied", "windeskground", "states is changed, expected its default"), ("some", "windesk", "unknown variant `some`")]
    {
        let bad = at("bad");
        let made = ["synth", "--level", &level, "--states", states, "--n", "1", "--pack", &pack, "--out", &bad];
        refused(windesk(made.iter().copied().chain(["--protocol", protocol])), &[expected]);
    }
}
