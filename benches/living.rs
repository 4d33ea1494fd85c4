//! What it costs to compose a window of 1,000x700 px with ten patches, and to act on it: `cargo bench --bench living`.
//! The page is drawn for it: 60 elements, 40 check boxes with a patch each, a slider.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use divan::{Bencher, black_box};
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder};
use serde_json::{Value, json};
use windesk::engine::pack::living::{act, compose};
use windesk::engine::pack::{Focus, Pack, open_place};
use windesk::model::digest::hex_digest;
use windesk::model::geometry::Point;
use windesk::model::index::WindowIndex;
use windesk::model::pack_format::living::Value as On;
use windesk::model::page_state::{PageState, WindowEvent};

const SIZE: [u32; 2] = [1000, 700];
const BOXES: u32 = 40;
/// Top left of a check box, and the size of what its patch replaces.
const BOX_SIZE: [u32; 2] = [120, 24];

fn box_at(number: u32) -> [u32; 2] {
    [40 + number % 5 * 180, 60 + number / 5 * 70]
}

fn write_json(path: &Path, value: &Value) {
    fs::write(path, format!("{value}\n")).expect("a disk that takes it");
}

/// Writes a picture under its digest; gives what a capture says of it.
fn picture(folder: &Path, [width, height]: [u32; 2], colour: impl Fn(u32, u32) -> [u8; 4]) -> Value {
    let rgba: Vec<u8> = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| colour(x, y)).collect();
    let mut bytes = Vec::new();
    WebPEncoder::new_lossless(&mut bytes).write_image(&rgba, width, height, ExtendedColorType::Rgba8).expect("pixels");
    let digest = hex_digest(&bytes);
    let file = format!("{}.webp", &digest[..16]);
    fs::write(folder.join(&file), bytes).expect("a disk that takes it");
    json!({"file": file, "sha256": digest, "size": [width, height]})
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        fs::copy(entry.path(), to.join(entry.file_name())).expect("a disk that takes it");
    }
}

