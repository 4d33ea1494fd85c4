//! Predictions of a served model and of baselines, on the example scenes. The pictures are blank: nothing looks at
//! them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use windesk::eval::predict::Prompt;
use windesk::shipped::{FAMILY_PROMPTS, family_prompt};

use super::chat_server::{ChatServer, Reply, serve};
use super::fixtures::{example, finished, report};
use crate::command::{Finished, ends_within, finish, refused, windesk};

/// The example scenes as a dataset folder with pictures and an instruction of its own for every target.
fn dataset() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("scenes")).unwrap();
    std::fs::create_dir_all(folder.path().join("images/00000")).unwrap();
    let mut text = String::new();
    for line in std::fs::read_to_string(example("scenes.jsonl")).unwrap().lines() {
        let mut scene: Value = serde_json::from_str(line).unwrap();
        for target in scene["targets"].as_array_mut().unwrap() {
            target["instruction"] = json!(format!("Open <{}> {{width}}", target["id"].as_str().unwrap()));
        }
        let [width, height] = ["width", "height"].map(|side| scene[side].as_u64().unwrap() as u32);
        image::RgbImage::new(width, height).save(folder.path().join(scene["image"].as_str().unwrap())).unwrap();
        text += &format!("{scene}\n");
    }
    std::fs::write(folder.path().join("scenes/part-00000.jsonl"), text).unwrap();
    finished(folder.path());
    folder
}

fn ask(dataset: &Path, server: &ChatServer, out: &Path, extra: &[&str]) -> Command {
    let mut command = windesk(["predict"]);
    command.arg(dataset).args(["--endpoint", &server.url, "--model", "org/tiny", "--backoff", "0.01", "--retries", "3"]);
    command.arg("--out").arg(out).args(extra).env_remove("OPENAI_API_KEY");
    command
}

fn lines(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn by_id<'a>(lines: &'a [Value], id: &str) -> &'a Value {
    lines.iter().find(|l| l["id"] == id).unwrap_or_else(|| panic!("no line for {id}"))
}

fn run(command: Command) -> Finished {
    let done = finish(command);
    assert!(done.code == Some(0) || done.code == Some(1), "{}", done.stderr);
    done
}

#[test]
fn faults_of_a_server_are_survived() {
    let (dataset, keep) = (dataset(), tempfile::tempdir().unwrap());
    let out = keep.path().join("out.jsonl");
    let good = Reply::Say("(480, 450)");
    let server = serve(
        &[
            ("L1-000000.t0", &[Reply::Status(429), Reply::Status(500), Reply::Truncated, good.clone()]),
            ("L4-000000.t0", &[Reply::CutOff, Reply::Slow("<think>[1, 2]</think>(480, 450)")]),
            ("L1-000001.t0", &[Reply::Silence(Duration::from_secs(2)), good.clone()]),
            ("L4-000001.t0", &[Reply::Status(503)]),
            ("L1-000001.t1", &[Reply::Status(400)]),
        ],
        Reply::Say("I do not know"),
    );
    let done = run(ask(dataset.path(), &server, &out, &["--family", "uground", "--timeout", "1"]));
    assert_eq!(done.code, Some(1));
    assert!(done.stderr.contains("4 answers written, 0 already present, 2 targets without an answer"), "{}", done.stderr);
    assert!(done.stderr.contains("HTTP 503 (after 4 tries)") && done.stderr.contains("HTTP 400"), "{}", done.stderr);
    let written = lines(&out);
    let attempts = |id: &str| by_id(&written, id)["attempts"].as_u64().unwrap();
    assert_eq!((attempts("s0.L1-000000.t0"), attempts("s0.L4-000000.t0"), attempts("s0.L1-000001.t0")), (4, 2, 2));
    assert_eq!(by_id(&written, "s0.L4-000000.t0")["parsed"]["points"], json!([[480.0, 225.0]]));
    assert_eq!(by_id(&written, "s0.L4-000001.t1")["reason"], "no_coordinates");
    // The same command asks only what is open, and goes on after a line that was cut off.
    let mut bytes = std::fs::read(&out).unwrap();
    bytes.extend(b"{\"id\": \"s0.L4-0000");
    std::fs::write(&out, bytes).unwrap();
    let healthy = serve(&[], good);
    let done = run(ask(dataset.path(), &healthy, &out, &["--family", "uground"]));
    assert!(done.stderr.contains("2 answers written, 4 already present, 0 targets"), "{}", done.stderr);
    assert_eq!((healthy.requests.lock().unwrap().len(), lines(&out).len()), (2, 7));
    let (code, report) = report(dataset.path(), &[&out], &[]);
    assert_eq!((code, &report["models"][0]["click"]["micro"]["hits"]), (0, &json!(4)));
    assert_eq!(report["models"][0]["predictions"]["model"], "org/tiny");
    refused(ask(dataset.path(), &healthy, &out, &["--family", "seeclick"]), &["out.jsonl", "another model, dataset or prompt"]);
}

