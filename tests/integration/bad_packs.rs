//! Packs of strangers: every fault is an error that names the file and what is wrong, and nothing is written.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use windesk::engine::pack::{Pack, open_place};
use windesk::model::digest::hex_digest;

use crate::command::{finish, refused, windesk};
use crate::mini_pack;
use crate::random_pack::write_json;
use windesk_naive::json_file;

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
    // The index knows the windows by digest, and would be refused first. None can be made of broken pictures: the one
    // that is there is given the digest that its refusal tells.
    let refusal = Pack::open(open_place(pack.path()).unwrap()).and_then(Pack::indexed).unwrap_err().to_string();
    let digest: String = refusal.split("expected ").nth(1).unwrap().chars().take(64).collect();
    let path = pack.path().join("index/index.json");
    let mut header = json_file(&path);
    header["windows_sha256"] = digest.into();
    write_json(&path, &header);
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
    check(&text, &["text.tar: found a file that is no tar archive", "expected a plain tar archive of a pack"]);
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
            "index/index.json: found format_version 1, expected format_version 3",
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

/// A file of a pack and its entry in the list beside it, with its true digest.
fn with_asset(list: &str, at: usize, bytes: &[u8]) -> tempfile::TempDir {
    let pack = mini_pack::copy();
    let path = pack.path().join(list);
    let mut entries = json_file(&path);
    let file = path.with_file_name(entries[at]["file"].as_str().unwrap());
    fs::write(file, bytes).unwrap();
    entries[at]["sha256"] = hex_digest(bytes).into();
    write_json(&path, &entries);
    pack
}

/// `pack check` says what is wrong with an asset, and the pack is refused where the asset is needed.
fn check_asset(list: &str, at: usize, bytes: &[u8], expected: &str) {
    let pack = with_asset(list, at, bytes);
    let finished = finish(windesk(["pack", "check", "--pack", pack.path().to_str().unwrap()]));
    let folder = list.split('/').next().unwrap();
    let found = finished.stdout.lines().any(|line| line.starts_with(folder) && line.contains(expected));
    assert!(finished.code == Some(1) && found, "{list} {expected}: {}{}", finished.stdout, finished.stderr);
    assert!(!finished.stderr.contains("panicked"), "{list} {expected}: {}", finished.stderr);
    let level = pack.path().parent().unwrap().join(format!("{}.toml", pack.path().file_name().unwrap().to_str().unwrap()));
    fs::write(&level, mini_pack::LEVEL).unwrap();
    let out = tempfile::tempdir().unwrap();
    let args = [
        "synth",
        "--level",
        level.to_str().unwrap(),
        "--n",
        "4",
        "--threads",
        "1",
        "--pack",
        pack.path().to_str().unwrap(),
        "--out",
    ];
    let finished = finish(windesk(args.into_iter().chain([out.path().join("out").to_str().unwrap()])));
    fs::remove_file(level).unwrap();
    assert!(!finished.stderr.contains("panicked"), "{list} {expected}: {}", finished.stderr);
    // An icon that no scene shows is not looked at.
    if folder != "icons" {
        assert_eq!(finished.code, Some(2), "{list} {expected}: {}", finished.stderr);
        assert!(finished.stderr.contains(expected), "{list} {expected}: {}", finished.stderr);
    }
}

/// Two families may have a style of the same name; one family has each once.
#[test]
fn two_fonts_of_one_style() {
    for (family, is_read) in [("Another", true), ("Inter", false)] {
        let pack = mini_pack::copy();
        let path = pack.path().join("fonts/fonts.json");
        let mut fonts = json_file(&path);
        let mut twin = fonts[0].clone();
        twin["family"] = family.into();
        fonts.as_array_mut().unwrap().push(twin);
        fs::write(&path, fonts.to_string()).unwrap();
        let opened = windesk::engine::pack::Pack::open(windesk::engine::pack::open_place(pack.path()).unwrap());
        match opened {
            Ok(pack) => assert!(is_read && pack.fonts.iter().any(|font| font.family == family)),
            Err(error) => assert!(!is_read && error.to_string().contains("fonts/fonts.json: found id `Inter "), "{error}"),
        }
    }
}

