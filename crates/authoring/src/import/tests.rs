use super::entry::{program_in, role_in};
use super::*;

const GOOD: &str = r#"{"image_path": "Browsers\\web_original_20250603_230025.png", "content": "the 'Views' dropdown menu",
    "gt_bbox": [0.1, 0.2, 0.5, 0.6], "type": "Browsers", "orig_size": [40, 20], "similar_contents": ["x"]}"#;

fn options() -> ImportOptions {
    ImportOptions {
        name: "p".into(),
        licence: "LicenseRef-unknown".into(),
        origin: "a test".into(),
        category: Some(Category::Utilities),
        roles: BTreeMap::from([("gadget".to_owned(), "push button".to_owned())]),
    }
}

fn import_entries(entries: &[&str]) -> Import {
    let place = tempfile::tempdir().expect("room");
    std::fs::create_dir(place.path().join("Browsers")).expect("room");
    let picture = image::RgbaImage::from_fn(40, 20, |x, y| image::Rgba([x as u8, y as u8, 0, 255]));
    picture.save(place.path().join("Browsers/web_original_20250603_230025.png")).expect("room");
    std::fs::write(place.path().join("Browsers/broken.png"), b"no picture").expect("room");
    let metadata = place.path().join("metadata.json");
    std::fs::write(&metadata, format!("[{}]", entries.join(","))).expect("room");
    import(&metadata, place.path(), Some(ImportFormat::Metadata), &options()).expect("a list")
}

#[test]
fn a_sound_entry_becomes_a_window_with_an_instruction() {
    let import = import_entries(&[GOOD]);
    assert!(import.bad.is_empty(), "{:?}", import.bad);
    let [window] = &import.list.windows[..] else { panic!("one window") };
    assert_eq!((window.id.as_str(), window.elements[0].role.as_str()), ("web/web-original-20250603-230025", "combo box"));
    assert_eq!(<[i32; 4]>::from(window.elements[0].bbox), [4, 4, 20, 12]);
    assert_eq!(window.elements[0].instruction.as_deref(), Some("the 'Views' dropdown menu"));
    assert_eq!(import.list.programs[0].category, Category::Browsers);
}

#[test]
fn broken_entries_are_named_by_number_and_field() {
    for (from, to, field, found) in [
        ("0.1, 0.2", "NaN, 0.2", "gt_bbox", "NaN"),
        ("0.1, 0.2", "-0.1, 0.2", "gt_bbox", "-0.1"),
        ("0.5, 0.6", "1.5, 0.6", "gt_bbox", "1.5"),
        ("0.5, 0.6", "0.1, 0.6", "gt_bbox", "0.1"),
        ("0.5, 0.6", "0.5", "gt_bbox", "0.5"),
        ("[40, 20]", "[41, 20]", "orig_size", "41"),
        ("[40, 20]", "[-1, 20]", "orig_size", "-1"),
        ("\"Browsers\"", "\"Cooking\"", "type", "Cooking"),
        ("the 'Views' dropdown menu", " ", "content", " "),
        ("web_original_20250603_230025", "missing", "image_path", "missing.png"),
        ("web_original_20250603_230025", "broken", "image_path", "no known picture"),
        ("Browsers\\\\web_original", "..\\\\web", "image_path", "../web"),
        ("Browsers\\\\web_original_20250603_230025.png", "/etc/hostname", "image_path", "/etc/hostname"),
    ] {
        let broken = GOOD.replacen(from, to, 1);
        assert_ne!(broken, GOOD, "{from}");
        let import = import_entries(&[GOOD, &broken]);
        let [bad] = &import.bad[..] else { panic!("{to}: {:?}", import.bad) };
        assert!(bad.place.ends_with(&format!("metadata.json[1].{field}")) && bad.found.contains(found), "{to}: {bad}");
        assert_eq!(import.list.windows.len(), 1, "the sound entry stays");
    }
}

#[test]
fn the_same_pair_twice_is_broken_and_another_wording_a_paraphrase() {
    let other = GOOD.replace("the 'Views' dropdown menu", "choose a view");
    let import = import_entries(&[GOOD, GOOD, &other]);
    assert_eq!(import.bad.len(), 1);
    assert!(import.bad[0].place.ends_with("[1].content"), "{}", import.bad[0]);
    assert_eq!(import.list.windows[0].elements[0].paraphrases, ["choose a view"]);
}

