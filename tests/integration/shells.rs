//! Shells of sessions: what surrounds the windows of one person's desktop.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use windesk::engine::annotate::annotate;
use windesk::engine::pack::{IndexedPack, Pack, open_place};
use windesk::engine::planner::TargetPool;
use windesk::engine::referee::{recount, verify};
use windesk::engine::render::Renderer;
use windesk::engine::study::Study;
use windesk::model::Error;
use windesk::model::condition::{Condition, Pairing};
use windesk::model::desktop::{Network, end_of_capture, in_work_hours, shell_icons, work_area};
use windesk::model::digest::hex_digest;
use windesk::model::moment::Moment;
use windesk::model::pack_format::{ShellKind, Side};
use windesk::model::plan::Plan;

use crate::hashed_words;
use crate::mini_pack::{self, copy_folder, level};
use crate::random_pack::write_json;
use windesk_naive::json_file;

/// Scenes looked at.
const SCENES: u64 = 24;
/// What its only window with a date shows.
const NEWEST: &str = "2026-11-23T21:30";
/// When the programs of the session were started.
const CLOCK: &str = "2026-11-23T10:20";
const PINNED: [&str; 3] = ["mate-calc", "gajim", "celluloid"];
const FILES: [&str; 5] = ["Home", "Invoices", "notes.txt", "plan.odt", "trip.jpg"];

/// The mini pack as one session with this shell.
fn write_pack(root: &Path, kind: &str, own_icons: &[&str]) {
    copy_folder(&mini_pack::folder(), root);
    let header = root.join("pack.json");
    let mut pack = json_file(&header);
    pack["format_version"] = 2.into();
    write_json(&header, &pack);
    for program in fs::read_dir(root.join("windows")).unwrap().map(|entry| entry.unwrap().path()) {
        for path in fs::read_dir(&program).unwrap().map(|entry| entry.unwrap().path()) {
            let is_capture = path.extension().is_some_and(|e| e == "json") && !path.ends_with("program.json");
            if is_capture {
                let mut capture = json_file(&path);
                capture["format_version"] = 2.into();
                capture["session"] = "desk".into();
                if capture["id"] == "gajim/main" {
                    capture["newest_date"] = NEWEST.into();
                }
                write_json(&path, &capture);
            }
        }
    }
    let list = root.join("icons/icons.json");
    let mut icons: Vec<Value> = serde_json::from_value(json_file(&list)).unwrap();
    for id in own_icons {
        let file = format!("{id}.svg");
        let svg =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"16\" height=\"16\"><circle cx=\"8\" cy=\"8\" r=\"6\"/></svg>";
        fs::write(root.join("icons").join(&file), svg).unwrap();
        icons.push(json!({"id": id, "file": file, "sha256": hex_digest(svg.as_bytes()), "label": id, "use": ["tray"],
            "author": "drawn", "source": "drawn", "licence": "CC0-1.0"}));
    }
    icons.sort_by_key(|icon| icon["id"].as_str().unwrap().to_owned());
    write_json(&list, &icons.into());
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/living-pack/sessions/drawn-light.json");
    let mut session = json_file(&fixture);
    session["id"] = "desk".into();
    session["clock"] = CLOCK.into();
    session["shell"] = json!({"kind": kind, "clock_format": "24h", "date_format": "weekday_day_month", "pinned": PINNED});
    let files: Vec<Value> = FILES.iter().map(|label| json!({"label": label, "icon": "folder_flat"})).collect();
    session["desktop"] = json!({"icons": files, "side": "right"});
    fs::create_dir_all(root.join("sessions")).unwrap();
    write_json(&root.join("sessions/desk.json"), &session);
}

/// Pictures are read when they are needed: the folder stays as long as the pack.
fn open(kind: &str, own_icons: &[&str]) -> Result<(TempDir, IndexedPack), Error> {
    let folder = tempfile::tempdir().unwrap();
    write_pack(folder.path(), kind, own_icons);
    hashed_words::write_index(folder.path(), 16);
    let pack = Pack::open(open_place(folder.path())?)?.indexed()?;
    Ok((folder, pack))
}

