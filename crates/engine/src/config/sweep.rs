//! Sweep files: a base that all conditions share, and what each changes.

use serde::{Deserialize, Serialize};

use windesk_model::Error;
use windesk_model::condition::{Condition, Pairing, Priors, Protocol};

use super::file::{apply_sets, stated_protocol, toml_error};
use super::{apply_set, parse_table};

/// A sweep: conditions over the same indices.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sweep {
    /// Its name.
    pub name: String,
    /// What the samples of an index have in common.
    pub pairing: Pairing,
    /// In order.
    pub conditions: Vec<Condition>,
    /// What they set themselves. It follows from what was written, and is no part of what the sweep is known by.
    #[serde(skip)]
    pub varied: Vec<Varied>,
}

/// A key that conditions of a sweep set themselves. The names of conditions stand for its values, so nothing but the
/// conditions changes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Varied {
    /// The key of a level, dotted.
    pub key: String,
    /// Names of the conditions that set it, in order.
    pub conditions: Vec<String>,
}

/// Half of the band around a value of `visible_ratio` in a scan.
const SCAN_HALF_BAND: f64 = 0.02;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SweepFile {
    name: String,
    pairing: Option<Pairing>,
    #[serde(default)]
    base: toml::Table,
    #[serde(default)]
    as_published: toml::Table,
    #[serde(default)]
    conditions: Vec<toml::Table>,
}

/// Reads a sweep file. `place` names it in messages; `sets` are `key=value` changes to the base; `scans` replace the
/// conditions.
///
/// # Errors
/// Unknown keys, wrong types, impossible conditions, conditions that no joint arrangement can hold, and changes to what
/// the conditions set themselves.
pub fn parse_sweep(place: &str, text: &str, sets: &[String], scans: &[Scan], priors: &Priors) -> Result<Sweep, Error> {
    let file: SweepFile = toml::from_str(text).map_err(|e| toml_error(place, &e))?;
    let written = if scans.is_empty() { file.conditions } else { combinations(scans)? };
    if written.is_empty() {
        return Err(Error::config(place, "found no [[conditions]], expected at least one")
            .with_hint("or give option `scan` or option `list`"));
    }
    let varied = varied_by(&written);
    for set in sets {
        if let Some(varied) = changed(&varied, &keys_of_set(set)?) {
            return Err(varied.refusal(&format!("option `set` {set}"), &file.name));
        }
    }
    let mut conditions: Vec<Condition> = Vec::with_capacity(written.len());
    for mut changes in written {
        // A name is no knob: the user's own is kept, and several conditions can't share it.
        if sets.iter().any(|set| set.split_once('=').is_some_and(|(key, _)| key.trim() == NAME)) {
            changes.remove(NAME);
        }
        let with_own = |mut table: toml::Table| {
            merge(&mut table, changes.clone());
            table
        };
        let mut table = file.base.clone();
        let mut stated = with_own(table.clone());
        apply_sets(&mut stated, sets)?;
        if stated_protocol(place, &stated)? == Protocol::Windeskground {
            merge(&mut table, file.as_published.clone());
        }
        // A sweep changes one knob: what it shows of a target is measured, and nothing is passed over for it.
        if !changes.contains_key(EVIDENCE) {
            table.entry(EVIDENCE).or_insert_with(|| toml::Value::Table(evidence_recorded_alone()));
        }
        apply_sets(&mut table, sets)?;
        let table = with_own(table);
        let name = table.get("name").and_then(toml::Value::as_str).unwrap_or("without a name").to_owned();
        let condition = parse_table(&format!("{place}, condition {name}"), table, priors)?;
        if conditions.iter().any(|c| c.name == condition.name) {
            return Err(Error::config(place, format!("two conditions are called {name}, expected different names")));
        }
        conditions.push(condition);
    }
    let first = &conditions[0];
    if let Some(other) = conditions.iter().find(|c| c.protocol != first.protocol) {
        let problem =
            format!("{} follows {} and {} follows {}", first.name, first.protocol.name(), other.name, other.protocol.name());
        return Err(Error::config(place, format!("{problem}, expected one protocol in a sweep"))
            .with_hint("numbers of two protocols are never compared; make two sweeps"));
    }
    // The published generator draws the places of every condition anew.
    let pairing = match (first.protocol, file.pairing.unwrap_or(Pairing::Scenes)) {
        (Protocol::Windeskground, Pairing::Scenes) => Pairing::Targets,
        (_, pairing) => pairing,
    };
    let name = if scans.is_empty() { file.name } else { format!("{}-scan", file.name) };
    let sweep = Sweep { name, pairing, conditions, varied };
    sweep.check(place)?;
    Ok(sweep)
}

const EVIDENCE: &str = "evidence";
const NAME: &str = "name";

/// Keys that mean one thing as a whole: one of their own keys changes what the others mean.
const WHOLE: [&str; 2] = ["layout", "priors"];

