//! Recounts a scene record pixel by pixel: who owns each pixel of the screen, and what that makes of every count in the
//! record.

use std::collections::BTreeMap;

use image::RgbaImage;
use serde_json::Value;

use crate::pack::{Box4, NaivePack, box4, number};

/// Owner of a pixel where only the desktop shows.
const DESKTOP: u8 = 255;
/// Owner of the taskbar's pixels.
const TASKBAR: u8 = 254;

/// The screen, pixel by pixel.
pub struct NaiveScene {
    width: i32,
    height: i32,
    owners: Vec<u8>,
    /// Per window: its id, whether it has the focus, and where the top left of its picture is.
    pub windows: Vec<(String, bool, (i32, i32))>,
}

impl NaiveScene {
    /// Paints the windows of a record bottom to top, then bars and dock.
    pub fn of(pack: &NaivePack, scene: &Value) -> Self {
        let (width, height) = (number(&scene["width"]), number(&scene["height"]));
        let mut owners = vec![DESKTOP; (width * height) as usize];
        let mut windows = Vec::new();
        for (at, window) in scene["windows"].as_array().unwrap().iter().enumerate() {
            assert_eq!(number(&window["index"]) as usize, at, "windows are listed bottom to top");
            assert_eq!(number(&window["z"]) as usize, at, "windows are listed bottom to top");
            let (id, active) = (window["window"].as_str().unwrap(), window["active"].as_bool().unwrap());
            let (rect, frame) = (box4(&window["rect"]), box4(&pack.capture(id)["frame"]));
            let origin = (rect[0] - frame[0], rect[1] - frame[1]);
            assert_eq!([rect[2] - origin.0, rect[3] - origin.1], [frame[2], frame[3]], "{id}: windows are never scaled");
            let boxes = pack.own_boxes(id);
            let picture = pack.picture(id, active);
            for (x, y, _) in picture.enumerate_pixels() {
                let own = is_own(boxes.as_deref(), x as i32, y as i32, &picture);
                let (x, y) = (x as i32 + origin.0, y as i32 + origin.1);
                if own && x >= 0 && y >= 0 && x < width && y < height {
                    owners[(y * width + x) as usize] = at as u8;
                }
            }
            windows.push((id.to_owned(), active, origin));
        }
        let elements = scene["elements"].as_array().unwrap().iter();
        for bar in elements.filter(|e| e["layer"] == "taskbar" && e["role"] == "tool bar") {
            let [x0, y0, x1, y1] = box4(&bar["bbox"]);
            for y in y0..y1 {
                for x in x0..x1 {
                    owners[(y * width + x) as usize] = TASKBAR;
                }
            }
        }
        Self { width, height, owners, windows }
    }

    fn owner(&self, x: i32, y: i32) -> Option<u8> {
        (x >= 0 && y >= 0 && x < self.width && y < self.height).then(|| self.owners[(y * self.width + x) as usize])
    }

    /// Number of an owner's pixels in a box, and the smallest box around them.
    fn seen(&self, owner: u8, [x0, y0, x1, y1]: Box4) -> (u64, Option<Box4>) {
        let (mut count, mut around) = (0, None::<Box4>);
        for y in y0..y1 {
            for x in x0..x1 {
                if self.owner(x, y) == Some(owner) {
                    count += 1;
                    let [a, b, c, d] = around.unwrap_or([x, y, x + 1, y + 1]);
                    around = Some([a.min(x), b.min(y), c.max(x + 1), d.max(y + 1)]);
                }
            }
        }
        (count, around)
    }

    /// Pixels of a box of the picture that the window owns.
    fn owned(&self, pack: &NaivePack, window: usize, [x0, y0, x1, y1]: Box4) -> u64 {
        let (id, active, _) = &self.windows[window];
        let (picture, boxes) = (pack.picture(id, *active), pack.own_boxes(id));
        let mut count = 0;
        for y in y0..y1 {
            for x in x0..x1 {
                count += u64::from(is_own(boxes.as_deref(), x, y, &picture));
            }
        }
        count
    }
}

