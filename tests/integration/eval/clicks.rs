//! The click protocol on a scene whose every pixel is known by hand: a tab of 100x40 px at (450, 200) in the upper of
//! two windows; in L4 a third window covers its right half.

use serde_json::{Value, json};
use windesk::eval::click::{Hit, Status, score};
use windesk::eval::predictions::Prediction;
use windesk::eval::truth::{OpenOptions, open};

use super::fixtures::{example, predictions, report};

/// What a click does: whether it is in the box, and what is under it.
fn check(target: &str, point: [f64; 2], click: bool, hit: Hit) {
    let dataset = open(&example("scenes.jsonl"), &OpenOptions::default()).unwrap();
    let target = &dataset.targets[dataset.target_called(target).unwrap() as usize];
    let outcome = score(&dataset, target, &Prediction::Points(vec![point, [480.0, 225.0]]));
    assert_eq!((outcome.status, outcome.click, outcome.hit), (Status::Answered, click, Some(hit)), "{point:?}");
    assert_eq!(outcome.visible, Some(hit == Hit::Target), "{point:?}");
}

#[test]
fn what_a_click_hits() {
    let (clear, covered) = ("s0.L1-000000.t0", "s0.L4-000000.t0");
    check(clear, [480.0, 225.0], true, Hit::Target);
    check(clear, [530.0, 225.0], true, Hit::Target);
    check(covered, [499.9, 225.0], true, Hit::Target);
    check(covered, [500.0, 225.0], true, Hit::Occluder);
    check(covered, [600.0, 160.0], false, Hit::Occluder);
    check(clear, [460.0, 210.0], true, Hit::NestedControl);
    check(clear, [330.0, 130.0], false, Hit::TargetWindowElement);
    check(clear, [700.0, 390.0], false, Hit::TargetWindow);
    check(clear, [30.0, 30.0], false, Hit::Distractor);
    check(clear, [200.0, 300.0], false, Hit::OtherWindow);
    check(clear, [930.0, 50.0], false, Hit::DesktopIcon);
    check(clear, [500.0, 490.0], false, Hit::Taskbar);
    check(clear, [900.0, 300.0], false, Hit::Wallpaper);
}

/// The box is closed, its pixels are not.
#[test]
fn borders_count_for_click_accuracy_only() {
    let target = "s0.L1-000000.t0";
    check(target, [450.0, 200.0], true, Hit::Target);
    check(target, [550.0, 240.0], true, Hit::TargetWindow);
    check(target, [449.99, 200.0], false, Hit::TargetWindow);
    check(target, [550.01, 240.0], false, Hit::TargetWindow);
    check(target, [1000.0, 500.0], false, Hit::Taskbar);
}

#[test]
fn the_denominator_is_the_whole_dataset() {
    let lines = [
        json!({"id": "s0.L1-000000.t0", "point": [480, 225]}),
        json!({"id": "s0.L4-000000.t0", "output": "I see nothing"}),
        json!({"id": "s0.L1-000001.t0", "point": [5000, 225]}),
    ];
    let (_folder, file) = predictions(&lines);
    let (code, report) = report(&example("scenes.jsonl"), &[&file], &[]);
    let model = &report["models"][0];
    assert_eq!(code, 1, "one target has no answer");
    assert_eq!(model["statuses"], json!({"answered": 1, "no_prediction": 1, "out_of_image": 1, "refused": 0, "wrong_format": 1}));
    assert_eq!((&model["click"]["micro"]["hits"], &model["click"]["micro"]["n"]), (&json!(1), &json!(4)));
    assert_eq!(model["refusals"], Value::Null);
    assert_eq!(report["dataset"]["absent_targets"], 2);
}

