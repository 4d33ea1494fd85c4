//! Makes a pack from screenshots and a list of what they show. Writes into a staged folder, so that the pack appears
//! whole or not at all.
//!
//! Nothing is guessed that the list could say wrongly: boxes that leave their picture, unknown ids and unreadable files
//! are errors that name the list's field. Wallpapers, icons and fonts that the list leaves out come from another pack,
//! with their licences.

mod edge;
mod list;
pub(super) mod picture;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use windesk_engine::drawing::read_drawing;
use windesk_engine::pack::{FormerTransition, Pack, PackFiles, TRANSITION_FILE, instruction_file};
use windesk_engine::render::check_font;
use windesk_files::{MAX_WHOLE_BYTES, StagedFolder, read_named};
use windesk_model::digest::hex_digest;
use windesk_model::finding::Finding;
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::pack_format::{
    AuthorKind, Capture, ElementRecord, FORMAT_VERSION, Font, Header, Icon, InstructionStyle, OLDEST_FORMAT_VERSION, Picture,
    Platform, Popup, ReviewedInstruction, SnapState, Source, Wallpaper,
};
use windesk_model::role::RoleGroup;
use windesk_model::{Error, pack_format as format};

use super::licences::{LICENCE_LIST, LicenceTexts, licence_list};
use crate::check::check;
use crate::pretty_json;

pub use edge::FrameStyle;
pub use list::{ElementEntry, PackList, ProgramEntry, WindowEntry};

/// Reads a list.
///
/// # Errors
/// If the file can't be read, or isn't of the form described in `docs/pack.md`.
pub fn read_list(path: &Path) -> Result<PackList, Error> {
    let place = path.display().to_string();
    let bytes = read_named(path, MAX_WHOLE_BYTES)?;
    serde_json::from_slice(&bytes).map_err(|e| Error::file(&place, e, "a list as docs/pack.md describes"))
}

/// Builds a pack into a staged folder, which the caller commits. `root` is the folder that the list's paths start from,
/// `list_place` its name in messages; `defaults` lends wallpapers, icons and fonts. Returns what [`check`] finds in the
/// new pack.
///
/// # Errors
/// If the list is wrong or a file can't be read or written; they name the field.
pub fn build_pack(
    list: &PackList,
    list_place: &str,
    root: &Path,
    defaults: &Pack,
    folder: &StagedFolder,
    threads: usize,
) -> Result<Vec<Finding>, Error> {
    let builder = Builder { list, list_place, root, defaults, folder };
    let header = Header {
        format_version: builder.format_version(),
        name: list.name.clone(),
        version: list.version.clone(),
        description: list.description.clone(),
        language: list.language.clone(),
    };
    builder.write_json("pack.json", &header)?;
    for session in &list.sessions {
        builder.write_json(&format!("sessions/{}.json", session.id), session)?;
    }
    builder.write_programs()?;
    builder.write_windows()?;
    builder.write_assets()?;
    // Files are reopened as any other pack, so that nothing is taken for sound that a reader would refuse.
    let open = || PackFiles::folder(folder.path(), None).and_then(Pack::open);
    folder.write(LICENCE_LIST, licence_list(&open().map_err(|e| folder.in_its_place(e))?).as_bytes())?;
    let pack = open().map_err(|e| folder.in_its_place(e))?;
    Ok(check(&pack, threads).findings)
}

struct Builder<'a> {
    list: &'a PackList,
    list_place: &'a str,
    root: &'a Path,
    defaults: &'a Pack,
    folder: &'a StagedFolder,
}

