//! State instances: datasets of them are as all others, the oracle is right, and what was changed is found.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use windesk::model::setting::{ClickToState, StateInstance};

use crate::command::{done, finish, refused, succeeds, tree, windesk};
use crate::killed::resumes_from_moments;

/// Makes state instances of the default pack.
fn make(out: &Path, more: &[&str]) {
    let args = ["states", "--seed", "3", "--out", out.to_str().unwrap()];
    succeeds(args.into_iter().chain(more.iter().copied()));
}

fn instances(folder: &Path) -> Vec<StateInstance> {
    let text = fs::read_to_string(folder.join("states/part-00000.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

#[test]
fn datasets_of_states_are_the_same_however_they_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let with = |name: &str, more: &[&str]| make(&place(name), &[&["--n", "8"], more].concat());
    with("one", &["--threads", "1"]);
    with("two", &["--threads", "2"]);
    assert_eq!(tree(&place("one")), tree(&place("two")));
    with("first", &["--shard", "0/2"]);
    with("second", &["--shard", "1/2"]);
    let shards = ["first", "second"].map(|name| place(name).to_str().unwrap().to_owned());
    succeeds(["merge", &shards[0], &shards[1], "--out", place("merged").to_str().unwrap()]);
    assert_eq!(tree(&place("one")), tree(&place("merged")));
    assert_eq!(succeeds(["verify", place("one").to_str().unwrap()]).stdout, "");
}

#[test]
fn states_killed_at_six_moments_resume_to_the_same_bytes() {
    resumes_from_moments(6, |out| {
        windesk(["states", "--n", "12", "--platform", "web", "--seed", "3", "--out", out.to_str().unwrap()])
    });
}

/// Every component type of every platform has its turn within as many instances as there are of both together.
#[test]
fn the_oracle_sets_every_state_of_every_type() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("states");
    make(&out, &["--n", "69"]);
    let all = instances(&out);
    assert_eq!(all.len(), 69);
    let types: BTreeSet<_> = all.iter().map(|instance| instance.component.clone().unwrap()).collect();
    assert_eq!(types.len(), 23, "{types:?}");
    let platforms: BTreeSet<_> = all.iter().map(|instance| instance.platform.clone().unwrap()).collect();
    assert_eq!(platforms, BTreeSet::from(["desktop", "mobile-web", "web"].map(str::to_owned)));
    for instance in &all {
        assert_ne!(instance.current_state, instance.target_state, "{}", instance.id);
        assert!(instance.click_to_state.is_some() || instance.drag_to_state.is_some(), "{}", instance.id);
    }
    let only_by_drag = all.iter().filter(|instance| instance.click_to_state.is_none()).count();
    assert!(only_by_drag > 0);
    let (said, out) = (folder.path().join("oracle.jsonl"), out.to_str().unwrap());
    succeeds(["predict", out, "--agent", "oracle", "--out", said.to_str().unwrap()]);
    let report = succeeds(["eval", out, said.to_str().unwrap(), "--protocol", "state", "--report", "json"]).stdout;
    refused(windesk(["eval", out, said.to_str().unwrap()]), &["state instances", "--protocol state"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let model = &report["models"][0];
    for rate in ["sr_loc", "sr_int", "es_sr_loc", "es_sr_int"] {
        assert_eq!(model["all"][rate]["value"], json!(1.0), "{rate}: {}", model["components"]);
    }
    assert_eq!((&report["only_by_drag"], &report["by_published_rule"]), (&json!(only_by_drag), &json!(0)));
    assert_eq!(model["drags"]["es_sr_int"]["value"], json!(1.0));
    // What is refused leaves no file, and an empty one as it was.
    let (none, empty) = (folder.path().join("none"), folder.path().join("empty"));
    fs::write(&empty, "").unwrap();
    for to in [&none, &empty] {
        refused(
            windesk(["predict", out, "--agent", "topmost", "--out", to.to_str().unwrap()]),
            &["--agent topmost", "expected oracle, random, center, control-center"],
        );
    }
    refused(windesk(["predict", out, "--agent", "nobody", "--out", none.to_str().unwrap()]), &["nobody"]);
    assert!(!none.exists());
    assert_eq!(fs::read(&empty).unwrap(), b"");
    // Answers that are there stay.
    let held = fs::read(&said).unwrap();
    refused(windesk(["predict", out, "--agent", "topmost", "--out", said.to_str().unwrap()]), &["another model"]);
    assert_eq!(fs::read(&said).unwrap(), held);
}

/// Boxes of a page's elements as it was captured, by what `is_it` says of their roles and names.
fn captured_boxes(instance: &StateInstance, is_it: impl Fn(&str, &str) -> bool) -> Vec<[f64; 4]> {
    let path = format!("assets/windows/{}.json", instance.window.as_ref().unwrap());
    let page: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))).unwrap();
    let elements = page["elements"].as_array().unwrap().iter();
    let fitting = elements.filter(|e| is_it(e["role"].as_str().unwrap(), e["name"].as_str().unwrap_or_default()));
    fitting.map(|e| serde_json::from_value(e["bbox"].clone()).unwrap()).collect()
}

