//! Sequences, state setting and episodes: the examples, counted by hand.

use serde_json::{Value, json};

use super::fixtures::{example, predictions, report};
use crate::command::{finish, refused, windesk};

fn hits(p: &Value) -> (u64, u64) {
    (p["hits"].as_u64().unwrap(), p["n"].as_u64().unwrap())
}

/// Task a: all three clicks hit (one on the border, one by its second candidate). b: the second of two misses a small
/// box by 10 px. c: the first of two misses by 10 px, the second would hit. d: no click, left out.
#[test]
fn sequences() {
    let (code, report) = report(&example("tasks.jsonl"), &[&example("task-answers.jsonl")], &["--protocol", "sequence"]);
    let all = &report["models"][0]["all"];
    assert_eq!(
        (code, &report["tasks"], &report["tasks_left_out"], &report["steps"], &report["steps_skipped"]),
        (0, &json!(3), &json!(1), &json!(7), &json!(3))
    );
    assert_eq!(hits(&all["tca"]), (1, 3));
    assert_eq!(hits(&all["s1a"]), (2, 3));
    assert_eq!(hits(&all["shr"]), (4, 7));
    assert_eq!(hits(&all["shr_attempted"]), (4, 6));
    assert_eq!(hits(&all["single_step"]), (5, 7));
    assert!((all["wps"].as_f64().unwrap() - (2.44 + 1.0 + 0.0) / 3.0).abs() < 1e-12);
    assert!((all["wps_normalised"].as_f64().unwrap() - (1.0 + 1.0 / 1.8) / 3.0).abs() < 1e-12);
    let failures = &report["models"][0]["failures"];
    assert_eq!((&failures["small_target"], &failures["near_miss"], &failures["far_miss"]), (&json!(1), &json!(1), &json!(0)));
    assert_eq!(hits(&report["models"][0]["applications"]["Viewer"]["tca"]), (1, 2));
}

#[test]
fn sequence_options() {
    let tca = |extra: &[&str]| {
        let (_, report) =
            report(&example("tasks.jsonl"), &[&example("task-answers.jsonl")], &[&["--protocol", "sequence"], extra].concat());
        hits(&report["models"][0]["all"]["tca"])
    };
    assert_eq!(tca(&["--published-code"]), (3, 3), "a patch of 14 px bridges 10");
    assert_eq!(tca(&["--tolerance", "9"]), (1, 3));
    assert_eq!(tca(&["--other-actions", "double_click"]), (1, 4));
}

/// Boxes are xywh in percent; a step counts by its click action; steps keep their raw numbers.
#[test]
fn medspot_files_are_read_as_published() {
    let lines = [
        json!({"id": "DICOMscope/0", "step": 0, "point": [0.2, 0.25], "coords": "norm"}),
        json!({"id": "DICOMscope/0", "step": 2, "point": [600, 125]}),
    ];
    let (_folder, file) = predictions(&lines);
    let (_, report) =
        report(&example("DICOMscope_Annotation.json"), &[&file], &["--protocol", "sequence", "--image-size", "1000x500"]);
    assert_eq!((&report["steps"], &report["steps_skipped"]), (&json!(2), &json!(1)));
    assert_eq!(hits(&report["models"][0]["all"]["tca"]), (1, 1));
    let mut unknown_size = windesk(["eval", "--protocol", "sequence"]);
    unknown_size.arg(example("DICOMscope_Annotation.json")).arg(&file);
    refused(unknown_size, &["the size of DICOMscope/1.png is unknown", "--image-sizes"]);
}

/// First match wins: a point at the left edge, in the tool bar's rows, near, or far.
#[test]
fn failure_classes() {
    use windesk::eval::predictions::Prediction;
    use windesk::eval::sequence::{Failure, failure_of};
    let check = |bbox: [f64; 4], points: &[[f64; 2]], expected: Failure| {
        assert_eq!(failure_of(bbox, [1000, 1000], Some(&Prediction::Points(points.to_vec()))), expected, "{points:?}");
    };
    let wide = [400.0, 400.0, 600.0, 500.0];
    check([400.0, 400.0, 419.0, 419.0], &[[900.0, 900.0]], Failure::SmallTarget);
    check([400.0, 400.0, 420.0, 420.0], &[[900.0, 900.0]], Failure::FarMiss);
    check(wide, &[[650.0, 525.0]], Failure::NearMiss);
    check(wide, &[[651.0, 525.0]], Failure::FarMiss);
    check([400.0, 400.0, 420.0, 420.0], &[[450.0, 422.0]], Failure::NearMiss);
    check(wide, &[[49.0, 90.0]], Failure::EdgeBias);
    check(wide, &[[50.0, 119.0]], Failure::ToolbarConfusion);
    check(wide, &[[50.0, 120.0]], Failure::FarMiss);
    check(wide, &[[900.0, 900.0], [500.0, 110.0]], Failure::ToolbarConfusion);
    assert_eq!(failure_of(wide, [1000, 1000], Some(&Prediction::WrongFormat)), Failure::NoPrediction);
}

