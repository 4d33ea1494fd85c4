//! Predictions over tasks: what endpoints are sent in each way of asking, and what baselines click.

use std::path::Path;

use image::{Rgb, RgbImage};
use serde_json::{Value, json};
use windesk::eval::predict::HistoryPrompt;
use windesk::shipped::history_prompt;

use super::chat_server::{Reply, Request, serve};
use super::fixtures::{example, report};
use crate::command::{finish, refused, windesk};

/// A dataset of one task whose keyframes are 200 x 100 px: black, with a white box from the second step on, and a small
/// grey one besides from the third.
fn dataset() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["tasks", "images/00000", "scenes"] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    let mut frame = RgbImage::new(200, 100);
    let mut paint = |name: &str, [x0, y0, x1, y1]: [u32; 4], grey: u8| {
        (y0..y1).for_each(|y| (x0..x1).for_each(|x| frame.put_pixel(x, y, Rgb([grey; 3]))));
        frame.save(folder.path().join(format!("images/00000/{name}.png"))).unwrap();
    };
    paint("0", [0, 0, 1, 1], 0);
    paint("1", [100, 20, 160, 60], 255);
    paint("2", [10, 80, 30, 90], 128);
    let step = |at: usize, text: &str, bbox: [i32; 4], click: [i32; 2]| {
        json!({
            "instruction": text, "image": format!("images/00000/{at}.png"), "image_size": [200, 100], "action": "click",
            "bbox": bbox, "click_point": click, "scene": format!("s{at}"), "step_kind": "press",
        })
    };
    let task = json!({
        "id": "t", "application": "editor", "task_overview": "Save {steps} again", "steps": [
            step(0, "Open the File menu", [20, 5, 40, 15], [30, 10]),
            step(1, "Choose {goal} Save As", [100, 20, 160, 60], [120, 40]),
            step(2, "Click OK", [10, 80, 30, 90], [20, 85]),
        ],
    });
    std::fs::write(folder.path().join("tasks/part-00000.jsonl"), format!("{task}\n")).unwrap();
    let window = |index: u32, z: u32, rect: [i32; 4], active: bool| json!({"index": index, "z": z, "rect": rect, "active": active, "visible_px": 10 + index});
    let element = |window: u32, name: &str, bbox: [i32; 4]| json!({"window": window, "name": name, "interactive": true, "visible_bbox": bbox});
    let scene = |at: usize| {
        json!({
            "id": format!("s{at}"),
            "windows": [window(0, 0, [0, 0, 200, 100], true), window(1, 1, [100, 20, 160, 60], false)],
            "elements": [element(0, "OK", [10, 80, 30, 90]), element(0, "File", [20, 4, 40, 16]), element(1, "Save As", [104, 24, 156, 32])],
            "targets": [],
        })
    };
    // Not in the order of the steps.
    let scenes: String = [2, 0, 1].map(|at| format!("{}\n", scene(at))).concat();
    std::fs::write(folder.path().join("scenes/part-00000.jsonl"), scenes).unwrap();
    // One task with a scene for each of its three steps.
    let part = json!({"name": "part-00000", "first": 0, "count": 3});
    let manifest = json!({"shards": [part], "range": [0, 1], "holes": []});
    std::fs::write(folder.path().join("manifest.json"), manifest.to_string()).unwrap();
    folder
}

