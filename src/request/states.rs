//! State instances as users ask for them: platforms, families and types of controls by name.

use windesk_dataset::PRECISION_SWEEP;
use windesk_desktop::setting::{CoreBand, StateStudy};
use windesk_engine::config::Scan;
use windesk_engine::config::variant::{Changes, named_condition};
use windesk_model::condition::Condition;
use windesk_model::pack_format::Platform;
use windesk_model::setting::{COMPONENTS, Component, Family, HintKind, PLATFORMS};
use windesk_model::{Error, Result};

use super::{NAME, Narrowing, condition_as_captured, named, names, unknown, written};
use crate::shipped::LEVELS;

/// What all platforms together are called.
const ALL: &str = "all";
/// What the condition of instances without a level is called.
const ALONE: &str = "alone";

/// What the sweep [`PRECISION_SWEEP`] is, for people.
pub const PRECISION: &str =
    "One page of the web in one state: the same picture to the pixel. What is asked for has a target core whose
shorter side measures 3 to 9, 10 to 19, or at least 20 px. Records are state instances.";

/// Target cores of the sweep: names of its conditions, and from and to how many px the shorter side measures.
const BANDS: [(&str, [u32; 2]); 3] = [("core-3-9", [3, 9]), ("core-10-19", [10, 19]), ("core-20", [20, u32::MAX])];

/// Which controls are asked for, by names. An empty list leaves all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Controls {
    /// What they are shown on: `desktop`, `web`, `mobile-web`, or `all`.
    pub platforms: Vec<String>,
    /// `range`, `option`, `data` or `structure`.
    pub families: Vec<String>,
    /// Types, such as `slider`.
    pub types: Vec<String>,
}

/// State instances as they were asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct StateRequest {
    /// What the folder is called, and the dataset but for its seed: what is as usual is not said.
    pub label: String,
    /// What desktops around controls are like: one condition, or one per band. They differ in their names alone.
    pub conditions: Vec<Condition>,
    /// What controls are shown on; at least one.
    pub platforms: Vec<Platform>,
    /// Types of controls; at least one.
    pub components: Vec<Component>,
    /// What help the questions give.
    pub hint: HintKind,
    /// How small target cores are, a band per condition; empty for cores of any size.
    pub bands: Vec<CoreBand>,
}

/// Instances of controls. Desktops have as many windows as a level says, or the control's window alone.
///
/// # Errors
/// If there is no such platform, family, type or level, no type is of the families, a level is given where there are
/// pages alone, or changes or names make the level impossible.
pub fn of_states(
    controls: &Controls,
    hint: HintKind,
    level: Option<&str>,
    sets: &[String],
    narrowing: &Narrowing,
) -> Result<StateRequest> {
    let platforms = platforms_of(&controls.platforms)?;
    let components = components_of(controls)?;
    if level.is_some() && !platforms.contains(&Platform::Desktop) {
        let found = format!("option `level` with platform {}", controls.platforms.join(","));
        return Err(Error::config(found, "pages alone have no level, expected platform desktop or all"));
    }
    let condition = wholly_shown(level, sets, narrowing)?;
    if !platforms.contains(&Platform::Desktop) {
        check_page_alone(&condition)?;
    }
    let label = label(controls, &condition.name, hint);
    Ok(StateRequest { label, conditions: vec![condition], platforms, components, hint, bands: Vec::new() })
}

/// Instances of the sweep [`PRECISION_SWEEP`].
///
/// # Errors
/// If there are scans, which it has no place for, or changes or names are impossible.
pub fn of_precision(sets: &[String], scans: &[Scan], narrowing: &Narrowing) -> Result<StateRequest> {
    if !scans.is_empty() {
        let found = format!("options `scan` and `list` with sweep {PRECISION_SWEEP}");
        return Err(Error::config(found, "its conditions are sizes of target cores, expected none of them"));
    }
    let base = wholly_shown(None, sets, narrowing)?;
    check_page_alone(&base)?;
    let changes = Changes::between(&[usual(None)?], std::slice::from_ref(&base));
    Ok(StateRequest {
        label: changes.name(PRECISION_SWEEP),
        conditions: BANDS.into_iter().map(|(name, _)| Condition { name: name.to_owned(), ..base.clone() }).collect(),
        platforms: vec![Platform::Web],
        components: COMPONENTS.to_vec(),
        hint: HintKind::None,
        bands: BANDS.into_iter().map(|(_, [from_px, to_px])| CoreBand { from_px, to_px }).collect(),
    })
}

