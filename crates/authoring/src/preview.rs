//! A contact sheet of a pack, to look at: every window with the boxes of its elements, for a browser and as PNG sheets.
//!
//! The page needs no server and no network. It draws a window's boxes only when it scrolls into view, so that a
//! thousand windows stay quick.

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder, Rgb, RgbImage, imageops};
use imageproc::drawing::draw_hollow_rect_mut;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::Serialize;

use windesk_engine::pack::{Element, Focus, Pack, Window};
use windesk_files::StagedFolder;
use windesk_model::Error;
use windesk_model::geometry::Rect;
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::WindowKind;
use windesk_model::role::RoleGroup;

/// The page, which reads `pack.js`.
const PAGE: &str = include_str!("preview/index.html");
/// The file by which an earlier preview is known.
pub const PREVIEW_MARKER: &str = "pack.js";
/// Largest side of a thumbnail, px.
const THUMBNAIL_PX: u32 = 480;
const JPEG_QUALITY: u8 = 85;
/// What shows through shadows and rounded corners.
const GROUND: [u8; 3] = [150, 158, 168];
/// Columns and rows of a PNG sheet, and the gap between its cells, px.
const SHEET: (u32, u32) = (5, 4);
const GAP_PX: u32 = 12;

/// What the page shows: the content of `pack.js`.
#[derive(Serialize)]
struct PageData<'a> {
    name: &'a str,
    version: &'a str,
    windows: Vec<PageWindow<'a>>,
}

#[derive(Serialize)]
struct PageWindow<'a> {
    id: &'a str,
    title: &'a str,
    program: &'a str,
    category: &'static str,
    kind: WindowKind,
    placement: windesk_model::pack_format::SnapState,
    theme: &'a str,
    dark: bool,
    popup: bool,
    size: windesk_model::geometry::Size,
    thumbnail: String,
    picture: String,
    elements: Vec<PageElement<'a>>,
    /// Element, action, window that it leads to.
    transitions: Vec<[&'a str; 3]>,
}

/// Id, role, name, colour group, box.
#[derive(Serialize)]
struct PageElement<'a>(&'a str, &'a str, &'a str, &'static str, Rect);

/// Writes the preview of a pack; returns the number of PNG sheets.
///
/// # Errors
/// If a picture of the pack can't be read, or a file not be written.
pub fn write_preview(pack: &Pack, with_sheets: bool, folder: &StagedFolder, threads: usize) -> Result<usize, Error> {
    folder.write("index.html", PAGE.as_bytes())?;
    let data = PageData {
        name: &pack.header.name,
        version: &pack.header.version,
        windows: pack.windows.iter_enumerated().map(|(at, window)| page_window(pack, at, window)).collect(),
    };
    let json = serde_json::to_string(&data).expect("plain data");
    folder.write(PREVIEW_MARKER, format!("const PACK = {json};\n").as_bytes())?;
    for_each(pack.windows.len(), threads, |at| write_pictures(pack, at.into(), folder))?;
    let per_sheet = (SHEET.0 * SHEET.1) as usize;
    let sheets = if with_sheets { pack.windows.len().div_ceil(per_sheet) } else { 0 };
    for_each(sheets, threads, |sheet| {
        let windows = sheet * per_sheet..((sheet + 1) * per_sheet).min(pack.windows.len());
        folder.write(&format!("sheets/{sheet:03}.png"), &contact_sheet_png(pack, windows)?)
    })?;
    if with_sheets {
        let lines = pack.windows.iter().enumerate().map(|(at, window)| {
            let cell = at % per_sheet;
            let (row, column) = (cell / SHEET.0 as usize + 1, cell % SHEET.0 as usize + 1);
            format!("{:03}.png row {row} column {column}: {}\n", at / per_sheet, window.id)
        });
        folder.write("sheets/contents.txt", lines.collect::<String>().as_bytes())?;
    }
    Ok(sheets)
}

