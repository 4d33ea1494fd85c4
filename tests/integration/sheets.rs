//! `windesk pack sheet`: a review by the command line.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::command::{finish, refused, succeeds, tree, windesk};
use crate::mini_pack;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The JSON files of a folder of sheets, by name.
fn sheets(folder: &Path) -> Vec<(String, Value)> {
    let names = tree(folder).into_keys().filter(|name| name.ends_with(".json"));
    names.map(|name| (name.clone(), serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap())).collect()
}

#[test]
fn a_review_from_sheets_to_report() {
    let pack = mini_pack::copy();
    let pack = pack.path();
    let place = tempfile::tempdir().unwrap();
    let (out, again, blind) = (place.path().join("sheets"), place.path().join("again"), place.path().join("blind"));
    let program =
        fs::read_dir(pack.join("windows")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).min().unwrap();
    for folder in [&out, &again] {
        succeeds(["pack", "sheet", "write", "--pack", text(pack), "--windows", &program, "--out", text(folder)]);
    }
    assert_eq!(tree(&out), tree(&again), "the same pack gives the same sheets");

    let (name, mut sheet) = sheets(&out).into_iter().find(|(_, s)| s["candidates"].as_array().unwrap().len() >= 2).unwrap();
    assert!(out.join(sheet["pictures"][0].as_str().unwrap()).is_file());
    let take = |file: &Path| {
        windesk(["pack", "sheet", "take", "--pack", text(pack), "--by", "person", "--date", "2026-11-21", text(file)])
    };
    sheet["candidates"][0]["instruction"] = json!("Do the first thing");
    fs::write(out.join(&name), sheet.to_string()).unwrap();
    refused(take(&out.join(&name)), &["candidate 1: style", "expected function, appearance, position, intent"]);
    sheet["candidates"][0]["style"] = json!("function");
    sheet["candidates"][1]["instruction"] = json!("Do the second thing");
    sheet["candidates"][1]["style"] = json!("intent");
    fs::write(out.join(&name), sheet.to_string()).unwrap();
    assert_eq!(finish(take(&out)).code, Some(0));
    let written = fs::read_to_string(pack.join(format!("windows/{program}/instructions.jsonl"))).unwrap();
    assert_eq!(written.lines().count(), 2);

    succeeds(["pack", "sheet", "check", "--pack", text(pack), "--out", text(&blind)]);
    let asked = sheets(&blind);
    let [(_, questions)] = &asked[..] else { panic!("{} sheets, expected one", asked.len()) };
    let shown = questions.to_string();
    for candidate in sheet["candidates"].as_array().unwrap().iter().take(2) {
        assert!(!shown.contains(&format!("\"{}\"", candidate["element"].as_str().unwrap())), "{shown}");
    }
    let answers: serde_json::Map<String, Value> = questions["questions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|q| (q["key"].as_str().unwrap().to_owned(), json!("none")))
        .collect();
    assert_eq!(answers.len(), 2);
    let file = place.path().join("answers.json");
    fs::write(&file, Value::Object(answers).to_string()).unwrap();
    assert_eq!(finish(take(&file)).code, Some(0));

    let report = finish(windesk(["pack", "sheet", "report", "--pack", text(pack)]));
    assert_eq!(report.code, Some(1), "two disagreements are open");
    assert!(report.stdout.contains("agreement, first pass: 0 of 2 (0.0 %)"), "{}", report.stdout);
    let mend = place.path().join("mend");
    succeeds(["pack", "sheet", "write", "--pack", text(pack), "--disagreed", "--out", text(&mend)]);
    let (_, prefilled) = sheets(&mend).remove(0);
    assert_eq!(prefilled["candidates"][0]["disagreement"], "the reader found nothing that fits");

    fs::write(&file, "{\"feedfeedfeed\": 1}").unwrap();
    let stale = finish(take(&file));
    assert_eq!(stale.code, Some(1));
    assert!(stale.stdout.contains("feedfeedfeed"), "{}", stale.stdout);
}

#[test]
fn distractors_are_judged_without_their_rank() {
    let place = tempfile::tempdir().unwrap();
    let (pack, out, again) = (mini_pack::folder(), place.path().join("pairs"), place.path().join("again"));
    for folder in [&out, &again] {
        succeeds(["pack", "sheet", "distractors", "--pack", text(&pack), "--per-rank", "3", "--out", text(folder)]);
    }
    assert_eq!(tree(&out), tree(&again), "the same pack gives the same sheets");
    let pages = sheets(&out);
    let pairs: Vec<&Value> = pages.iter().flat_map(|(_, page)| page["pairs"].as_array().unwrap()).collect();
    let numbers: Vec<u64> = pairs.iter().map(|pair| pair["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=15).collect::<Vec<u64>>(), "three targets with five ranks each");
    assert!(pages.iter().all(|(_, page)| !page.to_string().contains("rank")));
    let lefts: BTreeSet<&str> = pairs.iter().map(|pair| pair["left"].as_str().unwrap()).collect();
    assert_eq!(lefts.len(), 3);

    // All pairs of one target are called similar, and no others.
    let liked = pairs[0]["left"].as_str().unwrap();
    let key = |pair: &Value| pair["key"].as_str().unwrap().to_owned();
    let mut answers: serde_json::Map<String, Value> =
        pairs.iter().map(|pair| (key(pair), json!(pair["left"].as_str() == Some(liked)))).collect();
    let file = place.path().join("answers.json");
    let report = |answers: &serde_json::Map<String, Value>| {
        fs::write(&file, Value::Object(answers.clone()).to_string()).unwrap();
        let distractors = ["--distractors", text(&file), "--per-rank", "3"];
        finish(windesk(["pack", "sheet", "report", "--pack", text(&pack)].into_iter().chain(distractors)))
    };
    let said = report(&answers);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for rank in 1..=5 {
        assert!(said.stdout.contains(&format!("rank {rank}: 1 of 3 (33.3 %)")), "{}", said.stdout);
    }
    answers.insert("feedfeedfeed".to_owned(), json!(true));
    let stale = report(&answers);
    assert_eq!(stale.code, Some(1));
    assert!(stale.stdout.contains("feedfeedfeed: the pack has no such pair"), "{}", stale.stdout);
    answers.insert(key(pairs[0]), json!("very"));
    let refused = report(&answers);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("expected an object from keys to true or false"), "{}", refused.stderr);
}
