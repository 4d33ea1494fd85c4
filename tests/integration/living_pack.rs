//! `tests/fixtures/living-pack`: a pack of format_version 2, drawn by hand, that uses every kind of line; and what is
//! said when one of them is broken. Fonts, icons and wallpapers are the mini pack's.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use windesk::engine::pack::living::LivingPage;
use windesk::engine::pack::{Pack, open_place};
use windesk::model::Error;
use windesk::model::digest::hex_digest;
use windesk::model::index::SessionIndex;
use windesk::model::pack_format::{Outcome, Platform, UNKNOWN_SESSION};

use crate::command::{finish, windesk};
use crate::mini_pack::{self, copy_folder};
use crate::random_pack::write_json;
use windesk_naive::json_file;

const MAIN: &str = "windows/dimmer/main.json";

/// A copy to change.
pub fn copy() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/living-pack"), copy.path());
    for folder in ["fonts", "icons", "wallpapers"] {
        copy_folder(&mini_pack::folder().join(folder), &copy.path().join(folder));
    }
    copy
}

fn open(pack: &Path) -> Result<Pack, Error> {
    Pack::open(open_place(pack)?)
}

fn living_page(pack: &Pack) -> Result<LivingPage, Error> {
    let at = pack.window_index("dimmer/main").expect("it is in the pack");
    Ok(pack.living_page(at)?.expect("it has a living file"))
}

/// Rewrites the lines of the main page's living file, which then has another name.
pub fn change_lines(pack: &Path, change: impl Fn(&mut Vec<Value>)) {
    let mut capture = json_file(&pack.join(MAIN));
    let folder = pack.join("windows/dimmer");
    let old = folder.join(capture["living"]["file"].as_str().unwrap());
    let text = fs::read_to_string(&old).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    change(&mut lines);
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::remove_file(old).unwrap();
    let digest = hex_digest(text.as_bytes());
    let file = format!("{}.jsonl", &digest[..16]);
    fs::write(folder.join(&file), text).unwrap();
    capture["living"]["file"] = file.into();
    capture["living"]["sha256"] = digest.into();
    write_json(&pack.join(MAIN), &capture);
}

/// The line of this kind and, where one is named, this id or control.
pub fn line<'a>(lines: &'a mut [Value], kind: &str, name: &str) -> &'a mut Value {
    let fits = |line: &&mut Value| {
        line["line"] == kind && (name.is_empty() || ["id", "control", "kind"].iter().any(|key| line[*key] == name))
    };
    lines.iter_mut().find(fits).unwrap_or_else(|| panic!("no {kind} {name}"))
}

/// A change of the living file that must be refused, by these words.
fn refused(change: impl Fn(&mut Vec<Value>), expected: &[&str]) {
    let pack = copy();
    change_lines(pack.path(), change);
    let error = living_page(&open(pack.path()).unwrap()).expect_err("refused").to_string();
    for words in expected {
        assert!(error.contains(words), "{words:?} is not in: {error}");
    }
    // `pack check` says the same, and nothing is half loaded.
    let checked = finish(windesk(["pack", "check", pack.path().to_str().unwrap()]));
    assert_eq!(checked.code, Some(1));
}

