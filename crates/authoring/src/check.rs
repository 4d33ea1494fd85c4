//! Proves a pack sound, pixels included: every picture decoded, every box looked at. What [`Pack::open`] checks is not
//! repeated here.

mod living;
mod transitions;

use std::collections::{BTreeMap, BTreeSet};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::Serialize;

use windesk_engine::drawing::read_drawing;
use windesk_engine::icon_probe::IconSet;
use windesk_engine::pack::{
    COMPETITOR_FILE, EVIDENCE_FILE, Element, Focus, INSTRUCTION_FILE, Pack, TRANSITION_FILE, WORKFLOW_FILE, Window,
};
use windesk_engine::render::{check_font, decode_limited};
use windesk_model::digest::hex_digest;
use windesk_model::finding::Finding;
use windesk_model::geometry::Rect;
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::State;
use windesk_model::role::ROLES;

/// What a check found, and how much it looked at.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckReport {
    /// Everything wrong, sorted.
    pub findings: Vec<Finding>,
    /// Captures looked at.
    pub windows: usize,
    /// Elements looked at.
    pub elements: usize,
    /// Interactive elements with a speakable name.
    pub named_interactive: usize,
    /// Files whose digest was compared.
    pub digests: usize,
}

/// Two captures of one program whose difference hashes differ in fewer of 256 bits are one capture twice.
const MIN_HASH_DISTANCE: u32 = 2;
/// Share of a frame's pixels, in per mille, that may be translucent: rounded corners.
const MAX_TRANSLUCENT_PER_MILLE: u64 = 8;
/// Levels between the darkest and the brightest channel below which a box shows nothing.
const MIN_CONTRAST: u8 = 12;

/// What is wrong with a window, and the hash of its looks.
type Checked = (Vec<Finding>, Option<[u64; 4]>);

/// Checks a pack with up to `threads` threads.
pub fn check(pack: &Pack, threads: usize) -> CheckReport {
    let mut report = CheckReport { windows: pack.windows.len(), ..CheckReport::default() };
    let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).build().expect("threads can be started");
    // One window at a time: they differ in work.
    let windows = (0..pack.windows.len()).into_par_iter().with_max_len(1);
    let checked: Vec<Checked> = pool.install(|| windows.map(|at| check_window(pack, WindowIndex(at))).collect());
    let mut hashes: BTreeMap<WindowIndex, [u64; 4]> = BTreeMap::new();
    for (at, (findings, hash)) in checked.into_iter().enumerate().map(|(at, checked)| (WindowIndex(at), checked)) {
        report.findings.extend(findings);
        hashes.extend(hash.map(|h| (at, h)));
    }
    for window in &pack.windows {
        report.elements += window.elements.len();
        report.named_interactive += window.elements.iter().filter(|e| e.interactive && !e.name.is_empty()).count();
        report.digests += 1 + usize::from(window.inactive.is_some());
    }
    report.findings.extend(duplicates(pack, &hashes));
    report.findings.extend(transitions::check_transitions(pack));
    report.findings.extend(super::instructions::findings(pack));
    if let Err(error) = pack.workflows() {
        report.findings.push(Finding { place: pack.files().place().to_owned(), problem: error.to_string() });
    }
    check_assets(pack, &mut report);
    check_licences(pack, &mut report);
    report.findings.extend(super::licences::check_licence_list(pack));
    report.findings.sort();
    report
}

fn check_window(pack: &Pack, at: WindowIndex) -> (Vec<Finding>, Option<[u64; 4]>) {
    let window = &pack.windows[at];
    let mut findings = living::check_page(pack, at);
    let mut find = |what: String, problem: String| findings.push(Finding { place: format!("{}{what}", window.id), problem });
    let pixels = match pack.captured_pixels(at, Focus::Active) {
        Ok(pixels) => pixels,
        Err(error) => {
            find(String::new(), error.to_string());
            return (findings, None);
        }
    };
    if window.inactive.is_some()
        && let Err(error) = pack.captured_pixels(at, Focus::Inactive)
    {
        find(String::new(), error.to_string());
    }
    let rgba = match pack.rgba_of(at, Focus::Active, window.size.rect()) {
        Ok(rgba) => rgba,
        Err(error) => {
            find(String::new(), error.to_string());
            return (findings, None);
        }
    };
    let whole = WholePicture { width: window.size.width as i32, pixels: rgba.as_chunks::<4>().0 };
    let owned = pixels.shape().count_in(window.frame);
    if (window.frame.area() - owned) * 1000 > window.frame.area() * MAX_TRANSLUCENT_PER_MILLE {
        find(
            ": frame".to_owned(),
            format!(
                "{} of {} px are translucent, expected rounded corners at most",
                window.frame.area() - owned,
                window.frame.area()
            ),
        );
    }
    let mut seen: BTreeSet<(Rect, &str, &str)> = BTreeSet::new();
    for element in &window.elements {
        let place = format!("#{} ({} \"{}\")", element.id, element.role, element.name);
        if !ROLES.contains(&element.role.as_str()) {
            find(place.clone(), format!("role `{}`, expected one of docs/pack.md", element.role));
        }
        if !seen.insert((element.bbox, &element.role, &element.name)) {
            find(place.clone(), "the same box, role and name twice".to_owned());
        }
        if let Some(problem) = misplaced(window, element) {
            find(place.clone(), problem);
        }
        if element.interactive && whole.is_blank(element.bbox) {
            find(place, "nothing is drawn in its box".to_owned());
        }
    }
    (findings, Some(whole.difference_hash(window.extent())))
}