#[test]
fn what_is_asked_and_recorded() {
    let (dataset, keep) = (dataset(), tempfile::tempdir().unwrap());
    let out = keep.path().join("out.jsonl");
    let server = serve(&[], Reply::Tokens(&["[", "0", ".", "4", "8", ",", " ", "0", ".", "4", "5", "]"]));
    let mut command = ask(dataset.path(), &server, &out, &["--family", "norm", "--logprobs", "--limit", "1"]);
    command.env("OPENAI_API_KEY", "sk-secret");
    run(command);
    let (key, body) = server.requests.lock().unwrap()[0].clone();
    assert_eq!(key.as_deref(), Some("Bearer sk-secret"));
    assert_eq!((&body["model"], &body["logprobs"], &body["top_logprobs"]), (&json!("org/tiny"), &json!(true), &json!(20)));
    assert_eq!(body["messages"][0]["role"], "system");
    let content = &body["messages"][1]["content"];
    assert!(content[0]["image_url"]["url"].as_str().unwrap().starts_with("data:image/png;base64,iVBOR"));
    assert_eq!(content[1]["text"], "Open <s0.L1-000000.t0> {width}", "braces of an instruction are its own");
    let written = lines(&out);
    assert!(written[0]["header"]["prompt"].as_str().unwrap().contains("relative coordinates"));
    assert_eq!(written[0]["header"]["coords"], "norm");
    let line = &written[1];
    assert_eq!(
        (line["digits"]["x"][4].as_f64(), line["digits"]["y"][4].as_f64(), &line["digits"]["x"][5]),
        (Some(-0.5), Some(-0.5), &Value::Null)
    );
    assert_eq!(line["token_logprobs"].as_array().unwrap().len(), 12);
    assert!(line["latency_ms"].is_u64() && line["finish_reason"] == "stop");
    let files: Vec<PathBuf> = std::fs::read_dir(keep.path()).unwrap().map(|e| e.unwrap().path()).collect();
    assert!(files.iter().all(|f| !std::fs::read_to_string(f).unwrap().contains("sk-secret")), "the key is written nowhere");
}

#[test]
fn a_refused_key_ends_the_run_and_is_not_shown() {
    let (dataset, keep) = (dataset(), tempfile::tempdir().unwrap());
    let server = serve(&[], Reply::Status(401));
    let mut command = ask(dataset.path(), &server, &keep.path().join("out.jsonl"), &["--family", "json", "--concurrency", "1"]);
    command.env("OPENAI_API_KEY", "sk-secret");
    let done = finish(command);
    assert_eq!(done.code, Some(2));
    assert!(done.stderr.contains("HTTP 401") && !done.stderr.contains("sk-secret"), "{}", done.stderr);
    assert_eq!(server.requests.lock().unwrap().len(), 1);
}

#[test]
fn a_rate_spaces_the_questions() {
    let (dataset, keep) = (dataset(), tempfile::tempdir().unwrap());
    let server = serve(&[], Reply::Say("(1, 2)"));
    let started = std::time::Instant::now();
    run(ask(
        dataset.path(),
        &server,
        &keep.path().join("out.jsonl"),
        &["--family", "uground", "--rate", "10", "--concurrency", "6"],
    ));
    assert!(started.elapsed() >= Duration::from_millis(500), "six questions at ten per second");
}

#[test]
fn every_template_is_whole() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/prompts/families");
    let files = std::fs::read_dir(folder).unwrap().count();
    assert_eq!(files, FAMILY_PROMPTS.len(), "every file is in the program");
    for (family, _) in FAMILY_PROMPTS {
        let prompt = family_prompt(family).unwrap();
        let text = prompt.user_message("press {height}", [640, 480]);
        assert!(
            text.contains("press {height}") && !text.contains("{instruction}") && !text.contains("{width}"),
            "{family}: {text}"
        );
    }
    assert!(family_prompt("gpt").unwrap_err().to_string().contains("expected one of"));
    assert!(Prompt::read("p.toml", "p", "coords = \"px\"\nuser = \"click\"").unwrap_err().to_string().contains("{instruction}"));
}

/// In L1 the target's window is topmost and active; in L4 the player covers it. The target is the only element whose
/// name has "s0".
#[test]
fn baselines_answer_as_they_say() {
    let keep = tempfile::tempdir().unwrap();
    let hits = |agent: &str, metric: &str| {
        let out = keep.path().join(format!("{agent}.jsonl"));
        if !out.exists() {
            let mut command = windesk(["predict", "--agent", agent, "--out"]);
            command.arg(&out).arg(example("scenes.jsonl"));
            assert_eq!(finish(command).code, Some(0));
        }
        let (_, report) = report(&example("scenes.jsonl"), &[&out], &[]);
        report["models"][0][metric]["micro"]["hits"].as_u64().unwrap()
    };
    assert_eq!((hits("oracle", "click"), hits("oracle", "visible")), (4, 4));
    assert_eq!(hits("oracle-jitter", "click"), 4, "16 px keep within the box");
    assert_eq!((hits("topmost", "click"), hits("active", "click")), (2, 2), "the target's window is topmost in L1 alone");
    assert_eq!((hits("largest", "click"), hits("center", "click")), (0, 0));
    let (_, report) = report(&example("scenes.jsonl"), &[&keep.path().join("oracle.jsonl")], &[]);
    assert_eq!(report["models"][0]["refusals"]["recall"]["value"], 1.0);
    let mut boxes = windesk(["predict", "--agent", "oracle", "--image-size", "9x9"]);
    boxes.arg(example("screenspot_pro.json")).arg("--out").arg(keep.path().join("x.jsonl"));
    refused(boxes, &["--agent oracle", "needs scenes"]);
}