/// What counts in place of something else, wherever both are given.
const REPLACES: (&str, &str) = ("distractor.similarity", "distractor.rank");

impl Varied {
    /// Whether a key is the same, a part of it, what it is a part of, or what counts in its place.
    fn is_changed_by(&self, key: &str) -> bool {
        let within =
            |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        within(key, &self.key) || within(&self.key, key) || (key, self.key.as_str()) == REPLACES
    }

    /// The error for a change to it. `found` is the change, `sweep` whose conditions set it.
    pub fn refusal(&self, found: &str, sweep: &str) -> Error {
        let Self { key, conditions } = self;
        let found = Error::config(
            found,
            format!("the sweep {sweep} varies `{key}` itself ({}), expected another key", conditions.join(", ")),
        );
        found.with_hint(
            "flags and keys of an option file count as such changes too; for other values give option `list`, or a sweep file",
        )
    }
}

/// The keys that conditions set, but for their names.
fn varied_by(conditions: &[toml::Table]) -> Vec<Varied> {
    let mut varied: Vec<Varied> = Vec::new();
    for condition in conditions {
        let name = condition.get(NAME).and_then(toml::Value::as_str).unwrap_or_default();
        for key in keys_of(condition).into_iter().filter(|key| key != NAME) {
            match varied.iter_mut().find(|known| known.key == key) {
                Some(known) => known.conditions.push(name.to_owned()),
                None => varied.push(Varied { key, conditions: vec![name.to_owned()] }),
            }
        }
    }
    varied
}

/// Dotted keys of all values of a table.
fn keys_of(table: &toml::Table) -> Vec<String> {
    let mut keys = Vec::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) if !WHOLE.contains(&key.as_str()) => {
                keys.extend(keys_of(inner).into_iter().map(|inner| format!("{key}.{inner}")));
            }
            _ => keys.push(key.clone()),
        }
    }
    keys
}

/// Which of these a change to any of some keys changes.
fn changed<'v>(varied: &'v [Varied], keys: &[String]) -> Option<&'v Varied> {
    varied.iter().find(|varied| keys.iter().any(|key| varied.is_changed_by(key)))
}

/// The keys that a `key=value` changes.
fn keys_of_set(set: &str) -> Result<Vec<String>, Error> {
    let mut table = toml::Table::new();
    apply_set(&mut table, set)?;
    Ok(keys_of(&table))
}

/// `[evidence]` that requires nothing.
fn evidence_recorded_alone() -> toml::Table {
    ["context", "landmarks", "own"].into_iter().map(|share| (share.to_owned(), toml::Value::Float(0.0))).collect()
}

impl Sweep {
    /// What a change to a key would change of what the conditions set themselves.
    pub fn varies(&self, key: &str) -> Option<&Varied> {
        changed(&self.varied, &[key.to_owned()])
    }

    /// The same of a `key=value`.
    ///
    /// # Errors
    /// Those of [`apply_set`].
    pub fn varied_by_set(&self, set: &str) -> Result<Option<&Varied>, Error> {
        Ok(changed(&self.varied, &keys_of_set(set)?))
    }

    /// Refuses knobs that would move what scenes planned as pairs share.
    fn check(&self, place: &str) -> Result<(), Error> {
        if self.pairing != Pairing::Scenes
            && let Some(themed) = self.conditions.iter().find(|c| c.theme.is_some())
        {
            let problem = format!("{} has a theme, expected pairing = \"scenes\" beside it", themed.name);
            return Err(Error::config(place, problem));
        }
        self.check_twins(place)?;
        let first = &self.conditions[0];
        for other in &self.conditions[1..] {
            if self.pairing != Pairing::Scenes {
                continue;
            }
            let moved = [
                ("priors", first.priors != other.priors),
                ("canvas", first.canvas != other.canvas),
                ("target.centre_biased", first.target.centre_biased != other.target.centre_biased),
                ("filters", first.filters != other.filters),
                ("theme, which one of them has not", first.theme.is_some() != other.theme.is_some()),
                ("category_weights", first.category_weights != other.category_weights),
            ];
            if let Some((knob, _)) = moved.iter().find(|(_, moved)| *moved) {
                return Err(Error::config(
                    place,
                    format!("{} and {} differ in {knob}, which moves everything", first.name, other.name),
                )
                .with_hint("pairing = \"targets\" keeps only target, instruction and wallpaper; \"none\" keeps nothing"));
            }
        }
        Ok(())
    }

