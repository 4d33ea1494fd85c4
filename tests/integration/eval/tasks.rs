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
    assert_eq!(tca(&["--published-code", "gui_actor"]), (3, 3), "a patch of 14 px bridges 10");
    assert_eq!(tca(&["--published-code", "evaluate_gpt5.py"]), (0, 3), "7 px do not, and the first point counts alone");
    assert_eq!(tca(&["--published-code", "uground"]), (2, 4), "double clicks count");
    assert_eq!(tca(&["--tolerance", "9"]), (1, 3));
    assert_eq!(tca(&["--other-actions", "double_click"]), (1, 4));
}

/// A box that reaches beyond the image: a click there hits nothing, whatever the patch, and is counted apart.
#[test]
fn clicks_outside_the_image_hit_nothing_in_sequences() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = folder.path().join("tasks.jsonl");
    let step = json!({"instruction": "i", "image_size": [1000, 500], "action": "click", "bbox": [950, 100, 1100, 200]});
    let task = |id: &str| json!({"id": id, "application": "x", "steps": [step]}).to_string();
    std::fs::write(&tasks, ["a", "b", "c"].map(task).join("\n")).unwrap();
    let lines = [
        json!({"id": "a", "step": 0, "point": [1050, 150]}),
        json!({"id": "b", "step": 0, "points": [[1050, 150], [960, 150]]}),
        json!({"id": "c", "step": 0, "point": [1000, 150]}),
    ];
    let (_keep, file) = predictions(&lines);
    let scored = |extra: &[&str]| {
        let (_, report) = report(&tasks, &[&file], &[&["--protocol", "sequence"], extra].concat());
        let model = &report["models"][0];
        let count = |table: &str, key: &str| model[table][key].as_u64().unwrap();
        (hits(&model["all"]["tca"]).0, count("statuses", "out_of_image"), count("failures", "out_of_image"))
    };
    assert_eq!(scored(&[]), (2, 1, 1), "c lies on the border");
    assert_eq!(scored(&["--tolerance", "60"]), (2, 1, 1));
    assert_eq!(scored(&["--published-code", "mistral"]), (3, 2, 0), "clamped, and only the first point counts");
    assert_eq!(scored(&["--published-code", "gpt4omini"]), (1, 2, 2), "left out");
    assert_eq!(scored(&["--published-code", "llama"]), (3, 2, 0), "judged like any other");
}

#[test]
fn clicks_outside_the_image_hit_nothing_in_states() {
    let folder = tempfile::tempdir().unwrap();
    let states = folder.path().join("states.jsonl");
    let state = json!({
        "id": "s", "image_size": [400, 200], "instruction": "", "current_state": 0, "target_state": 1,
        "control_bbox": [390, 0, 450, 20], "core_bbox": [390, 0, 450, 20], "target_core_bbox": [390, 0, 450, 20],
    });
    std::fs::write(&states, state.to_string()).unwrap();
    let answer = |x: f64| ["locate", "interact"].map(|q| json!({"id": "s", "question": q, "point": [x, 10]}));
    let scored = |x: f64, extra: &[&str]| {
        let (_keep, file) = predictions(&answer(x));
        let (_, report) = report(&states, &[&file], &[&["--protocol", "state"], extra].concat());
        let model = &report["models"][0];
        let rates = ["sr_loc", "sr_int", "es_sr_loc", "es_sr_int"].map(|rate| hits(&model["all"][rate]).0);
        (rates, model["statuses"]["out_of_image"].as_u64().unwrap())
    };
    assert_eq!(scored(400.0, &[]), ([1; 4], 0));
    assert_eq!(scored(401.0, &[]), ([0; 4], 2));
    assert_eq!(scored(401.0, &["--published-code", "LLM_eval"]), ([0; 4], 2));
}

