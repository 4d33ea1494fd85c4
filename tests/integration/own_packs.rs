//! Packs of users: few programs, edges for opaque screenshots, commands that take a pack, cards of what is shown.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use windesk::engine::pack::{IndexedPack, Pack, open_place};
use windesk::model::condition::SessionsKnob;
use windesk::model::role::ROLES;

use crate::command::{finish, refused, succeeds, windesk};
use crate::mini_pack;
use crate::random_pack::write_json;

/// Numbers in the mini pack's embeddings.
const DIMENSIONS: usize = 16;

/// The mini pack with these programs alone.
fn pack_of(programs: &[&str]) -> tempfile::TempDir {
    let pack = mini_pack::copy();
    for program in fs::read_dir(pack.path().join("windows")).unwrap().map(|entry| entry.unwrap()) {
        if !programs.contains(&program.file_name().to_str().unwrap()) {
            fs::remove_dir_all(program.path()).unwrap();
        }
    }
    crate::hashed_words::write_index(pack.path(), DIMENSIONS);
    pack
}

/// Arguments of a run over a pack.
fn synth(pack: &Path, out: &Path, more: &[&str]) -> Vec<String> {
    let args = ["synth", "--n", "2", "--pack", pack.to_str().unwrap(), "--out", out.to_str().unwrap()];
    args.iter().chain(more).map(|arg| (*arg).to_owned()).collect()
}

