//! Sources of samples as Python asks for them: by level, sweep, design, kind of task or controls, with changes and
//! filters.

use std::collections::BTreeMap;
use std::sync::Arc;

use pyo3::prelude::*;
use windesk::dataset::{PRECISION_SWEEP, Probes, Scenes, StateScenes};
use windesk::engine::config::Scan;
use windesk::engine::icon_probe::{OWN_LIBRARY, ProbeAssets, read_folder};
use windesk::request::{
    Controls, Narrowing, StateRequest, balance_set, named_goals, named_hint, of_level, of_precision, of_states, of_sweep,
    of_tasks,
};
use windesk::{Condition, Error, Result, Study, shipped};

use crate::gate::detached;
use crate::maker::{Maker, Source};
use crate::packs::OpenPack;
use crate::scene::Scene;

/// Makes samples by index: a pure function of what it was made from.
#[pyclass(frozen, module = "windesk._windesk")]
pub(crate) struct SceneSource(pub(crate) Arc<dyn Maker>);

/// Filters by name, each a list of names.
type Filters = BTreeMap<String, Vec<String>>;

fn narrowing(mut filters: Filters) -> Result<Narrowing> {
    let mut take = |name: &str| filters.remove(name).unwrap_or_default();
    let narrowing = Narrowing {
        categories: take("category"),
        apps: take("app"),
        roles: take("role"),
        ui_types: take("ui_type"),
        target_sizes: take("target_size"),
        sessions: take("session"),
        wallpapers: take("wallpaper"),
    };
    match filters.keys().next() {
        None => Ok(narrowing),
        Some(name) => Err(Error::config(
            format!("filter `{name}`"),
            "expected category, app, role, ui_type, target_size, session or wallpaper",
        )),
    }
}

/// The changes, with the one that `balance` stands for.
fn all_sets(mut sets: Vec<String>, balance: &[String]) -> Result<Vec<String>> {
    sets.extend(balance_set(balance)?);
    Ok(sets)
}

/// The part of a pack that conditions of one split are for, which has all that is named.
fn part_for(pack: &OpenPack, conditions: &[Condition], narrowing: &Narrowing) -> Result<OpenPack> {
    let part = pack.part(conditions[0].split)?;
    narrowing.check(part.plain(), conditions)?;
    Ok(part)
}

fn of_study(pack: &OpenPack, study: Study, narrowing: &Narrowing) -> Result<SceneSource> {
    let part = part_for(pack, &study.conditions, narrowing)?;
    Ok(SceneSource(Arc::new(Source::new(Scenes::new(part.indexed()?, study)?))))
}

fn of_controls(pack: &OpenPack, asked: &StateRequest, narrowing: &Narrowing, seed: u64) -> Result<SceneSource> {
    let part = part_for(pack, &asked.conditions, narrowing)?;
    Ok(SceneSource(Arc::new(Source::new(StateScenes::new(part.indexed()?, asked.study(seed))?))))
}

#[pymethods]
impl SceneSource {
    /// The scenes of a level: L1 to L5, `all`, or a TOML file.
    #[staticmethod]
    fn of_level(
        py: Python<'_>,
        pack: &OpenPack,
        level: &str,
        sets: Vec<String>,
        balance: Vec<String>,
        filters: Filters,
        seed: u64,
    ) -> PyResult<Self> {
        detached(py, || {
            let narrowing = narrowing(filters)?;
            let study = of_level(level, &all_sets(sets, &balance)?, &narrowing, seed)?;
            of_study(pack, study, &narrowing)
        })
    }

    /// The scenes of a sweep: one that ships, [`PRECISION_SWEEP`], or a TOML file. `scans` are `KEY=FROM..TO/STEP`,
    /// `lists` are `KEY=A,B,C`.
    #[staticmethod]
    #[allow(clippy::too_many_arguments, reason = "Python's side has them by name")]
    fn of_sweep(
        py: Python<'_>,
        pack: &OpenPack,
        sweep: &str,
        scans: Vec<String>,
        lists: Vec<String>,
        sets: Vec<String>,
        balance: Vec<String>,
        filters: Filters,
        seed: u64,
    ) -> PyResult<Self> {
        detached(py, || {
            let narrowing = narrowing(filters)?;
            let scans = scans.iter().map(|scan| Scan::range(scan)).chain(lists.iter().map(|list| Scan::list(list)));
            let scans = scans.collect::<Result<Vec<_>>>()?;
            let sets = all_sets(sets, &balance)?;
            if sweep == PRECISION_SWEEP {
                return of_controls(pack, &of_precision(&sets, &scans, &narrowing)?, &narrowing, seed);
            }
            let study = of_sweep(sweep, &sets, &scans, &narrowing, seed)?;
            of_study(pack, study, &narrowing)
        })
    }

