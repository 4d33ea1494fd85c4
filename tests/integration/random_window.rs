//! Drawn windows: a frame with rounded corners and a soft shadow, a title bar, controls in rows, perhaps an open menu.

use std::fs;
use std::path::Path;

use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder};
use proptest::prelude::*;
use serde_json::{Value, json};
use windesk::model::digest::hex_digest;

use crate::hashed_words::mixed;
use crate::random_pack::write_json;

/// A window to draw.
#[derive(Clone, Debug)]
pub struct WindowSpec {
    /// Width and height of the frame, px.
    frame: (i32, i32),
    radius: i32,
    /// Width of the shadow, px.
    shadow: i32,
    /// Whether there is a picture without the focus.
    inactive: bool,
    dark: bool,
    pub attachment: Attachment,
    controls: Vec<ControlSpec>,
    /// Seed of what looks like text.
    ink: u64,
}

/// What makes a window more than a plain main window.
#[derive(Clone, Copy, Debug)]
pub enum Attachment {
    None,
    /// A dialog of the program's first window.
    Dialog {
        modal: bool,
        offset: (i32, i32),
    },
    /// An open menu with so many items.
    Menu(usize),
}

#[derive(Clone, Debug)]
struct ControlSpec {
    role: &'static str,
    name: usize,
    size: (i32, i32),
    /// Whether it holds a small button of its own.
    nested: bool,
    enabled: bool,
}

const VERBS: [&str; 24] = [
    "Save", "Open", "Export", "Undo", "Find", "Replace", "Refresh", "Upload", "Archive", "Mute", "Record", "Publish", "Share",
    "Print", "Zoom", "Rotate", "Crop", "Merge", "Split", "Filter", "Sort", "Lock", "Sync", "Inspect",
];
const NOUNS: [&str; 16] = [
    "", "Photo", "Track", "Draft", "Message", "Table", "Layer", "Branch", "Chapter", "Invoice", "Playlist", "Channel", "Report",
    "Backup", "Level", "Contact",
];
const ROLES: [&str; 8] = ["push button", "menu", "page tab", "check box", "entry", "combo box", "list item", "link"];
const TITLE_PX: i32 = 28;
const MENU_ITEM_PX: i32 = 24;
const MENU_WIDTH_PX: i32 = 150;

/// Names repeat: a few verbs alone are in many windows, the others are rare.
fn name(at: usize) -> String {
    format!("{} {}", VERBS[at % VERBS.len()], NOUNS[at / VERBS.len() % NOUNS.len()]).trim_end().to_owned()
}

pub fn window_spec() -> impl Strategy<Value = WindowSpec> {
    let control = (
        prop::sample::select(&ROLES[..]),
        prop_oneof![1 => 0..VERBS.len(), 4 => 0..VERBS.len() * NOUNS.len()],
        (24..130_i32, 16..36_i32),
        prop::bool::weighted(0.15),
        prop::bool::weighted(0.9),
    )
        .prop_map(|(role, name, size, nested, enabled)| ControlSpec { role, name, size, nested, enabled });
    let attachment = prop_oneof![
        3 => Just(Attachment::None),
        1 => (any::<bool>(), (10..90_i32, 10..70_i32)).prop_map(|(modal, offset)| Attachment::Dialog { modal, offset }),
        1 => (2..9_usize).prop_map(Attachment::Menu),
    ];
    let frame = (180..620_i32, 130..430_i32);
    (frame, 0..9_i32, 0..20_i32, any::<(bool, bool)>(), attachment, prop::collection::vec(control, 3..24), any::<u64>()).prop_map(
        |(frame, radius, shadow, (inactive, dark), attachment, controls, ink)| WindowSpec {
            frame,
            radius,
            shadow,
            inactive,
            dark,
            attachment,
            controls,
            ink,
        },
    )
}

/// `[x0, y0, x1, y1]` in the picture.
type Box4 = [i32; 4];

/// Where everything lies in the picture.
struct Drawing {
    size: (i32, i32),
    frame: Box4,
    popup: Option<Box4>,
    elements: Vec<Value>,
    boxes: Vec<Box4>,
}