fn pack_of(kind: &str, shell: ShellKind) -> (TempDir, IndexedPack) {
    open(kind, &shell_icons(shell)).unwrap_or_else(|error| panic!("{error}"))
}

fn plans(pack: &IndexedPack, sets: &[&str]) -> (Condition, Vec<Plan>) {
    let condition = level(&[&["visible_ratio=1.0..1.0", "windows=2..4"], sets].concat());
    let conditions = vec![condition.clone()];
    let pool = TargetPool::new(pack, &conditions).unwrap();
    let study = Study { name: "shells".to_owned(), sweep: None, pairing: Pairing::Targets, conditions, seed: 5, traverse: false };
    let planned = (0..SCENES).filter_map(|index| study.outcome(pack, &pool, index).unwrap().plans);
    (condition, planned.map(|mut plans| plans.remove(0)).collect())
}

/// What holds of every scene of a session.
fn check(pack: &IndexedPack, shell: ShellKind, condition: &Condition, plan: &Plan) {
    let chrome = &plan.chrome;
    assert_eq!(verify(pack, condition, plan).unwrap(), []);
    assert_eq!(chrome.shell, shell);
    let truth = annotate(pack, plan, "s").unwrap();
    assert_eq!(recount(pack, plan, &truth).unwrap(), []);
    let shown = |id: &str| plan.placements.iter().any(|p| p.window == id);
    // Dates in windows may be overlooked: the clock is later than the captures, too.
    let captured = end_of_capture(CLOCK.parse().unwrap());
    let latest = if shown("gajim/main") { NEWEST.parse::<Moment>().unwrap().max(captured) } else { captured };
    let clock = chrome.clock.unwrap();
    assert!(latest < clock && clock <= latest.plus_minutes(24 * 60) && in_work_hours(clock), "{latest} {clock}");
    assert!(chrome.date.starts_with(&clock.weekday()[..3]), "{}", chrome.date);
    let places: Vec<usize> = chrome.icons.iter().map(|icon| FILES.iter().position(|file| *file == icon.label).unwrap()).collect();
    assert!(places.is_sorted() && (places.is_empty() || places.len() >= 3), "{places:?}");
    let pinned = chrome.items.iter().take(PINNED.len()).map(|item| item.name.as_str());
    let names = PINNED.map(|id| pack.programs.iter().find(|p| p.record.id == id).unwrap().record.name.as_str());
    assert!(pinned.eq(names), "{:?}", chrome.items);
    assert!(chrome.items.iter().skip(PINNED.len()).all(|item| item.is_running()), "{:?}", chrome.items);
}

#[test]
fn a_panel_shows_the_sessions_programs_clock_and_files() {
    let (_folder, pack) = pack_of("panel", ShellKind::Panel);
    let (condition, plans) = plans(&pack, &[]);
    for plan in &plans {
        check(&pack, ShellKind::Panel, &condition, plan);
        assert!(!plan.chrome.dock && plan.chrome.side == Side::Left);
    }
    let trays: BTreeSet<bool> = plans.iter().map(|plan| plan.chrome.tray.network == Network::Wired).collect();
    assert_eq!(trays.len(), 2, "the tray varies");
    let empty = plans.iter().filter(|plan| plan.chrome.icons.is_empty()).count();
    assert!(empty > 0 && empty < plans.len(), "{empty} of {} without icons", plans.len());
}