fn pack() -> &'static (tempfile::TempDir, Pack, WindowIndex) {
    static PACK: OnceLock<(tempfile::TempDir, Pack, WindowIndex)> = OnceLock::new();
    PACK.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        for part in ["fonts", "icons", "wallpapers"] {
            copy_folder(&fixtures.join("mini-pack").join(part), &folder.path().join(part));
        }
        let page = folder.path().join("windows/dimmer");
        fs::create_dir_all(&page).expect("a folder");
        fs::create_dir_all(folder.path().join("sessions")).expect("a folder");
        fs::copy(fixtures.join("living-pack/pack.json"), folder.path().join("pack.json")).expect("a fixture");
        fs::copy(fixtures.join("living-pack/windows/dimmer/program.json"), page.join("program.json")).expect("a fixture");
        let session = fs::read_to_string(fixtures.join("living-pack/sessions/drawn-light.json")).expect("a fixture");
        let mut session: Value = serde_json::from_str(&session).expect("JSON");
        session["shell"]["pinned"] = json!([]);
        write_json(&folder.path().join("sessions/drawn-light.json"), &session);
        let shade = |x: u32, y: u32| (x * 7 + y * 13) as u8;
        let image = picture(&page, SIZE, |x, y| [shade(x, y), shade(y, x), 90, 255]);
        let atlas = picture(&page, [BOX_SIZE[0], BOX_SIZE[1] * BOXES], |x, y| [9, shade(x, y), shade(y, x), 255]);
        let mut lines = vec![json!({"line": "page", "patch_version": 1, "page": "dimmer/main", "inactive": {"kind": "same"},
            "focus_home": null, "volatile": [], "coverage": {"elements": BOXES, "known": BOXES}})];
        let mut elements = Vec::new();
        for number in 0..BOXES {
            let [x, y] = box_at(number);
            let bbox = [x, y, x + BOX_SIZE[0], y + BOX_SIZE[1]];
            let (id, element) = (format!("c{number}"), format!("e{number}"));
            lines.push(json!({"line": "control", "id": id, "element": element, "type": "check_box",
                "values": {"kind": "choices", "values": [false, true]}, "value": false,
                "click_map": {"kind": "regions", "regions": [{"rect": bbox, "value": true}]}}));
            lines.push(json!({"line": "patch", "control": id, "value": true, "verified": true,
                "areas": [{"rect": bbox, "at": [0, number * BOX_SIZE[1]]}], "elements": [{"id": element, "state": {"checked": true}}]}));
            elements.push(json!({"id": element, "parent": null, "role": "check box", "name": format!("Option {number}"), "description": "",
                "bbox": bbox, "interactive": true, "popup": null, "state": {}}));
            if number % 2 == 0 {
                elements.push(json!({"id": format!("l{number}"), "parent": null, "role": "label", "name": format!("Label {number}"),
                    "description": "", "bbox": [x, y + 30, x + 60, y + 50], "interactive": false, "popup": null, "state": {}}));
            }
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let digest = hex_digest(text.as_bytes());
        let file = format!("{}.jsonl", &digest[..16]);
        fs::write(page.join(&file), text).expect("a disk that takes it");
        let capture = json!({"format_version": 2, "id": "dimmer/main", "session": "drawn-light", "title": "Dimmer", "kind": "main",
            "living": {"file": file, "sha256": digest, "atlas": atlas}, "image": image, "inactive": null,
            "frame": [0, 0, SIZE[0], SIZE[1]], "popups": [], "parent_window": null, "parent_offset": null, "modal": false,
            "variant_of": null, "placement": "floating", "theme": "Drawn", "frame_style": "drawn", "dark": false, "scale": 1.0,
            "language": "en", "elements": elements, "source": {"recipe": "drawn", "steps": [], "captured": "2026-11-22"}});
        write_json(&page.join("main.json"), &capture);
        let pack = Pack::open(open_place(folder.path()).expect("a folder")).unwrap_or_else(|error| panic!("{error}"));
        let at = pack.window_index("dimmer/main").expect("it was written");
        (folder, pack, at)
    })
}

/// Ten boxes ticked, from this one on.
fn ten(first: u32) -> PageState {
    let values = (first..first + 10).map(|number| (format!("c{}", number % BOXES), On::Switch(true)));
    PageState { values: values.collect(), ..PageState::default() }
}

#[divan::bench]
fn compose_ten_patches(bencher: Bencher) {
    let (_, pack, at) = pack();
    let living = pack.living(*at).expect("a sound page");
    let state = ten(3);
    compose(pack, &living, &state, Focus::Active.into()).expect("a sound state");
    bencher.bench(|| compose(pack, &living, black_box(&state), Focus::Active.into()).expect("a sound state"));
}

/// As scenes use it: prepared in strips, of which those that no patch changes are the capture's.
#[divan::bench(sample_count = 20)]
fn shown_in_a_new_state(bencher: Bencher) {
    let (_, pack, at) = pack();
    let first = std::sync::atomic::AtomicU32::new(0);
    bencher
        .with_inputs(|| {
            let number = first.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let mut state = ten(number);
            state.values.extend((0..number % 7).map(|at| (format!("c{}", (number + 17 + at) % BOXES), On::Switch(true))));
            state
        })
        .bench_values(|state| {
            let shown = pack.shown(*at, Some(&state)).expect("a sound state");
            shown.pixels(pack, Focus::Active).expect("a picture")
        });
}

#[divan::bench]
fn act_on_a_click(bencher: Bencher) {
    let (_, pack, at) = pack();
    let living = pack.living(*at).expect("a sound page");
    let state = ten(3);
    let [x, y] = box_at(30).map(|at| at as i32 + 5);
    let event = WindowEvent::Click(Point { x, y });
    bencher.bench(|| act(&living, black_box(&state), &event).expect("a sound state"));
}

fn main() {
    divan::main();
}