/// Dividers and edges of crop frames show no values: they are asked for by what shows, and a drag to just the place
/// that the words name, worked out from the captured boxes, sets the target state.
#[test]
fn what_shows_no_value_is_asked_for_by_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("states");
    make(&out, &["--n", "48", "--platform", "web,mobile-web", "--type", "splitter,crop_handle"]);
    let all = instances(&out);
    assert_eq!(all.len(), 48);
    let mut at_shares = 0;
    for instance in &all {
        let words = &instance.instruction;
        assert!(!words.contains(|c: char| c.is_ascii_digit()), "{words}");
        assert!(words.contains("divider") || words.contains("crop frame"), "{words}");
        let shares = [
            ("middle", 0.5),
            ("equally", 0.5),
            ("half of the", 0.5),
            ("two thirds", 2.0 / 3.0),
            ("a third", 1.0 / 3.0),
            ("three quarters", 0.75),
            ("a quarter", 0.25),
        ];
        let Some((_, mut share)) = shares.into_iter().find(|(said, _)| words.contains(said)) else { continue };
        let quoted: Vec<&str> = words.split(['“', '”']).skip(1).step_by(2).collect();
        let axis = usize::from(words.contains("top edge") || words.contains("bottom edge"));
        let whole = if instance.component.as_deref() == Some("splitter") {
            let pane = |name: &str| {
                let found = captured_boxes(instance, |role, text| role == "label" && text == name);
                found.into_iter().max_by_key(|bbox| bbox[3] as i64 - bbox[1] as i64).unwrap_or_else(|| panic!("{words}: {name}"))
            };
            let mut panes = [pane(quoted[0]), pane(quoted[1])];
            panes.sort_by(|one, other| one[0].total_cmp(&other[0]));
            // The last name is the one that takes up the share, or else the first.
            let last = pane(quoted[quoted.len() - 1]);
            if quoted.len() == 3 && last == panes[1] && words.starts_with("Move") {
                share = 1.0 - share;
            }
            [panes[0][0], panes[1][2]]
        } else {
            let picture = captured_boxes(instance, |role, name| role == "image" && name == "The image to crop")[0];
            [picture[axis], picture[axis + 2]]
        };
        let place = whole[0] + share * (whole[1] - whole[0]);
        let drag = instance.drag_to_state.as_ref().unwrap();
        let from = [0, 1].map(|axis| (drag.handle[axis] + drag.handle[axis + 2]) / 2.0);
        let mut to = from;
        to[axis] += place - drag.held_at.unwrap()[axis];
        let at = drag.released([from, to]).unwrap();
        let ClickToState::Regions { regions, .. } = &drag.release else { panic!("{words}") };
        let holds = |bbox: [f64; 4]| bbox[0] <= at[0] && at[0] < bbox[2] && bbox[1] <= at[1] && at[1] < bbox[3];
        let set = regions.iter().find(|region| holds(region.bbox)).map(|region| &region.state);
        assert_eq!(set, Some(&instance.target_state), "{words}: {at:?}, {}", instance.scene.as_ref().unwrap());
        at_shares += 1;
    }
    assert!(at_shares >= 12, "{at_shares}");
    assert_eq!(succeeds(["verify", out.to_str().unwrap()]).stdout, "");
}

