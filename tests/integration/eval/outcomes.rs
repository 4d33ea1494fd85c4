//! `--outcomes`: one line per question and model, held against the schema, and against what the reports count.

use std::path::Path;

use serde_json::{Value, json};
use windesk::eval::outcomes::OutcomeLine;

use super::fixtures::{example, report};

/// The lines that a run writes; each of them reads back as what the schema is made from, which knows no other keys.
fn outcomes(dataset: &str, answers: &[&str], extra: &[&str]) -> (Vec<Value>, Value) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("outcomes.jsonl");
    let files: Vec<_> = answers.iter().map(|name| example(name)).collect();
    let files: Vec<&Path> = files.iter().map(|f| f.as_path()).collect();
    let (_, report) = report(&example(dataset), &files, &[&["--outcomes", out.to_str().unwrap()], extra].concat());
    let schema: Value = serde_json::from_str(
        &std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas/outcome.schema.json")).unwrap(),
    )
    .unwrap();
    let known = schema["properties"].as_object().unwrap();
    let text = std::fs::read_to_string(&out).unwrap();
    let lines = text.lines().map(|line| {
        let _: OutcomeLine<'_> = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let value: Value = serde_json::from_str(line).unwrap();
        let keys = value.as_object().unwrap();
        assert!(keys.keys().all(|key| known.contains_key(key)), "{line}");
        assert!(schema["required"].as_array().unwrap().iter().all(|key| keys.contains_key(key.as_str().unwrap())), "{line}");
        value
    });
    (lines.collect(), report)
}

fn count(lines: &[Value], key: &str) -> u64 {
    lines.iter().filter(|line| line[key] == true).count() as u64
}

#[test]
fn clicks() {
    let (lines, report) = outcomes("scenes.jsonl", &["predictions.jsonl"], &[]);
    let model = &report["models"][0];
    assert_eq!(lines.len(), 6);
    let counting: Vec<Value> = lines.iter().filter(|line| line["counts"] == true).cloned().collect();
    assert_eq!(model["click"]["micro"]["hits"], count(&counting, "hit"));
    assert_eq!(model["visible"]["micro"]["hits"], count(&counting, "visible_hit"));
    let by_id = |id: &str| lines.iter().find(|line| line["id"] == id).unwrap().clone();
    let covered = by_id("s0.L4-000000.t0");
    assert_eq!(
        (&covered["model"], &covered["answer"], &covered["on"]),
        (&json!("example"), &json!([[500.0, 220.0]]), &json!("occluder"))
    );
    assert_eq!((&covered["hit"], &covered["visible_hit"], &covered["reason"]), (&json!(true), &json!(false), &Value::Null));
    assert_eq!(covered["distances"], json!({"box_px": 0.0, "centre_px": 0.0, "box_norm": 0.0}));
    let missing = by_id("s0.L4-000001.t0");
    assert_eq!((&missing["answer"], &missing["hit"], &missing["reason"]), (&Value::Null, &json!(false), &json!("no_prediction")));
    let refused = by_id("s0.L1-000001.t1");
    assert_eq!((&refused["counts"], &refused["hit"], &refused["reason"]), (&json!(false), &json!(true), &json!("refused")));
    assert_eq!(by_id("s0.L4-000001.t1")["hit"], false, "a click on an absent target");
}

#[test]
fn icons_and_confidence() {
    for protocol in ["icons", "confidence"] {
        let (lines, report) = outcomes("probes.jsonl", &["probe-answers.jsonl"], &["--protocol", protocol]);
        let of_class = |class: &str| lines.iter().filter(|line| line["class"] == class).count() as u64;
        assert_eq!(["correct", "biased", "misleading", "confusion", "invalid"].map(of_class), [1, 2, 1, 1, 1]);
        let with_digits = lines.iter().filter(|line| line["sharpness"].is_array()).count();
        assert_eq!(with_digits, if protocol == "confidence" { 5 } else { 0 });
        assert_eq!(report["models"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn boxes_have_the_three_classes() {
    let (lines, report) = outcomes("screenspot_pro.json", &["box-answers.jsonl"], &[]);
    assert_eq!((lines.len(), &lines[0]["class"], &lines[0]["hit"]), (1, &json!("correct"), &json!(true)));
    assert_eq!(report["models"][0]["three_classes"]["correct"]["hits"], 1);
}

#[test]
fn sequences() {
    let (lines, report) = outcomes("tasks.jsonl", &["task-answers.jsonl"], &["--protocol", "sequence"]);
    let all = &report["models"][0]["all"];
    assert_eq!(all["single_step"]["hits"], count(&lines, "hit"));
    assert_eq!(all["shr_attempted"]["n"], count(&lines, "reached"));
    let miss = lines.iter().find(|line| line["id"] == "b" && line["step"] == 1).unwrap();
    assert_eq!((&miss["class"], &miss["distances"]["box_px"]), (&json!("small_target"), &json!(10.0)));
    let second = lines.iter().find(|line| line["id"] == "a" && line["step"] == 3).unwrap();
    assert_eq!((&second["answer"], &second["distances"]["box_px"]), (&json!([[5.0, 5.0], [150.0, 350.0]]), &json!(0.0)));
    // A script that takes the first point only does not know of the second.
    let (lines, _) = outcomes("tasks.jsonl", &["task-answers.jsonl"], &["--protocol", "sequence", "--published-code", "gpt5"]);
    let first = lines.iter().find(|line| line["id"] == "a" && line["step"] == 3).unwrap();
    assert_eq!(first["hit"], false);
    assert!(first["distances"]["box_px"].as_f64().unwrap() > 100.0, "{first}");
}

#[test]
fn states() {
    let (lines, report) = outcomes("states.jsonl", &["state-answers.jsonl"], &["--protocol", "state"]);
    let of = |question: &str| -> Vec<Value> { lines.iter().filter(|line| line["question"] == question).cloned().collect() };
    let (locate, interact) = (of("locate"), of("interact"));
    let counted = [count(&locate, "hit"), count(&interact, "hit"), count(&locate, "exact"), count(&interact, "exact")];
    let all = &report["models"][0]["all"];
    assert_eq!(["sr_loc", "sr_int", "es_sr_loc", "es_sr_int"].map(|rate| all[rate]["hits"].as_u64().unwrap()), counted);
    assert_eq!(lines.iter().filter(|line| line["reason"] == "no_prediction").count(), 1);
}

#[test]
fn episodes() {
    let (lines, report) = outcomes("episode-tasks.jsonl", &["episodes.jsonl"], &["--protocol", "episode"]);
    assert_eq!((lines.len(), count(&lines, "hit")), (9, 1));
    let failures = &report["models"][0]["failures"];
    let of_class = |class: &str| lines.iter().filter(|line| line["class"] == class).count() as u64;
    failures.as_object().unwrap().iter().for_each(|(class, n)| assert_eq!(*n, of_class(class), "{class}"));
    assert_eq!((&lines[1]["reward"], &lines[1]["steps"]), (&json!(0.65), &json!(1)));
}

#[test]
fn several_models_stand_one_after_another() {
    let (lines, report) = outcomes("scenes.jsonl", &["predictions.jsonl", "predictions.jsonl"], &[]);
    let names: Vec<&Value> = report["models"].as_array().unwrap().iter().map(|m| &m["predictions"]["model"]).collect();
    assert_eq!((&lines[0]["model"], &lines[6]["model"], lines.len()), (names[0], names[1], 12));
}
