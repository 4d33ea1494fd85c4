//! The configurations that come with the program: levels, sweeps, probe designs, prompts. Their files lie in
//! `configs/`.
//!
//! Each function reads what ships under a name. Those called `parse_..` read a text of your own; where it leaves the
//! priors to the program, it gets the shipped ones.

use std::path::Path;

use windesk_dataset::LEVELS_SWEEP;
use windesk_engine::config::variant::{named_condition, named_sweep};
use windesk_engine::config::{self, Scan, Sweep};
use windesk_engine::icon_probe::{self, ProbeStudy, PromptTemplate};
use windesk_eval::parse::FAMILIES;
use windesk_eval::predict::{HistoryPrompt, Prompt};
use windesk_model::benchmark::{Benchmark, BenchmarkClaim};
use windesk_model::condition::{Condition, Pairing, Priors};
use windesk_model::digest::hex_digest;
use windesk_model::spelling::nearest;
use windesk_model::{Error, Result};

/// Names and texts of files in a folder of `configs/`.
macro_rules! texts {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../configs/", $folder, "/", $name, ".toml")))),+]
    };
}

/// Names and texts of the levels, easiest first.
pub const LEVELS: [(&str, &str); 5] = [
    ("L1", include_str!("../configs/levels/l1.toml")),
    ("L2", include_str!("../configs/levels/l2.toml")),
    ("L3", include_str!("../configs/levels/l3.toml")),
    ("L4", include_str!("../configs/levels/l4.toml")),
    ("L5", include_str!("../configs/levels/l5.toml")),
];

/// Names and texts of the sweeps.
pub const SWEEPS: [(&str, &str); 17] = texts!["sweeps":
    "occlusion", "occlusion-steps", "semantic", "similarity", "clutter", "clutter-steps", "baseline", "distractors", "layer", "chrome",
    "theme", "session", "wallpaper", "layout", "priors", "target-size", "occlusion-x-similarity",
];

/// Sweeps of a knob that protocol `windeskground` does not have.
pub const WINDESK_SWEEPS: [&str; 5] = ["layer", "layout", "session", "similarity", "theme"];

/// Names and texts of the designs of icon probes.
pub const DESIGNS: [(&str, &str); 12] = texts!["probes":
    "rare", "familiar", "near-duplicates", "semantic-neighbours", "same-name-different-style", "size-sweep", "count-sweep", "gap-sweep",
    "contrast-sweep", "wallpaper-sweep", "position-grid", "absent",
];

/// Names and texts of the prompt templates of icon probes.
pub const PROBE_PROMPTS: [(&str, &str); 4] = texts!["prompts/icons": "paper", "click", "description", "style"];

/// Names and texts of the prompt templates of families of models.
pub const FAMILY_PROMPTS: [(&str, &str); 24] = texts!["prompts/families":
    "seeclick", "os-atlas", "uground", "ui-tars", "ui-tars-1.5", "infigui", "showui", "aguvis", "cogagent", "gui-actor", "qwen2-vl",
    "qwen2.5-vl", "qwen3-vl", "gta1", "holo1", "holo1.5", "holo2", "jedi", "gui-owl", "opencua", "molmo", "gemini", "norm", "json",
];

/// Names and texts of the benchmarks. Once one is here, its text stays as it is.
pub const BENCHMARKS: [(&str, &str); 2] = texts!["benchmarks": "windesk-1", "windesk-2"];

/// The category-position priors.
pub fn priors() -> Priors {
    toml::from_str(include_str!("../configs/priors.toml")).expect("a test reads the shipped file")
}

/// A level by name, with `key=value` changes in order.
///
/// # Errors
/// If there is no such level, or the changes make it impossible.
pub fn level(name: &str, sets: &[String]) -> Result<Condition> {
    level_or(name, sets, "or a TOML file")
}

/// The same. `or` is what else could have been given, for messages.
pub(crate) fn level_or(name: &str, sets: &[String], or: &str) -> Result<Condition> {
    let (known, text) = find(&LEVELS, name, || Error::config(format!("option `level` {name}"), expected(&LEVELS, or)))?;
    parse_level(&format!("configs/levels/{}.toml", known.to_lowercase()), text, sets)
}

/// A level from its text. `place` names it in messages; `sets` are `key=value` changes in order.
///
/// # Errors
/// Those of [`config::parse_level`].
pub fn parse_level(place: &str, text: &str, sets: &[String]) -> Result<Condition> {
    config::parse_level(place, text, sets, &priors())
}

