use super::entry::{program_in, role_in, without_bare_numbers};
use super::*;

const GOOD: &str = r#"{"image_path": "Browsers\\web_original_20250603_230025.png", "content": "the 'Views' dropdown menu",
    "gt_bbox": [0.1, 0.2, 0.5, 0.6], "type": "Browsers", "orig_size": [40, 20], "similar_contents": ["x"]}"#;

fn import(entries: &[&str]) -> Import {
    let place = tempfile::tempdir().expect("room");
    std::fs::create_dir(place.path().join("Browsers")).expect("room");
    let picture = image::RgbaImage::from_fn(40, 20, |x, y| image::Rgba([x as u8, y as u8, 0, 255]));
    picture.save(place.path().join("Browsers/web_original_20250603_230025.png")).expect("room");
    std::fs::write(place.path().join("Browsers/broken.png"), b"no picture").expect("room");
    let metadata = place.path().join("metadata.json");
    std::fs::write(&metadata, format!("[{}]", entries.join(","))).expect("room");
    let options = ImportOptions { name: "p".into(), licence: "LicenseRef-unknown".into(), origin: "a test".into() };
    import_metadata(&metadata, place.path(), &options).expect("a list")
}

#[test]
fn a_sound_entry_becomes_a_window_with_an_instruction() {
    let import = import(&[GOOD]);
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
        let import = import(&[GOOD, &broken]);
        let [bad] = &import.bad[..] else { panic!("{to}: {:?}", import.bad) };
        assert!(bad.place.ends_with(&format!("metadata.json[1].{field}")) && bad.found.contains(found), "{to}: {bad}");
        assert_eq!(import.list.windows.len(), 1, "the sound entry stays");
    }
}

#[test]
fn the_same_pair_twice_is_broken_and_another_wording_a_paraphrase() {
    let other = GOOD.replace("the 'Views' dropdown menu", "choose a view");
    let import = import(&[GOOD, GOOD, &other]);
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
