//! Benchmarks by name: made exactly as frozen or not at all, named where they are what they say, and never pooled.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Value, json};
use windesk::dataset::{differences, open_manifest};
use windesk::model::benchmark::Frozen;
use windesk::model::digest::hex_digest;
use windesk::model::plan::ENGINE_VERSION;
use windesk::shipped;

use crate::command::{Finished, finish, refused, succeeds, tree, windesk};
use crate::mini_pack;

/// Small, with a part of each kind.
const DRAFT: &str = "# Why it is there.
name = \"mini-1\"
description = \"For tests.\"

[[part]]
name = \"level\"
level = \"L1\"
set = [\"canvas=[1600, 900]\", \"chrome=none\"]
seed = 3
n = 4

[[part]]
name = \"alone\"
sweep = \"baseline\"
set = [\"canvas=[1600, 900]\", \"chrome=none\"]
seed = 4
n = 3

[[part]]
name = \"occlusion\"
sweep = \"occlusion\"
set = [\"canvas=[1600, 900]\", \"chrome=none\"]
seed = 5
n = 2
";

const PARTS: [(&str, usize); 3] = [("level", 4), ("alone", 3), ("occlusion", 10)];

/// The frozen file with the datasets of the draft, which do not name it yet.
struct Made {
    file: PathBuf,
    out: PathBuf,
}

fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("benchmarks");
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(&place).unwrap();
        let made = Made { file: place.join("mini-1.toml"), out: place.join("made") };
        let draft = place.join("draft.toml");
        fs::write(&draft, DRAFT).unwrap();
        let said = bench(&draft, &made.out, &["--freeze", made.file.to_str().unwrap()]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        made
    })
}

/// The same, named.
fn named() -> &'static Path {
    static NAMED: OnceLock<()> = OnceLock::new();
    let Made { file, out } = made();
    NAMED.get_or_init(|| {
        let said = bench(file, out, &[]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        assert!(said.stderr.contains("0 made in this run"), "made again: {}", said.stderr);
        assert!(said.stderr.contains("mini-1: 17 samples in 3 datasets"), "{}", said.stderr);
    });
    out
}

fn bench(file: &Path, out: &Path, more: &[&str]) -> Finished {
    let pack = mini_pack::folder();
    let args = ["bench", file.to_str().unwrap(), "--out", out.to_str().unwrap(), "--pack", pack.to_str().unwrap()];
    finish(windesk(args.into_iter().chain(more.iter().copied())))
}

fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn manifest(dataset: &Path) -> Value {
    json_of(&dataset.join("manifest.json"))
}

/// A copy of a named part, to spoil.
fn copy(part: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    mini_pack::copy_folder(&named().join(part), copy.path());
    copy
}

fn change(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value = json_of(path);
    change(&mut value);
    fs::write(path, serde_json::to_string_pretty(&value).unwrap() + "\n").unwrap();
}

fn verify(dataset: &Path, pack: &Path) -> Finished {
    finish(windesk(["verify", dataset.to_str().unwrap(), "--pack", pack.to_str().unwrap()]))
}

#[test]
fn a_frozen_benchmark_is_made_again_and_named() {
    let Made { file, .. } = made();
    let frozen = fs::read_to_string(file).unwrap();
    assert!(frozen.starts_with("# Why it is there.\n"), "{frozen}");
    let again = tempfile::tempdir().unwrap();
    let out = again.path().join("again");
    let said = bench(file, &out, &["--threads", "1", "--json"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let report: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((&report["benchmark"], &report["digest"]), (&json!("mini-1"), &json!(hex_digest(frozen.as_bytes()))));
    assert_eq!(tree(&out.join("level")), tree(&named().join("level")), "not the same datasets");
    assert_eq!(tree(&out.join("alone")), tree(&named().join("alone")));
    for (part, samples) in PARTS {
        let manifest = manifest(&out.join(part));
        assert_eq!(manifest["dataset"], format!("mini-1-{part}"));
        let claim = &manifest["benchmark"];
        assert_eq!((&claim["name"], &claim["part"], &claim["samples"]), (&json!("mini-1"), &json!(part), &json!(samples)));
        let said = verify(&out.join(part), &mini_pack::folder());
        assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{}", said.stderr);
        assert!(said.stderr.contains(&format!("benchmark: mini-1, part {part}")), "{}", said.stderr);
    }
    // What people can work out by themselves.
    let scenes = fs::read(out.join("level/scenes/part-00000.jsonl")).unwrap();
    assert_eq!(manifest(&out.join("level"))["benchmark"]["scenes_sha256"], hex_digest(&scenes));
    let sums = fs::read(out.join("alone/images/00000/SHA256SUMS")).unwrap();
    assert_eq!(manifest(&out.join("alone"))["benchmark"]["images_sha256"], hex_digest(&sums));
}

#[test]
fn nothing_may_change_a_benchmark() {
    let Made { file, .. } = made();
    let file = file.to_str().unwrap();
    for flag in [
        &["--seed", "0"][..],
        &["--n", "4"],
        &["--set", "windows=3"],
        &["--split", "test"],
        &["--chrome", "none"],
        &["--canvas", "1600x900"],
        &["--format", "png"],
        &["--records", "targets"],
        &["--compress-records"],
        &["--overlay"],
        &["--range", "0..1"],
        &["--sweeps", "all"],
        &["--traverse"],
        &["--dry-run"],
        &["--protocol", "windeskground"],
    ] {
        refused(windesk(["bench", file].iter().chain(flag)), &[flag[0], "would change benchmark mini-1"]);
    }
}

#[test]
fn another_pack_engine_or_name_is_refused() {
    let Made { file, out } = made();
    let pack = mini_pack::copy();
    change(&pack.path().join("wallpapers/wallpapers.json"), |list| list[0]["title"] = json!("Another slope"));
    let mut command = windesk(["bench", file.to_str().unwrap(), "--pack", pack.path().to_str().unwrap(), "--out"]);
    command.arg(out);
    refused(command, &["benchmark mini-1", "tagged `mini-1`", "--pack"]);
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let frozen = fs::read_to_string(file).unwrap();
    let other = write("engine.toml", &frozen.replace("engine_version = ", "engine_version = 9"));
    refused(windesk(["bench", &other]), &["engine_version 9", "tagged `mini-1`", "windesk verify"]);
    refused(
        windesk(["bench", "windesk-9"]),
        &["windesk-9", "windesk-1", "windesk-2", "windeskground", "did you mean windesk-1?"],
    );
    refused(windesk(["bench", &write("draft.toml", DRAFT)]), &["a draft", "--freeze"]);
    refused(windesk(["bench", file.to_str().unwrap(), "--freeze", "a.toml"]), &["mini-1 is frozen"]);
    refused(windesk(["bench", &write("taken.toml", &DRAFT.replace("mini-1", "windesk-1"))]), &["windesk-1", "a new name"]);
    refused(windesk(["bench", &write("rules.toml", &DRAFT.replace("mini-1", "windesk"))]), &["a protocol"]);
    refused(windesk(["bench", "windesk", "--n", "1", "--freeze", "a.toml"]), &["--freeze", "protocol"]);
    for (before, after, expected) in [
        ("n = 4", "n = 0", "n is 0"),
        ("level = \"L1\"", "level = \"L1\"\nsweep = \"clutter\"", "one of them"),
        ("level = \"L1\"\n", "", "one of them"),
        ("name = \"alone\"", "name = \"level\"", "found twice"),
        ("name = \"alone\"", "name = \"../icons\"", "lower-case"),
        ("seed = 3", "sede = 3", "sede"),
        ("seed = 3", "seed = 3\n[part.frozen]\nsamples = 1", "missing field"),
        ("description", "engine_version = 1\ndescription", "or none in a draft"),
    ] {
        assert!(DRAFT.contains(before), "{before}");
        refused(windesk(["bench", &write("bad.toml", &DRAFT.replacen(before, after, 1))]), &["bad.toml", expected]);
    }
}

/// A benchmark's file stays what it is: neither a frozen one nor the draft itself is written over.
#[test]
fn a_file_that_is_there_is_not_frozen_over() {
    let folder = tempfile::tempdir().unwrap();
    let draft = folder.path().join("draft.toml");
    fs::write(&draft, DRAFT).unwrap();
    for file in [&draft, &made().file] {
        let before = fs::read(file).unwrap();
        let out = folder.path().join("out");
        let args = [OsStr::new("bench"), draft.as_os_str(), OsStr::new("--freeze"), file.as_os_str(), OsStr::new("--out")];
        refused(windesk(args.into_iter().chain([out.as_os_str()])), &["--freeze ", "found a file", "gets a new name"]);
        assert_eq!(fs::read(file).unwrap(), before);
        assert!(!out.exists());
    }
}

/// A folder holds parts of one benchmark alone.
#[test]
fn a_folder_with_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("thesis")).unwrap();
    let said = bench(&made().file, folder.path(), &[]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("found `thesis`"), "{}", said.stderr);
}

#[test]
fn what_differs_is_not_named() {
    let folder = tempfile::tempdir().unwrap();
    let (out, file) = (folder.path().join("out"), folder.path().join("mini-1.toml"));
    mini_pack::copy_folder(named(), &out);
    assert!(manifest(&out.join("level"))["benchmark"].is_object());
    let claim = &manifest(&out.join("level"))["benchmark"];
    let scenes = claim["scenes_sha256"].as_str().unwrap();
    let wrong = "0".repeat(64);
    fs::write(&file, fs::read_to_string(&made().file).unwrap().replace(scenes, &wrong)).unwrap();
    let said = bench(&file, &out, &[]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stderr.contains(&format!("SHA-256 is {scenes}, expected {wrong}")), "{}", said.stderr);
    assert!(said.stderr.contains("this is not mini-1"), "{}", said.stderr);
    assert!(manifest(&out.join("level"))["benchmark"].is_null(), "still named");
    let said = verify(&out.join("level"), &mini_pack::folder());
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    // The right file names it again.
    assert_eq!(bench(&made().file, &out, &[]).code, Some(0));
    assert_eq!(tree(&out.join("level")), tree(&named().join("level")));
}

/// Interrupted between two parts, and in one.
#[test]
fn an_interrupted_benchmark_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    mini_pack::copy_folder(named(), folder.path());
    fs::remove_dir_all(folder.path().join("alone")).unwrap();
    // Killed between the two files that name a dataset.
    fs::copy(made_manifest().path(), folder.path().join("level/manifest.json")).unwrap();
    let said = bench(&made().file, folder.path(), &["--no-sync"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stderr.contains("3 made in this run") && said.stderr.contains("0 made in this run"), "{}", said.stderr);
    for (part, _) in PARTS {
        assert_eq!(tree(&folder.path().join(part)), tree(&named().join(part)), "{part}");
        assert_eq!(verify(&folder.path().join(part), &mini_pack::folder()).code, Some(0), "{part}");
    }
}

/// The level's manifest before it was named.
fn made_manifest() -> tempfile::NamedTempFile {
    let manifest = fs::read_to_string(named().join("level/manifest.json")).unwrap();
    let (before, _) = manifest.split_once(",\n  \"benchmark\": {").expect("the last key");
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), format!("{before}\n}}\n")).unwrap();
    file
}

