//! A study as users ask for one: by name or file, with changes, filters and wallpapers. The command line and other
//! front ends ask here, so that the same words make the same dataset.

mod states;
mod tasks;

use std::collections::BTreeSet;

use windesk_dataset::LEVELS_SWEEP;
use windesk_engine::config::variant::named_sweep;
use windesk_engine::config::{Scan, Sweep};
use windesk_engine::pack::Pack;
use windesk_engine::study::Study;
use windesk_model::condition::{Balance, Condition, InstructionChoice, StatesKnob, TargetSize};
use windesk_model::instruction::UiType;
use windesk_model::pack_format::Category;
use windesk_model::role::RoleGroup;
use windesk_model::spelling::nearest;
use windesk_model::{Error, Result};

use crate::shipped::{self, text_of};

pub use states::{Controls, PRECISION, StateRequest, named_hint, of_precision, of_states};
pub use tasks::{TaskRequest, named_goals, of_tasks};

/// The key of a level that says in which states windows are.
const STATES: &str = "states";
/// The key of a level that says what it is called.
const NAME: &str = "name";

/// What targets may be, and which wallpapers lie behind them, by names. An empty list leaves all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narrowing {
    /// Categories of programs.
    pub categories: Vec<String>,
    /// Programs, by id or name.
    pub apps: Vec<String>,
    /// Groups of roles.
    pub roles: Vec<String>,
    /// `text` or `icon`.
    pub ui_types: Vec<String>,
    /// `small`, `medium` or `large`.
    pub target_sizes: Vec<String>,
    /// Sessions, by id.
    pub sessions: Vec<String>,
    /// Wallpapers, by id.
    pub wallpapers: Vec<String>,
}

impl Narrowing {
    /// Adds it to what a condition asks for already.
    ///
    /// # Errors
    /// If a name of a closed list is none of that list.
    pub fn apply(&self, condition: &mut Condition) -> Result<()> {
        if condition.as_session.is_some() && !self.sessions.is_empty() {
            let found = format!("option `session` {}", self.sessions.join(","));
            return Err(Error::config(found, "as_session is given, expected no filters.sessions beside it"));
        }
        let categories = Category::ALL.map(Category::name);
        let filters = &mut condition.filters;
        filters.categories.extend(named::<Category>("category", &self.categories, &categories)?);
        filters.roles.extend(named::<RoleGroup>("role", &self.roles, &ROLE_GROUPS)?);
        filters.ui_types.extend(named::<UiType>("ui_type", &self.ui_types, &["icon", "text"])?);
        filters.target_sizes.extend(named::<TargetSize>("target_size", &self.target_sizes, &["small", "medium", "large"])?);
        filters.apps.extend(self.apps.iter().cloned());
        filters.sessions.extend(self.sessions.iter().cloned());
        condition.wallpapers.extend(self.wallpapers.iter().cloned());
        Ok(())
    }

    /// Adds it to what all conditions of a sweep ask for.
    ///
    /// # Errors
    /// If a name of a closed list is none of that list, or the conditions have lists of their own, which more names
    /// would make others than they are called.
    pub fn apply_to_sweep(&self, sweep: &mut Sweep) -> Result<()> {
        for (option, key, names) in self.clone().lists() {
            if let Some(varied) = sweep.varies(key).filter(|_| !names.is_empty()) {
                return Err(varied.refusal(&format!("option `{option}` {}", names.join(",")), &sweep.name));
            }
        }
        sweep.conditions.iter_mut().try_for_each(|condition| self.apply(condition))
    }

    /// Its lists, each with the name of its option and the key of levels that it adds to.
    fn lists(&mut self) -> [(&'static str, &'static str, &mut Vec<String>); 7] {
        let Self { categories, apps, roles, ui_types, target_sizes, sessions, wallpapers } = self;
        [
            ("category", "filters.categories", categories),
            ("app", "filters.apps", apps),
            ("role", "filters.roles", roles),
            ("ui_type", "filters.ui_types", ui_types),
            ("target_size", "filters.target_sizes", target_sizes),
            ("session", "filters.sessions", sessions),
            ("wallpaper", "wallpapers", wallpapers),
        ]
    }

