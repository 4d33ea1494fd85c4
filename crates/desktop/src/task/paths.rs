//! Paths of clicks that a pack bears: found by walking its transitions, and those that somebody wrote.

use std::collections::{BTreeMap, BTreeSet};

use windesk_engine::pack::{IndexedPack, Workflows};
use windesk_engine::planner::{TargetPool, hidden_condition};
use windesk_model::Error;
use windesk_model::condition::{Condition, InstructionChoice};
use windesk_model::index::{ElementIndex, ProgramIndex, WindowIndex};
use windesk_model::key::{Decision, SampleKey};
use windesk_model::pack_format::{Action, Outcome, Platform, Workflow};
use windesk_model::task::{GoalSource, TaskKind};

use super::{Goals, MAX_STEPS, TaskStudy};

/// Most paths of a program that are kept, in order of their length: a program with more has enough.
const MAX_PATHS: usize = 2000;
/// Of 1000 paths of a program for which somebody wrote some, so many are of those.
const WRITTEN_PER_MILLE: u32 = 600;

/// Clicks in order, with their goal if somebody wrote one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// What is clicked on which page.
    pub clicks: Vec<(WindowIndex, ElementIndex)>,
    /// The workflow of the pack that says so.
    pub written: Option<Workflow>,
}

/// The paths of a program: those found and those written.
#[derive(Clone, Debug, Default)]
struct OfProgram {
    written: Vec<Path>,
    found: Vec<Path>,
}

/// All paths that tasks of a study can follow, by kind.
#[derive(Clone, Debug)]
pub struct TaskPool {
    kinds: BTreeMap<TaskKind, Vec<OfProgram>>,
}

impl TaskPool {
    /// Gathers the paths.
    ///
    /// # Errors
    /// If none is left for one of the study's kinds.
    pub fn new(pack: &IndexedPack, study: &TaskStudy, workflows: &Workflows) -> Result<Self, Error> {
        let walked = Walk::new(pack).paths();
        let written: Vec<Path> = workflows.list.iter().filter_map(|w| resolved(pack, w)).collect();
        let mut kinds = BTreeMap::new();
        for &kind in &study.kinds {
            let condition = match kind {
                TaskKind::Reveal => hidden_condition(study.condition(), u64::MAX >> 32),
                TaskKind::Workflow | TaskKind::Across => study.condition().clone(),
            };
            // What a reader of a step's words goes by is not known.
            let condition = Condition { instructions: InstructionChoice::All, evidence: None, ..condition };
            let begin: BTreeSet<(WindowIndex, ElementIndex)> = TargetPool::new(pack, &[condition])?
                .targets()
                .into_iter()
                .map(|at| (pack.index().targets[at].window, pack.index().targets[at].element))
                .collect();
            // Revealing takes a click of its own.
            let [fewest, most] = study.steps.map(|n| if kind == TaskKind::Reveal { n - 1 } else { n } as usize);
            let across = kind == TaskKind::Across;
            let fits = |path: &&Path| {
                (fewest..=most).contains(&path.clicks.len())
                    && begin.contains(&path.clicks[0])
                    && (programs(pack, path).len() > 1) == across
            };
            let mut by_program: BTreeMap<ProgramIndex, OfProgram> = BTreeMap::new();
            let mut add = |path: &Path| {
                let own = by_program.entry(pack.windows[path.clicks[0].0].program).or_default();
                if path.written.is_some() { own.written.push(path.clone()) } else { own.found.push(path.clone()) }
            };
            let is_asked = |path: &&Path| {
                study.goals == Goals::All || path.written.as_ref().is_some_and(|w| w.goal_source == GoalSource::Reviewed)
            };
            written.iter().filter(fits).filter(is_asked).for_each(&mut add);
            if study.goals == Goals::All && !across {
                walked.iter().filter(fits).for_each(&mut add);
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
            kinds.insert(kind, by_program.into_values().collect());
        }
        Ok(Self { kinds })
    }

    /// How many distinct paths tasks of a kind can follow, by program in the pack's order.
    pub fn counts(&self, pack: &IndexedPack, kind: TaskKind) -> BTreeMap<String, usize> {
        let programs = self.kinds.get(&kind).into_iter().flatten().filter_map(|own| {
            let all: BTreeSet<_> = own.written.iter().chain(&own.found).map(|path| &path.clicks).collect();
            let first = own.written.iter().chain(&own.found).next()?;
            Some((pack.program_of(first.clicks[0].0).record.id.clone(), all.len()))
        });
        programs.collect()
    }

    /// All paths of a kind, written ones first in each program.
    pub fn paths(&self, kind: TaskKind) -> impl Iterator<Item = &Path> {
        self.kinds.get(&kind).into_iter().flatten().flat_map(|own| own.written.iter().chain(&own.found))
    }

    /// Draws a kind, then a program, then whether somebody wrote the goal, then a number of clicks, then a path.
    pub(super) fn pick(&self, key: SampleKey) -> (TaskKind, &Path) {
        let kinds: Vec<TaskKind> = self.kinds.keys().copied().collect();
        let kind = kinds[key.stream(Decision::TaskKind, 0).below(kinds.len())];
        let programs = &self.kinds[&kind];
        let own = &programs[key.stream(Decision::TaskPath, 0).below(programs.len())];
        let wants_written = key.stream(Decision::TaskPath, 1).chance(WRITTEN_PER_MILLE);
        let paths = if own.found.is_empty() || wants_written && !own.written.is_empty() { &own.written } else { &own.found };
        // Short paths are far more: a length first.
        let lengths: BTreeSet<usize> = paths.iter().map(|path| path.clicks.len()).collect();
        let lengths: Vec<usize> = lengths.into_iter().collect();
        let length = lengths[key.stream(Decision::TaskPath, 3).below(lengths.len())];
        let of_length: Vec<&Path> = paths.iter().filter(|path| path.clicks.len() == length).collect();
        (kind, of_length[key.stream(Decision::TaskPath, 2).below(of_length.len())])
    }
}

/// The programs of a path's clicks, each once.
pub(super) fn programs(pack: &IndexedPack, path: &Path) -> Vec<ProgramIndex> {
    let mut programs = Vec::new();
    for &(window, _) in &path.clicks {
        let program = pack.windows[window].program;
        if !programs.contains(&program) {
            programs.push(program);
        }
    }
    programs
}

fn resolved(pack: &IndexedPack, workflow: &Workflow) -> Option<Path> {
    let clicks = workflow.clicks.iter().map(|click| {
        let window = pack.window_index(&click.page)?;
        Some((window, pack.windows[window].element_index(&click.element)?))
    });
    Some(Path { clicks: clicks.collect::<Option<_>>()?, written: Some(workflow.clone()) })
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

    fn extend(
        &self,
        at: WindowIndex,
        clicks: &mut Vec<(WindowIndex, ElementIndex)>,
        seen: &mut Vec<WindowIndex>,
        own: &mut Vec<Path>,
    ) {
        if clicks.len() >= MAX_STEPS as usize || own.len() >= 10 * MAX_PATHS {
            return;
        }
        for link in self.links.get(&at).into_iter().flatten() {
            clicks.push((at, link.element));
            own.push(Path { clicks: clicks.clone(), written: None });
            if let Some(to) = link.to.filter(|to| !seen.contains(to)) {
                seen.push(to);
                self.extend(to, clicks, seen, own);
                seen.pop();
            }
            clicks.pop();
        }
    }
}
