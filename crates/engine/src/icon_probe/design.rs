//! Probe designs: from TOML to checked, jointly planned conditions. No icons are read here.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_model::Error;
use windesk_model::condition::ChromeMode;
use windesk_model::desktop::work_area;
use windesk_model::geometry::Size;
use windesk_model::icon_probe::{Labels, ProbeLayout, Tile};
use windesk_model::pack_format::ShellKind;

use super::layout::{Gap, Room, check, default_gap};
use super::prompt::PromptTemplate;
use super::raster::footprint_px;
use crate::config::variant::Changes;
use crate::config::{Span, apply_set, checked_canvas, toml_error};

/// How distractors are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Similar {
    /// At random.
    Any,
    /// Those that look most like the target.
    Look,
    /// Those whose names mean most like the target's.
    Meaning,
    /// The icon of another library that has the target's name.
    Twin,
}

/// The rule for distractors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DistractorRule {
    /// How similar ones are chosen.
    pub by: Similar,
    /// How many of the icons are similar ones; the others are random.
    pub count: u32,
}

/// Whether the icon asked for is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TargetPresence {
    /// It is.
    Present,
    /// Another icon lies in its place.
    Absent,
}

/// One checked set of knobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProbeCondition {
    /// Short name; part of every sample's id.
    pub name: String,
    /// Size of the screen.
    pub canvas: Size,
    /// `none` or `taskbar`.
    pub chrome: ChromeMode,
    /// Library by name, `mixed`, or `folder` for a user's own.
    pub library: String,
    /// Only icons of this style.
    pub style: Option<String>,
    /// Fewest and most icons.
    pub icons: [u32; 2],
    /// Smallest and largest side of an icon, px.
    pub size_px: [u32; 2],
    /// Least gap between icons.
    pub gap: Gap,
    /// How icons are arranged.
    pub layout: ProbeLayout,
    /// What icons lie on; null for what suits the library.
    pub tile: Option<Tile>,
    /// Captions.
    pub labels: Labels,
    /// Wallpapers by id; empty for the pack's default set.
    pub wallpapers: Vec<String>,
    /// Lowest and highest opacity, percent.
    pub opacity_percent: [u32; 2],
    /// Icons are turned by up to this many degrees each way.
    pub rotate_deg: u32,
    /// Least contrast of an icon with what lies under it, in thousandths of a WCAG ratio.
    pub contrast_min_milli: u32,
    /// Icons in one colour get a grey of about this contrast, in thousandths.
    pub contrast_milli: Option<u32>,
    /// Which distractors.
    pub distractors: DistractorRule,
    /// Prompts by name; one is drawn per index.
    pub prompts: Vec<String>,
    /// Whether the icon asked for is there.
    pub target: TargetPresence,
    /// Whether the prompt allows to answer that it is not.
    pub refusal: bool,
    /// The lattice cell that the target visits.
    pub visit: Option<[u32; 2]>,
}

/// Conditions that are planned jointly: the same icons at the same places but for what a condition changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProbeStudy {
    /// Name of the dataset; the first part of every id.
    pub name: String,
    /// Name of the design.
    pub design: String,
    /// The design's name if it has several conditions.
    pub sweep: Option<String>,
    /// Seed of all keys.
    pub seed: u64,
    /// The room that icons are given in all conditions.
    pub room: Room,
    /// In order; names differ.
    pub conditions: Vec<ProbeCondition>,
    /// The templates that `prompts` name.
    pub templates: Vec<PromptTemplate>,
    /// What users of the dataset must know.
    pub warnings: Vec<String>,
}

/// Twice the icon paper's tau of 0.05 (see `docs/probes.md`), as a part of the screen.
const WANTED_GAP_DIVISOR: u32 = 10;
/// Height of a caption with its distance from the icon, px.
pub(super) const CAPTION_PX: i32 = 42;
/// Width of a caption, px.
pub(super) const CAPTION_WIDTH_PX: i32 = 104;

