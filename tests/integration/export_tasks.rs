//! Exports of tasks give goals, instructions, boxes and clicks back.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::command::{finish, refused, succeeds, tree, windesk};
use crate::mini_pack;

const FORMATS: [&str; 4] = ["medspot", "agentnet", "android-control", "ms-swift-tasks"];

/// A dataset over the mini pack whose scenes are the keyframes of three tasks, made once. Its targets are what the
/// steps click: records say no more than that.
fn dataset() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("export-tasks");
        fs::create_dir_all(&place).unwrap();
        let level = place.join("mini.toml");
        fs::write(&level, mini_pack::LEVEL).unwrap();
        let out = place.join("dataset");
        // Of an earlier run; a folder with tasks that are not the program's own is not overwritten.
        let _ = fs::remove_dir_all(&out);
        let pack = mini_pack::folder();
        let [level, out_text, pack] = [&level, &out, &pack].map(|p| p.to_str().unwrap());
        succeeds(["synth", "--n", "6", "--seed", "3", "--level", level, "--out", out_text, "--pack", pack]);
        let scenes = json_lines(&out.join("scenes/part-00000.jsonl"));
        fs::create_dir_all(out.join("tasks")).unwrap();
        let tasks = [&scenes[..3], &scenes[3..5], &scenes[5..]].into_iter().enumerate();
        let lines = tasks.map(|(at, scenes)| {
            let steps: Vec<Value> = scenes.iter().map(step).collect();
            let application = if at == 1 { "a/b" } else { "mail" };
            json!({
                "id": format!("t{at}"), "application": application, "task_overview": format!("Goal {at}"),
                "kind": "workflow", "condition": "mini", "steps": steps,
            })
        });
        fs::write(out.join("tasks/part-00000.jsonl"), lines.map(|l| format!("{l}\n")).collect::<String>()).unwrap();
        // Three indices gave a task each, and the others are holes.
        let path = out.join("manifest.json");
        let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        (manifest["kind"], manifest["holes"]) = (json!("tasks"), json!([3, 4, 5]));
        fs::write(path, manifest.to_string()).unwrap();
        out
    })
}

fn step(scene: &Value) -> Value {
    let target = &scene["targets"][0];
    json!({
        "instruction": target["instruction"], "image": scene["image"], "image_size": [scene["width"], scene["height"]],
        "action": "click", "bbox": target["bbox"], "click_point": target["click_point"], "scene": scene["id"],
        "step_kind": "press", "also_valid": [{"bbox": [1, 2, 30, 40], "why": "as good"}],
    })
}

fn json_lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn tasks() -> Vec<Value> {
    json_lines(&dataset().join("tasks/part-00000.jsonl"))
}

/// An export in a folder of its own.
fn export(format: &str, more: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let args = ["export", dataset().to_str().unwrap(), "--to", format, "--out", out.to_str().unwrap()];
    let done = succeeds(args.into_iter().chain(more.iter().copied()));
    assert!(done.stderr.contains(&format!("{format}: 3 tasks, 6 steps")), "{}", done.stderr);
    (folder, out)
}

fn same_picture(exported: &Path, step: &Value) {
    let own = dataset().join(step["image"].as_str().unwrap());
    assert!(fs::read(exported).unwrap() == fs::read(own).unwrap(), "{}", exported.display());
}

#[test]
fn every_format_of_tasks_says_what_it_holds() {
    for format in FORMATS {
        let (_kept, out) = export(format, &[]);
        let record: Value = serde_json::from_slice(&fs::read(out.join("export.json")).unwrap()).unwrap();
        assert_eq!((&record["tasks"], &record["scenes"], &record["targets"]), (&json!(3), &json!(6), &json!(6)), "{format}");
        assert!(record["loses"].is_null() && record["omits"].as_str().unwrap().contains("other valid clicks"), "{format}");
        let (_again, again) = export(format, &["--images", "copy"]);
        assert_eq!(tree(&out), tree(&again), "{format}");
    }
    let listed = succeeds(["formats"]).stdout;
    assert!(listed.contains("medspot\n    for MedSPOT's evaluation scripts (tasks)\n"), "{listed}");
    assert!(listed.contains("    leaves out other valid clicks, kinds of tasks and steps\n    keeps all goals"), "{listed}");
}

