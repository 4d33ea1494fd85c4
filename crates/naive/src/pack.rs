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
    sessions: RefCell<BTreeMap<String, Value>>,
    pictures: RefCell<BTreeMap<(String, bool), Rc<RgbaImage>>>,
    wallpapers: RefCell<BTreeMap<String, Rc<RgbImage>>>,
}

impl NaivePack {
    /// Reads nothing yet.
    pub fn open(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            captures: RefCell::default(),
            sessions: RefCell::default(),
            pictures: RefCell::default(),
            wallpapers: RefCell::default(),
        }
    }

    /// The description of a window.
    pub fn capture(&self, window: &str) -> Rc<Value> {
        let mut captures = self.captures.borrow_mut();
        let read = || Rc::new(json_file(&self.root.join(format!("windows/{window}.json"))));
        Rc::clone(captures.entry(window.to_owned()).or_insert_with(read))
    }

    /// Boxes outside of which no pixel of a window's picture is its own, frame and open popups: where its session draws
    /// the shadows.
    pub fn own_boxes(&self, window: &str) -> Option<Vec<Box4>> {
        let capture = self.capture(window);
        let popups = capture["popups"].as_array().unwrap().iter().map(|popup| box4(&popup["rect"]));
        self.draws_shadows(&capture).then(|| std::iter::once(box4(&capture["frame"])).chain(popups).collect())
    }

    fn draws_shadows(&self, capture: &Value) -> bool {
        let Some(id) = capture["session"].as_str() else { return false };
        let mut sessions = self.sessions.borrow_mut();
        let read = || json_file(&self.root.join(format!("sessions/{id}.json")));
        !sessions.entry(id.to_owned()).or_insert_with(read)["look"]["shadow"].is_null()
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
        square_docked_corners(&mut picture, &capture);
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

/// Corners between two sides of which one is docked are square: each pixel is the nearest one that follows along its
/// row or its column.
fn square_docked_corners(picture: &mut RgbaImage, capture: &Value) {
    let place = capture["placement"].as_str().unwrap();
    let has = |words: &[&str]| place == "maximized" || words.contains(&place);
    let [left, right] = [has(&["left_half", "top_left", "bottom_left"]), has(&["right_half", "top_right", "bottom_right"])];
    let halves = ["left_half", "right_half"];
    let top = has(&["top_left", "top_right"]) || halves.contains(&place);
    let bottom = has(&["bottom_left", "bottom_right"]) || halves.contains(&place);
    let [x0, y0, x1, y1] = box4(&capture["frame"]);
    for (docked, x, y, dx, dy) in [
        (left || top, x0, y0, 1, 1),
        (right || top, x1 - 1, y0, -1, 1),
        (left || bottom, x0, y1 - 1, 1, -1),
        (right || bottom, x1 - 1, y1 - 1, -1, -1),
    ] {
        let at = |across: i32, down: i32| ((x + dx * across) as u32, (y + dy * down) as u32);
        let solid = |picture: &RgbaImage, (x, y): (u32, u32)| picture.get_pixel(x, y)[3] == 255;
        let across = (0..40.min((x1 - x0) / 2)).find(|&by| solid(picture, at(by, 0)));
        let down = (0..40.min((y1 - y0) / 2)).find(|&by| solid(picture, at(0, by)));
        let (true, Some(across), Some(down)) = (docked, across, down) else { continue };
        for (i, j) in (0..across).flat_map(|i| (0..down).map(move |j| (i, j))) {
            let (from_x, from_y) = if j <= i { at(across, j) } else { at(i, down) };
            let mut pixel = *picture.get_pixel(from_x, from_y);
            pixel[3] = 255;
            let (to_x, to_y) = at(i, j);
            picture.put_pixel(to_x, to_y, pixel);
        }
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
pub(crate) fn number(value: &Value) -> i32 {
    i32::try_from(value.as_i64().unwrap_or_else(|| panic!("{value}: expected a whole number"))).unwrap()
}