/// `min_gap` as written: px, or `auto`.
#[derive(Clone, Deserialize)]
#[serde(untagged, expecting = "expected px or \"auto\"")]
enum GapFile {
    Px(u32),
    Named(String),
}

/// A condition as written; every key may be left out.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConditionFile {
    name: Option<String>,
    canvas: Option<Size>,
    chrome: Option<ChromeMode>,
    library: Option<String>,
    style: Option<String>,
    icons: Option<Span<f64>>,
    size: Option<Span<f64>>,
    min_gap: Option<GapFile>,
    layout: Option<ProbeLayout>,
    tile: Option<String>,
    labels: Option<Labels>,
    wallpapers: Option<Vec<String>>,
    opacity: Option<Span<f64>>,
    rotate: Option<u32>,
    contrast_min: Option<f64>,
    contrast: Option<f64>,
    distractors: Option<DistractorRule>,
    prompts: Option<Vec<String>>,
    target: Option<TargetPresence>,
    refusal: Option<bool>,
}

/// Reads a design. `place` names it in messages; `sets` are `key=value` changes to all of its conditions; `template`
/// finds a prompt template by the name that the design gives.
///
/// # Errors
/// Unknown names and keys, wrong types, impossible values, icons that do not fit on the screen, and changes to what the
/// design varies.
pub fn parse_design(
    place: &str,
    text: &str,
    sets: &[String],
    seed: u64,
    template: &dyn Fn(&str) -> Result<PromptTemplate, Error>,
) -> Result<ProbeStudy, Error> {
    let bad = |problem: String| Error::config(place, problem);
    let mut base: toml::Table = text.parse().map_err(|e: toml::de::Error| toml_error(place, &e))?;
    let Some(toml::Value::String(name)) = base.remove("name") else { return Err(bad("found no name, expected a string".into())) };
    check_name(place, &name)?;
    base.remove("description");
    let visits = match base.remove("position_grid") {
        None => None,
        Some(value) => Some(
            value
                .try_into::<[u32; 2]>()
                .ok()
                .filter(|&[c, r]| (1..=64).contains(&c) && (1..=64).contains(&r))
                .ok_or_else(|| bad("position_grid is not [columns, rows] of 1 to 64 each".into()))?,
        ),
    };
    let changes: Vec<toml::Table> = match base.remove("condition") {
        None => vec![toml::Table::new()],
        Some(value) => value.try_into().map_err(|e: toml::de::Error| toml_error(place, &e))?,
    };
    for set in sets {
        let key = set.split(['=', '.', '+']).next().unwrap_or_default().trim();
        if changes.iter().any(|c| c.contains_key(key)) {
            return Err(Error::config(format!("option `set` {set}"), format!("the design {name} varies `{key}` itself"))
                .with_hint("choose another option `design`, or copy the file from configs/probes/ and change it"));
        }
        apply_set(&mut base, set)?;
    }
    if let Some(lattice) = visits {
        base.insert("layout".into(), toml::Value::String("lattice".into()));
        if changes.len() > 1 {
            return Err(bad(format!("position_grid {lattice:?} beside several conditions, expected one of the two")));
        }
    }
    let mut conditions = Vec::new();
    for change in &changes {
        let mut table = base.clone();
        table.extend(change.clone());
        let place =
            if sets.is_empty() { place.to_owned() } else { format!("{place} with option `set` {}", sets.join(" option `set` ")) };
        let file: ConditionFile = table.try_into().map_err(|e: toml::de::Error| toml_error(&place, &e))?;
        conditions.push(file.check(&place, &name)?);
    }
    if let Some([columns, rows]) = visits {
        let only = conditions.remove(0);
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
        conditions = cells
            .map(|[column, row]| ProbeCondition {
                name: format!("x{column:02}y{row:02}"),
                visit: Some([column, row]),
                ..only.0.clone()
            })
            .map(|condition| (condition, only.1))
            .collect();
    }
    joined(place, name, seed, conditions, visits, template)
}

