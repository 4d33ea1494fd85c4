//! Sequences of datasets of tasks: the ways of asking, other places that are as good, where tasks fail.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::fixtures::{example, finished, predictions, report};
use crate::command::{finish, refused, windesk};

fn hits(p: &Value) -> (u64, u64) {
    (p["hits"].as_u64().unwrap(), p["n"].as_u64().unwrap())
}

fn scored(extra: &[&str]) -> Value {
    let files = [example("workflow-answers.jsonl")];
    let (code, report) = report(&example("workflows.jsonl"), &[&files[0]], &[&["--protocol", "sequence"], extra].concat());
    assert_eq!(code, 0);
    report
}

/// w1: in the box, at another place that is as good, in the box. w2: by the taskbar, then far away. w3: far away; its
/// second step would be hit, but nobody gets there.
#[test]
fn workflows_are_scored_as_counted_by_hand() {
    let report = scored(&[]);
    let model = &report["models"][0];
    assert_eq!((&report["asked"], &report["tasks"], &report["steps"]), (&json!("goal+history"), &json!(3), &json!(7)));
    let all = ["tca", "s1a", "shr", "shr_attempted", "single_step"].map(|key| hits(&model["all"][key]));
    assert_eq!(all, [(1, 3), (2, 3), (4, 7), (4, 6), (5, 7)]);
    assert!((model["all"]["wps"].as_f64().unwrap() - (2.44 + 1.0 + 0.0) / 3.0).abs() < 1e-12);
    assert_eq!(model["hits_elsewhere"], 2);
    let tca = |group: &str, name: &str| hits(&model[group][name]["tca"]);
    assert_eq!((tca("conditions", "L1"), tca("conditions", "L3")), ((1, 1), (0, 2)));
    assert_eq!((tca("kinds", "workflow"), tca("kinds", "reveal"), tca("kinds", "across")), ((1, 1), (0, 1), (0, 1)));
    assert_eq!((tca("lengths", "3"), tca("lengths", "2")), ((1, 1), (0, 2)));
    let positions: Vec<(u64, u64)> = model["positions"].as_array().unwrap().iter().map(|row| hits(&row["failed"])).collect();
    assert_eq!(positions, [(1, 3), (1, 2), (0, 1)], "failed, of those that got there");
    let kinds = model["step_kinds"].as_array().unwrap().iter();
    let kinds: Vec<_> =
        kinds.map(|row| (row["step_kind"].as_str().unwrap(), hits(&row["single_step"]), hits(&row["failed"]))).collect();
    let expected = [
        ("open_menu", (1, 2), (1, 2)),
        ("choose", (1, 1), (0, 1)),
        ("switch", (1, 1), (0, 0)),
        ("set", (1, 1), (0, 1)),
        ("raise", (1, 1), (0, 1)),
        ("press", (0, 1), (1, 1)),
    ];
    assert_eq!(kinds, expected);
}

/// No released script knows of other places: w1 ends at its second step and w2 at its first.
#[test]
fn published_code_accepts_the_box_alone() {
    let report = scored(&["--published-code", "seeclick"]);
    let model = &report["models"][0];
    assert_eq!(["tca", "s1a", "shr"].map(|key| hits(&model["all"][key])), [(0, 3), (1, 3), (1, 7)]);
    assert_eq!(model["hits_elsewhere"], 0);
}

#[test]
fn outcomes_tell_of_other_places() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("outcomes.jsonl");
    scored(&["--outcomes", path.to_str().unwrap()]);
    let lines = std::fs::read_to_string(&path).unwrap();
    let on: Vec<Value> = lines.lines().map(|l| serde_json::from_str::<Value>(l).unwrap()["on"].clone()).collect();
    let other = json!("also_valid");
    let none = Value::Null;
    assert_eq!(on.iter().collect::<Vec<_>>(), [&none, &other, &none, &other, &none, &none, &none]);
}