    /// Twins differ in their session, and in nothing else.
    fn check_twins(&self, place: &str) -> Result<(), Error> {
        let twins = self.pairing == Pairing::Twins;
        if let Some(odd) = self.conditions.iter().find(|c| c.as_session.is_some() != twins) {
            let (found, pairing) = if twins { ("no as_session", "twins") } else { ("as_session", "scenes, targets or none") };
            let problem = format!("{} has {found}, and pairing is {pairing}", odd.name);
            return Err(Error::config(place, format!("{problem}, expected as_session in all conditions if pairing = \"twins\"")));
        }
        if !twins {
            return Ok(());
        }
        let bare = |c: &Condition| Condition { name: String::new(), as_session: None, ..c.clone() };
        let first = &self.conditions[0];
        if let Some(other) = self.conditions.iter().find(|c| bare(c) != bare(first)) {
            let problem = format!("{} and {} differ in more than as_session", first.name, other.name);
            return Err(Error::config(place, format!("{problem}, expected twins of the same scenes")));
        }
        for (at, condition) in self.conditions.iter().enumerate() {
            if let Some(before) = self.conditions[..at].iter().find(|before| before.as_session == condition.as_session) {
                let problem = format!("{} and {} show one session, expected different ones", before.name, condition.name);
                return Err(Error::config(place, problem));
            }
        }
        Ok(())
    }
}

/// Values of one knob.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    key: String,
    values: Vec<f64>,
}

impl Scan {
    /// From `key=from..to/step`, both ends included, upwards or downwards.
    ///
    /// # Errors
    /// If it is not of that form, or gives more than 100 values.
    pub fn range(text: &str) -> Result<Self, Error> {
        let bad =
            || Error::config(format!("option `scan` {text}"), "expected key=FROM..TO/STEP, such as visible_ratio=1.0..0.3/0.1");
        let (key, range) = text.split_once('=').ok_or_else(bad)?;
        let (from, rest) = range.split_once("..").ok_or_else(bad)?;
        let (to, step) = rest.split_once('/').ok_or_else(bad)?;
        let number = |s: &str| s.trim().parse::<f64>().ok().filter(|n| n.is_finite()).ok_or_else(bad);
        let (from, to, step) = (number(from)?, number(to)?, number(step)?.abs());
        let steps = ((to - from).abs() / step + 1e-9).floor();
        if step == 0.0 || steps >= 100.0 {
            return Err(Error::config(format!("option `scan` {text}"), "expected a step above 0 and at most 100 values"));
        }
        let value = |n: usize| from + if to < from { -step } else { step } * n as f64;
        let tidy = |v: f64| (v * 10_000.0).round() / 10_000.0;
        Ok(Self { key: key.trim().to_owned(), values: (0..=steps as usize).map(value).map(tidy).collect() })
    }

    /// From `key=a,b,c`.
    ///
    /// # Errors
    /// If it is not of that form.
    pub fn list(text: &str) -> Result<Self, Error> {
        let bad = || Error::config(format!("option `list` {text}"), "expected key=A,B,C with numbers, such as windows=2,4,8");
        let (key, values) = text.split_once('=').ok_or_else(bad)?;
        let values =
            values.split(',').map(|v| v.trim().parse().ok().filter(|n: &f64| n.is_finite())).collect::<Option<Vec<f64>>>();
        Ok(Self { key: key.trim().to_owned(), values: values.ok_or_else(bad)? })
    }

    /// What one value changes, as TOML text: ranges become narrow ones around it.
    fn change(&self, value: f64) -> String {
        let text = match self.key.as_str() {
            "visible_ratio" if value >= 1.0 => "[1.0, 1.0]".to_owned(),
            "visible_ratio" | "distractor.similarity" => {
                format!("[{:.4}, {:.4}]", (value - SCAN_HALF_BAND).max(0.0), (value + SCAN_HALF_BAND).min(1.0))
            }
            "windows" => format!("[{value}, {value}]"),
            _ => value.to_string(),
        };
        format!("{}={text}", self.key)
    }
}

/// Every combination of the scans' values, as changes to a base.
fn combinations(scans: &[Scan]) -> Result<Vec<toml::Table>, Error> {
    let mut tables = vec![toml::Table::new()];
    for scan in scans {
        let mut grown = Vec::with_capacity(tables.len() * scan.values.len());
        for table in &tables {
            for &value in &scan.values {
                let mut table = table.clone();
                apply_set(&mut table, &scan.change(value))?;
                let own = format!("{}-{value}", scan.key.rsplit('.').next().unwrap_or_default());
                let name = match table.get("name").and_then(toml::Value::as_str) {
                    Some(before) => format!("{before}_{own}"),
                    None => own,
                };
                table.insert("name".to_owned(), toml::Value::String(name));
                grown.push(table);
            }
        }
        tables = grown;
    }
    Ok(tables)
}

/// Puts `changes` into `table`, tables into tables.
fn merge(table: &mut toml::Table, changes: toml::Table) {
    for (key, change) in changes {
        match (table.get_mut(&key), change) {
            (Some(toml::Value::Table(held)), toml::Value::Table(change)) => merge(held, change),
            (_, change) => {
                table.insert(key, change);
            }
        }
    }
}