/// Works out what the conditions share.
fn joined(
    place: &str,
    name: String,
    seed: u64,
    conditions: Vec<(ProbeCondition, Option<u32>)>,
    lattice: Option<[u32; 2]>,
    template: &dyn Fn(&str) -> Result<PromptTemplate, Error>,
) -> Result<ProbeStudy, Error> {
    let bad = |problem: String| Error::config(place, problem);
    let first = conditions[0].0.clone();
    for (at, (condition, _)) in conditions.iter().enumerate() {
        if conditions[..at].iter().any(|(other, _)| other.name == condition.name) {
            return Err(bad(format!("two conditions called {}, expected names that differ", condition.name)));
        }
        let same = [
            ("library", condition.library == first.library),
            ("style", condition.style == first.style),
            ("layout", condition.layout == first.layout),
            ("canvas", condition.canvas == first.canvas),
            ("chrome", condition.chrome == first.chrome),
            ("prompts", condition.prompts == first.prompts),
        ];
        if let Some((key, _)) = same.iter().find(|(_, same)| !same) {
            return Err(bad(format!(
                "`{key}` differs between {} and {}, expected the same: conditions are paired",
                first.name, condition.name
            )));
        }
    }
    let max = |of: fn(&ProbeCondition) -> u32| conditions.iter().map(|(c, _)| of(c)).max().unwrap_or(0);
    let side = max(|c| footprint_px(c.size_px[1], c.rotate_deg > 0)) as i32;
    let labelled = conditions.iter().any(|(c, _)| c.labels != Labels::None);
    let area = work_area(first.canvas, first.chrome, ShellKind::Taskbar);
    let mut room = Room {
        icons: max(|c| c.icons[1]),
        side,
        cell: if labelled { [side.max(CAPTION_WIDTH_PX), side + CAPTION_PX] } else { [side, side] },
        gap: Gap::px(conditions.iter().filter_map(|&(_, px)| px).max().unwrap_or(0)),
        lattice,
    };
    let wanted = Gap { x: first.canvas.width / WANTED_GAP_DIVISOR, y: first.canvas.height / WANTED_GAP_DIVISOR };
    if conditions.iter().any(|(_, px)| px.is_none()) {
        let auto = default_gap(first.layout, area, Room { gap: Gap::px(0), ..room }, wanted).map_err(bad)?;
        room.gap = Gap { x: room.gap.x.max(auto.x), y: room.gap.y.max(auto.y) };
    }
    let fitting = check(first.layout, area, room);
    if let Err(problem) = fitting {
        let widest = default_gap(first.layout, area, Room { gap: Gap::px(0), ..room }, wanted);
        let error = bad(problem);
        return Err(match widest {
            Ok(gap) => error.with_hint(format!("fewer or smaller icons, or a smaller min_gap; {}x{} px would fit", gap.x, gap.y)),
            Err(_) => error.with_hint("fewer or smaller icons"),
        });
    }
    let varies = first.layout == ProbeLayout::Block;
    let conditions: Vec<ProbeCondition> = conditions
        .into_iter()
        .map(|(condition, px)| ProbeCondition { gap: px.filter(|_| varies).map_or(room.gap, Gap::px), ..condition })
        .collect();
    let mut warnings = Vec::new();
    if conditions.iter().any(|c| c.gap.x < wanted.x || c.gap.y < wanted.y) {
        let Gap { x, y } = conditions.iter().map(|c| c.gap).min_by_key(|g| (g.x, g.y)).unwrap_or(room.gap);
        warnings.push(format!(
            "icons may lie as close as {x}x{y} px, closer than {}x{} px, twice the tau of 0.05: \
             a point can be near two icons, so that response classes may overlap",
            wanted.x, wanted.y
        ));
    }
    let templates = first.prompts.iter().map(|name| template(name)).collect::<Result<Vec<_>, _>>()?;
    let sweep = (conditions.len() > 1).then(|| name.clone());
    Ok(ProbeStudy { name: dataset_name(&name, seed), design: name, sweep, seed, room, conditions, templates, warnings })
}

