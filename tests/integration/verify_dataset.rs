//! `windesk verify` finds and names whatever was changed in a dataset.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;
use windesk::engine::pack::{Pack, open_place};
use windesk::engine::render::{Encoder, Encoding, ImageFormat, former_jpeg};
use windesk::{Plan, Renderer};

use crate::command::{Finished, finish, refused, succeeds, windesk};
use crate::mini_pack;

/// A sound dataset with something of everything: overlays, rejected draws, several elements.
fn sound() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify-dataset");
        fs::create_dir_all(&place).unwrap();
        let level = place.join("mini.toml");
        fs::write(&level, mini_pack::LEVEL.replace("[0.5, 0.7]", "[0.3, 0.34]")).unwrap();
        let out = place.join("sound");
        let [level, out_text] = [&level, &out].map(|p| p.to_str().unwrap().to_owned());
        let pack = mini_pack::folder();
        let args = ["synth", "--n", "5", "--seed", "3", "--overlay", "--force", "--level", &level, "--out", &out_text, "--pack"];
        succeeds(args.into_iter().chain([pack.to_str().unwrap()]));
        out
    })
}

/// A copy to spoil.
fn copy() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    mini_pack::copy_folder(sound(), copy.path());
    copy
}

fn verify(dataset: &Path, more: &[&str]) -> Finished {
    let pack = mini_pack::folder();
    let args = ["verify", dataset.to_str().unwrap(), "--pack", pack.to_str().unwrap()];
    finish(windesk(args.into_iter().chain(more.iter().copied())))
}

/// Expects findings that say all of `expected`, each in one line.
fn finds(dataset: &Path, more: &[&str], expected: &[&str]) {
    let said = verify(dataset, more);
    assert_eq!(said.code, Some(1), "expected {expected:?} to be found; {}{}", said.stdout, said.stderr);
    let named = said.stdout.lines().any(|line| expected.iter().all(|part| line.contains(part)));
    assert!(named, "expected a line with all of {expected:?} in:\n{}", said.stdout);
}

/// Every file of the dataset by path inside it; of the pictures, one of each kind.
fn files(folder: &Path) -> Vec<String> {
    let all = crate::command::tree(folder).into_keys().chain(["run.json".to_owned()]);
    all.filter(|name| !name.ends_with(".png") || name.ends_with("000001.png")).collect()
}

#[test]
fn a_sound_dataset_has_no_findings() {
    for more in [&[][..], &["--sample", "2"], &["--files-only"], &["--threads", "1"]] {
        let said = verify(sound(), more);
        assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{more:?}: {}", said.stderr);
    }
    let said = verify(sound(), &["--json"]);
    let report: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((&report["samples"], &report["remade"]), (&5.into(), &5.into()));
    assert!(report["recounted"].as_u64().unwrap() > 100, "{report}");
    assert!(!fs::read(sound().join("rejections.jsonl")).unwrap().is_empty(), "the dataset has no rejected draws to check");
}

/// In whatever file a byte is flipped, `verify` must say so and name the file.
fn a_flipped_byte_is_found(how: &[&str]) {
    for name in files(sound()) {
        let folder = copy();
        let path = folder.path().join(&name);
        let bytes = fs::read(&path).unwrap();
        // Spread over the file; odd steps reach keys, values, spaces and line feeds.
        for step in 0..6 {
            let at = (bytes.len() - 1) * step / 5;
            let mut spoilt = bytes.clone();
            spoilt[at] ^= 1;
            fs::write(&path, &spoilt).unwrap();
            let said = verify(folder.path(), how);
            let named = said.stdout.lines().chain(said.stderr.lines()).any(|line| line.contains(&name));
            assert!(
                matches!(said.code, Some(1 | 2)) && named,
                "{name}: byte {at} of {} flipped, and verify {how:?} said: {:?} {}{}",
                bytes.len(),
                said.code,
                said.stdout,
                said.stderr
            );
        }
    }
}

#[test]
fn a_flipped_byte_is_found_in_any_file() {
    a_flipped_byte_is_found(&[]);
}

/// Without making anything again.
#[test]
fn a_flipped_byte_is_found_by_files_alone() {
    a_flipped_byte_is_found(&["--files-only"]);
}