#[test]
fn every_kind_of_line_is_read() {
    let pack = copy();
    let pack = open(pack.path()).unwrap();
    let page = living_page(&pack).unwrap();
    assert_eq!(
        [page.controls.len(), page.patches.len(), page.layers.len(), page.rules.len(), page.popups.len(), page.glyphs.len()],
        [12, 14, 3, 3, 1, 1]
    );
    assert_eq!(page.scroll_areas[0].elements[0].name, "Cellar");
    let sessions: Vec<&str> = pack.sessions.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(sessions, ["drawn-dark", "drawn-light"]);
    let platforms: BTreeSet<Platform> = pack.windows.iter().map(|window| window.platform).collect();
    assert_eq!(platforms.len(), 3);
    assert_eq!(pack.evidence.len(), 5);
    let at = pack.window_index("dimmer/main").unwrap();
    let transitions = pack.transitions_of(at, Some(&page)).unwrap();
    let outcomes: BTreeSet<String> = transitions
        .iter()
        .flat_map(|t| &t.outcomes)
        .map(|outcome| serde_json::to_value(outcome).unwrap()["kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(outcomes.len(), 14, "{outcomes:?}");
    assert!(pack.transitions.iter().any(|t| t.outcomes.iter().any(|outcome| matches!(outcome, Outcome::Page { .. }))));
    // What is read is what is written.
    for transition in &pack.transitions {
        let text = serde_json::to_string(&**transition).unwrap();
        assert_eq!(serde_json::from_str::<windesk::model::pack_format::Transition>(&text).unwrap(), **transition);
    }
}

#[test]
fn it_passes_its_check() {
    let pack = copy();
    let path = pack.path().to_str().unwrap();
    assert!(finish(windesk(["pack", "licences", path])).code == Some(0));
    let checked = finish(windesk(["pack", "check", path]));
    let findings = checked.stdout.clone() + &checked.stderr;
    // The drawn elements carry no licence texts and look alike; nothing is wrong with what lives.
    let is_of_page = |l: &&str| l.contains("dimmer/main:") || l.contains("dimmer/maximized:");
    let of_pages: Vec<&str> = findings.lines().filter(is_of_page).collect();
    assert!(of_pages.is_empty(), "{of_pages:#?}");
}

#[test]
fn what_a_page_may_not_say() {
    refused(|l| line(l, "page", "")["patch_version"] = 2.into(), &[".jsonl:1: patch_version: found 2, expected 1"]);
    refused(|l| line(l, "page", "")["page"] = "dimmer/other".into(), &["page: found dimmer/other"]);
    refused(|l| line(l, "page", "")["focus_home"] = "e99".into(), &["focus_home: found element `e99`"]);
    refused(|l| line(l, "page", "")["coverage"]["known"] = 99.into(), &["coverage: found 99 known of 24 elements"]);
    refused(|l| l.swap(0, 1), &[".jsonl:1", "the page's line first"]);
    refused(|l| l.push(l[0].clone()), &["a second page"]);
    refused(|l| line(l, "control", "dim")["colour"] = 1.into(), &["unknown field `colour`"]);
    refused(|l| line(l, "control", "dim")["element"] = "e99".into(), &["element: found element `e99`"]);
    refused(|l| line(l, "control", "dim")["value"] = 3.into(), &["value: found 3, expected a value of control `dim`"]);
    refused(|l| line(l, "control", "level")["id"] = "dim".into(), &["control `dim` twice"]);
    refused(|l| line(l, "control", "level")["values"]["step"] = 0.into(), &["values: found 0 to 100 in steps of 0"]);
    refused(|l| line(l, "control", "level")["values"]["step"] = 1e-300.into(), &["values: found 0 to 100 in steps of"]);
    refused(
        |l| line(l, "control", "level")["click_map"]["area"] = json!([16, 82, 999, 98]),
        &["click_map: found [16, 82, 999, 98], expected a box inside the page"],
    );
    refused(|l| line(l, "control", "level")["click_map"]["scale"]["to"] = 23.into(), &["click_map.scale"]);
    refused(
        |l| line(l, "control", "hours")["click_map"]["stops"][0]["value"] = 4.into(),
        &["click_map: found numbers that grow and fall"],
    );
    refused(|l| line(l, "control", "hours")["click_map"]["stops"][1]["from"] = 300.into(), &["growing positions"]);
    refused(
        |l| line(l, "control", "tab")["click_map"]["regions"][1]["rect"] = json!([110, 180, 130, 191]),
        &["regions that share no pixel"],
    );
    refused(|l| line(l, "control", "name")["text"]["glyphs"] = "none".into(), &["glyphs `none`"]);
    refused(|l| line(l, "control", "name")["text"]["shift"] = 70_000.into(), &["text.shift: found 70000", "parts of a px"]);
    refused(|l| line(l, "control", "name")["text"]["when"] = json!({"none": true}), &["text.when", "`none`"]);
    refused(|l| line(l, "control", "name")["text"]["when"] = json!({"name": ""}), &["text.when: found control `name` itself"]);
    refused(
        |l| line(l, "control", "name")["text"]["caret"] = json!({"rect": [0, -9, 1, 2], "at": [159, 195]}),
        &["text.caret", "inside the atlas"],
    );
    refused(
        |l| line(l, "control", "name")["text"]["caret"] = json!({"rect": [0, -9, 1, 2], "shift": 70_000, "at": [6, 6]}),
        &["text.caret: found [0, -9, 1, 2] with shift 70000"],
    );
}

#[test]
fn what_patches_may_not_say() {
    refused(|l| line(l, "patch", "dim")["control"] = "none".into(), &["control: found control `none`"]);
    refused(|l| line(l, "patch", "dim")["value"] = false.into(), &["another value than that of the page's picture"]);
    refused(|l| line(l, "patch", "dim")["value"] = json!("on"), &["value: found \"on\", expected a value of control `dim`"]);
    refused(
        |l| line(l, "patch", "dim")["areas"][0]["rect"] = json!([20, 50, 9999, 63]),
        &["areas[0]: found [20, 50, 9999, 63], expected a box inside the page"],
    );
    refused(|l| line(l, "patch", "dim")["areas"][0]["at"] = json!([150, 0]), &["of an atlas of 160x200", "inside the atlas"]);
    refused(|l| line(l, "patch", "dim")["areas"][0]["inactive"] = json!([-1, 0]), &["inside the atlas"]);
    refused(|l| line(l, "patch", "dim")["areas"][0]["mask"] = json!([5, 5]), &["found a mask of 10 px, expected 169 px"]);
    refused(|l| line(l, "patch", "dim")["when"] = json!({"dim": false}), &["when: found control `dim` itself"]);
    refused(|l| line(l, "patch", "dim")["elements"][0]["id"] = "e99".into(), &["elements: found element `e99`"]);
    refused(
        |l| line(l, "patch", "warm")["over"] = json!([]),
        &["shares the box [60, 110, 71, 121] with one of control", "`over`"],
    );
    refused(|l| l.push(line(&mut l.clone(), "patch", "dim").clone()), &["a patch for dim = true", "twice"]);
    refused(
        |l| line(l, "patch", "dim")["when"] = json!({"room": "Attic"}),
        &["whose look depends on itself, expected `when` and rules without cycles"],
    );
    refused(|l| line(l, "rule", "derived")["control"] = "dim".into(), &["expected a control of type derived"]);
    refused(|l| line(l, "rule", "conflict")["controls"] = json!(["dim", "dim"]), &["expected two controls"]);
    refused(|l| line(l, "layer", "focus")["element"] = "e99".into(), &["element `e99`"]);
    refused(|l| line(l, "popup", "menu")["rect"] = json!([20, 283, 81, 99_999]), &["px beyond the page"]);
    refused(|l| line(l, "popup", "menu")["elements"][1]["id"] = "m1".into(), &["element `m1` twice on this page"]);
    refused(|l| line(l, "scroll_area", "rooms")["offset"] = json!([0, 290]), &["an offset at which the viewport lies inside"]);
    refused(|l| line(l, "scroll_area", "rooms")["content"]["size"] = json!([90, 60]), &["offset"]);
    refused(|l| line(l, "glyphs", "plain")["kerning"] = json!([["a", "z", 1]]), &["kerning"]);
    refused(|l| line(l, "glyphs", "plain")["parts"] = 0.into(), &["parts: found 0, expected 1 to 65536 parts of a px"]);
    refused(|l| line(l, "glyphs", "plain")["phases"] = 0.into(), &["phases: found 0, expected 1 to 16 pictures"]);
    refused(|l| line(l, "glyphs", "plain")["phases"] = 17.into(), &["phases: found 17"]);
    refused(
        |l| {
            let glyphs = line(l, "glyphs", "plain");
            glyphs["phases"] = 16.into();
            glyphs["glyphs"][1]["at"] = json!([60, 150]);
        },
        &["glyphs 'b': found 112x10 at [60, 150] of an atlas of 160x200", "inside the atlas"],
    );
    refused(
        |l| {
            let glyphs = line(l, "glyphs", "plain");
            glyphs["parts"] = 1.into();
            glyphs["glyphs"][0]["advance"] = 1025.into();
        },
        &["advance 1025, expected 0 to 1024 parts of a px"],
    );
    let deep = (0..20).fold(json!({"is": "changed", "controls": ["dim"]}), |test, _| json!({"is": "not", "test": test}));
    refused(|l| line(l, "rule", "derived")["test"] = deep.clone(), &["tests in tests"]);
}

#[test]
fn numbers_that_are_none() {
    let pack = copy();
    change_lines(pack.path(), |_| {});
    let capture = json_file(&pack.path().join(MAIN));
    let file = pack.path().join("windows/dimmer").join(capture["living"]["file"].as_str().unwrap());
    for number in ["NaN", "1e999", "-Infinity"] {
        let text = fs::read_to_string(&file).unwrap().replacen("\"max\":100", &format!("\"max\":{number}"), 1);
        let digest = hex_digest(text.as_bytes());
        let name = format!("{}.jsonl", &digest[..16]);
        fs::write(file.with_file_name(&name), text).unwrap();
        let mut capture = capture.clone();
        capture["living"]["file"] = name.into();
        capture["living"]["sha256"] = digest.into();
        write_json(&pack.path().join(MAIN), &capture);
        assert!(living_page(&open(pack.path()).unwrap()).is_err(), "{number}");
    }
    // A file that was changed since is not read at all.
    let mut text = fs::read_to_string(&file).unwrap();
    text.push(' ');
    write_json(&pack.path().join(MAIN), &capture);
    fs::write(&file, text).unwrap();
    let error = living_page(&open(pack.path()).unwrap()).unwrap_err().to_string();
    assert!(error.contains("SHA-256") || error.contains("sha256"), "{error}");
}

/// A change of a file of the pack with which it can't be opened.
fn cannot_open(file: &str, change: impl Fn(&mut Value), expected: &[&str]) {
    let pack = copy();
    let path = pack.path().join(file);
    let mut value = json_file(&path);
    change(&mut value);
    write_json(&path, &value);
    let error = open(pack.path()).expect_err("refused").to_string();
    for words in [&[file], expected].concat() {
        assert!(error.contains(words), "{words:?} is not in: {error}");
    }
}

#[test]
fn sessions_are_whole() {
    const LIGHT: &str = "sessions/drawn-light.json";
    let without = |key: &'static str| move |s: &mut Value| drop(s.as_object_mut().unwrap().remove(key));
    cannot_open(LIGHT, without("shell"), &["missing field `shell`"]);
    cannot_open(
        LIGHT,
        |s| s["look"]["font"] = "Comic".into(),
        &["look.font: found Comic, expected a family of fonts/fonts.json"],
    );
    cannot_open(LIGHT, |s| drop(s["look"].as_object_mut().unwrap().remove("font")), &["missing field `font`"]);
    cannot_open(LIGHT, |s| s["clock"] = "2026-02-30T10:00".into(), &["2026-02-30T10:00", "YYYY-MM-DD"]);
    cannot_open(LIGHT, |s| s["shell"]["kind"] = "mac".into(), &["unknown variant `mac`"]);
    cannot_open(LIGHT, |s| s["shell"]["pinned"] = json!(["none"]), &["shell.pinned: found none"]);
    cannot_open(LIGHT, |s| s["pointer"]["hotspot"] = json!([24, 0]), &["pointer.hotspot: found [24, 0]"]);
    cannot_open(LIGHT, |s| s["wallpapers"] = json!(["none"]), &["wallpapers: found none"]);
    cannot_open(LIGHT, |s| s["id"] = "other".into(), &["session `other`"]);
    cannot_open(MAIN, |c| c["scale"] = 2.into(), &["scale: found 2, expected 1, that of session drawn-light"]);
    cannot_open(MAIN, without("session"), &["session: found nothing, expected the id of a session of this pack"]);
    cannot_open(MAIN, |c| c["session"] = "none".into(), &["session: found none"]);
    cannot_open(
        MAIN,
        |c| c["newest_date"] = "2026-11-24".into(),
        &["newest_date: found 2026-11-24T00:00", "the clock of session"],
    );
    cannot_open(MAIN, |c| c["format_version"] = 1.into(), &["format_version: found 1, expected 2"]);
    cannot_open(MAIN, |c| c["living"]["file"] = "../../x.jsonl".into(), &["living.file: found ../../x.jsonl"]);
    const PAGE: &str = "windows/reader/shop-page.json";
    cannot_open(PAGE, |c| c["inside"]["at"] = json!([0, 100]), &["inside", "a place inside `reader/shop`"]);
    cannot_open(PAGE, |c| c["platform"] = "desktop".into(), &["inside: found a window of a desktop"]);
}

#[test]
fn two_clocks_in_one_session() {
    let pack = copy();
    let path = pack.path().join("sessions/drawn-light.json");
    let text = fs::read_to_string(&path).unwrap().replacen('{', "{\"clock\": \"2026-11-20T09:00\",", 1);
    fs::write(&path, text).unwrap();
    let error = open(pack.path()).unwrap_err().to_string();
    assert!(error.contains("sessions/drawn-light.json") && error.contains("duplicate field `clock`"), "{error}");
}

#[test]
fn transitions_that_lead_nowhere() {
    for (from, to, expected) in [
        ("\"to\": \"dimmer/preferences\"", "\"to\": \"dimmer/none\"", "window `dimmer/none`"),
        ("\"element\": null", "\"element\": null, \"element\": \"e1\"", "duplicate field `element`"),
        ("[{\"kind\": \"minimised\"}]", "[]", "no outcome"),
        (
            "[{\"kind\": \"minimised\"}]",
            "[{\"kind\": \"minimised\"}, {\"kind\": \"inert\"}]",
            "`inert` or `unmodelled` among other outcomes",
        ),
        ("[{\"kind\": \"minimised\"}]", "[{\"kind\": \"vanished\"}]", "unknown variant `vanished`"),
        ("{\"key\": \"Escape\"}", "\"click\"", "`click` without an element"),
        (
            "\"to\": \"dimmer/maximized\"",
            "\"to\": \"dimmer/preferences\"",
            "`carries` from `dimmer/main` to `dimmer/preferences`",
        ),
        ("\"to\": \"dimmer/maximized\"", "\"to\": null", "`carries` from `dimmer/main` to no page"),
        ("\"focus\": true, \"without\"", "\"scrolled\": true, \"without\"", "unknown field `scrolled`"),
    ] {
        let pack = copy();
        let path = pack.path().join("windows/dimmer/transitions.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let error = open(pack.path()).unwrap_err().to_string();
        assert!(error.contains("transitions.jsonl:") && error.contains(expected), "{expected}: {error}");
    }
    for (from, to, expected) in [
        ("\"popup\": \"menu\"", "\"popup\": \"none\"", "popup `none`"),
        ("\"element\": \"m1\"", "\"element\": \"m9\"", "element `m9`"),
        ("\"element\": \"e6\"", "\"focused\": [\"e99\"], \"element\": \"e6\"", "focused `e99`"),
        ("\"area\": \"rooms\"", "\"area\": \"none\"", "scroll area `none`"),
        ("\"control\": \"tint\"", "\"control\": \"none\"", "control `none`"),
        ("\"control\": \"name\"", "\"control\": \"dim\"", "whose values are texts"),
        ("\"to\": 0}", "\"to\": 101}", "a change that its values allow"),
        ("[[48, 90], [96, 90]]", "[[48, 90], [9999, 90]]", "points on the page"),
    ] {
        let pack = copy();
        let path = pack.path().join("windows/dimmer/transitions.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let pack = open(pack.path()).unwrap();
        let page = living_page(&pack).unwrap();
        let at = pack.window_index("dimmer/main").unwrap();
        let error = pack.transitions_of(at, Some(&page)).unwrap_err().to_string();
        assert!(error.contains("dimmer/main") && error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn values_that_nothing_sets_and_wrong_counts_are_found() {
    let pack = copy();
    change_lines(pack.path(), |lines| {
        line(lines, "control", "tab")["values"]["values"] = json!(["Day", "Night", "Dusk"]);
        line(lines, "page", "")["coverage"]["known"] = 3.into();
    });
    let checked = finish(windesk(["pack", "check", pack.path().to_str().unwrap()]));
    let out = checked.stdout.clone() + &checked.stderr;
    for expected in [
        "control tab: nothing sets it to \"Dusk\"",
        "control tab: no patch shows it at \"Dusk\"",
        "coverage: 3 of 24 elements known, counted 23 of 24",
    ] {
        assert!(out.contains(expected), "{expected:?} is not in:\n{out}");
    }
}

#[test]
fn controls_that_two_pages_do_not_have_alike_are_named() {
    let pack = copy();
    change_lines(pack.path(), |lines| line(lines, "control", "level")["values"]["max"] = 120.into());
    let path = pack.path().join("windows/dimmer/transitions.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("\"cold\", ", "", 1).replacen("\"hours\", ", "\"hours\", \"dim\", ", 1)).unwrap();
    let checked = finish(windesk(["pack", "check", pack.path().to_str().unwrap()]));
    let out = checked.stdout.clone() + &checked.stderr;
    for expected in [
        "carried to dimmer/maximized: control level is not the same on both pages",
        "carried to dimmer/maximized: control cold is not the same on both pages",
        "carried to dimmer/maximized: `without` names control dim",
        "dimmer/maximized: `click` on e18, carried to dimmer/main: control level is not the same",
    ] {
        assert!(out.contains(expected), "{expected:?} is not in:\n{out}");
    }
}

#[test]
fn version_1_is_one_unknown_session() {
    let pack = mini_pack::pack();
    assert_eq!(pack.sessions.len(), 1);
    assert!(pack.sessions[SessionIndex(0)].id == UNKNOWN_SESSION && pack.sessions[SessionIndex(0)].record.is_none());
    let copy = mini_pack::copy();
    let path = copy.path().join("windows/gajim/main.json");
    let mut capture = json_file(&path);
    capture["session"] = "drawn-light".into();
    write_json(&path, &capture);
    let error = open(copy.path()).unwrap_err().to_string();
    assert!(error.contains("windows/gajim/main.json: session") && error.contains("format_version 2"), "{error}");
}

#[test]
fn a_pack_of_version_1_is_migrated() {
    let place = tempfile::tempdir().unwrap();
    let mut light =
        json_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/living-pack/sessions/drawn-light.json"));
    light["shell"]["pinned"] = json!([]);
    let mut dark = light.clone();
    dark["id"] = "drawn-dark".into();
    let plan =
        json!({"sessions": [light, dark], "windows": [{"dark": true, "session": "drawn-dark"}, {"session": "drawn-light"}]});
    write_json(&place.path().join("plan.json"), &plan);
    let old = mini_pack::folder();
    let run = |out: &str, plan: &str| {
        let mut command = windesk(["pack", "migrate", old.to_str().unwrap(), "--sessions", plan, "--out", out]);
        command.current_dir(place.path());
        finish(command)
    };
    let done = run("new", "plan.json");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let (former, current) = (mini_pack::pack(), open(&place.path().join("new")).unwrap());
    assert_eq!(former.windows.len(), current.windows.len());
    assert_eq!(former.transitions, current.transitions);
    for (one, other) in former.windows.iter().zip(&current.windows) {
        assert_eq!((&one.id, &one.image, one.elements.len()), (&other.id, &other.image, other.elements.len()));
        let session = if one.dark { "drawn-dark" } else { "drawn-light" };
        assert_eq!(current.sessions[other.session].id, session, "{}", one.id);
    }
    // A window that no rule fits, and a second migration.
    write_json(&place.path().join("part.json"), &json!({"sessions": [], "windows": []}));
    let refused = run("other", "part.json");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("no rule for"), "{}", refused.stderr);
    let again = ["pack", "migrate", "new", "--sessions", "plan.json", "--out", "third"];
    let mut command = windesk(again);
    command.current_dir(place.path());
    let refused = finish(command);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("format_version 2"));
    assert!(!place.path().join("other").exists() && !place.path().join("third").exists());
}