/// The example of docs/evaluation.md, counted by hand: L1 hit and seen; L4 a box whose middle (500, 220) is covered; L1
/// a box in the left half; a right refusal, a wrong click on an absent target, and one target without a line.
#[test]
fn the_example_is_scored_as_counted_by_hand() {
    let (_, report) = report(&example("scenes.jsonl"), &[&example("predictions.jsonl")], &[]);
    let model = &report["models"][0];
    assert_eq!(model["predictions"]["model"], "example");
    assert_eq!(model["predictions"]["coords"], "norm1000");
    assert_eq!((&model["click"]["micro"]["hits"], &model["click"]["micro"]["n"]), (&json!(3), &json!(4)));
    assert_eq!(model["visible"]["micro"]["hits"], 2);
    assert_eq!(model["refusals"]["precision"]["value"], 1.0);
    assert_eq!(model["refusals"]["recall"]["value"], 0.5);
    let wrong = model["wrong_clicks"].as_array().unwrap();
    let occluders = wrong.iter().find(|w| w["what"] == "occluder").unwrap();
    assert_eq!((&occluders["count"], &occluders["share"]), (&json!(1), &json!(1.0)));
    let click = model["paired"].as_array().unwrap().iter().find(|p| p["metric"] == "click").unwrap();
    assert_eq!(click["common_targets"], 2);
    let pair = &click["pairs"][0];
    assert_eq!((&pair["a"], &pair["b"], &pair["both"], &pair["only_a"]), (&json!("L1"), &json!("L4"), &json!(1), &json!(1)));
    assert_eq!(pair["difference"], -0.5);
    assert!((pair["p"].as_f64().unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn several_models_are_compared_on_the_same_targets() {
    let line = |id: &str, x: f64| json!({"id": id, "point": [x, 225.0]});
    let ids = ["s0.L1-000000.t0", "s0.L4-000000.t0", "s0.L1-000001.t0", "s0.L4-000001.t0"];
    let (_a, good) = predictions(&ids.map(|id| line(id, 480.0)));
    let (_b, bad) = predictions(&ids.map(|id| line(id, 700.0)));
    let (_, report) = report(&example("scenes.jsonl"), &[&good, &bad], &[]);
    let all = &report["comparisons"][0];
    assert_eq!((&all["n"], &all["only_a"], &all["difference"]), (&json!(4), &json!(4), &json!(-1.0)));
    assert!((all["p"].as_f64().unwrap() - 0.125).abs() < 1e-12);
    // Both files are called alike; the report must not confuse them.
    assert_ne!(report["models"][0]["predictions"]["model"], report["models"][1]["predictions"]["model"]);
}

#[test]
fn every_format_and_export_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html");
    let tables = folder.path().join("tables");
    let mut command = crate::command::windesk(["eval", "--report", "html", "--resamples", "50"]);
    command.arg(example("scenes.jsonl")).arg(example("predictions.jsonl")).arg("--out").arg(&page).arg("--export").arg(&tables);
    assert_eq!(crate::command::finish(command).code, Some(1), "one target has no answer");
    let html = std::fs::read_to_string(page).unwrap();
    assert!(
        html.contains("<svg") && html.contains("id=\"report\"") && !html.contains("http-equiv") && !html.contains("src=\"http")
    );
    let headline = std::fs::read_to_string(tables.join("headline.csv")).unwrap();
    assert!(headline.starts_with("model,metric,micro %") && headline.contains("example,visible,50.0"), "{headline}");
    assert!(std::fs::read_to_string(tables.join("headline.tex")).unwrap().contains("\\toprule"));
    let svg = std::fs::read_to_string(tables.join("conditions-levels-click.svg")).unwrap();
    resvg::usvg::Tree::from_str(&svg, &resvg::usvg::Options::default()).expect("a whole SVG document");
    let png = image::open(tables.join("conditions-levels-click.png")).expect("a whole picture");
    assert_eq!(png.width(), 1920);
}

/// The example with every present target once more as a further one, which is missed: it counts apart, unless asked
/// otherwise.
#[test]
fn further_targets_count_apart() {
    let folder = tempfile::tempdir().unwrap();
    let scenes = folder.path().join("scenes.jsonl");
    let mut text = String::new();
    let mut lines = Vec::new();
    for line in std::fs::read_to_string(example("scenes.jsonl")).unwrap().lines() {
        let mut scene: Value = serde_json::from_str(line).unwrap();
        let targets = scene["targets"].as_array_mut().unwrap();
        let mut further = targets[0].clone();
        lines.push(json!({"id": further["id"], "point": [480, 225]}));
        let id = format!("{}.further", further["id"].as_str().unwrap());
        lines.push(json!({"id": id, "point": [900, 300]}));
        further["id"] = json!(id);
        further["promised"] = json!(false);
        targets.push(further);
        text += &format!("{scene}\n");
    }
    std::fs::write(&scenes, text).unwrap();
    let (_folder, file) = predictions(&lines);
    let (_, apart) = report(&scenes, &[&file], &[]);
    let model = &apart["models"][0];
    assert_eq!((&apart["dataset"]["present_targets"], &apart["dataset"]["further_targets"]), (&json!(4), &json!(4)));
    assert_eq!((&model["click"]["micro"]["hits"], &model["click"]["micro"]["n"]), (&json!(4), &json!(4)));
    assert_eq!(model["statuses"]["answered"], 4);
    let further = &model["further"];
    assert_eq!((&further["click"]["micro"]["hits"], &further["click"]["micro"]["n"]), (&json!(0), &json!(4)));
    assert_eq!(further["conditions"]["rows"][1]["click"]["micro"]["n"], 2);
    assert_eq!(model["paired"][0]["common_targets"], 2);

    let (_, together) = report(&scenes, &[&file], &["--targets", "all"]);
    let model = &together["models"][0];
    assert_eq!((&model["click"]["micro"]["hits"], &model["click"]["micro"]["n"]), (&json!(4), &json!(8)));
    assert_eq!((&model["further"], &together["dataset"]["further_targets"]), (&Value::Null, &json!(0)));
}

/// A page with pictures: cards of the failures with what filters select by, and a piece of the picture in each.
#[test]
fn failures_are_shown_with_their_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let scenes = folder.path().join("scenes.jsonl");
    std::fs::copy(example("scenes.jsonl"), &scenes).unwrap();
    let images = folder.path().join("images/00000");
    std::fs::create_dir_all(&images).unwrap();
    for id in ["s0.L1-000000", "s0.L4-000000", "s0.L1-000001", "s0.L4-000001"] {
        image::RgbImage::from_pixel(1000, 500, image::Rgb([90, 120, 150])).save(images.join(format!("{id}.png"))).unwrap();
    }
    let page = |failures: &str| {
        let mut command = crate::command::windesk(["eval", "--report", "html", "--resamples", "20", "--failures", failures]);
        command.arg(&scenes).arg(example("predictions.jsonl"));
        crate::command::finish(command).stdout
    };
    let html = page("48");
    // The box whose middle is covered, and the target without a line.
    assert_eq!(html.matches("class=\"failure\"").count(), 2);
    assert_eq!(html.matches("data:image/jpeg;base64,").count(), 2);
    assert!(html.contains("data-model=\"example\" data-condition=\"L4\" data-hit=\"occluder\""));
    assert!(html.contains("data-hit=\"no_prediction\"") && html.contains("<div data-filter=\"hit\""));
    assert_eq!(page("1").matches("class=\"failure\"").count(), 1);
    assert!(!page("0").contains("id=\"failures\""));
}

/// Boxes of 100x40 px in an image of 1000x500 px; in L4 half of the box is covered; a nested control of 20x20 px is not
/// the target's.
#[test]
fn chance_is_the_share_of_the_screen() {
    let (_, report) = report(&example("scenes.jsonl"), &[&example("predictions.jsonl")], &[]);
    let chance = report["chance"].as_array().unwrap();
    let names: Vec<&Value> = chance.iter().map(|c| &c["condition"]).collect();
    assert_eq!(names, [&Value::Null, &json!("L1"), &json!("L4")]);
    let dataset = open(&example("scenes.jsonl"), &OpenOptions::default()).unwrap();
    for (at, condition) in [(1, "L1"), (2, "L4")] {
        // Pixel by pixel, which is all that chance means.
        let (mut boxes, mut seen, mut targets) = (0_u32, 0_u32, 0_u32);
        for target in dataset.targets.iter().filter(|t| t.is_there() && dataset.id(t).contains(condition)) {
            targets += 1;
            for (x, y) in (0..500).flat_map(|y| (0..1000).map(move |x| (f64::from(x) + 0.5, f64::from(y) + 0.5))) {
                let outcome = score(&dataset, target, &Prediction::Points(vec![[x, y]]));
                boxes += u32::from(outcome.click);
                seen += u32::from(outcome.visible == Some(true));
            }
        }
        let near = |value: &Value, pixels: u32| {
            (value.as_f64().unwrap() - f64::from(pixels) / f64::from(targets) / 500_000.0).abs() < 1e-12
        };
        assert!(near(&chance[at]["click"], boxes) && near(&chance[at]["visible"], seen), "{condition}: {:?}", chance[at]);
        assert!(seen > 0 && seen < boxes);
    }
}
