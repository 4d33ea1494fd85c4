//! Paths of clicks that a pack bears: found by walking its transitions, those that somebody wrote, and those on living
//! pages.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use windesk_engine::pack::{IndexedPack, Workflows};
use windesk_engine::planner::{TargetPool, hidden_condition};
use windesk_model::Error;
use windesk_model::condition::{Condition, InstructionChoice};
use windesk_model::index::{ElementIndex, ProgramIndex, WindowIndex};
use windesk_model::instruction::InstructionSource;
use windesk_model::key::{Decision, SampleKey};
use windesk_model::pack_format::{Action, Outcome, Platform, Workflow};
use windesk_model::task::{GoalSource, TaskKind};

use super::path::{Path, PathClick, PathWords, StepWords, programs};
use super::settings::SettingsPage;
use super::{Goals, MAX_STEPS, TaskStudy};
use crate::buttons::frame_button;

/// Most paths of a program that are kept, in order of their length: a program with more has enough.
const MAX_PATHS: usize = 2000;
/// Of 1000 paths of a program for which somebody wrote some, so many are of those.
const WRITTEN_PER_MILLE: u32 = 600;
/// Of 1000 other paths of a program that has living pages, in so many controls of such a page are set.
const SETTINGS_PER_MILLE: u32 = 500;

/// The paths of a program: those that somebody wrote, those found, and pages on which more are found when they are
/// drawn.
#[derive(Clone, Debug, Default)]
struct OfProgram {
    written: Vec<Path>,
    found: Vec<Path>,
    settings: Vec<SettingsPage>,
}

/// Sorts of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Written,
    Found,
    Settings,
}

/// All paths that tasks of a study can follow, by kind.
#[derive(Clone, Debug)]
pub struct TaskPool {
    kinds: BTreeMap<TaskKind, Vec<OfProgram>>,
    /// Fewest and most steps of a task.
    steps: [u32; 2],
}

/// How many distinct paths tasks of a kind can follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathCounts {
    /// Paths that are known from the beginning, by program.
    pub paths: BTreeMap<String, usize>,
    /// Living pages on which more are found when they are drawn, by program.
    pub pages: BTreeMap<String, usize>,
}

/// Stands for the box of an element that is not yet chosen, in px: larger than that of any.
const ANY_AREA: u64 = 1 << 32;

impl TaskPool {
    /// Gathers the paths.
    ///
    /// # Errors
    /// If none is left for one of the study's kinds.
    pub fn new(pack: &IndexedPack, study: &TaskStudy, workflows: &Workflows) -> Result<Self, Error> {
        let all = AllPaths::new(pack, study, workflows);
        let kinds = study.kinds.iter().map(|&kind| Ok((kind, all.of_kind(kind)?)));
        Ok(Self { kinds: kinds.collect::<Result<_, Error>>()?, steps: study.steps })
    }

    /// The same of those of the study's kinds that there are paths for.
    ///
    /// # Errors
    /// If there is no path for any kind: why there is none for the first.
    pub fn of_kinds_with_paths(pack: &IndexedPack, study: &TaskStudy, workflows: &Workflows) -> Result<Self, Error> {
        let all = AllPaths::new(pack, study, workflows);
        let (mut kinds, mut lacking) = (BTreeMap::new(), None);
        for &kind in &study.kinds {
            match all.of_kind(kind) {
                Ok(paths) => drop(kinds.insert(kind, paths)),
                Err(error) => lacking = lacking.or(Some(error)),
            }
        }
        match lacking {
            Some(error) if kinds.is_empty() => Err(error),
            _ => Ok(Self { kinds, steps: study.steps }),
        }
    }

    /// The kinds that it has paths for.
    pub fn kinds(&self) -> Vec<TaskKind> {
        self.kinds.keys().copied().collect()
    }

    /// How many distinct paths tasks of a kind can follow.
    pub fn counts(&self, pack: &IndexedPack, kind: TaskKind) -> PathCounts {
        let mut counts = PathCounts::default();
        let name_of = |window: WindowIndex| pack.program_of(window).record.id.clone();
        for own in self.kinds.get(&kind).into_iter().flatten() {
            let all: BTreeSet<_> = own.paths().map(|path| &path.clicks).collect();
            if let Some(first) = own.paths().next() {
                counts.paths.insert(name_of(first.clicks[0].page), all.len());
            }
            if let Some(first) = own.settings.first() {
                counts.pages.insert(name_of(first.window), own.settings.len());
            }
        }
        counts
    }

    /// All paths of a kind that are known from the beginning, written ones first in each program.
    pub fn paths(&self, kind: TaskKind) -> impl Iterator<Item = &Path> {
        self.kinds.get(&kind).into_iter().flatten().flat_map(OfProgram::paths)
    }