    /// Looks whether the pack has what its names and those of the conditions stand for.
    ///
    /// # Errors
    /// With the first name that the pack doesn't know.
    pub fn check(&self, pack: &Pack, conditions: &[Condition]) -> Result<()> {
        let programs: BTreeSet<&str> =
            pack.programs.iter().flat_map(|p| [p.record.id.as_str(), p.record.name.as_str()]).collect();
        for app in &self.apps {
            if !programs.contains(app.as_str()) {
                let error = Error::config(format!("option `app` {app}"), "expected the id or name of a program of the pack");
                return Err(match nearest(app, programs.iter().copied()) {
                    Some(near) => error.with_hint(format!("did you mean {near}?")),
                    None => error.with_hint("`windesk pack stats` lists them"),
                });
            }
        }
        for id in conditions.iter().flat_map(|c| &c.wallpapers) {
            if !pack.wallpapers.iter().any(|w| w.id == *id) {
                let ids: Vec<&str> = pack.wallpapers.iter().map(|w| w.id.as_str()).collect();
                return Err(Error::config(format!("wallpaper {id}"), format!("expected one of {}", ids.join(", "))));
            }
        }
        if !pack.has_instructions && conditions.iter().any(|c| c.instructions == InstructionChoice::Reviewed) {
            let found = format!("the pack `{}` has no reviewed instructions", pack.header.name);
            return Err(Error::config("option `instructions` reviewed", found));
        }
        Ok(())
    }
}

/// The study of a level: one that ships, `all` of them planned jointly, or the one in a file ending in `.toml`. `sets`
/// are `key=value` changes in order.
///
/// # Errors
/// If there is no such level, its file can't be read, or changes or names make it impossible.
pub fn of_level(level: &str, sets: &[String], narrowing: &Narrowing, seed: u64) -> Result<Study> {
    if level.eq_ignore_ascii_case("all") {
        let mut changed = shipped::levels(sets)?;
        changed.conditions.iter_mut().try_for_each(|condition| narrowing.apply(condition))?;
        let mut changed = named_sweep(Some(&shipped::levels(&[])?), changed);
        changed.conditions = changed.conditions.into_iter().map(|level| shipped::named_level(None, level)).collect();
        return Ok(Study::of_sweep(changed, seed));
    }
    Ok(Study::of_condition(condition_of(level, sets, narrowing, "`all` or a TOML file")?, seed))
}

/// The condition of one level: one that ships, or the one in a file ending in `.toml`.
///
/// # Errors
/// Those of [`of_level`].
pub fn condition_of_level(level: &str, sets: &[String], narrowing: &Narrowing) -> Result<Condition> {
    condition_of(level, sets, narrowing, "or a TOML file")
}

/// The same. `or` is what else could have been given, for messages.
fn condition_of(level: &str, sets: &[String], narrowing: &Narrowing, or: &str) -> Result<Condition> {
    let (written, mut condition) = if level.ends_with(".toml") {
        let text = text_of(level, "a readable text file")?;
        // A file may leave to changes what must be there.
        (shipped::parse_level(level, &text, &[]).ok(), shipped::parse_level(level, &text, sets)?)
    } else {
        (shipped::level(level, &[]).ok(), shipped::level_or(level, sets, or)?)
    };
    narrowing.apply(&mut condition)?;
    Ok(shipped::named_level(written.as_ref(), condition))
}

/// The same for tasks and controls, whose pages are in states of their own: what else shows is as captured. Where the
/// level or a change says otherwise, they refuse it.
fn condition_as_captured(level: &str, sets: &[String], narrowing: &Narrowing) -> Result<Condition> {
    // What is usual here gives no name of its own.
    let others: Vec<String> = sets.iter().filter(|&set| set != "states=captured").cloned().collect();
    if names(&others, STATES) || written(level)?.is_some_and(|level| level.contains_key(STATES)) {
        return condition_of_level(level, sets, narrowing);
    }
    Ok(Condition { states: StatesKnob::Captured, ..condition_of_level(level, &others, narrowing)? })
}

/// Whether a change is one to a key.
fn names(sets: &[String], key: &str) -> bool {
    sets.iter().any(|set| set.split_once('=').is_some_and(|(changed, _)| changed.trim() == key))
}

