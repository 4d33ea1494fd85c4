//! Reads window pictures with their elements from formats that others write: the metadata of the WinDeskGround paper,
//! COCO, LabelMe and accessibility trees as JSON. Gives the list from which
//! [`build_pack`](crate::build::build_pack) makes a pack.
//!
//! None of these formats knows programs; the program is taken from the picture's name. Nothing is lost in silence: what
//! is broken is an error with file, entry and field, and what is left out by rule is counted.

mod coco;
mod entry;
mod labelme;
mod metadata;
mod roles;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use windesk_files::{MAX_WHOLE_BYTES, Root, read_named};
use windesk_model::Error;
use windesk_model::digest::stable_id;
use windesk_model::geometry::{Rect, Size};
use windesk_model::pack_format::{Category, SnapState, State, WindowKind};

use super::build::picture::{picture_size, read_inside, stem};
use super::build::{ElementEntry, PackList, ProgramEntry, WindowEntry};
use entry::without_bare_numbers;

/// What an import needs to know that the formats do not say.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// Name of the new pack.
    pub name: String,
    /// SPDX expression for the pictures.
    pub licence: String,
    /// Where the pictures came from.
    pub origin: String,
    /// Category of the programs; the paper's metadata has its own.
    pub category: Option<Category>,
    /// Roles by labels of one's own, besides those that are known.
    pub roles: BTreeMap<String, String>,
}

/// A format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportFormat {
    /// The WinDeskGround paper's `metadata.json`: instructions and boxes.
    Metadata,
    /// COCO: images, annotations, categories.
    Coco,
    /// LabelMe: a file per picture.
    Labelme,
    /// An accessibility tree per picture, nested or flat.
    Tree,
}

impl ImportFormat {
    fn name(self) -> &'static str {
        match self {
            Self::Metadata => "metadata",
            Self::Coco => "coco",
            Self::Labelme => "labelme",
            Self::Tree => "tree",
        }
    }

    /// The format that a file is in, by what only that one has.
    fn of(value: &Value) -> Self {
        let has = |key: &str| value.get(key).is_some();
        let is_pairs = |list: &[Value]| {
            list.is_empty() || list.iter().any(|entry| entry.get("gt_bbox").is_some() || entry.get("content").is_some())
        };
        match value {
            Value::Array(list) if is_pairs(list) => Self::Metadata,
            _ if has("images") && has("annotations") => Self::Coco,
            _ if has("shapes") => Self::Labelme,
            _ => Self::Tree,
        }
    }
}

/// What an import gives.
#[derive(Debug)]
pub struct Import {
    /// The list to build a pack from; its paths start from the folder of windows.
    pub list: PackList,
    /// Number of entries read.
    pub entries: usize,
    /// Entries that are broken: file, entry, field, what was found and expected.
    pub bad: Vec<Error>,
    /// What was left out by rule, with its number.
    pub notes: Vec<String>,
}

/// Reads a file, or all `.json` files of a folder, and looks at the pictures that they name in `windows`.
///
/// # Errors
/// If a file can't be read or isn't of the format, or the category of the programs is missing. Broken entries are no
/// error; they are listed in [`Import::bad`].
pub fn import(place: &Path, windows: &Path, format: Option<ImportFormat>, options: &ImportOptions) -> Result<Import, Error> {
    let mut reading = Reading::new(windows, options);
    let folder = place.is_dir().then(|| Root::new(place));
    let mut formats = BTreeSet::new();
    for path in files(place)? {
        let shown = path.display().to_string();
        let value = parsed(&path, folder.as_ref())?;
        let format = format.unwrap_or_else(|| ImportFormat::of(&value));
        formats.insert(format.name());
        match format {
            ImportFormat::Metadata => metadata::read(&shown, &value, &mut reading)?,
            ImportFormat::Coco => coco::read(&shown, &value, &mut reading)?,
            ImportFormat::Labelme => labelme::read(&shown, &value, &mut reading)?,
            ImportFormat::Tree => tree::read(&shown, &stem(&shown), &value, &mut reading)?,
        }
    }
    let formats: Vec<&str> = formats.into_iter().collect();
    Ok(reading.finish(&formats.join(", ")))
}