fn lines(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

/// The requests of a run over all three steps, in order, and the lines that it wrote.
fn asked(way: &str, extra: &[&str]) -> (Vec<Request>, Vec<Value>) {
    let (dataset, keep) = (dataset(), tempfile::tempdir().unwrap());
    let out = keep.path().join("out.jsonl");
    let server = serve(&[], Reply::Say("(500, 500)"));
    let mut command = windesk(["predict", "--asked", way, "--model", "tiny", "--concurrency", "1", "--endpoint", &server.url]);
    command.arg(dataset.path()).arg("--out").arg(&out).args(extra).env_remove("OPENAI_API_KEY");
    let done = finish(command);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let requests = server.requests.lock().unwrap().clone();
    let (code, _) = report(dataset.path(), &[&out], &["--protocol", "sequence", "--asked", way]);
    assert_eq!(code, 0);
    (requests, lines(&out))
}

/// Pictures and text of a request.
fn content(request: &Request) -> (usize, String) {
    let content = request.1["messages"].as_array().unwrap().last().unwrap()["content"].as_array().unwrap();
    let (text, pictures) = content.split_last().unwrap();
    assert!(pictures.iter().all(|part| part["image_url"]["url"].as_str().unwrap().starts_with("data:image/png;base64,")));
    (pictures.len(), text["text"].as_str().unwrap().to_owned())
}

#[test]
fn asked_by_step_a_keyframe_stands_alone() {
    let (requests, written) = asked("step", &["--family", "qwen3-vl"]);
    assert_eq!(requests.len(), 3);
    for (request, instruction) in requests.iter().zip(["Open the File menu", "Choose {goal} Save As", "Click OK"]) {
        let (pictures, text) = content(request);
        assert!(pictures == 1 && text.contains(instruction) && !text.contains("Task:"), "{text}");
    }
    assert_eq!((&written[0]["header"]["asked"], &written[0]["header"]["history_images"]), (&json!("step"), &Value::Null));
    let steps: Vec<&Value> = written[1..].iter().map(|line| &line["step"]).collect();
    assert_eq!(steps, [&json!(0), &json!(1), &json!(2)]);
}

/// Clicks are told in the numbers that the family answers in: thousandths of the sides.
#[test]
fn histories_tell_goal_steps_and_clicks() {
    let (requests, written) = asked("step+history", &["--family", "qwen3-vl"]);
    let all: Vec<(usize, String)> = requests.iter().map(content).collect();
    assert_eq!(all.iter().map(|(pictures, _)| *pictures).collect::<Vec<_>>(), [1, 2, 3]);
    let first = "Task: Save {steps} again\nSteps so far:\nNone yet.\nNext step: Open the File menu";
    assert!(all[0].1.contains(first), "{}", all[0].1);
    let third = "Task: Save {steps} again\nSteps so far:\n1. Open the File menu Done: clicked at (152, 105).\n\
                 2. Choose {goal} Save As Done: clicked at (602, 405).\nThe last of the 3 screenshots shows the screen now.";
    assert!(all[2].1.contains(third) && all[2].1.contains("\nNext step: Click OK"), "{}", all[2].1);
    let header = &written[0]["header"];
    assert_eq!((&header["asked"], &header["history_images"]), (&json!("step+history"), &json!(4)));
    assert!(header["prompt"].as_str().unwrap().contains("[history] Task: {goal}"));

    let (requests, _) = asked("goal+history", &["--family", "qwen3-vl", "--history-images", "1"]);
    let all: Vec<(usize, String)> = requests.iter().map(content).collect();
    assert_eq!(all.iter().map(|(pictures, _)| *pictures).collect::<Vec<_>>(), [1, 2, 2]);
    assert!(all[2].1.contains("2. Choose {goal} Save As Done") && !all[2].1.contains("Click OK"), "{}", all[2].1);
    // A family of one picture is sent one.
    let (requests, _) = asked("goal+history", &["--family", "uground"]);
    assert!(requests.iter().map(content).all(|(pictures, text)| pictures == 1 && !text.contains("screenshots")));
}

#[test]
fn what_is_no_template_of_histories_is_refused() {
    history_prompt().unwrap();
    let text = include_str!("../../../configs/prompts/tasks/history.toml");
    let error = HistoryPrompt::read("h.toml", &text.replace("{point}", "there")).unwrap_err().to_string();
    assert!(error.contains("h.toml: `step` without {point}"), "{error}");
}

#[test]
fn baselines_answer_tasks_as_they_say() {
    let (dataset, keep) = (dataset(), tempfile::tempdir().unwrap());
    let answers = |agent: &str, way: &str| -> Vec<Value> {
        let out = keep.path().join(format!("{agent}-{way}.jsonl"));
        let mut command = windesk(["predict", "--agent", agent, "--asked", way, "--out"]);
        command.arg(&out).arg(dataset.path());
        let done = finish(command);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let lines = lines(&out);
        assert_eq!((&lines[0]["header"]["model"], &lines[0]["header"]["asked"]), (&json!(agent), &json!(way)));
        lines[1..].iter().map(|line| line["point"].clone()).collect()
    };
    assert_eq!(answers("oracle", "step"), [json!([30.5, 10.5]), json!([120.5, 40.5]), json!([20.5, 85.5])]);
    assert_eq!(answers("center", "step"), [json!([100.0, 50.0]), json!([100.0, 50.0]), json!([100.0, 50.0])]);
    let jittered = answers("oracle-jitter", "step");
    for (jittered, exact) in jittered.iter().zip([[30.5, 10.5], [120.5, 40.5], [20.5, 85.5]]) {
        let off = [0, 1].map(|axis| (jittered[axis].as_f64().unwrap() - exact[axis]).abs());
        assert!(off.iter().all(|off| *off <= 16.0), "{jittered}");
    }
    // A new white box, then a small grey one; nothing came before the first keyframe.
    let changed = answers("what-changed", "step");
    assert_eq!(changed[1..], [json!([130.0, 40.0]), json!([20.0, 85.0])]);
    assert_eq!(changed[0], answers("random", "step")[0], "at first a random point");
    // Window 1 is on top and has "Save As"; window 0 is active. Without a word in common, the window's middle.
    assert_eq!(answers("topmost", "step"), [json!([130.0, 40.0]), json!([130.0, 28.0]), json!([130.0, 40.0])]);
    assert_eq!(answers("active", "step"), [json!([30.0, 10.0]), json!([100.0, 50.0]), json!([20.0, 85.0])]);
    // The goal "Save .. again" is all that is told.
    assert_eq!(answers("topmost", "goal+history"), vec![json!([130.0, 28.0]); 3]);

    let oracle = keep.path().join("oracle-step.jsonl");
    let (code, report) = report(dataset.path(), &[&oracle], &["--protocol", "sequence"]);
    assert_eq!((code, &report["models"][0]["all"]["tca"]["value"], &report["asked"]), (0, &json!(1.0), &json!("step")));
    // Cut off after its first answer, the file is made whole again as it was.
    let whole = std::fs::read_to_string(keep.path().join("what-changed-step.jsonl")).unwrap();
    let begun: Vec<&str> = whole.lines().take(2).collect();
    std::fs::write(keep.path().join("what-changed-step.jsonl"), begun.join("\n") + "\n").unwrap();
    answers("what-changed", "step");
    assert_eq!(std::fs::read_to_string(keep.path().join("what-changed-step.jsonl")).unwrap(), whole);
}

#[test]
fn what_can_not_be_asked_is_refused() {
    let keep = tempfile::tempdir().unwrap();
    let tried = std::cell::Cell::new(0);
    let predict = |dataset: &Path, args: &[&str]| {
        let mut command = windesk(["predict", "--out"]);
        tried.set(tried.get() + 1);
        command.arg(keep.path().join(format!("{}.jsonl", tried.get()))).arg(dataset).args(args);
        command
    };
    refused(predict(&example("scenes.jsonl"), &["--agent", "what-changed"]), &["what-changed", "needs tasks"]);
    refused(
        predict(&example("scenes.jsonl"), &["--agent", "center", "--asked", "goal+history"]),
        &["--asked goal+history", "found a dataset without any"],
    );
    refused(predict(&example("workflows.jsonl"), &["--agent", "topmost"]), &["topmost", "w1, step 0 names no scene"]);
    refused(predict(&example("workflows.jsonl"), &["--agent", "what-changed"]), &["found a step without an image"]);
    refused(
        predict(&example("tasks.jsonl"), &["--agent", "center", "--asked", "step+history"]),
        &["task b has no goal (`task_overview`)"],
    );
    let dataset = dataset();
    std::fs::write(dataset.path().join("scenes/part-00000.jsonl"), "").unwrap();
    refused(predict(dataset.path(), &["--agent", "largest"]), &["found 0 lines, expected 3"]);
}