#[test]
fn trajectories_give_everything_back() {
    let (_kept, out) = export("agentnet", &[]);
    for (record, task) in json_lines(&out.join("mini-s3.jsonl")).iter().zip(tasks()) {
        assert_eq!((&record["task_id"], &record["instruction"]), (&task["id"], &task["task_overview"]));
        for (at, (found, step)) in all(&record["traj"], &task["steps"]).enumerate() {
            assert_eq!(
                (&found["index"], &found["value"]["action"], &found["bbox"]),
                (&json!(at), &step["instruction"], &step["bbox"])
            );
            same_picture(&out.join("images").join(found["image"].as_str().unwrap()), step);
            let code = found["value"]["code"].as_str().unwrap();
            let shares = code.strip_prefix("pyautogui.click(x=").unwrap().strip_suffix(')').unwrap().split_once(", y=").unwrap();
            for (axis, share) in [shares.0, shares.1].into_iter().enumerate() {
                let side = step["image_size"][axis].as_f64().unwrap();
                let px = share.parse::<f64>().unwrap() * side;
                assert!((px - 0.5 - step["click_point"][axis].as_f64().unwrap()).abs() <= side * 5e-5, "{code}");
            }
        }
    }

    let (_kept, out) = export("android-control", &[]);
    for (number, (record, task)) in json_lines(&out.join("mini-s3.jsonl")).iter().zip(tasks()).enumerate() {
        assert_eq!((&record["episode_id"], &record["goal"]), (&json!(number), &task["task_overview"]));
        for (at, step) in task["steps"].as_array().unwrap().iter().enumerate() {
            assert_eq!((&record["step_instructions"][at], &record["bboxes"][at]), (&step["instruction"], &step["bbox"]));
            let [x, y] = [0, 1].map(|axis| &step["click_point"][axis]);
            assert_eq!(record["actions"][at], json!({"action_type": "click", "x": x, "y": y}));
            let size = json!([record["screenshot_widths"][at], record["screenshot_heights"][at]]);
            assert_eq!(size, step["image_size"]);
            same_picture(&out.join(record["screenshots"][at].as_str().unwrap()), step);
        }
    }

    let (_kept, out) = export("ms-swift-tasks", &[]);
    for (record, task) in json_lines(&out.join("mini-s3.jsonl")).iter().zip(tasks()) {
        let steps = task["steps"].as_array().unwrap();
        let turns = record["messages"].to_string();
        assert_eq!(["<image>", "<ref-object>", "<bbox>"].map(|mark| turns.matches(mark).count()), [steps.len(); 3]);
        assert!(record["messages"][0]["content"].as_str().unwrap().contains(task["task_overview"].as_str().unwrap()));
        for (at, step) in steps.iter().enumerate() {
            let objects = &record["objects"];
            assert_eq!((&objects["ref"][at], &objects["bbox"][at]), (&step["instruction"], &step["bbox"]));
            assert_eq!(objects["image_id"][at], at);
            same_picture(&out.join(record["images"][at].as_str().unwrap()), step);
        }
    }
}

fn all<'a>(found: &'a Value, steps: &'a Value) -> impl Iterator<Item = (&'a Value, &'a Value)> {
    let (found, steps) = (found.as_array().unwrap(), steps.as_array().unwrap());
    assert_eq!(found.len(), steps.len());
    found.iter().zip(steps)
}

