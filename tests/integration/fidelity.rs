//! `windesk fidelity`, on the committed real desktops and on desktops that the tests compose themselves, where every
//! difference is known.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use windesk::engine::render::Frame;
use windesk::model::geometry::{Point, Rect, Size};
use windesk::model::index::WindowIndex;

use crate::command::{finish, refused, windesk};
use crate::mini_pack;

const CANVAS: Size = Size { width: 1400, height: 900 };
/// Windows of the mini pack, bottom to top, with the top left of their pictures.
const PLACES: [(WindowIndex, Point); 3] = [
    (WindowIndex(0), Point { x: -60, y: 40 }),
    (WindowIndex(3), Point { x: 300, y: 200 }),
    (WindowIndex(5), Point { x: 650, y: 20 }),
];

/// A folder with one desktop that is exactly what the pack gives, composed pixel by pixel. What is reported of elements
/// is what the captures say.
fn desktop() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    mini_pack::copy_folder(&mini_pack::folder(), &folder.path().join("pack"));
    fs::create_dir(folder.path().join("desktops")).unwrap();
    let pack = mini_pack::pack();
    let wallpaper = image::open(mini_pack::folder().join("wallpapers/slope.png")).unwrap();
    let scaled = wallpaper.resize_to_fill(CANVAS.width, CANVAS.height, image::imageops::FilterType::Triangle).into_rgb8();
    let mut rgb: Vec<[f64; 3]> = scaled.pixels().map(|p| p.0.map(f64::from)).collect();
    let mut owners = vec![0_u8; rgb.len()];
    let mut windows = Vec::new();
    for (position, &(window, origin)) in PLACES.iter().enumerate() {
        let active = position == PLACES.len() - 1;
        let record = &pack.windows[window];
        let pixels = pack.pixels(window, pack.focus_of(window, active)).unwrap();
        let picture = record.size.rect();
        for (at, rgba) in pixels.rgba_in(picture).expect("a readable picture").as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = (origin.x + at as i32 % picture.width(), origin.y + at as i32 / picture.width());
            if !CANVAS.rect().contains(Point { x, y }) {
                continue;
            }
            let pixel = (y * CANVAS.width as i32 + x) as usize;
            let alpha = f64::from(rgba[3]) / 255.0;
            for channel in 0..3 {
                rgb[pixel][channel] = (f64::from(rgba[channel]) * alpha + rgb[pixel][channel] * (1.0 - alpha)).round();
            }
            if rgba[3] >= 128 {
                owners[pixel] = position as u8 + 1;
            }
        }
        let elements = record.elements.iter().filter(|e| e.popup.is_none());
        let elements: Vec<Value> =
            elements.map(|e| json!({"role": e.role, "name": e.name, "bbox": e.bbox.moved(origin)})).collect();
        windows.push(json!({"window": record.id, "origin": origin, "active": active, "elements": elements}));
    }
    let record = json!({
        "format_version": 1, "name": "own", "canvas": CANVAS, "wallpaper": "slope", "windows": windows, "moving": null,
    });
    write_record(folder.path(), &record);
    let bytes = rgb.iter().flat_map(|p| p.map(|v| v as u8)).collect();
    image::RgbImage::from_raw(CANVAS.width, CANVAS.height, bytes).unwrap().save(picture(folder.path(), "png")).unwrap();
    let owners = image::GrayImage::from_raw(CANVAS.width, CANVAS.height, owners).unwrap();
    owners.save(picture(folder.path(), "owners.png")).unwrap();
    folder
}

fn picture(folder: &Path, ending: &str) -> std::path::PathBuf {
    folder.join(format!("desktops/own.{ending}"))
}

fn read_record(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(picture(folder, "json")).unwrap()).unwrap()
}

fn write_record(folder: &Path, record: &Value) {
    fs::write(picture(folder, "json"), record.to_string()).unwrap();
}

/// Runs the program on a folder; its exit code, the report of the only desktop, and what it said.
fn report(folder: &Path) -> (Option<i32>, Value, String) {
    let finished = finish(windesk(["fidelity", folder.to_str().unwrap(), "--json"]));
    let reports: Vec<Value> = serde_json::from_str(&finished.stdout).unwrap_or_else(|e| panic!("{e}: {}", finished.stderr));
    (finished.code, reports[0].clone(), finished.stderr)
}

#[test]
fn real_desktops_are_rebuilt_pixel_by_pixel() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/desktops");
    let finished = finish(windesk(["fidelity", folder.to_str().unwrap(), "--json"]));
    let reports: Vec<Value> = serde_json::from_str(&finished.stdout).unwrap_or_else(|e| panic!("{e}: {}", finished.stderr));
    assert_eq!(reports.len(), 14);
    assert_eq!(fs::read_dir(folder.join("desktops")).unwrap().count(), 42, "three files each");
    for report in &reports {
        let pixels = &report["pixels"];
        // The compositor rounds each layer of a shadow, and so does the renderer, though not always alike.
        assert!(pixels["largest"].as_u64().unwrap() <= 2, "{report}");
        assert!(pixels["identical"].as_f64().unwrap() >= 0.99, "{report}");
        assert_eq!(report["visibility"]["largest_difference"], 0.0, "{report}");
        assert!(report["visibility"]["occluded"].as_u64().unwrap() >= 20, "{report}");
        assert!(report["visibility"]["same_owner"].as_f64().unwrap() > 0.9999, "{report}");
        assert!(report["boxes"]["compared"].as_u64().unwrap() > 60, "{report}");
        assert_eq!(report["boxes"]["equal"], report["boxes"]["compared"], "{report}");
        assert_eq!([&report["boxes"]["only_on_desktop"], &report["boxes"]["only_in_capture"]], [0, 0], "{report}");
    }
}

