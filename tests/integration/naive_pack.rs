//! A second reader of packs, straight from `docs/pack.md`: JSON values and decoded pictures. It uses nothing of the
//! library, so that what the library says about a scene can be held against it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use image::{RgbImage, RgbaImage};
use serde_json::Value;

/// `[x0, y0, x1, y1]`, half-open.
pub type Box4 = [i32; 4];

/// A pack as a folder.
pub struct NaivePack {
    root: PathBuf,
    captures: RefCell<BTreeMap<String, Rc<Value>>>,
    pictures: RefCell<BTreeMap<(String, bool), Rc<RgbaImage>>>,
    wallpapers: RefCell<BTreeMap<String, Rc<RgbImage>>>,
}

impl NaivePack {
    pub fn open(root: &Path) -> Self {
        Self { root: root.to_owned(), captures: RefCell::default(), pictures: RefCell::default(), wallpapers: RefCell::default() }
    }

    /// The description of a window.
    pub fn capture(&self, window: &str) -> Rc<Value> {
        let mut captures = self.captures.borrow_mut();
        let read = || Rc::new(json_file(&self.root.join(format!("windows/{window}.json"))));
        Rc::clone(captures.entry(window.to_owned()).or_insert_with(read))
    }

    /// A window's picture with or without the focus, straight alpha.
    pub fn picture(&self, window: &str, active: bool) -> Rc<RgbaImage> {
        if let Some(known) = self.pictures.borrow().get(&(window.to_owned(), active)) {
            return Rc::clone(known);
        }
        let capture = self.capture(window);
        let folder = self.root.join("windows").join(window.split('/').next().unwrap());
        let decoded = |entry: &Value| image::open(folder.join(entry["file"].as_str().unwrap())).unwrap().into_rgba8();
        let mut picture = decoded(&capture["image"]);
        if !active && !capture["inactive"].is_null() {
            for (pixel, delta) in picture.pixels_mut().zip(decoded(&capture["inactive"]).pixels()) {
                for channel in 0..4 {
                    pixel[channel] = pixel[channel].wrapping_add(delta[channel]);
                }
            }
        }
        let picture = Rc::new(picture);
        self.pictures.borrow_mut().insert((window.to_owned(), active), Rc::clone(&picture));
        picture
    }

    /// A wallpaper, cut and scaled to the canvas.
    pub fn wallpaper(&self, id: &str, width: u32, height: u32) -> Rc<RgbImage> {
        let key = format!("{id} {width}x{height}");
        if let Some(known) = self.wallpapers.borrow().get(&key) {
            return Rc::clone(known);
        }
        let own = self.root.join("wallpapers");
        let folder = if own.is_dir() { own } else { self.root.parent().unwrap().join("wallpapers") };
        let list = json_file(&folder.join("wallpapers.json"));
        let entry = list.as_array().unwrap().iter().find(|w| w["id"] == id).expect("a wallpaper of the pack");
        let picture = image::open(folder.join(entry["file"].as_str().unwrap())).unwrap();
        let picture = if (picture.width(), picture.height()) == (width, height) {
            picture
        } else {
            picture.resize_to_fill(width, height, image::imageops::FilterType::Triangle)
        };
        let picture = Rc::new(picture.into_rgb8());
        self.wallpapers.borrow_mut().insert(key, Rc::clone(&picture));
        picture
    }
}

/// Reads a JSON file.
pub fn json_file(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Reads a file of JSON lines.
pub fn json_lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{}: {e}", path.display()))).collect()
}

/// Four numbers of a JSON array.
pub fn box4(value: &Value) -> Box4 {
    let numbers: Vec<i32> = value.as_array().unwrap_or_else(|| panic!("{value}: expected a box")).iter().map(number).collect();
    numbers.try_into().expect("four numbers")
}

/// A whole number.
pub fn number(value: &Value) -> i32 {
    i32::try_from(value.as_i64().unwrap_or_else(|| panic!("{value}: expected a whole number"))).unwrap()
}