#[test]
fn choices_are_asked_for_by_what_the_screen_calls_them() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("states");
    make(&out, &["--n", "48", "--platform", "desktop", "--type", "list_box", "--app", "mousepad,geany"]);
    let all = instances(&out);
    let of_files = all.iter().filter(|instance| instance.window.as_deref().is_some_and(|window| window.contains("/live-open")));
    let words: Vec<&str> = of_files.map(|instance| instance.instruction.as_str()).collect();
    assert!(words.len() >= 3 && words.iter().any(|words| words.contains("row “") && words.contains("list “Files”")), "{words:?}");
    // Neither paths of files, nor the bar of a path, whose values no screen shows, nor an order that a column's head
    // gives.
    let unseen = |words: &&str| words.contains(['/', '[']) || ["reversed", "PathBar", "“Home”"].iter().any(|w| words.contains(w));
    assert!(!words.iter().any(unseen), "{words:?}");
}

#[test]
fn a_changed_instance_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("states");
    make(&out, &["--n", "2", "--platform", "web", "--type", "switch"]);
    let part = out.join("states/part-00000.jsonl");
    let sound = fs::read_to_string(&part).unwrap();
    let check = |change: &dyn Fn(&mut Value)| {
        let first = sound.lines().next().unwrap();
        let mut line: Value = serde_json::from_str(first).unwrap();
        change(&mut line);
        fs::write(&part, sound.replacen(first, &line.to_string(), 1)).unwrap();
        let said = finish(windesk(["verify", out.to_str().unwrap()]));
        assert_eq!(said.code, Some(1), "{}", said.stderr);
        assert!(said.stdout.contains("states/part-00000.jsonl:1: "), "{}", said.stdout);
    };
    check(&|line| line["click_to_state"]["regions"][0]["bbox"][0] = json!(0));
    check(&|line| line["core_bbox"][2] = json!(line["core_bbox"][2].as_f64().unwrap() + 1.0));
    check(&|line| line["target_state"] = line["current_state"].clone());
    fs::write(&part, &sound).unwrap();
    assert_eq!(succeeds(["verify", out.to_str().unwrap()]).stdout, "");
}

#[test]
fn what_can_not_be_set_is_named() {
    let check = |more: &[&str], expected: &[&str]| {
        refused(windesk(["states", "--n", "2"].into_iter().chain(more.iter().copied())), expected);
    };
    check(&["--platform", "mobile"], &["--platform mobile", "expected one of desktop, web, mobile-web, all"]);
    check(&["--type", "slidr"], &["--type slidr", "did you mean slider?"]);
    check(&["--family", "rnge"], &["--family rnge", "range, option, data, structure"]);
    check(&["--family", "data", "--type", "slider"], &["no type is of these families"]);
    check(&["--platform", "web", "--level", "L3"], &["pages alone have no level"]);
    check(
        &["--platform", "desktop", "--type", "crop_handle", "--session", "kde-light"],
        &["found no control of crop_handle on desktop among what the filters leave", "windesk pack stats"],
    );
}

/// What has no place in state instances is refused, not recorded and passed over.
#[test]
fn what_does_not_apply_to_controls_is_refused() {
    let check = |more: &[&str], expected: &[&str]| {
        refused(windesk(["states", "--n", "2"].into_iter().chain(more.iter().copied())), expected);
    };
    for filter in [["--role", "button"], ["--ui-type", "text"], ["--target-size", "large"]] {
        check(
            &filter,
            &["filters `roles`, `ui_types` and `target_sizes` don't apply", "options `family` and `type` choose controls"],
        );
    }
    check(&["--balance", "app"], &["`balance` and `instructions` don't apply"]);
    check(&["--instructions", "all"], &["`balance` and `instructions` don't apply"]);
    for (change, knob) in [
        (["--canvas", "4000x700"], "canvas"),
        (["--chrome", "none"], "chrome"),
        (["--set", "windows=3"], "windows"),
        (["--sessions", "mixed"], "sessions"),
    ] {
        check(&[&["--platform", "web,mobile-web"][..], &change].concat(), &[&format!("`{knob}`: a page that fills the image")]);
    }
    refused(windesk(["sweep", "state-precision", "--n", "1", "--canvas", "4000x700"]), &["`canvas`: a page that fills"]);
}

