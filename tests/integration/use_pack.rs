//! What a stranger's archive goes through: opened, checked, its first pictures decoded. The fuzz target runs the same
//! code.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use windesk::engine::pack::living::{act, compose, normalised, reachable};
use windesk::engine::pack::{Focus, Pack, PackFiles, open_place};
use windesk::engine::render::{Renderer, Style, TextEngine};
use windesk::model::Error;
use windesk::model::digest::hex_digest;
use windesk::model::geometry::{Point, Size};
use windesk::model::index::WindowIndex;
use windesk::model::page_state::{PageState, WindowEvent};

/// Windows whose pictures are decoded.
const WINDOWS: usize = 2;

/// Opens an archive and uses it.
///
/// # Errors
/// Whatever is wrong with it; it must never panic, run on, or take memory without bounds.
pub fn use_pack(archive: &[u8]) -> Result<usize, Error> {
    let pack = Pack::open(PackFiles::archive("a stranger's pack", archive)?)?;
    for window in pack.windows.keys().take(WINDOWS) {
        for look in [Focus::Active, Focus::Inactive] {
            pack.pixels(window, pack.focus_of(window, look == Focus::Active))?;
        }
    }
    Ok(pack.windows.len())
}

/// Files of the mini pack that [`use_file`] replaces, one at a time. Those of the index need all windows.
pub const FILES: [&str; 13] = [
    "pack.json",
    "windows/celluloid/program.json",
    "windows/celluloid/main.json",
    "windows/celluloid/36b314883078d568.webp",
    "windows/celluloid/b296f35bcfcbbed2.webp",
    "wallpapers/wallpapers.json",
    "wallpapers/slope.png",
    "icons/icons.json",
    "fonts/fonts.json",
    "fonts/Inter-Regular.ttf",
    "index/index.json",
    "index/targets.jsonl.gz",
    "index/neighbours.u32.gz",
];

/// Opens the mini pack with one other file and uses what is made of it: the first byte says which file of [`FILES`],
/// the others are its content. Lists get the digest of the new file, so that what reads it is reached. True if the pack
/// bears it.
///
/// # Panics
/// Only for a bug of the reader.
pub fn use_file(bytes: &[u8]) -> bool {
    let Some((&kind, content)) = bytes.split_first() else { return false };
    let name = FILES[kind as usize % FILES.len()];
    let mut files = if name.starts_with("index/") { whole_pack().clone() } else { small_pack().clone() };
    let old = files.insert(name.to_owned(), content.to_vec()).expect("a file of the pack");
    if !name.ends_with(".json") {
        let (old, new) = (hex_digest(&old), hex_digest(content));
        for (_, list) in files.iter_mut().filter(|(name, _)| name.ends_with(".json")) {
            if let Ok(text) = std::str::from_utf8(list)
                && text.contains(&old)
            {
                *list = text.replace(&old, &new).into_bytes();
            }
        }
    }
    use_files(PackFiles::in_memory("a stranger's pack", files)).is_ok()
}

/// Files of the living pack that [`use_living`] replaces, one at a time; the living file is whatever its page names.
pub const LIVING_FILES: [&str; 6] = [
    "living",
    "windows/dimmer/transitions.jsonl",
    "windows/dimmer/evidence.jsonl",
    "sessions/drawn-light.json",
    "windows/dimmer/main.json",
    "windows/reader/shop-page.json",
];

/// Opens the living pack with one other file and reads its living page with its transitions: the first byte says which
/// file of [`LIVING_FILES`], the others are its content. True if the pack bears it.
///
/// # Panics
/// Only for a bug of the reader.
pub fn use_living(bytes: &[u8]) -> bool {
    const PAGE: &str = "windows/dimmer/main.json";
    let Some((&kind, content)) = bytes.split_first() else { return false };
    let mut files = living_pack().clone();
    match LIVING_FILES[kind as usize % LIVING_FILES.len()] {
        "living" => {
            let digest = hex_digest(content);
            let mut page: serde_json::Value = serde_json::from_slice(&files[PAGE]).expect("a capture");
            page["living"]["file"] = format!("{}.jsonl", &digest[..16]).into();
            page["living"]["sha256"] = digest.clone().into();
            files.insert(PAGE.to_owned(), page.to_string().into_bytes());
            files.insert(format!("windows/dimmer/{}.jsonl", &digest[..16]), content.to_vec());
        }
        name => {
            files.insert(name.to_owned(), content.to_vec());
        }
    }
    read_living(PackFiles::in_memory("a stranger's living pack", files)).is_ok()
}