/// Lines of annotations that agree with their scenes, at other places.
#[test]
fn reordered_annotations_are_found() {
    let folder = copy();
    let path = folder.path().join("annotations/part-00000.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let last = lines.len() - 1;
    lines.swap(0, last);
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    mend(folder.path(), "annotations_sha256", &path);
    finds(folder.path(), &[], &["annotations/part-00000.jsonl:", "out of order"]);
    finds(folder.path(), &["--files-only"], &["annotations/part-00000.jsonl:", "out of order"]);
}

/// A manifest may say anything: no memory is taken for what it says.
#[test]
fn a_range_without_end_is_a_finding() {
    let folder = copy();
    let path = folder.path().join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    manifest["count"] = u64::MAX.into();
    manifest["range"][1] = u64::MAX.into();
    fs::write(&path, manifest.to_string()).unwrap();
    finds(folder.path(), &["--files-only"], &["manifest.json: identity"]);
    finds(folder.path(), &["--files-only"], &["shards: found 1, expected"]);
}

#[test]
fn a_missing_file_is_found() {
    for name in files(sound()).into_iter().filter(|name| name != "manifest.json") {
        let folder = copy();
        fs::remove_file(folder.path().join(&name)).unwrap();
        finds(folder.path(), &[], &[&format!("{name}: missing")]);
        finds(folder.path(), &["--files-only"], &[&format!("{name}: missing")]);
    }
}

#[test]
fn an_extra_file_is_found() {
    for name in ["notes.txt", "images/00000/mini-s3.mini-000009.png", "scenes/part-00001.jsonl", "annotations/deep/down.jsonl"] {
        let folder = copy();
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "x").unwrap();
        finds(folder.path(), &[], &[name, "not a file of this dataset"]);
    }
    #[cfg(unix)]
    {
        let folder = copy();
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join("images/00000/link.png")).unwrap();
        finds(folder.path(), &[], &["images/00000/link.png", "neither a file nor a folder"]);
    }
}

/// Changes one line of a JSONL file and mends every digest that covers it, as a careful forger would.
fn forge(folder: &Path, kind: &str, line: usize, change: impl Fn(&mut Value)) {
    let path = folder.join(format!("{kind}/part-00000.jsonl"));
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut value: Value = serde_json::from_str(&lines[line]).unwrap();
    change(&mut value);
    lines[line] = value.to_string();
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let key = if kind == "scenes" { "sha256".to_owned() } else { format!("{kind}_sha256") };
    mend(folder, &key, &path);
}

/// Writes a file's digest into the manifest.
fn mend(folder: &Path, key: &str, path: &Path) {
    let manifest_path = folder.join("manifest.json");
    let digest = windesk::model::digest::hex_digest(&fs::read(path).unwrap());
    let manifest = fs::read_to_string(&manifest_path).unwrap();
    let at = manifest.find(&format!("\"{key}\": \"")).unwrap() + key.len() + 5;
    fs::write(&manifest_path, format!("{}{digest}{}", &manifest[..at], &manifest[at + 64..])).unwrap();
}

#[test]
fn edited_records_are_found_even_with_mended_digests() {
    let edited = |kind: &str, change: &dyn Fn(&mut Value), expected: &[&str]| {
        let folder = copy();
        forge(folder.path(), kind, 2, change);
        finds(folder.path(), &[], expected);
    };
    let first_target = |scene: &mut Value, field: &str, value: Value| scene["targets"][0][field] = value;
    edited("scenes", &|s| s["elements"][3]["bbox"][0] = 7.into(), &["scenes/part-00000.jsonl:3", "elements[3].bbox[0]: found 7"]);
    edited("scenes", &|s| s["elements"][3]["bbox"][0] = 7.into(), &["scenes/part-00000.jsonl:3", "bbox", "counted"]);
    edited("scenes", &|s| first_target(s, "visible_px", 9.into()), &["visible_px: found 9, counted"]);
    edited("scenes", &|s| s["targets"][0]["visible_mask"]["counts"][0] = 1.into(), &["visible_mask.counts"]);
    edited("scenes", &|s| first_target(s, "click_point", [0, 0].into()), &["click_point"]);
    edited("scenes", &|s| first_target(s, "instruction", "Close it".into()), &["targets[0].instruction", "Close it"]);
    edited("scenes", &|s| s["windows"][0]["total_px"] = 5.into(), &["windows[0]", "total_px: found 5"]);
    edited("scenes", &|s| s["note"] = "hello".into(), &["not a record of schema_version 1", "note: unexpected"]);
    edited("scenes", &|s| s["image"] = "../../etc/passwd".into(), &["image: found", "../../etc/passwd"]);
    edited("scenes", &|s| s["id"] = "other".into(), &["scenes/part-00000.jsonl:3", "of no sample of this part: other"]);
    edited("scenes", &|s| drop(s["elements"].as_array_mut().unwrap().pop()), &["elements", "entries, expected"]);
    edited(
        "plans",
        &|p| p["placements"][0]["origin"][0] = 1.into(),
        &["plans/part-00000.jsonl:3", "placements[0].origin[0]: found 1"],
    );
    edited("plans", &|p| p["key"]["draw"] = 60.into(), &["plans/part-00000.jsonl:3", "key.draw: found 60"]);
    edited("annotations", &|a| a["bbox"][2] = 1.into(), &["annotations/part-00000.jsonl:3", "bbox[2]: found 1"]);
}

