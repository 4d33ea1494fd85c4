//! Icons of the pack painted in a size, and mouse pointers: icons that are composed and counted as windows are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use windesk_model::Error;
use windesk_model::geometry::Size;

use super::Pack;
use super::format::Icon;
use super::pixels::Pixels;
use crate::drawing::{in_square, read_drawing, straight};

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
        let rgba = self.drawn_icon(self.icon(icon)?, side_px)?;
        let pixels = Arc::new(Pixels::in_memory(Size { width: side_px, height: side_px }, &rgba));
        known.insert(key, Arc::clone(&pixels));
        Ok(pixels)
    }

    /// An icon in a square of this many pixels each way, straight RGBA. It takes longer to draw than to read.
    ///
    /// # Errors
    /// If the pack has no such icon, or it can't be read.
    pub(crate) fn icon_rgba(&self, id: &str, side_px: u32) -> Result<Vec<u8>, Error> {
        if !self.keeps_pictures() {
            return self.drawn_icon(self.icon(id)?, side_px);
        }
        let read = || self.kept_icon(id, side_px).and_then(|kept| kept.rgba_in(kept.size().rect()));
        self.reading_pictures(|| (), read)
    }

    /// Prepares an icon; says whether it is kept in a file now.
    ///
    /// # Errors
    /// If the pack has no such icon, or it can't be read.
    pub(crate) fn prepare_icon(&self, id: &str, side_px: u32) -> Result<bool, Error> {
        self.reading_pictures(|| (), || self.kept_icon(id, side_px)?.check_kept())
    }

    fn kept_icon(&self, id: &str, side_px: u32) -> Result<Pixels, Error> {
        let (icon, side) = (self.icon(id)?, format!("icon {side_px}"));
        let size = Size { width: side_px, height: side_px };
        self.kept_picture(&[&side, &icon.sha256], size, false, || self.drawn_icon(icon, side_px))
    }

    fn icon(&self, id: &str) -> Result<&Icon, Error> {
        let found = self.icons.iter().find(|icon| icon.id == id);
        found.ok_or_else(|| Error::file(self.files().full_name("icons/icons.json"), format!("no icon `{id}`"), "one of that id"))
    }

    fn drawn_icon(&self, icon: &Icon, side_px: u32) -> Result<Vec<u8>, Error> {
        let name = format!("icons/{}", icon.file);
        let bytes = self.files().read_verified(&name, &icon.sha256)?;
        let drawing = read_drawing(&bytes).map_err(|problem| Error::at(self.files().full_name(&name), problem))?;
        Ok(straight(&in_square(&drawing, side_px)).into_flattened())
    }
}