#[test]
fn merged_shards_are_the_benchmark() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    for (shard, out) in [("0/2", "s0"), ("1/2", "s1")] {
        let said = bench(&made().file, &place(out), &["--shard", shard]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        assert!(said.stderr.contains("merge the shards"), "{}", said.stderr);
        assert!(manifest(&place(out).join("level"))["benchmark"].is_null());
    }
    let pack = mini_pack::folder();
    for (part, _) in PARTS {
        let [whole, first, second] = ["whole", "s0", "s1"].map(|name| place(name).join(part));
        let args = [OsStr::new("merge"), OsStr::new("--out"), whole.as_os_str(), first.as_os_str(), second.as_os_str()];
        succeeds(args.into_iter().chain([OsStr::new("--pack"), pack.as_os_str()]));
    }
    let said = bench(&made().file, &place("whole"), &[]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stderr.contains("0 made in this run"), "{}", said.stderr);
    for (part, _) in PARTS {
        assert_eq!(tree(&place("whole").join(part)), tree(&named().join(part)), "{part}");
    }
    // A shard of another name is of another run.
    let other = place("other.toml");
    fs::write(&other, fs::read_to_string(&made().file).unwrap().replace("mini-1", "mini-2")).unwrap();
    bench(&other, &place("o1"), &["--shard", "1/2"]);
    let [first, second] = ["s0", "o1"].map(|name| place(name).join("alone"));
    let mut command = windesk(["merge", "--out"]);
    command.arg(place("mixed")).arg(first).arg(second).arg("--pack").arg(&pack);
    refused(command, &["of another run", "study differs"]);
}