/// The options after the words of a hint.
fn hinted(stderr: &str) -> Vec<String> {
    let hint = stderr.split("with these programs: ").nth(1).unwrap_or_else(|| panic!("no such hint: {stderr}"));
    hint.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn too_few_programs_are_counted_and_the_hint_works() {
    let pack = pack_of(&["gajim", "mate-calc", "engrampa"]);
    let place = tempfile::tempdir().unwrap();
    for (level, said) in [
        ("L1", "3 programs in the pack `mini`, expected at least 6: that of the target, and 5 others"),
        ("L5", "3 programs in the pack `mini`, expected at least 10: a program shows one window"),
    ] {
        let out = place.path().join(level);
        let failed = finish(windesk(synth(pack.path(), &out, &["--level", level])));
        assert_eq!(failed.code, Some(2), "{}", failed.stderr);
        assert!(failed.stderr.contains(said) && !failed.stderr.contains("loosen"), "{}", failed.stderr);
        let mut again = synth(pack.path(), &out, &["--level", level]);
        again.extend(hinted(&failed.stderr));
        let made = finish(windesk(&again));
        assert!(made.code == Some(0) && out.join("manifest.json").is_file(), "{again:?}: {}", made.stderr);
    }
}

#[test]
fn a_hint_names_only_filters_that_are_set() {
    let pack = mini_pack::folder();
    let out = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| finish(windesk(synth(&pack, &out.path().join("out"), more))).stderr;
    let said = run(&["--level", "L1", "--set", "target.min_visible_px=99999999"]);
    assert!(said.contains("no filter is set") && !said.contains("loosen"), "{said}");
    let said = run(&["--level", "L1", "--role", "slider", "--app", "mate-calc"]);
    assert!(said.contains("hint: loosen --app, --role\n"), "{said}");
}

#[test]
fn every_command_takes_its_pack_in_either_way() {
    let pack = mini_pack::copy();
    let text = pack.path().to_str().unwrap();
    for args in [
        &["pack", "licences", text][..],
        &["pack", "licences", "--pack", text],
        &["pack", "check", text],
        &["pack", "check", "--pack", text],
        &["pack", "stats", text],
        &["pack", "stats", "--pack", text],
    ] {
        let done = finish(windesk(args));
        assert!(done.code != Some(2), "{args:?}: {}", done.stderr);
        assert!(done.stderr.contains(text) || !done.stdout.is_empty(), "{args:?}: {}", done.stderr);
    }
    let tar = pack.path().join("mini.tar");
    for form in [&[text][..], &["--pack", text]] {
        succeeds(["pack", "archive"].iter().chain(form).copied().chain(["--out", tar.to_str().unwrap()]));
        fs::remove_file(&tar).unwrap();
    }
    refused(windesk(["pack", "check", text, "--pack", text]), &["cannot be used with"]);
    refused(windesk(["pack", "embed"]), &["DIR"]);
}

#[test]
fn what_is_no_archive_is_told_in_words() {
    let place = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = (0..4096_u32).map(|n| (n * 37 % 251) as u8 | 0x80).collect();
    for (name, bytes, said) in [
        ("noise.tar", bytes, "found a file that is no tar archive"),
        ("escapes.tar", b"\x1b[31mred\x07".repeat(200), "found a file that is no tar archive"),
        ("pack.tar.gz", [&[0x1f, 0x8b, 8, 0][..], &[0; 600]].concat(), "found a file packed with gzip"),
        ("pack.zip", [&b"PK\x03\x04"[..], &[0; 600]].concat(), "found a zip archive"),
    ] {
        let path = place.path().join(name);
        fs::write(&path, bytes).unwrap();
        let done = finish(windesk(["pack", "check", path.to_str().unwrap()]));
        assert!(done.code == Some(2) && done.stderr.contains(said), "{name}: {}", done.stderr);
        assert!(
            done.stderr.chars().all(|c| c == '\n' || !c.is_control() && c != char::REPLACEMENT_CHARACTER),
            "{:?}",
            done.stderr
        );
    }
}

#[test]
fn the_card_names_what_is_shown_once_and_in_sentences() {
    let pack = mini_pack::copy();
    for entry in fs::read_dir(pack.path().join("windows")).unwrap() {
        let path = entry.unwrap().path().join("program.json");
        let mut program: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        program["trademark"] = format!("The name {} is a mark", program["id"].as_str().unwrap()).into();
        write_json(&path, &program);
    }
    crate::hashed_words::write_index(pack.path(), DIMENSIONS);
    let out = pack.path().join("out");
    let level = pack.path().join("mini.toml");
    fs::write(&level, mini_pack::LEVEL).unwrap();
    succeeds(synth(pack.path(), &out, &["--level", level.to_str().unwrap(), "--range", "0..1"]));
    let card = fs::read_to_string(out.join("README.md")).unwrap();
    assert!(card.contains("\n1 synthetic desktop scene for GUI grounding"), "{card}");
    let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let programs = manifest["assets"].as_array().unwrap().iter().filter(|asset| asset["kind"] == "program");
    let shown: BTreeSet<String> = programs.map(|p| format!("The name {} is a mark.", p["id"].as_str().unwrap())).collect();
    let named: Vec<&str> = card.lines().filter(|line| line.ends_with("is a mark.")).collect();
    assert_eq!(named.len(), shown.len(), "each once: {card}");
    assert!(named.iter().all(|line| shown.contains(*line)) && shown.len() < 12, "{card}");
    let licences: Vec<&str> = card.lines().filter(|line| line.starts_with("- Under ")).collect();
    assert!(!licences.is_empty() && licences.iter().all(|line| line.ends_with('.')), "{card}");
}

#[test]
fn folders_are_not_written_to_standard_output() {
    let place = tempfile::tempdir().unwrap();
    for args in [
        &["synth", "--level", "L1", "--n", "1", "--out", "-"][..],
        &["export", "dataset", "--to", "coco", "--out", "-"],
        &["merge", "a", "b", "--out", "-"],
        &["view", "dataset", "--out", "-"],
        &["man", "--out", "-"],
        &["pack", "build", "list.json", "--out", "-"],
        &["pack", "preview", "--out", "-"],
    ] {
        let mut command = windesk(args);
        command.current_dir(place.path());
        refused(command, &["--out", "folders can't be written to standard output, expected the name of a folder"]);
    }
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn the_number_of_samples_is_shown_as_required_and_a_traversal_needs_none() {
    for command in ["synth", "sweep", "icons"] {
        let help = succeeds([command, "--help"]).stdout;
        let usage = help.lines().find(|line| line.starts_with("Usage: ")).unwrap();
        assert!(usage.contains("--n <N>"), "{usage}");
    }
    refused(windesk(["synth", "--level", "L1"]), &["required", "--n <N>"]);
    refused(windesk(["bench", "windesk"]), &["--n <N>"]);
    refused(windesk(["bench", "windesk", "--traverse", "--sweeps", "nothing"]), &["nothing"]);
}

/// The mini pack in two halves, by programs.
fn halves() -> [tempfile::TempDir; 2] {
    let mut programs: Vec<String> = fs::read_dir(mini_pack::folder().join("windows"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    programs.sort();
    let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
    [pack_of(&programs[..6]), pack_of(&programs[6..])]
}

#[test]
fn merged_packs_have_the_index_of_one_that_was_made_whole() {
    let [one, other] = halves();
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("merged");
    let [a, b, merged] = [one.path(), other.path(), &out].map(|p| p.to_str().unwrap());
    let done = finish(windesk(["pack", "merge", a, b, "--out", merged, "--name", "both"]));
    assert!(done.stderr.contains("12 programs"), "{}", done.stderr);
    // The halves lack the texts of their licences, and nothing else is found.
    let found = finish(windesk(["pack", "check", merged]));
    assert!(found.stdout.lines().all(|line| line.contains(": no text of ")), "{}", found.stdout);
    // Words and vectors to the byte; neighbours may change places where vectors are equal but for their rounding.
    for file in ["index/targets.jsonl.gz", "index/vectors.i8"] {
        assert!(fs::read(out.join(file)).unwrap() == fs::read(mini_pack::folder().join(file)).unwrap(), "{file}");
    }
    let pack = Pack::open(open_place(&out).unwrap()).unwrap().indexed().unwrap();
    let whole = mini_pack::pack();
    for target in pack.index().targets.keys() {
        let cosines = |pack: &IndexedPack| -> Vec<f64> {
            pack.index().neighbours(target, SessionsKnob::One).iter().map(|&n| pack.index().cosine(target, n)).collect()
        };
        let (found, wanted) = (cosines(&pack), cosines(whole));
        assert_eq!(found.len(), wanted.len());
        assert!(found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 0.02), "{target:?}: {found:?} {wanted:?}");
    }
    let level = place.path().join("mini.toml");
    fs::write(&level, mini_pack::LEVEL).unwrap();
    succeeds(synth(&out, &place.path().join("scenes"), &["--level", level.to_str().unwrap()]));
}

#[test]
fn merged_packs_keep_their_workflows() {
    let [one, other] = halves();
    let place = tempfile::tempdir().unwrap();
    let clicks = [("celluloid/main", "e1", "celluloid/main"), ("xfce4-terminal/main", "e6", "xfce4-terminal/menu-edit")];
    let workflow = |id: &str, (page, element, _): (&str, &str, &str)| {
        let clicks = json!([{"page": page, "element": element}]);
        json!({"id": id, "clicks": clicks, "goal": "Open it", "goal_source": "composed"}).to_string()
    };
    for (half, click) in [&one, &other].into_iter().zip(clicks) {
        let (from, element, to) = click;
        let transition = json!({"from": from, "element": element, "action": "click", "to": to, "offset": null});
        let program = half.path().join("windows").join(from.split('/').next().unwrap());
        fs::write(program.join("transitions.jsonl"), format!("{transition}\n")).unwrap();
        // The index is that of the pack without them.
        fs::remove_dir_all(half.path().join("index")).unwrap();
        // Neither ends with a newline.
        fs::write(half.path().join("workflows.jsonl"), workflow(from, click)).unwrap();
    }
    let merge = |out: &str| {
        let [a, b, out] = [one.path(), other.path(), &place.path().join(out)].map(|path| path.to_str().unwrap().to_owned());
        windesk(["pack", "merge", &a, &b, "--out", &out])
    };
    let done = finish(merge("merged"));
    assert_ne!(done.code, Some(2), "{}", done.stderr);
    let ids = |place: &Path| -> Vec<String> {
        let pack = Pack::open(open_place(place).unwrap()).unwrap();
        pack.workflows().unwrap().list.into_iter().map(|workflow| workflow.id).collect()
    };
    let [merged, archive] = ["merged", "merged.tar"].map(|name| place.path().join(name));
    assert_eq!(ids(&merged), ["celluloid/main", "xfce4-terminal/main"]);
    succeeds(["pack", "archive", merged.to_str().unwrap(), "--out", archive.to_str().unwrap()]);
    assert_eq!(ids(&archive), ids(&merged), "archives hold them too");
    fs::write(one.path().join("workflows.jsonl"), workflow(clicks[1].0, clicks[0])).unwrap();
    refused(merge("again"), &["workflow `xfce4-terminal/main`, which ", "rename it in one of them"]);
}

#[test]
fn what_clashes_is_not_merged() {
    let [one, other] = halves();
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("merged");
    let merge = |packs: &[&Path]| {
        let packs = packs.iter().map(|p| p.to_str().unwrap());
        windesk(["pack", "merge"].into_iter().chain(packs).chain(["--out", out.to_str().unwrap()]))
    };
    let whole = mini_pack::folder();
    refused(
        merge(&[one.path(), &whole]),
        &["program `celluloid`, which ", "expected another in each pack", "hint: rename the program"],
    );
    // The same wallpaper under another title, and another font of the same name.
    let list = other.path().join("wallpapers/wallpapers.json");
    let text = fs::read_to_string(&list).unwrap();
    let mut wallpapers: Value = serde_json::from_str(&text).unwrap();
    wallpapers[0]["title"] = "Another".into();
    write_json(&list, &wallpapers);
    refused(merge(&[one.path(), other.path()]), &["another `slope` in wallpapers/wallpapers.json"]);
    fs::write(&list, text).unwrap();
    fs::create_dir_all(other.path().join("licenses")).unwrap();
    fs::create_dir_all(one.path().join("licenses")).unwrap();
    fs::write(one.path().join("licenses/MIT-x.txt"), "one").unwrap();
    fs::write(other.path().join("licenses/MIT-x.txt"), "other").unwrap();
    refused(merge(&[one.path(), other.path()]), &["another file `licenses/MIT-x.txt`", "<SPDX id>-<package>.txt"]);
    fs::remove_file(one.path().join("licenses/MIT-x.txt")).unwrap();
    assert!(!out.exists());
    // Without an index in one of them the others' is of no use, and that is said.
    fs::remove_dir_all(other.path().join("index")).unwrap();
    let done = finish(merge(&[one.path(), other.path()]));
    assert!(done.code != Some(2) && done.stderr.contains("next: windesk pack embed"), "{}", done.stderr);
    assert!(!out.join("index").exists() && out.join("licenses/MIT-x.txt").is_file());
}

#[test]
fn every_role_is_documented() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pack.md")).unwrap();
    let list = page.split("- **role**: AT-SPI 2 role names in lower case: ").nth(1).unwrap().split('.').next().unwrap();
    let documented: BTreeSet<String> =
        list.split(',').map(|role| role.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(documented, ROLES.iter().map(|role| (*role).to_owned()).collect());
}

#[test]
fn a_pack_is_imported_from_coco_with_the_edge_of_a_window() {
    let place = tempfile::tempdir().unwrap();
    image::RgbImage::from_fn(300, 200, |x, y| image::Rgb([x as u8, y as u8, (x * y) as u8]))
        .save(place.path().join("shop_1.png"))
        .unwrap();
    let coco = json!({"images": [{"id": 1, "file_name": "shop_1.png", "width": 300, "height": 200}],
        "categories": [{"id": 1, "name": "button"}], "annotations": [
            {"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 20, 60, 24], "name": "Buy"}]});
    fs::write(place.path().join("coco.json"), coco.to_string()).unwrap();
    let import = |more: &[&str]| {
        let mut command = windesk(["pack", "import", "coco.json", "--out", "imported"].iter().chain(more));
        command.current_dir(place.path());
        command
    };
    refused(import(&[]), &["a format that knows no categories of programs", "expected --category"]);
    refused(import(&["--category", "Productivty"]), &["did you mean Productivity?"]);
    refused(import(&["--category", "Productivity", "--role", "chip=buttn"]), &["`buttn` is no role"]);
    let done = finish(import(&["--category", "Productivity", "--frame", "rounded"]));
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stderr.contains("1 entry, 0 left out, 1 window of 1 program\n"), "{}", done.stderr);
    let capture: Value =
        serde_json::from_slice(&fs::read(place.path().join("imported/windows/shop/shop-1.json")).unwrap()).unwrap();
    assert_eq!((&capture["frame"], &capture["frame_style"]), (&json!([42, 33, 342, 233]), &json!("rounded")));
    assert_eq!(capture["elements"][0]["bbox"], json!([52, 53, 112, 77]));
}
