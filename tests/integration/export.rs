//! Every export format gives the targets' boxes back, to the pixel where it promises to.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;

use crate::command::{finish, refused, succeeds, tree, windesk};
use crate::mini_pack;

/// A dataset over the mini pack, made once. One target's window reaches no edge, so boxes are whole.
fn dataset() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("export-dataset");
        fs::create_dir_all(&place).unwrap();
        let level = place.join("mini.toml");
        fs::write(&level, mini_pack::LEVEL).unwrap();
        let out = place.join("dataset");
        let [level, out_text] = [&level, &out].map(|p| p.to_str().unwrap().to_owned());
        let pack = mini_pack::folder();
        let args = [
            "synth",
            "--n",
            "6",
            "--seed",
            "3",
            "--force",
            "--level",
            &level,
            "--out",
            &out_text,
            "--pack",
            pack.to_str().unwrap(),
        ];
        succeeds(args);
        out
    })
}

fn scenes() -> Vec<Value> {
    json_lines(&dataset().join("scenes/part-00000.jsonl"))
}

/// An export in a folder of its own.
fn export(format: &str, more: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let args = ["export", dataset().to_str().unwrap(), "--to", format, "--out", out.to_str().unwrap()];
    succeeds(args.into_iter().chain(more.iter().copied()));
    (folder, out)
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))).unwrap()
}

fn json_lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list")).iter().map(|v| v.as_f64().unwrap()).collect()
}

fn from_xywh(value: &Value) -> Vec<f64> {
    let v = numbers(value);
    vec![v[0], v[1], v[0] + v[2], v[1] + v[3]]
}

/// Shares back to px.
fn from_unit(shares: &[f64], scene: &Value) -> Vec<f64> {
    let size = ["width", "height"].map(|side| scene[side].as_f64().unwrap());
    shares.iter().enumerate().map(|(at, share)| (share * size[at % 2]).round()).collect()
}