/// The same pixels in other bytes are the same pictures.
#[test]
fn pixels_decide_where_bytes_differ() {
    let copy = copy("alone");
    let claim = &manifest(copy.path())["benchmark"];
    let frozen: Frozen = serde_json::from_value(claim.clone()).unwrap();
    let differ = || differences(copy.path(), &open_manifest(copy.path()).unwrap(), &frozen, 1).unwrap();
    assert_eq!(differ(), Vec::<String>::new());
    let images = copy.path().join("images/00000");
    let sums = fs::read_to_string(images.join("SHA256SUMS")).unwrap();
    let (digest, name) = sums.lines().next().unwrap().split_once("  ").unwrap();
    let mut picture = image::open(images.join(name)).unwrap().into_rgb8();
    let write = |picture: &image::RgbImage| {
        picture.save(images.join(name)).unwrap();
        let now = hex_digest(&fs::read(images.join(name)).unwrap());
        assert_ne!(now, digest, "written by the same encoder");
        fs::write(images.join("SHA256SUMS"), sums.replace(digest, &now)).unwrap();
    };
    write(&picture);
    assert_eq!(differ(), Vec::<String>::new(), "other bytes, the same pixels");
    picture.get_pixel_mut(3, 2).0[1] ^= 1;
    write(&picture);
    let said = differ();
    assert!(said.len() == 1 && said[0].starts_with("pixels of images/*"), "{said:?}");
}