fn page_window<'a>(pack: &'a Pack, at: WindowIndex, window: &'a Window) -> PageWindow<'a> {
    let program = &pack.program_of(at).record;
    let transitions = pack.transitions.of(&window.id);
    PageWindow {
        id: &window.id,
        title: &window.title,
        program: &program.name,
        category: program.category.name(),
        kind: window.kind,
        placement: window.snap,
        theme: &window.theme,
        dark: window.dark,
        popup: window.has_popup(),
        size: window.size,
        thumbnail: thumbnail_name(window),
        picture: picture_name(window),
        elements: window.elements.iter().map(|e| PageElement(&e.id, &e.role, &e.name, colour_group(e), e.bbox)).collect(),
        transitions: transitions.filter_map(|t| Some([t.element.as_deref()?, t.action.name(), t.to()?])).collect(),
    }
}

fn thumbnail_name(window: &Window) -> String {
    format!("thumbnails/{}.jpg", window.id)
}

fn picture_name(window: &Window) -> String {
    format!("pictures/{}", window.image.file)
}

/// Roles that are drawn in one colour; the page's style names the same.
fn colour_group(element: &Element) -> &'static str {
    match RoleGroup::of(&element.role) {
        _ if !element.interactive => "still",
        Some(RoleGroup::Button | RoleGroup::Link) => "button",
        Some(RoleGroup::Menu | RoleGroup::MenuItem | RoleGroup::ComboBox) => "menu",
        Some(RoleGroup::Tab | RoleGroup::Header) => "tab",
        Some(RoleGroup::CheckBox | RoleGroup::Radio | RoleGroup::Switch | RoleGroup::Slider) => "toggle",
        Some(RoleGroup::Field | RoleGroup::SpinButton) => "field",
        Some(RoleGroup::Item | RoleGroup::Cell | RoleGroup::Icon) => "item",
        None => "other",
    }
}

/// The colour of a group, as in the page's style.
fn colour(group: &str) -> Rgb<u8> {
    Rgb(match group {
        "button" => [0x1f, 0x6f, 0xeb],
        "menu" => [0xa3, 0x3e, 0xc4],
        "tab" => [0x0a, 0x8f, 0x8f],
        "toggle" => [0xe0, 0x7a, 0x00],
        "field" => [0x1a, 0x9a, 0x3c],
        "item" => [0xd1, 0x24, 0x5f],
        "other" => [0x8a, 0x6d, 0x00],
        _ => [0x80, 0x80, 0x80],
    })
}

fn write_pictures(pack: &Pack, at: WindowIndex, folder: &StagedFolder) -> Result<(), Error> {
    let window = &pack.windows[at];
    let program = window.id.split('/').next().unwrap_or_default();
    let bytes = pack.files().read_verified(&format!("windows/{program}/{}", window.image.file), &window.image.sha256)?;
    folder.write(&picture_name(window), &bytes)?;
    let thumbnail = thumbnail(pack, at)?;
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY)
        .write_image(&thumbnail, thumbnail.width(), thumbnail.height(), ExtendedColorType::Rgb8)
        .expect("writing to memory cannot fail for a picture of this size");
    folder.write(&thumbnail_name(window), &jpeg)
}

/// The whole picture over a plain ground, at most [`THUMBNAIL_PX`] wide and high, never enlarged.
fn thumbnail(pack: &Pack, at: WindowIndex) -> Result<RgbImage, Error> {
    let size = pack.windows[at].size;
    let rgba = pack.rgba_of(at, Focus::Active, size.rect())?;
    let (pixels, _) = rgba.as_chunks::<4>();
    let rgb = pixels.iter().flat_map(|p| [0, 1, 2].map(|c| windesk_engine::render::over(GROUND[c], p[c], p[3]))).collect();
    let whole = RgbImage::from_raw(size.width, size.height, rgb).expect("three bytes per pixel");
    let longest = size.width.max(size.height);
    if longest <= THUMBNAIL_PX {
        return Ok(whole);
    }
    let scaled = |side: u32| (u64::from(side) * u64::from(THUMBNAIL_PX) / u64::from(longest)).max(1) as u32;
    Ok(imageops::thumbnail(&whole, scaled(size.width), scaled(size.height)))
}

