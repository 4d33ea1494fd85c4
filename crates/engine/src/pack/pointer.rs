//! Pictures of mouse pointers: icons of the pack, drawn in a size and then composed and counted as windows are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use windesk_model::Error;
use windesk_model::geometry::Size;

use super::pixels::Pixels;
use super::{Pack, PackFiles};
use crate::drawing::{in_square, read_drawing};

/// Pictures of pointers by icon and side. There are as many as sessions, each of a few kilobytes.
#[derive(Debug, Default)]
pub(super) struct PointerPictures(Mutex<BTreeMap<(String, u32), Arc<Pixels>>>);

impl Pack {
    /// An icon as a mouse pointer of this many pixels each way.
    ///
    /// # Errors
    /// If the pack has no such icon, or it can't be read.
    pub fn pointer_pixels(&self, icon: &str, side_px: u32) -> Result<Arc<Pixels>, Error> {
        let mut known = self.pointers.0.lock().expect("no panic while held");
        let key = (icon.to_owned(), side_px);
        if let Some(found) = known.get(&key) {
            return Ok(Arc::clone(found));
        }
        let list = || self.files().full_name("icons/icons.json");
        let entry = self.icons.iter().find(|entry| entry.id == icon);
        let entry = entry.ok_or_else(|| Error::file(list(), format!("no icon `{icon}`"), "one of that id"))?;
        let rgba = drawn(self.files(), &format!("icons/{}", entry.file), &entry.sha256, side_px)?;
        let pixels = Arc::new(Pixels::in_memory(Size { width: side_px, height: side_px }, &rgba));
        known.insert(key, Arc::clone(&pixels));
        Ok(pixels)
    }
}

/// Straight RGBA of a drawing in a square.
fn drawn(files: &PackFiles, name: &str, sha256: &str, side_px: u32) -> Result<Vec<u8>, Error> {
    let bytes = files.read_verified(name, sha256)?;
    let drawing = read_drawing(&bytes).map_err(|problem| Error::at(files.full_name(name), problem))?;
    let straight = in_square(&drawing, side_px);
    let pixels = straight.pixels().iter().map(|pixel| pixel.demultiply());
    Ok(pixels.flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]).collect())
}
