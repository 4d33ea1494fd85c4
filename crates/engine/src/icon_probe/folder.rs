//! A user's own icons: a folder of SVG and PNG files with an optional `names.json`. Files of strangers: nothing outside
//! the folder is read, sizes are bounded, and every file that can't be used is named.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};
use tiny_skia::{Pixmap, PremultipliedColorU8};

use windesk_files::Root;
use windesk_model::Error;
use windesk_model::digest::{hex, hex_digest, stable_id};
use windesk_model::icon_probe::Tile;

use super::library::{Artwork, IconSet, ProbeIcon};
use super::raster::{IconAppearance, Rasteriser};
use crate::drawing::read_drawing;

/// What the library of a user's own folder is called.
pub const OWN_LIBRARY: &str = "folder";
/// Name of the list of names.
const NAMES: &str = "names.json";
/// Largest file.
const MAX_FILE_BYTES: u64 = 4 << 20;
/// Largest side of a PNG picture, px.
const MAX_SIDE: u32 = 4096;
/// Most files.
const MAX_FILES: usize = 20_000;
/// An icon must show at least this many pixels when it is drawn 64 px large.
const MIN_SOLID_PX: u64 = 24;

/// What `names.json` says of an icon: its name, or more.
#[derive(Deserialize)]
#[serde(untagged)]
enum Named {
    Name(String),
    Full(FullName),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FullName {
    name: String,
    #[serde(default)]
    synonyms: Vec<String>,
    #[serde(default)]
    category: Option<String>,
}

/// A user's icons and the files that were left out.
#[derive(Debug)]
pub struct FolderIcons {
    /// The icons.
    pub set: IconSet,
    /// Files that can't be used, with the reason.
    pub skipped: Vec<String>,
}

/// Reads a folder. With `skip_bad` files that can't be used are left out and named.
///
/// # Errors
/// If the folder or its names can't be read, no icon is left, or, without `skip_bad`, any file can't be used: all of
/// them are named.
pub fn read_folder(folder: &Path, skip_bad: bool) -> Result<FolderIcons, Error> {
    let place = folder.display().to_string();
    let mut names = read_names(folder)?;
    let (mut icons, mut bad, mut digest) = (Vec::new(), Vec::new(), Sha256::new());
    let (mut stems, mut concepts) = (BTreeMap::new(), BTreeMap::new());
    let root = Root::new(folder);
    for path in pictures(folder)? {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let named = names.remove(&stem);
        let read = root.read(path.file_name().unwrap_or_default(), MAX_FILE_BYTES).map_err(|e| problem_of(&e));
        let read = read.and_then(|bytes| Ok((artwork(&path, &bytes)?, bytes)));
        let twice = stems.insert(stem.clone(), file.clone());
        match (read, twice) {
            (_, Some(other)) => {
                bad.push(format!("{}: found another picture of that name, {other}, expected one", path.display()))
            }
            (Err(problem), _) => bad.push(format!("{}: {problem}", path.display())),
            (Ok(((artwork, one_colour, seen), bytes)), None) => {
                digest.update((bytes.len() as u64).to_le_bytes());
                digest.update(&bytes);
                // Drawings that look the same are one concept, so that they are never in one scene.
                let concept = concepts.entry(seen).or_insert_with(|| stem.clone()).clone();
                icons.push(icon(stem, concept, named, artwork, one_colour));
            }
        }
    }
    if let Some(stem) = names.keys().next() {
        return Err(Error::file(
            format!("{place}/{NAMES}"),
            format!("a name for `{stem}`"),
            "the name of an SVG or PNG file beside it, without its ending",
        ));
    }
    if !bad.is_empty() && !skip_bad {
        return Err(Error::file(&place, format!("{} unusable files:\n  {}", bad.len(), bad.join("\n  ")), "SVG and PNG icons")
            .with_hint("option `skip_bad` leaves them out"));
    }
    if icons.is_empty() {
        return Err(Error::file(&place, format!("no usable icon ({} unusable files)", bad.len()), "SVG or PNG files"));
    }
    for icon in &icons {
        digest.update(format!("{}\0{:?}\0{:?}\0", icon.id, icon.names().collect::<Vec<_>>(), icon.category).as_bytes());
    }
    Ok(FolderIcons { set: IconSet::new(icons, &[], hex(&digest.finalize())), skipped: bad })
}

fn icon(stem: String, concept: String, named: Option<Named>, artwork: Artwork, one_colour: bool) -> ProbeIcon {
    let named_by_person = named.is_some();
    let full = match named {
        Some(Named::Full(full)) => full,
        Some(Named::Name(name)) => FullName { name, synonyms: Vec::new(), category: None },
        None => FullName { name: stem.replace(['_', '-', '.'], " ").trim().to_lowercase(), synonyms: Vec::new(), category: None },
    };
    ProbeIcon {
        library: OWN_LIBRARY.to_owned(),
        stable_id: stable_id(&format!("{OWN_LIBRARY}/{stem}")),
        concept,
        id: stem,
        style: None,
        name: full.name,
        synonyms: full.synonyms,
        category: full.category,
        author: None,
        licence: "unknown".to_owned(),
        one_colour,
        named_by_person,
        artwork,
    }
}

fn read_names(folder: &Path) -> Result<BTreeMap<String, Named>, Error> {
    let path = folder.join(NAMES);
    let place = path.display().to_string();
    let Some(bytes) = Root::new(folder).read_if_any(NAMES, MAX_FILE_BYTES)? else { return Ok(BTreeMap::new()) };
    let names: BTreeMap<String, Named> = serde_json::from_slice(&bytes).map_err(|e| {
        Error::file(
            &place,
            e,
            "an object from file names without their ending to names, or to objects with `name`, `synonyms`, `category`",
        )
    })?;
    for (stem, named) in &names {
        let name = match named {
            Named::Name(name) => name,
            Named::Full(full) => &full.name,
        };
        if name.trim().is_empty() || name.len() > 200 {
            return Err(Error::file(&place, format!("the name {name:?} for `{stem}`"), "1 to 200 letters"));
        }
    }
    Ok(names)
}

/// The folder's SVG and PNG files, sorted.
fn pictures(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let place = folder.display().to_string();
    let unreadable = |e: std::io::Error| Error::file(&place, e, "a readable folder of SVG and PNG files");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        if ending == "svg" || ending == "png" {
            found.push(path);
        }
    }
    if found.len() > MAX_FILES {
        return Err(Error::limit(&place, format!("{} icons", found.len()), format!("at most {MAX_FILES}")));
    }
    found.sort();
    Ok(found)
}