/// Half of these made the text engine panic: it takes it for granted that there is a font.
#[test]
fn fonts_that_are_none() {
    let font = fs::read(mini_pack::folder().join("fonts/Inter-Regular.ttf")).unwrap();
    check_asset("fonts/fonts.json", 0, b"", "found no font, expected a TrueType or OpenType font");
    check_asset("fonts/fonts.json", 0, b"this is no font", "found no font");
    check_asset("fonts/fonts.json", 0, &font[..8], "found no font");
}

/// Damage that leaves the table of contents whole may or may not be found: what is left of the font is used or refused,
/// without a panic.
#[test]
fn damaged_fonts() {
    let font = fs::read(mini_pack::folder().join("fonts/Inter-Regular.ttf")).unwrap();
    let tables = usize::from(u16::from_be_bytes([font[4], font[5]]));
    let damaged: Vec<Vec<u8>> = (0..tables)
        .flat_map(|table| {
            let entry = &font[12 + table * 16..][..16];
            let start = u32::from_be_bytes(entry[8..12].try_into().unwrap()) as usize;
            let length = u32::from_be_bytes(entry[12..16].try_into().unwrap()) as usize;
            // A table of zeros, one of 0xff, and one that is cut off with the rest of the file.
            let filled = |byte: u8| {
                let mut bytes = font.clone();
                bytes[start..start + length].fill(byte);
                bytes
            };
            [filled(0), filled(0xff), font[..start + length / 2].to_vec()]
        })
        .collect();
    assert!(damaged.len() > 30);
    for (at, bytes) in damaged.iter().enumerate() {
        let pack = with_asset("fonts/fonts.json", 0, bytes);
        let opened = windesk::engine::pack::Pack::open(windesk::engine::pack::open_place(pack.path()).unwrap()).unwrap();
        let caption = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut text = windesk::engine::render::TextEngine::new(&opened)?;
            let style = windesk::engine::render::Style { size_px: 13, weight: 500, width_px: 90, lines: 2, centred: true };
            text.caption("Open the file Ag 09:41", style).map(drop)
        }));
        match caption {
            Ok(Ok(())) => {}
            Ok(Err(error)) => assert!(error.to_string().contains("Inter-Regular.ttf: found "), "{at}: {error}"),
            Err(_) => panic!("damage {at} made the text engine panic"),
        }
    }
}

/// The mini pack's font, whose letters `change` gets one after the other.
fn with_letters(change: impl Fn(&mut [u8])) -> Vec<u8> {
    let font = fs::read(mini_pack::folder().join("fonts/Inter-Regular.ttf")).unwrap();
    let table = |tag: &[u8; 4]| {
        let entry = font[12..].chunks_exact(16).find(|entry| entry[..4] == *tag).unwrap();
        u32::from_be_bytes(entry[8..12].try_into().unwrap()) as usize
    };
    let (head, loca, glyf, maxp) = (table(b"head"), table(b"loca"), table(b"glyf"), table(b"maxp"));
    let two = |at: usize| usize::from(u16::from_be_bytes([font[at], font[at + 1]]));
    let four = |at: usize| (two(at) << 16) + two(at + 2);
    let is_long = two(head + 50) == 1;
    let offset = |letter: usize| if is_long { four(loca + letter * 4) } else { two(loca + letter * 2) * 2 };
    let mut bytes = font.clone();
    for letter in (0..two(maxp + 4)).filter(|&letter| offset(letter) < offset(letter + 1)) {
        change(&mut bytes[glyf + offset(letter)..glyf + offset(letter + 1)]);
    }
    bytes
}

/// Letters that say that they have no contours, and go on with the points of some: newer readers of fonts panic.
#[test]
fn letters_without_contours() {
    let font = with_letters(|letter| letter[..2].fill(0));
    check_asset("fonts/fonts.json", 0, &font, "Inter-Regular.ttf: found letter 0 without contours but with points");
}

/// Each letter is put together of as many as it has room for, all of them the first: a few kilobytes are millions.
#[test]
fn letters_that_multiply() {
    let font = with_letters(|letter| {
        letter[..2].fill(0xff);
        letter[10..].chunks_exact_mut(6).for_each(|part| part.copy_from_slice(&[0, 1 << 5, 0, 0, 0, 0]));
    });
    check_asset("fonts/fonts.json", 0, &font, "Inter-Regular.ttf: found letter 0 to be a part of itself");
}