/// What would be made is named by what differs from the usual, as scenes are.
#[test]
fn changed_state_instances_have_a_name_of_their_own() {
    let (place, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let write = |name: &str, text: &str| fs::write(place.path().join(name), text).unwrap();
    let own = "windows = 4\nvisible_ratio = 1.0\ndistractor.count = 0\n";
    write("own.toml", &format!("name = \"own\"\n{own}"));
    write("l3.toml", &format!("name = \"L3\"\n{own}"));
    write("alone.toml", &format!("name = \"alone\"\n{own}"));
    let named = |args: &[&str]| {
        let mut command = windesk(args.iter().chain(&["--n", "1", "--dry-run", "--json"]));
        command.current_dir(place.path()).env("WINDESK_CACHE_DIR", cache.path());
        let estimate: Value = serde_json::from_str(&done(command).stdout).unwrap();
        estimate["dataset"].as_str().unwrap().to_owned()
    };
    for (args, name) in [
        (&["states"][..], "states-s0"),
        (&["states", "--level", "L2"], "states-L2-s0"),
        (&["states", "--level", "own.toml"], "states-own-s0"),
        (&["states", "--set", "name=mine", "--set", "windows=3"], "states-mine-s0"),
        (&["sweep", "state-precision"], "state-precision-s0"),
    ] {
        assert_eq!(named(args), name, "{args:?}");
    }
    let mut seen = BTreeSet::new();
    for (args, begins) in [
        (&["states", "--split", "test"][..], "states-alone-split-test-"),
        (&["states", "--session", "kde-light"], "states-alone-filters.sessions-kde-light-"),
        (&["states", "--set", "windows=3"], "states-alone-windows-3-3-"),
        (&["states", "--level", "L5", "--set", "windows=4..5"], "states-L5-windows-4-5-"),
        (&["states", "--level", "l3.toml"], "states-L3-"),
        (&["states", "--level", "alone.toml"], "states-alone-distractor.rank-1-windows-4-4-"),
        (&["sweep", "state-precision", "--split", "test"], "state-precision-split-test-"),
    ] {
        let name = named(args);
        assert!(name.starts_with(begins) && name.ends_with("-s0"), "{args:?}: {name}");
        assert!(seen.insert(name), "{args:?}");
    }
    let out = place.path().join("sweep");
    succeeds(["sweep", "state-precision", "--n", "1", "--split", "test", "--out", out.to_str().unwrap()]);
    for scene in fs::read_to_string(out.join("scenes/part-00000.jsonl")).unwrap().lines() {
        let scene: Value = serde_json::from_str(scene).unwrap();
        assert!(scene["id"].as_str().unwrap().starts_with("state-precision-split-test-"), "{}", scene["id"]);
        assert!(scene["sweep"].as_str().unwrap().starts_with("state-precision-split-test-"), "{}", scene["sweep"]);
    }
    assert_eq!(succeeds(["verify", out.to_str().unwrap()]).stdout, "");
}

#[test]
fn overlays_and_the_gallery_show_controls() {
    let folder = tempfile::tempdir().unwrap();
    let [out, overlays, gallery] = ["states", "overlays", "gallery"].map(|name| folder.path().join(name));
    make(&out, &["--n", "4", "--platform", "web,mobile-web", "--type", "slider,reorder", "--overlay"]);
    let data = out.to_str().unwrap();
    succeeds(["overlay", data, "--out", overlays.to_str().unwrap()]);
    succeeds(["view", data, "--out", gallery.to_str().unwrap()]);
    let script = fs::read_to_string(gallery.join("data.js")).unwrap();
    let shown: Value =
        serde_json::from_str(script.strip_prefix("window.GALLERY = ").unwrap().trim_end().strip_suffix(';').unwrap()).unwrap();
    let [control, current, target] = [[40, 120, 255], [255, 140, 0], [190, 60, 255]];
    for (at, instance) in instances(&out).into_iter().enumerate() {
        let scene = instance.scene.unwrap();
        let beside = overlays.join(format!("{scene}.png"));
        for path in [beside, out.join(format!("overlays/00000/{scene}.png"))] {
            let picture = image::open(path).unwrap().into_rgb8();
            let seen: BTreeSet<[u8; 3]> = picture.pixels().map(|pixel| pixel.0).collect();
            for colour in [control, current, target] {
                assert!(seen.contains(&colour), "{scene}: {colour:?}");
            }
        }
        let setting = &shown["scenes"][at]["setting"];
        assert_eq!(setting["target_core"], json!(instance.target_core_bbox));
        assert_eq!((&setting["current"], &setting["target"]), (&instance.current_state, &instance.target_state));
    }
    assert_eq!(succeeds(["verify", data]).stdout, "");
}

/// Reads an export as the published code does, and finds every instance again.
#[test]
fn finestate_files_are_read_as_the_published_code_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let [out, export] = ["states", "export"].map(|name| folder.path().join(name));
    make(&out, &["--n", "46"]);
    let all = instances(&out);
    succeeds(["export", out.to_str().unwrap(), "--to", "finestate", "--out", export.to_str().unwrap()]);
    let read_lines = |path: &Path| -> Vec<Value> {
        fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let mut records = Vec::new();
    for (root, platform) in [("web_en", "web"), ("mobile_en", "mobile-web")] {
        for record in read_lines(&export.join(root).join("instructions.jsonl")) {
            let image = record["image"].as_str().unwrap();
            let image = image.strip_prefix("mobile/").map_or_else(|| image.to_owned(), |inside| format!("{root}/{inside}"));
            records.push((platform, export.join(image), record));
        }
    }
    for family in ["ANumericRange240", "BToggleOption200", "CSpecificData200", "DViewManipilation160"] {
        let Ok(files) = fs::read_dir(export.join(format!("desktop_en/{family}json"))) else { continue };
        for file in files.map(|file| file.unwrap().path()) {
            let listed = if family.starts_with('C') {
                serde_json::from_slice(&fs::read(&file).unwrap()).unwrap()
            } else {
                read_lines(&file)
            };
            for record in listed {
                assert_eq!(record["component"]["type"], file.file_stem().unwrap().to_str().unwrap());
                let image = record["image"].as_str().unwrap();
                assert_eq!(image.split('/').count(), 4, "the code takes the last three names: {image}");
                records.push(("desktop", export.join(image), record));
            }
        }
    }
    assert_eq!(records.len(), all.len());
    for (platform, image, record) in records {
        let instance = all.iter().find(|instance| record["id"] == *instance.id).unwrap();
        assert_eq!(instance.platform.as_deref(), Some(platform));
        let picture = out.join(instance.image.as_ref().unwrap());
        assert_eq!(fs::read(image).unwrap(), fs::read(picture).unwrap());
        let [width, height] = instance.image_size.map(f64::from);
        let details = &record["processing_details"];
        for (names, bbox) in [
            (["bbox", "locate"], instance.control_bbox),
            (["now_coords", "loactebbox"], instance.core_bbox),
            (["target_coords", "interactbbox"], instance.target_core_bbox),
        ] {
            for name in names {
                let share: [f64; 4] = serde_json::from_value(details[name].clone()).unwrap();
                let px = [share[0] * width, share[1] * height, share[2] * width, share[3] * height].map(f64::round);
                assert_eq!(px, bbox, "{name}");
            }
        }
        let asked = &record["component"]["instructions"];
        assert_eq!(asked["interact"], instance.instruction);
        assert_eq!(asked["locate"].as_str(), instance.locate_instruction.as_deref());
    }
}

/// What trainers read as the answer is what sets the state; where only a drag does, they are not told of a click.
#[test]
fn exports_of_scenes_name_the_core_of_the_target_state() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("states");
    make(&out, &["--n", "8", "--platform", "web", "--type", "slider,reorder"]);
    let all = instances(&out);
    let dragged = all.iter().filter(|instance| instance.click_to_state.is_none()).count();
    assert!(dragged > 0 && dragged < all.len());
    let to = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let args =
        |name: &str| ["export".to_owned(), to("states"), "--to".to_owned(), "ms-swift".to_owned(), "--out".to_owned(), to(name)];
    refused(windesk(args("refused")), &["a state that only a drag sets", "--allow-lossy"]);
    succeeds(args("swift").into_iter().chain(["--allow-lossy".to_owned()]));
    let record: Value = serde_json::from_slice(&fs::read(to("swift") + "/export.json").unwrap()).unwrap();
    assert_eq!((&record["targets"], &record["left_out"]), (&json!(all.len() - dragged), &json!(dragged)));
    for line in fs::read_to_string(out.join("annotations/part-00000.jsonl")).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let instance = all.iter().find(|instance| line["id"] == *instance.id).unwrap();
        let bbox: [f64; 4] = serde_json::from_value(line["bbox"].clone()).unwrap();
        assert_eq!((bbox, line["platform"].as_str()), (instance.target_core_bbox, Some("web")));
        assert_eq!(line["drag"].is_array(), instance.click_to_state.is_none());
        assert_eq!(line["click_point"].is_array(), instance.click_to_state.is_some());
    }
}

