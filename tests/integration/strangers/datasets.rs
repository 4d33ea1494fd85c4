//! Finished datasets of strangers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use super::{Drill, InPlace, Place, names_outside, server};
use crate::command::{finish, succeeds, windesk};
use crate::mini_pack;
use crate::quick_runs::LEVEL;

const SIZE: [u32; 2] = [800, 600];

/// A small sound dataset, and its pictures by name.
fn sound() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("strangers-dataset");
        fs::create_dir_all(&place).unwrap();
        let (level, out, pack) = (place.join("quick.toml"), place.join("sound"), mini_pack::folder());
        fs::write(&level, LEVEL).unwrap();
        let [level, text, pack] = [&level, &out, &pack].map(|p| p.to_str().unwrap());
        succeeds(["synth", "--n", "2", "--force", "--level", level, "--out", text, "--pack", pack]);
        out
    })
}

fn given() -> Place {
    let place = Place::new(SIZE);
    mini_pack::copy_folder(sound(), &place.given());
    place
}

fn first_picture(dataset: &Path) -> String {
    let text = fs::read_to_string(dataset.join("scenes/part-00000.jsonl")).unwrap();
    let scene: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    scene["image"].as_str().unwrap().to_owned()
}

/// What people do with a dataset, by name. `PICTURES` look at its pictures, all read its scenes.
const PICTURES: [&str; 12] =
    ["predict", "ocr", "review", "view", "webdataset", "imagefolder", "copy", "hf-parquet", "eval", "merge", "verify", "overlay"];
const SCENES: [&str; 12] =
    ["predict", "random", "review", "view", "webdataset", "coco", "eval", "inspect", "diff", "merge", "verify", "overlay"];
const MANIFESTS: [&str; 11] =
    ["view", "coco", "inspect", "stats", "diff", "merge", "verify", "eval", "random", "overlay", "replay"];

fn command(what: &str, place: &Place) -> Command {
    let (given, out) = (place.given(), place.out());
    let [data, out] = [&given, &out].map(|p| p.to_str().unwrap());
    let pack = mini_pack::folder();
    let pack = pack.to_str().unwrap();
    match what {
        "predict" => {
            let url = server().url.as_str();
            let asked = ["--family", "uground", "--retries", "0", "--backoff", "0.01", "--concurrency", "1", "--out", out];
            windesk(["predict", data, "--endpoint", url, "--model", "m"].into_iter().chain(asked))
        }
        "ocr" | "random" => windesk(["predict", data, "--agent", what, "--out", out]),
        "review" => windesk(["review", data, "--out", out, "--raters", "1"]),
        "view" => windesk(["view", data, "--out", out]),
        "copy" => windesk(["export", data, "--to", "imagefolder", "--images", "copy", "--allow-lossy", "--out", out]),
        "webdataset" | "imagefolder" | "hf-parquet" | "coco" => {
            windesk(["export", data, "--to", what, "--allow-lossy", "--out", out])
        }
        "eval" => {
            let answers = place.folder.path().join("none.jsonl");
            fs::write(&answers, "").unwrap();
            windesk(["eval", data, answers.to_str().unwrap(), "--report", "html", "--resamples", "10", "--out", out])
        }
        "inspect" | "plan" => {
            let id = first_picture(sound());
            let id = Path::new(&id).file_stem().unwrap().to_str().unwrap().to_owned();
            windesk(["inspect", data, &id, if what == "plan" { "--plan" } else { "--json" }])
        }
        "stats" => windesk(["stats", data, "--json"]),
        "diff" => windesk(["diff", sound().to_str().unwrap(), data]),
        "merge" => windesk(["merge", data, "--pack", pack, "--out", out]),
        "overlay" => windesk(["overlay", data, "--pack", pack, "--out", out]),
        "replay" => windesk(["replay", data, "--pack", pack, "--out", out]),
        "verify" => windesk(["verify", data, "--files-only"]),
        other => panic!("{other}"),
    }
}

/// `ocr` where Tesseract is there.
fn available(what: &&&str) -> bool {
    **what != "ocr" || Command::new("tesseract").arg("--version").output().is_ok()
}

/// Every command does what it is for with the sound dataset: a drill of commands that always fail would prove nothing.
#[test]
fn sound_datasets_are_used() {
    let all = PICTURES.iter().chain(&SCENES).chain(&MANIFESTS).filter(available);
    for what in all.chain(&["plan"]) {
        let place = given();
        let done = finish(command(what, &place));
        // Nothing was answered, which is a finding.
        assert_eq!(done.code, Some(i32::from(*what == "eval")), "{what}: {}", done.stderr);
    }
}