impl Builder<'_> {
    fn bad(&self, field: &str, found: impl std::fmt::Display, expected: impl std::fmt::Display) -> Error {
        Error::file(format!("{}: {field}", self.list_place), found, expected)
    }

    /// A list without sessions makes a pack of the version that has none.
    fn format_version(&self) -> u32 {
        if self.list.sessions.is_empty() { OLDEST_FORMAT_VERSION } else { FORMAT_VERSION }
    }

    fn read(&self, path: &str, field: &str) -> Result<Vec<u8>, Error> {
        picture::read_inside(self.root, path, &format!("{}: {field}", self.list_place))
    }

    fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), Error> {
        self.folder.write(name, &pretty_json(value))
    }

    fn write_lines<T: Serialize>(&self, name: &str, values: &[T]) -> Result<(), Error> {
        let lines = values.iter().map(|v| serde_json::to_string(v).expect("plain data") + "\n");
        self.folder.write(name, lines.collect::<String>().as_bytes())
    }

    fn write_programs(&self) -> Result<(), Error> {
        let mut seen = BTreeSet::new();
        for (at, entry) in self.list.programs.iter().enumerate() {
            if !is_id(&entry.id) || !seen.insert(&entry.id) {
                return Err(self.bad(
                    &format!("programs[{at}].id"),
                    format!("`{}`", entry.id),
                    "an id of its own: small letters, digits, - _ .",
                ));
            }
            let entry = entry.clone();
            let record = format::Program {
                package: entry.package.unwrap_or_else(|| entry.name.clone()),
                id: entry.id,
                name: entry.name,
                category: entry.category,
                purpose: entry.purpose,
                version: entry.version,
                origin: entry.origin,
                licence: entry.licence,
                toolkit: entry.toolkit,
                trademark: entry.trademark,
            };
            self.write_json(&format!("windows/{}/program.json", record.id), &record)?;
        }
        Ok(())
    }

    fn write_windows(&self) -> Result<(), Error> {
        let mut instructions = Vec::new();
        let mut seen = BTreeSet::new();
        for (at, entry) in self.list.windows.iter().enumerate() {
            let field = format!("windows[{at}]");
            let program =
                entry.id.split_once('/').filter(|(_, name)| is_id(name) && *name != "program").map(|(program, _)| program);
            let program = program.and_then(|id| self.list.programs.iter().find(|p| p.id == id));
            let Some(program) = program.filter(|_| seen.insert(&entry.id)) else {
                return Err(self.bad(
                    &format!("{field}.id"),
                    format!("`{}`", entry.id),
                    "<id of a listed program>/<name>, each once",
                ));
            };
            let capture = self.capture(&field, entry, program)?;
            for (element, listed) in capture.elements.iter().zip(&entry.elements) {
                instructions.extend(listed.instruction.clone().map(|instruction| ReviewedInstruction {
                    window: capture.id.clone(),
                    element: element.id.clone(),
                    instruction,
                    style: InstructionStyle::Function,
                    author_kind: AuthorKind::Person,
                    date: entry.captured.clone(),
                    capture: None,
                    also_fits: Vec::new(),
                    paraphrases: listed.paraphrases.clone(),
                    checks: Vec::new(),
                    dropped: false,
                    steps: None,
                }));
            }
            self.write_json(&format!("windows/{}.json", capture.id), &capture)?;
        }
        instructions.sort_by_key(|i| instruction_file(&i.window));
        let mut by_program: BTreeMap<&str, Vec<&FormerTransition>> = BTreeMap::new();
        for (at, transition) in self.list.transitions.iter().enumerate() {
            if !seen.contains(&transition.from) {
                return Err(self.bad(
                    &format!("transitions[{at}].from"),
                    format!("`{}`", transition.from),
                    "the id of a listed window",
                ));
            }
            by_program.entry(transition.from.split('/').next().unwrap_or_default()).or_default().push(transition);
        }
        for (program, transitions) in by_program {
            let name = format!("windows/{program}/{TRANSITION_FILE}");
            if self.format_version() == OLDEST_FORMAT_VERSION {
                self.write_lines(&name, &transitions)?;
            } else {
                let current: Vec<format::Transition> = transitions.into_iter().map(|t| t.clone().into()).collect();
                self.write_lines(&name, &current)?;
            }
        }
        for of_file in instructions.chunk_by(|a, b| instruction_file(&a.window) == instruction_file(&b.window)) {
            self.write_lines(&instruction_file(&of_file[0].window), of_file)?;
        }
        Ok(())
    }

    fn capture(&self, field: &str, entry: &WindowEntry, program: &ProgramEntry) -> Result<Capture, Error> {
        let image_field = format!("{field}.image");
        let rgba = picture::decode(&self.read(&entry.image, &image_field)?, &format!("{}: {image_field}", self.list_place))?;
        let size = Size { width: rgba.width(), height: rgba.height() };
        let frame = match entry.frame {
            Some(frame) => frame,
            None => {
                picture::owned_box(&rgba).ok_or_else(|| self.bad(&image_field, "a wholly transparent picture", "a window"))?
            }
        };
        let boxes = std::iter::once((format!("{field}.frame"), frame))
            .chain(entry.popups.iter().enumerate().map(|(at, p)| (format!("{field}.popups[{at}].rect"), p.rect)))
            .chain(entry.elements.iter().enumerate().map(|(at, e)| (format!("{field}.elements[{at}].bbox"), e.bbox)));
        for (field, rect) in boxes {
            if !size.rect().covers(rect) {
                return Err(self.bad(
                    &field,
                    format!("{:?}", <[i32; 4]>::from(rect)),
                    format!("a box inside the picture of {}x{}", size.width, size.height),
                ));
            }
        }
        let style = self.frame_style(field, entry, &rgba)?;
        let inactive = match &entry.inactive_image {
            Some(path) => Some(self.inactive(&format!("{field}.inactive_image"), path, &rgba, style, &program.id)?),
            None => None,
        };
        // What the list says of places is about the screenshot; the pack's picture may begin before it.
        let origin = style.origin().unwrap_or(Point { x: 0, y: 0 });
        let dark = entry.dark.unwrap_or_else(|| picture::is_dark(&rgba, frame));
        let rgba = edge::framed(&rgba, style, true);
        let mut image = self.write_picture(&program.id, &picture::encode(&rgba))?;
        image.size = Some(Size { width: rgba.width(), height: rgba.height() });
        Ok(Capture {
            format_version: self.format_version(),
            id: entry.id.clone(),
            session: entry.session.clone(),
            platform: Platform::Desktop,
            inside: None,
            newest_date: None,
            living: None,
            title: entry.title.clone().unwrap_or_else(|| program.name.clone()),
            kind: entry.kind,
            image,
            inactive,
            frame: frame.moved(origin),
            popups: entry.popups.iter().map(|popup| Popup { rect: popup.rect.moved(origin), ..*popup }).collect(),
            parent_window: entry.parent_window.clone(),
            parent_offset: entry.parent_offset,
            modal: entry.modal,
            variant_of: entry.variant_of.clone(),
            snap: entry.snap,
            theme: entry.theme.clone(),
            frame_style: if style == FrameStyle::None { String::new() } else { style.name().to_owned() },
            dark,
            scale: entry.scale,
            language: self.list.language.clone(),
            elements: entry.elements.iter().enumerate().map(|(at, element)| element_record(at, element, origin)).collect(),
            source: Source {
                recipe: "pack build".to_owned(),
                steps: vec![entry.image.clone()],
                captured: entry.captured.clone(),
            },
        })
    }

    /// The edge that a window gets: what its entry asks for, or what the list asks for all windows that can have one.
    fn frame_style(&self, field: &str, entry: &WindowEntry, rgba: &image::RgbaImage) -> Result<FrameStyle, Error> {
        let whole = Size { width: rgba.width(), height: rgba.height() }.rect();
        let problem = if entry.snap != SnapState::Floating {
            Some("a window that is not floating")
        } else if entry.frame.is_some_and(|frame| frame != whole) {
            Some("a frame smaller than the picture")
        } else if rgba.pixels().any(|pixel| pixel[3] != 255) {
            Some("a picture with transparent pixels, which has an edge of its own")
        } else {
            None
        };
        match (entry.frame_style, problem) {
            (Some(style), Some(problem)) if style != FrameStyle::None => {
                let found = format!("`{}` for {problem}", style.name());
                Err(self.bad(
                    &format!("{field}.frame_style"),
                    found,
                    "an opaque screenshot of a floating window, cut at its frame",
                ))
            }
            (_, Some(_)) => Ok(FrameStyle::None),
            (style, None) => Ok(style.or(self.list.frame_style).unwrap_or(FrameStyle::None)),
        }
    }

    fn inactive(
        &self,
        field: &str,
        path: &str,
        active: &image::RgbaImage,
        style: FrameStyle,
        program: &str,
    ) -> Result<Picture, Error> {
        let inactive = picture::decode(&self.read(path, field)?, &format!("{}: {field}", self.list_place))?;
        if inactive.dimensions() != active.dimensions() {
            let found = format!("{}x{}", inactive.width(), inactive.height());
            return Err(self.bad(field, found, format!("{}x{} as the active picture", active.width(), active.height())));
        }
        let [active, inactive] = [(active, true), (&inactive, false)].map(|(rgba, active)| edge::framed(rgba, style, active));
        self.write_picture(program, &picture::encode(&picture::delta(&active, &inactive)))
    }

    fn write_picture(&self, program: &str, bytes: &[u8]) -> Result<Picture, Error> {
        let sha256 = hex_digest(bytes);
        let file = format!("{}.webp", &sha256[..16]);
        self.folder.write(&format!("windows/{program}/{file}"), bytes)?;
        Ok(Picture { file, sha256, size: None })
    }

    /// Wallpapers and fonts of the list, else the other pack's. The list's icons stand beside the other pack's: the
    /// taskbar needs its own.
    fn write_assets(&self) -> Result<(), Error> {
        let mut licences: Vec<(String, String)> = Vec::new();
        let mut wallpapers: Vec<Wallpaper> =
            self.own("wallpapers", &self.list.wallpapers, |w: &mut Wallpaper| (w.id.clone(), &mut w.file, &mut w.sha256))?;
        if wallpapers.is_empty() {
            wallpapers = self.defaults.wallpapers.iter().filter(|w| w.default && !w.share_alike).cloned().collect();
            self.lend("wallpapers", wallpapers.iter().map(|w| &w.file))?;
            licences.extend(wallpapers.iter().map(|w| (w.licence.clone(), w.source.clone())));
        }
        let mut fonts: Vec<Font> = self.own("fonts", &self.list.fonts, |f: &mut Font| {
            (format!("{}-{}", f.family, f.style).replace(' ', "-"), &mut f.file, &mut f.sha256)
        })?;
        if fonts.is_empty() {
            fonts = self.defaults.fonts.clone();
            self.lend("fonts", fonts.iter().map(|f| &f.file))?;
            licences.extend(fonts.iter().map(|f| (f.licence.clone(), f.source.clone())));
        }
        let mut icons: Vec<Icon> =
            self.own("icons", &self.list.icons, |i: &mut Icon| (i.id.clone(), &mut i.file, &mut i.sha256))?;
        let lent: Vec<Icon> = self.defaults.icons.iter().filter(|d| icons.iter().all(|own| own.id != d.id)).cloned().collect();
        self.lend("icons", lent.iter().map(|i| &i.file))?;
        licences.extend(lent.iter().map(|i| (i.licence.clone(), i.source.clone())));
        icons.extend(lent);
        self.write_json("wallpapers/wallpapers.json", &wallpapers)?;
        self.write_json("fonts/fonts.json", &fonts)?;
        self.write_json("icons/icons.json", &icons)?;
        let texts = LicenceTexts::of(self.defaults.files());
        for name in licences.iter().flat_map(|(licence, source)| texts.paths(licence, source)).collect::<BTreeSet<_>>() {
            self.folder.write(&name, &self.defaults.files().read(&name)?)?;
        }
        for (at, path) in self.list.licence_texts.iter().enumerate() {
            let bytes = self.read(path, &format!("licence_texts[{at}]"))?;
            self.folder.write(&format!("licenses/{}.txt", picture::stem(path)), &bytes)?;
        }
        Ok(())
    }

    fn lend<'f>(&self, kind: &str, files: impl Iterator<Item = &'f String>) -> Result<(), Error> {
        for file in files {
            let name = format!("{kind}/{file}");
            self.folder.write(&name, &self.defaults.files().read(&name)?)?;
        }
        Ok(())
    }

    /// Entries of the list with digests, their files copied as `<id>.<ending>`.
    fn own<T: DeserializeOwned>(
        &self,
        kind: &str,
        entries: &[Map<String, Value>],
        parts: impl Fn(&mut T) -> (String, &mut String, &mut String),
    ) -> Result<Vec<T>, Error> {
        let mut seen = BTreeSet::new();
        let one = |(at, entry): (usize, &Map<String, Value>)| {
            let field = format!("{kind}[{at}]");
            let mut entry = entry.clone();
            entry.entry("sha256").or_insert_with(|| Value::String(String::new()));
            if kind == "wallpapers" {
                entry.entry("changes").or_insert_with(|| Value::String(String::new()));
                entry.entry("default").or_insert(Value::Bool(true));
                entry.entry("share_alike").or_insert(Value::Bool(false));
            }
            let mut value: T = serde_json::from_value(Value::Object(entry))
                .map_err(|e| self.bad(&field, e, "an entry as docs/pack.md describes"))?;
            let (id, file, sha256) = parts(&mut value);
            let bytes = self.read(file, &format!("{field}.file"))?;
            let ending = file.rsplit_once('.').map(|(_, ending)| ending.to_lowercase()).unwrap_or_default();
            if !is_file_name(&id) || !is_file_name(&ending) || !seen.insert(id.clone()) {
                return Err(self.bad(
                    &field,
                    format!("`{id}` from `{file}`"),
                    "an id of its own that can be a file name, and a file with an ending",
                ));
            }
            let place = format!("{}: {field}.file", self.list_place);
            match kind {
                "wallpapers" => drop(picture::decode(&bytes, &place)?),
                "icons" => drop(read_drawing(&bytes).map_err(|problem| Error::at(&place, problem))?),
                "fonts" => check_font(&bytes).map_err(|problem| Error::at(&place, problem))?,
                _ => {}
            }
            *sha256 = hex_digest(&bytes);
            *file = format!("{id}.{ending}");
            self.folder.write(&format!("{kind}/{file}"), &bytes)?;
            Ok(value)
        };
        entries.iter().enumerate().map(one).collect()
    }
}