#[test]
fn a_desktop_that_is_what_the_pack_gives_differs_in_rounding_only() {
    let folder = desktop();
    let (code, report, said) = report(folder.path());
    assert_eq!(code, Some(0), "{said}");
    // Where several shadows lie over each other, each rounds once.
    assert!(report["pixels"]["largest"].as_u64().unwrap() <= 1, "{report}");
    assert!(report["pixels"]["ssim"].as_f64().unwrap() > 0.9999, "{report}");
    assert_eq!(report["boxes"]["equal"], report["boxes"]["compared"], "{report}");
    assert!(report["boxes"]["compared"].as_u64().unwrap() > 50, "{report}");
    assert_eq!(report["visibility"]["largest_difference"], 0.0, "{report}");
    assert!(report["visibility"]["occluded"].as_u64().unwrap() >= 10, "{report}");
    assert_eq!(report["visibility"]["same_owner"], 1.0, "{report}");
    assert_eq!(report["regions"], json!([]), "{report}");
}

#[test]
fn differences_are_found_where_they_are() {
    let folder = desktop();
    let file = picture(folder.path(), "png");
    let mut real = image::open(&file).unwrap().into_rgb8();
    for (x, y) in [(40, 600), (41, 600), (1000, 700)] {
        real.get_pixel_mut(x, y).0[1] ^= 0x80;
    }
    real.save(&file).unwrap();
    let (code, found, said) = report(folder.path());
    assert_eq!(code, Some(0), "three pixels miss no goal: {said}");
    assert_eq!(found["pixels"]["largest"], 128);
    assert_eq!(found["pixels"]["largest_at"], json!([40, 600]));
    assert_eq!(found["regions"][0], json!({"rect": [40, 600, 42, 601], "differing_px": 2, "largest": 128}));
    assert_eq!(found["regions"][1]["rect"], json!([1000, 700, 1001, 701]));
    let mut record = read_record(folder.path());
    record["moving"] = json!([30, 590, 50, 610]);
    write_record(folder.path(), &record);
    let (_, found, _) = report(folder.path());
    assert_eq!(found["regions"].as_array().unwrap().len(), 1, "what moves counts for nothing: {found}");
}

#[test]
fn a_window_elsewhere_misses_every_goal() {
    let folder = desktop();
    let mut record = read_record(folder.path());
    record["windows"][1]["origin"] = json!([307, 200]);
    write_record(folder.path(), &record);
    let (code, found, said) = report(folder.path());
    assert_eq!(code, Some(1));
    for miss in ["SSIM", "boxes differ", "visible ratio"] {
        assert!(said.contains(miss), "{miss}: {said}");
    }
    let differing = &found["boxes"]["differing"][0];
    assert_eq!(differing["made"][0].as_i64().unwrap() - differing["real"][0].as_i64().unwrap(), 7, "{differing}");
}

#[test]
fn crops_show_real_made_and_difference() {
    let size = Size { width: 100, height: 60 };
    let real = Frame { size, rgb: vec![10; 100 * 60 * 3] };
    let mut made = real.clone();
    made.rgb[(30 * 100 + 50) * 3] = 15;
    let regions = windesk::authoring::fidelity::regions(&real, &made, None, 3);
    assert_eq!(regions.iter().map(|r| r.rect).collect::<Vec<_>>(), [Rect::at(50, 30, 1, 1)]);
    let crop = windesk::authoring::fidelity::crop_pair(&real, &made, &regions[0]);
    assert_eq!(crop.size, Size { width: 3 * 49 + 8, height: 49 });
    let at = |x: usize, y: usize| crop.rgb[(y * crop.size.width as usize + x) * 3];
    assert_eq!([at(24, 24), at(49 + 4 + 24, 24), at(2 * (49 + 4) + 24, 24)], [10, 15, 40]);
}

#[test]
fn bad_folders_are_refused() {
    let run = |folder: &Path| windesk(["fidelity", folder.to_str().unwrap()]);
    let empty = tempfile::tempdir().unwrap();
    refused(run(empty.path()), &["desktops", "expected a folder of real desktops"]);
    type Change = fn(&mut Value);
    let changes: [(Change, &str); 5] = [
        (|r| r["windows"][0]["window"] = json!("nobody/main"), "nobody/main"),
        (|r| r["canvas"] = json!([1399, 900]), "1400x900"),
        (|r| r["format_version"] = json!(2), "format_version 2"),
        (|r| r["windows"] = json!([]), "0 windows"),
        (|r| r["wallpaper"] = json!("fog"), "no wallpaper `fog`"),
    ];
    for (change, expected) in changes {
        let folder = desktop();
        let mut record = read_record(folder.path());
        change(&mut record);
        write_record(folder.path(), &record);
        refused(run(folder.path()), &[expected]);
    }
    let folder = desktop();
    refused(windesk(["fidelity", folder.path().to_str().unwrap(), "--only", "other"]), &["other", "own"]);
}
