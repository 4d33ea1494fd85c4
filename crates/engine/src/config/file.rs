//! Level files: what was written.

use std::collections::BTreeMap;

use serde::Deserialize;

use windesk_model::Error;
use windesk_model::condition::{
    Balance, Band, ChromeMode, Condition, DistractorKnobs, EvidenceKnobs, Filters, InstructionChoice, LayerKnob, LayoutWeights,
    OccluderKnob, PointerMode, Priors, Protocol, Ratio, Region, SessionsKnob, StatesKnob, TargetKnobs, TargetsPerScene, Theme,
};
use windesk_model::desktop::unfit_screen;
use windesk_model::geometry::Size;
use windesk_model::pack_format::Category;
use windesk_model::spelling::nearest;
use windesk_model::split::Split;

use super::span;

/// A level as written in TOML. Only `name`, `windows` and `visible_ratio` must be there.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelFile {
    /// Short name: letters, digits, `-`, `_`, `.`.
    pub name: String,
    /// Fewest and most windows, `[min, max]`; one number is both.
    #[serde(deserialize_with = "span::ends")]
    pub windows: [u32; 2],
    /// Visible ratio of the target, likewise.
    #[serde(deserialize_with = "span::band")]
    pub visible_ratio: Band,
    /// Protocol; `windesk` unless said otherwise.
    pub protocol: Option<Protocol>,
    /// `[width, height]`; 2560x1440 unless said otherwise.
    pub canvas: Option<Size>,
    /// `needed` (default) or `always`.
    pub occluder: Option<OccluderKnob>,
    /// Rules for the target.
    #[serde(default)]
    pub target: TargetFile,
    /// What a reader must be able to see.
    #[serde(default)]
    pub evidence: EvidenceFile,
    /// Similar distractors.
    #[serde(default)]
    pub distractor: DistractorFile,
    /// Weights of layouts.
    pub layout: Option<LayoutFile>,
    /// `category` (default), `none`, or a table of regions.
    pub priors: Option<PriorsFile>,
    /// `full`, `taskbar`, `shadows` or `none`; `full` unless said otherwise, `none` under `windeskground`.
    pub chrome: Option<ChromeMode>,
    /// `session` (default) or `none`.
    pub pointer: Option<PointerMode>,
    /// `light` or `dark`: twins alone. Only for scenes that are planned as pairs.
    pub theme: Option<Theme>,
    /// A session by id: all windows are its twins of those that are drawn. Only for scenes that are paired as twins.
    pub as_session: Option<String>,
    /// Weight of categories; those not named weigh 1.
    #[serde(default)]
    pub category_weights: BTreeMap<Category, u32>,
    /// Wallpapers by id.
    #[serde(default)]
    pub wallpapers: Vec<String>,
    /// `reviewed`, `all`, or `auto` (default): reviewed ones if the pack has enough.
    pub instructions: Option<InstructionChoice>,
    /// Which targets may be drawn.
    #[serde(default)]
    pub filters: Filters,
    /// What is drawn first: any of `role`, `ui-type`, `target-size`, or `app` or `element`.
    #[serde(default)]
    pub balance: Vec<Balance>,
    /// `one` (default) or `mixed`; always `mixed` under `windeskground`.
    pub sessions: Option<SessionsKnob>,
    /// `varied` (default) or `captured`: states of windows of living programs; always `captured` beside `theme` and
    /// `as_session` and under `windeskground`.
    pub states: Option<StatesKnob>,
    /// `train` or `test`; all of the pack unless said otherwise.
    pub split: Option<Split>,
    /// A number (1) or `all`.
    pub targets_per_scene: Option<TargetsPerScene>,
    /// 0..=1; 0.
    pub absent_share: Option<Ratio>,
}

/// `[target]` of a level file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TargetFile {
    /// Fewest visible pixels; 48, or 1 under `windeskground`.
    pub min_visible_px: Option<u64>,
    /// Smallest visible share of gradient energy; 0.10, or no rule under `windeskground`. 0 switches the rule off.
    pub ink_min: Option<Ratio>,
    /// Whether the window keeps to the middle; false.
    pub centre_biased: Option<bool>,
}

