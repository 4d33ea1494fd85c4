//! Packs of strangers: every fault is an error that names the file and what is wrong, and nothing is written.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use windesk::model::digest::hex_digest;

use crate::command::{finish, refused, windesk};
use crate::mini_pack;
use crate::naive_pack::json_file;
use crate::random_pack::write_json;

/// A synthesis from this pack must be refused, and leave no dataset behind.
fn check(pack: &Path, expected: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mini.toml"), mini_pack::LEVEL).unwrap();
    let args = ["synth", "--level", "mini.toml", "--n", "20", "--out", "out", "--pack", pack.to_str().unwrap()];
    let mut command = windesk(args);
    command.current_dir(folder.path());
    refused(command, expected);
    assert!(!folder.path().join("out/manifest.json").exists());
}

/// A change of one capture that must be refused.
fn check_capture(change: impl Fn(&mut Value), expected: &[&str]) {
    let pack = mini_pack::copy();
    let path = pack.path().join("windows/gajim/main.json");
    let mut capture = json_file(&path);
    change(&mut capture);
    write_json(&path, &capture);
    let named = [&["windows/gajim/main.json"], expected].concat();
    check(pack.path(), &named);
}

/// Every picture of the pack.
fn pictures(pack: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(pack.join("windows")).unwrap().map(|f| f.unwrap().path());
    let files = folders.flat_map(|f| fs::read_dir(f).unwrap()).map(|f| f.unwrap().path());
    files.filter(|f| f.extension().is_some_and(|e| e == "webp")).collect()
}

#[test]
fn captures() {
    let frame = |bbox: Value| move |capture: &mut Value| capture["frame"] = bbox.clone();
    check_capture(frame(json!([0, 0, 99_999, 10])), &["frame", "found [0, 0, 99999, 10], expected a box inside the picture"]);
    check_capture(frame(json!([10, 10, 10, 20])), &["x1"]);
    check_capture(|c| c["elements"][0]["bbox"] = json!([-5, 0, 10, 10]), &["[-5, 0, 10, 10]", "bbox"]);
    check_capture(|c| c["elements"][0]["parent"] = "e9999".into(), &["parent", "e9999", "the id of an earlier element"]);
    check_capture(|c| c["elements"][1]["id"] = c["elements"][0]["id"].clone(), &["id", "an id that no other element has"]);
    check_capture(|c| c["elements"][0]["popup"] = 7.into(), &["popup", "the index of a popup of this capture"]);
    check_capture(|c| c["colour"] = "red".into(), &["unknown field `colour`", "docs/pack.md"]);
    check_capture(|c| c["format_version"] = 2.into(), &["format_version: found 2, expected 1"]);
    check_capture(
        |c| c["image"]["size"] = json!([30_000, 30_000]),
        &["image.size: found 30000x30000", "at most 40000000 pixels"],
    );
    check_capture(|c| c["image"]["file"] = "../../pack.json".into(), &["image.file: found ../../pack.json"]);
    check_capture(
        |c| c["parent_window"] = "gajim/none".into(),
        &["parent_window: found gajim/none", "the id of a capture of this pack"],
    );
    check_capture(
        |c| c["id"] = "gajim/other".into(),
        &["found capture `gajim/other`, expected the id that the file's place says"],
    );
    check_capture(|c| c["scale"] = 0.into(), &["scale: found 0, expected a number above 0"]);
}

#[test]
fn numbers_that_are_none() {
    for number in ["NaN", "1e999"] {
        let pack = mini_pack::copy();
        let path = pack.path().join("windows/gajim/main.json");
        let text = fs::read_to_string(&path).unwrap();
        let changed = text.replacen("\"scale\": 1.0", &format!("\"scale\": {number}"), 1).replacen(
            "\"scale\":1.0",
            &format!("\"scale\":{number}"),
            1,
        );
        assert_ne!(changed, text);
        fs::write(&path, changed).unwrap();
        check(pack.path(), &["windows/gajim/main.json", "expected the form described in docs/pack.md"]);
    }
}