#[test]
fn a_dock_is_out_exactly_where_no_window_reaches_it() {
    let (_folder, pack) = pack_of("top_bar_and_dock", ShellKind::TopBarAndDock);
    let renderer = Renderer::new(&pack).unwrap();
    let (condition, plans) = plans(&pack, &["canvas=[2560, 1440]"]);
    let mut out = 0;
    for plan in &plans {
        check(&pack, ShellKind::TopBarAndDock, &condition, plan);
        assert_eq!((plan.chrome.side, work_area(plan.canvas, plan.chrome.mode, plan.chrome.shell).y0()), (Side::Right, 48));
        let dock = plan.chrome.dock_place(plan.canvas).unwrap();
        let reached = plan.placements.iter().any(|placed| {
            let window = &pack.windows[pack.window_index(&placed.window).unwrap()];
            window.size.rect().moved(placed.origin).touches(dock)
        });
        assert_eq!(plan.chrome.dock, !reached);
        if plan.chrome.dock {
            if out == 0 {
                let png = image::load_from_memory(&renderer.encode_png(plan).unwrap()).unwrap().into_rgb8();
                assert!(png.into_raw() == renderer.render(plan).unwrap().rgb);
            }
            out += 1;
        }
        // The referee sees a dock under a window, a shell of nobody's, and a clock that is late.
        type Edit = fn(&mut Plan);
        let edits: [Edit; 3] = [
            |plan| plan.chrome.dock = true,
            |plan| plan.chrome.shell = ShellKind::Panel,
            |plan| plan.chrome.clock = Some("2026-11-22T10:00".parse().unwrap()),
        ];
        let must_fail = [reached, true, true];
        for (edit, must_fail) in edits.into_iter().zip(must_fail) {
            let mut plan = plan.clone();
            edit(&mut plan);
            assert!(!must_fail || !verify(&pack, &condition, &plan).unwrap().is_empty());
        }
    }
    assert!(out > 0 && out < plans.len(), "{out} of {}", plans.len());
}

#[test]
fn scenes_of_a_sweep_share_clock_and_dock() {
    let (_folder, pack) = pack_of("top_bar_and_dock", ShellKind::TopBarAndDock);
    let conditions: Vec<Condition> =
        [2, 4].into_iter().map(|n| level(&["visible_ratio=1.0..1.0", &format!("windows={n}")])).collect();
    let pool = TargetPool::new(&pack, &conditions).unwrap();
    let study = Study { name: "s".to_owned(), sweep: None, pairing: Pairing::Scenes, conditions, seed: 5, traverse: false };
    let all: Vec<Vec<Plan>> = (0..SCENES / 2).filter_map(|index| study.outcome(&pack, &pool, index).unwrap().plans).collect();
    assert!(!all.is_empty());
    for plans in all {
        assert_eq!((plans[0].chrome.clock, plans[0].chrome.dock), (plans[1].chrome.clock, plans[1].chrome.dock));
    }
}

#[test]
fn shadows_come_without_a_shell() {
    let (_folder, pack) = pack_of("panel", ShellKind::Panel);
    let (condition, plans) = plans(&pack, &["chrome=shadows"]);
    for plan in &plans {
        assert_eq!(verify(&pack, &condition, plan).unwrap(), []);
        assert!(plan.chrome.items.is_empty() && plan.chrome.icons.is_empty() && plan.chrome.time.is_empty());
        assert_eq!(plan.chrome.bars(plan.canvas).count(), 0);
    }
    let shown = |set: &str| {
        Renderer::new(&pack)
            .unwrap()
            .render(&Plan { chrome: self::plans(&pack, &[set]).1[0].chrome.clone(), ..plans[0].clone() })
            .unwrap()
    };
    assert!(shown("chrome=shadows") != shown("chrome=none"), "shadows show");
}

#[test]
fn a_pack_without_the_icons_of_a_shell_says_which() {
    let error = open("panel", &shell_icons(ShellKind::Panel)[1..]).unwrap_err().to_string();
    for words in ["sessions/desk.json: shell.kind", "panel", shell_icons(ShellKind::Panel)[0]] {
        assert!(error.contains(words), "{words:?} is not in: {error}");
    }
}
