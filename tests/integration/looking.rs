//! Looking at scenes: replayed and overlaid pictures, the gallery, and what is told of one scene.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use image::RgbImage;
use serde_json::Value;

use crate::command::{refused, succeeds, tree, windesk};
use crate::mini_pack;

/// A dataset with several targets per scene, made once.
fn dataset() -> &'static str {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("looking-dataset");
        fs::create_dir_all(&place).unwrap();
        let (level, out) = (place.join("mini.toml"), place.join("dataset"));
        fs::write(&level, mini_pack::LEVEL).unwrap();
        let [level, out_text, pack] = [&level, &out, &mini_pack::folder()].map(|p| p.to_str().unwrap().to_owned());
        let args = ["synth", "--n", "3", "--force", "--level", &level, "--out", &out_text, "--pack", &pack];
        succeeds(args.into_iter().chain(["--targets-per-scene", "3"]));
        out
    });
    folder.to_str().unwrap()
}

fn scenes() -> Vec<Value> {
    let text = fs::read_to_string(Path::new(dataset()).join("scenes/part-00000.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn picture(path: &Path) -> RgbImage {
    image::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).into_rgb8()
}

fn of_dataset(scene: &Value) -> RgbImage {
    picture(&Path::new(dataset()).join(scene["image"].as_str().unwrap()))
}

/// A command on the dataset with the mini pack; the picture goes to `out`.
fn with_pack<'a>(command: &'a str, out: &'a Path, more: &[&'a str]) -> Vec<String> {
    let pack = mini_pack::folder();
    let args = [command, dataset(), "--pack", pack.to_str().unwrap(), "--out", out.to_str().unwrap()];
    args.iter().chain(more).map(|arg| (*arg).to_owned()).collect()
}

#[test]
fn a_scene_is_replayed_by_its_id_into_the_file_that_was_asked_for() {
    let place = tempfile::tempdir().unwrap();
    for scene in scenes() {
        let (id, target) = (scene["id"].as_str().unwrap(), scene["targets"][1]["id"].as_str().unwrap());
        for (name, id) in [("scene.png", id), ("target.png", target), ("short.png", id.rsplit_once('.').unwrap().1)] {
            let out = place.path().join(name);
            assert_eq!(succeeds(with_pack("replay", &out, &["--id", id])).stdout, format!("{}\n", out.display()));
            assert_eq!(picture(&out), of_dataset(&scene), "{id}");
        }
    }
    let jpeg = place.path().join("scene.jpg");
    succeeds(with_pack("replay", &jpeg, &["--index", "2"]));
    assert_eq!(fs::read(&jpeg).unwrap()[..3], [0xff, 0xd8, 0xff]);
    // All plans are no file, and one plan may well have a folder.
    let one = place.path().join("all.png");
    refused(
        windesk(with_pack("replay", &one, &[])),
        &["one file for 3 plans, expected one plan", "hint: give a folder, or choose"],
    );
    assert!(!one.exists());
    let folder = place.path().join("folder");
    succeeds(with_pack("replay", &folder, &["--index", "1"]));
    let condition = scenes()[1]["condition"].as_str().unwrap().to_owned();
    assert_eq!(tree(&folder).into_keys().collect::<Vec<_>>(), [format!("{condition}-000001.png")]);
    refused(windesk(with_pack("replay", &one, &["--id", "other-s0.mini-000001"])), &["found no plan of `other-s0.mini-000001`"]);
    refused(windesk(with_pack("replay", &one, &["--id", "i-000001"])), &["found no plan of `i-000001`"]);
}

/// Who names a picture does not want a folder of that name.
#[test]
fn endings_of_other_pictures_are_refused() {
    let place = tempfile::tempdir().unwrap();
    for (command, name) in [("replay", "scene.bmp"), ("overlay", "scene.GIF"), ("overlay", "scene.tiff")] {
        let out = place.path().join(name);
        refused(windesk(with_pack(command, &out, &[])), &["--out ", name, "expected .png, .jpg or .webp"]);
        assert!(!out.exists());
    }
    // A folder may be called anything.
    let folder = place.path().join("v1.5");
    succeeds(with_pack("overlay", &folder, &[]));
    assert!(folder.is_dir());
}