/// Where a target lies is as likely as its share of the screen: 4000 of 500,000 px.
#[test]
fn random_hits_what_area_predicts() {
    let folder = tempfile::tempdir().unwrap();
    let (set, out) = (folder.path().join("set.json"), folder.path().join("random.jsonl"));
    let records: Vec<Value> = (0..4000)
        .map(|i| json!({"id": format!("t{i}"), "img_filename": format!("{i}.png"), "img_size": [1000, 500], "bbox": [100, 100, 300, 350], "instruction": "x"}))
        .collect();
    std::fs::write(&set, serde_json::to_string(&records).unwrap()).unwrap();
    let mut command = windesk(["predict", "--agent", "random", "--out"]);
    command.arg(&out).arg(&set);
    assert_eq!(finish(command).code, Some(0));
    let (_, report) = report(&set, &[&out], &[]);
    let [low, high] = [0, 1].map(|side| report["models"][0]["click"]["micro"]["wilson"][side].as_f64().unwrap());
    assert!(low < 0.1 && 0.1 < high && high - low < 0.03, "{low} to {high}, expected a tenth");
}

/// Answers cost money: two runs that tear each other's lose them.
#[test]
fn two_runs_on_one_file() {
    let (dataset, keep) = (dataset(), tempfile::tempdir().unwrap());
    let out = keep.path().join("out.jsonl");
    let good = Reply::Say("(480, 450)");
    let server = serve(&[("L1-000000.t0", &[Reply::Silence(Duration::from_secs(3)), good.clone()])], good);
    let mut first = ask(dataset.path(), &server, &out, &["--family", "uground"]);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while std::fs::metadata(&out).map_or(0, |found| found.len()) == 0 {
        assert!(first.try_wait().unwrap().is_none(), "the first run ended before the second began");
        std::thread::sleep(Duration::from_millis(1));
    }
    let said = "another process is writing to this file";
    refused(ask(dataset.path(), &server, &out, &["--family", "uground"]), &["out.jsonl", said, "hint: wait for it"]);
    let mut agent = windesk(["predict", "--agent", "center", "--out"]);
    agent.arg(&out).arg(dataset.path());
    refused(agent, &[said]);
    assert_eq!(ends_within(&mut first, Duration::from_secs(20)), Some(Some(0)));
    assert_eq!(lines(&out).len(), 7, "the header and six answers");
    // Nothing is left that would keep the next one out.
    let again = run(ask(dataset.path(), &server, &out, &["--family", "uground"]));
    assert!(again.stderr.contains("0 answers written, 6 already present"), "{}", again.stderr);
}

#[test]
fn a_torn_last_line_is_repaired() {
    let keep = tempfile::tempdir().unwrap();
    let out = keep.path().join("out.jsonl");
    let answer = || {
        let mut command = windesk(["predict", "--agent", "center", "--out"]);
        command.arg(&out).arg(example("scenes.jsonl"));
        finish(command)
    };
    assert_eq!(answer().code, Some(0));
    let whole = std::fs::read(&out).unwrap();
    let last = whole[..whole.len() - 1].iter().rposition(|&b| b == b'\n').unwrap() + 1;
    let torn = |end: usize, more: &[u8]| [&whole[..end], more].concat();
    // Within the header, within the last line, before its line feed, and what a power cut or a second writer leaves.
    let mut left: Vec<Vec<u8>> = [0, 1, 30, last, last + 1, whole.len() - 2, whole.len() - 1].map(|end| torn(end, b"")).into();
    left.extend([torn(last, b"\0\0\0\0"), torn(last, b"{\"id\": \"s0{\"id\"\n"), torn(0, b"\0\0\0")]);
    for left in left {
        std::fs::write(&out, &left).unwrap();
        let done = answer();
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        assert!(std::fs::read(&out).unwrap() == whole, "left: {}", String::from_utf8_lossy(&left));
    }
    // A line that is longer than any answer is none that was torn, and not kept in memory to find out.
    let endless = torn(whole.len(), &vec![b'x'; 17 << 20]);
    std::fs::write(&out, &endless).unwrap();
    let done = answer();
    assert_eq!((done.code, std::fs::metadata(&out).unwrap().len()), (Some(2), endless.len() as u64), "{}", done.stderr);
    assert!(done.stderr.contains("found a line of more than 16 MiB"), "{}", done.stderr);
    // A file of something else is not taken for a torn one.
    for other in ["years of work", "{\"a\": 1", "{\"header\": {}}\nyears of work\n{}\n"] {
        std::fs::write(&out, other).unwrap();
        let done = answer();
        assert_eq!((done.code, std::fs::read_to_string(&out).unwrap().as_str()), (Some(2), other));
    }
}
