//! Damaged plans, records, level files, icons, boxes to import, predictions and what these are scored against, through
//! the code that `fuzz/` fuzzes, the same in every run. `WINDESK_MUTATIONS=1000000` sets how many of each.

use std::fs;
use std::path::Path;

use crate::any_file::{boxes_any, icons_any, level_any, plan_any, scene_any};
use crate::command::succeeds;
use crate::eval::any_output::{parse_any, read_any};
use crate::eval::any_truth::{KINDS, truth_any};
use crate::eval::fixtures::example;
use crate::hashed_words::mixed;
use crate::mini_pack;

/// Of each kind, unless asked otherwise.
const MUTATIONS: u64 = 400;

/// Numbers and words that readers of JSON and TOML stumble over.
pub const ODD: [&str; 14] = [
    "-1",
    "0",
    "1e999",
    "1e-999",
    "-2147483648",
    "2147483647",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "null",
    "[]",
    "\"\"",
    "{}",
    "\"\\ud800\"",
];

pub fn mutations() -> u64 {
    std::env::var("WINDESK_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(MUTATIONS)
}

/// A text with one to four values replaced, bits flipped, cut, or pieces repeated.
fn mutated(text: &[u8], number: u64) -> Vec<u8> {
    let mut state = number << 24;
    let mut below = |limit: usize| {
        state += 1;
        mixed(state) as usize % limit.max(1)
    };
    let mut bytes = text.to_vec();
    for _ in 0..=below(4) {
        if bytes.is_empty() {
            return bytes;
        }
        match below(8) {
            0 => {
                let at = below(bytes.len());
                bytes[at] ^= 1 << below(8);
            }
            1 => bytes.truncate(below(bytes.len())),
            2 => {
                let (from, to) = (below(bytes.len()), below(bytes.len()));
                let piece = bytes[from..bytes.len().min(from + 1 + below(300))].to_vec();
                bytes.splice(to..to, piece);
            }
            _ => {
                let values: Vec<usize> =
                    bytes.iter().enumerate().filter(|(_, b)| b":[,=".contains(b)).map(|(at, _)| at + 1).collect();
                if values.is_empty() {
                    continue;
                }
                let start = values[below(values.len())];
                let length = bytes[start..].iter().position(|b| b",]}\n".contains(b)).unwrap_or(0);
                // A number of another place in the text is likelier to be nearly right than an odd one.
                let other = values[below(values.len())];
                let other_length = bytes[other..].iter().position(|b| b",]}\n".contains(b)).unwrap_or(0);
                let new = if below(2) == 0 {
                    ODD[below(ODD.len())].as_bytes().to_vec()
                } else {
                    bytes[other..other + other_length].to_vec()
                };
                bytes.splice(start..start + length, new);
            }
        }
    }
    bytes
}

/// Runs mutations of seeds; both outcomes must come up.
fn check(kind: &str, seeds: &[Vec<u8>], read: impl Fn(&[u8]) -> bool + std::panic::RefUnwindSafe) {
    for (at, seed) in seeds.iter().enumerate() {
        assert!(read(seed), "{kind} {at} is sound before it is damaged");
    }
    let (mut used, mut refused) = (0_u64, 0_u64);
    for number in 0..mutations() {
        let bytes = mutated(&seeds[number as usize % seeds.len()], number);
        let sound = std::panic::catch_unwind(|| read(&bytes))
            .unwrap_or_else(|_| panic!("{kind} {number}: {}", String::from_utf8_lossy(&bytes)));
        *(if sound { &mut used } else { &mut refused }) += 1;
    }
    assert!(refused > 0 && used > 0, "{kind}: {used} used, {refused} refused");
}

/// Lines of a small dataset with everything that plans and records can hold.
fn lines(kind: &str) -> Vec<Vec<u8>> {
    let place = tempfile::tempdir().unwrap();
    let level = place.path().join("mini.toml");
    fs::write(&level, mini_pack::LEVEL).unwrap();
    let out = place.path().join("out");
    let [level, out_text] = [&level, &out].map(|p| p.to_str().unwrap());
    let pack = mini_pack::folder();
    let more = ["--n", "6", "--targets-per-scene", "3", "--absent-share", "0.4", "--pack", pack.to_str().unwrap()];
    succeeds(["synth", "--level", level, "--out", out_text].into_iter().chain(more));
    let text = fs::read(out.join(format!("{kind}/part-00000.jsonl"))).unwrap();
    text.split(|&b| b == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect()
}

#[test]
fn plans() {
    check("plan", &lines("plans"), plan_any);
}

#[test]
fn evidence_in_a_window_that_is_not_there_is_named() {
    let plans = lines("plans").into_iter().map(|line| serde_json::from_slice::<serde_json::Value>(&line).unwrap());
    let mut plan = { plans }.find(|plan| plan["target"]["evidence"][0].is_object()).unwrap();
    let renderer = windesk::engine::render::Renderer::new(mini_pack::pack()).unwrap();
    assert!(renderer.render(&serde_json::from_value(plan.clone()).unwrap()).is_ok());
    plan["target"]["evidence"][0]["placement"] = 99.into();
    let refused = renderer.render(&serde_json::from_value(plan).unwrap()).unwrap_err().to_string();
    assert!(refused.contains("placement 99"), "{refused}");
}

/// A wallpaper that covers such a screen has a hundred times its pixels: nothing is painted before the size is looked
/// at.
#[test]
fn screens_that_are_none() {
    let mut plan: serde_json::Value = serde_json::from_slice(&lines("plans")[0]).unwrap();
    plan["wallpaper"] = "none".into();
    let renderer = windesk::engine::render::Renderer::new(mini_pack::pack()).unwrap();
    for canvas in [[16_000, 90], [8192, 500], [8192, 8192], [639, 900]] {
        plan["canvas"] = serde_json::json!(canvas);
        let refused = renderer.render(&serde_json::from_value(plan.clone()).unwrap()).unwrap_err().to_string();
        assert!(refused.contains(&format!("a canvas of {}x{}, expected", canvas[0], canvas[1])), "{refused}");
    }
}

#[test]
fn scenes() {
    check("scene", &lines("scenes"), scene_any);
}

#[test]
fn levels() {
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for folder in ["levels", "sweeps"] {
        let mut files: Vec<_> = fs::read_dir(configs.join(folder)).unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        seeds.extend(files.iter().map(|path| fs::read(path).unwrap()));
    }
    seeds.push([mini_pack::LEVEL.as_bytes(), b"\0distractor.rank=3\nwindows=5..6\nsplit=test"].concat());
    check("level", &seeds, level_any);
}

#[test]
fn icons() {
    let svg = br##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="#369"><path d="M2 2h20v20H2z"/>
<circle cx="12" cy="12" r="5" opacity="0.5"/></g><defs><linearGradient id="g"><stop offset="0.3"/></linearGradient></defs></svg>"##;
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbaImage::from_fn(24, 24, |x, y| image::Rgba([x as u8 * 9, y as u8 * 9, 80, 255]))
        .write_to(&mut png, image::ImageFormat::Png)
        .unwrap();
    let named =
        [svg.as_slice(), b"\0{\"a\": {\"name\": \"square\", \"synonyms\": [\"box\"], \"category\": \"shapes\"}}"].concat();
    check("icon", &[svg.to_vec(), png.into_inner(), named], icons_any);
}

#[test]
fn boxes_to_import() {
    let seeds = [
        r#"[{"image_path": "shop_1.png", "content": "Buy it", "gt_bbox": [0.1, 0.2, 0.5, 0.6], "type": "Browsers", "orig_size": [40, 20]}]"#,
        r#"{"images": [{"id": 7, "file_name": "shop_1.png", "width": 40, "height": 20}], "categories": [{"id": 1, "name": "Button"}],
            "annotations": [{"id": 1, "image_id": 7, "category_id": 1, "bbox": [1.5, 2, 10, 5.25], "name": "Save"}]}"#,
        r#"{"imagePath": "shop_1.png", "imageHeight": 20, "imageWidth": 40, "shapes": [
            {"label": "button: Buy", "points": [[9.5, 8], [2, 3.2]], "shape_type": "rectangle"}]}"#,
        r#"{"role": "frame", "name": "Shop", "bounds": {"x": 100, "y": 50, "width": 40, "height": 20}, "children": [
            {"role": "AXButton", "AXTitle": "Buy", "AXFrame": [102, 52, 8, 6], "states": ["focused"], "value": 3}]}"#,
        r#"[{"id": 3, "parent": 1, "role": "checkbox", "name": "Gift", "bounds": "[130,60][150,66]"},
            {"id": 1, "role": "frame", "name": "Shop", "extents": [100, 50, 40, 20], "childIds": [3]}]"#,
    ];
    check("boxes", &seeds.map(|seed| seed.as_bytes().to_vec()), boxes_any);
}

