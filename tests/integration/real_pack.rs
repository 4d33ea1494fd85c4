//! The main job on the project's own pack: all levels, recounted from the written files alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;
use windesk::Study;
use windesk::default_pack::open_default;
use windesk::engine::pack::IndexedPack;
use windesk::model::digest::hex_digest;
use windesk::shipped::level;

use crate::command::succeeds;
use windesk_naive::{NaivePack, box4, check_pixels, check_record, json_file, json_lines};

/// Samples per level.
const SAMPLES: usize = 20;

/// The project's assets.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}

/// The pack, opened once.
pub fn pack() -> &'static IndexedPack {
    static PACK: OnceLock<IndexedPack> = OnceLock::new();
    PACK.get_or_init(|| open_default(&[]).and_then(|(pack, _)| pack.indexed()).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn all_levels_are_what_their_records_say() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("levels");
    // The pointer's picture is a drawing, which nothing here can make: other tests look at what it hides.
    let n = SAMPLES.to_string();
    let said = succeeds(["synth", "--level", "all", "--n", &n, "--pointer", "none", "--out", out.to_str().unwrap()]);
    assert!(said.stderr.contains("(the checkout's)"), "{}", said.stderr);
    let scenes = json_lines(&out.join("scenes/part-00000.jsonl"));
    assert_eq!(scenes.len(), 5 * SAMPLES, "no holes");
    check_levels(&scenes);
    check_pairs(&scenes);
    check_files(&out, &scenes);
    // Pictures of neighbours are shared, so each thread takes a whole half.
    std::thread::scope(|scope| {
        for half in scenes.chunks(scenes.len() / 2) {
            let out = &out;
            scope.spawn(move || check_truth(out, half));
        }
    });
}

/// Every pixel of scenes without shell and shadows: those that sessions draw are compared where they are made, and so
/// are windows in states of their own.
#[test]
fn pictures_are_what_the_captures_say() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("plain");
    let plain = ["--chrome", "none", "--pointer", "none", "--states", "captured"];
    succeeds([&["synth", "--level", "L4", "--n", "8"], &plain[..], &["--out", out.to_str().unwrap()]].concat());
    let pack = NaivePack::open(&self::folder());
    for scene in json_lines(&out.join("scenes/part-00000.jsonl")) {
        let naive = check_record(&pack, &scene);
        let picture = image::open(out.join(scene["image"].as_str().unwrap())).unwrap().into_rgb8();
        check_pixels(&pack, &scene, &naive, false, &picture);
    }
}

/// A model that sees the same window in scene after scene learns that window. The rota of a stretch of indices is the
/// same in whatever order they are asked for.
#[test]
fn no_capture_comes_in_more_than_five_percent_of_scenes() {
    const SCENES: u64 = 500;
    let (pack, study) = (pack(), Study::of_condition(level("L4", &[]).unwrap(), 0));
    let targets = study.pool(pack).unwrap();
    let mut come: BTreeMap<String, u64> = BTreeMap::new();
    let mut two_windows = 0;
    for index in 0..SCENES {
        let plans = study.outcome(pack, &targets, index).unwrap().plans.expect("no holes");
        let programs = plans[0].placements.iter().map(|placement| placement.window.split_once('/').unwrap().0);
        two_windows += usize::from(programs.collect::<BTreeSet<_>>().len() < plans[0].placements.len());
        plans[0].placements.iter().for_each(|placement| *come.entry(placement.window.clone()).or_default() += 1);
    }
    let (window, most) = come.iter().max_by_key(|(_, count)| **count).unwrap();
    assert!(most * 100 <= SCENES * 5, "{window} is in {most} of {SCENES} scenes");
    assert!(two_windows > 10, "{two_windows} scenes show two windows of a program");
    let fresh = study.pool(pack).unwrap();
    for index in [499, 3, 70, 64] {
        let [one, other] = [&targets, &fresh].map(|pool| study.outcome(pack, pool, index).unwrap().plans);
        assert_eq!(one.unwrap(), other.unwrap());
    }
}