#[test]
fn scripts_are_named() {
    let check = |protocol: &str, dataset: &str, script: &str, expected: &[&str]| {
        let mut command = windesk(["eval", "--protocol", protocol, "--published-code", script]);
        command.arg(example(dataset)).arg(example("task-answers.jsonl"));
        refused(command, expected);
    };
    check("sequence", "tasks.jsonl", "uground2", &["--published-code", "gemma3_27B", "did you mean uground?"]);
    check("state", "states.jsonl", "uground", &["--published-code", "LLM_eval.py"]);
    check("click", "scenes.jsonl", "uground", &["--published-code", "--protocol sequence or state"]);
}

/// Without them a line can't be given to a question; it used to count as an unknown id.
#[test]
fn predictions_without_step_or_question_are_refused() {
    let check = |protocol: &str, dataset: &str, line: Value, expected: &[&str]| {
        let (_keep, file) = predictions(&[line]);
        let mut command = windesk(["eval", "--protocol", protocol]);
        command.arg(example(dataset)).arg(&file);
        refused(command, expected);
    };
    check("sequence", "tasks.jsonl", json!({"id": "a", "point": [1, 2]}), &["model.jsonl:1", "no `step`", "0 to 3"]);
    check("sequence", "tasks.jsonl", json!({"id": "a", "step": 9, "point": [1, 2]}), &["none of 1 ids", "a, step 9 of 4"]);
    check(
        "state",
        "states.jsonl",
        json!({"id": "s1", "point": [1, 2]}),
        &["model.jsonl:1", "no `question`", "`locate` or `interact`"],
    );
}

#[test]
fn missing_answers_are_findings_in_every_protocol() {
    let check = |protocol: &str, dataset: &str, count: u64, named: &str| {
        let (_keep, file) = predictions(&[]);
        let (code, report) = report(&example(dataset), &[&file], &["--protocol", protocol]);
        let finding = &report["models"][0]["predictions"]["findings"][0];
        assert_eq!((code, &finding["kind"], &finding["count"]), (1, &json!("missing"), &json!(count)), "{protocol}");
        assert!(finding["examples"].as_array().unwrap().contains(&json!(named)), "{finding}");
        let mut strict = windesk(["eval", "--strict", "--protocol", protocol]);
        strict.arg(example(dataset)).arg(&file);
        refused(strict, &[&format!("missing: {count} targets"), named]);
    };
    check("click", "scenes.jsonl", 4, "s0.L1-000000.t0");
    check("icons", "probes.jsonl", 6, "probes.P-000000.t0");
    check("sequence", "tasks.jsonl", 7, "a, step 3");
    check("state", "states.jsonl", 8, "s1, interact");
    let (_keep, traces) = predictions(&[json!({"id": "e0", "completed": true, "actions": ["a"]})]);
    let (code, report) = report(&example("episode-tasks.jsonl"), &[&traces], &["--protocol", "episode"]);
    assert_eq!((code, report["models"][0]["missing"].as_array().unwrap().len()), (1, 8));
    let mut strict = windesk(["eval", "--strict", "--protocol", "episode"]);
    strict.arg(example("episode-tasks.jsonl")).arg(&traces);
    refused(strict, &["8 of 9 tasks without an episode, such as e1"]);
}

#[test]
fn a_dataset_of_another_protocol_says_which_fits() {
    let check = |protocol: &str, dataset: &str, expected: &[&str]| {
        let mut command = windesk(["eval", "--protocol", protocol]);
        command.arg(example(dataset)).arg(example("predictions.jsonl"));
        refused(command, expected);
    };
    check("click", "tasks.jsonl", &["tasks.jsonl", "--protocol sequence fits"]);
    check("click", "DICOMscope_Annotation.json", &["--protocol sequence fits"]);
    check("icons", "states.jsonl", &["--protocol state fits"]);
    check("click", "episodes.jsonl", &["--protocol episode fits"]);
    check("sequence", "scenes.jsonl", &["--protocol click or --protocol icons or --protocol confidence fits"]);
    check("episode", "scenes.jsonl", &["--protocol click"]);
    check("state", "screenspot_pro.json", &["--protocol click"]);
    check("click", "predictions.jsonl", &["found predictions", "the dataset comes first"]);
}

