//! Published test sets with one box per image.

use std::path::Path;

use serde_json::{Value, json};

use super::fixtures::{example, predictions, report};

fn classes(dataset: &str, extra: &[&str], lines: &[Value]) -> Vec<u64> {
    let (_folder, file) = predictions(lines);
    let (_, report) = report(&example(dataset), &[&file], extra);
    let classes = &report["models"][0]["three_classes"];
    ["correct", "biased", "other", "invalid"].iter().map(|c| classes[c]["hits"].as_u64().unwrap()).collect()
}

/// ScreenSpot's boxes are xywh: [100, 50, 40, 20] ends at (140, 70). Distances are in units of the image's sides.
#[test]
fn screenspot_boxes_are_xywh() {
    let at = |x: f64, y: f64| {
        classes(
            "screenspot_desktop.json",
            &["--image-size", "1000x500"],
            &[json!({"id": "screenspot_desktop/0", "point": [x, y]})],
        )
    };
    assert_eq!(at(139.0, 69.0), [1, 0, 0, 1]);
    assert_eq!(at(140.0, 69.0), [0, 1, 0, 1]);
    assert_eq!(at(189.0, 69.0), [0, 1, 0, 1]);
    assert_eq!(at(190.0, 69.0), [0, 0, 1, 1]);
    assert_eq!(at(120.0, 94.0), [0, 1, 0, 1]);
    assert_eq!(at(120.0, 95.0), [0, 0, 1, 1]);
}

#[test]
fn screenspot_pro_and_windeskground_boxes_are_xyxy() {
    assert_eq!(
        classes("screenspot_pro.json", &[], &[json!({"id": "blender_windows_0", "point": [0.139, 0.139], "coords": "norm"})]),
        [1, 0, 0, 0]
    );
    let size = ["--image-size", "1000x500"];
    assert_eq!(classes("windeskground.json", &size, &[json!({"id": "windeskground/0", "point": [139, 69]})]), [1, 0, 0, 0]);
}

#[test]
fn breakdowns_come_from_the_sets_own_fields() {
    let (_folder, file) = predictions(&[json!({"id": "blender_windows_0", "point": [120, 60]})]);
    let (_, report) = report(&example("screenspot_pro.json"), &[&file], &[]);
    let breakdowns = report["models"][0]["breakdowns"].as_array().unwrap();
    let value = |facet: &str| breakdowns.iter().find(|b| b["facet"] == facet).map(|b| b["rows"][0]["value"].clone());
    assert_eq!(value("category"), Some(json!("Creative")));
    assert_eq!(value("application"), Some(json!("blender")));
    assert_eq!(value("ui_type"), Some(json!("icon")));
    assert_eq!(report["models"][0]["visible"], Value::Null);
}

/// Sizes are read from the pictures that lie beside the set.
#[test]
fn sizes_come_from_the_pictures() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(example("screenspot_desktop.json"), folder.path().join("set.json")).unwrap();
    std::fs::create_dir(folder.path().join("images")).unwrap();
    for name in ["a.png", "b.png"] {
        image::RgbImage::new(400, 200).save(folder.path().join("images").join(name)).unwrap();
    }
    let (_keep, file) = predictions(&[json!({"id": "set/0", "point": [0.3, 0.3], "coords": "norm"})]);
    let (_, report) = report(&folder.path().join("set.json"), &[&file], &[]);
    assert_eq!(report["models"][0]["click"]["micro"]["hits"], 1);
}

#[test]
fn sets_that_can_not_be_read_are_refused() {
    let refused = |set: &Path, expected: &str| {
        let mut command = crate::command::windesk(["eval"]);
        command.arg(set).arg(example("predictions.jsonl"));
        crate::command::refused(command, &[expected]);
    };
    refused(&example("screenspot_desktop.json"), "the size of a.png is unknown");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set.json");
    std::fs::write(&path, r#"[{"img_filename": "a", "bbox": [1, 2, 3, 4]}]"#).unwrap();
    refused(&path, "--box-format");
    std::fs::write(&path, r#"[{"img_filename": "a", "bbox": [10, 2, 3, 4], "img_size": [9, 9]}]"#).unwrap();
    refused(&path, "empty box");
    std::fs::write(&path, r#"{"a": 1}"#).unwrap();
    refused(&path, "expected a JSON list");
    refused(&folder.path().join("missing"), "no such file");
}
