//! What a session says of looks: one shadow for all of its windows, whatever toolkit drew them, and a mouse pointer.

use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Value, json};
use windesk::engine::annotate::annotate;
use windesk::engine::pack::{Focus, IndexedPack, Pack, open_place};
use windesk::engine::planner::TargetPool;
use windesk::engine::referee::{recount, verify};
use windesk::engine::render::Renderer;
use windesk::engine::study::Study;
use windesk::model::condition::{Condition, Pairing};
use windesk::model::geometry::{Point, Rect};
use windesk::model::plan::{Plan, PlannedPointer};

use crate::command::{finish, refused, windesk};
use crate::hashed_words::write_index;
use crate::mini_pack;
use crate::random_pack::write_json;
use windesk_naive::json_file;

/// The mini pack as one of version 2, of which all windows belong to one session.
struct Migrated {
    folder: tempfile::TempDir,
    pack: IndexedPack,
}

fn migrated() -> &'static Migrated {
    static MIGRATED: OnceLock<Migrated> = OnceLock::new();
    MIGRATED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/living-pack/sessions/drawn-light.json");
        let mut session = json_file(&fixture);
        session["shell"]["pinned"] = json!([]);
        // The icons of other shells are not in this small pack.
        session["shell"]["kind"] = "taskbar".into();
        session["clock"] = "2027-11-23T10:20".into();
        write_json(&folder.path().join("plan.json"), &json!({"sessions": [session], "windows": [{"session": "drawn-light"}]}));
        let old = mini_pack::folder();
        let mut command = windesk(["pack", "migrate", old.to_str().unwrap(), "--sessions", "plan.json", "--out", "new"]);
        command.current_dir(folder.path());
        let done = finish(command);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let new = folder.path().join("new");
        write_index(&new, 16);
        let pack = Pack::open(open_place(&new).unwrap()).and_then(Pack::indexed).unwrap_or_else(|error| panic!("{error}"));
        Migrated { folder, pack }
    })
}

fn plans(conditions: &[Condition], pairing: Pairing, indices: std::ops::Range<u64>) -> Vec<Vec<Plan>> {
    let pack = &migrated().pack;
    let conditions = conditions.to_vec();
    let pool = TargetPool::new(pack, &conditions).unwrap();
    let study = Study { name: "looks".to_owned(), sweep: None, pairing, conditions, seed: 4, traverse: false };
    indices.filter_map(|index| study.outcome(pack, &pool, index).unwrap().plans).collect()
}

/// Alphas of a shadow's column in the middle of a window, from the frame on downwards.
fn below_the_frame(pack: &Pack, window: windesk::model::index::WindowIndex, active: bool) -> Vec<u8> {
    let (shadow, place) = pack.painted_shadow(window, active).unwrap().expect("the session has a rule");
    let frame = pack.windows[window].frame;
    let column = Rect::at(frame.centre().x - place.x, frame.y1() - place.y, 1, 14);
    shadow.rgba_in(column).unwrap().as_chunks::<4>().0.iter().map(|pixel| pixel[3]).collect()
}

#[test]
fn windows_of_all_toolkits_cast_the_shadow_of_their_session() {
    let pack = &migrated().pack;
    let mut styles = std::collections::BTreeSet::new();
    for active in [true, false] {
        let plain = pack.windows.iter_enumerated().filter(|(_, w)| w.popups.is_empty() && w.frame.width() > 120);
        let shadows: Vec<Vec<u8>> = plain
            .map(|(at, w)| {
                styles.insert(w.frame_style.clone());
                below_the_frame(pack, at, active)
            })
            .collect();
        assert!(shadows.len() > 8 && shadows[0][0] > 20, "{shadows:?}");
        assert!(shadows.iter().all(|shadow| *shadow == shadows[0]), "one rule: {shadows:?}");
    }
    assert!(styles.len() > 1, "several toolkits: {styles:?}");
    let first = windesk::model::index::WindowIndex(0);
    assert_ne!(below_the_frame(pack, first, true), below_the_frame(pack, first, false));
    assert!(mini_pack::pack().painted_shadow(first, true).unwrap().is_none(), "without a session a picture keeps its shadow");
}

#[test]
fn a_cut_picture_ends_at_its_frame_and_menus() {
    for pack in [mini_pack::pack(), &migrated().pack] {
        for (at, window) in pack.windows.iter_enumerated() {
            for focus in [Focus::Active, Focus::Inactive] {
                let (cut, captured) = (pack.cut_pixels(at, focus).unwrap(), pack.captured_pixels(at, focus).unwrap());
                let all = window.size.rect();
                let boxes: Vec<Rect> = std::iter::once(window.frame).chain(window.popups.iter().copied()).collect();
                let (of_cut, of_captured) = (cut.rgba_in(all).unwrap(), captured.rgba_in(all).unwrap());
                let mut taken = 0;
                for (offset, (now, before)) in of_cut.as_chunks::<4>().0.iter().zip(of_captured.as_chunks::<4>().0).enumerate() {
                    let p = Point { x: offset as i32 % all.width(), y: offset as i32 / all.width() };
                    let inside = boxes.iter().any(|own| own.contains(p));
                    // A line of one pixel belongs to the frame.
                    let beside = boxes
                        .iter()
                        .any(|own| Rect::at(own.x0() - 1, own.y0() - 1, own.width() + 2, own.height() + 2).contains(p));
                    assert!(now[3] <= before[3], "{} {focus:?} {p:?}: {before:?} became {now:?}", window.id);
                    assert!(beside || now[3] == 0, "{} {focus:?} {p:?}: {now:?}", window.id);
                    assert!(!(inside && before[3] == 255) || now == before, "{} {focus:?} {p:?}", window.id);
                    taken += u64::from(before[3] > now[3]);
                }
                assert!(taken > 500 || window.size.rect() == window.frame, "{} {focus:?}: {taken} px of shadow", window.id);
            }
        }
    }
}