/// Scored by every published script, an export gives what its dataset does: also clicks on borders of boxes, where a
/// rounded percentage would decide.
#[test]
fn medspot_files_score_as_their_dataset() {
    let (_kept, out) = export("medspot", &[]);
    let names: Vec<String> = tree(&out).into_keys().filter(|name| name.starts_with("Annotations")).collect();
    assert_eq!(names, ["Annotations/a_b_Annotation.json", "Annotations/mail_Annotation.json"]);
    let folder = tempfile::tempdir().unwrap();
    let answers = folder.path().join("model.jsonl");
    let corner = |step: &Value, at: usize| {
        let v = |side: usize| step["bbox"][side].as_f64().unwrap();
        [[v(0), v(1)], [v(2), v(3)], [v(0) - 6.0, v(1)], [v(2), v(3) + 14.0], [v(0), v(3) + 15.0], [v(2) + 0.001, v(1)]][at % 6]
    };
    let lines = tasks().into_iter().enumerate().flat_map(|(number, task)| {
        let line = move |(at, step): (usize, &Value)| {
            json!({"id": format!("t{number}"), "step": at, "point": corner(step, at + 2 * number)}).to_string() + "\n"
        };
        task["steps"].as_array().unwrap().iter().enumerate().map(line).collect::<Vec<_>>()
    });
    fs::write(&answers, lines.collect::<String>()).unwrap();
    let scores = |dataset: &Path, script: &str| {
        let mut command = windesk(["eval", "--protocol", "sequence", "--report", "json", "--resamples", "20"]);
        command.args(["--published-code", script]).arg(dataset).arg(&answers);
        let done = finish(command);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        serde_json::from_str::<Value>(&done.stdout).unwrap()["models"][0]["all"].clone()
    };
    let mut seen = Vec::new();
    for script in ["seeclick", "gpt5", "uground", "tars"] {
        let of_export = scores(&out.join("Annotations"), script);
        // Tasks come in another order, of which the bootstrap's draws depend.
        for metric in ["tca", "s1a", "shr", "single_step"] {
            let of_dataset = scores(dataset(), script);
            let hits = |scores: &Value| (scores[metric]["hits"].as_u64().unwrap(), scores[metric]["n"].as_u64().unwrap());
            assert_eq!(hits(&of_export), hits(&of_dataset), "{script}: {metric}");
            seen.push(hits(&of_dataset));
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 4, "the scripts judge differently: {seen:?}");
}

/// The gallery shows a task's keyframes in a row, as far as they are shown at all.
#[test]
fn the_gallery_has_a_strip_for_every_task() {
    let folder = tempfile::tempdir().unwrap();
    let shown = |more: &[&str]| -> Vec<(String, Vec<String>)> {
        let out = folder.path().join(format!("view{}", more.len()));
        let args = ["view", dataset().to_str().unwrap(), "--out", out.to_str().unwrap()];
        succeeds(args.into_iter().chain(more.iter().copied()));
        let text = fs::read_to_string(out.join("data.js")).unwrap();
        let data = text.strip_prefix("window.GALLERY = ").unwrap().trim_end().strip_suffix(';').unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        let strip = |task: &Value| {
            let steps = task["steps"].as_array().unwrap().iter().map(|step| step["scene"].as_str().unwrap().to_owned());
            (task["goal"].as_str().unwrap().to_owned(), steps.collect())
        };
        data["tasks"].as_array().unwrap().iter().map(strip).collect()
    };
    let scenes: Vec<String> =
        json_lines(&dataset().join("scenes/part-00000.jsonl")).iter().map(|s| s["id"].as_str().unwrap().to_owned()).collect();
    let expected = |parts: &[&[String]]| -> Vec<(String, Vec<String>)> {
        parts.iter().enumerate().map(|(at, scenes)| (format!("Goal {at}"), scenes.to_vec())).collect()
    };
    assert_eq!(shown(&[]), expected(&[&scenes[..3], &scenes[3..5], &scenes[5..]]));
    assert_eq!(shown(&["--limit", "4"]), expected(&[&scenes[..3], &scenes[3..4]]));
}

#[test]
fn bad_tasks_are_not_exported() {
    let folder = tempfile::tempdir().unwrap();
    let (copy, out) = (folder.path().join("dataset"), folder.path().join("out"));
    mini_pack::copy_folder(dataset(), &copy);
    let check = |change: &dyn Fn(&mut Value), more: &[&str], expected: &[&str]| {
        let mut tasks = tasks();
        change(&mut tasks[1]["steps"][1]);
        fs::write(copy.join("tasks/part-00000.jsonl"), tasks.iter().map(|t| format!("{t}\n")).collect::<String>()).unwrap();
        let args = ["export", copy.to_str().unwrap(), "--to", "medspot", "--out", out.to_str().unwrap()];
        refused(windesk(args.into_iter().chain(more.iter().copied())), expected);
        assert!(!out.exists());
    };
    let at = "part-00000.jsonl:2";
    check(&|step| step["image"] = json!("images/../manifest.json"), &[], &[at, "step 1: `image` is", "inside the dataset"]);
    check(&|step| step["image"] = Value::Null, &[], &[at, "step 1: `image` is"]);
    check(&|step| step["image"] = json!("images/00000/none.png"), &[], &["none.png"]);
    check(&|step| step["bbox"] = json!([1.5, 2, 3, 4]), &[], &[at, "step 1: `bbox` is [1.5, 2.0, 3.0, 4.0]", "whole px"]);
    check(&|step| step["bbox"] = json!([9000, 2, 9001, 4]), &[], &[at, "with a pixel in the image"]);
    check(&|step| step["action"] = json!("drag"), &[], &[at, "step 1: `action` is `drag`, expected click"]);
    check(&|step| step["also_valid"][0]["bbox"] = json!([0, 0, 9999, 4]), &[], &[at, "step 1: `also_valid[0].bbox`"]);
    check(&|step| step["step_kind"] = json!("jump"), &[], &[at, "unknown variant `jump`"]);
    check(&|_| (), &["--boxes", "visible"], &["--boxes visible", "tasks record whole boxes"]);
}