    /// Icon probes of a design: one that ships, or a TOML file. `folder` holds icons of the user's own.
    #[staticmethod]
    fn of_design(
        py: Python<'_>,
        pack: &OpenPack,
        design: &str,
        mut sets: Vec<String>,
        folder: Option<std::path::PathBuf>,
        seed: u64,
    ) -> PyResult<Self> {
        detached(py, || {
            if folder.is_some() {
                sets.push(format!("library=\"{OWN_LIBRARY}\""));
            }
            let study = shipped::design(design, &sets, seed)?;
            // A file may leave to changes what must be there.
            let written = shipped::design(design, &[], seed).ok();
            let own = folder.as_deref().map(|folder| read_folder(folder, false)).transpose()?;
            let digest = own.as_ref().map(|own| own.set.digest.as_str());
            let study = shipped::named_design(written.as_ref(), study, digest);
            let assets = ProbeAssets::new(pack.plain(), &study, own)?;
            Ok(Self(Arc::new(Source::new(Probes::new(assets, study)))))
        })
    }

    /// Tasks of a kind: workflow, reveal, across or mixed. `steps` is `2..6` or `3`, `goals` reviewed or all.
    #[staticmethod]
    #[allow(clippy::too_many_arguments, reason = "Python's side has them by name")]
    fn of_tasks(
        py: Python<'_>,
        pack: &OpenPack,
        kind: &str,
        level: &str,
        steps: &str,
        goals: &str,
        sets: Vec<String>,
        balance: Vec<String>,
        filters: Filters,
        seed: u64,
    ) -> PyResult<Self> {
        detached(py, || {
            let narrowing = narrowing(filters)?;
            let asked = of_tasks(kind, level, steps, named_goals(goals)?, &all_sets(sets, &balance)?, &narrowing)?;
            let part = part_for(pack, std::slice::from_ref(&asked.condition), &narrowing)?;
            Ok(Self(Arc::new(Source::new(asked.source(part.indexed()?, seed)?))))
        })
    }

    /// State instances. Each list of names leaves all if it is empty. `hint` is none, description or box. Without a
    /// level desktops show the control's window alone.
    #[staticmethod]
    #[allow(clippy::too_many_arguments, reason = "Python's side has them by name")]
    fn of_states(
        py: Python<'_>,
        pack: &OpenPack,
        platforms: Vec<String>,
        families: Vec<String>,
        types: Vec<String>,
        hint: &str,
        level: Option<&str>,
        sets: Vec<String>,
        balance: Vec<String>,
        filters: Filters,
        seed: u64,
    ) -> PyResult<Self> {
        detached(py, || {
            let narrowing = narrowing(filters)?;
            let controls = Controls { platforms, families, types };
            let asked = of_states(&controls, named_hint(hint)?, level, &all_sets(sets, &balance)?, &narrowing)?;
            of_controls(pack, &asked, &narrowing, seed)
        })
    }

    /// Name of the dataset.
    #[getter]
    fn dataset(&self) -> &str {
        self.0.names().0
    }

    /// Names of the conditions, in order.
    #[getter]
    fn conditions(&self) -> Vec<String> {
        self.0.names().1.to_vec()
    }

    /// A sample: planned and verified, not yet painted. None for an index without one.
    fn scene(&self, py: Python<'_>, index: u64, condition: usize) -> PyResult<Option<Scene>> {
        let made = detached(py, || Arc::clone(&self.0).make(index))?;
        Ok(made.map(|made| Scene::new(made, condition)))
    }

    /// All samples of an index, such as the keyframes of a task: planned and verified, not yet painted. None for an
    /// index without any.
    fn scenes(&self, py: Python<'_>, index: u64) -> PyResult<Option<Vec<Scene>>> {
        let made = detached(py, || Arc::clone(&self.0).make(index))?;
        Ok(made.map(|made| (0..made.count()).map(|at| Scene::new(Arc::clone(&made), at)).collect()))
    }
}
