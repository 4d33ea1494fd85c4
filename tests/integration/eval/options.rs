//! Options of `eval` and `predict` that say nothing, or nothing sensible, are refused; outputs never replace inputs.

use std::path::Path;

use serde_json::{Value, json};

use super::fixtures::{example, finished, predictions, report};
use crate::command::{Finished, finish, refused, windesk};

fn eval_refuses(dataset: &Path, answers: &Path, options: &[&str], expected: &[&str]) {
    let mut command = windesk(["eval"]);
    command.arg(dataset).arg(answers).args(options);
    refused(command, expected);
}

/// With them the oracle hit nothing, or everything was a hit.
#[test]
fn numbers_are_finite() {
    let (tasks, answers) = (example("tasks.jsonl"), example("task-answers.jsonl"));
    for value in ["nan", "inf", "1e999", "-1"] {
        let option = format!("--tolerance={value}");
        eval_refuses(&tasks, &answers, &["--protocol", "sequence", &option], &["--tolerance", "expected a number from 0"]);
    }
    let (scenes, answers) = (example("scenes.jsonl"), example("predictions.jsonl"));
    for value in ["nan", "inf", "0"] {
        let option = format!("--pss-c={value}");
        eval_refuses(&scenes, &answers, &["--protocol", "confidence", &option], &["--pss-c", "expected a number above 0"]);
        let option = format!("--tau={value}");
        eval_refuses(&scenes, &answers, &["--protocol", "icons", &option], &["--tau", "above 0"]);
    }
    let mut command = windesk(["predict", "--endpoint", "http://127.0.0.1:9/v1", "--model", "m", "--temperature", "nan"]);
    command.arg(&scenes);
    refused(command, &["--temperature", "expected a number from 0"]);
}

#[test]
fn options_of_other_protocols_are_refused() {
    let check = |protocol: &str, options: &[&str]| {
        let (dataset, answers) = match protocol {
            "sequence" => ("tasks.jsonl", "task-answers.jsonl"),
            "state" => ("states.jsonl", "state-answers.jsonl"),
            _ => ("scenes.jsonl", "predictions.jsonl"),
        };
        let all = [&["--protocol", protocol], options].concat();
        eval_refuses(&example(dataset), &example(answers), &all, &[options[0], &format!("found --protocol {protocol}")]);
    };
    for option in ["--tolerance=3", "--tau=0.1", "--tau-unit=px", "--variant=nearest", "--pss-norm=raw", "--pss-c=2"] {
        let (name, value) = option.split_once('=').unwrap();
        check("click", &[name, value]);
    }
    for options in [["--other-actions", "drag"], ["--asked", "step"], ["--image-sizes", "none.json"], ["--budget", "3"]] {
        check("click", &options);
    }
    for options in [["--tau", "0.1"], ["--targets", "all"], ["--budget", "3"], ["--failures", "3"]] {
        check("sequence", &options);
    }
    check("state", &["--image-size", "9x9"]);
    // A default that is typed says the same as any other value.
    check("state", &["--targets", "promised"]);
    let sequence = ["--protocol", "sequence", "--other-actions", "double_clik"];
    let expected = ["--other-actions", "found `double_clik`", "did you mean double_click?"];
    eval_refuses(&example("tasks.jsonl"), &example("task-answers.jsonl"), &sequence, &expected);
}

#[test]
fn outputs_never_take_the_place_of_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let [scenes, answers, linked] = [place("scenes.jsonl"), place("answers.jsonl"), place("linked.jsonl")];
    std::fs::copy(example("scenes.jsonl"), &scenes).unwrap();
    std::fs::copy(example("predictions.jsonl"), &answers).unwrap();
    std::fs::hard_link(&answers, &linked).unwrap();
    let before = [&scenes, &answers].map(|path| std::fs::read(path).unwrap());
    let check = |options: &[&str], expected: &str| {
        let mut command = windesk(["eval", "scenes.jsonl", "answers.jsonl"]);
        command.args(options).current_dir(folder.path());
        refused(command, &[options[options.len() - 2], expected]);
        assert_eq!([&scenes, &answers].map(|path| std::fs::read(path).unwrap()), before, "{options:?}");
    };
    for name in ["answers.jsonl", "./answers.jsonl", "linked.jsonl", "scenes.jsonl"] {
        check(&["--out", name], "found a file that is read");
        check(&["--outcomes", name], "found a file that is read");
    }
    check(&["--out", "new.jsonl", "--outcomes", "./new.jsonl"], "found the file of --out");
    assert!(!place("new.jsonl").exists());
    let mut predict = windesk(["predict", "scenes.jsonl", "--agent", "center", "--out", "scenes.jsonl"]);
    predict.current_dir(folder.path());
    refused(predict, &["--out scenes.jsonl", "found a file that is read"]);
}

fn predict(dataset: &Path, out: &Path, more: &[&str]) -> Finished {
    let mut command = windesk(["predict", "--agent", "center", "--out"]);
    command.arg(out).arg(dataset).args(more);
    finish(command)
}