#[test]
fn shadows_of_sessions_belong_to_no_window() {
    let pack = &migrated().pack;
    for (at, window) in pack.windows.iter_enumerated() {
        let pixels = pack.pixels(at, Focus::Active).unwrap();
        let rgba = pixels.rgba_in(window.size.rect()).unwrap();
        let boxes: Vec<Rect> = std::iter::once(window.frame).chain(window.popups.iter().copied()).collect();
        for y in 0..window.size.height as i32 {
            for x in 0..window.size.width as i32 {
                let p = Point { x, y };
                let own = pixels.shape().row(y).iter().any(|&(a, b)| (a..b).contains(&x));
                let solid = rgba[(y * window.size.width as i32 + x) as usize * 4 + 3] >= 128;
                assert_eq!(own, solid && boxes.iter().any(|b| b.contains(p)), "{} {p:?}", window.id);
            }
        }
    }
}

#[test]
fn scenes_of_a_session_are_exact_and_files_show_what_is_composed() {
    let pack = &migrated().pack;
    let renderer = Renderer::new(pack).unwrap();
    for chrome in ["full", "none"] {
        let condition = mini_pack::level(&[&format!("chrome={chrome}")]);
        for plans in plans(std::slice::from_ref(&condition), Pairing::Targets, 0..3) {
            let truth = annotate(pack, &plans[0], "looks").unwrap();
            assert_eq!(recount(pack, &plans[0], &truth).unwrap(), []);
            let png = image::load_from_memory(&renderer.encode_png(&plans[0]).unwrap()).unwrap().into_rgb8();
            assert!(png.into_raw() == renderer.render(&plans[0]).unwrap().rgb, "{chrome}");
        }
    }
}

fn without_pointer(plan: &Plan) -> Plan {
    Plan { pointer: None, ..plan.clone() }
}

#[test]
fn the_pointer_hides_nothing_that_is_promised_and_counts_for_what_it_hides() {
    let pack = &migrated().pack;
    let renderer = Renderer::new(pack).unwrap();
    let condition = mini_pack::level(&["targets_per_scene=3"]);
    let (mut shown, mut hidden_px) = (0, 0);
    for plans in plans(std::slice::from_ref(&condition), Pairing::Targets, 0..14) {
        let plan = &plans[0];
        let Some(pointer) = &plan.pointer else { continue };
        shown += 1;
        let bbox = pointer.bbox();
        assert!(plan.canvas.rect().covers(bbox) && bbox.contains(pointer.hotspot), "{pointer:?}");
        let (with, without) = (annotate(pack, plan, "looks").unwrap(), annotate(pack, &without_pointer(plan), "looks").unwrap());
        assert_eq!(recount(pack, plan, &with).unwrap(), []);
        assert_eq!(with.pointer.unwrap().bbox, bbox);
        assert_eq!(with.targets[0].visible_mask, without.targets[0].visible_mask);
        // Whatever else it lies on loses exactly its solid pixels: no more than it has.
        let solid = pack.pointer_pixels(&pointer.icon, pointer.side_px).unwrap().shape().count_in(bbox.moved(-bbox.origin()));
        for (now, before) in with.elements.iter().zip(&without.elements) {
            let lost = before.visible_px - now.visible_px;
            assert!(lost <= solid && (lost == 0 || now.bbox.touches(bbox)), "{}: {lost} px", now.id);
            hidden_px += lost;
        }
        // It is above everything: the picture differs there and nowhere else.
        let (drawn, bare) = (renderer.render(plan).unwrap(), renderer.render(&without_pointer(plan)).unwrap());
        let width = plan.canvas.width as i32;
        let differing: Vec<Point> = drawn
            .rgb
            .chunks(3)
            .zip(bare.rgb.chunks(3))
            .enumerate()
            .filter(|(_, (a, b))| a != b)
            .map(|(at, _)| Point { x: at as i32 % width, y: at as i32 / width })
            .collect();
        assert!(!differing.is_empty() && differing.iter().all(|&p| bbox.contains(p)), "{pointer:?}");
        let png = image::load_from_memory(&renderer.encode_png(plan).unwrap()).unwrap().into_rgb8();
        assert!(png.into_raw() == drawn.rgb);
    }
    assert!(shown > 3 && hidden_px > 0, "{shown} scenes with a pointer, {hidden_px} px hidden");
}