/// A level under the name that it deserves: one that bears the name of a shipped level and differs from it gets a name
/// of its own, and so does any other that differs from `written`, what its file says without changes.
pub fn named_level(written: Option<&Condition>, level: Condition) -> Condition {
    let shipped = LEVELS.iter().find(|(name, _)| *name == level.name);
    match shipped.map(|(name, _)| self::level(name, &[]).expect("a test reads the shipped file")) {
        Some(shipped) => named_condition(Some(&shipped), level),
        // A name that the changes give is the user's own.
        None if written.is_some_and(|written| written.name != level.name) => level,
        None => named_condition(written, level),
    }
}

/// A sweep by name, with `key=value` changes to the base of its conditions, and `scans` in place of its conditions (if
/// there are any).
///
/// # Errors
/// If there is no such sweep, a condition is impossible, or a change is one to what the conditions set themselves.
pub fn sweep(name: &str, sets: &[String], scans: &[Scan]) -> Result<Sweep> {
    let (known, text) = find(&SWEEPS, name, || Error::config(format!("sweep {name}"), expected(&SWEEPS, "or a TOML file")))?;
    parse_sweep(&format!("configs/sweeps/{known}.toml"), text, sets, scans)
}

/// A sweep from its text. `place` names it in messages.
///
/// # Errors
/// Those of [`config::parse_sweep`].
pub fn parse_sweep(place: &str, text: &str, sets: &[String], scans: &[Scan]) -> Result<Sweep> {
    config::parse_sweep(place, text, sets, scans, &priors())
}

/// A sweep under the name that it deserves: one that bears the name of a shipped sweep and differs from it gets a name
/// of its own, and so does any other that differs from `written`, what its file says without changes.
pub fn named_sweep_of(written: Option<&Sweep>, sweep: Sweep) -> Sweep {
    let shipped = SWEEPS.iter().find(|(name, _)| *name == sweep.name);
    match shipped.map(|(name, _)| self::sweep(name, &[], &[]).expect("a test reads the shipped file")) {
        Some(shipped) => named_sweep(Some(&shipped), sweep),
        None => named_sweep(written, sweep),
    }
}

/// A study of icon probes under the name that it deserves: one that bears the name of a shipped design and differs from
/// it gets a name of its own, and so does any other that differs from `written`, what its file says without changes.
/// `icons` is the digest of a user's own icons.
pub fn named_design(written: Option<&ProbeStudy>, study: ProbeStudy, icons: Option<&str>) -> ProbeStudy {
    let shipped = DESIGNS.iter().find(|(name, _)| *name == study.design);
    match shipped.map(|(name, _)| design(name, &[], study.seed).expect("a test reads the shipped file")) {
        Some(shipped) => study.named_beside(Some(&shipped), icons),
        None => study.named_beside(written, icons),
    }
}

/// All levels, planned jointly, with `key=value` changes in order.
///
/// # Errors
/// If the changes make one of them impossible.
pub fn levels(sets: &[String]) -> Result<Sweep> {
    let conditions = LEVELS.iter().map(|(name, _)| level(name, sets)).collect::<Result<_, _>>()?;
    Ok(Sweep { name: LEVELS_SWEEP.to_owned(), pairing: Pairing::Targets, conditions, varied: Vec::new() })
}

/// A benchmark by name, with the digest of its file.
///
/// # Errors
/// If there is none of that name.
pub fn benchmark(name: &str) -> Result<(Benchmark, String)> {
    let (known, text) =
        find(&BENCHMARKS, name, || Error::config(format!("benchmark {name}"), expected(&BENCHMARKS, "or a TOML file")))?;
    parse_benchmark(&format!("configs/benchmarks/{known}.toml"), text)
}

/// A benchmark from its text, with the digest of that. `place` names it in messages.
///
/// # Errors
/// If it makes no benchmark.
pub fn parse_benchmark(place: &str, text: &str) -> Result<(Benchmark, String)> {
    let benchmark: Benchmark = toml::from_str(text).map_err(|e| Error::config(place, e.to_string().trim_end()))?;
    benchmark.check().map_err(|problem| Error::config(place, problem))?;
    Ok((benchmark, hex_digest(text.as_bytes())))
}

