//! A pack of version 1 as one of the current version: every capture gets the session that it belongs to.
//!
//! Version 1 did not record sessions. Whoever migrates says which windows belong together, by what version 1 recorded
//! of them; nothing is guessed.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use windesk_engine::pack::{Pack, PackFiles, TRANSITION_FILE};
use windesk_files::{MAX_WHOLE_BYTES, StagedFolder, read_named};
use windesk_model::Error;
use windesk_model::pack_format::{Capture, FORMAT_VERSION, OLDEST_FORMAT_VERSION, Session};

use crate::archive::own_names;
use crate::licences::{LICENCE_LIST, licence_list};
use crate::pretty_json;

/// Which windows belong to which session.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionPlan {
    /// The sessions of the new pack.
    pub sessions: Vec<Session>,
    /// Rules, tried in order: the first that fits a window says its session.
    pub windows: Vec<SessionRule>,
}

/// Windows that belong to a session. What is left out fits all.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionRule {
    /// Ids of windows.
    pub ids: Option<Vec<String>>,
    /// Toolkit theme.
    pub theme: Option<String>,
    /// Window manager and frame theme.
    pub frame_style: Option<String>,
    /// Whether the theme is dark.
    pub dark: Option<bool>,
    /// The session.
    pub session: String,
}

impl SessionRule {
    fn fits(&self, window: &windesk_engine::pack::Window) -> bool {
        self.ids.as_ref().is_none_or(|ids| ids.contains(&window.id))
            && self.theme.as_ref().is_none_or(|theme| *theme == window.theme)
            && self.frame_style.as_ref().is_none_or(|style| *style == window.frame_style)
            && self.dark.is_none_or(|dark| dark == window.dark)
    }
}

/// Reads a plan.
///
/// # Errors
/// If the file can't be read, or isn't of the form described in `docs/pack.md`.
pub fn read_session_plan(path: &Path) -> Result<SessionPlan, Error> {
    let bytes = read_named(path, MAX_WHOLE_BYTES)?;
    serde_json::from_slice(&bytes).map_err(|e| Error::file(path.display(), e, "sessions and windows as docs/pack.md describes"))
}

/// Writes a pack of version 1 as one of the current version into a staged folder, which the caller commits. Returns how
/// many windows each session has. Its index has to be made again.
///
/// # Errors
/// If the pack has another version, a window belongs to no session, or a file can't be read or written.
pub fn migrate(
    pack: &Pack,
    plan: &SessionPlan,
    plan_place: &str,
    folder: &StagedFolder,
) -> Result<BTreeMap<String, usize>, Error> {
    let place = |name: &str| pack.files().full_name(name);
    if pack.header.format_version != OLDEST_FORMAT_VERSION {
        let found = format!("format_version {}", pack.header.format_version);
        return Err(Error::file(place("pack.json"), found, format!("format_version {OLDEST_FORMAT_VERSION}")));
    }
    let mut sessions: BTreeMap<&str, &str> = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = plan.sessions.iter().map(|session| (session.id.clone(), 0)).collect();
    for window in &pack.windows {
        let Some(rule) = plan.windows.iter().find(|rule| rule.fits(window)) else {
            let found = format!("no rule for {} (theme {}, frame_style {})", window.id, window.theme, window.frame_style);
            return Err(Error::file(format!("{plan_place}: windows"), found, "a rule for every window"));
        };
        let Some(count) = counts.get_mut(&rule.session) else {
            let found = format!("session `{}`", rule.session);
            return Err(Error::file(format!("{plan_place}: windows"), found, "a session of the same file"));
        };
        *count += 1;
        sessions.insert(&window.id, &rule.session);
    }
    for session in &plan.sessions {
        folder.write(&format!("sessions/{}.json", session.id), &pretty_json(session))?;
    }
    for name in own_names(pack.files()).filter(|name| !name.starts_with("index/") && *name != LICENCE_LIST) {
        let bytes = pack.files().read(name)?;
        let id = name.strip_prefix("windows/").and_then(|name| name.strip_suffix(".json"));
        let session = id.and_then(|id| sessions.get(id));
        if name == "pack.json" {
            let mut header = pack.header.clone();
            header.format_version = FORMAT_VERSION;
            folder.write(name, &pretty_json(&header))?;
        } else if let Some(session) = session {
            folder.write(name, &with_session(&place(name), &bytes, session)?)?;
        } else if name.starts_with("windows/") && name.ends_with(TRANSITION_FILE) {
            let program = name.split('/').nth(1).unwrap_or_default();
            let of_program = pack.transitions.iter().filter(|t| t.from.split('/').next() == Some(program));
            let lines = of_program.map(|t| serde_json::to_string(&**t).expect("plain data") + "\n");
            folder.write(name, lines.collect::<String>().as_bytes())?;
        } else {
            folder.write(name, &bytes)?;
        }
    }
    // Files are reopened as any other pack, so that nothing is taken for sound that a reader would refuse.
    let new = PackFiles::folder(folder.path(), None).and_then(Pack::open).map_err(|e| folder.in_its_place(e))?;
    folder.write(LICENCE_LIST, licence_list(&new).as_bytes())?;
    Ok(counts)
}

/// A capture with its session, its text else as it is written if that can be.
fn with_session(place: &str, bytes: &[u8], session: &str) -> Result<Vec<u8>, Error> {
    let mut capture: Capture = serde_json::from_slice(bytes).map_err(|e| Error::file(place, e, "a capture"))?;
    capture.format_version = FORMAT_VERSION;
    capture.session = Some(session.to_owned());
    let whole = serde_json::to_value(&capture).expect("plain data");
    let same = |text: &String| {
        serde_json::from_str::<Capture>(text).is_ok_and(|c| serde_json::to_value(c).expect("plain data") == whole)
    };
    Ok(edited(bytes, &capture.id, session).filter(same).map_or_else(|| pretty_json(&capture), String::into_bytes))
}

/// The text with another version, and the session on a line behind the id.
fn edited(bytes: &[u8], id: &str, session: &str) -> Option<String> {
    let quoted = |text: &str| serde_json::to_string(text).expect("plain data");
    let text = std::str::from_utf8(bytes).ok()?;
    let (version, at) = text.find("\"format_version\"").zip(text.find(&quoted(id)))?;
    let (number, end) = (text[version..].find(OLDEST_FORMAT_VERSION.to_string().as_str())? + version, at + quoted(id).len());
    let before = text.get(..number)?.to_owned() + &FORMAT_VERSION.to_string();
    Some(before + text.get(number + 1..end)? + ",\n \"session\": " + &quoted(session) + &text[end..])
}
