//! Predictions about states: what endpoints are asked, with which hints, and where baselines act.

use std::path::Path;

use image::{Rgb, RgbImage};
use serde_json::{Value, json};

use super::chat_server::{Reply, Request, serve};
use super::fixtures::{finished, report};
use crate::command::{finish, refused, succeeds, windesk};

/// Two instances of 200 x 100 px: a slider that a click sets, and one that only a drag does.
fn dataset() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["states", "images/00000"] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    RgbImage::from_pixel(200, 100, Rgb([90; 3])).save(folder.path().join("images/00000/0.png")).unwrap();
    let regions: Vec<Value> = (0..10).map(|v| json!({"bbox": [10 + 10 * v, 20, 20 + 10 * v, 40], "state": v})).collect();
    let map = json!({"kind": "regions", "regions": regions, "half_open": true});
    let instance = |id: &str, more: Value| {
        let mut line = json!({
            "id": id, "image": "images/00000/0.png", "image_size": [200, 100], "instruction": "Set Volume to 7",
            "locate_instruction": "Point at the present state of the slider “Volume”", "platform": "web", "component": "slider",
            "control_bbox": [10, 20, 110, 40], "core_bbox": [30, 20, 40, 40], "target_core_bbox": [80, 20, 90, 40],
            "current_state": 2, "target_state": 7,
        });
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        format!("{line}\n")
    };
    let hint = json!({"kind": "description", "source": "oracle", "text": "The control is a slider. Its state is 2."});
    let click = instance("a", json!({"click_to_state": map, "hint": hint, "act": {"click": [85, 30]}}));
    let drag = json!({"handle": [30, 20, 40, 40], "release": map});
    let drag = instance("b", json!({"drag_to_state": drag, "act": {"drag": [[35, 30], [85, 30]]}}));
    std::fs::write(folder.path().join("states/part-00000.jsonl"), click + &drag).unwrap();
    finished(folder.path());
    folder
}

fn lines(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

/// The text of a request, which has one picture.
fn text(request: &Request) -> String {
    let content = request.1["messages"].as_array().unwrap().last().unwrap()["content"].as_array().unwrap();
    assert_eq!(content.len(), 2);
    content[1]["text"].as_str().unwrap().to_owned()
}

#[test]
fn each_question_is_asked_alone_and_hints_are_told() {
    let (dataset, keep) = (dataset(), tempfile::tempdir().unwrap());
    let asked = |name: &str, more: &[&str]| {
        let out = keep.path().join(name);
        let server = serve(&[], Reply::Say("(425, 300)"));
        let mut command = windesk(["predict", "--model", "tiny", "--family", "qwen3-vl", "--concurrency", "1", "--endpoint"]);
        command.arg(&server.url).arg(dataset.path()).arg("--out").arg(&out).args(more).env_remove("OPENAI_API_KEY");
        let done = finish(command);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let requests = server.requests.lock().unwrap().iter().map(text).collect::<Vec<_>>();
        (requests, out)
    };
    let (requests, out) = asked("own.jsonl", &[]);
    assert_eq!(requests.len(), 4);
    let hint = "The control is a slider. Its state is 2.";
    for (at, text) in requests.iter().enumerate() {
        let [locate, interact] =
            ["Point at the present state of the slider “Volume”", "Set Volume to 7"].map(|w| text.contains(w));
        assert_eq!([locate, interact], [at % 2 == 0, at % 2 == 1], "{text}");
        assert_eq!(text.contains(hint), at < 2, "{text}");
    }
    let written = lines(&out);
    let questions: Vec<[&Value; 2]> = written[1..].iter().map(|line| [&line["id"], &line["question"]]).collect();
    assert_eq!(json!(questions), json!([["a", "locate"], ["a", "interact"], ["b", "locate"], ["b", "interact"]]));
    assert!(written[1..].iter().all(|line| line.get("step").is_none()));
    // 0.425 of 200 is 85: the core of the target state, not the one of the present state.
    let (code, scored) = report(dataset.path(), &[&out], &["--protocol", "state"]);
    let all = &scored["models"][0]["all"];
    assert_eq!((code, &all["sr_loc"]["hits"], &all["es_sr_loc"]["hits"]), (0, &json!(2), &json!(0)));
    assert_eq!((&all["sr_int"]["hits"], &all["es_sr_int"]["hits"]), (&json!(2), &json!(1)), "a click is no drag");
    // Nothing is asked twice.
    assert_eq!(asked("own.jsonl", &[]).0.len(), 0);
    let (requests, told) = asked("told.jsonl", &["--hints", out.to_str().unwrap()]);
    for (at, text) in requests.iter().enumerate() {
        assert_eq!(text.contains("The control is at (425, 300)."), at % 2 == 1, "{text}");
        assert!(!text.contains(hint), "{text}");
    }
    assert!(lines(&told)[0]["header"]["hints"].as_str().unwrap().starts_with("predicted by tiny ("));
    let text = dataset.path().join("states/part-00000.jsonl");
    let without = std::fs::read_to_string(&text)
        .unwrap()
        .replace("locate_instruction\":\"Point", "locate_instruction\":null,\"application\":\"Point");
    std::fs::write(&text, without).unwrap();
    let mut command = windesk(["predict", "--model", "tiny", "--family", "qwen3-vl", "--endpoint", "http://127.0.0.1:9/v1"]);
    command.arg(dataset.path()).arg("--out").arg(keep.path().join("none.jsonl"));
    refused(command, &["`locate_instruction` is null"]);
}

#[test]
fn baselines_act_on_the_control() {
    let (dataset, keep) = (dataset(), tempfile::tempdir().unwrap());
    let data = dataset.path().to_str().unwrap();
    let rates = |agent: &str| {
        let out = keep.path().join(agent);
        succeeds(["predict", data, "--agent", agent, "--out", out.to_str().unwrap()]);
        let (code, scored) = report(dataset.path(), &[&out], &["--protocol", "state"]);
        assert_eq!(code, 0);
        ["sr_loc", "sr_int", "es_sr_loc", "es_sr_int"].map(|rate| scored["models"][0]["all"][rate]["hits"].as_u64().unwrap())
    };
    assert_eq!(rates("oracle"), [2, 2, 2, 2]);
    // 7 of 0 to 9 is at 87.8 of 10 to 110, and 2 at 32.2.
    assert_eq!(rates("linear"), [2, 2, 2, 2]);
    assert_eq!(rates("control-center"), [2, 2, 0, 0]);
    let [locate, interact, ..] = rates("control-random");
    assert_eq!([locate, interact], [2, 2]);
    let scenes = super::fixtures::example("scenes.jsonl");
    let out = keep.path().join("none");
    let args = ["predict", scenes.to_str().unwrap(), "--agent", "linear", "--out", out.to_str().unwrap()];
    refused(windesk(args), &["--agent linear", "needs state instances"]);
}