/// Whether a benchmark that a manifest names is one of these.
///
/// # Errors
/// If it has the name of one of these, and says something else of it.
pub fn ships(claim: &BenchmarkClaim) -> Result<bool> {
    if !BENCHMARKS.iter().any(|(name, _)| *name == claim.name) {
        return Ok(false);
    }
    let (benchmark, digest) = self::benchmark(&claim.name)?;
    let own = benchmark.parts.iter().find(|part| part.name == claim.part).and_then(|part| benchmark.claim(part, &digest));
    if own.as_ref() == Some(claim) {
        return Ok(true);
    }
    let problem = format!("benchmark: says {}, part {}, but not what its file says of it", claim.name, claim.part);
    Err(Error::at("manifest.json", problem).with_hint("`windesk bench NAME` makes the genuine one"))
}

/// A design of icon probes by name, or the one in a file ending in `.toml`, with `key=value` changes to all of its
/// conditions.
///
/// # Errors
/// If there is no such design, its file can't be read, or the changes make it impossible.
pub fn design(name: &str, sets: &[String], seed: u64) -> Result<ProbeStudy> {
    if name.ends_with(".toml") {
        let text = text_of(name, "a probe design")?;
        return parse_design(name, &text, sets, seed);
    }
    let (known, text) =
        find(&DESIGNS, name, || Error::config(format!("option `design` {name}"), expected(&DESIGNS, "or a TOML file")))?;
    parse_design(&format!("configs/probes/{known}.toml"), text, sets, seed)
}

/// The text of a file that the user named. `expected` says what it should hold.
pub(crate) fn text_of(name: &str, expected: &str) -> Result<String> {
    let unfit = |found: String| Error::config(name, format!("{found}, expected {expected}"));
    let bytes = windesk_files::read_named(Path::new(name), windesk_files::MAX_WHOLE_BYTES).map_err(|e| unfit(e.found))?;
    String::from_utf8(bytes).map_err(|e| unfit(e.to_string()))
}

/// A design of icon probes from its text. `place` names it in messages.
///
/// # Errors
/// Those of [`icon_probe::parse_design`].
pub fn parse_design(place: &str, text: &str, sets: &[String], seed: u64) -> Result<ProbeStudy> {
    icon_probe::parse_design(place, text, sets, seed, &probe_prompt)
}

/// A prompt template of icon probes by name, or the one in a file ending in `.toml`.
///
/// # Errors
/// If there is none of that name, or the file isn't a template.
pub fn probe_prompt(name: &str) -> Result<PromptTemplate> {
    if name.ends_with(".toml") {
        let text = text_of(name, "a prompt template")?;
        return PromptTemplate::read(name, &text);
    }
    let unknown = || Error::config(format!("prompts: {name}"), expected(&PROBE_PROMPTS, "or a TOML file"));
    let (known, text) = find(&PROBE_PROMPTS, name, unknown)?;
    PromptTemplate::read(&format!("configs/prompts/icons/{known}.toml"), text)
}

/// The prompt template of a family of models.
///
/// # Errors
/// If there is none of that name.
pub fn family_prompt(family: &str) -> Result<Prompt> {
    let unknown = || {
        let names = FAMILY_PROMPTS.map(|(known, _)| known).join(", ");
        let error = Error::config(format!("option `family` {family}"), format!("expected one of {names}"));
        if FAMILIES.iter().any(|known| known.name == family) {
            // Such as computer-use actions, which come from the tools of an interface, not from a prompt.
            return error.with_hint(format!(
                "{family} has a convention, but no prompt for chat: option `prompt` FILE.toml takes your own, with coords = \"{family}\""
            ));
        }
        error.with_hint("option `prompt` FILE.toml takes a template of your own")
    };
    let (known, text) = find(&FAMILY_PROMPTS, family, unknown)?;
    Prompt::read(&format!("configs/prompts/families/{known}.toml"), known, text)
}

/// The words around goal and history where steps of tasks are asked for.
///
/// # Errors
/// Never for what ships; the text is checked as a user's would be.
pub fn history_prompt() -> Result<HistoryPrompt> {
    HistoryPrompt::read("configs/prompts/tasks/history.toml", include_str!("../configs/prompts/tasks/history.toml"))
}

fn expected(known: &[(&'static str, &str)], or: &str) -> String {
    format!("expected {}, {or}", known.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "))
}

/// Name and text of what ships under a name, whatever the case of its letters.
fn find<'a>(known: &[(&'static str, &'a str)], name: &str, unknown: impl FnOnce() -> Error) -> Result<(&'static str, &'a str)> {
    known.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).copied().ok_or_else(|| {
        let error = unknown();
        match nearest(name, known.iter().map(|(name, _)| *name)) {
            Some(near) if error.hint.is_none() => error.with_hint(format!("did you mean {near}?")),
            _ => error,
        }
    })
}