/// A sheet of thumbnails with the boxes of interactive elements.
fn contact_sheet_png(pack: &Pack, windows: std::ops::Range<usize>) -> Result<Vec<u8>, Error> {
    let cell = THUMBNAIL_PX + GAP_PX;
    let (columns, rows) = (SHEET.0, (windows.len() as u32).div_ceil(SHEET.0));
    let mut sheet = RgbImage::from_pixel(columns * cell + GAP_PX, rows * cell + GAP_PX, Rgb([250, 250, 250]));
    for (nth, at) in windows.enumerate() {
        let at = WindowIndex(at);
        let mut picture = thumbnail(pack, at)?;
        let window = &pack.windows[at];
        let scaled = |px: i32| (i64::from(px) * i64::from(picture.width()) / i64::from(window.size.width)) as i32;
        let boxes: Vec<_> = window
            .elements
            .iter()
            .filter(|e| e.interactive)
            .map(|e| (e.bbox, colour(colour_group(e))))
            .map(|(b, colour)| {
                (scaled(b.x0()), scaled(b.y0()), scaled(b.x1()) - scaled(b.x0()), scaled(b.y1()) - scaled(b.y0()), colour)
            })
            .collect();
        for (x, y, width, height, colour) in boxes {
            draw_hollow_rect_mut(
                &mut picture,
                imageproc::rect::Rect::at(x, y).of_size(width.max(1) as u32, height.max(1) as u32),
                colour,
            );
        }
        let (column, row) = (nth as u32 % columns, nth as u32 / columns);
        imageops::replace(&mut sheet, &picture, i64::from(GAP_PX + column * cell), i64::from(GAP_PX + row * cell));
    }
    let size = windesk_model::geometry::Size { width: sheet.width(), height: sheet.height() };
    let frame = windesk_engine::render::Frame { size, rgb: sheet.into_raw() };
    Ok(windesk_engine::render::Encoder::encode(&windesk_engine::render::ImageFormat::Png, &frame))
}

/// Does `work` for 0..count on several threads; the first error in order of number wins.
fn for_each(count: usize, threads: usize, work: impl Fn(usize) -> Result<(), Error> + Sync) -> Result<(), Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).build().expect("threads can be started");
    let numbers = (0..count).into_par_iter().with_max_len(1);
    pool.install(|| numbers.find_map_first(|n| work(n).err())).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use windesk::default_pack::open_starter;
    use windesk_files::Replace;

    #[test]
    fn the_first_error_wins() {
        for _ in 0..20 {
            let work = |n: usize| if n % 7 == 3 { Err(Error::at(n, "broken")) } else { Ok(()) };
            assert_eq!(for_each(100, 4, work).expect_err("many are broken").place, "3");
        }
        assert!(for_each(3, 4, |_| Ok(())).is_ok());
    }

    #[test]
    #[should_panic(expected = "a bug in number 5")]
    fn a_panic_goes_on() {
        let _ = for_each(9, 4, |n| if n == 5 { panic!("a bug in number {n}") } else { Ok(()) });
    }

    #[test]
    fn every_window_and_colour_is_on_the_page() {
        let pack = open_starter().expect("the binary's own");
        let (at, window) = pack.windows.first_key_value().expect("a window");
        let data = page_window(&pack, at, window);
        assert_eq!(data.elements.len(), window.elements.len());
        for group in ["button", "menu", "tab", "toggle", "field", "item", "other", "still"] {
            let Rgb([r, g, b]) = colour(group);
            assert!(PAGE.contains(&format!("--{group}: #{r:02x}{g:02x}{b:02x}")), "{group}");
        }
    }

    #[test]
    fn a_preview_holds_what_its_page_refers_to() {
        let pack = open_starter().expect("the binary's own");
        let place = tempfile::tempdir().expect("room");
        let out = place.path().join("preview");
        let folder = StagedFolder::new(&out, Replace::Nothing).expect("free");
        assert_eq!(write_preview(&pack, true, &folder, 2).expect("a sound pack"), pack.windows.len().div_ceil(20));
        folder.commit().expect("free");
        for window in &pack.windows {
            assert!(out.join(thumbnail_name(window)).is_file() && out.join(picture_name(window)).is_file(), "{}", window.id);
        }
        let sheet = image::open(out.join("sheets/000.png")).expect("a picture");
        assert_eq!((sheet.width(), sheet.height()), (5 * 492 + 12, 4 * 492 + 12));
    }
}