impl WindowSpec {
    /// Writes picture, delta and description into the program's folder. `number` is the window's among the program's.
    pub fn write(&self, folder: &Path, program: &str, number: usize, attachment: Attachment) {
        let drawing = self.arrange(attachment);
        let active = self.paint(&drawing, true);
        let image = store(folder, drawing.size, &active);
        let inactive = (self.inactive && drawing.popup.is_none()).then(|| {
            let delta: Vec<u8> = self.paint(&drawing, false).iter().zip(&active).map(|(i, a)| i.wrapping_sub(*a)).collect();
            store(folder, drawing.size, &delta)
        });
        let id = format!("{program}/window-{number}");
        let dialog = match attachment {
            Attachment::Dialog { modal, offset } => Some((modal, offset)),
            _ => None,
        };
        let capture = json!({
            "format_version": 1, "id": id, "title": format!("{id} title"), "kind": if dialog.is_some() { "dialog" } else { "main" },
            "image": {"file": image.0, "sha256": image.1, "size": [drawing.size.0, drawing.size.1]},
            "inactive": inactive.map(|(file, sha256)| json!({"file": file, "sha256": sha256})),
            "frame": drawing.frame,
            "popups": drawing.popup.iter().map(|rect| json!({"rect": rect, "kind": "menu"})).collect::<Vec<_>>(),
            "parent_window": dialog.map(|_| format!("{program}/window-0")),
            "parent_offset": dialog.map(|(_, (x, y))| [x, y]),
            "modal": dialog.is_some_and(|(modal, _)| modal), "variant_of": null, "placement": "floating", "theme": "drawn",
            "frame_style": "drawn", "dark": self.dark, "scale": 1.0, "language": "en", "elements": drawing.elements,
            "source": {"recipe": "drawn", "steps": [], "captured": "2026-01-01"},
        });
        write_json(&folder.join(format!("window-{number}.json")), &capture);
    }

    fn arrange(&self, attachment: Attachment) -> Drawing {
        let (width, height) = self.frame;
        let (x0, y0) = (self.shadow, self.shadow);
        let frame = [x0, y0, x0 + width, y0 + height];
        let popup = match attachment {
            Attachment::Menu(items) => {
                let (left, top) = (x0 + 12, y0 + TITLE_PX + 4);
                Some([left, top, left + MENU_WIDTH_PX, top + items as i32 * MENU_ITEM_PX])
            }
            _ => None,
        };
        let bottom = popup.map_or(frame[3], |p| p[3].max(frame[3]));
        let size = (width + 2 * self.shadow, bottom + self.shadow);
        let mut drawing = Drawing { size, frame, popup, elements: Vec::new(), boxes: Vec::new() };
        drawing.add("title bar", "Title", [x0, y0, frame[2], y0 + TITLE_PX], None, false, json!({}));
        let close = [frame[2] - 26, y0 + 4, frame[2] - 6, y0 + 24];
        drawing.add("push button", "Close", close, None, true, json!({}));
        let (mut x, mut y, mut row) = (x0 + 6, y0 + TITLE_PX + 6, 0);
        for control in &self.controls {
            let (w, h) = (control.size.0.min(width - 12), control.size.1);
            if x + w > frame[2] - 6 {
                (x, y, row) = (x0 + 6, y + row + 5, 0);
            }
            if y + h > frame[3] - 6 {
                break;
            }
            let bbox = [x, y, x + w, y + h];
            (x, row) = (x + w + 5, row.max(h));
            if popup.is_some_and(|p| touch(p, bbox)) {
                continue;
            }
            let state = if control.enabled { json!({}) } else { json!({"enabled": false}) };
            let outer = drawing.add(control.role, &name(control.name), bbox, None, true, state);
            if control.nested && w >= 40 {
                let inner = [bbox[2] - 14, bbox[1] + 3, bbox[2] - 4, bbox[3] - 3];
                drawing.add("push button", &format!("Clear {}", name(control.name)), inner, Some((outer, None)), true, json!({}));
            }
        }
        if let (Some(popup), Attachment::Menu(items)) = (popup, attachment) {
            for item in 0..items {
                let top = popup[1] + item as i32 * MENU_ITEM_PX;
                let bbox = [popup[0] + 2, top + 1, popup[2] - 2, top + MENU_ITEM_PX - 1];
                let name = name(mixed(self.ink.wrapping_add(item as u64)) as usize % (VERBS.len() * NOUNS.len()));
                drawing.add("menu item", &name, bbox, Some((String::new(), Some(0))), true, json!({}));
            }
        }
        drawing
    }