/// What a level's own file says; nothing of a level that ships. Of a text that is no TOML too: its reader refuses it.
fn written(level: &str) -> Result<Option<toml::Table>> {
    if !level.ends_with(".toml") {
        return Ok(None);
    }
    Ok(text_of(level, "a readable text file")?.parse().ok())
}

/// What a study of levels is called in names of folders: `all`, with what follows the name of the levels, or the
/// level's own name.
pub fn label_of_level(study: &Study) -> String {
    match &study.sweep {
        Some(name) => format!("all{}", name.trim_start_matches(LEVELS_SWEEP)),
        None => study.conditions[0].name.clone(),
    }
}

/// The study of a sweep: one that ships, or the one in a file ending in `.toml`, with `scans` in place of its
/// conditions if there are any.
///
/// # Errors
/// If there is no such sweep, its file can't be read, or changes or names make a condition impossible.
pub fn of_sweep(sweep: &str, sets: &[String], scans: &[Scan], narrowing: &Narrowing, seed: u64) -> Result<Study> {
    let (written, mut parsed) = if sweep.ends_with(".toml") {
        let text = text_of(sweep, "a readable text file")?;
        // A scan is no change of what is written, but another sweep. A file may leave to changes what must be there.
        let written = if scans.is_empty() { shipped::parse_sweep(sweep, &text, &[], &[]).ok() } else { None };
        (written, shipped::parse_sweep(sweep, &text, sets, scans)?)
    } else {
        (None, shipped::sweep(sweep, sets, scans)?)
    };
    narrowing.apply_to_sweep(&mut parsed)?;
    Ok(Study::of_sweep(shipped::named_sweep_of(written.as_ref(), parsed), seed))
}

/// A sweep that ships, as one of several under the same changes and names: what its conditions set themselves stays,
/// and the changes and options that would have changed it come back.
///
/// # Errors
/// Those of [`of_sweep`], but for changes to what the conditions set themselves.
pub fn sweep_among_others(name: &str, sets: &[String], narrowing: &Narrowing) -> Result<(Sweep, Vec<String>)> {
    let plain = shipped::sweep(name, &[], &[])?;
    let (mut applied, mut left) = (Vec::new(), Vec::new());
    for set in sets {
        let list = if plain.varied_by_set(set)?.is_some() { &mut left } else { &mut applied };
        list.push(set.clone());
    }
    let mut narrowing = narrowing.clone();
    for (option, key, names) in narrowing.lists() {
        if !names.is_empty() && plain.varies(key).is_some() {
            left.push(format!("{option}={}", std::mem::take(names).join(",")));
        }
    }
    let mut sweep = shipped::sweep(name, &applied, &[])?;
    narrowing.apply_to_sweep(&mut sweep)?;
    Ok((sweep, left))
}

/// The change that a list of what to balance stands for, or none if it is empty.
///
/// # Errors
/// If a name is none of them.
pub fn balance_set(names: &[String]) -> Result<Option<String>> {
    if names.is_empty() {
        return Ok(None);
    }
    let quoted = |name: &Balance| serde_json::to_string(name).expect("plain data");
    let names: Vec<String> = named::<Balance>("balance", names, &Balance::NAMES)?.iter().map(quoted).collect();
    Ok(Some(format!("balance=[{}]", names.join(", "))))
}

const ROLE_GROUPS: [&str; 16] = [
    "button",
    "menu",
    "menu_item",
    "tab",
    "check_box",
    "radio",
    "switch",
    "field",
    "combo_box",
    "spin_button",
    "slider",
    "item",
    "cell",
    "link",
    "header",
    "icon",
];

/// Parses names of a closed list, with the nearest known one for a mistyped one.
fn named<T: serde::de::DeserializeOwned>(option: &str, given: &[String], known: &[&str]) -> Result<Vec<T>> {
    given
        .iter()
        .map(|name| serde_json::from_value(serde_json::Value::String(name.clone())).map_err(|_| unknown(option, name, known)))
        .collect()
}

/// The error for a name that is none of a closed list, with the nearest known one.
fn unknown(option: &str, name: &str, known: &[&str]) -> Error {
    let error = Error::config(format!("option `{option}` {name}"), format!("expected one of {}", known.join(", ")));
    match nearest(name, known.iter().copied()) {
        Some(near) => error.with_hint(format!("did you mean {near}?")),
        None => error,
    }
}