/// A picture of few pixels, which is as large as a screen once and a thousand screens high where it covers one.
#[test]
fn wallpapers_that_are_no_screens() {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(4, 9000).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let place = with_asset("wallpapers/wallpapers.json", 0, &bytes.into_inner());
    let pack = windesk::engine::pack::Pack::open(windesk::engine::pack::open_place(place.path()).unwrap()).unwrap();
    let renderer = windesk::engine::render::Renderer::new(&pack).unwrap();
    let screen = windesk::model::geometry::Size { width: 320, height: 240 };
    let wallpaper = &pack.wallpapers[0].id;
    let refused = renderer.windows_over_wallpaper(wallpaper, screen, &[]).unwrap_err().to_string();
    assert!(refused.contains("4x9000 px, which is 320x720000 where it covers a screen of 320x240"), "{refused}");
}

#[test]
fn wallpapers_and_icons_that_are_none() {
    check_asset("wallpapers/wallpapers.json", 0, b"only a text", "expected a PNG, JPEG or WebP picture");
    check_asset("wallpapers/wallpapers.json", 0, b"", "expected a PNG, JPEG or WebP picture");
    check_asset("icons/icons.json", 0, b"only a text", "expected an SVG drawing");
    check_asset("icons/icons.json", 0, b"", "expected an SVG drawing");
    let noise = concat!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><filter id="f">"#,
        r#"<feTurbulence numOctaves="100000000" baseFrequency="0.1"/></filter>"#,
        r#"<rect width="9" height="9" filter="url(#f)"/></svg>"#,
    );
    check_asset("icons/icons.json", 0, noise.as_bytes(), "found a `feTurbulence`, whose cost has no bound");
    let rules = "rect { fill: red } ".repeat(100_000);
    let styles = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><style>{rules}</style>{}</svg>"#,
        "<rect/>".repeat(1000)
    );
    check_asset("icons/icons.json", 0, styles.as_bytes(), "selectors of style sheets");
}

/// Pictures of a few bytes that say they are as large as their format allows: known before memory is taken.
#[test]
fn wallpapers_that_would_fill_the_memory() {
    let png = {
        let mut bytes = Vec::new();
        let mut writer = png::Encoder::new(&mut bytes, 16_383, 16_383).write_header().unwrap();
        writer.write_chunk(png::chunk::IDAT, &[0x78, 0x9c]).unwrap();
        drop(writer);
        bytes
    };
    // 16383 - 1 in 14 bits each.
    let bits = (16_382_u32 | 16_382 << 14).to_le_bytes();
    let webp = [b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f".as_slice(), &bits, &[0; 8]].concat();
    let mut jpeg = Vec::new();
    image::codecs::jpeg::JpegEncoder::new(&mut jpeg).encode_image(&image::RgbImage::new(16, 16)).unwrap();
    let frame = jpeg.windows(2).position(|w| w == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0x3f, 0xff, 0x3f, 0xff]);
    for (bytes, kind) in [(png, "PNG"), (webp, "WebP"), (jpeg, "JPEG")] {
        let pack = with_asset("wallpapers/wallpapers.json", 0, &bytes);
        let level = tempfile::tempdir().unwrap();
        fs::write(level.path().join("mini.toml"), mini_pack::LEVEL).unwrap();
        // What the program takes at most, of which a decoded picture would be half.
        let program = env!("CARGO_BIN_EXE_windesk");
        let limited = format!(
            "ulimit -v 1500000; exec '{program}' synth --level mini.toml --n 2 --threads 1 --out out --pack '{}'",
            pack.path().display()
        );
        let mut command = std::process::Command::new("sh");
        command
            .args(["-c", &limited])
            .current_dir(level.path())
            .env("WINDESK_CACHE_DIR", "none")
            .stdin(std::process::Stdio::null());
        let finished = finish(command);
        assert_eq!(finished.code, Some(2), "{kind}: {}", finished.stderr);
        assert!(finished.stderr.contains("16383x16383 px, which is more than 40000000 pixels"), "{kind}: {}", finished.stderr);
    }
}
