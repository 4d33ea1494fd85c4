//! Small packs made from drawn descriptions, written as folders in the format of `docs/pack.md`.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use windesk::model::digest::hex_digest;
use windesk::model::pack_format::Category;

use crate::hashed_words::{mixed, write_index};
use crate::random_window::{Attachment, WindowSpec, window_spec};

/// What a pack is to hold.
#[derive(Clone, Debug)]
pub struct PackSpec {
    pub programs: Vec<ProgramSpec>,
    /// Numbers in an embedding.
    pub dimensions: usize,
}

/// A program: its first window is a plain main window.
#[derive(Clone, Debug)]
pub struct ProgramSpec {
    pub category: usize,
    pub windows: Vec<WindowSpec>,
}

/// Packs of 6 to 14 programs with up to three windows each.
pub fn pack_spec() -> impl Strategy<Value = PackSpec> {
    let program = (0..Category::ALL.len(), prop::collection::vec(window_spec(), 1..=3))
        .prop_map(|(category, windows)| ProgramSpec { category, windows });
    (prop::collection::vec(program, 6..=14), 16..=32_usize).prop_map(|(programs, dimensions)| PackSpec { programs, dimensions })
}

/// Icons that every taskbar shows, by the ids that the engine asks for.
pub const FIXED_ICONS: [&str; 7] =
    ["start_button", "search", "tray_show_hidden", "tray_wifi", "tray_volume", "tray_battery", "tray_notifications"];

impl PackSpec {
    /// Writes the pack with its index into an empty folder.
    pub fn write(&self, root: &Path) {
        write_json(
            &root.join("pack.json"),
            &json!({"format_version": 1, "name": "random", "version": "0", "description": "drawn", "language": "en"}),
        );
        for (at, program) in self.programs.iter().enumerate() {
            program.write(root, at);
        }
        write_wallpapers(root);
        write_icons(root);
        copy_fonts(root);
        write_index(root, self.dimensions);
    }
}

impl ProgramSpec {
    fn write(&self, root: &Path, at: usize) {
        let id = format!("program-{at:02}");
        let folder = root.join("windows").join(&id);
        fs::create_dir_all(&folder).unwrap();
        write_json(
            &folder.join("program.json"),
            &json!({"id": id, "name": format!("Program {at}"), "category": Category::ALL[self.category].name(), "package": id,
                "version": "1", "origin": "drawn", "licence": "CC0-1.0", "toolkit": "none", "trademark": null}),
        );
        for (number, window) in self.windows.iter().enumerate() {
            let attachment = if number == 0 { Attachment::None } else { window.attachment };
            window.write(&folder, &id, number, attachment);
        }
    }
}

fn write_wallpapers(root: &Path) {
    let folder = root.join("wallpapers");
    fs::create_dir_all(&folder).unwrap();
    let list: Vec<Value> = [("dusk", 320, 180), ("noise", 200, 150)]
        .into_iter()
        .map(|(id, width, height)| {
            let picture = image::RgbImage::from_fn(width, height, |x, y| {
                let noise = (mixed(u64::from(y * width + x)) & 31) as u8;
                image::Rgb([(x * 200 / width) as u8 + noise, (y * 200 / height) as u8 + noise, 90 + noise])
            });
            let file = format!("{id}.png");
            picture.save(folder.join(&file)).unwrap();
            json!({"id": id, "file": file, "sha256": digest_of(&folder.join(&file)), "title": id, "author": "drawn", "source": "drawn",
                "licence": "CC0-1.0", "changes": "", "default": true, "share_alike": false})
        })
        .collect();
    write_json(&folder.join("wallpapers.json"), &list.into());
}

fn write_icons(root: &Path) {
    let folder = root.join("icons");
    fs::create_dir_all(&folder).unwrap();
    let all: Vec<&str> = Category::ALL.iter().map(|c| c.name()).collect();
    let fixed = FIXED_ICONS.iter().map(|id| ((*id).to_owned(), json!({"label": id, "use": ["tray"]})));
    let bar = (0..4).map(|n| (format!("app_{n}"), json!({"label": "App", "use": ["taskbar"], "categories": all})));
    let desktop = (0..9).map(|n| (format!("file_{n}"), json!({"label": format!("Folder {n}"), "use": ["desktop"]})));
    let list: Vec<Value> = fixed
        .chain(bar)
        .chain(desktop)
        .enumerate()
        .map(|(at, (id, mut entry))| {
            let file = format!("{id}.svg");
            let svg = format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"32\" height=\"32\"><circle cx=\"16\" cy=\"16\" r=\"{}\" fill=\"#{:06x}\"/></svg>",
                8 + at % 8,
                mixed(at as u64) & 0xff_ffff
            );
            fs::write(folder.join(&file), svg).unwrap();
            entry["sha256"] = digest_of(&folder.join(&file)).into();
            for (key, value) in [("id", id.as_str()), ("file", file.as_str()), ("author", "drawn"), ("source", "drawn"), ("licence", "CC0-1.0")] {
                entry[key] = value.into();
            }
            entry
        })
        .collect();
    write_json(&folder.join("icons.json"), &list.into());
}

/// The project's own fonts: a small one would be another asset to look after.
fn copy_fonts(root: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/fonts");
    let to = root.join("fonts");
    fs::create_dir_all(&to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

/// Writes a JSON file of a pack.
pub fn write_json(path: &Path, value: &Value) {
    fs::write(path, serde_json::to_string_pretty(value).unwrap() + "\n").unwrap();
}

fn digest_of(path: &Path) -> String {
    hex_digest(&fs::read(path).unwrap())
}