/// Compares what was read back with the dataset: `found` gives `(instruction, box in px)` per record, in order.
fn same_boxes(records: &[Value], picture: impl Fn(&Value) -> PathBuf, found: impl Fn(&Value, &Value) -> (String, Vec<f64>)) {
    let scenes = scenes();
    assert_eq!(records.len(), scenes.len());
    for (record, scene) in records.iter().zip(&scenes) {
        let target = &scene["targets"][0];
        let (instruction, bbox) = found(record, scene);
        assert!(instruction.contains(target["instruction"].as_str().unwrap()), "{instruction}");
        assert_eq!(bbox, numbers(&target["bbox"]), "{record}");
        let picture = picture(record);
        let own = dataset().join(scene["image"].as_str().unwrap());
        assert!(fs::read(&picture).unwrap() == fs::read(own).unwrap(), "{}", picture.display());
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

#[test]
fn harness_formats_give_the_boxes_back() {
    let (_kept, out) = export("screenspot-pro", &[]);
    let records = json(&out.join("annotations/mini.json"));
    let records = records.as_array().unwrap();
    same_boxes(
        records,
        |r| out.join("images").join(text(&r["img_filename"])),
        |r, _| (text(&r["instruction"]), numbers(&r["bbox"])),
    );
    assert_eq!(records[0]["img_size"], serde_json::json!([1600, 900]));

    for (format, file) in [("screenspot", "screenspot_desktop.json"), ("screenspot-v2", "screenspot_desktop_v2.json")] {
        let (_kept, out) = export(format, &[]);
        let records = json(&out.join(file));
        same_boxes(
            records.as_array().unwrap(),
            |r| out.join("images").join(text(&r["img_filename"])),
            |r, _| (text(&r["instruction"]), from_xywh(&r["bbox"])),
        );
    }

    let (_kept, out) = export("windeskground", &[]);
    let records = json(&out.join("test.json"));
    let records = records.as_array().unwrap();
    same_boxes(records, |r| out.join(text(&r["image_path"])), |r, _| (text(&r["instruction"]), numbers(&r["gt_bbox"])));
    same_boxes(records, |r| out.join(text(&r["image_path"])), |r, _| (text(&r["instruction"]), from_xywh(&r["bbox"])));

    let (_kept, out) = export("osworld-g", &[]);
    let records = json(&out.join("osworld_g.json"));
    same_boxes(
        records.as_array().unwrap(),
        |r| out.join("images").join(text(&r["image_path"])),
        |r, _| (text(&r["instruction"]), from_xywh(&r["box_coordinates"])),
    );

    let (_kept, out) = export("superset", &[]);
    let records = json_lines(&out.join("annotations.jsonl"));
    same_boxes(&records, |r| out.join(text(&r["file_name"])), |r, _| (text(&r["prompt_to_evaluate"]), numbers(&r["bbox"])));
}

#[test]
fn chat_formats_give_the_boxes_back() {
    let (_kept, out) = export("ms-swift", &[]);
    let records = json_lines(&out.join("mini-s3.jsonl"));
    same_boxes(
        &records,
        |r| out.join(text(&r["images"][0])),
        |r, _| (text(&r["objects"]["ref"][0]), numbers(&r["objects"]["bbox"][0])),
    );
    for record in &records {
        let turns = record["messages"].to_string();
        assert_eq!(["<image>", "<ref-object>", "<bbox>"].map(|mark| turns.matches(mark).count()), [1, 1, 1]);
    }

    let (_kept, out) = export("llama-factory", &[]);
    let info = json(&out.join("dataset_info.json"));
    let entry = &info["mini-s3"];
    let records = json(&out.join(text(&entry["file_name"])));
    let answer = |value: &Value| numbers(&serde_json::from_str::<Value>(value.as_str().unwrap()).unwrap()["bbox_2d"]);
    same_boxes(
        records.as_array().unwrap(),
        |r| out.join(text(&r[entry["columns"]["images"].as_str().unwrap()][0])),
        |r, _| (text(&r["messages"][0]["content"]), answer(&r["messages"][1]["content"])),
    );
}

#[test]
fn rounded_formats_stay_within_their_grid_and_need_no_leave() {
    for format in ["qwen2-vl", "qwen3-vl", "qwen2.5-vl"] {
        let resized = ["--max-pixels", "602112"];
        let (_kept, out) = export(format, if format == "qwen2.5-vl" { &resized } else { &[] });
        let records = json(&out.join("mini-s3.json"));
        for (record, scene) in records.as_array().unwrap().iter().zip(scenes()) {
            let answer: Value = serde_json::from_str(record["conversations"][1]["value"].as_str().unwrap()).unwrap();
            let size = ["width", "height"].map(|side| scene[side].as_f64().unwrap());
            let grid = if format == "qwen2.5-vl" {
                let resized = numbers(&record["resized_size"]);
                assert!(resized.iter().all(|side| side % 28.0 == 0.0) && resized[0] * resized[1] <= 602_112.0, "{resized:?}");
                [resized[0], resized[1]]
            } else {
                [1000.0; 2]
            };
            for (at, (read, meant)) in numbers(&answer["bbox_2d"]).iter().zip(numbers(&scene["targets"][0]["bbox"])).enumerate() {
                let px = read * size[at % 2] / grid[at % 2];
                let step = size[at % 2] / grid[at % 2];
                assert!((px - meant).abs() <= step / 2.0 + 1e-9, "{format}: {px} for {meant}");
                assert_eq!(read.fract(), 0.0);
            }
        }
    }
}

#[test]
fn share_formats_give_the_boxes_back() {
    let (_kept, out) = export("os-atlas", &[]);
    let records = json(&out.join("mini-s3.json"));
    let picture = |r: &Value| out.join("images").join(text(&r["img_filename"]));
    same_boxes(records.as_array().unwrap(), picture, |r, s| (text(&r["instruction"]), from_unit(&numbers(&r["bbox"]), s)));

    let (_kept, out) = export("showui", &[]);
    let records = json(&out.join("metadata/hf_train.json"));
    let picture = |r: &Value| out.join("images").join(text(&r["img_url"]));
    same_boxes(records.as_array().unwrap(), picture, |r, s| {
        (text(&r["element"][0]["instruction"]), from_unit(&numbers(&r["element"][0]["bbox"]), s))
    });

    let (_kept, out) = export("gui-actor", &[]);
    assert!(fs::read_to_string(out.join("data.yaml")).unwrap().contains("json_path: \"mini-s3.json\""));
    let records = json(&out.join("mini-s3.json"));
    let picture = |r: &Value| out.join("images").join(text(&r["image"]));
    same_boxes(records.as_array().unwrap(), picture, |r, s| {
        (text(&r["conversations"][0]["value"]), from_unit(&numbers(&r["conversations"][1]["bbox_gt"]), s))
    });
}

#[test]
fn aguvis_clicks_on_a_visible_pixel() {
    let (_kept, out) = export("aguvis", &["--allow-lossy"]);
    let records = json(&out.join("mini-s3.json"));
    for (record, scene) in records.as_array().unwrap().iter().zip(scenes()) {
        let action = text(&record["conversations"][1]["value"]);
        let inside = action.strip_prefix("pyautogui.click(x=").and_then(|a| a.strip_suffix(')')).unwrap();
        let (x, y) = inside.split_once(", y=").unwrap();
        let [x, y] = [x, y].map(|v| v.parse::<f64>().unwrap());
        let point = [(x * scene["width"].as_f64().unwrap()).floor(), (y * scene["height"].as_f64().unwrap()).floor()];
        assert_eq!(point.to_vec(), numbers(&scene["targets"][0]["click_point"]));
    }
}

/// Every visible element's box, clipped to the image, in the order of the record.
fn visible_boxes(scene: &Value, kind: &str) -> Vec<(String, Vec<f64>)> {
    let size = ["width", "height"].map(|side| scene[side].as_f64().unwrap());
    let elements = scene["elements"].as_array().unwrap().iter().filter(|e| !e["visible_bbox"].is_null());
    elements
        .map(|e| {
            let bbox = numbers(&e[kind]);
            let clipped = bbox.iter().enumerate().map(|(at, v)| v.clamp(0.0, size[at % 2])).collect();
            (text(&e["role"]), clipped)
        })
        .collect()
}

#[test]
fn detection_formats_hold_every_visible_element() {
    for (boxes, field) in [("full", "bbox"), ("visible", "visible_bbox")] {
        let (_kept, out) = export("coco", &["--boxes", boxes]);
        let coco = json(&out.join("annotations.json"));
        let names: BTreeMap<u64, String> =
            coco["categories"].as_array().unwrap().iter().map(|c| (c["id"].as_u64().unwrap(), text(&c["name"]))).collect();
        let mut asked = 0;
        for (image, scene) in coco["images"].as_array().unwrap().iter().zip(scenes()) {
            assert!(out.join("images").join(text(&image["file_name"])).is_file());
            let own = coco["annotations"].as_array().unwrap().iter().filter(|a| a["image_id"] == image["id"]);
            let found: Vec<(String, Vec<f64>)> =
                own.clone().map(|a| (names[&a["category_id"].as_u64().unwrap()].clone(), from_xywh(&a["bbox"]))).collect();
            assert_eq!(found, visible_boxes(&scene, field));
            asked += own.filter(|a| a["instruction"] == scene["targets"][0]["instruction"]).count();
        }
        assert_eq!(asked, 6);

        let (_kept, out) = export("yolo", &["--boxes", boxes, "--allow-lossy"]);
        let data = fs::read_to_string(out.join("data.yaml")).unwrap();
        let names: Vec<String> = data
            .lines()
            .filter_map(|l| l.strip_prefix("  ")?.split_once(": \"")?.1.strip_suffix('"').map(str::to_owned))
            .collect();
        for scene in scenes() {
            let name = text(&scene["image"]).replace("images/", "labels/").replace(".png", ".txt");
            let found: Vec<(String, Vec<f64>)> = fs::read_to_string(out.join(name))
                .unwrap()
                .lines()
                .map(|line| {
                    let v: Vec<f64> = line.split(' ').map(|n| n.parse().unwrap()).collect();
                    let shares = [v[1] - v[3] / 2.0, v[2] - v[4] / 2.0, v[1] + v[3] / 2.0, v[2] + v[4] / 2.0];
                    (names[v[0] as usize].clone(), from_unit(&shares, &scene))
                })
                .collect();
            assert_eq!(found, visible_boxes(&scene, field));
        }
    }
}

#[test]
fn packaged_formats_hold_everything() {
    let (_kept, out) = export("imagefolder", &[]);
    let records = json_lines(&out.join("metadata.jsonl"));
    same_boxes(
        &records,
        |r| out.join(text(&r["file_name"])),
        |r, _| (text(&r["targets"][0]["instruction"]), numbers(&r["targets"][0]["bbox"])),
    );

    let (_kept, out) = export("webdataset", &[]);
    let mut archive = tar::Archive::new(fs::File::open(out.join("mini-s3-000000.tar")).unwrap());
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().to_str().unwrap().to_owned();
        assert_eq!(entry.header().mtime().unwrap(), 0);
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
        files.insert(name, bytes);
    }
    assert_eq!(files.len(), 18);
    for scene in scenes() {
        let key = text(&scene["id"]).replace('.', "_");
        assert!(!key.contains('.'));
        assert_eq!(serde_json::from_slice::<Value>(&files[&format!("{key}.scene.jsonl")]).unwrap(), scene);
        let row: Value = serde_json::from_slice(&files[&format!("{key}.json")]).unwrap();
        assert_eq!((&row["id"], &row["pair_id"]), (&scene["id"], &scene["pair_id"]));
        assert_eq!(numbers(&row["targets"][0]["bbox"]), numbers(&scene["targets"][0]["bbox"]));
        assert!(!row.to_string().contains("null"), "readers make columns of the first rows: {row}");
        assert!(files[&format!("{key}.png")] == fs::read(dataset().join(text(&scene["image"]))).unwrap());
    }
}

#[test]
fn what_a_format_loses_must_be_allowed() {
    let listed = succeeds(["formats", "--json"]).stdout;
    let formats: Value = serde_json::from_str(&listed).unwrap();
    let place = tempfile::tempdir().unwrap();
    let mut lossy = Vec::new();
    for format in formats.as_array().unwrap() {
        let name = format["name"].as_str().unwrap();
        let out = place.path().join(name);
        let args = ["export", dataset().to_str().unwrap(), "--to", name, "--out", out.to_str().unwrap()];
        if format["states"] == true {
            let problem = format!("expected a dataset of state instances for {name}");
            refused(windesk(args), &["found no state instances", &problem, "windesk states"]);
            assert!(!out.exists());
        } else if format["tasks"] == true {
            refused(windesk(args), &["found no tasks", &format!("expected a dataset of tasks for {name}"), "windesk tasks"]);
            assert!(!out.exists());
        } else if format["lossy"] == true {
            refused(windesk(args), &["loses", format["loses"].as_str().unwrap(), "--allow-lossy"]);
            assert!(!out.exists());
            lossy.push(name);
        } else {
            succeeds(args);
            let record = json(&out.join("export.json"));
            assert_eq!((&record["scenes"], &record["targets"], &record["left_out"]), (&6.into(), &6.into(), &0.into()), "{name}");
            assert!(!record["licences"].as_object().unwrap().is_empty());
        }
    }
    assert_eq!(lossy, ["aguvis", "yolo"]);
}

#[test]
fn an_export_is_the_same_again_and_pictures_may_stay_behind() {
    let ([_a, _b, _c], [linked, copied, without]) = {
        let [(a, x), (b, y), (c, z)] =
            [export("coco", &[]), export("coco", &["--images", "copy"]), export("coco", &["--images", "none"])];
        ([a, b, c], [x, y, z])
    };
    assert_eq!(tree(&linked), tree(&copied));
    assert_eq!(tree(&without).into_keys().collect::<Vec<_>>(), ["annotations.json", "export.json"]);
}

/// Killed while it put its folder in place of an earlier one.
#[test]
fn what_a_killed_export_left_is_taken_away() {
    let (folder, whole) = export("coco", &[]);
    let out = folder.path().join("again");
    let args = ["export", dataset().to_str().unwrap(), "--to", "coco", "--out", out.to_str().unwrap(), "--force"];
    for name in [".again.new.tmp", ".again.old.tmp"] {
        mini_pack::copy_folder(&whole, &folder.path().join(name));
    }
    fs::write(folder.path().join(".again.lock.tmp"), "").unwrap();
    succeeds(args);
    assert_eq!(tree(&out), tree(&whole));
    let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["again", "out"]);
}