    /// Draws a kind, then a program, then a sort of path, and a path of that sort. Null if what was drawn bears none.
    pub(super) fn pick(&self, pack: &IndexedPack, key: SampleKey) -> Result<(TaskKind, Option<Cow<'_, Path>>), Error> {
        let kinds = self.kinds();
        let kind = kinds[key.stream(Decision::TaskKind, 0).below(kinds.len())];
        let programs = &self.kinds[&kind];
        let own = &programs[key.stream(Decision::TaskPath, 0).below(programs.len())];
        let paths = match own.sort(key) {
            Sort::Written => &own.written,
            Sort::Found => &own.found,
            Sort::Settings => {
                let page = &own.settings[key.stream(Decision::TaskPath, 5).below(own.settings.len())];
                let path = page.draw(pack, lengths(kind, self.steps), key)?;
                return Ok((kind, path.map(Cow::Owned)));
            }
        };
        // Short paths are far more: a length first.
        let lengths: BTreeSet<usize> = paths.iter().map(|path| path.clicks.len()).collect();
        let lengths: Vec<usize> = lengths.into_iter().collect();
        let length = lengths[key.stream(Decision::TaskPath, 3).below(lengths.len())];
        let of_length: Vec<&Path> = paths.iter().filter(|path| path.clicks.len() == length).collect();
        Ok((kind, Some(Cow::Borrowed(of_length[key.stream(Decision::TaskPath, 2).below(of_length.len())]))))
    }
}

/// The paths of a pack, whatever the kind of task.
struct AllPaths<'a> {
    pack: &'a IndexedPack,
    study: &'a TaskStudy,
    walked: Vec<Path>,
    written: Vec<Path>,
}

impl<'a> AllPaths<'a> {
    fn new(pack: &'a IndexedPack, study: &'a TaskStudy, workflows: &Workflows) -> Self {
        let written = workflows.list.iter().filter_map(|w| resolved(pack, w)).collect();
        Self { pack, study, walked: Walk::new(pack).paths(), written }
    }

    /// Those that tasks of a kind can follow, by program; at least one.
    fn of_kind(&self, kind: TaskKind) -> Result<Vec<OfProgram>, Error> {
        let Self { pack, study, walked, written } = self;
        let condition = match kind {
            TaskKind::Reveal => hidden_condition(study.condition(), ANY_AREA),
            TaskKind::Workflow | TaskKind::Across => study.condition().clone(),
        };
        // What a reader of a step's words goes by is not known.
        let condition = Condition { instructions: InstructionChoice::All, evidence: None, ..condition };
        let begin: BTreeSet<PathClick> = TargetPool::new(pack, &[condition])?
            .targets()
            .into_iter()
            .map(|at| click_of(pack, pack.index().targets[at].window, pack.index().targets[at].element))
            .collect();
        let [fewest, most] = lengths(kind, study.steps);
        let across = kind == TaskKind::Across;
        let fits = |path: &&Path| {
            (fewest..=most).contains(&path.clicks.len())
                && begin.contains(&path.clicks[0])
                && (programs(pack, path).len() > 1) == across
        };
        let mut by_program: BTreeMap<ProgramIndex, OfProgram> = BTreeMap::new();
        let is_asked = |path: &&Path| {
            study.goals == Goals::All || path.words.as_ref().is_some_and(|w| w.goal_source == GoalSource::Reviewed)
        };
        for path in written.iter().filter(fits).filter(is_asked) {
            by_program.entry(pack.windows[path.clicks[0].page].program).or_default().written.push(path.clone());
        }
        if study.goals == Goals::All && !across {
            for path in walked.iter().filter(fits).filter(|path| !ends_at_frame(pack, path)) {
                by_program.entry(pack.windows[path.clicks[0].page].program).or_default().found.push(path.clone());
            }
            for page in settings_pages(pack, &begin)? {
                by_program.entry(pack.windows[page.window].program).or_default().settings.push(page);
            }
        }
        if by_program.is_empty() {
            let found = format!("no path of {fewest} to {most} clicks for tasks of kind {}", kind.name());
            let error = Error::config(pack.files().place(), format!("{found}, expected transitions that make one"));
            return Err(match (kind, study.goals) {
                (TaskKind::Across, _) => {
                    error.with_hint("such tasks are written: the pack's workflows.jsonl has none that the level bears")
                }
                (_, Goals::Reviewed) => error.with_hint("option `goals` all asks for composed goals too"),
                (_, Goals::All) => error.with_hint("fewer steps, another level or fewer filters may leave some"),
            });
        }
        Ok(by_program.into_values().collect())
    }
}

impl OfProgram {
    fn paths(&self) -> impl Iterator<Item = &Path> {
        self.written.iter().chain(&self.found)
    }

    /// A sort of which it has some.
    fn sort(&self, key: SampleKey) -> Sort {
        let drawn = |slot, per_mille| key.stream(Decision::TaskPath, slot).chance(per_mille);
        let others = !self.found.is_empty() || !self.settings.is_empty();
        if !self.written.is_empty() && (drawn(1, WRITTEN_PER_MILLE) || !others) {
            Sort::Written
        } else if !self.settings.is_empty() && (drawn(4, SETTINGS_PER_MILLE) || self.found.is_empty()) {
            Sort::Settings
        } else {
            Sort::Found
        }
    }
}