/// Whether a pixel of a window's picture is the window's own: solid, and in one of the boxes if there are any. Where
/// there are, the captured shadow under a round corner does not count.
fn is_own(boxes: Option<&[Box4]>, x: i32, y: i32, picture: &RgbaImage) -> bool {
    let alpha = |x: i32, y: i32| {
        let inside = x >= 0 && y >= 0 && x < picture.width() as i32 && y < picture.height() as i32;
        if inside { i32::from(picture.get_pixel(x as u32, y as u32)[3]) } else { 0 }
    };
    let whole = alpha(x, y);
    let Some(boxes) = boxes else { return whole >= 128 };
    if whole == 0 || !boxes.iter().any(|&own| holds(own, x, y)) {
        return false;
    }
    let mut share = whole;
    for &[x0, y0, x1, y1] in boxes.iter().filter(|_| whole < 255) {
        let (across, down) = (40.min((x1 - x0) / 2), 40.min((y1 - y0) / 2));
        for (corner_x, corner_y, dx, dy) in [(x0, y0, 1, 1), (x1 - 1, y0, -1, 1), (x0, y1 - 1, 1, -1), (x1 - 1, y1 - 1, -1, -1)] {
            let inwards = ((x - corner_x) * dx, (y - corner_y) * dy);
            let is_beside = (0..across).contains(&inwards.0) && (0..down).contains(&inwards.1);
            if is_beside && (1..40).any(|by| alpha(x + dx * by, y + dy * by) == 255) {
                let [near, far] = [2, 4].map(|by| alpha(x - dx * by, y - dy * by));
                let shadow = near + if far > 0 { (near - far).max(0) } else { 0 };
                share = if shadow >= 255 { whole } else { ((whole - shadow).max(0) * 255 + (255 - shadow) / 2) / (255 - shadow) };
            }
        }
    }
    share >= 128
}

/// Holds every count, box and mask of a scene record against the naive recount.
///
/// # Panics
/// On the first difference.
pub fn check_record(pack: &NaivePack, scene: &Value) -> NaiveScene {
    let id = scene["id"].as_str().unwrap();
    let naive = NaiveScene::of(pack, scene);
    for (at, window) in scene["windows"].as_array().unwrap().iter().enumerate() {
        let capture = pack.capture(&naive.windows[at].0);
        let [width, height] = [0, 1].map(|side| number(&capture["image"]["size"][side]));
        assert_eq!(window["visible_px"], naive.seen(at as u8, [0, 0, naive.width, naive.height]).0, "{id}: window {at}");
        assert_eq!(window["total_px"], naive.owned(pack, at, [0, 0, width, height]), "{id}: window {at}");
    }
    check_elements(pack, scene, &naive);
    let targets = scene["targets"].as_array().unwrap();
    assert_eq!(targets.len(), 1, "{id}");
    check_target(scene, &targets[0], &naive);
    naive
}

fn check_elements(pack: &NaivePack, scene: &Value, naive: &NaiveScene) {
    let id = scene["id"].as_str().unwrap();
    let mut of_window: BTreeMap<usize, usize> = BTreeMap::new();
    for element in scene["elements"].as_array().unwrap() {
        let bbox = box4(&element["bbox"]);
        let (owner, total) = match element["layer"].as_str().unwrap() {
            "window" => {
                let window = number(&element["window"]) as usize;
                let (x, y) = naive.windows[window].2;
                let in_picture = [bbox[0] - x, bbox[1] - y, bbox[2] - x, bbox[3] - y];
                let capture = pack.capture(&naive.windows[window].0);
                let of_pack = capture["elements"].as_array().unwrap().iter().find(|e| e["id"] == element["element"]).unwrap();
                assert_eq!(in_picture, box4(&of_pack["bbox"]), "{id}: {}", element["id"]);
                for field in ["role", "name", "interactive"] {
                    assert_eq!(element[field], of_pack[field], "{id}: {}", element["id"]);
                }
                *of_window.entry(window).or_default() += 1;
                (window as u8, naive.owned(pack, window, in_picture))
            }
            "desktop" => (DESKTOP, area(bbox)),
            "taskbar" => (TASKBAR, area(bbox)),
            other => panic!("{id}: layer {other}"),
        };
        let (seen, around) = naive.seen(owner, bbox);
        assert_eq!(element["visible_px"], seen, "{id}: {}", element["id"]);
        assert_eq!(element["total_px"], total, "{id}: {}", element["id"]);
        assert_eq!(element["visible_bbox"], around.map_or(Value::Null, |b| b.to_vec().into()), "{id}: {}", element["id"]);
    }
    for (at, (window, ..)) in naive.windows.iter().enumerate() {
        let all = pack.capture(window)["elements"].as_array().unwrap().len();
        assert_eq!(of_window.get(&at).copied().unwrap_or(0), all, "{id}: every element of {window} is recorded");
    }
}

