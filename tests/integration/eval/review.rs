//! `windesk review`: a person's way through the pages, and what ratings come to.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use windesk::eval::truth::{OpenOptions, open};

use super::browser::Browser;
use super::fixtures::example;
use super::pages::scenes_with_pictures;
use crate::command::{finish, refused, windesk};

/// Writes pages for the example scenes and gives their folder.
fn kit(folder: &Path, extra: &[&str]) -> (PathBuf, PathBuf) {
    let scenes = scenes_with_pictures(folder);
    let out = folder.join("pages");
    let mut command = windesk(["review"]);
    command.arg(&scenes).arg("--out").arg(&out).args(extra);
    let done = finish(command);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    (scenes, out)
}

/// What `samples.js` holds.
fn samples(pages: &Path) -> Value {
    let text = std::fs::read_to_string(pages.join("samples.js")).unwrap();
    serde_json::from_str(text.trim().strip_prefix("window.REVIEW = ").unwrap().trim_end_matches(';')).unwrap()
}

fn report(scenes: &Path, files: &[PathBuf]) -> (i32, Value) {
    let mut command = windesk(["review", "--report", "json", "--resamples", "100"]);
    command.arg(scenes).args(files);
    let done = finish(command);
    let report = serde_json::from_str(&done.stdout).unwrap_or_else(|e| panic!("{e}: {}", done.stderr));
    (done.code.unwrap(), report)
}

#[test]
fn every_rater_has_a_page_and_an_order() {
    let folder = tempfile::tempdir().unwrap();
    let (_, pages) = kit(folder.path(), &["--n", "100", "--raters", "3"]);
    // Four targets are there; the two absent ones can't be judged.
    assert_eq!(samples(&pages)["samples"].as_array().unwrap().len(), 4);
    let order = |rater: u32| {
        let page = std::fs::read_to_string(pages.join(format!("rater-{rater}.html"))).unwrap();
        let start = page.split("window.START = ").nth(1).unwrap().split(";</script>").next().unwrap();
        serde_json::from_str::<Value>(start).unwrap()["order"].clone()
    };
    let orders = [order(1), order(2), order(3)];
    assert!(orders.iter().any(|o| *o != orders[0]), "{orders:?}");
    for sample in samples(&pages)["samples"].as_array().unwrap() {
        assert!(pages.join(sample["picture"].as_str().unwrap()).is_file());
        assert_eq!(sample["box"].as_array().unwrap().len(), 4);
    }
}

