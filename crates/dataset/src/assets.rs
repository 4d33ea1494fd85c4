//! Which assets a dataset shows, and under which licences: gathered from its plans, not from all that a pack holds.

use std::collections::{BTreeMap, BTreeSet};

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_engine::pack::Pack;
use windesk_model::desktop::{Chrome, Part};
use windesk_model::geometry::Size;
use windesk_model::plan::Plan;

/// What sort of asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AssetKind {
    /// A program, of which windows are shown.
    Program,
    /// A wallpaper.
    Wallpaper,
    /// An icon.
    Icon,
    /// A font of the desktop.
    Font,
}

/// An asset by kind and id.
pub type AssetKey = (AssetKind, String);

/// An asset that scenes show.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Asset {
    /// What sort of asset.
    pub kind: AssetKind,
    /// Its id in the pack; of a font, family and style.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Its author, where the pack names one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// Package and version that it came from.
    pub source: String,
    /// SPDX expression.
    pub licence: String,
}

/// What a plan shows of a pack.
pub(super) fn shown(pack: &Pack, plan: &Plan) -> BTreeSet<AssetKey> {
    let program = |window: &String| Some(pack.program_of(pack.window_index(window)?).record.id.clone());
    let mut shown: BTreeSet<AssetKey> =
        plan.placements.iter().filter_map(|p| program(&p.window)).map(|id| (AssetKind::Program, id)).collect();
    // A page alone covers all of what would lie behind it.
    let is_alone = plan.setting.is_some()
        && plan
            .placements
            .iter()
            .all(|p| pack.window_index(&p.window).is_some_and(|window| !pack.windows[window].is_of_desktop()));
    if !is_alone {
        shown.extend(shown_on_desktop(pack, &plan.wallpaper, &plan.chrome, plan.canvas));
    }
    shown.extend(plan.pointer.iter().map(|pointer| (AssetKind::Icon, pointer.icon.clone())));
    shown
}

/// What a desktop without windows shows of a pack.
pub fn shown_on_desktop(pack: &Pack, wallpaper: &str, chrome: &Chrome, canvas: Size) -> BTreeSet<AssetKey> {
    let mut shown = BTreeSet::from([(AssetKind::Wallpaper, wallpaper.to_owned())]);
    if chrome.mode.has_bars() {
        let elements = chrome.taskbar_elements(canvas).into_iter().chain(chrome.desktop_elements(canvas));
        let icons = elements.filter_map(|element| match element.part {
            Part::Leading(button) | Part::Plain(button) | Part::Tray(button) => Some(button.icon.to_owned()),
            Part::Item(item) => Some(item.icon.clone()),
            Part::Icon(icon) => Some(icon.icon.clone()),
            Part::Bar | Part::Dock | Part::Workspaces | Part::Clock => None,
        });
        shown.extend(icons.map(|id| (AssetKind::Icon, id)));
        shown.extend(pack.fonts.iter().map(|font| (AssetKind::Font, font_id(font))));
    }
    shown
}

fn font_id(font: &windesk_model::pack_format::Font) -> String {
    format!("{} {}", font.family, font.style)
}

/// What a pack says about assets of it. Keys of other things are left out.
pub fn assets_of_pack(pack: &Pack, keys: &BTreeSet<AssetKey>) -> Vec<Asset> {
    let has = |kind, id: &str| keys.contains(&(kind, id.to_owned()));
    let programs = pack.programs.iter().map(|p| &p.record).filter(|p| has(AssetKind::Program, &p.id)).map(|p| Asset {
        kind: AssetKind::Program,
        id: p.id.clone(),
        name: p.name.clone(),
        author: String::new(),
        source: format!("{} {} ({})", p.package, p.version, p.origin),
        licence: p.licence.clone(),
    });
    let wallpapers = pack.wallpapers.iter().filter(|w| has(AssetKind::Wallpaper, &w.id)).map(|w| Asset {
        kind: AssetKind::Wallpaper,
        id: w.id.clone(),
        name: w.title.clone(),
        author: w.author.clone(),
        source: w.source.clone(),
        licence: w.licence.clone(),
    });
    let icons = pack.icons.iter().filter(|i| has(AssetKind::Icon, &i.id)).map(|i| Asset {
        kind: AssetKind::Icon,
        id: i.id.clone(),
        name: i.label.clone(),
        author: i.author.clone(),
        source: i.source.clone(),
        licence: i.licence.clone(),
    });
    let fonts = pack.fonts.iter().filter(|f| has(AssetKind::Font, &font_id(f))).map(|f| Asset {
        kind: AssetKind::Font,
        id: font_id(f),
        name: font_id(f),
        author: String::new(),
        source: f.source.clone(),
        licence: f.licence.clone(),
    });
    let mut all: Vec<Asset> = programs.chain(wallpapers).chain(icons).chain(fonts).collect();
    all.sort();
    all
}

/// How many assets carry each licence.
pub(super) fn licences(assets: &[Asset]) -> BTreeMap<String, u64> {
    counted(assets.iter().map(|asset| &asset.licence))
}

/// How often each licence occurs.
pub(super) fn counted<'a>(licences: impl Iterator<Item = &'a String>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    licences.for_each(|licence| *counts.entry(licence.clone()).or_default() += 1);
    counts
}