/// Fewest and most clicks of a path, for tasks of so many steps: revealing takes a click of its own.
fn lengths(kind: TaskKind, steps: [u32; 2]) -> [usize; 2] {
    steps.map(|n| if kind == TaskKind::Reveal { n - 1 } else { n } as usize)
}

/// The living pages on which something can be set, with the elements that a first click may go to.
fn settings_pages(pack: &IndexedPack, begin: &BTreeSet<PathClick>) -> Result<Vec<SettingsPage>, Error> {
    let mut pages: BTreeMap<WindowIndex, BTreeSet<String>> = BTreeMap::new();
    for click in begin.iter().filter(|click| pack.windows[click.page].living.is_some()) {
        pages.entry(click.page).or_default().insert(click.element.clone());
    }
    let mut found = Vec::new();
    for (window, begin) in pages {
        if SettingsPage::bears_any(&*pack.living(window)?) {
            found.push(SettingsPage { window, begin });
        }
    }
    Ok(found)
}

/// Whether the last click goes to a button of a window's frame: "close the dialog" is no goal where the path opened it.
fn ends_at_frame(pack: &IndexedPack, path: &Path) -> bool {
    let last = &path.clicks[path.clicks.len() - 1];
    let window = &pack.windows[last.page];
    window.element_index(&last.element).is_some_and(|at| frame_button(window, at).is_some())
}

fn click_of(pack: &IndexedPack, page: WindowIndex, element: ElementIndex) -> PathClick {
    PathClick { page, element: pack.windows[page].elements[element].id.clone() }
}

fn resolved(pack: &IndexedPack, workflow: &Workflow) -> Option<Path> {
    let clicks = workflow.clicks.iter().map(|click| {
        let page = pack.window_index(&click.page)?;
        Some(click_of(pack, page, pack.windows[page].element_index(&click.element)?))
    });
    let words = PathWords {
        goal: workflow.goal.clone(),
        goal_source: workflow.goal_source,
        steps: workflow
            .steps
            .as_ref()
            .map(|steps| steps.iter().map(|step| StepWords { instruction: step.clone(), label: None }).collect()),
        steps_source: InstructionSource::Reviewed,
        workflow: Some(workflow.id.clone()),
    };
    Some(Path { clicks: clicks.collect::<Option<_>>()?, words: Some(words) })
}

/// A click of a page with the page that it leads to.
#[derive(Clone, Copy)]
struct Link {
    element: ElementIndex,
    to: Option<WindowIndex>,
}

/// A walk over all transitions of a pack.
struct Walk<'a> {
    pack: &'a IndexedPack,
    links: BTreeMap<WindowIndex, Vec<Link>>,
}

impl<'a> Walk<'a> {
    fn new(pack: &'a IndexedPack) -> Self {
        let mut links: BTreeMap<WindowIndex, Vec<Link>> = BTreeMap::new();
        for transition in &pack.transitions {
            let usable = transition.action == Action::Click
                && !transition.is_conditional()
                && transition.part.is_none()
                && matches!(&transition.outcomes[..], [Outcome::Page { .. } | Outcome::Window { .. } | Outcome::Closed { .. }]);
            let from = pack.window_index(&transition.from);
            let element = from.and_then(|from| pack.windows[from].element_index(transition.element.as_deref()?));
            if let (true, Some(from), Some(element)) = (usable, from, element)
                && pack.index().target_at(from, element).is_some()
            {
                let to = transition.to().and_then(|to| pack.window_index(to));
                links.entry(from).or_default().push(Link { element, to });
            }
        }
        Self { pack, links }
    }

    /// All paths that begin at a main window without an open menu and come to no page twice, in order of their length.
    fn paths(&self) -> Vec<Path> {
        let mut by_program: BTreeMap<ProgramIndex, Vec<Path>> = BTreeMap::new();
        for &from in self.links.keys() {
            let window = &self.pack.windows[from];
            if !window.has_popup() && window.parent.is_none() && window.platform == Platform::Desktop {
                let own = by_program.entry(window.program).or_default();
                self.extend(from, &mut Vec::new(), &mut vec![from], own);
            }
        }
        for own in by_program.values_mut() {
            own.sort_by_key(|path| path.clicks.len());
            own.truncate(MAX_PATHS);
        }
        by_program.into_values().flatten().collect()
    }

    fn extend(&self, at: WindowIndex, clicks: &mut Vec<PathClick>, seen: &mut Vec<WindowIndex>, own: &mut Vec<Path>) {
        if clicks.len() >= MAX_STEPS as usize || own.len() >= 10 * MAX_PATHS {
            return;
        }
        for link in self.links.get(&at).into_iter().flatten() {
            clicks.push(click_of(self.pack, at, link.element));
            own.push(Path { clicks: clicks.clone(), words: None });
            if let Some(to) = link.to.filter(|to| !seen.contains(to)) {
                seen.push(to);
                self.extend(to, clicks, seen, own);
                seen.pop();
            }
            clicks.pop();
        }
    }
}