#[test]
fn tables_name_the_way_of_asking() {
    let mut command = windesk(["eval", "--protocol", "sequence", "--resamples", "50"]);
    command.arg(example("workflows.jsonl")).arg(example("workflow-answers.jsonl"));
    let text = finish(command).stdout;
    for expected in [
        "Tasks and steps, asked goal+history",
        "mine: by condition",
        "mine: by kind",
        "mine: by number of steps",
        "mine: by what the click does",
        "| open menu | 50.0 |",
        "mine: where tasks end",
        "2 steps hit another place that is as good",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn ways_of_asking_are_never_pooled() {
    let line = json!({"id": "w1", "step": 0, "point": [150, 120]});
    let file = |header: Value| predictions(&[json!({ "header": header }), line.clone()]);
    let (goal, step, silent) = (
        file(json!({"asked": "goal+history", "model": "a"})),
        file(json!({"asked": "step", "model": "b"})),
        file(json!({"model": "c"})),
    );
    let eval = |files: &[&Path], extra: &[&str]| {
        let mut command = windesk(["eval", "--protocol", "sequence", "--report", "json", "--resamples", "50"]);
        command.arg(example("workflows.jsonl")).args(files).args(extra);
        command
    };
    refused(eval(&[&goal.1, &step.1], &[]), &["model.jsonl", "asked `step`", "expected `goal+history`", "never pooled"]);
    refused(eval(&[&goal.1, &silent.1], &[]), &["asked `step`, as the header does not say", "expected `goal+history`"]);
    refused(eval(&[&goal.1], &["--asked", "step+history"]), &["asked `goal+history`", "expected `step+history` as in --asked"]);
    refused(
        eval(&[&file(json!({"asked": "goal"})).1], &[]),
        &["model.jsonl:1", "`header.asked` is `goal`, expected one of step, step+history, goal+history"],
    );
    // What the command line says holds for files that do not.
    for (files, extra, expected) in [
        (vec![&goal.1, &silent.1], &["--asked", "goal+history"][..], "goal+history"),
        (vec![&silent.1], &[], "step"),
        (vec![&step.1], &["--asked", "step"], "step"),
    ] {
        let files: Vec<&Path> = files.into_iter().map(|f| f.as_path()).collect();
        let report: Value = serde_json::from_str(&finish(eval(&files, extra)).stdout).unwrap();
        assert_eq!(report["asked"], expected);
        assert!(report["options"].as_array().unwrap().contains(&json!(format!("asked={expected}"))));
    }
}

#[test]
fn datasets_of_tasks_are_read_plain_and_compressed() {
    let text = std::fs::read_to_string(example("workflows.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let whole = scored(&[]);
    for compressed in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let dataset = folder.path().join("workflows.v1");
        std::fs::create_dir_all(dataset.join("tasks")).unwrap();
        std::fs::create_dir_all(dataset.join("scenes")).unwrap();
        for (part, lines) in [&lines[..2], &lines[2..]].into_iter().enumerate() {
            let text = lines.join("\n") + "\n";
            let name = dataset.join(format!("tasks/part-{part:05}.jsonl"));
            if compressed {
                let file = std::fs::File::create(name.with_extension("jsonl.gz")).unwrap();
                let mut gz = windesk_files::compressed::compressing(file);
                gz.write_all(text.as_bytes()).unwrap();
                gz.finish().unwrap();
            } else {
                std::fs::write(name, text).unwrap();
            }
        }
        finished(&dataset);
        let answers = example("workflow-answers.jsonl");
        let (code, report) = report(&dataset, &[&answers], &["--protocol", "sequence"]);
        assert_eq!((code, &report["dataset"], &report["digest"]), (0, &json!("workflows.v1"), &whole["digest"]));
        assert_eq!(report["models"], whole["models"]);
        // Its keyframes may be asked for one by one, but not as icons.
        let mut icons = windesk(["eval", "--protocol", "icons"]);
        icons.arg(&dataset).arg(&answers);
        refused(icons, &["--protocol sequence or --protocol click fits"]);
    }
}

#[test]
fn bad_tasks_are_named_with_line_and_field() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("tasks")).unwrap();
    let path = folder.path().join("tasks/part-00000.jsonl");
    let good: Vec<Value> = std::fs::read_to_string(example("workflows.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let check = |change: &dyn Fn(&mut Value), expected: &[&str]| {
        let mut tasks = good.clone();
        change(&mut tasks[1]);
        std::fs::write(&path, tasks.iter().map(|t| format!("{t}\n")).collect::<String>()).unwrap();
        finished(folder.path());
        let mut command = windesk(["eval", "--protocol", "sequence"]);
        command.arg(folder.path()).arg(example("workflow-answers.jsonl"));
        refused(command, &[&["part-00000.jsonl:2"], expected].concat());
    };
    check(
        &|task| task["steps"][0]["step_kind"] = json!("rise"),
        &["`steps[0].step_kind` is `rise`", "expected one of open_menu", "did you mean `raise`?"],
    );
    check(&|task| task["kind"] = json!("revel"), &["`kind` is `revel`", "did you mean `reveal`?"]);
    check(
        &|task| task["steps"][0]["also_valid"][0]["bbox"] = json!([10, 470, 60, 501]),
        &["step 0: `also_valid[0].bbox` [10, 470, 60, 501] reaches beyond the image of 1000x500 px"],
    );
    check(&|task| task["steps"] = json!([]), &["`steps` is empty, expected at least one step"]);
    check(&|task| task["steps"][1]["click_point"] = json!([480, 600]), &["step 1: `click_point` [480, 600] lies outside"]);
    check(&|task| task["steps"][1]["bbox"] = Value::Null, &["step 1: `click` without a box"]);
    std::fs::remove_file(&path).unwrap();
    let mut empty = windesk(["eval", "--protocol", "sequence"]);
    empty.arg(folder.path()).arg(example("workflow-answers.jsonl"));
    refused(empty, &["tasks", "found no files of tasks"]);
}
