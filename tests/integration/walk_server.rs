//! `windesk pack act`: lines in, lines out.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::command::windesk;
use crate::living_pack::copy;

/// The answers to lines, one each.
fn answers(pack: &Path, lines: &[&str]) -> Vec<Value> {
    let mut command = windesk(["pack", "act", pack.to_str().unwrap()]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for line in lines {
        writeln!(input, "{line}").unwrap();
    }
    drop(input);
    let finished = child.wait_with_output().unwrap();
    assert_eq!(finished.status.code(), Some(0), "{}", String::from_utf8_lossy(&finished.stderr));
    let text = String::from_utf8(finished.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_line_is_answered_and_bad_ones_too() {
    let pack = copy();
    let picture = pack.path().join("shown.png");
    let shown = json!({"window": "dimmer/main", "event": {"click": [30, 270]}, "picture": picture}).to_string();
    let long = format!("{{\"window\": \"{}\"}}", "x".repeat(2 << 20));
    let lines = [
        shown.as_str(),
        "",
        r#"{"window": "dimmer/main", "state": {"values": {"dim": true}}, "event": null, "focus": "inactive"}"#,
        r#"{"window": "dimmer/main", "event": {"click": [345, 10]}}"#,
        r#"{"window": "dimmer/lost"}"#,
        r#"{"window": "dimmer/main", "state": {"values": {"dim": 7}}}"#,
        r#"{"window": "dimmer/main", "event": {"press": [1, 2]}}"#,
        "no JSON",
        long.as_str(),
        r#"{"window": "dimmer/main", "picture": "/no/such/folder/shown.png"}"#,
        r#"{"window": "dimmer/preferences", "event": {"click": [2, 130]}}"#,
    ];
    let answers = answers(pack.path(), &lines);
    assert_eq!(answers.len(), lines.len() - 1);
    let [opened, dimmed, closed, unknown, invalid, unread, text, longer, unwritten, nowhere] = &answers[..] else { panic!() };
    assert_eq!(opened["outcomes"], json!([{"kind": "popup", "popup": "menu"}]));
    assert_eq!((&opened["window"], &opened["state"]), (&json!("dimmer/main"), &json!({"popup": "menu"})));
    assert_eq!((&opened["origin"], &opened["size"]), (&json!([0, 0]), &json!([360, 346])));
    assert_eq!(opened["popups"], json!([[20, 283, 81, 346]]));
    assert!(
        opened["elements"].as_array().unwrap().iter().any(|e| e["id"] == "m1" && e["popup"] == 0 && e["role"] == "menu item")
    );
    assert_eq!(image::open(&picture).unwrap().to_rgba8().dimensions(), (360, 346));
    assert_eq!(dimmed["outcomes"], json!([]));
    let ticked = dimmed["elements"].as_array().unwrap().iter().find(|e| e["id"] == "e2").unwrap();
    assert_eq!(ticked["state"], json!({"checked": true}));
    assert_eq!((&closed["window"], &closed["elements"], &closed["size"]), (&Value::Null, &json!([]), &Value::Null));
    for (answer, expected) in [
        (unknown, "found window `dimmer/lost`, expected the id of a capture of the pack"),
        (invalid, "found control `dim` = 7"),
        (unread, "unknown variant `press`"),
        (text, "expected the form described in docs/pack.md"),
        (longer, "a longer line"),
        (unwritten, "/no/such/folder/shown.png"),
    ] {
        let error = answer["error"].as_str().unwrap();
        assert!(error.contains(expected), "{expected}: {error}");
        assert_eq!(answer["elements"], json!([]));
    }
    assert_eq!(nowhere["outcomes"][0]["kind"], "unmodelled");
    assert_eq!(nowhere["error"], Value::Null);
}