#[test]
fn pictures_elsewhere() {
    let mut drill = Drill::default();
    let image = first_picture(sound());
    for what in PICTURES.iter().filter(available) {
        for at in 0..names_outside(&Place::new(SIZE), 0).len() {
            let place = given();
            let name = names_outside(&place, 0).swap_remove(at);
            let scenes = place.given().join("scenes/part-00000.jsonl");
            let text = fs::read_to_string(&scenes).unwrap();
            fs::write(&scenes, text.replacen(&image, &name, 1)).unwrap();
            drill.attempt(&name, &place, command(what, &place));
        }
    }
    drill.done(60);
}

#[test]
fn pictures_that_are_none() {
    let mut drill = Drill::default();
    let image = first_picture(sound());
    for what in PICTURES.iter().filter(available) {
        for kind in InPlace::PICTURES {
            let place = given();
            kind.put(&place, &place.given().join(&image));
            drill.attempt(&format!("{kind:?}"), &place, command(what, &place));
        }
        // The folder above the parts.
        let place = given();
        InPlace::LinkedFolder.put(&place, &place.given().join("images/x"));
        drill.attempt("images is a link", &place, command(what, &place));
    }
    drill.done(90);
}

#[test]
fn texts_that_are_none() {
    let mut drill = Drill::default();
    let scenes = "scenes/part-00000.jsonl";
    for (file, commands) in [(scenes, &SCENES[..]), ("manifest.json", &MANIFESTS)] {
        for what in commands.iter() {
            for kind in InPlace::TEXTS.into_iter().filter(|kind| file == scenes || !matches!(kind, InPlace::LinkedFolder)) {
                let place = given();
                kind.put(&place, &place.given().join(file));
                drill.attempt(&format!("{file} {kind:?}"), &place, command(what, &place));
            }
        }
    }
    for (file, what) in [
        ("stats.json", "stats"),
        ("stats.json", "merge"),
        ("plans/part-00000.jsonl", "plan"),
        ("plans/part-00000.jsonl", "merge"),
        ("plans/part-00000.jsonl", "replay"),
        ("run.json", "merge"),
        ("rejections.jsonl", "merge"),
        ("annotations/part-00000.jsonl", "merge"),
        ("images/00000/SHA256SUMS", "merge"),
        ("README.md", "verify"),
        ("croissant.json", "verify"),
    ] {
        for kind in InPlace::TEXTS.into_iter().filter(|kind| file.contains('/') || !matches!(kind, InPlace::LinkedFolder)) {
            let place = given();
            kind.put(&place, &place.given().join(file));
            drill.attempt(&format!("{file} {kind:?}"), &place, command(what, &place));
        }
    }
    drill.done(140);
}

/// Names in files become names of files that are written.
#[test]
fn names_that_lead_out_of_the_results() {
    let mut drill = Drill::default();
    for name in ["../escaped", "/tmp/escaped-windesk", "a/../../escaped", ".hidden", ""] {
        for what in ["screenspot-pro", "qwen2.5-vl", "llama-factory", "aguvis", "webdataset", "verl", "showui"] {
            let place = given();
            let manifest = place.given().join("manifest.json");
            let mut value: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
            value["dataset"] = name.into();
            fs::write(&manifest, value.to_string()).unwrap();
            let (given, out) = (place.given(), place.out());
            let args = ["export", given.to_str().unwrap(), "--to", what, "--allow-lossy", "--out", out.to_str().unwrap()];
            drill.attempt(name, &place, windesk(args));
            assert_eq!(fs::read_dir(place.folder.path()).unwrap().count(), 3, "{name}: something was written beside the results");
        }
        let place = given();
        let plans = place.given().join("plans/part-00000.jsonl");
        let text = fs::read_to_string(&plans).unwrap();
        fs::write(&plans, text.replace("\"condition\":\"quick\"", &format!("\"condition\":\"{name}\""))).unwrap();
        let (pack, out) = (mini_pack::folder(), place.out());
        let args = ["replay", plans.to_str().unwrap(), "--pack", pack.to_str().unwrap(), "--out", out.to_str().unwrap()];
        drill.attempt(name, &place, windesk(args));
        assert!(!Path::new("/tmp/escaped-windesk-000000.png").exists());
        assert_eq!(fs::read_dir(place.folder.path()).unwrap().count(), 3, "{name}: something was written beside the results");
    }
    drill.done(40);
}