#[test]
fn bad_exports_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let [data, out_text] = [dataset(), &out].map(|p| p.to_str().unwrap());
    refused(windesk(["export", data, "--to", "cocoo", "--out", out_text]), &["--to cocoo", "did you mean coco?"]);
    refused(windesk(["export", "nowhere", "--to", "coco", "--out", out_text]), &["manifest.json", "not found"]);
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join("mine.txt"), "x").unwrap();
    for more in [&[][..], &["--force"]] {
        let args = ["export", data, "--to", "coco", "--out", out_text];
        refused(windesk(args.into_iter().chain(more.iter().copied())), &["out"]);
    }
    assert_eq!(fs::read(out.join("mine.txt")).unwrap(), b"x");

    // A record whose picture lies elsewhere, and one that is none.
    let spoilt = place.path().join("spoilt");
    mini_pack::copy_folder(dataset(), &spoilt);
    let scenes = spoilt.join("scenes/part-00000.jsonl");
    let lines = fs::read_to_string(&scenes).unwrap();
    fs::write(&scenes, lines.replacen("\"image\":\"images/00000/", "\"image\":\"../../", 1)).unwrap();
    let [spoilt, fresh] = [spoilt.to_str().unwrap().to_owned(), place.path().join("fresh").to_str().unwrap().to_owned()];
    refused(
        windesk(["export", &spoilt, "--to", "coco", "--out", &fresh]),
        &["part-00000.jsonl:1", "expected a path inside the dataset"],
    );
    fs::write(&scenes, lines.replacen('{', "[", 1)).unwrap();
    refused(windesk(["export", &spoilt, "--to", "coco", "--out", &fresh]), &["part-00000.jsonl:1", "expected a scene"]);
    assert!(!Path::new(&fresh).exists(), "a failed export leaves nothing behind");
    let left: Vec<_> = fs::read_dir(place.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

/// Copies of a damaged picture would look sound: no list of digests lies beside them.
#[test]
fn a_damaged_picture_is_not_copied() {
    let place = tempfile::tempdir().unwrap();
    let spoilt = place.path().join("spoilt");
    mini_pack::copy_folder(dataset(), &spoilt);
    let image = text(&scenes()[1]["image"]);
    let picture = spoilt.join(&image);
    let whole = fs::read(&picture).unwrap();
    let out = place.path().join("out");
    let embedded = if cfg!(feature = "parquet") { &["webdataset", "hf-parquet"][..] } else { &["webdataset"] };
    let check = |what: &str| {
        for to in [&["coco", "--images", "copy"][..]].into_iter().chain(embedded.chunks(1)) {
            let args = ["export", spoilt.to_str().unwrap(), "--out", out.to_str().unwrap(), "--to"];
            refused(windesk(args.into_iter().chain(to.iter().copied())), &[&image, what, "windesk verify"]);
            assert!(!out.exists());
        }
    };
    fs::remove_file(&picture).unwrap();
    fs::write(&picture, &whole[..1000]).unwrap();
    check("SHA256SUMS says ");
    fs::write(&picture, &whole).unwrap();
    let sums = spoilt.join("images/00000/SHA256SUMS");
    let list = fs::read_to_string(&sums).unwrap();
    let others: String =
        list.lines().filter(|line| !image.ends_with(line.split_once("  ").unwrap().1)).map(|line| format!("{line}\n")).collect();
    fs::write(&sums, others).unwrap();
    check("does not list it");
}

#[test]
fn options_that_a_format_has_no_use_for_are_refused() {
    let refuses = |format: &str, more: [&str; 2], expected: &[&str]| {
        let place = tempfile::tempdir().unwrap();
        let out = place.path().join("out");
        let args = ["export", dataset().to_str().unwrap(), "--to", format, "--out", out.to_str().unwrap()];
        refused(windesk(args.into_iter().chain(more)), expected);
        assert!(!out.exists());
    };
    refuses("ms-swift", ["--min-pixels", "3136"], &["--min-pixels 3136", "expected format qwen2.5-vl"]);
    refuses("coco", ["--max-pixels", "1003520"], &["--max-pixels 1003520", "expected format qwen2.5-vl"]);
    refuses("webdataset", ["--images", "none"], &["--images none: webdataset: the images are inside its files"]);
    if cfg!(feature = "parquet") {
        refuses("verl", ["--images", "none"], &["--images none: verl: the images are inside its files"]);
    }
    export("qwen2.5-vl", &["--min-pixels", "3136", "--max-pixels", "1003520"]);
}

#[test]
fn datasets_can_be_looked_at() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("gallery");
    let [data, out_text] = [dataset(), &out].map(|p| p.to_str().unwrap());
    succeeds(["view", data, "--out", out_text]);
    let script = fs::read_to_string(out.join("data.js")).unwrap();
    let data_json = script.strip_prefix("window.GALLERY = ").unwrap().trim_end().strip_suffix(';').unwrap();
    let gallery: Value = serde_json::from_str(data_json).unwrap();
    for (shown, scene) in gallery["scenes"].as_array().unwrap().iter().zip(scenes()) {
        assert_eq!((&shown["id"], &shown["targets"][0]["bbox"]), (&scene["id"], &scene["targets"][0]["bbox"]));
        assert!(out.join(text(&shown["image"])).is_file() && out.join(text(&shown["thumbnail"])).is_file());
    }
    succeeds(["view", data, "--out", out_text, "--limit", "2"]);
    let thumbs = tree(&out).into_keys().filter(|name| name.starts_with("thumbs/")).count();
    assert_eq!(thumbs, 2, "the earlier gallery is replaced");

    let scene = &scenes()[4];
    let said = succeeds(["inspect", data, scene["id"].as_str().unwrap(), "--json"]).stdout;
    assert_eq!(&serde_json::from_str::<Value>(&said).unwrap(), scene);
    let said = succeeds(["inspect", data, scene["targets"][0]["id"].as_str().unwrap(), "--plan"]).stdout;
    assert_eq!(serde_json::from_str::<Value>(&said).unwrap()["key"], scene["key"]);
    refused(windesk(["inspect", data, "nobody"]), &["found no scene or target `nobody`"]);

    let said = succeeds(["stats", data]).stdout;
    assert!(said.contains("mini: 6 scenes"), "{said}");
    assert_eq!(succeeds(["stats", data, "--json"]).stdout, fs::read_to_string(dataset().join("stats.json")).unwrap());

    assert_eq!(succeeds(["diff", data, data]).stdout, "");
    let spoilt = place.path().join("spoilt");
    mini_pack::copy_folder(dataset(), &spoilt);
    let path = spoilt.join("scenes/part-00000.jsonl");
    let mut lines: Vec<Value> = json_lines(&path);
    lines[2]["wallpaper"] = "other".into();
    lines.remove(4);
    fs::write(&path, lines.iter().map(|l| format!("{l}\n")).collect::<String>()).unwrap();
    // A part with fewer lines than its manifest says is a cut one.
    let said = finish(windesk(["diff", data, spoilt.to_str().unwrap()]));
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("found 5 lines, expected 6"), "{}", said.stderr);
    let place_of_manifest = spoilt.join("manifest.json");
    let mut manifest = json(&place_of_manifest);
    manifest["shards"][0]["count"] = 5.into();
    fs::write(&place_of_manifest, manifest.to_string()).unwrap();
    let said = finish(windesk(["diff", data, spoilt.to_str().unwrap()]));
    assert_eq!(said.code, Some(1));
    assert!(said.stdout.contains("mini-s3.mini-000002: wallpaper: found"), "{}", said.stdout);
    assert!(said.stdout.contains("mini-s3.mini-000004: only in"), "{}", said.stdout);
    assert_eq!(said.stdout.lines().count(), 2, "{}", said.stdout);
}