#[test]
fn edited_pictures_are_found_even_with_mended_digests() {
    let folder = copy();
    let name = "images/00000/mini-s3.mini-000001.png";
    let path = folder.path().join(name);
    let before = windesk::model::digest::hex_digest(&fs::read(&path).unwrap());
    let mut picture = image::open(&path).unwrap().into_rgb8();
    picture.get_pixel_mut(30, 40).0[1] ^= 1;
    picture.save(&path).unwrap();
    let after = windesk::model::digest::hex_digest(&fs::read(&path).unwrap());
    let sums = folder.path().join("images/00000/SHA256SUMS");
    fs::write(&sums, fs::read_to_string(&sums).unwrap().replace(&before, &after)).unwrap();
    mend(folder.path(), "images_sha256", &sums);
    finds(folder.path(), &[], &[name, "1 pixels differ", "[30, 40, 31, 41]"]);
}

/// A scene's JPEG file is sound as this build writes it and as earlier builds did, and in no other way.
#[test]
fn files_of_an_earlier_jpeg_encoder_are_sound() {
    let place = tempfile::tempdir().unwrap();
    let (level, out) = (place.path().join("mini.toml"), place.path().join("jpeg"));
    fs::write(&level, mini_pack::LEVEL).unwrap();
    let [level, out_text, pack] = [&level, &out, &mini_pack::folder()].map(|path| path.to_str().unwrap().to_owned());
    let form = ["--format", "jpeg", "--quality", "70"];
    let args = ["synth", "--n", "2", "--level", &level, "--out", &out_text, "--pack", &pack];
    succeeds(args.into_iter().chain(form));
    let pack = open_place(&mini_pack::folder()).and_then(Pack::open).unwrap();
    let renderer = Renderer::new(&pack).unwrap();
    let plan: Plan =
        serde_json::from_str(fs::read_to_string(out.join("plans/part-00000.jsonl")).unwrap().lines().next().unwrap()).unwrap();
    let frame = renderer.render(&plan).unwrap();
    let folder = out.join("images/00000");
    let path =
        fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "jpg")).min();
    let (path, sums) = (path.unwrap(), folder.join("SHA256SUMS"));
    assert_eq!(fs::read(&path).unwrap(), Encoding { format: ImageFormat::Jpeg, quality: Some(70) }.encode(&frame));
    for (quality, is_found) in [(70, false), (69, true)] {
        let written = former_jpeg(&frame, Some(quality));
        let [before, after] = [&fs::read(&path).unwrap(), &written].map(|bytes| windesk::model::digest::hex_digest(bytes));
        fs::write(&path, &written).unwrap();
        fs::write(&sums, fs::read_to_string(&sums).unwrap().replace(&before, &after)).unwrap();
        mend(&out, "images_sha256", &sums);
        let said = verify(&out, &[]).stdout;
        // `run.json` knows the digest of the manifest that was mended.
        assert!(said.lines().all(|line| line.contains(".jpg") || line.starts_with("manifest.json: SHA-256")), "{said}");
        assert_eq!(said.lines().any(|line| line.contains(".jpg") && line.contains("pixels differ")), is_found, "{said}");
    }
}