/// Window managers put windows at edges of the screen and of other windows; people seldom do. Where no shell takes room
/// the whole screen is free.
#[test]
fn managed_windows_lie_at_edges() {
    let folder = tempfile::tempdir().unwrap();
    let at_edges = |layout: &str| {
        let out = folder.path().join(layout);
        let set = format!("layout.{layout}=1");
        let options = ["--level", "L3", "--n", "30", "--chrome", "none", "--format", "jpeg", "--set", &set];
        succeeds([&["synth"], &options[..], &["--out", out.to_str().unwrap()]].concat());
        let (mut at_edges, mut all) = (0, 0);
        for scene in json_lines(&out.join("scenes/part-00000.jsonl")) {
            assert_eq!(scene["layout"], layout);
            let windows = scene["windows"].as_array().unwrap();
            let screen = [0, 0, scene["width"].as_i64().unwrap() as i32, scene["height"].as_i64().unwrap() as i32];
            let is_filler = |w: &&Value| w["role"] == "background" && w["popup_rects"].as_array().unwrap().is_empty();
            for window in windows.iter().filter(is_filler) {
                let own = box4(&window["rect"]);
                let others = windows.iter().filter(|w| w["index"] != window["index"]).map(|w| box4(&w["rect"]));
                let edges: Vec<[i32; 4]> = others.chain([screen]).collect();
                let touches = |low: usize| {
                    edges.iter().any(|edge| [low, low + 2].iter().any(|&side| [edge[low], edge[low + 2]].contains(&own[side])))
                };
                all += 1;
                at_edges += usize::from(touches(0) && touches(1));
            }
        }
        assert!(all > 60, "{all} windows");
        at_edges * 100 / all
    };
    let (managed, free) = (at_edges("managed"), at_edges("free"));
    assert!(managed >= 60 && free <= 5, "at edges are {managed} % of managed windows, {free} % of free ones");
}

/// What the level files ask for, said once more.
fn check_levels(scenes: &[Value]) {
    let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
    for scene in scenes {
        // A changed condition is called after its level and what was changed.
        let level = scene["condition"].as_str().unwrap().split('-').next().unwrap();
        let id = scene["id"].as_str().unwrap();
        *counted.entry(level).or_default() += 1;
        let (windows, band, rank) = match level {
            "L1" => (2..=4, [1.0, 1.0], 5),
            "L2" => (4..=6, [0.8, 0.9], 4),
            "L3" => (6..=9, [0.7, 0.8], 3),
            "L4" => (8..=12, [0.5, 0.7], 2),
            "L5" => (10..=15, [0.3, 0.5], 1),
            other => panic!("{id}: level {other}"),
        };
        let of_scene = scene["windows"].as_array().unwrap();
        assert!(windows.contains(&of_scene.len()), "{id}: {} windows", of_scene.len());
        assert_eq!(scene["knobs"]["visible_ratio"], serde_json::json!(band), "{id}");
        let target = &scene["targets"][0];
        assert!(target["visible_px"].as_u64().unwrap() >= 48, "{id}");
        let distractors = target["distractors"].as_array().unwrap();
        assert_eq!(distractors.len(), 1, "{id}");
        assert_eq!(distractors[0]["rank"], rank, "{id}");
        let elements = scene["elements"].as_array().unwrap();
        let similar = elements.iter().find(|e| e["id"] == distractors[0]["element"]).expect("a recorded element");
        let [seen, all] = ["visible_px", "total_px"].map(|field| similar[field].as_u64().unwrap());
        assert!(seen * 10 >= all * 8, "{id}: {seen} of {all} px of the distractor are visible");
        let mut of_program: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
        for window in of_scene.iter().filter(|w| w["role"] != "parent") {
            of_program.entry(window["app"].as_str().unwrap()).or_default().push(window);
        }
        let two: Vec<_> = of_program.values().filter(|windows| windows.len() > 1).collect();
        let as_people_have_them = |windows: &&Vec<&Value>| {
            let titles: BTreeSet<&str> = windows.iter().map(|w| w["title"].as_str().unwrap()).collect();
            let tabs = |window: &&Value| {
                let tabs = elements.iter().filter(|e| e["window"] == window["index"] && e["role"] == "page tab");
                tabs.map(|e| e["name"].as_str().unwrap()).collect::<BTreeSet<_>>()
            };
            let same_tabs = windows.iter().map(tabs).reduce(|a, b| &a & &b).is_some_and(|tabs| !tabs.is_empty());
            windows.len() == 2 && titles.len() == 2 && !same_tabs && windows.iter().all(|w| w["role"] == "background")
        };
        assert!(two.len() <= 1 && two.iter().all(as_people_have_them), "{id}: a program has two windows: {two:?}");
        let themes: BTreeSet<&str> = of_scene.iter().map(|w| w["theme"].as_str().unwrap()).collect();
        assert!(scene["session"].is_string() && themes.len() == 1, "{id}: windows of several sessions: {themes:?}");
        if scene["layout"] == "free" || scene["layout"] == "managed" {
            let corners: BTreeSet<[i32; 2]> = of_scene.iter().map(|w| box4(&w["rect"])).map(|[x, y, ..]| [x, y]).collect();
            assert_eq!(corners.len(), of_scene.len(), "{id}: two windows share a corner");
        }
    }
    assert_eq!(counted, ["L1", "L2", "L3", "L4", "L5"].map(|level| (level, SAMPLES)).into());
}