/// The file, or the `.json` files of a folder by their names.
fn files(place: &Path) -> Result<Vec<PathBuf>, Error> {
    if !place.is_dir() {
        return Ok(vec![place.to_owned()]);
    }
    let unreadable = |e: std::io::Error| Error::io(place, e);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(place).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() && path.extension().is_some_and(|ending| ending == "json") {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Error::path(place, "found no .json file, expected one per picture"));
    }
    Ok(files)
}

/// `folder` is the one that `path` was found in, if the user named no file.
fn parsed(path: &Path, folder: Option<&Root>) -> Result<Value, Error> {
    let place = path.display().to_string();
    let bytes = match (folder, path.file_name()) {
        (Some(folder), Some(name)) => folder.read(name, MAX_WHOLE_BYTES)?,
        _ => read_named(path, MAX_WHOLE_BYTES)?,
    };
    let text = String::from_utf8(bytes).map_err(|e| Error::file(&place, e, "text in UTF-8"))?;
    // Python writes NaN and Infinity, which JSON does not know; as texts they are found in their entry and field.
    serde_json::from_str(&without_bare_numbers(&text)).map_err(|e| {
        let error = Error::file(&place, &e, "JSON: a list of the paper's entries, COCO, LabelMe or an accessibility tree");
        // What is nested deeper than the parser goes is a tree.
        if e.to_string().contains("recursion limit") { error.with_hint(tree::DEPTH_HINT) } else { error }
    })
}

/// What was read so far.
struct Reading<'a> {
    windows: &'a Path,
    options: &'a ImportOptions,
    /// Sizes of pictures by path; an error is found only once per picture, but told for every entry.
    sizes: BTreeMap<String, Result<Size, String>>,
    found: BTreeMap<String, Found>,
    entries: usize,
    bad: Vec<Error>,
    /// How often something was left out.
    left_out: BTreeMap<&'static str, u64>,
    /// Keys that nothing is made of.
    unread: BTreeSet<String>,
}

/// A picture with what is in it.
struct Found {
    category: Category,
    elements: Vec<ElementEntry>,
}

impl<'a> Reading<'a> {
    fn new(windows: &'a Path, options: &'a ImportOptions) -> Self {
        Self {
            windows,
            options,
            sizes: BTreeMap::new(),
            found: BTreeMap::new(),
            entries: 0,
            bad: Vec::new(),
            left_out: BTreeMap::new(),
            unread: BTreeSet::new(),
        }
    }

    /// A picture's size, or what is wrong with it.
    fn size_of(&mut self, path: &str) -> Result<Size, String> {
        let windows = self.windows;
        let look = || {
            let bytes = read_inside(windows, path, "").map_err(|e| e.found)?;
            picture_size(&bytes, "").map_err(|e| e.found)
        };
        self.sizes.entry(path.to_owned()).or_insert_with(look).clone()
    }

    /// The same with an error about a field of an entry.
    fn size_at(&mut self, place: &str, path: &str) -> Result<Size, Error> {
        let expected = "a PNG, JPEG or WebP picture inside the folder of windows";
        self.size_of(path).map_err(|found| Error::file(place, found, expected))
    }

    /// # Errors
    /// If the option is missing: these formats know no programs.
    fn category(&self, place: &str) -> Result<Category, Error> {
        self.options.category.ok_or_else(|| {
            Error::file(place, "a format that knows no categories of programs", "option `category`, such as Productivity")
        })
    }

    /// The role of a label, by the user's own table first.
    fn role(&self, place: &str, label: &str) -> Result<String, Error> {
        if let Some(role) = self.options.roles.get(label) {
            return Ok(role.clone());
        }
        roles::role_of(label).map(str::to_owned).ok_or_else(|| {
            Error::file(place, format!("`{label}`"), "a role that docs/pack.md lists, or a usual name of one")
                .with_hint(format!("option `role` '{label}=push button' says which role it is"))
        })
    }

    fn leave_out(&mut self, what: &'static str) {
        *self.left_out.entry(what).or_default() += 1;
    }

    /// Notes the keys of an object that nothing is made of.
    fn note_unread(&mut self, object: &Value, read: &[&str]) {
        let keys = object.as_object().into_iter().flat_map(|object| object.keys());
        self.unread.extend(keys.filter(|key| !read.contains(&key.as_str())).cloned());
    }