#[test]
fn pictures_that_cannot_be_used() {
    let with_every_picture = |change: &dyn Fn(&Path), expected: &[&str]| {
        let pack = mini_pack::copy();
        pictures(pack.path()).iter().for_each(|p| change(p));
        check(pack.path(), expected);
    };
    with_every_picture(&|p| fs::remove_file(p).unwrap(), &[".webp: found no such file, expected a file of the pack"]);
    with_every_picture(&|p| fs::write(p, "").unwrap(), &[".webp: found SHA-256 e3b0c442", "as recorded in the pack"]);
    with_every_picture(&flip_a_byte, &[".webp: found SHA-256 "]);
}

fn flip_a_byte(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).unwrap();
}

/// Replaces every window's picture, digests included.
fn with_true_digests(change: impl Fn(&[u8]) -> Vec<u8>) -> tempfile::TempDir {
    let pack = mini_pack::copy();
    for folder in fs::read_dir(pack.path().join("windows")).unwrap() {
        let folder = folder.unwrap().path();
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != "json") || path.ends_with("program.json") {
                continue;
            }
            let mut capture = json_file(&path);
            let old = fs::read(folder.join(capture["image"]["file"].as_str().unwrap())).unwrap();
            let new = change(&old);
            let sha256 = hex_digest(&new);
            let file = format!("{}.webp", &sha256[..16]);
            fs::write(folder.join(&file), new).unwrap();
            capture["image"]["file"] = file.into();
            capture["image"]["sha256"] = sha256.into();
            write_json(&path, &capture);
        }
    }
    // The index knows the windows by digest, and would be refused first.
    crate::hashed_words::write_index(pack.path(), 16);
    pack
}

#[test]
fn truncated_pictures() {
    check(
        with_true_digests(|bytes| bytes[..bytes.len() / 2].to_vec()).path(),
        &[".webp: found ", "expected a lossless WebP picture"],
    );
    check(with_true_digests(|_| b"not a picture".to_vec()).path(), &[".webp: found ", "expected a lossless WebP picture"]);
}

/// A picture that says it is 16383x16383: a gigabyte once decoded.
#[test]
fn pictures_larger_than_recorded() {
    let pack = with_true_digests(|bytes| {
        let mut bytes = bytes.to_vec();
        let at = bytes.windows(5).position(|w| w == [b'V', b'P', b'8', b'L', bytes[16]]).unwrap() + 9;
        bytes[at..at + 3].copy_from_slice(&[0xfe, 0xff, 0xff]);
        bytes
    });
    let finished = finish(windesk(["pack", "check", "--pack", pack.path().to_str().unwrap()]));
    assert_eq!(finished.code, Some(1), "{}", finished.stderr);
    assert!(finished.stdout.contains(".webp: found a picture of 16383x"), "{}", finished.stdout);
}

#[test]
fn a_wallpaper_that_would_fill_the_memory() {
    let pack = mini_pack::copy();
    let mut bomb = Vec::new();
    drop(png::Encoder::new(&mut bomb, 60_000, 60_000).write_header().unwrap());
    fs::write(pack.path().join("wallpapers/slope.png"), &bomb).unwrap();
    let list = pack.path().join("wallpapers/wallpapers.json");
    let mut wallpapers = json_file(&list);
    wallpapers[0]["sha256"] = hex_digest(&bomb).into();
    write_json(&list, &wallpapers);
    check(pack.path(), &["wallpapers/slope.png: found ", "expected a PNG, JPEG or WebP picture"]);
}

#[test]
fn packs_that_are_none() {
    let folder = tempfile::tempdir().unwrap();
    check(&folder.path().join("nowhere"), &["nowhere: found ", "expected a pack: a folder or a tar archive"]);
    let text = folder.path().join("text.tar");
    fs::write(&text, "this is no archive, however long it may be. ".repeat(50)).unwrap();
    check(&text, &["text.tar: found ", "expected a plain tar archive of a pack"]);
    let nothing = folder.path().join("nothing");
    fs::create_dir(&nothing).unwrap();
    check(&nothing, &["nothing/pack.json: found no such file"]);
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    fs::copy(mini_pack::folder().join("pack.json"), empty.join("pack.json")).unwrap();
    check(&empty, &["empty: found no index/", "hint: run `windesk pack embed` on it once"]);
}