/// The key of an element's state that is a box.
const CORE: &str = "core";

/// The record of an element; `origin` is where the screenshot lies in the pack's picture.
fn element_record(at: usize, entry: &ElementEntry, origin: Point) -> ElementRecord {
    let mut state = entry.state.clone();
    if let Some(core) = state.get_mut(CORE)
        && let Ok(rect) = serde_json::from_value::<Rect>(core.clone())
    {
        *core = serde_json::json!(rect.moved(origin));
    }
    ElementRecord {
        id: entry.id.clone().unwrap_or_else(|| format!("e{at}")),
        parent: entry.parent.clone(),
        role: entry.role.clone(),
        name: entry.name.clone(),
        description: entry.description.clone(),
        bbox: entry.bbox.moved(origin),
        interactive: entry.interactive.unwrap_or_else(|| RoleGroup::of(&entry.role).is_some()),
        popup: entry.popup,
        state,
    }
}

/// Small letters, digits, `-`, `_` and `.`, not starting with a dot: the same file on every system.
fn is_id(text: &str) -> bool {
    is_file_name(text) && !text.contains(|c: char| c.is_ascii_uppercase())
}

fn is_file_name(text: &str) -> bool {
    const MAX_BYTES: usize = 100;
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    plain && !text.is_empty() && text.len() <= MAX_BYTES && !text.starts_with('.')
}

/// The box as shares of a picture, rounded outwards to whole pixels.
pub(super) fn rect_from_shares(shares: [f64; 4], size: Size) -> Option<Rect> {
    let px = |share: f64, side: u32, up: bool| {
        let exact = share * f64::from(side);
        (if up { exact.ceil() } else { exact.floor() }) as i32
    };
    let [x0, y0, x1, y1] = shares;
    Rect::new(px(x0, size.width, false), px(y0, size.height, false), px(x1, size.width, true), px(y1, size.height, true))
}

#[cfg(test)]
mod tests;