    /// The elements of a picture, to be added to.
    fn elements_of(&mut self, image: &str, category: Category) -> &mut Vec<ElementEntry> {
        &mut self.found.entry(image.to_owned()).or_insert_with(|| Found { category, elements: Vec::new() }).elements
    }

    fn finish(mut self, formats: &str) -> Import {
        let empty = self.found.values().filter(|found| found.elements.is_empty()).count();
        (0..empty).for_each(|_| self.leave_out("pictures without elements"));
        let mut notes: Vec<String> = self.left_out.iter().map(|(what, count)| format!("left out, {what}: {count}")).collect();
        if !self.unread.is_empty() {
            notes.push(format!("not read: keys {}", Vec::from_iter(self.unread).join(", ")));
        }
        let (entries, bad) = (self.entries, self.bad);
        Import { list: into_list(self.found, formats, self.options), entries, bad, notes }
    }
}

/// An element as the list of a pack has it; the rest is by default.
fn element(role: String, name: String, bbox: Rect) -> ElementEntry {
    ElementEntry {
        id: None,
        parent: None,
        role,
        name,
        description: String::new(),
        bbox,
        interactive: None,
        popup: None,
        state: State::new(),
        instruction: None,
        paraphrases: Vec::new(),
    }
}

/// A box given in fractions of pixels, rounded outwards. Nothing if it is empty or no number.
fn rounded_outwards([x0, y0, x1, y1]: [f64; 4]) -> Option<Rect> {
    let sane = [x0, y0, x1, y1].iter().all(|v| v.is_finite() && v.abs() < f64::from(1 << 20));
    (sane && x0 < x1 && y0 < y1)
        .then(|| Rect::new(x0.floor() as i32, y0.floor() as i32, x1.ceil() as i32, y1.ceil() as i32))
        .flatten()
}

/// One line of text, without what would break it.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn into_list(found: BTreeMap<String, Found>, formats: &str, options: &ImportOptions) -> PackList {
    let mut programs: BTreeMap<String, ProgramEntry> = BTreeMap::new();
    let mut taken = BTreeSet::new();
    let mut windows = Vec::new();
    for (path, found) in found.into_iter().filter(|(_, found)| !found.elements.is_empty()) {
        let stem = stem(&path);
        let name = entry::program_in(&stem);
        let mut program = slug(name);
        // A program has one category: the same name in another one is another program.
        if programs.get(&program).is_some_and(|p| p.category != found.category) {
            program = slug(&format!("{program}-{}", found.category.name()));
        }
        programs.entry(program.clone()).or_insert_with(|| ProgramEntry {
            id: program.clone(),
            name: name.to_owned(),
            category: found.category,
            licence: options.licence.clone(),
            package: None,
            version: String::new(),
            origin: options.origin.clone(),
            toolkit: String::new(),
            purpose: None,
            trademark: None,
        });
        let wanted = format!("{program}/{}", slug(&stem));
        let numbered = (2..).map(|n| format!("{wanted}-{n}"));
        let id = std::iter::once(wanted.clone()).chain(numbered).find(|id| taken.insert(id.clone())).expect("numbers do not end");
        windows.push(WindowEntry {
            id,
            session: None,
            image: path,
            inactive_image: None,
            title: None,
            kind: WindowKind::Main,
            frame: None,
            frame_style: None,
            popups: Vec::new(),
            parent_window: None,
            parent_offset: None,
            modal: false,
            variant_of: None,
            snap: SnapState::Floating,
            theme: String::new(),
            dark: None,
            scale: 1.0,
            captured: String::new(),
            elements: found.elements,
        });
    }
    PackList {
        name: options.name.clone(),
        version: "0.1.0".to_owned(),
        description: format!("imported from {formats}"),
        language: "en".to_owned(),
        frame_style: None,
        sessions: Vec::new(),
        programs: programs.into_values().collect(),
        windows,
        transitions: Vec::new(),
        wallpapers: Vec::new(),
        icons: Vec::new(),
        fonts: Vec::new(),
        licence_texts: Vec::new(),
    }
}

/// Text as an id of the pack format: small letters, digits and `-`.
fn slug(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out: String = out.trim_end_matches('-').chars().take(MAX_CHARS).collect();
    if out.is_empty() || out == "program" { format!("window-{:08x}", stable_id(text) as u32) } else { out }
}

#[cfg(test)]
mod tests;