/// `[evidence]` of a level file: shares that must be visible; 0 requires nothing. Under `windeskground` nothing is
/// required.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EvidenceFile {
    /// Of the program's name or the window's title, where the words begin with it; 0.8.
    pub context: Option<Ratio>,
    /// Of each landmark that the words name; 0.6.
    pub landmarks: Option<Ratio>,
    /// Of the target's label, picture or caption; 0.6.
    pub own: Option<Ratio>,
}

/// `[distractor]` of a level file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DistractorFile {
    /// How many; 1.
    pub count: Option<u32>,
    /// Rank of the first; 1.
    pub rank: Option<u32>,
    /// Cosine instead of a rank, `[min, max]`; one number is both.
    #[serde(deserialize_with = "span::some_band")]
    pub similarity: Option<Band>,
    /// `behind` (default), `front` or `any`.
    pub layer: Option<LayerKnob>,
    /// 0.8.
    pub min_visible_ratio: Option<Ratio>,
}

/// `[layout]` of a level file: weights; those not named weigh 0.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LayoutFile {
    /// Weight of free.
    pub free: u32,
    /// Weight of managed.
    pub managed: u32,
    /// Weight of cascade.
    pub cascade: u32,
    /// Weight of tile.
    pub tile: u32,
}

/// `priors` of a level file.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum PriorsFile {
    /// `category` or `none`.
    Named(String),
    /// Regions of one's own.
    Own(Box<Priors>),
}

/// Reads a level file. `place` names it in messages; `sets` are `key=value` changes, in order; `priors` are those of a
/// level that names none of its own.
///
/// # Errors
/// Unknown keys (naming the nearest known one), wrong types, impossible ranges.
pub fn parse_level(place: &str, text: &str, sets: &[String], priors: &Priors) -> Result<Condition, Error> {
    let mut table: toml::Table = text.parse().map_err(|e: toml::de::Error| toml_error(place, &e))?;
    apply_sets(&mut table, sets)?;
    let place =
        if sets.is_empty() { place.to_owned() } else { format!("{place} with option `set` {}", sets.join(" option `set` ")) };
    parse_table(&place, table, priors)
}

/// Completes and checks a level's table. `place` names it in messages.
pub(super) fn parse_table(place: &str, table: toml::Table, priors: &Priors) -> Result<Condition, Error> {
    let file: LevelFile = table.try_into().map_err(|e: toml::de::Error| toml_error(place, &e))?;
    file.check(place, priors)
}

/// Applies `key=value` changes in order. A later one wins, but for the protocol: two of them can't both be meant.
pub(super) fn apply_sets(table: &mut toml::Table, sets: &[String]) -> Result<(), Error> {
    let mut stated: Option<(&String, toml::Value)> = None;
    for set in sets {
        apply_set(table, set)?;
        if set.split_once('=').is_some_and(|(key, _)| key.trim() == PROTOCOL) {
            let value = table[PROTOCOL].clone();
            match &stated {
                Some((first, before)) if *before != value => {
                    let problem = format!("found beside {first}, expected one protocol");
                    return Err(Error::config(format!("option `set` {set}"), problem));
                }
                _ => stated = Some((set, value)),
            }
        }
    }
    Ok(())
}

/// The key that says which rules scenes follow.
const PROTOCOL: &str = "protocol";

/// The rules that a level's table states; [`Protocol::Windesk`] where it states none.
pub(super) fn stated_protocol(place: &str, table: &toml::Table) -> Result<Protocol, Error> {
    match table.get(PROTOCOL) {
        None => Ok(Protocol::Windesk),
        Some(value) => value.clone().try_into().map_err(|e: toml::de::Error| toml_error(place, &e)),
    }
}