/// The dataset of a design.
fn dataset_name(design: &str, seed: u64) -> String {
    format!("icons-{design}-s{seed}")
}

impl ProbeStudy {
    /// The study under the name that it deserves: another one if it differs from `written`, the design as its file has
    /// it (null where that is not complete), or shows a user's own icons, of which `icons` is the digest.
    pub fn named_beside(self, written: Option<&Self>, icons: Option<&str>) -> Self {
        let mut changes = match written {
            Some(written) => {
                let changes = Changes::between(&written.conditions, &self.conditions);
                let templates = |study: &Self| serde_json::to_value(&study.templates).expect("plain data");
                // Templates of one name may differ: a name may be that of a file.
                if templates(written) == templates(&self) { changes } else { changes.with("templates", templates(&self)) }
            }
            None => Changes::default().with("conditions", serde_json::to_value(&self.conditions).expect("plain data")),
        };
        if let Some(icons) = icons {
            changes = changes.with("icons", icons.chars().take(DIGEST_LETTERS).collect::<String>());
        }
        let design = changes.name(&self.design);
        let mut conditions = self.conditions;
        // A design without conditions of its own gives its name to its only one.
        conditions.iter_mut().filter(|c| c.name == self.design).for_each(|c| c.name.clone_from(&design));
        let sweep = self.sweep.map(|_| design.clone());
        Self { name: dataset_name(&design, self.seed), design, sweep, conditions, ..self }
    }
}

/// Letters of the digest of a user's icons that are part of a name.
const DIGEST_LETTERS: usize = 8;

fn check_name(place: &str, name: &str) -> Result<(), Error> {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) && !name.starts_with('.');
    if plain && (1..=64).contains(&name.len()) {
        Ok(())
    } else {
        Err(Error::config(place, format!("name is `{name}`, expected 1 to 64 letters, digits, `-`, `_` or `.`")))
    }
}

impl ConditionFile {
    /// Completes and checks what was written. Beside it the gap in px, if one was asked for.
    fn check(self, place: &str, design: &str) -> Result<(ProbeCondition, Option<u32>), Error> {
        let Self {
            name,
            canvas,
            chrome,
            library,
            style,
            icons,
            size,
            min_gap,
            layout,
            tile,
            labels,
            wallpapers,
            opacity,
            rotate,
            contrast_min,
            contrast,
            distractors,
            prompts,
            target,
            refusal,
        } = self;
        let bad = |problem: String| Err(Error::config(place, problem));
        let name = name.unwrap_or_else(|| design.to_owned());
        check_name(place, &name)?;
        let icons = checked_range(place, "icons", icons, 20.0, 1.0, [2.0, 60.0])?;
        let size_px = checked_range(place, "size", size, 64.0, 1.0, [16.0, 256.0])?;
        let opacity_percent = checked_range(place, "opacity", opacity, 1.0, 100.0, [0.05, 1.0])?;
        let canvas = checked_canvas(place, canvas)?;
        let chrome = chrome.unwrap_or(ChromeMode::None);
        match chrome {
            ChromeMode::None | ChromeMode::Taskbar => {}
            ChromeMode::Shadows => return bad("chrome is shadows, expected none or taskbar: a probe shows no windows".into()),
            ChromeMode::Full => {
                return bad("chrome is full, expected none or taskbar: desktop icons would lie among the probe's".into());
            }
        }
        let gap_px = min_gap.map_or(Ok(None), |gap| gap.check(place))?;
        let tile = checked_tile(place, tile.as_deref())?;
        let rotate_deg = rotate.unwrap_or(0);
        if rotate_deg > 180 {
            return bad(format!("rotate is {rotate_deg}, expected 0 to 180 degrees"));
        }
        let distractors = distractors.unwrap_or(DistractorRule { by: Similar::Any, count: 0 });
        if distractors.count >= icons[0] && distractors.by != Similar::Any {
            return bad(format!(
                "distractors.count is {}, expected less than the number of icons, {}",
                distractors.count, icons[0]
            ));
        }
        let target = target.unwrap_or(TargetPresence::Present);
        let refusal = refusal.unwrap_or(target == TargetPresence::Absent);
        if target == TargetPresence::Absent && !refusal {
            return bad("target is absent and refusal false, expected a prompt that allows to say so".into());
        }
        let prompts = prompts.unwrap_or_else(|| vec!["paper".to_owned()]);
        if prompts.is_empty() {
            return bad("prompts is empty, expected at least one".into());
        }
        let condition = ProbeCondition {
            name,
            canvas,
            chrome,
            library: library.unwrap_or_else(|| "glyph".to_owned()),
            style,
            icons,
            size_px,
            gap: Gap::px(0),
            layout: layout.unwrap_or(ProbeLayout::Scatter),
            tile,
            labels: labels.unwrap_or(Labels::None),
            wallpapers: wallpapers.unwrap_or_default(),
            opacity_percent,
            rotate_deg,
            contrast_min_milli: checked_contrast(place, "contrast_min", contrast_min.unwrap_or(1.5))?,
            contrast_milli: contrast.map(|c| checked_contrast(place, "contrast", c)).transpose()?,
            distractors,
            prompts,
            target,
            refusal,
            visit: None,
        };
        Ok((condition, gap_px))
    }
}