/// What is wrong with a file, without its place.
fn problem_of(error: &Error) -> String {
    if error.expected.is_empty() { error.found.clone() } else { format!("{}, expected {}", error.found, error.expected) }
}

/// A drawing, whether it is in one colour that may be any, and a digest of what it looks like.
fn artwork(path: &Path, bytes: &[u8]) -> Result<(Artwork, bool, String), String> {
    let is_svg = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg"));
    let (artwork, one_colour) = if is_svg { svg(bytes)? } else { (png(bytes)?, false) };
    let look = IconAppearance { size_px: 64, tile: Tile::None, tile_rgb: [0; 3], tint: None, turn_deg: 0 };
    let sprite = Rasteriser::paint(&artwork, one_colour, look);
    let solid = sprite.solid_px();
    if solid < MIN_SOLID_PX {
        return Err(format!("found {solid} solid pixels when drawn 64 px large, expected at least {MIN_SOLID_PX}"));
    }
    Ok((artwork, one_colour, hex_digest(sprite.rgba.as_flattened())))
}

fn svg(bytes: &[u8]) -> Result<(Artwork, bool), String> {
    let tree = read_drawing(bytes)?;
    let one_colour = String::from_utf8_lossy(bytes).contains("currentColor");
    Ok((Artwork::Svg(Box::new(tree)), one_colour))
}

fn png(bytes: &[u8]) -> Result<Artwork, String> {
    let expected = "expected a PNG picture";
    let mut reader = image::ImageReader::with_format(std::io::Cursor::new(bytes), image::ImageFormat::Png);
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(256 << 20);
    reader.limits(limits);
    let picture = reader.decode().map_err(|e| format!("found {e}, {expected} of at most {MAX_SIDE} px a side"))?.into_rgba8();
    let mut pixmap = Pixmap::new(picture.width(), picture.height()).ok_or_else(|| format!("found no pixels, {expected}"))?;
    for (to, from) in pixmap.pixels_mut().iter_mut().zip(picture.pixels()) {
        let [r, g, b, a] = from.0;
        let scaled = |v: u8| ((u32::from(v) * u32::from(a) + 127) / 255) as u8;
        *to = PremultipliedColorU8::from_rgba(scaled(r), scaled(g), scaled(b), a).unwrap_or(PremultipliedColorU8::TRANSPARENT);
    }
    Ok(Artwork::Picture(pixmap))
}