fn check_target(scene: &Value, target: &Value, naive: &NaiveScene) {
    let id = scene["id"].as_str().unwrap();
    let element =
        scene["elements"].as_array().unwrap().iter().find(|e| e["id"] == target["element"]).expect("the target's element");
    for field in ["window", "bbox", "visible_bbox", "total_px", "visible_px"] {
        assert_eq!(target[field], element[field], "{id}: {field} of target and element");
    }
    let (visible, total) = (target["visible_px"].as_u64().unwrap(), target["total_px"].as_u64().unwrap());
    let ratio = target["visible_ratio"].as_f64().unwrap();
    // JSON readers may be off by the last bit.
    assert!((ratio - visible as f64 / total as f64).abs() < 1e-12, "{id}: {visible} of {total} px and a ratio of {ratio}");
    let band = &scene["knobs"]["visible_ratio"];
    let [low, high] = [0, 1].map(|end| (band[end].as_f64().unwrap() * 10_000.0).round() as u64);
    assert!(
        visible * 10_000 >= low * total && visible * 10_000 <= high * total,
        "{id}: {visible} of {total} px visible, band {band}"
    );

    let window = number(&target["window"]) as u8;
    let [x0, y0, x1, y1] = box4(&target["bbox"]);
    let on_screen = [x0.max(0), y0.max(0), x1.min(naive.width), y1.min(naive.height)];
    let mask = &target["visible_mask"];
    assert_eq!(mask["origin"], serde_json::json!([on_screen[0], on_screen[1]]), "{id}");
    assert_eq!(mask["size"], serde_json::json!([on_screen[3] - on_screen[1], on_screen[2] - on_screen[0]]), "{id}");
    let mut bits = Vec::new();
    for (run, count) in mask["counts"].as_array().unwrap().iter().enumerate() {
        bits.extend(std::iter::repeat_n(run % 2 == 1, number(count) as usize));
    }
    let recounted: Vec<bool> = (on_screen[1]..on_screen[3])
        .flat_map(|y| (on_screen[0]..on_screen[2]).map(move |x| (x, y)))
        .map(|(x, y)| naive.owner(x, y) == Some(window))
        .collect();
    assert!(bits == recounted, "{id}: the target's mask is not what is visible");

    let nested: Vec<Box4> = target["nested"].as_array().unwrap().iter().map(box4).collect();
    let [x, y] = [0, 1].map(|axis| number(&target["click_point"][axis]));
    assert!(
        holds([x0, y0, x1, y1], x, y) && naive.owner(x, y) == Some(window),
        "{id}: click point ({x}, {y}) is not on the target"
    );
    assert!(!nested.iter().any(|&n| holds(n, x, y)), "{id}: click point ({x}, {y}) is on a nested control");
}

fn area([x0, y0, x1, y1]: Box4) -> u64 {
    (x1 - x0) as u64 * (y1 - y0) as u64
}

/// Whether a box holds a pixel.
pub(crate) fn holds([x0, y0, x1, y1]: Box4, x: i32, y: i32) -> bool {
    x >= x0 && x < x1 && y >= y0 && y < y1
}