/// An element must lie in its popup, or clear of all popups above its middle; a child reaches into its parent.
fn misplaced(window: &Window, element: &Element) -> Option<String> {
    let middle = element.bbox.centre();
    match element.popup {
        Some(popup) if !window.popups[popup].covers(element.bbox) => Some("reaches out of its popup".to_owned()),
        Some(popup) if window.popups[popup + 1..].iter().any(|p| p.contains(middle)) => {
            Some("is covered by a later popup".to_owned())
        }
        None if window.popups.iter().any(|p| p.contains(middle)) => Some("is covered by a popup".to_owned()),
        _ => None,
    }
}

/// All pixels of a window: straight RGBA, row by row.
struct WholePicture<'a> {
    width: i32,
    pixels: &'a [[u8; 4]],
}

impl WholePicture<'_> {
    fn pixels_in(&self, rect: Rect) -> impl Iterator<Item = &[u8; 4]> {
        let row = move |y: i32| &self.pixels[(y * self.width + rect.x0()) as usize..][..rect.width() as usize];
        (rect.y0()..rect.y1()).flat_map(row)
    }

    fn is_blank(&self, bbox: Rect) -> bool {
        (0..3).all(|channel| {
            let values = self.pixels_in(bbox).map(|pixel| pixel[channel]);
            let (low, high) = values.fold((u8::MAX, 0), |(low, high), v| (v.min(low), v.max(high)));
            high.saturating_sub(low) < MIN_CONTRAST
        })
    }

    /// 256 bits: whether each of 16x16 cells is brighter than its right neighbour, with ties broken by position.
    fn difference_hash(&self, extent: Rect) -> [u64; 4] {
        const CELLS: i32 = 16;
        let mean = |row: i32, column: i32| {
            let (x0, x1) = (extent.width() * column / (CELLS + 1), (extent.width() * (column + 1) / (CELLS + 1)).max(1));
            let (y0, y1) = (extent.height() * row / CELLS, (extent.height() * (row + 1) / CELLS).max(1));
            let Some(cell) = Rect::new(x0, y0, x1, y1).map(|cell| cell.moved(extent.origin())) else { return 0 };
            let sum: u64 = self.pixels_in(cell).flat_map(|pixel| &pixel[..3]).map(|&v| u64::from(v)).sum();
            sum / cell.area()
        };
        let mut bits = [0_u64; 4];
        for row in 0..CELLS {
            for column in 0..CELLS {
                if mean(row, column) > mean(row, column + 1) {
                    let bit = (row * CELLS + column) as usize;
                    bits[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
        bits
    }
}

/// Captures of one program, session, size and brightness that look the same. A living page may look as a plain capture
/// does: words hang on the one, states on the other.
fn duplicates(pack: &Pack, hashes: &BTreeMap<WindowIndex, [u64; 4]>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for program in &pack.programs {
        for (nth, &a) in program.windows.iter().enumerate() {
            for &b in &program.windows[nth + 1..] {
                let (one, other) = (&pack.windows[a], &pack.windows[b]);
                if one.session != other.session || one.living.is_some() != other.living.is_some() {
                    continue;
                }
                let alike = one.image.sha256 == other.image.sha256
                    || (one.frame.width() == other.frame.width()
                        && one.frame.height() == other.frame.height()
                        && one.dark == other.dark
                        && one.popups.len() == other.popups.len()
                        && named_elements(one) == named_elements(other)
                        && hashes.get(&a).zip(hashes.get(&b)).is_some_and(|(a, b)| distance(a, b) < MIN_HASH_DISTANCE));
                if alike {
                    findings.push(Finding { place: other.id.clone(), problem: format!("looks the same as {}", one.id) });
                }
            }
        }
    }
    findings
}

/// What a window says: two captures that say the same and look the same are one.
fn named_elements(window: &Window) -> Vec<(&str, &str, Rect, &State)> {
    window.elements.iter().map(|e| (e.role.as_str(), e.name.as_str(), e.bbox, &e.state)).collect()
}

fn distance(a: &[u64; 4], b: &[u64; 4]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

/// Digests of wallpapers, icons and fonts; files that nothing refers to.
fn check_assets(pack: &Pack, report: &mut CheckReport) {
    let listed = pack
        .wallpapers
        .iter()
        .map(|w| (format!("wallpapers/{}", w.file), &w.sha256))
        .chain(pack.icons.iter().map(|i| (format!("icons/{}", i.file), &i.sha256)))
        .chain(pack.fonts.iter().map(|f| (format!("fonts/{}", f.file), &f.sha256)));
    let mut known: BTreeSet<String> = BTreeSet::new();
    for (name, sha256) in listed {
        report.digests += 1;
        match pack.files().read(&name) {
            Ok(bytes) if hex_digest(&bytes) != *sha256 => {
                report
                    .findings
                    .push(Finding { place: name.clone(), problem: format!("SHA-256 {}, expected {sha256}", hex_digest(&bytes)) });
            }
            Ok(bytes) => {
                let problem = asset_problem(&name, &bytes);
                report.findings.extend(problem.map(|problem| Finding { place: name.clone(), problem }));
            }
            Err(error) => report.findings.push(Finding { place: name.clone(), problem: error.to_string() }),
        }
        known.insert(name);
    }
    for library in pack.probe_libraries() {
        if let Err(error) = IconSet::of_pack(pack, &[library]) {
            report.findings.push(Finding { place: format!("icons/probe/{library}.json"), problem: error.to_string() });
        }
    }
    for (at, window) in pack.windows.iter_enumerated() {
        let folder = window.id.split('/').next().unwrap_or_default();
        known.extend(std::iter::once(&window.image).chain(&window.inactive).map(|p| format!("windows/{folder}/{}", p.file)));
        known.extend(living::file_names(pack, at));
    }
    for name in pack.files().names() {
        let living = name.starts_with("windows/") && name.ends_with(".jsonl");
        let named = [INSTRUCTION_FILE, TRANSITION_FILE, EVIDENCE_FILE, COMPETITOR_FILE, WORKFLOW_FILE]
            .iter()
            .any(|file| name.ends_with(file));
        let picture = living && !named || name.ends_with(".webp") || name.ends_with(".svg") || name.ends_with(".ttf");
        if picture && !known.contains(name) && !name.starts_with("icons/probe/") {
            report.findings.push(Finding { place: name.to_owned(), problem: "no list refers to this file".to_owned() });
        }
    }
}

/// Why a wallpaper, icon or font can't be used, if so.
fn asset_problem(name: &str, bytes: &[u8]) -> Option<String> {
    match name.split('/').next() {
        Some("wallpapers") => {
            let decoded = decode_limited(bytes, None).err();
            decoded.map(|problem| format!("found {problem}, expected a PNG, JPEG or WebP picture"))
        }
        Some("icons") => read_drawing(bytes).err(),
        _ => check_font(bytes).err(),
    }
}

/// Every asset names a licence and where it came from.
fn check_licences(pack: &Pack, report: &mut CheckReport) {
    let programs = pack.programs.iter().map(|p| (&p.record.id, &p.record.licence, &p.record.package));
    let wallpapers = pack.wallpapers.iter().map(|w| (&w.id, &w.licence, &w.source));
    let icons = pack.icons.iter().map(|i| (&i.id, &i.licence, &i.source));
    let fonts = pack.fonts.iter().map(|f| (&f.file, &f.licence, &f.source));
    for (id, licence, source) in programs.chain(wallpapers).chain(icons).chain(fonts) {
        if licence.trim().is_empty() || source.trim().is_empty() {
            report.findings.push(Finding { place: id.clone(), problem: "no licence or source, expected both".to_owned() });
        }
    }
    for program in pack.programs.iter().filter(|p| p.windows.is_empty()) {
        report.findings.push(Finding { place: program.record.id.clone(), problem: "a program without captures".to_owned() });
    }
    for window in pack.windows.iter().filter(|w| w.elements.is_empty()) {
        report.findings.push(Finding { place: window.id.clone(), problem: "a capture without elements".to_owned() });
    }
}