/// What help questions give, by name: `none`, `description` or `box`.
///
/// # Errors
/// If it is none of them.
pub fn named_hint(name: &str) -> Result<HintKind> {
    Ok(named("hint", &[name.to_owned()], &["none", "description", "box"])?[0])
}

impl StateRequest {
    /// The study of these instances.
    pub fn study(&self, seed: u64) -> StateStudy {
        StateStudy {
            name: format!("{}-s{seed}", self.label),
            conditions: self.conditions.clone(),
            seed,
            platforms: self.platforms.clone(),
            types: self.components.iter().map(|component| component.kind).collect(),
            hint: self.hint,
            bands: self.bands.clone(),
        }
    }
}

/// The condition of a level, or of a window alone, for controls. They are in front, so nothing hides them; what else
/// shows are other windows. What is changed has a name that says so.
fn wholly_shown(level: Option<&str>, sets: &[String], narrowing: &Narrowing) -> Result<Condition> {
    let changed = changed_level(level, sets, narrowing)?;
    if names(sets, NAME) {
        return Ok(changed);
    }
    let (name, before) = match level {
        Some(file) if file.ends_with(".toml") => {
            let name = written_name(file)?.unwrap_or_default();
            let genuine = if name == ALONE { Some(None) } else { shipped_level(&name).map(Some) };
            // A file may leave to changes what must be there.
            let before = genuine.map_or_else(|| usual(Some(file)).ok(), |genuine| usual(genuine).ok());
            (name, before)
        }
        level => (level.unwrap_or(ALONE).to_owned(), Some(usual(level)?)),
    };
    Ok(named_condition(before.as_ref(), Condition { name, ..changed }))
}

/// The same without any changes, under whatever name.
fn usual(level: Option<&str>) -> Result<Condition> {
    changed_level(level, &[], &Narrowing::default())
}

/// A level as controls have it, with changes.
fn changed_level(level: Option<&str>, sets: &[String], narrowing: &Narrowing) -> Result<Condition> {
    let alone = level.is_none().then_some("windows=1");
    let usual = ["visible_ratio=[1.0, 1.0]", "distractor.count=0"].into_iter().chain(alone).map(str::to_owned);
    let sets: Vec<String> = usual.chain(sets.iter().cloned()).collect();
    condition_as_captured(level.unwrap_or("L1"), &sets, narrowing)
}

/// What a level's own file is called.
fn written_name(file: &str) -> Result<Option<String>> {
    Ok(written(file)?.and_then(|level| Some(level.get(NAME)?.as_str()?.to_owned())))
}

/// The shipped level of exactly this name.
fn shipped_level(name: &str) -> Option<&'static str> {
    LEVELS.iter().map(|(known, _)| *known).find(|known| *known == name)
}

/// Refuses changes to what lies around windows of desktops where pages fill the images.
fn check_page_alone(condition: &Condition) -> Result<()> {
    let usual = usual(None)?;
    if condition.protocol != usual.protocol {
        // The study refuses the protocol itself.
        return Ok(());
    }
    let about_desktops = [
        ("canvas", condition.canvas != usual.canvas),
        ("windows", condition.windows != usual.windows),
        ("occluder", condition.occluder != usual.occluder),
        ("distractor", condition.distractor != usual.distractor),
        ("layout", condition.layout != usual.layout),
        ("priors", condition.priors != usual.priors),
        ("chrome", condition.chrome != usual.chrome),
        ("pointer", condition.pointer != usual.pointer),
        ("sessions", condition.sessions != usual.sessions),
        ("wallpapers", condition.wallpapers != usual.wallpapers),
    ];
    match about_desktops.iter().find(|(_, changed)| *changed) {
        Some((knob, _)) => {
            let problem =
                format!("`{knob}`: a page that fills the image has a size of its own and no desktop, expected no change of it");
            Err(Error::config("platforms web and mobile-web", problem)
                .with_hint("option `platform` desktop shows controls in windows"))
        }
        None => Ok(()),
    }
}

fn platforms_of(names: &[String]) -> Result<Vec<Platform>> {
    let known: Vec<&str> = PLATFORMS.into_iter().map(|(_, name)| name).chain([ALL]).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(unknown("platform", name, &known));
    }
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|asked| asked == name || asked == ALL);
    Ok(PLATFORMS.into_iter().filter(|(_, name)| is_wanted(name)).map(|(platform, _)| platform).collect())
}