/// s1: slider clicked at 254 px, which snaps to 75. s2: at 256 px, 78 snaps to 80. s3 has no function: the target core
/// counts. s4: the region sets "on", nothing located it.
#[test]
fn states() {
    let rates = |extra: &[&str]| {
        let (_, report) =
            report(&example("states.jsonl"), &[&example("state-answers.jsonl")], &[&["--protocol", "state"], extra].concat());
        let all = report["models"][0]["all"].clone();
        (["sr_loc", "sr_int", "es_sr_loc", "es_sr_int"].map(|rate| hits(&all[rate]).0), report)
    };
    let (marks, report) = rates(&[]);
    assert_eq!(marks, [2, 4, 1, 3]);
    assert_eq!((&report["instances"], &report["by_published_rule"]), (&json!(4), &json!(1)));
    assert_eq!(hits(&report["models"][0]["platforms"]["web"]["es_sr_int"]), (1, 1));
    assert_eq!(rates(&["--published-code"]).0, [2, 2, 1, 2]);
}

/// e0 clean; e1 completed with two distinct violations of three; e2 without an action; e3 stopped by critical
/// violations; e4 loops at the end; e5 writes to the user; e6 explores; e7 does too little new; e8 has no line.
#[test]
fn episodes() {
    let (_, report) = report(&example("episode-tasks.jsonl"), &[&example("episodes.jsonl")], &["--protocol", "episode"]);
    let model = &report["models"][0];
    assert_eq!(hits(&model["all"]["strict_success"]), (1, 9));
    assert_eq!(hits(&model["all"]["completed"]), (2, 9));
    assert_eq!(hits(&model["all"]["truncated"]), (4, 9));
    assert!((model["all"]["reward"].as_f64().unwrap() - (1.0 + 0.65 - 1.0) / 9.0).abs() < 1e-12);
    let expected = json!({"missing": 1, "zero_action": 1, "early_abort": 2, "heavy_loop": 1, "chat_give_up": 1, "exploration": 1, "other": 1});
    assert_eq!(model["failures"], expected);
    assert_eq!(
        model["violations"],
        json!({"data_accuracy/major": 1, "data_accuracy/minor": 1, "patient_identity/critical": 1, "workflow_safety/critical": 1})
    );
    assert_eq!(hits(&model["scenarios"]["ehr"]["strict_success"]), (1, 4));
    let alone =
        finish(windesk(["eval".as_ref(), example("episodes.jsonl").as_os_str(), "--protocol".as_ref(), "episode".as_ref()]));
    assert_eq!(alone.code, Some(0), "{}", alone.stderr);
    assert!(alone.stdout.contains("| episodes | 8 | 12.5 |"), "{}", alone.stdout);
}

#[test]
fn records_that_make_no_sense_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("records.jsonl");
    let check = |protocol: &str, line: Value, expected: &[&str]| {
        std::fs::write(&path, line.to_string()).unwrap();
        let mut command = windesk(["eval", "--protocol", protocol]);
        command.arg(&path).arg(example("task-answers.jsonl"));
        refused(command, expected);
    };
    let step = |bbox: Value| json!({"id": "a", "application": "x", "steps": [{"instruction": "i", "image_size": [9, 9], "action": "click", "bbox": bbox}]});
    check("sequence", step(Value::Null), &["records.jsonl:1", "`click` without a box"]);
    check("sequence", step(json!([3, 3, 3, 9])), &["records.jsonl:1", "is no box"]);
    let state = json!({"id": "s", "image_size": [9, 9], "instruction": "", "control_bbox": [0, 0, 9, 9], "core_bbox": [0, 0, 1, 1], "target_core_bbox": [5, 5, 4, 6], "current_state": 0, "target_state": 1});
    check("state", state, &["records.jsonl:1", "target_core_bbox"]);
    check("state", json!({"id": "s"}), &["records.jsonl:1", "expected a state instance"]);
    check("episode", json!({"scenario": "x"}), &["expected"]);
    let traces = [
        json!({"id": "e", "completed": true, "actions": [], "violations": [{"dimension": "x", "severity": "minor", "message": ""}]}),
    ];
    let (_keep, file) = predictions(&traces);
    let mut command = windesk(["eval", "--protocol", "episode"]);
    command.arg(example("episode-tasks.jsonl")).arg(&file);
    refused(command, &["model.jsonl:1", "unknown variant `x`"]);
}