/// Splits have the names that readers look for.
#[test]
fn splits_map_to_splits() {
    let place = tempfile::tempdir().unwrap();
    let [level, dataset] = ["mini.toml", "dataset"].map(|name| place.path().join(name));
    fs::write(&level, mini_pack::LEVEL.replace("windows = [4, 6]", "windows = [3, 3]")).unwrap();
    let pack = mini_pack::folder();
    let [level, dataset, pack] = [&level, &dataset, &pack].map(|p| p.to_str().unwrap());
    succeeds(["synth", "--n", "2", "--level", level, "--out", dataset, "--pack", pack]);
    let place_of_manifest = Path::new(dataset).join("manifest.json");
    let mut manifest = json(&place_of_manifest);
    let name = manifest["dataset"].as_str().unwrap().to_owned();
    assert!(
        fs::read_to_string(Path::new(dataset).join("README.md")).unwrap().contains("  - split: train\n    path: images/**\n")
    );
    // The pack is too small to be split: the label is what matters.
    manifest["study"]["conditions"][0]["split"] = "test".into();
    fs::write(&place_of_manifest, manifest.to_string()).unwrap();
    let expected = [
        ("imagefolder", "test/metadata.jsonl"),
        ("webdataset", &format!("{name}-test-000000.tar")),
        ("showui", "metadata/hf_test.json"),
        ("hf-parquet", "data/test-00000.parquet"),
    ];
    for (format, file) in expected {
        if format == "hf-parquet" && !cfg!(feature = "parquet") {
            continue;
        }
        let out = place.path().join(format);
        succeeds(["export", dataset, "--to", format, "--out", out.to_str().unwrap()]);
        assert!(out.join(file).is_file(), "{format}: {file}");
        if format != "showui" {
            let card = fs::read_to_string(out.join("README.md")).unwrap();
            assert!(card.contains("  - split: test\n"), "{card}");
        }
    }
    assert!(
        json_lines(&place.path().join("imagefolder/test/metadata.jsonl"))
            .iter()
            .all(|row| { place.path().join("imagefolder/test").join(text(&row["file_name"])).is_file() })
    );
}