/// Applies one `key=value` to a level file's table. Keys may be dotted; a value is TOML, `a..b` for `[a, b]`, or a bare
/// word. `key+=value` adds a value, or all of a list, to the end of a list.
///
/// # Errors
/// If there is no `=`, a key leads through something that is not a table, or `+=` meets something that is not a list.
pub fn apply_set(table: &mut toml::Table, set: &str) -> Result<(), Error> {
    let place = format!("option `set` {set}");
    let (key, value) = set
        .split_once('=')
        .ok_or_else(|| Error::config(&place, "found no `=`, expected key=value, such as distractor.rank=3"))?;
    let value = value.trim();
    let text = match value.split_once("..") {
        Some((low, high)) if !value.contains(['"', '[']) => format!("[{low}, {high}]"),
        _ => value.to_owned(),
    };
    let parsed = format!("v = {text}").parse::<toml::Table>().ok().and_then(|mut t| t.remove("v"));
    let mut at = table;
    let (key, adds) = match key.trim().strip_suffix('+') {
        Some(key) => (key.trim_end(), true),
        None => (key.trim(), false),
    };
    let mut keys: Vec<&str> = key.split('.').collect();
    let last = keys.pop().unwrap_or_default();
    for key in keys {
        let inner = at.entry(key).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        at = inner.as_table_mut().ok_or_else(|| Error::config(&place, format!("`{key}` holds a value, expected a table")))?;
    }
    let value = parsed.unwrap_or_else(|| toml::Value::String(value.to_owned()));
    if !adds {
        at.insert(last.to_owned(), value);
        return Ok(());
    }
    match (at.entry(last).or_insert_with(|| toml::Value::Array(Vec::new())), value) {
        (toml::Value::Array(held), toml::Value::Array(more)) => held.extend(more),
        (toml::Value::Array(held), one) => held.push(one),
        (held, _) => {
            return Err(Error::config(&place, format!("`{key}` is {held}, expected a list for `+=` to add to"))
                .with_hint("without the `+` the value is replaced"));
        }
    }
    Ok(())
}

/// serde's message, with the nearest known key for an unknown one.
pub(crate) fn toml_error(place: &str, error: &toml::de::Error) -> Error {
    let message = error.message().to_owned();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let error = Error::config(place, error.to_string().trim_end().to_owned());
    match quoted.split_first() {
        Some((unknown, known)) if message.starts_with("unknown") => match nearest(unknown, known.iter().copied()) {
            Some(near) => error.with_hint(format!("did you mean `{near}`?")),
            None => error,
        },
        _ if message.contains(span::RANGE) => error.with_hint(span::RANGE_HINT),
        _ => error,
    }
}

impl LevelFile {
    /// Completes and checks what was written.
    fn check(self, place: &str, shipped: &Priors) -> Result<Condition, Error> {
        let Self {
            name,
            windows,
            visible_ratio,
            protocol,
            canvas,
            occluder,
            target,
            evidence,
            distractor,
            layout,
            priors,
            chrome,
            pointer,
            theme,
            as_session,
            category_weights,
            wallpapers,
            instructions,
            filters,
            balance,
            sessions,
            states,
            split,
            targets_per_scene,
            absent_share,
        } = self;
        let bad = |problem: &str| Err(Error::config(place, problem));
        check_name(place, &name)?;
        check_windows(place, windows)?;
        check_visible_ratio(place, visible_ratio)?;
        let canvas = checked_canvas(place, canvas)?;
        let protocol = protocol.unwrap_or(Protocol::Windesk);
        let rules = Rules::of(protocol);
        let distractor = distractor.check(place)?;
        let occluder = occluder.unwrap_or(OccluderKnob::Needed);
        let occluders = u32::from(!visible_ratio.is_full() || occluder == OccluderKnob::Always);
        if protocol == Protocol::Windesk {
            check_room(place, windows[0], distractor.count, occluders)?;
        }
        if theme.is_some() && (protocol != Protocol::Windesk || distractor.count > 0) {
            return bad("theme is given, expected protocol windesk and distractor.count = 0 beside it");
        }
        let twins_alone = protocol == Protocol::Windesk && distractor.count == 0 && occluders == 0 && theme.is_none();
        if as_session.is_some() && !(twins_alone && sessions != Some(SessionsKnob::Mixed) && filters.sessions.is_empty()) {
            return bad(
                "as_session is given, expected protocol windesk, distractor.count = 0, visible_ratio = [1, 1] and no occluder, \
                 theme, sessions or filters.sessions beside it",
            );
        }
        let is_twin = theme.is_some() || as_session.is_some();
        if is_twin && states == Some(StatesKnob::Varied) {
            return bad("states is varied beside theme or as_session, expected one of them: twins have states of their own");
        }
        if protocol == Protocol::Windeskground {
            check_published(place, occluder, &distractor, layout.as_ref(), pointer, sessions, states)?;
        }
        let layout = layout.map_or(Ok(DEFAULT_LAYOUT), |layout| layout.check(place))?;
        let priors = priors.map_or_else(|| Ok(Some(shipped.clone())), |priors| priors.check(place, shipped))?;
        check_balance(place, &balance)?;
        let weights = Category::ALL.map(|c| (c, category_weights.get(&c).copied().unwrap_or(1))).into();
        Ok(Condition {
            name,
            protocol,
            canvas,
            windows,
            visible_ratio,
            occluder,
            target: target.resolved(&rules),
            evidence: evidence.resolved(protocol),
            distractor,
            layout,
            priors,
            chrome: chrome.unwrap_or(rules.chrome),
            pointer: pointer.unwrap_or_default(),
            theme,
            as_session,
            category_weights: weights,
            wallpapers,
            instructions: instructions.unwrap_or(InstructionChoice::Auto),
            filters,
            balance,
            sessions: sessions.unwrap_or(rules.sessions),
            states: states.unwrap_or(usual_states(protocol, is_twin)),
            split,
            targets_per_scene: targets_per_scene.unwrap_or_default(),
            absent_share: absent_share.unwrap_or_default(),
        })
    }
}