/// Conditions take turns, and a larger sample holds the smaller one.
#[test]
fn samples_are_even_over_conditions_and_nested() {
    let ids = |n: &str| {
        let folder = tempfile::tempdir().unwrap();
        let (_, pages) = kit(folder.path(), &["--n", n, "--raters", "1"]);
        let samples = samples(&pages);
        samples["samples"].as_array().unwrap().iter().map(|s| s["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let two = ids("2");
    assert_eq!(["L1", "L4"].map(|level| two.iter().filter(|id| id.contains(level)).count()), [1, 1], "{two:?}");
    let three = ids("3");
    assert!(two.iter().all(|id| three.contains(id)), "{two:?} {three:?}");
}

/// Whoever clicks blind must not find the boxes in the pages.
#[test]
fn blind_pages_hold_no_boxes() {
    let folder = tempfile::tempdir().unwrap();
    let (_, pages) = kit(folder.path(), &["--task", "click"]);
    assert!(samples(&pages)["samples"].as_array().unwrap().iter().all(|s| s.get("box").is_none()));
}

/// Ratings may lie there by now.
#[test]
fn pages_are_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (scenes, pages) = kit(folder.path(), &[]);
    let mut command = windesk(["review"]);
    command.arg(&scenes).arg("--out").arg(&pages);
    refused(command, &["a folder with files", "give another --out"]);
}

/// A rater clicks blind, answers four questions by mouse and keys, goes on, and hands in what the page saves.
#[test]
fn a_rater_gets_through_the_pages() {
    let folder = tempfile::tempdir().unwrap();
    let (scenes, pages) = kit(folder.path(), &["--n", "4", "--raters", "2"]);
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&pages.join("rater-2.html"));
    let count = samples(&pages)["samples"].as_array().unwrap().len();
    for number in 0..count {
        browser.until("document.querySelector('#picture').complete");
        assert_eq!(browser.value("document.querySelector('#judge').hidden && document.querySelector('#next').disabled"), true);
        assert_eq!(browser.value("document.querySelectorAll('#marks .box').length"), 0, "the box is not shown before the click");
        if number == 1 {
            browser.click("#lost");
        } else {
            // The middle of the target, as a person sees it: the page's own place for it.
            let place = browser.value(
                "(() => { const s = REVIEW.samples[START.order[at]], f = document.querySelector('#frame').getBoundingClientRect(); \
                 const k = f.width / s.size[0]; return [f.x + (s.box[0] + 10) * k, f.y + (s.box[1] + s.box[3]) / 2 * k]; })()",
            );
            browser.click_at([0, 1].map(|axis| place[axis].as_f64().unwrap()));
        }
        browser.until("!document.querySelector('#judge').hidden");
        assert_eq!(browser.value("document.querySelectorAll('#marks .box').length"), 1);
        browser.click("button[name=instruction_valid][value=yes]");
        browser.click(if number == 0 { "button[name=box_precise][value=no]" } else { "button[name=box_precise][value=yes]" });
        browser.key("5");
        assert_eq!(browser.value("document.querySelector('#next').disabled"), true, "a question is open");
        browser.key("8");
        browser.key("Enter");
    }
    assert_eq!(browser.value("document.querySelector('#message').textContent.startsWith('That was the last')"), true);

    // Another visit finds the answers again.
    browser.open(&pages.join("rater-2.html"));
    assert_eq!(browser.value("document.querySelector('#progress').value"), json!(count));
    let file = browser.download("#save", "ratings-rater-2.json");
    let (code, report) = report(&scenes, &[file]);
    assert_eq!(code, 0);
    assert_eq!(report["raters"][0]["rated"], count);
    let all = &report["groups"][0];
    let yes = |question: usize| all["questions"][question]["yes"]["hits"].clone();
    assert_eq!([yes(0), yes(1), yes(2), yes(3)], [json!(4), json!(3), json!(4), json!(0)]);
    assert_eq!((&all["clicks"]["inside"]["hits"], &all["clicks"]["not_found"]["hits"]), (&json!(3), &json!(1)));
}

/// Ratings of one rater as the pages write them.
fn ratings(folder: &Path, rater: &str, change: impl Fn(&mut Value)) -> PathBuf {
    let digest = open(&example("scenes.jsonl"), &OpenOptions::default()).unwrap().digest;
    let rating = |id: &str, valid: bool, click: Value| {
        json!({"id": id, "click": click, "not_found": click.is_null(), "instruction_valid": valid, "box_precise": true, "clickable": true,
            "several_targets": !valid, "comment": "", "seconds": 4.5})
    };
    let mut file = json!({"schema_version": 1, "dataset_digest": digest, "rater": rater, "task": "both", "ratings": [
        rating("s0.L1-000000.t0", true, json!([480, 225])),
        rating("s0.L4-000000.t0", rater == "a", json!([520, 220])),
        rating("s0.L1-000001.t0", rater != "c", Value::Null),
    ]});
    change(&mut file);
    let path = folder.join(format!("ratings-{rater}.json"));
    std::fs::write(&path, file.to_string()).unwrap();
    path
}

/// Three raters, counted by hand: of three samples the instruction is valid for 3, 1 and 2 of them.
#[test]
fn agreement_is_as_counted_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["a", "b", "c"].map(|rater| ratings(folder.path(), rater, |_| {}));
    let (code, report) = report(&example("scenes.jsonl"), &files);
    assert_eq!((code, &report["complete"]), (0, &json!(3)));
    let all = &report["groups"][0];
    let valid = &all["questions"][0];
    assert_eq!((&valid["yes"]["hits"], &valid["yes"]["n"]), (&json!(6), &json!(9)));
    assert_eq!((&valid["majority_yes"]["hits"], &valid["unanimous"]["hits"]), (&json!(2), &json!(1)));
    // P = (1 + 1/3 + 1/3) / 3 = 5/9; by chance (2/3)^2 + (1/3)^2 = 5/9: no agreement beyond chance.
    assert!(valid["fleiss_kappa"].as_f64().unwrap().abs() < 1e-12);
    // Everybody says yes: chance explains everything.
    assert_eq!((&all["questions"][1]["yes"]["value"], &all["questions"][1]["fleiss_kappa"]), (&json!(1.0), &Value::Null));
    let clicks = &all["clicks"];
    assert_eq!(
        (&clicks["inside"]["hits"], &clicks["inside"]["n"], &clicks["not_found"]["hits"]),
        (&json!(6), &json!(9), &json!(3))
    );
    // The right half of the L4 target is covered.
    assert_eq!(clicks["visible"]["hits"], 3);
    let levels: Vec<&str> = report["groups"].as_array().unwrap().iter().filter_map(|g| g["condition"].as_str()).collect();
    assert_eq!(levels, ["L1", "L4"]);
}

/// The example of docs/evaluation.md: one of two blind clicks on what covers the target, in its box all the same.
#[test]
fn the_example_is_read() {
    let (code, report) = report(&example("scenes.jsonl"), &[example("ratings-rater-1.json")]);
    let all = &report["groups"][0];
    assert_eq!((code, &all["questions"][0]["yes"]["hits"], &all["fleiss_kappa"]), (0, &json!(2), &Value::Null));
    assert_eq!((&all["clicks"]["inside"]["hits"], &all["clicks"]["visible"]["hits"]), (&json!(2), &json!(1)));
}

#[test]
fn a_sample_that_a_rater_left_out_is_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let all = ratings(folder.path(), "a", |_| {});
    let fewer = ratings(folder.path(), "b", |file| {
        file["ratings"].as_array_mut().unwrap().pop();
    });
    let (code, report) = report(&example("scenes.jsonl"), &[all, fewer]);
    assert_eq!((code, &report["complete"]), (1, &json!(2)));
}

#[test]
fn ratings_that_do_not_belong_here_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let fine = ratings(folder.path(), "a", |_| {});
    let check = |change: &dyn Fn(&mut Value), expected: &[&str]| {
        let bad = ratings(folder.path(), "bad", change);
        let mut command = windesk(["review"]);
        command.arg(example("scenes.jsonl")).args([&fine, &bad]);
        refused(command, expected);
    };
    check(&|f| f["dataset_digest"] = json!("00"), &["ratings-bad.json", "ratings of the dataset 00", "another dataset"]);
    check(&|f| f["rater"] = json!("a"), &["ratings by `a`", "one file per rater"]);
    check(&|f| f["ratings"][1]["id"] = json!("x"), &["ratings[1]", "found the id `x`"]);
    check(&|f| f["ratings"][1]["id"] = f["ratings"][0]["id"].clone(), &["ratings[1]", "rated twice"]);
    check(&|f| f["ratings"][0]["click"] = json!([1001, 3]), &["ratings[0]", "[1001.0, 3.0]"]);
    check(&|f| f["ratings"][0]["valid"] = json!(true), &["unknown field `valid`"]);
    check(&|f| f["schema_version"] = json!(2), &["schema_version 2, expected 1"]);
}