fn read_living(files: PackFiles) -> Result<(), Error> {
    let pack = Pack::open(files)?;
    for window in pack.windows.keys() {
        let page = pack.living_page(window)?;
        for control in page.iter().flat_map(|page| &page.controls) {
            reachable(control);
        }
        pack.transitions_of(window, page.as_ref())?;
        if page.is_some() {
            use_states(&pack, window)?;
        }
    }
    Ok(())
}

/// Most states of a page that are shown, and most events that are sent to each.
const MAX_TRIED: usize = 12;

/// Shows a page with each of its patches and popups, and sends it events.
fn use_states(pack: &Pack, window: WindowIndex) -> Result<(), Error> {
    let living = pack.living(window)?;
    let page = &living.page;
    let patched = page.patches.iter().map(|patch| {
        let mut values = patch.when.clone();
        values.insert(patch.control.clone(), patch.value.clone());
        PageState { values, ..PageState::default() }
    });
    let open = page.popups.iter().map(|popup| PageState { popup: Some(popup.id.clone()), ..PageState::default() });
    let moved = page.scroll_areas.iter().map(|area| {
        let offsets = [(area.id.clone(), Point { x: 0, y: area.step.y })];
        PageState { offsets: offsets.into(), ..PageState::default() }
    });
    let events = living.window.elements.iter().map(|element| WindowEvent::Click(element.bbox.centre())).chain([
        WindowEvent::Click(Point { x: i32::MAX, y: i32::MIN }),
        WindowEvent::Drag([living.window.frame.centre(), Point { x: i32::MIN, y: 0 }]),
        WindowEvent::Scroll { at: living.window.frame.centre(), notches: Point { x: i32::MAX, y: i32::MIN } },
        WindowEvent::Type("ab".to_owned()),
        WindowEvent::Key("Escape".to_owned()),
    ]);
    let events: Vec<WindowEvent> = events.collect();
    let states = open.chain(moved).chain(patched).take(MAX_TRIED).chain([PageState::default()]);
    for state in states {
        // A state may have no look; one that has can be acted on, whatever is done.
        let Ok(shown) = compose(pack, &living, &state, Focus::Inactive.into()) else { continue };
        assert_eq!(shown.rgba.len() as u64, shown.rect.area() * 4);
        for event in events.iter().rev().take(MAX_TRIED) {
            let acted = act(&living, &state, event)?;
            if acted.window.as_ref() == Some(&living.window.id) {
                normalised(&living, &acted.state)?;
            } else if let Some(other) = acted.window.as_deref().and_then(|id| living.other(id)) {
                normalised(other, &acted.state)?;
            }
        }
    }
    Ok(())
}

fn use_files(files: PackFiles) -> Result<(), Error> {
    let pack = Pack::open(files)?;
    let renderer = Renderer::new(&pack)?;
    if let Some(wallpaper) = pack.wallpapers.first() {
        renderer.windows_over_wallpaper(&wallpaper.id, Size { width: 320, height: 240 }, &[])?;
    }
    let style = Style { size_px: 14, weight: 400, width_px: 120, lines: 2, centred: true };
    TextEngine::new(&pack)?.caption("Celluloid äß", style)?;
    for focus in [Focus::Active, Focus::Inactive] {
        for window in pack.windows.keys().take(1) {
            pack.pixels(window, pack.focus_of(window, focus == Focus::Active))?;
        }
    }
    Ok(())
}

type Files = BTreeMap<String, Vec<u8>>;

fn whole_pack() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| fixture("mini-pack"))
}

/// The living pack with the lists that it shares with the mini pack, without their pictures.
fn living_pack() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| {
        let lists =
            whole_pack().iter().filter(|(name, _)| ["fonts/", "icons/", "wallpapers/"].iter().any(|p| name.starts_with(p)));
        fixture("living-pack").into_iter().chain(lists.map(|(name, bytes)| (name.clone(), bytes.clone()))).collect()
    })
}

/// The files of a pack among the fixtures.
fn fixture(name: &str) -> Files {
    // The fuzz targets are a package of their own, in a folder of this one.
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = ["", ".."].map(|up| package.join(up).join("tests/fixtures").join(name)).into_iter().find(|p| p.exists());
    let files = open_place(&place.expect("a fixture")).expect("a readable pack");
    files.names().map(|name| (name.to_owned(), files.read(name).expect("a readable file").into_owned())).collect()
}

fn small_pack() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| {
        let wanted =
            |name: &str| !name.starts_with("index/") && (!name.starts_with("windows/") || name.starts_with("windows/celluloid/"));
        whole_pack().iter().filter(|(name, _)| wanted(name)).map(|(name, bytes)| (name.clone(), bytes.clone())).collect()
    })
}