#[test]
fn overlays_are_drawn_afterwards_with_the_instructions() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("overlays");
    for _ in 0..2 {
        // The second time replaces the first.
        succeeds(with_pack("overlay", &folder, &[]));
    }
    let list = fs::read_to_string(folder.join("overlays.jsonl")).unwrap();
    assert_eq!(list.lines().count(), 3);
    for (scene, line) in scenes().iter().zip(list.lines()) {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&line["id"], &line["instructions"][2]), (&scene["id"], &scene["targets"][2]["instruction"]));
        let id = scene["id"].as_str().unwrap();
        let (plain, drawn) = (of_dataset(scene), picture(&folder.join(format!("{id}.png"))));
        let rows = |y: u32| plain.rows().nth(y as usize).unwrap().ne(drawn.rows().nth(y as usize).unwrap());
        assert!(rows(2) || rows(plain.height() - 3), "{id}: a strip with the words at one end of the screen");
        let white = drawn.pixels().filter(|p| p.0 == [255; 3]).count() > plain.pixels().filter(|p| p.0 == [255; 3]).count() / 2;
        assert!(white, "{id}: words");
        // One file for one scene; a scene that is replayed gets the same.
        let [one, again] = ["one.png", "again.png"].map(|name| place.path().join(name));
        succeeds(with_pack("overlay", &one, &["--id", scene["targets"][2]["id"].as_str().unwrap()]));
        succeeds(with_pack("replay", &again, &["--overlay", "--id", id]));
        assert!(picture(&one) == drawn && picture(&again) == drawn, "{id}");
    }
    let file = place.path().join("several.png");
    refused(windesk(with_pack("overlay", &file, &[])), &["one file for several scenes, expected one scene", "--id"]);
    refused(windesk(with_pack("overlay", &file, &["--id", "nobody"])), &["found no scene or target `nobody`"]);
    refused(windesk(with_pack("overlay", Path::new("-"), &[])), &["--out", "expected the name of a folder"]);
}

#[test]
fn the_gallery_shows_every_target() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("gallery");
    succeeds(["view", dataset(), "--out", out.to_str().unwrap()]);
    let script = fs::read_to_string(out.join("data.js")).unwrap();
    let gallery: Value =
        serde_json::from_str(script.strip_prefix("window.GALLERY = ").unwrap().trim_end().strip_suffix(';').unwrap()).unwrap();
    for (shown, scene) in gallery["scenes"].as_array().unwrap().iter().zip(scenes()) {
        let of =
            |value: &Value, key: &str| value["targets"].as_array().unwrap().iter().map(|t| t[key].clone()).collect::<Vec<_>>();
        for key in ["id", "instruction", "bbox", "click_point"] {
            assert_eq!(of(shown, key), of(&scene, key));
        }
        assert!(shown["targets"].as_array().unwrap().len() > 1);
        // The commands that it names do what they say.
        let replay = shown["commands"][2].as_str().unwrap();
        assert!(replay.starts_with(&format!("windesk replay {} --id ", dataset())), "{replay}");
    }
}

#[test]
fn one_scene_is_told_with_its_targets_first() {
    let scene = &scenes()[1];
    let id = scene["id"].as_str().unwrap();
    let said = succeeds(["inspect", dataset(), id]).stdout;
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with(&format!("{id}: condition {}, index 1", scene["condition"].as_str().unwrap())), "{said}");
    let target = &scene["targets"][0];
    assert_eq!(lines[2], format!("target {}: {}", target["id"].as_str().unwrap(), target["instruction"].as_str().unwrap()));
    assert!(lines.len() < 60, "{said}");
    let elements = scene["elements"].as_array().unwrap();
    assert!(said.contains(&format!("{} elements (--elements lists them", elements.len())), "{said}");
    let all = succeeds(["inspect", dataset(), id, "--elements"]).stdout;
    assert!(all.starts_with(&said));
    assert_eq!(all.lines().count(), lines.len() + 1 + elements.len());
    let json = succeeds(["inspect", dataset(), id, "--json"]).stdout;
    assert_eq!(&serde_json::from_str::<Value>(&json).unwrap(), scene);
}