#[test]
fn the_referee_sees_a_pointer_on_the_target() {
    let pack = &migrated().pack;
    let condition = mini_pack::level(&[]);
    let plans = plans(std::slice::from_ref(&condition), Pairing::Targets, 0..6);
    let plan = &plans.iter().map(|plans| &plans[0]).find(|plan| plan.pointer.is_some()).expect("one of six has a pointer");
    assert_eq!(verify(pack, &condition, plan).unwrap(), []);
    let target = annotate(pack, plan, "looks").unwrap().targets[0].click_point.unwrap();
    let pointer = plan.pointer.as_ref().unwrap();
    let moved = PlannedPointer { origin: target - (pointer.hotspot - pointer.origin), hotspot: target, ..pointer.clone() };
    let on_target = Plan { pointer: Some(moved), ..(*plan).clone() };
    let said = verify(pack, &condition, &on_target).unwrap();
    assert!(said.iter().any(|v| v.0.contains("the pointer at") && v.0.contains("lies on")), "{said:?}");
    let none = mini_pack::level(&["pointer=none"]);
    let said = verify(pack, &none, plan).unwrap();
    assert!(said.iter().any(|v| v.0.contains("a pointer, expected none")), "{said:?}");
}

#[test]
fn an_open_menu_has_the_pointer_at_it() {
    let pack = &migrated().pack;
    let condition = mini_pack::level(&[]);
    let mut menus = 0;
    for plans in plans(std::slice::from_ref(&condition), Pairing::Targets, 0..200) {
        let plan = &plans[0];
        let top = plan.placements.last().unwrap();
        let window = &pack.windows[pack.window_index(&top.window).unwrap()];
        let Some(popup) = window.popups.last() else { continue };
        menus += 1;
        let on_screen = popup.moved(top.origin);
        let reach = Rect::at(on_screen.x0() - 60, on_screen.y0() - 60, on_screen.width() + 120, on_screen.height() + 120);
        let pointer = plan.pointer.as_ref().unwrap_or_else(|| panic!("index {}: a menu without a pointer", plan.key.index));
        assert!(reach.contains(pointer.hotspot), "{pointer:?} and {on_screen:?}");
    }
    assert!(menus > 0, "no scene with an open menu");
}

#[test]
fn no_pointer_where_none_is_wanted_and_one_place_in_a_sweep() {
    let all = [mini_pack::level(&["name=all"]), mini_pack::level(&["name=none", "pointer=none"])];
    let mut seen = 0;
    for plans in plans(&all, Pairing::Scenes, 0..5) {
        assert_eq!(plans[1].pointer, None);
        assert_eq!(plans[0].placements, plans[1].placements);
        seen += usize::from(plans[0].pointer.is_some());
    }
    assert!(seen > 0);
    let bands =
        [mini_pack::level(&["name=a", "visible_ratio=[0.4, 0.5]"]), mini_pack::level(&["name=b", "visible_ratio=[0.7, 0.8]"])];
    for plans in plans(&bands, Pairing::Scenes, 0..5) {
        assert_eq!(plans[0].pointer, plans[1].pointer);
    }
    // Packs without sessions have none.
    let pool = TargetPool::new(mini_pack::pack(), &all[..1]).unwrap();
    let study = Study {
        name: "old".to_owned(),
        sweep: None,
        pairing: Pairing::Targets,
        conditions: all[..1].to_vec(),
        seed: 4,
        traverse: false,
    };
    assert!(study.outcome(mini_pack::pack(), &pool, 0).unwrap().plans.unwrap()[0].pointer.is_none());
}

#[test]
fn the_option_and_old_records() {
    let Migrated { folder, .. } = migrated();
    let synth = |more: &[&str], out: &str| {
        let mut command = windesk(["synth", "--pack", "new", "--level", "level.toml", "--n", "4", "--out", out]);
        command.args(more).current_dir(folder.path());
        command
    };
    std::fs::write(folder.path().join("level.toml"), mini_pack::LEVEL).unwrap();
    for (more, out) in [(&[][..], "with"), (&["--pointer", "none"][..], "without")] {
        let done = finish(synth(more, out));
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let scenes = std::fs::read_dir(folder.path().join(out).join("scenes")).unwrap().map(|entry| entry.unwrap().path());
        let records: Vec<Value> = scenes.flat_map(|path| windesk_naive::json_lines(&path)).collect();
        let pointers = records.iter().filter(|record| record.get("pointer").is_some()).count();
        assert_eq!(pointers > 0, out == "with", "{pointers} of {}", records.len());
        let verified = finish({
            let mut command = windesk(["verify", out, "--pack", "new"]);
            command.current_dir(folder.path());
            command
        });
        assert_eq!(verified.code, Some(0), "{}", verified.stderr);
    }
    refused(synth(&["--pointer", "arrow"], "other"), &["pointer", "`session`", "`none`"]);
    refused(synth(&["--pointer", "none", "--protocol", "windeskground"], "other"), &["pointer is changed"]);
}