#[test]
fn names_and_words_are_read() {
    for (stem, program) in
        [("client_original_20250603_230025", "client"), ("VS Code 12", "VS Code"), ("7zip-3", "7zip"), ("20250603", "20250603")]
    {
        assert_eq!(program_in(stem), program);
    }
    assert_eq!(role_in("Open the settings tab"), "page tab");
    assert_eq!(role_in("the table of contents"), "push button");
    assert_eq!(without_bare_numbers(r#"[NaN, -Infinity, "NaN \" NaN"]"#), r#"["NaN", "-Infinity", "NaN \" NaN"]"#);
    assert_eq!(slug("VS Code!"), "vs-code");
}

/// Imports one file of another format, about `shop_1.png` of 40 x 20 px.
fn import_file(text: &str) -> Result<Import, Error> {
    let place = tempfile::tempdir().expect("room");
    image::RgbaImage::new(40, 20).save(place.path().join("shop_1.png")).expect("room");
    let file = place.path().join("shop_1.json");
    std::fs::write(&file, text).expect("room");
    import(&file, place.path(), None, &options())
}

/// Role, name, parent and box of every element.
fn elements(import: &Import) -> Vec<(&str, &str, Option<&str>, [i32; 4])> {
    let [window] = &import.list.windows[..] else { panic!("one window: {:?}", import.bad) };
    assert_eq!((window.id.as_str(), import.list.programs[0].category), ("shop/shop-1", Category::Utilities));
    window.elements.iter().map(|e| (e.role.as_str(), e.name.as_str(), e.parent.as_deref(), e.bbox.into())).collect()
}

const COCO: &str = r#"{"images": [{"id": 7, "file_name": "shop_1.png", "width": 40, "height": 20}],
  "categories": [{"id": 1, "name": "Button"}, {"id": 2, "name": "cat"}, {"id": 3, "name": "gadget"}],
  "annotations": [
    {"id": 1, "image_id": 7, "category_id": 1, "bbox": [1.5, 2, 10, 5.25], "name": "Save  as", "segmentation": []},
    {"id": 2, "image_id": 7, "category_id": 3, "bbox": [20, 2, 5, 5], "attributes": {"text": "Pin"}}]}"#;

#[test]
fn coco_is_read_and_what_is_broken_in_it_named() {
    let sound = import_file(COCO).expect("sound");
    assert!(sound.bad.is_empty(), "{:?}", sound.bad);
    let wanted = [("push button", "Save as", None, [1, 2, 12, 8]), ("push button", "Pin", None, [20, 2, 25, 7])];
    assert_eq!(elements(&sound), wanted);
    assert_eq!(sound.notes, ["not read: keys segmentation"]);
    for (from, to, place, found) in [
        ("[1.5, 2, 10, 5.25]", "[1.5, 2, 100, 5]", "annotations[0].bbox", "100"),
        ("[1.5, 2, 10, 5.25]", "[1.5, NaN, 10, 5]", "annotations[0].bbox", "NaN"),
        ("[1.5, 2, 10, 5.25]", "[1.5, 2, 0, 5]", "annotations[0].bbox", "1.5"),
        ("\"category_id\": 1", "\"category_id\": 2", "annotations[0].category_id", "cat"),
        ("\"category_id\": 1", "\"category_id\": 9", "annotations[0].category_id", "9"),
        ("\"image_id\": 7, \"category_id\": 1", "\"image_id\": 8, \"category_id\": 1", "annotations[0].image_id", "8"),
    ] {
        let broken = COCO.replacen(from, to, 1);
        assert_ne!(broken, COCO, "{from}");
        let import = import_file(&broken).expect("broken entries are listed");
        let [bad] = &import.bad[..] else { panic!("{to}: {:?}", import.bad) };
        assert!(bad.place.ends_with(place) && bad.found.contains(found), "{to}: {bad}");
    }
    let error = import_file(&COCO.replacen("\"id\": 7", "\"id\": 8", 1).replace("40, \"height\"", "41, \"height\""));
    assert_eq!(error.expect("entries are at fault").bad.len(), 2);
    let without = ImportOptions { category: None, ..options() };
    let place = tempfile::tempdir().expect("room");
    std::fs::write(place.path().join("a.json"), COCO).expect("room");
    let error = import(&place.path().join("a.json"), place.path(), None, &without).expect_err("no category").to_string();
    assert!(error.contains("option `category`"), "{error}");
}

#[test]
fn labelme_is_read_and_what_is_broken_in_it_named() {
    const LABELME: &str = r#"{"version": "5.4.1", "imagePath": "..\\shots\\shop_1.png", "imageHeight": 20, "imageWidth": 40, "shapes": [
      {"label": "check_box: Wrap lines", "points": [[9.5, 8], [2, 3.2]], "shape_type": "rectangle", "flags": {}},
      {"label": "link", "description": "Help", "points": [[20, 2], [30, 2], [25, 9]], "shape_type": "polygon", "flags": {}}]}"#;
    let sound = import_file(LABELME).expect("sound");
    assert!(sound.bad.is_empty(), "{:?}", sound.bad);
    let wanted = [("check box", "Wrap lines", None, [2, 3, 10, 8]), ("link", "Help", None, [20, 2, 30, 9])];
    assert_eq!(elements(&sound), wanted);
    for (from, to, place) in [
        ("[2, 3.2]", "[2, 33]", "shapes[0].points"),
        ("\"rectangle\"", "\"point\"", "shapes[0].shape_type"),
        ("check_box:", "cat:", "shapes[0].label"),
        ("\"imageWidth\": 40", "\"imageWidth\": 80", "imageWidth"),
        ("shop_1.png", "shop_2.png", "imagePath"),
    ] {
        let import = import_file(&LABELME.replacen(from, to, 1)).expect("broken entries are listed");
        let [bad] = &import.bad[..] else { panic!("{to}: {:?}", import.bad) };
        assert!(bad.place.ends_with(place), "{to}: {bad}");
    }
}