/// Names come from manifests, which anybody may have made.
#[test]
fn cards_quote_the_name_of_a_dataset() {
    let place = tempfile::tempdir().unwrap();
    let given = place.path().join("given");
    mini_pack::copy_folder(dataset(), &given);
    let mut manifest = json(&given.join("manifest.json"));
    manifest["dataset"] = "[it's] *x* #1".into();
    fs::write(given.join("manifest.json"), manifest.to_string()).unwrap();
    for format in ["imagefolder", "webdataset"] {
        let out = place.path().join(format);
        succeeds(["export", given.to_str().unwrap(), "--to", format, "--out", out.to_str().unwrap()]);
        let card = fs::read_to_string(out.join("README.md")).unwrap();
        assert!(card.contains("pretty_name: \"[it's] *x* #1\"\n"), "{card}");
        assert!(card.contains("\n# \\[it's\\] \\*x\\* #1\n"), "{card}");
    }
}

/// Runs of visible pixels, as pycocotools reads them, back to their columns and rows, down the columns.
fn decoded(segmentation: &Value) -> Vec<(i64, i64)> {
    let [height, width] = [0, 1].map(|at| segmentation["size"][at].as_i64().unwrap());
    let (mut counts, mut letters) = (Vec::<i64>::new(), segmentation["counts"].as_str().unwrap().bytes().peekable());
    while letters.peek().is_some() {
        let (mut count, mut shift) = (0_i64, 0);
        loop {
            let bits = i64::from(letters.next().unwrap() - 48);
            count |= (bits & 0x1f) << shift;
            shift += 5;
            if bits & 0x20 == 0 {
                count |= if bits & 0x10 == 0 { 0 } else { -1 << shift };
                break;
            }
        }
        if counts.len() > 2 {
            count += counts[counts.len() - 2];
        }
        counts.push(count);
    }
    let (mut start, mut seen) = (0, Vec::new());
    for (at, count) in counts.into_iter().enumerate() {
        if at % 2 == 1 {
            seen.extend((start..start + count).map(|at| (at / height, at % height)));
        }
        start += count;
    }
    assert_eq!(start, width * height);
    seen
}

