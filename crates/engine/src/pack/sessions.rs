//! Sessions: a desktop as one person has it. What belongs together is told by them.

use serde::{Deserialize, Serialize};
use typed_index_collections::{TiSlice, TiVec};

use windesk_model::Error;
use windesk_model::desktop::shell_icons;
use windesk_model::index::{ProgramIndex, SessionIndex};
use windesk_model::pack_format::{self as format, FORMAT_VERSION, UNKNOWN_SESSION};

use super::files::PackFiles;
use super::limits::{MAX_POINTER_PX, MAX_SCALE};
use super::{Pack, Program, Window};

/// Widest blur of a shadow, px.
const MAX_BLUR_PX: u32 = 128;

/// A session of a pack.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Session {
    /// Its name.
    pub id: String,
    /// What the pack says of it; nothing is known of the one session of a pack of version 1.
    pub record: Option<format::Session>,
}

impl Session {
    /// Whether a window is as light or dark as the session's look. A dark program on a light desktop is not; where
    /// nothing is known of the session, any is.
    pub fn has_brightness_of(&self, window: &Window) -> bool {
        self.record.as_ref().is_none_or(|record| record.look.dark == window.dark)
    }
}

/// The lists that records of sessions name things from.
pub(super) struct Lists<'a> {
    pub(super) programs: &'a TiSlice<ProgramIndex, Program>,
    pub(super) wallpapers: &'a [format::Wallpaper],
    pub(super) icons: &'a [format::Icon],
    pub(super) fonts: &'a [format::Font],
}

/// The sessions of a pack: those written, each checked, or the unknown one.
pub(super) fn checked_sessions(
    files: &PackFiles,
    written: Vec<(String, format::Session)>,
    header: &format::Header,
    has_captures: bool,
    lists: &Lists,
) -> Result<TiVec<SessionIndex, Session>, Error> {
    if header.format_version < FORMAT_VERSION {
        return Ok([Session { id: UNKNOWN_SESSION.to_owned(), record: None }].into_iter().collect());
    }
    if written.is_empty() && has_captures {
        return Err(Error::file(files.full_name("sessions/"), "no session", "at least one: every capture names its session"));
    }
    written
        .into_iter()
        .map(|(name, record)| {
            check(&files.full_name(&name), &record, lists)?;
            Ok(Session { id: record.id.clone(), record: Some(record) })
        })
        .collect()
}

/// Whether a pack has the icons that the shells of its sessions show. Packs that no scene is made of need none.
pub(super) fn check_shell_icons(pack: &Pack) -> Result<(), Error> {
    for (id, record) in pack.sessions.iter().filter_map(|s| Some((&s.id, s.record.as_ref()?))) {
        let has_icon = |wanted: &&str| pack.icons.iter().any(|icon| icon.id == **wanted);
        let missing: Vec<&str> = shell_icons(record.shell.kind).into_iter().filter(|icon| !has_icon(icon)).collect();
        if !missing.is_empty() {
            let place = pack.files().full_name(&format!("sessions/{id}.json"));
            let kind = serde_json::to_value(record.shell.kind).expect("plain data");
            let found = format!("{kind}, and the pack has no icon `{}`", missing.join("`, `"));
            return Err(Error::file(format!("{place}: shell.kind"), found, "a shell whose icons are in icons/icons.json"));
        }
    }
    Ok(())
}

fn check(place: &str, session: &format::Session, lists: &Lists) -> Result<(), Error> {
    let field = |field: &str, found: String, expected: String| Err(Error::file(format!("{place}: {field}"), found, expected));
    if session.format_version != FORMAT_VERSION {
        return field("format_version", session.format_version.to_string(), FORMAT_VERSION.to_string());
    }
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if session.id.is_empty() || !session.id.chars().all(plain) || session.id == UNKNOWN_SESSION {
        return field("id", session.id.clone(), "lower-case letters, digits and hyphens, not `unknown`".to_owned());
    }
    if !(session.scale > 0.0 && session.scale <= MAX_SCALE) {
        return field("scale", session.scale.to_string(), format!("a number above 0 and up to {MAX_SCALE}"));
    }
    if !lists.fonts.iter().any(|font| font.family == session.look.font) {
        return field("look.font", session.look.font.clone(), "a family of fonts/fonts.json".to_owned());
    }
    if let Some(shadows) = session.look.shadow {
        for (name, shadow) in [("active", shadows.active), ("inactive", shadows.inactive)] {
            let too_far = [shadow.offset.x, shadow.offset.y].iter().any(|v| v.unsigned_abs() > MAX_BLUR_PX);
            if shadow.blur_px > MAX_BLUR_PX || too_far {
                return field(&format!("look.shadow.{name}"), format!("{shadow:?}"), format!("at most {MAX_BLUR_PX} px"));
            }
        }
    }
    let has_program = |id: &String| lists.programs.iter().any(|p| p.record.id == *id);
    if let Some(id) = session.shell.pinned.iter().find(|id| !has_program(id)) {
        return field("shell.pinned", id.clone(), "programs of this pack".to_owned());
    }
    let has_icon = |id: &String| lists.icons.iter().any(|icon| icon.id == *id);
    if let Some(file) = session.desktop.icons.iter().find(|file| !has_icon(&file.icon)) {
        return field("desktop.icons", format!("icon `{}`", file.icon), "icons of icons/icons.json".to_owned());
    }
    if let Some(pointer) = &session.pointer {
        if !has_icon(&pointer.icon) {
            return field("pointer.icon", pointer.icon.clone(), "an icon of icons/icons.json".to_owned());
        }
        if !(1..=MAX_POINTER_PX).contains(&pointer.side_px) {
            return field("pointer.side_px", pointer.side_px.to_string(), format!("1 to {MAX_POINTER_PX}"));
        }
        let side = pointer.side_px as i32;
        if !(0..side).contains(&pointer.hotspot.x) || !(0..side).contains(&pointer.hotspot.y) {
            return field("pointer.hotspot", format!("{:?}", <[i32; 2]>::from(pointer.hotspot)), "a pixel of it".to_owned());
        }
    }
    let has_wallpaper = |id: &String| lists.wallpapers.iter().any(|wallpaper| wallpaper.id == *id);
    if let Some(id) = session.wallpapers.iter().find(|id| !has_wallpaper(id)) {
        return field("wallpapers", id.clone(), "ids of wallpapers/wallpapers.json".to_owned());
    }
    Ok(())
}