/// Predictions of a baseline, in a file.
fn predictions(dataset: &Path) -> tempfile::NamedTempFile {
    let file = tempfile::Builder::new().suffix(".jsonl").tempfile().unwrap();
    fs::remove_file(file.path()).unwrap();
    let (dataset, out) = (dataset.to_str().unwrap(), file.path().to_str().unwrap());
    succeeds(["predict", dataset, "--agent", "oracle", "--out", out]);
    file
}

fn eval(dataset: &Path, predictions: &Path, more: &[&str]) -> Finished {
    let args = ["eval", dataset.to_str().unwrap(), predictions.to_str().unwrap()];
    finish(windesk(args.into_iter().chain(more.iter().copied())))
}

#[test]
fn reports_name_the_benchmark() {
    let dataset = named().join("level");
    let answers = predictions(&dataset);
    let report = eval(&dataset, answers.path(), &["--report", "json"]);
    assert_eq!(report.code, Some(0), "{}", report.stderr);
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    let digest = hex_digest(&fs::read(&made().file).unwrap());
    let expected = json!({"name": "mini-1", "part": "level", "digest": digest, "shipped": false});
    assert_eq!(report["dataset"]["benchmark"], expected);
    assert_eq!(report["models"][0]["predictions"]["header"]["benchmark"], "mini-1/level");
    for form in ["md", "html"] {
        let report = eval(&dataset, answers.path(), &["--report", form]);
        assert!(report.stdout.contains("mini-1, part level"), "{form}: {}", report.stdout);
    }
    let alone = named().join("alone");
    let answers = predictions(&alone);
    for protocol in ["icons", "click"] {
        let report = eval(&alone, answers.path(), &["--protocol", protocol]);
        assert!(report.stdout.contains("mini-1, part alone"), "{protocol}: {}", report.stdout);
    }
    // No claim, no name.
    let plain = copy("level");
    fs::copy(made_manifest().path(), plain.path().join("manifest.json")).unwrap();
    let report = eval(plain.path(), predictions(plain.path()).path(), &[]);
    assert!(report.code == Some(0) && !report.stdout.contains("benchmark"), "{}", report.stdout);
}

#[test]
fn predictions_for_another_benchmark_are_refused() {
    let dataset = named().join("level");
    let answers = predictions(&dataset);
    let text = fs::read_to_string(answers.path()).unwrap();
    for other in ["mini-2/level", "mini-1/alone"] {
        fs::write(answers.path(), text.replace("mini-1/level", other)).unwrap();
        let said = eval(&dataset, answers.path(), &[]);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{}", said.stderr);
        for part in [&format!("for benchmark {other}, expected mini-1/level"), "never pooled"] {
            assert!(said.stderr.contains(part), "{part}: {}", said.stderr);
        }
    }
}