#[test]
fn coco_holds_the_visible_pixels_of_every_element() {
    let pack = mini_pack::folder();
    let (_kept, out) = export("coco", &["--pack", pack.to_str().unwrap()]);
    assert_eq!(json(&out.join("export.json"))["masks"], true);
    let coco = json(&out.join("annotations.json"));
    let mut compared = 0;
    for (image, scene) in coco["images"].as_array().unwrap().iter().zip(scenes()) {
        let own = coco["annotations"].as_array().unwrap().iter().filter(|a| a["image_id"] == image["id"]);
        let visible = scene["elements"].as_array().unwrap().iter().filter(|e| !e["visible_bbox"].is_null());
        for (annotation, element) in own.zip(visible) {
            let seen = decoded(&annotation["segmentation"]);
            assert_eq!(seen.len() as u64, element["visible_px"].as_u64().unwrap(), "{element}");
            assert_eq!(annotation["area"], element["visible_px"]);
            let around = [
                seen.iter().map(|p| p.0).min(),
                seen.iter().map(|p| p.1).min(),
                seen.iter().map(|p| p.0 + 1).max(),
                seen.iter().map(|p| p.1 + 1).max(),
            ];
            assert_eq!(serde_json::json!(around), element["visible_bbox"]);
            let target = &scene["targets"][0];
            if target["element"] == element["id"] {
                let mask = &target["visible_mask"];
                let [rows, columns] = [0, 1].map(|at| mask["size"][at].as_i64().unwrap());
                let [left, top] = [0, 1].map(|at| mask["origin"][at].as_i64().unwrap());
                let runs = mask["counts"].as_array().unwrap().iter().enumerate();
                let flags: Vec<bool> =
                    runs.flat_map(|(at, run)| std::iter::repeat_n(at % 2 == 1, run.as_u64().unwrap() as usize)).collect();
                let mut expected: Vec<(i64, i64)> = (0..rows * columns)
                    .filter(|&at| flags[at as usize])
                    .map(|at| (left + at % columns, top + at / columns))
                    .collect();
                expected.sort_unstable();
                assert_eq!(seen, expected);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 6);
    // Without the pack nobody knows which pixels are visible, and it is said.
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("coco");
    let said = succeeds(["export", dataset().to_str().unwrap(), "--to", "coco", "--out", out.to_str().unwrap()]);
    assert!(said.stderr.contains("segmentation left out") && said.stderr.contains("--pack"), "{}", said.stderr);
    assert_eq!(json(&out.join("export.json"))["masks"], false);
}