#[test]
fn stats_count_what_can_be_asked_for() {
    let said: Value = serde_json::from_str(&succeeds(["pack", "stats"]).stdout).unwrap();
    let states = &said["states"];
    let sum = |key: &str| -> u64 {
        let platforms = states["platforms"].as_object().unwrap().values();
        platforms.flat_map(|types| types.as_object().unwrap().values()).map(|count| count[key].as_u64().unwrap()).sum()
    };
    assert_eq!(
        (states["all"]["controls"].as_u64(), states["all"]["triples"].as_u64()),
        (Some(sum("controls")), Some(sum("triples")))
    );
    assert_eq!(states["types"].as_object().unwrap().len(), 23);
    for (name, count) in states["types"].as_object().unwrap() {
        let [controls, triples] = ["controls", "triples"].map(|key| count[key].as_u64().unwrap());
        assert!(controls > 0 && triples <= 100 * controls, "{name}: {count}");
    }
}

#[test]
fn the_sweep_over_cores_keeps_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("sweep");
    succeeds(["sweep", "state-precision", "--n", "2", "--out", out.to_str().unwrap()]);
    let all = instances(&out);
    let names = ["core-3-9", "core-10-19", "core-20"];
    assert_eq!(all.len(), 6);
    for of_index in all.chunks(3) {
        let pictures: BTreeSet<Vec<u8>> =
            of_index.iter().map(|instance| fs::read(out.join(instance.image.as_ref().unwrap())).unwrap()).collect();
        assert_eq!(pictures.len(), 1);
        for ((instance, name), [from, to]) in of_index.iter().zip(names).zip([[3, 9], [10, 19], [20, 4000]]) {
            assert_eq!(instance.condition.as_deref(), Some(name));
            let [width, height] = instance.difficulty.unwrap().target_core_px;
            assert!((from..=to).contains(&width.min(height)), "{name}: {width} x {height}");
        }
    }
    assert_eq!(succeeds(["verify", out.to_str().unwrap()]).stdout, "");
    let said = folder.path().join("linear.jsonl");
    succeeds(["predict", out.to_str().unwrap(), "--agent", "linear", "--out", said.to_str().unwrap()]);
    let args = ["eval", out.to_str().unwrap(), said.to_str().unwrap(), "--protocol", "state", "--report", "json"];
    let report: Value = serde_json::from_str(&succeeds(args).stdout).unwrap();
    assert_eq!(
        report["models"][0]["conditions"].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["core-10-19", "core-20", "core-3-9"]
    );
    refused(windesk(["sweep", "state-precision", "--n", "1", "--list", "windows=1,2"]), &["sizes of target cores"]);
}