/// A change of one file of the index, with its true digest in the header, that must be refused.
fn check_index(name: &str, change: impl Fn(Vec<u8>) -> Vec<u8>, expected: &[&str]) {
    let pack = mini_pack::copy();
    let bytes = change(fs::read(pack.path().join(name)).unwrap());
    fs::write(pack.path().join(name), &bytes).unwrap();
    let header_path = pack.path().join("index/index.json");
    let mut header = json_file(&header_path);
    header["files"][name] = hex_digest(&bytes).into();
    write_json(&header_path, &header);
    check(pack.path(), &[&[name], expected].concat());
}

#[test]
fn indices() {
    let pack = mini_pack::copy();
    let path = pack.path().join("index/index.json");
    let mut header = json_file(&path);
    header["format_version"] = 1.into();
    write_json(&path, &header);
    check(
        pack.path(),
        &[
            "index/index.json: found format_version 1, expected format_version 2",
            "hint: run `windesk pack embed` on the pack again",
        ],
    );
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() - 9].to_vec();
    check_index("index/targets.jsonl.gz", cut, &["expected a whole gzip file"]);
    check_index("index/neighbours.u32.gz", cut, &["expected a whole gzip file"]);
    check_index("index/vectors.i8", cut, &["rows of 16 bytes"]);
    // An empty gzip file.
    let empty = |_| vec![31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    check_index("index/targets.jsonl.gz", empty, &["found 0 targets, expected"]);
    check_index("index/neighbours.u32.gz", empty, &["found 0 bytes, expected", "rows of 16 neighbours of 4 bytes"]);
}

#[test]
fn links_in_folders() {
    let pack = mini_pack::copy();
    std::os::unix::fs::symlink("/etc/hostname", pack.path().join("windows/gajim/link.json")).unwrap();
    check(pack.path(), &["windows/gajim/link.json: found a symbolic link, expected plain files and folders only"]);
}

/// An archive of the mini pack with one more entry. The name is written as it is, unlike a well-behaved writer would.
fn archive_with(name: &str, kind: tar::EntryType) -> tempfile::NamedTempFile {
    let file = tempfile::Builder::new().suffix(".tar").tempfile().unwrap();
    let mut archive = tar::Builder::new(file.as_file());
    archive.append_dir_all("", mini_pack::folder()).unwrap();
    let mut header = tar::Header::new_ustar();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.as_old_mut().linkname[..11].copy_from_slice(b"/etc/passwd");
    header.set_entry_type(kind);
    header.set_size(0);
    header.set_cksum();
    archive.append(&header, std::io::empty()).unwrap();
    archive.finish().unwrap();
    drop(archive);
    file
}

#[test]
fn archives() {
    let check = |name: &str, kind: tar::EntryType, expected: &str| {
        let file = archive_with(name, kind);
        check(file.path(), &[".tar: found ", expected, "expected a plain tar archive of a pack"]);
    };
    check("../evil.json", tar::EntryType::Regular, "entry `../evil.json` leaves the pack's folder");
    check("windows/../../evil.json", tar::EntryType::Regular, "leaves the pack's folder");
    check("/etc/evil.json", tar::EntryType::Regular, "entry `/etc/evil.json` leaves the pack's folder");
    check("windows/evil.json", tar::EntryType::Symlink, "entry `windows/evil.json` is a Symlink, not a plain file");
    check("windows/evil.json", tar::EntryType::Link, "not a plain file");
    check("pipe", tar::EntryType::Fifo, "not a plain file");
    check("pack.json", tar::EntryType::Regular, "entry `pack.json` occurs twice in the archive");
}