/// Weights of layouts unless others are given.
const DEFAULT_LAYOUT: LayoutWeights = LayoutWeights { free: 18, managed: 36, cascade: 6, tile: 40 };

/// Names of conditions are parts of ids and of file names.
fn check_name(place: &str, name: &str) -> Result<(), Error> {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    if (1..=64).contains(&name.len()) && plain && !name.starts_with('.') {
        return Ok(());
    }
    Err(Error::config(place, format!("name is `{name}`, expected 1 to 64 letters, digits, `-`, `_` or `.`")))
}

fn check_windows(place: &str, [min, max]: [u32; 2]) -> Result<(), Error> {
    if min == 0 || max > 60 {
        return Err(Error::config(place, format!("windows is {:?}, expected 1..=60", [min, max])));
    }
    if min > max { Err(swapped(place, "windows", min, max)) } else { Ok(()) }
}

fn check_visible_ratio(place: &str, Band(min, max): Band) -> Result<(), Error> {
    if min > max { Err(swapped(place, "visible_ratio", f64::from(min), f64::from(max))) } else { Ok(()) }
}

fn check_balance(place: &str, balance: &[Balance]) -> Result<(), Error> {
    if balance.contains(&Balance::App) && balance.contains(&Balance::Element) {
        return Err(Error::config(place, "balance names `app` and `element`, expected one of the two"));
    }
    Ok(())
}

/// Whether the fewest windows of a scene are enough for those that it needs.
fn check_room(place: &str, fewest: u32, distractors: u32, occluders: u32) -> Result<(), Error> {
    let needed = 1 + distractors + occluders;
    if fewest >= needed {
        return Ok(());
    }
    Err(Error::config(place, format!("windows starts at {fewest}, expected at least {needed}"))
        .with_hint(format!("a target, {distractors} distractors and {occluders} occluder are windows of their own")))
}

/// The screen's size; 2560x1440 if none is given.
pub(crate) fn checked_canvas(place: &str, canvas: Option<Size>) -> Result<Size, Error> {
    let canvas = canvas.unwrap_or(Size { width: 2560, height: 1440 });
    match unfit_screen(canvas) {
        None => Ok(canvas),
        Some(expected) => Err(Error::config(place, format!("canvas is {}x{}, expected {expected}", canvas.width, canvas.height))),
    }
}

/// States of a desktop that is used, where the rules have them.
fn usual_states(protocol: Protocol, is_twin: bool) -> StatesKnob {
    if protocol == Protocol::Windeskground || is_twin { StatesKnob::Captured } else { StatesKnob::Varied }
}

/// The published generator knows none of these knobs: a record that named one would claim what did not happen.
fn check_published(
    place: &str,
    occluder: OccluderKnob,
    distractor: &DistractorKnobs,
    layout: Option<&LayoutFile>,
    pointer: Option<PointerMode>,
    sessions: Option<SessionsKnob>,
    states: Option<StatesKnob>,
) -> Result<(), Error> {
    let unknown = [
        ("occluder", occluder != OccluderKnob::Needed),
        ("distractor.similarity", distractor.similarity.is_some()),
        ("distractor.layer", distractor.layer != LayerKnob::Behind),
        ("layout", layout.is_some()),
        ("pointer", pointer.is_some()),
        ("sessions", sessions == Some(SessionsKnob::One)),
        ("states", states == Some(StatesKnob::Varied)),
    ];
    match unknown.iter().find(|(_, given)| *given) {
        Some((knob, _)) => {
            let problem = format!("{knob} is changed, expected its default: protocol windeskground has no such knob");
            Err(Error::config(place, problem))
        }
        None => Ok(()),
    }
}