fn components_of(controls: &Controls) -> Result<Vec<Component>> {
    let Controls { families, types, .. } = controls;
    let wanted: Vec<Family> = named("family", families, &Family::ALL.map(Family::name))?;
    if let Some(name) = types.iter().find(|name| Component::named(name).is_none()) {
        return Err(unknown("type", name, &COMPONENTS.map(|component| component.name)));
    }
    let is_wanted = |component: &Component| {
        (wanted.is_empty() || wanted.contains(&component.family))
            && (types.is_empty() || types.iter().any(|name| name == component.name))
    };
    let components: Vec<Component> = COMPONENTS.into_iter().filter(is_wanted).collect();
    if components.is_empty() {
        let found = format!("options `family` {} and `type` {}", families.join(","), types.join(","));
        return Err(Error::config(found, "no type is of these families, expected at least one"));
    }
    Ok(components)
}

fn label(controls: &Controls, condition: &str, hint: HintKind) -> String {
    let Controls { platforms, families, types } = controls;
    let mut label = "states".to_owned();
    let named = platforms.iter().filter(|name| *name != ALL).chain(families).chain(types);
    named.for_each(|name| label += &format!("-{name}"));
    if condition != ALONE {
        label += &format!("-{condition}");
    }
    match hint {
        HintKind::None => {}
        HintKind::Description => label += "-description",
        HintKind::Box => label += "-box",
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;

    fn controls(platforms: &[&str], families: &[&str], types: &[&str]) -> Controls {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Controls { platforms: owned(platforms), families: owned(families), types: owned(types) }
    }

    fn asked(controls: &Controls, hint: HintKind, level: Option<&str>) -> Result<StateRequest> {
        of_states(controls, hint, level, &[], &Narrowing::default())
    }

    #[test]
    fn labels_say_what_is_not_as_usual() {
        let check = |controls: &Controls, hint, level, expected: &str| {
            assert_eq!(asked(controls, hint, level).expect("all of it is known").label, expected);
        };
        check(&Controls::default(), HintKind::None, None, "states");
        check(&controls(&["all"], &[], &[]), HintKind::None, None, "states");
        check(&controls(&["desktop"], &["range"], &["slider"]), HintKind::Box, Some("L3"), "states-desktop-range-slider-L3-box");
        check(&controls(&["web", "mobile-web"], &[], &[]), HintKind::Description, None, "states-web-mobile-web-description");
    }

    #[test]
    fn what_is_not_named_is_all_there_is() {
        let all = asked(&Controls::default(), HintKind::None, None).expect("all of it is known").study(7);
        assert_eq!((all.name.as_str(), all.platforms.len(), all.types.len()), ("states-s7", 3, 23));
        let some = asked(&controls(&["web"], &["data"], &[]), HintKind::None, None).expect("all of it is known");
        assert_eq!(some.platforms, [Platform::Web]);
        assert!(some.components.len() == 5 && some.components.iter().all(|component| component.family == Family::Data));
    }

    #[test]
    fn what_is_not_known_is_named() {
        let refused = |controls: &Controls, level| {
            let error = asked(controls, HintKind::None, level).expect_err("refused");
            (error.place, error.hint)
        };
        let near = |name: &str| Some(format!("did you mean {name}?"));
        assert_eq!(refused(&controls(&["webb"], &[], &[]), None), ("option `platform` webb".to_owned(), near("web")));
        assert_eq!(refused(&controls(&[], &["rnage"], &[]), None), ("option `family` rnage".to_owned(), near("range")));
        assert_eq!(refused(&controls(&[], &[], &["slidr"]), None), ("option `type` slidr".to_owned(), near("slider")));
        // A type of controls, but none that is asked for.
        assert_eq!(refused(&controls(&[], &[], &["combo_box"]), None).0, "option `type` combo_box");
        assert_eq!(refused(&controls(&[], &["range"], &["switch"]), None).0, "options `family` range and `type` switch");
        assert_eq!(refused(&controls(&["web"], &[], &[]), Some("L3")).0, "option `level` with platform web");
        assert_eq!(named_hint("bxo").expect_err("refused").place, "option `hint` bxo");
        assert_eq!(named_hint("box").expect("known"), HintKind::Box);
    }

    #[test]
    fn the_sweep_has_a_band_per_condition() {
        let study = of_precision(&[], &[], &Narrowing::default()).expect("nothing is changed").study(0);
        study.check().expect("conditions differ in their names alone");
        assert_eq!((study.conditions.len(), study.bands.len()), (3, 3));
        let scans = [Scan::list("windows=1,2").expect("a list")];
        let error = of_precision(&[], &scans, &Narrowing::default()).expect_err("refused");
        assert_eq!(error.place, "options `scan` and `list` with sweep state-precision");
    }
}