#[test]
fn a_false_claim_is_refused() {
    let answers = predictions(&named().join("level"));
    let spoilt = |change_manifest: &dyn Fn(&mut Value), expected: &[&str]| {
        let copy = copy("level");
        change(&copy.path().join("manifest.json"), |manifest| change_manifest(manifest));
        let said = eval(copy.path(), answers.path(), &[]);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{}", said.stderr);
        expected.iter().for_each(|part| assert!(said.stderr.contains(part), "{part}: {}", said.stderr));
        let said = verify(copy.path(), &mini_pack::folder());
        assert_ne!(said.code, Some(0), "{}", said.stderr);
        let all = said.stdout + &said.stderr;
        assert!(all.contains("manifest.json: benchmark") || all.contains("expected the manifest"), "{all}");
    };
    spoilt(&|m| m["benchmark"]["name"] = json!("windesk-1"), &["manifest.json", "windesk-1", "not what its file says"]);
    spoilt(&|m| m["benchmark"]["scenes_sha256"] = json!("0".repeat(64)), &["SHA-256 is", "no longer that benchmark"]);
    spoilt(&|m| m["benchmark"] = json!({"name": "mini-1"}), &["benchmark: missing field", "manifest.json"]);
    // A record that was changed.
    let copy = copy("level");
    let scenes = copy.path().join("scenes/part-00000.jsonl");
    let text = fs::read_to_string(&scenes).unwrap();
    fs::write(&scenes, text.replacen("\"instruction\":\"", "\"instruction\":\"Now ", 1)).unwrap();
    let said = eval(copy.path(), answers.path(), &[]);
    assert_eq!(said.code, Some(2), "{}", said.stderr);
    assert!(said.stderr.contains("no longer that benchmark"), "{}", said.stderr);
    let said = verify(copy.path(), &mini_pack::folder());
    assert!(said.code == Some(1) && said.stdout.contains("benchmark: not mini-1, part level"), "{}", said.stdout);
}

/// A newer pack or program: what lies in the folder is checked all the same.
#[test]
fn a_dataset_that_cannot_be_made_again_is_checked() {
    let pack = mini_pack::copy();
    change(&pack.path().join("wallpapers/wallpapers.json"), |list| list[0]["title"] = json!("Another slope"));
    for (part, _) in PARTS {
        let said = verify(&named().join(part), pack.path());
        assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{}", said.stderr);
        for word in ["can't be made again", "made from pack `mini`", "--pack", "0 made again", "0 findings"] {
            assert!(said.stderr.contains(word), "{word}: {}", said.stderr);
        }
    }
    let copy = copy("level");
    let json = |more: &[&str]| {
        let args = ["verify", copy.path().to_str().unwrap(), "--json", "--pack", pack.path().to_str().unwrap()];
        let said = finish(windesk(args.into_iter().chain(more.iter().copied())));
        (said.code, serde_json::from_str::<Value>(&said.stdout).unwrap())
    };
    let (code, report) = json(&["--sample", "2"]);
    assert!(code == Some(0) && report["not_remade"].as_str().unwrap().contains("pack"), "{report}");
    // Nobody asked for it to be made again.
    assert!(json(&["--files-only"]).1["not_remade"].is_null());
    // A byte in an image is found as ever.
    let image = fs::read_dir(copy.path().join("images/00000")).unwrap().map(|e| e.unwrap().path());
    let image = image.into_iter().find(|path| path.extension().is_some_and(|e| e == "png")).unwrap();
    let mut bytes = fs::read(&image).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&image, bytes).unwrap();
    let said = verify(copy.path(), pack.path());
    assert!(said.code == Some(1) && said.stdout.contains("SHA-256 is"), "{}", said.stdout);
}

/// As an older program left it: its manifest, with an identity and a record of the run that fit.
#[test]
fn a_dataset_of_another_engine_is_checked() {
    let copy = copy("level");
    let path = copy.path().join("manifest.json");
    let mut manifest: windesk::dataset::Manifest = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    manifest.engine_version += 90;
    let former = manifest.identity.clone();
    let m = &manifest;
    let [first, end] = m.range;
    let identity =
        json!([m.engine_version, m.tool_version, m.pack.digest, m.study, m.count, first, end, m.format, false]).to_string();
    manifest.identity = hex_digest(identity.as_bytes());
    let bytes = serde_json::to_string_pretty(&manifest).unwrap() + "\n";
    fs::write(&path, &bytes).unwrap();
    let croissant = copy.path().join("croissant.json");
    let described = fs::read_to_string(&croissant).unwrap();
    let described = described.replace(&format!("(engine {ENGINE_VERSION})"), &format!("(engine {})", manifest.engine_version));
    let [own, other] = [ENGINE_VERSION, manifest.engine_version].map(|engine| format!("\"1.{engine}.0\""));
    let described = described.replace(&former, &manifest.identity).replace(&own, &other);
    fs::write(&croissant, &described).unwrap();
    let run = copy.path().join("run.json");
    change(&run, |run| {
        run["files"]["manifest.json"] = json!(hex_digest(bytes.as_bytes()));
        run["files"]["croissant.json"] = json!(hex_digest(described.as_bytes()));
    });
    // Its own digest, as `run.json` is written.
    change(&run, |run| {
        run.as_object_mut().unwrap().remove("sha256");
        let text = serde_json::to_string_pretty(&run).unwrap() + "\n";
        run["sha256"] = json!(hex_digest(text.as_bytes()));
    });
    let said = verify(copy.path(), &mini_pack::folder());
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{}", said.stderr);
    let word = format!("made by engine_version {}", manifest.engine_version);
    assert!(said.stderr.contains(&word) && said.stderr.contains("can't be made again"), "{}", said.stderr);
    // Edited by hand, it is not what the run wrote.
    change(&path, |manifest| manifest["engine_version"] = json!(77));
    let said = verify(copy.path(), &mini_pack::folder());
    assert!(said.code == Some(1) && said.stdout.contains("manifest.json: identity"), "{}", said.stdout);
}