#[test]
fn baselines_answer_as_many_as_they_are_asked() {
    let folder = tempfile::tempdir().unwrap();
    for dataset in ["scenes.jsonl", "tasks.jsonl", "states.jsonl"] {
        let out = folder.path().join(format!("of-{dataset}"));
        let lines = || std::fs::read_to_string(&out).unwrap().lines().count() - 1;
        for (limit, held) in [("0", 0), ("2", 2), ("1", 3)] {
            let said = predict(&example(dataset), &out, &["--limit", limit]);
            assert_eq!((said.code, lines()), (Some(0), held), "{dataset}: {}", said.stderr);
            assert!(said.stderr.contains(&format!("{limit} answer")), "{}", said.stderr);
        }
        predict(&example(dataset), &out, &[]);
        let whole = folder.path().join(format!("whole-{dataset}"));
        predict(&example(dataset), &whole, &[]);
        assert_eq!(std::fs::read(&out).unwrap(), std::fs::read(&whole).unwrap(), "{dataset}");
        assert!(lines() > 3, "{dataset}: {}", lines());
    }
}

#[test]
fn baselines_take_no_options_of_endpoints() {
    let out = tempfile::tempdir().unwrap();
    let options: [&[&str]; 6] =
        [&["--prompt", "p.toml"], &["--logprobs"], &["--temperature", "0"], &["--rate", "1"], &["--follow"], &["--timeout", "9"]];
    for option in options {
        let said = predict(&example("scenes.jsonl"), &out.path().join("out.jsonl"), option);
        assert_eq!(said.code, Some(2), "{option:?}: {}", said.stderr);
        assert!(said.stderr.contains("cannot be used with"), "{}", said.stderr);
    }
    assert!(!out.path().join("out.jsonl").exists());
}

#[test]
fn a_mark_before_the_first_line_is_no_part_of_it() {
    let text = std::fs::read_to_string(example("predictions.jsonl")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("predictions.jsonl");
    std::fs::write(&path, format!("\u{feff}{text}")).unwrap();
    let plain = report(&example("scenes.jsonl"), &[&example("predictions.jsonl")], &[]);
    assert_eq!(report(&example("scenes.jsonl"), &[&path], &[]), plain);
    // Anywhere else it is none.
    std::fs::write(&path, text.replacen('\n', "\n\u{feff}", 1)).unwrap();
    eval_refuses(&example("scenes.jsonl"), &path, &[], &["predictions.jsonl:2"]);
}

#[test]
fn an_id_of_the_dataset_is_shown_where_none_fits() {
    let (_folder, file) = predictions(&[json!({"id": "set/0", "point": [1, 2]})]);
    eval_refuses(&example("scenes.jsonl"), &file, &[], &["none of 1 ids", "set/0", "an `id` of this one is `s0.L1-000000.t0`"]);
}

/// A scene of two states: one that a click sets, and one that only a drag does.
#[test]
fn what_only_a_drag_sets_is_no_target_of_clicks() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("scenes")).unwrap();
    let text = std::fs::read_to_string(example("scenes.jsonl")).unwrap();
    let mut scenes: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let is_there = |scene: &&mut Value| scene["targets"][0]["kind"] == "present";
    let dragged = scenes.iter_mut().find(is_there).unwrap();
    let (id, bbox) = (dragged["targets"][0]["id"].clone(), dragged["targets"][0]["bbox"].clone());
    dragged["targets"][0]["click_point"] = Value::Null;
    dragged["targets"][0]["drag"] = json!([[460, 220], [500, 220]]);
    let write = |scenes: &[Value]| {
        let text: String = scenes.iter().map(|scene| format!("{scene}\n")).collect();
        std::fs::write(folder.path().join("scenes/part-00000.jsonl"), text).unwrap();
        finished(folder.path());
    };
    write(&scenes);
    let (_keep, file) = predictions(&[json!({"id": id, "box": bbox})]);
    let (_, before) = report(&example("scenes.jsonl"), &[&file], &[]);
    assert_eq!(before["dataset"].get("only_by_drag"), None);
    for protocol in ["click", "icons"] {
        let (_, scored) = report(folder.path(), &[&file], &["--protocol", protocol]);
        let count = |report: &Value, key: &str| report["dataset"][key].as_u64().unwrap();
        assert_eq!(count(&scored, "only_by_drag"), 1);
        assert_eq!(count(&scored, "present_targets") + 1, count(&before, "present_targets"));
    }
    let (_, scored) = report(folder.path(), &[&file], &[]);
    let micro = &scored["models"][0]["click"]["micro"];
    assert_eq!((&micro["hits"], &micro["n"]), (&json!(0), &scored["dataset"]["present_targets"]));
    let lines = folder.path().join("outcomes.jsonl");
    let [data, said, out] = [folder.path(), &file, &lines].map(|path| path.to_str().unwrap());
    let done = finish(windesk(["eval", data, said, "--outcomes", out]));
    assert!(done.stderr.contains("since only a drag sets them: 1 of"), "{}", done.stderr);
    let outcomes = std::fs::read_to_string(&lines).unwrap();
    let outcome =
        outcomes.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).find(|line| line["id"] == id).unwrap();
    assert_eq!((&outcome["counts"], &outcome["hit"]), (&json!(false), &Value::Null));
    let pages = folder.path().join("pages");
    let done = finish(windesk(["review", data, "--raters", "1", "--out", pages.to_str().unwrap()]));
    assert!(done.stderr.contains("since only a drag sets them: 1 of"), "{}", done.stderr);
    // Nothing is left to be scored.
    scenes.retain(|scene| scene["targets"][0]["id"] == id);
    write(&scenes);
    eval_refuses(folder.path(), &file, &[], &["only targets that a drag sets", "--protocol state"]);
}