impl TargetFile {
    /// What is meant; a smallest ink of 0 is no rule.
    fn resolved(self, rules: &Rules) -> TargetKnobs {
        TargetKnobs {
            min_visible_px: self.min_visible_px.unwrap_or(rules.min_visible_px),
            ink_min: self.ink_min.or(rules.ink_min).filter(|ink| !ink.is_none()),
            centre_biased: self.centre_biased.unwrap_or(false),
        }
    }
}

impl EvidenceFile {
    /// What is meant; nothing where nothing is required.
    fn resolved(self, protocol: Protocol) -> Option<EvidenceKnobs> {
        let share = |stated: Option<Ratio>, usual: f64| stated.unwrap_or_else(|| Ratio::try_from(usual).expect("in range"));
        let knobs =
            EvidenceKnobs { context: share(self.context, 0.8), landmarks: share(self.landmarks, 0.6), own: share(self.own, 0.6) };
        let requires = [knobs.context, knobs.landmarks, knobs.own].iter().any(|share| !share.is_none());
        Some(knobs).filter(|_| requires && protocol == Protocol::Windesk)
    }
}

impl DistractorFile {
    fn check(self, place: &str) -> Result<DistractorKnobs, Error> {
        let distractor = DistractorKnobs {
            count: self.count.unwrap_or(1),
            rank: self.rank.unwrap_or(1),
            similarity: self.similarity,
            layer: self.layer.unwrap_or(LayerKnob::Behind),
            min_visible_ratio: self.min_visible_ratio.unwrap_or(Ratio::try_from(0.8).expect("in range")),
        };
        let DistractorKnobs { rank, count, .. } = distractor;
        if rank == 0 || rank.saturating_add(count) > 16 {
            let found = format!("distractor.rank is {rank} and distractor.count {count}");
            return Err(Error::config(place, format!("{found}, expected rank from 1 and no more than 15 in all")));
        }
        if distractor.similarity.is_some_and(|band| band.0 > band.1) {
            return Err(Error::config(place, "distractor.similarity ends before it begins, expected [min, max]"));
        }
        Ok(distractor)
    }
}

impl LayoutFile {
    fn check(self, place: &str) -> Result<LayoutWeights, Error> {
        let Self { free, managed, cascade, tile } = self;
        if [free, managed, cascade, tile] == [0; 4] {
            let problem = "layout has no weight above 0, expected at least one of free, managed, cascade, tile";
            return Err(Error::config(place, problem));
        }
        Ok(LayoutWeights { free, managed, cascade, tile })
    }
}

impl PriorsFile {
    fn check(self, place: &str, shipped: &Priors) -> Result<Option<Priors>, Error> {
        let priors = match self {
            Self::Named(name) if name == "category" => return Ok(Some(shipped.clone())),
            Self::Named(name) if name == "none" => return Ok(None),
            Self::Named(name) => {
                let problem = format!("priors is `{name}`, expected `category`, `none` or a table of regions");
                return Err(Error::config(place, problem));
            }
            Self::Own(own) => *own,
        };
        let backwards = |region: &Region| region.x.0 > region.x.1 || region.y.0 > region.y.1;
        if priors.category.values().chain([&priors.centre]).any(backwards) {
            return Err(Error::config(place, "a region of priors ends before it begins, expected [min, max]"));
        }
        Ok(Some(priors))
    }
}

/// What a protocol means where nothing else is stated.
struct Rules {
    chrome: ChromeMode,
    ink_min: Option<Ratio>,
    min_visible_px: u64,
    sessions: SessionsKnob,
}

impl Rules {
    fn of(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Windesk => Self {
                chrome: ChromeMode::Full,
                ink_min: Some(Ratio::try_from(0.1).expect("in range")),
                min_visible_px: 48,
                sessions: SessionsKnob::One,
            },
            Protocol::Windeskground => {
                Self { chrome: ChromeMode::None, ink_min: None, min_visible_px: 1, sessions: SessionsKnob::Mixed }
            }
        }
    }
}

fn swapped(place: &str, key: &str, min: impl std::fmt::Display, max: impl std::fmt::Display) -> Error {
    Error::config(place, format!("{key} min {min} exceeds max {max}")).with_hint("swap the two values")
}