#[test]
fn other_edits_are_found() {
    let edited = |name: &str, from: &str, to: &str, expected: &[&str]| {
        let folder = copy();
        let path = folder.path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{name} has no {from}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        finds(folder.path(), &[], expected);
    };
    edited("manifest.json", "\"seed\": 3", "\"seed\": 4", &["manifest.json: identity"]);
    edited("manifest.json", "\"share_alike\": false", "\"share_alike\": true", &["manifest.json", "share_alike: found true"]);
    edited("manifest.json", "\"samples\": 5", "\"samples\": 4", &["manifest.json", "samples: found 4, expected 5"]);
    edited(
        "manifest.json",
        "\"holes\": []",
        "\"holes\": [2]",
        &["manifest.json", "holes: index 2 is listed, and gives a sample"],
    );
    edited("manifest.json", "\"licences\": {", "\"licences\": {\"X\": 1,", &["manifest.json", "pack.licences.X: unexpected"]);
    edited("stats.json", "\"scenes\": 5", "\"scenes\": 6", &["stats.json", "scenes: found 6, expected 5"]);
    edited("README.md", "license: other", "license: mit", &["README.md:"]);
    edited("rejections.jsonl", "\"draw\":0", "\"draw\":1", &["rejections.jsonl", "rejected draws"]);
}

#[test]
fn lines_out_of_place_are_found() {
    let shuffled = |change: &dyn Fn(&mut Vec<&str>), expected: &[&str]| {
        let folder = copy();
        let path = folder.path().join("scenes/part-00000.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        change(&mut lines);
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        mend(folder.path(), "sha256", &path);
        finds(folder.path(), &[], expected);
    };
    shuffled(&|lines| lines.swap(1, 2), &["scenes/part-00000.jsonl:3", "out of order"]);
    shuffled(&|lines| lines.push(lines[1]), &["scenes/part-00000.jsonl:6", "a second line of"]);
    shuffled(
        &|lines| lines.retain(|l| !l.contains("mini-000001\"")),
        &["scenes/part-00000.jsonl: no line of mini-s3.mini-000001"],
    );
}

/// A sweep of which one scene was planned for itself is found even where it is not made again.
#[test]
fn scenes_that_are_no_pair_are_found() {
    let place = tempfile::tempdir().unwrap();
    let sweep = place.path().join("bands.toml");
    let text = "name = \"bands\"\n[base]\nwindows = [4, 4]\ncanvas = [1600, 900]\n[[conditions]]\nname = \"more\"\nvisible_ratio = [0.7, 0.9]\n\
                [[conditions]]\nname = \"less\"\nvisible_ratio = [0.4, 0.6]\n";
    fs::write(&sweep, text).unwrap();
    let out = place.path().join("out");
    let pack = mini_pack::folder();
    let [sweep, out_text, pack] = [&sweep, &out, &pack].map(|p| p.to_str().unwrap());
    succeeds(["sweep", sweep, "--n", "8", "--out", out_text, "--pack", pack]);
    assert_eq!(verify(&out, &["--sample", "1"]).stdout, "");
    // Lines 1, 3, 5, .. are the scenes of `less`.
    let background = |plan: &Value| plan["placements"].as_array().unwrap().iter().position(|p| p["role"] == "background");
    let text = fs::read_to_string(out.join("plans/part-00000.jsonl")).unwrap();
    let plans: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let line = (1..plans.len()).step_by(2).find(|&line| background(&plans[line]).is_some()).expect("a window in the background");
    forge(&out, "plans", line, |plan| {
        let at = background(plan).unwrap();
        plan["placements"][at]["origin"][0] = 40.into();
    });
    let wanted = format!("index {}: more and less: windows are at other positions", line / 2);
    finds(&out, &["--sample", "1"], &["plans/part-00000.jsonl", &wanted]);
}

#[test]
fn what_is_no_finished_dataset_is_refused() {
    let folder = copy();
    let text = folder.path().to_str().unwrap();
    fs::remove_file(folder.path().join("manifest.json")).unwrap();
    refused(windesk(["verify", text]), &["manifest.json", "not found, expected the manifest of a finished dataset"]);
    fs::write(folder.path().join("manifest.json"), "{").unwrap();
    refused(windesk(["verify", text]), &["manifest.json", "expected the manifest of a dataset"]);
}