/// A range of a knob in the integer units that it is held in: `scale` of them make 1.
fn checked_range(
    place: &str,
    key: &str,
    span: Option<Span<f64>>,
    default: f64,
    scale: f64,
    [min, max]: [f64; 2],
) -> Result<[u32; 2], Error> {
    let [a, b] = span.map_or([default; 2], |Span(ends)| ends);
    let is_whole = scale != 1.0 || (a.fract() == 0.0 && b.fract() == 0.0);
    if !is_whole {
        return Err(Error::config(place, format!("{key} is [{a}, {b}], expected whole numbers")));
    }
    if a < min || b > max || a > b || a.is_nan() || b.is_nan() {
        return Err(Error::config(place, format!("{key} is [{a}, {b}], expected {min} to {max}, the smaller first")));
    }
    Ok([a, b].map(|end| (end * scale).round() as u32))
}

/// A WCAG contrast ratio in thousandths.
fn checked_contrast(place: &str, key: &str, ratio: f64) -> Result<u32, Error> {
    if (1.0..=15.0).contains(&ratio) {
        return Ok((ratio * 1000.0).round() as u32);
    }
    Err(Error::config(place, format!("{key} is {ratio}, expected a contrast ratio of 1 to 15")))
}

/// What icons lie on; null for whatever suits the icon.
fn checked_tile(place: &str, tile: Option<&str>) -> Result<Option<Tile>, Error> {
    match tile {
        None | Some("auto") => Ok(None),
        Some("none") => Ok(Some(Tile::None)),
        Some("rounded") => Ok(Some(Tile::Rounded)),
        Some("circle") => Ok(Some(Tile::Circle)),
        Some(other) => Err(Error::config(place, format!("tile is `{other}`, expected auto, none, rounded or circle"))),
    }
}

impl GapFile {
    /// The gap in px; null for `auto`.
    fn check(self, place: &str) -> Result<Option<u32>, Error> {
        match self {
            Self::Px(px) if px <= 4096 => Ok(Some(px)),
            Self::Px(px) => Err(Error::config(place, format!("min_gap is {px}, expected at most 4096 px"))),
            Self::Named(word) if word == "auto" => Ok(None),
            Self::Named(word) => Err(Error::config(place, format!("min_gap is `{word}`, expected px or `auto`"))),
        }
    }
}

impl ProbeCondition {
    /// SHA-256 of the complete condition (64 hex digits).
    pub fn digest(&self) -> String {
        windesk_model::digest::hex_digest(serde_json::to_string(self).expect("plain data").as_bytes())
    }
}