/// Each shipped file is whole, frozen, and asks for what ships. Making it would take too long here.
#[test]
fn shipped_benchmarks_are_frozen() {
    let listed = succeeds(["bench", "--list"]).stdout;
    for (name, text) in shipped::BENCHMARKS {
        let (benchmark, digest) = shipped::parse_benchmark(name, text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(benchmark.name, name);
        assert!(!benchmark.is_draft() && digest == hex_digest(text.as_bytes()));
        assert!(listed.contains(name) && listed.contains(&digest), "{listed}");
        for part in &benchmark.parts {
            let conditions = match (&part.level, &part.sweep, &part.icons) {
                (Some(level), ..) if level == "all" => shipped::levels(&part.set).unwrap().conditions.len(),
                (Some(level), ..) => usize::from(shipped::level(level, &part.set).is_ok()),
                (_, Some(sweep), _) => shipped::sweep(sweep, &part.set, &[]).unwrap().conditions.len(),
                (.., Some(icons)) => shipped::design(icons, &part.set, part.seed).unwrap().conditions.len(),
                _ => panic!("{name}: {} is made of nothing", part.name),
            };
            let frozen = part.frozen.as_ref().unwrap();
            assert_eq!(frozen.samples, part.n * conditions as u64, "{name}: {} has holes", part.name);
            assert_eq!(frozen.instructions, frozen.samples, "{name}: {}", part.name);
            let line = format!("{}: {} images", part.name, frozen.samples);
            assert!(listed.contains(&line), "{line}: {listed}");
            let claim = benchmark.claim(part, &digest).unwrap();
            assert!(shipped::ships(&claim).unwrap());
            let other = windesk::model::benchmark::BenchmarkClaim { digest: "0".repeat(64), ..claim };
            assert!(shipped::ships(&other).is_err());
        }
    }
}

/// Icons come from all of the pack, whatever the split of a benchmark is. The small pack has none.
#[test]
fn icon_probes_are_a_part_too() {
    let folder = tempfile::tempdir().unwrap();
    let [draft, file, out] = ["draft.toml", "icons-1.toml", "out"].map(|name| folder.path().join(name));
    let text = "name = \"icons-1\"\ndescription = \"Icons.\"\nsplit = \"test\"\n[[part]]\nname = \"rare\"\nicons = \"rare\"\nseed = 1\nn = 2\n";
    fs::write(&draft, format!("{text}set = [\"canvas=[1000, 700]\", \"icons=4\"]\n")).unwrap();
    let run = |file: &Path, more: &[&str]| {
        let args = ["bench", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
        succeeds(args.into_iter().chain(more.iter().copied()))
    };
    run(&draft, &["--freeze", file.to_str().unwrap()]);
    assert!(manifest(&out.join("rare"))["benchmark"].is_null());
    run(&file, &[]);
    let manifest = manifest(&out.join("rare"));
    assert_eq!((&manifest["kind"], &manifest["benchmark"]["part"]), (&json!("icons"), &json!("rare")));
    let said = succeeds(["verify", out.join("rare").to_str().unwrap()]);
    assert!(said.stderr.contains("2 made again") && said.stderr.contains("benchmark: icons-1, part rare"), "{}", said.stderr);
}

/// What another version of the engine made can't be made again, and it says with what it can.
#[test]
fn a_benchmark_of_another_engine_is_refused() {
    refused(windesk(["bench", "windesk-1"]), &["benchmark windesk-1", "engine_version 1", "tagged `windesk-1`"]);
}
