//! State instances: datasets of them are as all others, the oracle is right, and what was changed is found.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use windesk::model::setting::StateInstance;

use crate::command::{finish, refused, succeeds, tree, windesk};

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
    let folder = tempfile::tempdir().unwrap();
    let begin = |out: &Path| windesk(["states", "--n", "12", "--platform", "web", "--seed", "3", "--out", out.to_str().unwrap()]);
    let whole = folder.path().join("whole");
    let started = std::time::Instant::now();
    assert_eq!(finish(begin(&whole)).code, Some(0));
    let length = started.elapsed();
    let whole = tree(&whole);
    let mut cut_short = 0;
    for moment in 0..6_u32 {
        let out = folder.path().join(format!("killed-{moment}"));
        let mut run = begin(&out).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(length.mul_f64((f64::from(moment) + 0.5) / 6.0));
        run.kill().unwrap();
        run.wait().unwrap();
        cut_short += u32::from(!out.join("manifest.json").exists());
        assert_eq!(finish(begin(&out)).code, Some(0));
        assert_eq!(tree(&out), whole);
    }
    assert!(cut_short >= 3, "only {cut_short} of 6 runs were cut short");
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
    let report: Value = serde_json::from_str(&report).unwrap();
    let model = &report["models"][0];
    for rate in ["sr_loc", "sr_int", "es_sr_loc", "es_sr_int"] {
        assert_eq!(model["all"][rate]["value"], json!(1.0), "{rate}: {}", model["components"]);
    }
    assert_eq!((&report["only_by_drag"], &report["by_published_rule"]), (&json!(only_by_drag), &json!(0)));
    assert_eq!(model["drags"]["es_sr_int"]["value"], json!(1.0));
    refused(windesk(["predict", out, "--agent", "topmost"]), &["option `agent` topmost", "expected oracle, random or center"]);
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
    check(&["--platform", "mobile"], &["option `platform` mobile", "expected one of desktop, web, mobile-web, all"]);
    check(&["--type", "slidr"], &["option `type` slidr", "did you mean slider?"]);
    check(&["--family", "rnge"], &["option `family` rnge", "range, option, data, structure"]);
    check(&["--family", "data", "--type", "slider"], &["no type is of these families"]);
    check(&["--platform", "web", "--level", "L3"], &["pages alone have no level"]);
    check(
        &["--platform", "desktop", "--type", "crop_handle"],
        &["found no control of crop_handle on desktop", "windesk pack stats"],
    );
}