    /// Straight RGBA, row by row.
    fn paint(&self, drawing: &Drawing, active: bool) -> Vec<u8> {
        let mut rgba = Vec::with_capacity((drawing.size.0 * drawing.size.1 * 4) as usize);
        for y in 0..drawing.size.1 {
            for x in 0..drawing.size.0 {
                rgba.extend(self.pixel(drawing, x, y, active));
            }
        }
        rgba
    }

    fn pixel(&self, drawing: &Drawing, x: i32, y: i32, active: bool) -> [u8; 4] {
        let inside_popup = drawing.popup.is_some_and(|p| holds(p, x, y));
        // Some toolkits draw other corners and a smaller shadow on windows without the focus.
        let (radius, shadow) = if active { (self.radius, self.shadow) } else { (self.radius / 2, self.shadow / 2) };
        let coverage = if inside_popup { 255 } else { corner_coverage(drawing.frame, x, y, radius) };
        if coverage == 0 {
            let alpha = shadow_alpha(drawing.frame, x, y, shadow);
            return [0, 0, 0, alpha];
        }
        let (ground, text) = if self.dark { (40, 210) } else { (235, 40) };
        let at = drawing.boxes.iter().rposition(|&b| holds(b, x, y));
        let level = match at {
            Some(0) => ground - if active { 30 } else { 12 },
            Some(at) => {
                let [x0, y0, x1, y1] = drawing.boxes[at];
                let inner = x > x0 + 2 && x < x1 - 3 && y > y0 + 3 && y < y1 - 4;
                let mark = mixed(self.ink ^ ((x / 2) as u64) << 32 ^ (y / 2) as u64).is_multiple_of(3);
                if inner && mark { text } else { ground - 18 }
            }
            None => ground,
        };
        [level as u8, (level - 4) as u8, (level + 6) as u8, coverage]
    }
}

impl Drawing {
    /// Adds an element and returns its id. `inside`: id of its parent (or none) and its popup.
    fn add(
        &mut self,
        role: &str,
        name: &str,
        bbox: Box4,
        inside: Option<(String, Option<usize>)>,
        interactive: bool,
        state: Value,
    ) -> String {
        let id = format!("e{}", self.elements.len());
        let (parent, popup) = inside.unwrap_or_default();
        let parent = (!parent.is_empty()).then_some(parent);
        self.elements.push(json!({"id": id, "parent": parent, "role": role, "name": name, "description": "", "bbox": bbox,
            "interactive": interactive, "popup": popup, "state": state}));
        self.boxes.push(bbox);
        id
    }
}

fn store(folder: &Path, (width, height): (i32, i32), rgba: &[u8]) -> (String, String) {
    let mut bytes = Vec::new();
    WebPEncoder::new_lossless(&mut bytes).write_image(rgba, width as u32, height as u32, ExtendedColorType::Rgba8).unwrap();
    let sha256 = hex_digest(&bytes);
    let file = format!("{}.webp", &sha256[..16]);
    fs::write(folder.join(&file), bytes).unwrap();
    (file, sha256)
}

fn holds([x0, y0, x1, y1]: Box4, x: i32, y: i32) -> bool {
    x >= x0 && x < x1 && y >= y0 && y < y1
}

fn touch(a: Box4, b: Box4) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// 255 inside the rounded frame, 0 outside, between on the edge of a corner.
fn corner_coverage(frame: Box4, x: i32, y: i32, radius: i32) -> u8 {
    if !holds(frame, x, y) {
        return 0;
    }
    let dx = (frame[0] + radius - x).max(x - (frame[2] - 1 - radius)).max(0);
    let dy = (frame[1] + radius - y).max(y - (frame[3] - 1 - radius)).max(0);
    let beyond = f64::from(dx * dx + dy * dy).sqrt() - f64::from(radius);
    if dx == 0 || dy == 0 { 255 } else { ((0.5 - beyond).clamp(0.0, 1.0) * 255.0) as u8 }
}

fn shadow_alpha(frame: Box4, x: i32, y: i32, shadow: i32) -> u8 {
    let dx = (frame[0] - x).max(x - frame[2] + 1).max(0);
    let dy = (frame[1] - y).max(y - frame[3] + 1).max(0);
    let away = dx.max(dy).max((dx + dy) * 3 / 4);
    if away >= shadow { 0 } else { (100 * (shadow - away) / shadow.max(1)) as u8 }
}