#[test]
fn trees_are_read_nested_and_flat() {
    // The window lies at (100, 50) on the screen.
    let nested = r#"{"role": "frame", "name": "Shop", "bounds": {"x": 100, "y": 50, "width": 40, "height": 20}, "children": [
      {"role": "filler", "bounds": {"x": 100, "y": 50, "width": 30, "height": 20}, "children": [
        {"role": "AXButton", "AXTitle": "Buy", "AXFrame": [102, 52, 8, 6], "states": ["focused", "showing"], "pid": 3},
        {"role": "push button", "name": "Gone", "bounds": {"left": 0, "top": 0, "right": 9, "bottom": 9}},
        {"role": "push button", "name": "Hidden", "visible": false, "bounds": {"x": 101, "y": 51, "width": 3, "height": 3}},
        {"role": "push button", "name": "Nowhere"}]},
      {"role": {"value": "checkbox"}, "name": {"value": "Gift"}, "bbox": [130, 60, 150, 66], "checked": true}]}"#;
    let import = import_file(nested).expect("sound");
    assert!(import.bad.is_empty(), "{:?}", import.bad);
    let wanted = [
        ("window", "Shop", None, [0, 0, 40, 20]),
        ("push button", "Buy", Some("e0"), [2, 2, 10, 8]),
        ("check box", "Gift", Some("e0"), [30, 10, 40, 16]),
    ];
    assert_eq!(elements(&import), wanted);
    let states: Vec<_> =
        import.list.windows[0].elements.iter().map(|e| serde_json::to_string(&e.state).expect("plain")).collect();
    assert_eq!(states, ["{}", r#"{"focused":true}"#, r#"{"checked":true}"#]);
    assert_eq!(
        import.notes,
        [
            "left out, hidden nodes: 1",
            "left out, layout boxes without a name: 1",
            "left out, nodes outside the picture: 1",
            "left out, nodes without a box: 1",
            "not read: keys pid",
        ]
    );
    // The window is not the first node, and tools that know many keys write null for those that say nothing.
    let in_screen = nested
        .replace(r#""role": "push button", "name": "Gone""#, r#""role": null, "control_type": "push button", "name": "Gone""#)
        .replace(r#""AXTitle": "Buy""#, r#""name": null, "AXTitle": "Buy""#);
    let in_screen = format!(
        r#"{{"role": "desktop frame", "bounds": {{"x": 0, "y": 0, "width": 800, "height": 600}}, "hidden": true, "children": [{in_screen}]}}"#
    );
    let import = import_file(&in_screen).expect("sound");
    assert_eq!((elements(&import), import.bad.len()), (wanted.to_vec(), 0));
    // The same tree as a list, children first.
    let flat = r#"[{"id": 3, "parent": 1, "role": "checkbox", "name": "Gift", "bbox": [130, 60, 150, 66]},
      {"id": 2, "parent": 1, "role": "button", "name": "Buy", "bounds": "[102,52][110,58]"},
      {"id": 1, "role": "frame", "name": "Shop", "extents": [100, 50, 40, 20]}]"#;
    let import = import_file(flat).expect("sound");
    let mut found = elements(&import);
    found.sort_by_key(|e| e.3);
    assert_eq!(found, wanted);
    let by_children = flat.replace("\"parent\": 1, ", "").replace("\"id\": 1,", "\"id\": 1, \"childIds\": [2, 3],");
    let import = import_file(&format!("{{\"nodes\": {by_children}}}")).expect("sound");
    assert_eq!(elements(&import).len(), 3, "{:?}", import.bad);
}

#[test]
fn trees_without_end_are_refused() {
    let deep = |depth: usize| {
        let open = r#"{"role": "panel", "name": "p", "bbox": [0, 0, 40, 20], "children": ["#;
        format!("{}{}", open.repeat(depth), "]}".repeat(depth))
    };
    assert_eq!(elements(&import_file(&deep(60)).expect("as deep as may be")).len(), 60);
    for depth in [61, 5000] {
        let error = import_file(&deep(depth)).expect_err("too deep");
        assert!(error.hint.as_deref().is_some_and(|hint| hint.contains("60 deep")), "{error}");
    }
    let circle = r#"[{"id": "a", "parent": "b", "role": "panel"}, {"id": "b", "parent": "a", "role": "panel"}]"#;
    let error = import_file(circle).expect_err("a circle").to_string();
    assert!(error.contains("2 nodes that are their own ancestors"), "{error}");
    let chain: Vec<String> = (0..100)
        .map(|n| {
            format!(
                r#"{{"id": {n}, "parent": {}, "role": "panel"}}"#,
                if n == 0 { "null".to_owned() } else { (n - 1).to_string() }
            )
        })
        .collect();
    let error = import_file(&format!("[{}]", chain.join(","))).expect_err("too deep").to_string();
    assert!(error.contains("nested more than 60 deep"), "{error}");
}