#[test]
fn a_size_without_an_annotation_file_names_the_stems() {
    let folder = tempfile::tempdir().unwrap();
    let sizes = folder.path().join("sizes.json");
    let with = |text: &str, dataset: &str| {
        std::fs::write(&sizes, text).unwrap();
        let mut command = windesk(["eval", "--protocol", "sequence", "--image-sizes"]);
        command.arg(&sizes).arg(example(dataset)).arg(example("task-answers.jsonl"));
        command
    };
    let expected = ["--image-sizes", "`DICOMscop`", "stems of annotation files: DICOMscope", "did you mean DICOMscope?"];
    refused(with(r#"{"DICOMscop": [1000, 500]}"#, "DICOMscope_Annotation.json"), &expected);
    refused(with(r#"{"tasks": [1000, 500]}"#, "tasks.jsonl"), &["there is no MedSPOT annotation file"]);
    for stem in ["DICOMscope", "DICOMscope_Annotation"] {
        refused(with(&format!("{{\"{stem}\": [1000, 500]}}"), "DICOMscope_Annotation.json"), &["none of 7 ids"]);
    }
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
    assert_eq!(rates(&["--published-code", "LLM_eval.py"]).0, [2, 2, 1, 2]);
}

/// What only a drag sets: from its handle, with the handle's middle at x = 60. A click in the target core is right by
/// the published rule alone.
#[test]
fn drags() {
    let folder = tempfile::tempdir().unwrap();
    let states = folder.path().join("states.jsonl");
    let state = json!({
        "id": "s", "image_size": [400, 200], "instruction": "", "current_state": 0, "target_state": 2,
        "control_bbox": [50, 0, 150, 20], "core_bbox": [50, 0, 70, 20], "target_core_bbox": [110, 0, 130, 20],
        "drag_to_state": {"handle": [50, 0, 70, 20], "held_at": [60, 10], "release": {"kind": "regions", "half_open": true,
            "regions": [{"bbox": [80, 0, 110, 20], "state": 1}, {"bbox": [110, 0, 130, 20], "state": 2}]}},
    });
    std::fs::write(&states, state.to_string()).unwrap();
    let scored = |answer: Value| {
        let interact = json!({"id": "s", "question": "interact"});
        let line: serde_json::Map<String, Value> =
            interact.as_object().unwrap().clone().into_iter().chain(answer.as_object().unwrap().clone()).collect();
        let (_keep, file) = predictions(&[Value::Object(line)]);
        let (_, report) = report(&states, &[&file], &["--protocol", "state"]);
        assert_eq!((&report["only_by_drag"], &report["by_published_rule"]), (&json!(1), &json!(0)));
        let model = &report["models"][0];
        let marks = [&model["all"]["sr_int"], &model["all"]["es_sr_int"], &model["drags"]["published_rule"]].map(|r| hits(r).0);
        (marks, model["statuses"]["wrong_format"].as_u64().unwrap())
    };
    assert_eq!(scored(json!({"drag": [[52, 5], [102, 5]]})), ([1, 1, 0], 0), "the handle's middle comes to 110");
    assert_eq!(scored(json!({"drag": [[60, 5], [109.5, 5]]})), ([1, 0, 0], 0));
    assert_eq!(scored(json!({"drag": [[70, 5], [120, 5]]})), ([1, 0, 1], 0), "the handle ends at 70");
    assert_eq!(scored(json!({"drag": [[60, 5], [120, 500]]})), ([0, 0, 0], 0));
    assert_eq!(scored(json!({"point": [120, 10]})), ([1, 0, 1], 0));
    assert_eq!(scored(json!({"drag": [[0.15, 0.05], [0.3, 0.05]], "coords": "norm"})), ([1, 1, 1], 0));
    assert_eq!(scored(json!({"drag": [[60, 5]]})), ([0, 0, 0], 1));
    let located = json!({"id": "s", "question": "locate", "drag": [[60, 5], [60, 5]]});
    let (_keep, file) = predictions(&[located]);
    let (_, report) = report(&states, &[&file], &["--protocol", "state"]);
    assert_eq!(report["models"][0]["statuses"]["wrong_format"], json!(1), "nothing is dragged to say where a control is");
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

/// Each of these runs has three steps of a budget of 30; how it ended tells whether somebody gave up.
#[test]
fn episodes_say_how_they_ended() {
    let bucket = |line: Value| {
        let mut line = line;
        line["id"] = json!("e");
        line["completed"] = json!(false);
        let (_keep, file) = predictions(&[line]);
        let (_, report) = report(&file, &[], &["--protocol", "episode"]);
        let model = &report["models"][0];
        let failures = model["failures"].as_object().unwrap();
        let bucket = failures.iter().find(|(_, n)| **n == json!(1)).unwrap().0.clone();
        (bucket, hits(&model["all"]["truncated"]).0, model["all"]["steps"].as_f64().unwrap())
    };
    let check = |line: Value, expected: &str, truncated: u64, steps: f64| {
        assert_eq!(bucket(line.clone()), (expected.to_owned(), truncated, steps), "{line}");
    };
    let three = json!(["scroll(0)", "scroll(1)", "scroll(2)"]);
    check(json!({"actions": three}), "early_abort", 0, 3.0);
    check(json!({"actions": three, "terminated": true}), "early_abort", 0, 3.0);
    check(json!({"actions": three, "terminated": true, "truncated": false}), "early_abort", 0, 3.0);
    check(json!({"actions": three, "truncated": true}), "exploration", 1, 3.0);
    check(json!({"actions": three, "terminated": false}), "exploration", 1, 3.0);
    check(json!({"actions": three, "terminated": true, "steps": 30}), "exploration", 1, 30.0);
    check(json!({"actions": three, "steps": 30}), "exploration", 1, 30.0);
    // What can't be parsed is a step, and no action.
    check(json!({"actions": [null, null]}), "zero_action", 0, 2.0);
    check(json!({"actions": vec![Value::Null; 30]}), "zero_action", 1, 30.0);
    let mut mixed = vec![Value::Null; 27];
    mixed.extend(["a(0)", "b(0)", "c(0)"].map(|a| json!(a)));
    check(json!({"actions": mixed}), "exploration", 1, 30.0);
    // Either message gives the task back.
    let given_up =
        json!(["send_msg_to_user('?')", "scroll(1)", "report_infeasible('no')", "scroll(2)", "report_infeasible('never')"]);
    check(json!({"actions": given_up, "truncated": true}), "chat_give_up", 1, 5.0);
    let (_keep, file) = predictions(&[json!({"id": "e", "completed": false, "actions": ["a", "b"], "steps": 1})]);
    let mut command = windesk(["eval", "--protocol", "episode"]);
    command.arg(&file);
    refused(command, &["model.jsonl:1", "1 steps with 2 actions"]);
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
    let state = json!({
        "id": "s", "image_size": [9, 9], "instruction": "", "current_state": 0, "target_state": 1,
        "control_bbox": [0, 0, 9, 9], "core_bbox": [0, 0, 1, 1], "target_core_bbox": [5, 5, 4, 6],
    });
    check("state", state, &["records.jsonl:1", "target_core_bbox"]);
    check("state", json!({"id": "s"}), &["records.jsonl:1", "expected a state instance"]);
    let mistyped = json!({"id": "s", "controlbbox": [0, 0, 9, 9]});
    check("state", mistyped, &["records.jsonl:1", "unknown key `controlbbox`", "did you mean `control_bbox`?"]);
    let mistyped = json!({"id": "a", "application": "x", "steps": [{"instruction": "i", "imagesize": [9, 9]}]});
    check("sequence", mistyped, &["unknown key `imagesize`", "did you mean `image_size`?"]);
    check("episode", json!({"scenario": "x"}), &["expected"]);
    let traces = [
        json!({"id": "e", "completed": true, "actions": [], "violations": [{"dimension": "x", "severity": "minor", "message": ""}]}),
    ];
    let (_keep, file) = predictions(&traces);
    let mut command = windesk(["eval", "--protocol", "episode"]);
    command.arg(example("episode-tasks.jsonl")).arg(&file);
    refused(command, &["model.jsonl:1", "`violations[0].dimension` is `x`"]);
}
