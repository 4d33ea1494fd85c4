//! Packs from lists: the documented example, and what is wrong with others.

use std::path::{Path, PathBuf};

use windesk::authoring::build::{PackList, build_pack};
use windesk::default_pack::open_starter;
use windesk::engine::pack::{Pack, PackFiles};
use windesk::files::{Replace, StagedFolder};
use windesk::model::Error;
use windesk::model::finding::Finding;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/pack")
}

/// Builds a list beside the example's pictures; returns findings and the opened pack, if it was made.
fn build(text: &str) -> Result<(Vec<Finding>, Pack), Error> {
    let place = tempfile::tempdir().expect("room");
    let list: PackList = serde_json::from_str(text).expect("the shape of a list");
    let folder = StagedFolder::new(&place.path().join("pack"), Replace::Nothing)?;
    let defaults = open_starter().expect("the binary's own");
    let findings = build_pack(&list, "list.json", &example(), &defaults, &folder, 1)?;
    folder.commit()?;
    // The folder goes when this returns; pictures are read later.
    let files = PackFiles::folder(&place.path().join("pack"), None)?;
    let in_memory =
        files.names().map(|name| Ok((name.to_owned(), files.read(name)?.into_owned()))).collect::<Result<_, Error>>()?;
    Ok((findings, Pack::open(PackFiles::in_memory("pack", in_memory))?))
}

fn example_text() -> String {
    std::fs::read_to_string(example().join("list.json")).expect("the example")
}

#[test]
fn the_documented_example_is_a_sound_pack() {
    let (findings, pack) = build(&example_text()).expect("sound");
    assert_eq!(findings, []);
    assert_eq!((pack.windows.len(), pack.transitions.len(), pack.instructions.len()), (2, 1, 1));
    let main = &pack.windows[pack.window_index("notes/main").expect("listed")];
    assert_eq!((<[i32; 4]>::from(main.frame), main.dark), ([0, 0, 320, 200], false));
    assert!(!pack.wallpapers.is_empty() && !pack.fonts.is_empty() && pack.icons.iter().any(|i| i.id == "start_button"));
    let error = pack.indexed().expect_err("not embedded yet").to_string();
    assert!(error.contains("windesk pack embed"), "{error}");
}

#[test]
fn wrong_lists_are_refused_with_the_field() {
    for (from, to, place) in [
        ("[8, 36, 72, 60]", "[8, 36, 720, 60]", "windows[0].elements[0].bbox"),
        ("notes.png", "missing.png", "windows[0].image"),
        ("notes.png", "../../pack.md", "windows[0].image"),
        ("notes.png", "list.json", "windows[0].image"),
        ("\"notes/dialog-delete\",\n      \"image\"", "\"notes/main\",\n      \"image\"", "windows[1].id"),
        ("\"notes/main\",\n      \"image\"", "\"../main\",\n      \"image\"", "windows[0].id"),
        ("\"id\": \"notes\"", "\"id\": \"..\"", "programs[0].id"),
        ("\"parent_window\": \"notes/main\"", "\"parent_window\": \"notes/dialog-delete\"", "parent_window"),
        ("\"element\": \"e1\"", "\"element\": \"e9\"", "transitions.jsonl"),
    ] {
        let text = example_text().replacen(from, to, 1);
        assert_ne!(text, example_text(), "{from}");
        let error = build(&text).expect_err(to);
        assert!(error.place.contains(place) && !error.place.contains(".new.tmp"), "{to}: {error}");
    }
}

#[test]
fn assets_of_the_list_are_checked_and_recorded() {
    let wallpaper = concat!(
        r#""wallpapers": [{"id": "plain", "file": "notes.png", "title": "Plain", "author": "me", "#,
        r#""source": "own", "licence": "CC0-1.0"}], "programs""#,
    );
    let (_, pack) = build(&example_text().replacen("\"programs\"", wallpaper, 1)).expect("sound");
    assert_eq!(pack.wallpapers.iter().map(|w| w.file.as_str()).collect::<Vec<_>>(), ["plain.png"]);
    let error =
        build(&example_text().replacen("\"programs\"", &wallpaper.replace("notes.png", "list.json"), 1)).expect_err("no picture");
    assert!(error.place.contains("wallpapers[0].file"), "{error}");
}

#[test]
fn an_opaque_screenshot_gets_the_edge_that_is_asked_for() {
    let (_, bare) = build(&example_text()).expect("sound");
    let for_all = example_text().replacen("\"programs\"", "\"frame_style\": \"rounded\", \"programs\"", 1);
    let for_one = example_text().replacen("\"id\": \"notes/main\",", "\"id\": \"notes/main\", \"frame_style\": \"square\",", 1);
    for (text, margin) in [(&for_all, [42, 33]), (&for_one, [18, 13])] {
        let (findings, pack) = build(text).expect("sound");
        assert_eq!(findings, []);
        let [plain, framed] = [&bare, &pack].map(|pack| &pack.windows[pack.window_index("notes/main").expect("listed")]);
        let moved = |[x0, y0, x1, y1]: [i32; 4]| [x0 + margin[0], y0 + margin[1], x1 + margin[0], y1 + margin[1]];
        assert_eq!(<[i32; 4]>::from(framed.frame), moved(plain.frame.into()));
        for (before, after) in plain.elements.iter().zip(&framed.elements) {
            assert_eq!(<[i32; 4]>::from(after.bbox), moved(before.bbox.into()));
        }
        let margins = [framed.size.width - plain.size.width, framed.size.height - plain.size.height];
        assert!(margins.iter().all(|&px| px as i32 >= margin[0]), "{margins:?}");
        let corner = framed.frame.origin();
        let at = pack.window_index("notes/main").expect("listed");
        let pixels = pack.pixels(at, windesk::engine::pack::Focus::Active).expect("sound");
        let owns_corner = pixels.shape().count_in(windesk::model::geometry::Rect::at(corner.x, corner.y, 1, 1)) == 1;
        assert_eq!(owns_corner, margin == [18, 13], "the square one keeps its corners");
        assert_eq!(pixels.shape().count_in(framed.frame) < framed.frame.area(), margin != [18, 13]);
    }
    // A window that is no plain screenshot can't have one, and says so; as a wish for all it is left as it is.
    let maximised =
        |text: &str| text.replacen("\"id\": \"notes/main\",", "\"id\": \"notes/main\", \"placement\": \"maximized\",", 1);
    let error = build(&maximised(&for_one)).expect_err("no floating window");
    assert!(error.place.ends_with("windows[0].frame_style") && error.found.contains("not floating"), "{error}");
    let (_, pack) = build(&maximised(&for_all)).expect("sound");
    assert_eq!(<[i32; 4]>::from(pack.windows[pack.window_index("notes/main").expect("listed")].frame), [0, 0, 320, 200]);
}