#[test]
fn outputs() {
    let seeds = [
        "<|box_start|>(512,300),(560,340)<|box_end|>",
        "Action: click(start_box='(512,300)')",
        "<think>[1, 1]</think>[[511, 300]]",
    ]
    .into_iter()
    .chain([
        "pyautogui.click(x=0.25, y=0.5)",
        "[{\"bbox_2d\": [984, 494, 1004, 514], \"label\": \"a\"}]",
        "{\"x\": 512, \"y\": 300}",
    ]);
    // By every convention, in images of several sizes.
    let seeds: Vec<Vec<u8>> = seeds
        .flat_map(|text| (0..26).map(|by: u8| [&[by, by * 9, 7][..], text.as_bytes()].concat()))
        .filter(|seed| parse_any(seed))
        .collect();
    check("output", &seeds, parse_any);
}

#[test]
fn predictions() {
    let seeds = ["predictions.jsonl", "probe-answers.jsonl", "task-answers.jsonl"].map(|name| fs::read(example(name)).unwrap());
    let known: Vec<Vec<u8>> = seeds.into_iter().filter(|seed| read_any(seed)).collect();
    check("predictions", &known, read_any);
}

#[test]
fn truth() {
    let seeds: Vec<Vec<u8>> =
        KINDS.iter().enumerate().map(|(at, name)| [&[at as u8][..], &fs::read(example(name)).unwrap()].concat()).collect();
    check("truth", &seeds, truth_any);
}