/// The samples of an index ask the same of the same window.
fn check_pairs(scenes: &[Value]) {
    let mut pairs: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for scene in scenes {
        let target = &scene["targets"][0];
        let window = &scene["windows"][target["window"].as_u64().unwrap() as usize]["window"];
        let element = target["element"].as_str().unwrap().split_once('.').unwrap().1;
        pairs
            .entry(scene["pair_id"].as_str().unwrap())
            .or_default()
            .insert(format!("{window}#{element}: {}", target["instruction"]));
    }
    assert_eq!(pairs.len(), SAMPLES);
    assert!(pairs.values().all(|asked| asked.len() == 1), "{pairs:?}");
}

/// Annotations repeat the scenes; digests are those of the files.
fn check_files(out: &Path, scenes: &[Value]) {
    let annotations = json_lines(&out.join("annotations/part-00000.jsonl"));
    assert_eq!(annotations.len(), scenes.len());
    for (annotation, scene) in annotations.iter().zip(scenes) {
        let target = &scene["targets"][0];
        for field in ["id", "bbox", "instruction", "ui_type", "visible_ratio"] {
            assert_eq!(annotation[field], target[field]);
        }
        assert_eq!(annotation["image_path"], scene["image"]);
        assert_eq!(annotation["img_size"], serde_json::json!([scene["width"], scene["height"]]));
    }
    let manifest = json_file(&out.join("manifest.json"));
    assert_eq!(manifest["holes"], serde_json::json!([]));
    let shard = &manifest["shards"][0];
    for (field, file) in [
        ("sha256", "scenes/part-00000.jsonl"),
        ("annotations_sha256", "annotations/part-00000.jsonl"),
        ("plans_sha256", "plans/part-00000.jsonl"),
        ("images_sha256", "images/00000/SHA256SUMS"),
    ] {
        assert_eq!(shard[field], hex_digest(&fs::read(out.join(file)).unwrap()), "{file}");
    }
    for line in fs::read_to_string(out.join("images/00000/SHA256SUMS")).unwrap().lines() {
        let (digest, name) = line.split_once("  ").unwrap();
        assert_eq!(digest, hex_digest(&fs::read(out.join("images/00000").join(name)).unwrap()), "{name}");
    }
}

/// Counts, boxes and masks of every scene.
fn check_truth(out: &Path, scenes: &[Value]) {
    let pack = NaivePack::open(&folder());
    for scene in scenes {
        check_record(&pack, scene);
        assert_eq!(image::image_dimensions(out.join(scene["image"].as_str().unwrap())).unwrap(), (2560, 1440));
    }
}
